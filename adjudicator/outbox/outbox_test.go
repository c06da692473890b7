package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/mail"
	"berthier/templates"
)

const (
	redAt  = "red@play.example"
	blueAt = "blue@play.example"
)

// A toyOffice is an outbox on a store, with games that write down what they are told and
// commit what comes with it, and a mail server.
type toyOffice struct {
	*testing.T
	store *bolt.Store
	ill   *illStore // the same, as the outbox has it
	box   *Box
	now   time.Time

	mu     sync.Mutex
	heard  []string
	barred string // to whom nothing may leave
	unsure error  // why nobody knows who may get what
	write  func(Due) error
	deaf   error // why the games hear nothing of clocks

	sent   []string // addresses and subjects
	refuse func(to, messageID string) error
}

func newToyOffice(t *testing.T) *toyOffice {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	if err := bolt.Create(path, bolt.Options{NoSync: true}); err != nil {
		t.Fatal(err)
	}
	st, err := bolt.Open(path, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	d := &toyOffice{T: t, store: st, ill: &illStore{Store: st}, now: time.Date(2026, 6, 18, 12, 0, 0, 0, time.UTC)}
	t.Cleanup(func() {
		if err := errors.Join(st.Check(), st.Close()); err != nil {
			t.Error(err)
		}
	})
	d.box = d.newBox()
	return d
}

// newBox is another outbox on the same store, as after a restart, or that of another member.
func (d *toyOffice) newBox() *Box {
	d.Helper()
	box, err := New(d.ill, d, Options{
		Address: func(string) string { return "orders@club.example" },
		From:    mail.Address{Addr: "office@club.example"}, Domain: "office.example",
		Derive: func(purpose string, parts ...string) []byte {
			v := store.VersionOf([]byte(purpose + strings.Join(parts, "/")))
			return v[:]
		},
		Foot: func(*templates.Foot) string { return "" }, Now: func() time.Time { return d.now }, Log: slog.New(slog.DiscardHandler),
		Guard: func(f func() error) error { return f() }, Senders: 4, Retry: time.Minute, GiveUp: 5 * 24 * time.Hour,
	})
	if err != nil {
		d.Fatal(err)
	}
	return box
}

// Hear implements [Games].
func (d *toyOffice) Hear(ctx context.Context, n News) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch n := n.(type) {
	case Lost:
		d.heard = append(d.heard, fmt.Sprintf("lost %s %s %v", n.Letter.Address, n.Letter.State, n.Believed))
		return d.store.Commit(ctx, n.With)
	case Waits:
		return d.clock(ctx, "waits "+n.Letter.Address, n.With)
	case Left:
		return d.clock(ctx, "left "+n.Letter.Address, n.With)
	case Due:
		d.heard = append(d.heard, "due "+n.Letter.Address)
		return d.write(n)
	}
	return nil
}

// clock writes down what the clock of a seat is told, if it is committed.
func (d *toyOffice) clock(ctx context.Context, news string, with store.Change) error {
	if d.deaf != nil {
		return d.deaf
	}
	err := d.ill.Commit(ctx, with)
	if err == nil || errors.Is(err, errUnclear) {
		d.heard = append(d.heard, news)
	}
	return err
}

// May implements [Games].
func (d *toyOffice) May(l *Outgoing) (bool, error) {
	return l.Address != d.barred && d.unsure == nil, d.unsure
}

// An illStore fails as often as it is told to.
type illStore struct {
	store.Store
	reads  int // that fail when half of it was read
	claims int // whose answer is lost
	// commits that go well before one is refused, or with unclear only its answer lost; 0: all go well
	commits int
	unclear bool
}

var (
	errIll     = errors.New("the connection is lost")
	errUnclear = fmt.Errorf("%w: nobody knows what it wrote", errIll)
)

func (s *illStore) Commit(ctx context.Context, c store.Change) error {
	if s.commits > 0 {
		if s.commits--; s.commits == 0 {
			if !s.unclear {
				return errIll
			}
			return errors.Join(errUnclear, s.Store.Commit(ctx, c))
		}
	}
	return s.Store.Commit(ctx, c)
}

