package waterloo

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// The stops of a battle and of the reactions to a move: WAT-S5 to S10 and S12.

func init() {
	stops[stopCavalryRetreat] = cavalryStop{}
	stops[stopArtillery] = artilleryStop{}
	stops[stopRevealed] = artilleryStop{}
	stops[stopCommit] = commitStop{}
	stops[stopLoss] = lossStop{}
	stops[stopAttackerLoss] = attackerLossStop{}
	stops[stopAdvance] = advanceStop{}
}

// overText puts comment lines above a node, leaving out empty ones.
func overText(n *orders.Node, lines ...string) *orders.Node {
	n.Above = strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n")
	return n
}

// squareArgs is a list of squares for a phrase.
func (s *scenario) squareArgs(place string, squares []square) argument {
	var ids []string
	for _, q := range squares {
		ids = append(ids, s.squareID(q))
	}
	return phrase.Names(place, "square", ids)
}

// commitStop is the stop commit (WAT-S7).
type commitStop struct{}

type commitReply struct {
	s     *scenario
	cards []commit
}

// Node implements [play.Reply].
func (a commitReply) Node() *orders.Node {
	return orders.Mapping().Set("cards", a.s.commitNodes(a.cards))
}

// Read implements [play.Stop].
func (s commitStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	b := under[*battleFrame](v.game)
	if play.Default(r, body) || b == nil {
		return s.Fallback(v, d)
	}
	cards := r.Require(r.Fields(body, "cards"), "cards")
	if cards == nil {
		return nil
	}
	return commitReply{v.scenario, v.readCommits(r, cards, b, v.roleIn(b))}
}

// Template implements [play.Stop].
func (s commitStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	overText(n.Pairs[0].Key, v.handComment(d.Kind), v.commitComment())
	return n
}

// Fallback implements [play.Stop]: no cards.
func (commitStop) Fallback(v *View, d engine.Decision) play.Reply { return commitReply{s: v.scenario} }

// Random implements [play.Stop].
func (s commitStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := under[*battleFrame](v.game)
	if b == nil {
		return s.Fallback(v, d)
	}
	return commitReply{v.scenario, v.randomCommits(b, v.roleIn(b), chance)}
}

// Take implements [play.Stop].
func (commitStop) Take(p *battlefield, d engine.Decision, a play.Reply) {
	b := under[*battleFrame](p.game)
	if b == nil || b.Stage != battleCommitting {
		return
	}
	for r := attacking; r <= defending; r++ {
		if p.seatOf(p.fighting(b, r)) == d.Side {
			*b.of(r) = party{Filed: true, Cards: slices.Clone(a.(commitReply).cards)}
		}
	}
}

// lossStop is the stop loss (WAT-S8).
type lossStop struct{}

type lossReply struct {
	s       *scenario
	loss    loss
	crushed bool
}

// Node implements [play.Reply].
func (a lossReply) Node() *orders.Node {
	n := orders.Mapping()
	l := a.loss
	switch {
	case l.cdp > 0 && !a.crushed:
		n.Set("loss", orders.Text("cdp"))
	case l.cdp > 0:
		m := orders.Inline().Set("cdp", orders.Number(int(l.cdp)))
		if l.cdp == 1 {
			what := "retreat"
			if l.to != 0 {
				what = "reduction"
			}
			m.Set("for", orders.Text(what))
		}
		n.Set("loss", m)
	case l.to != 0:
		n.Set("loss", orders.Text("retreat"))
	default:
		n.Set("loss", orders.Text("reduce"))
	}
	if l.to != 0 {
		n.Set("to", orders.Text(a.s.squareID(l.to)))
		faceNode(n, l.face)
	}
	return n
}

