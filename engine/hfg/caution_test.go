package hfg

import (
	"slices"
	"testing"

	"berthier/engine"
)

// cautioned gives what is odd in red's moves.
func cautioned(t *testing.T, g *game, says string) []engine.Caution {
	t.Helper()
	g.Phase, g.Commands[first].Score = moving, 6
	v, d := g.view("red"), engine.Decision{Side: "red", Kind: stopTurn}
	a, faults := declared.Read(v, d, document(t, says))
	if len(faults) > 0 {
		t.Fatalf("%s: %v", says, faults)
	}
	return New().Cautions(v, d, a)
}

// oddCodes are the sentences of what is odd.
func oddCodes(all []engine.Caution) []string {
	var codes []string
	for _, c := range all {
		codes = append(codes, c.Say.Code)
	}
	return codes
}

// wantOdd holds that a kind of caution is told of moves, or is not.
func wantOdd(t *testing.T, name, code string, g *game, says string, want bool) {
	t.Helper()
	if got := oddCodes(cautioned(t, g, says)); slices.Contains(got, code) != want {
		t.Errorf("%s: %v", name, got)
	}
}

// A move is odd that ends in the open within charge reach of an enemy who has much better factors: guns
// before cavalry, infantry that shows it its flank; not in a wood, nor where he would charge a front of
// bayonets, nor out of his reach, nor where he isn't known.
func TestCautionOfTheOpen(t *testing.T) {
	gun := func(foe piece, ground ...areaDef) *game {
		return fieldOn(t, &setting{year: 1809, areas: ground}, piece{"r1", smoothbore, 4000, 3000, 0, nil}, piece{"r0", hq, 4000, 2000, 0, nil}, foe)
	}
	horse := piece{"b1", cuirassiers, 4000, 3900, 180, nil}
	const ahead = "{moves: [{element: r1, forward: 400}]}"
	wantOdd(t, "guns before cuirassiers", oddOpen, gun(horse), "{moves: [{element: r1, forward: 350, facing: 90}]}", true)
	wantOdd(t, "nobody moves", oddOpen, gun(horse), "default", false)
	wantOdd(t, "out of reach", oddOpen, gun(piece{"b1", cuirassiers, 4000, 4700, 180, nil}), ahead, false)
	wantOdd(t, "into a wood", oddOpen, gun(horse, octagon("wood", wood, 4000, 3400, 1200, 900)), "{moves: [{element: r1, forward: 200}]}", false)
	unknown := gun(horse)
	unknown.Elements[named(t, unknown, "b1")].Concealed = true
	wantOdd(t, "whom nobody knows", oddOpen, unknown, "{moves: [{element: r1, forward: 350, facing: 90}]}", false)
	foot := func(facing int) *game {
		return field(t, 1809, piece{"r1", bayonets, 4000, 2700, facing, nil}, piece{"r0", hq, 4000, 2000, 0, nil}, horse)
	}
	wantOdd(t, "bayonets with their front to him", oddOpen, foot(0), ahead, false)
	c := cautioned(t, gun(horse), "{moves: [{element: r1, forward: 350, facing: 90}]}")
	is(t, "it waits for a second look", len(c) > 0 && c[0].Holds && c[0].Clause == "HFG-11.2" && c[0].Kind == "open", true)
}

// Guns are odd that lose their target to friends before them, or that come to stand behind friends; not
// those that had none, nor those whose target has gone.
func TestCautionOfAMaskedGun(t *testing.T) {
	line := func(gunAt, footAt int64) *game {
		return field(t, 1809, piece{"r1", smoothbore, 4000, gunAt, 0, nil}, piece{"r2", bayonets, 4000, footAt, 0, nil}, piece{"r3", bayonets, 4450, 3050, 0, nil},
			piece{"r0", hq, 4000, 1900, 0, nil}, piece{"b1", muskets, 4000, 4000, 180, nil})
	}
	wantOdd(t, "a friend steps before it", oddMasked, line(3000, 1500), "{moves: [{element: r3, to: [4100, 3400]}]}", true)
	wantOdd(t, "beside it", oddMasked, line(3000, 1500), "{moves: [{element: r3, forward: 100}]}", false)
	wantOdd(t, "it was masked already", oddMasked, line(2700, 3000), "{moves: [{element: r3, forward: 100}]}", false)
	wantOdd(t, "it comes to stand behind them", oddMasked, line(2400, 3000), "{moves: [{element: r1, forward: 200}]}", true)
	c := cautioned(t, line(3000, 1500), "{moves: [{element: r3, to: [4100, 3400]}]}")
	is(t, "who stands there", len(c) == 1 && c[0].Say.Args[1].Value.Text == "r3" && c[0].Holds, true)
}

// Elements are odd that leave the reach of their general, or are left by him: one caution a command; not
// those that were out of it before.
func TestCautionOfCommand(t *testing.T) {
	apart := func(general int64) *game {
		return field(t, 1809, piece{"r1", lightCavalry, 4000, 3000, 0, nil}, piece{"r2", lightCavalry, 4400, 3000, 0, nil}, piece{"r0", commandParty, 4200, general, 0, nil},
			piece{"b1", muskets, 4000, 5500, 180, nil})
	}
	wantOdd(t, "they ride off", oddLoose, apart(2500), "{moves: [{group: [r1, r2], advance: 1000}]}", true)
	for says, want := range map[string]int{
		"{moves: [{element: r1, forward: 1000}]}": 1, "{moves: [{element: r1, forward: 1000}, {element: r2, forward: 1000}]}": 2,
		"{moves: [{element: r0, back: 1200}]}": 2, "{moves: [{element: r1, forward: 200}]}": 0,
		"{moves: [{element: r1, forward: 1000}, {element: r0, forward: 900}]}": 0,
	} {
		n := 0
		for _, c := range cautioned(t, apart(2500), says) {
			if c.Say.Code == oddLoose {
				n += len(c.Say.Args[0].Value.List)
				is(t, "counts at once", c.Holds, false)
			}
		}
		is(t, says, n, want)
	}
	wantOdd(t, "out of it before", oddLoose, apart(1000), "{moves: [{element: r1, forward: 200}]}", false)
}
