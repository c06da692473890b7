package napoleon

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"berthier/engine"
)

// Sample implements [engine.Sampler]. It makes up which enemy unit each block
// is and how strong it is; which of the units that are no longer seen are eliminated or yet
// to come onto the map; the terrain still in the pool; what the enemy remembers and has
// ordered; and how much of his battle turn or volley is over. It does not guess standing
// orders of others, but takes them to have none.
func (Ruleset) Sample(view engine.View, owed engine.Decision, chance *rand.Rand) (engine.Position, error) {
	v, ok := view.(*View)
	if !ok || v.side == engine.GM || v.outcome != nil || !slices.Contains(v.asks, owed) {
		return nil, fmt.Errorf("make up a position: %s owes no %s in this view", owed.Side, owed.Kind)
	}
	s := &sampler{game: newGame(v.scenario, v.options), v: v, chance: chance}
	s.known(owed)
	for i := range v.battles {
		s.game.battles = append(s.game.battles, s.battle(&v.battles[i], owed))
	}
	if err := s.faces(); err != nil {
		return nil, err
	}
	s.handicaps()
	for i := range s.game.battles {
		s.underWay(&s.game.battles[i])
	}
	s.remembers()
	s.game.pool = s.restOfPool()
	s.alsoAsked(owed)
	return s.game, nil
}

// A sampler is a game that is being made up.
type sampler struct {
	game   *game
	v      *View
	chance *rand.Rand
	named  []bool  // units that the view names
	blocks []unit  // those that it does not
	far    [][]int // towns' distances in roads, by the town they are measured from; nil: not measured yet
}

// known copies what the side knows for certain.
func (s *sampler) known(owed engine.Decision) {
	g, v := s.game, s.v
	g.turn, g.phase = v.turn, v.phase
	g.auction.bidder, g.auction.bids = v.auction.bidder, slices.Clone(v.auction.bids)
	g.losses, g.defeated = v.losses, v.defeated
	copy(g.roadUse, v.roadUse)
	g.supplied = owed.Kind == "supply"
	g.seen[v.camp()] = slices.Clone(v.seen[v.camp()])
	seat := g.seatOf(v.side)
	g.standing[seat], g.policies[seat], g.ruled[seat] = v.standing[seat], v.policies[seat], v.ruled[seat]
	s.named = make([]bool, len(g.units))
	for _, u := range v.units {
		if u.id == noUnit {
			s.blocks = append(s.blocks, u)
			continue
		}
		s.named[u.id] = true
		g.units[u.id] = u
	}
	if v.ahead == nil {
		return
	}
	g.ahead = v.ahead.seen()
	for i := range g.units { // units of the ally that have marched too far still have to roll
		if u := &g.units[i]; u.army == g.ahead.army && u.forced && !u.dead && u.came != noTown {
			g.ahead.forced = append(g.ahead.forced, forced{u.id, u.came})
		}
	}
}

// battle copies a battle. If one has begun, its attacker has settled the order of the
// battles: one skirmish that has begun shows that for all skirmishes, one battle for all
// battles. What the side is asked tells where the battle turn stands, even to a player who is
// apart from his ally (NAP-R57).
func (s *sampler) battle(seen *battle, owed engine.Decision) battle {
	b := seen.clone()
	if b.stage == fighting && s.game.towns[b.town].id == owed.At && b.acting == s.v.camp() {
		switch owed.Kind {
		case "morale-order":
			b.step = moraleStep
		case "battle-turn":
			b.step = combatStep
		case "reinforce":
			b.step = reinforceStep
		case "stalemate":
			b.step = retreatStep
		}
	}
	if s.game.campOf(s.v.side) == b.attacker {
		return b
	}
	for i := range s.v.battles {
		if o := &s.v.battles[i]; o.skirmish == b.skirmish && o.stage > opened {
			b.ordered = true
		}
	}
	return b
}

// faces gives every block a unit of its army that it can be, beginning with the blocks that
// can be the fewest units, and eliminates as many of the other units as are lost.
func (s *sampler) faces() error {
	s.chance.Shuffle(len(s.blocks), func(i, j int) { s.blocks[i], s.blocks[j] = s.blocks[j], s.blocks[i] })
	slices.SortStableFunc(s.blocks, func(a, b unit) int { return s.latitude(&a) - s.latitude(&b) })
	for i := range s.blocks {
		block := &s.blocks[i]
		id, ok := s.pick(block)
		if !ok {
			return fmt.Errorf("make up a position: no unit of %s is left for a block in %s", block.army, s.game.towns[block.town].id)
		}
		s.named[id] = true
		u := &s.game.units[id]
		u.town, u.field, u.holds, u.disrupted = block.town, block.field, block.holds, block.disrupted
		u.strength = s.strength(id)
	}
	dead := s.game.losses
	for i := range s.game.units {
		if s.game.units[i].dead {
			dead[s.game.units[i].army]--
		}
	}
	for _, i := range s.chance.Perm(len(s.game.units)) {
		if u := &s.game.units[i]; !s.named[i] && dead[u.army] > 0 {
			dead[u.army]--
			*u = unit{id: u.id, army: u.army, kind: u.kind, fire: u.fire, town: noTown, came: noTown, shelter: noUnit, dead: true}
		}
	}
	return nil
}

