package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The YAML of a position: snapshots, exports, edits of a game master and
// conformance cases. What is nothing is left out. Units stand in a map by id, so
// that an edit names only what it changes.

// frameKinds are the frames by the keys under which a position has them.
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
	if chosen := g.chosen(); len(chosen) > 0 {
		n := orders.Inline()
		for _, name := range g.menu().Names() {
			if value, ok := chosen[name]; ok {
				n.Set(name, orders.Text(value))
			}
		}
		root.Set("options", n)
	}
	if len(g.asks) > 0 {
		owed := orders.Items()
		for _, d := range g.asks {
			n := orders.Inline().Set("side", orders.Text(string(d.Side))).Set("kind", orders.Text(d.Kind))
			if d.At != "" {
				n.Set("at", orders.Text(d.At))
			}
			owed.Add(n)
		}
		root.Set("owed", owed)
	}
	root.Pairs = append(root.Pairs, g.codec.Write(g).Pairs...)
	all := orders.Mapping()
	for _, side := range g.Sides() {
		if n := g.standing[armyOfSeat(side)].node(g.scenario); n != nil {
			all.Set(string(side), n)
		}
	}
	if len(all.Pairs) > 0 {
		root.Set("standing", all)
	}
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
	if s, ok := shelf.Named(g.name); !ok || s != g.scenario { // a user's own
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
	root, faults := orders.ParseNode(data)
	if len(faults) == 0 && (root == nil || root.Kind != orders.Map) {
		faults = orders.Problems{{Why: phrase.Say("wat.position-empty")}}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	x := &positionReader{Reader: orders.NewReader(orders.NewWords())}
	x.position(root)
	if len(x.Problems) > 0 {
		x.Problems.Sort()
		return nil, x.Problems
	}
	return x.g, nil
}

// otherKeys are those of a position that the codec does not read.
var otherKeys = []string{"ruleset", "scenario", "options", "owed", "standing", "outcome", "file"}

func (x *positionReader) position(root *orders.Node) {
	var head []orders.Pair
	for _, p := range root.Pairs { // what must be known before the rest can be read
		if slices.Contains(otherKeys, p.Key.Text) {
			head = append(head, p)
		}
	}
	f := x.Fields(&orders.Node{Kind: orders.Map, Pairs: head, Line: root.Line, Column: root.Column}, otherKeys...)
	if n := f.Get("ruleset"); n != nil && !x.Is(n, "waterloo") {
		x.Refuse(n, "", phrase.Say("wat.scenario-ruleset", phrase.Literal("ruleset", n.Text)))
		return
	}
	s, ok := shelf.Placed(x.Reader, f)
	if !ok {
		return
	}
	chosen := map[string]string{}
	if n := f.Get("options"); n != nil {
		if n.Kind != orders.Map {
			x.Refuse(n, "", phrase.Say("play.position-map"))
			return
		}
		for _, p := range n.Pairs {
			chosen[p.Key.Text], _ = x.Text(p.Value)
		}
	}
	g, faults := newGame(s, chosen)
	if len(faults) > 0 {
		for _, fault := range faults {
			x.RefuseWith(f.Get("options"), fault.Clause, fault.Why, fault.Remedy)
		}
		return
	}
	x.g = &game{scenario: s, options: g.options}
	g = x.g
	s.codec.Read(x.Reader, root, g, otherKeys...)
	g.Units = resized(g.Units, len(s.roster)+1)
	g.CDP = resized(g.CDP, len(s.chateaux)+1)
	g.Control = resized(g.Control, len(s.objectives)+1)
	if len(x.Problems) > 0 {
		return
	}
	x.check(root)
	if n := f.Get("outcome"); n != nil {
		o := x.Fields(n, "winners")
		var winners []engine.Side
		for _, item := range x.List(x.Require(o, "winners")) {
			if side, ok := x.Word(item, x.seats()...); ok {
				winners = append(winners, engine.Side(side))
			}
		}
		if len(x.Problems) == 0 {
			ended := g.ended(winners)
			g.outcome = &ended
		}
	}
	if n := f.Get("standing"); n != nil && len(x.Problems) == 0 {
		of := x.Fields(n, x.seats()...)
		for _, side := range g.Sides() {
			m := of.Get(string(side))
			if m == nil {
				continue
			}
			r := orders.NewReader(vocabulary)
			readStanding(g.view(side), r, m)
			x.Problems = append(x.Problems, r.Problems...)
			if len(r.Problems) == 0 {
				g.adopt(side, m)
			}
		}
	}
	x.owed(f.Get("owed"))
}

// seats are the words of those at the table.
func (x *positionReader) seats() []string {
	var words []string
	for _, side := range x.g.Sides() {
		words = append(words, string(side))
	}
	return words
}

// resized gives a list the length that the scenario needs.
func resized[T any](list []T, n int) []T {
	for len(list) < n {
		var zero T
		list = append(list, zero)
	}
	return list[:n]
}

// value finds the node of a key, for the place of a fault.
func value(root *orders.Node, keys ...string) *orders.Node {
	n := root
	for _, key := range keys {
		if n == nil {
			return root
		}
		n = n.Get(key)
	}
	if n == nil {
		return root
	}
	return n
}

// check finds what no game can be: two units in a square, a card in two places,
// and the like. What it lets pass, play can go on with.
func (x *positionReader) check(root *orders.Node) {
	g := x.g
	if g.Turn < 1 || g.Turn > g.length().turns {
		x.Refuse(value(root, "turn"), "WAT-1.4", phrase.Say("wat.position-turn", phrase.Number("turns", g.length().turns)))
	}
	at := map[square]bool{}
	for i := 1; i < len(g.Units); i++ {
		u := &g.Units[i]
		n := value(root, "units", g.def(unitID(i)).id)
		if u.Dead {
			*u = unit{Dead: true}
		}
		if u.At != 0 && u.Face == noFacing {
			u.Face = g.def(unitID(i)).face
		}
		if u.At != 0 && at[u.At] {
			x.Refuse(n, "WAT-8.9", phrase.Say("wat.scenario-place", phrase.Literal("unit", g.def(unitID(i)).id), g.squareArg("square", u.At)))
		}
		at[u.At] = true
		if u.Reduced && g.def(unitID(i)).reduced == 0 {
			x.Refuse(n, "WAT-9.36", phrase.Say("wat.position-reduced", g.unitArg("unit", unitID(i))))
		}
		if g.def(unitID(i)).army == prussian && !g.prussians() && u.At != 0 {
			x.Refuse(n, "WAT-3.3", phrase.Say("wat.position-prussian", g.unitArg("unit", unitID(i))))
		}
	}
	for c := range g.commanders {
		if q := g.Commanders[c+1].At; q != 0 {
			leaves := slices.ContainsFunc(g.Flow, func(f frame) bool { // he is being displaced
				place, ok := f.(*placeFrame)
				return ok && place.Commander == commanderID(c+1)
			})
			if id := g.unitAt(q); id != 0 && !leaves && g.campOf(id) != g.commanders[c].army.camp() {
				x.Refuse(value(root, "commanders"), "WAT-12.1", phrase.Say("wat.position-commander", g.commanderArg("commander", commanderID(c+1)), g.unitArg("unit", id)))
			}
		}
	}
	for a := french; a <= prussian; a++ {
		d := &g.Decks[a]
		n := value(root, "cards", a.String())
		seen := map[cardID]bool{}
		for _, zone := range []*[]cardID{&d.Hand, &d.Used, &d.Shown, &d.Committed} {
			slices.Sort(*zone)
			for _, c := range *zone {
				if c == 0 || g.card(c).army != a || seen[c] {
					text := ""
					if c != 0 {
						text = g.card(c).id
					}
					x.Refuse(n, "WAT-6.0", phrase.Say("wat.position-card", phrase.Literal("card", text), armyArg("army", a)))
				}
				seen[c] = true
			}
		}
		if a == prussian && !g.prussians() && len(seen) > 0 {
			x.Refuse(n, "WAT-3.3", phrase.Say("wat.position-card", phrase.Literal("card", ""), armyArg("army", a)))
		}
	}
	for i, f := range g.Flow {
		n := value(root, "flow")
		if n != root && n.Kind == orders.List && i < len(n.Items) {
			n = n.Items[i]
		}
		if sound, ok := f.(interface{ sound(g *game, depth int) bool }); ok && !sound.sound(g, i) {
			x.Refuse(n, "", phrase.Say("wat.position-flow"))
		}
	}
	if len(g.Flow) == 0 && root.Get("outcome") == nil || len(g.Flow) > 0 && root.Get("outcome") != nil {
		x.Refuse(value(root, "flow"), "", phrase.Say("wat.position-flow"))
	}
}

// owed reads the decisions of the present stop. Those that what is going on does
// not ask for are dropped, as after an edit that sets the game elsewhere.
func (x *positionReader) owed(n *orders.Node) {
	if len(x.Problems) > 0 {
		return
	}
	g := x.g
	for _, item := range x.List(n) {
		f := x.Fields(item, "side", "kind", "at")
		if item.Kind != orders.Map {
			continue
		}
		side, ok := x.Word(x.Require(f, "side"), x.seats()...)
		kind := x.Require(f, "kind")
		name, ok2 := x.Text(kind)
		if !ok || !ok2 {
			continue
		}
		if _, known := stops[name]; !known {
			x.Refuse(kind, "", phrase.Say("wat.position-stop", phrase.Literal("stop", name)))
			continue
		}
		at := ""
		if a := f.Get("at"); a != nil {
			at, _ = x.Text(a)
		}
		twice := slices.ContainsFunc(g.asks, func(d engine.Decision) bool { return d.Side == engine.Side(side) })
		if asks, is := g.top().(asker); is && !twice && g.outcome == nil && asks.asks(g, engine.Decision{Side: engine.Side(side), Kind: name, At: at}) {
			g.ask(engine.Side(side), name, at)
		}
	}
}

// An asker is a frame that waits for answers.
type asker interface {
	// asks tells whether the frame, being on top, could have asked this.
	asks(g *game, d engine.Decision) bool
}
