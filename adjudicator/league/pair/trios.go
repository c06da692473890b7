package pair

import "fmt"

// Trio is three members who meet in a game of three: the first sits as the power that the
// division's set-up names first, and so on.
type Trio [3]int

// TrioRound is who meets whom in a round of games of three.
type TrioRound struct {
	Trios []Trio
	Byes  []int // one or two members, if their number is no multiple of three
}

// Deviation is how far rounds of three are from the ideal, in which every two members meet
// equally often and each sits as each power equally often.
type Deviation struct {
	MostMet, LeastMet     int // how often two members meet
	MostPower, LeastPower int // how often a member sits as one power
}

// Trios gives rounds of games of three for n members, so that every two meet as equally
// often as can be, and each sits as each power as equally often as can be. For 9, 15 and 21
// members every two meet exactly once in 4, 7 and 10 rounds (resolvable designs of
// Kirkman), and the rounds after these begin again. For other numbers rounds are searched
// for by chance; draw gives a number from 0 to below its argument, and is to come from the
// season's seed, so that others can search again.
func Trios(n, rounds int, draw func(int) int) ([]TrioRound, error) {
	if n < 3 || n > MostMembers {
		return nil, fmt.Errorf("rounds of three for %d members: there must be from 3 to %d", n, MostMembers)
	}
	if rounds < 1 || rounds > MostMembers {
		return nil, fmt.Errorf("%d rounds: there must be from 1 to %d", rounds, MostMembers)
	}
	all := make([]TrioRound, rounds)
	if design := kirkman(n); design != nil {
		for r := range all {
			all[r].Trios = append([]Trio(nil), design[r%len(design)]...)
		}
	} else {
		searchTrios(n, all, draw)
	}
	searchPowers(n, all, draw)
	return all, nil
}

