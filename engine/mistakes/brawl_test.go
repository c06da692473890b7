package mistakes

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"berthier/engine"
)

// lines are two armies face to face, in formations of up to four units of a corps, abreast or in
// column, so near that most can charge.
func lines(r *rand.Rand) []piece {
	blueUnits := [][]int{{13, 14, 15, 16}, {28, 29, 30, 34}, {32, 33, 35}, {17, 18, 19}, {1, 2, 10, 12}, {43, 44, 47}, {21, 20}, {48, 49}}
	redUnits := [][]int{{1, 2, 3}, {28, 29}, {5, 6, 10}, {20, 21, 27}, {30, 31, 40}, {7, 8, 9}, {33, 34, 35}, {12, 13, 19}}
	var all []piece
	place := func(army string, groups [][]int, front int64, heading int) {
		back := int64(-1)
		if heading == 180 {
			back = 1
		}
		for i, units := range groups {
			x, y := 130_000+int64(i)*125_000+int64(r.IntN(20_000)), front+back*int64(r.IntN(25_000))
			for k, n := range units[:1+r.IntN(len(units))] {
				at := piece{unit: army + "-" + strconv.Itoa(n), x: x, y: y, heading: heading}
				if k%2 == 1 {
					at.x += 30_000
				}
				at.y += back * int64(k/2) * 30_000
				all = append(all, at)
			}
		}
	}
	place("blue", blueUnits, 250_000, 0)
	place("red", redUnits, 300_000+int64(r.IntN(50_000)), 180)
	return all
}

// Charges and combats by chance, with every pause written and read back, leave positions that can
// be: no two pieces overlap after any event.
func TestCombatsLeaveSoundPositions(t *testing.T) {
	steps := map[decision]int{}
	for seed := range samples(6, 16) {
		r := rand.New(rand.NewPCG(seed, 15))
		g := field(t, lines(r)...)
		g.Order = []army{blue, red}
		g.Placed = []corpsID{corpsNamed(t, g, "black-IV")}
		for _, l := range []string{"orange", "reille", "picton", "derlon"} {
			id := leaderNamed(t, g, l)
			for _, u := range g.standing() {
				if g.mayAttach(id, u) && r.IntN(3) == 0 {
					g.Leaders[id].Attached = u
					break
				}
			}
		}
		if all := g.flaws(); len(all) > 0 {
			t.Fatalf("seed %d begins with %v", seed, all)
		}
		p := &battlefield{game: g}
		p.Dice = chance{r}
		stood := slices.Clone(p.Units)
		for turn := range 3 {
			for range 6 {
				p.assault(r)
				p.wander(r)
				if all := p.flaws(); len(all) > 0 {
					t.Fatalf("seed %d, turn %d: %v\n%s", seed, turn, all, p.marshal())
				}
			}
			for what, n := range p.brawls(r) {
				steps[what] += n
			}
			if all := p.flaws(); len(all) > 0 {
				t.Fatalf("seed %d, turn %d, after combats: %v\n%s", seed, turn, all, p.marshal())
			}
			if len(p.standing()) < 2 {
				break
			}
			p.endTurn()
		}
		for _, u := range p.standing() {
			if p.Units[u].At != stood[u].At && !toldToMove(p, u) {
				t.Errorf("seed %d: no event moves %s from %v to %v", seed, p.def(u).id, stood[u].At, p.Units[u].At)
			}
		}
	}
	for _, what := range []decision{askSupport, askReroll, askLosses, askPursuit, askCounter, askReserves, askKeep, askToll} {
		if steps[what] == 0 {
			t.Errorf("no combat asked %d: %v", what, steps)
		}
	}
}

// toldToMove says whether an event that moves units leaves an arrow for one of them.
func toldToMove(p *battlefield, u unitID) bool {
	moving := []string{"em.moved", "em.backs", "em.withdraws", "em.steps-aside", "em.gun-defended", "em.redeployed"}
	return slices.ContainsFunc(p.Events, func(e engine.Event) bool {
		say := e.Tellings[0].Say
		return slices.Contains(moving, say.Code) && slices.ContainsFunc(tracesOf("blue", say), func(x engine.Trace) bool { return slices.Contains(x.Of, p.def(u).id) })
	})
}

// brawls fights all combats out, army by army, and counts what was asked.
func (p *battlefield) brawls(r *rand.Rand) map[decision]int {
	asked := map[decision]int{}
	for _, a := range []army{blue, red, black} {
		for all := p.openings(a); len(all) > 0; all = p.openings(a) {
			o := all[r.IntN(len(all))]
			p.engage(o.attacker, slices.Max(o.against))
			for asks := p.fight(); len(asks) > 0; asks = p.fight() {
				p.reload()
				one := asks[r.IntN(len(asks))]
				asked[one.What]++
				p.answers(r, one.Army, one.What)
			}
		}
	}
	return asked
}

// reload writes the position and goes on with what is read back.
func (p *battlefield) reload() {
	again, faults := load(p.marshal())
	if len(faults) > 0 {
		panic(faults)
	}
	p.game = again
}
