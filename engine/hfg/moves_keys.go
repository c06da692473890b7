package hfg

import (
	"slices"

	"berthier/orders"
	"berthier/orders/phrase"
)

// Which keys of a move go together: a move is of one kind, and no key of it is dropped in silence.

// A form of writing is a key that says what kind of order this is, with the keys that may stand beside it.
type writing struct {
	key    string
	beside []string
}

// headWritings are the kinds of orders; what names none of these keys is a move as [wayWritings] has it. Where a file that was
// accepted once names several, the first counts.
var headWritings = []writing{
	{"march", []string{"else"}}, {"ford", []string{"else"}}, {"build", []string{"else"}}, {"destroy-bridge", []string{"else"}},
	{"enter", []string{"along"}}, {"rally", []string{"by"}},
}

// wayWritings are the kinds of moves. What a group can't do is refused where it is read.
var wayWritings = []writing{
	{"contact", []string{"edge"}}, {"line", []string{"deep"}}, {"file", nil}, {"along", []string{"road"}},
	{"to", []string{"via", "stop-short", "facing"}},
	{"advance", []string{"facing", "wheel", "sidestep", "then"}}, {"right", []string{"facing", "wheel", "sidestep", "then"}},
	{"left", []string{"facing", "wheel", "sidestep", "then"}}, {"back", []string{"facing", "wheel", "sidestep", "then"}},
	{"forward", []string{"facing", "wheel", "sidestep", "then"}},
	{"facing", []string{"sidestep", "then"}}, {"wheel", []string{"sidestep", "then"}}, {"sidestep", []string{"then"}}, {"then", nil},
}

// columnBars are what a column can't do, for it winds along behind its leader (HFG-9.9).
var columnBars = []string{"back", "left", "right", "sidestep"}

// A moveFields is a move with the keys that count in it.
type moveFields struct {
	orders.Fields
	// left are the keys that don't go with the kind of the move.
	left []string
}

// Get gives the value of a key that counts; nil if there is none.
func (f *moveFields) Get(key string) *orders.Node {
	if slices.Contains(f.left, key) {
		return nil
	}
	return f.Fields.Get(key)
}

// fits gives the keys of an order that count, and refuses those that don't go with its kind, all of them at once. In a file
// that was accepted once they are left out in silence, as they were then.
func (m *moveReader) fits(f orders.Fields, from []string, kinds []writing) *moveFields {
	fit := &moveFields{Fields: f}
	i := slices.IndexFunc(kinds, func(k writing) bool { return f.Get(k.key) != nil })
	if i < 0 {
		return fit
	}
	for _, key := range from {
		if key != kinds[i].key && !slices.Contains(kinds[i].beside, key) {
			m.drops(fit, key, kinds[i].key)
		}
	}
	return fit
}

// drops refuses a key that doesn't go with another one, if the order has it.
func (m *moveReader) drops(f *moveFields, key, other string) {
	at := f.Get(key)
	if at == nil {
		return
	}
	f.left = append(f.left, key)
	if !m.r.Accepted {
		args := []phrase.Arg{phrase.Name("key", phrase.KindKeyword, key), phrase.Name("other", phrase.KindKeyword, other)}
		m.r.RefuseWith(at, "HFG-9.1", phrase.Say("hfg.order-beside", args...), phrase.Say("hfg.order-one", args...))
	}
}

// way gives the keys of a move that count: of one kind, with what belongs to that kind alone.
func (m *moveReader) way(f orders.Fields, column bool) *moveFields {
	fit := m.fits(f, keysOf(payloadShapes), wayWritings)
	if fit.Get("facing") != nil {
		m.drops(fit, "wheel", "facing") // it is a wheel to that facing (HFG-9.7)
	}
	for _, key := range columnBars {
		if column && !(m.r.Accepted && slices.Contains(bearingWords, key)) { // a column that was to go back once went on
			m.drops(fit, key, "column")
		}
	}
	if slices.ContainsFunc(wayWritings, func(k writing) bool { return f.Get(k.key) != nil }) {
		return fit
	}
	for _, k := range wayWritings {
		for _, key := range k.beside {
			if at := f.Get(key); at != nil {
				m.r.Refuse(at, "HFG-9.1", phrase.Say("hfg.order-needs", phrase.Name("key", phrase.KindKeyword, key), phrase.Name("other", phrase.KindKeyword, k.key)))
			}
		}
	}
	return fit
}
