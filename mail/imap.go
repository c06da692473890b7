package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
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
	onRead func(context.Context)

	// What is known of letters that are still in the inbox, by UID. It belongs
	// to the goroutine of Run and to one UIDVALIDITY.
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
	failed bool // whoever takes letters could not take it
}

const (
	idleLimit  = 4 * time.Minute // a home router forgets silent connections after 5
	firstBatch = 25              // the first after the connection; then twice as many each time: a reader that dies again and again gets on
	batchSize  = 200
	batchBytes = 8 << 20 // of one batch; two are in memory: one is taken, the next fetched
)

var errDeadPeer = errors.New("server does not end IDLE")

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
// to its end: every letter that lay in it was offered, and taken or put off for
// good reason. A letter that could not be taken counts as unread for its first
// few tries. The function is called in the goroutine of Run, which waits for it;
// it must be named before Run.
func (m *Mailbox) OnRead(f func(context.Context)) { m.onRead = f }

// fewTries is for how many tries a letter that can't be taken counts as unread.
const fewTries = 5

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

// An imapSession is one connection to the server.
type imapSession struct {
	m      *Mailbox
	cfg    IMAPConfig
	conn   net.Conn
	client *imapclient.Client
	caps   imap.CapSet
	wake   chan struct{}
	much   int               // letters in the last batch at most
	names  map[Folder]string // folders as this server calls them
	take   func(context.Context, Incoming) (Folder, error)
}

// session connects and serves until something breaks. worked says that the
// inbox was opened.
func (m *Mailbox) session(ctx context.Context, cfg IMAPConfig, take func(context.Context, Incoming) (Folder, error)) (worked bool, err error) {
	if cfg.Holder != "" {
		if err := m.claim(ctx, cfg); err != nil {
			return false, err
		}
	}
	if cfg.Security == SecurityOffered {
		offered, err := offersTLS(ctx, cfg)
		if err != nil {
			return false, fmt.Errorf("connect to mailbox: %w", err)
		}
		cfg.Security = SecurityNone
		if offered {
			cfg.Security = SecurityStartTLS
		} else if !cfg.endpoint().plainAllowed() {
			return false, errors.New("log in to mailbox: the server offers no STARTTLS, and the password would go out in the clear")
		}
	}
	conn, err := cfg.endpoint().open(ctx)
	if err != nil {
		return false, fmt.Errorf("connect to mailbox: %w", err)
	}
	// The library knows no context: closing the connection ends whatever it
	// waits for.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	defer conn.Close()

	s := &imapSession{m: m, cfg: cfg, conn: conn, wake: make(chan struct{}, 1), take: take}
	if err := s.login(ctx); err != nil {
		return false, fmt.Errorf("log in to mailbox: %w", err)
	}
	if err := s.openInbox(ctx); err != nil {
		return false, fmt.Errorf("open inbox: %w", err)
	}
	m.setHealth(cfg, func(h *Health) {
		h.Connected, h.LastError, h.Failures = true, nil, 0
	})
	cfg.Log.Info("mailbox open", "uidvalidity", m.uidValidity)
	return true, s.serve(ctx)
}

