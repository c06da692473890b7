package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

const (
	firstBatch = 25 // the first after the connection; then twice as many each time: a reader that dies again and again gets on
	batchSize  = 200
	batchBytes = 8 << 20 // of one batch; two are in memory: one is taken, the next fetched
)

var errNotGiven = errors.New("the server does not give it out")

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
			// If it is gone, the next look forgets it. If it is not, it may be an
			// order: the inbox is not read to its end.
			s.cfg.Log.Warn("letter not fetched", "uid", uid)
			k := s.later(uid, errNotGiven)
			if meta := metas[uid]; meta != nil {
				k.size, k.received = meta.Size, meta.Received
			}
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

// readLetter reads the bytes of a letter, or of its header. If a letter is longer than any
// may be, only as much is read as shows that. If there is no room left in memory for a
// letter, it is left for another time. Bytes that are not wanted are read and dropped.
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
