package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
)

// move puts letters into their folders. If a letter is gone, it was moved before, or
// somebody deleted it: servers say OK to moving it, and that is right. If a server
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
