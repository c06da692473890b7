package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// watched is an office that watches a mailbox, and has just read it.
func watched(t testing.TB, setups ...string) *testOffice {
	t.Helper()
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 10000 })
	h.office.watch.attend()
	h.read()
	for _, setup := range setups {
		h.newGame(setup)
	}
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.deliver(address)
	}
	return h
}

// read reads the mailbox to its end.
func (h *testOffice) read() {
	h.Helper()
	if err := h.office.watch.readUpTo(context.Background(), h.office.now()); err != nil {
		h.Fatal(err)
	}
}

// live lets time pass in an office that is well.
func (h *testOffice) live(d time.Duration) {
	h.Helper()
	for d > 0 {
		step := min(d, 20*time.Minute)
		h.clock.move(step)
		d -= step
		h.read()
		h.tick()
	}
}

// blind lets time pass in an office that can't read its mailbox.
func (h *testOffice) blind(d time.Duration) {
	h.Helper()
	for ; d > 0; d -= 20 * time.Minute {
		h.clock.move(20 * time.Minute)
		h.tick()
	}
}

// withGrace has a grace of twelve hours.
var withGrace = strings.Replace(manyRounds, "deadline: 3d", "deadline: {usual: 3d, grace: 12h}", 1)

// A deadline passes only when the mailbox has been read after it.
func TestMailboxFirst(t *testing.T) {
	h := watched(t, manyRounds)
	h.answerAs("lot-1", "red")
	h.live(71*time.Hour + 50*time.Minute)
	h.clock.move(15 * time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("a deadline passed with the mailbox unread")
	}
	// The answer lay in the mailbox.
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.read()
	h.tick()
	if g := h.record("lot-1"); g.Stop != 2 || g.Seat("blue").Missed != 0 {
		t.Errorf("stop %d, missed %d", g.Stop, g.Seat("blue").Missed)
	}
	h.live(80 * time.Hour)
	if h.record("lot-1").Stop < 3 {
		t.Error("deadlines don't pass any more")
	}
	h.noAlerts()
}

// noAlerts checks that the game master was told of nothing unusual.
func (h *testOffice) noAlerts() {
	h.Helper()
	for _, l := range h.deliver(gmAt) {
		if strings.Contains(l.Subject, "by default") || strings.Contains(l.Subject, "mailbox") {
			h.Errorf("the game master got %q", l.Subject)
		}
	}
}

// The office was down across a deadline: the answers in the mailbox come first,
// whoever has none gets one whole grace, and the game master is told why.
func TestDownAcrossDeadline(t *testing.T) {
	h := watched(t, withGrace)
	h.live(24 * time.Hour)
	h.clock.move(72 * time.Hour)
	// A command of the game master's without the daemon passes nothing either.
	h.restart()
	if err := h.office.Clerk().Remind(context.Background(), "lot-1", "red"); err != nil {
		t.Fatal(err)
	}
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved while the daemon is down")
	}
	h.deliver(redAt)
	h.restart()
	h.office.watch.attend()
	h.tick()
	h.answerAs("lot-1", "red") // it lay in the mailbox
	h.deliver(blueAt)
	h.deliver(redAt)
	h.read()
	h.tick()
	well := h.clock.Now()
	o := h.record("lot-1").Seat("blue").Owes
	if want := well.Add(12 * time.Hour); h.record("lot-1").Stop != 1 || !o.Late.Equal(want) || !o.Deadline.Equal(want) || o.Moves != 1 {
		t.Fatalf("stop %d: %+v, want until %v", h.record("lot-1").Stop, o, want)
	}
	told := h.one(h.deliver(gmAt))
	h.says(told, "was down from", "lot-1", "command: release", key(h, "lot-1", engine.GM))
	h.says(h.one(h.deliver(blueAt)), "più tempo", "SEQUENCE:1")
	h.silent(redAt) // his answer is in force
	h.live(12*time.Hour - 20*time.Minute)
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved before the grace was over")
	}
	h.live(40 * time.Minute)
	if g := h.record("lot-1"); g.Stop != 2 || g.Seat("blue").Missed != 1 || g.Seat("red").Missed != 0 {
		t.Errorf("stop %d", g.Stop)
	}
	h.silent(gmAt)
}

