package game

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// Remember keeps the position that the last log entry led to. The snapshot is
// the position's; Remember is called when the stop at which the position waits is
// open, or the game over.
func (t *Turn) Remember(seq uint64, kind string, snapshot []byte) {
	m := log.Checkpoint{Seq: seq, Parent: t.Game.Head, Kind: kind, Stop: t.Game.Stop, Stops: map[engine.Side]int{},
		Options: t.Game.Options, Events: map[engine.Side]int{}, Snapshot: snapshot}
	for _, s := range t.Game.Seats {
		m.Stops[s.Side] = s.Stops
		if s.Ahead != nil {
			if m.Ahead == nil {
				m.Ahead = map[engine.Side]*log.Ahead{}
			}
			m.Ahead[s.Side] = s.Ahead.Clone()
		}
		m.Events[s.BookOf()] = s.Events
		if s.Once != "" {
			if m.Once == nil {
				m.Once = map[engine.Side]string{}
			}
			m.Once[s.Side] = s.Once
		}
	}
	t.Game.Head = seq
	t.Checkpoints = append(t.Checkpoints, m)
}

// Place replaces the position of the game.
func (t *Turn) Place(position engine.Position) {
	t.Position, t.Moved = position, true
	t.Views = map[engine.Side]engine.View{}
	t.Readings = nil
}

// start opens a new game: the first stop, and a report to every seat.
func start(t *Turn) error {
	t.Moved = true
	if t.Game.Luck != nil {
		askLuck(t)
		return nil
	}
	return begin(t)
}

// begin opens the first stop of a game that was made.
func begin(t *Turn) error {
	const made = 1 // the log begins with the set-up
	t.Moved = true
	snapshot, err := t.Position.Marshal()
	if err != nil {
		return fmt.Errorf("start %s: %w", t.Game.ID, err)
	}
	if _, over := t.Position.Outcome(); !over && len(t.Position.Owed()) == 0 { // its first stop takes dice
		t.Remember(made, log.KindSetup, snapshot)
		if err := Resolve(t, map[engine.Side]bool{}); err != nil {
			return err
		}
	} else {
		if err := OpenStop(t); err != nil {
			return err
		}
		t.Remember(made, log.KindSetup, snapshot)
	}
	tellBots(t)
	for _, s := range t.Game.Seats {
		SendReport(t, s)
	}
	return settle(t)
}

// OpenStop asks the sides that owe a decision at the present stop.
func OpenStop(t *Turn) error {
	owed := t.Position.Owed()
	if len(owed) == 0 {
		return fmt.Errorf("open stop of %s: nothing is owed and the game is not over", t.Game.ID)
	}
	t.Game.Stop++
	t.Game.Resolve = time.Time{}
	for _, decision := range owed {
		s := t.Game.Seat(decision.Side)
		if s == nil {
			return fmt.Errorf("open stop of %s: side %q has no seat", t.Game.ID, decision.Side)
		}
		s.Stops++
		if s.Lent != nil && s.Lent.over(s, t.Now) {
			if err := takeBack(t, s, "office"); err != nil {
				return err
			}
		}
		s.Owes = &Owes{Stop: s.Stops, Decision: decision, Opened: t.Now}
		SetDeadline(t, s, t.Game.Clock(t.Now))
		if s.Dead {
			if err := asksTheDead(t, s); err != nil {
				return err
			}
		}
	}
	openSoon(t)
	return passDelayed(t)
}

