package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"berthier/adjudicator/log/chain"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"
)

const crashEnv = "BERTHIER_STORE_CRASH_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashEnv); path != "" {
		crashChild(path)
		return
	}
	os.Exit(m.Run())
}

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := openNew(path, Options{Timeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := s.View(func(tx *Tx) error { return s.walkAt(tx.tx) }) // a test may have spoilt a record
		if err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("check: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func fresh(t testing.TB) *Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "games.db"))
}

// openNew opens a database, and makes it first if there is none.
func openNew(path string, opt Options) (*Store, error) {
	if err := Create(path, opt); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return Open(path, opt)
}

func apply(t testing.TB, s *Store, f func(*Tx) error) {
	t.Helper()
	if err := s.Apply(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, s *Store, f func(*Tx)) {
	t.Helper()
	if err := s.View(func(tx *Tx) error { f(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestOpen(t *testing.T) {
	t.Run("a second opener is told why", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		open(t, path)
		if _, err := Open(path, Options{Timeout: 20 * time.Millisecond}); !errors.Is(err, ErrLocked) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a newer file is refused", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		s := open(t, path)
		if err := s.db.Update(func(tx *bolt.Tx) error {
			return tx.Bucket(bucketMeta).Put(keySchema, strconv.AppendInt(nil, Schema+1, 10))
		}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if _, err := Open(path, Options{}); !errors.Is(err, ErrNewer) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("pages of one seat and game stay apart", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		s := open(t, path)
		err := s.Apply(t.Context(), func(tx *Tx) error {
			for n := uint64(1); n <= 3; n++ {
				if err := tx.PutPage("g", "red", n, []byte{byte(n)}); err != nil {
					return err
				}
			}
			return errors.Join(tx.PutPage("g", "re", 1, []byte{9}), tx.PutPage("g2", "red", 1, []byte{9}), tx.PutNote("pulse", []byte("x")))
		})
		if err != nil {
			t.Fatal(err)
		}
		view(t, s, func(tx *Tx) {
			var got []byte
			if err := tx.Pages("g", "red", func(n uint64, page []byte) error {
				got = append(got, byte(n), page[0])
				return nil
			}); err != nil || !bytes.Equal(got, []byte{1, 1, 2, 2, 3, 3}) {
				t.Errorf("pages %v, %v", got, err)
			}
			if string(tx.Note("pulse")) != "x" || tx.Note("other") != nil {
				t.Error("notes")
			}
		})
	})
	t.Run("another program's file is refused", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "other.db")
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("things")); return err })
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, Options{}); !errors.Is(err, ErrForeign) {
			t.Errorf("got %v", err)
		}
		text := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(text, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(text, Options{}); !errors.Is(err, ErrForeign) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the secret stays", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		s := open(t, path)
		secret := s.Secret()
		s.Close()
		if again := open(t, path).Secret(); again != secret || again == [32]byte{} {
			t.Error("the secret changed, or there is none")
		}
	})
	t.Run("closed", func(t *testing.T) {
		s := fresh(t)
		s.Close()
		if err := s.Apply(context.Background(), func(*Tx) error { return nil }); !errors.Is(err, ErrClosed) {
			t.Errorf("apply: %v", err)
		}
		if err := s.View(func(*Tx) error { return nil }); !errors.Is(err, ErrClosed) {
			t.Errorf("view: %v", err)
		}
	})
}

// A failing write leaves no trace, and those beside it are kept.
func TestOneFailureDoesNotSinkTheOthers(t *testing.T) {
	s := fresh(t)
	want := errors.New("no")
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			id := fmt.Sprintf("g%03d", i)
			err := s.Apply(context.Background(), func(tx *Tx) error {
				if err := tx.PutGame(id, []byte("x")); err != nil {
					return err
				}
				switch i % 10 {
				case 3:
					return want
				case 7:
					panic("oh")
				}
				return nil
			})
			switch {
			case i%10 == 3 && !errors.Is(err, want), i%10 == 7 && err == nil, i%10 != 3 && i%10 != 7 && err != nil:
				t.Errorf("write %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	view(t, s, func(tx *Tx) {
		for i := range 200 {
			kept := tx.Game(fmt.Sprintf("g%03d", i)) != nil
			if kept != (i%10 != 3 && i%10 != 7) {
				t.Errorf("write %d: kept %v", i, kept)
			}
		}
	})
}

func TestLog(t *testing.T) {
	s := fresh(t)
	var last chain.Link
	for _, game := range []string{"a", "ab", "b"} {
		last = chain.Link{}
		for i := range 300 {
			e := chain.Follow(last, chain.Salt{byte(i)}, fmt.Appendf(nil, "%s %d", game, i), nil)
			apply(t, s, func(tx *Tx) error { return tx.Append(game, e) })
			last = e.Link
		}
	}
	view(t, s, func(tx *Tx) {
		for _, game := range []string{"a", "ab", "b"} {
			if err := tx.Verify(game); err != nil {
				t.Error(err)
			}
			if l := tx.Last(game); l.Seq != 300 {
				t.Errorf("last of %s is %d", game, l.Seq)
			}
			n := 0
			err := tx.Entries(game, 290, func(e chain.Entry) error {
				if want := fmt.Sprintf("%s %d", game, e.Seq-1); string(e.Body) != want {
					t.Errorf("entry %d is %q", e.Seq, e.Body)
				}
				n++
				return nil
			})
			if err != nil || n != 11 {
				t.Errorf("%d entries, %v", n, err)
			}
		}
		if l := tx.Last("none"); l != (chain.Link{}) {
			t.Errorf("a game without a log has %v", l)
		}
	})
	for name, bad := range map[string]chain.Entry{
		"number taken": chain.Follow(chain.Link{}, chain.Salt{}, nil, nil),
		"other chain":  chain.Follow(chain.Link{Seq: 300}, chain.Salt{}, nil, nil),
		"gap":          chain.Follow(chain.Link{Seq: 301, Hash: last.Hash}, chain.Salt{}, nil, nil),
	} {
		if err := s.Apply(context.Background(), func(tx *Tx) error { return tx.Append("b", bad) }); !errors.Is(err, ErrOutOfStep) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A changed body is found.
	if err := s.db.Update(func(tx *bolt.Tx) error {
		key := within("ab", number(17)...)
		v := bytes.Clone(tx.Bucket(bucketLog).Get(key))
		v[len(v)-1] ^= 1
		return tx.Bucket(bucketLog).Put(key, v)
	}); err != nil {
		t.Fatal(err)
	}
	view(t, s, func(tx *Tx) {
		if err := tx.Verify("ab"); err == nil || !strings.Contains(err.Error(), "entry 17") {
			t.Errorf("changed entry: %v", err)
		}
	})
}

// The store does what plain maps would do, also after it was opened again.
func TestModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "store")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "games.db")
		s, err := openNew(path, Options{NoSync: true})
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { s.Close() }()

		type row struct {
			due  time.Time
			body string
		}
		games, snaps, answers := map[string]string{}, map[string]string{}, map[string]string{}
		logs, rows, wakes := map[string][]chain.Entry{}, map[uint64]row{}, map[string]time.Time{}
		marks, joined := map[[32]byte]string{}, map[[2]string]bool{}
		game := rapid.SampledFrom([]string{"a", "ab", "a-b", "b", "lang-ny-7"})
		text := rapid.StringN(0, 20, 60)
		address := rapid.SampledFrom([]string{"x@a", "x@ab", "y@a"})
		at := rapid.Custom(func(t *rapid.T) time.Time { return time.Unix(int64(rapid.IntRange(1, 30).Draw(t, "at")), 0).UTC() })
		do := func(f func(*Tx) error) {
			if err := s.Apply(context.Background(), f); err != nil {
				rt.Fatal(err)
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"record": func(rt *rapid.T) {
				g, v := game.Draw(rt, "game"), text.Draw(rt, "text")
				games[g], snaps[g] = v, v+"!"
				do(func(tx *Tx) error { return errors.Join(tx.PutGame(g, []byte(v)), tx.PutSnapshot(g, []byte(v+"!"))) })
			},
			"answer": func(rt *rapid.T) {
				g, side, v := game.Draw(rt, "game"), text.Draw(rt, "side"), text.Draw(rt, "text")
				if rapid.Bool().Draw(rt, "drop") {
					delete(answers, g+"\x00"+side)
					do(func(tx *Tx) error { return tx.PutAnswer(g, side, nil) })
					return
				}
				answers[g+"\x00"+side] = v
				do(func(tx *Tx) error { return tx.PutAnswer(g, side, append([]byte{}, v...)) })
			},
			"log": func(rt *rapid.T) {
				g, v := game.Draw(rt, "game"), text.Draw(rt, "text")
				var last chain.Link
				if n := len(logs[g]); n > 0 {
					last = logs[g][n-1].Link
				}
				e := chain.Follow(last, chain.Salt{7}, []byte(v), nil)
				logs[g] = append(logs[g], e)
				do(func(tx *Tx) error { return tx.Append(g, e) })
			},
			"nothing": func(rt *rapid.T) {
				g := game.Draw(rt, "game")
				want := errors.New("no")
				if err := s.Apply(context.Background(), func(tx *Tx) error {
					return errors.Join(tx.PutGame(g, []byte("lost")), tx.Append(g, chain.Follow(tx.Last(g), chain.Salt{}, nil, nil)), want)
				}); !errors.Is(err, want) {
					rt.Fatal(err)
				}
			},
			"queue": func(rt *rapid.T) {
				r := row{at.Draw(rt, "due"), text.Draw(rt, "text")}
				var id uint64
				do(func(tx *Tx) (err error) { id, err = tx.Queue(r.due, []byte(r.body)); return err })
				if _, taken := rows[id]; taken {
					rt.Fatalf("row %d twice", id)
				}
				rows[id] = r
			},
			"row": func(rt *rapid.T) {
				if len(rows) == 0 {
					rt.Skip("no rows")
				}
				id := rapid.SampledFrom(slices.Sorted(maps.Keys(rows))).Draw(rt, "row")
				r := row{time.Time{}, text.Draw(rt, "text")}
				if rapid.Bool().Draw(rt, "again") {
					r.due = at.Draw(rt, "due")
				}
				rows[id] = r
				do(func(tx *Tx) error { return tx.PutRow(Row{ID: id, Due: r.due, Body: []byte(r.body)}) })
			},
			"wake": func(rt *rapid.T) {
				g := game.Draw(rt, "game")
				if rapid.Bool().Draw(rt, "never") {
					delete(wakes, g)
					do(func(tx *Tx) error { return tx.Wake(g, time.Time{}) })
					return
				}
				wakes[g] = at.Draw(rt, "at")
				do(func(tx *Tx) error { return tx.Wake(g, wakes[g]) })
			},
			"mark": func(rt *rapid.T) {
				v := text.Draw(rt, "text")
				d := sha256.Sum256([]byte(v))
				marks[d] = v
				do(func(tx *Tx) error { return tx.Mark(d, []byte(v)) })
			},
			"join": func(rt *rapid.T) {
				a, g := address.Draw(rt, "address"), game.Draw(rt, "game")
				if joined[[2]string{a, g}] {
					delete(joined, [2]string{a, g})
					do(func(tx *Tx) error { return tx.Leave(a, g) })
					return
				}
				joined[[2]string{a, g}] = true
				do(func(tx *Tx) error { return tx.Join(a, g) })
			},
			"reopen": func(rt *rapid.T) {
				if err := s.Close(); err != nil {
					rt.Fatal(err)
				}
				if s, err = openNew(path, Options{NoSync: true}); err != nil {
					rt.Fatal(err)
				}
			},
			"": func(rt *rapid.T) {
				err := s.View(func(tx *Tx) error {
					n := 0
					if err := tx.Games(func(g string, record []byte) error {
						n++
						if string(record) != games[g] || string(tx.Snapshot(g)) != snaps[g] {
							rt.Fatalf("game %s is %q", g, record)
						}
						return nil
					}); err != nil || n != len(games) {
						rt.Fatalf("%d games, want %d: %v", n, len(games), err)
					}
					for key, want := range answers {
						g, side, _ := strings.Cut(key, "\x00")
						if got := tx.Answer(g, side); string(got) != want {
							rt.Fatalf("answer %q is %q", key, got)
						}
					}
					for g, want := range logs {
						if err := tx.Verify(g); err != nil {
							rt.Fatal(err)
						}
						var got []chain.Entry
						tx.Entries(g, 0, func(e chain.Entry) error { got = append(got, e); return nil })
						if len(got) != len(want) || tx.Last(g) != want[len(want)-1].Link {
							rt.Fatalf("log of %s has %d entries", g, len(got))
						}
					}
					for d, want := range marks {
						if note, taken := tx.Marked(d); !taken || string(note) != want {
							rt.Fatalf("mark %q is %q", want, note)
						}
					}
					for _, by := range []int64{0, 5, 15, 40} {
						var wantRows, wantGames []string
						for id, r := range rows {
							if got, ok := tx.Row(id); !ok || string(got.Body) != r.body || !got.Due.Equal(r.due) {
								rt.Fatalf("row %d is %+v", id, got)
							}
							if !r.due.IsZero() && r.due.Unix() <= by {
								wantRows = append(wantRows, fmt.Sprintf("%02d/%06d", r.due.Unix(), id))
							}
						}
						slices.Sort(wantRows)
						var gotRows []string
						for _, id := range tx.Due(time.Unix(by, 0), 1000) {
							gotRows = append(gotRows, fmt.Sprintf("%02d/%06d", rows[id].due.Unix(), id))
						}
						if !slices.Equal(gotRows, wantRows) {
							rt.Fatalf("due by %d: %v, want %v", by, gotRows, wantRows)
						}
						for g, at := range wakes {
							if at.Unix() <= by {
								wantGames = append(wantGames, fmt.Sprintf("%02d/%s", at.Unix(), g))
							}
						}
						slices.Sort(wantGames)
						var gotGames []string
						for _, g := range tx.Waking(time.Unix(by, 0), 1000) {
							gotGames = append(gotGames, fmt.Sprintf("%02d/%s", wakes[g].Unix(), g))
						}
						if !slices.Equal(gotGames, wantGames) {
							rt.Fatalf("waking by %d: %v, want %v", by, gotGames, wantGames)
						}
					}
					for _, a := range []string{"x@a", "x@ab", "y@a"} {
						var want []string
						for pair := range joined {
							if pair[0] == a {
								want = append(want, pair[1])
							}
						}
						slices.Sort(want)
						if got := tx.GamesOf(a, 100); !slices.Equal(got, want) {
							rt.Fatalf("games of %s: %v, want %v", a, got, want)
						}
					}
					return nil
				})
				if err != nil {
					rt.Fatal(err)
				}
			},
		})
		if err := s.Check(); err != nil {
			rt.Fatal(err)
		}
	})
}

