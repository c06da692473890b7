package orders

import (
	"slices"
	"strconv"
	"strings"

	"berthier/orders/phrase"
)

// A Reader takes a file apart and gathers what is wrong with it. Every method
// reports the fault itself and lets the caller go on, so that one reading finds
// all faults. A nil node is always taken as "not there" and is no fault.
type Reader struct {
	words    *Words
	Problems Problems
	Repairs  []Repair
	Mends    bool // it takes what is misspelt but has one reading only, and notes that in Repairs
	Accepted bool // what is read was accepted before, see [Document.Accepted]
	Former   bool // it is of a game that began with other words, see [Document.Former]
}

// NewReader reads with the given keywords; nil stands for [Common].
func NewReader(words *Words) *Reader {
	if words == nil {
		words = common
	}
	return &Reader{words: words}
}

// Refuse notes a fault at a node.
func (r *Reader) Refuse(n *Node, clause string, why phrase.Phrase) {
	r.RefuseWith(n, clause, why, phrase.Phrase{})
}

// RefuseWith notes a fault at a node and what would be right. At a [Broken] node
// it notes nothing: what is wrong there was told when the file was read.
func (r *Reader) RefuseWith(n *Node, clause string, why, remedy phrase.Phrase) {
	if n != nil && n.Kind == Broken {
		return
	}
	p := Problem{Clause: clause, Why: why, Remedy: remedy}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	r.Problems = append(r.Problems, p)
}

// Fields holds the values of a map by the program's keywords.
type Fields struct {
	Node   *Node // the map
	values map[string]*Node
}

// Get gives the value of a key, or nil if the file does not have it.
func (f Fields) Get(key string) *Node { return f.values[key] }

// wantMap refuses a value that is no map: of a text of several lines, which may be an order each, every line.
func (r *Reader) wantMap(n *Node, allowed []string) {
	why := phrase.Say("order.want-map", phrase.Keywords("keys", allowed))
	if len(n.folded) == 0 || len(allowed) == 0 {
		r.Refuse(n, "", why)
		return
	}
	remedy := phrase.Say("order.each-with-dash", phrase.Keywords("key", allowed[:1]))
	r.RefuseWith(n, "", why, remedy)
	for _, at := range n.folded {
		r.RefuseWith(&Node{Line: at.line, Column: at.column}, "", why, remedy)
	}
}

// Fields reads a map that may have the given keys. Keys are matched in every
// language of the program; a key that is not among them is refused with the
// nearest one that is, a key written twice is refused. A key whose value is null
// (only the program's own files have any) counts as not there.
func (r *Reader) Fields(n *Node, allowed ...string) Fields {
	f := Fields{Node: n, values: map[string]*Node{}}
	if n == nil || n.Null {
		return f
	}
	if n.Kind != Map {
		r.wantMap(n, allowed)
		return f
	}
	for _, p := range n.Pairs {
		if p.Key.Kind == Broken {
			continue
		}
		key, ok := r.words.Key(p.Key.Text, allowed)
		if !ok {
			key, ok = r.word(p.Key, allowed, f.values)
		}
		if !ok {
			r.RefuseWith(p.Key, "", phrase.Say("order.unknown-key", phrase.Literal("key", p.Key.Text), phrase.Keywords("keys", allowed)),
				r.didYouMean(p.Key.Text, r.words.spellings(allowed)))
			r.fixWord(p.Key, allowed, f.values)
			continue
		}
		if first, twice := f.values[key]; twice {
			r.RefuseWith(p.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)), phrase.Say("order.see-line", phrase.Number("line", first.Line)))
			continue
		}
		f.values[key] = p.Value
	}
	for key, value := range f.values {
		if value.Null {
			delete(f.values, key)
		}
	}
	return f
}

// Under gives the value of one key of a map, without noting any fault: nil if the
// node is not a map or does not have the key.
func (r *Reader) Under(n *Node, key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	for _, p := range n.Pairs {
		if p.Key.Kind != Broken {
			if _, ok := r.words.Key(p.Key.Text, []string{key}); ok {
				return p.Value
			}
		}
	}
	return nil
}

// didYouMean looks for the name that was meant, as long as anybody will read it.
func (r *Reader) didYouMean(text string, spellings []string) phrase.Phrase {
	if len(r.Problems) >= maxProblems {
		return phrase.Phrase{}
	}
	return didYouMean(text, spellings)
}

// hasBroken tells whether a line of the map could not be read: it may be the one
// that is missing.
func (f Fields) hasBroken() bool {
	for _, p := range f.Node.Pairs {
		if p.Key.Kind == Broken {
			return true
		}
	}
	return false
}

// Only reads a map with exactly one of the given keys, as an order of a list is
// written: {move: ...}. It gives the key and its value, or "" after a fault.
func (r *Reader) Only(n *Node, allowed ...string) (string, *Node) {
	before := len(r.Problems)
	f := r.Fields(n, allowed...)
	if len(r.Problems) > before {
		return "", nil
	}
	if len(f.values) != 1 {
		r.Refuse(n, "", phrase.Say("order.want-one-key", phrase.Keywords("keys", allowed)))
		return "", nil
	}
	for key, value := range f.values {
		return key, value
	}
	return "", nil
}

// Require notes a fault if a key is missing from a map and gives its value.
func (r *Reader) Require(f Fields, key string) *Node {
	n := f.Get(key)
	if n == nil && f.Node != nil && f.Node.Kind == Map && !f.hasBroken() {
		r.Refuse(f.Node, "", phrase.Say("order.missing-key", phrase.Name("key", phrase.KindKeyword, key)))
	}
	return n
}

