package adjudicator

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// carry does what follows from what has happened so far: letters are written, each of the
// game as it stood then.
func (d *desk) carry() {
	if d.dry {
		return
	}
	for ; d.carried < len(d.effects); d.carried++ {
		switch e := d.effects[d.carried].(type) {
		case tells:
			w := d.asOf(e)
			if err := w.write(e); err != nil {
				d.unwritten = errors.Join(d.unwritten, err)
			}
			d.rows, d.pagesSent = append(d.rows, w.rows...), append(d.pagesSent, w.pagesSent...)
		case remarks:
			if e.err == nil {
				d.office.log.Info(e.what, "game", d.game.ID, "stop", e.stop)
			} else { // it may tell what is hidden
				d.office.log.Error(e.what, "game", d.game.ID, "stop", e.stop, "see", "berthier game show")
			}
		}
	}
}

// asOf is a desk at which a letter is written of the game as it stood once.
func (d *desk) asOf(e tells) *desk {
	t := &turn{table: e.at, around: d.around, entries: d.entries[:e.entries], milestones: d.milestones[:e.kept], answers: e.answers, readings: e.readings}
	if d.archives == nil {
		d.archives = map[string][]byte{}
	}
	return &desk{turn: t, office: d.office, reading: true, operator: d.operator, archives: d.archives}
}

// write writes the letter that tells a message.
func (d *desk) write(e tells) error {
	s := d.game.seat(e.to)
	switch m := e.message.(type) {
	case notice:
		return d.writeNotice(e, s, m)
	case newReport:
		letter := d.report(s, m.happened)
		d.keepPage(s)
		s.Reports++
		d.postReport(s, letter)
	case briefed:
		return d.brief(s)
	case wordAsked:
		d.post(s, "notice", nil, d.office.words.Notice(d.wordNotice(s)))
	case judged:
		return d.writeJudged(s, m)
	case onlooking:
		d.toObserver(e.person, m)
	default:
		return fmt.Errorf("write letter about %s: nobody knows how to tell %T", d.game.ID, m)
	}
	return nil
}

func (d *desk) writeNotice(e tells, s *seat, m notice) error {
	kind := m.kind
	if kind == "" {
		kind = "notice"
	}
	n := templates.Notice{Subject: d.office.atHis(e.person, m.subject)}
	for _, line := range m.lines {
		n.Lines = append(n.Lines, d.office.atHis(e.person, line))
	}
	if m.release {
		n.Texts = []string{releaseForm(d.game.ID, d.office.gmKey(d.game))}
	}
	if s != nil {
		n.Heading = d.heading(s)
		if m.owed {
			n.Owed = d.owed(s, m.template)
		}
		d.post(s, kind, nil, d.office.words.Notice(n))
		return nil
	}
	n.Heading = d.gmHeading()
	n.Heading.Reader = readerOf(e.person)
	letter := d.office.words.Notice(n)
	d.send(&outbox.Outgoing{Seat: engine.GM, Epoch: d.game.Epoch, Kind: kind, Name: e.person.Name, Address: e.person.Address, Letter: &letter}, nil)
	return nil
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
	case v.Kind == kindMoment:
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
func (o *Office) desk(t *table, now time.Time) *desk {
	d := &desk{office: o}
	d.turn = &turn{table: t, around: around{
		now: now, readUpTo: o.watch.until(now), grace: o.opt.Grace, masters: o.opt.GMs, draw: o.draw, past: d,
		oldBot: func(side engine.Side, stop int) [32]byte {
			return [32]byte(o.derive("bot", t.game.ID, string(side), string(binary.BigEndian.AppendUint64(nil, uint64(stop)))))
		},
	}}
	return d
}

// entryAt implements [past].
func (d *desk) entryAt(seq uint64) (entry chain.Entry, err error) {
	err = d.office.read(func(tx store.Reader) error {
		e, ok, err := tx.Entry(d.game.ID, seq)
		if err == nil && !ok {
			err = fmt.Errorf("read log of %s: there is no entry %d", d.game.ID, seq)
		}
		entry = e
		return err
	})
	return entry, err
}

// answerOf implements [past].
func (d *desk) answerOf(side engine.Side) (file []byte, err error) {
	err = d.office.read(func(tx store.Reader) error {
		file = tx.Answer(d.game.ID, string(side))
		return nil
	})
	return file, err
}
