package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// Movement (chapter 8 of the rulebook) and reinforcements (chapter 5).

// turnCost is what a change of facing costs (WAT-8.5, WAT-8.7).
const turnCost = 1

// moveCost is what a unit pays to cross one side of its square (WAT-8.10, section
// 3.3). The side must not be a pond edge, nor the border of the board.
func (g *game) moveCost(from square, side facing) int {
	into := g.next(from, side)
	e := g.edgeOf(from, side)
	if e.has(road) && g.roadEntry(into) { // WAT-R44: in total
		return 1
	}
	cost := 1
	switch g.terrain[into] {
	case wood, village, chateau:
		cost = 2
	case hill:
		if g.terrain[from] != hill {
			cost = 2
		}
	}
	if e.has(wall) {
		cost++
	}
	if e.has(stream) && !e.has(bridge) {
		cost++
	}
	return cost
}

// roadEntry tells whether entering a square across a road edge costs 1 in total:
// Mt St Jean, La Haye Sainte (WAT-8.10).
func (g *game) roadEntry(q square) bool {
	for i := range g.objectives {
		if g.objectives[i].at == q {
			return g.objectives[i].road
		}
	}
	return false
}

// exits tells whether a unit may leave its square over a side without turning
// first: over its front; infantry in a chateau over any (WAT-8.5, WAT-R25).
func (g *game) exits(id unitID, side facing) bool {
	return g.allRound(id) || g.Units[id].Face == side
}

// startFault tells why a unit may not begin to move (WAT-8.6, WAT-11.6).
func (g *game) startFault(f *moveFrame, m *move) *fault {
	if m.Commander != 0 {
		if g.lead(m.Commander).army != f.Army {
			return refusal("WAT-6.2", "wat.move-army", g.commanderArg("piece", m.Commander), g.cardArg("card", f.Card))
		}
		if g.Commanders[m.Commander].At == 0 {
			return refusal("WAT-12.5", "wat.move-aside", g.commanderArg("piece", m.Commander))
		}
		return nil
	}
	u := &g.Units[m.Unit]
	switch {
	case g.armyOf(m.Unit) != f.Army:
		return refusal("WAT-6.2", "wat.move-army", g.unitArg("piece", m.Unit), g.cardArg("card", f.Card))
	case u.Dead:
		return refusal("WAT-9.36", "wat.move-dead", g.unitArg("unit", m.Unit))
	case u.Moved:
		return refusal("WAT-8.6", "wat.move-twice", g.unitArg("unit", m.Unit))
	case u.Reorganised:
		return refusal("WAT-11.6", "wat.move-reorganised", g.unitArg("unit", m.Unit))
	case m.Enter != 0:
		return g.entryFault(f, m)
	case u.At == 0:
		return refusal("WAT-5.2", "wat.move-off-board", g.unitArg("unit", m.Unit))
	}
	return nil
}

// entryFault tells why a reinforcement may not enter (WAT-5.1 to 5.5).
func (g *game) entryFault(f *moveFrame, m *move) *fault {
	d := g.def(m.Unit)
	switch {
	case g.Units[m.Unit].At != 0:
		return refusal("WAT-5.2", "wat.enter-on-board", g.unitArg("unit", m.Unit))
	case d.arrives == 0 || d.arrives > g.Turn:
		return refusal("WAT-5.1", "wat.enter-early", g.unitArg("unit", m.Unit), number("turn", d.arrives))
	}
	var letters []string
	allowed := false
	for _, i := range d.entries {
		letters = append(letters, g.entries[i].id)
		allowed = allowed || g.entries[i].at == m.Enter
	}
	switch {
	case !allowed:
		return refusal("WAT-5.3", "wat.enter-elsewhere", g.unitArg("unit", m.Unit), phrase.Literals("entries", letters))
	case len(d.entries) > 1 && g.Entry != 0 && g.Entry != m.Enter:
		return refusal("WAT-5.3", "wat.enter-fixed", g.unitArg("unit", m.Unit), g.squareArg("square", g.Entry))
	case g.entrySquare(m.Enter) == 0:
		return refusal("WAT-5.5", "wat.enter-occupied", g.unitArg("unit", m.Unit), g.squareArg("square", m.Enter))
	case f.MP < 1:
		return refusal("WAT-8.2", "wat.move-mp", g.unitArg("piece", m.Unit), g.squareArg("square", m.Enter), number("cost", 1), number("left", f.MP))
	}
	return nil
}