// Games that were made long before the office was ever run are not judged by
// deadlines that nobody heard of.
func TestFirstStart(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(withGrace)
	h.clock.move(100 * time.Hour)
	h.office.watch.attend()
	h.tick()
	h.read()
	h.tick()
	if o := h.record("lot-1").Seat("red").Owes; h.record("lot-1").Stop != 1 || !o.Late.Equal(h.clock.Now().Add(12*time.Hour)) {
		t.Errorf("stop %d: %+v", h.record("lot-1").Stop, o)
	}
	h.says(h.last(gmAt), "was down from")
}

// A stop for which all answers are in is no default: it is resolved after a
// downtime as soon as the mailbox was read.
func TestDownWithAnswersIn(t *testing.T) {
	h := watched(t, withGrace+"early: no\n")
	h.answerAs("lot-1", "red")
	h.answerAs("lot-1", "blue")
	h.clock.move(100 * time.Hour)
	h.restart()
	h.office.watch.attend()
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved before the mailbox was read")
	}
	h.read()
	h.tick()
	if h.record("lot-1").Stop != 2 {
		t.Error("not resolved")
	}
	h.silent(gmAt)
}

// A short restart, and a long one far from any deadline, change nothing.
func TestShortRestart(t *testing.T) {
	h := watched(t, withGrace)
	for _, down := range []time.Duration{10 * time.Minute, 5 * time.Hour} {
		h.clock.move(down)
		h.restart()
		h.office.watch.attend()
		h.read()
		h.tick()
		if o := h.record("lot-1").Seat("red").Owes; o.Held != "" || o.Moves != 0 {
			t.Errorf("after %v: %+v", down, o)
		}
	}
	h.silent(gmAt)
}

// The mailbox can't be read for long: the game masters are told once, nothing
// passes, and afterwards everybody at risk has one grace. The game master may
// release a game.
func TestMailboxUnreachable(t *testing.T) {
	h := watched(t, withGrace, strings.NewReplacer("lot-1", "lot-2", "usual: 3d", "usual: 20d").Replace(withGrace))
	h.live(70 * time.Hour)
	h.flush()
	h.deliver(gmAt)
	h.blind(30 * time.Hour)
	h.says(h.one(h.deliver(gmAt)), "not been able to read its mailbox since", "5 March 2026")
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved blindly")
	}
	h.restart() // it stays told
	h.office.watch.attend()
	h.blind(10 * time.Hour)
	h.silent(gmAt)
	h.read()
	h.tick()
	told := h.one(h.deliver(gmAt))
	h.says(told, "one game", "lot-1")
	if strings.Contains(wordsOf(told), "lot-2") {
		t.Error("a game that is not at risk is held")
	}
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: release"), mail.Processed)
	if g := h.record("lot-1"); g.Stop != 2 || g.Seat("red").Missed != 1 {
		t.Errorf("released: stop %d", g.Stop)
	}
	h.says(h.last(gmAt), "Done: release")
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: release"), mail.Rejected)
	h.says(h.last(gmAt), "othing is held back")
	var refused *game.RefusedError
	if err := h.office.Clerk().Release(context.Background(), "lot-2"); !errors.As(err, &refused) {
		t.Errorf("released twice: %v", err)
	}
}

