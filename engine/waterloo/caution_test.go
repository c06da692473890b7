package waterloo

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders"
)

// drillRound is the drill ground with a round of a camp under way.
func drillRound(t *testing.T, c camp, options map[string]string) *game {
	t.Helper()
	position, err := New().New(engine.Setup{Scenario: "drill", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	g := position.(*game)
	active := french
	if c == alliedCamp {
		active = anglo
	}
	g.Turn = 4
	g.Flow = []frame{&turnFrame{Stage: turnRounds, First: c, Next: c}, &roundFrame{Camp: c, Army: active, Stage: roundSteps, Lock: noArmy}}
	for i := range g.Units {
		g.Units[i] = unit{}
	}
	for a := french; a <= prussian; a++ {
		g.Decks[a] = deck{}
	}
	g.asks = nil
	g.ask(g.seatOf(active), stopRound, "")
	return g
}

// unitCalled finds a unit by its id.
func (s *scenario) unitCalled(t *testing.T, id string) unitID {
	t.Helper()
	for i := range s.roster {
		if s.roster[i].id == id {
			return unitID(i + 1)
		}
	}
	t.Fatalf("no unit %s", id)
	return 0
}

// stand puts a unit on the board.
func (g *game) stand(t *testing.T, id, at string, face facing) unitID {
	t.Helper()
	u := g.unitCalled(t, id)
	q, ok := g.squareNamed(at)
	if !ok {
		t.Fatalf("no square %s", at)
	}
	g.Units[u] = unit{At: q, Face: face}
	return u
}

// deal gives an army a card with an action and says which.
func (g *game) deal(t *testing.T, a army, what action) string {
	t.Helper()
	for _, c := range g.deckOf(a) {
		if g.card(c).action == what && !g.holds(c) {
			g.Decks[a].Hand = add(g.Decks[a].Hand, c)
			return g.card(c).id
		}
	}
	t.Fatalf("no card of %s with %s", a, what)
	return ""
}

// cautionsOf judges orders of the seat that is asked and gives the kinds and codes of
// the cautions about them.
func cautionsOf(t *testing.T, g *game, text string) []string {
	t.Helper()
	d := g.asks[0]
	v := g.View(d.Side)
	doc, problems := orders.Parse("orders: "+text+"\n", nil)
	if len(problems) > 0 {
		t.Fatalf("parse: %s", playout.Explain(problems))
	}
	answer, problems := New().Read(v, d, doc)
	if len(problems) > 0 {
		t.Fatalf("read: %s\n%s", playout.Explain(problems), text)
	}
	var kinds []string
	for _, c := range New().Cautions(v, d, answer) {
		kinds = append(kinds, c.Kind+" "+c.Clause+" "+strings.TrimPrefix(c.Say.Code, "wat.odd-"))
	}
	return kinds
}

func wantCautions(t *testing.T, g *game, text string, want ...string) {
	t.Helper()
	if got := cautionsOf(t, g, text); !slices.Equal(got, want) {
		t.Errorf("%s: cautions are %q, not %q", text, got, want)
	}
}

// Fire has no effect on a unit in a chateau, nor on a unit in disorder that has nothing
// to lose (WAT-R19).
func TestCautionsOfFire(t *testing.T) {
	g := drillRound(t, frenchCamp, nil)
	card := g.deal(t, french, artilleryFire)
	g.deal(t, french, noAction)
	g.stand(t, "F-1/I", "G-9", north)
	target := g.stand(t, "A-3/I", "F-9", south)
	fire := "[{card: " + card + ", action: artillery, by: F-1/I}, {end: round}]"
	wantCautions(t, g, fire)
	g.Units[target].Disordered, g.Units[target].Reduced = true, true
	wantCautions(t, g, fire, "no-effect WAT-R19 fire-disordered")

	i := slices.IndexFunc(g.objectives, func(o objectiveDef) bool { return o.chateau })
	home := g.objectives[i].at
	g.Units[target] = unit{At: home, Face: south}
	g.stand(t, "F-1/I", g.squareID(g.next(home, south)), north)
	wantCautions(t, g, fire, "no-effect WAT-R19 fire-chateau")

	g.asks = nil
	g.Flow[1] = &roundFrame{Camp: alliedCamp, Army: anglo, Stage: roundSteps}
	g.push(&windowFrame{Window: atRoundStart})
	g.ask("french", stopArtillery, "")
	wantCautions(t, g, "{fire: {card: "+card+", by: F-1/I}}", "no-effect WAT-R19 fire-chateau")
	wantCautions(t, g, "{fire: none}")
}

// A card that moves no unit brings a caution unless the attack that it gives is used.
// An attack that can't succeed brings one once its cards are settled, and so does a
// command card that reaches nobody.
func TestCautionsOfRounds(t *testing.T) {
	g := drillRound(t, frenchCamp, nil)
	command := g.deal(t, french, commandBonus)
	card := g.deal(t, french, noAction)
	g.stand(t, "F-1/I", "G-9", north)
	g.stand(t, "A-3/I", "F-9", south)
	wantCautions(t, g, "[{card: "+card+", move: none}]", "card-unspent WAT-R48 card-unspent")
	wantCautions(t, g, "[{end: round}]")
	attack := func(cards string) string {
		return "[{card: " + card + ", move: none, attack: {target: A-3/I, with: [F-1/I]" + cards + "}}]"
	}
	wantCautions(t, g, attack("")) // cards may still come
	b := g.expected(g.unitCalled(t, "A-3/I"), []unitID{g.unitCalled(t, "F-1/I")}, false, false)
	n, m := g.totals(b)
	if n > m {
		g.Units[b.Attackers[0].Unit].Reduced = true
		if n, m = g.totals(b); n > m {
			t.Fatalf("the attack has %d BP against %d", n, m)
		}
	}
	wantCautions(t, g, attack(", cards: none"), "attack-weak WAT-9.31 attack-weak")
	for c := range g.Commanders {
		g.Commanders[c] = commander{}
	}
	got := cautionsOf(t, g, attack(", cards: [{card: "+command+", as: command}]"))
	if !slices.Contains(got, "no-effect WAT-R19 command-idle") {
		t.Errorf("a command card without a commander: cautions are %q", got)
	}
	g.Commanders[g.commanderOf(french)].At, _ = g.squareNamed("G-9")
	if got := cautionsOf(t, g, attack(", cards: [{card: "+command+", as: command}]")); slices.Contains(got, "no-effect WAT-R19 command-idle") {
		t.Errorf("a command card with the commander: cautions are %q", got)
	}
}

// A victory square that is left empty next to an enemy brings a caution, but not one
// that another unit has entered, nor one with no enemy near.
func TestCautionsOfVictorySquares(t *testing.T) {
	g := drillRound(t, alliedCamp, nil)
	card := g.deal(t, anglo, noAction)
	g.deal(t, anglo, commandBonus)
	i := slices.IndexFunc(g.objectives, func(o objectiveDef) bool { return o.full && !o.chateau })
	at := g.objectives[i].at
	g.stand(t, "A-3/I", g.squareID(at), north)
	away := "[{card: " + card + ", move: [{unit: A-3/I, path: [" + g.squareID(g.next(at, north)) + "]}]}]"
	wantCautions(t, g, away)
	g.stand(t, "F-1/I", g.squareID(g.next(at, south)), north)
	wantCautions(t, g, away, "square-left WAT-13.1 square-left")
	wantCautions(t, g, "[{card: "+card+", move: [{unit: A-3/I, path: [face E]}]}]")
}

// A pass that ends the turn while cards are left brings a caution.
func TestCautionsOfPasses(t *testing.T) {
	g := drillRound(t, alliedCamp, map[string]string{"players": "3"})
	g.deal(t, anglo, noAction)
	g.deal(t, prussian, noAction)
	g.asks = nil
	g.Flow[1] = &roundFrame{Camp: alliedCamp, Stage: roundOpening, Asked: true}
	g.ask("anglo", stopArmy, "")
	wantCautions(t, g, "{army: prussian}")
	wantCautions(t, g, "{army: pass}", "pass-ends-turn WAT-4.6 pass-ends-turn")
	g.deal(t, french, noAction)
	wantCautions(t, g, "{army: pass}")
	g.Flow[0].(*turnFrame).Passed = true
	wantCautions(t, g, "{army: pass}", "pass-ends-turn WAT-4.6 pass-ends-turn")
}

// The loss of a unit that could be kept brings a caution.
func TestCautionsOfLosses(t *testing.T) {
	g := drillRound(t, frenchCamp, nil)
	g.stand(t, "F-1/I", "G-9", north)
	target := g.stand(t, "A-3/I", "F-9", south)
	b := g.expected(target, []unitID{g.unitCalled(t, "F-1/I")}, false, false)
	b.Stage, b.Attack.Total, b.Defence.Total = battleJudged, 5, 4
	g.push(b)
	g.asks = nil
	g.ask("anglo", stopLoss, "")
	wantCautions(t, g, "{loss: reduce}")
	g.Units[target].Reduced = true
	wantCautions(t, g, "{loss: reduce}", "unit-lost WAT-9.36 unit-lost")
	to := g.losses(b)[0].to
	wantCautions(t, g, "{loss: retreat, to: "+g.squareID(to)+"}")

	// Two attackers from the flanks, one of them as strong reduced as the other full.
	var weak, strong unitID
	for i := range g.roster {
		for k := range g.roster {
			w, s := g.def(unitID(i+1)), g.def(unitID(k+1))
			if i != k && w.army == french && s.army == french && w.arm == infantry && s.arm == infantry && w.reduced == s.full && s.reduced > 0 {
				weak, strong = unitID(i+1), unitID(k+1)
			}
		}
	}
	if weak == 0 {
		t.Fatal("no two French units have one strength, reduced and full")
	}
	g.stand(t, g.def(weak).id, "F-8", east)
	g.stand(t, g.def(strong).id, "F-10", west)
	g.Units[weak].Reduced = true
	b.Attackers = []fighter{{Unit: weak}, {Unit: strong}}
	g.asks = nil
	g.ask("french", stopAttackerLoss, "")
	wantCautions(t, g, "{reduce: "+g.def(strong).id+"}")
	fallback := New().Default(g.View("french"), g.asks[0])
	if w, ok := saidTo[lossesReply](fallback.(play.Answer).Reply); !ok || w.is != strong {
		t.Errorf("by default %s is given up", g.def(w.is).id)
	}
	wantCautions(t, g, "{reduce: "+g.def(weak).id+"}", "unit-lost WAT-9.35 unit-lost")
}

// A default brings no caution, and every caution has words in all languages. The page
// for onlookers shows no hand.
func TestCautionsOfPlayouts(t *testing.T) {
	found := map[string]int{}
	catalogues := map[string]map[string]string{"en": rulestest.Catalogue(t, New().Words(), "en"), "it": rulestest.Catalogue(t, New().Words(), "it")}
	for i, one := range setups[:3] {
		_, err := playout.Run(New(), one.Setup, uint64(60+i), func(m playout.Moment) error {
			for _, d := range m.Owed {
				v := m.Position.View(d.Side)
				if odd := New().Cautions(v, d, New().Default(v, d)); len(odd) > 0 {
					t.Errorf("%s: the default of %s is odd: %v", one.Name, d.Kind, odd)
				}
				for _, c := range New().Cautions(v, d, m.Answers[d.Side]) {
					found[c.Kind]++
					for language, words := range catalogues {
						if words[c.Say.Code] == "" {
							t.Errorf("%s has no words in %s", c.Say.Code, language)
						}
					}
				}
			}
			public := m.Position.(engine.Open).Public().(*View)
			for a := french; a <= prussian; a++ {
				if slices.ContainsFunc(public.Decks[a].Hand, func(c cardID) bool { return c != 0 }) || public.own[a] {
					t.Fatalf("%s: the public view holds the hand of %s", one.Name, a)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	for _, kind := range []string{oddNoEffect, oddUnspent, oddWeak} {
		if found[kind] == 0 {
			t.Errorf("games by chance never were odd by %s: %v", kind, found)
		}
	}
}

// The two Allied players are allies; in a game of two players nobody has an ally.
func TestAllies(t *testing.T) {
	for players, want := range map[string][]engine.Side{"2": nil, "3": {"prussian"}} {
		p, err := New().New(engine.Setup{Options: map[string]string{"players": players}})
		if err != nil {
			t.Fatal(err)
		}
		g := p.(engine.Allied)
		if got := g.Allies("anglo"); !slices.Equal(got, want) {
			t.Errorf("%s players: allies of the Anglo-Allied seat are %v", players, got)
		}
		if got := append(g.Allies("french"), g.Allies(engine.Public)...); len(got) > 0 {
			t.Errorf("%s players: the French or onlookers have allies %v", players, got)
		}
	}
}
