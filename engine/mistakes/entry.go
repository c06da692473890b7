package mistakes

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// The Prussian entry: chapter 6.

// entryRoll says whether a die must be rolled for the entry in this turn (EM-6.1): black may
// have come by now, and has not.
func (g *game) entryRoll() bool {
	d := g.length()
	return d.black > 0 && !d.stands && g.Turn >= d.black && len(g.Placed) == 0
}

// comes rolls for the entry: 5 and 6 in the first turn, then one more in each (EM-6.1).
func (p *battlefield) comes() bool {
	attempt := p.Turn - p.length().black + 1
	die := p.roll("em.roll-entry", black)
	code := "em.no-entry"
	in := widening(die, attempt, p.entryOn)
	if in {
		code = "em.entry"
	}
	p.tell("EM-6.1", code, phrase.Number("die", die))
	return in
}

// nextStretch gives the stretch by which the next corps enters: the last of the file first, then
// one further each turn (EM-6.2, EM-6.3); nil when all have begun.
func (g *game) nextStretch() *stretchDef {
	for i := len(g.stretches) - 1; i >= 0; i-- {
		if !slices.Contains(g.Placed, g.stretches[i].corps) {
			return &g.stretches[i]
		}
	}
	return nil
}

// waiting lists the units of a corps that are still to be placed (EM-6.4).
func (g *game) waiting(c corpsID) []unitID {
	var all []unitID
	for u := unitID(1); int(u) < len(g.Units); u++ {
		if g.def(u).corps == c && g.toBePlaced(u) {
			all = append(all, u)
		}
	}
	return all
}

// toBePlaced says whether a unit is still to be placed (EM-6.4).
func (g *game) toBePlaced(u unitID) bool {
	return !g.def(u).garrison() && !g.on(u) && g.Units[u].Gone == present
}

// entryFault says why a unit that was put on the field may not enter so (EM-6.2): it lies in the entry area, on
// no other and in no enemy's engagement area.
func (g *game) entryFault(u unitID) *play.Fault {
	area, b, name := geometry.NewArea(points(g.entry)), g.body(u), g.unitArg("unit", u)
	if !geometry.Holds(&area, &b, 0) {
		return &play.Fault{Clause: "EM-6.2", Why: phrase.Say("em.entry-area", name), Remedy: g.areaRemedy(g.entry)}
	}
	for _, other := range g.standing() {
		if other == u || g.beyond(u, other, g.farthest()) {
			continue
		}
		o, engages := g.body(other), g.engagement(other)
		switch {
		case g.overlap(&b, &o):
			return &play.Fault{Clause: "EM-6.2", Why: phrase.Say("em.position-overlap", name, g.unitArg("other", other)), Remedy: phrase.Say("em.overlap-remedy")}
		case g.enemies(u, other) && entered(&b, &engages):
			return &play.Fault{Clause: "EM-6.2", Why: phrase.Say("em.entry-engaged", name, g.unitArg("other", other))}
		}
	}
	return nil
}

// stretchFault says that no unit of a formation that enters meets the stretch (EM-6.2).
func (g *game) stretchFault(f *formation, by *stretchDef) *play.Fault {
	edge, eps := []geometry.Point{geometry.Point(by.from), geometry.Point(by.to)}, int64(g.measures.contact)
	if slices.ContainsFunc(f.Units, func(u unitID) bool { b := g.body(u); return geometry.OnLine(&b, edge, eps) }) {
		return nil
	}
	return &play.Fault{Clause: "EM-6.2", Why: phrase.Say("em.entry-stretch", phrase.Literal("formation", f.ID), phrase.Literal("stretch", by.id))}
}

// begins notes that a corps has begun to enter; what was placed of it is green (EM-6.2).
func (g *game) begins(c corpsID) {
	if !slices.Contains(g.Placed, c) {
		g.Placed = append(g.Placed, c)
	}
	for i := range g.Formations {
		if f := &g.Formations[i]; f.Corps == c {
			f.Green = true
		}
	}
}

// limited says whether the blue manoeuvres are held back by the limit of the field: until the
// first corps has been placed (EM-6.5, EM-10.10).
func (g *game) limited() bool { return g.limit > 0 && len(g.Placed) == 0 }

// pastLimit says whether a unit of an army would be brought beyond the limit of the blue army (EM-10.10); who was driven beyond it
// may come back.
func (g *game) pastLimit(of army, was, now *geometry.Body) bool {
	return g.limited() && of == blue && now.Hi.X > int64(g.limit) && now.Hi.X > was.Hi.X
}

// loseGreen takes the green of formations that were neither set in motion nor kept moving, at
// the end of 3.2, those that have just entered among them (EM-6.6, EM-9.9).
func (g *game) loseGreen(kept func(f *formation) bool) {
	for i := range g.Formations {
		if f := &g.Formations[i]; f.Green && !kept(f) {
			f.Green = false
		}
	}
}