// Read implements [play.Stop].
func (s lossStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	b := under[*battleFrame](v.game)
	if play.Default(r, body) || b == nil {
		return s.Fallback(v, d)
	}
	f := r.Fields(body, "loss", "to", "face")
	how := r.Require(f, "loss")
	if how == nil {
		return nil
	}
	a := lossReply{s: v.scenario, crushed: b.crushed()}
	list := v.losses(b)
	l, ok := v.readLoss(r, how, b, list)
	if !ok {
		return nil
	}
	at := f.Get("to")
	// Of what was chosen, only the square is open.
	var squares []square
	for _, o := range list {
		if o.to != 0 && o.cdp == l.cdp && o.reduces == l.reduces && l.to != 0 {
			squares = append(squares, o.to)
		}
	}
	if len(squares) == 0 {
		for _, n := range []*orders.Node{at, f.Get("face")} {
			if n != nil {
				r.Refuse(n, "WAT-9.37", phrase.Say("wat.loss-no-retreat"))
			}
		}
		a.loss = l
		return a
	}
	if at == nil {
		r.RefuseWith(how, "WAT-9.37", phrase.Say("order.missing-key", phrase.Literal("key", "to")), phrase.Say("wat.retreat-squares", v.squareArgs("squares", squares)))
		return nil
	}
	q, ok := v.nameSquare(r, at)
	if ok && !slices.Contains(squares, q) {
		r.RefuseWith(at, "WAT-9.37", phrase.Say("wat.retreat-not", v.unitArg("unit", b.Target), v.squareArg("square", q)), phrase.Say("wat.retreat-squares", v.squareArgs("squares", squares)))
	}
	l.to, l.face = q, readFace(r, f.Get("face"))
	a.loss = l
	return a
}

// readLoss reads how a defeat is taken. A retreat comes back with any of its
// squares.
func (v *View) readLoss(r *orders.Reader, n *orders.Node, b *battleFrame, list []loss) (loss, bool) {
	pick := func(fits func(l loss) bool) (loss, bool) {
		i := slices.IndexFunc(list, fits)
		if i < 0 {
			return loss{}, false
		}
		return list[i], true
	}
	have := v.absorbing(b)
	if n.Kind == orders.Map {
		f := r.Fields(n, "cdp", "for")
		count := r.Require(f, "cdp")
		k, ok := r.Int(count, 1, 2)
		if !ok {
			return loss{}, false
		}
		word := ""
		if m := f.Get("for"); m != nil {
			if word, ok = r.Word(m, "retreat", "reduction"); !ok {
				return loss{}, false
			}
		}
		switch {
		case k > have:
			v.refuseCDP(r, count, b, have)
			return loss{}, false
		case !b.crushed() && k > 1:
			r.Refuse(count, "WAT-10.4", phrase.Say("wat.cdp-one"))
			return loss{}, false
		case !b.crushed() || k == 2:
			return pick(func(l loss) bool { return int(l.cdp) == k })
		case word == "reduction":
			if l, ok := pick(func(l loss) bool { return l.cdp == 1 && l.to != 0 }); ok {
				return l, true
			}
			return pick(func(l loss) bool { return l.cdp == 1 }) // nowhere to go: reduced instead (WAT-9.38)
		case word == "retreat":
			return pick(func(l loss) bool { return l.cdp == 1 && l.to == 0 })
		}
		return v.usualOne(b, list), true
	}
	word, ok := r.Word(n, "cdp", "retreat", "reduce")
	if !ok {
		return loss{}, false
	}
	switch word {
	case "cdp":
		if have == 0 {
			v.refuseCDP(r, n, b, have)
			return loss{}, false
		}
		if b.crushed() && have == 1 {
			return v.usualOne(b, list), true
		}
		return list[0], true
	case "retreat":
		if l, ok := pick(func(l loss) bool { return l.cdp == 0 && l.to != 0 }); ok {
			return l, true
		}
		return pick(func(l loss) bool { return l.cdp == 0 }) // nowhere to go: reduced instead (WAT-9.38)
	}
	if l, ok := pick(func(l loss) bool { return l.cdp == 0 && l.to == 0 }); ok {
		return l, true
	}
	r.RefuseWith(n, "WAT-9.33", phrase.Say("wat.loss-both", v.unitArg("unit", b.Target)), phrase.Say("wat.loss-both-remedy"))
	return loss{}, false
}

// usualOne is what a single chateau destruction point absorbs if it is not said.
func (g *game) usualOne(b *battleFrame, list []loss) loss {
	l := g.usualLoss(b)
	if l.cdp == 1 {
		return l
	}
	i := slices.IndexFunc(list, func(l loss) bool { return l.cdp == 1 && (l.to == 0) == g.whole(b.Target) })
	return list[max(i, 0)]
}

// refuseCDP says why chateau destruction points can't be spent.
func (v *View) refuseCDP(r *orders.Reader, n *orders.Node, b *battleFrame, have int) {
	if !v.allRound(b.Target) {
		r.Refuse(n, "WAT-10.3", phrase.Say("wat.cdp-nobody", v.unitArg("unit", b.Target)))
		return
	}
	r.Refuse(n, "WAT-10.5", phrase.Say("wat.cdp-left", phrase.Number("left", have), v.squareArg("square", b.Square)))
}

