package napoleon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/playout"
	"berthier/orders"
)

// read judges the text of an orders key.
func read(t testing.TB, g *game, d engine.Decision, text string) (engine.Answer, orders.Problems) {
	t.Helper()
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, text)
	}
	return New().Read(g.View(d.Side), d, &orders.Document{Orders: root.Get("orders")})
}

// scatter puts all units of the drill ground into random towns, by day or by night,
// with some roads already used.
func scatter(t testing.TB, chance *rand.Rand) *game {
	return newDrill(t, func(g *game) {
		g.turn = chance.IntN(len(g.turns))
		var free []townID
		var held [64]int8 // 1 French, 2 Allied
		for i := range g.towns {
			if !g.towns[i].apart {
				free = append(free, townID(i))
			}
		}
		for i := range g.units {
			u := &g.units[i]
			at := free[chance.IntN(len(free))]
			mine := int8(1 + u.army.camp())
			if held[at] != 0 && held[at] != mine {
				continue // stays in its depot
			}
			held[at], u.town = mine, at
		}
		for i := range g.roadUse {
			if chance.IntN(3) == 0 {
				g.roadUse[i] = int8(chance.IntN(g.numbers.road.of(g.roads[i]) + 1))
			}
		}
		g.asks = nil
		(&campaign{game: g}).movementPhase()
	})
}

// Every line that the template offers is legal with as many units as it says, and is
// refused with one more.
func TestTemplateOffersWhatIsLegal(t *testing.T) {
	offered := 0
	for seed := range uint64(40) {
		g := scatter(t, chance(seed))
		d := g.Owed()[0]
		text := New().Template(g.View(d.Side), d).Encode()
		if _, faults := read(t, g, d, text); len(faults) > 0 {
			t.Fatalf("the untouched file is refused: %v\n%s", faults, text)
		}
		body := stops["move"].Template(g.view(d.Side), d)
		var from string
		var units []string
		for line := range strings.SplitSeq(body.Above, "\n") {
			if town, list, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "-") && !strings.HasPrefix(line, " ") {
				from, units = town, nil
				for unit := range strings.SplitSeq(list, ", ") {
					units = append(units, strings.Fields(unit)[0])
				}
			}
			road, ok := strings.CutPrefix(line, "  > ")
			if !ok {
				continue
			}
			offered++
			road, _, _ = strings.Cut(road, " > ")
			road, _, _ = strings.Cut(road, " >> ")
			to, tail, _ := strings.Cut(road, " max ")
			var room int
			if _, err := fmt.Sscan(tail, &room); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			order := func(n int) string {
				return "orders: [{move: {from: " + from + ", to: " + to + ", units: [" + strings.Join(units[:n], ", ") + "]}}]"
			}
			n := min(room, len(units))
			if _, faults := read(t, g, d, order(n)); len(faults) > 0 {
				t.Errorf("seed %d: offered and refused: %v\n%s", seed, faults, order(n))
			}
			if n < len(units) {
				if _, faults := read(t, g, d, order(n+1)); len(faults) == 0 {
					t.Errorf("seed %d: one more than offered is accepted\n%s", seed, order(n+1))
				}
			}
		}
	}
	if offered < 200 {
		t.Errorf("only %d lines were offered", offered)
	}
}

// A random movement is legal, reads back as the same orders, and is carried out exactly
// as ordered.
func TestRandomMovementIsLegal(t *testing.T) {
	marched, attacked := 0, 0
	for seed := range uint64(400) {
		g := scatter(t, chance(seed))
		d := g.Owed()[0]
		random := New().Random(g.View(d.Side), d, chance(seed))
		normal := random.Orders()
		again, faults := read(t, g, d, normal.Encode())
		if len(faults) > 0 {
			t.Fatalf("seed %d: refused: %v\n%s", seed, faults, normal.Encode())
		}
		if text := again.Orders().Encode(); text != normal.Encode() {
			t.Fatalf("seed %d: reads back as\n%s\nnot as\n%s", seed, text, normal.Encode())
		}
		a := marchesOf(random)
		marched += len(a.marches)
		used := slices.Clone(g.roadUse)
		m := newMover(g, g.turns[g.turn].camp)
		p := &campaign{game: g, Story: play.Story{Dice: &engine.FixedDice{Results: slices.Repeat([]int{6}, 100)}}}
		p.marchTogether([]gathered{{d, a}})
		for _, way := range a.marches {
			last := way.path[len(way.path)-1]
			at := way.from
			for _, to := range way.path {
				i, _ := g.roadBetween(at, to)
				used[i] += int8(len(way.units))
				at = to
			}
			if m.enemy[last] > 0 {
				attacked++
			}
			for _, id := range way.units {
				if g.units[id].town != last {
					t.Fatalf("seed %d: %s is not at %s", seed, g.unitName(id), g.towns[last].id)
				}
			}
		}
		for i, n := range used {
			if n != g.roadUse[i] {
				t.Fatalf("seed %d: %d units on road %s, counted %d", seed, n, g.roadName(i), g.roadUse[i])
			}
			if int(n) > g.numbers.road.of(g.roads[i]) {
				t.Fatalf("seed %d: %d units on road %s", seed, n, g.roadName(i))
			}
		}
	}
	if marched < 400 || attacked < 40 {
		t.Errorf("%d marches, %d of them attacks: random play is too tame", marched, attacked)
	}
}

