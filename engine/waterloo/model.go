// Package waterloo is the ruleset of Waterloo, the battle of 18 June 1815: a grid
// of squares, three decks of cards with secret hands, no dice except for shuffles
// and draws.
//
// The code follows the rulebook: it has one file for each chapter of the sequence of
// play, and each rule names its clause of docs/rules/waterloo.md. Numbers stand in
// scenario data.
//
// One type, [game], holds what is known of a game. The position of the engine is
// a game that knows everything; a side's view is a game built up from nothing by
// what the side may see, in which the cards of others have no names. The rules that
// judge an order read a game, so they work on either: the same code judges a file from
// the view, and carries it out on the position.
//
// What is going on is a stack of frames ([frame]): the turn, in it the round, in
// it the card that is played, in it the square that was just entered, and so on.
// A reaction at any moment is a frame on top.
//
// In all types that number things, 0 means "none" and 1 is the first.
package waterloo

import (
	"berthier/engine"
	"berthier/engine/play"
)

// An army is one of three (WAT-1.2).
type army int8

const (
	noArmy army = iota
	french
	anglo
	prussian
	armies // how long lists by army are: index 0 is unused
)

// A camp is one of the two sides of the battle: the French, or both Allied armies (WAT-1.2).
type camp int8

const (
	noCamp camp = iota
	frenchCamp
	alliedCamp
	camps // how long lists by camp are: index 0 is unused
)

func (a army) camp() camp {
	switch a {
	case noArmy:
		return noCamp
	case french:
		return frenchCamp
	}
	return alliedCamp
}

func (c camp) enemy() camp {
	if c == frenchCamp {
		return alliedCamp
	}
	return frenchCamp
}

// A facing is one of the four sides of a square. Sides of squares and directions
// are facings too.
type facing int8

const (
	noFacing facing = iota
	north
	east
	south
	west
)

// turned gives the facing after so many quarter turns to the right.
func (f facing) turned(quarters int) facing {
	if f == noFacing {
		return noFacing
	}
	return facing((int(f)-1+quarters%4+4)%4) + 1
}

func (f facing) back() facing { return f.turned(2) }

// facingsAll lists the sides of a square, clockwise from north.
var facingsAll = [4]facing{north, east, south, west}

// A terrain is what a square is (section 3.3).
type terrain int8

const (
	open terrain = iota
	wood
	village
	chateau
	hill
)

// An edge is what lies on the side between two squares, a set of features.
type edge uint8

const (
	wall edge = 1 << iota
	stream
	bridge // on a stream
	road
	pond
)

func (e edge) has(feature edge) bool { return e&feature != 0 }

// An arm of a unit.
type arm int8

const (
	infantry arm = iota + 1
	cavalry
)

// A weight of cavalry; infantry has none.
type weight int8

const (
	light weight = iota + 1
	heavy
)

// A square is one of the board, 1 being A-1, then along the row.
type square int16

// A unitID is an index of [game.Units] and, less one, of [scenario.roster].
type unitID int16

// A commanderID is an index of [game.Commanders] and, less one, of
// [scenario.commanders]: Napoleon, Wellington.
type commanderID int8

const (
	napoleon commanderID = iota + 1
	wellington
)

// A cardID is, less one, an index of [scenario.cards]. In a view 0 is a card
// whose face the side can't see.
type cardID int16

// A chateauID is an index of [game.CDP] and, less one, of [scenario.chateaux].
type chateauID int8

// An objectiveID is an index of [game.Control] and, less one, of
// [scenario.objectives]: a victory square.
type objectiveID int8

// An action is what a card may do besides moving and fighting (section 3.5).
type action int8

const (
	noAction action = iota
	artilleryFire
	commandBonus
	eliteBonus
	cavalryCharge
	mustCharge // enemy cavalry must charge
	reorganise
	napoleonsHealth
)

// A unit as it stands in a game. Nothing of it is hidden from anybody.
type unit struct {
	At          square // none: not on the board yet, or dead
	Face        facing
	Reduced     bool // shows its reduced side (WAT-9.36)
	Dead        bool // eliminated
	Disordered  bool // WAT-9.45 to 9.48
	Moved       bool // in this round (WAT-8.6)
	Reorganised bool // in this round (WAT-11.6)
	Attacked    bool // in this round (WAT-11.6)
}

// A commander as he stands in a game; on no square he is set aside (WAT-12.5).
type commander struct {
	At square
}

