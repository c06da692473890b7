package mail

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"berthier/mail/mailbox"

	"github.com/emersion/go-imap/v2"
)

// Two offices that read one mailbox would each take half of the letters. So a
// reader with a [IMAPConfig.Holder] leaves a letter in a folder of its own,
// renews it while it runs, and takes it away at the end. All times are the mail
// server's, so that our own clock does not matter; and if two readers come at once, the
// server's numbering tells which was first.
const (
	claimLife  = 15 * time.Minute // a claim not renewed for so long is dead
	claimRenew = 3 * time.Minute
	claimMost  = 200 // letters of the folder that are looked at
	claimField = "X-Berthier-Holder"
	claimNonce = "X-Berthier-Claim"
	claimName  = "X-Berthier-Name"
)

// An InUseError says that somebody else reads the mailbox.
type InUseError struct {
	Name   string    // how the other reader calls itself; may be empty
	Folder string    // where its claim lies
	Since  time.Time // when it renewed its claim last, by the mail server's clock
}

// Error says who reads the mailbox, and when it will be free if that reader is
// dead.
func (e *InUseError) Error() string {
	name := e.Name
	if name == "" {
		name = "another office"
	}
	return fmt.Sprintf("the mailbox is read by %s, which said so at %s; if that one has died, the mailbox is free at %s, or when the letters \"This mailbox is being read\" in the folder %q are deleted",
		name, e.Since.UTC().Format("2006-01-02 15:04:05 MST"), e.Since.Add(claimLife).UTC().Format("15:04:05 MST"), e.Folder)
}

// claimed is a letter of the claims' folder.
type claimed struct {
	uid                 imap.UID
	at                  time.Time
	holder, nonce, name string
}

// claim says that this reader has the mailbox, on a connection of its own, since
// the folder has to be selected. It fails with [*InUseError] if another one has
// it.
func (m *Mailbox) claim(ctx context.Context, cfg IMAPConfig) error {
	return m.withClaims(ctx, cfg, func(s *imapSession, folder string) error {
		nonce := rand.Text()
		raw := claimLetter(cfg, nonce)
		err := s.appendTo(ctx, folder, raw, imap.FlagSeen)
		var no *imap.Error
		if errors.As(err, &no) {
			// A full mailbox must still be read.
			cfg.Log.Warn("mailbox not claimed", "folder", folder, "error", err)
			m.claimedAt = time.Now()
			return s.checkMark(ctx, folder)
		}
		if err != nil {
			return err
		}
		all, err := s.claims(ctx, folder)
		if err != nil {
			return err
		}
		verdict, drop := judgeClaims(all, cfg.Holder, nonce)
		if verdict != nil {
			verdict.Folder = folder
		}
		if err := s.expunge(ctx, drop); err != nil {
			return err
		}
		if verdict != nil {
			return verdict
		}
		if err := s.checkMark(ctx, folder); err != nil {
			return err
		}
		m.claimedAt = time.Now()
		return nil
	})
}

// judgeClaims tells who has the mailbox, nil if we have it, and which letters are no
// longer of use. The last claim of ours has the nonce. The newest of a reader's claims
// tells that the reader lives, and the oldest since when it has had the mailbox.
func judgeClaims(all []claimed, holder, nonce string) (verdict *InUseError, drop []imap.UID) {
	slices.SortFunc(all, func(a, b claimed) int { return int(int64(a.uid) - int64(b.uid)) })
	at := slices.IndexFunc(all, func(c claimed) bool { return c.nonce == nonce && c.holder == holder })
	if at < 0 {
		return nil, nil // it was taken away again: nothing is known
	}
	now := all[at].at
	readers := map[string][]claimed{}
	var order []string
	for _, c := range all {
		if readers[c.holder] == nil {
			order = append(order, c.holder)
		}
		readers[c.holder] = append(readers[c.holder], c)
	}
	ours := readers[holder]
	// What we claimed before a long sleep no longer counts.
	for len(ours) > 1 && now.Sub(ours[len(ours)-2].at) > claimLife {
		for _, c := range ours[:len(ours)-1] {
			drop = append(drop, c.uid)
		}
		ours = ours[len(ours)-1:]
	}
	for _, name := range order {
		theirs := readers[name]
		last := theirs[len(theirs)-1]
		switch {
		case name == holder:
		case now.Sub(last.at) > claimLife:
			for _, c := range theirs {
				drop = append(drop, c.uid)
			}
		case theirs[0].uid < ours[0].uid && verdict == nil:
			verdict = &InUseError{Name: last.name, Since: last.at}
		}
	}
	if verdict != nil {
		for _, c := range ours {
			drop = append(drop, c.uid)
		}
		return verdict, drop
	}
	for _, c := range ours[1:max(len(ours)-1, 1)] {
		drop = append(drop, c.uid)
	}
	return nil, drop
}

