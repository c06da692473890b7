package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/orders"
)

// A clicker is a program that plays by nothing but what the command choices prints: it
// knows neither the rules nor the game. It picks from the lists at random.
type clicker struct {
	*testing.T
	chance *rand.Rand

	// ask runs the command with these choices made and --json.
	ask func(made string) string
	// judge judges an order file; it fails the test if the file is refused.
	judge func(file string)
	every int // of every so many questions all choices of one are tried; 0: of none
	asked int
	tried int
	count int // how many numbers were chosen
	ahead int // how many questions that follow at once were answered in the same file
}

// A clicked sheet is the part of the output that the program reads.
type clicked struct {
	Made     []json.RawMessage
	Choices  []map[string]any
	Filled   []json.RawMessage
	Complete bool
	File     string
	Next     []struct {
		Choices []map[string]any
		Made    []json.RawMessage
	}
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
			return p.onwards(made, sheet, most)
		}
		one := sheet.Choices[p.chance.IntN(len(sheet.Choices))]
		made = append(made, p.pick(one, p.chance.Float64()))
	}
}

// onwards answers the questions that follow at once, too, most of the time: their choices are
// told apart by nothing but a number, which the program gives back with them.
func (p *clicker) onwards(made []string, sheet clicked, most int) string {
	for len(sheet.Next) > 0 && p.chance.IntN(4) > 0 {
		last := sheet.Next[len(sheet.Next)-1]
		if len(last.Choices) == 0 || len(last.Made) == most {
			break
		}
		if len(last.Made) == 0 {
			p.ahead++
		}
		made = append(made, p.pick(last.Choices[p.chance.IntN(len(last.Choices))], p.chance.Float64()))
		sheet = p.sheet(made)
	}
	return sheet.File
}

// pick makes a choice; for a number it takes one between its bounds.
func (p *clicker) pick(one map[string]any, where float64) string {
	one = maps.Clone(one)
	if low, ok := one["low"].(float64); ok {
		p.count++
		one["value"] = int(low + where*(one["high"].(float64)-low) + 0.5)
	}
	text, err := json.Marshal(one)
	if err != nil {
		p.Fatal(err)
	}
	return string(text)
}

// sheet asks what may be chosen.
func (p *clicker) sheet(made []string) clicked {
	p.Helper()
	var s clicked
	out := p.ask(strings.Join(made, "\n"))
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		p.Fatalf("after %v: %v\n%s", made, err, out)
	}
	all := len(s.Made)
	for _, next := range s.Next {
		all += len(next.Made)
	}
	if all != len(made) || s.Choices == nil || s.Filled == nil || s.Complete != (len(s.Filled) == 0) {
		p.Fatalf("after %v:\n%s", made, out)
	}
	return s
}

// tryAll tries choices that are offered, a dozen at most, and numbers at both ends: each
// can be made, and the file with it is legal.
func (p *clicker) tryAll(made []string, s clicked) {
	p.Helper()
	p.judge(s.File)
	list := s.Choices
	p.chance.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	for _, one := range list[:min(len(list), 12)] {
		for _, end := range []float64{0, 1} {
			if _, number := one["low"]; !number && end == 1 {
				continue
			}
			p.tried++
			p.judge(p.sheet(append(slices.Clone(made), p.pick(one, end))).File)
		}
	}
}

