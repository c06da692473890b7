package adjudicator

import (
	"context"
	"errors"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/store"
	"berthier/mail"
)

// What the outbox tells a game about its letters, and what the game does then.

// games are those of the office, as its outbox knows them.
type games struct{ office *Office }

// Hear implements [outbox.Games].
func (g games) Hear(ctx context.Context, n outbox.News) error {
	switch n := n.(type) {
	case outbox.Lost:
		return g.office.change(ctx, n.Letter.Game, func(tr *transaction) error {
			tr.also = n.With
			return tr.Do(game.LetterLost{Letter: mailed(n.Letter), Believed: n.Believed})
		})
	case outbox.Waits:
		return g.clock(ctx, n.Letter, n.With, game.ReportWaits{Letter: mailed(n.Letter)})
	case outbox.Left:
		return g.clock(ctx, n.Letter, n.With, game.ReportLeft{Letter: mailed(n.Letter)})
	case outbox.Due:
		return g.office.change(ctx, n.Letter.Game, func(tr *transaction) error {
			tr.also = n.With
			return tr.Do(game.VerdictsDue{Side: n.Letter.Seat, Epoch: n.Letter.Epoch})
		})
	}
	return fmt.Errorf("nobody knows what to make of %T", n)
}

// May implements [outbox.Games]: somebody may no longer be an observer, or no longer see what is hidden. A letter of an earlier program does
// not say what it tells; it counts as one that tells what is hidden.
func (g games) May(l *outbox.Outgoing) (may bool, err error) {
	if l.Kind != outbox.KindObserver {
		return true, nil
	}
	err = g.office.read(func(tx store.Reader) error {
		state, err := game.Read(tx.Game(l.Game))
		if err == nil {
			may = state.StillSees(l.Address, l.Epoch, l.Delay > 0 || l.Epoch == 0)
		}
		return err
	})
	if errors.Is(err, game.ErrUnfit) { // it does not get better by waiting, and what is his of other games would wait behind it
		g.office.log.Error("a letter to an observer is not sent: nobody can say any more whether he may have it", "game", l.Game, "error", err)
		return false, nil
	}
	return may, err
}

// Send sends the letters that are due, as [outbox.Box.Send] does.
func (o *Office) Send(ctx context.Context, by mail.Sender) (int, error) {
	return o.box.Send(ctx, by, store.AllLanes, nil)
}

// clock lets something happen to the clock of a seat that waits for a report. If somebody else was quicker, the outbox
// tells the news again, for it may be the letter that has changed.
func (g games) clock(ctx context.Context, l *outbox.Outgoing, with store.Change, in game.Input) error {
	err := g.office.change(ctx, l.Game, func(tr *transaction) error {
		tr.also = with
		return tr.Do(in)
	})
	if err != nil {
		return fmt.Errorf("keep the clock of who waits for a report: %w", err)
	}
	return nil
}

// mailed is a letter as its game knows it.
func mailed(l *outbox.Outgoing) game.Mailed {
	return game.Mailed{Seat: l.Seat, Epoch: l.Epoch, Address: l.Address, Kind: l.Kind, Report: l.Report > 0, Written: l.Written, Error: l.Error, State: string(l.State)}
}