// What kinds of unit a block can be.
const (
	onlyFoot = iota // on a farm (NAP-6.21e)
	noGuns          // in a wood (NAP-6.21c)
	whoever
)

func (s *sampler) latitude(block *unit) int {
	switch b := s.game.battleIn(block.town); {
	case block.holds == farm:
		return onlyFoot
	case b != nil && block.field > reserve && b.terrain[block.field] == wood:
		return noGuns
	}
	return whoever
}

// pick draws the unit that a block is; likely units are drawn more often.
func (s *sampler) pick(block *unit) (unitID, bool) {
	latitude := s.latitude(block)
	weights, sum, able := make([]int, len(s.game.units)), 0, []unitID(nil)
	for i := range s.game.units {
		u := &s.game.units[i]
		if s.named[i] || u.army != block.army || latitude == onlyFoot && u.kind != infantry || latitude == noGuns && u.kind.artillery() {
			continue
		}
		able = append(able, u.id)
		weights[i] = s.likely(u, block)
		sum += weights[i]
	}
	if len(able) == 0 {
		return noUnit, false
	}
	if sum == 0 {
		return able[s.chance.IntN(len(able))], true
	}
	n := s.chance.IntN(sum)
	for _, id := range able {
		if n -= weights[id]; n < 0 {
			return id, true
		}
	}
	return able[0], true
}

// likely weighs how well a unit fits a block: by where it was last seen or, if that is
// printed, where it began; by how far it can have come since then; and by the
// corps of the units beside it. 0 means incredible, not impossible by the rules.
func (s *sampler) likely(u *unit, block *unit) int {
	weight := 6
	if i := slices.IndexFunc(s.game.seen[s.v.camp()], func(o sighting) bool { return o.unit == u.id }); i >= 0 {
		if last := s.game.seen[s.v.camp()][i]; last.town != noTown {
			weight = s.fromTo(last.town, block.town, s.game.turn-last.turn, 60)
		}
	} else if setup, ok := s.game.scenario.setup(setupWords[s.game.options.setup]); ok && setup.placed[u.army] {
		weight = s.fromTo(s.game.roster[u.id].at, block.town, s.game.turn, 20)
	}
	if block.field > reserve && s.game.options.corpsIntegrity != corpsOff {
		for i := range s.game.units { // (NAP-6.23)
			if o := &s.game.units[i]; o.town == block.town && o.field == block.field && o.army == u.army && o.kind != leader &&
				s.game.roster[o.id].corps == s.game.roster[u.id].corps {
				return weight * 8
			}
		}
	}
	return weight
}

// fromTo weighs how likely it is that a unit is in a town if it was in another town so many turns ago.
func (s *sampler) fromTo(from, now townID, turns, stayed int) int {
	switch {
	case from == now && turns <= 0:
		return 10 * stayed
	case from == now:
		return stayed
	case s.distance(from, now) > 3*((turns+1)/2)+1: // a march of three towns, and one road to a battle
		return 0
	}
	return 4
}

// distance counts the roads between two towns.
func (s *sampler) distance(from, to townID) int {
	if s.far == nil {
		s.far = make([][]int, len(s.game.towns))
	}
	if s.far[from] == nil {
		s.far[from] = s.game.roadsTo([]townID{from})
	}
	return s.far[from][to]
}

// strength draws how strong a hidden unit is: mostly as strong as it was when
// last seen, or as printed.
func (s *sampler) strength(id unitID) int8 {
	most := s.game.roster[id].strength
	for _, o := range s.game.seen[s.v.camp()] {
		if o.unit == id && o.strength > 0 {
			most = min(most, o.strength)
		}
	}
	if most > 1 && s.chance.IntN(4) == 0 {
		return 1 + int8(s.chance.IntN(int(most)))
	}
	return most
}

// handicaps takes the points that another camp gave up in the bidding from those of its
// units that are not seen (NAP-12.2).
func (s *sampler) handicaps() {
	b, at := s.game.lastBid()
	if at < 0 || s.game.phase <= handicapping || b.camp == s.v.camp() {
		return
	}
	able := s.game.mostBid(b.camp)
	for i := range s.game.units {
		u := &s.game.units[i]
		hidden := u.army.camp() == b.camp && !u.shown && !u.dead
		if hidden && u.strength >= 2 && u.strength == s.game.roster[i].strength && s.chance.IntN(able) < b.minus {
			u.strength--
		}
	}
}

