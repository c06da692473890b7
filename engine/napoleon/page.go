package napoleon

import (
	"cmp"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Page implements [engine.View]: the state of the campaign, the map, the battles, the
// side's own units, and what it knows of the enemy's units. Everything is read from the
// view.
func (v *View) Page() engine.Page {
	p := sheet.Page{Page: engine.Page{Title: v.headline()}}
	p.May(v.bidSection())
	p.Add(v.campaignSections()...)
	p.Add(engine.Section{
		Heading: phrase.Say("nap.page.map"), Picture: v.mapScene(p.Title), Gist: v.ways(),
	})
	for i := range v.battles {
		if b := &v.battles[i]; b.stage != finished {
			p.Add(v.battleSection(b))
		}
	}
	p.Add(v.ownSection())
	p.May(v.standingSection())
	p.May(v.allySection())
	if v.side != engine.GM {
		p.Add(v.enemySection())
	}
	p.May(v.lostSection())
	return p.Page
}

// headline tells when it is and whose turn.
func (v *View) headline() phrase.Phrase {
	switch {
	case v.outcome != nil:
		return phrase.Say("nap.page.title-over", phrase.Within("reason", v.outcome.Reason))
	case v.phase == bidding:
		return phrase.Say("nap.page.title-bid")
	case v.phase == handicapping:
		return phrase.Say("nap.page.title-handicap")
	case v.phase == deployAllied:
		return phrase.Say("nap.page.title-deploy", phrase.Name("camp", "camp", campWords[alliedCamp]))
	case v.phase == deployFrench:
		return phrase.Say("nap.page.title-deploy", phrase.Name("camp", "camp", campWords[frenchCamp]))
	case v.turn >= len(v.turns):
		return phrase.Say("nap.page.title-end")
	}
	t := &v.turns[v.turn]
	return phrase.Say("nap.page.title", phrase.Number("turn", v.turn+1), phrase.Name("date", "date", t.date),
		phrase.Name("part", "part", t.part), phrase.Name("camp", "camp", campWords[t.camp]))
}

// campaignSections tell how near the end is: losses against the limits of
// defeat, who holds the cities, the turn track.
func (v *View) campaignSections() []engine.Section {
	when := engine.Section{Heading: phrase.Say("nap.page.campaign"), Told: engine.Apart} // the title says it, and who is ahead
	if v.outcome == nil && v.turn < len(v.turns) && v.phase >= movement {
		t := &v.turns[v.turn]
		when.Lines = append(when.Lines, phrase.Say("nap.page.phase-"+phaseWords[v.phase], phrase.Name("camp", "camp", campWords[t.camp])))
		if t.night {
			when.Lines = append(when.Lines, phrase.Say("nap.page.night"))
		}
	}
	s := engine.Section{Heading: phrase.Say("nap.page.forces"), Told: engine.Changes, Tables: []engine.Table{v.armiesTable()}}
	if t, ok := v.citiesTable(); ok {
		s.Tables = append(s.Tables, t)
		if n := &v.numbers; n.cityWinTurn >= 0 && n.cityWinNeed > 0 && n.cityWinTurn < len(v.turns) {
			when.Lines = append(when.Lines, phrase.Say("nap.page.city-win", phrase.Number("turn", n.cityWinTurn+1),
				phrase.Number("n", n.cityWinNeed), v.citiesArg(), phrase.Name("camp", "camp", campWords[frenchCamp])))
		}
	}
	s.Tables = append(s.Tables, v.trackTable())
	if t, ok := v.roadsTable(); ok {
		s.Tables = append(s.Tables, t)
	}
	return []engine.Section{when, s}
}

// armiesTable counts what each army has lost and may move. What it has lost stands in each report, in
// [View.Progress].
func (v *View) armiesTable() engine.Table {
	t := engine.Table{Caption: phrase.Say("nap.page.armies"), Head: []engine.Column{sheet.Words("nap.col.army"),
		sheet.Quiet(sheet.Numbers("nap.col.lost")), sheet.Numbers("nap.col.limit"), sheet.Quiet(sheet.Numbers("nap.col.in-play")), sheet.Numbers("nap.col.moves")}}
	var all [armies]int
	for i := range v.roster {
		all[v.roster[i].army]++
	}
	for a := range all {
		if all[a] == 0 {
			continue
		}
		in := sheet.Number(max(0, all[a]-v.losses[a]))
		if v.defeated[a] {
			in = sheet.Phrase("nap.page.defeated")
		}
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("army", armyWords[a]), sheet.Number(v.losses[a]),
			sheet.Number(v.numbers.defeat[a]), in, sheet.Number(v.numbers.groupMoves[a])})
	}
	return t
}

