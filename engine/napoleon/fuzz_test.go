package napoleon

import (
	"errors"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// moments are stops of many kinds, with what was answered there.
func moments(tb testing.TB) []playout.Moment {
	tb.Helper()
	var all []playout.Moment
	kinds := map[string]int{}
	keep := func(m playout.Moment) error {
		if len(m.Owed) > 0 && kinds[m.Owed[0].Kind] < 5 {
			kinds[m.Owed[0].Kind]++
			m.Position = m.Position.Clone()
			all = append(all, m)
		}
		return nil
	}
	if _, err := playout.Run(New(), engine.Setup{}, 1, keep); err != nil {
		tb.Fatal(err)
	}
	for i := range uint64(12) {
		start := battleground(tb, setups[int(i)%len(setups)].setup, i)
		_, err := playout.Game{Rules: New(), Start: start, Seed: i}.Play(whileFighting(keep))
		if err != nil && !errors.Is(err, errPeace) {
			tb.Fatal(err)
		}
	}
	return all
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
	f.Add(uint16(0), "orders: none\nstanding: [casualties: {lose_first: [infantry]}, regroup: none]")
	check := playout.Properties{Rules: New(), Conserved: conserved}
	f.Fuzz(func(t *testing.T, i uint16, file string) {
		m := all[int(i)%len(all)]
		for _, d := range m.Owed {
			if err := check.Survives(m, m.Position.View(d.Side), d, file); err != nil {
				t.Errorf("%s %s: %v", d.Side, d.Kind, err)
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
			if _, problems := New().Read(v, d, mustParse(t, New().Default(v, d).Orders().Encode())); len(problems) > 0 {
				t.Fatalf("the default is refused: %v", problems)
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
