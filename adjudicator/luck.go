package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

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
	word, problems := v.form().LuckWord()
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
