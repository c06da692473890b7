package main

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"berthier/adjudicator/store"
)

type restoreCommand struct {
	configFlag
	Source string `arg:"" type:"existingfile" help:"Copy written by berthier backup."`
}

// Run puts a backup in the place of the database.
func (cmd *restoreCommand) Run(c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	aside := conf.Database + ".before-" + time.Now().UTC().Format("20060102-150405")
	info, err := store.Restore(cmd.Source, conf.Database, aside)
	switch {
	case errors.Is(err, store.ErrLocked):
		return hinted{err, "stop berthier serve first"}
	case errors.Is(err, store.ErrForeign):
		return hinted{err, "take another backup; nothing was changed"}
	case errors.Is(err, fs.ErrExist):
		return hinted{err, "wait a second and try again"}
	case err != nil:
		return err
	}
	// Restored by root, it is still the daemon's.
	if err := sameOwner(conf.Database, aside); err != nil {
		return hinted{fmt.Errorf("restore: %w", err), "give " + conf.Database + " to the user that runs berthier (chown)"}
	}
	fmt.Fprintf(c.out, "%d games restored to %s; what was there is kept as %s\n", info.Games, conf.Database, aside)
	_, err = fmt.Fprintf(c.out, "Move the letters that came since the backup from the folder %s back to the inbox: they are taken in again.\n", conf.IMAP.Processed)
	return err
}
