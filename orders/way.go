package orders

import "strconv"

// A Way leads from the top of a tree to a part of it: keys of maps and places in
// lists, from 1 on.
type Way struct {
	Steps []string
	Key   bool // it ends at the key of the last step, not at its value
}

// WayTo finds the way to the part that stands at a place or, if none does, last before it.
func (n *Node) WayTo(line, column int) Way {
	var best Way
	var steps []string
	var walk func(n *Node)
	look := func(n *Node, key bool) {
		if n != nil && n.Line > 0 && (n.Line < line || n.Line == line && n.Column <= column) {
			best = Way{append([]string(nil), steps...), key}
		}
	}
	walk = func(n *Node) {
		look(n, false)
		if n == nil {
			return
		}
		for _, p := range n.Pairs {
			steps = append(steps, p.Key.Text)
			look(p.Key, true)
			walk(p.Value)
			steps = steps[:len(steps)-1]
		}
		for i, item := range n.Items {
			steps = append(steps, strconv.Itoa(i+1))
			walk(item)
			steps = steps[:len(steps)-1]
		}
	}
	walk(n)
	return best
}

// Follow goes a way as far as it leads in a tree, and gives the part at which it ends:
// the top if it leads nowhere.
func (n *Node) Follow(w Way) *Node {
	at := n
	for i, step := range w.Steps {
		var next *Node
		switch at.Kind {
		case Map:
			for _, p := range at.Pairs {
				if p.Key.Text != step {
					continue
				}
				if w.Key && i == len(w.Steps)-1 || p.Value == nil || p.Value.Line == 0 {
					return p.Key
				}
				next = p.Value
			}
		case List:
			if j, err := strconv.Atoi(step); err == nil && j >= 1 && j <= len(at.Items) {
				next = at.Items[j-1]
			}
		}
		if next == nil {
			return at
		}
		at = next
	}
	return at
}

// Find gives the first key or scalar of a tree that says a text, nil if there is none.
func (n *Node) Find(text string) *Node {
	if n == nil || text == "" {
		return nil
	}
	if n.Kind == Scalar && !n.Null && n.Text == text {
		return n
	}
	for _, p := range n.Pairs {
		if p.Key.Text == text {
			return p.Key
		}
		if found := p.Value.Find(text); found != nil {
			return found
		}
	}
	for _, item := range n.Items {
		if found := item.Find(text); found != nil {
			return found
		}
	}
	return nil
}
