package mistakes

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/docs/rules"
)

// The options are those of section 8.1 of the digest.
func TestOptionsOfTheDigest(t *testing.T) {
	_, table, found := strings.Cut(rules.EnemyMistakes, "### 8.1 ")
	table, _, end := strings.Cut(table, "## 9.")
	if !found || !end {
		t.Fatal("there is no section 8.1")
	}
	var want []string
	for line := range strings.Lines(table) {
		keys, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(keys, -1) {
			if m[1] != "options" {
				want = append(want, m[1])
			}
		}
	}
	have := battle(t).menu().Names()
	slices.Sort(want)
	slices.Sort(have)
	same(t, "the options", have, want)
}

// chosen sets options in a game that is laid out for a case.
func chosen(t *testing.T, g *game, options map[string]string) *game {
	t.Helper()
	g.options = begin(t, options).options
	return g
}

// Cases of the options of section 8.1 that have no case beside the rule they change.
func TestOptions(t *testing.T) {
	yes := func(key string) map[string]string { return map[string]string{key: "yes"} }
	clause(t, "EM-R7", "by option a unit that is routed and has a friend behind it is captured", func(t *testing.T) {
		g := chosen(t, field(t, piece{"blue-1", 600_000, 400_000, 180}, piece{"red-7", 600_000, 300_000, 0}, piece{"red-8", 600_000, 270_000, 0}), yes("rout-strict"))
		u := named(t, g, "red-7")
		played(t, g).rout(u, named(t, g, "blue-1"), false)
		is(t, "it", g.Units[u].Gone, captured)
		g = chosen(t, field(t, piece{"blue-1", 600_000, 400_000, 180}, piece{"red-7", 600_000, 300_000, 0}), yes("rout-strict"))
		played(t, g).rout(u, named(t, g, "blue-1"), false)
		is(t, "with room behind it", g.Units[u].At.Y, 240_000)
	})
	clause(t, "EM-R8", "by option nobody splits his points", func(t *testing.T) {
		g := begin(t, map[string]string{"split-points": "nobody"})
		reille := leaderNamed(t, g, "reille")
		is(t, "Reille pays 1 for b-Foy", g.pay(reille, g.formationNamed("b-Foy"), 1, false), true)
		is(t, "Reille pays 1 for b-Bachelu", g.pay(reille, g.formationNamed("b-Bachelu"), 1, false), false)
	})
	clause(t, "EM-R15", "by option a hill shelters from bombardment", func(t *testing.T) {
		g := chosen(t, field(t, piece{"blue-34", 655_000, 101_000, 0}, piece{"red-7", 655_000, 432_000, 180}), yes("terrain-vs-bombardment"))
		is(t, "the sum", sum(g.fireModifiers(named(t, g, "blue-34"), named(t, g, "red-7"), 0)), -1)
	})
	clause(t, "EM-R18", "by option a gun with smoke supports the Grand Battery", func(t *testing.T) {
		g := begin(t, yes("gb-smoked-support"))
		at := func(id string) unitID { return named(t, g, id) }
		g.Units[at("blue-24")].Smoke = true
		is(t, "24 supports 23", g.supports(at("blue-24"), at("blue-23"), at("red-7")), true)
		is(t, "24 fires", g.fires(at("blue-24")), false)
	})
	clause(t, "EM-R20", "by option the low dice of damage are losses", func(t *testing.T) {
		for option, want := range map[string][2]bool{"high": {false, true}, "low": {true, false}} {
			g := begin(t, map[string]string{"damage-on": option})
			is(t, "a 2", g.costs(2), want[0])
			is(t, "a 5", g.costs(5), want[1])
		}
	})
	clause(t, "EM-R31", "by option what enters moves to the end of its turn", func(t *testing.T) {
		for option, want := range map[string]bool{"no": false, "yes": true} {
			g := begin(t, map[string]string{"entry-free-move": option})
			u := named(t, g, "black-18")
			g.drawUp(&drawnUp{id: "k1", heading: 270, units: []stationed{{u, place{X: 1_100_000, Y: 200_000}}}}, true)
			g.loseGreen(func(f *formation) bool { return f.Kept })
			is(t, "it moves", g.of(u).Green, want)
		}
	})
	clause(t, "EM-R33", "by option all units must be seen", func(t *testing.T) {
		g := begin(t, yes("strict-visibility"))
		l, ok := leaderNamed(t, g, "derlon"), false
		for i := range g.Formations {
			f := &g.Formations[i]
			seen, all := 0, len(f.Units)
			for _, u := range f.Units {
				if g.sees(l, u) {
					seen++
				}
			}
			want := 0
			if seen < all {
				want = 1
			}
			ok = ok || seen > 0 && seen < all
			is(t, f.ID, g.surcharge(l, f.Units), want)
		}
		is(t, "some formation is seen in part", ok, true)
	})
	clause(t, "EM-R49", "by option generals count in free scenarios", func(t *testing.T) {
		for option, want := range map[string]int{"no": 0, "yes": 12} {
			g := begin(t, map[string]string{"game": "free", "free-generals": option})
			g.Leaders[leaderNamed(t, g, "hill")] = leader{Gone: eliminated, By: blue}
			is(t, "blue's points", g.score(blue), want)
		}
	})
	clause(t, "EM-R55", "by option Ney is barred from another corps", func(t *testing.T) {
		g := begin(t, map[string]string{"ney": "on", "ney-barred": "I"})
		ney := leaderNamed(t, g, "ney")
		is(t, "to a guard unit", g.mayAttach(ney, named(t, g, "blue-1")), true)
		is(t, "to 13", g.mayAttach(ney, named(t, g, "blue-13")), false)
	})
	clause(t, "EM-R60", "by option enemies withdraw from a garrison after each melee", func(t *testing.T) {
		g := chosen(t, field(t, piece{"blue-28", 405_000, 234_500, 0}, piece{"hougoumont", 405_000, 257_000, 180}), map[string]string{"garrison-withdraw": "melee"})
		moves(t, g, "blue-28")
		p := played(t, g, 1, 6, 1, 1)
		p.engage(named(t, g, "blue-28"), named(t, g, "hougoumont"))
		p.goOn()
		is(t, "where", g.Units[named(t, g, "blue-28")].At.Y, 204_500)
	})
	clause(t, "EM-R62", "by option a general who is attached orders his own formation alone", func(t *testing.T) {
		g := begin(t, yes("attached-general-own-only"))
		l := leaderNamed(t, g, "reille")
		is(t, "free, he orders b-Foy", g.commands(l, g.formationNamed("b-Foy")), true)
		g.Leaders[l] = leader{Attached: g.formationNamed("b-Bachelu").Units[0]}
		is(t, "attached, b-Foy", g.commands(l, g.formationNamed("b-Foy")), false)
		is(t, "and b-Bachelu", g.commands(l, g.formationNamed("b-Bachelu")), true)
	})
	clause(t, "EM-R69", "by option the garrison alone decides", func(t *testing.T) {
		g := begin(t, yes("garrison-uncontested"))
		g.Units[named(t, g, "blue-1")].At = place{X: 576_000, Y: 335_000}
		is(t, "red's", g.objectivePoints(red), 50)
	})
	clause(t, "EM-R1", "the segment is 30 mm long, by option from 20 to 60", func(t *testing.T) {
		for value, want := range map[string]length{"scenario": 30_000, "20000": 20_000, "45000": 45_000} {
			g := begin(t, map[string]string{"segment-um": value})
			is(t, value, g.segment(), want)
			area, own := g.engagement(named(t, g, "blue-13")), g.body(named(t, g, "blue-13"))
			is(t, "the engagement area ahead of the front", area.V1-own.V1, int64(want))
			again, faults := load(g.marshal())
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			is(t, value+" read back", again.segment(), want)
		}
		for _, value := range []string{"19999", "60001", "30000.5", "", "030000"} {
			if _, faults := begun(battle(t), map[string]string{"segment-um": value}); len(faults) != 1 || faults[0].Why.Code != "em.option-segment" {
				t.Errorf("%q: %v", value, faults)
			}
		}
	})
	clause(t, "EM-R49", "allies score together; by option each has what it caused itself", func(t *testing.T) {
		for option, want := range map[string][3]int{"no": {0, 12 + 3, 12 + 3}, "yes": {0, 7 + 2, 5 + 1}} {
			g := begin(t, map[string]string{"game": "ready-3p", "players": "3", "separate-scores": option})
			g.Units[named(t, g, "blue-30")] = unit{Gone: eliminated, By: red}   // 7
			g.Units[named(t, g, "blue-31")] = unit{Gone: eliminated, By: black} // 5
			p := played(t, g)
			p.lose(named(t, g, "blue-1"), 2, red)
			p.lose(named(t, g, "blue-2"), 1, black)
			for a := blue; a < armies; a++ {
				is(t, option+" "+a.String(), g.score(a), want[a-1])
			}
			is(t, "who wins", g.winner(), red)
			g.Phase = over
			o, _ := g.Outcome()
			is(t, "how many seats win", len(o.Winners), map[string]int{"no": 2, "yes": 1}[option])
		}
		if _, faults := begun(battle(t), map[string]string{"separate-scores": "yes"}); len(faults) != 1 || faults[0].Why.Code != "em.option-separate" {
			t.Errorf("with two players: %v", faults)
		}
	})
	clause(t, "EM-18.3", "the last turn is agreed in free scenarios alone", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "free", "last-turn": "5"})
		g.Turn = 5
		is(t, "the game is over", played(t, g).endTurn(), true)
		for _, options := range []map[string]string{{"last-turn": "5"}, {"game": "free-deploy-3p", "last-turn": "7"}} {
			_, faults := begun(battle(t), options)
			if len(faults) != 1 || faults[0].Clause != "EM-18.3" {
				t.Errorf("%v: %v", options, faults)
			}
		}
	})
}
