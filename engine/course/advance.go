// Package course plays positions of any ruleset on, and changes them as a game master orders.
package course

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"berthier/engine"
)

// Advance plays a position on with answers and dice, and gives what happened and the
// snapshot of the position after it. Asked are the stops that open for each side, whatever
// its standing orders and policies say. A panic of the ruleset becomes an error: it must not
// end the program, which serves other games, too.
func Advance(p engine.Position, answers map[engine.Side]engine.Answer, dice engine.Dice, asked map[engine.Side][]string) (events []engine.Event, snapshot []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			events, snapshot, err = nil, nil, fmt.Errorf("the ruleset panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	if events, err = engine.AdvanceAsking(p, answers, dice, asked); err != nil {
		return nil, nil, err
	}
	for _, event := range events {
		if err := MayExchange(event.Exchange, p.Sides()); err != nil {
			return nil, nil, err
		}
	}
	if _, ended := p.Outcome(); !ended && len(p.Owed()) == 0 {
		return nil, nil, errors.New("nothing is owed and the game is not over")
	}
	snapshot, err = p.Marshal()
	return events, snapshot, err
}

// MayExchange checks that the seats that an event exchanges ([engine.Event.Exchange]) are
// two of the sides, or none.
func MayExchange(pair, sides []engine.Side) error {
	if len(pair) == 0 {
		return nil
	}
	if len(pair) != 2 || pair[0] == pair[1] || !slices.Contains(sides, pair[0]) || !slices.Contains(sides, pair[1]) {
		return fmt.Errorf("exchange players: %q are not two of the seats", pair)
	}
	return nil
}
