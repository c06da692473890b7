package play

import (
	"iter"
	"math/rand/v2"

	"berthier/engine"
)

// A Slot is something that may be said of a value, after what was said of it before: of a
// charge the target, then the heading. A value with slots is chosen one after the other: first
// what [Rule.Say] lists, then what is said in its slots, in their order. A slot that is left
// out says nothing, or what [Rule.Whole] fills in.
type Slot[V engine.View, W, T any] struct {
	// Next gives values in which something more is said in the slot, and nothing behind it.
	// Nothing is offered that [Rule.Whole] can't make legal, and each thing once.
	Next func(W, T) iter.Seq[Span[T]]
	// Says lists what a value says in the slot, in the order in which it is chosen.
	Says func(V, T) []engine.Choice
	// At is a value with another number in the slot; nil for a slot without numbers.
	At func(T, int) T
	// Again tells that more may be said in the slot when something has been.
	Again bool
}

// A Span is one value that may be said; or, where the value holds a number, all values with a number from Low to High, of which Value
// holds Low.
type Span[T any] struct {
	Value     T
	Low, High int
}

// Spans gives the numbers from low to high that are good, each run of them as a span of the
// value that holds them.
func Spans[T any](low, high int, value func(int) T, good func(int) bool) iter.Seq[Span[T]] {
	return func(yield func(Span[T]) bool) {
		for n := low; n <= high; n++ {
			if !good(n) {
				continue
			}
			first := n
			for n < high && good(n+1) {
				n++
			}
			if !yield(Span[T]{value(first), first, n}) {
				return
			}
		}
	}
}

// Good gives those of some values that are good, as spans.
func Good[T any](all iter.Seq[T], good func(T) bool) iter.Seq[Span[T]] {
	return func(yield func(Span[T]) bool) {
		for value := range all {
			if good(value) && !yield(Span[T]{Value: value}) {
				return
			}
		}
	}
}

// A slot is a [Slot] of a field, whatever the type of its values.
type slot[V engine.View, W any] struct {
	next  func(W, any) iter.Seq[Span[any]]
	says  func(V, any) []engine.Choice
	at    func(any, int) any // as in [Slot], as is again
	again bool
}

// slots gives a field the slots of its rule.
func (rule Rule[V, W, T]) slots(f *Field[V, W]) {
	if rule.Whole != nil {
		f.whole = func(w W, value any) any { return rule.Whole(w, value.(T)) }
	}
	for _, s := range rule.Slots {
		one := slot[V, W]{again: s.Again, says: func(v V, value any) []engine.Choice { return s.Says(v, value.(T)) },
			next: func(w W, value any) iter.Seq[Span[any]] {
				return func(yield func(Span[any]) bool) {
					for span := range s.Next(w, value.(T)) {
						if !yield(Span[any]{span.Value, span.Low, span.High}) {
							return
						}
					}
				}
			}}
		if s.At != nil {
			one.at = func(value any, n int) any { return s.At(value.(T), n) }
		}
		f.slots = append(f.slots, one)
	}
}

// A making is a value that is being put together.
type making[V engine.View, W any] struct {
	field *Field[V, W] // nil: there is none
	value any
	slot  int // the last in which something was said; -1 for none
}

// complete fills in what the rules want to be said of a value besides.
func (x *Draft[V, W]) complete(f *Field[V, W], value any) any {
	if f.whole == nil {
		return value
	}
	return f.whole(x.World, value)
}

// finish adds the value that is being put together to the answer.
func (x *Draft[V, W]) finish() {
	if f := x.making.field; f != nil {
		value := x.complete(f, x.making.value)
		x.making = making[V, W]{}
		x.put(f, value)
	}
}

// starts begins to put a value together, or adds it if there is nothing more to say of it.
func (x *Draft[V, W]) starts(f *Field[V, W], value any) {
	if len(f.slots) == 0 {
		x.put(f, x.complete(f, value))
		return
	}
	x.making = making[V, W]{f, value, -1}
}

// A further choice says more of the value that is being put together.
type further struct {
	engine.Choice
	value any
	slot  int
}

// more gives what may be said of the value that is being put together.
func (x *Draft[V, W]) more(yield func(further) bool) {
	for o := range x.worth {
		if x.suits(o) && !yield(o) {
			return
		}
	}
}

// suits tells whether a further choice may be made.
func (x *Draft[V, W]) suits(o further) bool {
	return x.fits(x.making.field, x.complete(x.making.field, o.value))
}

// worth gives what is worth trying of it.
func (x *Draft[V, W]) worth(yield func(further) bool) {
	m := x.making
	if m.field == nil {
		return
	}
	for i := max(m.slot, 0); i < len(m.field.slots); i++ {
		s := &m.field.slots[i]
		if i == m.slot && !s.again {
			continue
		}
		for span := range s.next(x.World, m.value) {
			said := s.says(x.View, span.Value)
			c := said[len(said)-1]
			if c.Measure {
				c.Low, c.High, c.Value = span.Low, span.High, 0
			}
			if !yield(further{c, span.Value, i}) {
				return
			}
		}
	}
}

// adds makes a choice that says more of the value that is being put together, if it is one.
func (x *Draft[V, W]) adds(c engine.Choice) bool {
	for o := range x.worth {
		if engine.Offered([]engine.Choice{o.Choice}, c) && x.suits(o) {
			value := o.value
			if c.Measure {
				value = x.making.field.slots[o.slot].at(value, c.Value)
			}
			x.making.value, x.making.slot = value, o.slot
			return true
		}
	}
	return false
}

// ramble says more of the value that is being put together at random, and finishes it.
func (x *Draft[V, W]) ramble(chance *rand.Rand) {
	for x.making.field != nil {
		var list []further
		for o := range x.more {
			list = append(list, o)
		}
		if len(list) == 0 || chance.IntN(3) == 0 {
			x.finish()
			return
		}
		o := list[chance.IntN(len(list))]
		if o.Measure {
			o.value = x.making.field.slots[o.slot].at(o.value, o.Low+chance.IntN(o.High-o.Low+1))
		}
		x.making.value, x.making.slot = o.value, o.slot
	}
}
