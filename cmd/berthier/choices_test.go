package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// A clicker is a program that plays by what the command choices prints, and by nothing
// else: it knows neither the rules nor the game. It picks from the lists by chance.
type clicker struct {
	*testing.T
	chance *rand.Rand
	// ask runs the command with these choices made and --json.
	ask func(made string) string
	// judge judges an order file; it fails the test if the file is refused.
	judge func(file string)
	every int // of so many questions one has all its choices tried; 0: none
	asked int
	tried int
}

// A clicked sheet is the part of the output that the program reads, in its own words.
type clicked struct {
	Made     []json.RawMessage
	Choices  []map[string]any
	Filled   []json.RawMessage
	Complete bool
	File     string
}

// answer plays a decision: it gives an order file.
func (p *clicker) answer(most int) string {
	var made []string
	for {
		sheet := p.sheet(made)
		if p.asked++; p.every > 0 && p.asked%p.every == 0 {
			p.tryAll(made, sheet)
		}
		if len(sheet.Choices) == 0 || len(made) == most || len(made) > 0 && p.chance.IntN(6) == 0 {
			return sheet.File
		}
		one := sheet.Choices[p.chance.IntN(len(sheet.Choices))]
		made = append(made, p.pick(one, p.chance.Float64()))
	}
}

// pick takes a choice; of a number one between its bounds.
func (p *clicker) pick(one map[string]any, where float64) string {
	one = cloneMap(one)
	if low, ok := one["low"].(float64); ok {
		one["value"] = int(low + where*(one["high"].(float64)-low) + 0.5)
	}
	text, err := json.Marshal(one)
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

func cloneMap(m map[string]any) map[string]any {
	c := map[string]any{}
	for k, v := range m {
		c[k] = v
	}
	return c
}

// sheet asks what may be chosen.
func (p *clicker) sheet(made []string) clicked {
	p.Helper()
	var s clicked
	out := p.ask(strings.Join(made, "\n"))
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		p.Fatalf("after %v: %v\n%s", made, err, out)
	}
	if len(s.Made) != len(made) || s.Choices == nil || s.Filled == nil || s.Complete != (len(s.Filled) == 0) {
		p.Fatalf("after %v:\n%s", made, out)
	}
	return s
}

// tryAll takes each choice that is offered, numbers at both ends: the file with it is
// legal, and the choices that it says stand in it can be made again from the start.
func (p *clicker) tryAll(made []string, s clicked) {
	p.Helper()
	p.judge(s.File)
	list := s.Choices
	p.chance.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	for _, one := range list[:min(len(list), 60)] {
		for _, end := range []float64{0, 1} {
			if _, number := one["low"]; !number && end == 1 {
				continue
			}
			p.tried++
			p.judge(p.sheet(append(slices.Clone(made), p.pick(one, end))).File)
		}
	}
}

// Whole games of both rulesets are played by programs that know nothing but what the
// command prints: each choice is taken from its list, each order file is the one it
// gives, and is read and carried out. It is given positions as a file.
func TestChoicesAloneArePlayedToTheEnd(t *testing.T) {
	if raceEnabled {
		return // nothing of it runs side by side, and it is long
	}
	for _, g := range []struct {
		playthrough
		most int // choices of one answer
	}{
		{playthrough{name: "waterloo-quick", system: "waterloo", setup: chosen("scenario_length", "quick"), seed: 3}, 12},
		{playthrough{name: "waterloo-full", system: "waterloo", seed: 4}, 8},
		{playthrough{name: "crossroads", system: "napoleon", setup: chosen("players", "3"), seed: 5, file: "crossroads.yaml"}, 12},
		{playthrough{name: "crossroads-3e", system: "napoleon", setup: chosen("setup", "gambit"), seed: 6, file: "crossroads-3e.yaml"}, 12},
		{playthrough{name: "campaign", system: "napoleon", seed: 7}, 5},
	} {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			rules, dir := rulesets[g.system], t.TempDir()
			file, choicesMade := filepath.Join(dir, "position.yaml"), filepath.Join(dir, "made.json")
			position, err := rules.New(g.data(t))
			if err != nil {
				t.Fatal(err)
			}
			dice := playout.NewDice(g.seed)
			p := &clicker{T: t, chance: rand.New(rand.NewPCG(g.seed, 1)), every: 97}
			stops := 0
			for {
				if _, over := position.Outcome(); over {
					break
				}
				data, err := position.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				keep(t, file, string(data))
				answers := map[engine.Side]engine.Answer{}
				for _, d := range position.Owed() {
					p.ask = func(made string) string {
						keep(t, choicesMade, made)
						var out, errout bytes.Buffer
						if code := run(t.Context(), []string{"choices", "--position", file, "--seat", string(d.Side), "--made", choicesMade, "--json"}, &out, &errout); code != 0 {
							t.Fatalf("stop %d, %s: %d %s\nafter %s", stops, decided(d), code, errout.String(), made)
						}
						return out.String()
					}
					view := position.View(d.Side)
					read := func(text string) engine.Answer {
						doc, faults := orders.Parse(text, nil)
						if len(faults) == 0 {
							var answer engine.Answer
							if answer, faults = rules.Read(view, d, doc); len(faults) == 0 {
								return answer
							}
						}
						t.Fatalf("stop %d, %s: the file is refused: %s\n%s", stops, decided(d), explain(faults), text)
						return nil
					}
					p.judge = func(text string) { read(text) }
					answers[d.Side] = read(p.answer(g.most))
				}
				if _, err := position.Advance(answers, dice); err != nil {
					t.Fatal(err)
				}
				stops++
			}
			if p.tried == 0 {
				t.Error("no choices were tried")
			}
			t.Logf("%d stops, %d questions, %d choices tried besides", stops, p.asked, p.tried)
		})
	}
}

var _ = []any{context.Background, fmt.Sprint, slog.DiscardHandler, os.ReadFile, adjudicator.New, store.Open}
