package napoleon

import (
	"slices"

	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How standing orders are written (section 6 of the digest): each key is declared once, for
// reading, for the normal form and for the shape.

type (
	orderKey[S any]       = play.OrderKey[*View, *scenario, S]
	orderKeys[S any]      = play.OrderKeys[*View, *scenario, S]
	namedBy[T comparable] = play.NamedBy[*View, *scenario, T]
)

// The things that standing orders name.
var (
	someTowns = namedBy[townID]{Shape: townShape,
		Read:  func(v *View, r *orders.Reader, n *orders.Node) (townID, bool) { return v.pickTown(r, n) },
		Write: func(sc *scenario, t townID) string { return sc.towns[t].name },
	}
	// exitTowns are towns, and any for all that are not named.
	exitTowns = namedBy[townID]{Shape: shape.Either(shape.Words("any"), townShape),
		Read: func(v *View, r *orders.Reader, n *orders.Node) (townID, bool) {
			if r.Is(n, "any") {
				return noTown, true
			}
			return someTowns.Read(v, r, n)
		},
		Write: func(sc *scenario, t townID) string {
			if t == noTown {
				return "any"
			}
			return someTowns.Write(sc, t)
		},
	}
	ownUnits = namedBy[unitID]{Shape: unitShape,
		Read:  func(v *View, r *orders.Reader, n *orders.Node) (unitID, bool) { return v.pickUnit(r, n, v.ownRoster()) },
		Write: func(sc *scenario, id unitID) string { return sc.roster[id].id },
	}
	// quarries are classes of units and units.
	quarries = namedBy[quarry]{Shape: shape.Either(shape.Words(classWords...), unitShape), Again: true,
		Read: func(v *View, r *orders.Reader, n *orders.Node) (quarry, bool) {
			for _, word := range classWords {
				if r.Is(n, word) {
					return quarry{class: word, unit: noUnit}, true
				}
			}
			id, ok := ownUnits.Read(v, r, n)
			return quarry{unit: id}, ok
		},
		Write: func(sc *scenario, q quarry) string {
			if q.class != "" {
				return q.class
			}
			return ownUnits.Write(sc, q.unit)
		},
	}
	// piecePlaces are left, center and right, counted from 1.
	piecePlaces = namedBy[int8]{Shape: columnShape,
		Read: func(_ *View, r *orders.Reader, n *orders.Node) (int8, bool) {
			word, ok := r.Word(n, placeWords[:]...)
			return int8(slices.Index(placeWords[:], word)) + 1, ok
		},
		Write: func(_ *scenario, at int8) string { return placeWords[at-1] },
	}
)

// atKey names the battle that an order is for; without it the order is for any battle.
func atKey[S any](key string, at func(*S) *townID) orderKey[S] {
	return play.AnyKey(key, "any", noTown, someTowns, at)
}

// noneKey is a key whose only value is that nothing is done.
func noneKey(key string, at func(*standing) *bool) orderKey[standing] {
	return orderKey[standing]{Key: key, Shape: shape.Words("none"),
		Read: func(_ *View, r *orders.Reader, n *orders.Node, s *standing) {
			if _, ok := r.Word(n, "none"); ok {
				*at(s) = true
			}
		},
		Write: func(_ *scenario, s *standing) *orders.Node {
			if !*at(s) {
				return nil
			}
			return orders.Text("none")
		},
	}
}

// unitsKey is a list of own units, of which each may be named once.
func unitsKey(key string, at func(*standing) *[]unitID) orderKey[standing] {
	return orderKey[standing]{Key: key, Shape: unitsShape,
		Read: func(v *View, r *orders.Reader, n *orders.Node, s *standing) {
			*at(s), _ = v.unitsOf(r, n, v.ownRoster())
		},
		Write: func(sc *scenario, s *standing) *orders.Node {
			if len(*at(s)) == 0 {
				return nil
			}
			return sc.unitTexts(*at(s))
		},
	}
}

// terrainKeys say where each piece of terrain is laid.
var terrainKeys = func() orderKeys[standing] {
	var keys orderKeys[standing]
	for what := wood; what <= hill; what++ {
		keys = append(keys, play.NamedKey(what.String(), piecePlaces, func(s *standing) *int8 { return &s.pieces[what] }))
	}
	return append(keys, orderKey[standing]{Key: "else", Shape: shape.Words("first-free"),
		Read: func(_ *View, r *orders.Reader, n *orders.Node, s *standing) { _, s.elseFree = r.Word(n, "first-free") },
		Write: func(_ *scenario, s *standing) *orders.Node {
			if !s.elseFree {
				return nil
			}
			return orders.Text("first-free")
		}})
}()

// standingKeys are the standing orders, in the order of normal form.
var standingKeys = play.OrderList[*View, *scenario, standing]{Most: mostOrders, Many: "nap.standing-many", Keys: orderKeys[standing]{
	play.InnerKey("casualties", orderKeys[standing]{
		play.ListKey("lose-first", "", quarries, func(s *standing) *[]quarry { return &s.loseFirst }),
		play.ListKey("spare", "", quarries, func(s *standing) *[]quarry { return &s.spareLast }),
	}, someCasualties),
	play.EachKey("retreat-to", retreatOrder{at: noTown}, orderKeys[retreatOrder]{
		atKey("at", func(o *retreatOrder) *townID { return &o.at }),
		play.AlwaysKey(play.NeedKey(play.ListKey("towns", "", exitTowns, func(o *retreatOrder) *[]townID { return &o.towns }))),
	}, func(s *standing) *[]retreatOrder { return &s.retreats }, nil),
	play.ListKey("sacrifice", "", quarries, func(s *standing) *[]quarry { return &s.sacrifices }),
	noneKey("regroup", func(s *standing) *bool { return &s.noRegroup }),
	reinforceKey,
	play.InnerKey("skirmish", orderKeys[standing]{{Key: "show", Need: true, Shape: shape.Either(shape.Words(showWords...), unitsShape), Read: readShow, Write: writeShow}}, nil),
	{Key: "battle-order", Shape: shape.Filled(shape.Either(shape.Words("rest"), townShape)), Read: readBattleOrder, Write: writeBattleOrder},
	{Key: "morale-order", Shape: shape.Filled(shape.Either(columnShape, unitShape)), Read: readMorale, Write: writeMorale},
	play.InnerKey("terrain", terrainKeys, nil),
	unitsKey("supply-losses", func(s *standing) *[]unitID { return &s.supplyLosses }),
	{Key: "bid", Each: ceilingNodes},
	{Key: "reinforce", Each: bringKey.Each},
	play.EachKey("deploy", deployOrder{}, deployKeys, func(s *standing) *[]deployOrder { return &s.deploys }, someStation),
	play.EachKey("plan", plan{column: -1}, planKeys, func(s *standing) *[]plan { return &s.plans }, wholePlan),
	play.EachKey("moves", movesOrder{}, movesKeys, func(s *standing) *[]movesOrder { return &s.moves }, nil),
	{Key: "bid", Shape: ceilingShape, Many: true, Read: readCeiling},
}}

// someCasualties demands that the order says which units are hit first, or which are spared.
func someCasualties(r *orders.Reader, n *orders.Node, s *standing) {
	if n.Kind == orders.Map && r.Under(n, "lose-first") == nil && r.Under(n, "spare") == nil {
		r.Require(orders.Fields{Node: n}, "lose-first")
	}
}

// bringKey says which reinforcements come.
var bringKey = play.EachKey("reinforce", bringOrder{to: noTown}, orderKeys[bringOrder]{
	play.NeedKey(atKey("to", func(o *bringOrder) *townID { return &o.to })),
	fromKey(),
	play.CountKey[*View, *scenario]("keep", "", false, 0, mostNamed, unitsThere, func(o *bringOrder) *int { return &o.keep }),
	play.CountKey[*View, *scenario]("per-turn", "max", true, 1, mostNamed, unitsThere, func(o *bringOrder) *int { return &o.perTurn }),
}, func(s *standing) *[]bringOrder { return &s.brings }, nil)

// fromKey says from which towns they come; without it they come from any town.
func fromKey() orderKey[bringOrder] {
	key := play.ListKey("from", "any", someTowns, func(o *bringOrder) *[]townID { return &o.from })
	write := key.Write
	key.Write = func(sc *scenario, o *bringOrder) *orders.Node {
		if len(o.from) == 0 {
			return nil
		}
		return write(sc, o)
	}
	return key
}

// mostNamed is more than any scenario has units or turns.
const mostNamed = 999

// unitsThere is how many units there are.
func unitsThere(v *View) int { return len(v.roster) }

// reinforceKey is none, or which reinforcements come, which may be given several times.
var reinforceKey = func() orderKey[standing] {
	none := noneKey("reinforce", func(s *standing) *bool { return &s.noReinforce })
	return orderKey[standing]{Key: "reinforce", Shape: shape.Either(none.Shape, bringKey.Shape), Many: true, Write: none.Write,
		Read: func(v *View, r *orders.Reader, n *orders.Node, s *standing) {
			if n.Kind == orders.Map {
				bringKey.Read(v, r, n, s)
			} else {
				none.Read(v, r, n, s)
			}
		},
	}
}()

// showWords are the ways to choose the units that are shown in a skirmish.
var showWords = []string{"strongest", "weakest"}

// readShow reads whom to show.
func readShow(v *View, r *orders.Reader, n *orders.Node, s *standing) {
	if n.Kind == orders.List {
		s.show = showListed
		s.showUnits, _ = v.unitsOf(r, n, v.ownRoster())
	} else if word, ok := r.Word(n, showWords...); ok {
		s.show = showStrongest + showing(slices.Index(showWords, word))
	}
}

func writeShow(sc *scenario, s *standing) *orders.Node {
	switch s.show {
	case showAsk:
		return nil
	case showListed:
		return sc.unitTexts(s.showUnits)
	}
	return orders.Text(showWords[s.show-showStrongest])
}

// readBattleOrder reads towns, and the word rest for the others.
func readBattleOrder(v *View, r *orders.Reader, n *orders.Node, s *standing) {
	for _, item := range r.List(n) {
		if r.Is(item, "rest") {
			s.battlesRest = true
		} else if t, ok := v.pickTown(r, item); ok {
			s.battles = append(s.battles, t)
		}
	}
}

func writeBattleOrder(sc *scenario, s *standing) *orders.Node {
	if len(s.battles) == 0 && !s.battlesRest {
		return nil
	}
	n := someTowns.Texts(sc, s.battles)
	if s.battlesRest {
		n.Add(orders.Text("rest"))
	}
	return n
}

// readMorale reads the order of morale rolls: left, center and right, or units.
func readMorale(v *View, r *orders.Reader, n *orders.Node, s *standing) {
	for _, item := range r.List(n) {
		place := slices.IndexFunc(placeWords[:], func(word string) bool { return r.Is(item, word) })
		if place >= 0 {
			if !slices.Contains(s.moralePlaces, place) {
				s.moralePlaces = append(s.moralePlaces, place)
			}
		} else if id, ok := ownUnits.Read(v, r, item); ok && !containsUnit(s.moraleUnits, id) {
			s.moraleUnits = append(s.moraleUnits, id)
		}
	}
	if len(s.moralePlaces) > 0 && len(s.moraleUnits) > 0 {
		r.Refuse(n, "NAP-6.31c", phrase.Say("nap.standing-morale-mixed"))
	}
}

func writeMorale(sc *scenario, s *standing) *orders.Node {
	if len(s.moralePlaces)+len(s.moraleUnits) == 0 {
		return nil
	}
	n := sc.unitTexts(s.moraleUnits)
	for _, i := range s.moralePlaces {
		n.Add(orders.Text(placeWords[i]))
	}
	return n
}
