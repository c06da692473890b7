package mistakes

import (
	"slices"

	"berthier/engine/geometry"
)

// Where a fair player's formations go.

// How many per cent of the true distance each kind of place counts, and from how far an enemy draws
// those who lead out of their place.
const (
	pullTown     = 60
	pullGarrison = 35
	pullLeader   = 60
	lured        = 5 // segments
	leastWay     = 10_000
	leastStep    = 1_000 // of who stands before a garrison, which some millimetres bring into reach
	strength     = 6     // segments
	stormFrom    = 60_000
	stormReady   = 40_000
	launchFrom   = 120_000
	boldness     = 10
	squinting    = 400 // micrometres for a degree
)

// goal is where a formation is wanted: at a town that counts for the enemy, if no other foot of its
// army stands nearer; at one that counts for its own; at a garrison or another enemy; cavalry at a
// leader who stands alone. Whoever leads waits until an enemy is near.
func (p *plan) goal(f *formation) (geometry.Point, bool) {
	a, at := p.game.army(f.Corps), geometry.Point(p.game.Units[f.Units[0]].At)
	foot := p.game.def(f.Units[0]).arm == infantry
	waits := p.leads[a]
	storms := p.storms(a)
	if town, ok := p.takes(f); ok {
		return p.game.middle(town), !p.stands(f, town)
	}
	best, least := geometry.Point{}, int64(-1)
	offer := func(to geometry.Point, share int64) {
		if d := geometry.Dist(at, to) * share / 100; least < 0 || d < least {
			best, least = to, d
		}
	}
	for _, o := range p.game.objectives {
		if !foot || storms || !p.game.counts(o) {
			continue
		}
		switch mine := o.army.allied(a) && !o.garrison; {
		case !mine && p.game.keeper(o.town, a) == f.ID:
			return p.game.middle(o.town), !p.game.touching(o.town, a.allied, false)
		case mine && !waits:
			offer(p.game.middle(o.town), pullTown)
		}
	}
	for _, e := range p.game.standing() {
		to := geometry.Point(p.game.Units[e].At)
		switch {
		case !p.game.enemies(f.Units[0], e) || p.game.def(e).garrison() && !foot && !storms || waits && geometry.Dist(at, to) > lured*int64(p.game.segment()):
		case p.game.def(e).garrison():
			if p.before(f) == e {
				return to, true
			}
			for _, from := range p.approaches(e) {
				offer(from, pullGarrison)
			}
		case !storms:
			offer(to, 100)
		}
	}
	for l := leaderID(1); int(l) < len(p.game.Leaders); l++ {
		if !foot && !waits && p.game.preyOf([]army{a}, l) {
			offer(geometry.Point(p.game.Leaders[l].At), pullLeader)
		}
	}
	return best, least >= 0
}

// approaches are the places about a garrison from which it can be stormed: no wood and no water lies
// between, from which nobody gets into a town in one go (EM-4.6).
func (p *plan) approaches(e unitID) []geometry.Point {
	if all, known := p.near[e]; known {
		return all
	}
	at := geometry.Point(p.game.Units[e].At)
	var all []geometry.Point
	for h := geometry.Heading(0); h < 360; h += 30 {
		from := at.Plus(geometry.Step(h, stormFrom))
		if !p.barred(from, at) {
			all = append(all, from)
		}
	}
	p.near[e] = all
	return all
}

// before gives the garrison before which a formation stands ready to storm it; 0 for none.
func (p *plan) before(f *formation) unitID {
	at := geometry.Point(p.game.Units[f.Units[0]].At)
	for _, e := range p.game.standing() {
		if p.game.def(e).garrison() && p.game.enemies(f.Units[0], e) &&
			slices.ContainsFunc(p.approaches(e), func(from geometry.Point) bool { return geometry.Dist(at, from) < stormReady }) {
			return e
		}
	}
	return 0
}

// barred says whether a tile that goes straight from a place to another would touch ground, other than
// a town, that holds it up.
func (p *plan) barred(from, to geometry.Point) bool {
	frame := geometry.Frame{At: from, Heading: bearing(from, to)}
	half, far := int64(p.game.measures.tile)/2, geometry.Dist(from, to)
	lane := geometry.NewBody(geometry.Piece{Frame: frame, Box: geometry.Box{U0: -half, V0: -half, U1: half, V1: far}})
	for a := areaID(1); int(a) <= len(p.game.areas); a++ {
		if p.game.area(a).kind == wood && p.game.onArea(&lane, a) {
			return true
		}
	}
	for l := range p.game.lines {
		if kind := p.game.lines[l].kind; kind != road && p.game.onLine(&lane, lineID(l+1)) {
			return true
		}
	}
	return p.game.leaves(&lane)
}

