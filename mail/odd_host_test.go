package mail_test

import (
	"bytes"
	"context"
	"io"
	"log"
	"net"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"

	"berthier/mail"
)

// An oddHost is an IMAP server that does what servers may do and package local's doesn't.
type oddHost struct {
	late     bool // SEARCH finds what the session knew before it, as with Dovecot, which looks for more at a command's end
	deafNOOP bool // and NOOP doesn't look for more

	mu      sync.Mutex
	user    *imapmemserver.User
	silent  map[imap.UID]int // so many times a letter's text is not given out
	conns   []net.Conn
	address string
}

func startOdd(t testing.TB, h *oddHost) *oddHost {
	t.Helper()
	h.restore(t)
	srv := imapserver.New(&imapserver.Options{
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}},
		InsecureAuth: true,
		Logger:       log.New(io.Discard, "", 0),
		NewSession: func(c *imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.conns = append(h.conns, c.NetConn())
			return &oddSession{UserSession: imapmemserver.NewUserSession(h.user), host: h}, &imapserver.GreetingData{PreAuth: true}, nil
		},
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.address = l.Addr().String()
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return h
}

// config looks often, without IDLE: a look is never brought on by what the server says.
func (h *oddHost) config() mail.IMAPConfig {
	return mail.IMAPConfig{
		Address: h.address, Security: mail.SecurityNone, Username: gm, Password: "secret", NoIdle: true,
		Poll: 5 * time.Millisecond, RetryMin: time.Millisecond, RetryMax: 20 * time.Millisecond,
	}
}

// restore puts the host back to its beginning: its inbox is empty, counts from 1 again and has the same UIDVALIDITY.
func (h *oddHost) restore(t testing.TB) {
	t.Helper()
	u := imapmemserver.NewUser(gm, "secret")
	if err := u.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	h.user = u
	h.mu.Unlock()
}

// disconnect ends all connections.
func (h *oddHost) disconnect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.conns {
		_ = c.Close()
	}
	h.conns = nil
}

// deliver puts a letter into the inbox, received at a moment.
func (h *oddHost) deliver(t testing.TB, n int, at time.Time) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	raw := letter(n)
	if _, err := h.user.Append("INBOX", sized{bytes.NewReader(raw)}, &imap.AppendOptions{Time: at}); err != nil {
		t.Error(err)
	}
}

type sized struct{ *bytes.Reader }

func (s sized) Size() int64 { return s.Reader.Size() }

func (h *oddHost) last() imap.UID {
	h.mu.Lock()
	defer h.mu.Unlock()
	st, err := h.user.Status("INBOX", &imap.StatusOptions{UIDNext: true})
	if err != nil {
		return 0
	}
	return st.UIDNext - 1
}

type oddSession struct {
	*imapmemserver.UserSession
	host     *oddHost
	seen     imap.UID // the last letter that this session knows of
	searched bool     // the command that ends is a SEARCH
}

// Select implements [imapserver.Session].
func (c *oddSession) Select(folder string, o *imap.SelectOptions) (*imap.SelectData, error) {
	c.seen = c.host.last()
	return c.UserSession.Select(folder, o)
}

// Poll implements [imapserver.Session]. The library calls it at the end of each command.
func (c *oddSession) Poll(w *imapserver.UpdateWriter, allowExpunge bool) error {
	searched := c.searched
	c.searched = false
	if c.host.deafNOOP && !searched {
		return nil
	}
	c.seen = c.host.last()
	return c.UserSession.Poll(w, allowExpunge)
}

// Search implements [imapserver.Session].
func (c *oddSession) Search(kind imapserver.NumKind, criteria *imap.SearchCriteria, o *imap.SearchOptions) (*imap.SearchData, error) {
	c.searched = true
	if c.host.late {
		if c.seen == 0 {
			return &imap.SearchData{All: imap.UIDSet{}}, nil
		}
		criteria.UID = append(criteria.UID, imap.UIDSet{{Start: 1, Stop: c.seen}})
	}
	return c.UserSession.Search(kind, criteria, o)
}

