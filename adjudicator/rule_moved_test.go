package adjudicator

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/engine/waterloo"
)

// In real games the owner of a piece that the game master has moved is told which piece it
// is, from where and to where. The enemy is told what he sees of it, without the name if
// that is hidden from him, and nothing if he sees nothing of it.
func TestTheOwnerOfAMovedPieceIsTold(t *testing.T) {
	withoutRace(t)
	for _, c := range []struct {
		rules        engine.Ruleset
		setup        string
		red, blue    string // sides
		set          string
		owner, enemy string   // what they read
		hidden       []string // what the enemy does not
	}{
		{napoleon.New(), "system: napoleon\noptions: {setup: historical}", "french", "allied", "{units: {F-14: {at: thuin}}}",
			"Changed by that ruling: F-14 Lefol / Berthezène, Town: Beaumont → Thuin", "Changed by that ruling: Beaumont, Blocks: 12 → 11", []string{"F-14", "Lefol"}},
		{waterloo.New(), "system: waterloo\noptions: {scenario-length: quick}", "french", "anglo", "{units: {F-OG: {at: O-9}}}",
			"Changed by that ruling: F-OG Old Guard Grenadiers (Friant), Square: O-10 → O-9", "Changed by that ruling: F-OG Old Guard Grenadiers (Friant), Square: O-10 → O-9", nil},
	} {
		t.Run(c.rules.About().ID, func(t *testing.T) {
			h := newTestOffice(t, func(h *testOffice) { h.rules = c.rules })
			h.newGame("game: lot-1\n" + c.setup + "\nseats:\n  " + c.red + ": {name: Rosa, address: red@play.example}\n  " + c.blue +
				": {name: Bruno, address: blue@play.example}\ngm: {name: Gina, address: gm@club.example}\ndeadline: 3d\n")
			h.deliver(redAt)
			h.deliver(blueAt)
			h.rule("command: rule", "reason: it was put on the wrong road", "set: "+c.set)
			h.says(h.last(redAt), c.owner)
			enemy := h.last(blueAt)
			h.says(enemy, c.enemy)
			text, _, _ := strings.Cut(wordsOf(enemy), "State of the campaign")
			for _, part := range c.hidden {
				if strings.Contains(text, part) {
					t.Errorf("the enemy reads %q:\n%s", part, text)
				}
			}
		})
	}
}
