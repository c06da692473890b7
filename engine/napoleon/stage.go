package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What a conformance case gives in few words in place of a scenario file: units
// as the rulebook prints them, and roads.

// GivenKeys implements [cases.Stager].
func (Ruleset) GivenKeys() []string { return []string{"units", "roads"} }

// ScenarioFile implements [cases.Stager].
func (Ruleset) ScenarioFile(setup engine.Setup) ([]byte, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	if len(setup.Data) == 0 {
		s = s.edited(setup.Options[editionOption])
	}
	return s.source, nil
}

// Stage implements [cases.Stager].
func (Ruleset) Stage(r *orders.Reader, given orders.Fields, _ engine.Setup, file *orders.Node) *orders.Node {
	x := stager{cases.Editor{Reader: r, File: file}}
	x.units(given.Get("units"))
	x.roads(given.Get("roads"))
	return nil
}

// A stager changes a scenario file as a case says.
type stager struct{ cases.Editor }

// units reads {F-02: inf 3F2, A-31: {type: cavalry, class: heavy}}.
func (x stager) units(n *orders.Node) {
	cases.Drop(x.File, "totals") // which no longer hold
	x.Units(n, "F-02", x.recruit, x.printed)
}

// printed reads a unit as the rulebook writes it: "inf 3F2", "heavy cav 4F3".
func (x stager) printed(unit, n *orders.Node) {
	said, ok := x.Text(n)
	if !ok {
		return
	}
	words := strings.Fields(said)
	kind, class, figures := "", "", ""
	for _, word := range words {
		switch lower := strings.ToLower(word); {
		case len(word) == 3 && lower[1] == 'f':
			figures += lower
		case lower == "light" || lower == "heavy" || lower == "foot" || lower == "horse":
			class += lower
		case len(lower) >= 3:
			for _, k := range []string{"leader", "infantry", "cavalry", "artillery"} {
				if strings.HasPrefix(k, lower) {
					kind += k
				}
			}
		}
	}
	classes := map[string][]string{"cavalry": {"light", "heavy"}, "artillery": {"foot", "horse"}, "infantry": nil, "leader": nil}
	of, known := classes[kind]
	count := 2
	if class != "" {
		count = 3
	}
	if !known || len(figures) != 3 || len(words) != count || class != "" && !slices.Contains(of, class) {
		x.RefuseWith(n, "NAP-3.3", phrase.Say("nap.given-unit", phrase.Literal("got", said)), phrase.Say("nap.given-unit-write"))
		return
	}
	if kind == cases.Said(unit, "type") && class == "" {
		class = cases.Said(unit, "class")
	} else {
		cases.Drop(unit, "class", "horse_guns")
	}
	if class == "" && of != nil && unit.Get("horse_guns") == nil {
		class = of[0]
	}
	cases.PutText(unit, "type", kind, n)
	if class != "" {
		cases.PutText(unit, "class", class, n)
	}
	cases.PutText(unit, "strength", figures[:1], n)
	cases.PutText(unit, "fire", figures[2:], n)
	if kind == "leader" {
		cases.Drop(unit, "corps")
	} else if absent(unit.Get("corps")) {
		cases.PutText(unit, "corps", x.corpsOf(cases.Said(unit, "army")), n)
	}
}

// corpsOf is the first corps of an army.
func (x stager) corpsOf(army string) string {
	for _, c := range x.Items("corps") {
		if cases.Said(c, "army") == army {
			return cases.Said(c, "id")
		}
	}
	return ""
}

// nations are what new units of an army are.
var nations = [armies]string{"FR", "BR", "PR"}

// recruit adds a unit that the scenario does not have, of the army that its id
// begins with, to where it can stand at first.
func (x stager) recruit(list, from *orders.Node) *orders.Node {
	id := strings.ToUpper(from.Text)
	a := slices.IndexFunc(idLetters[:], func(letter string) bool { return strings.HasPrefix(id, letter+"-") })
	if a < 0 {
		x.Refuse(from, "", phrase.Say("order.unknown-unit", phrase.Literal("name", from.Text)))
		return nil
	}
	unit := orders.Inline()
	for _, p := range [][2]string{{"id", id}, {"army", armyWords[a]}, {"nat", nations[a]}, {"name", id},
		{"corps", x.corpsOf(armyWords[a])}, {"type", "infantry"}, {"strength", "4"}, {"fire", "2"}, {"at", x.room(armyWords[a])}} {
		cases.PutText(unit, p[0], p[1], from)
	}
	at := len(list.Items)
	for i, u := range list.Items {
		if cases.Said(u, "army") != armyWords[a] {
			continue
		}
		if at = i + 1; cases.Said(u, "id") > id {
			at = i
			break
		}
	}
	list.Items = slices.Insert(list.Items, at, unit)
	return unit
}

