package waterloo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders/phrase"
)

// resampled is a position made up from what a side sees, in which all seats keep their
// policies: these decide whether a stop opens, and each seat has chosen its own.
func resampled(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	was := position.(*game)
	i := slices.IndexFunc(was.asks, func(d engine.Decision) bool { return d.Side == side })
	p, err := New().Sample(was.View(side), was.asks[i], chance)
	if err != nil {
		panic(err)
	}
	g := p.(*game)
	g.policies, g.ruled, g.standing = was.policies, was.ruled, was.standing
	return g
}

// unfiled takes away what others than a side have filed for what is under way: a made-up hand
// may lack the cards, and what happens then is told.
func (g *game) unfiled(side engine.Side) {
	r := g.roundNow()
	others := r != nil && r.seat(g) != side
	for _, f := range g.Flow {
		switch f := f.(type) {
		case *roundFrame:
			if others {
				f.Steps, f.Attack, f.Ending, f.Go, f.Idle = nil, nil, false, false, false
			}
		case *moveFrame:
			if others {
				f.Moves, f.Changed, f.Reacts = nil, false, reactionAsk
			}
		case *chargeFrame:
			if others {
				f.Filed, f.Cards, f.Advance = false, nil, advanceOrder{}
			}
		case *battleFrame:
			for r := attacking; r <= defending; r++ {
				if f.Stage == battleCommitting && g.seatOf(g.fighting(f, r)) != side {
					f.of(r).Cards = nil
				}
			}
			if g.seatOf(g.fighting(f, attacking)) != side {
				f.Advance = advanceOrder{}
			}
		}
	}
}

// Whether an artillery window or another stop opens for a seat depends only on what
// everybody sees and on the seat's policy. The player who tries to learn from pauses
// deals the enemy another hand (WAT-R55).
func TestPoliciesTellNothingByPauses(t *testing.T) {
	games := 2
	if fullSamples {
		games = 12
	}
	rulestest.PolicyPauses(t, New(), engine.Setup{}, games, worlds, policyFires, stopRound, stopCommit, stopLoss, stopArtillery, stopCavalryRetreat, stopContinue)
}

// policyFires tells whether two games differ because a policy has fired a card in one of them:
// that is told, and passing is not, and neither makes a pause.
func policyFires(_, _ engine.Position, _ []phrase.Phrase, err error) bool {
	var pause *playout.PauseError
	return errors.As(err, &pause) && strings.HasPrefix(pause.Told.Code, "wat.fire-")
}

// worlds gives two positions that a side can't tell from each other, with other hands in the
// second (WAT-R55).
func worlds(p engine.Position, side engine.Side, chance *rand.Rand) (one, other engine.Position) {
	was := p.Clone().(*game)
	was.unfiled(side)
	made := was.Clone().(*game)
	made.Decks = resampled(p, side, chance).(*game).Decks
	return was, made
}

// attackedBySpent lets the battle that is under way be an attack by two units with one
// strength point each, who commit nothing, as they have filed.
func (g *game) attackedBySpent() {
	b := under[*battleFrame](g)
	var spent []fighter
	for id, u := range g.everyUnit() {
		if d := g.def(id); d.army == g.def(b.Attackers[0].Unit).army && d.reduced == 1 && len(spent) < 2 {
			u.Reduced = true
			spent = append(spent, fighter{Unit: id})
		}
	}
	if len(spent) == 2 {
		b.Attackers, b.Attack = spent, party{Filed: true}
	}
}

// Which attacker loses, and which advances, is asked whatever the attacker holds. Fair players
// seldom attack so badly that they are asked the former, so half of the games are played by chance,
// and every other attack is one of spent units.
func TestLossesTellNothingByPauses(t *testing.T) {
	if rulestest.Race {
		return // nothing here runs side by side, and it takes long
	}
	games, asked := uint64(16), map[string]int{}
	if fullSamples {
		games = 160
	}
	for seed := range games {
		g := playout.Game{Rules: New(), Setup: engine.Setup{Options: map[string]string{"scenario-length": "full"}}, Seed: seed, Choose: []playout.Chooser{nil, engine.Ruleset.Sensible}[seed%2]}
		_, err := g.Play(func(m playout.Moment) error {
			for _, d := range m.Owed {
				if d.Kind != stopCommit && d.Kind != stopLoss && d.Kind != stopRevealed {
					continue
				}
				chance := rand.New(rand.NewPCG(seed, uint64(m.Number)))
				at := m.Position.Clone().(*game)
				if d.Kind == stopCommit && m.Number%2 == 0 {
					at.attackedBySpent()
				}
				one, other := worlds(at, d.Side, chance)
				a := m.Answers[d.Side]
				if d.Kind == stopCommit { // with no cards the odds are what the board says
					a = New().Default(at.View(d.Side), d)
				}
				told, err := playout.Pauses(New(), one, other, d.Side, a, seed)
				if err != nil && !policyFires(nil, nil, told, err) {
					return fmt.Errorf("%s answers %s %s: %w", d.Side, d.Kind, d.At, err)
				}
				then := one.Clone()
				answers := map[engine.Side]engine.Answer{d.Side: a}
				for _, also := range then.Owed() {
					if also.Side != d.Side {
						answers[also.Side] = New().Default(then.View(also.Side), also)
					}
				}
				if _, err := then.Advance(answers, playout.NewDice(seed)); err != nil {
					return err
				}
				for _, next := range then.Owed() {
					if next.Side != d.Side {
						asked[next.Kind]++
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if asked[stopAttackerLoss] < 3 || asked[stopAdvance] < 20 {
		t.Errorf("asked after an enemy's answer: %v", asked)
	}
}

// With every policy on ask a game is what it was without any.
func TestAskedEverything(t *testing.T) {
	rulestest.AskedEverything(t, New(), []engine.Setup{{}, {Options: map[string]string{"players": "3"}}, {Options: map[string]string{"scenario-length": "quick"}}}, 2)
}

func TestPositionsWithPolicies(t *testing.T) {
	policies := "artillery: {fire: best}\ninitiative: {bid: lowest}\nloss: {default: [cdp, retreat, reduce]}\nattacker-loss: default\nadvance: best\n"
	rulestest.PolicyPositions(t, New(), engine.Setup{Options: map[string]string{"players": "3"}}, policies)
	postal, _ := New().Pace(engine.Postal)
	rulestest.PolicyPositions(t, New(), engine.Setup{}, postal)
}

func TestPoliciesThatSayNothing(t *testing.T) { rulestest.PoliciesThatSayNothing(t, New()) }
