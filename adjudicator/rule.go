package adjudicator

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// An act is a ruling or a rewind as a game master asks for it.
type act struct {
	Kind    string        `json:"kind"` // of a [Ruling], or "rewind"
	Dispute uint64        `json:"dispute,omitempty"`
	Entry   uint64        `json:"entry,omitempty"` // that is accepted, refused or overruled
	Stop    int           `json:"stop,omitempty"`  // of the game; 0: the present one
	First   bool          `json:"first,omitempty"` // what was rolled before the first stop: stop 0
	Roll    int           `json:"roll,omitempty"`
	Result  int           `json:"result,omitempty"`
	Set     string        `json:"set,omitempty"`
	Orders  string        `json:"orders,omitempty"` // to be carried out in place of a refused file's
	Option  string        `json:"option,omitempty"`
	Value   string        `json:"value,omitempty"`
	Winners []engine.Side `json:"winners,omitempty"`
	Same    bool          `json:"same,omitempty"` // a rewind runs on with the same orders
	Reason  string        `json:"reason"`
	Tell    string        `json:"tell,omitempty"`
}

// Kinds of acts.
const (
	actDie      = "die"
	actPosition = "position"
	actOption   = "option"
	actAccept   = "accept"
	actRefuse   = "refuse"
	actOutcome  = "outcome"
	actOverrule = "overrule"
	actStands   = "stands"
	actRewind   = "rewind"
)

// longestReason is how many bytes of a reason, and of words to the players, are
// kept.
const longestReason = 2000

// readAct reads what a letter asks for.
func (d *desk) readAct(doc *orders.Document) (*act, orders.Problems) {
	r := orders.NewReader(vocabulary)
	at := doc.Field("command")
	number := func(key string) uint64 {
		n := doc.Field(key)
		if n == nil {
			return 0
		}
		v, _ := r.Int(n, 1, 1<<30)
		return uint64(max(v, 0))
	}
	text := func(key string) string {
		n := doc.Field(key)
		if n == nil {
			return ""
		}
		t, _ := r.Text(n)
		return clip(strings.TrimSpace(t), longestReason)
	}
	a := &act{Dispute: number("dispute"), Stop: doc.Stop, Reason: oneLine(text("reason")), Tell: oneLine(text("tell"))}
	if a.Reason == "" {
		r.RefuseWith(at, "", phrase.Say("office.rule.no-reason"), phrase.Say("office.rule.write-reason"))
	}
	if doc.Command == "rewind" {
		a.Kind = actRewind
		if doc.Field("stop") == nil {
			r.RefuseWith(at, "", phrase.Say("office.rule.no-stop"), phrase.Say("office.rule.rewind-form"))
		}
		switch n := doc.Field("orders"); {
		case n == nil:
			r.RefuseWith(at, "", phrase.Say("office.rule.which-orders"), phrase.Say("office.rule.rewind-form"))
		default:
			word, _ := r.Word(n, "same", "new")
			a.Same = word == "same"
		}
		return a, r.Problems
	}
	var asked []string
	for _, key := range []string{"roll", "set", "accept", "refuse", "outcome", "option", "overrule", "decision"} {
		if doc.Field(key) != nil && !(key == "set" && doc.Field("accept") != nil) {
			asked = append(asked, key)
		}
	}
	if len(asked) != 1 {
		r.RefuseWith(at, "", phrase.Say("office.rule.one-thing", phrase.Number("n", len(asked))), phrase.Say("office.rule.forms"))
		return a, r.Problems
	}
	if n := doc.Field("set"); n != nil {
		if n.Kind != orders.Map || len(n.Pairs) == 0 {
			r.RefuseWith(n, "", phrase.Say("office.rule.set-map"), phrase.Say("office.rule.set-form"))
		}
		a.Set = n.Encode()
	}
	n := doc.Field(asked[0])
	switch asked[0] {
	case "roll":
		a.Kind, a.Roll, a.Result = actDie, int(number("roll")), int(number("result"))
		a.First = stopZero(doc)
		if doc.Field("result") == nil || a.Stop == 0 && !a.First {
			r.RefuseWith(at, "", phrase.Say("office.rule.die-missing"), phrase.Say("office.rule.die-form"))
		}
	case "set":
		a.Kind = actPosition
	case "accept":
		a.Kind, a.Entry = actAccept, number("accept")
		if doc.Orders != nil {
			a.Orders = orders.Mapping().Set("orders", doc.Orders.Clone()).Encode()
		}
	case "refuse":
		a.Kind, a.Entry = actRefuse, number("refuse")
	case "overrule":
		a.Kind, a.Entry = actOverrule, number("overrule")
	case "decision":
		a.Kind = actStands
		r.Word(n, "stands")
		if a.Dispute == 0 {
			r.RefuseWith(at, "", phrase.Say("office.rule.stands-what"), phrase.Say("office.rule.forms"))
		}
	case "outcome":
		a.Kind = actOutcome
		if !r.Is(n, "draw") {
			for _, item := range r.List(n) {
				if id, ok := r.Pick(item, "setup-side", sideChoices(d.position)); ok && !slices.Contains(a.Winners, engine.Side(id)) {
					a.Winners = append(a.Winners, engine.Side(id))
				}
			}
		}
	case "option":
		a.Kind = actOption
		if n.Kind != orders.Map || len(n.Pairs) != 1 {
			r.RefuseWith(n, "", phrase.Say("office.rule.option-one"), phrase.Say("office.rule.option-form"))
			break
		}
		s := &Setup{Rules: engine.Setup{Options: map[string]string{}}}
		readOptions(r, n, d.rules.About(), s)
		for name, value := range s.Rules.Options {
			a.Option, a.Value = name, value
		}
	}
	return a, r.Problems
}

// stopZero tells whether a file names stop 0: what is rolled before the first stop,
// such as the hands that are dealt.
func stopZero(doc *orders.Document) bool {
	n := doc.Field("stop")
	if n == nil {
		return false
	}
	text, _ := orders.NewReader(vocabulary).Text(n)
	return strings.TrimSpace(text) == "0"
}

// A plan is what an act will do.
type plan struct {
	back     *milestone              // the position gone back to, or the present one that is changed; nil: no position is touched
	position engine.Position         // in its place; nil: itself
	deeds    []deedOfThePast         // to be done again from there
	ruling   *Ruling                 // to be noted; nil for a rewind
	answer   *seat                   // whose answer at the open stop is put in force or taken out
	file     string                  // the answer to put in force; "": taken out
	force    inForce                 // how it counts
	of       engine.Side             // whose orders, of the open stop or an earlier one, count now, or no longer do
	ofStop   int                     // that stop, as the side counts
	counts   bool                    // they do
	others   []Given                 // answers that stay in force at the stop gone back to
	restore  map[engine.Side]*Former // answers that were in force at the position gone back to
	keep     bool                    // the answers in force at present stay so where they fit
	decided  *engine.Outcome
	kept     bool // dice of stops that are done again stay as they fell: their seed is known
}

