// Package season is one season of a league as a state machine. A season is its acts:
// [Season.Apply] lets one act happen, or says why it can't and changes nothing, so the same
// acts always make the same season. It reads no store and no clock and draws no chance.
//
// Results are never typed over. A result says on what it rests, an entry of its game's log;
// a later entry of that log may bring another result for the same game, after a rewind or a
// ruling, and then that one is in force. Tables are made from the results in force alone.
package season

import (
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/table"
)

// A Plan is what of a league's set-up a season hangs on.
type Plan struct {
	League     string
	Season     string
	Divisions  []DivisionPlan
	MostAtOnce int // games that one plays at once; a double pairing may take him one above
	Under      int // per cent of his games: who withdraws with fewer decided fares as Then says
	Then, Else Fate
	Final      time.Duration `json:",omitzero"`  // how long after a result it becomes final; 0: results are never final
	MostSeats  int           `json:",omitzero"`  // of others, which a substitute has at once
	SubsRated  string        `json:",omitempty"` // own: a substitute is rated for what he has played; none: he never is; "": the entry is, whoever played
	Up, Down   int           `json:",omitzero"`  // how many of each division move after the season
	Playoffs   bool          `json:",omitzero"`  // the next of each play for one more move
	Probation  int           `json:",omitzero"`  // games that one must have finished to play in the first division of a system, from the second season on
	Length     time.Duration `json:",omitzero"`  // of play; 0: until all is decided
	FirstCall  bool          `json:",omitzero"`  // who took sides of others over in the season before goes before others who had no place in it
	Rating     *Rating       `json:",omitempty"` // nil: its log does not say
}

// DivisionPlan is a division before it has members.
type DivisionPlan struct {
	ID     string
	Size   int
	Level  int `json:",omitzero"` // from the highest of all, 0; groups side by side have the same
	Rounds int // of a Swiss system, and of games of three
	Table  table.Division
}

// Fate is what becomes of the results of one who withdraws.
type Fate string

// The fates.
const (
	Keep   Fate = "keep"
	Annul  Fate = "annul"  // they are shown and count for nobody
	Cancel Fate = "cancel" // as if never paired
)

// Phase is how far a season has come.
type Phase string

// The phases of a season, in their order.
const (
	Entering Phase = "entering"
	Dividing Phase = "dividing" // the list of entries is closed
	Running  Phase = "running"
	Settling Phase = "settling" // every pairing is decided
	Closed   Phase = "closed"
)

// A Season is a season as it stands.
type Season struct {
	Plan
	Phase      Phase
	Commitment string  // to the seed of the lots
	Seed       string  // once the season is closed
	Entries    []Entry // in the order in which they came
	List       lots.List
	Divisions  []Division
	Until      time.Time   // when its time ends; zero: never
	Untils     []time.Time // when it ended before it was extended, once for each time
	Vacancies  []Vacancy   // sides of running games that need a player

	at     map[string]int      // places of divisions: a season may have hundreds
	places map[string]int      // of members among the entries: a season may have thousands
	games  map[string][3]int   // where each game is: division, pairing, place in it; a season may have tens of thousands
	sat    map[string][][3]int // where the games are in which each member sits or has sat
}

// Entry is a member in the season.
type Entry struct {
	Member    string
	Start     int64 // his rating when the season began, in hundredths of a point
	Lot       int   // the place that was drawn for him, from 1
	Withdrawn bool
	TakenOut  bool // by a secretary, who has withdrawn him
	Late      bool // he entered after the list of entries was closed, and waits for a place
	Rests     bool // he has paused his entries: he takes no side of others
	AtOnce    int  // most games of his own at once, as he wishes; 0: as many as the plan allows
	Fate      Fate // of his results, if he has withdrawn
}

// Division is a division with its members.
type Division struct {
	DivisionPlan
	Members  []string // in the order in which they are paired
	Initial  pair.Colour
	Pairings []Pairing // in the order of rounds
	Byes     []Bye
	Paired   int      // rounds that are paired
	Ended    bool     // time has ended: no further round is paired
	Playoff  *Playoff // the two of it play for a move
}

// Bye is a round in which somebody plays nobody.
type Bye struct {
	Round  int
	Member string
}

// Pairing is two or three members who meet.
type Pairing struct {
	Round  int
	Seats  []string // members in the order of sides; in the second game of a double the other way round
	Games  []Game   // none until they are made
	Lapsed bool     // time ended before its games were made
	By     string   // who challenged the other, on a ladder
}

