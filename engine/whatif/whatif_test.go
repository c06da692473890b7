package whatif_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/engine/playout"
	"berthier/engine/whatif"
)

// Made-up games give the view that they were made of.
func TestSamples(t *testing.T) {
	for seed := range uint64(20) {
		setup := engine.Setup{Scenario: []string{"two", "three"}[seed%2], Options: map[string]string{"rounds": "5"}}
		check := playout.Properties{Rules: enginetest.New(), Samples: 2}
		if _, err := playout.Run(enginetest.New(), setup, seed, check.Observe); err != nil {
			t.Fatal(err)
		}
	}
}

// A question has one answer, the counts of which add up, and leaves what it was
// given as it was.
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

// lines finds the sentences of a spread in order: of a kind the most frequent
// first, then at most one line for others, and no kind twice.
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

// A round of several sides gives many sentences that differ in numbers alone: most
// stand together on one line. What is rare is counted.
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

// other is a ruleset that makes up no positions.
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
	// What can't be made up can't be asked either.
	q.Rules, q.View = enginetest.New(), p.View(engine.GM)
	if _, err := q.Ask(); err == nil {
		t.Error("the game master's view was played out")
	}
}
