package mistakes

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"berthier/engine"
)

// Cases of the end of a turn and of the game: chapters 16 to 18.
func TestEndingCases(t *testing.T) {
	clause(t, "EM-16.1", "routed units are eliminated, and their columns shaken", func(t *testing.T) {
		g := field(t, piece{"red-7", 600_000, 300_000, 0}, piece{"red-8", 600_000, 270_000, 0})
		g.Units[named(t, g, "red-7")].Yellow, g.Units[named(t, g, "red-7")].Routed = 2, blue
		played(t, g).endTurn()
		is(t, "how it went", g.Units[named(t, g, "red-7")], unit{Gone: eliminated, By: blue})
		is(t, "8's yellow", g.Units[named(t, g, "red-8")].Yellow, 1)
	})
	clause(t, "EM-16.2", "one orange comes off", func(t *testing.T) {
		g := begin(t, nil)
		g.formationNamed("b-Foy").Orange = 2
		p := played(t, g)
		p.endTurn()
		is(t, "orange", g.formationNamed("b-Foy").Orange, 1)
		p.endTurn()
		p.endTurn()
		is(t, "orange", g.formationNamed("b-Foy").Orange, 0)
	})
	clause(t, "EM-16.3", "smoke is removed", func(t *testing.T) {
		g := begin(t, nil)
		u := named(t, g, "blue-34")
		g.Units[u].Smoke, g.Units[u].Fired = true, true
		played(t, g).endTurn()
		is(t, "it is ready to fire", g.fires(u), true)
	})
	clause(t, "EM-16.4", "the boxes of the commanders-in-chief are emptied", func(t *testing.T) {
		g := begin(t, nil)
		l := leaderNamed(t, g, "wellington")
		g.Leaders[l].Markers, g.Reserve[red] = 3, 23
		played(t, g).endTurn()
		is(t, "his box", g.Leaders[l].Markers, 0)
		is(t, "the reserve", g.Reserve[red], 26)
	})
	clause(t, "EM-16.5", "a general keeps 4", func(t *testing.T) {
		g := begin(t, nil)
		l := leaderNamed(t, g, "reille")
		g.Leaders[l].Markers, g.Leaders[l].Spent, g.Reserve[blue] = 6, 2, 30
		played(t, g).endTurn()
		is(t, "his box", g.Leaders[l].Markers, 4)
		is(t, "his own points are fresh", g.Leaders[l].Spent, 0)
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-16.6", "Ney keeps none", func(t *testing.T) {
		g := begin(t, map[string]string{"ney": "on"})
		l := leaderNamed(t, g, "ney")
		g.Leaders[l].Markers, g.Reserve[blue] = 2, 34
		played(t, g).endTurn()
		is(t, "his box", g.Leaders[l].Markers, 0)
	})
	clause(t, "EM-16.7", "enemies in contact are parted", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-7", 600_000, 330_000, 180})
		played(t, g).endTurn()
		is(t, "contact", g.contact(named(t, g, "blue-13"), named(t, g, "red-7")), false)
	})
	clause(t, "EM-16.8", "the counter advances, after the last turn the game is over", func(t *testing.T) {
		g := begin(t, nil)
		p := played(t, g)
		is(t, "over", p.endTurn(), false)
		is(t, "the turn", g.Turn, 2)
		g.Turn = 19
		is(t, "over after turn 19", p.endTurn(), true)
		g.Turn = 3
		g.Leaders[leaderNamed(t, g, "napoleon")] = leader{Gone: captured}
		is(t, "over without Napoleon", p.endTurn(), true)
	})
	clause(t, "EM-17.1", "captured double, off the field half and rounded down", func(t *testing.T) {
		g := begin(t, nil)
		for id, how := range map[string]fate{"red-1": captured, "red-2": eliminated, "red-33": offField, "hougoumont": eliminated} {
			g.Units[named(t, g, id)] = unit{Gone: how, By: blue}
		}
		want := 2*g.value(named(t, g, "red-1")) + g.value(named(t, g, "red-2")) + g.value(named(t, g, "red-33"))/2 + 30
		is(t, "units", g.lostUnits(blue), want)
		is(t, "half of 7", worth(7, offField), 3)
		l := leaderNamed(t, g, "picton")
		g.Leaders[l] = leader{Substitute: true, Gone: captured, Lost: []loss{{eliminated, blue}}}
		is(t, "Picton and his captured substitute", g.lostLeaders(blue), 18+12)
		is(t, "the coalition's", g.lostLeaders(red), 0)
	})
	clause(t, "EM-17.1", "a unit counts what its list says and what the game adds for its army", func(t *testing.T) {
		for game, adds := range map[string]int{"historical": 2, "short": 0, "free-deploy": -2} {
			g := begin(t, map[string]string{"game": game})
			of, guns := named(t, g, "red-1"), named(t, g, "hougoumont")
			is(t, "red-1 in "+game, g.value(of), g.def(of).vp+adds)
			is(t, "blue-1 in "+game, g.value(named(t, g, "blue-1")), g.def(named(t, g, "blue-1")).vp)
			is(t, "a garrison in "+game, g.value(guns), 30)
		}
	})
	clause(t, "EM-17.2", "objectives only where no enemy touches them", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "red's at the start", g.objectivePoints(red), 50)
		is(t, "blue's", g.objectivePoints(blue), 0)
		blues := g.Units[named(t, g, "blue-1")]
		blues.At = place{X: 405_000, Y: 289_000}
		g.Units[named(t, g, "blue-1")] = blues
		is(t, "red's with a blue unit at Hougoumont", g.objectivePoints(red), 20)
		g.Units[named(t, g, "blue-1")].At = place{X: 532_000, Y: 590_000}
		is(t, "blue's at Mont St. Jean", g.objectivePoints(blue), 30)
		g.Units[named(t, g, "red-1")].At = place{X: 571_000, Y: 635_000}
		is(t, "blue's with a red unit there", g.objectivePoints(blue), 0)
		withUnit := named(t, g, "black-18")
		g.Units[withUnit].At = place{X: 740_000, Y: 80_000}
		is(t, "black's at Planchenois", g.objectivePoints(black), 30)
		is(t, "the coalition's", g.score(red), 50+30)
	})
	clause(t, "EM-17.3", "equal totals are a draw", func(t *testing.T) {
		g := begin(t, nil)
		g.Units[named(t, g, "hougoumont")] = unit{}
		g.Units[named(t, g, "haye-sainte")] = unit{}
		is(t, "who has won", g.winner(), noArmy)
		g.Units[named(t, g, "red-1")] = unit{Gone: eliminated}
		is(t, "who has won", g.winner(), blue)
	})
	clause(t, "EM-18.1", "19 turns", func(t *testing.T) {
		g := begin(t, nil)
		same(t, "the turns", g.length().turns, []int{1, 19})
		g.Leaders[leaderNamed(t, g, "wellington")] = leader{Gone: captured}
		is(t, "who has won without Wellington", g.winner(), blue)
	})
	clause(t, "EM-18.2", "blue needs both towns, alone", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "short"})
		is(t, "who has won at the start", g.winner(), red)
		g.Units[named(t, g, "hougoumont")] = unit{Gone: eliminated}
		g.Units[named(t, g, "haye-sainte")] = unit{Gone: eliminated}
		is(t, "with the garrisons gone", g.winner(), red)
		g.Units[named(t, g, "blue-1")].At = place{X: 405_000, Y: 257_000}
		g.Units[named(t, g, "blue-2")].At = place{X: 576_000, Y: 366_000}
		is(t, "with a unit in each", g.winner(), blue)
		g.Units[named(t, g, "red-1")].At = place{X: 405_000, Y: 289_000}
		is(t, "with Hougoumont shared", g.winner(), red)
	})
	clause(t, "EM-18.3", "units, and losses on those that live; no generals, no objectives", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "free"})
		is(t, "blue's at the start", g.score(blue), 0)
		g.Units[named(t, g, "red-1")].Losses = 3
		g.Leaders[leaderNamed(t, g, "picton")] = leader{Gone: captured}
		is(t, "blue's", g.score(blue), 3)
		is(t, "red's", g.score(red), 0)
	})
	clause(t, "EM-18.4", "plus: towns held alone", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "free-plus"})
		before := g.townPoints(blue)
		g.Units[named(t, g, "blue-1")].At = place{X: 866_000, Y: 380_000}
		is(t, "Frichermont adds", g.townPoints(blue)-before, 5)
		is(t, "red's garrisons and Papelotte count", g.townPoints(red) >= 20, true)
	})
	clause(t, "EM-18.5", "black begins with corps IV, II and I follow, the first turn has no bids", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "ready-3p", "players": "3"})
		is(t, "the first turn", g.Turn, 8)
		is(t, "a die for the entry", g.entryRoll(), false)
		met, came := map[string]int{}, map[int][]string{}
		playTurns(t, 5, map[string]string{"game": "ready-3p", "players": "3"}, 3, func(v *View, d engine.Decision, _ *rand.Rand) engine.Answer {
			if v.Turn == 8 {
				met[d.Kind]++
			}
			if d.Kind == stopEntry {
				for _, c := range v.Entering {
					came[v.Turn] = append(came[v.Turn], v.corps[c-1].id)
				}
			}
			return declared.Default(v, d)
		})
		is(t, "bids in the first turn", met[stopBid], 0)
		for turn, id := range map[int]string{8: "black-IV", 9: "black-II", 10: "black-I"} {
			same(t, fmt.Sprint("who comes in turn ", turn), came[turn], []string{id})
		}
	})
	clause(t, "EM-18.6", "free deployment has no garrisons; three players count ten towns", func(t *testing.T) {
		g := begin(t, map[string]string{"game": "free-deploy-3p-plus", "players": "3"})
		is(t, "the garrison stands", g.on(named(t, g, "hougoumont")), false)
		is(t, "the seats", len(g.seats()), 3)
		before := g.townPoints(red)
		g.Units[named(t, g, "black-18")].At = place{X: 1_060_000, Y: 70_000}
		is(t, "Maransart adds", g.townPoints(red)-before, 10)
	})
}
