package napoleon

import (
	"reflect"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// standing is a side's standing orders: they answer a stop before the side is
// asked, as far as they say exactly what is to be done (section 6 of the
// digest). Where they don't fit, the side is asked; the default is never taken
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
	battlesRest          bool           // the other battles follow in their present order
	moralePlaces         []int          // morale-order: left, center, right
	moraleUnits          []unitID       // morale-order by units
	pieces               [hill + 1]int8
	supplyLosses         []unitID
	ceilings             [2]int       // bid: by camp, one more than the highest; 0 without
	brings               []bringOrder // reinforce
	deploys              []deployOrder
	plans                []plan
	moves                []movesOrder

	elseFree   bool // terrain, else: first-free
	worstFirst bool // casualties, of a policy
	bestFirst  bool // battle-order, of a policy
	ends       bool // what a policy leaves open is settled by the default
}

// noOrders are the standing orders of who has given none.
var noOrders standing

// any tells whether there are any orders.
func (s *standing) any() bool { return s != &noOrders && !reflect.ValueOf(s).Elem().IsZero() }

// bySeat are the standing orders of each seat; nil: none. They are replaced, never changed, so
// that positions and views share them.
type bySeat [3]*standing

// of gives the orders of a seat.
func (o *bySeat) of(seat int) *standing {
	if s := o[seat]; s != nil {
		return s
	}
	return &noOrders
}

// set puts orders in force in place of a seat's old ones.
func (o *bySeat) set(seat int, s standing) {
	o[seat] = nil
	if s.any() {
		o[seat] = &s
	}
}

// ahead tells whether there are orders that answer a stop before anybody is asked.
func (s *standing) ahead() bool {
	return len(s.brings)+len(s.deploys)+len(s.plans)+len(s.moves) > 0
}

// A quarry is a class of units, or one unit, in a list that says in which order units take losses.
type quarry struct {
	class string // keyword; "" for a unit
	unit  unitID
}

// retreatOrder says where units go from a battle; at is noTown for any battle. Among the
// towns noTown stands for all the others, in the order of the default.
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

// rank is the place of a unit in a list; len(list) if it is not in the list.
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
	if given.Policies != nil {
		p.enforce(side, declared.Change(p.policies[p.seatOf(side)], given.Policies))
	}
	n := given.Node
	if n == nil {
		return
	}
	r := orders.NewReader(vocabulary)
	r.Accepted = true
	p.standing.set(p.seatOf(side), play.ReadOrders(standingKeys, p.view(side), r, n))
	for i := range p.battles { // plans that are given anew count their turns from the start
		p.battles[i].planned[p.seatOf(side)] = 0
	}
}

// bringOrder is the standing order reinforce.
type bringOrder struct {
	to      townID   // noTown for any battle
	from    []townID // none: every adjacent town
	keep    int      // units that stay in each town
	perTurn int      // at most so many a battle turn; 0: as many as roads allow
}

// deployOrder is the standing order deploy: a deployment, in which those of its units take
// part that are there.
type deployOrder struct {
	when []condition  // for which battle, and which part in it
	body *orders.Node // the orders key of an order file
}

// movesOrder is the standing order moves: the movement of a later turn.
type movesOrder struct {
	when []condition  // on which turn
	body *orders.Node // the orders key of an order file
}

// readStanding judges the standing key of an order file and gives it in normal
// form; nil if the file has no such key.
var readStanding = play.Instructions(standingKeys, func(v *View) *scenario { return v.scenario })

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
