package report

import (
	"berthier/adjudicator/game"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// taken is how a report begins: what came of the file with which a stop was resolved, and of
// those before it that no letter told of.
func taken(w *Writer, s *game.Seat, k *game.Taken) *templates.Taken {
	if k == nil {
		return nil
	}
	t := &templates.Taken{Stop: k.Verdict.Stop, About: k.Stop, Set: templates.Set(k.Verdict.Set), Normal: read(k.Normal), Replaces: read(k.Before),
		Differ: k.Differ, Repairs: k.Verdict.Repairs, Cautions: k.Cautions, Remarks: sayVerdicts(w, s, k.Others, k.Verdict)}
	if k.Verdict.Unread {
		t.Remarks = append(t.Remarks, phrase.Say("office.note.too-many"))
	}
	return t
}

// read reads a normal form that the office keeps; nil if there is none.
func read(normal string) *orders.Node {
	if normal == "" {
		return nil
	}
	doc, _ := orders.ParseAccepted(normal)
	return doc.Root
}
