package mistakes

import (
	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/engine/sheet"
)

// reach bounds every coordinate and every length of a file.
const reach = geometry.Reach / 2

// A scenario is the field, the armies, the set-up and the games that are played with them,
// read from a file and never changed. Ids are those of the file. Fields with a key are read
// from it by [play.Codec]; load.go works the others out from them.
type scenario struct {
	name       string          `pos:"scenario,required,name"`
	title      play.Title      `pos:"title"`
	measures   measures        `pos:"measures,required"`
	size       place           `pos:"size,required"` // of the field: its north-east corner
	limit      length          `pos:"french_limit"`  // 0: none (EM-10.10)
	entry      []place         `pos:"entry,most=50"` // the area of the Prussian entry (EM-6.2)
	areas      []areaDef       `pos:"areas,required,most=200,ids=area"`
	lines      []lineDef       `pos:"lines,most=200,ids=line"`
	bridges    []bridgeDef     `pos:"bridges,most=50"`
	supply     [armies]supply  `pos:"armies,required,by=army,each"`
	corps      []corpsDef      `pos:"corps,required,most=30,ids=corps"`
	stretches  []stretchDef    `pos:"stretches,key=id"`
	deployment [armies][]place `pos:"deployment,by=army,most=50"` // of a free deployment (EM-1.4)
	roster     []unitDef       `pos:"units,required,most=200,ids=unit"`
	leaders    []leaderDef     `pos:"leaders,required,most=30,ids=leader"`
	neyBarred  corpsID         `pos:"ney_barred"` // the corps that Ney may not join (EM-13.6)
	substitute substituteDef   `pos:"substitute,required"`
	garrisons  []garrisonDef   `pos:"garrisons,most=10"`
	formations []formationDef  `pos:"formations,most=200"`
	battery    batteryDef      `pos:"grand_battery"`
	bombards   []unitID        `pos:"bombards,most=20"` // horse artillery that fires like foot artillery (EM-7.2)
	objectives []objectiveDef  `pos:"objectives,most=30"`
	plus       []int           `pos:"plus,by=area,max=99"`              // points of towns (EM-18.4)
	threePlus  []int           `pos:"three_player_plus,by=area,max=99"` // the same with three players (EM-18.6)
	lengths    []lengthDef     `pos:"scenarios,required,key=id"`        // the first is the default
	times      []string        `pos:"times,most=99,name"`               // of the turns, for reports
	_          play.Remark     `pos:"reconstruction"`

	outlines []geometry.Area `pos:"-"` // of the areas, then of the bridges
	source   []byte          `pos:"-"` // the file
	codec    *play.Codec     `pos:"-"` // of positions
	chart    *sheet.Chart    `pos:"-"` // the ground of the picture of the field: empty until it is first drawn
}

// Name implements [play.Scenario].
func (s *scenario) Name() string { return s.name }

// measures are the sizes that the rules measure with.
type measures struct {
	segment    length `pos:"segment,required"` // EM-R1
	tile       length `pos:"tile,required"`    // a side of it; counter likewise
	counter    length `pos:"counter,required"`
	fireLength length `pos:"fire_length,required"`
	fireWidth  length `pos:"fire_width,required"`
	contact    length `pos:"contact,required"` // EPS: so far apart is touching (EM-3.6)
	slack      length `pos:"slack,required"`   // SLACK: so much overlap is touching (EM-3.5)
	corner     length `pos:"corner,required"`  // EM-3.8
	ruler      length `pos:"ruler,required"`   // thickness: a charge of no more is charge 0 (EM-R74)
	road       length `pos:"road,required"`    // half its width (EM-3.16)
	step       length `pos:"step,required"`    // of the samples of a search (EM-3.14)
}

// supply is what an army has of markers (EM-R27).
type supply struct {
	markers int `pos:"markers,required,max=99"`
}

// An areaDef is an area of terrain.
type areaDef struct {
	id      string  `pos:"id,required,name"`
	kind    ground  `pos:"kind,required"`
	name    string  `pos:"name,name"`
	blocks  bool    `pos:"blocks"` // a town that blocks sight and fire (EM-7.4)
	outline []place `pos:"outline,required,items=3,most=60"`
}

