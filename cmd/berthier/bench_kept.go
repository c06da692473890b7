package main

import (
	"context"
	"errors"
	"fmt"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
)

type benchKeptCommand struct {
	configFlag
	File string `arg:"" optional:"" type:"existingfile" help:"A database, such as the one that berthier demo leaves; by default the office's. It is only read; no daemon may have a file open."`
}

// kinds says what lies in a bucket of the database.
var kinds = map[string]string{
	"addresses": "who takes part", "answers": "answers that wait", "blobs": "grounds of maps", "games": "records", "history": "positions of the past",
	"intake": "letters taken in", "log": "logs", "messageids": "Message-IDs of letters taken in", "meta": "values by name",
	"outbox": "letters sent and to be sent", "outbox_due": "when letters are due", "pages": "what seats were shown", "snapshots": "positions",
	"tags": "by what games are found", "tags_of": "the same, by game", "untagged": "games that are found without",
	"wake": "clock", "wake_of": "clock, by game",
}

// A sized store tells how much it keeps of each kind, and how much room all of it takes on the disk.
type sized interface {
	Sizes() (all []store.Size, disk int64, err error)
}

// Run prints what a database keeps, by kind.
func (cmd benchKeptCommand) Run(c *console) (err error) {
	conf := config{Database: cmd.File}
	if cmd.File == "" {
		if conf, err = cmd.load(); err != nil {
			return err
		}
	}
	st, err := openStore(conf, bolt.Options{ReadOnly: true})
	if err != nil {
		return databaseHint(err, conf)
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	sizes, disk, err := st.(sized).Sizes()
	if err != nil {
		return err
	}
	games := 0
	if err := st.Read(context.Background(), func(tx store.Reader) error {
		return tx.Games(func(string, []byte) error { games++; return nil })
	}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "| kept | values | bytes | bytes a game |\n|---|---|---|---|\n")
	sum := store.Size{}
	line := func(what string, n int, bytes int64) {
		fmt.Fprintf(c.out, "| %s | %d | %d | %d |\n", what, n, bytes, bytes/int64(max(games, 1)))
	}
	for _, s := range sizes {
		line(kinds[s.Kind], s.N, s.Bytes)
		sum.N, sum.Bytes = sum.N+s.N, sum.Bytes+s.Bytes
	}
	line("all", sum.N, sum.Bytes)
	what := "the file"
	if conf.Server != nil {
		what = "tables and indexes on the disk"
	}
	line(fmt.Sprintf("%s (games: %d)", what, games), 1, disk)
	return nil
}
