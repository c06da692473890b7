package napoleon

import (
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
)

// The template of a battle turn: plans that could lead it, then for each unit what it may do
// first, an action a line, as the file wants them.

// A ledTurn is a plan for one battle turn as the template offers it, with what it does.
type ledTurn struct{ file, does string }

var ledTurns = []ledTurn{
	{"plan: hold", orders.Tongues("the default: whoever can fire does; reserves fill gaps", "il predefinito: chi può fa fuoco, le riserve colmano i vuoti")},
	{"plan: withdraw", orders.Tongues("units leave by the roads, the rest hold", "le unità si ritirano per le strade, il resto tiene")},
	{"plan: screen", orders.Tongues("hold, but withdraw when outnumbered", "tiene, ma ripiega se in inferiorità")},
	{"plan: square", orders.Tongues("infantry facing only cavalry forms square", "in quadrato la fanteria con sola cavalleria davanti")},
	{"plan: none", orders.Tongues("nobody acts", "nessuno agisce")},
}

var (
	assaultDoes = orders.Tongues("fire, advance, reserves go there", "fuoco, avanzata, le riserve vanno lì")
	askDoes     = orders.Tongues("then ask: I order again after these", "poi chiedi: dopo questi ordino ancora")
	failDoes    = orders.Tongues("on-fail ask: ask me if an order fails", "se-fallisce chiedi: se un ordine fallisce")
	pressDoes   = orders.Tongues("on-fail continue: go on with the rest", "se-fallisce continua: prosegui col resto")
)

// turnLed is a battle turn that a plan with a name leads: what its units do if no shot hits.
// The word none means that nobody acts.
func (v *View) turnLed(b *battle, use string, column int) turnAnswer {
	switch use {
	case "none":
		return v.turnAnswer(b)
	case "hold":
		return v.holdTurn(b)
	}
	a, w := v.turnAnswer(b), v.try(b)
	a.orders.press = true
	pl := plan{use: use, column: column, lines: linesOf(use, column)}
	for range 2 * len(w.game.units) {
		list, _ := w.game.nextOfPlan(w.b, w, &pl)
		if len(list) == 0 {
			break
		}
		for _, one := range list {
			if w.game.judge(w.b, one) != nil {
				break
			}
			w.do(one, w.spared)
			a.orders.actions = append(a.orders.actions, one)
		}
	}
	return a
}

// noteTurn writes the template: the file names the town and says nothing of actions, which
// means the default.
func noteTurn(x *saying[*turning], n *orders.Node) {
	v, b := x.View, x.World.b
	said := x.World.said.orders
	actions := &orders.Node{Kind: orders.List, Spare: make([]string, 0, 32), Items: []*orders.Node{orders.Text("end")}}
	var text strings.Builder
	text.Grow(128)
	for i := range v.units {
		if u := &v.units[i]; b.fights(u) && v.own[u.army] {
			text.Reset()
			v.writeStand(&text, b, u)
			actions.Spare = append(actions.Spare, "# "+text.String())
			actions.Spare = v.actionLines(actions.Spare, b, u)
		}
	}
	actions.Spare = explained(append(actions.Spare, v.joinedLines(b)...))
	key := orders.Text("actions")
	for i, led := range ledTurns {
		key.Spare = append(key.Spare, "# "+led.does, led.file)
		if i == 0 {
			key.Spare = append(key.Spare, "# "+assaultDoes, "plan: {assault: left}", "plan: {assault: center}", "plan: {assault: right}")
		}
	}
	*n = *orders.Mapping().Set("at", n.Get("at"))
	n.Pairs = append(n.Pairs, orders.Pair{Key: key, Value: actions})
	if v.options.rehide == rehideAsk && len(x.World.own) > 0 {
		n.Spare = append(n.Spare, "show: ["+v.unitName(x.World.own[0])+"]")
	}
	if len(said.actions) > 0 {
		n.Spare = append(n.Spare, "# "+askDoes, "then: ask")
	}
	n.Spare = append(n.Spare, "then: end", "# "+failDoes, "on-fail: ask", "# "+pressDoes, "on-fail: continue")
	v.noteComers(n, b)
	v.noteShifts(n, x.World)
}

// actionDoes says in a few words what an action is for, by how its line begins.
var actionDoes = []struct{ key, does string }{
	{"- move:", orders.Tongues("a step on the battle board", "un passo sul campo di battaglia")},
	{"- fire:", orders.Tongues("a die for each point of strength", "un dado per punto di forza")},
	{"- fire-move:", orders.Tongues("both in this turn", "le due cose in questo turno")},
	{"- move-fire:", orders.Tongues("both in this turn", "le due cose in questo turno")},
	{"- engage:", orders.Tongues("goes to where enemies stand", "va dove stanno i nemici")},
	{"- disengage:", orders.Tongues("steps back from the enemy", "si stacca dal nemico")},
	{"- square:", orders.Tongues("against cavalry; the whole turn", "contro la cavalleria; tutto il turno")},
	{"- break:", orders.Tongues("out of the square; the whole turn", "scioglie il quadrato; tutto il turno")},
	{"- retreat:", orders.Tongues("leaves the battle by road", "lascia la battaglia per strada")},
}

