package adjudicator

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/tally"
)

// A program that answers every letter, and does not mark its own as automatic, must not keep
// the office writing without end. So an exchange with one address ends after a set number of
// answers, if its letters change nothing, because they can't be read, repeat what is in force
// or only ask. The first letter that changes something begins another exchange, and so does a
// week without letters. What the letters order always counts, and the result of an order file
// is told unless it was told before.

// acts tells whether a letter does more than to be refused, to be tried out, to ask,
// or to repeat what is in force.
func (req *request) acts() bool {
	if len(req.faults) > 0 {
		return false
	}
	if slices.Contains([]string{"press", "new-key"}, req.doc.Command) {
		return true
	}
	return slices.ContainsFunc(req.Kinds, func(kind string) bool {
		switch kind {
		case log.KindRefused, log.KindReturned:
			return false
		case log.KindTaken, log.KindStanding, log.KindAhead:
			return !req.repeats
		}
		return true
	})
}

// spend counts an answer to a letter that changes nothing, and tells whether it may
// go. If that ends the exchange, player and game master are told.
func (req *request) spend(weight int) bool {
	may, ended := req.intake.bill.Spend(req.intake.From, req.Now, weight)
	if !ended {
		return may
	}
	req.office.log.Warn("exchange ended: letters that change nothing", "game", req.Game.ID, "msg_id", req.intake.Mail.MessageID)
	if s := req.Game.Seat(req.who.Seat); s != nil && !req.who.Gm {
		if err := req.Do(game.TalkEnded{Side: s.Side, Until: req.Now.Add(tally.BriefFor)}); err != nil { // nothing is read for it that could fail
			req.office.log.Error("end of an exchange not told", "game", req.Game.ID, "error", err)
		}
	}
	return may
}

// mayAnswer tells whether one more answer may go to a writer who has shown his key, to a
// letter that is not an order file ([request.tellOf] counts those). A letter that changes
// something is always answered, except letters to other players, and new keys, of
// which an hour has a set number. A player is told which of his letters get no answer.
func (req *request) mayAnswer() bool {
	weight := tally.AnswerWeight
	if req.who.Gm {
		weight = tally.GMWeight
	}
	done := req.acts()
	if done {
		req.office.counts.Talks.Begin(req.intake.From, req.Now)
		if !slices.Contains([]string{"press", "new-key"}, req.doc.Command) {
			return true
		}
	}
	if req.intake.mayAnswer("", weight) {
		return done || req.spend(weight)
	}
	if s := req.Game.Seat(req.who.Seat); s != nil && !req.who.Gm && (done || !s.Due.IsZero() || req.spend(weight)) {
		req.unanswered(s, done)
	}
	return false
}

// mayAnswerGM tells whether the game master may have the answer to an order file that he
// wrote for a side, or to a refused command: a letter that changes something is always
// answered, and so is one with a verdict that he was not told yet.
func (req *request) mayAnswerGM(verdict string) bool {
	if req.acts() {
		req.office.counts.Talks.Begin(req.intake.From, req.Now)
		return true
	}
	fresh := req.intake.bill.Fresh(req.intake.From, req.Now, verdict)
	return req.spend(tally.GMWeight) && (fresh || req.intake.mayAnswer("", tally.GMWeight))
}