// citiesTable lists cities and supply towns (NAP-9.0, NAP-10.3).
func (v *View) citiesTable() (engine.Table, bool) {
	t := engine.Table{Caption: phrase.Say("nap.page.cities"), Head: []engine.Column{sheet.Words("nap.col.city"),
		sheet.Words("nap.col.supplies"), sheet.Numbers("nap.col.supply-loss"), sheet.Words("nap.col.held")}}
	for i := range v.towns {
		town := &v.towns[i]
		if !town.city && town.loss <= 0 {
			continue
		}
		row := []phrase.Value{sheet.Name("town", town.id), {}, {}, sheet.Phrase("nap.page.nobody")}
		if town.loss > 0 {
			row[1], row[2] = sheet.Name("army", armyWords[town.supply]), sheet.Number(town.loss)
		}
		french, allied := v.blocks(townID(i), frenchCamp) > 0, v.blocks(townID(i), alliedCamp) > 0
		switch {
		case french && allied:
			row[3] = sheet.Phrase("nap.page.fought-over")
		case french:
			row[3] = sheet.Name("camp", campWords[frenchCamp])
		case allied:
			row[3] = sheet.Name("camp", campWords[alliedCamp])
		}
		t.Rows = append(t.Rows, row)
	}
	return t, len(t.Rows) > 0
}

// trackTable is the turn track: one row for each day, with the present turn in brackets.
func (v *View) trackTable() engine.Table {
	days, parts := v.calendar()
	t := engine.Table{Quiet: true, Caption: phrase.Say("nap.page.track"), Head: []engine.Column{sheet.Words("nap.col.day")}}
	for _, part := range parts {
		t.Head = append(t.Head, engine.Column{Head: phrase.Say("nap.page.of-part", phrase.Name("part", "part", part))})
	}
	for _, day := range days {
		row := make([]phrase.Value, 1+len(parts))
		row[0] = sheet.Name("date", day)
		t.Rows = append(t.Rows, row)
	}
	for i := range v.turns {
		turn := &v.turns[i]
		text := strconv.Itoa(i+1) + " F"
		if turn.camp == alliedCamp {
			text = strconv.Itoa(i+1) + " A"
		}
		if i == v.turn && v.phase >= movement {
			text = "[" + text + "]"
		}
		at := &t.Rows[slices.Index(days, turn.date)][1+slices.Index(parts, turn.part)]
		if at.Text != "" { // both camps may have a turn in the same part of a day
			text = at.Text + ", " + text
		}
		*at = sheet.Text(text)
	}
	return t
}

// roadsTable lists the roads that units marched on in this turn (NAP-5.4).
func (v *View) roadsTable() (engine.Table, bool) {
	t := engine.Table{Quiet: true, Caption: phrase.Say("nap.page.roads"), Head: []engine.Column{sheet.Words("nap.col.road"),
		sheet.Numbers("nap.col.used"), sheet.Numbers("nap.col.road-limit")}}
	for i, n := range v.roadUse {
		if n == 0 || i >= len(v.roads) {
			continue
		}
		t.Rows = append(t.Rows, []phrase.Value{v.roadName(i), sheet.Number(int(n)), sheet.Number(v.numbers.road.of(v.roads[i]))})
	}
	return t, len(t.Rows) > 0
}

// roadName tells a road by its ends.
func (v *View) roadName(i int) phrase.Value {
	r := &v.roads[i]
	return sheet.Phrase("nap.page.road", phrase.Name("a", "town", v.towns[r.a].id), phrase.Name("b", "town", v.towns[r.b].id))
}

// byTown orders towns as tables list them: by id, those on no town last.
func (v *View) byTown(a, b townID) int {
	switch {
	case a == b:
		return 0
	case a == noTown:
		return 1
	case b == noTown:
		return -1
	}
	return cmp.Compare(v.towns[a].id, v.towns[b].id)
}

