package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"berthier/engine"
)

type gameRefileCommand struct {
	configFlag `json:"-"`
	asFlag     `json:"-"`
	Game       string `arg:"" help:"The game's id."`
	Side       string `arg:"" name:"seat" optional:"" help:"Seat of the player whose letter it is. Without it, the letters that are kept are listed."`
	Letter     string `arg:"" optional:"" help:"The number of a letter that is kept, or a file with the letter as it came, such as from the mailbox's folder Rejected."`
	Number     int    `kong:"-"`
	Raw        []byte `kong:"-"`
}

func (cmd *gameRefileCommand) Run(ctx context.Context, c *console) error {
	switch n, err := strconv.Atoi(cmd.Letter); {
	case cmd.Side != "" && cmd.Letter == "":
		return hinted{errors.New("the letter that is to be taken in again is not named"), "name its number, or a file; without a seat the letters are listed"}
	case cmd.Letter == "":
	case err == nil:
		cmd.Number = n
	default:
		text, err := readInput(cmd.Letter)
		if err != nil {
			return err
		}
		if cmd.Raw = []byte(text); len(cmd.Raw) == 0 {
			return fmt.Errorf("file letter again: %s is empty", cmd.Letter)
		}
	}
	return perform(ctx, "refile", cmd, cmd.configFlag, c)
}

func (cmd *gameRefileCommand) do(ctx context.Context, h *office, c *console) error {
	var text string
	var err error
	if cmd.Side == "" {
		text, err = h.Unread(cmd.Game)
	} else {
		text, err = h.Refile(ctx, cmd.Game, engine.Side(cmd.Side), cmd.Number, cmd.Raw)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.out, text)
	return err
}

func (cmd *gameRefileCommand) guards() (game, what string, rules bool) {
	return cmd.Game, "game refile", true
}
