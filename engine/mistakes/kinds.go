package mistakes

// An army is one of three.
type army int8

const (
	noArmy army = iota
	blue
	red
	black
	armies // how long lists by army are: index 0 is unused
)

// allied says whether two armies are friends: red and black are (EM-R54).
func (a army) allied(b army) bool { return (a == blue) == (b == blue) }

// An arm of a unit.
type arm int8

const (
	infantry arm = iota + 1
	cavalry
	artillery
)

// A weight of cavalry; other arms have none.
type weight int8

const (
	light weight = iota + 1
	medium
	heavy
)

// A mount of artillery; other arms have none.
type mount int8

const (
	foot mount = iota + 1
	horse
)

// A quality of a unit, the worst first.
type quality int8

const (
	recruits quality = iota + 1
	regulars
	veterans
	elite
	guard
)

// A ground is the kind of an area. Where there is none it is meadow.
type ground int8

const (
	hill ground = iota + 1
	wood
	crops
	town
)

// A track is the kind of a line on the field.
type track int8

const (
	road track = iota + 1
	sunkenRoad
	stream
)

// A role of a leader.
type role int8

const (
	general   role = iota + 1 // of a corps
	commander                 // the commander-in-chief of an army
	ney                       // has no corps (EM-13.6)
)

// A limber is where the limber of a gun stands, if the gun is limbered (EM-3.4).
type limber int8

const (
	unlimbered limber = iota
	behind
	toRight
	toLeft
	ahead
)

// A fate is how a piece left the field (EM-12.7, EM-12.8).
type fate int8

const (
	present fate = iota
	eliminated
	captured
	offField
)

// A unitID is an index of [game.Units] and, less one, of [scenario.roster]. Garrisons
// come behind the units.
type unitID int16

// A leaderID is an index of [game.Leaders] and, less one, of [scenario.leaders].
type leaderID int8

// A corpsID is, less one, an index of [scenario.corps].
type corpsID int8

// An areaID is, less one, an index of [scenario.areas].
type areaID int8

// A lineID is, less one, an index of [scenario.lines].
type lineID int8

// The words of the types above, as files have them. Index 0 is unused but for limbers and
// fates, whose first word is what a position leaves out.
var (
	armyWords    = []string{"", "blue", "red", "black"}
	armWords     = []string{"", "infantry", "cavalry", "artillery"}
	weightWords  = []string{"", "light", "medium", "heavy"}
	mountWords   = []string{"", "foot", "horse"}
	qualityWords = []string{"", "recruits", "regulars", "veterans", "elite", "guard"}
	groundWords  = []string{"", "hill", "wood", "crops", "town"}
	trackWords   = []string{"", "road", "sunken-road", "stream"}
	roleWords    = []string{"", "general", "commander", "ney"}
	scoringWords = []string{"", "historical", "short", "free"}
	townsWords   = []string{"", "plus", "three-player-plus"}
	limberWords  = []string{"no", "behind", "right", "left", "ahead"}
	mannerWords  = []string{"", "advance", "withdraw", "charge"}
	fateWords    = []string{"no", "eliminated", "captured", "off-field"}
)

// String gives the word of files.
func (a army) String() string { return armyWords[a] }