// ownSection lists the side's own units, with a table for each army.
func (v *View) ownSection() engine.Section {
	s := engine.Section{Heading: phrase.Say("nap.page.own"), Told: engine.Changes}
	for a := range v.sees {
		if !v.sees[a] {
			continue
		}
		var units []*unit
		for i := range v.units {
			if u := &v.units[i]; u.army == army(a) && !u.dead {
				units = append(units, u)
			}
		}
		if len(units) == 0 {
			continue
		}
		slices.SortStableFunc(units, func(x, y *unit) int {
			return cmp.Or(v.byTown(x.town, y.town), cmp.Compare(x.id, y.id))
		})
		t := engine.Table{Caption: phrase.Say("nap.page.of-army", phrase.Name("army", "army", armyWords[a])), Head: []engine.Column{
			sheet.Words("nap.col.town"), sheet.Words("nap.col.unit"), sheet.Quiet(sheet.Words("nap.col.kind")), sheet.Words("nap.col.strength"),
			sheet.Words("nap.col.state"), sheet.Quiet(sheet.Words("nap.col.corps")), sheet.Quiet(sheet.Words("nap.col.notes"))}}
		t.Rows = make([][]phrase.Value, 0, len(units))
		for i, u := range units {
			var where phrase.Value // only at the first unit of a town
			if u.town == noTown {
				if i == 0 || units[i-1].town != noTown {
					where = sheet.Phrase("nap.page.undeployed")
				}
			} else if i == 0 || units[i-1].town != u.town {
				where = sheet.Name("town", v.towns[u.town].id)
			}
			def := v.def(u)
			var corps phrase.Value
			if def.corps >= 0 && def.corps < len(v.corps) {
				corps = sheet.Name("corps", v.corps[def.corps].id)
			}
			t.Rows = append(t.Rows, []phrase.Value{where, sheet.Name("unit", def.id), sheet.Name("kind", kindWords[u.kind]),
				sheet.Text(strconv.Itoa(int(u.strength)) + "/" + strconv.Itoa(int(def.strength)) + " F" + strconv.Itoa(int(u.fire))), disruption(u), corps, v.notes(u, true)})
		}
		s.Tables = append(s.Tables, t)
	}
	if len(s.Tables) == 0 {
		s.Lines = append(s.Lines, phrase.Say("nap.page.none-left"))
	}
	return s
}

// disruption tells whether a unit is disrupted.
func disruption(u *unit) phrase.Value {
	if u.disrupted {
		return sheet.Phrase("nap.note.disrupted")
	}
	return phrase.Value{}
}

// notes lists the flags of a unit that matter to a reader. Those of a turn on the map are
// listed only where the map is.
func (v *View) notes(u *unit, onMap bool) phrase.Value {
	var all sheet.Notes
	all.If(u.moved && onMap, "nap.note.moved")
	all.If(u.forced && onMap, "nap.note.forced")
	all.If(u.disrupted && !onMap, "nap.note.disrupted")
	if onMap {
		all.If(u.town != noTown && v.battleIn(u.town) != nil, "nap.note.in-battle")
	} else {
		all.If(u.square, "nap.note.square")
		if u.shelter != noUnit {
			all.Add(sheet.Phrase("nap.note.sheltered", phrase.Name("unit", "unit", v.unitName(u.shelter))))
		}
		all.If(u.holds == farm, "nap.note.farm")
		all.If(u.holds == hill, "nap.note.hill")
		all.If(u.shock, "nap.note.shock")
		all.If(u.salvo, "nap.note.salvo")
		all.If(u.spent, "nap.note.spent")
		all.If(u.fired, "nap.note.fired")
		if u.steps > 0 {
			all.Add(sheet.Phrase("nap.note.steps", phrase.Number("n", int(u.steps))))
		}
	}
	return all.Cell()
}

// enemySection tells what the side knows of the enemy: blocks by town, and
// units as they were last seen.
func (v *View) enemySection() engine.Section {
	s := engine.Section{Heading: phrase.Say("nap.page.enemy"), Told: engine.Changes}
	enemy := v.camp().enemy()
	if blocks := v.blocksTable("nap.page.enemy-blocks", func(a army) bool { return a.camp() == enemy }); len(blocks.Rows) > 0 {
		s.Tables = append(s.Tables, blocks)
	} else {
		s.Lines = append(s.Lines, phrase.Say("nap.page.no-enemy"))
	}
	if t, ok := v.inSightTable(); ok {
		s.Tables = append(s.Tables, t)
	}
	if t, ok := v.sightingsTable(); ok {
		s.Tables = append(s.Tables, t)
	}
	return s
}

