package hfg

import (
	"fmt"
	"strings"
	"testing"
)

// said tells an outcome in a word, with its distances.
func (o outcome) said() string {
	switch {
	case o.High > o.Low:
		return fmt.Sprintf("%s %d-%d", effectWords[o.What], o.Low, o.High)
	case o.Low > 0:
		return fmt.Sprintf("%s %d", effectWords[o.What], o.Low)
	}
	return effectWords[o.What]
}

// An outcomeCase is what a combat comes to for r1 against b1: in contact, or b1 shoots at it.
type outcomeCase struct {
	clause  string
	when    string
	year    int
	own     troop
	grades  []grade
	foe     troop
	foeIs   []grade
	distant int64 // paces between the fronts; 0: in contact
	is      result
	short   int
	with    func(g *game, r, b elementID)
	areas   []areaDef
	want    string
	byShot  bool // r1 shoots at b1, instead
}

// run works the case out.
func (c *outcomeCase) run(t *testing.T) string {
	t.Helper()
	g := fieldOn(t, &setting{year: c.year, areas: c.areas},
		piece{"r1", c.own, 4000, 3000, 0, c.grades}, piece{"b1", c.foe, 4000, 3000 + c.distant, 180, c.foeIs})
	g.Turn = 3
	r, b := named(t, g, "r1"), named(t, g, "b1")
	if c.with != nil {
		c.with(g, r, b)
	}
	x := &bout{A: fighter{Element: r}, B: fighter{Element: b}}
	if c.distant > 0 && !c.byShot {
		x.A, x.B = x.B, x.A
	}
	x.Distant = c.distant > 0
	v := &verdict{standpoint: g.seen(x, x.A.Element == r), is: c.is, short: c.short}
	o := v.outcome()
	if o.What != unharmed && o.Clause != c.clause && !strings.HasPrefix(c.clause, "HFG-R") {
		t.Errorf("%s %s: the line is of %s", c.clause, c.when, o.Clause)
	}
	return o.said()
}

func TestOutcomeCases(t *testing.T) {
	done := map[string]bool{}
	for _, c := range outcomeCases() {
		if done[c.clause] {
			continue
		}
		done[c.clause] = true
		t.Run(c.clause+" its lines", func(t *testing.T) {
			for _, x := range outcomeCases() {
				if x.clause != c.clause {
					continue
				}
				if got := x.run(t); got != x.want {
					t.Errorf("%s: %s, want %s", x.when, got, x.want)
				}
			}
		})
	}
}

// wooded is a wood about the place where r1 and b1 meet, town a BUA there.
func wooded() []areaDef  { return []areaDef{octagon("wood", wood, 4000, 3000, 1600, 1600)} }
func builtUp() []areaDef { return []areaDef{octagon("town", bua, 4000, 2800, 600, 600)} }
func fields() []areaDef  { return []areaDef{octagon("fields", slowGoing, 4000, 3000, 1600, 1600)} }

// behindIt puts a work of r1's side before it.
func behindIt(kind work) func(g *game, r, b elementID) {
	return func(g *game, r, _ elementID) {
		x := &g.Elements[r]
		g.Works = []placedWork{{ID: "w", Kind: kind, Side: first, At: x.At, Facing: x.Facing, Width: 400 * pace, Depth: 400 * pace}}
	}
}

// holding has r1 hold the town.
func holding(g *game, r, _ elementID) { g.Elements[r].At, g.Elements[r].Holds = place{}, 1 }

// arrived has b1 have come into contact in this turn.
func arrived(g *game, _, b elementID) { g.Elements[b].Arrived = true }

func onFootNow(g *game, r, _ elementID) { g.Elements[r].Shot = true }

