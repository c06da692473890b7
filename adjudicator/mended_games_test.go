package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/mail"
)

// Ways in which a sound file is spoilt, so that its sound lines can still be told from the others:
// lines more that no ruleset knows, and one that can't be read at all.
var spoilers = map[string]func(file string) string{
	"a line more": func(file string) string {
		head, body, _ := strings.Cut(file, "\norders:")
		first, rest, _ := strings.Cut(body, "\n")
		switch first = strings.TrimSpace(first); {
		case first == "{}":
			return "" // nothing sound would be left
		case strings.HasPrefix(first, "{"):
			return head + "\norders: " + strings.Replace(first, "{", "{nonsense: 17, ", 1) + "\n" + rest
		case first != "":
			return ""
		case strings.HasPrefix(strings.TrimSpace(rest), "- "):
			return head + "\norders:\n  - nonsense: 17\n" + rest
		}
		return head + "\norders:\n  nonsense: 17\n" + rest
	},
	"a broken line": func(file string) string {
		if head, body, list := strings.Cut(file, "\norders:\n  - "); list {
			return head + "\norders:\n  - nonsense: [17, {\n  - " + body
		}
		return ""
	},
	"two lines more": func(file string) string {
		head, body, list := strings.Cut(file, "\norders:\n  - ")
		if !list {
			return ""
		}
		return head + "\norders:\n  - nonsense: 17\n  - " + strings.TrimRight(body, "\n") + "\n  - {nonsense: 18}\n"
	},
}

// TestARefusedFileComesBackToBeSentByOk plays games of every ruleset in which files are spoilt.
// Each is refused, and its letter gives back the player's own lines with what is wrong beneath
// them. What stands there, sent by the word ok, is what the player meant: the sound lines. It is
// taken as his answer to the stop, no other seat's key sends it, and a crash in between changes
// nothing.
func TestARefusedFileComesBackToBeSentByOk(t *testing.T) {
	withoutRace(t)
	for _, m := range matches {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			h := sit(t, m.rules, m.options, m.sides, masterOfHisOwn+"pace: every-decision\nsecond-thoughts: none\n")
			most, mended := 6, map[string]int{}
			meant := map[string]string{} // at the stops of each side, in normal form
			if fullSamples {
				most = 2 * m.stops
			}
			for range most {
				position := h.position()
				for _, d := range position.Owed() {
					stop := h.place(d.Side)
					a := h.rules.Sensible(position.View(d.Side), d, h.chance)
					file := h.order(d.Side, a)
					for name, spoil := range spoilers {
						if text := spoil(file); text != "" && mended[name+" "+d.Kind] < 2 && h.owes(d, stop) {
							meant[stop] = a.Orders().Encode()
							h.mends(d, stop, file, text)
							mended[name]++
							mended[name+" "+d.Kind]++
						}
					}
					if h.owes(d, stop) {
						h.write(mailboxOf(d.Side), file, mail.Processed)
					}
				}
				h.clock.move(time.Minute)
			}
			if mended["a line more"] < 2 {
				t.Errorf("spoilt were %v", mended)
			}
			t.Logf("%v", mended)
			_, all := h.resolutions(h.id)
			found := 0
			for _, r := range all {
				for _, given := range r.Answers {
					want, spoilt := meant[fmt.Sprint(given.Decision.Side, given.SeatStop)]
					if !spoilt {
						continue
					}
					if found++; given.By != "player" || strings.TrimSpace(given.Orders) != strings.TrimSpace(want) {
						t.Errorf("%s of %s: ok sent by %s\n%s\nand not\n%s", given.Decision.Kind, given.Decision.Side, given.By, given.Orders, want)
					}
				}
			}
			if found < 2 {
				t.Errorf("%d stops were answered so", found)
			}
			h.checks()
		})
	}
}

// owes tells whether a side still owes an answer to a decision at a stop.
func (h *match) owes(d engine.Decision, stop string) bool {
	s := h.record(h.id).Seat(d.Side)
	return s.Owes != nil && s.Owes.Answer == nil && s.Owes.Decision == d && h.place(d.Side) == stop
}

// place is the stop of a side that it owes, as it counts them.
func (h *match) place(side engine.Side) string {
	return fmt.Sprint(side, h.record(h.id).Seat(side).Stops)
}

// mends sends a spoilt file in place of a sound one, and then ok to what comes back.
func (h *match) mends(d engine.Decision, stop, sound, spoilt string) {
	h.Helper()
	address := mailboxOf(d.Side)
	h.deliver(address)
	h.write(address, spoilt, mail.Rejected)
	h.restart()
	back := h.one(h.deliver(address))
	text := back.Parts[0].Text
	for line := range strings.Lines(sound[strings.Index(sound, "\norders:")+1:]) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "- ") && !strings.Contains(spaced2(text), spaced2(line)) {
			h.Errorf("%s of %s: the own line %q does not come back:\n%s", d.Kind, d.Side, line, text)
		}
	}
	if !strings.Contains(text, "^ ") {
		h.Errorf("%s of %s: nothing says beneath a line what is wrong with it:\n%s", d.Kind, d.Side, text)
	}
	for _, other := range h.position().Sides() {
		if other != d.Side {
			h.take(h.answering(mailboxOf(other), "ok", back), mail.Rejected)
		}
	}
	if !h.owes(d, stop) {
		h.Fatalf("%s of %s is answered by somebody else", d.Kind, d.Side)
	}
	h.take(h.answering(address, "ok", back), mail.Processed)
	if h.owes(d, stop) {
		h.Errorf("%s of %s: ok sends nothing: %s\n%s", d.Kind, d.Side, h.last(address).Parts[0].Text, text)
	}
}

// spaced2 is a text without any space.
func spaced2(text string) string { return strings.Join(strings.Fields(text), "") }
