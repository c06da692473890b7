package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// overnight lets odd orders of a player that come by night wait for the morning, or no more.
func overnight(req *request, s *game.Seat) error {
	r := orders.NewReader(game.Vocabulary)
	cancel := false
	if n := req.value("cancel"); n != nil {
		cancel, _ = r.Bool(n)
	}
	if len(r.Problems) > 0 {
		return req.refuse(s, false, r.Problems)
	}
	req.done("command: overnight", mail.Processed)
	if err := req.Do(game.NightWanted{Side: s.Side, Overnight: !cancel}); err != nil || !req.mayAnswer() {
		return err
	}
	say := phrase.Say("office.overnight.on")
	if cancel {
		say = phrase.Say("office.overnight.off")
	}
	req.reply(s, req.intake.Mail, "notice", phrase.Say("office.overnight.subject"), false, say)
	return nil
}
