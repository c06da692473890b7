package mistakes

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Standing orders and policies (section 5.1 of the digest): they answer a stop before the seat is
// asked. Where they don't fit, the seat is asked; the default is never taken instead.

// A standing is what a seat has ordered for all stops of a kind: cases, of which the first of a stop's key counts
// whose conditions hold.
type standing []standingCase

// A standingCase is one of them.
type standingCase struct {
	key   string           // and the kind of the stop
	asked []play.Condition // all must hold; none: it always holds
	said  said
}

// standingAsks are the measures of the conditions of standing orders: all but whether the enemy stands as
// where they were filed, for they are filed for good.
var standingAsks = slices.DeleteFunc(slices.Clone(outlookAsks), func(m play.Measure[*View, *scenario, outlook]) bool { return m.Key == "unchanged" })

// says is what standing orders say for a stop; nil if they say nothing.
func (v *View) says(kind string) *said {
	all := v.standings[seatArmy(v.side)]
	if !slices.ContainsFunc(all, func(c standingCase) bool { return c.key == kind }) {
		return nil
	}
	x := outlookOf(v, engine.Decision{}, true)
	for i := range all {
		if c := &all[i]; c.key == kind && standingAsks.Hold(x, c.asked) {
			return &c.said
		}
	}
	return nil
}

type orderKey[S any] = play.OrderKey[*View, *scenario, S]

// standingKeys are the keys of standing orders.
var standingKeys = func() (keys play.OrderKeys[*View, *scenario, standing]) {
	for i := range standingForms {
		keys = append(keys, standingForms[i].orderKey())
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

// alone is how what is said is written where it is no list of cases.
func (f *standingForm) alone() shape.Shape {
	words := shape.Words(append([]string{"ask", "default"}, f.words...)...)
	if f.shape == nil {
		return words
	}
	return shape.Either(words, f.shape)
}

// cases are how a list of cases is written: {of: 13, if: attacked, do: ..}, and {else: ..} as the last.
func (f *standingForm) cases() shape.Shape {
	return shape.Cases(subjects.Shape, standingAsks.Shape(), f.alone())
}

// orderKey is the key as standing orders have it.
func (f *standingForm) orderKey() orderKey[standing] {
	alone, cases := f.alone(), f.cases()
	return orderKey[standing]{Key: f.key, Shape: shape.Either(alone, cases),
		Read: func(v *View, r *orders.Reader, n *orders.Node, s *standing) {
			how, since := alone, len(r.Problems)
			if listsCases(r, n) {
				how = cases
			}
			shape.Read(r, n, how, v.Names)
			if len(r.Problems) > since {
				return
			}
			if all := f.readCases(v, r, n); len(r.Problems) == since {
				*s = append(*s, all...)
			}
		},
		Write: func(b *scenario, s *standing) *orders.Node {
			all := slices.DeleteFunc(slices.Clone(*s), func(c standingCase) bool { return c.key != f.key })
			if len(all) == 0 || len(all) == 1 && len(all[0].asked) == 0 {
				return f.node(b, all)
			}
			list := inLine(orders.Items())
			for i := range all {
				one, does := orders.Inline(), f.node(b, all[i:i+1])
				if len(all[i].asked) == 0 {
					list.Add(one.Set("else", does))
					continue
				}
				list.Add(one.Set("if", standingAsks.Write(b, all[i].asked)).Set("do", does))
			}
			return list
		},
	}
}

// listsCases says whether what is said is a list of cases.
func listsCases(r *orders.Reader, n *orders.Node) bool {
	return n.Kind == orders.List && slices.ContainsFunc(n.Items, func(item *orders.Node) bool {
		return r.Under(item, "do") != nil || r.Under(item, "else") != nil
	})
}

// readCases reads what is said, or the cases of a list. What stands behind the one for all else is
// refused, for it would never count.
func (f *standingForm) readCases(v *View, r *orders.Reader, n *orders.Node) (all standing) {
	if !listsCases(r, n) {
		return standing{{key: f.key, said: f.readSaid(v, r, n)}}
	}
	for i, item := range n.Items {
		one := standingCase{key: f.key}
		if of := r.Under(item, "of"); of != nil {
			one.asked = standingAsks.Read(v, r, orders.Inline().Set("of", of))
		}
		if asked := r.Under(item, "if"); asked != nil {
			one.asked = append(one.asked, standingAsks.Read(v, r, asked)...)
		}
		does := r.Under(item, "do")
		if does == nil {
			does = r.Under(item, "else")
		}
		if len(one.asked) == 0 && i < len(n.Items)-1 {
			r.Refuse(item, "", phrase.Say("play.else-last"))
		}
		one.said = f.readSaid(v, r, does)
		all = append(all, one)
	}
	return all
}

// readSaid reads a word, or what the key has in place of one.
func (f *standingForm) readSaid(v *View, r *orders.Reader, n *orders.Node) said {
	words := append([]string{"ask", "default"}, f.words...)
	if f.read == nil {
		word, _ := r.Word(n, words...)
		return said{word: word}
	}
	for _, word := range words {
		if n.Kind == orders.Scalar && r.Is(n, word) {
			return said{word: word}
		}
	}
	return f.read(v, r, n)
}

// node writes what the first of some cases says; nil if there is none.
func (f *standingForm) node(b *scenario, all []standingCase) *orders.Node {
	switch {
	case len(all) == 0:
		return nil
	case all[0].said.word != "":
		return orders.Text(all[0].said.word)
	}
	return f.write(b, &all[0].said)
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
		f := formOf(kind)
		p.Shape, p.Listed, p.Words = f.alone(), f.cases(), f.words
		if f.shown != "" {
			p.Words = append(slices.Clip(p.Words), f.shown)
		}
		p.Named = f.named
		all = append(all, p)
	}
	return all
}()

// meleeKinds are the stops of a melee, which may be answered ahead for one unit together (section 5.2 of the
// digest).
var meleeKinds = []string{stopSupport, stopReroll, stopLosses, stopPursue, stopCounter, stopReinforce, stopOutcome, stopWithdrawLoss}

// readPolicy judges what a policy says, and gives it in normal form.
func readPolicy(v *View, r *orders.Reader, key string, n *orders.Node) *orders.Node {
	var s standing
	k := keyOf(key)
	k.Read(v, r, n, &s)
	return k.Write(v.scenario, &s)
}

// enforce puts policies in force.
func (g *game) enforce(seat army, p play.Policies) {
	g.policies[seat] = p
	var s standing
	v := g.view(engine.Side(armyWords[seat]))
	for _, one := range p.Said {
		if one.Value.Kind != orders.Scalar || one.Value.Text != "ask" && one.Value.Text != "default" {
			keyOf(one.Key).Read(v, orders.NewReader(vocabulary), one.Value, &s)
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
	keyOf(key).Read(v, r, n, &s)
	return v.with(s)
}

// insists says whether standing orders want the seat to be asked.
func (v *View) insists(d engine.Decision) bool {
	s := v.says(d.Kind)
	return s != nil && s.word == "ask"
}

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
		if !p.Insists(d.Side, d.Kind) && len(p.standings[seatArmy(d.Side)]) > 0 {
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
