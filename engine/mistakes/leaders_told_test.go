package mistakes

import (
	"slices"
	"testing"
)

// What happens to leaders because of a unit is told to everybody, after what has happened to the unit.
func TestLeadersAreToldOf(t *testing.T) {
	told := func(p *battlefield) (all []string) {
		for _, e := range p.Events {
			same(t, "who is told of "+e.Tellings[0].Say.Code, e.Tellings[0].To, p.seats())
			all = append(all, e.Tellings[0].Say.Code)
		}
		return all
	}
	foe := piece{"blue-1", 600_000, 330_000, 180}
	clause(t, "EM-12.9", "a unit that backs off takes its general along, and another's steps aside", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0})
		l, other := leaderNamed(t, g, "orange"), leaderNamed(t, g, "hill")
		g.Leaders[l].At, g.Leaders[other].At = place{X: 600_000, Y: 265_000}, place{X: 620_000, Y: 265_000}
		p := played(t, g)
		p.backOff(named(t, g, "red-7"), named(t, g, "blue-1"), 1, false)
		same(t, "told", told(p), []string{"em.backs", "em.leader-taken-along", "em.leader-aside"})
	})
	clause(t, "EM-12.8", "the leader of a unit that is eliminated stands free", func(t *testing.T) {
		g := field(t, foe, piece{"red-7", 600_000, 300_000, 0}, piece{"red-8", 600_000, 500_000, 0})
		g.Leaders[leaderNamed(t, g, "orange")].Attached = named(t, g, "red-7")
		p := played(t, g)
		p.eliminate(named(t, g, "red-7"), blue)
		is(t, "told in the end", slices.Contains(told(p), "em.leader-free"), true)
	})
	clause(t, "EM-15.2", "that a formation is set in motion is told before who steps aside for its guns", func(t *testing.T) {
		g := field(t, piece{"blue-12", 300_000, 130_000, 0})
		g.Leaders[leaderNamed(t, g, "lobau")].At = place{X: 300_000, Y: 115_000}
		p := played(t, g)
		p.command(order{does: setsInMotion, by: leaderNamed(t, g, "drouot"), of: "blue-12"})
		same(t, "told", told(p), []string{"em.set-in-motion", "em.leader-aside"})
	})
	clause(t, "EM-7.10", "who stands free because the Grand Battery is split is told of, whatever splits it", func(t *testing.T) {
		g := begin(t, nil)
		derlon := leaderNamed(t, g, "derlon")
		g.attach(derlon, named(t, g, "blue-9"))
		part := all(t, g, "blue-23")
		for _, one := range []struct {
			by   string
			does func(*battlefield)
			want []string
		}{
			{"an order", func(p *battlefield) {
				p.command(order{does: splitsOff, by: derlon, of: "b-GB", units: setOf(part), as: "b-GB-2"})
			}, []string{"em.split-off", "em.leader-free"}},
			{"a manoeuvre", func(p *battlefield) { p.parted(move{Of: "b-GB", Part: setOf(part), As: "b-GB-2"}) }, []string{"em.leader-free"}},
			{"a reaction", func(p *battlefield) {
				p.react(reaction{by: derlon, units: setOf(part), does: step{Does: advancing, Far: 10_000}})
			}, []string{"em.reacts", "em.leader-free"}},
		} {
			p := played(t, g.trial())
			one.does(p)
			all := told(p)
			same(t, one.by, all[:min(len(one.want), len(all))], one.want)
		}
	})
	clause(t, "EM-2.5", "a general is eliminated with the last unit of his corps", func(t *testing.T) {
		g := begin(t, nil)
		lobau, last := leaderNamed(t, g, "lobau"), unitID(0)
		p := played(t, g)
		for _, u := range g.standing() {
			if g.def(u).corps == g.lead(lobau).corps {
				if last != 0 {
					p.takeOff(last, captured, red)
				}
				last = u
			}
		}
		p.settle()
		is(t, "he is there with one unit", g.inField(lobau), true)
		p.takeOff(last, captured, red)
		p.Events = nil
		p.settle()
		same(t, "told", told(p), []string{"em.leader-bereft"})
	})
}