// resolvedAt finds the entry of a trail that resolved a stop, -1 if none did.
func (d *desk) resolvedAt(trail []milestone, is func(Entry, *Resolved) bool) (int, *Resolved, error) {
	for i := len(trail) - 1; i > 0; i-- {
		if trail[i].Kind != LogResolved {
			continue
		}
		r := &Resolved{}
		e, err := d.entry(trail[i].Seq, r)
		if err != nil {
			return -1, nil, err
		}
		if is(e, r) {
			return i, r, nil
		}
	}
	return -1, nil, nil
}

// whole reads a milestone with its position.
func (d *desk) whole(seq uint64) (*milestone, error) {
	m, err := d.milestone(seq)
	return &m, err
}

// plan finds out what an act means. What can't be done is a [RefusedError] or
// [orders.Problems]; nothing is changed.
func (d *desk) plan(a *act) (*plan, error) {
	trail, err := d.trail()
	if err != nil {
		return nil, err
	}
	if len(trail) == 0 {
		return nil, refuse("office.rule.no-history")
	}
	p := &plan{ruling: &Ruling{Dispute: a.Dispute, About: a.Entry, Kind: a.Kind, Reason: a.Reason, Tell: a.Tell, From: d.game.Head}}
	if a.Dispute != 0 && !slices.Contains(d.game.Disputes, a.Dispute) {
		return nil, refuse("office.rule.no-dispute", phrase.Number("entry", int(a.Dispute)))
	}
	// before finds the position at which a stop was resolved, or the present one.
	before := func(stop int) (int, *Resolved, error) {
		if stop == 0 || stop == d.game.Stop && d.game.Phase == running || stop == d.game.Stop && d.game.Phase == closed {
			return len(trail) - 1, nil, nil
		}
		i, r, err := d.resolvedAt(trail, func(e Entry, _ *Resolved) bool { return e.Stop == stop })
		if err == nil && i < 0 {
			err = refuse("office.rule.no-such-stop", phrase.Number("stop", stop))
		}
		return i - 1, r, err
	}
	to := func(i int) error {
		p.back, err = d.whole(trail[i].Seq)
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
	case actStands:
	case actRewind:
		i, _, err := before(a.Stop)
		if err != nil {
			return nil, err
		}
		if i == len(trail)-1 && d.game.Phase == running {
			return nil, refuse("office.rule.here-already", phrase.Number("stop", a.Stop))
		}
		p.ruling = nil
		if err := to(i); err != nil {
			return nil, err
		}
		if !a.Same {
			p.deeds = nil
		}
	case actDie:
		i, r, err := before(a.Stop)
		if a.First {
			i, r, err = d.resolvedAt(trail, func(e Entry, _ *Resolved) bool { return e.Stop == 0 })
			i--
		}
		if err != nil {
			return nil, err
		}
		switch {
		case r == nil:
			return nil, refuse("office.rule.not-resolved", phrase.Number("stop", a.Stop))
		case a.Roll < 1 || a.Roll > len(r.Rolls):
			return nil, refuse("office.rule.no-roll", phrase.Number("stop", a.Stop), phrase.Number("roll", a.Roll), phrase.Number("n", len(r.Rolls)))
		case a.Result < 1 || a.Result > r.Rolls[a.Roll-1].Sides:
			return nil, refuse("office.rule.no-result", phrase.Number("roll", a.Roll), phrase.Number("result", a.Result), phrase.Number("sides", r.Rolls[a.Roll-1].Sides))
		case a.Result == r.Rolls[a.Roll-1].Result:
			return nil, refuse("office.rule.same-result", phrase.Number("roll", a.Roll), phrase.Number("result", a.Result))
		}
		p.ruling.Roll, p.ruling.Result = a.Roll, a.Result
		if err := to(i); err != nil {
			return nil, err
		}
		p.deeds[0].resolved.Ruled = maps.Clone(p.deeds[0].resolved.Ruled)
		if p.deeds[0].resolved.Ruled == nil {
			p.deeds[0].resolved.Ruled = map[int]int{}
		}
		p.deeds[0].resolved.Ruled[a.Roll] = a.Result
	case actPosition, actOption:
		i, _, err := before(a.Stop)
		if err != nil {
			return nil, err
		}
		if err := to(i); err != nil {
			return nil, err
		}
		set := a.Set
		if a.Kind == actOption {
			if set, err = d.optionSet(a); err != nil {
				return nil, err
			}
			p.ruling.Option, p.ruling.Value = a.Option, a.Value
		}
		p.keep = p.ruling.To == 0
		if err := d.set(p, set); err != nil {
			return nil, err
		}
	case actAccept, actRefuse:
		if err := d.planOrders(a, p, trail, to); err != nil {
			return nil, err
		}
	case actOutcome:
		if err := d.decide(p, a.Winners); err != nil {
			return nil, err
		}
	case actOverrule:
		if err := d.planOverrule(a, p, trail, to); err != nil {
			return nil, err
		}
	}
	p.kept = d.game.Phase != running
	return p, nil
}

// optionSet is what changes an option in the YAML of a position.
func (d *desk) optionSet(a *act) (string, error) {
	if rules, ok := d.rules.(engine.Optional); ok {
		n, err := rules.Option(a.Option, a.Value)
		if err != nil {
			return "", refuse("office.rule.option-fixed", phrase.Literal("name", a.Option), phrase.Literal("value", a.Value))
		}
		return n.Encode(), nil
	}
	return orders.Mapping().Set("options", orders.Inline().Set(a.Option, orders.Text(a.Value))).Encode(), nil
}

// set plans a change of the position gone back to.
func (d *desk) set(p *plan, set string) error {
	was, err := d.rules.Load(p.back.Snapshot)
	if err != nil {
		return fmt.Errorf("read position after entry %d: %w", p.back.Seq, err)
	}
	next, sum, err := d.checked(was, set)
	if err != nil {
		return err
	}
	p.position, p.ruling.Set, p.ruling.Position = next, set, sum
	return nil
}

