package adjudicator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A plan is what an act will do.
type plan struct {
	back     *log.Checkpoint             // the position gone back to, or the present one that is changed; nil: no position is touched
	position engine.Position             // in its place; nil: itself
	deeds    []deedOfThePast             // to be done again from there
	ruling   *log.Ruling                 // to be noted; nil for a rewind
	answer   *game.Seat                  // whose answer at the open stop is put in force or taken out
	file     string                      // the answer to put in force; "": taken out
	force    game.InForce                // how it counts
	of       engine.Side                 // whose orders, of the open stop or an earlier one, count now, or no longer do
	ofStop   int                         // that stop, as the side counts
	counts   bool                        // they do
	say      string                      // what they say, if they do, in normal form
	others   []log.Given                 // answers that stay in force at the stop gone back to
	restore  map[engine.Side]*log.Former // answers that were in force at the position gone back to
	keep     bool                        // the answers in force at present stay so where they fit
	decided  *engine.Outcome
	kept     bool // dice of stops that are done again stay as they fell: their seed is known
}

// plan finds out what an act means. What can't be done is a [RefusedError] or
// [orders.Problems]; nothing is changed.
func (d *desk) plan(a *act) (*plan, error) {
	trail, err := d.past.Branch()
	if err != nil {
		return nil, err
	}
	if len(trail) == 0 {
		return nil, game.Refuse("office.rule.no-history")
	}
	p := &plan{ruling: &log.Ruling{Dispute: a.Dispute, About: a.Entry, Kind: a.Kind, Reason: a.Reason, Tell: a.Tell, From: d.Game.Head}}
	if a.Dispute != 0 && !slices.Contains(d.Game.Disputes, a.Dispute) {
		return nil, game.Refuse("office.rule.no-dispute", phrase.Number("entry", int(a.Dispute)))
	}
	// before finds the position at which a stop was resolved, or the present one.
	before := func(stop int) (int, *log.Resolved, error) {
		if stop == 0 || stop == d.Game.Stop && d.Game.Phase == game.Running || stop == d.Game.Stop && d.Game.Phase == game.Closed {
			return len(trail) - 1, nil, nil
		}
		i, r, err := d.past.Resolved(trail, func(e log.Entry, _ *log.Resolved) bool { return e.Stop == stop })
		if err == nil && i < 0 {
			err = game.Refuse("office.rule.no-such-stop", phrase.Number("stop", stop))
		}
		return i - 1, r, err
	}
	to := func(i int) error {
		p.back, err = d.past.Checkpoint(trail[i].Seq)
		if err != nil {
			return err
		}
		if i < len(trail)-1 && p.ruling != nil {
			p.ruling.To = p.back.Seq
		}
		p.deeds, err = d.deedsAfter(trail, p.back.Seq)
		return err
	}
	switch a.Kind {
	case log.ActStands:
	case log.ActRewind:
		i, _, err := before(a.Stop)
		if err != nil {
			return nil, err
		}
		if i == len(trail)-1 && d.Game.Phase == game.Running {
			return nil, game.Refuse("office.rule.here-already", phrase.Number("stop", a.Stop))
		}
		p.ruling = nil
		if err := to(i); err != nil {
			return nil, err
		}
		if !a.Same {
			p.deeds = nil
		}
	case log.ActDie:
		if err := d.planDie(a, p, trail, before, to); err != nil {
			return nil, err
		}
	case log.ActPosition, log.ActOption:
		if err := d.planSet(a, p, before, to); err != nil {
			return nil, err
		}
	case log.ActAccept, log.ActRefuse:
		if err := d.planOrders(a, p, trail, to); err != nil {
			return nil, err
		}
	case log.ActOutcome:
		if err := d.decide(p, a.Winners); err != nil {
			return nil, err
		}
	case log.ActOverrule:
		if err := d.planOverrule(a, p, trail, to); err != nil {
			return nil, err
		}
	}
	p.kept = d.Game.Phase != game.Running
	return p, nil
}

