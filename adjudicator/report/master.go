package report

import (
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A Master writes to whoever looks after a game: in the same words to all of them, and with
// all that is hidden. Whether the reader may see that is asked before.
type Master struct{ *Writer }

// Master is the writer for whoever looks after the game.
func (w *Writer) Master() Master { return Master{w} }

func text(s string) phrase.Value { return phrase.Value{Kind: phrase.KindLiteral, Text: s} }

func say(code string, args ...phrase.Arg) phrase.Value {
	p := phrase.Say(code, args...)
	return phrase.Value{Kind: phrase.KindPhrase, Say: &p}
}

// seats lists the seats as the game master may see them: never what was
// answered.
func (m Master) seats() engine.Table {
	t := engine.Table{Head: []engine.Column{
		{Head: phrase.Say("office.seat.side")}, {Head: phrase.Say("office.seat.name")}, {Head: phrase.Say("office.seat.address")},
		{Head: phrase.Say("office.seat.owes")}, {Head: phrase.Say("office.seat.deadline")}, {Head: phrase.Say("office.seat.state")},
		{Head: phrase.Say("office.seat.missed"), Right: true},
	}}
	for _, s := range m.turn.Game.Seats {
		owes, deadline, state := say("office.seat.nothing"), text(""), text("")
		if o := s.Owes; o != nil {
			p := game.SayStop(o)
			owes = phrase.Value{Kind: phrase.KindPhrase, Say: &p}
			if !o.Deadline.IsZero() {
				deadline = text(o.Deadline.In(timing.Zone(m.turn.Game.GM.Zone)).Format("2006-01-02 15:04 MST"))
			}
			state = say("office.seat.open")
			if o.Answer != nil {
				state = say("office.seat.answered")
				if !o.Answer.Final {
					state = say("office.seat.not-final")
				}
			}
		}
		switch {
		case s.Resigned:
			state = say("office.seat.resigned")
		case s.Bot, s.Person.Bot != "":
			state = say("office.seat.bot")
		case s.Stands():
			state = say("office.seat.stands")
		case s.Owes != nil && s.Owes.Held != "" && s.Owes.Held != game.HeldNoMore && s.Owes.Answer == nil:
			state = say("office.seat.held")
		case s.Dead:
			state = say("office.seat.dead")
		}
		t.Rows = append(t.Rows, []phrase.Value{
			{Kind: "side", Text: string(s.Side)}, text(s.Person.Name), text(s.Person.Address), owes, deadline, state,
			{Kind: phrase.KindNumber, Num: s.Missed},
		})
	}
	return t
}

// Seats is the table of the seats for a game master's first letter; none if he plays and
// may not know whom the game waits for.
func (m Master) Seats() []engine.Table {
	if _, blind := m.turn.Blind(m.turn.Game.GM.Address); blind {
		return nil
	}
	return []engine.Table{m.seats()}
}

// mostLogLines is how many entries of the log a letter shows.
const mostLogLines = 20

// Show tells how the game stands, and how many letters of players could not be read.
func (m Master) Show(unread int) templates.Notice {
	n := templates.Notice{Heading: m.GMHeading(), Subject: phrase.Say("office.show.subject"), Tables: []engine.Table{m.seats()}}
	n.Lines = append(n.Lines, phrase.Say("office.show.state", phrase.Within("state", phrase.Say("office.state."+m.turn.Game.StateName())),
		phrase.Number("stop", m.turn.Game.Stop), phrase.Number("entries", int(m.turn.Last.Seq))))
	if m.turn.Game.Fault != "" {
		n.Lines = append(n.Lines, phrase.Say("office.show.fault", phrase.Literal("error", phrase.Clip(m.turn.Game.Fault, 200))))
	}
	if !m.turn.Game.Resolve.IsZero() && m.turn.Game.Phase == game.Running {
		n.Lines = append(n.Lines, phrase.Say("office.show.second", phrase.Literal("at", m.turn.Game.Resolve.In(timing.Zone(m.turn.Game.GM.Zone)).Format("2006-01-02 15:04 MST"))))
	}
	if unread > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.refile.there-are", phrase.Number("n", unread)))
	}
	n.Tables = append(n.Tables, m.log())
	return n
}

// log is the end of the log.
func (m Master) log() engine.Table {
	t := engine.Table{Caption: phrase.Say("office.show.log"), Head: []engine.Column{
		{Head: phrase.Say("office.show.entry"), Right: true}, {Head: phrase.Say("office.show.at")}, {Head: phrase.Say("office.show.what")},
		{Head: phrase.Say("office.seat.side")}, {Head: phrase.Say("office.show.by")},
	}}
	row := func(entry chain.Entry) {
		seq := entry.Seq
		e, err := log.Read(entry, nil)
		if err != nil {
			return
		}
		side := phrase.Value{Kind: "side", Text: string(e.Seat)}
		if e.Seat == "" {
			side = text("")
		}
		t.Rows = append(t.Rows, []phrase.Value{
			{Kind: phrase.KindNumber, Num: int(seq)}, text(e.At.In(timing.Zone(m.turn.Game.GM.Zone)).Format("2006-01-02 15:04")),
			say("office.log." + e.Kind), side, say("office.by." + e.By),
		})
	}
	from := uint64(1)
	if m.turn.Last.Seq > mostLogLines {
		from = m.turn.Last.Seq - mostLogLines + 1
	}
	if fresh := m.turn.Entries; len(fresh) > 0 { // what has just happened is shown whole
		from = min(from, fresh[0].Seq)
	}
	if err := m.past.EachFrom(from, func(e chain.Entry) error { row(e); return nil }); err != nil {
		m.Logger.Error("log not readable", "game", m.turn.Game.ID, "error", err)
	}
	return t
}

// ShowPosition gives the position as it is, with all that is hidden.
func (m Master) ShowPosition() (templates.Notice, error) {
	page := m.turn.View(engine.GM).Page()
	snapshot, err := m.turn.Position.Marshal()
	if err != nil {
		return templates.Notice{}, fmt.Errorf("write position: %w", err)
	}
	return templates.Notice{
		Heading: m.GMHeading(), Subject: phrase.Say("office.position.subject"), Lines: []phrase.Phrase{phrase.Say("office.position.secret")},
		Page: &page, Files: []templates.File{{Name: m.turn.Game.ID + "-position.yaml", Type: "application/yaml", Data: snapshot}},
	}, nil
}

// MasterHelp says what a game master may command.
func MasterHelp(h templates.Heading, commands []string) templates.Notice {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.help.subject"), Lines: []phrase.Phrase{phrase.Say("office.gm-help.how")}}
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.help.word")}, {Head: phrase.Say("office.help.does")}}}
	for _, name := range append([]string{"new", "answer"}, commands...) {
		t.Rows = append(t.Rows, []phrase.Value{text(name), say("office.gm-help.does-" + name)})
	}
	n.Tables = []engine.Table{t}
	return n
}
