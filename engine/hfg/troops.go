package hfg

// The types of elements: sections 3.2 to 3.6 of the digest. Lengths are paces, years
// inclusive; of a year in which one class ends and another begins it is the later's (HFG-R1).

// A troopDef is what the rulebook's tables say of a type.
type troopDef struct {
	word  string
	class class
	depth int    // of the base (HFG-2.1)
	from  int    // the first year; 0: any
	to    int    // the last; 0: any
	move  [3]int // good going, slow, difficult; of ships: not upstream, partly upstream (HFG-9.3)
	vs    factors
	shoot []since // ranges (HFG-12.5); none: no distant combat
	eq    int     // halves of an equivalent (HFG-2.5); 0: 2
}

// factors are the combat factors of a type (HFG-14.2). A factor of 0 means that there is no
// combat of that kind.
type factors struct {
	mounted int // against staff or mounted
	foot    int // against dismounted or foot
	others  int // against all else
}

// since is a number that holds from a year on.
type since struct{ year, n int }

// in gives the number of a year; 0 before the first.
func in(all []since, year int) int {
	n := 0
	for _, s := range all {
		if year >= s.year {
			n = s.n
		}
	}
	return n
}

var troops = [troopsEnd]troopDef{
	hq:           {word: "hq", class: staff, depth: 800, move: [3]int{800, 400, 200}, vs: factors{2, 2, 2}},
	commandParty: {word: "cp", class: staff, depth: 300, move: [3]int{2000, 400, 300}, vs: factors{1, 1, 3}},
	potentate:    {word: "np", class: staff, depth: 400, move: [3]int{800, 400, 200}, vs: factors{4, 2, 2}},

	pistols:      {word: "pistols", class: mounted, depth: 300, move: [3]int{800, 400, 200}, vs: factors{3, 3, 2}},
	cuirassiers:  {word: "cuirassiers", class: mounted, depth: 300, move: [3]int{800, 400, 200}, vs: factors{4, 3, 2}},
	heavyCavalry: {word: "heavy-cavalry", class: mounted, depth: 300, move: [3]int{1200, 400, 200}, vs: factors{4, 2, 2}},
	lightCavalry: {word: "light-cavalry", class: mounted, depth: 300, from: 1747, move: [3]int{1600, 400, 300}, vs: factors{2, 2, 2}},
	lightHorse:   {word: "light-horse", class: mounted, depth: 300, move: [3]int{2000, 400, 300}, vs: factors{1, 1, 2}},
	sipahis:      {word: "sipahis", class: mounted, depth: 300, move: [3]int{1200, 400, 200}, vs: factors{3, 2, 2}},

	// Dismountables: the range is that of the dismounted.
	dragoons:      {word: "dragoons", class: mounted, depth: 400, move: [3]int{1200, 400, 400}, vs: factors{2, 2, 2}, shoot: []since{{0, 200}, {1863, 600}}},
	repeaters:     {word: "repeaters", class: mounted, depth: 400, from: 1863, to: 1905, move: [3]int{1200, 400, 400}, vs: factors{2, 2, 2}, shoot: []since{{0, 400}}},
	mountedRifles: {word: "mounted-rifles", class: mounted, depth: 400, from: 1880, move: [3]int{1200, 400, 400}, vs: factors{1, 2, 2}, shoot: []since{{0, 1200}}},
	rifleCavalry:  {word: "rifle-cavalry", class: mounted, depth: 400, from: 1905, move: [3]int{1600, 400, 300}, vs: factors{4, 2, 2}, shoot: []since{{0, 1200}}},

	firelocks:     {word: "firelocks", class: foot, depth: 200, from: 1701, to: 1749, move: [3]int{400, 400, 200}, vs: factors{3, 2, 2}, shoot: []since{{0, 200}}},
	muskets:       {word: "muskets", class: foot, depth: 200, from: 1701, to: 1860, move: [3]int{400, 400, 200}, vs: factors{4, 3, 2}, shoot: []since{{0, 200}}},
	bayonets:      {word: "bayonets", class: foot, depth: 200, from: 1701, to: 1885, move: [3]int{600, 400, 400}, vs: factors{4, 3, 2}, shoot: []since{{0, 200}, {1790, 400}}},
	lightInfantry: {word: "light-infantry", class: foot, depth: 200, from: 1700, to: 1867, move: [3]int{800, 800, 600}, vs: factors{4, 3, 2}, shoot: []since{{0, 400}}},
	stoicFoot:     {word: "stoic-foot", class: foot, depth: 200, from: 1700, to: 1915, move: [3]int{400, 400, 200}, vs: factors{4, 2, 2}, shoot: []since{{0, 200}, {1857, 600}, {1880, 1200}}},
	minie:         {word: "minie", class: foot, depth: 200, from: 1851, to: 1867, move: [3]int{600, 400, 400}, vs: factors{4, 3, 2}, shoot: []since{{0, 600}}},
	breechloaders: {word: "bl", class: foot, depth: 300, from: 1848, to: 1870, move: [3]int{600, 400, 400}, vs: factors{4, 4, 2}, shoot: []since{{0, 600}}},
	rifles:        {word: "rifles", class: foot, depth: 300, from: 1867, move: [3]int{600, 400, 400}, vs: factors{4, 4, 2}, shoot: []since{{0, 1200}}},
	marksmen:      {word: "marksmen", class: foot, depth: 200, move: [3]int{800, 800, 600}, vs: factors{1, 2, 3}, shoot: []since{{0, 400}, {1857, 600}}},
	spearmen:      {word: "spearmen", class: foot, depth: 300, move: [3]int{800, 800, 600}, vs: factors{2, 2, 1}},
	spGarrison:    {word: "sp-garrison", class: foot, depth: 200, vs: factors{4, 3, 2}, shoot: []since{{0, 400}}},

	smoothbore:     {word: "smoothbore", class: artillery, depth: 400, from: 1700, to: 1868, move: [3]int{600, 400, 200}, vs: factors{3, 3, 2}, shoot: []since{{0, 1600}}},
	mixed:          {word: "mixed", class: artillery, depth: 400, from: 1857, to: 1871, move: [3]int{600, 400, 200}, vs: factors{3, 3, 2}, shoot: []since{{0, 2400}}},
	rifled:         {word: "rifled", class: artillery, depth: 400, from: 1866, move: [3]int{600, 400, 200}, vs: factors{3, 3, 2}, shoot: []since{{0, 3200}}},
	lightArtillery: {word: "light-artillery", class: artillery, depth: 400, move: [3]int{800, 400, 400}, vs: factors{3, 3, 2}, shoot: []since{{0, 800}}},

	pontoneers: {word: "pontoneers", class: train, depth: 800, move: [3]int{600, 400, 200}, vs: factors{1, 1, 3}},
	supplyBase: {word: "supply-base", class: train, depth: 800, vs: factors{3, 1, 2}, eq: 24},
	laager:     {word: "laager", class: train, depth: 800, move: [3]int{400, 200, 0}, vs: factors{5, 4, 2}, shoot: []since{{0, 600}}, eq: 16},
	aeronauts:  {word: "aeronauts", class: train, depth: 800, from: 1794, move: [3]int{400, 200, 0}, vs: factors{1, 1, 3}},

	flotilla:  {word: "flotilla", class: naval, depth: 500, move: [3]int{1200, 800, 0}, vs: factors{2, 3, 3}, shoot: []since{{1876, 800}}, eq: 1},
	bombs:     {word: "bombs", class: naval, depth: 500, to: 1869, move: [3]int{1200, 800, 0}, vs: factors{2, 3, 3}, shoot: broadside},
	sail:      {word: "sail", class: naval, depth: 500, to: 1869, move: [3]int{1200, 800, 0}, vs: factors{2, 3, 3}, shoot: broadside},
	steamer:   {word: "steamer", class: naval, depth: 500, from: 1824, move: [3]int{2000, 1200, 0}, vs: factors{2, 3, 3}, shoot: broadside},
	ironclad:  {word: "ironclad", class: naval, depth: 500, from: 1855, move: [3]int{2000, 1200, 0}, vs: factors{1, 2, 5}, shoot: broadside},
	submarine: {word: "submarine", class: naval, depth: 500, from: 1861, move: [3]int{800, 400, 0}, vs: factors{0, 0, 4}, shoot: []since{{1876, 800}}, eq: 1},
}

