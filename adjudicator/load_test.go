package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
	"berthier/mail"
)

// letterRoad takes a letter the whole way through an office that watches a mailbox: the letter
// is taken in, the mailbox is read to its end, the clock is looked at, the answer is sent, and
// the office is asked when it has to look again.
func letterRoad(h *testOffice, from, text string, want mail.Folder) {
	h.Helper()
	h.write(from, text, want)
	h.read()
	_ = h.office.Tick(context.Background()) // of a broken game it says that it is broken
	if _, err := h.office.Send(context.Background(), nobody{}); err != nil {
		h.Fatal(err)
	}
	if _, _, err := h.office.Next(); err != nil {
		h.Fatal(err)
	}
}

// nobody takes every letter and reads none.
type nobody struct{}

func (nobody) Send(context.Context, string, string, []byte) error { return nil }

// crowd opens an office with so many games, one of which can't be taken up any
// more though its deadline has passed.
func crowd(t testing.TB, games int) *testOffice {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	manyGames(t, path, games)
	h := newTestOffice(t, func(h *testOffice) { h.path, h.opt.AnswersPerHour, h.spoilt = path, 1<<30, true })
	// What the set-ups have queued is none of the letters' business.
	letters, err := h.store.Claim(t.Context(), h.clock.Now(), h.clock.Now(), 10*games, store.AllLanes)
	if err != nil {
		t.Fatal(err)
	}
	var c store.Change
	for _, l := range letters {
		c.Outgoing = append(c.Outgoing, store.Outgoing{ID: l.ID, Was: l.Version()})
	}
	h.behind(c)
	h.office.watch.attend()
	h.read()
	h.newGame(strings.Replace(twoSides, "lot-1", "broken", 1))
	h.flush()
	g := h.record("broken")
	for _, s := range g.Seats {
		if s.Owes != nil {
			s.Owes.Deadline, s.Owes.Late = h.clock.Now().Add(-time.Hour), h.clock.Now().Add(-time.Hour)
		}
	}
	record, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	h.behind(store.Change{Game: "broken", Snapshot: []byte("no position"), Record: record,
		Wake: map[string]time.Time{"broken": h.clock.Now().Add(-time.Hour)}})
	h.restart()
	h.office.watch.attend()
	h.read()
	return h
}

// What a letter costs does not grow with the number of games: an office that
// looked at each of four hundred for a letter would need several times the memory.
func TestLetterCostDoesNotGrow(t *testing.T) {
	if raceEnabled {
		return // letters come one after the other, and the detector needs memory of its own
	}
	kinds := []struct {
		name string
		text func(h *testOffice, game int) (from, text string, want mail.Folder)
	}{
		{"orders", func(h *testOffice, i int) (string, string, mail.Folder) {
			return fmt.Sprintf("red%d@play.example", i), fmt.Sprintf("game: lot-%d\nside: red\nstop: 1 bid\nkey: %s\norders: {bid: R-1}\n", i, key(h, fmt.Sprintf("lot-%d", i), "red")), mail.Processed
		}},
		{"a key without a game", func(h *testOffice, i int) (string, string, mail.Folder) {
			return fmt.Sprintf("red%d@play.example", i), fmt.Sprintf("key: %s\ncommand: status\n", key(h, fmt.Sprintf("lot-%d", i), "red")), mail.Processed
		}},
		{"faults", func(h *testOffice, i int) (string, string, mail.Folder) {
			return fmt.Sprintf("red%d@play.example", i), fmt.Sprintf("game: lot-%d\nside: red\nstop: 1 bid\nkey: %s\norders: {bid: R-99}\n", i, key(h, fmt.Sprintf("lot-%d", i), "red")), mail.Rejected
		}},
		{"a stranger", func(h *testOffice, i int) (string, string, mail.Folder) {
			return fmt.Sprintf("stranger%d@else.example", i), "game: lot-1\ncommand: status\n", mail.Rejected
		}},
	}
	const letters = 10
	cost := map[string][2]float64{}
	crowds := [2]int{20, 400}
	for size, games := range crowds {
		h := crowd(t, games)
		for _, kind := range kinds {
			from, text, want := kind.text(h, 0)
			letterRoad(h, from, text, want) // the first of a kind fills caches
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for n := 1; n <= letters; n++ {
				from, text, want := kind.text(h, n*(games/(letters+1)))
				letterRoad(h, from, text, want)
			}
			runtime.ReadMemStats(&after)
			c := cost[kind.name]
			c[size] = float64(after.TotalAlloc-before.TotalAlloc) / letters / 1024
			cost[kind.name] = c
		}
	}
	for _, kind := range kinds {
		few, many := cost[kind.name][0], cost[kind.name][1]
		t.Logf("%s: %.0f KB with %d games, %.0f KB with %d", kind.name, few, crowds[0], many, crowds[1])
		if many > 2*few+100 {
			t.Errorf("%s: a letter needs %.0f KB with %d games, and %.0f KB with %d", kind.name, few, crowds[0], many, crowds[1])
		}
	}
}

// BenchmarkLetter takes letters the whole road, one after the other, with few
// games and with many.
func BenchmarkLetter(b *testing.B) {
	for _, games := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("games=%d", games), func(b *testing.B) {
			h := crowd(b, games)
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				i := n * 7919 % games
				letterRoad(h, fmt.Sprintf("red%d@play.example", i),
					fmt.Sprintf("game: lot-%d\nside: red\nstop: 1 bid\nkey: %s\norders: {bid: R-%d}\n", i, key(h, fmt.Sprintf("lot-%d", i), "red"), n%4+1), mail.Processed)
			}
		})
	}
}

// BenchmarkSize plays a month of a club and reports how the database grows: per
// game as it is made, and per game and month of play.
func BenchmarkSize(b *testing.B) {
	const games = 10
	for b.Loop() {
		m := openMonth(b, 1, games/2, games/2)
		m.keepReports = true
		m.deliverAll(context.Background())
		made := used(b, m.testOffice)
		m.run(30)
		info, err := os.Stat(m.path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(made/games, "KB/game")
		b.ReportMetric((used(b, m.testOffice)-made)/games, "KB/game/month")
		b.ReportMetric(float64(info.Size())/1024/games, "KB-of-file/game")
		b.ReportMetric(0, "ns/op")
	}
}

// used is how much of the database is in use, in KB.
func used(b *testing.B, h *testOffice) float64 {
	b.Helper()
	n, err := h.store.Used()
	if err != nil {
		b.Fatal(err)
	}
	return float64(n) / 1024
}