// entrySquare is where a unit really comes in: the entry square, or none if it is
// occupied. With option entry_shift it is the nearest free square of the column,
// of two equally near the southern one (WAT-5.5, WAT-R34).
func (g *game) entrySquare(q square) square {
	if g.unitAt(q) == 0 {
		return q
	}
	if g.options.entryShift == off {
		return 0
	}
	for d := 1; d < len(g.rows); d++ {
		for _, step := range []int{d, -d} {
			if r := g.row(q) + step; r >= 0 && r < len(g.rows) {
				if at := q + square(step*g.columns); g.unitAt(at) == 0 {
					return at
				}
			}
		}
	}
	return 0
}

// paceFault tells why a piece may not do the next pace, or what it costs.
func (g *game) paceFault(f *moveFrame, m *move, p pace) (cost int, why *fault) {
	if m.Commander != 0 {
		return g.commanderPace(f, m.Commander, p)
	}
	u := &g.Units[m.Unit]
	short := func(cost int, to square) (int, *fault) {
		if cost > f.MP {
			return cost, refusal("WAT-8.2", "wat.move-mp", g.unitArg("piece", m.Unit), g.squareArg("square", to), number("cost", cost), number("left", f.MP))
		}
		return cost, nil
	}
	if f.Stopped {
		return 0, refusal("WAT-9.52", "wat.move-must-stop", g.unitArg("unit", m.Unit))
	}
	if p.To == 0 {
		if p.Face == u.Face {
			return 0, refusal("WAT-8.5", "wat.turn-same", g.unitArg("unit", m.Unit), facingArg("face", p.Face))
		}
		return short(turnCost, u.At)
	}
	side, near := g.toward(u.At, p.To)
	switch {
	case !near:
		return 0, refusal("WAT-8.4", "wat.move-apart", g.unitArg("piece", m.Unit), g.squareArg("from", u.At), g.squareArg("square", p.To))
	case !g.exits(m.Unit, side):
		f := refusal("WAT-8.5", "wat.move-facing", g.unitArg("unit", m.Unit), facingArg("face", u.Face), g.squareArg("square", p.To))
		f.Remedy = phrase.Say("wat.move-turn-first", facingArg("face", side))
		return 0, f
	case g.edgeOf(u.At, side).has(pond):
		return 0, refusal("WAT-8.10", "wat.move-pond", g.unitArg("piece", m.Unit), g.squareArg("square", p.To))
	case g.unitAt(p.To) != 0:
		return 0, refusal("WAT-8.9", "wat.move-occupied", g.unitArg("piece", m.Unit), g.squareArg("square", p.To), g.unitArg("by", g.unitAt(p.To)))
	case p.Face != noFacing && !g.inChateau(m.Unit):
		return 0, refusal("WAT-10.9", "wat.move-free-facing", g.unitArg("unit", m.Unit))
	}
	return short(g.moveCost(u.At, side), p.To)
}

// commanderPace is paceFault for a commander (WAT-8.8, WAT-12.1).
func (g *game) commanderPace(f *moveFrame, c commanderID, p pace) (cost int, why *fault) {
	at := g.Commanders[c].At
	if p.To == 0 || p.Face != noFacing {
		return 0, refusal("WAT-8.8", "wat.commander-turn", g.commanderArg("commander", c))
	}
	side, near := g.toward(at, p.To)
	switch {
	case !near:
		return 0, refusal("WAT-8.4", "wat.move-apart", g.commanderArg("piece", c), g.squareArg("from", at), g.squareArg("square", p.To))
	case g.edgeOf(at, side).has(pond):
		return 0, refusal("WAT-8.8", "wat.move-pond", g.commanderArg("piece", c), g.squareArg("square", p.To))
	}
	if id := g.unitAt(p.To); id != 0 && g.campOf(id) != g.lead(c).army.camp() {
		return 0, refusal("WAT-12.1", "wat.move-occupied", g.commanderArg("piece", c), g.squareArg("square", p.To), g.unitArg("by", id))
	}
	if f.MP < 1 {
		return 1, refusal("WAT-8.2", "wat.move-mp", g.commanderArg("piece", c), g.squareArg("square", p.To), number("cost", 1), number("left", f.MP))
	}
	return 1, nil
}