// broadside is the range of ships but Flotilla and Submarine (HFG-12.5).
var broadside = []since{{0, 800}, {1850, 1200}, {1859, 2000}, {1887, 3000}, {1906, 6000}}

// baseWidth is the width of every base but a ship's (HFG-2.1).
const baseWidth = 400

// What the tables say beside the rows of the types.
var (
	// Stoic Foot that are elite shoot as far as Rifles some years earlier.
	eliteStoic = []since{{0, 200}, {1857, 600}, {1875, 1200}}
	// Bayonets shooting at mounted.
	bayonetsAtMounted = []since{{0, 200}, {1851, 400}}

	dismountedFactors = factors{4, 4, 2} // of all dismounted but Dragoons (HFG-14.2)
	dragoonsOnFoot    = factors{1, 2, 2}
	heavyFactors      = factors{2, 4, 3} // of heavy artillery

	heavyMove       = [3]int{400, 200, 0}    // of heavy artillery (HFG-9.3)
	horseMove       = [3]int{1200, 400, 200} // of horse artillery
	oldMove         = [3]int{400, 200, 200}  // of other artillery to 1755
	dullSpearmen    = [3]int{600, 400, 400}  // of inferior Spearmen
	navalBases      = [...][2]int{{200, 500}, {200, 1000}, {300, 1500}}
	buaFactors      = factors{0, 0, 5} // of a BUA or SP that is itself the target
	temporaryBridge = factors{0, 2, 3}
	permanentBridge = factors{0, 3, 4}
)

const (
	oldMoveLast   = 1755 // the last year of oldMove
	heavyAdds     = 400  // to the range of heavy artillery
	brassRange    = 2400 // of Rifled that are brass
	heavyRifledAt = 6000 // of heavy Rifled at a BUA, at troops on a hill, at a train
	damagedMove   = 400  // of ships (HFG-16.16)
)

// can says whether a type is in use in a year (HFG-2.2).
func (t troop) can(year int) bool {
	d := &troops[t]
	return year >= d.from && (d.to == 0 || year <= d.to)
}

// eq is what an element counts, in halves of an equivalent (HFG-2.5).
func (d *elementDef) eq() int {
	t := &troops[d.troop]
	switch {
	case t.class == naval && (t.eq != 0 || d.is(inferior)):
		return 1
	case d.is(elite):
		return 4
	case t.eq != 0:
		return t.eq
	}
	return 2
}

// moves are an element's distances in good, slow and difficult going, or a ship's not
// upstream and partly upstream, in paces (HFG-9.3, HFG-10.8).
func (s *setting) moves(d *elementDef) [3]int {
	t := &troops[d.troop]
	switch {
	case t.class == artillery && d.is(heavy):
		return heavyMove
	case t.class == artillery && d.is(horse):
		return horseMove
	case t.class == artillery && d.troop != lightArtillery && s.year <= oldMoveLast:
		return oldMove
	case d.troop == spearmen && d.is(inferior):
		return dullSpearmen
	}
	return t.move
}
