package main

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"berthier/adjudicator/store/postgres"
)

// A copy of a server's files that is put back does not know that it is one. So a member keeps outside the database how far the numbers of letters
// have come that went out: a database that knows of fewer is a copy, and would give the same Message-IDs to other letters.

// numbersEvery is how often that is written down.
const numbersEvery = time.Minute

// numbersFile is where it is written down.
func (c config) numbersFile() string { return c.Database + ".numbers" }

// leastNumber is the number that was written down for an office; zero if there is none, or of another office.
func leastNumber(path, office string) (last uint64) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	var whose string
	if n, _ := fmt.Sscan(string(text), &whose, &last); n != 2 || whose != office {
		return 0
	}
	return last
}

// keepNumbers writes down how far the numbers of a store have come, until stop is called, and then once more.
func keepNumbers(c config, st keeper, log *slog.Logger) (stop func()) {
	s, ok := st.(*postgres.Store)
	if !ok {
		return func() {}
	}
	written := leastNumber(c.numbersFile(), s.Number())
	write := func() {
		last := s.Given()
		if last <= written {
			return
		}
		if err := writeNumber(c.numbersFile(), s.Number(), last); err != nil {
			log.Warn("how far the numbers of letters have come is not written down: give the folder to the user that runs berthier", "file", c.numbersFile(), "error", err)
			return
		}
		written = last
	}
	ended := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		ticker := time.NewTicker(numbersEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				write()
				return
			case <-ticker.C:
				write()
			}
		}
	})
	return func() { close(ended); all.Wait() }
}

// writeNumber replaces the file in one step.
func writeNumber(path, office string, last uint64) error {
	part := path + ".part"
	if err := os.WriteFile(part, fmt.Appendf(nil, "%s %d\n", office, last), 0o600); err != nil {
		return err
	}
	return os.Rename(part, path)
}