// offersTLS asks the server, on a connection of its own: the library can only
// begin with STARTTLS, not go over to it.
func offersTLS(ctx context.Context, cfg IMAPConfig) (offered bool, err error) {
	conn, err := cfg.endpoint().open(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	err = within(ctx, cfg.Timeout, conn, func() error {
		c := imapclient.New(conn, nil)
		if err := c.WaitGreeting(); err != nil {
			return err
		}
		offered = c.Caps().Has(imap.CapStartTLS)
		return nil
	})
	return offered, err
}

// do runs commands, with the time limit for an answer.
func (s *imapSession) do(ctx context.Context, f func() error) error {
	err := within(ctx, s.cfg.Timeout, s.conn, f)
	if err == nil {
		s.m.contact()
	}
	return err
}

func (s *imapSession) login(ctx context.Context) error {
	opts := &imapclient.Options{
		TLSConfig: s.cfg.endpoint().tlsConfig(),
		// The handler runs in the goroutine that reads from the server. It
		// must not do anything but this.
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(d *imapclient.UnilateralDataMailbox) {
			if d.NumMessages != nil {
				s.poke()
			}
		}},
	}
	return s.do(ctx, func() error {
		if s.cfg.Security == SecurityStartTLS {
			c, err := imapclient.NewStartTLS(s.conn, opts)
			if err != nil {
				return err
			}
			s.client = c
		} else {
			s.client = imapclient.New(s.conn, opts)
		}
		c := s.client
		if err := c.WaitGreeting(); err != nil {
			return err
		}
		if c.State() == imap.ConnStateNotAuthenticated {
			caps := c.Caps()
			plain := caps.Has(imap.AuthCap(sasl.Plain))
			ascii := !strings.ContainsFunc(s.cfg.Username+s.cfg.Password, func(r rune) bool { return r >= 0x7f || r < ' ' })
			switch {
			case plain && (caps.Has(imap.CapLoginDisabled) || !ascii):
				if err := c.Authenticate(sasl.NewPlainClient("", s.cfg.Username, s.cfg.Password)); err != nil {
					return err
				}
			case caps.Has(imap.CapLoginDisabled):
				return errors.New("the server takes no password on this connection; it may want TLS")
			default:
				if err := c.Login(s.cfg.Username, s.cfg.Password).Wait(); err != nil {
					return err
				}
			}
		}
		if s.caps = c.Caps(); s.caps == nil {
			return errors.New("the server does not say what it can do")
		}
		return nil
	})
}

func (s *imapSession) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// prefix is what this server puts before the names of one's own folders.
func (s *imapSession) prefix(ctx context.Context) (prefix string, err error) {
	if !s.caps.Has(imap.CapNamespace) {
		return "", nil
	}
	err = s.do(ctx, func() error {
		ns, err := s.client.Namespace().Wait()
		if err == nil && len(ns.Personal) > 0 {
			prefix = ns.Personal[0].Prefix
		}
		return ignoreNo(err)
	})
	return prefix, err
}

// renew renews the claim on the mailbox when it is time to.
func (s *imapSession) renew(ctx context.Context) error {
	if s.cfg.Holder == "" || time.Since(s.m.claimedAt) < claimRenew {
		return nil
	}
	err := s.m.claim(ctx, s.cfg)
	var taken *InUseError
	var wrong *WrongDatabaseError
	if err == nil || errors.As(err, &taken) || errors.As(err, &wrong) || time.Since(s.m.claimedAt) > claimLife/2 {
		return err
	}
	s.cfg.Log.Warn("claim on the mailbox not renewed", "error", err)
	return nil
}

// openInbox makes the folders that are missing and selects the inbox.
func (s *imapSession) openInbox(ctx context.Context) error {
	prefix, err := s.prefix(ctx)
	if err != nil {
		return err
	}
	s.names = map[Folder]string{}
	for f, name := range map[Folder]string{Processed: s.cfg.Processed, Rejected: s.cfg.Rejected} {
		if prefix != "" && !strings.HasPrefix(name, prefix) {
			name = prefix + name
		}
		s.names[f] = name
		if err := s.do(ctx, func() error { return s.ensure(name) }); err != nil {
			return fmt.Errorf("make folder %q: %w", name, err)
		}
	}
	return s.do(ctx, func() error {
		data, err := s.client.Select(s.cfg.Inbox, nil).Wait()
		if err != nil {
			return err
		}
		if m := s.m; m.known == nil || m.uidValidity != data.UIDValidity {
			if m.known != nil {
				s.cfg.Log.Warn("mailbox was renumbered, reading it anew", "was", m.uidValidity, "uidvalidity", data.UIDValidity)
			}
			m.known = map[imap.UID]*knownLetter{}
			m.uidValidity = data.UIDValidity
		}
		return nil
	})
}

// ensure makes a folder unless it is there.
func (s *imapSession) ensure(name string) error {
	list, err := s.client.List("", name, nil).Collect()
	if err != nil {
		return err
	}
	for _, d := range list {
		if d.Mailbox == name && !slices.Contains(d.Attrs, imap.MailboxAttrNonExistent) {
			return nil
		}
	}
	err = s.client.Create(name, nil).Wait()
	var no *imap.Error
	if errors.As(err, &no) && no.Code == imap.ResponseCodeAlreadyExists {
		err = nil
	}
	if err != nil {
		return err
	}
	return ignoreNo(s.client.Subscribe(name).Wait())
}

