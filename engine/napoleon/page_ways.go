package napoleon

import (
	"slices"
	"strconv"

	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// mostByName is how many units a line of the map in words names; of more it tells the number.
const mostByName = 4

// ways says in words what the map shows around the side's own units: a line for each town
// where any of them stand, with the towns next to it. While there are battles, it tells of
// those that lie at one: nobody moves elsewhere.
func (v *View) ways() []phrase.Phrase {
	var towns []townID
	for i := range v.units {
		if u := &v.units[i]; v.own[u.army] && !u.dead && u.town != noTown && !containsTown(towns, u.town) && v.matters(u.town) {
			towns = append(towns, u.town)
		}
	}
	if len(towns) == 0 {
		return nil
	}
	slices.SortFunc(towns, v.byTown)
	all := make([]phrase.Phrase, 0, len(towns)+1)
	for _, t := range towns {
		args := []argument{phrase.Name("town", "town", v.towns[t].id), sheet.Filled("here", sheet.List(v.standingAt(t)...))}
		if v.battleIn(t) != nil {
			args = append(args, phrase.Literal("fought", "*"))
		}
		var next []phrase.Value
		for _, r := range v.towns[t].roads {
			next = append(next, v.way(r, v.roads[r].from(t)))
		}
		all = append(all, phrase.Say("nap.ways.town", append(args, sheet.Filled("ways", sheet.List(next...)))...))
	}
	enemy := slices.Index(v.own[:], false)
	return append(all, phrase.Say("nap.ways.key", phrase.Literal("letter", armyLetters[max(enemy, 0)])))
}

// matters tells whether a town has a battle or lies next to one, or there is none.
func (v *View) matters(t townID) bool {
	open := false
	for i := range v.battles {
		b := &v.battles[i]
		if b.stage == finished {
			continue
		}
		if _, next := v.roadBetween(t, b.town); next || t == b.town {
			return true
		}
		open = true
	}
	return !open
}

// standingAt tells who is at a town: own units by their ids, or how many there are, and the
// blocks of other armies.
func (v *View) standingAt(t townID) []phrase.Value {
	var here []phrase.Value
	for a := range armies {
		n, strength, ids := 0, 0, []string(nil)
		for i := range v.units {
			if u := &v.units[i]; u.army == a && u.present(t) {
				if n++; v.own[a] {
					strength += int(u.strength)
					ids = append(ids, v.unitName(u.id))
				}
			}
		}
		switch {
		case n == 0:
		case !v.own[a]:
			here = append(here, sheet.Text(armyLetters[a]+strconv.Itoa(n)))
		case n <= mostByName:
			slices.Sort(ids)
			here = append(here, phrase.Literals("", ids).Value.List...)
		default:
			here = append(here, sheet.Phrase("nap.ways.units", phrase.Literal("army", armyLetters[a]), phrase.Number("n", n), phrase.Number("strength", strength)))
		}
	}
	return here
}

// way tells of a neighbouring town: how many units have used the road, and the blocks of
// armies that are not the side's own.
func (v *View) way(r int, to townID) phrase.Value {
	args := []argument{phrase.Name("town", "town", v.towns[to].id)}
	if used := int(v.roadUse[r]); used > 0 {
		args = append(args, phrase.Literal("used", strconv.Itoa(used)+"/"+strconv.Itoa(v.numbers.road.of(v.roads[r]))))
	}
	var others []string
	for a := range armies {
		if v.own[a] {
			continue
		}
		n := 0
		for i := range v.units {
			if u := &v.units[i]; u.army == a && u.present(to) {
				n++
			}
		}
		if n > 0 {
			others = append(others, armyLetters[a]+strconv.Itoa(n))
		}
	}
	if len(others) > 0 {
		args = append(args, phrase.Literals("blocks", others))
	}
	return sheet.Phrase("nap.ways.way", args...)
}

// boardLines say in words what the board of a battle shows: a line for each position where
// anybody stands or terrain lies.
func (v *View) boardLines(b *battle, below, above camp) []phrase.Phrase {
	own, enemy := b.columnFields(below)
	var all []phrase.Phrase
	for _, f := range append(own[:], enemy[:]...) {
		all = v.boardLine(all, b, f, v.placeName(b, f), below, above)
	}
	all = v.boardLine(all, b, reserve, sheet.Name("field", "reserve"), below, above)
	return v.boardLine(all, b, offBoard, sheet.Phrase("nap.page.not-deployed"), below, above)
}

func (v *View) boardLine(all []phrase.Phrase, b *battle, f field, name phrase.Value, below, above camp) []phrase.Phrase {
	args := []argument{sheet.Filled("position", name)}
	var ground sheet.Notes
	if f >= attackerLeft {
		if p := b.terrain[f]; p != noPiece {
			ground.Add(sheet.Name("terrain", pieceWords[p]))
		}
		if b.stream(f) {
			ground.Add(sheet.Name("terrain", pieceWords[stream]))
		}
	}
	if len(ground) > 0 {
		args = append(args, sheet.Filled("terrain", ground.Cell()))
	}
	mine, theirs := v.force(v.counters(b, f, below)), v.force(v.counters(b, f, above))
	if sheet.Blank(mine) && sheet.Blank(theirs) && len(ground) == 0 {
		return all
	}
	if !sheet.Blank(mine) {
		args = append(args, sheet.Filled("mine", mine))
	}
	if !sheet.Blank(theirs) {
		args = append(args, sheet.Filled("theirs", theirs))
	}
	return append(all, phrase.Say("nap.page.stands", args...))
}

// skirmishLines say who is in a skirmish.
func (v *View) skirmishLines(b *battle) []phrase.Phrase {
	var all []phrase.Phrase
	below, above := v.boardSides(b)
	for _, c := range [2]camp{below, above} {
		var here []counter
		for f := offBoard; f < fields; f++ {
			here = append(here, v.counters(b, f, c)...)
		}
		if len(here) > 0 {
			all = append(all, phrase.Say("nap.page.stands", sheet.Filled("position", sheet.Name("camp", campWords[c])), sheet.Filled("mine", v.force(here))))
		}
	}
	return all
}

// force lists counters, and what they come to: units and, of those that are seen, strength. Units
// of which the same is to be noted stand together, so that it is said once.
func (v *View) force(all []counter) phrase.Value {
	if len(all) == 0 {
		return phrase.Value{}
	}
	type group struct {
		notes phrase.Value
		units []phrase.Value // without their notes
	}
	var groups []group
	var others []phrase.Value
	n, seen, strength := 0, 0, 0
	for i := range all {
		c := &all[i]
		if c.unit == nil {
			n += c.n
			others = append(others, v.hiddenBlocks(c))
			continue
		}
		n, seen, strength = n+1, seen+1, strength+int(c.unit.strength)
		notes, unit := v.notes(c.unit, false), v.unitInBrief(c.unit)
		if notes.Kind == "" {
			others = append(others, unit)
			continue
		}
		at := slices.IndexFunc(groups, func(g group) bool { return g.notes.Equal(notes) })
		if at < 0 {
			at, groups = len(groups), append(groups, group{notes: notes})
		}
		groups[at].units = append(groups[at].units, unit)
	}
	var list []phrase.Value
	for _, g := range groups {
		code := "nap.page.alike"
		if len(g.units) == 1 {
			code = "nap.page.noted"
		}
		list = append(list, sheet.Phrase(code, sheet.Filled("units", sheet.List(g.units...)), sheet.Filled("notes", g.notes)))
	}
	args := []argument{sheet.Filled("units", sheet.List(append(list, others...)...))}
	if n > 1 && (seen > 0 || len(list)+len(others) > 1) { // blocks alone say how many they are
		args = append(args, phrase.Number("n", n))
		if seen > 0 {
			args = append(args, phrase.Number("strength", strength))
		}
	}
	return sheet.Phrase("nap.page.force", args...)
}

// unitInBrief names a unit with its strength and fire rating.
func (v *View) unitInBrief(u *unit) phrase.Value {
	return sheet.Phrase("nap.page.unit-brief", phrase.Name("unit", "unit-brief", v.unitName(u.id)),
		phrase.Number("strength", int(u.strength)), phrase.Number("fire", int(u.fire)))
}
