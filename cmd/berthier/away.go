package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"berthier/adjudicator"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
)

// awaySuffix is what the folder with what was put away is called, after the name of its database, or of a copy
// of it.
const awaySuffix = ".away"

// copyAway copies what was put away of games from one folder to another, as far as it is not there, and names the
// files that can't be copied; lost tells that each of these is missing or damaged.
func copyAway(ctx context.Context, st store.Store, from shelf.Shelf, to string) (n int, failed []string, lost bool, err error) {
	var all map[string]shelf.Ref
	if err := st.Read(ctx, func(r store.Reader) error { all, err = adjudicator.Away(r); return err }); err != nil {
		return 0, nil, false, err
	}
	target := shelf.New(to)
	lost = true
	for _, id := range sortedKeys(all) {
		if err := target.Copy(from, all[id]); err != nil {
			failed = append(failed, fmt.Sprintf("%s: %v", id, err))
			lost = lost && (errors.Is(err, shelf.ErrMissing) || errors.Is(err, shelf.ErrDamaged))
			continue
		}
		n++
	}
	return n, failed, lost, nil
}

// ownAway gives a folder with what was put away, and its files, to the owner of a database, if root has made them.
func ownAway(folder, database string) error {
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	err = errors.Join(err, sameOwner(folder, database))
	for _, f := range files {
		if f.Type().IsRegular() {
			err = errors.Join(err, sameOwner(filepath.Join(folder, f.Name()), database))
		}
	}
	return err
}

// errAway is the error of files that could not be copied.
func errAway(what string, failed []string, do string) error {
	return hinted{fmt.Errorf("%s what was put away of these games can't be copied: %s", what, strings.Join(failed, "; ")), do}
}

// withoutAway says what an office lacks that goes on without files that are lost.
func withoutAway(w io.Writer, failed []string, folder string) {
	fmt.Fprintf(w, "what was put away of these games is missing, and their reports can't be sent again until the files are in %s: %s\n", folder, strings.Join(failed, "; "))
}
