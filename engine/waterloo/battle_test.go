package waterloo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/orders"
)

// standingTexts are standing orders of many kinds, by seat.
var standingTexts = map[engine.Side][]string{
	"french": {
		`{artillery: {windows: {round-start: hold, after-battle: hold}, rules: [{at: any, state: ordered, by: any, when: entered}, {at: [A-1/I, A-3/I], by: [9/II, OG]}]},
		  cavalry_retreat: {default: retreat}, battle: {default: none, rules: [{unit: 1/I, reach: tie, use: [command, battle, artillery], if_short: all, max_cards: 4}]},
		  loss: {default: [retreat, reduce]}, advance: {prefer: [OG, 1/I, 2/I], face: N}, attacker_loss: [20/VI, 5/II], commander: {to: [OG]}, initiative: {bid: highest}}`,
		`{artillery: {windows: {entered: hold, after-card: hold}, keep: 2, rules: [{at: any, by: any}]}, cavalry_retreat: {default: stay, rules: [{unit: 5C, do: retreat, to: [S, E], face: N}]},
		  battle: {default: ask, rules: [{unit: OG, reach: {margin: 3}, use: [elite, battle, command], max_bp: 9}]}, loss: {default: ask, rules: [{unit: OG, order: [retreat], to: [S]}]}, initiative: {bid: {min_mp: 4, keep: [artillery, charge]}}}`,
		`none`,
	},
	"anglo": {
		`{artillery: {keep: 1, rules: [{at: any, state: disordered, by: any, when: after-card}, {at: [OG, MG], by: any}]}, cavalry_retreat: {default: ask, rules: [{unit: A-5C, do: retreat, to: [N, W], face: S}]},
		  battle: {default: none, rules: [{unit: A-3/I, reach: tie, use: [command, battle, artillery], artillery: weakest, if_short: all}, {unit: A-1/I, reach: {margin: 2}, use: [elite, command, battle], max_cards: 3}]},
		  loss: {default: [cdp, retreat, reduce], rules: [{square: J-6, order: [cdp, reduce]}]}, advance: {prefer: [A-1/I], face: S}, initiative: {bid: lowest}}`,
		`{artillery: {windows: {round-start: hold, entered: hold, after-card: hold, after-battle: hold, round-end: hold, revealed: hold}}, loss: {default: [cdp, reduce, retreat]}, commander: {to: [A-5/R, A-3/I]}}`,
		`none`,
	},
	"prussian": {
		`{artillery: {rules: [{at: any, by: any}]}, cavalry_retreat: {default: retreat}, battle: {default: none}, loss: {default: [reduce]}, army: {prefer: [prussian, anglo]}, initiative: {bid: none}}`,
		`none`,
	},
}

// readStandingText reads standing orders as an order file has them.
func readStandingText(v *View, text string) (*orders.Node, error) {
	n := orders.Text("none")
	if strings.TrimSpace(text) != "none" {
		var faults orders.Problems
		if n, faults = orders.ParseNode([]byte(strings.ReplaceAll(text, "\t", " "))); len(faults) > 0 {
			return nil, faults
		}
	}
	r := orders.NewReader(vocabulary)
	normal := readStanding(v, r, n)
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return normal, nil
}

// Games in which every seat changes its standing orders now and then come to their end,
// and what holds at every stop holds at theirs.
func TestPlayoutsWithStandingOrders(t *testing.T) {
	games := 4 * len(setups)
	if !fullSamples {
		games = len(setups)
	}
	answered := 0
	for i := range games {
		setup := setups[i%len(setups)]
		choose := func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			a := rules.Random(view, d, chance).(play.Answer)
			if texts := standingTexts[d.Side]; chance.IntN(12) == 0 {
				n, err := readStandingText(view.(*View), texts[chance.IntN(len(texts))])
				if err != nil {
					t.Fatal(err)
				}
				a.Standing = n
			}
			return a
		}
		check := playout.Properties{Rules: New(), Conserved: conserved, Every: 29}
		used := func(m playout.Moment) error {
			for _, e := range m.Events {
				if e.Tellings[0].Say.Code == "wat.standing-used" {
					answered++
				}
			}
			return nil
		}
		if _, err := (playout.Game{Rules: New(), Setup: setup.Setup, Seed: uint64(7000 + i), Choose: choose}).Play(inOrder(), check.Observe, used); err != nil {
			t.Errorf("%s %d: %v", setup.Name, i, err)
		}
	}
	if answered < games {
		t.Errorf("standing orders answered %d times in %d games", answered, games)
	}
}

