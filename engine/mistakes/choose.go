package mistakes

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What may be chosen of an answer besides its first word: places and measures millimetre by
// millimetre, turns degree by degree, everything else by name.

type slot[W, T any] = play.Slot[*View, W, T]

// outward gives the numbers from low to high, those next to the middle first.
func outward(low, high int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for middle, by := (low+high)/2, 0; by <= high-low; by++ {
			if n := middle + by; n <= high && !yield(n) {
				return
			}
			if n := middle - by; by > 0 && n >= low && !yield(n) {
				return
			}
		}
	}
}

// A reachable place is one of those to which something may go: whole millimetres about a point.
type reachable[W, T any] struct {
	wants func(T) bool                                // whether a value says a place at all
	at    func(*T) *place                             // 0: it is not said yet
	about func(W, T) (middle geometry.Point, far int) // no place is farther off, in millimetres
	good  func(W, T) bool                             // whether a value with a place is legal
	of    func(*View, T) string
}

// with is a value with another place.
func (s *reachable[W, T]) with(o T, x, y int) T {
	*s.at(&o) = place{X: int64(x) * ringStep, Y: int64(y) * ringStep}
	return o
}

// bounds are the millimetres between which a place lies along one axis.
func bounds(middle int64, far int) (low, high int) {
	return max(int(middle/ringStep)-far, 1), int(middle/ringStep) + far + 1
}

// column finds a place with so many millimetres to the east.
func (s *reachable[W, T]) column(w W, o T, x int) (T, bool) {
	middle, far := s.about(w, o)
	for y := range outward(bounds(middle.Y, far)) {
		if next := s.with(o, x, y); s.good(w, next) {
			return next, true
		}
	}
	return o, false
}

// whole gives a value that wants a place one, with what is said of it.
func (s *reachable[W, T]) whole(w W, o T) T {
	at := *s.at(&o)
	if !s.wants(o) || at.Y != 0 {
		return o
	}
	middle, far := s.about(w, o)
	low, high := bounds(middle.X, far)
	if at.X != 0 {
		low = int(at.X / ringStep)
		high = low
	}
	for x := range outward(low, high) {
		if next, ok := s.column(w, o, x); ok {
			return next
		}
	}
	return o
}

// slots are the two numbers of the place.
func (s *reachable[W, T]) slots() []slot[W, T] {
	says := func(key string, n func(place) int64) func(*View, T) []engine.Choice {
		return func(v *View, o T) []engine.Choice {
			if !s.wants(o) {
				return nil
			}
			return []engine.Choice{{Of: s.of(v, o), What: key, Measure: true, Value: int(n(*s.at(&o)) / ringStep)}}
		}
	}
	return []slot[W, T]{{
		Next: func(w W, o T) iter.Seq[play.Span[T]] {
			if !s.wants(o) {
				return none[T]
			}
			middle, far := s.about(w, o)
			low, high := bounds(middle.X, far)
			return play.Spans(low, high, func(x int) T { return s.with(o, x, 0) }, func(x int) bool {
				_, ok := s.column(w, o, x)
				return ok
			})
		},
		Says: says("x", func(p place) int64 { return p.X }),
		At:   func(o T, x int) T { return s.with(o, x, 0) },
	}, {
		Next: func(w W, o T) iter.Seq[play.Span[T]] {
			if !s.wants(o) || s.at(&o).X == 0 {
				return none[T]
			}
			middle, far := s.about(w, o)
			low, high := bounds(middle.Y, far)
			at := func(y int) T { return s.with(o, int(s.at(&o).X/ringStep), y) }
			return play.Spans(low, high, at, func(y int) bool { return s.good(w, at(y)) })
		},
		Says: says("y", func(p place) int64 { return p.Y }),
		At:   func(o T, y int) T { return s.with(o, int(s.at(&o).X/ringStep), y) },
	}}
}

// none gives nothing.
func none[T any](func(play.Span[T]) bool) {}

// where are the places to which a leader may go.
func where(about func(*staff, posting) (geometry.Point, int), good func(*staff, posting) bool) *reachable[*staff, posting] {
	return &reachable[*staff, posting]{
		wants: func(o posting) bool { return o.does == goes || o.does == detaches },
		at:    func(o *posting) *place { return &o.at },
		about: about,
		good:  good,
		of:    func(v *View, o posting) string { return v.lead(o.leader).id },
	}
}

