package waterloo

import (
	"slices"
	"testing"

	"berthier/engine/playout"
	"berthier/engine/rulestest"
)

// moments gives stops of all kinds, with what was answered there. They are shared:
// whoever changes a position clones it.
var moments = rulestest.Once(findMoments)

func findMoments(tb testing.TB) []playout.Moment {
	tb.Helper()
	all := rulestest.Moments(tb, 4, func(keep playout.Observer) error {
		for seed := range 2 * len(setups) {
			game := playout.Game{Rules: New(), Setup: setups[seed%len(setups)].Setup, Seed: uint64(seed)}
			if seed%6 == 0 { // two weak attackers of one strength before Hougoumont
				game.Start = hopelessAttack(tb)
			}
			if _, err := game.Play(keep); err != nil {
				return err
			}
		}
		return nil
	})
	for kind := range stops {
		if !slices.ContainsFunc(all, func(m playout.Moment) bool { return m.Owed[0].Kind == kind }) {
			tb.Errorf("no game by chance came to the stop %s", kind)
		}
	}
	return all
}

// hopelessAttack is a battle in which the attacker has to say which of two units is
// reduced, unless cards turn the battle (WAT-S9).
func hopelessAttack(tb testing.TB) *game {
	g := begun(tb, nil)
	m := umpire{tb, g}
	m.put("F-3C", "J-5", east)
	m.put("F-20/VI", "J-7", west).Reduced = true
	r := g.roundNow()
	r.Played, r.Stage = 1, roundFought
	g.use(g.Decks[french].Hand[0])
	b := g.expected(m.id("A-1/I"), []unitID{m.id("F-3C"), m.id("F-20/VI")}, false, false)
	for _, f := range b.Attackers {
		g.unit(f.Unit).Attacked = true
	}
	b.Attack.Filed = true
	g.push(b)
	m.asking("anglo", stopCommit, "A-1/I")
	return g
}

// Order files come from strangers.
func FuzzRead(f *testing.F) {
	rulestest.Reads(f, moments(f), playout.Properties{Rules: New(), Conserved: conserved},
		"orders: [{card: F06, move: [{unit: 3/I, path: [J-13, face O]}], attack: {target: A-3/I, with: [4/I], cards: [F04, {card: F16, as: command}], advance: {face: W}, after: go}}]",
		"orders: none\nstanding: {artillery: {rules: [{at: any, when: entered}]}, battle: {default: none}, loss: {default: [cdp, retreat]}}")
}

// Positions come from files that a game master has edited.
func FuzzLoad(f *testing.F) { rulestest.Loads(f, New(), moments(f)) }
