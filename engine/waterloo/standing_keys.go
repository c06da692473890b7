package waterloo

import (
	"slices"
	"strings"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How standing orders are written (section 5.3 of the digest): each key is declared once,
// for reading and for the normal form.

type (
	orderKey[S any]       = play.OrderKey[*View, *scenario, S]
	orderKeys[S any]      = play.OrderKeys[*View, *scenario, S]
	namedBy[T comparable] = play.NamedBy[*View, *scenario, T]
)

// ofThose names units among some.
func ofThose(among func(*View) []unitID) namedBy[unitID] {
	return namedBy[unitID]{Shape: unitShape,
		Read:  func(v *View, r *orders.Reader, n *orders.Node) (unitID, bool) { return v.nameUnit(r, n, among(v)) },
		Write: func(sc *scenario, id unitID) string { return sc.def(id).id },
	}
}

// The things that standing orders name.
var (
	ownUnits    = ofThose((*View).ofArmies)
	campUnits   = ofThose(func(v *View) []unitID { return v.ofCamp(v.camp()) })
	enemyUnits  = ofThose(func(v *View) []unitID { return v.ofCamp(v.camp().enemy()) })
	ownCavalry  = namedBy[unitID]{Shape: unitShape, Read: readCavalryUnit, Write: ownUnits.Write}
	someSquares = namedBy[square]{Shape: squareShape,
		Read:  func(v *View, r *orders.Reader, n *orders.Node) (square, bool) { return v.nameSquare(r, n) },
		Write: func(sc *scenario, q square) string { return sc.squareID(q) },
	}
	directions = namedBy[facing]{Shape: faceShape,
		Read: func(_ *View, r *orders.Reader, n *orders.Node) (facing, bool) {
			f := readFace(r, n)
			return f, f != noFacing
		},
		Write: func(_ *scenario, f facing) string { return strings.ToUpper(facingKeys[f]) },
	}
	alliedArmies = namedBy[army]{Shape: shape.Words("anglo", "prussian"),
		Read: func(_ *View, r *orders.Reader, n *orders.Node) (army, bool) {
			word, ok := r.Word(n, "anglo", "prussian")
			a, _ := armyNamed(word)
			return a, ok
		},
		Write: func(_ *scenario, a army) string { return a.String() },
	}
)

// readCavalryUnit reads one of the seat's units that is cavalry.
func readCavalryUnit(v *View, r *orders.Reader, n *orders.Node) (unitID, bool) {
	id, ok := ownUnits.Read(v, r, n)
	if ok && v.def(id).arm != cavalry {
		r.Refuse(n, "WAT-9.50", phrase.Say("wat.standing-cavalry", v.unitArg("unit", id)))
	}
	return id, ok
}

// faceKey is a facing; none is written as keep, or left out.
func faceKey[S any](keep bool, at func(*S) *facing) orderKey[S] {
	return orderKey[S]{Key: "face", Shape: faceShape,
		Read: func(_ *View, r *orders.Reader, n *orders.Node, s *S) { *at(s) = readFace(r, n) },
		Write: func(sc *scenario, s *S) *orders.Node {
			switch {
			case *at(s) != noFacing:
				return orders.Text(directions.Write(sc, *at(s)))
			case keep:
				return orders.Text("keep")
			}
			return nil
		},
	}
}

// rulesKey is a list of rules.
func rulesKey[S, T any](keys orderKeys[T], at func(*S) *[]T, whole func(*orders.Reader, *orders.Node, *T)) orderKey[S] {
	return play.RulesKey("rules", mostRules, "wat.standing-many", keys, at, whole)
}

// The keys of standing orders.
var (
	standingKeys = orderKeys[standing]{
		play.InnerKey("initiative", orderKeys[standing]{{Key: "bid", Need: true, Shape: bidOrderShape, Read: readBidOrder, Write: writeBidOrder}}, nil),
		armyKey(play.InnerKey("army", orderKeys[standing]{play.NeedKey(play.ListKey("prefer", "", alliedArmies, func(s *standing) *[]army { return &s.Army }))}, nil)),
		gunsKey(play.MapKey("artillery", false, gunKeys, func(s *standing) **gunOrders { return &s.Artillery })),
		endKey(play.MapKey("cavalry-retreat", false, cavalryKeys, func(s *standing) **cavalryOrders { return &s.Cavalry }), func(s *standing) *bool { return &s.Cavalry.Unsaid }),
		endKey(play.MapKey("battle", false, battleKeys, func(s *standing) **battleOrders { return &s.Battle }), func(s *standing) *bool { return &s.Battle.Unsaid }),
		endKey(play.MapKey("loss", false, lossKeys, func(s *standing) **lossOrders { return &s.Loss }), func(s *standing) *bool { return &s.Loss.Unsaid }),
		bestKey(play.MapKey("advance", true, orderKeys[followOrders]{
			play.ListKey("prefer", "", ownUnits, func(o *followOrders) *[]unitID { return &o.Prefer }),
			faceKey(true, func(o *followOrders) *facing { return &o.Face }),
		}, func(s *standing) **followOrders { return &s.Advance })),
		play.ListKey("attacker-loss", "", ownUnits, func(s *standing) *[]unitID { return &s.AttackerLoss }),
		play.InnerKey("commander", orderKeys[standing]{play.NeedKey(play.ListKey("to", "", campUnits, func(s *standing) *[]unitID { return &s.Commander }))}, nil),
	}
	gunKeys = orderKeys[gunOrders]{
		{Key: "fire", Shape: shape.Words("best"), Read: readBestFire, Write: func(_ *scenario, o *gunOrders) *orders.Node { return bestWord(o.Best) }},
		{Key: "windows", Shape: windowsShape, Read: readWindows, Write: func(_ *scenario, o *gunOrders) *orders.Node { return o.windows() }},
		play.NumberKey[*View, *scenario]("keep", 0, 99, func(o *gunOrders) *int { return &o.Keep }),
		rulesKey(orderKeys[gunRule]{
			play.IfKey(aimedAt, "any", true, ofGuns),
			play.IfKey(inState, "", false, ofGuns),
			play.IfKey(firedBy, "any", true, ofGuns),
			play.IfKey(firedWhen, "any", false, ofGuns),
		}, func(o *gunOrders) *[]gunRule { return &o.Rules }, nil),
	}
	cavalryKeys = orderKeys[cavalryOrders]{
		saidKey(play.WordKey[*View, *scenario]("default", retreatWords[:], true, func(o *cavalryOrders) *retreatHow { return &o.Default }), func(o *cavalryOrders) bool { return !o.Unsaid }),
		rulesKey(orderKeys[cavalryRule]{
			play.NeedKey(play.NamedKey("unit", ownCavalry, func(r *cavalryRule) *unitID { return &r.Unit })),
			play.NeedKey(play.WordKey[*View, *scenario]("do", retreatWords[:], true, func(r *cavalryRule) *retreatHow { return &r.Do })),
			play.ListKey("to", "", directions, func(r *cavalryRule) *[]facing { return &r.To }),
			faceKey(false, func(r *cavalryRule) *facing { return &r.Face }),
		}, func(o *cavalryOrders) *[]cavalryRule { return &o.Rules }, nil),
	}
	battleKeys = orderKeys[battleOrders]{
		saidKey(play.FlagKey[*View, *scenario]("default", "ask", "none", true, func(o *battleOrders) *bool { return &o.None }), func(o *battleOrders) bool { return !o.Unsaid }),
		rulesKey(orderKeys[battleRule]{
			play.NeedKey(play.IfKey(fightingUnit, "", false, ofBattles)),
			{Key: "reach", Need: true, Shape: reachShape, Read: readReach, Write: writeReach},
			play.NumberKey[*View, *scenario]("max-cards", 1, 99, func(r *battleRule) *int { return &r.MaxCards }),
			play.NumberKey[*View, *scenario]("max-bp", 1, 99, func(r *battleRule) *int { return &r.MaxBP }),
			play.ListKey("use", "", play.OneOf[*View, *scenario, use](useWords[:]), func(r *battleRule) *[]use { return &r.Use }),
			play.FlagKey[*View, *scenario]("artillery", "strongest", "weakest", false, func(r *battleRule) *bool { return &r.Weakest }),
			play.FlagKey[*View, *scenario]("if-short", "none", "all", true, func(r *battleRule) *bool { return &r.All }),
		}, func(o *battleOrders) *[]battleRule { return &o.Rules }, usesBattle),
	}
	lossKinds = play.OneOf[*View, *scenario, lossKind](lossWords[:])
	lossKeys  = orderKeys[lossOrders]{
		saidKey(play.ListKey("default", "ask", lossKinds, func(o *lossOrders) *[]lossKind { return &o.Default }), func(o *lossOrders) bool { return !o.Unsaid }),
		rulesKey(orderKeys[lossRule]{
			play.IfKey(losingUnit, "", false, ofLosses),
			play.IfKey(losingSquare, "", false, ofLosses),
			play.NeedKey(play.ListKey("order", "", lossKinds, func(r *lossRule) *[]lossKind { return &r.Order })),
			play.ListKey("to", "", directions, func(r *lossRule) *[]facing { return &r.To }),
			faceKey(false, func(r *lossRule) *facing { return &r.Face }),
		}, func(o *lossOrders) *[]lossRule { return &o.Rules }, ofWhom),
	}
)

// ofGuns gives the conditions of such a rule, as ofBattles and ofLosses do.
func ofGuns(r *gunRule) *[]condition       { return &r.If }
func ofBattles(r *battleRule) *[]condition { return &r.If }
func ofLosses(r *lossRule) *[]condition    { return &r.If }

// usesBattle gives a rule that names no use the use battle: the cards' battle points.
func usesBattle(_ *orders.Reader, _ *orders.Node, rule *battleRule) {
	if len(rule.Use) == 0 {
		rule.Use = []use{asBattle}
	}
}

// ofWhom demands that a rule of losses says for which unit it is, or for which square.
func ofWhom(r *orders.Reader, item *orders.Node, rule *lossRule) {
	if item.Kind == orders.Map && r.Under(item, "unit") == nil && r.Under(item, "square") == nil {
		r.Require(orders.Fields{Node: item}, "unit")
	}
}

// armyKey makes a key one for seats that may have to choose an army.
func armyKey(one orderKey[standing]) orderKey[standing] {
	read := one.Read
	one.Read = func(v *View, r *orders.Reader, n *orders.Node, s *standing) {
		if v.camp() != alliedCamp {
			r.Refuse(n, "WAT-6.6", phrase.Say("wat.standing-army"))
			return
		}
		read(v, r, n, s)
	}
	return one
}

// reachShape is how the goal of a rule is written.
var reachShape = shape.Either(shape.Words("tie"), shape.Record(shape.Need("margin", shape.Number(0, 99))))

// readReach reads the goal of a rule: a tie, or {margin: n}.
func readReach(_ *View, r *orders.Reader, n *orders.Node, rule *battleRule) {
	if n.Kind != orders.Map {
		r.Word(n, "tie")
	} else if k := r.Require(r.Fields(n, "margin"), "margin"); k != nil {
		rule.Margin, _ = r.Int(k, 0, 99)
	}
}

func writeReach(_ *scenario, rule *battleRule) *orders.Node {
	if rule.Margin == 0 {
		return orders.Text("tie")
	}
	return orders.Inline().Set("margin", orders.Number(rule.Margin))
}

// leastKeys are the keys of a bid by the least number of movement points.
var leastKeys = orderKeys[bidOrder]{
	play.NeedKey(play.NumberKey[*View, *scenario]("min-mp", 1, 99, func(o *bidOrder) *int { return &o.MinMP })),
	play.ListKey("keep", "", namedBy[action]{Shape: shape.Words(keptWords[1:]...),
		Read: func(_ *View, r *orders.Reader, n *orders.Node) (action, bool) {
			word, ok := r.Word(n, keptWords[1:]...)
			return action(slices.Index(keptWords, word)), ok
		},
		Write: func(_ *scenario, a action) string { return keptWords[a] },
	}, func(o *bidOrder) *[]action { return &o.Keep }),
}

// bidOrderShape is how a bid is written.
var bidOrderShape = shape.Either(shape.Words("none", "lowest", "highest", "ask"), cardShape, leastKeys.Shape())

// readBidOrder reads none, lowest, highest, ask, a card, or {min-mp, keep}.
func readBidOrder(v *View, r *orders.Reader, n *orders.Node, s *standing) {
	o := &s.Bid
	if n.Kind == orders.Map {
		o.How = bidAtLeast
		leastKeys.Read(v, r, n, o)
		return
	}
	for how, word := range bidWords {
		if word != "" && r.Is(n, word) {
			if o.How = bidHow(how); o.How == bidAsk && v.hasPolicies(v.side) {
				o.How = bidAsked
			}
			return
		}
	}
	if c, ok := v.nameCard(r, n); ok {
		o.How, o.Card = bidCard, c
	}
}

// bidWords are the ways to bid that are a word.
var bidWords = [...]string{bidAsk: "ask", bidNone: "none", bidLowest: "lowest", bidHighest: "highest"}

func writeBidOrder(sc *scenario, s *standing) *orders.Node {
	switch o := &s.Bid; o.How {
	case bidAsk:
		return nil
	case bidAsked:
		return orders.Text("ask")
	case bidCard:
		return orders.Text(sc.card(o.Card).id)
	case bidAtLeast:
		return leastKeys.Write(sc, o, orders.Inline())
	default:
		return orders.Text(bidWords[o.How])
	}
}

// keptWords are the keywords of actions, by action.
var keptWords = []string{noAction: "none", artilleryFire: "artillery", commandBonus: "command", eliteBonus: "elite",
	cavalryCharge: "charge", mustCharge: "must-charge", reorganise: "reorganise", napoleonsHealth: "health"}

// windowPolicies are what may be done in a window.
var windowPolicies = []string{"hold", "ask", "if-useful"}

// windowsShape is how it is written what is done in each window.
var windowsShape = func() shape.Shape {
	one := shape.Words(windowPolicies...)
	var keys []shape.Key
	for _, word := range windowWords[atRoundStart:] {
		keys = append(keys, shape.May(word, one))
	}
	return shape.Either(one, shape.Record(keys...))
}()

// readWindows reads what is done in each window, or one word for all of them.
func readWindows(_ *View, r *orders.Reader, n *orders.Node, o *gunOrders) {
	what := func(n *orders.Node) windowPolicy {
		word, _ := r.Word(n, windowPolicies...)
		switch word {
		case "hold":
			return windowHold
		case "if-useful":
			return windowUseful
		}
		return windowAsk
	}
	if n.Kind == orders.Scalar {
		all := what(n)
		for i := atRoundStart; i <= atRevealed; i++ {
			o.Windows[i] = all
		}
		return
	}
	w := r.Fields(n, windowWords[atRoundStart:]...)
	for i := atRoundStart; i <= atRevealed; i++ {
		if policy := w.Get(windowWords[i]); policy != nil {
			o.Windows[i] = what(policy)
		}
	}
}

// endKey leaves what no rule answers to the policy of a seat that has policies, if the
// order has no default; without any the seat is asked.
func endKey(one orderKey[standing], unsaid func(*standing) *bool) orderKey[standing] {
	read := one.Read
	one.Read = func(v *View, r *orders.Reader, n *orders.Node, s *standing) {
		read(v, r, n, s)
		*unsaid(s) = v.hasPolicies(v.side) && r.Under(n, "default") == nil
	}
	return one
}

// saidKey is a key that is written only where it was said.
func saidKey[S any](one orderKey[S], said func(*S) bool) orderKey[S] {
	write := one.Write
	one.Write = func(sc *scenario, s *S) *orders.Node {
		if !said(s) {
			return nil
		}
		return write(sc, s)
	}
	return one
}

// gunsKey leaves the windows that are not named to the policy of a seat that has
// policies; without any the seat is asked.
func gunsKey(one orderKey[standing]) orderKey[standing] {
	read := one.Read
	one.Read = func(v *View, r *orders.Reader, n *orders.Node, s *standing) {
		read(v, r, n, s)
		o := s.Artillery
		if o.Best && n.Get("windows") != nil {
			r.Refuse(n, "", phrase.Say("wat.standing-fire-windows"))
		}
		if !v.hasPolicies(v.side) {
			return
		}
		named := r.Under(n, "windows")
		for i := atRoundStart; i <= atRevealed; i++ {
			if named == nil || named.Kind == orders.Map && r.Under(named, windowWords[i]) == nil {
				o.Windows[i] = windowUnsaid
			}
		}
	}
	return one
}

// readBestFire reads the only way to fire that is a word.
func readBestFire(_ *View, r *orders.Reader, n *orders.Node, o *gunOrders) {
	_, o.Best = r.Word(n, "best")
}

// bestWord writes the word best.
func bestWord(is bool) *orders.Node {
	if !is {
		return nil
	}
	return orders.Text("best")
}

// bestKey accepts the word best in place of a preference.
func bestKey(one orderKey[standing]) orderKey[standing] {
	one.Shape = shape.Either(shape.Words("best"), one.Shape)
	read, write := one.Read, one.Write
	one.Read = func(v *View, r *orders.Reader, n *orders.Node, s *standing) {
		if r.Is(n, "best") {
			s.Advance = &followOrders{Best: true}
			return
		}
		read(v, r, n, s)
	}
	one.Write = func(sc *scenario, s *standing) *orders.Node {
		if s.Advance != nil && s.Advance.Best {
			return bestWord(true)
		}
		return write(sc, s)
	}
	return one
}

// windows writes what is done in each window.
func (o *gunOrders) windows() *orders.Node {
	n := orders.Inline()
	for i := atRoundStart; i <= atRevealed && !o.Best; i++ {
		switch o.Windows[i] {
		case windowHold:
			n.Set(windowWords[i], orders.Text("hold"))
		case windowAsk:
			n.Set(windowWords[i], orders.Text("ask"))
		case windowUseful:
			n.Set(windowWords[i], orders.Text("if-useful"))
		}
	}
	if len(n.Pairs) == 0 {
		return nil
	}
	return n
}
