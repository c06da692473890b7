package napoleon

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/orders"
	"berthier/orders/phrase"
)

// randomDice are dice that take their results from a test's source of random numbers.
type randomDice struct{ *rand.Rand }

func (d randomDice) Roll(sides int, _ phrase.Phrase) int { return d.IntN(sides) + 1 }

// muster puts the armies into random towns of the drill ground, at the beginning of a
// battle phase.
func muster(t *testing.T, chance *rand.Rand, options map[string]string) *game {
	t.Helper()
	options["setup"] = "historical"
	made, err := New().New(engine.Setup{Scenario: "drill", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	g := made.(*game)
	g.asks, g.phase, g.turn = nil, battlePhase, chance.IntN(2)
	attacker := g.turns[g.turn].camp
	var fields []townID
	for i := range g.towns {
		if !g.towns[i].apart && len(g.towns[i].roads) > 1 {
			fields = append(fields, townID(i))
		}
	}
	chance.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	fights := fields[:1+chance.IntN(3)]
	for i := range g.units {
		u := &g.units[i]
		at := fights[chance.IntN(len(fights))]
		if chance.IntN(4) == 0 { // near by, to reinforce or to be reinforced against
			at = fields[len(fields)-1]
			if u.army.camp() == attacker {
				at = fields[len(fields)-2]
			}
		}
		u.town = at
		if u.kind != leader {
			u.strength = int8(1 + chance.IntN(4))
		}
		if u.army.camp() == attacker {
			roads := g.towns[at].roads
			u.came = g.roads[roads[chance.IntN(len(roads))]].from(at)
		}
	}
	return g
}

// Battles of every size, in which all answers are random, come to an end. At every stop
// the position reads back as it was, an answer reads back from its normal form as the
// same answer, and what is hidden from a side changes nothing that it sees.
func TestBattlesByChance(t *testing.T) {
	fights := 60
	if !fullSamples {
		fights = 5
	}
	if raceEnabled {
		fights = 1
	}
	kinds := map[string]int{}
	for i := range fights {
		chance := rand.New(rand.NewPCG(7, uint64(i)))
		options := map[string]string{}
		for name, values := range map[string][]string{
			"fog_of_battle": {"standard", "standard", "full"}, "interleave": {"by-battle", "by-side"},
			"terrain_pool": {"2/2/2/2", "2/2/2/2", "4/1/2/1", "1/3/1/3", "0/0/8/0"},
			"shock_lasts":  {"first-fire", "next-turn"}, "losses_public": {"identity", "number"},
		} {
			options[name] = values[i%len(values)]
		}
		g := muster(t, chance, options)
		fightOut(t, g, chance, fmt.Sprintf("fight %d", i), kinds)
	}
	for _, kind := range []string{"battle-order", "skirmish", "hits", "terrain-attacker", "terrain-defender", "deploy-defender",
		"deploy-attacker", "morale-order", "battle-turn", "reinforce", "skirmish-retreat", "rout", "regroup", "stalemate"} {
		if kinds[kind] == 0 && fights == 60 {
			t.Errorf("no side was ever asked for %s", kind)
		}
	}
}

// fightOut plays a battle phase to its end.
func fightOut(t *testing.T, g *game, chance *rand.Rand, name string, kinds map[string]int) {
	t.Helper()
	rules := New()
	passive := chance.IntN(3) == 0 // an attacker who does nothing comes to a stalemate
	check := playout.Properties{Rules: rules, Conserved: conserved, Scramble: scramble, Leaks: 1, Answers: 1, Broken: 1, Every: 4}
	events, err := g.Advance(nil, randomDice{chance})
	if err != nil {
		t.Fatal(err)
	}
	for stop := 0; g.phase == battlePhase; stop++ {
		if stop > 3000 {
			t.Fatalf("%s: no end", name)
		}
		answers := map[engine.Side]engine.Answer{}
		for _, d := range g.Owed() {
			kinds[d.Kind]++
			v := g.view(d.Side)
			a := rules.Random(v, d, chance)
			if d.Kind == "battle-turn" && passive && v.camp() == v.battleOf(d).attacker {
				a = play.Answer{To: d, Reply: turnForm.Make(v, d, func(x *saying[*turning]) { x.Add("", order{says: saysNothing}) })}
			}
			for i, body := range []*orders.Node{a.Orders().Get("orders"), rules.Default(v, d).Orders().Get("orders"), rules.Template(v, d).Get("orders")} {
				file, problems := orders.ParseNode([]byte(body.Encode()))
				if len(problems) > 0 {
					t.Fatalf("%s, %s: %v\n%s", name, d.Kind, problems, body.Encode())
				}
				read, problems := rules.Read(v, d, &orders.Document{Orders: file})
				if len(problems) > 0 {
					t.Fatalf("%s, %s: answer %d is refused: %v\n%s", name, d.Kind, i, problems, body.Encode())
				}
				if i < 2 && read.Orders().Encode() != orders.Mapping().Set("orders", body).Encode() {
					t.Fatalf("%s, %s: answer %d is not in normal form:\n%s\n%s", name, d.Kind, i, body.Encode(), read.Orders().Encode())
				}
				if i == 2 && read.Orders().Encode() != rules.Default(v, d).Orders().Encode() {
					t.Fatalf("%s, %s: the template is not the default:\n%s", name, d.Kind, body.Encode())
				}
				if i == 0 {
					a = read
				}
			}
			answers[d.Side] = a
		}
		if len(answers) == 0 {
			t.Fatalf("%s: nobody owes anything", name)
		}
		if err := check.Observe(playout.Moment{Number: stop + 1, Position: g, Events: events, Owed: g.Owed(), Answers: answers}); err != nil {
			t.Fatalf("%s, stop %d: %v", name, stop, err)
		}
		last := g.Clone().(*game)
		var err error
		if events, err = g.Advance(answers, randomDice{chance}); err != nil {
			t.Fatal(err)
		}
		if err := conserved(last, g); err != nil {
			t.Fatalf("%s, stop %d: %v", name, stop, err)
		}
	}
	for i := range g.towns {
		if g.blocks(townID(i), frenchCamp) > 0 && g.blocks(townID(i), alliedCamp) > 0 {
			t.Fatalf("%s: both camps are left at %s", name, g.towns[i].id)
		}
	}
}

// A battle in which everybody does what the default says comes to an end.
func TestBattlesOfDefaults(t *testing.T) {
	for i := range 60 {
		chance := rand.New(rand.NewPCG(11, uint64(i)))
		options := map[string]string{"fog_of_battle": []string{"standard", "full"}[i%2]}
		g := muster(t, chance, options)
		g.Advance(nil, randomDice{chance})
		stop := 0
		for ; g.phase == battlePhase && stop < 2000; stop++ {
			answers := map[engine.Side]engine.Answer{}
			for _, d := range g.Owed() {
				answers[d.Side] = New().Default(g.view(d.Side), d)
			}
			if _, err := g.Advance(answers, randomDice{chance}); err != nil {
				t.Fatal(err)
			}
		}
		if g.phase == battlePhase {
			t.Fatalf("fight %d goes on after %d stops", i, stop)
		}
	}
}