// counts says whether a town is worth standing in: in the whole battle those that no garrison holds
// (EM-17.2), in the short game those that none holds any more (EM-18.2).
func (g *game) counts(o objectiveDef) bool {
	switch g.length().scoring {
	case scoreFree:
		return false
	case scoreShort:
		u, ok := g.unitNamed(g.area(o.town).id)
		return o.garrison && !(ok && g.on(u))
	}
	return !o.garrison
}

// keeper is the formation of foot of an army that stands nearest to a town.
func (g *game) keeper(town areaID, a army) string {
	name, least := "", int64(-1)
	for i := range g.Formations {
		f := &g.Formations[i]
		if d := geometry.Dist2(geometry.Point(g.Units[f.Units[0]].At), g.middle(town)); g.army(f.Corps) == a &&
			g.def(f.Units[0]).arm == infantry && (least < 0 || d < least) {
			name, least = f.ID, d
		}
	}
	return name
}

// goesOn says whether there is a way that brings a formation nearer to where it is wanted.
func (p *plan) goesOn(f *formation) bool {
	_, ok := p.way(f, true)
	return ok
}

// toward is the advance that brings a formation nearest to where it is wanted; or the way back into a town that it left.
func (p *plan) toward(f *formation) (step, bool) { return p.way(f, false) }

// way gives that advance, or the first one that is worth taking if any is enough.
func (p *plan) way(f *formation, enough bool) (step, bool) {
	to, ok := p.goal(f)
	if !ok || p.game.onlyGuns(f.Units) || slices.ContainsFunc(f.Units, p.game.engaged) {
		return step{}, false
	}
	if town, takes := p.takes(f); takes {
		o := p.game.look(&manoeuvre{Units: f.Units, Does: withdrawing, Far: asFarAsItGoes})
		if o.moves && p.reaches(&o, town) {
			return step{Does: withdrawing}, true
		}
	}
	return p.nearer(f, to, enough)
}

// nearer is the advance that brings a formation nearest to a place: straight to it, or with another
// wheel if something stands in the way; false if none is worth it. If any is enough it gives the first that is.
func (p *plan) nearer(f *formation, to geometry.Point, enough bool) (step, bool) {
	from, most := geometry.Point(p.game.Units[f.Units[0]].At), p.game.wheelMost()
	straight := int(bearing(from, to).Plus(180-int(p.game.heading(f)))) - 180 // from -180 to 179
	turns := []int{min(max(straight, -most), most), 0}
	for d := 15; d <= most; d += 15 {
		turns = append(turns, d, -d)
	}
	c, ok := p.game.hitched(f.Units)
	if !ok {
		return step{}, false
	}
	far := int64(c.advanceFactor(f.Units)) * int64(c.segment())
	left, right := c.pivot(f.Units, true), c.pivot(f.Units, false)
	town, takes := p.takes(f)
	gain := int64(leastWay)
	if p.before(f) != 0 && p.storms(p.game.army(f.Corps)) {
		gain = leastStep
	}
	inWood := p.entangled(&outcome{bodies: []geometry.Body{p.game.body(f.Units[0])}})
	best, least := step{}, geometry.Dist(from, to)+p.squint(f, from, p.game.heading(f), to)-gain
	for _, turn := range turns {
		at := c.frame(f.Units[0])
		switch {
		case turn < 0:
			at = at.Turned(left, turn)
		case turn > 0:
			at = at.Turned(right, turn)
		}
		if geometry.DistSegment(to, at.At, at.At.Plus(geometry.Step(at.Heading, far)))-roundings >= least {
			continue // not the whole way that there is leads nearer
		}
		o := c.look(&manoeuvre{Units: f.Units, Does: advancing, Turn: turn, Far: asFarAsItGoes})
		if !o.moves {
			continue
		}
		end := o.bodies[0].At.Plus(geometry.Step(o.heading, o.far))
		d := geometry.Dist(end, to) + p.squint(f, end, o.heading, to)
		if takes && p.reaches(&o, town) {
			d /= 4
		}
		if d/4 >= least || p.outnumbered(f, end) {
			continue // no charge that may begin there makes it better than another
		}
		s := step{Does: advancing, Turns: byWheel, Turn: turn}
		free := inWood || !p.entangled(&o)
		if !takes && !(enough && free && d < least) {
			if far, ok := p.launch(c, f, &o); ok {
				if d /= 4; far < o.far {
					s.Far = length(far)
				}
			}
		}
		if d < least && (free || s.Far > 0) {
			best, least = s, d
			if enough {
				break
			}
		}
	}
	return best, best.Does != 0
}

