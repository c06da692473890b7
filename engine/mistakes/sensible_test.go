package mistakes

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// duels plays games of a fair player of a side against chance, and counts those that he wins.
func duels(t *testing.T, side engine.Side, games int) (wins int) {
	t.Helper()
	for i := range games {
		r, err := (playout.Game{Rules: New(), Seed: uint64(i), Choose: rulestest.Versus(func(s engine.Side) bool { return s == side })}).Play()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(r.Outcome.Winners, []engine.Side{side}) {
			wins++
		}
	}
	return wins
}

// A fair player of either side beats chance in nine games of ten.
func TestSensibleBeatsRandom(t *testing.T) {
	games := 1
	if rulestest.FullSamples() {
		games = 10
	}
	for _, side := range []engine.Side{"red", "blue"} {
		if wins := duels(t, side, games); 10*wins < 9*games {
			t.Errorf("%s wins %d of %d against chance", side, wins, games)
		}
	}
}

// Whatever a fair player answers is legal.
func TestSensibleIsLegal(t *testing.T) {
	for i, one := range setups[1:2] {
		if _, err := (playout.Game{Rules: New(), Setup: one.Setup, Seed: uint64(i), Choose: engine.Ruleset.Sensible}).Play(inOrder()); err != nil {
			t.Error(err)
		}
	}
}

// A fair player draws his army up for battle where there is no time to march up, and else in the rows of the deadline.
func TestSensibleDeploys(t *testing.T) {
	for game, forward := range map[string]bool{"free-deploy-3p": true, "free-deploy": false} {
		rolls := []int{3, 3} // for markers
		if forward {
			rolls = nil // black enters first
		}
		g := begin(t, map[string]string{"game": game})
		if err := played(t, g).advance(nil); err != nil {
			t.Fatal(err)
		}
		answers := map[engine.Side]engine.Answer{}
		for _, d := range g.Owed() {
			v := g.view(d.Side)
			answers[d.Side] = reread(t, v, d, declared.Sensible(v, d, nil))
		}
		if err := played(t, g, rolls...).advance(answers); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"blue-17", "red-3"} {
			u := named(t, g, id)
			is(t, game+": "+id+" stands where the set-up has it", g.Units[u].At == g.def(u).at, forward)
		}
	}
}

// An army is unwary whose generals hold fewer markers than they are, from the second turn on.
func TestUnwary(t *testing.T) {
	g := begin(t, map[string]string{"game": "short"})
	is(t, "in the first turn", g.unwary(blue), false)
	g.Turn++
	is(t, "without markers", g.unwary(blue), true)
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if g.lead(l).army == red && g.lead(l).role == general {
			g.Leaders[l].Markers = 1
		}
	}
	is(t, "with one each", g.unwary(blue), false)
	is(t, "blue has none", g.unwary(red), true)
}

// Whoever has a commander-in-chief with him goes no nearer to an enemy who is near.
func TestSensibleKeepsTheChiefBack(t *testing.T) {
	g := begin(t, map[string]string{"game": "short"})
	f := g.of(named(t, g, "red-3"))
	is(t, "without him", planOf(g).escorts(f), false)
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if g.lead(l).id == "wellington" {
			g.Leaders[l].Attached, g.Leaders[l].At = f.Units[0], place{}
		}
	}
	is(t, "no enemy near", planOf(g).escorts(f), false)
	g.Units[named(t, g, "blue-28")].At = place{X: g.Units[f.Units[0]].At.X, Y: g.Units[f.Units[0]].At.Y - 200_000}
	is(t, "an enemy near", planOf(g).escorts(f), true)
}

// stormed is the short game in turn VI, with the garrison of Haye Sainte gone, some units at other places, and their formations moving.
func stormed(t *testing.T, pieces ...piece) *game {
	t.Helper()
	g := begin(t, map[string]string{"game": "short"})
	g.Phase, g.Order, g.Turn = ordering, []army{blue, red}, 6
	g.Units[named(t, g, "haye-sainte")] = unit{Gone: eliminated}
	moved := map[unitID]bool{}
	for _, p := range pieces {
		u := named(t, g, p.unit)
		g.Units[u].At, g.Units[u].Heading, moved[u] = place{X: p.x, Y: p.y}, p.heading, true
		g.of(u).Green = true
	}
	for i := range g.Formations {
		if f := &g.Formations[i]; f.Green {
			f.Units = slices.DeleteFunc(f.Units, func(u unitID) bool {
				if !moved[u] {
					g.Units[u] = unit{Gone: eliminated}
				}
				return !moved[u]
			})
		}
	}
	for l := leaderID(1); int(l) < len(g.Leaders); l++ {
		if d := g.lead(l); d.role == general && g.inField(l) {
			g.Leaders[l].Markers = 2
			g.Reserve[d.army] -= 2
		}
	}
	if all := g.flaws(); len(all) > 0 {
		t.Fatal(all)
	}
	return g
}

// Who engages whoever comes into a town bars it, once its garrison is gone: a fair player charges him as he would the garrison, and
// his guns save their fire for him.
func TestSensibleThrowsBackWhoBarsATown(t *testing.T) {
	for _, one := range []struct {
		what string
		y    int64
		bars bool
	}{{"30 mm from the town", 420_000, true}, {"some more", 440_000, false}} {
		g := stormed(t, piece{"red-20", 576_000, one.y, 180})
		p, bar, gun := planOf(g), named(t, g, "red-20"), named(t, g, "blue-9")
		g.Units[named(t, g, "red-39")].At = place{X: 700_000, Y: 600_000}
		is(t, one.what+": touches it", p.intrudes(bar), false)
		is(t, one.what+": bars it", p.bars(bar), one.bars)
		is(t, one.what+": the guns save their fire", p.saves(gun), one.bars)
		is(t, one.what+": distraction", p.distraction(g.of(named(t, g, "blue-13")).Units, bar) == distracted, !one.bars)
		g.Units[named(t, g, "haye-sainte")] = g.setUp(named(t, g, "haye-sainte"))
		is(t, one.what+": bars what a garrison holds", p.bars(bar), false)
	}
}

// Who isn't kept moving stands and may be passed: so three that have come to bar each other's way in one turn don't in the next.
func TestSensibleGoesPastWhoIsNotKeptMoving(t *testing.T) {
	g := stormed(t, piece{"blue-36", 573_862, 311_338, 9}, piece{"blue-14", 607_663, 316_852, 350}, piece{"blue-28", 541_129, 302_825, 12}, piece{"blue-29", 534_641, 273_535, 12})
	is(t, "where all move none has a way", planOf(g).prospect(g.of(named(t, g, "blue-36"))), 0)
	v, d := g.view("blue"), engine.Decision{Side: "blue", Kind: stopOrders}
	ordered := reread(t, v, d, declared.Sensible(v, d, nil)).Orders().Encode()
	is(t, "the first is kept moving: "+ordered, strings.Contains(ordered, "keep-moving: b-Lobau"), true)
}
