package mistakes

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/engine/play"
)

// A game is a position: everything that changes.
type game struct {
	*scenario `pos:"-"`
	options   `pos:"-"`

	Turn       int         `pos:"turn,required,min=1,max=99"`
	Phase      phase       `pos:"phase"`
	Next       int         `pos:"next,max=3"`              // how many armies of the order have had their share of the phase
	Said       bool        `pos:"said"`                    // the seat whose share it is has said what it does
	Entering   []corpsID   `pos:"entering,most=30,unique"` // black corps that place units now (EM-6.2)
	Back       []leaderID  `pos:"back,most=30,unique"`     // substitutes that are to be placed (EM-5.6)
	Missions   []mission   `pos:"missions,most=99"`        // bombardments that were ordered and are not fired yet
	Under      shelling    `pos:"under"`                   // the one on which its target's owner decides
	Moves      []move      `pos:"moves,most=99"`           // manoeuvres that were ordered and are not made yet
	Heard      int         `pos:"heard,max=3"`             // how many armies of the order have let the first of them be made (EM-9.11)
	Rush       *manoeuvre  `pos:"rush"`                    // a charge on a gun whose owner decides (EM-10.13, EM-10.14)
	Order      []army      `pos:"order,most=3,unique"`     // of initiative in this turn (EM-5.4)
	Was        []army      `pos:"was,most=3,unique"`       // in the turn before (EM-5.5)
	Reserve    [armies]int `pos:"reserve,by=army,max=99"`  // markers in the reserves
	Units      []unit      `pos:"units,by=unit,flow"`      // index 0 is unused
	Formations []formation `pos:"formations,key=ID,flow"`  // in the order of their ids
	Leaders    []leader    `pos:"leaders,by=leader,flow"`  // index 0 is unused
	Placed     []corpsID   `pos:"placed,most=30,unique"`   // black corps that have begun to enter (EM-6.2)
	Apart      []pair      `pos:"apart,most=999"`          // the separated set (EM-3.6), lowest numbers first
	Joinable   []pair      `pos:"joinable,most=999"`       // of a corps, that ended a manoeuvre in contact (EM-9.10), lowest numbers first
	Barred     []unitID    `pos:"barred,most=99"`          // who backed off in the last melee of the combat before (EM-R101)
	Fleeing    []flight    `pos:"fleeing,most=30"`         // leaders who were met and not caught (EM-13.4)
	Combat     *combat     `pos:"combat"`                  // what is being fought out

	owed      []engine.Decision     `pos:"-"` // the stop that is open
	answered  []play.Left           `pos:"-"` // what policies have said at it while others are asked
	standings [armies]standing      `pos:"-"` // standing orders, by seat
	policies  [armies]play.Policies `pos:"-"`
	ruled     [armies]standing      `pos:"-"` // what the policies say, as standing orders
}

// A unit is a tile, a gun or a garrison.
type unit struct {
	At      place  `pos:"at"` // of the tile or the gun's own counter; none: not on the field
	Heading int    `pos:"heading,max=359"`
	Losses  int    `pos:"losses,max=9"`
	Yellow  int    `pos:"yellow,max=2"` // 1: shaken, 2: routed
	Smoke   bool   `pos:"smoke"`
	Limber  limber `pos:"limber"`
	Gone    fate   `pos:"gone"`
	By      army   `pos:"by"`             // which enemy removed it (EM-17.1)
	ByBlack int    `pos:"by_black,max=9"` // how many of the losses black has caused (EM-R49)

	Routed army `pos:"routed"` // which enemy routed it, if one did

	// Of this turn.
	Limbered   bool `pos:"limbered"`      // has limbered (EM-15.3)
	Unlimbered bool `pos:"unlimbered"`    // has unlimbered (EM-15.4)
	Fired      bool `pos:"fired"`         // has fired or supported a bombardment (EM-7.1)
	Manoeuvred bool `pos:"manoeuvred"`    // has made its manoeuvre (EM-9.11, EM-15.3)
	Fought     int  `pos:"fought,max=99"` // combats it took part in (EM-13.2)
	Gave       bool `pos:"gave"`          // has fought in a combat (EM-11.1, EM-R100)

	Charged bool   `pos:"charged"`    // made a charge (EM-11.1)
	Charge  length `pos:"charge_far"` // how far that went straight ahead (EM-R74)
	Forded  bool   `pos:"forded"`     // crossed a stream in it (EM-4.11)
	Bridged bool   `pos:"bridged"`    // its formation crossed a bridge in it (EM-4.11)
}

// A formation is one or more units of a corps that are in contact and have one heading.
type formation struct {
	ID         string   `pos:"id,name"`
	Corps      corpsID  `pos:"corps,required"`
	Units      []unitID `pos:"units,required,items=1,most=99,unique,sorted"`
	Green      bool     `pos:"green"`        // moving
	Orange     int      `pos:"orange,max=2"` // recovering
	Ordered    bool     `pos:"ordered"`      // had its order this turn (EM-9.1)
	Kept       bool     `pos:"kept"`         // was set in motion or kept moving this turn (EM-9.9)
	Started    bool     `pos:"started"`      // was set in motion this turn (EM-9.3)
	Rest       bool     `pos:"rest"`         // what was left when a part was set in motion this turn: it stays still (EM-9.3)
	Manoeuvred bool     `pos:"manoeuvred"`   // made its manoeuvre this turn (EM-10.1)
}