// stepPace does a pace on the board and pays for it; what follows from it is done
// elsewhere. It gives the square that was entered, if any.
func (g *game) stepPace(f *moveFrame, m *move, p pace, cost int) square {
	f.MP -= cost
	f.Spent += cost
	if m.Commander != 0 {
		g.Commanders[m.Commander].At = p.To
		return p.To
	}
	u := &g.Units[m.Unit]
	if p.To == 0 {
		u.Face, f.Turned = p.Face, true
		return 0
	}
	if p.Face != noFacing { // WAT-10.9
		u.Face = p.Face
	} else if side, _ := g.toward(u.At, p.To); g.allRound(m.Unit) {
		u.Face = side // a unit may leave over any side; it faces the way it goes, if nothing else is said
	}
	f.Stopped = slices.Contains(f.Vacated, p.To)
	return p.To
}

// startEntry puts a reinforcement on the square by which it enters (WAT-5.2). It does not
// count as being in the square before [battlefield.enter].
func (g *game) startEntry(f *moveFrame, m *move) square {
	at := g.entrySquare(m.Enter)
	if len(g.def(m.Unit).entries) > 1 {
		g.Entry = m.Enter
	}
	f.MP--
	f.Spent++
	g.Units[m.Unit].Face = m.EnterFace
	if m.EnterFace == noFacing {
		g.Units[m.Unit].Face = g.def(m.Unit).face
	}
	return at
}

// tryMoves makes moves without what follows from them and gives the first fault. The
// game is a copy for trying moves.
func (g *game) tryMoves(f *moveFrame) *fault {
	for i := range f.Moves {
		if why := g.tryMove(f, &f.Moves[i], i == 0 && f.Unit != 0); why != nil {
			return why
		}
	}
	return nil
}

// tryMove tries one move; going tells that the move is under way already.
func (g *game) tryMove(f *moveFrame, m *move, going bool) *fault {
	_, why := g.tryPaces(f, m, going)
	return why
}

// tryPaces does the same as tryMove and tells at which pace the fault is; -1 is the start.
func (g *game) tryPaces(f *moveFrame, m *move, going bool) (at int, why *fault) {
	if !going {
		f.Stopped, f.Vacated = false, nil
		if why := g.startFault(f, m); why != nil {
			return -1, why
		}
		if m.Unit != 0 {
			g.Units[m.Unit].Moved = true
		}
		if m.Enter != 0 {
			g.Units[m.Unit].At = g.startEntry(f, m)
		}
	}
	for i, p := range m.Path {
		cost, why := g.paceFault(f, m, p)
		if why != nil {
			return i, why
		}
		if to := g.stepPace(f, m, p, cost); to != 0 && m.Unit != 0 {
			g.Units[m.Unit].At = to
		}
	}
	return 0, nil
}

