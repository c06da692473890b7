package mistakes

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// The stops of the end of 3.3 and of combats (EM-S10 to EM-S22).

// The stops by the kind of their decision.
const (
	stopLimberedGun   = "limbered-gun"   // EM-S10
	stopUnlimberedGun = "unlimbered-gun" // EM-S11
	stopSide          = "side"           // EM-S12
	stopUnlimber      = "unlimber"       // EM-S13
	stopCombat        = "combat"         // EM-S14
	stopSupport       = "support"        // EM-S15
	stopReroll        = "reroll"         // EM-S16
	stopLosses        = "losses"         // EM-S17
	stopPursue        = "pursue"         // EM-S18
	stopCounter       = "counter"        // EM-S19
	stopReinforce     = "reinforce"      // EM-S20
	stopOutcome       = "outcome"        // EM-S21
	stopWithdrawLoss  = "withdraw-loss"  // EM-S22
)

// A duel is the world of a stop of a combat: whose answer it is, and what he has said. The view
// has a name, for embedded it would give all methods of a game to each kind of answer: half of
// what the compiler made of this package.
type duel[T any] struct {
	view *View
	army army
	said T
	done bool

	accepted bool // as in [ordered]
}

// asked gives the army of a seat that a combat asks; none if it asks none.
func (g *game) asked(side engine.Side, what decision) army {
	if g.Combat == nil && g.Rush != nil && g.gunAsked(g.Rush) != notAsked && gunDecisions[g.gunAsked(g.Rush)] == what {
		if a := g.def(g.Rush.Target).army; g.seatOf(a) == side {
			return a
		}
	}
	if g.Combat != nil {
		for _, one := range g.Combat.Asks {
			if one.What == what && g.seatOf(one.Army) == side {
				return one.Army
			}
		}
	}
	return noArmy
}

// duelForm is the form of a stop of a combat at which one thing is said. Key is "" where a record
// is the whole answer. Usual is what the deadline says, next lists what may be said.
func duelForm[T comparable](what decision, clause, key string, as kind[T], usual func(*duel[T]) T, next func(*duel[T], func(T) bool), r rule[*duel[T], T], do func(*battlefield, *duel[T])) *form[*duel[T]] {
	r.Next = func(w *duel[T]) iter.Seq[T] { return func(yield func(T) bool) { next(w, yield) } }
	r.Put = func(w *duel[T], said T) { w.said, w.done = said, true }
	if r.Say == nil {
		r.Say = func(v *View, said T) engine.Choice {
			n := as.Write(v, said)
			if n == nil {
				n = orders.Text("none")
			}
			return engine.Choice{Of: decisionStops[what], What: n.OneLine()}
		}
	}
	return &form[*duel[T]]{
		Clause: clause,
		Begin: func(v *View, d engine.Decision) (*duel[T], bool) {
			w := &duel[T]{view: v, army: v.asked(d.Side, what)}
			return w, w.army != noArmy
		},
		Flow:   true,
		Fields: []keyed[*duel[T]]{play.One(key, as, r)},
		Usual:  func(x *draft[*duel[T]]) { x.Try(key, usual(x.World)) },
		Do:     func(p *battlefield, _ engine.Decision, w *duel[T]) { do(p, w) },
	}
}

// sensed gives a form the answer of a fair player.
func sensed[T comparable](sense func(*draft[*duel[T]], *rand.Rand), f *form[*duel[T]]) *form[*duel[T]] {
	f.Sense = sense
	return f
}

// noted gives the template of a form its notes.
func noted[T comparable](note func(*draft[*duel[T]], *orders.Node), f *form[*duel[T]]) *form[*duel[T]] {
	f.Note = note
	return f
}

// besides gives the template of a form a legend and more examples.
func besides[T comparable](remark string, more func(*draft[*duel[T]]) []string, f *form[*duel[T]]) *form[*duel[T]] {
	f.Note, f.Besides = legend[*duel[T]](remark), more
	return f
}

// each yields all of a list.
func each[T any](list []T, yield func(T) bool) {
	for _, one := range list {
		if !yield(one) {
			return
		}
	}
}

// yesNo are the words of a choice between two.
var yesNo = play.Keywords[*View]([]string{"yes", "no"}, []bool{true, false})

// The sides of a unit as files name them; both flanks are one word.
var sideWords = []string{"front", "flank", "rear"}

