package napoleon

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/rulestest"
	"berthier/engine/sheet"
	"berthier/orders/phrase"
)

// historicalGame puts every unit of a scenario where history had it.
func historicalGame(t testing.TB, name string) *game {
	t.Helper()
	s, ok := library.Named(name)
	if !ok {
		t.Fatalf("no scenario %s", name)
	}
	g := &game{scenario: s, phase: movement, roadUse: make([]int8, len(s.roads))}
	for i := range s.roster {
		d := &s.roster[i]
		g.units = append(g.units, unit{id: unitID(i), army: d.army, kind: d.kind, fire: d.fire, strength: d.strength,
			town: d.at, came: noTown, shelter: noUnit})
	}
	return g
}

// A fieldMarshal moves units about for a test.
type fieldMarshal struct {
	testing.TB
	*game
}

func (m fieldMarshal) town(id string) townID {
	m.Helper()
	for i := range m.towns {
		if m.towns[i].id == id {
			return townID(i)
		}
	}
	m.Fatalf("no town %s", id)
	return noTown
}

func (m fieldMarshal) one(id string) *unit {
	m.Helper()
	for i := range m.roster {
		if m.roster[i].id == id {
			return &m.units[i]
		}
	}
	m.Fatalf("no unit %s", id)
	return nil
}

// put sends units to a town.
func (m fieldMarshal) put(town, ids string) {
	m.Helper()
	for _, id := range strings.Fields(ids) {
		m.one(id).town = m.town(town)
	}
}

// deploy sets units on a field of the board, seen unless in the reserve or a wood.
func (m fieldMarshal) deploy(f field, seen bool, ids string) {
	m.Helper()
	for _, id := range strings.Fields(ids) {
		u := m.one(id)
		u.field = f
		if seen {
			m.reveal(u)
		}
	}
}

// sixteenthOfJune is a position with two battles, a skirmish, retreats,
// sightings and losses.
func sixteenthOfJune(t testing.TB) *game {
	g := historicalGame(t, "")
	m := fieldMarshal{t, g}
	g.phase, g.turn = battlePhase, 4
	m.put("quatre-bras", "F-10 F-11 F-12 F-13 F-22 A-02 A-03 A-05 A-11 A-12")
	m.put("ligny", "F-01 F-02 F-03 F-04 F-05 F-06 F-14 F-15 F-16 F-17 F-18 F-23 P-01 P-02 P-03 P-04 P-05 P-06 P-08 P-09 P-13 P-14")
	m.put("charleroi", "F-07 F-08 F-09 F-19 F-20")
	m.put("gembloux", "F-21 P-10 P-11")
	m.put("fosse", "F-24")
	m.put("waterloo", "A-01 A-13 A-14 A-15 A-16")
	m.put("nivelles", "A-04 A-06 P-12")
	for _, id := range []string{"P-12", "A-04", "P-15"} {
		m.one(id).disrupted = true
	}
	for _, id := range []string{"P-07", "A-08"} {
		u := m.one(id)
		u.dead, u.town, u.strength = true, noTown, 0
		g.losses[u.army]++
	}
	ligny := battle{town: m.town("ligny"), attacker: frenchCamp, stage: fighting, number: 3, acting: frenchCamp,
		entries: []townID{m.town("charleroi"), m.town("fosse")}, idle: 1}
	if road, ok := g.roadBetween(m.town("ligny"), m.town("charleroi")); ok {
		ligny.roadUse = []use{{road, 2}}
	}
	ligny.terrain[attackerCenter], ligny.terrain[defenderLeft], ligny.terrain[defenderRight] = hill, wood, farm
	ligny.streams[defenderCenter] = true
	quatreBras := battle{town: m.town("quatre-bras"), attacker: frenchCamp, stage: fighting, number: 2, acting: alliedCamp,
		entries: []townID{m.town("charleroi")}}
	quatreBras.terrain[attackerLeft] = wood
	g.battles = []battle{ligny, quatreBras,
		{town: m.town("gembloux"), attacker: frenchCamp, skirmish: true, entries: []townID{m.town("ligny")}}}

	m.deploy(attackerLeft, true, "F-14 F-15")
	m.deploy(defenderRight, true, "F-03 F-04 P-02 P-04")
	m.deploy(attackerCenter, true, "F-16 F-17 F-05 F-01")
	m.deploy(attackerRight, true, "F-18")
	m.deploy(reserve, false, "F-02 F-06 F-23 P-09 P-08 P-13")
	m.deploy(defenderCenter, true, "P-03 P-05 P-01")
	m.deploy(defenderLeft, false, "P-06 P-14")
	m.one("P-02").holds, m.one("F-05").holds = farm, hill
	m.one("P-03").square = true
	m.one("P-05").shelter = m.one("P-03").id
	m.one("F-14").strength, m.one("P-02").strength = 2, 1
	m.one("F-04").shock = true
	m.deploy(attackerLeft, false, "F-10")
	m.deploy(attackerCenter, true, "F-11 F-12")
	m.deploy(attackerRight, true, "F-13 F-22")
	m.deploy(defenderLeft, true, "A-02")
	m.deploy(defenderCenter, true, "A-03 A-05")
	m.deploy(defenderRight, true, "A-11 A-12")
	g.sight(m.one("A-13"))
	g.sight(m.one("F-21"))
	return g
}

