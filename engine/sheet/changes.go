package sheet

import (
	"fmt"
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// A Change is something in which two pages differ. Either it is a line that is new, or it
// is about a row of a table: the row has come, or gone, or a cell of it is another.
type Change struct {
	Section *engine.Section // where it stands; of the older page if it is no longer there
	Line    *phrase.Phrase  // a new line; nil: it is about a row

	Caption phrase.Phrase  // of its table
	Quiet   bool           // the table or column says that reports don't tell it
	Row     []phrase.Value // the row, as it is now or, if it is gone, as it was
	Head    []engine.Column
	Name    phrase.Value  // what names the row; empty: nothing less than all of it
	Column  phrase.Phrase // whose cell has changed; no code: the whole row came or went
	Gone    bool
	Was     phrase.Value
	Is      phrase.Value
}

// Whole tells whether a whole row came or went.
func (c *Change) Whole() bool {
	return c.Line == nil && c.Was.Kind == "" && c.Is.Kind == "" && c.Column.IsZero()
}

// Changes lists what differs between two pages: lines that are new, rows that have come or
// gone, and cells of the rows that are in both. Sections are known by their headings,
// tables by their captions, and rows by the first cells that name them.
func Changes(old, now *engine.Page) []Change {
	was := map[string]*engine.Section{}
	name := numbered()
	for i := range old.Sections {
		was[name(old.Sections[i].Heading)] = &old.Sections[i]
	}
	var all []Change
	name = numbered()
	for i := range now.Sections {
		s := &now.Sections[i]
		key := name(s.Heading)
		before := was[key]
		delete(was, key)
		if before == nil {
			before = &engine.Section{}
		}
		for j, line := range s.Lines {
			if !slices.ContainsFunc(before.Lines, func(o phrase.Phrase) bool { return o.Equal(line) }) {
				all = append(all, Change{Section: s, Line: &s.Lines[j]})
			}
		}
		all = tables(all, s, before.Tables, s.Tables)
	}
	name = numbered()
	for i := range old.Sections {
		if _, gone := was[name(old.Sections[i].Heading)]; gone {
			all = tables(all, &old.Sections[i], old.Sections[i].Tables, nil)
		}
	}
	return all
}

// written writes values so that only equal ones are written alike.
func written(values ...phrase.Value) string {
	var text []byte
	for _, v := range values {
		text = v.AppendKey(text)
	}
	return string(text)
}

// numbered gives each of several things of one name a name of its own.
func numbered() func(phrase.Phrase) string {
	nth := map[string]int{}
	return func(p phrase.Phrase) string {
		text := string(p.AppendKey(nil))
		nth[text]++
		return fmt.Sprint(nth[text], text)
	}
}

// tables adds what differs between the tables of two sections.
func tables(all []Change, s *engine.Section, old, now []engine.Table) []Change {
	was := map[string]*engine.Table{}
	name := numbered()
	for i := range old {
		was[name(old[i].Caption)] = &old[i]
	}
	name = numbered()
	for i := range now {
		n := name(now[i].Caption)
		before := was[n]
		if before == nil {
			before = &engine.Table{Quiet: now[i].Quiet}
		}
		all = rows(all, s, before, &now[i])
		delete(was, n)
	}
	name = numbered()
	for i := range old {
		if _, gone := was[name(old[i].Caption)]; gone {
			all = rows(all, s, &old[i], &engine.Table{Caption: old[i].Caption, Head: old[i].Head, Quiet: old[i].Quiet})
		}
	}
	return all
}

// filled gives the rows of a table; where the first column stands once for several rows, it
// is repeated in each of them.
func filled(t *engine.Table) [][]phrase.Value {
	all := make([][]phrase.Value, 0, len(t.Rows))
	var above phrase.Value
	for _, row := range t.Rows {
		if len(row) == 0 {
			continue
		}
		if len(row) > 1 && Blank(row[0]) {
			row = slices.Clone(row)
			row[0] = above
		}
		above = row[0]
		all = append(all, row)
	}
	return all
}

// naming tells how the rows of a table are named: by the column at which they begin to
// differ in all rows of both states, or by the first columns together. It gives the first
// and the last of these columns; false if only the whole row names it.
func naming(was, is [][]phrase.Value, columns int) (from, to int, ok bool) {
	for c := range columns {
		if distinct(was, c, c) && distinct(is, c, c) {
			return c, c, true
		}
	}
	for c := 1; c < columns-1; c++ {
		if distinct(was, 0, c) && distinct(is, 0, c) {
			return 0, c, true
		}
	}
	return 0, 0, false
}

// distinct tells whether some columns name the rows: each by other values, which are
// neither empty nor numbers.
func distinct(rows [][]phrase.Value, from, to int) bool {
	seen := make(map[string]bool, len(rows))
	for _, row := range rows {
		if to >= len(row) || slices.ContainsFunc(row[from:to+1], func(v phrase.Value) bool { return v.Kind == phrase.KindNumber || Blank(v) }) {
			return false
		}
		key := written(row[from : to+1]...)
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// rows adds what differs between two tables.
func rows(all []Change, s *engine.Section, old, now *engine.Table) []Change {
	was, is := filled(old), filled(now)
	head := now.Head
	if len(head) == 0 {
		head = old.Head
	}
	from, to, named := naming(was, is, max(len(old.Head), len(now.Head)))
	key := func(row []phrase.Value) string {
		if named {
			return written(row[from : to+1]...)
		}
		return written(row...)
	}
	whole := func(row []phrase.Value, gone bool) Change {
		c := Change{Section: s, Quiet: now.Quiet, Row: row, Head: head, Gone: gone}
		if named {
			c.Name = nameOf(row[from : to+1])
		}
		return c
	}
	before := make(map[string][]phrase.Value, len(was))
	for _, row := range was {
		before[key(row)] = row
	}
	after := make(map[string]bool, len(is))
	for _, row := range is {
		k := key(row)
		after[k] = true
		if before[k] == nil {
			all = append(all, whole(row, false))
		} else if named {
			all = cells(all, whole(row, false), before[k], from, to)
		}
	}
	for _, row := range was {
		if !after[key(row)] {
			all = append(all, whole(row, true))
		}
	}
	return all
}

// cells adds what differs between two rows of one name.
func cells(all []Change, c Change, was []phrase.Value, from, to int) []Change {
	for j := range max(len(was), len(c.Row)) {
		var a, b phrase.Value
		if j < len(was) {
			a = was[j]
		}
		if j < len(c.Row) {
			b = c.Row[j]
		}
		if from <= j && j <= to || a.Equal(b) {
			continue
		}
		cell := c
		cell.Was, cell.Is = orDash(a), orDash(b)
		if j < len(c.Head) {
			cell.Column, cell.Quiet = c.Head[j].Head, c.Quiet || c.Head[j].Quiet
		}
		all = append(all, cell)
	}
	return all
}

// nameOf is what some cells name.
func nameOf(cells []phrase.Value) phrase.Value {
	if len(cells) == 1 {
		return cells[0]
	}
	return List(cells...)
}

// Blank tells whether a cell is empty.
func Blank(v phrase.Value) bool {
	return v.Kind != phrase.KindNumber && v.Text == "" && len(v.List) == 0 && v.Say == nil
}

// Cells lists the cells of a row that have anything in them.
func Cells(row []phrase.Value) phrase.Value {
	return List(slices.DeleteFunc(slices.Clone(row), Blank)...)
}

// orDash is a cell's value, or a dash in an empty one's place.
func orDash(v phrase.Value) phrase.Value {
	if Blank(v) {
		return Text("-")
	}
	return v
}
