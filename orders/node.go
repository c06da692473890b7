package orders

import (
	"bytes"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Kind tells what a [Node] is.
type Kind int

// Kinds of nodes.
const (
	Scalar Kind = iota
	Map
	List
)

// A Node is a piece of an order file with the place where it stands. It is also
// how order files are written: nodes with comments, encoded by [Node.Encode].
type Node struct {
	Kind    Kind
	Text    string  // of a scalar, as written, without quotes
	Pairs   []Pair  // of a map, in the order of the file
	Items   []*Node // of a list
	Line    int     // from 1; 0 for a node that was made, not read
	Column  int     // from 1, in characters
	Flow    bool    // written on one line: {a: b}, [a, b]
	Above   string  // comment on lines of its own before the node
	Comment string  // comment behind it on the same line
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

// Encode writes the node as YAML text, comments and all.
func (n *Node) Encode() string {
	return string(encode(n.yaml()))
}

func (n *Node) yaml() *yaml.Node {
	y := &yaml.Node{HeadComment: comment(n.Above), LineComment: comment(n.Comment)}
	if n.Flow {
		y.Style = yaml.FlowStyle
	}
	switch n.Kind {
	case Map:
		y.Kind = yaml.MappingNode
		for _, p := range n.Pairs {
			key, value := p.Key.yaml(), p.Value.yaml()
			if value.HeadComment != "" && value.Kind == yaml.ScalarNode {
				key.HeadComment, value.HeadComment = value.HeadComment, ""
			}
			if value.LineComment != "" && value.Kind != yaml.ScalarNode && value.Style != yaml.FlowStyle {
				key.LineComment, value.LineComment = value.LineComment, ""
			}
			y.Content = append(y.Content, key, value)
		}
	case List:
		y.Kind = yaml.SequenceNode
		for _, item := range n.Items {
			y.Content = append(y.Content, item.yaml())
		}
	default:
		y.SetString(n.Text)
		if plain(n.Text) {
			y.Tag = "" // a number or a word of ours needs no quotes
		}
	}
	return y
}

// plain tells whether a scalar reads back as the same text without quotes. The
// reader takes every scalar as text, so numbers and booleans need none.
func plain(text string) bool {
	_, number := strconv.Atoi(text)
	return number == nil || text == "true" || text == "false"
}

func comment(text string) string {
	if text == "" {
		return ""
	}
	return "# " + text
}

func encode(v any) []byte {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("orders: encoding a tree of our own making: %v", err)) // only a programmer's error
	}
	enc.Close()
	return out.Bytes()
}

// Marshal writes plain data as YAML, by the yaml tags of its types. It is for
// files of the house: positions, views, exports.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write yaml: %w", err)
	}
	return out.Bytes(), nil
}

// Unmarshal reads what [Marshal] wrote, or a file of the house that a person
// may have edited, into typed data. Keys that the type does not have are errors
// with their line.
func Unmarshal(data []byte, into any) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("read yaml: %w", err)
	}
	return nil
}
