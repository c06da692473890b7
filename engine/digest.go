package engine

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"berthier/orders"
)

// A Sourced ruleset can name the sources that decide how its games go.
type Sourced interface {
	// Sources holds the files that decide how a game goes, each under its path in
	// the program: the ruleset's own Go code and scenarios, and the packages of the
	// program that it is made of. Words and pictures are not among them.
	Sources() []fs.FS
}

//go:embed *[^t].go digest.go fact.go
var own embed.FS

// Digest is one number for everything that decides how games of a ruleset go: the source
// of the ruleset, of this package and of the reading of orders, and the bytes of the
// scenarios. Two programs with the same digest play the same game. It is "" for a ruleset
// that is not [Sourced].
func Digest(rules Ruleset) string {
	sourced, ok := rules.(Sourced)
	if !ok {
		return ""
	}
	h := sha256.New()
	for _, files := range append([]fs.FS{own, orders.Sources}, sourced.Sources()...) {
		h.Write([]byte("package\n"))
		for _, name := range deciding(files) {
			data, err := fs.ReadFile(files, name)
			if err != nil { // the files are part of the program
				panic("engine: " + err.Error())
			}
			fmt.Fprintf(h, "%s\n%d\n", name, len(data))
			h.Write(data)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// deciding lists the files of a package that decide, sorted: all but tests, words and
// what only draws or writes pages.
func deciding(files fs.FS) []string {
	var all []string
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && Decides(name) {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		panic("engine: " + err.Error())
	}
	slices.Sort(all)
	return all
}

// Decides tells by its path whether a file of a ruleset's package bears on how a game
// goes: Go code that is not a test, and scenarios.
func Decides(name string) bool {
	if strings.HasPrefix(name, "scenarios/") {
		return true
	}
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}
