package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// Choices of battle turns and of the deployment before a battle.

// battle-turn

// Words of the choices of a battle turn that concern the whole of it.
const (
	chooseNothing   = "none"
	choosePlan      = "plan"
	chooseAsk       = "then ask"
	choosePress     = "on_fail continue"
	chooseShow      = "show"
	chooseReinforce = "reinforce "
	chooseRegroup   = "regroup "
)

// turnTrial is a reader of a battle turn that has carried choices out.
func (v *View) turnTrial(b *battle, made []engine.Choice) *turnReader {
	x := &turnReader{Reader: orders.NewReader(vocabulary), v: v, b: b, worlds: [2]world{v.try(b), v.try(b)}}
	for i := range v.units {
		if u := &v.units[i]; b.fights(u) && v.own[u.army] {
			x.own = append(x.own, u.id)
		}
	}
	slices.Sort(x.own)
	for _, c := range made {
		if make, ok := v.intentOf(x, c.What); ok && c.Of != "" {
			x.act(orders.Text(c.Of), v.unitCalled(c.Of), make)
		}
	}
	return x
}

// actionText is an action as a choice names it.
func (a turnAnswer) actionText(act action) string {
	switch act.verb {
	case doMove:
		var words []string
		for _, f := range act.path {
			if f != offBoard {
				words = append(words, a.called(f))
			}
		}
		return "move " + strings.Join(words, ", ")
	case doFire:
		return strings.TrimSpace("fire " + groupWords[act.group])
	case doShelter, doSwap:
		return verbWords[act.verb] + " " + a.s.roster[act.with].id
	case doOccupy:
		return "occupy " + act.what.String()
	case doRetreat:
		return "retreat " + a.s.towns[act.to].name
	}
	return verbWords[act.verb]
}

// intentOf is what a choice means; false if it is no action.
func (v *View) intentOf(x *turnReader, what string) (intent, bool) {
	word, rest, _ := strings.Cut(what, " ")
	switch verb := verb(slices.Index(verbWords, word)); verb {
	case doMove:
		return x.along(strings.Split(rest, ", ")), true
	case doFire:
		return always(action{verb: doFire, group: group(slices.Index(groupWords, rest))}), true
	case doShelter, doSwap:
		return always(action{verb: verb, with: v.unitCalled(rest)}), true
	case doOccupy:
		what, _ := pieceNamed(rest)
		return always(action{verb: doOccupy, what: what}), true
	case doRetreat:
		return always(action{verb: doRetreat, to: v.townCalled(rest)}), true
	case doForm, doBreak, doLeave:
		return always(action{verb: verb}), true
	}
	return nil, false
}

func (turnStop) choose(v *View, d engine.Decision, made []engine.Choice) []engine.Choice {
	b := v.battleOf(d)
	if b == nil || len(made) > 0 && (made[0].What == chooseNothing || made[0].What == choosePlan) {
		return nil
	}
	x := v.turnTrial(b, made)
	shape := v.turnAnswer(b)
	var list []engine.Choice
	for _, id := range x.own {
		name := v.unitName(id)
		seen := len(list)
		for _, w := range x.worlds {
			u := w.unit(id)
			w.choices(w.b, u, func(a action) bool {
				list = v.offer(list, seen, name, shape, a)
				return true
			})
			for _, at := range [2]group{others, squares} { // named though there is only one
				a := action{verb: doFire, unit: id, group: at}
				if known := len(list); w.judge(w.b, a) == nil {
					if list = v.offer(list, seen, name, shape, a); len(list) > known {
						list[known].Shown = ""
					}
				}
			}
		}
	}
	if v.options.rehide == rehideAsk {
		for _, id := range x.own {
			if name := v.unitName(id); !isChosen(made, name, chooseShow) {
				list = append(list, engine.Choice{Of: name, What: chooseShow})
			}
		}
	}
	whole := func(what string, may bool) {
		if may && !isChosen(made, "", what) {
			list = append(list, engine.Choice{What: what})
		}
	}
	come, no := v.madePlaces(made, chooseReinforce), isChosen(made, "", chooseReinforce)
	whole(chooseNothing, len(made) == 0)
	whole(choosePlan, len(made) == 0)
	whole(chooseAsk, len(x.actions) > 0 && len(come) == 0 && !no)
	whole(choosePress, true)
	if asks := isChosen(made, "", chooseAsk); !asks && !no {
		whole(chooseReinforce+chooseNothing, len(come) == 0)
		list = append(list, v.reinforceChoices(b, chooseReinforce, come)...)
	}
	victory := *b
	victory.won = v.camp()
	if so := v.madeRegroup(made, chooseRegroup); !isChosen(made, "", chooseRegroup) {
		whole(chooseRegroup+chooseNothing, len(so.in)+len(so.out) == 0)
		for _, c := range v.regroupChoices(&victory, chooseRegroup, so) {
			c.Shown = "" // the template lists whom a victory would set free to move only then
			list = append(list, c)
		}
	}
	return list
}

