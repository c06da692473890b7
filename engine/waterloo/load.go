package waterloo

import (
	"slices"
	"strconv"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of a scenario file, far above any real one: a file from a stranger may
// not make the house compute without end.
const (
	mostRows    = 26
	mostColumns = 40
	mostUnits   = 200
	mostCards   = 200
	mostTurns   = 20
	mostValue   = 9   // of a unit, a commander or a card
	mostPoints  = 100 // victory or destruction points
	mostItems   = 2000
)

// A loader reads a scenario file.
type loader struct {
	play.Loader
	s       *scenario
	squares []orders.Choice
	ids     map[string]bool // of units, commanders and cards, folded
}

// readScenario reads a scenario file, strictly: every fault is reported with its
// line and column, and what is said twice must agree.
func readScenario(data []byte) (*scenario, orders.Problems) {
	l := &loader{
		s:   &scenario{values: map[string]string{}, chart: new(chart), source: slices.Clone(data)},
		ids: map[string]bool{},
	}
	faults := play.ReadScenario(data, func(r play.Loader, root *orders.Node) {
		l.Loader = r
		l.root(root)
	})
	if len(faults) > 0 {
		return nil, faults
	}
	l.s.codec = l.s.newCodec()
	return l.s, nil
}

func (l *loader) say(n *orders.Node, clause, code string, args ...argument) {
	l.Refuse(n, clause, phrase.Say(code, args...))
}

func (l *loader) root(root *orders.Node) {
	f := l.Noted(root, "ruleset", "scenario", "title", "reconstruction", "hints", "board", "terrain", "labels", "chateaux",
		"edges", "roads", "victory_squares", "entries", "scenarios", "hands", "limits", "commanders", "units",
		"reinforcements", "setup_variants", "markers", "decks", "options")
	if !play.OfRuleset(l.Reader, l.Require(f, "ruleset"), "waterloo") {
		return
	}
	l.s.name = l.Name(l.Require(f, "scenario"))
	l.s.title = l.Title(f.Get("title"))
	if !l.board(l.Require(f, "board")) {
		return
	}
	l.terrain(f.Get("terrain"))
	l.labels(f.Get("labels"))
	l.chateaux(l.Require(f, "chateaux"))
	l.edges(f.Get("edges"))
	l.roads(f.Get("roads"))
	l.entries(f.Get("entries"))
	l.lengths(l.Require(f, "scenarios"))
	l.objectives(l.Require(f, "victory_squares"))
	limits := l.Noted(l.Require(f, "limits"), "cards_per_round")
	l.s.limit, _ = l.Int(l.Require(limits, "cards_per_round"), 1, mostValue)
	l.commanders(l.Require(f, "commanders"))
	l.units(l.Require(f, "units"))
	l.reinforcements(f.Get("reinforcements"))
	l.setups(f.Get("setup_variants"))
	l.decks(l.Require(f, "decks"))
	l.hands(l.Require(f, "hands"))
	l.options(f.Get("options"))
}

// items reads a list of bounded length.
func (l *loader) items(n *orders.Node, most int) []*orders.Node {
	items := l.List(n)
	if len(items) > most {
		l.say(n, "", "play.position-long", phrase.Number("most", most))
		return nil
	}
	return items
}

// id reads an id that nothing else of its kind has.
func (l *loader) id(n *orders.Node, kind string) string {
	text := l.Name(n)
	if n == nil {
		return ""
	}
	key := kind + " " + orders.Fold(text)
	if orders.Fold(text) == "" || l.ids[key] {
		l.say(n, "", "wat.scenario-id-twice", phrase.Literal("id", text))
	}
	l.ids[key] = true
	return text
}

// board makes the grid (WAT-3.1): rows from north to south, columns from west to
// east.
func (l *loader) board(n *orders.Node) bool {
	f := l.Noted(n, "rows", "columns", "metres_per_square", "default_terrain")
	s := l.s
	for _, item := range l.items(l.Require(f, "rows"), mostRows) {
		row, ok := l.Text(item)
		if !ok || len(row) != 1 || row[0] < 'A' || row[0] > 'Z' || slices.Contains(s.rows, row) {
			l.say(item, "", "wat.scenario-row", phrase.Literal("row", row))
			return false
		}
		s.rows = append(s.rows, row)
	}
	columns, ok := l.Int(l.Require(f, "columns"), 2, mostColumns)
	if !ok || len(s.rows) < 2 {
		if ok {
			l.say(n, "", "wat.scenario-row", phrase.Literal("row", ""))
		}
		return false
	}
	s.columns = columns
	ground := l.word(f.Get("default_terrain"), terrainWords[:])
	count := s.squares()
	s.terrain, s.names, s.labels = make([]terrain, count+1), make([]string, count+1), make([]string, count+1)
	s.sides, s.near = make([][west + 1]edge, count+1), make([][west + 1]square, count+1)
	for i, row := range s.rows {
		for c := range columns {
			q := square(i*columns + c + 1)
			s.squareIDs = append(s.squareIDs, row+"-"+strconv.Itoa(c+1))
			s.terrain[q] = terrain(max(ground, 0))
			if i > 0 {
				s.near[q][north] = q - square(columns)
			}
			if i < len(s.rows)-1 {
				s.near[q][south] = q + square(columns)
			}
			if c > 0 {
				s.near[q][west] = q - 1
			}
			if c < columns-1 {
				s.near[q][east] = q + 1
			}
		}
	}
	for _, id := range s.squareIDs {
		l.squares = append(l.squares, orders.Choice{ID: id})
	}
	return true
}

// word reads one of a list of words and gives its index; -1 after a fault or if
// there is none.
func (l *loader) word(n *orders.Node, words []string) int {
	if n == nil {
		return -1
	}
	word, ok := l.Word(n, slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })...)
	if !ok {
		return -1
	}
	return slices.Index(words, word)
}

