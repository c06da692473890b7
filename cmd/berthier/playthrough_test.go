package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/engine/sheet"
	"berthier/engine/story"
	"berthier/engine/whatif"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A playthrough is a game played at random, for which every letter is written that its
// players would get, so that a change of rules, of what a side sees, or of a word shows
// as a difference in testdata/playthroughs. A small game is written down whole, to be
// read from end to end. Of a long game only a digest of each letter and of its pictures is
// written down, and once each thing that was said; [TestGallery] shows what such letters
// look like.
type playthrough struct {
	name     string
	system   string
	language string
	setup    engine.Setup
	seed     uint64
	stops    int // how many are written down; 0: all

	whole  bool
	file   string                 // a scenario of its own, in testdata/playthroughs
	speaks map[engine.Side]string // the language of sides that do not read English
}

var playthroughs = []playthrough{
	{name: "napoleon-free-whole-game", system: "napoleon", language: "en", seed: 35},
	{name: "napoleon-free", system: "napoleon", language: "it", seed: 296, stops: 45},
	{name: "napoleon-free-full-fog", system: "napoleon", language: "en", setup: chosen("fog-of-battle", "full"), seed: 150, stops: 45},
	{name: "napoleon-historical-whole-game", system: "napoleon", language: "it", setup: chosen("setup", "historical"), seed: 260},
	{name: "napoleon-historical", system: "napoleon", language: "en", setup: chosen("setup", "historical"), seed: 177, stops: 45},
	{name: "napoleon-historical-no-terrain", system: "napoleon", language: "en", setup: chosen("setup", "historical", "terrain", "none"), seed: 56, stops: 45},
	{name: "enemy-mistakes-historical", system: "enemy-mistakes", language: "en", seed: 15, stops: 12},
	{name: "enemy-mistakes-three-players", system: "enemy-mistakes", language: "it", setup: chosen("game", "ready-3p", "players", "3"), seed: 18, stops: 12},
	{name: "hfg-battle", system: "hfg", language: "en", setup: chosen("sunset-pairs", "3"), seed: 16},
	{name: "hfg-two-armies", system: "hfg", language: "it", setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"sunset-pairs": "2"}}, seed: 3},
	{name: "waterloo-full", system: "waterloo", language: "en", seed: 18, stops: 16},
	{name: "waterloo-quick", system: "waterloo", language: "it", setup: chosen("scenario-length", "quick"), seed: 6, stops: 16},
	{name: "waterloo-three-players", system: "waterloo", language: "it", setup: chosen("players", "3"), seed: 1815, stops: 16},
	{name: "crossroads-third-edition", system: "napoleon", language: "en", setup: chosen("setup", "gambit"), seed: 37,
		whole: true, file: "crossroads-3e.yaml", speaks: map[engine.Side]string{"french": "it"}},
	{name: "crossroads-three-players", system: "napoleon", language: "en", setup: chosen("players", "3"), seed: 125,
		whole: true, file: "crossroads.yaml", speaks: map[engine.Side]string{"prussian": "it"}},
}

// chosen is a set-up from options and their values in turn.
func chosen(words ...string) engine.Setup {
	s := engine.Setup{Options: map[string]string{}}
	for i := 0; i < len(words); i += 2 {
		s.Options[words[i]] = words[i+1]
	}
	return s
}

// reads is the language of a side's letters.
func (p playthrough) reads(side engine.Side) string {
	if language, ok := p.speaks[side]; ok {
		return language
	}
	return p.language
}

func TestPlaythroughs(t *testing.T) {
	withoutRace(t)
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range playthroughs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			golden(t, filepath.Join("testdata", "playthroughs", p.name+".txt"), p.write(t, words))
		})
	}
}

// golden compares what a test has written with a file, or writes the file anew.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s: run with -update if this is right\n%s", file, lineThatDiffers(want, got))
	}
}

