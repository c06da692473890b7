package rulestest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// Sketches plays games and looks at the pictures of where the pieces of each answer come to stand. Whoever changes what the
// side can't see changes nothing of them; nothing stands over the name of a place or over another block; and those who don't
// see the pictures are told something. Answers to each of the kinds of stops are drawn, and some answers move nothing.
func Sketches(t *testing.T, rules engine.Ruleset, setups []Setup, games int, kinds ...string) {
	t.Helper()
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	drawn, idle, sampled := map[string]int{}, 0, 0
	for i := range games {
		setup := setups[i%len(setups)]
		chance := rand.New(rand.NewPCG(uint64(i), 16))
		_, err := playout.Run(rules, setup.Setup, uint64(6000+i), func(m playout.Moment) error {
			for _, d := range m.Owed {
				view := m.Position.View(d.Side)
				all := rules.(engine.Sketcher).Sketched(view, d, m.Answers[d.Side])
				if len(all) == 0 {
					idle++
					continue
				}
				drawn[d.Kind]++
				if err := clearPictures(&engine.Page{Sections: all}); err != nil {
					return fmt.Errorf("stop %d, %s: %w", m.Number, d.Side, err)
				}
				if _, reckons := rules.(engine.Reckoner); !reckons && !slices.ContainsFunc(all, func(s engine.Section) bool { return len(s.Gist) > 0 }) {
					return fmt.Errorf("stop %d, %s: nothing is said of the picture", m.Number, d.Side)
				}
				if drawn[d.Kind]%5 != 1 {
					continue
				}
				other, err := rules.(engine.Sampler).Sample(view, d, chance)
				if err != nil {
					return err
				}
				twin := other.View(d.Side)
				doc, _ := orders.Parse(m.Answers[d.Side].Orders().Encode(), nil)
				again, problems := rules.Read(twin, d, doc)
				if len(problems) > 0 {
					return fmt.Errorf("stop %d, %s: %v", m.Number, d.Side, problems)
				}
				sampled++
				if !reflect.DeepEqual(all, rules.(engine.Sketcher).Sketched(twin, d, again)) {
					return fmt.Errorf("stop %d: what %s can't see changes where its pieces are drawn", m.Number, d.Side)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", setup.Name, err)
		}
	}
	t.Logf("drawn %v, nothing to draw %d, made-up positions %d", drawn, idle, sampled)
	for _, kind := range kinds {
		if drawn[kind] == 0 {
			t.Errorf("no answer to %s was drawn", kind)
		}
	}
	if idle == 0 || sampled == 0 {
		t.Errorf("%d answers that move nothing, %d made-up positions: nothing was tried", idle, sampled)
	}
}
