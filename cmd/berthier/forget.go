package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

type forgetCommand struct {
	configFlag `json:"-"`
	Who        string `arg:"" help:"A member's id, such as M-0001, or an address."`
	Sure       bool   `help:"Do it. This can't be undone. Without this flag the command only counts where the person is named."`
}

func (cmd *forgetCommand) Run(ctx context.Context, c *console) error {
	return perform(ctx, "forget", cmd, cmd.configFlag, c)
}

func (cmd *forgetCommand) do(ctx context.Context, h *office, c *console) (err error) {
	f, err := h.Secretary().Forget(ctx, cmd.Who, cmd.Sure)
	if f == nil {
		return err
	}
	defer func() {
		for _, where := range f.Missed {
			fmt.Fprintf(c.out, "not looked through: %s\n", where)
		}
		if len(f.Missed) > 0 && err == nil {
			_, err = fmt.Fprintln(c.out, "what could not be looked through may name this person still: berthier doctor says what is damaged. Ask again, by the address, when it is mended; remove a damaged file of what was put away, and put none back from a backup")
		}
	}()
	if len(f.Bodies) > 0 {
		fmt.Fprintf(c.out, "still named: in the open part of the logs of %s, which their chains cover and nobody can change\n", strings.Join(f.Bodies, ", "))
	}
	if f.Others > 0 {
		fmt.Fprintf(c.out, "and in the texts of %d letters to others that have not gone yet\n", f.Others)
	}
	if !cmd.Sure {
		fmt.Fprintf(c.out, "%s is in %d entries of logs, in %d games and in %d letters of the outbox; berthier forget %s --sure takes name and addresses out of all of them, for good\n",
			cmd.Who, f.Entries, f.Games, f.Letters, cmd.Who)
		return nil
	}
	done := "forgotten"
	if err != nil {
		done = "not yet forgotten"
	}
	fmt.Fprintf(c.out, "%s: %d entries of logs, %d games and %d letters have %s instead\n", done, f.Entries, f.Games, f.Letters, f.Person)
	if len(f.Named) > 0 {
		fmt.Fprintf(c.out, "still named: in the set-up of %s, which is part of its log and can't be changed\n", strings.Join(f.Named, ", "))
	}
	_, printed := fmt.Fprintln(c.out, "out of reach: backups (remove the old ones), letters that were sent, the mailbox, what people wrote of each other in their own words, and files that berthier game export or archive wrote; beside a database file, copies of it (.schema-N, .before-DATE) and its free room; of PostgreSQL, rows that vacuum has not removed yet, and the archive of its log (WAL)")
	return errors.Join(err, printed)
}
