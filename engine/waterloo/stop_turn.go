package waterloo

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// A bidOf is what a seat bids for the initiative: a card, or none.
type bidOf struct {
	card     cardID
	prussian bool // the anglo seat of three: let the Prussian bid stand (WAT-7.6)
}

type bidReply = *reply[bidOf]

// delegates tells whether the seat may leave the bid to the Prussian seat.
func (v *View) delegates() bool { return v.three() && v.side == "anglo" }

// bids are what a bid may be: a card, none, and prussian of the seat to which that
// means something.
var bids = kind[bidOf]{
	Shape: shape.Either(shape.Words("none", "prussian"), cardShape),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (bidOf, bool) {
		switch {
		case r.Is(n, "none"):
			return bidOf{}, true
		case v.delegates() && r.Is(n, "prussian"):
			return bidOf{prussian: true}, true
		}
		c, ok := v.nameCard(r, n)
		return bidOf{card: c}, ok
	},
	Write: func(v *View, b bidOf) *orders.Node {
		switch {
		case b.prussian:
			return orders.Text("prussian")
		case b.card == 0:
			return orders.Text("none")
		}
		return cards.Write(v, b.card)
	},
}

// bidForm is the stop bid: a card for the initiative, or none (WAT-S1).
var bidForm = &form[bidReply]{
	Begin: anywhere[bidOf],
	Flow:  true,
	Fields: []field[bidReply]{play.One("bid", bids, rule[bidReply, bidOf]{
		Next: func(w bidReply) iter.Seq[bidOf] {
			return func(yield func(bidOf) bool) {
				for _, c := range w.v.hand() {
					if !yield(bidOf{card: c}) {
						return
					}
				}
				if yield(bidOf{}) && w.v.delegates() {
					yield(bidOf{prussian: true})
				}
			}
		},
		May: func(w bidReply, b bidOf) *fault {
			if b.card != 0 && !w.v.holds(b.card) {
				return refusal("WAT-7.2", "wat.card-not-held", w.v.cardArg("card", b.card))
			}
			return nil
		},
		Put: bidReply.put,
		Say: func(v *View, b bidOf) engine.Choice {
			word := bids.Write(v, b).Text
			if b.card == 0 {
				return engine.Choice{What: word, Shown: word}
			}
			return engine.Choice{Of: word, What: "bid", Shown: word}
		},
	})},
	Usual: func(x *saying[bidReply]) { x.Try("bid", bidOf{}) },
	Chance: func(x *saying[bidReply], chance *rand.Rand) {
		hand := x.View.hand()
		switch i := chance.IntN(len(hand) + 3); {
		case i < len(hand):
			x.Try("bid", bidOf{card: hand[i]})
		case i == len(hand) && x.View.delegates():
			x.Try("bid", bidOf{prussian: true})
		}
	},
	Besides: func(x *saying[bidReply]) []string {
		if x.View.delegates() {
			return []string{"bid: prussian"}
		}
		return nil
	},
	Note: func(x *saying[bidReply], n *orders.Node) {
		n.Above = x.View.handComment(usesOf(play.Offers[bidOf](x.Blank(), "bid"), bidOf.use))
		if x.View.delegates() {
			n.Pairs[0].Value.Comment = "none, prussian"
		}
	},
	Do: func(p *battlefield, d engine.Decision, w bidReply) {
		f, seat := p.turnNow(), armyOfSeat(d.Side)
		f.answered[seat], f.bids[seat] = true, w.is.card
		f.prussianBids = f.prussianBids || w.is.prussian
	},
}

// Which Allied army plays a round; noArmy passes.
var (
	playing      = []army{anglo, prussian, noArmy}
	playingWords = []string{"anglo", "prussian", "pass"}
)

type armyReply = *reply[army]

// armyForm is the stop army: which Allied army plays the round (WAT-S2).
var armyForm = &form[armyReply]{
	Clause: "WAT-6.6",
	Begin:  anywhere[army],
	Flow:   true,
	Fields: []field[armyReply]{play.One("army", play.Keywords[*View](playingWords, playing), rule[armyReply, army]{
		Next: func(armyReply) iter.Seq[army] { return slices.Values(playing) },
		Put:  armyReply.put,
		Say: func(_ *View, a army) engine.Choice {
			word := playingWords[slices.Index(playing, a)]
			return engine.Choice{What: word, Shown: word}
		},
	})},
	Usual: func(x *saying[armyReply]) { x.Try("army", anglo) },
	Chance: func(x *saying[armyReply], chance *rand.Rand) {
		x.Try("army", [...]army{anglo, prussian, anglo, prussian, noArmy}[chance.IntN(5)])
	},
	Sense: func(x *saying[armyReply], _ *rand.Rand) { x.Try("army", senseArmy(x.View)) },
	Note: func(x *saying[armyReply], n *orders.Node) {
		n.Pairs[0].Value.Comment = strings.Join(playingWords, ", ")
		n.Above = x.View.handComment(nil)
	},
	// The file of the anglo seat counts; if it owed none, because a standing order
	// answers for it, that counts (WAT-6.6).
	Do: func(p *battlefield, d engine.Decision, w armyReply) {
		if armyOfSeat(d.Side) == anglo {
			r := p.roundNow()
			r.choice, r.pass = w.is, w.is == noArmy
		}
	},
}
