package mistakes

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A bearingBy is how a manoeuvre says where it turns.
type bearingBy int8

const (
	straight bearingBy = iota
	byHeading
	byWheel // to the right, if the degrees are positive
	byTarget
)

// bearingWords are the ways to turn as positions have them.
var bearingWords = []string{"no", "heading", "wheel", "target"}

// A step is a manoeuvre as it is ordered: without a ruler. What its names mean is worked out when
// it is made (section 6 of the digest).
type step struct {
	Does   manner    `pos:"does,required"`
	Target unitID    `pos:"target"` // of a charge
	Prey   leaderID  `pos:"prey"`   // of a charge on a free leader
	Turns  bearingBy `pos:"turns"`
	Turn   int       `pos:"turn,min=-90,max=359"` // degrees
	To     string    `pos:"to,name"`              // towards what: a unit, a town or a bridge
	Point  place     `pos:"point"`                // towards which place, where it is none of those

	Segments int    `pos:"segments,max=9"`
	Far      length `pos:"far"`
	Area     bool   `pos:"area"`  // as far as the first engagement area
	Level    unitID `pos:"level"` // level with that piece
}

// A move is one item of the stop manoeuvres.
type move struct {
	Of    string  `pos:"of,required"` // the formations, one word after the other
	Part  unitSet `pos:"part"`
	As    string  `pos:"as,name"`
	First step    `pos:"first,required"`
	Else  step    `pos:"else"` // in its place, if it can't be made; without a verb the formation holds
}

// A moving is the world of the stop manoeuvres: the field as it is if what has been ordered so far
// goes as it is written.
type moving struct {
	v     *View
	board *game
	now   []army
	list  []move
	tried *trials // of the board as it is now

	accepted bool // as in [ordered]
}

// manoeuvresForm is the stop manoeuvres (EM-S8): one item for each formation that moves.
var manoeuvresForm = &form[*moving]{
	Begin: func(v *View, _ engine.Decision) (*moving, bool) {
		w := &moving{v: v, board: v.trial(), now: v.acting(), tried: v.trials()}
		return w, len(w.now) > 0
	},
	Fields: []keyed[*moving]{play.List("", "none", moveTexts, rule[*moving, move]{
		Next: func(w *moving) iter.Seq[move] { return w.next },
		May:  (*moving).fault,
		Can:  (*moving).can,
		Place: func(m move, f *play.Fault) []string {
			switch {
			case f.Clause == "EM-10.3" && m.First.straightFault() == nil:
				return []string{"else"}
			case f.Clause == "EM-10.3":
				return []string{"withdraw"}
			case f.Clause == "EM-3.12" && m.Else.Turns != straight && m.First.Turns == straight:
				return []string{"else"}
			case f.Clause == "EM-3.12":
				return []string{"heading", "wheel", "advance"}
			}
			return nil
		},
		Read: readMove,
		Put: func(w *moving, m move) {
			w.list = append(w.list, m)
			w.board.tries(m)
			w.tried = newTrials()
		},
		Say: func(v *View, m move) engine.Choice {
			return engine.Choice{Of: m.Of, What: mannerWords[m.First.Does]}
		},
		Slots: moveSlots,
		Whole: (*moving).whole,
	})},
	Ends:  true,
	Sense: senseMoves,
	Chance: func(x *draft[*moving], chance *rand.Rand) {
		w := x.World
		for _, id := range w.ready() {
			m := move{Of: id, First: step{Does: manner(1 + chance.IntN(2))}}
			switch offers := w.charges(id); {
			case chance.IntN(4) == 0:
				continue
			case len(offers) > 0 && chance.IntN(2) == 0:
				m.First = step{Does: charging, Target: offers[chance.IntN(len(offers))].target}
				m.Else = step{Does: advancing}
			case m.First.Does == advancing && chance.IntN(3) == 0:
				m.First.Turns, m.First.Turn = byWheel, chance.IntN(121)-60
			case chance.IntN(2) == 0:
				if e := w.board.nearestTo(w.board.formationNamed(id).Units[0]); e != 0 {
					m.First = step{Does: advancing, Turns: byTarget, To: w.board.def(e).id}
				}
			case m.First.Does == advancing:
				m.First.Segments = 1 + chance.IntN(4)
			}
			x.Try("", m)
		}
	},
	Note: noteMoves,
	Do: func(p *battlefield, _ engine.Decision, w *moving) {
		p.Said = true
		p.Moves = append(p.Moves, w.list...)
	},
}

