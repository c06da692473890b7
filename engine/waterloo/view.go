package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// View is what one side sees now (section 7 of the digest). It is built up from
// nothing: what is not copied here, the side does not know.
//
// The game in a view answers questions about rules as the position does; but the cards of
// others have no names (see [deck]), and what others have filed is not there.
type View struct {
	*game
	side engine.Side
	own  [armies]bool // the armies that the side commands
	// passOver notes that a standing order does not fit a unit; nil where nobody is told.
	passOver func(order string, id unitID)
}

// Side implements [engine.View].
func (v *View) Side() engine.Side { return v.side }

// View implements [engine.Position].
func (g *game) View(side engine.Side) engine.View { return g.view(side) }

func (g *game) view(side engine.Side) *View {
	v := &View{side: side, game: &game{}}
	gm := side == engine.GM
	for a := french; a <= prussian; a++ {
		v.own[a] = gm || g.seatOf(a) == side
	}
	v.scenario, v.options = g.scenario, g.options
	v.Turn, v.Entry, v.outcome = g.Turn, g.Entry, g.outcome
	v.Units = slices.Clone(g.Units)
	v.Commanders = g.Commanders
	v.CDP = slices.Clone(g.CDP)
	v.Control = slices.Clone(g.Control)
	for a := french; a <= prussian; a++ {
		d := &g.Decks[a]
		v.Decks[a] = deck{Hand: make([]cardID, len(d.Hand)), Used: slices.Clone(d.Used), Shown: slices.Clone(d.Shown), Committed: slices.Clone(d.Committed)}
		if gm || g.shared(a, armyOfSeat(side)) {
			copy(v.Decks[a].Hand, d.Hand)
		}
	}
	for _, f := range g.Flow {
		if gm {
			f = play.Clone(f)
		} else {
			f = f.seenBy(g, side)
		}
		if f != nil {
			v.Flow = append(v.Flow, f)
		}
	}
	for _, d := range g.asks {
		if d.Side == side {
			v.asks = append(v.asks, d)
		}
	}
	if gm {
		v.standing, v.policies = play.Clone(g.standing), g.policies
	} else {
		seat := armyOfSeat(side)
		v.standing[seat], v.policies[seat], v.ruled[seat] = play.Clone(g.standing[seat]), g.policies[seat], g.ruled[seat]
	}
	return v
}

// camp is the camp of the side; the GM has none.
func (v *View) camp() camp { return campOfSeat(v.side) }

// hand lists the cards of the hands that the side may play, in the order of ids.
func (v *View) hand() []cardID {
	var all []cardID
	for a := french; a <= prussian; a++ {
		if v.own[a] {
			all = append(all, v.Decks[a].Hand...)
		}
	}
	return all
}

// Marshal implements [engine.View]: everything in the game that is not zero,
// in the form of a position.
func (v *View) Marshal() ([]byte, error) {
	n := orders.Mapping().Set("side", orders.Text(string(v.side)))
	v.node(n)
	return []byte(n.Encode()), nil
}

// trying is the view on a copy of its game, on which steps can be tried.
func (v *View) trying() *View { return &View{game: v.trial(), side: v.side, own: v.own} }
