package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// Standing orders and policies (section 5.1 of the digest): they answer a stop before the seat is
// asked. Where they don't fit, the seat is asked; the default is never taken instead.

// A standing is what a seat has ordered for all stops of a kind, by the keys of [wordOrders]: the
// number of the word, from 1; 0 is nothing, and 1 the word ask.
type standing struct {
	said   [mostWordOrders]int8
	bid    int // keep so many of the draw, if it is negative; else bid so many
	behind int // re-roll if behind by so many; 0: nothing is said
}

// mostWordOrders is how many keys of words there may be.
const mostWordOrders = 16

// A wordOrder is a key of standing orders that is one of some words.
type wordOrder struct {
	key   string // and the kind of the stop
	words []string
}

// wordOrders are the keys that are one of some words besides ask.
var wordOrders = []wordOrder{
	{stopEntry, []string{"columns"}},
	{stopShelled, standWords},
	{stopOrders, []string{"keep"}},
	{stopInterrupt, []string{"none"}},
	{stopLimberedGun, standWords},
	{stopUnlimberedGun, []string{"stand"}},
	{stopSide, sideWords},
	{stopUnlimber, []string{"all", "none"}},
	{stopSupport, []string{"all", "none"}},
	{stopPursue, []string{"always", "never", "cavalry", "infantry"}},
	{stopCounter, []string{"always", "never"}},
	{stopReinforce, []string{"none"}},
	{stopOutcome, []string{"lowest", "highest"}},
	{stopWithdrawLoss, []string{"most-capacity"}},
	{stopEscape, []string{"away"}},
}

// of gives the word that standing orders say for a stop; "" for none.
func (s *standing) of(key string) string {
	for i := range wordOrders {
		if n := s.said[i]; wordOrders[i].key == key && n > 1 {
			return wordOrders[i].words[n-2]
		}
	}
	return ""
}

// asks says whether standing orders say ask for a stop.
func (s *standing) asks(key string) bool {
	i := slices.IndexFunc(wordOrders, func(o wordOrder) bool { return o.key == key })
	return i >= 0 && s.said[i] == 1
}

type (
	orderKey[S any]        = play.OrderKey[*View, *scenario, S]
	standingKeyList[S any] = play.OrderKeys[*View, *scenario, S]
)

// standingKeys are the keys of standing orders.
var standingKeys = func() standingKeyList[standing] {
	keys := standingKeyList[standing]{bidKey, rerollKey}
	for i := range wordOrders {
		keys = append(keys, wordKey(i))
	}
	return keys
}()

// keyOf finds a key of standing orders; nil for a stop that has none.
func keyOf(kind string) *orderKey[standing] {
	for i := range standingKeys {
		if standingKeys[i].Key == kind {
			return &standingKeys[i]
		}
	}
	return nil
}

// wordKey is one of the keys of [wordOrders].
func wordKey(i int) orderKey[standing] {
	words := append([]string{"ask"}, wordOrders[i].words...)
	return orderKey[standing]{Key: wordOrders[i].key, Shape: shape.Words(words...),
		Read: func(_ *View, r *orders.Reader, n *orders.Node, s *standing) {
			if word, ok := r.Word(n, words...); ok {
				s.said[i] = int8(slices.Index(words, word) + 1)
			}
		},
		Write: func(_ *scenario, s *standing) *orders.Node {
			if s.said[i] == 0 {
				return nil
			}
			return orders.Text(words[s.said[i]-1])
		},
	}
}

// bidKey is how many markers are bid: {keep: 2} of the draw, or {fixed: 3}.
var bidKey = orderKey[standing]{Key: stopBid, Shape: shape.Verbs(shape.May("keep", shape.Number(1, 99)), shape.May("fixed", shape.Number(1, 99))),
	Read: func(_ *View, r *orders.Reader, n *orders.Node, s *standing) {
		key, value := r.Only(n, "keep", "fixed")
		if value == nil {
			return
		}
		if s.bid, _ = r.Int(value, 1, 99); key == "keep" {
			s.bid = -s.bid
		}
	},
	Write: func(_ *scenario, s *standing) *orders.Node {
		switch {
		case s.bid < 0:
			return orders.Inline().Set("keep", orders.Number(-s.bid))
		case s.bid > 0:
			return orders.Inline().Set("fixed", orders.Number(s.bid))
		}
		return nil
	},
}

// rerollKey is by how much a side must be behind to roll again: {losing-by: 2}.
var rerollKey = orderKey[standing]{Key: stopReroll, Shape: shape.Verbs(shape.May("losing-by", shape.Number(1, 9))),
	Read: func(_ *View, r *orders.Reader, n *orders.Node, s *standing) {
		if _, value := r.Only(n, "losing-by"); value != nil {
			s.behind, _ = r.Int(value, 1, 9)
		}
	},
	Write: func(_ *scenario, s *standing) *orders.Node {
		if s.behind == 0 {
			return nil
		}
		return orders.Inline().Set("losing-by", orders.Number(s.behind))
	},
}

// readStanding judges the standing key of an order file and gives it in normal form; nil if the
// file has none.
var readStanding = play.Instructions(standingKeys, func(v *View) *scenario { return v.scenario })

// seatArmy is the army after which a seat is called; none for the game master and the public.
func seatArmy(side engine.Side) army { return army(max(slices.Index(armyWords, string(side)), 0)) }

