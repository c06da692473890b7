package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/playout"
	"berthier/engine/whatif"
	"berthier/orders"
	"berthier/templates"
)

var pictures = flag.String("pictures", "", "a folder into which the gallery's pictures are drawn")

// galleries are the games from which the gallery is taken: in turn, with seeds from 1
// on, until there is a letter of each kind.
var galleries = []playthrough{
	{system: "enemy-mistakes", language: "it", setup: chosen("game", "short")},
	{system: "enemy-mistakes", language: "en", setup: chosen("game", "free-deploy-3p", "players", "3")},
	{system: "hfg", language: "it", setup: chosen("sunset-pairs", "4")},
	{system: "hfg", language: "en", setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"campaign": "yes", "sunset-pairs": "1"}}},
	{system: "napoleon", language: "en", file: "crossroads.yaml"},
	{system: "napoleon", language: "it", file: "crossroads-3e.yaml", setup: chosen("setup", "gambit", "sides", "bid")},
	{system: "napoleon", language: "en", setup: chosen("fog-of-battle", "full")},
	{system: "waterloo", language: "it"},
	{system: "waterloo", language: "en", setup: chosen("players", "3")},
	{system: "waterloo", language: "it", setup: chosen("scenario-length", "quick", "artillery-after-reveal", "true")},
}

// unseen are kinds of stops that random games do not come to: in them nobody stays idle
// for as long as a stalemate takes (NAP-R39). The letter of a stalemate is like that of a rout.
var unseen = map[string][]string{"napoleon": {"stalemate"}}

// mostGames is how many games of each kind are searched.
const mostGames = 60

// mostLongGames is how many of a ruleset whose games have hundreds of stops.
const mostLongGames = 1

// seldomMet are the conformance cases of rulesets with such games: they show the stops to which few games come.
var seldomMet = map[string]string{"enemy-mistakes": "mistakes", "hfg": "hfg"}

// mostGolden is how many bytes the golden letters may have, so that a person can read
// what changes in them.
const mostGolden = 1 << 20

// The golden playthroughs and the gallery stay small enough to be read.
func TestGoldenLettersAreSmall(t *testing.T) {
	var all int64
	for _, folder := range []string{"playthroughs", "gallery"} {
		files, err := os.ReadDir(filepath.Join("testdata", folder))
		if err != nil || len(files) == 0 {
			t.Fatalf("%d golden files in %s: %v", len(files), folder, err)
		}
		for _, f := range files {
			info, err := f.Info()
			if err != nil {
				t.Fatal(err)
			}
			all += info.Size()
		}
	}
	if all > mostGolden {
		t.Errorf("the golden letters have %d bytes, more than %d", all, mostGolden)
	}
}

// A gallery has one letter of each kind, by its name.
type gallery struct {
	t       *testing.T
	words   *templates.Words
	letters map[string]templates.Letter
	missing map[string]map[string]bool // kinds of stops without a letter, by ruleset
}

// The gallery shows one letter of each kind as its reader gets it: the report at each
// kind of stop, the last report, one without a question, a confirmation, a refusal, and
// a draft that was tried out, with where its pieces come to stand. With -pictures DIR it draws their pictures too.
func TestGallery(t *testing.T) {
	withoutRace(t)
	g := collect(t)
	for _, name := range slices.Sorted(maps.Keys(g.letters)) {
		var out bytes.Buffer
		put(&out, name, g.letters[name])
		golden(t, filepath.Join("testdata", "gallery", name+".txt"), out.Bytes()[1:])
		g.draw(name)
	}
	shown, err := filepath.Glob(filepath.Join("testdata", "gallery", "*.txt"))
	if err != nil || len(shown) != len(g.letters) {
		t.Errorf("the gallery has %d files, should have %d (%v)", len(shown), len(g.letters), err)
	}
}

// collect plays games until there is a letter of each kind.
func collect(t *testing.T) *gallery {
	t.Helper()
	return collectFrom(t, galleries)
}

// collectFrom plays such games until there is a letter of each kind of their rulesets.
func collectFrom(t *testing.T, games []playthrough) *gallery {
	t.Helper()
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	g := &gallery{t: t, words: words, letters: map[string]templates.Letter{}, missing: map[string]map[string]bool{}}
	for system, rules := range rulesets {
		if !slices.ContainsFunc(games, func(p playthrough) bool { return p.system == system }) {
			continue
		}
		g.missing[system] = map[string]bool{}
		for _, kind := range append(rules.About().Stops, "over", "waiting", "confirmation", "refusal", "tried-out") {
			g.missing[system][kind] = true
		}
		for _, kind := range unseen[system] {
			delete(g.missing[system], kind)
		}
	}
	for seed := uint64(1); seed <= mostGames; seed++ {
		for _, p := range games {
			if p.seed = seed; len(g.missing[p.system]) > 0 && (seldomMet[p.system] == "" || seed <= mostLongGames) {
				g.look(p)
			}
		}
	}
	for i, p := range games {
		if folder := seldomMet[p.system]; folder != "" {
			p.seed = uint64(i)
			g.cases(p, filepath.Join("..", "..", "engine", folder, "testdata", "cases", "stops.yaml"))
		}
	}
	for system, kinds := range g.missing {
		for kind := range kinds {
			t.Errorf("%s: no letter of the kind %s in %d games", system, kind, mostGames)
		}
	}
	return g
}

