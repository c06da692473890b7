package glicko

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("bits-update", false, "write testdata/bits.txt anew")

func one(member string) Side { return Side{Members: []string{member}} }

// TestGlickman is the worked example of Glickman's paper: 1464.06, 151.52, 0.05999.
func TestGlickman(t *testing.T) {
	before := []Standing{
		{"a", Rating{1500_00, 200_00, 60_000_000}}, {"b", Rating{1400_00, 30_00, 60_000_000}},
		{"c", Rating{1550_00, 100_00, 60_000_000}}, {"d", Rating{1700_00, 300_00, 60_000_000}},
	}
	games := []Game{
		{ID: "1", Sides: [2]Side{one("a"), one("b")}, Score: 12, Weight: 12},
		{ID: "2", Sides: [2]Side{one("a"), one("c")}, Score: 0, Weight: 12},
		{ID: "3", Sides: [2]Side{one("d"), one("a")}, Score: 12, Weight: 12},
	}
	got := Default.period(before, games)[0].Rating
	// The paper rounds between its steps: 1464.06; without that it is 1464.05.
	if off(got.R, 1464_06) > 1 || got.RD != 151_52 || got.Sigma/10_000 != 5999 {
		t.Errorf("got %+v", got)
	}
}

// club draws a club of a few members and periods.
func club(t *rapid.T) (members []Member, games []Game, last int) {
	last = rapid.IntRange(0, 5).Draw(t, "last")
	for i := range rapid.IntRange(2, 8).Draw(t, "members") {
		members = append(members, Member{ID: fmt.Sprintf("M-%04d", i), Period: rapid.IntRange(0, last).Draw(t, "joins")})
	}
	for i := range rapid.IntRange(0, 30).Draw(t, "games") {
		sides := rapid.Permutation(members).Draw(t, "who")
		a, b := sides[0], sides[1]
		g := Game{ID: fmt.Sprintf("g%03d", i), Sides: [2]Side{one(a.ID), one(b.ID)}}
		first := max(a.Period, b.Period)
		if len(sides) > 2 && rapid.IntRange(0, 5).Draw(t, "substitute") == 0 {
			g.Sides[1].Members = append(g.Sides[1].Members, sides[2].ID)
			first = max(first, sides[2].Period)
		}
		g.Period = rapid.IntRange(first, last).Draw(t, "period")
		g.Score = rapid.SampledFrom([]int64{0, 6, 12}).Draw(t, "score")
		g.Weight = rapid.SampledFrom([]int64{6, 12}).Draw(t, "weight")
		g.Sides[0].Offset = rapid.Int64Range(-MostOffset, MostOffset).Draw(t, "offset")
		games = append(games, g)
	}
	return members, games, last
}

func compute(t interface{ Fatal(...any) }, kept History, from, last int, members []Member, games []Game) History {
	h, err := Default.Compute(kept, from, last, members, games)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestRecomputed: from the first period that has changed on gives what all from nothing
// gives, and the order in which members and games come is of no matter.
func TestRecomputed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members, games, last := club(t)
		first := compute(t, nil, 0, last, members, games)
		if got := compute(t, nil, 0, last, rapid.Permutation(members).Draw(t, "members again"), rapid.Permutation(games).Draw(t, "games again")); !reflect.DeepEqual(got, first) {
			t.Fatal("another order of members and games gives other ratings")
		}
		from := 0
		if len(games) > 0 {
			changed := rapid.IntRange(0, len(games)-1).Draw(t, "reopened")
			from = games[changed].Period
			games = slices.Clone(games)
			games[changed].Score = 12 - games[changed].Score
		}
		again := compute(t, first, from, last, members, games)
		if whole := compute(t, nil, 0, last, members, games); !reflect.DeepEqual(again, whole) {
			t.Fatalf("from period %d on: %v\nfrom nothing: %v", from, again, whole)
		}
		// Computed as time goes, a period at a time.
		var grown History
		for period := range last + 1 {
			grown = compute(t, grown, len(grown), period, members, games)
		}
		if !reflect.DeepEqual(grown, again) {
			t.Fatal("period by period gives other ratings")
		}
	})
}

