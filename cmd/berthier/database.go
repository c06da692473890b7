package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"runtime"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"berthier/adjudicator/leader"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/store/postgres"
)

type initCommand struct{ configFlag }

// Run makes a new, empty database. Nothing else makes one: if a database is missing,
// something went wrong, and a new one in its place would not know any game.
func (cmd initCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	if conf.Server != nil {
		return initServer(ctx, conf, c)
	}
	err = bolt.Create(conf.Database, bolt.Options{})
	if errors.Is(err, fs.ErrExist) {
		return hinted{err, "a database, or something else, is there already and was left as it is: berthier doctor says what it is; berthier restore puts a backup in its place"}
	}
	if err != nil {
		return hinted{err, "make the folder, or give it to the user that runs berthier"}
	}
	// The database belongs to the daemon, as the folder does, even if root made it.
	if err := sameOwner(conf.Database, conf.Database+" of nobody"); err != nil {
		return hinted{fmt.Errorf("make database: %w", err), "give " + conf.Database + " to the user that runs berthier (chown)"}
	}
	_, err = fmt.Fprintf(c.out, "new database made: %s\n", conf.Database)
	return err
}

type claimCommand struct{ configFlag }

// Run assigns the mailbox to this database. A running daemon has its mailbox already.
func (cmd claimCommand) Run(ctx context.Context, c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
	}
	h, err := openOffice(conf, slog.New(slog.DiscardHandler))
	if errors.Is(err, bolt.ErrLocked) {
		return hinted{err, "stop berthier serve first, if it runs: the mailbox that it reads belongs to its database already"}
	}
	if err != nil {
		return err
	}
	boxes, err := conf.mailboxes(h.store.Number(), slog.New(slog.DiscardHandler))
	for _, box := range boxes {
		if err = box.TakeOver(ctx); err != nil {
			err = fmt.Errorf("%s: %w", box.Config.Username, err)
			break
		}
		fmt.Fprintf(c.out, "the mailbox %s belongs to %s now; other databases are kept out\n", box.Config.Username, conf.where())
	}
	return mailboxHint(errors.Join(err, h.close()))
}

// databaseHint adds advice to an error of opening a database.
func databaseHint(err error, conf config) error {
	if err == nil {
		return nil
	}
	if advice := databaseAdvice(err, conf); advice != "" {
		return hinted{err, advice}
	}
	return err
}

// databaseAdvice says what to do about a database that can't be used; "" if nothing
// is known.
func databaseAdvice(err error, conf config) string {
	if conf.Server != nil {
		return serverAdvice(err, conf)
	}
	switch {
	case errors.Is(err, bolt.ErrLocked):
		return "another berthier serve runs with this database"
	case errors.Is(err, store.ErrSwapped):
		return "berthier backup FILE saves what the program that has the old file open still holds; then stop that program, put the right file in place, and start it again"
	case errors.Is(err, fs.ErrNotExist):
		return "if there was a database, put it back, or restore a backup (berthier restore FILE); for a new office make one: berthier init"
	case errors.Is(err, bolt.ErrNewer):
		return "install the newer program again"
	case errors.Is(err, bolt.ErrOlder):
		return "finish its games with the program that wrote it"
	case errors.Is(err, store.ErrDamaged), errors.Is(err, bolt.ErrForeign):
		return "berthier restore FILE puts a backup in its place, and keeps what is there under another name"
	case errors.Is(err, bolt.ErrNoFile):
		return "move away what is there, or name another path as database in the configuration"
	case errors.Is(err, syscall.EROFS):
		return "the file system can only be read: remount it for writing, or name another place as database in the configuration"
	case errors.Is(err, fs.ErrPermission):
		return "run berthier as the user of its daemon (sudo -u berthier), and see that the file is that user's"
	}
	return ""
}

// saidAdvice says what to do about what a server refuses, by its code.
var saidAdvice = map[string]string{
	"25006": "nothing can be written there: name the server that is not a standby (key url; target_session_attrs=read-write in it picks one of several), or have it promoted, or take default_transaction_read_only off",
	"42501": "the user of the database may not do that there: make it the owner of the database (alter database ... owner to ...), or name the user who made the office (key url)",
	"3D000": "the server has no such database: createdb makes one, or another name is right (key url)",
	"53300": "the server has no connection left: raise its max_connections, or add pool_max_conns to the address (key url)",
}

// serverAdvice says what to do about an office on a server that can't be used; "" if nothing is known.
func serverAdvice(err error, conf config) string {
	var refused *pgconn.ConnectError
	var older *leader.OlderError
	switch {
	case errors.As(err, &older):
		return "use their program for as long as they work; berthier serve of this one waits until they have stopped, and then brings the database up to date"
	case errors.Is(err, postgres.ErrSecret):
		return "put the file back that belongs to this office (key secret-file); with another one nobody's key would fit"
	case errors.Is(err, store.ErrDeposed), errors.Is(err, postgres.ErrMember):
		return "give each member a name of its own (key member), and start this one again"
	case errors.Is(err, postgres.ErrCopied):
		return "if it was put back to go on with it, from a dump or as the server's own copy, or a standby was promoted, stop every member and run berthier restore (without a file); if it is a copy for a look, don't let an office write to it"
	case errors.Is(err, postgres.ErrHome):
		return "nothing is to be done: berthier serve opens it"
	case errors.Is(err, postgres.ErrExists):
		return "berthier serve opens it; for another office name another database"
	case errors.Is(err, postgres.ErrForeign):
		return "for a new office make an empty database (createdb), and an office in it (berthier init); if the office is in another one, name that (key url)"
	case errors.Is(err, postgres.ErrNewer):
		return "install the newer program again; older and newer ones may only run together while nothing has been written in a newer form"
	case errors.Is(err, postgres.ErrOlder):
		return "start berthier serve: it brings the database up to date"
	case errors.Is(err, store.ErrNotEmpty):
		return "name an empty database: what a move that broke off has left is dropped with it"
	case errors.Is(err, store.ErrDamaged):
		return "put a copy of the database back (pg_restore), and keep what is there under another name"
	case errors.Is(err, postgres.ErrOldServer):
		return "use PostgreSQL 11 or newer (tried with 15)"
	}
	var said *pgconn.PgError
	switch {
	case errors.As(err, &said) && saidAdvice[said.Code] != "":
		return saidAdvice[said.Code]
	case errors.As(err, &refused):
		return "see that the server runs, that the address and the password are right (keys url, password-file), and that its pg_hba.conf lets this user in"
	}
	return ""
}

// asError turns a panic into an error, if it comes from records that no program wrote: from
// a database that is damaged although its pages are sound. The log says where in the code
// it was, for it may be a fault of the program after all.
func asError(err *error, log *slog.Logger) {
	p := recover()
	if p == nil {
		return
	}
	why := fmt.Sprintf("%T", p) // the text of a ruleset's panic may tell what the reader must not see
	if fault, ok := p.(runtime.Error); ok {
		why = fault.Error()
	}
	stack := make([]byte, 64<<10)
	log.Error("panic", "fault", why, "stack", string(stack[:runtime.Stack(stack, false)]))
	*err = hinted{fmt.Errorf("a record in the database says what no record can say (%s): the database is damaged, or the program has a fault", why),
		"berthier doctor reads every record and says which are damaged; berthier restore FILE puts a backup in place of the database; with log: {level: debug} in the configuration the log shows where in the program it was"}
}
