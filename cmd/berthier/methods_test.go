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
