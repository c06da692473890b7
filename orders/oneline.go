package orders

import (
	"bytes"
	"strings"
	"unicode"
)

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
func (n *Node) OneLine() string {
	if !commented(n) { // most are not
		var room [128]byte
		if line := appendLine(room[:0], n, false); oneSpaced(line) {
			return string(line)
		}
	}
	return joined(n)
}

// joined is what [Node.OneLine] writes, however a value is commented and spaced: the lines of a file,
// joined.
func joined(n *Node) string { return strings.Join(strings.Fields(n.Flowed().Encode()), " ") }

// appendLine appends a value without comments as it stands in brackets, or alone.
func appendLine(to []byte, n *Node, inFlow bool) []byte {
	switch {
	case n.Kind == Map:
		to = append(to, '{')
		for i, p := range n.Pairs {
			if i > 0 {
				to = append(to, ", "...)
			}
			to = append(append(to, scalar(p.Key.Text, true)...), ": "...)
			to = appendLine(to, p.Value, true)
		}
		return append(to, '}')
	case n.Kind == List:
		to = append(to, '[')
		for i, item := range n.Items {
			if i > 0 {
				to = append(to, ", "...)
			}
			to = appendLine(to, item, true)
		}
		return append(to, ']')
	case n.Null:
		return append(to, "null"...)
	}
	return append(to, scalar(n.Text, inFlow)...)
}

// oneSpaced tells whether a line has no blanks but single spaces within it.
func oneSpaced(line []byte) bool {
	if len(line) == 0 || line[0] == ' ' || line[len(line)-1] == ' ' || bytes.Contains(line, []byte("  ")) {
		return false
	}
	return !bytes.ContainsFunc(line, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) })
}
