package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
)

// afoot is a campaign of the pair of 1863 at its first dawn.
func afoot(t testing.TB, more map[string]string) *battlefield {
	t.Helper()
	chosen := map[string]string{"pair": "gettysburg", "campaign": "yes"}
	for k, v := range more {
		chosen[k] = v
	}
	p, _ := letters(t, chosen)
	answers(t, p, nil)
	is(t, "step", p.Prepare.Step, marching)
	return p
}

func TestCampaignByLetter(t *testing.T) {
	clause(t, "HFG-20.2", "a side sees its own forces, and where the enemy's stood at dawn", func(t *testing.T) {
		p := afoot(t, nil)
		seen := campaignSeen(p.Prepare.Map, first, func(f int) bool { return p.setting.commands[f].side == first })
		for i, s := range seen.Stands {
			own := p.setting.commands[i].side == first
			if own != (s.At != 0) {
				t.Errorf("force %d of %v: %+v", i, p.setting.commands[i].side, s)
			}
		}
		is(t, "sightings", len(seen.Seen), 2)
	})
	clause(t, "HFG-20.4", "a file with faults is refused with all of them, each in its period", func(t *testing.T) {
		p := afoot(t, nil)
		_, faults := handed(t, p.game, engine.Decision{Side: "red", Kind: stopMap}, "{centre: {morning: [greyfield, bridgend]}, cavalry: {morning: [bridgend], night: [greyfield, norbeck]}, left-corps: {afternoon: {demolish: greyfield}}}")
		want := []string{"HFG-20.4 hfg.map-period", "HFG-20.1 hfg.map-no-road", "HFG-20.5 hfg.map-night", "HFG-20.6 hfg.map-no-bridge"}
		slices.Sort(faults)
		slices.Sort(want)
		if strings.Join(faults, ",") != strings.Join(want, ",") {
			t.Errorf("%q\nwant %q", faults, want)
		}
	})
	clause(t, "HFG-20.7", "a third command on a stage is refused", func(t *testing.T) {
		p := afoot(t, nil)
		_, faults := handed(t, p.game, engine.Decision{Side: "blue", Kind: stopMap}, "{reserve: {morning: [langley]}, i-corps: {morning: [langley]}, ii-corps: {morning: [langley]}}")
		if !slices.Contains(faults, "HFG-20.7 hfg.map-crowded") {
			t.Errorf("%q", faults)
		}
	})
	clause(t, "HFG-R147", "the side that was first at the node defends, and only who is there deploys", func(t *testing.T) {
		p := afoot(t, nil)
		c := p.onMap()
		at := func(id, node string) {
			i, _ := c.Force(id)
			p.Prepare.Map.Stands[i].At, _ = c.Node(node)
		}
		at("red-centre", "greyfield")
		at("blue-i-corps", "eastbridge")
		at("blue-ii-corps", "langley")
		at("red-cavalry", "bridgend")
		answers(t, p, map[string]string{"red": "{cavalry: {morning: [eastbridge]}}"})
		is(t, "step", p.Prepare.Step, meeting)
		answers(t, p, nil)
		is(t, "step", p.Prepare.Step, grounding)
		is(t, "blue", p.role(second), defender)
		status := func(id string) status {
			i, _ := c.Force(id)
			return p.Commands[i+1].Status
		}
		is(t, "who met", status("red-cavalry"), active)
		is(t, "a stage away", status("blue-ii-corps"), delayed)
		is(t, "further off", status("blue-reserve"), absent)
		until(t, p, ready)
		is(t, "turn", p.Turn, 1)
		is(t, "of those that are absent", p.on(named(t, p.game, "blue-bay-a-1")), false)
		is(t, "of those that came", p.on(named(t, p.game, "blue-bay-b-1")), true)
		i, _ := c.Force("blue-ii-corps")
		if x := p.Commands[i+1]; x.Status == delayed && x.Arrives != 50 {
			t.Errorf("the defender's arrive in turn %d", x.Arrives)
		}
		is(t, "the battle goes on for two periods", p.sunset, 48)
		again(t, p.game)
	})
	clause(t, "HFG-20.6", "what the defender has dug on the map he has on the field", func(t *testing.T) {
		p := afoot(t, nil)
		p.Prepare.Map.Stands[4].Entrenchments = 2
		p.opening().dug(second, &p.Prepare.Map.Stands[4])
		is(t, "entrenchments", p.Prepare.has(second, defender, buysEntrenchment), 2)
		is(t, "of an attacker", p.Prepare.has(second, attacker, buysEntrenchment), 0)
	})
	clause(t, "HFG-R148", "who avoids the battle goes a stage, who can't is told, and whether he can the answer doesn't say", func(t *testing.T) {
		p := afoot(t, nil)
		c := p.onMap()
		for i := range p.Prepare.Map.Stands {
			if c.Forces[i].ID == "blue-i-corps" || c.Forces[i].ID == "red-cavalry" {
				p.Prepare.Map.Stands[i].At, _ = c.Node("bridgend")
			}
		}
		answers(t, p, nil)
		is(t, "step", p.Prepare.Step, meeting)
		_, faults := handed(t, p.game, engine.Decision{Side: "blue", Kind: stopNight}, "{battle: avoid, towards: newhaven}")
		is(t, "to no neighbour", strings.Join(faults, ","), "HFG-20.11 hfg.no-refuge")
		_, faults = handed(t, p.game, engine.Decision{Side: "blue", Kind: stopNight}, "{battle: avoid}")
		is(t, "slow foot may try", len(faults), 0)
		back := again(t, p.game)
		p.Dice.(*sequence).fixed = []int{6}
		answers(t, p, map[string]string{"blue": "{battle: avoid}"})
		is(t, "it is caught", p.Prepare.Step, grounding)
		if !slices.Contains(told(p), "HFG-20.11 hfg.no-escape") {
			t.Errorf("%q", told(p))
		}
		q := &battlefield{game: back, Story: play.Story{Dice: &sequence{fixed: []int{6}, rest: rand.New(rand.NewPCG(1, 1))}}}
		answers(t, q, map[string]string{"red": "{battle: avoid, towards: greyfield}"})
		is(t, "cavalry gets away", q.Prepare.Step, marching)
		i, _ := c.Force("red-cavalry")
		is(t, "to", c.Def(q.Prepare.Map.Stands[i].At).ID, "greyfield")
	})
	clause(t, "HFG-20.9", "the native side rests on the first day", func(t *testing.T) {
		p := afoot(t, map[string]string{"native-side": "red"})
		_, faults := handed(t, p.game, engine.Decision{Side: "red", Kind: stopMap}, "{centre: {morning: [greyfield]}}")
		if !slices.Contains(faults, "HFG-20.9 hfg.map-native") {
			t.Errorf("%q", faults)
		}
	})
}