func TestBackup(t *testing.T) {
	s := fresh(t)
	apply(t, s, func(tx *Tx) error {
		return errors.Join(tx.PutGame("a", []byte("one")), tx.Append("a", chain.Follow(chain.Link{}, chain.Salt{}, []byte("x"), nil)))
	})
	path := filepath.Join(t.TempDir(), "copy.db")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.Backup(f)
	if err := errors.Join(err, f.Close()); err != nil || n == 0 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	c := open(t, path)
	view(t, c, func(tx *Tx) {
		if string(tx.Game("a")) != "one" || tx.Verify("a") != nil || tx.Last("a").Seq != 1 {
			t.Error("the copy is not the same")
		}
	})
	if c.Secret() != s.Secret() {
		t.Error("the copy has another secret")
	}
}

func TestIDsAndBlobs(t *testing.T) {
	s := fresh(t)
	one, two := sha256.Sum256([]byte("1")), sha256.Sum256([]byte("2"))
	var key, again [32]byte
	apply(t, s, func(tx *Tx) (err error) {
		key, err = tx.PutBlob([]byte("ground"))
		again, _ = tx.PutBlob([]byte("ground"))
		return errors.Join(err, tx.MarkID("<a@b>", one), tx.MarkID("<a@b>", two))
	})
	view(t, s, func(tx *Tx) {
		if got, ok := tx.MarkedID("<a@b>"); !ok || got != one {
			t.Error("the first content of a Message-ID does not stay")
		}
		if _, ok := tx.MarkedID("<c@d>"); ok {
			t.Error("a Message-ID that never came")
		}
		if key != again || string(tx.Blob(key)) != "ground" || tx.Blob(two) != nil {
			t.Error("blobs")
		}
	})
}

