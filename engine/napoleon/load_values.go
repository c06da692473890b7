package napoleon

import (
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

func (l *loader) values(n *orders.Node) {
	f := l.Fields(n, "group_moves", "road_limit", "road_limit_attack_river", "road_limit_battle", "road_limit_rout",
		"attack_minimum", "deployment", "leaders_count_for_limits", "defeat_at_losses", "allied_win_if_eliminated",
		"draw_if_all_defeated", "supply_loss", "french_town_win", "strength_scale")
	if n == nil || n.Kind != orders.Map {
		return
	}
	v := &l.s.numbers
	l.byArmy(l.Require(f, "group_moves"), &v.groupMoves)
	v.road = l.limit(l.Require(f, "road_limit"))
	v.river = l.limit(l.Require(f, "road_limit_attack_river"))
	v.battleRoad = l.limit(l.Require(f, "road_limit_battle"))
	v.routRoad, v.routRiver = v.battleRoad, v.battleRoad
	if rout := f.Get("road_limit_rout"); !absent(rout) {
		v.routRoad, v.routRiver = l.routLimits(rout)
	}
	if least := f.Get("attack_minimum"); !absent(least) {
		v.minAttack, _ = l.Int(l.Require(l.Noted(least, "value"), "value"), 0, mostMinimum)
	}
	v.drawIfAll = l.value(f.Get("draw_if_all_defeated"), false)
	if d := l.Require(f, "deployment"); d != nil {
		g := l.Noted(d, "order", "limits", "zones")
		l.byArmy(l.Require(g, "limits"), &v.deploy)
		l.fixed(g.Get("order"), "[allied, french]")
		if zones := g.Get("zones"); zones != nil {
			z := l.Noted(zones, armyWords[:]...)
			for _, a := range armyWords {
				l.fixed(z.Get(a), "["+a+"]")
			}
		}
	}
	v.leadersFree = !l.value(f.Get("leaders_count_for_limits"), true)
	l.byArmy(l.Require(f, "defeat_at_losses"), &v.defeat)
	l.supply(l.Require(f, "supply_loss"))
	v.cityWinTurn = -1
	if win := f.Get("french_town_win"); !absent(win) {
		g := l.Noted(win, "towns", "need", "turn")
		towns := l.items(l.Require(g, "towns"), mostTowns)
		for _, item := range towns {
			if t, ok := l.town(item); ok {
				l.s.towns[t].city = true
			}
		}
		v.cityWinNeed, _ = l.Int(l.Require(g, "need"), 1, max(1, len(towns)))
		turn := l.Require(g, "turn")
		number, ok := l.Int(turn, 1, max(1, len(l.s.turns)))
		if ok && number <= len(l.s.turns) && l.s.turns[number-1].camp != frenchCamp {
			l.Refuse(turn, "NAP-10.3", phrase.Say("nap.scenario-city-turn"))
		}
		v.cityWinTurn = number - 1
	}
}

// mostMinimum bounds the units that an attack needs: more than there are
// sectors would make battles impossible that the rules allow.
const mostMinimum = 10

// value reads {value: true or false}.
func (l *loader) value(n *orders.Node, usual bool) bool {
	if absent(n) {
		return usual
	}
	yes, _ := l.Bool(l.Require(l.Noted(n, "value"), "value"))
	return yes
}

// routLimits reads how many units a rout takes over a road, and over a river
// (NAP-7.4z).
func (l *loader) routLimits(n *orders.Node) (road, river limit) {
	f := l.Noted(n, "main", "secondary", "main_river", "secondary_river")
	if n.Kind != orders.Map {
		return
	}
	road = limit{l.number(l.Require(f, "main"), 0), l.number(l.Require(f, "secondary"), 0)}
	river = limit{l.number(l.Require(f, "main_river"), 0), l.number(l.Require(f, "secondary_river"), 0)}
	return road, river
}

// fatal reads whose elimination is an Allied win (NAP-10.4).
func (l *loader) fatal(values *orders.Node) {
	if values == nil || values.Kind != orders.Map {
		return
	}
	n := values.Get("allied_win_if_eliminated")
	if absent(n) {
		return
	}
	for _, item := range l.items(l.Require(l.Noted(n, "units"), "units"), mostUnits) {
		i := slices.IndexFunc(l.s.roster, func(u unitDef) bool { return u.id == item.Text && u.army == french })
		if i < 0 {
			l.Refuse(item, "NAP-10.4", phrase.Say("order.unknown-unit", phrase.Literal("name", item.Text)))
			continue
		}
		l.s.fatal = append(l.s.fatal, unitID(i))
	}
}

// fixed refuses a value that the edition doesn't leave open. It stands in the
// file so that a reader finds it.
func (l *loader) fixed(n *orders.Node, want string) {
	if n == nil {
		return
	}
	have := n.Text
	if n.Kind == orders.List {
		var texts []string
		for _, item := range n.Items {
			texts = append(texts, item.Text)
		}
		have = "[" + strings.Join(texts, ", ") + "]"
	}
	if have != want {
		l.Refuse(n, "", phrase.Say("nap.scenario-fixed", phrase.Literal("want", want)))
	}
}

func (l *loader) byArmy(n *orders.Node, into *[armies]int) {
	f := l.Noted(n, armyWords[:]...)
	if n == nil || n.Kind != orders.Map {
		return
	}
	for a, word := range armyWords {
		into[a] = l.number(l.Require(f, word), 0)
	}
}

func (l *loader) limit(n *orders.Node) limit {
	f := l.Noted(n, "main", "secondary")
	if n == nil || n.Kind != orders.Map {
		return limit{}
	}
	return limit{l.number(l.Require(f, "main"), 0), l.number(l.Require(f, "secondary"), 0)}
}

// supply reads how many units are lost for each supply town (NAP-9.0).
func (l *loader) supply(n *orders.Node) {
	if n == nil {
		return
	}
	if n.Kind != orders.Map {
		l.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
		return
	}
	for _, p := range n.Pairs {
		if play.IsNote(p.Key.Text) {
			continue
		}
		t, ok := l.town(p.Key)
		if !ok {
			continue
		}
		if l.s.towns[t].loss < 0 {
			l.Refuse(p.Key, "NAP-9.0", phrase.Say("nap.scenario-supply", phrase.Literal("town", l.s.towns[t].name)))
			continue
		}
		l.s.towns[t].loss = l.number(p.Value, 1)
	}
	for i := range l.s.towns {
		t := &l.s.towns[i]
		if t.loss == 0 {
			l.Refuse(n, "NAP-9.0", phrase.Say("nap.scenario-supply", phrase.Literal("town", t.name)))
		}
		t.loss = max(t.loss, 0)
	}
}
