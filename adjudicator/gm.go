package adjudicator

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A RefusedError is why an act of the game master's can't be done, in a form
// that is said in his language.
type RefusedError struct{ Why phrase.Phrase }

func (e *RefusedError) Error() string { return "refused: " + e.Why.Code }

func refuse(code string, args ...phrase.Arg) error { return &RefusedError{phrase.Say(code, args...)} }

// ErrExists: there is a game of that id already.
var ErrExists = errors.New("there is a game of that id already")

// A Summary is a game in a list.
type Summary struct {
	ID, Title, System string
	State             string // running, paused, over, closed
	Stop              int    // counting all sides'
	GM                string // address
	Created           time.Time
	Next              time.Time // when it will be looked at next; zero: when a letter comes
	Waiting           []engine.Side
}

func (g *game) state() string {
	if g.Phase == running && !g.Paused.IsZero() {
		return "paused"
	}
	return string(g.Phase)
}

func (g *game) summary() Summary {
	s := Summary{ID: g.ID, Title: g.Title, System: g.System, State: g.state(), Stop: g.Stop, GM: g.GM.Address, Created: g.Created, Next: g.wake()}
	for _, seat := range g.Seats {
		if seat.Owes != nil && seat.Owes.Answer == nil {
			s.Waiting = append(s.Waiting, seat.Side)
		}
	}
	return s
}

// List gives all games, in the order of their ids.
func (o *Office) List() ([]Summary, error) {
	var all []Summary
	err := o.store.View(func(tx *store.Tx) error {
		return tx.Games(func(id string, record []byte) error {
			g, err := readGame(record)
			if err != nil {
				return fmt.Errorf("list game %s: %w", id, err)
			}
			s := g.summary()
			if o.partial(g) {
				s.Waiting = nil // it would tell who has written
			}
			all = append(all, s)
			return nil
		})
	})
	return all, err
}

// A SeatState is a seat as the game master sees it.
type SeatState struct {
	Side     engine.Side
	Person   Person
	Key      string
	Resigned bool
	Dead     bool   // its address does not work
	Bot      bool   // the bot plays for it
	Held     string // why the default is held back: down, mailbox, clock, silence, unreached; "": it is not
	Missed   int    // stops resolved without an answer
	Stops    int    // how many it was asked at
	Owes     *engine.Decision
	Stop     int // number of the stop that it owes, as it counts
	Deadline time.Time
	Answered bool
	Final    bool
}

// A Details is all about a game that is no secret to its game master.
type Details struct {
	Summary
	Scenario   string
	Options    map[string]string
	Timing     Timing
	Fault      string
	Seats      []SeatState
	GMKey      string
	Commitment string
	Seed       string // once the game is at its end
	Entries    uint64 // of the log
	Hash       string // of the last one
}

// Show gives a game as its game master sees it.
func (o *Office) Show(id string) (*Details, error) {
	var out *Details
	err := o.look(foldGame(id), func(d *desk) error {
		g := d.game
		out = &Details{
			Summary: g.summary(), Scenario: g.Scenario, Options: g.Options, Timing: g.Timing, Fault: g.Fault,
			GMKey: o.gmKey(g), Commitment: commitment(g.Seed), Entries: d.last.Seq, Hash: hex.EncodeToString(d.last.Hash[:]),
		}
		if g.Phase != running {
			out.Seed = hex.EncodeToString(g.Seed)
		}
		for _, s := range g.Seats {
			state := SeatState{Side: s.Side, Person: s.Person, Key: o.seatKey(g, s), Resigned: s.Resigned, Dead: s.Dead, Bot: s.Bot, Missed: s.Missed, Stops: s.Stops}
			if w := s.Owes; w != nil {
				decision := w.Decision
				state.Owes, state.Stop, state.Deadline, state.Answered = &decision, w.Stop, w.Deadline, w.Answer != nil
				state.Final = w.Answer != nil && w.Answer.Final
				if w.Held != heldNoMore {
					state.Held = w.Held
				}
				if s.stands() {
					state.Held = heldUnreached
				}
			}
			out.Seats = append(out.Seats, state)
		}
		return nil
	})
	return out, err
}

