package mistakes

import "testing"

// Cases of the effects of bombardments and of leaders: chapters 7 and 13.
func TestBombardmentCases(t *testing.T) {
	guns := []piece{{"blue-34", 655_000, 201_000, 0}, {"blue-39", 670_000, 201_000, 0}, {"red-7", 662_000, 295_000, 180}}
	shot := func(t *testing.T, change func(g *game), supporters []string, rolls ...int) (*battlefield, fireRow) {
		t.Helper()
		g := field(t, guns...)
		if change != nil {
			change(g)
		}
		var all []unitID
		for _, id := range supporters {
			all = append(all, named(t, g, id))
		}
		lead, target := named(t, g, "blue-34"), named(t, g, "red-7")
		if fault := g.fireFault(lead, target, all); fault != nil {
			t.Fatal(fault)
		}
		p := played(t, g, rolls...)
		return p, p.bombard(lead, target, all)
	}
	clause(t, "EM-7.9", "smoke for all who took part, and the rows of the table", func(t *testing.T) {
		p, row := shot(t, nil, []string{"blue-39"}, 2, 2)
		is(t, "3 to 5", row, fireNothing)
		is(t, "the lead's smoke", p.Units[named(t, p.game, "blue-34")].Smoke, true)
		is(t, "the supporter's smoke", p.Units[named(t, p.game, "blue-39")].Smoke, true)
		is(t, "the supporter fires again", p.fires(named(t, p.game, "blue-39")), false)
		p, row = shot(t, nil, nil, 3, 3, 5)
		is(t, "6", row, fireDamage)
		is(t, "losses", p.Units[named(t, p.game, "red-7")].Losses, 1)
		p, row = shot(t, nil, []string{"blue-39"}, 4, 3, 5, 4)
		is(t, "7 and a supporter", row, fireHeavy)
		target, lead := named(t, p.game, "red-7"), named(t, p.game, "blue-34")
		is(t, "its owner is asked", p.asks(lead, target, row), true)
		p.shelled(lead, target, row, false)
		is(t, "it backs off", p.Units[target].At.Y, 325_000)
		p, row = shot(t, nil, nil, 4, 4, 1, 1)
		p.shelled(lead, target, row, true)
		is(t, "it stands: yellow", p.Units[target].Yellow, 1)
		is(t, "where", p.Units[target].At.Y, 295_000)
		p, row = shot(t, nil, nil, 6, 5, 1, 1)
		is(t, "11", row, fireRetreat)
		is(t, "losses without damage", p.Units[target].Losses, 1)
		p.shelled(lead, target, row, false)
		is(t, "it retreats", p.Units[target].At.Y, 325_000)
		is(t, "and is shaken", p.Units[target].Yellow, 1)
	})
	clause(t, "EM-7.9", "a natural 2 shakes the lead alone", func(t *testing.T) {
		p, _ := shot(t, nil, []string{"blue-39"}, 1, 1)
		is(t, "the lead's yellow", p.Units[named(t, p.game, "blue-34")].Yellow, 1)
		is(t, "the supporter's", p.Units[named(t, p.game, "blue-39")].Yellow, 0)
	})
	clause(t, "EM-7.12", "on the rear in the row 8 to 10: yellow, and nobody is asked", func(t *testing.T) {
		p, row := shot(t, func(g *game) { g.Units[named(t, g, "red-7")].Heading = 0 }, nil, 4, 4, 1, 1)
		lead, target := named(t, p.game, "blue-34"), named(t, p.game, "red-7")
		is(t, "its owner is asked", p.asks(lead, target, row), false)
		p.shelled(lead, target, row, false)
		is(t, "yellow", p.Units[target].Yellow, 1)
		is(t, "where", p.Units[target].At.Y, 295_000)
	})
	clause(t, "EM-7.10", "who supports the Grand Battery in contact keeps its fire", func(t *testing.T) {
		g := begin(t, nil)
		lead, other, target := named(t, g, "blue-23"), named(t, g, "blue-24"), named(t, g, "red-7")
		p := played(t, g, 1, 2)
		p.bombard(lead, target, []unitID{other})
		is(t, "24's smoke", g.Units[other].Smoke, false)
		is(t, "24 fires", g.fires(other), true)
		is(t, "23 fires", g.fires(lead), false)
	})
	clause(t, "EM-7.8", "what may not be fired is refused with its clause", func(t *testing.T) {
		g := field(t, guns...)
		lead, target := named(t, g, "blue-34"), named(t, g, "red-7")
		at := func(lead, target unitID, s ...unitID) string {
			if f := g.fireFault(lead, target, s); f != nil {
				return f.Clause
			}
			return ""
		}
		is(t, "no gun", at(target, lead), "EM-7.2")
		is(t, "a friend", at(lead, named(t, g, "blue-39")), "EM-7.3")
		is(t, "twice the same supporter", at(lead, target, named(t, g, "blue-39"), named(t, g, "blue-39")), "EM-7.8")
		g.Units[lead].Smoke = true
		is(t, "smoke", at(lead, target), "EM-7.1")
	})
	clause(t, "EM-14.3", "the last row shakes a garrison; a second time it routs Hougoumont, and Haye Sainte not", func(t *testing.T) {
		for id, want := range map[string]unit{
			"hougoumont":  {Gone: eliminated, By: blue},
			"haye-sainte": {At: place{X: 576_000, Y: 366_000}, Heading: 180, Yellow: 1},
		} {
			g := field(t, piece{"blue-34", 330_000, 257_000, 90}, piece{"hougoumont", 405_000, 257_000, 180}, piece{"haye-sainte", 576_000, 366_000, 180})
			lead, target := named(t, g, "blue-34"), named(t, g, id)
			p := played(t, g)
			is(t, "its owner is asked", p.asks(lead, target, fireHeavy), false)
			was := g.Units[target]
			p.shelled(lead, target, fireHeavy, false)
			is(t, id+" after the row before it", g.Units[target], was)
			p.shelled(lead, target, fireRetreat, false)
			was.Yellow = 1
			is(t, id+" after the first retreat", g.Units[target], was)
			p.shelled(lead, target, fireRetreat, false)
			is(t, id+" after the second", g.Units[target], want)
		}
	})
	clause(t, "EM-14.4", "a garrison in its town: 2 less", func(t *testing.T) {
		g := field(t, piece{"blue-34", 330_000, 257_000, 90}, piece{"hougoumont", 405_000, 257_000, 180})
		is(t, "the sum", sum(g.fireModifiers(named(t, g, "blue-34"), named(t, g, "hougoumont"), 0)), -2)
		is(t, "defending", g.combatTerrain(named(t, g, "hougoumont"), true), 2)
	})
	with := func(t *testing.T, id string, yellow int, rolls ...int) *battlefield {
		t.Helper()
		g := field(t, guns...)
		u := named(t, g, "red-7")
		g.Leaders[leaderNamed(t, g, id)] = leader{Attached: u}
		g.Units[u].Yellow = yellow
		p := played(t, g, rolls...)
		p.test(leaderNamed(t, g, id), yellow, false, blue)
		return p
	}
	clause(t, "EM-13.2", "two dice, less his level and the unit's state", func(t *testing.T) {
		p := with(t, "hill", 1, 3, 2)
		is(t, "3 + 2 - 2 - 1", p.Leaders[leaderNamed(t, p.game, "hill")].Gone, eliminated)
		p = with(t, "hill", 1, 3, 3)
		is(t, "3 + 3 - 2 - 1", p.Leaders[leaderNamed(t, p.game, "hill")].Gone, present)
		p = with(t, "orange", 0, 1, 2)
		is(t, "level 1: 1 + 2 - 1", p.Leaders[leaderNamed(t, p.game, "orange")].Gone, eliminated)
		p = with(t, "orange", 2, 2, 3)
		is(t, "routed: 2 + 3 - 1 - 2", p.Leaders[leaderNamed(t, p.game, "orange")].Gone, eliminated)
		p = with(t, "wellington", 0, 1, 1)
		is(t, "Wellington: who has won", p.winner(), blue)
		g := field(t, guns...)
		is(t, "fought before", g.attachedModifier(leaderNamed(t, g, "orange"), 0, true), -2)
	})
	clause(t, "EM-13.2", "damage by a bombardment tests him", func(t *testing.T) {
		p, _ := shot(t, func(g *game) { g.Leaders[leaderNamed(t, g, "orange")].Attached = named(t, g, "red-7") }, nil, 3, 3, 1, 6, 6)
		is(t, "Orange", p.Leaders[leaderNamed(t, p.game, "orange")].Gone, present)
	})
	clause(t, "EM-13.4", "a free leader who is met: captured on 3 or less, easier by cavalry", func(t *testing.T) {
		for _, c := range []struct {
			by   string
			die  int
			want fate
		}{{"blue-13", 3, captured}, {"blue-13", 4, present}, {"blue-45", 4, captured}, {"blue-45", 5, present}, {"blue-7", 5, captured}, {"blue-7", 6, present}} {
			g := field(t, piece{c.by, 600_000, 300_000, 0})
			l := leaderNamed(t, g, "hill")
			g.Leaders[l].At = place{X: 600_000, Y: 330_000}
			played(t, g, c.die).caught(l, named(t, g, c.by))
			is(t, c.by, g.Leaders[l].Gone, c.want)
		}
		g := field(t, piece{"blue-13", 600_000, 300_000, 0})
		l := leaderNamed(t, g, "hill")
		g.Leaders[l].At = place{X: 600_000, Y: 330_000}
		x := flight{l, g.Leaders[l].At, 0}
		at, ok := g.escapePlace(x)
		is(t, "he escapes", ok, true)
		is(t, "where", at, point{X: 600_000, Y: 390_000})
		is(t, "60.001 mm", g.escapeFault(x, point{X: 600_000, Y: 390_001}) == nil, false)
		is(t, "onto a unit", g.escapeFault(x, point{X: 600_000, Y: 310_000}) == nil, false)
	})
	clause(t, "EM-R87", "he is met anywhere on the way", func(t *testing.T) {
		g := field(t, piece{"blue-13", 600_000, 300_000, 0})
		l, b := leaderNamed(t, g, "hill"), g.body(named(t, g, "blue-13"))
		g.Leaders[l].At = place{X: 600_000, Y: 360_000}
		for _, c := range []struct {
			far  int64
			want bool
		}{{90_000, true}, {37_500, false}, {37_501, true}} {
			_, met := g.meets(l, b, 0, c.far)
			is(t, "met", met, c.want)
		}
		at, _ := g.meets(l, b, 0, 90_000)
		is(t, "the sample at which he is met", at, 38_000)
	})
	clause(t, "EM-13.4", "a unit that is driven back over a free enemy leader", func(t *testing.T) {
		for die, want := range map[int]fate{3: captured, 4: present} {
			g := field(t, piece{"blue-1", 600_000, 400_000, 180}, piece{"red-7", 600_000, 300_000, 0})
			l := leaderNamed(t, g, "drouot")
			g.Leaders[l].At = place{X: 600_000, Y: 262_000}
			played(t, g, die).backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false)
			is(t, "Drouot", g.Leaders[l].Gone, want)
			if want == present {
				at, _ := g.escapePlace(g.Fleeing[0])
				is(t, "where he escapes", at, point{X: 600_000, Y: 202_000})
			}
			is(t, "the unit", g.Units[named(t, g, "red-7")].At.Y, 270_000)
		}
	})
	clause(t, "EM-13.5", "without Blucher the game goes on", func(t *testing.T) {
		g := begin(t, nil)
		g.Leaders[leaderNamed(t, g, "blucher")].Gone = captured
		is(t, "who has fallen", g.fallen(), noArmy)
	})
}
