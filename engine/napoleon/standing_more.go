package napoleon

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/sheet"
	"berthier/orders"
	"berthier/orders/phrase"
)

// standingMore is the part of standing orders that few sides give. It is put in
// force as a whole and never changed.
type standingMore struct {
	plans   []plan
	brings  []bringOrder
	deploys []deployOrder
	moves   []movesOrder
}

// bringOrder is the standing order reinforce.
type bringOrder struct {
	to      townID   // noTown for any battle
	from    []townID // none: every adjacent town
	keep    int      // units that stay in each town
	perTurn int      // at most so many a battle turn; 0: as many as roads allow
}

// deployOrder is the standing order deploy: a deployment, of whose units those
// that are there take part.
type deployOrder struct {
	at   townID // noTown for any battle
	role role
	body string // the orders key of an order file
}

// movesOrder is the standing order moves: the movement of a later turn.
type movesOrder struct {
	turn int    // as printed
	body string // the orders key of an order file
}

// manyAllowed are the standing orders of which a file may give several.
var manyAllowed = []string{"retreat-to", "plan", "reinforce", "deploy", "moves", "bid"}

// readMore reads one of the orders of standingMore.
func (s *standing) readMore(v *View, r *orders.Reader, key string, value *orders.Node, units []unitID) {
	if s.more == nil {
		s.more = &standingMore{}
	}
	m := s.more
	switch key {
	case "plan":
		m.plans = append(m.plans, v.readPlan(r, value, units))
	case "reinforce":
		m.brings = append(m.brings, v.readBring(r, value))
	case "deploy":
		m.deploys = append(m.deploys, v.readStandingDeploy(r, value, units))
	case "moves":
		m.moves = append(m.moves, v.readStandingMoves(r, value, units))
	}
}

// readBring reads {to, from, keep, per-turn}.
func (v *View) readBring(r *orders.Reader, n *orders.Node) bringOrder {
	f := r.Fields(n, "to", "from", "keep", "per-turn")
	one := bringOrder{to: noTown}
	if n == nil || n.Kind != orders.Map {
		return one
	}
	if to := r.Require(f, "to"); to != nil && !r.Is(to, "any") {
		one.to, _ = v.pickTown(r, to)
	}
	if from := f.Get("from"); !r.Is(from, "any") {
		one.from = v.townsOf(r, from)
	}
	if keep := f.Get("keep"); keep != nil {
		one.keep, _ = r.Int(keep, 0, len(v.roster))
	}
	if most := f.Get("per-turn"); most != nil && !r.Is(most, "max") {
		one.perTurn, _ = r.Int(most, 1, len(v.roster))
	}
	return one
}

// readStandingDeploy reads {at, role, left, center, right, reserve, farm, hill}.
func (v *View) readStandingDeploy(r *orders.Reader, n *orders.Node, units []unitID) deployOrder {
	f := r.Fields(n, "at", "role", "left", "center", "right", "reserve", "farm", "hill")
	one := deployOrder{at: noTown}
	if n == nil || n.Kind != orders.Map {
		return one
	}
	one.at, one.role = v.whereAndRole(r, f)
	body := orders.Inline()
	rest := false
	var named []unitID
	for _, key := range [4]string{"left", "center", "right", "reserve"} {
		value := f.Get(key)
		if value == nil {
			continue
		}
		list := orders.Texts()
		for _, item := range r.List(value) {
			if r.Is(item, "none") {
				continue
			}
			if r.Is(item, "rest") || r.Is(item, "all") {
				if rest {
					r.Refuse(item, "NAP-6.22", phrase.Say("nap.battle-rest-twice"))
				}
				rest = true
				list.Add(orders.Text("rest"))
				continue
			}
			id, ok := v.pickUnit(r, item, units)
			switch {
			case !ok:
			case containsUnit(named, id):
				r.Refuse(item, "NAP-6.22", phrase.Say("nap.named-twice", v.idArg("unit", id)))
			default:
				named = append(named, id)
				list.Add(orders.Text(v.roster[id].id))
			}
		}
		body.Set(key, list)
	}
	if len(body.Pairs) == 0 {
		r.Require(f, "left")
	}
	for _, key := range [2]string{"farm", "hill"} {
		value := f.Get(key)
		if value == nil {
			continue
		}
		held := r.Fields(value, placeWords[:]...)
		n := orders.Inline()
		for _, word := range placeWords {
			if id, ok := noUnit, false; held.Get(word) != nil {
				if id, ok = v.pickUnit(r, held.Get(word), units); ok {
					n.Set(word, orders.Text(v.roster[id].id))
				}
			}
		}
		body.Set(key, n)
	}
	one.body = keptOrders(body)
	return one
}