// unclaim gives the mailbox back.
func (m *Mailbox) unclaim(ctx context.Context, cfg IMAPConfig) error {
	return m.withClaims(ctx, cfg, func(s *imapSession, folder string) error {
		all, err := s.claims(ctx, folder)
		if err != nil {
			return err
		}
		var ours []imap.UID
		for _, c := range all {
			if c.holder == cfg.Holder {
				ours = append(ours, c.uid)
			}
		}
		return s.expunge(ctx, ours)
	})
}

// withClaims logs in on a connection of its own and finds the folder of claims.
func (m *Mailbox) withClaims(ctx context.Context, cfg IMAPConfig, do func(*imapSession, string) error) error {
	return m.withSession(ctx, cfg, func(s *imapSession) error {
		prefix, err := s.prefix(ctx)
		if err != nil {
			return err
		}
		folder := cfg.Claims
		if !strings.HasPrefix(folder, prefix) {
			folder = prefix + folder
		}
		if err := s.do(ctx, func() error { return s.ensure(folder) }); err != nil {
			return fmt.Errorf("make folder %q: %w", folder, err)
		}
		if err := do(s, folder); err != nil {
			return fmt.Errorf("claim mailbox: %w", err)
		}
		return nil
	})
}

// withSession logs in on a connection of its own.
func (m *Mailbox) withSession(ctx context.Context, cfg IMAPConfig, do func(*imapSession) error) error {
	if cfg.Security == SecurityOffered {
		offered, err := offersTLS(ctx, cfg)
		if err != nil {
			return fmt.Errorf("connect to mailbox: %w", err)
		}
		cfg.Security = SecurityNone
		if offered {
			cfg.Security = SecurityStartTLS
		} else if !cfg.endpoint().plainAllowed() {
			return errors.New("log in to mailbox: the server offers no STARTTLS, and the password would go out in the clear")
		}
	}
	conn, err := cfg.endpoint().open(ctx)
	if err != nil {
		return fmt.Errorf("connect to mailbox: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	defer conn.Close()
	s := &imapSession{m: m, cfg: cfg, conn: conn, wake: make(chan struct{}, 1)}
	if err := s.login(ctx); err != nil {
		return fmt.Errorf("log in to mailbox: %w", err)
	}
	if err := do(s); err != nil {
		return err
	}
	_ = s.do(ctx, func() error { return s.client.Logout().Wait() })
	return nil
}

// claims reads the letters of the folder.
func (s *imapSession) claims(ctx context.Context, folder string) ([]claimed, error) {
	var all []claimed
	err := s.do(ctx, func() error {
		data, err := s.client.Select(folder, nil).Wait()
		if err != nil || data.NumMessages == 0 {
			return err
		}
		found, err := s.client.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}, nil).Wait()
		if err != nil {
			return err
		}
		uids := found.AllUIDs()
		slices.Sort(uids)
		if uids = uids[max(0, len(uids)-claimMost):]; len(uids) == 0 {
			return nil
		}
		head := &imap.FetchItemBodySection{Peek: true, Specifier: imap.PartSpecifierHeader, HeaderFields: []string{claimField, claimNonce, claimName}}
		messages, err := s.client.Fetch(imap.UIDSetNum(uids...), &imap.FetchOptions{UID: true, InternalDate: true, BodySection: []*imap.FetchItemBodySection{head}}).Collect()
		if err != nil {
			return err
		}
		for _, msg := range messages {
			h, err := textproto.NewReader(bufio.NewReader(io.LimitReader(bytes.NewReader(msg.FindBodySection(head)), 4<<10))).ReadMIMEHeader()
			if err != nil && len(h) == 0 {
				continue
			}
			if holder := h.Get(claimField); holder != "" { // another letter would be somebody's mistake
				all = append(all, claimed{uid: msg.UID, at: msg.InternalDate, holder: holder, nonce: h.Get(claimNonce), name: shorten(oneLine(h.Get(claimName)), 100)})
			}
		}
		return nil
	})
	return all, err
}

