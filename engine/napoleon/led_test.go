package napoleon

import (
	"strings"
	"testing"

	"berthier/engine/playout"
)

// A file may name a plan for one battle turn in place of actions. It is a legal answer, whose
// normal form says what the units do; the plan hold is the default, as is a list of actions
// that says nothing.
func TestPlanOfOneBattleTurn(t *testing.T) {
	differ, tried := 0, 0
	for i, one := range setups {
		g := playout.Game{Rules: New(), Start: battleground(t, one.Setup, uint64(900+i)), Seed: uint64(i), MaxStops: 600}
		_, err := g.Play(func(m playout.Moment) error {
			for _, d := range m.Owed {
				if d.Kind != "battle-turn" || m.Number%4 > 0 {
					continue
				}
				usual := New().Default(m.Position.View(d.Side), d).Orders().Encode()
				for _, plan := range []string{"hold", "withdraw", "screen", "square", "none", "{assault: left}", "{assault: center}", "{assault: right}"} {
					a, faults := read(t, m.Position.(*game), d, "orders: {plan: "+plan+", actions: [end]}")
					if len(faults) > 0 {
						t.Fatalf("%s: %v", plan, faults)
					}
					normal := a.Orders().Encode()
					switch again, faults := read(t, m.Position.(*game), d, normal); {
					case len(faults) > 0 || again.Orders().Encode() != normal:
						t.Fatalf("%s: %v\n%s", plan, faults, normal)
					case plan == "hold" && normal != usual:
						t.Fatalf("hold means\n%snot\n%s", normal, usual)
					case plan == "none" && strings.Contains(normal, "- "):
						t.Fatalf("somebody acts:\n%s", normal)
					case normal != usual:
						differ++
					}
					tried++
				}
				if a, faults := read(t, m.Position.(*game), d, "orders: {actions: [end]}"); len(faults) > 0 || a.Orders().Encode() != usual {
					t.Fatalf("said nothing: %v", faults)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if tried < 100 || differ < 40 {
		t.Errorf("%d plans of %d differ from the default", differ, tried)
	}
}

// What a plan can't say is refused: actions beside it, a plan that is none, an assault
// nowhere.
func TestPlanOfOneBattleTurnIsRefused(t *testing.T) {
	seen := false
	g := playout.Game{Rules: New(), Start: battleground(t, setups[0].Setup, 900), Seed: 1, MaxStops: 600}
	_, err := g.Play(func(m playout.Moment) error {
		for _, d := range m.Owed {
			if d.Kind != "battle-turn" || seen {
				continue
			}
			seen = true
			for file, code := range map[string]string{
				"{plan: hold, actions: [{fire: F-02}, end]}": "nap.turn-plan-actions",
				"{plan: hold, actions: none}":                "nap.turn-plan-actions",
				"{plan: assault}":                            "order.unknown-word",
				"{plan: {assault: forward}}":                 "order.unknown-word",
				"{plan: {hold: left}}":                       "order.unknown-key",
			} {
				if _, faults := read(t, m.Position.(*game), d, "orders: "+file); len(faults) == 0 || faults[0].Why.Code != code {
					t.Errorf("%s: %v", file, faults)
				}
			}
		}
		return nil
	})
	if err != nil || !seen {
		t.Fatal(seen, err)
	}
}

// Only a unit that its move names alone is forced by that move.
func TestForceIsForOneUnit(t *testing.T) {
	g := scatter(t, chance(1))
	d := g.Owed()[0]
	from := g.towns[g.view(d.Side).unit(g.view(d.Side).livingUnits()[0]).town].name
	for _, units := range []string{"all", "[F-02, F-03]", "[rest]"} {
		_, faults := read(t, g, d, "orders: [{move: {from: "+from+", to: Charleroi, units: "+units+", force: yes}}]")
		found := false
		for _, f := range faults {
			found = found || f.Why.Code == "nap.move-force-one"
		}
		if !found {
			t.Errorf("%s: %v", units, faults)
		}
	}
}
