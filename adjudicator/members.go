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
func seatOf(st store.Store, opt Options) (*leader.Seat, store.Store) {
	if opt.Member == "" {
		return nil, st
	}
	of := leader.Options{Member: opt.Member, Version: opt.Version, Log: opt.Log}
	if shared, ok := st.(store.Shared); ok {
		of.Depose = shared.Depose
	}
	seat := leader.New(st, of)
	return seat, seated{st, seat}
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
func (o *Office) stands(id string, end chain.Link, record store.Version) (bool, error) {
	s, ok := o.store.(seated)
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
func (o *Office) standBy(ctx context.Context, lead func(context.Context) error) error {
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
			if o.seat.Leads() { // what another member has queued, or changed, does not wake this one
				signal(o.post)
				signal(o.wake)
			} else if err := o.watch.load(); err != nil && ctx.Err() == nil {
				o.log.Warn("not known when the mailbox was read", "error", err)
			}
		}
	}()
	return o.seat.Run(ctx, func(ctx context.Context) error {
		if err := o.watch.load(); err != nil {
			return err
		}
		return lead(ctx)
	})
}

// Members lists the members of the office, as this one sees them; none if it has its store for itself.
func (o *Office) Members() []leader.Member {
	if o.seat == nil {
		return nil
	}
	return o.seat.Members()
}

// StandsBy tells whether another member leads.
func (o *Office) StandsBy() bool { return o.seat != nil && !o.seat.Leads() }