// checked merges a change into a position and checks what comes of it.
func (d *desk) checked(was engine.Position, set string) (engine.Position, string, error) {
	next, problems, err := edited(d.rules, was, set)
	if len(problems) > 0 {
		return nil, "", problems
	}
	var faults orders.Problems
	if errors.As(err, &faults) {
		return nil, "", faults
	}
	if err != nil {
		return nil, "", refuse("office.rule.not-read", phrase.Literal("error", clip(err.Error(), 300)))
	}
	if !slices.Equal(next.Sides(), was.Sides()) {
		return nil, "", refuse("office.rule.other-sides")
	}
	if _, ended := next.Outcome(); !ended && len(next.Owed()) == 0 {
		return nil, "", refuse("office.rule.nothing-owed")
	}
	if c, ok := next.(engine.Checked); ok {
		if problems := c.Check(was); len(problems) > 0 {
			return nil, "", problems
		}
	}
	text, err := next.Marshal()
	if err != nil {
		return nil, "", err
	}
	again, err := d.rules.Load(text)
	if err != nil {
		return nil, "", refuse("office.rule.not-read", phrase.Literal("error", clip(err.Error(), 300)))
	}
	if copied, err := again.Marshal(); err != nil || !bytes.Equal(text, copied) {
		return nil, "", refuse("office.rule.not-the-same")
	}
	if before, err := was.Marshal(); err == nil && bytes.Equal(before, text) {
		return nil, "", refuse("office.rule.no-change")
	}
	sum := sha256.Sum256(text)
	return next, hex.EncodeToString(sum[:]), nil
}

// planOrders plans that a file counts, or does not.
func (d *desk) planOrders(a *act, p *plan, trail []milestone, to func(int) error) error {
	var t Taken
	e, err := d.orderEntry(a.Entry, &t)
	if err != nil {
		return err
	}
	doc, problems := orders.Parse(t.File, nil)
	stop := t.SeatStop
	if a.Kind == actAccept && doc != nil && doc.Stop > 0 {
		stop = doc.Stop // a late file was not for the stop that was owed when it came
	}
	at, r, err := d.resolvedAt(trail, func(_ Entry, r *Resolved) bool {
		return slices.ContainsFunc(r.Answers, func(g Given) bool { return g.Decision.Side == e.Seat && g.SeatStop == stop })
	})
	if err != nil {
		return err
	}
	s := d.game.seat(e.Seat)
	open := s != nil && s.Owes != nil && s.Owes.Stop == stop && d.game.Phase == running
	if at < 0 && !open {
		return refuse("office.rule.no-stop-of-file", phrase.Number("entry", int(a.Entry)), phrase.Number("stop", stop))
	}
	p.of, p.ofStop, p.counts = e.Seat, stop, a.Kind == actAccept
	if a.Kind == actRefuse {
		none := refuse("office.rule.not-in-force", phrase.Number("entry", int(a.Entry)))
		if open {
			answer, ok, err := d.inForce(s)
			if err != nil {
				return err
			}
			if !ok || s.Owes.Answer.Entry != a.Entry && (s.Owes.Answer.Entry != 0 || !d.means(d.position, s.Owes.Decision, t.File, answer.Orders().Encode())) {
				return none
			}
			return d.swap(p, s, nil)
		}
		given := r.of(e.Seat)
		last, err := d.lastTaken(e.Seat, stop, trail[at-1].Seq, trail[at].Seq)
		if err != nil {
			return err
		}
		if last != a.Entry { // the stop was resolved anew, perhaps
			m, err := d.whole(trail[at-1].Seq)
			if err != nil {
				return err
			}
			position, err := d.rules.Load(m.Snapshot)
			if err != nil {
				return err
			}
			if last != 0 || !d.means(position, given.Decision, t.File, given.Orders) {
				return none
			}
		}
		if given.By == byDefault || given.By == byBot {
			return none
		}
		return d.takeOut(p, at, r, e.Seat, to)
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
		return d.set(p, a.Set)
	}
	if a.Orders != "" {
		doc, problems = orders.Parse(a.Orders, nil)
	}
	var (
		position = d.position
		decision engine.Decision
	)
	if open {
		decision = s.Owes.Decision
	} else {
		m, err := d.whole(trail[at-1].Seq)
		if err != nil {
			return err
		}
		if position, err = d.rules.Load(m.Snapshot); err != nil {
			return err
		}
		for _, g := range r.Answers {
			if g.Decision.Side == e.Seat {
				decision = g.Decision
			}
		}
	}
	var answer engine.Answer
	if doc.Root != nil && doc.Command == "" {
		var faults orders.Problems
		if answer, faults = d.rules.Read(position.View(e.Seat), decision, doc); len(faults) > 0 {
			problems = append(problems, faults...)
		}
		problems = append(problems, missingOrders(doc)...)
	}
	if len(problems) > 0 || answer == nil {
		// A rule speaks against it, not the office alone.
		problems = append(problems, orders.Problem{Why: phrase.Say("office.rule.by-the-rules"), Remedy: phrase.Say("office.rule.carry-out")})
		return problems
	}
	text := answer.Orders().Encode()
	if open {
		now, ok, err := d.inForce(s)
		if err != nil {
			return err
		}
		if ok && now.Orders().Encode() == text {
			return refuse("office.rule.same-in-force")
		}
		return d.swap(p, s, &Former{Orders: text, By: byGM, Sent: d.now, Final: true, Serial: s.Serial, Entry: a.Entry})
	}
	return d.putIn(p, at, e.Seat, text, byGM, to)
}

// of finds the answer of a side with which a stop was resolved.
func (r *Resolved) of(side engine.Side) Given {
	for _, g := range r.Answers {
		if g.Decision.Side == side {
			return g
		}
	}
	return Given{}
}

// means tells whether a file says at a position what an answer in normal form
// says.
func (d *desk) means(position engine.Position, decision engine.Decision, file, normal string) bool {
	doc, problems := orders.Parse(file, nil)
	if len(problems) > 0 || doc.Root == nil {
		return false
	}
	answer, problems := d.rules.Read(position.View(decision.Side), decision, doc)
	return len(problems) == 0 && answer.Orders().Encode() == normal
}

// swap plans that another answer is in force at the open stop, or none.
func (d *desk) swap(p *plan, s *seat, next *Former) error {
	p.answer = s
	p.ruling.Seat, p.ruling.SeatStop = s.Side, s.Owes.Stop
	var err error
	if p.ruling.Was, err = d.former(s); err != nil || next == nil {
		return err
	}
	p.file, p.ruling.Orders, p.force = next.Orders, next.Orders, next.inForce()
	if s.Owes.Answer != nil {
		p.force.Number = s.Owes.Answer.Number + 1
	}
	return nil
}

// former is the answer in force of a seat, as a ruling keeps it; nil if there is
// none.
func (d *desk) former(s *seat) (*Former, error) {
	answer, ok, err := d.inForce(s)
	if err != nil || !ok {
		return nil, err
	}
	a := s.Owes.Answer
	f := &Former{Orders: answer.Orders().Encode(), By: a.By, Sent: a.Sent, Final: a.Final, Serial: a.Serial, Entry: a.Entry}
	if f.By == "" && a.GM {
		f.By = byGM
	}
	return f, nil
}

// inForce is how a former answer counts when it is put back.
func (f *Former) inForce() inForce {
	a := inForce{Serial: f.Serial, Sent: f.Sent, Final: f.Final, By: f.By, GM: f.By == byGM, Entry: f.Entry, Number: 1}
	if a.GM || a.By == "player" {
		a.By = ""
	}
	return a
}

