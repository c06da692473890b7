package report

import (
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Grave shows what an act would do that counts once its code confirms it: [game.Replaced],
// [game.BrokenOff] or [game.Mastered].
func (m Master) Grave(act game.Input) templates.Notice {
	n := templates.Notice{Heading: m.GMHeading(), Subject: phrase.Say("office.grave.subject"), Lines: []phrase.Phrase{phrase.Say("office.grave.preview")}}
	switch a := act.(type) {
	case game.Processed:
		n.Lines = append(n.Lines, phrase.Say("office.grave.process", phrase.Number("stop", a.Stop)))
		waiting, late := m.turn.Game.WithoutAnswer(m.turn.Now)
		if len(waiting) > 0 {
			n.Lines = append(n.Lines, phrase.Say("office.grave.process-default", phrase.Names("sides", "side", game.SideIDs(waiting))))
		}
		if len(late) > 0 {
			n.Lines = append(n.Lines, phrase.Say("office.grave.process-late", phrase.Names("sides", "side", game.SideIDs(late))))
		}
		if upto := m.turn.ReadUpTo; len(waiting)+len(late) > 0 && m.turn.Now.Sub(upto) > longUnread {
			n.Lines = append(n.Lines, phrase.Say("office.grave.process-unread", phrase.Within("upto", m.Moment(masterOf(m.Writer), upto))))
		}
	case game.Vacated:
		s := m.turn.Game.Seat(a.Side)
		n.Lines = append(n.Lines, phrase.Say("office.grave.vacate", game.SideName(a.Side), phrase.Literal("old", s.Person.Name), phrase.Literal("from", s.Person.Address), phrase.Literal("reason", a.Reason)))
	case game.Changed:
		n.Lines = append(append(n.Lines, phrase.Say("office.grave.change")), a.Says()...)
		if names := a.Names(); names != "" {
			n.Lines = append(n.Lines, phrase.Say("office.grave.reserves", phrase.Literal("names", names)))
		}
	case game.Mastered:
		var all []string
		for _, p := range a.Masters {
			all = append(all, p.Address)
		}
		n.Lines = append(n.Lines, phrase.Say("office.grave.masters", phrase.Literals("addresses", all)))
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

// longUnread is how long a mailbox may not have been read before a game master is told so who has a stop resolved: an answer may lie in it.
const longUnread = 10 * time.Minute

// graveBot shows that a seat would be given to a bot, or taken from one.
func (m Master) graveBot(s *game.Seat, a game.Replaced) phrase.Phrase {
	if a.To.Bot != "" {
		return phrase.Say("office.grave.to-bot", game.SideName(a.Side), phrase.Literal("old", s.Person.Name), phrase.Literal("from", s.Person.Address), phrase.Name("bot", phrase.KindKeyword, a.To.Bot))
	}
	return phrase.Say("office.grave.from-bot", game.SideName(a.Side), phrase.Literal("name", a.To.Name), phrase.Literal("address", mailbox.Clean(a.To.Address)))
}

// An Asked is what a game master has asked for that counts once its code confirms it.
type Asked struct {
	Command   string
	Key, Code string
	To        log.Person   // whom it is about; nobody: an act without one
	Gone      bool         // he is to be a game master no more
	Set       *orders.Node // what of the set-up is changed, as it was written; nil: nothing
}

// GraveForm is the letter that confirms such an act: with the command that asked for it, a key and the
// code that confirms it, and whom it is about.
func (m Master) GraveForm(act game.Input, asked Asked) string {
	file, to := m.form(asked.Key, asked.Command), asked.To
	add := func(name, value string) {
		if value != "" {
			file.Set(name, orders.Text(value))
		}
	}
	switch a := act.(type) {
	case game.BrokenOff:
		add("reason", a.Reason)
	case game.Replaced:
		add("side", string(a.Side))
	case game.Vacated:
		add("side", string(a.Side))
		add("reason", a.Reason)
	case game.Processed:
		file.Set("stop", orders.Number(a.Stop))
	case game.Changed:
		file.Set("set", oneLine(asked.Set))
	}
	add("bot", to.Bot)
	add("name", to.Name)
	add("address", to.Address)
	add("language", to.Language)
	add("zone", to.Zone)
	add("pgp-key", to.PGP)
	if asked.Gone {
		add("cancel", "yes")
	}
	return file.Set("confirm", orders.Text(asked.Code)).FormIn(m.turn.Game.GM.Language).Encode()
}

// oneLine writes a node on one line, however long it gets.
func oneLine(n *orders.Node) *orders.Node {
	n = n.Clone()
	n.Walk(func(at *orders.Node) {
		at.Flow, at.Long, at.Above, at.Comment, at.Below, at.Spare = true, true, "", "", "", nil
	})
	return n
}
