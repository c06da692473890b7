package napoleon

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// standing is a side's standing orders: they answer a stop before the side is
// asked, as far as they say exactly what is to be done (section 6 of the
// digest). Where they don't fit, the side is asked; never is the default taken
// instead.
type standing struct {
	loseFirst, spareLast []quarry       // casualties
	retreats             []retreatOrder // retreat-to
	sacrifices           []quarry       // sacrifice
	noRegroup            bool           // regroup: none
	noReinforce          bool           // reinforce: none
	show                 showing        // skirmish
	showUnits            []unitID       // skirmish, of showListed
	battles              []townID       // battle-order
	battlesRest          bool           // the others follow as they stood
	moralePlaces         []int          // morale-order: left, center, right
	moraleUnits          []unitID       // morale-order by units
	pieces               [hill + 1]int8
	supplyLosses         []unitID
	ceilings             [2]int        // bid: by camp, one more than the highest; 0 without
	more                 *standingMore // nil if there are none of these
}

// A quarry is a class of units or one unit, in the order in which they are lost.
type quarry struct {
	class string // keyword; "" for a unit
	unit  unitID
}

// retreatOrder says where units go from a battle; at is noTown for any battle.
type retreatOrder struct {
	at    townID
	towns []townID
}

// showing says whom to reveal in a skirmish.
type showing int8

const (
	showAsk showing = iota
	showStrongest
	showWeakest
	showListed
)

// classWords are the classes of units of a casualty list.
var classWords = []string{"infantry", "cavalry", "light-cavalry", "heavy-cavalry", "artillery", "foot-artillery", "horse-artillery", "leader"}

// covers tells whether a quarry means a unit.
func (q quarry) covers(u *unit) bool {
	switch q.class {
	case "":
		return q.unit == u.id
	case "cavalry":
		return u.kind.cavalry()
	case "artillery":
		return u.kind.artillery()
	}
	return q.class == u.kind.String()
}

// rank is the place of a unit in a list, len(list) if it is not in it.
func rank(list []quarry, u *unit) int {
	for i, q := range list {
		if q.covers(u) {
			return i
		}
	}
	return len(list)
}

// useStanding tells a side that a standing order answered for it.
func (p *campaign) useStanding(d engine.Decision, order string) {
	args := []argument{phrase.Name("stop", "stop", d.Kind), phrase.Literal("order", order)}
	if d.At != "" {
		args = append(args, phrase.Name("at", "town", d.At))
	}
	p.Tell("", to([]engine.Side{d.Side}, "nap.standing-used", args...))
}

// adopt puts new standing orders in force in place of the old.
func (p *campaign) adopt(side engine.Side, given play.Standing) {
	n := given.Node
	if n == nil {
		return
	}
	r := orders.NewReader(vocabulary)
	r.Accepted = true
	p.standing[p.seatOf(side)] = parseStanding(p.view(side), r, n)
	for i := range p.battles { // plans that are given anew count their turns anew
		p.battles[i].planned[p.seatOf(side)] = 0
	}
}

// readStanding judges the standing key of an order file and gives it in normal
// form; nil if the file has none.
func readStanding(v *View, r *orders.Reader, n *orders.Node) *orders.Node {
	if n == nil || n.Null {
		return nil
	}
	s := parseStanding(v, r, n)
	if normal := s.node(v.scenario); normal != nil {
		return normal
	}
	return orders.Text("none")
}

