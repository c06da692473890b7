package napoleon

import (
	"slices"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A plan fights the battle turns of its side without asking (section 5.3 of the
// digest). It is a list of lines: each unit follows the first line that fits it and is
// legal when the unit's turn comes.
type plan struct {
	when   []condition // for which battle, and which part in it
	turns  int         // own battle turns that it fights; 0: all
	use    string      // a plan that has a name; "" one of its own lines
	column int         // of an assault: left, center or right; else -1
	lines  []planLine
	asks   []condition // when the plan hands a battle turn back to the player
}

// A planLine says what the units that fit it do.
type planLine struct {
	when []condition
	do   planAction
}

// role is what a side is in a battle.
type role int8

const (
	anyRole role = iota
	attackerRole
	defenderRole
)

var roleWords = [...]string{"any", "attacker", "defender"}

// fits tells whether a camp has the role in a battle.
func (r role) fits(b *battle, c camp) bool {
	return r == anyRole || (r == attackerRole) == (c == b.attacker)
}

// A planAction is what a line lets a unit do.
type planAction struct {
	verb   string
	group  group    // fire
	column int      // engage, support: left, center or right; else -1
	path   []string // move, fire-move, move-fire
	far    bool     // disengage to the reserve
	what   piece    // occupy
	with   unitID   // shelter, swap; noUnit: any
	towns  []townID // retreat
}

// Keywords of plans, of the values of their conditions, and of actions that stand alone or
// with a value.
var (
	planWords       = []string{"hold", "assault", "screen", "withdraw", "square"}
	ledBy           = []string{"hold", "withdraw", "screen", "square", "none"} // of one battle turn, besides an assault
	inWords         = []string{"reserve", "own", "forward"}
	enemyWords      = []string{"none", "infantry", "cavalry", "artillery", "squares", "only-cavalry", "no-cavalry"}
	planActionWords = []string{"fire", "engage", "advance", "disengage", "fill", "square", "break", "shelter", "leave", "occupy", "retreat", "withdraw", "nothing"}
	planActionKeys  = []string{"fire", "engage", "support", "disengage", "move", "fire-move", "move-fire", "shelter", "swap", "occupy", "retreat"}
)

const (
	mostPlanTurns = 99
	mostOrders    = 60 // of one plan, and of orders of one kind: how much a file may make the office work through
)

// unitsOfKind is the condition that a unit is of a kind.
func unitsOfKind(class string) condition {
	return condition{Measure: "type", Value: []quarry{{class: class, unit: noUnit}}}
}

func is(what string) condition                      { return condition{Measure: what} }
func isAt(what, word string) condition              { return condition{Measure: what, Value: word} }
func line(d planAction, when ...condition) planLine { return planLine{when, d} }
func simply(verb string) planAction                 { return planAction{verb: verb, column: -1, with: noUnit} }
func toward(verb string, column int) planAction {
	return planAction{verb: verb, column: column, with: noUnit}
}

// linesOf gives the lines of a plan that has a name (section 5.3 of the digest).
func linesOf(use string, column int) []planLine {
	fire := []planLine{
		line(simply("fire"), is("engaged")),
		line(simply("fire"), is("unengaged"), unitsOfKind("artillery")),
	}
	var fill []planLine
	for _, class := range [...]string{"infantry", "cavalry", "artillery", "leader"} {
		fill = append(fill, line(simply("fill"), isAt("in", "reserve"), unitsOfKind(class)))
	}
	hold := append(slices.Clone(fire), fill...)
	switch use {
	case "assault":
		own := []condition{is("unengaged"), isAt("in", "own"), isAt("pos", placeWords[column])}
		lines := []planLine{fire[1], fire[0],
			line(simply("advance"), append(slices.Clone(own), unitsOfKind("infantry"))...),
			line(simply("advance"), append(slices.Clone(own), unitsOfKind("cavalry"))...),
		}
		lines = append(lines, fill...)
		return append(lines,
			line(toward("engage", column), isAt("in", "reserve"), unitsOfKind("cavalry")),
			line(toward("support", column), isAt("in", "reserve"), unitsOfKind("infantry")),
			line(toward("support", column), isAt("in", "reserve"), unitsOfKind("cavalry")))
	case "screen":
		return append([]planLine{
			line(simply("withdraw"), condition{Measure: "total", Value: play.Comparison{Sign: "<", N: 1, Of: 1}}),
			line(simply("withdraw"), is("rout-risk")),
		}, hold...)
	case "withdraw":
		return append([]planLine{
			line(simply("withdraw")),
			line(simply("break"), isAt("enemy", "no-cavalry")),
		}, hold...)
	case "square":
		return append([]planLine{
			line(simply("square"), unitsOfKind("infantry"), isAt("in", "own"), isAt("enemy", "only-cavalry")),
			line(simply("break"), isAt("enemy", "no-cavalry")),
		}, hold...)
	}
	return hold
}

// planKeys are the keys of a plan.
var planKeys = orderKeys[plan]{
	play.IfKey(inTown, "any", true, ofPlan),
	play.IfKey(partIn, "", false, ofPlan),
	play.CountKey[*View, *scenario]("turns", "all", false, 1, mostPlanTurns, nil, func(pl *plan) *int { return &pl.turns }),
	play.NamedKey("use", play.Keyed[*View, *scenario](planWords), func(pl *plan) *string { return &pl.use }),
	{Key: "pos", Shape: columnShape, Read: func(_ *View, r *orders.Reader, n *orders.Node, pl *plan) {
		word, _ := r.Word(n, placeWords[:]...)
		pl.column = slices.Index(placeWords[:], word)
	}, Write: func(_ *scenario, pl *plan) *orders.Node {
		if pl.column < 0 {
			return nil
		}
		return orders.Text(placeWords[pl.column])
	}},
	planLines,
	{Key: "ask-when", Shape: shape.Filled(shape.Name("measure")), Read: func(v *View, r *orders.Reader, n *orders.Node, pl *plan) {
		for _, item := range r.List(n) {
			if c, ok := askMeasures.ReadText(v, r, item, "nap.plan-measure"); ok {
				pl.asks = append(pl.asks, c)
			}
		}
	}, Write: func(_ *scenario, pl *plan) *orders.Node {
		if len(pl.asks) == 0 {
			return nil
		}
		asks := orders.Texts()
		for _, c := range pl.asks {
			asks.Add(orders.Text(c.Text()))
		}
		return asks
	}},
}

// planLines are the lines of a plan without a name; those of a plan that has a name are not
// written.
var planLines = func() orderKey[plan] {
	key := play.RulesKey("rules", mostOrders, "nap.plan-lines", lineKeys, func(pl *plan) *[]planLine { return &pl.lines }, nil)
	write := key.Write
	key.Write = func(sc *scenario, pl *plan) *orders.Node {
		if pl.use != "" {
			return nil
		}
		return write(sc, pl)
	}
	return key
}()

// lineKeys are the keys of a line.
var lineKeys = orderKeys[planLine]{
	play.WhenKey("when", "always", unitMeasures, func(l *planLine) *[]condition { return &l.when }),
	{Key: "do", Need: true, Shape: planActionShape, Read: func(v *View, r *orders.Reader, n *orders.Node, l *planLine) {
		l.do = v.readPlanAction(r, n, v.ownRoster())
	},
		Write: func(sc *scenario, l *planLine) *orders.Node { return l.do.node(sc) }},
}

// wholePlan demands that a plan has a name or lines of its own.
func wholePlan(_ *View, r *orders.Reader, n *orders.Node, pl *plan) {
	if n.Kind != orders.Map {
		return
	}
	use, rules, pos := r.Under(n, "use"), r.Under(n, "rules"), r.Under(n, "pos")
	switch {
	case use != nil && rules != nil:
		r.Refuse(rules, "", phrase.Say("nap.plan-use-rules"))
	case rules != nil && len(r.List(rules)) == 0:
		r.Refuse(rules, "", phrase.Say("nap.plan-lines", phrase.Number("most", mostOrders)))
	case use == nil && rules == nil:
		r.Require(orders.Fields{Node: n}, "use")
	}
	switch {
	case pos != nil && pl.use != "assault":
		r.Refuse(pos, "", phrase.Say("nap.plan-pos"))
	case pos == nil && pl.use == "assault":
		r.Require(orders.Fields{Node: n}, "pos")
	}
	if rules == nil && pl.use != "" && (pl.use != "assault" || pl.column >= 0) {
		pl.lines = linesOf(pl.use, pl.column)
	}
}

// planActionShape is how the action of a line is written.
var planActionShape = shape.Either(shape.Words(planActionWords...), shape.Verbs(
	shape.May("fire", groupShape),
	shape.May("engage", columnShape),
	shape.May("support", columnShape),
	shape.May("disengage", shape.Words("reserve")),
	shape.May("move", pathShape),
	shape.May("fire-move", pathShape),
	shape.May("move-fire", pathShape),
	shape.May("shelter", shape.Either(shape.Words("any"), unitShape)),
	shape.May("swap", unitShape),
	shape.May("occupy", shape.Words("farm", "hill")),
	shape.May("retreat", shape.Filled(townShape)),
))

func (v *View) readPlanAction(r *orders.Reader, n *orders.Node, units []unitID) planAction {
	d := simply("nothing")
	if n.Kind != orders.Map {
		d.verb, _ = r.Word(n, planActionWords...)
		return d
	}
	key, value := r.Only(n, planActionKeys...)
	d.verb = key
	switch key {
	case "fire":
		if word, _ := r.Word(value, "squares", "others"); word == "squares" {
			d.group = squares
		} else {
			d.group = others
		}
	case "engage", "support":
		word, _ := r.Word(value, placeWords[:]...)
		d.column = slices.Index(placeWords[:], word)
	case "disengage":
		word, _ := r.Word(value, "reserve")
		d.far = word == "reserve"
	case "move", "fire-move", "move-fire":
		x := &turnReader{Reader: r}
		most := 2
		if key != "move" {
			most = 1
		}
		d.path, _ = x.path(value, most)
	case "shelter", "swap":
		if key == "shelter" && r.Is(value, "any") {
			break
		}
		d.with, _ = v.pickUnit(r, value, units)
	case "occupy":
		word, _ := r.Word(value, "farm", "hill")
		d.what, _ = pieceNamed(word)
	case "retreat":
		d.towns = someTowns.List(v, r, value)
	}
	return d
}

func (d *planAction) node(board *scenario) *orders.Node {
	var value *orders.Node
	switch d.verb {
	case "fire":
		if d.group != anyGroup {
			value = orders.Text(groupWords[d.group])
		}
	case "engage", "support":
		if d.column >= 0 {
			value = orders.Text(placeWords[d.column])
		}
	case "disengage":
		if d.far {
			value = orders.Text("reserve")
		}
	case "move", "fire-move", "move-fire":
		value = orders.Texts(d.path...)
	case "shelter", "swap":
		if d.with != noUnit {
			value = orders.Text(board.roster[d.with].id)
		}
	case "occupy":
		if d.what != noPiece {
			value = orders.Text(d.what.String())
		}
	case "retreat":
		if len(d.towns) > 0 {
			value = someTowns.Texts(board, d.towns)
		}
	}
	if value == nil {
		return orders.Text(d.verb)
	}
	return orders.Inline().Set(d.verb, value)
}
