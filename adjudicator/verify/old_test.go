package verify

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/engine/systems"
)

// oldGame reads an export that a program wrote before dice came by the second scheme.
func oldGame(t *testing.T, name string) *log.Export {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata/old", name+".yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	x, err := log.ReadExport(data)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Games that were played before still verify, with a word about what their logs can't
// show. Where rules were mended since, they differ; they never do not hold.
func TestOldGamesStillVerify(t *testing.T) {
	rulesets := systems.All()
	for name, rolls := range map[string]int{"napoleon": 178, "waterloo-quick": 116, "napoleon-bot": 9} {
		v, err := Game(oldGame(t, name), rulesets)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d differ, unchecked %q, notes %q", name, len(v.Differ), v.Unchecked, v.Notes)
		if !v.Sound() {
			t.Errorf("%s: %+v", name, v.Checks)
		}
		if !strings.Contains(fmt.Sprint(v.Notes), "first scheme") {
			t.Errorf("%s: nothing is said of what its log can't show: %q", name, v.Notes)
		}
		if bots := strings.Contains(fmt.Sprint(v.Unchecked), "answers of the bot"); bots != (name == "napoleon-bot") {
			t.Errorf("%s: %q is said of the bot", name, v.Unchecked)
		}
		for _, c := range v.Checks {
			if strings.HasPrefix(c.What, "dice") && c.Count != rolls {
				t.Errorf("%s: %d dice were rolled again, want %d", name, c.Count, rolls)
			}
		}
	}
}

// An old game in whose log the dice were chosen does not hold.
func TestOldGamesWithChosenDiceDoNotHold(t *testing.T) {
	for name, spoil := range map[string]func(*log.Resolved){
		"a comment": func(r *log.Resolved) {
			r.Answers[0].Orders += "# 17\n"
			r.Orders = fmt.Sprintf("%x", log.HashOrders(r.Answers))
		},
		"a roll marked as ruled on": func(r *log.Resolved) {
			r.Rolls[0].Result = 1 + r.Rolls[0].Result%r.Rolls[0].Sides
			r.Ruled = map[int]int{1: r.Rolls[0].Result}
		},
	} {
		x := oldGame(t, "napoleon-bot")
		logtest.ResolvedWith(t, x, func(r *log.Resolved) bool { return len(r.Rolls) > 0 }, spoil)
		logtest.Rechained(t, x)
		v, err := Game(x, []engine.Ruleset{napoleon.New()})
		if err != nil || v.Verdict() != Broken {
			t.Errorf("%s: %v %+v", name, err, v)
		}
	}
}
