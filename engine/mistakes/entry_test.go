package mistakes

import "testing"

// Cases of the Prussian entry: chapter 6.
func TestEntryCases(t *testing.T) {
	clause(t, "EM-6.1", "5 and 6 in turn 8, 4 to 6 in turn 9, in turn 12 always", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "a roll in turn 1", g.entryRoll(), false)
		for _, c := range []struct {
			turn, die int
			want      bool
		}{{8, 4, false}, {8, 5, true}, {9, 3, false}, {9, 4, true}, {11, 2, true}, {11, 1, false}, {12, 1, true}} {
			g.Turn = c.turn
			is(t, "a roll", g.entryRoll(), true)
			is(t, "entry", played(t, g, c.die).comes(), c.want)
		}
		is(t, "a roll in the short game", begin(t, map[string]string{"game": "short"}).entryRoll(), false)
	})
	clause(t, "EM-6.2", "in the area, at the stretch, on nobody and in no enemy's area; green", func(t *testing.T) {
		fault := func(x, y int64, heading int, others ...piece) string {
			g := field(t, append([]piece{{"black-18", x, y, heading}}, others...)...)
			u := named(t, g, "black-18")
			if f := g.entryFault(u); f != nil {
				return f.Why.Code
			}
			return code(g.stretchFault(g.of(u), g.nextStretch()))
		}
		is(t, "at the edge", fault(1_105_000, 200_000, 270), "")
		is(t, "0.5 mm from the edge", fault(1_104_500, 200_000, 270), "")
		is(t, "0.501 mm from it", fault(1_104_499, 200_000, 270), "em.entry-stretch")
		is(t, "at another stretch", fault(1_105_000, 400_000, 270), "em.entry-stretch")
		is(t, "outside the area", fault(1_000_000, 200_000, 270), "em.entry-area")
		is(t, "before an enemy", fault(1_105_000, 200_000, 270, piece{"blue-13", 1_050_000, 200_000, 90}), "em.entry-engaged")
		is(t, "one segment before him", fault(1_105_000, 200_000, 270, piece{"blue-13", 1_045_000, 200_000, 90}), "")
		g := field(t, piece{"black-18", 1_105_000, 200_000, 270}, piece{"black-19", 1_075_000, 200_000, 270})
		f := g.of(named(t, g, "black-18"))
		is(t, "a column with its rear at the edge", g.entryFault(f.Units[0]) == nil && g.stretchFault(f, g.nextStretch()) == nil, true)
		g.begins(f.Corps)
		is(t, "green", f.Green, true)
	})
	clause(t, "EM-6.3", "corps IV, II, I by stretches III, II, I", func(t *testing.T) {
		g := begin(t, nil)
		var order []string
		for next := g.nextStretch(); next != nil; next = g.nextStretch() {
			order = append(order, next.id+" "+g.corps[next.corps-1].id)
			g.begins(next.corps)
		}
		same(t, "the order", order, []string{"III black-IV", "II black-II", "I black-I"})
		is(t, "a roll when it has come", g.entryRoll(), false)
	})
	clause(t, "EM-6.4", "black bids from the turn it enters; what finds no room waits", func(t *testing.T) {
		g := begin(t, nil)
		c := corpsNamed(t, g, "black-IV")
		all := len(g.waiting(c))
		same(t, "who bids", g.inPlay(), []army{blue, red})
		withBlack(t, g)
		same(t, "who bids", g.inPlay(), []army{blue, red, black})
		is(t, "who waits", len(g.waiting(c)), all-1)
	})
	clause(t, "EM-6.5", "the blue limit holds until corps IV is there", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "it holds", g.limited(), true)
		g.begins(corpsNamed(t, g, "black-IV"))
		is(t, "it holds", g.limited(), false)
	})
	clause(t, "EM-6.6", "the green of the entry is lost without an order", func(t *testing.T) {
		g := begin(t, nil)
		withBlack(t, g)
		g.begins(corpsNamed(t, g, "black-IV"))
		g.loseGreen(func(f *formation) bool { return f.ID != "k1" })
		is(t, "green", g.formationNamed("k1").Green, false)
	})
}
