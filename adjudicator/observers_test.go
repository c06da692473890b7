package adjudicator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

const fabioAt = "fabio@look.example"

// observe lets Fabio look on.
func (h *testOffice) observe(lines ...string) {
	h.Helper()
	h.clock.move(time.Minute)
	h.write(gmAt, command(h, "lot-1", engine.GM, append([]string{"command: observe", "address: " + fabioAt}, lines...)...), mail.Processed)
}

// bothBid lets both sides of the first stop answer, which tells an observer of the full view what they have.
func (h *testOffice) bothBid() {
	h.Helper()
	h.write(redAt, fill(h.template(redAt), "{bid: R-3}"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
}

// The full view comes as late as was promised, however often the office looks its outbox over, and starts, meanwhile.
func TestTheFullViewIsNotSentEarly(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.observe("view: full")
	h.says(h.one(h.deliver(fabioAt)), "7d")
	h.bothBid()
	for hour := range 7*24 - 1 {
		if hour%10 == 0 {
			h.restart()
		}
		h.clock.move(time.Hour)
		h.tick()
		h.silent(fabioAt)
	}
	h.clock.move(time.Hour)
	h.says(h.one(h.deliver(fabioAt)), "R-3", "B-1")
}

// A clock that jumps neither brings the full view early nor keeps it for years: what was written in the wrong year waits for its delay once
// the clock is right again, and what was written before, and tried in vain in the wrong year, for the time that it had.
func TestTheFullViewAndAWrongClock(t *testing.T) {
	for _, before := range []bool{false, true} {
		h := newTestOffice(t)
		h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
		h.observe("view: full", "delay: 2d")
		h.deliver(fabioAt)
		if before {
			h.bothBid()
		}
		right := h.clock.Now()
		if before {
			h.clock.move(49 * time.Hour)
			h.post.refuse = func(string) error { return &serverFault{"451 try again", true} }
			if _, err := h.office.Send(t.Context(), h.post); err != nil {
				t.Fatal(err)
			}
			h.post.refuse = nil
		} else {
			h.clock.move(1000 * 24 * time.Hour)
			h.bothBid()
		}
		h.clock.now = right.Add(time.Minute)
		h.restart()
		h.tick()
		h.silent(fabioAt)
		h.clock.move(47 * time.Hour)
		h.tick()
		h.silent(fabioAt)
		h.clock.move(time.Hour)
		l := h.one(h.deliver(fabioAt))
		h.says(l, "R-3", "B-1")
		if l.Date.After(h.clock.Now()) {
			t.Errorf("written before %v: it is of %v", before, l.Date)
		}
	}
}

// A letter of the full view leaves only if its reader has had that view ever since: who was sent away, or put down to what is public, meanwhile
// does not get it, even if he may see everything again. That he sees it sooner or later from now on, or is called otherwise, is no break.
func TestALetterOfTheFullViewNeedsThatViewWithoutABreak(t *testing.T) {
	for name, c := range map[string]struct {
		then [][]string
		gets bool
	}{
		"away and back as public": {[][]string{{"view: none"}, {"view: public"}}, false},
		"away and back as full":   {[][]string{{"view: none"}, {"view: full"}}, false},
		"public at once":          {[][]string{{"view: public"}}, false},
		"public and full again":   {[][]string{{"view: public"}, {"view: full"}}, false},
		"full all the time":       {[][]string{{"view: full", "delay: 3d", "name: Fabius"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twoSides)
			h.observe("view: full", "delay: 2d")
			h.deliver(fabioAt)
			h.bothBid()
			for _, lines := range c.then {
				h.observe(lines...)
			}
			h.deliver(fabioAt)
			h.clock.move(48 * time.Hour)
			var got bool
			for _, l := range h.deliver(fabioAt) {
				got = got || strings.Contains(wordsOf(l), "R-3")
			}
			if got != c.gets {
				t.Errorf("he gets what is hidden: %v", got)
			}
		})
	}
}

// A public letter that could not be sent at once leaves all the same if its reader sees everything by now.
func TestAPublicLetterLeavesToWhoSeesEverything(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.post.refuse = func(to string) error {
		if to == fabioAt {
			return &serverFault{"451 try again", true}
		}
		return nil
	}
	h.observe("view: public")
	h.flush()
	h.observe("view: full")
	h.post.refuse = nil
	h.clock.move(2 * time.Hour)
	if got := h.deliver(fabioAt); len(got) != 2 {
		t.Errorf("he gets %q", subjects(got))
	}
}

// An observer whom an earlier program let look on gets his letters, of either view; no entry of the log is noted with him.
func TestAnObserverOfAnEarlierProgramGetsHisLetters(t *testing.T) {
	for _, view := range []string{game.ViewPublic, game.ViewFull} {
		h := newTestOffice(t)
		h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
		h.observe("view: " + view)
		h.deliver(fabioAt)
		g := h.record("lot-1")
		g.Observers[0].Since = 0
		record, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		h.behind(store.Change{Game: "lot-1", Record: record})
		for range 4 {
			h.play1("lot-1")
		}
		h.clock.move(7 * 24 * time.Hour)
		if len(h.deliver(fabioAt)) == 0 {
			t.Errorf("%s: he gets nothing", view)
		}
	}
}

// What a rewind has undone a public observer is not told, nor shown, though it had waited until all sides know it; what came before, he is.
func TestARewindUndoesWhatWaitsForAnObserver(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	h.observe("view: public")
	h.bothBid()
	h.deliver(fabioAt)
	waits := func() (told []uint64, shown bool) {
		g := h.record("lot-1")
		for _, n := range g.Observers[0].Told {
			told = append(told, n.Entry)
		}
		return told, g.Shown != nil
	}
	g := h.record("lot-1")
	if told, _ := waits(); len(told) == 0 {
		t.Fatal("nothing waits")
	}
	// The game of the tests has no page that all may see.
	record, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	page := fmt.Sprintf(`{"shown":{"entry":%d,"page":{}},`, g.Observers[0].Told[0].Entry)
	h.behind(store.Change{Game: "lot-1", Record: append([]byte(page), record[1:]...)})
	if _, shown := waits(); !shown {
		t.Fatal("no page waits")
	}
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: again")
	if told, shown := waits(); len(told) > 0 || shown {
		t.Errorf("after the rewind %v waits to be told, and a page to be shown: %v", told, shown)
	}
	h.bothBid()
	kept, _ := waits()
	if len(kept) == 0 {
		t.Fatal("nothing waits")
	}
	stop := h.record("lot-1").Stop
	h.both()
	if h.record("lot-1").Stop == stop {
		t.Fatal("the stop is open")
	}
	h.rule("command: rewind", fmt.Sprintf("stop: %d", stop), "orders: new", "reason: again")
	if told, _ := waits(); len(told) > 0 && !slices.Equal(told, kept) {
		t.Errorf("%v waits to be told, and before the stop that is undone it was %v", told, kept)
	}
}
