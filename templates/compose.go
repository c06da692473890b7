package templates

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// outcome tells how the game ended, and why, if the title of the letter doesn't say it.
func (s *sheet) outcome(o *engine.Outcome, title string) {
	code, tone := "letter.over.lost", quiet
	switch {
	case len(o.Winners) == 0:
		code = "letter.over.draw"
	case s.head.Side == engine.GM:
		code = "letter.over.winners"
	}
	ids := make([]string, len(o.Winners))
	for i, side := range o.Winners {
		ids[i] = string(side)
		if side == s.head.Side {
			code, tone = "letter.over.won", good
		}
	}
	rows := [][2]string{{s.say("letter.label.over"), s.say(code, phrase.Names("winners", "side", ids))}}
	if reason := s.phrase(o.Reason); !strings.Contains(strings.ToLower(title), strings.ToLower(reason)) {
		rows = append(rows, [2]string{s.say("letter.label.reason"), reason})
	}
	if o.Clause != "" {
		rows[len(rows)-1][1] += " [" + clean(o.Clause) + "]"
	}
	s.box(tone, rows)
}

// Accepted writes the confirmation of an order file.
func (w *Words) Accepted(a Accepted) Letter {
	s := w.sheet(a.Heading)
	which, stop := "taken", s.stopOf(&a.Owed)
	if a.Draft {
		which = "draft"
	}
	s.title(s.say("letter.accepted.title-"+which, stop...), s.say("letter.accepted.kind"))

	rows := [][2]string{
		{s.say("letter.label." + which), s.say("letter.stop", stop...)},
		{s.say("letter.label.by"), s.deadline(&a.Owed)},
	}
	if a.Draft || a.Waiting {
		s.calendar(&a.Owed)
	}
	state, tone := "letter.accepted.resolved", good
	switch {
	case a.Draft:
		state, tone = "letter.accepted.draft", asking
	case a.Waiting:
		state = "letter.accepted.waiting"
	}
	now := s.say(state)
	if a.Waiting && !a.Draft && len(a.Asked) > 0 {
		now = s.say(state+"-for", phrase.Names("sides", "side", sideIDs(a.Asked)))
	}
	rows = append(rows, s.set(a.Set)...)
	s.box(tone, append(rows, [2]string{s.say("letter.label.now"), now}))
	s.cautions(a.Cautions)
	if !a.Held.IsZero() {
		s.add(paragraphBlock{words: s.sentence(a.Held)})
	}
	for _, remark := range a.Remarks {
		s.add(paragraphBlock{words: s.sentence(remark)})
	}

	if a.Draft || a.Waiting { // of what was resolved the report shows what came of it
		s.sketched(a.Sketched)
	}
	if a.WhatIf != nil {
		s.whatIf(a.WhatIf)
	}
	s.repairs(a.Repairs)
	s.heading("letter.accepted.normal")
	if a.Draft || a.Waiting {
		s.paragraph("letter.accepted.normal-what")
	} else {
		s.paragraph("letter.accepted.normal-resolved")
	}
	s.add(verbatimBlock{s.encoded(a.Normal)})
	s.changed(a.Replaces, a.Normal, a.Differ)
	if a.Again != nil {
		s.heading("letter.file.heading")
		s.paragraph("letter.held.file")
		s.add(fileBlock{body: orders.Frame(s.language, s.fileOf(&a.Owed, a.Again).Encode())})
	}
	if a.Draft || a.Waiting {
		s.heading("letter.answer.heading")
		s.add(stepsBlock{[]string{s.say("letter.accepted.again-" + which)}})
	}
	return s.finish(s.say("letter.accepted.subject-"+which, stop...))
}

// sketched sets pictures of where the pieces of an answer come to stand, and what they show for those who don't see them.
func (s *sheet) sketched(all []engine.Section) {
	if len(all) == 0 {
		return
	}
	s.heading("letter.accepted.sketched")
	s.paragraph("letter.accepted.sketched-what")
	for i := range all {
		s.scene(all[i].Picture)
		if lines := s.lines(all[i].Gist); len(lines) > 0 {
			s.add(plainBlock{lines})
		}
	}
}

// cautions sets what is odd about orders that are good.
func (s *sheet) cautions(list []engine.Caution) {
	if len(list) == 0 {
		return
	}
	s.heading("letter.cautions.heading")
	s.paragraph("letter.cautions.what")
	odd := eventsBlock{}
	for i, c := range list {
		if i == mostFaults {
			break
		}
		odd.items = append(odd.items, eventItem{words: s.sentence(c.Say), clause: clean(c.Clause)})
	}
	s.add(odd)
}

// repairs sets what was read differently from what was written.
func (s *sheet) repairs(list []orders.Repair) {
	if list = toTell(list); len(list) == 0 {
		return
	}
	s.heading("letter.repairs.heading")
	s.paragraph("letter.repairs.what")
	t := tableBlock{
		heads: []string{s.say("letter.repairs.line"), s.say("letter.repairs.was"), s.say("letter.repairs.read-as")},
		right: []bool{true, false, false},
	}
	for i, r := range list {
		if i == mostFaults {
			break
		}
		t.rows = append(t.rows, []string{strconv.Itoa(r.Line), r.Was, s.piece(r.ReadAs)})
	}
	s.add(t)
}

