package adjudicator

import (
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/engine"
	"berthier/mail"
)

// TestAnOddFileWaitsForItsOkInEachGame plays a game of every ruleset by letter, as a new game is set
// up, until a player orders something that the ruleset itself finds so odd that the file holds. The
// stop then waits, also through a death of the office, nobody else gets a letter, and what is odd
// stands in the confirmation. The word ok above the confirmation, with the key of another seat,
// changes nothing; with the player's own it resolves the stop by that file.
func TestAnOddFileWaitsForItsOkInEachGame(t *testing.T) {
	withoutRace(t)
	const letters = 40
	games := settings(map[string][]setting{
		"enemy-mistakes": {{name: "enemy-mistakes", options: "game: ready-3p"}}, // the armies are near enough to each other
		"hfg":            {{name: "hfg", options: "sunset-pairs: 6"}},
		"napoleon":       {{name: "napoleon", options: "setup: historical"}},
		"waterloo":       {{name: "waterloo", options: "scenario-length: quick"}, {name: "waterloo, three players", options: "players: 3"}},
	})
	for _, m := range games {
		rules, able := m.rules.(engine.Cautious)
		if !able {
			t.Errorf("%s finds nothing odd", m.name)
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			h := sit(t, m.rules, m.options, m.sides, masterOfHisOwn)
			found := ""
			for n := 0; n < letters && found == ""; n++ {
				owed := h.position().Owed()
				if len(owed) == 0 {
					break
				}
				for i, d := range owed {
					view := h.position().View(d.Side)
					if i == len(owed)-1 { // the last that its stop waits for
						if a, kind := oddAnswer(h, rules, view, d); kind != "" {
							found = kind
							h.waitsForOk(d, a)
							continue
						}
					}
					h.write(mailboxOf(d.Side), h.order(d.Side, m.rules.Sensible(view, d, h.chance), "now: yes"), mail.Processed)
				}
				h.clock.move(time.Minute)
			}
			if found == "" {
				t.Errorf("no file was odd in %d letters", letters)
			}
			t.Log(found)
			h.checks()
		})
	}
}

// oddAnswer looks for an answer at which a ruleset has its player look again, and tells the kind of
// what is odd.
func oddAnswer(h *match, rules engine.Cautious, view engine.View, d engine.Decision) (engine.Answer, string) {
	choose := h.rules.Sensible // fair players do what is odd, too
	for range 30 {
		a := choose(view, d, h.chance)
		choose = h.rules.Random
		all := rules.Cautions(view, d, a)
		if i := slices.IndexFunc(all, func(c engine.Caution) bool { return c.Holds }); i >= 0 {
			return a, all[i].Kind
		}
	}
	return nil, ""
}

// waitsForOk sends an odd file, the last that its stop waits for, and ends its wait by ok.
func (h *match) waitsForOk(d engine.Decision, odd engine.Answer) {
	h.Helper()
	for _, s := range h.record(h.id).Seats {
		h.deliver(mailboxOf(s.Side))
	}
	address, stop := mailboxOf(d.Side), h.record(h.id).Stop
	h.write(address, h.order(d.Side, odd), mail.Processed)
	l := h.one(h.deliver(address))
	h.says(l, "Legal, but odd", "the stop waits until", "Reply ok")
	h.clock.move(time.Minute)
	h.restart()
	h.tick()
	if got := h.record(h.id).Stop; got != stop {
		h.Fatalf("%s of %s is odd, and resolves its stop at once:\n%s", d.Kind, d.Side, odd.Orders().Encode())
	}
	for _, s := range h.record(h.id).Seats {
		if s.Side == d.Side {
			continue
		}
		h.silent(mailboxOf(s.Side))
		forged := h.answering(address, "ok", l)
		forged.Parts[0].Text = strings.ReplaceAll(forged.Parts[0].Text, key(h.testOffice, h.id, d.Side), key(h.testOffice, h.id, s.Side))
		h.take(forged, mail.Rejected)
		h.deliver(mailboxOf(s.Side))
	}
	if got := h.record(h.id).Stop; got != stop {
		h.Fatalf("ok with the key of another seat ends the wait of %s", d.Side)
	}
	h.take(h.answering(address, "ok", l), mail.Processed)
	_, all := h.resolutions(h.id)
	if h.record(h.id).Stop == stop || len(all) == 0 {
		h.Fatalf("ok does not end the wait of %s of %s", d.Kind, d.Side)
	}
	for _, a := range all[len(all)-1].Answers {
		if want := odd.Orders().Encode(); a.Decision.Side == d.Side && a.Orders != want {
			h.Errorf("%s of %s has waited and counts as\n%snot\n%s", d.Kind, d.Side, a.Orders, want)
		}
	}
}