// readStandingMoves reads {turn, orders}. What the names mean is known now;
// whether the moves are legal is not before that turn.
func (v *View) readStandingMoves(r *orders.Reader, n *orders.Node, units []unitID) movesOrder {
	f := r.Fields(n, "turn", "orders")
	var one movesOrder
	if n == nil || n.Kind != orders.Map {
		return one
	}
	one.turn, _ = r.Int(r.Require(f, "turn"), 1, len(v.turns))
	body := r.Require(f, "orders")
	if body == nil || r.Is(body, "none") {
		one.body = keptOrders(orders.Text("none"))
		return one
	}
	list := orders.Items()
	list.Flow = true
	town := func(n *orders.Node) *orders.Node {
		if t, ok := v.townIn(r, n); ok {
			return orders.Text(v.towns[t].name)
		}
		return orders.Text("")
	}
	some := func(n *orders.Node) *orders.Node {
		texts := orders.Texts()
		for _, item := range r.List(n) {
			switch {
			case r.Is(item, "all"), r.Is(item, "rest"):
				texts.Add(orders.Text("rest"))
			default:
				if id, ok := v.pickUnit(r, item, units); ok {
					texts.Add(orders.Text(v.roster[id].id))
				}
			}
		}
		return texts
	}
	var later laterForce
	for _, item := range r.List(body) {
		switch key, value := r.Only(item, "move", "forced", "reveal", "night-march"); key {
		case "move":
			g := r.Fields(value, "from", "via", "to", "units")
			if value == nil || value.Kind != orders.Map {
				continue
			}
			move := orders.Inline().Set("from", town(r.Require(g, "from")))
			if via := g.Get("via"); via != nil {
				by := orders.Texts()
				for _, t := range r.List(via) {
					by.Add(town(t))
				}
				move.Set("via", by)
			}
			move.Set("to", town(r.Require(g, "to"))).Set("units", some(r.Require(g, "units")))
			list.Add(orders.Inline().Set("move", move))
			later.march(v, move, g.Get("units"), units)
		case "":
		case "forced":
			if r.Is(value, "none") {
				later.said, later.none = true, 1
				list.Add(orders.Inline().Set(key, orders.Text("none")))
				continue
			}
			named := some(value)
			later.name(named)
			list.Add(orders.Inline().Set(key, named))
		default:
			list.Add(orders.Inline().Set(key, some(value)))
		}
	}
	if n := len(list.Items) - later.none; n == 0 || n > mostOrders {
		r.Refuse(body, "", phrase.Say("nap.plan-lines", phrase.Number("most", mostOrders)))
	}
	later.check(v, r, list)
	one.body = keptOrders(list)
	return one
}

// keptOrders writes an orders key for later.
func keptOrders(n *orders.Node) string { return orders.Mapping().Set("orders", n).Encode() }

// openOrders reads it back.
func openOrders(text string) *orders.Node {
	doc, _ := orders.Parse(text, nil)
	return bare(doc.Orders)
}

// bare is a node as it would be made, without its place in a file, on one line.
func bare(n *orders.Node) *orders.Node {
	if n == nil {
		return orders.Text("none")
	}
	c := &orders.Node{Kind: n.Kind, Null: n.Null, Text: n.Text, Flow: true}
	for _, p := range n.Pairs {
		c.Pairs = append(c.Pairs, orders.Pair{Key: bare(p.Key), Value: bare(p.Value)})
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, bare(item))
	}
	return c
}

