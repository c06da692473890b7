package game

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/engine/enginetest"
)

// nothingBefore is the past of a game that has none.
type nothingBefore struct{ t *testing.T }

func (n nothingBefore) EntryAt(seq uint64) (chain.Entry, error) {
	n.t.Errorf("entry %d is looked up", seq)
	return chain.Entry{}, errors.New("there is none")
}

func (n nothingBefore) AnswerOf(side engine.Side) ([]byte, error) {
	n.t.Errorf("the answer of %s is looked up", side)
	return nil, errors.New("there is none")
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// at is what a step of a test is given at a time; the mailbox was read up to readUpTo.
func at(t *testing.T, now, readUpTo time.Time) Around {
	return Around{Now: now, ReadUpTo: readUpTo, Past: nothingBefore{t}, Draw: func(b []byte) error { clear(b); return nil }}
}

// begun is a game of lots that has just begun, with a day for each answer and an hour's grace.
func begun(t *testing.T) *Loaded {
	t.Helper()
	position, err := enginetest.New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	g := &State{ID: "lot-1", System: "lots", Phase: Running, Created: noon, Seed: make([]byte, 32), Scheme: log.Scheme,
		GM:     log.Person{Address: "gm@club.example"},
		Timing: timing.Timing{Usual: timing.Rule{Usual: 24 * time.Hour, Grace: time.Hour, Early: true}}}
	for _, side := range position.Sides() {
		g.Seats = append(g.Seats, &Seat{Side: side, Person: log.Person{Address: string(side) + "@play.example"}})
	}
	turn, err := Step(&Loaded{Game: g, Rules: enginetest.New(), Position: position, Views: map[engine.Side]engine.View{}}, at(t, noon, noon), Begun{})
	if err != nil {
		t.Fatal(err)
	}
	return turn.Loaded
}

// step lets something happen that must not change the game.
func step(t *testing.T, was *Loaded, around Around, in Input) (*Turn, error) {
	t.Helper()
	before, err := json.Marshal(was.Game)
	if err != nil {
		t.Fatal(err)
	}
	turn, failed := Step(was, around, in)
	if after, err := json.Marshal(was.Game); err != nil || string(after) != string(before) {
		t.Errorf("%T has changed the game:\n%s\n%s", in, before, after)
	}
	return turn, failed
}

// TestOnlyTheClockLetsASilentDeadlinePass tries a clock that jumps, a letter that comes late,
// and a mailbox that was not read: none of them may take a default.
func TestOnlyTheClockLetsASilentDeadlinePass(t *testing.T) {
	loaded := begun(t)
	late := noon.Add(26 * time.Hour)
	for _, c := range []struct {
		name string
		in   Input
		read time.Time
		want []string
	}{
		{"the mailbox was not read since", Ticked{}, noon, nil},
		{"the grace runs", Ticked{}, noon.Add(24*time.Hour + time.Minute), []string{log.KindLate, log.KindLate}},
		{"no clock", Settled{}, late, nil},
		{"the clock", Ticked{}, late, []string{log.KindDeadline, log.KindDeadline, log.KindResolved}},
	} {
		turn, err := step(t, loaded, at(t, late, c.read), c.in)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(turn.Kinds, c.want) {
			t.Errorf("%s: the log gets %q, want %q", c.name, turn.Kinds, c.want)
		}
	}
}

// TestAStepTellsInOrder reads what was told without reading a letter.
func TestAStepTellsInOrder(t *testing.T) {
	turn, err := step(t, begun(t), at(t, noon.Add(time.Hour), noon), Resigned{Side: "red", Letter: Reference{MessageID: "a@b"}})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, e := range turn.Effects {
		told := e.(Told)
		n := told.Message.(Notice)
		if len(n.Lines) != 1 || (n.Re != nil) != (told.To == "red") {
			t.Errorf("%s is told %+v", told.To, n)
			continue
		}
		codes = append(codes, string(told.To)+" "+n.Lines[0].Code)
		if !told.At.Game.Seat("red").Resigned || told.At.Last.Seq != turn.Entries[0].Seq {
			t.Errorf("%s is told of another game than it was then", told.To)
		}
	}
	if want := []string{"red office.resign.you", "blue office.resign.other", "gm office.resign.gm"}; !slices.Equal(codes, want) {
		t.Errorf("told %q, want %q", codes, want)
	}
	if _, err := step(t, turn.Loaded, at(t, noon.Add(2*time.Hour), noon), Resigned{Side: "red"}); err == nil {
		t.Error("who has resigned resigns again")
	}
}

// TestAFaultDoesNotBeginAPauseAnew pauses a game at which the program then fails: the deadlines
// stood still from the pause on, not from the fault.
func TestAFaultDoesNotBeginAPauseAnew(t *testing.T) {
	paused, err := step(t, begun(t), at(t, noon.Add(time.Hour), noon), Paused{By: "gm", Reason: "a fair"})
	if err != nil {
		t.Fatal(err)
	}
	fell, err := step(t, paused.Loaded, at(t, noon.Add(5*time.Hour), noon), Broken{Cause: errors.New("it fell\ngoroutine 1")})
	if err != nil {
		t.Fatal(err)
	}
	if g := fell.Game; !g.Paused.Equal(noon.Add(time.Hour)) || g.Fault != "it fell" {
		t.Errorf("the game stands still since %s: %q", g.Paused, g.Fault)
	}
}