// Key gives the key of a seat, or of the game master for [engine.GM].
func (o *Office) Key(id string, side engine.Side) (string, error) {
	var key string
	err := o.look(foldGame(id), func(d *desk) error {
		if side == engine.GM {
			key = o.gmKey(d.game)
			return nil
		}
		s := d.game.seat(side)
		if s == nil {
			return fmt.Errorf("key of %s in game %s: there is no such side", side, d.game.ID)
		}
		key = o.seatKey(d.game, s)
		return nil
	})
	return key, err
}

// A Table is the position of a game as a side sees it, for looking at and for
// judging order files offline.
type Table struct {
	System   string
	View     engine.View
	Owes     *engine.Decision // what the side owes
	Stop     int              // its number, as the side counts
	Template *orders.Node     // whole order file
	Snapshot []byte           // the full position; for the game master alone
}

// Position gives a game as a side sees it; for [engine.GM] all of it.
func (o *Office) Position(id string, side engine.Side) (*Table, error) {
	var out *Table
	err := o.look(foldGame(id), func(d *desk) error {
		out = &Table{System: d.game.System}
		if side == engine.GM {
			out.View = d.view(side)
			snapshot, err := d.position.Marshal()
			out.Snapshot = snapshot
			return err
		}
		s := d.game.seat(side)
		if s == nil {
			return fmt.Errorf("position of game %s: there is no side %q", d.game.ID, side)
		}
		out.View = d.view(side)
		if s.Owes != nil {
			decision := s.Owes.Decision
			out.Owes, out.Stop, out.Template = &decision, s.Owes.Stop, d.template(s)
		}
		return nil
	})
	return out, err
}

// Check judges an order file for a side of a game and changes nothing.
func (o *Office) Check(id string, side engine.Side, file string) (engine.Answer, *orders.Document, orders.Problems, error) {
	var (
		answer   engine.Answer
		doc      *orders.Document
		problems orders.Problems
	)
	err := o.look(foldGame(id), func(d *desk) error {
		doc, problems = orders.Parse(file, nil)
		s := d.game.seat(side)
		switch {
		case s == nil:
			return fmt.Errorf("check file for game %s: there is no side %q", d.game.ID, side)
		case s.Owes == nil:
			problems = append(problems, orders.Problem{Why: phrase.Say("office.nothing-owed")})
		case doc.Root != nil && doc.Command == "":
			var faults orders.Problems
			if answer, faults = d.rules.Read(d.view(side), s.Owes.Decision, doc); len(problems) == 0 {
				faults = append(faults, missingOrders(doc)...)
			}
			problems = append(problems, faults...)
		}
		problems.Sort()
		return nil
	})
	return answer, doc, problems, err
}

// act does something as the game master.
func (o *Office) act(ctx context.Context, id string, do func(*desk) error) error {
	return o.change(ctx, foldGame(id), func(d *desk) error {
		d.operator = operatorOf(ctx)
		d.who = d.operator.who()
		return do(d)
	}, nil)
}

// Pause stops a game's clock: no deadline passes and no stop is resolved.
// Answers are still taken.
func (o *Office) Pause(ctx context.Context, id, reason string) error {
	return o.act(ctx, id, func(d *desk) error { return d.pause("gm", reason) })
}

func (d *desk) pause(by, reason string) error {
	if d.game.Phase != running {
		return refuse("office.gm.ended")
	}
	if !d.game.Paused.IsZero() {
		return refuse("office.gm.paused-already")
	}
	d.game.Paused = d.now
	if err := d.note(Entry{Kind: LogPaused, By: by, Data: map[string]string{"reason": reason}}); err != nil {
		return err
	}
	d.tellSeats(phrase.Say("office.paused.subject"), phrase.Say("office.paused.what", phrase.Literal("reason", reason)))
	return nil
}

// tellSeats sends a notice to all players.
func (d *desk) tellSeats(subject phrase.Phrase, lines ...phrase.Phrase) {
	for _, s := range d.game.Seats {
		if !s.Resigned {
			d.notice(s, nil, "notice", subject, false, lines...)
		}
	}
}

// Resume lets a game's clock go on: all deadlines are later by the time that it
// stood still.
func (o *Office) Resume(ctx context.Context, id string) error {
	return o.act(ctx, id, (*desk).resume)
}

