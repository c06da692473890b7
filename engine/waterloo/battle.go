package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders/phrase"
)

// A battle, from its declaration to its last effect (chapter 9).

// A battleFrame is one attack on one unit (WAT-9.1).
type battleFrame struct {
	Target    unitID
	Square    square    // the target's when it was attacked
	Attackers []fighter // in the order of ids
	Charge    bool      // the attack is a cavalry charge (WAT-9.15)
	Forced    bool      // the charge was forced on the enemy by the phasing side (WAT-11.5)
	Stage     battleStage
	Attack    party
	Defence   party
	Advance   advanceOrder // filed with the attack; secret
	Shelled   bool         // the artillery window after the reveal has been opened (WAT-R14)
}

// A battleStage is where a battle stands.
type battleStage int8

const (
	battleCommitting battleStage = iota // cards are being chosen (WAT-9.10)
	battleRevealed                      // they lie face up, artillery has fired (WAT-9.16)
	battleJudged                        // the totals stand; the loser's choice is open (WAT-9.31)
	battleAdvancing                     // the defender's loss is carried out (WAT-9.39)
	battleClosing                       // disorder of a charging unit, end
)

// seenBy implements [frame]: until the reveal a side knows only what it has
// filed itself; the advance filed with an attack is known only to the side that filed it.
func (b *battleFrame) seenBy(g *game, side engine.Side) frame {
	c := &battleFrame{Target: b.Target, Square: b.Square, Attackers: slices.Clone(b.Attackers),
		Charge: b.Charge, Forced: b.Forced, Stage: b.Stage, Shelled: b.Shelled}
	for r := attacking; r <= defending; r++ {
		if b.Stage > battleCommitting || g.seatOf(g.fighting(b, r)) == side {
			*c.of(r) = play.Clone(*b.of(r))
		}
	}
	if g.seatOf(g.fighting(b, attacking)) == side {
		c.Advance = b.Advance
	}
	return c
}

// startAttack opens the battle of an attack (WAT-9.1).
func (p *battlefield) startAttack(a *attack) {
	b := p.expected(a.Target, a.With, false, false)
	b.Advance = a.Advance
	if a.Filed {
		b.Attack = party{Filed: true, Cards: slices.Clone(a.Cards)}
	}
	p.open(b, "WAT-9.1", "wat.attacks")
}

// open pushes a battle and tells of it. Whoever attacks has attacked, whatever
// comes of it (WAT-9.16).
func (p *battlefield) open(b *battleFrame, clause, code string) {
	with := b.still()
	for _, id := range with {
		p.unit(id).Attacked = true
	}
	p.announce(clause, code, p.unitsArg("units", with), p.unitArg("target", b.Target), p.squareArg("square", b.Square))
	p.push(b)
}

// run implements [frame].
func (b *battleFrame) run(p *battlefield) {
	switch b.Stage {
	case battleCommitting:
		b.commit(p)
	case battleRevealed:
		b.afterReveal(p)
	case battleJudged:
		b.judge(p)
	case battleAdvancing:
		b.advance(p)
	case battleClosing:
		b.close(p)
	}
}

// commit asks both sides for their cards at once, unless they have filed them already
// (WAT-9.10).
func (b *battleFrame) commit(p *battlefield) {
	for r := attacking; r <= defending; r++ {
		if b.of(r).Filed {
			continue
		}
		seat := p.seatOf(p.fighting(b, r))
		if !p.mayCommit(b, r) {
			b.of(r).Filed = true
		} else {
			p.ask(seat, stopCommit, p.def(b.Target).id)
		}
	}
	if len(p.asks) == 0 {
		b.reveal(p)
	}
}

// reveal turns the cards of both sides face up together, and fires the artillery
// among them in the order of its owner (WAT-9.10, WAT-9.16).
func (b *battleFrame) reveal(p *battlefield) {
	for r := attacking; r <= defending; r++ {
		all := &b.of(r).Cards
		*all = slices.DeleteFunc(*all, func(c commit) bool { return !p.holds(c.Card) }) // the edit of a position may have taken a card away
		if len(*all) == 0 {
			*all = nil
		}
		for _, c := range *all {
			p.commit(c.Card)
			p.count(c.Card)
		}
		if a := armyArg("army", p.fighting(b, r)); len(*all) > 0 {
			p.announce("WAT-9.10", "wat.reveals", a, phrase.Phrases("cards", p.commitPhrases(*all)))
		} else {
			p.announce("WAT-9.10", "wat.reveals-none", a)
		}
	}
	b.Stage = battleRevealed
	for r := attacking; r <= defending; r++ {
		for _, c := range b.of(r).Cards {
			if c.As == asArtillery {
				b.dropOut(p, p.shell(c.Card, shot{c.By, c.Side}))
			}
		}
	}
	if b.void(p) {
		return
	}
	b.add(p)
}

