package season

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/table"
)

// Entered is a member who enters. While the season runs he comes late, and waits as a
// substitute.
type Entered struct {
	Member string
	Start  int64 // his rating, in hundredths of a point
	AtOnce int   // most games of his own at once, as he wishes; 0: as many as the plan allows
}

func (a Entered) apply(s *Season) error {
	if err := s.in(Entering, Dividing, Running); err != nil {
		return err
	}
	if a.Member == "" || s.entry(a.Member) != nil {
		return fmt.Errorf("member %q has entered already, or has no name", a.Member)
	}
	s.places[a.Member] = len(s.Entries)
	s.Entries = append(s.Entries, Entry{Member: a.Member, Start: a.Start, AtOnce: a.AtOnce, Late: s.Phase != Entering})
	return nil
}

// ListClosed ends the time of entries. The lots are drawn over the list as it is now.
type ListClosed struct{}

func (ListClosed) apply(s *Season) error {
	if err := s.in(Entering); err != nil {
		return err
	}
	var members []string
	for _, e := range s.Entries {
		if !e.Withdrawn {
			members = append(members, e.Member)
		}
	}
	list, err := lots.Close(s.League, s.Season, members)
	if err != nil {
		return err
	}
	for i := range s.Entries { // who is not on the list waits for a place, should he come back
		s.Entries[i].Late = s.Entries[i].Withdrawn
	}
	s.List, s.Phase = list, Dividing
	return nil
}

// ListReopened takes entries again, after so many have withdrawn that no division can be played.
type ListReopened struct{}

func (ListReopened) apply(s *Season) error {
	if err := s.in(Dividing); err != nil {
		return err
	}
	for i := range s.Entries { // the next list counts whoever is there then
		s.Entries[i].Late = false
	}
	s.List, s.Phase = lots.List{}, Entering
	return nil
}

// Divided says who plays in which division and in which order they are paired, and gives
// the lots. Whoever is in none waits.
type Divided struct {
	Members map[string][]string    // by divisions
	Initial map[string]pair.Colour // of Swiss divisions
	Lots    map[string]int         // by members
}

func (a Divided) apply(s *Season) error {
	if err := s.in(Dividing); err != nil {
		return err
	}
	var divisions []Division
	seen := map[string]bool{}
	count := 0
	for _, plan := range s.Plan.Divisions {
		members := a.Members[plan.ID]
		if len(members) > plan.Size {
			return fmt.Errorf("division %s has room for %d members, not %d", plan.ID, plan.Size, len(members))
		}
		for _, m := range members {
			e := s.entry(m)
			if e == nil || e.Withdrawn {
				return fmt.Errorf("division %s: %s is not entered", plan.ID, m)
			}
			if seen[m] {
				return fmt.Errorf("%s is in two divisions, or twice in one", m)
			}
			seen[m] = true
		}
		count += len(members)
		divisions = append(divisions, Division{DivisionPlan: plan, Members: slices.Clone(members), Initial: a.Initial[plan.ID]})
	}
	listed := 0
	for _, members := range a.Members {
		listed += len(members)
	}
	if listed != count {
		return errors.New("there are members in a division that the league does not have")
	}
	for i := range s.Entries {
		s.Entries[i].Lot = a.Lots[s.Entries[i].Member]
	}
	s.Divisions = divisions
	numbered(s)
	return nil
}

// Started begins play: the rounds of all round robins are planned.
type Started struct {
	Turned bool                        // the sides of round robins are turned round, as every other season
	Trios  map[string][]pair.TrioRound // of divisions of games of three, whose members are numbered in their order
	At     time.Time                   `json:"-"`
}

func (a Started) apply(s *Season) error {
	if err := s.in(Dividing); err != nil {
		return err
	}
	if len(s.Divisions) == 0 {
		return errors.New("nobody has been put into a division yet")
	}
	planned := make([]Division, len(s.Divisions))
	for i, d := range s.Divisions {
		d.Pairings, d.Byes, d.Paired = nil, nil, 0
		var err error
		switch {
		case len(d.Members) == 0:
			d.Rounds = 0
		case d.Table.Pairing == table.Trio:
			err = d.planTrios(a.Trios[d.ID])
		case d.Table.Form == table.RoundRobin:
			var rounds []pair.Round
			rounds, err = pair.RoundRobin(len(d.Members), a.Turned)
			for _, r := range rounds {
				d.add(r)
			}
		case len(d.Members) < 2:
			err = errors.New("one member has nobody to play with")
		case d.Table.Form == table.Ladder && s.Length == 0:
			err = errors.New("a ladder ends with the time of its season, which has no end")
		case d.Table.Form == table.Swiss && d.Initial == pair.NoColour:
			err = errors.New("no initial side was drawn")
		}
		if err != nil {
			return fmt.Errorf("division %s: %w", d.ID, err)
		}
		planned[i] = d
	}
	s.Divisions, s.Phase = planned, Running
	if s.Length > 0 {
		s.Until = a.At.Add(s.Length)
	}
	return nil
}

