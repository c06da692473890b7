package waterloo

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// The declaration of an attack (WAT-9.1 to 9.6) and what is committed to it
// (WAT-9.10 to 9.15).

// mayBeAttacked tells why a unit can't be the target of an attack of a camp; nil
// if it can.
func (g *game) mayBeAttacked(id unitID, by camp) *fault {
	switch {
	case g.unit(id).At == 0:
		return refusal("WAT-9.1", "wat.not-on-board", g.unitArg("unit", id))
	case g.campOf(id) == by:
		return refusal("WAT-1.2", "wat.attack-friend", g.unitArg("unit", id))
	}
	return nil
}

// mayAttack tells why a unit can't attack a target; nil if it can (WAT-9.2). It
// does not look at whose round it is.
func (g *game) mayAttack(id, target unitID) *fault {
	u, t := g.unit(id), g.unit(target)
	if u.At == 0 {
		return refusal("WAT-9.2", "wat.not-on-board", g.unitArg("unit", id))
	}
	side, near := g.besides(id, target)
	switch {
	case !near:
		return refusal("WAT-9.2", "wat.attack-far", g.unitArg("unit", id), g.unitArg("target", target))
	case g.edgeOf(u.At, side).has(pond):
		return refusal("WAT-9.2", "wat.attack-pond", g.unitArg("unit", id), g.unitArg("target", target))
	case !g.faces(id, t.At):
		return refusal("WAT-9.2", "wat.attack-facing", g.unitArg("unit", id), facingArg("face", u.Face), g.unitArg("target", target), facingArg("side", side))
	case u.Disordered:
		return refusal("WAT-9.45", "wat.attack-disordered", g.unitArg("unit", id))
	case u.Reorganised:
		return refusal("WAT-11.6", "wat.attack-reorganised", g.unitArg("unit", id))
	}
	return nil
}

// besides tells at which side of a unit another stands next to it; false if it does not,
// or one of them is not on the board.
func (g *game) besides(id, other unitID) (side facing, near bool) {
	from, to := g.unit(id).At, g.unit(other).At
	if from == 0 || to == 0 {
		return noFacing, false
	}
	return g.toward(from, to)
}

// notActive tells why units of an army may not attack in the round under way:
// only those of the active army do (WAT-R11).
func (g *game) notActive(id unitID) *fault {
	r := g.roundNow()
	a := g.armyOf(id)
	switch {
	case r == nil || a.camp() != r.Camp:
		return refusal("WAT-9.2", "wat.not-yours", g.unitArg("unit", id))
	case r.Army != noArmy && r.Army != a:
		return refusal("WAT-R11", "wat.attack-inactive", g.unitArg("unit", id), armyArg("army", r.Army))
	}
	return nil
}

// strikeFault tells why a unit may not attack a target together with others; a target
// that is not known is 0.
func (g *game) strikeFault(with []unitID, target, id unitID) *fault {
	switch {
	case slices.Contains(with, id):
		return refusal("WAT-9.2", "wat.named-twice", g.unitArg("unit", id))
	case len(with) > 0 && g.armyOf(id) != g.armyOf(with[0]):
		return refusal("WAT-9.3", "wat.attack-armies", g.unitArg("unit", with[0]), g.unitArg("other", id))
	}
	if f := g.notActive(id); f != nil || target == 0 {
		return f
	}
	return g.mayAttack(id, target)
}

// attackFault tells why an attack may not be made now; nil if it may (WAT-9.1 to
// 9.6, 9.11 to 9.15).
func (g *game) attackFault(a *attack) *fault {
	r := g.roundNow()
	if r == nil || len(a.With) == 0 || a.Target == 0 {
		return refusal("WAT-9.2", "wat.attack-nobody")
	}
	if f := g.mayBeAttacked(a.Target, r.Camp); f != nil {
		return f
	}
	for i, id := range a.With {
		if f := g.strikeFault(a.With[:i], a.Target, id); f != nil {
			return f
		}
	}
	b := g.expected(a.Target, a.With, false, false)
	if f := g.commitsFault(b, attacking, a.Cards); f != nil {
		return f
	}
	return g.advanceFault(a.With, a.Cards, a.Advance)
}

