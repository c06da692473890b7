package play

import "berthier/orders"

// Files were once written with other keys: with underscores where keys now have hyphens.
// Both spellings are read everywhere, for the spelling of keywords makes no difference
// between - and _. The former spelling is still written where bytes are hashed: in
// positions, and in the answers of games that began with it (docs/dice.md).

// FormerKeys are the keys that were once written differently, each with its former
// spelling: for each part of an answer, orders and standing, its own.
type FormerKeys map[string]map[string]string

// Of writes one part of an answer in the former spelling.
func (k FormerKeys) Of(part string, n *orders.Node) *orders.Node {
	if n == nil {
		return nil
	}
	n = n.Clone()
	rename(n, k[part])
	return n
}

func rename(n *orders.Node, keys map[string]string) {
	for _, item := range n.Items {
		rename(item, keys)
	}
	for _, p := range n.Pairs {
		if former, ok := keys[p.Key.Text]; ok {
			p.Key.Text = former
		}
		if p.Value != nil {
			rename(p.Value, keys)
		}
	}
}

// FormerWords implements [engine.Reworded].
func (k Stops[V, P]) FormerWords(answer *orders.Node) *orders.Node {
	n := answer.Clone()
	for i := range n.Pairs {
		n.Pairs[i].Value = k.Former.Of(n.Pairs[i].Key.Text, n.Pairs[i].Value)
	}
	return n
}
