//go:build e2e

package adjudicator

import (
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
	"berthier/engine"
	"berthier/mail"
)

// A game with players' words, one of whom has come later, holds in another language, too.
func TestEndToEndWordsInAnotherLanguage(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(luckySides)
	h.write(blueAt, command(h, "lot-1", "blue", "command: luck", "word: Grouchy"), mail.Processed)
	const newAt = "new@play.example"
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "blue", log.Person{Name: "New", Address: newAt}); err != nil {
		t.Fatal(err)
	}
	h.write(newAt, command(h, "lot-1", "blue", "command: luck", "word: o i prussiani, è notte"), mail.Processed)
	h.write(redAt, command(h, "lot-1", "red", "command: luck", "word: Ney"), mail.Processed)
	h.play("lot-1", h.anyUnit("lot-1"))
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		if code, said := logtest.InPython(t, "../docs/check_game.py", h.export("lot-1", side)); code != 0 {
			t.Errorf("%q: %d: %s", side, code, said)
		}
	}
}

func init() {
	holdsElsewhere = func(h *testOffice, x *log.Export) {
		h.Helper()
		if code, said := logtest.InPython(h, "../docs/check_game.py", x); code == 1 {
			h.Errorf("the log is sound, and in another language: %s", said)
		}
	}
}

// What waits, what is accepted and what is done again is found sound in another language, too.
func TestEndToEndAheadInAnotherLanguage(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"accepted": TestAnAcceptedFileFilesAhead, "accepted and overruled": TestOverrulingPutsBackWhatAnAnswerFilesAhead,
		"overruled":                TestOverrulingPutsBackAnAnswerFiledAhead,
		"after a ruling":           TestWhatAnAnswerFilesAheadWaitsAfterARuling,
		"overtaken":                TestAnOlderAnswerLeavesWhatANewerLetterFilesAhead,
		"newer policies":           TestAnOlderAnswerFilesAheadButForNewerPolicies,
		"before a change of seats": TestWhatWaitedBeforeAChangeOfSeatsWaitsAgain,
		"a player has left":        TestWhatAnAnswerFilesAheadEndsWithItsPlayer,
		"a rewind":                 TestAheadAndRewind,
	} {
		t.Run(name, test)
	}
}