// underWay guesses how far the others have come with what the side interrupts.
func (s *sampler) underWay(b *battle) {
	others := b.acting != s.v.camp()
	switch {
	case others && b.stage == skirmishing && b.hits != nil:
		var shown []unitID // the units that fire in their order; one of them has just fired
		for _, id := range s.game.unitsIn(b.town, b.acting) {
			if s.game.unit(id).shown {
				shown = append(shown, id)
			}
		}
		if len(shown) > 0 {
			for _, id := range shown[:1+s.chance.IntN(len(shown))] {
				s.game.unit(id).fired = true
			}
		}
	case others && b.stage == fighting && b.step == combatStep:
		if s.game.shared(b.acting) && s.game.ownIn(b.town, s.game.sideOf(angloDutch)) != nil && s.game.ownIn(b.town, s.game.sideOf(prussian)) != nil {
			b.second = s.chance.IntN(2) == 0
		}
		if s.chance.IntN(2) == 0 {
			b.orders = &battleOrders{} // the enemy has done everything that he wanted
			return
		}
		for i := range s.game.units {
			if u := &s.game.units[i]; b.fights(u) && u.army.camp() == b.acting {
				u.spent = s.chance.IntN(2) == 0
			}
		}
	}
}

// remembers lets the enemy know the units of the side's camp that he sees.
func (s *sampler) remembers() {
	for i := range s.game.units {
		if u := &s.game.units[i]; u.shown && !u.dead && u.army.camp() == s.v.camp() {
			s.game.sight(u)
		}
	}
}

// restOfPool is the terrain that was not drawn yet (NAP-6.21b). The terrain of
// battles that are over is no longer seen: three pieces are drawn for each of them.
func (s *sampler) restOfPool() []piece {
	if len(s.game.battles) == 0 {
		return nil
	}
	rest := s.game.freshPool()
	take := func(what piece) {
		if i := slices.Index(rest, what); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	over := 0
	for i := range s.game.battles {
		b := &s.game.battles[i]
		if b.stage == finished && !b.skirmish {
			over++
		}
		for f := range b.terrain {
			if b.terrain[f] != noPiece {
				take(b.terrain[f])
			}
			if b.streams[f] {
				take(stream)
			}
		}
		for _, what := range b.drawn {
			take(what)
		}
	}
	for range over {
		if len(rest) < attackerDraws+defenderDraws {
			break
		}
		for range attackerDraws + defenderDraws {
			i := s.chance.IntN(len(rest))
			rest = slices.Delete(rest, i, i+1)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return rest
}

// alsoAsked opens the stop for the side, and for others who must answer at the same
// time.
func (s *sampler) alsoAsked(owed engine.Decision) {
	mine := s.game.campOf(owed.Side)
	s.game.asks = nil
	for _, side := range s.game.Sides() {
		d := owed
		d.Side = side
		if side == owed.Side || s.answersToo(d, mine) {
			s.game.asks = append(s.game.asks, d)
		}
	}
}

// answersToo tells whether another side must answer the same decision at the same time.
func (s *sampler) answersToo(d engine.Decision, mine camp) bool {
	mate := s.game.campOf(d.Side) == mine
	switch d.Kind {
	case "bid":
		return s.game.auction.bidder == 0
	case "deploy":
		return mate && len(s.game.undeployed(d.Side)) > 0
	case "move":
		return mate && !s.game.byTurns() && s.game.canMove(d.Side)
	case "handicap":
		return mate
	case "supply":
		for a, n := range s.game.supplyDue() {
			if n > 0 && s.game.sideOf(army(a)) == d.Side {
				return true
			}
		}
		return false
	}
	b := s.game.battleOf(d)
	switch {
	case b == nil:
		return false
	case d.Kind == "skirmish":
		return s.showsToo(b, d.Side)
	case !mate || !s.game.shared(mine):
		return false
	case d.Kind == "morale-order":
		return len(s.game.of(d.Side, b.morale)) > 1
	case d.Kind == "skirmish-retreat", d.Kind == "rout", d.Kind == "stalemate":
		p := &campaign{game: s.game}
		_, known := p.wayByItself(b, d, false)
		return !known
	}
	return false
}

// showsToo tells whether another side chooses at the same time which units it shows in
// a skirmish. A side that has nothing to choose shows all its units (NAP-R12).
func (s *sampler) showsToo(b *battle, side engine.Side) bool {
	units := s.game.ownIn(b.town, side)
	if slices.ContainsFunc(units, func(id unitID) bool { return s.game.unit(id).engaged }) {
		return false // an ally who has chosen already
	}
	if s.game.picksShown(len(units), s.game.share(b, side)) {
		return true
	}
	(&campaign{game: s.game}).chooseSkirmishers(units)
	return false
}
