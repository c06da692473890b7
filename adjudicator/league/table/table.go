// Package table makes the table of a division from its results: points in whole numbers,
// places, and for every two neighbours what parted them.
//
// A table is a function of the set of results in force. It is always made whole: one more
// result may move anybody's Sonneborn-Berger or Buchholz. The order in which entries and
// results are handed over is of no matter, and no rule is applied that the division's
// set-up does not name.
package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Twelfths is how many units of account a point has: a win that three share is still a
// whole number.
const Twelfths = 12

// Points is what a result is worth, in twelfths of a point.
type Points struct {
	Win, Draw, Loss         int64
	Bye                     int64
	ForfeitWin, ForfeitLoss int64
}

// Usual is two points for a win, one for a draw, a bye and a forfeit counted as wins.
var Usual = Points{Win: 2 * Twelfths, Draw: Twelfths, Bye: 2 * Twelfths, ForfeitWin: 2 * Twelfths}

// Kind is how a result came about.
type Kind string

// The kinds of results.
const (
	Open          Kind = "open"           // nothing yet
	Played        Kind = "played"         // the game's own outcome
	Adjudicated   Kind = "adjudicated"    // by an umpire, or by the ruleset's count when time ended
	Forfeit       Kind = "forfeit"        // a side gave no more answers
	DoubleForfeit Kind = "double-forfeit" // no side did
	Bye           Kind = "bye"            // nobody to play with in this round
	Cancelled     Kind = "cancelled"      // as if never paired
	Annulled      Kind = "annulled"       // shown in brackets, counts for nothing
)

// Counts tells whether a result of this kind hands out points.
func (k Kind) Counts() bool {
	switch k {
	case Played, Adjudicated, Forfeit, DoubleForfeit, Bye:
		return true
	}
	return false
}

// overTheBoard tells whether somebody played for the result.
func (k Kind) overTheBoard() bool { return k == Played || k == Adjudicated }

// Place is how a seat came out of its game.
type Place string

// The places. Of the seats of a game one won, or two or more drew.
const (
	Won  Place = "won"
	Drew Place = "drew"
	Lost Place = "lost"
)

// Mark tells in a table how a result came about.
type Mark string

// The marks.
const (
	BySubstitute  Mark = "P" // a substitute finished the game
	ByFirst       Mark = "O" // the first player finished it, after a substitute had sat there
	ByUmpire      Mark = "A" // adjudicated
	BySecretary   Mark = "S" // ruled by a secretary
	Forfeited     Mark = "F"
	CancelledMark Mark = "C"
	ByeMark       Mark = "B"
	Reopened      Mark = "R" // opened again since it was decided
	Elsewhere     Mark = "X" // played in another office
)

// Result is what came of a game, or a bye.
type Result struct {
	Game  string // its id; of a bye a name of its own
	Round int    // from 1
	Kind  Kind
	Seats []Seat // two, or three in a game of three; one in a bye
}

// Seat is an entry in a game.
type Seat struct {
	Entry     string
	Place     Place // in a result that is played, adjudicated, a forfeit or annulled
	Harder    bool  // it played the side that wins less often
	Inflicted int64 // losses that it inflicted by the ruleset's count, no more than victory needs
	Missed    int64 // stops that it missed
	Marks     []Mark
}

// Entry is a row of the table.
type Entry struct {
	ID    string
	Start int64 // its rating when the season began, in hundredths of a point
	Lot   int   // the place that was drawn for it, from 1; 0 if no lot was drawn
	Out   bool  // it was annulled: it stands below the others, without a place
}

// Table is a division as it stands.
type Table struct {
	Rows []Row
}

// Row is an entry as it stands.
type Row struct {
	Entry  string
	Rank   int // from 1; those whom no rule parts share one. 0 if the entry is out
	Points int64
	Games  int // results that count, byes among them
	Won    int
	Drew   int
	Lost   int
	Ties   []Value // one for each of the division's ties, in their order
	Parted Tie     // what parted it from the row above: ByPoints, a tie, or "" if nothing did
	Cells  []Cell  // its results in the order of rounds and games
}

// Cell is a result as an entry's row shows it.
type Cell struct {
	Game    string
	Round   int
	Kind    Kind
	Against []string // none in a bye
	Place   Place
	Points  int64
	Marks   []Mark
}

// Make gives the table of a division. It gives an error, with all faults at once, for rules
// that don't fit the division and for results that can't be.
func Make(d Division, entries []Entry, results []Result) (Table, error) {
	if err := errors.Join(d.Check(), Check(entries, results)); err != nil {
		return Table{}, err
	}
	m := newMaking(d, entries, results)
	rows := make([]Row, 0, len(m.entries))
	var ranked, out []int
	for i, e := range m.entries {
		if e.Out {
			out = append(out, i)
		} else {
			ranked = append(ranked, i)
		}
	}
	placed := m.order(ranked)
	for at, p := range placed {
		row := m.rows[p.entry]
		row.Parted, row.Rank = p.parted, at+1
		if at > 0 && p.parted == "" {
			row.Rank = rows[at-1].Rank
		}
		row.Ties = m.values(p.entry)
		rows = append(rows, row)
	}
	for _, i := range out {
		rows = append(rows, m.rows[i])
	}
	return Table{Rows: rows}, nil
}

// making is a table on its way.
type making struct {
	Division
	entries []Entry // in the order of ids
	results []Result
	place   map[string]int // of an entry, by its id
	rows    []Row
	rounds  int
	shown   []map[Tie]Value // of direct meetings, as they parted a group
}

