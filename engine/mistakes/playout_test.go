package mistakes

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// setups are the set-ups that the tests play.
var setups = []rulestest.Setup{
	{Name: "historical", Setup: engine.Setup{}},
	{Name: "short", Setup: engine.Setup{Options: map[string]string{"game": "short"}}},
	{Name: "three players", Setup: engine.Setup{Options: map[string]string{"game": "ready-3p", "players": "3"}}},
	{Name: "free deployment", Setup: engine.Setup{Options: map[string]string{"game": "free-deploy"}}},
	{Name: "other readings", Setup: engine.Setup{Options: map[string]string{"game": "ready-3p", "ney": "on", "hill-stacks": "yes", "bridge-still-stream": "yes",
		"entry-on": "low", "substitute-on": "low", "leader-test": "3 and 2", "pursuit-on": "3 or less", "reinforce-all": "yes", "test-formation": "yes",
		"garrison-orange": "yes", "foot-unlimber-either": "yes", "melee-bonus": "elite", "reroll-from": "elite", "terrain-in-counter": "yes",
		"rout-strict": "yes", "split-points": "nobody", "terrain-vs-bombardment": "yes", "gb-smoked-support": "yes", "damage-on": "low", "entry-free-move": "yes",
		"strict-visibility": "yes", "free-generals": "yes", "ney-barred": "I", "garrison-withdraw": "melee", "attached-general-own-only": "yes",
		"garrison-uncontested": "yes", "players": "3", "separate-scores": "yes", "segment-um": "36000"}}},
}

// menuSetups are set-ups for what of the menu none of the others chooses: each game, three players in the historical one,
// and of every other option its last value.
func menuSetups(tb testing.TB) []rulestest.Setup {
	tb.Helper()
	said := func(name, value string) bool {
		return slices.ContainsFunc(setups, func(s rulestest.Setup) bool {
			got, ok := s.Setup.Options[name]
			return ok && (value == "" || got == value)
		})
	}
	all := []rulestest.Setup{{Name: "historical, three players", Setup: engine.Setup{Options: map[string]string{"players": "3"}}}}
	rest := map[string]string{"game": "free", "last-turn": "12", "wheel-limit": "30"}
	for _, o := range battle(tb).menu().Options {
		if o.Name != "game" {
			if !said(o.Name, "") && rest[o.Name] == "" {
				rest[o.Name] = o.Values[len(o.Values)-1]
			}
			continue
		}
		for _, game := range o.Values[1:] {
			if said("game", game) {
				continue
			}
			options := map[string]string{"game": game}
			if strings.Contains(game, "3p") {
				options["players"] = "3"
			}
			all = append(all, rulestest.Setup{Name: game, Setup: engine.Setup{Options: options}})
		}
	}
	return append(all, rulestest.Setup{Name: "the other readings", Setup: engine.Setup{Options: rest}})
}

// manyGames and firstGame are for a long run, which may be done in several parts.
var (
	manyGames = flag.Int("games", 0, "how many games TestPlayouts plays")
	firstGame = flag.Int("first", 0, "the seed of the first game that TestPlayouts plays")
	onlyNew   = flag.Bool("menu", false, "TestPlayouts plays only the set-ups that follow from the menu")
)

// Random games come to their end, under all readings: none is stuck, no position on the way
// is one that can't be, and no two pieces overlap after any event. A long run says how often it
// came to each kind of stop.
func TestPlayouts(t *testing.T) {
	setups, games := setups, len(setups)
	switch all := append(slices.Clone(setups), menuSetups(t)...); {
	case *onlyNew:
		setups, games = all[len(setups):], *manyGames
	case *manyGames > 0:
		setups, games = all, *manyGames
	case rulestest.FullSamples():
		setups, games = all, 4*len(all)
	}
	var events atomic.Int64
	watched = func(g *game) {
		events.Add(1)
		b := &breaches{game: g}
		b.ground()
		for _, one := range b.All { // a leader whom a unit has met is told of before he goes elsewhere
			if one.Why.Code == "em.position-overlap" || one.Why.Code == "em.position-off" {
				t.Errorf("after an event in turn %d: %v\n%s\n%s", g.Turn, one.Why, g.marshal(), debug.Stack())
			}
		}
	}
	defer func() { watched = nil }()
	count := &stopCount{n: map[string]int{}}
	observe := func() playout.Observer {
		sound := inOrder()
		return func(m playout.Moment) error { return errors.Join(sound(m), count.observe(m)) }
	}
	rulestest.Playouts(t, New(), setups, games, 2, observe, func(i int, g *playout.Game) {
		i += *firstGame
		g.Setup, g.Seed = setups[i%len(setups)].Setup, uint64(i)
		if i/len(setups)%2 == 1 {
			g.Choose = halfFair
		}
	})
	if *manyGames > 0 {
		t.Logf("%d games from seed %d, %d events", games, *firstGame, events.Load())
		for _, kind := range slices.Sorted(maps.Keys(stops)) {
			t.Logf("%s: %d", kind, count.n[kind])
		}
	}
}

// halfFair answers by chance at every other stop, so that armies that stray come to blows.
func halfFair(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
	if chance.IntN(2) == 0 {
		return rules.Sensible(view, d, chance)
	}
	return rules.Random(view, d, chance)
}

// A stopCount says how often each kind of stop came.
type stopCount struct {
	sync.Mutex
	n map[string]int
}

func (c *stopCount) observe(m playout.Moment) error {
	c.Lock()
	defer c.Unlock()
	for _, d := range m.Owed {
		c.n[d.Kind]++
	}
	return nil
}

// Whatever holds for every ruleset holds here, at every stop.
func TestProperties(t *testing.T) {
	check := playout.Properties{Rules: New(), Conserved: conserved, Answers: 1, Broken: 2, Every: 20}
	rulestest.Properties(t, setups, 3, check)
}

// inOrder is an observer that checks that each position is in order and follows from
// the last one.
func inOrder() playout.Observer { return rulestest.InOrder(conserved) }

// conserved checks one position, and that the rules can have led to it from the
// position before.
func conserved(before, after engine.Position) error {
	g, was := after.(*game), before.(*game)
	if all := g.flaws(); len(all) > 0 {
		return fmt.Errorf("%v", all)
	}
	for u := unitID(1); int(u) < len(g.Units); u++ {
		x, old, d := &g.Units[u], &was.Units[u], g.def(u)
		switch {
		case old.Gone != present && (g.on(u) || x.Gone != old.Gone):
			return fmt.Errorf("%s was %s and is back", d.id, fateWords[old.Gone])
		case was.on(u) && !g.on(u) && x.Gone == present:
			return fmt.Errorf("%s has left the field, and nobody knows how", d.id)
		case x.Losses < old.Losses && x.Gone == present:
			return fmt.Errorf("%s has %d losses after %d", d.id, x.Losses, old.Losses)
		}
	}
	if g.Turn < was.Turn {
		return fmt.Errorf("turn %d comes after turn %d", g.Turn, was.Turn)
	}
	return nil
}

// The digest of the rules covers everything that decides.
func TestSources(t *testing.T) { rulestest.Sources(t, New()) }
