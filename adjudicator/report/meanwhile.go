package report

import (
	"berthier/adjudicator/game"
	"berthier/orders"
	"berthier/templates"
)

// soon is what a seat is asked meanwhile, as letters tell it; nil if nothing.
func soon(w *Writer, s *game.Seat, template bool) *templates.Owed {
	then := w.turn.Foreseen(s.Side)
	if then == nil {
		return nil
	}
	o := &templates.Owed{Stop: s.Soon.Stop, Decision: s.Soon.Decision, Answered: s.Soon.Filed != nil, Meanwhile: &s.Soon.Of}
	if template {
		t := *w.turn
		t.Loaded, t.Readings = then, nil
		there := &Writer{Office: w.Office, turn: &t, past: w.past, finished: w.finished}
		o.Template = there.Template(then.Game.Seat(s.Side))
		o.Names = nameUnits(there.turn.View(s.Side), o.Template, s.Person.Language)
	}
	return o
}

// drafted puts into an order file what its player had written for a stop that did not come
// as foreseen, if that is still legal.
func drafted(w *Writer, s *game.Seat, file *orders.Node) {
	if s.Draft == "" {
		return
	}
	doc, problems := orders.ParseAccepted(s.Draft)
	if len(problems) > 0 || doc.Orders == nil || file.Get("orders") == nil {
		return
	}
	answer, problems := w.turn.Rules.Read(w.turn.View(s.Side), s.Owes.Decision, game.Dated(w.turn, doc))
	if len(problems) > 0 {
		return
	}
	file.Set("orders", answer.Orders().Get("orders"))
}
