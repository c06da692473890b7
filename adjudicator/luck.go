package adjudicator

import (
	"strings"
	"unicode/utf8"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// longestWord is how many letters a word for luck may have.
const longestWord = 80

// wordNotice asks a player for his word.
func (d *desk) wordNotice(s *game.Seat) templates.Notice {
	n := templates.Notice{Heading: d.heading(s), Subject: phrase.Say("office.luck.subject"),
		Lines: []phrase.Phrase{
			phrase.Say("office.luck.what"),
			phrase.Say("office.luck.commitment", phrase.Literal("commitment", log.Commitment(d.Game.Seed)), phrase.Number("scheme", d.Game.DiceScheme())),
			phrase.Say("office.luck.do"),
		},
		Texts: []string{orders.Mapping().Set("game", orders.Text(d.Game.ID)).Set("key", orders.Text(d.office.seatKey(d.Game, s))).
			Set("command", orders.Text("luck")).Set("word", orders.Text("")).Encode()}}
	if !d.Game.Luck.Until.IsZero() {
		n.Lines = append(n.Lines, phrase.Say("office.luck.until", phrase.Within("until", d.office.sayMoment(s.Person, d.Game.Luck.Until))))
	}
	return n
}

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
			Heading: v.heading(s), Subject: phrase.Say("office.luck.subject"), Lines: []phrase.Phrase{phrase.Say("office.luck.taken", phrase.Literal("word", word))},
		}))
	}
	return v.Do(game.Settled{})
}