func (d *desk) resume() error {
	g := d.game
	if g.Phase != running {
		return refuse("office.gm.ended")
	}
	if g.Paused.IsZero() {
		return refuse("office.gm.not-paused")
	}
	if g.Unlike != "" && g.Unlike == d.office.digest(g.System) {
		return refuse("office.gm.rules-unlike")
	}
	g.Unlike = "" // the program before is back
	stood := d.now.Sub(g.Paused)
	for _, s := range g.Seats {
		if o := s.Owes; o != nil && !o.Stands.IsZero() {
			o.Stands = o.Stands.Add(stood) // it stood because of the pause meanwhile
			if !o.GoesOn.IsZero() {
				o.GoesOn = o.GoesOn.Add(stood)
			}
		}
		if o := s.Owes; o != nil && !o.Deadline.IsZero() && !o.Passed {
			r := g.Timing.of(o.Decision.Kind)
			left := o.Late.Sub(o.Deadline)
			o.Deadline = s.afterAbsence(r, d.now, r.place(o.Deadline.Add(stood)))
			o.Late = o.Deadline.Add(max(left, 0))
			o.Moves++
		}
	}
	if !g.Resolve.IsZero() {
		g.Resolve = g.Resolve.Add(stood)
	}
	g.Paused, g.Fault = time.Time{}, ""
	if err := d.note(Entry{Kind: LogResumed, By: "gm", Data: map[string]any{"stood": stood.String()}}); err != nil {
		return err
	}
	d.tellSeats(phrase.Say("office.resumed.subject"), phrase.Say("office.resumed.what"))
	return d.settle()
}

// Extend gives all sides that owe an answer so much longer, or only one side.
// A deadline that has passed counts from now.
func (o *Office) Extend(ctx context.Context, id string, side engine.Side, by time.Duration) error {
	return o.act(ctx, id, func(d *desk) error {
		return d.extend(side, func(deadline time.Time) time.Time { return deadline.Add(by) })
	})
}

// ExtendUntil moves the deadlines to a moment, which is later than they are.
func (o *Office) ExtendUntil(ctx context.Context, id string, side engine.Side, until time.Time) error {
	return o.act(ctx, id, func(d *desk) error {
		return d.extend(side, func(time.Time) time.Time { return until })
	})
}

func (d *desk) extend(side engine.Side, to func(time.Time) time.Time) error {
	g := d.game
	if g.Phase != running {
		return refuse("office.gm.ended")
	}
	if side != "" && g.seat(side) == nil {
		return refuse("office.gm.no-side", phrase.Literal("side", string(side)))
	}
	clock := g.clock(d.now)
	moved := map[engine.Side]time.Time{}
	for _, s := range g.Seats {
		if s.Owes == nil || s.Owes.Deadline.IsZero() || (side != "" && s.Side != side) {
			continue
		}
		from := s.Owes.Deadline
		if from.Before(clock) {
			from = clock
		}
		deadline := wholeMinute(to(from).UTC())
		if !deadline.After(s.Owes.Deadline) || !deadline.After(clock) || deadline.Sub(d.now) > 2*longestWait {
			return refuse("office.gm.not-later")
		}
		moved[s.Side] = deadline
	}
	if len(moved) == 0 {
		return refuse("office.gm.no-deadline")
	}
	g.Resolve = time.Time{}
	for _, s := range g.Seats {
		deadline, ok := moved[s.Side]
		if !ok {
			continue
		}
		d.postpone(s, deadline)
	}
	if err := d.note(Entry{Kind: LogExtended, Seat: side, By: "gm", Data: moved}); err != nil {
		return err
	}
	for _, s := range g.Seats {
		if _, ok := moved[s.Side]; ok && !s.Resigned {
			d.notice(s, nil, "notice", phrase.Say("office.extended.subject"), false, phrase.Say("office.extended.what"))
		}
	}
	return d.settle()
}

// Remind sends what they owe to all sides that have not answered, or to one.
func (o *Office) Remind(ctx context.Context, id string, side engine.Side) error {
	return o.act(ctx, id, func(d *desk) error { return d.remindAll(side) })
}

