package mail_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"berthier/mail"
	"berthier/mail/local"
)

const gm = "gm@berthier.test"

// start starts a host with a box for the GM.
func start(t testing.TB, o local.Options) *local.Server {
	t.Helper()
	s, err := local.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.AddBox(gm, "secret"); err != nil {
		t.Fatal(err)
	}
	return s
}

func letter(n int) []byte {
	return fmt.Appendf(nil, "From: blue@berthier.test\r\nTo: %s\r\nSubject: letter %d\r\nMessage-ID: <%d@players.test>\r\n\r\nbody %d\r\n", gm, n, n, n)
}

func deliver(t testing.TB, s *local.Server, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := s.Deliver("blue@berthier.test", gm, letter(n)); err != nil {
			t.Fatal(err)
		}
	}
}

func imapConfig(s *local.Server) mail.IMAPConfig {
	c := mail.IMAPConfig{
		Address: s.IMAPAddr(), Security: mail.SecurityNone, Username: gm, Password: "secret",
		Poll: time.Hour, RetryMin: time.Millisecond, RetryMax: 20 * time.Millisecond,
	}
	if s.IMAPAddr() == "" {
		c.Dial = s.DialIMAP
	}
	return c
}

// A taker takes letters and remembers their subjects.
type taker struct {
	mu    sync.Mutex
	got   []string
	count map[string]int
	news  chan struct{}
	limit time.Duration
	judge func(n int, subject string) (mail.Folder, error) // n: how often it was offered before
}

func newTaker() *taker {
	return &taker{count: map[string]int{}, news: make(chan struct{}, 1), limit: 20 * time.Second}
}

func (k *taker) take(_ context.Context, in mail.Incoming) (mail.Folder, error) {
	raw := in.Raw
	if raw == nil {
		raw = in.Header
	}
	l, _ := mail.Read(raw, mail.Own{})
	k.mu.Lock()
	defer k.mu.Unlock()
	n := k.count[l.Subject]
	k.count[l.Subject]++
	defer func() {
		select {
		case k.news <- struct{}{}:
		default:
		}
	}()
	if k.judge != nil {
		f, err := k.judge(n, l.Subject)
		if err != nil {
			return f, err
		}
		k.got = append(k.got, l.Subject)
		return f, nil
	}
	k.got = append(k.got, l.Subject)
	return mail.Processed, nil
}

func (k *taker) subjects() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.got)
}

func (k *taker) wait(t testing.TB, n int) []string {
	t.Helper()
	limit := time.After(k.limit)
	for {
		if got := k.subjects(); len(got) >= n {
			return got
		}
		select {
		case <-k.news:
		case <-limit:
			t.Fatalf("got %d letters, want %d", len(k.subjects()), n)
		}
	}
}

// run starts a mailbox and stops it when the test ends.
func run(t testing.TB, c mail.IMAPConfig, take func(context.Context, mail.Incoming) (mail.Folder, error)) *mail.Mailbox {
	t.Helper()
	m := &mail.Mailbox{Config: c}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx, take) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
	})
	return m
}

// eventually asks again each millisecond.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	limit := time.After(20 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("%s: not in 20 s", what)
		}
	}
}

func TestMailboxTakesMovesAndIdles(t *testing.T) {
	for _, c := range []struct {
		name string
		opts local.Options
		edit func(*mail.IMAPConfig, *local.Server)
	}{
		{"IDLE and MOVE", local.Options{}, nil},
		{"in memory", local.Options{InMemory: true}, nil},
		{"COPY and EXPUNGE", local.Options{NoMove: true}, nil},
		{"polling", local.Options{}, func(c *mail.IMAPConfig, _ *local.Server) { c.NoIdle, c.Poll = true, time.Millisecond }},
		{"STARTTLS", local.Options{TLS: true}, func(c *mail.IMAPConfig, s *local.Server) { c.Security, c.TLS = mail.SecurityStartTLS, s.ClientTLS() }},
		{"STARTTLS where offered", local.Options{TLS: true}, func(c *mail.IMAPConfig, s *local.Server) {
			c.Security, c.TLS = mail.SecurityOffered, s.ClientTLS()
		}},
		{"STARTTLS not offered, loopback", local.Options{}, func(c *mail.IMAPConfig, _ *local.Server) { c.Security = mail.SecurityOffered }},
		{"in parallel", local.Options{}, func(c *mail.IMAPConfig, _ *local.Server) { c.Parallel = 8 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, c.opts)
			cfg := imapConfig(s)
			if c.edit != nil {
				c.edit(&cfg, s)
			}
			deliver(t, s, 0, 120)
			k := newTaker()
			k.judge = func(_ int, subject string) (mail.Folder, error) {
				if strings.HasSuffix(subject, "7") {
					return mail.Rejected, nil
				}
				return mail.Processed, nil
			}
			m := run(t, cfg, k.take)
			k.wait(t, 120)
			for n := 120; n < 150; n++ { // one at a time, while it waits
				deliver(t, s, n, n+1)
				k.wait(t, n+1)
			}
			got := k.subjects()
			if cfg.Parallel <= 1 {
				for n, subject := range got {
					if want := fmt.Sprintf("letter %d", n); subject != want {
						t.Fatalf("letter %d is %q", n, subject)
					}
				}
			}
			eventually(t, "letters moved", func() bool {
				return s.Count(gm, "INBOX") == 0 && s.Count(gm, "Processed") == 135 && s.Count(gm, "Rejected") == 15
			})
			if h := m.Health(); !h.Connected || h.LastError != nil || h.LastContact.IsZero() {
				t.Errorf("health %+v", h)
			}
			if n := len(k.subjects()); n != 150 {
				t.Errorf("%d letters taken, want 150", n)
			}
			if n := len(s.Letters(gm)); n != 150 {
				t.Errorf("%d letters kept, want 150", n)
			}
		})
	}
}

