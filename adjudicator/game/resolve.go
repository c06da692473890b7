package game

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Normal is an answer in the form on which the dice of the game depend.
func Normal(t *Turn, a engine.Answer) string {
	if t.Game.Former() {
		return log.NormalForm(t.Game.DiceScheme(), t.Rules, a)
	}
	return log.NormalForm(t.Game.DiceScheme(), nil, a)
}

// Dated gives a file the meaning that the words of the game have.
func Dated(t *Turn, doc *orders.Document) *orders.Document {
	doc.Former = t.Game.Former()
	return doc
}

// asNormal gives an answer as its normal form says it: what the log has is what is
// carried out, and nothing else that the answer might hold.
func asNormal(t *Turn, decision engine.Decision, a engine.Answer) (engine.Answer, string, error) {
	text := Normal(t, a)
	if t.Game.DiceScheme() == log.FirstScheme {
		return a, text, nil
	}
	doc, problems := orders.Parse(text, nil)
	if len(problems) == 0 {
		var again engine.Answer
		if again, problems = t.Rules.Read(t.View(decision.Side), decision, Dated(t, doc)); len(problems) == 0 {
			if Normal(t, again) == text {
				return again, text, nil
			}
		}
	}
	return nil, "", fmt.Errorf("resolve %s: the answer of %s to %s does not read as itself", t.Game.ID, decision.Side, decision.Kind)
}

// opening finds the entry of the file of an answer in force, and the salt that opens
// its seal; none if the answer has no file, or has changed since.
func opening(t *Turn, entry uint64, side engine.Side, normal string) (uint64, string, error) {
	if entry == 0 || t.Game.DiceScheme() == log.FirstScheme {
		return 0, "", nil
	}
	var f log.Taken
	e, err := t.Entry(entry, &f)
	if err != nil {
		return 0, "", err
	}
	if e.Kind != log.KindTaken || e.Seat != side || f.Seal == "" || log.SealOf(f.Salt, normal) != f.Seal {
		return 0, "", nil
	}
	return entry, f.Salt, nil
}

// KeepAnswer keeps the file of an answer in force; nil forgets it.
func (t *Turn) KeepAnswer(side engine.Side, file []byte) {
	if t.Answers == nil {
		t.Answers = map[engine.Side][]byte{}
	}
	t.Answers[side] = file
	delete(t.Readings, side)
}

// AnswerFile gives the file of an answer in force.
func (t *Turn) AnswerFile(side engine.Side) ([]byte, error) {
	if file, ok := t.Answers[side]; ok {
		return file, nil
	}
	return t.Past.AnswerOf(side)
}

// Reading is an answer in force, as its file reads.
type Reading struct {
	answer engine.Answer
	ok     bool
}

// Answer reads the answer of a seat that counts at present, from its file. There is none if
// the seat has not answered, or if the rules have changed so that the file is no longer
// legal.
func (t *Turn) Answer(s *Seat) (engine.Answer, bool, error) {
	if s.Owes == nil || s.Owes.Answer == nil {
		return nil, false, nil
	}
	if r, ok := t.Readings[s.Side]; ok {
		return r.answer, r.ok, nil
	}
	file, err := t.AnswerFile(s.Side)
	if err != nil {
		return nil, false, err
	}
	doc, problems := orders.ParseAccepted(string(file))
	var r Reading
	if len(problems) == 0 {
		r.answer, problems = t.Rules.Read(t.View(s.Side), s.Owes.Decision, Dated(t, doc))
		r.ok = len(problems) == 0
	}
	t.read(s.Side, r)
	return r.answer, r.ok, nil
}

// read notes how an answer in force reads, so that its file is not read again.
func (t *Turn) read(side engine.Side, r Reading) {
	if t.Readings == nil {
		t.Readings = map[engine.Side]Reading{}
	}
	t.Readings[side] = r
}

// allAnswers gives the answers with which the present stop is resolved, notes how each came
// about, and gives the seats that were silent. It gives no answers if the game
// stands still now.
func allAnswers(t *Turn, entry *log.Resolved) (map[engine.Side]engine.Answer, []*Seat, error) {
	answers := map[engine.Side]engine.Answer{}
	var silent []*Seat
	for _, decision := range t.Position.Owed() {
		s := t.Game.Seat(decision.Side)
		if s == nil || s.Owes == nil || s.Owes.Decision != decision {
			return nil, nil, fmt.Errorf("resolve %s: the record does not know that %s owes %s", t.Game.ID, decision.Side, decision.Kind)
		}
		given := log.Given{Decision: decision, SeatStop: s.Owes.Stop, By: "player"}
		answer, ok, err := t.Answer(s)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case ok && (s.Owes.Answer.GM || s.Owes.Answer.By == log.ByGM):
			given.By = log.ByGM
			s.Told = append(s.Told, News{Say: phrase.Say("office.gm-answered", phrase.Within("stop", SayStop(s.Owes)))})
		case ok && s.Owes.Answer.By == log.ByAhead:
			if err := byAhead(t, s, &given); err != nil {
				return nil, nil, err
			}
		case ok && s.Owes.Answer.By != "":
			given.By = s.Owes.Answer.By
		case ok:
			s.Streak = 0
		case s.Bot, s.Person.Bot != "", s.Resigned && t.Game.Silence.Bot > 0:
			code := "office.bot-answered"
			given.By, given.Bot = log.ByBot, t.Game.Rules
			if answer, ok = botAnswer(t, s); !ok {
				given.Bot = ""
				given.By, code = log.ByDefault, "office.defaulted"
				answer = t.Rules.Default(t.View(s.Side), decision)
			}
			s.Told = append(s.Told, News{Say: phrase.Say(code, phrase.Within("stop", SayStop(s.Owes)))})
			if s.Person.Bot == "" && s.Lent == nil {
				silent = append(silent, s)
			}
		default:
			given.By = log.ByDefault
			answer = t.Rules.Default(t.View(s.Side), decision)
			code := "office.defaulted"
			if s.Owes.Excused {
				given.Early, code = true, "office.processed.default"
			} else if s.Owes.Answer != nil {
				code = "office.no-longer-legal" // he was not silent
			} else {
				silent = append(silent, s)
			}
			s.Told = append(s.Told, News{Say: phrase.Say(code, phrase.Within("stop", SayStop(s.Owes)))})
		}
		if answer, given.Orders, err = asNormal(t, decision, answer); err != nil {
			return nil, nil, standStill(t, err)
		}
		if ok && s.Owes.Answer != nil && given.Part == nil {
			if given.Entry, given.Salt, err = opening(t, s.Owes.Answer.Entry, s.Side, given.Orders); err != nil {
				return nil, nil, err
			}
		}
		if a := s.Owes.Answer; a != nil && a.Files != nil {
			given.Aside = slices.Clone(a.Files.Used)
		}
		given.Files = filesLater(t, s.Owes.Answer, given.Entry)
		answers[decision.Side] = answer
		entry.Answers = append(entry.Answers, given)
	}
	return answers, silent, nil
}

