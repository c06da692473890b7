package napoleon

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of a scenario file, far above any real one: a file from a stranger may
// not make the house compute without end.
const (
	mostTowns   = 400
	mostRoads   = 1200
	mostUnits   = 200
	mostTurns   = 200
	mostCorps   = 100
	mostPoints  = 2000 // of one drawn line
	mostLines   = 200
	mostNumber  = 100 // any limit or loss
	mostTerrain = 8   // pieces (NAP-6.21)
)

// A loader reads a scenario file.
type loader struct {
	play.Loader
	s       *scenario
	corpsAt map[string]int
	armies  []orders.Choice
	corpses []orders.Choice
	places  []*orders.Node // where each unit's "at" stands
	ids     []*orders.Node // where each unit stands
}

// readScenario reads a scenario file, strictly: every fault is reported with its
// line and column, and what is said twice (totals, neighbours) must agree.
func readScenario(data []byte) (*scenario, orders.Problems) {
	l := &loader{
		s:       &scenario{townAt: map[string]townID{}, values: map[string]string{}, chart: new(chart), source: slices.Clone(data)},
		corpsAt: map[string]int{},
	}
	for _, a := range armyWords {
		l.armies = append(l.armies, orders.Choice{ID: a})
	}
	faults := play.ReadScenario(data, func(r play.Loader, root *orders.Node) {
		l.Loader = r
		l.file(root)
	})
	if len(faults) > 0 {
		return nil, faults
	}
	l.s.codec = l.s.newCodec()
	return l.s, nil
}

func (l *loader) file(root *orders.Node) {
	f := l.Fields(root, "ruleset", "edition", "scenario", "title", "reconstruction",
		"edition_values", "terrain_markers", "square_markers", "hints", "lines", "rivers", "towns", "roads",
		"neighbours", "turns", "corps", "units", "setups", "options", "totals", "rulings", "uncertain")
	if !play.OfRuleset(l.Reader, l.Require(f, "ruleset"), "napoleon") {
		return
	}
	l.s.edition, _ = l.Word(l.Require(f, "edition"), editions...)
	l.s.reading = readings[l.s.edition]
	l.s.name = l.Name(l.Require(f, "scenario"))
	l.s.title = l.Title(f.Get("title"))
	l.towns(l.Require(f, "towns"))
	l.roads(l.Require(f, "roads"))
	l.neighbours(f.Get("neighbours"))
	l.corps(l.Require(f, "corps"))
	l.turns(l.Require(f, "turns"))
	l.values(l.Require(f, "edition_values"))
	l.units(l.Require(f, "units"))
	l.fatal(f.Get("edition_values"))
	l.terrain(l.Require(f, "terrain_markers"))
	l.courses(f.Get("rivers"), f.Get("lines"))
	l.setups(l.Require(f, "setups"))
	l.options(f.Get("options"))
	l.totals(f.Get("totals"))
	if len(l.Problems) == 0 { // what follows needs a whole board
		l.connected(f.Get("roads"))
		l.deployable(f.Get("units"))
	}
}

// absent tells whether a value is left out, or null.
func absent(n *orders.Node) bool {
	return n == nil || n.Null || n.Kind == orders.Scalar && n.Text == "null"
}

// items reads a list of at least one and at most so many items.
func (l *loader) items(n *orders.Node, most int) []*orders.Node {
	if n == nil {
		return nil
	}
	if n.Kind != orders.List || len(n.Items) == 0 || len(n.Items) > most {
		l.Refuse(n, "", phrase.Say("nap.scenario-list", phrase.Number("most", most)))
		return nil
	}
	return n.Items
}

// town reads the name of a town.
func (l *loader) town(n *orders.Node) (townID, bool) {
	if n == nil {
		return noTown, false
	}
	return l.s.pickTown(l.Reader, n)
}

// army reads the name of an army.
func (l *loader) army(n *orders.Node) (army, bool) {
	if n == nil {
		return 0, false
	}
	word, ok := l.Word(n, armyWords[:]...)
	a, _ := armyNamed(word)
	return a, ok
}

// number reads a figure.
func (l *loader) number(n *orders.Node, low int) int {
	v, _ := l.Int(n, low, mostNumber)
	return v
}

func (l *loader) turns(n *orders.Node) {
	f := l.Noted(n, "track", "check", "list")
	if n == nil || n.Kind != orders.Map {
		return
	}
	var last turnDef
	for i, item := range l.items(l.Require(f, "list"), mostTurns) {
		f := l.Noted(item, "turn", "date", "part", "side", "night")
		if item.Kind != orders.Map {
			continue
		}
		if n := l.Require(f, "turn"); n != nil && n.Text != strconv.Itoa(i+1) {
			l.Refuse(n, "NAP-2.0", phrase.Say("nap.scenario-turn", phrase.Number("turn", i+1)))
		}
		var t turnDef
		date := l.Require(f, "date")
		t.date, _ = l.Text(date)
		if date != nil && !isDate(t.date) {
			l.Refuse(date, "", phrase.Say("nap.scenario-date"))
		} else if t.date < last.date {
			l.Refuse(date, "NAP-2.0", phrase.Say("nap.scenario-date-order"))
		}
		t.part, _ = l.Word(l.Require(f, "part"), "morning", "midday", "evening", "night")
		side := l.Require(f, "side")
		word, ok := l.Word(side, campWords[:]...)
		t.camp, _ = campNamed(word)
		if ok && t.camp != camp(i%2) {
			l.Refuse(side, "NAP-2.0", phrase.Say("nap.scenario-turn-order"))
		}
		t.night, _ = l.Bool(l.Require(f, "night"))
		l.s.turns = append(l.s.turns, t)
		last = t
	}
}