// crashChild writes from several goroutines and says after each commit which
// write it was, until it is killed.
func crashChild(path string) {
	s, err := openNew(path, Options{})
	if err != nil {
		fmt.Println("fault", err)
		return
	}
	var mu sync.Mutex
	out := bufio.NewWriter(os.Stdout)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			game := fmt.Sprintf("g%d", w)
			for {
				var n uint64
				err := s.Apply(context.Background(), func(tx *Tx) error {
					last := tx.Last(game)
					n = last.Seq + 1
					body := bytes.Repeat([]byte{byte(n)}, int(n%3000))
					_, err := tx.Queue(time.Unix(int64(n), 0), body)
					return errors.Join(err, tx.Append(game, chain.Follow(last, chain.Salt{}, body, nil)),
						tx.PutGame(game, number(n)), tx.PutSnapshot(game, body))
				})
				if err != nil {
					fmt.Println("fault", err)
					return
				}
				mu.Lock()
				fmt.Fprintln(out, w, n)
				out.Flush()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// Killed at any moment, the file is sound, no acknowledged write is missing,
// and what one transaction wrote is there whole or not at all.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	var acknowledged [8]uint64
	for round := range rounds {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), crashEnv+"="+path)
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
				t.Fatalf("child: %s", line)
			}
			acknowledged[w] = max(acknowledged[w], seq)
		}
		cmd.Wait()

		s, err := openNew(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		var entries uint64
		view(t, s, func(tx *Tx) {
			for w, n := range acknowledged {
				game := fmt.Sprintf("g%d", w)
				last := tx.Last(game)
				if last.Seq < n {
					t.Errorf("round %d: %s has %d entries, %d were acknowledged", round, game, last.Seq, n)
				}
				if err := tx.Verify(game); err != nil {
					t.Error(err)
				}
				if last.Seq > 0 && (binary.BigEndian.Uint64(tx.Game(game)) != last.Seq || uint64(len(tx.Snapshot(game))) != last.Seq%3000) {
					t.Errorf("round %d: half a transaction of %s", round, game)
				}
				entries += last.Seq
			}
			if due := tx.Due(time.Unix(1<<30, 0), 1<<30); uint64(len(due)) != entries {
				t.Errorf("round %d: %d rows, %d entries", round, len(due), entries)
			}
		})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			s := fresh(b)
			body := bytes.Repeat([]byte("x"), 400)
			b.ResetTimer()
			var wg sync.WaitGroup
			for w := range writers {
				n := b.N / writers
				if w < b.N%writers {
					n++
				}
				wg.Go(func() {
					game := fmt.Sprintf("g%d", w)
					for range n {
						if err := s.Apply(context.Background(), func(tx *Tx) error {
							return errors.Join(tx.Append(game, chain.Follow(tx.Last(game), chain.Salt{}, body, nil)), tx.PutGame(game, body))
						}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
		})
	}
}
