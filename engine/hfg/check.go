package hfg

import (
	"bytes"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// breaches gathers what can't be in any game.
type breaches struct {
	game *game
	play.Breaches
}

var _ engine.Checked = (*game)(nil)

// Check implements [engine.Checked]: what a game master's change may not break. [load] has refused what can't be in any game, wherever
// it comes from. Of a ruling it is asked besides that the game stays the one that was set up, that no element and no command of it is
// lost, added or another, and that nothing is marked with what hasn't come yet or belongs to the enemy. Positions that were kept by
// earlier programs are not asked that, for they must be read for ever.
func (g *game) Check(was engine.Position) orders.Problems {
	b := &breaches{game: g}
	before, ok := was.(*game)
	if !ok || before.Scenario != g.Scenario || !bytes.Equal(before.source, g.source) {
		b.Say("", "hfg.check-scenario").At("scenario")
		return b.Problems()
	}
	b.settled(before)
	if b.armies(before); len(b.All) > 0 { // what follows is of another game
		return b.Problems()
	}
	b.impossible()
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		b.marks(e)
	}
	b.ground(before)
	b.lists()
	return b.Problems()
}

// settled finds options that have already had their effect: whose the seats are, what the armies and the field are made of, whether there
// is a campaign, and how the Prussians come.
func (b *breaches) settled(before *game) {
	menu := before.menu()
	for _, o := range menu.Options {
		if word := menu.Word(&before.options, o.Name); slices.Contains(settledOptions, o.Name) && word != menu.Word(&b.game.options, o.Name) {
			b.Say(o.Clause, "hfg.check-fixed", phrase.Literal("option", o.Name)).At("options", o.Name).Write("options: {" + o.Name + ": " + word + "}")
		}
	}
}

// settledOptions are the options that have their effect when a game is set up.
var settledOptions = []string{"seats", "prussians", "pair", "lists", "campaign", "native-side", "year", "ap", "field"}

// armies finds elements and commands that are lost, were added, or are others than before. Before the lists are judged there are none; in
// the preparation a garrison comes with its strong point (HFG-6.5).
func (b *breaches) armies(before *game) {
	preparing := before.Phase == preparing
	for i := range before.commands {
		d := &before.commands[i]
		if c := b.game.commandNamed(d.id); c == 0 || b.game.lead(c).side != d.side || b.game.lead(c).rank != d.rank {
			b.Say("HFG-3.4", "hfg.check-command", phrase.Literal("command", d.id)).At("setting", "commands")
		}
	}
	for i := range before.roster {
		d := &before.roster[i]
		if e, ok := b.game.elementNamed(d.id); !ok || b.game.def(e).troop != d.troop || b.game.def(e).side != d.side {
			b.Say("HFG-2.7", "hfg.check-element", elementArg("element", d)).At("setting", "elements")
		}
	}
	for i := range b.game.commands {
		if len(before.commands) > 0 && before.commandNamed(b.game.commands[i].id) == 0 {
			b.Say("HFG-3.4", "hfg.check-command", phrase.Literal("command", b.game.commands[i].id)).At("setting", "commands", strconv.Itoa(i))
		}
	}
	for i := range b.game.roster {
		d := &b.game.roster[i]
		if _, ok := before.elementNamed(d.id); !ok && len(before.roster) > 0 && !(preparing && d.troop == spGarrison) {
			b.Say("HFG-2.7", "hfg.check-element", elementArg("element", d)).At("setting", "elements", strconv.Itoa(i))
		}
	}
}

// marks finds an element that holds what can't be held, belongs to an enemy's command, or is marked with a turn that hasn't come.
func (b *breaches) marks(e elementID) {
	g := b.game
	x, d := &g.Elements[e], g.def(e)
	wrong := func(is bool, clause, code string) {
		if is {
			b.Say(clause, code, elementArg("element", d)).At("elements", d.id)
		}
	}
	wrong(x.Holds != 0 && !g.area(x.Holds).square(), "HFG-4.17", "hfg.element-holds")
	wrong(x.Inside != 0 && g.area(x.Inside).kind != bua, "HFG-4.17", "hfg.check-inside")
	wrong(x.Command != 0 && g.lead(x.Command).side != d.side, "HFG-7.8", "hfg.check-enemys")
	for _, turn := range []int{x.Since, x.Turned, x.Silenced, x.Task.Since - turnsOfPair} { // work counts from the next turn of who has moved
		if turn > g.Turn {
			b.Say("HFG-7.1", "hfg.check-turn", elementArg("element", d), phrase.Number("turn", turn), phrase.Number("now", g.Turn)).At("elements", d.id)
		}
	}
}

// ground finds who was put where he can't stand. A road leads through whatever it crosses, and on a bridge that is destroyed under him he
// stays (HFG-9.4, HFG-10.7).
func (b *breaches) ground(before *game) {
	g := *b.game
	g.Bridges = slices.Concat(g.Bridges, before.Bridges)
	for _, e := range g.standing() {
		was, _ := before.elementNamed(g.def(e).id)
		x := &g.Elements[e]
		if was != 0 && before.Elements[was].At == x.At && before.Elements[was].Facing == x.Facing || x.Holds != 0 {
			continue
		}
		if body := g.body(e); !g.standsOn(e, &body) && !g.onRoad(e) {
			b.Say("HFG-4.7", "hfg.check-ground", elementArg("element", g.def(e))).At("elements", g.def(e).id)
		}
	}
}

// lists finds columns and sightings of those who can't be in them.
func (b *breaches) lists() {
	g := b.game
	for i, c := range g.Columns {
		for _, e := range c.Members {
			if g.enemies(e, c.Members[0]) { // who is lost may still be named in one
				b.Say("HFG-9.9", "hfg.check-column", elementArg("element", g.def(e))).At("columns", strconv.Itoa(i))
			}
		}
	}
	for of := first; of < sides; of++ {
		for i, s := range g.Seen[of] {
			switch {
			case g.def(s.Element).side == of:
				b.Say("HFG-5.6", "hfg.check-seen", elementArg("element", g.def(s.Element))).At("seen", g.sides[of-1].id, strconv.Itoa(i))
			case s.Turn > g.Turn:
				b.Say("HFG-7.1", "hfg.check-turn", elementArg("element", g.def(s.Element)), phrase.Number("turn", s.Turn), phrase.Number("now", g.Turn)).
					At("seen", g.sides[of-1].id, strconv.Itoa(i))
			}
		}
	}
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
