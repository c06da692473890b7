package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"

	"berthier/engine"
)

// follows is the answer that a good file of a visit puts in force after another,
// or after none.
func (v *visit) follows(before *inForce, answer engine.Answer, byGM bool) *inForce {
	a := &inForce{Serial: v.doc.Serial, Sent: v.sent(), Final: v.doc.Final, GM: byGM, Entry: v.last.Seq, Number: 1, Print: printOf(answer)}
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

// A set tells which of the order files of a stop is meant, so that a player and the
// office speak of the same one.
type set struct {
	Number int    // counting the good files of this stop
	Serial int    // of the template that it was made from; 0: not told
	Print  string // begin of the SHA-256 of its normal form: files that say the same have the same
}

// set tells which set of orders an answer in force is.
func (a *inForce) set() set {
	return set{Number: a.Number, Serial: a.Serial, Print: a.Print}
}

// cautions lists what is legal but odd in an answer of a seat.
func (d *desk) cautions(s *seat, answer engine.Answer) []engine.Caution {
	rules, ok := d.rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(d.view(s.Side), s.Owes.Decision, answer)
}

// alsoAsked lists the sides that are asked at the stop besides a seat, of those of
// whom it may know that. Whether they have answered is not told.
func (d *desk) alsoAsked(s *seat) []engine.Side {
	announcer, ok := d.position.(engine.Announcer)
	if !ok {
		return nil
	}
	return announcer.Asked(s.Side)
}
