package waterloo

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
)

// What a player needs in order to write orders without cards or board: the hand, what
// each card may be used for, and what each unit can reach and attack. It stands as
// comments in templates: keywords, ids and numbers, and legends in the reader's language.

// uses are what cards may be used for, as keywords.
type uses map[cardID][]string

// usesOf gives what the options of a stop use cards for.
func usesOf[T any](options []T, use func(T) (cardID, string)) uses {
	all := uses{}
	for _, one := range options {
		if c, word := use(one); c != 0 && !slices.Contains(all[c], word) {
			all[c] = append(all[c], word)
		}
	}
	return all
}

// usesNow tells what the cards of the side's hands may be used for at the present stop, or,
// in an enemy round, between the side's own stops.
func (v *View) usesNow() uses {
	if len(v.asks) > 0 {
		switch d := v.asks[0]; d.Kind {
		case stopBid:
			return usesOf(play.Offers[bidOf](bidForm.Blank(v, d), "bid"), bidOf.use)
		case stopRound:
			return v.usesInRound(roundForm.Blank(v, d))
		case stopArtillery, stopRevealed:
			return usesOf(play.Offers[firing](fireForm.Blank(v, d), "fire"), firing.use)
		case stopCommit:
			return usesOf(play.Offers[commit](commitForm.Blank(v, d), "cards"), commit.use)
		}
		return nil
	}
	all := uses{}
	if r := v.roundNow(); r != nil && r.Camp != v.camp() {
		for _, c := range v.hand() {
			if c != 0 {
				all[c] = v.usesInDefence(c)
			}
		}
	}
	return all
}

// use is what a bid uses a card for.
func (b bidOf) use() (cardID, string) { return b.card, "bid" }

// use is what a shot uses a card for.
func (f firing) use() (cardID, string) { return f.card, "artillery" }

// use is what a card is committed as.
func (c commit) use() (cardID, string) { return c.Card, useWords[c.As] }

// use is what the first part of a step uses a card for.
func (a act) use() (cardID, string) {
	if a.does == playAsAction {
		return a.card, stepWords[a.start.action]
	}
	return a.card, "move"
}

// usesInRound tells what cards may be used for in a round: the steps that they can begin,
// and how they may be committed to an attack.
func (v *View) usesInRound(x *saying[*rounding]) uses {
	all := usesOf(play.Offers[act](x, ""), act.use)
	for _, c := range v.hand() {
		if c == 0 || v.cardFault(c) != nil {
			continue
		}
		all[c] = append(all[c], "battle")
		switch v.card(c).action {
		case commandBonus:
			all[c] = append(all[c], "command")
		case eliteBonus:
			all[c] = append(all[c], "elite")
		}
	}
	return all
}

// usesInDefence tells what a card may be used for in an enemy round, between the
// side's own stops.
func (v *View) usesInDefence(c cardID) []string {
	if v.barred(c) != nil {
		return nil
	}
	switch v.card(c).action {
	case artilleryFire:
		return []string{"artillery", "battle"}
	case commandBonus:
		return []string{"battle", "command"}
	case eliteBonus:
		return []string{"battle", "elite"}
	}
	return []string{"battle"}
}

// roleIn is the part that the side plays in a battle.
func (v *View) roleIn(b *battleFrame) role {
	if v.campOf(b.Target) == v.camp() {
		return defending
	}
	return attacking
}

// stepWords are the keywords of actions that are steps of a round.
var stepWords = [...]string{artilleryFire: "artillery", cavalryCharge: "charge", mustCharge: "must-charge", reorganise: "reorganise", napoleonsHealth: "health"}

// actionSteps lists every legal way to play a card as an action step of the round, each
// in its simplest form: a rally names one unit, a charge no cards.
func (v *View) actionSteps(c cardID) []actionStep {
	d := v.card(c)
	var all []actionStep
	try := func(x actionStep) {
		if v.stepFault(&step{Card: c, Action: d.action, Does: x}) == nil {
			all = append(all, x)
		}
	}
	switch d.action {
	case artilleryFire:
		for _, s := range v.shots(d.army) {
			try(actionStep{By: s.by, Side: s.side})
		}
	case cavalryCharge, mustCharge:
		for id, u := range v.everyUnit() {
			if v.def(id).arm != cavalry || d.action == cavalryCharge && v.armyOf(id) != d.army || d.action == mustCharge && v.campOf(id) == d.army.camp() {
				continue
			}
			for q, n := v.next(u.At, u.Face), 1; q != 0 && n <= 3; q, n = v.next(q, u.Face), n+1 {
				if target := v.unitAt(q); target != 0 {
					if v.hostile(id, target) {
						try(actionStep{Unit: id, Target: target})
					}
					break
				}
			}
		}
	case reorganise:
		for id, u := range v.everyUnit() {
			if v.armyOf(id) != d.army {
				continue
			}
			if u.Disordered {
				try(actionStep{Rally: []unitID{id}})
			}
			if u.Reduced {
				try(actionStep{Flip: id})
			}
		}
	case napoleonsHealth:
		try(actionStep{})
	}
	return all
}

