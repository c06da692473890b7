package main

import (
	"fmt"

	"berthier/engine/cases"
)

type caseCommands struct {
	Run caseRunCommand `cmd:"" help:"Run case files and say which fail and why."`
}

type caseRunCommand struct {
	Files []string `arg:"" type:"existingfile" help:"Case files (docs/cases.md)."`
	Quiet bool     `short:"q" help:"Name only the cases that fail."`
}

func (cmd caseRunCommand) Run(c *console) error {
	passed, failed := 0, 0
	for _, file := range cmd.Files {
		all, problems := cases.Load(rulesets, file)
		if len(problems) > 0 {
			fmt.Fprintf(c.err, "%s can't be read:\n%s\n", file, explain(problems))
			failed++
			continue
		}
		for _, one := range all {
			result := cases.Run(rulesets, one)
			if result.OK() {
				passed++
				if !cmd.Quiet {
					fmt.Fprintf(c.out, "ok    %s: %s\n", one.Place(one.Line), one.Name)
				}
				continue
			}
			failed++
			fmt.Fprintf(c.out, "FAIL  %s\n", result)
		}
	}
	fmt.Fprintf(c.out, "%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return errTold
	}
	return nil
}
