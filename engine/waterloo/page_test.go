package waterloo

import (
	"math/rand/v2"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/rulestest"
	"berthier/orders/phrase"
)

// begun is a game at its first stop.
func begun(t testing.TB, options map[string]string) *game {
	t.Helper()
	p, err := New().New(engine.Setup{Options: options})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Advance(nil, playout.NewDice(1815)); err != nil {
		t.Fatal(err)
	}
	return p.(*game)
}

// An umpire moves units about for a test.
type umpire struct {
	testing.TB
	*game
}

func (m umpire) id(name string) unitID {
	m.Helper()
	id, ok := m.unitNamed(name)
	if !ok {
		m.Fatalf("no unit %s", name)
	}
	return id
}

func (m umpire) one(name string) *unit {
	m.Helper()
	return m.unit(m.id(name))
}

func (m umpire) square(id string) square {
	m.Helper()
	q, ok := m.squareNamed(id)
	if !ok {
		m.Fatalf("no square %s", id)
	}
	return q
}

// put sends a unit to a square.
func (m umpire) put(name, to string, f facing) *unit {
	m.Helper()
	u := m.one(name)
	u.At, u.Face = m.square(to), f
	return u
}

func (m umpire) kill(names string) {
	m.Helper()
	for _, name := range strings.Fields(names) {
		*m.one(name) = unit{Dead: true}
	}
}

// asking lets one seat alone owe a decision, in place of those that do.
func (m umpire) asking(side engine.Side, kind, at string) {
	m.asks = nil
	m.ask(side, kind, at)
}

// attackOnAlten is the rulebook's example of a battle (9.7), at the moment when
// both sides choose cards.
func attackOnAlten(t testing.TB) *game {
	g := begun(t, nil)
	m := umpire{t, g}
	m.put("F-4/I", "G-10", west)
	m.put("F-9/II", "H-9", north).Moved = true
	g.Commanders[wellington].At = m.square("F-9")
	r := g.roundNow()
	r.Played, r.Stage = 1, roundFought
	b := g.expected(m.id("A-3/I"), []unitID{m.id("F-4/I"), m.id("F-9/II")}, false, false)
	for _, f := range b.Attackers {
		g.unit(f.Unit).Attacked = true
	}
	g.use(g.Decks[french].Hand[0])
	g.push(b)
	m.asking("french", stopCommit, "A-3/I")
	g.ask("anglo", stopCommit, "A-3/I")
	return g
}

// evening is the last turn of a game of three players, with losses, disorder, Prussian
// units on the board and squares that have changed hands.
func evening(t testing.TB) *game {
	g := begun(t, map[string]string{"players": "3"})
	m := umpire{t, g}
	g.Turn = 7
	g.Decks[prussian] = deck{Hand: g.deckOf(prussian)[:5], Used: g.deckOf(prussian)[5:7]}
	m.put("P-15/IV", "M-15", west)
	m.put("P-16/IV", "L-15", west).Disordered = true
	m.put("P-13/IV", "M-14", west).Reduced = true
	m.put("P-3C/IV", "L-14", south)
	m.put("F-YG", "M-13", east).Reduced = true
	m.put("F-OG", "H-10", north)
	m.put("F-2/I", "G-10", north).Moved = true
	m.put("F-1/I", "H-11", north).Reorganised = true
	m.put("F-14C/IV", "G-12", west).Disordered = true
	m.one("A-5/R").Reduced = true
	m.kill("A-NAS A-4C F-3C F-5C P-1C/IV")
	for i := range g.objectives {
		if o := g.objectives[i].id; o == "la-haye-sainte" || o == "plancenoit-1" {
			g.Control[i+1] = frenchCamp
		}
	}
	g.CDP[1], g.CDP[2] = 2, 0
	g.Commanders[napoleon].At = m.square("H-10")
	g.Commanders[wellington].At = m.square("F-10")
	g.Flow = []frame{&turnFrame{Stage: turnRounds, First: frenchCamp, Next: alliedCamp, Rounds: 3},
		&roundFrame{Camp: alliedCamp, Army: prussian, Lock: prussian, Played: 2, Rights: 1, Stage: roundSteps}}
	m.asking("prussian", stopRound, "")
	return g
}

// bidding is the start of the second turn.
func bidding(t testing.TB) *game {
	g := begun(t, map[string]string{"players": "3"})
	m := umpire{t, g}
	g.Turn = 2
	g.Decks[prussian].Hand = g.deckOf(prussian)[:1]
	g.Flow = []frame{&turnFrame{Stage: turnBid, Asked: true}}
	m.asking("french", stopBid, "")
	g.ask("anglo", stopBid, "")
	g.ask("prussian", stopBid, "")
	return g
}

func theEnd(t testing.TB) *game {
	g := evening(t)
	p := &battlefield{game: g}
	g.asks = nil
	p.score()
	return g
}

var allSides = []engine.Side{"french", "anglo", "prussian", engine.GM}

var pagePositions = []struct {
	name string
	make func(testing.TB) *game
}{
	{"start", func(t testing.TB) *game { return begun(t, nil) }},
	{"quick", func(t testing.TB) *game {
		return begun(t, map[string]string{"scenario_length": "quick", "setup": "open"})
	}},
	{"battle", attackOnAlten},
	{"evening", evening},
	{"bidding", bidding},
	{"end", theEnd},
}