// someOf is a slot in which units are named one after the other, in the order of their numbers.
func someOf[W, T any](word string, at func(*T) *unitSet, all func(W, T) []unitID, of func(*View, T) string) slot[W, T] {
	return slot[W, T]{
		Again: true,
		Next: func(w W, o T) iter.Seq[play.Span[T]] {
			return func(yield func(play.Span[T]) bool) {
				named := at(&o).list()
				for _, u := range all(w, o) {
					next := o
					if *at(&next) = setOf(append(slices.Clone(named), u)); (len(named) == 0 || u > named[len(named)-1]) && !yield(play.Span[T]{Value: next}) {
						return
					}
				}
			}
		},
		Says: func(v *View, o T) []engine.Choice {
			var list []engine.Choice
			for _, u := range at(&o).list() {
				list = append(list, engine.Choice{Of: of(v, o), What: word + " " + v.unitText(u)})
			}
			return list
		},
	}
}

// byWord is a slot in which one of some things is said by a word.
func byWord[W, T any](next func(W, T) iter.Seq[T], says func(*View, T) string, of func(*View, T) string) slot[W, T] {
	return slot[W, T]{
		Next: func(w W, o T) iter.Seq[play.Span[T]] { return play.Good(next(w, o), func(T) bool { return true }) },
		Says: func(v *View, o T) []engine.Choice {
			if what := says(v, o); what != "" {
				return []engine.Choice{{Of: of(v, o), What: what}}
			}
			return nil
		},
	}
}

// byFlag is a slot in which a word is said or not.
func byFlag[W, T any](word string, at func(*T) *bool, may func(W, T) bool, of func(*View, T) string) slot[W, T] {
	return byWord(func(w W, o T) iter.Seq[T] {
		return func(yield func(T) bool) {
			if *at(&o) = true; may(w, o) {
				yield(o)
			}
		}
	}, func(_ *View, o T) string {
		if *at(&o) {
			return word
		}
		return ""
	}, of)
}

// byNumber is a slot in which a number is said; one below low is none.
func byNumber[W, T any](word string, low, high int, at func(T) int, with func(T, int) T, good func(W, T) bool, of func(*View, T) string) slot[W, T] {
	return slot[W, T]{
		Next: func(w W, o T) iter.Seq[play.Span[T]] {
			return play.Spans(low, high, func(n int) T { return with(o, n) }, func(n int) bool { return good(w, with(o, n)) })
		},
		Says: func(v *View, o T) []engine.Choice {
			if n := at(o); n >= low {
				return []engine.Choice{{Of: of(v, o), What: word, Measure: true, Value: n}}
			}
			return nil
		},
		At: with,
	}
}

// mostParts is the last number that a part of a formation may have behind its name.
const mostParts = 99

// partNumber is the number behind the name of a part of a formation: 2 of b-Foy-2; 0 if it is called
// otherwise.
func partNumber(id, of string) int {
	text, ok := strings.CutPrefix(id, of+"-")
	if n, err := strconv.Atoi(text); ok && err == nil && n >= 2 && n <= mostParts && strconv.Itoa(n) == text {
		return n
	}
	return 0
}

// partName is a slot in which a part that is split off gets another number than the first that is free.
func partName[W, T any](at func(*T) *string, of func(T) string, parts func(T) bool, taken func(W, string) bool) slot[W, T] {
	with := func(o T, n int) T {
		*at(&o) = of(o) + "-" + strconv.Itoa(n)
		return o
	}
	return byNumber("as", 2, mostParts, func(o T) int { return partNumber(*at(&o), of(o)) }, with,
		func(w W, o T) bool { return parts(o) && !taken(w, *at(&o)) },
		func(_ *View, o T) string { return of(o) })
}

// subsets lists all sets of some units that are good, in an order that their numbers decide.
func subsets(units []unitID, good func([]unitID) bool) [][]unitID {
	var all [][]unitID
	for bits := 1; bits < 1<<len(units)-1; bits++ {
		var some []unitID
		for i, u := range units {
			if bits&(1<<i) != 0 {
				some = append(some, u)
			}
		}
		if good(some) {
			all = append(all, some)
		}
	}
	return all
}

// unitsText lists units as an order file names them.
func (v *View) unitsText(units []unitID) string {
	texts := make([]string, len(units))
	for i, u := range units {
		texts[i] = v.unitText(u)
	}
	return strings.Join(texts, " ")
}

// readWhole reads a place in whole millimetres.
func readWhole(r *orders.Reader, n *orders.Node) (place, bool) {
	since := len(r.Problems)
	p, ok := readPlace(r, n)
	if ok && (p.X%ringStep != 0 || p.Y%ringStep != 0) {
		r.Refuse(n, "EM-3.1", phrase.Say("em.length-whole", phrase.Literal("text", n.OneLine())))
	}
	return p, len(r.Problems) == since
}
