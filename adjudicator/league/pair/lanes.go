package pair

import "math/bits"

// criterion is one of the things that a pairing is judged by: what each edge is worth to
// it. More is better, and the first criterion in which two pairings differ decides.
type criterion struct {
	worth func(i, j int) int // with i before j in the list of vertices
	once  bool               // at most one edge of a matching is worth more than the others
}

// arrange gives the perfect matching that is best by all criteria in their order: for each
// vertex its mate. It gives false if there is no perfect matching. A pair that may not meet
// has no edge.
//
// The criteria become digits of one long number for each edge. As all perfect matchings
// have equally many edges, worths are counted from the least that any edge has, and a
// criterion in which all edges are alike takes no room. Digits are wide enough never to carry.
func arrange(n int, may func(i, j int) bool, criteria []criterion) ([]int, bool) {
	if n%2 == 1 {
		return nil, false
	}
	type edge struct{ i, j int }
	var edges []edge
	for j := range n {
		for i := range j {
			if may(i, j) {
				edges = append(edges, edge{i, j})
			}
		}
	}
	worths := make([][]int, 0, len(criteria))
	var widths []int
	total := bits.Len(uint(n)) // the top digit counts edges
	for _, c := range criteria {
		of := make([]int, len(edges))
		for k, e := range edges {
			of[k] = c.worth(e.i, e.j)
		}
		least, most := extremes(of)
		if least == most {
			continue
		}
		for k := range of {
			of[k] -= least
		}
		room := most - least
		if !c.once {
			room *= n / 2
		}
		worths, widths = append(worths, of), append(widths, bits.Len(uint(room)))
		total += bits.Len(uint(room))
	}
	words := (total + 3 + 63) / 64 // three bits stay free
	weights := make([]weight, n*n)
	for k, e := range edges {
		w, at := make(weight, words), total-bits.Len(uint(n))
		w.put(at, 1)
		for c := range worths {
			at -= widths[c]
			w.put(at, uint64(worths[c][k]))
		}
		weights[e.i*n+e.j] = w
	}
	mates := match(n, words, func(i, j int) weight { return weights[min(i, j)*n+max(i, j)] })
	for _, mate := range mates {
		if mate < 0 {
			return nil, false
		}
	}
	return mates, true
}

// put writes a digit from bit number at on.
func (w weight) put(at int, digit uint64) {
	word, bit := at/64, uint(at%64)
	w[word] |= digit << bit
	if bit > 0 && digit>>(64-bit) != 0 {
		w[word+1] |= digit >> (64 - bit)
	}
}

// extremes gives the least and the greatest of some numbers.
func extremes(all []int) (least, most int) {
	for k, n := range all {
		if k == 0 || n < least {
			least = n
		}
		if k == 0 || n > most {
			most = n
		}
	}
	return least, most
}