// square reads the id of a square.
func (l *loader) square(n *orders.Node) square {
	id, ok := l.Pick(n, "square", l.squares)
	if !ok {
		return 0
	}
	q, _ := l.s.squareNamed(id)
	return q
}

// bySquare reads a map with squares as its keys.
func (l *loader) bySquare(n *orders.Node, read func(q square, value *orders.Node)) {
	said := map[square]bool{}
	for _, p := range play.Entries(l.Reader, n) {
		q := l.square(p.Key)
		if q == 0 {
			continue
		}
		if said[q] {
			l.say(p.Key, "", "order.key-twice", phrase.Literal("key", p.Key.Text))
		}
		said[q] = true
		read(q, p.Value)
	}
}

func (l *loader) terrain(n *orders.Node) {
	l.bySquare(n, func(q square, value *orders.Node) {
		f := l.Noted(value, "terrain", "name")
		l.s.terrain[q] = terrain(max(l.word(l.Require(f, "terrain"), terrainWords[:]), 0))
		if name := f.Get("name"); name != nil {
			l.s.names[q] = l.Name(name)
		}
	})
}

func (l *loader) labels(n *orders.Node) {
	l.bySquare(n, func(q square, value *orders.Node) {
		f := l.Noted(value, "name")
		l.s.labels[q] = l.Name(l.Require(f, "name"))
	})
}

func (l *loader) chateaux(n *orders.Node) {
	for _, item := range l.items(n, mostItems) {
		f := l.Noted(item, "id", "sq", "name", "cdp")
		c := chateauDef{id: l.id(l.Require(f, "id"), "chateau"), at: l.square(l.Require(f, "sq"))}
		if c.name = c.id; f.Get("name") != nil {
			c.name = l.Name(f.Get("name"))
		}
		cdp, _ := l.Int(l.Require(f, "cdp"), 0, mostPoints)
		c.cdp = int8(cdp)
		if _, twice := l.s.chateauAt(c.at); c.at != 0 && (l.s.terrain[c.at] != chateau || twice) {
			l.say(item, "WAT-10.4", "wat.scenario-chateau", l.s.squareArg("square", c.at))
		}
		l.s.chateaux = append(l.s.chateaux, c)
	}
	for q := 1; q <= l.s.squares(); q++ {
		if _, ok := l.s.chateauAt(square(q)); l.s.terrain[q] == chateau && !ok {
			l.say(n, "WAT-10.4", "wat.scenario-chateau", l.s.squareArg("square", square(q)))
		}
	}
}

