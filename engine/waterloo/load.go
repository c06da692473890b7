package waterloo

import (
	"slices"
	"strconv"

	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A loader judges as a whole what a scenario file says. Bounds stand at the fields, far
// above any real file: a stranger's file must not make the program compute without end.
type loader struct {
	play.Loader
	s    *scenario
	root *orders.Node
}

// readScenario reads a scenario file, strictly: every fault is reported with its
// line and column, and what is said twice must agree.
func readScenario(data []byte) (*scenario, orders.Problems) {
	s := &scenario{values: map[string]string{}, chart: new(chart), source: slices.Clone(data)}
	faults := play.ReadScenario(data, func(r play.Loader, root *orders.Node) {
		if !r.Of(root, "waterloo") {
			return
		}
		c := scenarioCodec()
		var grid struct {
			board board `pos:"board,required"`
		}
		c.Read(r.Reader, play.Only(root, "board"), &grid)
		if len(r.Problems) > 0 {
			return // it is not known which squares there are
		}
		s.lay(&grid.board)
		c.Things(square(0), play.Things{Kind: "square", IDs: s.squareIDs, First: 1})
		c.Read(r.Reader, root, s, "ruleset", "board")
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
	for _, w := range []struct {
		sample any
		kind   string
		words  []string
		first  int
	}{
		{noArmy, "army", armyWords[1:], 1}, {noCamp, "camp", campWords[1:], 1}, {noFacing, "facing", facingWords[1:], 1},
		{noAction, "action", actionWords[:], 0}, {open, "terrain", terrainWords[:], 0},
		{arm(0), "arm", armWords[1:], 1}, {weight(0), "weight", weightWords[1:], 1},
	} {
		c.Things(w.sample, play.Things{Kind: w.kind, IDs: w.words, First: w.first, Words: true})
	}
	c.List(play.Things{Kind: "edge", IDs: []string{"wall", "stream", "pond"}, Words: true})
	for _, kind := range []string{"chateau", "road", "entry", "objective", "commander", "unit"} {
		c.List(play.Things{Kind: kind})
	}
	return c
}

// SettlePos implements [play.PosSettler]: rows are letters, each once.
func (b *board) SettlePos(x *play.Scribe, at orders.Fields) {
	for i, row := range b.rows {
		if len(row) != 1 || row[0] < 'A' || row[0] > 'Z' || slices.Contains(b.rows[:i], row) {
			x.Refuse(play.At(at.Get("rows"), strconv.Itoa(i)), "", phrase.Say("wat.scenario-row", phrase.Literal("row", row)))
		}
	}
}

// lay makes the grid (WAT-3.1): rows from north to south, columns from west to east.
func (s *scenario) lay(b *board) {
	s.rows, s.columns = b.rows, b.columns
	count := s.squares()
	s.terrain, s.names, s.labels = slices.Repeat([]terrain{b.ground}, count+1), make([]string, count+1), make([]string, count+1)
	s.sides, s.near = make([][west + 1]edge, count+1), make([][west + 1]square, count+1)
	for i, row := range s.rows {
		for c := range s.columns {
			q := square(i*s.columns + c + 1)
			s.squareIDs = append(s.squareIDs, row+"-"+strconv.Itoa(c+1))
			if i > 0 {
				s.near[q][north] = q - square(s.columns)
			}
			if i < len(s.rows)-1 {
				s.near[q][south] = q + square(s.columns)
			}
			if c > 0 {
				s.near[q][west] = q - 1
			}
			if c < s.columns-1 {
				s.near[q][east] = q + 1
			}
		}
	}
}

func (l *loader) say(n *orders.Node, clause, code string, args ...argument) {
	l.Refuse(n, clause, phrase.Say(code, args...))
}

// at finds an item of one of the lists of the file.
func (l *loader) at(list string, i int, keys ...string) *orders.Node {
	return play.At(l.root, append([]string{list, strconv.Itoa(i)}, keys...)...)
}

// complete works out what follows from what the file says, and judges what no single part
// of the file can judge.
func (l *loader) complete() {
	s := l.s
	for q, g := range s.grounds {
		if g != nil {
			s.terrain[q], s.names[q] = g.terrain, g.name
		}
	}
	for q, name := range s.labelled {
		s.labels[q] = name.name
	}
	for _, r := range s.tracks {
		s.roads = append(s.roads, r.path)
	}
	l.chateaux()
	l.objectives()
	l.places()
	slices.SortStableFunc(s.commanders, func(a, b commanderDef) int { return int(a.army) - int(b.army) })
	if n := l.root.Get("commanders"); n != nil && (len(s.commanders) != 2 || s.commanders[0].army != french || s.commanders[1].army != anglo) {
		l.say(n, "WAT-12.1", "wat.scenario-commanders") // of the French and of the Anglo-Allied army
	}
	slices.SortStableFunc(s.roster, func(a, b unitDef) int { return int(a.army) - int(b.army) })
	l.arrivals()
	l.setups()
	l.decks()
	l.hands()
	if n := l.root.Get("scenarios"); n != nil && (len(s.lengths) == 0 || len(s.lengths) > 9) && len(l.Problems) == 0 {
		l.say(n, "WAT-1.4", "wat.scenario-lengths")
	}
	l.options()
}

// chateaux are the squares of that terrain, each once.
func (l *loader) chateaux() {
	s := l.s
	for i := range s.chateaux {
		c := &s.chateaux[i]
		if c.name == "" {
			c.name = c.id
		}
		if first, _ := s.chateauAt(c.at); c.at != 0 && (s.terrain[c.at] != chateau || int(first) != i+1) {
			l.say(l.at("chateaux", i), "WAT-10.4", "wat.scenario-chateau", s.squareArg("square", c.at))
		}
	}
	for q := square(1); int(q) <= s.squares(); q++ {
		if _, ok := s.chateauAt(q); s.terrain[q] == chateau && !ok {
			l.say(l.root.Get("chateaux"), "WAT-10.4", "wat.scenario-chateau", s.squareArg("square", q))
		}
	}
}

// mark puts a feature on both sides of an edge.
func (s *scenario) mark(q square, side facing, feature edge) {
	s.sides[q][side] |= feature
	s.sides[s.near[q][side]][side.back()] |= feature
}

// SettlePos implements [play.PosSettler].
func (e *edgeDef) SettlePos(x *play.Scribe, at orders.Fields) {
	l := loader{Loader: play.Loader{Reader: x.Reader}, s: x.Whole.(*scenario)}
	features := [...]edge{wall, stream, pond}
	if e.bridge && features[e.kind] != stream {
		l.say(at.Get("bridge"), "", "wat.scenario-bridge")
	}
	if len(e.between) != 2 {
		l.say(at.Get("between"), "", "wat.scenario-pair")
		return
	}
	side, near := l.s.toward(e.between[0], e.between[1])
	if !near {
		l.say(at.Get("between"), "WAT-8.4", "wat.scenario-apart", l.s.squareArg("a", e.between[0]), l.s.squareArg("b", e.between[1]))
		return
	}
	l.s.mark(e.between[0], side, features[e.kind])
	if e.bridge {
		l.s.mark(e.between[0], side, bridge)
	}
}

// SettlePos implements [play.PosSettler].
func (r *roadDef) SettlePos(x *play.Scribe, at orders.Fields) {
	l := loader{Loader: play.Loader{Reader: x.Reader}, s: x.Whole.(*scenario)}
	for i := 1; i < len(r.path); i++ {
		from, to := r.path[i-1], r.path[i]
		side, near := l.s.toward(from, to)
		if !near {
			l.say(play.At(at.Get("path"), strconv.Itoa(i)), "WAT-8.4", "wat.scenario-apart", l.s.squareArg("a", from), l.s.squareArg("b", to))
			continue
		}
		l.s.mark(from, side, road)
	}
}

// SettlePos implements [play.PosSettler].
func (d *lengthDef) SettlePos(x *play.Scribe, at orders.Fields) {
	l := loader{Loader: play.Loader{Reader: x.Reader}}
	if len(d.span) != 2 {
		l.say(at.Get("turns"), "WAT-1.4", "wat.scenario-turns")
		return
	}
	if d.span[0] != 1 {
		x.Int(play.At(at.Get("turns"), "0"), 1, 1)
	}
	d.turns = d.span[1]
	if !d.prussians && slices.Contains(d.players, 3) {
		l.say(at.Node, "WAT-1.3", "wat.scenario-players")
	}
}

// objectives stand on a square each, no two on one.
func (l *loader) objectives() {
	s := l.s
	for i := range s.objectives {
		o := &s.objectives[i]
		if n := l.at("victory_squares", i, "squares"); len(o.squares) == 1 {
			o.at = o.squares[0]
		} else if n.Kind == orders.List {
			l.say(n, "WAT-13.1", "wat.scenario-objective")
		}
		if o.at != 0 {
			o.chateau = s.terrain[o.at] == chateau
			if slices.ContainsFunc(s.objectives[:i], func(other objectiveDef) bool { return other.at == o.at }) {
				l.say(l.at("victory_squares", i), "WAT-13.1", "wat.scenario-objective")
			}
		}
		for _, points := range o.points {
			o.full = o.full || points > 0
		}
	}
}

// SettlePos implements [play.PosSettler].
func (u *unitDef) SettlePos(x *play.Scribe, at orders.Fields) {
	l := loader{Loader: play.Loader{Reader: x.Reader}}
	wrong := func(is bool, clause, code string) {
		if is {
			l.say(at.Node, clause, code, phrase.Literal("unit", u.id))
		}
	}
	if u.arrives > 0 {
		x.Require(at, "entry")
	} else {
		u.entries = nil
	}
	u.entries = once(u.entries)
	wrong(u.reduced >= u.full && u.reduced != 0, "WAT-9.36", "wat.scenario-reduced")
	wrong(u.elite && u.army == prussian, "WAT-11.3", "wat.scenario-elite")
	wrong((u.arm == cavalry) != (u.weight != 0), "WAT-11.4", "wat.scenario-weight")
	wrong(u.arrives > 0 && (u.at != 0 || u.army != prussian || len(u.entries) == 0), "WAT-5.1", "wat.scenario-arrival")
	if u.face == noFacing { // WAT-3.1
		u.face = [...]facing{french: north, anglo: south, prussian: west}[u.army]
	}
}

// once gives a list without repetitions.
func once(list []int) []int {
	var all []int
	for _, n := range list {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// places are taken by one unit each (WAT-8.9).
func (l *loader) places() {
	taken := map[square]bool{}
	for i, u := range l.s.roster {
		if u.at != 0 && taken[u.at] {
			l.say(l.at("units", i, "sq"), "WAT-8.9", "wat.scenario-place", phrase.Literal("unit", u.id), l.s.squareArg("square", u.at))
		}
		taken[u.at] = true
	}
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

// arrivals checks that units and turns say the same about reinforcements (WAT-5.1).
func (l *loader) arrivals() {
	for i, r := range l.s.reinforcements {
		for j, name := range r.units {
			id, ok := l.s.unitNamed(name)
			if n := l.at("reinforcements", i, "units", strconv.Itoa(j)); ok && r.turn > 0 && (l.s.def(id).arrives != r.turn || !slices.Equal(l.s.def(id).entries, once(r.entries))) {
				l.say(n, "WAT-5.1", "wat.scenario-arrival", phrase.Literal("unit", name))
			}
		}
	}
}

// setups checks that each variant leaves each unit a square of its own; the default is the first.
func (l *loader) setups() {
	s, n := l.s, l.root.Get("setup_variants")
	if n == nil || n.Null {
		s.setups = []setupDef{{id: "standard"}}
		return
	}
	if len(n.Pairs) == 0 || len(n.Pairs) > 9 {
		l.say(n, "WAT-3.1", "wat.scenario-setups")
	}
	for _, d := range s.setups {
		for i := range d.changes {
			d.changes[i].unit, _ = s.unitNamed(d.changes[i].name)
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
				l.say(play.At(n, d.id), "WAT-8.9", "wat.scenario-place", phrase.Literal("unit", s.roster[i].id), s.squareArg("square", at))
			}
			taken[at] = true
		}
	}
	slices.SortStableFunc(s.setups, func(a, b setupDef) int {
		switch {
		case a.first == b.first:
			return 0
		case a.first:
			return -1
		}
		return 1
	})
}

// decks puts the decks in the order of the armies, whatever their order in the file.
func (l *loader) decks() {
	said := map[string]bool{}
	for a := french; a <= prussian; a++ {
		for i, c := range l.s.decks[a] {
			n := play.At(l.root, "decks", a.String(), strconv.Itoa(i))
			if folded := orders.Fold(c.id); folded != "" && said[folded] {
				l.say(n, "", "play.twice", phrase.Literal("name", c.id))
			} else {
				said[folded] = true
			}
			switch {
			case a == prussian && c.action == commandBonus:
				l.say(n, "WAT-11.2", "wat.scenario-card", phrase.Literal("card", c.id))
			case a == prussian && c.action == eliteBonus:
				l.say(n, "WAT-11.3", "wat.scenario-card", phrase.Literal("card", c.id))
			case a != anglo && c.action == napoleonsHealth:
				l.say(n, "WAT-11.7", "wat.scenario-card", phrase.Literal("card", c.id))
			}
			c.army = a
			l.s.cards = append(l.s.cards, c)
		}
	}
}

// hands tells how many cards are dealt in each turn (WAT-4.2).
func (l *loader) hands() {
	turns := 0
	for _, d := range l.s.lengths {
		turns = max(turns, d.turns)
	}
	for a := french; a <= prussian; a++ {
		n := l.root.Get("hands").Get(a.String())
		for i, hand := range l.s.hands[a] {
			if size := len(l.s.deckOf(a)); hand > size {
				l.Int(play.At(n, strconv.Itoa(i)), 0, size)
			}
		}
		if n != nil && len(l.List(n)) < turns {
			l.say(n, "WAT-4.2", "wat.scenario-hands", armyArg("army", a), phrase.Number("turns", turns))
		}
	}
}

// options reads the options that the scenario sets differently from the rules.
func (l *loader) options() {
	n := l.s.chosen.Node
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

// newCodec makes a codec that knows the ids of the scenario and everything that a position holds.
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
