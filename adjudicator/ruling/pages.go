package ruling

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// pageChanges tells what differs between two pages: cells of tables, by their rows and
// columns, rows that have come or gone, and sentences that are new.
func pageChanges(old, now engine.Page) []phrase.Phrase {
	changes := sheet.Changes(&old, &now)
	all := make([]phrase.Phrase, len(changes))
	for i := range changes {
		c := &changes[i]
		switch {
		case c.Line != nil:
			all[i] = phrase.Say("office.ruled.line", phrase.Within("line", *c.Line))
		case c.Whole() && c.Gone:
			all[i] = phrase.Say("office.ruled.row-gone", sheet.Filled("cells", sheet.Cells(c.Row)))
		case c.Whole():
			all[i] = phrase.Say("office.ruled.row-new", sheet.Filled("cells", sheet.Cells(c.Row)))
		default:
			args := []phrase.Arg{sheet.Filled("row", c.Name), sheet.Filled("old", c.Was), sheet.Filled("new", c.Is)}
			if !c.Column.IsZero() {
				args = append(args, phrase.Within("column", c.Column))
			}
			all[i] = phrase.Say("office.ruled.cell", args...)
		}
	}
	return all
}
