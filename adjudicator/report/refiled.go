package report

import (
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Filed is what came of a letter that the game master filed again.
type Filed struct {
	Text   string          // what could be read of it
	Faults orders.Problems // why it does not count; none: it does
	Came   time.Time       // when it had come first
	Entry  uint64          // of the log, that says that it was filed again
}

// Refiled tells the game master what came of a letter that he filed again, and has
// with it what could be read of the letter. Of the letter as it came he gets nothing: a key
// in it may be written so that it would not be hidden.
func (m Master) Refiled(s *game.Seat, f Filed) templates.Notice {
	n := templates.Notice{Heading: m.GMHeading(), Subject: phrase.Say("office.refile.subject", game.SideName(s.Side)),
		Files: []templates.File{{Name: fmt.Sprintf("%s-%s-letter.txt", m.turn.Game.ID, s.Side), Type: "text/plain", Data: []byte(f.Text)}}}
	came := phrase.Within("came", m.Moment(m.turn.Game.GM, f.Came))
	if len(f.Faults) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.refile.counts", game.SideName(s.Side), came, phrase.Number("entry", int(f.Entry))))
		return n
	}
	n.Lines = append(n.Lines, phrase.Say("office.refile.does-not", game.SideName(s.Side), came, phrase.Number("entry", int(f.Entry))))
	for _, p := range f.Faults {
		n.Lines = append(n.Lines, p.Why)
	}
	n.Lines = append(n.Lines, phrase.Say("office.refile.accept", phrase.Number("entry", int(f.Entry))))
	return n
}

// Unread is a letter of a player's that could not be read and is kept.
type Unread struct {
	Side    engine.Side
	Number  int // by which the game master files it again
	At      time.Time
	Bytes   int
	Subject string // "": it may not be told
}

// Unread lists the letters of players that could not be read.
func (m Master) Unread(all []Unread) templates.Notice {
	n := templates.Notice{Heading: m.GMHeading(), Subject: phrase.Say("office.refile.list")}
	if len(all) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.refile.none"))
		return n
	}
	t := engine.Table{Head: []engine.Column{
		{Head: phrase.Say("office.seat.side")}, {Head: phrase.Say("office.refile.letter"), Right: true}, {Head: phrase.Say("office.show.at")},
		{Head: phrase.Say("office.refile.bytes"), Right: true}, {Head: phrase.Say("office.refile.about")},
	}}
	for _, u := range all {
		t.Rows = append(t.Rows, []phrase.Value{{Kind: "side", Text: string(u.Side)}, {Kind: phrase.KindNumber, Num: u.Number},
			text(u.At.In(timing.Zone(m.turn.Game.GM.Zone)).Format("2006-01-02 15:04")), {Kind: phrase.KindNumber, Num: u.Bytes}, text(u.Subject)})
	}
	n.Lines, n.Tables = append(n.Lines, phrase.Say("office.refile.do")), append(n.Tables, t)
	return n
}
