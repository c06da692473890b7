package hfg

import (
	"maps"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// Policies (section 5.3 of the digest): what a seat has said of the decisions of its turns until it says
// otherwise. What it says for one turn, in its file, comes first.

var (
	_ engine.Policied   = Ruleset{}
	_ engine.Foreseer   = Ruleset{}
	_ engine.Instructed = (*game)(nil)
	_ engine.Asker      = (*game)(nil)
)

// The policies of whole stops.
const (
	policyTurn  = "turn"  // HFG-S8: "default" moves nobody but who comes on and who rallies
	policyReply = "reply" // HFG-S13: "default" shoots at the nearest targets
)

// layered are the policies in the order of the stops. At the pace postal a seat is asked for its turns and
// its replies, and all that comes up in between goes by default.
var layered = func() []play.Policy[*View] {
	whole := func(key, stop string) play.Policy[*View] {
		return play.Policy[*View]{Key: key, Stops: []string{stop}, Postal: "ask", Read: func(_ *View, r *orders.Reader, _ string, n *orders.Node) *orders.Node {
			r.Word(n, "ask", "default")
			return nil
		}}
	}
	all := []play.Policy[*View]{whole(policyTurn, stopTurn), whole(policyReply, stopFire)}
	for _, k := range resultKeys {
		p := play.Policy[*View]{Key: policyWords[k], Bears: []string{stopTurn, stopFire}, Postal: "default", Shape: k.shape(), Words: policyAnswers[k], Read: readPolicy}
		all = append(all, p)
	}
	return all
}()

// readPolicy judges what a policy says, and gives it in normal form.
func readPolicy(v *View, r *orders.Reader, key string, n *orders.Node) *orders.Node {
	k := policyKey(slices.Index(policyWords, key))
	since := len(r.Problems)
	var said []policyCase
	for _, one := range (&caseReader{w: &fireWorld{v: v, board: v.game}, r: r}).cases(k, n) {
		said = append(said, one.said)
	}
	if len(r.Problems) > since || len(said) == 0 {
		return nil
	}
	return casesNode(said)
}

// A ruling is what a seat's policies say, as cases.
type ruling struct {
	play.Policies
	cases []policyCase
}

// Instruct implements [engine.Instructed].
func (g *game) Instruct(side engine.Side, a engine.Answer) error {
	given, err := play.StandingOf(a, side, g.Sides())
	if err == nil {
		g.adopt(side, given)
	}
	return err
}

// adopt puts policies in force that change.
func (g *game) adopt(side engine.Side, given play.Standing) {
	g.enforce(side, declared.Change(g.ruled[side].Policies, given.Policies))
}

// enforce puts policies in force.
func (g *game) enforce(seat engine.Side, p play.Policies) {
	one := ruling{Policies: p}
	all := &View{game: g, seat: engine.GM} // what was judged once is legal for good
	for _, said := range p.Said {
		k := policyKey(slices.Index(policyWords, said.Key))
		if k <= 0 {
			continue
		}
		for _, c := range (&caseReader{w: &fireWorld{v: all, board: g}, r: orders.NewReader(vocabulary)}).cases(k, said.Value) {
			c.said.Key, c.said.Seat = k, string(seat)
			one.cases = append(one.cases, c.said)
		}
	}
	ruled := maps.Clone(g.ruled)
	if ruled == nil {
		ruled = map[engine.Side]ruling{}
	}
	ruled[seat] = one
	g.ruled = ruled
}

// atPace puts the policies of the pace postal in force for seats that have said nothing.
func (g *game) atPace() error {
	text, _ := declared.Pace(engine.Postal)
	policies := map[engine.Side]string{}
	for _, seat := range g.seats() {
		if _, said := g.ruled[seat]; !said {
			policies[seat] = text
		}
	}
	return declared.Begin(g, policies)
}

// layer gives the policies of the view's seat.
func (v *View) layer() (play.Policies, func() *View) {
	return v.ruled[v.seat].Policies, func() *View { return v }
}

// saying gives the view with what one policy is to say in place of all policies of its seat.
func (v *View) saying(r *orders.Reader, key string, n *orders.Node) *View {
	c := *v.game
	if r.Is(n, "ask") || r.Is(n, "default") {
		n = orders.Text(n.Text)
	} else {
		for i := range layered {
			if layered[i].Key == key {
				n = layered[i].Read(v, r, key, n)
			}
		}
	}
	if n != nil {
		c.enforce(v.seat, play.Policies{Said: []play.Said{{Key: key, Value: n}}})
	}
	return &View{game: &c, seat: v.seat, of: v.of}
}

// asking is the stop at which play stands.
func (p *battlefield) asking() play.Asking[*View] {
	return play.Asking[*View]{Asks: &p.owed, Left: &p.answered, View: p.view,
		Has:   func(side engine.Side) bool { return p.Phase != preparing && len(p.ruled[side].Said) > 0 },
		Order: func(side engine.Side) int { return slices.Index(p.seats(), side) }}
}
