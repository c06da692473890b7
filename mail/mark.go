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
	"time"

	"github.com/emersion/go-imap/v2"
)

// Beside the claims lies a letter that is never taken away: it names the database
// that works on this mailbox. Another database, made anew because the first was lost or
// its path was mistyped, knows none of the games whose letters come here, and would
// put the letters aside as a stranger's. So it is refused until somebody gives it the
// mailbox; the database to which the mailbox was given last counts.
const (
	markField = "X-Berthier-Database"
	mostMarks = 200 // letters of the folder that are looked at
)

// A WrongDatabaseError says that another database has worked on the mailbox.
type WrongDatabaseError struct {
	Name   string    // how its office calls itself; may be empty
	Folder string    // where its mark lies
	Since  time.Time // when it was set, by the mail server's clock
}

// Error says who has worked on the mailbox.
func (e *WrongDatabaseError) Error() string {
	name := e.Name
	if name == "" {
		name = "another office"
	}
	return fmt.Sprintf("another database has worked on this mailbox: that of %s, since %s (its mark lies in the folder %q); this one does not know its games",
		name, e.Since.UTC().Format("2006-01-02 15:04:05 MST"), e.Folder)
}

// checkMark tells whether a folder's last mark names this reader's database. If there is
// no mark, checkMark sets one.
func (s *imapSession) checkMark(ctx context.Context, folder string) error {
	if s.cfg.Database == "" {
		return nil
	}
	last, err := s.lastMark(ctx, folder)
	if err != nil {
		return err
	}
	switch {
	case last == nil:
		return s.setMark(ctx, folder)
	case last.holder != s.cfg.Database:
		return &WrongDatabaseError{Name: last.name, Folder: folder, Since: last.at}
	}
	return nil
}

// lastMark gives the newest mark of a folder; nil if it has none.
func (s *imapSession) lastMark(ctx context.Context, folder string) (last *claimed, err error) {
	err = s.do(ctx, func() error {
		last = nil
		data, err := s.client.Select(folder, nil).Wait()
		if err != nil || data.NumMessages == 0 {
			return err
		}
		// Marks are flagged; one that lost its flag is found among the newest.
		var uids []imap.UID
		for _, flags := range [][]imap.Flag{{imap.FlagFlagged}, nil} {
			found, err := s.client.UIDSearch(&imap.SearchCriteria{Flag: flags}, nil).Wait()
			if err != nil {
				return err
			}
			some := found.AllUIDs()
			slices.Sort(some)
			uids = append(uids, some[max(0, len(some)-mostMarks):]...)
		}
		if len(uids) == 0 {
			return nil
		}
		head := &imap.FetchItemBodySection{Peek: true, Specifier: imap.PartSpecifierHeader, HeaderFields: []string{markField, claimName}}
		messages, err := s.client.Fetch(imap.UIDSetNum(uids...), &imap.FetchOptions{UID: true, InternalDate: true, BodySection: []*imap.FetchItemBodySection{head}}).Collect()
		if err != nil {
			return err
		}
		for _, msg := range messages {
			h, err := textproto.NewReader(bufio.NewReader(io.LimitReader(bytes.NewReader(msg.FindBodySection(head)), 4<<10))).ReadMIMEHeader()
			if err != nil && len(h) == 0 {
				continue
			}
			if number := h.Get(markField); number != "" && (last == nil || msg.UID > last.uid) {
				last = &claimed{uid: msg.UID, at: msg.InternalDate, holder: number, name: shorten(oneLine(h.Get(claimName)), 100)}
			}
		}
		return nil
	})
	return last, err
}

// setMark puts the mark of this reader's database into a folder.
func (s *imapSession) setMark(ctx context.Context, folder string) error {
	name := holderName(s.cfg)
	raw := []byte("From: <office@invalid>\r\nTo: <office@invalid>\r\nSubject: Whose mailbox this is: don't delete\r\nDate: " +
		time.Now().Format(time.RFC1123Z) + "\r\nMessage-ID: <" + rand.Text() + "@mark.invalid>\r\n" +
		markField + ": " + s.cfg.Database + "\r\n" + claimName + ": " + name + "\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n" +
		"The database of the program Berthier (" + name + ") with this number works on this\r\n" +
		"mailbox. While this letter is here another database, which does not know the games\r\n" +
		"whose letters come here, is kept out.\r\n")
	err := s.appendTo(ctx, folder, raw, imap.FlagSeen, imap.FlagFlagged)
	var no *imap.Error
	if errors.As(err, &no) { // a full mailbox must still be read
		s.cfg.Log.Warn("mailbox not marked", "folder", folder, "error", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("mark mailbox: %w", err)
	}
	return nil
}

// appendTo puts a letter into a folder.
func (s *imapSession) appendTo(ctx context.Context, folder string, raw []byte, flags ...imap.Flag) error {
	return s.do(ctx, func() error {
		cmd := s.client.Append(folder, int64(len(raw)), &imap.AppendOptions{Flags: flags})
		_, err := cmd.Write(raw)
		if err = errors.Join(err, cmd.Close()); err != nil {
			return err
		}
		_, err = cmd.Wait()
		return err
	})
}

// TakeOver gives the mailbox to the reader's database, whichever had worked on it
// before. It fails with [*InUseError] if another reader lives.
func (m *Mailbox) TakeOver(ctx context.Context) error {
	cfg := m.defaults()
	if err := cfg.Check(); err != nil {
		return err
	}
	one := &Mailbox{Config: cfg}
	return one.withClaims(ctx, cfg, func(s *imapSession, folder string) error {
		if err := s.heldByAnother(ctx, folder); err != nil {
			return err
		}
		err := s.checkMark(ctx, folder)
		var other *WrongDatabaseError
		if errors.As(err, &other) {
			return s.setMark(ctx, folder)
		}
		return err
	})
}

// heldByAnother tells whether another reader has a claim that is not dead yet, by
// our clock.
func (s *imapSession) heldByAnother(ctx context.Context, folder string) error {
	all, err := s.claims(ctx, folder)
	if err != nil {
		return err
	}
	for _, c := range all {
		if c.holder != s.cfg.Holder && time.Since(c.at) <= claimLife {
			return &InUseError{Name: c.name, Folder: folder, Since: c.at}
		}
	}
	return nil
}

// wouldBeRefused tells why this reader would not be let in; nil if it would be let in.
func (m *Mailbox) wouldBeRefused(ctx context.Context, cfg IMAPConfig) (refused, err error) {
	if cfg.Holder == "" {
		return nil, nil
	}
	err = m.withClaims(ctx, cfg, func(s *imapSession, folder string) error {
		if refused = s.heldByAnother(ctx, folder); refused != nil {
			return nil
		}
		last, err := s.lastMark(ctx, folder)
		if err == nil && last != nil && cfg.Database != "" && last.holder != cfg.Database {
			refused = &WrongDatabaseError{Name: last.name, Folder: folder, Since: last.at}
		}
		return err
	})
	return refused, err
}
