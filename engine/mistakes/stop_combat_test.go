package mistakes

import (
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/orders"
)

// fightTurns has two armies charge each other by chance, and then plays from the end of 3.3 into
// the next turn with the stops as they are declared; say gives what each seat answers.
func fightTurns(t *testing.T, seed uint64, say func(*View, engine.Decision, *rand.Rand) engine.Answer) map[string]int {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 53))
	g, met := field(t, lines(r)...), map[string]int{}
	g.Order, g.Placed = []army{blue, red}, []corpsID{corpsNamed(t, g, "black-IV")}
	g.Leaders[leaderNamed(t, g, "napoleon")].At = place{X: 600_000, Y: 40_000}
	g.Leaders[leaderNamed(t, g, "wellington")].At = place{X: 600_000, Y: 640_000}
	for turn := range 2 {
		p := &battlefield{game: g}
		p.Dice = chance{r}
		for range 12 {
			p.assault(r)
			p.wander(r)
		}
		p.Phase, p.Next, p.Said, p.owed = unlimbering, 0, false, nil
		answers := map[engine.Side]engine.Answer{}
		for stop := 0; g.Turn == turn+1 && !g.over(); stop++ {
			p := &battlefield{game: g}
			p.Dice = chance{r}
			if err := p.advance(answers); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if all := g.flaws(); len(all) > 0 {
				t.Fatalf("seed %d: %v\n%s", seed, all, g.marshal())
			}
			again, faults := load(g.marshal())
			if len(faults) > 0 {
				t.Fatalf("seed %d: %v\n%s", seed, faults, g.marshal())
			}
			is(t, "the position read back", string(again.marshal()), string(g.marshal()))
			g = again
			if stop > 400 {
				t.Fatalf("seed %d: the combats never end", seed)
			}
			clear(answers)
			for _, d := range g.Owed() {
				met[d.Kind]++
				answers[d.Side] = say(g.view(d.Side), d, r)
			}
		}
		if g.over() {
			break
		}
	}
	return met
}

