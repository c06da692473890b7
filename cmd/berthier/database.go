package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"runtime"
	"syscall"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
)

type initCommand struct{ configFlag }

// Run makes a new, empty database. Nothing else makes one: if a database is missing,
// something went wrong, and a new one in its place would not know any game.
func (cmd initCommand) Run(c *console) error {
	conf, err := cmd.load()
	if err != nil {
		return err
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
	box, err := conf.mailbox(h.store.Number(), slog.New(slog.DiscardHandler))
	if err == nil {
		err = box.TakeOver(ctx)
	}
	if err = errors.Join(err, h.close()); err != nil {
		return mailboxHint(err)
	}
	_, err = fmt.Fprintf(c.out, "the mailbox %s belongs to %s now; other databases are kept out\n", conf.IMAP.User, conf.Database)
	return err
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
