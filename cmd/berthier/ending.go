package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
)

// mostEnding is how long a member of an office may take to end that was asked to stop.
const mostEnding = 20 * time.Second

// endsForSure ends the process if it has not ended long after it was asked to, as when the server of its database has not answered at a
// moment at which nobody looked for that. Whatever it was at is written in full or not at all. It watches until stop is called.
func endsForSure(ctx context.Context, log *slog.Logger, exit func(code int)) (stop func()) {
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		select {
		case <-ended:
		case <-time.After(mostEnding):
			log.Error("this member was asked to stop, and did not end: it is ended; see that the server of the database answers", "after", mostEnding)
			exit(exitRefused)
		}
	}()
	return func() { close(ended) }
}

// whyEnded adds advice to the error with which the office of a daemon has ended. Whoever was deposed since the office moves is told that.
func whyEnded(err error, s store.Store) error {
	if errors.Is(err, store.ErrDeposed) {
		if m, _ := movedTo(s); m != nil {
			return m.gone()
		}
	}
	switch {
	case errors.Is(err, store.ErrDeposed):
		return hinted{err, "if another machine has the same name, give each member one of its own (key member under database in the configuration); then start this one again: it stands by (a service does so by itself)"}
	case errors.Is(err, leader.ErrLost):
		return hinted{err, "see why the database did not answer (the log says so before this line); started again, it stands by (a service starts it by itself)"}
	case errors.Is(err, leader.ErrHangs):
		return hinted{err, "see that the server of the database answers; nothing is half written, and others have its work"}
	}
	return mailboxHint(err)
}
