package napoleon

import (
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// idLetters begin the ids of each army's units.
var idLetters = [armies]string{"F", "A", "P"}

// SettlePos implements [play.PosSettler].
func (u *unitDef) SettlePos(x *play.Scribe, at orders.Fields) {
	if len(u.id) != 4 || !strings.HasPrefix(u.id, idLetters[u.army]+"-") || strings.Trim(u.id[2:], "0123456789") != "" {
		x.Refuse(at.Get("id"), "", phrase.Say("nap.scenario-unit-id", phrase.Literal("letter", idLetters[u.army])))
	}
	u.kind = u.kindOf(x, at)
	corps := x.Whole.(*scenario).corps
	switch n := at.Get("corps"); {
	case u.kind == leader:
		if n != nil {
			x.Refuse(n, "NAP-R20", phrase.Say("nap.scenario-leader-corps"))
		}
		if u.strength != 1 {
			x.Refuse(at.Get("strength"), "NAP-8.0", phrase.Say("nap.scenario-leader-strength"))
		}
		if at.Get("fire") == nil {
			u.fire = usualLeaderFire
		}
	case x.Require(at, "corps") != nil && (u.corps < 0 || corps[u.corps].army != u.army):
		x.Refuse(n, "", phrase.Say("nap.scenario-corps-army", phrase.Literal("unit", u.id)))
	}
	if u.kind != leader {
		x.Require(at, "fire")
	}
}

// kindOf is the kind of a unit, by its type and class.
func (u *unitDef) kindOf(x *play.Scribe, at orders.Fields) kind {
	class := func(first, second string, kinds [2]kind) kind {
		if word, _ := x.Word(x.Require(at, "class"), first, second); word == first {
			return kinds[0]
		}
		return kinds[1]
	}
	switch n := at.Get("class"); {
	case u.arm == "cavalry":
		return class("light", "heavy", [2]kind{lightCavalry, heavyCavalry})
	case u.arm == "artillery" && (at.Get("horse_guns") != nil || n == nil && readings[x.Whole.(*scenario).edition].oneArtillery):
		if u.horse {
			return horseArtillery
		}
		return footArtillery
	case u.arm == "artillery":
		return class("foot", "horse", [2]kind{footArtillery, horseArtillery})
	case n != nil:
		x.Refuse(n, "", phrase.Say("nap.scenario-class", phrase.Literal("type", u.arm)))
	}
	if u.arm == "leader" {
		return leader
	}
	return infantry
}

// ranks judges the order of battle as a list: ids rise in each army, and each has one
// leader, its first (NAP-8.0).
func (l *loader) ranks() {
	var last [armies]string
	var leaders [armies]int
	known := true
	list := l.root.Get("units")
	for i, u := range l.s.roster {
		at := play.At(list, strconv.Itoa(i))
		if id := at.Get("id"); u.id <= last[u.army] && l.Sound(id) && l.Sound(at.Get("army")) {
			l.Refuse(id, "", phrase.Say("nap.scenario-unit-order", phrase.Literal("unit", u.id), phrase.Literal("last", last[u.army])))
		}
		if strings.HasPrefix(u.id, idLetters[u.army]+"-") {
			last[u.army] = max(last[u.army], u.id)
		}
		known = known && u.kind != unknown
		if u.kind == leader {
			leaders[u.army]++
			if u.id != idLetters[u.army]+"-01" {
				l.Refuse(at, "NAP-8.0", phrase.Say("nap.scenario-leader-id", phrase.Literal("unit", idLetters[u.army]+"-01")))
			}
		}
	}
	for a, count := range leaders {
		if count != 1 && known && len(l.s.roster) > 0 {
			l.Refuse(list, "NAP-8.0", phrase.Say("nap.scenario-leader", phrase.Name("army", "army", armyWords[a]), phrase.Number("n", count)))
		}
	}
}

// totals checks the sums of the order of battle.
func (l *loader) totals() {
	for a, said := range l.s.totals {
		var counted sums
		for i := range l.s.roster {
			if u := &l.s.roster[i]; u.army == army(a) {
				counted.units++
				counted.strength += int(u.strength)
				counted.fire += int(u.strength) * int(u.fire)
			}
		}
		for _, sum := range []struct {
			key        string
			said, have int
		}{{"units", said.units, counted.units}, {"strength", said.strength, counted.strength}, {"fire", said.fire, counted.fire}} {
			if at := l.root.Get("totals").Get(armyWords[a]).Get(sum.key); at != nil && sum.said != sum.have {
				l.Refuse(at, "", phrase.Say("nap.scenario-total", phrase.Name("army", "army", armyWords[a]), phrase.Literal("what", sum.key),
					phrase.Number("here", sum.said), phrase.Number("counted", sum.have)))
			}
		}
	}
}

// deployable checks that the historical places keep the rules of deployment
// (NAP-4.3) and that a free deployment is possible (NAP-4.4).
func (l *loader) deployable() {
	n := l.root.Get("units")
	var counts [armies]int
	at := make([]int, len(l.s.towns))
	for i := range l.s.roster {
		u := &l.s.roster[i]
		counts[u.army]++
		t := &l.s.towns[u.at]
		if t.zone != u.army {
			l.Refuse(play.At(n, strconv.Itoa(i), "at"), "NAP-4.3", phrase.Say("nap.scenario-zone", phrase.Literal("unit", u.id), phrase.Literal("town", t.name)))
		}
		at[u.at]++
		if limit := l.s.numbers.deploy[t.zone]; !t.apart && at[u.at] == limit+1 {
			l.Refuse(play.At(n, strconv.Itoa(i), "at"), "NAP-4.3", phrase.Say("nap.scenario-limit", phrase.Literal("town", t.name), phrase.Number("limit", limit)))
		}
	}
	for a := range armies {
		room := 0
		for t := range l.s.towns {
			if l.s.towns[t].zone == a {
				room += l.s.numbers.deploy[a]
			}
		}
		if room < counts[a] {
			l.Refuse(n, "NAP-4.4", phrase.Say("nap.scenario-room", phrase.Name("army", "army", armyWords[a])))
		}
		if limit := l.s.numbers.defeat[a]; limit < 1 || limit > counts[a] {
			l.Refuse(n, "NAP-10.0", phrase.Say("nap.scenario-defeat", phrase.Name("army", "army", armyWords[a]), phrase.Number("n", counts[a])))
		}
	}
}
