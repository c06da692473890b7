package game

import (
	"fmt"
	"math/big"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders/phrase"
)

// ToldOfRestore says that a player has been told that the database was restored: one letter
// is enough.
type ToldOfRestore struct{ Side engine.Side }

func (r ToldOfRestore) happen(t *Turn) error {
	t.Game.Seat(r.Side).Restored = time.Time{}
	return nil
}

// Restored says that the database was restored from a copy: what came after it is lost. The
// numbers that seats count skip some, so that no number is given twice.
type Restored struct{ log.Restoration }

// Numbers that players may have seen skip at least so many, and at most so many more: the
// exact number is random, so that restoring a copy twice gives different ones.
const (
	leastSkip = 1000
	mostSkip  = 1_000_000
	mostMoves = 1_000_000_000
)

// skipOf is how many numbers are skipped at a restore. It comes from the random part of its
// mark, so that a game that is told twice skips the same.
func skipOf(mark string) int {
	n, ok := new(big.Int).SetString(mark, 16)
	if !ok {
		return leastSkip
	}
	return leastSkip + int(n.Mod(n, big.NewInt(mostSkip)).Int64())
}

func (r Restored) happen(t *Turn) error {
	g := t.Game
	if g.Restored == r.Mark || g.Phase != Running {
		return nil
	}
	if err := t.Log(log.Entry{Kind: log.KindRestored, By: "office", Data: r.Restoration}); err != nil {
		return err
	}
	g.Restored = r.Mark
	skip := skipOf(r.Mark)
	for _, s := range g.Seats {
		s.Serial += skip
		s.Restored = r.At
		if s.Owes != nil { // calendars keep the newest of what they were told
			s.Owes.Moves = min(s.Owes.Moves+skip, mostMoves)
		}
	}
	t.TellGM(phrase.Say("office.restored.subject"), phrase.Say("office.restored.gm", phrase.Within("at", Moment(r.At))))
	return nil
}

// PlayedAgain says that the program has other rules than those that the game was last found
// to fit, and has played it again under them. If the game went differently it stands still.
type PlayedAgain struct{ Found log.RulesChanged }

func (p PlayedAgain) happen(t *Turn) error {
	if err := t.Log(log.Entry{Kind: log.KindRules, By: "office", Data: p.Found}); err != nil {
		return err
	}
	if p.Found.Alike {
		t.Game.Rules, t.Game.Unlike = p.Found.Digest, ""
		return nil
	}
	t.Game.Unlike = p.Found.Digest
	if t.Game.Paused.IsZero() {
		t.Game.Paused = t.Now
	}
	t.TellWhoMayKnow(phrase.Say("office.rules-unlike.subject"), phrase.Say("office.rules-unlike.what", phrase.Literal("where", phrase.Clip(p.Found.Where, 300))),
		phrase.Say("office.rules-unlike.do"))
	t.TellSeats(phrase.Say("office.paused.subject"), phrase.Say("office.rules-unlike.players"))
	return nil
}

// RulesAccepted says that a game master lets a game go on under the rules of the program,
// although some of its stops would go differently under them: what was played stays as it is.
// The log has the position, so that what follows can be played again from there.
type RulesAccepted struct{ Program string } // its version

func (r RulesAccepted) happen(t *Turn) error {
	if t.Game.Unlike == "" {
		return Refuse("office.gm.rules-alike")
	}
	snapshot, err := t.Position.Marshal()
	if err != nil {
		return fmt.Errorf("accept rules in %s: %w", t.Game.ID, err)
	}
	c := log.RulesChanged{Digest: t.Game.Unlike, Program: r.Program, Accepted: true, Position: string(snapshot)}
	if err := t.Log(log.Entry{Kind: log.KindRules, By: log.ByGM, Data: c}); err != nil {
		return err
	}
	t.Game.Rules, t.Game.Unlike = c.Digest, ""
	return nil
}
