package hfg

import "berthier/engine"

// A game is a position: everything that changes.
type game struct {
	*scenario `pos:"-"`
	*setting  `pos:"-"` // that of the scenario, or the one that was prepared by letter
	options   `pos:"-"`

	Turn     int              `pos:"turn,required,min=0,max=199"` // of either side; the attacker's are odd. 0: preparations
	Phase    phase            `pos:"phase"`
	Sky      sky              `pos:"sky"`
	Wind     compass          `pos:"wind"`                     // from which it blows (HFG-8.1, HFG-R132)
	Elements []element        `pos:"elements,by=element,flow"` // index 0 is unused
	Commands []command        `pos:"commands,by=command,flow"` // index 0 is unused
	Works    []placedWork     `pos:"works,most=99"`
	Bridges  []bridge         `pos:"bridges,most=99,flow"` // that stand
	Fords    []ford           `pos:"fords,most=99,flow"`   // that have been found, beside those of roads
	Barren   []search         `pos:"barren,most=99,flow"`  // where there is no unknown ford (HFG-10.2)
	Burning  []areaID         `pos:"burning,most=99,unique,sorted"`
	Columns  []column         `pos:"columns,most=200"` // that have left a road (HFG-9.9)
	Seen     [sides]sightings `pos:"seen,by=side"`     // enemies that a side knew once
	Surprise int              `pos:"surprise,max=20"`  // turns of the attacker until the defender has PIPs (HFG-6.14)

	// Prepare is what is being settled before the first turn, and what was; nil in a battle that
	// a file sets up.
	Prepare *preparation `pos:"preparation"`

	Moves    []order             `pos:"moves,most=999"`       // that were ordered and are not made yet
	More     bool                `pos:"more"`                 // the phasing side is asked again when they are
	Thinking []string            `pos:"thinking,most=99"`     // the players of it who are; none: all (HFG-R176)
	Again    bool                `pos:"asked_again"`          // it has been asked before in this turn: its dice are used (HFG-7.4)
	Said     bool                `pos:"said"`                 // those who decide in this part of the turn have decided
	Aimed    []shot              `pos:"aimed,most=900"`       // shots that were ordered (HFG-S8, HFG-S13)
	Held     []elementID         `pos:"held,most=900,unique"` // who was told not to shoot
	Targets  []ranked            `pos:"targets,most=900"`     // in which order they are shot at (HFG-12.15)
	Fray     fray                `pos:"fray"`                 // what combats have still to do
	Policies [sides][]policyCase `pos:"settled,by=side"`      // what is decided beforehand for this turn

	// What is decided beforehand till it is changed: standing orders, and beneath them policies.
	Standing []policyCase `pos:"standing,most=900"`
	Ruled    []policyCase `pos:"policies,most=900"`

	Nights  int  `pos:"nights,max=9"` // that the battle has gone on over (HFG-17.7)
	Yielded side `pos:"yielded"`      // who has left the field by night (HFG-20.12)

	casts  []cast            `pos:"-"` // what those have said who were asked for their dice
	yields [sides]bool       `pos:"-"` // who withdraws, of those who have answered
	owed   []engine.Decision `pos:"-"` // the stop that is open
	bodies []stance          `pos:"-"` // where elements stand, as far as it has been asked
	sights *sights           `pos:"-"` // who sees whom, as far as it has been asked
}

// A phase is what is going on in a turn (HFG-7.1).
type phase int8

const (
	opening   phase = iota // the turn has not begun
	moving                 // PIPs and moves
	shooting               // phase 2
	melee                  // phase 3
	reckoning              // losses, defeats, victory
	over                   // the battle has ended
	preparing              // before the first turn; what, says the preparation
	dusk                   // the sun has set on a battle that may go on
	casting                // the PIP dice of the phasing side are rolled, and may be used
)

var phaseWords = []string{"opening", "moves", "shooting", "close-combat", "end", "over", "preparation", "dusk", "dice"}