func TestPages(t *testing.T) {
	for _, position := range pagePositions {
		g := position.make(t)
		for _, side := range append(g.Sides(), engine.GM) {
			name := position.name + "-" + string(side)
			t.Run(name, func(t *testing.T) {
				v := position.make(t).view(side)
				page := v.Page()
				got := rulestest.PageText(page)
				for _, d := range v.asks {
					if d.Side == side {
						got += "\n" + New().Template(v, d).Encode()
					}
				}
				rulestest.GoldenPage(t, name, page, got)
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

// TestPageWords checks that all that a page says has a sentence with its places,
// in both languages, and that both have the same sentences.
func TestPageWords(t *testing.T) { rulestest.PageWords(t, New().Words(), allPages(t), 100) }

func TestSpell(t *testing.T) {
	v := begun(t, nil).view("french")
	for _, c := range []struct{ kind, id, language, want string }{
		{"unit", "F-9/II", "en", "F-9/II Foy"},
		{"unit", "F-99", "en", "F-99"},
		{"square", "H-10", "it", "H-10 La Haye Sainte"},
		{"square", "H-9", "en", "H-9"},
		{"at", "A-3/I", "en", "A-3/I Alten"},
		{"at", "entered", "it", "un nemico davanti ai cannoni"},
		{"at", "wellington", "en", "Wellington"},
		{"at", "", "en", ""},
		{"card", "F11", "en", "F11 (4 MP, 2 BP, artillery fire)"},
		{"card", "F01", "it", "F01 (6 MP, 1 BP)"},
		{"army", "anglo", "it", "anglo-alleato"},
		{"camp", "allies", "en", "Allied"},
		{"side", "gm", "it", "arbitro"},
		{"stop", "commit", "en", "cards for the battle"},
		{"facing", "W", "it", "O"},
		{"objective", "hougoumont", "en", "J-6 Hougoumont"},
		{"chateau", "frischermont", "en", "Frischermont"},
		{"scenario", "waterloo-1815", "it", "Waterloo, 18 giugno 1815"},
		{"nothing", "thing", "en", "thing"},
	} {
		if got := v.Spell(c.kind, c.id, c.language); got != c.want {
			t.Errorf("%s %s in %s is %q, want %q", c.kind, c.id, c.language, got, c.want)
		}
	}
	for name := range stops {
		for _, language := range []string{"en", "it"} {
			if _, ok := named("stop", name, language); !ok {
				t.Errorf("stop %s has no name in %s", name, language)
			}
		}
	}
}

// The map shows each unit in its square, with its front on the side that it faces, and
// nothing outside the sheet.
func TestMapStands(t *testing.T) {
	for _, position := range pagePositions {
		g := position.make(t)
		for _, side := range append(g.Sides(), engine.GM) {
			v := g.view(side)
			scene := v.mapScene(v.headline())
			labels := map[string][]engine.Point{}
			for _, marks := range [][]engine.Mark{scene.Ground, scene.Marks} {
				for _, m := range marks {
					for _, p := range m.Points {
						if p.X < 0 || p.Y < 0 || p.X > scene.Width || p.Y > scene.Height {
							t.Fatalf("%s, %s: a %s at %v leaves the sheet of %dx%d", position.name, side, m.Shape, p, scene.Width, scene.Height)
						}
					}
				}
			}
			for _, m := range scene.Marks {
				if m.Shape == engine.Label && m.Text.Kind == phrase.KindLiteral {
					labels[m.Text.Text] = append(labels[m.Text.Text], m.Points[0])
				}
			}
			named := map[string]string{} // units by army and name
			for id, u := range v.everyUnit() {
				r := v.cellOf(u.At)
				short, _ := tokenName(short(v.def(id).id))
				name := v.def(id).id[:1] + short
				if other := named[name]; other != "" && other != v.def(id).id {
					t.Errorf("%s and %s look the same", other, v.def(id).id)
				}
				named[name] = v.def(id).id
				found := false
				for _, p := range labels[short] {
					found = found || p.X > r.X && p.X < r.X+r.W && p.Y > r.Y && p.Y < r.Y+r.H
				}
				if !found {
					t.Errorf("%s, %s: %s is not shown in %s", position.name, side, v.def(id).id, v.squareID(u.At))
				}
			}
		}
	}
}

// The map can be drawn wherever units stand: they are put on random squares.
func TestOddMaps(t *testing.T) {
	chance := rand.New(rand.NewPCG(18, 15))
	for range 20 {
		g := begun(t, nil)
		free := chance.Perm(g.squares())
		for i := 1; i < len(g.Units); i++ {
			g.Units[i] = unit{At: square(free[i] + 1), Face: facing(1 + chance.IntN(4)), Reduced: chance.IntN(2) == 0 && g.def(unitID(i)).reduced > 0,
				Disordered: chance.IntN(3) == 0, Moved: chance.IntN(3) == 0, Reorganised: chance.IntN(4) == 0}
		}
		g.Turn = 1 + chance.IntN(7)
		for c := range g.commanders {
			g.Commanders[c+1].At = square(chance.IntN(g.squares() + 1))
		}
		for _, side := range allSides {
			for _, section := range g.view(side).Page().Sections {
				if section.Picture == nil {
					continue
				}
				for _, m := range section.Picture.Marks {
					if len(m.Points) == 0 || m.Shape == engine.Polygon && len(m.Points) < 3 {
						t.Fatalf("a %s of %d points", m.Shape, len(m.Points))
					}
				}
			}
		}
	}
}

func BenchmarkPage(b *testing.B) {
	v := evening(b).view("french")
	b.ReportAllocs()
	for b.Loop() {
		v.Page()
	}
}