func sideWord(side geometry.Flank) string {
	switch side {
	case geometry.Front:
		return sideWords[0]
	case geometry.Rear:
		return sideWords[2]
	}
	return sideWords[1]
}

// corners are the two sides between which the defender chooses (EM-3.8).
func (g *game) corners() [2]geometry.Flank {
	m := g.Combat.Melee
	first, second, _ := g.struck(m.Defender, m.Attacker)
	return [2]geometry.Flank{first, second}
}

// sideForm is the stop side (EM-S12): {side: front}.
var sideForm = noted(noteSides, duelForm(askSide, "EM-3.8", "side", play.Keywords[*View](sideWords, sideWords),
	func(w *duel[string]) string { return sideWord(w.view.corners()[0]) },
	func(w *duel[string], yield func(string) bool) {
		for _, side := range w.view.corners() {
			if !yield(sideWord(side)) {
				return
			}
		}
	},
	rule[*duel[string], string]{Ways: func(w *duel[string], _ string) *play.Fault { return w.view.sideFault(-1) }},
	func(p *battlefield, w *duel[string]) {
		for _, side := range p.corners() {
			if sideWord(side) == w.said {
				p.choosesSide(side)
				return
			}
		}
	}))

// rerollForm is the stop reroll (EM-S16): {reroll: yes}.
var rerollForm = noted(noteThrows, sensed(senseReroll, duelForm(askReroll, "EM-11.5", "reroll", yesNo,
	func(*duel[bool]) bool { return false },
	func(_ *duel[bool], yield func(bool) bool) { each([]bool{false, true}, yield) },
	rule[*duel[bool], bool]{},
	func(p *battlefield, w *duel[bool]) { p.rerolls(w.army, w.said) })))

// A blow is a unit and the enemy whom it fights.
type blow struct{ unit, against unitID }

// blows lists all that combats or counterattacks may be.
func blows(all []bout) []blow {
	var list []blow
	for _, one := range all {
		for _, e := range one.against {
			list = append(list, blow{one.attacker, e})
		}
	}
	return list
}

// settled fills in the enemy of a blow if the file leaves him out and there is only one.
func settled(all []blow, b blow) blow {
	if b.against != 0 {
		return b
	}
	found := blow{unit: b.unit}
	for _, one := range all {
		if one.unit == b.unit {
			if found.against != 0 {
				return b
			}
			found = one
		}
	}
	return found
}

// counterForm is the stop counter (EM-S19): {counter: 7, against: red-8}, or {counter: none}.
var counterForm = duelForm(askCounter, "EM-11.7", "",
	play.Record(play.Need("counter", play.OrNone(units, "none"), func(b *blow) *unitID { return &b.unit }),
		play.Of("against", maybe(units), func(b *blow) *unitID { return &b.against })),
	func(w *duel[blow]) blow { return w.view.usualCounter() },
	func(w *duel[blow], yield func(blow) bool) {
		if yield(blow{}) {
			each(blows(w.view.counters()), yield)
		}
	},
	rule[*duel[blow], blow]{
		Ways:   func(w *duel[blow], b blow) *play.Fault { return w.view.counterFault(b.unit, b.against) },
		Settle: func(w *duel[blow], b blow) blow { return settled(blows(w.view.counters()), b) },
	},
	func(p *battlefield, w *duel[blow]) { p.counterattacks(w.said.unit, w.said.against) })

// usualCounter is the counterattack of the deadline: the best one, if its modifiers are not against it; else
// none.
func (g *game) usualCounter() blow {
	best, most := g.bestCounter()
	if most < 0 {
		return blow{}
	}
	return best
}

// bestCounter is the counterattack with the best balance of known modifiers, the lowest numbers first, and
// that balance.
func (g *game) bestCounter() (best blow, most int) {
	for i, b := range blows(g.counters()) {
		c := *g.Combat
		c.Melee = &melee{Attacker: b.unit, Defender: b.against}
		try := *g
		try.Combat = &c
		if n := sum(try.meleeModifiers(0)) - sum(try.meleeModifiers(1)); i == 0 || n > most {
			best, most = b, n
		}
	}
	return best, most
}

