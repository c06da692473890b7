package napoleon

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bidding for sides (NAP-12.0 to NAP-12.3). Until it is over, the sides are only
// names of the two seats. Both players give an opening bid at once, secretly; then the
// coin falls. The opening bid of the player who begins counts, the other never counts and
// is told to nobody; from then on they raise or pass by turns. In a game of
// secret bids both give their only bid at once, and the higher bid counts
// (NAP-R88). At the end the players change seats if they have to: an event says
// so ([engine.Event.Exchange]).

// A bid is what one of two players offers: to play a camp that is weaker by some
// strength points; or that he passes (NAP-12.1).
type bid struct {
	camp  camp
	minus int
	pass  bool
}

// An auction is the bidding as far as it is open to both players.
type auction struct {
	bidder int     `pos:"first,required,as=bidder"` // seat of the first bidder, from 1; 0 before the bids were opened (NAP-12.0)
	bids   bidList `pos:"bids,required"`            // made so far, of the first bidder and the second by turns (NAP-12.1)
}

// A bidList is bids in the order in which they were made.
type bidList []bid

// mostBid is the highest bid for a camp: how many units it has that can lose a
// point (NAP-12.3, NAP-R54). It is read from the printed order of battle, which
// both players know.
func (s *scenario) mostBid(c camp) int {
	n := 0
	for i := range s.roster {
		if u := &s.roster[i]; u.army.camp() == c && u.strength >= 2 {
			n++
		}
	}
	return n
}

// lastBid is the highest bid so far and its place among the bids.
func (g *game) lastBid() (bid, int) {
	for i := len(g.auction.bids) - 1; i >= 0; i-- {
		if !g.auction.bids[i].pass {
			return g.auction.bids[i], i
		}
	}
	return bid{}, -1
}

// bidOver tells whether the bidding has come to its end.
func (g *game) bidOver() bool {
	if g.options.bids == bidsSecret {
		return len(g.auction.bids) == 2
	}
	return len(g.auction.bids) > 0 && g.auction.bids[len(g.auction.bids)-1].pass
}

// bidSeat is the seat that makes a bid, given its place among the bids: the first bidder's,
// then the second's, by turns.
func (g *game) bidSeat(i int) int { return (g.auction.bidder - 1) ^ (i & 1) }

// bidderNumber tells whether a seat is the first or the second bidder's: 1 or 2;
// 0 before the coin has fallen.
func (g *game) bidderNumber(seat int) int {
	if g.auction.bidder == 0 {
		return 0
	}
	return 1 + ((g.auction.bidder - 1) ^ seat)
}

func bidderArg(place string, number int) argument {
	return phrase.Name(place, "bidder", strconv.Itoa(number))
}

// bidFault tells why a bid may not be made now.
func (g *game) bidFault(b bid) *fault {
	last, at := g.lastBid()
	switch {
	case b.pass && (at < 0 || g.options.bids == bidsSecret):
		return refusal("NAP-12.1", "nap.bid-no-pass")
	case b.pass:
		return nil
	case b.minus > g.mostBid(b.camp):
		return refusal("NAP-12.3", "nap.bid-most", whoArg("camp", campWords[b.camp]), phrase.Number("most", g.mostBid(b.camp)))
	case at < 0:
		return nil
	case b.minus <= last.minus:
		return refusal("NAP-12.1", "nap.bid-low", phrase.Number("minus", b.minus), phrase.Number("last", last.minus))
	case g.options.bidStep == stepExact && b.minus > last.minus+1:
		return refusal("NAP-R53", "nap.bid-step", phrase.Number("minus", b.minus), phrase.Number("next", last.minus+1))
	}
	return nil
}

// leastBid is the lowest bid for a camp that may be made now, if there is one.
func (g *game) leastBid(c camp) (bid, bool) {
	b := bid{camp: c}
	if last, at := g.lastBid(); at >= 0 {
		b.minus = last.minus + 1
	}
	return b, g.bidFault(b) == nil
}

