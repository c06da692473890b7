package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
)

// A program that answers every letter, and marks its own as nobody's, must not keep
// the office talking for ever. So an exchange with one address in which its letters
// change nothing, because they can't be read, repeat what is in force or only ask,
// ends after a set number of answers. The first letter that does something begins
// another, and so does a week without letters. What the letters order counts all
// the same, and what came of an order file is told unless it was told before.

// deed tells whether a letter does more than to be refused, to be tried out, to ask,
// or to repeat what is in force.
func (v *visit) deed() bool {
	if len(v.faults) > 0 {
		return false
	}
	if slices.Contains([]string{"press", "new-key"}, v.doc.Command) {
		return true
	}
	return slices.ContainsFunc(v.Kinds, func(kind string) bool {
		switch kind {
		case log.KindRefused, log.KindReturned:
			return false
		case log.KindTaken, log.KindStanding:
			return !v.repeats
		}
		return true
	})
}

// spend counts an answer to a letter that changes nothing, and tells whether it may
// go. If that ends the exchange, player and game master are told.
func (v *visit) spend(weight int) bool {
	may, ended := v.office.talks.Spend(v.intake.From, v.Now, weight)
	if !ended {
		return may
	}
	v.office.log.Warn("exchange ended: letters that change nothing", "game", v.Game.ID, "msg_id", v.intake.Mail.MessageID)
	if s := v.Game.Seat(v.who.Seat); s != nil && !v.who.Gm {
		if err := v.Do(game.TalkEnded{Side: s.Side}); err != nil { // nothing is read for it that could fail
			v.office.log.Error("end of an exchange not told", "game", v.Game.ID, "error", err)
		}
	}
	return may
}

// mayAnswer tells whether one more answer may go to who has shown his key, to a
// letter that is no order file: of those [visit.tellOf] keeps account. What changes
// something is always answered, but letters to other players, and new keys, of
// which an hour has a set number. A player is told of what gets no answer.
func (v *visit) mayAnswer() bool {
	weight := intake.AnswerWeight
	if v.who.Gm {
		weight = intake.GMWeight
	}
	done := v.deed()
	if done {
		v.office.talks.Begin(v.intake.From)
		if !slices.Contains([]string{"press", "new-key"}, v.doc.Command) {
			return true
		}
	}
	if v.intake.mayAnswer("", weight) {
		return done || v.spend(weight)
	}
	if s := v.Game.Seat(v.who.Seat); s != nil && !v.who.Gm && (done || !s.Due.IsZero() || v.spend(weight)) {
		v.unanswered(s, done)
	}
	return false
}

// mayAnswerGM tells whether the game master may have the answer to an order file
// that he wrote for a side, or the refusal of a command: what changes something is always answered, and so is a
// verdict that he was not told yet.
func (v *visit) mayAnswerGM(verdict string) bool {
	if v.deed() {
		v.office.talks.Begin(v.intake.From)
		return true
	}
	fresh := v.office.talks.Fresh(v.intake.From, v.Now, verdict)
	return v.spend(intake.GMWeight) && (fresh || v.intake.mayAnswer("", intake.GMWeight))
}
