package cases

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A check is one line of "then". It says in what the run differs from what is wanted.
type check struct {
	line int
	kind string
	test func(*run) []string
	// covers has the refusals that a line with "refused" expects, by the numbers of the
	// step's files; the runner fails a case for any other refusal.
	covers func(number int, side engine.Side, p orders.Problem) bool
	sides  []engine.Side // of which it speaks: the game must have them
	twin   *twin         // the other case, for a check of "same"
}

var checkKinds = []string{"refused", "accepted", "owed", "position", "told", "untold", "view", "seen", "unseen", "template", "same", "outcome", "rolls", "talk", "no-game"}

func (p *parser) then(n *orders.Node) []check {
	var checks []check
	for _, item := range p.List(n) {
		if item.Kind != orders.Map || len(item.Pairs) == 0 {
			p.Refuse(item, "", phrase.Say("case.want-check", phrase.Literals("keys", checkKinds)))
			continue
		}
		f := p.Fields(item, checkKinds...)
		for _, kind := range checkKinds {
			value := f.Get(kind)
			if value == nil {
				continue
			}
			line := value.Line
			for _, pair := range item.Pairs {
				if pair.Value == value {
					line = pair.Key.Line
				}
			}
			for _, c := range p.check(kind, value) {
				if c.line == 0 {
					c.line = line
				}
				c.kind = kind
				checks = append(checks, c)
			}
		}
	}
	return checks
}

// check reads the value of one kind of check; most may be given as a list.
func (p *parser) check(kind string, n *orders.Node) []check {
	switch kind {
	case "owed":
		return []check{p.owed(n)}
	case "rolls":
		return []check{p.rolls(n)}
	case "outcome":
		return []check{p.outcome(n)}
	case "position":
		return []check{{test: func(r *run) []string {
			tree, err := r.tree()
			if err != nil {
				return []string{err.Error()}
			}
			return differences("", n, tree)
		}}}
	}
	var checks []check
	for _, item := range p.List(n) {
		var c check
		switch kind {
		case "refused":
			c = p.refused(item)
		case "accepted":
			c = p.accepted(item)
		case "told", "untold":
			c = p.told(item, kind == "told")
		case "view":
			c = p.view(item)
		case "seen", "unseen", "template":
			c = p.seen(item, kind)
		case "same":
			c = p.sameAs(item)
		case "talk":
			c = p.talk(item)
		case "no-game":
			c = p.noGame(item)
		}
		c.line = item.Line
		checks = append(checks, c)
	}
	return checks
}

// wanted is what a phrase, with its clause, must be like.
type wanted struct {
	side   engine.Side
	code   string
	clause string
	line   int
	says   []string
	with   *orders.Node
}

func (p *parser) wanted(f orders.Fields) wanted {
	var w wanted
	if side, ok := p.Text(f.Get("side")); ok {
		w.side = engine.Side(side)
	}
	w.code, _ = p.Text(f.Get("code"))
	if event := f.Get("event"); event != nil {
		w.code, _ = p.Text(event)
	}
	w.clause = p.clause(f.Get("clause"))
	w.line, _ = p.Int(f.Get("line"), 1, 1_000_000)
	w.says = p.says(f.Get("says"))
	if w.with = f.Get("with"); w.with != nil && w.with.Kind != orders.Map {
		p.Refuse(w.with, "", phrase.Say("case.want-position"))
	}
	return w
}

func (p *parser) says(n *orders.Node) []string {
	var says []string
	for _, item := range p.List(n) {
		if item.Kind != orders.Scalar {
			p.Refuse(item, "", phrase.Say("case.want-says"))
			continue
		}
		says = append(says, item.Text)
	}
	return says
}

