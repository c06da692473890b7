package rulestest

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// Meanwhile holds what is promised of stops that open while another side is asked something
// that it mostly declines. In games of sensible players, wherever one side is asked by a
// kind that may be declined, worlds are made up by resample from what each of the others
// sees: in all of them the same stops open for it meanwhile, and its view there, page,
// order file and default are the same, byte for byte. So nothing of what the side that is
// asked holds shows. If that side does decline, with whatever dice, the stops are those
// that were foreseen, and so is what their sides see and were told. The kinds given must all
// come about.
func Meanwhile(t *testing.T, rules engine.Ruleset, setups []Setup, games int, resample playout.Scrambler, kinds ...string) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	opened := map[string]int{}
	for i, setup := range setups {
		for n := range games {
			seed := uint64(100*i + n)
			chance := rand.New(rand.NewPCG(seed, 11))
			g := playout.Game{Rules: rules, Setup: setup.Setup, Seed: seed, Choose: engine.Ruleset.Sensible}
			_, err := g.Play(func(m playout.Moment) error {
				if len(m.Owed) != 1 {
					return nil
				}
				if declined, _ := rules.(engine.Meanwhile).Declined(m.Owed[0].Kind); !declined {
					return nil
				}
				before := marshalled(t, m.Position)
				f, ok := engine.Foresee(rules, m.Position)
				if !bytes.Equal(before, marshalled(t, m.Position)) {
					t.Fatalf("%s, game %d: looking ahead changed the position", setup.Name, n)
				}
				if ok {
					opened[m.Owed[0].Kind]++
					asForeseen(t, rules, m.Position, f, chance.Uint64())
				}
				for _, side := range m.Position.Sides() {
					if side != m.Owed[0].Side {
						meanwhileAlike(t, rules, resample(m.Position, side, chance), side, m.Owed[0], f, ok)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("opened meanwhile: %v", opened)
	for _, kind := range kinds {
		if opened[kind] == 0 {
			t.Errorf("nothing ever opened while a side was asked to %s", kind)
		}
	}
}

// meanwhileAlike compares what a side is asked meanwhile in two worlds that are the same for
// all that it sees.
func meanwhileAlike(t *testing.T, rules engine.Ruleset, world engine.Position, side engine.Side, asked engine.Decision, f engine.Foreseen, opens bool) {
	t.Helper()
	other, ok := engine.Foresee(rules, world)
	d, owes := f.Of(side)
	e, owed := other.Of(side)
	if (opens && owes) != (ok && owed) || d != e {
		t.Errorf("%s: while %s is asked, %v opens, and in a world that looks the same %v", side, asked.Kind, d, e)
		return
	}
	if !opens || !owes {
		return
	}
	v, w := f.Position.View(side), other.Position.View(side)
	one, err := v.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	two, err := w.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case !bytes.Equal(one, two):
		t.Errorf("%s sees something else of %s while %s is asked: %s", side, d.Kind, asked.Kind, playout.Differ(one, two))
	case !reflect.DeepEqual(v.Page(), w.Page()):
		t.Errorf("%s has another page of %s while %s is asked", side, d.Kind, asked.Kind)
	case rules.Template(v, d).Encode() != rules.Template(w, d).Encode():
		t.Errorf("%s has another order file for %s while %s is asked", side, d.Kind, asked.Kind)
	case rules.Default(v, d).Orders().Encode() != rules.Default(w, d).Orders().Encode():
		t.Errorf("%s has another default for %s while %s is asked", side, d.Kind, asked.Kind)
	case !slices.EqualFunc(toldOf(f.Events, side), toldOf(other.Events, side), func(a, b engine.Event) bool { return reflect.DeepEqual(a, b) }):
		t.Errorf("%s would be told something else before %s while %s is asked", side, d.Kind, asked.Kind)
	}
}

// toldOf are the events that a side is told, as it is told them.
func toldOf(events []engine.Event, side engine.Side) (all []engine.Event) {
	for _, e := range events {
		if say, ok := e.For(side); ok {
			all = append(all, engine.Event{Clause: e.Clause, Tellings: []engine.Telling{{To: []engine.Side{side}, Say: say}}})
		}
	}
	return all
}

// asForeseen lets the side that is asked decline, and finds what was foreseen.
func asForeseen(t *testing.T, rules engine.Ruleset, p engine.Position, f engine.Foreseen, seed uint64) {
	t.Helper()
	q, d := p.Clone(), f.Asked
	events, err := q.Advance(map[engine.Side]engine.Answer{d.Side: rules.Default(p.View(d.Side), d)}, playout.NewDice(seed))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Owed {
		if !f.Came(d.Side, q, events) {
			t.Errorf("%s declines %s, and %s of %s has not come", f.Asked.Side, f.Asked.Kind, d.Kind, d.Side)
		}
	}
	if one, two := marshalled(t, f.Position), marshalled(t, q); !bytes.Equal(one, two) || !slices.Equal(f.Owed, q.Owed()) || len(events) != len(f.Events) {
		t.Errorf("%s declines %s, and it is not as was foreseen: %s", d.Side, d.Kind, playout.Differ(one, two))
	}
}
