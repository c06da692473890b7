package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
)

// A Folder says where a letter belongs once it was taken.
type Folder string

const (
	// Processed is for letters that were taken in.
	Processed Folder = "processed"
	// Rejected is for letters that could not be understood.
	Rejected Folder = "rejected"
	// Leave leaves a letter where it is; it is offered again only to the next
	// run.
	Leave Folder = "leave"
)

// An Incoming is a letter as it lies in the mailbox.
type Incoming struct {
	UIDValidity, UID uint32    // which letter, for the log; may change any time
	Size             int64     // bytes
	Received         time.Time // when the server got it
	Raw              []byte    // nil if it is longer than MaxSize
	Header           []byte    // of a letter that is longer: its header, up to 64 KiB
}

// IMAPConfig says how to reach a mailbox, and how to watch it.
type IMAPConfig struct {
	Address    string // host:port
	Security   Security
	AllowPlain bool // allow SecurityNone to another machine
	TLS        *tls.Config
	Username   string
	Password   string
	Dial       Dialer // nil: TCP to Address

	Inbox     string        // folder to read; empty means INBOX
	Processed string        // folder for what was taken in; empty means Processed
	Rejected  string        // folder for what was not understood; empty means Rejected
	MaxSize   int64         // letters longer than this are not fetched; 0 means MaxLetter
	Poll      time.Duration // at least this often the mailbox is looked through; 0 means 1 minute
	NoIdle    bool          // don't use IDLE, for servers where it does not work
	Timeout   time.Duration // for one answer of the server; 0 means 30 seconds
	RetryMin  time.Duration // before the first new attempt after trouble; 0 means 1 second
	RetryMax  time.Duration // and at most; 0 means 5 minutes
	Parallel  int           // letters taken at the same time, those of one sender in their order; 0 means 1, all in their order

	// Holder tells this reader from all others: another one is kept out while this
	// one runs. It is one word of ASCII letters and digits, the same after a restart.
	// Empty: nobody is kept out, and nobody asked.
	Holder     string
	HolderName string // for people; empty means "another office"
	Claims     string // folder for the claims; empty means Berthier
	// Database is the number of the database that the letters are taken into. A
	// mailbox that another one has worked on is not read, until [Mailbox.TakeOver].
	// Empty: nobody asks. It needs a Holder.
	Database string

	Log      *slog.Logger // nil: no log
	OnHealth func(Health) // called whenever Health changes, from the mailbox's goroutine; must not block
}

// Health is how a mailbox is doing.
type Health struct {
	Connected   bool      // logged in, inbox open
	LastContact time.Time // when the server last answered; while waiting with IDLE it is silent for minutes
	LastError   error     // what ended the last connection, or failed on it; nil once all is well again
	Failures    int       // connections that failed since one last worked
	Waiting     int       // letters that could not be taken, and will be offered again
}

// A Mailbox watches one mailbox. Its zero state is usable once Config is set.
type Mailbox struct {
	Config IMAPConfig

	mu     sync.Mutex
	health Health
	onRead func(ctx context.Context, began time.Time)

	// What is known of letters that are still in the inbox, by UID. It belongs
	// to the goroutine of Run and to one UIDVALIDITY; a new connection checks it.
	uidValidity uint32
	known       map[imap.UID]*knownLetter
	claimedAt   time.Time // when the claim was renewed last, by our clock
}

// A knownLetter is one that was offered and is still there.
type knownLetter struct {
	taken  bool
	folder Folder    // where it belongs, if taken
	next   time.Time // when to try again: to move it, or to offer it
	tries  int
	failed bool      // it could not be fetched, or whoever takes letters could not take it
	faults int       // how often, for a reason that may lie in the letter
	away   time.Time // since when, for a reason that lies with whoever takes it; zero: it does not

	// By these the next connection knows that it is the same letter.
	size     int64
	received time.Time
}

