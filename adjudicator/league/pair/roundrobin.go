// Package pair says who meets whom: round robins, blocks of three, ladders, and the Swiss
// system by FIDE's Dutch rules. Members are numbers from 0, in the order of a division's
// list; who they are, when they play and what comes of it is no matter here. The same
// arguments always give the same pairings; chance comes in as a function that draws.
package pair

import "fmt"

// Pairing is two members who meet. The first sits on the side that the division's set-up
// names first.
type Pairing struct{ First, Second int }

// Exchanged gives the second game of a double pairing: the same two on the other sides.
func (p Pairing) Exchanged() Pairing { return Pairing{p.Second, p.First} }

// Round is who meets whom in a round.
type Round struct {
	Pairings []Pairing
	Byes     []int // who meets nobody
}

// MostMembers is how many members a round robin may have.
const MostMembers = 100

// RoundRobin gives the rounds in which each of n members meets each other once, by the
// tables of Berger: the last member keeps his place and the others move round it. Each
// sits on either side equally often, or once more on one of them. Turned exchanges the
// sides of all, as the season after does it to make up for that. Each has one bye if n is odd.
func RoundRobin(n int, turned bool) ([]Round, error) {
	if n < 2 || n > MostMembers {
		return nil, fmt.Errorf("a round robin of %d members: there must be from 2 to %d", n, MostMembers)
	}
	even := n + n%2
	circle := even - 1 // all but the last place, which is nobody's if n is odd
	rounds := make([]Round, circle)
	for r := range rounds {
		meets := r * (even / 2) % circle // whom the last place meets
		pairings := []Pairing{{meets, even - 1}}
		if r%2 == 1 {
			pairings[0] = pairings[0].Exchanged()
		}
		for i := 1; i < even/2; i++ {
			pairings = append(pairings, Pairing{(meets + i) % circle, (meets - i + circle) % circle})
		}
		for _, p := range pairings {
			switch {
			case max(p.First, p.Second) == n:
				rounds[r].Byes = []int{min(p.First, p.Second)}
			case turned:
				rounds[r].Pairings = append(rounds[r].Pairings, p.Exchanged())
			default:
				rounds[r].Pairings = append(rounds[r].Pairings, p)
			}
		}
	}
	return rounds, nil
}
