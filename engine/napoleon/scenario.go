package napoleon

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// A scenario is the board, the order of battle and the turn track, read from a
// file and never changed (NAP-1.1). Ids are those of the file.
type scenario struct {
	name    string            // "campaign-1815"
	title   map[string]string // by language
	edition string            // "4e" or "3e"
	towns   []town
	roads   []road
	roster  []unitDef
	corps   []corps
	turns   []turnDef
	numbers numbers
	reading reading
	fatal   []unitID // whose elimination loses the game for their camp (NAP-10.4)
	terrain []piece  // the pool, full (NAP-6.21, NAP-R21)
	setups  []setupDef
	values  map[string]string // options that the scenario sets otherwise than the rules
	townAt  map[string]townID // by id
	pick    []orders.Choice   // the towns as a file may name them
	source  []byte            // the file
	codec   *play.Codec       // of positions

	// For drawing only; load_board.go fills them from the file's keys of the same names.
	rivers []course // in the order of the file
	lines  []course // border, deployment
	chart  *chart   // the map's ground: an empty one, filled when it is first drawn
}

// Name implements [play.Book].
func (s *scenario) Name() string { return s.name }

// house tells whether it is one of the house, not a user's own.
func (s *scenario) house() bool { return !shelf.Carries(s) }

// A setupDef is a way in which the armies come onto the map (NAP-4.1 to 4.3b).
type setupDef struct {
	name   string       // "free", "historical"
	placed [armies]bool // stands at its historical places, not deployed by its player
}

// A course is a river or a line across the map. No rule reads it.
type course struct {
	id     string            // "sambre", "border"
	name   map[string]string // by language
	points []engine.Point    // two or more, in the coordinates of the towns
}

type town struct {
	id      string
	name    string
	aliases []string
	x, y    int
	label   string // side of the dot where the name is written: north, east, south, west
	zone    army   // who may deploy here (NAP-4.1, NAP-4.2)
	supply  army   // whose supply town (NAP-9.0); valid if loss > 0
	loss    int    // units lost at the end of a French turn while it is held
	city    bool   // Brussels, Ghent, Liege (NAP-10.3)
	apart   bool   // stands beside the road net; no deployment limit binds there
	roads   []int  // indices of scenario.roads, in the order of the file
}

type road struct {
	a, b  townID
	main  bool
	river bool // a bridge anywhere on it (NAP-5.5c)
}

// from gives the other end of a road.
func (r road) from(t townID) townID {
	if r.a == t {
		return r.b
	}
	return r.a
}

type unitDef struct {
	id       string // "F-03"
	name     string
	army     army
	nation   string
	corps    int // index of scenario.corps; -1 for leaders (NAP-R20)
	kind     kind
	strength int8
	fire     int8
	at       townID // historical deployment (NAP-4.3)
}

type corps struct {
	army army
	id   string
	name map[string]string // by language
}

type turnDef struct {
	date  string // "1815-06-16"
	part  string // morning, midday, night
	camp  camp
	night bool
}

// numbers are the figures of an edition (table 3.2).
type numbers struct {
	groupMoves  [armies]int
	road        limit // per player turn (NAP-5.4)
	river       limit // attacking over a river (NAP-5.5)
	battleRoad  limit // retreats, reinforcements, regrouping (NAP-7.2)
	routRoad    limit // routs (NAP-7.4b, NAP-7.4z)
	routRiver   limit // routs over a river (NAP-7.4z)
	deploy      [armies]int
	defeat      [armies]int
	cityWinTurn int // index of the turn at whose end two cities win (NAP-10.3); -1 for none
	cityWinNeed int
	minAttack   int  // units that an attack needs, and a defence (NAP-6.6y, NAP-6.6z); 0 for none
	leadersFree bool // leaders do not count on roads (NAP-5.4b)
	drawIfAll   bool // all three armies defeated is a draw (NAP-10.1)
}

// limit is a number for main and one for secondary roads.
type limit struct{ main, secondary int }

func (l limit) of(r road) int {
	if r.main {
		return l.main
	}
	return l.secondary
}

// usualLeaderFire is the rating of a leader of whom the scenario gives none
// (NAP-R30).
const usualLeaderFire = 2
