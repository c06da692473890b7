package adjudicator

import (
	"context"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// seatOf gives an office its seat among its members, and the store through which it writes; no seat
// if it has its store for itself.
func seatOf(st store.Store, opt Options) (*leader.Seat, store.Store, error) {
	if opt.Member == "" {
		return nil, st, nil
	}
	of := leader.Options{Member: opt.Member, Version: opt.Version, Log: opt.Log}
	if shared, ok := st.(store.Shared); ok {
		of.Depose = shared.Depose
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

// standBy runs lead while this member leads. Until then it keeps in mind when the leader has read
// the mailbox, so that a command here passes no deadline that the leader would not.
func (l loop) standBy(ctx context.Context, lead func(context.Context) error) error {
	o := l.office
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		ticker := time.NewTicker(leader.Beat)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if o.Seat.Leads() { // what another member has queued, or changed, does not wake this one
				signal(o.post)
				signal(o.wake)
			} else if err := o.watch.load(); err != nil && ctx.Err() == nil {
				o.log.Warn("not known when the mailbox was read", "error", err)
			}
		}
	}()
	return o.Seat.Run(ctx, func(ctx context.Context) error {
		if err := o.watch.load(); err != nil {
			return err
		}
		return lead(ctx)
	})
}
