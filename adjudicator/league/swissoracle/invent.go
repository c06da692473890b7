package swissoracle

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// Round is one round of a recorded tournament.
type Round struct {
	Games   []Game
	Results []Result // one for each game
	Bye     int      // who has the pairing-allocated bye, -1 if nobody
	Zero    []int    // who was away and got nothing
	Half    []int    // who was away and got the points of a draw
	None    bool     // the round could not be paired: the tournament ended
}

// Result is how a game ended.
type Result byte

// The results, as the record writes them.
const (
	WhiteWon Result = '1'
	Draw     Result = '='
	BlackWon Result = '0'
	// WhiteForfeit: White was not there, Black wins without a game.
	WhiteForfeit Result = '-'
	BlackForfeit Result = '+'
	BothForfeit  Result = '~'
)

// Record is a whole tournament with its pairings and results.
type Record struct {
	Seed, Players, Rounds int
	Win, Draw, Loss       int
	Initial               Colour
	Played                []Round
}

// Points are what White and Black score by a result. Who does not come gets nothing.
func (r Record) Points(result Result) (white, black int) {
	switch result {
	case WhiteWon:
		return r.Win, r.Loss
	case Draw:
		return r.Draw, r.Draw
	case BlackWon:
		return r.Loss, r.Win
	case BlackForfeit:
		return r.Win, 0
	case WhiteForfeit:
		return 0, r.Win
	}
	return 0, 0
}

// Before is the tournament as it stood before the round with this index, those who were
// away in it marked as absent.
func (r Record) Before(round int) Tournament {
	t := Tournament{Players: make([]Player, r.Players), Rounds: r.Rounds, Win: r.Win, Loss: r.Loss, Initial: r.Initial}
	for _, played := range r.Played[:round] {
		r.add(&t, played)
	}
	if round < len(r.Played) {
		now := r.Played[round]
		for _, list := range [][]int{now.Zero, now.Half} {
			for _, p := range list {
				t.Players[p].Absent = true
			}
		}
	}
	return t
}

// add puts a round behind the players.
func (r Record) add(t *Tournament, played Round) {
	past := make([]Past, r.Players)
	for i := range past {
		past[i].Against = -1
	}
	for i, g := range played.Games {
		white, black := r.Points(played.Results[i])
		past[g.White].Points, past[g.Black].Points = white, black
		if result := played.Results[i]; result == WhiteWon || result == Draw || result == BlackWon {
			past[g.White] = Past{g.Black, White, white}
			past[g.Black] = Past{g.White, Black, black}
		}
	}
	if played.Bye >= 0 {
		past[played.Bye].Points = r.Win
	}
	for _, p := range played.Half {
		past[p].Points = r.Draw
	}
	for i := range t.Players {
		t.Players[i].Past = append(t.Players[i].Past, past[i])
	}
}

// habits are how often what happens in an invented tournament, in thousandths.
type habits struct{ draws, forfeits, away, half, withdraws, late int }

// Invent plays a whole tournament of 8 to 64 players by chance; the seed says which. An
// error says in which round the rules led nowhere though a pairing exists.
func Invent(seed int) (Record, error) {
	dice := rand.New(rand.NewPCG(uint64(seed), 4031))
	r := Record{Seed: seed, Players: 8 + dice.IntN(57), Initial: White}
	if dice.IntN(2) == 0 {
		r.Initial = Black
	}
	r.Rounds = 3 + dice.IntN(min(9, r.Players-4))
	points := [][3]int{{2, 1, 0}, {2, 1, 0}, {2, 1, 0}, {3, 1, 0}, {3, 2, 1}}[dice.IntN(5)]
	r.Win, r.Draw, r.Loss = points[0], points[1], points[2]
	h := habits{
		draws:     []int{50, 200, 400, 700}[dice.IntN(4)],
		forfeits:  []int{0, 10, 60}[dice.IntN(3)],
		away:      []int{0, 20, 80}[dice.IntN(3)],
		half:      []int{0, 20, 60}[dice.IntN(3)],
		withdraws: []int{0, 10, 40}[dice.IntN(3)],
		late:      []int{0, 30, 120}[dice.IntN(3)],
	}
	from, gone := make([]int, r.Players), make([]bool, r.Players)
	for i := range from {
		if dice.IntN(1000) < h.late {
			from[i] = 1 + dice.IntN(2)
		}
	}
	for round := range r.Rounds {
		next := Round{Bye: -1}
		here := 0
		for i := range r.Players {
			gone[i] = gone[i] || round > 0 && dice.IntN(1000) < h.withdraws
			switch away, half := dice.IntN(1000) < h.away, dice.IntN(1000) < h.half; {
			case gone[i] || round < from[i] && !half || away:
				next.Zero = append(next.Zero, i)
			case half:
				next.Half = append(next.Half, i)
			default:
				here++
			}
		}
		if here < 2 {
			return r, nil
		}
		r.Played = append(r.Played, next)
		if err := r.play(dice, h); err != nil {
			return r, fmt.Errorf("tournament %d, round %d: %w", seed, round+1, err)
		}
		if r.Played[round].None {
			return r, nil
		}
	}
	return r, nil
}

// play pairs the last round and invents its results: the higher on the list wins somewhat
// more often.
func (r *Record) play(dice *rand.Rand, h habits) error {
	now := &r.Played[len(r.Played)-1]
	games, bye, err := r.Before(len(r.Played) - 1).Pair()
	if errors.Is(err, ErrNoPairing) {
		now.None = true
		return nil
	}
	if err != nil {
		return err
	}
	now.Games, now.Bye = games, bye
	for _, g := range games {
		result := BlackWon
		if edge := (g.Black - g.White) * 300 / r.Players; dice.IntN(1000) < 500+edge {
			result = WhiteWon
		}
		if dice.IntN(1000) < h.draws {
			result = Draw
		}
		if dice.IntN(1000) < h.forfeits {
			result = []Result{WhiteForfeit, BlackForfeit, BothForfeit}[dice.IntN(3)]
		}
		now.Results = append(now.Results, result)
	}
	return nil
}
