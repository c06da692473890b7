package season

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"berthier/adjudicator/league/table"
)

// become lets a game count as something else from a moment on. If it is open then, the season is
// running again.
func (s *Season) become(g *Game, at time.Time, change func()) {
	was := g.own()
	change()
	if !reflect.DeepEqual(was, g.own()) {
		g.Since = at
	}
	if s.Phase == Settling && s.Open() > 0 {
		s.Phase = Running
	}
}

// MayDecide gives the error that somebody may not decide about a game: he plays in its division, or
// sits in it for another. It is a person who is asked for, not an address.
func (s *Season) MayDecide(game, who string) error {
	d, g := s.game(game)
	if g == nil {
		return fmt.Errorf("there is no game %s", game)
	}
	if d.plays(who) || slices.Contains(g.Players, who) {
		return &StakeError{Who: who, Division: d.ID}
	}
	return nil
}

// running gives a game that is not decided and about which somebody may decide while the season runs, with its division.
func running(s *Season, game, by string) (*Division, *Game, error) {
	if err := s.in(Running); err != nil {
		return nil, nil, err
	}
	if err := s.MayDecide(game, by); err != nil {
		return nil, nil, err
	}
	d, g := s.game(game)
	if s.decided(g) {
		return nil, nil, &DecisionError{Why: "over", Game: game}
	}
	return d, g, nil
}

// A StakeError says that somebody gains or loses by what he would decide.
type StakeError struct {
	Who      string
	Division string // in which he plays
}

// Error implements error.
func (e *StakeError) Error() string {
	return fmt.Sprintf("%s plays in division %s himself", e.Who, e.Division)
}

// A DecisionError says why somebody who may decide about a game or a season can't decide this.
type DecisionError struct {
	Why    string // final, no-side, not-ruled, not-contested, played-again, second, not-later, no-end, over, prolonged, not-near, not-taken-out, not-extended, not-prolonged
	Game   string // that it is about; "": the season
	Member string // whom it names
}

// Error implements error.
func (e *DecisionError) Error() string {
	return fmt.Sprintf("decide %s %s: %s", e.Game, e.Member, e.Why)
}

// Opponents gives whoever meets one of some members in a pairing of the season: by the plan, or since he sits there now for
// another.
func (s *Season) Opponents(of []string) map[string]bool {
	all := map[string]bool{}
	var meet []string // all who meet in one pairing
	for i := range s.Divisions {
		d := &s.Divisions[i]
		planned := slices.ContainsFunc(of, d.plays)
		for j := range d.Pairings {
			p := &d.Pairings[j]
			meet = append(meet[:0], p.Seats...)
			for k := range p.Games {
				if g := &p.Games[k]; !slices.Equal(g.Players, g.Entries) {
					meet = append(meet, g.Players...)
				}
			}
			if !planned && len(meet) == len(p.Seats) {
				continue
			}
			for _, m := range meet {
				if slices.ContainsFunc(meet, func(other string) bool { return other != m && slices.Contains(of, other) }) {
					all[m] = true
				}
			}
		}
	}
	return all
}

// DivisionOf gives the place of the division that has a game; -1: none has.
func (s *Season) DivisionOf(game string) int {
	if at, ok := s.games[game]; ok {
		return at[0]
	}
	return -1
}

// RoundOf gives the round in which a game is played; 0: the season has no such game.
func RoundOf(s *Season, game string) int {
	at, ok := s.games[game]
	if !ok {
		return 0
	}
	return s.Divisions[at[0]].Pairings[at[1]].Round
}

// Counted says how a game stood when the season's time had ended: whoever was ahead by the count of
// the ruleset has won. It holds as long as the game's log does not say how the game ended.
type Counted struct {
	Game   string
	Link   Link      // the end of its log
	Head   int       // entry of the log that led to the position that was counted
	Points []int64   // by sides; none: nothing can be counted, and the game is drawn
	At     time.Time `json:"-"`
}