func TestMailboxTakesBytesAsTheyAre(t *testing.T) {
	s := start(t, local.Options{})
	raw := []byte("From: a@b.test\r\nSubject: bytes\r\n\r\n\x80\xff tab\t and NBSP \u00a0, no newline at end")
	if err := s.Deliver("a@b.test", gm, raw); err != nil {
		t.Fatal(err)
	}
	got := make(chan mail.Incoming, 1)
	run(t, imapConfig(s), func(_ context.Context, in mail.Incoming) (mail.Folder, error) {
		got <- in
		return mail.Leave, nil
	})
	in := <-got
	if !bytes.HasSuffix(in.Raw, raw) || sha256.Sum256(in.Raw) != sha256.Sum256(s.Letters(gm)[0]) {
		t.Errorf("got %q", in.Raw)
	}
	if in.Size != int64(len(in.Raw)) || in.Received.IsZero() || in.UID == 0 || in.UIDValidity == 0 {
		t.Errorf("incoming %+v", in)
	}
}

func TestMailboxOversize(t *testing.T) {
	s := start(t, local.Options{})
	cfg := imapConfig(s)
	cfg.MaxSize = 10_000
	huge := append(letter(1), bytes.Repeat([]byte("x\r\n"), 10_000_000)...) // 30 MB
	if err := s.Deliver("blue@berthier.test", gm, huge); err != nil {
		t.Fatal(err)
	}
	deliver(t, s, 2, 3)
	var got []mail.Incoming
	done := make(chan struct{})
	run(t, cfg, func(_ context.Context, in mail.Incoming) (mail.Folder, error) {
		if got = append(got, in); len(got) == 2 {
			close(done)
		}
		if in.Raw == nil {
			return mail.Rejected, nil
		}
		return mail.Processed, nil
	})
	<-done
	if got[0].Raw != nil || got[0].Size < 30_000_000 || got[1].Raw == nil {
		t.Errorf("raw of %d and %d bytes, size %d", len(got[0].Raw), len(got[1].Raw), got[0].Size)
	}
	l, err := mail.Read(got[0].Header, mail.Own{})
	if err != nil || l.From.Addr != "blue@berthier.test" || l.Subject != "letter 1" {
		t.Errorf("header read as %+v, %v", l, err)
	}
	eventually(t, "moved", func() bool { return s.Count(gm, "Rejected") == 1 && s.Count(gm, "Processed") == 1 })
}

func TestMailboxReconnects(t *testing.T) {
	s := start(t, local.Options{})
	k := newTaker()
	var changes atomic.Int32
	cfg := imapConfig(s)
	cfg.OnHealth = func(mail.Health) { changes.Add(1) }
	deliver(t, s, 0, 1)
	m := run(t, cfg, k.take)
	k.wait(t, 1)

	s.StopIMAP()
	eventually(t, "loss noticed", func() bool { h := m.Health(); return !h.Connected && h.LastError != nil && h.Failures > 2 })
	deliver(t, s, 1, 3)
	if err := s.StartIMAP(); err != nil {
		t.Fatal(err)
	}
	k.wait(t, 3)
	s.Disconnect(gm)
	deliver(t, s, 3, 4)
	k.wait(t, 4)
	eventually(t, "health restored", func() bool { h := m.Health(); return h.Connected && h.LastError == nil && h.Failures == 0 })
	if changes.Load() < 4 {
		t.Errorf("%d health reports", changes.Load())
	}
}