func outcomeCases() []outcomeCase {
	var all []outcomeCase
	add := func(c ...outcomeCase) { all = append(all, c...) }
	add(
		outcomeCase{clause: "HFG-15.2", when: "cuirassiers pass bayonets", year: 1809, own: cuirassiers, foe: bayonets, is: equal, want: "pass 400-800"},
		outcomeCase{clause: "HFG-15.2", when: "guns", year: 1709, own: cuirassiers, foe: smoothbore, is: equal, want: "pass 400-800"},
		outcomeCase{clause: "HFG-15.2", when: "horse", year: 1809, own: cuirassiers, foe: cuirassiers, is: equal, want: "repulsed 600-1200"},
		outcomeCase{clause: "HFG-15.2", when: "light horse stay", year: 1809, own: lightHorse, foe: cuirassiers, is: equal, want: "unharmed"},
		outcomeCase{clause: "HFG-15.2", when: "muskets can't be passed", year: 1809, own: cuirassiers, foe: muskets, is: equal, want: "repulsed 600-1200"},
		outcomeCase{clause: "HFG-15.2", when: "shot at", year: 1809, own: cuirassiers, foe: bayonets, distant: 300, is: equal, want: "unharmed"},
		outcomeCase{clause: "HFG-R95", when: "before 1790", year: 1780, own: cuirassiers, foe: bayonets, is: equal, want: "repulsed 600-1200"},
		outcomeCase{clause: "HFG-15.3", when: "shot at", year: 1809, own: lightCavalry, foe: bayonets, distant: 300, is: more, want: "charge"},
		outcomeCase{clause: "HFG-15.3", when: "in contact", year: 1809, own: lightCavalry, foe: bayonets, is: more, want: "pursue 300-1200"},
		outcomeCase{clause: "HFG-15.4", when: "after close combat", year: 1809, own: muskets, foe: smoothbore, is: more, want: "press 200"},
		outcomeCase{clause: "HFG-15.4", when: "after shooting at foot", year: 1809, own: bayonets, foe: muskets, distant: 150, is: more, byShot: true, want: "press 200"},
		outcomeCase{clause: "HFG-15.4", when: "after shooting at guns", year: 1809, own: muskets, foe: smoothbore, distant: 150, is: more, byShot: true, want: "unharmed"},
		outcomeCase{clause: "HFG-R64", when: "by option", year: 1809, own: muskets, foe: smoothbore, distant: 150, is: more, byShot: true, want: "press 200",
			with: func(g *game, _, _ elementID) { g.pressGuns = 1 }},
		outcomeCase{clause: "HFG-15.5", when: "a ship", year: 1870, own: ironclad, foe: ironclad, distant: 150, is: more, byShot: true, want: "unharmed"},
		outcomeCase{clause: "HFG-15.5", when: "a ship that is shot at", year: 1870, own: ironclad, foe: ironclad, distant: 150, is: more, want: "board"},
		outcomeCase{clause: "HFG-15.6", when: "in its own turn", year: 1809, own: bayonets, foe: bayonets, distant: 300, is: equal, want: "press-or-halt 200"},
		outcomeCase{clause: "HFG-15.6", when: "in the enemy's", year: 1809, own: bayonets, foe: bayonets, distant: 300, is: equal, want: "halt",
			with: func(g *game, _, _ elementID) { g.Turn = 4 }},
		outcomeCase{clause: "HFG-15.6", when: "by guns", year: 1809, own: bayonets, foe: smoothbore, distant: 300, is: equal, want: "halt"},
		outcomeCase{clause: "HFG-15.8", when: "an inferior submarine", year: 1870, own: submarine, grades: []grade{inferior}, foe: ironclad, is: equal, want: "destroyed"},
		outcomeCase{clause: "HFG-15.8", when: "its opponent", year: 1870, own: ironclad, foe: submarine, foeIs: []grade{inferior}, is: equal, want: "destroyed"},
		outcomeCase{clause: "HFG-15.8", when: "later", year: 1880, own: ironclad, foe: submarine, foeIs: []grade{inferior}, is: equal, want: "unharmed"},
		outcomeCase{clause: "HFG-15.9", when: "by guns", year: 1809, own: cuirassiers, foe: smoothbore, distant: 300, is: less, short: 1, want: "recoil"},
		outcomeCase{clause: "HFG-15.9", when: "by foot", year: 1809, own: cuirassiers, foe: bayonets, distant: 150, is: less, short: 1, want: "repulsed 600-1200"},
		outcomeCase{clause: "HFG-15.9", when: "light horse by guns", year: 1809, own: lightHorse, foe: smoothbore, distant: 300, is: less, short: 1, want: "repulsed 1600-2400"},
		outcomeCase{clause: "HFG-R66", when: "light horse by foot", year: 1809, own: lightHorse, foe: bayonets, distant: 150, is: less, short: 1, want: "repulsed 600-1200"},
		outcomeCase{clause: "HFG-15.9", when: "from behind", year: 1809, own: cuirassiers, foe: smoothbore, distant: 600, is: less, short: 1, want: "routed 1200",
			with: func(g *game, r, _ elementID) { g.Elements[r].Facing = 180 }},
		outcomeCase{clause: "HFG-15.10", when: "muskets", year: 1809, own: muskets, foe: smoothbore, distant: 500, is: less, short: 1, want: "recoil"},
		outcomeCase{clause: "HFG-15.10", when: "rifles from near", year: 1870, own: rifles, foe: rifles, distant: 300, is: less, short: 1, want: "recoil"},
		outcomeCase{clause: "HFG-15.10", when: "rifles from far", year: 1870, own: rifles, foe: rifles, distant: 500, is: less, short: 1, want: "halt"},
		outcomeCase{clause: "HFG-15.10", when: "stoic foot", year: 1809, own: stoicFoot, foe: bayonets, distant: 150, is: less, short: 1, want: "halt"},
		outcomeCase{clause: "HFG-15.10", when: "dismounted dragoons", year: 1870, own: dragoons, foe: rifles, distant: 300, is: less, short: 1, want: "repulsed 600-1200", with: onFootNow},
		outcomeCase{clause: "HFG-15.10", when: "entrenched", year: 1809, own: muskets, foe: bayonets, distant: 150, is: less, short: 1, want: "silenced", with: behindIt(entrenchment)},
		outcomeCase{clause: "HFG-15.11", when: "one less", year: 1809, own: smoothbore, foe: smoothbore, distant: 500, is: less, short: 1, want: "unharmed"},
		outcomeCase{clause: "HFG-15.11", when: "two less", year: 1809, own: smoothbore, foe: smoothbore, distant: 500, is: less, short: 2, want: "silenced-or-repulsed 400"},
		outcomeCase{clause: "HFG-15.11", when: "horse artillery", year: 1809, own: smoothbore, grades: []grade{horse}, foe: smoothbore, distant: 500, is: less, short: 2, want: "silenced-or-repulsed 1200-1600"},
		outcomeCase{clause: "HFG-15.11", when: "in slow going", year: 1809, own: smoothbore, foe: smoothbore, distant: 500, is: less, short: 2, want: "silenced-or-repulsed 200", areas: fields()},
		outcomeCase{clause: "HFG-R104", when: "in a redoubt", year: 1809, own: smoothbore, foe: smoothbore, distant: 500, is: less, short: 2, want: "silenced", with: behindIt(redoubt)},
		outcomeCase{clause: "HFG-15.12", when: "two less to guns", year: 1850, own: steamer, foe: smoothbore, distant: 500, is: less, short: 2, want: "damaged"},
		outcomeCase{clause: "HFG-15.12", when: "one less", year: 1850, own: steamer, foe: smoothbore, distant: 500, is: less, short: 1, want: "unharmed"},
	)
	add(closeCases()...)
	return append(all, halfCases()...)
}

