package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
)

type leagueExportCommand struct {
	leagueAct
	Public bool   `help:"Write only what everybody may read: no addresses, no reasons, no seed of a season that is not over."`
	Out    string `json:"-" type:"path" help:"File to write; it must not exist yet. By default the standard output."`
}

func (cmd *leagueExportCommand) Run(ctx context.Context, c *console) error {
	if cmd.Out == "" {
		return perform(ctx, "league-export", cmd, cmd.configFlag, c)
	}
	var text bytes.Buffer
	if err := perform(ctx, "league-export", cmd, cmd.configFlag, &console{out: &text, err: c.err}); err != nil {
		return err
	}
	return writeNew(c, cmd.Out, text.Bytes())
}

func (cmd *leagueExportCommand) do(_ context.Context, h *office, c *console) error {
	x, err := h.Secretary().ExportLeague(cmd.League, cmd.Public)
	if err != nil {
		return err
	}
	return x.Write(c.out)
}

// verifyExported checks a league that was exported, without an office; the results of those games whose exports lie in a folder, too.
func verifyExported(c *console, data []byte, folder string) error {
	x, err := log.ReadExport(data)
	if err != nil {
		return hinted{fmt.Errorf("verify league: %w", err), "name a league's id or a file that league export wrote"}
	}
	games := map[string]*log.Export{}
	if folder != "" {
		names, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			return fmt.Errorf("read games: %w", err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return fmt.Errorf("read games: %w", err)
			}
			one, err := log.ReadExport(text)
			if err != nil {
				return fmt.Errorf("read %s: %w", name, err)
			}
			games[one.Game] = one
		}
	}
	v, err := verify.League(x, games, systems())
	if err != nil {
		return err
	}
	if err := tellVerified(c, v); err != nil {
		return err
	}
	return endOf(v.Verdict())
}