// planSet plans that the position is changed, here or at an earlier stop.
func (d *desk) planSet(a *act, p *plan, before func(int) (int, *log.Resolved, error), to func(int) error) error {
	i, _, err := before(a.Stop)
	if err != nil {
		return err
	}
	if err := to(i); err != nil {
		return err
	}
	set := a.Set
	if a.Kind == log.ActOption {
		if set, err = d.optionSet(a); err != nil {
			return err
		}
		p.ruling.Option, p.ruling.Value = a.Option, a.Value
	}
	p.keep = p.ruling.To == 0
	if err := d.set(a, p, set); err != nil {
		return err
	}
	return nil
}

// planDie plans that a stop is resolved again with another result of a die.
func (d *desk) planDie(a *act, p *plan, trail []log.Checkpoint, before func(int) (int, *log.Resolved, error), to func(int) error) error {
	i, r, err := before(a.Stop)
	if a.First {
		i, r, err = d.past.Resolved(trail, func(e log.Entry, _ *log.Resolved) bool { return e.Stop == 0 })
		i--
	}
	if err != nil {
		return err
	}
	switch {
	case r == nil:
		return game.Refuse("office.rule.not-resolved", phrase.Number("stop", a.Stop))
	case a.Roll < 1 || a.Roll > len(r.Rolls):
		return game.Refuse("office.rule.no-roll", phrase.Number("stop", a.Stop), phrase.Number("roll", a.Roll), phrase.Number("n", len(r.Rolls)))
	case a.Result < 1 || a.Result > r.Rolls[a.Roll-1].Sides:
		return game.Refuse("office.rule.no-result", phrase.Number("roll", a.Roll), phrase.Number("result", a.Result), phrase.Number("sides", r.Rolls[a.Roll-1].Sides))
	case a.Result == r.Rolls[a.Roll-1].Result:
		return game.Refuse("office.rule.same-result", phrase.Number("roll", a.Roll), phrase.Number("result", a.Result))
	}
	p.ruling.Roll, p.ruling.Result = a.Roll, a.Result
	if err := to(i); err != nil {
		return err
	}
	p.deeds[0].resolved.Ruled = maps.Clone(p.deeds[0].resolved.Ruled)
	if p.deeds[0].resolved.Ruled == nil {
		p.deeds[0].resolved.Ruled = map[int]int{}
	}
	p.deeds[0].resolved.Ruled[a.Roll] = a.Result
	return nil
}

// optionSet is what changes an option in the YAML of a position.
func (d *desk) optionSet(a *act) (string, error) {
	if rules, ok := d.Rules.(engine.Optional); ok {
		n, err := rules.Option(a.Option, a.Value)
		if err != nil {
			return "", game.Refuse("office.rule.option-fixed", phrase.Literal("name", a.Option), phrase.Literal("value", a.Value))
		}
		return n.Encode(), nil
	}
	return orders.Mapping().Set("options", orders.Inline().Set(a.Option, orders.Text(a.Value))).Encode(), nil
}

// set plans a change of the position gone back to. Its faults are placed where the letter
// says it, if it does.
func (d *desk) set(a *act, p *plan, set string) error {
	was, err := d.Rules.Load(p.back.Snapshot)
	if err != nil {
		return fmt.Errorf("read position after entry %d: %w", p.back.Seq, err)
	}
	next, sum, err := d.checked(was, set)
	var faults orders.Problems
	if errors.As(err, &faults) {
		return a.placed(faults, set)
	}
	if err != nil {
		return err
	}
	p.position, p.ruling.Set, p.ruling.Position = next, set, sum
	return nil
}

// placed places the faults of what is to be set where the letter says it.
func (a *act) placed(faults orders.Problems, set string) orders.Problems {
	own, wrong := orders.ParseNode([]byte(set))
	if a.at != nil && len(wrong) == 0 {
		return course.Moved(faults, own, a.at)
	}
	all := slices.Clone(faults)
	for i := range all {
		all[i].Line, all[i].Column = 0, 0 // it is an option, or of a letter that came before
	}
	return all
}

