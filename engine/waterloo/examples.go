package waterloo

import (
	"iter"
	"slices"
	"unicode/utf8"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// The examples of a round that say more than a first step does: so each word of the grammar
// stands in a letter in which it can be used.

// A wanted act is what an example says next: an act of a verb, any or one that fits.
type wanted struct {
	does doing
	fits func(a act) bool
}

// fullerSteps are such examples, verb by verb. An attack is made by a right from before, or
// else by that of the card that is played.
var fullerSteps = [][]wanted{
	{{playForMP, nil}, {makeStride, enters}},
	{{playForMP, nil}, {makeStride, arrivesAndTurns}},
	{{playForMP, nil}, {makeStride, turns}, {goOnAfter, nil}},
	{{attackAlone, nil}, {commitCard, usedAs(asElite)}},
	{{attackAlone, nil}, {commitCard, usedAs(asCommand)}},
	{{attackAlone, nil}, {commitCard, usedAs(asArtillery)}},
	{{attackAlone, nil}, {commitCard, usedAs(asBattle)}, {goAfter, nil}},
	{{attackAlone, nil}, {sayAdvance, facesAnew}},
	{{attackAlone, nil}, {sayAdvance, facesOn}},
	{{playForMP, nil}, {makeStride, nil}, {attackAfter, nil}, {commitCard, usedAs(asBattle)}},
}

func enters(a act) bool          { return a.stride.enter != 0 && a.stride.face != noFacing }
func turns(a act) bool           { return a.stride.begins && a.stride.enter == 0 && a.stride.pace.To == 0 }
func arrivesAndTurns(a act) bool { return a.stride.pace.To != 0 && a.stride.pace.Face != noFacing }
func facesAnew(a act) bool       { return a.advance.Face != noFacing }
func facesOn(a act) bool         { return a.advance.Face == noFacing && a.advance.Unit != 0 }

func usedAs(use use) func(act) bool { return func(a act) bool { return a.commit.As == use } }

// mostFuller is how many of them a template has.
const mostFuller = 5

// fullerExamples are those that are possible now and fit on a line, as YAML or as a short line.
// What several of them begin with is looked for once.
func (v *View) fullerExamples() []string {
	var lines []string
	openings := map[doing]*act{}
	for _, row := range fullerSteps {
		if len(lines) == mostFuller {
			break
		}
		w := &rounding{v: v, counted: true}
		opening, known := openings[row[0].does]
		if !known {
			opening = w.first(row[0])
			openings[row[0].does] = opening
		}
		if opening == nil {
			continue
		}
		if w.put(*opening); !w.says(row[1:]) {
			continue
		}
		for _, st := range w.all() {
			for line := range v.linesOf(&st) {
				if !slices.Contains(lines, line) {
					lines = append(lines, line)
					break
				}
			}
		}
	}
	return lines
}

// linesOf are a step as YAML, with few brackets, and part by part as short lines: those that fit on a line in
// every language.
func (v *View) linesOf(st *step) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := v.stepNode(st)
		plain := withoutLists(n)
		in := func(language string) string { return plain.In(language, vocabulary).OneLine() }
		fit := func(english, italian string) bool {
			return max(utf8.RuneCountInString(english), utf8.RuneCountInString(italian)) <= play.Widest-len("- ")
		}
		if english := in("en"); fit(english, in("it")) && !yield("- "+english) {
			return
		}
		short := func(language string) []string {
			return shape.Lines(orders.Items(n), roundShape, vocabulary, language)
		}
		italian := short("it")
		for i, english := range short("en") {
			if fit(english, italian[i]) && !yield("- "+english) {
				return
			}
		}
	}
}

// withoutLists writes each list of one item as that item alone, which means the same.
func withoutLists(n *orders.Node) *orders.Node {
	if n.Kind == orders.List && len(n.Items) == 1 {
		return withoutLists(n.Items[0])
	}
	shorter := *n
	shorter.Items, shorter.Pairs = nil, nil
	for _, item := range n.Items {
		shorter.Items = append(shorter.Items, withoutLists(item))
	}
	for _, pair := range n.Pairs {
		shorter.Pairs = append(shorter.Pairs, orders.Pair{Key: pair.Key, Value: withoutLists(pair.Value)})
	}
	return &shorter
}

// says lets the first acts be said that are wanted, one after the other; false if one of them
// is not possible.
func (w *rounding) says(row []wanted) bool {
	for _, one := range row {
		found := w.first(one)
		if found == nil {
			return false
		}
		w.put(*found)
	}
	return true
}

// first is the first act that is wanted and possible; nil if there is none.
func (w *rounding) first(one wanted) (found *act) {
	w.nextOf(one.does, func(a act) bool {
		if a.does == one.does && (one.fits == nil || one.fits(a)) && w.fault(a) == nil {
			found = &a
		}
		return found == nil
	})
	return found
}