// kirkman gives rounds in which every two of n members meet once, if the house has such.
func kirkman(n int) [][]Trio {
	switch n {
	case 9: // the lines of a plane of three by three, direction by direction
		return [][]Trio{
			{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, {{0, 3, 6}, {1, 4, 7}, {2, 5, 8}},
			{{0, 4, 8}, {1, 5, 6}, {2, 3, 7}}, {{0, 5, 7}, {1, 3, 8}, {2, 4, 6}},
		}
	case 15: // two sevens that turn, and a member who stays
		return turned([]Trio{{0, 1, 3}, {2, 7, 9}, {4, 12, 13}, {5, 8, 11}, {6, 10, 14}}, 2)
	case 21: // three sevens that turn; three rounds more are a trio and its turns
		design := turned([]Trio{{0, 1, 3}, {7, 8, 10}, {14, 15, 17}, {2, 11, 19}, {4, 9, 20}, {5, 13, 16}, {6, 12, 18}}, 3)
		for _, trio := range []Trio{{0, 7, 14}, {0, 10, 15}, {0, 11, 20}} {
			var round []Trio
			for _, turn := range turned([]Trio{trio}, 3) {
				round = append(round, turn...)
			}
			design = append(design, round)
		}
		return design
	}
	return nil
}

// turned gives a round and its six turns, in which each of the first sevens moves on within
// his seven. Whoever is after them stays.
func turned(round []Trio, sevens int) [][]Trio {
	design := make([][]Trio, 7)
	for by := range design {
		for _, trio := range round {
			for k, m := range trio {
				if m < 7*sevens {
					trio[k] = m/7*7 + (m%7+by)%7
				}
			}
			design[by] = append(design[by], trio)
		}
	}
	return design
}

// effort is how many exchanges a search tries for each member and round.
const effort = 400

// shuffled gives the numbers below n in an order drawn by chance.
func shuffled(n int, draw func(int) int) []int {
	order := make([]int, n)
	for i := range order {
		j := draw(i + 1)
		order[i] = order[j]
		order[j] = i
	}
	return order
}

// search is rounds of three that are being improved.
type search struct {
	orders [][]int // of each round the members: trio after trio, then who has a bye
	seats  int     // how many of an order sit in trios
	met    [][]int
	byes   []int
}

// company gives who sits with the place at of an order.
func (s *search) company(order []int, at int) []int {
	if at >= s.seats {
		return nil
	}
	first := at / 3 * 3
	switch at - first {
	case 0:
		return []int{order[first+1], order[first+2]}
	case 1:
		return []int{order[first], order[first+2]}
	}
	return []int{order[first], order[first+1]}
}

// count adds by to the meetings of a member with a place's company, or to his byes.
func (s *search) count(member int, company []int, by int) {
	if company == nil {
		s.byes[member] += by
	}
	for _, o := range company {
		s.met[member][o] += by
		s.met[o][member] += by
	}
}

// worse is by how much the sum of the squares of all meetings grows if a member gives one
// place's company for another's. A bye weighs more than any number of meetings.
func (s *search) worse(member int, left, joined []int) int {
	const bye = 1000
	sum := 0
	if left == nil {
		sum -= bye * (2*s.byes[member] - 1)
	}
	if joined == nil {
		sum += bye * (2*s.byes[member] + 1)
	}
	for _, o := range left {
		sum -= 2*s.met[member][o] - 1
	}
	for _, o := range joined {
		sum += 2*s.met[member][o] + 1
	}
	return sum
}

// searchTrios fills rounds so that byes are as equal as can be and few meet often: it begins
// with orders by chance, and exchanges two places of a round wherever that makes it no worse.
func searchTrios(n int, rounds []TrioRound, draw func(int) int) {
	s := search{seats: n / 3 * 3, met: square(n, n), byes: make([]int, n)}
	for range rounds {
		order := shuffled(n, draw)
		s.orders = append(s.orders, order)
		for at, m := range order {
			company := s.company(order, at)
			if company == nil {
				s.byes[m]++
			}
			for _, o := range company {
				s.met[m][o]++
			}
		}
	}
	for range effort * n * len(rounds) {
		order := s.orders[draw(len(rounds))]
		a, b := draw(n), draw(n)
		if a >= s.seats && b >= s.seats || a < s.seats && b < s.seats && a/3 == b/3 {
			continue
		}
		with, other := s.company(order, a), s.company(order, b)
		x, y := order[a], order[b]
		if s.worse(x, with, other)+s.worse(y, other, with) > 0 {
			continue
		}
		s.count(x, with, -1)
		s.count(y, other, -1)
		s.count(x, other, 1)
		s.count(y, with, 1)
		order[a], order[b] = y, x
	}
	for r, order := range s.orders {
		for at := 0; at < s.seats; at += 3 {
			rounds[r].Trios = append(rounds[r].Trios, Trio(order[at:at+3]))
		}
		rounds[r].Byes = order[s.seats:]
	}
}

// searchPowers exchanges powers within trios so that each member sits as each as equally
// often as can be.
func searchPowers(n int, rounds []TrioRound, draw func(int) int) {
	sat := square(n, 3)
	for _, round := range rounds {
		for _, trio := range round.Trios {
			for power, m := range trio {
				sat[m][power]++
			}
		}
	}
	for range effort * n * len(rounds) {
		round := rounds[draw(len(rounds))]
		trio := &round.Trios[draw(len(round.Trios))]
		p, q := draw(3), draw(3)
		if p == q {
			continue
		}
		x, y := trio[p], trio[q]
		// The sum of squares, twice: x gives p for q, and y gives q for p.
		if sat[x][q]-sat[x][p]+sat[y][p]-sat[y][q]+2 > 0 {
			continue
		}
		sat[x][p]--
		sat[x][q]++
		sat[y][q]--
		sat[y][p]++
		trio[p], trio[q] = y, x
	}
}

// square gives rows of noughts.
func square(rows, columns int) [][]int {
	all := make([][]int, rows)
	for i := range all {
		all[i] = make([]int, columns)
	}
	return all
}

// Deviate tells how far rounds of three for n members are from the ideal.
func Deviate(n int, rounds []TrioRound) Deviation {
	met, sat := square(n, n), square(n, 3)
	for _, round := range rounds {
		for _, trio := range round.Trios {
			for power, m := range trio {
				sat[m][power]++
				for _, o := range trio {
					met[m][o]++
				}
			}
		}
	}
	d := Deviation{LeastMet: len(rounds), LeastPower: len(rounds)}
	for i := range n {
		for j := range i {
			d.MostMet, d.LeastMet = max(d.MostMet, met[i][j]), min(d.LeastMet, met[i][j])
		}
		for _, times := range sat[i] {
			d.MostPower, d.LeastPower = max(d.MostPower, times), min(d.LeastPower, times)
		}
	}
	return d
}