// A leader is a general, his substitute, a commander-in-chief or Ney.
type leader struct {
	At         place  `pos:"at"`       // of a free leader; none: attached, or not on the field
	Attached   unitID `pos:"attached"` // the unit on which his counter lies
	Markers    int    `pos:"markers,max=99"`
	Substitute bool   `pos:"substitute"`
	Gone       fate   `pos:"gone"`
	By         army   `pos:"by"`
	Tries      int    `pos:"tries,max=9"`  // for a substitute, since he was lost (EM-5.6)
	Lost       []loss `pos:"lost,most=99"` // how those before a substitute were lost (EM-17.1)
	Spent      int    `pos:"spent,max=9"`  // generated points used this turn (EM-2.2)
	Paid       string `pos:"paid"`         // the formation they were used for, if one alone (EM-2.3)
}

// A loss is how a general was lost, and by whom.
type loss struct {
	How fate `pos:"how"`
	By  army `pos:"by"`
}

// A pair is two units, the lower number first.
type pair struct {
	A unitID `pos:"a,required"`
	B unitID `pos:"b,required"`
}

// pairOf puts two units in order.
func pairOf(a, b unitID) pair { return pair{min(a, b), max(a, b)} }

// on says whether a unit stands on the field.
func (g *game) on(u unitID) bool { return u > 0 && g.Units[u].At != place{} }

// standing lists the units on the field, in the order of their numbers.
func (g *game) standing() []unitID {
	all := make([]unitID, 0, len(g.Units))
	for u := unitID(1); int(u) < len(g.Units); u++ {
		if g.on(u) {
			all = append(all, u)
		}
	}
	return all
}

// of finds the formation of a unit; nil for a garrison, and for what is not on the field.
func (g *game) of(u unitID) *formation {
	for i := range g.Formations {
		if slices.Contains(g.Formations[i].Units, u) {
			return &g.Formations[i]
		}
	}
	return nil
}

// formationNamed finds a formation by its id.
func (g *game) formationNamed(id string) *formation {
	for i := range g.Formations {
		if g.Formations[i].ID == id {
			return &g.Formations[i]
		}
	}
	return nil
}

// fielded says whether an army has a unit on the field.
func (g *game) fielded(a army) bool {
	return slices.ContainsFunc(g.standing(), func(u unitID) bool { return g.def(u).army == a })
}

// enemies says whether two units are of armies that fight each other.
func (g *game) enemies(a, b unitID) bool { return !g.def(a).army.allied(g.def(b).army) }

// moving says whether the formation of a unit has green. A garrison never has.
func (g *game) moving(u unitID) bool {
	f := g.of(u)
	return f != nil && f.Green
}

// heading is that of all units of a formation.
func (g *game) heading(f *formation) geometry.Heading {
	return geometry.Heading(g.Units[f.Units[0]].Heading)
}

// placed sets up the field as the file has it (EM-1.1 to EM-1.3), without green, orange,
// yellow or losses.
func (s *scenario) placed(o options) *game {
	g := &game{scenario: s, options: o, Units: make([]unit, len(s.roster)+1), Leaders: make([]leader, len(s.leaders)+1)}
	g.Turn = g.length().turns[0]
	for i := range s.roster {
		d := &s.roster[i]
		if d.garrison() && !g.length().garrisons || !d.garrison() && g.length().deploy {
			continue
		}
		g.Units[i+1] = s.setUp(unitID(i + 1))
	}
	for _, d := range g.length().places {
		g.Units[d.unit].At, g.Units[d.unit].Heading = d.at, d.heading
	}
	for a := blue; a < armies; a++ {
		g.Reserve[a] = s.supply[a].markers
	}
	if g.length().deploy {
		g.Phase = deploying
		return g
	}
	for _, d := range s.formations {
		units := slices.Clone(d.units)
		slices.Sort(units)
		g.Formations = append(g.Formations, formation{ID: d.id, Corps: d.corps, Units: units})
	}
	g.arrange()
	for i := range s.leaders {
		if d := &s.leaders[i]; d.role != ney || o.ney != 0 {
			g.Leaders[i+1].At, g.Leaders[i+1].Attached = d.at, d.attached
		}
	}
	return g
}

// setUp is a unit as the file sets it up.
func (s *scenario) setUp(id unitID) unit {
	d := s.def(id)
	u := unit{At: d.at, Heading: d.heading}
	if d.limbered {
		u.Limber = behind
	}
	return u
}

// arrange puts the formations in the order of their ids.
func (g *game) arrange() {
	slices.SortFunc(g.Formations, func(a, b formation) int { return strings.Compare(a.ID, b.ID) })
}
