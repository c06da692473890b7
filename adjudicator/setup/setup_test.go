package setup

import (
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/engine/napoleon"
	"berthier/engine/waterloo"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const twoSides = `
game: lot-1
title: The first
system: lots
options: {rounds: 3}
seats:
  red: {name: Rosa, address: red@play.example, language: en, zone: Europe/Rome}
  blue: {name: Bruno, address: Blue@play.example, language: it}
gm: {name: Gina, address: gm@club.example}
deadline: 3d
reminders: [24h, 2h]
seed: "a fixed seed"
`

// Every fault of a set-up is told at once, with its place. No office is needed for it.
func TestSetupFaults(t *testing.T) {
	rules := enginetest.New()
	reader := &Reader{Systems: map[string]engine.Ruleset{"lots": rules}, Names: []string{"lots"}, Languages: []string{"en", "it"}, Repeatable: true,
		Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
	for _, c := range []struct {
		name, text string
		want       []string // line:column code
	}{
		{"empty", "", []string{"0:0 order.empty-file"}},
		{"good", twoSides, nil},
		{"Italian keys", strings.NewReplacer("game:", "partita:", "seats:", "posti:", "gm:", "arbitro:", "deadline:", "scadenza:", "address:", "indirizzo:").Replace(twoSides), nil},
		{"many", `game: Lot 1!
system: lotz
seats:
  red: {name: R, address: nobody, zone: Mars/Olympus}
gm: {address: gm@club.example, language: fr}
deadline: 3x
reminders: [1h, soon]
early: perhaps
colour: red
`, []string{"1:7 office.setup.game-id", "2:9 order.unknown-setup-system", "4:27 office.setup.address", "4:41 office.setup.zone",
			"5:42 office.setup.language", "6:11 office.duration", "7:17 office.duration", "8:8 order.unknown-word", "9:1 order.unknown-key"}},
		{"sides", strings.NewReplacer("  blue:", "  yellow:").Replace(twoSides), []string{"7:3 order.unknown-setup-side", "9:3 office.setup.no-seat"}[:0]},
		{"rules", strings.Replace(twoSides, "rounds: 3", "rounds: 99", 1), []string{"5:10 play.option-value"}},
		{"option", strings.Replace(twoSides, "rounds: 3", "round: 3", 1), []string{"5:11 order.unknown-setup-option"}},
		{"never", twoSides + "early: no\n" + "", nil},
		{"never resolved", strings.Replace(twoSides, "deadline: 3d", "deadline: {default: none}\nearly: no", 1), []string{"10:11 office.setup.never"}},
		{"nothing", "game: x\n", []string{"1:1 order.missing-key", "1:1 order.missing-key", "1:1 order.missing-key"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, problems := reader.Read(c.text, nil)
			var got []string
			for _, p := range problems {
				got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Why.Code))
			}
			switch {
			case c.name == "sides":
				if len(got) != 2 || !strings.HasSuffix(got[0], "setup-side") && !strings.HasSuffix(got[1], "setup-side") {
					t.Errorf("got %q", got)
				}
			case c.name == "empty":
				if len(got) != 1 {
					t.Errorf("got %q", got)
				}
			case !slices.Equal(got, c.want):
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if (s == nil) != (len(problems) > 0) {
				t.Error("a set-up with faults, or none without")
			}
		})
	}
}

// A pace is one word, or one by seat; it names the policies with which each seat begins.
// Without one all begin at the pace postal.
func TestPace(t *testing.T) {
	reader := &Reader{Systems: map[string]engine.Ruleset{"lots": enginetest.New(), "waterloo": waterloo.New()}, Names: []string{"lots", "waterloo"},
		Languages: []string{"en", "it"}, Repeatable: true, Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
	text := "game: w-1\nsystem: waterloo\nseats:\n  french: {address: red@play.example}\n  anglo: {address: blue@play.example}\ngm: {address: gm@club.example}\n"
	for _, c := range []struct{ pace, french, anglo, fault string }{
		{"", "attacker-loss: default", "attacker-loss: default", ""},
		{"pace: postal", "attacker-loss: default", "attacker-loss: default", ""},
		{"ritmo: postale", "attacker-loss: default", "attacker-loss: default", ""},
		{"pace: by-plan", "fire: best", "fire: best", ""},
		{"pace: {french: every-decision, anglo: postal}", "attacker-loss: ask", "attacker-loss: default", ""},
		{"pace: {french: every-decision}", "", "", "office.setup.pace-seat"},
		{"pace: {french: postal, anglo: postal, prussian: postal}", "", "", "order.unknown-setup-side"},
		{"pace: fast", "", "", "order.unknown-word"},
	} {
		s, problems := reader.Read(text+c.pace+"\n", nil)
		switch {
		case c.fault != "" && (len(problems) != 1 || problems[0].Why.Code != c.fault || problems[0].Line != 7):
			t.Errorf("%s: %+v", c.pace, problems)
		case c.fault == "" && len(problems) > 0:
			t.Errorf("%s: %+v", c.pace, problems)
		case c.fault == "" && (!strings.Contains(s.Rules.Policies["french"], c.french) || !strings.Contains(s.Rules.Policies["anglo"], c.anglo) || s.Pace["anglo"] == ""):
			t.Errorf("%s: %v", c.pace, s.Rules.Policies)
		}
	}
	if _, problems := reader.Read(twoSides+"pace: postal\n", nil); len(problems) != 1 || problems[0].Why.Code != "office.setup.pace-none" {
		t.Errorf("a system without policies: %+v", problems)
	}
	if s, problems := reader.Read(twoSides, nil); len(problems) > 0 || s.Pace != nil {
		t.Errorf("a system without policies and a set-up without a pace: %+v", problems)
	}
}

// What a pace decides among the options can't be chosen beside any pace. A set-up that
// chooses it and names no pace means what it meant before there were paces.
func TestPaceBesideAnOptionThatItDecides(t *testing.T) {
	reader := &Reader{Systems: map[string]engine.Ruleset{"napoleon": napoleon.New()}, Names: []string{"napoleon"},
		Languages: []string{"en", "it"}, Repeatable: true, Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
	text := "game: n-1\nsystem: napoleon\nseats:\n  french: {address: red@play.example}\n  allied: {address: blue@play.example}\ngm: {address: gm@club.example}\n"
	for _, cadence := range []string{"every-decision", "plans-first"} {
		options := "options: {cadence: " + cadence + "}\n"
		for _, pace := range append(engine.Paces, "{french: postal, allied: every-decision}") {
			_, problems := reader.Read(text+"pace: "+pace+"\n"+options, nil)
			if len(problems) != 1 || problems[0].Why.Code != "office.setup.pace-option" || problems[0].Line != 8 || problems[0].Remedy.Code != "office.setup.pace-either" {
				t.Errorf("pace %s beside cadence %s: %+v", pace, cadence, problems)
			}
		}
		s, problems := reader.Read(text+options, nil)
		if len(problems) > 0 || s.Pace != nil || len(s.Rules.Policies) > 0 || s.Rules.Options["cadence"] != cadence {
			t.Errorf("cadence %s without a pace: %+v, %v", cadence, problems, s)
		}
	}
	s, problems := reader.Read(text+"pace: by-plan\n", nil)
	if len(problems) > 0 || s.Rules.Options["cadence"] != "plans-first" {
		t.Errorf("by-plan: %+v", problems)
	}
}
