package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// lending is a long game in which players may lend their seats to the bot.
var lending = manyRounds + "bots: allowed\n"

// A player lends his seat to the bot until his next letter, until a stop or until a day. The
// bot answers at once, which counts as no silence; the others are told, and when the time is
// over the player is asked again. The log of such a game holds.
func TestASeatIsLentToTheBot(t *testing.T) {
	for _, c := range []struct {
		name, until string
		back        func(h *testOffice)
	}{
		{"until his next letter", "", func(h *testOffice) { h.write(blueAt, command(h, "lot-1", "blue", "command: status"), mail.Processed) }},
		{"until a stop", "until: stop 3", func(*testOffice) {}},
		{"until a day", "until: 2026-03-05", func(h *testOffice) { h.clock.move(4 * 24 * time.Hour) }},
		{"until he takes it back", "until: stop 90", func(h *testOffice) {
			h.write(blueAt, command(h, "lot-1", "blue", "command: bot", "cancel: yes"), mail.Processed)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(lending)
			h.write(blueAt, command(h, "lot-1", "blue", "command: bot", c.until), mail.Processed)
			h.heardOf(redAt, "has lent the side")
			if blue := h.record("lot-1").Seat("blue"); !blue.Bot {
				t.Fatalf("blue is %+v", blue)
			}
			for range 2 {
				h.answerAs("lot-1", "red")
			}
			c.back(h)
			for range 3 {
				if blue := h.record("lot-1").Seat("blue"); !blue.Bot && blue.Owes != nil {
					break
				}
				h.answerAs("lot-1", "red")
			}
			blue := h.record("lot-1").Seat("blue")
			if blue.Bot || blue.Lent != nil || blue.Owes == nil || blue.Missed != 0 {
				t.Fatalf("blue is not asked again, or was silent: %+v", blue)
			}
			h.answerAs("lot-1", "blue")
			if err := h.office.Clerk().Close(t.Context(), "lot-1", "enough"); err != nil {
				t.Fatal(err)
			}
			for _, side := range []engine.Side{"red", "blue", engine.GM} {
				if v := h.verify(h.export("lot-1", side)); v.Verdict() != verify.Holds {
					t.Errorf("the export of %s: %+v", side, v)
				}
			}
		})
	}
}

// A seat is lent only where the set-up allows it, and not until a time that is past; nobody
// takes back what he has not lent. An office that says that a player has lent his seat, in a
// game that does not allow it, is found out.
func TestASeatIsNotLentOtherwise(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds)
	refused := func(says string, lines ...string) {
		t.Helper()
		h.write(redAt, command(h, "lot-1", "red", append([]string{"command: bot"}, lines...)...), mail.Rejected)
		h.says(h.last(redAt), says)
	}
	refused("bots: allowed")
	h = newTestOffice(t)
	h.newGame(lending)
	refused("name a later one", "until: stop 1")
	refused("time is past", "until: 2026-03-01")
	refused("does not play for you", "cancel: yes")

	h.write(redAt, command(h, "lot-1", "red", "command: bot", "until: stop 90"), mail.Processed)
	h.write(blueAt, command(h, "lot-1", "blue", "command: bot", "until: stop 90"), mail.Processed)
	if g := h.record("lot-1"); g.Paused.IsZero() || g.Phase != game.Running {
		t.Errorf("bots play the game among themselves: %s, stop %d", g.Phase, g.Stop)
	}
	if err := h.office.Clerk().Close(t.Context(), "lot-1", "enough"); err != nil {
		t.Fatal(err)
	}
	x := h.export("lot-1", engine.GM)
	logtest.MadeWith(t, x, func(made *log.Made) { made.Lending = false })
	logtest.Rechained(t, x)
	if v := h.verify(x); v.Verdict() != verify.Broken || !strings.Contains(fmt.Sprint(v.Checks), "which the set-up does not allow") {
		t.Errorf("%+v", v)
	}
}

// A deadline that passes while the bot has a seat, or while what was filed ahead has answered, is nobody's: whoever owes the answer again
// has his grace for it, and the game doesn't take the default meanwhile.
func TestWhoOwesAgainHasHisGrace(t *testing.T) {
	const patient = "deadline: {usual: 3d, grace: 2d}"
	for _, c := range []struct {
		name   string
		set    string
		begin  func(h *testOffice) // the seat is answered for
		side   engine.Side         // whose it is
		again  func(h *testOffice) // it owes again
		answer func(h *testOffice) // the other side answers
	}{
		{"his seat was lent", lending, func(h *testOffice) {
			h.write(blueAt, command(h, "lot-1", "blue", "command: bot", "until: stop 90"), mail.Processed)
		}, "blue", func(h *testOffice) {
			h.write(blueAt, command(h, "lot-1", "blue", "command: bot", "cancel: yes"), mail.Processed)
		}, func(h *testOffice) { h.answerAs("lot-1", "red") }},
		{"his answer was filed ahead", twentyRounds, func(h *testOffice) {
			own := h.own("red")
			h.lost("red", "ahead: {discard: "+own[0]+", bid: "+own[1]+"}")
		}, "red", func(h *testOffice) {
			h.write(redAt, command(h, "lot-1", "red", "ahead: none"), mail.Processed)
		}, func(h *testOffice) { h.write(blueAt, fill(h.template(blueAt), "{bid: none}"), mail.Processed) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(strings.Replace(c.set, "deadline: 3d", patient, 1))
			c.begin(h)
			other := engine.Side("red")
			if c.side == "red" {
				other = "blue"
			}
			h.write(gmAt, command(h, "lot-1", engine.GM, "command: extend", "side: "+string(other), "by: 9d"), mail.Processed)
			h.clock.move(7 * 24 * time.Hour)
			h.tick()
			if s := h.record("lot-1").Seat(c.side); s.Owes == nil || !s.Owes.Passed {
				t.Fatalf("his deadline has not passed: %+v", s.Owes)
			}
			stop := h.record("lot-1").Stop
			h.deliver(redAt)
			h.deliver(blueAt)
			c.again(h)
			c.answer(h)
			h.tick()
			for _, l := range append(h.deliver(redAt), h.deliver(blueAt)...) { // nobody was late
				h.lacks(l, "late by", "deadline has passed", "in ritardo")
			}
			s := h.record("lot-1").Seat(c.side)
			if h.record("lot-1").Stop != stop || s.Missed != 0 || s.Owes == nil || s.Owes.Answer != nil {
				t.Fatalf("the default was taken within his grace: %+v", s)
			}
			h.clock.move(2*24*time.Hour - time.Hour)
			h.tick()
			if h.record("lot-1").Stop != stop {
				t.Fatal("the default was taken before his grace was over")
			}
			h.clock.move(2 * time.Hour)
			h.tick()
			if s := h.record("lot-1").Seat(c.side); h.record("lot-1").Stop == stop || s.Missed != 1 {
				t.Errorf("his grace is over: %+v", s)
			}
			h.sound()
		})
	}
}
