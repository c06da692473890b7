package member

import (
	"encoding/json"
	"slices"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
)

// Served is how a member has answered in one game, as its log says.
type Served struct {
	Game     string
	Stops    []Stop
	Resigned []time.Time // when he gave up a seat
	Finished bool        // the game was played to its end, and he had a seat then
	// Abandoned is when he left the game before its end: he resigned, his seat went to somebody else, or the game was
	// closed after he had missed two stops in a row, or more; zero: he has not.
	Abandoned time.Time
}

// A Stop is one at which a member was asked: what his standing orders and policies answered
// was not asked.
type Stop struct {
	At     time.Time // when it was resolved
	Number int       // as his side counts
	How    How
}

// How is how a stop was answered.
type How string

// The ways in which a stop is answered.
const (
	InTime  How = "in-time" // by the deadline, or ahead of it
	InGrace How = "in-grace"
	Missed  How = "missed" // the default of the rules answered, or the bot, since he was silent
)

// ServedIn reads in the entries of a game's log how the holder of some addresses has answered
// there. What a game master answered, and a bot to which he had lent his seat, counts neither
// for nor against him; nor do stops that were resolved once more with the same answers.
func ServedIn(game string, entries []chain.Entry, owns func(address string, at time.Time) bool) (Served, error) {
	r := &servedReader{Served: Served{Game: game}, owns: owns, holds: map[engine.Side]bool{}, lent: map[engine.Side]bool{}, late: map[engine.Side]bool{}, streak: map[engine.Side]int{}}
	for _, e := range entries {
		if err := r.read(e); err != nil {
			return r.Served, err
		}
	}
	return r.Served, nil
}

// A servedReader follows a log, and who has which seat.
type servedReader struct {
	Served
	owns  func(address string, at time.Time) bool
	holds map[engine.Side]bool // seats of his
	lent  map[engine.Side]bool // he has lent the seat to the bot
	late  map[engine.Side]bool // the stop that is open has passed its deadline
	// streak is how many stops in a row he has missed.
	streak map[engine.Side]int
}

// silentFrom is how many stops in a row one has missed who has abandoned a game that was closed then.
const silentFrom = 2

// sits tells whether he has a seat.
func (r *servedReader) sits() bool {
	for _, holds := range r.holds {
		if holds {
			return true
		}
	}
	return false
}

// left notes that he has left the game, if he has no other seat there.
func (r *servedReader) left(at time.Time) {
	if !r.sits() {
		r.Abandoned = at
	}
}

func (r *servedReader) read(e chain.Entry) error {
	head, err := log.Read(e, nil)
	if err != nil {
		return err
	}
	switch head.Kind {
	case log.KindSetup:
		var private struct {
			Seats map[engine.Side]log.Person `json:"seats"`
		}
		if err := json.Unmarshal(e.Private, &private); err != nil {
			return err
		}
		for side, p := range private.Seats {
			r.holds[side] = p.Bot == "" && r.owns(p.Address, head.At)
		}
	case log.KindReplaced:
		var private struct {
			New log.Person `json:"new"`
		}
		if err := json.Unmarshal(e.Private, &private); err != nil {
			return err
		}
		had := r.holds[head.Seat]
		r.holds[head.Seat] = private.New.Bot == "" && r.owns(private.New.Address, head.At)
		switch {
		case r.holds[head.Seat]:
			r.Abandoned = time.Time{}
		case had:
			r.left(head.At)
		}
		r.streak[head.Seat] = 0
		r.lent[head.Seat], r.late[head.Seat] = false, false
	case log.KindVacated:
		if r.holds[head.Seat] {
			r.holds[head.Seat] = false
			r.left(head.At)
		}
	case log.KindOver:
		r.Finished = r.Abandoned.IsZero() && r.sits()
	case log.KindRewound:
		r.Finished = false
	case log.KindClosed:
		for side, n := range r.streak {
			if n >= silentFrom && r.holds[side] && !r.Finished {
				r.Abandoned = head.At
			}
		}
	case log.KindExchanged:
		return r.exchanged(e)
	case log.KindBot:
		r.lent[head.Seat] = head.By == "player"
	case log.KindReturned:
		r.lent[head.Seat] = false
	case log.KindLate:
		r.late[head.Seat] = true
	case log.KindResigned:
		if r.holds[head.Seat] {
			r.Resigned = append(r.Resigned, head.At)
			r.Abandoned = head.At
		}
	case log.KindResolved:
		return r.resolved(e)
	}
	return nil
}