// maybe is a kind that may be left out of a record.
func maybe[T comparable](k kind[T]) kind[T] {
	write := k.Write
	k.Write = func(v *View, value T) *orders.Node {
		var none T
		if value == none {
			return nil
		}
		return write(v, value)
	}
	return k
}

// combatForm is the stop combat (EM-S14): {next: 13}, or {next: 13, against: red-8}.
var combatForm = &form[*duel[blow]]{
	Clause: "EM-11.1",
	Begin: func(v *View, d engine.Decision) (*duel[blow], bool) {
		a := army(slices.Index(armyWords, d.At))
		w := &duel[blow]{view: v, army: max(a, noArmy)}
		return w, a > noArmy && len(v.openings(a)) > 0
	},
	Flow: true,
	Fields: []keyed[*duel[blow]]{play.One("",
		play.Record(play.Need("next", units, func(b *blow) *unitID { return &b.unit }),
			play.Of("against", maybe(units), func(b *blow) *unitID { return &b.against })),
		rule[*duel[blow], blow]{
			Next:   func(w *duel[blow]) iter.Seq[blow] { return slices.Values(blows(w.view.openings(w.army))) },
			Ways:   func(w *duel[blow], b blow) *play.Fault { return w.view.openingFault(w.army, b.unit, b.against) },
			Settle: func(w *duel[blow], b blow) blow { return settled(blows(w.view.openings(w.army)), b) },
			Put:    func(w *duel[blow], b blow) { w.said = b },
			Say: func(v *View, b blow) engine.Choice {
				return engine.Choice{Of: v.unitText(b.unit), What: v.unitText(b.against)}
			},
		})},
	Usual: func(x *draft[*duel[blow]]) { x.Try("", blows(x.World.view.openings(x.World.army))[0]) },
	Note:  noteContacts,
	Do:    func(p *battlefield, _ engine.Decision, w *duel[blow]) { p.engage(w.said.unit, w.said.against) },
}

// shares are losses given out, in the order of the units; there are no more takers in a melee.
type shares [16]toll

// sharesOf puts a sharing in order, without units that take none.
func sharesOf(so []toll) shares {
	var all shares
	so = slices.DeleteFunc(slices.Clone(so), func(x toll) bool { return x.N == 0 })
	slices.SortFunc(so, func(a, b toll) int { return int(a.Unit) - int(b.Unit) })
	copy(all[:], so)
	return all
}

// list gives the losses of who takes any.
func (s *shares) list() []toll {
	return slices.DeleteFunc(slices.Clone(s[:]), func(x toll) bool { return x.N == 0 })
}

// lossMaps are losses by unit: {1: 1, 3: 1}.
var lossMaps = kind[shares]{
	Shape: shape.Map(shape.Name("unit"), shape.Number(0, 9)),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (shares, bool) {
		var so []toll
		whole := n.Kind == orders.Map
		for _, pair := range play.Entries(r, n) {
			u, ok := units.Read(v, r, pair.Key)
			count, fine := r.Int(pair.Value, 0, 9)
			whole = whole && ok && fine
			so = append(so, toll{u, count})
		}
		return sharesOf(so), whole && len(so) <= len(shares{})
	},
	Write: func(v *View, s shares) *orders.Node {
		n := orders.Inline()
		for _, x := range s.list() {
			n.Set(v.unitText(x.Unit), orders.Number(x.N))
		}
		return n
	},
}

// lossesForm is the stop losses (EM-S17): {losses: {1: 1, 3: 1}}.
var lossesForm = duelForm(askLosses, "EM-11.6", "losses", lossMaps,
	func(w *duel[shares]) shares { return sharesOf(w.view.usualLosses(w.army)) },
	func(w *duel[shares], yield func(shares) bool) {
		for _, so := range w.view.sharings(w.view.inMelee(w.army)) {
			if !yield(sharesOf(so)) {
				return
			}
		}
	},
	rule[*duel[shares], shares]{May: func(w *duel[shares], s shares) *play.Fault { return w.view.lossFault(w.army, s.list()) }},
	func(p *battlefield, w *duel[shares]) { p.givesOut(w.army, w.said.list()) })