// handComment lists the side's hands with what each card may be used for.
func (v *View) handComment(may uses) string {
	lines := []string{handLegend}
	for _, c := range v.hand() {
		if c == 0 {
			continue
		}
		d := v.card(c)
		line := d.id + " MP " + strconv.Itoa(d.mp) + " BP " + strconv.Itoa(d.bp)
		if d.action != noAction {
			line += " " + d.action.String()
		}
		words := may[c]
		if len(words) == 0 {
			words = []string{"-"}
		}
		lines = append(lines, line+" = "+strings.Join(words, ", "))
	}
	return strings.Join(lines, "\n")
}

// handLegend explains the list of the hand.
var handLegend = orders.Tongues("hand; after = what a card may be used for now", "mano; dopo = a che cosa può servire ora una carta")

// roundTemplate is the template of the stop round: the end of the round, below
// all that could be done before; examples stand in the list, to be uncommented.
func (v *View) roundTemplate(x *saying[*rounding]) *orders.Node {
	n := closed(nil)
	lines := []string{v.handComment(v.usesInRound(x))}
	r := v.roundNow()
	if r == nil {
		return n
	}
	units := v.unitLines(r)
	if len(units) > 0 {
		lines = append(lines, unitLegend)
		lines = append(lines, units...)
	}
	if attacks := v.attackLines(r); len(attacks) > 0 {
		lines = append(lines, attackLegend)
		lines = append(lines, attacks...)
	}
	n.Spare = slices.Concat(v.exampleLines(r), v.fullerExamples(), []string{"- {end: round}", "# " + endLegend})
	n.Above = strings.Join(lines, "\n")
	return n
}

var (
	endLegend  = orders.Tongues("end alone = the round ends; after steps = nothing more for now", "fine da solo = il round finisce; dopo altri passi = per ora basta")
	unitLegend = orders.Tongues("units: square, facing, strength of full, state; then straight ahead, or after a turn, the squares with their MP; ! = enemy",
		"unità: riquadro, fronte, forza su piena, stato; poi dritto davanti, o dopo aver cambiato fronte, i riquadri con i loro MP; ! = nemico")
	attackLegend = orders.Tongues("attacks possible as things stand, battle points without cards", "attacchi possibili allo stato attuale, punti battaglia senza carte")
)

// active tells whether an army may play in the round now.
func (v *View) active(r *roundFrame, a army) bool {
	return v.own[a] && a.camp() == r.Camp && (r.Army == noArmy || r.Army == a)
}

// stateWords lists the marks of a unit as order files and positions name them.
func (v *View) stateWords(id unitID) string {
	u := v.unit(id)
	var words []string
	for _, s := range [...]struct {
		is   bool
		word string
	}{{v.def(id).elite, "elite"}, {u.Reduced, "reduced"}, {u.Disordered, "disordered"}, {u.Moved, "moved"}, {u.Reorganised, "reorganised"}, {u.Attacked, "attacked"}} {
		if s.is {
			words = append(words, s.word)
		}
	}
	return strings.Join(words, " ")
}

