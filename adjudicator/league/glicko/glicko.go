// Package glicko rates members by Glicko-2 (Mark Glickman, "Example of the Glicko-2
// system", 2022): how strong each has shown himself in one game system, how sure that is,
// and how evenly he plays.
//
// Ratings are never patched. They follow from who joined when and from the games of each
// period, period by period, and whenever one of these changes, all periods from there on
// are computed again ([System.Compute]). What is kept of a period are whole numbers, and
// the next period begins with them, so that a recomputation from anywhere gives what one
// from the start gives. Within a period the arithmetic is float64, in a fixed order and
// without anything that machines round differently: amd64 and arm64 agree to the last bit.
//
// Where games are few the figures stay wide: show a rating with twice its deviation, and
// as [Rating.Provisional] while that is large.
package glicko

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Rating is what is known of how strong a member is.
type Rating struct {
	R     int64 // the rating, in hundredths of a point
	RD    int64 // its deviation, in hundredths of a point
	Sigma int64 // the volatility, in billionths
}

// Provisional tells whether the rating is too unsure to be shown without a warning: its
// deviation is over 110 points.
func (r Rating) Provisional() bool { return r.RD > 110_00 }

// System is how one game system is rated.
type System struct {
	Start Rating // of a member who joins; no deviation grows beyond that of Start
	Tau   int64  // how much volatility may change, in thousandths; Glickman asks for 300 to 1200
}

// Default is a member of 1500 points with a deviation of 350 and a volatility of 0.06, and
// a tau of 0.5.
var Default = System{Start: Rating{R: 1500_00, RD: 350_00, Sigma: 60_000_000}, Tau: 500}

// Check gives an error for figures that Glicko-2 can't work with.
func (s System) Check() error {
	switch {
	case s.Start.R < 0 || s.Start.R > 4000_00:
		return fmt.Errorf("a start rating of %d hundredths: it must be from 0 to 4000 points", s.Start.R)
	case s.Start.RD < 30_00 || s.Start.RD > 500_00:
		return fmt.Errorf("a start deviation of %d hundredths: it must be from 30 to 500 points", s.Start.RD)
	case s.Start.Sigma < 1_000_000 || s.Start.Sigma > 200_000_000:
		return fmt.Errorf("a start volatility of %d billionths: it must be from 0.001 to 0.2", s.Start.Sigma)
	case s.Tau < 100 || s.Tau > 2000:
		return fmt.Errorf("a tau of %d thousandths: it must be from 0.1 to 2", s.Tau)
	}
	return nil
}

// Twelfths is a whole game: scores and weights are counted in twelfths of it.
const Twelfths = 12

// Game is a rated game of two sides, or one of the three pairs of a game of three.
type Game struct {
	ID     string // for the reader; games of a period count in the order of their ids
	Period int    // in which it is rated, from 0
	Sides  [2]Side
	Score  int64 // what the first side got, in twelfths; the second got the rest
	Weight int64 // in twelfths: a game of two 12, each pair of a game of three 6
}

// Side is who played one side of a game.
type Side struct {
	// Members who played it. If they are two, a substitute and he whom he followed, none of
	// them is rated for it, and the other side is rated against the mean of both at half
	// the game's weight.
	Members []string
	Offset  int64 // what playing this side is worth, in hundredths of a point (see [Offsets])
}

// Member is when somebody joined.
type Member struct {
	ID     string
	Period int // at whose start he has the start rating
}

// Standing is a member's rating at the end of a period.
type Standing struct {
	Member string
	Rating
}

// History is the standings at the end of each period from 0 on, each in the order of
// member ids.
type History [][]Standing

// At gives a member's rating at the end of a period, and whether he had one.
func (h History) At(period int, member string) (Rating, bool) {
	if period < 0 || period >= len(h) {
		return Rating{}, false
	}
	at, found := slices.BinarySearchFunc(h[period], member, func(s Standing, m string) int { return strings.Compare(s.Member, m) })
	if !found {
		return Rating{}, false
	}
	return h[period][at].Rating, true
}