// offer adds an action to those of a unit, unless it is there.
func (v *View) offer(list []engine.Choice, from int, name string, shape turnAnswer, a action) []engine.Choice {
	c := engine.Choice{Of: name, What: shape.actionText(a), Shown: shape.actionShown(a)}
	if slices.ContainsFunc(list[from:], func(o engine.Choice) bool { return o.What == c.What }) {
		return list
	}
	return append(list, c)
}

// actionShown is an action as the template lists it among those of its unit.
func (a turnAnswer) actionShown(act action) string {
	text := a.actionText(act)
	switch act.verb {
	case doMove:
		return "[" + strings.TrimPrefix(text, "move ") + "]"
	case doRetreat:
		return a.s.towns[act.to].name
	}
	return text
}

func (s turnStop) compose(v *View, d engine.Decision, made []engine.Choice) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return s.Fallback(v, d)
	}
	a := v.turnAnswer(b)
	a.plan = isChosen(made, "", choosePlan)
	a.orders.actions = v.turnTrial(b, made).actions
	a.orders.again, a.orders.press = isChosen(made, "", chooseAsk), isChosen(made, "", choosePress)
	for _, c := range made {
		if c.What == chooseShow {
			a.orders.stay = append(a.orders.stay, v.unitCalled(c.Of))
		}
	}
	slices.Sort(a.orders.stay)
	if come := v.madePlaces(made, chooseReinforce); len(come) > 0 || isChosen(made, "", chooseReinforce) {
		a.orders.reinforce = &allotment{come}
	}
	if so := v.madeRegroup(made, chooseRegroup); len(so.in)+len(so.out) > 0 || isChosen(made, "", chooseRegroup) {
		a.orders.regroup = &so
	}
	return a
}

func (turnStop) chosen(v *View, d engine.Decision, given play.Reply) []engine.Choice {
	a := given.(turnAnswer)
	if a.plan {
		return []engine.Choice{{What: choosePlan}}
	}
	var list []engine.Choice
	for _, act := range a.orders.actions {
		list = append(list, engine.Choice{Of: v.unitName(act.unit), What: a.actionText(act)})
	}
	list = append(list, v.unitsChosen(a.orders.stay, constant(chooseShow))...)
	whole := func(what string, yes bool) {
		if yes {
			list = append(list, engine.Choice{What: what})
		}
	}
	whole(chooseAsk, a.orders.again)
	whole(choosePress, a.orders.press)
	if come := a.orders.reinforce; come != nil {
		whole(chooseReinforce+chooseNothing, len(come.places) == 0)
		list = append(list, v.placesChosen(come.places, chooseReinforce)...)
	}
	if so := a.orders.regroup; so != nil {
		whole(chooseRegroup+chooseNothing, len(so.in)+len(so.out) == 0)
		list = append(list, v.regroupChosen(so, chooseRegroup)...)
	}
	whole(chooseNothing, len(list) == 0)
	return list
}
