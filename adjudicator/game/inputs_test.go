package game

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
)

// toldTo are the messages that a turn has for one of its seats, or the game master.
func toldTo(turn *Turn, side engine.Side) (all []Told) {
	for _, e := range turn.Effects {
		if told, ok := e.(Told); ok && told.To == side {
			all = append(all, told)
		}
	}
	return all
}

// TestALetterWithoutANameTellsNobodyWhoWroteIt reads all that the reader of a letter is told
// as a player would who wants to know more.
func TestALetterWithoutANameTellsNobodyWhoWroteIt(t *testing.T) {
	loaded := begun(t)
	loaded.Game.Press = []string{PressAnonymous}
	turn, err := step(t, loaded, at(t, noon, noon), SentPress{Side: "red", Press: log.Press{To: []engine.Side{"blue"}, Text: "Peace?", Anonymous: true}})
	if err != nil {
		t.Fatal(err)
	}
	told := toldTo(turn, "blue")
	if len(told) != 1 {
		t.Fatalf("blue is told %+v", told)
	}
	text, err := json.Marshal(told[0].Message)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "Peace?") || strings.Contains(string(text), "red") {
		t.Errorf("blue reads %s", text)
	}
}

// TestAGameMasterWhoPlaysReadsNoLettersOfOthers lets players write in a game whose game master
// is to read the letters, and has taken a seat.
func TestAGameMasterWhoPlaysReadsNoLettersOfOthers(t *testing.T) {
	loaded := begun(t)
	loaded.Game.Press, loaded.Game.GM.Address = []string{PressGM}, "blue@play.example"
	turn, err := step(t, loaded, at(t, noon, noon), SentPress{Side: "red", Press: log.Press{To: []engine.Side{"blue"}, Text: "Peace?"}})
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Why.Code != "office.press.gm-plays" || len(turn.Effects) > 0 || len(turn.Entries) > 0 {
		t.Errorf("%v, %+v", err, turn.Effects)
	}
}

// TestALetterThatWaitsIsPassedOnOnce lets the game master pass a letter on, and the same once
// more.
func TestALetterThatWaitsIsPassedOnOnce(t *testing.T) {
	loaded := begun(t)
	loaded.Game.Press = []string{PressGM}
	waits, err := step(t, loaded, at(t, noon, noon), SentPress{Side: "red", Press: log.Press{To: []engine.Side{"blue"}, Text: "Peace?"}})
	if err != nil || len(toldTo(waits, "blue")) > 0 || len(toldTo(waits, engine.GM)) != 1 {
		t.Fatalf("%v, blue is told %+v", err, toldTo(waits, "blue"))
	}
	passed, err := step(t, waits.Loaded, at(t, noon, noon), PassedPress{Number: 1})
	if err != nil || len(toldTo(passed, "blue")) != 1 || len(passed.Game.Held) > 0 {
		t.Fatalf("%v, blue is told %+v", err, toldTo(passed, "blue"))
	}
	var refused *RefusedError
	if _, err := step(t, passed.Loaded, at(t, noon, noon), PassedPress{Number: 1}); !errors.As(err, &refused) {
		t.Errorf("the letter is passed on twice: %v", err)
	}
}

// TestALostLetterCountsOnlyAgainstTheAddressThatItWentTo tries reports of a lost letter to who
// sat there before, to another address, and to the game master: none is a player's fault.
func TestALostLetterCountsOnlyAgainstTheAddressThatItWentTo(t *testing.T) {
	loaded := begun(t)
	loaded.Game.Seat("red").Epoch = 1
	own := Mailed{Seat: "red", Epoch: 1, Address: "red@play.example", Kind: "report", Report: true, Written: noon}
	before, elsewhere, master := own, own, own
	before.Epoch = 0
	elsewhere.Address = "rosa@elsewhere.example"
	master.Seat = engine.GM
	for _, c := range []struct {
		name   string
		letter Mailed
		want   int
	}{{"his own", own, 1}, {"of who sat there before", before, 0}, {"to another address", elsewhere, 0}, {"the game master's", master, 0}} {
		turn, err := step(t, loaded, at(t, noon.Add(time.Hour), noon), LetterLost{Letter: c.letter, Believed: true})
		if err != nil {
			t.Fatal(err)
		}
		red := turn.Game.Seat("red")
		if stands := !red.Owes.Stands.IsZero(); red.Failures != c.want || stands != (c.want > 0) {
			t.Errorf("%s: %d failures, the clock stands: %v", c.name, red.Failures, stands)
		}
	}
}

