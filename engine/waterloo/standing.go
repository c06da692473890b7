package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Standing orders (section 5.3 of the digest): they answer a stop before the seat
// is asked, as far as they say exactly what is to be done. Where they don't fit,
// the seat is asked; the default is never taken instead.

// standing are a seat's standing orders; the zero value means none. They are put in
// force as a whole and never changed.
type standing struct {
	Bid          bidOrder
	Army         []army // of the active army, in order of preference
	Artillery    *gunOrders
	Cavalry      *cavalryOrders
	Battle       *battleOrders
	Loss         *lossOrders
	Advance      *followOrders
	AttackerLoss []unitID // which attacker is reduced, in order of preference
	Commander    []unitID // with which unit he is placed, in order of preference
}

// A bidOrder is the standing order initiative.
type bidOrder struct {
	How   bidHow
	Card  cardID   // bidCard
	MinMP int      // bidAtLeast
	Keep  []action // bidAtLeast: cards with these actions are not bid
}

type bidHow int8

const (
	bidAsk bidHow = iota
	bidNone
	bidLowest
	bidHighest
	bidCard
	bidAtLeast
	bidAsked // the word ask, where a policy would answer
)

// A windowPolicy says what is done in an artillery window that no rule has
// answered.
type windowPolicy int8

const (
	windowAsk windowPolicy = iota
	windowHold
	windowUnsaid // left to the policy of a seat that has policies
	windowUseful // asked where everybody sees that fire may do something, else held
)

// gunOrders are the standing order artillery.
type gunOrders struct {
	Windows [atRevealed + 1]windowPolicy
	Best    bool // fire: best, in place of what the windows say
	Keep    int  // how many artillery cards stay in hand
	Rules   []gunRule
}

// A gunRule fires a card if its conditions hold: without any, at any unit, by any unit and
// in any window. The units that it names are in order of preference.
type gunRule struct {
	If []condition
}

// A unitState is a state of a unit that a rule may demand.
type unitState int8

const (
	anyState unitState = iota
	stateOrdered
	stateDisordered
	stateFull
	stateReduced
)

var stateWords = [...]string{anyState: "any", stateOrdered: "ordered", stateDisordered: "disordered", stateFull: "full", stateReduced: "reduced"}

// A retreatHow is what cavalry does before battle.
type retreatHow int8

const (
	retreatAsk retreatHow = iota
	retreatStay
	retreatGo
)

var retreatWords = [...]string{retreatAsk: "ask", retreatStay: "stay", retreatGo: "retreat"}

// cavalryOrders are the standing order cavalry-retreat.
type cavalryOrders struct {
	Default retreatHow
	Unsaid  bool // Default is left to the policy of a seat that has policies
	Rules   []cavalryRule
}

type cavalryRule struct {
	Unit unitID
	Do   retreatHow
	To   []facing // directions, in order of preference; none: as the default takes them
	Face facing   // none: kept
}

// battleOrders are the standing order battle.
type battleOrders struct {
	None   bool // if no rule fits: commit nothing; otherwise ask
	Unsaid bool // nor was the word ask said, in a seat that has policies
	Rules  []battleRule
}

// A battleRule chooses cards for a battle of a unit.
type battleRule struct {
	If       []condition // of whom
	Margin   int         // to be reached over the enemy's base; 0: a tie
	MaxCards int         // 0: no bound
	MaxBP    int         // 0: no bound
	Use      []use
	Weakest  bool // artillery fires at the weakest attacker instead of the strongest
	All      bool // if the margin can't be reached: commit all that is allowed, otherwise nothing
}

// A lossKind is one way to take a defeat.
type lossKind int8

const (
	takeCDP lossKind = iota
	takeRetreat
	takeReduce
)

var lossWords = [...]string{takeCDP: "cdp", takeRetreat: "retreat", takeReduce: "reduce"}

// lossOrders are the standing order loss.
type lossOrders struct {
	Default []lossKind // none: ask
	Unsaid  bool       // nor was the word ask said, in a seat that has policies
	Rules   []lossRule
}

type lossRule struct {
	If    []condition // of whom, and where
	Order []lossKind
	To    []facing // directions of a retreat, in order of preference
	Face  facing
}

// followOrders are the standing order advance.
type followOrders struct {
	Best   bool // as the default
	Prefer []unitID
	Face   facing // none: kept
}

// adopt puts standing orders in force in place of the old, and policies that change.
func (g *game) adopt(side engine.Side, given play.Standing) {
	seat := armyOfSeat(side)
	if given.Node != nil {
		g.standing[seat] = play.ReadOrders(standingKeys, g.view(side), orders.NewReader(vocabulary), given.Node)
	}
	g.enforce(seat, declared.Change(g.policies[seat], given.Policies))
}

// readStanding judges the standing key of an order file and gives it in normal
// form; nil if the file has none.
var readStanding = play.Instructions(standingKeys, func(v *View) *scenario { return v.scenario })

// mostRules of a kind are read.
const mostRules = 100

// nameSquare reads a square of the board: G-9.
func (s *scenario) nameSquare(r *orders.Reader, n *orders.Node) (square, bool) {
	text, ok := r.Text(n)
	if !ok {
		return 0, false
	}
	q, ok := s.squareNamed(text)
	if !ok {
		r.Refuse(n, "", phrase.Say("wat.no-square", phrase.Literal("name", text)))
	}
	return q, ok
}
