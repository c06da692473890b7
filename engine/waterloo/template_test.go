package waterloo

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// The orders that the template of a round shows as examples can be copied as they
// stand.
func TestExamplesAreLegal(t *testing.T) {
	tried := map[string]int{}
	for i, setup := range setups {
		_, err := (playout.Game{Rules: New(), Setup: setup.Setup, Seed: uint64(300 + i), Choose: engine.Ruleset.Sensible}).Play(func(m playout.Moment) error {
			for _, d := range m.Owed {
				if d.Kind != stopRound || m.Number%3 != 0 {
					continue
				}
				v := m.Position.View(d.Side).(*View)
				for line := range strings.SplitSeq(New().Template(v, d).Encode(), "\n") {
					if line = strings.TrimLeft(line, " #"); !strings.HasPrefix(line, "- {") {
						continue
					}
					doc, problems := orders.Parse("orders:\n  "+line+"\n", nil)
					if len(problems) == 0 {
						_, problems = New().Read(v, d, doc)
					}
					if len(problems) > 0 {
						t.Errorf("%s, stop %d: %s: %s", setup.Name, m.Number, line, playout.Explain(problems))
					}
					kind := "move"
					for _, word := range stepWords {
						if word != "" && strings.Contains(line, "action: "+word) {
							kind = word
						}
					}
					if strings.HasPrefix(line, "- {attack") {
						kind = "attack"
					}
					tried[kind]++
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	for _, kind := range []string{"move", "attack", "artillery", "charge", "must-charge", "reorganise", "health"} {
		if tried[kind] == 0 {
			t.Errorf("no example of %s was shown", kind)
		}
	}
}

// The template lists every card of the hand and every unit that may act.
func TestRoundTemplateIsComplete(t *testing.T) {
	for _, position := range pagePositions {
		g := position.make(t)
		for _, d := range g.Owed() {
			if d.Kind != stopRound {
				continue
			}
			v := g.view(d.Side)
			text := v.roundTemplate(roundForm.Blank(v, d)).Above
			for _, c := range v.hand() {
				if !strings.Contains(text, v.card(c).id+" MP ") {
					t.Errorf("%s: %s is not listed", position.name, v.card(c).id)
				}
			}
			for id, u := range v.everyUnit() {
				if v.active(v.roundNow(), v.armyOf(id)) && !strings.Contains(text, v.def(id).id+" "+v.def(id).name+" "+v.armWord(id)+" "+v.squareID(u.At)) {
					t.Errorf("%s: %s is not listed", position.name, v.def(id).id)
				}
			}
		}
	}
}
