package mail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"berthier/mail"
	"berthier/mail/local"
)

const blue = "blue@players.test"

func smtpHost(t testing.TB, o local.Options) *local.Server {
	t.Helper()
	s := start(t, o)
	if err := s.AddBox(blue, "blue"); err != nil {
		t.Fatal(err)
	}
	return s
}

func smtpConfig(s *local.Server) mail.SMTPConfig {
	c := mail.SMTPConfig{Address: s.SMTPAddr(), Security: mail.SecurityNone, Username: gm, Password: "secret"}
	if s.SMTPAddr() == "" {
		c.Dial = s.DialSMTP
	}
	return c
}

func sender(t testing.TB, c mail.SMTPConfig) *mail.SMTP {
	t.Helper()
	s := &mail.SMTP{Config: c}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func report(n int) []byte {
	raw, err := mail.Draft{
		From: mail.Address{Name: "Office", Addr: gm}, To: mail.Address{Addr: blue}, Subject: fmt.Sprintf("report %d", n),
		MessageID: fmt.Sprintf("letter.%d@office.test", n), Date: time.Unix(1_800_000_000, 0).UTC(), Text: ".\n..\nfor blue\n", AutoSubmitted: "auto-generated",
	}.Compose()
	if err != nil {
		panic(err)
	}
	return raw
}

func TestSMTPSends(t *testing.T) {
	for _, c := range []struct {
		name string
		opts local.Options
		edit func(*mail.SMTPConfig, *local.Server)
	}{
		{"plain", local.Options{}, nil},
		{"in memory", local.Options{InMemory: true}, nil},
		{"AUTH LOGIN", local.Options{OnlyAuth: "LOGIN"}, nil},
		{"AUTH PLAIN", local.Options{OnlyAuth: "PLAIN"}, nil},
		{"no DSN", local.Options{NoDSN: true}, nil},
		{"STARTTLS", local.Options{TLS: true}, func(c *mail.SMTPConfig, s *local.Server) {
			c.Security, c.TLS = mail.SecurityStartTLS, s.ClientTLS()
		}},
		{"STARTTLS where offered", local.Options{TLS: true}, func(c *mail.SMTPConfig, s *local.Server) {
			c.Security, c.TLS = mail.SecurityOffered, s.ClientTLS()
		}},
		{"STARTTLS not offered, loopback", local.Options{}, func(c *mail.SMTPConfig, s *local.Server) { c.Security = mail.SecurityOffered }},
		{"one letter a connection", local.Options{}, func(c *mail.SMTPConfig, s *local.Server) { c.PerConn = 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var envelopes []string
			c.opts.Observe = func(d local.Delivery) { envelopes = append(envelopes, d.Envelope+" "+d.From+" "+d.To) }
			s := smtpHost(t, c.opts)
			cfg := smtpConfig(s)
			if c.edit != nil {
				c.edit(&cfg, s)
			}
			out := sender(t, cfg)
			for n := range 5 {
				if err := out.Send(context.Background(), "gm+b."+fmt.Sprint(n)+"@berthier.test", blue, report(n)); err != nil {
					t.Fatal(err)
				}
			}
			if err := out.Send(context.Background(), "", "Blue+tag@PLAYERS.test", report(5)); err != nil {
				t.Fatal(err)
			}
			got := s.Letters(blue)
			if len(got) != 6 {
				t.Fatalf("%d letters", len(got))
			}
			for n, raw := range got {
				if !bytes.HasSuffix(raw, report(n)) {
					t.Errorf("letter %d came as %q", n, raw)
				}
			}
			if !strings.HasPrefix(string(got[5]), "Return-Path: <>\r\nDelivered-To: Blue+tag@players.test\r\n") {
				t.Errorf("trace %q", got[5][:80])
			}
			want := "letter.1@office.test gm+b.1@berthier.test blue@players.test"
			if c.opts.NoDSN {
				want = strings.TrimPrefix(want, "letter.1@office.test")
			}
			if envelopes[1] != want {
				t.Errorf("envelope %q, want %q", envelopes[1], want)
			}
		})
	}
}

func TestSMTPFailures(t *testing.T) {
	for _, c := range []struct {
		name      string
		fault     local.Fault
		to        string
		raw       []byte
		edit      func(*mail.SMTPConfig)
		stage     string
		code      int
		enhanced  string
		temporary bool
		delivered int
	}{
		{name: "unknown recipient", to: "ghost@players.test", stage: "rcpt", code: 550, enhanced: "5.1.1"},
		{name: "greylisting", fault: local.Fault{Code: 451, Text: "4.7.1 come back later"}, stage: "rcpt", code: 451, enhanced: "4.7.1", temporary: true},
		{name: "no enhanced code", fault: local.Fault{Code: 550, Text: "go away"}, stage: "rcpt", code: 550},
		{name: "refused after DATA", fault: local.Fault{At: "data", Code: 554, Text: "5.7.1 spam"}, stage: "data", code: 554, enhanced: "5.7.1"},
		{name: "deferred after DATA", fault: local.Fault{At: "data", Code: 452, Text: "4.2.2 full"}, stage: "data", code: 452, enhanced: "4.2.2", temporary: true},
		{name: "hangs up after DATA", fault: local.Fault{At: "data", Drop: true}, stage: "data", temporary: true},
		{name: "answer lost after delivery", fault: local.Fault{At: "data", Drop: true, Deliver: true}, stage: "data", temporary: true, delivered: 1},
		{name: "hangs up at RCPT", fault: local.Fault{Drop: true}, stage: "rcpt", temporary: true},
		{name: "closing", fault: local.Fault{Code: 421, Text: "4.3.2 shutting down"}, stage: "rcpt", code: 421, enhanced: "4.3.2", temporary: true},
		{name: "too big for the server", raw: bytes.Repeat([]byte("x\r\n"), 20000), stage: "mail", code: 552, enhanced: "5.3.4"},
		{name: "wrong password", edit: func(c *mail.SMTPConfig) { c.Password = "wrong" }, stage: "auth", code: 535, enhanced: "5.7.8", temporary: true},
		{name: "no password", edit: func(c *mail.SMTPConfig) { c.Username = "" }, stage: "mail", code: 530, enhanced: "5.7.0", temporary: true},
		{name: "STARTTLS not offered", edit: func(c *mail.SMTPConfig) { c.Security = mail.SecurityStartTLS }, stage: "starttls", temporary: true},
		{name: "no server", edit: func(c *mail.SMTPConfig) {
			c.Dial = func(context.Context) (net.Conn, error) { return nil, errors.New("no route") }
		}, stage: "connect", temporary: true},
		{name: "address with a line in it", to: "blue@players.test>\r\nRCPT TO:<eve@else.test", stage: "address", code: 553, enhanced: "5.1.3"},
		{name: "two addresses", to: "blue@players.test, eve@else.test", stage: "address", code: 553, enhanced: "5.1.3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := smtpHost(t, local.Options{MaxBytes: 50_000})
			cfg := smtpConfig(s)
			if c.edit != nil {
				c.edit(&cfg)
			}
			if c.fault != (local.Fault{}) {
				c.fault.Times = 1
				s.Fail(blue, c.fault)
			}
			to, raw := blue, report(0)
			if c.to != "" {
				to = c.to
			}
			if c.raw != nil {
				raw = append(report(0), c.raw...)
			}
			out := sender(t, cfg)
			err := out.Send(context.Background(), gm, to, raw)
			var e *mail.SendError
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Stage != c.stage || e.Code != c.code || e.Enhanced != c.enhanced || e.Temporary() != c.temporary {
				t.Errorf("error %q at %s, %d %q, temporary %v", e, e.Stage, e.Code, e.Enhanced, e.Temporary())
			}
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("error of several lines: %q", err)
			}
			if n := len(s.Letters(blue)); n != c.delivered {
				t.Errorf("%d letters delivered", n)
			}
			if c.edit != nil {
				return
			}
			// What went wrong with one letter leaves the next one alone.
			if err := out.Send(context.Background(), gm, blue, report(1)); err != nil {
				t.Errorf("the next letter: %v", err)
			}
			if n := len(s.Letters(blue)); n != c.delivered+1 {
				t.Errorf("%d letters delivered in the end", n)
			}
		})
	}
}