// parseStanding reads standing orders: a list, or none.
func parseStanding(v *View, r *orders.Reader, n *orders.Node) standing {
	var s standing
	if n == nil || r.Is(n, "none") {
		return s
	}
	units := v.ownRoster()
	var had []string
	items := r.List(n)
	if len(items) > mostOrders {
		r.Refuse(n, "", phrase.Say("nap.standing-many", phrase.Number("most", mostOrders)))
		return s
	}
	for _, item := range items {
		key, value := r.Only(item, "casualties", "retreat-to", "sacrifice", "regroup", "reinforce",
			"skirmish", "battle-order", "morale-order", "terrain", "supply-losses", "deploy", "plan", "moves", "bid")
		if key == "" {
			continue
		}
		if !slices.Contains(manyAllowed, key) && slices.Contains(had, key) {
			r.Refuse(item, "", phrase.Say("order.key-twice", phrase.Literal("key", key)))
			continue
		}
		had = append(had, key)
		switch key {
		case "casualties":
			f := r.Fields(value, "lose-first", "spare")
			s.loseFirst = v.quarries(r, f.Get("lose-first"), units)
			s.spareLast = v.quarries(r, f.Get("spare"), units)
			if f.Get("lose-first") == nil && f.Get("spare") == nil {
				r.Require(f, "lose-first")
			}
		case "retreat-to":
			f := r.Fields(value, "at", "towns")
			one := retreatOrder{at: noTown}
			if at := f.Get("at"); at != nil && !r.Is(at, "any") {
				one.at, _ = v.pickTown(r, at)
			}
			one.towns = v.townsOf(r, r.Require(f, "towns"))
			s.retreats = append(s.retreats, one)
		case "sacrifice":
			s.sacrifices = v.quarries(r, value, units)
		case "regroup":
			_, s.noRegroup = r.Word(value, "none")
		case "reinforce":
			if value != nil && value.Kind == orders.Map {
				s.readMore(v, r, key, value, units)
			} else if _, ok := r.Word(value, "none"); ok {
				s.noReinforce = true
			}
		case "deploy", "plan", "moves":
			s.readMore(v, r, key, value, units)
		case "skirmish":
			s.readSkirmish(v, r, value, units)
		case "battle-order":
			for _, item := range r.List(value) {
				if r.Is(item, "rest") {
					s.battlesRest = true
				} else if t, ok := v.pickTown(r, item); ok {
					s.battles = append(s.battles, t)
				}
			}
		case "morale-order":
			s.readMorale(v, r, value, units)
		case "terrain":
			f := r.Fields(value, "wood", "farm", "stream", "hill")
			for what := wood; what <= hill; what++ {
				if n := f.Get(what.String()); n != nil {
					if word, ok := r.Word(n, placeWords[:]...); ok {
						s.pieces[what] = int8(slices.Index(placeWords[:], word)) + 1
					}
				}
			}
		case "bid":
			s.readCeiling(v, r, value)
		case "supply-losses":
			s.supplyLosses, _ = v.unitsOf(r, value, units)
		}
	}
	return s
}

// ownRoster lists all units that are or were the side's.
func (v *View) ownRoster() []unitID {
	var all []unitID
	for i := range v.roster {
		if v.own[v.roster[i].army] {
			all = append(all, unitID(i))
		}
	}
	return all
}

// quarries reads a list of classes and units.
func (v *View) quarries(r *orders.Reader, n *orders.Node, units []unitID) []quarry {
	var list []quarry
	for _, item := range r.List(n) {
		class := ""
		for _, word := range classWords {
			if r.Is(item, word) {
				class = word
			}
		}
		if class != "" {
			list = append(list, quarry{class: class, unit: noUnit})
		} else if id, ok := v.pickUnit(r, item, units); ok {
			list = append(list, quarry{unit: id})
		}
	}
	return list
}

// townsOf reads a list of towns.
func (v *View) townsOf(r *orders.Reader, n *orders.Node) []townID {
	var towns []townID
	for _, item := range r.List(n) {
		if t, ok := v.pickTown(r, item); ok && !containsTown(towns, t) {
			towns = append(towns, t)
		}
	}
	return towns
}

func (s *standing) readSkirmish(v *View, r *orders.Reader, n *orders.Node, units []unitID) {
	show := r.Require(r.Fields(n, "show"), "show")
	switch {
	case show == nil:
	case r.Is(show, "strongest"):
		s.show = showStrongest
	case r.Is(show, "weakest"):
		s.show = showWeakest
	case show.Kind == orders.List:
		s.show = showListed
		s.showUnits, _ = v.unitsOf(r, show, units)
	default:
		r.Word(show, "strongest", "weakest")
	}
}

func (s *standing) readMorale(v *View, r *orders.Reader, n *orders.Node, units []unitID) {
	for _, item := range r.List(n) {
		place := -1
		for i, word := range placeWords {
			if r.Is(item, word) {
				place = i
			}
		}
		if place >= 0 {
			if !slices.Contains(s.moralePlaces, place) {
				s.moralePlaces = append(s.moralePlaces, place)
			}
		} else if id, ok := v.pickUnit(r, item, units); ok && !containsUnit(s.moraleUnits, id) {
			s.moraleUnits = append(s.moraleUnits, id)
		}
	}
	if len(s.moralePlaces) > 0 && len(s.moraleUnits) > 0 {
		r.Refuse(n, "NAP-6.31c", phrase.Say("nap.standing-morale-mixed"))
	}
}

// node is the standing orders in normal form; nil if there are none.
func (s standing) node(board *scenario) *orders.Node {
	list := orders.Items()
	add := func(key string, value *orders.Node) { list.Add(orders.Mapping().Set(key, value)) }
	s.lossNodes(board, add)
	s.battleNodes(board, add)
	s.moraleNodes(board, add)
	s.pieceNodes(add)
	if len(s.supplyLosses) > 0 {
		add("supply-losses", board.unitTexts(s.supplyLosses))
	}
	s.ceilingNodes(add)
	s.more.nodes(board, add)
	if len(list.Items) == 0 {
		return nil
	}
	return list
}

