package waterloo

import (
	"fmt"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// setups are the set-ups that the tests play.
var setups = []rulestest.Setup{
	{Name: "full", Setup: engine.Setup{}},
	{Name: "quick", Setup: engine.Setup{Options: map[string]string{"scenario_length": "quick"}}},
	{Name: "three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}},
	{Name: "open", Setup: engine.Setup{Options: map[string]string{"setup": "open", "scenario_length": "quick", "artillery_after_reveal": "true"}}},
	{Name: "own rounds", Setup: engine.Setup{Options: map[string]string{"allied_exclusive": "own-round", "players": "3", "allied_share_hands": "true", "health_shown": "true"}}},
	{Name: "other readings", Setup: engine.Setup{Options: map[string]string{"attack_bank": "true", "zero_mp_play": "false", "artillery_across_pond": "false",
		"chateau_cavalry_immune": "false", "chateau_doubles_attack": "true", "bridge_cancels_malus": "true", "command_stack": "true",
		"entry_shift": "true", "lone_commander_trigger": "move-only"}}},
}

// Random games come to their end, under all readings.
func TestPlayouts(t *testing.T) {
	games := 20 * len(setups)
	if !fullSamples {
		games = 2 * len(setups)
	}
	rulestest.Playouts(t, New(), setups, games, 2, inOrder)
}

// Games in which nobody ever sends orders, or only one seat does, also come to their
// end.
func TestPlayoutsOfDefaults(t *testing.T) {
	rulestest.Defaults(t, New(), setups, inOrder, "french", "anglo", "prussian")
}

// Whatever holds for every ruleset holds here, at every stop.
func TestProperties(t *testing.T) {
	games := 2 * len(setups)
	check := playout.Properties{Rules: New(), Conserved: conserved, Answers: 1, Broken: 2, Every: 3}
	if !fullSamples {
		games, check.Every = len(setups), 25
	}
	rulestest.Properties(t, setups, games, check)
}

// inOrder is an observer that checks that each position is in order and follows from
// the last one.
func inOrder() playout.Observer { return rulestest.InOrder(conserved) }

// conserved checks one position, and that the rules can have led to it from the
// position before.
func conserved(before, after engine.Position) error {
	g, was := after.(*game), before.(*game)
	if len(g.Units) != len(g.roster)+1 {
		return fmt.Errorf("%d units of %d", len(g.Units)-1, len(g.roster))
	}
	at := map[square]unitID{}
	for i := 1; i < len(g.Units); i++ {
		id := unitID(i)
		u, old, d := &g.Units[i], &was.Units[i], g.def(id)
		switch {
		case u.Dead && u.At != 0:
			return fmt.Errorf("%s is eliminated and stands in %s", d.id, g.squareID(u.At))
		case old.Dead && !u.Dead:
			return fmt.Errorf("%s came back to life", d.id)
		case old.At != 0 && u.At == 0 && !u.Dead:
			return fmt.Errorf("%s left the board alive", d.id)
		case old.At == 0 && u.At != 0 && (d.arrives == 0 || d.arrives > g.Turn):
			return fmt.Errorf("%s entered in turn %d", d.id, g.Turn)
		case u.Reduced && d.reduced == 0:
			return fmt.Errorf("%s has no reduced side (WAT-9.1)", d.id)
		case u.At != 0 && u.Face == noFacing:
			return fmt.Errorf("%s faces nowhere", d.id)
		}
		if u.At == 0 {
			continue
		}
		if other := at[u.At]; other != 0 {
			return fmt.Errorf("%s and %s are both in %s (WAT-8.9)", d.id, g.def(other).id, g.squareID(u.At))
		}
		at[u.At] = id
	}
	for i := range g.commanders {
		q := g.Commanders[i+1].At
		if with := at[q]; q != 0 && with != 0 && g.campOf(with) != g.commanders[i].army.camp() && len(g.Flow) <= 2 {
			return fmt.Errorf("%s is with %s", g.commanders[i].id, g.def(with).id)
		}
	}
	for i := range g.chateaux {
		if g.CDP[i+1] > was.CDP[i+1] || g.CDP[i+1] < 0 {
			return fmt.Errorf("%s has %d destruction points after %d (WAT-10.6)", g.chateaux[i].id, g.CDP[i+1], was.CDP[i+1])
		}
	}
	return g.decked(was)
}

// decked checks that each deck is whole and each card in one zone, and that cards
// that were used in a turn stay used in it.
func (g *game) decked(was *game) error {
	for a := french; a <= prussian; a++ {
		zone := map[cardID]int{}
		for _, list := range [...][]cardID{g.Decks[a].Hand, g.Decks[a].Used, g.Decks[a].Shown, g.Decks[a].Committed} {
			for _, c := range list {
				zone[c]++
				if c == 0 || g.card(c).army != a {
					return fmt.Errorf("card %d is in the deck of %s", c, a)
				}
			}
		}
		for c, n := range zone {
			if n != 1 {
				return fmt.Errorf("%s is in %d places", g.card(c).id, n)
			}
		}
		if n := len(zone) + len(g.unseen(a)); n != len(g.deckOf(a)) {
			return fmt.Errorf("the deck of %s has %d cards of %d (WAT-6.0)", a, n, len(g.deckOf(a)))
		}
		if n := len(g.Decks[a].Hand); g.Turn <= len(g.hands[a]) && n > g.hands[a][g.Turn-1] {
			return fmt.Errorf("the hand of %s has %d cards in turn %d (WAT-3.4)", a, n, g.Turn)
		}
		if g.Turn != was.Turn {
			continue
		}
		for _, c := range was.Decks[a].Shown {
			if !slices.Contains(g.Decks[a].Shown, c) {
				return fmt.Errorf("%s was drawn and is forgotten (WAT-7.4)", g.card(c).id)
			}
		}
		for _, c := range was.Decks[a].Used {
			if zone[c] == 0 || g.holds(c) {
				return fmt.Errorf("%s was used and is not any more (WAT-6.4)", g.card(c).id)
			}
		}
	}
	return nil
}
