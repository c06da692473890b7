package mistakes

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// stopInterrupt is the stop EM-S9.
const stopInterrupt = "interrupt"

// A reacting is the world of the stop interrupt.
type reacting struct {
	view   *View
	armies []army
	said   reaction
	tried  *trials

	accepted bool // as in [ordered]
}

// interruptForm is the stop interrupt (EM-S9): {react: none}, or {react: {units: [30], charge:
// blue-13, pay: uxbridge, points: keep}}.
var interruptForm = &form[*reacting]{
	Clause: "EM-9.11",
	Begin: func(v *View, d engine.Decision) (*reacting, bool) {
		w := &reacting{view: v, armies: v.interrupters(), tried: v.trials()}
		return w, len(w.armies) > 0 && v.seatOf(w.armies[0]) == d.Side
	},
	Fields: []keyed[*reacting]{play.One("react", reactionTexts, rule[*reacting, reaction]{
		Next: func(w *reacting) iter.Seq[reaction] { return w.next },
		May: func(w *reacting, x reaction) *play.Fault {
			if x == (reaction{}) {
				return nil
			}
			return sinceAccepted(w.accepted, w.view.reactionFault(w.armies, x))
		},
		Read: func(w *reacting, r *orders.Reader, n *orders.Node) (reaction, bool) {
			w.accepted = r.Accepted
			return reactionTexts.Read(w.view, r, n)
		},
		Can: (*reacting).can,
		Settle: func(w *reacting, x reaction) reaction {
			if units := x.units.list(); x.by == 0 && len(units) > 0 && w.view.of(units[0]) != nil {
				x.by = w.view.payer(w.view.of(units[0]), units, x.keep)
			}
			return x
		},
		Put: func(w *reacting, x reaction) { w.said = x },
		Say: func(v *View, x reaction) engine.Choice {
			switch {
			case x == (reaction{}):
				return engine.Choice{Of: stopInterrupt, What: "none"}
			case x.anew != nil:
				return engine.Choice{Of: v.reactor(x), What: verbWords[redeploys]}
			}
			return engine.Choice{Of: v.reactor(x), What: mannerWords[x.does.Does]}
		},
		Slots: reactionSlots,
		Whole: (*reacting).whole,
	})},
	Usual: func(x *draft[*reacting]) { x.Try("react", reaction{}) },
	Chance: func(x *draft[*reacting], chance *rand.Rand) {
		if chance.IntN(3) == 0 {
			return
		}
		var all []reaction
		for one := range x.World.next {
			all = append(all, one)
		}
		x.Try("react", x.World.whole(all[chance.IntN(len(all))]))
	},
	Note: noteReactions,
	Do: func(p *battlefield, _ engine.Decision, w *reacting) {
		if w.said == (reaction{}) {
			p.heard()
			return
		}
		p.react(w.said)
	},
}

// reactor is the formation that acts out of sequence; "" for none.
func (v *View) reactor(x reaction) string {
	if units := x.units.list(); len(units) > 0 && v.of(units[0]) != nil {
		return v.of(units[0]).ID
	}
	return ""
}

// reactionTexts are what is done out of sequence, as files have it.
var reactionTexts = play.OrNone(kind[reaction]{
	Shape: shape.Record(append([]shape.Key{shape.Need("units", shape.Filled(shape.Name("unit"))), shape.May("pay", shape.Name("leader")),
		shape.May("redeploy", redeployShape), shape.May("points", shape.Words("keep"))}, verbShapes...)...),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (reaction, bool) {
		since, x := len(r.Problems), reaction{}
		f := r.Fields(n, "units", "pay", "points", "redeploy", "advance", "withdraw", "charge", "heading", "wheel", "towards")
		if n.Kind != orders.Map {
			return x, false
		}
		if at := r.Require(f, "units"); at != nil {
			if x.units, _ = unitSets.Read(v, r, at); x.units == (unitSet{}) && len(r.Problems) == since {
				r.Refuse(at, "EM-9.11", phrase.Say("em.react-nobody"))
			}
		}
		if at := f.Get("pay"); at != nil {
			x.by, _ = leaderTexts.Read(v, r, at)
		}
		if at := f.Get("points"); at != nil {
			_, x.keep = r.Word(at, "keep")
		}
		at := f.Get("redeploy")
		if at == nil {
			x.does = readStep(v, r, n, f)
			return x, len(r.Problems) == since
		}
		for does := advancing; does <= charging; does++ {
			if one := f.Get(mannerWords[does]); one != nil {
				r.Refuse(one, "EM-9.11", phrase.Say("em.react-one"))
			}
		}
		v.readAnew(r, at, &x, since)
		return x, len(r.Problems) == since
	},
	Write: func(v *View, x reaction) *orders.Node {
		n := orders.Inline().Set("units", unitSets.Write(v, x.units))
		if x.anew != nil {
			n.Set("redeploy", v.redeployNode(x.anew))
		} else {
			v.stepNode(n, &x.does)
		}
		n.Set("pay", leaderTexts.Write(v, x.by))
		if x.keep {
			n.Set("points", orders.Text("keep"))
		}
		return n
	},
}, "none")