// allySection tells what the side knows of an ally from whom it is apart
// (NAP-R57).
func (v *View) allySection() (engine.Section, bool) {
	s := engine.Section{Heading: phrase.Say("nap.page.ally"), Told: engine.Changes}
	if !v.apart() || v.side == engine.GM || v.camp() != alliedCamp {
		return s, false
	}
	blocks := v.blocksTable("nap.page.ally-blocks", func(a army) bool { return a != french && !v.own[a] })
	s.Tables = append(s.Tables, blocks)
	return s, len(blocks.Rows) > 0
}

// blocksTable counts the blocks of some armies by town.
func (v *View) blocksTable(caption string, of func(army) bool) engine.Table {
	blocks := engine.Table{Caption: phrase.Say(caption), Head: []engine.Column{
		sheet.Words("nap.col.town"), sheet.Words("nap.col.army"), sheet.Numbers("nap.col.blocks"), sheet.Words("nap.col.notes")}}
	type tally struct{ n, disrupted int }
	counts := make([][armies]tally, len(v.towns))
	for i := range v.units {
		u := &v.units[i]
		if u.dead || u.town == noTown || !of(u.army) {
			continue
		}
		counts[u.town][u.army].n++
		if u.disrupted {
			counts[u.town][u.army].disrupted++
		}
	}
	towns := make([]townID, 0, len(v.towns))
	for t := range v.towns {
		if counts[t] != [armies]tally{} {
			towns = append(towns, townID(t))
		}
	}
	slices.SortFunc(towns, v.byTown)
	for _, t := range towns {
		where := sheet.Name("town", v.towns[t].id)
		for a, c := range counts[t] {
			if c.n == 0 {
				continue
			}
			var notes sheet.Notes
			if c.disrupted > 0 {
				notes.Add(sheet.Phrase("nap.note.n-disrupted", phrase.Number("n", c.disrupted)))
			}
			blocks.Rows = append(blocks.Rows, []phrase.Value{where, sheet.Name("army", armyWords[a]), sheet.Number(c.n), notes.Cell()})
			where = phrase.Value{}
		}
	}
	return blocks
}

// inSightTable lists enemy units that are seen now.
func (v *View) inSightTable() (engine.Table, bool) {
	t := engine.Table{Caption: phrase.Say("nap.page.in-sight"), Head: []engine.Column{sheet.Words("nap.col.town"), sheet.Words("nap.col.unit"),
		sheet.Quiet(sheet.Words("nap.col.kind")), sheet.Words("nap.col.strength")}}
	var seen []*unit
	for i := range v.units {
		if u := &v.units[i]; u.id != noUnit && !u.dead && u.town != noTown && u.army.camp() != v.camp() {
			seen = append(seen, u)
		}
	}
	slices.SortStableFunc(seen, func(x, y *unit) int {
		return cmp.Or(v.byTown(x.town, y.town), cmp.Compare(v.unitName(x.id), v.unitName(y.id)))
	})
	for i, u := range seen {
		var where phrase.Value
		if i == 0 || seen[i-1].town != u.town {
			where = sheet.Name("town", v.towns[u.town].id)
		}
		t.Rows = append(t.Rows, []phrase.Value{where, sheet.Name("unit", v.unitName(u.id)), sheet.Name("kind", kindWords[u.kind]),
			sheet.Text(strconv.Itoa(int(u.strength)) + " F" + strconv.Itoa(int(u.fire)))})
	}
	return t, len(t.Rows) > 0
}

// sightingsTable lists enemy units that were seen and are hidden again.
func (v *View) sightingsTable() (engine.Table, bool) {
	t := engine.Table{Quiet: true, Caption: phrase.Say("nap.page.sightings"), Head: []engine.Column{sheet.Words("nap.col.unit"), sheet.Words("nap.col.kind"),
		sheet.Numbers("nap.col.strength-then"), sheet.Words("nap.col.fire"), sheet.Words("nap.col.seen-at"), sheet.Words("nap.col.seen-when")}}
	for _, seen := range v.seen[v.camp()] {
		if u := v.unit(seen.unit); u != nil { // eliminated, or in sight now
			continue
		}
		def := &v.roster[seen.unit]
		var where, when phrase.Value
		if seen.town != noTown {
			where = sheet.Name("town", v.towns[seen.town].id)
		}
		if seen.turn >= 0 && seen.turn < len(v.turns) {
			when = sheet.Phrase("nap.page.when", phrase.Number("turn", seen.turn+1), phrase.Name("date", "date", v.turns[seen.turn].date),
				phrase.Name("part", "part", v.turns[seen.turn].part))
		}
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("unit", def.id), sheet.Name("kind", kindWords[v.options.kindOf(def)]),
			sheet.Text(strconv.Itoa(int(seen.strength)) + "/" + strconv.Itoa(int(def.strength))), sheet.Text("F" + strconv.Itoa(int(v.options.fireOf(def)))), where, when})
	}
	return t, len(t.Rows) > 0
}

