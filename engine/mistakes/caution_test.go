package mistakes

import (
	"slices"
	"testing"

	"berthier/engine"
)

// cautioned gives the kinds of what is odd in blue's manoeuvres.
func cautioned(t *testing.T, g *game, says string) []string {
	t.Helper()
	g.Phase, g.Order = manoeuvring, []army{blue, red}
	for i := range g.Formations {
		if g.army(g.Formations[i].Corps) == blue {
			g.Formations[i].Green = true
		}
	}
	g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 100_000, Y: 100_000}, place{X: 100_000, Y: 600_000}
	v, d := g.view("blue"), engine.Decision{Side: "blue", Kind: stopManoeuvres}
	a, faults := declared.Read(v, d, document(t, says))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var all []string
	for _, odd := range New().Cautions(v, d, a) {
		all = append(all, odd.Say.Code)
	}
	return all
}

// formationOf names the formation of a unit.
func formationOf(t *testing.T, g *game, id string) string {
	t.Helper()
	return g.of(named(t, g, id)).ID
}

// A charge is odd if three in four throws or more don't win it, whoever supports.
func TestCautionOfACharge(t *testing.T) {
	for _, c := range []struct {
		name   string
		by     string
		yellow int // of the target
		odd    bool
	}{
		{"regulars on veterans who fire", "blue-13", 0, true},
		{"on shaken ones", "blue-13", 1, false},
		{"recruits on shaken ones", "blue-20", 1, true},
	} {
		g := field(t, piece{c.by, 600_000, 300_000, 0}, piece{"red-20", 600_000, 420_000, 180})
		g.Units[named(t, g, "red-20")].Yellow = c.yellow
		got := cautioned(t, g, "[{formation: "+formationOf(t, g, c.by)+", charge: red-20}]")
		if slices.Contains(got, oddCharge) != c.odd {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A gun is odd that loses its guard to the orders where an enemy can charge it: not if it keeps
// one, nor if it had none, nor far from the enemy.
func TestCautionOfAGun(t *testing.T) {
	for _, c := range []struct {
		name string
		red  int64 // how far up its unit stands
		gun  int64 // and the gun
		says string
		odd  bool
	}{
		{"the guard leaves", 430_000, 300_000, "[{formation: blue-13, advance: {segments: 1}}]", true},
		{"nobody moves", 430_000, 300_000, "[]", false},
		{"it had none", 430_000, 200_000, "[{formation: blue-13, advance: {segments: 1}}]", false},
		{"the enemy is far", 700_000, 300_000, "[{formation: blue-13, advance: {segments: 1}}]", false},
	} {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-7", 640_000, c.red, 180})
		u := named(t, g, "blue-23")
		g.Units[u].At, g.Units[u].Heading = place{X: 622_500, Y: c.gun}, 0
		g.Formations = append(g.Formations, formation{ID: "blue-23", Corps: g.def(u).corps, Units: []unitID{u}})
		g.arrange()
		if got := cautioned(t, g, c.says); slices.Contains(got, oddGun) != c.odd {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A unit that moves is odd where an enemy can charge its flank or rear, and not where he can charge
// its front alone, nor one that has stood there before.
func TestCautionOfAFlank(t *testing.T) {
	for _, c := range []struct {
		name string
		foe  piece
		says string
		odd  bool
	}{
		{"an enemy abreast of where it ends", piece{"red-29", 680_000, 340_000, 270}, "[{formation: blue-13, advance: {mm: 70}}]", true},
		{"an enemy ahead", piece{"red-29", 600_000, 480_000, 180}, "[{formation: blue-13, advance: {mm: 40}}]", false},
		{"another moves", piece{"red-29", 720_000, 300_000, 270}, "[{formation: blue-15, advance: {mm: 10}}]", false},
	} {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-15", 300_000, 200_000, 0}, c.foe)
		if got := cautioned(t, g, c.says); slices.Contains(got, oddFlank) != c.odd {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// cautionsOf gives the kinds of what is odd in an answer.
func cautionsOf(t *testing.T, g *game, side engine.Side, kind, says string) []string {
	t.Helper()
	v, d := g.view(side), engine.Decision{Side: side, Kind: kind}
	a, faults := New().Read(v, d, document(t, says))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var all []string
	for _, odd := range New().Cautions(v, d, a) {
		all = append(all, odd.Say.Code)
	}
	return all
}

// A redeployment that leaves a gun alone before an enemy, or shows him a flank, is odd.
func TestCautionOfARedeployment(t *testing.T) {
	g := field(t, piece{"blue-28", 300_000, 130_000, 0}, piece{"blue-34", 322_500, 137_500, 0}, piece{"blue-29", 600_000, 130_000, 0}, piece{"red-7", 330_000, 240_000, 180}, piece{"red-8", 600_000, 240_000, 180})
	g.Phase, g.Order = ordering, []army{blue, red}
	g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 100_000, Y: 100_000}, place{X: 100_000, Y: 600_000}
	l := leaderNamed(t, g, "reille")
	g.Leaders[l].At, g.Leaders[l].Markers = place{X: 400_000, Y: 100_000}, 4
	of := formationOf(t, g, "blue-28")
	got := cautionsOf(t, g, "blue", stopOrders, "[{by: reille, redeploy: {"+of+": {28: {left: 40}}, new: {"+of+": [28], "+of+"-2: [34]}}}]")
	if !slices.Contains(got, oddGun) {
		t.Errorf("a gun that is left alone: %v", got)
	}
	got = cautionsOf(t, g, "blue", stopOrders, "[{by: reille, redeploy: {"+formationOf(t, g, "blue-29")+": {29: {turn: right 90}}}}]")
	if !slices.Contains(got, oddFlank) {
		t.Errorf("a flank that is shown: %v", got)
	}
}

// A charge out of sequence that loses three throws in four is odd.
func TestCautionOutOfSequence(t *testing.T) {
	g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-20", 600_000, 420_000, 180}, piece{"blue-28", 200_000, 100_000, 0})
	g.Phase, g.Order, g.Said = manoeuvring, []army{red, blue}, true
	g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 100_000, Y: 100_000}, place{X: 100_000, Y: 600_000}
	l := leaderNamed(t, g, "derlon")
	g.Leaders[l].At, g.Leaders[l].Markers = place{X: 620_000, Y: 260_000}, 4
	g.Reserve[blue] -= 4
	f := g.of(named(t, g, "red-20"))
	f.Green = true
	g.Moves = []move{{Of: f.ID, First: step{Does: withdrawing}}}
	g.owed = []engine.Decision{{Side: "blue", Kind: stopInterrupt}}
	got := cautionsOf(t, g, "blue", stopInterrupt, "{react: {units: [13], charge: red-20, pay: derlon}}")
	if !slices.Contains(got, oddCharge) {
		t.Errorf("regulars on veterans: %v", got)
	}
}

// So is a reinforcement.
func TestCautionOfAReinforcement(t *testing.T) {
	g := field(t, piece{"blue-28", 555_000, 390_000, 0}, piece{"red-20", 600_000, 420_000, 180}, piece{"red-21", 570_000, 420_000, 180}, piece{"blue-13", 600_000, 361_000, 0})
	one := func(id string) unitID { return named(t, g, id) }
	g.Phase, g.Order = fighting, []army{blue, red}
	g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 100_000, Y: 100_000}, place{X: 100_000, Y: 600_000}
	g.Combat = &combat{Attacker: one("blue-28"), Defender: one("red-21"), Step: reinforceAttack, Stage: atAnswered, Asks: []ask{{blue, askReserves}}}
	g.Combat.First = [2][]unitID{{one("blue-28")}, {one("red-20"), one("red-21")}}
	for _, id := range []string{"blue-28", "red-20", "red-21"} {
		g.Combat.Took, g.Combat.Involved = append(g.Combat.Took, record{Unit: one(id)}), append(g.Combat.Involved, one(id))
	}
	got := cautionsOf(t, g, "blue", stopReinforce, "{reinforce: {formation: "+formationOf(t, g, "blue-13")+", charge: red-20}}")
	if !slices.Contains(got, oddCharge) {
		t.Errorf("regulars on veterans: %v", got)
	}
}
