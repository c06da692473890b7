package cases

import (
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A twin is the case with which a check of "same" compares.
type twin struct {
	at   *orders.Node // its name
	name string
	of   int // the number of the case in which the check stands
	step int // after which step it is looked at, from 1
	c    *Case
}

// sameAs checks that a side has got the same as in another case of the file, byte
// for byte: {side, as, step}.
func (p *parser) sameAs(n *orders.Node) check {
	f := p.Fields(n, "side", "as", "step")
	text, _ := p.Text(p.Require(f, "side"))
	side := engine.Side(text)
	t := &twin{at: p.Require(f, "as"), of: len(p.cases)}
	t.name, _ = p.Text(t.at)
	t.step, _ = p.Int(f.Get("step"), 1, 1000)
	if t.name != "" {
		p.same = append(p.same, t)
	}
	return check{sides: []engine.Side{side}, twin: t, test: func(r *run) []string {
		other := newRun(r.rulesets, *t.c)
		other.play(t.step, false, nil)
		faults := other.result.Failures
		switch {
		case len(faults) > 0:
			return []string{fmt.Sprintf("%q does not come to its step %d: %s: %s", t.name, t.step, t.c.Place(faults[0].Line), faults[0].Text)}
		case other.position == nil:
			return []string{fmt.Sprintf("%q has no game", t.name)}
		case !slices.Contains(seats(other.position), side):
			return []string{fmt.Sprintf("%s is no side of %q", side, t.name)}
		}
		here, err := r.letters(side)
		if err != nil {
			return []string{err.Error()}
		}
		there, err := other.letters(side)
		if err != nil {
			return []string{err.Error()}
		}
		if diff := unlike(here, there); diff != "" {
			return []string{fmt.Sprintf("%s does not see the same as in %q: %s", side, t.name, diff)}
		}
		return nil
	}}
}

// resolve finds the cases that checks of "same" name.
func (p *parser) resolve() {
	for _, t := range p.same {
		var found []int
		var others []orders.Choice
		for i := range p.cases {
			if p.cases[i].Name == t.name {
				found = append(found, i)
			}
			if i != t.of && p.cases[i].Name != "" {
				others = append(others, orders.Choice{ID: p.cases[i].Name})
			}
		}
		switch {
		case slices.Contains(found, t.of):
			p.RefuseWith(t.at, "", phrase.Say("case.same-itself"), phrase.Say("case.name-another"))
		case len(found) == 0:
			p.RefuseWith(t.at, "", phrase.Say("order.unknown-case", phrase.Literal("name", t.name)), t.meant(others))
		case len(found) > 1:
			p.RefuseWith(t.at, "", phrase.Say("case.same-twice", phrase.Literal("case", t.name)), phrase.Say("case.name-apart"))
		default:
			t.c = &p.cases[found[0]]
			if t.step > len(t.c.Steps) {
				p.RefuseWith(t.at, "", phrase.Say("case.same-steps", phrase.Literal("case", t.name), phrase.Number("n", len(t.c.Steps)), phrase.Number("step", t.step)),
					phrase.Say("case.name-step"))
			}
		}
	}
}

// meant says which of the other cases may have been meant.
func (t *twin) meant(others []orders.Choice) phrase.Phrase {
	r := orders.NewReader(nil)
	if name, ok := r.Pick(t.at, "case", others); ok { // the same name in another spelling
		return phrase.Say("order.write", phrase.Literal("text", name))
	}
	if len(r.Problems) > 0 && !r.Problems[0].Remedy.IsZero() {
		return r.Problems[0].Remedy
	}
	var names []string
	for _, c := range others[:min(len(others), mostNear)] {
		names = append(names, c.ID)
	}
	if len(names) == 0 {
		return phrase.Say("case.write-another")
	}
	return phrase.Say("case.names", phrase.Literals("names", names))
}

// seats lists the sides of a game, and the seat that sees everything.
func seats(position engine.Position) []engine.Side {
	return append(slices.Clone(position.Sides()), engine.GM)
}
