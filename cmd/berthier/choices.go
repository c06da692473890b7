package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"berthier/adjudicator"
	"berthier/engine"
	"berthier/engine/choices"
	"berthier/orders"
)

type choicesCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" optional:"" help:"The game's id."`
	Position   string `json:"-" placeholder:"FILE" help:"A file with a position, instead of a game's id."`
	Seat       string `required:"" placeholder:"SEAT" help:"The seat that decides."`
	Made       string `json:"-" placeholder:"FILE" help:"The choices made so far, as JSON, or - for the standard input; by default none."`
	JSON       bool   `help:"Print JSON (docs/choices.md)."`
	Text       string `kong:"-"`
}

func (cmd *choicesCommand) Run(ctx context.Context, c *console) (err error) {
	if (cmd.Game == "") == (cmd.Position == "") {
		return hinted{errors.New("give either a game's id or --position FILE"), "berthier choices GAME --seat SEAT, or berthier choices --position FILE --seat SEAT"}
	}
	if cmd.Made != "" {
		if cmd.Text, err = readInput(cmd.Made); err != nil {
			return err
		}
	}
	if cmd.Position != "" {
		return cmd.ofPosition(c)
	}
	return perform(ctx, "choices", cmd, cmd.configFlag, c)
}

func (cmd *choicesCommand) do(_ context.Context, h *office, c *console) error {
	table, err := h.Office.Clerk().Position(cmd.Game, engine.Side(cmd.Seat))
	switch {
	case errors.Is(err, adjudicator.ErrNoGame):
		return err
	case err != nil:
		return hinted{err, "berthier game show " + cmd.Game + " names the seats"}
	case table.Owes == nil:
		return hinted{fmt.Errorf("%s owes nothing in game %s", cmd.Seat, cmd.Game), "berthier game show " + cmd.Game + " tells who owes what"}
	}
	head := orders.Mapping()
	for _, p := range table.Template.Pairs {
		switch p.Key.Text {
		case "game", "side", "stop", "key", "serial":
			head.Set(p.Key.Text, orders.Text(p.Value.Text))
		}
	}
	sheet, err := cmd.ask(table.System, table.View, *table.Owes, head)
	if err != nil {
		return err
	}
	sheet.Game, sheet.Stop = head.Get("game").Text, table.Stop
	return cmd.print(c, sheet)
}

// ofPosition lists the choices of a decision that is owed in the position of a file.
func (cmd *choicesCommand) ofPosition(c *console) error {
	data, err := os.ReadFile(cmd.Position)
	if err != nil {
		return fmt.Errorf("read position: %w", err)
	}
	root, problems := orders.ParseNode(data)
	if len(problems) > 0 {
		return problems
	}
	system := ""
	if n := root.Get("ruleset"); n != nil {
		system = n.Text
	}
	rules := rulesets[system]
	if rules == nil {
		return hinted{fmt.Errorf("%s does not name its game system", cmd.Position), "write it with berthier game position GAME --yaml; its key ruleset names one of: " + rulesetNames()}
	}
	position, err := rules.Load(data)
	if err != nil {
		return err
	}
	var owe []string
	for _, d := range position.Owed() {
		if string(d.Side) == cmd.Seat {
			sheet, err := cmd.ask(system, position.View(d.Side), d, nil)
			if err != nil {
				return err
			}
			return cmd.print(c, sheet)
		}
		owe = append(owe, string(d.Side))
	}
	hint := "nobody owes anything: the game is over"
	if len(owe) > 0 {
		hint = "who owes: " + strings.Join(owe, ", ")
	}
	return hinted{fmt.Errorf("%s owes nothing in this position", cmd.Seat), hint}
}

// ask asks how a decision may be answered, from the view of the side that decides.
func (cmd *choicesCommand) ask(system string, view engine.View, d engine.Decision, head *orders.Node) (*choices.Sheet, error) {
	rules, ok := rulesets[system].(choices.Rules)
	if !ok {
		return nil, hinted{fmt.Errorf("%s lists no choices", system), "the order file of the decision tells what may be ordered"}
	}
	made, problems := choices.Read(cmd.Text)
	if len(problems) > 0 {
		return nil, problems
	}
	sheet, problems := choices.Question{Rules: rules, View: view, Decision: d, Made: made, Head: head}.Ask()
	if len(problems) > 0 {
		return nil, problems
	}
	sheet.System = system
	return sheet, nil
}

func (cmd *choicesCommand) print(c *console, sheet *choices.Sheet) error {
	if cmd.JSON {
		enc := json.NewEncoder(c.out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false) // paths contain >
		return enc.Encode(sheet)
	}
	_, err := io.WriteString(c.out, choicesText(sheet))
	return err
}

// choicesText writes a sheet for a person to read.
func choicesText(s *choices.Sheet) string {
	var b strings.Builder
	if s.Game != "" {
		fmt.Fprintf(&b, "game %s, stop %d: ", s.Game, s.Stop)
	}
	fmt.Fprintln(&b, decided(engine.Decision{Side: engine.Side(s.Seat), Kind: s.Kind, At: s.At}))
	list := func(head string, all []choices.Choice) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s\n", head)
		for _, one := range all {
			fmt.Fprintf(&b, "  %s\n", one)
		}
	}
	list("CHOSEN", s.Made)
	list("MAY BE CHOSEN", s.Choices)
	if len(s.Choices) == 0 {
		fmt.Fprintln(&b, "\nnothing more may be chosen")
	}
	list("FILLED IN", s.Filled)
	for i, one := range s.Next {
		fmt.Fprintf(&b, "\nFOLLOWS AT ONCE, next %d: %s\n", i+1, decided(engine.Decision{Side: engine.Side(s.Seat), Kind: one.Kind, At: one.At}))
		list("CHOSEN AHEAD", one.Made)
		list("MAY BE CHOSEN AHEAD", one.Choices)
		list("FILLED IN AHEAD", one.Filled)
	}
	fmt.Fprintf(&b, "\nORDER FILE\n%s", s.File)
	return b.String()
}
