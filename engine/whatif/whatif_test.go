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
		check := playout.Properties{Rules: enginetest.Lots{}, Samples: 2}
		if _, err := playout.Run(enginetest.Lots{}, setup, seed, check.Observe); err != nil {
			t.Fatal(err)
		}
	}
}

// A question has one answer, the counts of which add up, and leaves what it was
// given as it was.
func TestAsk(t *testing.T) {
	p, err := enginetest.Lots{}.New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := p.Marshal()
	d := p.Owed()[0]
	view := p.View(d.Side)
	q := whatif.Question{Rules: enginetest.Lots{}, View: view, Decision: d, Runs: 40,
		Answer: enginetest.Lots{}.Random(view, d, rand.New(rand.NewPCG(1, 1)))}
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
	for i, told := range one.Told {
		if told.Times < 1 || told.Times > 40 || i > 0 && told.Times > one.Told[i-1].Times {
			t.Errorf("%s: %d of 40, out of order", told.Say.Code, told.Times)
		}
	}
	{
		q.Runs = 100_000
		many, err := q.Ask()
		if err != nil || many.Runs != whatif.MostRuns {
			t.Errorf("%d runs, %v", many.Runs, err)
		}
	}
	// The last round ends the game.
	last, err := enginetest.Lots{}.New(engine.Setup{Options: map[string]string{"rounds": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	q.View, q.Runs = last.View(d.Side), 30
	end, err := q.Ask()
	if err != nil || len(end.Ends) == 0 {
		t.Errorf("the game does not end: %+v, %v", end, err)
	}
}

// other is a ruleset that makes up no positions.
type other struct{ engine.Ruleset }

func TestAskOfOthers(t *testing.T) {
	p, err := enginetest.Lots{}.New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Owed()[0]
	view := p.View(d.Side)
	q := whatif.Question{Rules: other{enginetest.Lots{}}, View: view, Decision: d, Answer: enginetest.Lots{}.Default(view, d), Runs: 1}
	if _, err := q.Ask(); err != whatif.ErrNoSampler {
		t.Errorf("got %v", err)
	}
	// What can't be made up can't be asked either.
	q.Rules, q.View = enginetest.Lots{}, p.View(engine.GM)
	if _, err := q.Ask(); err == nil {
		t.Error("the game master's view was played out")
	}
}
