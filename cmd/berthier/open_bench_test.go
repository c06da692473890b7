package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"golang.org/x/sys/unix"

	"berthier/adjudicator"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
)

// BenchmarkOpenPlayed starts an office in whose file lie games that were played to their end: as many whole games of Waterloo
// as BERTHIER_PLAYED says, 100 without it. Each is the one game of a demo, packed as the office leaves it, under an id, addresses
// and letters of its own; what games share lies there once. It reports the time from the start until the office has looked
// at what is due, first with nothing of the file in the kernel's memory, and by how much the process's own memory has grown until then.
func BenchmarkOpenPlayed(b *testing.B) {
	games := 100
	if n, err := strconv.Atoi(os.Getenv("BERTHIER_PLAYED")); err == nil {
		games = n
	}
	path := filepath.Join(b.TempDir(), "games.db")
	manyPlayed(b, path, games)
	words, err := catalogue()
	if err != nil {
		b.Fatal(err)
	}
	rules := slices.SortedFunc(maps.Values(rulesets), func(x, y engine.Ruleset) int { return cmp.Compare(x.About().ID, y.About().ID) })
	for b.Loop() {
		dropCached(b, path)
		for _, from := range []string{"cold", "warm"} {
			debug.FreeOSMemory()
			before, start := ownMemory(b), time.Now()
			st, err := bolt.Open(path, bolt.Options{})
			if err != nil {
				b.Fatal(err)
			}
			office, err := adjudicator.New(st, words, rules, adjudicator.Options{
				From: mail.Address{Addr: demoOffice}, Secret: st.Secret(), Version: version(), Log: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				b.Fatal(err)
			}
			_, _, err = office.Next()
			if err := errors.Join(err, office.Tick(context.Background())); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(start).Seconds(), "s-to-ready-"+from)
			b.ReportMetric(ownMemory(b)-before, "MB-more-"+from)
			if err := st.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size()>>20), "MB-file")
}

// dropCached takes a file out of the kernel's memory.
func dropCached(b *testing.B, path string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)); err != nil {
		b.Fatal(err)
	}
}

// ownMemory is the resident memory of this process in megabytes, without the file that is mapped.
func ownMemory(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
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

// manyPlayed makes a file of many games from that of a demo.
func manyPlayed(b *testing.B, path string, games int) {
	b.Helper()
	folder := filepath.Join(b.TempDir(), "demo")
	one := filepath.Join(folder, "berthier.db")
	if code := run(b.Context(), []string{"demo", "--game", "waterloo", "--seed", "7", "--out", folder}, io.Discard, io.Discard); code != 0 {
		b.Fatal("no demo")
	}
	_, config, database := site(b, "")
	whole, err := os.ReadFile(one)
	if err := errors.Join(err, os.WriteFile(database, whole, 0o600)); err != nil {
		b.Fatal(err)
	}
	if code := run(b.Context(), []string{"compact", "--config", config}, io.Discard, io.Discard); code != 0 {
		b.Fatal("not packed")
	}
	from, err := bbolt.Open(database, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	to, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, NoFreelistSync: true})
	if err != nil {
		b.Fatal(err)
	}
	err = from.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, all *bbolt.Bucket) error { return copies(to, string(name), all, games) })
	})
	if err := errors.Join(err, to.Sync(), to.Close()); err != nil {
		b.Fatal(err)
	}
}

// copies writes what a bucket of the file with one game holds, once for each game, in the order of the keys: those of one game lie together,
// but where a key begins with a time, a letter or a tag.
func copies(to *bbolt.DB, name string, all *bbolt.Bucket, games int) error {
	keys, values := [][]byte{}, [][]byte{}
	if err := all.ForEach(func(k, v []byte) error { keys, values = append(keys, k), append(values, v); return nil }); err != nil {
		return err
	}
	const game = "demo-1"
	shared := name == "meta" || name == "blobs"
	if shared {
		games = 1
	}
	for first := 0; first == 0 || first < games; first += 100 { // so many in one write
		err := to.Update(func(tx *bbolt.Tx) error {
			there, err := tx.CreateBucketIfNotExists([]byte(name))
			if err != nil {
				return err
			}
			there.FillPercent = 0.9
			for n := first; n < min(first+100, games); n++ {
				id := fmt.Appendf(nil, "demo-%05d", n)
				for i, k := range keys {
					v := values[i]
					switch {
					case shared:
					case name == "intake" || name == "messageids": // digests
						k = append(binary.BigEndian.AppendUint32(nil, uint32(n)), k[4:]...)
					case name == "outbox":
						k = binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(k)+uint64(n)<<20)
					case name == "addresses":
						k = slices.Concat(id, k[:len(k)-len(game)], id)
					default:
						k = bytes.Replace(k, []byte(game), id, 1)
						if name == "games" {
							v = bytes.ReplaceAll(v, []byte(game), id)
						}
					}
					if err := there.Put(k, v); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
	}
	return nil
}
