package pair

import (
	"cmp"
	"fmt"
	"slices"
)

// A Swiss tournament is paired by the FIDE (Dutch) System, Handbook C.04.3, in force since
// 1 February 2026, without acceleration. The numbers in brackets are its articles and
// criteria. The rules describe candidates in an order in which they are tried; what comes
// out is the best candidate by the criteria, and of equals the first. Here the same is found
// by matchings of greatest weight: the criteria, and after them the order in which
// candidates come, are digits of the weights of edges.
//
// Where it speaks of White and Black, a league has the first and the second side of its
// division's set-up.

// Colour is which of the two sides somebody had, or is to have.
type Colour int8

// The colours.
const (
	NoColour Colour = 0
	First    Colour = 1
	Second   Colour = -1
)

// Past is a round that a player has behind him.
type Past struct {
	Against int    // whom he played, by his number; -1 if he played nobody, as by a bye or a forfeit
	Colour  Colour // NoColour if he played nobody, or both sides
	Scored  int64  // points got in the round, in any unit
}

// Player is one of a Swiss tournament. Players are listed by their pairing numbers: the one
// who was strongest at the start is number 0.
type Player struct {
	Past   []Past // all rounds so far
	Absent bool   // he is not to be paired in this round
}

// Swiss is a tournament about to be paired.
type Swiss struct {
	Players []Player
	Rounds  int    // of the whole tournament
	Win     int64  // points of a win, in the unit of Past
	Loss    int64  // points of a loss
	Initial Colour // of the players with odd pairing numbers (0, 2, ...) in the first round, drawn by lot
}

// Check gives an error for a tournament whose rounds don't fit together.
func (s Swiss) Check() error {
	if len(s.Players) == 0 {
		return fmt.Errorf("a Swiss tournament of nobody")
	}
	if s.Initial != First && s.Initial != Second {
		return fmt.Errorf("no initial colour was drawn")
	}
	rounds := len(s.Players[0].Past)
	if rounds >= s.Rounds {
		return fmt.Errorf("all %d rounds have been paired", s.Rounds)
	}
	for i, p := range s.Players {
		if len(p.Past) != rounds {
			return fmt.Errorf("player %d has %d rounds behind him, not %d", i, len(p.Past), rounds)
		}
		for r, past := range p.Past {
			if past.Against == -1 && past.Colour == NoColour {
				continue
			}
			if past.Against < 0 || past.Against >= len(s.Players) || past.Against == i {
				return fmt.Errorf("player %d, round %d: there is no opponent %d", i, r+1, past.Against)
			}
			if other := s.Players[past.Against].Past; r >= len(other) || other[r].Against != i || other[r].Colour != -past.Colour {
				return fmt.Errorf("round %d: what players %d and %d have of it does not agree", r+1, i, past.Against)
			}
		}
	}
	return nil
}

// standing is what counts of a player when a round is paired.
type standing struct {
	number   int
	score    int64
	met      []int
	colours  []Colour // of the games played, without rounds in which he had none
	balance  int      // games as First less games as Second [1.6]
	wants    Colour   // his colour preference [1.7]
	strength int      // of the preference: 3 absolute, 2 strong, 1 mild, 0 none
	floats   [2]int   // in the last round and in the one before: 1 down, -1 up [1.4]
	hadBye   bool     // he scored a win in a round without playing [C2]
	unplayed int      // rounds without a game
	top      bool     // he is a topscorer, and this is the last round [1.8]
}

// Standings of preferences.
const (
	mild     = 1
	strong   = 2
	absolute = 3
)

// standings gives what counts of all players who are to be paired, in the order of scores
// and pairing numbers [1.2].
func (s Swiss) standings() []standing {
	rounds := len(s.Players[0].Past)
	scores := make([][]int64, len(s.Players)) // of each player before each round
	for i, p := range s.Players {
		scores[i] = make([]int64, rounds+1)
		for r, past := range p.Past {
			scores[i][r+1] = scores[i][r] + past.Scored
		}
	}
	var all []standing
	for i, p := range s.Players {
		if p.Absent {
			continue
		}
		x := standing{number: i, score: scores[i][rounds]}
		for r, past := range p.Past {
			if past.Against < 0 {
				x.unplayed++
				x.hadBye = x.hadBye || past.Scored >= s.Win
			} else {
				x.met = append(x.met, past.Against)
			}
			if past.Colour != NoColour {
				x.colours = append(x.colours, past.Colour)
				x.balance += int(past.Colour)
			}
			if age := rounds - 1 - r; age < 2 {
				switch {
				case past.Against < 0 && past.Scored > s.Loss:
					x.floats[age] = 1
				case past.Against >= 0:
					x.floats[age] = cmp.Compare(scores[i][r], scores[past.Against][r])
				}
			}
		}
		x.prefer()
		x.top = rounds == s.Rounds-1 && 2*x.score > int64(rounds)*s.Win
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b standing) int { return cmp.Compare(b.score, a.score) })
	return all
}

