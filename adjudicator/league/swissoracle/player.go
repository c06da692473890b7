// Package swissoracle pairs Swiss tournaments a second time, to check the program that
// pairs the leagues: by the FIDE (Dutch) System, Handbook C.04.3 as applied from
// 1 February 2026, without acceleration. It was written from the published rules alone
// and follows them literally: it takes the candidates of a bracket in the order in which
// Article 4 generates them and keeps the first that is best by Article 2. Only candidates
// that are certain to be worse are left out. No part of an office uses it.
//
// Clauses in square brackets are articles of C.04.3, or criteria [C1] to [C21] of its
// Article 2.
package swissoracle

import "math/bits"

// Colour is one of the two sides of a game.
type Colour int8

// The two sides, and neither.
const (
	None  Colour = 0
	White Colour = 1
	Black Colour = -1
)

// Past is one round of a player.
type Past struct {
	Against int    // the opponent's number, or -1 where no game was played
	Colour  Colour // None where no game was played
	Points  int    // scored in the round, with a game or without
}

// Player is one who takes part. His tournament pairing number (TPN) is his place in the
// list plus one.
type Player struct {
	Past   []Past // one for each round so far
	Absent bool   // not to be paired now
}

// Tournament is a tournament whose next round is to be paired: at most 64 players.
type Tournament struct {
	Players   []Player
	Rounds    int    // of the whole tournament
	Win, Loss int    // points of a won and of a lost game
	Initial   Colour // the initial colour that was drawn [5.1]
}

// set is a set of players by their numbers.
type set uint64

func (s set) has(i int) bool { return s>>i&1 == 1 }
func (s set) size() int      { return bits.OnesCount64(uint64(s)) }

func setOf(players []int) set {
	var s set
	for _, p := range players {
		s |= 1 << p
	}
	return s
}

// float is a downfloat, an upfloat, or none [1.4].
type float int8

const (
	noFloat float = iota
	down
	up
)

// strength is how strong a colour preference is [1.7].
type strength int8

const (
	noPreference strength = iota
	mild
	strong
	absolute
)

// standing is what the criteria ask of a player.
type standing struct {
	score      int
	floats     [3]float // floats[1] of the previous round, floats[2] of the one before it
	colours    []Colour // of the games he played, without the rounds in which he played none
	difference int      // games with White less games with Black [1.6]
	wants      Colour   // the colour he prefers
	want       strength
	topscorer  bool // [1.8]
	noBye      bool // he may not get the pairing-allocated bye [C2]
	unplayed   int  // rounds without a game
	met        set  // whom he has played
}

// standings works out every player's standing before the round to be paired.
func (t Tournament) standings() []standing {
	all := make([]standing, len(t.Players))
	for i, p := range t.Players {
		s := &all[i]
		for r, past := range p.Past {
			before := s.score
			s.score += past.Points
			if past.Against < 0 {
				s.unplayed++
				s.noBye = s.noBye || past.Points >= t.Win
			} else {
				s.met |= 1 << past.Against
				s.colours = append(s.colours, past.Colour)
				s.difference += int(past.Colour)
			}
			if back := len(p.Past) - r; back <= 2 {
				s.floats[back] = t.floated(past, before, r)
			}
		}
		s.wants, s.want = preference(s.colours, s.difference)
		played := len(p.Past)
		s.topscorer = played == t.Rounds-1 && 2*s.score > played*t.Win
	}
	return all
}

// floated says which float a player with this score before it got by a round [1.4.2 to
// 1.4.4].
func (t Tournament) floated(past Past, score, round int) float {
	if past.Against < 0 {
		if past.Points > t.Loss {
			return down
		}
		return noFloat
	}
	theirs := 0
	for _, earlier := range t.Players[past.Against].Past[:round] {
		theirs += earlier.Points
	}
	switch {
	case score > theirs:
		return down
	case score < theirs:
		return up
	}
	return noFloat
}

// preference is the colour that a player with these games should have next, and how
// strongly he should [1.7].
func preference(colours []Colour, difference int) (Colour, strength) {
	n := len(colours)
	switch {
	case n == 0:
		return None, noPreference
	case difference > 1:
		return Black, absolute
	case difference < -1:
		return White, absolute
	case n >= 2 && colours[n-1] == colours[n-2]:
		return -colours[n-1], absolute
	case difference != 0:
		return Colour(-difference), strong
	}
	return -colours[n-1], mild
}
