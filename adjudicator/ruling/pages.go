package ruling

import (
	"encoding/json"
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// written writes a value so that equal values are written alike.
func written(v any) string {
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
		heading := written(s.Heading)
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
			if !slices.ContainsFunc(before.Lines, func(o phrase.Phrase) bool { return written(o) == written(line) }) {
				all = append(all, phrase.Say("office.ruled.line", phrase.Within("line", line)))
			}
		}
		all = append(all, tablesChanges(before.Tables, s.Tables)...)
	}
	clear(nth)
	for _, s := range old.Sections {
		if _, gone := was[name(s)]; !gone {
			continue
		}
		all = append(all, tablesChanges(s.Tables, nil)...)
	}
	return all
}

// tablesChanges tells what differs between the tables of two sections. They are known by
// their captions.
func tablesChanges(old, now []engine.Table) []phrase.Phrase {
	nth := map[string]int{}
	name := func(t engine.Table) string {
		caption := written(t.Caption)
		nth[caption]++
		return fmt.Sprint(nth[caption], caption)
	}
	was := map[string]engine.Table{}
	for _, t := range old {
		was[name(t)] = t
	}
	clear(nth)
	var all []phrase.Phrase
	for _, t := range now {
		n := name(t)
		all = append(all, tableChanges(was[n], t)...)
		delete(was, n)
	}
	clear(nth)
	for _, t := range old {
		if _, gone := was[name(t)]; gone {
			all = append(all, tableChanges(t, engine.Table{})...)
		}
	}
	return all
}

// filled gives the rows of a table; where the first column stands once for several rows, it
// is repeated in each of them.
func filled(t engine.Table) [][]phrase.Value {
	var all [][]phrase.Value
	var above phrase.Value
	for _, row := range t.Rows {
		if len(row) == 0 {
			continue
		}
		row = slices.Clone(row)
		if len(row) > 1 && blankValue(row[0]) {
			row[0] = above
		}
		above = row[0]
		all = append(all, row)
	}
	return all
}

// names tells whether a column names the rows of a table: each by a different value, and none
// by an empty one.
func names(rows [][]phrase.Value, column int) bool {
	seen := map[string]bool{}
	for _, row := range rows {
		if column >= len(row) || row[column].Kind == phrase.KindNumber || blankValue(row[column]) || seen[written(row[column])] {
			return false
		}
		seen[written(row[column])] = true
	}
	return true
}

// tableChanges tells what differs between two tables: for rows that a column names in
// both of them the cells, for other rows the whole rows.
func tableChanges(old, now engine.Table) []phrase.Phrase {
	was, is := filled(old), filled(now)
	key, columns := 0, max(len(old.Head), len(now.Head))
	for key < columns && !(names(was, key) && names(is, key)) {
		key++
	}
	name := func(row []phrase.Value) string {
		if key < columns {
			return written(row[key])
		}
		return written(row)
	}
	before := map[string][]phrase.Value{}
	for _, row := range was {
		before[name(row)] = row
	}
	after := map[string]bool{}
	var all []phrase.Phrase
	for _, row := range is {
		n := name(row)
		if after[n] = true; before[n] == nil {
			all = append(all, sayRow("office.ruled.row-new", row))
		} else if key < columns {
			all = append(all, cellChanges(before[n], row, key, now.Head)...)
		}
	}
	for _, row := range was {
		if !after[name(row)] {
			all = append(all, sayRow("office.ruled.row-gone", row))
		}
	}
	return all
}

// cellChanges tells what differs between two rows of one name.
func cellChanges(was, is []phrase.Value, key int, head []engine.Column) []phrase.Phrase {
	var all []phrase.Phrase
	for j := range max(len(was), len(is)) {
		var a, b phrase.Value
		if j < len(was) {
			a = was[j]
		}
		if j < len(is) {
			b = is[j]
		}
		if j == key || written(a) == written(b) {
			continue
		}
		args := []phrase.Arg{{Name: "row", Value: is[key]}, {Name: "old", Value: orDash(a)}, {Name: "new", Value: orDash(b)}}
		if j < len(head) && !head[j].Head.IsZero() {
			args = append(args, phrase.Within("column", head[j].Head))
		}
		all = append(all, phrase.Say("office.ruled.cell", args...))
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
		return phrase.Value{Kind: phrase.KindLiteral, Text: "-"}
	}
	return v
}
