package game

import (
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Lent says for how long a player has lent his seat to the bot. With neither a stop nor a time
// it is until he writes again.
type Lent struct {
	Stop  int       `json:"stop,omitempty"` // from this stop on, as the seat counts, the player answers again
	Until time.Time `json:"until,omitzero"` // he answers again what opens from then on
}

// over tells whether the player himself answers what his seat is asked now.
func (l *Lent) over(s *Seat, now time.Time) bool {
	return l.Stop > 0 && s.Stops >= l.Stop || !l.Until.IsZero() && !now.Before(l.Until)
}

// bounded tells whether the seat is lent beyond its player's next letter.
func (l *Lent) bounded() bool { return l != nil && (l.Stop > 0 || !l.Until.IsZero()) }

// LentToBot says that a player lends his seat to the bot. It has been checked that he may.
type LentToBot struct {
	Side   engine.Side
	For    Lent
	Letter Reference
}

func (l LentToBot) happen(t *Turn) error {
	s := t.Game.Seat(l.Side)
	s.Bot, s.Lent = true, &l.For
	if err := t.Log(log.Entry{Kind: log.KindBot, Seat: s.Side, By: "player", Letter: l.Letter.Digest, Data: l.For}); err != nil {
		return err
	}
	subject := phrase.Say("office.bot.subject", SideName(s.Side))
	t.toSeat(s, Notice{Re: &l.Letter, Subject: subject, Lines: []phrase.Phrase{l.For.say()}})
	t.tellOthers(s, subject, phrase.Say("office.lent.other", SideName(s.Side)))
	return settle(t)
}

// say says for how long the seat is lent, and how its player has it back.
func (l Lent) say() phrase.Phrase {
	switch {
	case l.Stop > 0:
		return phrase.Say("office.lent.stop", phrase.Number("stop", l.Stop))
	case !l.Until.IsZero():
		return phrase.Say("office.lent.until", phrase.Within("until", Moment(l.Until)))
	}
	return phrase.Say("office.lent.letter")
}

// TakenBack says that a player has his seat back from the bot before the time.
type TakenBack struct{ Side engine.Side }

func (b TakenBack) happen(t *Turn) error { return takeBack(t, t.Game.Seat(b.Side), "player") }

// takeBack gives a seat that the bot has played for back to its player.
func takeBack(t *Turn, s *Seat, by string) error {
	s.Bot, s.Lent, s.Streak = false, nil, 0
	owesAgain(t, s)
	if err := t.Log(log.Entry{Kind: log.KindReturned, Seat: s.Side, By: by}); err != nil {
		return err
	}
	t.TellSeat(s, phrase.Say("office.returned.subject", SideName(s.Side)), phrase.Say("office.returned.you"))
	t.tellOthers(s, phrase.Say("office.returned.subject", SideName(s.Side)), phrase.Say("office.returned.other", SideName(s.Side)))
	return nil
}
