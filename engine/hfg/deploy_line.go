package hfg

import ()

// How the elements that nobody has posted are deployed: section 5.1 of the digest.

// How lines are drawn up, in paces.
const (
	lineFront   = 1600 // of a defender: so far on his own side of the centre line
	lineBehind  = 300  // mounted stand so far behind the deepest base of the first row
	lineCommand = 400  // between commands
	lineStep    = 100  // in which places further behind are looked for
)

// drawUp posts all that is neither posted nor delayed: command by command from left to right, in the
// first row foot, then artillery; behind it mounted, staff and train. What finds no place in its row
// gets the first one further behind. It gives the postings.
func (m *muster) drawUp() []posting {
	z := m.game.zoneOf(m.side, false)
	cursor := int64(0)
	var all []posting
	for c := commandID(1); int(c) <= len(m.game.commands); c++ {
		if m.game.lead(c).side != m.side || m.game.Commands[c].Status == delayed || m.game.Commands[c].Status == absent {
			continue
		}
		front, back := m.rows(c)
		deep := int64(0)
		for _, e := range front {
			if b := m.game.box(m.game.def(e)); -b.V0 > deep && -b.V0 < 2*baseWidth*pace {
				deep = -b.V0
			}
		}
		behind := deep
		if m.game.role(m.side) == defender {
			behind += lineBehind * pace
		}
		one, ended := m.row(front, z, cursor, 0)
		two, ended2 := m.row(back, z, cursor, behind)
		all = append(append(all, one...), two...)
		if len(one)+len(two) > 0 {
			cursor = max(ended, ended2) + lineCommand*pace
		}
	}
	return all
}

// rows are the elements of a command that are to be drawn up, by the row in which they stand: of an
// attacker, whose zone is not deep, the deepest bases stand in the first.
func (m *muster) rows(c commandID) (front, back []elementID) {
	var kinds [naval + 1][]elementID
	for _, e := range m.game.lead(c).elements {
		if m.game.Elements[e].Fate == due && m.game.def(e).troop != spGarrison {
			k := troops[m.game.def(e).troop].class
			kinds[k] = append(kinds[k], e)
		}
	}
	front = append(kinds[foot], kinds[artillery]...)
	for _, k := range []class{mounted, staff, train, naval} {
		for _, e := range kinds[k] {
			if b := m.game.box(m.game.def(e)); m.game.role(m.side) == attacker && -b.V0 >= 2*baseWidth*pace {
				front = append(front, e)
			} else {
				back = append(back, e)
			}
		}
	}
	return front, back
}

// row posts elements side by side, from so far along the row on, whose front lies so far behind
// that of the first row. It gives how far along the row the last of them ends.
func (m *muster) row(list []elementID, z zone, from, behind int64) ([]posting, int64) {
	var all []posting
	at := from
	for _, e := range list {
		placed := false
		wide := m.wide(e)
		for u := at; u+wide <= z.hi.X-z.lo.X; u += wide {
			if p := m.inLine(e, z, u, behind); m.try(&p) {
				all, at, placed = append(all, p), u+wide, true
				break
			}
		}
		if placed {
			continue
		}
		if p, ok := m.anywhere(e, z); ok {
			all = append(all, p)
		}
	}
	return all, at
}

func (m *muster) wide(e elementID) int64 {
	b := m.game.box(m.game.def(e))
	return b.U1 - b.U0
}

// inLine is the place of an element so far along the row, from the left as its side looks.
func (m *muster) inLine(e elementID, z zone, along, behind int64) posting {
	front := int64(attackerDepth) * pace
	if m.game.role(m.side) == defender {
		front = m.game.size.Y/2 - lineFront*pace
	}
	p := posting{element: e}
	v := front - behind
	mid := along + m.wide(e)/2
	if m.game.base(m.side) == south {
		p.at, p.facing = place{X: z.lo.X + mid, Y: v}, 0
	} else {
		p.at, p.facing = place{X: z.hi.X - mid, Y: m.game.size.Y - v}, 180
	}
	return p
}

// anywhere is the first place that will do behind the first row, from the left.
func (m *muster) anywhere(e elementID, z zone) (posting, bool) {
	wide := m.wide(e)
	for behind := int64(0); behind <= z.hi.Y-z.lo.Y; behind += lineStep * pace {
		for u := int64(0); u+wide <= z.hi.X-z.lo.X; u += wide {
			if p := m.inLine(e, z, u, behind); m.try(&p) {
				return p, true
			}
		}
	}
	return posting{}, false
}

// try posts an element, if it can stand there.
func (m *muster) try(p *posting) bool {
	x := &m.game.Elements[p.element]
	x.Fate, x.At, x.Facing = present, p.at, p.facing
	b := m.game.body(p.element)
	if lo, hi := b.Lo, b.Hi; lo.Y < 0 || hi.Y > m.game.size.Y || m.unfit(p) != nil {
		x.Fate, x.At, x.Facing = due, place{}, 0
		return false
	}
	return true
}

// filled is a deployment with all that it doesn't post drawn up in line.
func (g *game) filled(d *deployment) *deployment {
	m := &muster{game: g.board(), deployment: d}
	m.regroup()
	m.delay()
	for i := range d.works {
		m.work(&d.works[i])
	}
	for i := range d.posts {
		m.post(&d.posts[i])
	}
	c := *d
	c.posts = append(append([]posting{}, d.posts...), m.drawUp()...)
	return &c
}
