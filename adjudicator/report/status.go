package report

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Status says in short where a game stands, as far as a seat may know.
func (w *Writer) Status(s *game.Seat) templates.Notice {
	n := templates.Notice{Heading: w.Heading(s), Subject: phrase.Say("office.status.subject"), Owed: w.Owed(s, true)}
	page := w.turn.View(s.Side).Page()
	n.Page, n.Short = &page, true
	switch {
	case w.turn.Game.Phase == game.Over:
		n.Lines = append(n.Lines, phrase.Say("office.status.over"))
	case w.turn.Game.Phase == game.Closed:
		n.Lines = append(n.Lines, phrase.Say("office.status.closed"))
	case !w.turn.Game.Paused.IsZero():
		n.Lines = append(n.Lines, phrase.Say("office.status.paused"))
	case s.Owes != nil && s.Owes.Answer != nil:
		n.Lines = append(n.Lines, phrase.Say("office.status.answered"))
	case s.Owes == nil:
		n.Lines = append(n.Lines, phrase.Say("office.status.nothing"))
	}
	if waits(w, s) {
		n.Lines = append(n.Lines, phrase.Say("office.status.waiting"))
	}
	if rules, ok := w.turn.Rules.(engine.Progressing); ok {
		n.Lines = append(n.Lines, rules.Progress(w.turn.View(s.Side))...)
	}
	return n
}

// Help says how to write to the office, what a player may command, and what the reader owes, if
// anything.
func Help(h templates.Heading, owed *templates.Owed, commands []string) templates.Notice {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.help.subject"), Owed: owed}
	for _, code := range []string{"orders", "answer", "again", "draft", "what-if", "final", "command", "deadline", "lost"} {
		n.Lines = append(n.Lines, phrase.Say("office.help."+code))
	}
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.help.word")}, {Head: phrase.Say("office.help.does")}}}
	for _, name := range commands {
		say := phrase.Say("office.help.does-" + name)
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindCommand, Text: name}, {Kind: phrase.KindPhrase, Say: &say}})
	}
	n.Tables = []engine.Table{t}
	return n
}
