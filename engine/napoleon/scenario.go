package napoleon

import (
	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// A scenario is the board, the order of battle and the turn track, read from a
// file and never changed (NAP-1.1). Ids are those of the file. Fields with a key are
// read from it by [play.Codec]; load.go works the others out from them.
type scenario struct {
	edition    string       `pos:"edition,required,as=edition"` // "4e" or "3e"
	name       string       `pos:"scenario,required,name"`      // "campaign-1815"
	title      play.Title   `pos:"title"`
	towns      []town       `pos:"towns,required,items=1,most=400,ids=town"`
	roads      []road       `pos:"roads,required,items=1,most=1200"`
	neighbours play.Raw     `pos:"neighbours"`
	corps      []corps      `pos:"corps,required,items=1,most=100,ids=corps"`
	track      track        `pos:"turns,required"`
	roster     []unitDef    `pos:"units,required,items=1,most=200,ids=unit"`
	numbers    numbers      `pos:"edition_values,required"`
	Pieces     pieces       `pos:"terrain_markers,required"`
	setups     []setupDef   `pos:"setups,required,key=name"`
	chosen     play.Raw     `pos:"options"`
	totals     [armies]sums `pos:"totals,by=army"`
	_          play.Remark  `pos:"reconstruction,square_markers,hints,rulings,uncertain"`

	// These are only for drawing.
	rivers  []course `pos:"rivers,items=1,most=200"` // in the order of the file
	borders []course `pos:"lines,key=id,sorted"`     // border, deployment

	reading reading           `pos:"-"`
	turns   []turnDef         `pos:"-"`
	fatal   []unitID          `pos:"-"` // whose elimination loses the game for their camp (NAP-10.4)
	terrain []piece           `pos:"-"` // the pool, full (NAP-6.21, NAP-R21)
	values  map[string]string `pos:"-"` // options that the scenario sets differently from the rules
	townAt  map[string]townID `pos:"-"` // by id
	pick    []orders.Choice   `pos:"-"` // the towns as a file may name them
	source  []byte            `pos:"-"` // the file
	codec   *play.Codec       `pos:"-"` // of positions
	lines   []course          `pos:"-"`
	chart   *chart            `pos:"-"` // the map's ground: empty until it is first drawn
}

// Name implements [play.Scenario].
func (s *scenario) Name() string { return s.name }

// builtIn tells whether the scenario is built in, not a user's own.
func (s *scenario) builtIn() bool { return !library.Carries(s) }

// A setupDef is a way in which the armies come onto the map (NAP-4.1 to 4.3b).
type setupDef struct {
	name   string `pos:"name,as=setup"` // "free", "historical"
	french bool   `pos:"french,required,as=placed"`
	allied struct {
		angloDutch bool `pos:"anglo-dutch,required,as=placed"`
		prussian   bool `pos:"prussian,required,as=placed"`
	} `pos:"allied,required"`
	usual  bool         `pos:"default"`
	placed [armies]bool `pos:"-"` // stands at its historical places, not deployed by its player
}

// A course is a river or a line across the map. No rule reads it.
type course struct {
	id     string     `pos:"id,required,name"` // "sambre", "border"
	name   play.Title `pos:"name"`
	points points     `pos:"points,required"` // two or more, in the coordinates of the towns
}

type points []engine.Point

type town struct {
	id       string      `pos:"id,required,name"`
	name     string      `pos:"name,required,name"`
	aliases  []string    `pos:"aliases,name"`
	x        int         `pos:"x,required,max=10000"`
	y        int         `pos:"y,required,max=10000"`
	label    string      `pos:"label,as=label"` // side of the dot where the name is written: north, east, south, west
	zone     army        `pos:"zone,required"`  // who may deploy here (NAP-4.1, NAP-4.2)
	supplies *army       `pos:"supply"`         // whose supply town (NAP-9.0)
	apart    bool        `pos:"apart"`          // stands beside the road net; no deployment limit binds there
	_        play.Remark `pos:"lat,lon,big"`

	supply army     `pos:"-"` // valid if loss > 0
	loss   int      `pos:"-"` // units lost at the end of a French turn while it is held
	city   bool     `pos:"-"` // Brussels, Ghent, Liege (NAP-10.3)
	roads  []int    `pos:"-"` // indices of scenario.roads, in the order of the file
	next   []townID `pos:"-"` // to which each of these roads leads
}

// PosNames implements [play.PosNamer].
func (t *town) PosNames() []string { return append([]string{t.id, t.name}, t.aliases...) }

type road struct {
	a       townID `pos:"a,required"`
	b       townID `pos:"b,required"`
	main    bool   `pos:"class,required,as=class"`
	crosses string `pos:"river"`
	river   bool   `pos:"-"` // a bridge anywhere on it (NAP-5.5c)
}

// from gives the other end of a road.
func (r road) from(t townID) townID {
	if r.a == t {
		return r.b
	}
	return r.a
}

type unitDef struct {
	id       string      `pos:"id,required,name"` // "F-03"
	army     army        `pos:"army,required"`
	Nation   string      `pos:"nat,required,as=nation"`
	name     string      `pos:"name,required,name"`
	corps    int         `pos:"corps,as=corps"` // index of scenario.corps; -1 for leaders (NAP-R20)
	arm      string      `pos:"type,required,as=arm"`
	Class    string      `pos:"class"`
	horse    bool        `pos:"horse_guns"`
	strength int8        `pos:"strength,required,min=1,max=4"`
	fire     int8        `pos:"fire,max=4"`
	at       townID      `pos:"at,required"` // historical deployment (NAP-4.3)
	_        play.Remark `pos:"in_4e"`
	kind     kind        `pos:"-"`
}

// PosNames implements [play.PosNamer].
func (u *unitDef) PosNames() []string { return []string{u.id} }

type corps struct {
	id   string     `pos:"id,required,name"`
	army army       `pos:"army,required"`
	name play.Title `pos:"name,required"`
}

// PosNames implements [play.PosNamer].
func (c *corps) PosNames() []string { return []string{c.id} }

type track struct {
	list []turnDef   `pos:"list,required,items=1,most=200"`
	_    play.Remark `pos:"track,check"`
}

type turnDef struct {
	number int    `pos:"turn,required"`
	date   string `pos:"date,required"` // "1815-06-16"
	part   string `pos:"part,required,as=part"`
	camp   camp   `pos:"side,required"`
	night  bool   `pos:"night,required"`
}

// pieces are those of battle terrain (NAP-6.21).
type pieces struct {
	total int `pos:"total,under=value"`
	draw  struct {
		attacker int `pos:"attacker"`
		defender int `pos:"defender"`
	} `pos:"draw"`
	kinds struct {
		woods  int `pos:"woods,required,max=8"`
		farm   int `pos:"farm,required,max=8"`
		stream int `pos:"stream,required,max=8"`
		hill   int `pos:"hill,required,max=8"`
	} `pos:"kinds,required"`
}

// sums are the totals of an army's units.
type sums struct {
	units    int `pos:"units,max=100000"`
	strength int `pos:"strength,max=100000"`
	fire     int `pos:"fire,max=100000"`
}

// numbers are the figures of an edition (table 3.2).
type numbers struct {
	groupMoves   [armies]int `pos:"group_moves,required,by=army,each,max=100"`
	road         limit       `pos:"road_limit,required"`              // per player turn (NAP-5.4)
	river        limit       `pos:"road_limit_attack_river,required"` // attacking over a river (NAP-5.5)
	battleRoad   limit       `pos:"road_limit_battle,required"`       // retreats, reinforcements, regrouping (NAP-7.2)
	routs        *routLimits `pos:"road_limit_rout"`
	minAttack    int         `pos:"attack_minimum,under=value,max=10"` // units that an attack needs, and a defence (NAP-6.6y, NAP-6.6z); 0 for none
	deployment   deployRoom  `pos:"deployment,required"`
	leadersCount bool        `pos:"leaders_count_for_limits,under=value"`
	defeat       [armies]int `pos:"defeat_at_losses,required,by=army,each,max=100"`
	drawIfAll    bool        `pos:"draw_if_all_defeated,under=value"` // all three armies defeated is a draw (NAP-10.1)
	supplyLoss   []int       `pos:"supply_loss,required,by=town,min=1,max=100"`
	cityWin      *cityWin    `pos:"french_town_win"`
	mustLive     *mustLive   `pos:"allied_win_if_eliminated"`
	_            play.Remark `pos:"strength_scale"`

	routRoad    limit       `pos:"-"` // routs (NAP-7.4b, NAP-7.4z)
	routRiver   limit       `pos:"-"` // routs over a river (NAP-7.4z)
	deploy      [armies]int `pos:"-"`
	cityWinTurn int         `pos:"-"` // index of the turn at whose end two cities win (NAP-10.3); -1 for none
	cityWinNeed int         `pos:"-"`
	leadersFree bool        `pos:"-"` // leaders do not count on roads (NAP-5.4b)
}

type routLimits struct {
	main           int `pos:"main,required,max=100"`
	secondary      int `pos:"secondary,required,max=100"`
	mainRiver      int `pos:"main_river,required,max=100"`
	secondaryRiver int `pos:"secondary_river,required,max=100"`
}

type deployRoom struct {
	order  fixed         `pos:"order"`
	limits [armies]int   `pos:"limits,required,by=army,each,max=100"`
	zones  [armies]fixed `pos:"zones,by=army"`
}

type cityWin struct {
	towns []townID `pos:"towns,required,items=1,most=400"`
	need  int      `pos:"need,required,min=1"`
	turn  int      `pos:"turn,required,min=1"`
}

type mustLive struct {
	units []unitID `pos:"units,required,items=1,most=200"`
}

// limit is one number for main roads and one for secondary roads.
type limit struct {
	main      int `pos:"main,required,max=100"`
	secondary int `pos:"secondary,required,max=100"`
}

func (l limit) of(r road) int {
	if r.main {
		return l.main
	}
	return l.secondary
}

// usualLeaderFire is the rating of a leader for whom the scenario gives none
// (NAP-R30).
const usualLeaderFire = 2
