package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
)

const idleLimit = 4 * time.Minute // a home router forgets silent connections after 5

var errDeadPeer = errors.New("server does not end IDLE")

// An imapSession is one connection to the server.
type imapSession struct {
	m      *Mailbox
	cfg    IMAPConfig
	conn   net.Conn
	client *imapclient.Client
	caps   imap.CapSet
	wake   chan struct{}
	began  time.Time         // when the last look through the inbox began
	told   time.Time         // up to when it was said to be read
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
	err = s.do(ctx, func() error {
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
	if err != nil {
		return err
	}
	return s.recognize(ctx)
}

// recognize forgets what the last connection knew of letters that are not the same now. A server that was put back
// from a snapshot gives their numbers to new letters, and UIDVALIDITY doesn't always tell: an order would be
// moved away unread.
func (s *imapSession) recognize(ctx context.Context) error {
	known, same, other := s.m.known, map[imap.UID]bool{}, 0
	for uids := range slices.Chunk(slices.Sorted(maps.Keys(known)), batchSize) {
		err := s.fetch(ctx, uids, &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: true}, func(uid imap.UID, in *Incoming) {
			switch k := known[uid]; {
			case k == nil:
			case k.size == 0 && k.received.IsZero(): // the server has never told them
				k.size, k.received = in.Size, in.Received
				same[uid] = true
			case (k.size == in.Size || k.size == s.cfg.MaxSize+1 && in.Size <= s.cfg.MaxSize) && k.received.Equal(in.Received): // longer than the server says
				same[uid] = true
			default:
				other++
			}
		})
		if err != nil {
			return fmt.Errorf("fetch what is known: %w", err)
		}
	}
	maps.DeleteFunc(known, func(uid imap.UID, _ *knownLetter) bool { return !same[uid] })
	if other > 0 {
		s.cfg.Log.Warn("letters have the numbers of others, reading them anew", "letters", other)
	}
	return nil
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
