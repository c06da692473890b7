package adjudicator

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/hfg"
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
// will stand on a picture; a piece that would stand on another is refused, with everything else that can't be,
// each at its line.
func TestARulingOnAMeasuredFieldIsShown(t *testing.T) {
	withoutRace(t)
	type ruled struct{ set, told string }
	for _, c := range []struct {
		rules     engine.Ruleset
		red, blue string // sides
		rulings   []ruled
		wrong     string
		refusals  []string
	}{
		{mistakes.New(), "blue", "red", []ruled{
			{"{units: {blue-34: {at: [345, 215]}}}", "blue-34 II Corps foot batteries, Place: [345, 225] → [345, 215]"},
			{"{units: {blue-34: {heading: 90}}}", "blue-34 II Corps foot batteries, Heading: 62 → 90"},
			{"{units: {blue-34: {at: ~, heading: ~, gone: eliminated}}, formations: {b-34: ~}}", "blue-34"},
		}, "{units: {blue-28: {at: [520, 165]}}}", []string{"EM-3.5"}},
		{hfg.New(), "french", "allied", []ruled{
			{"{elements: {pire-2: {at: [2330, 2600]}}}", "Pire-2, place: [2330, 2500] → [2330, 2600]"},
			{"{elements: {pire-2: {facing: 20}}}", "Pire-2, facing: 0 → 20"},
			{"{elements: {pire-2: {at: ~, facing: ~, fate: destroyed}}}", "Gone by that ruling: Pire-2"},
		}, "{elements: {bourgeois: {at: [6600, 2850]}, nogues: {since: 20}, aulard: {at: [5000, 12]}}}", []string{"HFG-1.8", "off the field", "overlap"}},
	} {
		t.Run(c.rules.About().ID, func(t *testing.T) {
			h := newTestOffice(t, func(h *testOffice) { h.rules = c.rules })
			h.newGame("game: lot-1\nsystem: " + c.rules.About().ID + "\nseats:\n  " + c.red + ": {name: Rosa, address: red@play.example}\n  " + c.blue +
				": {name: Bruno, address: blue@play.example}\ngm: {name: Gina, address: gm@club.example}\ndeadline: 3d\n")
			h.deliver(redAt)
			h.deliver(blueAt)
			for _, one := range c.rulings {
				preview, _ := h.rule("command: rule", "reason: it was put on the wrong place", "set: "+one.set)
				if shown := strings.Contains(wordsOf(preview), "map.png"); !shown {
					t.Errorf("the preview of %s has no picture:\n%s", one.set, wordsOf(preview))
				}
				h.says(h.last(redAt), one.told)
			}
			refused := wordsOf(h.ask(mail.Rejected, "command: rule", "reason: it was put on the wrong place", "set: "+c.wrong))
			for _, want := range c.refusals {
				if !strings.Contains(refused, want) {
					t.Errorf("%s is not refused:\n%s", want, refused)
				}
			}
		})
	}
}
