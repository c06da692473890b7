package rulestest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// A Setup is a game that tests play, with a name for their messages.
type Setup struct {
	Name  string
	Setup engine.Setup
}

// Spread plays games 0 to n-1 on so many workers. A worker whose game fails reports it
// and plays no more.
func Spread(t *testing.T, n, workers int, play func(i int) error) {
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				if err := play(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
}

// Playouts plays so many random games, the set-ups in turn, to their ends on so many
// workers. Observe gives a new observer for each game; ways change a game before it is played.
func Playouts(t *testing.T, rules engine.Ruleset, setups []Setup, games, workers int, observe func() playout.Observer, ways ...func(i int, g *playout.Game)) {
	Spread(t, games, workers, func(i int) error {
		setup := setups[i%len(setups)]
		g := playout.Game{Rules: rules, Setup: setup.Setup, Seed: uint64(i)}
		for _, way := range ways {
			way(i, &g)
		}
		if _, err := g.Play(observe()); err != nil {
			return fmt.Errorf("%s, seed %d: %w", setup.Name, g.Seed, err)
		}
		return nil
	})
}

// Properties plays so many random games, the set-ups in turn, and checks at their stops
// what must hold for every ruleset.
func Properties(t *testing.T, setups []Setup, games int, check playout.Properties) {
	for i := range games {
		setup := setups[i%len(setups)]
		t.Run(fmt.Sprintf("%s %d", setup.Name, i), func(t *testing.T) {
			t.Parallel()
			if _, err := playout.Run(check.Rules, setup.Setup, uint64(2000+i), check.Observe); err != nil {
				t.Error(err)
			}
		})
	}
}

// Moments collects stops of some games, at most so many of each kind, with the answers
// that were given there. Whoever changes the position of a moment must clone it first.
func Moments(tb testing.TB, most int, play func(keep playout.Observer) error) []playout.Moment {
	tb.Helper()
	var all []playout.Moment
	kinds := map[string]int{}
	err := play(func(m playout.Moment) error {
		if len(m.Owed) > 0 && kinds[m.Owed[0].Kind] < most {
			kinds[m.Owed[0].Kind]++
			m.Position = m.Position.Clone()
			all = append(all, m)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// Once gives a function that finds moments when it is first called, and the same moments
// at every later call. A test fails if there are none, also because an earlier test failed
// to find them.
func Once(find func(testing.TB) []playout.Moment) func(testing.TB) []playout.Moment {
	var once sync.Once
	var all []playout.Moment
	return func(tb testing.TB) []playout.Moment {
		tb.Helper()
		once.Do(func() { all = find(tb) })
		if len(all) == 0 {
			tb.Fatal("there are no moments")
		}
		return all
	}
}

// Versus is a chooser that plays some seats sensibly and the others at random.
func Versus(sensible func(engine.Side) bool) playout.Chooser {
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
		if sensible(view.Side()) {
			return rules.Sensible(view, d, chance)
		}
		return rules.Random(view, d, chance)
	}
}

// Only is a chooser that answers for one side at random and sends nothing for the
// others.
func Only(side engine.Side) playout.Chooser {
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
		if view.Side() == side {
			return rules.Random(view, d, chance)
		}
		return rules.Default(view, d)
	}
}

// Defaults plays each set-up to its end with nobody ever sending orders, and with each of
// the given sides as the only one that sends them.
func Defaults(t *testing.T, rules engine.Ruleset, setups []Setup, observe func() playout.Observer, sides ...engine.Side) {
	choosers := map[string]playout.Chooser{"nobody": playout.Defaults}
	for _, side := range sides {
		choosers["only "+string(side)] = Only(side)
	}
	for name, choose := range choosers {
		for _, setup := range setups {
			if _, err := (playout.Game{Rules: rules, Setup: setup.Setup, Seed: 5, Choose: choose}).Play(observe()); err != nil {
				t.Errorf("%s, %s: %v", name, setup.Name, err)
			}
		}
	}
}

// InOrder is an observer that checks that each position is in order and follows from the
// last one, as conserved tells. It also checks what the ruleset checks when a game master
// changes a position ([engine.Checked]): against the position itself, as after a change of
// nothing, and against the position before.
func InOrder(conserved func(before, after engine.Position) error) playout.Observer {
	var last engine.Position
	return func(m playout.Moment) error {
		if last == nil {
			last = m.Position
		}
		if err := conserved(last, m.Position); err != nil {
			return err
		}
		if c, ok := m.Position.(engine.Checked); ok {
			if faults := append(c.Check(last), c.Check(m.Position)...); len(faults) > 0 {
				return fmt.Errorf("the rules led to what a ruling may not: %w", faults)
			}
		}
		last = m.Position.Clone()
		return nil
	}
}

// Reads fuzzes order files. They come from strangers: whatever a file says, reading it
// must end, its faults must lie inside it, and what is accepted must be possible to carry
// out. The fuzzing begins with the answers and the templates of some moments, and with files.
func Reads(f *testing.F, all []playout.Moment, check playout.Properties, files ...string) {
	for i, m := range all {
		for _, d := range m.Owed {
			f.Add(uint16(i), m.Answers[d.Side].Orders().Encode())
			f.Add(uint16(i), check.Rules.Template(m.Position.View(d.Side), d).Encode())
		}
	}
	for _, file := range files {
		f.Add(uint16(0), file)
	}
	f.Fuzz(func(t *testing.T, at uint16, file string) {
		m := all[int(at)%len(all)]
		for _, d := range m.Owed {
			if err := check.Survives(m, m.Position.View(d.Side), d, file); err != nil {
				t.Errorf("%s %s: %v", d.Side, d.Kind, err)
			}
		}
	})
}

// Loads fuzzes positions. They come from files that a game master has edited: whatever
// such a file says, it must be refused with the place of every fault, or its position can
// be looked at. The fuzzing begins with the positions of some moments.
func Loads(f *testing.F, rules engine.Ruleset, all []playout.Moment) {
	for _, m := range all {
		text, err := m.Position.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := rules.Load(text)
		if err != nil {
			var faults orders.Problems
			if !errors.As(err, &faults) || len(faults) == 0 {
				t.Fatalf("refused without a fault: %v", err)
			}
			for _, f := range faults {
				if f.Line < 1 && f.Why.Code != "play.position-empty" && f.Why.Code != "order.too-long" {
					t.Fatalf("a fault without its place: %v", f)
				}
			}
			return
		}
		again, err := p.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := rules.Load(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if third, err := back.Marshal(); err != nil || !bytes.Equal(again, third) {
			t.Fatalf("%v\n%s\n%s", err, again, third)
		}
		for _, side := range append(slices.Clone(p.Sides()), engine.GM) {
			p.View(side).Page()
		}
		for _, d := range p.Owed() {
			v := p.View(d.Side)
			rules.Template(v, d)
			rules.Sensible(v, d, rand.New(rand.NewPCG(18, 15)))
			doc, problems := orders.Parse(rules.Default(v, d).Orders().Encode(), nil)
			if len(problems) == 0 {
				_, problems = rules.Read(v, d, doc)
			}
			if len(problems) > 0 {
				t.Fatalf("the default is refused: %s", playout.Explain(problems))
			}
		}
	})
}

// LegalSensibly checks that the sensible answers at a stop are legal as order
// files, and the same each time for the same random numbers.
func LegalSensibly(rules engine.Ruleset, seed uint64, m playout.Moment) error {
	for _, d := range m.Owed {
		v := m.Position.View(d.Side)
		file := func() string {
			return rules.Sensible(v, d, rand.New(rand.NewPCG(seed, 3))).Orders().Encode()
		}
		text := file()
		if text != file() {
			return fmt.Errorf("%s: another answer the second time", d.Kind)
		}
		doc, problems := orders.Parse(text, nil)
		if len(problems) == 0 {
			_, problems = rules.Read(v, d, doc)
		}
		if len(problems) > 0 {
			return fmt.Errorf("%s: %s\n%s", d.Kind, playout.Explain(problems), text)
		}
	}
	return nil
}
