package adjudicator

import (
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// drain has everybody read what came until now.
func (h *testOffice) drain() {
	h.Helper()
	for _, at := range []string{redAt, blueAt, gmAt} {
		h.deliver(at)
	}
}

// With late: wait no default is ever taken: the late player is told each day, the others and the game master once,
// and his answer counts whenever it comes. A game master may have the stop resolved, and then it counts as
// silence.
func TestAGameWaitsForItsPlayer(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, late: wait}", 1))
	template := h.template(blueAt)
	if !strings.Contains(template, "stop: 1") {
		t.Fatal(template)
	}
	h.answerAs("lot-1", "red")
	h.drain()
	h.clock.move(73 * time.Hour)
	h.tick()
	h.says(h.one(h.deliver(blueAt)), "si aspetta te")
	h.says(h.one(h.deliver(redAt)), "The time of blue is up", "it waits")
	h.says(h.one(h.deliver(gmAt)), "blue", "command: process")
	for day := 1; day <= 3; day++ {
		h.clock.move(24 * time.Hour)
		h.tick()
		h.tick()
		l := h.one(h.deliver(blueAt))
		h.says(l, []string{"un giorno", "2 giorni", "3 giorni"}[day-1])
		h.silent(redAt)
	}
	if g := h.record("lot-1"); g.Stop != 1 || g.Seat("blue").Missed != 0 {
		t.Fatalf("stop %d, %+v", g.Stop, g.Seat("blue"))
	}
	h.clock.move(60 * 24 * time.Hour)
	for range 60 {
		h.tick()
	}
	if n := len(h.deliver(blueAt)); n > 30 {
		t.Errorf("%d notices", n)
	}
	h.write(blueAt, fill(template, h.anyUnit("lot-1")("blue", h.record("lot-1").Seat("blue").Owes)), mail.Processed)
	if h.record("lot-1").Stop != 2 {
		t.Error("the late answer does not count")
	}
	h.clock.move(73 * time.Hour)
	h.tick()
	if h.record("lot-1").Stop != 2 {
		t.Fatal("a default was taken")
	}
	shown := h.managed("command: process")
	h.says(shown, "That would count as silence")
	if g := h.record("lot-1"); g.Stop != 3 || g.Seat("blue").Missed+g.Seat("red").Missed == 0 {
		t.Errorf("stop %d, %+v", g.Stop, g.Seat("blue"))
	}
	h.sound()
}

// Within a long grace the late player is told each day, too; then the default is taken.
func TestLateNoticesWithinTheGrace(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, grace: 60h}", 1))
	h.answerAs("lot-1", "red")
	h.drain()
	h.clock.move(72*time.Hour + time.Minute)
	h.tick()
	h.says(h.one(h.deliver(blueAt)), "Alla scadenza non erano arrivati ordini")
	for day := 1; day <= 2; day++ {
		h.clock.move(24 * time.Hour)
		h.tick()
		h.says(h.one(h.deliver(blueAt)), []string{"un giorno", "2 giorni"}[day-1])
		h.tick()
		h.silent(blueAt)
	}
	h.clock.move(13 * time.Hour)
	h.tick()
	if h.record("lot-1").Stop != 2 {
		t.Error("the default was not taken")
	}
	h.sound()
}

// A game that waits has no steps against silence, in its set-up or by a change of it.
func TestWhatWaitsHasNoStepsAgainstSilence(t *testing.T) {
	h := newTestOffice(t)
	waits := strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, late: wait}", 1)
	if _, problems := h.office.Clerk().ReadSetup(waits+"silence: {bot: 2}\n", nil); len(problems) != 1 || problems[0].Why.Code != "office.setup.late-wait" || problems[0].Line == 0 {
		t.Errorf("%v", problems)
	}
	if _, problems := h.office.Clerk().ReadSetup(strings.Replace(waits, "wait", "whenever", 1), nil); len(problems) != 1 || problems[0].Line == 0 {
		t.Errorf("%v", problems)
	}
	h.newGame(twoSides + "silence: {bot: 2}\n")
	h.flush()
	h.write(gmAt, h.gm("command: change", "set: {deadline: {usual: 3d, late: wait}}"), mail.Rejected)
	h.managed("command: change", "set: {deadline: {usual: 3d, late: wait}, silence: none}")
	if !h.record("lot-1").Timing.Usual.Wait {
		t.Error("not changed")
	}
}