// readAnew reads a redeployment out of sequence: it names nobody but the units that act.
func (v *View) readAnew(r *orders.Reader, n *orders.Node, x *reaction, since int) {
	w := &ordered{game: v.game, armies: v.interrupters()}
	d, nodes := w.readRedeployment(v, r, n)
	x.anew = d
	acting := x.units.list()
	for _, s := range d.spots {
		v.outsiderFault(*x, s.unit).Refuse(r, nodes[s.unit])
	}
	for _, one := range d.groups {
		for _, u := range one.units {
			v.outsiderFault(*x, u).Refuse(r, n)
		}
	}
	if len(r.Problems) > since || len(acting) == 0 {
		return
	}
	f := v.of(acting[0])
	if f == nil || slices.ContainsFunc(acting, func(u unitID) bool { return v.of(u) != f }) {
		return // the judge of the stop says it
	}
	if fault := w.refuseAll(v.aside(*x), r, n, d, nodes); fault != nil {
		fault.Refuse(r, n)
	}
}

// next lists what may be done out of sequence: nothing, or what a formation may do.
func (w *reacting) next(yield func(reaction) bool) {
	if !yield(reaction{}) {
		return
	}
	for i := range w.view.Formations {
		f := &w.view.Formations[i]
		if !w.asks(f) {
			continue
		}
		for does := advancing; does <= charging; does++ {
			if !yield(reaction{units: setOf(f.Units), does: step{Does: does}}) {
				return
			}
		}
		if !yield(reaction{units: setOf(f.Units), anew: &redeployment{}}) {
			return
		}
	}
}

// asks says whether a formation is of an army that is asked.
func (w *reacting) asks(f *formation) bool {
	for _, a := range w.armies {
		if a == w.view.army(f.Corps) {
			return true
		}
	}
	return false
}

// How a declared manoeuvre is told.
var (
	declaredEnglish = [...]string{advancing: "advances", withdrawing: "withdraws", charging: "charges"}
	declaredItalian = [...]string{advancing: "avanza", withdrawing: "ripiega", charging: "carica"}
)

// declaration tells the manoeuvre that may be forestalled: who makes it, what it is, on whom, which way and
// how far it goes if nobody acts before it (EM-S9).
func (v *View) declaration() []string {
	m, ok := v.declared()
	if !ok {
		return []string{orders.Tongues("declared: a manoeuvre", "dichiarata: una manovra")}
	}
	units, _ := v.movers(m)
	who := strings.Join(strings.Fields(m.Of), ", ")
	if m.Part != (unitSet{}) {
		who += " " + unitSets.Write(v, m.Part).OneLine()
	}
	target := func(string) string { return "" }
	switch {
	case m.First.Target != 0:
		target = func(language string) string { return " " + v.Spell("unit", v.def(m.First.Target).id, language) }
	case m.First.Prey != 0:
		target = func(language string) string { return " " + v.lead(m.First.Prey).name }
	}
	all := []string{orders.Tongues("declared: "+who+" "+declaredEnglish[m.First.Does]+target("en"),
		"dichiarata: "+who+" "+declaredItalian[m.First.Does]+target("it"))}
	made, fault := v.resolve(units, &m.First)
	if c, ok := v.hitched(units); fault == nil && ok {
		way := c.prepare(made)
		heading := strconv.Itoa(int(geometry.Heading(v.Units[units[0]].Heading).Plus(made.Turn)))
		all = append(all, orders.Tongues("heading ", "direzione ")+heading, millimetres(way.run().far)+" mm")
	}
	return all
}
