package hfg

import "slices"

// Columns: chapters 1 and 9.

// follows says whether two elements are neighbours in one column, so that they may overlap
// where it bends (HFG-1.8): both are of a column that is noted, or on one road.
func (g *game) follows(a, b elementID) bool {
	for i := range g.Columns {
		m := g.Columns[i].Members
		j, k := slices.Index(m, a), slices.Index(m, b)
		if j >= 0 && k >= 0 && (j-k == 1 || k-j == 1) {
			return true
		}
	}
	return false
}
