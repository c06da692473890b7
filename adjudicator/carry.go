package adjudicator

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/past"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders/phrase"
	"berthier/templates"
)

// carry does what follows from what has happened so far: letters are written, each of the
// game as it stood then.
func (d *desk) carry() {
	for ; d.carried < len(d.Effects); d.carried++ {
		switch e := d.Effects[d.carried].(type) {
		case game.Told:
			w := d.asOf(e)
			if err := w.write(e); err != nil {
				d.unwritten = errors.Join(d.unwritten, err)
			}
			d.rows, d.pagesSent = append(d.rows, w.rows...), append(d.pagesSent, w.pagesSent...)
		case game.Remark:
			if e.Err == nil {
				d.office.log.Info(e.What, "game", d.Game.ID, "stop", e.Stop)
			} else { // it may tell what is hidden
				d.office.log.Error(e.What, "game", d.Game.ID, "stop", e.Stop, "see", "berthier game show")
			}
		}
	}
}

// Do lets something happen to the game.
func (d *desk) Do(in game.Input) error {
	if d.office.step != nil {
		return d.office.step(d.Turn, in)
	}
	return d.Turn.Do(in)
}

// asOf is a desk at which a letter is written of the game as it stood once.
func (d *desk) asOf(e game.Told) *desk {
	t := &game.Turn{Table: e.At, Around: d.Around, Entries: d.Entries[:e.Entries], Checkpoints: d.Checkpoints[:e.Kept], Answers: e.Answers, Readings: e.Readings}
	if d.archives == nil {
		d.archives = map[string][]byte{}
	}
	w := d.office.deskOf(t)
	w.reading, w.operator, w.archives = true, d.operator, d.archives
	return w
}

// write writes the letter that tells a message.
func (d *desk) write(e game.Told) error {
	s := d.Game.Seat(e.To)
	switch m := e.Message.(type) {
	case game.Notice:
		return d.writeNotice(e, s, m)
	case game.Report:
		letter := d.report(s, m.Happened)
		d.keepPage(s)
		s.Reports++
		d.postReport(s, letter)
	case game.Briefing:
		return d.brief(s)
	case game.WordAsked:
		d.post(s, "notice", nil, d.office.words.Notice(d.wordNotice(s)))
	case game.Judged:
		return d.writeJudged(s, m)
	case game.Farewell:
		d.sayFarewell(s, m)
	case game.Onlooking:
		d.toObserver(e.Person, m)
	default:
		return fmt.Errorf("write letter about %s: nobody knows how to tell %T", d.Game.ID, m)
	}
	return nil
}

func (d *desk) writeNotice(e game.Told, s *game.Seat, m game.Notice) error {
	kind := m.Kind
	if kind == "" {
		kind = "notice"
	}
	n := templates.Notice{Subject: d.office.atHis(e.Person, m.Subject)}
	for _, line := range m.Lines {
		n.Lines = append(n.Lines, d.office.atHis(e.Person, line))
	}
	if m.Release {
		n.Texts = []string{releaseForm(d.Game.ID, d.office.gmKey(d.Game))}
	}
	var to *mail.Letter
	if m.Re != nil {
		to = &mail.Letter{MessageID: m.Re.MessageID, References: m.Re.References}
	}
	if s != nil {
		n.Heading = d.heading(s)
		if m.Owed {
			n.Owed = d.owed(s, m.Template)
		}
		d.post(s, kind, to, d.office.words.Notice(n))
		return nil
	}
	n.Heading = d.gmHeading()
	n.Heading.Reader = readerOf(e.Person)
	letter := d.office.words.Notice(n)
	d.send(&outbox.Outgoing{Seat: engine.GM, Epoch: d.Game.Epoch, Kind: kind, Name: e.Person.Name, Address: e.Person.Address, Letter: &letter}, nil)
	return nil
}

// sayFarewell writes to a seat that the game master has ended the game.
func (d *desk) sayFarewell(s *game.Seat, m game.Farewell) {
	lines := append([]phrase.Phrase{phrase.Say("office.closed.what", phrase.Literal("reason", m.Reason))}, game.SayDice(d.Turn)...)
	n := templates.Notice{Heading: d.heading(s), Subject: phrase.Say("office.closed.subject"), Lines: append(lines, d.sayPreviews()...)}
	if file := d.packs(s); file != nil {
		n.Lines = append(n.Lines, file.Say())
		n.Files = append(n.Files, file.File)
	}
	d.post(s, "notice", nil, d.office.words.Notice(n))
}

// reference is the letter, as what happens by it refers to it.
func (it *arrival) reference() game.Reference {
	return game.Reference{Digest: log.HexOf(it.Mail.Digest), MessageID: it.Mail.MessageID, References: it.Mail.References}
}

// atHis is a phrase with its moments by the clock of a person.
func (o *Office) atHis(p log.Person, say phrase.Phrase) phrase.Phrase {
	args := make([]phrase.Arg, len(say.Args))
	for i, a := range say.Args {
		args[i] = phrase.Arg{Name: a.Name, Value: o.valueAtHis(p, a.Value)}
	}
	if say.Args == nil {
		args = nil
	}
	return phrase.Phrase{Code: say.Code, Args: args}
}

func (o *Office) valueAtHis(p log.Person, v phrase.Value) phrase.Value {
	switch {
	case v.Kind == game.KindMoment:
		t, err := time.Parse(time.RFC3339Nano, v.Text)
		if err != nil { // the office wrote it
			panic(err)
		}
		return phrase.Value{Kind: phrase.KindLiteral, Text: o.words.Date(templates.Language(p.Language), t, timing.Zone(p.Zone))}
	case v.Say != nil:
		say := o.atHis(p, *v.Say)
		v.Say = &say
	case v.List != nil:
		list := make([]phrase.Value, len(v.List))
		for i, item := range v.List {
			list[i] = o.valueAtHis(p, item)
		}
		v.List = list
	}
	return v
}

// desk is where a change of a game is prepared.
func (o *Office) desk(t *game.Table, now time.Time) *desk {
	return o.deskOf(&game.Turn{Table: t, Around: game.Around{
		Now: now, ReadUpTo: o.watch.until(now), Grace: o.opt.Grace, Masters: o.opt.GMs, Draw: o.draw, Past: kept{o, t.Game.ID}, Digest: o.digest(t.Game.System),
		OldBot: func(side engine.Side, stop int) [32]byte {
			return [32]byte(o.derive("bot", t.Game.ID, string(side), string(binary.BigEndian.AppendUint64(nil, uint64(stop)))))
		},
	}})
}

// deskOf is a desk at which a turn is worked on.
func (o *Office) deskOf(t *game.Turn) *desk {
	return &desk{Turn: t, office: o, past: past.Of(t, kept{o, t.Game.ID})}
}