// commitPhrases says for what the cards are committed.
func (s *scenario) commitPhrases(cards []commit) []phrase.Phrase {
	var all []phrase.Phrase
	for _, c := range cards {
		card := s.cardArg("card", c.Card)
		switch c.As {
		case asBattle:
			all = append(all, phrase.Say("wat.commit.battle", card, phrase.Number("bp", s.card(c.Card).bp)))
		case asCommand:
			all = append(all, phrase.Say("wat.commit.command", card))
		case asElite:
			all = append(all, phrase.Say("wat.commit.elite", card, s.unitArg("unit", c.Unit)))
		case asArtillery:
			all = append(all, phrase.Say("wat.commit.artillery", card, s.unitArg("unit", c.By)))
		}
	}
	return all
}

// dropOut takes an attacker that fire has disordered out of the battle. If a second hit
// puts it in good order again, that does not bring it back (WAT-9.16, WAT-R41).
func (b *battleFrame) dropOut(p *battlefield, hit unitID) {
	for i := range b.Attackers {
		if f := &b.Attackers[i]; f.Unit == hit && !f.Out && p.unit(hit).Disordered {
			f.Out = true
			p.announce("WAT-9.16", "wat.drops-out", p.unitArg("unit", hit))
		}
	}
}

// void ends an attack if no attacker is left: it has no result for anyone (WAT-R16).
func (b *battleFrame) void(p *battlefield) bool {
	if len(b.still()) > 0 {
		return false
	}
	p.announce("WAT-R16", "wat.attack-void", p.unitArg("target", b.Target))
	b.Stage = battleClosing
	return true
}

// add adds up the totals and tells them with everything of which they are made
// (WAT-9.20 to 9.25).
func (b *battleFrame) add(p *battlefield) {
	b.Attack.Total, b.Defence.Total = p.totals(b)
	for i := range b.Attackers {
		f := &b.Attackers[i]
		if f.Points = 0; !f.Out {
			f.Points = p.finalPoints(b, f.Unit)
		}
	}
	args := append(p.totalArgs(b, attacking, "attackers", "attack"), p.totalArgs(b, defending, "defenders", "defence")...)
	if !b.awaitsFire(p) {
		args = append(args, phrase.Within("outcome", phrase.Say(b.outcome(p))))
	}
	p.announce("WAT-9.31", "wat.totals", args...)
	for r := attacking; r <= defending; r++ {
		if b.commands(r) > 0 && !slices.ContainsFunc(p.sums(b, r), func(s sum) bool { return s.Command > 0 }) {
			p.announce("WAT-R19", "wat.command-idle", armyArg("army", p.fighting(b, r)))
		}
	}
}

// totalArgs are the total of a role and all of which it is made: what each unit adds, and the
// cards, which fill the place of the total with "-cards" behind it.
func (p *battlefield) totalArgs(b *battleFrame, r role, units, total string) []argument {
	var parts []phrase.Phrase
	for _, s := range p.sums(b, r) {
		args := []argument{p.unitArg("unit", s.Unit), phrase.Number("points", s.Points)}
		if s.Command > 0 {
			args = append(args, phrase.Number("command", s.Command))
		}
		parts = append(parts, phrase.Say("wat.sum", args...))
	}
	args := []argument{phrase.Phrases(units, parts), phrase.Number(total, b.of(r).Total)}
	if n := p.cardPoints(b, r); n > 0 {
		args = append(args, phrase.Number(total+"-cards", n))
	}
	return args
}

// awaitsFire tells whether artillery may still change the totals (WAT-R14).
func (b *battleFrame) awaitsFire(p *battlefield) bool {
	return p.options.afterReveal == on && !b.Charge && !b.Shelled
}

// outcome says what follows from the totals, as [battleFrame.judge] carries it out
// (WAT-9.31 to 9.35).
func (b *battleFrame) outcome(p *battlefield) string {
	attack, defence := b.Attack.Total, b.Defence.Total
	switch {
	case attack > defence && p.onlyLoss(b) != nil:
		return "wat.outcome-defender"
	case attack > defence:
		return "wat.outcome-choose"
	case defence <= 2*attack:
		return "wat.outcome-none"
	case len(p.strongest(b)) == 1:
		return "wat.outcome-attacker"
	}
	return "wat.outcome-attacker-choose"
}

// onlyLoss is how the defender takes its defeat if there is but one way, without a retreat,
// whose facing its owner would choose.
func (g *game) onlyLoss(b *battleFrame) *loss {
	if list := g.losses(b); len(list) == 1 && list[0].to == 0 {
		return &list[0]
	}
	return nil
}

