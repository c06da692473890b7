package playout

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"

	"berthier/engine"
	"berthier/engine/whatif"
)

// samples makes up positions from the view of a side that owes a decision, and
// finds in each what the side sees and owes, and that it can be played on.
func (c Properties) samples(m Moment, rules engine.Sampler, d engine.Decision, chance *rand.Rand) error {
	view := m.Position.View(d.Side)
	seen, err := view.Marshal()
	if err != nil {
		return err
	}
	for range c.Samples {
		seed := chance.Uint64()
		p, err := rules.Sample(view, d, rand.New(rand.NewPCG(seed, 6)))
		if err != nil {
			return err
		}
		got, err := p.View(d.Side).Marshal()
		if err != nil {
			return err
		}
		if !bytes.Equal(seen, got) {
			return fmt.Errorf("the side sees something else: %s", Differ(seen, got))
		}
		if owed := owes(p, d.Side); len(owed) != 1 || owed[0] != d {
			return fmt.Errorf("the side owes %v", owed)
		}
		text, err := c.readsBack(p)
		if err != nil {
			return err
		}
		again, err := rules.Sample(view, d, rand.New(rand.NewPCG(seed, 6)))
		if err != nil {
			return err
		}
		if other, err := again.Marshal(); err != nil || !bytes.Equal(text, other) {
			return fmt.Errorf("the same chance gives another: %s", Differ(text, other))
		}
		if err := c.playsOn(p, d, m.Answers[d.Side], rand.New(rand.NewPCG(seed, 7))); err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
	}
	if after, err := view.Marshal(); err != nil || !bytes.Equal(seen, after) {
		return fmt.Errorf("making it up changed the view: %s", Differ(seen, after))
	}
	return nil
}

// playsOn plays a position that was made up on for some stops.
func (c Properties) playsOn(p engine.Position, d engine.Decision, a engine.Answer, chance *rand.Rand) error {
	dice := NewDice(chance.Uint64())
	for stop := range whatif.MaxStops {
		answers := map[engine.Side]engine.Answer{}
		for _, owed := range p.Owed() {
			switch {
			case stop == 0 && owed == d:
				answers[owed.Side] = a
			case chance.IntN(2) == 0:
				answers[owed.Side] = c.Rules.Sensible(p.View(owed.Side), owed, chance)
			default:
				answers[owed.Side] = c.Rules.Random(p.View(owed.Side), owed, chance)
			}
		}
		if _, err := p.Advance(answers, dice); err != nil {
			return err
		}
		if _, over := p.Outcome(); over {
			return nil
		}
		if len(p.Owed()) == 0 {
			return errors.New("nobody owes anything, and the game is not over")
		}
	}
	return nil
}

// leaksSamples asks what would follow from an answer, on both views, and finds
// the same.
func (c Properties) leaksSamples(v, w engine.View, d engine.Decision, chance *rand.Rand) error {
	if _, ok := c.Rules.(engine.Sampler); !ok {
		return nil
	}
	seed := chance.Uint64()
	ask := func(view engine.View) (whatif.Spread, error) {
		return whatif.Question{Rules: c.Rules, View: view, Decision: d, Runs: 2,
			Answer: c.Rules.Random(view, d, rand.New(rand.NewPCG(seed, 8)))}.Ask()
	}
	a, err := ask(v)
	if err != nil {
		return err
	}
	b, err := ask(w)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("in what might follow: %s", Differ(asJSON(a), asJSON(b)))
	}
	if a.Runs != 2 {
		return fmt.Errorf("%d runs of 2 could be played", a.Runs)
	}
	return nil
}