// nearestTo gives the enemy unit, not a garrison, that is nearest to a unit; 0 for none.
func (g *game) nearestTo(u unitID) unitID {
	best, least := unitID(0), int64(0)
	for _, e := range g.standing() {
		if !g.enemies(u, e) || g.def(e).garrison() {
			continue
		}
		if d := geometry.Dist2(geometry.Point(g.Units[u].At), geometry.Point(g.Units[e].At)); best == 0 || d < least {
			best, least = e, d
		}
	}
	return best
}

// ready lists the formations that may make a manoeuvre.
func (w *moving) ready() []string {
	var all []string
	for i := range w.board.Formations {
		f := &w.board.Formations[i]
		if slices.Contains(w.now, w.board.army(f.Corps)) && w.board.readyFault(f) == nil {
			all = append(all, f.ID)
		}
	}
	return all
}

// charges lists whom a formation may charge.
func (w *moving) charges(id string) []chargeOffer {
	return w.tried.charges(w.board, w.board.formationNamed(id).Units)
}

// next lists manoeuvres: each formation, and each group that may act together, advances, withdraws
// or charges.
func (w *moving) next(yield func(move) bool) {
	for _, id := range append(w.ready(), w.groups()...) {
		for does := advancing; does <= charging; does++ {
			if !yield(move{Of: id, First: step{Does: does}}) {
				return
			}
		}
	}
}

// unitsOf lists the units of an item, in the order of their numbers.
func (g *game) unitsOf(m move) []unitID {
	if all := m.Part.list(); len(all) > 0 {
		return all
	}
	var all []unitID
	for _, id := range strings.Fields(m.Of) {
		if f := g.formationNamed(id); f != nil {
			all = append(all, f.Units...)
		}
	}
	slices.Sort(all)
	return all
}

// fault says why an item may not come next. What can't be made now may come if something else is
// ordered for that case: the field changes until it is made.
func (w *moving) fault(m move) *play.Fault {
	if fault := w.itemFault(m); fault != nil || m.Else.Does != 0 {
		return fault
	}
	return sinceAccepted(w.accepted, w.board.stepFault(w.board.unitsOf(m), &m.First))
}

// sinceAccepted is a fault, or none if it is that of a charge in a file that was accepted once: charges end in other places
// since (EM-R119). What can't be made is not made.
func sinceAccepted(accepted bool, fault *play.Fault) *play.Fault {
	if accepted && fault != nil && fault.Clause == "EM-10.4" {
		return nil
	}
	return fault
}

// can says whether fault has nothing to say.
func (w *moving) can(m move) bool {
	if w.itemFault(m) != nil {
		return false
	}
	return m.Else.Does != 0 || w.tried.can(w.board, w.board.unitsOf(m), &m.First)
}

// itemFault says what is wrong with an item, wherever the field lets it go: no change of the field will
// let a formation turn farther, from the heading that it has (EM-3.12).
func (w *moving) itemFault(m move) *play.Fault {
	ids := strings.Fields(m.Of)
	for i, id := range ids {
		f := w.board.formationNamed(id)
		if slices.Contains(ids[:i], id) || !w.board.hasFormation(w.now, id) {
			return notYours(id)
		}
		for _, u := range m.Part.list() {
			if fault := w.board.memberFault(f, u); fault != nil || len(ids) > 1 {
				return cmp.Or(fault, &play.Fault{Clause: "EM-R89", Why: phrase.Say("em.part-of-several")})
			}
		}
		if m.Part != (unitSet{}) {
			if fault := w.board.partNameFault(m.As, id); fault != nil {
				return fault
			}
		}
	}
	units := w.board.unitsOf(m)
	for _, s := range []*step{&m.First, &m.Else} {
		if s.Does == 0 {
			continue
		}
		if fault := cmp.Or(s.straightFault(), w.board.turnFault(w.board.turnOf(units, s))); fault != nil {
			return fault
		}
		if s.Does == charging && !w.board.foe(w.now, s.Target) && !(s.Prey != 0 && w.board.preyOf(w.now, s.Prey)) {
			return &play.Fault{Clause: "EM-10.4", Why: phrase.Say("em.charge-enemy"), Remedy: phrase.Say("em.charge-remedy")}
		}
	}
	return w.board.groundFault(units)
}

