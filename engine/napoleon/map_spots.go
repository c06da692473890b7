package napoleon

import (
	"strconv"

	"berthier/engine"
	"berthier/engine/sheet"
)

// townSpots are where the towns are on the map.
func (v *View) townSpots(c *chart, stacks []stack) map[string]engine.Spot {
	spots := make(map[string]engine.Spot, len(v.towns)+len(v.units))
	for i := range v.towns {
		half := townDot + 1
		if v.towns[i].city || v.towns[i].loss > 0 {
			half = cityDot + 4
		}
		spots[v.towns[i].id] = engine.Spot{Box: sheet.Box{X: c.at[i].X, Y: c.at[i].Y}.Grown(half)}
	}
	for i := range stacks {
		s := &stacks[i]
		spot := spots[v.towns[s.town].id]
		if spot.Taken = true; s.battle {
			spot.Box = sheet.Box{X: c.at[s.town].X, Y: c.at[s.town].Y}.Grown(14)
		}
		spots[v.towns[s.town].id] = spot
	}
	return spots
}

// spotToken notes where a block is: a unit by its name, hidden ones by their army and town.
func (v *View) spotToken(spots map[string]engine.Spot, r sheet.Box, t *token, town townID) {
	if t.unit != nil {
		spots[v.roster[t.unit.id].id] = engine.Spot{Box: r}
		return
	}
	if name := armyLetters[t.army] + "@" + v.towns[town].id; spots[name].W == 0 {
		spots[name] = engine.Spot{Box: r}
	}
}

// counted is what stands on a counter for many: how many units, and their strength.
func (t *token) counted() string {
	return armyLetters[t.army] + " " + strconv.Itoa(t.n) + " / " + strconv.Itoa(t.strength())
}

// Measures of the list in the margin.
const (
	listLeft = 128 // where blocks begin
	listRow  = blockH + 6
)

// margin lists below the map the units of each counter that stands for many.
func (v *View) margin(b *brush, scene *engine.Scene, stacks []stack) {
	perRow := (mapWidth - listLeft - 8) / (blockW + blockGap)
	for i := range stacks {
		s := &stacks[i]
		for _, group := range [2][]token{s.own, s.enemy} {
			for j := range group {
				t := &group[j]
				if t.many == nil {
					continue
				}
				strip := sheet.Strip(scene, (len(t.many)+perRow-1)/perRow*listRow)
				b.Box(strip.Grown(-2), inkCard, inkBlack, 8)
				b.Label(sheet.At(strip.X+8, strip.Y+10), sheet.Name("town", v.towns[s.town].id), sheet.Lettering{Size: 12, Bold: true, Ink: inkBlack, Anchor: engine.Start})
				b.Label(sheet.At(strip.X+8, strip.Y+23), sheet.Text(t.counted()), sheet.Lettering{Size: 12, Ink: inkBlack, Anchor: engine.Start})
				for k := range t.many {
					r := sheet.Box{X: listLeft + k%perRow*(blockW+blockGap), Y: strip.Y + 3 + k/perRow*listRow, W: blockW, H: blockH}
					v.token(b, r, &t.many[k])
					v.spotToken(scene.Spots, r, &t.many[k], s.town)
				}
			}
		}
	}
}
