package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"berthier/engine"
	"berthier/orders"
)

// serve serves a game of people by mail on this machine, as berthier play --mail does with one
// of a person and bots: every side has a mailbox.
func (cmd demoCommand) serve(ctx context.Context, c *console) error {
	if cmd.Seed != 0 || cmd.Turns != 0 || cmd.Bots != "sensible" {
		return hinted{errors.New("--seed, --turns and --bots are for a game that plays itself"), "leave them out with --serve"}
	}
	folder := cmd.Out
	if _, err := os.Stat(filepath.Join(cmd.Out, databaseName)); cmd.Out == "" || errors.Is(err, fs.ErrNotExist) {
		setup, err := cmd.served()
		if err != nil {
			return err
		}
		if folder, err = demoFolder(cmd.Out); err != nil {
			return err
		}
		if err := writeWhole(filepath.Join(folder, setupName), []byte(setup)); err != nil {
			return err
		}
	} else if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	s, err := openSitting(ctx, folder, nil)
	if err != nil {
		return err
	}
	return errors.Join(s.byMail(ctx, c, false, "berthier demo --serve --out"), s.close())
}

// served is the set-up of a game that is served.
func (cmd demoCommand) served() (string, error) {
	position, err := rulesets[cmd.Game].New(engine.Setup{Options: cmd.Option})
	if err != nil {
		return "", fmt.Errorf("set up %s: %w", cmd.Game, err)
	}
	seats := orders.Mapping()
	for _, side := range position.Sides() {
		seats.Set(string(side), orders.Inline().Set("name", orders.Text("Player of "+string(side))).
			Set("address", orders.Text(string(side)+"@"+demoDomain)).Set("language", orders.Text("en")))
	}
	return sittingSetup(cmd.Game, seats, cmd.Option).Encode(), nil
}