// TestALostReportThatWaitedLetsTheClockGoOn: a report that could not be sent at first, and that is then said to be lost by what can be forged, will
// not be sent again. The clock, which stood for it alone, goes on; it would stand for ever.
func TestALostReportThatWaitedLetsTheClockGoOn(t *testing.T) {
	loaded := begun(t)
	report := Mailed{Seat: "red", Address: "red@play.example", Kind: "report", Report: true, Written: noon}
	waits, err := step(t, loaded, at(t, noon.Add(time.Minute), noon), ReportWaits{Letter: report})
	if err != nil || !waits.Game.Seat("red").Owes.Unsent {
		t.Fatalf("%v, %+v", err, waits.Game.Seat("red").Owes)
	}
	for _, believed := range []bool{false, true} {
		lost, err := step(t, waits.Loaded, at(t, noon.Add(time.Hour), noon), LetterLost{Letter: report, Believed: believed})
		if err != nil {
			t.Fatal(err)
		}
		if o := lost.Game.Seat("red").Owes; !o.Stands.IsZero() && o.GoesOn.IsZero() {
			t.Errorf("believed: %v: the clock stands for ever: %+v", believed, o)
		}
	}
}

// TestWhoWritesWithAKeyFromElsewhereChangesNothing compares the record before and after: not
// even the number of the order file is another.
func TestWhoWritesWithAKeyFromElsewhereChangesNothing(t *testing.T) {
	loaded := begun(t)
	turn, err := step(t, loaded, at(t, noon, noon), KeyElsewhere{Side: "red"})
	if err != nil {
		t.Fatal(err)
	}
	was, now := *loaded.Game, *turn.Game
	a, err1 := json.Marshal(was)
	b, err2 := json.Marshal(now)
	if err := errors.Join(err1, err2); err != nil || string(a) != string(b) || len(turn.Entries) > 0 {
		t.Errorf("%v\n%s\n%s", err, a, b)
	}
	if told := toldTo(turn, "red"); len(told) != 1 || len(turn.Effects) != 1 {
		t.Errorf("told: %+v", turn.Effects)
	}
}

// TestVerdictsWaitForTheirTimeAndTheirPlayer puts an answer off, and asks for it when somebody
// else has the seat.
func TestVerdictsWaitForTheirTimeAndTheirPlayer(t *testing.T) {
	loaded := begun(t)
	kept, err := step(t, loaded, at(t, noon, noon), Concluded{Side: "red", Verdict: Verdict{Print: "a", Kind: log.KindRefused, Faults: 1}})
	if err != nil || len(kept.Effects) > 0 {
		t.Fatalf("%v, %+v", err, kept.Effects)
	}
	later := noon.Add(time.Hour)
	off, err := step(t, kept.Loaded, at(t, noon, noon), ToBeTold{Side: "red", From: later})
	if err != nil || len(off.Effects) != 1 || off.Effects[0].(Later).At != later {
		t.Fatalf("%v, %+v", err, off.Effects)
	}
	if again, err := step(t, off.Loaded, at(t, noon, noon), ToBeTold{Side: "red", From: later.Add(time.Hour)}); err != nil || len(again.Effects) > 0 {
		t.Errorf("one that goes later is put off beside the first: %v, %+v", err, again.Effects)
	}
	if other, err := step(t, off.Loaded, at(t, later, later), VerdictsDue{Side: "red", Epoch: 1}); err != nil || len(other.Effects) > 0 {
		t.Errorf("somebody else is told: %v, %+v", err, other.Effects)
	}
	due, err := step(t, off.Loaded, at(t, later, later), VerdictsDue{Side: "red"})
	if err != nil || len(toldTo(due, "red")) != 1 || len(due.Game.Seat("red").Verdicts) > 0 {
		t.Errorf("%v, %+v", err, due.Effects)
	}
}
