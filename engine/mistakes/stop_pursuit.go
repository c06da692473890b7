package mistakes

import (
	"iter"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops of what moves in a combat, and of its outcome (EM-S10, EM-S11, EM-S18, EM-S20 to
// EM-S22).

// ofTarget lets the answer to the charge of a gun be written under its name: {22: back}; the
// value alone will do.
func ofTarget[T comparable](of kind[T]) kind[T] {
	return kind[T]{
		Shape: shape.Either(of.Shape, shape.Map(shape.Name("unit"), of.Shape)),
		Read: func(v *View, r *orders.Reader, n *orders.Node) (T, bool) {
			target := v.rush().Target
			if n.Kind == orders.Map && len(n.Pairs) == 1 && !r.Is(n.Pairs[0].Key, "swap") {
				u, ok := units.Read(v, r, n.Pairs[0].Key)
				if ok && u != target {
					r.Refuse(n.Pairs[0].Key, "EM-10.13", phrase.Say("em.gun-other", v.unitArg("unit", target)))
				}
				if !ok || u != target {
					var none T
					return none, false
				}
				n = n.Pairs[0].Value
			}
			return of.Read(v, r, n)
		},
		Write: func(v *View, value T) *orders.Node {
			return orders.Inline().Set(v.unitText(v.rush().Target), of.Write(v, value))
		},
	}
}

// limberedGunForm is the stop limbered-gun of a combat (EM-S10): {22: back}, or stand.
var limberedGunForm = noted(noteGun[bool], duelForm(askGunBack, "EM-10.13", "", ofTarget(play.Keywords[*View](standWords, []bool{true, false})),
	func(*duel[bool]) bool { return true },
	func(_ *duel[bool], yield func(bool) bool) { each([]bool{true, false}, yield) },
	rule[*duel[bool], bool]{},
	func(p *battlefield, w *duel[bool]) { p.gunAnswers(w.said) }))

// swapTexts are {swap: 20}, or stand.
var swapTexts = play.Or(play.Record(play.Need("swap", units, func(u *unitID) *unitID { return u })), 0, "stand")

// unlimberedGunForm is the stop unlimbered-gun of a combat (EM-S11): {27: {swap: 20}}, or stand.
var unlimberedGunForm = noted(noteGun[unitID], duelForm(askGunSwap, "EM-10.14", "", ofTarget(swapTexts),
	func(w *duel[unitID]) unitID { return w.view.usualPayer(w.view.swaps(w.view.rush().Target)) },
	func(w *duel[unitID], yield func(unitID) bool) {
		if yield(0) {
			each(w.view.swaps(w.view.rush().Target), yield)
		}
	},
	rule[*duel[unitID], unitID]{Ways: func(w *duel[unitID], u unitID) *play.Fault {
		return &play.Fault{Clause: "EM-10.14", Why: phrase.Say("em.swap-not", w.view.unitArg("unit", u))}
	}},
	func(p *battlefield, w *duel[unitID]) { p.gunSwaps(w.said) }))

// A hunt is a pursuit as a file has it.
type hunt struct {
	kind                  arm
	target, general, step int
	heading               int // one more than the degrees; 0: the least turn
	prey                  unitID
}

// signs are those of modifiers that a player chooses.
var signs = play.Keywords[*View]([]string{"down", "up"}, []int{-1, 1})

// pursueForm is the stop pursue (EM-S18): {pursue: cavalry, target-mod: up, general-mod: up,
// side-step: left, heading: auto}.
var pursueForm = noted(noteHunt, besides("", besidesHunt, sensed(sensePursue, duelForm(askPursuit, "EM-11.9", "", huntTexts,
	func(w *duel[hunt]) hunt { return hunt{kind: w.view.Combat.Chase.Left[0], target: -1, general: -1} },
	func(w *duel[hunt], yield func(hunt) bool) {
		for _, of := range w.view.Combat.Chase.Left {
			if !yield(hunt{kind: of, target: -1, general: -1}) {
				return
			}
		}
	},
	rule[*duel[hunt], hunt]{
		Read: func(w *duel[hunt], r *orders.Reader, n *orders.Node) (hunt, bool) {
			w.accepted = r.Accepted
			return huntTexts.Read(w.view, r, n)
		},
		Slots: huntSlots,
		Say:   func(_ *View, h hunt) engine.Choice { return engine.Choice{Of: stopPursue, What: armWords[h.kind]} },
		May:   (*duel[hunt]).huntFault,
		Settle: func(_ *duel[hunt], h hunt) hunt {
			if h.target == 0 {
				h.target = -1
			}
			if h.general == 0 {
				h.general = -1
			}
			return h
		},
	},
	func(p *battlefield, w *duel[hunt]) { p.pursues(p.pursuit(w.said)) }))))

// huntTexts are pursuits as files have them.
var huntTexts = play.Record(
	play.Need("pursue", play.Keywords[*View]([]string{"infantry", "cavalry"}, []arm{infantry, cavalry}), func(h *hunt) *arm { return &h.kind }),
	play.Of("target-mod", signs, func(h *hunt) *int { return &h.target }),
	play.Of("general-mod", signs, func(h *hunt) *int { return &h.general }),
	play.Of("side-step", play.Keywords[*View]([]string{"left", "right"}, []int{-1, 1}), func(h *hunt) *int { return &h.step }),
	play.Of("heading", maybe(degrees), func(h *hunt) *int { return &h.heading }),
	play.Of("target", maybe(units), func(h *hunt) *unitID { return &h.prey }))

// huntSlots are what may be said of a pursuit besides who pursues.
var huntSlots = []slot[*duel[hunt], hunt]{
	bySign("target-mod", [2]string{"", "up"}, func(h *hunt) *int { return &h.target }, nil),
	bySign("general-mod", [2]string{"", "up"}, func(h *hunt) *int { return &h.general }, nil),
	bySign("side-step", [2]string{"left", "right"}, func(h *hunt) *int { return &h.step }, func(h hunt) bool { return h.kind == cavalry }),
	byNumber("heading", 0, 359, func(h hunt) int { return h.heading - 1 }, func(h hunt, n int) hunt { h.heading = n + 1; return h },
		func(w *duel[hunt], h hunt) bool { return w.huntFault(h) == nil }, ofHunt),
	byWord(func(w *duel[hunt], h hunt) iter.Seq[hunt] {
		return func(yield func(hunt) bool) {
			for _, u := range w.view.quarry(h.kind) {
				if h.prey = u; !yield(h) {
					return
				}
			}
		}
	}, func(v *View, h hunt) string {
		if h.prey == 0 {
			return ""
		}
		return "target " + v.unitText(h.prey)
	}, ofHunt),
}

// ofHunt names the stop: there is only one pursuit at it.
func ofHunt(*View, hunt) string { return stopPursue }

// bySign is a slot in which one of two signs is said by its word; "" is what is meant anyway.
func bySign(key string, words [2]string, at func(*hunt) *int, may func(hunt) bool) slot[*duel[hunt], hunt] {
	return byWord(func(_ *duel[hunt], h hunt) iter.Seq[hunt] {
		return func(yield func(hunt) bool) {
			for i, word := range words {
				if *at(&h) = 2*i - 1; word != "" && (may == nil || may(h)) && !yield(h) {
					return
				}
			}
		}
	}, func(_ *View, h hunt) string {
		if n := *at(&h); n != 0 && words[(n+1)/2] != "" {
			return key + " " + words[(n+1)/2]
		}
		return ""
	}, ofHunt)
}

// huntFault says why a pursuit can't be so.
func (w *duel[T]) huntFault(h hunt) *play.Fault {
	x := w.view.pursuit(h)
	if fault := w.view.turnFault(x.Turn); x.Named && fault != nil {
		return fault
	}
	if fault := w.view.pursuitFault(&x); fault != nil || w.accepted {
		return fault
	}
	return w.view.aimFault(&x, w.view.reached)
}

// pursuit is a hunt as the rules take it.
func (g *game) pursuit(h hunt) pursuit {
	x := pursuit{Type: h.kind, Target: h.target, General: h.general, Step: h.step, Prey: h.prey}
	if units := g.pursuers(h.kind); h.heading != 0 && len(units) > 0 {
		x.Named, x.Turn = true, g.turned(units[0], h.heading)
	}
	return x
}

// A relief is a reinforcement as a file has it.
type relief struct {
	formation    string
	unit, charge unitID
	heading      int // one more than the degrees; 0: the least turn
}

// ids are names of formations.
var ids = kind[string]{
	Shape: shape.Name("formation"),
	Read:  func(_ *View, r *orders.Reader, n *orders.Node) (string, bool) { return r.Text(n) },
	Write: func(_ *View, id string) *orders.Node { return orders.Text(id) },
}

// reinforceForm is the stop reinforce (EM-S20): {reinforce: {formation: b-Domon, unit: 41, charge:
// red-8, heading: auto}}, or {reinforce: none}.
var reinforceForm = besides(reliefLegend, besidesRelief, sensed(senseReserves, duelForm(askReserves, "EM-11.7", "reinforce", reliefTexts,
	func(*duel[relief]) relief { return relief{} },
	func(w *duel[relief], yield func(relief) bool) {
		if !yield(relief{}) {
			return
		}
		for _, one := range w.view.reserved() {
			if !yield(relief{formation: one.formation, charge: one.target}) {
				return
			}
		}
	},
	rule[*duel[relief], relief]{
		Read: func(w *duel[relief], r *orders.Reader, n *orders.Node) (relief, bool) {
			w.accepted = r.Accepted
			return reliefTexts.Read(w.view, r, n)
		},
		May: func(w *duel[relief], x relief) *play.Fault {
			fault := w.view.reliefFault(w.view.reserved(), x)
			if fault != nil && w.accepted && x.heading != 0 && w.view.formationNamed(x.formation) != nil && w.view.on(x.charge) {
				return nil // charges end in other places since it was accepted (EM-R119)
			}
			return fault
		},
		Say: func(v *View, x relief) engine.Choice {
			if x.formation == "" {
				return engine.Choice{Of: stopReinforce, What: "none"}
			}
			return engine.Choice{Of: x.formation, What: "charge " + v.unitText(x.charge)}
		},
		Slots: reliefSlots,
	},
	func(p *battlefield, w *duel[relief]) {
		turn := 0
		if w.said.formation != "" {
			turn = p.reliefTurn(w.view.reserved(), w.said)
		}
		p.reinforces(w.said.formation, w.said.charge, w.said.unit, turn)
	})))

// reliefTexts are reinforcements as files have them.
var reliefTexts = play.OrNone(play.Record(
	play.Need("formation", ids, func(x *relief) *string { return &x.formation }),
	play.Of("unit", maybe(units), func(x *relief) *unitID { return &x.unit }),
	play.Need("charge", units, func(x *relief) *unitID { return &x.charge }),
	play.Of("heading", maybe(degrees), func(x *relief) *int { return &x.heading })), "none")

// reliefSlots are what may be said of a reinforcement besides who charges whom.
var reliefSlots = []slot[*duel[relief], relief]{
	byWord(func(w *duel[relief], x relief) iter.Seq[relief] {
		return func(yield func(relief) bool) {
			for _, u := range w.view.unitsIn(x.formation) {
				if x.unit = u; !yield(x) {
					return
				}
			}
		}
	}, func(v *View, x relief) string {
		if x.unit == 0 {
			return ""
		}
		return "unit " + v.unitText(x.unit)
	}, ofRelief),
	byNumber("heading", 0, 359, func(x relief) int { return x.heading - 1 }, func(x relief, n int) relief { x.heading = n + 1; return x },
		func(w *duel[relief], x relief) bool {
			return x.formation != "" && w.view.reliefFault(w.view.reserved(), x) == nil
		}, ofRelief),
}

func ofRelief(_ *View, x relief) string { return x.formation }

// unitsIn lists the units of a formation; none of one that there is not.
func (g *game) unitsIn(id string) []unitID {
	if f := g.formationNamed(id); f != nil {
		return f.Units
	}
	return nil
}

// reliefFault says why a formation can't reinforce so.
func (g *game) reliefFault(all []reserve, x relief) *play.Fault {
	if x.formation == "" {
		return nil
	}
	f := g.formationNamed(x.formation)
	if f == nil || x.unit != 0 && !slices.Contains(f.Units, x.unit) {
		return &play.Fault{Clause: "EM-11.7", Why: phrase.Say("em.reinforce-not", phrase.Literal("formation", x.formation))}
	}
	return reserveFault(all, x.formation, x.charge, g.reliefTurn(all, x))
}

// reliefTurn is the turn of a reinforcement: the one that is named, or the least.
func (g *game) reliefTurn(all []reserve, x relief) int {
	if x.heading != 0 {
		return g.turned(g.formationNamed(x.formation).Units[0], x.heading)
	}
	for _, one := range all {
		if one.formation == x.formation && one.target == x.charge {
			return one.least
		}
	}
	return 0
}

// A tally is what is kept for the outcome, as a file has it. Dice 7 and 8 are the words low and
// high.
type tally struct {
	die, sign int
	leader    leaderID
}

const lowDie, highDie = dieSides + 1, dieSides + 2

// outcomeForm is the stop outcome (EM-S21): {keep: low, level: minus}; the die may be named by
// its number, and the leader if there are several.
var outcomeForm = noted(noteOutcome, duelForm(askKeep, "EM-11.12", "", play.Record(
	play.Need("keep", play.Or(play.Or(play.Number[*View](1, dieSides), lowDie, "low"), highDie, "high"), func(x *tally) *int { return &x.die }),
	play.Of("level", play.Keywords[*View]([]string{"minus", "plus"}, []int{-1, 1}), func(x *tally) *int { return &x.sign }),
	play.Of("leader", maybe(leaderTexts), func(x *tally) *leaderID { return &x.leader })),
	func(w *duel[tally]) tally {
		k := w.view.usualKeep(w.view.roleOf(w.army))
		return tally{k.Die, k.Sign, k.Leader}
	},
	func(w *duel[tally], yield func(tally) bool) {
		role := w.view.roleOf(w.army)
		dice := slices.Compact(slices.Sorted(slices.Values(w.view.Combat.Dice[role])))
		for _, die := range dice {
			if len(w.view.ledIn(role)) == 0 && !yield(tally{die: die}) {
				return
			}
			for _, l := range w.view.ledIn(role) {
				if !yield(tally{die, -1, l}) || !yield(tally{die, 1, l}) {
					return
				}
			}
		}
	},
	rule[*duel[tally], tally]{
		May: func(w *duel[tally], x tally) *play.Fault {
			return w.view.keepFault(w.army, keep{Die: x.die, Leader: x.leader, Sign: x.sign})
		},
		Settle: func(w *duel[tally], x tally) tally {
			role := w.view.roleOf(w.army)
			switch x.die {
			case lowDie:
				x.die = slices.Min(w.view.Combat.Dice[role])
			case highDie:
				x.die = slices.Max(w.view.Combat.Dice[role])
			}
			if led := w.view.ledIn(role); x.leader == 0 && len(led) == 1 {
				x.leader = led[0]
				if x.sign == 0 {
					x.sign = -1
				}
			}
			return x
		},
	},
	func(p *battlefield, w *duel[tally]) {
		p.keeps(w.army, keep{Die: w.said.die, Leader: w.said.leader, Sign: w.said.sign})
	}))

// roleOf is the role of an army in the combat.
func (g *game) roleOf(a army) int {
	if a == g.armyIn(0) {
		return 0
	}
	return 1
}

// A payment is which unit takes the loss of a formation.
type payment struct {
	id   string
	unit unitID
}

// A payroll is the world of the stop withdraw-loss.
type payroll struct {
	view *View
	army army
	by   map[string]unitID // only looked up by formation
}

// withdrawLossForm is the stop withdraw-loss (EM-S22): {loss: {b-Quiot: 13}}.
var withdrawLossForm = &form[*payroll]{
	Clause: "EM-11.12",
	Begin: func(v *View, d engine.Decision) (*payroll, bool) {
		w := &payroll{view: v, army: v.asked(d.Side, askToll), by: map[string]unitID{}}
		return w, w.army != noArmy
	},
	Flow: true,
	Fields: []keyed[*payroll]{{
		Key:   "loss",
		Shape: shape.Map(shape.Name("formation"), shape.Name("unit")),
		Read: func(x *draft[*payroll], r *orders.Reader, n *orders.Node) {
			entries := slices.Clone(play.Entries(r, n))
			slices.SortStableFunc(entries, func(a, b orders.Pair) int { return strings.Compare(a.Key.Text, b.Key.Text) })
			for _, pair := range entries {
				since := len(r.Problems)
				id, ok := r.Text(pair.Key)
				u, fine := units.Read(x.View, r, pair.Value)
				x.Judge(r, pair.Value, "loss", payment{id, u}, ok && fine, since)
			}
		},
		Write: func(x *draft[*payroll], parts []play.Part) *orders.Node {
			n := orders.Inline()
			parts = slices.SortedStableFunc(slices.Values(parts), func(a, b play.Part) int {
				return strings.Compare(a.Value.(payment).id, b.Value.(payment).id)
			})
			for _, part := range parts {
				one := part.Value.(payment)
				n.Set(one.id, orders.Text(x.View.unitText(one.unit)))
			}
			return n
		},
		Next: func(w *payroll) iter.Seq[any] {
			return func(yield func(any) bool) {
				for _, one := range w.view.Combat.Withdrew {
					for _, u := range w.view.present(one.Gone) {
						if w.by[one.ID] == 0 && !yield(payment{one.ID, u}) {
							return
						}
					}
				}
			}
		},
		May: func(w *payroll, value any) *play.Fault {
			one := value.(payment)
			if w.by[one.id] != 0 {
				return &play.Fault{Clause: "EM-11.12", Why: phrase.Say("em.toll-not", phrase.Literal("formation", one.id))}
			}
			return w.view.tollFault(one.id, one.unit)
		},
		Put: func(w *payroll, value any) { w.by[value.(payment).id] = value.(payment).unit },
		Say: func(v *View, value any) engine.Choice {
			return engine.Choice{Of: value.(payment).id, What: v.unitText(value.(payment).unit)}
		},
	}},
	Usual: func(x *draft[*payroll]) {
		for _, one := range x.World.view.Combat.Withdrew {
			if u := x.World.view.usualPayer(one.Gone); u != 0 {
				x.Try("loss", payment{one.ID, u})
			}
		}
	},
	Do: func(p *battlefield, _ engine.Decision, w *payroll) { p.pays(w.army, w.by) },
}
