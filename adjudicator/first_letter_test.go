package adjudicator

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"berthier/engine"
)

// firstLines is how many lines a first letter has, with its head and its box, to say what the
// game is.
const firstLines = 30

// TestTheFirstLetterExplainsTheGame reads the first letter of each seat of each ruleset, in both
// languages: within so many lines it says how the game is won, how often its reader is asked,
// what is written how (what stands in brackets, too), and where he reads more; and it has no
// line that is too wide.
func TestTheFirstLetterExplainsTheGame(t *testing.T) {
	games := settings(map[string][]setting{
		"napoleon": {{options: "setup: free"}, {options: "edition: 3e, setup: historical"}, {options: "players: 3"}},
		"waterloo": {{options: "scenario-length: quick"}, {options: "scenario-length: full"}, {options: "players: 3"}},
	})
	for _, of := range games[:unraced(len(games))] {
		for turn := range 2 { // so that each seat has each language once
			t.Run(fmt.Sprintf("%s/%s/%d", of.rules.About().ID, of.options, turn), func(t *testing.T) {
				sides := append(append([]string{}, of.sides[turn:]...), of.sides[:turn]...)
				h := sit(t, of.rules, of.options, sides, masterOfHisOwn)
				for _, side := range of.sides {
					text := h.deliver(mailboxOf(engine.Side(side)))[0].Parts[0].Text
					language := "en"
					if strings.Contains(text, "La partita in breve") {
						language = "it"
					}
					begins := map[string]string{"en": "The game in short", "it": "La partita in breve"}[language]
					ends := map[string]string{"en": "command: help", "it": "comando: aiuto"}[language]
					upTo, words := 0, strings.Split(text, "\n")
					for n, line := range words {
						if utf8.RuneCountInString(line) > 72 {
							t.Errorf("%s: line %d has more than 72 columns: %s", side, n+1, line)
						}
						if upTo == 0 && strings.Contains(line, ends) {
							upTo = n + 1
						}
					}
					said := strings.Join(strings.Fields(strings.Join(words[:upTo], " ")), " ")
					for _, missing := range unsaid(h, engine.Side(side), language, said) {
						t.Errorf("%s, %s: the introduction does not say %q:\n%s", side, language, missing, said)
					}
					if !strings.Contains(strings.Join(words[:upTo], "\n"), "[...]: ") {
						t.Errorf("%s, %s: the introduction does not say what brackets are:\n%s", side, language, strings.Join(words[:upTo], "\n"))
					}
					if !strings.Contains(text, begins) || upTo == 0 || upTo > firstLines {
						t.Errorf("%s, %s: the introduction ends with line %d, not %d at most:\n%s", side, language, upTo, firstLines, strings.Join(words[:min(len(words), 40)], "\n"))
					}
				}
			})
		}
	}
}

// unsaid is what a first letter has to say of its game and does not: what the rules say of it, how it is
// won among that, and how many letters its reader will write.
func unsaid(h *match, side engine.Side, language, said string) (missing []string) {
	view := h.position().View(side)
	x := h.rules.(engine.Introducing).Introduce(view)
	if len(x.Game) < 2 {
		return []string{"what the game is and how it is won"}
	}
	words, err := catalogue()
	if err != nil {
		h.Fatal(err)
	}
	for _, one := range x.Game {
		sentence := strings.Join(strings.Fields(words.Say(language, one, view.Spell)), " ")
		if !strings.Contains(strings.ToLower(said), strings.ToLower(strings.TrimSuffix(sentence, "."))) {
			missing = append(missing, sentence)
		}
	}
	pace := h.record(h.id).Pace[side]
	if pace == "" {
		pace = engine.EveryDecision
	}
	if n := x.Letters[pace]; n == 0 || !strings.Contains(said, " "+strconv.Itoa(n)+" ") {
		missing = append(missing, fmt.Sprint(n, " letters at the pace ", pace))
	}
	return missing
}