// takeOut plans that an answer with which a stop was resolved does not count: its
// side owes again, the others' answers stay.
func (d *desk) takeOut(p *plan, at int, r *Resolved, side engine.Side, to func(int) error) error {
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
				return refuse("office.rule.same-orders")
			}
			first.Answers[i].By, first.Answers[i].Orders = by, text
		}
	}
	first.Ruled = nil // those dice belong to other orders
	p.deeds[0].fresh = true
	return nil
}

// orderEntry reads an entry of an order file.
func (d *desk) orderEntry(seq uint64, t *Taken) (Entry, error) {
	none := refuse("office.rule.no-file", phrase.Number("entry", int(seq)))
	if seq == 0 || seq > d.last.Seq {
		return Entry{}, none
	}
	e, err := d.entry(seq, &json.RawMessage{})
	if err != nil {
		return e, err
	}
	if e.Kind != LogTaken && e.Kind != LogRefused {
		return e, none
	}
	return d.entry(seq, t)
}

// lastTaken finds the last file of a seat that counted for a stop, between the
// positions before and after it.
func (d *desk) lastTaken(side engine.Side, stop int, after, before uint64) (uint64, error) {
	var last uint64
	err := d.eachEntry(func(e store.Entry) error {
		if e.Seq <= after || e.Seq >= before {
			return nil
		}
		if entry, err := decodeEntry(e.Body, nil); err != nil || entry.Kind != LogTaken || entry.Seat != side {
			return err
		}
		var t Taken
		if _, err := decodeEntry(e.Body, &t); err != nil {
			return err
		}
		if t.SeatStop == stop {
			last = e.Seq
		}
		return nil
	})
	return last, err
}

// planOverrule plans that an earlier ruling, or rewind, no longer holds. If nothing
// new was done since then, the game is as it was before it. Otherwise the stop that
// it changed is done as it was before, then what came since, as long as it fits.
func (d *desk) planOverrule(a *act, p *plan, trail []milestone, to func(int) error) error {
	r, err := d.ruling(a.Entry)
	if err != nil {
		return err
	}
	none := refuse("office.rule.not-in-force", phrase.Number("entry", int(a.Entry)))
	first, holds, err := d.overrules(r)
	if err != nil {
		return err
	}
	if gone, err := d.overruled(a.Entry); err != nil || gone {
		return cmp.Or(err, none)
	}
	switch {
	case first.Kind == actStands:
		return nil // the dispute is open again, or settled again
	case first.Kind == actOutcome && holds:
		if d.game.DecidedBy != a.Entry {
			return none
		}
		p.back, err = d.whole(d.game.Head)
		if err == nil {
			p.ruling.To = p.back.Seq
		}
		return err
	case first.Kind == actOutcome:
		if d.game.Decided != nil || !slices.ContainsFunc(trail, func(m milestone) bool { return m.Seq == a.Entry }) {
			return none
		}
		return d.decide(p, first.Winners)
	case r.Seat != "":
		return d.planRestore(a, p, r, trail, to)
	}
	is := func(m milestone) bool {
		if m.Seq == a.Entry {
			return true
		}
		var again Ruling
		if m.Kind != LogRuling {
			return false
		}
		_, err := d.entry(m.Seq, &again)
		return err == nil && again.Repeats == a.Entry
	}
	at := slices.IndexFunc(trail, is)
	if at < 1 {
		return none
	}
	since, err := d.deedsAfter(trail, trail[at].Seq)
	if err != nil {
		return err
	}
	from := r.From
	if trail[at].Seq != a.Entry {
		from = trail[at-1].Seq // it was done again here
	}
	old, err := d.trailTo(from)
	if err != nil {
		return err
	}
	var was []deedOfThePast
	if slices.ContainsFunc(old, func(m milestone) bool { return m.Seq == trail[at-1].Seq }) {
		if was, err = d.deedsAfter(old, trail[at-1].Seq); err != nil {
			return err
		}
	}
	back := from
	if r.Kind != actRewind && !follows(since, was) {
		back = trail[at-1].Seq
		p.deeds = since
		if len(was) > 0 && len(since) > 0 {
			p.deeds = append(was[:1:1], since[1:]...)
		}
	}
	if back == from && trail[at].Seq == a.Entry {
		p.restore = r.InForce
	}
	p.back, err = d.whole(back)
	p.ruling.To = back
	return err
}

// decide plans that the game is over, with an outcome.
func (d *desk) decide(p *plan, winners []engine.Side) error {
	if d.game.Phase == closed {
		return refuse("office.gm.ended")
	}
	p.decided = &engine.Outcome{Winners: winners, Reason: phrase.Say("office.decided")}
	p.ruling.Winners = winners
	return nil
}

// planRestore plans that an answer that was ruled on while its stop was open is
// again what it was before. What the player himself has sent since then stays: the
// ruling is in force no longer.
func (d *desk) planRestore(a *act, p *plan, r *Ruling, trail []milestone, to func(int) error) error {
	none := refuse("office.rule.not-in-force", phrase.Number("entry", int(a.Entry)))
	p.of, p.ofStop, p.counts = r.Seat, r.SeatStop, r.Was != nil
	s := d.game.seat(r.Seat)
	if s != nil && s.Owes != nil && s.Owes.Stop == r.SeatStop && d.game.Phase == running {
		answer, ok, err := d.inForce(s)
		if err != nil {
			return err
		}
		anew := slices.ContainsFunc(trail, func(m milestone) bool { return m.Seq > a.Entry && m.Kind == LogRewound })
		switch {
		case r.Orders == "" && (ok || anew),
			r.Orders != "" && (!ok || answer.Orders().Encode() != r.Orders || s.Owes.Answer.Entry > a.Entry):
			return none
		}
		return d.swap(p, s, r.Was)
	}
	at, resolved, err := d.resolvedAt(trail, func(_ Entry, done *Resolved) bool {
		g := done.of(r.Seat)
		return g.Decision.Side == r.Seat && g.SeatStop == r.SeatStop
	})
	if err != nil || at < 0 {
		return cmp.Or(err, none)
	}
	given := resolved.of(r.Seat)
	silent := given.By == byDefault || given.By == byBot
	if r.Orders == "" && !silent || r.Orders != "" && given.Orders != r.Orders {
		return none
	}
	if r.Was == nil {
		return d.takeOut(p, at, resolved, r.Seat, to)
	}
	by := r.Was.By
	if by == "" {
		by = "player"
	}
	return d.putIn(p, at, r.Seat, r.Was.Orders, by, to)
}

