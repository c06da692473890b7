package waterloo

import (
	"slices"

	"berthier/engine/play"
	"berthier/orders"
)

// A scenario is the board, the order of battle, the cards and the schedule, read
// from a file and never changed (WAT-3.1). Ids are those of the file. Fields with a key
// are read from it by [play.Codec]; load.go works the others out from them.
type scenario struct {
	name           string            `pos:"scenario,required,name"` // "waterloo-1815"
	title          play.Title        `pos:"title"`
	grounds        []*ground         `pos:"terrain,by=square"`
	labelled       []label           `pos:"labels,by=square"`
	chateaux       []chateauDef      `pos:"chateaux,required,ids=chateau"`
	Features       []edgeDef         `pos:"edges,most=2000"`
	tracks         []roadDef         `pos:"roads,most=2000,ids=road"`
	entries        []entryDef        `pos:"entries,ids=entry"`
	lengths        []lengthDef       `pos:"scenarios,required,key=id"` // "full", "quick"; the first is the default
	objectives     []objectiveDef    `pos:"victory_squares,required,most=100,ids=objective"`
	limit          int               `pos:"limits,required,under=cards_per_round,min=1,max=9"` // cards a round (WAT-4.4)
	commanders     []commanderDef    `pos:"commanders,required,most=2,ids=commander"`          // in the order of commanderID
	roster         []unitDef         `pos:"units,required,most=200,ids=unit"`
	reinforcements []reinforcement   `pos:"reinforcements,most=200"`
	setups         []setupDef        `pos:"setup_variants,key=id"`
	decks          [armies][]cardDef `pos:"decks,required,by=army,each,most=200"`
	hands          [armies][]int     `pos:"hands,required,by=army,each,most=20,max=200"`
	chosen         play.Raw          `pos:"options"`
	_              play.Remark       `pos:"reconstruction,hints,markers"`

	rows    []string `pos:"-"` // letters, from north to south
	columns int      `pos:"-"`
	// Of each square; index 0 is unused.
	terrain []terrain          `pos:"-"`
	names   []string           `pos:"-"` // "Smohain"; "" for none
	labels  []string           `pos:"-"` // names without effect: "La Belle Alliance"
	sides   [][west + 1]edge   `pos:"-"` // features of its four sides
	near    [][west + 1]square `pos:"-"` // neighbours; none beyond the board

	cards     []cardDef         `pos:"-"` // french, anglo, prussian, in the order of the file
	values    map[string]string `pos:"-"` // options that the scenario sets differently from the rules
	roads     [][]square        `pos:"-"` // for drawing, in the order of the file
	source    []byte            `pos:"-"` // the file
	codec     *play.Codec       `pos:"-"` // of positions
	squareIDs []string          `pos:"-"`
	chart     *chart            `pos:"-"` // the map's ground: empty until it is first drawn
}

// Name implements [play.Scenario].
func (s *scenario) Name() string { return s.name }

// A board is what a scenario file says about its grid.
type board struct {
	rows    []string    `pos:"rows,required,items=2,most=26"`
	columns int         `pos:"columns,required,min=2,max=40"`
	ground  terrain     `pos:"default_terrain"`
	_       play.Remark `pos:"metres_per_square"`
}

// A ground describes a square that is not clear.
type ground struct {
	terrain terrain `pos:"terrain,required"`
	name    string  `pos:"name,name"`
}

type label struct {
	name string `pos:"name,required,name"`
}

// An edgeDef is a feature on the side that two squares share.
type edgeDef struct {
	between []square `pos:"between,required"`
	kind    int      `pos:"type,required,as=edge"`
	bridge  bool     `pos:"bridge"`
}

type roadDef struct {
	id   string   `pos:"id,required,name"`
	path []square `pos:"path,required,most=2000"`
}

// A chateauDef is a chateau with its destruction points at the start.
type chateauDef struct {
	id   string `pos:"id,required,name"`
	name string `pos:"name,name"`
	at   square `pos:"sq,required"`
	cdp  int8   `pos:"cdp,required,max=100"`
}