// Standing orders read back from their normal form as the same standing orders.
func TestStandingOrdersReadBack(t *testing.T) {
	g := begun(t, map[string]string{"players": "3"})
	for side, texts := range standingTexts {
		for _, text := range texts {
			normal, err := readStandingText(g.view(side), text)
			if err != nil {
				t.Fatalf("%s: %s: %v", side, text, err)
			}
			again, err := readStandingText(g.view(side), normal.Encode())
			if err != nil || !orders.Equal(normal, again) {
				t.Errorf("%s:\n%s\nreads as (%v)\n%s", side, normal.Encode(), err, again.Encode())
			}
		}
	}
}

// In every position of random games, battle points are never below zero, a beaten unit
// can take its defeat in some way, and each square that is offered for a retreat is
// free.
func TestBattlesThatCouldBe(t *testing.T) {
	games := 2 * len(setups)
	if !fullSamples {
		games = len(setups)
	}
	battles := 0
	look := func(m playout.Moment) error {
		g := m.Position.(*game)
		for target := range g.everyUnit() {
			for a := french; a <= prussian; a++ {
				with := g.attackersOf(a, target)
				if len(with) == 0 {
					continue
				}
				battles++
				if err := plausible(g, target, with); err != nil {
					return fmt.Errorf("%s attacked by %s: %w", g.def(target).id, a, err)
				}
			}
		}
		for _, one := range g.charges(french) {
			if _, f := g.chargePath(one.unit, one.target); f != nil {
				return f
			}
		}
		return nil
	}
	for i := range games {
		if _, err := playout.Run(New(), setups[i%len(setups)].Setup, uint64(9000+i), look); err != nil {
			t.Error(err)
		}
	}
	if battles == 0 {
		t.Error("no battle was possible")
	}
}

// plausible looks at a battle that could be fought.
func plausible(g *game, target unitID, with []unitID) error {
	b := g.expected(target, with, false, false)
	attack, defence := g.totals(b)
	if attack < 0 || defence < 1 {
		return fmt.Errorf("%d against %d", attack, defence)
	}
	for _, id := range with {
		if n := g.attackPoints(b, id); n < 0 || n > 3*g.value(id)*2 {
			return fmt.Errorf("%s has %d points", g.def(id).id, n)
		}
	}
	for _, totals := range [][2]int{{defence + 1, defence}, {2*defence + 1, defence}} {
		b.Attack.Total, b.Defence.Total = totals[0], totals[1]
		list := g.losses(b)
		if len(list) == 0 || !slices.Contains(list, g.usualLoss(b)) {
			return fmt.Errorf("%v against: no way to lose", totals)
		}
		for _, l := range list {
			switch {
			case l.to != 0 && g.unitAt(l.to) != 0:
				return fmt.Errorf("retreat to %s, which is taken", g.squareID(l.to))
			case int(l.cdp) > g.absorbing(b):
				return fmt.Errorf("%d of %d chateau points", l.cdp, g.absorbing(b))
			case l.cdp == 0 && l.reduces == 0 && l.to == 0:
				return fmt.Errorf("a defeat without loss")
			case b.crushed() && int(l.cdp)+int(l.reduces) < 2 && l.to == 0 && g.whole(target):
				return fmt.Errorf("a defeat by more than double with one effect")
			}
		}
	}
	return nil
}

