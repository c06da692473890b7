package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders/phrase"
)

// luckWord takes a player's word. His last word counts; once all words are in none can be
// changed, since the game has begun.
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
		v.post(s, "notice", v.intake.Mail, v.letters.Short(s, nil, phrase.Say("office.luck.subject"), phrase.Say("office.luck.taken", phrase.Literal("word", word))))
	}
	return v.Do(game.Settled{})
}