// An element in play (HFG-2.7).
type element struct {
	At     place  `pos:"at"` // the middle of its front edge; none: not on the field, or within Holds
	Facing int    `pos:"facing,max=359"`
	Holds  areaID `pos:"holds"`  // the BUA or SP whose edge it defends (HFG-4.17): it has no place of its own
	Inside areaID `pos:"inside"` // the BUA in whose interior it stands after a recoil (HFG-4.17)
	Fate   fate   `pos:"fate"`

	Command   commandID   `pos:"command"`        // 0: that of the list; another after a transfer (HFG-7.8)
	Concealed bool        `pos:"concealed"`      // not put down yet (HFG-6.10)
	Sniped    []elementID `pos:"sniped,most=99"` // at whom it has shot unseen (HFG-5.6)
	Spirit    spirit      `pos:"spirit"`
	Since     int         `pos:"since,max=199"`    // the turn in which it was repulsed or routed
	Turned    int         `pos:"turned,max=199"`   // the turn in which it turned back after a repulse: no shot before the next (HFG-16.6)
	Silenced  int         `pos:"silenced,max=199"` // the turn in which it was silenced; 0: it isn't (HFG-16.3)
	Blocked   bool        `pos:"blocked"`          // artillery that mounted have passed through (HFG-15.7)
	Passers   []elementID `pos:"passers,most=99"`  // the mounted that have, and have stayed behind it since; none in positions of earlier programs: any mounted hold it
	Disabled  bool        `pos:"disabled"`         // staff (HFG-16.4)
	Dulled    bool        `pos:"dulled"`           // staff that was brilliant and is no more (HFG-R74)
	Damaged   bool        `pos:"damaged"`          // ships (HFG-16.16)
	Rested    bool        `pos:"rested"`           // stood still in the whole turn before (HFG-19.1)
	Task      task        `pos:"task"`             // what it has been at for some turns
	Through   []elementID `pos:"through,most=99"`  // enemies it has passed through since it last moved of its own (HFG-9.15, HFG-R160)

	// Of this turn.
	Manner   manner `pos:"manner"`
	Moved    int    `pos:"moved,max=9999"`         // paces by tactical or march moves
	Ran      int    `pos:"ran,max=9999"`           // paces by charges, pursuits and presses (HFG-11.6)
	Marches  int    `pos:"marches,max=99"`         // moves (HFG-7.7)
	RoadAll  bool   `pos:"by_road"`                // all of them wholly on road
	Arrived  bool   `pos:"contacted"`              // came into contact of its own (HFG-R96)
	Charged  bool   `pos:"charged"`                // moved over 200 paces into contact (HFG-R99)
	Shot     bool   `pos:"shot"`                   // has shot (HFG-12.1)
	Pressed  bool   `pos:"pressed"`                // has pressed forward: no shots (HFG-16.9)
	Faced    bool   `pos:"faced"`                  // turned at once to face: its flanks can't be contacted (HFG-11.6)
	TurnIn   bool   `pos:"turned_in"`              // turned in from an overlap (HFG-11.6)
	OnFoot   bool   `pos:"on_foot"`                // a dismountable that fights dismounted (HFG-2.6)
	Screened bool   `pos:"screened"`               // its rout led it through steady friends who looked the other way (HFG-7.7)
	Began    place  `pos:"began"`                  // where it stood then, if it stood on a hill (HFG-4.12)
	Looked   int    `pos:"looked,max=359"`         // and its facing
	Height   []int  `pos:"height,most=2,max=9999"` // least and greatest of its front at the start of the turn (HFG-1.13); none: 0, 0
}

// A task is work for several turns (HFG-10.5, HFG-10.7).
type task struct {
	Bridge string `pos:"bridge,name"`   // the bridge that it destroys
	Over   lineID `pos:"over"`          // the water over which Pontoneers build
	At     place  `pos:"at"`            // where their bridge will meet the middle of it
	Since  int    `pos:"since,max=199"` // the turn in which the work was begun; 0: no task
}

// A command in play (HFG-3.8).
type command struct {
	Status    status `pos:"status"`
	Die       int    `pos:"die,max=6"`       // the unmodified PIP die of this turn (HFG-7.2); 0: none
	Score     int    `pos:"score,max=99"`    // after doubling, deduction and exchange (HFG-7.3, HFG-7.4)
	Spent     int    `pos:"spent,max=99"`    // PIPs of it that are spent
	Exchanged bool   `pos:"exchanged"`       // its score of this turn is another's: no rally (HFG-7.6)
	Doubles   int    `pos:"doubles,max=2"`   // how often a brilliant general has doubled
	In        int    `pos:"in,max=1999"`     // halves of equivalents transferred to it (HFG-17.4)
	Out       int    `pos:"out,max=1999"`    // and from it
	Doubled   bool   `pos:"doubled"`         // in this turn
	Traded    bool   `pos:"traded"`          // its general has exchanged his score in this turn (HFG-R33)
	Sent      bool   `pos:"sent"`            // elements of it were transferred in this turn (HFG-7.8)
	Entered   int    `pos:"entered,max=199"` // the turn in which elements of it came on last
	Entries   int    `pos:"entries,max=9"`   // how often they came on in that turn
	Arrives   int    `pos:"arrives,max=250"` // the turn from which it comes on (HFG-6.13); 0: not known
}

