package adjudicator

import (
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/mail"
)

// A player's words go to the other side under the name of his side, with no
// address of his; the log keeps them.
func TestPress(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(blueAt)
	h.deliver(redAt)
	h.write(redAt, command(h, "lot-1", "red", "command: press", "text: Shall we make peace?"), mail.Processed)
	letter := h.one(h.deliver(blueAt))
	h.says(letter, "Shall we make peace?")
	if strings.Contains(wordsOf(letter), redAt) {
		t.Errorf("blue learns an address: %s", wordsOf(letter))
	}
	h.one(h.deliver(redAt))
	h.wantKinds("lot-1", log.KindSetup, log.KindPress)
}

// A letter that says nothing, or is for nobody, is refused.
func TestPressRefused(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(blueAt)
	for _, lines := range [][]string{{"text: Hello", "for: green"}, {"for: blue"}, {"for: blue", "text: " + strings.Repeat("long ", 1000)}} {
		h.write(redAt, command(h, "lot-1", "red", append([]string{"command: press"}, lines...)...), mail.Rejected)
	}
	h.silent(blueAt)
}

// A set-up may keep the players from writing to each other.
func TestNoPress(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "press: none\n")
	h.deliver(blueAt)
	h.write(redAt, command(h, "lot-1", "red", "command: press", "text: Shall we make peace?"), mail.Rejected)
	h.silent(blueAt)
}
