package adjudicator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// To give a seat to somebody else, or to end a game, is as grave as a ruling: after one
// wrong word a stranger has a side's briefing, or everybody knows the seed. So these acts are
// shown first, too, and are done only when their code confirms them. The code depends on
// nothing that a game master who plays may not know, so it tells him nothing.

// A grave act is one of these acts.
type grave struct {
	Kind   string      `json:"kind"` // the command
	Side   engine.Side `json:"side,omitempty"`
	To     log.Person  `json:"to,omitzero"`
	Reason string      `json:"reason,omitempty"`
	By     string      `json:"by,omitempty"`   // address of the game master who hands over
	Gone   bool        `json:"gone,omitempty"` // the further game master is none any more

	Change game.Changed `json:"change,omitzero"`
	set    *orders.Node // as it was written
}

const (
	graveReplace = "replace"
	graveClose   = "close"
	graveHand    = "hand-over" // another is the first game master, and whoever asks for it none any more
	graveMaster  = "co-master" // one more game master, or one less
	graveProcess = "process"   // the stop is resolved before its time
	graveVacate  = "vacate"    // a seat is taken from its player
	graveChange  = "change"    // what the set-up says
)

// graveCode is the code that confirms an act: it holds for this act, at this stop, while the
// same person has the seat. Who plays may close a game, and must not learn from it whether a stop was resolved.
func (tr *transaction) graveCode(a grave) string {
	text, err := json.Marshal(a)
	if err != nil { // an act is plain data
		panic(err)
	}
	epoch := -1
	if s := tr.Game.Seat(a.Side); s != nil {
		epoch = s.Epoch
	}
	stop := tr.Game.Stop
	if a.Kind == graveClose {
		stop = 0
	}
	return tr.office.keys.Code("grave", tr.Game.ID, string(text), strconv.Itoa(stop), strconv.Itoa(epoch))
}

// mayAct tells why an act can't be done, as far as that can be known before.
func (tr *transaction) mayAct(a grave) error {
	switch a.Kind {
	case graveReplace:
		return game.MayReplace(tr.Game, a.Side, a.To.Address, tr.Masters)
	case graveHand, graveMaster:
		if tr.Game.League != "" {
			return game.Refuse("office.masters.league")
		}
		return game.MayMaster(tr.Game, a.masters(tr.Game))
	}
	if in, ok := a.input(tr.Game).(game.Guarded); ok {
		return in.May(tr.Game)
	}
	if tr.Game.Phase != game.Running {
		return game.Refuse("office.gm.ended")
	}
	return nil
}

// masters are the game masters after the act, in their order.
func (a grave) masters(g *game.State) (all []log.Person) {
	address := mailbox.Clean(a.To.Address)
	if a.Kind == graveHand {
		all = append(all, a.To)
	}
	for _, p := range g.MastersOf() {
		if p.Address == address && (a.Gone || a.Kind == graveHand) || a.Kind == graveHand && p.Address == a.By {
			continue
		}
		all = append(all, p)
	}
	if a.Kind == graveMaster && !a.Gone {
		all = append(all, a.To)
	}
	return all
}

// input is the act as an input of the game.
func (a grave) input(g *game.State) game.Input {
	switch a.Kind {
	case graveReplace:
		return game.Replaced{Side: a.Side, To: a.To}
	case graveHand, graveMaster:
		return game.Mastered{Masters: a.masters(g), By: log.ByGM}
	case graveProcess:
		return game.Processed{Stop: g.Stop}
	case graveVacate:
		return game.Vacated{Side: a.Side, Reason: a.Reason}
	case graveChange:
		return a.Change
	}
	return game.BrokenOff{Reason: a.Reason}
}

// grave does what a letter with one of these commands says if its code fits; otherwise it
// shows what would be done. It tells whether it was done.
func (c *gmCommand) grave(a grave) (bool, error) {
	if err := c.mayAct(a); err != nil {
		return false, err
	}
	confirm := ""
	if n := c.value("confirm"); n != nil {
		confirm, _ = orders.NewReader(game.Vocabulary).Text(n)
	}
	code := c.graveCode(a)
	if confirm != "" && intake.SameKey(confirm, code) {
		return true, c.Do(a.input(c.Game))
	}
	n := c.letters.Master().Grave(a.input(c.Game))
	if confirm != "" {
		n.Lines = append([]phrase.Phrase{phrase.Say("office.grave.stale")}, n.Lines...)
	}
	key, err := c.masterKey()
	if err != nil {
		return false, err
	}
	n.Lines = append(n.Lines, phrase.Say("office.rule.confirm", phrase.Literal("code", code)))
	n.Texts = []string{c.letters.Master().GraveForm(a.input(c.Game), report.Asked{Command: a.Kind, Key: key, Code: code, To: a.To, Gone: a.Gone, Set: a.set})}
	c.done("gm command: "+a.Kind+", shown", mail.Processed)
	return false, c.sendGM(n)
}

// masterKey is the key with which the writer of a game master's letter writes about the game.
func (tr *transaction) masterKey() (string, error) { return tr.keyOf(tr.reader) }

// keyOf is the key with which somebody who looks after the game writes about it; nil is the game master.
func (tr *transaction) keyOf(p *log.Person) (string, error) {
	switch {
	case p == nil:
		return tr.office.keys.GM(tr.Game), nil
	case tr.Game.Master(p.Address) != nil:
		return tr.office.keys.Master(tr.Game, *p), nil
	}
	return tr.office.OfficeKey(p.Address)
}

// A GravePreview is what an act would do, or has done.
type GravePreview struct {
	Done bool   // it counts
	Code string // what confirms it; "" if it counts
	Text string // for who asks
}

// ReplaceIf gives a seat to another player, as [Clerk.Replace] does, if the code of a
// preview confirms it or the caller is sure without a preview; otherwise it previews it.
func (c *Clerk) ReplaceIf(ctx context.Context, id string, side engine.Side, by log.Person, confirm string, sure bool) (*GravePreview, error) {
	if by.Bot == "" {
		by.Address = mailbox.Clean(by.Address)
	}
	return c.graveIf(ctx, id, grave{Kind: graveReplace, Side: side, To: by}, confirm, sure)
}

// CloseIf ends a game, as [Clerk.Close] does, if the code of a preview confirms it or
// the caller is sure without a preview; otherwise it previews it.
func (c *Clerk) CloseIf(ctx context.Context, id, reason, confirm string, sure bool) (*GravePreview, error) {
	return c.graveIf(ctx, id, grave{Kind: graveClose, Reason: reason}, confirm, sure)
}

// errOnlyShown ends a change in which nothing was changed.
var errOnlyShown = errors.New("only shown")

func (c *Clerk) graveIf(ctx context.Context, id string, a grave, confirm string, sure bool) (*GravePreview, error) {
	var out GravePreview
	err := c.act(ctx, id, func(tr *transaction) error {
		out = GravePreview{}
		if err := tr.mayAct(a); err != nil {
			return err
		}
		out.Code = tr.graveCode(a)
		n := tr.letters.Master().Grave(a.input(tr.Game))
		if confirm != "" && !intake.SameKey(confirm, out.Code) {
			n.Lines = append([]phrase.Phrase{phrase.Say("office.grave.stale")}, n.Lines...)
		} else if confirm != "" || sure {
			out = GravePreview{Done: true}
			return tr.Do(a.input(tr.Game))
		}
		n.Heading.Reader.Language = templates.Languages[0]
		out.Text = c.office.words.Notice(n).Text
		return errOnlyShown
	})
	if errors.Is(err, errOnlyShown) {
		return &out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Kind, err)
	}
	return &out, nil
}
