package report

import (
	"berthier/adjudicator/game"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Short is a letter of a few sentences to the player of a seat, with what he owes unless
// that is nil.
func (w *Writer) Short(s *game.Seat, owed *templates.Owed, subject phrase.Phrase, lines ...phrase.Phrase) templates.Letter {
	return w.Words.Notice(templates.Notice{Heading: w.Heading(s), Subject: subject, Lines: lines, Owed: owed})
}

// Short is a letter of a few sentences.
func (m Master) Short(subject phrase.Phrase, lines ...phrase.Phrase) templates.Notice {
	return templates.Notice{Heading: m.GMHeading(), Subject: subject, Lines: lines}
}

// Made tells a game master that his game was made, whom it waits for, his key, and what he
// may command.
func (m Master) Made(commands []string) templates.Letter {
	n := m.Short(phrase.Say("office.new.subject"), phrase.Say("office.new.what"), phrase.Say("office.new.key"),
		phrase.Say("office.new.commands", phrase.Names("commands", phrase.KindCommand, commands)))
	n.Tables, n.Texts = m.Seats(), []string{m.form(m.Keys.GM(m.turn.Game), "show").FormIn(m.turn.Game.GM.Language).Encode()}
	return m.Words.Notice(n)
}

// Faults is what a letter with faults is answered by, before it is known to whom: it tells
// orders from commands, of which there is nothing to count.
func Faults(doc *orders.Document, problems orders.Problems) templates.Refused {
	r := templates.Refused{Source: doc.Source, Problems: problems}
	if doc.Root != nil && doc.Command != "answer" {
		r.Asked, r.Command = doc.Field("command") != nil, doc.Command
	}
	return r
}

// Refused tells what is wrong with a letter.
func (m Master) Refused(r templates.Refused) templates.Letter {
	r.Heading = m.GMHeading()
	return m.Words.Refused(r)
}

// RefusedFor tells what is wrong with a file for a seat, and what is in force there.
func (m Master) RefusedFor(s *game.Seat, r templates.Refused) (templates.Letter, error) {
	earlier, ok, err := m.turn.Answer(s)
	if ok {
		r.InForce, r.Set = earlier.Orders(), templates.Set(s.Owes.Answer.Which())
	}
	return m.Refused(r), err
}
