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
	"berthier/orders/phrase"
)

// The stops of the reactions to a move: WAT-S5, S6 and S12.

// A retreating is the world of the stop cavalry-retreat: who retreats so far.
type retreating struct {
	v       *View
	units   []unitID // that are asked about
	entrant unitID   // before whom they would retreat
	board   *game    // where those have gone who retreat: a copy, once there are any
	list    []withdrawal
	named   []unitID // in the file, to go or to stay
}

// asked gives the cavalry about which a seat is asked, and before whom it would
// retreat.
func (v *View) asked() (units []unitID, entrant unitID) {
	c := under[*cavalryFrame](v.game)
	if c == nil || c.Unit == 0 {
		return nil, 0
	}
	return v.startledOf(c.asking(v.game), c.Unit), c.Unit
}

// nameFault tells why a unit may not be named at the stop.
func (w *retreating) nameFault(id unitID) *fault {
	v := w.v
	switch {
	case !slices.Contains(w.units, id):
		f := refusal("WAT-9.50", "wat.cavalry-not", v.unitArg("unit", id), v.unitArg("enemy", w.entrant))
		f.Remedy = phrase.Say("wat.one-of-units", v.unitsArg("units", w.units))
		return f
	case slices.Contains(w.named, id):
		return refusal("WAT-9.50", "wat.named-twice", v.unitArg("unit", id))
	}
	return nil
}

// fault tells why a unit may not retreat.
func (w *retreating) fault(one withdrawal) *fault {
	if one.unit == 0 {
		return nil // a name that could not be read
	}
	if f := w.nameFault(one.unit); f != nil {
		return f
	}
	squares := w.board.escapes(one.unit, w.entrant)
	if one.to == 0 || slices.Contains(squares, one.to) {
		return nil
	}
	f := refusal("WAT-9.37", "wat.retreat-not", w.v.unitArg("unit", one.unit), w.v.squareArg("square", one.to))
	if len(squares) > 0 {
		f.Remedy = phrase.Say("wat.retreat-squares", w.v.squareArgs("squares", squares))
	}
	return f
}

// rest are the cavalry that do not retreat.
func (w *retreating) rest() []unitID {
	return slices.DeleteFunc(slices.Clone(w.units), func(id unitID) bool {
		return slices.ContainsFunc(w.list, func(one withdrawal) bool { return one.unit == id })
	})
}

// withdrawals are {unit, to, face}.
var withdrawals = play.InShort(play.Record(
	play.Need("unit", units, func(w *withdrawal) *unitID { return &w.unit }),
	play.Need("to", squares, func(w *withdrawal) *square { return &w.to }),
	play.Of("face", facings, func(w *withdrawal) *facing { return &w.face }),
), "{unit} - {to} [face {face}]")

// cavalryForm is the stop cavalry-retreat: cavalry that goes out of the way of who
// has just entered (WAT-S5). Where one unit has gone, no other can.
var cavalryForm = &form[*retreating]{
	Begin: func(v *View, _ engine.Decision) (*retreating, bool) {
		units, entrant := v.asked()
		if entrant == 0 {
			return nil, false
		}
		return &retreating{v: v, units: units, entrant: entrant, board: v.game}, true
	},
	Fields: []field[*retreating]{
		retreatField(),
		{ // who stays: what is written of it hangs on who goes, and says nothing besides
			Key: "stay", Optional: true, Shape: shape.Either(shape.Words("all"), shape.List(unitShape)),
			Read: func(x *saying[*retreating], r *orders.Reader, n *orders.Node) {
				if r.Is(n, "none") || r.Is(n, "all") {
					return
				}
				for _, item := range r.List(n) {
					if id, ok := units.Read(x.View, r, item); ok && !x.World.nameFault(id).Refuse(r, item) {
						x.World.named = append(x.World.named, id)
					}
				}
			},
			Write: func(x *saying[*retreating], _ []play.Part) *orders.Node {
				stay := x.World.rest()
				if len(stay) == 0 && len(x.World.list) > 0 {
					return nil
				}
				return x.View.unitTexts(stay)
			},
		},
	},
	Chance: func(x *saying[*retreating], chance *rand.Rand) {
		w := x.World
		for _, id := range w.units {
			if squares := w.board.escapes(id, w.entrant); len(squares) > 0 && chance.IntN(2) == 0 {
				x.Try("retreat", withdrawal{id, squares[chance.IntN(len(squares))], facing(chance.IntN(5))})
			}
		}
	},
	Sense: func(x *saying[*retreating], _ *rand.Rand) {
		for _, one := range senseWithdrawals(x.View, x.World.entrant, x.World.units) {
			x.Try("retreat", one)
		}
	},
	Stands: true,
	Note: func(x *saying[*retreating], n *orders.Node) {
		var lines, to []string
		options := slices.DeleteFunc(play.Offers[withdrawal](x.Blank(), "retreat"), func(one withdrawal) bool { return one.face != noFacing })
		for i, one := range options {
			to = append(to, x.View.squareID(one.to))
			if i+1 == len(options) || options[i+1].unit != one.unit {
				lines = append(lines, "retreat: [{unit: "+x.View.def(one.unit).id+", to: "+strings.Join(to, " | ")+", face: "+faceList+"}]")
				to = nil
			}
		}
		list := spareOf(options, func(one withdrawal) string { return withdrawals.Write(x.View, one).OneLine() })
		if len(options) > 0 {
			options[0].face = faces[1]
			list = append(list, "- "+withdrawals.Write(x.View, options[0]).OneLine())
		}
		*n = *orders.Mapping().Set("retreat", closed(list))
		n.Spare = []string{"stay: all"}
		overText(n.Pairs[0].Key, lines...)
	},
	Do: func(p *battlefield, _ engine.Decision, w *retreating) {
		if c, ok := p.top().(*cavalryFrame); ok {
			c.withdraw(p, c.asking(p.game), w.list)
		}
	},
}

