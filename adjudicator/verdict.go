package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/tally"
	"berthier/engine"
	"berthier/orders"
)

// The result of an order file is always told to its sender, if it had the right key.
// If letters come too fast, their verdicts are kept in the seat's record, and one
// letter tells all of them when the next letter may go. It is written when it goes, so
// that it says what is in force then; until then the outbox only says when that is.

// Kinds of verdicts, besides those in the log.
const (
	verdictUnanswered = "unanswered"
	verdictUndone     = "undone"
)

// kindVerdicts is the kind of what lies in the outbox in place of a letter that is
// written when it is due.
const kindVerdicts = "verdicts"

// untoldRest is the time after which a verdict is told that was not told before, although the
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
func (opt *Options) gap() time.Duration { return time.Hour / time.Duration(opt.AnswersPerHour) }

// conclude keeps the result of a player's letter until he is told. Before is the normal
// form of the answer that the letter replaces.
func (req *request) conclude(s *game.Seat, w game.Verdict, before string) error {
	w.Brief = w.Brief && !slices.ContainsFunc(s.Verdicts, func(v game.Verdict) bool { return !v.Brief })
	w.MessageID, w.References = req.intake.Mail.MessageID, req.intake.Mail.References
	if n := len(w.References) - outbox.MostReferences; n > 0 {
		w.References = w.References[n:]
	}
	return req.Do(game.Concluded{Side: s.Side, Verdict: w, Before: before})
}

// tellWhenDue tells the results of a player's letters, but not before a given time.
func (req *request) tellWhenDue(s *game.Seat, from time.Time) error {
	return req.Do(game.ToBeTold{Side: s.Side, From: from})
}

// queueLater queues a letter that is written when it is due: with the results of a player's letters.
func (tr *transaction) queueLater(e game.Later) {
	r := &outbox.Outgoing{Game: tr.Game.ID, Seat: e.To, Epoch: e.Epoch, Kind: kindVerdicts, Name: e.Person.Name, Address: e.Person.Address,
		Written: tr.Now, Due: e.At, Slot: verdictsName(tr.Game.ID, e.To)}
	r.Answers(nil, tr.office.box.Thread(r.Game, r.Seat, r.Epoch))
	tr.outgoing = append(tr.outgoing, r)
}

// tellOf tells whether the verdict on a player's order file is to be told, and from when.
// What is new is always told; when an hour's answers are used up, one letter tells several.
// It counts the letters that say nothing new: when their exchange has ended they are told in
// brief once a day, for a week, and then no more; what a machine repeats comes to an end. A
// verdict that is new counts a fifth of one that is not, so that faults made up without end
// end in one letter a day.
func (req *request) tellOf(s *game.Seat, print string, draft bool) (tell, brief bool, from time.Time) {
	o, later := req.office, s.Replied.Add(req.office.opt.gap())
	acts := req.acts()
	if acts {
		o.counts.Talks.Begin(req.intake.From, req.Now)
	}
	fresh := req.intake.bill.Fresh(req.intake.From, req.Now, print)
	if acts || fresh && draft {
		if !req.intake.bill.Answer("verdicts: "+req.Game.ID+" "+string(s.Side), req.Now, tally.AnswerWeight) {
			return true, false, later
		}
		return true, false, req.Now
	}
	brief = o.counts.Talks.Brief(req.intake.From, req.Now) && !fresh
	if req.intake.mayAnswer("", tally.AnswerWeight) {
		later = req.Now
	} else if !brief && !s.Due.IsZero() {
		return true, false, later // in a letter that goes anyway
	}
	weight := tally.AnswerWeight
	if fresh {
		weight = tally.GMWeight
	}
	if req.spend(weight) {
		return true, false, later
	}
	return fresh || brief, brief, s.Replied.Add(untoldRest)
}

// verdictsName is the slot of a seat's letter that is yet to be written.
func verdictsName(game string, side engine.Side) string { return "reply " + game + " " + string(side) }

// unanswered tells a player that his command got no answer, or was not done, since
// there were too many letters.
func (req *request) unanswered(s *game.Seat, undone bool) {
	w := game.Verdict{Kind: verdictUnanswered, Asked: true, Command: req.doc.Command}
	if undone {
		w.Kind = verdictUndone
	}
	w.Print = printOfVerdict(w.Kind, 0, w.Command, nil)
	from := s.Replied.Add(time.Hour)
	if undone {
		from = s.Replied.Add(req.office.opt.gap())
	}
	if err := errors.Join(req.conclude(s, w, ""), req.tellWhenDue(s, from)); err != nil { // nothing is read for it that could fail
		req.office.log.Error("what got no answer is told later", "game", req.Game.ID, "error", err)
	}
}
