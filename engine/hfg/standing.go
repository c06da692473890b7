package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// Standing orders and policies (section 5.3 of the digest): what a seat has decided till it changes
// it. Of each decision the cases for this turn come first, then standing orders, then policies.

// policyKeys are all that may be said beforehand.
var policyKeys = append(append(slices.Clone(resultKeys), combatKeys...), policyFound, policyReply, policyFire, policyDice, policyRally, policyMarch, policyMap)

// casesOf are the cases that a seat has written for one decision, the first to be tried first.
func (g *game) casesOf(seat engine.Side, k policyKey) []policyCase {
	var all []policyCase
	for _, layer := range [][]policyCase{g.Policies[g.sideOf(seat)], g.Standing, g.Ruled} {
		for _, c := range layer {
			if c.Key == k && c.Seat == string(seat) {
				all = append(all, c)
			}
		}
	}
	return all
}

// word is what a seat has said for a decision that hangs on no situation; "" for nothing.
func (g *game) word(seat engine.Side, k policyKey) string {
	if all := g.casesOf(seat, k); len(all) > 0 {
		return all[0].Do
	}
	return ""
}

// wants says whether a seat wants to be asked what hangs on no situation: it has said so, or nothing.
func (g *game) wants(seat engine.Side, k policyKey) bool {
	w := g.word(seat, k)
	return w == "" || w == "ask"
}

// policiesShape is how standing orders are written.
var policiesShape = func() shape.Shape {
	var parts []shape.Key
	for _, k := range policyKeys {
		parts = append(parts, shape.May(policyWords[k], k.shape()))
	}
	return shape.Record(parts...)
}()

// readPolicies reads what is said beforehand, by key, for a view's seat.
func (v *View) readPolicies(r *orders.Reader, n *orders.Node) []policyCase {
	var words []string
	for _, k := range policyKeys {
		words = append(words, policyWords[k])
	}
	f := r.Fields(n, words...)
	c := &caseReader{w: &fireWorld{v: v, board: v.game}, r: r}
	var all []policyCase
	for _, k := range policyKeys {
		at := f.Get(policyWords[k])
		if at == nil {
			continue
		}
		for _, one := range c.cases(k, at) {
			if one.whole {
				one.said.Seat = string(v.seat)
				all = append(all, one.said)
			}
		}
	}
	return all
}

// writePolicies writes what [View.readPolicies] reads; nil for nothing.
func writePolicies(all []policyCase) *orders.Node {
	parts := make([]play.Part, len(all))
	for i := range all {
		parts[i].Value = all[i]
	}
	return writeCases(policyKeys, parts)
}

// readStanding judges the value of a standing key and gives it in normal form.
func readStanding(v *View, r *orders.Reader, n *orders.Node) *orders.Node {
	if n == nil || n.Null {
		return nil
	}
	if r.Is(n, "none") {
		return orders.Text("none")
	}
	since := len(r.Problems)
	all := v.readPolicies(r, n)
	if len(r.Problems) > since || len(all) == 0 {
		return nil
	}
	return writePolicies(all)
}

// policyTable are the policies. At the pace postal a seat is asked what it does in its own turn and
// whom it shoots at in the enemy's; the default answers what comes up in between.
var policyTable = func() []play.Policy[*View] {
	var all []play.Policy[*View]
	for _, k := range policyKeys {
		p := play.Policy[*View]{Key: policyWords[k], What: policyDecides[k], Postal: "default", Words: append(slices.Clone(policyAnswers[k]), besideWords[k]...), Shape: k.shape(), Read: readPolicy}
		switch k {
		case policyReply:
			p.Postal = "ask"
		case policyDice, policyRally, policyMarch, policyMap:
			p.Idle = true
		}
		if k == policyDice {
			p.Stops = []string{stopDice}
		}
		all = append(all, p)
	}
	return all
}()

// saying is the view as it would be if a policy said something, and the seat nothing else.
func (v *View) saying(r *orders.Reader, key string, n *orders.Node) *View {
	g := v.trial()
	g.Policies, g.Standing, g.Ruled = [sides][]policyCase{}, nil, nil
	u := &View{game: g, seat: v.seat, of: v.of}
	c := &caseReader{w: &fireWorld{v: v, board: v.game}, r: r}
	for _, one := range c.cases(policyKey(slices.Index(policyWords, key)), n) {
		one.said.Seat = string(v.seat)
		g.Ruled = append(g.Ruled, one.said)
	}
	return u
}