func TestMailboxWrongPassword(t *testing.T) {
	s := start(t, local.Options{})
	cfg := imapConfig(s)
	cfg.Password = "wrong"
	k := newTaker()
	deliver(t, s, 0, 1)
	m := run(t, cfg, k.take)
	eventually(t, "refused", func() bool { h := m.Health(); return h.Failures > 1 && h.LastError != nil })
	if err := s.AddBox(gm, "wrong"); err != nil { // somebody sets it right
		t.Fatal(err)
	}
	k.wait(t, 1)
}

func TestMailboxUIDValidityChanges(t *testing.T) {
	s := start(t, local.Options{})
	k := newTaker()
	validities := map[uint32]bool{}
	k.judge = func(int, string) (mail.Folder, error) { return mail.Leave, nil }
	deliver(t, s, 0, 3)
	run(t, imapConfig(s), func(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
		k.mu.Lock()
		validities[in.UIDValidity] = true
		k.mu.Unlock()
		return k.take(ctx, in)
	})
	k.wait(t, 3)
	// Left alone, as long as the numbers hold.
	s.Disconnect(gm)
	deliver(t, s, 3, 4)
	if got := k.wait(t, 4); len(got) != 4 {
		t.Errorf("left letters were offered again: %q", got)
	}
	if err := s.Renumber(gm); err != nil {
		t.Fatal(err)
	}
	if got := k.wait(t, 8); !slices.Equal(got[4:8], []string{"letter 0", "letter 1", "letter 2", "letter 3"}) {
		t.Errorf("after renumbering %q", got[4:])
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(validities) != 2 {
		t.Errorf("UIDVALIDITY %v", validities)
	}
}

func TestMailboxFailingTakeDoesNotBlock(t *testing.T) {
	s := start(t, local.Options{})
	k := newTaker()
	k.judge = func(n int, subject string) (mail.Folder, error) {
		switch {
		case subject == "letter 1" && n < 3:
			return "", errors.New("database is away")
		case subject == "letter 2" && n == 0:
			panic("bad luck")
		case subject == "letter 3" && n == 0:
			return "nowhere", nil
		}
		return mail.Processed, nil
	}
	deliver(t, s, 0, 5)
	m := run(t, imapConfig(s), k.take)
	eventually(t, "all moved", func() bool { return s.Count(gm, "Processed") == 5 && s.Count(gm, "INBOX") == 0 })
	if k.count["letter 1"] != 4 || k.count["letter 2"] != 2 || k.count["letter 3"] != 2 || k.count["letter 4"] != 1 {
		t.Errorf("offered %v", k.count)
	}
	if got := k.subjects(); got[0] != "letter 0" || !slices.Contains(got[:3], "letter 4") {
		t.Errorf("order %q: a letter that can't be taken held up others", got)
	}
	eventually(t, "trouble forgotten", func() bool { h := m.Health(); return h.Waiting == 0 && h.LastError == nil })
}

// The end of the inbox is told only when every letter in it was offered and
// taken; one that can't be taken does not hold that up for ever.
func TestMailboxOnRead(t *testing.T) {
	away := &mail.NotReady{Err: errors.New("database is away")}
	for name, c := range map[string]struct {
		fails, tries int // offered so often when the mailbox counts as read
		why          error
	}{
		"taken at the third try":             {2, 3, errors.New("no ruleset")},
		"never taken":                        {1 << 30, 5, errors.New("no ruleset")},
		"taken when the database is back":    {8, 9, away},
		"taken at the third try, being away": {2, 3, away},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, local.Options{})
			k := newTaker()
			k.judge = func(n int, subject string) (mail.Folder, error) {
				if subject == "letter 1" && n < c.fails {
					return "", fmt.Errorf("take: %w", c.why)
				}
				return mail.Processed, nil
			}
			deliver(t, s, 0, 3)
			m := &mail.Mailbox{Config: imapConfig(s)}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			tries := make(chan int, 1)
			m.OnRead(func(context.Context, time.Time) {
				k.mu.Lock()
				defer k.mu.Unlock()
				select {
				case tries <- k.count["letter 1"]:
				default:
				}
			})
			done := make(chan error, 1)
			go func() { done <- m.Run(ctx, k.take) }()
			select {
			case n := <-tries:
				if n != c.tries || k.subjects()[0] != "letter 0" {
					t.Errorf("told as read after %d tries, want %d", n, c.tries)
				}
			case <-time.After(20 * time.Second):
				t.Error("never told as read")
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("Run returned %v", err)
			}
		})
	}
}

