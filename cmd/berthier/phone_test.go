package main

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/templates"
)

// TestLabelsCanBeReadOnAPhone measures the labels of the pictures that the players of some games
// get: all can be read on a phone, and no picture needs more parts than its width explains.
func TestLabelsCanBeReadOnAPhone(t *testing.T) {
	withoutRace(t)
	small := map[string]int{}
	for _, p := range galleries {
		_, err := playout.Run(rulesets[p.system], p.data(t), 7, func(m playout.Moment) error {
			for _, side := range m.Position.Sides() {
				for _, section := range m.Position.View(side).Page().Sections {
					if section.Picture == nil {
						continue
					}
					parts := templates.PhoneParts(section.Picture)
					if most := (section.Picture.Width + 389) / 390; parts > most {
						small[fmt.Sprintf("%s: %s, %d wide, in %d parts", p.system, section.Picture.Name, section.Picture.Width, parts)]++
					}
					for _, mark := range slices.Concat(section.Picture.Ground, section.Picture.Marks) {
						if mark.Shape == engine.Label && templates.OnPhone(section.Picture.Width, mark.Size, parts) < templates.LeastLabel {
							small[fmt.Sprintf("%s: %s, %d wide, a label of %d", p.system, section.Picture.Name, section.Picture.Width, mark.Size)]++
						}
					}
				}
			}
			if m.Number > 80 {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	}
	for _, what := range sortedKeys(small) {
		t.Errorf("%s (%d times)", what, small[what])
	}
}