// attackersOf lists the units of an army that may attack a target, in the order of ids.
func (g *game) attackersOf(a army, target unitID) []unitID {
	var all []unitID
	for id := range g.everyUnit() {
		if g.armyOf(id) != a || !g.hostile(id, target) {
			continue
		}
		if _, near := g.besides(id, target); near && g.mayAttack(id, target) == nil { // no words for most, who are far
			all = append(all, id)
		}
	}
	return all
}

// advanceFault tells why the unit that is named can't advance (WAT-9.39).
func (g *game) advanceFault(with []unitID, cards []commit, o advanceOrder) *fault {
	if !o.Said || o.Unit == 0 {
		return nil
	}
	if !slices.Contains(with, o.Unit) {
		return refusal("WAT-9.39", "wat.advance-attacker", g.unitArg("unit", o.Unit))
	}
	var elite []unitID
	for _, c := range cards {
		if c.As == asElite && !slices.Contains(elite, c.Unit) {
			elite = append(elite, c.Unit)
		}
	}
	if len(elite) > 0 && !slices.Contains(elite, o.Unit) {
		return &fault{Clause: "WAT-9.39", Why: phrase.Say("wat.advance-elite", g.unitArg("unit", o.Unit), g.unitsArg("units", elite)),
			Remedy: phrase.Say("wat.advance-elite-remedy", g.unitsArg("units", elite))}
	}
	return nil
}

// phasing is the role of the side whose round it is. That is the attacker, except in a
// charge that this side forced on the enemy (WAT-R40).
func (b *battleFrame) phasing() role {
	if b.Forced {
		return defending
	}
	return attacking
}

// room is how many cards a role may still commit: the phasing side as many as its limit
// still allows (WAT-9.11, WAT-4.24), the other side as many as it has (WAT-9.12).
func (g *game) room(b *battleFrame, r role) int {
	n := len(g.Decks[g.fighting(b, r)].Hand)
	if r == b.phasing() {
		return min(n, g.left())
	}
	return n
}

// mayCommit tells, from public facts alone, whether a role has anything to
// decide: cards in hand, room for them, the army lock, and after a charge an
// elite unit (section 5 of the digest).
func (g *game) mayCommit(b *battleFrame, r role) bool {
	a := g.fighting(b, r)
	if lock := g.lock(); g.room(b, r) == 0 || a != french && lock != noArmy && lock != a {
		return false
	}
	return !b.Charge || len(g.eliteUnits(b, r)) > 0
}

// eliteUnits lists a role's elite units in a battle (WAT-11.3).
func (g *game) eliteUnits(b *battleFrame, r role) []unitID {
	all := []unitID{b.Target}
	if r == attacking {
		all = b.still()
	}
	return slices.DeleteFunc(slices.Clone(all), func(id unitID) bool { return !g.def(id).elite })
}

// commitFault tells why a role may not commit a card after other cards of its own;
// nil if it may. It does not count the cards against the limit.
func (g *game) commitFault(b *battleFrame, r role, before []commit, c commit) *fault {
	d, own := g.card(c.Card), g.fighting(b, r)
	switch {
	case d.army != own:
		return refusal("WAT-9.13", "wat.commit-army", g.cardArg("card", c.Card), armyArg("army", d.army), armyArg("units", own))
	case !g.holds(c.Card):
		return refusal("WAT-6.1", "wat.commit-hand", g.cardArg("card", c.Card))
	case slices.ContainsFunc(before, func(o commit) bool { return o.Card == c.Card }):
		return refusal("WAT-6.1", "wat.commit-twice", g.cardArg("card", c.Card))
	}
	if f := g.barred(c.Card); f != nil {
		return f
	}
	if b.Charge && c.As != asElite {
		return refusal("WAT-9.15", "wat.commit-charge", g.cardArg("card", c.Card))
	}
	switch c.As {
	case asCommand:
		if d.action != commandBonus {
			return refusal("WAT-6.1", "wat.commit-action", g.cardArg("card", c.Card), useArg("use", c.As))
		}
		if g.options.commandStack == off && slices.ContainsFunc(before, func(o commit) bool { return o.As == asCommand }) {
			return refusal("WAT-11.2", "wat.command-twice")
		}
	case asElite:
		if d.action != eliteBonus {
			return refusal("WAT-6.1", "wat.commit-action", g.cardArg("card", c.Card), useArg("use", c.As))
		}
		return g.eliteFault(b, r, before, c.Unit)
	case asArtillery:
		if d.action != artilleryFire {
			return refusal("WAT-6.1", "wat.commit-action", g.cardArg("card", c.Card), useArg("use", c.As))
		}
		if r == b.phasing() {
			return refusal("WAT-R15", "wat.commit-artillery")
		}
		return g.shotFault(c.Card, shot{c.By, c.Side})
	}
	return nil
}