func lineThatDiffers(want, got []byte) string {
	a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\nwant: %s\n got: %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("want %d lines, got %d", len(a), len(b))
}

// errEnough ends a playthrough when enough of it is written down.
var errEnough = errors.New("enough")

// begins is when the letters of a playthrough are said to be written.
var begins = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// table writes the letters of a game as the office would.
type table struct {
	playthrough
	words   *templates.Words
	rules   engine.Ruleset
	told    map[engine.Side][]templates.Told
	stops   map[engine.Side]int
	shown   map[engine.Side]*engine.Page // by the last report
	reports map[engine.Side]int          // that the side has had
	broken  *rand.Rand                   // spoils an order file now and then
}

func (p playthrough) table(words *templates.Words) *table {
	return &table{
		playthrough: p, words: words, rules: rulesets[p.system],
		told: map[engine.Side][]templates.Told{}, stops: map[engine.Side]int{}, shown: map[engine.Side]*engine.Page{}, reports: map[engine.Side]int{},
		broken: rand.New(rand.NewPCG(p.seed, 9)),
	}
}

// data gives the set-up with the scenario's file, if it has one of its own.
func (p playthrough) data(t *testing.T) engine.Setup {
	t.Helper()
	if p.file != "" {
		var err error
		if p.setup.Data, err = os.ReadFile(filepath.Join("testdata", "playthroughs", p.file)); err != nil {
			t.Fatal(err)
		}
	}
	return p.setup
}

// A written letter is one that somebody would get, and what it is.
type written struct {
	side   engine.Side
	what   string // report, refusal, confirmation
	letter templates.Letter
}

// letters writes the letters of a moment.
func (tab *table) letters(m playout.Moment) (all []written) {
	tab.hear(m)
	for _, side := range m.Position.Sides() {
		owed := tab.owed(m, side)
		if owed == nil && len(m.Owed) > 0 {
			continue
		}
		view := m.Position.View(side)
		all = append(all, written{side, "report", tab.reportTo(m, view, owed)})
		if owed == nil {
			continue
		}
		normal := m.Answers[side].Orders()
		if m.Number%7 == 0 {
			if letter, refused := tab.refusal(view, owed, playout.Break(normal.Encode(), tab.broken)); refused {
				all = append(all, written{side, "refusal", letter})
			}
		}
		all = append(all, written{side, "confirmation", tab.words.Accepted(templates.Accepted{
			Heading: tab.heading(view), Owed: *owed, Normal: normal, Waiting: len(m.Owed) > 1,
		})})
	}
	return all
}

