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

// The YAML of a position: snapshots, exports, edits of a game master and
// conformance cases. What is zero is left out. Units stand in a map by id, so
// that an edit names only what it changes.

// Clone implements [engine.Position].
func (g *game) Clone() engine.Position {
	c := *g
	c.units = slices.Clone(g.units)
	c.roadUse = slices.Clone(g.roadUse)
	c.pool = slices.Clone(g.pool)
	c.bids = slices.Clone(g.bids)
	c.asks = slices.Clone(g.asks)
	c.battles = make([]battle, len(g.battles))
	for i := range g.battles {
		c.battles[i] = g.battles[i].clone()
	}
	for i := range g.seen {
		c.seen[i] = slices.Clone(g.seen[i])
	}
	return &c
}

// Marshal implements [engine.Position].
func (g *game) Marshal() ([]byte, error) {
	root := orders.Mapping().Set("ruleset", orders.Text("napoleon")).Set("scenario", orders.Text(g.name))
	play.Put(root, "options", g.menu().Node(&g.options))
	root.Set("turn", orders.Number(g.turn+1)).Set("phase", orders.Text(g.phase.String()))
	if g.bidder > 0 {
		root.Set("bidding", g.biddingNode())
	}
	if g.ahead != nil {
		root.Set("ahead", g.aheadNode())
	}
	if g.supplied {
		root.Set("supplied", orders.Text("true"))
	}
	play.Put(root, "owed", play.Owed(g.asks))
	units := orders.Mapping()
	for i := range g.units {
		units.Set(g.roster[i].id, g.unitNode(&g.units[i]))
	}
	root.Set("units", units)
	play.Put(root, "losses", g.lossesNode())
	play.Put(root, "defeated", g.defeatedNode())
	play.Put(root, "roads", g.roadsNode())
	play.Put(root, "pool", g.poolNode())
	play.Put(root, "seen", g.seenNode())
	play.Put(root, "standing", play.BySide(g.Sides(), func(i int) *orders.Node { return formerKeys.Of("standing", g.standing[i].node(g.scenario)) }))
	if shelf.Carries(g.scenario) {
		root.Set("file", orders.Text(string(g.source)))
	}
	text := []byte(root.Encode())
	rest := struct {
		Battles []battleDoc     `yaml:"battles,omitempty"`
		Outcome *engine.Outcome `yaml:"outcome,omitempty"`
	}{Outcome: g.outcome}
	for i := range g.battles {
		rest.Battles = append(rest.Battles, g.battleDoc(&g.battles[i]))
	}
	if rest.Battles == nil && rest.Outcome == nil {
		return text, nil
	}
	more, err := orders.Marshal(rest)
	if err != nil {
		return nil, fmt.Errorf("write the position: %w", err)
	}
	return append(text, more...), nil
}

// lossesNode writes how many units each army has lost; nil if none.
func (g *game) lossesNode() *orders.Node {
	if g.losses == [armies]int{} {
		return nil
	}
	n := orders.Inline()
	for a, lost := range g.losses {
		if lost > 0 {
			n.Set(armyWords[a], orders.Number(lost))
		}
	}
	return n
}

// defeatedNode writes which armies are defeated; nil if none is.
func (g *game) defeatedNode() *orders.Node {
	if g.defeated == [armies]bool{} {
		return nil
	}
	n := orders.Texts()
	for a, yes := range g.defeated {
		if yes {
			n.Add(orders.Text(armyWords[a]))
		}
	}
	return n
}

// roadsNode writes how many units have used each road; nil if none.
func (g *game) roadsNode() *orders.Node {
	roads := orders.Mapping()
	for i, n := range g.roadUse {
		if n > 0 {
			roads.Set(g.roadName(i), orders.Number(int(n)))
		}
	}
	if len(roads.Pairs) == 0 {
		return nil
	}
	return roads
}

// poolNode writes the pieces of terrain in the pool; nil if there are none.
func (g *game) poolNode() *orders.Node {
	if len(g.pool) == 0 {
		return nil
	}
	n := orders.Texts()
	for _, p := range g.pool {
		n.Add(orders.Text(p.String()))
	}
	return n
}

// seenNode writes what each camp has seen of units; nil if nothing.
func (g *game) seenNode() *orders.Node {
	seen := orders.Mapping()
	for c, all := range g.seen {
		if len(all) == 0 {
			continue
		}
		of := orders.Mapping()
		for _, s := range all {
			n := orders.Inline()
			if s.town != noTown {
				n.Set("at", orders.Text(g.towns[s.town].id))
			}
			of.Set(g.unitName(s.unit), n.Set("strength", orders.Number(int(s.strength))).Set("turn", orders.Number(s.turn+1)))
		}
		seen.Set(campWords[c], of)
	}
	if len(seen.Pairs) == 0 {
		return nil
	}
	return seen
}

// roadName is how a position names a road: its towns, as the scenario has them.
func (g *game) roadName(i int) string {
	return g.towns[g.roads[i].a].id + "/" + g.towns[g.roads[i].b].id
}