func (d *desk) remindAll(side engine.Side) error {
	if d.game.Phase != running {
		return refuse("office.gm.ended")
	}
	n := 0
	for _, s := range d.game.Seats {
		if s.Owes == nil || s.Owes.Answer != nil || !s.played() || (side != "" && s.Side != side) {
			continue
		}
		n++
		if err := d.remind(s, "gm"); err != nil {
			return err
		}
	}
	if n == 0 {
		return refuse("office.gm.nobody-to-remind")
	}
	return nil
}

// Replace gives a seat to another player: he gets a key of his own and the
// present report; the old key is worth nothing from now on. An answer in force
// stays so until the new player sends another.
func (o *Office) Replace(ctx context.Context, id string, side engine.Side, by Person) error {
	return o.act(ctx, id, func(d *desk) error { return d.replace(side, by) })
}

func (d *desk) replace(side engine.Side, by Person) error {
	g := d.game
	s := g.seat(side)
	if s == nil {
		return refuse("office.gm.no-side", phrase.Literal("side", string(side)))
	}
	if err := d.mayAct(grave{Kind: graveReplace, Side: side, To: by}); err != nil {
		return err
	}
	if err := d.giveSeat(s, by, "gm"); err != nil {
		return err
	}
	return d.settle()
}

// Close ends a game before the rules do. The seed of its dice is published.
func (o *Office) Close(ctx context.Context, id, reason string) error {
	return o.act(ctx, id, func(d *desk) error { return d.close(reason) })
}

func (d *desk) close(reason string) error {
	if d.game.Phase != running {
		return refuse("office.gm.ended")
	}
	d.game.Phase, d.game.Paused, d.game.Resolve = closed, time.Time{}, time.Time{}
	for _, s := range d.game.Seats {
		if s.Owes != nil {
			d.keepAnswer(s.Side, nil)
			s.Owes = nil
		}
	}
	if err := d.note(Entry{Kind: LogClosed, By: "gm", Data: map[string]string{"reason": reason, "seed": hex.EncodeToString(d.game.Seed)}}); err != nil {
		return err
	}
	lines := append([]phrase.Phrase{phrase.Say("office.closed.what", phrase.Literal("reason", reason))}, d.sayDice()...)
	lines = append(lines, d.sayPreviews()...)
	for _, s := range d.game.Seats {
		d.seal(s)
		n := templates.Notice{Heading: d.heading(s), Subject: phrase.Say("office.closed.subject"), Lines: lines}
		if file := d.packs(s); file != nil {
			n.Lines = append(slices.Clone(lines), file.Say())
			n.Files = append(n.Files, file.File)
		}
		d.post(s, "notice", nil, d.office.words.Notice(n))
	}
	return nil
}

// Answer gives an order file for a player, as the game master. The file need
// not have a key. A file with faults changes nothing.
func (o *Office) Answer(ctx context.Context, id string, side engine.Side, file string) (orders.Problems, error) {
	var faults orders.Problems
	err := o.act(ctx, id, func(d *desk) error {
		s := d.game.seat(side)
		if s == nil {
			return refuse("office.gm.no-side", phrase.Literal("side", string(side)))
		}
		doc, problems := orders.Parse(file, nil)
		if len(problems) > 0 {
			faults = problems
			return nil
		}
		v := &visit{desk: d, intake: &intake{office: o, letter: &mail.Letter{}, now: d.now, from: d.game.GM.Address}, doc: doc, who: who{gm: true}}
		if named := foldGame(doc.Game); named != "" && named != d.game.ID {
			v.problems = append(v.problems, v.fault("game", phrase.Say("office.wrong-game", phrase.Literal("game", doc.Game), phrase.Literal("is", d.game.ID))))
		}
		if err := v.answer(s, true); err != nil {
			return err
		}
		faults = v.faults
		return nil
	})
	return faults, err
}

// gmCommands are those that a game master may give for a game.
var gmCommands = []string{"show", "position", "pause", "resume", "extend", "release", "remind", "replace", "new-key", "public-key", "pass", "observe", "close",
	"rule", "rewind", "disputes", "refile", "list", "help", "rules"}

