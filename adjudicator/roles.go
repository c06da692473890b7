package adjudicator

import (
	"context"
	"errors"
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
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

// blindCommands are those that even a game master who plays may give. They show
// nothing hidden and treat all sides alike.
var blindCommands = []string{"pause", "resume", "extend", "remind", "close", "list", "help", "rules"}

// plays tells whether an address leads to a player's mailbox.
func (g *game) plays(address string) bool {
	return slices.ContainsFunc(g.Seats, func(s *seat) bool { return mailbox.Same(s.Person.Address, address) })
}

// blind tells whether someone who acts as game master may not see what is hidden,
// and why.
func (t *turn) blind(address string) (phrase.Phrase, bool) {
	if t.game.GMPlays || !t.game.plays(address) {
		return phrase.Phrase{}, false
	}
	return phrase.Say("office.gm.plays", phrase.Literals("commands", blindCommands)), true
}

// firstTable lists the seats for the game master's first letter, unless it tells
// him, who plays, whom the game waits for.
func (d *desk) firstTable() []engine.Table {
	if _, blind := d.blind(d.game.GM.Address); blind {
		return nil
	}
	return []engine.Table{d.seatTable()}
}

// asAdministrator does what an administrator's letter with the office's key says
// about a game, if it proves what the game asks of everybody.
func (it *intake) asAdministrator(ctx context.Context, game string, gm log.Person, doc *orders.Document) (mail.Folder, error) {
	return it.proven(ctx, nil, game, func(d *desk) (*visit, error) {
		doc, problems, err := it.prove(d.game, d.game.signsFor(&gm), doc, nil)
		var unproven *unprovenError
		if errors.As(err, &unproven) && unproven.code == "no-public-key" {
			unproven.code = "no-administrator-key"
		}
		if err != nil {
			return nil, err
		}
		d.reader = &gm
		return &visit{desk: d, intake: it, doc: doc, problems: problems, who: who{gm: true}}, nil
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
	return context.WithValue(ctx, operatorKey{}, &Operator{Name: oneLine(clip(name, 200))})
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

// partial tells whether what is hidden in a game must be kept from somebody who
// looks after it, since he plays in it.
func (o *Office) partial(g *game) bool {
	if g.GMPlays {
		return false
	}
	return g.plays(g.GM.Address) || slices.ContainsFunc(o.opt.GMs, func(p log.Person) bool { return g.plays(p.Address) })
}

// wardens are the game master and the administrators who do not play in a game.
func wardens(g *game, masters []log.Person) []log.Person {
	var all []log.Person
	for _, p := range append([]log.Person{g.GM}, masters...) {
		if !g.plays(p.Address) && !slices.ContainsFunc(all, func(q log.Person) bool { return q.Address == p.Address }) {
			all = append(all, p)
		}
	}
	return all
}

// Operate asks leave for something that is done on the command line with a game, by
// the operator of the context, and that shows what is hidden or, with rules, rules on
// it; what names it. In a game in which nobody plays who looks after it, leave is always
// given. Otherwise he must have named a game master or administrator who
// does not play in it: this one is told in a letter, as are all players, and the log
// has it. The context returned knows him. The error is a [RefusedError] if there is
// no leave.
func (o *Office) Operate(ctx context.Context, id, what string, rules bool) (context.Context, error) {
	who := operatorOf(ctx)
	free := false
	err := o.look(foldGame(id), func(d *desk) error {
		free = !o.partial(d.game) || d.game.Phase != running && !rules
		if free {
			return nil
		}
		var names []string
		for _, p := range wardens(d.game, d.masters) {
			if names = append(names, p.Address); p.Address == mailbox.Clean(who.Name) {
				who = &Operator{Name: p.Address, person: &p}
			}
		}
		if who.person == nil {
			return refuse("office.gm.guarded", phrase.Literals("names", names))
		}
		return nil
	})
	if err != nil || free {
		return ctx, err
	}
	ctx = context.WithValue(ctx, operatorKey{}, who)
	return ctx, o.act(ctx, id, func(d *desk) error {
		if !rules { // a ruling, and its preview, is in the log itself
			if err := d.note(log.Entry{Kind: log.KindLooked, By: log.ByGM, Data: map[string]string{"what": what}}); err != nil {
				return err
			}
		}
		say := []phrase.Phrase{phrase.Say("office.looked.what", phrase.Literal("name", who.named()), phrase.Literal("what", what)), phrase.Say("office.looked.why")}
		d.tellSeats(phrase.Say("office.looked.subject"), say...)
		d.tellWarden(*who.person, phrase.Say("office.looked.subject"), append(say, phrase.Say("office.looked.yours"))...)
		return nil
	})
}

// tellWarden queues news for somebody who looks after the game and does not play in
// it.
func (t *turn) tellWarden(p log.Person, subject phrase.Phrase, lines ...phrase.Phrase) {
	t.says(engine.GM, p, notice{subject: subject, lines: lines})
}

// tellWhoMayKnow queues news of what is hidden for the game master or, if he plays
// and may not know it, for the administrators who do not. It tells to how many.
func (t *turn) tellWhoMayKnow(subject phrase.Phrase, lines ...phrase.Phrase) int {
	if _, blind := t.blind(t.game.GM.Address); !blind {
		t.tellGM(subject, lines...)
		return 1
	}
	wardens := wardens(t.game, t.masters)
	for _, p := range wardens {
		t.tellWarden(p, subject, lines...)
	}
	return len(wardens)
}
