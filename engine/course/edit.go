package course

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Edited merges a game master's changes into a position; they are YAML, written as a
// position is. A key with nothing after it removes what stands there. Faults of the
// resulting position are placed where the changes speak of them.
func Edited(rules engine.Ruleset, p engine.Position, set string) (engine.Position, orders.Problems, error) {
	overlay, problems := orders.ParseNode([]byte(set))
	if len(problems) > 0 {
		return nil, problems, nil
	}
	text, err := p.Marshal()
	if err != nil {
		return nil, nil, fmt.Errorf("write position: %w", err)
	}
	base, problems := orders.ParseNode(text)
	if len(problems) > 0 {
		return nil, nil, fmt.Errorf("read position: %w", problems)
	}
	merged := orders.Merge(base, overlay).Encode()
	next, err := rules.Load([]byte(merged))
	var faults orders.Problems
	if errors.As(err, &faults) {
		if whole, problems := orders.ParseNode([]byte(merged)); len(problems) == 0 {
			faults = Moved(faults, whole, overlay)
		}
		return nil, faults, nil
	}
	return next, nil, err
}

// Moved takes the faults of one text and places them in another text, where that says the
// same. A fault whose place the other text leaves out, or that has none, is put where the other text
// first speaks of something that it names: of two pieces on one spot at the one that was put there. Else it
// stands at what is nearest to its place, or at the beginning.
func Moved(faults orders.Problems, from, to *orders.Node) orders.Problems {
	all := slices.Clone(faults)
	for i := range all {
		p := &all[i]
		at := to
		if p.Line > 0 && from != nil {
			way := from.WayTo(p.Line, p.Column)
			at = to.Follow(way)
			if n := len(way.Steps); n > 0 && at == to.Follow(orders.Way{Steps: way.Steps[:n-1]}) {
				at = cmp.Or(spokenOf(at, p.Why), at)
			}
		} else {
			at = cmp.Or(spokenOf(to, p.Why), to)
		}
		p.Line, p.Column = at.Line, at.Column
	}
	all.Sort()
	return all
}

// spokenOf finds where a text speaks of a thing that a phrase names; nil if nowhere.
func spokenOf(n *orders.Node, say phrase.Phrase) *orders.Node {
	for _, a := range say.Args {
		switch a.Value.Kind {
		case phrase.KindNumber, phrase.KindLiteral, phrase.KindList, phrase.KindPhrase:
		default:
			if at := n.Find(a.Value.Text); at != nil {
				return at
			}
		}
	}
	return nil
}