// TestExchanged: if all results and offsets are turned round, ratings move as far the other way.
func TestExchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rating := func(name string) Rating {
			return Rating{rapid.Int64Range(1000_00, 2000_00).Draw(t, name), rapid.Int64Range(30_00, 350_00).Draw(t, name), 60_000_000}
		}
		a, b := rating("a"), rating("b")
		before := []Standing{{"a", a}, {"b", b}}
		g := Game{ID: "g", Sides: [2]Side{one("a"), one("b")}, Score: rapid.Int64Range(0, 12).Draw(t, "score"), Weight: 12}
		turned := Game{ID: "g", Sides: [2]Side{one("b"), one("a")}, Score: 12 - g.Score, Weight: 12}
		x, y := Default.period(before, []Game{g}), Default.period(before, []Game{turned})
		if !reflect.DeepEqual(x, y) {
			t.Fatalf("as %v: %v, turned: %v", g, x, y)
		}
		mirror := []Standing{{"a", b}, {"b", a}}
		z := Default.period(mirror, []Game{{ID: "g", Sides: turned.Sides, Score: g.Score, Weight: 12}})
		if x[0].Rating != z[1].Rating || x[1].Rating != z[0].Rating {
			t.Fatalf("%v, with names exchanged %v", x, z)
		}
	})
}

// TestIdle: without games a rating stays and grows less sure, up to where it began.
func TestIdle(t *testing.T) {
	games := []Game{{ID: "1", Sides: [2]Side{one("a"), one("b")}, Score: 12, Weight: 12}}
	h := compute(t, nil, 0, 4000, []Member{{"a", 0}, {"b", 0}, {"c", 2}}, games)
	for period := 1; period < len(h); period++ {
		was, is := h[period-1][0], h[period][0]
		if is.R != was.R || is.Sigma != was.Sigma || is.RD < was.RD || is.RD > Default.Start.RD {
			t.Fatalf("period %d: %+v became %+v", period, was, is)
		}
	}
	if last, _ := h.At(4000, "a"); last.RD != 350_00 || !last.Provisional() {
		t.Errorf("after 4,000 idle periods %+v", last)
	}
	if _, known := h.At(1, "c"); known {
		t.Error("c has a rating before he joined")
	}
	if r, known := h.At(2, "c"); !known || r != Default.Start {
		t.Errorf("c began with %+v", r)
	}
	if _, known := h.At(4001, "a"); known {
		t.Error("a rating of a period to come")
	}
}

// TestSubstituteSide: nobody of a shared side is rated, the other at half weight against the mean.
func TestSubstituteSide(t *testing.T) {
	members := []Member{{"a", 0}, {"b", 0}, {"c", 0}, {"d", 0}}
	shared := Game{ID: "1", Sides: [2]Side{one("a"), {Members: []string{"b", "c"}}}, Score: 12, Weight: 12}
	h := compute(t, nil, 0, 0, members, []Game{shared})
	halved := compute(t, nil, 0, 0, members, []Game{{ID: "1", Sides: [2]Side{one("a"), one("b")}, Score: 12, Weight: 6}})
	if h[0][0] != halved[0][0] {
		t.Errorf("a: %+v, against one of the same strength at half weight %+v", h[0][0], halved[0][0])
	}
	idle := compute(t, nil, 0, 0, members, nil)
	if h[0][1] != idle[0][1] || h[0][2] != idle[0][2] {
		t.Errorf("b and c were rated: %v", h[0])
	}
}

// TestWhy: the shares of a period's games are the change of the rating.
func TestWhy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members, games, last := club(t)
		h := compute(t, nil, 0, last, members, games)
		period := rapid.IntRange(0, last).Draw(t, "period")
		m := rapid.SampledFrom(members).Draw(t, "member")
		shares := Default.Why(h, period, m.ID, members, games)
		after, known := h.At(period, m.ID)
		if !known {
			if shares != nil {
				t.Fatal("shares of one without a rating")
			}
			return
		}
		before, known := h.At(period-1, m.ID)
		if !known {
			before = Default.Start
		}
		sum, count := int64(0), 0
		for _, s := range shares {
			sum += s.Change
		}
		for _, g := range games {
			for _, side := range g.Sides {
				if g.Period == period && len(side.Members) == 1 && side.Members[0] == m.ID {
					count++
				}
			}
		}
		if len(shares) != count || off(sum, after.R-before.R) > int64(count) {
			t.Fatalf("%d games, shares %v, but from %d to %d", count, shares, before.R, after.R)
		}
	})
}

