package mistakes

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// playTurns plays turns by chance from their beginning to the end of 3.2, and then whatever
// may strike; see gives what each seat says.
func playTurns(t *testing.T, seed uint64, options map[string]string, turns int, say func(*View, engine.Decision, *rand.Rand) engine.Answer) map[string]int {
	t.Helper()
	chances := rand.New(rand.NewPCG(seed, 31))
	g, met := begin(t, options), map[string]int{}
	for range turns {
		answers := map[engine.Side]engine.Answer{}
		for stop := 0; ; stop++ {
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
			if len(g.Owed()) == 0 {
				break
			}
			if stop > 300 {
				t.Fatalf("seed %d: the turn never ends", seed)
			}
			clear(answers)
			for _, d := range g.Owed() {
				met[d.Kind]++
				answers[d.Side] = say(g.view(d.Side), d, chances)
			}
		}
		p := &battlefield{game: g}
		p.Dice = chance{chances}
		for range 25 {
			was := string(g.marshal())
			p.strike(chances)
			if all := g.flaws(); len(all) > 0 {
				t.Fatalf("seed %d: %v after\n%s\n%s", seed, all, was, g.marshal())
			}
		}
		if p.fallen() != noArmy || p.Turn == p.length().turns[1] || p.endTurn() {
			break
		}
	}
	return met
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

// Turns played by chance come to the end of 3.2: at each stop the position is read back as it
// was written, and what is answered by chance, as the rules say or by choices is read back and
// never refused.
func TestTurnsByChance(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(12) {
		options := []map[string]string{{"ney": "on"}, {"game": "ready-3p"}, {"game": "ready-3p", "players": "3"}}[seed%3]
		for kind, n := range playTurns(t, seed, options, 6, func(v *View, d engine.Decision, r *rand.Rand) engine.Answer {
			reread(t, v, d, declared.Default(v, d))
			reread(t, v, d, declared.Sensible(v, d, r))
			var made []engine.Choice
			for range 1 + r.IntN(3) {
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
		}) {
			met[kind] += n
		}
	}
	for kind := range stops {
		if met[kind] == 0 && !inCombat(kind) {
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
