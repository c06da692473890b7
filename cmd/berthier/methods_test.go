package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostMethods is how many methods a type of the office may have. One with more does several
// things, and nobody can change it in one place.
const mostMethods = 40

func TestNoTypeOfTheOfficeHasManyMethods(t *testing.T) {
	withoutRace(t)
	counts := map[string]int{}
	root := filepath.Join("..", "..", "adjudicator")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for name, n := range methodsIn(file) {
			counts[filepath.ToSlash(filepath.Dir(path))+"."+name] += n
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(counts) == 0 {
		t.Fatal("no type of the office was found")
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] > mostMethods {
			t.Errorf("%s has %d methods, more than %d", strings.TrimPrefix(name, "../../"), counts[name], mostMethods)
		}
	}
}

// methodsIn counts the methods that a file declares, by the names of their types.
func methodsIn(file *ast.File) map[string]int {
	counts := map[string]int{}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		of := f.Recv.List[0].Type
		for {
			switch x := of.(type) {
			case *ast.ParenExpr:
				of = x.X
				continue
			case *ast.StarExpr:
				of = x.X
				continue
			case *ast.IndexExpr: // of a generic type
				of = x.X
				continue
			case *ast.IndexListExpr:
				of = x.X
				continue
			case *ast.Ident:
				counts[x.Name]++
			}
			break
		}
	}
	return counts
}

// TestMethodsAreCounted holds the count against every way in which a method names its type.
func TestMethodsAreCounted(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p
type a struct{}
func (a) one() {}
func (x *a) two() {}
func (x *(a)) three() {}
type g[K, V any] struct{}
func (g[K, V]) one() {}
type h[K any] struct{}
func (x *h[K]) one() {}
func none() {}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(methodsIn(file)), "map[a:3 g:1 h:1]"; got != want {
		t.Errorf("counted %s, want %s", got, want)
	}
}

// changers are the functions of a turn by which a game changes or somebody is told of it.
var changers = []string{"Log", "TellGM", "TellSeat", "TellSeats", "TellOwing", "TellWarden", "TellWhoMayKnow", "TellVerdicts",
	"NewSerial", "KeepAnswer", "Remember", "Place", "Seal", "Postpone", "GoOn", "Stand", "GiveSeat", "Exchange"}

// TestOnlyInputsChangeAGame looks in the office itself for what would change a game besides
// inputs: those alone are the same the second time.
func TestOnlyInputsChangeAGame(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "adjudicator", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of the office: %v", len(files), err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range changesIn(file) {
			t.Errorf("%s changes a game, which only an input may", set.Position(at))
		}
	}
}

// changesIn finds calls of [changers], and what is written into a game, a seat's debt, or a seat
// that is called s.
func changesIn(file *ast.File) (found []token.Pos) {
	written := func(to ast.Expr) {
		for {
			x, ok := to.(*ast.SelectorExpr)
			if !ok {
				return
			}
			of, named := x.X.(*ast.Ident)
			inner, _ := x.X.(*ast.SelectorExpr)
			if named && of.Name == "s" && x.Sel.IsExported() || inner != nil && (inner.Sel.Name == "Game" || inner.Sel.Name == "Owes") {
				found = append(found, to.Pos())
				return
			}
			to = x.X
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(changers, f.Sel.Name) {
				found = append(found, n.Pos())
			}
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				written(to)
			}
		case *ast.IncDecStmt:
			written(n.X)
		}
		return true
	})
	return found
}

// TestChangesAreFound holds the search against the ways in which the office once changed games.
func TestChangesAreFound(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p
func f() {
	d.Log(e)
	s.Serial++
	s.Owes.Answer = nil
	v.Game.Held = nil
	game.TellVerdicts(t, s, true)
	x.Waiting = nil
	d.Do(in)
}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := changesIn(file); len(found) != 5 {
		t.Errorf("found %d changes, want 5", len(found))
	}
}
