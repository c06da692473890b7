package adjudicator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine/rulestest"
)

// twice lets what happens in a test happen to a copy of the game first: all of it in full samples,
// else every third input. Both must come out the same, byte for byte, and what happened to the
// copy must not have changed the game.
func twice(t testing.TB) func(*game.Turn, game.Input) error {
	inputs, every := 0, 3
	if rulestest.FullSamples() {
		every = 1
	}
	return func(turn *game.Turn, in game.Input) error {
		t.Helper()
		if inputs++; inputs%every != 0 {
			return turn.Do(in)
		}
		var drawn []byte
		draw, before := turn.Draw, keptOf(t, turn)
		copied := turn.Fork()
		copied.Draw = func(b []byte) error {
			err := draw(b)
			drawn = append(drawn, b...)
			return err
		}
		first := happens(copied, in)
		if after := keptOf(t, turn); after != before {
			t.Errorf("%T has changed the game to whose copy it happened:\n%s\n%s", in, before, after)
		}
		turn.Draw = func(b []byte) error {
			if len(b) > len(drawn) {
				t.Errorf("%T needs more chance the second time", in)
				return draw(b)
			}
			drawn = drawn[copy(b, drawn):]
			return nil
		}
		err := happens(turn, in)
		turn.Draw = draw
		if fmt.Sprint(first) != fmt.Sprint(err) && !errors.Is(err, errPanicked) {
			t.Errorf("%T: %v the first time, %v the second", in, first, err)
		}
		if err == nil {
			sameTurns(t, in, copied, turn)
			if len(drawn) > 0 {
				t.Errorf("%T needs less chance the second time", in)
			}
		}
		var panicked *panicAgain
		if errors.As(err, &panicked) {
			panic(panicked.fault)
		}
		return err
	}
}

// errPanicked: the rules panicked, as they do in tests of that.
var errPanicked = errors.New("panicked")

type panicAgain struct{ fault any }

func (p *panicAgain) Error() string        { return "panicked" }
func (p *panicAgain) Is(target error) bool { return target == errPanicked }

func happens(turn *game.Turn, in game.Input) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &panicAgain{fault}
		}
	}()
	return turn.Do(in)
}

// keptOf is all of a turn that the store keeps.
func keptOf(t testing.TB, turn *game.Turn) string {
	t.Helper()
	position, err := turn.Position.Marshal()
	if err != nil {
		position = []byte(err.Error())
	}
	return asJSON(t, turn.Game, turn.Last, turn.Entries, turn.Kinds, turn.Checkpoints, turn.Moved, turn.Joined, turn.Left, turn.Answers) + string(position)
}

func asJSON(t testing.TB, all ...any) string {
	t.Helper()
	var b bytes.Buffer
	for _, v := range all {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	return b.String()
}

// sameTurns compares what came of two turns.
func sameTurns(t testing.TB, in any, a, b *game.Turn) {
	t.Helper()
	if strings.Contains(a.Game.Fault, "panicked") && strings.Contains(b.Game.Fault, "panicked") {
		return // the log has where the program was, by its places in memory
	}
	if one, two := keptOf(t, a), keptOf(t, b); one != two {
		t.Errorf("%T came to two different ends:\n%s\n%s", in, one, two)
	}
	if len(a.Effects) != len(b.Effects) {
		t.Errorf("%T had %d effects the first time, %d the second", in, len(a.Effects), len(b.Effects))
		return
	}
	for i := range a.Effects {
		one, told := a.Effects[i].(game.Told)
		two, again := b.Effects[i].(game.Told)
		if told != again {
			t.Errorf("%T: effect %d is %T the first time, %T the second", in, i, a.Effects[i], b.Effects[i])
			continue
		}
		if !told {
			one, remark := a.Effects[i].(game.Remark)
			two, again := b.Effects[i].(game.Remark)
			if remark != again || !remark && !reflect.DeepEqual(a.Effects[i], b.Effects[i]) {
				t.Errorf("%T has effect %+v the first time, %+v the second", in, a.Effects[i], b.Effects[i])
			} else if one.What != two.What || one.Stop != two.Stop {
				t.Errorf("%T remarks %q the first time, %q the second", in, one.What, two.What)
			}
			continue
		}
		if one.To != two.To || one.Person != two.Person || !reflect.DeepEqual(one.Message, two.Message) ||
			asJSON(t, one.At.Game, one.At.Last, one.Entries, one.Kept, one.Answers) != asJSON(t, two.At.Game, two.At.Last, two.Entries, two.Kept, two.Answers) {
			t.Errorf("%T tells %s\n%+v the first time,\n%+v the second", in, one.To, one.Message, two.Message)
		}
	}
}

// TestATurnHasItsChanceFromOutside holds the comparison against a step that is not what the
// same chance makes of it.
func TestATurnHasItsChanceFromOutside(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	turns := map[bool]*game.Turn{}
	for _, other := range []bool{false, true} {
		if err := h.office.look("lot-1", func(tr *transaction) error {
			tr.Draw = func(b []byte) error {
				if clear(b); other {
					b[0] = 1
				}
				return nil
			}
			var err error
			turns[other], err = game.Step(tr.Loaded, tr.Around, game.Paused{By: "gm", Reason: "a fair"})
			if err == nil && !tr.Game.Paused.IsZero() {
				t.Error("the step has changed the game that it was given")
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if asJSON(t, turns[false].Entries) == asJSON(t, turns[true].Entries) {
		t.Error("other salts give the same entries")
	}
	if turns[false].Game.Paused.IsZero() || len(turns[false].Entries) != 1 || len(turns[false].Effects) != 2 {
		t.Errorf("a pause came to %+v", turns[false].Effects)
	}
}

// TestARestoreHappensAlikeTwice compares what an office lets happen while it is opened, when no
// test can reach it yet.
func TestARestoreHappensAlikeTwice(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	err := h.office.change(t.Context(), "lot-1", func(tr *transaction) error {
		return tr.Do(game.Restored{Restoration: log.Restoration{At: tr.Now, Mark: "a copy"}})
	})
	if err != nil {
		t.Fatal(err)
	}
	h.wantKinds("lot-1", log.KindSetup, log.KindRestored)
	if told := h.record("lot-1").Seat("red").Restored; told.IsZero() {
		t.Error("the player will not be told")
	}
}