// supportForm is the stop support (EM-S15): {support: [14, 24]}.
var supportForm = &form[*duel[[]unitID]]{
	Clause: "EM-11.4",
	Begin: func(v *View, d engine.Decision) (*duel[[]unitID], bool) {
		w := &duel[[]unitID]{view: v, army: v.asked(d.Side, askSupport)}
		return w, w.army != noArmy
	},
	Flow: true,
	Fields: []keyed[*duel[[]unitID]]{play.List("support", "none", units, rule[*duel[[]unitID], unitID]{
		Next: func(w *duel[[]unitID]) iter.Seq[unitID] { return slices.Values(w.view.mayBack(w.view.inMelee(w.army))) },
		All:  func(w *duel[[]unitID]) iter.Seq[unitID] { return slices.Values(w.view.mayBack(w.view.inMelee(w.army))) },
		May: func(w *duel[[]unitID], u unitID) *play.Fault {
			return w.view.supportFault(w.army, append(slices.Clone(w.said), u))
		},
		Put:   func(w *duel[[]unitID], u unitID) { w.said = append(w.said, u) },
		Say:   func(v *View, u unitID) engine.Choice { return engine.Choice{Of: v.unitText(u), What: "support"} },
		Order: func(a, b unitID) int { return int(a) - int(b) },
	})},
	Usual: func(x *draft[*duel[[]unitID]]) {
		for _, u := range x.World.view.mayBack(x.World.view.inMelee(x.World.army)) {
			x.Try("support", u)
		}
	},
	Fill: func(*draft[*duel[[]unitID]]) {},
	Note: noteMelee[[]unitID],
	Do:   func(p *battlefield, _ engine.Decision, w *duel[[]unitID]) { p.backs(w.army, w.said) },
}

// unlimberForm is the stop unlimber (EM-S13): {unlimber: [34, 39]}.
var unlimberForm = &form[*duel[[]unitID]]{
	Clause: "EM-15.3",
	Begin: func(v *View, _ engine.Decision) (*duel[[]unitID], bool) {
		return &duel[[]unitID]{view: v}, v.Phase == unlimbering && len(v.unlimbering(v.acting())) > 0
	},
	Flow: true,
	Fields: []keyed[*duel[[]unitID]]{play.List("unlimber", "none", units, rule[*duel[[]unitID], unitID]{
		Next: func(w *duel[[]unitID]) iter.Seq[unitID] { return slices.Values(w.view.unlimbering(w.view.acting())) },
		All:  func(w *duel[[]unitID]) iter.Seq[unitID] { return slices.Values(w.view.unlimbering(w.view.acting())) },
		May: func(w *duel[[]unitID], u unitID) *play.Fault {
			if slices.Contains(w.said, u) || !slices.Contains(w.view.unlimbering(w.view.acting()), u) {
				return &play.Fault{Clause: "EM-15.3", Why: unlimberNot(w.view.game, u)}
			}
			return nil
		},
		Put:   func(w *duel[[]unitID], u unitID) { w.said = append(w.said, u) },
		Say:   func(v *View, u unitID) engine.Choice { return engine.Choice{Of: v.unitText(u), What: "unlimber"} },
		Order: func(a, b unitID) int { return int(a) - int(b) },
	})},
	Usual: func(x *draft[*duel[[]unitID]]) {
		for _, u := range x.World.view.unlimbering(x.World.view.acting()) {
			if x.World.view.def(u).mount == foot {
				x.Try("unlimber", u)
			}
		}
	},
	Fill: func(*draft[*duel[[]unitID]]) {},
	Note: noteGuns,
	Do: func(p *battlefield, _ engine.Decision, w *duel[[]unitID]) {
		p.Said = true
		for _, u := range slices.Sorted(slices.Values(w.said)) { // in whatever order they were chosen
			p.unlimber(u)
		}
	},
}

// degrees is a heading as files have it, one more than it is; 0 is the word auto.
var degrees = play.Or(kind[int]{
	Shape: shape.Number(0, 359),
	Read: func(_ *View, r *orders.Reader, n *orders.Node) (int, bool) {
		v, ok := r.Int(n, 0, 359)
		return v + 1, ok
	},
	Write: func(_ *View, v int) *orders.Node { return orders.Text(strconv.Itoa(v - 1)) },
}, 0, "auto")

// turned is the turn that brings a formation to a heading, as the file has it.
func (g *game) turned(u unitID, degrees int) int {
	by := (degrees - 1 - g.Units[u].Heading + 720) % 360
	if by > 180 {
		by -= 360
	}
	return by
}
