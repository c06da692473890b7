// Package shape says how the values of order files are written: as a word, a name, a
// number, a list, a map of names, a record, an order of one key, or one of several of
// these. A shape knows the keywords of order files and nothing of any game. So it can
// read a file before the moment comes for which it is meant, and tell every fault that no
// moment could make right; and it describes what it reads, as a JSON Schema for editors
// and in a short notation for the order reference.
//
// Shapes never refuse what the judge of a ruleset accepts. They may accept what the judge
// refuses: he alone says what is legal.
package shape

import (
	"cmp"
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A Shape is how a value is written. Shapes never change once made.
type Shape interface {
	// read notes what is wrong with how a node is written.
	read(r reader, n *orders.Node)
	// takes tells whether a node is meant to be of this shape, right or wrong.
	takes(r reader, n *orders.Node) bool
	// schema describes the shape as a JSON Schema.
	schema(m *maker) map[string]any
	// text describes the shape in the short notation of the order reference.
	text(t *teller) string
	// words gives the keywords that may stand in a value of this shape.
	words(add func(string))
}

// Names gives the things of one kind, such as unit, that files may name; nil if any name
// will do.
type Names func(kind string) []orders.Choice

// A reader reads shapes.
type reader struct {
	*orders.Reader
	names Names
}

// Read notes what is wrong with how a value is written: every fault that no position
// could make right, each at its place. Without names every name will do. A missing value
// is no fault.
func Read(r *orders.Reader, n *orders.Node, s Shape, names Names) {
	if n != nil && s != nil {
		s.read(reader{r, names}, n)
	}
}

// Keywords lists the keywords that may stand in a value, keys among them, each once; none if it has
// no shape.
func Keywords(s Shape) []string {
	var all []string
	if s == nil {
		return nil
	}
	seen := map[string]bool{}
	s.words(func(word string) {
		if !seen[word] {
			seen[word] = true
			all = append(all, word)
		}
	})
	return all
}

type words []string

// Words is one of some keywords.
func Words(list ...string) Shape { return words(list) }

func (s words) read(r reader, n *orders.Node) {
	if !s.takes(r, n) {
		r.Word(n, s...)
	}
}

// empty tells whether an empty list or map has the meaning of one of the words.
func (s words) empty() bool { return slices.Contains(s, "none") || slices.Contains(s, "default") }

func (s words) takes(r reader, n *orders.Node) bool {
	if (n.Kind == orders.List || n.Kind == orders.Map) && len(n.Items)+len(n.Pairs) == 0 {
		return s.empty()
	}
	for _, word := range s {
		if r.Is(n, word) {
			return true
		}
	}
	return false
}

func (s words) words(add func(string)) {
	for _, word := range s {
		add(word)
	}
}

type name string

// Name names a thing of a kind, such as unit.
func Name(kind string) Shape { return name(kind) }

func (s name) read(r reader, n *orders.Node) {
	if r.names != nil {
		if things := r.names(string(s)); things != nil {
			r.Pick(n, string(s), things)
			return
		}
	}
	r.Text(n)
}

func (s name) takes(_ reader, n *orders.Node) bool { return n.Kind == orders.Scalar }

func (s name) words(func(string)) {}

type checked struct {
	name
	wrong   func(text string) phrase.Phrase
	pattern string // for editors: what is no number must fit it; "" for none
	bound   int    // of a number, which is nearer to nought; 0: it is never a number
}

// Checked is a text of a kind, such as a comparison, of which a function tells what is wrong
// with it; nothing if it is right.
func Checked(kind string, wrong func(text string) phrase.Phrase) Shape {
	return checked{name: name(kind), wrong: wrong}
}

// Measured is the same of a text that is mostly a number, nearer to nought than a bound, with the pattern that it fits where it is
// written in quotes.
func Measured(kind, pattern string, bound int, wrong func(text string) phrase.Phrase) Shape {
	return checked{name: name(kind), wrong: wrong, pattern: pattern, bound: bound}
}

// Worded is the same of a text that is never a number.
func Worded(kind, pattern string, wrong func(text string) phrase.Phrase) Shape {
	return checked{name: name(kind), wrong: wrong, pattern: pattern}
}

func (s checked) read(r reader, n *orders.Node) {
	if text, ok := r.Text(n); ok {
		if why := s.wrong(text); why.Code != "" {
			r.Refuse(n, "", why)
		}
	}
}

type number struct{ low, high int }

// Number is a whole number within bounds that no position widens.
func Number(low, high int) Shape { return number{low, high} }

func (s number) read(r reader, n *orders.Node) { r.Int(n, s.low, s.high) }

func (s number) takes(_ reader, n *orders.Node) bool { return n.Kind == orders.Scalar }

func (s number) words(func(string)) {}

type said struct {
	word string
	then Shape
}

// Said is a keyword with a value behind it, in one scalar: "face W".
func Said(word string, then Shape) Shape { return said{word, then} }

// split takes the keyword off and gives the value behind it.
func (s said) split(r reader, n *orders.Node) (*orders.Node, bool) {
	head, tail := *n, *n
	var two bool
	head.Text, tail.Text, two = strings.Cut(strings.TrimSpace(n.Text), " ")
	tail.Text = strings.TrimSpace(tail.Text)
	return &tail, n.Kind == orders.Scalar && two && r.Is(&head, s.word)
}

func (s said) read(r reader, n *orders.Node) {
	if tail, ok := s.split(r, n); ok {
		s.then.read(r, tail)
		return
	}
	r.Word(n, s.word)
}

func (s said) takes(r reader, n *orders.Node) bool {
	_, ok := s.split(r, n)
	return ok
}

func (s said) words(add func(string)) {
	add(s.word)
	s.then.words(add)
}

type list struct {
	of     Shape
	filled bool
	closed bool // see [Closed]
	ends   bool // see [Ended]
}

// List is any number of values; a value alone is a list of one, and the word none is an
// empty list.
func List(of Shape) Shape { return list{of: of} }

// Filled is a list that must hold something wherever there is anything to name: to leave
// it empty is no fault of writing, but nobody is told that he may.
func Filled(of Shape) Shape { return list{of: of, filled: true} }

// Closed is a value, or a list of what it is made of, which the word end closes, as templates
// have it. Whoever describes the shape describes the value alone.
func Closed(of Shape) Shape {
	return Either(of, list{of: of, filled: true, closed: true, ends: true})
}

// Ended is a list of any number of values, which the word end may close.
func Ended(of Shape) Shape { return list{of: of, ends: true} }

func (s list) read(r reader, n *orders.Node) {
	if r.Is(n, "none") {
		return
	}
	for _, item := range r.List(n) {
		if !s.ends || !r.Is(item, "end") {
			s.of.read(r, item)
		}
	}
}

func (s list) takes(r reader, n *orders.Node) bool {
	return n.Kind == orders.List || s.of.takes(r, n) || r.Is(n, "none") || s.ends && r.Is(n, "end")
}

func (s list) words(add func(string)) {
	if !s.filled {
		add("none")
	}
	if s.ends {
		add("end")
	}
	s.of.words(add)
}

type pairs struct{ key, value Shape }

// Map gives each of some names a value: {Ligny: [F-03, F-07]}.
func Map(key, value Shape) Shape { return pairs{key, value} }

func (s pairs) read(r reader, n *orders.Node) {
	if n.Kind != orders.Map {
		what := "NAME"
		if kind, ok := s.key.(name); ok {
			what = strings.ToUpper(string(kind))
		}
		r.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{what})))
		return
	}
	for _, p := range n.Pairs {
		if p.Key.Kind != orders.Broken {
			s.key.read(r, p.Key)
		}
		s.value.read(r, p.Value)
	}
}