func retreatField() field[*retreating] {
	f := play.List("retreat", "", withdrawals, rule[*retreating, withdrawal]{
		Next: func(w *retreating) iter.Seq[withdrawal] {
			return func(yield func(withdrawal) bool) {
				for _, id := range w.rest() {
					for _, q := range w.board.escapes(id, w.entrant) {
						for _, f := range faces {
							if !yield(withdrawal{id, q, f}) {
								return
							}
						}
					}
				}
			}
		},
		May: (*retreating).fault,
		Place: func(_ withdrawal, f *fault) []string {
			if f.Clause == "WAT-9.37" { // where it goes
				return []string{"to"}
			}
			return []string{"unit"}
		},
		Partly: true,
		Put: func(w *retreating, one withdrawal) {
			if len(w.list) == 0 {
				w.board = w.v.trial()
			}
			w.list, w.named = append(w.list, one), append(w.named, one.unit)
			w.board.unit(one.unit).At = one.to
		},
		Say: func(v *View, one withdrawal) engine.Choice {
			id := v.def(one.unit).id
			return engine.Choice{Of: id, What: "retreat " + v.squareID(one.to) + faceText(one.face), Shown: id}
		},
	})
	f.Optional = true
	return f
}

// A firing is a card with what fires it; the card 0 holds fire.
type firing struct {
	card cardID
	shot shot
}

type firingReply = *reply[firing]

// firings are {card, by, side}, or none.
var firings = play.OrNone(play.InShort(play.Record(
	play.Need("card", cards, func(f *firing) *cardID { return &f.card }),
	play.Need("by", units, func(f *firing) *unitID { return &f.shot.by }),
	play.Of("side", facings, func(f *firing) *facing { return &f.shot.side }),
), "{card} by {by} [side {side}]"), "none", "hold")

// fireForm is the stops artillery and revealed: a card that fires at whoever has
// come into sight (WAT-S6, WAT-S12).
var fireForm = &form[firingReply]{
	Begin: anywhere[firing],
	Fields: []field[firingReply]{play.One("fire", firings, rule[firingReply, firing]{
		Next: func(w firingReply) iter.Seq[firing] {
			return func(yield func(firing) bool) {
				if !yield(firing{}) {
					return
				}
				for _, c := range w.v.hand() {
					for _, s := range w.v.shots(w.v.card(c).army) {
						if !yield(firing{c, s}) {
							return
						}
					}
				}
			}
		},
		Settle: func(w firingReply, f firing) firing {
			if f.card != 0 {
				if _, fires, fault := w.v.aimed(f.shot); fault == nil {
					f.shot = fires
				}
			}
			return f
		},
		May: func(w firingReply, f firing) *fault {
			if f.card == 0 {
				return nil
			}
			return w.v.fireFault(f.card, f.shot)
		},
		Put: firingReply.put,
		Say: func(v *View, f firing) engine.Choice {
			if f.card == 0 {
				return engine.Choice{What: "none", Shown: "none"}
			}
			return engine.Choice{Of: v.card(f.card).id, What: f.shot.text(v.game), Shown: "by: " + v.def(f.shot.by).id}
		},
	})},
	Usual: func(x *saying[firingReply]) { x.Try("fire", firing{}) },
	Chance: func(x *saying[firingReply], chance *rand.Rand) {
		if chance.IntN(2) == 0 {
			return
		}
		hand := x.View.hand()
		chance.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] })
		for _, c := range hand {
			if c == 0 {
				continue
			}
			if one, ok := x.View.randomShot(c, chance); ok && x.Try("fire", firing{c, one}) {
				return
			}
		}
	},
	// Where that is worth a card.
	Sense: func(x *saying[firingReply], _ *rand.Rand) {
		if c, s, ok := senseShot(x.View); ok {
			x.Try("fire", firing{c, s})
		}
	},
	Besides: func(*saying[firingReply]) []string { return []string{"fire: hold"} },
	Note:    noteFire,
	Do: func(p *battlefield, d engine.Decision, w firingReply) {
		if f, ok := p.top().(*windowFrame); ok {
			f.replies = append(f.replies, windowReply{d.Side, w.is.card, w.is.shot})
		}
	},
}

// noteFire writes above a template the cards in hand and the shots that they can fire.
func noteFire(x *saying[firingReply], n *orders.Node) {
	v, options := x.View, play.Offers[firing](x.Blank(), "fire")
	lines := []string{v.handComment(usesOf(options, firing.use))}
	for _, f := range options {
		if f.card == 0 {
			continue
		}
		line := v.shotComment(f.shot)
		if target, _, _ := v.aimed(f.shot); v.unit(target).Disordered {
			line += " disordered"
		}
		if !slices.Contains(lines, line) { // not yet by another card
			lines = append(lines, line)
		}
	}
	overText(n.Pairs[0].Key, append([]string{fireLegend}, lines...)...)
}

// fireLegend says why a seat is asked that has nothing to fire.
var fireLegend = orders.Tongues("asked whatever you hold, so that the pause tells nobody what it is", "la domanda arriva qualunque carta tu abbia: così l'attesa non dice quali")

// fireFault tells why a card can't be fired in a window.
func (g *game) fireFault(c cardID, s shot) *fault {
	switch {
	case !g.holds(c):
		return refusal("WAT-6.1", "wat.commit-hand", g.cardArg("card", c))
	case g.card(c).action != artilleryFire:
		return refusal("WAT-6.1", "wat.commit-action", g.cardArg("card", c), useArg("use", asArtillery))
	}
	if f := g.barred(c); f != nil {
		return f
	}
	return g.shotFault(c, s)
}
