package hfg

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// What may be chosen of cases that are settled beforehand for a turn: an answer for all, as one choice and what stands behind it
// in a list; or a case, and behind that whom it is about, what it looks at, and what it answers.

// What stands before the words of a case in its choices.
const (
	ofPrefix   = "of "
	doPrefix   = "do "
	thenPrefix = "then "
	aCase      = "case"
)

// isCase says whether a case is no answer for all: it has conditions, or is still open.
func (c *policyCase) isCase() bool { return c.Do == "" || !c.bare() }

// caseable says whether a policy may be written as a list of cases in the answer to a stop.
func (k policyKey) caseable() bool { return k != policyOrder }

// bareCases lists what a policy may answer for all, and that a case begins; of a list its first item, of paces one.
func (w *fireWorld) bareCases(k policyKey) []policyCase {
	all := w.answersTo(k)
	if k.caseable() {
		all = append(all, policyCase{Key: k})
	}
	return all
}

// answersTo lists what a policy may answer: of a list its first item, of paces one.
func (w *fireWorld) answersTo(k policyKey) []policyCase {
	c := &caseReader{w: w}
	words := append(slices.Clone(policyAnswers[k]), "default", "ask")
	var ids []orders.Choice
	switch k {
	case policyCharge, policyFace:
		ids = c.elements(false)
	case policyRout:
		ids = c.features()
	case policyFire:
		ids = append(w.v.aimable(), orders.Choice{ID: "rest"})
	case policyOrder:
		for _, e := range w.v.standing() {
			ids = append(ids, orders.Choice{ID: w.v.def(e).id})
		}
	case policyRepulse, policyPursue:
		words = append(words, "paces")
	}
	for _, id := range ids {
		if !slices.Contains(words, id.ID) {
			words = append(words, id.ID)
		}
	}
	var all []policyCase
	for _, word := range words {
		one := policyCase{Key: k, Do: word}
		if word == "paces" {
			one.Far = 1
		}
		all = append(all, one)
		if k == policyPursue {
			one.Rough = true
			all = append(all, one)
		}
	}
	if k == policyFire {
		for _, word := range classWords[1:] {
			all = append(all, policyCase{Key: k, Do: "prefer", Prefer: word})
		}
		all = append(all, policyCase{Key: k, Do: "counter-battery"})
	}
	return all
}

// listed are the words of the list that a case answers: targets, pairs or classes; false: it answers no list.
func (c *policyCase) listed() (*string, bool) {
	switch {
	case c.Do == "prefer":
		return &c.Prefer, true
	case c.Key == policyFire && !slices.Contains(append([]string{"default", "ask", "counter-battery"}, policyAnswers[c.Key]...), c.Do),
		c.Key == policyOrder && !slices.Contains(append([]string{"default", "ask"}, policyAnswers[c.Key]...), c.Do):
		return &c.Do, true
	}
	return nil, false
}

// firstOnly is a case of whose list only the first item is said.
func (c policyCase) firstOnly() policyCase {
	if list, ok := c.listed(); ok {
		*list, _, _ = strings.Cut(*list, " ")
	}
	return c
}

// sayCase says an answer for all, or that a case begins.
func sayCase(c policyCase) engine.Choice {
	of := policyWords[c.Key]
	switch {
	case c.isCase():
		return engine.Choice{Of: of, What: aCase}
	case c.Do == "paces":
		return c.sayPaces(engine.Choice{Of: of})
	}
	one := c.firstOnly()
	return engine.Choice{Of: of, What: one.text().OneLine()}
}

// sayPaces says how far an answer is.
func (c *policyCase) sayPaces(said engine.Choice) engine.Choice {
	said.What += "paces"
	if c.Rough {
		said.What += " into any"
	}
	said.Measure, said.Low, said.High, said.Value = true, 1, mostFar, c.Far
	return said
}

// wholeCase completes a case: if it looks at nothing, it is one for the first class of elements, and if it answers nothing, the
// default; of a list that says only rest, it is said twice, for alone it is a word.
func wholeCase(c policyCase) policyCase {
	if c.Do == "" {
		if c.Do = "default"; c.bare() {
			c.Of = subjectWords[0]
		}
	}
	if c.Do == "rest" {
		c.Do = "rest rest"
	}
	return c
}

