package adjudicator

import (
	"time"

	"berthier/adjudicator/game"
	"berthier/mail"
	"berthier/orders/phrase"
)

// vacation books an absence, or withdraws what is booked.
func (v *visit) vacation(s *game.Seat) error {
	booked, cancel, problems := v.form().Absence(s)
	if len(problems) > 0 {
		return v.refuse(s, false, problems)
	}
	v.done("absence", mail.Processed)
	if err := v.Do(game.WentAway{Side: s.Side, Booked: booked, Cancel: cancel, Letter: v.intake.reference()}); err != nil {
		return err
	}
	if v.mayAnswer() {
		left := max(v.Game.Absence-game.Away(s.Absences), 0)
		v.reply(s, v.intake.Mail, "notice", phrase.Say("office.absence.subject", game.SideName(s.Side)), false,
			v.letters.AtHis(s.Person, game.SayAbsence("office.absence.you", s, cancel, booked)),
			phrase.Say("office.absence.left", phrase.Number("days", int(left/(24*time.Hour)))))
	}
	return v.Do(game.Settled{})
}
