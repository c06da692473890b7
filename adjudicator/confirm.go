package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/engine"
)

// cautions lists what is legal but odd in an answer of a seat.
func (d *desk) cautions(s *game.Seat, answer engine.Answer) []engine.Caution {
	rules, ok := d.Rules.(engine.Cautious)
	if !ok || s.Owes == nil {
		return nil
	}
	return rules.Cautions(d.View(s.Side), s.Owes.Decision, answer)
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