func TestMailboxFolderVanishes(t *testing.T) {
	for _, noMove := range []bool{false, true} {
		t.Run(fmt.Sprintf("NoMove=%v", noMove), func(t *testing.T) {
			s := start(t, local.Options{NoMove: noMove})
			k := newTaker()
			deliver(t, s, 0, 1)
			run(t, imapConfig(s), k.take)
			k.wait(t, 1)
			eventually(t, "moved", func() bool { return s.Count(gm, "Processed") == 1 })
			if err := s.DeleteFolder(gm, "Processed"); err != nil {
				t.Fatal(err)
			}
			deliver(t, s, 1, 2)
			eventually(t, "folder made anew", func() bool { return s.Count(gm, "Processed") == 1 && s.Count(gm, "INBOX") == 0 })
			if got := k.subjects(); len(got) != 2 {
				t.Errorf("taken %q", got)
			}
		})
	}
}

func TestMailboxLetterGoneMeanwhile(t *testing.T) {
	s := start(t, local.Options{})
	deliver(t, s, 0, 3)
	k := newTaker()
	var once sync.Once
	run(t, imapConfig(s), func(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
		// Another program moves everything away before we do.
		once.Do(func() {
			if err := s.MoveAll(gm, "INBOX", "Elsewhere"); err != nil {
				t.Error(err)
			}
		})
		return k.take(ctx, in)
	})
	k.wait(t, 3)
	deliver(t, s, 3, 4)
	k.wait(t, 4)
	eventually(t, "moved", func() bool { return s.Count(gm, "Processed") == 1 && s.Count(gm, "Elsewhere") == 3 })
}

// A server that takes a letter's MOVE and forgets to do it, or a connection that
// breaks before it, must cost nothing but a second look.
func TestMailboxCrashBetweenTakeAndMove(t *testing.T) {
	s := start(t, local.Options{})
	deliver(t, s, 0, 4)
	k := newTaker()
	var once sync.Once
	run(t, imapConfig(s), func(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
		f, err := k.take(ctx, in)
		if in.UID == 4 {
			once.Do(func() { s.Disconnect(gm) })
		}
		return f, err
	})
	eventually(t, "all moved", func() bool { return s.Count(gm, "Processed") == 4 && s.Count(gm, "INBOX") == 0 })
	if got := k.subjects(); len(got) != 4 {
		t.Errorf("taken %q: the same run knows what it has taken", got)
	}
	// Another run does not know: it would be offered again, had it not moved.
	k2 := newTaker()
	deliver(t, s, 4, 5)
	run(t, imapConfig(s), k2.take)
	eventually(t, "empty", func() bool { return s.Count(gm, "INBOX") == 0 })
}

// A reader that dies again and again gets on: the first letters of a full inbox are
// taken before many are fetched.
func TestMailboxBeginsSoon(t *testing.T) {
	s := start(t, local.Options{})
	const all = 300
	deliver(t, s, 0, all)
	c := imapConfig(s)
	var fetched atomic.Int64
	c.Dial = func(ctx context.Context) (net.Conn, error) {
		conn, err := s.DialIMAP(ctx)
		if s.IMAPAddr() != "" {
			conn, err = (&net.Dialer{}).DialContext(ctx, "tcp", s.IMAPAddr())
		}
		return &fetchCounter{conn, &fetched}, err
	}
	k := newTaker()
	var once sync.Once
	before := int64(-1)
	run(t, c, func(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
		once.Do(func() { before = fetched.Load() })
		return k.take(ctx, in)
	})
	eventually(t, "all moved", func() bool { return s.Count(gm, "Processed") == all })
	if n := len(k.subjects()); n != all {
		t.Errorf("%d letters taken, want %d", n, all)
	}
	if before < 1 || before > 100 {
		t.Errorf("%d letters of %d were fetched before the first was taken", before, all)
	}
	if n := fetched.Load(); n != all {
		t.Errorf("%d letters were fetched, want %d", n, all)
	}
}

// A fetchCounter counts the letters that come over a connection.
type fetchCounter struct {
	net.Conn
	n *atomic.Int64
}

// Read implements [io.Reader].
func (c *fetchCounter) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(bytes.Count(b[:n], []byte("BODY[]"))))
	return n, err
}

