package table

import (
	"errors"
	"fmt"
	"slices"
)

// Tie is a rule that parts entries with equal points.
type Tie string

// The rules, with what goes first.
const (
	// ByPoints is no tie: it is what parts rows with other points.
	ByPoints Tie = "points"
	// ByLadder is none either: it is what parts rows on a ladder.
	ByLadder Tie = "ladder"

	// Direct is points in the games of the tied among themselves, if every two of them met
	// equally often; those whom that leaves tied are compared among themselves again. If
	// they have not all met, only he goes first who leads whatever the missing games bring.
	// A game of three counts if two of the tied sat in it.
	Direct Tie = "direct"

	// SonnebornBerger is the sum, over all games, of the opponent's points times the share of
	// a win that one got from him; in a game of three the mean of both opponents. For a game
	// that was forfeited one's own points stand for the opponent's. A bye counts nothing in a
	// round robin, and as if against one's own points in a Swiss system.
	SonnebornBerger Tie = "sonneborn-berger"

	// Wins is games won over the board, adjudicated ones included, forfeits not (Baumbach).
	Wins Tie = "wins"

	// Buchholz is the sum of the points of one's opponents, one for each round. For a round in
	// which one did not play one's own points stand for them (the dummy opponent of FIDE's
	// Tie-Break Regulations, article 16).
	Buchholz Tie = "buchholz"

	// BuchholzCut1 is Buchholz without the smallest of its numbers.
	BuchholzCut1 Tie = "buchholz-cut1"

	// SideLuck is points made over the board as the side that wins less often.
	SideLuck Tie = "side-luck"

	// LossesInflicted is losses inflicted by the ruleset's count.
	LossesInflicted Tie = "losses-inflicted"

	// Forfeits is fewer stops missed.
	Forfeits Tie = "forfeits"

	// StartRating is the lower rating at the start of the season.
	StartRating Tie = "start-rating"

	// Lot is the lot that was drawn for the season.
	Lot Tie = "lot"
)

// All lists the rules that a set-up may name.
var All = []Tie{Direct, SonnebornBerger, Wins, Buchholz, BuchholzCut1, SideLuck, LossesInflicted, Forfeits, StartRating, Lot}

// Preset gives the ties that a name stands for, and whether it is one: usual, iccf
// (correspondence chess) or rtt (Rally the Troops).
func Preset(name string) ([]Tie, bool) {
	switch name {
	case "usual":
		return []Tie{Direct, SonnebornBerger, Wins, Forfeits, StartRating, Lot}, true
	case "iccf":
		return []Tie{Wins, SonnebornBerger, Direct, StartRating}, true
	case "rtt":
		return []Tie{SonnebornBerger}, true
	}
	return nil, false
}

// Form is how a division's pairings are made.
type Form string

// The forms.
const (
	RoundRobin Form = "round-robin"
	Swiss      Form = "swiss"
	Ladder     Form = "ladder"
)

// Pairing is how the sides of a pairing are given.
type Pairing string

// The ways of pairing.
const (
	Single Pairing = "single" // one game
	Double Pairing = "double" // two games, sides exchanged
	Trio   Pairing = "trio"   // a game of three
)

// Division is what of a division's set-up its table hangs on.
type Division struct {
	Form    Form
	Pairing Pairing
	Scored  bool // the ruleset counts losses
	Points  Points
	Ties    []Tie
}

// Check gives an error, with all faults at once, for points that can't be counted and for
// ties that are unknown, there twice, or of no sense in this division.
func (d Division) Check() error {
	var faults []error
	fault := func(form string, args ...any) { faults = append(faults, fmt.Errorf(form, args...)) }
	if !slices.Contains([]Form{RoundRobin, Swiss, Ladder}, d.Form) {
		fault("form: %q is none of round-robin, swiss and ladder", d.Form)
	}
	if !slices.Contains([]Pairing{Single, Double, Trio}, d.Pairing) {
		fault("pairing: %q is none of single, double and trio", d.Pairing)
	}
	p := d.Points
	if p.Win <= 0 || p.Loss < 0 || p.Loss > p.Draw || p.Draw > p.Win {
		fault("points: a win must be worth more than nothing, a draw no more than a win, a loss no more than a draw and no less than nothing")
	}
	if p.Bye < 0 || p.ForfeitWin < 0 || p.ForfeitLoss < 0 || p.Bye > p.Win || p.ForfeitWin > p.Win || p.ForfeitLoss > p.ForfeitWin {
		fault("points: a bye and a forfeit can be worth from nothing to what a win is, and losing by forfeit no more than winning by it")
	}
	if d.Pairing == Trio && ((p.Win-p.Loss)%6 != 0 || p.ForfeitWin%6 != 0) {
		fault("points: in games of three two or three may share a win, so it must be a whole number of points, or of halves")
	}
	for i, tie := range d.Ties {
		if why := d.Refuses(tie); why != "" {
			fault("ties: %s can't be used here: %s", tie, why)
		}
		if slices.Contains(d.Ties[:i], tie) {
			fault("ties: %s is there twice", tie)
		}
		if tie == Lot && i < len(d.Ties)-1 {
			fault("ties: lot leaves nothing to be decided: put it last")
		}
	}
	return errors.Join(faults...)
}