// eliteFault tells why an elite card can't double a unit (WAT-11.3, WAT-R38).
func (g *game) eliteFault(b *battleFrame, r role, before []commit, id unitID) *fault {
	in := id != 0 && (r == defending && id == b.Target || r == attacking && slices.Contains(b.still(), id))
	switch {
	case !in:
		return refusal("WAT-11.3", "wat.elite-not-here", g.unitArgOr("unit", id))
	case !g.def(id).elite:
		return refusal("WAT-11.3", "wat.elite-not", g.unitArg("unit", id))
	case g.options.commandStack == off && slices.ContainsFunc(before, func(o commit) bool { return o.As == asElite && o.Unit == id }):
		return refusal("WAT-R38", "wat.elite-twice", g.unitArg("unit", id))
	}
	return nil
}

// shotFault tells why a unit can't fire a card of an army (WAT-11.1, WAT-R12).
func (g *game) shotFault(c cardID, s shot) *fault {
	if s.by == 0 {
		return refusal("WAT-11.1", "wat.gun-missing")
	}
	if g.armyOf(s.by) != g.card(c).army {
		return refusal("WAT-R12", "wat.card-unit", g.cardArg("card", c), armyArg("army", g.card(c).army), g.unitArg("unit", s.by))
	}
	_, _, f := g.aimed(s)
	return f
}

// commitsFault tells why cards may not be committed together.
func (g *game) commitsFault(b *battleFrame, r role, cards []commit) *fault {
	for i, c := range cards {
		if f := g.commitFault(b, r, cards[:i], c); f != nil {
			return f
		}
	}
	return g.limitFault(b, r, len(cards))
}

// limitFault tells that the phasing side commits more cards than it may still
// play in this round (WAT-9.11, WAT-4.24).
func (g *game) limitFault(b *battleFrame, r role, n int) *fault {
	if r != b.phasing() || n <= g.left() {
		return nil
	}
	return &fault{Clause: "WAT-9.11", Why: phrase.Say("wat.commit-many", phrase.Number("n", n), phrase.Number("left", g.left()), phrase.Number("limit", g.limit)),
		Remedy: phrase.Say("wat.commit-many-remedy", phrase.Number("left", g.left()))}
}

// unitArgOr fills a place of a sentence with a unit, or with a dash if there is none.
func (g *game) unitArgOr(place string, id unitID) argument {
	if id == 0 {
		return phrase.Literal(place, "–")
	}
	return g.unitArg(place, id)
}

func useArg(place string, u use) argument { return phrase.Name(place, "use", useWords[u]) }

// useWords are the keywords of uses.
var useWords = [...]string{asBattle: "battle", asCommand: "command", asElite: "elite", asArtillery: "artillery"}

// useKeys are the keys that stand beside the card with each use.
var useKeys = [...][]string{asBattle: nil, asCommand: nil, asElite: {"unit"}, asArtillery: {"by", "side"}}

// Reading.

// short is a unit's id without its army: "3/I".
func short(id string) string {
	_, rest, ok := strings.Cut(id, "-")
	if !ok {
		return id
	}
	return rest
}

// plays tells whether a unit takes part in the game that is played: the Prussians
// do not in the quick one (WAT-1.4).
func (g *game) plays(id unitID) bool {
	return g.def(id).army != prussian || g.length().prussians
}

