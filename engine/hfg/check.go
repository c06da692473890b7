package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// breaches gathers what can't be in any game.
type breaches struct {
	game *game
	play.Breaches
}

// impossible finds what can't be in any game.
func (b *breaches) impossible() {
	for e := elementID(1); int(e) < len(b.game.Elements); e++ {
		b.element(e)
	}
	b.footprints()
	b.forces()
	b.opponents()
}

// opponents finds sides that have no role or no base edge though the preparation has got beyond where they are settled (HFG-4.1, HFG-4.23).
func (b *breaches) opponents() {
	before := func(s step) bool {
		return b.game.Phase == preparing && b.game.Prepare != nil && b.game.Prepare.Step < s
	}
	if b.game.sides[0].role == 0 && !before(grounding) {
		b.Say("HFG-4.1", "hfg.scenario-roles").At("setting", "sides")
	}
	if b.game.sides[0].base == 0 && !before(planning) {
		b.Say("HFG-4.23", "hfg.scenario-bases").At("setting", "sides")
	}
}

// forces finds a campaign whose forces aren't the commands (HFG-20.2).
func (b *breaches) forces() {
	if b.game.Prepare == nil || b.game.Prepare.Map == nil {
		return
	}
	m, all := b.game.Prepare.Map, len(b.game.commands)
	strange := func(f int) bool { return f < 0 || f >= all }
	if len(m.Stands) != all || len(m.Orders) > all || m.Met != nil && slices.ContainsFunc(m.Met.Forces, strange) {
		b.Say("HFG-20.2", "hfg.position-forces", phrase.Number("forces", len(m.Stands)), phrase.Number("commands", all)).At("preparation", "campaign")
	}
}

// element finds marks that an element can't have.
func (b *breaches) element(e elementID) {
	x, d := &b.game.Elements[e], b.game.def(e)
	wrong := func(is bool, clause, code string) {
		if is {
			b.Say(clause, code, elementArg("element", d)).At("elements", d.id)
		}
	}
	there := x.At != place{} || x.Holds != 0
	wrong(x.Fate != present && there, "HFG-2.7", "hfg.position-both")
	wrong(x.Fate == present && !there, "HFG-2.7", "hfg.position-nowhere")
	wrong(x.Holds != 0 && x.At != place{}, "HFG-4.17", "hfg.element-two-places")
	wrong(d.troop == spGarrison && x.Fate == present && x.Holds != d.holds, "HFG-6.5", "hfg.position-garrison")
	if x.Holds == 0 {
		return
	}
	for other := elementID(1); other < e; other++ {
		wrong(b.game.Elements[other].Holds == x.Holds, "HFG-4.17", "hfg.position-two-garrisons")
	}
}

// footprints finds elements that leave the field or stand on each other (HFG-1.8).
func (b *breaches) footprints() {
	all := b.game.standing()
	bodies := make([]geometry.Body, len(all))
	for i, e := range all {
		bodies[i] = b.game.body(e)
		if b.game.Elements[e].Holds != 0 {
			continue
		}
		keys := []string{"elements", b.game.def(e).id}
		if b.game.leaves(&bodies[i]) {
			b.Say("HFG-1.8", "hfg.position-off", elementArg("element", b.game.def(e))).At(keys...)
		}
		for j := range i {
			if b.game.Elements[all[j]].Holds == 0 && b.game.overlap(&bodies[i], &bodies[j]) && !b.game.follows(e, all[j]) {
				b.Say("HFG-1.8", "hfg.position-overlap", elementArg("element", b.game.def(e)), elementArg("other", b.game.def(all[j]))).At(keys...)
			}
		}
	}
}