// Combats by chance come to their end: at each stop the position is read back as it was written,
// and what is answered by chance, as the rules say or by choices is read back and never refused.
func TestCombatStopsByChance(t *testing.T) {
	met := map[string]int{}
	for seed := range samples(4, 10) {
		for kind, n := range fightTurns(t, seed, func(v *View, d engine.Decision, r *rand.Rand) engine.Answer {
			reread(t, v, d, declared.Default(v, d))
			var made []engine.Choice
			for range 1 + r.IntN(2) {
				if list := declared.Choices(v, d, made); len(list) > 0 {
					made = append(made, list[r.IntN(len(list))])
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
	for _, kind := range []string{stopUnlimber, stopCombat, stopSide, stopSupport, stopReroll, stopPursue, stopCounter, stopReinforce, stopOutcome, stopWithdrawLoss} {
		if met[kind] == 0 {
			t.Errorf("no combat came to a stop %s: %v", kind, met)
		}
	}
}

// inCombat says whether a stop comes after 3.3: the test of its own plays those.
func inCombat(kind string) bool {
	return kind == stopUnlimber || kind == stopCombat || slices.Contains(decisionStops[:], kind)
}

// A template that is sent back untouched means the default.
func TestCombatTemplatesMeanTheDefault(t *testing.T) {
	for seed := range uint64(2) {
		fightTurns(t, seed, func(v *View, d engine.Decision, r *rand.Rand) engine.Answer {
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

// The answers of the digest are read, and written in normal form; bad ones are refused with their
// line.
func TestCombatAnswers(t *testing.T) {
	at := func(t *testing.T, what decision, change func(g *game), pieces ...piece) *game {
		g := meeting(t, field(t, pieces...), melee{}, pieces[0].unit, pieces[1].unit)
		g.Order, g.Phase = []army{blue, red}, fighting
		change(g)
		if a := g.def(g.Combat.Attacker).army; len(g.Combat.Asks) == 0 {
			g.Combat.asks(a, what)
		}
		return g
	}
	two := opposed("blue-28", "red-5", piece{"blue-29", 330_000, 100_000, 0})
	gun := append(opposed("blue-28", "red-5"), piece{"red-10", 345_000, 137_500, 180}, piece{"red-3", 367_500, 145_000, 180})
	charged := func(g *game, what decision, l limber) {
		u := named(t, g, "red-10")
		g.Units[u].Limber = l
		g.Combat.Rush = &manoeuvre{Units: all(t, g, "blue-28"), Does: charging, Target: u}
		g.Combat.asks(red, what)
	}
	for _, c := range []struct {
		kind, text, want string
		side             engine.Side
		g                *game
	}{
		{stopLosses, "{losses: {28: 2, 29: 1}}", "", "blue", at(t, askLosses, func(g *game) {
			g.Combat.Melee.Support[0], g.Combat.Melee.Hits[0] = all(t, g, "blue-29"), 3
		}, two...)},
		{stopLosses, "{losses: {28: 1, 29: 2}}", "em.losses-not", "blue", at(t, askLosses, func(g *game) {
			g.Combat.Melee.Support[0], g.Combat.Melee.Hits[0] = all(t, g, "blue-29"), 3
		}, two...)},
		{stopLimberedGun, "{red-10: back}", "", "red", at(t, askGunBack, func(g *game) { charged(g, askGunBack, behind) }, gun...)},
		{stopLimberedGun, "{red-5: back}", "em.gun-other", "red", at(t, askGunBack, func(g *game) { charged(g, askGunBack, behind) }, gun...)},
		{stopUnlimberedGun, "{red-10: {swap: red-3}}", "", "red", at(t, askGunSwap, func(g *game) { charged(g, askGunSwap, unlimbered) }, gun...)},
		{stopUnlimberedGun, "{red-10: stand}", "", "red", at(t, askGunSwap, func(g *game) { charged(g, askGunSwap, unlimbered) }, gun...)},
		{stopUnlimberedGun, "{red-10: {swap: red-5}}", "em.swap-not", "red", at(t, askGunSwap, func(g *game) { charged(g, askGunSwap, unlimbered) }, gun...)},
		{stopOutcome, "{keep: 5}", "", "blue", at(t, askKeep, func(g *game) { g.Combat.Dice[0] = []int{2, 5} }, two...)},
		{stopOutcome, "{keep: 4}", "em.outcome-die", "blue", at(t, askKeep, func(g *game) { g.Combat.Dice[0] = []int{2, 5} }, two...)},
		{stopPursue, "{pursue: infantry, target-mod: up, general-mod: down}", "", "blue", at(t, askPursuit, func(g *game) {
			g.Combat.Chase = &chase{Army: blue, Pursuers: all(t, g, "blue-28"), Beaten: named(t, g, "red-5"), Left: []arm{infantry}}
		}, two...)},
		{stopPursue, "{pursue: infantry, side-step: left}", "em.pursuit-step", "blue", at(t, askPursuit, func(g *game) {
			g.Combat.Chase = &chase{Army: blue, Pursuers: all(t, g, "blue-28"), Beaten: named(t, g, "red-5"), Left: []arm{infantry}}
		}, two...)},
	} {
		v, d := c.g.view(c.side), engine.Decision{Side: c.side, Kind: c.kind}
		root, faults := orders.ParseNode([]byte("orders: " + c.text + "\n"))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		a, faults := declared.Read(v, d, &orders.Document{Orders: root.Get("orders")})
		switch {
		case c.want == "" && len(faults) > 0:
			t.Errorf("%s: %v", c.text, faults)
		case c.want == "":
			is(t, "the normal form", a.Orders().Encode(), "orders: "+c.text+"\n")
		case len(faults) != 1 || faults[0].Why.Code != c.want || faults[0].Line == 0:
			t.Errorf("%s: %v, want %s", c.text, faults, c.want)
		}
	}
}