// Compute gives the history to the end of period last. What kept says of the periods
// before from is taken as it is; all from there on are computed again, so from is the first
// period in which a member or a game is other than when kept was computed, and 0 takes
// nothing over. The order of members and games is of no matter. It gives an error for a
// member or a game named twice, for a game that can't be rated as it stands, and for a
// history that is too short.
func (s System) Compute(kept History, from, last int, members []Member, games []Game) (History, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if from < 0 || from > len(kept) {
		return nil, fmt.Errorf("to compute from period %d on, the periods before it are needed, and there are %d", from, len(kept))
	}
	members, games = sorted(members, games)
	if err := check(members, games); err != nil {
		return nil, err
	}
	history := slices.Clone(kept[:min(from, last+1)])
	for period := len(history); period <= last; period++ {
		var before []Standing
		if period > 0 {
			before = history[period-1]
		}
		history = append(history, s.period(s.join(before, of(members, period)), gamesOf(games, period)))
	}
	return history, nil
}

// sorted gives members and games in the order of periods, and of ids within a period.
func sorted(members []Member, games []Game) ([]Member, []Game) {
	members, games = slices.Clone(members), slices.Clone(games)
	slices.SortFunc(members, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Period, b.Period), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(games, func(a, b Game) int {
		return cmp.Or(cmp.Compare(a.Period, b.Period), cmp.Compare(a.ID, b.ID))
	})
	return members, games
}

// of gives the members of a sorted list who join in a period.
func of(members []Member, period int) []Member {
	first, _ := slices.BinarySearchFunc(members, period, func(m Member, p int) int { return m.Period - p })
	end, _ := slices.BinarySearchFunc(members, period+1, func(m Member, p int) int { return m.Period - p })
	return members[first:end]
}

// gamesOf gives the games of a sorted list that are rated in a period.
func gamesOf(games []Game, period int) []Game {
	first, _ := slices.BinarySearchFunc(games, period, func(g Game, p int) int { return g.Period - p })
	end, _ := slices.BinarySearchFunc(games, period+1, func(g Game, p int) int { return g.Period - p })
	return games[first:end]
}

// check finds what can't be rated.
func check(members []Member, games []Game) error {
	joined := make(map[string]int, len(members))
	for _, m := range members {
		if _, twice := joined[m.ID]; twice {
			return fmt.Errorf("member %s joins twice", m.ID)
		}
		if m.Period < 0 {
			return fmt.Errorf("member %s joins in period %d: the first is 0", m.ID, m.Period)
		}
		joined[m.ID] = m.Period
	}
	for i, g := range games {
		if i > 0 && games[i-1].ID == g.ID && games[i-1].Period == g.Period {
			return fmt.Errorf("game %s is there twice in period %d", g.ID, g.Period)
		}
		if err := g.check(joined); err != nil {
			return fmt.Errorf("game %s: %w", g.ID, err)
		}
	}
	return nil
}

func (g Game) check(joined map[string]int) error {
	if g.Score < 0 || g.Score > Twelfths {
		return fmt.Errorf("a score of %d twelfths", g.Score)
	}
	if g.Weight < 1 || g.Weight > Twelfths {
		return fmt.Errorf("a weight of %d twelfths", g.Weight)
	}
	var seen []string
	for _, side := range g.Sides {
		if len(side.Members) < 1 || len(side.Members) > 2 {
			return fmt.Errorf("a side of %d members", len(side.Members))
		}
		for _, m := range side.Members {
			period, known := joined[m]
			switch {
			case !known:
				return fmt.Errorf("nobody is called %s", m)
			case period > g.Period:
				return fmt.Errorf("%s joined in period %d, after the game's, %d", m, period, g.Period)
			case slices.Contains(seen, m):
				return fmt.Errorf("%s sits in it twice", m)
			}
			seen = append(seen, m)
		}
	}
	return nil
}

// join adds those who join to the standings, with the start rating.
func (s System) join(before []Standing, comers []Member) []Standing {
	all := slices.Grow(slices.Clone(before), len(comers))
	for _, m := range comers {
		all = append(all, Standing{Member: m.ID, Rating: s.Start})
	}
	slices.SortFunc(all, func(a, b Standing) int { return strings.Compare(a.Member, b.Member) })
	return all
}

// scale is how many points a unit of Glickman's scale has.
const scale = 173.7178

// state is a rating on Glickman's scale.
type state struct{ mu, phi, sigma float64 }

func (s System) state(r Rating) state {
	return state{
		mu:    float64(r.R-s.Start.R) / 100 / scale,
		phi:   float64(r.RD) / 100 / scale,
		sigma: float64(r.Sigma) / 1e9,
	}
}