func newMaking(d Division, entries []Entry, results []Result) *making {
	m := &making{Division: d, entries: slices.Clone(entries), results: slices.Clone(results), place: map[string]int{}}
	slices.SortFunc(m.entries, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(m.results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Game, b.Game))
	})
	m.rows = make([]Row, len(m.entries))
	m.shown = make([]map[Tie]Value, len(m.entries))
	for i, e := range m.entries {
		m.place[e.ID] = i
		m.rows[i].Entry = e.ID
		m.shown[i] = map[Tie]Value{}
	}
	for _, r := range m.results {
		m.rounds = max(m.rounds, r.Round)
		m.take(r)
	}
	return m
}

// take enters a result in the rows of its seats.
func (m *making) take(r Result) {
	for k, seat := range r.Seats {
		row := &m.rows[m.place[seat.Entry]]
		cell := Cell{Game: r.Game, Round: r.Round, Kind: r.Kind, Place: seat.Place, Points: m.Points.Award(r, k), Marks: marks(r.Kind, seat.Marks)}
		for j, other := range r.Seats {
			if j != k {
				cell.Against = append(cell.Against, other.Entry)
			}
		}
		row.Cells = append(row.Cells, cell)
		if !r.Kind.Counts() {
			continue
		}
		row.Points += cell.Points
		row.Games++
		switch {
		case r.Kind == Bye:
		case r.Kind == DoubleForfeit || seat.Place == Lost:
			row.Lost++
		case seat.Place == Won:
			row.Won++
		default:
			row.Drew++
		}
	}
}

// marks gives the marks of a seat, with the one that its result's kind has of itself.
func marks(k Kind, others []Mark) []Mark {
	var all []Mark
	switch k {
	case Adjudicated:
		if !slices.Contains(others, BySecretary) {
			all = append(all, ByUmpire)
		}
	case Forfeit, DoubleForfeit:
		all = append(all, Forfeited)
	case Cancelled:
		all = append(all, CancelledMark)
	case Bye:
		all = append(all, ByeMark)
	}
	for _, mark := range others {
		if !slices.Contains(all, mark) {
			all = append(all, mark)
		}
	}
	return all
}

// Award gives what a result is worth to one of its seats, in twelfths of a point. Those who
// draw a game of three share what a win is worth.
func (p Points) Award(r Result, seat int) int64 {
	place := r.Seats[seat].Place
	drew := int64(0)
	for _, s := range r.Seats {
		if s.Place == Drew {
			drew++
		}
	}
	switch r.Kind {
	case Bye:
		return p.Bye
	case DoubleForfeit:
		return p.ForfeitLoss
	case Forfeit:
		switch place {
		case Won:
			return p.ForfeitWin
		case Drew:
			return p.ForfeitWin / drew
		}
		return p.ForfeitLoss
	case Played, Adjudicated:
		switch {
		case place == Won:
			return p.Win
		case place == Drew && len(r.Seats) == 2:
			return p.Draw
		case place == Drew:
			return p.Loss + (p.Win-p.Loss)/drew
		}
		return p.Loss
	}
	return 0
}

// Check gives what speaks against some entries and results: each one that can't be.
func Check(entries []Entry, results []Result) error {
	var faults []error
	fault := func(form string, args ...any) { faults = append(faults, fmt.Errorf(form, args...)) }
	known := map[string]bool{}
	for _, e := range entries {
		if e.ID == "" || known[e.ID] {
			fault("entry %q is there twice, or has no name", e.ID)
		}
		known[e.ID] = true
	}
	games := map[string]bool{}
	for _, r := range results {
		if r.Game == "" || games[r.Game] {
			fault("game %q is there twice, or has no name", r.Game)
		}
		games[r.Game] = true
		if r.Round < 1 {
			fault("game %s is of round %d: the first is 1", r.Game, r.Round)
		}
		seen := map[string]bool{}
		for _, s := range r.Seats {
			if !known[s.Entry] {
				fault("game %s: %q is no entry of this division", r.Game, s.Entry)
			}
			if seen[s.Entry] {
				fault("game %s: %q sits in it twice", r.Game, s.Entry)
			}
			seen[s.Entry] = true
		}
		if why := r.impossible(); why != "" {
			fault("game %s: %s", r.Game, why)
		}
	}
	return errors.Join(faults...)
}

// impossible tells why there can be no such result.
func (r Result) impossible() string {
	won, drew, lost := 0, 0, 0
	for _, s := range r.Seats {
		switch s.Place {
		case Won:
			won++
		case Drew:
			drew++
		case Lost:
			lost++
		}
	}
	seats := len(r.Seats)
	if r.Kind == Bye {
		if seats != 1 || won+drew+lost > 0 {
			return "a bye is of one seat, without a place"
		}
		return ""
	}
	if seats != 2 && seats != 3 {
		return fmt.Sprintf("%d seats: there must be two or three", seats)
	}
	switch r.Kind {
	case Open, Cancelled, DoubleForfeit:
		if won+drew+lost > 0 {
			return fmt.Sprintf("a result that is %s has no places", r.Kind)
		}
	case Annulled:
		if won+drew+lost != 0 && won+drew+lost != seats {
			return "of a result that is annulled all seats have a place, or none has"
		}
	case Played, Adjudicated, Forfeit:
		one, shared := won == 1 && drew == 0, won == 0 && drew >= 2
		if won+drew+lost != seats || !one && !shared {
			return "one seat must have won, or two or more drawn, and the others lost"
		}
		if r.Kind == Forfeit && lost == 0 {
			return "nobody lost by this forfeit"
		}
	default:
		return fmt.Sprintf("%q is no kind of result", r.Kind)
	}
	return ""
}
