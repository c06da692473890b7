package mail

import (
	"context"
	"fmt"

	"berthier/mail/mailbox"

	"github.com/emersion/go-imap/v2"
)

// Find gives the header, up to 64 KiB, of the letter with a Message-ID, wherever it
// lies: in the inbox, or where an office that runs has moved it. It is nil if there is
// none. No letter is changed.
func (m *Mailbox) Find(ctx context.Context, messageID string) (found []byte, err error) {
	cfg := m.defaults()
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	box := &Mailbox{Config: cfg}
	err = box.withSession(ctx, cfg, func(s *imapSession) error {
		if err := s.openInbox(ctx); err != nil {
			return fmt.Errorf("open inbox: %w", err)
		}
		for _, folder := range []string{cfg.Inbox, s.names[Processed], s.names[Rejected]} {
			var uids []imap.UID
			err := s.do(ctx, func() error {
				if _, err := s.client.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
					return err
				}
				data, err := s.client.UIDSearch(&imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: "Message-ID", Value: messageID}}}, nil).Wait()
				if err == nil {
					uids = data.AllUIDs()
				}
				return err
			})
			if err != nil {
				return fmt.Errorf("look into %s: %w", folder, err)
			}
			if len(uids) == 0 {
				continue
			}
			head := &imap.FetchItemBodySection{Peek: true, Specifier: imap.PartSpecifierHeader, Partial: &imap.SectionPartial{Size: MaxHeader}}
			return s.fetch(ctx, uids[:1], &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{head}}, func(_ imap.UID, in *Incoming) {
				found = in.Raw[:min(len(in.Raw), MaxHeader)]
			})
		}
		return nil
	})
	return found, err
}

// Findings gives the Authentication-Results of a letter, in their order, unfolded, and how
// many of them stand above its first Received.
func Findings(header []byte) (fields []string, above int) {
	h, _, _ := parseHeader(header, true)
	received := false
	for _, f := range h {
		switch f.key {
		case "received":
			received = true
		case "authentication-results":
			fields = append(fields, f.value)
			if !received {
				above++
			}
		}
	}
	return fields, above
}

// FindingsOf tells whether Authentication-Results come from a server, by its id, as they
// would be read in a letter.
func FindingsOf(field, server string) bool {
	name, _, ok := parseAuthResults(field)
	return ok && mailbox.SameText(name, server)
}
