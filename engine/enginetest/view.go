package enginetest

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// A View is what a side sees of lots (LOT-5.1). It is made from nothing: what is
// not copied here, the side does not know.
type View struct {
	Who           engine.Side `pos:"side"`
	Round, Rounds int
	Own           []Unit
	Coins         int
	Won           []Tally
	All           []Player // for the GM alone
}

// A Tally is what all know of a side.
type Tally struct {
	Side       engine.Side
	Won, Coins int
}

// View implements [engine.Position].
func (g *Game) View(who engine.Side) engine.View {
	v := &View{Who: who, Round: g.Round, Rounds: g.Rounds}
	for _, p := range g.Players {
		v.Won = append(v.Won, Tally{p.Side, p.Won, p.Coins})
		if p.Side == who {
			v.Own, v.Coins = slices.Clone(p.Units), p.Coins
		}
	}
	if who == engine.GM {
		v.All = play.Clone(g.Players)
	}
	return v
}

// Side implements [engine.View].
func (v *View) Side() engine.Side { return v.Who }

// Marshal implements [engine.View].
func (v *View) Marshal() ([]byte, error) { return []byte(codec.Write(v).Encode()), nil }

// names of things are in words/names.*.yaml.
var names = play.NewNames(files, "lots")

// Spell implements [engine.View].
func (v *View) Spell(kind, id, language string) string {
	if name, ok := names.Of(kind, id, language); ok {
		return name
	}
	return id
}

// Page implements [engine.View].
func (v *View) Page() engine.Page {
	page := engine.Page{
		Title:    phrase.Say("lots.round", phrase.Number("round", v.Round), phrase.Number("rounds", v.Rounds)),
		Sections: []engine.Section{{Heading: phrase.Say("lots.table"), Picture: v.table(), Tables: []engine.Table{v.tallies()}}},
	}
	if v.Who != engine.GM {
		page.Sections = append(page.Sections, listed(phrase.Say("lots.units"), v.Own))
	}
	for _, p := range v.All {
		page.Sections = append(page.Sections, listed(phrase.Say("lots.units-of", sideArg(p.Side)), p.Units))
	}
	return page
}

// tallies is the table of what all know; coins are in it if anybody has some.
func (v *View) tallies() engine.Table {
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("lots.side")}, {Head: phrase.Say("lots.rounds-won"), Right: true}}}
	coins := slices.ContainsFunc(v.Won, func(t Tally) bool { return t.Coins > 0 })
	if coins {
		t.Head = append(t.Head, engine.Column{Head: phrase.Say("lots.coins"), Right: true})
	}
	for _, of := range v.Won {
		row := []phrase.Value{sheet.Name("side", string(of.Side)), sheet.Number(of.Won)}
		if coins {
			row = append(row, sheet.Number(of.Coins))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// listed is a section of units.
func listed(heading phrase.Phrase, units []Unit) engine.Section {
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("lots.unit")}, {Head: phrase.Say("lots.strength"), Right: true}}}
	for _, u := range units {
		t.Rows = append(t.Rows, []phrase.Value{sheet.Name("unit", u.ID), sheet.Number(u.Strength)})
	}
	return engine.Section{Heading: heading, Tables: []engine.Table{t}}
}

// table is a picture: a disc for each side, larger with each round won.
func (v *View) table() *engine.Scene {
	width := 100 * len(v.Won)
	ground, marks := sheet.NewBrush(1), sheet.NewBrush(2*len(v.Won))
	ground.Line("#333333", 10, sheet.At(0, 80), sheet.At(width, 80))
	for i, t := range v.Won {
		marks.Disc(sheet.At(100*i+50, 50), 10+5*t.Won, "#8899aa", "", 0)
		marks.Label(sheet.At(100*i+50, 90), sheet.Name("side", string(t.Side)), sheet.Lettering{Size: 12, Ink: "#000000"})
	}
	return &engine.Scene{Name: "table", Alt: phrase.Say("lots.table"), Width: width, Height: 100, Paper: "#f4efe0", Ground: ground.Marks(), Marks: marks.Marks()}
}
