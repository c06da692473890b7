package mistakes

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// playTurns plays so many turns by chance from the set-up, or all of them if the game is over
// before; say gives what each seat says. It gives the game, and counts the stops by their kind.
func playTurns(t *testing.T, seed uint64, options map[string]string, turns int, say func(*View, engine.Decision, *rand.Rand) engine.Answer) (*game, map[string]int) {
	t.Helper()
	chances := rand.New(rand.NewPCG(seed, 31))
	g, met := begin(t, options), map[string]int{}
	answers := map[engine.Side]engine.Answer{}
	for stop, last := 0, g.Turn+turns; g.Turn < last; stop++ {
		p := &battlefield{game: g}
		p.Dice = chance{chances}
		if err := p.advance(answers); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if all := g.flaws(); len(all) > 0 {
			t.Fatalf("seed %d, %s: %v\n%s", seed, phaseWords[g.Phase], all, g.marshal())
		}
		again, faults := load(g.marshal())
		if len(faults) > 0 {
			t.Fatalf("seed %d, %s: %v", seed, phaseWords[g.Phase], faults)
		}
		if !bytes.Equal(again.marshal(), g.marshal()) {
			t.Fatalf("seed %d: the position reads as another:\n%s\n%s", seed, g.marshal(), again.marshal())
		}
		g = again // and it is played on
		if g.over() {
			break
		}
		if len(g.Owed()) == 0 {
			t.Fatalf("seed %d: the game is stuck:\n%s", seed, g.marshal())
		}
		if stop > 5000 {
			t.Fatalf("seed %d: the game never ends", seed)
		}
		clear(answers)
		for _, d := range g.Owed() {
			met[d.Kind]++
			answers[d.Side] = say(g.view(d.Side), d, chances)
		}
	}
	return g, met
}

// reread writes an answer in normal form and reads it back.
func reread(t *testing.T, v *View, d engine.Decision, a engine.Answer) engine.Answer {
	t.Helper()
	text := a.Orders().Encode()
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("%s: %v\n%s", d.Kind, faults, text)
	}
	again, faults := declared.Read(v, d, &orders.Document{Orders: root.Get("orders")})
	if len(faults) > 0 {
		t.Fatalf("%s: %v\n%s", d.Kind, faults, text)
	}
	if now := again.Orders().Encode(); now != text {
		t.Fatalf("%s reads as another:\n%s\n%s", d.Kind, text, now)
	}
	return again
}

// seldom are stops to which few games by chance come; tests of their own play them.
var seldom = map[string]bool{stopSubstitute: true, stopEscape: true, stopDeploy: true, stopInterrupt: true}

// Turns are played by chance: at each stop the position is read back as it
// was written, and what is answered by chance, as the rules say or by choices is read back and
// never refused.
func TestTurnsByChance(t *testing.T) {
	met := map[string]int{}
	for seed := range samples(3, 6) {
		options := []map[string]string{{"ney": "on"}, {"game": "ready-3p"}, {"game": "ready-3p", "players": "3"}}[seed%3]
		_, stops := playTurns(t, seed, options, 3, func(v *View, d engine.Decision, r *rand.Rand) engine.Answer {
			reread(t, v, d, declared.Default(v, d))
			reread(t, v, d, declared.Sensible(v, d, r))
			var made []engine.Choice
			choices := 1 + r.IntN(3)
			if d.Kind == stopManoeuvres && r.IntN(6) > 0 {
				choices = 0 // to list all charges takes long
			}
			for range choices {
				if list := declared.Choices(v, d, made); len(list) > 0 {
					one := list[r.IntN(len(list))]
					if one.Measure {
						one = one.At(one.Low + r.IntN(one.High-one.Low+1))
					}
					made = append(made, one)
				}
			}
			composed := reread(t, v, d, declared.Compose(v, d, made))
			by := reread(t, v, d, declared.Random(v, d, r))
			if r.IntN(3) == 0 {
				return composed
			}
			return by
		})
		for kind, n := range stops {
			met[kind] += n
		}
	}
	for kind := range stops {
		if met[kind] == 0 && !inCombat(kind) && !seldom[kind] {
			t.Errorf("no game came to a stop %s: %v", kind, met)
		}
	}
	t.Log(met)
}

// A template that is sent back untouched means the default.
func TestTemplatesMeanTheDefault(t *testing.T) {
	for seed := range uint64(3) {
		playTurns(t, seed, map[string]string{"ney": "on"}, 4, func(v *View, d engine.Decision, r *rand.Rand) engine.Answer {
			text := declared.Template(v, d).Encode()
			root, faults := orders.ParseNode([]byte(text))
			if len(faults) > 0 {
				t.Fatalf("%s: %v\n%s", d.Kind, faults, text)
			}
			a, faults := declared.Read(v, d, &orders.Document{Orders: root.Get("orders")})
			if len(faults) > 0 {
				t.Fatalf("%s: %v\n%s", d.Kind, faults, text)
			}
			is(t, "the template of "+d.Kind, a.Orders().Encode(), declared.Default(v, d).Orders().Encode())
			return declared.Random(v, d, r)
		})
	}
}

// worldOf gives the world of an answer.
func worldOf[W any](a engine.Answer) (W, bool) { return play.World[*View, W](a.(play.Answer).Reply) }
