package main

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"berthier/adjudicator"
	"berthier/adjudicator/store/bolt"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// TestBenchOffice plays a few days in a small office of copies. They are true games: the database has no fault, games that
// were played and games that lie are whole by their own logs, and letters were judged.
func TestBenchOffice(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "bench")
	var out bytes.Buffer
	if code := run(t.Context(), []string{"bench", "office", "--games", "40", "--few", "20", "--active", "6", "--letters", "10", "--days", "6", "--out", folder}, &out, io.Discard); code != 0 {
		t.Fatalf("code %d:\n%s", code, &out)
	}
	played := regexp.MustCompile(`6 days of 6 games among 40 \| (\d+) letters taken in, (\d+) refused, (\d+) sent`).FindStringSubmatch(out.String())
	if played == nil || !strings.Contains(out.String(), "with 20 and with 40 games, median of 10 turns | ") {
		t.Fatalf("it prints:\n%s", &out)
	}
	taken, _ := strconv.Atoi(played[1])
	if sent, _ := strconv.Atoi(played[3]); taken < 12 || played[2] != "0" || sent < taken {
		t.Errorf("%q", played)
	}
	st, err := bolt.Open(filepath.Join(folder, "many.db"), bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rules := []engine.Ruleset{rulesets["napoleon"]}
	if e, err := adjudicator.Examine(st, rules); err != nil || len(e.Faults) > 0 || e.Games != 42 {
		t.Errorf("%d games, %q, %v", e.Games, e.Faults, err)
	}
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	office, err := adjudicator.New(st, words, rules, adjudicator.Options{From: mail.Address{Addr: demoOffice}, Secret: st.Secret()})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 5, 6, 39} {
		x, err := office.Clerk().Export(benchID(benchNumber(n)), engine.GM)
		if err != nil {
			t.Fatal(err)
		}
		v, err := verify.Game(x, systems())
		if err != nil || v.Verdict() == verify.Broken {
			t.Errorf("game %d: %v, %v", n, v, err)
		}
	}
	for _, bad := range [][]string{{"--games", "0"}, {"--few", "5", "--letters", "10"}, {"--active", "-1"}, {"--days", "1000"}} {
		if code := run(t.Context(), append([]string{"bench", "office", "--games", "10"}, bad...), io.Discard, io.Discard); code == 0 {
			t.Errorf("%v is taken", bad)
		}
	}
}
