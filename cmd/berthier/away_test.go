package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
)

// withAway puts something on the shelf of a database that holds nothing else.
func withAway(t *testing.T, database string) shelf.Ref {
	t.Helper()
	ref, err := shelf.New(database+awaySuffix).Put(&shelf.Item{Game: "lot-1"}, []byte("export"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(ref)
	if err != nil {
		t.Fatal(err)
	}
	st, err := bolt.Open(database, bolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Commit(t.Context(), store.Change{Values: map[string]store.Value{"away lot-1": {Data: data}}}); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return ref
}

// What was put away goes with backups, restores and moves. A file that is missing or damaged is named, with what to do: a backup is kept
// without it, and fails all the same, so that nobody overlooks it; a move goes on without it only if that is asked for.
func TestWhatWasPutAwayTravels(t *testing.T) {
	_, file, database := site(t, "")
	ref := withAway(t, database)
	do := func(want int, says string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), append(args, "-c", file), &out, &out); code != want || !strings.Contains(out.String(), says) {
			t.Errorf("%q ends with %d: %s", args, code, out.String())
		}
	}
	there := func(folder string) bool { return shelf.New(folder).Check(ref) == nil }
	folder := t.TempDir()
	copied, moved := filepath.Join(folder, "copy.db"), filepath.Join(folder, "moved.db")
	do(0, "what was put away of 1 games is in", "backup", copied)
	if !there(copied + awaySuffix) {
		t.Error("no copy beside the backup")
	}

	path := filepath.Join(database+awaySuffix, ref.File)
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(path, "something else")
	do(exitRefused, "berthier doctor says which", "backup", copied+"2")
	if info, err := bolt.Inspect(copied+"2", bolt.Options{}); err != nil || there(copied+"2"+awaySuffix) {
		t.Errorf("a backup without a file that is lost: %+v, %v", info, err)
	}
	do(exitRefused, "lot-1: ", "backup", copied+"3")
	do(exitRefused, "exists already", "backup", copied+"3")
	do(exitRefused, "the office was not moved", "move", "--to", moved)
	do(exitRefused, "move the office without them: --without-lost", "move", "--to", moved)
	if _, err := os.Stat(moved); err == nil {
		t.Error("a move that was refused has made a database")
	}
	doctor := func() string {
		var out bytes.Buffer
		run(t.Context(), []string{"doctor", "-c", file}, &out, &out)
		return out.String()
	}
	if said := doctor(); !strings.Contains(said, "the file is damaged") || !strings.Contains(said, "put each file back where it was") {
		t.Error(said)
	}
	if err := os.RemoveAll(database + awaySuffix); err != nil {
		t.Fatal(err)
	}
	if said := doctor(); !strings.Contains(said, "Mount the folder in which the files lie") {
		t.Error(said)
	}
	withSchema(t, copied, "5") // as the program before wrote it
	giveAway(t, database, folder)
	do(0, "what was put away of 1 games is in", "restore", copied)
	if !there(database + awaySuffix) {
		t.Error("not restored")
	}
	givenAway(t, database, database+awaySuffix, path)
	do(0, "", "game", "list")
	put(path+".part", "cut sh")
	if said := doctor(); !strings.Contains(said, "files that belong to none: "+ref.File+".part") {
		t.Error(said)
	}
	do(0, "What was put away of 1 games is in", "move", "--to", moved)
	if !there(moved + awaySuffix) {
		t.Error("not moved")
	}
	givenAway(t, moved, moved+awaySuffix, filepath.Join(moved+awaySuffix, ref.File))
	former, err := filepath.Glob(database + ".before-*") // a second restore within the same second is refused
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(former, copied+awaySuffix, database+awaySuffix) {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	do(0, "their reports can't be sent again until the files are in", "restore", copied)
}

// An office whose files of what was put away are lost for good is moved without them, if that is asked for.
func TestAMoveWithoutLostFiles(t *testing.T) {
	_, file, database := site(t, "")
	ref := withAway(t, database)
	if err := os.RemoveAll(database + awaySuffix); err != nil {
		t.Fatal(err)
	}
	do := func(want int, says string, args ...string) {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), append(args, "-c", file), &out, &out); code != want || !strings.Contains(out.String(), says) {
			t.Errorf("%q ends with %d: %s", args, code, out.String())
		}
	}
	without := filepath.Join(t.TempDir(), "without.db")
	// A folder that may only not be mounted is no lost one, unless its owner says so.
	do(exitRefused, "not all of these files are lost", "move", "--without-lost", "--to", without)
	office, err := bolt.Inspect(database, bolt.Options{})
	if err := errors.Join(err, os.MkdirAll(database+awaySuffix, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(database+awaySuffix, shelf.Owner), []byte(office.Number+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	do(0, "their reports can't be sent again until the files are in "+without+awaySuffix+": lot-1: ", "move", "--without-lost", "--to", without)
	if info, err := bolt.Inspect(without, bolt.Options{}); err != nil || shelf.New(without+awaySuffix).Check(ref) == nil {
		t.Errorf("moved without a file that is lost: %+v, %v", info, err)
	}
	do(exitRefused, "the office moved to "+without, "game", "list")
}

// giveAway gives files and folders to another user, as those of a daemon are. Only root can do that.
func giveAway(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if os.Geteuid() != 0 {
			return
		}
		if err := os.Chown(path, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
}

// givenAway demands that what root has made belongs to that user.
func givenAway(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if os.Geteuid() != 0 {
			return
		}
		if info, err := os.Stat(path); err != nil || !strings.Contains(fmt.Sprintf("%+v", info.Sys()), "Uid:65534") {
			t.Errorf("%s belongs to root: %v", path, err)
		}
	}
}