// ignoreNo drops a refusal of something that is not needed.
func ignoreNo(err error) error {
	var no *imap.Error
	if errors.As(err, &no) {
		return nil
	}
	return err
}

// serve looks through the inbox and waits for more, until something breaks.
func (s *imapSession) serve(ctx context.Context) error {
	for {
		if err := s.renew(ctx); err != nil {
			return err
		}
		due, err := s.drain(ctx)
		if err != nil {
			return err
		}
		select {
		case <-s.wake: // arrived meanwhile
			continue
		default:
		}
		wait := s.cfg.Poll
		if !due.IsZero() {
			wait = min(wait, max(time.Until(due), 10*time.Millisecond))
		}
		if err := s.wait(ctx, wait); err != nil {
			return err
		}
	}
}

// wait returns when a letter has come or the time is up.
func (s *imapSession) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(min(d, idleLimit))
	defer timer.Stop()
	if s.cfg.NoIdle || !s.caps.Has(imap.CapIdle) {
		select {
		case <-timer.C:
		case <-s.wake:
		case <-s.client.Closed():
			return io.ErrUnexpectedEOF
		case <-ctx.Done():
			return ctx.Err()
		}
		return nil
	}
	var idle *imapclient.IdleCommand
	err := s.do(ctx, func() (err error) {
		idle, err = s.client.Idle()
		return err
	})
	if err != nil {
		return fmt.Errorf("begin IDLE: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- idle.Wait() }()
	select {
	case <-timer.C:
	case <-s.wake:
		s.poke() // for serve to see
	case err := <-done:
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		_ = idle.Close()
		return fmt.Errorf("in IDLE: %w", err)
	case <-ctx.Done():
		return ctx.Err()
	}
	// A peer that has vanished without a word never ends IDLE, and the library
	// would wait for ever.
	limit := time.NewTimer(s.cfg.Timeout)
	defer limit.Stop()
	closed := make(chan error, 1)
	go func() { closed <- idle.Close() }()
	for closed != nil || done != nil {
		select {
		case err := <-closed:
			if err != nil {
				return fmt.Errorf("end IDLE: %w", err)
			}
			closed = nil
		case err := <-done:
			if err != nil {
				return fmt.Errorf("end IDLE: %w", err)
			}
			done = nil
		case <-limit.C:
			_ = s.conn.Close()
			return errDeadPeer
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.m.contact()
	return nil
}

// drain offers every letter in the inbox that is due. It returns when the next
// one will be; zero if none is waiting.
func (s *imapSession) drain(ctx context.Context) (due time.Time, err error) {
	var uids []imap.UID
	err = s.do(ctx, func() error {
		data, err := s.client.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}, nil).Wait()
		if err != nil {
			return err
		}
		uids = data.AllUIDs()
		return nil
	})
	if err != nil {
		return due, fmt.Errorf("search inbox: %w", err)
	}
	slices.Sort(uids)
	known := s.m.known
	present := make(map[imap.UID]bool, len(uids))
	now := time.Now()
	var fresh []imap.UID
	moves := map[Folder][]imap.UID{}
	for _, uid := range uids {
		present[uid] = true
		k := known[uid]
		switch {
		case k == nil:
			fresh = append(fresh, uid)
		case k.taken && k.folder == Leave:
		case k.next.After(now):
		case k.taken:
			moves[k.folder] = append(moves[k.folder], uid)
		default:
			fresh = append(fresh, uid)
		}
	}
	for uid := range known {
		if !present[uid] {
			delete(known, uid)
		}
	}
	if err := s.move(ctx, moves); err != nil {
		return due, err
	}
	if err := s.takeAll(ctx, fresh); err != nil {
		return due, err
	}

	waiting, trouble, read := 0, false, true
	for _, k := range known {
		if k.taken && k.folder == Leave {
			continue
		}
		trouble = trouble || k.tries > 0
		if !k.taken {
			waiting++
			read = read && (!k.failed || k.tries >= fewTries)
		}
		if due.IsZero() || k.next.Before(due) {
			due = k.next
		}
	}
	if h := s.m.Health(); waiting != h.Waiting || !trouble && h.LastError != nil {
		s.m.setHealth(s.cfg, func(h *Health) {
			h.Waiting = waiting
			if !trouble {
				h.LastError = nil
			}
		})
	}
	if read && s.m.onRead != nil && ctx.Err() == nil {
		s.m.onRead(ctx)
	}
	return due, nil
}

// takeAll fetches letters, offers them and moves them, batch by batch. While one
// batch is offered, the one before it is moved and the one after it fetched: the
// server and whoever takes the letters don't wait for each other. No letter is
// moved before it was taken.
func (s *imapSession) takeAll(ctx context.Context, uids []imap.UID) error {
	batch, uids, err := s.batch(ctx, uids)
	moves := map[Folder][]imap.UID{}
	for err == nil && (len(batch) > 0 || len(uids) > 0) {
		var folders []Folder
		var errs []error
		offered := make(chan struct{})
		go func() {
			defer close(offered)
			folders, errs = s.offer(ctx, batch)
		}()
		var next []*Incoming
		if err = s.renew(ctx); err == nil {
			if err = s.move(ctx, moves); err == nil {
				next, uids, err = s.batch(ctx, uids)
			}
		}
		<-offered
		moves = s.note(ctx, batch, folders, errs)
		batch = next
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return s.move(ctx, moves)
}

// batch fetches the first of some letters, as many as fit into the memory set
// aside for them, and gives those that are left.
func (s *imapSession) batch(ctx context.Context, uids []imap.UID) (letters []*Incoming, rest []imap.UID, err error) {
	if len(uids) == 0 {
		return nil, nil, nil
	}
	s.much = min(max(firstBatch, 2*s.much), batchSize)
	n := min(len(uids), s.much)
	metas := make(map[imap.UID]*Incoming, n)
	err = s.fetch(ctx, uids[:n], &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: true}, func(uid imap.UID, in *Incoming) {
		in.UID, in.UIDValidity = uint32(uid), s.m.uidValidity
		metas[uid] = in
	})
	if err != nil {
		return nil, nil, fmt.Errorf("fetch sizes: %w", err)
	}
	size := int64(0)
	var bodies, headers []imap.UID
	for i, uid := range uids[:n] {
		in := metas[uid]
		switch {
		case in == nil:
		case in.Size > s.cfg.MaxSize:
			headers = append(headers, uid)
		case i > 0 && size+in.Size > batchBytes:
			n = i
		default:
			size += in.Size
			bodies = append(bodies, uid)
		}
		if n == i {
			break
		}
	}
	got := map[imap.UID]bool{}
	whole := &imap.FetchItemBodySection{Peek: true}
	err = s.fetch(ctx, bodies, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{whole}}, func(uid imap.UID, in *Incoming) {
		if meta := metas[uid]; meta != nil && in.Raw != nil {
			if int64(len(in.Raw)) > s.cfg.MaxSize {
				// It is longer than the server said.
				meta.Header, meta.Size = slices.Clone(in.Raw[:min(len(in.Raw), MaxHeader)]), max(meta.Size, s.cfg.MaxSize+1)
			} else {
				meta.Raw = in.Raw
			}
			got[uid] = true
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("fetch letters: %w", err)
	}
	head := &imap.FetchItemBodySection{Peek: true, Specifier: imap.PartSpecifierHeader, Partial: &imap.SectionPartial{Size: MaxHeader}}
	err = s.fetch(ctx, headers, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{head}}, func(uid imap.UID, in *Incoming) {
		if meta := metas[uid]; meta != nil {
			meta.Header = in.Raw[:min(len(in.Raw), MaxHeader)]
			got[uid] = true
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("fetch headers: %w", err)
	}
	for _, uid := range uids[:n] {
		if got[uid] {
			letters = append(letters, metas[uid])
		} else {
			// Gone, or the server won't give it out: not asked for again
			// at once.
			s.later(uid, nil)
		}
	}
	return letters, uids[n:], nil
}

// fetch asks for data of some letters and hands over what comes.
func (s *imapSession) fetch(ctx context.Context, uids []imap.UID, opts *imap.FetchOptions, got func(imap.UID, *Incoming)) error {
	if len(uids) == 0 {
		return nil
	}
	// A batch of letters takes longer than an answer.
	limit := s.cfg.Timeout
	if len(opts.BodySection) > 0 {
		limit *= 10
	}
	room := int64(batchBytes) + s.cfg.MaxSize // for all of them: the server may have told their sizes wrongly
	err := within(ctx, limit, s.conn, func() error {
		cmd := s.client.Fetch(imap.UIDSetNum(uids...), opts)
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			in := &Incoming{}
			var uid imap.UID
			for item := msg.Next(); item != nil; item = msg.Next() {
				switch item := item.(type) {
				case imapclient.FetchItemDataUID:
					uid = item.UID
				case imapclient.FetchItemDataRFC822Size:
					in.Size = item.Size
				case imapclient.FetchItemDataInternalDate:
					in.Received = item.Time
				case imapclient.FetchItemDataBodySection:
					if item.Literal == nil {
						continue
					}
					if err := s.readLetter(in, item.Literal, room); err != nil {
						_ = s.conn.Close()
						_ = cmd.Close()
						return err
					}
					room -= int64(len(in.Raw))
				}
			}
			if uid != 0 {
				got(uid, in)
			}
		}
		return cmd.Close()
	})
	if err == nil {
		s.m.contact()
	}
	return err
}

// readLetter reads the bytes of a letter, or of its header. Of one that is longer than
// any may be only so much is read that this shows; one for which there is no room left
// in memory is left for another time. What is not wanted of it goes by.
func (s *imapSession) readLetter(in *Incoming, literal io.Reader, room int64) error {
	if m := meterOf(s.conn); m != nil {
		m.free.Store(true)
		defer func() { m.allow(); m.free.Store(false) }()
	}
	b, err := io.ReadAll(io.LimitReader(literal, min(s.cfg.MaxSize+1, room)))
	if err != nil {
		return err
	}
	more, err := io.Copy(io.Discard, literal)
	if more == 0 || int64(len(b)) > s.cfg.MaxSize {
		in.Raw = append([]byte{}, b...)
	}
	return err
}

// offer gives letters to whoever takes them, and tells for each the folder or
// the error. Several are taken side by side if the configuration says so, but
// never two of one sender: the later one may replace the earlier.
func (s *imapSession) offer(ctx context.Context, letters []*Incoming) ([]Folder, []error) {
	folders := make([]Folder, len(letters))
	errs := make([]error, len(letters))
	one := func(i int) {
		if errs[i] = ctx.Err(); errs[i] == nil {
			folders[i], errs[i] = s.takeOne(ctx, *letters[i])
		}
	}
	if s.cfg.Parallel == 1 || len(letters) == 1 {
		for i := range letters {
			one(i)
		}
		return folders, errs
	}
	var lanes [][]int // letters of one sender each
	index := map[string]int{}
	for i, in := range letters {
		sender := in.sender()
		lane, ok := index[sender]
		if !ok {
			lane = len(lanes)
			index[sender] = lane
			lanes = append(lanes, nil)
		}
		lanes[lane] = append(lanes[lane], i)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, s.cfg.Parallel)
	for _, lane := range lanes {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			for _, i := range lane {
				one(i)
			}
		})
	}
	wg.Wait()
	return folders, errs
}