func (w wanted) meets(clause string, say phrase.Phrase) bool {
	if w.code != "" && w.code != say.Code && !strings.HasSuffix(say.Code, "."+w.code) {
		return false
	}
	if w.clause != "" && w.clause != clause {
		return false
	}
	texts := leaves(nil, say)
	for _, want := range w.says {
		if !speaks(texts, want) {
			return false
		}
	}
	for _, pair := range pairs(w.with) {
		if !slices.ContainsFunc(say.Args, func(a phrase.Arg) bool { return a.Name == pair.Key.Text && fits(pair.Value, a.Value) }) {
			return false
		}
	}
	return true
}

func (w wanted) String() string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	add("code", w.code)
	add("clause", w.clause)
	if w.line > 0 {
		add("line", strconv.Itoa(w.line))
	}
	for _, says := range w.says {
		add("says", strconv.Quote(says))
	}
	if w.with != nil {
		add("with", short(w.with))
	}
	if len(parts) == 0 {
		return "anything"
	}
	return strings.Join(parts, ", ")
}

// fits compares what fills a place with what was wanted there.
func fits(want *orders.Node, v phrase.Value) bool {
	switch {
	case v.Kind == phrase.KindList:
		if items := containing(want); items != nil {
			return len(without(len(items), len(v.List), func(w, h int) bool { return fits(items[w], v.List[h]) })) == 0
		}
		if want.Kind != orders.List || len(want.Items) != len(v.List) {
			return false
		}
		for i := range v.List {
			if !fits(want.Items[i], v.List[i]) {
				return false
			}
		}
		return true
	case want.Kind != orders.Scalar:
		return false
	case v.Kind == phrase.KindNumber:
		return want.Text == strconv.Itoa(v.Num)
	case v.Kind == phrase.KindPhrase:
		return v.Say != nil && (want.Text == v.Say.Code || strings.HasSuffix(v.Say.Code, "."+want.Text))
	}
	return same(want.Text, v.Text)
}

// leaves gathers all texts and numbers that a phrase says, and of each phrase within it its code, alone and
// with what fills it behind it ("hfg.mark-t9 +1").
func leaves(texts []string, say phrase.Phrase) []string {
	for _, a := range say.Args {
		texts = valueLeaves(texts, a.Value)
	}
	return texts
}

func valueLeaves(texts []string, v phrase.Value) []string {
	switch v.Kind {
	case "":
		return texts
	case phrase.KindNumber:
		return append(texts, strconv.Itoa(v.Num))
	case phrase.KindList:
		for _, item := range v.List {
			texts = valueLeaves(texts, item)
		}
		return texts
	case phrase.KindPhrase:
		if v.Say == nil {
			return texts
		}
		inside := leaves(nil, *v.Say)
		if len(inside) > 0 {
			texts = append(texts, v.Say.Code+" "+strings.Join(inside, " "))
		}
		return append(append(texts, v.Say.Code), inside...)
	}
	return append(texts, v.Text)
}

// speaks tells whether one of the texts holds a text; a number must be one of the texts by
// itself, so that 2 is not found in F-02.
func speaks(texts []string, want string) bool {
	if _, err := strconv.Atoi(want); err == nil {
		return slices.Contains(texts, want)
	}
	want = strings.ToLower(want)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), want) })
}

// Plain writes a phrase as its code and what fills it, for reports in which no
// catalogue is at hand.
func Plain(say phrase.Phrase) string {
	var b strings.Builder
	b.WriteString(say.Code)
	for _, a := range say.Args {
		b.WriteByte(' ')
		b.WriteString(a.Name)
		b.WriteByte('=')
		plainValue(&b, a.Value)
	}
	return b.String()
}

func plainValue(b *strings.Builder, v phrase.Value) {
	switch v.Kind {
	case phrase.KindNumber:
		b.WriteString(strconv.Itoa(v.Num))
	case phrase.KindLiteral:
		b.WriteString(strconv.Quote(v.Text))
	case phrase.KindList:
		b.WriteByte('[')
		for i, item := range v.List {
			if i > 0 {
				b.WriteByte(' ')
			}
			plainValue(b, item)
		}
		b.WriteByte(']')
	case phrase.KindPhrase:
		if v.Say != nil {
			b.WriteString("(" + Plain(*v.Say) + ")")
		}
	default:
		b.WriteString(v.Text)
	}
}

