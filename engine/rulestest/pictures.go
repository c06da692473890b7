package rulestest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/sheet"
	"berthier/engine/story"
	"berthier/orders/phrase"
)

// Pictures plays games and looks at the pictures that each side gets, with the marks of what it
// was told since its last report. Whoever changes what the side can't see changes nothing of
// them. Nothing stands over the name of a place or over another block, with marks or without.
// Events leave traces of each of the kinds, and some marks are drawn. Where full
// samples are taken, games are played until so many positions have been made up as [resampled]
// says.
func Pictures(t *testing.T, rules engine.Ruleset, setups []Setup, games int, kinds ...engine.TraceKind) {
	t.Helper()
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	marked, drawn, sampled := map[engine.TraceKind]int{}, 0, 0
	for i := 0; i < games || FullSamples() && sampled < resampled; i++ {
		setup := setups[i%len(setups)]
		chance := rand.New(rand.NewPCG(uint64(i), 15))
		last := map[engine.Side]*engine.Page{}
		since := map[engine.Side][]engine.Trace{} // what events told each side since its last report
		_, err := playout.Run(rules, setup.Setup, uint64(5000+i), func(m playout.Moment) error {
			for _, side := range m.Position.Sides() {
				since[side] = append(since[side], tracesOf(rules.(engine.Recounter), side, m.Events)...)
			}
			for _, d := range m.Owed {
				view, traces, was := m.Position.View(d.Side), since[d.Side], last[d.Side]
				for _, one := range traces {
					marked[one.Kind]++
				}
				plain, page := view.Page(), view.Page()
				last[d.Side], since[d.Side] = &plain, nil
				sheet.Trace(&page, was, traces, d.At)
				for _, p := range []*engine.Page{&plain, &page} {
					if err := clearPictures(p); err != nil {
						return fmt.Errorf("stop %d, %s: %w", m.Number, d.Side, err)
					}
				}
				if !reflect.DeepEqual(plain, page) {
					drawn++
				}
				if m.Number%5 != 0 && !(FullSamples() && games == 1) {
					continue
				}
				for range twins() {
					other, err := rules.(engine.Sampler).Sample(view, d, chance)
					if err != nil {
						return err
					}
					sampled++
					twin := other.View(d.Side).Page()
					sheet.Trace(&twin, was, traces, d.At)
					if !reflect.DeepEqual(page, twin) {
						return fmt.Errorf("stop %d: what %s can't see changes its pictures", m.Number, d.Side)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", setup.Name, err)
		}
	}
	t.Logf("%d made-up positions", sampled)
	for _, kind := range kinds {
		if marked[kind] == 0 {
			t.Errorf("no event left a trace of the kind %s", kind)
		}
	}
	if drawn == 0 || sampled == 0 {
		t.Errorf("%d pictures with marks, %d made-up positions: nothing was tried", drawn, sampled)
	}
}

// tracesOf is what events leave on the pictures of a side.
func tracesOf(rules engine.Recounter, side engine.Side, events []engine.Event) []engine.Trace {
	return story.Of(rules, side, saidTo(side, events), phrase.Value{}).Traces
}

// clearPictures looks at the pictures of a page as [ClearPicture] does.
func clearPictures(page *engine.Page) error {
	for _, section := range page.Sections {
		if section.Picture == nil {
			continue
		}
		if err := ClearPicture(section.Picture); err != nil {
			return err
		}
	}
	return nil
}

// ClearPicture tells what stands over the name of a place, or over another block, on a picture.
func ClearPicture(scene *engine.Scene) error {
	sheet := engine.Box{W: scene.Width, H: scene.Height - scene.Foot}
	for i, b := range scene.Blocks {
		if b.Common(sheet) != b.W*b.H {
			return fmt.Errorf("picture %s: block %v leaves the sheet", scene.Name, b)
		}
		for _, other := range scene.Blocks[:i] {
			if b.Common(other) > 0 {
				return fmt.Errorf("picture %s: block %v lies over %v", scene.Name, b, other)
			}
		}
		for _, n := range scene.Names {
			if n.Label.Shape != "" && b.Common(n.Box) > 0 {
				return fmt.Errorf("picture %s: block %v lies over the name of %s", scene.Name, b, n.Label.Text.Text)
			}
		}
	}
	for i, n := range scene.Names {
		for _, other := range scene.Names[:i] {
			if n.Common(other.Box) > 0 {
				return fmt.Errorf("picture %s: the name at %v lies over that at %v", scene.Name, n.Box, other.Box)
			}
		}
		if n.Label.Shape == "" && !overAll(scene, n.Box) {
			return fmt.Errorf("picture %s: the name at %v has no label over the blocks", scene.Name, n.Box)
		}
	}
	return nil
}

// overAll tells whether a label within a box is drawn after all blocks that lie over the box.
func overAll(scene *engine.Scene, name engine.Box) bool {
	label := -1
	for i, m := range scene.Marks {
		if m.Shape == engine.Label && m.Stroke != "" && (engine.Box{X: m.Points[0].X, Y: m.Points[0].Y, W: 1, H: 1}).Common(name) > 0 {
			label = i
		}
	}
	for i, m := range scene.Marks[max(label, 0):] {
		if i == 0 || m.Shape != engine.Polygon || m.Fill == "" {
			continue
		}
		low, high := m.Points[0], m.Points[0]
		for _, p := range m.Points {
			low = engine.Point{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
			high = engine.Point{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
		}
		if r := (engine.Box{X: low.X, Y: low.Y, W: high.X - low.X, H: high.Y - low.Y}); r.W > name.W/3 && r.Common(name) > 0 {
			return false
		}
	}
	return label >= 0
}