// pair reads two neighbouring squares.
func (l *loader) pair(n *orders.Node) (square, facing, bool) {
	items := l.List(n)
	if len(items) != 2 {
		l.say(n, "", "wat.scenario-pair")
		return 0, 0, false
	}
	a, b := l.square(items[0]), l.square(items[1])
	if a == 0 || b == 0 {
		return 0, 0, false
	}
	side, near := l.s.toward(a, b)
	if !near {
		l.say(n, "WAT-8.4", "wat.scenario-apart", l.s.squareArg("a", a), l.s.squareArg("b", b))
	}
	return a, side, near
}

// mark puts a feature on both sides of an edge.
func (s *scenario) mark(q square, side facing, feature edge) {
	s.sides[q][side] |= feature
	s.sides[s.near[q][side]][side.back()] |= feature
}

func (l *loader) edges(n *orders.Node) {
	kinds := []string{"wall", "stream", "pond"}
	features := []edge{wall, stream, pond}
	for _, item := range l.items(n, mostItems) {
		f := l.Noted(item, "between", "type", "bridge")
		q, side, ok := l.pair(l.Require(f, "between"))
		kind := l.word(l.Require(f, "type"), kinds)
		bridged := false
		if b := f.Get("bridge"); b != nil {
			bridged, _ = l.Bool(b)
			if bridged && kind != 1 {
				l.say(b, "", "wat.scenario-bridge")
			}
		}
		if !ok || kind < 0 {
			continue
		}
		l.s.mark(q, side, features[kind])
		if bridged {
			l.s.mark(q, side, bridge)
		}
	}
}

func (l *loader) roads(n *orders.Node) {
	for _, item := range l.items(n, mostItems) {
		f := l.Noted(item, "id", "path")
		l.id(l.Require(f, "id"), "road")
		var path []square
		for _, at := range l.items(l.Require(f, "path"), mostItems) {
			q := l.square(at)
			if q == 0 {
				continue
			}
			if len(path) > 0 {
				from := path[len(path)-1]
				side, near := l.s.toward(from, q)
				if !near {
					l.say(at, "WAT-8.4", "wat.scenario-apart", l.s.squareArg("a", from), l.s.squareArg("b", q))
					continue
				}
				l.s.mark(from, side, road)
			}
			path = append(path, q)
		}
		l.s.roads = append(l.s.roads, path)
	}
}

func (l *loader) entries(n *orders.Node) {
	for _, item := range l.items(n, mostItems) {
		f := l.Noted(item, "id", "sq")
		e := entryDef{id: l.id(l.Require(f, "id"), "entry"), at: l.square(l.Require(f, "sq"))}
		l.s.entries = append(l.s.entries, e)
	}
}

