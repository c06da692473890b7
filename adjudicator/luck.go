package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders/phrase"
)

// luckWord takes a player's word. The last one counts; once all are in none can be
// changed, for the game has begun.
func (req *request) luckWord(s *game.Seat) error {
	word, problems := req.form().LuckWord()
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	req.done("command: luck", mail.Processed)
	if err := req.Do(game.GaveWord{Side: s.Side, Word: word, Letter: req.intake.reference()}); err != nil {
		return err
	}
	if req.mayAnswer() {
		req.post(s, "notice", req.intake.Mail, req.letters.Short(s, nil, phrase.Say("office.luck.subject"), phrase.Say("office.luck.taken", phrase.Literal("word", word))))
	}
	return req.Do(game.Settled{})
}