// checked merges a change into a position and checks what comes of it.
func (d *desk) checked(was engine.Position, set string) (engine.Position, string, error) {
	next, problems, err := course.Edited(d.Rules, was, set)
	if len(problems) > 0 {
		return nil, "", problems
	}
	var faults orders.Problems
	if errors.As(err, &faults) {
		return nil, "", faults
	}
	if err != nil {
		return nil, "", game.Refuse("office.rule.not-read", phrase.Literal("error", phrase.Clip(err.Error(), 300)))
	}
	if !slices.Equal(next.Sides(), was.Sides()) {
		return nil, "", game.Refuse("office.rule.other-sides")
	}
	if _, ended := next.Outcome(); !ended && len(next.Owed()) == 0 {
		return nil, "", game.Refuse("office.rule.nothing-owed")
	}
	if c, ok := next.(engine.Checked); ok {
		if problems := c.Check(was); len(problems) > 0 {
			if overlay, wrong := orders.ParseNode([]byte(set)); len(wrong) == 0 {
				problems = course.Moved(problems, nil, overlay)
			}
			return nil, "", problems
		}
	}
	text, err := next.Marshal()
	if err != nil {
		return nil, "", err
	}
	again, err := d.Rules.Load(text)
	if err != nil {
		return nil, "", game.Refuse("office.rule.not-read", phrase.Literal("error", phrase.Clip(err.Error(), 300)))
	}
	if copied, err := again.Marshal(); err != nil || !bytes.Equal(text, copied) {
		return nil, "", game.Refuse("office.rule.not-the-same")
	}
	if before, err := was.Marshal(); err == nil && bytes.Equal(before, text) {
		return nil, "", game.Refuse("office.rule.no-change")
	}
	sum := sha256.Sum256(text)
	return next, hex.EncodeToString(sum[:]), nil
}

// planOrders plans that a file counts, or does not.
func (d *desk) planOrders(a *act, p *plan, trail []log.Checkpoint, to func(int) error) error {
	var t log.Taken
	e, err := d.orderEntry(a.Entry, &t)
	if err != nil {
		return err
	}
	doc, problems := orders.Parse(t.File, nil)
	doc.Accepted = e.Kind == log.KindTaken
	stop := t.SeatStop
	if a.Kind == log.ActAccept && doc != nil && doc.Stop > 0 {
		stop = doc.Stop // a late file was not for the stop that was owed when it came
	}
	at, r, err := d.past.Resolved(trail, func(_ log.Entry, r *log.Resolved) bool {
		return slices.ContainsFunc(r.Answers, func(g log.Given) bool { return g.Decision.Side == e.Seat && g.SeatStop == stop })
	})
	if err != nil {
		return err
	}
	s := d.Game.Seat(e.Seat)
	open := s != nil && s.Owes != nil && s.Owes.Stop == stop && d.Game.Phase == game.Running
	if at < 0 && !open {
		return game.Refuse("office.rule.no-stop-of-file", phrase.Number("entry", int(a.Entry)), phrase.Number("stop", stop))
	}
	p.of, p.ofStop, p.counts = e.Seat, stop, a.Kind == log.ActAccept
	if a.Kind == log.ActRefuse {
		return d.planRefusal(a, p, e.Seat, stop, open, &t, trail, at, r, to)
	}
	if a.Set != "" { // what is carried out in its place
		i := len(trail) - 1
		if !open {
			i = at - 1
		}
		if err := to(i); err != nil {
			return err
		}
		p.keep = p.ruling.To == 0
		return d.set(a, p, a.Set)
	}
	if a.Orders != "" {
		doc, problems = orders.Parse(a.Orders, nil)
	}
	position, decision, err := d.askedThen(e.Seat, open, trail, at, r)
	if err != nil {
		return err
	}
	var answer engine.Answer
	if doc.Root != nil && doc.Command == "" {
		var faults orders.Problems
		if answer, faults = d.Rules.Read(position.View(e.Seat), decision, game.Dated(d.Turn, doc)); len(faults) > 0 {
			problems = append(problems, faults...)
		}
		problems = append(problems, game.MissingOrders(doc)...)
	}
	if len(problems) > 0 || answer == nil {
		// A rule speaks against it, not the office alone.
		problems = append(problems, orders.Problem{Why: phrase.Say("office.rule.by-the-rules"), Remedy: phrase.Say("office.rule.carry-out")})
		return problems
	}
	text := game.Normal(d.Turn, answer)
	if open {
		now, ok, err := d.Answer(s)
		if err != nil {
			return err
		}
		if ok && game.Normal(d.Turn, now) == text {
			return game.Refuse("office.rule.same-in-force")
		}
		return d.swap(p, s, &log.Former{Orders: text, By: log.ByGM, Sent: d.Now, Final: true, Serial: s.Serial, Entry: a.Entry})
	}
	return d.putIn(p, at, e.Seat, text, log.ByGM, to)
}

