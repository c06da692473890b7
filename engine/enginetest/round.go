package enginetest

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A round is a game moving on from one stop to the next: the game, its dice, and
// what has happened so far.
type round struct {
	*Game
	play.Story
}

// Advance implements [engine.Position].
func (g *Game) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	p, asked := &round{g, play.Story{Dice: dice}}, g.Owed()
	if err := play.Resolve(p, stops, asked, answers, nil); err != nil {
		return nil, err
	}
	if len(asked) > 0 && asked[0].Kind == Bid {
		p.throws()
	}
	if g.Discard == "" {
		p.next()
	}
	return p.Events, nil
}

// throws lets the units bid throw their dice (LOT-2.1), and tells who must discard
// (LOT-3.1).
func (p *round) throws() {
	totals := make([]int, len(p.Players))
	for i := range p.Players {
		totals[i] = p.total(&p.Players[i])
	}
	if best := places(totals, slices.Max(totals)); len(best) == 1 {
		winner := &p.Players[best[0]]
		winner.Won++
		p.Tell("LOT-2.1", play.To(p.Sides(), "lots.won", sideArg(winner.Side), phrase.Number("round", p.Round)))
	} else {
		var level []string
		for _, i := range best {
			level = append(level, string(p.Players[i].Side))
		}
		p.Tell("LOT-2.1", play.To(p.Sides(), "lots.tie", phrase.Number("round", p.Round), phrase.Names("sides", "side", level)))
	}
	if last := places(totals, slices.Min(totals)); len(last) == 1 && len(p.Players[last[0]].Units) > 1 {
		p.Discard = p.Players[last[0]].Side
	}
}

// total is what a side throws, told to it alone.
func (p *round) total(side *Player) int {
	i := slices.IndexFunc(side.Units, func(u Unit) bool { return u.ID == side.Bid })
	if i < 0 {
		p.Tell("LOT-1.1", play.To([]engine.Side{side.Side}, "lots.passed"))
		return 0
	}
	side.Coins -= side.Laid
	unit := unitArg(side.Bid)
	die := p.Dice.Roll(6, phrase.Say("lots.for", unit, phrase.Number("round", p.Round)))
	total := die + side.Units[i].Strength + side.Laid
	p.Tell("LOT-2.1", play.To([]engine.Side{side.Side}, "lots.threw", unit, phrase.Number("die", die), phrase.Number("total", total)))
	return total
}

// places finds where a number stands.
func places(all []int, n int) []int {
	var found []int
	for i := range all {
		if all[i] == n {
			found = append(found, i)
		}
	}
	return found
}

// next begins the next round, or ends the game (LOT-4.1).
func (p *round) next() {
	if p.Round >= p.Rounds {
		p.Over = true
		p.Tell("LOT-4.1", play.To(p.Sides(), "lots.over"))
		return
	}
	p.Round++
}

func sideArg(side engine.Side) phrase.Arg { return phrase.Name("side", "side", string(side)) }

func unitArg(id string) phrase.Arg { return phrase.Name("unit", "unit", id) }
