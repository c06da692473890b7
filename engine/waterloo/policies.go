package waterloo

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// Policies (section 5.4 of the digest): standing orders in a layer beneath those of the
// player, each complete for its stops.

// A policy is one key of policies.
type policy = play.Policy[*View]

// policyTable are the policies in the order of the digest. Those of the artillery wait
// for the next deal (WAT-R54): who says in the midst of a turn that he wants to be asked
// has told what he holds.
var policyTable = []policy{
	{Key: "initiative", Shape: standingKeys.Of("initiative").Shape, Stops: []string{stopBid}, Postal: "ask", Read: readPolicy, Words: []string{"{bid: none}", "{bid: lowest}", "{bid: {min-mp: 4}}"}},
	{Key: "army", Shape: standingKeys.Of("army").Shape, Stops: []string{stopArmy}, Postal: "ask", Read: readPolicy, Words: []string{"{prefer: [anglo, prussian]}"}},
	{Key: "artillery", Shape: shape.Either(shape.Words("hold"), standingKeys.Of("artillery").Shape), Stops: []string{stopArtillery, stopRevealed}, Bears: []string{stopRound}, Late: "wat.policy-late", Read: readPolicy,
		Postal: "{windows: {round-start: if-useful, entered: if-useful, after-card: hold, after-battle: hold, round-end: hold}}",
		ByPlan: "{fire: best}",
		Offers: "{fire: best}",
		Words:  []string{"hold", "{fire: best}", "{windows: {after-card: hold, after-battle: hold}}", "{windows: if-useful}", "{windows: hold, keep: 1, rules: [{at: any, state: disordered}]}"}},
	{Key: "cavalry-retreat", Shape: standingKeys.Of("cavalry-retreat").Shape, Stops: []string{stopCavalryRetreat}, Postal: "ask", ByPlan: "default", Read: readPolicy,
		Words: []string{"{default: stay}", "{default: retreat}"}},
	{Key: "battle", Shape: standingKeys.Of("battle").Shape, Stops: []string{stopCommit}, Postal: "ask", ByPlan: "default", Read: readPolicy, Words: []string{"{default: none}"}},
	{Key: "loss", Shape: standingKeys.Of("loss").Shape, Stops: []string{stopLoss}, Bears: []string{stopCommit}, Postal: "ask", ByPlan: "default", Read: readPolicy,
		Words: []string{"{default: [cdp, retreat, reduce]}"}},
	{Key: "attacker-loss", Shape: standingKeys.Of("attacker-loss").Shape, Stops: []string{stopAttackerLoss}, Bears: []string{stopRound, stopCommit}, Postal: "default", Ends: true, Read: readPolicy},
	{Key: "advance", Shape: standingKeys.Of("advance").Shape, Stops: []string{stopAdvance}, Bears: []string{stopCommit}, Postal: "ask", ByPlan: "best", Ends: true, Read: readPolicy, Words: []string{"best"}},
	{Key: "commander", Shape: standingKeys.Of("commander").Shape, Stops: []string{stopCommander}, Postal: "default", Ends: true, Read: readPolicy},
}

// layer gives the policies of the view's side, and the view with them in place of its
// standing orders.
func (v *View) layer() (play.Policies, func() *View) {
	if v.side == engine.GM {
		return play.Policies{}, nil
	}
	seat := armyOfSeat(v.side)
	return v.policies[seat], func() *View {
		c := *v.game
		c.standing[seat] = c.ruled[seat]
		return &View{game: &c, side: v.side, own: v.own}
	}
}

// insists tells whether standing orders, which have not answered a stop, want the seat to
// be asked: where the word ask is written for the stop, no policy answers.
func (v *View) insists(d engine.Decision) bool {
	o := &v.standing[armyOfSeat(v.side)]
	switch d.Kind {
	case stopBid:
		return o.Bid.How == bidAsked
	case stopArtillery, stopRevealed:
		if w := under[*windowFrame](v.game); w != nil && o.Artillery != nil {
			switch o.Artillery.Windows[w.Window] {
			case windowAsk:
				return true
			case windowUseful:
				return w.mayDo(v.game, v.side)
			}
		}
	case stopCavalryRetreat:
		if _, entrant := v.asked(); entrant != 0 {
			_, asks, _ := ruledWithdrawals(cavalryForm.Blank(v, d), o)
			return asks
		}
	case stopCommit: // of the own round they say nothing
		b := under[*battleFrame](v.game)
		return b != nil && o.Battle != nil && !o.Battle.None && !o.Battle.Unsaid && v.roleIn(b) != b.phasing()
	case stopLoss:
		return o.Loss != nil && len(o.Loss.Default) == 0 && !o.Loss.Unsaid
	}
	return false
}

