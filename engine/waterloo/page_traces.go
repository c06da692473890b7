package waterloo

import "berthier/engine"

// traces tell what an event leaves on the map, by its code.
var traces = map[string]func(recounting) []engine.Trace{
	"wat.moved":           func(r recounting) []engine.Trace { return r.went("unit", "path") },
	"wat.retreats":        func(r recounting) []engine.Trace { return r.went("unit", "from", "to") },
	"wat.advances":        func(r recounting) []engine.Trace { return r.went("unit", "square") },
	"wat.charge-enters":   func(r recounting) []engine.Trace { return r.went("unit", "square") },
	"wat.entered":         func(r recounting) []engine.Trace { return r.entered() },
	"wat.moved-commander": func(r recounting) []engine.Trace { return r.went("commander", "square") },
	"wat.commander-along": func(r recounting) []engine.Trace { return r.went("commander", "square") },

	"wat.attacks":        recounting.attacked,
	"wat.charge-strikes": recounting.attacked,

	"wat.fire-disorders": func(r recounting) []engine.Trace { return append(r.fired(), r.hit("target")...) },
	"wat.fire-reduces":   func(r recounting) []engine.Trace { return append(r.fired(), r.hit("target")...) },
	"wat.fire-nothing":   recounting.fired,
	"wat.fire-chateau":   recounting.fired,
	"wat.fire-nobody":    recounting.fired,
	"wat.reduced":        func(r recounting) []engine.Trace { return r.hit("unit") },
	"wat.eliminated":     recounting.eliminated,
}

// went is the way of a piece over squares that the event names.
func (r recounting) went(piece string, squares ...string) []engine.Trace {
	t := engine.Trace{Kind: engine.Moved, Of: []string{r.arg(piece).Text}}
	for _, place := range squares {
		if v := r.arg(place); len(v.List) > 0 {
			for _, q := range v.List {
				t.Way = append(t.Way, q.Text)
			}
		} else {
			t.Way = append(t.Way, v.Text)
		}
	}
	t.Own = r.own(piece)
	return []engine.Trace{t}
}

// entered is the way of a unit from the edge of the board.
func (r recounting) entered() []engine.Trace {
	square := r.arg("square").Text
	return []engine.Trace{{Kind: engine.Moved, Of: []string{r.arg("unit").Text}, Way: []string{entrySpot(square), square}, Own: r.own("unit")}}
}

// entrySpot is what the map calls the sign beside a square where reinforcements enter.
func entrySpot(square string) string { return "entry/" + square }

func (r recounting) attacked() []engine.Trace {
	t := engine.Trace{Kind: engine.Attacked, Way: []string{r.arg("square").Text}}
	for _, u := range r.arg("units").List {
		t.Of = append(t.Of, u.Text)
	}
	return []engine.Trace{t}
}

func (r recounting) fired() []engine.Trace {
	return []engine.Trace{{Kind: engine.Fired, Of: []string{r.arg("unit").Text}}}
}

func (r recounting) hit(unit string) []engine.Trace {
	return []engine.Trace{{Kind: engine.Hit, Of: []string{r.arg(unit).Text}, Way: []string{r.arg("square").Text}, Own: r.own(unit)}}
}

func (r recounting) eliminated() []engine.Trace {
	return []engine.Trace{{Kind: engine.Gone, Of: []string{r.arg("unit").Text}, Way: []string{r.arg("square").Text}, Own: r.own("unit")}}
}
