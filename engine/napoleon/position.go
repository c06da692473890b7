package napoleon

import (
	"fmt"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The YAML of a position: for snapshots, exports, edits of a game master and
// conformance cases. Values that are zero are left out. Units stand in a map by id, so
// that an edit names only what it changes. The keys are given at the fields of the
// model.

// Clone implements [engine.Position].
func (g *game) Clone() engine.Position {
	c := *g
	c.units = slices.Clone(g.units)
	c.roadUse = slices.Clone(g.roadUse)
	c.pool = slices.Clone(g.pool)
	c.auction.bids = slices.Clone(g.auction.bids)
	c.asks = slices.Clone(g.asks)
	c.answered = slices.Clone(g.answered)
	c.battles = make([]battle, len(g.battles))
	for i := range g.battles {
		c.battles[i] = g.battles[i].clone()
	}
	for i := range g.seen {
		c.seen[i] = slices.Clone(g.seen[i])
	}
	return &c
}

// positionKeys are the keys of a position in their order, and those that only a view has:
// side, own and blocks. The codec does not know all of them, and the others are written
// and read here.
var positionKeys = []string{"side", "own", "ruleset", "scenario", "options", "turn", "phase", "bidding", "ahead", "supplied", "owed", "units", "blocks", "losses",
	"defeated", "roads", "pool", "seen", "standing", "policies", "answered", "file", "battles"}

// otherKeys are those that the codec does not read.
var otherKeys = []string{"ruleset", "scenario", "options", "owed", "standing", "policies", "answered", "file"}

// Marshal implements [engine.Position].
func (g *game) Marshal() ([]byte, error) {
	root := g.node()
	if library.Carries(g.scenario) {
		root.Set("file", orders.Text(string(g.source)))
	}
	return g.encode(root)
}

// node writes the game, but for the file of its scenario.
func (g *game) node() *orders.Node {
	root := g.codec.Write(g)
	root.Set("ruleset", orders.Text("napoleon")).Set("scenario", orders.Text(g.name))
	play.Put(root, "options", g.menu().Node(&g.options))
	play.Put(root, "owed", play.Owed(g.asks))
	play.Put(root, "standing", play.BySide(g.Sides(), func(i int) *orders.Node {
		return formerKeys.Of("standing", standingKeys.Normal(g.scenario, g.standing.of(i)))
	}))
	play.Put(root, "policies", play.BySide(g.Sides(), func(i int) *orders.Node { return g.policies[i].Node() }))
	play.Put(root, "answered", play.LeftNode(g.answered))
	return root
}

// encode puts the keys in their order. The codec reads the outcome, but [orders.Marshal]
// writes it, with the quotes that it has in the positions of the past.
func (g *game) encode(root *orders.Node) ([]byte, error) {
	root.Pairs = slices.DeleteFunc(root.Pairs, func(p orders.Pair) bool { return p.Key.Text == "outcome" })
	slices.SortFunc(root.Pairs, func(a, b orders.Pair) int {
		return slices.Index(positionKeys, a.Key.Text) - slices.Index(positionKeys, b.Key.Text)
	})
	if g.outcome == nil {
		return []byte(root.Encode()), nil
	}
	outcome, err := orders.Marshal(struct{ Outcome *engine.Outcome }{g.outcome})
	if err != nil {
		return nil, fmt.Errorf("write the outcome: %w", err)
	}
	return append([]byte(root.Encode()), outcome...), nil
}

// newCodec makes a codec that knows the ids of the scenario and everything that a position holds.
func (s *scenario) newCodec() *play.Codec {
	c := play.NewCodec()
	towns, names := make([]string, len(s.towns)), make([][]string, len(s.towns))
	for i := range s.towns {
		towns[i], names[i] = s.towns[i].id, append([]string{s.towns[i].name}, s.towns[i].aliases...)
	}
	units, roads := make([]string, len(s.roster)), make([]string, len(s.roads))
	for i := range s.roster {
		units[i] = s.roster[i].id
	}
	for i := range s.roads {
		roads[i] = s.roadName(i)
	}
	c.Things(townID(0), play.Things{Kind: "town", IDs: towns, Names: names})
	c.Things(unitID(0), play.Things{Kind: "unit", IDs: units})
	c.List(play.Things{Kind: "road", IDs: roads, Find: s.pickRoad})
	c.List(play.Things{Kind: "bidder", IDs: campWords[:], First: 1, Words: true}) // the seats of two players
	c.List(play.Things{Kind: "position", IDs: fieldWords[attackerLeft:], First: int(attackerLeft), Words: true})
	for _, w := range []struct {
		sample any
		kind   string
		words  []string
	}{
		{french, "army", armyWords[:]}, {frenchCamp, "camp", campWords[:]}, {bidding, "phase", phaseWords[:]},
		{opened, "stage", stageWords[:]}, {turnDue, "step", stepWords[:]},
	} {
		c.Things(w.sample, play.Things{Kind: w.kind, IDs: w.words, Words: true})
	}
	for _, w := range []struct { // kinds whose first word means none
		sample any
		kind   string
		words  []string
	}{
		{offBoard, "field", fieldWords[:]}, {noPiece, "piece", pieceWords[:]}, {doNothing, "verb", verbWords[:]},
		{anyGroup, "group", groupWords[:]}, {guideOpen, "guide", guideWords},
	} {
		c.Things(w.sample, play.Things{Kind: w.kind, IDs: w.words[1:], First: 1, Words: true})
	}
	c.Bound("turns", len(s.turns))
	c.Bound("units", len(s.roster))
	return c
}

// roadName is how a position names a road: its towns, as the scenario has them.
func (s *scenario) roadName(i int) string {
	return s.towns[s.roads[i].a].id + "/" + s.towns[s.roads[i].b].id
}

// pickRoad reads a road by the names of its towns, in any order.
func (s *scenario) pickRoad(r *orders.Reader, n *orders.Node) (int, bool) {
	a, b, _ := strings.Cut(n.Text, "/")
	from, okA := s.townNamed(a)
	to, okB := s.townNamed(b)
	if okA && okB {
		if i, joined := s.roadBetween(from, to); joined {
			return i, true
		}
	}
	r.Refuse(n, "", phrase.Say("nap.position-road", phrase.Literal("road", n.Text)))
	return -1, false
}

// A positionReader reads a position back.
type positionReader struct {
	*orders.Reader
	g *game
}

// Load implements [engine.Ruleset]. The error is an [orders.Problems] with the
// place of every fault.
//
// Decisions owed that do not belong to the turn and phase, as after an edit that
// moves the game to another phase, are dropped: if the position is then advanced without
// any answer, it plays on to the next stop.
func (Ruleset) Load(data []byte) (engine.Position, error) {
	return play.ReadPosition(data, func(r *orders.Reader, root *orders.Node) engine.Position {
		x := &positionReader{Reader: r}
		x.position(root)
		return x.g
	})
}

func (x *positionReader) position(root *orders.Node) {
	f, s, ok := library.Headed(x.Reader, root, "napoleon", otherKeys, func(s *scenario, chosen map[string]string) orders.Problems {
		o, faults := s.readOptions(chosen)
		if len(faults) == 0 {
			x.g = newGame(s, o)
		}
		return faults
	})
	if !ok {
		return
	}
	g := x.g
	s.codec.Read(x.Reader, root, g, otherKeys...)
	if g.phase == bidding && g.options.sides != sidesBid {
		x.Refuse(root.Get("phase"), "NAP-12.0", phrase.Say("nap.position-bids"))
	}
	for c, all := range g.seen {
		for _, u := range all {
			if g.roster[u.unit].army.camp() == camp(c) {
				x.Refuse(play.At(root, "seen", campWords[c], s.roster[u.unit].id), "", phrase.Say("nap.position-seen", g.idArg("unit", u.unit)))
			}
		}
	}
	judged, sound := g, len(x.Problems) == 0
	if !sound { // such a position can't even be looked at
		judged = newGame(s, g.options)
	}
	play.ReadBySide(x.Reader, f.Get("standing"), g.Sides(), func(i int, n *orders.Node) {
		g.standing.set(i, play.ReadOrders(standingKeys, judged.view(g.Sides()[i]), x.Reader, n))
	})
	play.ReadBySide(x.Reader, f.Get("policies"), g.Sides(), func(i int, n *orders.Node) {
		side := g.Sides()[i]
		if p := declared.LoadPolicies(judged.view(side), x.Reader, n); sound {
			g.enforce(side, p)
		}
	})
	fits := func(d engine.Decision) bool { return sound && g.outcome == nil && g.fits(d) }
	g.asks = play.ReadOwed(x.Reader, f.Get("owed"), g.Sides(), stops, fits)
	g.answered = play.ReadLeft(x.Reader, f.Get("answered"), g.Sides(), stops, g.asks, fits)
}

// HasPos implements [play.PosHaver]: about an eliminated unit nothing else is said.
func (u *unit) HasPos(key string) bool { return !u.dead || key == "dead" }

// SettlePos implements [play.PosSettler].
func (u *unit) SettlePos(x *play.Scribe, at orders.Fields) {
	g := x.Whole.(*game)
	if u.dead {
		*u = unit{id: u.id, army: u.army, kind: u.kind, fire: u.fire, town: noTown, came: noTown, shelter: noUnit, dead: true}
		return
	}
	if most := g.roster[u.id].strength; u.strength > most {
		x.Int(at.Get("strength"), 1, int(most))
	}
	if u.field != offBoard && u.town == noTown {
		x.Refuse(at.Get("field"), "", phrase.Say("nap.position-field", g.unitArg("unit", u)))
	}
	if u.holds != noPiece {
		x.Word(at.Get("holds"), farm.String(), hill.String())
	}
}

// SettlePos implements [play.PosSettler].
func (s *sighting) SettlePos(x *play.Scribe, at orders.Fields) {
	x.Int(at.Get("strength"), 0, int(x.Whole.(*game).roster[s.unit].strength))
}

// fits tells whether a decision can be owed in the present turn and phase.
func (g *game) fits(d engine.Decision) bool {
	active := g.turns[g.turn].camp
	switch d.Kind {
	case "bid", "handicap":
		return g.bidsFit(d)
	case "deploy":
		return g.phase == deployAllied && g.campOf(d.Side) == alliedCamp || g.phase == deployFrench && g.campOf(d.Side) == frenchCamp
	case "move":
		return g.phase == movement && g.campOf(d.Side) == active && (!g.byTurns() || d.Side == g.nextToMove())
	case "supply":
		return g.phase == supplyPhase && g.supplied
	}
	if g.phase != battlePhase {
		return false
	}
	return g.awaits(d)
}
