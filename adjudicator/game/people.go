package game

import (
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail/mailbox"
	"berthier/orders/phrase"
)

// A RefusedError says why an act of the game master can't be done, in a form
// that is put into his language.
type RefusedError struct{ Why phrase.Phrase }

// Error implements error.
func (e *RefusedError) Error() string { return "refused: " + e.Why.Code }

// Refuse is the error that says why something may not be.
func Refuse(code string, args ...phrase.Arg) error { return &RefusedError{phrase.Say(code, args...)} }

// MayTake tells why an address may not have a seat: it has another one or had one, or sees what is
// hidden as an observer, or did; or nobody could look after the game any more who may see all
// of it, and so nobody undo this either.
func MayTake(g *State, s *Seat, address string, masters []log.Person) error {
	for _, other := range g.Seats {
		if other != s && address != "" && mailbox.Same(other.Person.Address, address) {
			return Refuse("office.gm.has-seat", phrase.Literal("address", address), SideName(other.Side))
		}
	}
	if slices.ContainsFunc(g.Observers, func(w *Observer) bool { return w.View == ViewFull && mailbox.Same(w.Person.Address, address) }) {
		return Refuse("office.gm.has-seen", phrase.Literal("address", address))
	}
	if slices.ContainsFunc(g.Saw, func(w Saw) bool { return w.Side != s.Side && address != "" && mailbox.Same(w.Address, address) }) {
		return Refuse("office.gm.has-sat", phrase.Literal("address", address))
	}
	looks := func(p log.Person) bool { return !g.Plays(p.Address) }
	stays := func(p log.Person) bool { return looks(p) && !mailbox.Same(p.Address, address) }
	all := append(g.MastersOf(), masters...)
	if !g.GMPlays && slices.ContainsFunc(all, looks) && !slices.ContainsFunc(all, stays) {
		return Refuse("office.gm.locks", phrase.Literal("address", address))
	}
	return nil
}

// BlindCommands are commands that even a game master who plays may give. They show
// nothing hidden and treat all sides alike.
var BlindCommands = []string{"pause", "resume", "extend", "remind", "close", "list", "help", "rules"}

// Blind tells whether someone who acts as game master may not see what is hidden,
// and why.
func (t *Turn) Blind(address string) (phrase.Phrase, bool) {
	if t.Game.GMPlays || !t.Game.Plays(address) {
		return phrase.Phrase{}, false
	}
	return phrase.Say("office.gm.plays", phrase.Literals("commands", BlindCommands)), true
}

// Partial tells whether what is hidden in a game must be kept from somebody who looks after
// it, since he plays in it.
func Partial(g *State, masters []log.Person) bool {
	if g.GMPlays {
		return false
	}
	return slices.ContainsFunc(append(g.MastersOf(), masters...), func(p log.Person) bool { return g.Plays(p.Address) })
}

// Wardens are the game master and the administrators who do not play in a game.
func Wardens(g *State, masters []log.Person) []log.Person {
	var all []log.Person
	for _, p := range append(g.MastersOf(), masters...) {
		if !g.Plays(p.Address) && !slices.ContainsFunc(all, func(q log.Person) bool { return q.Address == p.Address }) {
			all = append(all, p)
		}
	}
	return all
}

// heard notes that a player has written with his key: he is there.
func heard(t *Turn, s *Seat) error {
	s.Failures, s.Dead, s.Heard = 0, false, t.Now // whoever writes can read
	GoOn(t, s)
	if !s.Bot || s.Lent.bounded() {
		return nil
	}
	return takeBack(t, s, "player")
}

