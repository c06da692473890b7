package play

import (
	"slices"

	"berthier/orders"
	"berthier/orders/phrase"
)

// An OrderKey is one key of a standing order, or of a rule or a condition in one: how it is
// read into an S, and how it is written from an S in normal form. What standing orders may
// say is declared by lists of OrderKeys; nothing else reads or writes them. V is the view
// in which names are looked up, B the board that gives the names back.
type OrderKey[V, B, S any] struct {
	Key   string
	Need  bool // it must be written
	Read  func(v V, r *orders.Reader, n *orders.Node, s *S)
	Write func(b B, s *S) *orders.Node // gives nil to leave the key out
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

// Write adds the keys that have a value to a map.
func (e OrderKeys[V, B, S]) Write(b B, s *S, n *orders.Node) *orders.Node {
	for i := range e {
		Put(n, e[i].Key, e[i].Write(b, s))
	}
	return n
}

// NeedKey makes a key one that must be written.
func NeedKey[V, B, S any](e OrderKey[V, B, S]) OrderKey[V, B, S] {
	e.Need = true
	return e
}

// NumberKey is a whole number within bounds; 0 is not written.
func NumberKey[V, B, S any](key string, low, high int, at func(*S) *int) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key,
		Read: func(_ V, r *orders.Reader, n *orders.Node, s *S) { *at(s), _ = r.Int(n, low, high) },
		Write: func(_ B, s *S) *orders.Node {
			if *at(s) == 0 {
				return nil
			}
			return orders.Number(*at(s))
		},
	}
}

// WordKey is one of some words, each of which stands for a number: its place among them.
// The first is what an order without the key says; it is written only if always is true.
func WordKey[V, B, S any, T ~int8](key string, words []string, always bool, at func(*S) *T) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key,
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
	return OrderKey[V, B, S]{Key: key,
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
	Read  func(v V, r *orders.Reader, n *orders.Node) (T, bool)
	Write func(b B, value T) string
}

// NamedKey is one thing; its zero value is not written.
func NamedKey[V, B, S any, T comparable](key string, kind NamedBy[V, B, T], at func(*S) *T) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key,
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
	return OrderKey[V, B, S]{Key: key,
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			if empty != "" && r.Is(n, empty) {
				return
			}
			for _, item := range r.List(n) {
				if value, ok := kind.Read(v, r, item); ok && !slices.Contains(*at(s), value) {
					*at(s) = append(*at(s), value)
				}
			}
		},
		Write: func(b B, s *S) *orders.Node {
			switch {
			case len(*at(s)) > 0:
				list := orders.Texts()
				for _, value := range *at(s) {
					list.Add(orders.Text(kind.Write(b, value)))
				}
				return list
			case empty != "":
				return orders.Text(empty)
			}
			return nil
		},
	}
}

// OneOf reads and writes things that are words: the value of a word is its place.
func OneOf[V, B any, T ~int8](words []string) NamedBy[V, B, T] {
	return NamedBy[V, B, T]{
		Read: func(_ V, r *orders.Reader, n *orders.Node) (T, bool) {
			word, ok := r.Word(n, words...)
			return T(slices.Index(words, word)), ok
		},
		Write: func(_ B, value T) string { return words[value] },
	}
}

// MapKey is a map of its own, which may be missing. Inline writes it on one line.
func MapKey[V, B, S, T any](key string, inline bool, entries OrderKeys[V, B, T], at func(*S) **T) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key,
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
	return OrderKey[V, B, S]{Key: key,
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
