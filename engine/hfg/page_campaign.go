package hfg

import (
	"strings"

	"berthier/engine"
	"berthier/engine/hfg/campaign"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// Of a campaign the page shows the map as a picture and as tables, and where forces stand: one's own now, the enemy's at the
// last dawn (HFG-20.2, HFG-R86).

// mapSection is the map of a campaign.
func (v *View) mapSection() engine.Section {
	c := &campaign.Campaign{Map: campaign.TwoValleys(), State: *v.Prepare.Map}
	own := engine.Table{Caption: phrase.Say("hfg.page-forces"),
		Head: []engine.Column{sheet.Words("hfg.page-command"), sheet.Words("hfg.page-place")}}
	for i := range c.Stands {
		if d := &v.commands[i]; v.of == noSide || d.side == v.of {
			own.Rows = append(own.Rows, []phrase.Value{sheet.Name("corps", d.id), sheet.Text(spotText(c, c.Stands[i].At, c.Stands[i].On))})
		}
	}
	dawn := engine.Table{Caption: phrase.Say("hfg.page-dawn"),
		Head: []engine.Column{sheet.Words("hfg.page-side"), sheet.Words("hfg.page-place"), sheet.Numbers("hfg.page-number")}}
	for _, s := range c.Seen {
		dawn.Rows = append(dawn.Rows, []phrase.Value{sheet.Name("army", v.sides[s.Side].id), sheet.Text(spotText(c, s.At, s.On)), sheet.Number(s.Forces)})
	}
	roads := engine.Table{Caption: phrase.Say("hfg.page-roads"), Quiet: true, Head: []engine.Column{sheet.Words("hfg.page-node"), sheet.Words("hfg.page-beside")}}
	for n := campaign.Node(1); int(n) <= len(c.Nodes); n++ {
		var beside []string
		for _, o := range c.Beside(n) {
			beside = append(beside, c.Def(o).Name)
		}
		roads.Rows = append(roads.Rows, []phrase.Value{sheet.Text(c.Def(n).Name), sheet.Text(strings.Join(beside, ", "))})
	}
	title := phrase.Say("hfg.page-map", phrase.Number("day", c.Day))
	return engine.Section{Heading: title, Told: engine.Changes, Picture: v.countryScene(c, title), Tables: []engine.Table{own, dawn, roads}}
}

// spotText names a place of the map: a node, or the road between two.
func spotText(c *campaign.Campaign, at campaign.Node, on campaign.Stage) string {
	if at == 0 {
		return ""
	}
	if on == 0 {
		return c.Def(at).Name
	}
	s := c.Stage(on)
	return c.Def(s.From).Name + " - " + c.Def(s.To).Name
}