// biddingPhase asks the player whose turn it is, until one has passed. A bid that is the
// only legal one is not asked for.
func (p *campaign) biddingPhase() {
	if p.auction.bidder == 0 {
		p.ask(p.Sides(), "bid", "")
		return
	}
	if p.bidOver() {
		p.allotSides()
		return
	}
	_, french := p.leastBid(frenchCamp)
	_, allied := p.leastBid(alliedCamp)
	if !french && !allied {
		p.makeBid(bid{pass: true})
		return
	}
	seat := p.bidSeat(len(p.auction.bids))
	p.ask(p.Sides()[seat:seat+1], "bid", "")
}

// makeBid notes a bid, which everybody learns (section 7).
func (p *campaign) makeBid(b bid) {
	who := bidderArg("bidder", 1+len(p.auction.bids)%2)
	p.auction.bids = append(slices.Clip(p.auction.bids), b)
	if b.pass {
		p.Tell("NAP-12.1", to(p.everyone(), "nap.bid-passed", who))
		return
	}
	p.Tell("NAP-12.1", to(p.everyone(), "nap.bid-made", who, whoArg("camp", campWords[b.camp]), phrase.Number("minus", b.minus)))
}

// openBids takes the two bids that were given at once: the coin tells which is
// the first (NAP-12.0). Of secret bids the higher is the last and counts; the
// coin decides between two equal bids (NAP-R88).
func (p *campaign) openBids(all []gathered) {
	var given [2]bid
	for _, one := range all {
		given[p.seatOf(one.d.Side)] = one.reply.(bid)
	}
	first := 0
	if p.options.bids != bidsSecret || given[0].minus == given[1].minus {
		first = p.Dice.Roll(2, phrase.Say("nap.roll-coin")) - 1
	} else if given[0].minus > given[1].minus {
		first = 1
	}
	p.auction.bidder = 1 + first
	if p.options.bids == bidsSecret {
		p.Tell("NAP-R88", to(p.Sides()[first:first+1], "nap.bid-lower"), to(p.Sides()[1-first:2-first], "nap.bid-higher"))
		p.makeBid(given[first])
		p.makeBid(given[1-first])
		return
	}
	p.Tell("NAP-12.0", to(p.Sides()[first:first+1], "nap.bid-you-begin"), to(p.Sides()[1-first:2-first], "nap.bid-other-begins"))
	p.makeBid(given[first])
}

// allotSides gives the last bidder the camp for which he bid, and the other player
// the other camp at full strength (NAP-12.1). Whatever they ordered before, for seats
// that were not theirs yet, is void.
func (p *campaign) allotSides() {
	b, at := p.lastBid()
	seat := p.bidSeat(at)
	p.Tell("NAP-12.1",
		to(p.Sides()[seat:seat+1], "nap.bid-won", whoArg("camp", campWords[b.camp]), phrase.Number("minus", b.minus)),
		to(p.Sides()[1-seat:2-seat], "nap.bid-lost", whoArg("camp", campWords[b.camp.enemy()]), whoArg("other", campWords[b.camp]), phrase.Number("minus", b.minus)))
	p.standing = bySeat{}
	if seat != int(b.camp) {
		p.Events = append(p.Events, engine.Event{Clause: "NAP-12.1", Exchange: slices.Clone(p.Sides()),
			Tellings: []engine.Telling{to(p.everyone(), "nap.seats-change")}})
		p.auction.bidder = 3 - p.auction.bidder
	}
	p.phase = handicapping
}

// handicapDue is how many strength points a camp has to give up: what was bid
// for it (NAP-12.2), and never more than it can.
func (g *game) handicapDue(c camp) int {
	b, at := g.lastBid()
	if at < 0 || b.camp != c {
		return 0
	}
	return min(b.minus, len(g.reducible(c)))
}

// reducible lists the units of a camp that can lose a point: no unit goes to 0
// (NAP-12.2, NAP-R54). In a view this is known only of the side's own camp.
func (g *game) reducible(c camp) []unitID {
	var ids []unitID
	for i := range g.units {
		if u := &g.units[i]; u.id != noUnit && !u.dead && u.army.camp() == c && u.strength >= 2 {
			ids = append(ids, u.id)
		}
	}
	return ids
}

