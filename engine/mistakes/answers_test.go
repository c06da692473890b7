package mistakes

import (
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// fewTurns is a game of four turns in which armies are deployed, enter and bid.
var fewTurns = engine.Setup{Options: map[string]string{"game": "free-deploy-3p", "players": "3", "last-turn": "11"}}

// fewGames are games that come to every stop, none of them a long one.
func fewGames(t *testing.T) []playout.Game {
	return append(append(clashes(t, 2), seldomMet(t)...), playout.Game{Setup: fewTurns, Seed: 7001})
}

// answerGames are games that come to every stop; in full samples whole ones are among them.
func answerGames(t *testing.T) []playout.Game {
	games := fewGames(t)
	if rulestest.FullSamples() {
		games = append(games, playout.Game{Setup: setups[2].Setup, Seed: 7001}, playout.Game{Setup: setups[3].Setup, Seed: 7002})
	}
	return games
}

// What may be answered at each kind of stop, and what is refused and where, is as the golden file
// has it.
func TestAnswers(t *testing.T) {
	rulestest.Answers(t, New(), fewGames(t), nil, "testdata/answers.txt", nil)
}

// Answers written as short lines are read back as themselves.
func TestShortLines(t *testing.T) {
	short, _ := rulestest.Lines(t, New(), append(answerGames(t), clashes(t, 6)[2:]...))
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
	all, met := moments(t), map[string]bool{}
	if !rulestest.FullSamples() { // one stop of each kind
		all = slices.DeleteFunc(slices.Clone(all), func(m playout.Moment) bool {
			had := met[m.Owed[0].Kind]
			met[m.Owed[0].Kind] = true
			return had
		})
	}
	rulestest.Damaged(t, New(), all, inOrder)
}