// flat1 writes a node on one line.
func flat1(n *orders.Node) string { return strings.Join(strings.Fields(bare(n).Encode()), " ") }

// nodes adds the orders in normal form.
func (m *standingMore) nodes(board *scenario, add func(string, *orders.Node)) {
	if m == nil {
		return
	}
	for _, one := range m.brings {
		n := orders.Inline().Set("to", board.townOrAny(one.to))
		if len(one.from) > 0 {
			n.Set("from", board.townTexts(one.from))
		}
		if one.keep > 0 {
			n.Set("keep", orders.Number(one.keep))
		}
		if one.perTurn > 0 {
			n.Set("per-turn", orders.Number(one.perTurn))
		} else {
			n.Set("per-turn", orders.Text("max"))
		}
		add("reinforce", n)
	}
	for _, one := range m.deploys {
		n := orders.Inline().Set("at", board.townOrAny(one.at))
		if one.role != anyRole {
			n.Set("role", orders.Text(roleWords[one.role]))
		}
		n.Pairs = append(n.Pairs, openOrders(one.body).Pairs...)
		add("deploy", n)
	}
	for i := range m.plans {
		add("plan", m.plans[i].node(board))
	}
	for _, one := range m.moves {
		add("moves", orders.Inline().Set("turn", orders.Number(one.turn)).Set("orders", openOrders(one.body)))
	}
}

// bring chooses the reinforcements of a battle turn by the first order that
// speaks of the battle: town by town as they are named, the strongest first,
// leaders last. It is no answer if a town that is named has been lost or has a
// battle of its own while others could come: then the side is asked.
func (m *standingMore) bring(v *View, b *battle) (allotment, bool) {
	if m == nil {
		return allotment{}, false
	}
	at := slices.IndexFunc(m.brings, func(one bringOrder) bool { return one.to == b.town })
	if at < 0 {
		at = slices.IndexFunc(m.brings, func(one bringOrder) bool { return one.to == noTown })
	}
	if at < 0 {
		return allotment{}, false
	}
	one := m.brings[at]
	c := v.camp()
	from := one.from
	if len(from) == 0 {
		for _, r := range v.towns[b.town].roads {
			from = append(slices.Clip(from), v.roads[r].from(b.town))
		}
	} else {
		for _, t := range from {
			if _, joined := v.roadBetween(t, b.town); joined && one.to != noTown && (v.blocks(t, c.enemy()) > 0 || v.battleIn(t) != nil) {
				return allotment{}, false
			}
		}
	}
	var a allotment
	for _, t := range from {
		var able []unitID
		for _, id := range v.group(t) {
			if v.mayReinforce(b, v.unit(id)) == nil {
				able = append(able, id)
			}
		}
		spare := max(0, len(v.group(t))-one.keep)
		able = v.byWorth(able)
		slices.SortStableFunc(able, func(x, y unitID) int {
			last := func(id unitID) int {
				if v.unit(id).kind == leader {
					return 1
				}
				return 0
			}
			return last(x) - last(y)
		})
		for _, id := range able {
			if spare == 0 || one.perTurn > 0 && len(a.places) == one.perTurn {
				break
			}
			try := allotment{append(slices.Clip(a.places), place{id, t})}
			if _, f := v.reinforceFault(b, try); f == nil {
				a = try
				spare--
			}
		}
	}
	return a, true
}

