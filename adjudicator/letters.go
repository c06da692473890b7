package adjudicator

import (
	"errors"

	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/report"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders/phrase"
	"berthier/templates"
)

// post queues a letter to a seat; to is the letter that it answers, or nil. Who has lost the seat is told nothing of it.
func (tr *transaction) post(s *game.Seat, kind string, to *mail.Letter, text templates.Letter) {
	if s.Vacated {
		return
	}
	tr.carry() // what was told before goes before
	l := tr.letters.ToSeat(s, kind, text)
	if !l.Dead && !s.Restored.IsZero() && tr.letters.TellsRestore(s, &text) {
		tr.unwritten = errors.Join(tr.unwritten, tr.Do(game.ToldOfRestore{Side: s.Side}))
	}
	l.Re = answered(to)
	tr.queue(l)
}

// postGM queues a letter to the game master.
func (tr *transaction) postGM(kind string, to *mail.Letter, text templates.Letter) {
	tr.carry()
	p := tr.Game.GM
	if to != nil && tr.reader != nil {
		p = *tr.reader
	}
	l := tr.letters.ToMaster(p, kind, text)
	l.Re = answered(to)
	tr.queue(l)
}

// answered names the letter that a letter answers.
func answered(to *mail.Letter) *game.Reference {
	if to == nil {
		return nil
	}
	return &game.Reference{MessageID: to.MessageID, References: to.References}
}

// queue queues a letter as it was written.
func (tr *transaction) queue(l report.Letter) {
	r := &outbox.Outgoing{Game: tr.Game.ID, Seat: l.To, Epoch: l.Epoch, Kind: l.Kind, Name: l.Person.Name, Address: l.Person.Address,
		Letter: &l.Text, Written: tr.Now}
	if l.Dead {
		r.Stop("too many letters came back")
	}
	if l.Verdicts {
		r.Slot = verdictsName(r.Game, r.Seat)
	}
	if k := l.Report; k != nil {
		r.Report, r.List = k.Number, reportsName(r.Game, r.Seat)
		r.Ref = outbox.Ref{Report: k.Number, Stop: k.Stop, Epoch: l.Epoch, At: tr.Now}
		tr.shown = append(tr.shown, k)
	}
	thread := tr.office.box.Thread(r.Game, r.Seat, r.Epoch)
	if l.To == engine.Public { // each observer has his own, and gets it when others know it already
		r.Written, r.Delay = tr.Now.Add(l.Delay), l.Delay
		r.Due, thread = r.Written, tr.office.box.Thread(r.Game, engine.Side("observer "+r.Address), 0)
	}
	var to *mail.Letter
	if l.Re != nil {
		to = &mail.Letter{MessageID: l.Re.MessageID, References: l.Re.References}
	}
	r.Answers(to, thread)
	tr.outgoing = append(tr.outgoing, r)
}

// reply queues a short letter to a seat that answers one, with what it owes if it owes
// anything, and with the template of that if asked for.
func (tr *transaction) reply(s *game.Seat, to *mail.Letter, kind string, subject phrase.Phrase, template bool, lines ...phrase.Phrase) {
	tr.post(s, kind, to, tr.letters.Short(s, tr.letters.Owed(s, template), subject, lines...))
}
