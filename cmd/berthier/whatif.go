package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"berthier/adjudicator"
	"berthier/engine"
	"berthier/orders/phrase"
)

type gameWhatIfCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string            `arg:"" help:"The game's id."`
	Stop       int               `help:"Number of a past stop; by default the present stop."`
	Orders     map[string]string `help:"Order file of a seat: french=plan.yaml. Other seats answer as the log has it; if it has no answer, by their orders in force; else by default." placeholder:"SEAT=FILE"`
	Default    []string          `help:"A seat that answers by default." placeholder:"SEAT"`
	Dice       []int             `help:"Results of the first rolls, such as 6,1,3. 0 leaves a roll to chance."`
	JSON       bool              `help:"Print JSON."`
	Texts      map[string]string `kong:"-"`
}

func (cmd *gameWhatIfCommand) Run(ctx context.Context, c *console) (err error) {
	cmd.Texts = map[string]string{}
	for side, file := range cmd.Orders {
		if cmd.Texts[side], err = readInput(file); err != nil {
			return err
		}
	}
	return perform(ctx, "what-if", cmd, cmd.configFlag, c)
}

func (cmd *gameWhatIfCommand) do(_ context.Context, h *office, c *console) error {
	q := adjudicator.WhatIfQuestion{Stop: cmd.Stop, Dice: cmd.Dice, Orders: map[engine.Side]string{}}
	for side, text := range cmd.Texts {
		q.Orders[engine.Side(side)] = text
	}
	for _, side := range cmd.Default {
		q.Defaults = append(q.Defaults, engine.Side(side))
	}
	w, err := h.WhatIf(cmd.Game, q)
	if err != nil {
		return err
	}
	if cmd.JSON {
		return printJSON(c.out, w)
	}
	_, err = io.WriteString(c.out, whatIfText(h, w))
	return err
}

// whatIfText writes the result of a what-if: answers, dice, what each side would be told,
// and what is different afterwards.
func whatIfText(h *office, w *adjudicator.WhatIf) string {
	var b strings.Builder
	say := func(p phrase.Phrase) string { return h.words.Say("en", p, w.View.Spell) }
	fmt.Fprintf(&b, "game %s, stop %d, on a copy: nothing was changed\n", w.Game, w.Stop)
	fmt.Fprintln(&b, "\nANSWERS")
	for _, a := range w.Answers {
		fmt.Fprintf(&b, "%s (%s)\n%s", decided(a.Decision), a.From, indented(a.Orders))
	}
	if len(w.Rolls) > 0 {
		fmt.Fprintln(&b, "\nDICE")
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for i, r := range w.Rolls {
			fmt.Fprintf(t, "%d\td%d\t%d\t%s\t%s\n", i+1, r.Sides, r.Result, r.From, say(r.Purpose))
		}
		t.Flush()
	}
	if w.Unused > 0 {
		fmt.Fprintf(&b, "%d of the given dice were not rolled\n", w.Unused)
	}
	fmt.Fprintln(&b, "\nTOLD")
	for _, e := range w.Events {
		for _, told := range e.Tellings {
			clause := ""
			if e.Clause != "" {
				clause = " [" + e.Clause + "]"
			}
			fmt.Fprintf(&b, "%s: %s%s\n", sides(told.To), say(told.Say), clause)
		}
	}
	fmt.Fprintln(&b, "\nPOSITION")
	for _, change := range w.Changes {
		fmt.Fprintf(&b, "%s: %s -> %s\n", change.Path, orNothing(change.Old), orNothing(change.New))
	}
	fmt.Fprintln(&b, "\nTHEN")
	if w.Outcome != nil {
		winners := "nobody wins"
		if len(w.Outcome.Winners) > 0 {
			winners = sides(w.Outcome.Winners) + " wins"
		}
		fmt.Fprintf(&b, "the game is over: %s; %s\n", winners, say(w.Outcome.Reason))
	}
	for _, d := range w.Owed {
		fmt.Fprintf(&b, "owed: %s\n", decided(d))
	}
	return b.String()
}

// decided names a decision: its side, its kind, and what it is about.
func decided(d engine.Decision) string {
	return strings.TrimSpace(string(d.Side) + " " + d.Kind + " " + d.At)
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

// orNothing is a piece of a position on one line.
func orNothing(yaml string) string {
	if yaml == "" {
		return "-"
	}
	return strings.Join(strings.Fields(yaml), " ")
}