// run implements frame: the moves of a card, one piece after the other.
func (f *moveFrame) run(p *battlefield) {
	if f.Changed {
		f.Changed = false
		if !p.stillFits(f) {
			return
		}
	}
	for {
		if len(f.Moves) == 0 {
			p.tellMove(f)
			p.pop() // what is left of the card is lost (WAT-8.3)
			return
		}
		m := &f.Moves[0]
		if m.Unit == 0 { // a commander's move triggers nothing
			if p.tryMove(f, m, false) == nil {
				p.announce("WAT-8.8", "wat.moved-commander", p.commanderArg("commander", m.Commander), p.squareArg("square", p.Commanders[m.Commander].At), number("mp", f.Spent))
			}
			f.Spent = 0
			f.Moves = f.Moves[1:]
			continue
		}
		if f.Unit == 0 {
			f.Vacated, f.Stopped = nil, false
			if p.startFault(f, m) != nil {
				f.Moves = f.Moves[1:]
				continue
			}
			f.Unit = m.Unit
			p.unit(m.Unit).Moved = true // WAT-8.6, WAT-8.7
			if m.Enter != 0 {
				at := p.startEntry(f, m)
				m.Enter = 0
				f.Trail = append(f.Trail, at)
				p.announce("WAT-5.2", "wat.entered", p.unitArg("unit", m.Unit), p.squareArg("square", at), facingArg("face", p.unit(m.Unit).Face))
				f.Trail, f.Spent = nil, 0
				p.enter(m.Unit, at, byMove)
				return
			}
		}
		if len(m.Path) == 0 {
			p.tellMove(f)
			f.Unit, f.Moves = 0, f.Moves[1:]
			continue
		}
		next := m.Path[0]
		cost, why := p.paceFault(f, m, next)
		m.Path = m.Path[1:]
		if why != nil { // this happens only after a reaction, and then it was told
			m.Path = nil
			continue
		}
		if to := p.stepPace(f, m, next, cost); to != 0 {
			f.Trail = append(f.Trail, to)
			if p.watched(m.Unit, to) {
				p.tellMoveTo(f, m.Unit)
			}
			p.enter(m.Unit, to, byMove)
			return
		}
	}
}

// watched tells whether an enemy stands so near a square that a unit's entry may cause
// something: then what the unit did before must be told first.
func (g *game) watched(id unitID, q square) bool {
	for e, u := range g.everyUnit() {
		if g.hostile(id, e) && g.distance(u.At, q) == 1 {
			return true
		}
	}
	for i := range g.commanders {
		if at := g.Commanders[i+1].At; at != 0 && g.commanders[i].army.camp() != g.campOf(id) && g.distance(at, q) <= 1 {
			return true
		}
	}
	return false
}

// tellMove tells what the unit under way has done since the last time.
func (p *battlefield) tellMove(f *moveFrame) {
	if f.Unit != 0 {
		p.tellMoveTo(f, f.Unit)
	}
}

func (p *battlefield) tellMoveTo(f *moveFrame, id unitID) {
	face := p.unit(id).Face
	switch {
	case len(f.Trail) > 0:
		p.announce("WAT-8.1", "wat.moved", p.unitArg("unit", id), p.squareArgs("path", f.Trail), facingArg("face", face), number("mp", f.Spent))
	case f.Turned:
		p.announce("WAT-8.7", "wat.turned", p.unitArg("unit", id), facingArg("face", face), number("mp", f.Spent))
	}
	f.Trail, f.Spent, f.Turned = nil, 0, false
}

// mayPursue tells whether the unit under way could enter a square that cavalry has
// just left before it, which its orders could not foresee (WAT-9.52).
func (g *game) mayPursue(f *moveFrame) bool {
	if f.Unit == 0 || f.Stopped {
		return false
	}
	at := g.unit(f.Unit).At
	return slices.ContainsFunc(f.Vacated, func(q square) bool {
		side, near := g.toward(at, q)
		if !near || g.unitAt(q) != 0 || g.edgeOf(at, side).has(pond) {
			return false
		}
		cost := g.moveCost(at, side)
		if !g.exits(f.Unit, side) {
			cost += turnCost
		}
		return cost <= f.MP
	})
}

