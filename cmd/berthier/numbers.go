package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"berthier/adjudicator/store"
	"berthier/adjudicator/store/postgres"
)

// A copy of a server's files that is put back does not know that it is one. So each member keeps outside the database how far the numbers of letters
// have come, those of the other members among them: a database that knows of fewer is a copy, and would give the same Message-IDs to other letters.

// numbersEvery is how often that is written down.
const numbersEvery = time.Minute

// numbersFile is where it is written down.
func (c config) numbersFile() string { return c.Database + ".numbers" }

// leastNumber is the number that was written down for an office; zero if there is none, or of another office. A file that can't be read is an error: without
// it a copy would not be known for one.
func leastNumber(path, office string) (last uint64, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, hinted{fmt.Errorf("read how far the numbers of letters have come: %w", err), "give " + path + " to the user that runs berthier (chown), and see that the disk is sound"}
	}
	said := strings.Fields(string(text))
	if len(said) == 2 {
		last, err = strconv.ParseUint(said[1], 10, 63)
	}
	switch {
	case len(said) != 2 || err != nil:
		return 0, hinted{fmt.Errorf("read how far the numbers of letters have come: %s is damaged", path),
			"if no older copy of the database was put in its place since the office last worked, remove the file: it is written anew within a minute. If one may have been, copy the file of another member (MEMBER.numbers) there, by which a copy is known for one"}
	case said[0] != office:
		return 0, nil
	}
	return last, nil
}

// leastOf is that number for the office with a secret.
func (c config) leastOf(secret [32]byte) (uint64, error) {
	return leastNumber(c.numbersFile(), store.NumberOf(secret[:]))
}

// reservedIn is how long the server may take to say which numbers are reserved.
const reservedIn = 10 * time.Second

// keepNumbers writes down how far the numbers of a store have come, at once and until stop is called, and then once more, as far as this member has
// given them: whoever ends may do so because the server does not answer.
func keepNumbers(c config, st keeper, log *slog.Logger) (stop func()) {
	s, ok := st.(*postgres.Store)
	if !ok {
		return func() {}
	}
	written, err := c.leastOf(s.Secret())
	if err != nil {
		log.Warn("how far the numbers of letters had come can't be read, and is written down anew", "file", c.numbersFile(), "error", err)
	}
	write := func(last uint64) {
		if last <= written {
			return
		}
		if err := writeNumber(c.numbersFile(), s.Number(), last); err != nil {
			log.Warn("how far the numbers of letters have come is not written down: give the folder to the user that runs berthier", "file", c.numbersFile(), "error", err)
			return
		}
		written = last
	}
	look := func() {
		ctx, cancel := context.WithTimeout(context.Background(), reservedIn)
		defer cancel()
		last, err := s.Reserved(ctx, written)
		if err != nil {
			log.Warn("how far the numbers of all members have come is not known", "error", err)
		}
		write(max(last, s.Given()))
	}
	look()
	ended := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		ticker := time.NewTicker(numbersEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				write(s.Given())
				return
			case <-ticker.C:
				look()
			}
		}
	})
	return func() { close(ended); all.Wait() }
}

// writeNumber replaces the file in one step. It is on the disk when it returns.
func writeNumber(path, office string, last uint64) error {
	return writeWholeAs(path, fmt.Appendf(nil, "%s %d\n", office, last), 0o600)
}
