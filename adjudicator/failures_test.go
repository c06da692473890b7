package adjudicator

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// If the process dies between two transactions, whichever they are, the next one goes on
// where it was.
func TestRestartAnywhere(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	pick := h.anyUnit("lot-1")
	steps := 0
	h.play("lot-1", func(side engine.Side, o *game.Owes) string {
		steps++
		h.restart()
		return pick(side, o)
	})
	quiet := newTestOffice(t)
	quiet.newGame(twoSides)
	quiet.play("lot-1", quiet.anyUnit("lot-1"))
	if a, b := h.kinds("lot-1"), quiet.kinds("lot-1"); !slices.Equal(a, b) || steps < 6 {
		t.Errorf("%q, without restarts %q", a, b)
	}
}

// If the process dies after it took a letter in, but before it moved the letter to its folder,
// the letter comes again and changes nothing.
func TestTakenOnce(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	l := h.letter(redAt, fill(h.template(redAt), "{bid: R-1}"))
	h.take(l, mail.Processed)
	h.deliver(redAt)
	log := h.kinds("lot-1")
	h.restart()
	for range 3 {
		h.take(l, mail.Processed)
	}
	// The same letter by another way: other bytes, same Message-ID and content.
	again := *l
	again.Digest[0]++
	h.take(&again, mail.Processed)
	h.silent(redAt)
	h.wantKinds("lot-1", log...)
	// Another content under the same Message-ID is a letter of its own.
	other := h.letter(redAt, fill(h.template(redAt), "{bid: R-2}"))
	other.MessageID = l.MessageID
	h.take(other, mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-2")
	// One that was refused stays so.
	bad := h.letter(redAt, fill(h.template(redAt), "{bid: X}"))
	h.take(bad, mail.Rejected)
	h.take(bad, mail.Rejected)
	h.one(h.deliver(redAt))
	// At the same time from two sides.
	both := h.letter(redAt, fill(h.template(redAt), "{bid: R-4}"))
	done := make(chan error, 8)
	for range 8 {
		go func() {
			_, err := h.office.Take(context.Background(), both)
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	h.one(h.deliver(redAt))
}

func TestOutboxFailures(t *testing.T) {
	h := newTestOffice(t)
	down := true
	h.post.refuse = func(to string) error {
		if to == redAt && down {
			return &serverFault{"greylisted", true}
		}
		return nil
	}
	h.newGame(twoSides)
	h.one(h.deliver(blueAt)) // the others' letters go out
	h.silent(redAt)
	h.clock.move(59 * time.Second)
	h.silent(redAt)
	h.clock.move(time.Second)
	h.silent(redAt) // tried again
	h.clock.move(time.Minute)
	down = false
	h.silent(redAt) // now two minutes
	h.clock.move(time.Minute)
	first := h.one(h.deliver(redAt))

	// Sent twice, a letter is the same bytes: nothing was noted of the first.
	var raws [][]byte
	h.store.Read(context.Background(), func(tx store.Reader) error { return nil })
	for _, p := range h.post.sent {
		raws = append(raws, p.raw)
	}
	if len(raws) != 3 || first.MessageID == "" {
		t.Errorf("%d letters", len(raws))
	}
	// Refused for good: marked, and the game master is told.
	h.deliver(gmAt)
	h.post.refuse = func(to string) error {
		if to == redAt {
			return &serverFault{"550 5.1.1 no such user", false}
		}
		return nil
	}
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "550 5.1.1", redAt)
	h.clock.move(49 * time.Hour)
	h.tick() // a reminder, which is lost too
	h.one(h.deliver(blueAt))
	h.says(h.one(h.deliver(gmAt)), "not working")
	h.clock.move(22 * time.Hour)
	h.tick()
	h.silent(gmAt) // told often enough
	d, err := h.office.Clerk().Show("lot-1")
	if err != nil || !d.Seats[0].Dead {
		t.Errorf("the seat is not marked: %v %+v", err, d)
	}
	// Whoever writes is alive.
	h.post.refuse = nil
	h.write(redAt, command(h, "lot-1", "red", "command: status"), mail.Processed)
	if h.record("lot-1").Seat("red").Dead {
		t.Error("still marked")
	}
}

// A letter that could not be noted as sent goes out again with the same bytes.
func TestSameBytesTwice(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	var first, again [][]byte
	for range 2 {
		err := h.store.Read(context.Background(), func(tx store.Reader) error {
			for _, id := range tx.Due(h.clock.Now(), 100) {
				r, _, err := h.office.box.Load(tx, id)
				if err != nil {
					return err
				}
				raw, err := h.office.box.Compose(id, r)
				if err != nil {
					return err
				}
				again = append(again, raw)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, again = again, nil
			h.restart()
		}
	}
	if len(first) != 3 || !slices.EqualFunc(first, again, slices.Equal) {
		t.Error("the bytes differ")
	}
}

func TestBounce(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	report := h.one(h.deliver(redAt))
	h.deliver(gmAt)
	h.deliver(blueAt)
	bounce := func(id string, permanent bool) *mail.Letter {
		l := h.letter("mailer-daemon@mx.example", "could not deliver")
		l.Automatic = mail.AutoBounce
		l.Bounce = &mail.Bounce{Null: true, MessageID: id, Recipient: redAt, Status: "5.1.1", Diagnostic: "no such user", Permanent: permanent}
		return l
	}
	h.take(bounce(report.MessageID, false), mail.Processed)
	h.take(bounce("letter.aaaaaaaaaaaaaaaaaaaaaaaaaa@berthier.club.example", true), mail.Processed)
	h.take(bounce("x@y", true), mail.Processed)
	h.silent(gmAt)
	h.take(bounce(report.MessageID, true), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "5.1.1 no such user")
	h.take(bounce(report.MessageID, true), mail.Processed) // of the same letter
	h.silent(gmAt)
	if err := h.office.Clerk().Remind(context.Background(), "lot-1", "red"); err != nil {
		t.Fatal(err)
	}
	h.take(bounce(h.one(h.deliver(redAt)).MessageID, true), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "not working")
	h.silent("mailer-daemon@mx.example")
	h.silent(redAt)
}

// A ruleset that fails ends neither the office nor the game.
func TestRulesetFails(t *testing.T) {
	rules := &failing{Lots: enginetest.New()}
	h := newTestOffice(t, func(h *testOffice) { h.rules = rules })
	h.newGame(twoSides)
	h.deliver(gmAt)
	for _, mode := range []string{"panic", "error"} {
		rules.mode = mode
		h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
		if h.record("lot-1").Seat("blue").Owes.Answer == nil {
			h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
		} else if err := h.office.Clerk().Resume(context.Background(), "lot-1"); err != nil {
			t.Fatal(err)
		}
		told := h.one(h.deliver(gmAt))
		h.says(told, "could not be resolved", "oh")
		h.lacks(told, "goroutine", ".go:") // where in the program it fell is for its log
		if fault := h.record("lot-1").Fault; strings.Contains(fault, "goroutine") {
			t.Errorf("the log of the game has the stack: %s", fault)
		}
		if g := h.record("lot-1"); g.Paused.IsZero() || g.Stop != 1 {
			t.Fatalf("%s: the game is not paused", mode)
		}
	}
	rules.mode = ""
	if err := h.office.Clerk().Resume(context.Background(), "lot-1"); err != nil {
		t.Fatal(err)
	}
	if g := h.record("lot-1"); g.Stop != 2 || g.Fault != "" {
		t.Error("the game does not go on")
	}
}

// failing is lots with positions that fail when told to.
type failing struct {
	enginetest.Lots
	mode string
}

type failingPosition struct {
	engine.Position
	rules *failing
}

func (f *failing) New(s engine.Setup) (engine.Position, error) {
	p, err := f.Lots.New(s)
	return &failingPosition{p, f}, err
}

func (f *failing) Load(data []byte) (engine.Position, error) {
	p, err := f.Lots.Load(data)
	return &failingPosition{p, f}, err
}

func (p *failingPosition) Clone() engine.Position {
	return &failingPosition{p.Position.Clone(), p.rules}
}

func (p *failingPosition) Advance(a map[engine.Side]engine.Answer, d engine.Dice) ([]engine.Event, error) {
	switch p.rules.mode {
	case "panic":
		panic("oh")
	case "error":
		return nil, errors.New("oh")
	}
	return p.Position.Advance(a, d)
}

// While the store fails a letter that was sent is not sent again and again, and no
// other goes out: it would go out twice after a death. It is noted once the store
// works.
func TestSentButNotNoted(t *testing.T) {
	full := &atomic.Bool{}
	h := newTestOffice(t, func(h *testOffice) { h.opt.Senders, h.full = 1, full })
	h.newGame(twoSides)
	ctx := context.Background()
	h.post.refuse = func(string) error { // the disk fills up while letters go out
		full.Store(true)
		return nil
	}
	for range 3 {
		if _, err := h.office.Send(ctx, h.post); err == nil {
			t.Fatal("the failure is not told")
		}
	}
	if sent := len(h.post.sent); sent != 1 {
		t.Errorf("%d letters went out that could not be noted, want the one in flight", sent)
	}
	full.Store(false)
	h.post.refuse = nil
	h.flush()
	seen := map[string]int{}
	for _, p := range h.post.sent {
		seen[p.letter.MessageID]++
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("letter %s was sent %d times", id, n)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d letters, want 3", len(seen))
	}
}

// A letter in the outbox that can't be read any more keeps no other letter waiting.
func TestBrokenLetterInTheOutbox(t *testing.T) {
	h := newTestOffice(t)
	h.spoilt = true
	bodies := [][]byte{{}, {1, 1, 2}, []byte("\x00{"), []byte("\x07{}"),
		[]byte("\x00{\"address\": \"" + redAt + "\", \"letter\": 3}")} // the last shows only when its turn comes
	id, err := h.store.Reserve(t.Context(), len(bodies))
	if err != nil {
		t.Fatal(err)
	}
	var c store.Change
	for i, body := range bodies {
		c.PutOutgoing(store.Outgoing{ID: id + uint64(i), Due: h.clock.Now(), Body: body})
	}
	h.behind(c)
	h.newGame(twoSides)
	h.one(h.deliver(redAt))
	h.one(h.deliver(blueAt))
}

// A game whose views panic when its clock is looked at stands still; the office
// and the other games go on.
func TestPanicInTick(t *testing.T) {
	rules := &fragile{Lots: enginetest.New()}
	h := newTestOffice(t, func(h *testOffice) { h.rules = rules })
	h.newGame(twoSides)
	h.newGame(strings.NewReplacer("lot-1", "lot-2", "3d", "9d").Replace(twoSides))
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.deliver(address)
	}
	rules.broken = true
	h.clock.move(4 * 24 * time.Hour)
	if err := h.office.Tick(context.Background()); err == nil {
		t.Error("the panic is not told")
	}
	rules.broken = false
	h.tick() // nothing is due any more
	if g := h.record("lot-1"); g.Paused.IsZero() || g.Stop != 1 {
		t.Errorf("paused %v at stop %d", g.Paused, g.Stop)
	}
	h.says(h.one(h.deliver(gmAt)), "lot-1", "oh no")
	if err := h.office.Clerk().Resume(context.Background(), "lot-1"); err != nil {
		t.Error(err)
	}
}

// fragile is lots whose players' views can't be written while it is broken.
type fragile struct {
	enginetest.Lots
	broken bool
}

type fragilePosition struct {
	engine.Position
	rules *fragile
}

func (f *fragile) wrap(p engine.Position, err error) (engine.Position, error) {
	if err != nil {
		return nil, err
	}
	return fragilePosition{p, f}, nil
}

func (f *fragile) New(s engine.Setup) (engine.Position, error) { return f.wrap(f.Lots.New(s)) }

func (f *fragile) Load(data []byte) (engine.Position, error) { return f.wrap(f.Lots.Load(data)) }

func (p fragilePosition) Clone() engine.Position { return fragilePosition{p.Position.Clone(), p.rules} }

func (p fragilePosition) View(side engine.Side) engine.View {
	if p.rules.broken && side != engine.GM {
		panic("oh no")
	}
	return p.Position.View(side)
}