// askedThen gives the position at which a file counts, and the decision that it answers:
// at the open stop, or where it was resolved.
func (d *desk) askedThen(side engine.Side, open bool, trail []log.Checkpoint, at int, r *log.Resolved) (engine.Position, engine.Decision, error) {
	if open {
		return d.Position, d.Game.Seat(side).Owes.Decision, nil
	}
	m, err := d.past.Checkpoint(trail[at-1].Seq)
	if err != nil {
		return nil, engine.Decision{}, err
	}
	position, err := d.Rules.Load(m.Snapshot)
	return position, r.Of(side).Decision, err
}

// planRefusal plans that a file that counted does not: at the open stop, or where it was
// resolved.
func (d *desk) planRefusal(a *act, p *plan, side engine.Side, stop int, open bool, t *log.Taken, trail []log.Checkpoint, at int, r *log.Resolved, to func(int) error) error {
	s := d.Game.Seat(side)
	none := game.Refuse("office.rule.not-in-force", phrase.Number("entry", int(a.Entry)))
	if open {
		answer, ok, err := d.Answer(s)
		if err != nil {
			return err
		}
		if !ok || s.Owes.Answer.Entry != a.Entry && (s.Owes.Answer.Entry != 0 || !d.means(d.Position, s.Owes.Decision, t.File, game.Normal(d.Turn, answer))) {
			return none
		}
		return d.swap(p, s, nil)
	}
	given := r.Of(side)
	last, err := d.lastTaken(side, stop, trail[at-1].Seq, trail[at].Seq)
	if err != nil {
		return err
	}
	if last != a.Entry { // the stop was resolved anew, perhaps
		m, err := d.past.Checkpoint(trail[at-1].Seq)
		if err != nil {
			return err
		}
		position, err := d.Rules.Load(m.Snapshot)
		if err != nil {
			return err
		}
		if last != 0 || !d.means(position, given.Decision, t.File, given.Orders) {
			return none
		}
	}
	if given.By == log.ByDefault || given.By == log.ByBot {
		return none
	}
	return d.takeOut(p, at, r, side, to)
}

// means tells whether a file says at a position what an answer in normal form
// says.
func (d *desk) means(position engine.Position, decision engine.Decision, file, normal string) bool {
	doc, problems := orders.ParseAccepted(file)
	if len(problems) > 0 || doc.Root == nil {
		return false
	}
	answer, problems := d.Rules.Read(position.View(decision.Side), decision, game.Dated(d.Turn, doc))
	return len(problems) == 0 && game.Normal(d.Turn, answer) == normal
}

// swap plans that another answer is in force at the open stop, or none.
func (d *desk) swap(p *plan, s *game.Seat, next *log.Former) error {
	p.answer = s
	p.ruling.Seat, p.ruling.SeatStop = s.Side, s.Owes.Stop
	var err error
	if p.ruling.Was, err = d.former(s); err != nil || next == nil {
		return err
	}
	p.file, p.ruling.Orders, p.force = next.Orders, next.Orders, putBack(next)
	p.say = next.Orders
	if s.Owes.Answer != nil {
		p.force.Number = s.Owes.Answer.Number + 1
	}
	return nil
}