// add plans a round.
func (d *Division) add(r pair.Round) {
	d.Paired++
	for _, p := range r.Pairings {
		d.Pairings = append(d.Pairings, Pairing{Round: d.Paired, Seats: []string{d.Members[p.First], d.Members[p.Second]}})
	}
	for _, b := range r.Byes {
		d.Byes = append(d.Byes, Bye{d.Paired, d.Members[b]})
	}
}

// planTrios plans rounds of three, in each of which everybody must be once.
func (d *Division) planTrios(rounds []pair.TrioRound) error {
	if len(d.Members) < 3 {
		return errors.New("games of three need three members")
	}
	if len(rounds) != d.Rounds {
		return fmt.Errorf("%d rounds, not %d", len(rounds), d.Rounds)
	}
	for r, round := range rounds {
		here := slices.Clone(round.Byes)
		for _, trio := range round.Trios {
			here = append(here, trio[:]...)
		}
		slices.Sort(here)
		for k, m := range here {
			if m != k || len(here) != len(d.Members) {
				return fmt.Errorf("round %d does not have everybody once", r+1)
			}
		}
		d.Paired++
		for _, trio := range round.Trios {
			d.Pairings = append(d.Pairings, Pairing{Round: d.Paired, Seats: []string{d.Members[trio[0]], d.Members[trio[1]], d.Members[trio[2]]}})
		}
		for _, b := range round.Byes {
			d.Byes = append(d.Byes, Bye{d.Paired, d.Members[b]})
		}
	}
	return nil
}

// Paired is a round of a Swiss division: that of [Season.NextRound], which it says for
// whoever reads the acts.
type Paired struct {
	Division string
	Round    pair.Round
}

func (a Paired) apply(s *Season) error {
	next, err := s.NextRound(a.Division)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(next, a.Round) {
		return fmt.Errorf("division %s: the round by the rules is %v, not %v", a.Division, next, a.Round)
	}
	s.division(a.Division).add(next)
	return nil
}

// NextRound gives the next round of a Swiss division, once all before it are decided.
func (s *Season) NextRound(id string) (pair.Round, error) {
	if err := s.in(Running); err != nil {
		return pair.Round{}, err
	}
	d := s.division(id)
	if d == nil || d.Table.Form != table.Swiss || d.Table.Pairing == table.Trio {
		return pair.Round{}, fmt.Errorf("there is no Swiss division %s", id)
	}
	if d.Ended {
		return pair.Round{}, fmt.Errorf("division %s: the time of the season has ended", id)
	}
	for i := range d.Pairings {
		if !s.over(&d.Pairings[i]) {
			return pair.Round{}, fmt.Errorf("division %s: round %d is not decided", id, d.Pairings[i].Round)
		}
	}
	sw := pair.Swiss{Rounds: d.Rounds, Initial: d.Initial, Win: int64(d.games()) * d.Table.Points.Win, Loss: int64(d.games()) * d.Table.Points.Loss}
	number := map[string]int{}
	for i, m := range d.Members {
		number[m] = i
		past := make([]pair.Past, d.Paired)
		for r := range past {
			past[r].Against = -1
		}
		sw.Players = append(sw.Players, pair.Player{Past: past, Absent: s.entry(m).Withdrawn})
	}
	for _, b := range d.Byes {
		sw.Players[number[b.Member]].Past[b.Round-1].Scored += d.Table.Points.Bye * int64(d.games())
	}
	for i := range d.Pairings {
		enterPast(s, d, &d.Pairings[i], sw.Players, number)
	}
	return sw.Pair()
}

// enterPast enters a pairing in the past of those who met.
func enterPast(s *Season, d *Division, p *Pairing, players []pair.Player, number map[string]int) {
	for k := range p.Games {
		g := &p.Games[k]
		r := s.result(p.Round, g)
		met := g.Result.Kind == table.Played || g.Result.Kind == table.Adjudicated
		for side, member := range g.Entries {
			past := &players[number[member]].Past[p.Round-1]
			past.Scored += d.Table.Points.Award(r, side)
			if met {
				past.Against = number[g.Entries[1-side]]
				if d.games() == 1 {
					past.Colour = pair.First - pair.Colour(2*side)
				}
			}
		}
	}
}