// fromGM does what a letter with the game master's key says.
func (v *visit) fromGM() error {
	side, problems := v.sideNamed()
	v.problems = append(v.problems, problems...)
	if why, ok := v.blind(v.intake.from); ok && !slices.Contains(blindCommands, v.doc.Command) {
		v.problems = append(v.problems, v.fault("command", why))
		return v.refuseGM(v.problems)
	}
	if v.doc.Command == "" || v.doc.Command == "answer" {
		if side == "" {
			if v.value("side") == nil {
				v.problems = append(v.problems, v.fault("", phrase.Say("office.gm.which-side")))
			}
			return v.refuseGM(v.problems)
		}
		return v.answer(v.game.seat(side), true)
	}
	if !slices.Contains(gmCommands, v.doc.Command) && v.doc.Command != "status" {
		p := v.fault("command", phrase.Say("office.not-your-command", phrase.Literal("command", v.doc.Command)))
		p.Remedy = phrase.Say("office.your-commands", phrase.Keywords("commands", gmCommands))
		v.problems = append(v.problems, p)
	}
	if len(v.problems) > 0 {
		return v.refuseGM(v.problems)
	}
	v.done("gm command: "+v.doc.Command, mail.Processed)
	return v.gmCommand(side)
}

// sideNamed finds the side that a game master's letter is about.
func (v *visit) sideNamed() (engine.Side, orders.Problems) {
	n := v.value("side")
	if n == nil {
		return "", nil
	}
	r := orders.NewReader(vocabulary)
	id, _ := r.Pick(n, "setup-side", sideChoices(v.position))
	return engine.Side(id), r.Problems
}

func (v *visit) refuseGM(problems orders.Problems) error {
	v.done("gm letter refused", mail.Rejected)
	problems.Sort()
	v.faults = problems
	if v.mayAnswerGM(printOfVerdict("command", 0, v.doc.Command, problems)) {
		v.postGM("refused", v.intake.letter, v.office.words.Refused(refused(v.gmHeading(), v.doc, problems)))
	}
	return nil
}

func (v *visit) gmCommand(side engine.Side) error {
	r := orders.NewReader(vocabulary)
	reason, _ := r.Text(v.value("reason"))
	reason = clip(oneLine(reason), 500)
	entries := len(v.entries)
	var err error
	switch v.doc.Command {
	case "show", "status":
		n := v.showNotice()
		if v.doc.Stop > 0 || stopZero(v.doc) {
			if err := v.showStop(&n, v.doc.Stop); err != nil {
				return err
			}
		}
		return v.sendGM(n)
	case "rule", "rewind":
		return v.rule()
	case "refile":
		return v.refile(side)
	case "disputes":
		n, err := v.disputesNotice()
		if err != nil {
			return err
		}
		return v.sendGM(n)
	case "position":
		n, err := v.positionNotice()
		if err != nil {
			return err
		}
		return v.sendGM(n)
	case "list":
		n, err := v.office.listNotice(v.gmHeading(), v.intake.from)
		if err != nil {
			return err
		}
		return v.sendGM(n)
	case "help":
		return v.sendGM(gmHelp(v.gmHeading()))
	case "rules":
		n, err := v.ruleNotice(v.gmHeading(), v.game.GM.Language)
		if err != nil {
			return err
		}
		return v.sendGM(n)
	case "pause":
		err = v.pause("gm", reason)
	case "resume":
		if n := v.value("rules"); n != nil {
			if word, _ := r.Word(n, "accept"); word == "accept" {
				err = v.acceptRules()
			}
		}
		if err == nil && len(r.Problems) == 0 {
			err = v.resume()
		}
	case "release":
		err = v.release()
	case "remind":
		err = v.remindAll(side)
	case "close":
		var done bool
		if done, err = v.grave(grave{Kind: graveClose, Reason: reason}); !done && err == nil {
			return nil
		}
	case "extend":
		to, ok := v.readExtension(r)
		if !ok {
			return v.refuseGM(r.Problems)
		}
		err = v.extend(side, to)
	case "replace":
		if side == "" {
			return v.refuseGM(orders.Problems{v.fault("command", phrase.Say("office.gm.which-side"))})
		}
		p := v.newPlayer(r)
		if len(r.Problems) > 0 {
			return v.refuseGM(r.Problems)
		}
		var done bool
		if done, err = v.grave(grave{Kind: graveReplace, Side: side, To: p}); !done && err == nil {
			return nil
		}
	case "new-key":
		if side == "" {
			return v.changeKeyGM(side)
		}
		err = v.changeKeyGM(side)
	case "public-key":
		if err = v.registerKey(r, side); len(r.Problems) > 0 {
			return v.refuseGM(r.Problems)
		}
	case "pass":
		return v.passPress()
	case "observe":
		return v.observe()
	}
	var refused *RefusedError
	if errors.As(err, &refused) && len(v.entries) == entries {
		return v.refuseGM(orders.Problems{v.fault("command", refused.Why)})
	}
	if err != nil {
		return err
	}
	n := v.showNotice()
	if _, ok := v.blind(v.intake.from); ok {
		n = templates.Notice{Heading: v.gmHeading(), Subject: phrase.Say("office.show.subject")}
	}
	n.Lines = append([]phrase.Phrase{phrase.Say("office.gm.done", phrase.Literal("command", v.doc.Command))}, n.Lines...)
	return v.sendGM(n)
}