// instructions answer the stops at which an owner decides, by what he has said beforehand.
var instructions = func() []play.Instruction[*View] {
	all := []play.Instruction[*View]{{Key: policyWords[policyDice], Stops: []string{stopDice}, Answer: instructedDice},
		{Key: policyWords[policyMarch], Stops: []string{stopTurn}}, {Key: policyWords[policyRally], Stops: []string{stopTurn}},
		{Key: policyWords[policyFire], Stops: []string{stopFire}}, {Key: policyWords[policyMap], Stops: []string{stopMap}}} // these act before the stop, or beside what is answered
	for _, k := range resultKeys {
		if k == policyAid {
			continue // it is asked with the shots (HFG-R158)
		}
		all = append(all, play.Instruction[*View]{Key: policyWords[k], Stops: []string{stopFace, stopShot, stopResult},
			Answer: func(v *View, d engine.Decision) (play.Reply, bool) {
				q := v.Fray.Asks
				if q == nil || policyOf[q.What] != k || !v.owns(q.Of) {
					return nil, false
				}
				a, _, ok := v.settled(q)
				if !ok {
					return nil, false
				}
				return resultForms[d.Kind].Make(v, d, func(x *draft[*resultWorld]) {
					x.Try(policyWords[k], ownAnswer{k, q.Of, a})
				}), true
			}})
	}
	return all
}()

// readPolicy judges what one policy says, and gives it in normal form.
func readPolicy(v *View, r *orders.Reader, key string, n *orders.Node) *orders.Node {
	k := policyKey(slices.Index(policyWords, key))
	since := len(r.Problems)
	var parts []play.Part
	c := &caseReader{w: &fireWorld{v: v, board: v.game}, r: r}
	for _, one := range c.cases(k, n) {
		if !one.whole {
			return nil
		}
		parts = append(parts, play.Part{Value: one.said})
	}
	if len(r.Problems) > since || len(parts) == 0 {
		return nil
	}
	return writeCases([]policyKey{k}, parts).Get(key)
}

// layer gives the policies of the view's seat.
func (v *View) layer() (play.Policies, func() *View) {
	var p play.Policies
	for _, k := range policyKeys {
		var parts []play.Part
		for _, c := range v.Ruled {
			if c.Key == k && c.Seat == string(v.seat) {
				parts = append(parts, play.Part{Value: c})
			}
		}
		if len(parts) > 0 {
			p.Said = append(p.Said, play.Said{Key: policyWords[k], Value: writeCases([]policyKey{k}, parts).Get(policyWords[k])})
		}
	}
	return p, func() *View { return v }
}

// standingNode writes the standing orders of the view's seat.
func (v *View) standingNode() *orders.Node {
	if v.of == noSide {
		return nil
	}
	return writePolicies(slices.DeleteFunc(slices.Clone(v.Standing), func(c policyCase) bool { return c.Seat != string(v.seat) }))
}

// adopt puts standing orders in force in place of the old, and policies that change.
func (g *game) adopt(seat engine.Side, given play.Standing) {
	v := g.view(seat)
	others := func(all []policyCase) []policyCase {
		return slices.DeleteFunc(slices.Clone(all), func(c policyCase) bool { return c.Seat == string(seat) })
	}
	if n := given.Node; n != nil {
		g.Standing = others(g.Standing)
		if n.Kind == orders.Map {
			g.Standing = append(g.Standing, v.readPolicies(orders.NewReader(vocabulary), n)...)
		}
	}
	if given.Policies == nil {
		return
	}
	said, _ := v.layer()
	n := orders.Mapping()
	for _, one := range declared.Change(said, given.Policies).Said {
		n.Set(one.Key, one.Value)
	}
	g.Ruled = append(others(g.Ruled), v.readPolicies(orders.NewReader(vocabulary), n)...)
}

// Instruct implements [engine.Instructed].
func (g *game) Instruct(side engine.Side, a engine.Answer) error {
	given, err := play.StandingOf(a, side, g.Sides())
	if err == nil {
		g.adopt(side, given)
	}
	return err
}
