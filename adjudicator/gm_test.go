package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
)

func TestGMByLetter(t *testing.T) {
	h := newTestOffice(t)
	officeKey := h.officeKey(gmAt)
	indented := "  " + strings.ReplaceAll(strings.TrimSpace(strings.NewReplacer("gm: {name: Gina, address: gm@club.example}\n", "", "seed: \"a fixed seed\"\n", "").Replace(twoSides)), "\n", "\n  ")
	// A set-up with faults makes no game, and all of them are told.
	h.write(gmAt, "key: "+officeKey+"\ncommand: new\nsetup:\n"+strings.NewReplacer("Blue@play.example", "nowhere", "3d", "soon").Replace(indented)+"\n", mail.Rejected)
	h.says(h.one(h.deliver(gmAt)), "nowhere", "soon")
	h.write(gmAt, "key: "+officeKey+"\ncommand: new\nsetup:\n"+indented+"\n", mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "lot-1", key(h, "lot-1", engine.GM), "Rosa", redAt, "stop 1: bid")
	h.says(h.one(h.deliver(redAt)), "stop: 1 bid")
	h.write(gmAt, "key: "+officeKey+"\ncommand: new\nsetup:\n"+indented+"\n", mail.Rejected)
	h.says(h.one(h.deliver(gmAt)), "lot-1 already")
	h.write(gmAt, "key: "+officeKey+"\ncommand: list\n", mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "lot-1", "running")
	// The office's key is nobody else's.
	h.write(redAt, "key: "+officeKey+"\ncommand: list\n", mail.Rejected)
	h.deliver(redAt)
	h.deliver(blueAt)

	gm := func(lines ...string) *mail.Letter {
		t.Helper()
		h.write(gmAt, command(h, "lot-1", engine.GM, lines...), mail.Processed)
		return h.one(h.deliver(gmAt))
	}
	bad := func(lines ...string) *mail.Letter {
		t.Helper()
		h.write(gmAt, command(h, "lot-1", engine.GM, lines...), mail.Rejected)
		return h.one(h.deliver(gmAt))
	}
	h.says(gm("command: show"), "Rosa", "blue@play.example", "game made")
	h.says(gm("command: position"), "R-1", "B-1", "lot-1-position.yaml")
	h.says(gm("command: help"), "replace", "until:")
	h.says(gm("command: rules"), "LOT-1")
	h.says(gm("command: pause", "reason: the post is on strike"), "paused")
	h.says(h.one(h.deliver(redAt)), "the post is on strike")
	h.says(bad("command: pause"), "paused already")
	h.says(gm("command: resume"), "Done")
	h.deliver(redAt)
	before := h.record("lot-1").Seat("blue").Owes.Deadline
	h.says(gm("command: extend", "side: blu", "by: 1d12h"), "Done")
	if d := h.record("lot-1").Seat("blue").Owes.Deadline.Sub(before); d != 36*time.Hour {
		t.Errorf("moved by %v", d)
	}
	h.says(bad("command: extend", "side: yellow", "by: 2x"), "yellow")
	h.says(bad("command: extend"), "by: 2d")
	h.says(bad("command: extend", "until: yesterday"), "yesterday")
	h.says(bad("command: extend", "until: 2026-03-01 18:00"), "later")
	h.says(gm("command: extend", "until: 2026-04-01 18:00"), "Done")
	if d := h.record("lot-1").Seat("red").Owes.Deadline; !d.Equal(time.Date(2026, 4, 1, 18, 0, 0, 0, time.UTC)) {
		t.Errorf("deadline %v", d)
	}
	h.deliver(redAt)
	h.deliver(blueAt)
	h.says(gm("command: remind", "side: red"), "Done")
	h.says(h.one(h.deliver(redAt)), "Reminder")
	h.silent(blueAt)
	// An answer for a player is confirmed to both.
	h.says(bad("side: red", "stop: 1 bid", "orders: {bid: R-9}"), "R-9")
	h.silent(redAt)
	h.says(bad("stop: 1 bid", "orders: {bid: R-1}"), "which side")
	h.write(gmAt, command(h, "lot-1", engine.GM, "side: red", "stop: 1 bid", "orders: {bid: R-1}"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "bid: R-1")
	h.says(h.one(h.deliver(redAt)), "bid: R-1")
	h.says(bad("command: replace", "side: blue", "zone: Nowhere"), "address", "Nowhere")
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: replace", "side: blue", "address: bea@play.example", "name: Bea"))
	h.says(h.one(h.deliver(gmAt)), "Bea")
	h.one(h.deliver("bea@play.example"))
	h.says(h.one(h.deliver(redAt)), "Blue has a new player")
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: close", "reason: enough"))
	h.says(h.one(h.deliver(gmAt)), "closed")
	h.says(h.one(h.deliver(redAt)), "enough", log.Commitment(h.record("lot-1").Seed))
	h.says(bad("command: resume"), "is over")
	h.wantKinds("lot-1", log.KindSetup, log.KindPaused, log.KindResumed, log.KindExtended, log.KindExtended, log.KindReminded, log.KindRefused, log.KindTaken, log.KindReplaced, log.KindClosed)
	h.clock.move(2 * packAgain)
	h.tick() // what the game keeps is packed
	if next, ok, _ := h.office.Next(); ok {
		t.Errorf("something is due at %v", next)
	}
}

func TestGMInGo(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
	h.newGame(twoSides)
	s, problems := h.office.Clerk().ReadSetup(twoSides, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if err := h.office.Clerk().NewGame(ctx, s); !errors.Is(err, ErrExists) {
		t.Errorf("the same game again: %v", err)
	}
	h.newGame(strings.NewReplacer("lot-1", "lot-2", "seats:", "scenario: three\nseats:\n  green: {address: green@play.example}").Replace(twoSides))
	list, err := h.office.Clerk().List()
	if err != nil || len(list) != 2 || list[1].ID != "lot-2" || len(list[1].Waiting) != 3 {
		t.Errorf("%+v %v", list, err)
	}
	loaded, err := h.office.Clerk().Position("lot-1", "red")
	if err != nil || loaded.Owes == nil || loaded.Stop != 1 || loaded.Snapshot != nil || loaded.View.Side() != "red" {
		t.Errorf("%+v %v", loaded, err)
	}
	if loaded, err = h.office.Clerk().Position("lot-1", engine.GM); err != nil || !bytes.Contains(loaded.Snapshot, []byte("B-1")) {
		t.Errorf("%+v %v", loaded, err)
	}
	_, doc, problems, err := h.office.Clerk().Check("lot-1", "red", loaded.View.(interface{ Marshal() ([]byte, error) }).(engine.View).Page().Title.Code+": x\n")
	if err != nil || len(problems) == 0 || doc == nil {
		t.Errorf("a file that is none: %v %v", problems, err)
	}
	if answer, _, problems, err := h.office.Clerk().Check("lot-1", "red", "game: lot-1\norders: {bid: R-1}\n"); err != nil || len(problems) > 0 || answer == nil {
		t.Errorf("%v %v %v", answer, problems, err)
	}
	h.wantKinds("lot-1", log.KindSetup)
	if problems, err := h.office.Clerk().Answer(ctx, "lot-1", "red", "stop: 1\norders: {bid: R-8}\n"); err != nil || len(problems) != 1 {
		t.Errorf("%v %v", problems, err)
	}
	if problems, err := h.office.Clerk().Answer(ctx, "lot-1", "red", "stop: 1\norders: {bid: R-1}\n"); err != nil || len(problems) != 0 {
		t.Errorf("%v %v", problems, err)
	}
	d, err := h.office.Clerk().Show("LOT-1")
	if err != nil || !d.Seats[0].Answered || d.Seats[1].Answered || d.Seed != "" || d.Commitment == "" || d.Seats[0].Key != key(h, "lot-1", "red") {
		t.Errorf("%+v %v", d, err)
	}
	if _, err := h.office.Clerk().Show("nothing"); !errors.Is(err, ErrNoGame) {
		t.Errorf("%v", err)
	}
	var refused *game.RefusedError
	if err := h.office.Clerk().Replace(ctx, "lot-1", "yellow", log.Person{Address: "x@y"}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if err := h.office.Clerk().Remind(ctx, "lot-1", "red"); !errors.As(err, &refused) {
		t.Errorf("reminded who has answered: %v", err)
	}
	// A refused act leaves nothing in the log.
	if err := h.office.Clerk().Close(ctx, "lot-1", ""); err != nil {
		t.Fatal(err)
	}
	theLog := h.kinds("lot-1")
	for name, act := range map[string]func() error{
		"pause":   func() error { return h.office.Clerk().Pause(ctx, "lot-1", "") },
		"extend":  func() error { return h.office.Clerk().Extend(ctx, "lot-1", "", time.Hour) },
		"replace": func() error { return h.office.Clerk().Replace(ctx, "lot-1", "red", log.Person{Address: "x@y.example"}) },
		"close":   func() error { return h.office.Clerk().Close(ctx, "lot-1", "") },
	} {
		if err := act(); !errors.As(err, &refused) {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
	h.wantKinds("lot-1", theLog...)
}

// A box is a mailbox with letters in it.
type box struct {
	letters chan mail.Incoming
	folders chan mail.Folder
	onRead  func(context.Context, time.Time)
}

func (b *box) OnRead(f func(context.Context, time.Time)) { b.onRead = f }

func (b *box) Run(ctx context.Context, take func(context.Context, mail.Incoming) (mail.Folder, error)) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case in := <-b.letters:
			folder, err := take(ctx, in)
			if err != nil {
				return err
			}
			b.folders <- folder
		case <-time.After(time.Minute):
		}
		b.onRead(ctx, time.Now())
	}
}

// While the loops of the service run, letters come and go and a deadline passes without a
// letter; the service stops when it is told to.
func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	synctest.Test(t, func(t *testing.T) {
		h := newTestOffice(t, func(h *testOffice) { h.path, h.opt.Clock = path, SystemClock{} })
		h.newGame(twoSides)
		ctx, stop := context.WithCancel(context.Background())
		b := &box{letters: make(chan mail.Incoming), folders: make(chan mail.Folder)}
		ended := make(chan error)
		go func() { ended <- h.office.Run(ctx, h.post, Box{Mailbox: b}) }()
		time.Sleep(time.Second)
		h.post.mu.Lock()
		n := len(h.post.sent)
		h.post.mu.Unlock()
		if n != 3 {
			t.Errorf("%d letters went out", n)
		}
		text := fill(h.template(redAt), "{bid: R-2}")
		b.letters <- mail.Incoming{UID: 1, Raw: []byte("From: " + redAt + "\r\nTo: orders@club.example\r\nSubject: x\r\nMessage-ID: <1@x>\r\n\r\n" + text)}
		if folder := <-b.folders; folder != mail.Processed {
			t.Errorf("folder %s", folder)
		}
		time.Sleep(4 * 24 * time.Hour) // the deadline passes
		if g := h.record("lot-1"); g.Stop < 2 || g.Seat("blue").Missed == 0 {
			t.Errorf("stop %d", g.Stop)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		h.store.Close()
	})
}

// An office can be opened on a backup of the store, with all that it needs.
func TestBackupRuns(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	path := filepath.Join(t.TempDir(), "copy.db")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.store.Backup(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	was := key(h, "lot-1", "red")
	c := newTestOffice(t, func(c *testOffice) { c.path = path })
	if key(c, "lot-1", "red") != was {
		t.Error("another key")
	}
	c.play("lot-1", c.anyUnit("lot-1"))
	_ = bolt.Schema
	_ = orders.Scalar
}
