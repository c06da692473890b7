package hfg

// A side is one of two.
type side int8

const (
	noSide side = iota
	first
	second
	sides // how long lists by side are: index 0 is unused
)

// enemy is the other side.
func (s side) enemy() side { return first + second - s }

// A role is what a side does in a battle (HFG-4.1).
type role int8

const (
	attacker role = iota + 1
	defender
)

// An edge of the field.
type edge int8

const (
	north edge = iota + 1
	east
	south
	west
)

// outward is the heading from the field across an edge.
func (e edge) outward() int { return int(e-north) * 90 }

// A compass is one of the eight named directions (HFG-1.2); 0: none.
type compass int8

const (
	fromNorth compass = iota*2 + 1
	fromEast
	fromSouth
	fromWest
)

// heading is a named direction in degrees.
func (c compass) heading() int { return int(c-1) * 45 }

// A class decides which lines of the outcomes an element reads (HFG-2.2).
type class int8

const (
	staff class = iota + 1
	mounted
	foot
	dismounted // a dismountable that is dismounted, see [game.class]
	artillery
	train
	naval
)

// A troop is the type of an element (HFG-2.2).
type troop int8

const (
	hq troop = iota + 1
	commandParty
	potentate
	pistols
	cuirassiers
	heavyCavalry
	lightCavalry
	lightHorse
	sipahis
	dragoons
	repeaters
	mountedRifles
	rifleCavalry
	firelocks
	muskets
	bayonets
	lightInfantry
	stoicFoot
	minie
	breechloaders
	rifles
	marksmen
	spearmen
	spGarrison
	smoothbore
	mixed
	rifled
	lightArtillery
	pontoneers
	supplyBase
	laager
	aeronauts
	flotilla
	bombs
	sail
	steamer
	ironclad
	submarine
	troopsEnd // how long lists by type are: index 0 is unused
)

// dismountable says whether elements of a type may fight on horse and on foot (HFG-2.6).
func (t troop) dismountable() bool { return t >= dragoons && t <= rifleCavalry }

// A grade is what an element has besides its type (HFG-2.4).
type grade int8

const (
	brilliant grade = iota + 1 // staff
	inert
	elite // mounted or foot
	inferior
	horse // artillery
	heavy
	brass    // rifled artillery
	flagship // naval: leads all ships of its side (HFG-3.5)
)

// A rank is what the general of a command is (HFG-3.3).
type rank int8

const (
	chief       rank = iota + 1 // the commander-in-chief
	armyLeader                  // an army commander
	subordinate                 // a subordinate general
	ally                        // an allied general
)

// A ground is the kind of an area. Where there is none it is flat good going (HFG-4.22).
type ground int8

const (
	waterway ground = iota + 1
	marsh
	hill
	bua
	wood
	slowGoing
	strongPoint
)

// A slope of a hill (HFG-4.11).
type slope int8

const (
	gentle slope = iota
	difficult
)

// A track is the kind of a line on the field.
type track int8

const (
	road track = iota + 1
	railway
	river
	stream
	gully
)

// A fate is why an element isn't on the field (HFG-2.7).
type fate int8

const (
	present fate = iota
	due          // has not arrived yet (HFG-6.13)
	destroyed
	spent
	fled      // left the field by recoil, repulse or rout: lost (HFG-16.17)
	left      // left it by pursuit or withdrawal: not lost (HFG-R80, HFG-R82)
	exchanged // Pontoneers that became a bridge (HFG-10.5)
)

// A spirit is what a combat has made of an element (HFG-16.6, HFG-16.7).
type spirit int8

const (
	steady spirit = iota
	repulsed
	routed
)

// A manner is how an element has moved in this turn (HFG-9.2).
type manner int8

const (
	still manner = iota
	tactical
	march
)

// A sky is the weather (HFG-8).
type sky int8

const (
	fair   sky = iota
	misty      // until the defender's chief rolls a 6 (HFG-8.2)
	rain       // until a chief rolls a 6 (HFG-8.3)
	soaked     // until a second one: guns are held
	muddy      // to the end: bad roads are muddy and gullies wet
)

// A work is a preparation that stands on the field (HFG-6.6 to HFG-6.11).
type work int8

const (
	redoubt work = iota + 1
	entrenchment
	feature // an exploitable linear feature
	barricade
	minefield
)

// A status of a command (HFG-17.3).
type status int8

const (
	active   status = iota
	delayed         // none of its elements has arrived
	arriving        // comes on by its road from this side's next turn on (HFG-6.13)
	defeated
	absent // is not in the game, by option
)

// An elementID is an index of [game.Elements] and, less one, of [setting.roster].
type elementID int16

// A commandID is an index of [game.Commands] and, less one, of [setting.commands].
type commandID int8

// An areaID is, less one, an index of [setting.areas].
type areaID int16

// A lineID is, less one, an index of [setting.lines].
type lineID int16

// The words of the types above, as files have them. Where index 0 is "" it is unused;
// elsewhere it is what a position leaves out.
var (
	edgeWords   = []string{"", "n", "e", "s", "w"}
	airWords    = append([]string{""}, facings...)
	roleWords   = []string{"", "attacker", "defender"}
	classWords  = []string{"", "staff", "mounted", "foot", "dismounted", "artillery", "train", "naval"}
	gradeWords  = []string{"", "brilliant", "inert", "elite", "inferior", "horse", "heavy", "brass", "flagship"}
	rankWords   = []string{"", "c-in-c", "ac", "sg", "ag"}
	groundWords = []string{"", "waterway", "marsh", "hill", "bua", "wood", "slow-going", "strong-point"}
	trackWords  = []string{"", "road", "railway", "river", "stream", "gully"}
	workWords   = []string{"", "redoubt", "entrenchment", "elf", "barricade", "minefield"}
	slopeWords  = []string{"gentle", "difficult"}
	fateWords   = []string{"no", "due", "destroyed", "spent", "fled", "left", "exchanged"}
	spiritWords = []string{"steady", "repulsed", "routed"}
	mannerWords = []string{"no", "tactical", "march"}
	skyWords    = []string{"fair", "misty", "rain", "soaked", "muddy"}
	statusWords = []string{"active", "delayed", "arriving", "defeated", "absent"}
)

// String gives the word of files.
func (t troop) String() string { return troops[t].word }
