package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
)

type compactCommand struct{ configFlag }

// Run packs what is kept of each game together, and then makes the file as small as it can be.
func (cmd compactCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	if daemonLives(conf.Database) {
		return hinted{fmt.Errorf("compact: a running berthier serve answers at %s", socket(conf.Database)), "stop berthier serve first; a running one packs what it keeps by itself, and uses the room again"}
	}
	if conf.Server != nil {
		return compactServer(ctx, conf, c)
	}
	was, err := os.Stat(conf.Database)
	if err != nil {
		return databaseHint(fmt.Errorf("compact: %w", err), conf)
	}
	h, err := openOffice(conf, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	n, err := packAll(ctx, h)
	if err = errors.Join(err, h.close()); err != nil {
		return databaseHint(fmt.Errorf("compact: %w", err), conf)
	}
	// The database belongs to the daemon, even if root makes it smaller.
	if err := bolt.Compact(conf.Database, func(part string) error { return sameOwner(part, conf.Database) }); err != nil {
		return databaseHint(err, conf)
	}
	now, err := os.Stat(conf.Database)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s has %d bytes, it had %d; %d reports, pages and positions were packed together\n", conf.Database, now.Size(), was.Size(), n)
	return err
}

// packAll packs together what is kept of each game, game by game.
func packAll(ctx context.Context, h *office) (n int, err error) {
	var games []string
	if err := h.store.Read(ctx, func(tx store.Reader) error {
		return tx.Games(func(id string, _ []byte) error { games = append(games, id); return nil })
	}); err != nil {
		return 0, err
	}
	for _, id := range games {
		packed, err := h.Bundle(ctx, id)
		if n += packed; err != nil {
			return n, err
		}
	}
	return n, nil
}

// compactServer packs together what is kept of each game of an office on a server, whose rooms the server
// uses again by itself.
func compactServer(ctx context.Context, conf config, c *console) error {
	h, err := openOffice(conf, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	n, err := packAll(ctx, h)
	if err = errors.Join(err, h.close()); err != nil {
		return databaseHint(fmt.Errorf("compact: %w", err), conf)
	}
	_, err = fmt.Fprintf(c.out, "%d reports, pages and positions were packed together; the server uses their room again (vacuum), and vacuum full gives it back to the disk\n", n)
	return err
}