// ruling reads a ruling, or a rewind as if it were one, from the log.
func (d *desk) ruling(seq uint64) (*Ruling, error) {
	none := refuse("office.rule.no-ruling", phrase.Number("entry", int(seq)))
	if seq == 0 || seq > d.last.Seq {
		return nil, none
	}
	e, err := d.entry(seq, &json.RawMessage{})
	if err != nil {
		return nil, err
	}
	r := &Ruling{}
	switch e.Kind {
	case LogRewound:
		var w Rewound
		if _, err := d.entry(seq, &w); err != nil {
			return nil, err
		}
		r.From, r.Kind, r.Dispute, r.InForce = w.From, actRewind, w.Dispute, w.InForce
		return r, nil
	case LogRuling:
		_, err := d.entry(seq, r)
		return r, err
	}
	return nil, none
}

// overrules finds what a ruling is about in the end: itself, or, if it overrules
// another, perhaps one that overruled a third, the first of them; and whether that
// one holds by it.
func (d *desk) overrules(r *Ruling) (first *Ruling, holds bool, err error) {
	first, holds = r, true
	for first.Kind == actOverrule && err == nil {
		holds = !holds
		first, err = d.ruling(first.About)
	}
	return first, holds, err
}

// overruled tells whether a ruling was overruled by one that was not overruled in
// its turn. Of those that changed a position the history of positions tells more.
func (d *desk) overruled(seq uint64) (bool, error) {
	var by []uint64
	err := d.eachEntry(func(e store.Entry) error {
		if e.Seq <= seq {
			return nil
		}
		if entry, err := decodeEntry(e.Body, nil); err != nil || entry.Kind != LogRuling {
			return err
		}
		var r Ruling
		_, err := decodeEntry(e.Body, &r)
		if err == nil && r.Kind == actOverrule && r.About == seq && r.To == 0 {
			by = append(by, e.Seq)
		}
		return err
	})
	for _, n := range by {
		if gone, err := d.overruled(n); err != nil || !gone {
			return true, err
		}
	}
	return false, err
}

// follows tells whether deeds are only others done again.
func follows(again, were []deedOfThePast) bool {
	if len(again) > len(were) {
		return false
	}
	for i := range again {
		x, y := again[i], were[i]
		same := x.standing == y.standing && (x.ruling == nil) == (y.ruling == nil) &&
			slices.EqualFunc(x.resolved.Answers, y.resolved.Answers, func(a, b Given) bool {
				return i == 0 && a.Decision == b.Decision || a.Decision == b.Decision && a.Orders == b.Orders
			})
		if x.ruling != nil && y.ruling != nil {
			same = same && x.ruling.Set == y.ruling.Set
		}
		if !same {
			return false
		}
	}
	return true
}

// setAgain does again what a ruling changed in the position.
func (d *desk) setAgain(deed deedOfThePast) (bool, error) {
	next, sum, err := d.checked(d.position, deed.ruling.Set)
	if err != nil {
		var refused *RefusedError
		var problems orders.Problems
		if errors.As(err, &refused) || errors.As(err, &problems) {
			return false, nil
		}
		return false, err
	}
	again := *deed.ruling
	if again.Repeats == 0 {
		again.Repeats = deed.seq
	}
	again.From, again.To, again.Position, again.Commitment = d.game.Head, 0, sum, ""
	if err := d.note(Entry{Kind: LogRuling, By: "gm", Data: again}); err != nil {
		return false, err
	}
	m, err := d.whole(d.game.Head)
	if err != nil {
		return false, err
	}
	return true, d.change(m, next, &again)
}

// change puts a changed position in the place of one of the past.
func (d *desk) change(m *milestone, next engine.Position, r *Ruling) error {
	seq := d.last.Seq
	if err := d.goBack(*m, next); err != nil {
		return err
	}
	if r != nil && r.Option != "" {
		d.game.Options = maps.Clone(d.game.Options)
		if d.game.Options == nil {
			d.game.Options = map[string]string{}
		}
		d.game.Options[r.Option] = r.Value
	}
	snapshot, err := d.position.Marshal()
	if err != nil {
		return fmt.Errorf("write position of %s: %w", d.game.ID, err)
	}
	kind := LogRuling
	if r == nil {
		kind = LogRewound
	}
	d.remember(seq, kind, snapshot)
	return nil
}

// An effect is what an act did.
type effect struct {
	anew []int // stops that were resolved anew
	left int   // deeds of the past that no longer fit
	told map[*seat][]told
}

