package adjudicator

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/store/bolt"
	"berthier/mail"
)

// manyGames makes games without waiting for the disk.
func manyGames(b testing.TB, path string, n int) {
	b.Helper()
	h := newTestOffice(b, func(h *testOffice) { h.path = path })
	var wg sync.WaitGroup
	next := make(chan int)
	for range 16 {
		wg.Go(func() {
			for i := range next {
				text := strings.NewReplacer("lot-1", fmt.Sprintf("lot-%d", i), "red@play", fmt.Sprintf("red%d@play", i), "Blue@play", fmt.Sprintf("blue%d@play", i)).Replace(twoSides)
				s, problems := h.office.Clerk().ReadSetup(text, nil)
				if len(problems) > 0 {
					b.Error(problems)
					return
				}
				if err := h.office.Clerk().NewGame(context.Background(), s); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := h.store.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkTake takes order files in: found in the letter, read, judged, the
// confirmation written, all of it committed with fsync. The letters come side
// by side, as a batch from a mailbox does.
func BenchmarkTake(b *testing.B) {
	for _, games := range []int{10, 10_000} {
		path := filepath.Join(b.TempDir(), "games.db")
		manyGames(b, path, games)
		for _, hands := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("games=%d/hands=%d", games, hands), func(b *testing.B) {
				h := newTestOffice(b, func(h *testOffice) { h.path, h.sync, h.opt.AnswersPerHour = path, true, 1<<30 })
				letters := make([]*mail.Letter, b.N)
				keys := make([]string, min(games, 100))
				for i := range keys {
					keys[i] = key(h, fmt.Sprintf("lot-%d", i*games/len(keys)), "red")
				}
				now := h.clock.Now()
				for i := range letters {
					n := i % len(keys)
					game := n * games / len(keys)
					text := fmt.Sprintf("Hello,\nhere are my orders.\n\ngame: lot-%d\nside: red\nstop: 1 bid\nkey: %s\norders: {bid: R-%d}\n", game, keys[n], i%4+1)
					letters[i] = &mail.Letter{
						MessageID: fmt.Sprintf("%d.%d.%d@x", time.Now().UnixNano(), hands, i), From: mail.Address{Addr: fmt.Sprintf("red%d@play.example", game)}, Date: now,
						Parts: []mail.Part{{Kind: mail.Plain, Type: "text/plain", Text: text}},
					}
					letters[i].Digest = sha256.Sum256([]byte(letters[i].MessageID))
				}
				b.ResetTimer()
				var at atomic.Int64
				var wg sync.WaitGroup
				for range hands {
					wg.Go(func() {
						for {
							i := int(at.Add(1)) - 1
							if i >= len(letters) {
								return
							}
							if folder, err := h.office.Take(context.Background(), letters[i]); err != nil || folder != mail.Processed {
								b.Error(folder, err)
								return
							}
						}
					})
				}
				wg.Wait()
				b.StopTimer()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "letters/s")
				if err := h.store.Close(); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkOpen opens an office with ten thousand games and looks at what is
// due; then it takes a letter for each of a thousand of them. It reports the
// time until it is ready and the memory after that.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "games.db")
	manyGames(b, path, 10_000)
	for b.Loop() {
		start := time.Now()
		h := newTestOffice(b, func(h *testOffice) { h.path, h.opt.AnswersPerHour = path, 1<<30 })
		if _, _, err := h.office.Next(); err != nil {
			b.Fatal(err)
		}
		if err := h.office.Tick(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds())/1000, "ms-to-ready")
		for i := range 1000 {
			game := i * 10
			h.write(fmt.Sprintf("red%d@play.example", game), fmt.Sprintf("game: lot-%d\nkey: %s\ncommand: status\n", game, key(h, fmt.Sprintf("lot-%d", game), "red")), mail.Processed)
		}
		runtime.GC()
		b.ReportMetric(resident(b), "MB-resident")
		h.store.Close()
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size()>>20), "MB-file")
}

// resident is the memory of the process, without the file that is mapped.
func resident(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.Sys) / (1 << 20)
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "RssAnon: %d kB", &kb); n == 1 {
			return float64(kb) / 1024
		}
	}
	b.Fatal("no RssAnon in /proc/self/status")
	return 0
}

// BenchmarkResolve plays whole games through letters, without the disk.
func BenchmarkResolve(b *testing.B) {
	h := newTestOffice(b, func(h *testOffice) { h.opt.AnswersPerHour = 1 << 30 })
	stops := 0
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprintf("lot-%d", i)
		h.newGame(strings.Replace(twoSides, "lot-1", id, 1))
		for range 100 {
			g := h.record(id)
			if g.Phase != game.Running {
				stops += g.Stop
				break
			}
			for _, s := range g.Seats {
				if s.Owes == nil {
					continue
				}
				answer := h.anyUnit(id)(s.Side, s.Owes)
				h.write(s.Person.Address, fmt.Sprintf("game: %s\nkey: %s\nstop: %d\norders: %s\n", id, key(h, id, s.Side), s.Owes.Stop, answer), mail.Processed)
			}
		}
	}
	b.ReportMetric(float64(stops)/b.Elapsed().Seconds(), "stops/s")
	_ = bolt.Schema
}