// write plays the game and writes it down.
func (p playthrough) write(t *testing.T, words *templates.Words) []byte {
	t.Helper()
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %s, %v, seed %d, %s\n", p.name, p.system, p.setup.Options, p.seed, p.language)
	tab := p.table(words)
	said := &sentences{words: words, language: p.language, known: map[string]bool{}}
	_, err := playout.Run(tab.rules, p.data(t), p.seed, func(m playout.Moment) error {
		if p.whole {
			fmt.Fprintf(&out, "\n%s stop %d\n", strings.Repeat("=", 60), m.Number)
			for _, roll := range m.Rolls {
				fmt.Fprintf(&out, "rolled %d of %d: %s\n", roll.Result, roll.Sides, words.Say(p.language, roll.Purpose, m.Position.View(engine.GM).Spell))
			}
		} else {
			fmt.Fprintf(&out, "\nstop %d:%s\n", m.Number, results(m.Rolls))
			said.moment(m)
		}
		for _, w := range tab.letters(m) {
			if found := unspoken.FindString(w.letter.Text); found != "" {
				t.Errorf("a %s to %s says %s", w.what, w.side, found)
			}
			if p.whole {
				put(&out, fmt.Sprintf("%s to %s", w.what, w.side), w.letter)
			} else {
				digest(&out, w)
			}
		}
		if m.Number == p.stops {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	if !p.whole {
		fmt.Fprintf(&out, "\nwhat was said, each sentence as it came first:\n\n%s", said.text.String())
	}
	return out.Bytes()
}

// results writes rolls on one line.
func results(rolls []engine.Roll) string {
	var b strings.Builder
	for _, r := range rolls {
		fmt.Fprintf(&b, " %d/%d", r.Result, r.Sides)
	}
	return b.String()
}

// digest writes a letter as one line: what it is, and digests of its text and pictures.
func digest(out *bytes.Buffer, w written) {
	text := sha256.Sum256([]byte(w.letter.Subject + "\n" + w.letter.Text))
	fmt.Fprintf(out, "%-9s %-12s %x", w.side, w.what, text[:6])
	for _, scene := range w.letter.Scenes {
		marks, sum := drawn(scene)
		fmt.Fprintf(out, "  %s %d %x", scene.Name, marks, sum[:6])
	}
	out.WriteByte('\n')
}

// drawn gives how many marks a picture has and a digest of what it shows.
func drawn(scene templates.Scene) (int, [sha256.Size]byte) {
	data, err := json.Marshal([]any{scene.Scene, scene.Labels})
	if err != nil {
		panic(err) // plain data of the engine's own types
	}
	return len(scene.Scene.Marks), sha256.Sum256(data)
}

// put writes a letter down: its text, and what each picture shows.
func put(out *bytes.Buffer, what string, letter templates.Letter) {
	fmt.Fprintf(out, "\n%s %s\nSubject: %s\n\n%s", strings.Repeat("-", 40), what, letter.Subject, letter.Text)
	for _, scene := range letter.Scenes {
		marks, sum := drawn(scene)
		fmt.Fprintf(out, "\n[picture %s: %d marks, %x]\n", scene.Name, marks, sum)
	}
}

// sentences writes what is said in a game: for each code what was said first.
type sentences struct {
	words    *templates.Words
	language string
	known    map[string]bool
	text     bytes.Buffer
}

// moment writes what a moment says for the first time: in events, rolls and the end.
func (s *sentences) moment(m playout.Moment) {
	spell := m.Position.View(engine.GM).Spell
	say := func(p phrase.Phrase) {
		if !s.known[p.Code] {
			s.known[p.Code] = true
			fmt.Fprintf(&s.text, "%s: %s\n", p.Code, s.words.Say(s.language, p, spell))
		}
	}
	for _, roll := range m.Rolls {
		say(roll.Purpose)
	}
	for _, e := range m.Events {
		for _, telling := range e.Tellings {
			say(telling.Say)
		}
	}
	if outcome, over := m.Position.Outcome(); over {
		say(outcome.Reason)
	}
}

// hear tells the events of a moment to the sides that learn of them.
func (tab *table) hear(m playout.Moment) {
	for _, side := range m.Position.Sides() {
		for _, e := range m.Events {
			if say, ok := e.For(side); ok {
				tab.told[side] = append(tab.told[side], templates.Told{Clause: e.Clause, Say: say})
			}
		}
	}
}

// owed is the decision that a side owes, with the whole template; nil if none.
func (tab *table) owed(m playout.Moment, side engine.Side) *templates.Owed {
	i := slices.IndexFunc(m.Owed, func(d engine.Decision) bool { return d.Side == side })
	if i < 0 {
		return nil
	}
	tab.stops[side]++
	d := m.Owed[i]
	file := orders.Mapping().
		Set("game", orders.Text("golden-1")).
		Set("side", orders.Text(string(side))).
		Set("stop", orders.Text(fmt.Sprintf("%d %s", tab.stops[side], d.Kind))).
		Set("key", orders.Text("K7QF-2M9D"))
	file.Pairs = append(file.Pairs, tab.rules.Template(m.Position.View(side), d).Pairs...)
	return &templates.Owed{
		Stop: tab.stops[side], Decision: d, Template: file,
		Deadline: begins.Add(time.Duration(tab.stops[side]) * 48 * time.Hour),
	}
}

func (tab *table) heading(view engine.View) templates.Heading {
	sheet, _ := ahead.Sheet(tab.rules)
	return templates.Heading{
		Reader: templates.Reader{Name: "Ada", Language: tab.reads(view.Side()), Zone: time.UTC},
		Game:   "golden-1", Title: "A golden game", System: tab.system, Side: view.Side(), Spell: view.Spell, Words: sheet.Vocabulary,
		Hash: "0a1b2c3d", Now: begins.Add(time.Duration(tab.stops[view.Side()])*48*time.Hour - 40*time.Hour),
	}
}

func (tab *table) reportTo(m playout.Moment, view engine.View, owed *templates.Owed) templates.Letter {
	side := view.Side()
	r := templates.Report{
		Heading: tab.heading(view), Happened: tab.told[side], Page: view.Page(), Owed: owed,
		Waiting: len(m.Owed) > 1 || owed == nil && len(m.Owed) == 1,
		Was:     tab.shown[side], Since: tab.reports[side], Number: tab.reports[side] + 1, First: tab.reports[side] == 0,
	}
	if rules, ok := tab.rules.(engine.Progressing); ok {
		r.Progress = rules.Progress(view)
	}
	if rules, ok := tab.rules.(engine.Recounter); ok {
		events := make([]phrase.Phrase, len(r.Happened))
		for i, told := range r.Happened {
			events[i] = told.Say
		}
		var at phrase.Value
		if owed != nil && owed.Decision.At != "" {
			at = phrase.Name("at", "at", owed.Decision.At).Value
		}
		r.Story = story.Of(rules, side, events, at)
		sheet.Trace(&r.Page, r.Was, r.Story.Traces, at.Text)
	}
	if outcome, over := m.Position.Outcome(); over {
		r.Outcome = &outcome
	}
	if r.First {
		r.Rolled = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	}
	tab.told[side] = nil
	tab.reports[side]++
	page := view.Page()
	tab.shown[side] = &page
	return tab.words.Report(r)
}

// refusal is the answer to an order file, if it is refused.
func (tab *table) refusal(view engine.View, owed *templates.Owed, file string) (templates.Letter, bool) {
	doc, problems := orders.Parse(file, nil)
	if len(problems) == 0 {
		_, problems = tab.rules.Read(view, owed.Decision, doc)
	}
	if len(problems) == 0 {
		return templates.Letter{}, false
	}
	return tab.words.Refused(templates.Refused{Heading: tab.heading(view), Source: doc.Source, Problems: problems, Owed: owed}), true
}

// unspoken finds a code that no catalogue has: it is said in brackets.
var unspoken = regexp.MustCompile(`\[[a-z]+(\.[a-z0-9-]+)+[^\]]*\]`)

// Everything that a game may say has words in every language.
func TestEverythingHasWords(t *testing.T) {
	withoutRace(t)
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	say := func(p phrase.Phrase) { eachPhrase(p, func(p phrase.Phrase) { missing[p.Code] = !words.Has(p.Code) }) }
	for id, rules := range rulesets {
		for _, seed := range []uint64{0, 7} { // with each option as it comes, and otherwise
			setup := engine.Setup{}
			for i, o := range rules.About().Options {
				if len(o.Values) > 1 && (seed>>(i%3))&1 == 1 {
					setup.Options = map[string]string{o.Name: o.Values[1]}
				}
			}
			broken := rand.New(rand.NewPCG(seed, 7))
			_, err := playout.Run(rules, setup, seed, func(m playout.Moment) error {
				for _, e := range m.Events {
					for _, telling := range e.Tellings {
						say(telling.Say)
					}
				}
				for _, roll := range m.Rolls {
					say(roll.Purpose)
				}
				if outcome, over := m.Position.Outcome(); over {
					say(outcome.Reason)
				} else if !fullSamples && m.Number%3 != 0 {
					return nil
				}
				for _, side := range append(slices.Clone(m.Position.Sides()), engine.GM) {
					eachOfPage(m.Position.View(side).Page(), say)
				}
				for _, d := range m.Owed {
					view := m.Position.View(d.Side)
					for range 10 {
						doc, problems := orders.Parse(playout.Break(m.Answers[d.Side].Orders().Encode(), broken), nil)
						if len(problems) == 0 {
							_, problems = rules.Read(view, d, doc)
						}
						for _, p := range problems {
							say(p.Why)
							say(p.Remedy)
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
	}
	for code, without := range missing {
		if without && code != "" {
			t.Errorf("%s has no words", code)
		}
	}
	for _, fault := range words.Check() {
		t.Error(fault)
	}
}

func eachPhrase(p phrase.Phrase, do func(phrase.Phrase)) {
	do(p)
	for _, a := range p.Args {
		eachOfValue(a.Value, do)
	}
}

func eachOfValue(v phrase.Value, do func(phrase.Phrase)) {
	if v.Say != nil {
		eachPhrase(*v.Say, do)
	}
	for _, item := range v.List {
		eachOfValue(item, do)
	}
}

func eachOfPage(page engine.Page, say func(phrase.Phrase)) {
	say(page.Title)
	for _, s := range page.Sections {
		say(s.Heading)
		for _, line := range s.Lines {
			say(line)
		}
		for _, table := range s.Tables {
			say(table.Caption)
			for _, column := range table.Head {
				say(column.Head)
			}
			for _, row := range table.Rows {
				for _, cell := range row {
					eachOfValue(cell, say)
				}
			}
		}
		if s.Picture == nil {
			continue
		}
		say(s.Picture.Alt)
		for _, marks := range [][]engine.Mark{s.Picture.Ground, s.Picture.Marks} {
			for _, mark := range marks {
				eachOfValue(mark.Text, say)
			}
		}
	}
}

// Letters tell no more than the view they are made from: a position that differs
// in what a side can't see gives it the same letters and pictures, to the byte.
func TestLettersHideWhatIsHidden(t *testing.T) {
	withoutRace(t)
	words, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for system, exchange := range map[string]exchanger{"napoleon": exchangeUnits, "waterloo": exchangeCards, "hfg": exchangeMarks} {
		t.Run(system, func(t *testing.T) { lettersHide(t, words, system, exchange) })
	}
}

// An exchanger gives a position in which what one side can't see is different,
// and tells whether anything was changed.
type exchanger func(t *testing.T, rules engine.Ruleset, position engine.Position, side engine.Side, chance *rand.Rand) (engine.Position, bool)

// hiding are set-ups of games in which letters are compared.
var hiding = map[string][]map[string]string{
	"napoleon": {nil, nil, {"setup": "historical"}, {"setup": "historical"}},
	"waterloo": {nil, {"scenario-length": "quick"}, {"players": "3"}},
	"hfg":      {{"sunset-pairs": "12"}, {"sunset-pairs": "12", "prussians": "historical"}},
}

func lettersHide(t *testing.T, words *templates.Words, system string, exchange exchanger) {
	compared, changed, pictures := 0, 0, 0
	for i, options := range hiding[system] {
		seed := uint64(i)
		p := playthrough{system: system, language: templates.Languages[seed%2], seed: seed, setup: engine.Setup{Options: options}}
		tab := p.table(words)
		chance := rand.New(rand.NewPCG(seed, 8))
		_, err := playout.Run(tab.rules, p.setup, seed, func(m playout.Moment) error {
			tab.hear(m)
			for _, side := range m.Position.Sides() {
				if m.Number%5 != 0 || !fullSamples && m.Number%15 != 0 {
					continue
				}
				other, different := exchange(t, tab.rules, m.Position, side, chance)
				if different {
					changed++
				}
				letters := func(position engine.Position, draw bool) []byte {
					m := m
					m.Position = position
					fresh := p.table(words)
					fresh.told[side] = tab.told[side]
					view, owed := position.View(side), fresh.owed(m, side)
					var out bytes.Buffer
					all(&out, fresh.reportTo(m, view, owed), draw)
					if owed != nil {
						file := m.Answers[side].Orders()
						accepted := templates.Accepted{Heading: fresh.heading(view), Owed: *owed, Normal: file}
						if _, able := tab.rules.(engine.Sampler); able {
							tried, err := whatif.Question{Rules: tab.rules, View: view, Decision: owed.Decision, Answer: m.Answers[side], Runs: 3}.Ask()
							if err != nil {
								t.Fatal(err)
							}
							accepted.WhatIf = &tried
						}
						all(&out, words.Accepted(accepted), false)
						broken := rand.New(rand.NewPCG(seed, uint64(m.Number)))
						for range 5 {
							if letter, refused := fresh.refusal(view, owed, playout.Break(file.Encode(), broken)); refused {
								all(&out, letter, false)
							}
						}
					}
					return out.Bytes()
				}
				draw := m.Number%30 == 0
				a, b := letters(m.Position, draw), letters(other, draw)
				compared++
				if draw {
					pictures++
				}
				if !bytes.Equal(a, b) {
					return fmt.Errorf("letters to %s tell what it can't see: %s", side, lineThatDiffers(a, b))
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	leastChanged, leastDrawn := 50, 4
	if !fullSamples {
		leastChanged, leastDrawn = 15, 2
	}
	if changed < leastChanged || pictures < leastDrawn {
		t.Errorf("of %d positions only %d were changed, %d pictures drawn", compared, changed, pictures)
	}
}

// all writes everything of a letter: text, HTML, attachments with their names,
// and the pictures as they would be sent.
func all(out *bytes.Buffer, l templates.Letter, draw bool) {
	fmt.Fprintf(out, "%s\n%s\n%s\n", l.Subject, l.Text, l.HTML)
	for _, file := range l.Files {
		fmt.Fprintf(out, "%s %s\n%s\n", file.Name, file.Type, file.Data)
	}
	for _, scene := range l.Scenes {
		if !draw {
			drawn, err := json.Marshal(scene)
			fmt.Fprintf(out, "%s %v\n", drawn, err)
			continue
		}
		png, err := templates.Draw(scene.Scene, scene.Labels)
		fmt.Fprintf(out, "%s %s %x %v\n", scene.Name, scene.Alt, sha256.Sum256(png), err)
	}
}

// exchangeCards gives other cards to hands that a side of waterloo does not see: they are
// exchanged for cards that were not dealt.
func exchangeCards(t *testing.T, rules engine.Ruleset, position engine.Position, side engine.Side, chance *rand.Rand) (engine.Position, bool) {
	t.Helper()
	text, err := position.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	root, problems := orders.ParseNode(text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	before := root.Encode()
	flow := ""
	if n := root.Get("flow"); n != nil {
		flow = n.Encode()
	}
	for army, deck := range map[string]int{"french": 26, "anglo": 19, "prussian": 10} {
		cards := root.Get("cards").Get(army)
		if cards == nil || army == string(side) || army == "prussian" && side == "anglo" && len(position.Sides()) == 2 {
			continue
		}
		known := cards.Encode()
		var hand []*orders.Node
		if cards.Get("hand") != nil {
			hand = cards.Get("hand").Items
		}
		for n := 1; n <= deck; n++ {
			id := fmt.Sprintf("%c%02d", army[0]-'a'+'A', n)
			if strings.Contains(known, id) || strings.Contains(flow, id) || len(hand) == 0 {
				continue
			}
			if c := hand[(n*7+int(side[0]))%len(hand)]; !strings.Contains(flow, c.Text) {
				c.Text = id
			}
		}
		slices.SortFunc(hand, func(a, b *orders.Node) int { return strings.Compare(a.Text, b.Text) })
	}
	after := root.Encode()
	other, err := rules.Load([]byte(after))
	if err != nil {
		t.Fatalf("the exchanged position: %v\n%s", err, after)
	}
	return other, before != after
}

// exchangeMarks changes what a side of hfg doesn't see: the dice of the enemy's commands, and marks of
// his elements that are told to nobody; elements out of sight are repulsed.
func exchangeMarks(t *testing.T, rules engine.Ruleset, position engine.Position, side engine.Side, chance *rand.Rand) (engine.Position, bool) {
	t.Helper()
	parsed := func(text []byte, err error) *orders.Node {
		if err != nil {
			t.Fatal(err)
		}
		root, problems := orders.ParseNode(text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return root
	}
	put := func(n *orders.Node, key, text string) {
		if is := n.Get(key); is != nil {
			is.Text = text
		} else {
			n.Set(key, orders.Text(text))
		}
	}
	root, seen := parsed(position.Marshal()), parsed(position.View(side).Marshal())
	before := root.Encode()
	own := map[string]bool{}
	if commands := seen.Get("commands"); commands != nil {
		for _, c := range commands.Pairs { // a view names none of the enemy's
			own[c.Key.Text] = true
		}
	}
	for _, c := range root.Get("commands").Pairs {
		if c.Value.Kind == orders.Map && !own[c.Key.Text] {
			put(c.Value, "die", strconv.Itoa(1+chance.IntN(6)))
			put(c.Value, "score", strconv.Itoa(1+chance.IntN(9)))
		}
	}
	friends := map[string]bool{}
	for _, d := range seen.Get("setting").Get("elements").Items {
		friends[d.Get("id").Text] = d.Get("command").Text != "?"
	}
	for _, e := range root.Get("elements").Pairs {
		if friends[e.Key.Text] || e.Value.Kind != orders.Map {
			continue
		}
		put(e.Value, "rested", [...]string{"true", "false"}[chance.IntN(2)])
		if e.Value.Get("at") != nil && seen.Get("elements").Get(e.Key.Text) == nil {
			put(e.Value, "spirit", "repulsed")
		}
	}
	after := root.Encode()
	other, err := rules.Load([]byte(after))
	if err != nil {
		t.Fatalf("the exchanged position: %v\n%s", err, after)
	}
	return other, before != after
}

// exchangeUnits finds hidden enemy units of a side in a position as it is written down, off
// the battle boards. It gives a position in which they have changed places, and tells
// whether anything was changed.
func exchangeUnits(t *testing.T, rules engine.Ruleset, position engine.Position, side engine.Side, chance *rand.Rand) (engine.Position, bool) {
	t.Helper()
	text, err := position.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	view, err := position.View(side).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	root, problems := orders.ParseNode(text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	seen, problems := orders.ParseNode(view)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var hidden []int
	units := root.Get("units")
	for i, pair := range units.Pairs {
		id := pair.Key.Text
		state := pair.Value
		if seen.Get("units").Get(id) == nil && state.Get("at") != nil && state.Get("field") == nil {
			hidden = append(hidden, i)
		}
	}
	before := root.Encode()
	for range 3 * len(hidden) {
		a, b := hidden[chance.IntN(len(hidden))], hidden[chance.IntN(len(hidden))]
		if units.Pairs[a].Key.Text[0] == units.Pairs[b].Key.Text[0] { // of one army
			one, two := units.Pairs[a].Value, units.Pairs[b].Value
			units.Pairs[a].Value, units.Pairs[b].Value = two, one
			strength, other := one.Get("strength"), two.Get("strength") // these stay with their units
			strength.Text, other.Text = other.Text, strength.Text
		}
	}
	after := root.Encode()
	other, err := rules.Load([]byte(after))
	if err != nil {
		t.Fatalf("the exchanged position: %v", err)
	}
	return other, before != after
}