// unitLines lists the units that may act in the round, with what they can reach
// for the MP of the best card, and reinforcements that may come in.
func (v *View) unitLines(r *roundFrame) []string {
	var lines []string
	for a := french; a <= prussian; a++ {
		if !v.active(r, a) {
			continue
		}
		most := 0
		for _, c := range v.Decks[a].Hand {
			if c != 0 && v.left() > 0 {
				most = max(most, v.card(c).mp)
			}
		}
		for id, u := range v.everyUnit() {
			if v.armyOf(id) != a {
				continue
			}
			line := v.def(id).id + " " + v.def(id).name + " " + v.armWord(id) + " " + v.squareID(u.At) + " " + u.Face.String() + " " +
				strconv.Itoa(v.value(id)) + "/" + strconv.Itoa(v.def(id).full)
			if s := v.stateWords(id); s != "" {
				line += " " + s
			}
			if !u.Moved && !u.Reorganised && most > 0 {
				if reach := v.reachLine(id, most, nil); reach != "" {
					line += ": " + reach
				}
			}
			lines = append(lines, line)
		}
		if c := v.commanderOf(a); c != 0 && v.Commanders[c].At != 0 {
			lines = append(lines, v.lead(c).id+" "+v.squareID(v.Commanders[c].At)+": 1 MP")
		}
		for i := range v.roster {
			id := unitID(i + 1)
			d := v.def(id)
			if d.army != a || d.arrives == 0 || d.arrives > v.Turn || v.unit(id).At != 0 || v.unit(id).Dead {
				continue
			}
			var at []string
			for _, e := range d.entries {
				at = append(at, v.entries[e].id+" "+v.squareID(v.entries[e].at))
			}
			lines = append(lines, d.id+" "+d.name+" "+v.armWord(id)+" "+strconv.Itoa(d.full)+" enter: "+strings.Join(at, ", ")+" 1 MP")
		}
	}
	return lines
}

// reachLine tells how far a unit gets straight ahead, and after a turn in each
// other direction, with so many MP. It has to stop at some squares.
func (v *View) reachLine(id unitID, most int, stops []square) string {
	u := v.unit(id)
	var parts []string
	for quarter := range 4 {
		face := u.Face.turned([...]int{0, 1, 3, 2}[quarter])
		spent := 0
		if !v.exits(id, face) {
			spent = turnCost
		}
		var squares []string
		for q := u.At; ; {
			next := v.next(q, face)
			cost, ok := v.paceCost(q, face)
			if next == 0 || !ok || spent+cost > most {
				break
			}
			if v.unitAt(next) != 0 {
				break
			}
			spent += cost
			squares = append(squares, v.squareID(next)+" "+strconv.Itoa(spent))
			if slices.Contains(stops, next) {
				break
			}
			q = next
		}
		if first := v.unitAt(v.next(u.At, face)); first != 0 && v.hostile(id, first) {
			squares = append(squares, "! "+v.def(first).id)
		}
		if len(squares) > 0 {
			parts = append(parts, face.String()+" "+strings.Join(squares, ", "))
		}
	}
	return strings.Join(parts, " | ")
}

// paceCost is what crossing one side of a square costs a unit; false if it can't
// be crossed at all.
func (g *game) paceCost(from square, side facing) (int, bool) {
	if g.next(from, side) == 0 || g.edgeOf(from, side).has(pond) {
		return 0, false
	}
	return g.moveCost(from, side), true
}

// A strike is an attack that could be made: a target with all of an army's units that could attack it
// now, and the battle points of both without cards.
type strike struct {
	target          unitID
	with            []unitID
	attack, defence int
}

// strikes lists the possible attacks as the game stands, whether the side has a right to
// attack or not.
func (v *View) strikes(r *roundFrame) []strike {
	var all []strike
	for a := french; a <= prussian; a++ {
		if !v.active(r, a) {
			continue
		}
		for id := range v.everyUnit() {
			if v.campOf(id) == a.camp() {
				continue
			}
			if with := v.attackersOf(a, id); len(with) > 0 {
				s := strike{target: id, with: with}
				s.attack, s.defence = v.totals(v.expected(id, with, false, false))
				all = append(all, s)
			}
		}
	}
	return all
}

func (v *View) attackLines(r *roundFrame) []string {
	var lines []string
	for _, s := range v.strikes(r) {
		with := make([]string, len(s.with))
		for i, id := range s.with {
			with[i] = v.def(id).id
		}
		lines = append(lines, v.def(s.target).id+" "+v.squareID(v.unit(s.target).At)+": "+strings.Join(with, ", ")+", "+
			strconv.Itoa(s.attack)+" : "+strconv.Itoa(s.defence))
	}
	return lines
}