// handicap asks the winner of the bidding which units give up the points; if all
// units that can lose one must, nobody is asked (NAP-12.2).
func (p *campaign) handicap() {
	b, at := p.lastBid()
	if due := p.handicapDue(b.camp); at >= 0 && due > 0 {
		if ids := p.reducible(b.camp); due < len(ids) {
			p.ask(p.sidesOf(b.camp), "handicap", "")
			return
		} else {
			p.reduce(b.camp, ids)
		}
	}
	p.phase = deployAllied
}

// reduce takes a point from each of some units; the enemy learns only how many units these
// are, not which (section 7).
func (p *campaign) reduce(c camp, ids []unitID) {
	for _, id := range ids {
		p.units[id].strength--
	}
	p.Tell("NAP-12.2", to(p.sidesOf(c), "nap.handicap", p.unitNames("units", ids)),
		to(p.sidesOf(c.enemy()), "nap.handicap-blocks", whoArg("camp", campWords[c]), phrase.Number("n", len(ids))))
}

// mostBidden is more than the number of units of any camp.
const mostBidden = 99

// bidRange gives the lowest and the highest bid that may be made for a camp now.
func (v *View) bidRange(c camp) (low, high int, ok bool) {
	b, ok := v.leastBid(c)
	low, high = b.minus, b.minus
	if len(v.auction.bids) == 0 || v.options.bidStep == stepAny {
		high = max(low, v.mostBid(c))
	}
	return low, high, ok
}

// bidText writes what may be bid for a camp.
func bidText(c camp, low, high int) string {
	minus := strconv.Itoa(low)
	if high > low {
		minus += " .. " + strconv.Itoa(high)
	}
	return "{camp: " + campWords[c] + ", minus: " + minus + "}"
}

// An offer is the world of the stop bid.
type offer struct {
	v   *View
	bid bid
}

// mayBid tells why a bid may not be made now, with what would be right.
func (w *offer) mayBid(b bid) *fault {
	f := w.v.bidFault(b)
	if last, at := w.v.lastBid(); f != nil && at >= 0 {
		f.Remedy = phrase.Say("nap.bid-remedy", phrase.Number("next", last.minus+1))
	}
	return f
}

// bidKind is {camp, minus}, or pass.
var bidKind = play.Or(play.InShort(play.Record(
	play.Need("camp", play.Keywords[*View](campWords[:], []camp{frenchCamp, alliedCamp}), func(b *bid) *camp { return &b.camp }),
	play.Need("minus", play.Number[*View](0, mostBidden), func(b *bid) *int { return &b.minus }),
), "{camp} [minus] {minus}"), bid{pass: true}, "pass")

