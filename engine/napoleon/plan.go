package napoleon

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A plan fights the battle turns of its side unasked (section 5.3 of the
// digest): a list of lines, of which each unit takes the first that fits it and
// is legal when its turn comes.
type plan struct {
	at     townID // noTown for any battle
	role   role
	turns  int    // own battle turns that it fights; 0: all
	use    string // a plan that has a name; "" one of its own lines
	column int    // of an assault: left, center or right; else -1
	lines  []planLine
	asks   []planAsk
}

// A planLine says what units that fit do.
type planLine struct {
	when []condition
	do   deed
}

// role is the part of a side in a battle.
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

// A condition is one word of a line's when, or of ask-when.
type condition struct {
	what string // its keyword
	word string // what it is compared with, of those that take a word
	cmp  string // "<", "<=", ">=", ">" or "=", of those that take a number
	n    int    // number, or numerator
	of   int    // denominator; 1 of a whole number
	who  []quarry
}

// A planAsk hands a battle turn back to the player.
type planAsk = condition

// A deed is what a line lets a unit do.
type deed struct {
	verb   string
	group  group    // fire
	column int      // engage, support: left, center or right; else -1
	path   []string // move, fire-move, move-fire
	far    bool     // disengage to the reserve
	what   piece    // occupy
	with   unitID   // shelter, swap; noUnit: any
	towns  []townID // retreat
}

// Keywords of plans. Those of conditions that stand alone, of conditions with
// a value, and of deeds that stand alone or with a value.
var (
	planWords   = []string{"hold", "assault", "screen", "withdraw", "square"}
	stateWords  = []string{"engaged", "unengaged", "rout-risk"}
	valueWords  = []string{"in", "pos", "type", "unit", "strength", "enemy", "battle-turn", "total", "role"}
	askWords    = []string{"rout-risk", "reinforced", "strength", "turn"}
	inWords     = []string{"reserve", "own", "forward"}
	enemyWords  = []string{"none", "infantry", "cavalry", "artillery", "squares", "only-cavalry", "no-cavalry"}
	deedWords   = []string{"fire", "engage", "advance", "disengage", "fill", "square", "break", "shelter", "leave", "occupy", "retreat", "withdraw", "nothing"}
	deedsOfWord = []string{"fire", "engage", "support", "disengage", "move", "fire-move", "move-fire", "shelter", "swap", "occupy", "retreat"}
)

const (
	mostPlanTurns = 99
	mostStrength  = 999
	mostOrders    = 60 // of one plan, and orders of one kind: what a file may make the office work through
)

// unitsOfKind is the condition that a unit is of a kind.
func unitsOfKind(class string) condition {
	return condition{what: "type", who: []quarry{{class: class, unit: noUnit}}}
}

func is(what string) condition                { return condition{what: what} }
func isAt(what, word string) condition        { return condition{what: what, word: word} }
func line(d deed, when ...condition) planLine { return planLine{when, d} }
func simply(verb string) deed                 { return deed{verb: verb, column: -1, with: noUnit} }
func toward(verb string, column int) deed {
	return deed{verb: verb, column: column, with: noUnit}
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
			line(simply("withdraw"), condition{what: "total", cmp: "<", n: 1, of: 1}),
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

// planKeys are those of a plan.
var planKeys = orderKeys[plan]{
	atKey("at", func(pl *plan) *townID { return &pl.at }),
	roleKey(func(pl *plan) *role { return &pl.role }),
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
	{Key: "ask-when", Shape: shape.Filled(measureShape), Read: func(_ *View, r *orders.Reader, n *orders.Node, pl *plan) {
		for _, item := range r.List(n) {
			if c, ok := readAsk(r, item); ok {
				pl.asks = append(pl.asks, c)
			}
		}
	}, Write: func(_ *scenario, pl *plan) *orders.Node {
		if len(pl.asks) == 0 {
			return nil
		}
		asks := orders.Texts()
		for _, a := range pl.asks {
			text := a.what
			if a.cmp != "" {
				text += a.measured()
			}
			asks.Add(orders.Text(text))
		}
		return asks
	}},
}

// planLines are the lines of a plan of one's own; those of one that has a name are not
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

// lineKeys are those of a line.
var lineKeys = orderKeys[planLine]{
	{Key: "when", Shape: whenShape, Read: (*View).readWhen, Write: func(sc *scenario, l *planLine) *orders.Node {
		if len(l.when) == 0 {
			return nil
		}
		when := orders.Texts()
		for _, c := range l.when {
			when.Add(c.node(sc))
		}
		return when
	}},
	{Key: "do", Need: true, Shape: deedShape, Read: func(v *View, r *orders.Reader, n *orders.Node, l *planLine) { l.do = v.readDeed(r, n, v.ownRoster()) },
		Write: func(sc *scenario, l *planLine) *orders.Node { return l.do.node(sc) }},
}

// wholePlan wants a plan to have a name or lines of its own.
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

// measureShape is a comparison, such as >=3: what is wrong with one, the judge tells.
var measureShape = shape.Name("measure")

// whenShape is how the conditions of a line are written.
var whenShape = shape.Either(shape.Words("always"), shape.Filled(conditionShape))

// conditionShape is how a condition of a plan is written; a map may hold several.
var conditionShape = shape.Either(shape.Words(stateWords...), shape.Record(
	shape.May("in", shape.Words(inWords...)),
	shape.May("pos", columnShape),
	shape.May("type", shape.Filled(shape.Words(classWords...))),
	shape.May("unit", shape.Filled(unitShape)),
	shape.May("strength", measureShape),
	shape.May("enemy", shape.Words(enemyWords...)),
	shape.May("battle-turn", measureShape),
	shape.May("total", measureShape),
	shape.May("role", shape.Words(roleWords[1:]...)),
))

// deedShape is how it is written what a plan does.
var deedShape = shape.Either(shape.Words(deedWords...), shape.Verbs(
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

// readWhen reads the conditions of a line: always, or a list; a map may hold several.
func (v *View) readWhen(r *orders.Reader, n *orders.Node, l *planLine) {
	if r.Is(n, "always") {
		return
	}
	units := v.ownRoster()
	for _, item := range r.List(n) {
		if item.Kind == orders.Map && len(item.Pairs) > 1 { // {in: own, pos: left}
			for _, pair := range item.Pairs {
				one := &orders.Node{Kind: orders.Map, Pairs: []orders.Pair{pair}, Line: pair.Key.Line, Column: pair.Key.Column}
				l.when = append(l.when, v.readCondition(r, one, units))
			}
			continue
		}
		l.when = append(l.when, v.readCondition(r, item, units))
	}
}

func (v *View) readCondition(r *orders.Reader, n *orders.Node, units []unitID) condition {
	if n.Kind != orders.Map {
		word, _ := r.Word(n, stateWords...)
		return is(word)
	}
	key, value := r.Only(n, valueWords...)
	c := condition{what: key}
	switch key {
	case "in":
		c.word, _ = r.Word(value, inWords...)
	case "pos":
		c.word, _ = r.Word(value, placeWords[:]...)
	case "enemy":
		c.word, _ = r.Word(value, enemyWords...)
	case "role":
		c.word, _ = r.Word(value, roleWords[1:]...)
	case "type":
		for _, item := range r.List(value) {
			if class, ok := r.Word(item, classWords...); ok {
				c.who = append(c.who, quarry{class: class, unit: noUnit})
			}
		}
	case "unit":
		for _, item := range r.List(value) {
			if id, ok := v.pickUnit(r, item, units); ok {
				c.who = append(c.who, quarry{unit: id})
			}
		}
	case "strength", "battle-turn", "total":
		text, ok := r.Text(value)
		if ok && !c.measure(text, key == "total") {
			r.Refuse(value, "", phrase.Say("nap.plan-measure", phrase.Literal("got", text), phrase.Literal("key", key)))
		}
	}
	if (key == "type" || key == "unit") && len(r.List(value)) == 0 {
		r.Refuse(value, "", phrase.Say("nap.act-nobody"))
	}
	return c
}

// measure reads a comparison: <=2, >=3, <1/2.
func (c *condition) measure(text string, fraction bool) bool {
	text = strings.ReplaceAll(text, " ", "")
	c.cmp, c.n, c.of = "=", 0, 1
	for _, sign := range [...]string{"<=", ">=", "<", ">", "="} {
		if rest, ok := strings.CutPrefix(text, sign); ok {
			c.cmp, text = sign, rest
			break
		}
	}
	number := func(text string, low int) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= low && n <= mostStrength && strconv.Itoa(n) == text
	}
	if over, under, ok := strings.Cut(text, "/"); ok && fraction {
		n, good := number(over, 0)
		of, sound := number(under, 1)
		c.n, c.of = n, of
		return good && sound
	}
	n, ok := number(text, 0)
	c.n = n
	return ok
}

// holds compares a/b with the measure.
func (c *condition) holds(a, b int) bool {
	left, right := a*c.of, c.n*b
	switch c.cmp {
	case "<":
		return left < right
	case "<=":
		return left <= right
	case ">":
		return left > right
	case ">=":
		return left >= right
	}
	return left == right
}

func (c *condition) measured() string {
	text := c.cmp + strconv.Itoa(c.n)
	if c.of > 1 {
		text += "/" + strconv.Itoa(c.of)
	}
	return text
}

// readAsk reads one word of ask-when: rout-risk, reinforced, strength<n, turn>=n.
func readAsk(r *orders.Reader, n *orders.Node) (planAsk, bool) {
	text, ok := r.Text(n)
	if !ok {
		return planAsk{}, false
	}
	head, tail := strings.TrimSpace(text), ""
	if i := strings.IndexAny(text, "<>="); i > 0 {
		head, tail = strings.TrimSpace(text[:i]), text[i:]
	}
	word := &orders.Node{Text: head, Line: n.Line, Column: n.Column}
	what, ok := r.Word(word, askWords...)
	if !ok {
		return planAsk{}, false
	}
	c := planAsk{what: what}
	takes := what == "strength" || what == "turn"
	if takes != (tail != "") || takes && !c.measure(tail, false) {
		r.Refuse(n, "", phrase.Say("nap.plan-measure", phrase.Literal("got", text), phrase.Literal("key", what)))
		return c, false
	}
	return c, true
}

func (v *View) readDeed(r *orders.Reader, n *orders.Node, units []unitID) deed {
	d := simply("nothing")
	if n.Kind != orders.Map {
		d.verb, _ = r.Word(n, deedWords...)
		return d
	}
	key, value := r.Only(n, deedsOfWord...)
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

func (c *condition) node(board *scenario) *orders.Node {
	switch {
	case c.cmp != "":
		return orders.Inline().Set(c.what, orders.Text(c.measured()))
	case c.word != "":
		return orders.Inline().Set(c.what, orders.Text(c.word))
	case len(c.who) == 1:
		return orders.Inline().Set(c.what, quarries.Texts(board, c.who).Items[0])
	case len(c.who) > 1:
		return orders.Inline().Set(c.what, quarries.Texts(board, c.who))
	}
	return orders.Text(c.what)
}

func (d *deed) node(board *scenario) *orders.Node {
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