// TestOffsets: of two sides of players alike, of which the first wins three of four.
func TestOffsets(t *testing.T) {
	even := Rating{1500_00, 50_00, 60_000_000}
	var games []Played
	for i := range 100 {
		score := int64(12)
		if i%8 < 3 { // 39 of 100
			score = 0
		}
		games = append(games, Played{ID: fmt.Sprint(i), Sides: [2]string{"french", "allied"}, Ratings: [2]Rating{even, even}, Score: score, Weight: 12})
	}
	// A mean of 0.61 is 0.11 above 0.5: by Newton's step 0.12 / (g/4) of Glickman's units
	// lie between the sides, with g = 0.98768.
	got := Default.Offsets([]string{"french", "allied", "prussian"}[:2], games)
	between := got[0].Offset - got[1].Offset
	if want := round(0.11*4/0.98768*scale, 100); off(between, want) > 10 || got[0].Offset != -got[1].Offset {
		t.Errorf("offsets %v, %d apart, not %d", got, between, want)
	}
	for i := range games {
		games[i].Score = 12
	}
	got = Default.Offsets([]string{"french", "allied"}, games)
	if got[0].Offset != MostOffset || got[1].Offset != -MostOffset {
		t.Errorf("a side that always wins: %v", got)
	}
	if got = Default.Offsets([]string{"nobody"}, games); got[0].Offset != 0 {
		t.Errorf("a side that nobody played: %v", got)
	}
	reversed := slices.Clone(games)
	slices.Reverse(reversed)
	if !reflect.DeepEqual(Default.Offsets([]string{"french", "allied"}, games), Default.Offsets([]string{"french", "allied"}, reversed)) {
		t.Error("the order of games matters")
	}
}

