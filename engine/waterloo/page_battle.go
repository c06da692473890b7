package waterloo

import (
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders"
	"berthier/orders/phrase"
)

// battleSection tells of the battle under way: who fights, how strong each unit
// is without cards, and after the reveal the totals (WAT-9.20 to 9.26).
func (v *View) battleSection() (engine.Section, bool) {
	b := under[*battleFrame](v.game)
	if b == nil || b.Square == 0 || v.outcome != nil {
		return engine.Section{}, false
	}
	heading := "wat.page.battle"
	if b.Charge {
		heading = "wat.page.charge"
	}
	s := engine.Section{Heading: phrase.Say(heading, v.squareArg("square", b.Square))}
	attackers := make([]unitID, 0, len(b.Attackers))
	for _, f := range b.Attackers {
		attackers = append(attackers, f.Unit)
	}
	s.Lines = append(s.Lines, phrase.Say("wat.page.battle-who", v.unitsArg("attackers", attackers), v.unitArg("target", b.Target)))
	if b.Charge {
		s.Lines = append(s.Lines, phrase.Say("wat.page.charge-cards"))
	}
	if b.Stage == battleCommitting {
		s.Lines = append(s.Lines, phrase.Say("wat.page.battle-choosing"), phrase.Say("wat.page.how-decided"))
	}
	if attack, defence := b.Attack.Total, b.Defence.Total; attack > 0 || defence > 0 {
		s.Lines = append(s.Lines, phrase.Say("wat.page.battle-total", phrase.Number("attack", attack), phrase.Number("defence", defence)))
	}
	if v.unit(b.Target).At != b.Square {
		return s, true // the attacker has left: there is nothing to compare
	}
	plain := v.expected(b.Target, attackers, b.Charge, b.Forced)
	attack, defence := v.totals(plain)
	s.Lines = append(s.Lines, phrase.Say("wat.page.battle-base", phrase.Number("attack", attack), phrase.Number("defence", defence)))
	t := engine.Table{Caption: phrase.Say("wat.page.battle-table"), Head: []engine.Column{sheet.Words("wat.col.role"), sheet.Words("wat.col.unit"),
		sheet.Words("wat.col.position"), sheet.Numbers("wat.col.bp"), sheet.Words("wat.col.state")}}
	for _, f := range b.Attackers {
		out := phrase.Value{}
		if f.Out {
			out = sheet.Phrase("wat.note.out")
		}
		position := [...]string{1: "front", 2: "flank", 3: "rear"}[v.bearing(b.Target, v.unit(f.Unit).At)]
		t.Rows = append(t.Rows, []phrase.Value{sheet.Phrase("wat.page.attacker"), sheet.Name("unit", v.def(f.Unit).id),
			sheet.Name("position", position), sheet.Number(v.attackPoints(plain, f.Unit)), out})
	}
	t.Rows = append(t.Rows, []phrase.Value{sheet.Phrase("wat.page.defender"), sheet.Name("unit", v.def(b.Target).id),
		v.placeValue(b.Square), sheet.Number(v.defencePoints(plain)), {}})
	s.Gist = v.battleLines(s.Lines, &t)
	s.Tables = append(s.Tables, t)
	return s, true
}

// inForce lists the side's standing orders in force, one line for each key, as they may be
// written in an order file.
func (v *View) inForce() []string {
	if v.side == engine.GM {
		return nil
	}
	n := standingKeys.Normal(v.scenario, &v.standing[armyOfSeat(v.side)])
	if n == nil {
		return nil
	}
	var lines []string
	for _, p := range n.Pairs {
		value := p.Value.Clone()
		flowing(value)
		text := orders.Mapping().Set(p.Key.Text, value).Encode()
		lines = append(lines, strings.Join(strings.Fields(text), " "))
	}
	return lines
}

// flowing makes a node one that is written on one line.
func flowing(n *orders.Node) {
	n.Flow = true
	for _, p := range n.Pairs {
		flowing(p.Value)
	}
	for _, item := range n.Items {
		flowing(item)
	}
}

// standingSection lists the standing orders in force in a report.
func (v *View) standingSection() (engine.Section, bool) {
	s, shown := sheet.Lines("wat.page.standing", "wat.page.standing-order", "order", v.inForce())
	s.Told = engine.Changes
	return s, shown
}

// remark mentions the standing orders in force in a template.
func remark(v *View, _ engine.Decision, n *orders.Node) { play.RemarkStanding(n, v.inForce()) }