// Reason is why a tie can't be used in a division.
type Reason string

// The reasons.
const (
	Unknown        Reason = "unknown"          // there is no such rule
	SwissOnly      Reason = "swiss-only"       // where all meet the same opponents it says nothing
	RoundRobinOnly Reason = "round-robin-only" // it needs equally many games of all
	NotOnLadder    Reason = "not-on-ladder"
	SingleOnly     Reason = "single-only" // only where a pairing is one game has anybody luck with sides
	Uncounted      Reason = "uncounted"   // the ruleset counts no losses
)

// Refuses tells why a rule can't be used in this division; it is empty if it can.
func (d Division) Refuses(tie Tie) Reason {
	switch {
	case !slices.Contains(All, tie):
		return Unknown
	case (tie == Buchholz || tie == BuchholzCut1) && d.Form != Swiss:
		return SwissOnly
	case tie == Wins && d.Form != RoundRobin:
		return RoundRobinOnly
	case tie == SonnebornBerger && d.Form == Ladder:
		return NotOnLadder
	case tie == SideLuck && d.Pairing != Single:
		return SingleOnly
	case tie == LossesInflicted && !d.Scored:
		return Uncounted
	}
	return ""
}

// Value is what a rule makes of an entry: Amount/Of.
type Value struct {
	Tie    Tie
	Amount int64
	Of     int64 // twelfths of a point for what is counted in points, 1 for what is counted in ones
	Silent bool  // the rule had nothing to say: no tie came to it, or no lot was drawn
}

// values gives what the division's ties make of an entry.
func (m *making) values(entry int) []Value {
	values := make([]Value, len(m.Ties))
	for k, tie := range m.Ties {
		if tie == Direct {
			v, asked := m.shown[entry][Direct]
			values[k] = v
			if !asked {
				values[k] = Value{Tie: Direct, Of: Twelfths, Silent: true}
			}
			continue
		}
		values[k] = m.value(tie, entry)
	}
	return values
}

// value gives what a rule other than Direct makes of an entry. More goes first, but for
// Forfeits, StartRating and Lot (see better).
func (m *making) value(tie Tie, entry int) Value {
	row := m.rows[entry]
	v := Value{Tie: tie, Of: 1}
	switch tie {
	case SonnebornBerger:
		// Twice, because a game of three has the mean of two opponents.
		v.Amount, v.Of = m.sonnebornBerger(row), 2*m.Points.Win*Twelfths
	case Wins:
		for _, c := range row.Cells {
			if c.Kind.overTheBoard() && c.Place == Won {
				v.Amount++
			}
		}
	case Buchholz, BuchholzCut1:
		v.Amount, v.Of = m.buchholz(row, tie == BuchholzCut1), 2*Twelfths
	case SideLuck:
		v.Of = Twelfths
		for i, seat := range m.seats(entry) {
			if r := m.results[seat.result]; r.Kind.overTheBoard() && r.Seats[seat.seat].Harder {
				v.Amount += row.Cells[i].Points
			}
		}
	case LossesInflicted, Forfeits:
		for _, at := range m.seats(entry) {
			r := m.results[at.result]
			switch seat := r.Seats[at.seat]; {
			case tie == LossesInflicted && r.Kind.overTheBoard():
				v.Amount += seat.Inflicted
			case tie == Forfeits && r.Kind.Counts():
				v.Amount += seat.Missed
			}
		}
	case StartRating:
		v.Amount, v.Of = m.entries[entry].Start, 100
	case Lot:
		v.Amount = int64(m.entries[entry].Lot)
		v.Silent = v.Amount == 0
	}
	return v
}

// seated is a seat in a result.
type seated struct{ result, seat int }

// seats gives an entry's seats in the order of its cells.
func (m *making) seats(entry int) []seated {
	var all []seated
	for i, r := range m.results {
		for k, s := range r.Seats {
			if m.place[s.Entry] == entry {
				all = append(all, seated{i, k})
			}
		}
	}
	return all
}

// sonnebornBerger gives the sum of opponents' points times own points, twice.
func (m *making) sonnebornBerger(row Row) int64 {
	sum := int64(0)
	for _, c := range row.Cells {
		switch {
		case c.Kind.overTheBoard():
			for _, other := range c.Against {
				sum += 2 / int64(len(c.Against)) * m.rows[m.place[other]].Points * c.Points
			}
		case c.Kind == Forfeit || c.Kind == DoubleForfeit || c.Kind == Bye && m.Form == Swiss:
			sum += 2 * row.Points * c.Points
		}
	}
	return sum
}

// buchholz gives the sum of the opponents' points, one number a round, twice.
func (m *making) buchholz(row Row, cut bool) int64 {
	perRound := make([]int64, m.rounds)
	for i := range perRound {
		perRound[i] = 2 * row.Points
	}
	for _, c := range row.Cells {
		if !c.Kind.overTheBoard() {
			continue
		}
		perRound[c.Round-1] = 0
		for _, other := range c.Against {
			perRound[c.Round-1] += 2 / int64(len(c.Against)) * m.rows[m.place[other]].Points
		}
	}
	sum := int64(0)
	for _, n := range perRound {
		sum += n
	}
	if cut && len(perRound) > 1 {
		sum -= slices.Min(perRound)
	}
	return sum
}
