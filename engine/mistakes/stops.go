package mistakes

import (
	"math/bits"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops of section 5 of the digest by the kind of their decision.
const (
	stopBid        = "bid"        // EM-S1
	stopSubstitute = "substitute" // EM-S2
	stopEntry      = "entry"      // EM-S3
	stopFire       = "fire"       // EM-S4
	stopShelled    = "shelled"    // EM-S5
	stopAssign     = "assign"     // EM-S6
	stopOrders     = "orders"     // EM-S7
	stopManoeuvres = "manoeuvres" // EM-S8
)

// stops by the kind of the decision.
var stops = map[string]play.Stop[*View, *battlefield]{
	stopBid:        bidForm,
	stopSubstitute: substituteForm,
	stopEntry:      entryForm,
	stopFire:       fireForm,
	stopShelled:    shelledForm,
	stopAssign:     assignForm,
	stopOrders:     ordersForm,
	stopManoeuvres: manoeuvresForm,
	stopEscape:     escapeForm,
	stopDeploy:     deployForm,
	stopInterrupt:  interruptForm,

	stopLimberedGun: limberedGunForm, stopUnlimberedGun: unlimberedGunForm, stopSide: sideForm, stopUnlimber: unlimberForm,
	stopCombat: combatForm, stopSupport: supportForm, stopReroll: rerollForm, stopLosses: lossesForm, stopPursue: pursueForm,
	stopCounter: counterForm, stopReinforce: reinforceForm, stopOutcome: outcomeForm, stopWithdrawLoss: withdrawLossForm,
}

// due says whether a decision belongs to where the game stands, as after an edit it may not.
func (g *game) due(d engine.Decision) bool {
	switch d.Kind {
	case stopBid:
		return g.Phase == bidding && g.chooses(d.Side)
	case stopSubstitute:
		return g.Phase == returning && slices.ContainsFunc(g.Back, func(l leaderID) bool { return g.seatOf(g.lead(l).army) == d.Side })
	case stopEntry:
		return g.Phase == entering && len(g.Entering) > 0 && g.seatOf(black) == d.Side
	case stopInterrupt:
		by := g.interrupters()
		return g.Phase == manoeuvring && g.Said && len(by) > 0 && g.seatOf(by[0]) == d.Side
	case stopDeploy:
		return g.Phase == deploying && g.deploys(army(max(slices.Index(armyWords, string(d.Side)), 0)))
	case stopEscape:
		return len(g.fleeing(d.Side)) > 0
	case stopShelled:
		u, ok := g.unitNamed(d.At)
		return g.Phase == firing && ok && g.Under.Gun != 0 && g.Under.Target == u && g.seatOf(g.def(u).army) == d.Side
	}
	if what := slices.Index(decisionStops[:], d.Kind); what > 0 {
		return (g.Phase == fighting || g.Phase == manoeuvring) && g.asked(d.Side, decision(what)) != noArmy
	}
	now := g.acting()
	if d.Kind == stopCombat {
		return g.Phase == fighting && g.Combat == nil && g.Next < len(g.Order) && d.At == g.Order[g.Next].String() && len(g.openings(g.Order[g.Next])) > 0
	}
	return phaseStops[g.Phase] == d.Kind && !g.Said && len(now) > 0 && g.seatOf(now[0]) == d.Side && d.At == ""
}

// phaseStops are the stops of the phases in which all act in the order of initiative.
var phaseStops = map[phase]string{firing: stopFire, assigning: stopAssign, ordering: stopOrders, manoeuvring: stopManoeuvres, unlimbering: stopUnlimber}

// The types of package play with which stops are declared, over this ruleset's view.
type (
	form[W any]               = play.Form[*View, *battlefield, W]
	keyed[W any]              = play.Field[*View, W]
	draft[W any]              = play.Draft[*View, W]
	rule[W any, T comparable] = play.Rule[*View, W, T]
	kind[T comparable]        = play.Kind[*View, T]
)

// one says whether the view's seat plays one army alone, so that its units need no more than
// their numbers.
func (v *View) one() bool {
	n := 0
	for a := blue; a < armies; a++ {
		if v.owns(a) && (a != black || v.length().black > 0) {
			n++
		}
	}
	return n == 1
}

// unitText is how a file calls a unit: 13 for one's own, red-7 for another's.
func (v *View) unitText(u unitID) string {
	d := v.def(u)
	if v.one() && v.owns(d.army) && !d.garrison() {
		return strconv.Itoa(d.no)
	}
	return d.id
}

// units are named by their ids, one's own by their numbers, too.
var units = kind[unitID]{
	Shape: shape.Name("unit"),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (unitID, bool) {
		id, ok := r.Pick(n, "unit", v.Names("unit"))
		if !ok {
			return 0, false
		}
		return v.unitNamed(id)
	},
	Write: func(v *View, u unitID) *orders.Node { return orders.Text(v.unitText(u)) },
}

// leaderTexts are named by their ids and by their names.
var leaderTexts = kind[leaderID]{
	Shape: shape.Name("leader"),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (leaderID, bool) {
		list := v.Names("leader")
		id, ok := r.Pick(n, "leader", list)
		return leaderID(slices.IndexFunc(list, func(c orders.Choice) bool { return c.ID == id }) + 1), ok
	},
	Write: func(v *View, l leaderID) *orders.Node { return orders.Text(v.lead(l).id) },
}

// A unitSet is a set of units. A file has no more than it can hold.
type unitSet [4]uint64

func setOf(units []unitID) unitSet {
	var s unitSet
	for _, u := range units {
		s[u/64] |= 1 << (u % 64)
	}
	return s
}

// list gives the units in the order of their numbers.
func (s unitSet) list() []unitID {
	var all []unitID
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			all = append(all, unitID(64*i+bits.TrailingZeros64(word)))
		}
	}
	return all
}