// straightFault says that a withdrawal turns: it goes straight back, its front to where it was (EM-10.3).
func (s *step) straightFault() *play.Fault {
	if s.Does != withdrawing || s.Turns == straight {
		return nil
	}
	return &play.Fault{Clause: "EM-10.3", Why: phrase.Say("em.withdraw-straight")}
}

// groundFault says why units may make no manoeuvre, whatever it is.
func (g *game) groundFault(units []unitID) *play.Fault {
	return g.manoeuvreFault(&manoeuvre{Units: units, Does: withdrawing})
}

// stepFault says why units may not make a manoeuvre as it is ordered.
func (g *game) stepFault(units []unitID, s *step) *play.Fault {
	if fault := g.groundFault(units); fault != nil {
		return fault
	}
	m, fault := g.resolve(units, s)
	if fault != nil {
		return fault
	}
	return g.manoeuvreFault(m)
}

// resolve works out what a manoeuvre means that was ordered by names: its turn, and its length
// (section 6 of the digest, EM-R85).
func (g *game) resolve(units []unitID, s *step) (*manoeuvre, *play.Fault) {
	m := &manoeuvre{Units: units, Does: s.Does, Far: asFarAsItGoes, Target: s.Target, Prey: s.Prey}
	if fault := g.goneFault(s); fault != nil {
		return m, fault
	}
	if m.Turn = g.turnOf(units, s); s.Turns == straight && s.Does == charging {
		turn, ok := g.turnTo(m)
		if !ok {
			return m, g.chargeFault(m)
		}
		m.Turn = turn
	}
	if s.Does == charging {
		return m, nil
	}
	if s.Segments > 0 {
		m.Far = min(m.Far, length(s.Segments)*g.segment())
	}
	if s.Far > 0 {
		m.Far = min(m.Far, s.Far)
	}
	if s.Level != 0 {
		m.Far = min(m.Far, length(g.levelWith(units, m.Turn, geometry.Point(g.Units[s.Level].At))))
	}
	if s.Area && g.turnFault(m.Turn) == nil {
		if o := g.look(&manoeuvre{Units: units, Does: s.Does, Turn: m.Turn, Far: asFarAsItGoes}); !o.moves || o.why != byArea {
			return m, &play.Fault{Clause: "EM-R85", Why: phrase.Say("em.no-area", g.unitArg("unit", units[0]))}
		}
	}
	return m, nil
}

// goneFault says which of the pieces that a manoeuvre names has left the field since it was ordered: it
// has no place towards which one could go, or with which one could end level (EM-R107).
func (g *game) goneFault(s *step) *play.Fault {
	for _, u := range []unitID{g.steerUnit(s), s.Level} {
		if u != 0 && !g.on(u) {
			return &play.Fault{Clause: "EM-R107", Why: phrase.Say("em.name-gone", g.unitArg("unit", u)), Remedy: phrase.Say("em.name-gone-remedy")}
		}
	}
	return nil
}

// turnFrom is the turn that brings units from their heading to another, from -179 to 180.
func (g *game) turnFrom(units []unitID, to int) int {
	off := (to - g.Units[units[0]].Heading + 720) % 360
	if off > 180 {
		off -= 360
	}
	return off
}

// steerUnit is the unit towards which a manoeuvre goes; 0 for none. The name of a garrison means its town, which stands
// when it is gone.
func (s *scenario) steerUnit(by *step) unitID {
	if by.To == "" {
		return 0
	}
	if u, ok := s.unitNamed(by.To); ok && !s.def(u).garrison() {
		return u
	}
	return 0
}

