package play

import (
	"slices"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// An OrderKey is one key of a standing order, or of a rule or a condition in one: how it is
// read into an S, how it is written from an S in normal form, and its shape. What standing
// orders may say is declared by lists of OrderKeys; nothing else reads or writes them. V
// is the view in which names are looked up, B the board that gives the names back.
type OrderKey[V, B, S any] struct {
	Key   string
	Need  bool // it must be written
	Shape shape.Shape
	Read  func(v V, r *orders.Reader, n *orders.Node, s *S)
	Write func(b B, s *S) *orders.Node // gives nil to leave the key out

	// Many tells that a list of orders may give the key several times, and Each writes all
	// of them. An entry without Read says where normal form has a key that another entry
	// reads.
	Many bool
	Each func(b B, s *S) []*orders.Node
}

// OrderKeys are the keys of a map, in the order of normal form.
type OrderKeys[V, B, S any] []OrderKey[V, B, S]

// Read reads a map.
func (e OrderKeys[V, B, S]) Read(v V, r *orders.Reader, n *orders.Node, s *S) {
	keys := make([]string, len(e))
	for i := range e {
		keys[i] = e[i].Key
	}
	f := r.Fields(n, keys...)
	for i := range e {
		value := f.Get(e[i].Key)
		if value == nil && e[i].Need {
			r.Require(f, e[i].Key)
		}
		if value != nil {
			e[i].Read(v, r, value, s)
		}
	}
}

// Of finds a key that is there.
func (e OrderKeys[V, B, S]) Of(key string) *OrderKey[V, B, S] {
	return &e[slices.IndexFunc(e, func(one OrderKey[V, B, S]) bool { return one.Key == key && one.Read != nil })]
}

// Shape is how the map is written.
func (e OrderKeys[V, B, S]) Shape() shape.Shape { return shape.Record(e.shapes()...) }

// shapes are the keys, each once, with how their values are written.
func (e OrderKeys[V, B, S]) shapes() []shape.Key {
	var keys []shape.Key
	for i := range e {
		if e[i].Read != nil {
			keys = append(keys, shape.Key{Key: e[i].Key, Value: e[i].Shape, Need: e[i].Need})
		}
	}
	return keys
}

// Write adds the keys that have a value to a map.
func (e OrderKeys[V, B, S]) Write(b B, s *S, n *orders.Node) *orders.Node {
	for i := range e {
		Put(n, e[i].Key, e[i].Write(b, s))
	}
	return n
}

// some makes a map of the keys that have a value; nil if none has, as mostly.
func (e OrderKeys[V, B, S]) some(b B, s *S, empty func() *orders.Node) *orders.Node {
	var n *orders.Node
	for i := range e {
		value := e[i].Write(b, s)
		if value != nil && n == nil {
			n = empty()
		}
		Put(n, e[i].Key, value)
	}
	return n
}

// Orders writes and reads standing orders as a whole: [OrderKeys] if they are a map,
// [OrderList] if they are a list of maps of one key.
type Orders[V, B, S any] interface {
	Read(v V, r *orders.Reader, n *orders.Node, s *S)
	Normal(b B, s *S) *orders.Node // nil if there are none
	Shape() shape.Shape
}

// Normal implements [Orders].
func (e OrderKeys[V, B, S]) Normal(b B, s *S) *orders.Node {
	return e.some(b, s, orders.Mapping)
}

// ReadOrders reads standing orders; the word none is that there are none.
func ReadOrders[V, B, S any](o Orders[V, B, S], v V, r *orders.Reader, n *orders.Node) S {
	var s S
	if n != nil && !r.Is(n, "none") {
		o.Read(v, r, n, &s)
	}
	return s
}

// Instructions judges standing orders and gives them in normal form, see [Stops].
func Instructions[V engine.View, B, S any](o Orders[V, B, S], board func(V) B) func(V, *orders.Reader, *orders.Node) *orders.Node {
	return func(v V, r *orders.Reader, n *orders.Node) *orders.Node {
		if n == nil || n.Null {
			return nil
		}
		since := len(r.Problems)
		s := ReadOrders(o, v, r, n)
		if len(r.Problems) > since {
			return nil
		}
		if normal := o.Normal(board(v), &s); normal != nil {
			return normal
		}
		return orders.Text("none")
	}
}

// An OrderList is how standing orders are written that are a list: each item is a map of
// one of the keys.
type OrderList[V, B, S any] struct {
	Keys OrderKeys[V, B, S]
	Most int    // so many are read
	Many string // what is said of more
}

// Shape implements [Orders].
func (l OrderList[V, B, S]) Shape() shape.Shape { return shape.Filled(shape.Verbs(l.Keys.shapes()...)) }

// Read implements [Orders].
func (l OrderList[V, B, S]) Read(v V, r *orders.Reader, n *orders.Node, s *S) {
	var keys, had []string
	for i := range l.Keys {
		if l.Keys[i].Read != nil {
			keys = append(keys, l.Keys[i].Key)
		}
	}
	items := r.List(n)
	if len(items) > l.Most {
		r.Refuse(n, "", phrase.Say(l.Many, phrase.Number("most", l.Most)))
		return
	}
	for _, item := range items {
		key, value := r.Only(item, keys...)
		if key == "" {
			continue
		}
		one := &l.Keys[slices.IndexFunc(l.Keys, func(k OrderKey[V, B, S]) bool { return k.Key == key && k.Read != nil })]
		if !one.Many && slices.Contains(had, key) {
			r.Refuse(item, "", phrase.Say("order.key-twice", phrase.Literal("key", key)))
			continue
		}
		had = append(had, key)
		one.Read(v, r, value, s)
	}
}

// Normal implements [Orders].
func (l OrderList[V, B, S]) Normal(b B, s *S) *orders.Node {
	var list *orders.Node // made for the first key: mostly there is none
	add := func(key string, value *orders.Node) {
		if value == nil {
			return
		}
		if list == nil {
			list = orders.Items()
		}
		list.Add(orders.Mapping().Set(key, value))
	}
	for i := range l.Keys {
		one := &l.Keys[i]
		if one.Write != nil {
			add(one.Key, one.Write(b, s))
		}
		if one.Each != nil {
			for _, value := range one.Each(b, s) {
				add(one.Key, value)
			}
		}
	}
	return list
}

// NeedKey makes a key one that must be written.
func NeedKey[V, B, S any](e OrderKey[V, B, S]) OrderKey[V, B, S] {
	e.Need = true
	return e
}

// AlwaysKey is an entry of a list that is written even if there is nothing in it.
func AlwaysKey[V, B, S any](e OrderKey[V, B, S]) OrderKey[V, B, S] {
	write := e.Write
	e.Write = func(b B, s *S) *orders.Node {
		if n := write(b, s); n != nil {
			return n
		}
		return orders.Texts()
	}
	return e
}

// NumberKey is a whole number within bounds; 0 is not written.
func NumberKey[V, B, S any](key string, low, high int, at func(*S) *int) OrderKey[V, B, S] {
	return CountKey[V, B](key, "", false, low, high, nil, at)
}

// CountKey is a whole number, or a word for 0, which is written only if always is true; ""
// if there is none. Most is the highest number in a view, where that is less; it may be nil.
func CountKey[V, B, S any](key, word string, always bool, low, high int, most func(V) int, at func(*S) *int) OrderKey[V, B, S] {
	how := shape.Number(low, high)
	if word != "" {
		how = shape.Either(shape.Words(word), how)
	}
	return OrderKey[V, B, S]{Key: key, Shape: how,
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			if word != "" && r.Is(n, word) {
				return
			}
			high := high
			if most != nil {
				high = most(v)
			}
			*at(s), _ = r.Int(n, low, high)
		},
		Write: func(_ B, s *S) *orders.Node {
			switch {
			case *at(s) != 0:
				return orders.Number(*at(s))
			case always:
				return orders.Text(word)
			}
			return nil
		},
	}
}

