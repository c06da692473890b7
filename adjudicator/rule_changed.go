package adjudicator

import (
	"encoding/json"
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// What a ruling changed in a position, as a player may know it: by what he sees of it
// before and after. So the owner of a piece that was moved is told which, and nobody is
// told of what is hidden from him.

// changedBy gives the position that an act changed by itself, before and after it; nil
// if it changed none. What follows from dice and orders is told by events.
func (d *desk) changedBy(a *act, p *plan, present engine.Position, redone bool) (before, after engine.Position, err error) {
	switch {
	case a.Kind == actOption:
		return nil, nil, nil
	case p.position != nil:
		before, err = d.rules.Load(p.back.Snapshot)
		if err != nil {
			return nil, nil, fmt.Errorf("read position after entry %d: %w", p.back.Seq, err)
		}
		return before, p.position, nil
	case a.Kind != actOverrule || redone:
		return nil, nil, nil
	}
	r, err := d.ruling(a.Entry)
	if err != nil {
		return nil, nil, err
	}
	first, _, err := d.overrules(r)
	if err != nil || first.Set == "" {
		return nil, nil, err
	}
	return present, d.position, nil
}

// mostChanged is how many changes of what he sees a player is told one by one.
const mostChanged = 20

// sayChanged tells a player what a ruling changed of what he sees. He is shown it by the
// seat that he had at that position.
func (d *desk) sayChanged(s *seat, v *verdict) []told {
	if v.before == nil {
		return nil
	}
	side := s.Side
	if back := v.plan.back; back != nil {
		side = d.sideAt(s, back.Seq+1)
	}
	changes := pageChanges(v.before.View(side).Page(), v.after.View(side).Page())
	var all []told
	for i, say := range changes {
		if i == mostChanged {
			return append(all, told{Say: phrase.Say("office.ruled.more", phrase.Number("n", len(changes)-i))})
		}
		all = append(all, told{Say: say})
	}
	return all
}

// alike writes a value so that equal values are written alike.
func alike(v any) string {
	text, err := json.Marshal(v)
	if err != nil { // pages are plain data
		panic(err)
	}
	return string(text)
}

// pageChanges tells what differs between two pages: cells of tables, by their rows and
// columns, rows that have come or gone, and sentences that are new.
func pageChanges(old, now engine.Page) []phrase.Phrase {
	was := map[string]engine.Section{}
	nth := map[string]int{}
	name := func(s engine.Section) string {
		heading := alike(s.Heading)
		nth[heading]++
		return fmt.Sprint(nth[heading], heading)
	}
	for _, s := range old.Sections {
		was[name(s)] = s
	}
	clear(nth)
	var all []phrase.Phrase
	for _, s := range now.Sections {
		key := name(s)
		before := was[key]
		delete(was, key)
		for _, line := range s.Lines {
			if !slices.ContainsFunc(before.Lines, func(o phrase.Phrase) bool { return alike(o) == alike(line) }) {
				all = append(all, phrase.Say("office.ruled.line", phrase.Within("line", line)))
			}
		}
		for i := range max(len(before.Tables), len(s.Tables)) {
			var a, b engine.Table
			if i < len(before.Tables) {
				a = before.Tables[i]
			}
			if i < len(s.Tables) {
				b = s.Tables[i]
			}
			all = append(all, tableChanges(a, b)...)
		}
	}
	clear(nth)
	for _, s := range old.Sections {
		if _, gone := was[name(s)]; !gone {
			continue
		}
		for _, t := range s.Tables {
			all = append(all, tableChanges(t, engine.Table{})...)
		}
	}
	return all
}

// tableChanges tells what differs between two tables. Rows are known by their first
// cell.
func tableChanges(old, now engine.Table) []phrase.Phrase {
	rows := func(t engine.Table) (names []string, byName map[string][]phrase.Value) {
		nth := map[string]int{}
		byName = map[string][]phrase.Value{}
		for _, row := range t.Rows {
			if len(row) == 0 {
				continue
			}
			first := alike(row[0])
			nth[first]++
			n := fmt.Sprint(nth[first], first)
			names, byName[n] = append(names, n), row
		}
		return names, byName
	}
	oldNames, before := rows(old)
	names, after := rows(now)
	var all []phrase.Phrase
	for _, n := range names {
		row := after[n]
		was, there := before[n]
		if !there {
			all = append(all, sayRow("office.ruled.row-new", row))
			continue
		}
		for j := 1; j < max(len(row), len(was)); j++ {
			var a, b phrase.Value
			if j < len(was) {
				a = was[j]
			}
			if j < len(row) {
				b = row[j]
			}
			if alike(a) == alike(b) {
				continue
			}
			args := []phrase.Arg{{Name: "row", Value: row[0]}, {Name: "old", Value: orDash(a)}, {Name: "new", Value: orDash(b)}}
			if j < len(now.Head) && !now.Head[j].Head.IsZero() {
				args = append(args, phrase.Within("column", now.Head[j].Head))
			}
			all = append(all, phrase.Say("office.ruled.cell", args...))
		}
	}
	for _, n := range oldNames {
		if _, there := after[n]; !there {
			all = append(all, sayRow("office.ruled.row-gone", before[n]))
		}
	}
	return all
}

// sayRow tells of a row that has come or gone.
func sayRow(code string, row []phrase.Value) phrase.Phrase {
	cells := slices.DeleteFunc(slices.Clone(row), func(v phrase.Value) bool { return blankValue(v) })
	return phrase.Say(code, phrase.Arg{Name: "cells", Value: phrase.Value{Kind: phrase.KindList, List: cells}})
}

// blankValue tells whether a cell is empty.
func blankValue(v phrase.Value) bool {
	return v.Kind != phrase.KindNumber && v.Text == "" && len(v.List) == 0 && v.Say == nil
}

// orDash is a cell's value, or a dash in an empty one's place.
func orDash(v phrase.Value) phrase.Value {
	if blankValue(v) {
		return text("-")
	}
	return v
}