// steersBy is the point of a unit, a town, a bridge or a place towards which a manoeuvre goes
// (EM-3.21).
func (s *game) steersBy(by *step) geometry.Point {
	if u := s.steerUnit(by); u != 0 {
		return geometry.Point(s.Units[u].At)
	}
	for i := range s.areas {
		if s.areas[i].id == by.To {
			return s.middle(areaID(i + 1))
		}
	}
	for i := range s.bridges {
		if s.bridges[i].id == by.To {
			o := s.bridge(i)
			return geometry.Point{X: (o.Lo.X + o.Hi.X) / 2, Y: (o.Lo.Y + o.Hi.Y) / 2}
		}
	}
	return geometry.Point(by.Point)
}

// tries moves the units of an item as it is written, without dice: what is ordered after it is
// judged by that.
func (g *game) tries(m move) {
	units := g.unitsOf(m)
	made, fault := g.resolve(units, &m.First)
	if fault != nil || g.manoeuvreFault(made) != nil {
		if m.Else.Does == 0 {
			return
		}
		if made, fault = g.resolve(units, &m.Else); fault != nil || g.manoeuvreFault(made) != nil {
			return
		}
	}
	g.parted(m)
	for _, u := range units {
		if !g.limberUp(u) {
			return
		}
	}
	if made.Target != 0 {
		(&battlefield{game: g}).chargeBegins(made.Target)
	}
	if o := g.prepare(made).run(); o.moves {
		g.stand(units, shifted(o.bodies, o.heading, o.far))
	}
	for _, u := range units {
		g.Units[u].Manoeuvred = true
		g.makeRoom(u)
	}
	for _, f := range g.formationsOf(units) {
		f.Manoeuvred = true
	}
	g.settle()
}

// parted splits the part of an item off its formation, and a formation that is named alone from
// those with which it is united (EM-10.9, EM-10.12).
func (g *game) parted(m move) {
	ids := strings.Fields(m.Of)
	f := g.formationNamed(ids[0])
	if len(ids) > 1 {
		return
	}
	if part := m.Part.list(); len(part) > 0 && len(part) < len(f.Units) {
		g.split(f, part, m.As)
		f = g.formationNamed(m.As)
	}
	g.splitOff(f)
}

// stepNode writes a manoeuvre.
func (v *View) stepNode(n *orders.Node, s *step) *orders.Node {
	how := orders.Inline()
	switch s.Turns {
	case byHeading:
		how.Set("heading", orders.Number(s.Turn))
	case byWheel:
		how.Set("wheel", orders.Text(wheelText(s.Turn)))
	case byTarget:
		how.Set("towards", v.steerNode(s))
	}
	if s.Does == charging {
		var target *orders.Node
		if s.Prey != 0 {
			target = leaderTexts.Write(v, s.Prey)
		} else {
			target = units.Write(v, s.Target)
		}
		n.Set("charge", target)
		n.Pairs = append(n.Pairs, how.Pairs...)
		return n
	}
	if s.Segments > 0 {
		how.Set("segments", orders.Number(s.Segments))
	}
	if s.Far > 0 {
		how.Set("mm", s.Far.MarshalPos(nil))
	}
	if s.Area {
		how.Set("as-far-as", orders.Text("aoe"))
	}
	if s.Level != 0 {
		how.Set("level-with", units.Write(v, s.Level))
	}
	if len(how.Pairs) == 0 {
		return n.Set(mannerWords[s.Does], orders.Text("all"))
	}
	return n.Set(mannerWords[s.Does], how)
}

// steerNode writes towards what a manoeuvre goes.
func (v *View) steerNode(s *step) *orders.Node {
	if s.To == "" {
		return writePlace(s.Point)
	}
	if u, ok := v.unitNamed(s.To); ok {
		return units.Write(v, u)
	}
	return orders.Text(s.To)
}

// wheelText is right 30, or left 30.
func wheelText(turn int) string {
	if turn < 0 {
		return "left " + strconv.Itoa(-turn)
	}
	return "right " + strconv.Itoa(turn)
}
