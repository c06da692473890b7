package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"berthier/engine/rulestest"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts of testdata/script run the program as a process.
func TestMain(m *testing.M) {
	repeatable = true // games of tests fix their seeds
	rulestest.Roomy()
	testscript.Main(allTests{m}, map[string]func(){
		"berthier": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) },
		"letter":   func() { os.Exit(letterCommand()) },
	})
}

// atTheEnd is what is cleared away when all tests have ended.
var atTheEnd []func()

// allTests are the tests of the package, with what is cleared away after them.
type allTests struct{ *testing.M }

// Run runs the tests, then clears away.
func (a allTests) Run() int {
	code := a.M.Run()
	for _, clear := range atTheEnd {
		clear()
	}
	return code
}

// Under the race detector only the demos are run, in which mailbox, office and sending
// work side by side; commands that run one after the other are left to runs without it.
func TestScripts(t *testing.T) {
	which := "*.txtar"
	if raceEnabled {
		which = "demo*.txtar"
	}
	scripts, err := filepath.Glob("testdata/script/" + which)
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	testscript.Run(t, testscript.Params{
		Files: scripts, RequireExplicitExec: true,
		// Scripts that play whole games are left to the run that takes full samples.
		Condition: func(name string) (bool, error) {
			if name == "full" {
				return fullSamples, nil
			}
			return false, fmt.Errorf("no such condition: %s", name)
		},
	})
}
