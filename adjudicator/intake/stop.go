package intake

import (
	"berthier/adjudicator/game"
	"berthier/orders"
	"berthier/orders/phrase"
)

// checkStop checks that a file answers what the seat owes, and was not
// overtaken. It tells whether the orders can be judged for that stop.
func (f *File) checkStop(s *game.Seat) (orders.Problems, bool) {
	one := func(key string, why, remedy phrase.Phrase) orders.Problems {
		p := f.Fault(key, why)
		p.Remedy = remedy
		return orders.Problems{p}
	}
	o := s.Owes
	switch {
	case f.Game.Phase != game.Running:
		return one("stop", phrase.Say("office.game-over"), phrase.Phrase{}), false
	case o == nil && f.Doc.Stop > 0 && f.Doc.Stop <= s.Stops:
		return one("stop", phrase.Say("office.stop-past", phrase.Number("stop", f.Doc.Stop)), phrase.Say("office.nothing-owed-now")), false
	case o == nil:
		return one("stop", phrase.Say("office.nothing-owed"), phrase.Say("office.nothing-owed-now")), false
	}
	write := phrase.Say("office.write-stop", phrase.Within("stop", game.SayStop(o)), phrase.Number("number", o.Stop))
	switch {
	case f.Value("stop") == nil:
		return one("stop", phrase.Say("office.stop-missing"), write), true
	case f.Doc.Stop == 0:
		return nil, true // not a number: told by the reader of the envelope
	case f.Doc.Stop < o.Stop:
		return one("stop", phrase.Say("office.stop-past", phrase.Number("stop", f.Doc.Stop)), write), false
	case f.Doc.Stop > o.Stop:
		return one("stop", phrase.Say("office.stop-ahead", phrase.Number("stop", f.Doc.Stop)), write), false
	case f.Doc.StopName != "" && !f.meansStop(f.Doc.StopName, o.Decision.Kind):
		return one("stop", phrase.Say("office.stop-name", phrase.Literal("got", f.Doc.StopName)), write), true
	case f.Doc.Serial > 0 && f.Doc.Serial <= s.Anew:
		return one("serial", phrase.Say("office.meanwhile.before"), write), false
	case f.Doc.Serial > 0 && f.Doc.Serial <= s.Floor, f.Doc.Serial == 0 && f.Sent().Before(f.Game.Since):
		return one("serial", phrase.Say("office.before-rewind"), write), false
	case f.Doc.Serial > s.Serial:
		return one("serial", phrase.Say("office.serial-unknown", phrase.Number("serial", f.Doc.Serial)), phrase.Phrase{}), true
	}
	if o.Answer != nil && !f.Doc.Draft {
		if old := f.Doc.Serial; old > 0 && o.Answer.Serial > old {
			return one("serial", phrase.Say("office.older-template", phrase.Number("serial", old), phrase.Number("newer", o.Answer.Serial)), phrase.Say("office.overtaken-do")), true
		}
		same := f.Doc.Serial == 0 || o.Answer.Serial == 0 || f.Doc.Serial == o.Answer.Serial
		if same && f.Sent().Before(o.Answer.Sent) {
			return one("", phrase.Say("office.sent-earlier"), phrase.Say("office.overtaken-do")), true
		}
	}
	return nil, true
}

func (f *File) meansStop(text, kind string) bool {
	if orders.Fold(text) == orders.Fold(kind) {
		return true
	}
	for _, language := range f.Languages {
		if orders.Fold(text) == orders.Fold(f.View(f.Seat).Spell("stop", kind, language)) {
			return true
		}
	}
	return false
}
