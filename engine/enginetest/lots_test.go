package enginetest

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

func TestSources(t *testing.T) { rulestest.Sources(t, New()) }

func TestNamedClauses(t *testing.T) { rulestest.NamedClauses(t, New().Clauses(), "LOT-", 6) }

func TestPositionForm(t *testing.T) {
	rulestest.PositionForm(t, New(), New().PositionForm(), nil, nil)
}

// Games played by chance end, and the rules lead to nothing that Check finds.
func TestGamesEndInOrder(t *testing.T) {
	setups := []rulestest.Setup{
		{Name: "two", Setup: engine.Setup{Options: map[string]string{"coins": "5"}}},
		{Name: "three", Setup: engine.Setup{Scenario: "three", Options: map[string]string{"rounds": "20"}}},
	}
	nothing := func(_, _ engine.Position) error { return nil }
	rulestest.Playouts(t, New(), setups, 40, 1, func() playout.Observer { return rulestest.InOrder(nothing) })
}

// Whatever a position says that a game master has edited: it is refused with the place of
// its faults, or can be played on.
func FuzzLoad(f *testing.F) {
	var all []playout.Moment
	_, err := playout.Run(New(), engine.Setup{Options: map[string]string{"coins": "3"}}, 1, func(m playout.Moment) error {
		all = append(all, m)
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	rulestest.Loads(f, New(), all)
}

// Each fault of a scenario file and of a position is told at its line, all at once.
func TestFaultsAreToldAtTheirLines(t *testing.T) {
	_, scenario := New().New(engine.Setup{Data: []byte("scenario: x\nsides:\n  red: {units: [4, 10]}\n  blue: {units: []}\nnight: yes\n")})
	_, position := New().Load([]byte("round: x\nrounds: 3\nsides:\n  - {side: red, won: -1}\n  - {side: blue, gold: 1}\n"))
	_, twice := New().Load([]byte("round: 1\nrounds: 3\nsides:\n  - {side: red}\n  - {side: red}\n"))
	for what, test := range map[string]struct {
		err  error
		want []int
	}{"scenario": {scenario, []int{3, 4, 5}}, "position": {position, []int{1, 4, 5}}, "one side twice": {twice, []int{5}}} {
		var faults orders.Problems
		errors.As(test.err, &faults)
		var lines []int
		for _, f := range faults {
			lines = append(lines, f.Line)
		}
		if !slices.Equal(lines, test.want) {
			t.Errorf("%s: %v", what, test.err)
		}
	}
}

// What docs/adding-a-ruleset.md shows of this game is what the code of the game is: each
// block of code stands in the file that the block names, and each file is shown.
func TestThePageShowsThisGame(t *testing.T) {
	page, err := os.ReadFile("../../docs/adding-a-ruleset.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for i, block := range strings.Split(string(page), "\n```") {
		head, body, _ := strings.Cut(block, "\n")
		language, name, named := strings.Cut(head, " ")
		if i%2 == 0 || language == "" {
			continue
		}
		if !named {
			t.Errorf("a block of %s does not name its file:\n%s", language, body)
			continue
		}
		file, err := os.ReadFile(name)
		if err != nil || !strings.Contains("\n"+string(file), "\n"+body+"\n") {
			t.Errorf("%s does not have, %v:\n%s", name, err, body)
		}
		shown[name] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := f.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !shown[name] {
			t.Errorf("the page shows nothing of %s", name)
		}
	}
}

// A game without standing orders refuses them, with orders or by themselves.
func TestStandingOrdersAreRefused(t *testing.T) {
	p, err := New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Owed()[0]
	for _, file := range []string{"orders: {bid: R-1}\nstanding: {bid: R-1}\n", "standing: {bid: R-1}\n"} {
		doc, _ := orders.Parse(file, nil)
		_, faults := New().Read(p.View(d.Side), d, doc)
		_, alone := New().ReadStanding(p.View(d.Side), doc)
		for _, all := range []orders.Problems{faults, alone} {
			if len(all) != 1 || all[0].Why.Code != "play.no-standing" || all[0].Line == 0 {
				t.Errorf("%q: %v", file, all)
			}
		}
	}
}

// A template means the default, and each example in it is a legal file by itself.
func TestTemplatesTakeOneUncommenting(t *testing.T) {
	rulestest.Uncomment(t, "", New(), []playout.Game{{Setup: engine.Setup{Options: map[string]string{"coins": "5"}}, Seed: 1}, {Seed: 2}}, 12)
}

// Templates offer what is legal, and nothing else.
func TestTemplatesOfferWhatIsLegal(t *testing.T) {
	words := func(_ engine.View, n *orders.Node) []string {
		lines := rulestest.Comments(n)
		return strings.Split(lines[len(lines)-1], ", ")
	}
	listed := func(_ engine.View, c engine.Choice) []string { return []string{cmp.Or(c.Of, c.What)} }
	var games []playout.Game
	for seed := range uint64(20) {
		games = append(games, playout.Game{Setup: engine.Setup{Options: map[string]string{"coins": "5"}}, Seed: seed})
	}
	rulestest.Offers(t, "", New(), games, map[string]rulestest.Listing{Bid: {Offered: words, Choice: listed}, Discard: {Offered: words, Choice: listed}})
}
