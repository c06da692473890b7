package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/orders/phrase"
)

// The turn: deal, initiative, alternating rounds, end (WAT-4.1).

// run implements frame.
func (f *turnFrame) run(p *battlefield) {
	switch f.Stage {
	case turnDeal:
		p.deal()
		f.Stage = turnBid
		if p.Turn == 1 { // WAT-7.1
			f.First, f.Stage = frenchCamp, turnRounds
			f.Next = f.First
		}
	case turnBid:
		if !f.Asked {
			f.Asked = true
			for _, side := range p.bidders() {
				if _, said := p.standingBid(armyOfSeat(side)); !said || p.Insists(side, stopBid) {
					p.ask(side, stopBid, "")
				}
			}
			if len(p.asks) > 0 {
				return
			}
		}
		f.Asked = false
		p.initiative(f)
		f.Next, f.Stage = f.First, turnRounds
	case turnRounds:
		p.nextRound(f)
	}
}

// seenBy implements frame: nothing of a turn is hidden.
func (f *turnFrame) seenBy(*game, engine.Side) frame {
	c := *f
	c.bids, c.answered, c.prussianBids = [armies]cardID{}, [armies]bool{}, false
	return &c
}

// sound tells whether a position may hold the frame.
func (f *turnFrame) sound(g *game, depth int) bool {
	return depth == 0 && (f.Stage != turnRounds || f.Next != noCamp) && (f.Lock != french)
}

// asks implements asker.
func (f *turnFrame) asks(g *game, d engine.Decision) bool {
	if f.Stage != turnBid || !f.Asked || d.Kind != stopBid || d.At != "" {
		return false
	}
	for _, side := range g.bidders() {
		if side == d.Side {
			return true
		}
	}
	return false
}

// deal shuffles all cards and deals new hands (WAT-4.2). Every draw is a roll: a hand is
// so many draws from the deck. Nobody is shown the rolls before the end of the game.
func (p *battlefield) deal() {
	p.Entry = 0
	p.dealt()
	p.announce("WAT-4.1", "wat.turn", phrase.Number("turn", p.Turn), phrase.Number("turns", p.length().turns))
	var sizes []phrase.Phrase
	for a := french; a <= prussian; a++ {
		p.Decks[a] = deck{}
		if a == prussian && !p.prussians() {
			continue
		}
		rest := p.deckOf(a)
		n := p.hands[a][p.Turn-1]
		for len(p.Decks[a].Hand) < n {
			at := 0
			if len(rest) > n-len(p.Decks[a].Hand) {
				at = p.Dice.Roll(len(rest), phrase.Say("wat.roll-deal", armyArg("army", a), phrase.Number("turn", p.Turn))) - 1
			}
			p.Decks[a].Hand = add(p.Decks[a].Hand, rest[at])
			rest = drop(rest, rest[at])
		}
		sizes = append(sizes, phrase.Say("wat.hand-size", armyArg("army", a), phrase.Number("n", n)))
	}
	p.announce("WAT-4.2", "wat.dealt", phrase.Phrases("hands", sizes))
	for a := french; a <= prussian; a++ {
		if hand := p.Decks[a].Hand; len(hand) > 0 {
			var told []engine.Side
			for _, side := range p.Sides() {
				if p.shared(a, armyOfSeat(side)) {
					told = append(told, side)
				}
			}
			p.Tell("WAT-3.4", to(told, "wat.dealt-hand", armyArg("army", a), p.cardsArg("cards", hand)))
		}
	}
}

// nextRound begins the next round, or ends the turn (WAT-4.3 to 4.8).
func (p *battlefield) nextRound(f *turnFrame) {
	if f.Rounds > 0 && p.cardsOf(frenchCamp)+p.cardsOf(alliedCamp) == 0 { // WAT-4.8
		p.endTurn("WAT-4.8", "wat.turn-over-cards")
		return
	}
	c := f.Next
	if f.Rounds < 999 {
		f.Rounds++
	}
	if p.cardsOf(c) == 0 { // WAT-4.5
		p.announce("WAT-4.5", "wat.passed-empty", campArg("camp", c))
		f.Lock = noArmy
		p.roundEnded(f, c, true)
		return
	}
	r := &roundFrame{Camp: c, Lock: f.Lock}
	f.Lock = noArmy // the lock holds for the first round alone (WAT-7.5)
	p.announce("WAT-4.3", "wat.round", campArg("camp", c))
	p.push(r)
}

// roundEnded notes a round; two passes in a row end the turn (WAT-4.6).
func (p *battlefield) roundEnded(f *turnFrame, c camp, passed bool) {
	if passed && f.Passed {
		p.endTurn("WAT-4.6", "wat.turn-over-passes")
		return
	}
	f.Passed = passed
	f.Next = c.enemy()
}