// whose reads of which order files of the step a check speaks: of those of a side, or of
// the file with a number.
func (p *parser) whose(f orders.Fields) (side engine.Side, number int) {
	at := f.Get("file")
	if at == nil {
		p.Require(f, "side")
	}
	text, _ := p.Text(f.Get("side"))
	side = engine.Side(text)
	if at == nil {
		return side, 0
	}
	if len(p.files) == 0 {
		p.RefuseWith(at, "", phrase.Say("case.no-files"), phrase.Say("case.files-count"))
		return side, 0
	}
	number, ok := p.Int(at, 1, len(p.files))
	if ok && side != "" && side != p.files[number-1] {
		p.RefuseWith(at, "", phrase.Say("case.other-file", phrase.Number("file", number), phrase.Literal("side", string(p.files[number-1]))),
			phrase.Say("case.leave-side"))
	}
	if ok {
		side = p.files[number-1]
	}
	return side, number
}

// sent gives the files of the step of which a check speaks. The text says that
// there are none.
func (r *run) sent(side engine.Side, number int) ([]file, string) {
	var all []file
	for _, file := range r.files {
		if file.act.side == side && (number == 0 || file.number == number) {
			all = append(all, file)
		}
	}
	if len(all) == 0 && number > 0 {
		return nil, fmt.Sprintf("file %d was not judged", number)
	}
	if len(all) == 0 {
		return nil, fmt.Sprintf("%s sent no orders", side)
	}
	return all, ""
}

// called is how a report speaks of the files of a check.
func called(side engine.Side, number int) string {
	if number > 0 {
		return fmt.Sprintf("the orders of %s (file %d)", side, number)
	}
	return fmt.Sprintf("the orders of %s", side)
}

func (p *parser) refused(n *orders.Node) check {
	f := p.Fields(n, "side", "file", "clause", "line", "code", "says", "with", "remedy", "more")
	w := p.wanted(f)
	side, number := p.whose(f)
	remedy, _ := p.Text(f.Get("remedy"))
	more := false
	if f.Get("more") != nil {
		more, _ = p.Bool(f.Get("more"))
	}
	meets := func(fault orders.Problem) bool {
		return (w.line == 0 || w.line == fault.Line) && w.meets(fault.Clause, fault.Why) &&
			(remedy == "" || fault.Remedy.Code == remedy || strings.HasSuffix(fault.Remedy.Code, "."+remedy) || speaks(leaves(nil, fault.Remedy), remedy))
	}
	return check{
		sides: []engine.Side{side},
		covers: func(of int, by engine.Side, fault orders.Problem) bool {
			return by == side && (number == 0 || number == of) && (more || meets(fault))
		},
		test: func(r *run) []string {
			files, none := r.sent(side, number)
			if none != "" {
				return []string{none}
			}
			var found []string
			for _, file := range files {
				for _, fault := range file.problems {
					if meets(fault) {
						return nil
					}
					found = append(found, "  "+describe(fault))
				}
			}
			if len(found) == 0 {
				return []string{fmt.Sprintf("%s were accepted; want them refused for %s", called(side, number), w)}
			}
			return append([]string{fmt.Sprintf("%s were not refused for %s, but for", called(side, number), w)}, found...)
		},
	}
}

func describe(fault orders.Problem) string {
	return fmt.Sprintf("line %d, column %d: %s", fault.Line, fault.Column, aboutFault(fault))
}

func (p *parser) accepted(n *orders.Node) check {
	f := p.Fields(n, "side", "file", "orders", "standing", "policies")
	side, number := p.whose(f)
	return check{sides: []engine.Side{side}, test: func(r *run) []string {
		files, none := r.sent(side, number)
		if none != "" {
			return []string{none}
		}
		last := files[len(files)-1]
		if last.answer == nil {
			return []string{called(side, number) + " were refused"} // the faults are told anyway
		}
		normal := last.answer.Orders()
		var diffs []string
		for _, key := range []string{"orders", "standing", "policies"} {
			if want := f.Get(key); want != nil {
				diffs = append(diffs, differences(key, want, normal.Get(key))...)
			}
		}
		return diffs
	}}
}