// Template implements [play.Stop]: every legal way, a line each.
func (s lossStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	b := under[*battleFrame](v.game)
	if b == nil {
		return n
	}
	var lines []string
	last := ""
	for _, l := range v.losses(b) {
		a := lossReply{v.scenario, l, b.crushed()}.Node()
		line := "loss: " + strings.TrimSpace(a.Get("loss").Encode())
		if l.to != 0 {
			if line == last { // another square of the same way
				lines[len(lines)-1] += " | " + v.squareID(l.to)
				continue
			}
			last = line
			line += ", to: " + v.squareID(l.to)
		}
		lines = append(lines, line)
	}
	lines = append(lines, "face: N | E | S | W | keep")
	overText(n.Pairs[0].Key, lines...)
	return n
}

// Fallback implements [play.Stop].
func (lossStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := under[*battleFrame](v.game)
	if b == nil {
		return lossReply{s: v.scenario, loss: loss{reduces: 1}}
	}
	return lossReply{v.scenario, v.usualLoss(b), b.crushed()}
}

// Random implements [play.Stop].
func (s lossStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := under[*battleFrame](v.game)
	if b == nil {
		return s.Fallback(v, d)
	}
	list := v.losses(b)
	l := list[chance.IntN(len(list))]
	if l.to != 0 {
		l.face = facing(chance.IntN(5))
	}
	return lossReply{v.scenario, l, b.crushed()}
}

// Take implements [play.Stop].
func (lossStop) Take(p *battlefield, d engine.Decision, a play.Reply) {
	if b, ok := p.top().(*battleFrame); ok && b.Stage == battleJudged {
		b.lose(p, a.(lossReply).loss)
	}
}

// attackerLossStop is the stop attacker-loss (WAT-S9).
type attackerLossStop struct{}

type attackerLossReply struct {
	s    *scenario
	unit unitID
}

// Node implements [play.Reply].
func (a attackerLossReply) Node() *orders.Node {
	return orders.Mapping().Set("reduce", a.s.idNode(a.unit))
}

// idNode writes a unit, or none.
func (s *scenario) idNode(id unitID) *orders.Node {
	if id == 0 {
		return orders.Text("none")
	}
	return orders.Text(s.def(id).id)
}

// Read implements [play.Stop].
func (s attackerLossStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	b := under[*battleFrame](v.game)
	if play.Default(r, body) || b == nil {
		return s.Fallback(v, d)
	}
	n := r.Require(r.Fields(body, "reduce"), "reduce")
	id, ok := v.nameUnit(r, n, v.ofArmies())
	if tied := v.strongest(b); ok && !slices.Contains(tied, id) {
		r.RefuseWith(n, "WAT-9.35", phrase.Say("wat.attacker-loss-not", v.unitArg("unit", id)), phrase.Say("wat.one-of-units", v.unitsArg("units", tied)))
	}
	return attackerLossReply{v.scenario, id}
}

// Template implements [play.Stop].
func (s attackerLossStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	if b := under[*battleFrame](v.game); b != nil {
		var lines []string
		for _, id := range v.strongest(b) {
			lines = append(lines, v.unitLine(id))
		}
		overText(n.Pairs[0].Key, lines...)
	}
	return n
}

// unitLine is a unit for a comment: "A-3/I 4/2 G-9 S".
func (v *View) unitLine(id unitID) string {
	d, u := v.def(id), v.unit(id)
	line := d.id + " " + strconv.Itoa(d.full)
	if d.reduced > 0 {
		line += "/" + strconv.Itoa(d.reduced)
	}
	if u.Reduced {
		line += " (" + strconv.Itoa(v.value(id)) + ")"
	}
	if u.At != 0 {
		line += " " + v.squareID(u.At) + " " + u.Face.String()
	}
	return line
}

// Fallback implements [play.Stop]: a unit with a reduced side, then the lowest
// full value, then the first.
func (attackerLossStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := under[*battleFrame](v.game)
	if b == nil || len(b.still()) == 0 {
		return attackerLossReply{s: v.scenario}
	}
	tied := v.strongest(b)
	best := tied[0]
	for _, id := range tied[1:] {
		if v.whole(id) != v.whole(best) {
			if v.whole(id) {
				best = id
			}
		} else if v.def(id).full < v.def(best).full {
			best = id
		}
	}
	return attackerLossReply{v.scenario, best}
}

