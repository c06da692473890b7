package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
)

// A token is what the map shows as one block: a unit that the side can name, or
// the hidden units of one army, counted.
type token struct {
	unit      *unit // nil: hidden
	army      army
	n         int
	disrupted bool
}

// A stack is what stands in a town: the viewer's tokens, then the enemy's.
type stack struct {
	town   townID
	own    []token
	enemy  []token
	battle bool
	panel  sheet.Box
	cols   int
}

// rows is how many rows of blocks a stack takes in a grid of some columns.
func (s *stack) rows(cols int) int {
	return (len(s.own)+cols-1)/cols + (len(s.enemy)+cols-1)/cols
}

// stacks sorts what the side can see by towns. Enemy tokens stand in an order
// that does not depend on what they hide: named units by id, then counts.
func (v *View) stacks() []stack {
	own := v.camp()
	all := make([]stack, len(v.towns))
	tokens := make([]token, 0, len(v.units)) // one array for all towns' own tokens
	hidden := make([][armies][2]int16, len(v.towns))
	counts := make([]int, len(v.towns))
	for i := range v.units {
		if u := &v.units[i]; u.town != noTown && !u.dead {
			counts[u.town]++
		}
	}
	for t := range all {
		all[t].town = townID(t)
		if counts[t] > 0 {
			n := len(tokens)
			tokens = tokens[:n+counts[t]]
			all[t].own = tokens[n:n:len(tokens)]
		}
	}
	for i := range v.units {
		u := &v.units[i]
		if u.town == noTown || u.dead {
			continue
		}
		s := &all[u.town]
		switch {
		case u.id == noUnit:
			d := 0
			if u.disrupted {
				d = 1
			}
			hidden[u.town][u.army][d]++
		case u.army.camp() == own:
			s.own = append(s.own, token{unit: u, army: u.army, n: 1, disrupted: u.disrupted})
		default:
			s.enemy = append(s.enemy, token{unit: u, army: u.army, n: 1, disrupted: u.disrupted})
		}
	}
	for t := range all {
		s := &all[t]
		for a := range hidden[t] {
			for d, n := range hidden[t][a] {
				if n == 0 {
					continue
				}
				block := token{army: army(a), n: int(n), disrupted: d == 1}
				if army(a).camp() == own { // of an ally who is apart
					s.own = append(s.own, block)
				} else {
					s.enemy = append(s.enemy, block)
				}
			}
		}
	}
	for i := range v.battles {
		b := &v.battles[i]
		if b.stage == finished {
			continue
		}
		s := &all[b.town]
		s.battle = true
		if !b.skirmish && len(s.own)+len(s.enemy) > mostTokens {
			s.enemy = counted(s.enemy) // the board of the battle names them
			if len(s.own) > mostOwnTokens {
				s.own = counted(s.own)
			}
		}
	}
	return slices.DeleteFunc(all, func(s stack) bool { return len(s.own)+len(s.enemy) == 0 && !s.battle })
}

// Weights of covering what was placed before, for each cell that is looked at.
const (
	tetherTaken = 1
	panelTaken  = 2
)

var takenCost = [3]int{0, 50, 700}

// A taken grid notes where panels and their tethers are.
type taken [(mapWidth/cellSize + 1) * (mapHeight/cellSize + 1)]uint8

const takenW = mapWidth/cellSize + 1

func (t *taken) take(b sheet.Box, by uint8) {
	for y := max(0, b.Y/cellSize); y <= min(mapHeight, b.Y+b.H)/cellSize; y++ {
		for x := max(0, b.X/cellSize); x <= min(mapWidth, b.X+b.W)/cellSize; x++ {
			t[y*takenW+x] = max(t[y*takenW+x], by)
		}
	}
}

// under is the cost of covering a box that lies on the sheet, or something above
// the limit. It looks at every other cell: nothing that is placed is smaller
// than that.
func (t *taken) under(b sheet.Box, limit int) int {
	cost := 0
	x0, x1, y1 := b.X/cellSize, (b.X+b.W)/cellSize, (b.Y+b.H)/cellSize
	for y := b.Y / cellSize; ; y = min(y+2, y1) {
		row := t[y*takenW : y*takenW+takenW]
		for x := x0; ; x = min(x+2, x1) {
			if by := row[x]; by != 0 {
				if cost += takenCost[by]; cost > limit {
					return cost
				}
			}
			if x == x1 {
				break
			}
		}
		if y == y1 {
			return cost
		}
	}
}

// A panel of a battle with more blocks than mostTokens only counts the enemy's,
// and with more own blocks than mostOwnTokens those too.
const (
	mostTokens    = 12
	mostOwnTokens = 18
)

// counted puts together all tokens of an army that are alike disrupted or not.
func counted(tokens []token) []token {
	var n [armies][2]int
	for i := range tokens {
		if tokens[i].disrupted {
			n[tokens[i].army][1] += tokens[i].n
		} else {
			n[tokens[i].army][0] += tokens[i].n
		}
	}
	out := tokens[:0:0]
	for a := range n {
		for d, n := range n[a] {
			if n > 0 {
				out = append(out, token{army: army(a), n: n, disrupted: d == 1})
			}
		}
	}
	return out
}

