// Package napoleon is the ruleset of Napoleon: The Waterloo Campaign, 1815.
//
// The code follows the rulebook: it has one file for each chapter of the sequence of
// play, functions are named after the rulebook's steps, and each rule names its clause of
// docs/rules/napoleon.md. Numbers stand in scenario data and in tables.
//
// One type, [game], holds what is known of a game. The position of the engine
// is a game that knows everything; a side's view is a game built up from
// nothing by what the side may see, in which hidden enemy units are blocks
// without names. The rules that judge an order read a game, so they work on either: the
// same code judges a file from the view, and carries it out on the position.
package napoleon

import (
	"berthier/engine"
	"berthier/engine/play"
)

// An army of the campaign (NAP-0.2).
type army int8

const (
	french army = iota
	angloDutch
	prussian
	armies
)

// A camp is one or two armies that stand together (NAP-0.2).
type camp int8

const (
	frenchCamp camp = iota
	alliedCamp
)

func (a army) camp() camp {
	if a == french {
		return frenchCamp
	}
	return alliedCamp
}

func (c camp) enemy() camp { return alliedCamp - c }

// A kind of unit (NAP-3.6).
type kind int8

const (
	unknown kind = iota // of an enemy block that was not revealed
	leader
	infantry
	lightCavalry
	heavyCavalry
	footArtillery
	horseArtillery
)

func (k kind) cavalry() bool   { return k == lightCavalry || k == heavyCavalry }
func (k kind) artillery() bool { return k == footArtillery || k == horseArtillery }

// A townID is an index of [scenario.towns].
type townID int16

// noTown is where a unit stands that is yet to be deployed or was eliminated.
const noTown townID = -1

// A unitID is an index of [scenario.roster]; unit ids order like their indices
// within an army.
type unitID int16

// noUnit is the id of a block whose unit is not known.
const noUnit unitID = -1

// A unit as it stands in a game. In a view an enemy unit that the side can't
// tell from others is a block: id noUnit, kind unknown, strength 0, no flags
// but those that the enemy sees.
type unit struct {
	id   unitID `pos:"-"`
	army army   `pos:"-"`
	kind kind   `pos:"-"`
	fire int8   `pos:"-"` // printed rating, F1 to F4 (NAP-3.5); of a view's block 0

	dead     bool   `pos:"dead"`
	town     townID `pos:"at"`
	strength int8   `pos:"strength,always,min=1"` // 1 to the printed strength; 0 once eliminated (NAP-3.4)
	came     townID `pos:"came"`                  // last town before this one in its movement of this turn (NAP-R70); noTown without
	field    field  `pos:"field"`                 // where on the battle board, offBoard if not in a battle

	// Until the end of the player turn (NAP-2.4).
	moved     bool `pos:"moved"`     // used its group's move (NAP-5.1f)
	forced    bool `pos:"forced"`    // force-marched (NAP-5.6)
	disrupted bool `pos:"disrupted"` // retreated (NAP-7.3)
	regrouped bool `pos:"regrouped"` // regrouped (NAP-7.5b)

	// In a battle of its town.
	shown  bool `pos:"shown"`  // the enemy sees what it is (NAP-6.24)
	square bool `pos:"square"` // infantry in square (NAP-6.5)
	shock  bool `pos:"shock"`  // cavalry that moved to engage and has not fired since (NAP-6.33c)
	salvo  bool `pos:"salvo"`  // artillery newly engaged that has not fired since (NAP-6.33f)

	// In a battle turn of its side.
	spent      bool `pos:"spent"` // its whole action is used
	fired      bool `pos:"fired"`
	engaged    bool `pos:"engaged"`    // engaged in this battle turn (NAP-6.32e)
	disengaged bool `pos:"disengaged"` // disengaged in this battle turn (NAP-6.32e)

	shelter unitID `pos:"shelter"`     // the square in which it shelters, or noUnit (NAP-6.52)
	holds   piece  `pos:"holds"`       // farm or hill that it occupies, or noPiece (NAP-6.21)
	steps   int8   `pos:"steps,max=2"` // battle moves made in a battle turn of its side (NAP-6.32)
}

// A field is a place on a battle board, the same for both camps. Each camp has
// left, center and right as it looks at the enemy, so the attacker's left is
// opposite the defender's right (NAP-6.20). Both reserves are one field: the
// enemy's can't be entered.
type field int8

const (
	offBoard field = iota
	reserve
	attackerLeft
	attackerCenter
	attackerRight
	defenderLeft
	defenderCenter
	defenderRight
	fields
)

// opposite is the enemy position of the same column.
func (f field) opposite() field {
	switch f {
	case attackerLeft:
		return defenderRight
	case attackerCenter:
		return defenderCenter
	case attackerRight:
		return defenderLeft
	case defenderLeft:
		return attackerRight
	case defenderCenter:
		return attackerCenter
	case defenderRight:
		return attackerLeft
	}
	return offBoard
}

// A piece of battle terrain (NAP-6.21).
type piece int8

const (
	noPiece piece = iota
	wood
	farm
	stream // lies on the line of its column, named by the position of who placed it
	hill
)

// A phase of the game (NAP-2.1).
type phase int8

const (
	bidding      phase = iota // for sides (NAP-12.0)
	handicapping              // of who won the bidding (NAP-12.2)
	deployAllied
	deployFrench
	movement
	battlePhase // battles have stages of their own
	supplyPhase
)

