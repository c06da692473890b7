package waterloo

import (
	"cmp"
	"reflect"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// What standing orders answer (section 5.3 of the digest).

// ordersOf gives the standing orders of the seat of an army.
func (g *game) ordersOf(a army) *standing { return &g.standing[armyOfSeat(g.seatOf(a))] }

// useStanding tells a seat that a standing order answered for it.
func (p *battlefield) useStanding(side engine.Side, stop, order string) {
	p.whisper(side, "", "wat.standing-used", phrase.Name("stop", "stop", stop), phrase.Literal("order", order))
}

// byOrders lets standing orders answer the stop that has just been opened, as far as they
// settle it. A window of artillery asks them itself, army by army, for the first shot counts
// before anybody else is asked.
func (p *battlefield) byOrders() {
	if _, sweep := p.top().(*windowFrame); sweep {
		return
	}
	for _, d := range slices.Clone(p.asks) {
		if p.Insists(d.Side, d.Kind) || reflect.ValueOf(&p.standing[armyOfSeat(d.Side)]).Elem().IsZero() {
			continue
		}
		v := p.view(d.Side)
		v.passOver = func(order string, id unitID) {
			p.whisper(d.Side, "", "wat.standing-skipped", phrase.Literal("order", order), p.unitArg("unit", id))
		}
		if reply, order, ok := declared.Ordered(v, d); ok {
			p.asks = slices.DeleteFunc(p.asks, func(o engine.Decision) bool { return o == d })
			p.useStanding(d.Side, d.Kind, order)
			stops[d.Kind].Take(p, d, reply)
		}
	}
}

// passes notes that a standing order does not fit a unit.
func (v *View) passes(order string, id unitID) {
	if v.passOver != nil {
		v.passOver(order, id)
	}
}

// standingBid is the bid of a seat's standing order, 0 for none; the second value
// is false if the seat must be asked (WAT-S1).
func (g *game) standingBid(seat army) (cardID, bool) {
	o := &g.standing[seat].Bid
	var hand []cardID
	for _, a := range g.armiesOf(engine.Side(seat.String())) {
		hand = append(hand, g.Decks[a].Hand...)
	}
	hand = slices.DeleteFunc(hand, func(c cardID) bool { return c == 0 })
	least := func(c cardID) int { return g.card(c).mp }
	switch o.How {
	case bidNone:
		return 0, true
	case bidLowest, bidHighest:
		if len(hand) == 0 {
			return 0, true
		}
		if o.How == bidLowest {
			return slices.MinFunc(hand, func(a, b cardID) int { return cmp.Compare(least(a), least(b)) }), true
		}
		return slices.MinFunc(hand, func(a, b cardID) int { return cmp.Compare(least(b), least(a)) }), true
	case bidCard:
		if slices.Contains(hand, o.Card) {
			return o.Card, true
		}
		return 0, false
	case bidAtLeast:
		hand = slices.DeleteFunc(hand, func(c cardID) bool {
			a := g.card(c).action
			return g.card(c).mp < o.MinMP || a != noAction && slices.Contains(o.Keep, a)
		})
		if len(hand) == 0 {
			return 0, true
		}
		return slices.MinFunc(hand, func(a, b cardID) int { return cmp.Compare(least(a), least(b)) }), true
	}
	return 0, false
}

// standingArmy is the active army that a seat wants: the first army in its order of
// preference that has cards (WAT-S2).
func (g *game) standingArmy(seat army) (army, bool) {
	for _, a := range g.standing[seat].Army {
		if len(g.Decks[a].Hand) > 0 {
			return a, true
		}
	}
	return noArmy, false
}

// firstOf is the first of a list that is among the choices.
func firstOf(list, choices []unitID) (unitID, bool) {
	for _, id := range list {
		if slices.Contains(choices, id) {
			return id, true
		}
	}
	return 0, false
}

// standingWindow is what a seat does in an artillery window that no rule has
// answered: without a word about it, it is asked.
func (g *game) standingWindow(seat engine.Side, w window) windowPolicy {
	switch o := g.standing[armyOfSeat(seat)].Artillery; {
	case o == nil:
	case o.Best:
		return windowHold
	default:
		return o.Windows[w]
	}
	return windowAsk
}

// mayDo tells whether fire of an army of a seat may do something in a window, by what
// everybody sees: an enemy whom fire would harm stands before infantry that may fire, and
// not all its artillery cards are known to be used or shown in this turn (section 5.1).
func (w *windowFrame) mayDo(g *game, seat engine.Side) bool {
	for _, a := range g.armiesOf(seat) {
		if w.Held[a] || !w.opens(g, a) || !g.mayHoldGun(a) {
			continue
		}
		if slices.ContainsFunc(g.shots(a), func(s shot) bool {
			target, _, f := g.aimed(s)
			return f == nil && g.hurts(target) && (w.Window != atEntered || target == w.Unit)
		}) {
			return true
		}
	}
	return false
}

// mayHoldGun tells whether everybody must reckon with an artillery card in an army's hand.
func (g *game) mayHoldGun(a army) bool {
	deck := &g.Decks[a]
	for i := range g.cards {
		if c := cardID(i + 1); g.card(c).army == a && g.card(c).action == artilleryFire &&
			!slices.Contains(deck.Used, c) && !slices.Contains(deck.Shown, c) && !slices.Contains(deck.Committed, c) {
			return true
		}
	}
	return false
}

// holds tells whether a seat does not fire in a window in which no rule has fired for it,
// without being asked.
func (w *windowFrame) holds(g *game, seat engine.Side) bool {
	switch g.standingWindow(seat, w.Window) {
	case windowHold:
		return true
	case windowUseful:
		return !w.mayDo(g, seat)
	}
	return false
}

// standingShot finds the shot of the first rule that fits, if its card is held
// beyond those to keep.
func (g *game) standingShot(w *windowFrame, a army) (cardID, shot, bool) {
	o := g.ordersOf(a).Artillery
	if o == nil {
		return 0, shot{}, false
	}
	guns := slices.DeleteFunc(slices.Clone(g.Decks[a].Hand), func(c cardID) bool { return g.card(c).action != artilleryFire })
	if len(guns) <= o.Keep {
		return 0, shot{}, false
	}
	card := slices.MinFunc(guns, func(x, y cardID) int { // the one that is worth least otherwise
		return cmp.Or(cmp.Compare(g.card(x).bp, g.card(y).bp), cmp.Compare(g.card(x).mp, g.card(y).mp), cmp.Compare(x, y))
	})
	for i := range o.Rules {
		if s, ok := g.ruledShot(&o.Rules[i], w, a); ok {
			return card, s, true
		}
	}
	if o.Best && (w.Window == atRoundStart || w.Window == atEntered) {
		if s, ok := g.bestShot(w, a); ok {
			return card, s, true
		}
	}
	return 0, shot{}, false
}

// bestShot is the shot that does most (section 5.3): one that reduces before one that
// disorders, then at the strongest unit, then the first in the order of the units.
func (g *game) bestShot(w *windowFrame, a army) (shot, bool) {
	var best shot
	most := -1
	for _, s := range g.shots(a) {
		target, _, f := g.aimed(s)
		if f != nil || !g.hurts(target) || w.Window == atEntered && target != w.Unit {
			continue
		}
		n := g.value(target)
		if g.unit(target).Disordered {
			n += 1000
		}
		if n > most {
			best, most = s, n
		}
	}
	return best, most >= 0
}

// ruledShot is the first shot that a rule means: by the order of its targets,
// then of those that fire. Shots without effect are left out.
func (g *game) ruledShot(rule *gunRule, w *windowFrame, a army) (shot, bool) {
	var found []shot
	for _, s := range g.shots(a) {
		target, _, f := g.aimed(s)
		switch {
		case f != nil || !g.hurts(target):
		case w.Window == atEntered && target != w.Unit:
		case !aimingAsks.Hold(aim{g, w, s, target}, rule.If):
		default:
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return shot{}, false
	}
	at, by := play.Named[[]unitID](rule.If, aimedAt.Key), play.Named[[]unitID](rule.If, firedBy.Key)
	rank := func(s shot) int {
		target, _, _ := g.aimed(s)
		return 1000*max(slices.Index(at, target), 0) + max(slices.Index(by, s.by), 0)
	}
	return slices.MinFunc(found, func(x, y shot) int { return cmp.Compare(rank(x), rank(y)) }), true
}

// fits tells whether a unit is in a state.
func (s unitState) fits(u *unit) bool {
	switch s {
	case stateOrdered:
		return !u.Disordered
	case stateDisordered:
		return u.Disordered
	case stateFull:
		return !u.Reduced
	case stateReduced:
		return u.Reduced
	}
	return true
}

// preferWithdrawals lets the cavalry go or stay, the units of rules first.
func preferWithdrawals(x *saying[*retreating], s *standing) bool {
	settled, _, skipped := ruledWithdrawals(x, s)
	for _, id := range skipped {
		if settled {
			x.View.passes("cavalry-retreat", id)
		}
	}
	return settled
}

// ruledWithdrawals lets those go of whom standing orders say so. It is settled if they say
// of each unit that could go what it does; asks tells that of one of these the word ask is
// written, and skipped are the units whose rules do not fit.
func ruledWithdrawals(x *saying[*retreating], s *standing) (settled, asks bool, skipped []unitID) {
	o, w := s.Cavalry, x.World
	if o == nil {
		return false, false, nil
	}
	rank := func(id unitID) int {
		i := slices.IndexFunc(o.Rules, func(r cavalryRule) bool { return r.Unit == id })
		if i < 0 {
			return len(o.Rules)
		}
		return i
	}
	units := slices.Clone(w.units)
	slices.SortStableFunc(units, func(x, y unitID) int { return cmp.Compare(rank(x), rank(y)) })
	settled = true
	for _, id := range units {
		squares := w.board.escapes(id, w.entrant)
		if len(squares) == 0 {
			continue // it stays (WAT-9.53)
		}
		rule, said := cavalryRule{Do: o.Default}, !o.Unsaid
		if i := rank(id); i < len(o.Rules) {
			rule, said = o.Rules[i], true
			if rule.Do == retreatGo && len(rule.To) > 0 {
				to := x.View.toward4(id, rule.To, squares)
				if len(to) == 0 {
					skipped = append(skipped, id)
					rule, said, to = cavalryRule{Do: o.Default}, !o.Unsaid, squares
				}
				squares = to
			}
		}
		switch rule.Do {
		case retreatAsk:
			settled, asks = false, asks || said
		case retreatGo:
			x.Try("retreat", withdrawal{id, squares[0], rule.Face})
		}
	}
	return settled, asks, skipped
}

// toward4 picks from squares next to a unit those in some directions, in the
// order of these.
func (g *game) toward4(id unitID, directions []facing, squares []square) []square {
	var list []square
	for _, d := range directions {
		if q := g.next(g.unit(id).At, d); q != 0 && slices.Contains(squares, q) {
			list = append(list, q)
		}
	}
	return list
}

// preferLoss takes a defeat by the first rule that fits, else in the order of the default.
func preferLoss(x *saying[lossReply], s *standing) bool {
	if s.Loss == nil {
		return false
	}
	b := x.World.b
	for rule := range play.Matching(losingAsks, b, s.Loss.Rules, ofLosses) {
		if tryLoss(x, rule) {
			return true
		}
		x.View.passes("loss", b.Target)
	}
	return tryLoss(x, &lossRule{Order: s.Loss.Default})
}

// tryLoss takes a defeat in the first way that a rule names and that is legal. After a
// defeat by more than double what can't be absorbed is suffered; of one effect that can, the
// one that the rule names later is absorbed, or as the default does.
func tryLoss(x *saying[lossReply], rule *lossRule) bool {
	v, b := x.View, x.World.b
	list := v.losses(b)
	if len(rule.To) > 0 { // retreats elsewhere are not meant
		var squares []square
		for _, l := range list {
			squares = append(squares, l.to)
		}
		squares = v.toward4(b.Target, rule.To, squares)
		place := func(l loss) int { return slices.Index(squares, l.to) }
		list = slices.DeleteFunc(list, func(l loss) bool { return l.to != 0 && place(l) < 0 })
		slices.SortStableFunc(list, func(a, b loss) int { return cmp.Compare(place(a), place(b)) })
	}
	take := func(fits func(l loss) bool) bool {
		i := slices.IndexFunc(list, fits)
		if i < 0 {
			return false
		}
		l := list[i]
		if l.to != 0 {
			l.face = rule.Face
		}
		return x.Try("", l)
	}
	goes, falls := slices.Index(rule.Order, takeRetreat), slices.Index(rule.Order, takeReduce)
	if !b.crushed() {
		return slices.ContainsFunc(rule.Order, func(k lossKind) bool {
			return take(func(l loss) bool {
				switch k {
				case takeCDP:
					return l.cdp > 0
				case takeRetreat:
					return l.to != 0
				}
				return l.reduces > 0
			})
		})
	}
	if slices.Contains(rule.Order, takeCDP) {
		retreats := goes >= 0 && (falls < 0 || goes < falls) || goes < 0 && falls < 0 && !v.whole(b.Target)
		if take(func(l loss) bool { return l.cdp == 2 }) ||
			retreats && take(func(l loss) bool { return l.cdp == 1 && l.to != 0 }) ||
			take(func(l loss) bool { return l.cdp == 1 && l.to == 0 }) {
			return true
		}
	}
	return (goes >= 0 || falls >= 0) && take(func(l loss) bool { return l.cdp == 0 })
}

// preferAdvance lets the first unit advance that is named and may, or the only one that may,
// or the strongest.
func preferAdvance(x *saying[advanceReply], s *standing) bool {
	o, b := s.Advance, x.World.b
	if o == nil {
		return false
	}
	able := x.View.candidates(b)
	id, ok := firstOf(o.Prefer, able)
	if !ok && (len(able) == 1 || o.Best) {
		id, ok = b.firmest(able), true
	}
	return ok && x.Try("advance", advanceOrder{Unit: id, Face: o.Face, Said: true})
}

// preferCommits commits the cards that the first rule about the battle finds, which is no
// preference among the parts of the answer: it searches for the fewest that reach an aim.
// The plan of the side whose round it is stands with its attack.
func preferCommits(x *saying[*filing], s *standing) bool {
	b, r := x.World.b, x.World.who
	if s.Battle == nil || r == b.phasing() {
		return false
	}
	in := []unitID{b.Target}
	if r == attacking {
		in = b.still()
	}
	rule := play.FirstMatching(fightingAsks, in, s.Battle.Rules, ofBattles)
	if rule == nil {
		return s.Battle.None
	}
	for _, c := range x.View.ruledCommits(b, r, rule) {
		x.Try("cards", c)
	}
	return true
}

// ruledCommits finds the fewest permitted cards that bring the own total to the
// enemy's as it can be seen, plus a margin; of as many the least battle points,
// then the lowest ids (section 5.3).
func (g *game) ruledCommits(b *battleFrame, r role, rule *battleRule) []commit {
	var best []commit
	found := false
	for _, special := range g.specials(b, r, rule) {
		cards, ok := g.fill(b, r, rule, special)
		if ok && (!found || g.fewer(cards, best)) {
			best, found = cards, true
		}
	}
	if found || !rule.All {
		return best
	}
	return g.everything(b, r, rule)
}

// specials lists the sets of action cards that a rule may use: none, one command,
// one elite, one shot, and what can be made of these.
func (g *game) specials(b *battleFrame, r role, rule *battleRule) [][]commit {
	sets := [][]commit{nil}
	with := func(one commit, ok bool) {
		if !ok {
			return
		}
		for _, set := range slices.Clone(sets) {
			if g.commitFault(b, r, set, one) == nil {
				sets = append(sets, append(slices.Clone(set), one))
			}
		}
	}
	if slices.Contains(rule.Use, asArtillery) && r == defending {
		with(g.ruledFire(b, rule))
	}
	if slices.Contains(rule.Use, asCommand) {
		c, ok := g.spare(g.fighting(b, r), commandBonus)
		with(commit{Card: c, As: asCommand}, ok)
	}
	if elite := g.eliteUnits(b, r); slices.Contains(rule.Use, asElite) && len(elite) > 0 {
		c, ok := g.spare(g.fighting(b, r), eliteBonus)
		best := slices.MaxFunc(elite, func(x, y unitID) int { return cmp.Compare(g.value(x), g.value(y)) })
		with(commit{Card: c, As: asElite, Unit: best}, ok)
	}
	return slices.DeleteFunc(sets, func(set []commit) bool { return rule.MaxCards > 0 && len(set) > rule.MaxCards })
}

// spare is the card of a hand with an action that is worth least in battle.
func (g *game) spare(a army, what action) (cardID, bool) {
	var best cardID
	for _, c := range g.Decks[a].Hand {
		if c != 0 && g.card(c).action == what && (best == 0 || g.card(c).bp < g.card(best).bp) {
			best = c
		}
	}
	return best, best != 0
}

// ruledFire is a shot at the strongest attacker, or the weakest, that infantry of
// the defender's army can hit.
func (g *game) ruledFire(b *battleFrame, rule *battleRule) (commit, bool) {
	a := g.fighting(b, defending)
	c, ok := g.spare(a, artilleryFire)
	if !ok {
		return commit{}, false
	}
	var best shot
	most := 0
	for _, s := range g.shots(a) {
		target, _, f := g.aimed(s)
		if f != nil || g.sheltered(target) || !slices.Contains(b.still(), target) {
			continue
		}
		n := 1 + g.attackPoints(b, target)
		if rule.Weakest {
			n = 10000 - n
		}
		if n > most {
			best, most = s, n
		}
	}
	return commit{Card: c, As: asArtillery, By: best.by, Side: best.side}, most > 0
}

// foreseen are the totals of a battle as one role sees it, with some cards of its
// own and none of the enemy's.
func (g *game) foreseen(b *battleFrame, r role, cards []commit) (own, enemy int) {
	c := &battleFrame{Target: b.Target, Square: b.Square, Attackers: slices.Clone(b.Attackers), Charge: b.Charge, Forced: b.Forced}
	c.of(r).Cards = cards
	for _, one := range cards {
		if one.As != asArtillery {
			continue
		}
		target, _, _ := g.aimed(shot{one.By, one.Side})
		for i := range c.Attackers {
			if c.Attackers[i].Unit == target {
				c.Attackers[i].Out = true
			}
		}
	}
	attack, defence := g.totals(c)
	if r == attacking {
		return attack, defence
	}
	return defence, attack
}

// fill adds the fewest battle cards to some others that reach a rule's aim.
func (g *game) fill(b *battleFrame, r role, rule *battleRule, special []commit) ([]commit, bool) {
	own, enemy := g.foreseen(b, r, special)
	need := enemy + rule.Margin - own
	if need <= 0 {
		return special, true
	}
	hand := g.battleCards(b, r, rule, special)
	sum := 0
	for _, c := range hand {
		sum += g.card(c).bp
	}
	most := sum
	if rule.MaxBP > 0 {
		most = min(most, rule.MaxBP)
	}
	if need > most {
		return nil, false
	}
	// can[i][k] has the sums that k of the cards from the i-th on can make.
	n := len(hand)
	can := make([][][]bool, n+1)
	for i := n; i >= 0; i-- {
		can[i] = make([][]bool, n+1)
		for k := range can[i] {
			can[i][k] = make([]bool, sum+1)
			switch {
			case i == n:
				can[i][k][0] = k == 0
				continue
			}
			copy(can[i][k], can[i+1][k])
			if k == 0 {
				continue
			}
			bp := g.card(hand[i]).bp
			for s := bp; s <= sum; s++ {
				can[i][k][s] = can[i][k][s] || can[i+1][k-1][s-bp]
			}
		}
	}
	limit := n
	if rule.MaxCards > 0 {
		limit = min(limit, rule.MaxCards-len(special))
	}
	for k := 1; k <= limit; k++ {
		for s := need; s <= most; s++ {
			if !can[0][k][s] {
				continue
			}
			cards := slices.Clone(special)
			for i, left, count := 0, s, k; count > 0; i++ {
				bp := g.card(hand[i]).bp
				if left >= bp && can[i+1][count-1][left-bp] {
					cards = append(cards, commit{Card: hand[i]})
					left, count = left-bp, count-1
				}
			}
			return cards, true
		}
	}
	return nil, false
}

// battleCards are the cards that a rule may commit for their battle points,
// besides others.
func (g *game) battleCards(b *battleFrame, r role, rule *battleRule, special []commit) []cardID {
	var list []cardID
	if !slices.Contains(rule.Use, asBattle) {
		return nil
	}
	for _, c := range g.Decks[g.fighting(b, r)].Hand {
		if c != 0 && g.commitFault(b, r, special, commit{Card: c}) == nil {
			list = append(list, c)
		}
	}
	return list
}

// fewer tells whether cards come before others: fewer of them, then less battle
// points, then lower ids.
func (g *game) fewer(x, y []commit) bool {
	points := func(list []commit) int {
		n := 0
		for _, c := range list {
			if c.As == asBattle {
				n += g.card(c.Card).bp
			}
		}
		return n
	}
	ids := func(list []commit) []cardID {
		var all []cardID
		for _, c := range list {
			all = append(all, c.Card)
		}
		slices.Sort(all)
		return all
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(points(x), points(y)), slices.Compare(ids(x), ids(y))) < 0
}

// everything is all that a rule allows, the strongest cards first.
func (g *game) everything(b *battleFrame, r role, rule *battleRule) []commit {
	var cards []commit
	for _, set := range g.specials(b, r, rule) {
		if len(set) > len(cards) {
			cards = slices.Clone(set)
		}
	}
	hand := g.battleCards(b, r, rule, cards)
	slices.SortStableFunc(hand, func(x, y cardID) int { return cmp.Compare(g.card(y).bp, g.card(x).bp) })
	points := 0
	for _, c := range hand {
		bp := g.card(c).bp
		if rule.MaxCards > 0 && len(cards) >= rule.MaxCards {
			break
		}
		if rule.MaxBP > 0 && points+bp > rule.MaxBP {
			continue
		}
		cards, points = append(cards, commit{Card: c}), points+bp
	}
	return cards
}

// mourn tells seats whose standing orders name a unit that it is gone: what they
// say of it is skipped from now on.
func (p *battlefield) mourn(id unitID) {
	for _, seat := range p.Sides() {
		if p.standing[armyOfSeat(seat)].names(id) {
			p.whisper(seat, "", "wat.standing-dead", p.unitArg("unit", id))
		}
	}
}

// names tells whether standing orders name a unit.
func (s *standing) names(id unitID) bool {
	lists := [][]unitID{s.AttackerLoss, s.Commander}
	if o := s.Artillery; o != nil {
		for _, r := range o.Rules {
			lists = append(lists, unitsOf(r.If))
		}
	}
	if o := s.Cavalry; o != nil {
		for _, r := range o.Rules {
			lists = append(lists, []unitID{r.Unit})
		}
	}
	if o := s.Battle; o != nil {
		for _, r := range o.Rules {
			lists = append(lists, unitsOf(r.If))
		}
	}
	if o := s.Loss; o != nil {
		for _, r := range o.Rules {
			lists = append(lists, unitsOf(r.If))
		}
	}
	if o := s.Advance; o != nil {
		lists = append(lists, o.Prefer)
	}
	return slices.ContainsFunc(lists, func(list []unitID) bool { return slices.Contains(list, id) })
}
