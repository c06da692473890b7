package adjudicator

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/playout"
	"berthier/mail"
)

// TestAHeldFileFilesAheadInEachGame plays games of every ruleset twice with the same files, each
// of which files ahead what may follow. In the one every file waits half an hour for a second look
// before its stop is resolved, and the office dies during each wait. While a file waits nothing of what it files ahead is in force, and nobody else
// gets a letter. Both games have the same answers, dice, events and positions, to the byte, and
// the same waits for the same stops.
func TestAHeldFileFilesAheadInEachGame(t *testing.T) {
	withoutRace(t)
	for _, m := range matches {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			held := sit(t, m.rules, m.options, m.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: 30m\n")
			plain := sit(t, m.rules, m.options, m.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
			files, waits, filed := playout.Ahead(engine.Ruleset.Sensible, nil), 0, 0
			letters := 12
			if fullSamples {
				letters = 2 * m.stops
			}
			for n := range letters {
				owed := plain.position().Owed()
				if len(owed) == 0 || !reflect.DeepEqual(owed, held.position().Owed()) {
					t.Fatalf("letter %d: %v is owed, and %v where files wait", n, owed, held.position().Owed())
				}
				d := owed[0]
				if s := plain.record(plain.id).Seat(d.Side); s.Owes == nil || s.Owes.Answer != nil {
					d = owed[len(owed)-1]
				}
				view := plain.position().View(d.Side)
				a := plain.rules.Sensible(view, d, plain.chance)
				var head []string
				if text := files(plain.rules, view, d, a, plain.chance); text != "" {
					head = append(head, "ahead:\n  "+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  "))
					filed++
				}
				address, stop, was := mailboxOf(d.Side), held.record(held.id).Stop, held.waiting()
				for _, side := range m.sides {
					held.deliver(mailboxOf(engine.Side(side)))
				}
				plain.write(address, plain.order(d.Side, a, head...), mail.Processed)
				held.write(address, held.order(d.Side, a, head...), mail.Processed)
				if held.record(held.id).Stop == stop && plain.record(plain.id).Stop != stop {
					waits++
					held.waitsUntold(d, was)
					held.clock.move(30 * time.Minute)
					held.tick()
				}
				plain.clock.move(time.Minute)
				held.clock.move(time.Minute)
				if got, want := held.waiting(), plain.waiting(); !reflect.DeepEqual(got, want) {
					t.Fatalf("letter %d: there waits\n%v\nand without the second look\n%v", n, got, want)
				}
			}
			held.asWithout(plain)
			if waits == 0 || filed == 0 {
				t.Errorf("%d files waited, %d filed ahead", waits, filed)
			}
			held.checks()
		})
	}
}

// waitsUntold holds that a file which waits for a second look has put nothing in force, and told
// nobody else, also once the office has died.
func (h *match) waitsUntold(d engine.Decision, was heldAhead) {
	h.Helper()
	h.restart()
	h.clock.move(time.Minute)
	h.tick()
	if got := h.waiting(); !reflect.DeepEqual(got, was) {
		h.Errorf("%s of %s waits, and in force ahead is\n%v\nnot\n%v", d.Kind, d.Side, got, was)
	}
	for _, s := range h.record(h.id).Seats {
		if s.Side != d.Side {
			h.silent(mailboxOf(s.Side))
		}
	}
}

// asWithout holds that a game has gone as another one.
func (h *match) asWithout(plain *match) {
	h.Helper()
	_, all := h.resolutions(h.id)
	_, want := plain.resolutions(plain.id)
	if len(all) != len(want) {
		h.Fatalf("%d stops are resolved, and %d without the second look", len(all), len(want))
	}
	byAhead := 0
	for i := range all {
		one, _ := json.Marshal([]any{all[i].Rolls, all[i].Events, all[i].Orders, all[i].Position})
		two, _ := json.Marshal([]any{want[i].Rolls, want[i].Events, want[i].Orders, want[i].Position})
		if !bytes.Equal(one, two) {
			h.Fatalf("stop %d went otherwise:\n%s\n%s", i+1, one, two)
		}
		for j, a := range all[i].Answers {
			if b := want[i].Answers[j]; a.By != b.By {
				h.Errorf("stop %d was answered by %q, and by %q without the second look", i+1, a.By, b.By)
			}
			if a.By == log.ByAhead {
				byAhead++
			}
		}
	}
	if byAhead == 0 {
		h.Error("nothing that was filed ahead has answered a stop")
	}
}