// While the mailbox can't be read the game master may let a game go on all the
// same.
func TestReleaseBlind(t *testing.T) {
	h := watched(t, manyRounds)
	h.clock.move(80 * time.Hour)
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved blindly")
	}
	if err := h.office.Clerk().Release(context.Background(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	if h.record("lot-1").Stop != 2 {
		t.Error("not released")
	}
}

// The clock jumps ahead in a running office, far beyond the deadlines: they are
// not missed. Once the clock is right again a release gives the old ones back.
func TestClockJump(t *testing.T) {
	h := watched(t, withGrace)
	h.live(time.Hour)
	before := h.record("lot-1").Seat("red").Owes.Deadline
	right := h.clock.Now()
	h.clock.move(1000 * 24 * time.Hour)
	h.tick()
	h.read()
	h.tick()
	h.says(h.one(h.deliver(gmAt)), "jumped")
	if g := h.record("lot-1"); g.Stop != 1 || g.Seat("red").Owes.Held != heldClock {
		t.Fatalf("stop %d", g.Stop)
	}
	h.clock.now = right.Add(time.Minute)
	h.tick()
	h.read()
	h.tick()
	h.deliver(gmAt)
	if err := h.office.Clerk().Release(context.Background(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	if o := h.record("lot-1").Seat("red").Owes; h.record("lot-1").Stop != 1 || !o.Deadline.Equal(before) {
		t.Errorf("the deadline is %v, was %v", o.Deadline, before)
	}
	h.live(90 * time.Hour)
	if h.record("lot-1").Stop != 2 {
		t.Error("the game does not go on")
	}
}

// If all sides are silent at once their deadlines are held back for one grace, once.
func TestMassSilence(t *testing.T) {
	h := watched(t, manyRounds)
	h.live(73 * time.Hour)
	g := h.record("lot-1")
	if g.Stop != 1 || g.Seat("red").Owes.Held != heldSilence {
		t.Fatalf("stop %d: %+v", g.Stop, g.Seat("red").Owes)
	}
	h.says(h.one(h.deliver(gmAt)), "silent at once", "lot-1")
	h.says(h.heardOf(redAt, "more time"), "letters were lost")
	h.live(24 * time.Hour)
	if g := h.record("lot-1"); g.Stop != 2 || g.Seat("red").Missed != 1 || g.Seat("blue").Missed != 1 {
		t.Errorf("stop %d", g.Stop)
	}
	// A set-up may do without.
	h = watched(t, manyRounds+"silence: {share: none}\n")
	h.live(73 * time.Hour)
	if h.record("lot-1").Stop != 2 {
		t.Error("held back although the set-up wants no such interlock")
	}
	h.noAlerts()
}

// If one side is silent in each of many games that is just as suspicious, and one letter tells
// of all these games. If it is one game alone it is not.
func TestMassSilenceOverall(t *testing.T) {
	var setups []string
	for _, id := range []string{"lot-1", "lot-2", "lot-3"} {
		setups = append(setups, strings.Replace(manyRounds, "lot-1", id, 1))
	}
	h := watched(t, setups...)
	for _, id := range []string{"lot-1", "lot-2", "lot-3"} {
		h.answerTo(id, "red")
	}
	h.deliver(gmAt)
	h.live(73 * time.Hour)
	for _, id := range []string{"lot-1", "lot-2", "lot-3"} {
		if g := h.record(id); g.Stop != 2 {
			t.Errorf("%s: three of six sides are half, not more", id)
		}
	}
	h.noAlerts()

	for i := range setups {
		setups[i] += "silence: {share: 40}\n"
	}
	h = watched(t, setups...)
	for _, id := range []string{"lot-1", "lot-2", "lot-3"} {
		h.answerTo(id, "red")
	}
	h.live(73 * time.Hour)
	for _, id := range []string{"lot-1", "lot-2", "lot-3"} {
		if g := h.record(id); g.Stop != 1 || g.Seat("blue").Owes.Held != heldSilence {
			t.Errorf("%s: stop %d", id, g.Stop)
		}
	}
	h.says(h.one(h.deliver(gmAt)), "3 games", "lot-1", "lot-2", "lot-3", "silent at once")
	h.live(25 * time.Hour)
	if g := h.record("lot-3"); g.Stop != 2 || g.Seat("blue").Missed != 1 {
		t.Errorf("stop %d", g.Stop)
	}
}

// answerTo answers for a side whose address has several games.
func (h *testOffice) answerTo(id string, side engine.Side) {
	h.Helper()
	loaded, err := h.office.Clerk().Position(id, side)
	if err != nil || loaded.Template == nil {
		h.Fatal(id, side, err)
	}
	h.write(h.record(id).Seat(side).Person.Address, loaded.Template.Encode(), mail.Processed)
}

// A flickering store fails some of the next commits.
type flickering struct {
	store.Store
	next []bool // which of the next commits fail
}

var errFlickers = errors.New("the connection is lost")

func (s *flickering) Commit(ctx context.Context, c store.Change) error {
	if len(s.next) > 0 {
		fails := s.next[0]
		if s.next = s.next[1:]; fails {
			return errFlickers
		}
	}
	return s.Store.Commit(ctx, c)
}

// A hold that can't be written in the moment in which the office is back is written later, and until then no deadline passes.
// Whoever was held back at once is not told again.
func TestAHoldThatFailsIsMadeLater(t *testing.T) {
	h := watched(t, withGrace, strings.Replace(withGrace, "lot-1", "lot-2", 1))
	h.live(24 * time.Hour)
	h.clock.move(72 * time.Hour)
	h.restart()
	h.office.watch.attend()
	h.office.store = &flickering{h.office.store, []bool{false, true}} // lot-1 is held back, lot-2 is not
	if err := h.office.watch.readUpTo(t.Context(), h.office.now()); !errors.Is(err, errFlickers) {
		t.Errorf("the hold failed, and the mailbox was noted as read: %v", err)
	}
	h.clock.move(time.Minute)
	h.tick()
	h.read()
	h.tick()
	for _, id := range []string{"lot-1", "lot-2"} {
		if g := h.record(id); g.Stop != 1 || g.Seat("red").Owes.Held != heldDown {
			t.Errorf("%s: stop %d, %+v", id, g.Stop, g.Seat("red").Owes)
		}
	}
	if letters := h.deliver(redAt); len(letters) != 2 {
		t.Errorf("%d letters tell of two holds", len(letters))
	}
}

// A letter that the store can't take now is not one that can't be read; one to a game that does not fit is.
func TestWhyALetterIsNotTaken(t *testing.T) {
	h := watched(t, withGrace, strings.Replace(withGrace, "lot-1", "lot-2", 1))
	h.spoilt = true
	code := key(h, "lot-2", "red")
	h.behind(store.Change{Game: "lot-2", Record: []byte("{")})
	h.office.store = &flickering{h.office.store, []bool{true}}
	for _, c := range []struct {
		game, key string
		notReady  bool
	}{{"lot-1", key(h, "lot-1", "red"), true}, {"lot-2", code, false}} {
		raw := fmt.Sprintf("From: %s\r\nTo: orders@club.example\r\nSubject: x\r\nMessage-ID: <%s@x>\r\n\r\ngame: %s\r\nside: red\r\nkey: %s\r\ncommand: status\r\n", redAt, c.game, c.game, c.key)
		_, err := h.office.Handle(t.Context(), mail.Incoming{Raw: []byte(raw)})
		var notReady *mail.NotReady
		if err == nil || errors.As(err, &notReady) != c.notReady {
			t.Errorf("%s: %v", c.game, err)
		}
	}
}

// One game whose record or rules can't be read keeps neither the interlocks nor
// the deadlines of the others from working.
func TestInterlockWithBrokenGame(t *testing.T) {
	h := watched(t, withGrace, strings.Replace(withGrace, "lot-1", "lot-2", 1), strings.Replace(withGrace, "lot-1", "lot-3", 1))
	h.spoilt = true
	h.behind(store.Change{Game: "lot-2", Record: []byte("{")})
	h.behind(store.Change{Game: "lot-3", Snapshot: []byte("spoilt")})
	h.clock.move(100 * time.Hour)
	h.restart()
	h.office.watch.attend()
	h.read()
	if o := h.record("lot-1").Seat("red").Owes; o.Held != heldDown {
		t.Fatalf("%+v", o)
	}
	for range 40 {
		h.clock.move(20 * time.Minute)
		h.read()
		h.office.Tick(context.Background()) // its error tells of the broken ones
	}
	if h.record("lot-1").Stop != 2 {
		t.Error("the sound game stands still")
	}
}