// Shortened ends a Swiss division before its last round, because no round can be paired any
// more in which nobody meets anybody again.
type Shortened struct{ Division string }

func (a Shortened) apply(s *Season) error {
	d := s.division(a.Division)
	if d == nil || d.Table.Form == table.Ladder || d.Paired == d.rounds() {
		return fmt.Errorf("division %s has no round to come", a.Division)
	}
	_, err := s.NextRound(a.Division)
	var none pair.NoRoundError
	if err == nil || !errors.As(err, &none) {
		return fmt.Errorf("division %s: its next round can be paired, or is not due", a.Division)
	}
	d.Rounds = d.Paired
	return nil
}

// Made says that a pairing's games have begun, by their ids.
type Made struct {
	Division string
	Pairing  int // its place in the division
	Games    []string
	Seats    []string `json:",omitempty"` // its members in the order of sides of a game that ran before; none: as they were paired
}

func (a Made) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	d := s.division(a.Division)
	if d == nil || a.Pairing < 0 || a.Pairing >= len(d.Pairings) || !slices.Contains(d.due(s, a.Pairing+1), a.Pairing) {
		return fmt.Errorf("division %s: pairing %d is not due", a.Division, a.Pairing)
	}
	if len(a.Games) != d.games() {
		return fmt.Errorf("a pairing has %d games here, not %d", d.games(), len(a.Games))
	}
	for k, id := range a.Games {
		if _, g := s.game(id); g != nil || id == "" || slices.Contains(a.Games[:k], id) {
			return fmt.Errorf("game %q is there already, or has no name", id)
		}
	}
	p := &d.Pairings[a.Pairing]
	if len(a.Seats) > 0 {
		was, now := slices.Clone(p.Seats), slices.Clone(a.Seats)
		slices.Sort(was)
		slices.Sort(now)
		if !slices.Equal(was, now) || d.games() > 1 {
			return fmt.Errorf("%v are not who meet in pairing %d, or its games have the sides exchanged", a.Seats, a.Pairing)
		}
		p.Seats = slices.Clone(a.Seats)
	}
	for k, id := range a.Games {
		seats := slices.Clone(p.Seats)
		if k == 1 {
			slices.Reverse(seats)
		}
		sat := make([][]string, len(seats))
		for i, m := range seats {
			sat[i] = []string{m}
		}
		p.Games = append(p.Games, Game{ID: id, Sat: sat, Entries: seats, Players: slices.Clone(seats), Were: make([]bool, len(seats)), Subs: make([]int, len(seats)), Result: Outcome{Kind: table.Open}})
		s.games[id] = [3]int{divisionAt(s, a.Division), a.Pairing, k}
		for _, m := range seats {
			seated(s, id, m)
		}
	}
	return nil
}

// Resulted is what a game's log says now: that it is decided, or that it is open again.
type Resulted struct {
	Game   string
	Link   Link
	Result Outcome
	At     time.Time `json:"-"` // when the entry was written
}

func (a Resulted) apply(s *Season) error {
	if err := s.in(Running, Settling); err != nil {
		return err
	}
	d, g := s.game(a.Game)
	if g == nil {
		return fmt.Errorf("there is no game %s", a.Game)
	}
	if g.Final {
		return fmt.Errorf("the result of game %s is final", a.Game)
	}
	if a.Link.Number <= g.Link.Number || a.Link.Hash == "" {
		return fmt.Errorf("game %s: what entry %d of its log says has been taken; there must be a later one", a.Game, g.Link.Number)
	}
	if err := a.Result.check(d, g); err != nil {
		return fmt.Errorf("game %s: %w", a.Game, err)
	}
	s.become(g, a.At, func() {
		if g.Result.Kind != table.Open && a.Result.Kind == table.Open {
			g.Reopened = true
		}
		g.Result, g.Link = a.Result, a.Link
	})
	return nil
}

// check gives an error for an outcome that a game can't have.
func (o Outcome) check(d *Division, g *Game) error {
	if o.Kind == table.Bye || o.Kind == table.Annulled {
		return fmt.Errorf("a game does not end as %s", o.Kind)
	}
	r := table.Result{Game: g.ID, Round: 1, Kind: o.Kind}
	var entries []table.Entry
	for side, member := range g.Entries {
		entries = append(entries, table.Entry{ID: member})
		seat := table.Seat{Entry: member}
		if len(o.Places) > 0 && len(o.Places) == len(g.Entries) {
			seat.Place = o.Places[side]
		}
		r.Seats = append(r.Seats, seat)
	}
	for _, n := range []int{len(o.Places), len(o.Inflicted), len(o.Missed), len(o.Answered), len(o.Bots)} {
		if n != 0 && n != len(g.Entries) {
			return fmt.Errorf("it has %d sides, not %d", len(g.Entries), n)
		}
	}
	return table.Check(entries, []table.Result{r})
}