func (v *visit) sendGM(n templates.Notice) error {
	if v.mayAnswer() {
		v.postGM("notice", v.intake.letter, v.office.words.Notice(n))
	}
	return nil
}

// readExtension reads by how much, or until when: by: 2d, days: 2, hours: 12,
// until: 2026-03-01 18:00 (in the game master's zone).
func (v *visit) readExtension(r *orders.Reader) (func(time.Time) time.Time, bool) {
	var by time.Duration
	if n := v.value("by"); n != nil {
		by, _ = readDuration(r, n)
	}
	for _, unit := range []struct {
		key string
		d   time.Duration
	}{{"days", 24 * time.Hour}, {"hours", time.Hour}} {
		if n := v.value(unit.key); n != nil {
			count, _ := r.Int(n, 1, 8784)
			by += time.Duration(count) * unit.d
		}
	}
	until, n := time.Time{}, v.value("until")
	if n != nil {
		text, _ := r.Text(n)
		for _, form := range []string{"2006-01-02 15:04", "2006-01-02T15:04", time.RFC3339} {
			if t, err := time.ParseInLocation(form, strings.TrimSpace(text), zone(v.game.GM.Zone)); err == nil {
				until = t
			}
		}
		if until.IsZero() {
			r.Refuse(n, "", phrase.Say("office.gm.until", phrase.Literal("got", text)))
		}
	}
	if len(r.Problems) == 0 && (by == 0) == until.IsZero() {
		r.Refuse(v.value("command"), "", phrase.Say("office.gm.extend-how"))
	}
	if len(r.Problems) > 0 {
		return nil, false
	}
	if by > 0 {
		return func(t time.Time) time.Time { return t.Add(by) }, true
	}
	return func(time.Time) time.Time { return until }, true
}

func text(s string) phrase.Value { return phrase.Value{Kind: phrase.KindLiteral, Text: s} }

func say(code string, args ...phrase.Arg) phrase.Value {
	p := phrase.Say(code, args...)
	return phrase.Value{Kind: phrase.KindPhrase, Say: &p}
}

// seatTable lists the seats as the game master may see them: never what was
// answered.
func (d *desk) seatTable() engine.Table {
	t := engine.Table{Head: []engine.Column{
		{Head: phrase.Say("office.seat.side")}, {Head: phrase.Say("office.seat.name")}, {Head: phrase.Say("office.seat.address")},
		{Head: phrase.Say("office.seat.owes")}, {Head: phrase.Say("office.seat.deadline")}, {Head: phrase.Say("office.seat.state")},
		{Head: phrase.Say("office.seat.missed"), Right: true},
	}}
	for _, s := range d.game.Seats {
		owes, deadline, state := say("office.seat.nothing"), text(""), text("")
		if o := s.Owes; o != nil {
			p := sayStop(o)
			owes = phrase.Value{Kind: phrase.KindPhrase, Say: &p}
			if !o.Deadline.IsZero() {
				deadline = text(o.Deadline.In(zone(d.game.GM.Zone)).Format("2006-01-02 15:04 MST"))
			}
			state = say("office.seat.open")
			if o.Answer != nil {
				state = say("office.seat.answered")
				if !o.Answer.Final {
					state = say("office.seat.not-final")
				}
			}
		}
		switch {
		case s.Resigned:
			state = say("office.seat.resigned")
		case s.Bot:
			state = say("office.seat.bot")
		case s.stands():
			state = say("office.seat.stands")
		case s.Owes != nil && s.Owes.Held != "" && s.Owes.Held != heldNoMore && s.Owes.Answer == nil:
			state = say("office.seat.held")
		case s.Dead:
			state = say("office.seat.dead")
		}
		t.Rows = append(t.Rows, []phrase.Value{
			{Kind: "side", Text: string(s.Side)}, text(s.Person.Name), text(s.Person.Address), owes, deadline, state,
			{Kind: phrase.KindNumber, Num: s.Missed},
		})
	}
	return t
}

