package play

import (
	"iter"
	"slices"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
)

// A Kind is something that order files can name or say: units, squares, facings, or a
// record of such. It knows how a value is written, not whether it is legal. Each Kind is
// declared once for a ruleset, not for each stop.
type Kind[V engine.View, T comparable] struct {
	// Read gives the value of a node. It refuses what can't be understood at its place,
	// and then tells that the value is not whole.
	Read func(v V, r *orders.Reader, n *orders.Node) (T, bool)
	// Write gives the node of a value; nil for one that is left out of a record.
	Write func(v V, value T) *orders.Node
	// Shape is how a value is written, whatever may be named.
	Shape shape.Shape
}

// A Rule is what may be said in a field. Its functions are those of [Field], with
// the type of the values.
type Rule[V engine.View, W any, T comparable] struct {
	Next func(W) iter.Seq[T]
	May  func(W, T) *Fault
	Can  func(W, T) bool // see [Field.Can]; it may be nil
	// Ways stands in place of May where Next lists all that is legal: it says why anything
	// else may not be said.
	Ways   func(W, T) *Fault
	Many   func(w W, n int) *Fault
	Put    func(W, T)
	Say    func(V, T) engine.Choice
	Place  func(T, *Fault) []string
	Partly bool
	// Read takes the place of the kind's Read, if the world decides what may be named.
	Read func(W, *orders.Reader, *orders.Node) (T, bool)
	// All gives the values that the words all and rest stand for in a list, less those
	// that were named already. Nil for a list that does not know these words.
	All func(W) iter.Seq[T]
	// Order sorts a list in normal form; nil leaves it as it was said.
	Order func(a, b T) int
	// Ranked lists are orders in which things are to come: what is chosen for a value
	// is its place in the list.
	Ranked bool
	// End tells what is wrong with a list as a whole, such as who is missing in it. Items
	// is how many items the list had; whole tells that all of them were good.
	End func(w W, items int, whole bool) []*Fault
	// At is a value with another number in it, for values that Say lists as a measure.
	At func(value T, n int) T
	// Settle completes a value that a file may write in short: if the unit is left out,
	// it is the only one there is. Nil leaves the value as it was written.
	Settle func(W, T) T
	// Slots are what may be said of a value besides what Say lists. What Say lists is then
	// chosen first.
	Slots []Slot[V, W, T]
	// Whole completes a value that lacks something which the rules want to be said, and leaves
	// any other as it is. Nil where there is nothing to complete.
	Whole func(W, T) T
}

// field is the part of a field that does not depend on how the field is written.
func (rule Rule[V, W, T]) field(key string) Field[V, W] {
	f := Field[V, W]{Key: key, Many: rule.Many, Partly: rule.Partly, End: rule.End, Ranked: rule.Ranked,
		Put: func(w W, value any) { rule.Put(w, value.(T)) },
		Say: func(v V, value any) engine.Choice { return rule.Say(v, value.(T)) },
	}
	if rule.May != nil {
		f.May = func(w W, value any) *Fault { return rule.May(w, value.(T)) }
	}
	if rule.Can != nil {
		f.Can = func(w W, value any) bool { return rule.Can(w, value.(T)) }
	}
	if rule.Ways != nil {
		f.May = func(w W, value any) *Fault {
			for one := range rule.Next(w) {
				if one == value.(T) {
					return nil
				}
			}
			return rule.Ways(w, value.(T))
		}
	}
	if rule.Place != nil {
		f.Place = func(value any, fault *Fault) []string { return rule.Place(value.(T), fault) }
	}
	if rule.At != nil {
		f.At = func(value any, n int) any { return rule.At(value.(T), n) }
	}
	if rule.Order != nil {
		f.Arrange = func(_ W, parts []Part) {
			slices.SortStableFunc(parts, func(a, b Part) int { return rule.Order(a.Value.(T), b.Value.(T)) })
		}
	}
	if rule.Next != nil {
		f.Next = func(w W) iter.Seq[any] {
			return func(yield func(any) bool) {
				for value := range rule.Next(w) {
					if !yield(value) {
						return
					}
				}
			}
		}
	}
	rule.slots(&f)
	return f
}