func (s System) rating(x state) Rating {
	return Rating{
		R:     s.Start.R + round(float64(x.mu*scale), 100),
		RD:    min(round(float64(x.phi*scale), 100), s.Start.RD),
		Sigma: round(x.sigma, 1e9),
	}
}

// duel is a game as one member met it.
type duel struct {
	game   int     // its place among the period's games
	g, e   float64 // Glickman's g of the opponent's deviation, and the expected score
	score  float64 // from 0 to 1
	weight float64 // from 0 to 1
}

// period gives the standings after a period, from those at its start and its games in order.
func (s System) period(before []Standing, games []Game) []Standing {
	duels := s.duels(before, games)
	after := make([]Standing, len(before))
	for i, m := range before {
		after[i] = Standing{Member: m.Member, Rating: s.rating(s.next(s.state(m.Rating), duels[i]))}
	}
	return after
}

// duels gives each member's games of a period, by his place in the standings.
func (s System) duels(before []Standing, games []Game) [][]duel {
	place := make(map[string]int, len(before))
	states := make([]state, len(before))
	for i, m := range before {
		place[m.Member] = i
		states[i] = s.state(m.Rating)
	}
	duels := make([][]duel, len(before))
	for i, game := range games {
		for k, side := range game.Sides {
			if len(side.Members) != 1 {
				continue
			}
			me, other := place[side.Members[0]], game.Sides[1-k]
			d := duel{game: i, score: float64(game.Score) / Twelfths, weight: float64(game.Weight) / Twelfths}
			if k == 1 {
				d.score = float64(Twelfths-game.Score) / Twelfths
			}
			foe := states[place[other.Members[0]]]
			if len(other.Members) == 2 {
				second := states[place[other.Members[1]]]
				foe.mu = (foe.mu + second.mu) / 2
				foe.phi = (foe.phi + second.phi) / 2
				d.weight /= 2
			}
			advantage := float64(side.Offset-other.Offset) / 100 / scale
			d.g = g(foe.phi)
			d.e = expected(d.g, states[me].mu+advantage-foe.mu)
			duels[me] = append(duels[me], d)
		}
	}
	return duels
}

// g is how much of a difference in rating counts against an opponent whose rating is so
// unsure.
func g(phi float64) float64 {
	return 1 / math.Sqrt(1+float64(3*float64(phi*phi))/float64(math.Pi*math.Pi))
}

// expected is the score to expect of somebody who is ahead by difference.
func expected(g, difference float64) float64 {
	return 1 / (1 + exp(float64(-g*difference)))
}

// next is what a period's duels make of a member: Glickman's steps 3 to 8.
func (s System) next(x state, duels []duel) state {
	if len(duels) == 0 {
		x.phi = math.Sqrt(float64(x.phi*x.phi) + float64(x.sigma*x.sigma))
		return x
	}
	information, pull := 0.0, 0.0
	for _, d := range duels {
		information += float64(d.weight * float64(float64(d.g*d.g)*float64(d.e*(1-d.e))))
		pull += float64(d.weight * float64(d.g*(d.score-d.e)))
	}
	v := 1 / information
	x.sigma = s.volatility(x, v, float64(v*pull))
	spread := math.Sqrt(float64(x.phi*x.phi) + float64(x.sigma*x.sigma))
	x.phi = 1 / math.Sqrt(1/float64(spread*spread)+information)
	x.mu += float64(float64(x.phi*x.phi) * pull)
	return x
}

// volatility is Glickman's step 5: where f changes sign, by the Illinois form of regula
// falsi.
func (s System) volatility(x state, v, delta float64) float64 {
	const tolerance = 1e-6
	tau := float64(s.Tau) / 1000
	a := log(float64(x.sigma * x.sigma))
	phi2, delta2 := float64(x.phi*x.phi), float64(delta*delta)
	f := func(at float64) float64 {
		e := exp(at)
		total := phi2 + v + e
		return float64(e*(delta2-total))/float64(2*float64(total*total)) - (at-a)/float64(tau*tau)
	}
	low, high := a, 0.0
	if delta2 > phi2+v {
		high = log(delta2 - phi2 - v)
	} else {
		k := 1.0
		for f(a-float64(k*tau)) < 0 {
			k++
		}
		high = a - float64(k*tau)
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > tolerance {
		c := low + float64((low-high)*fLow)/(fHigh-fLow)
		fc := f(c)
		if float64(fc*fHigh) <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = c, fc
	}
	return exp(low / 2)
}
