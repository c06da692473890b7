package sheet

import (
	"cmp"
	"slices"

	"berthier/engine/geometry"
	"berthier/orders/phrase"
)

// Places in words, for readers without pictures.

// A Landmark is a thing of the ground that everybody knows, by which places are told.
type Landmark struct {
	Name phrase.Value
	// Path is its outline, its line, or one point, in the units of the field.
	Path []geometry.Point
	// Holds says how a place within its outline is told, with the landmark as {mark}: "in {mark}". Where it
	// is "" nothing is within it.
	Holds string
	// Far says that places outside are told by it, too, if it is the nearest such landmark.
	Far bool
}

// Whereabouts tells where a point is: within which landmarks, and how far from the nearest one that
// counts, and which way from its middle. Off is the sentence of that, with {far}, {toward} and {mark};
// far is in whole measures of so many units of the field. There are no parts where there are no landmarks.
func Whereabouts(all []Landmark, at geometry.Point, off string, unit int64) []phrase.Phrase {
	var parts []phrase.Phrase
	var nearest *Landmark
	least, inside := int64(0), false
	for i := range all {
		m := &all[i]
		if m.Holds != "" && len(m.Path) > 2 && geometry.Where(m.Path, at) >= 0 {
			parts = append(parts, phrase.Say(m.Holds, Filled("mark", m.Name)))
			inside = inside || m.Far
			continue
		}
		if !m.Far {
			continue
		}
		if far := m.distance(at); nearest == nil || far < least {
			nearest, least = m, far
		}
	}
	if nearest == nil || inside {
		return parts
	}
	toward := phrase.Say("play.toward-" + Octant(geometry.Toward(nearest.middle(), at)))
	first := phrase.Say(off, phrase.Number("far", int(geometry.RDiv(least, unit))), phrase.Within("toward", toward), Filled("mark", nearest.Name))
	return slices.Insert(parts, 0, first)
}

// distance is how far a point lies from the landmark's path.
func (m *Landmark) distance(at geometry.Point) int64 {
	path := m.Path
	if len(path) > 2 && m.Holds != "" {
		path = append(slices.Clone(path), path[0])
	}
	_, far := geometry.Nearest(path, at)
	return far
}

// middle is the middle of what the landmark covers.
func (m *Landmark) middle() geometry.Point {
	lo, hi := geometry.Bounds(m.Path)
	return geometry.Point{X: lo.X + (hi.X-lo.X)/2, Y: lo.Y + (hi.Y-lo.Y)/2}
}

// A Facing is a piece, the enemy who is nearest to it, how far he is off, and to which of the eight ways.
type Facing[T any] struct {
	Own, Foe T
	Far      int64
	Toward   string
}

// Facings lists of some pieces those that are nearest to an enemy, the nearest first, at most so many. All are
// the pieces that are seen on the field.
func Facings[T any](own, all []T, body func(T) geometry.Body, enemies func(a, b T) bool, most int) []Facing[T] {
	outline := func(b *geometry.Body) geometry.Figure { return geometry.Figure{P: b.Corner[:], Closed: true} }
	var list []Facing[T]
	for _, e := range own {
		b, found, one := body(e), false, Facing[T]{Own: e}
		for _, o := range all {
			if !enemies(e, o) {
				continue
			}
			foe := body(o)
			if far := geometry.Distance(outline(&b), outline(&foe)); !found || far < one.Far {
				found, one.Foe, one.Far = true, o, far
				one.Toward = Octant(geometry.Toward(b.World(b.Middle()), foe.World(foe.Middle())))
			}
		}
		if found {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b Facing[T]) int { return cmp.Compare(a.Far, b.Far) })
	return list[:min(len(list), most)]
}

// octants are the eight ways, clockwise from north.
var octants = [...]string{"n", "ne", "e", "se", "s", "sw", "w", "nw"}

// Octant is the one of eight ways to which a heading is nearest: n, ne, e and so on.
func Octant(h geometry.Heading) string { return octants[(int(h)*2+45)%720/90] }
