package adjudicator

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// start opens a new game: the first stop, and a report to every seat.
func (d *desk) start() error {
	d.moved = true
	if d.game.Luck != nil {
		d.askLuck()
		return nil
	}
	return d.begin()
}

// begin opens the first stop of a game that was made.
func (d *desk) begin() error {
	const made = 1 // the log begins with the set-up
	d.moved = true
	snapshot, err := d.position.Marshal()
	if err != nil {
		return fmt.Errorf("start %s: %w", d.game.ID, err)
	}
	if _, over := d.position.Outcome(); !over && len(d.position.Owed()) == 0 { // its first stop takes dice
		d.remember(made, LogSetup, snapshot)
		if err := d.resolve(map[engine.Side]bool{}); err != nil {
			return err
		}
	} else {
		if err := d.openStop(); err != nil {
			return err
		}
		d.remember(made, LogSetup, snapshot)
	}
	for _, s := range d.game.Seats {
		d.sendReport(s)
	}
	return d.settle()
}

// openStop asks the sides that owe a decision at the present stop.
func (d *desk) openStop() error {
	owed := d.position.Owed()
	if len(owed) == 0 {
		return fmt.Errorf("open stop of %s: nothing is owed and the game is not over", d.game.ID)
	}
	d.game.Stop++
	d.game.Resolve = time.Time{}
	for _, decision := range owed {
		s := d.game.seat(decision.Side)
		if s == nil {
			return fmt.Errorf("open stop of %s: side %q has no seat", d.game.ID, decision.Side)
		}
		s.Stops++
		s.Owes = &owes{Stop: s.Stops, Decision: decision, Opened: d.now}
		d.opens(s, d.now)
		if s.Dead {
			if err := d.asksTheDead(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle does all that is due now: reminders, deadlines, resolving. Every
// change of a game ends with it.
func (d *desk) settle() error {
	if d.game.asksLuck() && d.game.Paused.IsZero() {
		if err := d.luckIn(); err != nil {
			return err
		}
	}
	asked := map[engine.Side]bool{}
	for d.game.Phase == running && d.game.Paused.IsZero() && !d.game.asksLuck() {
		if err := d.passDeadlines(); err != nil {
			return err
		}
		if !d.ready() {
			if err := d.remindWhoIsDue(); err != nil {
				return err
			}
			break
		}
		if err := d.resolve(asked); err != nil {
			return err
		}
	}
	for _, s := range d.game.Seats {
		switch {
		case d.fresh[s.Side] && d.game.asksLuck():
			d.askWord(s)
		case d.fresh[s.Side]: // whatever the state of the game, he needs to know it
			if err := d.brief(s); err != nil {
				return err
			}
			d.sendReport(s)
		case (asked[s.Side] && s.Owes != nil || s.Moved) && !s.Resigned && d.game.Phase == running:
			d.sendReport(s)
		}
	}
	clear(d.fresh)
	d.tellObservers()
	return nil
}

// passDeadlines lets the deadlines pass that lie behind. Only the clock lets
// one pass for which no answer is in: a letter may be one of many that lie in
// the mailbox, and the answer among them.
func (d *desk) passDeadlines() error {
	until := d.until()
	for _, s := range d.game.Seats {
		o := s.Owes
		if o != nil && s.stands() && !o.GoesOn.IsZero() && !o.GoesOn.After(until) {
			if err := d.stoodLongEnough(s); err != nil {
				return err
			}
		}
		if o == nil || o.Passed || o.Deadline.IsZero() || o.Deadline.After(until) || s.stands() {
			continue
		}
		silent := o.Answer == nil && s.played()
		switch {
		case silent && !d.byClock:
			continue
		case silent && s.ends().After(until):
			if err := d.warn(s); err != nil {
				return err
			}
			continue
		}
		if err := d.pass(s); err != nil {
			return err
		}
	}
	return nil
}

// pass lets the deadline of what a seat owes pass.
func (d *desk) pass(s *seat) error {
	s.Owes.Passed = true
	if s.Owes.Answer != nil || !s.played() {
		return nil
	}
	return d.note(Entry{Kind: LogDeadline, Seat: s.Side, By: "office", Data: map[string]any{"deadline": s.Owes.Deadline, "seat_stop": s.Owes.Stop}})
}

// warn tells a player once that his deadline has passed, and until when he is
// waited for all the same.
func (d *desk) warn(s *seat) error {
	if s.Owes.Warned {
		return nil
	}
	s.Owes.Warned = true
	if err := d.note(Entry{Kind: LogLate, Seat: s.Side, By: "office", Data: map[string]any{
		"deadline": s.Owes.Deadline, "until": s.Owes.Late, "seat_stop": s.Owes.Stop,
	}}); err != nil {
		return err
	}
	d.notice(s, nil, "reminder", phrase.Say("office.late.subject"), true,
		phrase.Say("office.late.what", phrase.Within("until", d.office.sayMoment(s.Person, s.Owes.Late))))
	return nil
}

func (d *desk) remindWhoIsDue() error {
	until := d.until()
	for _, s := range d.game.Seats {
		o := s.Owes
		if o == nil || o.Answer != nil || !s.played() || o.Passed || o.Deadline.IsZero() || o.Warned || s.stands() {
			continue
		}
		reminders, due := d.game.Timing.of(o.Decision.Kind).Reminders, false
		for o.Reminded < len(reminders) && !o.Deadline.Add(-reminders[o.Reminded]).After(until) {
			o.Reminded++
			due = true
		}
		if due {
			if err := d.remind(s, "office"); err != nil {
				return err
			}
		}
	}
	return nil
}

// ready tells whether the stop can be resolved now. When only second thoughts
// are in the way, it notes until when they last.
func (d *desk) ready() bool {
	late, early := true, true // every deadline has passed; every stop's rule lets it be resolved before
	var last time.Time
	for _, s := range d.game.Seats {
		o := s.Owes
		if o == nil {
			continue
		}
		early = early && d.game.Timing.of(o.Decision.Kind).Early
		if !o.Passed && s.played() {
			late = false
			if o.Answer == nil || !o.Answer.Final {
				d.game.Resolve = time.Time{}
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
	if d.game.Timing.Second == 0 {
		return true
	}
	if d.game.Resolve.IsZero() {
		d.game.Resolve = d.now.Add(d.game.Timing.Second)
		if !last.IsZero() && d.game.Resolve.After(last) {
			d.game.Resolve = last
		}
	}
	return !d.game.Resolve.After(d.until())
}

// readAnswers is an answer in force, as read again from its file.
type readAnswers struct {
	answer engine.Answer
	ok     bool
}

// inForce reads the answer of a seat that counts at present, from its file. It
// is not there if there is none, or if the rules have changed so that the file
// is no longer legal.
func (d *desk) inForce(s *seat) (engine.Answer, bool, error) {
	if s.Owes == nil || s.Owes.Answer == nil {
		return nil, false, nil
	}
	if r, ok := d.readings[s.Side]; ok {
		return r.answer, r.ok, nil
	}
	file, err := d.answerFile(s.Side)
	if err != nil {
		return nil, false, err
	}
	doc, problems := orders.ParseAccepted(string(file))
	var r readAnswers
	if len(problems) == 0 {
		r.answer, problems = d.rules.Read(d.view(s.Side), s.Owes.Decision, d.dated(doc))
		r.ok = len(problems) == 0
	}
	if d.readings == nil {
		d.readings = map[engine.Side]readAnswers{}
	}
	d.readings[s.Side] = r
	return r.answer, r.ok, nil
}

// A Given is an answer with which a stop was resolved.
type Given struct {
	Decision engine.Decision `json:"decision"`
	SeatStop int             `json:"seat_stop"` // number of the stop, as the side counts
	By       string          `json:"by"`        // player, gm, bot, default
	Orders   string          `json:"orders"`    // normal form

	// Entry is the log entry of the file, if it has one, and Salt what opens the seal
	// in it. Bot is the digest of the rules with which the bot answered.
	Entry uint64 `json:"entry,omitempty"`
	Salt  string `json:"salt,omitempty"`
	Bot   string `json:"bot,omitempty"`
}

// Values of [Given.By] when no answer counted.
const (
	byDefault = "default"
	byBot     = "bot"
)

// byGM is who answered, or did something, as the log has it, if the game master
// did.
const byGM = "gm"

// say names the stop that was answered.
func (g Given) say() phrase.Phrase { return sayStop(&owes{Stop: g.SeatStop, Decision: g.Decision}) }

// A Resolved is how a stop was resolved, as the log keeps it.
type Resolved struct {
	Answers  []Given         `json:"answers"`
	Orders   string          `json:"orders_hash"` // of the answers, from which the dice come
	Rolls    []engine.Roll   `json:"rolls,omitempty"`
	Ruled    map[int]int     `json:"ruled,omitempty"` // rolls that a ruling replaced: their number from 1 on, and the result
	Events   []engine.Event  `json:"events"`
	Position string          `json:"position_hash"` // SHA-256 of the snapshot after it
	Outcome  *engine.Outcome `json:"outcome,omitempty"`
	// Again is the log entry of the stop that this one repeats, answers and all, after
	// the game went back behind it: rulings on its dice go on to hold.
	Again uint64 `json:"again,omitempty"`
}

// allAnswers gives the answers with which the present stop is resolved, and notes how
// each came about; with them the seats that were silent. It gives none if the game
// stands still now.
func (d *desk) allAnswers(entry *Resolved) (map[engine.Side]engine.Answer, []*seat, error) {
	answers := map[engine.Side]engine.Answer{}
	var silent []*seat
	for _, decision := range d.position.Owed() {
		s := d.game.seat(decision.Side)
		if s == nil || s.Owes == nil || s.Owes.Decision != decision {
			return nil, nil, fmt.Errorf("resolve %s: the record does not know that %s owes %s", d.game.ID, decision.Side, decision.Kind)
		}
		given := Given{Decision: decision, SeatStop: s.Owes.Stop, By: "player"}
		answer, ok, err := d.inForce(s)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case ok && (s.Owes.Answer.GM || s.Owes.Answer.By == byGM):
			given.By = byGM
			s.Told = append(s.Told, told{Say: phrase.Say("office.gm-answered", phrase.Within("stop", sayStop(s.Owes)))})
		case ok && s.Owes.Answer.By != "":
			given.By = s.Owes.Answer.By
		case ok:
			s.Row = 0
		case s.Bot, s.Resigned && d.game.Silence.Bot > 0:
			code := "office.bot-answered"
			given.By, given.Bot = byBot, d.game.Rules
			if answer, ok = d.botAnswer(s); !ok {
				given.Bot = ""
				given.By, code = byDefault, "office.defaulted"
				answer = d.rules.Default(d.view(s.Side), decision)
			}
			s.Told = append(s.Told, told{Say: phrase.Say(code, phrase.Within("stop", sayStop(s.Owes)))})
			silent = append(silent, s)
		default:
			given.By = byDefault
			answer = d.rules.Default(d.view(s.Side), decision)
			code := "office.defaulted"
			if s.Owes.Answer != nil {
				code = "office.no-longer-legal" // he was not silent
			} else {
				silent = append(silent, s)
			}
			s.Told = append(s.Told, told{Say: phrase.Say(code, phrase.Within("stop", sayStop(s.Owes)))})
		}
		if answer, given.Orders, err = d.asNormal(decision, answer); err != nil {
			return nil, nil, d.standStill(err)
		}
		if ok && s.Owes.Answer != nil {
			if given.Entry, given.Salt, err = d.opening(s.Owes.Answer.Entry, s.Side, given.Orders); err != nil {
				return nil, nil, err
			}
		}
		answers[decision.Side] = answer
		entry.Answers = append(entry.Answers, given)
	}
	return answers, silent, nil
}

// resolve plays on from the present stop to the next, or to the end. The seats
// that are asked there are added to asked.
func (d *desk) resolve(asked map[engine.Side]bool) error {
	entry := Resolved{Answers: []Given{}}
	answers, silent, err := d.allAnswers(&entry)
	if err != nil {
		return err
	}
	if answers == nil {
		return nil // the game stands still
	}
	hash := hashOrders(entry.Answers)
	entry.Orders = hex.EncodeToString(hash[:])
	entry.Ruled, entry.Again = d.ruled[d.game.Stop], d.repeats[d.game.Stop]
	ruled := &engine.RuledDice{Dice: diceOf(d.game.scheme(), d.game.Seed, d.game.ID, d.game.Stop, d.game.words(), entry.Answers), Results: entry.Ruled}
	dice := &engine.Recorder{Dice: ruled}

	// The ruleset works on a copy: if it fails, the game stands where it stood.
	next := d.position.Clone()
	snapshot, err := advance(next, answers, dice, &entry)
	if err != nil {
		return d.standStill(err)
	}
	entry.Rolls = dice.Rolls
	if err := d.tellAllVerdicts(); err != nil { // before what was answered is over
		return err
	}
	sum := sha256.Sum256(snapshot)
	entry.Position = hex.EncodeToString(sum[:])
	if o, ended := next.Outcome(); ended {
		entry.Outcome = &o
	}
	if err := d.note(Entry{Kind: LogResolved, By: "office", Data: entry}); err != nil {
		return err
	}
	d.position, d.moved = next, true
	d.views = map[engine.Side]engine.View{}
	d.watched(entry.Events)
	for _, s := range d.game.Seats {
		if s.Owes != nil {
			d.keepAnswer(s.Side, nil)
			s.Owes = nil
		}
	}
	d.readings = nil
	seq := d.last.Seq
	if err := d.tellEvents(entry.Events); err != nil {
		return err
	}
	d.info("stop resolved", "game", d.game.ID, "stop", d.game.Stop)
	if entry.Outcome != nil {
		d.remember(seq, LogResolved, snapshot)
		return d.end(*entry.Outcome)
	}
	if err := d.wereSilent(silent); err != nil {
		return err
	}
	if err := d.openStop(); err != nil {
		return err
	}
	d.remember(seq, LogResolved, snapshot)
	for _, s := range d.game.Seats {
		if s.Owes != nil {
			asked[s.Side] = true
		}
	}
	return nil
}

// advance plays a position on. A panic of the ruleset is an error: it must not
// end the office for all other games.
func advance(p engine.Position, answers map[engine.Side]engine.Answer, dice engine.Dice, entry *Resolved) (snapshot []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the ruleset panicked: %v\n%s", fault, debug.Stack())
		}
	}()
	if entry.Events, err = p.Advance(answers, dice); err != nil {
		return nil, err
	}
	for _, event := range entry.Events {
		if err := mayExchange(event.Exchange, p.Sides()); err != nil {
			return nil, err
		}
	}
	if _, ended := p.Outcome(); !ended && len(p.Owed()) == 0 {
		return nil, fmt.Errorf("nothing is owed and the game is not over")
	}
	return p.Marshal()
}

// standStill pauses a game with which the ruleset can't go on. Nothing is lost:
// the answers stay in force, and resuming tries again.
func (d *desk) standStill(cause error) error {
	d.office.log.Error("ruleset failed, game paused", "game", d.game.ID, "stop", d.game.Stop, "see", "berthier game show") // the cause may tell what is hidden
	d.game.Paused = d.now
	d.game.Fault = clip(cause.Error(), 2000)
	if err := d.note(Entry{Kind: LogFault, By: "office", Data: map[string]string{"error": d.game.Fault}}); err != nil {
		return err
	}
	d.tellWhoMayKnow(phrase.Say("office.fault.subject"), phrase.Say("office.fault.what", phrase.Number("stop", d.game.Stop), phrase.Literal("error", clip(cause.Error(), 200))),
		phrase.Say("office.fault.do"))
	return nil
}

// end closes the books of a game that the rules have ended.
func (d *desk) end(o engine.Outcome) error {
	d.game.Phase = over
	d.game.Resolve = time.Time{}
	if err := d.note(Entry{Kind: LogOver, By: "office", Data: map[string]any{"outcome": o, "seed": hex.EncodeToString(d.game.Seed)}}); err != nil {
		return err
	}
	if d.hushed { // what was told must be put together first
		return nil
	}
	d.tellEnd(o)
	d.info("game over", "game", d.game.ID, "stop", d.game.Stop)
	return nil
}

// tellEnd sends all players their last report, and tells the game master.
func (d *desk) tellEnd(o engine.Outcome) {
	for _, s := range d.game.Seats {
		d.sendReport(s)
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
	d.tellGM(phrase.Say("office.over.subject"), append(lines, d.sayDice()...)...)
}

// info writes to the office's own log, but not of a rehearsal.
func (d *desk) info(what string, more ...any) {
	if !d.dry {
		d.office.log.Info(what, more...)
	}
}

// outcome tells how the game ended, if it has: as the game master decided, else
// as the rules say.
func (d *desk) outcome() (engine.Outcome, bool) {
	if d.game.Decided != nil {
		return *d.game.Decided, true
	}
	return d.position.Outcome()
}

// sayDice publishes the seed.
func (d *desk) sayDice() []phrase.Phrase {
	return []phrase.Phrase{phrase.Say("office.seed", phrase.Literal("seed", hex.EncodeToString(d.game.Seed)),
		phrase.Literal("commitment", commitment(d.game.Seed)))}
}

// remind sends a seat what it owes.
func (d *desk) remind(s *seat, by string) error {
	if err := d.note(Entry{Kind: LogReminded, Seat: s.Side, By: by}); err != nil {
		return err
	}
	d.notice(s, nil, "reminder", phrase.Say("office.remind.subject", phrase.Within("stop", sayStop(s.Owes))), true,
		phrase.Say("office.remind.what"))
	return nil
}

// decodeEntry reads the body of a log entry, its data into a type by kind.
func decodeEntry(body []byte, data any) (Entry, error) {
	e := Entry{Data: data}
	if err := json.Unmarshal(body, &e); err != nil {
		return e, fmt.Errorf("read log entry: %w", err)
	}
	return e, nil
}
