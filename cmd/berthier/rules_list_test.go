package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berthier/engine/hfg"
	"berthier/orders"
	"berthier/templates"
)

// A list is judged at home: what it costs is printed, and all that is wrong with it, each with its
// line and clause.
func TestJudgeList(t *testing.T) {
	words, err := templates.New(map[string]fs.FS{"hfg": hfg.New().Words()})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "list.yaml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	write("year: 1863\nnation: union\ncommands: [{id: i, kind: c-in-c, general: cp-1, elements: [min-1..5]}]\nelements: {cp-1: cp, min-1..5: minie}\ndefending: [{barricade: 1}]\nattacking: [{redoubt: 1}]\n")
	if err := judgeList(&out, hfg.New(), words, file, ""); err != nil {
		t.Fatal(err)
	}
	want := "own: 71 of 400 points for elements; with preparations 73 in defence, 76 in attack; 6 equivalents, 1 dice\n" +
		"command i (c-in-c): 6 elements, 71 points\n" +
		"odd: line 6, column 23: an attacker buys concealed positions only: the 5 points for redoubt are lost if this army attacks [HFG-3.6]\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	write("year: 1863\ncommands: [{id: i, kind: c-in-c, general: cp-1, elements: [min-1..4]}]\nelements: {cp-1: minie, min-1..4: {smoothbore: [horse, heavy]}}\n")
	err = judgeList(&out, hfg.New(), words, file, "union-1863")
	var faults orders.Problems
	if !errors.As(err, &faults) || len(faults) != 6 {
		t.Errorf("faults %v", err)
	}
	if err := judgeList(&out, hfg.New(), words, filepath.Join(t.TempDir(), "none"), ""); err == nil {
		t.Error("a file that isn't there is judged")
	}
}