// Resolve plays on from the present stop to the next, or to the end, of which everybody is
// told. The seats that are asked there are added to asked.
func Resolve(t *Turn, asked map[engine.Side]bool) error {
	if err := ResolveAgain(t, Again{}, asked); err != nil || t.Game.Phase != Over {
		return err
	}
	o, _ := t.Position.Outcome()
	TellEnd(t, o)
	t.remark("game over", nil)
	return nil
}

// Again says how a stop is resolved that was resolved before.
type Again struct {
	Ruled map[int]int // rolls that a ruling replaces: their number from 1 on, and the result
	Entry uint64      // of the log, that resolved it before with the same answers; 0: others are given
	// Asked are the stops that opened then because something was filed ahead, perhaps by
	// players who have left since; nil: those for which something waits.
	Asked map[engine.Side][]string
}

// ResolveAgain plays on as [Resolve] does, but nobody is told of the end yet.
func ResolveAgain(t *Turn, again Again, asked map[engine.Side]bool) error {
	entry := log.Resolved{Answers: []log.Given{}}
	answers, silent, err := allAnswers(t, &entry)
	if err != nil {
		return err
	}
	if answers == nil {
		return nil // the game stands still
	}
	if entry.Asked = waits(t, answers); again.Asked != nil {
		entry.Asked = again.Asked
	}
	hash := log.HashOrders(entry.Answers)
	entry.Orders = hex.EncodeToString(hash[:])
	entry.Ruled, entry.Again = again.Ruled, again.Entry
	ruled := &engine.RuledDice{Dice: log.DiceOf(t.Game.DiceScheme(), t.Game.Seed, t.Game.ID, t.Game.Stop, t.Game.Words(), entry.Answers), Results: entry.Ruled}
	dice := &engine.Recorder{Dice: ruled}

	var f engine.Foreseen
	were := endSoon(t)
	if were != nil {
		f, _ = engine.Foresee(t.Rules, t.Position)
	}

	// The ruleset works on a copy: if it fails, the game stands where it stood.
	next := t.Position.Clone()
	events, snapshot, err := course.Advance(next, answers, dice, entry.Asked)
	if err != nil {
		return standStill(t, err)
	}
	entry.Events, entry.Rolls = events, dice.Rolls
	if err := tellAllVerdicts(t); err != nil { // before what was answered is over
		return err
	}
	sum := sha256.Sum256(snapshot)
	entry.Position = hex.EncodeToString(sum[:])
	if o, ended := next.Outcome(); ended {
		entry.Outcome = &o
	}
	if err := t.Log(log.Entry{Kind: log.KindResolved, By: "office", Data: entry}); err != nil {
		return err
	}
	t.Position, t.Moved = next, true
	t.Views = map[engine.Side]engine.View{}
	watched(t, entry.Events)
	for _, s := range t.Game.Seats {
		if s.Owes != nil {
			t.KeepAnswer(s.Side, nil)
			s.Owes, s.Spoken = nil, nil
		}
	}
	t.Readings = nil
	seq := t.Last.Seq
	if err := TellEvents(t, entry.Events); err != nil {
		return err
	}
	t.remark("stop resolved", nil)
	lapse(t)
	if entry.Outcome != nil {
		t.Remember(seq, log.KindResolved, snapshot)
		return End(t, *entry.Outcome)
	}
	byBot := slices.ContainsFunc(entry.Answers, func(g log.Given) bool { return g.By == log.ByBot })
	if err := wereSilent(t, silent, byBot); err != nil {
		return err
	}
	if err := OpenStop(t); err != nil {
		return err
	}
	t.Remember(seq, log.KindResolved, snapshot)
	if err := takeSoon(t, were, f, entry.Events); err != nil {
		return err
	}
	for _, s := range t.Game.Seats {
		if s.Owes != nil || s.Soon != nil {
			asked[s.Side] = true
		}
	}
	return askedOnce(t)
}
