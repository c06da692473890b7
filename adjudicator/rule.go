package adjudicator

import (
	"context"
	"errors"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// An act is a ruling or a rewind as a game master asks for it.
type act struct {
	Kind    string        `json:"kind"` // of a [Ruling], or "rewind"
	Dispute uint64        `json:"dispute,omitempty"`
	Entry   uint64        `json:"entry,omitempty"` // that is accepted, refused or overruled
	Stop    int           `json:"stop,omitempty"`  // of the game; 0: the present one
	First   bool          `json:"first,omitempty"` // what was rolled before the first stop: stop 0
	Roll    int           `json:"roll,omitempty"`
	Result  int           `json:"result,omitempty"`
	Set     string        `json:"set,omitempty"`
	Orders  string        `json:"orders,omitempty"` // to be carried out in place of a refused file's
	Option  string        `json:"option,omitempty"`
	Value   string        `json:"value,omitempty"`
	Winners []engine.Side `json:"winners,omitempty"`
	Same    bool          `json:"same,omitempty"` // a rewind runs on with the same orders
	Reason  string        `json:"reason"`
	Tell    string        `json:"tell,omitempty"`

	at *orders.Node // where the letter says what to set
}

// readAct reads what a letter asks for.
func (d *desk) readAct(doc *orders.Document) (*act, orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	at := doc.Field("command")
	number := func(key string) uint64 {
		n := doc.Field(key)
		if n == nil {
			return 0
		}
		v, _ := r.Int(n, 1, 1<<30)
		return uint64(max(v, 0))
	}
	text := func(key string) string {
		n := doc.Field(key)
		if n == nil {
			return ""
		}
		t, _ := r.Text(n)
		return phrase.Clip(strings.TrimSpace(t), log.LongestReason)
	}
	a := &act{Dispute: number("dispute"), Stop: doc.Stop, Reason: phrase.OneLine(text("reason")), Tell: phrase.OneLine(text("tell"))}
	if a.Reason == "" {
		r.RefuseWith(at, "", phrase.Say("office.rule.no-reason"), phrase.Say("office.rule.write-reason"))
	}
	if doc.Command == "rewind" {
		a.Kind = log.ActRewind
		if doc.Field("stop") == nil {
			r.RefuseWith(at, "", phrase.Say("office.rule.no-stop"), phrase.Say("office.rule.rewind-form"))
		}
		switch n := doc.Field("orders"); {
		case n == nil:
			r.RefuseWith(at, "", phrase.Say("office.rule.which-orders"), phrase.Say("office.rule.rewind-form"))
		default:
			word, _ := r.Word(n, "same", "new")
			a.Same = word == "same"
		}
		return a, r.Problems
	}
	var asked []string
	for _, key := range []string{"roll", "set", "accept", "refuse", "outcome", "option", "overrule", "decision"} {
		if doc.Field(key) != nil && !(key == "set" && doc.Field("accept") != nil) {
			asked = append(asked, key)
		}
	}
	if len(asked) != 1 {
		r.RefuseWith(at, "", phrase.Say("office.rule.one-thing", phrase.Number("n", len(asked))), phrase.Say("office.rule.forms"))
		return a, r.Problems
	}
	if n := doc.Field("set"); n != nil {
		if n.Kind != orders.Map || len(n.Pairs) == 0 {
			r.RefuseWith(n, "", phrase.Say("office.rule.set-map"), phrase.Say("office.rule.set-form"))
		}
		a.Set, a.at = n.Encode(), n
	}
	d.readOne(r, doc, a, asked[0], number)
	return a, r.Problems
}

// readOne reads the one thing that a ruling does.
func (d *desk) readOne(r *orders.Reader, doc *orders.Document, a *act, asked string, number func(string) uint64) {
	at := doc.Field("command")
	n := doc.Field(asked)
	switch asked {
	case "roll":
		a.Kind, a.Roll, a.Result = log.ActDie, int(number("roll")), int(number("result"))
		a.First = stopZero(doc)
		if doc.Field("result") == nil || a.Stop == 0 && !a.First {
			r.RefuseWith(at, "", phrase.Say("office.rule.die-missing"), phrase.Say("office.rule.die-form"))
		}
	case "set":
		a.Kind = log.ActPosition
	case "accept":
		a.Kind, a.Entry = log.ActAccept, number("accept")
		if doc.Orders != nil {
			a.Orders = orders.Mapping().Set("orders", doc.Orders.Clone()).Encode()
		}
	case "refuse":
		a.Kind, a.Entry = log.ActRefuse, number("refuse")
	case "overrule":
		a.Kind, a.Entry = log.ActOverrule, number("overrule")
	case "decision":
		a.Kind = log.ActStands
		r.Word(n, "stands")
		if a.Dispute == 0 {
			r.RefuseWith(at, "", phrase.Say("office.rule.stands-what"), phrase.Say("office.rule.forms"))
		}
	case "outcome":
		a.Kind = log.ActOutcome
		if !r.Is(n, "draw") {
			for _, item := range r.List(n) {
				if id, ok := r.Pick(item, "setup-side", intake.SideChoices(d.Position, templates.Languages)); ok && !slices.Contains(a.Winners, engine.Side(id)) {
					a.Winners = append(a.Winners, engine.Side(id))
				}
			}
		}
	case "option":
		a.Kind = log.ActOption
		if n.Kind != orders.Map || len(n.Pairs) != 1 {
			r.RefuseWith(n, "", phrase.Say("office.rule.option-one"), phrase.Say("office.rule.option-form"))
			break
		}
		set := map[string]string{}
		intake.ReadOptions(r, n, d.Rules.About(), set)
		for name, value := range set { // one at most
			a.Option, a.Value = name, value
		}
	}
}

// stopZero tells whether a file names stop 0: what is rolled before the first stop,
// such as the hands that are dealt.
func stopZero(doc *orders.Document) bool {
	n := doc.Field("stop")
	if n == nil {
		return false
	}
	text, _ := orders.NewReader(game.Vocabulary).Text(n)
	return strings.TrimSpace(text) == "0"
}

// A RulePreview is what came of asking for a ruling or a rewind on the command
// line.
type RulePreview struct {
	Done bool   // it counts
	Code string // what confirms it; "" if it counts
	Text string // for the game master
}

// Rule previews a ruling or a rewind, written as in a letter (command: rule or
// command: rewind), or makes it count if the code of the last preview confirms it,
// or the asker is sure without one. With a code the text may be empty. The error is
// a [RefusedError] or [orders.Problems] if it can't be done.
func (c *Clerk) Rule(ctx context.Context, id, text, confirm string, sure bool) (*RulePreview, error) {
	var out RulePreview
	err := c.act(ctx, id, func(d *desk) error {
		var a *act
		if strings.TrimSpace(text) != "" {
			doc, problems := orders.Parse(text, nil)
			if len(problems) == 0 {
				a, problems = d.readAct(doc)
			}
			if len(problems) > 0 {
				problems.Sort()
				return problems
			}
		}
		if a == nil && confirm == "" {
			return game.Refuse("office.rule.nothing-to-confirm")
		}
		n, done, err := d.ruleOrPreview(a, confirm, sure)
		if err != nil {
			return err
		}
		if out.Done = done; !done {
			if a == nil {
				if a, err = d.pending(); err != nil {
					return err
				}
			}
			out.Code = d.ruleCode(a)
		}
		n.Heading.Reader.Language = templates.Languages[0]
		out.Text = c.office.words.Notice(n).Text
		return nil
	})
	return &out, err
}

// rule does what a letter with command: rule or command: rewind asks for.
func (v *visit) rule() error {
	confirm := ""
	r := orders.NewReader(game.Vocabulary)
	if n := v.value("confirm"); n != nil {
		confirm, _ = r.Text(n)
	}
	var a *act
	if confirm == "" || v.value("reason") != nil {
		var problems orders.Problems
		if a, problems = v.readAct(v.doc); len(problems) > 0 {
			return v.refuseGM(problems)
		}
	}
	n, _, err := v.ruleOrPreview(a, confirm, false)
	var refused *game.RefusedError
	var problems orders.Problems
	switch {
	case errors.As(err, &refused):
		return v.refuseGM(orders.Problems{v.fault(atSet(v.doc, refused.Why), refused.Why)})
	case errors.As(err, &problems):
		return v.refuseGM(problems)
	case err != nil:
		return err
	}
	return v.sendGM(n)
}

// ofSet are the refusals that are about what is to be set.
var ofSet = []string{"office.rule.not-read", "office.rule.other-sides", "office.rule.nothing-owed", "office.rule.not-the-same", "office.rule.no-change"}

// atSet is the key of a letter at which a refusal belongs.
func atSet(doc *orders.Document, why phrase.Phrase) string {
	if doc.Field("set") != nil && slices.Contains(ofSet, why.Code) {
		return "set"
	}
	return "command"
}