// WordKey is one of some words, each of which stands for a number: its place among them.
// The first is what an order without the key says; it is written only if always is true.
func WordKey[V, B, S any, T ~int8](key string, words []string, always bool, at func(*S) *T) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: shape.Words(words...),
		Read: func(_ V, r *orders.Reader, n *orders.Node, s *S) {
			if word, ok := r.Word(n, words...); ok {
				*at(s) = T(slices.Index(words, word))
			}
		},
		Write: func(_ B, s *S) *orders.Node {
			if *at(s) == 0 && !always {
				return nil
			}
			return orders.Text(words[*at(s)])
		},
	}
}

// FlagKey is one of two words, the second of which means true. The first is what an order
// without the key says; it is written only if always is true.
func FlagKey[V, B, S any](key, no, yes string, always bool, at func(*S) *bool) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: shape.Words(no, yes),
		Read: func(_ V, r *orders.Reader, n *orders.Node, s *S) {
			word, _ := r.Word(n, no, yes)
			*at(s) = word == yes
		},
		Write: func(_ B, s *S) *orders.Node {
			switch {
			case *at(s):
				return orders.Text(yes)
			case always:
				return orders.Text(no)
			}
			return nil
		},
	}
}

// NamedBy is how one thing of a list is read and written. A name that can't be read is refused.
type NamedBy[V, B any, T comparable] struct {
	Shape shape.Shape
	Again bool // a list may name a thing again
	Read  func(v V, r *orders.Reader, n *orders.Node) (T, bool)
	Write func(b B, value T) string
}

