package mistakes

import (
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// answerGames are games that come to every stop.
func answerGames(t *testing.T) []playout.Game {
	games := append(clashes(t, 2), seldomMet(t)...)
	return append(games, playout.Game{Setup: setups[2].Setup, Seed: 7001}, playout.Game{Setup: setups[3].Setup, Seed: 7002})
}

// What may be answered at each kind of stop, and what is refused and where, is as the golden file
// has it.
func TestAnswers(t *testing.T) {
	rulestest.Answers(t, New(), answerGames(t), nil, "testdata/answers.txt", nil)
}

// Answers written as short lines are read back as themselves.
func TestShortLines(t *testing.T) {
	short, _ := rulestest.Lines(t, New(), answerGames(t))
	for _, kind := range []string{stopFire, stopSupport, stopUnlimber, stopCounter, stopSide} {
		if short[kind] == 0 && !rulestest.Race {
			t.Errorf("%s: no answer in short lines", kind)
		}
	}
}

// A template means the default, and each line of it that begins with a # is a legal order by itself.
func TestTemplatesTakeOneUncommenting(t *testing.T) {
	rulestest.Uncomment(t, "enemy-mistakes", New(), answerGames(t), 2)
}

// Answers are written in one spelling.
func TestAnswersHaveOneSpelling(t *testing.T) { rulestest.Spelling(t, New(), answerGames(t)) }

// A damaged position is refused, and the refusal names what is wrong; or it can be played on to the
// end.
func TestDamagedPositions(t *testing.T) {
	rulestest.Damaged(t, New(), moments(t), inOrder)
}
