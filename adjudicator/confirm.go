package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
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

// set tells which set of orders an answer in force is.
func (a *inForce) set() templates.Set {
	return templates.Set{Number: a.Number, Serial: a.Serial, Print: a.Print}
}

// cautions lists what is legal but odd in an answer of a seat.
func (d *desk) cautions(s *seat, answer engine.Answer) []engine.Caution {
	rules, ok := d.rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(d.view(s.Side), s.Owes.Decision, answer)
}

// differ tells what an answer orders otherwise than the one that it replaces, where the
// rules can tell.
func (d *desk) differ(s *seat, was, now engine.Answer) []phrase.Phrase {
	rules, ok := d.rules.(engine.Comparer)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Compare(d.view(s.Side), s.Owes.Decision, was, now)
}

// differs is what an answer in force orders otherwise than the one before it, of which
// the normal form is kept.
func (d *desk) differs(s *seat, before string, now engine.Answer) []phrase.Phrase {
	doc, problems := orders.ParseAccepted(before)
	if len(problems) > 0 {
		return nil
	}
	was, problems := d.rules.Read(d.view(s.Side), s.Owes.Decision, d.dated(doc))
	if len(problems) > 0 {
		return nil
	}
	return d.differ(s, was, now)
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
