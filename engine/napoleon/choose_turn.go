package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// Choices of battle turns and of the deployment before a battle.

// deploy-defender, deploy-attacker

func (battleDeployStop) choose(v *View, d engine.Decision, made []engine.Choice) []engine.Choice {
	b := v.battleOf(d)
	if b == nil {
		return nil
	}
	var list []engine.Choice
	own := b.ownFields(v.camp())
	for _, id := range v.ownIn(b.town, v.side) {
		name := v.unitName(id)
		i := slices.IndexFunc(made, func(c engine.Choice) bool { return c.Of == name })
		if i < 0 {
			for k, word := range [4]string{"left", "center", "right", "reserve"} {
				at := reserve
				if k < 3 {
					at = own[k]
				}
				if b.mayStand(v.unit(id), at) != nil {
					continue
				}
				c := engine.Choice{Of: name, What: word, Shown: word}
				if _, ok := v.deployWith(b, append(made[:len(made):len(made)], c)); ok {
					list = append(list, c)
				}
			}
			continue
		}
		k := slices.Index(placeWords[:], made[i].What)
		if k < 0 || isChosen(made, name, farm.String()) || isChosen(made, name, hill.String()) {
			continue
		}
		for _, what := range [2]piece{farm, hill} {
			taken := slices.ContainsFunc(made, func(c engine.Choice) bool {
				return c.What == what.String() && isChosen(made, c.Of, placeWords[k])
			})
			if !taken && !v.heldByAlly(b, own[k], what) && b.holdFault(v.unit(id), own[k], what) == nil {
				list = append(list, engine.Choice{Of: name, What: what.String()})
			}
		}
	}
	return list
}

// deployWith completes a deployment: as by default if that is legal, else it
// fills the positions that are empty and leaves the rest in reserve. False if no
// legal deployment begins with these choices.
func (v *View) deployWith(b *battle, made []engine.Choice) (battleDeployAnswer, bool) {
	c := v.camp()
	own := b.ownFields(c)
	units := v.ownIn(b.town, v.side)
	at := make([]field, len(v.roster))
	holds := make([]piece, len(v.roster))
	for _, choice := range made {
		id := v.unitCalled(choice.Of)
		switch k := slices.Index(placeWords[:], choice.What); {
		case k >= 0:
			at[id] = own[k]
		case choice.What == reserve.String():
			at[id] = reserve
		default:
			holds[id], _ = pieceNamed(choice.What)
		}
	}
	answer := func(at []field) (battleDeployAnswer, bool) {
		a := battleDeployAnswer{s: v.scenario, own: own}
		for _, id := range units {
			a.places = append(a.places, deployPlace{unit: id, field: at[id], holds: holds[id]})
		}
		a.sort()
		return a, v.deployStands(b, a, at)
	}
	usual := slices.Clone(at)
	for _, l := range v.deployInOrder(b, c, v.of(v.side, v.byCorps(b, c))).places {
		if usual[l.unit] == offBoard {
			usual[l.unit] = l.field
		}
	}
	if a, ok := answer(usual); ok {
		return a, true
	}
	for _, f := range own { // two corps of one position need a leader with them
		if v.corpsFault(v.placedOn(b, f, units, at)) == nil {
			continue
		}
		for _, id := range units {
			if u := v.unit(id); at[id] == offBoard && u.kind == leader && b.mayStand(u, f) == nil {
				at[id] = f
				break
			}
		}
	}
	for _, woods := range [2]bool{true, false} { // woods first: not everybody can stand there
		for _, f := range own {
			if (b.terrain[f] == wood) != woods || len(v.alliesOn(b, f)) > 0 || slices.Contains(at, f) {
				continue
			}
			for _, id := range units {
				if at[id] == offBoard && b.mayStand(v.unit(id), f) == nil {
					at[id] = f
					break
				}
			}
		}
	}
	for _, id := range units {
		if at[id] == offBoard {
			at[id] = reserve
		}
	}
	return answer(at)
}

// placedOn lists who would stand on a position.
func (v *View) placedOn(b *battle, f field, units []unitID, at []field) []*unit {
	here := v.alliesOn(b, f)
	for _, id := range units {
		if at[id] == f {
			here = append(here, v.unit(id))
		}
	}
	return here
}

// deployStands tells whether a whole deployment is legal: no more positions empty
// than may be, and the corps in order (NAP-6.22, NAP-6.23).
func (v *View) deployStands(b *battle, a battleDeployAnswer, at []field) bool {
	empty := 0
	for _, f := range a.own {
		here := v.alliesOn(b, f)
		for _, l := range a.places {
			if l.field == f {
				here = append(here, v.unit(l.unit))
			}
		}
		if len(here) == 0 {
			empty++
		}
		if v.corpsFault(here) != nil {
			return false
		}
	}
	return empty <= v.mayLeaveEmpty(b, v.camp(), at)
}

func (s battleDeployStop) compose(v *View, d engine.Decision, made []engine.Choice) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return s.Fallback(v, d)
	}
	a, _ := v.deployWith(b, made)
	return a
}

func (battleDeployStop) chosen(v *View, d engine.Decision, given play.Reply) []engine.Choice {
	a := given.(battleDeployAnswer)
	var list, held []engine.Choice
	for _, l := range a.places {
		word := reserve.String()
		if k := slices.Index(a.own[:], l.field); k >= 0 {
			word = placeWords[k]
		}
		list = append(list, engine.Choice{Of: v.unitName(l.unit), What: word})
		if l.holds != noPiece {
			held = append(held, engine.Choice{Of: v.unitName(l.unit), What: l.holds.String()})
		}
	}
	return append(list, held...)
}

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