// items reads the items of a list that a check wants: the whole list, or, in
// {contains: ...}, only the items that must be in it.
func (p *parser) items(n *orders.Node) (items []*orders.Node, some bool) {
	if p.Is(n, "none") {
		return nil, false
	}
	if n.Get("contains") == nil {
		return p.List(n), false
	}
	items = p.List(p.Fields(n, "contains").Get("contains"))
	if len(items) == 0 {
		p.Refuse(n, "", phrase.Say("case.contains-nothing"))
	}
	return items, true
}

// has tells whether a list is as wanted: as long and in order, or only containing
// what was wanted. Ordered false lets a whole list be in any order.
func has(wanted, n int, some, ordered bool, meets func(want, have int) bool) bool {
	if !some && wanted != n {
		return false
	}
	if some || !ordered {
		return len(without(wanted, n, meets)) == 0
	}
	for i := range wanted {
		if !meets(i, i) {
			return false
		}
	}
	return true
}

func (p *parser) owed(n *orders.Node) check {
	type entry struct{ side, kind, at string }
	var want []entry
	var c check
	items, some := p.items(n)
	for _, item := range items {
		f := p.Fields(item, "side", "decision", "at")
		p.Require(f, "side")
		var e entry
		e.side, _ = p.Text(f.Get("side"))
		e.kind, _ = p.Text(f.Get("decision"))
		e.at, _ = p.Text(f.Get("at"))
		want = append(want, e)
		c.sides = append(c.sides, engine.Side(e.side))
	}
	c.test = func(r *run) []string {
		have := r.position.Owed()
		if has(len(want), len(have), some, false, func(i, j int) bool {
			e, d := want[i], have[j]
			return e.side == string(d.Side) && (e.kind == "" || e.kind == d.Kind) && (e.at == "" || same(e.at, d.At))
		}) {
			return nil
		}
		return []string{fmt.Sprintf("want %s, have %s", short(n), owing(have))}
	}
	return c
}

func owing(decisions []engine.Decision) string {
	if len(decisions) == 0 {
		return "none"
	}
	var parts []string
	for _, d := range decisions {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Side, d.Kind, d.At)))
	}
	return strings.Join(parts, "; ")
}

func (p *parser) told(n *orders.Node, wantIt bool) check {
	f := p.Fields(n, "side", "event", "code", "clause", "says", "with", "times")
	p.Require(f, "side")
	w := p.wanted(f)
	times, counted := p.Int(f.Get("times"), 1, 1000)
	return check{sides: []engine.Side{w.side}, test: func(r *run) []string {
		n := 0
		var hits, all []string
		for _, e := range r.events {
			say, ok := e.For(w.side)
			if !ok {
				continue
			}
			text := "  " + Plain(say)
			if e.Clause != "" {
				text += " [" + e.Clause + "]"
			}
			all = append(all, text)
			if w.meets(e.Clause, say) {
				n++
				hits = append(hits, text)
			}
		}
		switch {
		case !wantIt && n > 0:
			return append([]string{fmt.Sprintf("%s was told %s", w.side, w)}, hits...)
		case wantIt && counted && n != times:
			return append([]string{fmt.Sprintf("%s was told %s %d times, want %d; told in all:", w.side, w, n, times)}, all...)
		case wantIt && n == 0:
			return append([]string{fmt.Sprintf("%s was not told %s; told in all:", w.side, w)}, all...)
		}
		return nil
	}}
}

