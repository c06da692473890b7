package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/sheet"
)

// A token is what the map shows as one block: a unit that the side can name, the hidden units
// of one army, counted, or many units that it can name.
type token struct {
	unit      *unit // nil: hidden, or many
	army      army
	n         int
	disrupted bool
	many      []token // the units for which it stands; the margin lists them
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

// mostTokens is how many blocks a stack shows beside its town. Of more, those that can be named
// are one counter an army, and the margin lists them.
const mostTokens = 6

// gather makes one counter of the units of an army, if there are too many in the stack: first
// of those of whom there are more.
func (s *stack) gather() {
	groups := [2]*[]token{&s.own, &s.enemy}
	if len(s.enemy) > len(s.own) {
		groups[0], groups[1] = groups[1], groups[0]
	}
	for _, g := range groups {
		if len(s.own)+len(s.enemy) > mostTokens {
			*g = massed(*g)
		}
	}
}

func massed(tokens []token) []token {
	var of [armies][]token
	for _, t := range tokens {
		if t.unit != nil {
			of[t.army] = append(of[t.army], t)
		}
	}
	var out []token
	for a := range of {
		if len(of[a]) > 1 {
			out = append(out, token{army: army(a), n: len(of[a]), many: of[a]})
		}
	}
	for _, t := range tokens {
		if t.unit == nil || len(of[t.army]) < 2 {
			out = append(out, t)
		}
	}
	return out
}

// strength is that of the units for which a token stands.
func (t *token) strength() int {
	n := 0
	for i := range t.many {
		n += int(t.many[i].unit.strength)
	}
	return n
}

// wide tells whether a group of tokens has a counter for many: then they stand below each other.
func wide(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.many != nil })
}

// spread gives in how many columns a group stands, and how wide each is.
func spread(tokens []token, cols int) (columns, width int) {
	if wide(tokens) {
		return 1, bigW
	}
	return cols, blockW
}

// size is that of a panel whose blocks stand in so many columns.
func (s *stack) size(cols int) (w, h int) {
	h = -blockGap + 2*panelPad
	for _, group := range [2][]token{s.own, s.enemy} {
		if len(group) > 0 {
			in, width := spread(group, cols)
			w = max(w, min(in, len(group))*(width+blockGap)-blockGap+2*panelPad)
			h += (len(group) + in - 1) / in * (blockH + blockGap)
		}
	}
	if len(s.own) > 0 && len(s.enemy) > 0 {
		h += 3
	}
	return w, h
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
		all[b.town].battle = true
	}
	for t := range all {
		all[t].gather()
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
type taken struct {
	grid            [(mapWidth/cellSize + 1) * (mapHeight/cellSize + 1)]uint8
	panels, battles []sheet.Box
}

const takenW = mapWidth/cellSize + 1

func (t *taken) take(b sheet.Box, by uint8) {
	for y := max(0, b.Y/cellSize); y <= min(mapHeight, b.Y+b.H)/cellSize; y++ {
		for x := max(0, b.X/cellSize); x <= min(mapWidth, b.X+b.W)/cellSize; x++ {
			t.grid[y*takenW+x] = max(t.grid[y*takenW+x], by)
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
		row := t.grid[y*takenW : y*takenW+takenW]
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
	if c.covered(used, r) > 0 {
		return limit
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
		cost += takenCost[used.grid[y*takenW+x]]
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
			swords := sheet.Box{X: at.X - 14, Y: at.Y - 14, W: 28, H: 28}
			used.take(swords, panelTaken)
			used.battles = append(used.battles, swords)
		}
		if len(s.own)+len(s.enemy) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		aw, ah := stacks[a].size(2)
		bw, bh := stacks[b].size(2)
		return bw*bh - aw*ah
	})
	for _, i := range order {
		s := &stacks[i]
		at := c.at[s.town]
		best := 1 << 30
		widest := s.widest()
		for shape, cols := range columns(widest) {
			if cols > widest {
				continue
			}
			w, h := s.size(cols)
			for _, gap := range [...]int{9, 16, 26, 40, 58, 80, 110, 150} {
				base := gap*5 + shape*12
				if base >= best {
					break
				}
				directions := sheet.Clock[:]
				if gap > 40 {
					directions = sheet.Clock[:12]
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
					for _, d := range sheet.Clock[:12] {
						r := s.panel
						r.X, r.Y = r.X+sheet.RoundDiv(d.X*step, 100), r.Y+sheet.RoundDiv(d.Y*step, 100)
						if cost := c.cost(used, at, r, tetherLength(at, r)*5, best); cost < best {
							best, s.panel, better = cost, r, true
						}
					}
				}
			}
		}
		if s.cols == 0 {
			s.anywhere(c, used)
		}
		if from, to, ok := tether(at, s.panel); ok {
			for n := 1; n < 8; n++ {
				used.take(sheet.Box{X: from.X + (to.X-from.X)*n/8, Y: from.Y + (to.Y-from.Y)*n/8, W: 1, H: 1}, tetherTaken)
			}
		}
		used.take(s.panel, panelTaken)
		used.panels = append(used.panels, s.panel)
	}
}

// widest is how many columns a stack fills at most.
func (s *stack) widest() int {
	n := 1
	for _, group := range [2][]token{s.own, s.enemy} {
		if !wide(group) {
			n = max(n, len(group))
		}
	}
	return n
}

// anywhere finds the nearest place on the sheet where a panel covers no town, no name and no
// other panel; if there is none, the one where it covers least.
func (s *stack) anywhere(c *chart, used *taken) {
	at := c.at[s.town]
	least := 1 << 30
	for _, cols := range columns(s.widest()) {
		w, h := s.size(cols)
		for y := 6; y+h <= mapHeight-6; y += cellSize {
			for x := 6; x+w <= mapWidth-6; x += cellSize {
				r := sheet.Box{X: x, Y: y, W: w, H: h}
				if cost := tetherLength(at, r) + 1000*c.covered(used, r); cost < least {
					least, s.panel, s.cols = cost, r, cols
				}
			}
		}
	}
}

// covered is how much of towns, names, cards and panels a box would cover.
func (c *chart) covered(used *taken, r sheet.Box) int {
	n := 0
	for _, kept := range [3][]sheet.Box{c.kept, used.panels, used.battles} {
		for i := range kept {
			n += r.Common(kept[i])
		}
	}
	return n
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
	}
	return columnsTo[8:]
}

var columnsTo = [...]int{1, 2, 1, 3, 2, 1, 2, 4, 3, 2, 6, 5}
