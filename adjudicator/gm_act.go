package adjudicator

import (
	"context"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// act does something as the game master.
func (c *Clerk) act(ctx context.Context, id string, do func(*transaction) error) error {
	return c.office.changeAgain(ctx, intake.FoldGame(id), func(tr *transaction) error {
		tr.operator = operatorOf(ctx)
		tr.Who = tr.operator.who()
		return do(tr)
	})
}

// Pause stops a game's clock: no deadline passes and no stop is resolved.
// Answers are still taken.
func (c *Clerk) Pause(ctx context.Context, id, reason string) error {
	return c.act(ctx, id, func(tr *transaction) error { return tr.Do(game.Paused{By: log.ByGM, Reason: reason}) })
}

// Resume lets a game's clock go on: all deadlines are later by the time that it
// stood still.
func (c *Clerk) Resume(ctx context.Context, id string) error {
	return c.act(ctx, id, func(tr *transaction) error { return tr.Do(game.Resumed{}) })
}

// Extend gives all sides that owe an answer so much longer, or only one side.
// A deadline that has passed counts from now.
func (c *Clerk) Extend(ctx context.Context, id string, side engine.Side, by time.Duration) error {
	return c.act(ctx, id, func(tr *transaction) error {
		return tr.Do(game.Extended{Side: side, By: by})
	})
}

// ExtendUntil moves the deadlines to a moment, which is later than they are.
func (c *Clerk) ExtendUntil(ctx context.Context, id string, side engine.Side, until time.Time) error {
	return c.act(ctx, id, func(tr *transaction) error {
		return tr.Do(game.Extended{Side: side, Until: until})
	})
}

// Remind sends what they owe to all sides that have not answered, or to one.
func (c *Clerk) Remind(ctx context.Context, id string, side engine.Side) error {
	return c.act(ctx, id, func(tr *transaction) error { return tr.Do(game.Reminded{Side: side}) })
}

// Replace gives a seat to another player: he gets a key of his own and the
// present report; the old key is no longer valid. An answer in force stays in force
// until the new player sends another.
func (c *Clerk) Replace(ctx context.Context, id string, side engine.Side, by log.Person) error {
	return c.act(ctx, id, func(tr *transaction) error { return tr.Do(game.Replaced{Side: side, To: by}) })
}

// Close ends a game before the rules do. The seed of its dice is published.
func (c *Clerk) Close(ctx context.Context, id, reason string) error {
	return c.act(ctx, id, func(tr *transaction) error { return tr.Do(game.BrokenOff{Reason: reason}) })
}

// Answer gives an order file for a player, as the game master. The file need
// not have a key. A file with faults changes nothing.
func (c *Clerk) Answer(ctx context.Context, id string, side engine.Side, file string) (orders.Problems, error) {
	var faults orders.Problems
	err := c.act(ctx, id, func(tr *transaction) error {
		s := tr.Game.Seat(side)
		if s == nil {
			return game.Refuse("office.gm.no-side", phrase.Literal("side", string(side)))
		}
		doc, problems := orders.Parse(file, nil)
		if len(problems) > 0 {
			faults = problems
			return nil
		}
		req := &request{transaction: tr, intake: arrived(c.office, intake.Letter{Mail: &mail.Letter{}, Now: tr.Now, From: tr.Game.GM.Address}), doc: doc, who: intake.Who{Gm: true}}
		if named := intake.FoldGame(doc.Game); named != "" && named != tr.Game.ID {
			req.problems = append(req.problems, req.fault("game", phrase.Say("office.wrong-game", phrase.Literal("game", doc.Game), phrase.Literal("is", tr.Game.ID))))
		}
		if err := req.answer(s, true); err != nil {
			return err
		}
		faults = req.faults
		return nil
	})
	return faults, err
}