// stillFits tells whether the card can go on after a reaction. If the rest of the orders is
// no longer legal, or if the unit could follow cavalry that has left, their author is asked
// (WAT-S4); or what can't be done is left out, if the step says so.
func (p *battlefield) stillFits(f *moveFrame) bool {
	t, trial := p.trial(), play.Clone(*f)
	why := t.tryMoves(&trial)
	if why == nil && (f.Reacts == reactionContinue || !p.mayPursue(f)) {
		return true
	}
	if f.Reacts == reactionContinue {
		for _, d := range p.prune(f) {
			p.whisper(p.roundNow().seat(p.game), d.why.Clause, "wat.move-dropped", p.pieceArg("piece", &d.move),
				phrase.Literals("path", p.paceTexts(d.move.Path)), phrase.Within("why", d.why.Why))
		}
		return true
	}
	p.tellMove(f)
	r := p.roundNow()
	if why != nil {
		p.whisper(r.seat(p.game), why.Clause, "wat.move-changed", phrase.Within("why", why.Why))
	}
	p.ask(r.seat(p.game), stopContinue, p.squareOrPiece(f))
	return false
}

// squareOrPiece names what a stop continue is about: the unit under way.
func (g *game) squareOrPiece(f *moveFrame) string {
	if f.Unit != 0 {
		return g.def(f.Unit).id
	}
	return ""
}

// A dropped move is a move of a card, or the end of one, that is left out because a
// reaction has made it illegal.
type dropped struct {
	move move // with the paces that are left out
	why  *fault
}

// pieceArg fills a place of a sentence with the piece that moves: a unit, or a commander.
func (s *scenario) pieceArg(place string, m *move) argument {
	if m.Commander != 0 {
		return s.commanderArg(place, m.Commander)
	}
	return s.unitArg(place, m.Unit)
}

// paceTexts are paces as an order file writes them.
func (s *scenario) paceTexts(path []pace) []string {
	texts := make([]string, len(path))
	for i, p := range path {
		texts[i] = s.paceText(p)
	}
	return texts
}

// prune takes out of the moves of a card what is no longer legal, and gives that.
func (g *game) prune(f *moveFrame) (out []dropped) {
	t, trial := g.trial(), play.Clone(*f)
	var kept []move
	for i := range f.Moves {
		m := f.Moves[i]
		before, then := t.trial(), play.Clone(trial)
		at, why := t.tryPaces(&trial, &m, i == 0 && f.Unit != 0)
		if why != nil {
			t, trial = before, then
			left := m
			if at < 0 {
				out = append(out, dropped{left, why})
				continue
			}
			left.Path = m.Path[at:]
			out = append(out, dropped{left, why})
			m.Path = m.Path[:at]
			t.tryPaces(&trial, &m, i == 0 && f.Unit != 0)
		}
		kept = append(kept, m)
	}
	f.Moves = kept
	return out
}

// seenBy implements frame: only their author knows the moves that are still to be made.
func (f *moveFrame) seenBy(g *game, side engine.Side) frame {
	c := *f
	if r := g.roundNow(); r == nil || r.seat(g) != side {
		c.Moves, c.Changed, c.Reacts = nil, false, reactionAsk
	}
	c = play.Clone(c)
	return &c
}

// sound tells whether a position may hold the frame.
func (f *moveFrame) sound(g *game, depth int) bool {
	if depth != 2 || f.Card == 0 || f.Army != g.card(f.Card).army {
		return false
	}
	if r, ok := g.Flow[1].(*roundFrame); !ok || r.Camp != f.Army.camp() {
		return false
	}
	if !soundMoves(f.Moves) {
		return false
	}
	return f.Unit == 0 || len(f.Moves) > 0 && f.Moves[0].Unit == f.Unit && g.Units[f.Unit].At != 0
}

// soundMoves tells whether moves name pieces that can move, and whether each of their
// paces names a square or a facing.
func soundMoves(moves []move) bool {
	for i := range moves {
		m := &moves[i]
		if (m.Unit == 0) == (m.Commander == 0) || m.Commander != 0 && m.Enter != 0 ||
			slices.Contains(m.Path, pace{}) {
			return false
		}
	}
	return true
}

// asks implements asker.
func (f *moveFrame) asks(g *game, d engine.Decision) bool {
	r := g.roundNow()
	return r != nil && d == engine.Decision{Side: r.seat(g), Kind: stopContinue, At: g.squareOrPiece(f)}
}
