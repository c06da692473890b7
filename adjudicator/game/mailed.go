package game

import (
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
	"time"
)

// A Mailed letter is one of the game's that was sent, or could not be.
type Mailed struct {
	Seat    engine.Side
	Epoch   int    // of the seat's player then
	Address string // to which it went
	Kind    string
	Report  bool // it is a report, with what the seat owes
	Written time.Time
	Error   string // why it was lost
	State   string // what became of it
}

// mostFailures is after how many letters lost for good an address is marked.
const mostFailures = 2

// holder is the seat of the player to whom a letter went: if he has changed
// seats since then, it is the one that he has now. It is nil if the letter was
// the game master's, or to a player who has gone.
func (m Mailed) holder(g *State) *Seat {
	side, epoch := m.Seat, m.Epoch
	for _, x := range g.Exchanges {
		for i := range x.Sides {
			if x.Sides[i] == side && x.Epochs[i] == epoch+1 {
				side, epoch = x.Sides[1-i], x.Epochs[1-i]
				break
			}
		}
	}
	s := g.Seat(side)
	if s == nil || s.Epoch != epoch || s.Person.Address != m.Address {
		return nil
	}
	return s
}

// asksFor tells whether a lost letter is the report that asked a seat for what it
// owes now, and its player has not written since: he does not know of it.
func (m Mailed) asksFor(s *Seat) bool {
	return s != nil && s.Owes != nil && m.Report && !m.Written.Before(s.Owes.Opened) && !s.Heard.After(m.Written)
}

// ReportWaits is that a report can't be sent yet: its player's clock stands still.
type ReportWaits struct{ Letter Mailed }

func (w ReportWaits) happen(t *Turn) error {
	if s := w.Letter.holder(t.Game); w.Letter.asksFor(s) {
		_, err := Stand(t, s, false)
		return err
	}
	return nil
}

// ReportLeft is that a report that waited has left: its player's clock goes on. What is
// thought of the address, which a letter can have feigned, keeps nobody's clock still that
// stood for this report alone.
type ReportLeft struct{ Letter Mailed }

func (l ReportLeft) happen(t *Turn) error {
	if s := l.Letter.holder(t.Game); l.Letter.asksFor(s) && (!s.Dead || s.Owes.Unsent) {
		GoOn(t, s)
	}
	return nil
}

// LetterLost is that a letter will never arrive. It is counted against the address of the
// seat that it was for, and the game master is told.
type LetterLost struct {
	Letter   Mailed
	Believed bool // what says so can't be forged
}

func (l LetterLost) happen(t *Turn) error {
	m := l.Letter
	s, about := m.holder(t.Game), m.Seat
	if s != nil {
		about = s.Side
	}
	data := map[string]any{"kind": m.Kind, "error": m.Error, "state": m.State}
	if err := t.Log(log.Entry{Kind: log.KindLost, Seat: about, By: "office", Data: data}); err != nil {
		return err
	}
	if s == nil {
		return nil // the game master's own, or of a player who has gone
	}
	s.Failures++
	if s.Failures == MostBounces {
		t.TellOf(s, phrase.Say("office.lost.subject", SideName(s.Side)), phrase.Say("office.lost.stopped", SideName(s.Side), phrase.Number("letters", MostBounces)))
	}
	s.Dead = s.Dead || s.Failures >= mostFailures
	s.Back = s.Back || l.Believed
	stood := false
	if !l.Believed && m.asksFor(s) && s.Owes.Unsent { // it is not sent again, and the clock stood for it alone
		GoOn(t, s)
	}
	if l.Believed && m.asksFor(s) {
		var err error
		if stood, err = Stand(t, s, true); err != nil {
			return err
		}
	}
	lines := []phrase.Phrase{phrase.Say("office.lost.letter", SideName(s.Side), phrase.Literal("address", s.Person.Address),
		phrase.Literal("error", m.Error))}
	if s.Failures == mostFailures {
		lines = append(lines, phrase.Say("office.lost.dead", SideName(s.Side)))
	}
	switch {
	case stood:
		TellStands(t, s, lines...)
	case s.Failures <= mostFailures:
		t.TellOf(s, phrase.Say("office.lost.subject", SideName(s.Side)), lines...)
	}
	return nil
}