// closeCases are results of close combat with a total that is less, but more than half.
func closeCases() []outcomeCase {
	beaten := func(clause, when string, own, foe troop, want string) outcomeCase {
		return outcomeCase{clause: clause, when: when, year: 1809, own: own, foe: foe, is: less, short: 1, want: want}
	}
	with := func(c outcomeCase, f func(g *game, r, b elementID)) outcomeCase { c.with = f; return c }
	in := func(c outcomeCase, areas []areaDef) outcomeCase { c.areas = areas; return c }
	at := func(c outcomeCase, year int) outcomeCase { c.year = year; return c }
	by := func(c outcomeCase, short int) outcomeCase { c.short = short; return c }
	state := func(s spirit, since int) func(g *game, r, b elementID) {
		return func(g *game, r, _ elementID) { g.Elements[r].Spirit, g.Elements[r].Since = s, since }
	}
	return []outcomeCase{
		beaten("HFG-15.14", "by horse", cuirassiers, heavyCavalry, "repulsed 600-1200"),
		by(beaten("HFG-15.14", "two less", cuirassiers, heavyCavalry, "routed 1200"), 2),
		beaten("HFG-15.14", "cuirassiers against light horse", cuirassiers, lightHorse, "destroyed"),
		beaten("HFG-15.14", "light cavalry against light horse", lightCavalry, lightHorse, "repulsed 600-1200"),
		with(beaten("HFG-15.14", "repulsed this turn", lightCavalry, heavyCavalry, "routed 1200"), state(repulsed, 3)),
		with(beaten("HFG-15.14", "repulsed before", lightCavalry, heavyCavalry, "repulsed 600-1200"), state(repulsed, 2)),
		with(beaten("HFG-15.14", "routed before", lightCavalry, heavyCavalry, "destroyed"), state(routed, 2)),
		with(beaten("HFG-15.14", "fighting routed troops", lightCavalry, muskets, "spent"), func(g *game, _, b elementID) { g.Elements[b].Spirit = routed }),
		beaten("HFG-15.15", "ridden over in the open", muskets, lightCavalry, "destroyed"),
		in(beaten("HFG-15.15", "by horse in a wood", muskets, lightCavalry, "recoil"), wooded()),
		with(beaten("HFG-15.15", "in a redoubt", muskets, muskets, "destroyed"), behindIt(redoubt)),
		with(beaten("HFG-15.15", "entrenched", muskets, muskets, "routed 800"), behindIt(entrenchment)),
		with(beaten("HFG-15.15", "behind a barricade", muskets, muskets, "recoil"), behindIt(barricade)),
		in(beaten("HFG-15.15", "inside a BUA", muskets, muskets, "repulsed 800"), builtUp()),
		with(in(beaten("HFG-15.15", "holding its edge", muskets, muskets, "recoil"), builtUp()), holding),
		with(in(beaten("HFG-15.15", "attacking an edge", muskets, muskets, "repulsed 400"), []areaDef{octagon("town", bua, 4000, 3300, 600, 600)}),
			func(g *game, r, b elementID) { holding(g, b, r); arrived(g, r, b) }),
		beaten("HFG-15.15", "stoic foot", stoicFoot, bayonets, "recoil"),
		with(beaten("HFG-15.15", "by bayonets that came on", muskets, bayonets, "routed 800"), arrived),
		with((beaten("HFG-R96", "the winner stood", muskets, bayonets, "repulsed 400")), func(g *game, r, _ elementID) { g.Elements[r].Arrived = true }),
		(beaten("HFG-R69", "spearmen, whenever they came", bayonets, spearmen, "destroyed")),
		with((beaten("HFG-R69", "by option only if they came", bayonets, spearmen, "repulsed 400")), func(g *game, _, _ elementID) { g.spearsArriving = 1 }),
		beaten("HFG-15.15", "others", muskets, muskets, "repulsed 400"),
		at(with(beaten("HFG-15.16", "by guns", dragoons, smoothbore, "repulsed 400"), onFootNow), 1809),
		at(with(beaten("HFG-15.16", "by marksmen", dragoons, marksmen, "repulsed 400"), onFootNow), 1809),
		at(with(beaten("HFG-15.16", "by spearmen", dragoons, spearmen, "repulsed 800"), onFootNow), 1809),
		at(with(beaten("HFG-15.16", "by others", dragoons, bayonets, "routed 1200"), onFootNow), 1809),
		with(beaten("HFG-15.16", "ridden over", dragoons, lightCavalry, "destroyed"), onFootNow),
		with(in(beaten("HFG-15.16", "inside a BUA", dragoons, bayonets, "repulsed 1200"), builtUp()), onFootNow),
		with(in(beaten("HFG-15.16", "in a wood", dragoons, bayonets, "recoil"), wooded()), onFootNow),
		{clause: "HFG-15.17", when: "horse artillery by foot", year: 1809, own: smoothbore, grades: []grade{horse}, foe: muskets, is: less, short: 1, want: "routed 1200"},
		{clause: "HFG-15.17", when: "horse artillery by horse", year: 1809, own: smoothbore, grades: []grade{horse}, foe: lightCavalry, is: less, short: 1, want: "destroyed"},
		beaten("HFG-15.17", "others", smoothbore, muskets, "destroyed"),
		at(beaten("HFG-15.18", "a flotilla", flotilla, sail, "repulsed 1200"), 1860),
		at(beaten("HFG-15.18", "by a flotilla", sail, flotilla, "destroyed"), 1860),
		at(beaten("HFG-15.18", "by others", sail, steamer, "damaged"), 1860),
		(at(beaten("HFG-R70", "horse and flotillas go their distances", flotilla, steamer, "repulsed 1200"), 1860)),
	}
}