// afterReveal opens the artillery window of option artillery_after_reveal, adds up the
// totals again if fire has changed anything, and goes on to the result (WAT-R14).
func (b *battleFrame) afterReveal(p *battlefield) {
	if b.awaitsFire(p) {
		b.Shelled = true
		p.openWindow(atRevealed)
		return
	}
	if b.Shelled {
		if b.void(p) {
			return
		}
		if attack, defence := p.totals(b); attack != b.Attack.Total || defence != b.Defence.Total {
			b.add(p)
		}
	}
	b.Stage = battleJudged
}

// judge finds out who has lost (WAT-9.31).
func (b *battleFrame) judge(p *battlefield) {
	attack, defence := b.Attack.Total, b.Defence.Total
	target := p.unitArg("target", b.Target)
	switch {
	case attack > defence:
		if only := p.onlyLoss(b); only != nil {
			b.lose(p, *only)
		} else {
			p.ask(p.seatOf(p.fighting(b, defending)), stopLoss, p.def(b.Target).id)
		}
	case defence > 2*attack:
		tied := p.strongest(b)
		if len(tied) == 1 {
			b.loseAttacker(p, tied[0])
		} else {
			p.ask(p.seatOf(p.fighting(b, attacking)), stopAttackerLoss, p.def(b.Target).id)
		}
	default:
		p.announce("WAT-9.34", "wat.attack-fails", target, phrase.Number("attack", b.Attack.Total), phrase.Number("defence", b.Defence.Total))
		b.Stage = battleClosing
	}
}

// strongest are the attackers with the most battle points (WAT-9.35, WAT-R37).
func (g *game) strongest(b *battleFrame) []unitID {
	var tied []unitID
	most := -1
	for _, id := range b.still() {
		switch n := g.finalPoints(b, id); {
		case n > most:
			most, tied = n, []unitID{id}
		case n == most:
			tied = append(tied, id)
		}
	}
	return tied
}

// lose carries out how the defender takes its defeat: chateau destruction points,
// reduction, then retreat or elimination (WAT-9.40).
func (b *battleFrame) lose(p *battlefield, l loss) {
	b.Stage = battleAdvancing
	if c, in := p.chateauAt(b.Square); in && l.cdp > 0 {
		p.CDP[c] = max(0, p.CDP[c]-l.cdp)
		p.announce("WAT-10.4", "wat.spends-cdp", p.unitArg("unit", b.Target), phrase.Number("n", int(l.cdp)),
			p.squareArg("square", b.Square), phrase.Number("left", int(p.CDP[c])))
	}
	for range l.reduces {
		if !p.reduce(b.Target, "WAT-9.36") {
			return
		}
	}
	if l.to != 0 {
		p.fallBack(b.Target, l.to, l.face, "WAT-9.37")
	}
}

// reduce turns a unit to its reduced side, or eliminates it if it has none left
// (WAT-9.36). It tells whether the unit lives.
func (p *battlefield) reduce(id unitID, clause string) bool {
	if !p.whole(id) {
		p.eliminate(id, clause)
		return false
	}
	p.unit(id).Reduced = true
	p.announce(clause, "wat.reduced", p.unitArg("unit", id), p.squareArg("square", p.unit(id).At), phrase.Number("value", p.value(id)))
	return true
}

// eliminate takes a unit out of the game; a commander who stands with it is
// placed elsewhere (WAT-9.36, WAT-12.4).
func (p *battlefield) eliminate(id unitID, clause string) {
	at := p.unit(id).At
	p.announce(clause, "wat.eliminated", p.unitArg("unit", id), p.squareArg("square", at), phrase.Number("value", p.def(id).full))
	p.Units[id] = unit{Dead: true}
	p.mourn(id)
	p.bereave(at)
}

// fallBack moves a unit one square back, with the commander in its square. The face none
// means that the unit keeps its facing (WAT-9.37, WAT-12.4).
func (p *battlefield) fallBack(id unitID, to square, face facing, clause string) {
	u := p.unit(id)
	from := u.At
	if face != noFacing {
		u.Face = face
	}
	p.announce(clause, "wat.retreats", p.unitArg("unit", id), p.squareArg("from", from), p.squareArg("to", to), facingArg("face", u.Face))
	p.takeAlong(id, from, to)
	p.enter(id, to, byRetreat)
}

// loseAttacker reduces the attacker that was chosen among the strongest (WAT-9.35).
func (b *battleFrame) loseAttacker(p *battlefield, id unitID) {
	b.Stage = battleClosing
	p.reduce(id, "WAT-9.35")
}

