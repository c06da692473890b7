package napoleon

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// A publicView is what both camps see: blocks, revealed units, and losses as far as
// they are public, but no side's own units or memory.
type publicView struct{ *View }

// Public implements [engine.Open].
func (g *game) Public() engine.View { return publicView{g.view(engine.Public)} }

// Page implements [engine.View].
func (v publicView) Page() engine.Page {
	p := sheet.Page{Page: engine.Page{Title: v.headline()}}
	p.Add(v.campaignSections()...)
	p.Add(engine.Section{
		Heading: phrase.Say("nap.page.map"), Picture: v.mapScene(p.Title),
	})
	for i := range v.battles {
		if b := &v.battles[i]; b.stage != finished {
			p.Add(v.battleSection(b))
		}
	}
	p.May(v.lostSection())
	return p.Page
}