// nameUnit reads the name of one of some units: its id, its id without the army if only
// one of them has that, or its name. Units that do not take part in the game can be named
// by their ids alone, and make no other name ambiguous.
func (g *game) nameUnit(r *orders.Reader, n *orders.Node, among []unitID) (unitID, bool) {
	if n != nil && n.Kind == orders.Scalar { // an id as it is written in templates means nothing else
		for _, id := range among {
			if g.def(id).id == n.Text {
				return id, true
			}
		}
	}
	called := map[string][]string{}
	for _, id := range among {
		if d := g.def(id); g.plays(id) {
			called[orders.Fold(short(d.id))] = append(called[orders.Fold(short(d.id))], d.id)
			if name := orders.Fold(d.name); name != "" && name != orders.Fold(short(d.id)) {
				called[name] = append(called[name], d.id)
			}
		}
	}
	if n != nil && n.Kind == orders.Scalar {
		if twins := called[orders.Fold(n.Text)]; len(twins) > 1 {
			r.RefuseWith(n, "", phrase.Say("wat.unit-several", phrase.Literal("name", n.Text)), phrase.Say("wat.unit-several-remedy", phrase.Literals("ids", twins)))
			return 0, false
		}
	}
	choices := make([]orders.Choice, len(among))
	for i, id := range among {
		d := g.def(id)
		choices[i].ID = d.id
		for _, name := range []string{short(d.id), d.name} {
			if twins := called[orders.Fold(name)]; name != "" && len(twins) == 1 && twins[0] == d.id {
				choices[i].Names = append(choices[i].Names, name)
			}
		}
	}
	text, ok := r.Pick(n, "unit", choices)
	if !ok {
		return 0, false
	}
	for _, id := range among {
		if g.def(id).id == text {
			return id, true
		}
	}
	return 0, false
}

// ofCamp lists all units of a camp, dead or alive.
func (s *scenario) ofCamp(c camp) []unitID {
	var all []unitID
	for i := range s.roster {
		if s.roster[i].army.camp() == c {
			all = append(all, unitID(i+1))
		}
	}
	return all
}

// ofArmies lists all units of the armies that a view commands.
func (v *View) ofArmies() []unitID {
	var all []unitID
	for i := range v.roster {
		if v.own[v.roster[i].army] {
			all = append(all, unitID(i+1))
		}
	}
	return all
}

// nameCard reads a card of the hands that the side may play.
func (v *View) nameCard(r *orders.Reader, n *orders.Node) (cardID, bool) {
	var choices []orders.Choice
	for i := range v.cards {
		if v.own[v.cards[i].army] {
			choices = append(choices, orders.Choice{ID: v.cards[i].id})
		}
	}
	text, ok := r.Pick(n, "card", choices)
	if !ok {
		return 0, false
	}
	for i := range v.cards {
		if v.cards[i].id == text {
			return cardID(i + 1), true
		}
	}
	return 0, false
}

// readFace reads a facing; the word keep, or no node, means that the facing is kept.
func readFace(r *orders.Reader, n *orders.Node) facing {
	if n == nil || r.Is(n, "keep") {
		return noFacing
	}
	for _, f := range facingsAll {
		if r.Is(n, facingKeys[f]) {
			return f
		}
	}
	r.Word(n, "n", "e", "s", "w", "keep")
	return noFacing
}

// facingKeys are the keywords of facings.
var facingKeys = [...]string{north: "n", east: "e", south: "s", west: "w"}

// faceNode writes a facing, or nothing.
func faceNode(n *orders.Node, f facing) *orders.Node {
	if f != noFacing {
		n.Set("face", orders.Text(strings.ToUpper(facingKeys[f])))
	}
	return n
}

// readTarget reads the unit that is attacked: by its name, or by its square.
func (v *View) readTarget(r *orders.Reader, n *orders.Node, by camp) (unitID, bool) {
	if n == nil {
		return 0, false
	}
	if n.Kind == orders.Scalar {
		for i := range v.commanders {
			d := &v.commanders[i]
			at := v.Commanders[i+1].At
			q, square := v.squareNamed(n.Text)
			named := orders.Fold(n.Text) == orders.Fold(d.id) || orders.Fold(n.Text) == orders.Fold(d.name)
			if named || square && q == at && v.unitAt(q) == 0 {
				r.Refuse(n, "WAT-9.5", phrase.Say("wat.attack-commander", v.commanderArg("commander", commanderID(i+1))))
				return 0, false
			}
		}
		if q, ok := v.squareNamed(n.Text); ok {
			id := v.unitAt(q)
			if id == 0 {
				r.Refuse(n, "WAT-9.1", phrase.Say("wat.attack-empty", v.squareArg("square", q)))
				return 0, false
			}
			return id, !v.mayBeAttacked(id, by).Refuse(r, n)
		}
	}
	id, ok := v.nameUnit(r, n, v.ofCamp(by.enemy()))
	if !ok {
		return 0, false
	}
	return id, !v.mayBeAttacked(id, by).Refuse(r, n)
}