// No order file makes the judge panic, and whatever it accepts can be carried out.
func FuzzMoveOrders(f *testing.F) {
	for seed := range uint64(8) {
		g := scatter(f, chance(seed))
		d := g.Owed()[0]
		f.Add(seed, New().Random(g.View(d.Side), d, chance(seed)).Orders().Encode())
	}
	f.Add(uint64(1), "orders: [{move: {from: Laneffe, via: [[Thuin]], to: {}, units: ~}}, {forced: all}, {reveal: [F-01, F-01]}]")
	f.Add(uint64(2), "orders: [{move: {from: Laneffe, to: Laneffe, units: [rest, all]}}]")
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		root, faults := orders.ParseNode([]byte(text))
		if len(faults) > 0 || root == nil || root.Kind != orders.Map {
			return
		}
		g := scatter(t, chance(seed%64))
		d := g.Owed()[0]
		a, faults := New().Read(g.View(d.Side), d, &orders.Document{Orders: root.Get("orders"), Standing: root.Get("standing")})
		if len(faults) > 0 {
			return
		}
		if _, faults := read(t, g, d, a.Orders().Encode()); len(faults) > 0 {
			t.Fatalf("the normal form is refused: %v\n%s", faults, a.Orders().Encode())
		}
		if _, err := g.Advance(map[engine.Side]engine.Answer{d.Side: a}, engine.NewSeededDice([]byte("fuzz"), "g", 1, [32]byte{})); err != nil {
			t.Fatal(err)
		}
	})
}

// At the other stops of these chapters the default, a random answer and the untouched
// template are legal.
func TestDeployAndSupplyAnswers(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(40) {
		_, err := playout.Run(New(), setups[seed%2].Setup, seed, func(m playout.Moment) error {
			for _, d := range m.Owed {
				if d.Kind != "deploy" && d.Kind != "supply" {
					continue
				}
				seen[d.Kind]++
				g := m.Position.(*game)
				standard := New().Default(g.View(d.Side), d).Orders().Encode()
				untouched, faults := read(t, g, d, New().Template(g.View(d.Side), d).Encode())
				if len(faults) > 0 || untouched.Orders().Encode() != standard {
					t.Errorf("the untouched %s file is not the default: %v", d.Kind, faults)
				}
				for i := range uint64(5) {
					random := New().Random(g.View(d.Side), d, chance(i)).Orders().Encode()
					if a, faults := read(t, g, d, random); len(faults) > 0 || a.Orders().Encode() != random {
						t.Errorf("random %s: %v\n%s", d.Kind, faults, random)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen["deploy"] == 0 || seen["supply"] == 0 {
		t.Errorf("seen %v", seen)
	}
}

// Italian keywords mean what the English ones mean.
func TestItalianMovement(t *testing.T) {
	g := newDrill(t, func(g *game) {
		put(t, g, "F-01", "laneffe")
		put(t, g, "F-02", "laneffe")
	})
	d := g.Owed()[0]
	english, faults := read(t, g, d, "orders: [{move: {from: Laneffe, via: [Thuin], to: Charleroi, units: [F-02]}}, {forced: [F-02]}, {reveal: F-01}]")
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	italian, faults := read(t, g, d, "orders: [{muovi: {da: Laneffe, via: [Thuin], a: Charleroi, unità: [F-02]}}, {forzata: [F-02]}, {rivela: F-01}]")
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if a, b := english.Orders().Encode(), italian.Orders().Encode(); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}
