package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// What came of an order file is always told to whoever sent it with the right key.
// If letters come too fast, their verdicts are kept in the seat's record, and one
// letter tells of all of them when the next may go. It is written when it goes, so
// that it says what is in force then; in the outbox stands only when that is.

// A verdict is what came of a letter of a player, until he is told.
type verdict struct {
	At      time.Time       `json:"at"`
	Print   string          `json:"print"`            // of what it says: letters with the same are told of once
	Others  int             `json:"others,omitempty"` // how many more of them there were
	Kind    string          `json:"kind"`             // taken, refused, standing; unanswered, undone: a command for which there were too many letters
	Draft   bool            `json:"draft,omitempty"`
	WhatIf  int             `json:"what_if,omitempty"` // how often a draft is to be tried out
	Asked   bool            `json:"asked,omitempty"`   // the letter is a command
	Command string          `json:"command,omitempty"` // its keyword
	Stop    int             `json:"stop,omitempty"`    // as the seat counts
	Entry   uint64          `json:"entry,omitempty"`   // log entry of what was taken
	Set     set             `json:"set,omitzero"`
	Faults  int             `json:"faults,omitempty"`
	Unread  bool            `json:"unread,omitempty"` // its note was not passed on: there were too many
	Why     orders.Problems `json:"why,omitempty"`    // the faults; of those that are not the last the first few

	// Only of the last.
	File       string          `json:"file,omitempty"` // as it was read; of standing orders their normal form
	Repairs    []orders.Repair `json:"repairs,omitempty"`
	MessageID  string          `json:"message_id,omitempty"`
	References []string        `json:"references,omitempty"`
}

// Kinds of verdicts besides those of the log.
const (
	verdictUnanswered = "unanswered"
	verdictUndone     = "undone"
)

// mostVerdicts is of how many letters that differ one letter tells: the next goes
// at once. mostWhy is how many faults it tells of each but the last.
const (
	mostVerdicts = 30
	mostWhy      = 5
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
func (v *visit) tellOf(s *seat, print string, draft bool) (tell bool, from time.Time) {
	o, later := v.office, s.Replied.Add(v.office.gap())
	deed := v.deed()
	if deed {
		v.begins()
	}
	fresh := o.talks.fresh(v.intake.from, v.now, print)
	if deed || fresh && draft {
		if !o.answers.allow("verdicts: "+v.game.ID+" "+string(s.Side), v.now, answerWeight) {
			return true, later
		}
		return true, v.now
	}
	if v.intake.mayAnswer("", answerWeight) {
		later = v.now
	} else if !s.Due.IsZero() {
		return true, later // in a letter that goes anyway
	}
	if !v.spend(answerWeight) {
		return fresh, s.Replied.Add(untoldRest)
	}
	return true, later
}

// keepVerdict keeps a verdict until it is told.
func (v *visit) keepVerdict(s *seat, w verdict) {
	w.At, w.MessageID, w.References = v.now, v.intake.letter.MessageID, v.intake.letter.References
	if s.Owes != nil {
		w.Stop = s.Owes.Stop
	}
	if n := len(w.References) - outbox.MostReferences; n > 0 {
		w.References = w.References[n:]
	}
	for i := range s.Verdicts {
		s.Verdicts[i].clear()
	}
	if i := slices.IndexFunc(s.Verdicts, func(old verdict) bool { return old.Print == w.Print }); i >= 0 {
		w.Others = s.Verdicts[i].Others + 1
		s.Verdicts = slices.Delete(s.Verdicts, i, i+1)
	}
	s.Verdicts = append(s.Verdicts, w)
}

// clear leaves of a verdict what is told of one that is not the last.
func (w *verdict) clear() {
	w.File, w.Repairs, w.MessageID, w.References = "", nil, "", nil
	if len(w.Why) > mostWhy {
		w.Why = slices.Clone(w.Why[:mostWhy])
	}
}

// tellWhenDue tells what came of a seat's letters, not before a time. The first file
// of a stop is answered at once; those that follow within the office's quiet time
// are put off to its end, and answered together.
func (v *visit) tellWhenDue(s *seat, from time.Time) error {
	quiet, stop := v.office.opt.Quiet, s.ForStop
	if s.Owes != nil {
		stop = s.Owes.Stop
	}
	if end := s.Replied.Add(quiet); quiet > 0 && s.ForStop == stop && end.After(from) {
		from = end
	}
	s.ForStop = stop
	if s.Failures >= mostBounces || !from.After(v.now) || len(s.Verdicts) >= mostVerdicts {
		return v.tellVerdicts(s, true)
	}
	if !s.Due.IsZero() && !from.Before(s.Due) {
		return nil // one is to be written before
	}
	s.Due = from
	r := &outbox.Outgoing{Seat: s.Side, Epoch: s.Epoch, Kind: kindVerdicts, Name: s.Person.Name, Address: s.Person.Address, Due: from, Slot: verdictsNote(v.game.ID, s)}
	v.send(r, nil)
	return nil
}

// verdictsNote is the slot of a seat's letter that is yet to be written.
func verdictsNote(game string, s *seat) string { return "reply " + game + " " + string(s.Side) }

// unanswered tells a player that his command got no answer, or was not done, since
// there were too many letters.
func (v *visit) unanswered(s *seat, undone bool) {
	w := verdict{Kind: verdictUnanswered, Asked: true, Command: v.doc.Command}
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
		v.office.log.Error("what got no answer is told later", "game", v.game.ID, "error", err)
	}
}

