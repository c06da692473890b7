package campaign

import "slices"

// A Rate is how many stages something marches at most in a period and in a day (HFG-20.4).
type Rate struct{ Period, Day int }

// The rates by types of elements, as files write them; what isn't named marches as foot, with
// the Army HQ, Cuirassiers, Heavy Cavalry, Sipahis, Pistols and the Native Potentate. Guns
// that are neither horse nor light, and train, are slow (HFG-20.4, HFG-R87).
var (
	quickTypes = []string{"cp", "dragoons", "light-cavalry", "repeaters", "mounted-rifles", "rifle-cavalry", "light-infantry", "light-horse", "spearmen", "marksmen", "light-artillery"}
	slowTypes  = []string{"smoothbore", "mixed", "rifled", "pontoneers", "supply-base", "laager", "aeronauts"}

	quickRate  = Rate{Period: 3, Day: 3}
	commonRate = Rate{Period: 2, Day: 3}
	slowRate   = Rate{Period: 1, Day: 2}
)

// RateOf is the rate of an element of a type; horse says that it is horse artillery.
func RateOf(kind string, horse bool) Rate {
	switch {
	case horse, slices.Contains(quickTypes, kind):
		return quickRate
	case slices.Contains(slowTypes, kind):
		return slowRate
	}
	return commonRate
}

// Slower is the rate of two that march together.
func (r Rate) Slower(o Rate) Rate { return Rate{min(r.Period, o.Period), min(r.Day, o.Day)} }