// bidForm is the stop bid (NAP-12.1).
var bidForm = &form[*offer]{
	Clause: "NAP-12.1",
	Begin:  func(v *View, _ engine.Decision) (*offer, bool) { return &offer{v: v}, true },
	Fields: []formField[*offer]{play.One("bid", bidKind, rule[*offer, bid]{
		Next: func(w *offer) iter.Seq[bid] {
			return func(yield func(bid) bool) {
				for c := range campWords {
					if low, _, ok := w.v.bidRange(camp(c)); ok && !yield(bid{camp: camp(c), minus: low}) {
						return
					}
				}
				yield(bid{pass: true})
			}
		},
		At: func(b bid, minus int) bid {
			b.minus = minus
			return b
		},
		May: (*offer).mayBid,
		Put: func(w *offer, b bid) { w.bid = b },
		Say: func(v *View, b bid) engine.Choice {
			if b.pass {
				return engine.Choice{What: "pass", Shown: "pass"}
			}
			low, high, _ := v.bidRange(b.camp)
			return engine.Choice{Of: campWords[b.camp], What: "minus", Measure: true, Low: low, High: high, Value: b.minus, Shown: bidText(b.camp, low, high)}
		},
	})},
	// The default is a bid for the Allies at full strength, and after that to pass.
	Usual: func(x *saying[*offer]) {
		if !x.Try("bid", bid{pass: true}) {
			x.Try("bid", bid{camp: alliedCamp})
		}
	},
	Chance: func(x *saying[*offer], chance *rand.Rand) {
		v := x.View
		var may []bid
		for c := range campWords {
			if low, high, ok := v.bidRange(camp(c)); ok {
				may = append(may, bid{camp: camp(c), minus: low + chance.IntN(min(high-low, 4)+1)})
			}
		}
		if b := (bid{pass: true}); v.bidFault(b) == nil {
			may = append(may, b)
		}
		x.Try("bid", may[chance.IntN(len(may))])
	},
	Sense: senseBid,
	Note: func(x *saying[*offer], n *orders.Node) {
		v := x.View
		var lines []string
		for c := range campWords {
			if low, high, ok := v.bidRange(camp(c)); ok {
				lines = append(lines, bidText(camp(c), low, high))
			}
		}
		if v.bidFault(bid{pass: true}) == nil {
			lines = append(lines, "pass")
		}
		if v.options.bids == bidsOpen {
			lines = append(lines, "standing: [{bid: {camp: allied, up-to: 2}}]")
		}
		above(n.Pairs[0].Value, lines)
	},
	// The two bids that open the bidding are kept until both are in.
	Do: func(p *campaign, d engine.Decision, w *offer) {
		if p.auction.bidder == 0 {
			p.gathered = append(p.gathered, gathered{d, w.bid})
			return
		}
		p.makeBid(w.bid)
	},
}

// bidSense is what a sensible player bids for, and up to how much: the Allies, who win
// more games between equal players (docs/balance.md).
const (
	bidSenseCamp = alliedCamp
	bidSense     = 3
)

// senseBid bids for the Allies as long as they are worth it, and takes the French at
// full strength when they are not.
func senseBid(x *saying[*offer], chance *rand.Rand) {
	v := x.View
	last, at := v.lastBid()
	b, ok := v.leastBid(bidSenseCamp)
	switch {
	case at < 0 && v.options.bids == bidsSecret:
		b.minus = min(chance.IntN(bidSense+1), v.mostBid(bidSenseCamp))
		x.Try("bid", b)
	case at < 0, ok && last.camp == bidSenseCamp && b.minus <= bidSense:
		x.Try("bid", b)
	}
}

// handicapForm is the stop handicap: which units lose a point (NAP-12.2).
var handicapForm = &form[*listing]{
	Begin: listingFor,
	Fields: []formField[*listing]{unitList("reduce", "reduce", rule[*listing, unitID]{
		Read: func(w *listing, r *orders.Reader, n *orders.Node) (unitID, bool) {
			return w.v.pickUnit(r, n, w.v.ownRoster())
		},
		Next: eachOf((*listing).reducible),
		May: func(w *listing, id unitID) *fault {
			switch {
			case containsUnit(w.units, id):
				return refusal("NAP-12.2", "nap.handicap-twice", w.v.idArg("unit", id))
			case !containsUnit(w.reducible(), id):
				return refusal("NAP-R54", "nap.handicap-weak", w.v.idArg("unit", id))
			}
			return nil
		},
		Many: upTo(func(w *listing) int { return w.v.handicapDue(w.v.camp()) }),
		End: func(w *listing, _ int, whole bool) []*fault {
			if due := w.v.handicapDue(w.v.camp()); whole && len(w.units) != due {
				return []*fault{refusal("NAP-12.2", "nap.handicap-number", phrase.Number("due", due), phrase.Number("named", len(w.units)))}
			}
			return nil
		},
		Order: byID,
	})},
	// The infantry that fires worst comes first, then the order is by id.
	Usual: func(x *saying[*listing]) {
		reduceBy(x, func(a, b *unit) int {
			if ia, ib := a.kind == infantry, b.kind == infantry; ia != ib {
				if ia {
					return -1
				}
				return 1
			}
			if a.kind == infantry && a.fire != b.fire {
				return int(a.fire) - int(b.fire)
			}
			return int(a.id) - int(b.id)
		})
	},
	Chance: func(x *saying[*listing], chance *rand.Rand) {
		ids := x.World.reducible()
		chance.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		tryAll(x, "reduce", ids)
	},
	// Points are taken where a die is worth least and the unit can bear the loss.
	Sense: func(x *saying[*listing], _ *rand.Rand) {
		reduceBy(x, func(a, b *unit) int {
			if a.fire != b.fire {
				return int(a.fire) - int(b.fire)
			}
			if a.strength != b.strength {
				return int(b.strength) - int(a.strength)
			}
			return int(a.id) - int(b.id)
		})
	},
	Note: func(x *saying[*listing], n *orders.Node) {
		v := x.View
		n.Pairs[0].Value.Above = strconv.Itoa(v.handicapDue(v.camp())) + ": " + v.briefs(x.World.reducible())
	},
	Do: func(p *campaign, d engine.Decision, w *listing) {
		p.reduce(p.campOf(d.Side), w.sorted())
		p.phase = deployAllied
	},
}