func TestSMTPRefusesPlainToOtherMachines(t *testing.T) {
	c := mail.SMTPConfig{Address: "mail.example.org:25", Security: mail.SecurityNone}
	plain := mail.SMTP{Config: c}
	if err := plain.Send(context.Background(), gm, blue, report(0)); err == nil || !strings.Contains(err.Error(), "in the clear") {
		t.Errorf("error %v", err)
	}
	// A password to a server that offers no TLS, though it might.
	s := smtpHost(t, local.Options{})
	c = smtpConfig(s)
	c.Security = mail.SecurityOffered
	c.Address = "mail.example.org:25"
	if c.Check() != nil {
		t.Error("refused before asking whether it offers TLS")
	}
}

func TestSMTPCancel(t *testing.T) {
	s := smtpHost(t, local.Options{})
	s.Fail(blue, local.Fault{At: "data", Stall: true})
	ctx, cancel := context.WithCancel(context.Background())
	out := sender(t, smtpConfig(s))
	done := make(chan error, 1)
	go func() { done <- out.Send(ctx, gm, blue, report(0)) }()
	eventually(t, "stalled", func() bool { return s.Stalled() == 1 })
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("still sending")
	}
	s.Heal(blue)
}

// Whoever stops while a letter's text is on its way waits for the server's word, for a moment: what it has taken, and nobody
// knows of, would go out twice.
func TestSMTPLastWord(t *testing.T) {
	for _, c := range []struct {
		name   string
		says   time.Duration // after the stop
		sent   bool
		within time.Duration
	}{
		{"in time", time.Second, true, time.Second},
		{"too late", 10 * time.Second, false, 1500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := smtpHost(t, local.Options{InMemory: true})
				s.Fail(blue, local.Fault{At: "data", Stall: true})
				ctx, cancel := context.WithCancel(t.Context())
				out := &mail.SMTP{Config: smtpConfig(s)}
				done := make(chan error, 1)
				go func() { done <- out.Send(ctx, gm, blue, report(0)) }()
				synctest.Wait()
				cancel()
				began := time.Now()
				time.AfterFunc(c.says, func() { s.Heal(blue) })
				if err := <-done; (err == nil) != c.sent || err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
				if took := time.Since(began); took != c.within {
					t.Errorf("ended after %v", took)
				}
				time.Sleep(c.says)
				out.Close()
				s.Close()
			})
		})
	}
}