// tellVerdicts tells a player what came of his letters since the last one, and
// what is in force now. Open tells whether the stop is still open.
func (t *turn) tellVerdicts(s *seat, open bool) error {
	if len(s.Verdicts) == 0 {
		return nil
	}
	n := len(s.Verdicts) - 1
	last := s.Verdicts[n]
	_, confirmed, err := t.confirmed(s, last, open)
	if err != nil {
		return err
	}
	if open && !confirmed && s.Owes != nil {
		s.Serial++
	}
	t.toSeat(s, judged{others: slices.Clone(s.Verdicts[:n]), last: last, open: open})
	s.Verdicts, s.Due, s.Before, s.Replied = nil, time.Time{}, "", t.now
	if !open {
		s.ForStop = 0 // the next stop, which it has brought on, is new to him
	}
	return nil
}

// confirmed gives the answer that the last of a player's verdicts is about, if what it said
// still holds: a file that is in force, or a draft without fault for the stop that is open.
func (t *turn) confirmed(s *seat, last verdict, open bool) (engine.Answer, bool, error) {
	if last.Kind != log.KindTaken || s.Owes == nil || s.Owes.Stop != last.Stop || last.Draft && !open {
		return nil, false, nil
	}
	if !last.Draft {
		answer, ok, err := t.inForce(s)
		return answer, ok && s.Owes.Answer.Entry == last.Entry && !s.Owes.Answer.GM, err
	}
	doc, problems := orders.Parse(last.File, nil)
	var answer engine.Answer
	if len(problems) == 0 {
		answer, problems = t.rules.Read(t.view(s.Side), s.Owes.Decision, doc)
	}
	return answer, len(problems) == 0, nil
}

// tellAllVerdicts tells every player what came of his letters, when the stop that
// they are about is resolved.
func (t *turn) tellAllVerdicts() error {
	for _, s := range t.game.Seats {
		if err := t.tellVerdicts(s, false); err != nil {
			return err
		}
	}
	return nil
}

// writeJudged writes the letter that tells what came of a player's letters.
func (d *desk) writeJudged(s *seat, m judged) error {
	remarks := d.sayVerdicts(s, m.others, m.last)
	kind, letter, err := d.verdictLetter(s, m.last, remarks, m.open)
	if err != nil {
		return err
	}
	d.send(&outbox.Outgoing{Seat: s.Side, Epoch: s.Epoch, Kind: kind, Name: s.Person.Name, Address: s.Person.Address, Letter: &letter,
		Slot: verdictsNote(d.game.ID, s)}, &mail.Letter{MessageID: m.last.MessageID, References: m.last.References})
	return nil
}

// verdictLetter is the letter about the last of a seat's verdicts.
func (d *desk) verdictLetter(s *seat, last verdict, remarks []phrase.Phrase, open bool) (string, templates.Letter, error) {
	words := d.office.words
	if last.Kind == log.KindTaken {
		a, ok, err := d.acceptance(s, last, open)
		if err != nil {
			return "", templates.Letter{}, err
		}
		if ok {
			a.Remarks = append(remarks, a.Remarks...)
			return "accepted", words.Accepted(a), nil
		}
	}
	var owed *templates.Owed
	if open {
		owed = d.owed(s, true)
	} else {
		remarks = append(remarks, phrase.Say("office.verdicts.resolved"))
	}
	switch last.Kind {
	case log.KindRefused:
		r, err := d.refusal(s, last, owed)
		r.Remarks = remarks
		return "refused", words.Refused(r), err
	case log.KindStanding:
		n := d.standingNotice(s, last, owed)
		n.Lines = append(n.Lines, remarks...)
		return "notice", words.Notice(n), nil
	}
	n := templates.Notice{Heading: d.heading(s), Subject: phrase.Say("office.verdicts.subject"), Lines: append(remarks, d.sayVerdict(s, last)...), Owed: owed}
	earlier, ok, err := d.inForce(s)
	if ok {
		n.Lines = append(n.Lines, phrase.Say("office.verdicts.in-force", phrase.Number("number", s.Owes.Answer.Number), phrase.Literal("print", s.Owes.Answer.Print)))
		n.Texts = append(n.Texts, earlier.Orders().Encode())
	}
	return "notice", words.Notice(n), err
}

