package napoleon

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

func init() {
	stops["deploy-defender"] = battleDeployStop{}
	stops["deploy-attacker"] = battleDeployStop{}
}

// battleDeployStop is the stops deploy-defender and deploy-attacker (NAP-6.22).
type battleDeployStop struct{}

// battleDeployAnswer puts all units of a camp onto the board.
type battleDeployAnswer struct {
	s      *scenario
	own    [3]field // the camp's positions
	places []deployPlace
}

// A deployPlace is where one unit begins a battle.
type deployPlace struct {
	unit  unitID
	field field
	holds piece // the farm or hill that it stands on
}

func (a battleDeployAnswer) Node() *orders.Node {
	n := orders.Mapping()
	on := func(f field) *orders.Node {
		list := orders.Texts()
		for _, l := range a.places {
			if l.field == f {
				list.Add(orders.Text(a.s.roster[l.unit].id))
			}
		}
		return list
	}
	for i, f := range a.own {
		n.Set(placeWords[i], on(f))
	}
	n.Set("reserve", on(reserve))
	for _, what := range [2]piece{farm, hill} {
		held := orders.Inline()
		for i, f := range a.own {
			for _, l := range a.places {
				if l.field == f && l.holds == what {
					held.Set(placeWords[i], orders.Text(a.s.roster[l.unit].id))
				}
			}
		}
		if len(held.Pairs) > 0 {
			n.Set(what.String(), held)
		}
	}
	return n
}

func (s battleDeployStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if wantsDefault(r, body) {
		return s.Fallback(v, d)
	}
	b := v.battleOf(d)
	if b == nil {
		return nil
	}
	c := v.camp()
	units := v.ownIn(b.town, v.side)
	a := battleDeployAnswer{s: v.scenario, own: b.ownFields(c)}
	f := r.Fields(body, "left", "center", "right", "reserve", "farm", "hill")
	at := make([]field, len(v.roster))
	put := func(id unitID, to field, n *orders.Node) {
		if at[id] != offBoard {
			r.Refuse(n, "NAP-6.22", phrase.Say("nap.named-twice", v.idArg("unit", id)))
			return
		}
		at[id] = to
		if f := b.mayStand(v.unit(id), to); f != nil {
			v.refuseUnit(r, n, id, f)
		}
		a.places = append(a.places, deployPlace{unit: id, field: to})
	}
	var rest []*orders.Node
	var restAt []field
	fieldsOf := [4]field{a.own[0], a.own[1], a.own[2], reserve}
	for i, key := range [4]string{"left", "center", "right", "reserve"} {
		for _, item := range r.List(f.Get(key)) {
			switch {
			case r.Is(item, "none"):
			case r.Is(item, "all"), r.Is(item, "rest"):
				rest, restAt = append(rest, item), append(restAt, fieldsOf[i])
			default:
				if id, ok := v.pickUnit(r, item, units); ok {
					put(id, fieldsOf[i], item)
				}
			}
		}
	}
	for i, n := range rest {
		if i > 0 {
			r.Refuse(n, "NAP-6.22", phrase.Say("nap.battle-rest-twice"))
			continue
		}
		for _, id := range units {
			if at[id] == offBoard {
				put(id, restAt[i], n)
			}
		}
	}
	var missing []unitID
	for _, id := range units {
		if at[id] == offBoard {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		r.RefuseWith(body, "NAP-6.22", phrase.Say("nap.battle-deploy-missing", v.unitNames("units", missing)), phrase.Say("nap.battle-deploy-remedy"))
	}
	empty, allowed := 0, v.mayLeaveEmpty(b, c, at)
	for i, to := range a.own {
		here := v.alliesOn(b, to)
		for _, l := range a.places {
			if l.field == to {
				here = append(here, v.unit(l.unit))
			}
		}
		place := f.Get(placeWords[i])
		if place == nil {
			place = body
		}
		if len(here) == 0 {
			if empty++; empty > allowed {
				r.Refuse(place, "NAP-6.22", phrase.Say("nap.battle-deploy-empty", phrase.Name("field", "field", placeWords[i])))
			}
		}
		if fault := v.corpsFault(here); fault != nil {
			r.Refuse(place, fault.Clause, phrase.Say(fault.Why.Code, phrase.Name("field", "field", placeWords[i])))
		}
	}
	for _, what := range [2]piece{farm, hill} {
		held := r.Fields(f.Get(what.String()), placeWords[:]...)
		for i, word := range placeWords {
			n := held.Get(word)
			if n == nil || r.Is(n, "none") {
				continue
			}
			id, ok := v.pickUnit(r, n, units)
			if !ok {
				continue
			}
			fault := b.holdFault(v.unit(id), a.own[i], what)
			if fault == nil && at[id] != a.own[i] {
				fault = holdElsewhere
			}
			if fault == nil && v.heldByAlly(b, a.own[i], what) {
				fault = faultHeld
			}
			if fault != nil {
				v.refuseUnit(r, n, id, fault)
				continue
			}
			for j := range a.places {
				if a.places[j].unit == id {
					a.places[j].holds = what
				}
			}
		}
	}
	a.sort()
	return a
}

// sort puts the places in the order of units, so that an answer has one form.
func (a *battleDeployAnswer) sort() {
	slices.SortFunc(a.places, func(x, y deployPlace) int { return int(x.unit) - int(y.unit) })
}

func (s battleDeployStop) Template(v *View, d engine.Decision) *orders.Node {
	n := s.Fallback(v, d).Node()
	b := v.battleOf(d)
	if b == nil {
		return n
	}
	c := v.camp()
	var lines []string
	for i, f := range b.ownFields(c) {
		line := placeWords[i]
		if what := b.terrain[f]; what != noPiece {
			line += ", " + what.String()
		}
		if b.stream(f) {
			line += ", " + stream.String()
		}
		if d.Kind == "deploy-attacker" {
			if n := v.count(b, f.opposite(), c.enemy()); n > 0 {
				line += ", enemy " + strconv.Itoa(n)
			}
		}
		lines = append(lines, line)
	}
	for _, l := range v.corpsIn(b, c) {
		lines = append(lines, l.name+": "+v.briefs(l.units))
	}
	above(n, lines)
	return n
}

// fallback is the algorithm of section 5.1 of the digest.
func (battleDeployStop) Fallback(v *View, d engine.Decision) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return battleDeployAnswer{s: v.scenario}
	}
	c := v.camp()
	return v.deployInOrder(b, c, v.of(v.side, v.byCorps(b, c)))
}

