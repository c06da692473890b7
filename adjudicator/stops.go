package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Start opens a new game: the first stop, and a report to every seat.
func Start(t *turn) error {
	t.moved = true
	if t.game.Luck != nil {
		AskLuck(t)
		return nil
	}
	return Begin(t)
}

// Begin opens the first stop of a game that was made.
func Begin(t *turn) error {
	const made = 1 // the log begins with the set-up
	t.moved = true
	snapshot, err := t.position.Marshal()
	if err != nil {
		return fmt.Errorf("start %s: %w", t.game.ID, err)
	}
	if _, over := t.position.Outcome(); !over && len(t.position.Owed()) == 0 { // its first stop takes dice
		t.remember(made, log.KindSetup, snapshot)
		if err := Resolve(t, map[engine.Side]bool{}); err != nil {
			return err
		}
	} else {
		if err := OpenStop(t); err != nil {
			return err
		}
		t.remember(made, log.KindSetup, snapshot)
	}
	for _, s := range t.game.Seats {
		SendReport(t, s)
	}
	return Settle(t)
}

// OpenStop asks the sides that owe a decision at the present stop.
func OpenStop(t *turn) error {
	owed := t.position.Owed()
	if len(owed) == 0 {
		return fmt.Errorf("open stop of %s: nothing is owed and the game is not over", t.game.ID)
	}
	t.game.Stop++
	t.game.Resolve = time.Time{}
	for _, decision := range owed {
		s := t.game.seat(decision.Side)
		if s == nil {
			return fmt.Errorf("open stop of %s: side %q has no seat", t.game.ID, decision.Side)
		}
		s.Stops++
		s.Owes = &owes{Stop: s.Stops, Decision: decision, Opened: t.now}
		SetDeadline(t, s, t.now)
		if s.Dead {
			if err := AsksTheDead(t, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// Settle does all that is due now: reminders, deadlines, resolving. Every
// change of a game ends with it.
func Settle(t *turn) error {
	if t.game.asksLuck() && t.game.Paused.IsZero() {
		if err := LuckIn(t); err != nil {
			return err
		}
	}
	asked := map[engine.Side]bool{}
	for t.game.Phase == running && t.game.Paused.IsZero() && !t.game.asksLuck() {
		if err := PassDeadlines(t); err != nil {
			return err
		}
		if !Ready(t) {
			if err := RemindWhoIsDue(t); err != nil {
				return err
			}
			break
		}
		if err := Resolve(t, asked); err != nil {
			return err
		}
	}
	for _, s := range t.game.Seats {
		switch {
		case t.fresh[s.Side] && t.game.asksLuck():
			AskWord(t, s)
		case t.fresh[s.Side]: // whatever the state of the game, he needs to know it
			if s.Stops > 1 { // else his side has no history
				t.toSeat(s, briefed{})
			}
			SendReport(t, s)
		case (asked[s.Side] && s.Owes != nil || s.Moved) && !s.Resigned && t.game.Phase == running:
			SendReport(t, s)
		}
	}
	clear(t.fresh)
	TellObservers(t)
	return nil
}

// PassDeadlines lets the deadlines pass that lie behind. Only the clock lets
// one pass for which no answer is in: a letter may be one of many that lie in
// the mailbox, and the answer among them.
func PassDeadlines(t *turn) error {
	until := t.readUpTo
	for _, s := range t.game.Seats {
		o := s.Owes
		if o != nil && s.stands() && !o.GoesOn.IsZero() && !o.GoesOn.After(until) {
			if err := StoodLongEnough(t, s); err != nil {
				return err
			}
		}
		if o == nil || o.Passed || o.Deadline.IsZero() || o.Deadline.After(until) || s.stands() {
			continue
		}
		silent := o.Answer == nil && s.played()
		switch {
		case silent && !t.byClock:
			continue
		case silent && s.ends().After(until):
			if err := Warn(t, s); err != nil {
				return err
			}
			continue
		}
		if err := Pass(t, s); err != nil {
			return err
		}
	}
	return nil
}

// Pass lets the deadline of what a seat owes pass.
func Pass(t *turn, s *seat) error {
	s.Owes.Passed = true
	if s.Owes.Answer != nil || !s.played() {
		return nil
	}
	return t.note(log.Entry{Kind: log.KindDeadline, Seat: s.Side, By: "office", Data: map[string]any{"deadline": s.Owes.Deadline, "seat_stop": s.Owes.Stop}})
}

// Warn tells a player once that his deadline has passed, and until when he is
// waited for all the same.
func Warn(t *turn, s *seat) error {
	if s.Owes.Warned {
		return nil
	}
	s.Owes.Warned = true
	if err := t.note(log.Entry{Kind: log.KindLate, Seat: s.Side, By: "office", Data: map[string]any{
		"deadline": s.Owes.Deadline, "until": s.Owes.Late, "seat_stop": s.Owes.Stop,
	}}); err != nil {
		return err
	}
	t.tellOwing(s, "reminder", phrase.Say("office.late.subject"), true, phrase.Say("office.late.what", phrase.Within("until", sayTime(s.Owes.Late))))
	return nil
}

func RemindWhoIsDue(t *turn) error {
	until := t.readUpTo
	for _, s := range t.game.Seats {
		o := s.Owes
		if o == nil || o.Answer != nil || !s.played() || o.Passed || o.Deadline.IsZero() || o.Warned || s.stands() {
			continue
		}
		reminders, due := t.game.Timing.Of(o.Decision.Kind).Reminders, false
		for o.Reminded < len(reminders) && !o.Deadline.Add(-reminders[o.Reminded]).After(until) {
			o.Reminded++
			due = true
		}
		if due {
			if err := Remind(t, s, "office"); err != nil {
				return err
			}
		}
	}
	return nil
}

// Ready tells whether the stop can be resolved now. When only second thoughts
// are in the way, it notes until when they last.
func Ready(t *turn) bool {
	late, early := true, true // every deadline has passed; every stop's rule lets it be resolved before
	var last time.Time
	for _, s := range t.game.Seats {
		o := s.Owes
		if o == nil {
			continue
		}
		early = early && t.game.Timing.Of(o.Decision.Kind).Early
		if !o.Passed && s.played() {
			late = false
			if o.Answer == nil || !o.Answer.Final {
				t.game.Resolve = time.Time{}
				return false
			}
		}
		if o.Deadline.After(last) {
			last = o.Deadline
		}
	}
	if late {
		return true
	}
	if !early {
		return false
	}
	if t.game.Timing.Second == 0 {
		return true
	}
	if t.game.Resolve.IsZero() {
		t.game.Resolve = t.now.Add(t.game.Timing.Second)
		if !last.IsZero() && t.game.Resolve.After(last) {
			t.game.Resolve = last
		}
	}
	return !t.game.Resolve.After(t.readUpTo)
}

// readAnswers is an answer in force, as read again from its file.
type readAnswers struct {
	answer engine.Answer
	ok     bool
}

// inForce reads the answer of a seat that counts at present, from its file. It
// is not there if there is none, or if the rules have changed so that the file
// is no longer legal.
func (t *turn) inForce(s *seat) (engine.Answer, bool, error) {
	if s.Owes == nil || s.Owes.Answer == nil {
		return nil, false, nil
	}
	if r, ok := t.readings[s.Side]; ok {
		return r.answer, r.ok, nil
	}
	file, err := t.answerFile(s.Side)
	if err != nil {
		return nil, false, err
	}
	doc, problems := orders.ParseAccepted(string(file))
	var r readAnswers
	if len(problems) == 0 {
		r.answer, problems = t.rules.Read(t.view(s.Side), s.Owes.Decision, doc)
		r.ok = len(problems) == 0
	}
	if t.readings == nil {
		t.readings = map[engine.Side]readAnswers{}
	}
	t.readings[s.Side] = r
	return r.answer, r.ok, nil
}

// sayGiven names the stop that was answered.
func sayGiven(g log.Given) phrase.Phrase {
	return sayStop(&owes{Stop: g.SeatStop, Decision: g.Decision})
}

// AllAnswers gives the answers with which the present stop is resolved, and notes how
// each came about; with them the seats that were silent. It gives none if the game
// stands still now.
func AllAnswers(t *turn, entry *log.Resolved) (map[engine.Side]engine.Answer, []*seat, error) {
	answers := map[engine.Side]engine.Answer{}
	var silent []*seat
	for _, decision := range t.position.Owed() {
		s := t.game.seat(decision.Side)
		if s == nil || s.Owes == nil || s.Owes.Decision != decision {
			return nil, nil, fmt.Errorf("resolve %s: the record does not know that %s owes %s", t.game.ID, decision.Side, decision.Kind)
		}
		given := log.Given{Decision: decision, SeatStop: s.Owes.Stop, By: "player"}
		answer, ok, err := t.inForce(s)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case ok && (s.Owes.Answer.GM || s.Owes.Answer.By == log.ByGM):
			given.By = log.ByGM
			s.Told = append(s.Told, told{Say: phrase.Say("office.gm-answered", phrase.Within("stop", sayStop(s.Owes)))})
		case ok && s.Owes.Answer.By != "":
			given.By = s.Owes.Answer.By
		case ok:
			s.Row = 0
		case s.Bot, s.Resigned && t.game.Silence.Bot > 0:
			code := "office.bot-answered"
			given.By, given.Bot = log.ByBot, t.game.Rules
			if answer, ok = BotAnswer(t, s); !ok {
				given.Bot = ""
				given.By, code = log.ByDefault, "office.defaulted"
				answer = t.rules.Default(t.view(s.Side), decision)
			}
			s.Told = append(s.Told, told{Say: phrase.Say(code, phrase.Within("stop", sayStop(s.Owes)))})
			silent = append(silent, s)
		default:
			given.By = log.ByDefault
			answer = t.rules.Default(t.view(s.Side), decision)
			code := "office.defaulted"
			if s.Owes.Answer != nil {
				code = "office.no-longer-legal" // he was not silent
			} else {
				silent = append(silent, s)
			}
			s.Told = append(s.Told, told{Say: phrase.Say(code, phrase.Within("stop", sayStop(s.Owes)))})
		}
		if answer, given.Orders, err = AsNormal(t, decision, answer); err != nil {
			return nil, nil, StandStill(t, err)
		}
		if ok && s.Owes.Answer != nil {
			if given.Entry, given.Salt, err = Opening(t, s.Owes.Answer.Entry, s.Side, given.Orders); err != nil {
				return nil, nil, err
			}
		}
		answers[decision.Side] = answer
		entry.Answers = append(entry.Answers, given)
	}
	return answers, silent, nil
}

// Resolve plays on from the present stop to the next, or to the end. The seats
// that are asked there are added to asked.
func Resolve(t *turn, asked map[engine.Side]bool) error {
	entry := log.Resolved{Answers: []log.Given{}}
	answers, silent, err := AllAnswers(t, &entry)
	if err != nil {
		return err
	}
	if answers == nil {
		return nil // the game stands still
	}
	hash := log.HashOrders(entry.Answers)
	entry.Orders = hex.EncodeToString(hash[:])
	entry.Ruled, entry.Again = t.ruled[t.game.Stop], t.repeats[t.game.Stop]
	ruled := &engine.RuledDice{Dice: log.DiceOf(t.game.scheme(), t.game.Seed, t.game.ID, t.game.Stop, t.game.words(), entry.Answers), Results: entry.Ruled}
	dice := &engine.Recorder{Dice: ruled}

	// The ruleset works on a copy: if it fails, the game stands where it stood.
	next := t.position.Clone()
	snapshot, err := advance(next, answers, dice, &entry)
	if err != nil {
		return StandStill(t, err)
	}
	entry.Rolls = dice.Rolls
	if err := TellAllVerdicts(t); err != nil { // before what was answered is over
		return err
	}
	sum := sha256.Sum256(snapshot)
	entry.Position = hex.EncodeToString(sum[:])
	if o, ended := next.Outcome(); ended {
		entry.Outcome = &o
	}
	if err := t.note(log.Entry{Kind: log.KindResolved, By: "office", Data: entry}); err != nil {
		return err
	}
	t.position, t.moved = next, true
	t.views = map[engine.Side]engine.View{}
	Watched(t, entry.Events)
	for _, s := range t.game.Seats {
		if s.Owes != nil {
			t.keepAnswer(s.Side, nil)
			s.Owes = nil
		}
	}
	t.readings = nil
	seq := t.last.Seq
	if err := TellEvents(t, entry.Events); err != nil {
		return err
	}
	t.remark("stop resolved", nil)
	if entry.Outcome != nil {
		t.remember(seq, log.KindResolved, snapshot)
		return End(t, *entry.Outcome)
	}
	if err := WereSilent(t, silent); err != nil {
		return err
	}
	if err := OpenStop(t); err != nil {
		return err
	}
	t.remember(seq, log.KindResolved, snapshot)
	for _, s := range t.game.Seats {
		if s.Owes != nil {
			asked[s.Side] = true
		}
	}
	return nil
}

// advance plays a position on. A panic of the ruleset is an error: it must not
// end the office for all other games.
func advance(p engine.Position, answers map[engine.Side]engine.Answer, dice engine.Dice, entry *log.Resolved) (snapshot []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the ruleset panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	if entry.Events, err = p.Advance(answers, dice); err != nil {
		return nil, err
	}
	for _, event := range entry.Events {
		if err := log.MayExchange(event.Exchange, p.Sides()); err != nil {
			return nil, err
		}
	}
	if _, ended := p.Outcome(); !ended && len(p.Owed()) == 0 {
		return nil, fmt.Errorf("nothing is owed and the game is not over")
	}
	return p.Marshal()
}

// StandStill pauses a game with which the ruleset can't go on. Nothing is lost:
// the answers stay in force, and resuming tries again.
func StandStill(t *turn, cause error) error {
	t.remark("ruleset failed, game paused", cause)
	t.game.Paused = t.now
	t.game.Fault = clip(cause.Error(), 2000)
	if err := t.note(log.Entry{Kind: log.KindFault, By: "office", Data: map[string]string{"error": t.game.Fault}}); err != nil {
		return err
	}
	t.tellWhoMayKnow(phrase.Say("office.fault.subject"), phrase.Say("office.fault.what", phrase.Number("stop", t.game.Stop), phrase.Literal("error", clip(cause.Error(), 200))),
		phrase.Say("office.fault.do"))
	return nil
}

// End closes the books of a game that the rules have ended.
func End(t *turn, o engine.Outcome) error {
	t.game.Phase = over
	t.game.Resolve = time.Time{}
	if err := t.note(log.Entry{Kind: log.KindOver, By: "office", Data: map[string]any{"outcome": o, "seed": hex.EncodeToString(t.game.Seed)}}); err != nil {
		return err
	}
	if t.hushed { // what was told must be put together first
		return nil
	}
	TellEnd(t, o)
	t.remark("game over", nil)
	return nil
}

// TellEnd sends all players their last report, and tells the game master.
func TellEnd(t *turn, o engine.Outcome) {
	for _, s := range t.game.Seats {
		SendReport(t, s)
	}
	lines := []phrase.Phrase{o.Reason}
	if len(o.Winners) == 0 {
		lines = append(lines, phrase.Say("office.over.draw"))
	} else {
		var ids []string
		for _, side := range o.Winners {
			ids = append(ids, string(side))
		}
		lines = append(lines, phrase.Say("office.over.winners", phrase.Names("winners", "side", ids)))
	}
	t.tellGM(phrase.Say("office.over.subject"), append(lines, SayDice(t)...)...)
}

// outcome tells how the game ended, if it has: as the game master decided, else
// as the rules say.
func (t *turn) outcome() (engine.Outcome, bool) {
	if t.game.Decided != nil {
		return *t.game.Decided, true
	}
	return t.position.Outcome()
}

// SayDice publishes the seed.
func SayDice(t *turn) []phrase.Phrase {
	return []phrase.Phrase{phrase.Say("office.seed", phrase.Literal("seed", hex.EncodeToString(t.game.Seed)),
		phrase.Literal("commitment", log.Commitment(t.game.Seed)))}
}

// Remind sends a seat what it owes.
func Remind(t *turn, s *seat, by string) error {
	if err := t.note(log.Entry{Kind: log.KindReminded, Seat: s.Side, By: by}); err != nil {
		return err
	}
	t.tellOwing(s, "reminder", phrase.Say("office.remind.subject", phrase.Within("stop", sayStop(s.Owes))), true,
		phrase.Say("office.remind.what"))
	return nil
}