// lostSection lists eliminated units, which everyone knows (NAP-R55).
func (v *View) lostSection() (engine.Section, bool) {
	s := engine.Section{Heading: phrase.Say("nap.page.lost"), Told: engine.Changes}
	t := engine.Table{Caption: phrase.Say("nap.page.lost-units"), Head: []engine.Column{sheet.Words("nap.col.army"), sheet.Words("nap.col.unit")}}
	for a := range armyWords {
		var ids []unitID
		for i := range v.units {
			if u := &v.units[i]; u.dead && u.id != noUnit && u.army == army(a) {
				ids = append(ids, u.id)
			}
		}
		slices.Sort(ids)
		for i, id := range ids {
			var of phrase.Value // only at the first unit of an army
			if i == 0 {
				of = sheet.Name("army", armyWords[a])
			}
			t.Rows = append(t.Rows, []phrase.Value{of, sheet.Name("unit", v.unitName(id))})
		}
	}
	s.Tables = []engine.Table{t}
	return s, len(t.Rows) > 0
}

// battleTitle tells of a battle where it stands.
func (v *View) battleTitle(b *battle) phrase.Phrase {
	town := phrase.Name("town", "town", v.towns[b.town].id)
	switch {
	case b.skirmish && v.numbers.minAttack > 0:
		return phrase.Say("nap.page.forced-retreat", town)
	case b.skirmish:
		return phrase.Say("nap.page.skirmish", town)
	case b.number == 0:
		return phrase.Say("nap.page.battle", town)
	}
	return phrase.Say("nap.page.battle-turn", town, phrase.Number("n", b.number), phrase.Name("camp", "camp", campWords[b.acting]))
}

// battleSection tells of one battle: who fights, where they came from, the
// board, and what stands on each field.
func (v *View) battleSection(b *battle) engine.Section {
	s := engine.Section{Heading: v.battleTitle(b)}
	below, above := v.boardSides(b)
	s.Lines = append(s.Lines, phrase.Say("nap.page.sides",
		phrase.Name("attacker", "camp", campWords[b.attacker]), phrase.Number("attackers", v.blocks(b.town, b.attacker)),
		phrase.Name("defender", "camp", campWords[b.attacker.enemy()]), phrase.Number("defenders", v.blocks(b.town, b.attacker.enemy()))))
	if len(b.entries) > 0 {
		from := make([]string, len(b.entries))
		for i, t := range b.entries {
			from[i] = v.towns[t].id
		}
		slices.Sort(from)
		s.Lines = append(s.Lines, phrase.Say("nap.page.entries", phrase.Names("towns", "town", from)))
	}
	switch {
	case b.stalemate:
		s.Lines = append(s.Lines, phrase.Say("nap.page.stalemate"))
	case b.idle > 0:
		s.Lines = append(s.Lines, phrase.Say("nap.page.idle", phrase.Number("n", b.idle)))
	}
	if len(b.drawn) > 0 {
		s.Lines = append(s.Lines, phrase.Say("nap.page.drawn", phrase.NamesOf("pieces", "terrain", b.drawn, piece.String)))
	}
	for _, use := range b.roadUse {
		if use.n > 0 && use.road < len(v.roads) {
			s.Lines = append(s.Lines, phrase.Say("nap.page.retreat-road", sheet.Filled("road", v.roadName(use.road)),
				phrase.Number("n", int(use.n)), phrase.Number("limit", v.leaveLimit(b, use.road))))
		}
	}
	if b.skirmish {
		s.Tables, s.Gist = append(s.Tables, v.skirmishTable(b)), append(slices.Clone(s.Lines[:1]), v.skirmishLines(b)...)
		return s
	}
	s.Picture = v.boardScene(b)
	s.Gist = append(slices.Clone(s.Lines[:1]), v.boardLines(b, below, above)...)
	t := engine.Table{Caption: phrase.Say("nap.page.board"), Head: []engine.Column{sheet.Words("nap.col.position"), sheet.Words("nap.col.terrain"),
		{Head: phrase.Say("nap.page.of-camp", phrase.Name("camp", "camp", campWords[below]))},
		{Head: phrase.Say("nap.page.of-camp", phrase.Name("camp", "camp", campWords[above]))}}}
	own, enemy := b.columnFields(below)
	for i := range own {
		t.Rows = append(t.Rows, v.positionRow(b, own[i], below, above))
	}
	for i := range enemy {
		t.Rows = append(t.Rows, v.positionRow(b, enemy[i], below, above))
	}
	t.Rows = append(t.Rows, []phrase.Value{sheet.Name("field", "reserve"), {},
		v.countersCell(v.counters(b, reserve, below)), v.countersCell(v.counters(b, reserve, above))})
	if in, out := v.counters(b, offBoard, below), v.counters(b, offBoard, above); len(in)+len(out) > 0 {
		t.Rows = append(t.Rows, []phrase.Value{sheet.Phrase("nap.page.not-deployed"), {}, v.countersCell(in), v.countersCell(out)})
	}
	s.Tables = append(s.Tables, t)
	return s
}