// Game is a game of a pairing.
type Game struct {
	ID       string
	Entries  []string   // whose results count, in the order of sides
	Players  []string   // who sits there now
	Were     []bool     // a substitute has sat on this side
	Subs     []int      // how many have, by sides
	Sat      [][]string // who has sat there, one after the other, by sides
	Result   Outcome    // what its log says
	Link     Link       // on what that rests
	Reopened bool
	Until    time.Time // when its own time ends, since a secretary has prolonged it; zero: with the season's
	Turn     int       // that was being played then,
	Last     int       // and the last that it could have
	Counted  *Count    // when time ended: it holds unless the log says how the game ended
	Foreign  *Foreign  // the game of another office that counts in its place
	Ruled    *Ruling   // of a secretary, which holds against the log
	Since    time.Time // when what it counts as last became something else
	Final    bool      // it is rated and moves members up and down
	Claim    *Claim    // what its log says since it was final
}

// Count is how a game stood when the season's time ended, by the count of its ruleset.
type Count struct {
	Link   Link
	Head   int     // entry of the log that led to the position that was counted
	Points []int64 // by sides; none: the ruleset does not count, and the game is drawn
	Result Outcome
}

// Ruling is what a secretary has ruled on a game.
type Ruling struct {
	By     string // a member, or an address
	Reason string
	Result Outcome
}

// Claim is what the log of a game says that had a final result.
type Claim struct {
	Link   Link
	Result Outcome
	By     string // who wants it to be settled, and how; a second one must want the same
	Stand  bool
}

// Link is an entry of a game's log.
type Link struct {
	Number int
	Hash   string
}

// Outcome is what came of a game.
type Outcome struct {
	Kind      table.Kind
	Places    []table.Place // by sides; none where the kind has none
	Inflicted []int64       // by sides, or none
	Missed    []int64       // by sides, or none
	Secretary bool          // a secretary has ruled it

	// Answered is the stops that players answered themselves, by sides and by who sat there, one after the
	// other; Bots those that the bot answered, by sides. None: the season's plan does not ask for it.
	Answered [][]int64 `json:",omitempty"`
	Bots     []int64   `json:",omitempty"`
}

// New announces a season, with the commitment to the seed of its lots.
func New(plan Plan, commitment string) *Season {
	return &Season{Plan: plan, Phase: Entering, Commitment: commitment, places: map[string]int{}, games: map[string][3]int{}, sat: map[string][][3]int{}}
}

// An Act is something that happens to a season.
type Act interface {
	// apply lets the act happen, or gives an error and changes nothing.
	apply(s *Season) error
}

// Apply lets an act happen. If it can't, the error says why, and the season is as before.
func (s *Season) Apply(act Act) error { return act.apply(s) }

// A PhaseError says that something can't happen in the phase in which the season is.
type PhaseError struct{ Phase Phase }

// Error implements error.
func (e *PhaseError) Error() string { return fmt.Sprintf("the season is %s", e.Phase) }

// in gives an error unless the season is in one of some phases.
func (s *Season) in(phases ...Phase) error {
	if !slices.Contains(phases, s.Phase) {
		return &PhaseError{s.Phase}
	}
	return nil
}

// entry gives a member's entry, or nil.
func (s *Season) entry(member string) *Entry {
	if i, there := s.places[member]; there {
		return &s.Entries[i]
	}
	return nil
}

// Has tells whether a member has entered, even if he has withdrawn.
func (s *Season) Has(member string) bool { return s.entry(member) != nil }

// division gives a division, or nil.
func (s *Season) division(id string) *Division {
	if at := divisionAt(s, id); at >= 0 {
		return &s.Divisions[at]
	}
	return nil
}

// numbered notes where each division of a season stands.
func numbered(s *Season) {
	s.at = make(map[string]int, len(s.Divisions))
	for i := range s.Divisions {
		s.at[s.Divisions[i].ID] = i
	}
}

// divisionAt gives the place of a division in the season, or -1.
func divisionAt(s *Season, id string) int {
	if i, there := s.at[id]; there {
		return i
	}
	return -1
}

// Game gives a game of the season, or nil.
func (s *Season) Game(id string) *Game {
	_, g := s.game(id)
	return g
}

// Value gives what a game counts as now.
func (s *Season) Value(g *Game) Outcome { return s.inForce(g) }

// game gives a game and its division, or nil.
func (s *Season) game(id string) (*Division, *Game) {
	at, ok := s.games[id]
	if !ok {
		return nil, nil
	}
	d := &s.Divisions[at[0]]
	return d, &d.Pairings[at[1]].Games[at[2]]
}

// plays tells whether a member has a place in a division.
func (d *Division) plays(member string) bool { return slices.Contains(d.Members, member) }

