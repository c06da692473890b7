package napoleon

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// The comments of every template list what is legal, and nothing else.
func TestTemplatesOfferWhatIsLegal(t *testing.T) {
	var games []playout.Game
	for i, one := range append(slices.Clone(setups), []rulestest.Setup{
		{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}},
		{Name: "three players, third edition", Setup: engine.Setup{Options: map[string]string{"players": "3", "edition": "3e"}}},
	}...) {
		games = append(games, playout.Game{Start: battleground(t, one.Setup, uint64(7700+i)), Seed: uint64(7700 + i), MaxStops: 600})
	}
	of := func(_ engine.View, c engine.Choice) []string { return []string{c.Of} }
	both := func(_ engine.View, c engine.Choice) []string { return []string{c.Of + " " + c.What} }
	leave := rulestest.Listing{Offered: offeredRoads, Choice: both}
	terrain := rulestest.Listing{Offered: offeredPlaces, Choice: both}
	board := rulestest.Listing{Offered: offeredCorps, Choice: of}
	rulestest.Offers(t, "napoleon", New(), games, map[string]rulestest.Listing{
		"bid":              {Offered: offeredBids, Choice: func(_ engine.View, c engine.Choice) []string { return []string{c.Shown} }},
		"handicap":         {Offered: offeredAll, Choice: of},
		"deploy":           {Offered: offeredZones, Choice: func(_ engine.View, c engine.Choice) []string { return []string{c.Of[:1] + " " + c.What} }},
		"move":             {Offered: offeredRoutes, Choice: routeTexts, Files: exampleMarches},
		"battle-order":     {Offered: namedInBody, Choice: of},
		"skirmish":         {Offered: offeredAll, Choice: of},
		"skirmish-retreat": leave,
		"terrain-attacker": terrain,
		"terrain-defender": terrain,
		"deploy-defender":  board,
		"deploy-attacker":  board,
		"morale-order":     {Offered: offeredAll, Choice: of},
		"battle-turn":      {Offered: offeredActions, Choice: actionTexts},
		"hits":             {Offered: offeredAll, Choice: of},
		"reinforce":        {Offered: offeredByTown, Choice: both},
		"rout":             leave,
		"stalemate":        leave,
		"regroup":          {Offered: offeredByTown, Choice: both},
		"supply":           {Offered: offeredAll, Choice: of},
	})
}

// firstWords gives the first word of each item of a list.
func firstWords(list string) (all []string) {
	for _, one := range strings.Split(list, ", ") {
		word, _, _ := strings.Cut(one, " ")
		all = append(all, word)
	}
	return all
}

// offeredAll gives the units of all lists, with what stands before them left out.
func offeredAll(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		if _, list, ok := strings.Cut(line, ": "); ok {
			line = list
		}
		if line != "" {
			all = append(all, firstWords(line)...)
		}
	}
	return all
}

// usualOf is the value of the first key of the default, which is the first example.
func usualOf(n *orders.Node) *orders.Node {
	line, _ := orders.ParseNode([]byte(strings.TrimPrefix(rulestest.Examples(n)[0], "- ")))
	return line.Pairs[0].Value
}

// namedInBody gives the names in a list that has no comment: the default names all.
func namedInBody(_ engine.View, n *orders.Node) (all []string) {
	for _, item := range usualOf(n).Items {
		all = append(all, item.Text)
	}
	return all
}

func offeredBids(_ engine.View, n *orders.Node) []string {
	return slices.DeleteFunc(rulestest.Comments(n), func(line string) bool { return strings.HasPrefix(line, "standing: ") })
}

// offeredZones gives the towns of each army, which the letter of its units names.
func offeredZones(_ engine.View, n *orders.Node) (all []string) {
	letters := map[string]string{"french": "F", "anglo-dutch": "A", "prussian": "P"}
	for _, line := range strings.Split(n.Get("deploy").Above, "\n") {
		head, towns, _ := strings.Cut(line, ": ")
		who, _, _ := strings.Cut(head, ", ")
		for _, town := range strings.Split(towns, ", ") {
			all = append(all, letters[who]+" "+town)
		}
	}
	return all
}

// offeredRoads gives each unit with each town, and those that go far with the far towns.
func offeredRoads(_ engine.View, n *orders.Node) (all []string) {
	lines := rulestest.Comments(n)
	pairs := func(line, towns string, takes func(unit string) bool) {
		for _, unit := range strings.Split(line, ", ") {
			for _, town := range strings.Split(towns, ", ") {
				if takes(unit) && town != "" {
					id, _, _ := strings.Cut(unit, " ")
					all = append(all, id+" "+town)
				}
			}
		}
	}
	var exits []string
	for _, exit := range strings.Split(lines[1], ", ") {
		exits = append(exits, strings.TrimRight(exit, " 0123456789"))
	}
	pairs(lines[0], strings.Join(exits, ", "), func(string) bool { return true })
	for _, line := range lines[2:] {
		pairs(lines[0], strings.TrimPrefix(line, "cavalry, leader: "), func(unit string) bool {
			return strings.Contains(unit, "cavalry") || strings.Contains(unit, "leader")
		})
	}
	return all
}