// has says whether a unit is in the set.
func (s unitSet) has(u unitID) bool { return s[u/64]&(1<<(u%64)) != 0 }

// MarshalPos implements [play.PosMarshaler].
func (s unitSet) MarshalPos(x *play.Scribe) *orders.Node {
	if s == (unitSet{}) {
		return nil
	}
	list := inLine(orders.Items())
	for _, u := range s.list() {
		list.Add(orders.Text(scenarioOf(x).def(u).id))
	}
	return list
}

// UnmarshalPos implements [play.PosUnmarshaler].
func (s *unitSet) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	var all []unitID
	for _, item := range x.List(n) {
		text, _ := x.Text(item)
		u, ok := scenarioOf(x).unitNamed(text)
		if !ok {
			x.Refuse(item, "", phrase.Say("order.unknown-unit", phrase.Literal("name", text)))
			continue
		}
		all = append(all, u)
	}
	*s = setOf(all)
}

// scenarioOf is the scenario of the position that is written or read.
func scenarioOf(x *play.Scribe) *scenario { return x.Whole.(*game).scenario }

// unitSets are lists of units.
var unitSets = kind[unitSet]{
	Shape: shape.List(shape.Name("unit")),
	Read: func(v *View, r *orders.Reader, n *orders.Node) (unitSet, bool) {
		if r.Is(n, "none") {
			return unitSet{}, true
		}
		var all []unitID
		whole := true
		for _, item := range r.List(n) {
			u, ok := units.Read(v, r, item)
			switch {
			case !ok:
				whole = false
			case slices.Contains(all, u):
				r.Refuse(item, "", phrase.Say("em.named-twice", v.unitArg("unit", u)))
				whole = false
			default:
				all = append(all, u)
			}
		}
		return setOf(all), whole
	},
	Write: func(v *View, s unitSet) *orders.Node {
		if s == (unitSet{}) {
			return nil
		}
		list := orders.Items()
		list.Flow = true
		for _, u := range s.list() {
			list.Add(orders.Text(v.unitText(u)))
		}
		return list
	},
}

// placeShape is [630, 250], in millimetres.
var placeShape = shape.List(lengthShape)

// lengthShape is a length, in millimetres.
var lengthShape = shape.Measured("place", `^-?0*1?[0-9]{1,3}(\.[0-9]*)?$`, reach/1000, func(text string) phrase.Phrase {
	if v, err := geometry.ReadLength(text, scale.Decimals); err != nil || v <= -int64(reach) || v >= int64(reach) {
		return phrase.Say("em.length", phrase.Literal("text", text))
	}
	return phrase.Phrase{}
})

// readPlace reads a place of the field.
func readPlace(r *orders.Reader, n *orders.Node) (place, bool) {
	since := len(r.Problems)
	var p place
	p.UnmarshalPos(&play.Scribe{Reader: r}, n)
	return p, len(r.Problems) == since && n.Kind == orders.List
}

// writePlace writes a place of the field.
func writePlace(p place) *orders.Node {
	n := p.MarshalPos(nil)
	n.Flow = true
	return n
}