// frenchDeployment is the moment at which the Allies are deployed and the French are
// not.
func frenchDeployment(t testing.TB) *game {
	g := historicalGame(t, "")
	g.phase = deployFrench
	for i := range g.units {
		if g.units[i].army == french {
			g.units[i].town = noTown
		}
	}
	return g
}

func nightMarch(t testing.TB) *game {
	g := historicalGame(t, "")
	g.turn = 2
	g.roadUse[0], g.roadUse[3] = 2, 5
	g.units[1].moved, g.units[1].forced = true, true
	return g
}

func theEnd(t testing.TB) *game {
	g := historicalGame(t, "")
	g.turn = len(g.turns)
	g.defeated[prussian], g.losses[prussian] = true, 18
	for i := range g.units {
		if u := &g.units[i]; u.army == prussian {
			u.dead, u.town, u.strength = true, noTown, 0
		}
	}
	g.outcome = &engine.Outcome{Winners: []engine.Side{"allied"}, Reason: phrase.Say("nap.page.defeated")}
	return g
}

var allSides = []engine.Side{"french", "allied", engine.GM}

var pagePositions = []struct {
	name string
	make func(testing.TB) *game
}{
	{"start", func(t testing.TB) *game { return historicalGame(t, "") }},
	{"drill", func(t testing.TB) *game { return historicalGame(t, "drill") }},
	{"french-deployment", frenchDeployment},
	{"sixteenth-of-june", sixteenthOfJune},
	{"night", nightMarch},
	{"end", theEnd},
}

func TestPages(t *testing.T) {
	for _, position := range pagePositions {
		for _, side := range allSides {
			name := position.name + "-" + string(side)
			t.Run(name, func(t *testing.T) {
				page := position.make(t).view(side).Page()
				rulestest.GoldenPage(t, name, page, rulestest.PageText(page))
			})
		}
	}
}

// allPages gives the page of every position for each side.
func allPages(t *testing.T) (pages []engine.Page) {
	for _, position := range pagePositions {
		for _, side := range allSides {
			pages = append(pages, position.make(t).view(side).Page())
		}
	}
	return pages
}

// TestPageWords checks that all that a page says has a sentence, and that the
// sentence has its places filled.
func TestPageWords(t *testing.T) { rulestest.PageWords(t, New().Words(), allPages(t), 80) }

func TestSpell(t *testing.T) {
	v := historicalGame(t, "").view("french")
	for _, c := range []struct{ kind, id, language, want string }{
		{"unit", "F-03", "en", "F-03 Young Guard"},
		{"unit", "F-99", "en", "F-99"},
		{"town", "quatre-bras", "it", "Quatre Bras"},
		{"at", "quatre-bras", "en", "Quatre Bras"},
		{"at", "", "en", ""},
		{"corps", "F-6", "en", "VI Corps (Lobau)"},
		{"corps", "F-6", "it", "VI corpo (Lobau)"},
		{"corps", "F-6", "de", "VI Corps (Lobau)"},
		{"army", "prussian", "it", "prussiana"},
		{"camp", "allied", "en", "Allied"},
		{"side", "gm", "it", "arbitro"},
		{"stop", "battle-turn", "en", "battle turn"},
		{"stop", "battle-turn", "it", "turno di battaglia"},
		{"field", "enemy-left", "en", "enemy left"},
		{"field", "defender-left", "it", "sinistra del difensore"},
		{"kind", "horse-artillery", "it", "artiglieria ippotrainata"},
		{"terrain", "stream", "en", "stream"},
		{"date", "1815-06-16", "en", "16 June 1815"},
		{"date", "1815-06-06", "it", "6 giugno 1815"},
		{"date", "some day", "it", "some day"},
		{"part", "night", "it", "notte"},
		{"river", "meuse", "it", "Mosa"},
		{"line", "border", "en", "Franco-Dutch border"},
		{"scenario", "campaign-1815", "en", "The Waterloo Campaign, 15 to 22 June 1815"},
		{"nothing", "thing", "en", "thing"},
	} {
		if got := v.Spell(c.kind, c.id, c.language); got != c.want {
			t.Errorf("%s %s in %s is %q, want %q", c.kind, c.id, c.language, got, c.want)
		}
	}
	for name := range stops {
		for _, language := range []string{"en", "it"} {
			if v.Spell("stop", name, language) == name && strings.Contains(name, "-") {
				t.Errorf("stop %s has no name in %s", name, language)
			}
		}
	}
}

