package waterloo

import (
	"berthier/engine/play"
	"berthier/orders"
)

// A scenario is the board, the order of battle, the cards and the schedule, read
// from a file and never changed (WAT-3.1). Ids are those of the file.
type scenario struct {
	name  string            // "waterloo-1815"
	title map[string]string // by language

	rows    []string // letters, from north to south
	columns int
	// Of each square; index 0 is unused.
	terrain []terrain
	names   []string           // "Smohain"; "" for none
	labels  []string           // names without effect: "La Belle Alliance"
	sides   [][west + 1]edge   // features of its four sides
	near    [][west + 1]square // neighbours; none beyond the board

	chateaux   []chateauDef
	objectives []objectiveDef
	roster     []unitDef
	commanders []commanderDef // in the order of commanderID
	cards      []cardDef      // french, anglo, prussian, in the order of the file
	entries    []entryDef
	lengths    []lengthDef // "full", "quick"; the first is the default
	hands      [armies][]int
	limit      int // cards a round (WAT-4.4)
	setups     []setupDef
	values     map[string]string // options that the scenario sets otherwise than the rules
	roads      [][]square        // for drawing, in the order of the file
	source     []byte            // the file

	codec     *play.Codec
	squareIDs []string
	chart     *chart // the map's ground: an empty one, filled when it is first drawn
}

// Name implements [play.Book].
func (s *scenario) Name() string { return s.name }

// A chateauDef is a chateau with its destruction points at the start.
type chateauDef struct {
	id   string
	name string
	at   square
	cdp  int8
}

// An objectiveDef is a victory square (section 3.6).
type objectiveDef struct {
	id      string
	at      square
	quick   bool       // counts in the quick scenario (WAT-13.2)
	road    bool       // a road edge into it costs 1 MP in total (WAT-8.10)
	chateau bool       // is one of the chateaux of WAT-13.2
	points  [camps]int // in the full scenario (WAT-13.3)
	full    bool       // has a marker in the full scenario (WAT-3.2)
	control camp       // at the start
}

type unitDef struct {
	id      string // "F-9/II"
	army    army
	arm     arm
	weight  weight
	name    string
	corps   string
	full    int
	reduced int // 0: no reduced side (WAT-9.1)
	elite   bool
	at      square // none: comes as a reinforcement, or is in the depot
	face    facing
	arrives int   // turn of a reinforcement; 0 for none (WAT-5.1)
	entries []int // indices of scenario.entries, where it may come in
}

type commanderDef struct {
	id      string // "napoleon"
	name    string
	army    army
	at      square
	attack  int
	defence int
}

type cardDef struct {
	id     string // "F06"
	army   army
	mp, bp int
	action action
}

// An entryDef is a square by which reinforcements come in.
type entryDef struct {
	id string // "B"
	at square
}

// A lengthDef is one of the two games on the board: quick, full (WAT-1.4).
type lengthDef struct {
	id        string
	turns     int
	players   []int
	prussians bool
}

// A setupDef is a variant of the set-up: squares that differ.
type setupDef struct {
	id      string
	changes []setupChange
}

type setupChange struct {
	unit unitID
	at   square
	face facing
}

// chart is what is kept of a map that is drawn again and again.
type chart = mapGround

// squareNamed finds a square by its id.
func (s *scenario) squareNamed(id string) (square, bool) {
	folded := orders.Fold(id)
	for i, name := range s.squareIDs {
		if name == id || orders.Fold(name) == folded {
			return square(i + 1), true
		}
	}
	return 0, false
}

// squareID is the id of a square, "G-9"; "" for none.
func (s *scenario) squareID(q square) string {
	if q <= 0 || int(q) > len(s.squareIDs) {
		return ""
	}
	return s.squareIDs[q-1]
}

// row and column of a square, from 0.
func (s *scenario) row(q square) int    { return (int(q) - 1) / s.columns }
func (s *scenario) column(q square) int { return (int(q) - 1) % s.columns }

// squares is how many there are.
func (s *scenario) squares() int { return len(s.rows) * s.columns }

// def is what never changes of a unit.
func (s *scenario) def(id unitID) *unitDef { return &s.roster[id-1] }

// card is what is printed on a card.
func (s *scenario) card(id cardID) *cardDef { return &s.cards[id-1] }

// lead is what never changes of a commander.
func (s *scenario) lead(id commanderID) *commanderDef { return &s.commanders[id-1] }

// next is the neighbour of a square on one of its sides; none beyond the board.
func (s *scenario) next(q square, side facing) square { return s.near[q][side] }

// edgeOf gives the features of one side of a square.
func (s *scenario) edgeOf(q square, side facing) edge { return s.sides[q][side] }

// toward is the side of a square on which another one lies, if they are
// neighbours (WAT-8.4).
func (s *scenario) toward(from, to square) (facing, bool) {
	for _, f := range facingsAll {
		if to != 0 && s.near[from][f] == to {
			return f, true
		}
	}
	return noFacing, false
}

// distance between squares is counted along rows and columns, whatever lies
// between (WAT-R31).
func (s *scenario) distance(a, b square) int {
	return abs(s.row(a)-s.row(b)) + abs(s.column(a)-s.column(b))
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// chateauAt gives the chateau of a square.
func (s *scenario) chateauAt(q square) (chateauID, bool) {
	for i := range s.chateaux {
		if s.chateaux[i].at == q {
			return chateauID(i + 1), true
		}
	}
	return 0, false
}
