package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"

	"berthier/adjudicator/game"
	"berthier/engine"
)

// follows is the answer that a good file of a visit puts in force after another,
// or after none.
func (v *visit) follows(before *game.InForce, answer engine.Answer, byGM bool) *game.InForce {
	a := &game.InForce{Serial: v.doc.Serial, Sent: v.sent(), Final: v.doc.Final, GM: byGM, Entry: v.Last.Seq, Number: 1, Print: printOf(answer)}
	if before != nil {
		a.Number = before.Number + 1
	}
	return a
}

// printOf is a short mark of what an answer says: the same for the same.
func printOf(answer engine.Answer) string {
	sum := sha256.Sum256([]byte(answer.Orders().Encode()))
	return hex.EncodeToString(sum[:4])
}

// cautions lists what is legal but odd in an answer of a seat.
func (d *desk) cautions(s *game.Seat, answer engine.Answer) []engine.Caution {
	rules, ok := d.Rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(d.View(s.Side), s.Owes.Decision, answer)
}

// alsoAsked lists the sides that are asked at the stop besides a seat, of those of
// whom it may know that. Whether they have answered is not told.
func (d *desk) alsoAsked(s *game.Seat) []engine.Side {
	announcer, ok := d.Position.(engine.Announcer)
	if !ok {
		return nil
	}
	return announcer.Asked(s.Side)
}
