package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// cautions lists what is legal but odd in an answer of a seat.
func (d *desk) cautions(s *game.Seat, answer engine.Answer) []engine.Caution {
	rules, ok := d.Rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(d.View(s.Side), s.Owes.Decision, answer)
}

// differ tells what an answer orders otherwise than the one that it replaces, where the
// rules can tell.
func (d *desk) differ(s *game.Seat, was, now engine.Answer) []phrase.Phrase {
	rules, ok := d.Rules.(engine.Comparer)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Compare(d.View(s.Side), s.Owes.Decision, was, now)
}

// differs is what an answer in force orders otherwise than the one before it, of which
// the normal form is kept.
func (d *desk) differs(s *game.Seat, before string, now engine.Answer) []phrase.Phrase {
	doc, problems := orders.ParseAccepted(before)
	if len(problems) > 0 {
		return nil
	}
	was, problems := d.Rules.Read(d.View(s.Side), s.Owes.Decision, game.Dated(d.Turn, doc))
	if len(problems) > 0 {
		return nil
	}
	return d.differ(s, was, now)
}

// alsoAsked lists the sides that are asked at the stop besides a seat, of those of
// whom it may know that. Whether they have answered is not told.
func (d *desk) alsoAsked(s *game.Seat) []engine.Side {
	announcer, ok := d.Position.(engine.Announcer)
	if !ok {
		return nil
	}
	return announcer.Asked(s.Side)
}
