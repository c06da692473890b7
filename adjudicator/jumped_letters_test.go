package adjudicator

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// A clock jumps three years ahead, and the server takes no letter just then. When the clock is right again
// what was written and tried in the wrong year goes out within the hour, and what comes after it too; before that,
// whoever watches the office sees that letters are stuck.
func TestAClockThatJumpsHoldsNoLettersBack(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		h := watched(t, withGrace)
		h.live(time.Hour)
		right := h.clock.Now()
		h.post.refuse = func(string) error { return &serverFault{"451 try again", true} }
		h.clock.move(1000 * 24 * time.Hour)
		h.tick()
		h.read()
		h.tick()
		if _, err := h.office.Send(t.Context(), h.post); err != nil {
			t.Fatal(err)
		}
		h.clock.now = right.Add(time.Minute)
		h.post.refuse = nil
		var stuck int
		if err := h.store.Read(t.Context(), func(tx store.Reader) (err error) {
			stuck, _, err = outbox.Stuck(tx, h.clock.Now())
			return err
		}); err != nil || stuck < 3 {
			t.Errorf("%d letters count as stuck: %v", stuck, err)
		}
		if restarted {
			h.restart()
		}
		// One comes in the first minute, before anybody has looked over what waits.
		h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
		for range 4 {
			h.live(20 * time.Minute)
			h.flush()
		}
		h.says(h.one(h.deliver(gmAt)), "jumped")
		red := h.deliver(redAt)
		if len(red) < 2 {
			t.Fatalf("restarted %v: red got %q", restarted, subjects(red))
		}
		for _, l := range red {
			if l.Date.After(h.clock.Now()) {
				t.Errorf("%q is of %v", l.Subject, l.Date)
			}
		}
		if err := h.store.Read(t.Context(), func(tx store.Reader) error {
			return tx.Letters(func(id uint64, _ []byte) error {
				if o, _ := tx.Outgoing(id); !o.Due.IsZero() {
					t.Errorf("letter %d waits until %v", id, o.Due)
				}
				return nil
			})
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// Who asks for what was put away, and is lost, is told so; no game waits for his letter.
func TestAskedForWhatIsLost(t *testing.T) {
	withoutRace(t)
	h := finished(t)
	h.after(14)
	a, _ := h.where()
	if err := os.Remove(filepath.Join(h.opt.Shelf, a.File)); err != nil {
		t.Fatal(err)
	}
	h.deliver(redAt)
	for _, asked := range []string{"resend", "history"} {
		folder, err := h.office.Handle(t.Context(), mail.Incoming{Raw: rawLetter(redAt, map[string]string{"Message-ID": "<" + asked + "@x>"}, command(h, "lot-1", "red", "command: "+asked))})
		if err != nil || folder != mail.Rejected {
			t.Fatalf("%s: the letter goes to %q: %v", asked, folder, err)
		}
		h.clock.move(time.Hour)
		h.tick()
		h.says(h.one(h.deliver(redAt)), a.File, "administrator")
	}
}

// An answer that a ruling refuses, after its writer was late with it, has a new deadline: he is reminded of it, and told when it has passed.
func TestARefusedLateAnswerIsRemindedAgain(t *testing.T) {
	h := watched(t, strings.Replace(manyRounds, "deadline: 3d", "deadline: {usual: 3d, grace: 60h, reminders: [24h]}", 1))
	h.live(73 * time.Hour)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.deliver(redAt)
	h.deliver(gmAt)
	h.rule("command: rule", fmt.Sprintf("refuse: %d", h.lastEntry(log.KindTaken)), "reason: sent by his brother")
	h.deliver(redAt)
	o := h.record("lot-1").Seat("red").Owes
	if o.Warned || o.Notices != 0 || o.Passed {
		t.Errorf("%+v", o)
	}
	h.live(o.Deadline.Sub(h.clock.Now()) - 23*time.Hour)
	h.heardOf(redAt, "deadline")
	h.live(24 * time.Hour)
	h.heardOf(redAt, "passed")
}

// A letter to an observer of a game whose record is damaged is not sent, for nobody can say whether he may have it. His letters of other games
// do not wait behind it.
func TestADamagedGameHoldsNoLettersToItsObserver(t *testing.T) {
	h := newTestOffice(t)
	h.spoilt = true
	for _, id := range []string{"lot-1", "lot-2"} {
		h.newGame(strings.Replace(twoSides, "lot-1", id, 1))
		h.write(gmAt, command(h, id, engine.GM, "command: observe", "address: sue@play.example"), mail.Processed)
	}
	h.behind(store.Change{Game: "lot-1", Record: []byte("{")})
	if _, err := h.office.Send(t.Context(), h.post); err != nil {
		t.Error(err)
	}
	var got []string
	for _, p := range h.post.sent {
		if p.to == "sue@play.example" {
			got = append(got, p.letter.Subject)
		}
	}
	if len(got) == 0 || strings.Contains(strings.Join(got, ""), "lot-1") {
		t.Errorf("sue got %q", got)
	}
}

// A file that came while the clock was wrong does not put the verdicts on later ones off until that time.
func TestVerdictsDoNotWaitForAWrongClock(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.Quiet = 10 * time.Minute })
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
	h.deliver(redAt)
	right := h.clock.Now()
	h.clock.move(1000 * 24 * time.Hour)
	h.write(redAt, fill(h.template(redAt), "{bid: R-17}"), mail.Rejected)
	h.one(h.deliver(redAt))
	h.clock.now = right.Add(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: R-18}"), mail.Rejected)
	h.clock.move(time.Hour)
	h.tick()
	h.says(h.one(h.deliver(redAt)), "R-18")
}