// deployment makes the answer to a deployment stop by the first order that
// speaks of the battle: the units that are not there are left out.
func (m *standingMore) deployment(v *View, d engine.Decision, b *battle) (play.Reply, bool) {
	c := v.camp()
	for _, one := range m.deploys {
		if one.at != noTown && one.at != b.town || !one.role.fits(b, c) {
			continue
		}
		there := map[string]bool{"rest": true}
		for _, id := range v.unitsIn(b.town, c) {
			there[v.roster[id].id] = true
		}
		body := orders.Mapping()
		for _, p := range openOrders(one.body).Pairs {
			value := &orders.Node{Kind: p.Value.Kind, Flow: true}
			for _, item := range p.Value.Items {
				if there[item.Text] {
					value.Add(item)
				}
			}
			for i, held := range p.Value.Pairs { // a farm or hill that is not in the position holds nobody
				place := slices.Index(placeWords[:], p.Value.Pairs[i].Key.Text)
				if place >= 0 && there[held.Value.Text] && b.terrain[b.ownFields(c)[place]].String() == p.Key.Text {
					value.Pairs = append(value.Pairs, held)
				}
			}
			body.Set(p.Key.Text, value)
		}
		r := orders.NewReader(vocabulary)
		a := stops[d.Kind].Read(v, d, r, body)
		return a, len(r.Problems) == 0 && a != nil
	}
	return nil, false
}

// movesFor makes the answer to a movement stop by the order for this turn.
func (m *standingMore) movesFor(v *View, d engine.Decision) (play.Reply, bool) {
	for _, one := range m.moves {
		if one.turn != v.turn+1 {
			continue
		}
		r := orders.NewReader(vocabulary)
		r.Accepted = true
		a := stops[d.Kind].Read(v, d, r, openOrders(one.body))
		return a, len(r.Problems) == 0 && a != nil
	}
	return nil, false
}

// speaksOf tells whether an order of standingMore is about a decision at all,
// so that its side is told when it did not fit.
func (m *standingMore) speaksOf(v *View, d engine.Decision) (order string) {
	if m == nil {
		return ""
	}
	b := v.battleOf(d)
	switch d.Kind {
	case "move":
		if slices.ContainsFunc(m.moves, func(one movesOrder) bool { return one.turn == v.turn+1 }) {
			return "moves"
		}
	case "deploy-defender", "deploy-attacker":
		if b != nil && slices.ContainsFunc(m.deploys, func(one deployOrder) bool {
			return (one.at == noTown || one.at == b.town) && one.role.fits(b, v.camp())
		}) {
			return "deploy"
		}
	case "reinforce":
		if b != nil && slices.ContainsFunc(m.brings, func(one bringOrder) bool { return one.to == noTown || one.to == b.town }) {
			return "reinforce"
		}
	}
	return ""
}

// answerUnasked answers what is asked by standing orders that say how, and, in
// a game played plans first, by the defaults of section 5 of the digest where a
// plan leads.
func (p *campaign) answerUnasked() {
	if p.options.cadence == cadenceAll && p.standing[0].more == nil && p.standing[1].more == nil && p.standing[2].more == nil {
		return
	}
	for i := 0; i < len(p.asks); {
		d := p.asks[i]
		if gathers(d.Kind) && p.shared(p.campOf(d.Side)) {
			if !p.bothQuiet() {
				i++
				continue
			}
			for _, d := range p.asks {
				if a, ok := p.foreseen(d); ok {
					stops[d.Kind].Take(p, d, a)
				}
			}
			p.asks = nil
			p.together()
			continue
		}
		a, ok := p.foreseen(d)
		if !ok {
			i++
			continue
		}
		p.asks = append(slices.Clone(p.asks[:i]), p.asks[i+1:]...)
		stops[d.Kind].Take(p, d, a)
		p.together()
	}
}

// bothQuiet tells whether the plans of all who are asked lead on, so that none of
// them has to be: what two players decide together is asked of both, or of
// neither (NAP-R17).
func (p *campaign) bothQuiet() bool {
	for _, d := range p.asks {
		if !p.quiet(d, p.campOf(d.Side)) {
			return false
		}
	}
	return true
}