// adopt puts standing orders in force in place of the old, and policies that change.
func (g *game) adopt(side engine.Side, given play.Standing) {
	seat := seatArmy(side)
	if given.Node != nil {
		g.standings[seat] = play.ReadOrders(standingKeys, g.view(side), orders.NewReader(vocabulary), given.Node)
	}
	g.enforce(seat, declared.Change(g.policies[seat], given.Policies))
}

// Instruct implements [engine.Instructed].
func (g *game) Instruct(side engine.Side, a engine.Answer) error {
	given, err := play.StandingOf(a, side, g.Sides())
	if err == nil {
		g.adopt(side, given)
	}
	return err
}

// A policy is one key of policies.
type policy = play.Policy[*View]

// policyTable are the policies in the order of the stops. At the pace postal a seat is asked what it
// does in its own share of a turn, and the default answers what comes up in between.
var policyTable = func() []policy {
	var all []policy
	for _, kind := range []string{stopBid, stopSubstitute, stopEntry, stopFire, stopShelled, stopAssign, stopOrders, stopManoeuvres, stopInterrupt,
		stopLimberedGun, stopUnlimberedGun, stopSide, stopUnlimber, stopCombat, stopSupport, stopReroll, stopLosses, stopPursue, stopCounter,
		stopReinforce, stopOutcome, stopWithdrawLoss, stopEscape} {
		p := policy{Key: kind, Stops: []string{kind}, Postal: "default", Read: readPolicy}
		switch kind {
		case stopBid, stopSubstitute, stopEntry, stopFire, stopAssign, stopOrders, stopManoeuvres, stopUnlimber, stopCombat:
			p.Postal = "ask"
		}
		if key := keyOf(kind); key != nil {
			p.Shape = key.Shape
		}
		for _, one := range wordOrders {
			if one.key == kind {
				p.Words = one.words
			}
		}
		switch kind {
		case stopBid:
			p.Words = []string{"{keep: 2}", "{fixed: 3}"}
		case stopReroll:
			p.Words = []string{"{losing-by: 2}"}
		}
		all = append(all, p)
	}
	return all
}()

// readPolicy judges what a policy says, and gives it in normal form.
func readPolicy(v *View, r *orders.Reader, key string, n *orders.Node) *orders.Node {
	k := keyOf(key)
	if k == nil {
		r.Word(n, "ask", "default")
		return nil
	}
	var s standing
	k.Read(v, r, n, &s)
	return k.Write(v.scenario, &s)
}

// enforce puts policies in force.
func (g *game) enforce(seat army, p play.Policies) {
	g.policies[seat] = p
	var s standing
	for _, one := range p.Said {
		if k := keyOf(one.Key); k != nil && (one.Value.Kind != orders.Scalar || one.Value.Text != "ask" && one.Value.Text != "default") {
			k.Read(nil, orders.NewReader(vocabulary), one.Value, &s)
		}
	}
	g.ruled[seat] = s
}

// layer gives the policies of the view's side, and the view with them in place of its standing
// orders.
func (v *View) layer() (play.Policies, func() *View) {
	seat := seatArmy(v.side)
	if seat == noArmy {
		return play.Policies{}, nil
	}
	return v.policies[seat], func() *View { return v.with(v.ruled[seat]) }
}

// with is the view with other standing orders of its side.
func (v *View) with(s standing) *View {
	c := *v.game
	c.standings[seatArmy(v.side)] = s
	return &View{game: &c, side: v.side}
}

// saying gives the view with what one policy is to say in place of the standing orders of its side.
func (v *View) saying(r *orders.Reader, key string, n *orders.Node) *View {
	var s standing
	if k := keyOf(key); k != nil {
		k.Read(v, r, n, &s)
	} else {
		r.Word(n, "ask", "default")
	}
	return v.with(s)
}

// insists says whether standing orders want the seat to be asked.
func (v *View) insists(d engine.Decision) bool { return v.standings[seatArmy(v.side)].asks(d.Kind) }

// standingNode writes the standing orders of the view's side.
func (v *View) standingNode() *orders.Node {
	if seatArmy(v.side) == noArmy {
		return nil
	}
	return standingKeys.Normal(v.scenario, &v.standings[seatArmy(v.side)])
}

// asking is the stop at which play stands.
func (p *battlefield) asking() play.Asking[*View] {
	return play.Asking[*View]{Asks: &p.owed, Left: &p.answered, View: p.view,
		Has:   func(side engine.Side) bool { return p.policies[seatArmy(side)].Any() },
		Order: func(side engine.Side) int { return slices.Index(p.seats(), side) }}
}

// byOrders lets standing orders answer the stop that has just been opened, as far as they settle it.
// What they say waits until those have answered who are still asked.
func (p *battlefield) byOrders() {
	var open []engine.Decision
	var all []play.Answer
	for _, d := range p.owed {
		if !p.Insists(d.Side, d.Kind) && p.standings[seatArmy(d.Side)] != (standing{}) {
			if reply, key, ok := declared.Ordered(p.view(d.Side), d); ok {
				p.Tell("", play.To([]engine.Side{d.Side}, "em.standing-used", standingArgs(d.Kind, key)...))
				all = append(all, play.Answer{To: d, Reply: reply})
				continue
			}
		}
		open = append(open, d)
	}
	p.owed = open
	for _, a := range all {
		if len(open) > 0 {
			p.answered = append(p.answered, play.Left{To: a.To, Body: a.Reply.Node()})
		} else {
			stops[a.To.Kind].Take(p, a.To, a.Reply)
		}
	}
}