func (s pairs) takes(_ reader, n *orders.Node) bool { return n.Kind == orders.Map }

func (s pairs) words(add func(string)) {
	s.key.words(add)
	s.value.words(add)
}

// A Key is one key of a record.
type Key struct {
	Key   string
	Value Shape
	// Need tells that it must be written.
	Need bool
}

// Need is a key that must be written.
func Need(key string, value Shape) Key { return Key{key, value, true} }

// May is a key that may be left out.
func May(key string, value Shape) Key { return Key{key, value, false} }

type record struct {
	keys  []Key
	least []string // one of these keys must be written, if there are any
	most  bool     // and no two of them may be written
	short []form   // see [InShort]
	forms *formTable
}

// Record is a map of given keys: {unit: A-3/I, to: G-9}.
func Record(keys ...Key) Shape { return record{keys: keys, forms: new(formTable)} }

// RecordOf is a record in which exactly one of some keys must be written.
func RecordOf(one []string, keys ...Key) Shape {
	return record{keys: keys, least: one, most: true, forms: new(formTable)}
}

// RecordWith is a record in which one of some keys must be written, or more.
func RecordWith(least []string, keys ...Key) Shape {
	return record{keys: keys, least: least, forms: new(formTable)}
}

// names are the keys.
func (s record) names() []string {
	all := make([]string, len(s.keys))
	for i := range s.keys {
		all[i] = s.keys[i].Key
	}
	return all
}