// carryOut does what an act says.
func (d *desk) carryOut(a *act) (*effect, error) {
	p, err := d.plan(a)
	if err != nil {
		return nil, err
	}
	g := d.game
	trail, err := d.trail()
	if err != nil {
		return nil, err
	}
	heard := map[*seat][]chapter{}
	sat, numbered := map[*seat]engine.Side{}, map[*seat]int{}
	for _, s := range g.Seats {
		sat[s], numbered[s] = s.Side, s.Events
		if heard[s], err = d.chapters(s, trail, 0); err != nil {
			return nil, err
		}
	}
	type inHand struct {
		file  []byte
		owes  owes
		given inForce
	}
	hand, had := map[*seat]inHand{}, map[engine.Side]*Former{}
	for _, s := range g.Seats {
		if s.Owes == nil || s.Owes.Answer == nil {
			continue
		}
		f, err := d.former(s)
		if err != nil {
			return nil, err
		}
		if f != nil && p.back != nil {
			had[s.Side] = f
		}
		file, err := d.answerFile(s.Side)
		if err != nil {
			return nil, err
		}
		hand[s] = inHand{file, *s.Owes, *s.Owes.Answer}
	}

	// If the seed is known already the game needs a new one to run on.
	commit := ""
	if p.back != nil && g.Phase != running {
		next := p.position
		if next == nil {
			if next, err = d.rules.Load(p.back.Snapshot); err != nil {
				return nil, err
			}
		}
		if _, ended := next.Outcome(); !ended {
			seed := make([]byte, 32)
			if err := d.office.draw(seed); err != nil {
				return nil, err
			}
			g.Seed, commit = seed, commitment(seed)
		}
	}
	entry := Entry{Kind: LogRuling, By: "gm"}
	if p.ruling == nil {
		entry.Kind = LogRewound
		entry.Data = Rewound{From: g.Head, To: p.back.Seq, Stop: p.back.Stop, Reason: a.Reason, Commitment: commit, Dispute: a.Dispute, InForce: had}
	} else {
		p.ruling.InForce = had
		p.ruling.Commitment = commit
		entry.Data = p.ruling
	}
	if err := d.note(entry); err != nil {
		return nil, err
	}
	seq := d.last.Seq
	d.hushed = true
	out := &effect{told: map[*seat][]told{}}
	wasRunning := g.Phase == running
	if p.back != nil {
		if err := d.change(p.back, p.position, p.ruling); err != nil {
			return nil, err
		}
		if p.kept && commit != "" {
			for i := range p.deeds {
				p.deeds[i].keepDice()
			}
		}
		mark := len(d.entries)
		n, err := d.again(p.deeds, map[engine.Side]bool{})
		if err != nil {
			return nil, err
		}
		if g.Fault != "" {
			return nil, refuse("office.rule.fault", phrase.Literal("error", clip(g.Fault, 300)))
		}
		if n == 0 && len(p.deeds) > 0 && a.Kind == actDie {
			return nil, refuse("office.rule.cannot-resolve")
		}
		out.left = len(p.deeds) - n
		for _, e := range d.entries[mark:] {
			if entry, err := decodeEntry(e.Body, nil); err == nil && entry.Kind == LogResolved {
				out.anew = append(out.anew, entry.Stop)
			}
		}
		for _, given := range p.others {
			if s := g.seat(given.Decision.Side); s != nil && s.Owes != nil && s.Owes.Decision == given.Decision && given.By != byDefault {
				d.answersAgain(s, given)
			}
		}
		for side, f := range p.restore {
			s := g.seat(side)
			if s == nil || s.Owes == nil || s.Owes.Answer != nil {
				continue
			}
			if d.answersAgain(s, Given{Decision: s.Owes.Decision, Orders: f.Orders}) {
				answer := f.inForce()
				s.Owes.Answer = &answer
			}
		}
		if out.left == 0 && (p.keep || a.Same || len(p.deeds) > 0) {
			for _, s := range g.Seats {
				h, ok := hand[s]
				if !ok || s.Owes == nil || s.Owes.Answer != nil || s.Owes.Decision != h.owes.Decision || s.Owes.Stop != h.owes.Stop {
					continue
				}
				if d.answersAgain(s, Given{Decision: h.owes.Decision, Orders: string(h.file)}) {
					answer := h.given
					s.Owes.Answer = &answer
				}
			}
		}
	}
	switch {
	case p.answer != nil && p.file == "":
		d.keepAnswer(p.answer.Side, nil)
		p.answer.Owes.Answer, p.answer.Owes.Passed = nil, false
		d.opens(p.answer, d.now) // he gets time to answer again
	case p.answer != nil:
		d.keepAnswer(p.answer.Side, []byte(p.file))
		force := p.force
		p.answer.Owes.Answer = &force
	}
	if p.decided != nil {
		g.Decided, g.DecidedBy = p.decided, seq
		for _, s := range g.Seats {
			if s.Owes != nil {
				d.keepAnswer(s.Side, nil)
				s.Owes = nil
			}
		}
	}
	opened, settled, err := d.disputes(a)
	if err != nil {
		return nil, err
	}
	g.Disputes = slices.DeleteFunc(append(slices.Clone(g.Disputes), opened...), func(n uint64) bool { return slices.Contains(settled, n) })
	o, ended := d.outcome()
	if ended && g.Phase == running {
		if err := d.end(o); err != nil {
			return nil, err
		}
	}
	if err := d.retell(a, p, heard, sat, numbered, commit, opened, settled, out); err != nil {
		return nil, err
	}
	d.hushed = false
	if g.Phase != running {
		if wasRunning || p.back != nil || p.decided != nil {
			d.tellEnd(o)
		} else {
			for _, s := range g.Seats {
				if _, told := out.told[s]; told {
					d.sendReport(s)
				}
			}
		}
		return out, nil
	}
	stop := g.Stop
	for s := range out.told {
		s.Moved = true // he gets a fresh report
	}
	if err := d.settle(); err != nil {
		return nil, err
	}
	if g.Stop != stop || g.Phase != running {
		out.anew = append(out.anew, stop)
	}
	for _, s := range g.Seats {
		if s.Resigned {
			s.Moved = false
		}
	}
	return out, nil
}

// keepDice keeps the dice of a stop as they fell.
func (deed *deedOfThePast) keepDice() {
	if deed.fresh {
		return
	}
	all := map[int]int{}
	for i, roll := range deed.resolved.Rolls {
		all[i+1] = roll.Result
	}
	maps.Copy(all, deed.resolved.Ruled)
	deed.resolved.Ruled = all
}

// retell puts together what each player is told: that there was a ruling, which
// events that he knows of are undone, and those that took their place. Events that
// came out for him as before keep their numbers and are not told again. Of a ruling
// that changes nothing nobody is told but who disputes what it is about: it would
// tell the others that he does.
func (d *desk) retell(a *act, p *plan, heard map[*seat][]chapter, sat map[*seat]engine.Side, numbered map[*seat]int, commit string, opened, settled []uint64, out *effect) error {
	trail, err := d.trail()
	if err != nil {
		return err
	}
	still, err := d.still(a)
	if err != nil {
		return err
	}
	for _, s := range d.game.Seats {
		his, again := d.hisDispute(s, settled), d.hisDispute(s, opened)
		if still && !his && !again && a.Tell == "" {
			continue
		}
		old := heard[s]
		now, err := d.chapters(s, trail, 0)
		if err != nil {
			return err
		}
		spoken := func(all []chapter) []chapter {
			return slices.DeleteFunc(slices.Clone(all), func(c chapter) bool { return len(c.all()) == 0 })
		}
		old, now = spoken(old), spoken(now)
		same := 0
		for same < len(old) && same < len(now) && old[same].says() == now[same].says() {
			same++
		}
		all := []told{{Say: phrase.Say("office.ruled.what-"+rulingOrRewind(a), phrase.Literal("tell", a.Tell))}}
		switch {
		case his && still:
			all = append(all, told{Say: phrase.Say("office.ruled.stands")})
		case his:
			all = append(all, told{Say: phrase.Say("office.ruled.yours")})
		case again:
			all = append(all, told{Say: phrase.Say("office.ruled.open-again")})
		}
		if d.operator != nil {
			all = append(all, told{Say: phrase.Say("office.ruled.machine", phrase.Literal("name", d.operator.named()))})
		}
		switch {
		case p.of == "" || sat[s] != p.of:
		case p.counts:
			all = append(all, told{Say: phrase.Say("office.ruled.accepted", phrase.Number("stop", p.ofStop))})
		default:
			all = append(all, told{Say: phrase.Say("office.ruled.refused", phrase.Number("stop", p.ofStop))})
		}
		if a.Kind == actOption {
			all = append(all, told{Say: phrase.Say("office.ruled.option", phrase.Literal("name", a.Option), phrase.Literal("value", a.Value))})
		}
		if s.Side != sat[s] {
			all = append(all, sayExchanged(s.Side))
		}
		first, last := 0, 0
		for _, c := range old[same:] {
			if c.seq > s.Upto {
				continue // he never knew
			}
			from, to := c.events()
			if first == 0 {
				first = from
			}
			last = max(last, to)
		}
		if last > 0 {
			all = append(all, told{Say: phrase.Say("office.ruled.undone", phrase.Number("from", first), phrase.Number("to", last))})
		}
		if commit != "" {
			all = append(all, told{Say: phrase.Say("office.ruled.seed", phrase.Literal("commitment", commit))})
		}
		most := numbered[s] // the highest number ever given: none is given twice
		counts := map[uint64]int{}
		for i := range now {
			first, last := now[i].events()
			if i < same {
				_, last = old[i].events()
				first, _ = old[i].events()
			} else if last > 0 {
				n := last - first
				first, last = most+1, most+1+n
				most = last
			}
			counts[now[i].seq] = last
			shift := 0
			if was, _ := now[i].events(); was > 0 {
				shift = first - was
			}
			for j := range now[i].told {
				if now[i].told[j].Number > 0 {
					now[i].told[j].Number += shift
				}
			}
			if i >= same || old[i].seq > s.Upto {
				all = append(all, now[i].all()...)
			}
		}
		s.Events = most
		for i := range d.milestones {
			m := &d.milestones[i]
			if n, ok := counts[m.Seq]; ok && n > 0 {
				m.Events[s.book()] = n
			}
		}
		s.Told = all
		out.told[s] = all
	}
	return nil
}