// foreseen makes the answer to a decision that nobody need be asked for.
func (p *campaign) foreseen(d engine.Decision) (play.Reply, bool) {
	c := p.campOf(d.Side)
	var v *View
	if m := p.standing[p.seatOf(d.Side)].more; m != nil {
		v = p.view(d.Side)
		if order := m.speaksOf(v, d); order != "" {
			a, ok := m.answer(v, d, len(p.asks) == 1)
			if ok {
				p.useStanding(d, order)
				return a, true
			}
			args := []argument{phrase.Name("stop", "stop", d.Kind), phrase.Literal("order", order)}
			if d.At != "" {
				args = append(args, phrase.Name("at", "town", d.At))
			}
			p.Tell("", to([]engine.Side{d.Side}, "nap.standing-misfit", args...))
			return nil, false
		}
	}
	if !p.quiet(d, c) {
		return nil, false
	}
	if v == nil {
		v = p.view(d.Side)
	}
	args := []argument{phrase.Name("stop", "stop", d.Kind)}
	if d.At != "" {
		args = append(args, phrase.Name("at", "town", d.At))
	}
	p.Tell("", to([]engine.Side{d.Side}, "nap.plan-default", args...))
	return stops[d.Kind].Fallback(v, d), true
}

// answer makes the answer of an order that speaks of a decision. Movement is
// answered only for a side that is alone at the stop.
func (m *standingMore) answer(v *View, d engine.Decision, alone bool) (play.Reply, bool) {
	switch d.Kind {
	case "move":
		if !alone {
			return nil, false
		}
		return m.movesFor(v, d)
	case "reinforce":
		a, ok := m.bring(v, v.battleOf(d))
		return reinforceForm.Make(v, d, func(x *saying[*bringing]) {
			for _, pl := range a.places {
				x.Try("reinforce", pl)
			}
		}), ok
	}
	return m.deployment(v, d, v.battleOf(d))
}

// quietStops are the decisions of a battle that open no stop while a plan
// leads, in a game played plans first.
var quietStops = []string{"battle-order", "hits", "morale-order", "reinforce", "rout", "stalemate", "regroup"}

// quiet tells whether a decision opens no stop because the game is played plans
// first and the side's plan for the battle has neither run out nor asked.
func (p *campaign) quiet(d engine.Decision, c camp) bool {
	if p.options.cadence != cadencePlans || !slices.Contains(quietStops, d.Kind) {
		return false
	}
	b := p.battleOf(d)
	if b == nil {
		return d.Kind == "battle-order" && !slices.ContainsFunc(p.battles, func(b battle) bool { return b.number == 0 && b.stage != finished })
	}
	if b.skirmish || b.acting == c && b.guide == guideHand {
		return false
	}
	used := b.planned[p.seatOf(d.Side)]
	if b.acting == c && b.guide == guidePlan {
		used-- // the turn that it leads is still its own
	}
	_, over := p.standing[p.seatOf(d.Side)].planFor(b, c, used)
	return !over
}

// instruct puts standing orders in force without a stop.
func (g *game) instruct(side engine.Side, given play.Standing) {
	p := &campaign{game: g}
	p.adopt(side, given)
}

// Instruct implements [engine.Instructed].
func (g *game) Instruct(side engine.Side, a engine.Answer) error {
	given, err := play.StandingOf(a, side, g.Sides())
	if err == nil {
		g.instruct(side, given)
	}
	return err
}

// inForce lists the side's standing orders, each on one line as a file writes it.
func (v *View) inForce() []string {
	if v.side == engine.GM {
		return nil
	}
	n := v.standing[v.seatOf(v.side)].node(v.scenario)
	if n == nil {
		return nil
	}
	var lines []string
	for _, item := range n.Items {
		lines = append(lines, strings.TrimPrefix(strings.TrimSuffix(flat1(item), "}"), "{"))
	}
	return lines
}

// standingSection lists the standing orders in force in a report.
func (v *View) standingSection() (engine.Section, bool) {
	return sheet.Lines("nap.page.standing", "nap.page.standing-order", "order", v.inForce())
}

// remark mentions the standing orders in force in a template.
func (v *View) remark(_ engine.Decision, n *orders.Node) {
	lines := v.inForce()
	for i := range lines {
		lines[i] = "- " + lines[i]
	}
	play.RemarkStanding(n, lines)
}
