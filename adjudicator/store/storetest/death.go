package storetest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// dyingEnv names the folder in which a test's own program, when it was started again, is to
// write until it is killed.
const dyingEnv = "BERTHIER_STORE_DYING"

// Main runs the tests of a package, or writes until it is killed.
func Main(m *testing.M, open Opener) int {
	if folder := os.Getenv(dyingEnv); folder != "" {
		if err := writeUntilKilled(folder, open); err != nil {
			fmt.Println("fault", err)
		}
		return 1
	}
	return m.Run()
}

const dyingWriters = 8

// writeUntilKilled writes from several goroutines and says after each commit which
// write it was.
func writeUntilKilled(folder string, open Opener) error {
	s, err := open(folder, false)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	out := bufio.NewWriter(os.Stdout)
	failed := make(chan error, dyingWriters)
	for w := range dyingWriters {
		go func() {
			for {
				n, err := writeOne(s, w)
				if err != nil {
					failed <- err
					return
				}
				mu.Lock()
				fmt.Fprintln(out, w, n)
				out.Flush()
				mu.Unlock()
			}
		}()
	}
	return <-failed
}

// writeOne writes one change that holds some of everything, all of it marked with the
// number of the entry; now and then the log is put into blocks, too.
func writeOne(s store.Store, writer int) (uint64, error) {
	ctx, game := context.Background(), fmt.Sprintf("g%d", writer)
	l, err := s.Load(ctx, game)
	if err != nil {
		return 0, err
	}
	id, err := s.Reserve(ctx, 1)
	if err != nil {
		return 0, err
	}
	n := l.End.Seq + 1
	body := bytes.Repeat([]byte{byte(n)}, int(n%3000))
	c := store.Change{Game: game, After: l.End, Was: store.VersionOf(l.Record), Record: fmt.Append(nil, n), Snapshot: body,
		Entries: []chain.Entry{chain.Follow(l.End, chain.Salt{}, body, nil)}, Mark: &store.Mark{Digest: [32]byte{byte(writer), byte(n >> 8), byte(n)}},
		Outgoing: []store.Outgoing{{ID: id, Due: time.Unix(int64(n), 0), Body: body}}}
	c.PutValue(game, store.Value{Data: c.Record, Was: store.VersionOf(l.Record)})
	c.Settle = n%7 == 0
	return n, s.Commit(ctx, c)
}

// testKill kills a writer at random moments: afterwards the store is sound, no acknowledged
// write is missing, and each change was written either completely or not at all.
func testKill(t *testing.T, open Opener) {
	folder := t.TempDir()
	rounds := 4 // each takes longer than the one before, since there is more to look at
	if os.Getenv("BERTHIER_SAMPLES") == "full" {
		rounds = 12
	}
	var acknowledged [dyingWriters]uint64
	for range rounds {
		killOne(t, folder, &acknowledged)
		s, err := open(folder, false)
		if err != nil {
			t.Fatal(err)
		}
		keptWord(t, s, &acknowledged)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// keptWord finds that no acknowledged write of the writers is missing, and that each change was written
// either completely or not at all.
func keptWord(t *testing.T, s store.Store, acknowledged *[dyingWriters]uint64) {
	t.Helper()
	var entries uint64
	read(t, s, func(r store.Reader) {
		marks := 0
		if err := r.Marks(func([32]byte, []byte) error { marks++; return nil }); err != nil {
			t.Error(err)
		}
		for w, n := range acknowledged {
			game := fmt.Sprintf("g%d", w)
			last := r.Last(game)
			if last.Seq < n {
				t.Errorf("%s has %d entries, %d were acknowledged", game, last.Seq, n)
			}
			if err := store.Verify(r, game); err != nil {
				t.Error(err)
			}
			record := fmt.Sprint(last.Seq)
			if last.Seq > 0 && (string(r.Game(game)) != record || string(r.Value(game)) != record || uint64(len(r.Snapshot(game))) != last.Seq%3000) {
				t.Errorf("half a change of %s", game)
			}
			entries += last.Seq
		}
		if due := r.Due(time.Unix(1<<30, 0), 1<<30); uint64(len(due)) != entries || uint64(marks) != entries {
			t.Errorf("%d letters, %d marks, %d entries", len(due), marks, entries)
		}
	})
}

// ServerDies kills, in the middle of writes, the server that keeps a store, and starts it again: the
// store that is open goes on, with a failure for what was under way, and keeps its word.
func ServerDies(t *testing.T, open Opener, kill, again func() error) {
	s, err := open(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var acknowledged [dyingWriters]uint64
	for range 3 {
		var wg sync.WaitGroup
		var dead atomic.Bool
		begun := make(chan struct{}, 1<<16)
		for w := range dyingWriters {
			wg.Go(func() {
				for !dead.Load() {
					if n, err := writeOne(s, w); err == nil {
						acknowledged[w] = n
						begun <- struct{}{}
					}
				}
			})
		}
		for range 20 + rand.IntN(100) {
			<-begun
		}
		if err := kill(); err != nil {
			t.Fatal(err)
		}
		dead.Store(true)
		if s.Ready() == nil {
			t.Error("a store whose server is dead says that it is ready")
		}
		if err := again(); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if err := s.Ready(); err != nil {
			t.Error(err)
		}
		keptWord(t, s, &acknowledged)
	}
}

// killOne starts a writer, and kills it after some of its writes.
func killOne(t *testing.T, folder string, acknowledged *[dyingWriters]uint64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), dyingEnv+"="+folder)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(stdout)
	kill := 20 + rand.IntN(400) // lines to wait for
	for n := 0; ; n++ {
		if n == kill {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		line, err := in.ReadString('\n')
		if err == io.EOF {
			break
		}
		var w int
		var seq uint64
		if _, err := fmt.Sscan(line, &w, &seq); err != nil {
			t.Fatalf("the writer says: %s", line)
		}
		acknowledged[w] = max(acknowledged[w], seq)
	}
	_ = cmd.Wait() // it was killed
}

// Bench measures how fast several writers are that write at once, each to its own game.
func Bench(b *testing.B, open Opener) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			s, err := open(b.TempDir(), false)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			body := bytes.Repeat([]byte("x"), 400)
			b.ResetTimer()
			var wg sync.WaitGroup
			for w := range writers {
				n := b.N / writers
				if w < b.N%writers {
					n++
				}
				wg.Go(func() {
					c := store.Change{Game: fmt.Sprintf("g%d", w), Record: body}
					for range n {
						c.Entries = []chain.Entry{chain.Follow(c.After, chain.Salt{}, body, nil)}
						if err := s.Commit(context.Background(), c); err != nil {
							b.Error(err)
							return
						}
						c.After, c.Was = c.Entries[0].Link, store.VersionOf(body)
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
		})
	}
}
