package rulestest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"hash"
	"maps"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
	"berthier/orders/phrase"
)

var (
	answersAll    = flag.Bool("answers-all", false, "answers: look at every stop of the games")
	answersUpdate = flag.Bool("answers-update", false, "answers: write the goldens anew")
	answersDump   = flag.String("answers-dump", "", "answers: a folder into which all that is hashed is written, to be compared")
)

// aspects are what [Answers] keeps of each kind of stop.
var aspects = [...]string{"template", "default", "choices", "composed", "chance", "bots", "verdicts"}

// A testimony is what was found at the stops of one kind: a hash for each aspect,
// and the text itself if that is to be printed.
type testimony struct {
	stops int
	sums  [len(aspects)]hash.Hash
	texts [len(aspects)]bytes.Buffer
	Look
	refused map[string]int
}

func (e *testimony) write(aspect, text string) {
	i := slices.Index(aspects[:], aspect)
	e.sums[i].Write([]byte(text))
	if *answersDump != "" {
		e.texts[i].WriteString(text)
	}
}

// A Look says how closely [Answers] looks at the stops of one kind.
type Look struct {
	// Files makes files, good and broken ones, that neither random answers nor bots would
	// give. It may be nil.
	Files func(engine.View, engine.Decision, *rand.Rand) []string
	// Deep is how many choices are made one after the other; 0 for four.
	Deep int
}

// Refused counts refusals: by the kind of the stop, and by the code of the reason.
type Refused map[string]map[string]int

