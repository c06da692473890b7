package templates

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/engine"
	pages "berthier/engine/sheet"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Lines of the text of a report. One that has more leaves notes of the order file to its
// attachments; what is still too long, a part of it: the changes that show elsewhere, the oldest
// events, and at last what a picture shows. Some of each stays.
const (
	aim     = 72  // lines of a report that need not be cut
	told    = 86  // lines of a report of which no event is left out
	bend    = 500 // of n lines above that, n²/bend stay: most in a letter that tells a whole battle
	ceiling = 112

	leastTold = 5 // events

	leastAtEnd = 2 // events, where the letter tells the whole game

	leastChanged = 3  // lines
	leastWays    = 12 // lines of what a picture shows
	fewShown     = 2  // so few lines of what a picture shows are left out before events are
)

// Report writes a report. Its subject names what the side owes, never what
// happened.
func (w *Words) Report(r Report) Letter {
	s := w.sheet(r.Heading)
	s.brief, s.known = !r.Full, !r.First
	if r.Was != nil && len(r.Last) == 0 { // the course of a game tells more of its end
		r.changes = pages.Changes(r.Was, &r.Page)
	}
	kind := s.say("letter.report.kind", count("number", r.Number)...)
	title := s.sentence(r.Page.Title)
	if title == "" {
		title = kind
	}
	s.title(title, kind)
	subject := s.stands(&r)
	s.whereFile(r.Owed, &r.Page)
	for i := range r.Last {
		s.course(&r.Last[i], r.Full)
	}
	s.taken(r.Taken)
	switch {
	case len(r.Intro) > 0:
		s.course(&engine.Section{Heading: phrase.Say("letter.intro.heading"), Gist: r.Intro}, true)
	case len(r.Progress) > 0:
		s.heading("letter.report.progress")
		s.together(r.Progress)
	}
	s.happened(&r)
	if r.Full {
		s.changesSince(&r)
		s.page(&r.Page)
	} else {
		s.gist(&r)
	}
	if r.Outcome != nil {
		s.chance(&r)
	}
	for _, say := range r.Looked {
		s.add(paragraphBlock{words: s.sentence(say)})
	}
	if r.Whole != nil {
		s.heading("letter.archive.heading")
		s.add(paragraphBlock{words: s.sentence(r.Whole.Say())})
	}
	if r.Again != nil {
		s.heading("letter.again.heading")
		s.paragraph("letter.again.what")
		s.add(verbatimBlock{cleanLines(r.Again.FormIn(s.language).Encode())})
	}
	if r.Contact != nil {
		s.heading("letter.contact.heading")
		s.paragraph("letter.contact.what")
		s.add(verbatimBlock{cleanLines(r.Contact.FormIn(s.language).Encode())})
	}
	s.orderFile(r.Owed, r.First)
	if r.Outcome == nil {
		s.chance(&r)
	}
	s.position(&r)
	letter := s.finish(subject)
	if !r.Full {
		letter.Text = s.fit(letter.Text, r.Owed)
	}
	if r.Whole != nil {
		letter.Files = append(letter.Files, r.Whole.File)
	}
	return letter
}

// count fills a place with a number, unless that is 0.
func count(place string, n int) []phrase.Arg {
	if n == 0 {
		return nil
	}
	return []phrase.Arg{phrase.Number(place, n)}
}

// stands tells on top what the side owes, or how the game ended, and gives the subject.
func (s *sheet) stands(r *Report) string {
	side := phrase.Name("side", "side", string(r.Side))
	switch {
	case r.Outcome != nil:
		s.outcome(r.Outcome, s.phrase(r.Page.Title))
		return s.say("letter.report.subject-over", side)
	case r.Owed != nil:
		args := append(s.stopOf(r.Owed), side)
		if !r.Owed.Deadline.IsZero() {
			args = append(args, phrase.Literal("by", s.words.ShortDate(s.language, r.Owed.Deadline, s.head.Reader.Zone)))
		}
		s.owes(r.Owed)
		subject := s.say("letter.report.subject-owed", args...)
		if over := utf8.RuneCountInString(subject) - longestSubject; over > 0 { // the stop's name gives way, not the deadline behind it
			name := s.phrase(phrase.Say("letter.stop-name", phrase.Name("stop", "stop", r.Owed.Decision.Kind)))
			args[0] = phrase.Literal("name", clip(name, max(1, utf8.RuneCountInString(name)-over)))
			subject = s.say("letter.report.subject-owed", args...)
		}
		return subject
	case r.Waiting:
		s.box(quiet, [][2]string{{s.say("letter.label.owed"), s.say("letter.owed.waiting")}})
		return s.say("letter.report.subject-waiting", side)
	}
	s.box(quiet, [][2]string{{s.say("letter.label.owed"), s.say("letter.owed.nothing")}})
	return s.say("letter.report.subject-nothing", side)
}

