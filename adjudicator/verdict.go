package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/outbox"
	"berthier/engine"
	"berthier/orders"
)

// What came of an order file is always told to whoever sent it with the right key.
// If letters come too fast, their verdicts are kept in the seat's record, and one
// letter tells of all of them when the next may go. It is written when it goes, so
// that it says what is in force then; in the outbox stands only when that is.

// Kinds of verdicts besides those of the log.
const (
	verdictUnanswered = "unanswered"
	verdictUndone     = "undone"
)

// mostVerdicts is of how many letters that differ one letter tells: the next goes
// at once. mostWhy is how many faults it tells of each but the last.
const (
	mostVerdicts = 30
)

// kindVerdicts is the kind of rows that stand in the outbox for a letter that is
// written when it is due.
const kindVerdicts = "verdicts"

// untoldRest is after how long a verdict that was not told before is told though the
// exchange has ended.
const untoldRest = 24 * time.Hour

// printOfVerdict is a mark of what a verdict says: the same for the same.
func printOfVerdict(kind string, stop int, text string, faults orders.Problems) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n%d\n%s\n", kind, stop, len(text), text)
	for _, p := range faults {
		why, err := json.Marshal([]any{p.Clause, p.Why, p.Remedy})
		fmt.Fprintf(h, "%s %v\n", why, err)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// gap is the time between answers to one seat when an hour's answers are used up.
func (o *Office) gap() time.Duration { return time.Hour / time.Duration(o.opt.AnswersPerHour) }

// tellOf tells whether the verdict on an order file of a player is to be told, and
// not before when. It counts the letters that say nothing new: they are told at
// most as often as an hour has answers, and no more when their exchange has ended.
// What is new is always told; after an hour's answers one letter tells of several.
func (v *visit) tellOf(s *game.Seat, print string, draft bool) (tell bool, from time.Time) {
	o, later := v.office, s.Replied.Add(v.office.gap())
	deed := v.deed()
	if deed {
		v.begins()
	}
	fresh := o.talks.Fresh(v.intake.From, v.Now, print)
	if deed || fresh && draft {
		if !o.answers.Allow("verdicts: "+v.Game.ID+" "+string(s.Side), v.Now, intake.AnswerWeight) {
			return true, later
		}
		return true, v.Now
	}
	if v.intake.mayAnswer("", intake.AnswerWeight) {
		later = v.Now
	} else if !s.Due.IsZero() {
		return true, later // in a letter that goes anyway
	}
	if !v.spend(intake.AnswerWeight) {
		return fresh, s.Replied.Add(untoldRest)
	}
	return true, later
}

// keepVerdict keeps a verdict until it is told.
func (v *visit) keepVerdict(s *game.Seat, w game.Verdict) {
	w.At, w.MessageID, w.References = v.Now, v.intake.Mail.MessageID, v.intake.Mail.References
	if s.Owes != nil {
		w.Stop = s.Owes.Stop
	}
	if n := len(w.References) - outbox.MostReferences; n > 0 {
		w.References = w.References[n:]
	}
	for i := range s.Verdicts {
		s.Verdicts[i].Clear()
	}
	if i := slices.IndexFunc(s.Verdicts, func(old game.Verdict) bool { return old.Print == w.Print }); i >= 0 {
		w.Others = s.Verdicts[i].Others + 1
		s.Verdicts = slices.Delete(s.Verdicts, i, i+1)
	}
	s.Verdicts = append(s.Verdicts, w)
}

// tellWhenDue tells what came of a seat's letters, not before a time. The first file
// of a stop is answered at once; those that follow within the office's quiet time
// are put off to its end, and answered together.
func (v *visit) tellWhenDue(s *game.Seat, from time.Time) error {
	quiet, stop := v.office.opt.Quiet, s.ForStop
	if s.Owes != nil {
		stop = s.Owes.Stop
	}
	if end := s.Replied.Add(quiet); quiet > 0 && s.ForStop == stop && end.After(from) {
		from = end
	}
	s.ForStop = stop
	if s.Failures >= game.MostBounces || !from.After(v.Now) || len(s.Verdicts) >= mostVerdicts {
		return game.TellVerdicts(v.Turn, s, true)
	}
	if !s.Due.IsZero() && !from.Before(s.Due) {
		return nil // one is to be written before
	}
	s.Due = from
	v.carry() // what was told before goes before
	r := &outbox.Outgoing{Game: v.Game.ID, Seat: s.Side, Epoch: s.Epoch, Kind: kindVerdicts, Name: s.Person.Name, Address: s.Person.Address,
		Written: v.Now, Due: from, Slot: verdictsNote(v.Game.ID, s.Side)}
	r.Answers(nil, v.office.box.Thread(r.Game, r.Seat, r.Epoch))
	v.rows = append(v.rows, r)
	return nil
}

// verdictsNote is the slot of a seat's letter that is yet to be written.
func verdictsNote(game string, side engine.Side) string { return "reply " + game + " " + string(side) }

// unanswered tells a player that his command got no answer, or was not done, since
// there were too many letters.
func (v *visit) unanswered(s *game.Seat, undone bool) {
	w := game.Verdict{Kind: verdictUnanswered, Asked: true, Command: v.doc.Command}
	if undone {
		w.Kind = verdictUndone
	}
	w.Print = printOfVerdict(w.Kind, 0, w.Command, nil)
	v.keepVerdict(s, w)
	from := s.Replied.Add(time.Hour)
	if undone {
		from = s.Replied.Add(v.office.gap())
	}
	if err := v.tellWhenDue(s, from); err != nil { // nothing is read for it that could fail
		v.office.log.Error("what got no answer is told later", "game", v.Game.ID, "error", err)
	}
}
