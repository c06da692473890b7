//go:build e2e

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/orders/phrase"
)

// The check of docs/dice.md in another language agrees with the program's own check on
// games that this program has played, and finds what was changed.
func TestEndToEndDiceInAnotherLanguage(t *testing.T) {
	for _, args := range [][]string{
		{"demo", "--seed", "11"},
		{"demo", "--seed", "13", "--game", "waterloo", "--option", "scenario-length=quick"},
	} {
		out := filepath.Join(t.TempDir(), "demo")
		if code := run(context.Background(), append(args, "--out", out), io.Discard, io.Discard); code != 0 {
			t.Fatalf("%v ends with %d", args, code)
		}
		checkInPython(t, filepath.Join(out, "game.yaml"))
	}
}

// The same holds for games with rulings, with a rewind, and for games that went on after
// their end, so that there are two seeds; also for what each side may export.
func TestEndToEndDiceOfAGameWithRulings(t *testing.T) {
	for _, c := range ruledGames {
		g := newRuledGame(t, c.system, c.options, false)
		c.play(g)
		g.verifies("finished")
		for _, side := range append([]engine.Side{""}, g.sides...) {
			checkInPython(t, g.file("finished-"+string(side)+".yaml"))
		}
	}
}

// checkInPython runs the check of docs/dice.md on an export, and on the export
// spoilt in several ways.
func checkInPython(t *testing.T, file string) {
	t.Helper()
	check := func(file string) (string, error) {
		said, err := runAnother(t, nil, "python3", "../../docs/check_game.py", file)
		return string(said), err
	}
	said, err := check(file)
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, said)
	}
	t.Logf("%s: %s", filepath.Base(file), said)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	forgedLogs(t, file, data)
	for name, change := range map[string][2]string{
		"a die":  {`\"r\":3`, `\"r\":4`},
		"a hash": {`"n":2,"hash":"`, `"n":2,"hash":"0`},
		"a seed": {"seeds:\n  - ", "seeds:\n  - 00"},
	} {
		bad := filepath.Join(t.TempDir(), "bad.yaml")
		spoilt := bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(spoilt, data) {
			t.Fatalf("%s: there is nothing like %s in the file", file, name)
		}
		if err := os.WriteFile(bad, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := check(bad); err == nil {
			t.Errorf("%s: %s was changed, and nothing is found: %s", file, name, said)
		}
	}
}

// A forgedEntry is an entry of an export as a forger changes it.
type forgedEntry map[string]any

// forgedLogs gives the check in another language the log as offices would have written it
// that choose their dice or their game, with every hash made to fit.
func forgedLogs(t *testing.T, file string, data []byte) {
	t.Helper()
	seed := regexp.MustCompile(`seeds:\n  - "?([0-9a-f]{64})`).FindSubmatch(data)
	key, err := hex.DecodeString(string(seed[1]))
	if err != nil {
		t.Fatal(err)
	}
	// roll makes the first stop with dice fit, as if its dice had fallen so.
	roll := func(body, made map[string]any, place int) {
		stop := body["data"].(map[string]any)
		h := sha256.New()
		for _, a := range stop["answers"].([]any) {
			a := a.(map[string]any)
			d := a["decision"].(map[string]any)
			at, _ := d["at"].(string)
			for _, part := range []string{d["side"].(string), d["kind"].(string), at, a["orders"].(string)} {
				fmt.Fprintf(h, "%d\n%s\n", len(part), part)
			}
		}
		sum := [sha256.Size]byte(h.Sum(nil))
		stop["orders_hash"] = hex.EncodeToString(sum[:])
		dice := engine.NewStopDice(key, made["game"].(string), place, sha256.Sum256(nil), sum)
		for _, r := range stop["rolls"].([]any) {
			r := r.(map[string]any)
			r["r"] = dice.Roll(int(r["d"].(float64)), phrase.Phrase{})
		}
	}
	first := func(body map[string]any) map[string]any {
		return body["data"].(map[string]any)["answers"].([]any)[0].(map[string]any)
	}
	for name, spoil := range map[string]func(body, made map[string]any){
		"a comment behind the orders": func(body, made map[string]any) {
			first(body)["orders"] = first(body)["orders"].(string) + "# 7\n"
			roll(body, made, int(body["stop"].(float64)))
		},
		"a space in the orders": func(body, made map[string]any) {
			first(body)["orders"] = strings.Replace(first(body)["orders"].(string), ": ", ":  ", 1)
			roll(body, made, int(body["stop"].(float64)))
		},
		"a stop's number": func(body, made map[string]any) {
			body["stop"] = 1000
			roll(body, made, 1000)
		},
		"rolls ruled on without a ruling": func(body, _ map[string]any) {
			stop := body["data"].(map[string]any)
			one := stop["rolls"].([]any)[0].(map[string]any)
			one["r"] = int(one["r"].(float64))%int(one["d"].(float64)) + 1
			stop["ruled"] = map[string]any{"1": one["r"]}
		},
		"a default in place of a file": func(body, _ map[string]any) { first(body)["by"] = "default" },
		"an answer that its seal does not open": func(body, _ map[string]any) {
			first(body)["salt"] = "00"
		},
	} {
		forge(t, file, data, name, func(e forgedEntry, body, made map[string]any, done *bool) {
			stop, _ := body["data"].(map[string]any)
			if body["kind"] != "resolved" || *done || stop["rolls"] == nil || stop["ruled"] != nil || stop["again"] != nil || len(stop["answers"].([]any)) == 0 || first(body)["by"] != "player" || first(body)["salt"] == nil {
				return
			}
			*done = true
			spoil(body, made)
		})
	}
	forge(t, file, data, "false winners", func(_ forgedEntry, body, _ map[string]any, done *bool) {
		if body["kind"] == "over" {
			*done = true
			body["data"].(map[string]any)["outcome"].(map[string]any)["winners"] = []any{"nobody"}
		}
	})
	forge(t, file, data, "another game's set-up", func(_ forgedEntry, body, _ map[string]any, done *bool) {
		if body["kind"] == "setup" {
			*done = true
			body["data"].(map[string]any)["system"] = "chess"
		}
	})
}

