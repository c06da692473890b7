package whatif_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/enginetest"
	"berthier/engine/playout"
	"berthier/engine/whatif"
	"berthier/orders"
)

// A made-up game gives the view from which it was made up.
func TestSamples(t *testing.T) {
	for seed := range uint64(20) {
		setup := engine.Setup{Scenario: []string{"two", "three"}[seed%2], Options: map[string]string{"rounds": "5"}}
		check := playout.Properties{Rules: enginetest.New(), Samples: 2}
		if _, err := playout.Run(enginetest.New(), setup, seed, check.Observe); err != nil {
			t.Fatal(err)
		}
	}
}

// A question has one answer, whose counts add up, and asking it changes nothing that it
// was given.
func TestAsk(t *testing.T) {
	p, err := enginetest.New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := p.Marshal()
	d := p.Owed()[0]
	view := p.View(d.Side)
	q := whatif.Question{Rules: enginetest.New(), View: view, Decision: d, Runs: 40,
		Answer: enginetest.New().Random(view, d, rand.New(rand.NewPCG(1, 1)))}
	one, err := q.Ask()
	if err != nil {
		t.Fatal(err)
	}
	two, err := q.Ask()
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(two)
	if !bytes.Equal(a, b) {
		t.Errorf("the same question has two answers:\n%s\n%s", a, b)
	}
	after, _ := p.Marshal()
	if !bytes.Equal(before, after) {
		t.Error("asking changed the position")
	}
	sum := one.Open
	for _, n := range one.Next {
		sum += n.Times
	}
	for _, e := range one.Ends {
		sum += e.Times
	}
	if one.Runs != 40 || sum != 40 {
		t.Errorf("%d runs, %d of them came to something", one.Runs, sum)
	}
	lines(t, one)
	{
		q.Runs = 100_000
		many, err := q.Ask()
		if err != nil || many.Runs != whatif.MostRuns {
			t.Errorf("%d runs, %v", many.Runs, err)
		}
	}
	// The last round ends the game.
	last, err := enginetest.New().New(engine.Setup{Options: map[string]string{"rounds": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	q.View, q.Runs = last.View(d.Side), 30
	end, err := q.Ask()
	if err != nil || len(end.Ends) == 0 {
		t.Errorf("the game does not end: %+v, %v", end, err)
	}
}

// What the side files ahead is played, too: it answers its stop in the same worlds in which
// the side would be asked there without it, and where it does not fit the side is asked. What
// nobody would be asked about changes nothing.
func TestAskAhead(t *testing.T) {
	rules := enginetest.New()
	p, err := rules.New(engine.Setup{Options: map[string]string{"rounds": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Owed()[0]
	view := p.View(d.Side)
	ask := func(file string) whatif.Spread {
		t.Helper()
		q := whatif.Question{Rules: rules, View: view, Decision: d, Runs: 200, Answer: rules.Default(view, d)}
		if file != "" {
			n, faults := orders.Text(file), orders.Problems(nil)
			if file != "none" {
				n, faults = orders.ParseNode([]byte(file))
			}
			text, wrong := ahead.Read(rules, view, n)
			if faults = append(faults, wrong...); len(faults) > 0 {
				t.Fatal(faults)
			}
			f := ahead.File(rules, p, d.Side, text)
			q.Files = &f
		}
		s, err := q.Ask()
		if err != nil {
			t.Fatal(err)
		}
		if q.Files != nil && len(q.Files.Used) > 0 {
			t.Errorf("asking used what was filed: %v", q.Files.Used)
		}
		return s
	}
	asked := func(s whatif.Spread) int {
		for _, n := range s.Next {
			if n.Decision.Kind == enginetest.Discard {
				return n.Times
			}
		}
		return 0
	}
	plain := ask("")
	n := asked(plain)
	if n == 0 || n == plain.Runs || plain.Filed != nil {
		t.Fatalf("discards in %d of %d runs, filed %v", n, plain.Runs, plain.Filed)
	}
	for _, file := range []string{"discard: default", "next: [{discard: default}]"} {
		if s := ask(file); asked(s) != 0 || !slices.Equal(s.Filed, []whatif.Filed{{Key: "discard", Answered: n}}) {
			t.Errorf("%s: %d discards are asked, %+v", file, asked(s), s.Filed)
		}
	}
	if s := ask("discard: R-77"); asked(s) != n || !slices.Equal(s.Filed, []whatif.Filed{{Key: "discard", Misfit: n}}) {
		t.Errorf("what does not fit: %d discards are asked, and %d before; %+v", asked(s), n, s.Filed)
	}
	for file, want := range map[string][]whatif.Filed{"none": nil, "discard: ask": {{Key: "discard"}}} {
		s := ask(file)
		if !slices.Equal(s.Filed, want) {
			t.Errorf("%s: %+v", file, s.Filed)
		}
		s.Filed = nil
		if a, b := asJSON(t, s), asJSON(t, plain); a != b {
			t.Errorf("%s, which changes nothing, changes what might follow:\n%s\n%s", file, a, b)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lines checks the order of the sentences of a spread: of each kind the most frequent
// first, then at most one line for all others, and no kind twice.
func lines(t *testing.T, s whatif.Spread) {
	t.Helper()
	kinds, shown := map[string]int{}, 0
	if len(s.Told) == 0 || len(s.Told) > whatif.MostTold+whatif.MostLike+1 {
		t.Errorf("%d lines", len(s.Told))
	}
	for i, told := range s.Told {
		follows := i > 0 && told.Clause == s.Told[i-1].Clause && (told.Say.Code == "" || told.Say.Code == s.Told[i-1].Say.Code)
		if follows {
			shown++
		} else {
			shown = 1
			if kinds[told.Clause+told.Say.Code]++; kinds[told.Clause+told.Say.Code] > 1 || told.Say.Code == "" {
				t.Errorf("line %d: %s %s comes twice", i+1, told.Clause, told.Say.Code)
			}
		}
		switch {
		case told.Times < 1 || told.Times > s.Runs:
			t.Errorf("%s: %d of %d", told.Say.Code, told.Times, s.Runs)
		case follows && told.Others == 0 && told.Times > s.Told[i-1].Times:
			t.Errorf("%s: %d, out of order", told.Say.Code, told.Times)
		case told.Say.Code == "" && told.Others < 2, shown > whatif.MostLike+2:
			t.Errorf("line %d: %d others, %d lines of one kind", i+1, told.Others, shown)
		}
	}
}

// A round of several sides gives many sentences that differ only in numbers. Most of
// these stand together on one line, and rare ones are counted.
func TestSentencesAlike(t *testing.T) {
	p, err := enginetest.New().New(engine.Setup{Scenario: "three"})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Owed()[0]
	view := p.View(d.Side)
	s, err := whatif.Question{Rules: enginetest.New(), View: view, Decision: d, Runs: 300,
		Answer: enginetest.New().Sensible(view, d, nil)}.Ask()
	if err != nil {
		t.Fatal(err)
	}
	lines(t, s)
	others := 0
	for _, told := range s.Told {
		others += told.Others
	}
	if others == 0 {
		t.Errorf("no sentences stand together: %+v", s.Told)
	}
}

// other is a ruleset that can't make up positions.
type other struct{ engine.Ruleset }

func TestAskOfOthers(t *testing.T) {
	p, err := enginetest.New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Owed()[0]
	view := p.View(d.Side)
	q := whatif.Question{Rules: other{enginetest.New()}, View: view, Decision: d, Answer: enginetest.New().Default(view, d), Runs: 1}
	if _, err := q.Ask(); err != whatif.ErrNoSampler {
		t.Errorf("got %v", err)
	}
	// No question can be asked about a view from which no position can be made up.
	q.Rules, q.View = enginetest.New(), p.View(engine.GM)
	if _, err := q.Ask(); err == nil {
		t.Error("the game master's view was played out")
	}
}