// rulingOrRewind is what players are told that it was.
func rulingOrRewind(a *act) string {
	if a.Kind == actRewind {
		return "rewind"
	}
	return "ruling"
}

// disputes lists the disputes that an act opens again, since the ruling that settled
// them no longer holds, and those that it settles.
func (d *desk) disputes(a *act) (opened, settled []uint64, err error) {
	if a.Kind == actOverrule {
		r, err := d.ruling(a.Entry)
		if err != nil {
			return nil, nil, err
		}
		first, holds, err := d.overrules(r)
		if err != nil {
			return nil, nil, err
		}
		if holds {
			opened = append(opened, first.Dispute)
		} else {
			settled = append(settled, first.Dispute)
			opened = append(opened, r.Dispute)
		}
	}
	settled = append(settled, a.Dispute)
	none := func(n uint64) bool { return n == 0 || slices.Contains(d.game.Disputes, n) }
	opened = slices.DeleteFunc(opened, func(n uint64) bool { return none(n) || slices.Contains(settled, n) })
	settled = slices.DeleteFunc(settled, func(n uint64) bool { return n == 0 })
	return opened, settled, nil
}

// still tells whether an act changes nothing in the game: it lets what is disputed
// stand, or overrules a ruling that did.
func (d *desk) still(a *act) (bool, error) {
	if a.Kind != actOverrule {
		return a.Kind == actStands, nil
	}
	r, err := d.ruling(a.Entry)
	if err != nil {
		return false, err
	}
	first, _, err := d.overrules(r)
	return err == nil && first.Kind == actStands, err
}

// hisDispute tells whether a player disputes what one of the entries says.
func (d *desk) hisDispute(s *seat, entries []uint64) bool {
	return slices.ContainsFunc(entries, func(n uint64) bool {
		e, err := d.entry(n, &json.RawMessage{})
		return err == nil && d.sideAt(s, n) == e.Seat
	})
}

// A Previewed is a ruling as the log keeps that a game master looked at what it
// would do. So nobody can try rulings until the dice please him, without its
// showing.
type Previewed struct {
	Act act `json:"act"`
}

// rehearsal is a copy of the game at which an act can be tried.
func (d *desk) rehearsal() (*desk, error) {
	record, err := json.Marshal(d.game)
	if err != nil {
		return nil, fmt.Errorf("copy record of %s: %w", d.game.ID, err)
	}
	g, err := readGame(record)
	if err != nil {
		return nil, err
	}
	t := &table{office: d.office, game: g, rules: d.rules, position: d.position.Clone(), views: map[engine.Side]engine.View{}, last: d.last}
	return &desk{
		table: t, now: d.now, dry: true, who: d.who, reader: d.reader, operator: d.operator,
		entries: slices.Clone(d.entries), milestones: slices.Clone(d.milestones), answers: maps.Clone(d.answers),
	}, nil
}

// ruleCode is what confirms an act: it holds for this act at this end of the log.
func (d *desk) ruleCode(a *act) string {
	text, err := json.Marshal(a)
	if err != nil { // it is plain data
		panic(err)
	}
	sum := d.office.derive("ruling", d.game.ID, string(d.last.Hash[:]), string(text))
	code := keyLetters.EncodeToString(sum[:5])
	return code[:4] + "-" + code[4:]
}

// pending gives the act of the last preview, if nothing came after it.
func (d *desk) pending() (*act, error) {
	if d.last.Seq == 0 {
		return nil, nil
	}
	var p Previewed
	e, err := d.entry(d.last.Seq, &json.RawMessage{})
	if err != nil || e.Kind != LogPreview {
		return nil, err
	}
	if _, err := d.entry(d.last.Seq, &p); err != nil {
		return nil, err
	}
	return &p.Act, nil
}

// ruleOrPreview does an act if its code fits, else previews it. The notice is for
// the game master; it tells whether the act was done.
func (d *desk) ruleOrPreview(a *act, confirm string, sure bool) (templates.Notice, bool, error) {
	stale := false
	if confirm != "" {
		waiting, err := d.pending()
		if err != nil {
			return templates.Notice{}, false, err
		}
		if a == nil {
			if waiting == nil {
				return templates.Notice{}, false, refuse("office.rule.nothing-to-confirm")
			}
			a = waiting
		}
		sure = sameKey(confirm, d.ruleCode(a)) && waiting != nil
		stale = !sure
	}
	try, err := d.rehearsal()
	if err != nil {
		return templates.Notice{}, false, err
	}
	done, err := try.carryOut(a)
	if err != nil {
		return templates.Notice{}, false, err
	}
	n, err := d.previewNotice(a, try, done)
	if err != nil {
		return n, false, err
	}
	if sure {
		if _, err := d.carryOut(a); err != nil {
			return n, false, err
		}
		n.Heading = d.gmHeading()
		n.Subject = phrase.Say("office.rule.done")
		n.Lines = append([]phrase.Phrase{phrase.Say("office.rule.counts", phrase.Number("entry", int(d.lastOf(LogRuling, LogRewound))))}, n.Lines...)
		return n, true, nil
	}
	if err := d.note(Entry{Kind: LogPreview, By: "gm", Data: Previewed{*a}}); err != nil {
		return n, false, err
	}
	n.Heading = d.gmHeading()
	lines := []phrase.Phrase{phrase.Say("office.rule.preview")}
	if stale {
		lines = []phrase.Phrase{phrase.Say("office.rule.stale"), phrase.Say("office.rule.preview")}
	}
	if d.operator != nil { // the program says how
		n.Lines = append(lines, n.Lines...)
		return n, false, nil
	}
	code, key := d.ruleCode(a), d.office.gmKey(d.game)
	if d.reader != nil {
		var err error
		if key, err = d.office.OfficeKey(d.reader.Address); err != nil {
			return n, false, err
		}
	}
	n.Lines = append(append(lines, phrase.Say("office.rule.confirm", phrase.Literal("code", code))), n.Lines...)
	command := "rule"
	if a.Kind == actRewind {
		command = "rewind"
	}
	file := orders.Mapping().Set("game", orders.Text(d.game.ID)).Set("key", orders.Text(key)).
		Set("command", orders.Text(command)).Set("confirm", orders.Text(code))
	n.Texts = append([]string{file.Encode()}, n.Texts...)
	return n, false, nil
}

