package play

import "berthier/orders"

// Bare gives a node as it would be made anew: without comments and without its place in a file, and on one line. Nothing is none.
func Bare(n *orders.Node) *orders.Node {
	if n == nil {
		return orders.Text("none")
	}
	c := &orders.Node{Kind: n.Kind, Null: n.Null, Text: n.Text, Flow: true}
	for _, p := range n.Pairs {
		c.Pairs = append(c.Pairs, orders.Pair{Key: Bare(p.Key), Value: Bare(p.Value)})
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, Bare(item))
	}
	return c
}

// OneLine writes a node on one line, without comments.
func OneLine(n *orders.Node) string { return Bare(n).OneLine() }
