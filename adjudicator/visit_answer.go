package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
)

// answer judges an order file for a seat, and takes it as its answer if it is
// good. The game master may answer for a seat.
func (v *visit) answer(s *game.Seat, byGM bool) error {
	file := v.form()
	if file.Standing() {
		given, problems := file.Instructions(s, v.problems)
		if len(problems) > 0 {
			return v.refuse(s, byGM, problems)
		}
		return v.instruct(s, byGM, given)
	}
	answer, problems := file.Orders(s, v.problems)
	if len(problems) > 0 {
		return v.refuse(s, byGM, problems)
	}
	return v.accept(s, byGM, answer)
}

// file is what was judged, as the game has it.
func (v *visit) file(s *game.Seat, byGM bool, t log.Taken) game.File {
	return game.File{Side: s.Side, ByGM: byGM, Letter: log.HexOf(v.intake.Mail.Digest), Taken: t}
}

func (v *visit) taken(s *game.Seat) log.Taken {
	// The log is published when the game is over; a key is nobody else's even then.
	file := intake.HideKey(v.doc.Source, v.office.keys.Seat(v.Game, s))
	if v.Game.GM.Address == v.intake.From {
		file = intake.HideKey(file, v.office.keys.GM(v.Game))
	}
	t := log.Taken{File: file, MessageID: v.intake.Mail.MessageID, Sent: v.intake.Written(), Final: v.doc.Final, Note: v.doc.Note, Refiled: v.refiled}
	if s.Owes != nil {
		t.SeatStop = s.Owes.Stop
	}
	return t
}