// Waiting gives the members who have entered, have not withdrawn and are in no division, in
// the order in which they came: the substitutes.
func (s *Season) Waiting() []string {
	var all []string
	plays := map[string]bool{} // a season may have thousands
	for _, d := range s.Divisions {
		for _, m := range d.Members {
			plays[m] = true
		}
	}
	for _, e := range s.Entries {
		if !e.Withdrawn && !plays[e.Member] {
			all = append(all, e.Member)
		}
	}
	return all
}

// decided tells whether nothing of a game is open any more, as results stand in force.
func (s *Season) decided(g *Game) bool { return s.inForce(g).Kind != table.Open }

// own gives what a game counts as if nobody withdraws: what a secretary has ruled, else what its
// log says, else how it was counted when time ended.
func (g *Game) own() Outcome {
	open := g.Result.Kind == "" || g.Result.Kind == table.Open
	switch {
	case g.Ruled != nil:
		return g.Ruled.Result
	case g.Foreign != nil:
		return g.Foreign.Result
	case open && g.Counted != nil:
		return g.Counted.Result
	case open:
		return Outcome{Kind: table.Open}
	}
	return g.Result
}

// inForce gives what a game counts as: its own outcome, unless somebody who withdrew takes
// it with him. A game from which all withdrew is cancelled if it is not decided.
func (s *Season) inForce(g *Game) Outcome {
	fate, gone := Keep, 0
	for _, member := range g.Entries {
		e := s.entry(member)
		if !e.Withdrawn {
			continue
		}
		gone++
		if e.Fate == Cancel || e.Fate == Annul && fate == Keep {
			fate = e.Fate
		}
	}
	o := g.own()
	open := o.Kind == table.Open
	switch {
	case fate == Cancel, fate == Annul && open, open && gone == len(g.Entries):
		return Outcome{Kind: table.Cancelled}
	case fate == Annul:
		o.Kind = table.Annulled
	case open:
		return Outcome{Kind: table.Open}
	}
	return o
}

// Table gives the table of a division as it stands.
func (s *Season) Table(id string) (table.Table, error) {
	d := s.division(id)
	if d == nil {
		return table.Table{}, fmt.Errorf("there is no division %s", id)
	}
	var entries []table.Entry
	for _, member := range d.Members {
		e := s.entry(member)
		entries = append(entries, table.Entry{ID: member, Start: e.Start, Lot: e.Lot, Out: e.Withdrawn && e.Fate != Keep})
	}
	var results []table.Result
	for i := range d.Pairings {
		p := &d.Pairings[i]
		for k := range p.Games {
			results = append(results, s.result(p.Round, &p.Games[k]))
		}
	}
	if slices.Contains(d.Table.Ties, table.SideLuck) {
		harder(results)
	}
	for _, b := range d.Byes {
		e := s.entry(b.Member)
		if e.Withdrawn && e.Fate != Keep {
			continue
		}
		for k := range d.games() { // in a double pairing one for each game
			results = append(results, table.Result{Game: fmt.Sprintf("bye %d.%d %s", b.Round, k+1, b.Member), Round: b.Round, Kind: table.Bye, Seats: []table.Seat{{Entry: b.Member}}})
		}
	}
	made, err := table.Make(d.Table, entries, results)
	if err == nil && d.Table.Form == table.Ladder {
		made = climbed(made, Ladder(s, id))
	}
	return made, err
}

// harder marks in games of two who had the side that has won less often in the division, by the results themselves.
// Where both have won as often neither is the harder one.
func harder(results []table.Result) {
	var won [2]int
	over := func(r table.Result) bool {
		return len(r.Seats) == 2 && (r.Kind == table.Played || r.Kind == table.Adjudicated)
	}
	for _, r := range results {
		for side := range won {
			if over(r) && r.Seats[side].Place == table.Won {
				won[side]++
			}
		}
	}
	for _, r := range results {
		if over(r) && won[0] != won[1] {
			r.Seats[map[bool]int{true: 0, false: 1}[won[0] < won[1]]].Harder = true
		}
	}
}

// result gives a game as a table takes it.
func (s *Season) result(round int, g *Game) table.Result {
	o := s.inForce(g)
	r := table.Result{Game: g.ID, Round: round, Kind: o.Kind}
	for side, member := range g.Entries {
		seat := table.Seat{Entry: member}
		if len(o.Places) > 0 {
			seat.Place = o.Places[side]
		}
		if len(o.Inflicted) > 0 {
			seat.Inflicted = o.Inflicted[side]
		}
		if len(o.Missed) > 0 {
			seat.Missed = o.Missed[side]
		}
		if o.Kind != table.Open {
			switch {
			case g.Players[side] != member:
				seat.Marks = append(seat.Marks, table.BySubstitute)
			case g.Were[side]:
				seat.Marks = append(seat.Marks, table.ByFirst)
			}
			if o.Secretary {
				seat.Marks = append(seat.Marks, table.BySecretary)
			}
		}
		if g.Foreign != nil && g.Ruled == nil {
			seat.Marks = append(seat.Marks, table.Elsewhere)
		}
		if g.Reopened {
			seat.Marks = append(seat.Marks, table.Reopened)
		}
		r.Seats = append(r.Seats, seat)
	}
	return r
}

