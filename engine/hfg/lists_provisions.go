package hfg

import (
	"slices"
)

// A provision is something that a side may buy to prepare the field (HFG-6.5 to HFG-6.11).
type provision int8

// The preparations. An exploitable linear feature costs nothing and hangs on a die (HFG-6.8).
const (
	buysStrongPoint provision = iota + 1
	buysRedoubt
	buysEntrenchment
	buysELF
	buysBarricade
	buysConcealed
	buysMinefield
	provisionsEnd // how long lists by preparation are: index 0 is unused
)

// provisionWords are the preparations as files write them; index 0 is unused.
var provisionWords = []string{"", "strong-point", "redoubt", "entrenchment", "elf", "barricade", "concealed-position", "naval-minefield"}

// String gives the word of files.
func (p provision) String() string { return provisionWords[p] }

// preparations by what they cost in points, how many of each a defender may buy, how many an
// attacker (HFG-3.6), and the clause of each.
var provisions = []struct {
	points, defender, attacker int
	clause                     string
}{
	buysStrongPoint:  {10, 3, 0, "HFG-6.5"},
	buysRedoubt:      {5, 3, 0, "HFG-6.6"},
	buysEntrenchment: {15, 6, 0, "HFG-6.7"},
	buysELF:          {0, 1, 0, "HFG-6.8"},
	buysBarricade:    {2, 6, 0, "HFG-6.9"}, // as many as option max-barricades says
	buysConcealed:    {10, 3, 2, "HFG-6.10"},
	buysMinefield:    {20, 1, 0, "HFG-6.11"},
}

// A purchase is a provision with how many of it are bought.
type purchase struct {
	what   provision
	number int

	at nodes // "", the number
}

// bought is how many of a provision a list of purchases has.
func bought(all []purchase, what provision) int {
	n := 0
	for _, p := range all {
		if p.what == what {
			n += p.number
		}
	}
	return n
}

// spentOn is what purchases cost together.
func spentOn(all []purchase) int {
	n := 0
	for _, p := range all {
		n += p.number * provisions[p.what].points
	}
	return n
}

// provisionOf finds a provision by its word.
func provisionOf(word string) provision {
	return provision(slices.Index(provisionWords, word))
}
