package hfg

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A glimpse is a view for the stops of the preparation.
type glimpse struct {
	*game
	who side
}

func (v *glimpse) seen() (*game, side)          { return v.game, v.who }
func (v *glimpse) Side() engine.Side            { return v.sideID(v.who) }
func (v *glimpse) Page() engine.Page            { return engine.Page{} }
func (v *glimpse) Spell(_, id, _ string) string { return id }
func (v *glimpse) Marshal() ([]byte, error)     { return v.marshal(), nil }

// opens are the stops of the preparation.
var opens = prefaces[*glimpse, *battlefield]()

// A sequence is dice in order, then a stream by a seed.
type sequence struct {
	fixed []int
	rest  *rand.Rand
}

func (s *sequence) Roll(sides int, _ phrase.Phrase) int {
	if len(s.fixed) > 0 {
		n := s.fixed[0]
		s.fixed = s.fixed[1:]
		return n
	}
	return 1 + s.rest.IntN(sides)
}

// letters is a game of two armies, with dice.
func letters(t testing.TB, chosen map[string]string, dice ...int) (*battlefield, *sequence) {
	t.Helper()
	s, ok := library.Named("two-armies")
	if !ok {
		t.Fatal("there is no such scenario")
	}
	g, faults := begun(s, chosen)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	d := &sequence{fixed: dice, rest: rand.New(rand.NewPCG(1, 2))}
	return &battlefield{game: g, Story: play.Story{Dice: d}}, d
}

// answers answers the stop that is open, by files of the sides; the others say nothing.
func answers(t testing.TB, p *battlefield, files map[string]string) {
	t.Helper()
	replies := map[engine.Side]play.Reply{}
	asked := p.asks()
	for _, d := range asked {
		v := &glimpse{p.game, p.sideOf(d.Side)}
		replies[d.Side] = opens[d.Kind].Fallback(v, d)
		if text, ok := files[string(d.Side)]; ok {
			reply, faults := handed(t, p.game, d, text)
			if len(faults) > 0 {
				t.Fatalf("%s %s: %v\n%s", d.Side, d.Kind, faults, text)
			}
			replies[d.Side] = reply
		}
	}
	resolve(p, asked, replies)
}

func resolve(p *battlefield, asked []engine.Decision, replies map[engine.Side]play.Reply) {
	for _, d := range asked {
		opens[d.Kind].Take(p, d, replies[d.Side])
	}
	p.opening().carryOn()
}

// handed reads a file at a stop.
func handed(t testing.TB, g *game, d engine.Decision, text string) (play.Reply, []string) {
	t.Helper()
	root, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, text)
	}
	r := orders.NewReader(vocabulary)
	reply := opens[d.Kind].Read(&glimpse{g, g.sideOf(d.Side)}, d, r, root)
	r.Problems.Sort()
	var told []string
	for _, p := range r.Problems {
		if p.Line == 0 {
			t.Errorf("%v has no place", p)
		}
		told = append(told, strings.TrimSpace(p.Clause+" "+p.Why.Code))
	}
	return reply, told
}

// until answers stops with what the deadline means, until a step is open.
func until(t testing.TB, p *battlefield, s step) {
	t.Helper()
	for range 200 {
		if p.Prepare.Step == s {
			return
		}
		answers(t, p, nil)
	}
	t.Fatalf("step %s never comes", stepWords[s])
}

// said are the codes of all events so far.
func told(p *battlefield) []string {
	var all []string
	for _, e := range p.Events {
		all = append(all, e.Clause+" "+e.Tellings[0].Say.Code)
	}
	return all
}

