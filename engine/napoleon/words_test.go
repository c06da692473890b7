package napoleon

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// wordGames are games in which every kind of stop opens.
func wordGames(t *testing.T) []playout.Game {
	var games []playout.Game
	for i, one := range append(setups, rulestest.Setup{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}}) {
		seed := uint64(7100 + i)
		games = append(games, playout.Game{Setup: one.Setup, Seed: uint64(7000 + i)},
			playout.Game{Start: battleground(t, one.Setup, seed), Seed: seed, MaxStops: 5000})
	}
	// One that comes to a stalemate, which is rare.
	return append(games, playout.Game{Start: battleground(t, setups[4].Setup, 34), Seed: 34, MaxStops: 3000})
}

// Doing nothing and the default are written the same way at every stop.
func TestNothingAndTheDefaultAtEveryStop(t *testing.T) {
	rulestest.SaysNothing(t, New(), wordGames(t))
}

// Answers are written in one spelling, and the former spelling is read too.
func TestAnswersHaveOneSpelling(t *testing.T) {
	rulestest.Spelling(t, New(), wordGames(t))
}

// Options are written in one spelling, and the former spelling is read too.
func TestOptionsHaveOneSpelling(t *testing.T) { rulestest.OptionSpelling(t, New()) }

// In a game that began with the former words an empty map still means in a battle turn
// that nothing is done. At other stops it was refused, and now means the default.
func TestAnEmptyMapInAFormerGame(t *testing.T) {
	rules, looked := New(), 0
	g := playout.Game{Rules: rules, Start: battleground(t, setups[0].Setup, 7100), Seed: 7100, MaxStops: 5000}
	g.Choose = func(_ engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
		doc, _ := orders.Parse("orders: {}\n", nil)
		doc.Former = true
		a, faults := rules.Read(view, d, doc)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		want := rules.Default(view, d)
		if d.Kind == "battle-turn" {
			nothing, _ := orders.Parse("orders: none\n", nil)
			want, _ = rules.Read(view, d, nothing)
			looked++
		}
		if got := a.Orders().Encode(); got != want.Orders().Encode() {
			t.Errorf("%s: {} means\n%s", d.Kind, got)
		}
		return rules.Random(view, d, chance)
	}
	if _, err := g.Play(whileFighting(func(playout.Moment) error { return nil })); err != nil && !errors.Is(err, errPeace) {
		t.Fatal(err)
	}
	if looked == 0 {
		t.Error("there was no battle turn")
	}
}

// A scenario file may write options and its own keys in both spellings.
func TestScenarioFilesInBothSpellings(t *testing.T) {
	data, err := files.ReadFile("scenarios/napoleon-4e.yaml")
	if err != nil {
		t.Fatal(err)
	}
	position := func(text string) string {
		p, err := New().New(engine.Setup{Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%+v", p.(*game).options)
	}
	text := strings.Replace(string(data), "laneffe_zone: prussian", "laneffe_zone: prussian\n  bid_step: any", 1)
	other := strings.NewReplacer("laneffe_zone:", "laneffe-zone:", "bid_step", "bid-step", "edition_values:", "edition-values:", "road_limit:", "road-limit:").Replace(text)
	if one, two := position(text), position(other); text == other || one != two {
		t.Errorf("the options are\n%s\nand in the other spelling\n%s", one, two)
	}
}

// ungendered finds a word about a unit that has a gender in Italian, and says only one.
var ungendered = regexp.MustCompile(`\{(?:unit|target|other)\}[^{}"]* (?:è|era|sia|viene|resta|va|essere)(?: (?:più|già|stat[oa]|ancora))* (?:la più|il più|\pL+(?:at|ut|it|ers|ost|ott)[oa])\b`)

// A leader is he, and every other unit she: Italian sentences say both, each by the gender that
// [View.Spell] gives.
func TestItalianTakesTheGenderOfUnits(t *testing.T) {
	said, gendered := 0, 0
	err := fs.WalkDir(New().Words(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".it.yaml") {
			return err
		}
		data, err := fs.ReadFile(New().Words(), path)
		for line := range strings.Lines(string(data)) {
			said += strings.Count(line, "{unit}")
			gendered += strings.Count(line, "{unit@")
			if wrong := ungendered.FindString(line); wrong != "" {
				t.Errorf("%s: %q has one gender for all units", path, wrong)
			}
		}
		return err
	})
	if err != nil || said < 50 || gendered < 12 {
		t.Errorf("%v: %d places of units, %d genders", err, said, gendered)
	}
	p := newDrill(t, nil)
	for i := range p.units {
		u, want := &p.units[i], "f"
		if u.kind == leader {
			want = "m"
		}
		if got := p.View("french").Spell("gender.unit", p.roster[i].id, "it"); got != want {
			t.Errorf("%s is %q", p.roster[i].id, got)
		}
	}
}
