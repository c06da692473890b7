package waterloo

import (
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Page implements [engine.View]: the situation, the map, the battle under way,
// the hand, both armies, the cards that were used, and the standing orders. Everything
// is read from the view, and the text says all that the picture shows.
func (v *View) Page() engine.Page {
	p := sheet.Page{Page: engine.Page{Title: v.headline(), Stood: v.stood()}}
	p.Add(v.situationSection(), engine.Section{
		Heading: phrase.Say("wat.page.map"), Picture: v.mapScene(p.Title), Gist: v.stands(),
	})
	p.May(v.battleSection())
	p.May(v.handSection())
	for _, c := range v.campsInOrder() {
		p.Add(v.campSection(c))
	}
	p.Add(v.cardsSection())
	p.May(v.standingSection())
	p.Add(engine.Section{Heading: phrase.Say("wat.page.board"), Lines: v.groundLines(), Told: engine.Once})
	return p.Page
}

// campsInOrder gives the side's own camp first.
func (v *View) campsInOrder() [2]camp {
	if v.camp() == alliedCamp {
		return [2]camp{alliedCamp, frenchCamp}
	}
	return [2]camp{frenchCamp, alliedCamp}
}

// headline tells which turn it is and whose round.
func (v *View) headline() phrase.Phrase {
	turn, turns := phrase.Number("turn", v.Turn), phrase.Number("turns", v.length().turns)
	if v.outcome != nil {
		return phrase.Say("wat.page.title-over", phrase.Within("reason", v.outcome.Reason))
	}
	r := v.roundNow()
	if r == nil {
		return phrase.Say("wat.page.title-turn", turn, turns)
	}
	if r.Camp == alliedCamp && v.prussians() && r.Army != noArmy {
		return phrase.Say("wat.page.title-army", turn, turns, armyArg("army", r.Army))
	}
	return phrase.Say("wat.page.title-round", turn, turns, campArg("camp", r.Camp))
}

// situationSection tells how the turn stands, who holds what, what that is worth,
// and what is still to come.
func (v *View) situationSection() engine.Section {
	s := engine.Section{Heading: phrase.Say("wat.page.situation"), Told: engine.Changes}
	if r := v.roundNow(); r != nil && v.outcome == nil {
		s.Lines = append(s.Lines, phrase.Say("wat.page.played", campArg("camp", r.Camp),
			phrase.Number("n", r.Played), phrase.Number("limit", v.limit)))
		if r.Rights > 0 {
			s.Lines = append(s.Lines, phrase.Say("wat.page.right", phrase.Number("n", r.Rights)))
		}
		if lock := v.lock(); lock != noArmy && v.prussians() {
			s.Lines = append(s.Lines, phrase.Say("wat.page.lock", armyArg("army", lock)))
		}
	}
	if m := under[*moveFrame](v.game); m != nil && v.outcome == nil {
		args := []argument{v.cardArg("card", m.Card), phrase.Number("mp", m.MP)}
		if m.Unit != 0 {
			args = append(args, v.unitArg("unit", m.Unit))
		}
		s.Lines = append(s.Lines, phrase.Say("wat.page.moving", args...))
	}
	for i := range v.commanders {
		c := &v.commanders[i]
		value := v.options.commands[i+1]
		args := []argument{v.commanderArg("commander", commanderID(i+1)), phrase.Number("attack", value.attack), phrase.Number("defence", value.defence)}
		if at := v.Commanders[i+1].At; at != 0 {
			args = append(args, v.squareArg("square", at))
			if u := v.unitAt(at); u != 0 && v.campOf(u) == c.army.camp() {
				args = append(args, v.unitArg("unit", u))
			}
		}
		s.Lines = append(s.Lines, phrase.Say("wat.page.commander", args...))
	}
	s.Tables = append(s.Tables, v.objectivesTable())
	if v.length().prussians {
		s.Tables = append(s.Tables, v.pointsTable())
	} else {
		s.Lines = append(s.Lines, phrase.Say("wat.page.quick-goal"))
	}
	s.Tables = append(s.Tables, v.trackTable())
	if t, ok := v.reinforcementsTable(); ok {
		s.Tables = append(s.Tables, t)
	}
	return s
}

// objectivesTable lists victory squares and chateaux (WAT-3.2, WAT-10.4).
func (v *View) objectivesTable() engine.Table {
	t := engine.Table{Caption: phrase.Say("wat.page.objectives"), Head: []engine.Column{
		sheet.Words("wat.col.square"), sheet.Words("wat.col.held"), sheet.Words("wat.col.garrison"), sheet.Words("wat.col.cdp")}}
	full := v.length().prussians
	if full {
		t.Head = append(t.Head, sheet.Numbers("wat.col.french-points"), sheet.Numbers("wat.col.allied-points"))
	}
	row := func(at square, control camp, points *[camps]int) {
		r := []phrase.Value{sheet.Name("square", v.squareID(at)), sheet.Text("-"), {}, {}}
		if control != noCamp {
			r[1] = sheet.Name("camp", control.String())
		}
		if u := v.unitAt(at); u != 0 {
			r[2] = sheet.Name("unit", v.def(u).id)
		}
		if c, ok := v.chateauAt(at); ok {
			r[3] = sheet.Phrase("wat.page.of", phrase.Number("n", int(v.CDP[c])), phrase.Number("most", int(v.chateaux[c-1].cdp)))
		}
		if full {
			french, allied := sheet.Text("-"), sheet.Text("-")
			if points != nil {
				french, allied = sheet.Number(points[frenchCamp]), sheet.Number(points[alliedCamp])
			}
			r = append(r, french, allied)
		}
		t.Rows = append(t.Rows, r)
	}
	listed := map[square]bool{}
	for i := range v.objectives {
		if o := &v.objectives[i]; v.marked(objectiveID(i + 1)) {
			row(o.at, v.Control[i+1], &o.points)
			listed[o.at] = true
		}
	}
	for i := range v.chateaux {
		if c := &v.chateaux[i]; !listed[c.at] {
			row(c.at, noCamp, nil)
		}
	}
	return t
}

func (v *View) pointsTable() engine.Table {
	t := engine.Table{Quiet: true, Caption: phrase.Say("wat.page.points"), Head: []engine.Column{sheet.Words("wat.col.side"),
		sheet.Numbers("wat.col.for-squares"), sheet.Numbers("wat.col.for-units"), sheet.Numbers("wat.col.total")}}
	for _, c := range [2]camp{frenchCamp, alliedCamp} {
		squares, units := v.points(c)
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("camp", c.String()), sheet.Number(squares), sheet.Number(units), sheet.Number(squares + units)})
	}
	return t
}