// former is the answer in force of a seat, as a ruling keeps it; nil if there is
// none.
func (d *desk) former(s *game.Seat) (*log.Former, error) {
	answer, ok, err := d.Answer(s)
	if err != nil || !ok {
		return nil, err
	}
	a := s.Owes.Answer
	f := &log.Former{Orders: game.Normal(d.Turn, answer), By: a.By, Sent: a.Sent, Final: a.Final, Serial: a.Serial, Entry: a.Entry}
	if f.By == "" && a.GM {
		f.By = log.ByGM
	}
	return f, nil
}

// putBack is how a former answer counts when it is put back.
func putBack(f *log.Former) game.InForce {
	a := game.InForce{Serial: f.Serial, Sent: f.Sent, Final: f.Final, By: f.By, GM: f.By == log.ByGM, Entry: f.Entry, Number: 1}
	if a.GM || a.By == "player" {
		a.By = ""
	}
	return a
}

// takeOut plans that an answer with which a stop was resolved does not count: its
// side owes again, the others' answers stay.
func (d *desk) takeOut(p *plan, at int, r *log.Resolved, side engine.Side, to func(int) error) error {
	if err := to(at - 1); err != nil {
		return err
	}
	p.deeds = nil
	for _, g := range r.Answers {
		if g.Decision.Side != side {
			p.others = append(p.others, g)
		}
	}
	return nil
}

// putIn plans that a stop is resolved again with another answer of a side.
func (d *desk) putIn(p *plan, at int, side engine.Side, text, by string, to func(int) error) error {
	if err := to(at - 1); err != nil {
		return err
	}
	first := &p.deeds[0].resolved
	first.Answers = slices.Clone(first.Answers)
	for i, g := range first.Answers {
		if g.Decision.Side == side {
			if g.Orders == text {
				return game.Refuse("office.rule.same-orders")
			}
			first.Answers[i].By, first.Answers[i].Orders = by, text
		}
	}
	first.Ruled = nil // those dice belong to other orders
	p.ruling.Put, p.ruling.PutSide = text, side
	p.deeds[0].fresh = true
	p.say = text
	return nil
}

// orderEntry reads an entry of an order file.
func (d *desk) orderEntry(seq uint64, t *log.Taken) (log.Entry, error) {
	none := game.Refuse("office.rule.no-file", phrase.Number("entry", int(seq)))
	if seq == 0 || seq > d.Last.Seq {
		return log.Entry{}, none
	}
	e, err := d.Entry(seq, nil)
	if err != nil {
		return e, err
	}
	if e.Kind != log.KindTaken && e.Kind != log.KindRefused {
		return e, none
	}
	return d.Entry(seq, t)
}

// lastTaken finds the last file of a seat that counted for a stop, between the
// positions before and after it.
func (d *desk) lastTaken(side engine.Side, stop int, after, before uint64) (uint64, error) {
	var last uint64
	err := d.past.Each(func(e chain.Entry) error {
		if e.Seq <= after || e.Seq >= before {
			return nil
		}
		if entry, err := log.Decode(e.Body, nil); err != nil || entry.Kind != log.KindTaken || entry.Seat != side {
			return err
		}
		var t log.Taken
		if _, err := log.Decode(e.Body, &t); err != nil {
			return err
		}
		if t.SeatStop == stop {
			last = e.Seq
		}
		return nil
	})
	return last, err
}

// decide plans that the game is over, with an outcome.
func (d *desk) decide(p *plan, winners []engine.Side) error {
	if d.Game.Phase == game.Closed {
		return game.Refuse("office.gm.ended")
	}
	p.decided = &engine.Outcome{Winners: winners, Reason: phrase.Say("office.decided")}
	p.ruling.Winners = winners
	return nil
}