// launchSteps are by how much shorter an advance is tried from whose end a garrison may be stormed, than it may be, and than to where
// the garrison lies abeam: who turns to it there swings about a corner.
var launchSteps = []int64{0, 10_000, 20_000, 30_000}

// launch gives how far an advance goes from whose end a formation that storms may charge a garrison. What
// crops and a wood leave of the way into a town is short, so that some millimetres decide (EM-4.6).
func (p *plan) launch(c *game, f *formation, o *outcome) (int64, bool) {
	if !p.storms(p.game.army(f.Corps)) {
		return 0, false
	}
	for _, e := range p.game.standing() {
		if !p.game.def(e).garrison() || !p.game.enemies(f.Units[0], e) {
			continue
		}
		to := geometry.Point(p.game.Units[e].At)
		frame := geometry.Frame{At: o.bodies[0].At, Heading: o.heading}
		for _, from := range []int64{o.far, frame.Local(to).Y} {
			for _, less := range launchSteps {
				far := (from - less) / ringStep * ringStep
				if from == o.far && less == 0 {
					far = o.far
				}
				if far <= 0 || far > o.far || geometry.Dist(o.bodies[0].At.Plus(geometry.Step(o.heading, far)), to) >= launchFrom {
					continue
				}
				next := c.trial()
				next.stand(f.Units, shifted(o.bodies, o.heading, far))
				if next.charges(f.Units, e) {
					return far, true
				}
			}
		}
	}
	return 0, false
}

// reaches says whether an advance ends in touch with a town.
func (p *plan) reaches(o *outcome, town areaID) bool {
	return slices.ContainsFunc(shifted(o.bodies, o.heading, o.far), func(b geometry.Body) bool {
		return geometry.On(&b, p.game.outline(town), 0)
	})
}

// squint is what it costs a formation that storms not to look at where it goes, as a way in micrometres: who does not
// stand before a garrison with his front to it can't charge it.
func (p *plan) squint(f *formation, at geometry.Point, heading geometry.Heading, to geometry.Point) int64 {
	if !p.storms(p.game.army(f.Corps)) {
		return 0
	}
	off := int64(bearing(at, to).Plus(180-int(heading))) - 180 // from -180 to 179
	return squinting * max(off, -off)
}

// entangled says whether an advance ends in a wood, which holds up whoever is in it (EM-4.6).
func (p *plan) entangled(o *outcome) bool {
	ends := shifted(o.bodies, o.heading, o.far)
	for a := areaID(1); int(a) <= len(p.game.areas); a++ {
		if p.game.area(a).kind == wood && slices.ContainsFunc(ends, func(b geometry.Body) bool { return p.game.onArea(&b, a) }) {
			return true
		}
	}
	return false
}

// outnumbered says whether a formation would stand somewhere within reach of so many more enemies than
// friends that it had better wait for others.
func (p *plan) outnumbered(f *formation, at geometry.Point) bool {
	if p.game.unwary(p.game.army(f.Corps)) {
		return false
	}
	friends, enemies := 0, 0
	reach := strength * int64(p.game.segment())
	for _, u := range p.game.standing() {
		d := p.game.def(u)
		if d.arm == artillery || d.garrison() || geometry.Dist2(at, geometry.Point(p.game.Units[u].At)) > reach*reach {
			continue
		}
		switch {
		case p.game.enemies(f.Units[0], u):
			enemies++
		case !slices.Contains(f.Units, u):
			friends++
		}
	}
	return !p.storms(p.game.army(f.Corps)) && (friends+len(f.Units))*boldness < enemies*10
}