// A deck is one army's cards (WAT-6.0). Each card is in exactly one zone; cards that are in
// none of these lists are the hidden part of the reserve, which was not dealt, see
// [game.undealt]. All lists are in the order of ids.
//
// In a view the hand of another seat holds a 0 for each card that the seat has; Used,
// Shown and Committed are known to all.
type deck struct {
	Hand      []cardID
	Used      []cardID // the part of the reserve that was used in this turn, which all have seen (WAT-6.4)
	Shown     []cardID // the part of the reserve that was drawn in this turn and shown to all, but not used (WAT-7.4)
	Committed []cardID // battle cards from the reveal to the end of the battle (WAT-9.14)
}

// A game is what is known of a game at one moment: everything in a position, the side's
// part in a view. Its exported fields are the state; [play.Codec] writes them to YAML.
type game struct {
	*scenario // board, units, cards; never changes
	options   options

	Turn       int                       `pos:"turn,max=20"`
	Units      []unit                    `pos:"units,by=unit"`
	Commanders [wellington + 1]commander `pos:"commanders,by=commander"`
	CDP        []int8                    `pos:"cdp,by=chateau,max=99"` // left of each chateau (WAT-10.4)
	Control    []camp                    `pos:"control,by=objective"`  // of the victory squares (WAT-13.1)
	Decks      [armies]deck              `pos:"cards,by=army"`
	Entry      square                    // where units that have a choice enter in this turn (WAT-5.3)
	Flow       []frame                   // what is going on, the last being on top

	standing [armies]standing      // by the army of the seat; of a view the side's own
	policies [armies]play.Policies // the same
	ruled    [armies]standing      // what the policies say, as standing orders
	answered []play.Left           // what policies have answered while others are asked
	asks     []engine.Decision
	outcome  *engine.Outcome
}

// A frame is something under way that may have to stop for answers: it holds
// what is needed to go on. Exported fields are its state.
type frame interface {
	// run goes on with the frame, while it is on top and nobody is asked. In the end it
	// must pop itself, push another frame, or ask.
	run(p *battlefield)
	// seenBy is what a side may know of the frame, as a new value; nil if the side must not
	// even know that it is there. The GM sees everything: for him it is not called.
	seenBy(g *game, side engine.Side) frame
}

// A turnFrame is a turn (section 5.2 of the digest).
type turnFrame struct {
	Stage  turnStage
	First  camp // who plays the first round, once that is settled
	Next   camp // who plays the next round
	Passed bool // the round before was a pass (WAT-4.6)
	Lock   army // the only Allied army of the first round, by the bid (WAT-7.5)
	Rounds int  // played in this turn, automatic passes included
	Asked  bool // the seats were asked for their bids

	// Bids of this stop, by the army of the seat; 0 is no bid.
	bids     [armies]cardID
	answered [armies]bool
	// prussianBids tells which bid counts when there are two Allied seats, as the anglo
	// seat wants it: its own, or that of the prussian seat (WAT-7.6).
	prussianBids bool
}

type turnStage int8

const (
	turnDeal turnStage = iota
	turnBid
	turnRounds
)

// A roundFrame is one side's round (WAT-4.20).
type roundFrame struct {
	Camp   camp
	Army   army // the active army; none until an Allied side has chosen (WAT-6.6)
	Lock   army // the only Allied army whose cards may be used in this round (WAT-6.6); in an Allied round that of Army
	Played int  `pos:"played,max=9"` // cards that count against the limit (WAT-4.4)
	Rights int  `pos:"rights,max=9"` // attacks that may be made now (WAT-4.21); more than 1 only with option attack_bank
	Stage  roundStage
	Steps  []step  // filed and not carried out yet: secret
	Ending bool    // its side has said that it ends the round
	Attack *attack // of the step that was carried out, to be made next: secret
	Go     bool    // the battle under way does not end the filed steps (after: go)
	Asked  bool    // the Allied seats were asked which army plays
	Idle   bool    // the card played last gives no attack, as its step says (attack: none)

	choice army // what the Allied seats want, in one advance
	pass   bool
}

type roundStage int8

const (
	roundOpening roundStage = iota // choice of the army, window round-start
	roundSteps                     // S3
	roundCarded                    // a card was resolved: window after-card
	roundStrike                    // its attack
	roundFought                    // an attack was made: window after-battle
	roundClosing                   // window round-end
	roundOver
)

