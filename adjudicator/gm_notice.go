package adjudicator

import (
	"encoding/json"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

func text(s string) phrase.Value { return phrase.Value{Kind: phrase.KindLiteral, Text: s} }

func say(code string, args ...phrase.Arg) phrase.Value {
	p := phrase.Say(code, args...)
	return phrase.Value{Kind: phrase.KindPhrase, Say: &p}
}

// seatTable lists the seats as the game master may see them: never what was
// answered.
func (d *desk) seatTable() engine.Table {
	t := engine.Table{Head: []engine.Column{
		{Head: phrase.Say("office.seat.side")}, {Head: phrase.Say("office.seat.name")}, {Head: phrase.Say("office.seat.address")},
		{Head: phrase.Say("office.seat.owes")}, {Head: phrase.Say("office.seat.deadline")}, {Head: phrase.Say("office.seat.state")},
		{Head: phrase.Say("office.seat.missed"), Right: true},
	}}
	for _, s := range d.Game.Seats {
		owes, deadline, state := say("office.seat.nothing"), text(""), text("")
		if o := s.Owes; o != nil {
			p := game.SayStop(o)
			owes = phrase.Value{Kind: phrase.KindPhrase, Say: &p}
			if !o.Deadline.IsZero() {
				deadline = text(o.Deadline.In(timing.Zone(d.Game.GM.Zone)).Format("2006-01-02 15:04 MST"))
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
		case s.Bot:
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

// mostLogLines is how many entries of the log a letter shows.
const mostLogLines = 20

func (d *desk) showNotice() templates.Notice {
	n := templates.Notice{Heading: d.letters.GMHeading(), Subject: phrase.Say("office.show.subject"), Tables: []engine.Table{d.seatTable()}}
	n.Lines = append(n.Lines, phrase.Say("office.show.state", phrase.Within("state", phrase.Say("office.state."+d.Game.StateName())),
		phrase.Number("stop", d.Game.Stop), phrase.Number("entries", int(d.Last.Seq))))
	if d.Game.Fault != "" {
		n.Lines = append(n.Lines, phrase.Say("office.show.fault", phrase.Literal("error", phrase.Clip(d.Game.Fault, 200))))
	}
	if !d.Game.Resolve.IsZero() && d.Game.Phase == game.Running {
		n.Lines = append(n.Lines, phrase.Say("office.show.second", phrase.Literal("at", d.Game.Resolve.In(timing.Zone(d.Game.GM.Zone)).Format("2006-01-02 15:04 MST"))))
	}
	n.Lines = append(n.Lines, d.sayUnread()...)
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
			{Kind: phrase.KindNumber, Num: int(seq)}, text(e.At.In(timing.Zone(d.Game.GM.Zone)).Format("2006-01-02 15:04")),
			say("office.log." + e.Kind), side, say("office.by." + e.By),
		})
	}
	from := uint64(1)
	if d.Last.Seq > mostLogLines {
		from = d.Last.Seq - mostLogLines + 1
	}
	err := d.office.read(func(tx store.Reader) error {
		return tx.Entries(d.Game.ID, from, func(e chain.Entry) error { row(e); return nil })
	})
	if err != nil {
		d.office.log.Error("log not readable", "game", d.Game.ID, "error", err)
	}
	for _, e := range d.Entries { // of this change
		row(e)
	}
	n.Tables = append(n.Tables, t)
	return n
}

func (d *desk) positionNotice() (templates.Notice, error) {
	page := d.View(engine.GM).Page()
	snapshot, err := d.Position.Marshal()
	if err != nil {
		return templates.Notice{}, fmt.Errorf("write position: %w", err)
	}
	return templates.Notice{
		Heading: d.letters.GMHeading(), Subject: phrase.Say("office.position.subject"), Lines: []phrase.Phrase{phrase.Say("office.position.secret")},
		Page: &page, Files: []templates.File{{Name: d.Game.ID + "-position.yaml", Type: "application/yaml", Data: snapshot}},
	}, nil
}

// mostListed is how many games a letter lists.
const mostListed = 500

// listNotice lists the games that an address looks after.
func (o *Office) listNotice(h templates.Heading, address string) (templates.Notice, error) {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.list.subject")}
	t := engine.Table{Head: []engine.Column{
		{Head: phrase.Say("office.list.game")}, {Head: phrase.Say("office.list.title")}, {Head: phrase.Say("office.list.system")},
		{Head: phrase.Say("office.list.state")}, {Head: phrase.Say("office.list.stop"), Right: true}, {Head: phrase.Say("office.list.waiting"), Right: true},
	}}
	err := o.read(func(tx store.Reader) error {
		for _, id := range tx.GamesOf(address, mostListed) {
			var g game.State
			if err := json.Unmarshal(tx.Game(id), &g); err != nil {
				return fmt.Errorf("list game %s: %w", id, err)
			}
			if g.GM.Address != address {
				continue
			}
			s := summaryOf(&g)
			if !g.GMPlays && g.Plays(address) {
				s.Waiting = nil // it would tell who has written
			}
			t.Rows = append(t.Rows, []phrase.Value{
				text(s.ID), text(s.Title), text(s.System), say("office.state." + s.State),
				{Kind: phrase.KindNumber, Num: s.Stop}, {Kind: phrase.KindNumber, Num: len(s.Waiting)},
			})
		}
		return nil
	})
	n.Tables = []engine.Table{t}
	return n, err
}

func gmHelp(h templates.Heading) templates.Notice {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.help.subject"), Lines: []phrase.Phrase{phrase.Say("office.gm-help.how")}}
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.help.word")}, {Head: phrase.Say("office.help.does")}}}
	for _, name := range append([]string{"new", "answer"}, gmCommands...) {
		t.Rows = append(t.Rows, []phrase.Value{text(name), say("office.gm-help.does-" + name)})
	}
	n.Tables = []engine.Table{t}
	return n
}