func TestPreparation(t *testing.T) {
	clause(t, "HFG-4.1", "each rolls a die and adds his aggression: 3 and 3 against 5 and 0", func(t *testing.T) {
		p, _ := letters(t, map[string]string{"pair": "gettysburg"}, 5, 3)
		answers(t, p, nil) // the Union has 1, the Confederates 3
		is(t, "ties are rolled again, so that it is asked on", p.Prepare.Step, grounding)
		p, _ = letters(t, map[string]string{"pair": "south-africa"}, 3, 5)
		answers(t, p, nil) // 3 + 3 against 5 + 0
		is(t, "red is", p.role(first), attacker)
		is(t, "blue is", p.role(second), defender)
	})
	clause(t, "HFG-4.1", "ties are rolled again", func(t *testing.T) {
		p, d := letters(t, map[string]string{"pair": "south-africa"}, 1, 4, 6, 1)
		answers(t, p, nil)
		is(t, "dice left", len(d.fixed), 0)
		is(t, "red is", p.role(first), attacker)
	})
	clause(t, "HFG-4.23", "the attacker adds 2 for the choice of the edge", func(t *testing.T) {
		p, d := letters(t, map[string]string{"pair": "south-africa"}, 3, 5)
		answers(t, p, nil)
		d.fixed = nil
		d.rest = rand.New(rand.NewPCG(3, 4))
		until(t, p, choosing)
		p.Prepare.Step = grounding
		q := &prologue{p}
		d.fixed = []int{3, 4} // attacker 3 + 2, defender 4
		q.edges()
		is(t, "chooser", p.Prepare.Chooser, first)
		answers(t, p, map[string]string{"red": "{edge: north}"})
		is(t, "red's base", p.base(first), north)
		is(t, "blue's base", p.base(second), south)
	})
	clause(t, "HFG-4.2", "the defender's numbers say what a die shows", func(t *testing.T) {
		p, d := letters(t, map[string]string{"pair": "south-africa"}, 3, 5)
		answers(t, p, nil)
		d.fixed = []int{6, 6}
		d.rest = rand.New(rand.NewPCG(1, 2))
		answers(t, p, map[string]string{"blue": "{numbering: {w: 6, nw: 5, ne: 4, e: 3, se: 2, sw: 1}}"})
		is(t, "a 6 shows", p.Prepare.Numbers[5], sectionW)
	})
	clause(t, "HFG-3.1", "an army of another year is refused", func(t *testing.T) {
		p, _ := letters(t, map[string]string{"lists": "own"})
		_, faults := handed(t, p.game, p.asks()[0], "{list: own, year: 1816, commands: [], elements: {}}")
		if !slices.Contains(faults, "HFG-3.1 hfg.list-other-year") {
			t.Errorf("%q", faults)
		}
	})
	clause(t, "HFG-R144", "an army of one's own may prepare what the list of its side permits", func(t *testing.T) {
		p, _ := letters(t, map[string]string{"pair": "blenheim", "lists": "own"})
		text := "{list: own, commands: [{id: i, kind: c-in-c, general: gen, elements: [m-1..5]}], elements: {gen: cp, m-1..5: muskets}, defending: [{PREPARATION: 1}]}"
		_, faults := handed(t, p.game, p.asks()[0], strings.Replace(text, "PREPARATION", "redoubt", 1))
		is(t, "a redoubt", strings.Join(faults, ","), "HFG-6.12 hfg.list-permit")
		_, faults = handed(t, p.game, p.asks()[0], strings.Replace(text, "PREPARATION", "barricade", 1))
		is(t, "a barricade", len(faults), 0)
	})
	clause(t, "HFG-3.6", "what an attacker has set aside for redoubts is gone", func(t *testing.T) {
		p, _ := letters(t, map[string]string{"pair": "borodino", "ap": "500"}, 1, 6)
		answers(t, p, map[string]string{"blue": "{attacking: [{redoubt: 6}]}"}) // Russians 6 + 1, French 1 + 4
		is(t, "blue is", p.role(second), attacker)
		is(t, "redoubts", p.Prepare.has(second, attacker, buysRedoubt), 0)
		until(t, p, planning)
		_, faults := handed(t, p.game, p.asks()[1], "{works: [{redoubt: r1, at: [6000, 700]}]}")
		if !slices.Contains(faults, "order.unknown-key") {
			t.Errorf("%q", faults)
		}
	})
	clause(t, "HFG-3.1", "the pair settles the year and both lists", func(t *testing.T) {
		for i := range book().pairs {
			pair := &book().pairs[i]
			p, _ := letters(t, map[string]string{"pair": pair.id})
			is(t, pair.id+" year", p.year, book().lists[pair.lists[0]].year)
			is(t, pair.id+" first list", p.stock(first).id, book().lists[pair.lists[0]].id)
		}
		s, _ := library.Named("two-armies")
		_, faults := begun(s, map[string]string{"pair": "own", "year": "1866"})
		is(t, "a year for which there are no two lists", faults[0].Why.Code, "hfg.list-year")
		_, faults = begun(s, map[string]string{"pair": "own", "year": "1812"})
		is(t, "a year for which there are", len(faults), 0)
	})
}

// From the lists to the first turn both sides are asked at most five times each, if places come with
// the pieces; and every position on the way is read back as it is.
func TestToTheFirstTurn(t *testing.T) {
	for i := range book().pairs {
		for seed := range uint64(6) {
			p, d := letters(t, map[string]string{"pair": book().pairs[i].id})
			d.rest = rand.New(rand.NewPCG(seed, 7))
			count := map[engine.Side]int{}
			for range 60 {
				asked := p.asks()
				if len(asked) == 0 {
					break
				}
				for _, one := range asked {
					count[one.Side]++
				}
				back := again(t, p.game)
				if string(back.marshal()) != string(p.marshal()) {
					t.Fatal("the position is read back as another")
				}
				answers(t, p, nil)
			}
			is(t, "turn", p.Turn, 1)
			for side, n := range count {
				if n > 5 {
					t.Errorf("%s was asked %d times", side, n)
				}
			}
			for e := elementID(1); int(e) < len(p.Elements); e++ {
				if !p.on(e) {
					t.Errorf("%s %s is nowhere", book().pairs[i].id, p.def(e).id)
				}
			}
			b := &breaches{game: p.game}
			b.impossible()
			if len(b.All) > 0 {
				t.Errorf("%v", b.Problems())
			}
			again(t, p.game)
		}
	}
}

// Whatever is answered at random leads to a first turn, and each answer is read back from its normal
// form as the same.
func TestRandomPreparations(t *testing.T) {
	for seed := range uint64(24) {
		chance := rand.New(rand.NewPCG(seed, 9))
		p, d := letters(t, map[string]string{"pair": book().pairs[seed%4].id})
		d.rest = chance
		for range 200 {
			asked := p.asks()
			if len(asked) == 0 {
				break
			}
			replies := map[engine.Side]play.Reply{}
			for _, one := range asked {
				v := &glimpse{p.game, p.sideOf(one.Side)}
				reply := opens[one.Kind].Random(v, one, chance)
				text := reply.Node().Encode()
				back, faults := handed(t, p.game, one, text)
				if len(faults) > 0 {
					t.Fatalf("seed %d %s %s: %v\n%s", seed, one.Side, one.Kind, faults, text)
				}
				if got := back.Node().Encode(); got != text {
					t.Fatalf("seed %d %s: read back as\n%s\nnot\n%s", seed, one.Kind, got, text)
				}
				replies[one.Side] = reply
			}
			resolve(p, asked, replies)
			again(t, p.game)
		}
		is(t, "turn", p.Turn, 1)
	}
}
