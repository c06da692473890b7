package napoleon

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// setups are the set-ups that the tests play.
var setups = []rulestest.Setup{
	{Name: "free", Setup: engine.Setup{}},
	{Name: "historical", Setup: engine.Setup{Options: map[string]string{"setup": "historical"}}},
	{Name: "full fog", Setup: engine.Setup{Options: map[string]string{"fog_of_battle": "full", "setup": "historical"}}},
	{Name: "no terrain", Setup: engine.Setup{Options: map[string]string{"terrain": "none", "corps_integrity": "off", "command_control": "off"}}},
	{Name: "woods", Setup: engine.Setup{Options: map[string]string{"terrain_pool": "8/0/0/0", "losses_public": "number"}}},
	{Name: "streams", Setup: engine.Setup{Options: map[string]string{"terrain_pool": "1/2/4/1", "shock_lasts": "next-turn", "leader_fire": "F1", "disrupted_regroup": "off", "simultaneous": "same-turn"}}},
	{Name: "other readings", Setup: engine.Setup{Options: map[string]string{"command_control": "chain", "skirmish_reveal": "free", "joint_corps": "board", "rehide": "ask", "stalemate": "rout-limits", "ratings": "type", "horse_artillery": "off", "square_moves": "on"}}},
	{Name: "third edition", Setup: engine.Setup{Options: map[string]string{"edition": "3e"}}},
	{Name: "gambit", Setup: engine.Setup{Options: map[string]string{"edition": "3e", "setup": "gambit", "rout_test_3e": "own-only", "stalemate": "rout-limits", "horse_artillery": "on"}}},
	{Name: "bidding", Setup: engine.Setup{Options: map[string]string{"sides": "bid"}}},
	{Name: "secret bids", Setup: engine.Setup{Options: map[string]string{"sides": "bid", "bids": "secret", "setup": "historical"}}},
	{Name: "bids of any step", Setup: engine.Setup{Options: map[string]string{"sides": "bid", "bid_step": "any", "edition": "3e", "setup": "gambit"}}},
}

// Random games come to their end; with full samples a thousand of them are played.
func TestPlayouts(t *testing.T) {
	games := 1000
	if !fullSamples {
		games = 24
	}
	rulestest.Playouts(t, New(), setups, games, 4, inOrder)
}

// Games in which nobody ever sends orders, or only one side does, also come to their
// end.
func TestPlayoutsOfDefaults(t *testing.T) {
	rulestest.Defaults(t, New(), setups, inOrder, "french", "allied")
}

// Whatever holds for every ruleset holds here, at every stop; without full samples at each fifth.
func TestProperties(t *testing.T) {
	games := 30
	check := playout.Properties{Rules: New(), Conserved: conserved, Answers: 1, Broken: 2}
	if !fullSamples {
		games, check.Every = len(setups), 5
	}
	if raceEnabled {
		check.Every = 48
	}
	rulestest.Properties(t, setups, games, check)
}

// Random marches seldom bring armies together. So battles are played in games of their
// own, which begin where up to three towns are fought for.
func TestPlayoutsOfBattles(t *testing.T) {
	battles, checked := 600, 18
	if !fullSamples {
		battles, checked = 24, 2
	}
	if raceEnabled {
		battles, checked = 8, 1
	}
	rulestest.Spread(t, battles, 4, func(i int) error {
		start := battleground(t, setups[i%len(setups)].Setup, uint64(i))
		game := playout.Game{Rules: New(), Start: start, Seed: uint64(i), MaxStops: 5000}
		observe := inOrder()
		if i < checked {
			observe = ofBattles().Observe
		}
		if _, err := game.Play(whileFighting(observe)); err != nil && !errors.Is(err, errPeace) {
			return fmt.Errorf("%s: %w", setups[i%len(setups)].Name, err)
		}
		return nil
	})
}

// ofBattles are the properties of stops of battles: at every stop, without full samples at each
// third.
func ofBattles() playout.Properties {
	check := playout.Properties{Rules: New(), Conserved: conserved, Answers: 1, Broken: 2, Scramble: scramble, Leaks: 1}
	if !fullSamples {
		check.Every = 3
	}
	return check
}

// errPeace ends a playout whose battles are over.
var errPeace = errors.New("the battles are over")

func whileFighting(observe playout.Observer) playout.Observer {
	return func(m playout.Moment) error {
		if err := observe(m); err != nil {
			return err
		}
		if m.Position.(*game).phase == movement {
			return errPeace
		}
		return nil
	}
}

