package mistakes

import "testing"

// Cases that reading the rulebook against the code has asked for: retreats that can't be made, who
// withdraws from a garrison, and in what order leaders are tested.
func TestReadCases(t *testing.T) {
	foe := piece{"blue-1", 600_000, 330_000, 180}
	clause(t, "EM-R99", "the friend behind who can't has one marker only", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-20", 600_000, 270_000, 90}, piece{"blue-2", 600_000, 230_000, 0})
		played(t, g).retreat(named(t, g, "red-7"), named(t, g, "blue-1"), false)
		is(t, "the first", g.Units[named(t, g, "red-7")].Gone, captured)
		is(t, "the second's yellow", g.Units[named(t, g, "red-20")].Yellow, 1)
	})
	clause(t, "EM-14.2", "a formation withdraws from a garrison once, with however many units it touches it", func(t *testing.T) {
		g := field(t, piece{"blue-28", 405_000, 234_500, 0}, piece{"hougoumont", 405_000, 257_000, 180},
			piece{"blue-29", 427_500, 264_500, 0}, piece{"red-5", 405_000, 203_000, 0})
		meeting(t, g, melee{}, "blue-28", "hougoumont")
		played(t, g).joins(named(t, g, "blue-28"))
		played(t, g).joins(named(t, g, "hougoumont"))
		is(t, "one formation", g.of(named(t, g, "blue-28")), g.of(named(t, g, "blue-29")))
		played(t, g).leaveGarrison()
		for _, id := range []string{"blue-28", "blue-29"} {
			is(t, id+"'s losses", g.Units[named(t, g, id)].Losses, 1)
		}
	})
}