// quarryTexts writes units and classes of units on one line.
func (s *scenario) quarryTexts(all []quarry) *orders.Node {
	n := orders.Texts()
	for _, q := range all {
		if q.class != "" {
			n.Add(orders.Text(q.class))
		} else {
			n.Add(orders.Text(s.roster[q.unit].id))
		}
	}
	return n
}

// townTexts writes towns on one line.
func (s *scenario) townTexts(all []townID) *orders.Node {
	n := orders.Texts()
	for _, t := range all {
		n.Add(orders.Text(s.towns[t].name))
	}
	return n
}

// lossNodes writes who is hit, whither units retreat and who is sacrificed.
func (s *standing) lossNodes(board *scenario, add func(string, *orders.Node)) {
	if len(s.loseFirst)+len(s.spareLast) > 0 {
		n := orders.Inline()
		if len(s.loseFirst) > 0 {
			n.Set("lose-first", board.quarryTexts(s.loseFirst))
		}
		if len(s.spareLast) > 0 {
			n.Set("spare", board.quarryTexts(s.spareLast))
		}
		add("casualties", n)
	}
	for _, one := range s.retreats {
		add("retreat-to", orders.Inline().Set("at", board.townOrAny(one.at)).Set("towns", board.townTexts(one.towns)))
	}
	if len(s.sacrifices) > 0 {
		add("sacrifice", board.quarryTexts(s.sacrifices))
	}
}

// battleNodes writes what is said of battles: what is left undone, who is shown
// in a skirmish and which battle comes first.
func (s *standing) battleNodes(board *scenario, add func(string, *orders.Node)) {
	if s.noRegroup {
		add("regroup", orders.Text("none"))
	}
	if s.noReinforce {
		add("reinforce", orders.Text("none"))
	}
	switch s.show {
	case showStrongest:
		add("skirmish", orders.Inline().Set("show", orders.Text("strongest")))
	case showWeakest:
		add("skirmish", orders.Inline().Set("show", orders.Text("weakest")))
	case showListed:
		add("skirmish", orders.Inline().Set("show", board.unitTexts(s.showUnits)))
	}
	if len(s.battles) > 0 || s.battlesRest {
		n := board.townTexts(s.battles)
		if s.battlesRest {
			n.Add(orders.Text("rest"))
		}
		add("battle-order", n)
	}
}

// moraleNodes writes the order of the morale rolls.
func (s *standing) moraleNodes(board *scenario, add func(string, *orders.Node)) {
	if len(s.moralePlaces) > 0 {
		n := orders.Texts()
		for _, i := range s.moralePlaces {
			n.Add(orders.Text(placeWords[i]))
		}
		add("morale-order", n)
	}
	if len(s.moraleUnits) > 0 {
		add("morale-order", board.unitTexts(s.moraleUnits))
	}
}

// pieceNodes writes where each piece of terrain is laid.
func (s *standing) pieceNodes(add func(string, *orders.Node)) {
	if s.pieces == [hill + 1]int8{} {
		return
	}
	n := orders.Inline()
	for what := wood; what <= hill; what++ {
		if at := s.pieces[what]; at > 0 {
			n.Set(what.String(), orders.Text(placeWords[at-1]))
		}
	}
	add("terrain", n)
}

// casualties chooses who of equally strong units is hit, if the order of
// casualties tells them apart (NAP-6.4).
func (s *standing) casualties(g *game, tied []unitID, hits int) ([]unitID, bool) {
	if len(s.loseFirst)+len(s.spareLast) == 0 {
		return nil, false
	}
	return cut(tied, hits, s.lostFirst(g))
}

// lostFirst is the place of each unit among those who take hits: first those to
// lose first, then those not named, then those to spare, the first named of them
// last.
func (s *standing) lostFirst(g *game) func(id unitID) int {
	return func(id unitID) int {
		u := g.unit(id)
		first := rank(s.loseFirst, u)
		if first < len(s.loseFirst) {
			return first
		}
		return first + len(s.spareLast) - rank(s.spareLast, u)
	}
}

// cut takes the n units that come first by a measure, if it is clear which these
// are.
func cut(units []unitID, n int, place func(unitID) int) ([]unitID, bool) {
	sorted := slices.Clone(units)
	slices.SortStableFunc(sorted, func(x, y unitID) int { return place(x) - place(y) })
	if n < len(sorted) && n > 0 && place(sorted[n-1]) == place(sorted[n]) {
		return nil, false
	}
	return sorted[:min(n, len(sorted))], true
}