// battleground is a game at the beginning of a battle phase: one to three towns
// with units of both camps, and the rest of the armies around them.
func battleground(t testing.TB, setup engine.Setup, seed uint64) *game {
	t.Helper()
	position, err := New().New(setup)
	if err != nil {
		t.Fatal(err)
	}
	g := position.(*game)
	chance := rand.New(rand.NewPCG(seed, 5))
	g.asks, g.phase, g.turn = nil, battlePhase, chance.IntN(4)
	attacker := g.turns[g.turn].camp

	// The field of battle is a town and its neighbours; those in which both
	// camps meet are battles.
	centre := townID(chance.IntN(len(g.towns)))
	near := []townID{centre}
	for _, r := range g.towns[centre].roads {
		near = append(near, g.roads[r].from(centre))
	}
	fought := near[:1+chance.IntN(min(3, len(near)))]
	owner := map[townID]camp{}
	for _, town := range near[len(fought):] {
		owner[town] = camp(chance.IntN(2))
	}
	for i := range g.units {
		u := &g.units[i]
		u.strength = int8(1 + chance.IntN(int(g.roster[i].strength)))
		u.came = noTown
		if chance.IntN(12) == 0 {
			u.dead, u.strength, u.town = true, 0, noTown
			g.losses[u.army]++
			continue
		}
		for {
			u.town = near[chance.IntN(len(near))]
			if c, taken := owner[u.town]; !taken || c == u.army.camp() {
				break
			}
			if len(owner) == 0 || chance.IntN(3) == 0 {
				u.town = fought[chance.IntN(len(fought))]
				break
			}
		}
		if _, quiet := owner[u.town]; !quiet && u.army.camp() == attacker {
			roads := g.towns[u.town].roads
			u.came = g.roads[roads[chance.IntN(min(2, len(roads)))]].from(u.town)
			u.moved = true
		}
	}
	p := &campaign{game: g, Story: play.Story{Dice: playout.NewDice(seed)}}
	p.run()
	if p.outcome != nil {
		t.Fatalf("seed %d: the game is over before it began", seed)
	}
	return g
}

// inOrder is an observer that checks that each position is in order and follows from
// the last one.
func inOrder() playout.Observer { return rulestest.InOrder(conserved) }

// conserved checks one position, and that nothing in it is better than in the position
// before.
func conserved(before, after engine.Position) error {
	g, was := after.(*game), before.(*game)
	if len(g.units) != len(g.roster) {
		return fmt.Errorf("%d units of %d", len(g.units), len(g.roster))
	}
	var dead [armies]int
	for i := range g.units {
		u, old := &g.units[i], &was.units[i]
		def := &g.roster[i]
		name := def.id
		switch {
		case int(u.id) != i || u.army != def.army || u.kind != g.options.kindOf(def):
			return fmt.Errorf("unit %d is not %s", i, name)
		case u.strength < 0 || u.strength > def.strength:
			return fmt.Errorf("%s has strength %d of %d", name, u.strength, def.strength)
		case u.strength > old.strength:
			return fmt.Errorf("%s has strength %d after %d (NAP-3.4)", name, u.strength, old.strength)
		case old.dead && !u.dead:
			return fmt.Errorf("%s came back to life", name)
		case u.dead != (u.strength == 0):
			return fmt.Errorf("%s has strength %d, eliminated: %v", name, u.strength, u.dead)
		case u.dead && (u.town != noTown || u.field != offBoard):
			return fmt.Errorf("%s is eliminated and stands in town %d, field %d", name, u.town, u.field)
		case int(u.town) >= len(g.towns):
			return fmt.Errorf("%s stands in town %d", name, u.town)
		}
		if u.dead {
			dead[u.army]++
		}
		if u.field != offBoard {
			if g.battleAt(u.town) == nil {
				return fmt.Errorf("%s stands on a board where there is no battle", name)
			}
		} else if u.square || u.shelter != noUnit || u.holds != noPiece || u.shock || u.salvo {
			return fmt.Errorf("%s is off the board with marks of a battle: %+v", name, *u)
		}
	}
	for a := range dead {
		if g.losses[a] != dead[a] {
			return fmt.Errorf("%s has lost %d units and counts %d", armyWords[a], dead[a], g.losses[a])
		}
	}
	return g.orderly()
}

func (g *game) battleAt(t townID) *battle {
	for i := range g.battles {
		if g.battles[i].town == t {
			return &g.battles[i]
		}
	}
	return nil
}

// orderly checks what must hold at every stop.
func (g *game) orderly() error {
	if g.outcome != nil {
		return nil
	}
	for t := range g.towns {
		both := g.ahead == nil && g.blocks(townID(t), frenchCamp) > 0 && g.blocks(townID(t), alliedCamp) > 0
		if both && g.battleAt(townID(t)) == nil {
			return fmt.Errorf("both camps are in %s, and there is no battle", g.towns[t].id)
		}
		if both && g.phase != battlePhase {
			return fmt.Errorf("both camps are in %s outside the battle phase", g.towns[t].id)
		}
	}
	for i, n := range g.roadUse {
		if limit := g.numbers.road.of(g.roads[i]); int(n) > limit {
			return fmt.Errorf("%d units on road %d, which takes %d (NAP-5.4)", n, i, limit)
		}
	}
	for i := range g.battles {
		b := &g.battles[i]
		for _, use := range b.roadUse {
			if limit := g.leaveLimit(b, use.road); int(use.n) > limit {
				return fmt.Errorf("%d units retreated on road %d, which takes %d (NAP-7.2)", use.n, use.road, limit)
			}
		}
		for _, n := range b.crossed {
			if n > 2 {
				return errors.New("three units crossed a stream (NAP-6.21h)")
			}
		}
	}
	if g.phase != battlePhase && len(g.battles) > 0 {
		return errors.New("battles outlive their phase")
	}
	return nil
}
