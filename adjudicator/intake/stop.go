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
	case f.Doc.Serial > 0 && f.Doc.Serial <= s.Anew, f.Doc.Serial == 0 && f.Sent().Before(s.AnewAt):
		return one("serial", phrase.Say("office.meanwhile.before"), write), false
	case f.beforeRewind(s):
		return one("serial", phrase.Say("office.before-rewind"), write), false
	case f.Doc.Serial > s.Serial:
		return one("serial", phrase.Say("office.serial-unknown", phrase.Number("serial", f.Doc.Serial)), phrase.Phrase{}), true
	}
	if o.Answer != nil && !f.Doc.Draft {
		return f.overtaken(game.Stamp{Sent: o.Answer.Sent, Serial: o.Answer.Serial}), true
	}
	return nil, true
}

// beforeRewind tells whether a file was written for the game as it stood before it went back.
func (f *File) beforeRewind(s *game.Seat) bool {
	return f.Doc.Serial > 0 && f.Doc.Serial <= s.Floor || f.Doc.Serial == 0 && f.Sent().Before(f.Game.Since)
}

// overtaken refuses a file that was sent before, or made from an older template than, what is in force.
func (f *File) overtaken(by game.Stamp) orders.Problems {
	own := game.Stamp{Sent: f.Sent(), Serial: f.Doc.Serial}
	if !own.Before(by) {
		return nil
	}
	p := f.Fault("", phrase.Say("office.sent-earlier"))
	if own.Serial > 0 && by.Serial > own.Serial {
		p = f.Fault("serial", phrase.Say("office.older-template", phrase.Number("serial", own.Serial), phrase.Number("newer", by.Serial)))
	}
	p.Remedy = phrase.Say("office.overtaken-do")
	return orders.Problems{p}
}

// filedLate refuses standing orders, policies and what is filed ahead in a letter that was overtaken by another, or that was written before the
// game went back: it would answer the stop that is open again by itself.
func filedLate(f *File, s *game.Seat) orders.Problems {
	var p orders.Problem
	switch {
	case f.Doc.Draft:
		return nil
	case f.beforeRewind(s):
		p = f.Fault("serial", phrase.Say("office.before-rewind"))
	case s.Filed != nil && game.Stamp{Sent: f.Sent(), Serial: f.Doc.Serial}.Before(*s.Filed):
		p = f.Fault("", phrase.Say("office.filed-earlier"))
	default:
		return nil
	}
	p.Remedy = phrase.Say("office.filed-again")
	return orders.Problems{p}
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