// halfCases are results of totals of half the other or less.
func halfCases() []outcomeCase {
	halved := func(clause, when string, year int, own, foe troop, distant int64, want string) outcomeCase {
		return outcomeCase{clause: clause, when: when, year: year, own: own, foe: foe, distant: distant, is: half, short: 4, want: want}
	}
	in := func(c outcomeCase, areas []areaDef) outcomeCase { c.areas = areas; return c }
	with := func(c outcomeCase, f func(g *game, r, b elementID)) outcomeCase { c.with = f; return c }
	heavyGuns := func(c outcomeCase) outcomeCase { c.foeIs = []grade{heavy}; return c }
	return []outcomeCase{
		halved("HFG-15.19", "by fire", 1809, commandParty, bayonets, 150, "disabled"),
		halved("HFG-15.19", "a potentate by fire", 1809, potentate, bayonets, 150, "destroyed"),
		halved("HFG-15.19", "in contact", 1809, commandParty, bayonets, 0, "destroyed"),
		halved("HFG-15.20", "by foot", 1809, heavyCavalry, bayonets, 0, "spent"),
		halved("HFG-15.20", "light horse by cuirassiers", 1809, lightHorse, cuirassiers, 0, "repulsed 600-1200"),
		halved("HFG-15.20", "others by horse", 1809, heavyCavalry, cuirassiers, 0, "destroyed"),
		halved("HFG-15.20", "by fire", 1809, heavyCavalry, smoothbore, 300, "destroyed"),
		halved("HFG-15.21", "by fire", 1809, marksmen, smoothbore, 300, "repulsed 800"),
		halved("HFG-15.21", "by bayonets", 1809, marksmen, bayonets, 0, "destroyed"),
		halved("HFG-15.21", "by muskets", 1809, marksmen, muskets, 0, "routed 1200"),
		halved("HFG-15.21", "by horse in the open", 1809, marksmen, lightCavalry, 0, "destroyed"),
		in(halved("HFG-15.21", "by horse in a wood", 1809, marksmen, lightCavalry, 0, "routed 1200"), wooded()),
		halved("HFG-15.22", "ironclad by field guns", 1866, ironclad, smoothbore, 300, "damaged"),
		heavyGuns(halved("HFG-15.22", "ironclad by heavy rifled guns", 1870, ironclad, rifled, 300, "destroyed")),
		halved("HFG-15.22", "sail by guns", 1809, sail, smoothbore, 300, "destroyed"),
		halved("HFG-15.22", "sail by foot", 1809, sail, bayonets, 150, "repulsed 400"),
		halved("HFG-R72", "ironclad by sail", 1866, ironclad, sail, 300, "damaged"),
		heavyGuns(halved("HFG-R71", "heavy mixed guns", 1866, ironclad, mixed, 300, "destroyed")),
		halved("HFG-R71", "mixed guns that aren't heavy", 1866, ironclad, mixed, 300, "damaged"),
		in(halved("HFG-15.23", "in a wood", 1809, muskets, muskets, 0, "routed 800"), wooded()),
		in(halved("HFG-15.23", "inside a BUA, in contact", 1809, muskets, muskets, 0, "destroyed"), builtUp()),
		with(in(halved("HFG-15.23", "holding a BUA, by fire", 1809, muskets, smoothbore, 300, "routed 400"), builtUp()), holding),
		halved("HFG-15.24", "muskets by fire", 1809, muskets, smoothbore, 300, "destroyed"),
		halved("HFG-15.24", "pontoneers by fire", 1809, pontoneers, smoothbore, 300, "repulsed 400"),
		halved("HFG-15.24", "pontoneers in contact", 1809, pontoneers, muskets, 0, "destroyed"),
		{clause: "HFG-15.26", when: "a laager that is less", year: 1809, own: laager, foe: muskets, is: less, short: 1, want: "unharmed"},
		{clause: "HFG-15.26", when: "guns with more", year: 1809, own: smoothbore, foe: muskets, is: more, want: "unharmed"},
		{clause: "HFG-R98", when: "cavalry equal against aeronauts", year: 1809, own: cuirassiers, foe: aeronauts, is: equal, want: "unharmed"},
		{clause: "HFG-R98", when: "cavalry half against aeronauts", year: 1809, own: cuirassiers, foe: aeronauts, is: half, short: 3, want: "unharmed"},
		{clause: "HFG-R98", when: "cavalry with more", year: 1809, own: cuirassiers, foe: aeronauts, is: more, want: "pursue 300-1200"},
		{clause: "HFG-R98", when: "aeronauts with half", year: 1809, own: aeronauts, foe: cuirassiers, is: half, short: 3, want: "destroyed"},
		{clause: "HFG-12.13", when: "who shoots without reply has half", year: 1809, own: bayonets, foe: bayonets, distant: 300, byShot: true, is: half, short: 3, want: "unharmed"},
	}
}
