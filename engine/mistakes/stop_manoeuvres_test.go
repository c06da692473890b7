package mistakes

import (
	"testing"

	"berthier/engine"
)

// What order files say at the stop manoeuvres is read as it is meant, or refused for its reason.
func TestManoeuvreFiles(t *testing.T) {
	g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-15", 800_000, 300_000, 90}, piece{"red-7", 600_000, 400_000, 180})
	g.Phase, g.Order = manoeuvring, []army{blue, red}
	a, b := g.of(named(t, g, "blue-13")).ID, g.of(named(t, g, "blue-15")).ID
	g.formationNamed(a).Green = true
	for _, c := range []struct{ says, want string }{
		{"[{formation: " + a + ", advance: {segments: 2}}]", "[{formation: " + a + ", advance: {segments: 2}}]"},
		{"[{formazione: " + a + ", avanza: {ruota: destra 20, mm: 12.5}}]", "[{formation: " + a + ", advance: {wheel: right 20, mm: 12.5}}]"},
		{"[{formation: " + a + ", advance: {towards: Red 7, as-far-as: aoe}}]", "[{formation: " + a + ", advance: {towards: red-7, as-far-as: aoe}}]"},
		{"[{formation: " + a + ", advance: {towards: Haye Sainte}}]", "[{formation: " + a + ", advance: {towards: haye-sainte}}]"},
		{"[{formation: " + a + ", advance: {heading: ne, level-with: red-7}}]", "[{formation: " + a + ", advance: {heading: 45, level-with: red-7}}]"},
		{"[{formation: " + a + ", advance: {towards: [500, 310.5]}}]", "[{formation: " + a + ", advance: {towards: [500, 310.5]}}]"},
		{"[{formation: " + a + ", charge: red-7, else: {advance: {as-far-as: aoe}}}]", "[{formation: " + a + ", charge: red-7, else: {advance: {as-far-as: aoe}}}]"},
		{"[{formation: " + a + ", withdraw: all}]", "[{formation: " + a + ", withdraw: all}]"},
		{"[{formation: " + a + ", charge: red-7, heading: 90}]", "em.charge-short"},
		{"[{formation: " + a + ", advance: {heading: s}}]", "em.turn-most"},
		{"[{formation: " + a + ", advance: {wheel: up 20}}]", "em.wheel"},
		{"[{formation: " + a + ", advance: {wheel: left 20, towards: red-7}}]", "em.turn-two"},
		{"[{formation: " + a + ", advance: {wheel: right 90, as-far-as: aoe}}]", "em.no-area"},
		{"[{formation: " + a + ", withdraw: {wheel: left 20}}]", "em.withdraw-straight"},
		{"[{formation: " + a + ", advance: all, charge: red-7}]", "em.manoeuvre-one"},
		{"[{formation: " + a + ", wheel: left 5, advance: all}]", "em.turn-inside"},
		{"[{formation: " + b + ", advance: all}]", "em.manoeuvre-still"},
		{"[{formation: " + a + ", advance: {segments: 1}}, {formation: " + a + ", advance: all}]", "em.manoeuvre-done"},
	} {
		is(t, c.says, file(t, g, engine.Decision{Side: "blue", Kind: stopManoeuvres}, c.says), c.want)
	}
}

// The owner of a limbered gun that is charged in 3.3 is asked before the charge goes home; if he
// has it stand it is captured (EM-10.13).
func TestChargedGunAsks(t *testing.T) {
	for _, c := range []struct{ says, want string }{{"stand", "captured"}, {"{red-10: back}", "no"}} {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"red-10", 600_000, 430_000, 180})
		gun := named(t, g, "red-10")
		g.Units[gun].Limber = behind
		g.Phase, g.Order = manoeuvring, []army{blue, red}
		f := g.of(named(t, g, "blue-13"))
		f.Green = true
		g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 100_000, Y: 100_000}, place{X: 100_000, Y: 600_000}
		asked := answered(t, g, "blue", "[{formation: "+f.ID+", charge: red-10}]")
		same(t, "who is asked", asked, []engine.Decision{{Side: "red", Kind: stopLimberedGun}})
		again, faults := load(g.marshal())
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		is(t, "the position read back", string(again.marshal()), string(g.marshal()))
		answered(t, again, "red", c.says)
		is(t, "what becomes of the gun", fateWords[again.Units[gun].Gone], c.want)
	}
}

// answered gives the seat that is asked an answer, as a file has it, and what is owed then.
func answered(t *testing.T, g *game, side engine.Side, says string) []engine.Decision {
	t.Helper()
	p := played(t, g)
	if len(g.owed) == 0 {
		if err := p.advance(nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(g.owed) != 1 || g.owed[0].Side != side {
		t.Fatalf("%v is owed", g.owed)
	}
	a, faults := declared.Read(g.view(side), g.owed[0], document(t, says))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if err := p.advance(map[engine.Side]engine.Answer{side: a}); err != nil {
		t.Fatal(err)
	}
	return g.Owed()
}
