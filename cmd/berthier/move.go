package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"berthier/adjudicator"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/store/postgres"
)

type moveCommand struct {
	configFlag
	To           string `help:"Where the office goes: the address of an empty database of PostgreSQL (postgres://...), or the path of a new file."`
	SecretFile   string `type:"path" help:"File for the server's secret, which is not kept in a database of PostgreSQL. It is made if it is not there; if it is, it must hold this office's secret."`
	PasswordFile string `type:"existingfile" help:"File with the password of the database."`
	WithoutLost  bool   `help:"Move the office although files of what was put away of finished games are missing or damaged. They are named; until they are put back, the reports in them can't be sent again."`
	Undo         bool   `help:"The office stays where it is: a move that was broken off, as by a failure of the machine, is not made again."`
}

// Run moves the office with all its games to another database. The former one stays as it is, but for
// a mark: no office opens it any more.
func (cmd moveCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	if daemonLives(conf.Database) {
		return hinted{fmt.Errorf("move: a running berthier serve answers at %s", socket(conf.Database)), "stop berthier serve first, on every machine"}
	}
	if cmd.Undo != (cmd.To == "") {
		return hinted{errors.New("move: it is not said where the office goes"), "--to names an empty database of PostgreSQL, or a new file; --undo alone takes back a move that was broken off"}
	}
	if cmd.Undo {
		return undoMove(ctx, conf, c)
	}
	target, err := cmd.target()
	if err != nil {
		return err
	}
	from, err := openStore(conf, bolt.Options{})
	if err != nil {
		return databaseHint(err, conf)
	}
	defer from.Close()
	if m, err := movedTo(from); err != nil || m != nil && !m.Moving {
		return errors.Join(err, m.gone())
	}
	leaves, err := leaveServer(ctx, from, target.where())
	if err != nil {
		return databaseHint(err, conf)
	}
	if err := cmd.bring(ctx, conf, leaves, target, c); err != nil {
		return errors.Join(err, leaves.back(ctx))
	}
	return nil
}

// bring copies an office to where it goes, and marks the former database.
func (cmd moveCommand) bring(ctx context.Context, conf config, leaves *leaving, target config, c *console) error {
	from := leaves.from
	if target.Server == nil {
		target.Shelf = target.Database + awaySuffix
	} else {
		target.Shelf = conf.Shelf // no database holds it
	}
	secret := from.Secret()
	away, failed, lost, err := copyAway(ctx, from, shelf.New(conf.Shelf).Of(store.NumberOf(secret[:])), target.Shelf)
	if err != nil {
		return databaseHint(err, conf)
	}
	if len(failed) > 0 && !lost {
		return errAway("move: the office was not moved:", failed, "not all of these files are lost: see that "+conf.Shelf+" is there, mounted and can be read, and that "+target.Shelf+" can be written to, and move the office again")
	}
	if len(failed) > 0 && !cmd.WithoutLost {
		return errAway("move: the office was not moved:", failed, "put each file back into "+conf.Shelf+" from beside a backup (FILE"+awaySuffix+"); if they are lost for good, move the office without them: --without-lost. berthier doctor says which files are missing or damaged")
	}
	if err := cmd.make(ctx, target, from.Secret()); err != nil {
		return databaseHint(err, target)
	}
	to, err := openStore(target, bolt.Options{})
	if err != nil {
		return databaseHint(err, target)
	}
	defer to.Close()
	moved, err := store.Move(ctx, from, to, movedValue)
	if errors.Is(err, store.ErrDamaged) {
		return databaseHint(err, conf)
	}
	if err != nil {
		return hinted{err, "the office stays where it was; drop what lies at " + target.where() + " before you try again"}
	}
	e, err := adjudicator.Examine(to, systems())
	if err == nil && len(e.Faults) > 0 {
		err = fmt.Errorf("move: of what arrived, records can't be read: %s", strings.Join(e.Faults, "; "))
	}
	if err != nil {
		return hinted{err, "berthier doctor says what is wrong with the database that the office has now; it was not moved"}
	}
	if err := leaves.done(ctx, target.where()); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%d games, %d entries of logs and %d letters are in %s; everything was read there and is the same (SHA-256 %s)\n", moved.Games, moved.Entries, moved.Letters, target.where(), moved.Digest)
	if away > 0 {
		fmt.Fprintf(c.out, "What was put away of %d games is in %s: for a database on a server the configuration names that folder (key put-away).\n", away, target.Shelf)
	}
	if len(failed) > 0 {
		withoutAway(c.out, failed, target.Shelf)
	}
	_, err = fmt.Fprintf(c.out, "No office opens %s any more. Write into the configuration:\n\ndatabase: %s\n", conf.where(), cmd.key(target))
	return err
}

