package waterloo

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/orders"
	"berthier/orders/phrase"
)

// What a conformance case may give in few words in place of a scenario file: units
// with their figures, and roads; and whether the seats are asked at the artillery
// windows.

// GivenKeys implements [cases.Stager].
func (Ruleset) GivenKeys() []string { return []string{"units", "roads", "windows"} }

// ScenarioFile implements [cases.Stager].
func (Ruleset) ScenarioFile(setup engine.Setup) ([]byte, error) {
	s, faults := library.Of(setup)
	if len(faults) > 0 {
		return nil, faults
	}
	return s.source, nil
}

// Stage implements [cases.Stager].
func (Ruleset) Stage(r *orders.Reader, given orders.Fields, setup engine.Setup, file *orders.Node) *orders.Node {
	x := stager{cases.Editor{Reader: r, File: file}}
	x.units(given.Get("units"))
	x.roads(given.Get("roads"))
	return x.windows(given.Get("windows"), setup)
}

// A stager changes a scenario file as a case says.
type stager struct{ cases.Editor }

// units reads {F-9/II: inf 4/2, A-9/X: heavy cav 3/1 elite, P-1: {arm: infantry, full: 3}}.
func (x stager) units(n *orders.Node) {
	x.Units(n, "F-9/II", x.recruit, x.printed)
}

// printed reads a unit as "inf 4/2", "heavy cav 3/1", "inf 3 elite": its points at
// full strength and reduced.
func (x stager) printed(unit, n *orders.Node) {
	said, ok := x.Text(n)
	if !ok {
		return
	}
	arm, weight, figures, elite, more := "", "", "", false, false
	for _, word := range strings.Fields(strings.ToLower(said)) {
		switch {
		case word[0] >= '0' && word[0] <= '9':
			figures += word
		case word == "light" || word == "heavy":
			weight += word
		case word == "elite":
			elite = true
		case len(word) >= 3 && strings.HasPrefix("infantry", word):
			arm += "infantry"
		case len(word) >= 3 && strings.HasPrefix("cavalry", word):
			arm += "cavalry"
		default:
			more = true
		}
	}
	full, reduced, both := strings.Cut(figures, "/")
	figure := func(s string) bool { return len(s) == 1 && s[0] >= '1' && s[0] <= '9' }
	if more || arm != "infantry" && arm != "cavalry" || weight != "" && (arm == "infantry" || weight != "light" && weight != "heavy") ||
		!figure(full) || both && !figure(reduced) {
		x.RefuseWith(n, "WAT-9.36", phrase.Say("wat.given-unit", phrase.Literal("got", said)), phrase.Say("wat.given-unit-write"))
		return
	}
	if weight == "" && arm == "cavalry" {
		if weight = cases.Said(unit, "weight"); weight == "" {
			weight = "light"
		}
	}
	cases.Drop(unit, "weight", "reduced", "elite")
	cases.PutText(unit, "arm", arm, n)
	cases.PutText(unit, "full", full, n)
	if both {
		cases.PutText(unit, "reduced", reduced, n)
	}
	if weight != "" {
		cases.PutText(unit, "weight", weight, n)
	}
	if elite {
		cases.PutText(unit, "elite", "true", n)
	}
}

// recruit adds a unit that the scenario does not have, of the army that its id
// begins with, off the board.
func (x stager) recruit(list, from *orders.Node) *orders.Node {
	id := from.Text
	a := slices.IndexFunc([]string{"F-", "A-", "P-"}, func(letter string) bool { return strings.HasPrefix(id, letter) })
	if a < 0 {
		x.Refuse(from, "", phrase.Say("order.unknown-unit", phrase.Literal("name", id)))
		return nil
	}
	unit := orders.Inline()
	for _, p := range [][2]string{{"id", id}, {"army", (french + army(a)).String()}, {"arm", "infantry"}, {"name", id}, {"full", "3"}, {"reduced", "2"}} {
		cases.PutText(unit, p[0], p[1], from)
	}
	list.Add(unit)
	return unit
}

// roads reads {lane: [C-4, D-4, E-4], nivelles: none}.
func (x stager) roads(n *orders.Node) {
	is := func(road *orders.Node, id string) bool { return cases.Said(road, "id") == id }
	x.Each(n, "lane", "roads", is, func(list, road *orders.Node, pair orders.Pair) {
		switch {
		case x.Is(pair.Value, "none"):
			if road == nil {
				x.RefuseWith(pair.Key, "", phrase.Say("wat.given-road", phrase.Literal("road", pair.Key.Text)),
					phrase.Say("wat.given-roads", phrase.Literals("roads", x.named("roads"))))
			}
			cases.Remove(list, road)
		case pair.Value.Kind != orders.List || len(pair.Value.Items) < 2:
			x.RefuseWith(pair.Value, "WAT-8.4", phrase.Say("wat.given-path"), phrase.Say("wat.given-path-write"))
		default:
			if road == nil {
				road = orders.Mapping()
				list.Add(road)
			}
			cases.PutText(cases.At(road, pair.Key), "id", pair.Key.Text, pair.Key)
			cases.Put(road, "path", pair.Value, pair.Key)
		}
	})
}

// named lists the ids of a list of the file.
func (x stager) named(key string) []string {
	var ids []string
	for _, item := range x.Items(key) {
		ids = append(ids, cases.Said(item, "id"))
	}
	return ids
}

// windows gives every seat standing orders for its artillery windows.
func (x stager) windows(n *orders.Node, setup engine.Setup) *orders.Node {
	if n == nil {
		return nil
	}
	before := len(x.Problems)
	o := &gunOrders{}
	readWindows(nil, x.Reader, n, o)
	position, err := Ruleset{}.New(setup)
	if err != nil || len(x.Problems) > before {
		return nil // the run of the case will tell what is wrong with the set-up
	}
	standing := orders.Mapping()
	for _, side := range position.Sides() {
		standing.Set(string(side), orders.Mapping().Set("artillery", orders.Mapping().Set("windows", o.windows())))
	}
	return cases.Made(orders.Mapping().Set("standing", standing), n)
}