// Programs that know nothing but what the command prints play whole games of every ruleset,
// with what follows at once answered in the same file:
// each takes its choices from the lists, and each order file is the one that the command
// gives; it is read and carried out. The command is given positions as a file.
func TestChoicesAloneArePlayedToTheEnd(t *testing.T) {
	if raceEnabled {
		return // nothing here runs side by side, and it takes long
	}
	games := []struct {
		playthrough
		most  int  // how many choices an answer has
		ahead bool // stops follow at once, and are answered ahead
	}{
		{playthrough{name: "waterloo-quick", system: "waterloo", setup: chosen("scenario-length", "quick"), seed: 3}, 12, true},
		{playthrough{name: "waterloo-full", system: "waterloo", seed: 4}, 8, true},
		{playthrough{name: "crossroads", system: "napoleon", setup: chosen("players", "3"), seed: 5, file: "crossroads.yaml"}, 12, false},
		{playthrough{name: "crossroads-again", system: "napoleon", seed: 11, file: "crossroads.yaml"}, 25, false},
		{playthrough{name: "crossroads-3e", system: "napoleon", setup: chosen("setup", "gambit"), seed: 6, file: "crossroads-3e.yaml"}, 12, true},
		{playthrough{name: "horse-foot-guns", system: "hfg", setup: chosen("sunset-pairs", "1"), seed: 8}, 6, false},
		{playthrough{name: "two-armies", system: "hfg", setup: engine.Setup{Scenario: "two-armies", Options: map[string]string{"sunset-pairs": "1"}}, seed: 9}, 4, false},
		{playthrough{name: "enemy-mistakes", system: "enemy-mistakes", seed: 20}, 3, true},
		{playthrough{name: "campaign", system: "napoleon", setup: chosen("sides", "bid", "bid-step", "any"), seed: 7}, 5, true},
	}
	for id, rules := range rulesets {
		joins := slices.ContainsFunc(rules.About().Stops, func(kind string) bool {
			return len(rules.(engine.Follower).Follows(engine.Decision{Kind: kind})) > 0
		})
		if !slices.ContainsFunc(games, func(g struct {
			playthrough
			most  int
			ahead bool
		}) bool {
			return g.system == id && (g.ahead || !joins)
		}) {
			t.Errorf("no game of %s is played ahead by its choices alone", id)
		}
	}
	for _, g := range games {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			rules, dir := rulesets[g.system], t.TempDir()
			file, choicesMade := filepath.Join(dir, "position.yaml"), filepath.Join(dir, "made.json")
			position, err := rules.New(g.data(t))
			if err != nil {
				t.Fatal(err)
			}
			dice := playout.NewDice(g.seed)
			p := &clicker{T: t, chance: rand.New(rand.NewPCG(g.seed, 1)), every: 25}
			stops, used, waits := 0, 0, map[engine.Side]*ahead.Filed{}
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
					if filed := waits[d.Side]; !filed.None() {
						if o := filed.Answer(rules, position.View(d.Side), d, false); o.Answer != nil {
							answers[d.Side], used = o.Answer, used+1
							continue
						} else if len(o.Misfit) > 0 {
							t.Errorf("stop %d, %s: what was filed ahead no longer fits, though nothing came in between: %+v", stops, decided(d), o.Misfit)
						}
					}
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
							says, wrong := ahead.Read(rules, view, doc.Ahead)
							filed := ahead.File(rules, position, d.Side, says)
							waits[d.Side] = &filed
							answer, faulty := rules.Read(view, d, doc)
							if faults = append(wrong, faulty...); len(faults) == 0 {
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
				if stops++; stops == 12 && !fullSamples && g.file == "" || stops == 60 && g.system == "enemy-mistakes" {
					break // whole games of this length are played with full samples, of the longest a sixth
				}
			}
			if p.tried == 0 {
				t.Error("no choices were tried")
			}
			if g.ahead != (used > 0) || used > p.ahead {
				t.Errorf("%d questions were answered ahead, and %d stops by that", p.ahead, used)
			}
			if bids := g.setup.Options["sides"] == "bid" || g.system == "enemy-mistakes"; bids != (p.count > 0) { // there initiative is bid for
				t.Errorf("%d numbers were chosen", p.count)
			}
			t.Logf("%d stops, %d by what was filed ahead, %d questions, %d choices tried besides, %d numbers", stops, used, p.asked, p.tried, p.count)
		})
	}
}

// A choiceQuestion is what the command is asked, and what it must say.
type choiceQuestion struct {
	args []string
	code int
	says []string
}

// choiceQuestions are good and bad questions about a game in which a seat owes an answer,
// and may choose this one thing.
func choiceQuestions(e errand, side, one string) []choiceQuestion {
	e.Helper()
	idle := "french"
	if side == idle {
		idle = "anglo"
	}
	seat := []string{"crossroads", "--seat", side}
	with := func(name, made string) []string { return append(slices.Clone(seat), "--made", e.file(name, made)) }
	return []choiceQuestion{
		{seat, 0, []string{"game crossroads, stop ", "MAY BE CHOSEN", "ORDER FILE", "key: "}},
		{append(with("one.json", one), "--json"), 0, []string{`"made": [`, `"game": "crossroads"`, `"file": "game: crossroads`}},
		{append(with("list.json", "["+one+"]\n"), "--json"), 0, []string{`"made": [`}},
		{with("list.json", "["+one+"]\n"), 0, []string{"CHOSEN\n"}},
		{with("twice.json", `{"of": "Z-99", "what": "fly"}`+"\n"+`{"of": "", "what": "nothing such"}`), exitRefused, []string{"line 1, column 1: Z-99: fly is not offered", "line 2, column 1: nothing such is not offered", "choices here of"}},
		{with("odd.json", `[{"of": 3}, 7, {"what": "x", "value": "3", "colour": 1}]`), exitRefused,
			[]string{"line 1, column 3: a text must stand after of", "column 13: something other than a choice", "column 30: a whole number must stand after value", "column 44: a choice has no key colour", `{"of": "F-03", "what": "forward"}`}},
		{with("broken.json", one+"\n{"), exitRefused, []string{"line 2", "can't be read as JSON"}},
		{[]string{"crossroads", "--seat", idle}, exitRefused, []string{idle + " owes nothing in game crossroads", "hint: berthier game show crossroads tells who owes what"}},
		{[]string{"crossroads", "--seat", "gm"}, exitRefused, []string{"gm owes nothing"}},
		{[]string{"crossroads", "--seat", "prussian"}, exitRefused, []string{`there is no side "prussian"`, "hint: berthier game show crossroads names the seats"}},
		{[]string{"waterloo-9", "--seat", side}, exitRefused, []string{"there is no such game", "hint: berthier game list names the games"}},
		{[]string{"--seat", side}, exitRefused, []string{"either a game's id or --position", "hint: "}},
	}
}

