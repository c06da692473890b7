package adjudicator

import (
	"time"

	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders/phrase"
)

// vacation books an absence, or withdraws what is booked.
func (req *request) vacation(s *game.Seat) error {
	booked, cancel, problems := req.form().Absence(s)
	if len(problems) > 0 {
		return req.refuse(s, false, problems)
	}
	req.done("absence", mail.Processed)
	if err := req.Do(game.WentAway{Side: s.Side, Booked: booked, Cancel: cancel, Letter: req.intake.reference()}); err != nil {
		return err
	}
	if req.mayAnswer() {
		if cancel {
			booked.Until = req.Now
		}
		left, within := req.Game.AbsenceLeft(s, booked), "office.absence.left"
		if req.Game.League != "" {
			within += "-year"
		}
		req.reply(s, req.intake.Mail, "notice", phrase.Say("office.absence.subject", game.SideName(s.Side)), false,
			req.letters.AtHis(s.Person, game.SayAbsence("office.absence.you", s, cancel, booked)),
			phrase.Say(within, phrase.Number("days", int(left/(24*time.Hour)))))
	}
	return req.Do(game.Settled{})
}