// TestStartIsClear checks that at the start no panel of blocks covers a name, a
// town, another panel or a legend, and that no names cover each other.
func TestStartIsClear(t *testing.T) {
	for _, side := range allSides {
		v := historicalGame(t, "").view(side)
		c := v.charted()
		type thing struct {
			what string
			sheet.Box
		}
		var fixed []thing
		for i := range v.towns {
			_, _, name := v.nameplace(&v.towns[i], c.at[i])
			fixed = append(fixed, thing{"the name of " + v.towns[i].id, name})
			fixed = append(fixed, thing{"the dot of " + v.towns[i].id, sheet.Box{X: c.at[i].X - townDot, Y: c.at[i].Y - townDot, W: 2 * townDot, H: 2 * townDot}})
			if !inside(name) {
				t.Errorf("the name of %s leaves the sheet", v.towns[i].id)
			}
		}
		fixed = append(fixed, thing{"the calendar", c.card})
		for i := range fixed {
			for j := range i {
				if fixed[i].Common(fixed[j].Box) > 0 {
					t.Errorf("%s lies over %s", fixed[i].what, fixed[j].what)
				}
			}
		}
		stacks := v.stacks()
		v.place(c, stacks)
		for i := range stacks {
			s := &stacks[i]
			name := "the panel of " + v.towns[s.town].id
			if !inside(s.panel) {
				t.Errorf("%s: %s leaves the sheet", side, name)
			}
			for _, f := range fixed {
				if s.panel.Common(f.Box) > 0 {
					t.Errorf("%s: %s lies over %s", side, name, f.what)
				}
			}
			for j := range i {
				if s.panel.Common(stacks[j].panel) > 0 {
					t.Errorf("%s: %s lies over that of %s", side, name, v.towns[stacks[j].town].id)
				}
			}
		}
	}
}

// shuffle changes all that the side may not know: which unit each hidden enemy
// block of an army is, with its strength and its plans for the turn.
func shuffle(g *game, side engine.Side, chance *rand.Rand) {
	own := g.view(side).own
	for a := range armyWords {
		if own[a] {
			continue
		}
		var hidden []int
		for i := range g.units {
			if u := &g.units[i]; u.army == army(a) && !u.shown && !u.dead {
				hidden = append(hidden, i)
			}
		}
		chance.Shuffle(len(hidden), func(i, j int) {
			x, y := &g.units[hidden[i]], &g.units[hidden[j]]
			*x, *y = *y, *x
			x.id, y.id = y.id, x.id
			x.kind, y.kind = y.kind, x.kind
			x.fire, y.fire = y.fire, x.fire
		})
		for _, i := range hidden {
			u := &g.units[i]
			u.strength = 1 + int8(chance.IntN(int(g.roster[u.id].strength)))
			u.moved, u.forced, u.spent = chance.IntN(2) == 0, chance.IntN(2) == 0, chance.IntN(2) == 0
			u.came = townID(chance.IntN(len(g.towns)))
		}
	}
	if side == "french" {
		g.seen[alliedCamp] = nil
	} else {
		g.seen[frenchCamp] = nil
	}
	chance.Shuffle(len(g.pool), func(i, j int) { g.pool[i], g.pool[j] = g.pool[j], g.pool[i] })
}