// An objectiveDef is a victory square (section 3.6).
type objectiveDef struct {
	id      string     `pos:"id,required,name"`
	squares []square   `pos:"squares,required"`
	quick   bool       `pos:"quick,required"`                     // counts in the quick scenario (WAT-13.2)
	road    bool       `pos:"road_entry"`                         // a road edge into it costs 1 MP in total (WAT-8.10)
	points  [camps]int `pos:"full,required,by=camp,each,max=100"` // in the full scenario (WAT-13.3)
	control camp       `pos:"start_control,required"`             // at the start

	at      square `pos:"-"`
	chateau bool   `pos:"-"` // is one of the chateaux of WAT-13.2
	full    bool   `pos:"-"` // has a marker in the full scenario (WAT-3.2)
}

type unitDef struct {
	id      string `pos:"id,required,name"` // "F-9/II"
	army    army   `pos:"army,required"`
	arm     arm    `pos:"arm,required"`
	weight  weight `pos:"weight"`
	name    string `pos:"name,required,name"`
	Corps   string `pos:"corps,name"`
	full    int    `pos:"full,required,min=1,max=9"`
	reduced int    `pos:"reduced,min=1,max=9"` // 0: no reduced side (WAT-9.1)
	elite   bool   `pos:"elite"`
	at      square `pos:"sq"` // none: comes as a reinforcement, or is in the depot
	face    facing `pos:"face"`
	arrives int    `pos:"arrives,min=1,max=20"` // turn of a reinforcement; 0 for none (WAT-5.1)
	entries []int  `pos:"entry,as=entry"`       // indices of scenario.entries, where it may come in
}

type commanderDef struct {
	id      string `pos:"id,required,name"` // "napoleon"
	name    string `pos:"name,required,name"`
	army    army   `pos:"army,required"`
	at      square `pos:"sq"`
	attack  int    `pos:"attack,required,max=9"`
	defence int    `pos:"defence,required,max=9"`
}

type cardDef struct {
	id     string `pos:"id,required,name"` // "F06"
	army   army   `pos:"-"`
	mp     int    `pos:"mp,required,max=9"`
	bp     int    `pos:"bp,required,max=9"`
	action action `pos:"action,required"`
}

// An entryDef is a square by which reinforcements come in.
type entryDef struct {
	id string `pos:"id,required,name"` // "B"
	at square `pos:"sq,required"`
}

// A lengthDef is one of the two games on the board: quick, full (WAT-1.4).
type lengthDef struct {
	id        string `pos:"id,name"`
	span      []int  `pos:"turns,required,min=1,max=20"` // the first turn and the last
	players   []int  `pos:"players,required,most=2,min=2,max=3"`
	prussians bool   `pos:"prussians,required"`
	turns     int    `pos:"-"`
}

// A setupDef is a variant of the set-up: the squares that differ in it.
type setupDef struct {
	id      string        `pos:"id,name"`
	first   bool          `pos:"default"`
	changes []setupChange `pos:"changes,most=200"`
}

type setupChange struct {
	name string `pos:"unit,required,as=unit"`
	at   square `pos:"sq,required"`
	face facing `pos:"face"`
	unit unitID `pos:"-"`
}

// A reinforcement says again what the units say; both must agree (WAT-5.1).
type reinforcement struct {
	turn    int      `pos:"turn,required,min=1,max=20"`
	entries []int    `pos:"entry,required,as=entry"`
	units   []string `pos:"units,required,as=unit,most=200"`
}

// PosNames implements [play.PosNamer].
func (d *chateauDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *roadDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *entryDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *objectiveDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *commanderDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *unitDef) PosNames() []string { return []string{d.id} }

// chart is what is kept of a map that is drawn again and again.
type chart = mapGround

// squareNamed finds a square by its id.
func (s *scenario) squareNamed(id string) (square, bool) {
	i := slices.Index(s.squareIDs, id)
	if i < 0 {
		folded := orders.Fold(id)
		i = slices.IndexFunc(s.squareIDs, func(name string) bool { return orders.Folds(name, folded) })
	}
	return square(i + 1), i >= 0
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

// def is the part of a unit that never changes.
func (s *scenario) def(id unitID) *unitDef { return &s.roster[id-1] }

// card is what is printed on a card.
func (s *scenario) card(id cardID) *cardDef { return &s.cards[id-1] }

// lead is the part of a commander that never changes.
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
