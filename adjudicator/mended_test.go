package adjudicator

import (
	"fmt"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// faulty is a player's file for his move with thirteen lines that are wrong and one that is
// right; and the one that is right.
func faulty(template string) (text, good string) {
	good = "move: {from: Solre, to: Maubeuge, units: [F-07, F-08]}"
	lines := []string{"orders:", "  - " + good, "  - reveal: Murat"}
	for i := range 10 {
		lines = append(lines, fmt.Sprintf("  - move: {from: Solre, to: Nowhere %c, units: all}", 'A'+i))
	}
	lines = append(lines, "  - march: {to: Ghent}", "  - forced: [Q-99]")
	head, _, _ := strings.Cut(template, "\norders:")
	return head + "\n" + strings.Join(lines, "\n") + "\n", good
}

// A file with thirteen faults comes back as the player's own lines with what is wrong
// beneath them, and one word sends what is right of it.
func TestThirteenFaultsBecomeOneLetter(t *testing.T) {
	withoutRace(t)
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn)
	address := mailboxOf("french")
	text, good := faulty(h.template(address))
	h.deliver(address)
	h.write(address, text, mail.Rejected)
	back := h.one(h.deliver(address))
	if want := "13 lines to mend in your orders"; !strings.Contains(back.Subject, want) {
		t.Errorf("the subject is %q, want %q in it", back.Subject, want)
	}
	if got := back.Parts[0].Text; strings.Count(got, "  #   ^ ") != 13 || !strings.Contains(got, "  - "+good) || strings.Contains(got, "orders: none") {
		t.Errorf("the letter is\n%s", got)
	}
	h.take(h.answering(address, "ok", back), mail.Processed)
	if got := h.kinds(h.id); got[len(got)-1] == log.KindRefused || strings.Count(strings.Join(got, " "), log.KindRefused) != 1 {
		t.Errorf("the log has %v", got)
	}
	h.says(h.last(address), strings.TrimPrefix(good, "move: "))
}

// What is given back outlives a crash before the letter goes; after the stop has moved on,
// or the game was rewound, ok to it answers nothing.
func TestAMendedFileIsForItsStopOnly(t *testing.T) {
	withoutRace(t)
	h := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn)
	address := mailboxOf("french")
	text, good := faulty(h.template(address))
	h.deliver(address)
	h.write(address, text, mail.Rejected)
	h.restart()
	back := h.one(h.deliver(address))
	h.says(back, good, "one word ok")
	head, _, _ := strings.Cut(text, "\norders:")
	h.write(address, head+"\norders: default\n", mail.Processed)
	stop := h.record(h.id).Seat("french").Stops
	for h.record(h.id).Seat("french").Stops == stop {
		h.playOn(1)
	}
	h.deliver(address)
	h.take(h.answering(address, "ok", back), mail.Rejected)
	if s := h.record(h.id).Seat("french"); s.Owes == nil || s.Owes.Answer != nil {
		t.Errorf("what is owed is %+v", s.Owes)
	}
}