// lastOf finds the first entry of this change that is of one of the kinds.
func (d *desk) lastOf(kinds ...string) uint64 {
	for _, e := range d.entries {
		if entry, err := decodeEntry(e.Body, nil); err == nil && slices.Contains(kinds, entry.Kind) {
			return e.Seq
		}
	}
	return 0
}

// previewNotice tells a game master what an act does: the position as a difference,
// the stops that are resolved anew, and what each side will be told.
func (d *desk) previewNotice(a *act, after *desk, e *effect) (templates.Notice, error) {
	n := templates.Notice{Subject: phrase.Say("office.rule.subject")}
	n.Lines = append(n.Lines, phrase.Say("office.rule.is", phrase.Within("kind", phrase.Say("office.ruling.kind-"+a.Kind)), phrase.Literal("reason", a.Reason)))
	switch {
	case a.Kind == actDie:
		n.Lines = append(n.Lines, phrase.Say("office.rule.roll", phrase.Number("stop", a.Stop), phrase.Number("roll", a.Roll), phrase.Number("result", a.Result)))
	case a.Kind == actRewind && a.Same:
		n.Lines = append(n.Lines, phrase.Say("office.rule.back-same", phrase.Number("stop", a.Stop)))
	case a.Kind == actRewind:
		n.Lines = append(n.Lines, phrase.Say("office.rule.back-new", phrase.Number("stop", a.Stop)))
	case a.Entry != 0:
		n.Lines = append(n.Lines, phrase.Say("office.rule.about", phrase.Number("entry", int(a.Entry))))
	}
	if a.Dispute != 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.settles", phrase.Number("entry", int(a.Dispute))))
	}
	if len(e.anew) > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.anew", phrase.Literals("stops", stopList(e.anew))))
	}
	if e.left > 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.left", phrase.Number("n", e.left)))
	}
	if o, ended := after.outcome(); ended {
		n.Lines = append(n.Lines, phrase.Say("office.rule.ends", phrase.Within("reason", o.Reason)))
	} else {
		for _, s := range after.game.Seats {
			if s.Owes != nil {
				code := "office.rule.owes"
				if s.Owes.Answer != nil {
					code = "office.rule.answered"
				}
				n.Lines = append(n.Lines, phrase.Say(code, sideName(s.Side), phrase.Within("stop", sayStop(s.Owes))))
			}
		}
	}
	for _, s := range after.game.Seats {
		for _, t := range e.told[s] {
			n.Lines = append(n.Lines, phrase.Say("office.rule.tells", sideName(s.Side), phrase.Within("what", sayTold(t))))
		}
	}
	changes, err := differences(d.position, after.position)
	if err != nil {
		return n, err
	}
	if len(changes) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.rule.position-same"))
	} else {
		n.Lines = append(n.Lines, phrase.Say("office.rule.position", phrase.Number("n", len(changes))))
		n.Texts = append(n.Texts, strings.Join(changes, "\n")+"\n")
	}
	return n, nil
}

func stopList(stops []int) []string {
	var all []string
	for _, n := range stops {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// mostDifferences is how many places of a position a preview shows.
const mostDifferences = 200

// differences lists where two positions differ.
func differences(a, b engine.Position) ([]string, error) {
	tree := func(p engine.Position) (*orders.Node, error) {
		text, err := p.Marshal()
		if err != nil {
			return nil, fmt.Errorf("write position: %w", err)
		}
		n, problems := orders.ParseNode(text)
		if len(problems) > 0 {
			return nil, fmt.Errorf("read position: %w", problems)
		}
		return n, nil
	}
	old, err := tree(a)
	if err != nil {
		return nil, err
	}
	now, err := tree(b)
	if err != nil {
		return nil, err
	}
	shown := func(n *orders.Node) string {
		if n == nil {
			return "-"
		}
		return clip(oneLine(n.Encode()), 120)
	}
	var all []string
	for _, c := range orders.Diff(old, now) {
		if len(all) == mostDifferences {
			all = append(all, "...")
			break
		}
		all = append(all, c.Path+": "+shown(c.Old)+" -> "+shown(c.New))
	}
	return all, nil
}

// A RulePreview is what came of asking for a ruling or a rewind on the command
// line.
type RulePreview struct {
	Done bool   // it counts
	Code string // what confirms it; "" if it counts
	Text string // for the game master
}

// Rule previews a ruling or a rewind, written as in a letter (command: rule or
// command: rewind), or makes it count if the code of the last preview confirms it,
// or the asker is sure without one. With a code the text may be empty. The error is
// a [RefusedError] or [orders.Problems] if it can't be done.
func (o *Office) Rule(ctx context.Context, id, text, confirm string, sure bool) (*RulePreview, error) {
	var out RulePreview
	err := o.act(ctx, id, func(d *desk) error {
		var a *act
		if strings.TrimSpace(text) != "" {
			doc, problems := orders.Parse(text, nil)
			if len(problems) == 0 {
				a, problems = d.readAct(doc)
			}
			if len(problems) > 0 {
				problems.Sort()
				return problems
			}
		}
		if a == nil && confirm == "" {
			return refuse("office.rule.nothing-to-confirm")
		}
		n, done, err := d.ruleOrPreview(a, confirm, sure)
		if err != nil {
			return err
		}
		if out.Done = done; !done {
			if a == nil {
				if a, err = d.pending(); err != nil {
					return err
				}
			}
			out.Code = d.ruleCode(a)
		}
		n.Heading.Reader.Language = templates.Languages[0]
		out.Text = o.words.Notice(n).Text
		return nil
	})
	return &out, err
}

// rule does what a letter with command: rule or command: rewind asks for.
func (v *visit) rule() error {
	confirm := ""
	r := orders.NewReader(vocabulary)
	if n := v.value("confirm"); n != nil {
		confirm, _ = r.Text(n)
	}
	var a *act
	if confirm == "" || v.value("reason") != nil {
		var problems orders.Problems
		if a, problems = v.readAct(v.doc); len(problems) > 0 {
			return v.refuseGM(problems)
		}
	}
	n, _, err := v.ruleOrPreview(a, confirm, false)
	var refused *RefusedError
	var problems orders.Problems
	switch {
	case errors.As(err, &refused):
		return v.refuseGM(orders.Problems{v.fault("command", refused.Why)})
	case errors.As(err, &problems):
		return v.refuseGM(problems)
	case err != nil:
		return err
	}
	return v.sendGM(n)
}