// List reads a list of things.
func (kind NamedBy[V, B, T]) List(v V, r *orders.Reader, n *orders.Node) (all []T) {
	for _, item := range r.List(n) {
		if value, ok := kind.Read(v, r, item); ok && (kind.Again || !slices.Contains(all, value)) {
			all = append(all, value)
		}
	}
	return all
}

// Texts writes a list of things on one line.
func (kind NamedBy[V, B, T]) Texts(b B, all []T) *orders.Node {
	list := orders.Texts()
	for _, value := range all {
		list.Add(orders.Text(kind.Write(b, value)))
	}
	return list
}

// NamedKey is one thing; its zero value is not written.
func NamedKey[V, B, S any, T comparable](key string, kind NamedBy[V, B, T], at func(*S) *T) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: kind.Shape,
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			if value, ok := kind.Read(v, r, n); ok {
				*at(s) = value
			}
		},
		Write: func(b B, s *S) *orders.Node {
			var none T
			if *at(s) == none {
				return nil
			}
			return orders.Text(kind.Write(b, *at(s)))
		},
	}
}

// ListKey is a list of things, each once. Empty is the word for an empty list: it is read
// as that and written for it; if Empty is "", an empty list has no key.
func ListKey[V, B, S any, T comparable](key, empty string, kind NamedBy[V, B, T], at func(*S) *[]T) OrderKey[V, B, S] {
	how := shape.Filled(kind.Shape)
	if empty != "" {
		how = shape.Either(shape.Words(empty), how)
	}
	return OrderKey[V, B, S]{Key: key, Shape: how,
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			if empty != "" && r.Is(n, empty) {
				return
			}
			*at(s) = kind.List(v, r, n)
		},
		Write: func(b B, s *S) *orders.Node {
			switch {
			case len(*at(s)) > 0:
				return kind.Texts(b, *at(s))
			case empty != "":
				return orders.Text(empty)
			}
			return nil
		},
	}
}

// OneOf reads and writes things that are words: the value of a word is its place.
func OneOf[V, B any, T ~int8](words []string) NamedBy[V, B, T] {
	return NamedBy[V, B, T]{Shape: shape.Words(words...),
		Read: func(_ V, r *orders.Reader, n *orders.Node) (T, bool) {
			word, ok := r.Word(n, words...)
			return T(slices.Index(words, word)), ok
		},
		Write: func(_ B, value T) string { return words[value] },
	}
}