// acceptance is the confirmation of a file that was taken, or of a draft that is
// without fault; there is none if something else is in force now, or the stop of
// the draft is over.
func (d *desk) acceptance(s *seat, last verdict, open bool) (templates.Accepted, bool, error) {
	answer, confirmed, err := d.confirmed(s, last, open)
	if err != nil || !confirmed {
		return templates.Accepted{}, false, err
	}
	a := templates.Accepted{Heading: d.heading(s), Owed: *d.owed(s, false), Draft: last.Draft, Repairs: last.Repairs}
	if last.Draft {
		earlier, ok, err := d.inForce(s)
		if err != nil {
			return a, false, err
		}
		a.Normal, a.Cautions = answer.Orders(), d.cautions(s, answer)
		if ok {
			a.Replaces = earlier.Orders()
		}
		d.tryOut(s, string(s.Side), last.WhatIf, answer, &a)
		return a, true, nil
	}
	a.Normal, a.Cautions, a.Hash, a.Set = answer.Orders(), d.cautions(s, answer), s.Hash, templates.Set(s.Owes.Answer.set())
	if s.Before != "" {
		if before, problems := orders.ParseNode([]byte(s.Before)); len(problems) == 0 {
			a.Replaces = before
		}
	}
	a.Owed.Answered = true
	if last.Unread {
		a.Remarks = append(a.Remarks, phrase.Say("office.note.too-many"))
	}
	if a.Waiting = open; open {
		a.Remarks, a.Asked = append(a.Remarks, d.whyWaiting(s, s.Owes.Answer.Final)...), d.alsoAsked(s)
	}
	return a, true, nil
}

// refusal is the letter about a file that has faults, to a seat that owes something.
func (d *desk) refusal(s *seat, last verdict, owed *templates.Owed) (templates.Refused, error) {
	r := templates.Refused{Heading: d.heading(s), Source: last.File, Problems: last.Why, Asked: last.Asked, Command: last.Command, Owed: owed}
	earlier, ok, err := d.inForce(s)
	if ok {
		r.InForce, r.Set = earlier.Orders(), templates.Set(s.Owes.Answer.set())
	}
	return r, err
}

// sayVerdicts tells that a letter answers several, and what came of the others.
func (d *desk) sayVerdicts(s *seat, others []verdict, last verdict) []phrase.Phrase {
	n := 0
	var lines []phrase.Phrase
	for _, w := range others {
		n += 1 + w.Others
		lines = append(lines, d.sayVerdict(s, w)...)
	}
	if last.Others > 0 {
		lines = append(lines, phrase.Say("office.verdicts.same", phrase.Number("n", last.Others)))
	}
	if n += last.Others; n == 0 {
		return nil
	}
	return append([]phrase.Phrase{phrase.Say("office.one-answer", phrase.Number("n", n+1))}, lines...)
}

// sayVerdict says in short what came of a letter.
func (d *desk) sayVerdict(s *seat, w verdict) []phrase.Phrase {
	at := phrase.Within("at", d.office.sayMoment(s.Person, w.At))
	args := []phrase.Arg{at, phrase.Number("n", w.Faults)}
	code := "office.verdicts." + w.Kind
	switch {
	case w.Kind == log.KindTaken && !w.Draft:
		args = []phrase.Arg{at, phrase.Number("number", w.Set.Number), phrase.Number("stop", w.Stop), phrase.Literal("print", w.Set.Print)}
	case w.Draft:
		code += "-draft"
		if args = append(args, phrase.Literal("print", w.Set.Print)); w.WhatIf > 0 {
			args = append(args, phrase.Number("runs", w.WhatIf))
		}
	case w.Asked && w.Kind == log.KindRefused:
		code += "-command"
	}
	if w.Command != "" {
		args = append(args, phrase.Name("command", phrase.KindKeyword, w.Command))
	}
	if w.Unread {
		args = append(args, phrase.Number("unread", 1))
	}
	if w.Others > 0 {
		args = append(args, phrase.Number("others", w.Others))
	}
	lines := []phrase.Phrase{phrase.Say(code, args...)}
	for i, p := range w.Why {
		if i == mostWhy {
			break
		}
		if p.Line > 0 {
			lines = append(lines, phrase.Say("office.verdicts.fault", phrase.Number("line", p.Line), phrase.Within("why", p.Why)))
		} else {
			lines = append(lines, phrase.Say("office.verdicts.fault-whole", phrase.Within("why", p.Why)))
		}
	}
	return lines
}