// A step is one thing that a side does in its round (WAT-S3): a card played for
// movement or as an action, with or without the attack that it gives; an attack
// alone; or the end of the round.
type step struct {
	Card       cardID
	Action     action     // none: the card is played for movement
	Moves      []move     // of a movement card
	Does       actionStep `pos:"deed"` // of an action; positions keep the former key
	Attack     *attack    // after the card
	OnReaction reaction   // what to do when a reaction changed the move
	End        bool       // ends the round
	Idle       bool       // attack: none was written: the card's attack is not wanted
}

// What a step does when a reaction has changed its move (WAT-S4).
type reaction int8

const (
	reactionAsk reaction = iota
	reactionContinue
)

// A move is what one piece does on a movement card (WAT-8.1), a unit or a
// commander.
type move struct {
	Unit      unitID
	Commander commanderID
	Enter     square // a reinforcement's entry square (WAT-5.2)
	EnterFace facing
	Path      []pace
}

// A pace is one entry of a path: a square to enter, or a turn in place.
type pace struct {
	To   square // none: turn
	Face facing // turn to; with To the free facing after leaving a chateau (WAT-10.9)
}

// An actionStep is what an action card does, as a step of the round (section 3.5).
type actionStep struct {
	By      unitID   // artillery-fire: the firing unit
	Side    facing   // artillery-fire: from a chateau, over which side
	Unit    unitID   // charge, must-charge: the charging unit
	Target  unitID   // charge, must-charge
	Cards   []commit // charge, must-charge: elite cards of the phasing side
	Filed   bool     // Cards were given, perhaps none: do not ask for them
	Advance advanceOrder
	Rally   []unitID // reorganise: out of disorder
	Flip    unitID   // reorganise: to full strength
}

// An attack is a declared attack (WAT-9.1).
type attack struct {
	Target  unitID
	With    []unitID
	Cards   []commit
	Filed   bool // Cards were given, perhaps none: the attacker is not asked for them
	Advance advanceOrder
	Go      bool // after: go: go on with the filed steps after the battle
}

// An advanceOrder says who advances after a won battle, as far as it was said
// (WAT-9.39). Face none means that the facing is kept.
type advanceOrder struct {
	Unit unitID
	Face facing
	Said bool // there is an order, so nobody need be asked if it is legal
}

// A commit is a card put into a battle with its use (WAT-9.10).
type commit struct {
	Card cardID
	As   use
	By   unitID // artillery: the firing unit
	Side facing // artillery from a chateau: over which side
	Unit unitID // elite: the unit that is doubled
}

// A use of a card in a battle.
type use int8

const (
	asBattle use = iota // its BP
	asCommand
	asElite
	asArtillery
)

// A moveFrame is a movement card that is being carried out (chapter 8).
type moveFrame struct {
	Card    cardID
	Army    army
	MP      int      `pos:"mp,max=99"` // left
	Moves   []move   // still to be made, secret; the first may be under way
	Unit    unitID   // the unit whose move is under way and may go on
	Vacated []square // by cavalry that retreated before the unit (WAT-9.52)
	Stopped bool     // the unit may not go on (WAT-9.52)
	Trail   []square // entered by the unit since its move was last told
	Spent   int      `pos:"spent,max=99"` // MP spent since then
	Turned  bool     // the unit has turned since then
	Changed bool     // there was a reaction since the last pace: check the rest, and ask S4 if it no longer fits
	Reacts  reaction
}

// An entryFrame settles what follows when a unit has entered a square: control,
// then displacement of a lone enemy commander, then cavalry retreat before battle,
// then the artillery window (section 5.2). Control is done when it is pushed.
type entryFrame struct {
	Unit  unitID
	How   entry
	Stage entryStage
}

// An entry is how a unit came into a square.
type entry int8

const (
	byMove    entry = iota // also a reinforcement's
	byAdvance              // after battle
	byRetreat              // after or before battle
	byCharge
)

type entryStage int8

const (
	entryCommander entryStage = iota
	entryCavalry
	entryWindow
	entryDone
)

// A placeFrame waits until a commander's place is chosen among units that are equally near (WAT-S11).
type placeFrame struct {
	Commander commanderID
	Choices   []unitID
}

// A window is a moment of an enemy round at which artillery may be fired
// (section 5.1).
type window int8

const (
	atRoundStart window = iota + 1
	atEntered
	atAfterCard
	atAfterBattle
	atRoundEnd
	atRevealed // only with option artillery_after_reveal
)
