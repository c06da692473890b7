package adjudicator

import (
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail"
)

// threePlayers is a game of three, with a line of the test's own.
func threePlayers(line string) string {
	return strings.NewReplacer("system: lots\n", "system: lots\nscenario: three\n", "gm: {", "  green: {name: Greta, address: green@play.example}\ngm: {").Replace(twoSides) + line
}

// Where the set-up allows it a letter goes under the name of another side: its reader reads that name, learns
// nothing else, and his reply goes there. He is warned in each letter that this may be.
func TestPressUnderAnotherName(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(threePlayers("press: [faked, delayed]\n"))
	for _, at := range []string{redAt, blueAt, greenAt} {
		h.deliver(at)
	}
	red := func(want mail.Folder, lines ...string) {
		h.Helper()
		h.write(redAt, command(h, "lot-1", "red", append([]string{"command: press"}, lines...)...), want)
	}
	red(mail.Rejected, "for: blue", "sender: blue", "text: to himself")
	red(mail.Rejected, "for: blue", "sender: red", "text: his own")
	red(mail.Rejected, "for: blue", "sender: gm", "text: the master's")
	red(mail.Processed, "for: blue", "sender: green", "text: I am green")
	l := h.last(blueAt)
	h.says(l, "I am green", "verde", "può portare il nome di una parte che non l'ha scritta")
	h.lacks(l, "red", "rosso", redAt)
	h.silent(greenAt)
	h.write(blueAt, command(h, "lot-1", "blue", "command: press", "reply: 1", "text: dear green"), mail.Processed)
	h.says(h.last(greenAt), "dear green")
	h.deliver(redAt)
	h.write(blueAt, command(h, "lot-1", "blue", "command: history"), mail.Processed)
	h.lacks(h.last(blueAt), "red wrote", "rosso ha scritto")
	h.write(redAt, command(h, "lot-1", "red", "command: history"), mail.Processed)
	h.says(h.last(redAt), "I am green")
	if x := h.export("lot-1", "blue"); slices.ContainsFunc(x.Entries, func(e log.ExportedEntry) bool { return strings.Contains(e.Body+e.Private, "I am green") }) {
		t.Error("the log of blue tells who wrote")
	}
	h.sound()
}

// Who answers a letter without a name can't learn from what is refused whose it is: no other name is taken for a reply, the writer's as
// little as any other.
func TestAReplyToNobodyTellsNobody(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(threePlayers("press: [signed, anonymous, faked]\n"))
	h.drain()
	h.write(redAt, command(h, "lot-1", "red", "command: press", "for: blue", "anonymous: yes", "text: guess who"), mail.Processed)
	h.says(h.last(blueAt), "guess who")
	h.deliver(redAt)
	h.deliver(greenAt)
	for _, name := range []string{"red", "green"} {
		h.write(blueAt, command(h, "lot-1", "blue", "command: press", "reply: 1", "text: who are you", "sender: "+name), mail.Rejected)
		h.silent(redAt)
		h.silent(greenAt)
		h.says(h.last(blueAt), "La lettera 1 non porta nome") // and of neither, that he can't write to himself
	}
	h.write(blueAt, command(h, "lot-1", "blue", "command: press", "reply: 1", "text: who are you"), mail.Processed)
	h.says(h.last(redAt), "who are you")
	h.silent(greenAt)
}

// A letter with delay: goes when its writer has been asked so often, once; what still waits goes when the game ends. It
// can be written only where the set-up allows it.
func TestPressThatGoesLater(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "press: delayed\n")
	h.drain()
	if g := h.record("lot-1"); !g.MayWrite(game.PressSigned) {
		t.Fatalf("%q", g.Press)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: press", "delay: 10", "text: too late"), mail.Rejected)
	h.write(redAt, command(h, "lot-1", "red", "command: press", "delay: 2", "text: in two stops"), mail.Processed)
	h.says(h.last(redAt), "Your letter goes later", "asked 2 times more")
	h.write(redAt, command(h, "lot-1", "red", "command: press", "delay: 9", "text: at the end"), mail.Processed)
	h.silent(blueAt)
	letters := func() (all []string) {
		for _, l := range h.deliver(blueAt) {
			for _, text := range []string{"in two stops", "at the end"} {
				if strings.Contains(wordsOf(l), text) {
					all = append(all, text)
				}
			}
		}
		return all
	}
	for asked := 1; asked < 3; asked++ { // red alone counts
		if got := letters(); len(got) > 0 {
			t.Errorf("when red is asked for the %d. time: %q", asked, got)
		}
		for h.record("lot-1").Seat("red").Stops == asked {
			h.answerAs("lot-1", "red")
			h.answerAs("lot-1", "blue")
		}
	}
	if got := letters(); !slices.Equal(got, []string{"in two stops"}) {
		t.Errorf("when red is asked a third time: %q", got)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	if got := letters(); !slices.Equal(got, []string{"at the end"}) {
		t.Errorf("at the end: %q", got)
	}
	h.sound()

	h = newTestOffice(t)
	h.newGame(twentyRounds + "press: delayed\n")
	for h.record("lot-1").Seat("red").Stops < 4 {
		h.answerAs("lot-1", "red")
		h.answerAs("lot-1", "blue")
	}
	h.write(redAt, command(h, "lot-1", "red", "command: press", "delay: 2", "text: in two stops"), mail.Processed)
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: a power cut")
	g := h.record("lot-1")
	if left := g.Delayed[0].Asked - g.Seat("red").Stops; left != 2 {
		t.Errorf("after a rewind the letter waits for %d stops", left)
	}

	h = newTestOffice(t)
	h.newGame(threePlayers(""))
	h.drain()
	for _, line := range []string{"delay: 1", "sender: green"} {
		h.write(redAt, command(h, "lot-1", "red", "command: press", "for: blue", "text: hello", line), mail.Rejected)
	}
	h.silent(blueAt)
}
