package napoleon

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
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

func (l *loader) towns(n *orders.Node) {
	for _, item := range l.items(n, mostTowns) {
		f := l.Noted(item, "id", "name", "aliases", "x", "y", "lat", "lon", "label", "zone", "supply", "big", "apart")
		if item.Kind != orders.Map {
			continue
		}
		t := town{id: l.Name(l.Require(f, "id")), name: l.Name(l.Require(f, "name")), label: "east", loss: -1}
		for _, alias := range l.List(f.Get("aliases")) {
			t.aliases = append(t.aliases, l.Name(alias))
		}
		t.x, _ = l.Int(l.Require(f, "x"), 0, 10000)
		t.y, _ = l.Int(l.Require(f, "y"), 0, 10000)
		if label := f.Get("label"); label != nil {
			t.label, _ = l.Word(label, "north", "east", "south", "west")
		}
		t.zone, _ = l.army(l.Require(f, "zone"))
		if supply := f.Get("supply"); !absent(supply) {
			t.supply, _ = l.army(supply)
			t.loss = 0 // edition_values must say how many
		}
		if apart := f.Get("apart"); apart != nil {
			t.apart, _ = l.Bool(apart)
		}
		for _, name := range append([]string{t.id, t.name}, t.aliases...) {
			if other, twice := l.s.townNamed(name); twice {
				l.Refuse(item, "", phrase.Say("nap.scenario-town-twice", phrase.Literal("name", name), phrase.Literal("town", l.s.towns[other].id)))
			}
		}
		l.s.townAt[t.id] = townID(len(l.s.towns))
		l.s.towns = append(l.s.towns, t)
		l.s.pick = append(l.s.pick, orders.Choice{ID: t.id, Names: append([]string{t.name}, t.aliases...)})
	}
}

func (l *loader) roads(n *orders.Node) {
	for _, item := range l.items(n, mostRoads) {
		f := l.Noted(item, "a", "b", "class", "river")
		if item.Kind != orders.Map {
			continue
		}
		a, okA := l.town(l.Require(f, "a"))
		b, okB := l.town(l.Require(f, "b"))
		class, okClass := l.Word(l.Require(f, "class"), "main", "secondary")
		if !okA || !okB || !okClass {
			continue
		}
		r := road{a: a, b: b, main: class == "main", river: !absent(f.Get("river"))}
		names := []phrase.Arg{phrase.Literal("a", l.s.towns[a].name), phrase.Literal("b", l.s.towns[b].name)}
		if a == b {
			l.Refuse(item, "", phrase.Say("nap.scenario-road-loop", names...))
			continue
		}
		if _, twice := l.s.roadBetween(a, b); twice {
			l.Refuse(item, "", phrase.Say("nap.scenario-road-twice", names...))
			continue
		}
		for _, end := range []townID{a, b} {
			if l.s.towns[end].apart {
				l.Refuse(item, "", phrase.Say("nap.scenario-apart", phrase.Literal("town", l.s.towns[end].name)))
			}
			l.s.towns[end].roads = append(l.s.towns[end].roads, len(l.s.roads))
		}
		l.s.roads = append(l.s.roads, r)
	}
}

