package napoleon

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// begin puts the armies that stand at historical places onto the map and opens
// the first stop (NAP-4.3).
func (p *campaign) begin() {
	setup, _ := p.scenario.setup(setupWords[p.options.setup])
	for i := range p.units {
		if u := &p.units[i]; setup.placed[u.army] {
			u.town = p.roster[i].at
		}
	}
	if p.options.sides == sidesBid {
		p.phase = bidding
	}
	p.run()
}

// deployment asks the Allies, then the French, who see the Allied blocks
// (NAP-4.0). A camp that stands on the map has nothing to answer.
func (p *campaign) deployment() {
	c := alliedCamp
	if p.phase == deployFrench {
		c = frenchCamp
	}
	var asked []engine.Side
	for _, side := range p.sidesOf(c) {
		if len(p.undeployed(side)) > 0 {
			asked = append(asked, side)
		}
	}
	switch {
	case len(asked) > 0:
		p.ask(asked, "deploy", "")
	case p.phase == deployAllied:
		p.phase = deployFrench
	default:
		p.phase = movement
	}
}

// undeployed lists a side's units that are yet to come onto the map.
func (g *game) undeployed(side engine.Side) []unitID {
	var ids []unitID
	for i := range g.units {
		u := &g.units[i]
		if u.id != noUnit && !u.dead && u.town == noTown && g.sideOf(u.army) == side {
			ids = append(ids, u.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// unitTexts writes units on one line.
func (s *scenario) unitTexts(ids []unitID) *orders.Node {
	n := &orders.Node{Kind: orders.List, Flow: true, Items: make([]*orders.Node, len(ids))}
	for i, id := range ids {
		n.Items[i] = orders.Text(s.roster[id].id)
	}
	return n
}

// unitNames fills a place with units.
func (s *scenario) unitNames(place string, ids []unitID) phrase.Arg {
	return phrase.NamesOf(place, "unit", ids, func(id unitID) string { return s.roster[id].id })
}

// deployClause is the clause that limits an army's deployment.
func deployClause(a army) string {
	if a == french {
		return "NAP-4.2"
	}
	return "NAP-4.1"
}

// pickUnit reads one of the units that may be named here. A name that several
// of them have, as the two I Corps Artilleries of the Allies, names none.
func (v *View) pickUnit(r *orders.Reader, n *orders.Node, among []unitID) (unitID, bool) {
	choices := make([]orders.Choice, len(among))
	for i, id := range among {
		choices[i] = orders.Choice{ID: v.roster[id].id, Names: []string{v.roster[id].name}}
	}
	if twins := v.called(n, among); len(twins) > 1 {
		r.RefuseWith(n, "", phrase.Say("nap.unit-several", phrase.Literal("name", n.Text)), phrase.Say("nap.unit-several-remedy", phrase.Literals("ids", twins)))
		return noUnit, false
	}
	name, ok := r.Pick(n, "unit", choices)
	if !ok {
		return noUnit, false
	}
	for _, id := range among {
		if v.roster[id].id == name {
			return id, true
		}
	}
	return noUnit, false
}

// called gives the ids of the units that have a name.
func (v *View) called(n *orders.Node, among []unitID) []string {
	if n == nil || n.Kind != orders.Scalar {
		return nil
	}
	var ids []string
	name := orders.Fold(n.Text)
	for _, id := range among {
		if orders.Folds(v.roster[id].name, name) {
			ids = append(ids, v.roster[id].id)
		}
	}
	return ids
}

// idArg fills a place of a sentence with a unit.
func (s *scenario) idArg(place string, id unitID) argument {
	return phrase.Name(place, "unit", s.roster[id].id)
}

// brief describes a unit in a few letters: "F-03 Girard infantry 3F2".
func (v *View) brief(id unitID) string {
	var text strings.Builder
	text.Grow(32)
	v.writeBrief(&text, id)
	return text.String()
}

// writeBrief writes what brief gives.
func (v *View) writeBrief(text *strings.Builder, id unitID) {
	u := v.unit(id)
	text.WriteString(v.roster[id].id)
	text.WriteByte(' ')
	text.WriteString(v.roster[id].name)
	text.WriteByte(' ')
	text.WriteString(u.kind.String())
	text.WriteByte(' ')
	text.WriteString(strconv.Itoa(int(u.strength)))
	text.WriteByte('F')
	text.WriteString(strconv.Itoa(int(u.fire)))
}