func (p *parser) view(n *orders.Node) check {
	if n.Kind != orders.Map || n.Get("side") == nil {
		p.Require(p.Fields(n, "side"), "side")
		return check{}
	}
	side, _ := p.Text(n.Get("side"))
	want := *n
	want.Pairs = slices.DeleteFunc(slices.Clone(n.Pairs), func(pair orders.Pair) bool { return pair.Key.Text == "side" })
	return check{sides: []engine.Side{engine.Side(side)}, test: func(r *run) []string {
		text, err := r.position.View(engine.Side(side)).Marshal()
		if err != nil {
			return []string{"write the view: " + err.Error()}
		}
		tree, problems := orders.ParseNode(text)
		if len(problems) > 0 {
			return []string{"read the view: " + problems.Error()}
		}
		return differences("", &want, tree)
	}}
}

func (p *parser) outcome(n *orders.Node) check {
	none := p.Is(n, "none")
	var winners []string
	var clause string
	var reason wanted
	var named bool
	if !none {
		f := p.Fields(n, "winners", "clause", "code", "says", "with")
		if list := f.Get("winners"); list != nil {
			named = true
			if !p.Is(list, "none") {
				winners = p.says(list)
			}
		}
		reason = p.wanted(f)
		clause, reason.clause = reason.clause, ""
	}
	return check{test: func(r *run) []string {
		have, over := r.position.Outcome()
		switch {
		case none && !over:
			return nil
		case none:
			return []string{fmt.Sprintf("the game is over: %v win, %s [%s]", have.Winners, Plain(have.Reason), have.Clause)}
		case !over:
			return []string{"the game is not over; owed: " + owing(r.position.Owed())}
		}
		var faults []string
		if named && !slices.EqualFunc(winners, have.Winners, func(a string, b engine.Side) bool { return a == string(b) }) {
			faults = append(faults, fmt.Sprintf("want %v to win, have %v", winners, have.Winners))
		}
		if clause != "" && clause != have.Clause {
			faults = append(faults, fmt.Sprintf("want the clause %s, have %s", clause, have.Clause))
		}
		if !reason.meets("", have.Reason) {
			faults = append(faults, fmt.Sprintf("want a reason with %s, have %s", reason, Plain(have.Reason)))
		}
		return faults
	}}
}

func (p *parser) rolls(n *orders.Node) check {
	type entry struct {
		wanted
		sides, result int
	}
	var want []entry
	items, some := p.items(n)
	for _, item := range items {
		f := p.Fields(item, "for", "says", "with", "sides", "result")
		e := entry{wanted: p.wanted(f)}
		e.code, _ = p.Text(f.Get("for"))
		e.sides, _ = p.Int(f.Get("sides"), 1, 1000)
		e.result, _ = p.Int(f.Get("result"), 1, 1000)
		want = append(want, e)
	}
	return check{test: func(r *run) []string {
		if has(len(want), len(r.dice.Rolls), some, true, func(i, j int) bool {
			e, roll := want[i], r.dice.Rolls[j]
			return e.meets("", roll.Purpose) && (e.sides == 0 || e.sides == roll.Sides) && (e.result == 0 || e.result == roll.Result)
		}) {
			return nil
		}
		faults := []string{fmt.Sprintf("want %s, rolled", short(n))}
		for _, roll := range r.dice.Rolls {
			faults = append(faults, fmt.Sprintf("  %d of %d for %s", roll.Result, roll.Sides, Plain(roll.Purpose)))
		}
		return faults
	}}
}

func (p *parser) noGame(n *orders.Node) check {
	f := p.Fields(n, "code", "clause", "says", "with")
	w := p.wanted(f)
	return check{test: func(r *run) []string {
		if r.noGame == nil {
			return []string{"the game was set up"}
		}
		var problems orders.Problems
		if errors.As(r.noGame, &problems) {
			for _, fault := range problems {
				if w.meets(fault.Clause, fault.Why) {
					return nil
				}
			}
		}
		if w.code == "" && w.clause == "" && w.with == nil {
			met := true
			for _, says := range w.says {
				met = met && strings.Contains(strings.ToLower(r.noGame.Error()), strings.ToLower(says))
			}
			if met {
				return nil
			}
		}
		return []string{fmt.Sprintf("want %s, have: %s", w, r.noGame)}
	}}
}