// saying gives the view with what one policy is to say in place of the standing orders of
// its side.
func (v *View) saying(r *orders.Reader, key string, n *orders.Node) *View {
	var s standing
	v.policyOrders(r, key, n, &s)
	c := *v.game
	c.standing[armyOfSeat(v.side)] = s
	return &View{game: &c, side: v.side, own: v.own}
}

// standingNode writes the standing orders of the view's side.
func (v *View) standingNode() *orders.Node {
	if v.side == engine.GM || v.side == engine.Public {
		return nil
	}
	return standingKeys.Normal(v.scenario, &v.standing[armyOfSeat(v.side)])
}

// hasPolicies tells whether a seat has any.
func (g *game) hasPolicies(side engine.Side) bool { return g.policies[armyOfSeat(side)].Any() }

// enforce puts policies in force.
func (g *game) enforce(seat army, p play.Policies) {
	g.policies[seat] = p
	var s standing
	v := g.view(engine.Side(seat.String()))
	for _, one := range p.Said {
		if one.Value.Kind != orders.Scalar || one.Value.Text != "ask" && one.Value.Text != "default" {
			v.policyOrders(orders.NewReader(vocabulary), one.Key, one.Value, &s)
		}
	}
	g.ruled[seat] = s
}

// dealt puts in force what waited for the deal.
func (g *game) dealt() {
	for a := french; a <= prussian; a++ {
		if len(g.policies[a].Later) > 0 {
			g.enforce(a, play.Deal(g.policies[a], policyTable))
		}
	}
}

// policyOrders reads what a policy says as standing orders.
func (v *View) policyOrders(r *orders.Reader, key string, n *orders.Node, s *standing) {
	if key == "artillery" && r.Is(n, "hold") {
		s.Artillery = &gunOrders{}
		for w := atRoundStart; w <= atRevealed; w++ {
			s.Artillery.Windows[w] = windowHold
		}
		return
	}
	standingKeys.Of(key).Read(v, r, n, s)
	if o := s.Artillery; o != nil { // what is not said is asked, and not written
		for w := range o.Windows {
			if o.Windows[w] == windowAsk {
				o.Windows[w] = windowUnsaid
			}
		}
	}
}

// readPolicy judges what a policy says, and gives it in normal form; nil if it leaves some
// of its stops open.
func readPolicy(v *View, r *orders.Reader, key string, n *orders.Node) *orders.Node {
	var s standing
	since := len(r.Problems)
	v.policyOrders(r, key, n, &s)
	switch {
	case len(r.Problems) > since || !s.complete(key):
		return nil
	case key == "artillery" && s.Artillery.holds():
		return orders.Text("hold")
	}
	if n := standingKeys.Of(key).Write(v.scenario, &s); n == nil || n.Kind != orders.Map || len(n.Pairs) > 0 {
		return n // nil if nothing is said
	}
	return orders.Text("ask")
}

// complete tells whether standing orders answer all stops of a key, whatever cards are
// held.
func (s *standing) complete(key string) bool {
	switch key {
	case "initiative":
		return s.Bid.How != bidCard && s.Bid.How != bidAsked
	case "army": // a seat of no camp with two armies is refused the key
		return len(s.Army) == 2
	case "artillery":
		for i := range s.Artillery.Rules {
			for w := atRoundStart; w <= atRevealed; w++ {
				if when := play.Named[window](s.Artillery.Rules[i].If, firedWhen.Key); (when == 0 || when == w) && !s.Artillery.settles(w) {
					return false
				}
			}
		}
		return true
	case "cavalry-retreat":
		return s.Cavalry.Default != retreatAsk && !slices.ContainsFunc(s.Cavalry.Rules, func(r cavalryRule) bool { return r.Do == retreatAsk })
	case "battle":
		return s.Battle.None
	case "loss":
		return slices.Contains(s.Loss.Default, takeReduce)
	}
	return true // a list, which ends in the order of the default
}

// holds tells whether fire is held in every window, and nothing else is said.
func (o *gunOrders) holds() bool {
	for w := atRoundStart; w <= atRevealed; w++ {
		if o.Windows[w] != windowHold {
			return false
		}
	}
	return !o.Best && o.Keep == 0 && len(o.Rules) == 0
}

// settles tells whether nothing is asked in a window.
func (o *gunOrders) settles(w window) bool { return o.Best || o.Windows[w] == windowHold }