// unitMarks are the marks of a unit that are there or not, by their names.
func unitMarks(u *unit) []struct {
	name string
	is   *bool
} {
	return []struct {
		name string
		is   *bool
	}{
		{"moved", &u.moved}, {"forced", &u.forced}, {"disrupted", &u.disrupted}, {"regrouped", &u.regrouped},
		{"shown", &u.shown}, {"square", &u.square}, {"shock", &u.shock}, {"salvo", &u.salvo},
		{"spent", &u.spent}, {"fired", &u.fired}, {"engaged", &u.engaged}, {"disengaged", &u.disengaged},
	}
}

func (g *game) unitNode(u *unit) *orders.Node {
	n := orders.Inline()
	if u.dead {
		return n.Set("dead", orders.Text("true"))
	}
	if u.town != noTown {
		n.Set("at", orders.Text(g.towns[u.town].id))
	}
	n.Set("strength", orders.Number(int(u.strength)))
	if u.came != noTown {
		n.Set("came", orders.Text(g.towns[u.came].id))
	}
	if u.field != offBoard {
		n.Set("field", orders.Text(u.field.String()))
	}
	for _, mark := range unitMarks(u) {
		if *mark.is {
			n.Set(mark.name, orders.Text("true"))
		}
	}
	if u.shelter != noUnit {
		n.Set("shelter", orders.Text(g.unitName(u.shelter)))
	}
	if u.holds != noPiece {
		n.Set("holds", orders.Text(u.holds.String()))
	}
	if u.steps != 0 {
		n.Set("steps", orders.Number(int(u.steps)))
	}
	return n
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
// sets the game elsewhere, are dropped: advancing the position without any
// answer then plays on to the next stop.
func (Ruleset) Load(data []byte) (engine.Position, error) {
	return play.ReadPosition(data, func(r *orders.Reader, root *orders.Node) engine.Position {
		x := &positionReader{Reader: r}
		x.position(root)
		return x.g
	})
}

func (x *positionReader) position(root *orders.Node) {
	f := x.Fields(root, "ruleset", "scenario", "options", "turn", "phase", "bidding", "ahead", "supplied", "owed", "units", "losses",
		"defeated", "roads", "pool", "seen", "standing", "file", "battles", "outcome")
	var o options
	s, ok := shelf.Opened(x.Reader, f, "napoleon", func(s *scenario, chosen map[string]string) (faults orders.Problems) {
		o, faults = s.readOptions(chosen)
		return faults
	})
	if !ok {
		return
	}
	x.g = newGame(s, o)
	g := x.g
	if turn, ok := x.Int(x.Require(f, "turn"), 1, len(s.turns)); ok {
		g.turn = turn - 1
	}
	if word, ok := x.Word(x.Require(f, "phase"), phaseWords[:]...); ok {
		g.phase = phase(slices.Index(phaseWords[:], word))
	}
	if n := f.Get("phase"); g.phase == bidding && g.options.sides != sidesBid {
		x.Refuse(n, "NAP-12.0", phrase.Say("nap.position-bids"))
	}
	x.bidding(f.Get("bidding"))
	x.flag(f.Get("supplied"), &g.supplied)
	x.units(f.Get("units"))
	x.byArmy(f.Get("losses"))
	for _, item := range x.List(f.Get("defeated")) {
		if word, ok := x.Word(item, armyWords[:]...); ok {
			a, _ := armyNamed(word)
			g.defeated[a] = true
		}
	}
	x.roads(f.Get("roads"))
	x.ahead(f.Get("ahead"))
	for _, item := range x.List(f.Get("pool")) {
		if word, ok := x.Word(item, pieceWords[wood:]...); ok {
			p, _ := pieceNamed(word)
			g.pool = append(g.pool, p)
		}
	}
	x.seen(f.Get("seen"))
	play.ReadBySide(x.Reader, f.Get("standing"), g.Sides(), func(i int, n *orders.Node) {
		g.standing[i] = parseStanding(g.view(g.Sides()[i]), x.Reader, n)
	})
	x.battles(f.Get("battles"))
	if n := f.Get("outcome"); n != nil {
		var o engine.Outcome
		if err := orders.Unmarshal([]byte(n.Encode()), &o); err != nil {
			x.Refuse(n, "", phrase.Say("nap.position-part", phrase.Literal("cause", err.Error())))
		}
		g.outcome = &o
	}
	g.asks = play.ReadOwed(x.Reader, f.Get("owed"), g.Sides(), stops, func(d engine.Decision) bool { return g.outcome == nil && g.fits(d) })
}

func (x *positionReader) flag(n *orders.Node, into *bool) {
	if n != nil {
		*into, _ = x.Bool(n)
	}
}

func (x *positionReader) town(n *orders.Node) townID {
	if n == nil {
		return noTown
	}
	t, _ := x.g.pickTown(x.Reader, n)
	return t
}

// unitID reads the id of a unit of the order of battle.
func (x *positionReader) unitID(n *orders.Node) (unitID, bool) {
	text, ok := x.Text(n)
	if !ok {
		return noUnit, false
	}
	folded := orders.Fold(text)
	for i := range x.g.roster {
		if orders.Fold(x.g.roster[i].id) == folded {
			return unitID(i), true
		}
	}
	x.Refuse(n, "", phrase.Say("order.unknown-unit", phrase.Literal("name", text)))
	return noUnit, false
}

func (x *positionReader) units(n *orders.Node) {
	said := make([]bool, len(x.g.units))
	for _, p := range play.Entries(x.Reader, n) {
		id, ok := x.unitID(p.Key)
		if !ok {
			continue
		}
		if said[id] {
			x.Refuse(p.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", p.Key.Text)))
			continue
		}
		said[id] = true
		x.unit(&x.g.units[id], p.Value)
	}
}

func (x *positionReader) unit(u *unit, n *orders.Node) {
	g := x.g
	keys := []string{"at", "strength", "dead", "came", "field", "shelter", "holds", "steps"}
	marks := unitMarks(u)
	for _, mark := range marks {
		keys = append(keys, mark.name)
	}
	f := x.Fields(n, keys...)
	if n.Kind != orders.Map {
		return
	}
	x.flag(f.Get("dead"), &u.dead)
	if u.dead {
		*u = unit{id: u.id, army: u.army, kind: u.kind, fire: u.fire, town: noTown, came: noTown, shelter: noUnit, dead: true}
		return
	}
	u.town, u.came = x.town(f.Get("at")), x.town(f.Get("came"))
	if strength := f.Get("strength"); strength != nil {
		v, _ := x.Int(strength, 1, int(g.roster[u.id].strength))
		u.strength = int8(v)
	}
	if field := f.Get("field"); field != nil {
		word, _ := x.Word(field, fieldWords[reserve:]...)
		u.field, _ = fieldNamed(word)
		if u.town == noTown {
			x.Refuse(field, "", phrase.Say("nap.position-field", g.unitArg("unit", u)))
		}
	}
	for _, mark := range marks {
		x.flag(f.Get(mark.name), mark.is)
	}
	if shelter := f.Get("shelter"); shelter != nil {
		u.shelter, _ = x.unitID(shelter)
	}
	if holds := f.Get("holds"); holds != nil {
		word, _ := x.Word(holds, farm.String(), hill.String())
		u.holds, _ = pieceNamed(word)
	}
	if steps := f.Get("steps"); steps != nil {
		v, _ := x.Int(steps, 0, 2)
		u.steps = int8(v)
	}
}

func (x *positionReader) byArmy(n *orders.Node) {
	f := x.Fields(n, armyWords[:]...)
	for a, word := range armyWords {
		if v := f.Get(word); v != nil {
			x.g.losses[a], _ = x.Int(v, 0, mostUnits)
		}
	}
}

func (x *positionReader) roads(n *orders.Node) { x.roadNumbers(n, x.g.roadUse) }

// roadNumbers reads a number of units by road.
func (x *positionReader) roadNumbers(n *orders.Node, into []int8) {
	for _, p := range play.Entries(x.Reader, n) {
		a, b, _ := strings.Cut(p.Key.Text, "/")
		from, okA := x.g.townNamed(a)
		to, okB := x.g.townNamed(b)
		if okA && okB {
			if i, joined := x.g.roadBetween(from, to); joined {
				v, _ := x.Int(p.Value, 0, mostNumber)
				into[i] = int8(v)
				continue
			}
		}
		x.Refuse(p.Key, "", phrase.Say("nap.position-road", phrase.Literal("road", p.Key.Text)))
	}
}

func (x *positionReader) seen(n *orders.Node) {
	f := x.Fields(n, campWords[:]...)
	for c, word := range campWords {
		of := f.Get(word)
		for _, p := range play.Entries(x.Reader, of) {
			id, ok := x.unitID(p.Key)
			g := x.Fields(p.Value, "at", "strength", "turn")
			if !ok || p.Value.Kind != orders.Map {
				continue
			}
			s := sighting{unit: id, town: x.town(g.Get("at"))}
			strength, _ := x.Int(x.Require(g, "strength"), 0, int(x.g.roster[id].strength))
			s.strength = int8(strength)
			turn, _ := x.Int(x.Require(g, "turn"), 1, len(x.g.turns))
			s.turn = turn - 1
			if x.g.roster[id].army.camp() == camp(c) {
				x.Refuse(p.Key, "", phrase.Say("nap.position-seen", x.g.idArg("unit", id)))
				continue
			}
			x.g.seen[c] = append(x.g.seen[c], s)
		}
		slices.SortStableFunc(x.g.seen[c], func(a, b sighting) int { return int(a.unit) - int(b.unit) })
	}
}

func (x *positionReader) battles(n *orders.Node) {
	for _, item := range x.List(n) {
		var d battleDoc
		err := orders.Unmarshal([]byte(item.Encode()), &d)
		var b battle
		if err == nil {
			b, err = x.g.battleFrom(d)
		}
		if err != nil {
			x.Refuse(item, "", phrase.Say("nap.position-part", phrase.Literal("cause", err.Error())))
			continue
		}
		x.g.battles = append(x.g.battles, b)
	}
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