// target is the configuration of where the office goes, as far as its store is concerned.
func (cmd moveCommand) target() (config, error) {
	if !strings.HasPrefix(cmd.To, "postgres://") && !strings.HasPrefix(cmd.To, "postgresql://") {
		if cmd.SecretFile != "" || cmd.PasswordFile != "" {
			return config{}, hinted{errors.New("move: a file has no password, and holds its secret itself"), "leave out --secret-file and --password-file"}
		}
		return config{Database: cmd.To}, nil
	}
	if cmd.SecretFile == "" {
		return config{}, hinted{errors.New("move: a database of PostgreSQL does not hold the server's secret"), "name a file for it, on the machine of each member: --secret-file /etc/berthier/office.secret"}
	}
	s := &serverConfig{URL: cmd.To, Secret: cmd.SecretFile, Member: "move"}
	if cmd.PasswordFile != "" {
		text, err := os.ReadFile(cmd.PasswordFile)
		if err != nil {
			return config{}, fmt.Errorf("move: %w", err)
		}
		s.Password = strings.TrimRight(string(text), "\r\n")
	}
	if err := s.at().Check(); err != nil {
		return config{}, fmt.Errorf("move: %w", err)
	}
	return config{Server: s, Database: "move"}, nil
}

// make makes an empty store with the office's secret, so that all keys stay what they are.
func (cmd moveCommand) make(ctx context.Context, target config, secret [32]byte) error {
	if target.Server == nil {
		err := bolt.Create(target.Database, bolt.Options{Entropy: bytes.NewReader(secret[:])})
		if errors.Is(err, fs.ErrExist) {
			return hinted{err, "name a file that does not exist yet"}
		}
		if err != nil {
			return err
		}
		// The database belongs to the daemon, as the folder does, even if root moved the office.
		if err := errors.Join(sameOwner(target.Database, target.Database+" of nobody"), ownAway(target.Shelf, target.Database)); err != nil {
			return hinted{fmt.Errorf("move: %w", err), "give " + target.Database + " to the user that runs berthier (chown)"}
		}
		return nil
	}
	switch kept, err := readSecret(cmd.SecretFile); {
	case errors.Is(err, fs.ErrNotExist):
		if err := writeSecret(cmd.SecretFile, secret); err != nil {
			return err
		}
		if err := sameOwner(cmd.SecretFile, cmd.SecretFile+" of nobody"); err != nil {
			return hinted{fmt.Errorf("move: %w", err), "give " + cmd.SecretFile + " to the user that runs berthier (chown)"}
		}
	case err != nil:
		return err
	case kept != secret:
		return hinted{fmt.Errorf("move: %s holds the secret of another office", cmd.SecretFile), "name another file"}
	}
	// An office without anything in it may be there from a try before: moving tells whether it is empty.
	if err := postgres.Create(ctx, target.Server.at(), secret); err != nil && !errors.Is(err, postgres.ErrExists) {
		return err
	}
	return nil
}

// key is what the configuration says of where the office is now.
func (cmd moveCommand) key(target config) string {
	if target.Server == nil {
		return target.Database
	}
	text := "\n  url: " + target.where() + "   # with its user, and with sslmode=verify-full if it is on another machine\n  secret-file: " + cmd.SecretFile
	if cmd.PasswordFile != "" {
		text += "\n  password-file: " + cmd.PasswordFile
	}
	return text
}