// endTurn goes on to the next turn, or scores (WAT-4.10).
func (p *battlefield) endTurn(clause, code string) {
	p.announce(clause, code, phrase.Number("turn", p.Turn))
	if p.Turn == p.length().turns {
		p.score()
		return
	}
	p.Turn++
	p.Flow = []frame{&turnFrame{}}
}

// Initiative (chapter 7 of the rulebook).

// bidders are the seats that may bid: those with a card (WAT-7.2, WAT-7.6).
func (g *game) bidders() []engine.Side {
	var all []engine.Side
	for _, side := range g.Sides() {
		n := 0
		for _, a := range g.armiesOf(side) {
			n += len(g.Decks[a].Hand)
		}
		if n > 0 {
			all = append(all, side)
		}
	}
	return all
}

// initiative reveals the bids and finds who plays first (WAT-7.2 to 7.5).
func (p *battlefield) initiative(f *turnFrame) {
	bids := f.bids
	for _, side := range p.bidders() {
		a := armyOfSeat(side)
		if f.answered[a] {
			continue
		}
		bids[a], _ = p.standingBid(a)
	}
	var bid [camps]cardID
	bid[frenchCamp], bid[alliedCamp] = bids[french], bids[anglo]
	if p.three() && (f.prussianBids || len(p.Decks[anglo].Hand) == 0) { // WAT-7.6
		bid[alliedCamp] = bids[prussian]
	}
	f.bids, f.answered, f.prussianBids = [armies]cardID{}, [armies]bool{}, false
	var mp [camps]int
	for c := frenchCamp; c <= alliedCamp; c++ {
		if bid[c] == 0 {
			p.announce("WAT-7.2", "wat.no-bid", campArg("camp", c))
			mp[c] = -1
			continue
		}
		mp[c] = p.card(bid[c]).mp
		p.use(bid[c]) // WAT-7.3
		p.announce("WAT-7.2", "wat.bid", campArg("camp", c), p.cardArg("card", bid[c]), phrase.Number("mp", mp[c]))
	}
	reserve := [camps]army{frenchCamp: french, alliedCamp: anglo} // WAT-R35
	if bid[alliedCamp] != 0 {
		f.Lock = p.card(bid[alliedCamp]).army // WAT-7.5
		reserve[alliedCamp] = f.Lock
	}
	clause := "WAT-7.2"
	if mp[frenchCamp] == mp[alliedCamp] {
		clause = "WAT-7.4"
		mp = p.drawTie(reserve)
	}
	f.First = frenchCamp
	if mp[alliedCamp] > mp[frenchCamp] {
		f.First = alliedCamp
	}
	p.announce(clause, "wat.first", campArg("camp", f.First))
	if f.Lock != noArmy {
		p.announce("WAT-7.5", "wat.bid-lock", armyArg("army", f.Lock))
	}
}

// reserveOf lists the reserve of a deck: the cards that were used and those that were not dealt.
func (g *game) reserveOf(a army) []cardID {
	all := g.undealt(a)
	for _, c := range g.Decks[a].Used {
		all = add(all, c)
	}
	return all
}

// drawTie draws a card from each side's reserve until they differ (WAT-7.4). If no two
// cards can differ, the French play first, as in turn 1 (WAT-R53): both values are 0.
func (p *battlefield) drawTie(from [camps]army) [camps]int {
	var mp [camps]int
	if !p.canDiffer(from) {
		p.announce("WAT-R53", "wat.tie-undrawn")
		return mp
	}
	for {
		for c := frenchCamp; c <= alliedCamp; c++ {
			cards := p.reserveOf(from[c])
			if mp[c] = 0; len(cards) == 0 {
				p.announce("WAT-R53", "wat.tie-empty", campArg("camp", c))
				continue
			}
			drawn := cards[p.Dice.Roll(len(cards), phrase.Say("wat.roll-tie", armyArg("army", from[c])))-1]
			mp[c] = p.card(drawn).mp
			p.show(drawn)
			p.announce("WAT-7.4", "wat.tie-drawn", campArg("camp", c), p.cardArg("card", drawn), phrase.Number("mp", mp[c]))
		}
		if mp[frenchCamp] != mp[alliedCamp] {
			return mp
		}
	}
}

// canDiffer tells whether the sides could draw cards with different MP; from an empty
// reserve 0 is drawn.
func (g *game) canDiffer(from [camps]army) bool {
	var values []int
	for c := frenchCamp; c <= alliedCamp; c++ {
		cards := g.reserveOf(from[c])
		if len(cards) == 0 {
			values = append(values, 0)
		}
		for _, card := range cards {
			values = append(values, g.card(card).mp)
		}
	}
	return slices.Min(values) != slices.Max(values)
}
