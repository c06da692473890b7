package adjudicator

import (
	"cmp"
	"context"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/mail/mailbox"
)

// seatOf gives an office its seat among its members, and the store through which it writes; no seat
// if it has its store for itself.
func seatOf(st store.Store, opt Options) (*leader.Seat, store.Store, error) {
	if opt.Member == "" {
		return nil, st, nil
	}
	of := leader.Options{Member: opt.Member, Version: cmp.Or(opt.Program, opt.Version), Clock: opt.Clock.Now, Log: opt.Log}
	if shared, ok := st.(store.Shared); ok {
		of.Depose, of.Epoch = shared.Depose, shared.Epoch()
	}
	seat := leader.New(st, of)
	return seat, seated{st, seat}, seat.Look(context.Background())
}

// A seated store writes nothing while its member must only stand by.
type seated struct {
	store.Store
	seat *leader.Seat
}

// Commit implements [store.Store].
func (s seated) Commit(ctx context.Context, c store.Change) error {
	if err := s.seat.May(); err != nil {
		return err
	}
	return s.Store.Commit(ctx, c)
}

// stands tells whether a game that was taken up before is still as it was: another member may have
// changed it. The record of a league is none.
func stands(st store.Store, id string, end chain.Link, record store.Version) (bool, error) {
	s, ok := st.(seated)
	if !ok {
		return true, nil
	}
	shared, ok := s.Store.(store.Shared)
	if !ok {
		return false, nil // it is not known
	}
	now, version, err := shared.Head(context.Background(), id)
	return now == end && version == record, err
}

// laneOf gives the lane of letters to an address, if the office has several members.
func laneOf(seat *leader.Seat) func(address string) uint64 {
	if seat == nil {
		return nil
	}
	return func(address string) uint64 { return uint64(leader.ShareOf(mailbox.Clean(address))) }
}

// asMember runs work as that of a member that can read some mailboxes.
func (l loop) asMember(ctx context.Context, mailboxes []string, work func(context.Context) error) error {
	o := l.office
	o.Seat.CanRead(mailboxes...)
	o.Seat.Takes(o.counts.with)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		ticker := time.NewTicker(leader.Beat)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-o.Seat.Changed():
			case <-ticker.C: // what another member has queued, or changed, does not wake this one
			}
			signal(o.post)
			signal(o.wake)
		}
	}()
	return o.Seat.Run(ctx, work)
}
