package main

import (
	"strings"
	"testing"
)

// A command line that has been used says and does of the next one what a new one does: nothing
// that was set, chosen or asked for before is left.
func TestCommandLinesOneAfterTheOther(t *testing.T) {
	lines := []string{
		"bench pace --games 1 --game waterloo --option scenario-length=quick --minor commit --seed 3", "bench pace --games 1", "bench pace --side french",
		"rules napoleon --orders", "rules", "rules chess", "help rules", "version", "--help", "version --nonsense", "league check", "league check nowhere.yaml",
		"choices", "choices --made nowhere", "game show", "game show nowhere -c nowhere.yaml", "game show", "bench pace --policy default", "bench pace --games 1 --json", "rules napoleon", "",
	}
	used := newCommandLine()
	for _, line := range lines {
		var one, two, oneErr, twoErr strings.Builder
		code, again := run(t.Context(), strings.Fields(line), &one, &oneErr), used.run(t.Context(), strings.Fields(line), &two, &twoErr)
		if code != again || one.String() != two.String() || untimed(oneErr.String()) != untimed(twoErr.String()) {
			t.Errorf("berthier %s ends with %d, and after other commands with %d:\n%s%s\n=====\n%s%s", line, code, again, one.String(), oneErr.String(), two.String(), twoErr.String())
		}
	}
}

// untimed is what a command says but for how long it took.
func untimed(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := len(lines) - 1; strings.HasSuffix(lines[last], " s") {
		lines = lines[:last]
	}
	return strings.Join(lines, "\n")
}