// byCorps sorts a camp's units for deployment: the corps with most units
// present first, leaders last, then by id.
func (g *game) byCorps(b *battle, c camp) []unitID {
	units := g.unitsIn(b.town, c)
	present := make([]int, len(g.corps)+1)
	size := func(id unitID) int { return present[g.roster[id].corps+1] }
	for _, id := range units {
		present[g.roster[id].corps+1]++
	}
	present[0] = 0 // leaders belong to no corps (NAP-R20)
	slices.SortStableFunc(units, func(x, y unitID) int {
		if n := size(y) - size(x); n != 0 {
			return n
		}
		return int(x) - int(y)
	})
	return units
}

// deployInOrder fills the positions center, right, left with units in the given
// order: one each, infantry before cavalry before artillery, then a second of
// the same corps, guns preferred; the rest goes to the reserve.
func (g *game) deployInOrder(b *battle, c camp, units []unitID) battleDeployAnswer {
	own := b.ownFields(c)
	order := [3]field{own[1], own[2], own[0]}
	a := battleDeployAnswer{s: g.scenario, own: own}
	at := make(map[unitID]field, len(units))
	able := 0 // units that can stand in a wood and have no place yet
	for _, id := range units {
		if !g.unit(id).kind.artillery() {
			able++
		}
	}
	woods := 0
	for _, f := range order {
		if b.terrain[f] == wood {
			woods++
		}
	}
	first := func(f field, fits func(*unit) bool) *unit {
		for _, id := range units {
			if u := g.unit(id); at[id] == offBoard && fits(u) && b.mayStand(u, f) == nil {
				at[id] = f
				return u
			}
		}
		return nil
	}
	infantryFits := func(u *unit) bool { return u.kind == infantry }
	cavalryFits := func(u *unit) bool { return u.kind.cavalry() }
	gunsFit := func(u *unit) bool { return u.kind.artillery() }
	leaderFits := func(u *unit) bool { return u.kind == leader }
	var corps [3]int
	for i, f := range order {
		corps[i] = -1
		if g.count(b, f, c) > 0 {
			continue // filled by the other player (NAP-R17)
		}
		choice := [4]func(*unit) bool{infantryFits, cavalryFits, gunsFit, leaderFits}
		if b.terrain[f] == wood {
			woods--
		} else if able <= woods { // what is left for woods must not be spent here
			choice = [4]func(*unit) bool{gunsFit, infantryFits, cavalryFits, leaderFits}
		}
		for _, fits := range choice {
			if u := first(f, fits); u != nil {
				corps[i] = g.roster[u.id].corps
				if !u.kind.artillery() {
					able--
				}
				break
			}
		}
	}
	for i, f := range order {
		if corps[i] < 0 {
			continue
		}
		same := func(u *unit) bool { return g.roster[u.id].corps == corps[i] }
		if first(f, func(u *unit) bool { return same(u) && u.kind.artillery() }) == nil {
			first(f, same)
		}
	}
	spare := 0
	for _, id := range units {
		if at[id] == offBoard && g.unit(id).kind != leader {
			spare++
		}
	}
	for _, id := range units {
		to := at[id]
		if to == offBoard {
			to = reserve
			if g.unit(id).kind == leader && spare >= 2 {
				to = own[1]
			}
		}
		a.places = append(a.places, deployPlace{unit: id, field: to})
	}
	for _, f := range own {
		if g.count(b, f, c) > 0 {
			continue
		}
		for i := range a.places {
			l := &a.places[i]
			k := g.unit(l.unit).kind
			if l.field == f && (b.terrain[f] == farm && k == infantry || b.terrain[f] == hill && k.artillery()) {
				l.holds = b.terrain[f]
				break
			}
		}
	}
	a.sort()
	return a
}

