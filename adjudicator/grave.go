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
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// To give a seat to somebody else, or to end a game, is grave as a ruling is: one word
// wrong, and a stranger has a side's briefing, or everybody the seed. So they are
// shown first, too, and count once their code confirms them. The code hangs on nothing
// that a game master who plays may not know, so that it tells him nothing.

// A grave act is one of these.
type grave struct {
	Kind   string      `json:"kind"` // the command
	Side   engine.Side `json:"side,omitempty"`
	To     log.Person  `json:"to,omitzero"`
	Reason string      `json:"reason,omitempty"`
}

const (
	graveReplace = "replace"
	graveClose   = "close"
)

// graveCode is what confirms an act: it holds for this act, at this stop, while the
// same person has the seat.
func (d *desk) graveCode(a grave) string {
	text, err := json.Marshal(a)
	if err != nil { // it is plain data
		panic(err)
	}
	epoch := -1
	if s := d.Game.Seat(a.Side); s != nil {
		epoch = s.Epoch
	}
	sum := d.office.keys.Derive("grave", d.Game.ID, string(text), strconv.Itoa(d.Game.Stop), strconv.Itoa(epoch))
	code := intake.KeyLetters.EncodeToString(sum[:5])
	return code[:4] + "-" + code[4:]
}

// mayAct tells why an act can't be done, as far as that can be known before.
func (d *desk) mayAct(a grave) error {
	if a.Kind == graveReplace {
		return game.MayReplace(d.Game, a.Side, a.To.Address, d.Masters)
	}
	if d.Game.Phase != game.Running {
		return game.Refuse("office.gm.ended")
	}
	return nil
}

// input is the act as an input of the game.
func (a grave) input() game.Input {
	if a.Kind == graveReplace {
		return game.Replaced{Side: a.Side, To: a.To}
	}
	return game.BrokenOff{Reason: a.Reason}
}

// grave does what a letter with one of the commands says if its code fits, else shows
// it. It tells whether it was done.
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
		return true, c.Do(a.input())
	}
	n := c.letters.Master().Grave(a.input())
	if confirm != "" {
		n.Lines = append([]phrase.Phrase{phrase.Say("office.grave.stale")}, n.Lines...)
	}
	key := c.office.keys.GM(c.Game)
	if c.reader != nil {
		var err error
		if key, err = c.office.OfficeKey(c.reader.Address); err != nil {
			return false, err
		}
	}
	n.Lines = append(n.Lines, phrase.Say("office.rule.confirm", phrase.Literal("code", code)))
	n.Texts = []string{c.letters.Master().GraveForm(a.input(), key, code)}
	c.done("gm command: "+a.Kind+", shown", mail.Processed)
	return false, c.sendGM(n)
}

// A GravePreview is what an act would do, or did.
type GravePreview struct {
	Done bool   // it counts
	Code string // what confirms it; "" if it counts
	Text string // for who asks
}

// ReplaceIf gives a seat to another player, as [Clerk.Replace] does, if the code of a
// preview confirms it or the asker is sure without one; else it previews it.
func (c *Clerk) ReplaceIf(ctx context.Context, id string, side engine.Side, by log.Person, confirm string, sure bool) (*GravePreview, error) {
	by.Address = mailbox.Clean(by.Address)
	return c.graveIf(ctx, id, grave{Kind: graveReplace, Side: side, To: by}, confirm, sure)
}

// CloseIf ends a game, as [Clerk.Close] does, if the code of a preview confirms it or
// the asker is sure without one; else it previews it.
func (c *Clerk) CloseIf(ctx context.Context, id, reason, confirm string, sure bool) (*GravePreview, error) {
	return c.graveIf(ctx, id, grave{Kind: graveClose, Reason: reason}, confirm, sure)
}

// errOnlyShown ends a change that was none.
var errOnlyShown = errors.New("only shown")

func (c *Clerk) graveIf(ctx context.Context, id string, a grave, confirm string, sure bool) (*GravePreview, error) {
	var out GravePreview
	err := c.act(ctx, id, func(d *desk) error {
		if err := d.mayAct(a); err != nil {
			return err
		}
		out.Code = d.graveCode(a)
		n := d.letters.Master().Grave(a.input())
		if confirm != "" && !intake.SameKey(confirm, out.Code) {
			n.Lines = append([]phrase.Phrase{phrase.Say("office.grave.stale")}, n.Lines...)
		} else if confirm != "" || sure {
			out = GravePreview{Done: true}
			return d.Do(a.input())
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
