package mistakes

import (
	"bytes"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// breaches gathers what can't be in any game.
type breaches struct {
	game *game
	play.Breaches
}

var _ engine.Checked = (*game)(nil)

// Check implements [engine.Checked]: what a game master's change may not break. The scenario and the
// options by which it was set up stay the same.
func (g *game) Check(was engine.Position) orders.Problems {
	b := &breaches{game: g}
	before, ok := was.(*game)
	switch {
	case !ok || before.name != g.name || !bytes.Equal(before.source, g.source):
		b.Say("", "em.check-scenario").At("scenario")
	case before.options.game != g.options.game || before.players != g.players || before.ney != g.ney:
		b.Say("EM-18.1", "em.check-fixed").At("options")
	default:
		b.impossible()
	}
	return b.Problems()
}

func (g *game) unitArg(place string, u unitID) phrase.Arg {
	return phrase.Name(place, "unit", g.def(u).id)
}

func (g *game) leaderArg(place string, l leaderID) phrase.Arg {
	return phrase.Name(place, "leader", g.lead(l).id)
}

func armyArg(place string, a army) phrase.Arg { return phrase.Name(place, "army", a.String()) }

// impossible finds what can't be in any game.
func (b *breaches) impossible() {
	if d := b.game.length(); b.game.Turn < d.turns[0] || b.game.Turn > b.game.last() {
		b.Say("EM-18.1", "em.position-turn", phrase.Number("first", d.turns[0]), phrase.Number("last", b.game.last())).At("turn")
	}
	for u := unitID(1); int(u) < len(b.game.Units); u++ {
		b.unit(u)
	}
	b.ground()
	in := make([]bool, len(b.game.Units))
	for i := range b.game.Formations {
		b.formation(&b.game.Formations[i], in)
	}
	for _, u := range b.game.standing() {
		if !in[u] && !b.game.def(u).garrison() {
			b.Say("EM-1.1", "em.position-alone", b.game.unitArg("unit", u)).At("units", b.game.def(u).id)
		}
	}
	b.commanders()
	b.markers()
	b.entrants("placed", b.game.Placed)
	b.entrants("entering", b.game.Entering)
	for i, p := range b.game.Apart {
		if p.A >= p.B || !b.game.on(p.A) || !b.game.on(p.B) {
			b.Say("EM-3.6", "em.position-apart").At("apart", strconv.Itoa(i))
		}
	}
	for i, p := range b.game.Joinable {
		if p.A >= p.B || !b.game.on(p.A) || !b.game.on(p.B) {
			b.Say("EM-9.10", "em.position-joinable").At("joinable", strconv.Itoa(i))
		}
	}
}

// entrants finds corps that never enter.
func (b *breaches) entrants(key string, all []corpsID) {
	for i, c := range all {
		if b.game.stretchOf(c) == nil {
			b.Say("EM-6.2", "em.position-enters", phrase.Literal("corps", b.game.corps[c-1].id)).At(key, strconv.Itoa(i))
		}
	}
}

// unit finds marks that a unit can't have.
func (b *breaches) unit(u unitID) {
	x, d := &b.game.Units[u], b.game.def(u)
	wrong := func(is bool, clause, code string) {
		if is {
			b.Say(clause, code, b.game.unitArg("unit", u)).At("units", d.id)
		}
	}
	gone := *x
	gone.Gone, gone.By = 0, 0
	wrong(!b.game.on(u) && gone != unit{}, "EM-12.8", "em.position-gone")
	wrong(b.game.on(u) && x.Gone != present, "EM-12.8", "em.position-both")
	wrong(x.By != 0 && x.Gone == present, "EM-17.1", "em.position-by")
	wrong(x.Losses >= d.capacity, "EM-12.7", "em.position-losses")
	wrong(x.ByBlack > x.Losses || x.ByBlack > 0 && d.army != blue, "EM-R49", "em.position-by-black")
	wrong(d.arm != artillery && (x.Smoke || x.Limber != unlimbered || x.Limbered || x.Unlimbered), "EM-15.1", "em.position-gun")
	wrong(d.garrison() && b.game.on(u) && x.At != d.at, "EM-14.1", "em.position-garrison")
}

// ground finds pieces that leave the field or stand on each other (EM-3.5, EM-3.19).
func (b *breaches) ground() {
	all := b.game.standing()
	bodies := make([]geometry.Body, len(all))
	for i, u := range all {
		bodies[i] = b.game.body(u)
		keys := []string{"units", b.game.def(u).id}
		if b.game.leaves(&bodies[i]) {
			b.Say("EM-3.19", "em.position-off", b.game.unitArg("unit", u)).At(keys...)
		}
		for j := range i {
			if b.game.overlap(&bodies[i], &bodies[j]) {
				b.Say("EM-3.5", "em.position-overlap", b.game.unitArg("unit", u), b.game.unitArg("other", all[j])).At(keys...)
			}
		}
	}
	for l := leaderID(1); int(l) < len(b.game.Leaders); l++ {
		if b.game.Leaders[l].At == (place{}) {
			continue
		}
		c, keys := b.game.counter(geometry.Point(b.game.Leaders[l].At)), []string{"leaders", b.game.lead(l).id}
		if b.game.leaves(&c) {
			b.Say("EM-8.3", "em.position-leader-off", b.game.leaderArg("leader", l)).At(keys...)
		}
		for i := range bodies {
			if b.game.overlap(&c, &bodies[i]) {
				b.Say("EM-8.3", "em.position-leader-on", b.game.leaderArg("leader", l), b.game.unitArg("unit", all[i])).At(keys...)
			}
		}
	}
}

// formation finds formations that are none.
func (b *breaches) formation(f *formation, in []bool) {
	keys := []string{"formations", f.ID}
	name := phrase.Literal("formation", f.ID)
	sound := true
	for _, u := range f.Units {
		is := func(wrong bool, clause, code string) {
			if wrong {
				b.Say(clause, code, name, b.game.unitArg("unit", u)).At(keys...)
				sound = false
			}
		}
		is(!b.game.on(u), "EM-1.1", "em.formation-gone")
		is(in[u], "EM-1.1", "em.formation-twice")
		is(b.game.def(u).garrison(), "EM-14.1", "em.formation-garrison")
		is(!b.game.def(u).garrison() && b.game.def(u).corps != f.Corps && !(b.game.battery(f) && slices.Contains(b.game.scenario.battery.units, u)),
			"EM-R54", "em.formation-corps")
		is(b.game.Units[u].Heading != b.game.Units[f.Units[0]].Heading, "EM-10.1", "em.formation-heading")
		in[u] = true
	}
	if sound && len(b.game.parts(f.Units)) > 1 {
		b.Say("EM-3.6", "em.formation-apart", name).At(keys...)
	}
	if f.Green && f.Orange > 0 {
		b.Say("EM-11.14", "em.formation-colours", name).At(keys...)
	}
}

// commanders finds leaders that can't be where they are (EM-2.4, EM-8.3).
func (b *breaches) commanders() {
	led := map[*formation]leaderID{} // only looked up by formation
	for l := leaderID(1); int(l) < len(b.game.Leaders); l++ {
		x, d, keys := &b.game.Leaders[l], b.game.lead(l), []string{"leaders", b.game.lead(l).id}
		there := x.Attached != 0 || x.At != (place{})
		wrong := func(is bool, clause, code string) {
			if is {
				b.Say(clause, code, b.game.leaderArg("leader", l)).At(keys...)
			}
		}
		wrong(x.Attached != 0 && x.At != (place{}), "EM-8.4", "em.leader-two-places")
		wrong(there && x.Gone != present, "EM-12.8", "em.leader-gone")
		flees := slices.ContainsFunc(b.game.Fleeing, func(f flight) bool { return f.Leader == l })
		wrong(!there && !flees && x.Markers > 0 && d.role != commander, "EM-2.5", "em.leader-markers")
		wrong(flees && (there || x.Gone != present), "EM-13.4", "em.leader-flees")
		wrong(x.Substitute && d.role != general, "EM-5.6", "em.leader-substitute")
		wrong(d.role == ney && there && b.game.ney == 0, "EM-1.2", "em.leader-ney")
		if x.Attached == 0 {
			continue
		}
		if !b.game.on(x.Attached) || !b.game.mayAttach(l, x.Attached) {
			b.Say("EM-8.3", "em.leader-attached", b.game.leaderArg("leader", l), b.game.unitArg("unit", x.Attached)).At(keys...)
			continue
		}
		f := b.game.of(x.Attached)
		if other := led[f]; other != 0 && f != nil {
			b.Say("EM-2.4", "em.leader-two", b.game.leaderArg("leader", l), b.game.leaderArg("other", other)).At(keys...)
		}
		led[f] = l
	}
}

// markers finds armies with more markers than there are (EM-R27).
func (b *breaches) markers() {
	var held [armies]int
	for l := leaderID(1); int(l) < len(b.game.Leaders); l++ {
		held[b.game.lead(l).army] += b.game.Leaders[l].Markers
	}
	for a := blue; a < armies; a++ {
		if have, all := held[a]+b.game.Reserve[a], b.game.supply[a].markers; have != all {
			b.Say("EM-9.8", "em.position-markers", armyArg("army", a), phrase.Number("have", have), phrase.Number("all", all)).
				At("reserve", a.String()).Write("reserve: {" + a.String() + ": " + strconv.Itoa(max(all-held[a], 0)) + "}")
		}
	}
}
