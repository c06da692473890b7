package napoleon

import (
	"berthier/engine"
	"berthier/orders/phrase"
)

// defeat finds the armies that have lost too many units; what is left of them is
// eliminated (NAP-10.0), and named to the enemy unless the game keeps losses to
// numbers (NAP-R55). An army over its limit has fought on to this moment.
func (p *campaign) defeat() {
	for a := range armies {
		if p.defeated[a] || p.losses[a] < p.numbers.defeat[a] {
			continue
		}
		p.defeated[a] = true
		lost := p.losses[a]
		var left []unitID
		for i := range p.units {
			if u := &p.units[i]; u.army == a && !u.dead {
				left = append(left, u.id)
				p.remove(u)
			}
		}
		args := []argument{armyArg("army", a), phrase.Number("losses", lost), phrase.Number("limit", p.numbers.defeat[a])}
		full := args
		if len(left) > 0 {
			full = append(args[:len(args):len(args)], p.unitNames("units", left))
		}
		if p.options.lossesPublic == lossesIdentity {
			args = full
		}
		mates := p.mates(a, noTown)
		p.Tell("NAP-10.0", to(mates, "nap.army-defeated", full...), to(p.others(mates), "nap.army-defeated", args...))
	}
}

// victory judges the state at the end of a turn, in which some armies may have
// been defeated before: nil if the game goes on. The first that applies of 10.1,
// 10.2, 10.3 and 10.5 ends it (NAP-10.6).
func (p *campaign) victory(before [armies]bool) *engine.Outcome {
	allies := p.defeated[angloDutch] && p.defeated[prussian]
	fallen := p.leaderFallen()
	if p.options.lastTurn == lastTurnLate && p.turn == len(p.turns)-1 && allies && !p.defeated[french] && !fallen {
		return p.won(alliedCamp, "nap.won-late", "NAP-R51")
	}
	switch {
	case (p.defeated[french] || fallen) && allies:
		if p.options.simultaneous == simultaneousSameTurn && before != [armies]bool{} {
			return p.won(alliedCamp, "nap.won-french-defeated", "NAP-R49")
		}
		if p.numbers.drawIfAll {
			return &engine.Outcome{Reason: phrase.Say("nap.draw-all-defeated"), Clause: "NAP-10.1"}
		}
		return p.won(frenchCamp, "nap.won-all-defeated", "NAP-10.1")
	case allies:
		return p.won(frenchCamp, "nap.won-allies-defeated", "NAP-10.1")
	case fallen && !p.defeated[french]:
		return p.won(alliedCamp, "nap.won-leader-fallen", "NAP-10.4")
	case p.defeated[french]:
		return p.won(alliedCamp, "nap.won-french-defeated", "NAP-10.2")
	}
	if p.turn == p.numbers.cityWinTurn {
		var held []string
		for t := range p.towns {
			if p.towns[t].city && p.blocks(townID(t), frenchCamp) > 0 {
				held = append(held, p.towns[t].id)
			}
		}
		if len(held) >= p.numbers.cityWinNeed {
			return p.won(frenchCamp, "nap.won-cities", "NAP-10.3", phrase.Names("towns", "town", held))
		}
	}
	if p.turn == len(p.turns)-1 {
		return p.won(alliedCamp, "nap.won-time", "NAP-10.5")
	}
	return nil
}

// leaderFallen tells whether a leader was eliminated whose loss loses the game
// (NAP-10.4, NAP-R52).
func (g *game) leaderFallen() bool {
	for _, id := range g.fatal {
		if g.units[id].dead {
			return true
		}
	}
	return false
}

func (p *campaign) won(c camp, code, clause string, args ...argument) *engine.Outcome {
	return &engine.Outcome{Winners: p.sidesOf(c), Reason: phrase.Say(code, args...), Clause: clause}
}

// endTurn clears what lasts for a player turn and begins the next (NAP-2.0,
// NAP-2.4).
func (p *campaign) endTurn() {
	for i := range p.units {
		u := &p.units[i]
		u.moved, u.forced, u.disrupted, u.regrouped, u.came = false, false, false, false, noTown
	}
	clear(p.roadUse)
	p.battles, p.pool = nil, nil
	p.supplied = false
	p.turn++
	p.phase = movement
	t := &p.turns[p.turn]
	code := "nap.turn-begins"
	if t.night {
		code = "nap.turn-begins-night"
	}
	p.Tell("NAP-2.0", to(p.everyone(), code, phrase.Number("turn", p.turn+1), phrase.Name("date", "date", t.date),
		phrase.Name("part", "part", t.part), whoArg("camp", t.camp.String())))
}

// TurnNumber implements [engine.Turned]: a turn is one player's.
func (g *game) TurnNumber() int {
	if g.phase < movement {
		return 0
	}
	return g.turn + 1
}

// LastTurn implements [engine.Ending].
func (g *game) LastTurn() int {
	if g.phase < movement {
		return 0
	}
	return len(g.turns)
}

// Alternates implements [engine.Alternating].
func (g *game) Alternates() bool { return true }

// Outcome implements [engine.Position].
func (g *game) Outcome() (engine.Outcome, bool) {
	if g.outcome == nil {
		return engine.Outcome{}, false
	}
	return *g.outcome, true
}

// Owed implements [engine.Position].
func (g *game) Owed() []engine.Decision {
	if g.outcome != nil {
		return nil
	}
	return append([]engine.Decision(nil), g.asks...)
}