// skirmishTable lists who is in a skirmish.
func (v *View) skirmishTable(b *battle) engine.Table {
	t := engine.Table{Caption: phrase.Say("nap.page.board"), Head: []engine.Column{sheet.Words("nap.col.camp"), sheet.Words("nap.col.units")}}
	below, above := v.boardSides(b)
	for _, c := range [2]camp{below, above} {
		var all []counter
		for f := offBoard; f < fields; f++ {
			all = append(all, v.counters(b, f, c)...)
		}
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("camp", campWords[c]), v.countersCell(all)})
	}
	return t
}

// placeName names a position as the viewer calls it: his own by its name, the
// enemy's as the enemy's; for the GM it says whose position it is.
func (v *View) placeName(b *battle, f field) phrase.Value {
	if v.side == engine.GM {
		return sheet.Name("field", fieldWords[f])
	}
	own := b.ownFields(v.camp())
	for i := range own {
		switch f {
		case own[i]:
			return sheet.Name("field", placeWords[i])
		}
	}
	enemy := b.ownFields(v.camp().enemy())
	for i := range enemy {
		if f == enemy[i] {
			return sheet.Name("field", "enemy-"+placeWords[i])
		}
	}
	return sheet.Name("field", fieldWords[f])
}

func (v *View) positionRow(b *battle, f field, below, above camp) []phrase.Value {
	var ground sheet.Notes
	if p := b.terrain[f]; p != noPiece {
		ground.Add(sheet.Name("terrain", pieceWords[p]))
	}
	if b.stream(f) {
		ground.Add(sheet.Name("terrain", pieceWords[stream]))
	}
	return []phrase.Value{v.placeName(b, f), ground.Cell(), v.countersCell(v.counters(b, f, below)), v.countersCell(v.counters(b, f, above))}
}

// countersCell lists counters: units with strength, rating and notes, hidden
// blocks as their number.
func (v *View) countersCell(all []counter) phrase.Value {
	cell := make(sheet.Notes, len(all))
	for i := range all {
		c := &all[i]
		if c.unit != nil {
			unit := phrase.Name("unit", "unit", v.unitName(c.unit.id))
			args := []argument{unit, phrase.Number("strength", int(c.unit.strength)), phrase.Number("fire", int(c.unit.fire))}
			if n := v.notes(c.unit, false); n.Kind != "" {
				args = append(args, sheet.Filled("notes", n))
			}
			cell[i] = sheet.Phrase("nap.page.unit", args...)
			continue
		}
		cell[i] = v.hiddenBlocks(c)
	}
	return cell.Cell()
}

// hiddenBlocks tells of a counter whose units can't be named.
func (v *View) hiddenBlocks(c *counter) phrase.Value {
	args := []argument{phrase.Number("n", c.n), phrase.Name("army", "army", armyWords[c.army])}
	var notes sheet.Notes
	notes.If(c.disrupted, "nap.note.disrupted")
	notes.If(c.holds == farm, "nap.note.farm")
	notes.If(c.holds == hill, "nap.note.hill")
	if len(notes) > 0 {
		args = append(args, sheet.Filled("notes", notes.Cell()))
	}
	return sheet.Phrase("nap.page.blocks", args...)
}