// Keyed are things that are words, which are the values.
func Keyed[V, B any](words []string) NamedBy[V, B, string] {
	return NamedBy[V, B, string]{Shape: shape.Words(words...),
		Read:  func(_ V, r *orders.Reader, n *orders.Node) (string, bool) { return r.Word(n, words...) },
		Write: func(_ B, word string) string { return word },
	}
}

// MapKey is a map of its own, which may be missing. Inline writes it on one line.
func MapKey[V, B, S, T any](key string, inline bool, entries OrderKeys[V, B, T], at func(*S) **T) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: entries.Shape(),
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			*at(s) = new(T)
			entries.Read(v, r, n, *at(s))
		},
		Write: func(b B, s *S) *orders.Node {
			switch {
			case *at(s) == nil:
				return nil
			case inline:
				return entries.Write(b, *at(s), orders.Inline())
			}
			return entries.Write(b, *at(s), orders.Mapping())
		},
	}
}

// RulesKey is a list of rules, of which at most so many are read; many is the code of the
// refusal of more. The rules are tried in their order. Whole looks at a rule when all its
// keys are read; it may be nil.
func RulesKey[V, B, S, T any](key string, most int, many string, entries OrderKeys[V, B, T], at func(*S) *[]T, whole func(*orders.Reader, *orders.Node, *T)) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: shape.Filled(entries.Shape()),
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			items := r.List(n)
			if len(items) > most {
				r.Refuse(n, "", phrase.Say(many, phrase.Number("most", most)))
				return
			}
			for _, item := range items {
				var rule T
				entries.Read(v, r, item, &rule)
				if whole != nil {
					whole(r, item, &rule)
				}
				*at(s) = append(*at(s), rule)
			}
		},
		Write: func(b B, s *S) *orders.Node {
			if len(*at(s)) == 0 {
				return nil
			}
			list := &orders.Node{Kind: orders.List}
			for i := range *at(s) {
				list.Add(entries.Write(b, &(*at(s))[i], orders.Inline()))
			}
			return list
		},
	}
}

// InnerKey is a map of its own on one line, whose keys are of the same standing orders:
// commander: {to: [...]}. Whole looks at it when all its keys are read; it may be nil.
func InnerKey[V, B, S any](key string, entries OrderKeys[V, B, S], whole func(*orders.Reader, *orders.Node, *S)) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: entries.Shape(),
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			entries.Read(v, r, n, s)
			if whole != nil {
				whole(r, n, s)
			}
		},
		Write: func(b B, s *S) *orders.Node { return entries.some(b, s, orders.Inline) },
	}
}

// EachKey is a key that a list of orders may give several times, each time a map on one
// line. None is what a map without any keys says. Whole looks at one when all its keys are
// read; it may be nil.
func EachKey[V, B, S, T any](key string, none T, entries OrderKeys[V, B, T], at func(*S) *[]T, whole func(V, *orders.Reader, *orders.Node, *T)) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: entries.Shape(), Many: true,
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			one := none
			entries.Read(v, r, n, &one)
			if whole != nil {
				whole(v, r, n, &one)
			}
			*at(s) = append(*at(s), one)
		},
		Each: func(b B, s *S) (all []*orders.Node) {
			for i := range *at(s) {
				all = append(all, entries.Write(b, &(*at(s))[i], orders.Inline()))
			}
			return all
		},
	}
}

// AnyKey is one thing, or a word for none of them in particular, which is always written.
func AnyKey[V, B, S any, T comparable](key, word string, none T, kind NamedBy[V, B, T], at func(*S) *T) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: shape.Either(shape.Words(word), kind.Shape),
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			if r.Is(n, word) {
				return
			}
			if value, ok := kind.Read(v, r, n); ok {
				*at(s) = value
			}
		},
		Write: func(b B, s *S) *orders.Node {
			if *at(s) == none {
				return orders.Text(word)
			}
			return orders.Text(kind.Write(b, *at(s)))
		},
	}
}