// TestNothingLeaks compares what a side gets of positions that differ only in
// what it may not know: pages, pictures and the written view must be the same.
func TestNothingLeaks(t *testing.T) {
	for _, position := range pagePositions {
		for _, side := range []engine.Side{"french", "allied"} {
			plain := position.make(t)
			page := plain.view(side).Page()
			written, err := plain.view(side).Marshal()
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(12) {
				other := position.make(t)
				shuffle(other, side, rand.New(rand.NewPCG(seed, 1815)))
				v := other.view(side)
				if got := v.Page(); !reflect.DeepEqual(got, page) {
					t.Fatalf("%s, %s, seed %d: the page tells what is hidden: %s", position.name, side, seed,
						rulestest.FirstDifference(rulestest.PageText(got), rulestest.PageText(page)))
				}
				got, err := v.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, written) {
					t.Fatalf("%s, %s, seed %d: the view tells what is hidden: %s", position.name, side, seed,
						rulestest.FirstDifference(string(got), string(written)))
				}
			}
		}
	}
}

// TestOddMaps draws boards that no one would print: they must still be drawn.
func TestOddMaps(t *testing.T) {
	chance := rand.New(rand.NewPCG(18, 15))
	maps := 30
	if !fullSamples {
		maps = 5 // one of each spread
	}
	for n := range maps {
		s := &scenario{name: "odd", turns: []turnDef{{date: "1815-06-15", part: "morning"}}, roster: make([]unitDef, 0, 200)}
		spread := []int{1, 3, 40, 1000, 10000}[n%5]
		for i := range 1 + chance.IntN(60) {
			s.towns = append(s.towns, town{id: "t" + strconv.Itoa(i), name: strings.Repeat("M", 1+chance.IntN(80)), x: chance.IntN(spread), y: chance.IntN(spread),
				label: []string{"north", "south", "east", "west", ""}[chance.IntN(5)], city: chance.IntN(3) == 0, loss: chance.IntN(3) - 1})
		}
		for range 80 {
			s.roads = append(s.roads, road{a: townID(chance.IntN(len(s.towns))), b: townID(chance.IntN(len(s.towns))), main: chance.IntN(2) == 0, river: chance.IntN(2) == 0})
		}
		for i := range 3 {
			c := course{id: "r" + strconv.Itoa(i)}
			for range 1 + chance.IntN(20) {
				c.points = append(c.points, engine.Point{X: chance.IntN(10000), Y: chance.IntN(10000)})
			}
			s.rivers = append(s.rivers, c)
			s.lines = append(s.lines, c)
		}
		g := &game{scenario: s, phase: movement}
		for i := range 200 {
			s.roster = append(s.roster, unitDef{id: "X-" + strconv.Itoa(i), army: army(i % 3), corps: -1, strength: 4, fire: 1})
			g.units = append(g.units, unit{id: unitID(i), army: army(i % 3), kind: kind(1 + i%6), strength: 4, town: townID(chance.IntN(len(s.towns))),
				shelter: noUnit, came: noTown, shown: chance.IntN(2) == 0, disrupted: chance.IntN(4) == 0})
		}
		for _, side := range allSides {
			page := g.view(side).Page()
			for _, section := range page.Sections {
				if section.Picture == nil {
					continue
				}
				for _, marks := range [][]engine.Mark{section.Picture.Ground, section.Picture.Marks} {
					for _, m := range marks {
						if len(m.Points) == 0 || m.Shape == engine.Polygon && len(m.Points) < 3 {
							t.Fatalf("a %s of %d points", m.Shape, len(m.Points))
						}
					}
				}
			}
		}
	}
}

func BenchmarkPage(b *testing.B) {
	for _, side := range allSides {
		b.Run(string(side), func(b *testing.B) {
			v := sixteenthOfJune(b).view(side)
			b.ReportAllocs()
			for b.Loop() {
				v.Page()
			}
		})
	}
}

// TestTitlesHaveRoomOnTheCard looks at the card of the map of each scenario: its title is narrower, in each
// language.
func TestTitlesHaveRoomOnTheCard(t *testing.T) {
	for _, s := range library.Scenarios() {
		c := s.charted()
		for language := range s.title {
			title := briefTitle(s.title[language])
			if w := sheet.TextWidth(title, titleSize, true); w > c.card.W-10 || c.card.X < 0 || c.card.X+c.card.W > mapWidth {
				t.Errorf("%s in %s: the title %q is about %d wide, the card is %v", s.name, language, title, w, c.card)
			}
		}
	}
}