// trackTable is the turn track with the cards that are dealt, the present turn in
// brackets.
func (v *View) trackTable() engine.Table {
	t := engine.Table{Quiet: true, Caption: phrase.Say("wat.page.track"), Head: []engine.Column{sheet.Words("wat.col.turn")}}
	var dealt [armies][]phrase.Value
	for a := french; a <= prussian; a++ {
		if a == prussian && !v.prussians() {
			continue
		}
		dealt[a] = []phrase.Value{sheet.Phrase("wat.page.cards-of", armyArg("army", a))}
	}
	for turn := 1; turn <= v.length().turns; turn++ {
		text := strconv.Itoa(turn)
		if turn == v.Turn && v.outcome == nil {
			text = "[" + text + "]"
		}
		t.Head = append(t.Head, engine.Column{Head: phrase.Say("wat.col.of-turn", phrase.Literal("turn", text)), Right: true})
		for a := range dealt {
			if dealt[a] != nil {
				n := 0
				if turn <= len(v.hands[a]) {
					n = v.hands[a][turn-1]
				}
				dealt[a] = append(dealt[a], sheet.Number(n))
			}
		}
	}
	for a := range dealt {
		if dealt[a] != nil {
			t.Rows = append(t.Rows, dealt[a])
		}
	}
	return t
}

