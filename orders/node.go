package orders

import (
	"slices"
	"strconv"
)

// Kind tells what a [Node] is.
type Kind int

// Kinds of nodes.
const (
	Scalar Kind = iota
	Map
	List
	Broken // something stands there, but it could not be read; its fault is told already
)

// A Node is a piece of an order file with the place where it stands. It is also
// how order files are written: nodes with comments, encoded by [Node.Encode].
type Node struct {
	Kind    Kind
	Null    bool    // a scalar without a value: nothing behind the key, "null" or "~"
	Flow    bool    // written on one line: {a: b}, [a, b]
	Long    bool    // that line is not broken, however long it gets
	Text    string  // of a scalar, as written, without quotes
	Pairs   []Pair  // of a map, in the order of the file
	Items   []*Node // of a list
	Line    int     // from 1; 0 for a node that was made, not read
	Column  int     // from 1, in characters
	Above   string  // comment on lines of its own before the node
	Comment string  // comment behind it on the same line
	Below   string  // comment on lines of its own after a map
	// Spare are entries that a list could have besides, each as it would stand on one line of
	// its own; of a map, keys with their values; of a key, other keys before it. They are written behind a #, to be uncommented:
	// before the items of a list, and after the keys of a map. One that begins with a # is a remark on those that follow. Remarks and comments may have words in each language, see [Tongues].
	Spare []string

	folded []foldedLine // on which the text of a scalar without quotes goes on
}

// A foldedLine is where a line begins on which a text goes on.
type foldedLine struct{ line, column int }

// HeadingMark begins a remark among [Node.Spare] that is the heading of all entries below it, down
// to the next one: where few of many entries are shown, each heading keeps one of its own.
const HeadingMark = "== "

// Walk calls f for the node and for all below it: a key before its value, in the order of the
// file.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for _, p := range n.Pairs {
		p.Key.Walk(f)
		p.Value.Walk(f)
	}
	for _, item := range n.Items {
		item.Walk(f)
	}
}

// A Pair is a key of a map with its value.
type Pair struct{ Key, Value *Node }

// Text makes a scalar.
func Text(text string) *Node { return &Node{Text: text} }

// Number makes a scalar.
func Number(n int) *Node { return Text(strconv.Itoa(n)) }

// Texts makes a list of scalars on one line.
func Texts(texts ...string) *Node {
	n := &Node{Kind: List, Flow: true}
	for _, t := range texts {
		n.Items = append(n.Items, Text(t))
	}
	return n
}

// Items makes a list, an item a line.
func Items(items ...*Node) *Node { return &Node{Kind: List, Items: items} }

// Mapping makes an empty map, a key a line; fill it with [Node.Set].
func Mapping() *Node { return &Node{Kind: Map} }

// Inline makes an empty map on one line; fill it with [Node.Set].
func Inline() *Node { return &Node{Kind: Map, Flow: true} }

// Set adds a key to a map and gives the map back.
func (n *Node) Set(key string, value *Node) *Node {
	n.Pairs = append(n.Pairs, Pair{Text(key), value})
	return n
}

// Add adds items to a list and gives the list back.
func (n *Node) Add(items ...*Node) *Node {
	n.Items = append(n.Items, items...)
	return n
}

// Remark puts a comment behind the node and gives the node back.
func (n *Node) Remark(comment string) *Node {
	n.Comment = comment
	return n
}

// Over puts a comment on lines of its own above the node and gives the node back.
func (n *Node) Over(comment string) *Node {
	n.Above = comment
	return n
}

// Get gives the value of a map's key as written, or nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for _, p := range n.Pairs {
		if p.Key.Text == key {
			return p.Value
		}
	}
	return nil
}

// Whole tells whether everything in the node could be read. Where it could not,
// a check of the whole ("every unit once") would blame the player for what
// stands in the unreadable part.
func (n *Node) Whole() bool {
	if n == nil {
		return true
	}
	if n.Kind == Broken {
		return false
	}
	for _, p := range n.Pairs {
		if !p.Key.Whole() || !p.Value.Whole() {
			return false
		}
	}
	for _, item := range n.Items {
		if !item.Whole() {
			return false
		}
	}
	return true
}

// Plain is a copy of a value on one line, without comments and its place in a file.
func (n *Node) Plain() *Node {
	c := n.Clone()
	c.Walk(func(n *Node) {
		n.Line, n.Column, n.Above, n.Comment, n.Below, n.Flow = 0, 0, "", "", "", n.Kind != Scalar
	})
	return c
}

// Clone is a copy that shares nothing with the node.
func (n *Node) Clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Pairs, c.Items, c.Spare = nil, nil, slices.Clone(n.Spare)
	if n.Pairs != nil {
		c.Pairs = make([]Pair, len(n.Pairs))
	}
	for i, p := range n.Pairs {
		c.Pairs[i] = Pair{p.Key.Clone(), p.Value.Clone()}
	}
	if n.Items != nil {
		c.Items = make([]*Node, len(n.Items))
	}
	for i, item := range n.Items {
		c.Items[i] = item.Clone()
	}
	return &c
}

// Equal tells whether two trees say the same: kinds, texts, keys and items in
// their order. Places, comments and style don't count.
func Equal(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || a.Null != b.Null || a.Text != b.Text || len(a.Pairs) != len(b.Pairs) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Pairs {
		if !Equal(a.Pairs[i].Key, b.Pairs[i].Key) || !Equal(a.Pairs[i].Value, b.Pairs[i].Value) {
			return false
		}
	}
	for i := range a.Items {
		if !Equal(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}