// explained adds to the first line of each action what it is for, if there is room.
func explained(lines []string) []string {
	width := &play.Jotter{Words: vocabulary}
	for _, one := range actionDoes {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, one.key) })
		if i >= 0 && !strings.Contains(lines[i], "#") && width.Wide(lines[i]+"  # "+one.does) <= play.Widest {
			lines[i] += "  # " + one.does
		}
	}
	return lines
}

// noteComers lists who could reinforce, road by road, with an order that brings as many as
// may come.
func (v *View) noteComers(n *orders.Node, b *battle) {
	lines := v.couldCome(b)
	for _, line := range lines {
		n.Spare = append(n.Spare, "# reinforce "+line)
	}
	n.Spare = append(append(n.Spare, v.comingLines(b)...), "reinforce: none")
}

// comingLines are orders each of which brings from one town as many units as may come and as
// stand on one line.
func (v *View) comingLines(b *battle) []string {
	var lines []string
	for _, road := range v.towns[b.town].roads {
		t := v.roads[road].from(b.town)
		come := &bringing{v: v, b: b}
		line := ""
		for _, id := range v.ableToCome(b, t) {
			text := "reinforce: {" + v.towns[t].name + ": [" + v.unitName(id)
			if line != "" {
				text = line + ", " + v.unitName(id)
			}
			if len(text)+len("]}") > play.Widest {
				break
			}
			if come.fault(place{id, t}) == nil {
				come.come, line = append(come.come, place{id, t}), text
			}
		}
		if n := len(come.come); n > 1 && n == len(v.unitsIn(t, v.camp())) {
			lines = append(lines, "reinforce: {"+v.towns[t].name+": all}")
		} else if line != "" {
			lines = append(lines, line+"]}")
		}
	}
	return lines
}

// noteShifts lists an order that brings a unit into the town after a victory, and one that
// takes a unit out of it.
func (v *View) noteShifts(n *orders.Node, w *turning) {
	after := &regroups{v: v, b: w.victory(), so: regroupAnswer{s: v.scenario}}
	var seen [2]bool
	for one := range after.mayShift {
		k := 0
		if one.in {
			k = 1
		}
		if seen[k] || after.fault(one) != nil {
			continue
		}
		if text := "regroup: " + play.OneLine(after.so.and(one.in, one.place).value()); len(text) <= play.Widest {
			n.Spare, seen[k] = append(n.Spare, text), true
		}
		if seen[0] && seen[1] {
			break
		}
	}
	n.Spare = append(n.Spare, "regroup: none")
}

// actionLines are what a unit may do first, each as an action of the file.
func (v *View) actionLines(lines []string, b *battle, u *unit) []string {
	a, who := v.turnAnswer(b), v.unitName(u.id)
	var towns []townID // a town may be reached directly and by another
	v.choices(b, u, func(one action) bool {
		if one.verb == doRetreat {
			if containsTown(towns, one.to) {
				return true
			}
			towns = append(towns, one.to)
		}
		lines = append(lines, a.actionLine(one, who))
		return true
	})
	return lines
}

// actionLine is an action of one unit as an entry of the file. [turnAnswer.actionNode] writes
// the same for several units.
func (a turnAnswer) actionLine(one action, who string) string {
	switch one.verb {
	case doMove:
		path := a.called(one.path[0])
		if one.path[1] != offBoard {
			path += ", " + a.called(one.path[1])
		}
		return "- move: {units: [" + who + "], path: [" + path + "]}"
	case doFire:
		if one.group == anyGroup {
			return "- fire: " + who
		}
		return "- fire: {units: [" + who + "], at: " + groupWords[one.group] + "}"
	case doLeave:
		return "- leave: " + who
	case doShelter:
		return "- shelter: {unit: " + who + ", in: " + a.s.roster[one.with].id + "}"
	case doSwap:
		return "- swap: {unit: " + who + ", with: " + a.s.roster[one.with].id + "}"
	case doOccupy:
		return "- occupy: {unit: " + who + ", what: " + one.what.String() + "}"
	case doRetreat:
		return "- retreat: {" + a.s.towns[one.to].name + ": [" + who + "]}"
	}
	return "- " + verbWords[one.verb] + ": [" + who + "]"
}
