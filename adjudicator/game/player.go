package game

import (
	"errors"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// A Reference is the letter that caused something.
type Reference struct {
	Digest     string // hex, as the log has it
	MessageID  string
	References []string
}

// Wrote says that a player has written with his key: he is there.
type Wrote struct{ Side engine.Side }

func (w Wrote) happen(t *Turn) error { return heard(t, t.Game.Seat(w.Side)) }

// Resigned says that a player leaves the game: from now on the defaults play for him, until
// the game master finds another player.
type Resigned struct {
	Side   engine.Side
	Letter Reference
}

func (r Resigned) happen(t *Turn) error {
	s := t.Game.Seat(r.Side)
	if t.Game.Phase != Running || s.Resigned {
		return Refuse("office.resign.not-now")
	}
	endAhead(s)
	s.Resigned, s.Bot, s.Lent = true, false, nil
	if err := t.Log(log.Entry{Kind: log.KindResigned, Seat: s.Side, By: "player", Letter: r.Letter.Digest, Data: log.Leaving{Ends: true}}); err != nil {
		return err
	}
	if t.Game.Silence.Replace > 0 {
		if took, err := reserve(t, s); took || err != nil {
			return errors.Join(err, settle(t))
		}
	}
	how := ""
	if t.Game.Silence.Bot > 0 {
		how = "-bot"
	}
	subject := phrase.Say("office.resign.subject", SideName(s.Side))
	t.toSeat(s, Notice{Re: &r.Letter, Subject: subject, Lines: []phrase.Phrase{phrase.Say("office.resign.you" + how)}, Owed: true})
	left := false
	for _, other := range t.Game.Seats {
		if other != s {
			t.TellSeat(other, subject, phrase.Say("office.resign.other"+how, SideName(s.Side)))
			left = left || other.Played()
		}
	}
	t.TellGM(subject, phrase.Say("office.resign.gm"+how, SideName(s.Side)))
	if !left { // nobody is there to play on for
		return t.Do(Paused{By: "office"})
	}
	return settle(t)
}

// WentAway says that a player has booked an absence, or withdrawn one that he had booked. It
// has been checked that he may. What is due because of it is done when it is settled.
type WentAway struct {
	Side   engine.Side
	Booked Absence
	Cancel bool
	Letter Reference
}

func (w WentAway) happen(t *Turn) error {
	s := t.Game.Seat(w.Side)
	if w.Cancel {
		s.Absences = slices.DeleteFunc(s.Absences, func(a Absence) bool { return !a.From.Before(t.Now) })
		for i := range s.Absences {
			if s.Absences[i].Until.After(t.Now) {
				s.Absences[i].Until = t.Now
			}
		}
	} else {
		s.Absences = append(s.Absences, w.Booked)
	}
	if err := t.Log(log.Entry{Kind: log.KindAbsence, Seat: s.Side, By: "player", Letter: w.Letter.Digest, Data: s.Absences}); err != nil {
		return err
	}
	if w.Cancel {
		takeRoom(t, s)
	} else {
		makeRoom(t, s)
	}
	tellAbsence(t, s, SayAbsence("office.absence.other", s, w.Cancel, w.Booked))
	return nil
}

// SayAbsence says from when until when a player is away, or that he no longer is.
func SayAbsence(code string, s *Seat, cancel bool, a Absence) phrase.Phrase {
	if cancel {
		return phrase.Say(code+"-cancelled", SideName(s.Side))
	}
	return phrase.Say(code, SideName(s.Side), phrase.Within("from", Moment(a.From)), phrase.Within("until", Moment(a.Until)))
}

// Wished is how a player wants his reports from now on. Nobody else learns of it.
type Wished struct {
	Side   engine.Side
	Full   bool // the whole position in the text, each time
	Attach bool // and attached for programs
}

func (w Wished) happen(t *Turn) error {
	s := t.Game.Seat(w.Side)
	s.Full, s.Attach = w.Full, w.Attach
	return nil
}

// GaveWord says that a player has given his word for luck. It has been checked that he may.
// What is due because of it is done when it is settled.
type GaveWord struct {
	Side   engine.Side
	Word   string
	Letter Reference
}

func (w GaveWord) happen(t *Turn) error {
	l := *t.Game.Luck
	l.Words = map[engine.Side]string{w.Side: w.Word}
	for side, word := range t.Game.Luck.Words {
		if side != w.Side {
			l.Words[side] = word
		}
	}
	t.Game.Luck = &l
	return t.Log(log.Entry{Kind: log.KindWord, Seat: w.Side, By: "player", Letter: w.Letter.Digest, Data: log.LuckWord{Side: w.Side, Word: w.Word}})
}

// Disputed is that a player disputes an event. The other side learns nothing of it: the event
// may be one that it knows nothing of. It has been found that he may.
type Disputed struct {
	Side   engine.Side
	About  log.Disputed
	What   phrase.Phrase // the event, as he was told
	Letter Reference
}

func (d Disputed) happen(t *Turn) error {
	if err := t.Log(log.Entry{Kind: log.KindDispute, Seat: d.Side, By: "player", Letter: d.Letter.Digest, Data: d.About}); err != nil {
		return err
	}
	t.Game.Disputes = append(slices.Clone(t.Game.Disputes), t.Last.Seq)
	t.TellWhoMayKnow(phrase.Say("office.dispute.subject-gm"), phrase.Say("office.dispute.gm", SideName(d.Side), phrase.Number("entry", int(t.Last.Seq)),
		phrase.Literal("reason", d.About.Reason)), d.What, phrase.Say("office.dispute.do"))
	return nil
}

// Noted is that a player's file has a note for the game master.
type Noted struct {
	Side engine.Side
	Say  phrase.Phrase // the note, and with what it came
}

func (n Noted) happen(t *Turn) error {
	t.TellGM(phrase.Say("office.note.subject", SideName(n.Side)), n.Say)
	return nil
}

// TemplateAsked is that a player gets what he owes once more, with an order file for it that has
// a serial number of its own.
type TemplateAsked struct{ Side engine.Side }

func (a TemplateAsked) happen(t *Turn) error {
	t.Game.Seat(a.Side).NewSerial()
	return nil
}

// TalkEnded is that a player gets no more answers to letters that change nothing, until one
// of them changes something.
type TalkEnded struct {
	Side  engine.Side
	Until time.Time // up to which his order files are still answered in one line, though they say nothing new
}

func (e TalkEnded) happen(t *Turn) error {
	t.TellOwing(t.Game.Seat(e.Side), "", phrase.Say("office.talk.subject"), false, phrase.Say("office.talk.you"), phrase.Say("office.talk.files", phrase.Within("until", Moment(e.Until))), phrase.Say("office.talk.go-on"))
	t.TellGM(phrase.Say("office.talk.subject"), phrase.Say("office.talk.gm", SideName(e.Side)), phrase.Say("office.talk.go-on"))
	return nil
}

// KeyElsewhere is that somebody wrote with a key from an address that is not its holder's, who
// is told, with what he owes. Whoever wrote changes nothing, to the serial number of the order
// file.
type KeyElsewhere struct{ Side engine.Side } // engine.GM: the game master's

func (k KeyElsewhere) happen(t *Turn) error {
	n := Notice{Subject: phrase.Say("office.elsewhere.subject"), Lines: []phrase.Phrase{
		phrase.Say("office.elsewhere.what"), phrase.Say("office.elsewhere.do"), phrase.Say("office.unproven.not-you")}}
	if s := t.Game.Seat(k.Side); s != nil {
		n.Owed, n.Template = true, true
		t.toSeat(s, n)
		return nil
	}
	t.TellGM(n.Subject, n.Lines...)
	return nil
}