// entriesOf reads a list of entry squares by their letters.
func (l *loader) entriesOf(n *orders.Node) []int {
	var choices []orders.Choice
	for _, e := range l.s.entries {
		choices = append(choices, orders.Choice{ID: e.id})
	}
	var all []int
	for _, item := range l.items(n, mostItems) {
		if id, ok := l.Pick(item, "entry", choices); ok {
			i := slices.IndexFunc(l.s.entries, func(e entryDef) bool { return e.id == id })
			if !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
	}
	return all
}

func (l *loader) lengths(n *orders.Node) {
	if n == nil || n.Kind != orders.Map || len(n.Pairs) == 0 || len(n.Pairs) > mostValue {
		l.say(n, "WAT-1.4", "wat.scenario-lengths")
		return
	}
	for _, p := range n.Pairs {
		f := l.Noted(p.Value, "turns", "players", "prussians")
		d := lengthDef{id: l.id(p.Key, "length")}
		turns := l.List(l.Require(f, "turns"))
		if len(turns) == 2 {
			l.Int(turns[0], 1, 1)
			d.turns, _ = l.Int(turns[1], 1, mostTurns)
		} else if f.Get("turns") != nil {
			l.say(f.Get("turns"), "WAT-1.4", "wat.scenario-turns")
		}
		for _, item := range l.items(l.Require(f, "players"), 2) {
			if players, ok := l.Int(item, 2, 3); ok {
				d.players = append(d.players, players)
			}
		}
		d.prussians, _ = l.Bool(l.Require(f, "prussians"))
		if !d.prussians && slices.Contains(d.players, 3) {
			l.say(p.Value, "WAT-1.3", "wat.scenario-players")
		}
		l.s.lengths = append(l.s.lengths, d)
	}
}

func (l *loader) objectives(n *orders.Node) {
	for _, item := range l.items(n, mostPoints) {
		f := l.Noted(item, "id", "squares", "quick", "full", "start_control", "road_entry")
		o := objectiveDef{id: l.id(l.Require(f, "id"), "objective")}
		squares := l.List(l.Require(f, "squares"))
		if len(squares) == 1 {
			o.at = l.square(squares[0])
		} else if f.Get("squares") != nil {
			l.say(f.Get("squares"), "WAT-13.1", "wat.scenario-objective")
		}
		if o.at != 0 {
			o.chateau = l.s.terrain[o.at] == chateau
			if slices.ContainsFunc(l.s.objectives, func(other objectiveDef) bool { return other.at == o.at }) {
				l.say(item, "WAT-13.1", "wat.scenario-objective")
			}
		}
		o.quick, _ = l.Bool(l.Require(f, "quick"))
		if n := f.Get("road_entry"); n != nil {
			o.road, _ = l.Bool(n)
		}
		points := l.Noted(l.Require(f, "full"), campWords[1:]...)
		for c := frenchCamp; c <= alliedCamp; c++ {
			o.points[c], _ = l.Int(l.Require(points, c.String()), 0, mostPoints)
			o.full = o.full || o.points[c] > 0
		}
		o.control = camp(max(l.word(l.Require(f, "start_control"), campWords[:]), 0))
		l.s.objectives = append(l.s.objectives, o)
	}
}

func (l *loader) army(n *orders.Node) army { return army(max(l.word(n, armyWords[:]), 0)) }

// commanders must be two, of the French and of the Anglo-Allied army (WAT-12.1).
func (l *loader) commanders(n *orders.Node) {
	s := l.s
	for _, item := range l.items(n, 2) {
		f := l.Noted(item, "id", "name", "army", "sq", "attack", "defence")
		c := commanderDef{id: l.id(l.Require(f, "id"), "commander"), name: l.Name(l.Require(f, "name")), army: l.army(l.Require(f, "army")), at: l.square(f.Get("sq"))}
		c.attack, _ = l.Int(l.Require(f, "attack"), 0, mostValue)
		c.defence, _ = l.Int(l.Require(f, "defence"), 0, mostValue)
		s.commanders = append(s.commanders, c)
	}
	slices.SortStableFunc(s.commanders, func(a, b commanderDef) int { return int(a.army) - int(b.army) })
	if len(s.commanders) != 2 || s.commanders[0].army != french || s.commanders[1].army != anglo {
		l.say(n, "WAT-12.1", "wat.scenario-commanders")
	}
}

func (l *loader) units(n *orders.Node) {
	s := l.s
	at := map[square]bool{}
	items := l.items(n, mostUnits)
	var defs []unitDef
	for _, item := range items {
		f := l.Noted(item, "id", "army", "arm", "name", "corps", "full", "reduced", "elite", "weight", "sq", "face", "arrives", "entry")
		u := unitDef{id: l.id(l.Require(f, "id"), "unit"), army: l.army(l.Require(f, "army")), name: l.Name(l.Require(f, "name")), corps: l.Name(f.Get("corps"))}
		u.arm = arm(max(l.word(l.Require(f, "arm"), armWords[:]), 0))
		u.full, _ = l.Int(l.Require(f, "full"), 1, mostValue)
		if r := f.Get("reduced"); r != nil {
			u.reduced, _ = l.Int(r, 1, mostValue)
		}
		if u.full == 1 && u.reduced != 0 || u.reduced >= u.full && u.full > 0 && u.reduced != 0 {
			l.say(item, "WAT-9.36", "wat.scenario-reduced", phrase.Literal("unit", u.id))
		}
		if e := f.Get("elite"); e != nil {
			u.elite, _ = l.Bool(e)
		}
		if u.elite && u.army == prussian {
			l.say(item, "WAT-11.3", "wat.scenario-elite", phrase.Literal("unit", u.id))
		}
		if w := f.Get("weight"); w != nil {
			u.weight = weight(max(l.word(w, weightWords[:]), 0))
		}
		if (u.arm == cavalry) != (u.weight != 0) && u.arm != 0 {
			l.say(item, "WAT-11.4", "wat.scenario-weight", phrase.Literal("unit", u.id))
		}
		u.at = l.square(f.Get("sq"))
		u.face = facing(max(l.word(f.Get("face"), facingWords[:]), 0))
		if u.face == noFacing {
			if u.face = south; u.army == french { // WAT-3.1
				u.face = north
			} else if u.army == prussian {
				u.face = west
			}
		}
		if u.at != 0 && at[u.at] {
			l.say(f.Get("sq"), "WAT-8.9", "wat.scenario-place", phrase.Literal("unit", u.id), s.squareArg("square", u.at))
		}
		at[u.at] = true
		if a := f.Get("arrives"); a != nil {
			u.arrives, _ = l.Int(a, 1, mostTurns)
			u.entries = l.entriesOf(l.Require(f, "entry"))
		}
		if u.arrives > 0 && (u.at != 0 || u.army != prussian || len(u.entries) == 0) {
			l.say(item, "WAT-5.1", "wat.scenario-arrival", phrase.Literal("unit", u.id))
		}
		defs = append(defs, u)
	}
	slices.SortStableFunc(defs, func(a, b unitDef) int { return int(a.army) - int(b.army) })
	s.roster = defs
}

// unitNamed finds a unit by its id.
func (s *scenario) unitNamed(id string) (unitID, bool) {
	for i := range s.roster {
		if s.roster[i].id == id {
			return unitID(i + 1), true
		}
	}
	return 0, false
}

func (l *loader) unit(n *orders.Node) unitID {
	choices := make([]orders.Choice, len(l.s.roster))
	for i := range l.s.roster {
		choices[i].ID = l.s.roster[i].id
	}
	id, ok := l.Pick(n, "unit", choices)
	if !ok {
		return 0
	}
	u, _ := l.s.unitNamed(id)
	return u
}

// reinforcements say again what the units say; both must agree (WAT-5.1).
func (l *loader) reinforcements(n *orders.Node) {
	for _, item := range l.items(n, mostUnits) {
		f := l.Noted(item, "turn", "entry", "units")
		turn, ok := l.Int(l.Require(f, "turn"), 1, mostTurns)
		entries := l.entriesOf(l.Require(f, "entry"))
		for _, at := range l.items(l.Require(f, "units"), mostUnits) {
			if id := l.unit(at); id != 0 && ok {
				if u := l.s.def(id); u.arrives != turn || !slices.Equal(u.entries, entries) {
					l.say(at, "WAT-5.1", "wat.scenario-arrival", phrase.Literal("unit", u.id))
				}
			}
		}
	}
}

func (l *loader) setups(n *orders.Node) {
	s := l.s
	if n == nil {
		s.setups = []setupDef{{id: "standard"}}
		return
	}
	if n.Kind != orders.Map || len(n.Pairs) > mostValue {
		l.say(n, "WAT-3.1", "wat.scenario-setups")
		return
	}
	for _, p := range n.Pairs {
		f := l.Noted(p.Value, "default", "changes")
		d := setupDef{id: l.id(p.Key, "setup")}
		for _, item := range l.items(f.Get("changes"), mostUnits) {
			g := l.Noted(item, "unit", "sq", "face")
			d.changes = append(d.changes, setupChange{unit: l.unit(l.Require(g, "unit")), at: l.square(l.Require(g, "sq")),
				face: facing(max(l.word(g.Get("face"), facingWords[:]), 0))})
		}
		first, _ := l.Bool(f.Get("default"))
		if first {
			s.setups = slices.Insert(s.setups, 0, d)
		} else {
			s.setups = append(s.setups, d)
		}
		taken := map[square]bool{}
		for i := range s.roster {
			at := s.roster[i].at
			for _, c := range d.changes {
				if int(c.unit) == i+1 {
					at = c.at
				}
			}
			if at != 0 && taken[at] {
				l.say(p.Key, "WAT-8.9", "wat.scenario-place", phrase.Literal("unit", s.roster[i].id), s.squareArg("square", at))
			}
			taken[at] = true
		}
	}
	if len(s.setups) == 0 {
		l.say(n, "WAT-3.1", "wat.scenario-setups")
	}
}

// decks come in the order of the armies, whatever that of the file is.
func (l *loader) decks(n *orders.Node) {
	f := l.Noted(n, armyWords[1:]...)
	for a := french; a <= prussian; a++ {
		for _, item := range l.items(l.Require(f, a.String()), mostCards) {
			g := l.Noted(item, "id", "mp", "bp", "action")
			c := cardDef{id: l.id(l.Require(g, "id"), "card"), army: a}
			c.mp, _ = l.Int(l.Require(g, "mp"), 0, mostValue)
			c.bp, _ = l.Int(l.Require(g, "bp"), 0, mostValue)
			c.action = action(max(l.word(l.Require(g, "action"), actionWords[:]), 0))
			switch {
			case a == prussian && c.action == commandBonus:
				l.say(item, "WAT-11.2", "wat.scenario-card", phrase.Literal("card", c.id))
			case a == prussian && c.action == eliteBonus:
				l.say(item, "WAT-11.3", "wat.scenario-card", phrase.Literal("card", c.id))
			case a != anglo && c.action == napoleonsHealth:
				l.say(item, "WAT-11.7", "wat.scenario-card", phrase.Literal("card", c.id))
			}
			l.s.cards = append(l.s.cards, c)
		}
	}
}

// hands tells how many cards are dealt in each turn (WAT-4.2).
func (l *loader) hands(n *orders.Node) {
	f := l.Noted(n, armyWords[1:]...)
	turns := 0
	for _, d := range l.s.lengths {
		turns = max(turns, d.turns)
	}
	for a := french; a <= prussian; a++ {
		list := l.Require(f, a.String())
		size := len(l.s.deckOf(a))
		for _, item := range l.items(list, mostTurns) {
			if hand, ok := l.Int(item, 0, size); ok {
				l.s.hands[a] = append(l.s.hands[a], hand)
			}
		}
		if list != nil && len(l.List(list)) < turns {
			l.say(list, "WAT-4.2", "wat.scenario-hands", armyArg("army", a), phrase.Number("turns", turns))
		}
	}
}

// options are those that the scenario sets otherwise than the rules.
func (l *loader) options(n *orders.Node) {
	if n == nil || len(l.Problems) > 0 {
		return
	}
	values, ok := play.Texts(l.Reader, n)
	if !ok {
		return
	}
	if _, faults := l.s.menu().Read(values); len(faults) > 0 {
		for _, fault := range faults {
			l.RefuseWith(n, fault.Clause, fault.Why, fault.Remedy)
		}
		return
	}
	l.s.values = play.OptionNames(values)
}

// newCodec knows the ids of the scenario and all that a position holds.
func (s *scenario) newCodec() *play.Codec {
	c := play.NewCodec()
	var units, cards, chateaux, objectives, commanders []string
	var names [][]string
	for i := range s.roster {
		units, names = append(units, s.roster[i].id), append(names, []string{s.roster[i].name})
	}
	for i := range s.cards {
		cards = append(cards, s.cards[i].id)
	}
	for i := range s.chateaux {
		chateaux = append(chateaux, s.chateaux[i].id)
	}
	for i := range s.objectives {
		objectives = append(objectives, s.objectives[i].id)
	}
	for i := range s.commanders {
		commanders = append(commanders, s.commanders[i].id)
	}
	c.Things(unitID(0), play.Things{Kind: "unit", IDs: units, First: 1, Names: names})
	for _, t := range []struct {
		sample any
		kind   string
		ids    []string
	}{
		{square(0), "square", s.squareIDs}, {cardID(0), "card", cards}, {chateauID(0), "chateau", chateaux},
		{objectiveID(0), "objective", objectives}, {commanderID(0), "commander", commanders},
		{noArmy, "army", armyWords[1:]}, {noCamp, "camp", campWords[1:]}, {noFacing, "facing", facingWords[1:]},
		{noAction, "action", actionWords[1:]}, {asBattle, "use", useWords[1:]}, {window(0), "window", windowWords[1:]},
		{byMove, "entry-kind", entryWords[1:]}, {battleCommitting, "battle-stage", battleStageWords[1:]},
		{turnDeal, "turn-stage", turnStageWords[1:]}, {roundOpening, "round-stage", roundStageWords[1:]},
		{entryCommander, "entry-stage", entryStageWords[1:]}, {reactionAsk, "reaction", reactionWords[1:]},
	} {
		c.Things(t.sample, play.Things{Kind: t.kind, IDs: t.ids, First: 1})
	}
	c.Union((*frame)(nil), frameKinds)
	return c
}
