package adjudicator

import (
	"context"
	"errors"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Roles. A game has a game master; the administrators of the office may do in every
// game what its game master may, with the office's key; whoever has the office's
// machine, and so the database, may do it on the command line. The log has who did
// it, in a part that no player reads.
//
// A game master or administrator who plays in the game learns nothing hidden and
// rules on nothing, unless the set-up says gm-plays: open. By letter his key tells
// who he is. On the command line nobody can: in a game in which one of them plays
// whoever asks for something hidden, or rules, must name a game master or
// administrator who does not play; that one, the log and all players are told. So he
// can lie, for he has the database, but not unseen.

// asAdministrator does what an administrator's letter with the office's key says
// about a game, if it proves what the game asks of everybody.
func (it *arrival) asAdministrator(ctx context.Context, game string, gm log.Person, doc *orders.Document) (mail.Folder, error) {
	return it.proven(ctx, nil, game, func(d *desk) (*request, error) {
		doc, problems, err := it.Prove(d.Game, d.Game.SignsFor(&gm), doc, nil)
		var unproven *intake.UnprovenError
		if errors.As(err, &unproven) && unproven.Code == "no-public-key" {
			unproven.Code = "no-administrator-key"
		}
		if err != nil {
			return nil, err
		}
		d.reader = &gm
		return &request{desk: d, intake: it, doc: doc, problems: problems, who: intake.Who{Gm: true}}, nil
	})
}

// An Operator is who acts on the command line.
type Operator struct {
	Name   string // as he calls himself: his login, or an address
	person *log.Person
}

// operatorKey is where a context keeps its operator.
type operatorKey struct{}

// WithOperator says who acts on the command line: the log has his name with
// whatever he does as game master.
func WithOperator(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, operatorKey{}, &Operator{Name: phrase.OneLine(phrase.Clip(name, 200))})
}

func operatorOf(ctx context.Context) *Operator {
	if o, ok := ctx.Value(operatorKey{}).(*Operator); ok {
		return o
	}
	return &Operator{}
}

// who is how the log names an operator.
func (o *Operator) who() string {
	if o.Name == "" {
		return "command line"
	}
	return "command line: " + o.Name
}

// named is how players are told of him: by the name of the game master or
// administrator whom he says that he is, if he must say so; else not at all.
func (o *Operator) named() string {
	switch {
	case o.person == nil:
		return ""
	case o.person.Name != "":
		return o.person.Name
	}
	return o.person.Address
}

// Operate asks leave for something that is done on the command line with a game, by
// the operator of the context, and that shows what is hidden or, with rules, rules on
// it; what names it. In a game in which nobody plays who looks after it, leave is always
// given. Otherwise he must have named a game master or administrator who
// does not play in it: this one is told in a letter, as are all players, and the log
// has it. The context returned knows him. The error is a [RefusedError] if there is
// no leave.
func (c *Clerk) Operate(ctx context.Context, id, what string, rules bool) (context.Context, error) {
	who := operatorOf(ctx)
	free := false
	err := c.office.look(intake.FoldGame(id), func(d *desk) error {
		free = !game.Partial(d.Game, d.Masters) || d.Game.Phase != game.Running && !rules
		if free {
			return nil
		}
		var names []string
		for _, p := range game.Wardens(d.Game, d.Masters) {
			if names = append(names, p.Address); p.Address == mailbox.Clean(who.Name) {
				who = &Operator{Name: p.Address, person: &p}
			}
		}
		if who.person == nil {
			return game.Refuse("office.gm.guarded", phrase.Literals("names", names))
		}
		return nil
	})
	if err != nil || free {
		return ctx, err
	}
	ctx = context.WithValue(ctx, operatorKey{}, who)
	return ctx, c.act(ctx, id, func(d *desk) error {
		return d.Do(game.LookedInto{What: what, By: *who.person, Name: who.named(), Ruling: rules})
	})
}
