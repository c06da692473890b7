package napoleon

import (
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

func (l *loader) corps(n *orders.Node) {
	for _, item := range l.items(n, mostCorps) {
		f := l.Noted(item, "id", "army", "name")
		if item.Kind != orders.Map {
			continue
		}
		c := corps{id: l.Name(l.Require(f, "id")), name: l.Title(l.Require(f, "name"))}
		c.army, _ = l.army(l.Require(f, "army"))
		if _, twice := l.corpsAt[c.id]; twice {
			l.Refuse(item, "", phrase.Say("nap.scenario-twice", phrase.Literal("id", c.id)))
		}
		l.corpsAt[c.id] = len(l.s.corps)
		l.s.corps = append(l.s.corps, c)
		l.corpses = append(l.corpses, orders.Choice{ID: c.id})
	}
}

// idLetters begin the ids of each army's units.
var idLetters = [armies]string{"F", "A", "P"}

func (l *loader) units(n *orders.Node) {
	var last [armies]string
	var seen []string
	for _, item := range l.items(n, mostUnits) {
		f := l.Noted(item, "id", "army", "nat", "name", "corps", "type", "class", "horse_guns", "in_4e", "strength", "fire", "at")
		if item.Kind != orders.Map {
			continue
		}
		u := unitDef{id: l.Name(l.Require(f, "id")), name: l.Name(l.Require(f, "name")), corps: -1}
		var ok bool
		if u.army, ok = l.army(l.Require(f, "army")); ok {
			if len(u.id) != 4 || !strings.HasPrefix(u.id, idLetters[u.army]+"-") || strings.Trim(u.id[2:], "0123456789") != "" {
				l.Refuse(f.Get("id"), "", phrase.Say("nap.scenario-unit-id", phrase.Literal("letter", idLetters[u.army])))
			} else if u.id <= last[u.army] {
				l.Refuse(f.Get("id"), "", phrase.Say("nap.scenario-unit-order", phrase.Literal("unit", u.id), phrase.Literal("last", last[u.army])))
			}
			last[u.army] = max(last[u.army], u.id)
		}
		if slices.Contains(seen, u.id) {
			l.Refuse(item, "", phrase.Say("nap.scenario-twice", phrase.Literal("id", u.id)))
		}
		seen = append(seen, u.id)
		u.nation, _ = l.Word(l.Require(f, "nat"), "FR", "BR", "NE", "BK", "PR")
		u.kind = l.kind(f)
		if c := f.Get("corps"); u.kind == leader {
			if !absent(c) {
				l.Refuse(c, "NAP-R20", phrase.Say("nap.scenario-leader-corps"))
			}
		} else if c == nil {
			l.Require(f, "corps")
		} else if id, ok := l.Pick(c, "corps", l.corpses); ok {
			u.corps = l.corpsAt[id]
			if l.s.corps[u.corps].army != u.army {
				l.Refuse(c, "", phrase.Say("nap.scenario-corps-army", phrase.Literal("unit", u.id)))
			}
		}
		strength, _ := l.Int(l.Require(f, "strength"), 1, 4)
		fire := usualLeaderFire
		if value := f.Get("fire"); value != nil || u.kind != leader {
			fire, _ = l.Int(l.Require(f, "fire"), 0, 4)
		}
		u.strength, u.fire = int8(strength), int8(fire)
		if u.kind == leader && strength != 1 {
			l.Refuse(f.Get("strength"), "NAP-8.0", phrase.Say("nap.scenario-leader-strength"))
		}
		u.at, _ = l.town(l.Require(f, "at"))
		l.s.roster = append(l.s.roster, u)
		l.ids = append(l.ids, item)
		l.places = append(l.places, f.Get("at"))
	}
	if n == nil || n.Kind != orders.List {
		return
	}
	for a := range armies {
		count := 0
		for i := range l.s.roster {
			if l.s.roster[i].army == a && l.s.roster[i].kind == leader {
				count++
				if l.s.roster[i].id != idLetters[a]+"-01" {
					l.Refuse(l.ids[i], "NAP-8.0", phrase.Say("nap.scenario-leader-id", phrase.Literal("unit", idLetters[a]+"-01")))
				}
			}
		}
		if count != 1 {
			l.Refuse(n, "NAP-8.0", phrase.Say("nap.scenario-leader", phrase.Name("army", "army", armyWords[a]), phrase.Number("n", count)))
		}
	}
}

// kind reads the type and class of a unit.
func (l *loader) kind(f orders.Fields) kind {
	word, ok := l.Word(l.Require(f, "type"), "leader", "infantry", "cavalry", "artillery")
	if !ok {
		return unknown
	}
	class := f.Get("class")
	switch word {
	case "cavalry":
		if c, _ := l.Word(l.Require(f, "class"), "light", "heavy"); c == "light" {
			return lightCavalry
		}
		return heavyCavalry
	case "artillery":
		if guns := f.Get("horse_guns"); guns != nil || class == nil && l.s.reading.oneArtillery {
			horse := false
			if guns != nil {
				horse, _ = l.Bool(guns)
			}
			if horse {
				return horseArtillery
			}
			return footArtillery
		}
		if c, _ := l.Word(l.Require(f, "class"), "foot", "horse"); c == "foot" {
			return footArtillery
		}
		return horseArtillery
	}
	if class != nil {
		l.Refuse(class, "", phrase.Say("nap.scenario-class", phrase.Literal("type", word)))
	}
	if word == "leader" {
		return leader
	}
	return infantry
}

// setups reads the ways in which the armies come onto the map (NAP-4.1 to 4.3).
func (l *loader) setups(n *orders.Node) {
	known := setupWords
	f := l.Fields(n, known...)
	if n == nil || n.Kind != orders.Map {
		return
	}
	for _, name := range known {
		item := f.Get(name)
		if item == nil {
			continue
		}
		g := l.Noted(item, "allied", "french", "default")
		if item.Kind != orders.Map {
			continue
		}
		s := setupDef{name: name}
		how := func(n *orders.Node) bool {
			word, _ := l.Word(n, "free", "at")
			return word == "at"
		}
		s.placed[french] = how(l.Require(g, "french"))
		if allied := l.Require(g, "allied"); allied != nil {
			h := l.Fields(allied, armyWords[angloDutch], armyWords[prussian])
			s.placed[angloDutch] = how(l.Require(h, armyWords[angloDutch]))
			s.placed[prussian] = how(l.Require(h, armyWords[prussian]))
		}
		if d := g.Get("default"); d != nil {
			if yes, _ := l.Bool(d); yes {
				l.s.values["setup"] = name
			}
		}
		l.s.setups = append(l.s.setups, s)
	}
	if len(l.s.setups) == 0 {
		l.Refuse(n, "NAP-4.1", phrase.Say("order.want-map", phrase.Literals("keys", known)))
	}
}

// totals checks the sums of the order of battle.
func (l *loader) totals(n *orders.Node) {
	if n == nil {
		return
	}
	f := l.Noted(n, armyWords[:]...)
	for a, word := range armyWords {
		item := f.Get(word)
		if item == nil {
			continue
		}
		g := l.Noted(item, "units", "strength", "fire")
		units, strength, fire := 0, 0, 0
		for i := range l.s.roster {
			if u := &l.s.roster[i]; u.army == army(a) {
				units++
				strength += int(u.strength)
				fire += int(u.strength) * int(u.fire)
			}
		}
		for _, sum := range []struct {
			key   string
			count int
		}{{"units", units}, {"strength", strength}, {"fire", fire}} {
			at := g.Get(sum.key)
			if at == nil {
				continue
			}
			if said, ok := l.Int(at, 0, 100000); ok && said != sum.count {
				l.Refuse(at, "", phrase.Say("nap.scenario-total", phrase.Name("army", "army", word), phrase.Literal("what", sum.key),
					phrase.Number("here", said), phrase.Number("counted", sum.count)))
			}
		}
	}
}

// deployable checks that the historical places keep the rules of deployment
// (NAP-4.3) and that a free deployment is possible (NAP-4.4).
func (l *loader) deployable(n *orders.Node) {
	var counts [armies]int
	at := make([]int, len(l.s.towns))
	for i := range l.s.roster {
		u := &l.s.roster[i]
		counts[u.army]++
		t := &l.s.towns[u.at]
		if t.zone != u.army {
			l.Refuse(l.places[i], "NAP-4.3", phrase.Say("nap.scenario-zone", phrase.Literal("unit", u.id), phrase.Literal("town", t.name)))
		}
		at[u.at]++
		if limit := l.s.numbers.deploy[t.zone]; !t.apart && at[u.at] == limit+1 {
			l.Refuse(l.places[i], "NAP-4.3", phrase.Say("nap.scenario-limit", phrase.Literal("town", t.name), phrase.Number("limit", limit)))
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
