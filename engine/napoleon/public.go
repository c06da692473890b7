package napoleon

import (
	"berthier/engine"
	"berthier/engine/sheet"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A publicView is what both camps see: blocks, revealed units, and losses as far as
// they are public, but no side's own units or memory.
type publicView struct{ view *View }

// Side implements [engine.View].
func (v publicView) Side() engine.Side { return v.view.Side() }

// Spell implements [engine.View].
func (v publicView) Spell(kind, id, language string) string { return v.view.Spell(kind, id, language) }

// Names implements [engine.Namer].
func (v publicView) Names(kind string) []orders.Choice { return v.view.Names(kind) }

// Marshal implements [engine.View].
func (v publicView) Marshal() ([]byte, error) { return v.view.Marshal() }

// Public implements [engine.Open].
func (g *game) Public() engine.View { return publicView{g.view(engine.Public)} }

// Page implements [engine.View].
func (v publicView) Page() engine.Page {
	p := sheet.Page{Page: engine.Page{Title: v.view.headline()}}
	p.Add(v.view.campaignSections()...)
	p.Add(engine.Section{
		Heading: phrase.Say("nap.page.map"), Picture: v.view.mapScene(p.Title),
	})
	for i := range v.view.battles {
		if b := &v.view.battles[i]; b.stage != finished {
			p.Add(v.view.battleSection(b))
		}
	}
	p.May(v.view.lostSection())
	return p.Page
}