// onHand gives how many undecided games a member has on his hands, his own and those that he has taken over.
func (s *Season) onHand(member string) int {
	n := 0
	for _, at := range s.sat[member] {
		if g := &s.Divisions[at[0]].Pairings[at[1]].Games[at[2]]; slices.Contains(g.Players, member) && !s.decided(g) {
			n++
		}
	}
	return n
}

// seated notes that a member sits in a game.
func seated(s *Season, game, member string) {
	if at := s.games[game]; !slices.Contains(s.sat[member], at) {
		s.sat[member] = append(s.sat[member], at)
	}
}

// Due gives the pairings of a division whose games can be made now, by their places: in the
// order of rounds, none who withdrew among them, and everybody with a game free. A pairing
// that has waited longer takes its members' games before one that comes after it.
func (s *Season) Due(id string) []int {
	d := s.division(id)
	if d == nil || s.Phase != Running {
		return nil
	}
	return d.due(s, len(d.Pairings))
}

// AllDue is Due for all divisions, in their order.
func (s *Season) AllDue() [][]int {
	all := make([][]int, len(s.Divisions))
	if s.Phase != Running {
		return all
	}
	for i := range s.Divisions {
		all[i] = s.Divisions[i].due(s, len(s.Divisions[i].Pairings))
	}
	return all
}

// Stands tells whether a pairing is still to be played, and all its members still take part. The
// division and the pairing are given by their places.
func Stands(s *Season, division, pairing int) bool {
	if s.Phase != Running || division >= len(s.Divisions) || pairing >= len(s.Divisions[division].Pairings) {
		return false
	}
	p := &s.Divisions[division].Pairings[pairing]
	return len(p.Games) == 0 && !p.Lapsed && !slices.ContainsFunc(p.Seats, func(m string) bool { return s.entry(m).Withdrawn })
}

// due gives the pairings of the division whose games can be made, among the first so many.
func (d *Division) due(s *Season, first int) (due []int) {
	onHand := map[string]int{} // games of each member: undecided ones, and those that are due
	for i := range d.Pairings[:first] {
		p := &d.Pairings[i]
		if len(p.Games) > 0 || p.Lapsed {
			continue
		}
		free := true
		for _, member := range p.Seats {
			if _, known := onHand[member]; !known {
				onHand[member] = s.onHand(member)
			}
			e := s.entry(member)
			free = free && !e.Withdrawn && onHand[member] < e.most(s.MostAtOnce)
		}
		if !free {
			continue
		}
		for _, member := range p.Seats {
			onHand[member] += d.games()
		}
		due = append(due, i)
	}
	return due
}

// most is how many games the member has at once, where the plan allows so many.
func (e *Entry) most(plan int) int {
	if e.AtOnce > 0 {
		return min(e.AtOnce, plan)
	}
	return plan
}

// games is how many games a pairing has.
func (d *Division) games() int {
	if d.Table.Pairing == table.Double {
		return 2
	}
	return 1
}

// over tells whether a pairing needs nothing any more: its games are decided, or somebody
// withdrew before they were made.
func (s *Season) over(p *Pairing) bool {
	if len(p.Games) == 0 {
		return p.Lapsed || slices.ContainsFunc(p.Seats, func(m string) bool { return s.entry(m).Withdrawn })
	}
	for k := range p.Games {
		if !s.decided(&p.Games[k]) {
			return false
		}
	}
	return true
}

// Open gives how many pairings and rounds of the season still need something.
func (s *Season) Open() int {
	n := 0
	for i := range s.Divisions {
		d := &s.Divisions[i]
		for j := range d.Pairings {
			if !s.over(&d.Pairings[j]) {
				n++
			}
		}
		if !d.Ended {
			n += d.rounds() - d.Paired
		}
	}
	return n
}

// rounds is how many rounds a division has in all. A ladder has one for each challenge, and may have one more as long as
// its time has not ended.
func (d *Division) rounds() int {
	if d.Table.Form == table.Ladder {
		if d.Ended || len(d.Members) == 0 {
			return d.Paired
		}
		return d.Paired + 1
	}
	if d.Table.Form == table.RoundRobin && d.Table.Pairing != table.Trio {
		return len(d.Members) - 1 + len(d.Members)%2
	}
	return d.Rounds
}