// exchanged follows two players who change seats.
func (r *servedReader) exchanged(e chain.Entry) error {
	var x log.Exchange
	if _, err := log.Read(e, &x); err != nil {
		return err
	}
	a, b := x.Sides[0], x.Sides[1]
	for _, by := range []map[engine.Side]bool{r.holds, r.lent, r.late} {
		by[a], by[b] = by[b], by[a]
	}
	r.streak[a], r.streak[b] = r.streak[b], r.streak[a]
	return nil
}

func (r *servedReader) resolved(e chain.Entry) error {
	var res log.Resolved
	head, err := log.Read(e, &res)
	if err != nil || res.Again != 0 {
		return err
	}
	for _, g := range res.Answers {
		side := g.Decision.Side
		late := r.late[side]
		r.late[side] = false
		if !r.holds[side] {
			continue
		}
		s := Stop{At: head.At, Number: g.SeatStop}
		switch {
		case g.Early:
			continue // a game master has not waited for him
		case g.By == log.ByDefault, g.By == log.ByBot && !r.lent[side]:
			s.How = Missed
			r.streak[side]++
		case g.By == log.ByBot, g.By == log.ByGM:
			continue
		case late:
			s.How = InGrace
		default:
			s.How = InTime
		}
		if s.How != Missed {
			r.streak[side] = 0
		}
		r.Stops = append(r.Stops, s)
	}
	return nil
}

// lastStops is over how many stops reliability is judged; each year halves the weight of one.
const lastStops = 200

// Reliability is how many of a hundred stops a member answers, from what he did in all his
// games: over the last 200 stops, of which those of last year weigh half as much as those of this
// one, and so on. A newcomer has 80.
func Reliability(games []Served, now time.Time) int {
	var all []Stop
	for _, g := range games {
		all = append(all, g.Stops...)
	}
	slices.SortStableFunc(all, func(a, b Stop) int { return b.At.Compare(a.At) })
	const whole = int64(1) << 20
	answered, asked := 4*whole, 5*whole
	for _, s := range all[:min(len(all), lastStops)] {
		weight := whole >> min(int64(max(now.Sub(s.At), 0)/year), 20)
		asked += weight
		if s.How != Missed {
			answered += weight
		}
	}
	return int(100 * answered / asked)
}

// A Kept is how a member has kept to his games.
type Kept struct {
	Finished, Abandoned int
	Last                time.Time // when he last abandoned one
}

// KeptIn counts the games that a member has finished and abandoned.
func KeptIn(games []Served) (k Kept) {
	for _, g := range games {
		switch {
		case !g.Abandoned.IsZero():
			k.Abandoned++
			if g.Abandoned.After(k.Last) {
				k.Last = g.Abandoned
			}
		case g.Finished:
			k.Finished++
		}
	}
	return k
}

// AtOnce gives how many games he may play at once where those that he has abandoned limit that: as many as he has
// finished more than abandoned, and one if he has abandoned none for a year. It is not limited if he has
// abandoned none at all.
func (k Kept) AtOnce(now time.Time) (most int, limited bool) {
	most = max(k.Finished-k.Abandoned, 0)
	if most == 0 && now.Sub(k.Last) >= year {
		most = 1
	}
	return most, k.Abandoned > 0
}

// Count gives how many stops of a game were answered in a way.
func (s Served) Count(how How) int {
	n := 0
	for _, stop := range s.Stops {
		if stop.How == how {
			n++
		}
	}
	return n
}
