// Package league is leagues: what one is made of, as its set-up says. It knows members,
// seasons and divisions, and never a rule of a game, a letter or the store.
package league

import (
	"time"

	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/table"
	"berthier/engine"
	"berthier/orders"
)

// A Setup is what a league is made of, as its set-up file says it.
type Setup struct {
	League      string // id: "aquila"
	Title       string
	Secretaries []string // addresses
	Languages   []string // of its pages
	Zone        string   // of all its dates
	Open        string   // who may enter: anybody, confirm (a secretary says yes), invited
	Members     Members
	Entry       Entry
	Seasons     Seasons
	Deadlines   []Deadlines   // among which a member chooses at entry
	Absence     time.Duration // a year, of a person, over all his games
	Divisions   []Division    // of each system the highest first
	MostAtOnce  int           // games that one member plays at once
	Concurrent  bool          // all rounds are played at once
	Moves       Moves
	Points      table.Points
	Ties        []table.Tie
	Withdraw    Withdraw
	Bot         int // stops missed in a row until a bot answers
	Replace     int // stops missed in a row until a substitute takes over
	Forfeit     int // stops missed in a row, with no substitute left, until the game is lost
	Substitutes Substitutes
	Umpires     Umpires
	Offices     []Office // others, whose games may count
	Ratings     Ratings
}

// Members is what the league asks of members.
type Members struct {
	Proof     string // what is demanded before a letter is believed: address, key, dkim, signed
	Addresses int    // that one may have
	Probation int    // finished games before one may enter a first division
}

// Entry is what the league asks of who enters.
type Entry struct {
	Reliability int  // per cent that he must have; 0: any will do
	Abandoned   bool // who has abandoned games plays fewer at once
}

// Seasons is when seasons are played.
type Seasons struct {
	Start      string // the first day of the first season: "2027-01-10"
	EnterUntil string // the last day of its entries
	Length     time.Duration
	Pause      time.Duration // before the season after it, which is announced as soon as one is closed; 0: none is by itself
}

// First gives the moments at which entries for the first season end and at which it begins, by the clock of a zone.
func (s Seasons) First(zone *time.Location) (closes, starts time.Time) {
	starts = midnight(s.Start, zone, 0)
	return s.Closes(starts), starts
}

// Closes gives the moment at which entries end for a season that begins at another: as long before as in the first one.
func (s Seasons) Closes(starts time.Time) time.Time {
	return time.Date(starts.Year(), starts.Month(), starts.Day()-s.before()+1, 0, 0, 0, 0, starts.Location())
}

// before is how many days before the first season the last day of its entries is.
func (s Seasons) before() int {
	return int(midnight(s.Start, time.UTC, 0).Sub(midnight(s.EnterUntil, time.UTC, 0)) / (24 * time.Hour))
}

// Next gives these moments for a season that is announced when the one before it is closed: it begins after the pause,
// and entries end as long before as in the first season, but stay open for at least half of the pause.
func (s Seasons) Next(now time.Time, zone *time.Location) (closes, starts time.Time) {
	const day = 24 * time.Hour
	today := now.In(zone).Format(time.DateOnly)
	pause := int((s.Pause + day - 1) / day)
	open := max(pause-s.before(), pause/2)
	return midnight(today, zone, open+1), midnight(today, zone, max(pause, open+1))
}

// midnight is the moment at which a day begins, or one so many days later.
func midnight(date string, zone *time.Location, later int) time.Time {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return time.Time{}
	}
	return time.Date(day.Year(), day.Month(), day.Day()+later, 0, 0, 0, 0, zone)
}

// Deadlines is a pace that a member may choose; of two, a pairing gets the one that stands further down in the set-up.
type Deadlines struct {
	Name string
	Rule *orders.Node // as deadline: of a game's set-up says it
}

// Division is a division of one system.
type Division struct {
	ID       string
	Size     int
	System   string // id of its ruleset
	Template string // name of the file with the set-up of its games
	Form     table.Form
	Pairing  table.Pairing
	Rounds   int // of swiss, and of round-robin in games of three
	Copies   int // groups side by side, each of Size
	Game     *orders.Node
	Rules    engine.Setup // scenario and options with which its games are set up
	Scored   bool         // the ruleset can count how a running game stands
}

// Table gives what the division's table hangs on.
//
// A preset of ties holds rules that say nothing in some divisions: there they are left out. A ladder needs none.
func (s *Setup) Table(d Division) table.Division {
	t := table.Division{Form: d.Form, Pairing: d.Pairing, Points: s.Points, Scored: d.Scored}
	for _, tie := range s.Ties {
		if d.Form != table.Ladder && t.Refuses(tie) == "" {
			t.Ties = append(t.Ties, tie)
		}
	}
	return t
}

// Moves is who changes his division after a season.
type Moves struct {
	Up, Down               int
	PlayoffUp, PlayoffDown int // the places, from above and from below, that play for one more move; 0: nobody
}

// Withdraw is what becomes of the results of one who withdraws.
type Withdraw struct {
	Under int    // per cent of his games: with fewer decided Then holds, else Else
	Then  string // annul, cancel, keep
	Else  string
}

// Substitutes are members who take over seats.
type Substitutes struct {
	MostGames int
	Rated     string // own: a substitute's games are rated if most of the side's stops were his; none
}

// Umpires are who rules on games.
type Umpires struct {
	Of        []string // addresses
	MostGames int
	Never     []string // who does not rule: same-club, plays-in-division, family
}

// An Office is another office, whose games may count in a season.
type Office struct {
	Name string
	Key  string // with which it signs exports: 64 hex digits
}

// Ratings is how members are rated; none are if Period is nothing.
type Ratings struct {
	Glicko glicko.System
	Period time.Duration
	BySide bool // a side has an offset
}

// Doubled tells whether each pairing is two games, sides exchanged.
func (d Division) Doubled() bool { return d.Pairing == table.Double }

// Games gives how many games a member of a division plays in a season.
func (d Division) Games() int {
	rounds := d.Rounds
	if d.Form == table.RoundRobin && d.Pairing != table.Trio {
		rounds = d.Size - 1
	}
	if d.Doubled() {
		return 2 * rounds
	}
	return rounds
}