// Answers checks that a ruleset accepts what it has always accepted. It plays random games
// and games of bots, and at their stops compares with a golden file of hashes, for each
// kind of stop: the template, the default, the choices offered, what is composed of some
// of them, a random answer and one of a bot, and the verdict on good and on broken files,
// each fault with its clause and its place, and what else a file would mean if it had
// been accepted before. So the code of a stop can be replaced, and nobody notices it from
// outside. A new optional key, which no file has, leaves the golden file as it is.
//
// Among the stops of one kind in a game it looks at the first, the second, the fourth and
// so on; with -answers-all at all of them, and compares with another golden file. It also
// looks at what is owed in some positions. Looks says, by kind, how closely some stops are
// looked at. Answers counts what was refused; under the race detector it does nothing and
// gives nil.
func Answers(t *testing.T, rules engine.Ruleset, games []playout.Game, positions []engine.Position, golden string, looks map[string]Look) Refused {
	if Race {
		return nil // nothing here runs side by side, and it takes long
	}
	found := map[string]*testimony{}
	look := func(view engine.View, d engine.Decision, seed uint64) {
		if found[d.Kind] == nil {
			found[d.Kind] = &testimony{Look: looks[d.Kind], refused: map[string]int{}}
			for k := range aspects {
				found[d.Kind].sums[k] = sha256.New()
			}
		}
		found[d.Kind].look(rules, view, d, seed)
	}
	for i, g := range games {
		seen := map[string]int{}
		g.Rules = rules
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			bot, seed := chance.IntN(2) == 0, chance.Uint64()
			if seen[d.Kind]++; *answersAll || bits.OnesCount(uint(seen[d.Kind])) == 1 {
				look(view, d, seed)
			}
			if bot {
				return rules.Sensible(view, d, chance)
			}
			return rules.Random(view, d, chance)
		}
		if _, err := g.Play(); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	for i, p := range positions {
		for _, d := range p.Owed() {
			look(p.View(d.Side), d, uint64(i))
		}
	}
	var text bytes.Buffer
	refused := Refused{}
	for _, kind := range slices.Sorted(maps.Keys(found)) {
		e := found[kind]
		refused[kind] = e.refused
		fmt.Fprintf(&text, "%s: %d\n", kind, e.stops)
		for i, aspect := range aspects {
			fmt.Fprintf(&text, "  %s: %s\n", aspect, hex.EncodeToString(e.sums[i].Sum(nil)[:8]))
			if *answersDump != "" {
				if err := os.WriteFile(filepath.Join(*answersDump, kind+"."+aspect), e.texts[i].Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if *answersAll {
		golden += ".all"
	}
	if *answersUpdate {
		if err := os.WriteFile(golden, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := text.String(); got != string(want) {
		t.Errorf("the stops answer otherwise (write both with -answers-dump and compare); have\n%s\nwant\n%s", got, want)
	}
	return refused
}

// look writes down how one decision may be answered.
func (e *testimony) look(rules engine.Ruleset, view engine.View, d engine.Decision, seed uint64) {
	chance, choosing := rand.New(rand.NewPCG(seed, 9)), rand.New(rand.NewPCG(seed, 10)) // a change in what is offered changes nothing else
	where := fmt.Sprintf("--- %d %s %s %s\n", e.stops, d.Side, d.Kind, d.At)
	for _, aspect := range aspects {
		e.write(aspect, where)
	}
	e.stops++
	template, normal := rules.Template(view, d).Encode(), rules.Default(view, d).Orders().Encode()
	e.write("template", template)
	e.write("default", normal)
	files := []string{normal, template}
	for range 2 {
		random := rules.Random(view, d, chance).Orders().Encode()
		bot := rules.Sensible(view, d, chance).Orders().Encode()
		e.write("chance", random)
		e.write("bots", bot)
		files = append(files, random, bot)
		if c, ok := rules.(engine.Chooser); ok {
			e.choose(c, rules, view, d, choosing)
		}
	}
	if e.Files != nil {
		files = append(files, e.Files(view, d, chance)...)
	}
	for _, file := range files {
		e.verdict("verdicts", rules, view, d, file)
	}
	for range 6 {
		e.verdict("verdicts", rules, view, d, playout.Break(files[chance.IntN(len(files))], chance))
	}
}

// choose puts an answer together from random choices.
func (e *testimony) choose(c engine.Chooser, rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) {
	var made []engine.Choice
	for depth := range cmp.Or(e.Deep, 4) {
		list := c.Choices(view, d, made)
		for _, one := range list {
			if depth > 0 {
				one.Shown = ""
			}
			e.write("choices", fmt.Sprintf("%+v\n", one))
		}
		if len(list) == 0 || depth > 0 && chance.IntN(4) == 0 {
			break
		}
		one := list[chance.IntN(len(list))]
		if one.Measure {
			one = one.At(one.Low + chance.IntN(one.High-one.Low+1))
		}
		one.Shown = ""
		made = append(made, one)
		e.write("choices", fmt.Sprintf("then %+v\n", one))
	}
	answer := c.Compose(view, d, made)
	e.verdict("composed", rules, view, d, answer.Orders().Encode())
	for _, one := range c.Chosen(view, d, answer) {
		e.write("composed", fmt.Sprintf("%+v\n", one))
	}
}

// verdict writes down what a file means, or what is wrong with it and where; and if it is
// refused today, what it means to games that accepted it before.
func (e *testimony) verdict(aspect string, rules engine.Ruleset, view engine.View, d engine.Decision, file string) {
	e.write(aspect, file)
	doc, faults := orders.Parse(file, nil)
	if len(faults) > 0 {
		e.write(aspect, e.told(nil, faults))
		return
	}
	now := e.told(rules.Read(view, d, doc))
	e.write(aspect, now)
	doc.Accepted = true
	if answer, faults := rules.Read(view, d, doc); answer == nil || len(faults) > 0 {
		return // the office never reads back a file that it refused
	} else if before := e.told(answer, nil); before != now {
		e.write(aspect, "meant\n"+before)
	}
}

// told writes what resulted from reading a file.
func (e *testimony) told(answer engine.Answer, faults orders.Problems) string {
	if len(faults) == 0 {
		return "means\n" + answer.Orders().Encode()
	}
	var all strings.Builder
	for _, f := range faults {
		e.refused[f.Why.Code]++
		if f.Why.Code == "order.unknown-key" { // which keys there are the shapes hold
			f.Why.Args = slices.DeleteFunc(slices.Clone(f.Why.Args), func(a phrase.Arg) bool { return a.Name == "keys" })
		}
		text, err := json.Marshal(f) // it follows pointers, as %v does not
		if err != nil {
			panic("answers: " + err.Error()) // a fault is plain data
		}
		all.Write(text)
		all.WriteByte('\n')
	}
	return all.String()
}

// AnswersFrom is how many things of a kind a test gives to [Answers]: some of them, with
// -answers-all more.
func AnswersFrom(some, more int) int {
	if *answersAll {
		return more
	}
	return some
}