func (s *illStore) Read(ctx context.Context, f func(store.Reader) error) error {
	err := s.Store.Read(ctx, f)
	if s.reads > 0 {
		s.reads--
		return s.Store.Read(ctx, func(store.Reader) error { return errIll })
	}
	return err
}

func (s *illStore) Claim(ctx context.Context, due, until time.Time, n int, of store.LaneSet) ([]store.Outgoing, error) {
	letters, err := s.Store.Claim(ctx, due, until, n, of)
	if s.claims > 0 {
		s.claims--
		return nil, errIll
	}
	return letters, err
}

// Send implements [mail.Sender].
func (d *toyOffice) Send(_ context.Context, _, to string, raw []byte) error {
	letter, err := mail.Read(raw, mail.Own{})
	if err != nil {
		return err
	}
	if d.refuse != nil {
		if err := d.refuse(to, letter.MessageID); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sent = append(d.sent, to+" "+letter.Subject)
	return nil
}

// letter is one of a game.
func (d *toyOffice) letter(to, subject string) *Outgoing {
	return &Outgoing{Game: "lot-1", Seat: "red", Kind: "notice", Address: to, Written: d.now, Letter: &templates.Letter{Subject: subject, Text: subject}}
}

// queue queues letters, and gives the number of the last.
func (d *toyOffice) queue(letters ...*Outgoing) (last uint64) {
	d.Helper()
	var c store.Change
	if err := d.box.Enqueue(d.Context(), &c, d.now, letters...); err != nil {
		d.Fatal(err)
	}
	if err := d.store.Commit(d.Context(), c); err != nil {
		d.Fatal(err)
	}
	return c.Outgoing[len(c.Outgoing)-1].ID
}

func (d *toyOffice) send() int {
	d.Helper()
	n, err := d.box.Send(d.Context(), d, store.AllLanes, nil)
	if err != nil {
		d.Fatal(err)
	}
	return n
}

// kept is a letter as the store has it, and when it is due.
func (d *toyOffice) kept(id uint64) (r *Outgoing, due time.Time) {
	d.Helper()
	if err := d.store.Read(d.Context(), func(tx store.Reader) (err error) { r, due, err = d.box.Load(tx, id); return err }); err != nil {
		d.Fatal(err)
	}
	return r, due
}

// A letter that comes back while it is still being sent, as from a server that takes it and
// refuses it at once, stays lost: the later note that it was sent does not change that.
func TestBackBeforeItIsNoted(t *testing.T) {
	d := newToyOffice(t)
	d.refuse = func(_, messageID string) error {
		return d.box.Bounced(d.Context(), &mail.Bounce{MessageID: messageID, Permanent: true, Null: true, Status: "5.1.1"},
			store.Change{Mark: &store.Mark{Digest: [32]byte{1}}})
	}
	id := d.queue(d.letter(redAt, "one"))
	d.send()
	if r, due := d.kept(id); r.State != StateBounced || !due.IsZero() || !slices.Equal(d.heard, []string{"lost " + redAt + " bounced true"}) {
		t.Errorf("state %q, due %v, told %q", r.State, due, d.heard)
	}
	// The same news again is counted once, and its letter marked all the same.
	bounce := &mail.Bounce{MessageID: d.box.MessageID(id), Permanent: true}
	if err := d.box.Bounced(t.Context(), bounce, store.Change{Mark: &store.Mark{Digest: [32]byte{2}}}); err != nil || len(d.heard) != 1 {
		t.Errorf("told %q, %v", d.heard, err)
	}
	if err := d.box.Bounced(t.Context(), bounce, store.Change{Mark: &store.Mark{Digest: [32]byte{1}}}); !errors.Is(err, store.ErrTaken) {
		t.Errorf("a letter that was taken in before: %v", err)
	}
}

// Two who send at once send each letter once.
func TestTwoSendersAtOnce(t *testing.T) {
	d := newToyOffice(t)
	var letters []*Outgoing
	for i := range 40 {
		letters = append(letters, d.letter(fmt.Sprintf("p%d@play.example", i), fmt.Sprint(i)))
	}
	d.queue(letters...)
	d.refuse = func(string, string) error { time.Sleep(time.Millisecond); return nil }
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := d.box.Send(context.Background(), d, store.AllLanes, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	slices.Sort(d.sent)
	if len(d.sent) != 40 || len(slices.Compact(d.sent)) != 40 {
		t.Errorf("%d letters went out: %q", len(d.sent), d.sent)
	}
}

// What can't be sent now holds up what comes after it to the same address, and nobody
// else; all of it is tried again at once when it may, in its order.
func TestHeldUpInOrder(t *testing.T) {
	d := newToyOffice(t)
	d.queue(d.letter(redAt, "one"), d.letter(blueAt, "two"), d.letter(redAt, "three"))
	d.refuse = func(to, _ string) error {
		if to == redAt {
			return errors.New("busy")
		}
		return nil
	}
	if n := d.send(); n != 1 || !slices.Equal(d.sent, []string{blueAt + " two"}) {
		t.Errorf("%d sent: %q", n, d.sent)
	}
	d.refuse = nil
	d.queue(d.letter(redAt, "four"), d.letter(blueAt, "five"))
	if n := d.send(); n != 1 || !slices.Equal(d.sent[1:], []string{blueAt + " five"}) {
		t.Errorf("%d sent before their time: %q", n, d.sent)
	}
	d.now = d.now.Add(2 * time.Minute)
	d.queue(d.letter(redAt, "six"))
	if n := d.send(); n != 4 || !slices.Equal(d.sent[2:], []string{redAt + " one", redAt + " three", redAt + " four", redAt + " six"}) {
		t.Errorf("%d sent: %q", n, d.sent)
	}
}

// A store that can't be read for a moment costs nobody a letter: it is sent when the store is back.
func TestAnIllStoreLosesNoLetter(t *testing.T) {
	for name, falls := range map[string]func(*toyOffice){
		"half read":       func(d *toyOffice) { d.ill.reads = 1 },
		"claim unclear":   func(d *toyOffice) { d.ill.claims = 1 },
		"right not known": func(d *toyOffice) { d.unsure = errIll },
	} {
		t.Run(name, func(t *testing.T) {
			d := newToyOffice(t)
			d.send() // it has asked the store what could not be sent
			d.queue(d.letter(redAt, "one"), d.letter(redAt, "two"))
			falls(d)
			if n, err := d.box.Send(t.Context(), d, store.AllLanes, nil); n != 0 || !errors.Is(err, errIll) {
				t.Errorf("%d sent, %v", n, err)
			}
			d.unsure = nil
			for range 3 {
				d.now = d.now.Add(2 * time.Minute)
				d.send()
			}
			if want := []string{redAt + " one", redAt + " two"}; !slices.Equal(d.sent, want) || len(d.heard) > 0 {
				t.Errorf("sent %q, told %q", d.sent, d.heard)
			}
			if d.box.Owes() {
				t.Error("something is still owed")
			}
		})
	}
}

// A report that waits for long is told of once, and once more when it has left.
func TestSlowReport(t *testing.T) {
	d := newToyOffice(t)
	report := d.letter(redAt, "report")
	report.Report, report.List, report.Ref = 3, "reports lot-1 red", Ref{Report: 3, Stop: 7}
	id := d.queue(report)
	d.refuse = func(string, string) error { return errors.New("busy") }
	for range 6 {
		d.send()
		d.now = d.now.Add(time.Hour)
	}
	d.refuse = nil
	d.send()
	if !slices.Equal(d.heard, []string{"waits " + redAt, "left " + redAt}) {
		t.Errorf("told %q", d.heard)
	}
	// It is kept, listed under its number, and sent again to whom it belongs.
	var c, other store.Change
	if err := d.store.Read(t.Context(), func(tx store.Reader) error {
		refs, err := Reports(tx, "reports lot-1 red")
		if err != nil || !slices.Equal(refs, []Ref{{Report: 3, Number: id, Stop: 7}}) {
			t.Errorf("listed as %+v, %v", refs, err)
		}
		return errors.Join(SendAgain(&c, tx, id, redAt, d.now), SendAgain(&other, tx, id, blueAt, d.now))
	}); err != nil {
		t.Fatal(err)
	}
	if len(other.Outgoing) != 0 {
		t.Error("another's report is sent to whoever asks for it")
	}
	if err := d.store.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if n := d.send(); n != 1 || len(d.sent) != 2 || d.sent[0] != d.sent[1] {
		t.Errorf("%d sent again: %q", n, d.sent)
	}
}

// One letter at most waits in a slot: the next one takes its place. If a game has yet to write
// the letter, it writes it when the letter is due.
func TestSlot(t *testing.T) {
	d := newToyOffice(t)
	empty := func(in time.Duration) *Outgoing {
		l := d.letter(redAt, "")
		l.Letter, l.Slot, l.Due = nil, "reply lot-1 red", d.now.Add(in)
		return l
	}
	first := d.queue(empty(time.Hour))
	second := d.queue(empty(2 * time.Hour))
	if r, due := d.kept(first); r.State != StateLater || !due.IsZero() {
		t.Errorf("the first still waits: %q, %v", r.State, due)
	}
	d.now = d.now.Add(2 * time.Hour)
	failed := false
	d.write = func(n Due) error {
		if !failed {
			failed = true
			return errors.New("the ruleset is ill")
		}
		c := n.With
		if err := d.box.Enqueue(t.Context(), &c, d.now, d.letter(redAt, "verdict")); err != nil {
			return err
		}
		return d.store.Commit(t.Context(), c)
	}
	if _, err := d.box.Send(t.Context(), d, store.AllLanes, nil); err == nil {
		t.Error("that it could not be written is not told")
	}
	if r, due := d.kept(second); r.State != "" || !due.After(d.now) {
		t.Errorf("what could not be written is not tried again: %q, %v", r.State, due)
	}
	d.now = d.now.Add(time.Hour)
	d.send()
	d.send()
	if r, due := d.kept(second); r.State != StateLater || !due.IsZero() || !slices.Equal(d.sent, []string{redAt + " verdict"}) {
		t.Errorf("%q, %v, sent %q", r.State, due, d.sent)
	}
}

// A letter does not go to somebody to whom it may not go any more, and is not kept.
func TestMayNotLeave(t *testing.T) {
	d := newToyOffice(t)
	d.barred = redAt
	id := d.queue(d.letter(redAt, "secret"))
	if n := d.send(); n != 0 || len(d.sent) != 0 {
		t.Errorf("%d sent: %q", n, d.sent)
	}
	if r, due := d.kept(id); r.State != StateLater || r.Letter != nil || !due.IsZero() {
		t.Errorf("%+v, %v", r, due)
	}
}

// Nobody makes the Message-ID of a letter that he has not got, nor learns from his own
// how many others got one.
func TestMessageIDs(t *testing.T) {
	d := newToyOffice(t)
	for _, id := range []uint64{1, 2, 1 << 48} {
		if n, ok := d.box.Number(d.box.MessageID(id)); !ok || n != id {
			t.Errorf("%d is read as %d, %v", id, n, ok)
		}
	}
	mine := d.box.MessageID(7)
	at := strings.IndexByte(mine, '@')
	for _, forged := range []string{"", "letter.@office.example", "letter.7@office.example", mine[:at-1] + "a" + mine[at:], mine[:at] + "@other.example", strings.Replace(mine, "letter.", "game.", 1)} {
		if n, ok := d.box.Number(forged); ok && n != 7 {
			t.Errorf("%q is letter %d", forged, n)
		}
	}
	if a, b := d.box.MessageID(7), d.box.MessageID(8); a[:12] == b[:12] {
		t.Errorf("%s and %s show that one follows the other", a, b)
	}
	if d.box.Thread("lot-1", "red", 0) == d.box.Thread("lot-1", "red", 1) {
		t.Error("a seat's next player is put into the thread of the one before")
	}
}
