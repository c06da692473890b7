package mistakes

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A battlefield is a game that is played on: with dice, and with what is told.
type battlefield struct {
	*game
	play.Story

	bid    [armies]int // as they come in at the stop bid
	bidden bool        // they are in
}

// dieSides is how many sides every die has.
const dieSides = 6

// seats are who plays: blue and red, who also has the black army, or all three.
func (g *game) seats() []engine.Side {
	if g.players == 0 {
		return []engine.Side{"blue", "red"}
	}
	return []engine.Side{"blue", "red", "black"}
}

// roll rolls a die for an army.
func (p *battlefield) roll(code string, a army, args ...phrase.Arg) int {
	return p.Dice.Roll(dieSides, phrase.Say(code, append([]phrase.Arg{armyArg("army", a)}, args...)...))
}

// tell tells everybody: all that happens on the field is seen by all (section 7).
func (p *battlefield) tell(clause, code string, args ...phrase.Arg) {
	p.tellings(clause, play.To(p.seats(), code, args...))
}

// tellings tells each side what it may know of an event.
func (p *battlefield) tellings(clause string, all ...engine.Telling) {
	p.Tell(clause, all...)
	if watched != nil {
		watched(p.game)
	}
}

// watched looks at the game after each event. Tests alone set it.
var watched func(*game)

// widening says whether a die succeeds whose range widens with each attempt: 5 and 6 at the
// first, 4 to 6 at the second, and so on (EM-5.6, EM-6.1); counted from the other end where an
// option says so.
func widening(die, attempt int, low play.Setting) bool {
	if low != 0 {
		die = dieSides + 1 - die
	}
	return die >= dieSides-attempt
}
