package main

import (
	"context"

	"berthier/adjudicator"
	"berthier/engine"
)

type gameProcessCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	sureFlags
}

func (cmd *gameProcessCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "process", cmd, cmd.configFlag, c)
}

func (cmd *gameProcessCommand) do(ctx context.Context, h *office, c *console) error {
	p, err := h.Office.Clerk().Manage(ctx, cmd.Game, adjudicator.Management{Kind: "process"}, cmd.Confirm, cmd.Yes)
	return cmd.tell(c, p, err, "the stop of game %s is resolved", cmd.Game)
}

type gameVacateCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Side       string `arg:"" name:"seat" help:"The seat that becomes vacant."`
	Reason     string `help:"Told to its player."`
	sureFlags
}

func (cmd *gameVacateCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "vacate", cmd, cmd.configFlag, c)
}

func (cmd *gameVacateCommand) do(ctx context.Context, h *office, c *console) error {
	p, err := h.Office.Clerk().Manage(ctx, cmd.Game, adjudicator.Management{Kind: "vacate", Side: engine.Side(cmd.Side), Reason: cmd.Reason}, cmd.Confirm, cmd.Yes)
	return cmd.tell(c, p, err, "%s in game %s has no player", cmd.Side, cmd.Game)
}

type gameChangeCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	File       string `arg:"" help:"File with deadline:, press:, silence: or reserves: as in a set-up, or - for the standard input."`
	Text       string `kong:"-"`
	sureFlags
}

func (cmd *gameChangeCommand) Run(ctx context.Context, c *console) (err error) {
	if cmd.Text, err = readInput(cmd.File); err != nil {
		return err
	}
	return perform(ctx, "change", cmd, cmd.configFlag, c)
}

func (cmd *gameChangeCommand) do(ctx context.Context, h *office, c *console) error {
	p, err := h.Office.Clerk().Manage(ctx, cmd.Game, adjudicator.Management{Kind: "change", Set: cmd.Text}, cmd.Confirm, cmd.Yes)
	return cmd.tell(c, p, err, "the set-up of game %s has changed", cmd.Game)
}