// Random implements [play.Stop].
func (s attackerLossStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := under[*battleFrame](v.game)
	if b == nil || len(b.still()) == 0 {
		return s.Fallback(v, d)
	}
	tied := v.strongest(b)
	return attackerLossReply{v.scenario, tied[chance.IntN(len(tied))]}
}

// Take implements [play.Stop].
func (attackerLossStop) Take(p *battlefield, d engine.Decision, a play.Reply) {
	if b, ok := p.top().(*battleFrame); ok && b.Stage == battleJudged {
		if id := a.(attackerLossReply).unit; slices.Contains(p.strongest(b), id) {
			b.loseAttacker(p, id)
		}
	}
}

// advanceStop is the stop advance (WAT-S10).
type advanceStop struct{}

type advanceReply struct {
	s *scenario
	o advanceOrder
}

// Node implements [play.Reply].
func (a advanceReply) Node() *orders.Node {
	return orders.Mapping().Set("advance", a.s.advanceNode(a.o))
}

// Read implements [play.Stop].
func (s advanceStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	b := under[*battleFrame](v.game)
	if play.Default(r, body) || b == nil {
		return s.Fallback(v, d)
	}
	n := r.Require(r.Fields(body, "advance"), "advance")
	if n == nil {
		return nil
	}
	able := v.candidates(b)
	before := len(r.Problems)
	o := v.readAdvance(r, n, able)
	switch {
	case len(r.Problems) > before:
	case o.Unit == 0:
		r.RefuseWith(n, "WAT-9.39", phrase.Say("order.missing-key", phrase.Literal("key", "unit")), phrase.Say("wat.one-of-units", v.unitsArg("units", able)))
	case !slices.Contains(able, o.Unit):
		why := phrase.Say("wat.advance-attacker", v.unitArg("unit", o.Unit))
		if slices.Contains(b.still(), o.Unit) {
			why = phrase.Say("wat.advance-elite", v.unitArg("unit", o.Unit), v.unitsArg("units", able))
		}
		r.RefuseWith(n, "WAT-9.39", why, phrase.Say("wat.one-of-units", v.unitsArg("units", able)))
	}
	return advanceReply{v.scenario, o}
}

// Template implements [play.Stop].
func (s advanceStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	if b := under[*battleFrame](v.game); b != nil {
		var lines []string
		for _, id := range v.candidates(b) {
			lines = append(lines, v.unitLine(id))
		}
		overText(n.Pairs[0].Key, append(lines, "face: N | E | S | W | keep")...)
	}
	return n
}

// Fallback implements [play.Stop]: the unit with most battle points, facing kept.
func (advanceStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := under[*battleFrame](v.game)
	if b == nil || len(b.still()) == 0 {
		return advanceReply{s: v.scenario, o: advanceOrder{Said: true}}
	}
	able := v.candidates(b)
	best, most := able[0], -1
	for _, f := range b.Attackers {
		if slices.Contains(able, f.Unit) && f.Points > most {
			best, most = f.Unit, f.Points
		}
	}
	return advanceReply{v.scenario, advanceOrder{Unit: best, Said: true}}
}

// Random implements [play.Stop].
func (s advanceStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := under[*battleFrame](v.game)
	if b == nil || len(b.still()) == 0 {
		return s.Fallback(v, d)
	}
	able := v.candidates(b)
	return advanceReply{v.scenario, advanceOrder{Unit: able[chance.IntN(len(able))], Face: facing(chance.IntN(5)), Said: true}}
}

// Take implements [play.Stop].
func (advanceStop) Take(p *battlefield, d engine.Decision, a play.Reply) {
	if b, ok := p.top().(*battleFrame); ok && b.Stage == battleAdvancing {
		if o := a.(advanceReply).o; slices.Contains(p.candidates(b), o.Unit) {
			b.follow(p, o.Unit, o.Face)
		}
	}
}

// cavalryStop is the stop cavalry-retreat (WAT-S5).
type cavalryStop struct{}

type cavalryReply struct {
	s    *scenario
	list []withdrawal
	stay []unitID
}

