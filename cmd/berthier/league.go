package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"berthier/adjudicator/league"
	"berthier/adjudicator/setup"
	"berthier/templates"
)

type leagueCommands struct {
	Check leagueCheckCommand `cmd:"" help:"Name every fault of a league's set-up and of the set-ups of its games, or print what it makes."`
}

type leagueCheckCommand struct {
	File string `arg:"" help:"Set-up of the league. Files that it names are looked for in the same folder."`
}

func (cmd leagueCheckCommand) Run(c *console) error {
	text, err := readInput(cmd.File)
	if err != nil {
		return err
	}
	folder := filepath.Dir(cmd.File)
	reader := league.Reader{
		Games: &setup.Reader{Systems: rulesets, Names: strings.Split(rulesetNames(), ","), Languages: templates.Languages, Now: time.Now()},
		File: func(name string) (string, error) {
			if !filepath.IsLocal(name) {
				return "", fmt.Errorf("it must lie in the folder of the league's set-up, or below")
			}
			data, err := os.ReadFile(filepath.Join(folder, name))
			return string(data), err
		},
	}
	s, problems := reader.Read(text)
	if len(problems) > 0 {
		return problems
	}
	fmt.Fprintf(c.out, "league %s: entries until %s, first season from %s\n", s.League, s.Seasons.EnterUntil, s.Seasons.Start)
	for _, d := range s.Divisions {
		groups := ""
		if d.Copies > 1 {
			groups = fmt.Sprintf("%d groups of ", d.Copies)
		}
		fmt.Fprintf(c.out, "  %s: %s, %s%d members, %s, %s", d.ID, d.System, groups, d.Size, d.Form, d.Pairing)
		if games := d.Games(); games > 0 {
			fmt.Fprintf(c.out, ", %d games a member", games)
		}
		if d.Doubled() {
			fmt.Fprint(c.out, " (twice as many as with pairing: single)")
		}
		fmt.Fprintln(c.out)
	}
	return nil
}