// mostLogLines is how many entries of the log a letter shows.
const mostLogLines = 20

func (d *desk) showNotice() templates.Notice {
	n := templates.Notice{Heading: d.gmHeading(), Subject: phrase.Say("office.show.subject"), Tables: []engine.Table{d.seatTable()}}
	n.Lines = append(n.Lines, phrase.Say("office.show.state", phrase.Within("state", phrase.Say("office.state."+d.game.state())),
		phrase.Number("stop", d.game.Stop), phrase.Number("entries", int(d.last.Seq))))
	if d.game.Fault != "" {
		n.Lines = append(n.Lines, phrase.Say("office.show.fault", phrase.Literal("error", clip(d.game.Fault, 200))))
	}
	if !d.game.Resolve.IsZero() && d.game.Phase == running {
		n.Lines = append(n.Lines, phrase.Say("office.show.second", phrase.Literal("at", d.game.Resolve.In(zone(d.game.GM.Zone)).Format("2006-01-02 15:04 MST"))))
	}
	n.Lines = append(n.Lines, d.sayUnread()...)
	t := engine.Table{Caption: phrase.Say("office.show.log"), Head: []engine.Column{
		{Head: phrase.Say("office.show.entry"), Right: true}, {Head: phrase.Say("office.show.at")}, {Head: phrase.Say("office.show.what")},
		{Head: phrase.Say("office.seat.side")}, {Head: phrase.Say("office.show.by")},
	}}
	row := func(entry store.Entry) {
		seq := entry.Seq
		e, err := readEntry(entry, nil)
		if err != nil {
			return
		}
		side := phrase.Value{Kind: "side", Text: string(e.Seat)}
		if e.Seat == "" {
			side = text("")
		}
		t.Rows = append(t.Rows, []phrase.Value{
			{Kind: phrase.KindNumber, Num: int(seq)}, text(e.At.In(zone(d.game.GM.Zone)).Format("2006-01-02 15:04")),
			say("office.log." + e.Kind), side, say("office.by." + e.By),
		})
	}
	from := uint64(1)
	if d.last.Seq > mostLogLines {
		from = d.last.Seq - mostLogLines + 1
	}
	err := d.office.store.View(func(tx *store.Tx) error {
		return tx.Entries(d.game.ID, from, func(e store.Entry) error { row(e); return nil })
	})
	if err != nil {
		d.office.log.Error("log not readable", "game", d.game.ID, "error", err)
	}
	for _, e := range d.entries { // of this change
		row(e)
	}
	n.Tables = append(n.Tables, t)
	return n
}

func (d *desk) positionNotice() (templates.Notice, error) {
	page := d.view(engine.GM).Page()
	snapshot, err := d.position.Marshal()
	if err != nil {
		return templates.Notice{}, fmt.Errorf("write position: %w", err)
	}
	return templates.Notice{
		Heading: d.gmHeading(), Subject: phrase.Say("office.position.subject"), Lines: []phrase.Phrase{phrase.Say("office.position.secret")},
		Page: &page, Files: []templates.File{{Name: d.game.ID + "-position.yaml", Type: "application/yaml", Data: snapshot}},
	}, nil
}

// mostListed is how many games a letter lists.
const mostListed = 500