// List reads a list; a scalar or map alone is a list of one.
func (r *Reader) List(n *Node) []*Node {
	switch {
	case n == nil || n.Null:
		return nil
	case n.Kind == List:
		return r.spread(n.Items, false)
	default:
		return r.spread([]*Node{n}, true)
	}
}

// Text reads a scalar as it stands.
func (r *Reader) Text(n *Node) (string, bool) {
	if n == nil {
		return "", false
	}
	if n.Kind != Scalar || n.Null {
		r.Refuse(n, "", phrase.Say("order.want-text"))
		return "", false
	}
	return n.Text, true
}

// Int reads a whole number within bounds.
func (r *Reader) Int(n *Node, low, high int) (int, bool) {
	if n == nil {
		return 0, false
	}
	v, err := strconv.Atoi(n.Text)
	if n.Kind != Scalar || n.Null || err != nil || n.Text != strconv.Itoa(v) || v < low || v > high {
		got := n.Text
		if n.Kind != Scalar { // in braces "forward: 400,5" is a list
			got = strings.Trim(n.OneLine(), "[]")
		}
		r.Refuse(n, "", phrase.Say("order.want-number", phrase.Literal("got", got), phrase.Number("low", low), phrase.Number("high", high)))
		return 0, false
	}
	return v, true
}

// Bool reads true or false, or yes and no in any language of the program.
func (r *Reader) Bool(n *Node) (bool, bool) {
	word, ok := r.Word(n, "true", "false", "yes", "no")
	return word == "true" || word == "yes", ok
}

// Word reads a scalar that is one of the program's keywords, in any language.
func (r *Reader) Word(n *Node, allowed ...string) (string, bool) {
	text, ok := r.Text(n)
	if !ok {
		return "", false
	}
	word, ok := r.words.Key(text, allowed)
	if !ok {
		word, ok = r.word(n, allowed, nil)
	}
	if !ok {
		r.RefuseWith(n, "", phrase.Say("order.unknown-word", phrase.Literal("word", text), phrase.Keywords("words", allowed)),
			r.didYouMean(text, r.words.spellings(allowed)))
	}
	return word, ok
}

// Is tells whether a node is the given keyword alone, without any fault if not:
// "none", "all", "rest".
func (r *Reader) Is(n *Node, word string) bool {
	if n == nil || n.Kind != Scalar {
		return false
	}
	_, ok := r.words.Key(n.Text, []string{word})
	return ok
}

// A Choice is a thing that can be named in a file.
type Choice struct {
	ID    string
	Names []string // further spellings: full name, other languages

	// Shared are names that others have, too: one of these is refused, and all who have it are listed.
	Shared []string
}

// Pick reads a scalar that names one of the choices, by id or any spelling,
// without regard to case, accents or punctuation. Kind is the kind of thing,
// for the message: "unit", "town". A name that is shared is refused. Names of several choices in one scalar
// ("F-03 F-07") are refused with the hint that commas are missing.
func (r *Reader) Pick(n *Node, kind string, choices []Choice) (string, bool) {
	text, ok := r.Text(n)
	if !ok {
		return "", false
	}
	if id, ok := find(text, choices); ok {
		return id, true
	}
	for _, c := range choices { // a name that is a keyword, too, is spelt as that in files of another language
		if len(r.words.spell[c.ID]) > 0 && r.Is(n, c.ID) {
			return c.ID, true
		}
	}
	if all := sharing(text, choices); len(all) > 0 {
		r.RefuseWith(n, "", phrase.Say("order.several-called", phrase.Literal("name", text)), phrase.Say("order.write-one", phrase.Literals("names", all)))
		return "", false
	}
	if id, ok := r.meant(n, kind, text, choices); ok {
		return id, true
	}
	var spellings []string
	for _, c := range choices {
		spellings = append(append(spellings, c.Names...), c.ID) // of two that differ in capitals alone, the name
	}
	remedy := r.didYouMean(text, spellings)
	if several := severalNames(text, choices); several != "" {
		remedy = phrase.Say("order.write", phrase.Literal("text", several))
	}
	r.RefuseWith(n, "", phrase.Say("order.unknown-"+kind, phrase.Literal("name", text)), remedy)
	return "", false
}

// find looks a name up among choices.
func find(text string, choices []Choice) (string, bool) {
	for _, c := range choices {
		if c.ID == text {
			return c.ID, true
		}
	}
	key := Fold(text)
	if key == "" {
		return "", false
	}
	for _, c := range choices {
		if Folds(c.ID, key) {
			return c.ID, true
		}
		for _, name := range c.Names {
			if Folds(name, key) {
				return c.ID, true
			}
		}
	}
	return "", false
}

// sharing lists the choices that share a name.
func sharing(text string, choices []Choice) []string {
	var all []string
	key := Fold(text)
	for _, c := range choices {
		if slices.ContainsFunc(c.Shared, func(name string) bool { return Folds(name, key) }) {
			all = append(all, c.ID)
		}
	}
	return all
}

// severalNames writes a text that is nothing but names of choices, without the
// commas between them, as a list; "" if it is something else.
func severalNames(text string, choices []Choice) string {
	words := strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ';' || c == ',' || c == '+' || c == '&' })
	if len(words) < 2 || len(words) > 60 {
		return ""
	}
	for _, w := range words {
		if _, ok := find(w, choices); !ok {
			return ""
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}
