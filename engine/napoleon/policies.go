package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// Policies (section 6.1 of the digest): standing orders in a layer beneath those of the
// player, each complete for its stops.

// policyTable are the policies in the order of the digest.
var policyTable = []play.Policy[*View]{
	{Key: "casualties", Stops: []string{"hits"}, Bears: []string{"battle-turn"}, Postal: "worst-first", Ends: true, Read: readPolicy,
		Shape: shape.Either(shape.Words("worst-first"), standingKeys.Keys.Of("casualties").Shape), Words: []string{"worst-first", "{lose-first: [infantry, cavalry]}"}},
	{Key: "skirmish", Stops: []string{"skirmish"}, Postal: "{show: strongest}", Ends: true, Read: readPolicy,
		Shape: standingKeys.Keys.Of("skirmish").Shape, Words: []string{"{show: strongest}", "{show: weakest}"}},
	{Key: "retreat-to", Stops: []string{"skirmish-retreat", "rout", "stalemate"}, Bears: []string{"battle-turn"}, Postal: "nearest-supply", Ends: true, Read: readPolicy,
		Shape: shape.Either(shape.Words("nearest-supply", "any"), standingKeys.Keys.Of("retreat-to").Shape), Words: []string{"nearest-supply", "any", "{at: any, towns: [any]}"}},
	{Key: "sacrifice", Bears: []string{"battle-turn", "skirmish-retreat", "rout"}, Postal: "weakest", Read: readPolicy,
		Shape: shape.Either(shape.Words("weakest"), standingKeys.Keys.Of("sacrifice").Shape), Words: []string{"weakest", "[foot-artillery, infantry]"}},
	{Key: "morale-order", Stops: []string{"morale-order"}, Postal: "[left, center, right]", Ends: true, Read: readPolicy,
		Shape: standingKeys.Keys.Of("morale-order").Shape, Words: []string{"[left, center, right]"}},
	{Key: "supply-losses", Stops: []string{"supply"}, Postal: "weakest", Ends: true, Read: readPolicy,
		Shape: shape.Either(shape.Words("weakest"), standingKeys.Keys.Of("supply-losses").Shape), Words: []string{"weakest"}},
	{Key: "battle-order", Stops: []string{"battle-order"}, Bears: []string{"move"}, Postal: "best-first", Ends: true, Read: readPolicy,
		Shape: shape.Either(shape.Words("best-first"), standingKeys.Keys.Of("battle-order").Shape), Words: []string{"best-first", "[rest]"}},
	{Key: "regroup", Stops: []string{"regroup"}, Bears: []string{"battle-turn"}, Postal: "ask", Read: readPolicy,
		Shape: standingKeys.Keys.Of("regroup").Shape, Words: []string{"none"}},
	{Key: "reinforce", Stops: []string{"reinforce"}, Bears: []string{"battle-turn"}, Postal: "ask", Read: readPolicy,
		Shape: shape.Either(shape.Words("max"), standingKeys.Keys.Of("reinforce").Shape), Words: []string{"max", "none", "{to: any, keep: 2, per-turn: 1}"}},
	{Key: "terrain", Stops: []string{"terrain-attacker", "terrain-defender"}, Bears: []string{"move"}, Postal: "ask", Read: readPolicy,
		Shape: standingKeys.Keys.Of("terrain").Shape, Words: []string{"{hill: center, else: first-free}", "{hill: center, wood: left, farm: right, stream: right, else: first-free}"}, Ahead: "{hill: center, else: first-free}"},
	{Key: "forced", Bears: []string{"move"}, Postal: "ask", Read: readForcing, Shape: shape.Words(forcingWords...), Words: forcingWords},
}

// forcingWords say what becomes of a march that only force can make and that no line forces,
// besides ask, which refuses it with both remedies: it is forced, or it is refused with the
// remedy to stop short alone.
var forcingWords = []string{"as-needed", "never"}

// readForcing judges what is said of forced marches. It answers no stop: it is how a
// movement is read.
func readForcing(_ *View, r *orders.Reader, _ string, n *orders.Node) *orders.Node {
	word, ok := r.Word(n, append([]string{"ask", "default"}, forcingWords...)...)
	if !ok {
		return nil
	}
	return orders.Text(word)
}

// forcing tells whether the policy of the view's side about forced marches has a word.
func (v *View) forcing(word string) bool {
	said, _ := v.layer()
	value := said.Value("forced")
	return value != nil && value.Text == word
}

// heeding is the view of a side as it would be with other policies: a file that changes its
// policies is read with those that it wants.
func (v *View) heeding(p play.Policies) *View {
	c, g := *v, *v.game
	g.policies[v.seatOf(v.side)], c.game = p, &g
	return &c
}

// Pace implements [engine.Policied]: battles are fought by plan by an option.
func (r Ruleset) Pace(pace string) (policies string, options map[string]string) {
	policies, _ = r.Stops.Pace(pace)
	if pace == engine.ByPlan {
		options = map[string]string{"cadence": "plans-first"}
	}
	return policies, options
}

