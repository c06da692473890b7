package mistakes

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/orders/phrase"
)

// What order files say at the stop manoeuvres is read as it is meant, or refused for its reason.
func TestManoeuvreFiles(t *testing.T) {
	g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-15", 800_000, 300_000, 90}, piece{"red-7", 600_000, 400_000, 180})
	g.Phase, g.Order = manoeuvring, []army{blue, red}
	a, b := g.of(named(t, g, "blue-13")).ID, g.of(named(t, g, "blue-15")).ID
	g.formationNamed(a).Green = true
	for _, c := range []struct{ says, want string }{
		{"[{formation: " + a + ", advance: {segments: 2}}]", "[{formation: " + a + ", advance: {segments: 2}}]"},
		{"[{formazione: " + a + ", avanza: {ruota: destra 20, mm: 12}}]", "[{formation: " + a + ", advance: {wheel: right 20, mm: 12}}]"},
		{"[{formation: " + a + ", advance: {towards: Red 7, as-far-as: aoe}}]", "[{formation: " + a + ", advance: {towards: red-7, as-far-as: aoe}}]"},
		{"[{formation: " + a + ", advance: {towards: Haye Sainte}}]", "[{formation: " + a + ", advance: {towards: haye-sainte}}]"},
		{"[{formation: " + a + ", advance: {heading: ne, level-with: red-7}}]", "[{formation: " + a + ", advance: {heading: 45, level-with: red-7}}]"},
		{"[{formation: " + a + ", advance: {towards: [500, 310]}}]", "[{formation: " + a + ", advance: {towards: [500, 310]}}]"},
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

// answered gives the seat that is asked an answer, as a file has it, and what is owed then. The
// first dice are those that are given, the others fall by chance.
func answered(t *testing.T, g *game, side engine.Side, says string, rolls ...int) []engine.Decision {
	t.Helper()
	p := &battlefield{game: g}
	p.Dice = &loaded{rolls, chance{rand.New(rand.NewPCG(1, 2))}}
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
	same(t, "what can't be", g.flaws(), nil)
	again, faults := load(g.marshal())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	is(t, "the position read back", string(again.marshal()), string(g.marshal()))
	return g.Owed()
}

// loaded are dice that fall as they are given, then by chance.
type loaded struct {
	first []int
	then  chance
}

// Roll implements [engine.Dice].
func (l *loaded) Roll(sides int, why phrase.Phrase) int {
	if len(l.first) == 0 {
		return l.then.Roll(sides, why)
	}
	n := l.first[0]
	l.first = l.first[1:]
	return n
}

// openField has two units of each army, both commanders-in-chief far away, and blue's manoeuvres to
// come, which red may interrupt: Orange is with his unit.
func openField(t *testing.T, markers int) *game {
	t.Helper()
	g := field(t, piece{"blue-13", 600_000, 300_000, 0}, piece{"blue-15", 800_000, 300_000, 90}, piece{"red-7", 900_000, 600_000, 180},
		piece{"red-1", 600_000, 420_000, 180})
	g.Phase, g.Order = manoeuvring, []army{blue, red}
	g.of(named(t, g, "blue-13")).Green = true
	g.Leaders[g.chief(blue)].At, g.Leaders[g.chief(red)].At = place{X: 100_000, Y: 100_000}, place{X: 100_000, Y: 600_000}
	l := leaderNamed(t, g, "orange")
	g.Leaders[l].Attached, g.Leaders[l].Markers = named(t, g, "red-1"), markers
	g.Reserve[red] -= markers
	return g
}

// A free leader whom a unit rides over and does not catch is placed by his player (EM-13.4, stop
// EM-S23).
func TestEscape(t *testing.T) {
	for _, c := range []struct {
		says string
		want place
	}{{"{escape: {hill: [640, 390]}}", place{X: 640_000, Y: 390_000}}, {"default", place{X: 600_000, Y: 370_000}}} {
		g := openField(t, 0)
		hill := leaderNamed(t, g, "hill")
		g.Leaders[hill].At, g.Leaders[hill].Markers = place{X: 600_000, Y: 355_000}, 1
		g.Reserve[red]--
		u := named(t, g, "red-1")
		g.Units[u].At = place{X: 100_000, Y: 500_000}
		f := g.of(named(t, g, "blue-13")).ID
		asked := answered(t, g, "blue", "[{formation: "+f+", advance: {mm: 60}}]", 6)
		same(t, "who is asked", asked, []engine.Decision{{Side: "red", Kind: stopEscape}})
		d := asked[0]
		is(t, "61 mm", file(t, g, d, "{escape: {hill: [600, 416]}}"), "em.escape-far")
		is(t, "onto a unit", file(t, g, d, "{escape: {hill: [600, 350]}}"), "em.leader-no-room")
		is(t, "another", file(t, g, d, "{escape: {orange: [600, 390]}}"), "em.escape-not")
		if c.says == "default" {
			x := g.Fleeing[0]
			at, _ := g.escapePlace(x)
			c.want = place(at)
			is(t, "away", x.Away, 180)
		}
		answered(t, g, "red", c.says)
		is(t, "where he stands", g.Leaders[hill].At, c.want)
		is(t, "his markers", g.Leaders[hill].Markers, 1)
	}
}

// Before a manoeuvre an enemy who comes later and can pay may act, as often as he likes; who can't
// pay isn't asked, and what he does may stop the manoeuvre (EM-9.11).
func TestInterruption(t *testing.T) {
	clause(t, "EM-9.11", "who can't pay is not asked", func(t *testing.T) {
		g := openField(t, 3)
		f := g.of(named(t, g, "blue-13")).ID
		asked := answered(t, g, "blue", "[{formation: "+f+", advance: {mm: 20}}]")
		if slices.ContainsFunc(asked, func(d engine.Decision) bool { return d.Kind == stopInterrupt }) {
			t.Errorf("%v is owed", asked)
		}
		is(t, "the advance", g.Units[named(t, g, "blue-13")].At.Y, 320_000)
	})
	clause(t, "EM-9.11", "4 CP for a unit, before the manoeuvre that is declared", func(t *testing.T) {
		g := openField(t, 7)
		f, u, e := g.of(named(t, g, "blue-13")).ID, named(t, g, "blue-13"), named(t, g, "red-1")
		asked := answered(t, g, "blue", "[{formation: "+f+", charge: red-1, else: {advance: {mm: 10}}}]")
		same(t, "who is asked", asked, []engine.Decision{{Side: "red", Kind: stopInterrupt}})
		is(t, "what red sees", len(g.view("red").Moves), 1)
		is(t, "what is ordered else", g.view("red").Moves[0].Else.Does == 0, true)
		d := asked[0]
		told := New().Template(g.view("red"), d)
		text := told.In("en", vocabulary).Encode()
		is(t, "what red is told", strings.Contains(text, "declared: "+f+" charges red-1 Maitland, Guards, heading 0,"), true)
		is(t, "and of the rest of the list", strings.Contains(text, "mm: 10"), false)
		is(t, "the enemy's unit", file(t, g, d, "{react: {units: [blue-13], withdraw: all, pay: orange}}"), "em.react-units")
		is(t, "a leader without points", file(t, g, d, "{react: {units: [red-7], withdraw: all, pay: picton}}"), "em.order-not-his")
		is(t, "nobody", file(t, g, d, "{react: {units: [], withdraw: all}}"), "em.react-nobody")
		is(t, "two formations", file(t, g, d, "{react: {units: [red-1, red-7], withdraw: all}}"), "em.react-units")
		is(t, "two headings", file(t, g, d, "{react: {units: [red-1], advance: {wheel: left 5, heading: n}, pay: orange}}"), "em.turn-two")
		is(t, "the payer is found", file(t, g, d, "{react: {units: [red-1], withdraw: all}}"), "react: {units: [red-1], withdraw: all, pay: orange}")
		asked = answered(t, g, "red", "{react: {units: [red-1], withdraw: all}}")
		is(t, "the withdrawal", g.Units[e].At.Y > 420_000, true)
		is(t, "his markers, which the charge takes", g.Leaders[leaderNamed(t, g, "orange")].Markers, 0)
		is(t, "it has moved", g.of(e).Manoeuvred, true)
		is(t, "and is not moving", g.of(e).Green, false)
		if slices.ContainsFunc(asked, func(d engine.Decision) bool { return d.Kind == stopInterrupt }) {
			t.Errorf("nobody else of the corps can act, but %v is owed", asked)
		}
		is(t, "the charge", g.Units[u].At.Y > 310_000, true)
	})
	clause(t, "EM-9.11", "a redeployment out of sequence", func(t *testing.T) {
		g := openField(t, 7)
		f, u, e := g.of(named(t, g, "blue-13")).ID, named(t, g, "blue-13"), named(t, g, "red-1")
		d := answered(t, g, "blue", "[{formation: "+f+", advance: {mm: 20}}]")[0]
		of := g.of(e).ID
		is(t, "with another verb", file(t, g, d, "{react: {units: [red-1], redeploy: {"+of+": {red-1: {back: 20}}}, withdraw: all}}"), "em.react-one")
		is(t, "another's unit", file(t, g, d, "{react: {units: [red-1], redeploy: {"+of+": {blue-13: {back: 20}}}}}"), "em.order-unit")
		is(t, "too far", file(t, g, d, "{react: {units: [red-1], redeploy: {"+of+": {red-1: {back: 61}}}}}"), "em.redeploy-far")
		is(t, "back", file(t, g, d, "{reagisci: {unità: [red-1], rischiera: {"+of+": {red-1: {arretra: 20, gira: destra 30}}}}}"),
			"react: {units: [red-1], redeploy: {"+of+": {red-1: {back: 20, turn: right 30}}}, pay: orange}")
		at := g.Units[e].At
		answered(t, g, "red", "{react: {units: [red-1], redeploy: {"+of+": {red-1: {back: 20, turn: right 30}}}}}")
		is(t, "where it is", g.Units[e].At, place{X: at.X, Y: at.Y + 20_000})
		is(t, "its heading", g.Units[e].Heading, 210)
		is(t, "his markers", g.Leaders[leaderNamed(t, g, "orange")].Markers, 3)
		is(t, "the advance", g.Units[u].At.Y, 320_000)
	})
	clause(t, "EM-9.11", "a charge whose target has gone is made else", func(t *testing.T) {
		g := openField(t, 4)
		f, e := g.of(named(t, g, "blue-13")).ID, named(t, g, "red-1")
		g.Units[e].At, g.Units[named(t, g, "blue-13")].At = place{X: 600_000, Y: 425_000}, place{X: 600_000, Y: 288_000}
		asked := answered(t, g, "blue", "[{formation: "+f+", charge: red-1, else: {advance: {mm: 10}}}]")
		same(t, "who is asked", asked, []engine.Decision{{Side: "red", Kind: stopInterrupt}})
		answered(t, g, "red", "{react: {units: [red-1], withdraw: all}}")
		is(t, "what blue did", g.Units[named(t, g, "blue-13")].At.Y, 298_000)
	})
}