// readAdvance reads {unit, face}. A unit that is left out is filled in if there is only
// one; otherwise its owner is asked.
func (v *View) readAdvance(r *orders.Reader, n *orders.Node, with []unitID) advanceOrder {
	o := advanceOrder{Said: true}
	if n.Kind == orders.Scalar {
		o.Unit, _ = v.nameUnit(r, n, v.ofArmies())
		return o
	}
	f := r.Fields(n, "unit", "face")
	if u := f.Get("unit"); u != nil {
		o.Unit, _ = v.nameUnit(r, u, v.ofArmies())
	} else if len(with) == 1 {
		o.Unit = with[0]
	}
	o.Face = readFace(r, f.Get("face"))
	return o
}

// placesOfCommit are the keys at which a fault of a card is told, by the card's use.
var placesOfCommit = [...][]string{asBattle: {"card"}, asCommand: {"card"}, asElite: {"unit", "card"}, asArtillery: {"by"}}

// settled fills in what the use of a card leaves open: over which side artillery fires.
func (v *View) settled(c commit) commit {
	if c.As == asArtillery {
		if _, s, f := v.aimed(shot{c.By, c.Side}); f == nil {
			c.Side = s.side
		}
	}
	return c
}

// readCommit reads a card: its name alone, or {card, as, by, side, unit}.
func (v *View) readCommit(r *orders.Reader, item *orders.Node, b *battleFrame, who role) (c commit, ok bool) {
	if item.Kind != orders.Map {
		c.Card, ok = v.nameCard(r, item)
		return c, ok
	}
	f := r.Fields(item, "card", "as", "by", "side", "unit")
	card := r.Require(f, "card")
	if card == nil {
		return c, false
	}
	c.Card, ok = v.nameCard(r, card)
	if as := f.Get("as"); as != nil {
		word, known := r.Word(as, useWords[:]...)
		c.As, ok = use(max(0, slices.Index(useWords[:], word))), ok && known
	}
	for _, key := range []string{"by", "side", "unit"} {
		if extra := f.Get(key); extra != nil && !slices.Contains(useKeys[c.As], key) {
			r.Refuse(extra, "", phrase.Say("wat.commit-key", phrase.Literal("key", key), useArg("use", c.As)))
			ok = false
		}
	}
	named := true
	switch c.As {
	case asArtillery:
		c.By, named = v.nameUnit(r, r.Require(f, "by"), v.ofArmies())
		c.Side = readFace(r, f.Get("side"))
	case asElite:
		if elite := v.eliteUnits(b, who); f.Get("unit") == nil && len(elite) == 1 {
			c.Unit = elite[0]
			break
		}
		c.Unit, named = v.nameUnit(r, r.Require(f, "unit"), v.ofArmies())
	}
	return c, ok && named
}

// Writing.

// commitNodes writes cards with their uses.
func (s *scenario) commitNodes(cards []commit) *orders.Node {
	if len(cards) == 0 {
		return orders.Text("none")
	}
	list := orders.Texts()
	for _, c := range cards {
		list.Add(s.commitNode(c))
	}
	return list
}

// commitNode writes a card with its use.
func (s *scenario) commitNode(c commit) *orders.Node {
	id := orders.Text(s.card(c.Card).id)
	if c.As == asBattle {
		return id
	}
	n := orders.Inline().Set("card", id).Set("as", orders.Text(useWords[c.As]))
	switch c.As {
	case asArtillery:
		n.Set("by", orders.Text(s.def(c.By).id))
		if c.Side != noFacing {
			n.Set("side", orders.Text(strings.ToUpper(facingKeys[c.Side])))
		}
	case asElite:
		n.Set("unit", orders.Text(s.def(c.Unit).id))
	}
	return n
}

