package adjudicator

import (
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// answer judges an order file for a seat, and takes it as its answer if it is
// good. The game master may answer for a seat.
func (v *visit) answer(s *game.Seat, byGM bool) error {
	problems := v.problems
	if v.doc.Side != "" && !v.means(v.doc.Side, s.Side) {
		problems = append(problems, v.fault("side", phrase.Say("office.wrong-side", phrase.Literal("got", v.doc.Side), game.SideName(s.Side))))
	}
	problems = append(problems, v.checkWhatIf()...)
	if rules, ok := v.standing(); ok {
		return v.instruct(s, byGM, rules, problems)
	}
	stop, sound := v.checkStop(s)
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

// means tells whether a text names a side, by id or name in any language.
func (v *visit) means(text string, side engine.Side) bool {
	if orders.Fold(text) == orders.Fold(string(side)) {
		return true
	}
	for _, language := range templates.Languages {
		if orders.Fold(text) == orders.Fold(v.View(side).Spell("side", string(side), language)) {
			return true
		}
	}
	return false
}

// checkStop checks that a file answers what the seat owes, and was not
// overtaken. It tells whether the orders can be judged for that stop.
func (v *visit) checkStop(s *game.Seat) (orders.Problems, bool) {
	one := func(key string, why, remedy phrase.Phrase) orders.Problems {
		p := v.fault(key, why)
		p.Remedy = remedy
		return orders.Problems{p}
	}
	o := s.Owes
	switch {
	case v.Game.Phase != game.Running:
		return one("stop", phrase.Say("office.game-over"), phrase.Phrase{}), false
	case o == nil && v.doc.Stop > 0 && v.doc.Stop <= s.Stops:
		return one("stop", phrase.Say("office.stop-past", phrase.Number("stop", v.doc.Stop)), phrase.Say("office.nothing-owed-now")), false
	case o == nil:
		return one("stop", phrase.Say("office.nothing-owed"), phrase.Say("office.nothing-owed-now")), false
	}
	write := phrase.Say("office.write-stop", phrase.Within("stop", game.SayStop(o)), phrase.Number("number", o.Stop), phrase.Literal("kind", o.Decision.Kind))
	switch {
	case v.value("stop") == nil:
		return one("stop", phrase.Say("office.stop-missing"), write), true
	case v.doc.Stop == 0:
		return nil, true // not a number: told by the reader of the envelope
	case v.doc.Stop < o.Stop:
		return one("stop", phrase.Say("office.stop-past", phrase.Number("stop", v.doc.Stop)), write), false
	case v.doc.Stop > o.Stop:
		return one("stop", phrase.Say("office.stop-ahead", phrase.Number("stop", v.doc.Stop)), write), false
	case v.doc.StopName != "" && !v.meansStop(v.doc.StopName, o.Decision.Kind):
		return one("stop", phrase.Say("office.stop-name", phrase.Literal("got", v.doc.StopName)), write), true
	case v.doc.Serial > 0 && v.doc.Serial <= s.Floor, v.doc.Serial == 0 && v.sent().Before(v.Game.Since):
		return one("serial", phrase.Say("office.before-rewind"), write), false
	case v.doc.Serial > s.Serial:
		return one("serial", phrase.Say("office.serial-unknown", phrase.Number("serial", v.doc.Serial)), phrase.Phrase{}), true
	}
	if o.Answer != nil && !v.doc.Draft {
		if old := v.doc.Serial; old > 0 && o.Answer.Serial > old {
			return one("serial", phrase.Say("office.older-template", phrase.Number("serial", old), phrase.Number("newer", o.Answer.Serial)), phrase.Say("office.overtaken-do")), true
		}
		same := v.doc.Serial == 0 || o.Answer.Serial == 0 || v.doc.Serial == o.Answer.Serial
		if same && v.sent().Before(o.Answer.Sent) {
			return one("", phrase.Say("office.sent-earlier"), phrase.Say("office.overtaken-do")), true
		}
	}
	return nil, true
}

func (v *visit) meansStop(text, kind string) bool {
	if orders.Fold(text) == orders.Fold(kind) {
		return true
	}
	for _, language := range templates.Languages {
		if orders.Fold(text) == orders.Fold(v.View(v.who.Seat).Spell("stop", kind, language)) {
			return true
		}
	}
	return false
}

// sent is when the letter was sent, by the sender's clock, unless that clock is
// ahead of ours.
func (v *visit) sent() time.Time {
	if date := v.intake.Written(); !date.IsZero() && date.Before(v.Now) {
		return date.UTC()
	}
	return v.Now
}

// file is what was judged, as the game has it.
func (v *visit) file(s *game.Seat, byGM bool, t log.Taken) game.File {
	return game.File{Side: s.Side, ByGM: byGM, Letter: log.HexOf(v.intake.Mail.Digest), Taken: t}
}

func (v *visit) taken(s *game.Seat) log.Taken {
	// The log is published when the game is over; a key is nobody else's even then.
	file := intake.HideKey(v.doc.Source, v.office.seatKey(v.Game, s))
	if v.Game.GM.Address == v.intake.From {
		file = intake.HideKey(file, v.office.gmKey(v.Game))
	}
	t := log.Taken{File: file, MessageID: v.intake.Mail.MessageID, Sent: v.intake.Written(), Final: v.doc.Final, Note: v.doc.Note, Refiled: v.refiled}
	if s.Owes != nil {
		t.SeatStop = s.Owes.Stop
	}
	return t
}

// refused is the letter that a file with faults is answered by: it tells orders from
// commands, of which there is nothing to count.
func refused(h templates.Heading, doc *orders.Document, problems orders.Problems) templates.Refused {
	r := templates.Refused{Heading: h, Source: doc.Source, Problems: problems}
	if doc.Root != nil && doc.Command != "answer" {
		r.Asked, r.Command = doc.Field("command") != nil, doc.Command
	}
	return r
}