// candidates are the attackers of which one must advance: those that used an elite
// bonus and are still there, or else all (WAT-9.39, WAT-R39).
func (g *game) candidates(b *battleFrame) []unitID {
	all := b.still()
	elite := slices.DeleteFunc(slices.Clone(all), func(id unitID) bool { return b.elites(attacking, id) == 0 })
	if len(elite) > 0 {
		return elite
	}
	return all
}

// advance has one attacker enter the target's square, if it is vacated
// (WAT-9.39, WAT-10.6).
func (b *battleFrame) advance(p *battlefield) {
	if p.unitAt(b.Square) != 0 {
		b.Stage = battleClosing
		return
	}
	able := p.candidates(b)
	if o := b.Advance; o.Said {
		if o.Unit == 0 && len(able) == 1 {
			o.Unit = able[0]
		}
		if slices.Contains(able, o.Unit) {
			b.follow(p, o.Unit, o.Face)
			return
		}
	}
	p.ask(p.seatOf(p.fighting(b, attacking)), stopAdvance, p.def(b.Target).id)
}

// follow lets a unit advance; that is not movement (WAT-9.39).
func (b *battleFrame) follow(p *battlefield, id unitID, face facing) {
	b.Stage = battleClosing
	u := p.unit(id)
	if face != noFacing {
		u.Face = face
	}
	p.announce("WAT-9.39", "wat.advances", p.unitArg("unit", id), p.squareArg("square", b.Square), facingArg("face", u.Face))
	p.enter(id, b.Square, byAdvance)
}

// close ends the battle: a charging unit is disordered, whatever the result, and
// the cards are used up (WAT-11.4, WAT-9.14).
func (b *battleFrame) close(p *battlefield) {
	if b.Charge {
		if u := p.unit(b.Attackers[0].Unit); u.At != 0 && !u.Disordered {
			u.Disordered = true
			p.announce("WAT-11.4", "wat.charge-disorders", p.unitArg("unit", b.Attackers[0].Unit))
		}
	}
	p.discardCommitted()
	p.pop()
}

// sound tells whether a position may hold the frame.
func (b *battleFrame) sound(g *game, depth int) bool {
	if depth != 2 || b.Target == 0 || b.Square == 0 || len(b.Attackers) == 0 || len(b.Attackers) > len(facingsAll) ||
		b.Stage < battleCommitting || b.Stage > battleClosing || b.Charge && len(b.Attackers) != 1 || b.Forced && !b.Charge {
		return false
	}
	for i, f := range b.Attackers {
		switch {
		case f.Unit == 0 || !g.hostile(f.Unit, b.Target) || g.armyOf(f.Unit) != g.armyOf(b.Attackers[0].Unit):
			return false
		case i > 0 && f.Unit <= b.Attackers[i-1].Unit:
			return false
		}
		if b.Stage >= battleAdvancing {
			if b.Stage == battleAdvancing && !f.Out && g.unit(f.Unit).At == 0 {
				return false
			}
			continue
		}
		if u := g.unit(f.Unit); u.At == 0 || g.unit(b.Target).At != b.Square {
			return false
		} else if _, near := g.toward(u.At, b.Square); !near {
			return false
		}
	}
	if len(b.still()) == 0 && b.Stage > battleRevealed && b.Stage < battleClosing {
		return false
	}
	if r := g.roundNow(); r == nil || (g.campOf(b.Attackers[0].Unit) == r.Camp) == b.Forced {
		return false
	}
	for r := attacking; r <= defending; r++ {
		if !g.soundCommits(b.of(r).Cards) {
			return false
		}
	}
	return true
}

// soundCommits tells whether all units, cards and sides that commitments name exist.
func (g *game) soundCommits(cards []commit) bool {
	for _, c := range cards {
		if c.Card == 0 || c.As == asElite && c.Unit == 0 || c.As == asArtillery && c.By == 0 {
			return false
		}
	}
	return true
}

// asks implements asker.
func (b *battleFrame) asks(g *game, d engine.Decision) bool {
	if d.At != g.def(b.Target).id {
		return false
	}
	attacks, defends := d.Side == g.seatOf(g.fighting(b, attacking)), d.Side == g.seatOf(g.fighting(b, defending))
	switch d.Kind {
	case stopCommit:
		return b.Stage == battleCommitting && (attacks && !b.Attack.Filed || defends && !b.Defence.Filed)
	case stopLoss:
		return b.Stage == battleJudged && defends && b.Attack.Total > b.Defence.Total
	case stopAttackerLoss:
		return b.Stage == battleJudged && attacks && b.Defence.Total > 2*b.Attack.Total
	case stopAdvance:
		return b.Stage == battleAdvancing && attacks && g.unitAt(b.Square) == 0
	}
	return false
}