// Custom is a field with a syntax of its own: the caller gives it [Field.Shape], [Field.Read]
// and [Field.Write].
func Custom[V engine.View, W any, T comparable](key string, rule Rule[V, W, T]) Field[V, W] {
	return rule.field(key)
}

// read reads one value and gives it to the draft.
func read[V engine.View, W any, T comparable](x *Draft[V, W], r *orders.Reader, n *orders.Node, key string, kind Kind[V, T], rule Rule[V, W, T]) {
	since := len(r.Problems)
	var value T
	var whole bool
	if rule.Read != nil {
		value, whole = rule.Read(x.World, r, n)
	} else {
		value, whole = kind.Read(x.View, r, n)
	}
	if rule.Settle != nil && whole {
		value = rule.Settle(x.World, value)
	}
	x.Judge(r, n, key, value, whole, since)
}

// One is a field with one value: reduce: A-3/I.
func One[V engine.View, W any, T comparable](key string, kind Kind[V, T], rule Rule[V, W, T]) Field[V, W] {
	f := rule.field(key)
	f.Single, f.Shape = true, kind.Shape
	f.Many = func(w W, n int) *Fault {
		if n > 1 {
			return &Fault{}
		}
		return nil
	}
	f.Read = func(x *Draft[V, W], r *orders.Reader, n *orders.Node) { read(x, r, orNone(n), key, kind, rule) }
	f.Write = func(x *Draft[V, W], parts []Part) *orders.Node {
		var value T // nothing, where an answer has no part
		if len(parts) > 0 {
			value = parts[0].Value.(T)
		}
		return kind.Write(x.View, value)
	}
	return f
}

// List is a field with any number of values, one after the other: stay.
// The word none is an empty list; empty is the word that is written for an empty list,
// "" leaves the key out. A value alone is a list of one.
func List[V engine.View, W any, T comparable](key, empty string, kind Kind[V, T], rule Rule[V, W, T]) Field[V, W] {
	f := rule.field(key)
	one := kind.Shape
	if rule.All != nil {
		one = shape.Either(shape.Words("all", "rest"), one)
	}
	f.Shape, f.listed = shape.Ended(one), true
	f.Read = func(x *Draft[V, W], r *orders.Reader, n *orders.Node) {
		var items []*orders.Node
		if !r.Is(n, "none") {
			items = r.List(n)
		}
		since := len(r.Problems)
		for _, item := range items {
			if rule.All == nil || !r.Is(item, "all") && !r.Is(item, "rest") {
				read(x, r, item, key, kind, rule)
				continue
			}
			for value := range rule.All(x.World) {
				if own := x.field(key); x.fault(own, value) == nil { // whoever was named is not named again
					x.put(own, value)
				}
			}
		}
		if f.Many != nil {
			if fault := f.Many(x.World, x.count(key)); fault != nil && fault.Why.Code != "" {
				fault.Refuse(r, n)
			}
		}
		if rule.End != nil {
			for _, fault := range rule.End(x.World, len(items), len(r.Problems) == since) {
				fault.Refuse(r, n)
			}
		}
	}
	f.Write = func(x *Draft[V, W], parts []Part) *orders.Node {
		if len(parts) == 0 {
			if empty == "" {
				return nil
			}
			return orders.Text(empty)
		}
		list := &orders.Node{Kind: orders.List, Flow: true, Items: make([]*orders.Node, len(parts))}
		for i, p := range parts {
			list.Items[i] = kind.Write(x.View, p.Value.(T))
		}
		return list
	}
	return f
}

// listed is how a list is written; if all, also as one of the words all and rest.
func listed(of shape.Shape, all bool) shape.Shape {
	if all {
		of = shape.Either(shape.Words("all", "rest"), of)
	}
	return shape.List(of)
}

// Keywords is a kind whose values are written as words, one word for each value.
func Keywords[V engine.View, T comparable](words []string, values []T) Kind[V, T] {
	return Kind[V, T]{
		Shape: shape.Words(words...),
		Read: func(_ V, r *orders.Reader, n *orders.Node) (T, bool) {
			word, ok := r.Word(n, words...)
			for i := range words {
				if ok && words[i] == word {
					return values[i], true
				}
			}
			var none T
			return none, false
		},
		Write: func(_ V, value T) *orders.Node {
			for i := range values {
				if values[i] == value {
					return orders.Text(words[i])
				}
			}
			return nil
		},
	}
}