// A game is what is known of a game at one moment: everything in a position, the
// side's part in a view. [play.Codec] writes its fields with a key to YAML, in their
// order.
type game struct {
	*scenario `pos:"-"` // board and order of battle; never changes
	options   options   `pos:"-"`                              // as chosen at set-up; never changes
	turn      int       `pos:"turn,required,from=1,max=turns"` // index of scenario.turns
	phase     phase     `pos:"phase,required"`
	auction   auction   `pos:"bidding"`

	ahead    *vanguard     `pos:"ahead"`                        // if two players move one after the other, what the first has done; nil before that
	supplied bool          `pos:"supplied"`                     // the supply losses of this turn are settled (NAP-9.0)
	units    []unit        `pos:"units,by=unit"`                // position: by unitID. View: own units, enemy units it can name, then blocks
	losses   [3]int        `pos:"losses,by=army,max=units"`     // units eliminated, by army (NAP-10.0)
	defeated [3]bool       `pos:"defeated,set=army"`            // by army
	roadUse  []int8        `pos:"roads,by=road,max=100,block"`  // units moved in this player turn, by road (NAP-5.4)
	pool     []piece       `pos:"pool"`                         // terrain not drawn yet in this phase (NAP-6.21b)
	seen     [2][]sighting `pos:"seen,by=camp,key=unit,sorted"` // what each camp has learnt of enemy units, by camp, in unit order
	battles  []battle      `pos:"battles,long"`                 // of this battle phase, in battle order

	standing bySeat            `pos:"-"` // orders that answer stops unasked
	policies [3]play.Policies  `pos:"-"` // beneath these, by seat
	ruled    bySeat            `pos:"-"` // what the policies say, as standing orders
	answered []play.Left       `pos:"-"` // what policies have answered while others are asked
	asks     []engine.Decision `pos:"-"`
	outcome  *engine.Outcome   `pos:"outcome,block"`
}

// A sighting is an enemy unit as a camp last saw it. It stays true as a memory
// when the unit is hidden again.
type sighting struct {
	unit     unitID `pos:"unit"`
	town     townID `pos:"at"`
	strength int8   `pos:"strength,required"`
	turn     int    `pos:"turn,required,from=1,max=turns"`
}

// A battle or skirmish in a town (NAP-6.1).
type battle struct {
	town     townID        `pos:"town,required,unique"`
	attacker camp          `pos:"attacker,required"`
	skirmish bool          `pos:"skirmish"`       // fewer than three units on a side (NAP-6.1b)
	entries  []townID      `pos:"entries,sorted"` // by which the attacker's units came, sorted (NAP-7.1)
	stage    stage         `pos:"stage"`
	ordered  bool          `pos:"ordered"`                 // its place among the battles of this cycle is settled (NAP-R10)
	terrain  [fields]piece `pos:"terrain,by=position,abc"` // wood, farm or hill on a position
	streams  [fields]bool  `pos:"streams,set=position"`    // a stream before the position, placed by its owner
	drawn    []piece       `pos:"drawn"`                   // drawn by who places them next, face up (NAP-6.21)

	number    int          `pos:"turn"`                // battle turn, from 1; each side's counts as one
	acting    camp         `pos:"acting,always"`       // whose battle turn
	lead      army         `pos:"lead"`                // which of two Allied players leads (NAP-R17)
	second    bool         `pos:"second"`              // the one who does not lead acts now
	brought   uses         `pos:"brought"`             // if there are two players, how many units the lead brought on each road
	step      step         `pos:"step"`                // of the battle turn
	roadUse   uses         `pos:"retreated"`           // units that retreated in this battle turn (NAP-7.2)
	crossed   [3]int8      `pos:"crossed"`             // units over the stream of each column in this battle turn (NAP-6.21h)
	morale    []unitID     `pos:"morale"`              // yet to roll morale in this battle turn, in their order (NAP-6.31c)
	idle      int          `pos:"idle"`                // stalemate count of the attacker (NAP-R39)
	stalemate bool         `pos:"stalemate"`           // the attacker must retreat (NAP-6.7)
	busy      bool         `pos:"busy"`                // the attacker fired, engaged, retreated or reinforced in this battle turn
	activated bool         `pos:"activated"`           // somebody moved, fired or the like in this battle turn: no more retreats (NAP-6.30)
	vacant    [fields]bool `pos:"vacant,set=position"` // positions that their camp could not fill when it deployed (NAP-R18)

	guide      guide  `pos:"guide"`          // what leads this battle turn of the acting side
	planned    [3]int `pos:"planned,trim=2"` // battle turns that a plan of each camp led, since it was given
	reinforced int    `pos:"reinforced"`     // the last battle turn in which reinforcements came that the enemy's plans may ask for (NAP-6.34)

	orders *battleOrders `pos:"orders"`     // what the acting side still wants done in this battle turn
	hits   *shot         `pos:"hits,flow"`  // hits that are being taken
	won    camp          `pos:"won,always"` // who won, once the fighting is over; while a rout is settled, who routs the other
	empty  bool          `pos:"empty"`      // finished with nobody left: nobody won (NAP-R74)
}

// use counts units on a road.
type use struct {
	road int
	n    int8
}

// uses are in the order of roads.
type uses []use
