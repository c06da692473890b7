package adjudicator

import (
	"context"
	"errors"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Roles. A game has a game master. The administrators of the office may do in every
// game what its game master may, with the office's key. Whoever has the office's
// machine, and so the database, may do it on the command line. The log says who did
// it, in a part that no player reads.
//
// A game master or administrator who plays in the game learns nothing hidden and
// makes no rulings, unless the set-up says gm-plays: open. By letter, his key tells
// who he is. On the command line nobody can tell: in a game in which one of them plays,
// whoever asks for something hidden, or makes a ruling, must name a game master or
// administrator who does not play; that person and all players are told, and the log has it. The same holds in a game of a
// league whose umpire, or an administrator, gains or loses by it there.
// So he can lie, for he has the database, but not unseen.

// asAdministrator does what an administrator's letter with the office's key says
// about a game, if it gives the proof that the game demands of everybody.
func (it *arrival) asAdministrator(ctx context.Context, game string, gm log.Person, doc *orders.Document) (mail.Folder, error) {
	gains, err := umpireGains(it.office, game, it.From) // outside, as for umpires
	if err != nil {
		return mail.Leave, err
	}
	list, err := listFor(it, doc)
	if err != nil {
		return mail.Leave, err
	}
	return it.proven(ctx, nil, game, func(tr *transaction) (*request, error) {
		doc, problems, err := it.Prove(tr.Game.ProofLevel(), tr.Game.SignsFor(&gm), doc, nil)
		var unproven *intake.UnprovenError
		if errors.As(err, &unproven) && unproven.Code == "no-public-key" {
			unproven.Code = "no-administrator-key"
		}
		if err != nil {
			return nil, err
		}
		tr.reader = &gm
		report.ReadBy(tr.letters, tr.reader, gains)
		return &request{transaction: tr, intake: it, doc: doc, problems: problems, who: intake.Who{Gm: true}, gains: gains, games: list}, nil
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

// named is the name by which players are told of him: that of the game master or
// administrator who he says he is, if he must say so; otherwise they are not told.
func (o *Operator) named() string {
	switch {
	case o.person == nil:
		return ""
	case o.person.Name != "":
		return o.person.Name
	}
	return o.person.Address
}

// Operate asks for permission for something that the operator of the context does with a
// game on the command line, and that shows what is hidden or, with rules, makes a ruling;
// what names it. If neither the game master nor an administrator plays in the game, or gains or loses by it in its league,
// permission is always given. Otherwise the operator must have named a game master or administrator who
// does neither: that person and all players are told in a letter, and the log
// has it. The context that is returned knows him. The error is a [RefusedError] if permission
// is not given.
func (c *Clerk) Operate(ctx context.Context, id, what string, rules bool) (context.Context, error) {
	who := operatorOf(ctx)
	free := false
	gain, err := gainers(c.office, intake.FoldGame(id)) // outside, since a league is not asked while one of its games is looked at
	if err != nil {
		return ctx, err
	}
	err = c.office.look(intake.FoldGame(id), func(tr *transaction) error {
		free = !game.Partial(tr.Game, tr.Masters) && len(gain) == 0 || tr.Game.Phase != game.Running && !rules
		if free {
			return nil
		}
		var names []string
		for _, p := range game.Wardens(tr.Game, tr.Masters) {
			if slices.ContainsFunc(gain, func(one string) bool { return mailbox.Same(one, p.Address) }) {
				continue
			}
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
	return ctx, c.act(ctx, id, func(tr *transaction) error {
		return tr.Do(game.LookedInto{What: what, By: *who.person, Name: who.named(), Ruling: rules})
	})
}