// reinforcementsTable lists units that have not come yet (WAT-5.1), those that
// may come now first.
func (v *View) reinforcementsTable() (engine.Table, bool) {
	t := engine.Table{Quiet: true, Caption: phrase.Say("wat.page.reinforcements"), Head: []engine.Column{sheet.Numbers("wat.col.turn"),
		sheet.Words("wat.col.units"), sheet.Words("wat.col.enters")}}
	if !v.prussians() {
		return t, false
	}
	type group struct {
		turn    int
		entries string
		units   []string
		at      []phrase.Value
	}
	var groups []group
	for i := range v.roster {
		d := &v.roster[i]
		u := v.unit(unitID(i + 1))
		if d.arrives == 0 || u.At != 0 || u.Dead {
			continue
		}
		key := ""
		var at []phrase.Value
		for _, e := range d.entries {
			key += v.entries[e].id + " "
			at = append(at, sheet.Phrase("wat.page.entry", phrase.Literal("entry", v.entries[e].id), v.squareArg("square", v.entries[e].at)))
		}
		n := slices.IndexFunc(groups, func(x group) bool { return x.turn == d.arrives && x.entries == key })
		if n < 0 {
			n = len(groups)
			groups = append(groups, group{turn: d.arrives, entries: key, at: at})
		}
		groups[n].units = append(groups[n].units, d.id)
	}
	slices.SortStableFunc(groups, func(a, b group) int { return a.turn - b.turn })
	for _, x := range groups {
		units := make([]phrase.Value, len(x.units))
		for i, id := range x.units {
			units[i] = v.rosterValue(id)
		}
		t.Rows = append(t.Rows, []phrase.Value{sheet.Number(x.turn), sheet.List(units...), sheet.Phrase("wat.page.entries", sheet.Filled("entries", sheet.List(x.at...)))})
	}
	return t, len(t.Rows) > 0
}

// rosterValue tells of a unit that is not on the board: what it is and its value.
func (v *View) rosterValue(id string) phrase.Value {
	u, _ := v.unitNamed(id)
	return sheet.Phrase("wat.page.unit-brief", phrase.Name("unit", "unit", id), phrase.Name("arm", "arm", v.armWord(u)), phrase.Number("value", v.def(u).full))
}

// armWord is the arm of a unit, cavalry with its weight.
func (s *scenario) armWord(id unitID) string {
	switch d := s.def(id); {
	case d.arm == infantry:
		return "infantry"
	case d.weight == heavy:
		return "heavy-cavalry"
	}
	return "light-cavalry"
}

// groundLines say what the picture shows of the ground: terrain, walls, streams,
// bridges, ponds, entry squares. None of this changes, but a letter must be complete
// without its picture.
func (v *View) groundLines() []phrase.Phrase {
	var lines []phrase.Phrase
	lines = append(lines, phrase.Say("wat.page.grid", phrase.Literal("last", v.squareID(square(v.squares())))))
	for t := wood; t <= hill; t++ {
		var all []string
		for q := square(1); int(q) <= v.squares(); q++ {
			if v.terrain[q] == t {
				all = append(all, v.squareID(q))
			}
		}
		if len(all) > 0 {
			lines = append(lines, phrase.Say("wat.page.terrain", phrase.Name("terrain", "terrain", t.String()), phrase.Literals("squares", all)))
		}
	}
	for _, f := range [...]struct {
		word string
		has  func(edge) bool
	}{
		{"wall", func(e edge) bool { return e.has(wall) }},
		{"stream", func(e edge) bool { return e.has(stream) && !e.has(bridge) }},
		{"bridge", func(e edge) bool { return e.has(bridge) }},
		{"pond", func(e edge) bool { return e.has(pond) }},
	} {
		var all []string
		for q := square(1); int(q) <= v.squares(); q++ {
			for _, side := range [2]facing{south, east} {
				if n := v.next(q, side); n != 0 && f.has(v.edgeOf(q, side)) {
					all = append(all, v.squareID(q)+"/"+v.squareID(n))
				}
			}
		}
		if len(all) > 0 {
			lines = append(lines, phrase.Say("wat.page.edges", phrase.Name("edge", "edge", f.word), phrase.Literals("pairs", all)))
		}
	}
	return append(lines, v.roadLine()...)
}