// caseSlots are what may be said of a case, in the order in which it is chosen; at is the place of the case in what the field holds.
func caseSlots[W any, T comparable](of func(W) *fireWorld, at func(*T) *policyCase) []play.Slot[*View, W, T] {
	all := []play.Slot[*View, W, T]{namesSlot(of, at, ofPrefix, true, func(c *policyCase) *string { return &c.Of })}
	for i := range caseLooks {
		l := &caseLooks[i]
		switch {
		case l.names:
			all = append(all, namesSlot(of, at, l.key+" ", false, l.in, l))
		case l.words != nil:
			all = append(all, lookSlot(of, at, l))
		default:
			all = append(all, compareSlot(of, at, l))
		}
	}
	return append(all, doSlot(of, at), thenSlot(of, at))
}

// caseSlot makes a slot of a case: next gives cases in which more is said, says what is said there.
func caseSlot[W any, T comparable](again bool, of func(W) *fireWorld, at func(*T) *policyCase, next func(w *fireWorld, c policyCase) iter.Seq[play.Span[policyCase]],
	says func(c *policyCase) []engine.Choice, put func(c *policyCase, n int)) play.Slot[*View, W, T] {
	return play.Slot[*View, W, T]{Again: again,
		Next: func(w W, value T) iter.Seq[play.Span[T]] {
			return func(yield func(play.Span[T]) bool) {
				if at(&value).Key == 0 {
					return
				}
				for one := range next(of(w), *at(&value)) {
					said := value
					*at(&said) = one.Value
					if !yield(play.Span[T]{Value: said, Low: one.Low, High: one.High}) {
						return
					}
				}
			}
		},
		Says: func(_ *View, value T) []engine.Choice {
			c := at(&value)
			if c.Key == 0 {
				return nil
			}
			all := says(c)
			for i := range all {
				all[i].Of = policyWords[c.Key]
			}
			return all
		},
		At: func(value T, n int) T {
			put(at(&value), n)
			return value
		},
	}
}

// wordsSaid are words of a list as choices.
func wordsSaid(prefix, list string) []engine.Choice {
	var all []engine.Choice
	for _, word := range strings.Fields(list) {
		all = append(all, engine.Choice{What: prefix + word})
	}
	return all
}

// joined is a list of words with one more.
func joined(list, word string) string { return strings.TrimSpace(list + " " + word) }

// unmeasured is for slots without numbers.
func unmeasured(*policyCase, int) {}

// looking says whether a policy may ask all of some things.
func (c *policyCase) looking(all []*caseLook) bool {
	return c.isCase() && !slices.ContainsFunc(all, func(l *caseLook) bool { return !c.Key.mayLook(l) })
}

// namesSlot names elements, their types and classes, one after the other: the seat's own ones, or enemies.
func namesSlot[W any, T comparable](of func(W) *fireWorld, at func(*T) *policyCase, prefix string, own bool, in func(*policyCase) *string, looks ...*caseLook) play.Slot[*View, W, T] {
	return caseSlot(true, of, at, func(w *fireWorld, c policyCase) iter.Seq[play.Span[policyCase]] {
		return func(yield func(play.Span[policyCase]) bool) {
			if !c.looking(looks) {
				return
			}
			for _, id := range (&caseReader{w: w}).subjects(own) {
				one := c
				*in(&one) = joined(*in(&one), id.ID)
				if !yield(play.Span[policyCase]{Value: one}) {
					return
				}
			}
		}
	}, func(c *policyCase) []engine.Choice { return wordsSaid(prefix, *in(c)) }, unmeasured)
}

