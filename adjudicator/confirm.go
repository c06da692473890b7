package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// replyAt is when the answer to an order file goes out. The first goes at once;
// those that follow within the office's quiet time are put off to its end, and
// then only the last of them is answered. An answer to a file that resolves the
// stop goes at once, before the reports.
func (v *visit) replyAt(s *seat, atOnce bool) time.Time {
	quiet, stop := v.office.opt.Quiet, s.ForStop
	if s.Owes != nil {
		stop = s.Owes.Stop
	}
	waits := s.Replied.After(v.now) // an answer that is put off
	switch {
	case atOnce, quiet < 0, s.ForStop != stop, !waits && v.now.Sub(s.Replied) >= quiet:
		if !waits {
			s.Merged = 0
		}
		s.Replied = v.now
	case !waits:
		s.Replied, s.Merged = s.Replied.Add(quiet), 0
	}
	if s.ForStop = stop; atOnce {
		s.ForStop = 0 // the next stop, which it has brought on, is new to them
	}
	s.Merged++
	return s.Replied
}

// merged tells that a letter answers several.
func (v *visit) merged(s *seat) []phrase.Phrase {
	if s.Merged < 2 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.one-answer", phrase.Number("n", s.Merged))}
}

// reply queues the answer to an order file, in place of one that is still put
// off.
func (v *visit) reply(s *seat, kind string, letter templates.Letter, due time.Time) {
	r := &row{Seat: s.Side, Epoch: s.Epoch, Kind: kind, Name: s.Person.Name, Address: s.Person.Address, Letter: &letter,
		due: due, note: "reply " + v.game.ID + " " + string(s.Side)}
	v.send(r, v.intake.letter)
}

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

// alsoAsked lists the sides that are asked at the stop besides a seat, of those of
// whom it may know that. Whether they have answered is not told.
func (d *desk) alsoAsked(s *seat) []engine.Side {
	announcer, ok := d.position.(engine.Announcer)
	if !ok {
		return nil
	}
	return announcer.Asked(s.Side)
}
