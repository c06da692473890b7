package mistakes

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/docs/rules"
	"berthier/engine"
	"berthier/engine/geometry"
	"berthier/orders"
)

// clausesOf reads the digest.
func clausesOf(t *testing.T) []engine.Clause {
	t.Helper()
	return engine.ReadClauses(rules.EnemyMistakes, "EM-")
}

// Every clause that the code cites is in the digest, and none stands there twice.
func TestCodeCitesClausesThatExist(t *testing.T) {
	have := map[string]bool{}
	for _, c := range clausesOf(t) {
		if have[c.ID] {
			t.Errorf("%s stands twice in the digest", c.ID)
		}
		have[c.ID] = true
	}
	cited := regexp.MustCompile(`EM-(?:R\d+|\d+\.\d+)`)
	for _, pattern := range []string{"*.go", "scenarios/*.yaml", "words/*.yaml"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range cited.FindAllString(string(text), -1) {
				if !have[id] {
					t.Errorf("%s cites %s, which is in no rule", name, id)
				}
			}
		}
	}
}

// Every phrase that the code says has a sentence in each language, and no sentence is
// without a use.
func TestEveryPhraseHasASentence(t *testing.T) {
	said := map[string]bool{}
	code := regexp.MustCompile(`"(em\.[a-z0-9.-]+)"`)
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			said[m[1]] = true
		}
	}
	for _, language := range []string{"en", "it"} {
		have := map[string]bool{}
		all, err := filepath.Glob("words/*." + language + ".yaml")
		if err != nil || len(all) == 0 {
			t.Fatalf("no words: %v", err)
		}
		for _, name := range all {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root, faults := orders.ParseNode(text)
			if len(faults) > 0 {
				t.Fatalf("%s: %v", name, faults)
			}
			for _, p := range root.Pairs {
				have[p.Key.Text] = true
				if !said[p.Key.Text] && !strings.HasPrefix(p.Key.Text, "em.name.") && !strings.HasPrefix(p.Key.Text, "reference.if.") {
					t.Errorf("%s: nothing says %s", name, p.Key.Text)
				}
			}
		}
		for c := range said {
			if !have[c] {
				t.Errorf("%s has no sentence in %s", c, language)
			}
		}
	}
}

// clause runs a case of a clause.
func clause(t *testing.T, id, name string, run func(t *testing.T)) {
	t.Helper()
	t.Run(id+" "+name, run)
}

// A piece is where a case puts a unit.
type piece struct {
	unit    string
	x, y    int64 // um
	heading int
}

// field is a game in which only these units stand, each formation named by its first unit:
// units in contact with one heading and of one corps are one formation.
func field(t testing.TB, pieces ...piece) *game {
	t.Helper()
	g := begin(t, nil)
	for u := range g.Units {
		g.Units[u] = unit{}
	}
	for l := range g.Leaders {
		g.Leaders[l] = leader{}
	}
	g.Formations = nil
	for _, p := range pieces {
		u := named(t, g, p.unit)
		g.Units[u].At, g.Units[u].Heading = place{X: p.x, Y: p.y}, p.heading
	}
	for _, p := range pieces {
		u := named(t, g, p.unit)
		if g.def(u).garrison() || g.of(u) != nil {
			continue
		}
		var same []unitID
		for _, q := range pieces {
			v := named(t, g, q.unit)
			if g.def(v).corps == g.def(u).corps && q.heading == p.heading && g.of(v) == nil {
				same = append(same, v)
			}
		}
		slices.Sort(same)
		for _, part := range g.parts(same) {
			if slices.Contains(part, u) {
				g.Formations = append(g.Formations, formation{ID: g.def(u).id, Corps: g.def(u).corps, Units: part})
			}
		}
	}
	g.arrange()
	return g
}

func named(t testing.TB, g *game, id string) unitID {
	t.Helper()
	u, ok := g.unitNamed(id)
	if !ok {
		t.Fatalf("there is no unit %s", id)
	}
	return u
}

func leaderNamed(t testing.TB, g *game, id string) leaderID {
	t.Helper()
	i := slices.IndexFunc(g.leaders, func(d leaderDef) bool { return d.id == id })
	if i < 0 {
		t.Fatalf("there is no leader %s", id)
	}
	return leaderID(i + 1)
}

func areaNamed(t *testing.T, g *game, id string) areaID {
	t.Helper()
	i := slices.IndexFunc(g.areas, func(d areaDef) bool { return d.id == id })
	if i < 0 {
		t.Fatalf("there is no area %s", id)
	}
	return areaID(i + 1)
}

// is fails a case in which two things differ.
func is[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// same fails a case in which two lists differ.
func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// flaws are the codes of what can't be in a game.
func (g *game) flaws() []string {
	b := &breaches{game: g}
	b.impossible()
	var all []string
	for _, one := range b.All {
		all = append(all, one.Why.Code)
	}
	return all
}

// Cases of the set-up: chapter 1.
func TestSetUpCases(t *testing.T) {
	clause(t, "EM-1.1", "the set-up of the file: 8 guns limbered, each piece in a formation", func(t *testing.T) {
		g := begin(t, nil)
		var limbered []string
		for _, u := range g.standing() {
			if g.Units[u].Limber == behind {
				limbered = append(limbered, g.def(u).id)
			}
		}
		same(t, "limbered", limbered, []string{"blue-12", "blue-22", "blue-39", "blue-42", "blue-47", "blue-52", "red-19", "red-40"})
		same(t, "what can't be", g.flaws(), nil)
	})
	clause(t, "EM-1.2", "Ney plays by option, attached to 38", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "Ney without the option on the field", g.inField(leaderNamed(t, g, "ney")), false)
		g = begin(t, map[string]string{"ney": "on"})
		is(t, "Ney's unit", g.Leaders[leaderNamed(t, g, "ney")].Attached, named(t, g, "blue-38"))
		is(t, "Lobau's unit", g.Leaders[leaderNamed(t, g, "lobau")].Attached, 0)
	})
	clause(t, "EM-1.3", "the first turn, without colours", func(t *testing.T) {
		g := begin(t, nil)
		is(t, "the turn", g.Turn, 1)
		for _, f := range g.Formations {
			if f.Green || f.Orange > 0 {
				t.Errorf("%s has a colour", f.ID)
			}
		}
		for u, x := range g.Units {
			if x.Yellow > 0 {
				t.Errorf("unit %d is yellow", u)
			}
		}
	})
}

var _ geometry.Point