// room finds a town where one unit more of an army may stand at first (NAP-4.3).
func (x stager) room(army string) string {
	limit := 0
	if n := x.File.Get("edition_values").Get("deployment").Get("limits").Get(army); n != nil {
		limit = number(n.Text)
	}
	best := ""
	for _, t := range x.Items("towns") {
		if cases.Said(t, "zone") != army {
			continue
		}
		if cases.Said(t, "apart") == "true" {
			return cases.Said(t, "id")
		}
		there := 0
		for _, u := range x.Items("units") {
			if cases.Said(u, "at") == cases.Said(t, "id") {
				there++
			}
		}
		if best == "" && there < limit {
			best = cases.Said(t, "id")
		}
	}
	return best
}

// number reads a small number; anything else is none.
func number(digits string) int {
	n := 0
	for _, c := range digits {
		if c < '0' || c > '9' || n > mostNumber {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// roads reads {laneffe/charleroi: main river, ligny/wavre: none}.
func (x stager) roads(n *orders.Node) {
	var towns []orders.Choice
	for _, t := range x.Items("towns") {
		c := orders.Choice{ID: cases.Said(t, "id"), Names: []string{cases.Said(t, "name")}}
		if aliases := t.Get("aliases"); aliases != nil {
			for _, alias := range aliases.Items {
				c.Names = append(c.Names, alias.Text)
			}
		}
		towns = append(towns, c)
	}
	town := func(name string) string {
		id, _ := orders.NewReader(nil).Pick(orders.Text(name), "town", towns)
		return id
	}
	is := func(road *orders.Node, name string) bool {
		a, b, _ := strings.Cut(name, "/")
		from, to := town(a), town(b)
		return cases.Said(road, "a") == from && cases.Said(road, "b") == to || cases.Said(road, "a") == to && cases.Said(road, "b") == from
	}
	x.Each(n, "laneffe/charleroi", "roads", is, func(list, road *orders.Node, pair orders.Pair) {
		cases.Drop(x.File, "neighbours") // which no longer hold
		a, b, ok := strings.Cut(pair.Key.Text, "/")
		if !ok {
			x.RefuseWith(pair.Key, "", phrase.Say("nap.position-road", phrase.Literal("road", pair.Key.Text)), phrase.Say("nap.given-road-write"))
			return
		}
		from, okA := x.Pick(cases.Made(orders.Text(a), pair.Key), "town", towns)
		to, okB := x.Pick(cases.Made(orders.Text(b), pair.Key), "town", towns)
		if okA && okB {
			x.road(list, road, from, to, pair)
		}
	})
}

// road builds a road, changes one, or takes it away.
func (x stager) road(list, road *orders.Node, from, to string, pair orders.Pair) {
	if x.Is(pair.Value, "none") {
		if road == nil {
			x.Refuse(pair.Key, "", phrase.Say("nap.position-road", phrase.Literal("road", pair.Key.Text)))
		}
		cases.Remove(list, road)
		return
	}
	said, ok := x.Text(pair.Value)
	if !ok {
		return
	}
	words := strings.Fields(strings.ToLower(said))
	if len(words) == 0 || words[0] != "main" && words[0] != "secondary" || len(words) > 2 || len(words) == 2 && words[1] != "river" {
		x.RefuseWith(pair.Value, "NAP-5.4", phrase.Say("nap.given-road", phrase.Literal("got", said)), phrase.Say("nap.given-road-write"))
		return
	}
	if road == nil {
		road = orders.Inline()
		list.Add(road)
	}
	cases.At(road, pair.Key)
	cases.PutText(road, "a", from, pair.Key)
	cases.PutText(road, "b", to, pair.Key)
	cases.PutText(road, "class", words[0], pair.Value)
	if cases.Drop(road, "river"); len(words) == 2 {
		cases.PutText(road, "river", words[1], pair.Value)
	}
}
