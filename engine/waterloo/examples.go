package waterloo

import (
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
func (v *View) fullerExamples() []string {
	var lines []string
	for _, row := range fullerSteps {
		w := &rounding{v: v, counted: true}
		if len(lines) == mostFuller || !w.says(row) {
			continue
		}
		for _, st := range w.all() {
			n := v.stepNode(&st)
			short := shape.Lines(orders.Items(n), roundShape, vocabulary, "en")
			for _, text := range append([]string{n.OneLine()}, short...) {
				if line := "- " + text; utf8.RuneCountInString(line) <= play.Widest && !slices.Contains(lines, line) {
					lines = append(lines, line)
					break
				}
			}
		}
	}
	return lines
}

// says lets the first acts be said that are wanted, one after the other; false if one of them
// is not possible.
func (w *rounding) says(row []wanted) bool {
	for _, one := range row {
		var found *act
		w.next(func(a act) bool {
			if a.does == one.does && (one.fits == nil || one.fits(a)) && w.fault(a) == nil {
				found = &a
			}
			return found == nil
		})
		if found == nil {
			return false
		}
		w.put(*found)
	}
	return true
}