// roadLine tells of the road edges that matter: those into squares that cost more to
// enter than a road does (WAT-8.10).
func (v *View) roadLine() []phrase.Phrase {
	var all []string
	for i := range v.objectives {
		q := v.objectives[i].at
		for _, side := range facingsAll {
			if n := v.next(q, side); n != 0 && v.edgeOf(q, side).has(road) && v.roadEntry(q) {
				all = append(all, v.squareID(n)+"/"+v.squareID(q))
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("wat.page.roads", phrase.Literals("pairs", all))}
}

// handSection lists the cards of the side's own hands with their uses at this
// moment, so that a player needs no printed cards.
func (v *View) handSection() (engine.Section, bool) {
	s := engine.Section{Heading: phrase.Say("wat.page.hand"), Gist: v.handLines()}
	if v.side == engine.GM {
		s.Heading = phrase.Say("wat.page.hands")
	}
	may := v.usesNow()
	for a := french; a <= prussian; a++ {
		if !v.seesHand(a) || a == prussian && !v.prussians() {
			continue
		}
		t := engine.Table{Caption: phrase.Say("wat.page.hand-of", armyArg("army", a), phrase.Number("n", len(v.Decks[a].Hand))), Head: []engine.Column{
			sheet.Words("wat.col.card"), sheet.Numbers("wat.col.mp"), sheet.Numbers("wat.col.bp"), sheet.Words("wat.col.action"), sheet.Words("wat.col.now")}}
		for _, c := range v.Decks[a].Hand {
			d := v.card(c)
			act := phrase.Value{}
			if d.action != noAction {
				act = sheet.Name("action", d.action.String())
			}
			var now phrase.Value
			if words := may[c]; len(words) > 0 {
				values := make([]phrase.Value, len(words))
				for i, u := range words {
					values[i] = sheet.Phrase("wat.use." + u)
				}
				now = sheet.Phrase("wat.page.uses", sheet.Filled("uses", sheet.List(values...)))
			}
			t.Rows = append(t.Rows, []phrase.Value{sheet.Text(d.id), sheet.Number(d.mp), sheet.Number(d.bp), act, now})
		}
		if len(t.Rows) == 0 {
			s.Lines = append(s.Lines, phrase.Say("wat.page.hand-empty", armyArg("army", a)))
			continue
		}
		s.Tables = append(s.Tables, t)
	}
	return s, len(s.Tables)+len(s.Lines) > 0
}

// seesHand tells whether the side sees the faces of an army's hand (WAT-R47).
func (v *View) seesHand(a army) bool {
	return v.own[a] || v.side != engine.GM && v.shared(a, armyOfSeat(v.side))
}

// campSection lists the units of a camp, with a table for each army.
func (v *View) campSection(c camp) engine.Section {
	s := engine.Section{Heading: phrase.Say("wat.page.units-of", campArg("camp", c)), Told: engine.Changes}
	for _, a := range v.armiesIn(c) {
		t := engine.Table{Caption: phrase.Say("wat.page.army", armyArg("army", a)), Head: []engine.Column{sheet.Words("wat.col.unit"),
			sheet.Words("wat.col.arm"), sheet.Words("wat.col.square"), sheet.Words("wat.col.faces"), sheet.Words("wat.col.strength"),
			sheet.Words("wat.col.state"), sheet.Quiet(sheet.Words("wat.col.notes"))}}
		var dead []phrase.Value
		for i := range v.roster {
			id := unitID(i + 1)
			if v.armyOf(id) != a {
				continue
			}
			u, d := v.unit(id), v.def(id)
			if u.Dead {
				dead = append(dead, sheet.Phrase("wat.page.dead", v.unitArg("unit", id), phrase.Number("value", d.full)))
			}
			if u.At == 0 {
				continue
			}
			arm := sheet.Name("arm", v.armWord(id))
			if d.elite {
				arm = sheet.Phrase("wat.page.elite", phrase.Name("arm", "arm", v.armWord(id)))
			}
			t.Rows = append(t.Rows, []phrase.Value{sheet.Name("unit", d.id), arm, v.placeValue(u.At), sheet.Name("facing", u.Face.String()),
				sheet.Text(strconv.Itoa(v.value(id)) + "/" + strconv.Itoa(d.full)), v.stateValue(id), v.notesValue(id)})
		}
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		} else {
			s.Lines = append(s.Lines, phrase.Say("wat.page.nobody", armyArg("army", a)))
		}
		if len(dead) > 0 {
			s.Lines = append(s.Lines, phrase.Say("wat.page.lost", armyArg("army", a), sheet.Filled("units", sheet.List(dead...))))
		}
	}
	return s
}

// placeValue is a square with its terrain, but without its name.
func (v *View) placeValue(q square) phrase.Value {
	args := []argument{phrase.Literal("square", v.squareID(q))}
	if t := v.terrain[q]; t != open {
		args = append(args, phrase.Name("terrain", "terrain", t.String()))
	}
	return sheet.Phrase("wat.page.place", args...)
}

// stateValue lists the marks of a unit that last.
func (v *View) stateValue(id unitID) phrase.Value {
	var all sheet.Notes
	u := v.unit(id)
	all.If(u.Reduced, "wat.note.reduced")
	all.If(u.Disordered, "wat.note.disordered")
	return all.Cell()
}

// notesValue lists the marks of a unit for this round, who is with it, and the enemies it
// has before it.
func (v *View) notesValue(id unitID) phrase.Value {
	var all sheet.Notes
	u := v.unit(id)
	all.If(u.Moved, "wat.note.moved")
	all.If(u.Reorganised, "wat.note.reorganised")
	all.If(u.Attacked, "wat.note.attacked")
	for _, c := range v.commandersAt(u.At) {
		all.Add(sheet.Name("commander", v.lead(c).id))
	}
	var before, beside []string
	for _, e := range v.beside(id) {
		if v.faces(id, v.unit(e).At) {
			before = append(before, v.def(e).id)
		} else {
			beside = append(beside, v.def(e).id)
		}
	}
	if len(before) > 0 {
		all.Add(sheet.Phrase("wat.note.before", phrase.Literals("units", before)))
	}
	if len(beside) > 0 {
		all.Add(sheet.Phrase("wat.note.beside", phrase.Literals("units", beside)))
	}
	return all.Cell()
}

// cardsSection tells what everybody may know of the decks (section 7).
func (v *View) cardsSection() engine.Section {
	s := engine.Section{Heading: phrase.Say("wat.page.cards"), Told: engine.Apart}
	t := engine.Table{Caption: phrase.Say("wat.page.decks"), Head: []engine.Column{sheet.Words("wat.col.army"), sheet.Numbers("wat.col.in-hand"),
		sheet.Numbers("wat.col.used"), sheet.Numbers("wat.col.undealt")}}
	for a := french; a <= prussian; a++ {
		if a == prussian && !v.prussians() {
			continue
		}
		d := &v.Decks[a]
		all := len(v.deckOf(a))
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("army", a.String()), sheet.Number(len(d.Hand)), sheet.Number(len(d.Used) + len(d.Committed)),
			sheet.Number(all - len(d.Hand) - len(d.Used) - len(d.Committed))})
		if len(d.Used) > 0 {
			s.Lines = append(s.Lines, phrase.Say("wat.page.used", armyArg("army", a), v.briefs(d.Used)))
		}
		if len(d.Committed) > 0 {
			s.Lines = append(s.Lines, phrase.Say("wat.page.committed", armyArg("army", a), v.briefs(d.Committed)))
		}
		if len(d.Shown) > 0 {
			s.Lines = append(s.Lines, phrase.Say("wat.page.shown", armyArg("army", a), v.briefs(d.Shown)))
		}
		unseen := v.unseen(a)
		switch {
		case len(unseen) == 0 || len(d.Hand) == 0 && !v.seesHand(a):
		case v.seesHand(a):
			s.Lines = append(s.Lines, phrase.Say("wat.page.not-dealt", armyArg("army", a), v.briefs(unseen)))
		default:
			s.Lines = append(s.Lines, phrase.Say("wat.page.unseen", armyArg("army", a), phrase.Number("n", len(d.Hand)), v.briefs(unseen)))
		}
	}
	s.Tables = append(s.Tables, t)
	return s
}

// briefs lists cards as "F11 4/2 artillery fire": MP, then BP.
func (v *View) briefs(cards []cardID) argument {
	values := make([]phrase.Value, len(cards))
	for i, c := range cards {
		d := v.card(c)
		args := []argument{phrase.Literal("card", d.id), phrase.Number("mp", d.mp), phrase.Number("bp", d.bp)}
		if d.action != noAction {
			args = append(args, phrase.Name("action", "action", d.action.String()))
		}
		values[i] = sheet.Phrase("wat.page.card-brief", args...)
	}
	return sheet.Filled("cards", sheet.List(values...))
}
