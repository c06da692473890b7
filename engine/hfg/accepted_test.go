package hfg

import (
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// Answers that were accepted before a rule was read more strictly are refused no more; what they say is judged when its turn comes.
func TestWhatWasAcceptedStands(t *testing.T) {
	codes := func(of orders.Problems) string {
		var all []string
		for _, p := range of {
			all = append(all, p.Why.Code)
		}
		return strings.Join(all, " ")
	}
	sea := []areaDef{octagon("sea", waterway, 6000, 4000, 9000, 2000)}
	for text, want := range map[string]struct {
		ahead         int64
		refused, told string
	}{
		"{fire: [{element: r1, at: b1}]}":        {600, "hfg.shot-at-never", "hfg.not-shot"},
		"{moves: [{element: r1, forward: 100}]}": {0, "hfg.contact-never", "hfg.not-made"},
	} {
		clause(t, "HFG-14.2", text, func(t *testing.T) {
			g := fieldOn(t, &setting{year: 1905, areas: sea}, piece{"r1", rifles, 6000, 2900, 0, nil}, piece{"r2", rifles, 7000, 1000, 0, nil}, piece{"b1", submarine, 6000, 3000 + want.ahead, 180, nil})
			g.Phase, g.Turn, g.Commands[1].Score = moving, 1, 6
			p := &battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: slices.Repeat([]int{3}, 40)}}}
			g.owed = []engine.Decision{g.decision("red", stopTurn)}
			file := document(t, text)
			_, faults := declared.Read(g.view("red"), g.owed[0], file)
			is(t, "by a new file", codes(faults), want.refused)
			file.Accepted = true
			a, faults := declared.Read(g.view("red"), g.owed[0], file)
			is(t, "by one that was accepted", codes(faults), "")
			if err := p.advance(map[engine.Side]engine.Answer{"red": a}); err != nil {
				t.Fatal(err)
			}
			for range 3 { // blue may be asked, too
				if len(p.owed) > 0 && p.owed[0].Side == "blue" {
					b, _ := declared.Read(g.view("blue"), p.owed[0], document(t, "default"))
					if err := p.advance(map[engine.Side]engine.Answer{"blue": b}); err != nil {
						t.Fatal(err)
					}
				}
			}
			is(t, want.told, slices.ContainsFunc(p.Events, func(e engine.Event) bool {
				say, _ := e.For("red")
				return say.Code == want.told
			}), true)
		})
	}
	clause(t, "HFG-4.17", "a garrison goes off by road, and shoots from there", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1809, areas: []areaDef{octagon("town", bua, 4000, 2000, 600, 600)}, lines: []lineDef{lineOf("lane", road, 0, [2]int64{4000, 0}, [2]int64{4000, 6000})}},
			piece{"r1", muskets, 4000, 2000, 0, nil}, piece{"b1", muskets, 4000, 2780, 180, nil})
		heldBy(t, g, "r1", 1)
		g.Phase, g.Turn, g.Commands[1].Score = moving, 1, 6
		p := &battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: slices.Repeat([]int{3}, 40)}}}
		g.owed = []engine.Decision{g.decision("red", stopTurn)}
		file := document(t, "{moves: [{element: r1, road: lane, along: 300}], fire: [{element: r1, at: b1}]}")
		_, faults := declared.Read(g.view("red"), g.owed[0], file)
		is(t, "by a new file", codes(faults), "hfg.order-within hfg.shot-range")
		file.Accepted = true
		a, faults := declared.Read(g.view("red"), g.owed[0], file)
		is(t, "by one that was accepted", codes(faults), "")
		if err := p.advance(map[engine.Side]engine.Answer{"red": a}); err != nil {
			t.Fatal(err)
		}
		is(t, "not made", slices.ContainsFunc(p.Events, func(e engine.Event) bool {
			say, _ := e.For("red")
			return say.Code == "hfg.not-made"
		}), true)
	})
	accepted := func(g *game, d engine.Decision, text string) string {
		root, _ := orders.ParseNode([]byte(text))
		r := orders.NewReader(vocabulary)
		r.Accepted = true
		opens[d.Kind].Read(&glimpse{g, g.sideOf(d.Side)}, d, r, root)
		return codes(r.Problems)
	}
	clause(t, "HFG-20.7", "a third command on a stage", func(t *testing.T) {
		got := accepted(afoot(t, nil).game, engine.Decision{Side: "blue", Kind: stopMap}, "{reserve: {morning: [langley]}, i-corps: {morning: [langley]}, ii-corps: {morning: [langley]}}")
		is(t, "faults", got, "")
	})
	for _, at := range []struct {
		phase phase
		stop  string
		text  string
	}{{moving, stopTurn, "{dice: {double: [b1]}}"}, {casting, stopDice, "{double: [b1]}"}} {
		clause(t, "HFG-7.3", "a doubling without a die, at the stop "+at.stop, func(t *testing.T) {
			g := field(t, 1815, piece{"r1", muskets, 7000, 2000, 0, nil}, piece{"b1", hq, 5000, 4000, 180, []grade{brilliant}})
			g.Phase, g.Turn, g.Surprise = at.phase, 2, 2
			d := g.decision("blue", at.stop)
			g.owed = []engine.Decision{d}
			file := document(t, at.text)
			_, faults := declared.Read(g.view("blue"), d, file)
			is(t, "by a new answer", codes(faults), "hfg.double-none")
			file.Accepted = true
			a, faults := declared.Read(g.view("blue"), d, file)
			is(t, "by one that was accepted", codes(faults), "")
			p := &battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: slices.Repeat([]int{3}, 40)}}}
			if err := p.advance(map[engine.Side]engine.Answer{"blue": a}); err != nil {
				t.Fatal(err)
			}
			is(t, "he has doubled", p.Commands[p.command(named(t, g, "b1"))].Doubles, 0)
		})
	}
	clause(t, "HFG-R205", "dismountables hold their fire", func(t *testing.T) {
		g := field(t, 1865, piece{"r1", repeaters, 4000, 1000, 0, nil}, piece{"b1", bayonets, 4000, 1350, 180, nil})
		g.Phase, g.Turn, g.Standing = shooting, 2, []policyCase{{Key: policyDismount, Seat: "red", Do: "dismounted"}}
		d := g.decision("red", stopFire)
		file := document(t, "{fire: [{hold: r1}]}")
		_, faults := declared.Read(g.view("red"), d, file)
		is(t, "by a new answer", codes(faults), "hfg.hold-must")
		file.Accepted = true
		_, faults = declared.Read(g.view("red"), d, file)
		is(t, "by one that was accepted", codes(faults), "")
	})
	clause(t, "HFG-R208", "a ship shoots at a town behind an enemy", func(t *testing.T) {
		g := fieldOn(t, &setting{year: 1870, areas: []areaDef{octagon("sea", waterway, 4000, 2000, 7000, 3800), octagon("town", bua, 3700, 4300, 600, 600)}},
			piece{"r1", steamer, 4500, 2500, 90, nil}, piece{"b1", steamer, 4800, 3200, 180, nil})
		g.Phase, g.Turn = shooting, 2
		d := g.decision("red", stopFire)
		g.owed = []engine.Decision{d}
		file := document(t, "{fire: [{element: r1, at: town}]}")
		_, faults := declared.Read(g.view("red"), d, file)
		is(t, "by a new answer", codes(faults), "hfg.shot-nearest")
		file.Accepted = true
		a, faults := declared.Read(g.view("red"), d, file)
		is(t, "by one that was accepted", codes(faults), "")
		p := &battlefield{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: slices.Repeat([]int{3}, 40)}}}
		if err := p.advance(map[engine.Side]engine.Answer{"red": a}); err != nil {
			t.Fatal(err)
		}
		is(t, "its owner is told", slices.ContainsFunc(p.Events, func(e engine.Event) bool {
			say, _ := e.For("red")
			return say.Code == "hfg.not-shot"
		}), true)
	})
	clause(t, "HFG-R177", "a road in the bed of a stream is laid", func(t *testing.T) {
		p := placed(t, terrainPiece{Kind: roadPiece, By: first}, 3, 3)
		s := *p.setting
		s.lines = []lineDef{lineOf("stream-1", stream, 100, [2]int64{9000, 6000}, [2]int64{9000, 0}), lineOf("stream-2", stream, 100, [2]int64{3000, 6000}, [2]int64{3000, 0})}
		s.complete()
		p.setting = &s
		d := p.owed[0]
		_, refused := handed(t, p.game, d, "{place: road-1}")
		is(t, "by a new answer", strings.Join(refused, " "), "HFG-R177 hfg.piece-in-bed")
		file := document(t, "{place: road-1}")
		file.Accepted = true
		a, faults := declared.Read(p.game.view(d.Side), d, file)
		is(t, "by one that was accepted", codes(faults), "")
		if err := p.advance(map[engine.Side]engine.Answer{d.Side: a}); err != nil {
			t.Fatal(err)
		}
		_, there := p.lineNamed("road-1")
		is(t, "there is the road", there, true)
	})
}