// A lineDef is a road, a sunken road or a stream.
type lineDef struct {
	id   string  `pos:"id,required,name"`
	kind track   `pos:"kind,required"`
	name string  `pos:"name,name"`
	path []place `pos:"path,required,items=2,most=200"`

	points []geometry.Point `pos:"-"`
}

// A bridgeDef is where a road crosses a stream (EM-4.9).
type bridgeDef struct {
	id      string  `pos:"id,required,name,unique"`
	name    string  `pos:"name,name"`
	stream  lineID  `pos:"stream,required"`
	road    lineID  `pos:"road,required"`
	outline []place `pos:"outline,required,items=3,most=60"`
}

// A corpsDef is a corps with the sign on its counters, "IV".
type corpsDef struct {
	id   string `pos:"id,required,name"` // "black-IV"
	army army   `pos:"army,required"`
	sign string `pos:"sign,required,name"`
}

// A stretchDef is a part of the black side by which a corps enters (EM-6.2, EM-6.3).
type stretchDef struct {
	id    string  `pos:"id,name"`
	from  place   `pos:"from,required"`
	to    place   `pos:"to,required"`
	corps corpsID `pos:"corps,required,unique"`
}

// A leaderDef is a general, a commander-in-chief or Ney. One without a place comes later.
type leaderDef struct {
	id       string  `pos:"id,required,name"`
	army     army    `pos:"army,required"`
	name     string  `pos:"name,required,name"`
	role     role    `pos:"role,required"`
	corps    corpsID `pos:"corps"`
	level    int     `pos:"level,required,min=1,max=4"`
	points   int     `pos:"points,max=9"` // command points that he generates (EM-2.2)
	vp       int     `pos:"vp,max=99"`
	at       place   `pos:"at"`
	attached unitID  `pos:"attached"`
}

// A substituteDef is what every substitute general is (EM-5.6).
type substituteDef struct {
	level  int `pos:"level,required,min=1,max=4"`
	points int `pos:"points,required,max=9"`
	vp     int `pos:"vp,required,max=99"`
}

// A unitDef is a tile or a gun, or a garrison behind those. One without a place comes later.
type unitDef struct {
	id       string  `pos:"id,required,name"` // "blue-13"
	corps    corpsID `pos:"corps,required"`
	arm      arm     `pos:"arm,required"`
	weight   weight  `pos:"weight"`
	mount    mount   `pos:"mount"`
	fire     int     `pos:"fire,max=2"` // of infantry (EM-11.8)
	quality  quality `pos:"quality,required"`
	capacity int     `pos:"capacity,required,min=1,max=9"` // so many losses eliminate it (EM-12.7)
	vp       int     `pos:"vp,required,max=99"`
	name     string  `pos:"name,required,name"`
	strength int     `pos:"strength,max=9999"` // men, for reports
	at       place   `pos:"at"`
	heading  int     `pos:"heading,max=359"`
	limbered bool    `pos:"limbered"`

	army army   `pos:"-"`
	no   int    `pos:"-"` // within its army
	home areaID `pos:"-"` // the town of a garrison (EM-14.4)
	hold int    `pos:"-"` // points for a garrison that stands (EM-17.2)

	frail bool `pos:"-"` // a garrison that is eliminated if it retreats by a melee (EM-14.3)

	names  []string `pos:"-"` // what files may call it besides its id, its number first
	shared []string `pos:"-"` // what others are called, too
}

// A garrisonDef is a garrison, which is called by its town.
type garrisonDef struct {
	town     areaID  `pos:"id,required,unique"`
	army     army    `pos:"army,required"`
	fire     int     `pos:"fire,required,max=2"`
	quality  quality `pos:"quality,required"`
	capacity int     `pos:"capacity,required,min=1,max=9"`
	vp       int     `pos:"vp,required,max=99"`
	hold     int     `pos:"hold,required,max=99"`
	frail    bool    `pos:"frail"` // eliminated if it retreats by a melee (EM-14.3)
	at       place   `pos:"at,required"`
	heading  int     `pos:"heading,required,max=359"`
}

// A formationDef is a formation of the set-up. Its units have one heading.
type formationDef struct {
	id    string   `pos:"id,required,name,unique"`
	army  army     `pos:"army,required"`
	corps corpsID  `pos:"corps,required"`
	units []unitID `pos:"units,required,items=1,most=60,unique"`
}