func TestComputeFaults(t *testing.T) {
	a, b := Member{"a", 0}, Member{"b", 1}
	game := func(change func(*Game)) []Game {
		g := Game{ID: "g", Period: 1, Sides: [2]Side{one("a"), one("b")}, Score: 12, Weight: 12}
		change(&g)
		return []Game{g}
	}
	for _, c := range []struct {
		want    string
		members []Member
		games   []Game
	}{
		{"member a joins twice", []Member{a, a}, nil},
		{"the first is 0", []Member{{"a", -1}}, nil},
		{"nobody is called b", []Member{a}, game(func(*Game) {})},
		{"b joined in period 1, after the game's, 0", []Member{a, b}, game(func(g *Game) { g.Period = 0 })},
		{"a score of 13 twelfths", []Member{a, b}, game(func(g *Game) { g.Score = 13 })},
		{"a weight of 0 twelfths", []Member{a, b}, game(func(g *Game) { g.Weight = 0 })},
		{"a side of 0 members", []Member{a, b}, game(func(g *Game) { g.Sides[0].Members = nil })},
		{"a sits in it twice", []Member{a, b}, game(func(g *Game) { g.Sides[1] = one("a") })},
		{"game g is there twice", []Member{a, b}, append(game(func(*Game) {}), game(func(*Game) {})...)},
	} {
		if _, err := Default.Compute(nil, 0, 1, c.members, c.games); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if _, err := Default.Compute(nil, 2, 3, nil, nil); err == nil {
		t.Error("computed from a period whose beginning is not known")
	}
	for _, s := range []System{{}, {Start: Rating{R: 1500_00}}, {Start: Default.Start}, {Start: Rating{1500_00, 350_00, 1}, Tau: 500}} {
		if s.Check() == nil {
			t.Errorf("%+v was taken", s)
		}
	}
}

// TestExpLog: to within two units in the last place of package math, far beyond what is used.
func TestExpLog(t *testing.T) {
	near := func(a, b float64) bool {
		return math.Abs(a-b) <= 2*(math.Nextafter(math.Abs(b), math.Inf(1))-math.Abs(b))
	}
	x := lcg(1)
	for range 100_000 {
		v := float64(x.draw(1<<24)-1<<23) / (1 << 23) * 40
		if !near(exp(v), math.Exp(v)) {
			t.Fatalf("exp(%v) = %v, not %v", v, exp(v), math.Exp(v))
		}
		v = math.Abs(v) + 1e-9
		if v *= v; !near(log(v), math.Log(v)) && math.Abs(log(v)-math.Log(v)) > 1e-16 {
			t.Fatalf("log(%v) = %v, not %v", v, log(v), math.Log(v))
		}
	}
}

// TestBits holds what is computed to the bits in testdata, which were written on amd64.
// The checks of the project run it on arm64 too.
func TestBits(t *testing.T) {
	var text strings.Builder
	x := lcg(7)
	for range 300 {
		v := float64(x.draw(1<<24)-1<<23) / (1 << 20)
		fmt.Fprintf(&text, "%016x exp %016x log %016x\n", math.Float64bits(v), math.Float64bits(exp(v)), math.Float64bits(log(float64(v*v)+0.001)))
	}
	var members []Member
	for i := range 40 {
		members = append(members, Member{ID: fmt.Sprintf("M-%04d", i), Period: int(x.draw(3))})
	}
	var games []Game
	for i := range 600 {
		a := x.draw(40)
		b := (a + 1 + x.draw(39)) % 40
		games = append(games, Game{
			ID: fmt.Sprintf("g%03d", i), Period: 2 + int(x.draw(10)), Score: 6 * x.draw(3), Weight: 6 + 6*x.draw(2),
			Sides: [2]Side{{Members: []string{members[a].ID}, Offset: x.draw(MostOffset)}, one(members[b].ID)},
		})
	}
	h := compute(t, nil, 0, 11, members, games)
	for _, m := range h[11] {
		fmt.Fprintf(&text, "%s %d %d %d\n", m.Member, m.R, m.RD, m.Sigma)
	}
	// Before they are rounded.
	for i, duels := range Default.duels(h[10], gamesOf(sortedGames(games), 11)) {
		n := Default.next(Default.state(h[10][i].Rating), duels)
		fmt.Fprintf(&text, "%016x %016x %016x\n", math.Float64bits(n.mu), math.Float64bits(n.phi), math.Float64bits(n.sigma))
	}
	if *update {
		if err := os.WriteFile("testdata/bits.txt", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/bits.txt")
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Split(text.String(), "\n"), strings.Split(string(want), "\n")
	for i := range got {
		if i >= len(wanted) || got[i] != wanted[i] {
			t.Fatalf("line %d is %q", i+1, got[i])
		}
	}
	if len(got) != len(wanted) {
		t.Errorf("%d lines, not %d", len(got), len(wanted))
	}
}

func sortedGames(games []Game) []Game {
	_, games = sorted(nil, games)
	return games
}

// TestNoProductIsFused: every product stands in a conversion to float64, or is of constants.
func TestNoProductIsFused(t *testing.T) {
	files := token.NewFileSet()
	products := 0
	for _, name := range []string{"float.go", "glicko.go", "offsets.go", "why.go"} {
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		held := map[ast.Node]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, is := n.Fun.(*ast.Ident); is && f.Name == "float64" {
					held[n.Args[0]] = true
				}
			case *ast.BinaryExpr:
				if n.Op == token.MUL {
					products++
					if !held[n] {
						t.Errorf("%s: a product outside of float64()", files.Position(n.Pos()))
					}
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN {
					t.Errorf("%s: write x = float64(x * y)", files.Position(n.Pos()))
				}
			}
			return true
		})
		for _, spec := range file.Imports {
			if spec.Path.Value == `"math"` {
				ast.Inspect(file, func(n ast.Node) bool {
					if sel, is := n.(*ast.SelectorExpr); is {
						if x, is := sel.X.(*ast.Ident); is && x.Name == "math" && !slices.Contains([]string{"Sqrt", "Floor", "Round", "Abs", "Frexp", "Ldexp", "Pi", "Ln2", "Sqrt2"}, sel.Sel.Name) {
							t.Errorf("%s: math.%s may differ between machines", files.Position(n.Pos()), sel.Sel.Name)
						}
					}
					return true
				})
			}
		}
	}
	if products < 20 {
		t.Errorf("only %d products were found", products)
	}
}

// BenchmarkDecade rates 10,000 members over 120 periods of 20,000 games each.
func BenchmarkDecade(b *testing.B) {
	x := lcg(3)
	var members []Member
	for i := range 10_000 {
		members = append(members, Member{ID: fmt.Sprintf("M-%05d", i)})
	}
	var games []Game
	for i := range 120 * 20_000 {
		a := x.draw(10_000)
		foe := (a + 1 + x.draw(9_999)) % 10_000
		games = append(games, Game{ID: fmt.Sprintf("g%07d", i), Period: i / 20_000, Score: 6 * x.draw(3), Weight: 12,
			Sides: [2]Side{one(members[a].ID), one(members[foe].ID)}})
	}
	for b.Loop() {
		compute(b, nil, 0, 119, members, games)
	}
}
