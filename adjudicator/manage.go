package adjudicator

import (
	"context"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// manage does what a game master's letter says of the stop that is open, of a seat, or of the set-up, once
// its code confirms it.
func (c *gmCommand) manage() (done bool, err error) {
	a := grave{Kind: c.doc.Command, Reason: c.reason}
	switch a.Kind {
	case graveProcess:
		a.Reason = ""
		if c.doc.Stop != 0 && c.doc.Stop != c.Game.Stop && c.value("confirm") == nil {
			return false, game.Refuse("office.process.stop", phrase.Number("stop", c.doc.Stop), phrase.Number("open", c.Game.Stop))
		}
	case graveVacate:
		if c.side == "" {
			return false, c.refuseGM(orders.Problems{c.fault("command", phrase.Say("office.gm.which-side"))})
		}
		a.Side = c.side
	case graveChange:
		n := c.value("set")
		if n == nil {
			return false, c.refuseGM(orders.Problems{c.fault("command", phrase.Say("office.change.nothing"))})
		}
		var problems orders.Problems
		if a.Change, problems = c.office.Clerk().setReader().ReadChange(n, c.Loaded); len(problems) > 0 {
			return false, c.refuseGM(problems)
		}
		a.set, a.Reason = n, ""
	}
	return c.grave(a)
}

// A Management is what a game master does with a running game that is shown first.
type Management struct {
	Kind   string      // process, vacate or change
	Side   engine.Side // of vacate
	Reason string      // of vacate: told to who loses the seat
	Set    string      // of change: keys and values as in a set-up
}

// Manage does it if the code of a preview confirms it or the caller is sure without a preview; otherwise it
// previews it.
func (c *Clerk) Manage(ctx context.Context, id string, what Management, confirm string, sure bool) (*GravePreview, error) {
	a := grave{Kind: what.Kind, Side: what.Side, Reason: what.Reason}
	if a.Kind == graveChange {
		n, problems := orders.ParseNode([]byte(what.Set))
		if len(problems) > 0 {
			return nil, problems
		}
		err := c.office.look(id, func(tr *transaction) error {
			if a.Change, problems = c.setReader().ReadChange(n, tr.Loaded); len(problems) > 0 {
				return problems
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return c.graveIf(ctx, id, a, confirm, sure)
}
