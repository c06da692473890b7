package game

import (
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
)

// A Verdict is the result of a letter of a player, until he is told.
type Verdict struct {
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
	Set     Set             `json:"set,omitzero"`
	Faults  int             `json:"faults,omitempty"`
	Brief   bool            `json:"brief,omitempty"`  // it is told in one line: it was told before, and the exchange has ended
	Unread  bool            `json:"unread,omitempty"` // its note was not passed on: there were too many
	Why     orders.Problems `json:"why,omitempty"`    // the faults; of those that are not the last the first few

	// Only of the last.
	Ahead      string          `json:"ahead,omitempty"`  // what a draft, or a file with standing orders, files ahead
	File       string          `json:"file,omitempty"`   // as it was read; of standing orders their normal form
	Mended     *orders.Mended  `json:"mended,omitempty"` // a refused file as it is given back
	Repairs    []orders.Repair `json:"repairs,omitempty"`
	MessageID  string          `json:"message_id,omitempty"`
	References []string        `json:"references,omitempty"`
}

// MostWhy is how many faults are told of each order file but the last.
const MostWhy = 5

// Clear keeps of a verdict only what is told of one that is not the last.
func (w *Verdict) Clear() {
	w.File, w.Mended, w.Repairs, w.MessageID, w.References = "", nil, nil, "", nil
	if len(w.Why) > MostWhy {
		w.Why = slices.Clone(w.Why[:MostWhy])
	}
}

// TellVerdicts tells a player what came of his letters since the last one, and
// what is in force now. Open tells whether the stop is still open. If his file is what the
// stop is resolved with, his next report tells it ([Taken]).
func TellVerdicts(t *Turn, s *Seat, open bool) error {
	if len(s.Verdicts) == 0 {
		return nil
	}
	n := len(s.Verdicts) - 1
	last := s.Verdicts[n]
	answer, confirmed, err := Confirmed(t, s, last, open)
	if err != nil {
		return err
	}
	if _, held := t.Game.Holds(s, t.Now); open && s.Owes != nil && (!confirmed || held) { // the letter has an order file
		s.Serial++
	}
	if confirmed && !open {
		s.Taken = taken(t, s, answer)
	} else {
		t.toSeat(s, Judged{Others: slices.Clone(s.Verdicts[:n]), Last: last, Open: open})
	}
	s.Verdicts, s.Due, s.Before, s.Replied = nil, time.Time{}, "", t.Now
	if !open {
		s.ForStop = 0 // the next stop, which it has brought on, is new to him
	}
	return nil
}

// Confirmed gives the answer that the last of a player's verdicts is about, if what it said
// still holds: a file that is in force, or a draft without fault for the stop that is open.
func Confirmed(t *Turn, s *Seat, last Verdict, open bool) (engine.Answer, bool, error) {
	if last.Kind != log.KindTaken || s.Owes == nil || s.Owes.Stop != last.Stop || last.Draft && !open {
		return nil, false, nil
	}
	if !last.Draft {
		answer, ok, err := t.Answer(s)
		return answer, ok && s.Owes.Answer.Entry == last.Entry && !s.Owes.Answer.GM, err
	}
	doc, problems := orders.Parse(last.File, nil)
	doc.Mends = true
	var answer engine.Answer
	if len(problems) == 0 {
		answer, problems = t.Rules.Read(t.View(s.Side), s.Owes.Decision, Dated(t, doc))
	}
	return answer, len(problems) == 0, nil
}

// tellAllVerdicts tells every player what came of his letters, when the stop that
// they are about is resolved.
func tellAllVerdicts(t *Turn) error {
	for _, s := range t.Game.Seats {
		if err := TellVerdicts(t, s, false); err != nil {
			return err
		}
	}
	return nil
}

// mostVerdicts is of how many letters that differ one letter tells: the next goes at once.
const mostVerdicts = 30

// Concluded is that it was found what came of a letter of a player's. It is kept until he is
// told ([ToBeTold]).
type Concluded struct {
	Side    engine.Side
	Verdict Verdict
	Before  string // normal form of the answer that was in force before; "": none
}

func (c Concluded) happen(t *Turn) error {
	s, w := t.Game.Seat(c.Side), c.Verdict
	if len(s.Verdicts) == 0 && c.Before != "" {
		s.Before = c.Before
	}
	w.At = t.Now
	if s.Owes != nil {
		w.Stop = s.Owes.Stop
	}
	all := slices.Clone(s.Verdicts)
	for i := range all {
		all[i].Clear()
	}
	if i := slices.IndexFunc(all, func(old Verdict) bool { return old.Print == w.Print }); i >= 0 {
		w.Others = all[i].Others + 1
		all = slices.Delete(all, i, i+1)
	}
	s.Verdicts = append(all, w)
	return nil
}

// ToBeTold is that a player is to be told what came of his letters, not before a time. The
// first file of a stop is answered at once; those that follow within the quiet time are put
// off to its end, and answered together.
type ToBeTold struct {
	Side engine.Side
	From time.Time
}

func (b ToBeTold) happen(t *Turn) error {
	s, from := t.Game.Seat(b.Side), b.From
	stop := s.ForStop
	if s.Owes != nil {
		stop = s.Owes.Stop
	}
	replied := s.Replied
	if replied.After(t.Now) {
		replied = t.Now // the clock had jumped
	}
	if end := replied.Add(t.Quiet); t.Quiet > 0 && s.ForStop == stop && end.After(from) {
		from = end
	}
	s.ForStop = stop
	if s.Failures >= MostBounces || !from.After(t.Now) || len(s.Verdicts) >= mostVerdicts {
		tellTakenFirst(t, s)
		return TellVerdicts(t, s, true)
	}
	if !s.Due.IsZero() && !from.Before(s.Due) {
		return nil // one is to be written before
	}
	s.Due = from
	t.Effects = append(t.Effects, Later{To: s.Side, Epoch: s.Epoch, Person: s.Person, At: from})
	return nil
}

// VerdictsDue is that the time has come to tell a player what came of his letters.
type VerdictsDue struct {
	Side  engine.Side
	Epoch int // of the player that was put off
}

func (d VerdictsDue) happen(t *Turn) error {
	if s := t.Game.Seat(d.Side); s != nil && s.Epoch == d.Epoch {
		s.Due = time.Time{}
		tellTakenFirst(t, s)
		return TellVerdicts(t, s, true)
	}
	return nil
}