// Fetch implements [imapserver.Session].
func (c *oddSession) Fetch(w *imapserver.FetchWriter, set imap.NumSet, o *imap.FetchOptions) error {
	uids, ok := set.(imap.UIDSet)
	if !ok || len(o.BodySection) == 0 {
		return c.UserSession.Fetch(w, set, o)
	}
	nums, _ := uids.Nums()
	var given imap.UIDSet
	c.host.mu.Lock()
	for _, uid := range nums {
		if c.host.silent[uid] > 0 {
			c.host.silent[uid]--
		} else {
			given.AddNum(uid)
		}
	}
	c.host.mu.Unlock()
	if len(given) == 0 {
		return nil
	}
	return c.UserSession.Fetch(w, given, o)
}

// A muffledConn leaves out how many letters there are, from whatever the server says. It hears it whole: this
// server writes line by line.
type muffledConn struct{ net.Conn }

var existsLine = regexp.MustCompile(`(?m)^\* \d+ EXISTS\r\n`)

// Read implements [io.Reader].
func (c *muffledConn) Read(b []byte) (n int, err error) {
	for n == 0 && err == nil {
		n, err = c.Conn.Read(b)
		n = copy(b, existsLine.ReplaceAll(b[:n], nil))
	}
	return n, err
}

// A letter that lay in the inbox before a look began was offered before that look is told,
// whatever the server's SEARCH knows by itself.
func TestMailboxLateSearch(t *testing.T) {
	for name, c := range map[string]struct {
		deafNOOP, deaf bool
	}{
		"NOOP looks for more":                       {},
		"NOOP looks for more, and nobody is told":   {deaf: true},
		"only SEARCH looks for more, when it ended": {deafNOOP: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := startOdd(t, &oddHost{late: true, deafNOOP: c.deafNOOP})
			cfg := h.config()
			if c.deaf {
				cfg.Dial = func(ctx context.Context) (net.Conn, error) {
					conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", h.address)
					return &muffledConn{conn}, err
				}
			}
			k := newTaker()
			var mu sync.Mutex
			var came []time.Time
			told := make(chan struct{}, 1)
			m := &mail.Mailbox{Config: cfg}
			m.OnRead(func(_ context.Context, began time.Time) {
				offered := len(k.subjects())
				mu.Lock()
				defer mu.Unlock()
				for n, at := range came {
					if n >= offered && !began.Before(at) {
						t.Errorf("read up to %v after letter %d came, which was not offered", began.Sub(at), n)
					}
				}
				select {
				case told <- struct{}{}:
				default:
				}
			})
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- m.Run(ctx, k.take) }()
			for n := range 10 {
				<-told
				h.deliver(t, n, time.Now())
				mu.Lock()
				came = append(came, time.Now())
				mu.Unlock()
				k.wait(t, n+1)
			}
			<-told
			cancel()
			<-done
		})
	}
}

