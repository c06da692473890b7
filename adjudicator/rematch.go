package adjudicator

import (
	"context"
	"errors"
	"fmt"

	"berthier/adjudicator/game"
	"berthier/adjudicator/setup"
	"berthier/adjudicator/store"
	"berthier/orders"
	"berthier/orders/phrase"
)

// wishRematch takes in that a player wants to play a finished game again with sides changed, or no
// longer does. The new game is made as the next thing that is due, not within this change: an
// office that dies in between makes it when it starts again.
func wishRematch(req *request, s *game.Seat) error {
	cancel, problems := req.form().Cancels()
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	var err error
	if req.Game.Solo && !cancel {
		err = mayPlaySolo(req)
	}
	if err == nil {
		err = req.Do(game.RematchAsked{Side: s.Side, Cancel: cancel, Letter: req.intake.reference()})
	}
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return req.refuse(s, false, orders.Problems{req.fault("command", refused.Why)})
	}
	return err
}

// mayPlaySolo tells whether the writer may have another game against bots.
func mayPlaySolo(req *request) error {
	_, running, lately, err := soloWish{arrival: req.intake}.had()
	if err != nil {
		return err
	}
	if most := req.office.opt.SoloGames; running >= most || lately >= most {
		return game.Refuse("office.solo.too-many", phrase.Number("most", most), phrase.Number("running", running))
	}
	return nil
}

// mostNames is how many ids are tried for a rematch.
const mostNames = 20

// rematch makes the game that all players of a finished one want, if they do. The record of
// the new game says of which it is the rematch: one that was made before the office died is
// known again.
func (l loop) rematch(ctx context.Context, id string) error {
	o := l.office
	var next *setup.Setup
	var failed error
	err := o.look(id, func(tr *transaction) error {
		if !tr.Game.Agreed() {
			return nil
		}
		made, err := tr.past.Made()
		if err != nil {
			return err
		}
		next, failed = setup.Again(tr.Game, made, id, tr.Rules)
		return nil
	})
	switch {
	case err != nil || next == nil && failed == nil:
		return err
	case failed == nil:
		failed, err = l.again(ctx, next, id)
	}
	if err != nil {
		return err
	}
	return o.change(ctx, id, func(tr *transaction) error {
		if failed != nil {
			return tr.Do(game.RematchFailed{Why: failed.Error()})
		}
		return tr.Do(game.RematchMade{Game: next.Game})
	})
}

// again makes the rematch of a game under the first id that is free. Failed tells why it can't
// be made at all; err, why not now.
func (l loop) again(ctx context.Context, next *setup.Setup, of string) (failed, err error) {
	for n := 1; n <= mostNames; n++ {
		if next.Game = setup.AgainID(of, n); next.Game == "" {
			break
		}
		there, mine := false, false
		err := l.office.read(func(tx store.Reader) error {
			record := tx.Game(next.Game)
			if there = record != nil; !there {
				return nil
			}
			g, err := game.Read(record)
			mine = err == nil && g.Again == of
			return err
		})
		switch {
		case err != nil || mine:
			return nil, err
		case there:
			continue
		}
		next.Again = of
		err = l.office.Clerk().newGame(ctx, next, nil, store.Change{})
		if !errors.Is(err, ErrExists) {
			return nil, err
		}
	}
	return fmt.Errorf("no id for a rematch of %s is free", of), nil
}
