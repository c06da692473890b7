package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A pacedRow is how games are counted in docs/pace.md, and how many letters, in tenths, a seat
// is to write there at most; 0: no number was set.
type pacedRow struct {
	game     string // with its options
	policies string // filled in
	write    string // with joined questions: the example of its letters that the bots fill in, too
	most     [4]int // as set, filled in, with joined questions, with all that can be filed ahead
	pair     [4]int // the same of a pair of turns
	short    string // an option of short games: these take long, so that few are played, and only in the ways of pair
}

// counts says whether games of a row are counted in one of the four ways.
func (r pacedRow) counts(way int) bool { return r.short == "" || r.pair[way] > 0 }

const (
	napoleonFilled = "{reinforce: max, regroup: none, terrain: {hill: center, farm: center, wood: left, stream: right, else: first-free}}"
	waterlooFilled = "{artillery: {fire: best}}"
	hfgFilled      = "{reply: standing}"
	mistakesFilled = "{unlimber: all, bid: {keep: 6}}"

	waterlooWritten = "{on-reaction: continue}"
)

// pacedRows are the rows of each ruleset. [TestEachRulesetMeetsTheTests] holds that every one that the program has is there.
var pacedRows = map[string][]pacedRow{
	"enemy-mistakes": { // a turn is one of both sides, so that a pair of turns may cost 14 letters, 12 and, with all ahead, 8
		{game: "--game enemy-mistakes", policies: mistakesFilled, pair: [4]int{140, 120, 0, 80}, short: "game=short"},
	},
	"hfg": {
		{game: "--game hfg", policies: hfgFilled, pair: [4]int{21, 11}, short: "sunset-pairs=4"},
	},
	"napoleon": {
		{game: "--game napoleon", policies: napoleonFilled, most: [4]int{380, 280, 260, 220}},
		{game: "--game napoleon --option edition=3e", policies: napoleonFilled, most: [4]int{0, 480, 430, 340}},
	},
	"waterloo": {
		{game: "--game waterloo --option scenario-length=quick", policies: waterlooFilled, write: waterlooWritten, most: [4]int{0, 250, 210, 160}},
		{game: "--game waterloo --option scenario-length=full", policies: waterlooFilled, write: waterlooWritten, most: [4]int{730, 550, 470, 340}},
	},
}

// pacedOfAll are the rows of every ruleset of the program.
func pacedOfAll() (all []pacedRow) {
	for _, id := range sortedKeys(rulesets) {
		all = append(all, pacedRows[id]...)
	}
	return all
}

// lettersSaid are the letters of each seat that docs/pace.md tells of a row, in its four ways, and
// the shares of games won.
func lettersSaid(t *testing.T, page string, row pacedRow) (said, won [4]string) {
	t.Helper()
	game := regexp.QuoteMeta("| `" + row.game + "` |")
	policies := regexp.MustCompile("(?m)^" + game + " nobody \\|.*\n(?:\\| \\|.*\n)+").FindString(page)
	for i, with := range []string{"both, postal", "both, filled in", "", "both, all ahead"} {
		if with == "" {
			continue
		}
		if found := regexp.MustCompile("(?m)^\\| \\| " + with + " \\| ([^|]*) \\| [0-9.]+ \\| ([^|]*) \\|").FindStringSubmatch(policies); found != nil {
			said[i], won[i] = found[1], found[2]
		}
	}
	if found := regexp.MustCompile("(?m)^" + game + " (french [^|]*) \\| [0-9.]+ \\| ([^|]*) \\| (french [^|]*) \\| [0-9.]+ \\| ([^|]*) \\|$").FindStringSubmatch(page); found != nil {
		said[2], won[2], said[3], won[3] = found[1], found[2], found[3], found[4]
	}
	for i := range said {
		if row.counts(i) && said[i] == "" {
			t.Fatalf("docs/pace.md does not tell all of %s: %q", row.game, said)
		}
	}
	return said, won
}

// What docs/pace.md tells of letters with policies, with joined questions and with all that can
// be filed ahead is as many as were set, but for what chance does to a mean of 100 games; and
// games that are played now lie near it.
func TestPaceOfPolicies(t *testing.T) {
	if raceEnabled {
		return // games are played one after the other: the run without the race detector plays them
	}
	file, err := os.ReadFile("../../docs/pace.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(file), "\n", " ")
	for _, row := range pacedOfAll() {
		if !strings.Contains(page, row.policies) || !strings.Contains(page, row.write) {
			t.Errorf("docs/pace.md does not tell that %s and %s were filled in", row.policies, row.write)
		}
		said, won := lettersSaid(t, string(file), row)
		for i, how := range []benchPaceCommand{{}, {Policies: row.policies}, {Policies: row.policies, File: "joined", Write: row.write}, {Policies: row.policies, File: "ahead"}} {
			if !row.counts(i) {
				continue
			}
			for _, one := range strings.Split(said[i], ", ") {
				seat, mean, _ := strings.Cut(one, " ")
				if n := tenthsOf(t, mean); row.most[i] > 0 && n*100 > row.most[i]*104 {
					t.Errorf("%s: %s writes %s letters, and is to write at most %s", row.game, seat, mean, tenths(row.most[i], 10))
				}
			}
			if how.File == "ahead" && !fullSamples {
				continue // each answer is tried out in made-up worlds
			}
			t.Run(row.game+" "+strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				cmd, within := how, 45 // percent
				if cmd.Games = 4; fullSamples && row.short == "" {
					cmd.Games, within = 24, 18
					if how.File == "ahead" { // each answer is tried out in made-up worlds
						cmd.Games, within = 8, 32
					}
				} else if fullSamples { // whole games of measured fields take seconds each
					cmd.Games = 1
				}
				words := strings.Fields(row.game)
				cmd.Game, cmd.Pace, cmd.Option = words[1], "postal", map[string]string{}
				if len(words) > 2 {
					name, value, _ := strings.Cut(words[3], "=")
					cmd.Option[name] = value
				}
				if row.short != "" && !fullSamples {
					name, value, _ := strings.Cut(row.short, "=")
					cmd.Games, cmd.Option[name] = 1, value
				}
				sheet := paced(t, cmd)
				for _, seat := range sheet.Seats {
					if pairs := sheet.Turns.Sum + cmd.Games; row.pair[i] > 0 && seat.Letters*20 > row.pair[i]*pairs { // a pair that was begun counts whole
						t.Errorf("%s writes %d letters in %d turns, and is to write at most %s in a pair of turns", seat.Seat, seat.Letters, sheet.Turns.Sum, tenths(row.pair[i], 10))
					}
				}
				if row.short != "" { // how long they last differs too much
					return
				}
				for j, one := range strings.Split(said[i], ", ") {
					seat, mean, _ := strings.Cut(one, " ")
					n, got := tenthsOf(t, mean), sheet.Seats[j]
					if got.Seat != seat || got.Letters*1000 < n*(100-within)*cmd.Games || got.Letters*1000 > n*(100+within)*cmd.Games {
						t.Errorf("%s writes %s letters a game, not within %d %% of %s's %s", got.Seat, tenths(got.Letters, cmd.Games), within, seat, mean)
					}
				}
				likelyWon(t, sheet, won[i])
			})
		}
	}
}

// tenthsOf reads a number with one decimal.
func tenthsOf(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.Replace(text, ".", "", 1))
	if err != nil || !strings.Contains(text, ".") {
		t.Fatalf("%q is no number with one decimal", text)
	}
	return n
}
