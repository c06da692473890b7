package report

import (
	"berthier/adjudicator/game"
	"berthier/mail/mailbox"
	"berthier/orders"
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
		if a.To.Bot != "" || s.Person.Bot != "" {
			n.Lines = append(n.Lines, m.graveBot(s, a))
			return n
		}
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

// graveBot shows that a seat would be given to a bot, or taken from one.
func (m Master) graveBot(s *game.Seat, a game.Replaced) phrase.Phrase {
	if a.To.Bot != "" {
		return phrase.Say("office.grave.to-bot", game.SideName(a.Side), phrase.Literal("old", s.Person.Name), phrase.Literal("from", s.Person.Address), phrase.Name("bot", phrase.KindKeyword, a.To.Bot))
	}
	return phrase.Say("office.grave.from-bot", game.SideName(a.Side), phrase.Literal("name", a.To.Name), phrase.Literal("address", mailbox.Clean(a.To.Address)))
}

// GraveForm is the letter that confirms such an act: with a key and the code that confirms it.
func (m Master) GraveForm(act game.Input, key, code string) string {
	file := m.form(key, "close")
	add := func(name, value string) {
		if value != "" {
			file.Set(name, orders.Text(value))
		}
	}
	switch a := act.(type) {
	case game.BrokenOff:
		add("reason", a.Reason)
	case game.Replaced:
		file = m.form(key, "replace")
		add("side", string(a.Side))
		add("bot", a.To.Bot)
		add("name", a.To.Name)
		add("address", a.To.Address)
		add("language", a.To.Language)
		add("zone", a.To.Zone)
		add("pgp-key", a.To.PGP)
	}
	return file.Set("confirm", orders.Text(code)).Encode()
}