// offeredPlaces gives each piece with each place.
func offeredPlaces(_ engine.View, n *orders.Node) (all []string) {
	for _, p := range usualOf(n).Pairs {
		for _, at := range strings.Split(rulestest.Comments(n)[0], ", ") {
			all = append(all, p.Key.Text+" "+at)
		}
	}
	return all
}

// offeredCorps gives the side's own units of the corps above a deployment.
func offeredCorps(view engine.View, n *orders.Node) (all []string) {
	v := view.(*View)
	for _, line := range rulestest.Comments(n) {
		if _, list, ok := strings.Cut(line, ": "); ok {
			for _, id := range firstWords(list) {
				if slices.ContainsFunc(v.units, func(u unit) bool { return v.own[u.army] && v.unitName(u.id) == id }) {
					all = append(all, id)
				}
			}
		}
	}
	return all
}

// offeredByTown gives the units of the lines TOWN, max N: units, each with the town.
func offeredByTown(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		head, units, some := strings.Cut(line, ": ")
		town, _, _ := strings.Cut(head, ", max ")
		if !some { // the road is full
			continue
		}
		for _, id := range firstWords(units) {
			all = append(all, id+" "+town)
		}
	}
	return all
}

// offeredActions gives what the examples of a battle turn say that each unit may do, and who
// may reinforce.
func offeredActions(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Comments(n) {
		head, list, ok := strings.Cut(line, ": ")
		if town, is := strings.CutPrefix(head, "reinforce "); is && ok {
			town, _, _ = strings.Cut(town, ", max ")
			for _, id := range firstWords(list) {
				all = append(all, id+" reinforce "+town)
			}
		}
	}
	for _, line := range n.Get("actions").Spare {
		entry, ok := strings.CutPrefix(line, "- ")
		if !ok {
			continue
		}
		made, _ := orders.ParseNode([]byte(entry))
		word, value := made.Pairs[0].Key.Text, made.Pairs[0].Value
		switch {
		case slices.ContainsFunc(joinedVerbs, func(one joinedVerb) bool { return one.verb == word }):
			// what other lines offer, in another word
		case value.Kind == orders.Scalar:
			all = append(all, value.Text+" "+word)
		case value.Kind == orders.List:
			all = append(all, value.Items[0].Text+" "+word)
		case word == "retreat":
			all = append(all, value.Pairs[0].Value.Items[0].Text+" retreat "+value.Pairs[0].Key.Text)
		default:
			who, how := value.Pairs[0].Value, value.Pairs[1].Value
			if who.Kind == orders.List {
				who = who.Items[0]
			}
			all = append(all, who.Text+" "+word+" "+strings.Trim(how.OneLine(), "[]"))
		}
	}
	return all
}

// actionTexts leaves out what a template does not list: keys of their own, who regroups
// after a victory, and a shot at the only group that there is, by its name.
func actionTexts(_ engine.View, c engine.Choice) []string {
	if c.Shown == "" {
		return nil
	}
	return []string{c.Of + " " + c.What}
}

// offeredRoutes gives the ways from each town to those one or two roads away.
func offeredRoutes(_ engine.View, n *orders.Node) (all []string) {
	from := ""
	for _, line := range rulestest.Examples(n) {
		if word, id, _ := strings.Cut(line[2:], ": "); word != "move" {
			all = append(all, id+" "+word)
		}
	}
	for _, line := range rulestest.Comments(n)[1:] {
		way, road := strings.CutPrefix(line, "  > ")
		way, _, _ = strings.Cut(way, " (")
		switch {
		case road:
			near, far, more := strings.Cut(way, " > ")
			if !more {
				near, far, more = strings.Cut(way, " >> ")
			}
			to := townOf(near)
			all = append(all, from+" > "+to)
			if more {
				for _, next := range strings.Split(far, ", ") {
					all = append(all, from+" > "+to+" > "+townOf(next))
				}
			}
		default:
			from, _, _ = strings.Cut(line, ": ")
		}
	}
	return all
}

// townOf is the town of TOWN max N ! N.
func townOf(reach string) string {
	town, _, _ := strings.Cut(reach, " max ")
	return town
}

// routeTexts is a march with where it begins. No template lists marches of three towns, nor
// those that come back.
func routeTexts(view engine.View, c engine.Choice) []string {
	v := view.(*View)
	i := slices.IndexFunc(v.units, func(u unit) bool { return v.own[u.army] && v.unitName(u.id) == c.Of })
	from, path := v.towns[v.units[i].town].name, strings.Split(c.What, goesOn)
	switch {
	case c.What == "reveal" || c.What == "night-march" || strings.HasPrefix(c.What, "forced "):
		return []string{c.Of + " " + c.What}
	case len(path) > 2 || path[len(path)-1] == from:
		return nil
	}
	return []string{from + " > " + strings.Join(path, " > ")}
}

// exampleMarches are the marches that a template shows, each for itself.
func exampleMarches(_ engine.View, n *orders.Node) (all []string) {
	for _, line := range rulestest.Examples(n) {
		if strings.HasPrefix(line, "- ") {
			all = append(all, line)
		}
	}
	return all
}