// reserve gives a seat to the first of the reserves who does not take part yet.
// If there is none the game master is told, once.
func reserve(t *Turn, s *Seat) (bool, error) {
	for i, p := range t.Game.Reserves {
		if t.Game.takesPart(p.Address) || t.Game.Plays(p.Address) || MayTake(t.Game, s, p.Address, t.Masters) != nil {
			continue
		}
		t.Game.Reserves = slices.Delete(slices.Clone(t.Game.Reserves), i, i+1)
		streak, resigned := s.Streak, s.Resigned
		if err := GiveSeat(t, s, p, "office"); err != nil {
			return false, err
		}
		code := "office.replaced.gm"
		if resigned {
			code = "office.replaced.gm-resigned"
		}
		t.TellGM(phrase.Say("office.replaced.subject-other", SideName(s.Side)),
			phrase.Say(code, SideName(s.Side), phrase.Number("n", streak), phrase.Literal("name", p.Name), phrase.Literal("address", p.Address)))
		return true, nil
	}
	if s.Wanted || s.Resigned {
		return false, nil
	}
	s.Wanted = true
	if t.Game.League != "" {
		return false, nil // the league looks for a substitute
	}
	t.TellGM(phrase.Say("office.wanted.subject", SideName(s.Side)),
		phrase.Say("office.wanted.gm", SideName(s.Side), phrase.Number("n", s.Streak)))
	return false, nil
}

// GiveSeat gives a seat to another player, with a key of his own. His briefing
// and his first report go out when everything that is due is done.
func GiveSeat(t *Turn, s *Seat, to log.Person, by string) error {
	if to.Bot == "" {
		to.Address = mailbox.Clean(to.Address)
	}
	if to.Zone == "" {
		to.Zone = t.Game.Timing.Zone
	}
	old := s.Person
	if err := TellVerdicts(t, s, true); err != nil { // the player leaves, and is told the results of his letters
		return err
	}
	if old.Address != to.Address {
		code := "office.replaced.old"
		if by == "office" {
			code = "office.replaced.old-silent"
		}
		if s.Resigned && by == "office" {
			code = "office.replaced.old-resigned"
		}
		t.TellSeat(s, phrase.Say("office.replaced.subject"), phrase.Say(code))
	}
	if s.Person, s.Draft = to, ""; s.Soon != nil {
		s.Soon.Filed = nil // who has the seat now answers himself
	}
	s.Replied = time.Time{}
	endAhead(s)
	s.Taken, s.Filed, s.Alone, s.Spoken = nil, nil, nil, nil // he begins without what another filed, and his first report answers no letter of another's
	s.Vacated = false
	s.Resigned, s.Bot, s.Lent, s.Wanted, s.Dead, s.Back, s.Stood = false, false, nil, false, false, false, false
	s.Failures, s.Missed, s.Streak, s.Heard, s.Absences = 0, 0, 0, time.Time{}, nil
	s.Epoch++
	if to.Bot == "" {
		t.Joined = append(t.Joined, to.Address)
	}
	if old.Bot == "" && old.Address != to.Address && s.Reports > 0 {
		t.Game.saw(old.Address, s.Side)
	}
	if old.Bot == "" && !t.Game.takesPart(old.Address) {
		t.Left = append(t.Left, old.Address)
	}
	if err := t.Log(log.Entry{Kind: log.KindReplaced, Seat: s.Side, By: by, Data: log.Leaving{Bot: to.Bot, Ends: true}, Private: map[string]any{"old": old, "new": to}}); err != nil {
		return err
	}
	if err := takeWordBack(t, s); err != nil {
		return err
	}
	other := phrase.Say("office.replaced.other", SideName(s.Side))
	if to.Bot != "" {
		other = sayBot(s)
	}
	t.tellOthers(s, phrase.Say("office.replaced.subject-other", SideName(s.Side)), other)
	s.Full, s.Attach, s.Overnight = false, false, false
	s.Reports = 0 // his first report names the commitment of the dice
	GoOn(t, s)
	if s.Owes != nil {
		s.Owes.Gained = 0 // who has the seat now has not been away
	}
	if s.Owes != nil && s.Owes.Answer == nil && !s.Owes.Deadline.IsZero() {
		// Nobody can answer at once for a side that he has not seen before.
		if fresh := t.Game.Timing.Of(s.Owes.Decision.Kind).Deadline(t.Game.Clock(t.Now)); fresh.After(s.Owes.Deadline) || fresh.After(s.Owes.Rested) && !s.Owes.Rested.IsZero() {
			s.Owes.rests(fresh)
			Postpone(t, s, laterOf(fresh, s.Owes.Deadline))
		}
	}
	if t.fresh == nil {
		t.fresh = map[engine.Side]bool{}
	}
	t.fresh[s.Side] = true
	return nil
}
