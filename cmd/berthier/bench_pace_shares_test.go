package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berthier/engine/story"
)

// likelyWon holds that the first seat has won so many of some games as docs/pace.md lets one
// expect: not so few, nor so many, that by chance alone fewer than one in rarest samples of so many
// games would come out like that. It is the exact binomial distribution, in whole numbers.
func likelyWon(t *testing.T, sheet paceSheet, said string) {
	t.Helper()
	seat, share := shareSaid(t, said)
	won := 0
	for _, e := range sheet.Endings {
		if e.Winners == seat {
			won = e.Games
		}
	}
	if once, _ := story.Odds([]story.Dice{{Rolled: sheet.Games, Need: share, Faces: 100}}, won); once == 0 || once > rarest {
		t.Errorf("%s has won %d of %d games; with the %d %% of docs/pace.md once in %d samples is like that", seat, won, sheet.Games, share, once)
	}
}

// rarest is how rare a sample may be; the shares on the page are those of 100 or 400 games
// themselves.
const rarest = 2000

// shareSaid is the share of games, in hundredths, that the first seat is said to have won.
func shareSaid(t *testing.T, said string) (seat string, share int) {
	t.Helper()
	seat, percent, _ := strings.Cut(strings.Split(said, ", ")[0], " ")
	share, err := strconv.Atoi(strings.TrimSuffix(percent, "%"))
	if err != nil || !strings.HasSuffix(percent, "%") {
		t.Fatalf("%q is no share of games won", said)
	}
	return seat, share
}

// mostApart is by how many points the share of games won may be another with policies.
const mostApart = 10

// No policy that a pace begins with, or that stands in the letters to be filled in, changes who
// wins: with it on one side, on the other and on both, the shares of games won lie within ten
// points of those without. The figures are of docs/pace.md; [TestPaceOfPolicies] and
// [TestPaceOfGames] hold that games come out so.
func TestPoliciesDecideNoGame(t *testing.T) {
	page, err := os.ReadFile("../../docs/pace.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, without := 0, 0
	for _, row := range regexp.MustCompile(`(?m)^\| [^|]*\| ([^|]*) \| [^|]* \| [0-9.]+ \| ([a-z]+ [0-9]+%, [^|]*) \|$`).FindAllStringSubmatch(string(page), -1) {
		_, share := shareSaid(t, row[2])
		if rows++; row[1] == "nobody" {
			without = share
		}
		if share < without-mostApart || share > without+mostApart {
			t.Errorf("%s: %s, and %d%% without policies", row[1], row[2], without)
		}
	}
	if rows != 7*(4+2) {
		t.Errorf("docs/pace.md tells of %d games with policies", rows)
	}
}