// Number is a kind of whole numbers within bounds. A number below them means none, and is left out.
func Number[V engine.View](low, high int) Kind[V, int] {
	return Kind[V, int]{
		Shape: shape.Number(low, high),
		Read:  func(_ V, r *orders.Reader, n *orders.Node) (int, bool) { return r.Int(n, low, high) },
		Write: func(_ V, value int) *orders.Node {
			if value < low {
				return nil
			}
			return orders.Number(value)
		},
	}
}

// Or lets words stand for a value, which is written as the first of them.
func Or[V engine.View, T comparable](kind Kind[V, T], value T, words ...string) Kind[V, T] {
	return Kind[V, T]{
		Shape: shape.Either(shape.Words(words...), kind.Shape),
		Read: func(v V, r *orders.Reader, n *orders.Node) (T, bool) {
			for _, word := range words {
				if r.Is(n, word) {
					return value, true
				}
			}
			return kind.Read(v, r, n)
		},
		Write: func(v V, written T) *orders.Node {
			if written == value {
				return orders.Text(words[0])
			}
			return kind.Write(v, written)
		},
	}
}

// OrNone lets words stand for no value.
func OrNone[V engine.View, T comparable](kind Kind[V, T], words ...string) Kind[V, T] {
	var none T
	return Or(kind, none, words...)
}

// A Member is one key of a record. T is the type of the record.
type Member[V engine.View, T comparable] struct {
	Key string
	// Need tells that it must be written.
	Need  bool
	shape shape.Shape
	read  func(v V, r *orders.Reader, n *orders.Node, value *T) bool
	write func(v V, value *T) *orders.Node
}

// Of is a member of a record: at gives the place of its value.
func Of[V engine.View, T, M comparable](key string, kind Kind[V, M], at func(*T) *M) Member[V, T] {
	return Member[V, T]{Key: key, shape: kind.Shape,
		read: func(v V, r *orders.Reader, n *orders.Node, value *T) bool {
			one, ok := kind.Read(v, r, n)
			*at(value) = one
			return ok
		},
		write: func(v V, value *T) *orders.Node { return kind.Write(v, *at(value)) },
	}
}

// Need is a member that must be written, see [Of].
func Need[V engine.View, T, M comparable](key string, kind Kind[V, M], at func(*T) *M) Member[V, T] {
	m := Of(key, kind, at)
	m.Need = true
	return m
}

// InShort gives a kind of records short forms besides, see [shape.InShort].
func InShort[V engine.View, T comparable](kind Kind[V, T], forms ...string) Kind[V, T] {
	kind.Shape = shape.InShort(kind.Shape, forms...)
	return kind
}

// Record is a kind of maps in one line: {unit: A-3/I, to: G-9}. The value is a Go
// struct, whose fields are the members.
func Record[V engine.View, T comparable](members ...Member[V, T]) Kind[V, T] {
	keys, shapes := make([]string, len(members)), make([]shape.Key, len(members))
	for i, m := range members {
		keys[i], shapes[i] = m.Key, shape.Key{Key: m.Key, Value: m.shape, Need: m.Need}
	}
	return Kind[V, T]{
		Shape: shape.Record(shapes...),
		Read: func(v V, r *orders.Reader, n *orders.Node) (value T, whole bool) {
			f := r.Fields(n, keys...)
			whole = n.Kind == orders.Map
			for i := range members {
				m := &members[i]
				one := f.Get(m.Key)
				if one == nil && m.Need {
					r.Require(f, m.Key)
					whole = false
				}
				if one != nil && !m.read(v, r, one, &value) {
					whole = false
				}
			}
			return value, whole
		},
		Write: func(v V, value T) *orders.Node {
			n := orders.Inline()
			for i := range members {
				if one := members[i].write(v, &value); one != nil {
					n.Set(members[i].Key, one)
				}
			}
			return n
		},
	}
}