func (a Counted) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	d, g := s.game(a.Game)
	switch {
	case g == nil || s.decided(g):
		return fmt.Errorf("there is no game %s that is running", a.Game)
	case !s.TimeUp(a.At) || g.goesOn(a.At):
		return fmt.Errorf("the time of the season, or of game %s, has not ended", a.Game)
	case a.Link.Number < g.Link.Number || a.Link.Hash == "":
		return fmt.Errorf("game %s: entry %d of its log is older than what was taken", a.Game, a.Link.Number)
	case len(a.Points) != 0 && len(a.Points) != len(g.Entries):
		return fmt.Errorf("game %s has %d sides, not %d", a.Game, len(g.Entries), len(a.Points))
	}
	o := Outcome{Kind: table.Adjudicated, Places: places(a.Points, len(g.Entries))}
	if err := o.check(d, g); err != nil {
		return fmt.Errorf("game %s: %w", a.Game, err)
	}
	s.become(g, a.At, func() { g.Counted = &Count{Link: a.Link, Head: a.Head, Points: slices.Clone(a.Points), Result: o} })
	return nil
}

// places gives who has won by points: the one with the most; if several have as many, these draw.
func places(points []int64, sides int) []table.Place {
	out := slices.Repeat([]table.Place{table.Drew}, sides)
	if len(points) == 0 {
		return out
	}
	most, ahead := slices.Max(points), 0
	for _, p := range points {
		if p == most {
			ahead++
		}
	}
	for i, p := range points {
		switch {
		case p < most:
			out[i] = table.Lost
		case ahead == 1:
			out[i] = table.Won
		}
	}
	return out
}

// TimeUp tells whether the time of the season has ended.
func (s *Season) TimeUp(now time.Time) bool {
	return s.Phase == Running && !s.Until.IsZero() && !now.Before(s.Until)
}

// Lapsed says that the season's time has ended: pairings whose games were not made by then are not
// played, and no further round is paired.
type Lapsed struct {
	At time.Time `json:"-"`
}

func (a Lapsed) apply(s *Season) error {
	if !s.TimeUp(a.At) || !s.Lapses() {
		return fmt.Errorf("the time of the season has not ended, or nothing is left to begin")
	}
	for i := range s.Divisions {
		d := &s.Divisions[i]
		d.Ended = true
		for j := range d.Pairings {
			d.Pairings[j].Lapsed = d.Pairings[j].Lapsed || len(d.Pairings[j].Games) == 0
		}
	}
	return nil
}

// Lapses tells whether there is anything that has not begun, and will not once time has ended.
func (s *Season) Lapses() bool {
	return slices.ContainsFunc(s.Divisions, func(d Division) bool {
		return !d.Ended && (d.rounds() > d.Paired || slices.ContainsFunc(d.Pairings, func(p Pairing) bool { return len(p.Games) == 0 && !s.over(&p) }))
	})
}

// Uncounted gives the games that are not decided although their time has ended: the season's, and their own where
// a secretary has prolonged them.
func Uncounted(s *Season, now time.Time) (all []string) {
	if !s.TimeUp(now) {
		return nil
	}
	for _, g := range undecided(s) {
		if !g.goesOn(now) {
			all = append(all, g.ID)
		}
	}
	return all
}

// Undecided gives the ids of the games that are not decided.
func (s *Season) Undecided() (all []string) {
	for _, g := range undecided(s) {
		all = append(all, g.ID)
	}
	return all
}

// undecided gives the games that are not decided.
func undecided(s *Season) (all []*Game) {
	for i := range s.Divisions {
		for j := range s.Divisions[i].Pairings {
			p := &s.Divisions[i].Pairings[j]
			for k := range p.Games {
				if g := &p.Games[k]; !s.decided(g) {
					all = append(all, g)
				}
			}
		}
	}
	return all
}

// Extended says that a secretary gives the season more time.
type Extended struct {
	Until  time.Time
	By     string
	Reason string
}

