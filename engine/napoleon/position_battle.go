package napoleon

import (
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What the tags of a battle don't say about its YAML in a position. Whatever
// interrupted the battle, such as hits to be placed in the middle of a list of actions or
// roads to be chosen in a rout, it goes on exactly there when it is read back.

// HasPos implements [play.PosHaver].
func (b *battle) HasPos(key string) bool {
	switch key {
	case "acting": // by default the attacker in odd turns, the defender in even ones
		return b.acting != b.usualActing()
	case "won":
		return b.settled()
	}
	return true
}

// SettlePos implements [play.PosSettler]. An edit may have set the battle back, or to
// a stage without everything that belongs to the stage.
func (b *battle) SettlePos(x *play.Scribe, at orders.Fields) {
	g := x.Whole.(*game)
	if ofSkirmish := b.stage == revealing || b.stage == skirmishing || b.stage == withdrawing; b.stage != opened && b.stage != finished && ofSkirmish != b.skirmish &&
		!(b.skirmish && b.stage == routing && g.numbers.minAttack > 0) { // (NAP-6.6z)
		x.Refuse(at.Get("stage"), "NAP-6.1b", phrase.Say("nap.position-stage", phrase.Literal("stage", b.stage.String())))
	}
	b.entries = slices.Compact(b.entries)
	if b.number < 1 && b.stage >= fighting && !b.skirmish {
		b.number = 1
	}
	if at.Get("acting") == nil {
		b.acting = b.usualActing()
	}
	if g.three() && b.lead == french {
		b.lead = g.leadOf(b.town)
	}
	if !b.settled() {
		b.won = 0
	}
}

// usualActing is the camp that acts in a battle turn of this number, and the camp that acts
// when there is none.
func (b *battle) usualActing() camp {
	if b.number > 0 && b.number%2 == 0 {
		return b.attacker.enemy()
	}
	return b.attacker
}

// settled tells whether it is known who won.
func (b *battle) settled() bool { return b.stage >= routing || b.stage == withdrawing }

// HasPos implements [play.PosHaver].
func (a *action) HasPos(key string) bool {
	switch key {
	case "path":
		return a.verb == doMove
	case "with":
		return a.verb == doShelter || a.verb == doSwap
	case "to":
		return a.verb == doRetreat
	}
	return true
}

// SettlePos implements [play.PosSettler]: it refuses what does not belong to an action and
// would be lost when the action is written.
func (a *action) SettlePos(x *play.Scribe, at orders.Fields) {
	for _, key := range []string{"path", "with", "to"} {
		if n := at.Get(key); n != nil && !a.HasPos(key) {
			x.Refuse(n, "", phrase.Say("nap.position-action", phrase.Literal("action", verbWords[a.verb])))
		} else if key != "path" && a.HasPos(key) {
			x.Require(at, key)
		}
	}
}

// awayName is how a battle names a road by which units leave it: by the town at
// the other end, or by both if it is one farther on.
func (s *scenario) awayName(b *battle, road int) string {
	if r := s.roads[road]; r.a == b.town || r.b == b.town {
		return s.towns[r.from(b.town)].id
	}
	return s.roadName(road)
}

// nameOf names a road for whatever holds the uses: for a battle, by the town at the other end.
func (uses) nameOf(x *play.Scribe, road int) string {
	s := x.Whole.(*game).scenario
	if b, ok := x.Holder.(*battle); ok {
		return s.awayName(b, road)
	}
	return s.roadName(road)
}

// MarshalPos implements [play.PosMarshaler].
func (all uses) MarshalPos(x *play.Scribe) *orders.Node {
	n := orders.Inline()
	for _, u := range all {
		n.Set(all.nameOf(x, u.road), orders.Number(int(u.n)))
	}
	if _, ok := x.Holder.(*battle); ok {
		sortKeys(n)
	}
	return n
}

// UnmarshalPos implements [play.PosUnmarshaler].
func (all *uses) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	if b, ok := x.Holder.(*battle); ok && b.town == noTown {
		return // it is not known what the names mean
	}
	counts := make([]int8, len(x.Whole.(*game).roads))
	for _, p := range play.Entries(x.Reader, n) {
		road, ok := 0, false
		for i := 0; i < len(counts) && !ok; i++ {
			if all.nameOf(x, i) == p.Key.Text {
				road, ok = i, true
			}
		}
		if !ok {
			road, ok = x.Pick("road", p.Key)
		}
		if count, sound := x.Int(p.Value, 0, mostNumber); ok && sound {
			counts[road] = int8(count)
		}
	}
	*all = usesOf(counts)
}

// sortKeys puts a map in the order of its keys.
func sortKeys(n *orders.Node) *orders.Node {
	slices.SortStableFunc(n.Pairs, func(a, b orders.Pair) int { return strings.Compare(a.Key.Text, b.Key.Text) })
	return n
}

// placesNode writes {TOWN: [units]} in the order of the names.
func (s *scenario) placesNode(list []place) *orders.Node {
	n := orders.Mapping()
	for _, pl := range list {
		id := s.towns[pl.town].id
		units := n.Get(id)
		if units == nil {
			units = orders.Items()
			n.Set(id, units)
		}
		units.Add(orders.Text(s.roster[pl.unit].id))
	}
	return sortKeys(n)
}

// readPlaces reads what placesNode wrote, in the order of the board.
func readPlaces(x *play.Scribe, n *orders.Node) []place {
	var list []place
	for _, p := range play.Entries(x.Reader, n) {
		t, ok := x.Pick("town", p.Key)
		for _, item := range x.List(p.Value) {
			if u, known := x.Pick("unit", item); ok && known {
				list = append(list, place{unitID(u), townID(t)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b place) int { return int(a.town) - int(b.town) })
	return list
}

// MarshalPos implements [play.PosMarshaler].
func (a allotment) MarshalPos(x *play.Scribe) *orders.Node {
	return x.Whole.(*game).placesNode(a.places)
}

// UnmarshalPos implements [play.PosUnmarshaler].
func (a *allotment) UnmarshalPos(x *play.Scribe, n *orders.Node) { a.places = readPlaces(x, n) }

// MarshalPos implements [play.PosMarshaler].
func (a regroupAnswer) MarshalPos(x *play.Scribe) *orders.Node {
	n := orders.Mapping()
	for _, of := range []struct {
		key  string
		list []place
	}{{"in", a.in}, {"out", a.out}} {
		if len(of.list) > 0 {
			towns := a.s.placesNode(of.list)
			towns.Flow = true
			n.Set(of.key, towns)
		}
	}
	return n
}

// UnmarshalPos implements [play.PosUnmarshaler].
func (a *regroupAnswer) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	f := x.Fields(n, "in", "out")
	*a = regroupAnswer{s: x.Whole.(*game).scenario, in: readPlaces(x, f.Get("in")), out: readPlaces(x, f.Get("out"))}
}