func (battleDeployStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	b := v.battleOf(d)
	if b == nil {
		return battleDeployAnswer{s: v.scenario}
	}
	c := v.camp()
	a := v.deployInOrder(b, c, shuffled(v.ownIn(b.town, v.side), chance))
	for i := range a.places { // bring some of the reserve forward
		l := &a.places[i]
		if l.field != reserve || chance.IntN(2) == 0 {
			continue
		}
		f := a.own[chance.IntN(3)]
		if b.mayStand(v.unit(l.unit), f) != nil {
			continue
		}
		l.field = f
		here := v.alliesOn(b, f)
		for _, o := range a.places {
			if o.field == f {
				here = append(here, v.unit(o.unit))
			}
		}
		if v.corpsFault(here) != nil {
			l.field = reserve
		}
	}
	return a
}

func (battleDeployStop) Take(p *campaign, d engine.Decision, a play.Reply) {
	b := p.battleOf(d)
	c := b.attacker
	if d.Kind == "deploy-defender" {
		c = c.enemy()
	}
	p.deployBattle(b, c, a.(battleDeployAnswer))
}

// holdElsewhere is the fault of a unit that is to occupy a farm or hill of
// another position than its own.
var holdElsewhere = refusal("NAP-6.22", "nap.hold-elsewhere")

// A corpsList is the units of one corps that are in a battle.
type corpsList struct {
	name  string
	units []unitID
}

// corpsIn lists a camp's units in a battle by corps, leaders first.
func (g *game) corpsIn(b *battle, c camp) []corpsList {
	var all []corpsList
	units := g.unitsIn(b.town, c)
	for k := -1; k < len(g.corps); k++ {
		l := corpsList{name: leader.String()}
		if k >= 0 {
			l.name = g.corps[k].id
		}
		for _, id := range units {
			if g.roster[id].corps == k {
				l.units = append(l.units, id)
			}
		}
		if len(l.units) > 0 {
			all = append(all, l)
		}
	}
	return all
}
