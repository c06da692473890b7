package ruling

import (
	"fmt"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// mostDifferences is how many places of a position a preview shows.
const mostDifferences = 200

// Differences lists where two positions differ.
func Differences(a, b engine.Position) ([]string, error) {
	tree := func(p engine.Position) (*orders.Node, error) {
		text, err := p.Marshal()
		if err != nil {
			return nil, fmt.Errorf("write position: %w", err)
		}
		n, problems := orders.ParseNode(text)
		if len(problems) > 0 {
			return nil, fmt.Errorf("read position: %w", problems)
		}
		return n, nil
	}
	old, err := tree(a)
	if err != nil {
		return nil, err
	}
	now, err := tree(b)
	if err != nil {
		return nil, err
	}
	shown := func(n *orders.Node) string {
		if n == nil {
			return "-"
		}
		return phrase.Clip(phrase.OneLine(n.Encode()), 120)
	}
	var all []string
	for _, c := range orders.Diff(old, now) {
		if len(all) == mostDifferences {
			all = append(all, "...")
			break
		}
		all = append(all, c.Path+": "+shown(c.Old)+" -> "+shown(c.New))
	}
	return all, nil
}
