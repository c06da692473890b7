package templates

import (
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/whatif"
	"berthier/orders/phrase"
)

func sampleSpread() *whatif.Spread {
	fire := func(hits int) phrase.Phrase {
		return phrase.Say("smp.fire", phrase.Name("unit", "unit", "F-07"), phrase.Name("side", "side", "allied"), phrase.Name("town", "town", "ligny"),
			phrase.Numbers("dice", []int{4, 6, 2}), phrase.Number("hits", hits))
	}
	return &whatif.Spread{
		Runs: 100,
		Told: []whatif.Tally{
			{Clause: "NAP-6.33", Say: fire(1), Times: 40},
			{Clause: "NAP-6.33", Others: 12, Times: 60},
			{Clause: "NAP-5.1", Say: phrase.Say("smp.seen", phrase.Number("n", 4), phrase.Names("towns", "town", []string{"ligny"})), Others: 1, Times: 7},
		},
		Rest:  3,
		Filed: []whatif.Filed{{Key: "regroup", Answered: 60, Misfit: 4}, {Key: "terrain"}},
		Ends:  []whatif.End{{Outcome: engine.Outcome{Winners: []engine.Side{"french"}, Reason: fire(2)}, Times: 2}},
		Next:  []whatif.Next{{Decision: sampleOwed().Decision, Times: 97}},
		Open:  1,
	}
}

// The answer to a draft that was tried out: sentences alike stand together, what is
// left out is counted, and the answer says what it was found from.
func TestWhatMightFollow(t *testing.T) {
	for language, wants := range map[string][]string{
		"en": {"played out 100 times from nothing but what you can see", "Of 100", "    60  … or one of 12 others like it.", "… or another like it.", "3 rarer sentences are left out.",
			"60 regroup: it answers its stop", "4 regroup: its stop comes, and it does not fit", "0 terrain: it answers its stop", "The game would end", "You would be asked next", "One try was broken off", "What you may not know was never used."},
		"it": {"giocata 100 volte a partire soltanto da ciò che vedi", "Su 100", "    60  … oppure una di altre 12 simili.", "… oppure un'altra simile.", "Sono omesse 3 frasi più rare.",
			"60 regroup: risponde alla sua domanda", "4 regroup: la sua domanda viene, e non è adatto", "La partita finirebbe", "La tua decisione successiva sarebbe", "Una prova è stata interrotta", "non è mai stato usato"},
	} {
		accepted := sampleAccepted(language)
		accepted.Draft, accepted.WhatIf = true, sampleSpread()
		l := sampleWords(t).Accepted(accepted)
		checkLetter(t, l)
		for _, want := range wants {
			if !strings.Contains(strings.Join(strings.Fields(l.Text), " "), strings.TrimSpace(strings.Join(strings.Fields(want), " "))) {
				t.Errorf("%s: the letter does not say %q:\n%s", language, want, l.Text)
			}
		}
		if strings.Count(l.Text, "[NAP-6.33]") != 1 || !strings.Contains(l.HTML, "simili") && !strings.Contains(l.HTML, "others like it") {
			t.Errorf("%s:\n%s", language, l.Text)
		}
	}
}