// A standing order commits the fewest cards that reach its aim, as trying all sets of
// cards shows.
func TestFewestCards(t *testing.T) {
	chance := rand.New(rand.NewPCG(4, 4))
	for range 60 {
		g := begun(t, nil)
		m := umpire{t, g}
		m.put("A-3/I", "C-4", south)
		m.put("F-1/I", "C-5", west)
		m.put("F-2/I", "D-4", north)
		hand := g.deckOf(anglo)
		chance.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] })
		g.Decks[anglo] = deck{}
		for _, c := range hand[:1+chance.IntN(8)] {
			g.Decks[anglo].Hand = add(g.Decks[anglo].Hand, c)
		}
		b := g.expected(m.id("A-3/I"), []unitID{m.id("F-1/I"), m.id("F-2/I")}, false, false)
		rule := &battleRule{Margin: chance.IntN(8), Use: []use{asBattle}}
		attack, defence := g.totals(b)
		need := attack + rule.Margin - defence
		cards := g.ruledCommits(b, defending, rule)
		best := fewest(g, g.Decks[anglo].Hand, need)
		if len(cards) != len(best) {
			t.Fatalf("hand %v, need %d: %v, want %v", g.Decks[anglo].Hand, need, cards, best)
		}
		for i, c := range cards {
			if c.Card != best[i] {
				t.Fatalf("hand %v, need %d: %v, want %v", g.Decks[anglo].Hand, need, cards, best)
			}
		}
	}
}

// fewest looks at every set of cards and finds the best whose battle points reach a
// number: that with the fewest cards, then with the fewest points, then with the lowest
// ids.
func fewest(g *game, hand []cardID, need int) []cardID {
	var best []cardID
	points := 0
	for set := range 1 << len(hand) {
		var cards []cardID
		sum := 0
		for i, c := range hand {
			if set>>i&1 == 1 {
				cards, sum = append(cards, c), sum+g.card(c).bp
			}
		}
		if sum < need || need > 0 && len(cards) == 0 {
			continue
		}
		if best == nil || len(cards) < len(best) || len(cards) == len(best) && (sum < points || sum == points && slices.Compare(cards, best) < 0) {
			best, points = cards, sum
		}
	}
	return best
}

// A position that a game master has edited in the middle of a battle is refused, or can
// be played on.
func TestEditedBattlesArePlayedOn(t *testing.T) {
	if raceEnabled {
		return // nothing here runs side by side, and it takes long
	}
	chance := rand.New(rand.NewPCG(8, 8))
	played := 0
	for _, m := range moments(t) {
		if len(m.Owed) == 0 || len(m.Position.(*game).Flow) < 3 {
			continue
		}
		for range 12 {
			g := m.Position.Clone().(*game)
			for range 1 + chance.IntN(3) {
				id := unitID(1 + chance.IntN(len(g.roster)))
				if b := under[*battleFrame](g); b != nil && chance.IntN(2) == 0 {
					id = append(b.still(), b.Target)[chance.IntN(len(b.still())+1)]
				}
				u := g.unit(id)
				switch chance.IntN(4) {
				case 0:
					*u = unit{Dead: true}
				case 1:
					u.At = square(1 + chance.IntN(g.squares()))
				case 2:
					u.Face = facing(1 + chance.IntN(4))
				case 3:
					u.Disordered, u.Reduced = chance.IntN(2) == 0, g.def(id).reduced > 0 && chance.IntN(2) == 0
				}
			}
			text, err := g.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			p, err := New().Load(text)
			if err != nil {
				continue
			}
			played++
			for range 4 {
				answers := map[engine.Side]engine.Answer{}
				for _, d := range p.Owed() {
					answers[d.Side] = New().Random(p.View(d.Side), d, chance)
				}
				if _, err := p.Advance(answers, engine.NewSeededDice([]byte("edited"), "game", played, [32]byte{})); err != nil {
					t.Fatal(err)
				}
				if _, over := p.Outcome(); over {
					break
				}
			}
		}
	}
	if played < 20 {
		t.Errorf("only %d edited positions were played on", played)
	}
}
