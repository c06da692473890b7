package main

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts of testdata/script run the program as a process.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"berthier": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) },
		"letter":   func() { os.Exit(letterCommand()) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true,
		// Scripts may leave whole games to the run without the race detector.
		Condition: func(name string) (bool, error) {
			if name == "race" {
				return raceEnabled, nil
			}
			return false, fmt.Errorf("no such condition: %s", name)
		},
	})
}