// cost is what a panel's place covers, above a base: towns, names and roads of
// the ground, panels placed before, and what the line to its town crosses. It may
// stop counting at the limit.
func (c *chart) cost(used *taken, at engine.Point, r sheet.Box, base, limit int) int {
	if !inside(r) {
		return limit
	}
	cost := base + c.clutter.under(r)
	if cost >= limit {
		return cost
	}
	if cost += used.under(r, limit-cost); cost >= limit {
		return cost
	}
	from, to, ok := tether(at, r)
	if !ok {
		return cost
	}
	for n := 1; n < 8; n++ {
		dx, dy := (to.X-from.X)*n/8, (to.Y-from.Y)*n/8
		if abs(dx)+abs(dy) < 2*cityDot { // the town itself
			continue
		}
		x, y := (from.X+dx)/cellSize, (from.Y+dy)/cellSize
		cost += takenCost[used[y*takenW+x]]
		if under := c.clutter.under(sheet.Box{X: x * cellSize, Y: y * cellSize, W: 1, H: 1}); under >= 20 {
			cost += under
		}
	}
	return cost
}

// tetherLength is about how far a panel is from its town.
func tetherLength(at engine.Point, r sheet.Box) int {
	_, to, _ := tether(at, r)
	dx, dy := abs(to.X-at.X), abs(to.Y-at.Y)
	return max(dx, dy) + min(dx, dy)/2
}

// place finds a place for every stack's panel, the largest first: near its
// town, and where it covers least.
func (v *View) place(c *chart, stacks []stack) {
	order := make([]int, 0, len(stacks))
	used := new(taken)
	for i := range stacks {
		s := &stacks[i]
		if s.battle {
			at := c.at[s.town]
			used.take(sheet.Box{X: at.X - 14, Y: at.Y - 14, W: 28, H: 28}, panelTaken)
		}
		if len(s.own)+len(s.enemy) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return len(stacks[b].own) + len(stacks[b].enemy) - len(stacks[a].own) - len(stacks[a].enemy)
	})
	for _, i := range order {
		s := &stacks[i]
		at := c.at[s.town]
		best := 1 << 30
		widest := max(len(s.own), len(s.enemy))
		for shape, cols := range columns(widest) {
			if cols > widest {
				continue
			}
			w := cols*(blockW+blockGap) - blockGap + 2*panelPad
			h := s.rows(cols)*(blockH+blockGap) - blockGap + 2*panelPad
			if len(s.own) > 0 && len(s.enemy) > 0 {
				h += 3
			}
			for _, gap := range [...]int{9, 16, 26, 40, 58, 80, 110, 150} {
				base := gap*5 + shape*12
				if base >= best {
					break
				}
				directions := clock[:]
				if gap > 40 {
					directions = clock[:12]
				}
				for _, d := range directions {
					r := sheet.Box{X: at.X + sheet.RoundDiv(d.X*(gap+w/2), 100) - w/2, Y: at.Y + sheet.RoundDiv(d.Y*(gap+h/2), 100) - h/2, W: w, H: h}
					if cost := c.cost(used, at, r, base, best); cost < best {
						best, s.panel, s.cols = cost, r, cols
					}
				}
			}
		}
		if s.cols > 0 { // shift it a little, as long as that helps
			for _, step := range [...]int{12, 7, 4} {
				for better := true; better; {
					better = false
					for _, d := range clock[:12] {
						r := s.panel
						r.X, r.Y = r.X+sheet.RoundDiv(d.X*step, 100), r.Y+sheet.RoundDiv(d.Y*step, 100)
						if cost := c.cost(used, at, r, tetherLength(at, r)*5, best); cost < best {
							best, s.panel, better = cost, r, true
						}
					}
				}
			}
		}
		if s.cols == 0 { // too large for any place: it goes as near as the sheet allows
			s.cols = columns(widest)[0]
			w := s.cols*(blockW+blockGap) - blockGap + 2*panelPad
			h := s.rows(s.cols)*(blockH+blockGap) - blockGap + 2*panelPad + 3
			s.panel = sheet.Box{X: max(5, min(at.X+12, mapWidth-5-w)), Y: max(5, min(at.Y+12, mapHeight-5-h)), W: w, H: h}
		}
		if from, to, ok := tether(at, s.panel); ok {
			for n := 1; n < 8; n++ {
				used.take(sheet.Box{X: from.X + (to.X-from.X)*n/8, Y: from.Y + (to.Y-from.Y)*n/8, W: 1, H: 1}, tetherTaken)
			}
		}
		used.take(s.panel, panelTaken)
	}
}

// tether is the line from a town to its panel, if they are apart.
func tether(at engine.Point, r sheet.Box) (from, to engine.Point, ok bool) {
	to = sheet.At(max(r.X, min(at.X, r.X+r.W)), max(r.Y, min(at.Y, r.Y+r.H)))
	return at, to, abs(to.X-at.X)+abs(to.Y-at.Y) > townDot+2
}

// columns are the widths of a panel to try, the best shape first.
func columns(n int) []int {
	switch {
	case n <= 1:
		return columnsTo[:1]
	case n == 2:
		return columnsTo[1:3]
	case n == 3:
		return columnsTo[3:6]
	case n == 4:
		return columnsTo[6:8]
	case n <= 6:
		return columnsTo[8:12]
	case n <= 9:
		return columnsTo[12:16]
	case n <= 12:
		return columnsTo[16:20]
	}
	return columnsTo[20:]
}

var columnsTo = [...]int{1, 2, 1, 3, 2, 1, 2, 4, 3, 2, 6, 5, 3, 4, 5, 9, 4, 6, 3, 5, 6, 5, 8, 12}