// In fake time: a server that never answers, and connections that lie idle.
func TestSMTPTime(t *testing.T) {
	t.Run("stall", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := smtpHost(t, local.Options{InMemory: true})
			s.Fail(blue, local.Fault{Stall: true})
			cfg := smtpConfig(s)
			cfg.Timeout = 45 * time.Second
			out := &mail.SMTP{Config: cfg}
			began := time.Now()
			err := out.Send(context.Background(), gm, blue, report(0))
			var e *mail.SendError
			if !errors.As(err, &e) || !e.Temporary() || e.Stage != "rcpt" {
				t.Errorf("error %v", err)
			}
			if d := time.Since(began); d != 45*time.Second {
				t.Errorf("gave up after %v", d)
			}
			s.Close()
		})
	})
	t.Run("idle connections", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := smtpHost(t, local.Options{InMemory: true})
			cfg := smtpConfig(s)
			dials := 0
			var last net.Conn
			cfg.Dial = func(ctx context.Context) (net.Conn, error) {
				dials++
				c, err := s.DialSMTP(ctx)
				last = c
				return c, err
			}
			cfg.Idle = 20 * time.Second
			out := &mail.SMTP{Config: cfg}
			send := func(n int) {
				t.Helper()
				if err := out.Send(context.Background(), gm, blue, report(n)); err != nil {
					t.Fatal(err)
				}
			}
			send(0)
			time.Sleep(19 * time.Second)
			send(1)
			if dials != 1 {
				t.Errorf("%d connections for two letters in a row", dials)
			}
			time.Sleep(21 * time.Second)
			send(2)
			if dials != 2 {
				t.Errorf("%d connections: an idle one was kept", dials)
			}
			// The server, too, may have closed it.
			_ = last.Close()
			send(3)
			if n := len(s.Letters(blue)); n != 4 {
				t.Errorf("%d letters", n)
			}
			_ = out.Close()
			s.Close()
		})
	})
}