// Campaigns at random, from their first dawn to the first turn of their battles: every answer is read
// back as the same, every position too.
func TestRandomCampaigns(t *testing.T) {
	fought := 0
	for seed := range uint64(6) {
		chance := rand.New(rand.NewPCG(seed, 3))
		p, d := letters(t, map[string]string{"pair": book().pairs[seed%4].id, "campaign": "yes"})
		d.rest = chance
		for range 400 {
			asked := p.asks()
			if len(asked) == 0 {
				fought++
				break
			}
			replies := map[engine.Side]play.Reply{}
			for _, one := range asked {
				v := &glimpse{p.game, p.sideOf(one.Side)}
				reply := opens[one.Kind].Random(v, one, chance)
				if p.Prepare.Step == meeting {
					reply = opens[one.Kind].Fallback(v, one)
				}
				text := reply.Node().Encode()
				back, faults := handed(t, p.game, one, text)
				if len(faults) > 0 {
					t.Fatalf("seed %d %s %s: %v\n%s", seed, one.Side, one.Kind, faults, text)
				}
				if got := back.Node().Encode(); got != text {
					t.Fatalf("seed %d %s: read back as\n%s\nnot\n%s", seed, one.Kind, got, text)
				}
				replies[one.Side] = reply
			}
			resolve(p, asked, replies)
			if back := again(t, p.game); string(back.marshal()) != string(p.marshal()) {
				t.Fatal("the position is read back as another")
			}
		}
	}
	is(t, "campaigns that came to a battle", fought, 6)
}

// A campaign, its battle and all between, by chance, through positions that can be and are read back as
// they are.
func TestCampaignToTheEndOfItsBattle(t *testing.T) {
	n := 0
	g := playOut(t, engine.Setup{Scenario: "two-armies", Options: map[string]string{"pair": "south-africa", "campaign": "yes"}}, 2, 100, func(g *game) error {
		if n++; n%5 == 0 {
			again(t, g)
		}
		return sound(g)
	})
	if g.Turn < 2 {
		t.Errorf("it has come to turn %d only", g.Turn)
	}
}