// A placedWork is a preparation on the field (HFG-6.6 to HFG-6.11).
type placedWork struct {
	ID     string `pos:"id,required,name,unique"`
	Kind   work   `pos:"kind,required"`
	Side   side   `pos:"side,required"`
	At     place  `pos:"at,required"` // the middle of its front edge
	Facing int    `pos:"facing,max=359"`
	Width  length `pos:"width,required"` // of its front
	Depth  length `pos:"depth"`          // of a redoubt or minefield
	Hidden bool   `pos:"hidden"`         // with the troops that hold it, or a minefield not entered (HFG-6.10, HFG-R30)
}

// A search is where a ford was looked for in vain (HFG-10.2).
type search struct {
	Over lineID `pos:"over,required"`
	At   place  `pos:"at,required"`
	By   side   `pos:"by"` // who alone knows of it; none: everybody does, as in positions of earlier programs
}

// A column one element wide, from its leader back, with the track that it follows off road:
// the places of the leader since it was formed, the newest last (HFG-9.9, HFG-R120).
type column struct {
	Members []elementID `pos:"members,required,items=2,most=99,unique"`
	Track   []place     `pos:"track,required,items=2,most=200"`
}

// Sightings are where a side, or each of its seats, last knew enemies that it doesn't know now.
type sightings []sighting

// A sighting is what was seen of an enemy.
type sighting struct {
	Element elementID `pos:"element,required"`
	At      place     `pos:"at,required"`
	Facing  int       `pos:"facing,max=359"`
	Turn    int       `pos:"turn,required,max=199"`
	Seat    string    `pos:"seat,name"` // whose it is, where each knows only what its own commands know
}

// phasing is the side whose turn it is; none during preparations.
func (g *game) phasing() side {
	if g.Turn == 0 {
		return noSide
	}
	if g.Turn%2 == 1 {
		return g.attacker()
	}
	return g.attacker().enemy()
}

// pair is which pair of turns this is.
func (g *game) pair() int { return (g.Turn + 1) / 2 }

// on says whether an element stands on the field, with a place or within what it holds. What
// is concealed stands there, too.
func (g *game) on(e elementID) bool {
	if e <= 0 {
		return false
	}
	x := &g.Elements[e]
	return x.Fate == present && (x.At != place{} || x.Holds != 0)
}

// standing lists the elements on the field, in the order of the list.
func (g *game) standing() []elementID {
	all := make([]elementID, 0, len(g.Elements))
	for e := elementID(1); int(e) < len(g.Elements); e++ {
		if g.on(e) {
			all = append(all, e)
		}
	}
	return all
}

// enemies says whether two elements are of different sides.
func (g *game) enemies(a, b elementID) bool { return g.def(a).side != g.def(b).side }

// command is the one that an element belongs to now.
func (g *game) command(e elementID) commandID {
	if c := g.Elements[e].Command; c != 0 {
		return c
	}
	return g.def(e).command
}

// class is what an element counts as now (HFG-2.2, HFG-2.6).
func (g *game) class(e elementID) class {
	d := g.def(e)
	if d.troop.dismountable() && g.dismounted(e) {
		return dismounted
	}
	return troops[d.troop].class
}

// dismounted says whether a dismountable counts as dismounted now (HFG-2.6, HFG-R99). What
// its player declares for a combat stands in OnFoot.
func (g *game) dismounted(e elementID) bool {
	x := &g.Elements[e]
	switch {
	case x.Charged:
		return false
	case x.Shot || g.entrenched(e):
		return true
	case x.Moved > dismountAfter:
		return false
	}
	switch g.def(e).troop {
	case mountedRifles:
		return true
	case repeaters, rifleCavalry:
		return x.OnFoot
	}
	return false
}

// dismountAfter is how far a dismountable may have moved in a turn in which it counts as
// dismounted without a shot, in paces.
const dismountAfter = 600
