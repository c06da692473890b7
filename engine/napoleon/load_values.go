package napoleon

import (
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// fixed is a value that an edition does not leave open. It stands in the file only so that
// a reader finds it.
type fixed string

// MarshalPos implements [play.PosMarshaler].
func (f fixed) MarshalPos(*play.Scribe) *orders.Node { return orders.Text(string(f)) }

// UnmarshalPos implements [play.PosUnmarshaler].
func (f *fixed) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	var texts []string
	for _, item := range x.List(n) {
		texts = append(texts, item.Text)
	}
	*f = fixed(strings.Join(texts, ", "))
}

// SettlePos implements [play.PosSettler].
func (d *deployRoom) SettlePos(x *play.Scribe, at orders.Fields) {
	refuse := func(n *orders.Node, have fixed, want string) {
		if n != nil && have != fixed(want) {
			x.Refuse(n, "", phrase.Say("nap.scenario-fixed", phrase.Literal("want", "["+want+"]")))
		}
	}
	refuse(at.Get("order"), d.order, "allied, french")
	for a, zone := range d.zones {
		refuse(at.Get("zones").Get(armyWords[a]), zone, armyWords[a])
	}
}

// figures works the figures of the edition out, and judges them by the board.
func (l *loader) figures() {
	v, s := &l.s.numbers, l.s
	at := l.root.Get("edition_values")
	v.deploy, v.leadersFree = v.deployment.limits, !v.leadersCount
	if v.routRoad, v.routRiver = v.battleRoad, v.battleRoad; v.routs != nil {
		v.routRoad, v.routRiver = limit{v.routs.main, v.routs.secondary}, limit{v.routs.mainRiver, v.routs.secondaryRiver}
	}
	for t := range s.towns { // how many units are lost for each supply town (NAP-9.0)
		town, loss := &s.towns[t], 0
		if t < len(v.supplyLoss) {
			loss = v.supplyLoss[t]
		}
		if (loss > 0) != (town.supplies != nil) {
			l.Refuse(play.At(at, "supply_loss", town.id), "NAP-9.0", phrase.Say("nap.scenario-supply", phrase.Literal("town", town.name)))
		}
		town.loss = loss
	}
	v.cityWinTurn = -1
	if win := v.cityWin; win != nil {
		for _, t := range win.towns {
			if t != noTown {
				s.towns[t].city = true
			}
		}
		v.cityWinNeed, v.cityWinTurn = win.need, win.turn-1
		n := at.Get("french_town_win")
		if win.need > len(win.towns) {
			l.Int(n.Get("need"), 1, len(win.towns))
		}
		if win.turn > len(s.turns) {
			l.Int(n.Get("turn"), 1, len(s.turns))
		} else if win.turn > 0 && s.turns[v.cityWinTurn].camp != frenchCamp {
			l.Refuse(n.Get("turn"), "NAP-10.3", phrase.Say("nap.scenario-city-turn"))
		}
	}
	if v.mustLive != nil { // whose elimination is an Allied win (NAP-10.4)
		for i, id := range v.mustLive.units {
			if s.fatal = append(s.fatal, id); id != noUnit && s.roster[id].army != french {
				l.Refuse(play.At(at, "allied_win_if_eliminated", "units", strconv.Itoa(i)), "NAP-10.4", phrase.Say("order.unknown-unit", phrase.Literal("name", s.roster[id].id)))
			}
		}
	}
}