// A batteryDef is the Grand Battery: while its units are in one formation, this is one of its
// corps (EM-7.10).
type batteryDef struct {
	corps corpsID  `pos:"corps,required"`
	units []unitID `pos:"units,required,items=1,most=20"`
}

// An objectiveDef is a town that counts for an army that holds it alone (EM-17.2).
type objectiveDef struct {
	army     army   `pos:"army,required"`
	town     areaID `pos:"town,required"`
	vp       int    `pos:"vp,required,max=99"`
	garrison bool   `pos:"garrison"` // only while the garrison stands
}

// A lengthDef is one of the games of chapter 18.
type lengthDef struct {
	id        string     `pos:"id,name"`
	title     play.Title `pos:"title"`
	turns     []int      `pos:"turns,required,items=2,most=2,min=1,max=99"` // the first and the last
	players   []int      `pos:"players,required,items=1,most=2,min=2,max=3"`
	scoring   int        `pos:"scoring,required,as=scoring"`
	towns     int        `pos:"towns,as=towns"` // which towns count, with free scoring
	black     int        `pos:"black,max=99"`   // from which turn black may come; 0: never
	stands    bool       `pos:"black_stands"`   // black is there when the first turn begins (EM-18.5)
	deploy    bool       `pos:"deploy"`         // free deployment (EM-18.6)
	garrisons bool       `pos:"garrisons"`      // garrisons stand
	agreed    bool       `pos:"agreed"`         // the last turn may be agreed (EM-18.3)

	points [armies]int `pos:"points,by=army,min=-9,max=9"` // that each unit of an army counts more here than in the lists (EM-17.1)
	holds  []int       `pos:"capacity,by=area,max=9"`      // losses that a garrison takes here, no more than in the list; 0: as there (EM-12.7)

	places []placeDef `pos:"places,most=200"` // of units that begin elsewhere here than in the list (EM-1.1)
}

// A placeDef is where a unit begins in one of the games.
type placeDef struct {
	unit    unitID `pos:"unit,required,unique"`
	at      place  `pos:"at,required"`
	heading int    `pos:"heading,required,max=359"`
}

// The ways to score, as files write them (chapter 17 and 18).
const (
	scoreHistorical = iota + 1
	scoreShort
	scoreFree
)

// The towns that count in free scenarios, as files write them.
const (
	townsPlus = iota + 1
	townsThreePlus
)

// PosNames implements [play.PosNamer].
func (d *areaDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *lineDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *corpsDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *leaderDef) PosNames() []string { return []string{d.id} }

// PosNames implements [play.PosNamer].
func (d *unitDef) PosNames() []string { return []string{d.id} }

// def is the part of a unit that never changes.
func (s *scenario) def(u unitID) *unitDef { return &s.roster[u-1] }

// lead is the part of a leader that never changes.
func (s *scenario) lead(l leaderID) *leaderDef { return &s.leaders[l-1] }

// area is what the file says of an area.
func (s *scenario) area(a areaID) *areaDef { return &s.areas[a-1] }

// outline is an area as package geometry takes it.
func (s *scenario) outline(a areaID) *geometry.Area { return &s.outlines[a-1] }

// bridge is the outline of a bridge, by its number from 0.
func (s *scenario) bridge(i int) *geometry.Area { return &s.outlines[len(s.areas)+i] }

// army is that of a corps.
func (s *scenario) army(c corpsID) army { return s.corps[c-1].army }

// unitNamed finds a unit by its id.
func (s *scenario) unitNamed(id string) (unitID, bool) {
	for i := range s.roster {
		if s.roster[i].id == id {
			return unitID(i + 1), true
		}
	}
	return 0, false
}

// value is how many points a unit counts in this game (EM-17.1): what its list says, and what the game adds for
// each unit of its army. A garrison counts the same in all games.
func (g *game) value(u unitID) int {
	d := g.def(u)
	if d.garrison() {
		return d.vp
	}
	return d.vp + g.length().points[d.army]
}

// capacity is how many losses eliminate a unit in this game (EM-12.7).
func (g *game) capacity(u unitID) int {
	d, here := g.def(u), g.length().holds
	if d.garrison() && int(d.home) < len(here) && here[d.home] > 0 {
		return here[d.home]
	}
	return d.capacity
}

// garrison says whether a unit is a garrison.
func (d *unitDef) garrison() bool { return d.home != 0 }