// together sets phrases as one paragraph.
func (s *sheet) together(all []phrase.Phrase) { s.add(paragraphBlock{words: s.sentences(all)}) }

// lines are phrases, each a line.
func (s *sheet) lines(all []phrase.Phrase) []string {
	told := make([]string, len(all))
	for i, say := range all {
		told[i] = s.sentence(say)
	}
	return told
}

// sentences are phrases, one behind the other.
func (s *sheet) sentences(all []phrase.Phrase) string {
	return strings.Join(s.lines(all), " ")
}

// happened tells the story, and then the events with what they come to.
func (s *sheet) happened(r *Report) {
	s.heading("letter.report.happened")
	if len(r.Happened) == 0 {
		s.paragraph("letter.report.nothing-happened")
		return
	}
	if len(r.Story.Sentences) > 0 {
		s.together(r.Story.Sentences)
	}
	s.add(s.events(r))
}

// events lists what happened, part by part.
func (s *sheet) events(r *Report) eventsBlock {
	b := eventsBlock{items: make([]eventItem, len(r.Happened)), least: leastTold}
	if len(r.Last) > 0 {
		b.least = leastAtEnd
	}
	for i, told := range r.Happened {
		b.items[i] = eventItem{words: s.sentence(told.Say), clause: clean(told.Clause), number: told.Number}
		if i < len(r.Story.Own) {
			b.items[i].own = r.Story.Own[i]
		}
		if i < len(r.Notes) && r.Notes[i].Code != "" {
			b.items[i].words += " " + s.sentence(r.Notes[i])
		}
		s.publishes(told.Say)
	}
	for _, part := range r.Story.Parts {
		b.items[part.From].opens = true
		for _, say := range part.Total {
			last := &b.items[part.To-1]
			last.total = append(last.total, s.sentence(say))
		}
	}
	return b
}

// gist sets what a report tells of a position: its pictures, what stands in each report, and
// what has changed since the last one.
func (s *sheet) gist(r *Report) {
	told := false
	for i := range r.Page.Sections {
		section := &r.Page.Sections[i]
		switch {
		case section.Told == engine.Changes && section.Picture == nil, section.Told == engine.Once && !r.First, section.Told == engine.Apart:
			continue
		case section.Told == engine.Once:
			top := len(s.blocks)
			s.section(section)
			spare := spareBlock{blocks: slices.Clone(s.blocks[top:]),
				instead: s.say("letter.report.spare", phrase.Within("what", section.Heading), phrase.Literal("file", positionFile))}
			s.blocks = append(s.blocks[:top], spare)
		case len(section.Gist) == 0:
			top := len(s.blocks)
			if s.section(section); told && section.Picture != nil && len(section.Lines)+len(section.Tables) == 0 { // a close-up with nothing to say
				s.blocks = append(s.blocks[:top], seenBlock{slices.Clone(s.blocks[top:])})
			}
		default:
			s.add(headingBlock{title: s.sentence(section.Heading)})
			lines := s.lines(section.Gist)
			if section.Picture == nil {
				s.add(linesBlock{lines})
				continue
			}
			s.scene(section.Picture)
			s.add(plainBlock{lines})
		}
		if section.Picture != nil && !told {
			s.changesSince(r)
			told = true
		}
	}
	if !told {
		s.changesSince(r)
	}
}

