package hfg

import (
	"slices"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// breaches gathers what can't be in any game.
type breaches struct {
	*game
	play.Breaches
}

// impossible finds what can't be in any game.
func (b *breaches) impossible() {
	for e := elementID(1); int(e) < len(b.Elements); e++ {
		b.element(e)
	}
	b.footprints()
	b.forces()
}

// forces finds a campaign whose forces aren't the commands (HFG-20.2).
func (b *breaches) forces() {
	if b.Prepare == nil || b.Prepare.Map == nil {
		return
	}
	m, all := b.Prepare.Map, len(b.commands)
	strange := func(f int) bool { return f < 0 || f >= all }
	if len(m.Stands) != all || len(m.Orders) > all || m.Met != nil && slices.ContainsFunc(m.Met.Forces, strange) {
		b.Say("HFG-20.2", "hfg.position-forces", phrase.Number("forces", len(m.Stands)), phrase.Number("commands", all)).At("preparation", "campaign")
	}
}

// element finds marks that an element can't have.
func (b *breaches) element(e elementID) {
	x, d := &b.Elements[e], b.def(e)
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
		wrong(b.Elements[other].Holds == x.Holds, "HFG-4.17", "hfg.position-two-garrisons")
	}
}

// footprints finds elements that leave the field or stand on each other (HFG-1.8).
func (b *breaches) footprints() {
	all := b.standing()
	bodies := make([]geometry.Body, len(all))
	for i, e := range all {
		bodies[i] = b.body(e)
		if b.Elements[e].Holds != 0 {
			continue
		}
		keys := []string{"elements", b.def(e).id}
		if b.leaves(&bodies[i]) {
			b.Say("HFG-1.8", "hfg.position-off", elementArg("element", b.def(e))).At(keys...)
		}
		for j := range i {
			if b.Elements[all[j]].Holds == 0 && b.overlap(&bodies[i], &bodies[j]) && !b.follows(e, all[j]) {
				b.Say("HFG-1.8", "hfg.position-overlap", elementArg("element", b.def(e)), elementArg("other", b.def(all[j]))).At(keys...)
			}
		}
	}
}
