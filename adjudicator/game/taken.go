package game

import (
	"slices"
	"time"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Taken is the file of a player's with which a stop was resolved, as it was understood. His
// next report begins with it: it needs no letter of its own.
type Taken struct {
	Others   []Verdict        `json:"others,omitempty"` // on letters of his that no letter told him of
	Verdict  Verdict          `json:"verdict"`
	Stop     phrase.Phrase    `json:"about"`  // what was owed
	Normal   string           `json:"normal"` // the normal form of what was taken
	Before   string           `json:"before,omitempty"`
	Differ   []phrase.Phrase  `json:"differ,omitempty"` // what it orders otherwise than the one before it
	Cautions []engine.Caution `json:"cautions,omitempty"`
}

// taken is what the next report of a seat tells of the answer with which its stop is being
// resolved.
func taken(t *Turn, s *Seat, answer engine.Answer) *Taken {
	n := len(s.Verdicts) - 1
	k := &Taken{Others: slices.Clone(s.Verdicts[:n]), Verdict: s.Verdicts[n], Stop: SayStop(s.Owes), Normal: answer.Orders().Encode(),
		Before: s.Before, Cautions: Cautions(t, s, answer)}
	if s.Taken != nil { // of which no report has told him yet
		k.Others = slices.Concat(s.Taken.Others, []Verdict{s.Taken.Verdict}, k.Others)
	}
	k.Differ = Differs(t, s, s.Before, answer)
	return k
}

// soon is how long the report waits of somebody who is not asked next: if programs answer for
// the others he is asked again within that time.
const soon = time.Second

// tellTaken sends a report to a seat that is told what came of its file, and is not asked
// next: soon, so that what the others do meanwhile needs no report of its own.
func tellTaken(t *Turn, s *Seat) {
	switch {
	case s.Resigned:
		s.Taken = nil
	case t.Quiet <= 0 || t.Game.Phase != Running || s.Failures >= MostBounces:
		SendReport(t, s)
	case s.Due.IsZero():
		s.Due = t.Now.Add(min(t.Quiet, soon))
		t.Effects = append(t.Effects, Later{To: s.Side, Epoch: s.Epoch, Person: s.Person, At: s.Due})
	}
}

// tellTakenFirst sends the report that was put off, so that what came later is told later.
func tellTakenFirst(t *Turn, s *Seat) {
	if s.Taken != nil && !s.Resigned {
		SendReport(t, s)
	}
}

// Cautions lists what is legal but odd in an answer of a seat.
func Cautions(t *Turn, s *Seat, answer engine.Answer) []engine.Caution {
	rules, ok := t.Rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(t.View(s.Side), s.Owes.Decision, answer)
}

// Differ tells what an answer orders otherwise than the one that it replaces, where the
// rules can tell.
func Differ(t *Turn, s *Seat, was, now engine.Answer) []phrase.Phrase {
	rules, ok := t.Rules.(engine.Comparer)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Compare(t.View(s.Side), s.Owes.Decision, was, now)
}

// Differs is [Differ] where only the normal form of the one before is kept; "": there was
// none.
func Differs(t *Turn, s *Seat, before string, now engine.Answer) []phrase.Phrase {
	if before == "" {
		return nil
	}
	doc, problems := orders.ParseAccepted(before)
	if len(problems) > 0 {
		return nil
	}
	was, problems := t.Rules.Read(t.View(s.Side), s.Owes.Decision, Dated(t, doc))
	if len(problems) > 0 {
		return nil
	}
	return Differ(t, s, was, now)
}