// changesSince tells what has changed since the last report, section by section: lines that
// are new, and rows of tables, those together to which the same has happened. A report leaves out
// what it shows from near, such as the units in a battle.
func (s *sheet) changesSince(r *Report) {
	if r.Was == nil || len(r.Last) > 0 {
		return
	}
	var at string
	var of []*pages.Change
	var lines []string
	tell := func() {
		if len(of) > 0 {
			lines = append(append(lines, at+":"), s.changedRows(of)...)
		}
		of = nil
	}
	near, quiet := false, false
	for i := range r.changes {
		c := &r.changes[i]
		if c.Section.Told != engine.Changes {
			continue
		}
		if c.Quiet {
			quiet = true
			continue
		}
		if s.brief && fromNear(&r.Page, c.Name) {
			near = true
			continue
		}
		if heading := s.sentence(c.Section.Heading); heading != at {
			tell()
			at = heading
		}
		of = append(of, c)
	}
	tell()
	code := "letter.since.rest"
	switch {
	case len(lines) > 0:
		s.add(headingBlock{title: s.say("letter.since.heading", phrase.Number("report", r.Since))})
	case near:
		code = "letter.since.elsewhere"
	default:
		code = "letter.since.nothing" // no heading: there is nothing below it to read
	}
	args := []phrase.Arg{phrase.Number("report", r.Since), phrase.Literal("file", positionFile)}
	if quiet { // the events tell of it, and nobody shall read that all stands where it stood
		args = append(args, phrase.Literal("told", "yes"))
	}
	s.add(sinceBlock{lines: lines, shown: len(lines),
		rest: sentenceCase(s.say(code, args...)),
		more: s.say("letter.since.cut", phrase.Literal("file", positionFile))})
}

// fromNear tells whether a page shows a thing in a section about one place, all of which stands in each report.
func fromNear(page *engine.Page, name phrase.Value) bool {
	return !pages.Blank(name) && slices.ContainsFunc(page.Sections, func(section engine.Section) bool {
		return section.Picture != nil && section.Picture.About != "" && section.Told == engine.Always &&
			slices.ContainsFunc(section.Tables, func(t engine.Table) bool {
				return slices.ContainsFunc(t.Rows, func(row []phrase.Value) bool {
					return slices.ContainsFunc(row, func(cell phrase.Value) bool { return names(cell, name) })
				})
			})
	})
}

// names tells whether a value is another, or has it within itself.
func names(in, name phrase.Value) bool {
	return in.Equal(name) || slices.ContainsFunc(in.List, func(v phrase.Value) bool { return names(v, name) }) ||
		in.Say != nil && slices.ContainsFunc(in.Say.Args, func(a phrase.Arg) bool { return names(a.Value, name) })
}

// changedRows writes the changes of a section as lines: one for all rows to which the same
// has happened.
func (s *sheet) changedRows(changes []*pages.Change) []string {
	type row struct {
		names []string
		what  []string
		count bool // ends with a number, which is that of each
	}
	var rows []*row
	byName := map[string]*row{}
	for _, c := range changes {
		if c.Line != nil {
			rows = append(rows, &row{what: []string{s.sentence(*c.Line)}})
			continue
		}
		name := s.rowName(c)
		r := byName[name]
		if r == nil {
			r = &row{names: []string{name}}
			byName[name] = r
			rows = append(rows, r)
		}
		r.what, r.count = append(r.what, s.phrase(sayChange(c))), c.Whole() && !c.Gone && counts(newCells(c))
	}
	var lines []string
	byWhat := map[string]*row{}
	var kept []*row
	for _, r := range rows {
		what := strings.Join(r.what, "; ")
		if same := byWhat[what]; same != nil && len(r.names) > 0 {
			same.names = append(same.names, r.names...)
			continue
		}
		if len(r.names) > 0 {
			byWhat[what] = r
		}
		kept = append(kept, r)
	}
	for _, r := range kept {
		line := strings.Join(r.what, "; ")
		if r.count && len(r.names) > 1 { // four blocks in each of two towns, not in both together
			line = s.say("letter.since.each", phrase.Literal("what", line))
		}
		if len(r.names) > 0 {
			line = strings.Join(r.names, ", ") + ": " + line
		}
		lines = append(lines, "- "+line)
	}
	return lines
}