// At the office the command lists the choices of a decision by itself and through a daemon:
// the answer is the same to the byte, the database stays as it is, and the order file that
// it gives is accepted as an answer. A question that can't be asked is refused, and the
// refusal says what can be done.
func TestChoicesWithAndWithoutADaemon(t *testing.T) {
	host, config, database := site(t, "")
	for _, box := range []string{"gina@club.example", "rosa@play.example", "bruno@play.example"} {
		if err := host.AddBox(box, "secret"); err != nil {
			t.Fatal(err)
		}
	}
	e := errand{t, config}
	e.must("game", "new", e.file("set-up.yaml", fmt.Sprintf(whatIfSetup, "gina@club.example")))
	p := &clicker{T: t, chance: rand.New(rand.NewPCG(8, 1))}
	turn := func() (side string) {
		var games []struct{ Waiting []string }
		if err := json.Unmarshal([]byte(e.must("game", "list", "--json")), &games); err != nil || len(games) != 1 || len(games[0].Waiting) == 0 {
			t.Fatal(games, err)
		}
		side = games[0].Waiting[0]
		p.ask = func(made string) string {
			return e.must("choices", "crossroads", "--seat", side, "--json", "--made", e.file("made.json", made))
		}
		return side
	}
	play := func() {
		side := turn()
		e.must("game", "answer", "crossroads", side, e.file("orders.yaml", p.answer(4)))
	}
	for range 5 {
		play()
	}

	side := turn()
	questions := choiceQuestions(e, side, p.pick(p.sheet(nil).Choices[0], 0))
	ask := func() (answers []string) {
		for _, q := range questions {
			code, out, errout := e.does(append([]string{"choices"}, q.args...)...)
			answers = append(answers, fmt.Sprintf("%d\n%s\n%s", code, out, errout))
		}
		return answers
	}
	before, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	alone := ask()
	if after, err := os.ReadFile(database); err != nil || !bytes.Equal(before, after) {
		t.Error("the database has changed", err)
	}
	for i, q := range questions {
		for _, want := range append(q.says, fmt.Sprintf("%d\n", q.code)) {
			if !strings.Contains(alone[i], want) {
				t.Errorf("%v does not say %q:\n%s", q.args, want, alone[i])
			}
		}
	}
	log := e.serves(database)
	for i, through := range ask() {
		if through != alone[i] {
			t.Errorf("%v through the daemon:\n%s\nand without:\n%s", questions[i].args, through, alone[i])
		}
	}
	if n := strings.Count(log.String(), "command=choices"); n != len(questions)-1 {
		t.Errorf("the daemon answered %d of %d questions: %s", n, len(questions)-1, log.String())
	}
	play()
}

// What may be chosen comes from the view of the seat alone: in a game whose master plays,
// he is not shown his opponent's choices at the machine either.
func TestChoicesWhereTheMasterPlays(t *testing.T) {
	_, config, _ := site(t, "")
	e := errand{t, config}
	e.must("game", "new", e.file("set-up.yaml", fmt.Sprintf(whatIfSetup, "rosa@play.example")))
	for _, as := range []string{"", "rosa@play.example", "nobody"} {
		args := []string{"choices", "crossroads", "--seat", "french", "--json"}
		if as != "" {
			args = append(args, "--as", as)
		}
		if code, out, errout := e.does(args...); code != exitRefused || out != "" || !strings.Contains(errout, "--as") {
			t.Errorf("%q: %d %s%s", as, code, out, errout)
		}
	}
}