// Letters that never stop coming keep nobody from reading the inbox to its end: it is read
// up to when the look before began.
func TestMailboxNeverQuiet(t *testing.T) {
	h := startOdd(t, &oddHost{})
	const enough = 300
	k := newTaker()
	var mu sync.Mutex
	var told []time.Time
	var times []int
	m := &mail.Mailbox{Config: h.config()}
	m.OnRead(func(_ context.Context, began time.Time) {
		mu.Lock()
		defer mu.Unlock()
		told, times = append(told, began), append(times, len(k.subjects()))
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	h.deliver(t, 0, time.Now())
	go func() {
		done <- m.Run(ctx, func(ctx context.Context, in mail.Incoming) (mail.Folder, error) {
			if n := len(k.subjects()); n < enough {
				h.deliver(t, n+1, time.Now())
			}
			return k.take(ctx, in)
		})
	}()
	k.wait(t, enough)
	cancel()
	<-done
	if len(told) < 10 || times[0] > 10 {
		t.Errorf("the inbox was read to its end %d times while %d letters came, after %v of them", len(told), enough, times)
	}
	for i := 1; i < len(told); i++ {
		if !told[i].After(told[i-1]) {
			t.Errorf("read up to %v earlier than before", told[i-1].Sub(told[i]))
		}
	}
}

// A letter whose text the server does not give out counts as unread for as long as any
// that can't be taken, and no longer.
func TestMailboxNotGivenOut(t *testing.T) {
	for name, c := range map[string]struct{ silent, left, offered int }{
		"given out at the third try": {silent: 2, offered: 1},
		"never given out":            {silent: 1 << 20, left: 1<<20 - 5},
	} {
		t.Run(name, func(t *testing.T) {
			h := startOdd(t, &oddHost{silent: map[imap.UID]int{2: c.silent}})
			for n := range 3 {
				h.deliver(t, n, time.Now())
			}
			k := newTaker()
			m := &mail.Mailbox{Config: h.config()}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var once sync.Once
			read := make(chan struct{})
			m.OnRead(func(context.Context, time.Time) {
				once.Do(func() {
					h.mu.Lock()
					defer h.mu.Unlock()
					if left, offered := h.silent[2], k.count["letter 1"]; left != c.left || offered != c.offered || k.count["letter 2"] != 1 {
						t.Errorf("told as read after %d tries and %d offers, want %d and %d", c.silent-left, offered, c.silent-c.left, c.offered)
					}
					if waiting := m.Health().Waiting; waiting != 1-c.offered {
						t.Errorf("%d letters wait", waiting)
					}
					close(read)
				})
			})
			done := make(chan error, 1)
			go func() { done <- m.Run(ctx, k.take) }()
			select {
			case <-read:
			case <-time.After(20 * time.Second):
				t.Error("never told as read")
			}
			cancel()
			<-done
		})
	}
}

// After a server was put back from a snapshot, another letter has the number of one that was taken. It is offered,
// and no letter that is the same still.
func TestMailboxPutBack(t *testing.T) {
	for _, folder := range []mail.Folder{mail.Processed, mail.Leave} {
		t.Run(string(folder), func(t *testing.T) {
			h := startOdd(t, &oddHost{})
			cfg := h.config()
			cfg.Poll = time.Hour // what was moved is not looked for again
			k := newTaker()
			k.limit = 5 * time.Second
			k.judge = func(int, string) (mail.Folder, error) { return folder, nil }
			at := time.Now().Add(-time.Hour)
			m := &mail.Mailbox{Config: cfg}
			var mu sync.Mutex
			var read []int // letters taken, each time
			m.OnRead(func(context.Context, time.Time) {
				mu.Lock()
				defer mu.Unlock()
				read = append(read, len(k.subjects()))
			})
			looks := func() int {
				mu.Lock()
				defer mu.Unlock()
				return len(read)
			}
			for n := range 3 {
				h.deliver(t, n, at)
			}
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- m.Run(ctx, k.take) }()
			k.wait(t, 3)
			eventually(t, "first look told", func() bool { return looks() == 1 })

			h.restore(t)
			h.deliver(t, 0, at) // as it lay there when the snapshot was made
			h.deliver(t, 3, at.Add(time.Minute))
			h.deliver(t, 10, at) // in the same second as the one before it of this number, and longer
			h.disconnect()
			eventually(t, "second look told", func() bool { return looks() > 1 })
			cancel()
			<-done
			if got := k.subjects(); !slices.Equal(got[3:], []string{"letter 3", "letter 10"}) {
				t.Errorf("offered after that %q", got[3:])
			}
			if read[1] != 5 {
				t.Errorf("told as read when %d letters were taken", read[1])
			}
		})
	}
}