// rowName is what a changed row is known by.
func (s *sheet) rowName(c *pages.Change) string {
	name := c.Name
	if pages.Blank(name) {
		name = pages.Cells(c.Row)
	}
	list := name.List
	if list == nil {
		list = []phrase.Value{name}
	}
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = s.value(v)
	}
	return strings.Join(words, ", ")
}

// sayChange says what happened to a row. Of a list it says what has come and what has gone.
func sayChange(c *pages.Change) phrase.Phrase {
	switch {
	case c.Whole() && c.Gone:
		return phrase.Say("letter.since.gone")
	case c.Whole():
		return phrase.Say("letter.since.new", pages.Filled("cells", pages.List(newCells(c)...)))
	case c.Was.Kind == phrase.KindList || c.Is.Kind == phrase.KindList:
		return phrase.Say("letter.since.list", phrase.Within("column", c.Column), pages.Filled("new", lacking(c.Is, c.Was)), pages.Filled("gone", lacking(c.Was, c.Is)))
	}
	return phrase.Say("letter.since.cell", phrase.Within("column", c.Column), pages.Filled("was", c.Was), pages.Filled("is", c.Is))
}

// newCells are what a new row tells beside its name.
func newCells(c *pages.Change) (cells []phrase.Value) {
	for j, v := range c.Row {
		named := same(v, c.Name) || slices.ContainsFunc(c.Name.List, func(n phrase.Value) bool { return same(v, n) })
		if !named && !pages.Blank(c.Name) && !pages.Blank(v) && j < len(c.Head) && !c.Head[j].Quiet {
			cells = append(cells, v)
		}
	}
	return cells
}

// counts says that cells end with a number.
func counts(cells []phrase.Value) bool {
	return len(cells) > 0 && cells[len(cells)-1].Kind == phrase.KindNumber
}

func same(a, b phrase.Value) bool { return reflect.DeepEqual(a, b) }

// lacking lists what one list has and another has not.
func lacking(list, other phrase.Value) phrase.Value {
	var all []phrase.Value
	for _, v := range list.List {
		if !slices.ContainsFunc(other.List, func(o phrase.Value) bool { return same(v, o) }) {
			all = append(all, v)
		}
	}
	return pages.List(all...)
}

// positionFile is the name of the attachment with the whole position.
const positionFile = "position.txt"

// position attaches the whole position, and what happened, as text; in HTML it is folded away
// below the letter.
func (s *sheet) position(r *Report) {
	whole := s.words.sheet(s.head)
	whole.title(s.sentence(r.Page.Title), s.say("letter.position.title"))
	if len(r.Progress) > 0 {
		whole.heading("letter.report.progress")
		whole.together(r.Progress)
	}
	if len(r.Happened) > 0 {
		whole.heading("letter.report.happened")
		whole.add(whole.events(r))
	}
	for _, section := range r.Last {
		section.Picture = nil
		whole.course(&section, true)
	}
	whole.changesSince(r)
	top := len(whole.blocks)
	for i := range r.Page.Sections {
		section := r.Page.Sections[i]
		if section.Picture != nil {
			section.Picture = nil
			if len(section.Lines)+len(section.Tables) == 0 {
				section.Lines = section.Gist
			}
		}
		if len(section.Lines)+len(section.Tables) > 0 {
			whole.section(&section)
		}
	}
	s.files = append(s.files, File{Name: positionFile, Type: "text/plain; charset=utf-8", Data: []byte(whole.text())})
	if r.Data != nil {
		s.files = append(s.files, File{Name: "position.yaml", Type: "application/yaml", Data: r.Data})
	}
	if !r.Full {
		fold := foldBlock{title: s.say("letter.position.fold"), blocks: whole.blocks[top:]}
		if r.Was == nil { // else what has changed ends with it
			fold.instead = s.say("letter.position.attached", phrase.Literal("file", positionFile))
		}
		s.add(fold)
	}
}

