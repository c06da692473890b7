package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"berthier/adjudicator"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/store/postgres"
	"berthier/engine"
)

// systems are the rulesets of this program, in the order of their names.
func systems() []engine.Ruleset {
	var all []engine.Ruleset
	for _, id := range sortedKeys(rulesets) {
		all = append(all, rulesets[id])
	}
	return all
}

// checkDatabase reads the database down to the last record; if a daemon has it open, the
// daemon reads it. It also gives the database's number, "" if that is not known.
func checkDatabase(ctx context.Context, conf config) (all []finding, number string) {
	if e, ok := examinedByDaemon(ctx, conf); ok {
		return append([]finding{examined(conf, *e, ", in use by berthier serve")}, putAway(conf, *e)...), e.Number
	}
	f := finding{gradeFail, "database", conf.where(), ""}
	if conf.Server != nil {
		return checkServer(conf, f)
	}
	info, err := bolt.Inspect(conf.Database, bolt.Options{})
	switch {
	case errors.Is(err, bolt.ErrLocked):
		f.grade, f.found, f.do = gradeWarn, conf.Database+": in use, by a program that does not say what the database holds", "if that is an older berthier serve, start it again with this program, and doctor can read the records; if it is a command, try again"
		return []finding{f}, ""
	case errors.Is(err, fs.ErrNotExist):
		f.found, f.do = conf.Database+": does not exist", databaseAdvice(err, conf)
		if e := writable(filepath.Dir(conf.Database)); e != nil {
			f.found, f.do = e.Error(), "make the folder, or give it to the user that runs berthier"
		}
		return []finding{f}, ""
	case errors.Is(err, fs.ErrPermission):
		f.found, f.do = err.Error(), "run doctor as the user that runs berthier; if the file is not that user's, give it to him (chown)"
		return []finding{f}, ""
	case err != nil:
		if f.found, f.do = err.Error(), databaseAdvice(err, conf); f.do == "" {
			f.do = databaseAdvice(store.ErrDamaged, conf)
		}
		return []finding{f}, ""
	case info.Schema < bolt.Schema:
		f.grade, f.found = gradeWarn, fmt.Sprintf("%s: %d games, schema %d, every page read", conf.Database, info.Games, info.Schema)
		f.do = fmt.Sprintf("the next start brings it to schema %d and keeps a copy as %s; after that older programs can't read it", bolt.Schema, bolt.OldCopy(conf.Database, info.Schema))
	default:
		e, err := examineHere(conf)
		if err != nil {
			f.found, f.do = err.Error(), databaseAdvice(store.ErrDamaged, conf)
			return []finding{f}, info.Number
		}
		f, all = examined(conf, *e, ""), putAway(conf, *e)
	}
	return slices.Concat([]finding{f}, all, checkWritable(conf)), info.Number
}

// checkServer reads an office on a server down to the last record.
func checkServer(conf config, f finding) (all []finding, number string) {
	e, err := examineHere(conf)
	if err != nil {
		var h hinted
		if f.found, f.do = err.Error(), databaseAdvice(err, conf); errors.As(err, &h) {
			f.do = h.hint
		}
		return []finding{f}, ""
	}
	all = append([]finding{examined(conf, *e, "")}, putAway(conf, *e)...)
	if err := writable(filepath.Dir(conf.Database)); err != nil {
		all = append(all, finding{gradeFail, "database", "serve could not make its socket: " + err.Error(), "make the folder, or give it to the user that runs berthier (key folder)"})
	}
	return all, e.Number
}

// examined is the finding after every record was read.
func examined(conf config, e adjudicator.Examined, more string) finding {
	schema := bolt.Schema
	if conf.Server != nil {
		schema = postgres.Schema()
	}
	f := finding{gradeOK, "database", fmt.Sprintf("%s%s: %d games, schema %d, every page and record read, the chains of %d log entries hold",
		conf.where(), more, e.Games, schema, e.Entries), ""}
	switch {
	case len(e.Faults) > 0:
		f.grade, f.found, f.do = gradeFail, conf.where()+": "+strings.Join(e.Faults, "; "), databaseAdvice(store.ErrDamaged, conf)
	case e.Heads == 1:
		f.grade, f.found = gradeWarn, f.found+"; one of the file's two heads is damaged"
		f.do = "the last change may be missing, unless the machine failed in the middle of a write: compare the last letters with berthier game list, check the disk, and make a backup"
	}
	return f
}

// putAway is the finding about what was put away of finished games; none if nothing was, and nothing lies
// there.
func putAway(conf config, e adjudicator.Examined) []finding {
	f := finding{gradeOK, "put away", fmt.Sprintf("%s: %d games, every file read", conf.Shelf, e.Away), ""}
	switch {
	case len(e.AwayFaults) > 0:
		f.grade, f.found = gradeFail, strings.Join(e.AwayFaults, "; ")
		f.do = "put each file back where it was, from beside a backup (FILE" + awaySuffix + "); the games are verified from their logs without it, but their reports can't be sent again, and no ruling reopens them"
		if conf.Shelf == "" {
			f.do = "name the folder in which the files lie (key put-away)"
		}
	case len(e.Strays) > 0:
		f.grade, f.found = gradeWarn, fmt.Sprintf("%s: %d games; files that belong to none: %s", conf.Shelf, e.Away, strings.Join(e.Strays, ", "))
		f.do = "the machine failed while a file was written or removed: the office removes those of games a week after it has first seen them; remove the others"
	case e.Away == 0:
		return nil
	}
	return []finding{f}
}

func examineHere(conf config) (*adjudicator.Examined, error) {
	st, err := openStore(conf, bolt.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	e, err := adjudicator.Examine(st, systems(), conf.Shelf)
	return e, errors.Join(err, st.Close())
}

// checkWritable finds what keeps serve from writing where it must: to the file, and
// beside it, where its socket is.
func checkWritable(conf config) []finding {
	f, err := os.OpenFile(conf.Database, os.O_RDWR, 0)
	if err == nil {
		err = f.Close()
	}
	what := conf.Database
	if err == nil {
		what, err = filepath.Dir(conf.Database), writable(filepath.Dir(conf.Database))
	}
	if err == nil {
		return nil
	}
	do := "give " + what + " to the user that runs berthier (chown), and run doctor as that user"
	if errors.Is(err, syscall.EROFS) {
		do = databaseAdvice(err, conf)
	}
	return []finding{{gradeFail, "database", "serve could not write: " + err.Error(), do}}
}

// writable tells whether a file can be made in a folder, by making one.
func writable(folder string) error {
	f, err := os.CreateTemp(folder, ".berthier-doctor-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// serveExamined reads every record for a doctor that asks.
func serveExamined(h *office, conf config, w http.ResponseWriter) {
	e, err := adjudicator.Examine(h.store, systems(), conf.Shelf)
	if err == nil {
		if swapped := h.store.Ready(); swapped != nil {
			e.Faults = append([]string{swapped.Error()}, e.Faults...)
		}
		err = json.NewEncoder(w).Encode(e)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// examinedByDaemon asks a running daemon to read every record.
func examinedByDaemon(ctx context.Context, conf config) (*adjudicator.Examined, bool) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://office/examine", nil)
	if err != nil {
		return nil, false
	}
	response, err := controlClient(conf).Do(request)
	if err != nil {
		return nil, false
	}
	defer response.Body.Close()
	var e adjudicator.Examined
	if response.StatusCode != http.StatusOK || json.NewDecoder(response.Body).Decode(&e) != nil {
		return nil, false // the daemon is of another version
	}
	return &e, true
}