func TestMailboxRefusesPlainToOtherMachines(t *testing.T) {
	for _, c := range []mail.IMAPConfig{
		{Address: "mail.example.org:143", Security: mail.SecurityNone},
		{Address: "mail.example.org", Security: mail.SecurityTLS},
		{Address: "127.0.0.1:143", Security: "ssl"},
		{Address: "127.0.0.1:143", Security: mail.SecurityNone, Processed: "X", Rejected: "X"},
		{Address: "127.0.0.1:143", Security: mail.SecurityNone, Rejected: "inbox"},
	} {
		m := mail.Mailbox{Config: c}
		if err := m.Run(context.Background(), nil); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

// In fake time: polling besides IDLE, IDLE ended in time, and a peer that
// vanished without a word.
func TestMailboxTime(t *testing.T) {
	t.Run("polls besides IDLE", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := start(t, local.Options{InMemory: true})
			var dialled net.Conn
			cfg := imapConfig(s)
			cfg.Poll = 90 * time.Second
			cfg.Dial = func(ctx context.Context) (net.Conn, error) {
				c, err := s.DialIMAP(ctx)
				dialled = &deafConn{Conn: c} // never hears of new letters
				return dialled, err
			}
			k := newTaker()
			k.limit = time.Hour
			m := run(t, cfg, k.take)
			synctest.Wait()
			began := time.Now()
			deliver(t, s, 0, 1)
			k.wait(t, 1)
			if d := time.Since(began); d > 91*time.Second {
				t.Errorf("found after %v", d)
			}
			time.Sleep(20 * time.Minute)
			synctest.Wait()
			if h := m.Health(); !h.Connected || time.Since(h.LastContact) > 4*time.Minute || h.Failures != 0 {
				t.Errorf("health after 20 minutes %+v", h)
			}
			s.Close()
		})
	})
	t.Run("dead peer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := start(t, local.Options{InMemory: true})
			var holes []*holeConn
			cfg := imapConfig(s)
			cfg.Timeout = 30 * time.Second
			cfg.Dial = func(ctx context.Context) (net.Conn, error) {
				c, err := s.DialIMAP(ctx)
				h := &holeConn{Conn: c, dead: make(chan struct{})}
				holes = append(holes, h)
				return h, err
			}
			k := newTaker()
			k.limit = time.Hour
			run(t, cfg, k.take)
			synctest.Wait()
			close(holes[0].dead) // from now on this connection swallows everything
			deliver(t, s, 0, 1)
			began := time.Now()
			k.wait(t, 1)
			// 4 minutes of IDLE, 30 seconds for DONE, and the way back.
			if d := time.Since(began); d > 5*time.Minute || len(holes) < 2 {
				t.Errorf("back after %v with %d connections", d, len(holes))
			}
			s.Close()
		})
	})
}

// A deafConn drops EXISTS that nobody has asked for.
type deafConn struct {
	net.Conn
	buf []byte
}

func (c *deafConn) Read(b []byte) (int, error) {
	for {
		if len(c.buf) > 0 {
			n := copy(b, c.buf)
			c.buf = c.buf[n:]
			return n, nil
		}
		n, err := c.Conn.Read(b)
		if n == 0 || err != nil {
			return n, err
		}
		if bytes.HasPrefix(b[:n], []byte("* ")) && bytes.HasSuffix(b[:n], []byte(" EXISTS\r\n")) && bytes.Count(b[:n], []byte("\n")) == 1 {
			continue
		}
		c.buf = append([]byte(nil), b[:n]...)
	}
}

// A holeConn is a connection whose other end vanishes without a word.
type holeConn struct {
	net.Conn
	dead chan struct{}
}

func (c *holeConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	select {
	case <-c.dead:
		if err == nil {
			return c.Read(b)
		}
		return 0, io.ErrUnexpectedEOF
	default:
		return n, err
	}
}

func (c *holeConn) Write(b []byte) (int, error) {
	select {
	case <-c.dead:
		return len(b), nil
	default:
		return c.Conn.Write(b)
	}
}

func TestMailboxCancelIsQuick(t *testing.T) {
	s := start(t, local.Options{})
	m := &mail.Mailbox{Config: imapConfig(s)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx, newTaker().take) }()
	eventually(t, "connected", func() bool { return m.Health().Connected })
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("still running")
	}
	if m.Health().Connected {
		t.Error("says it is connected")
	}
}

func BenchmarkMailbox(b *testing.B) {
	for _, batch := range []int{1, 50} {
		b.Run(fmt.Sprintf("%d at a time", batch), func(b *testing.B) {
			s := start(b, local.Options{})
			k := newTaker()
			run(b, imapConfig(s), k.take)
			b.ReportAllocs()
			for n := 0; n < b.N; n += batch {
				deliver(b, s, n, n+batch)
				k.wait(b, n+batch)
			}
		})
	}
}
