package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/hfg/campaign"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A campaign before the battle (HFG-20): the commands of both sides are the forces that march on
// the map, and where they meet they fight.

// onMap is the campaign of this game: its forces are the commands, in their order.
func (g *game) onMap() *campaign.Campaign {
	c := &campaign.Campaign{Map: campaign.TwoValleys(), State: *g.Prepare.Map, Native: int(g.native) - 1}
	for i := range g.setting.commands {
		c.Forces = append(c.Forces, g.force(commandID(i+1)))
	}
	return c
}

// force is a command as it marches on the map: as fast as its slowest element (HFG-20.4).
func (g *game) force(c commandID) campaign.Force {
	d := g.lead(c)
	f := campaign.Force{ID: d.id, Side: int(d.side) - 1, Elements: len(d.elements)}
	for i, e := range d.elements {
		x := g.def(e)
		r := campaign.RateOf(x.troop.String(), x.is(horse))
		move := g.setting.moves(x)[good]
		if i == 0 {
			f.Rate, f.Tactical = r, move
		}
		f.Rate, f.Tactical = f.Rate.Slower(r), min(f.Tactical, move)
		f.Foot = f.Foot || troops[x.troop].class == foot
		f.Guns = f.Guns || troops[x.troop].class == artillery
	}
	return f
}

// marches begins the campaign: at its first dawn all commands stand at their bases.
func (p *prologue) marches() {
	var forces []campaign.Force
	for i := range p.field.setting.commands {
		forces = append(forces, p.field.force(commandID(i+1)))
	}
	p.field.Prepare.Map = &campaign.New(campaign.TwoValleys(), forces, int(p.field.native)-1).State
	p.field.Prepare.Step = marching
}

// marchOn plays the day, or what is left of it, to the next dawn or to a meeting.
func (p *prologue) marchOn() {
	c := p.field.onMap()
	told := c.Play(func(purpose phrase.Phrase) int { return p.field.Dice.Roll(dieSides, purpose) })
	p.field.Prepare.Map = &c.State
	for _, t := range told {
		to := p.field.seats()
		if t.Side != campaign.Both {
			to = []engine.Side{p.field.sideID(side(t.Side + 1))}
		}
		p.field.Events = append(p.field.Events, engine.Event{Clause: t.Clause, Tellings: []engine.Telling{{To: to, Say: t.Say}}})
	}
	p.field.Prepare.Step = marching
	if c.Met != nil {
		p.field.Prepare.Step = meeting
	}
}

// orderMarches keeps what a side has ordered for the day.
func (p *prologue) orderMarches(o *mapOrder) {
	m := p.field.Prepare.Map
	for len(m.Orders) < len(p.field.setting.commands) {
		m.Orders = append(m.Orders, campaign.Order{})
	}
	for c, one := range o.of {
		m.Orders[c] = one
	}
}

// met settles what comes of a meeting: whoever avoids the battle, and can, goes away, and the
// campaign goes on; else there is a battle (HFG-20.10, HFG-20.11).
func (p *prologue) met() {
	c := p.field.onMap()
	m := c.Met
	away := false
	for of := first; of < sides; of++ {
		to := p.field.Prepare.flight[of]
		if to == 0 {
			continue
		}
		if !c.Escapes(m, int(of)-1) || !slices.Contains(c.Refuges(m, int(of)-1), to) {
			p.field.tellSide(of, "HFG-20.11", "hfg.no-escape")
			continue
		}
		c.Avoid(m, int(of)-1, to)
		away = true
		p.field.tell("HFG-20.11", "hfg.escapes", p.field.sideArg("side", of))
	}
	p.field.Prepare.flight = [sides]campaign.Node{}
	p.field.Prepare.Map = &c.State
	if away {
		p.marchOn()
		return
	}
	p.battle(c, m)
}

// battle begins the preparation of the battle where the armies have met: who was there first
// defends; who isn't there comes later, if he is a stage away; what the defender has dug is his
// (HFG-20.6, HFG-20.10).
func (p *prologue) battle(c *campaign.Campaign, m *campaign.Meeting) {
	for i := range p.field.setting.commands {
		cmd := commandID(i + 1)
		if slices.Contains(m.Forces, i) {
			p.dug(p.field.lead(cmd).side, &c.Stands[i])
			continue
		}
		p.field.Commands[cmd].Status = absent
		if slices.Contains(c.Near(m), i) {
			p.field.Commands[cmd].Status = delayed
		}
	}
	p.field.sunset = periodPairs
	if c.Period != campaign.Afternoon {
		p.field.sunset = 2 * periodPairs // morning and afternoon
	}
	p.roles(side(m.First + 1))
}

// periodPairs is how many pairs of turns a period of the map has (HFG-20.10).
const periodPairs = 24

// dug notes what a force has dug where it stands.
func (p *prologue) dug(of side, s *campaign.Stand) {
	for _, one := range []ware{{buysEntrenchment, s.Entrenchments}, {buysRedoubt, s.Redoubts}} {
		if one.Number > 0 {
			p.field.Prepare.Dug[of].Defending = append(p.field.Prepare.Dug[of].Defending, one)
		}
	}
}

// comesLater gives a command that is a stage away from the battle its way to the field: by the first
// road that leads in over its base edge or on its own half of a side; without one it can't come. It
// arrives when the next period of the map begins (HFG-20.10, HFG-R147).
func (p *prologue) comesLater() {
	for i := range p.field.setting.commands {
		c := commandID(i + 1)
		d := p.field.lead(c)
		if p.field.Commands[c].Status != delayed || d.arrival != nil {
			continue
		}
		a := p.wayIn(d.side)
		if a == nil {
			p.field.Commands[c].Status = absent
			continue
		}
		s := *p.field.setting
		s.commands = slices.Clone(s.commands)
		s.commands[i].arrival = a
		s.complete()
		p.field.setting = &s
		p.field.Commands[c].Arrives = 2*periodPairs + 1
		if d.side != p.field.attacker() {
			p.field.Commands[c].Arrives++
		}
	}
}

// wayIn is the first road by which a side's troops come to the field.
func (p *prologue) wayIn(of side) *arrivalDef {
	m := &muster{game: p.field.game, deployment: &deployment{side: of}}
	for _, e := range []edge{p.field.base(of), west, east} {
		for l := range p.field.lines {
			if p.field.lines[l].kind == road && m.enters(&p.field.lines[l], e) {
				return &arrivalDef{road: lineID(l + 1), edge: e}
			}
		}
	}
	return nil
}

// campaignSeen is what a side knows of the campaign (HFG-20.2, HFG-R86): its own forces, and of the
// enemy's where they stood at the last dawn, with the bridges as they were then, but for what its own have done to them
// or found since. Own says whose the forces are.
func campaignSeen(s *campaign.State, of side, own func(force int) bool) *campaign.State {
	if s == nil {
		return nil
	}
	c := play.Clone(*s).AsKnown(int(of) - 1)
	for i := range c.Stands {
		if !own(i) {
			c.Stands[i] = campaign.Stand{}
		}
	}
	for i := range c.Orders {
		if !own(i) {
			c.Orders[i] = campaign.Order{}
		}
	}
	if c.Met != nil {
		c.Met.Forces = slices.DeleteFunc(c.Met.Forces, func(f int) bool { return !own(f) })
	}
	return &c
}
