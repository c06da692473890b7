package mistakes

import (
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What may be said under each key of standing orders and policies, and how it is read and written
// (section 5.1 of the digest). The key is the kind of the stop.

// said is what a case says: a word, or what its key has in place of one.
type said struct {
	word    string
	n       int // {losing-by: n}, {min: n}, {min-bonus: n}
	least   bool
	nearest bool
	units   []unitID
	names   []string // of formations
	grants  []grant
	beside  []beside
	bids    [armies]int // keep so many of the draw, if it is negative; else bid so many; 0: nothing is said
	reacts  *orders.Node
	most    int // so many points at most for a reaction; 0: however many
	marches []marching
}

// A beside is a leader and the unit beside whom he is placed.
type beside struct {
	leader leaderID
	unit   unitID
}

// A marching is what a formation does in each turn in which it moves.
type marching struct {
	formation string
	does      *orders.Node // as an item of the stop has it
	area      bool         // until it is in an engagement area
	last      int          // until the end of that turn; 0: no turn ends it
}

// A standingForm is a key of standing orders.
type standingForm struct {
	key   string
	words []string    // besides ask and default
	shape shape.Shape // of what is no word; nil if there is nothing else
	read  func(v *View, r *orders.Reader, n *orders.Node) said
	write func(s *scenario, x *said) *orders.Node
	shown string   // an example of what is no word
	named []string // examples that name somebody
}

// standingForms are the keys in the order of normal form.
var standingForms = []standingForm{
	{key: stopBid, shape: bidShape, read: readBids, write: writeBids, shown: "{keep: 2}"},
	{key: stopReroll, shape: shape.Record(shape.Need("losing-by", shape.Number(1, 9))), read: readBound("losing-by"), write: writeBound("losing-by"), shown: "{losing-by: 2}"},
	{key: stopEntry, words: []string{"columns"}},
	{key: stopShelled, words: standWords},
	{key: stopOrders, words: []string{"keep"}},
	{key: stopInterrupt, words: []string{"none"}, shape: reactsShape, read: readReacts, write: writeReacts, named: []string{"[{if: charge, do: {units: [30], charge: charger, max-cp: 4}}, {else: none}]"}},
	{key: stopLimberedGun, words: standWords},
	{key: stopUnlimberedGun, words: []string{"stand"}, shape: shape.Record(shape.Need("defend", someUnitsShape)), read: readDefenders, write: writeDefenders, named: []string{"{defend: [20, 21]}"}},
	{key: stopSide, words: sideWords},
	{key: stopUnlimber, words: []string{"all", "none"}, shape: someUnitsShape, read: readUnits, write: writeUnits, named: []string{"[34]"}},
	{key: stopSupport, words: []string{"all", "none"}, shape: someUnitsShape, read: readUnits, write: writeUnits, named: []string{"[24, 27]"}},
	{key: stopPursue, words: []string{"always", "never", "cavalry", "infantry"}},
	{key: stopCounter, words: []string{"always", "never"}, shape: shape.Record(shape.Need("min", shape.Number(-99, 99))), read: readBound("min"), write: writeBound("min"), shown: "{min: 1}"},
	{key: stopReinforce, words: []string{"none"}, shape: shape.Filled(shape.Name("formation")), read: readNames, write: writeNames, named: []string{"[b-Domon]"}},
	{key: stopOutcome, words: []string{"lowest", "highest"}},
	{key: stopWithdrawLoss, words: []string{"most-capacity"}, shape: someUnitsShape, read: readUnits, write: writeUnits, named: []string{"[13, 14]"}},
	{key: stopEscape, words: []string{"away"}},
	{key: stopSubstitute, shape: shape.Map(shape.Name("leader"), shape.Name("unit")), read: readBeside, write: writeBeside, named: []string{"{derlon: 13}"}},
	{key: stopFire, shape: volleysShape, read: readVolleys, write: writeVolleys, shown: "{nearest: yes, min-bonus: 1}", named: []string{"{targets: [red-7, red-5], nearest: yes}"}},
	{key: stopAssign, shape: shape.Map(shape.Name("leader"), shape.Number(1, assignMost)), read: readGrants, write: writeGrants, named: []string{"{reille: 2}"}},
	{key: stopManoeuvres, shape: marchesShape, read: readMarches, write: writeMarches, named: []string{"{b-Foy: {advance: {heading: 0, segments: 2}, until: aoe}}"}},
	{key: stopCombat, shape: someUnitsShape, read: readUnits, write: writeUnits, named: []string{"[13, 15]"}},
	{key: stopLosses, shape: someUnitsShape, read: readUnits, write: writeUnits, named: []string{"[14, 13]"}},
}

// formOf finds a key; nil for a stop that has none.
func formOf(kind string) *standingForm {
	if i := slices.IndexFunc(standingForms, func(f standingForm) bool { return f.key == kind }); i >= 0 {
		return &standingForms[i]
	}
	return nil
}

// someUnitsShape is one unit, or several.
var someUnitsShape = shape.Filled(shape.Name("unit"))

// needs refuses what says nothing of anybody.
func needs[T any](r *orders.Reader, n *orders.Node, all []T) {
	if len(all) == 0 {
		r.Refuse(n, "", phrase.Say("em.standing-nobody"))
	}
}

// readUnits reads units in their order.
func readUnits(v *View, r *orders.Reader, n *orders.Node) said {
	x := said{units: someUnits.List(v, r, n)}
	needs(r, n, x.units)
	return x
}

func writeUnits(s *scenario, x *said) *orders.Node { return inLine(someUnits.Texts(s, x.units)) }

// readDefenders reads {defend: [20, 21]}.
func readDefenders(v *View, r *orders.Reader, n *orders.Node) said {
	if at := r.Require(r.Fields(n, "defend"), "defend"); at != nil {
		return readUnits(v, r, at)
	}
	return said{}
}

func writeDefenders(s *scenario, x *said) *orders.Node {
	return orders.Inline().Set("defend", writeUnits(s, x))
}

// someFormation reads a formation that there is, or that there may be: one that was or will be formed has the
// name of a unit, or a letter before a name.
func someFormation(v *View, r *orders.Reader, n *orders.Node) (string, bool) {
	id, ok := r.Text(n)
	_, unit := v.unitNamed(id)
	_, part := v.unitNamed(id[:max(strings.LastIndexByte(id, '-'), 0)]) // what was split off a unit's own formation
	if ok && (unit || part || strings.IndexByte(id, '-') == 1) {
		return id, true
	}
	var list []orders.Choice
	for i := range v.Formations {
		if v.owns(v.army(v.Formations[i].Corps)) {
			list = append(list, orders.Choice{ID: v.Formations[i].ID})
		}
	}
	return r.Pick(n, "formation", list)
}

// readNames reads formations.
func readNames(v *View, r *orders.Reader, n *orders.Node) (x said) {
	for _, item := range r.List(n) {
		if id, ok := someFormation(v, r, item); ok && !slices.Contains(x.names, id) {
			x.names = append(x.names, id)
		}
	}
	needs(r, n, x.names)
	return x
}

func writeNames(_ *scenario, x *said) *orders.Node { return inLine(orders.Texts(x.names...)) }

// readBound reads a map of one number.
func readBound(key string) func(*View, *orders.Reader, *orders.Node) said {
	return func(_ *View, r *orders.Reader, n *orders.Node) (x said) {
		if at := r.Require(r.Fields(n, key), key); at != nil {
			x.n, x.least = r.Int(at, -99, 99)
		}
		return x
	}
}

func writeBound(key string) func(*scenario, *said) *orders.Node {
	return func(_ *scenario, x *said) *orders.Node { return orders.Inline().Set(key, orders.Number(x.n)) }
}

// oneBid is {keep: 2} of the draw, or {fixed: 3}.
var oneBid = shape.Verbs(shape.May("keep", shape.Number(1, 99)), shape.May("fixed", shape.Number(1, 99)))

// bidShape is how many markers are bid, of each army where a seat has two.
var bidShape = shape.Either(oneBid, shape.Record(shape.May("blue", oneBid), shape.May("red", oneBid), shape.May("black", oneBid)))

// readBids reads {keep: 2}, or {black: {fixed: 1}, red: {keep: 3}}.
func readBids(_ *View, r *orders.Reader, n *orders.Node) (x said) {
	one := func(at *orders.Node) int {
		key, value := r.Only(at, "keep", "fixed")
		if value == nil {
			return 0
		}
		bid, _ := r.Int(value, 1, 99)
		if key == "keep" {
			return -bid
		}
		return bid
	}
	of := false
	for a := blue; a < armies; a++ {
		if at := r.Under(n, armyWords[a]); at != nil {
			x.bids[a], of = one(at), true
		}
	}
	if !of {
		x.bids[noArmy] = one(n)
	}
	return x
}

func writeBids(_ *scenario, x *said) *orders.Node {
	one := func(bid int) *orders.Node {
		if bid < 0 {
			return orders.Inline().Set("keep", orders.Number(-bid))
		}
		return orders.Inline().Set("fixed", orders.Number(bid))
	}
	if x.bids[noArmy] != 0 {
		return one(x.bids[noArmy])
	}
	n := orders.Inline()
	for a := blue; a < armies; a++ {
		if x.bids[a] != 0 {
			n.Set(armyWords[a], one(x.bids[a]))
		}
	}
	return n
}

// readBeside reads {derlon: 13}, in the order of the leaders.
func readBeside(v *View, r *orders.Reader, n *orders.Node) (x said) {
	for _, of := range leadersNamed(v, r, n) {
		if u, ok := units.Read(v, r, of.Value); ok {
			x.beside = append(x.beside, beside{of.leader, u})
		}
	}
	needs(r, n, x.beside)
	return x
}

func writeBeside(s *scenario, x *said) *orders.Node {
	n := orders.Inline()
	for _, one := range x.beside {
		n.Set(s.lead(one.leader).id, orders.Text(s.def(one.unit).id))
	}
	return n
}

// readGrants reads {reille: 2, derlon: 1}. Here the order of the keys counts: the box lasts for the first.
func readGrants(v *View, r *orders.Reader, n *orders.Node) (x said) {
	for _, pair := range play.Entries(r, n) {
		l, ok := leaderTexts.Read(v, r, pair.Key)
		if count, fine := r.Int(pair.Value, 1, assignMost); ok && fine {
			x.grants = append(x.grants, grant{l, count})
		}
	}
	needs(r, n, x.grants)
	return x
}

func writeGrants(s *scenario, x *said) *orders.Node {
	n := orders.Inline()
	for _, one := range x.grants {
		n.Set(s.lead(one.to).id, orders.Number(one.n))
	}
	return n
}

// volleysShape is {targets: [red-7], nearest: yes, min-bonus: 1}.
var volleysShape = shape.Record(shape.May("targets", someUnitsShape), shape.May("nearest", shape.Words("yes", "no")), shape.May("min-bonus", shape.Number(-99, 99)))

func readVolleys(v *View, r *orders.Reader, n *orders.Node) (x said) {
	f := r.Fields(n, "targets", "nearest", "min-bonus")
	if at := f.Get("targets"); at != nil {
		x.units = someUnits.List(v, r, at)
	}
	if at := f.Get("nearest"); at != nil {
		word, _ := r.Word(at, "yes", "no")
		x.nearest = word == "yes"
	}
	if at := f.Get("min-bonus"); at != nil {
		x.n, x.least = r.Int(at, -99, 99)
	}
	if len(x.units) == 0 && !x.nearest {
		r.Refuse(n, "EM-7.3", phrase.Say("em.standing-fire"))
	}
	return x
}

func writeVolleys(s *scenario, x *said) *orders.Node {
	n := orders.Inline()
	if len(x.units) > 0 {
		n.Set("targets", writeUnits(s, x))
	}
	if x.nearest {
		n.Set("nearest", orders.Text("yes"))
	}
	if x.least {
		n.Set("min-bonus", orders.Number(x.n))
	}
	return n
}

// manoeuvres says whether a map says what is done.
func manoeuvres(f orders.Fields) bool {
	return slices.ContainsFunc(mannerWords[1:], func(word string) bool { return f.Get(word) != nil })
}

// reactsShape is what a file says at the stop, with charger for whoever is about to charge, and the most
// that it may cost.
var reactsShape = shape.Called("reaction", shape.Record(append([]shape.Key{shape.Need("units", someUnitsShape), shape.May("pay", shape.Name("leader")),
	shape.May("redeploy", redeployShape), shape.May("points", shape.Words("keep")), shape.May("max-cp", shape.Number(1, 99)),
	shape.May("advance", stepShape), shape.May("withdraw", stepShape), shape.May("charge", shape.Either(shape.Words("charger"), shape.Name("landmark")))},
	turnShapes...)...))

// readReacts reads what is done out of sequence as it is written: what it means is found out at the stop.
func readReacts(_ *View, r *orders.Reader, n *orders.Node) (x said) {
	f := r.Fields(n, "units", "pay", "points", "max-cp", "redeploy", "advance", "withdraw", "charge", "heading", "wheel", "towards")
	if n.Kind != orders.Map {
		return x
	}
	if at := r.Require(f, "units"); at != nil {
		needs(r, at, r.List(at))
	}
	if f.Get("redeploy") == nil && !manoeuvres(f) {
		r.Refuse(n, "EM-9.11", phrase.Say("em.react-one"))
	}
	x.reacts = orders.Inline()
	for _, pair := range n.Pairs {
		if at := r.Under(n, "max-cp"); at == pair.Value {
			x.most, _ = r.Int(at, 1, 99)
			continue
		}
		x.reacts.Pairs = append(x.reacts.Pairs, pair)
	}
	x.reacts = x.reacts.Plain()
	return x
}

func writeReacts(_ *scenario, x *said) *orders.Node {
	n := x.reacts.Clone()
	if x.most > 0 {
		n.Set("max-cp", orders.Number(x.most))
	}
	return n
}

// marchesShape is what each formation does as long as it moves: {b-Foy: {advance: {segments: 2}, until: aoe}}.
var marchesShape = shape.Map(shape.Name("formation"), shape.Called("march", shape.Record(append([]shape.Key{
	shape.May("until", shape.Words("aoe")), shape.May("until-turn", shape.Number(1, 99)),
	shape.May("else", shape.Either(shape.Words("hold"), shape.Record(verbShapes...))),
}, verbShapes...)...)))

func readMarches(v *View, r *orders.Reader, n *orders.Node) (x said) {
	for _, pair := range play.Entries(r, n) {
		id, ok := someFormation(v, r, pair.Key)
		if !ok || pair.Value.Kind != orders.Map {
			continue
		}
		if f := r.Fields(pair.Value, "advance", "withdraw", "charge", "heading", "wheel", "towards", "else", "until", "until-turn"); !manoeuvres(f) {
			r.Refuse(pair.Value, "EM-10.1", phrase.Say("em.manoeuvre-one"))
		}
		one := marching{formation: id, does: orders.Inline().Set("formation", orders.Text(id))}
		for _, inner := range pair.Value.Pairs {
			switch inner.Value {
			case r.Under(pair.Value, "until"):
				one.area = true
			case r.Under(pair.Value, "until-turn"):
				one.last, _ = r.Int(inner.Value, 1, 99)
			default:
				one.does.Pairs = append(one.does.Pairs, inner)
			}
		}
		one.does = one.does.Plain()
		x.marches = append(x.marches, one)
	}
	needs(r, n, x.marches)
	return x
}

func writeMarches(_ *scenario, x *said) *orders.Node {
	n := orders.Inline()
	for _, one := range x.marches {
		does := orders.Inline()
		does.Pairs = append(does.Pairs, one.does.Clone().Pairs[1:]...)
		if one.area {
			does.Set("until", orders.Text("aoe"))
		}
		if one.last > 0 {
			does.Set("until-turn", orders.Number(one.last))
		}
		n.Set(one.formation, does)
	}
	return n
}
