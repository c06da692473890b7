package waterloo

import (
	"iter"
	"slices"

	"berthier/engine"
)

// A stride is one part of what an order says about moves: the beginning of a move, by an
// entry or a first pace, or one more pace of the move that was begun last.
type stride struct {
	begins    bool
	unit      unitID
	commander commanderID
	enter     square // by which a reinforcement enters
	face      facing // after entering
	pace      pace   // empty for an entry
}

// move is the move that a stride begins, without its pace.
func (s stride) move() move {
	return move{Unit: s.unit, Commander: s.commander, Enter: s.enter, EnterFace: s.face}
}

// strides takes a move apart.
func (m *move) strides() []stride {
	one := stride{begins: true, unit: m.Unit, commander: m.Commander, enter: m.Enter, face: m.EnterFace}
	all := []stride{one}
	for i, p := range m.Path {
		if i == 0 && m.Enter == 0 {
			all[0].pace = p
			continue
		}
		all = append(all, stride{unit: m.Unit, commander: m.Commander, pace: p})
	}
	return all
}

// fresh is the movement of a card at the moment when another piece begins to move.
func (f *moveFrame) fresh() *moveFrame {
	c := *f
	c.Unit, c.Stopped, c.Vacated = 0, false, nil
	return &c
}

// strideFault tells why a stride may not follow the moves that have been made on the
// game, which is a copy for trying.
func (g *game) strideFault(f *moveFrame, moves []move, s stride) *fault {
	m := s.move()
	if s.begins {
		f = f.fresh()
		if why := g.startFault(f, &m); why != nil || s.enter != 0 {
			return why
		}
	} else if len(moves) == 0 || moves[len(moves)-1].Unit != s.unit || moves[len(moves)-1].Commander != s.commander {
		return &fault{} // the stride belongs to another piece
	}
	_, why := g.paceFault(f, &m, s.pace)
	return why
}

// with gives moves with one more stride.
func with(moves []move, s stride) []move {
	moves = slices.Clone(moves)
	if s.begins {
		moves = append(moves, s.move())
	}
	if s.enter == 0 {
		m := &moves[len(moves)-1]
		m.Path = append(slices.Clone(m.Path), s.pace)
	}
	return moves
}

// stride makes a stride that may be made, and gives the moves with it.
func (g *game) stride(f *moveFrame, moves []move, s stride) []move {
	moves = with(moves, s)
	m := &moves[len(moves)-1]
	if s.begins {
		f.Unit, f.Stopped, f.Vacated = 0, false, nil
		if m.Unit != 0 {
			g.Units[m.Unit].Moved = true
		}
		if m.Enter != 0 {
			g.Units[m.Unit].At = g.startEntry(f, m)
			return moves
		}
	}
	g.goOn(f, m, s.pace)
	return moves
}

// goOn makes a pace that may be made.
func (g *game) goOn(f *moveFrame, m *move, p pace) {
	cost, _ := g.paceFault(f, m, p)
	if to := g.stepPace(f, m, p, cost); to != 0 && m.Unit != 0 {
		g.Units[m.Unit].At = to
	}
}

// pacesOf are the paces that a piece might make next, legal or not.
func (g *game) pacesOf(m *move) iter.Seq[pace] {
	return func(yield func(pace) bool) {
		at := g.Commanders[m.Commander].At
		if m.Unit != 0 {
			at = g.Units[m.Unit].At
		}
		for _, side := range facingsAll {
			if to := g.next(at, side); to != 0 {
				if !yield(pace{To: to}) {
					return
				}
				if m.Unit != 0 && g.inChateau(m.Unit) { // WAT-10.9
					for _, face := range facingsAll {
						if !yield(pace{To: to, Face: face}) {
							return
						}
					}
				}
			}
			if m.Unit != 0 && !yield(pace{Face: side}) {
				return
			}
		}
	}
}

// stridesOn are the strides that might follow some moves, legal or not: the last
// piece goes on, or another begins.
func (g *game) stridesOn(f *moveFrame, moves []move) iter.Seq[stride] {
	return func(yield func(stride) bool) {
		if n := len(moves); n > 0 {
			m := &moves[n-1]
			for p := range g.pacesOf(m) {
				if !yield(stride{unit: m.Unit, commander: m.Commander, pace: p}) {
					return
				}
			}
		}
		for s := range g.beginnings(f.fresh()) {
			if !yield(s) {
				return
			}
		}
	}
}

// beginnings are the strides with which a piece of a card's army might begin.
func (g *game) beginnings(f *moveFrame) iter.Seq[stride] {
	return func(yield func(stride) bool) {
		first := func(m move) bool {
			if g.startFault(f, &m) != nil {
				return true
			}
			for p := range g.pacesOf(&m) {
				if !yield(stride{begins: true, unit: m.Unit, commander: m.Commander, pace: p}) {
					return false
				}
			}
			return true
		}
		for i := range g.roster {
			id := unitID(i + 1)
			if g.armyOf(id) != f.Army {
				continue
			}
			if g.Units[id].At != 0 {
				if !first(move{Unit: id}) {
					return
				}
				continue
			}
			var at []square
			for _, e := range g.def(id).entries {
				if q := g.entries[e].at; !slices.Contains(at, q) {
					at = append(at, q)
				}
			}
			for _, q := range at {
				for _, face := range faces {
					if !yield(stride{begins: true, unit: id, enter: q, face: face}) {
						return
					}
				}
			}
		}
		if c := g.commanderOf(f.Army); c != 0 && g.Commanders[c].At != 0 {
			first(move{Commander: c})
		}
	}
}

// strideChoice is how a stride is listed.
func (s *scenario) strideChoice(one stride) engine.Choice {
	m := one.move()
	c := engine.Choice{Of: s.pieceID(&m)}
	switch {
	case !one.begins:
		c.What = "then " + s.paceText(one.pace)
	case one.enter != 0:
		c.What = "enter " + s.squareID(one.enter) + faceText(one.face)
	default:
		c.What = "move " + s.paceText(one.pace)
	}
	return c
}

func (s *scenario) pieceID(m *move) string {
	if m.Commander != 0 {
		return s.lead(m.Commander).id
	}
	return s.def(m.Unit).id
}

func (s *scenario) paceText(p pace) string {
	if p.To == 0 {
		return "face " + p.Face.String()
	}
	return s.squareID(p.To) + faceText(p.Face)
}

// faces are the facings that may be named; the first keeps the facing.
var faces = [...]facing{noFacing, north, east, south, west}

// faceList is how comments list them.
const faceList = "N | E | S | W | keep"

// faceText adds a facing to what is chosen.
func faceText(f facing) string {
	if f == noFacing {
		return ""
	}
	return " face " + f.String()
}
