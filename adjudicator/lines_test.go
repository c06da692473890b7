package adjudicator

import (
	"strings"
	"testing"

	"berthier/engine/napoleon"
	"berthier/mail"
)

// Orders in short lines are taken by letter, with dashes or without, and the answer tells what
// they stand for.
func TestShortLinesByLetter(t *testing.T) {
	withoutRace(t)
	for _, body := range []string{"  Solre - Maubeuge: F-07, F-08\n  reveal F-01\n", "  - solre -> Maubeuge: F7, F-08\n  - reveal F-01\n"} {
		h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn)
		address := mailboxOf("french")
		head, _, _ := strings.Cut(h.template(address), "\norders:")
		h.deliver(address)
		h.write(address, head+"\norders:\n"+body, mail.Processed)
		l := h.last(address)
		h.says(l, "Read as", "move: {from: Solre, to: Maubeuge, units: [F-07, F-08]}", "reveal: [F-01]")
	}
}

// A letter that has orders and no file is told what is missing above them, with the game, its
// deadline and the file to write them into.
func TestOrdersWithoutAFile(t *testing.T) {
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn)
	address := mailboxOf("french")
	report := h.one(h.deliver(address))
	his := h.letter(address, "Hello,\n\nSolre - Maubeuge: F-07, F-08\nreveal F-01\n\nGreetings")
	his.InReplyTo = report.MessageID
	h.take(his, mail.Rejected)
	l := h.one(h.deliver(address))
	h.says(l, "has 2 lines that look like orders", "these lines are missing", "game, side, stop, key", "key: ", "# ===== ORDERS", h.id)
}
