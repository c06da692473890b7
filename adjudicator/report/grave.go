package report

import (
	"berthier/adjudicator/game"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Grave shows what an act would do that counts once its code confirms it: [game.Replaced] or
// [game.BrokenOff].
func (m Master) Grave(act game.Input) templates.Notice {
	n := templates.Notice{Heading: m.GMHeading(), Subject: phrase.Say("office.grave.subject"), Lines: []phrase.Phrase{phrase.Say("office.grave.preview")}}
	switch a := act.(type) {
	case game.BrokenOff:
		n.Lines = append(n.Lines, phrase.Say("office.grave.close", phrase.Literal("reason", a.Reason)))
	case game.Replaced:
		s := m.turn.Game.Seat(a.Side)
		n.Lines = append(n.Lines,
			phrase.Say("office.grave.replace", game.SideName(a.Side), phrase.Literal("old", s.Person.Name), phrase.Literal("from", s.Person.Address),
				phrase.Literal("name", a.To.Name), phrase.Literal("address", mailbox.Clean(a.To.Address))),
			phrase.Say("office.grave.briefing"))
		if mailbox.Same(a.To.Address, s.Person.Address) {
			n.Lines = append(n.Lines, phrase.Say("office.grave.same"))
		}
	}
	return n
}