// settle does all that is due now: reminders, deadlines, resolving. Every
// change of a game ends with it.
func settle(t *Turn) error {
	if t.Game.AsksLuck() && t.Game.Paused.IsZero() {
		if err := luckIn(t); err != nil {
			return err
		}
	}
	asked := map[engine.Side]bool{}
	for t.Game.Phase == Running && t.Game.Paused.IsZero() && !t.Game.AsksLuck() {
		answerAhead(t)
		if err := passDeadlines(t); err != nil {
			return err
		}
		if !ready(t) {
			if err := remindWhoIsDue(t); err != nil {
				return err
			}
			break
		}
		if err := Resolve(t, asked); err != nil {
			return err
		}
	}
	for _, s := range t.Game.Seats {
		switch {
		case t.fresh[s.Side] && t.Game.AsksLuck():
			askWord(t, s)
		case t.fresh[s.Side]: // whatever the state of the game, the new player needs to know it
			if s.Stops > 1 { // otherwise his side has no history
				t.toSeat(s, Briefing{})
			}
			SendReport(t, s)
		case (asked[s.Side] && (s.Owes != nil || s.Soon != nil) || s.Moved) && !s.Resigned && t.Game.Phase == Running:
			SendReport(t, s)
		case s.Taken != nil:
			tellTaken(t, s)
		}
	}
	clear(t.fresh)
	tellObservers(t)
	return nil
}

// ready tells whether the stop can be resolved now. When only second thoughts
// are in the way, it notes until when they last.
func ready(t *Turn) bool {
	late, early := true, true // every deadline has passed; every stop's rule lets it be resolved before
	for _, s := range t.Game.Seats {
		o := s.Owes
		if o == nil {
			continue
		}
		early = early && t.Game.Timing.Of(o.Decision.Kind).Early
		if !o.Passed && s.Played() {
			late = false
			if o.Answer == nil || !o.Answer.Final {
				t.Game.Resolve = time.Time{}
				return false
			}
		}
	}
	if late {
		return true
	}
	if !early {
		return false
	}
	return heldNoMore(t)
}

// standStill pauses a game with which the ruleset can't go on. Nothing is lost:
// the answers stay in force, and resuming tries again.
func standStill(t *Turn, cause error) error {
	t.remark("ruleset failed, game paused", cause)
	if t.Game.Paused.IsZero() { // else it stands still since then, and its deadlines do
		t.Game.Paused = t.Now
	}
	why, _, _ := strings.Cut(cause.Error(), "\n") // below a panic stands where in the program it was: that is in the office's log
	t.Game.Fault = phrase.Clip(why, 2000)
	if err := t.Log(log.Entry{Kind: log.KindFault, By: "office", Data: map[string]string{"error": t.Game.Fault}}); err != nil {
		return err
	}
	t.TellWhoMayKnow(phrase.Say("office.fault.subject"), phrase.Say("office.fault.what", phrase.Number("stop", t.Game.Stop), phrase.Literal("error", phrase.Clip(why, 200))),
		phrase.Say("office.fault.do"))
	return nil
}

// End ends a game for good. What players are told about the end must be put together
// first ([TellEnd]).
func End(t *Turn, o engine.Outcome) error {
	t.Game.Phase = Over
	t.Game.Resolve = time.Time{}
	if err := t.Log(log.Entry{Kind: log.KindOver, By: "office", Data: map[string]any{"outcome": o, "seed": hex.EncodeToString(t.Game.Seed)}}); err != nil {
		return err
	}
	return passDelayed(t)
}

// TellEnd sends all players their last report, and tells the game master.
func TellEnd(t *Turn, o engine.Outcome) {
	for _, s := range t.Game.Seats {
		SendReport(t, s)
	}
	lines := []phrase.Phrase{o.Reason}
	if len(o.Winners) == 0 {
		lines = append(lines, phrase.Say("office.over.draw"))
	} else {
		var ids []string
		for _, side := range o.Winners {
			ids = append(ids, string(side))
		}
		lines = append(lines, phrase.Say("office.over.winners", phrase.Names("winners", "side", ids)))
	}
	t.TellGM(phrase.Say("office.over.subject"), append(lines, SayDice(t)...)...)
}

// Outcome tells how the game ended, if it has: as the game master decided, else
// as the rules say.
func (t *Turn) Outcome() (engine.Outcome, bool) {
	if t.Game.Decided != nil {
		return *t.Game.Decided, true
	}
	return t.Position.Outcome()
}

// SayDice publishes the seed.
func SayDice(t *Turn) []phrase.Phrase {
	return []phrase.Phrase{phrase.Say("office.seed", phrase.Literal("seed", hex.EncodeToString(t.Game.Seed)),
		phrase.Literal("commitment", log.Commitment(t.Game.Seed)))}
}
