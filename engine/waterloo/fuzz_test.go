package waterloo

import (
	"slices"
	"sync"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// moments are stops of all kinds, with what was answered there. They are shared:
// whoever changes a position clones it.
func moments(tb testing.TB) []playout.Moment {
	tb.Helper()
	found.Do(func() { found.all = findMoments(tb) })
	if len(found.all) == 0 {
		tb.Fatal("there are no moments")
	}
	return found.all
}

var found struct {
	sync.Once
	all []playout.Moment
}

func findMoments(tb testing.TB) []playout.Moment {
	tb.Helper()
	var all []playout.Moment
	kinds := map[string]int{}
	keep := func(m playout.Moment) error {
		if len(m.Owed) > 0 && kinds[m.Owed[0].Kind] < 4 {
			kinds[m.Owed[0].Kind]++
			m.Position = m.Position.Clone()
			all = append(all, m)
		}
		return nil
	}
	for seed := range 2 * len(setups) {
		game := playout.Game{Rules: New(), Setup: setups[seed%len(setups)].setup, Seed: uint64(seed)}
		if seed%6 == 0 { // two weak attackers of one strength before Hougoumont
			game.Start = hopelessAttack(tb)
		}
		if _, err := game.Play(keep); err != nil {
			tb.Fatal(err)
		}
	}
	for kind := range stops {
		if kinds[kind] == 0 {
			tb.Errorf("no game by chance came to the stop %s", kind)
		}
	}
	return all
}

// hopelessAttack is a battle in which it must be said which of two attackers is
// reduced, unless cards turn it (WAT-S9).
func hopelessAttack(tb testing.TB) *game {
	g := begun(tb, nil)
	m := umpire{tb, g}
	m.put("F-3C", "J-5", east)
	m.put("F-20/VI", "J-7", west).Reduced = true
	r := g.roundNow()
	r.Played, r.Stage = 1, roundFought
	g.use(g.Decks[french].Hand[0])
	b := g.expected(m.id("A-1/I"), []unitID{m.id("F-3C"), m.id("F-20/VI")}, false, false)
	for _, f := range b.Attackers {
		g.unit(f.Unit).Attacked = true
	}
	b.Attack.Filed = true
	g.push(b)
	m.asking("anglo", stopCommit, "A-1/I")
	return g
}

// Order files come from strangers. Whatever one says, reading it ends, faults lie
// inside it, and what is accepted can be carried out.
func FuzzRead(f *testing.F) {
	all := moments(f)
	for i, m := range all {
		for _, d := range m.Owed {
			f.Add(uint16(i), m.Answers[d.Side].Orders().Encode())
			f.Add(uint16(i), New().Template(m.Position.View(d.Side), d).Encode())
		}
	}
	f.Add(uint16(0), "orders: [{card: F06, move: [{unit: 3/I, path: [J-13, face O]}], attack: {target: A-3/I, with: [4/I], cards: [F04, {card: F16, as: command}], advance: {face: W}, after: go}}]")
	f.Add(uint16(0), "orders: none\nstanding: {artillery: {rules: [{at: any, when: entered}]}, battle: {default: none}, loss: {default: [cdp, retreat]}}")
	check := playout.Properties{Rules: New(), Conserved: conserved}
	f.Fuzz(func(t *testing.T, at uint16, file string) {
		m := all[int(at)%len(all)]
		for _, d := range m.Owed {
			if err := check.Survives(m, m.Position.View(d.Side), d, file); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Positions come from files that a game master has edited: whatever one says, it
// is refused with an error or can be looked at.
func FuzzLoad(f *testing.F) {
	for _, m := range moments(f) {
		text, err := m.Position.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := New().Load(text)
		if err != nil {
			return
		}
		again, err := p.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := New().Load(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if third, err := back.Marshal(); err != nil || !slices.Equal(again, third) {
			t.Fatalf("%v\n%s\n%s", err, again, third)
		}
		for _, side := range append(slices.Clone(p.Sides()), engine.GM) {
			p.View(side).Page()
		}
		for _, d := range p.Owed() {
			v := p.View(d.Side)
			New().Template(v, d)
			New().Sensible(v, d, nil)
			if _, problems := New().Read(v, d, mustParse(t, New().Default(v, d).Orders().Encode())); len(problems) > 0 {
				t.Fatalf("the default is refused: %s", playout.Explain(problems))
			}
		}
	})
}

func mustParse(t *testing.T, text string) *orders.Document {
	t.Helper()
	doc, problems := orders.Parse(text, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, text)
	}
	return doc
}
