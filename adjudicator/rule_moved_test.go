package adjudicator

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/mistakes"
	"berthier/engine/napoleon"
	"berthier/engine/waterloo"
	"berthier/mail"
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
			"Changed by that ruling: F-14 Lefol / Berthezène, town: Beaumont → Thuin", "Changed by that ruling: Beaumont, blocks: 12 → 11", []string{"F-14", "Lefol"}},
		{waterloo.New(), "system: waterloo\noptions: {scenario-length: quick}", "french", "anglo", "{units: {F-OG: {at: O-9}}}",
			"Changed by that ruling: F-OG Old Guard Grenadiers (Friant), square: O-10 → O-9", "Changed by that ruling: F-OG Old Guard Grenadiers (Friant), square: O-10 → O-9", nil},
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

// On a measured field a piece is moved, turned and removed by a ruling, and its preview shows where it
// will stand on a picture; a piece that would stand on another is refused.
func TestARulingOnAMeasuredFieldIsShown(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t, func(h *testOffice) { h.rules = mistakes.New() })
	h.newGame("game: lot-1\nsystem: enemy-mistakes\nseats:\n  blue: {name: Rosa, address: red@play.example}\n  red: {name: Bruno, address: blue@play.example}" +
		"\ngm: {name: Gina, address: gm@club.example}\ndeadline: 3d\n")
	h.deliver(redAt)
	h.deliver(blueAt)
	for _, c := range []struct{ set, told string }{
		{"{units: {blue-34: {at: [345, 215]}}}", "blue-34 II Corps foot batteries, Place: [345, 225] → [345, 215]"},
		{"{units: {blue-34: {heading: 90}}}", "blue-34 II Corps foot batteries, Heading: 62 → 90"},
		{"{units: {blue-34: {at: ~, heading: ~, gone: eliminated}}, formations: {b-34: ~}}", "blue-34"},
	} {
		preview, _ := h.rule("command: rule", "reason: it was put on the wrong place", "set: "+c.set)
		if shown := strings.Contains(wordsOf(preview), "map.png"); !shown {
			t.Errorf("the preview of %s has no picture:\n%s", c.set, wordsOf(preview))
		}
		h.says(h.last(redAt), c.told)
	}
	refused := h.ask(mail.Rejected, "command: rule", "reason: it was put on the wrong place", "set: {units: {blue-28: {at: [520, 165]}}}")
	if text := wordsOf(refused); !strings.Contains(text, "EM-3.5") {
		t.Errorf("two pieces on one place are not refused:\n%s", text)
	}
}
