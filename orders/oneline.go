package orders

import "strings"

// Flowed is a copy of a node that is written on one line.
func (n *Node) Flowed() *Node {
	c := n.Clone()
	c.flow()
	return c
}

func (n *Node) flow() {
	n.Flow = true
	for _, p := range n.Pairs {
		p.Value.flow()
	}
	for _, item := range n.Items {
		item.flow()
	}
}

// OneLine writes a value as it stands in a file, on one line.
func (n *Node) OneLine() string { return strings.Join(strings.Fields(n.Flowed().Encode()), " ") }
