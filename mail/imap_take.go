package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"berthier/mail/mailbox"

	"github.com/emersion/go-imap/v2"
)

// drain offers every letter in the inbox that is due. It returns when the next
// one will be; zero if none is waiting.
func (s *imapSession) drain(ctx context.Context) (due time.Time, err error) {
	before := s.began
	s.began = time.Now() // what comes from now on may be missing
	uids, err := s.search(ctx)
	if err != nil {
		return due, err
	}
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
			read = read && !k.unread(now)
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
	if read {
		s.tell(ctx, before)
	}
	return due, nil
}

// search lists the letters in the inbox, in the order of arrival. A server may answer SEARCH by what this
// connection has been told, and look for more only when the command ends, as Dovecot does: NOOP lets it look before.
func (s *imapSession) search(ctx context.Context) (uids []imap.UID, err error) {
	if err := s.do(ctx, func() error { return s.client.Noop().Wait() }); err != nil {
		return nil, fmt.Errorf("ask for news of inbox: %w", err)
	}
	select {
	case <-s.wake: // the search finds what the server has told of
	default:
	}
	err = s.do(ctx, func() error {
		data, err := s.client.UIDSearch(&imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}}, nil).Wait()
		if err != nil {
			return err
		}
		uids = data.AllUIDs()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("search inbox: %w", err)
	}
	slices.Sort(uids)
	return uids, nil
}

// tell tells that the inbox was read to its end by a look, and when the one before it began. If the server has told
// of more meanwhile, that may have come before this look began, and the inbox must be looked through again; but it
// came after the server was asked by the look before. So letters that never stop coming keep nobody from
// deadlines: each look tells of the one before it.
func (s *imapSession) tell(ctx context.Context, before time.Time) {
	upto := s.began
	if len(s.wake) > 0 {
		upto = before
	}
	if s.m.onRead == nil || ctx.Err() != nil || !upto.After(s.told) {
		return
	}
	s.told = upto
	s.m.onRead(ctx, upto)
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
	return mailbox.Fold(l.From.Addr)
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
			k := s.later(uid, errs[i])
			k.size, k.received = in.Size, in.Received
			continue
		}
		s.m.known[uid] = &knownLetter{taken: true, folder: folders[i], size: in.Size, received: in.Received}
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
func (s *imapSession) later(uid imap.UID, err error) *knownLetter {
	k := s.m.known[uid]
	if k == nil {
		k = &knownLetter{}
		s.m.known[uid] = k
	}
	wait := min(s.cfg.RetryMin<<min(k.tries, 20), s.cfg.RetryMax)
	if wait <= 0 {
		wait = s.cfg.RetryMax
	}
	now, notReady := time.Now(), (*NotReady)(nil)
	if !errors.As(err, &notReady) {
		k.away = time.Time{}
		k.faults++
	} else if wait = min(wait, soonAgain); k.away.IsZero() {
		k.away = now
	}
	k.tries++
	k.failed = err != nil
	k.next = now.Add(wait)
	if err != nil {
		s.m.setHealth(s.cfg, func(h *Health) { h.LastError = fmt.Errorf("take letter: %w", err) })
	}
	return k
}
