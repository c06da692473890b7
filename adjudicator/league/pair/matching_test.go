package pair

import "testing"

// TestMatching compares matchings of small graphs with the best of all there are.
func TestMatching(t *testing.T) {
	draw := lcg(5)
	for graph := range 4000 {
		n := 2 + draw(8)
		density, most := 1+draw(4), 1+draw(40)
		weights := square(n, n)
		for i := range n {
			for j := range i {
				if draw(4) < density {
					// Twice in four words, so that carries and borrows go from word to word.
					weights[i][j] = 1 + draw(most)
					weights[j][i] = weights[i][j]
				}
			}
		}
		mates := match(n, 4, func(i, j int) weight {
			w := uint64(weights[i][j])
			return weight{w << 60, w>>4 | w<<63, w >> 1, 0}
		})
		sum := 0
		for i, j := range mates {
			if j >= 0 {
				if mates[j] != i || weights[i][j] == 0 {
					t.Fatalf("graph %d: %v", graph, mates)
				}
				if i < j {
					sum += weights[i][j]
				}
			}
		}
		if want := heaviest(weights, make([]bool, n), 0); sum != want {
			t.Fatalf("graph %d of %d: weight %d, not %d: %v\n%v", graph, n, sum, want, mates, weights)
		}
	}
}

// heaviest tries every matching of the vertices from i on that are not used.
func heaviest(weights [][]int, used []bool, i int) int {
	if i == len(weights) {
		return 0
	}
	best := heaviest(weights, used, i+1)
	if used[i] {
		return best
	}
	for j := i + 1; j < len(weights); j++ {
		if !used[j] && weights[i][j] > 0 {
			used[j] = true
			best = max(best, weights[i][j]+heaviest(weights, used, i+1))
			used[j] = false
		}
	}
	return best
}

// TestMatchingLarge: the same graph under other names has a matching of the same weight.
func TestMatchingLarge(t *testing.T) {
	draw := lcg(6)
	for range 20 {
		n := 30 + draw(40)
		weights := square(n, n)
		for i := range n {
			for j := range i {
				if draw(3) > 0 {
					weights[i][j] = 1 + draw(1000)
					weights[j][i] = weights[i][j]
				}
			}
		}
		total := func(name []int) int {
			sum := 0
			for i, j := range match(n, 1, func(i, j int) weight { return weight{uint64(weights[name[i]][name[j]])} }) {
				if j > i {
					sum += weights[name[i]][name[j]]
				}
			}
			return sum
		}
		first := total(shuffled(n, draw))
		for range 3 {
			if again := total(shuffled(n, draw)); again != first {
				t.Fatalf("%d vertices: %d and %d", n, first, again)
			}
		}
	}
}
