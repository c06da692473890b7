package season

import (
	"slices"

	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/table"
)

// Evenness tells how evenly the members of a division of games of three meet, and sit as each power, in the rounds that are
// planned; false: it has no such games. There are few numbers of members for which they can meet quite evenly.
func (d *Division) Evenness() (pair.Deviation, bool) {
	if d.Table.Pairing != table.Trio || len(d.Pairings) == 0 {
		return pair.Deviation{}, false
	}
	rounds := make([]pair.TrioRound, d.Paired)
	for _, p := range d.Pairings {
		var trio pair.Trio
		for i, m := range p.Seats {
			trio[i] = slices.Index(d.Members, m)
		}
		if r := &rounds[p.Round-1]; !slices.Contains(trio[:], -1) {
			r.Trios = append(r.Trios, trio)
		}
	}
	return pair.Deviate(len(d.Members), rounds), true
}
