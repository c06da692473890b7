package campaign

import "slices"

// A Period is a third of a day (HFG-20.1).
type Period int8

// The periods of a day.
const (
	Morning Period = iota
	Afternoon
	Night
	periods // how many there are
)

// PeriodWords are the periods as files write them.
var PeriodWords = []string{"morning", "afternoon", "night"}

// String gives the word of files.
func (p Period) String() string { return PeriodWords[p] }

// A Force is a command on the map: what never changes of it.
type Force struct {
	ID       string
	Side     int  // 0 or 1
	Elements int  // how many it has
	Rate     Rate // of its slowest element (HFG-20.4)
	Tactical int  // the least tactical move in good going of its elements, in paces (HFG-20.11)
	Foot     bool // it can entrench (HFG-20.6)
	Guns     bool // it can build a redoubt
}

// A Work is what a force does in a period besides marching and resting (HFG-20.6).
type Work int8

// The works.
const (
	NoWork   Work = iota
	Entrench      // an entrenchment for foot
	Redoubt       // one for artillery
	Demolish      // a bridge
	Repair        // one that was demolished
	Build         // a bridge in the place of one that was demolished
)

// WorkWords are the works as files write them; index 0 is unused.
var WorkWords = []string{"", "entrench", "redoubt", "demolish", "repair", "build"}

// String gives the word of files.
func (w Work) String() string { return WorkWords[w] }

// workPeriods is how many periods a work takes (HFG-20.6).
var workPeriods = [...]int{Entrench: 1, Demolish: 1, Redoubt: 2, Repair: 2, Build: 3}

// A Stand is where a force is and what it has done: what changes of it.
type Stand struct {
	At            Node  `pos:"at"`                   // its node; of one that was stopped on a stage the node it came from
	On            Stage `pos:"on"`                   // the stage on which it was stopped; 0: it stands at its node
	Far           int   `pos:"far,max=60"`           // how far along that stage from At, in sixtieths
	Since         int   `pos:"since,max=99999"`      // when it came there: the tick of the campaign
	Busy          int   `pos:"busy,max=9"`           // successive periods of marching or working up to now (HFG-20.8)
	Tired         bool  `pos:"tired"`                // it marched by night: the next period it rests (HFG-20.8)
	Used          int   `pos:"used,max=9"`           // stages marched this day
	Work          Work  `pos:"work"`                 // that it is at
	Target        Stage `pos:"target"`               // whose bridge it is
	Done          int   `pos:"done,max=9"`           // periods spent on it
	Entrenchments int   `pos:"entrenchments,max=99"` // that it has dug where it stands
	Redoubts      int   `pos:"redoubts,max=99"`

	// Of a period that is being played.
	Path []Node `pos:"path,most=9"`  // on which it marches, from At
	Gone int    `pos:"gone,max=540"` // how far along it, in sixtieths of a stage
	Went bool   `pos:"went"`         // its march has ended: it has met enemies, or got away from some
}

// A Sighting is where forces of a side stood at the last dawn, as both sides know it: of a
// node or a stage how many (HFG-20.2, HFG-R86).
type Sighting struct {
	Side   int   `pos:"side,max=1"`
	At     Node  `pos:"at,required"`
	On     Stage `pos:"on"`
	Forces int   `pos:"forces,required,max=99"`
}

// A State is a campaign at one moment.
type State struct {
	Day     int        `pos:"day,required,min=1,max=999"`
	Period  Period     `pos:"period"` // that is to be played next
	Raining bool       `pos:"raining"`
	Muddy   bool       `pos:"muddy"`
	Stands  []Stand    `pos:"forces,most=60,flow"`
	Down    []Stage    `pos:"down,most=120,unique,sorted"`           // whose bridges are demolished
	Down0   []Stage    `pos:"down_to_first,most=120,unique,sorted"`  // as the first side knows it: at dawn, and by its own deeds since (HFG-R86)
	Down1   []Stage    `pos:"down_to_second,most=120,unique,sorted"` // as the second does
	Seen    []Sighting `pos:"seen,most=120,flow"`
	Orders  []Order    `pos:"orders,most=60,flow"` // of this day, by force
	Under   bool       `pos:"under_way"`           // the period has begun
	Tick    int        `pos:"tick,max=60"`         // of it
	Met     *Meeting   `pos:"met"`                 // where hostile forces have met
}

// A Campaign is a map with forces and where they are.
type Campaign struct {
	*Map
	Forces []Force
	State
	Native int // the side that moves every second day, for two days' worth (HFG-20.9); -1: none
}

// New begins a campaign: at the first dawn all forces stand at their bases, and the weather is
// good.
func New(m *Map, forces []Force, native int) *Campaign {
	c := &Campaign{Map: m, Forces: forces, Native: native, State: State{Day: 1}}
	for _, f := range forces {
		c.Stands = append(c.Stands, Stand{At: m.Bases[f.Side]})
	}
	c.look()
	return c
}

// downTo is which bridges are down as far as a side knows.
func (s *State) downTo(side int) *[]Stage {
	if side == 0 {
		return &s.Down0
	}
	return &s.Down1
}

// learns notes that a side has come to know how a bridge is: it has worked on it, or stood before it.
func (s *State) learns(side int, road Stage) {
	known := s.downTo(side)
	*known = slices.DeleteFunc(slices.Clone(*known), func(r Stage) bool { return r == road })
	if slices.Contains(s.Down, road) {
		*known = append(*known, road)
		slices.Sort(*known)
	}
}

// AsKnown is the state with the bridges as a side knows them, and none as the other does (HFG-20.2).
func (s State) AsKnown(side int) State {
	s.Down = slices.Clone(*s.downTo(side))
	s.Down0, s.Down1 = nil, nil
	*s.downTo(side) = slices.Clone(s.Down)
	return s
}

// look notes what both sides know at dawn.
func (c *Campaign) look() { c.Look(c.Forces) }

// Look notes what both sides know at dawn (HFG-20.2): where the forces stand, and which bridges are down.
func (c *State) Look(forces []Force) {
	c.Seen, c.Down0, c.Down1 = nil, slices.Clone(c.Down), slices.Clone(c.Down)
	for side := range 2 {
		for i, f := range forces {
			if f.Side != side {
				continue
			}
			s := c.Stands[i]
			j := slices.IndexFunc(c.Seen, func(o Sighting) bool { return o.Side == side && o.At == s.At && o.On == s.On })
			if j < 0 {
				c.Seen = append(c.Seen, Sighting{Side: side, At: s.At, On: s.On})
				j = len(c.Seen) - 1
			}
			c.Seen[j].Forces++
		}
	}
}

// Force finds a force by its id.
func (c *Campaign) Force(id string) (int, bool) {
	i := slices.IndexFunc(c.Forces, func(f Force) bool { return f.ID == id })
	return i, i >= 0
}

// moves says whether a side moves on a day, and how many days' worth (HFG-20.9).
func (c *Campaign) moves(side int) int {
	if side != c.Native {
		return 1
	}
	if c.Day%2 == 0 {
		return 2
	}
	return 0
}

// RateOf is how far a force marches in a period and in this day.
func (c *Campaign) RateOf(force int) Rate {
	r, days := c.Forces[force].Rate, c.moves(c.Forces[force].Side)
	return Rate{r.Period * days, r.Day * days}
}

// tick is a moment of the campaign, for who was where first.
func (c *Campaign) tick(within int) int {
	return ((c.Day-1)*int(periods)+int(c.Period))*(ticks+1) + within
}
