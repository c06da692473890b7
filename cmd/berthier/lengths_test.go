package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is longer can't be read in one go.
const (
	mostFileLines     = 800
	mostFunctionLines = 80 // of a test without its tables, and without its cases, which are measured one by one
)

func TestFunctionsAndFilesAreShort(t *testing.T) {
	withoutRace(t)
	files := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		files++
		for _, long := range tooLong(t, path, nil) {
			t.Error(long)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Fatal("no file was found")
	}
}

func TestLengthsAreMeasured(t *testing.T) {
	function := "package p\n\nfunc F() {\n" + strings.Repeat("\t_ = 1\n", mostFunctionLines-2) + "}\n"
	for text, want := range map[string]int{
		function: 0,
		strings.Replace(function, "}\n", "\t_ = 2\n}\n", 1): 1,
		"package p\n" + strings.Repeat("\n", mostFileLines): 1,
	} {
		if got := tooLong(t, "p.go", []byte(text)); len(got) != want {
			t.Errorf("%d lines: %v", strings.Count(text, "\n"), got)
		}
	}
	long := strings.Repeat("\t1,\n", mostFunctionLines)
	for text, want := range map[string]int{
		strings.Replace(function, "}\n", "\t_ = 2\n}\n", 1):       1,
		"package p\n\nfunc F() {\n_ = []int{\n" + long + "}\n}\n": 0,
		"package p\n\nfunc F(t *testing.T) {\n\tt.Run(\"\", func(t *testing.T) {\n" + strings.Repeat("\t_ = 1\n", mostFunctionLines-2) + "})\n\t_ = 1\n}\n": 0,
		"package p\n\nfunc F(t *testing.T) {\n\tt.Run(\"\", func(t *testing.T) {\n" + strings.Repeat("\t_ = 1\n", mostFunctionLines) + "})\n}\n":            1,
	} {
		if got := tooLong(t, "p_test.go", []byte(text)); len(got) != want {
			t.Errorf("%.60q, %d lines: %v", text, strings.Count(text, "\n"), got)
		}
	}
}

// tooLong lists what is too long in a file of Go. A source of nil stands for the file itself.
func tooLong(t *testing.T, path string, source []byte) (all []string) {
	t.Helper()
	if source == nil {
		var err error
		if source, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if set.File(file.Pos()).LineCount() > mostFileLines {
		all = append(all, path+" is too long")
	}
	lines := func(n ast.Node) int { return set.Position(n.End()).Line - set.Position(n.Pos()).Line }
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n := lines(f)
		if strings.HasSuffix(path, "_test.go") {
			apart(f, func(part ast.Node, isCase bool) {
				if n -= lines(part); isCase && lines(part) >= mostFunctionLines {
					all = append(all, path+": a case of "+f.Name.Name+" is too long")
				}
			})
		}
		if n >= mostFunctionLines {
			all = append(all, path+": "+f.Name.Name+" is too long")
		}
	}
	return all
}

// apart gives the tables of a test and the functions of its cases: those that take a *testing.T
// and are given to another function.
func apart(f *ast.FuncDecl, give func(part ast.Node, isCase bool)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			give(n, false)
			return false
		case *ast.CallExpr:
			if len(n.Args) == 0 {
				return true
			}
			one, ok := n.Args[len(n.Args)-1].(*ast.FuncLit)
			if !ok || len(one.Type.Params.List) != 1 {
				return true
			}
			if star, ok := one.Type.Params.List[0].Type.(*ast.StarExpr); ok {
				if of, ok := star.X.(*ast.SelectorExpr); ok && of.Sel.Name == "T" {
					give(one, true)
					return false
				}
			}
		}
		return true
	})
}
