package mistakes

import (
	"iter"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A bids is the world of the stop bid: what has been bid so far.
type bids struct {
	view   *View
	armies []army // those of the seat that have drawn
	said   [armies]bool
	n      [armies]int
}

// An armyBid is how many markers an army bids.
type armyBid struct {
	army army
	n    int
}

// bidForm is the stop bid (EM-S1): {bid: 3}, or {bid: {red: 3, black: 1}} of a seat with two
// armies.
var bidForm = &form[*bids]{
	Clause: "EM-5.3",
	Begin: func(v *View, _ engine.Decision) (*bids, bool) {
		w := &bids{view: v}
		for _, a := range v.inPlay() {
			if _, most := v.bidRange(a); v.owns(a) && most > 0 {
				w.armies = append(w.armies, a)
			}
		}
		return w, len(w.armies) > 0
	},
	Flow:   true,
	Fields: []keyed[*bids]{bidField},
	Lacks: func(w *bids) *play.Fault {
		for _, a := range w.armies {
			if !w.said[a] {
				return &play.Fault{Clause: "EM-5.3", Why: phrase.Say("em.bid-lacks", armyArg("army", a))}
			}
		}
		return nil
	},
	Usual: func(x *draft[*bids]) {
		for _, a := range x.World.armies {
			x.Try("bid", armyBid{a, 1})
		}
	},
	Sense: senseBid,
	Note:  legend[*bids](bidLegend),
	Do: func(p *battlefield, _ engine.Decision, w *bids) {
		p.bidden = true
		for _, a := range w.armies {
			p.bid[a] = w.n[a]
		}
	},
}

// bidField is a number, or one for each army of the seat.
var bidField = keyed[*bids]{
	Key:   "bid",
	Shape: shape.Either(shape.Number(1, 99), shape.Map(shape.Words(red.String(), black.String()), shape.Number(1, 99))),
	Read: func(x *draft[*bids], r *orders.Reader, n *orders.Node) {
		take := func(at *orders.Node, a army) {
			since := len(r.Problems)
			v, ok := r.Int(at, 0, 99)
			x.Judge(r, at, "bid", armyBid{a, v}, ok, since)
		}
		if n.Kind != orders.Map && len(x.World.armies) == 1 {
			take(n, x.World.armies[0])
			return
		}
		keys := make([]string, len(x.World.armies))
		for i, a := range x.World.armies {
			keys[i] = a.String()
		}
		f := r.Fields(n, keys...)
		for _, a := range x.World.armies {
			if one := f.Get(a.String()); one != nil {
				take(one, a)
			}
		}
	},
	Write: func(x *draft[*bids], parts []play.Part) *orders.Node {
		n := orders.Inline()
		for _, part := range parts {
			b := part.Value.(armyBid)
			if len(x.World.armies) == 1 {
				return orders.Number(b.n)
			}
			n.Set(b.army.String(), orders.Number(b.n))
		}
		return n
	},
	Next: func(w *bids) iter.Seq[any] {
		return func(yield func(any) bool) {
			for _, a := range w.armies {
				if !w.said[a] && !yield(armyBid{a, 1}) {
					return
				}
			}
		}
	},
	May: func(w *bids, value any) *play.Fault {
		b := value.(armyBid)
		if w.said[b.army] {
			return &play.Fault{Clause: "EM-5.3", Why: phrase.Say("em.bid-twice", armyArg("army", b.army))}
		}
		return w.view.bidFault(b.army, b.n)
	},
	Arrange: func(_ *bids, parts []play.Part) {
		slices.SortFunc(parts, func(a, b play.Part) int { return int(a.Value.(armyBid).army) - int(b.Value.(armyBid).army) })
	},
	Put: func(w *bids, value any) {
		b := value.(armyBid)
		w.said[b.army], w.n[b.army] = true, b.n
	},
	Say: func(v *View, value any) engine.Choice {
		b := value.(armyBid)
		low, high := v.bidRange(b.army)
		return engine.Choice{Of: b.army.String(), What: "bid", Measure: true, Low: low, High: high, Value: b.n}
	},
	At: func(value any, n int) any { return armyBid{value.(armyBid).army, n} },
}
