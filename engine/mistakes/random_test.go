package mistakes

import (
	"math/rand/v2"
	"testing"

	"berthier/orders/phrase"
)

// chance are dice by chance.
type chance struct{ *rand.Rand }

// Roll implements [engine.Dice].
func (c chance) Roll(sides int, _ phrase.Phrase) int { return c.IntN(sides) + 1 }

// Whatever strikes the armies, in whatever order, leaves a position that can be, and that is
// read back as it was written.
func TestEffectsLeaveSoundPositions(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 15))
		g := begin(t, map[string]string{"ney": "on"})
		p := &battlefield{game: g}
		p.Dice = chance{r}
		for step := range 60 {
			p.strike(r)
			if all := g.flaws(); len(all) > 0 {
				t.Fatalf("seed %d, step %d: %v\n%s", seed, step, all, g.marshal())
			}
		}
		again, faults := load(g.marshal())
		if len(faults) > 0 {
			t.Fatalf("seed %d: %v", seed, faults)
		}
		is(t, "the position read back", string(again.marshal()), string(g.marshal()))
	}
}

// strike does one thing by chance.
func (p *battlefield) strike(r *rand.Rand) {
	all := p.standing()
	if len(all) < 2 {
		return
	}
	u, cause := all[r.IntN(len(all))], all[r.IntN(len(all))]
	for range 100 {
		if p.enemies(u, cause) {
			break
		}
		cause = all[r.IntN(len(all))]
	}
	if !p.enemies(u, cause) {
		return
	}
	switch r.IntN(9) {
	case 0, 1:
		p.backOff(u, cause, 1+r.IntN(2), r.IntN(4) == 0)
	case 2:
		p.retreat(u, cause, false)
	case 3:
		if !p.def(u).garrison() {
			p.rout(u, cause, r.IntN(4) == 0)
		}
	case 4:
		p.lose(u, 1+r.IntN(3), p.def(cause).army)
	case 5:
		p.eliminate(u, p.def(cause).army)
	case 6:
		p.volley(r)
	case 7:
		p.limberUp(u)
	case 8:
		if p.Turn < 19 {
			p.endTurn()
		}
	}
}

// volley has every gun that may fire do so, at a target by chance.
func (p *battlefield) volley(r *rand.Rand) {
	for _, gun := range p.standing() {
		if !p.on(gun) || !p.fires(gun) {
			continue
		}
		if at := p.targets(gun); len(at) > 0 {
			target := at[r.IntN(len(at))]
			row := p.bombard(gun, target, nil)
			p.shelled(gun, target, row, p.asks(gun, target, row) && r.IntN(2) == 0)
		}
	}
}