// toTell are repairs as they are told, with signs that can't be seen made visible, and the
// blanks in front where nothing else was changed. One that shows no difference is not told.
func toTell(list []orders.Repair) []orders.Repair {
	var all []orders.Repair
	for _, r := range list {
		was, is := strings.TrimSpace(visible(r.Was)), strings.TrimSpace(visible(r.ReadAs))
		if was == is {
			was, is = visible(indented(r.Was)), visible(indented(r.ReadAs))
		}
		if was == is {
			continue
		}
		r.Was, r.ReadAs = was, is
		all = append(all, r)
	}
	return all
}

// indented is a line with the blanks in front of it made visible.
func indented(line string) string {
	text := strings.TrimLeft(line, " ")
	return strings.Repeat("·", len(line)-len(text)) + strings.TrimRight(text, " ")
}

// mostDiffer is how many things a letter names that are ordered differently now.
const mostDiffer = 12

// changed sets what differs between orders and those that they replace, if there are any:
// thing by thing where the rules can tell, and otherwise, as for the rest of the file,
// line by line.
func (s *sheet) changed(was, is *orders.Node, differ []phrase.Phrase) {
	if was == nil {
		return
	}
	s.heading("letter.accepted.changes")
	if len(differ) > 0 {
		s.paragraph("letter.accepted.changes-said")
		told := eventsBlock{}
		for i, what := range differ {
			if i == mostDiffer {
				told.items = append(told.items, eventItem{words: s.sentence(phrase.Say("letter.accepted.changes-more", phrase.Number("n", len(differ)-i)))})
				break
			}
			told.items = append(told.items, eventItem{words: s.sentence(what)})
		}
		s.add(told)
		was, is = withoutOrders(was), withoutOrders(is)
		if len(changes(s.encoded(was), s.encoded(is))) == 0 {
			return
		}
	}
	if lines := changes(s.encoded(was), s.encoded(is)); len(lines) > 0 {
		s.paragraph("letter.accepted.changes-what")
		s.add(changesBlock{lines})
	} else {
		s.paragraph("letter.accepted.no-changes")
	}
}

// withoutOrders is what a file says besides its orders.
func withoutOrders(n *orders.Node) *orders.Node {
	rest := *n
	rest.Pairs = slices.DeleteFunc(slices.Clone(n.Pairs), func(p orders.Pair) bool { return p.Key.Text == "orders" })
	return &rest
}

// set is the row of a box that names a set of orders.
func (s *sheet) set(set Set) [][2]string {
	if set.Number == 0 {
		return nil
	}
	args := []phrase.Arg{phrase.Number("number", set.Number), phrase.Literal("print", set.Print)}
	if set.Serial > 0 {
		args = append(args, phrase.Number("serial", set.Serial))
	}
	return [][2]string{{s.say("letter.label.set"), s.say("letter.set", args...)}}
}

func sideIDs(sides []engine.Side) []string {
	ids := make([]string, len(sides))
	for i, side := range sides {
		ids[i] = string(side)
	}
	return ids
}

// mostFaults is how many faults a letter shows. If a file has more, reading them one by
// one does not help.
const mostFaults = 100

// Refused writes what is wrong with an order file.
func (w *Words) Refused(r Refused) Letter {
	s := w.sheet(r.Heading)
	n := phrase.Number("n", len(r.Problems))
	var stop []phrase.Arg
	if r.Owed != nil {
		stop = s.stopOf(r.Owed)
	}
	what := append(stop, n)
	title, subject := "letter.refused.title", "letter.refused.subject"
	back := ""
	if len(r.Problems) > 0 {
		back = s.givenBack(r.Mended)
	}
	rows := [][2]string{{s.say("letter.label.refused"), s.say("letter.refused.nothing-counts", n)}}
	if r.Asked {
		title, subject, what = "letter.refused.command", "letter.refused.command", []phrase.Arg{n}
		if r.Command != "" {
			what = append(what, phrase.Name("command", phrase.KindKeyword, r.Command))
		}
		rows = [][2]string{{s.say("letter.refused.kind"), s.say("letter.refused.nothing-done", n)}}
	}
	if back != "" {
		lines, _ := r.Mended.Counts()
		if lines > 0 { // else something is wrong with the file as a whole, and no line is to mend
			title, what = "letter.mended.title", append(stop, phrase.Number("lines", lines))
		}
		if lines > 0 && !r.Asked { // one number for one thing: what the title counts
			rows[0][1] = s.say("letter.mended.nothing-counts", phrase.Number("lines", lines))
		}
		if lines > 0 && r.Problems[0].Line > 0 { // else it is what is wrong with the whole that must be seen first
			subject = "letter.mended.title"
		}
	}
	s.title(s.say(title, what...), s.say("letter.refused.kind"))

	switch {
	case r.InForce != nil:
		rows = append(rows, [2]string{s.say("letter.label.in-force"), s.say("letter.refused.earlier")})
		rows = append(rows, s.set(r.Set)...)
	case r.Owed != nil && (r.Owed.Waits || r.Owed.Deadline.IsZero()):
		rows = append(rows, [2]string{s.say("letter.label.in-force"), s.say("letter.refused.waits")})
	case r.Owed != nil:
		rows = append(rows, [2]string{s.say("letter.label.in-force"), s.say("letter.refused.default")})
	default:
		rows = append(rows, [2]string{s.say("letter.label.lost"), s.say("letter.refused.nothing-lost")})
	}
	if r.Owed != nil {
		rows = append(rows,
			[2]string{s.say("letter.label.owed"), s.say("letter.stop", stop...)},
			[2]string{s.say("letter.label.by"), s.deadline(r.Owed)})
		s.calendar(r.Owed)
	}
	s.box(bad, rows)
	for _, remark := range r.Remarks {
		s.add(paragraphBlock{words: s.sentence(remark)})
	}

	if back == "" {
		s.faults(r.Problems, r.Source)
	} else {
		s.mended(&r, back)
	}
	if r.InForce != nil {
		s.heading("letter.refused.in-force")
		s.add(verbatimBlock{s.encoded(r.InForce)})
	}
	if back == "" {
		s.orderFile(r.Owed, false)
	}
	if whole := s.whole(r.Problems); whole != nil {
		subject += "-whole"
		what = append(what, whole...)
	}
	return s.finish(s.say(subject, what...))
}

