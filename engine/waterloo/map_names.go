package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
)

// nameText is the size of the names of places.
const nameText = 12

// A placeName is the name of a place and where the map writes it. A name that several squares
// share stands once.
type placeName struct {
	text      string
	at        engine.Point
	box       sheet.Box
	objective int // the victory square of this name, from 1 on; 0: it is none
}

// placeNames finds places for all names: at the edge of a square of each, where the counters of
// two squares leave most room, and where none lies over another.
func (s *scenario) placeNames() []placeName {
	var all []placeName
	groups := map[string][]square{}
	for i := range s.objectives {
		at := s.objectives[i].at
		all = s.named(all, groups, at, i+1)
	}
	for sq := square(1); int(sq) <= s.squares(); sq++ {
		all = s.named(all, groups, sq, 0)
	}
	for i := range all {
		s.placeOne(all[:i], &all[i], groups[all[i].text])
	}
	return all
}

// named adds the name of a square, if it has one, or the square to those of that name.
func (s *scenario) named(all []placeName, groups map[string][]square, sq square, objective int) []placeName {
	name := s.placeName(sq)
	if name == "" || slices.Contains(groups[name], sq) {
		return all
	}
	groups[name] = append(groups[name], sq)
	i := slices.IndexFunc(all, func(n placeName) bool { return n.text == name })
	switch {
	case i < 0:
		all = append(all, placeName{text: name, objective: objective})
	case objective > 0:
		all[i].objective = objective // the last of those that share it
	}
	return all
}

// placeOne finds the place of a name, where it covers least of those before it: first at the
// lower edge of the square in the middle of those that share it.
func (s *scenario) placeOne(before []placeName, n *placeName, squares []square) {
	widest := sheet.Widest(sheet.Lettering{Size: nameText, Bold: true}, called(n.text, "en"), called(n.text, "it"))
	half := sheet.TextWidth(widest, nameText, true)/2 + 3
	middle := (len(squares) - 1) / 2
	least := -1
	for i := range squares {
		r := s.cellOf(squares[(middle+i)%len(squares)])
		for _, y := range [...]int{r.Y + cell + 2, r.Y + 2} {
			for _, shift := range [...]int{0, 14, -14, 28, -28, 42, -42} {
				x := min(max(r.X+cell/2+shift, leftEdge+half), s.mapWidth()-rightEdge-half)
				box := sheet.Box{X: x - half, Y: y - nameText/2 - 1, W: 2 * half, H: nameText + 2}
				covers := 0
				for j := range before {
					covers += box.Common(before[j].box)
				}
				if least < 0 || covers < least {
					least, n.at, n.box = covers, sheet.At(x, y), box
				}
			}
		}
	}
}

// nameMarks writes the names of places over the counters, those of victory squares that count
// in this game bold, and gives where they are.
func (v *View) nameMarks(b pencil, names []placeName, p *palette) []engine.Name {
	boxes := make([]engine.Name, len(names))
	for i := range names {
		n := &names[i]
		bold := n.objective > 0 && v.marked(objectiveID(n.objective))
		b.Label(n.at, sheet.Name("called", n.text), sheet.Lettering{Size: nameText, Bold: bold, Ink: p.text, Rim: p.paper})
		boxes[i].Box = n.box
	}
	return boxes
}