// Node implements [play.Reply].
func (a cavalryReply) Node() *orders.Node {
	n := orders.Mapping()
	if len(a.list) > 0 {
		list := &orders.Node{Kind: orders.List, Flow: true}
		for _, w := range a.list {
			list.Add(faceNode(orders.Inline().Set("unit", a.s.idNode(w.unit)).Set("to", orders.Text(a.s.squareID(w.to))), w.face))
		}
		n.Set("retreat", list)
	}
	if len(a.stay) > 0 || len(a.list) == 0 {
		n.Set("stay", a.s.unitTexts(a.stay))
	}
	return n
}

// asked gives the cavalry about which a seat is asked, and before whom it would
// retreat.
func (v *View) asked() (units []unitID, entrant unitID) {
	c := under[*cavalryFrame](v.game)
	if c == nil || c.Unit == 0 {
		return nil, 0
	}
	return v.startledOf(c.asking(v.game), c.Unit), c.Unit
}

// Read implements [play.Stop].
func (s cavalryStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	units, entrant := v.asked()
	if play.Default(r, body) || entrant == 0 {
		return s.Fallback(v, d)
	}
	f := r.Fields(body, "retreat", "stay")
	retreat, stay := f.Get("retreat"), f.Get("stay")
	if retreat == nil && stay == nil {
		r.Require(f, "retreat")
		return nil
	}
	a := cavalryReply{s: v.scenario}
	var named []unitID
	name := func(n *orders.Node) (unitID, bool) {
		id, ok := v.nameUnit(r, n, v.ofArmies())
		switch {
		case !ok:
			return 0, false
		case !slices.Contains(units, id):
			r.RefuseWith(n, "WAT-9.50", phrase.Say("wat.cavalry-not", v.unitArg("unit", id), v.unitArg("enemy", entrant)), phrase.Say("wat.one-of-units", v.unitsArg("units", units)))
			return 0, false
		case slices.Contains(named, id):
			r.Refuse(n, "WAT-9.50", phrase.Say("wat.named-twice", v.unitArg("unit", id)))
			return 0, false
		}
		named = append(named, id)
		return id, true
	}
	t := v.trial()
	if !r.Is(retreat, "none") {
		for _, item := range r.List(retreat) {
			g := r.Fields(item, "unit", "to", "face")
			unit, at := r.Require(g, "unit"), r.Require(g, "to")
			id, ok := name(unit)
			q, known := v.nameSquare(r, at)
			face := readFace(r, g.Get("face"))
			if !ok || !known {
				continue
			}
			squares := t.escapes(id, entrant)
			if !slices.Contains(squares, q) {
				remedy := phrase.Say("wat.retreat-squares", v.squareArgs("squares", squares))
				if len(squares) == 0 {
					remedy = phrase.Phrase{}
				}
				r.RefuseWith(at, "WAT-9.37", phrase.Say("wat.retreat-not", v.unitArg("unit", id), v.squareArg("square", q)), remedy)
				continue
			}
			a.list = append(a.list, withdrawal{id, q, face})
			t.unit(id).At = q
		}
	}
	if !r.Is(stay, "none") && !r.Is(stay, "all") {
		for _, item := range r.List(stay) {
			name(item)
		}
	}
	a.stay = v.rest(units, a.list)
	return a
}

// rest are the cavalry that do not retreat.
func (v *View) rest(units []unitID, list []withdrawal) []unitID {
	return slices.DeleteFunc(slices.Clone(units), func(id unitID) bool {
		return slices.ContainsFunc(list, func(w withdrawal) bool { return w.unit == id })
	})
}

// Template implements [play.Stop].
func (s cavalryStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	units, entrant := v.asked()
	var lines []string
	for _, id := range units {
		squares := v.escapes(id, entrant)
		if len(squares) == 0 {
			continue
		}
		var to []string
		for _, q := range squares {
			to = append(to, v.squareID(q))
		}
		lines = append(lines, "retreat: [{unit: "+v.def(id).id+", to: "+strings.Join(to, " | ")+", face: N | E | S | W}]")
	}
	overText(n.Pairs[0].Key, lines...)
	return n
}

// Fallback implements [play.Stop]: they stay.
func (cavalryStop) Fallback(v *View, d engine.Decision) play.Reply {
	units, _ := v.asked()
	return cavalryReply{s: v.scenario, stay: units}
}