// A hearing is a ruleset that tells which decisions its judge is asked about.
type hearing struct {
	engine.Ruleset
	cases.Stager
	hear func(engine.View, engine.Decision)
}

// Read implements [engine.Ruleset].
func (h hearing) Read(v engine.View, d engine.Decision, file *orders.Document) (engine.Answer, orders.Problems) {
	h.hear(v, d)
	return h.Ruleset.Read(v, d, file)
}

// cases takes the letters of the stops of conformance cases, of the kinds that are still missing:
// games by chance seldom come to them.
func (g *gallery) cases(p playthrough, file string) {
	g.t.Helper()
	rules := rulesets[p.system]
	heard := map[string]engine.Ruleset{p.system: hearing{rules, rules.(cases.Stager), func(view engine.View, d engine.Decision) {
		if !g.missing[p.system][d.Kind] {
			return
		}
		position, err := rules.(engine.Sampler).Sample(view, d, rand.New(rand.NewPCG(p.seed, 12)))
		if err != nil {
			g.t.Fatal(err)
		}
		tab := p.table(g.words)
		_, err = playout.Game{Rules: rules, Seed: p.seed, Start: position}.Play(func(m playout.Moment) error {
			tab.hear(m)
			g.moment(tab, m, d.Side)
			return errEnough
		})
		if err != nil && !errors.Is(err, errEnough) {
			g.t.Fatal(err)
		}
	}}}
	all, faults := cases.Load(heard, file)
	if len(faults) > 0 {
		g.t.Fatal(playout.Explain(faults))
	}
	for _, one := range all {
		cases.Run(heard, one)
	}
}

// look plays a game and takes letters of the kinds that are still missing.
func (g *gallery) look(p playthrough) {
	g.t.Helper()
	tab := p.table(g.words)
	_, err := playout.Run(tab.rules, p.data(g.t), p.seed, func(m playout.Moment) error {
		if len(g.missing[p.system]) == 0 {
			return errEnough
		}
		tab.hear(m)
		for _, side := range m.Position.Sides() {
			g.moment(tab, m, side)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		g.t.Fatalf("%s, %v, seed %d: %v", p.system, p.setup.Options, p.seed, err)
	}
}

// moment takes the letters that one side gets at a moment.
func (g *gallery) moment(tab *table, m playout.Moment, side engine.Side) {
	missing := g.missing[tab.system]
	take := func(kind string, letter templates.Letter) {
		delete(missing, kind)
		g.letters[tab.system+"-"+kind] = letter
	}
	owed := tab.owed(m, side)
	view := m.Position.View(side)
	_, over := m.Position.Outcome()
	switch {
	case owed == nil && over && missing["over"]:
		take("over", tab.reportTo(m, view, owed))
		return
	case owed == nil && !over && missing["waiting"] && tab.reports[side] > 0:
		take("waiting", tab.reportTo(m, view, owed))
		return
	case owed == nil:
		return
	case missing[owed.Decision.Kind]:
		take(owed.Decision.Kind, tab.reportTo(m, view, owed))
	default:
		tab.reportTo(m, view, owed) // as if the side had read the report
	}
	answer := m.Answers[side]
	if m.Number < 6 {
		return // the first stops say little
	}
	accepted := templates.Accepted{Heading: tab.heading(view), Owed: *owed, Normal: answer.Orders(), Waiting: len(m.Owed) > 1}
	sketcher, draws := tab.rules.(engine.Sketcher)
	if draws {
		accepted.Sketched = sketcher.Sketched(view, owed.Decision, answer)
	}
	if missing["confirmation"] {
		take("confirmation", g.words.Accepted(accepted))
	}
	if missing["refusal"] {
		if letter, refused := tab.refusal(view, owed, playout.Break(answer.Orders().Encode(), rand.New(rand.NewPCG(tab.seed, 9)))); refused {
			take("refusal", letter)
		}
	}
	if missing["tried-out"] && (len(accepted.Sketched) > 0 || !draws) {
		tried, err := whatif.Question{Rules: tab.rules, View: view, Decision: owed.Decision, Answer: answer, Runs: 20}.Ask()
		if err != nil {
			g.t.Fatal(err)
		}
		accepted.WhatIf, accepted.Draft = &tried, true
		take("tried-out", g.words.Accepted(accepted))
	}
}

// draw draws the pictures of a letter into the folder that was asked for.
func (g *gallery) draw(name string) {
	if *pictures == "" {
		return
	}
	for _, scene := range g.letters[name].Scenes {
		png, err := templates.Draw(scene.Scene, scene.Labels)
		if err == nil {
			err = os.MkdirAll(*pictures, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(*pictures, fmt.Sprintf("%s-%s.png", name, scene.Name)), png, 0o644)
		}
		if err != nil {
			g.t.Fatal(err)
		}
	}
}
