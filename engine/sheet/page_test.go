package sheet

import (
	"reflect"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
)

// A section without anything to show is left out; without remarks their cell is empty.
func TestWhatThereIsNothingOfIsLeftOut(t *testing.T) {
	var p Page
	p.May(Lines("x.head", "x.line", "what", nil))
	p.May(Lines("x.head", "x.line", "what", []string{"a", "b"}))
	want := []engine.Section{{Heading: phrase.Say("x.head"), Lines: []phrase.Phrase{
		phrase.Say("x.line", phrase.Literal("what", "a")), phrase.Say("x.line", phrase.Literal("what", "b"))}}}
	if !reflect.DeepEqual(p.Sections, want) {
		t.Errorf("the page has %+v", p.Sections)
	}
	var n Notes
	n.If(false, "x.no")
	if got := n.Cell(); !reflect.DeepEqual(got, phrase.Value{}) {
		t.Errorf("no remarks are %+v", got)
	}
	n.If(true, "x.yes")
	n.Add(Number(3))
	if got := n.Cell(); !reflect.DeepEqual(got, List(Phrase("x.yes"), Number(3))) {
		t.Errorf("the remarks are %+v", got)
	}
}