func (m *Mailbox) defaults() IMAPConfig {
	c := m.Config
	str := func(s *string, d string) {
		if *s == "" {
			*s = d
		}
	}
	dur := func(v *time.Duration, d time.Duration) {
		if *v <= 0 {
			*v = d
		}
	}
	str(&c.Inbox, "INBOX")
	str(&c.Processed, "Processed")
	str(&c.Rejected, "Rejected")
	str(&c.Claims, "Berthier")
	dur(&c.Poll, time.Minute)
	dur(&c.Timeout, 30*time.Second)
	dur(&c.RetryMin, time.Second)
	dur(&c.RetryMax, 5*time.Minute)
	if c.MaxSize <= 0 {
		c.MaxSize = MaxLetter
	}
	if c.Parallel <= 0 {
		c.Parallel = 1
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c IMAPConfig) endpoint() endpoint {
	return endpoint{c.Address, c.Security, c.AllowPlain, c.TLS, c.Dial, c.Timeout}
}

// Check finds faults in the configuration without using the network.
func (c IMAPConfig) Check() error {
	if err := c.endpoint().check(); err != nil {
		return fmt.Errorf("imap: %w", err)
	}
	if c.Processed != "" && (c.Processed == c.Rejected || strings.EqualFold(c.Processed, c.Inbox)) || c.Rejected != "" && strings.EqualFold(c.Rejected, c.Inbox) {
		return errors.New("imap: inbox, processed and rejected must be three folders")
	}
	return nil
}

// Health tells how the mailbox is doing. It may be called at any time.
func (m *Mailbox) Health() Health {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.health
}

func (m *Mailbox) setHealth(cfg IMAPConfig, change func(*Health)) {
	m.mu.Lock()
	change(&m.health)
	h := m.health
	m.mu.Unlock()
	if cfg.OnHealth != nil {
		cfg.OnHealth(h)
	}
}

// OnRead names a function that is called whenever the inbox was looked through
// to its end: every letter that lay in it when the look began was offered, and taken or put off for
// good reason. A letter that could not be fetched or taken counts as unread for its first
// few tries; if the reason is [NotReady], for hours. The function is called in the goroutine of Run, which waits for it;
// it must be named before Run.
func (m *Mailbox) OnRead(f func(ctx context.Context, began time.Time)) { m.onRead = f }

// fewTries is for how many tries a letter that can't be taken counts as unread, longAway for how long, if the reason lies with
// whoever takes it, and soonAgain after how long at most it is then offered again.
const (
	fewTries  = 5
	longAway  = 2 * time.Hour
	soonAgain = 20 * time.Second
)

// NotReady is the error of whoever takes letters, as it is returned for one that could not be taken for a reason that does not lie
// in the letter, such as a database that is away: it was not read, however often it was offered, unless that lasts for hours.
type NotReady struct{ Err error }

// Error implements error.
func (e *NotReady) Error() string { return e.Err.Error() }

// Unwrap gives the reason.
func (e *NotReady) Unwrap() error { return e.Err }

// unread tells whether a letter counts as one that has not been read yet.
func (k *knownLetter) unread(now time.Time) bool {
	switch {
	case k.taken || !k.failed:
		return false
	case !k.away.IsZero():
		return now.Sub(k.away) < longAway
	}
	return k.faults < fewTries
}

func (m *Mailbox) contact() {
	m.mu.Lock()
	m.health.LastContact = time.Now()
	m.mu.Unlock()
}

// Run watches the mailbox until ctx ends, and then returns ctx's error. Any
// other error means that the configuration can't work, or, as an [*InUseError],
// that another reader has the mailbox; trouble with the server or the network is
// reported by [Mailbox.Health] and overcome. A [*WrongDatabaseError] says that the
// mailbox belongs to another database.
//
// Every letter in the inbox is given to take, in the order of arrival, and
// moved into the folder that take names. A letter may be given again if the
// connection breaks before it is moved. If take returns an error the letter
// stays, and is given again later; others are not held up by it.
func (m *Mailbox) Run(ctx context.Context, take func(context.Context, Incoming) (Folder, error)) error {
	cfg := m.defaults()
	if err := cfg.Check(); err != nil {
		return err
	}
	m.known = nil
	if cfg.Holder != "" {
		defer func() { // so that another one may read it at once
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			if err := m.unclaim(ctx, cfg); err != nil {
				cfg.Log.Warn("claim on the mailbox not taken away", "error", err)
			}
		}()
	}
	wait := cfg.RetryMin
	for {
		began := time.Now()
		worked, err := m.session(ctx, cfg, take)
		if ctx.Err() != nil {
			m.setHealth(cfg, func(h *Health) { h.Connected = false })
			return ctx.Err()
		}
		var taken *InUseError
		var wrong *WrongDatabaseError
		if errors.As(err, &taken) || errors.As(err, &wrong) {
			m.setHealth(cfg, func(h *Health) { h.Connected, h.LastError = false, err })
			return err
		}
		// A server that lets us in and throws us out at once is not well.
		if worked && time.Since(began) > wait {
			wait = cfg.RetryMin
		}
		// Half of the time is left to chance, so that a hundred offices don't
		// come back to a restarted server at once.
		pause := wait/2 + rand.N(wait/2+1)
		m.setHealth(cfg, func(h *Health) {
			h.Connected = false
			h.LastError = err
			h.Failures++
		})
		cfg.Log.Warn("mailbox connection lost", "error", err, "retry_in", pause)
		wait = min(2*wait, cfg.RetryMax)
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}