// unitTexts writes units as a list.
func (s *scenario) unitTexts(ids []unitID) *orders.Node {
	n := orders.Texts()
	for _, id := range ids {
		n.Add(orders.Text(s.def(id).id))
	}
	return n
}

// advanceNode writes an advance.
func (s *scenario) advanceNode(o advanceOrder) *orders.Node {
	n := orders.Inline()
	if o.Unit != 0 {
		n.Set("unit", orders.Text(s.def(o.Unit).id))
	}
	if o.Face == noFacing {
		return n.Set("face", orders.Text("keep"))
	}
	return faceNode(n, o.Face)
}

// attackNode writes an attack in normal form.
func (s *scenario) attackNode(a *attack) *orders.Node {
	n := orders.Inline().Set("target", orders.Text(s.def(a.Target).id)).Set("with", s.unitTexts(a.With))
	if a.Filed {
		n.Set("cards", s.commitNodes(a.Cards))
	}
	if a.Advance.Said {
		n.Set("advance", s.advanceNode(a.Advance))
	}
	if a.Go {
		n.Set("after", orders.Text("go"))
	}
	return n
}

// By chance.

// randomAttack is a legal attack of the active army, or nil.
func randomAttack(v *View, chance *rand.Rand) *attack {
	r := v.roundNow()
	if r == nil {
		return nil
	}
	var targets [][]unitID // the target, then who can attack it
	for id := range v.everyUnit() {
		if v.campOf(id) == r.Camp {
			continue
		}
		for a := french; a <= prussian; a++ {
			if !v.own[a] || r.Army != noArmy && r.Army != a {
				continue
			}
			if with := v.attackersOf(a, id); len(with) > 0 {
				targets = append(targets, append([]unitID{id}, with...))
			}
		}
	}
	if len(targets) == 0 {
		return nil
	}
	t := targets[chance.IntN(len(targets))]
	a := &attack{Target: t[0], Go: chance.IntN(2) == 0}
	for _, id := range t[1:] {
		if len(a.With) == 0 || chance.IntN(4) > 0 {
			a.With = append(a.With, id)
		}
	}
	if chance.IntN(3) > 0 {
		b := v.expected(a.Target, a.With, false, false)
		a.Cards, a.Filed = v.randomCommits(b, attacking, chance), true
	}
	if chance.IntN(2) == 0 {
		o := advanceOrder{Said: true, Unit: a.With[chance.IntN(len(a.With))], Face: facing(chance.IntN(5))}
		if v.advanceFault(a.With, a.Cards, o) == nil {
			a.Advance = o
		}
	}
	return a
}

// randomCommits are random cards that a role may commit; sometimes there are none.
func (v *View) randomCommits(b *battleFrame, who role, chance *rand.Rand) []commit {
	if !v.mayCommit(b, who) || chance.IntN(3) == 0 {
		return nil
	}
	room := v.room(b, who)
	var cards []commit
	hand := slices.Clone(v.Decks[v.fighting(b, who)].Hand)
	chance.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] })
	shots := v.shots(v.fighting(b, who))
	elite := v.eliteUnits(b, who)
	for _, c := range hand {
		if len(cards) >= room || chance.IntN(4) == 0 {
			break
		}
		if c == 0 {
			continue
		}
		one := commit{Card: c}
		switch v.card(c).action {
		case commandBonus:
			one.As = asCommand
		case eliteBonus:
			if len(elite) > 0 {
				one.As, one.Unit = asElite, elite[chance.IntN(len(elite))]
			}
		case artilleryFire:
			if len(shots) > 0 && chance.IntN(3) > 0 {
				s := shots[chance.IntN(len(shots))]
				one.As, one.By, one.Side = asArtillery, s.by, s.side
			}
		}
		if v.commitFault(b, who, cards, one) != nil {
			one = commit{Card: c}
		}
		if v.commitFault(b, who, cards, one) == nil {
			cards = append(cards, one)
		}
	}
	return cards
}