// listNotice lists the games that an address looks after.
func (o *Office) listNotice(h templates.Heading, address string) (templates.Notice, error) {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.list.subject")}
	t := engine.Table{Head: []engine.Column{
		{Head: phrase.Say("office.list.game")}, {Head: phrase.Say("office.list.title")}, {Head: phrase.Say("office.list.system")},
		{Head: phrase.Say("office.list.state")}, {Head: phrase.Say("office.list.stop"), Right: true}, {Head: phrase.Say("office.list.waiting"), Right: true},
	}}
	err := o.store.View(func(tx *store.Tx) error {
		for _, id := range tx.GamesOf(address, mostListed) {
			var g game
			if err := json.Unmarshal(tx.Game(id), &g); err != nil {
				return fmt.Errorf("list game %s: %w", id, err)
			}
			if g.GM.Address != address {
				continue
			}
			s := g.summary()
			if !g.GMPlays && g.plays(address) {
				s.Waiting = nil // it would tell who has written
			}
			t.Rows = append(t.Rows, []phrase.Value{
				text(s.ID), text(s.Title), text(s.System), say("office.state." + s.State),
				{Kind: phrase.KindNumber, Num: s.Stop}, {Kind: phrase.KindNumber, Num: len(s.Waiting)},
			})
		}
		return nil
	})
	n.Tables = []engine.Table{t}
	return n, err
}

func gmHelp(h templates.Heading) templates.Notice {
	n := templates.Notice{Heading: h, Subject: phrase.Say("office.help.subject"), Lines: []phrase.Phrase{phrase.Say("office.gm-help.how")}}
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.help.word")}, {Head: phrase.Say("office.help.does")}}}
	for _, name := range append([]string{"new", "answer"}, gmCommands...) {
		t.Rows = append(t.Rows, []phrase.Value{text(name), say("office.gm-help.does-" + name)})
	}
	n.Tables = []engine.Table{t}
	return n
}

// officeCommand does what a letter with the office's key says: it is not about
// a game that is there already.
func (it *intake) officeCommand(ctx context.Context, gm Person, doc *orders.Document, problems orders.Problems) (mail.Folder, error) {
	refuse := func(problems orders.Problems) (mail.Folder, error) {
		problems.Sort()
		return it.answerUnknown(ctx, gm, "gm letter refused", "refused", mail.Rejected, gmWeight, func(h templates.Heading) templates.Letter {
			return it.office.words.Refused(refused(h, doc, problems))
		})
	}
	if len(problems) > 0 {
		return refuse(problems)
	}
	v := &visit{doc: doc}
	if named := foldGame(doc.Game); named != "" && doc.Command != "new" && gameID.MatchString(named) {
		folder, err := it.asAdministrator(ctx, named, gm, doc)
		if !errors.Is(err, ErrNoGame) {
			return folder, err
		}
		return refuse(orders.Problems{v.fault("game", phrase.Say("office.gm.no-game", phrase.Literal("game", named)))})
	}
	switch doc.Command {
	case "new":
		n := v.value("setup")
		if n == nil {
			return refuse(orders.Problems{v.fault("command", phrase.Say("office.gm.no-setup"))})
		}
		setup, problems := it.office.readSetup(n, nil, &gm)
		if len(problems) > 0 {
			return refuse(problems)
		}
		err := it.office.newGame(ctx, setup, it.letter, it.mark(setup.Game, "gm command: new", mail.Processed))
		if errors.Is(err, ErrExists) {
			return refuse(orders.Problems{v.fault("setup", phrase.Say("office.gm.exists", phrase.Literal("game", setup.Game)))})
		}
		return mail.Processed, err
	case "new-key":
		return it.newOfficeKey(ctx, gm)
	case "list", "help":
		n := gmHelp(templates.Heading{Reader: gm.reader(), Spell: spellWith(nil), Now: it.now})
		if doc.Command == "list" {
			var err error
			if n, err = it.office.listNotice(n.Heading, it.from); err != nil {
				return mail.Leave, err
			}
		}
		return it.answerUnknown(ctx, gm, "gm command: "+doc.Command, "notice", mail.Processed, gmWeight, func(templates.Heading) templates.Letter {
			return it.office.words.Notice(n)
		})
	}
	p := v.fault("command", phrase.Say("office.gm.office-key", phrase.Literal("command", doc.Command)))
	p.Remedy = phrase.Say("office.your-commands", phrase.Keywords("commands", []string{"new", "list", "new-key", "help"}))
	return refuse(orders.Problems{p})
}