func (a Extended) apply(s *Season) error {
	if err := s.in(Running); err != nil {
		return err
	}
	switch {
	case s.Until.IsZero():
		return &DecisionError{Why: "no-end"}
	case !a.Until.After(s.Until):
		return &DecisionError{Why: "not-later"}
	}
	s.Until, s.Untils = a.Until, append(slices.Clone(s.Untils), s.Until)
	return nil
}

// Ruled is what a secretary rules on a game: that a side has forfeited it, or all, or that it is
// cancelled. He decides no game in another way: its log does, or its umpire.
type Ruled struct {
	Game    string
	Forfeit []string // the entries whose sides are forfeited; none: it is cancelled
	By      string   // a member, or an address
	Reason  string
	At      time.Time `json:"-"`
}

func (a Ruled) apply(s *Season) error {
	if err := s.in(Running, Settling); err != nil {
		return err
	}
	if err := s.MayDecide(a.Game, a.By); err != nil {
		return err
	}
	d, g := s.game(a.Game)
	if g.Final {
		return &DecisionError{Why: "final", Game: a.Game}
	}
	o := Outcome{Kind: table.Cancelled, Secretary: true}
	for _, m := range a.Forfeit {
		if !slices.Contains(g.Entries, m) {
			return &DecisionError{Why: "no-side", Game: a.Game, Member: m}
		}
	}
	if len(a.Forfeit) > 0 {
		o = forfeited(g.Entries, a.Forfeit)
		o.Secretary = true
	}
	if err := o.check(d, g); err != nil {
		return fmt.Errorf("game %s: %w", a.Game, err)
	}
	s.become(g, a.At, func() { g.Ruled = &Ruling{By: a.By, Reason: a.Reason, Result: o} })
	return nil
}

// forfeited is the outcome of a game some of whose sides are forfeited.
func forfeited(entries, out []string) Outcome {
	left := 0
	for _, m := range entries {
		if !slices.Contains(out, m) {
			left++
		}
	}
	o := Outcome{Kind: table.Forfeit}
	if left == 0 {
		return Outcome{Kind: table.DoubleForfeit}
	}
	for _, m := range entries {
		switch {
		case slices.Contains(out, m):
			o.Places = append(o.Places, table.Lost)
		case left == 1:
			o.Places = append(o.Places, table.Won)
		default:
			o.Places = append(o.Places, table.Drew)
		}
	}
	return o
}

// Overruled says that what a secretary has ruled on a game no longer holds.
type Overruled struct {
	Game   string
	By     string
	Reason string
	At     time.Time `json:"-"`
}

func (a Overruled) apply(s *Season) error {
	if err := s.in(Running, Settling); err != nil {
		return err
	}
	if err := s.MayDecide(a.Game, a.By); err != nil {
		return err
	}
	_, g := s.game(a.Game)
	switch {
	case g.Final:
		return &DecisionError{Why: "final", Game: a.Game}
	case g.Ruled == nil && g.Foreign == nil:
		return &DecisionError{Why: "not-ruled", Game: a.Game}
	}
	s.become(g, a.At, func() {
		if g.Reopened = true; g.Ruled == nil {
			g.Foreign = nil
		}
		g.Ruled = nil
	})
	return nil
}

// Final says that results are final: nothing has changed them for so long as the plan says. Only these are
// rated, and move members up and down.
type Final struct {
	Games []string
	At    time.Time `json:"-"`
}

func (a Final) apply(s *Season) error {
	if err := s.in(Running, Settling); err != nil {
		return err
	}
	var all []*Game
	for _, id := range a.Games {
		_, g := s.game(id)
		if g == nil || !g.ripe(s.Plan.Final, a.At) { // one that stands there twice is final already
			for _, g := range all {
				g.Final = false
			}
			return fmt.Errorf("the result of game %s can't be final yet", id)
		}
		g.Final = true
		all = append(all, g)
	}
	return nil
}

// ripe tells whether a result can be final.
func (g *Game) ripe(after time.Duration, now time.Time) bool {
	return after > 0 && !g.Final && g.own().Kind != table.Open && !now.Before(g.Since.Add(after))
}