// sender is who a letter says it is from; all whose From can't be read count as
// one.
func (in *Incoming) sender() string {
	raw := in.Raw
	if raw == nil {
		raw = in.Header
	}
	h, _, _ := parseHeader(raw, true)
	var l Letter
	if l.readFrom(h) != nil {
		return ""
	}
	return Fold(l.From.Addr)
}

// note remembers what became of letters that were offered, and gives where they
// are to be moved.
func (s *imapSession) note(ctx context.Context, letters []*Incoming, folders []Folder, errs []error) map[Folder][]imap.UID {
	moves := map[Folder][]imap.UID{}
	for i, in := range letters {
		uid := imap.UID(in.UID)
		if errs[i] != nil {
			if ctx.Err() != nil {
				continue // we stop
			}
			s.cfg.Log.Warn("letter not taken", "uid", in.UID, "error", errs[i])
			s.later(uid, errs[i])
			continue
		}
		s.m.known[uid] = &knownLetter{taken: true, folder: folders[i]}
		if folders[i] != Leave {
			moves[folders[i]] = append(moves[folders[i]], uid)
		}
	}
	return moves
}

func (s *imapSession) takeOne(ctx context.Context, in Incoming) (f Folder, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	if f, err = s.take(ctx, in); err != nil {
		return f, err
	}
	if f != Leave && s.names[f] == "" {
		return f, fmt.Errorf("no folder %q", f)
	}
	return f, nil
}