// forge changes the entries of an export, makes the chain fit, and wants the check in
// another language to find it.
func forge(t *testing.T, file string, data []byte, name string, spoil func(e forgedEntry, body, made map[string]any, done *bool)) {
	t.Helper()
	var out bytes.Buffer
	var last chain.Link
	var made map[string]any
	done := false
	for line := range strings.Lines(string(data)) {
		text, ok := strings.CutPrefix(line, "  - {")
		if !ok {
			out.WriteString(line)
			continue
		}
		e, body := forgedEntry{}, map[string]any{}
		if err := json.Unmarshal([]byte("{"+text), &e); err != nil {
			t.Fatal(err)
		}
		if shown, ok := e["body"].(string); ok {
			if err := json.Unmarshal([]byte(shown), &body); err != nil {
				t.Fatal(err)
			}
			if made == nil {
				made = body["data"].(map[string]any)
			}
			was := done
			if spoil(e, body, made, &done); done != was {
				changed, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				e["body"] = string(changed)
			}
		}
		last = chain.Chain(last, digestOf(t, e, "salt", "body", "digest"), privateOf(t, e))
		e["hash"] = hex.EncodeToString(last.Hash[:])
		changed, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString("  - ")
		out.Write(changed)
		out.WriteByte('\n')
	}
	if !done {
		if strings.HasPrefix(filepath.Base(file), "finished") {
			return // few stops of a game with rulings remain: the games of the demo have all of them
		}
		t.Fatalf("%s: nothing in %s can be forged so", name, file)
	}
	bad := filepath.Join(t.TempDir(), "forged.yaml")
	if err := os.WriteFile(bad, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := runAnother(t, nil, "python3", "../../docs/check_game.py", bad)
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("%s: %s: nothing is found: %v\n%s", file, name, err, said)
	}
	if code := run(t.Context(), []string{"game", "verify", bad}, io.Discard, io.Discard); code != exitRefused {
		t.Errorf("%s: %s: berthier game verify ends with %d", file, name, code)
	}
}

// digestOf is the digest of one part of an entry.
func digestOf(t *testing.T, e forgedEntry, salt, text, digest string) (sum [sha256.Size]byte) {
	t.Helper()
	if shown, ok := e[text].(string); ok {
		s, err := hex.DecodeString(e[salt].(string))
		if err != nil {
			t.Fatal(err)
		}
		return sha256.Sum256(append(s, shown...))
	}
	b, err := hex.DecodeString(e[digest].(string))
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(b)
}

// privateOf is the digest of the private part of an entry, nil if it has none.
func privateOf(t *testing.T, e forgedEntry) []byte {
	t.Helper()
	if e["private"] == nil && e["private_digest"] == nil {
		return nil
	}
	sum := digestOf(t, e, "private_salt", "private", "private_digest")
	return sum[:]
}