// reducible are the side's units that can lose a point.
func (w *listing) reducible() []unitID { return w.v.reducible(w.v.camp()) }

// reduceBy takes a point from the units that come first in an order.
func reduceBy(x *saying[*listing], order func(a, b *unit) int) {
	ids := x.World.reducible()
	slices.SortStableFunc(ids, func(a, b unitID) int { return order(x.View.unit(a), x.View.unit(b)) })
	ids = ids[:min(x.View.handicapDue(x.View.camp()), len(ids))]
	slices.Sort(ids)
	tryAll(x, "reduce", ids)
}

// readCeiling reads the standing order bid: {camp, up-to}.
func readCeiling(v *View, r *orders.Reader, n *orders.Node, s *standing) {
	f := r.Fields(n, "camp", "up-to")
	if n.Kind != orders.Map {
		return
	}
	word, ok := r.Word(r.Require(f, "camp"), campWords[:]...)
	most, ok2 := r.Int(r.Require(f, "up-to"), 0, mostBidden)
	if !ok || !ok2 {
		return
	}
	c, _ := campNamed(word)
	switch {
	case v.options.sides != sidesBid || v.phase != bidding:
		r.Refuse(n, "NAP-12.0", phrase.Say("nap.bid-not-now"))
	case v.options.bids == bidsSecret:
		r.Refuse(n, "NAP-R88", phrase.Say("nap.bid-no-ceiling"))
	case s.ceilings[c] > 0:
		r.Refuse(n, "", phrase.Say("nap.bid-ceiling-twice", whoArg("camp", campWords[c])))
	default:
		s.ceilings[c] = most + 1
	}
}

// ceilingShape is how one is written.
var ceilingShape = shape.Record(shape.Need("camp", shape.Words(campWords[:]...)), shape.Need("up-to", shape.Number(0, mostBidden)))

// ceilingNodes writes the standing orders bid.
func ceilingNodes(_ *scenario, s *standing) (all []*orders.Node) {
	for c, most := range s.ceilings {
		if most > 0 {
			all = append(all, orders.Inline().Set("camp", orders.Text(campWords[c])).Set("up-to", orders.Number(most-1)))
		}
	}
	return all
}

// bidFor makes the bid that the ceilings of standing orders call for: the least raise for
// the camp for which the other player bids, as far as the ceiling for that camp goes. Above
// the ceiling, or without one, the bid is to pass, which gives the other camp at full
// strength.
func (s *standing) bidFor(g *game) (bid, bool) {
	if s.ceilings == [2]int{} {
		return bid{}, false
	}
	last, at := g.lastBid()
	if at < 0 {
		return bid{}, false
	}
	if b, ok := g.leastBid(last.camp); ok && b.minus < s.ceilings[last.camp] {
		return b, true
	}
	return bid{pass: true}, true
}