// expunge deletes letters of the folder of claims.
func (s *imapSession) expunge(ctx context.Context, uids []imap.UID) error {
	if len(uids) == 0 {
		return nil
	}
	return s.do(ctx, func() error {
		err := s.client.Store(imap.UIDSetNum(uids...), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close()
		if err != nil {
			return err
		}
		return s.client.Expunge().Close()
	})
}

// holderName is how a reader calls itself, without what no header may hold.
func holderName(cfg IMAPConfig) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, shorten(oneLine(cfg.HolderName), 100))
}

func claimLetter(cfg IMAPConfig, nonce string) []byte {
	ascii := holderName(cfg)
	return []byte("From: <office@invalid>\r\nTo: <office@invalid>\r\nSubject: This mailbox is being read\r\nDate: " +
		time.Now().Format(time.RFC1123Z) + "\r\nMessage-ID: <" + nonce + "@claim.invalid>\r\n" +
		claimField + ": " + cfg.Holder + "\r\n" + claimNonce + ": " + nonce + "\r\n" + claimName + ": " + ascii + "\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n" +
		"The program Berthier (" + ascii + ") reads this mailbox. It renews this letter\r\n" +
		"while it runs, so that no second one reads the same mailbox.\r\n")
}

// A Probe is what a visit to a mailbox found.
type Probe struct {
	Idle    bool      // letters are told of as they come
	Move    bool      // letters are moved in one step
	Waiting int       // letters in the inbox
	Newest  time.Time // when the server got the last one of them; zero if there is none
	// Refused is why a reader with this Holder and Database would not be let in; an
	// [*InUseError] or [*WrongDatabaseError], or nil.
	Refused error
}

// Probe logs in, makes the folders that are missing, opens the inbox and tries
// IDLE. It changes no letter.
func (m *Mailbox) Probe(ctx context.Context) (Probe, error) {
	var p Probe
	cfg := m.defaults()
	if err := cfg.Check(); err != nil {
		return p, err
	}
	probe := &Mailbox{Config: cfg}
	err := probe.withSession(ctx, cfg, func(s *imapSession) error {
		if err := s.openInbox(ctx); err != nil {
			return fmt.Errorf("open inbox: %w", err)
		}
		p.Move = s.caps.Has(imap.CapMove)
		err := s.do(ctx, func() error {
			found, err := s.client.UIDSearch(&imap.SearchCriteria{}, nil).Wait()
			if err != nil {
				return err
			}
			uids := found.AllUIDs()
			if p.Waiting = len(uids); p.Waiting == 0 {
				return nil
			}
			messages, err := s.client.Fetch(imap.UIDSetNum(slices.Max(uids)), &imap.FetchOptions{UID: true, InternalDate: true}).Collect()
			if err == nil && len(messages) == 1 {
				p.Newest = messages[0].InternalDate
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("read inbox: %w", err)
		}
		if !s.caps.Has(imap.CapIdle) {
			return nil
		}
		err = s.do(ctx, func() error {
			idle, err := s.client.Idle()
			if err != nil {
				return err
			}
			return errors.Join(idle.Close(), idle.Wait())
		})
		if err != nil {
			return fmt.Errorf("IDLE: %w", err)
		}
		p.Idle = true
		return nil
	})
	if err == nil {
		p.Refused, err = probe.wouldBeRefused(ctx, cfg)
	}
	return p, err
}

// Probe connects, logs in and asks whether the server takes letters from an
// address. No letter is sent.
func (s *SMTP) Probe(ctx context.Context, from string) error {
	cfg := s.defaults()
	if err := cfg.Check(); err != nil {
		return err
	}
	addr, err := mailbox.Wire(from)
	if err != nil {
		return err
	}
	c, err := dialSMTP(ctx, cfg)
	if err != nil {
		return err
	}
	defer c.quit()
	if err := within(ctx, cfg.Timeout, c.net, func() error { return c.client.Mail(addr, nil) }); err != nil {
		return sendError(ctx, "mail", err)
	}
	if err := within(ctx, cfg.Timeout, c.net, c.client.Reset); err != nil {
		return sendError(ctx, "reset", err)
	}
	return nil
}
