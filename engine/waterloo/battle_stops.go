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
	stops[stopCommit] = commitForm
	stops[stopLoss] = lossForm
	stops[stopAttackerLoss] = attackerLossForm
	stops[stopAdvance] = advanceForm
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

// idNode writes a unit, or none.
func (s *scenario) idNode(id unitID) *orders.Node {
	if id == 0 {
		return orders.Text("none")
	}
	return orders.Text(s.def(id).id)
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
