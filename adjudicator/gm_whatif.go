package adjudicator

import (
	"errors"
	"strings"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// mostTriedDice bounds the dice that a letter gives.
const mostTriedDice = 200

// whatIf answers what would happen at a stop, or would have happened, with the orders for a side and the dice that the
// letter gives. Nothing is changed, and nobody else is told.
func (c *gmCommand) whatIf() error {
	q := WhatIfQuestion{Stop: c.doc.Stop, Orders: map[engine.Side]string{}}
	if c.doc.Orders != nil {
		if c.side == "" {
			return c.refuseGM(orders.Problems{c.fault("orders", phrase.Say("office.gm.which-side"))})
		}
		q.Orders[c.side] = orders.Mapping().Set("orders", c.doc.Orders.Clone()).Encode()
	}
	if n := c.value("result"); n != nil {
		for _, item := range c.r.List(n) {
			die, _ := c.r.Int(item, 0, 1000)
			q.Dice = append(q.Dice, die)
		}
		if len(q.Dice) > mostTriedDice {
			c.r.Refuse(n, "", phrase.Say("office.what-if.dice", phrase.Number("most", mostTriedDice)))
		}
	}
	if len(c.r.Problems) > 0 {
		return c.refuseGM(c.r.Problems)
	}
	w, err := trial{c.Turn, c.past}.play(q)
	var refused *game.RefusedError
	var problems orders.Problems
	switch {
	case errors.As(err, &problems):
		return c.refuseGM(problems)
	case errors.As(err, &refused):
		return c.refuseGM(orders.Problems{c.fault("command", refused.Why)})
	case err != nil:
		return err
	}
	n := c.letters.Master().Short(phrase.Say("office.what-if.subject", phrase.Number("stop", w.Stop)))
	n.Lines = append(n.Lines, sayTried(w)...)
	var changes string
	for _, change := range w.Changes {
		changes += change.Path + ": " + phrase.OneLine(change.Old) + " -> " + phrase.OneLine(change.New) + "\n"
	}
	if changes != "" {
		n.Files = append(n.Files, templates.File{Name: "changes.txt", Type: "text/plain", Data: []byte(changes)})
	}
	return c.sendGM(n)
}

// sayTried says how a stop went that was tried out: by which answers and dice, what each side would be told, and
// how the game stands then.
func sayTried(w *WhatIf) []phrase.Phrase {
	lines := []phrase.Phrase{phrase.Say("office.what-if.nothing-changed")}
	for _, a := range w.Answers {
		lines = append(lines, phrase.Say("office.what-if.answer", game.SideName(a.Decision.Side), phrase.Within("from", phrase.Say("office.what-if.from-"+strings.ReplaceAll(a.From, " ", "-"))), phrase.Literal("orders", phrase.OneLine(a.Orders))))
	}
	for i, r := range w.Rolls {
		lines = append(lines, phrase.Say("office.what-if.roll", phrase.Number("n", i+1), phrase.Number("sides", r.Sides), phrase.Number("result", r.Result), phrase.Within("from", phrase.Say("office.what-if.from-"+r.From))))
	}
	for _, e := range w.Events {
		for _, t := range e.Tellings {
			lines = append(lines, phrase.Say("office.what-if.told", phrase.Names("to", "side", game.SideIDs(t.To)), phrase.Within("say", t.Say)))
		}
	}
	if w.Outcome != nil {
		lines = append(lines, phrase.Say("office.what-if.over", phrase.Within("why", w.Outcome.Reason)))
	}
	return lines
}
