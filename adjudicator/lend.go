package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/mail"
)

// lend lends a player's seat to the bot for a while, or gives it back to him.
func (req *request) lend(s *game.Seat) error {
	lent, cancel, problems := req.form().Lent(s)
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	req.done("lent to the bot", mail.Processed)
	if cancel {
		return req.Do(game.TakenBack{Side: s.Side})
	}
	return req.Do(game.LentToBot{Side: s.Side, For: lent, Letter: req.intake.reference()})
}