// later puts a letter off, longer each time.
func (s *imapSession) later(uid imap.UID, err error) {
	k := s.m.known[uid]
	if k == nil {
		k = &knownLetter{}
		s.m.known[uid] = k
	}
	wait := min(s.cfg.RetryMin<<min(k.tries, 20), s.cfg.RetryMax)
	if wait <= 0 {
		wait = s.cfg.RetryMax
	}
	k.tries++
	k.failed = err != nil
	k.next = time.Now().Add(wait)
	if err != nil {
		s.m.setHealth(s.cfg, func(h *Health) { h.LastError = fmt.Errorf("take letter: %w", err) })
	}
}

// move puts letters into their folders. One that is gone was moved before, or
// deleted by somebody: servers say OK to moving it, and it is right. If a server
// refuses, the letters are remembered as taken and moved another time.
func (s *imapSession) move(ctx context.Context, moves map[Folder][]imap.UID) error {
	for _, f := range []Folder{Processed, Rejected} {
		uids := moves[f]
		if len(uids) == 0 {
			continue
		}
		name := s.names[f]
		err := s.moveTo(ctx, uids, name)
		var no *imap.Error
		if errors.As(err, &no) && (no.Code == imap.ResponseCodeTryCreate || no.Code == imap.ResponseCodeNonExistent) {
			// Somebody has removed the folder.
			if err = s.do(ctx, func() error { return s.ensure(name) }); err == nil {
				err = s.moveTo(ctx, uids, name)
			}
		}
		if errors.As(err, &no) {
			s.cfg.Log.Warn("letters not moved", "folder", name, "count", len(uids), "error", err)
			s.m.setHealth(s.cfg, func(h *Health) { h.LastError = fmt.Errorf("move letters to %s: %w", name, err) })
			for _, uid := range uids {
				s.later(uid, nil)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("move letters: %w", err)
		}
		// If the next look shows one of them still there, it is moved again.
		for _, uid := range uids {
			if k := s.m.known[uid]; k != nil {
				k.next = time.Now().Add(s.cfg.Poll)
			}
		}
	}
	return nil
}

func (s *imapSession) moveTo(ctx context.Context, uids []imap.UID, name string) error {
	set := imap.UIDSetNum(uids...)
	return s.do(ctx, func() error {
		if s.caps.Has(imap.CapMove) {
			_, err := s.client.Move(set, name).Wait()
			return err
		}
		// The library's own substitute for MOVE sends STORE and EXPUNGE without
		// waiting for COPY: a failed copy would lose the letters.
		if _, err := s.client.Copy(set, name).Wait(); err != nil {
			return err
		}
		err := s.client.Store(set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
		if err != nil {
			return err
		}
		if s.caps.Has(imap.CapUIDPlus) {
			return s.client.UIDExpunge(set).Close()
		}
		// Without UIDPLUS an expunge takes whatever is marked, also by a person
		// who reads the same mailbox and may still want it.
		data, err := s.client.UIDSearch(&imap.SearchCriteria{Flag: []imap.Flag{imap.FlagDeleted}}, nil).Wait()
		if err != nil {
			return err
		}
		for _, uid := range data.AllUIDs() {
			if !slices.Contains(uids, uid) {
				return nil
			}
		}
		return s.client.Expunge().Close()
	})
}