// retreatTo allots a retreat if the towns named take all who leave, or are all
// there are and it is said who is sacrificed.
func (s *standing) retreatTo(g *game, b *battle, units []unitID, exits []exit, wait bool) (allotment, bool) {
	at := noTown
	if slices.ContainsFunc(s.retreats, func(one retreatOrder) bool { return one.at == b.town }) {
		at = b.town // what is said of this battle counts alone
	}
	var open []exit
	for _, one := range s.retreats {
		if one.at != at {
			continue
		}
		for _, t := range one.towns {
			for _, e := range exits {
				if e.town == t && e.free > 0 && !slices.ContainsFunc(open, func(o exit) bool { return o.town == t }) {
					open = append(open, e)
				}
			}
		}
	}
	if len(open) == 0 {
		return allotment{}, false
	}
	leaving := units
	counted := slices.DeleteFunc(slices.Clone(units), func(id unitID) bool { return g.weight(g.unit(id).kind) == 0 })
	if over := len(counted) - room(open); over > 0 {
		if room(open) < room(exits) || wait {
			return allotment{}, false // other roads are free, or who goes first is a choice
		}
		lost, ok := cut(counted, over, func(id unitID) int { return rank(s.sacrifices, g.unit(id)) })
		if !ok || slices.ContainsFunc(lost, func(id unitID) bool { return rank(s.sacrifices, g.unit(id)) == len(s.sacrifices) }) {
			return allotment{}, false
		}
		leaving = nil
		for _, id := range units {
			if !containsUnit(lost, id) {
				leaving = append(leaving, id)
			}
		}
	}
	var a allotment
	for _, id := range g.byWorth(leaving) {
		weight := g.weight(g.unit(id).kind)
		for i := range open {
			if open[i].free >= weight {
				open[i].free -= weight
				a.places = append(a.places, place{id, open[i].town})
				break
			}
		}
	}
	return a, true
}

// skirmish chooses whom to show: the side's share of the four (NAP-R91).
func (s *standing) skirmish(g *game, units []unitID) ([]unitID, bool) {
	most := maxShown
	if b := g.battleIn(g.unit(units[0]).town); b != nil {
		most = g.share(b, g.sideOf(g.unit(units[0]).army))
	}
	switch s.show {
	case showStrongest, showWeakest:
		return g.strongestOf(units, s.show == showWeakest, most), true
	case showListed:
		var chosen []unitID
		for _, id := range s.showUnits {
			if containsUnit(units, id) && len(chosen) < most {
				chosen = append(chosen, id)
			}
		}
		slices.Sort(chosen)
		return chosen, len(chosen) == most
	}
	return nil, false
}

// battleOrder orders open battles, if all of them are named or the rest may
// follow.
func (s *standing) battleOrder(g *game, open []townID) ([]townID, bool) {
	var order []townID
	for _, t := range s.battles {
		if containsTown(open, t) && !containsTown(order, t) {
			order = append(order, t)
		}
	}
	if len(order) < len(open)-1 && !s.battlesRest || len(s.battles) == 0 && !s.battlesRest {
		return nil, false
	}
	for _, t := range open {
		if !containsTown(order, t) {
			order = append(order, t)
		}
	}
	return order, true
}

// terrain places the drawn pieces, if each has its position and no two the same.
func (s *standing) terrain(b *battle, c camp) ([]field, bool) {
	own := b.ownFields(c)
	var places []field
	for _, what := range b.drawn {
		at := s.pieces[what]
		if at == 0 || slices.Contains(places, own[at-1]) {
			return nil, false
		}
		places = append(places, own[at-1])
	}
	return places, len(places) > 0
}

// moraleOrder orders the rolls by column, or by units if all are named.
func (s *standing) moraleOrder(g *game, b *battle) ([]unitID, bool) {
	if len(s.moralePlaces) == len(placeWords) {
		own := b.ownFields(b.acting)
		sorted := slices.Clone(b.morale)
		place := func(id unitID) int {
			f := g.unit(id).field
			for i, at := range s.moralePlaces {
				if own[at] == f {
					return i
				}
				if own[at].opposite() == f {
					return i + len(placeWords)
				}
			}
			return 2 * len(placeWords)
		}
		slices.SortStableFunc(sorted, func(x, y unitID) int { return place(x) - place(y) })
		return sorted, true
	}
	var order []unitID
	for _, id := range s.moraleUnits {
		if containsUnit(b.morale, id) {
			order = append(order, id)
		}
	}
	return order, len(order) == len(b.morale) && len(order) > 0
}
