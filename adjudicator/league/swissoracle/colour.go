package swissoracle

// allocate says which of two players has White [5.2]. The first is the one who ranks
// higher [1.2].
func (t Tournament) allocate(all []standing, higher, lower int) (white, black int) {
	h, l := all[higher], all[lower]
	give := func(c Colour) (int, int) {
		if c == White {
			return higher, lower
		}
		return lower, higher
	}
	// 5.2.1: grant both preferences.
	if h.wants != l.wants {
		if h.wants == None {
			return give(-l.wants)
		}
		return give(h.wants)
	}
	if h.wants != None {
		// 5.2.2: grant the stronger; of two absolute ones that with the wider difference.
		if h.want > l.want {
			return give(h.wants)
		}
		if h.want < l.want {
			return give(-l.wants)
		}
		if h.want == absolute {
			if wide, other := abs(h.difference), abs(l.difference); wide > other {
				return give(h.wants)
			} else if wide < other {
				return give(-l.wants)
			}
		}
	}
	// 5.2.3: alternate to the latest time at which one had White and the other Black,
	// rounds without a game counting as the earliest [C.04.2, 3.4].
	for i, j := len(h.colours)-1, len(l.colours)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if h.colours[i] != l.colours[j] {
			return give(-h.colours[i])
		}
	}
	// 5.2.4: grant the preference of the higher ranked.
	if h.wants != None {
		return give(h.wants)
	}
	// 5.2.5: a higher ranked player with an odd TPN gets the initial colour.
	if (higher+1)%2 == 1 {
		return give(t.Initial)
	}
	return give(-t.Initial)
}

func abs(n int) int { return max(n, -n) }