// readPolicy judges what a policy says, and gives it in normal form; nil if it leaves some
// of its stops open.
func readPolicy(v *View, r *orders.Reader, key string, n *orders.Node) *orders.Node {
	var s standing
	since := len(r.Problems)
	word := v.policyOrders(r, key, n, &s)
	switch {
	case len(r.Problems) > since:
		return nil
	case word != "":
		return orders.Text(word)
	case key == "reinforce" && !s.noReinforce && s.brings[0].to != noTown, key == "terrain" && !s.elseFree:
		return nil
	}
	if said := standingKeys.Normal(v.scenario, &s); said != nil {
		return said.Items[0].Pairs[0].Value
	}
	return nil // nothing is said
}

// policyWords are the words of a policy that no standing order has.
var policyWords = map[string]string{"casualties": "worst-first", "retreat-to": "nearest-supply", "sacrifice": "weakest", "supply-losses": "weakest", "battle-order": "best-first", "reinforce": "max"}

// policyOrders reads what a policy says as standing orders, and gives the word of a policy
// that it is, if it is one.
func (v *View) policyOrders(r *orders.Reader, key string, n *orders.Node, s *standing) string {
	if word := policyWords[key]; word != "" && r.Is(n, word) {
		switch key {
		case "casualties":
			s.worstFirst = true
		case "battle-order":
			s.bestFirst = true
		case "reinforce":
			s.brings = []bringOrder{{to: noTown}}
		}
		return word
	}
	if key == "retreat-to" && r.Is(n, "any") {
		s.retreats = []retreatOrder{{at: noTown, towns: []townID{noTown}}}
		return "any"
	}
	standingKeys.Keys.Of(key).Read(v, r, n, s)
	return ""
}

// layer gives the policies of the view's side, and the view with them in place of its
// standing orders.
func (v *View) layer() (play.Policies, func() *View) {
	if v.side == engine.GM || v.side == engine.Public {
		return play.Policies{}, nil
	}
	seat := v.seatOf(v.side)
	return v.policies[seat], func() *View {
		c, g := *v, *v.game
		g.standing[seat], c.game = g.ruled[seat], &g
		return &c
	}
}

// saying gives the view with what one policy is to say in place of the standing orders of
// its side.
func (v *View) saying(r *orders.Reader, key string, n *orders.Node) *View {
	s := standing{ends: true}
	v.policyOrders(r, key, n, &s)
	c, g := *v, *v.game
	g.standing.set(v.seatOf(v.side), s)
	c.game = &g
	return &c
}

// hasPolicies tells whether a seat has any.
func (g *game) hasPolicies(side engine.Side) bool { return g.policies[g.seatOf(side)].Any() }

// enforce puts policies in force.
func (g *game) enforce(side engine.Side, p play.Policies) {
	s := standing{ends: true}
	v := g.view(side)
	for _, one := range p.Said {
		if one.Key != "forced" && (one.Value.Kind != orders.Scalar || one.Value.Text != "ask" && one.Value.Text != "default") {
			v.policyOrders(orders.NewReader(vocabulary), one.Key, one.Value, &s)
		}
	}
	if len(s.sacrifices) > 0 && len(s.retreats) == 0 { // the roads are those of nearest-supply
		s.retreats = []retreatOrder{{at: noTown, towns: []townID{noTown}}}
	}
	g.policies[g.seatOf(side)] = p
	g.ruled.set(g.seatOf(side), s)
}

// asking is the stop at which play stands.
func (p *campaign) asking() play.Asking[*View] {
	return play.Asking[*View]{Asks: &p.asks, Left: &p.answered, Has: p.hasPolicies, View: p.view,
		Order: func(side engine.Side) int { return p.seatOf(side) }}
}

// worse puts before another unit who is hit first by the word worst-first: a leader last,
// then by the fire rating, then as at the deadline (NAP-R99).
func (g *game) worse(x, y unitID) int {
	a, o := g.unit(x), g.unit(y)
	if la, lo := a.kind == leader, o.kind == leader; la != lo {
		if la {
			return 1
		}
		return -1
	}
	if a.fire != o.fire {
		return int(a.fire) - int(o.fire)
	}
	return g.cheaper(x, y)
}

// bestOdds orders open battles by the own strength against the enemy's blocks, the best
// first (NAP-R99).
func (v *View) bestOdds() []townID {
	towns := slices.Clone(v.unordered())
	odds := func(t townID) int {
		b := v.battleIn(t)
		if b == nil {
			return 0
		}
		mine, theirs := v.forces(b, v.camp())
		return mine * 100 / max(theirs, 1)
	}
	slices.SortStableFunc(towns, func(a, b townID) int { return odds(b) - odds(a) })
	return towns
}
