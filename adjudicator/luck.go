package adjudicator

import (
	"strings"
	"unicode/utf8"

	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// longestWord is how many letters a word for luck may have.
const longestWord = 80

// luckWord takes a player's word. The last one counts; once all are in none can be
// changed, for the game has begun.
func (v *visit) luckWord(s *game.Seat) error {
	r := orders.NewReader(game.Vocabulary)
	text, _ := r.Text(v.value("word"))
	word := strings.Join(strings.Fields(text), " ")
	problems := r.Problems
	switch {
	case !v.Game.AsksLuck():
		problems = append(problems, v.fault("command", phrase.Say("office.luck.none")))
	case word == "":
		p := v.fault("word", phrase.Say("office.luck.empty"))
		p.Remedy = phrase.Say("office.luck.write")
		problems = append(problems, p)
	case utf8.RuneCountInString(word) > longestWord:
		problems = append(problems, v.fault("word", phrase.Say("office.luck.long", phrase.Number("most", longestWord))))
	}
	if len(problems) > 0 {
		return v.refuse(s, false, problems)
	}
	v.done("command: luck", mail.Processed)
	if err := v.Do(game.GaveWord{Side: s.Side, Word: word, Letter: v.intake.reference()}); err != nil {
		return err
	}
	if v.mayAnswer() {
		v.post(s, "notice", v.intake.Mail, v.office.words.Notice(templates.Notice{
			Heading: v.letters.Heading(s), Subject: phrase.Say("office.luck.subject"), Lines: []phrase.Phrase{phrase.Say("office.luck.taken", phrase.Literal("word", word))},
		}))
	}
	return v.Do(game.Settled{})
}
