package rulestest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"berthier/engine"
	"berthier/orders/phrase"
)

// scored remembers the scores of games by what was said of who is ahead.
type scored map[string][]engine.Score

// check holds what is promised of the score of a position: all sides and observers get the
// same; it has each side once, in order; it is there as long as something is said of who is
// ahead; and where the same is said, the score is the same, so that it tells no more.
func (s scored) check(rules engine.Scored, p engine.Position, others []engine.View, said []phrase.Phrase) error {
	sides := p.Sides()
	want := rules.Score(p.View(sides[0]))
	for _, v := range others {
		if got := rules.Score(v); !reflect.DeepEqual(got, want) {
			return fmt.Errorf("%s reads the score %v, and %s %v", v.Side(), got, sides[0], want)
		}
	}
	if (len(want) > 0) != (len(said) > 0) {
		return fmt.Errorf("the score is %v, but of who is ahead is said %v", want, said)
	}
	for i, score := range want {
		if len(want) != len(sides) || score.Side != sides[i] {
			return fmt.Errorf("the score %v is not of the sides %v", want, sides)
		}
		if score.Points < 0 || score.Inflicted < 0 {
			return fmt.Errorf("the score %v is below nothing", want)
		}
	}
	// Sides keep their places in a game, but not from one scenario to another.
	line, err := json.Marshal(said)
	if err != nil {
		return err
	}
	key := fmt.Sprint(sides, string(line))
	if before, known := s[key]; known && !reflect.DeepEqual(before, want) {
		return fmt.Errorf("the same is said of who is ahead, but the score was %v and is %v", before, want)
	}
	s[key] = want
	return nil
}

// ends checks that no turn comes after the last one, and that a game that is being played has one.
func ends(p engine.Position) error {
	e, ok := p.(engine.Ending)
	if !ok {
		return errors.New("the game does not say which turn is its last")
	}
	if turn, last := e.TurnNumber(), e.LastTurn(); turn > last || turn > 0 && last == 0 {
		return fmt.Errorf("turn %d of %d", turn, last)
	}
	return nil
}
