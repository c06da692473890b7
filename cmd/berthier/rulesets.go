package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"berthier/adjudicator/game"
	"berthier/engine"
	registered "berthier/engine/systems"
	"berthier/orders"
	"berthier/templates"
)

// rulesets are the game systems of this program, by id.
var rulesets = byID(registered.All()...)

func byID(all ...engine.Ruleset) map[string]engine.Ruleset {
	m := map[string]engine.Ruleset{}
	for _, r := range all {
		m[r.About().ID] = r
	}
	return m
}

func rulesetNames() string {
	var names []string
	for id := range rulesets {
		names = append(names, id)
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// catalogue holds the sentences of the program and of all rulesets; they are read once.
var catalogue = sync.OnceValues(func() (*templates.Words, error) {
	systems := map[string]fs.FS{}
	for id, r := range rulesets {
		systems[id] = r.Words()
	}
	return templates.New(systems)
})

// explain puts an error into words: the faults of a file in the order of its lines, a
// refusal of the office in a sentence, anything else in the error's own words.
func explain(err error) string {
	var all interface{ Unwrap() []error }
	if errors.As(err, &all) && len(all.Unwrap()) > 1 {
		var lines []string
		for _, one := range all.Unwrap() {
			line := explain(one)
			var refused *game.RefusedError
			if errors.As(one, &refused) { // who or what it is about stands before it
				line = strings.TrimSuffix(one.Error(), refused.Error()) + line
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, "\n")
	}
	var problems orders.Problems
	var refused *game.RefusedError
	if !errors.As(err, &problems) && !errors.As(err, &refused) {
		return err.Error()
	}
	words, failed := catalogue()
	if failed != nil {
		return err.Error()
	}
	if refused != nil {
		return words.Say("en", refused.Why, plainName)
	}
	var lines []string
	for _, p := range problems {
		line := words.Say("en", p.Why, plainName)
		if p.Line > 0 {
			line = fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, line)
		}
		if p.Clause != "" {
			line += " [" + p.Clause + "]"
		}
		if !p.Remedy.IsZero() {
			line += "\n    " + words.Say("en", p.Remedy, plainName)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// plainName spells a thing by its id, for use where no game is at hand.
func plainName(_, id, _ string) string { return id }

// release is the version of a program that its packager names at the linker: -ldflags "-X main.release=v1.2.3".
var release string

// version names the program: by its release, or by what the version control says of its source.
func version() string {
	if release != "" {
		return "berthier " + release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return unnamed
	}
	return "berthier " + info.Main.Version
}

// unnamed is the version of all programs of which neither a packager nor the version control says which they are.
const unnamed = "berthier, built from source"

// program tells this program from any other that works on the same database.
func program() (string, error) { return programOf(version(), executable) }

// programOf adds to a version that different programs may have the SHA-256 of the executable: one that was built from changed
// source, or from source without its history.
func programOf(version string, executable func() (string, error)) (string, error) {
	if version != unnamed && !strings.HasSuffix(version, "+dirty") {
		return version, nil
	}
	sum, err := executable()
	if err != nil {
		return "", hinted{fmt.Errorf("tell this program from others of its office: %w", err), "let the user that runs berthier read the program's file"}
	}
	return version + ", " + sum, nil
}

// executable gives the beginning of the SHA-256 of the running program's file. It is read once, before anybody puts another one in its place.
var executable = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
})