// exampleLines are orders that could be given, for copying.
func (v *View) exampleLines(r *roundFrame) []string {
	var lines []string
	moved := [armies]bool{}
	seen := map[action]bool{}
	for _, c := range v.hand() {
		if c == 0 || v.cardFault(c) != nil {
			continue
		}
		d := v.card(c)
		if !moved[d.army] {
			if path := v.exampleMove(d.army, d.mp); path != "" {
				lines = append(lines, "- {card: "+d.id+", move: ["+path+"]}")
				moved[d.army] = true
			}
		}
		if d.action == noAction || seen[d.action] {
			continue
		}
		if all := v.actionSteps(c); len(all) > 0 {
			st := step{Card: c, Action: d.action, Does: all[0]}
			lines = append(lines, "- "+v.stepNode(&st).OneLine())
			seen[d.action] = true
		}
	}
	if r.Rights > 0 {
		if s := v.strikes(r); len(s) > 0 {
			lines = append(lines, "- {attack: "+strings.Join(strings.Fields(v.attackNode(&attack{Target: s[0].target, With: s[0].with}).Encode()), " ")+"}")
		}
	}
	return lines
}

// exampleMove is the first move that a unit of an army can make, or a
// reinforcement's entry.
func (v *View) exampleMove(a army, mp int) string {
	for id, u := range v.everyUnit() {
		if v.armyOf(id) != a || u.Moved || u.Reorganised {
			continue
		}
		next := v.next(u.At, u.Face)
		if cost, ok := v.paceCost(u.At, u.Face); ok && next != 0 && cost <= mp && v.unitAt(next) == 0 {
			return "{unit: " + v.def(id).id + ", path: [" + v.squareID(next) + "]}"
		}
	}
	return ""
}

// commitComment tells what the cards that may be committed can do in the battle under
// way: whom an elite card doubles, whom the commander helps and by how much, who can fire
// at whom.
func (v *View) commitComment(b *battleFrame, who role, options []commit) string {
	var lines [asArtillery + 1][]string // of each use
	for _, c := range options {
		var line string
		switch c.As {
		case asElite:
			line = "as: elite, unit: " + v.def(c.Unit).id
		case asCommand:
			line = v.helpComment(b, who)
		case asArtillery:
			line = "as: artillery, " + v.shotComment(shot{c.By, c.Side})
		}
		if line != "" && !slices.Contains(lines[c.As], line) { // not yet by another card
			lines[c.As] = append(lines[c.As], line)
		}
	}
	return strings.Join(slices.Concat(lines[asElite], lines[asCommand], lines[asArtillery]), "\n")
}

// helpComment tells whom the commander helps in a battle, and by how much.
func (v *View) helpComment(b *battleFrame, who role) string {
	helped := *b
	helped.Attack.Cards, helped.Defence.Cards = nil, nil
	helped.of(who).Cards = []commit{{As: asCommand}}
	var lines []string
	for _, s := range v.sums(&helped, who) {
		if s.Command > 0 {
			lines = append(lines, "as: command > "+v.def(s.Unit).id+" +"+strconv.Itoa(s.Command))
		}
	}
	return strings.Join(lines, "\n")
}

// shotComment is a shot with its target.
func (v *View) shotComment(s shot) string {
	target, _, _ := v.aimed(s)
	line := "by: " + v.def(s.by).id
	if v.allRound(s.by) {
		line += ", side: " + s.side.String()
	}
	return line + " > " + v.unitLine(target)
}

// closed is a list that says nothing, below examples of what it could hold.
func closed(spare []string) *orders.Node {
	n := orders.Items(orders.Text("end"))
	n.Spare = spare
	return n
}

// mostListed is how many examples of one thing a list has: all cards of a hand, and some of their uses.
const mostListed = 18

// spareOf are entries of a list, as far as each stands on one line.
func spareOf[T any](all []T, text func(T) string) []string {
	var lines []string
	for _, one := range all {
		if line := "- " + text(one); len(line) <= play.Widest && !slices.Contains(lines, line) && len(lines) < mostListed {
			lines = append(lines, line)
		}
	}
	return lines
}

// overText puts comment lines above a node, leaving out empty ones.
func overText(n *orders.Node, lines ...string) *orders.Node {
	n.Above = strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n")
	return n
}

// unitLine is a unit for a comment: "A-3/I 4/2 G-9 S".
func (v *View) unitLine(id unitID) string {
	d, u := v.def(id), v.unit(id)
	line := d.id + " " + strconv.Itoa(d.full)
	if d.reduced > 0 {
		line += "/" + strconv.Itoa(d.reduced)
	}
	if u.Reduced {
		line += " (" + strconv.Itoa(v.value(id)) + ")"
	}
	if u.At != 0 {
		line += " " + v.squareID(u.At) + " " + u.Face.String()
	}
	return line
}
