package mistakes

import (
	"math/rand/v2"
	"testing"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// chance are dice by chance.
type chance struct{ *rand.Rand }

// Roll implements [engine.Dice].
func (c chance) Roll(sides int, _ phrase.Phrase) int { return c.IntN(sides) + 1 }

// Whatever strikes the armies, in whatever order, leaves a position that can be, and that is
// read back as it was written.
func TestEffectsLeaveSoundPositions(t *testing.T) {
	for seed := range samples(12, 40) {
		r := rand.New(rand.NewPCG(seed, 15))
		g := begin(t, map[string]string{"ney": "on"})
		p := &battlefield{game: g}
		p.Dice = chance{r}
		for step := range 60 {
			p.strike(r)
			if all := p.flaws(); len(all) > 0 {
				t.Fatalf("seed %d, step %d: %v\n%s", seed, step, all, p.marshal())
			}
		}
		again, faults := load(p.marshal())
		if len(faults) > 0 {
			t.Fatalf("seed %d: %v", seed, faults)
		}
		is(t, "the position read back", string(again.marshal()), string(p.marshal()))
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
	switch r.IntN(13) {
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
	case 9:
		p.wander(r)
	case 10, 11:
		if r.IntN(4) == 0 {
			p.assault(r)
			p.brawls(r)
		}
	case 12:
		if p.mayUnlimber(u) {
			p.unlimber(u)
		}
	}
}

// wander has a formation by chance advance or withdraw, now and then without some of it.
func (p *battlefield) wander(r *rand.Rand) {
	f := &p.Formations[r.IntN(len(p.Formations))]
	if f.Orange > 0 {
		return
	}
	f.Green = true
	m := &manoeuvre{Units: f.Units, Does: manner(1 + r.IntN(2)), Turn: r.IntN(181) - 90, Far: length(r.IntN(160_000))}
	if part := f.Units[:1+r.IntN(len(f.Units))]; p.splitFault(f, part) == nil {
		m.Units = part
	}
	if p.manoeuvreFault(m) != nil {
		return
	}
	if len(m.Units) < len(f.Units) {
		p.split(f, m.Units, p.freeID(f.ID))
	}
	p.carryOut(m)
}

// assault has a formation by chance charge one of those whom it may.
func (p *battlefield) assault(r *rand.Rand) {
	f := &p.Formations[r.IntN(len(p.Formations))]
	offers := p.chargesOf(f.Units)
	if len(offers) == 0 || f.Orange > 0 || f.Manoeuvred {
		return
	}
	f.Green = true
	offer := offers[r.IntN(len(offers))]
	m := &manoeuvre{Units: f.Units, Does: charging, Turn: offer.least, Target: offer.target}
	if p.manoeuvreFault(m) != nil {
		return
	}
	p.chargeBegins(m.Target)
	switch p.gunAsked(m) {
	case gunLimbered:
		p.gunBacks(m)
	case gunUnlimbered:
		p.gunDefended(m, p.swaps(m.Target)[0])
	}
	p.chargeHome(m)
}

// answers answers a question of a combat by chance, after asking whether the answer is legal.
func (p *battlefield) answers(r *rand.Rand, a army, what decision) {
	must := func(f *play.Fault) {
		if f != nil {
			panic(f.Why.Code)
		}
	}
	c := p.Combat
	switch what {
	case askGunBack:
		p.gunAnswers(r.IntN(2) == 0)
	case askGunSwap:
		p.gunSwaps(append(p.swaps(c.Rush.Target), 0)[0])
	case askSide:
		first, second, _ := p.struck(c.Melee.Defender, c.Melee.Attacker)
		side := []geometry.Flank{first, second}[r.IntN(2)]
		must(p.sideFault(side))
		p.choosesSide(side)
	case askSupport:
		units := p.mayBack(p.inMelee(a))
		units = units[:r.IntN(len(units)+1)]
		must(p.supportFault(a, units))
		p.backs(a, units)
	case askReroll:
		p.rerolls(a, r.IntN(2) == 0)
	case askLosses:
		so := p.usualLosses(a)
		must(p.lossFault(a, so))
		p.givesOut(a, so)
	case askPursuit:
		x := p.usualPursuit()
		x.Target, x.General = 1, 1
		if x.Type == cavalry {
			if x.Step = r.IntN(3) - 1; p.aimFault(&x, p.reached) != nil {
				x.Step = 0 // it would lead past the beaten unit (EM-R110)
			}
		}
		must(p.pursuitFault(&x))
		must(p.aimFault(&x, p.reached))
		p.pursues(x)
	case askCounter:
		one := p.counters()[0]
		must(p.counterFault(one.attacker, one.against[0]))
		p.counterattacks(one.attacker, one.against[0])
	case askReserves:
		all := p.reserves()
		one := all[r.IntN(len(all))]
		must(p.reserveFault(one.formation, one.target, one.least))
		p.reinforces(one.formation, one.target, 0, one.least)
	case askKeep:
		k := p.usualKeep(map[bool]int{true: 0, false: 1}[a == p.armyIn(0)])
		must(p.keepFault(a, k))
		p.keeps(a, k)
	case askToll:
		p.pays(a, nil)
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
