package napoleon

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of a scenario file stand at its fields, far above any real one: a stranger's
// file must not make the program compute without end.
const (
	mostPoints  = 2000 // of one drawn line
	mostNumber  = 100  // any limit or loss
	mostTerrain = 8    // pieces (NAP-6.21)
	mostUnits   = 200
)

// A loader reads a scenario file.
type loader struct {
	play.Loader
	s    *scenario
	root *orders.Node
}

// readScenario reads a scenario file, strictly: every fault is reported with its
// line and column, and what is said twice (totals, neighbours) must agree.
func readScenario(data []byte) (*scenario, orders.Problems) {
	s := &scenario{townAt: map[string]townID{}, values: map[string]string{}, chart: new(chart), source: slices.Clone(data)}
	s.numbers.leadersCount = true
	faults := play.ReadScenario(data, func(r play.Loader, root *orders.Node) {
		if !r.Of(root, "napoleon") {
			return
		}
		scenarioCodec().Read(r.Reader, root, s, "ruleset")
		l := &loader{Loader: r, s: s, root: root}
		l.complete()
	})
	if len(faults) > 0 {
		return nil, faults
	}
	s.codec = s.newCodec()
	return s, nil
}

// scenarioCodec reads a scenario file.
func scenarioCodec() *play.Codec {
	c := play.NewScenarioCodec()
	c.Things(townID(0), play.Things{Kind: "town"})
	c.Things(unitID(0), play.Things{Kind: "unit"})
	c.Things(french, play.Things{Kind: "army", IDs: armyWords[:], Words: true})
	c.Things(frenchCamp, play.Things{Kind: "camp", IDs: campWords[:], Words: true})
	c.List(play.Things{Kind: "corps"})
	for kind, words := range map[string][]string{
		"edition": editions, "setup": setupWords, "placed": {"free", "at"}, "class": {"secondary", "main"},
		"label": {"north", "east", "south", "west"}, "part": {"morning", "midday", "evening", "night"},
		"nation": {"FR", "BR", "NE", "BK", "PR"}, "arm": {"leader", "infantry", "cavalry", "artillery"},
	} {
		c.List(play.Things{Kind: kind, IDs: words, Words: true})
	}
	return c
}

// complete works out what follows from what the file says, and judges what no single part
// of the file can judge. What needs a whole board comes last.
func (l *loader) complete() {
	s := l.s
	s.reading, s.turns, s.lines = readings[s.edition], s.track.list, s.borders
	for i := range s.towns {
		s.townAt[s.towns[i].id] = townID(i)
		s.pick = append(s.pick, orders.Choice{ID: s.towns[i].id, Names: s.towns[i].PosNames()[1:]})
	}
	l.net()
	l.turns()
	l.ranks()
	slices.SortFunc(s.setups, func(a, b setupDef) int { return slices.Index(setupWords, a.name) - slices.Index(setupWords, b.name) })
	for i := range s.setups {
		if s.setups[i].usual {
			s.values["setup"] = s.setups[i].name
		}
	}
	for i, c := range s.borders {
		if c.id != "border" && c.id != "deployment" {
			l.Refuse(play.At(l.root, "lines", c.id), "", phrase.Say("order.unknown-key", phrase.Literal("key", c.id), phrase.Literals("keys", []string{"border", "deployment"})))
		}
		s.borders[i].id = c.id
	}
	if n := l.root.Get("setups"); n != nil && n.Kind == orders.Map && len(s.setups) == 0 && len(l.Problems) == 0 {
		l.Refuse(n, "NAP-4.1", phrase.Say("order.want-map", phrase.Literals("keys", setupWords)))
	}
	if n := s.neighbours.Node; n != nil {
		l.neighbours(n)
	}
	l.options(s.chosen.Node)
	l.totals()
	l.figures()
	if len(l.Problems) == 0 {
		l.connected()
		l.deployable()
	}
}

// absent tells whether a value is left out, or null.
func absent(n *orders.Node) bool {
	return n == nil || n.Null || n.Kind == orders.Scalar && n.Text == "null"
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

// SettlePos implements [play.PosSettler].
func (t *turnDef) SettlePos(x *play.Scribe, at orders.Fields) {
	if !isDate(t.date) {
		x.Refuse(at.Get("date"), "", phrase.Say("nap.scenario-date"))
	}
}

// turns judges the turns one after the other (NAP-2.0): numbers, dates, camps.
func (l *loader) turns() {
	last := ""
	for i, t := range l.s.turns {
		at := func(key string) *orders.Node { return play.At(l.root, "turns", "list", strconv.Itoa(i), key) }
		if t.number != i+1 && l.Sound(at("turn")) {
			l.Refuse(at("turn"), "NAP-2.0", phrase.Say("nap.scenario-turn", phrase.Number("turn", i+1)))
		}
		if t.date < last && l.Sound(at("date")) {
			l.Refuse(at("date"), "NAP-2.0", phrase.Say("nap.scenario-date-order"))
		}
		if side := at("side"); t.camp != camp(i%2) && l.Sound(side) {
			l.Refuse(side, "NAP-2.0", phrase.Say("nap.scenario-turn-order"))
		}
		last = t.date
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

// SettlePos implements [play.PosSettler]: the pieces for battles (NAP-6.21, NAP-R21).
func (p *pieces) SettlePos(x *play.Scribe, at orders.Fields) {
	l := loader{Loader: play.Loader{Reader: x.Reader}, s: x.Whole.(*scenario)}
	for _, f := range []struct {
		n          *orders.Node
		have, want int
	}{
		{at.Get("total").Get("value"), p.total, mostTerrain},
		{at.Get("draw").Get("attacker"), p.draw.attacker, 1},
		{at.Get("draw").Get("defender"), p.draw.defender, 2},
	} {
		if f.n != nil && f.have != f.want {
			l.Refuse(f.n, "", phrase.Say("nap.scenario-fixed", phrase.Literal("want", strconv.Itoa(f.want))))
		}
	}
	for i, count := range []int{p.kinds.woods, p.kinds.farm, p.kinds.stream, p.kinds.hill} {
		l.s.terrain = append(l.s.terrain, slices.Repeat([]piece{wood + piece(i)}, count)...)
	}
	if len(l.s.terrain) != mostTerrain {
		l.Refuse(at.Get("kinds"), "NAP-R21", phrase.Say("nap.scenario-terrain", phrase.Number("n", len(l.s.terrain)), phrase.Number("want", mostTerrain)))
	}
}

// SettlePos implements [play.PosSettler].
func (s *setupDef) SettlePos(*play.Scribe, orders.Fields) {
	s.placed = [armies]bool{french: s.french, angloDutch: s.allied.angloDutch, prussian: s.allied.prussian}
}

// options reads what the scenario sets differently from the rules.
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
		if orders.Folds(c.ID, folded) || slices.ContainsFunc(c.Names, func(n string) bool { return orders.Folds(n, folded) }) {
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
