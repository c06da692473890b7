package hfg

import (
	"math/rand/v2"
	"testing"

	"berthier/engine/play"
)

// rolling plays a game with dice.
func rolling(g *game, dice ...int) *battlefield {
	return &battlefield{game: g, Story: play.Story{Dice: &sequence{fixed: dice, rest: rand.New(rand.NewPCG(1, 2))}}}
}

func TestSurprise(t *testing.T) {
	ambush := func(t *testing.T, dice ...int) *battlefield {
		p := planned(t, nil, []lineDef{westEast()})
		p.Prepare.Hidden[first] = 2
		answers(t, p, nil)
		answers(t, p, nil)
		p.Prepare.Hidden[first] = 2
		p.Dice.(*sequence).fixed = dice
		return p
	}
	brilliantly := func(p *battlefield) {
		s := *p.setting
		s.roster = append([]elementDef{}, s.roster...)
		for i := range s.roster {
			if s.roster[i].id == "red-centre-gen" {
				s.roster[i].grades = []grade{brilliant}
			}
		}
		s.complete()
		p.setting = &s
	}
	clause(t, "HFG-6.14", "a 2, a brilliant commander and two positions: five turns", func(t *testing.T) {
		p := ambush(t, 2)
		brilliantly(p)
		p.surprises()
		is(t, "turns", p.Surprise, 5)
		is(t, "the defender's dice", len(p.eachDie(second, 2)), 0)
		p.alarms()
		is(t, "after a shot", p.Surprise, 0)
		is(t, "the defender's dice", len(p.eachDie(second, 2)) > 0, true)
	})
	clause(t, "HFG-6.14", "mist adds 3, an inert defender 2, Aeronauts take 4 in good weather", func(t *testing.T) {
		p := ambush(t)
		is(t, "two positions", p.surpriseBonus(), 2)
		p.Sky = misty
		is(t, "mist", p.surpriseBonus(), 5)
		p.Sky = fair
		s := *p.setting
		s.roster = append([]elementDef{}, s.roster...)
		for i := range s.roster {
			switch s.roster[i].id {
			case "blue-reserve-gen":
				s.roster[i].grades = []grade{inert}
			case "blue-mk-b-1":
				s.roster[i].troop = aeronauts
			}
		}
		s.complete()
		p.setting = &s
		is(t, "inert, and Aeronauts", p.surpriseBonus(), 2+2-4)
		p.Sky = misty
		is(t, "in mist they don't see", p.surpriseBonus(), 2+2+3)
	})
	clause(t, "HFG-6.14", "a total of 0 or less is no surprise", func(t *testing.T) {
		p := ambush(t, 1)
		p.Prepare.Hidden[first] = 0
		s := *p.setting
		s.roster = append([]elementDef{}, s.roster...)
		for i := range s.roster {
			if s.roster[i].id == "blue-mk-b-1" {
				s.roster[i].troop = aeronauts
			}
		}
		s.complete()
		p.setting = &s
		p.surprises()
		is(t, "turns", p.Surprise, 0)
	})
	clause(t, "HFG-R32", "it ends when an attacker is seen within 800 paces, and who has bought no position doesn't roll", func(t *testing.T) {
		p := ambush(t, 3)
		p.surprises()
		p.startles()
		is(t, "far off", p.Surprise > 0, true)
		e, o := named(t, p.game, "red-min-a-1"), named(t, p.game, "blue-bay-a-1")
		p.Elements[e].At, p.Elements[o].At = paced(6000, 3000), paced(6000, 3700)
		p.sights = nil
		p.startles()
		is(t, "at 700", p.Surprise, 0)
		q := ambush(t)
		q.Prepare.Buys[first] = wares{}
		q.surprises()
		is(t, "without positions", q.Surprise, 0)
	})
}

func TestMines(t *testing.T) {
	sea := areaDef{id: "waterway-1", kind: waterway, outline: []place{paced(0, 0), paced(5000, 0), paced(5000, 6000), paced(0, 6000)}}
	at := func(t *testing.T, dice ...int) *battlefield {
		g := fieldOn(t, &setting{year: 1900, areas: []areaDef{sea}},
			piece{id: "r1", troop: ironclad, x: 1000, y: 1000}, piece{id: "r2", troop: ironclad, x: 1500, y: 1000}, piece{id: "b1", troop: ironclad, x: 1200, y: 4000, facing: 180})
		g.Works = []placedWork{{ID: "m1", Kind: minefield, Side: second, At: paced(1200, 2000), Width: minefieldSize * pace, Depth: minefieldSize * pace, Hidden: true}}
		return rolling(g, dice...)
	}
	straightOn := func(p *battlefield, id string, far int64) *plan {
		e, _ := p.elementNamed(id)
		f := p.body(e).Frame
		f.At = f.World(point{Y: far * pace})
		return p.alone(e, f)
	}
	clause(t, "HFG-6.11", "two enemy ships cross it: a 1 destroys the first, a 4 does nothing", func(t *testing.T) {
		p := at(t, 1, 4)
		p.strikesMines(straightOn(p, "r1", 1500))
		is(t, "the first", p.Elements[named(t, p.game, "r1")].Fate, destroyed)
		is(t, "the minefield is known", p.Works[0].Hidden, false)
		p.Works[0].At = paced(1500, 2000)
		p.strikesMines(straightOn(p, "r2", 1500))
		is(t, "the second", p.Elements[named(t, p.game, "r2")].Fate, present)
	})
	clause(t, "HFG-R30", "who doesn't cross it rolls nothing, and it stays hidden", func(t *testing.T) {
		p := at(t)
		p.strikesMines(straightOn(p, "r1", 400))
		is(t, "hidden", p.Works[0].Hidden, true)
	})
	clause(t, "HFG-6.11", "own ships may not enter it", func(t *testing.T) {
		p := at(t)
		f := p.minedFault(straightOn(p, "b1", 2000))
		is(t, "refused", f != nil && f.Clause == "HFG-6.11", true)
		is(t, "an enemy's isn't known to refuse", p.minedFault(straightOn(p, "r1", 1500)) == nil, true)
	})
}
