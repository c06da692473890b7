package adjudicator

import (
	"context"
	"errors"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/ruling"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// readAct reads what a letter about a game asks for.
func readAct(t *game.Loaded, doc *orders.Document) (*ruling.Act, orders.Problems) {
	return ruling.Read(doc, ruling.Words{
		Sides: intake.SideChoices(t.Position, templates.Languages),
		Options: func(r *orders.Reader, n *orders.Node, into map[string]string) {
			intake.ReadOptions(r, n, t.Rules.About(), into)
		},
	})
}

// A RulePreview is the result of asking for a ruling or a rewind on the command
// line.
type RulePreview struct {
	Done bool   // it counts
	Code string // what confirms it; "" if it counts
	Text string // for the game master
}

// Rule previews a ruling or a rewind, written as in a letter (command: rule or
// command: rewind); or it does it, if the code of the last preview confirms it
// or the caller is sure without a preview. With a code the text may be empty. The error is
// a [RefusedError] or [orders.Problems] if it can't be done.
func (c *Clerk) Rule(ctx context.Context, id, text, confirm string, sure bool) (*RulePreview, error) {
	var out RulePreview
	err := c.act(ctx, id, func(tr *transaction) error {
		var a *ruling.Act
		if strings.TrimSpace(text) != "" {
			doc, problems := orders.Parse(text, nil)
			if len(problems) == 0 {
				a, problems = readAct(tr.Loaded, doc)
			}
			if len(problems) > 0 {
				problems.Sort()
				return problems
			}
		}
		if a == nil && confirm == "" {
			return game.Refuse("office.rule.nothing-to-confirm")
		}
		h := hearing{tr}
		n, done, err := h.hear(a, confirm, sure)
		if err != nil {
			return err
		}
		if out.Done = done; !done {
			if a == nil {
				if a, err = h.pending(); err != nil {
					return err
				}
			}
			out.Code = h.code(a)
		}
		n.Heading.Reader.Language = templates.Languages[0]
		out.Text = c.office.words.Notice(n).Text
		return nil
	})
	return &out, err
}

// rule does what a letter with command: rule or command: rewind asks for.
func (c *gmCommand) rule() error {
	confirm := ""
	r := orders.NewReader(game.Vocabulary)
	if n := c.value("confirm"); n != nil {
		confirm, _ = r.Text(n)
	}
	var a *ruling.Act
	if confirm == "" || c.value("reason") != nil {
		var problems orders.Problems
		if a, problems = readAct(c.Loaded, c.doc); len(problems) > 0 {
			return c.refuseGM(problems)
		}
	}
	n, _, err := hearing{c.transaction}.hear(a, confirm, false)
	var refused *game.RefusedError
	var problems orders.Problems
	switch {
	case errors.As(err, &refused):
		return c.refuseGM(orders.Problems{c.fault(atSet(c.doc, refused.Why), refused.Why)})
	case errors.As(err, &problems):
		return c.refuseGM(problems)
	case err != nil:
		return err
	}
	return c.sendGM(n)
}

// ofSet are the refusals that are about what is to be set.
var ofSet = []string{"office.rule.not-read", "office.rule.other-sides", "office.rule.nothing-owed", "office.rule.not-the-same", "office.rule.no-change"}

// atSet is the key of a letter at which a refusal is told.
func atSet(doc *orders.Document, why phrase.Phrase) string {
	if doc.Field("set") != nil && slices.Contains(ofSet, why.Code) {
		return "set"
	}
	return "command"
}
