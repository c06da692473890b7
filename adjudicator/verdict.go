package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
func (opt *Options) gap() time.Duration { return time.Hour / time.Duration(opt.AnswersPerHour) }

// conclude keeps what came of a letter of a player's until he is told. Before is the normal
// form of the answer that it replaces.
func (req *request) conclude(s *game.Seat, w game.Verdict, before string) error {
	w.MessageID, w.References = req.intake.Mail.MessageID, req.intake.Mail.References
	if n := len(w.References) - outbox.MostReferences; n > 0 {
		w.References = w.References[n:]
	}
	return req.Do(game.Concluded{Side: s.Side, Verdict: w, Before: before})
}

// tellWhenDue tells what came of a player's letters, not before a time.
func (req *request) tellWhenDue(s *game.Seat, from time.Time) error {
	return req.Do(game.ToBeTold{Side: s.Side, From: from, Quiet: req.office.opt.Quiet})
}

// queueLater queues what is written when it is due: what came of a player's letters.
func (d *desk) queueLater(e game.Later) {
	r := &outbox.Outgoing{Game: d.Game.ID, Seat: e.To, Epoch: e.Epoch, Kind: kindVerdicts, Name: e.Person.Name, Address: e.Person.Address,
		Written: d.Now, Due: e.At, Slot: verdictsNote(d.Game.ID, e.To)}
	r.Answers(nil, d.office.box.Thread(r.Game, r.Seat, r.Epoch))
	d.rows = append(d.rows, r)
}

// tellOf tells whether the verdict on an order file of a player is to be told, and
// not before when. It counts the letters that say nothing new: they are told at
// most as often as an hour has answers, and no more when their exchange has ended.
// What is new is always told; after an hour's answers one letter tells of several.
func (req *request) tellOf(s *game.Seat, print string, draft bool) (tell bool, from time.Time) {
	o, later := req.office, s.Replied.Add(req.office.opt.gap())
	acts := req.acts()
	if acts {
		o.talks.Begin(req.intake.From)
	}
	fresh := o.talks.Fresh(req.intake.From, req.Now, print)
	if acts || fresh && draft {
		if !o.answers.Allow("verdicts: "+req.Game.ID+" "+string(s.Side), req.Now, intake.AnswerWeight) {
			return true, later
		}
		return true, req.Now
	}
	if req.intake.mayAnswer("", intake.AnswerWeight) {
		later = req.Now
	} else if !s.Due.IsZero() {
		return true, later // in a letter that goes anyway
	}
	if !req.spend(intake.AnswerWeight) {
		return fresh, s.Replied.Add(untoldRest)
	}
	return true, later
}

// verdictsNote is the slot of a seat's letter that is yet to be written.
func verdictsNote(game string, side engine.Side) string { return "reply " + game + " " + string(side) }

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