// Ripe gives the games whose results can be final now, and when the next one can be; zero: none.
func (s *Season) Ripe(now time.Time) (games []string, next time.Time) {
	for i := range s.Divisions {
		for j := range s.Divisions[i].Pairings {
			for k := range s.Divisions[i].Pairings[j].Games {
				g := &s.Divisions[i].Pairings[j].Games[k]
				switch at := g.Since.Add(s.Plan.Final); {
				case g.ripe(s.Plan.Final, now):
					games = append(games, g.ID)
				case s.Plan.Final > 0 && !g.Final && g.own().Kind != table.Open && (next.IsZero() || at.Before(next)):
					next = at
				}
			}
		}
	}
	return games, next
}

// Unsettled gives how many results keep the season from being closed: those that are not final, and
// those that are and whose games say something else by now.
func (s *Season) Unsettled() int {
	n := 0
	for _, d := range s.Divisions {
		for _, p := range d.Pairings {
			for k := range p.Games {
				g := &p.Games[k]
				if s.Plan.Final > 0 && g.own().Kind != table.Open && !g.Final || g.Claim != nil {
					n++
				}
			}
		}
	}
	return n
}

// Contested gives the games whose final results are others by now, by their logs.
func (s *Season) Contested() (all []string) {
	for _, d := range s.Divisions {
		for _, p := range d.Pairings {
			for _, g := range p.Games {
				if g.Claim != nil {
					all = append(all, g.ID)
				}
			}
		}
	}
	return all
}

// Contested says that the log of a game whose result is final says something else by now. Nothing
// changes until two people have decided what becomes of it.
type Contested struct {
	Game   string
	Link   Link
	Result Outcome
}

func (a Contested) apply(s *Season) error {
	if err := s.in(Running, Settling, Closed); err != nil {
		return err
	}
	d, g := s.game(a.Game)
	if g == nil || !g.Final && s.Phase != Closed {
		return fmt.Errorf("there is no game %s whose result is final", a.Game)
	}
	last := g.Link
	if g.Claim != nil {
		last = g.Claim.Link
	}
	if a.Link.Number <= last.Number || a.Link.Hash == "" {
		return fmt.Errorf("game %s: what entry %d of its log says has been taken; there must be a later one", a.Game, last.Number)
	}
	if err := a.Result.check(d, g); err != nil {
		return fmt.Errorf("game %s: %w", a.Game, err)
	}
	if reflect.DeepEqual(a.Result, g.Result) { // it says the same again
		g.Claim, g.Link = nil, a.Link
		return nil
	}
	g.Claim = &Claim{Link: a.Link, Result: a.Result}
	return nil
}

// Corrected settles what becomes of a final result whose game says something else by now: it stands, or
// what the log says takes its place. It takes two people who agree; the first one only asks.
type Corrected struct {
	Game   string
	Stand  bool
	By     string
	Reason string
	At     time.Time `json:"-"`
}

func (a Corrected) apply(s *Season) error {
	if err := s.in(Running, Settling, Closed); err != nil {
		return err
	}
	if err := s.MayDecide(a.Game, a.By); err != nil {
		return err
	}
	_, g := s.game(a.Game)
	switch {
	case g.Claim == nil:
		return &DecisionError{Why: "not-contested", Game: a.Game}
	case !a.Stand && s.Phase == Closed && g.Claim.Result.Kind == table.Open:
		return &DecisionError{Why: "played-again", Game: a.Game}
	case g.Claim.By == "" || g.Claim.Stand != a.Stand:
		g.Claim.By, g.Claim.Stand = a.By, a.Stand
		return nil
	case g.Claim.By == a.By:
		return &DecisionError{Why: "second", Game: a.Game}
	}
	claim := *g.Claim
	g.Claim, g.Link = nil, claim.Link
	if a.Stand {
		return nil
	}
	g.Reopened = true
	s.become(g, a.At, func() { g.Result, g.Ruled, g.Counted, g.Foreign = claim.Result, nil, nil, nil })
	g.Final = s.Phase == Closed
	return nil
}