// longestWhy is how many characters of what is wrong with a whole file its subject has.
const longestWhy = 90

// whole says for a subject what is wrong with a file as a whole, if that is its first fault, and
// how many faults more there are. A number alone would tell nobody what to mend.
func (s *sheet) whole(problems orders.Problems) []phrase.Arg {
	if len(problems) == 0 || problems[0].Line > 0 {
		return nil
	}
	why, _, _ := strings.Cut(s.sentence(problems[0].Why), "; ")
	args := []phrase.Arg{phrase.Literal("why", clip(strings.TrimRight(why, ".:"), longestWhy))}
	if more := len(problems) - 1; more > 0 {
		args = append(args, phrase.Number("more", more))
	}
	return args
}

// faults sets what is wrong with a file, each fault below its line.
func (s *sheet) faults(problems orders.Problems, source string) {
	s.heading("letter.refused.faults")
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	b := faultsBlock{}
	for i, p := range problems {
		if i == mostFaults {
			break
		}
		f := fault{clause: clean(p.Clause), why: s.sentence(p.Why), remedy: s.sentence(p.Remedy), line: p.Line, caret: -1}
		switch {
		case p.Line < 1:
			f.place = s.say("letter.refused.whole")
		case p.Column < 1:
			f.place = s.say("letter.refused.line", phrase.Number("line", p.Line))
		default:
			f.place = s.say("letter.refused.place", phrase.Number("line", p.Line), phrase.Number("column", p.Column))
		}
		if p.Line >= 1 && p.Line <= len(lines) {
			f.source, f.caret = excerpt(lines[p.Line-1], p.Column)
		}
		b.faults = append(b.faults, f)
	}
	s.add(b)
	if more := len(problems) - mostFaults; more > 0 {
		s.paragraph("letter.refused.more", phrase.Number("n", more))
	}
}

// Notice writes a short letter.
func (w *Words) Notice(n Notice) Letter {
	s := w.sheet(n.Heading)
	s.brief, s.known = n.Short, n.Short
	whole, brief := Report{Heading: n.Heading}, n.Short && n.Page != nil
	subject := s.sentence(n.Subject)
	s.title(subject, "")
	if n.Owed != nil {
		s.owes(n.Owed)
	}
	for _, line := range n.Lines {
		s.add(paragraphBlock{words: s.sentence(line)})
		s.publishes(line)
	}
	for i := range n.Tables {
		s.table(&n.Tables[i])
	}
	for i := range n.Course {
		s.course(&n.Course[i], true)
	}
	if n.Page != nil {
		if !n.Page.Title.IsZero() {
			s.add(headingBlock{title: s.sentence(n.Page.Title)})
		}
		if whole.Page = *n.Page; brief {
			s.gist(&whole)
		} else {
			s.page(n.Page)
		}
	}
	for _, text := range n.Texts {
		s.add(verbatimBlock{cleanLines(text)})
	}
	for _, file := range n.Normal {
		s.add(verbatimBlock{s.encoded(file)})
	}
	if n.Form != "" {
		s.heading("letter.form.heading")
		s.paragraph("letter.form.what")
		s.add(fileBlock{body: orders.Frame(s.language, n.Form)})
	}
	s.files = append(s.files, n.Files...)
	s.orderFile(n.Owed, false)
	if !brief {
		return s.finish(subject)
	}
	s.position(&whole)
	letter := s.finish(subject)
	letter.Text = s.fit(letter.Text, n.Owed)
	return letter
}