// fit makes the text of a long report shorter: it leaves what never changes, then notes of
// the order file, then changes, then what is little that a picture shows, then the oldest events, and at last
// what a picture shows to the attachments, which have them all.
func (s *sheet) fit(text string, owed *Owed) string {
	most := aim
	over := func() int { return strings.Count(text, "\n") - most }
	for i, b := range s.blocks {
		if spare, ok := b.(spareBlock); ok && over() > 0 {
			spare.left = true
			s.blocks[i], text = spare, ""
		}
	}
	if text == "" {
		text = s.text()
	}
	for i, b := range s.blocks {
		if file, ok := b.(fileBlock); ok && (over() > 0 || slices.ContainsFunc(strings.Split(file.body, "\n"), wider)) {
			body := beside(file.body)
			if file.short = s.fewerNotes(body, max(over()-strings.Count(file.body, "\n")+strings.Count(body, "\n"), -1)); file.short == "" {
				rows := strings.SplitAfter(body, "\n") // the marks tell whether a file was changed: they are set anew
				file.short = orders.Frame(s.language, strings.Join(rows[1:len(rows)-2], ""))
			}
			s.blocks[i] = file
			text = s.text()
			if named := s.named(file.short, text, owed.Names); named != file.short {
				file.short = named
				s.blocks[i] = file
				text = s.text()
			}
		}
	}
	if n := over(); n > 0 {
		most += min(n*n/bend, ceiling-aim)
	}
	for i, b := range s.blocks {
		if list, ok := b.(sinceBlock); ok && over() > 0 {
			list.shorten(over())
			s.blocks[i] = list
			text = s.text()
		}
	}
	most = max(most, told)
	for i, b := range s.blocks {
		if list, ok := b.(plainBlock); ok && over() > 0 && len(list.lines) <= fewShown {
			s.blocks[i] = plainBlock{}
			text = s.text()
		}
	}
	for i, b := range s.blocks {
		if list, ok := b.(eventsBlock); ok && over() > 0 {
			s.blocks[i] = s.shortened(list, over())
			text = s.text()
		}
	}
	for i, b := range s.blocks {
		if list, ok := b.(plainBlock); ok && over() > 0 && len(list.lines) > leastWays+1 {
			keep := max(len(list.lines)-over()-1, leastWays)
			more := s.say("letter.since.more", phrase.Literal("file", positionFile))
			s.blocks[i] = plainBlock{append(slices.Clip(list.lines[:keep]), more)}
			text = s.text()
		}
	}
	for i, b := range s.blocks { // what was left out since may have told names
		if file, ok := b.(fileBlock); ok && file.short != "" {
			if named := s.named(file.short, text, owed.Names); named != file.short {
				file.short = named
				s.blocks[i] = file
				text = s.text()
			}
		}
	}
	return text
}

// shortened leaves so many lines of events to the attachment: the oldest, and losses of the reader's
// only where that is not enough.
func (s *sheet) shortened(b eventsBlock, over int) eventsBlock {
	var left []int
	for _, own := range []bool{false, true} {
		for i := 0; over > 0 && i < len(b.items)-b.least; i++ {
			if item := &b.items[i]; item.own == own && !item.left {
				item.left, left = true, append(left, i)
				over -= item.height()
			}
		}
	}
	if len(left) == 0 {
		return b
	}
	number := func(place string, i int) phrase.Arg {
		if numbered, _ := b.numbered(); numbered && b.items[i].number > 0 {
			return phrase.Number(place, b.items[i].number)
		}
		return phrase.Number(place, i+1)
	}
	first, last := slices.Min(left), slices.Max(left)
	args := []phrase.Arg{phrase.Number("n", len(left)), number("from", first), number("to", last), phrase.Literal("file", positionFile)}
	if slices.ContainsFunc(b.items[:last], func(item eventItem) bool { return !item.left }) {
		args = append(args, phrase.Number("losses", 1))
	}
	b.before = s.say("letter.report.earlier", args...)
	return b
}

// shorten leaves out so many lines of the last changes, and never a heading alone.
func (b *sinceBlock) shorten(over int) {
	over++ // for the line that says so
	for b.shown > leastChanged && over > 0 {
		b.shown--
		over -= len(wrap(b.lines[b.shown], lineWidth, lineWidth-4))
	}
	if b.shown > 0 && b.shown < len(b.lines) && strings.HasSuffix(b.lines[b.shown-1], ":") {
		b.shown--
	}
}

// height is about how many lines an event takes.
func (item eventItem) height() int {
	n := 1 + (columns(item.words)+columns(item.clause))/(lineWidth-8) + len(item.total)
	if item.opens {
		n++
	}
	return n
}