// prefer sets a player's colour preference [1.7].
func (x *standing) prefer() {
	n := len(x.colours)
	switch {
	case n == 0:
	case x.balance > 1:
		x.wants, x.strength = Second, absolute
	case x.balance < -1:
		x.wants, x.strength = First, absolute
	case n > 1 && x.colours[n-1] == x.colours[n-2]:
		x.wants, x.strength = -x.colours[n-1], absolute
	case x.balance != 0:
		x.wants, x.strength = Colour(-x.balance), strong
	default:
		x.wants, x.strength = -x.colours[n-1], mild
	}
}

// mayMeet tells whether two may be paired at all [C1, C3].
func mayMeet(a, b *standing) bool {
	if slices.Contains(a.met, b.number) {
		return false
	}
	clash := a.strength == absolute && b.strength == absolute && a.wants == b.wants
	return !clash || a.top || b.top
}

// colours gives the colour of the higher ranked of two players who meet [5.2].
func (s Swiss) colours(high, low *standing) Colour {
	switch {
	case high.wants != low.wants && high.wants != NoColour: // [5.2.1]
		return high.wants
	case high.wants != low.wants:
		return -low.wants
	case high.strength > low.strength: // [5.2.2]
		return high.wants
	case high.strength < low.strength:
		return -low.wants
	}
	if high.strength == absolute {
		switch h, l := max(high.balance, -high.balance), max(low.balance, -low.balance); {
		case h > l:
			return high.wants
		case h < l:
			return -low.wants
		}
	}
	h, l := high.colours, low.colours
	for k := 1; k <= min(len(h), len(l)); k++ { // [5.2.3]
		if c := h[len(h)-k]; c != l[len(l)-k] {
			return -c
		}
	}
	if high.wants != NoColour { // [5.2.4]
		return high.wants
	}
	if high.number%2 == 0 { // [5.2.5]: pairing numbers count from 1 there
		return s.Initial
	}
	return -s.Initial
}

// NoRoundError says that no round can be paired by the rules [1.9.3].
type NoRoundError struct{ Round int }

func (e NoRoundError) Error() string {
	return fmt.Sprintf("round %d can't be paired: whoever is left has met, or wants the same side as everybody else", e.Round)
}

// Pair gives the next round. If the number of players is odd, the last who finds nobody has
// the bye. It gives an error for a tournament that does not fit together, and a
// [NoRoundError] if no round can be made any more in which nobody meets anybody again: then
// somebody has to decide what is to be done.
func (s Swiss) Pair() (Round, error) {
	if err := s.Check(); err != nil {
		return Round{}, err
	}
	left := s.standings()
	var round Round
	var moved []standing
	for len(left) > 0 {
		size := 1
		for size < len(left) && left[size].score == left[0].score {
			size++
		}
		b := bracket{Swiss: s, moved: len(moved), residents: size, players: slices.Concat(moved, left)}
		pairs, down, ok := b.pair()
		if !ok {
			return Round{}, NoRoundError{len(s.Players[0].Past) + 1}
		}
		for _, p := range pairs {
			high, low := &b.players[p.First], &b.players[p.Second]
			if s.colours(high, low) == First {
				round.Pairings = append(round.Pairings, Pairing{high.number, low.number})
			} else {
				round.Pairings = append(round.Pairings, Pairing{low.number, high.number})
			}
		}
		moved = moved[:0:0]
		for _, i := range down {
			moved = append(moved, b.players[i])
		}
		left = left[size:]
	}
	for _, x := range moved {
		round.Byes = append(round.Byes, x.number)
	}
	return round, nil
}
