package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unpacked is an export of a game with the first scheme of dice.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("../../adjudicator/verify/testdata/old", name+".yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Each verdict has its words and its exit code, also as JSON.
func TestVerifyHasThreeVerdicts(t *testing.T) {
	withoutRace(t)
	whole, bots := unpacked(t, "waterloo-quick"), unpacked(t, "napoleon-bot")
	holds := []int{0, exitUnproven} // the latter where rules were corrected after that game
	for name, c := range map[string]struct {
		data  []byte
		codes []int
		says  string
	}{
		"an old game":              {whole, holds, `holds$|differs under this program's rules`},
		"a bot of an office's own": {bots, []int{exitUnproven}, `not checked: answers of the bot`},
		"another die":              {bytes.Replace(whole, []byte(`\"r\":`), []byte(`\"r\":1`), 1), []int{exitRefused}, `does NOT hold$`},
		"another system":           {bytes.Replace(whole, []byte("system: waterloo"), []byte("system: napoleon"), 1), []int{exitRefused}, `does NOT hold$`},
		"no ruleset of that name":  {bytes.ReplaceAll(whole, []byte("waterloo"), []byte("Borodino")), []int{exitRefused}, `no ruleset "Borodino"`},
	} {
		file := filepath.Join(t.TempDir(), "game.yaml")
		keep(t, file, string(c.data))
		var out, errout bytes.Buffer
		code := run(context.Background(), []string{"game", "verify", file}, &out, &errout)
		fits := false
		for _, want := range c.codes {
			fits = fits || code == want
		}
		if !fits || !regexp.MustCompile(`(?m)`+c.says).MatchString(out.String()) {
			t.Errorf("%s: exit code %d, want %v; says\n%s%s", name, code, c.codes, &out, &errout)
		}
		var said struct{ Verdict string }
		out.Reset()
		if again := run(context.Background(), []string{"game", "verify", "--json", file}, &out, &errout); again != code ||
			json.Unmarshal(out.Bytes(), &said) != nil || said.Verdict == "" {
			t.Errorf("%s: as JSON %d: %s", name, again, &out)
		}
	}
	empty := t.TempDir()
	keep(t, filepath.Join(empty, "one.eml"), "From: somebody@mail.example\r\n\r\nhello\r\n")
	file := filepath.Join(empty, "game.yaml")
	keep(t, file, string(whole))
	var out bytes.Buffer
	if code := run(context.Background(), []string{"game", "verify", file, "--letters", empty}, &out, io.Discard); code != exitUnproven ||
		!strings.Contains(out.String(), "none in the folder is of this game") {
		t.Errorf("without a letter of the game: %d\n%s", code, &out)
	}
}

// Neither the configuration nor the command line of the office lets a set-up fix the
// seed of the dice.
func TestSeedsAreNotFixedOnTheCommandLine(t *testing.T) {
	defer func(was bool) { repeatable = was }(repeatable)
	repeatable = false
	dir := t.TempDir()
	keep(t, filepath.Join(dir, "password"), "secret\n")
	keep(t, filepath.Join(dir, "office.yaml"), "office: {address: orders@club.example}\ndatabase: "+filepath.Join(dir, "games.db")+
		"\nimap: {host: mail.club.example, user: orders, password-file: "+filepath.Join(dir, "password")+
		"}\nsmtp: {host: mail.club.example, user: orders, password-file: "+filepath.Join(dir, "password")+"}\n")
	makeDatabase(t, filepath.Join(dir, "games.db"))
	set := "game: ligny-7\nsystem: napoleon\noptions: {setup: historical}\ngm: {name: Anna, address: anna@club.example}\ndeadline: 3d\n" +
		"seats:\n  french: {name: Bruno, address: bruno@mail.example}\n  allied: {name: Clara, address: clara@mail.example}\n"
	for text, want := range map[string]int{set: 0, strings.Replace(set, "ligny-7", "ligny-8", 1) + "seed: six\n": exitRefused} {
		file := filepath.Join(dir, "set-up.yaml")
		keep(t, file, text)
		var out, errout bytes.Buffer
		code := run(context.Background(), []string{"game", "new", "-c", filepath.Join(dir, "office.yaml"), file}, &out, &errout)
		if code != want || want != 0 && !strings.Contains(errout.String()+out.String(), "only the demo and tests may") {
			t.Errorf("exit code %d, want %d: %s%s", code, want, &out, &errout)
		}
	}
}