func TestSMTPInParallel(t *testing.T) {
	s := smtpHost(t, local.Options{})
	cfg := smtpConfig(s)
	var open, most atomic.Int32
	cfg.Connections = 3
	cfg.Dial = func(ctx context.Context) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.SMTPAddr())
		if err != nil {
			return nil, err
		}
		if n := open.Add(1); n > most.Load() {
			most.Store(n)
		}
		return &countedConn{Conn: c, open: &open}, nil
	}
	out := sender(t, cfg)
	var wg sync.WaitGroup
	for n := range 60 {
		wg.Go(func() {
			if err := out.Send(context.Background(), gm, blue, report(n)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(s.Letters(blue)); n != 60 {
		t.Errorf("%d letters", n)
	}
	if most.Load() > 3 {
		t.Errorf("%d connections at once", most.Load())
	}
}

type countedConn struct {
	net.Conn
	open *atomic.Int32
	once sync.Once
}

func (c *countedConn) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Conn.Close()
}

// A letter goes out, comes back, and the bounce is understood.
func TestBounceComesBack(t *testing.T) {
	s := smtpHost(t, local.Options{})
	s.Fail(blue, local.Fault{At: "data", Bounce: true, Code: 550, Text: "5.1.1 no such player"})
	out := sender(t, smtpConfig(s))
	if err := out.Send(context.Background(), "gm+b.7@berthier.test", blue, report(7)); err != nil {
		t.Fatal(err)
	}
	got := make(chan *mail.Letter, 1)
	run(t, imapConfig(s), func(_ context.Context, in mail.Incoming) (mail.Folder, error) {
		l, err := mail.Read(in.Raw, mail.Own{Addresses: []string{gm}})
		if err != nil {
			t.Error(err)
		}
		got <- l
		return mail.Processed, nil
	})
	l := <-got
	want := mail.Bounce{Null: true, MessageID: "letter.7@office.test", Envelope: "letter.7@office.test", Recipient: blue, Status: "5.1.1",
		Diagnostic: "550 5.1.1 no such player", Permanent: true}
	if l.Bounce == nil || *l.Bounce != want || l.Automatic != mail.AutoBounce {
		t.Errorf("bounce %+v, automatic %q", l.Bounce, l.Automatic)
	}
	if len(l.Delivered) != 1 || l.Delivered[0].Addr != "gm+b.7@berthier.test" {
		t.Errorf("delivered to %v", l.Delivered)
	}
}

// BenchmarkSMTP sends letters as long as a confirmation and as a report with its map, over TLS. The
// server's work counts as well.
func BenchmarkSMTP(b *testing.B) {
	for _, lines := range []int{80, 1100} {
		b.Run(fmt.Sprintf("%d lines", lines), func(b *testing.B) {
			s := smtpHost(b, local.Options{TLS: true})
			c := smtpConfig(s)
			c.Security, c.TLS = mail.SecurityStartTLS, s.ClientTLS()
			out := sender(b, c)
			raw := append(report(0), bytes.Repeat([]byte(strings.Repeat("x", 76)+"\r\n"), lines)...)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := out.Send(context.Background(), gm, blue, raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A letter is submitted, delivered, noticed and taken: one way, end to end.
func BenchmarkLetterRound(b *testing.B) {
	s := smtpHost(b, local.Options{})
	out := sender(b, smtpConfig(s))
	k := newTaker()
	run(b, imapConfig(s), k.take)
	raw := report(0)
	n := 0
	for b.Loop() {
		if err := out.Send(context.Background(), gm, gm, raw); err != nil {
			b.Fatal(err)
		}
		n++
		k.wait(b, n)
	}
}
