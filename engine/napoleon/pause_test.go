package napoleon

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders/phrase"
)

// scrambleAlone is scramble, but it keeps the standing orders: these decide whether a
// stop opens, and each seat has chosen its own.
func scrambleAlone(position engine.Position, side engine.Side, chance *rand.Rand) engine.Position {
	p := scramble(position, side, chance).(*game)
	was := position.(*game)
	p.standing, p.policies, p.ruled = was.standing, was.policies, was.ruled
	for i := range p.battles {
		p.battles[i].planned = was.battles[i].planned
	}
	return p
}

// Whether and when a stop opens for anybody tells a side nothing of what is hidden from
// it: as long as the side is told the same, the same answer and the same dice bring the
// same stops, whatever the enemy's hidden blocks are (NAP-R83). The player who tries to
// learn from pauses has all blocks of the enemy exchanged.
func TestPausesTellNothingHidden(t *testing.T) {
	battles := 80
	if !fullSamples {
		battles = 25
	}
	fogs := []rulestest.Setup{
		{Name: "full fog", Setup: engine.Setup{Options: map[string]string{"fog_of_battle": "full", "setup": "historical"}}},
		{Name: "full fog, losses as numbers", Setup: engine.Setup{Options: map[string]string{"fog_of_battle": "full", "losses_public": "number"}}},
		{Name: "full fog, three players", Setup: engine.Setup{Options: map[string]string{"fog_of_battle": "full", "players": "3"}}},
		{Name: "standard fog", Setup: engine.Setup{}},
		{Name: "third edition", Setup: engine.Setup{Options: map[string]string{"edition": "3e"}}},
	}
	for i, one := range fogs {
		t.Run(one.Name, func(t *testing.T) {
			t.Parallel()
			compared, veiled := 0, 0
			for seed := range uint64(battles) {
				start := battleground(t, one.Setup, seed+uint64(1000*i))
				fight := playout.Game{Rules: New(), Start: start, Seed: seed, MaxStops: 5000}
				_, err := fight.Play(whileFighting(func(m playout.Moment) error {
					if len(m.Owed) != 1 {
						return nil
					}
					d := m.Owed[0]
					if d.Kind == "hits" && hidesVictims(m.Position.(*game), d) {
						veiled++
					}
					if interrupts(m.Position.(*game), d) {
						return nil // what the enemy has ordered goes on, and names his units
					}
					chance := rand.New(rand.NewPCG(seed, uint64(m.Number)))
					for range 2 {
						other := scrambleAlone(m.Position, d.Side, chance)
						alike, err := playout.Pauses(New(), m.Position, other, d.Side, m.Answers[d.Side], uint64(m.Number))
						switch {
						case err != nil && !shownUnlike(m.Position.(*game), other.(*game), alike) && !routLoses(err):
							return fmt.Errorf("%s answers %s %s: %w", d.Side, d.Kind, d.At, err)
						case err == nil && len(alike) > 0:
							compared++
						}
					}
					return nil
				}))
				if err != nil && !errors.Is(err, errPeace) {
					t.Fatal(err)
				}
			}
			if compared < battles || one.Setup.Options["fog_of_battle"] == "full" && veiled == 0 {
				t.Errorf("%d compared, %d stops about hidden blocks", compared, veiled)
			}
		})
	}
}

func hidesVictims(g *game, d engine.Decision) bool {
	b := g.battleOf(d)
	return b != nil && b.hits != nil && g.veiled(b, b.hits)
}

// interrupts tells whether a decision is owed while orders of the enemy are still being
// carried out.
func interrupts(g *game, d engine.Decision) bool {
	return slices.ContainsFunc(g.battles, func(b battle) bool { return b.orders != nil && b.acting != g.campOf(d.Side) })
}

// shownUnlike tells whether units were revealed whose strengths differ between two
// positions: from then on the side sees the strength on its page, although no sentence
// tells it.
func shownUnlike(p, q *game, told []phrase.Phrase) bool {
	for _, say := range told {
		for _, a := range say.Args {
			for _, v := range append(a.Value.List, a.Value) {
				for i := range p.roster {
					if v.Kind == "unit" && p.roster[i].id == v.Text && p.units[i].strength != q.units[i].strength {
						return true
					}
				}
			}
		}
	}
	return false
}

// routLoses tells whether two games differ only because one side lost nothing in a
// rout, of which the player hears before the routed side is asked for its roads.
func routLoses(err error) bool {
	var pause *playout.PauseError
	return errors.As(err, &pause) && slices.ContainsFunc(pause.Owed, func(d engine.Decision) bool { return d.Kind == "rout" }) && slices.Contains([]string{"nap.eliminated", "nap.eliminated-block", "nap.rout-costs", "nap.rout-costs-blocks"}, pause.Told.Code)
}