// lookSlot asks for one of some words, or for several.
func lookSlot[W any, T comparable](of func(W) *fireWorld, at func(*T) *policyCase, l *caseLook) play.Slot[*View, W, T] {
	return caseSlot(!l.one, of, at, func(_ *fireWorld, c policyCase) iter.Seq[play.Span[policyCase]] {
		return func(yield func(play.Span[policyCase]) bool) {
			for _, word := range l.words {
				one := c
				*l.in(&one) = joined(*l.in(&one), word)
				if c.looking([]*caseLook{l}) && !yield(play.Span[policyCase]{Value: one}) {
					return
				}
			}
		}
	}, func(c *policyCase) []engine.Choice { return wordsSaid(l.key+" ", *l.in(c)) }, unmeasured)
}

// compareSlot compares a number with another.
func compareSlot[W any, T comparable](of func(W) *fireWorld, at func(*T) *policyCase, l *caseLook) play.Slot[*View, W, T] {
	compared := func(c *policyCase) (play.Comparison, bool) { return play.ReadBounded(*l.in(c), l.of[0], l.of[1]) }
	return caseSlot(false, of, at, func(_ *fireWorld, c policyCase) iter.Seq[play.Span[policyCase]] {
		return func(yield func(play.Span[policyCase]) bool) {
			for _, sign := range []string{"<", "<=", "=", ">=", ">"} {
				one := c
				*l.in(&one) = sign + strconv.Itoa(l.of[0])
				if c.looking([]*caseLook{l}) && !yield(play.Span[policyCase]{Value: one, Low: l.of[0], High: l.of[1]}) {
					return
				}
			}
		}
	}, func(c *policyCase) []engine.Choice {
		by, ok := compared(c)
		if !ok {
			return nil
		}
		return []engine.Choice{{What: l.key + " " + by.Sign, Measure: true, Low: l.of[0], High: l.of[1], Value: by.N}}
	}, func(c *policyCase, n int) {
		by, _ := compared(c)
		by.N = n
		*l.in(c) = by.Text("")
	})
}

// doSlot says what a case answers; of a list its first item.
func doSlot[W any, T comparable](of func(W) *fireWorld, at func(*T) *policyCase) play.Slot[*View, W, T] {
	return caseSlot(false, of, at, func(w *fireWorld, c policyCase) iter.Seq[play.Span[policyCase]] {
		return func(yield func(play.Span[policyCase]) bool) {
			if c.Do != "" {
				return
			}
			for _, said := range w.answersTo(c.Key) {
				one := c
				one.Do, one.Far, one.Rough, one.Prefer = said.Do, said.Far, said.Rough, said.Prefer
				if one.bare() {
					one.Of = subjectWords[0]
				}
				if !yield(play.Span[policyCase]{Value: one, Low: 1, High: mostFar}) {
					return
				}
			}
		}
	}, func(c *policyCase) []engine.Choice {
		switch one := c.firstOnly(); {
		case c.Do == "" || !c.isCase():
			return nil
		case c.Do == "paces":
			return []engine.Choice{c.sayPaces(engine.Choice{What: doPrefix})}
		default:
			return []engine.Choice{{What: doPrefix + one.answerNode().OneLine()}}
		}
	}, func(c *policyCase, n int) { c.Far = n })
}

// thenSlot goes on with the list that a case answers.
func thenSlot[W any, T comparable](of func(W) *fireWorld, at func(*T) *policyCase) play.Slot[*View, W, T] {
	return caseSlot(true, of, at, func(w *fireWorld, c policyCase) iter.Seq[play.Span[policyCase]] {
		return func(yield func(play.Span[policyCase]) bool) {
			if _, ok := c.listed(); c.Do == "" || !ok {
				return
			}
			for _, said := range w.answersTo(c.Key) {
				more, also := said.listed()
				if !also || (said.Do == "prefer") != (c.Do == "prefer") {
					continue
				}
				one := c
				list, _ := one.listed()
				*list = joined(*list, *more)
				if !yield(play.Span[policyCase]{Value: one}) {
					return
				}
			}
		}
	}, func(c *policyCase) []engine.Choice {
		list, ok := c.listed()
		if !ok || c.Do == "" {
			return nil
		}
		_, more, _ := strings.Cut(*list, " ")
		return wordsSaid(thenPrefix, more)
	}, unmeasured)
}
