package mistakes

import (
	"strings"
	"testing"

	"berthier/engine"
)

// What was accepted before a rule was mended is read as it was then, so that a game goes on; the same file is refused if it
// is new.
func TestAcceptedBeforeIsReadAsItWas(t *testing.T) {
	splitting := field(t, piece{"blue-25", 300_000, 130_000, 0}, piece{"blue-26", 330_000, 130_000, 0}, piece{"blue-27", 360_000, 130_000, 0}, piece{"red-9", 700_000, 600_000, 180})
	splitting.Phase, splitting.Order = ordering, []army{blue, red}
	l := leaderNamed(t, splitting, "reille")
	splitting.Leaders[l] = leader{At: place{X: 330_000, Y: 60_000}, Markers: 6}
	pursuing := beaten(t, "blue-32", "red-5", piece{"red-4", 270_000, 160_000, 180}, piece{"red-3", 240_000, 130_000, 180})
	pursuing.Combat.Chase.Mates = all(t, pursuing, "red-3", "red-4", "red-5")
	is(t, "asked", played(t, pursuing).goOn(askPursuit), true)
	grazing := field(t, piece{"blue-28", 300_000, 100_000, 0}, piece{"red-7", 300_000, 230_000, 180}, piece{"red-8", 330_000, 170_000, 0}, piece{"blue-13", 360_000, 170_000, 270})
	grazing.Phase, grazing.Order = manoeuvring, []army{blue, red}
	moves(t, grazing, "blue-28")
	const part = "{by: reille, split: blue-25, part: [27], as: blue-25-2, set-in-motion: part}, "
	for _, c := range []struct {
		g          *game
		kind, says string
		fault      string
	}{
		{splitting, stopOrders, "[" + part + "{by: reille, set-in-motion: blue-25}]", "em.order-rest"},
		{splitting, stopOrders, "[" + part + "{by: reille, split: blue-25, part: [26], as: blue-25-3, set-in-motion: part}]", "em.order-rest"},
		{grazing, stopManoeuvres, "[{formation: blue-28, charge: red-7, heading: 0}]", "em.charge-short"},
		{pursuing, stopPursue, "{pursue: cavalry, target-mod: down, general-mod: down, heading: 90}", "em.pursuit-past"},
		{pursuing, stopPursue, "{pursue: cavalry, target-mod: down, general-mod: down, side-step: left}", "em.pursuit-past"},
		{pursuing, stopPursue, "{pursue: cavalry, target-mod: down, general-mod: down, target: red-3}", "em.pursuit-past"},
	} {
		d := engine.Decision{Side: "blue", Kind: c.kind}
		is(t, c.says, file(t, c.g, d, c.says), c.fault)
		doc := document(t, c.says)
		doc.Accepted = true
		a, faults := declared.Read(c.g.view(d.Side), d, doc)
		if len(faults) > 0 {
			t.Errorf("%s: once accepted it is refused: %v", c.says, faults)
			continue
		}
		is(t, "meaning", strings.TrimPrefix(strings.Join(strings.Fields(a.Orders().Encode()), " "), "orders: "), c.says)
	}
}