// Random implements [play.Stop].
func (cavalryStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	units, entrant := v.asked()
	a := cavalryReply{s: v.scenario}
	t := v.trial()
	for _, id := range units {
		if squares := t.escapes(id, entrant); len(squares) > 0 && chance.IntN(2) == 0 {
			q := squares[chance.IntN(len(squares))]
			a.list = append(a.list, withdrawal{id, q, facing(chance.IntN(5))})
			t.unit(id).At = q
		}
	}
	a.stay = v.rest(units, a.list)
	return a
}

// Take implements [play.Stop].
func (cavalryStop) Take(p *battlefield, d engine.Decision, a play.Reply) {
	if c, ok := p.top().(*cavalryFrame); ok {
		c.withdraw(p, c.asking(p.game), a.(cavalryReply).list)
	}
}

// artilleryStop is the stops artillery and revealed (WAT-S6, WAT-S12).
type artilleryStop struct{}

type artilleryReply struct {
	s    *scenario
	card cardID // none: hold
	shot shot
}

// Node implements [play.Reply].
func (a artilleryReply) Node() *orders.Node {
	if a.card == 0 {
		return orders.Mapping().Set("fire", orders.Text("none"))
	}
	n := orders.Inline().Set("card", orders.Text(a.s.card(a.card).id)).Set("by", a.s.idNode(a.shot.by))
	if a.shot.side != noFacing {
		n.Set("side", orders.Text(a.shot.side.String()))
	}
	return orders.Mapping().Set("fire", n)
}

// fireFault tells why a card can't be fired in a window.
func (g *game) fireFault(c cardID, s shot) *fault {
	switch {
	case !g.holds(c):
		return refusal("WAT-6.1", "wat.commit-hand", g.cardArg("card", c))
	case g.card(c).action != artilleryFire:
		return refusal("WAT-6.1", "wat.commit-action", g.cardArg("card", c), useArg("use", asArtillery))
	}
	if f := g.barred(c); f != nil {
		return f
	}
	return g.shotFault(c, s)
}

// Read implements [play.Stop].
func (s artilleryStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if play.Default(r, body) {
		return s.Fallback(v, d)
	}
	n := r.Require(r.Fields(body, "fire"), "fire")
	if n == nil || r.Is(n, "none") || r.Is(n, "hold") {
		return s.Fallback(v, d)
	}
	f := r.Fields(n, "card", "by", "side")
	card, by := r.Require(f, "card"), r.Require(f, "by")
	c, ok := v.nameCard(r, card)
	id, known := v.nameUnit(r, by, v.ofArmies())
	side := readFace(r, f.Get("side"))
	if !ok || !known || v.fireFault(c, shot{id, side}).Refuse(r, n) {
		return nil
	}
	_, fires, _ := v.aimed(shot{id, side})
	return artilleryReply{v.scenario, c, fires}
}

// Template implements [play.Stop].
func (s artilleryStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	lines := []string{v.handComment(d.Kind)}
	for a := french; a <= prussian; a++ {
		if !v.own[a] {
			continue
		}
		for _, s := range v.shots(a) {
			target, _, _ := v.aimed(s)
			line := "by: " + v.def(s.by).id
			if v.allRound(s.by) {
				line += ", side: " + s.side.String()
			}
			line += " > " + v.unitLine(target)
			if v.unit(target).Disordered {
				line += " disordered"
			}
			lines = append(lines, line)
		}
	}
	overText(n.Pairs[0].Key, lines...)
	return n
}

// Fallback implements [play.Stop]: hold.
func (artilleryStop) Fallback(v *View, d engine.Decision) play.Reply {
	return artilleryReply{s: v.scenario}
}

// Random implements [play.Stop].
func (s artilleryStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	if chance.IntN(2) == 0 {
		return s.Fallback(v, d)
	}
	hand := v.hand()
	chance.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] })
	for _, c := range hand {
		if c == 0 {
			continue
		}
		if one, ok := v.randomShot(c, chance); ok && v.fireFault(c, one) == nil {
			return artilleryReply{v.scenario, c, one}
		}
	}
	return s.Fallback(v, d)
}

// Take implements [play.Stop].
func (artilleryStop) Take(p *battlefield, d engine.Decision, a play.Reply) {
	if w, ok := p.top().(*windowFrame); ok {
		one := a.(artilleryReply)
		w.replies = append(w.replies, windowReply{d.Side, one.card, one.shot})
	}
}