// isDate tells whether a text is a date as 1815-06-16.
func isDate(text string) bool {
	if len(text) != len("1815-06-16") || text[4] != '-' || text[7] != '-' {
		return false
	}
	month, err := strconv.ParseUint(text[5:7], 10, 8)
	day, err2 := strconv.ParseUint(text[8:], 10, 8)
	_, err3 := strconv.ParseUint(text[:4], 10, 16)
	return err == nil && err2 == nil && err3 == nil && month >= 1 && month <= 12 && day >= 1 && day <= 31
}

// terrain reads the pieces for battles (NAP-6.21, NAP-R21).
func (l *loader) terrain(n *orders.Node) {
	f := l.Noted(n, "total", "draw", "kinds")
	if n == nil || n.Kind != orders.Map {
		return
	}
	if total := f.Get("total"); total != nil {
		l.fixed(l.Require(l.Noted(total, "value"), "value"), strconv.Itoa(mostTerrain))
	}
	if draw := f.Get("draw"); draw != nil {
		g := l.Noted(draw, "attacker", "defender")
		l.fixed(g.Get("attacker"), "1")
		l.fixed(g.Get("defender"), "2")
	}
	kinds := l.Require(f, "kinds")
	g := l.Noted(kinds, "woods", "farm", "stream", "hill")
	if kinds == nil || kinds.Kind != orders.Map {
		return
	}
	for p, key := range []string{"woods", "farm", "stream", "hill"} {
		count, _ := l.Int(l.Require(g, key), 0, mostTerrain)
		for range count {
			l.s.terrain = append(l.s.terrain, wood+piece(p))
		}
	}
	if len(l.s.terrain) != mostTerrain {
		l.Refuse(kinds, "NAP-R21", phrase.Say("nap.scenario-terrain", phrase.Number("n", len(l.s.terrain)), phrase.Number("want", mostTerrain)))
	}
}

// options reads what the scenario sets otherwise than the rules.
func (l *loader) options(n *orders.Node) {
	var seen []string
	for _, p := range play.Entries(l.Reader, n) {
		name := play.OptionName(p.Key.Text)
		value, ok := l.Text(p.Value)
		if slices.Contains(seen, name) {
			l.Refuse(p.Key, "", phrase.Say("order.key-twice", phrase.Literal("key", name)))
		}
		seen = append(seen, name)
		if !ok {
			continue
		}
		if place, isZone := strings.CutSuffix(name, zoneSuffix); isZone {
			t, there := l.s.townAt[place]
			if !there {
				l.Refuse(p.Key, "", phrase.Say("order.unknown-town", phrase.Literal("name", place)))
			} else if a, ok := l.army(p.Value); ok && a != l.s.towns[t].zone {
				l.Refuse(p.Value, "NAP-4.1", phrase.Say("nap.scenario-zone-option", phrase.Literal("town", place), phrase.Literal("zone", armyWords[l.s.towns[t].zone])))
			}
			l.s.values[name] = value
			continue
		}
		i := slices.IndexFunc(optionDefs, func(d play.Option[options]) bool { return d.Name == name })
		if i < 0 {
			var names []string
			for _, d := range optionDefs {
				names = append(names, d.Name)
			}
			l.Refuse(p.Key, "", phrase.Say("order.unknown-key", phrase.Literal("key", p.Key.Text), phrase.Literals("keys", names)))
			continue
		}
		if _, ok := l.Word(p.Value, optionDefs[i].Values...); ok {
			l.s.values[name] = value
		}
	}
}

// townNamed finds a town by id or any of its names.
func (s *scenario) townNamed(name string) (townID, bool) {
	if t, ok := s.townAt[name]; ok {
		return t, true
	}
	folded := orders.Fold(name)
	for t, c := range s.pick {
		if orders.Fold(c.ID) == folded || slices.ContainsFunc(c.Names, func(n string) bool { return orders.Fold(n) == folded }) {
			return townID(t), true
		}
	}
	return noTown, false
}

// pickTown reads a town of an order file.
func (s *scenario) pickTown(r *orders.Reader, n *orders.Node) (townID, bool) {
	id, ok := r.Pick(n, "town", s.pick)
	if !ok {
		return noTown, false
	}
	return s.townAt[id], true
}

// setup finds a way of setting up by its name.
func (s *scenario) setup(name string) (setupDef, bool) {
	for _, d := range s.setups {
		if d.name == name {
			return d, true
		}
	}
	return setupDef{}, false
}