// Substituted seats a substitute on a side, or the first player again.
type Substituted struct {
	Game   string
	Entry  string // whose side it is
	Player string
}

func (a Substituted) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	d, g := s.game(a.Game)
	if g == nil || s.decided(g) {
		return fmt.Errorf("there is no game %s that is running", a.Game)
	}
	side := slices.Index(g.Entries, a.Entry)
	if side < 0 {
		return fmt.Errorf("%s has no side in game %s", a.Entry, a.Game)
	}
	e := s.entry(a.Player)
	switch {
	case slices.Contains(g.Players, a.Player):
		return fmt.Errorf("%s sits in game %s already", a.Player, a.Game)
	case e == nil || e.Withdrawn:
		return fmt.Errorf("%s is not entered", a.Player)
	case a.Player != a.Entry && d.plays(a.Player):
		return fmt.Errorf("%s plays in division %s himself", a.Player, d.ID)
	}
	g.Players[side] = a.Player
	seated(s, a.Game, a.Player)
	g.Sat[side] = append(g.Sat[side], a.Player)
	g.Were[side] = g.Were[side] || a.Player != a.Entry
	if a.Player != a.Entry {
		g.Subs[side]++
	}
	s.filled(func(v Vacancy) bool { return v.Game == a.Game && v.Entry == a.Entry })
	return nil
}

// Withdrew is a member who withdraws. Before the season runs he is off the list, and the
// first who waits takes his place. Afterwards his share of decided games says what becomes of
// his results.
type Withdrew struct{ Member string }

func (a Withdrew) apply(s *Season) error {
	if err := s.in(Entering, Dividing, Running); err != nil {
		return err
	}
	e := s.entry(a.Member)
	if e == nil || e.Withdrawn {
		return fmt.Errorf("%s is not entered", a.Member)
	}
	withdraw(s, a.Member, s.fate(a.Member))
	return nil
}

// withdraw takes a member out of the season. Once it runs his results fare as the fate says.
func withdraw(s *Season, member string, fate Fate) {
	waiting := s.Waiting()
	e := s.entry(member)
	e.Withdrawn, e.Fate = true, fate
	if s.Phase != Entering && s.Phase != Dividing {
		return
	}
	e.Fate = Cancel
	for i := range s.Divisions {
		d := &s.Divisions[i]
		at := slices.Index(d.Members, member)
		switch {
		case at < 0:
		case len(waiting) > 0:
			d.Members[at] = waiting[0]
		default:
			d.Members = slices.Delete(d.Members, at, at+1)
		}
	}
}

// fate gives what becomes of the results of a member who withdraws now.
func (s *Season) fate(member string) Fate {
	decided, all := 0, 0
	for i := range s.Divisions {
		d := &s.Divisions[i]
		if !d.plays(member) {
			continue
		}
		if d.Table.Form != table.Ladder {
			all += d.rounds() * d.games()
		}
		for _, b := range d.Byes {
			if b.Member == member {
				all -= d.games()
			}
		}
		for j := range d.Pairings {
			if p := &d.Pairings[j]; d.Table.Form == table.Ladder && slices.Contains(p.Seats, member) {
				all += d.games()
			}
			for k := range d.Pairings[j].Games {
				if g := &d.Pairings[j].Games[k]; slices.Contains(g.Entries, member) && s.decided(g) {
					decided++
				}
			}
		}
	}
	if 100*decided < s.Under*all {
		return s.Then
	}
	return s.Else
}

// Settled ends play: nothing is open.
type Settled struct{}

func (Settled) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	if n := s.Open(); n > 0 {
		return fmt.Errorf("%d pairings and rounds are still open", n)
	}
	s.Phase = Settling
	return nil
}

// Ended closes the season and tells the seed of its lots. Nothing changes afterwards.
type Ended struct{ Seed string }

func (a Ended) apply(s *Season) error {
	if err := s.in(Settling); err != nil {
		return err
	}
	seed, err := lots.ParseSeed(a.Seed)
	if err != nil {
		return err
	}
	if !seed.Keeps(s.Commitment) {
		return errors.New("this is not the seed that was committed to")
	}
	s.Seed, s.Phase = a.Seed, Closed
	return nil
}