func (s record) read(r reader, n *orders.Node) {
	since := len(r.Problems)
	f := r.Fields(n, s.names()...)
	unknown := len(r.Problems) > since // an unknown key may be the missing one
	for _, k := range s.keys {
		switch value := f.Get(k.Key); {
		case value != nil:
			k.Value.read(r, value)
		case k.Need && !unknown:
			r.Require(f, k.Key)
		}
	}
	var has []*orders.Node
	for _, key := range s.least {
		if value := f.Get(key); value != nil {
			has = append(has, value)
		}
	}
	switch {
	case len(has) == 0 && len(s.least) > 0 && !unknown:
		r.Require(f, s.least[len(s.least)-1])
	case len(has) > 1 && s.most:
		r.Refuse(has[1], "", phrase.Say("order.want-one-key", phrase.Keywords("keys", s.least)))
	}
}

func (s record) takes(_ reader, n *orders.Node) bool { return n.Kind == orders.Map }

func (s record) words(add func(string)) {
	for _, k := range s.keys {
		add(k.Key)
		k.Value.words(add)
	}
}

type verbs struct {
	keys  []Key
	short []form // see [InShort]
	forms *formTable
}

// Verbs is a map of exactly one of some keys, as an order of a list is written:
// {move: {units: [F-03], path: [forward]}}.
func Verbs(keys ...Key) Shape { return verbs{keys: keys, forms: new(formTable)} }

func (s verbs) read(r reader, n *orders.Node) {
	key, value := r.Only(n, record{keys: s.keys}.names()...)
	for _, k := range s.keys {
		if k.Key == key {
			k.Value.read(r, value)
		}
	}
}

func (s verbs) takes(_ reader, n *orders.Node) bool { return n.Kind == orders.Map }

func (s verbs) words(add func(string)) { record{keys: s.keys}.words(add) }

type either []Shape

// Either is a value of one of several shapes. It is read by the first of them that the
// value is meant for, so words stand before names. A map for which several are meant is
// read by the one that finds the fewest faults in it, in its own keys first.
func Either(shapes ...Shape) Shape {
	var all either
	for _, s := range shapes {
		if inner, ok := s.(either); ok {
			all = append(all, inner...)
		} else if s != nil {
			all = append(all, s)
		}
	}
	return all
}

func (s either) read(r reader, n *orders.Node) {
	var meant []Shape
	for _, one := range s {
		if one.takes(r, n) {
			meant = append(meant, one)
		}
	}
	if len(meant) > 0 && n.Kind != orders.Map {
		meant = meant[:1]
	}
	if len(meant) > 0 {
		r.Problems = append(r.Problems, fewest(r, n, meant)...)
		return
	}
	var keywords words
	for _, one := range s {
		if w, ok := one.(words); ok {
			keywords = append(keywords, w...)
		}
	}
	if n.Kind == orders.Scalar && len(keywords) > 0 {
		keywords.read(r, n)
		return
	}
	s[len(s)-1].read(r, n) // this says what is wanted
}

// fewest reads a node by each of some shapes, and gives the faults of the shape that finds the fewest: first of the node's own keys, which tell
// what it is meant for, then of all; if several find as few, of the last one, which demands less.
func fewest(r reader, n *orders.Node, shapes []Shape) orders.Problems {
	var best orders.Problems
	for i, one := range shapes {
		trial := *r.Reader
		trial.Problems = nil
		one.read(reader{&trial, r.names}, n)
		if i == 0 || cmp.Or(atKeys(n, trial.Problems)-atKeys(n, best), len(trial.Problems)-len(best)) <= 0 {
			best = trial.Problems
		}
		if len(best) == 0 {
			break
		}
	}
	return best
}

// atKeys counts the faults that lie at a map's own keys.
func atKeys(n *orders.Node, faults orders.Problems) int {
	count := 0
	for _, p := range faults {
		if slices.ContainsFunc(n.Pairs, func(pair orders.Pair) bool { return pair.Key.Line == p.Line && pair.Key.Column == p.Column }) {
			count++
		}
	}
	return count
}

func (s either) takes(r reader, n *orders.Node) bool {
	for _, one := range s {
		if one.takes(r, n) {
			return true
		}
	}
	return false
}

func (s either) words(add func(string)) {
	for _, one := range s {
		one.words(add)
	}
}

// OrNone is a value, or the word none.
func OrNone(s Shape) Shape { return Either(Words("none"), s) }

// Some is a list of names, in which the words all and rest stand for those names that no
// other entry has.
func Some(kind string) Shape { return List(Either(Words("all", "rest"), Name(kind))) }
