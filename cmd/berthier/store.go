package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/store/postgres"
)

// A keeper is the store of an office, with what commands ask of it beside the contract.
type keeper interface {
	adjudicator.Examinable
	Secret() [32]byte
	Outbox(now time.Time) (store.Backlog, error)
}

// A copier is a store that writes a copy of itself.
type copier interface {
	Backup(w io.Writer) (int64, error)
}

// serverConfig is where an office keeps its games if that is a server of PostgreSQL.
type serverConfig struct {
	URL      string
	Password string // as read from the password file
	Secret   string // path of the file with the server's secret
	Member   string // the name of this member of the office
	Serves   bool   // this process is the member itself, and not a command beside it
	// Farewell watches whether members with an older program are still there; nil: a command, which looks once.
	Farewell *leader.Farewell
}

// name is the name under which a process writes. A command has one of its own: it must not depose the
// daemon of its machine, which may be busy.
func (s serverConfig) name() string {
	if s.Serves {
		return s.Member
	}
	return s.Member + ".command"
}

// openStore opens the store that a configuration names.
func openStore(c config, on bolt.Options) (keeper, error) {
	if c.Server == nil {
		return bolt.Open(c.Database, on)
	}
	secret, err := readSecret(c.Server.Secret)
	if err != nil {
		return nil, err
	}
	least, err := c.leastOf(secret)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), openIn)
	defer cancel()
	farewell := c.Server.Farewell
	if farewell == nil {
		farewell = &leader.Farewell{}
	}
	return postgres.Open(ctx, c.Server.at(), postgres.Options{Secret: secret, Member: c.Server.name(), ReadOnly: on.ReadOnly, Upgrade: farewell.Ask, Least: least})
}

// openIn is how long a server may take to open the database.
const openIn = time.Minute

func (s serverConfig) at() postgres.Address {
	return postgres.Address{URL: s.URL, Password: s.Password}
}

// where says where an office keeps its games, without a password.
func (c config) where() string {
	if c.Server == nil {
		return c.Database
	}
	return c.Server.at().Where()
}

// errNoSecret: the file of the server's secret holds something else.
var errNoSecret = errors.New("it holds no secret: 64 hexadecimal digits")

// readSecret reads the server's secret of an office whose games lie in PostgreSQL.
func readSecret(path string) (secret [32]byte, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return secret, hinted{fmt.Errorf("read the server's secret: %w", err),
			"berthier init makes the file together with the office; if there is an office already, put back the file that belongs to it: nobody can make it again"}
	}
	data, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(data) != len(secret) {
		return secret, hinted{fmt.Errorf("read the server's secret: %s: %w", path, errNoSecret), "put back the file that belongs to the office"}
	}
	return [32]byte(data), nil
}

// makeSecret gives the secret in a file, or draws one and writes the file, which only its
// owner may read.
func makeSecret(path string) (secret [32]byte, made bool, err error) {
	if secret, err = readSecret(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return secret, false, err
	}
	if _, err := rand.Read(secret[:]); err != nil {
		return secret, false, err
	}
	return secret, true, writeSecret(path, secret)
}

// writeSecret writes a secret into a new file. It is on the disk when it returns.
func writeSecret(path string, secret [32]byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return hinted{fmt.Errorf("write the server's secret: %w", err), "make the folder, or give it to the user that runs berthier"}
	}
	_, err = fmt.Fprintf(f, "%x\n", secret)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("write the server's secret: %w", err), os.Remove(path))
	}
	return nil
}

// initServer makes an office on the server.
func initServer(ctx context.Context, conf config, c *console) error {
	secret, made, err := makeSecret(conf.Server.Secret)
	if err != nil {
		return err
	}
	if err := postgres.Create(ctx, conf.Server.at(), secret); err != nil {
		if made {
			err = errors.Join(err, os.Remove(conf.Server.Secret))
		}
		return databaseHint(err, conf)
	}
	if made {
		if err := sameOwner(conf.Server.Secret, conf.Server.Secret+" of nobody"); err != nil {
			return hinted{err, "give " + conf.Server.Secret + " to the user that runs berthier (chown)"}
		}
	}
	_, err = fmt.Fprintf(c.out, "new office made: %s\nKeep a copy of %s, apart from those of the database: without it no copy of the database is worth anything, and with it whoever has one knows all keys.\n", conf.where(), conf.Server.Secret)
	return err
}

// onlyFile refuses a command that works on a database file, for an office that has its games on a
// server, and says what to use instead.
func (c config) onlyFile(command, instead string) error {
	if c.Server == nil {
		return nil
	}
	return hinted{fmt.Errorf("%s: the games lie in %s, which is no file", command, c.where()), instead}
}

// noCopy says what makes a copy of an office on a server.
const noCopy = "pg_dump --format=custom makes a copy of the database while serve runs, and so does the server's own archive of its log; keep the secret's file apart from it, and run berthier restore after either was put back"
