package geometry

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// Nothing that decides is a floating-point number: none stands in the package, and it
// imports nothing else of the project.
func TestNoFloats(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		checkNoFloats(t, f.Name())
	}
}

// checkNoFloats fails if a file of the package names a type of floating-point numbers,
// writes such a number, or imports a package that computes with them.
func checkNoFloats(t *testing.T, name string) {
	if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
		return
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		if i.Path.Value == `"math"` || strings.Contains(i.Path.Value, "berthier/") {
			t.Errorf("%s imports %s", name, i.Path.Value)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if strings.HasPrefix(n.Name, "float") || strings.HasPrefix(n.Name, "complex") {
				t.Errorf("%s: %s", files.Position(n.Pos()), n.Name)
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT || n.Kind == token.IMAG {
				t.Errorf("%s: %s", files.Position(n.Pos()), n.Value)
			}
		}
		return true
	})
}
