package adjudicator

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// answer judges an order file for a seat, and takes it as its answer if it is
// good. The game master may answer for a seat.
func (v *visit) answer(s *game.Seat, byGM bool) error {
	problems := v.problems
	if v.doc.Side != "" && !v.form().Means(v.doc.Side, s.Side) {
		problems = append(problems, v.fault("side", phrase.Say("office.wrong-side", phrase.Literal("got", v.doc.Side), game.SideName(s.Side))))
	}
	problems = append(problems, v.form().CheckWhatIf()...)
	if rules, ok := v.form().Standing(); ok {
		return v.instruct(s, byGM, rules, problems)
	}
	stop, sound := v.form().CheckStop(s)
	problems = append(problems, stop...)
	if missing := game.MissingOrders(v.doc); sound && len(v.problems) == 0 && len(missing) > 0 {
		problems, sound = append(problems, missing...), false
	}
	var answer engine.Answer
	if sound {
		var faults orders.Problems
		answer, faults = v.Rules.Read(v.View(s.Side), s.Owes.Decision, game.Dated(v.Turn, v.doc))
		problems = append(problems, faults...)
	}
	if len(problems) > 0 {
		problems.Sort()
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
