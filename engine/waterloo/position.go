package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// The YAML of a position: for snapshots, exports, edits of a game master and
// conformance cases. Values that are zero are left out. Units stand in a map by id, so
// that an edit names only what it changes.

// frameKinds are the frames by the keys under which a position holds them.
var frameKinds = map[string]any{
	"turn":  (*turnFrame)(nil),
	"round": (*roundFrame)(nil),
	"move":  (*moveFrame)(nil),
	"entry": (*entryFrame)(nil),
	"place": (*placeFrame)(nil),

	"battle":  (*battleFrame)(nil),
	"charge":  (*chargeFrame)(nil),
	"cavalry": (*cavalryFrame)(nil),
	"window":  (*windowFrame)(nil),
}

// node writes everything of the game that changes.
func (g *game) node(root *orders.Node) {
	root.Set("ruleset", orders.Text("waterloo")).Set("scenario", orders.Text(g.name))
	play.Put(root, "options", g.menu().Node(&g.options))
	play.Put(root, "owed", play.Owed(g.asks))
	root.Pairs = append(root.Pairs, g.codec.Write(g).Pairs...)
	sides := g.Sides()
	play.Put(root, "standing", play.BySide(sides, func(i int) *orders.Node {
		return formerKeys.Of("standing", standingKeys.Normal(g.scenario, &g.standing[armyOfSeat(sides[i])]))
	}))
	play.Put(root, "policies", play.BySide(sides, func(i int) *orders.Node { return g.policies[armyOfSeat(sides[i])].Node() }))
	play.Put(root, "answered", play.LeftNode(g.answered))
	if o := g.outcome; o != nil {
		var winners []string
		for _, side := range o.Winners {
			winners = append(winners, string(side))
		}
		root.Set("outcome", orders.Inline().Set("winners", orders.Texts(winners...)))
	}
}

// Marshal implements [engine.Position].
func (g *game) Marshal() ([]byte, error) {
	root := orders.Mapping()
	g.node(root)
	if library.Carries(g.scenario) {
		root.Set("file", orders.Text(string(g.source)))
	}
	return []byte(root.Encode()), nil
}

// A positionReader reads a position back.
type positionReader struct {
	*orders.Reader
	g *game
}

// Load implements [engine.Ruleset]. The error is an [orders.Problems] with the
// place of every fault.
//
// A position whose owed decisions do not belong to what is going on is refused;
// one that owes nothing plays on to the next stop when it is advanced without
// answers.
func (Ruleset) Load(data []byte) (engine.Position, error) {
	return play.ReadPosition(data, func(r *orders.Reader, root *orders.Node) engine.Position {
		x := &positionReader{Reader: r}
		x.position(root)
		return x.g
	})
}

// otherKeys are those of a position that the codec does not read.
var otherKeys = []string{"ruleset", "scenario", "options", "owed", "standing", "policies", "answered", "outcome", "file"}

func (x *positionReader) position(root *orders.Node) {
	f, s, ok := library.Headed(x.Reader, root, "waterloo", otherKeys, func(s *scenario, chosen map[string]string) orders.Problems {
		g, faults := newGame(s, chosen)
		if len(faults) == 0 {
			x.g = &game{scenario: s, options: g.options}
		}
		return faults
	})
	if !ok {
		return
	}
	g := x.g
	s.codec.Read(x.Reader, root, g, otherKeys...)
	g.Units = play.Resized(g.Units, len(s.roster)+1)
	g.CDP = play.Resized(g.CDP, len(s.chateaux)+1)
	g.Control = play.Resized(g.Control, len(s.objectives)+1)
	if len(x.Problems) > 0 {
		return
	}
	if n := f.Get("outcome"); n != nil {
		o := x.Fields(n, "winners")
		var winners []engine.Side
		for _, item := range x.List(x.Require(o, "winners")) {
			if side, ok := x.Word(item, play.SideWords(g.Sides())...); ok {
				winners = append(winners, engine.Side(side))
			}
		}
		ended := g.ended(winners)
		g.outcome = &ended
	}
	if len(x.Problems) == 0 {
		x.check(root)
	}
	if len(x.Problems) > 0 {
		return
	}
	play.ReadBySide(x.Reader, f.Get("policies"), g.Sides(), func(i int, n *orders.Node) {
		side := g.Sides()[i]
		g.enforce(armyOfSeat(side), declared.LoadPolicies(g.view(side), x.Reader, n))
	})
	play.ReadBySide(x.Reader, f.Get("standing"), g.Sides(), func(i int, n *orders.Node) {
		side := g.Sides()[i]
		r := orders.NewReader(vocabulary)
		g.standing[armyOfSeat(side)] = play.ReadOrders(standingKeys, g.view(side), r, n)
		x.Problems = append(x.Problems, r.Problems...)
	})
	// What is going on asks for what it does not find owed when the position is
	// advanced without answers.
	fits := func(d engine.Decision) bool {
		asks, is := g.top().(asker)
		return is && g.outcome == nil && asks.asks(g, d)
	}
	g.asks = play.ReadOwed(x.Reader, f.Get("owed"), g.Sides(), stops, fits)
	g.answered = play.ReadLeft(x.Reader, f.Get("answered"), g.Sides(), stops, g.asks, fits)
}

// check puts what was read in order and refuses what can't be in any game, each fault at
// its place.
func (x *positionReader) check(root *orders.Node) {
	x.g.tidy()
	found := &breaches{game: x.g}
	found.impossible()
	for _, b := range found.All {
		x.RefuseWith(play.At(root, b.Keys...), b.Clause, b.Why, b.Remedy)
	}
}

// tidy does what an edit need not say: eliminated units leave the board and lose all
// their marks, a unit without a facing faces as at the start, cards lie in order.
func (g *game) tidy() {
	for i := 1; i < len(g.Units); i++ {
		u := &g.Units[i]
		if u.Dead {
			*u = unit{Dead: true}
		}
		if u.At != 0 && u.Face == noFacing {
			u.Face = g.def(unitID(i)).face
		}
	}
	for a := french; a <= prussian; a++ {
		d := &g.Decks[a]
		for _, zone := range [...][]cardID{d.Hand, d.Used, d.Shown, d.Committed} {
			slices.Sort(zone)
		}
	}
}

// An asker is a frame that waits for answers.
type asker interface {
	// asks tells whether the frame, when it is on top, could have asked this decision.
	asks(g *game, d engine.Decision) bool
}
