package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/store/postgres"
)

type restoreCommand struct {
	configFlag
	Source string `arg:"" optional:"" type:"existingfile" help:"Copy written by berthier backup; none for a database of PostgreSQL that pg_restore has put back."`
}

// Run puts a backup in the place of the database.
func (cmd *restoreCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	switch {
	case conf.Server != nil && cmd.Source != "":
		return conf.onlyFile("restore", "stop every member of the office, put the copy back with pg_restore --clean, and run berthier restore without a file")
	case conf.Server != nil:
		return restoreServer(ctx, conf, c)
	case cmd.Source == "":
		return hinted{errors.New("restore: no copy is named"), "name a copy that berthier backup has written"}
	}
	// A daemon whose file was exchanged has locked the former file, and would go on.
	if daemonLives(conf.Database) {
		return hinted{fmt.Errorf("restore: a running berthier serve answers at %s", socket(conf.Database)), "stop berthier serve first"}
	}
	aside := conf.Database + ".before-" + time.Now().UTC().Format("20060102-150405")
	if at, err := os.Stat(cmd.Source); err == nil && !at.Mode().IsRegular() {
		return hinted{fmt.Errorf("restore: %s: %w", cmd.Source, bolt.ErrNoFile), "take another backup; nothing was changed"}
	}
	info, err := bolt.Restore(cmd.Source, conf.Database, aside, time.Now())
	switch {
	case errors.Is(err, bolt.ErrLocked):
		return hinted{err, "stop berthier serve first"}
	case errors.Is(err, bolt.ErrForeign), errors.Is(err, store.ErrDamaged), errors.Is(err, bolt.ErrNewer):
		return hinted{err, "take another backup; nothing was changed"}
	case errors.Is(err, fs.ErrExist):
		return hinted{err, "wait a second and try again"}
	case err != nil:
		return databaseHint(err, conf)
	}
	// The database belongs to the daemon, even if root restored it.
	if err := sameOwner(conf.Database, aside); err != nil {
		return hinted{fmt.Errorf("restore: %w", err), "give " + conf.Database + " to the user that runs berthier (chown)"}
	}
	kept := "there was no database before"
	if _, err := os.Lstat(aside); err == nil {
		kept = "the former database is kept as " + aside
	}
	fmt.Fprintf(c.out, "%d games restored to %s; %s\n", info.Games, conf.Database, kept)
	if err := cmd.away(ctx, conf, c); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Move the letters that came since the backup from the folder %s back to the inbox: they are taken in again.\n", conf.IMAP.Processed)
	return err
}

// away puts back what was put away of games when the copy was made, from beside the copy.
func (cmd *restoreCommand) away(ctx context.Context, conf config, c *console) error {
	st, err := bolt.Open(cmd.Source, bolt.Options{ReadOnly: true})
	if errors.Is(err, bolt.ErrOlder) {
		return nil // an older program put nothing away
	}
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	n, failed, _, err := copyAway(ctx, st, shelf.New(cmd.Source+awaySuffix), conf.Shelf)
	if err = errors.Join(err, st.Close()); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if err := ownAway(conf.Shelf, conf.Database); err != nil {
		return hinted{fmt.Errorf("restore: %w", err), "give " + conf.Shelf + " with its files to the user that runs berthier (chown -R)"}
	}
	if n > 0 {
		fmt.Fprintf(c.out, "what was put away of %d games is in %s\n", n, conf.Shelf)
	}
	if len(failed) > 0 {
		withoutAway(c.out, failed, conf.Shelf)
	}
	return nil
}

// restoreServer lets an office go on whose database pg_restore has put back from a copy.
func restoreServer(ctx context.Context, conf config, c *console) error {
	secret, err := readSecret(conf.Server.Secret)
	if err != nil {
		return err
	}
	least, err := conf.leastOf(secret)
	if err != nil {
		return err
	}
	if err := postgres.Restored(ctx, conf.Server.at(), secret, least, time.Now()); err != nil {
		return databaseHint(err, conf)
	}
	_, err = fmt.Fprintf(c.out, "%s goes on from its copy\nMove the letters that came since the copy was made from the folder %s back to the inbox: they are taken in again.\n", conf.where(), conf.IMAP.Processed)
	return err
}
