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
	mostFunctionLines = 80 // of a test there may be more: a table of cases is no harder to read when it is long
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
	if got := tooLong(t, "p_test.go", []byte(strings.Replace(function, "}\n", "\t_ = 2\n}\n", 1))); len(got) != 0 {
		t.Error(got)
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
	if strings.HasSuffix(path, "_test.go") {
		return all
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && set.Position(f.End()).Line-set.Position(f.Pos()).Line >= mostFunctionLines {
			all = append(all, path+": "+f.Name.Name+" is too long")
		}
	}
	return all
}
