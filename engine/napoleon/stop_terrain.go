package napoleon

import (
	"iter"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A lay is one piece of terrain with its place: left, center or right.
type lay struct {
	what piece
	at   int
}

// A laying is the world of the stops terrain-attacker and terrain-defender.
type laying struct {
	drawn  []piece
	places []int // of each that was drawn; none yet: -1
	taken  [3]bool
}

// next is the next piece of a kind that has no place yet, as drawn; -1 if there is
// none.
func (w *laying) next(what piece) int {
	for i := range w.drawn {
		if w.drawn[i] == what && w.places[i] < 0 {
			return i
		}
	}
	return -1
}

// fault tells why a piece may not be laid at a place as well.
func (w *laying) fault(one lay) *fault {
	switch {
	case w.taken[one.at]:
		return refusal("NAP-6.21", "nap.terrain-twice", phrase.Name("field", "field", placeWords[one.at]))
	case w.next(one.what) < 0:
		return &fault{} // a file can't say this
	}
	return nil
}

// kinds are the kinds of pieces that were drawn, each once.
func (w *laying) kinds() []piece {
	var all []piece
	for _, what := range w.drawn {
		if !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	return all
}

// terrainForm is the stops terrain-attacker and terrain-defender: where the pieces
// lie that were drawn (NAP-6.21).
var terrainForm = &form[*laying]{
	Clause: "NAP-6.21",
	Begin: func(v *View, d engine.Decision) (*laying, bool) {
		b := v.battleOf(d)
		if b == nil {
			return nil, false
		}
		w := &laying{drawn: b.drawn, places: make([]int, len(b.drawn))}
		for i := range w.places {
			w.places[i] = -1
		}
		return w, true
	},
	Misspelt: true,
	Fields: []formField[*laying]{{
		Key: "terrain", Shape: terrainShape,
		Read:  readTerrain,
		Write: func(x *saying[*laying], _ []play.Part) *orders.Node { return x.World.node() },
		Next: func(w *laying) iter.Seq[any] {
			return func(yield func(any) bool) {
				for _, what := range w.kinds() {
					for at := range placeWords {
						if !yield(lay{what, at}) {
							return
						}
					}
				}
			}
		},
		May: func(w *laying, value any) *fault { return w.fault(value.(lay)) },
		Put: func(w *laying, value any) {
			one := value.(lay)
			w.places[w.next(one.what)], w.taken[one.at] = one.at, true
		},
		Arrange: func(w *laying, parts []play.Part) { // in the order in which they were drawn
			parts = parts[:0]
			for i, at := range w.places {
				if at >= 0 {
					parts = append(parts, play.Part{Key: "terrain", Value: lay{w.drawn[i], at}})
				}
			}
		},
		Say: func(_ *View, value any) engine.Choice {
			one := value.(lay)
			return engine.Choice{Of: one.what.String(), What: placeWords[one.at], Shown: placeWords[one.at]}
		},
	}},
	Usual: func(x *saying[*laying]) {
		for i, at := range usualPlaces(x.To, x.World.drawn) {
			x.Try("terrain", lay{x.World.drawn[i], at})
		}
	},
	Fill: func(x *saying[*laying]) {
		w := x.World
		for i, at := range usualPlaces(x.To, w.drawn) {
			if w.places[i] < 0 {
				layFirst(x, w.drawn[i], at, 2, 1, 0)
			}
		}
	},
	Chance: func(x *saying[*laying], chance *rand.Rand) {
		for i, at := range chance.Perm(3)[:len(x.World.drawn)] {
			x.Try("terrain", lay{x.World.drawn[i], at})
		}
	},
	Sense: senseTerrain,
	Note:  func(x *saying[*laying], n *orders.Node) { n.Get("terrain").Comment = listed(placeWords[:]) },
	Do: func(p *campaign, d engine.Decision, w *laying) {
		b := p.battleOf(d)
		c := b.attacker
		if d.Kind == "terrain-defender" {
			c = c.enemy()
		}
		own := b.ownFields(c)
		var places []field
		for _, at := range w.places {
			places = append(places, own[at])
		}
		p.placeTerrain(b, c, places)
	},
}

// usualPlaces are where pieces lie by default: those of the attacker on the left; of the
// defender a wood on the left, the others in the order right, center, left.
func usualPlaces(d engine.Decision, drawn []piece) []int {
	places := make([]int, len(drawn))
	var taken [3]bool
	for i, what := range drawn {
		order := [3]int{2, 1, 0}
		if what == wood || d.Kind == "terrain-attacker" {
			order = [3]int{0, 2, 1}
		}
		for _, at := range order {
			if !taken[at] {
				places[i], taken[at] = at, true
				break
			}
		}
	}
	return places
}

// layFirst lays a piece at the first place that is free.
func layFirst(x *saying[*laying], what piece, places ...int) {
	for _, at := range places {
		if x.Try("terrain", lay{what, at}) {
			return
		}
	}
}

// node writes {wood: left, hill: [center, right]}.
func (w *laying) node() *orders.Node {
	n := orders.Inline()
	for _, what := range w.kinds() {
		list := orders.Texts()
		for i, at := range w.places {
			if w.drawn[i] == what {
				list.Add(orders.Text(placeWords[at]))
			}
		}
		if len(list.Items) == 1 {
			list = list.Items[0]
		}
		n.Set(what.String(), list)
	}
	return n
}

func readTerrain(x *saying[*laying], r *orders.Reader, n *orders.Node) {
	w := x.World
	var names []string
	for _, what := range w.kinds() {
		names = append(names, what.String())
	}
	f := r.Fields(n, names...)
	for i, what := range w.kinds() {
		value := r.Require(f, names[i])
		if value == nil {
			continue
		}
		want := 0
		for _, drawn := range w.drawn {
			if drawn == what {
				want++
			}
		}
		items := r.List(value)
		if len(items) != want {
			r.Refuse(value, "NAP-6.21", phrase.Say("nap.terrain-number", phrase.Name("piece", "terrain", names[i]), phrase.Number("want", want)))
			continue
		}
		for _, item := range items {
			if word, ok := r.Word(item, placeWords[:]...); ok {
				x.Judge(r, item, "terrain", lay{what, slices.Index(placeWords[:], word)}, true, len(r.Problems))
			}
		}
	}
}