// neighbours checks the list of neighbours against the roads.
func (l *loader) neighbours(n *orders.Node) {
	if n == nil || n.Kind != orders.Map {
		if n != nil {
			l.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
		}
		return
	}
	listed := make([]bool, len(l.s.towns))
	for _, p := range n.Pairs {
		a, ok := l.town(p.Key)
		if !ok {
			continue
		}
		listed[a] = true
		if p.Value.Kind != orders.Map {
			l.Refuse(p.Value, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{"TOWN"})))
			continue
		}
		count := 0
		for _, q := range p.Value.Pairs {
			b, ok := l.town(q.Key)
			if !ok {
				continue
			}
			code, _ := l.Text(q.Value)
			i, joined := l.s.roadBetween(a, b)
			if !joined || code != l.s.roads[i].code() {
				found := "-"
				if joined {
					found = l.s.roads[i].code()
				}
				l.Refuse(q.Key, "", phrase.Say("nap.scenario-neighbour", phrase.Literal("a", l.s.towns[a].name), phrase.Literal("b", l.s.towns[b].name),
					phrase.Literal("here", code), phrase.Literal("roads", found)))
				continue
			}
			count++
		}
		if count == len(p.Value.Pairs) && count != len(l.s.towns[a].roads) {
			l.Refuse(p.Key, "", phrase.Say("nap.scenario-neighbours", phrase.Literal("town", l.s.towns[a].name),
				phrase.Number("here", count), phrase.Number("roads", len(l.s.towns[a].roads))))
		}
	}
	for t, yes := range listed {
		if !yes && len(l.s.towns[t].roads) > 0 {
			l.Refuse(n, "", phrase.Say("nap.scenario-neighbours", phrase.Literal("town", l.s.towns[t].name),
				phrase.Number("here", 0), phrase.Number("roads", len(l.s.towns[t].roads))))
		}
	}
}

// code is how the neighbours write a road: M main, s secondary, ~ with a river.
func (r road) code() string {
	c := "s"
	if r.main {
		c = "M"
	}
	if r.river {
		c += "~"
	}
	return c
}

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

// courses reads what is only drawn.
func (l *loader) courses(rivers, lines *orders.Node) {
	if rivers != nil {
		for _, item := range l.items(rivers, mostLines) {
			f := l.Noted(item, "id", "name", "points")
			if item.Kind == orders.Map {
				l.s.rivers = append(l.s.rivers, l.course(l.Name(l.Require(f, "id")), f))
			}
		}
	}
	if lines == nil {
		return
	}
	f := l.Fields(lines, "border", "deployment")
	for _, id := range []string{"border", "deployment"} {
		if item := f.Get(id); item != nil {
			l.s.lines = append(l.s.lines, l.course(id, l.Noted(item, "name", "points")))
		}
	}
}

func (l *loader) course(id string, f orders.Fields) course {
	c := course{id: id, name: l.Title(f.Get("name"))}
	if f.Node.Kind != orders.Map {
		return c
	}
	for _, item := range l.items(l.Require(f, "points"), mostPoints) {
		if item.Kind != orders.List || len(item.Items) != 2 {
			l.Refuse(item, "", phrase.Say("nap.scenario-point"))
			continue
		}
		x, _ := l.Int(item.Items[0], 0, 10000)
		y, _ := l.Int(item.Items[1], 0, 10000)
		c.points = append(c.points, engine.Point{X: x, Y: y})
	}
	return c
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

// options reads what the scenario sets otherwise than the rules.
func (l *loader) options(n *orders.Node) {
	var seen []string
	for _, p := range play.Entries(l.Reader, n) {
		name := p.Key.Text
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
			l.Refuse(p.Key, "", phrase.Say("order.unknown-key", phrase.Literal("key", name), phrase.Literals("keys", names)))
			continue
		}
		if _, ok := l.Word(p.Value, optionDefs[i].Values...); ok {
			l.s.values[name] = value
		}
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

// connected checks that all towns but those apart hang together.
func (l *loader) connected(n *orders.Node) {
	reached := make([]bool, len(l.s.towns))
	var queue []townID
	for t := range l.s.towns {
		if !l.s.towns[t].apart {
			queue = append(queue, townID(t))
			reached[t] = true
			break
		}
	}
	for len(queue) > 0 {
		t := queue[0]
		queue = queue[1:]
		for _, r := range l.s.towns[t].roads {
			if next := l.s.roads[r].from(t); !reached[next] {
				reached[next] = true
				queue = append(queue, next)
			}
		}
	}
	var alone []string
	for t := range l.s.towns {
		if !reached[t] && !l.s.towns[t].apart {
			alone = append(alone, l.s.towns[t].name)
		}
	}
	if len(alone) > 0 {
		l.Refuse(n, "NAP-1.1", phrase.Say("nap.scenario-unconnected", phrase.Literals("towns", alone)))
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