// bidSection tells how the bidding stands (NAP-12.1); its result stays known.
func (v *View) bidSection() (engine.Section, bool) {
	s := engine.Section{Heading: phrase.Say("nap.page.bidding")}
	if v.options.sides != sidesBid {
		return s, false
	}
	if v.phase == bidding {
		s.Lines = append(s.Lines, phrase.Say("nap.page.bid-seats"))
		if v.options.bids == bidsSecret {
			s.Lines = append(s.Lines, phrase.Say("nap.page.bid-secret"))
		} else if v.auction.bidder == 0 {
			s.Lines = append(s.Lines, phrase.Say("nap.page.bid-coin"))
		}
		for c := range campWords {
			s.Lines = append(s.Lines, phrase.Say("nap.page.bid-most", whoArg("camp", campWords[camp(c)]), phrase.Number("most", v.mostBid(camp(c)))))
		}
	}
	if v.auction.bidder > 0 && v.side != engine.GM {
		s.Lines = append(s.Lines, phrase.Say("nap.page.bidder", bidderArg("bidder", v.bidderNumber(v.seatOf(v.side)))))
	}
	for i, b := range v.auction.bids {
		who := bidderArg("bidder", 1+i%2)
		if b.pass {
			s.Lines = append(s.Lines, phrase.Say("nap.bid-passed", who))
		} else {
			s.Lines = append(s.Lines, phrase.Say("nap.bid-made", who, whoArg("camp", campWords[b.camp]), phrase.Number("minus", b.minus)))
		}
	}
	if b, at := v.lastBid(); at >= 0 && v.phase != bidding {
		s.Lines = append(s.Lines, phrase.Say("nap.page.bid-result", whoArg("camp", campWords[b.camp]), phrase.Number("minus", b.minus)))
	}
	return s, len(s.Lines) > 0
}

// MarshalPos implements [play.PosMarshaler].
func (all bidList) MarshalPos(*play.Scribe) *orders.Node {
	list := orders.Texts()
	for _, b := range all {
		list.Add(bidKind.Write(nil, b))
	}
	return list
}

// UnmarshalPos implements [play.PosUnmarshaler]. It refuses what the rules could not have
// brought about.
func (all *bidList) UnmarshalPos(x *play.Scribe, n *orders.Node) {
	g := x.Whole.(*game)
	for _, item := range x.List(n) {
		b, ok := bidKind.Read(nil, x.Reader, item)
		if !ok {
			return
		}
		if g.options.sides == sidesBid && (g.bidOver() || !g.couldFollow(b)) {
			x.Refuse(item, "NAP-12.1", phrase.Say("nap.position-bids"))
			return
		}
		*all = append(*all, b)
	}
}

// SettlePos implements [play.PosSettler].
func (a *auction) SettlePos(x *play.Scribe, at orders.Fields) {
	switch g := x.Whole.(*game); {
	case g.options.sides != sidesBid:
		x.Refuse(at.Node, "NAP-12.0", phrase.Say("nap.position-bids"))
	case len(a.bids) == 0 || g.options.bids == bidsSecret && !g.bidOver():
		x.Refuse(at.Node, "NAP-12.1", phrase.Say("nap.position-bids"))
	}
}

// couldFollow tells whether a bid of a position can follow the bids before it: two
// secret bids may be equal, otherwise the higher comes last.
func (g *game) couldFollow(b bid) bool {
	if g.options.bids != bidsSecret {
		return g.bidFault(b) == nil
	}
	last, at := g.lastBid()
	return !b.pass && b.minus <= g.mostBid(b.camp) && (at < 0 || b.minus >= last.minus)
}

// bidsFit tells whether a decision about the bidding can be owed.
func (g *game) bidsFit(d engine.Decision) bool {
	if d.Kind == "handicap" {
		due := g.handicapDue(g.campOf(d.Side))
		return g.phase == handicapping && due > 0 && due < len(g.reducible(g.campOf(d.Side)))
	}
	return g.phase == bidding && (g.auction.bidder == 0 || !g.bidOver() && g.seatOf(d.Side) == g.bidSeat(len(g.auction.bids)))
}
