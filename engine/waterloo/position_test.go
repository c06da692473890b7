package waterloo

import (
	"math/rand/v2"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
)

// survive loads what may be a position and plays a few stops of it by default:
// whatever is read must be fit to be played, seen and written.
func survive(t *testing.T, text string) (read bool) {
	position, err := New().Load([]byte(text))
	if err != nil {
		return false
	}
	for range 4 {
		for _, side := range append(position.Sides(), engine.GM) {
			v := position.View(side)
			v.Page()
			if _, err := v.Marshal(); err != nil {
				t.Fatal(err)
			}
		}
		answers := map[engine.Side]engine.Answer{}
		for _, d := range position.Owed() {
			New().Template(position.View(d.Side), d)
			answers[d.Side] = New().Default(position.View(d.Side), d)
		}
		if _, over := position.Outcome(); over {
			break
		}
		if _, err := position.Advance(answers, playout.NewDice(1)); err != nil {
			t.Fatal(err)
		}
		if _, err := position.Marshal(); err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// positions are some of a game, at every kind of stop that it has.
func positions(t testing.TB, setup engine.Setup, seed uint64) []string {
	var all []string
	seen := map[string]int{}
	_, err := playout.Run(New(), setup, seed, func(m playout.Moment) error {
		kind := "over"
		if len(m.Owed) > 0 {
			kind = m.Owed[0].Kind
		}
		if seen[kind]++; seen[kind] > 3 {
			return nil
		}
		text, err := m.Position.Marshal()
		all = append(all, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A position that was spoilt is refused, or can be played on.
func TestSpoiltPositions(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 5))
	read, refused := 0, 0
	for _, text := range positions(t, engine.Setup{Options: map[string]string{"players": "3"}}, 11) {
		for range 12 {
			if survive(t, playout.Break(text, chance)) {
				read++
			} else {
				refused++
			}
		}
	}
	if read == 0 || refused == 0 {
		t.Errorf("%d were read, %d refused: the test shows nothing", read, refused)
	}
}

func FuzzPosition(f *testing.F) {
	for _, text := range positions(f, engine.Setup{}, 3) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { survive(t, text) })
}
