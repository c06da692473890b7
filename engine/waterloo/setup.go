package waterloo

import "slices"

// setUp puts the pieces on the board (chapter 3 of the rulebook). Nothing has
// been dealt yet.
func (g *game) setUp() {
	s := g.scenario
	g.Turn = 1
	g.Units = make([]unit, len(s.roster)+1)
	for i := range s.roster { // WAT-3.1; the Prussians come later (WAT-3.3)
		g.Units[i+1] = unit{At: s.roster[i].at}
		if s.roster[i].at != 0 {
			g.Units[i+1].Face = s.roster[i].face
		}
	}
	for _, c := range s.setups[g.options.setup].changes {
		u := &g.Units[c.unit]
		u.At = c.at
		if c.face != noFacing {
			u.Face = c.face
		}
	}
	for i := range s.commanders {
		g.Commanders[i+1].At = s.commanders[i].at
	}
	g.CDP = make([]int8, len(s.chateaux)+1)
	for i := range s.chateaux {
		g.CDP[i+1] = s.chateaux[i].cdp
	}
	g.Control = make([]camp, len(s.objectives)+1)
	for i := range s.objectives { // WAT-3.2
		if g.marked(objectiveID(i + 1)) {
			g.Control[i+1] = s.objectives[i].control
		}
	}
	g.Flow = []frame{&turnFrame{}}
}

// marked tells whether a victory square counts in the game that is played
// (WAT-3.2).
func (g *game) marked(id objectiveID) bool {
	o := &g.objectives[id-1]
	if g.length().prussians {
		return o.full
	}
	return o.quick
}

// use puts a card from the hand, or from a battle, among the used ones, seen by
// all (WAT-6.4).
func (g *game) use(c cardID) {
	d := &g.Decks[g.card(c).army]
	d.Hand, d.Committed, d.Used = drop(d.Hand, c), drop(d.Committed, c), add(d.Used, c)
}

// show notes that all have seen a card of a reserve; so it is in no hand in this turn
// (WAT-7.4).
func (g *game) show(c cardID) {
	if d := &g.Decks[g.card(c).army]; !slices.Contains(d.Used, c) {
		d.Shown = add(d.Shown, c)
	}
}

// commit lays a card of the hand open in a battle (WAT-9.10).
func (g *game) commit(c cardID) {
	d := &g.Decks[g.card(c).army]
	d.Hand, d.Committed = drop(d.Hand, c), add(d.Committed, c)
}

// discardCommitted puts the cards of a battle among the used ones (WAT-9.14).
func (g *game) discardCommitted() {
	for a := range g.Decks {
		for _, c := range slices.Clone(g.Decks[a].Committed) {
			g.use(c)
		}
	}
}

// count notes that a card was used in the present round: against the limit, if it belongs
// to the side whose round it is (WAT-4.4, WAT-6.5); and for the Allies, that its army is
// the one whose cards they must use in this round (WAT-6.6, WAT-R10).
func (g *game) count(c cardID) {
	r := g.roundNow()
	if r == nil {
		return
	}
	a := g.card(c).army
	if a.camp() == r.Camp {
		r.Played++
	}
	if a != french && r.Lock == noArmy {
		r.Lock = a
	}
}
