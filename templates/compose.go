package templates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A sheet is a letter in the making: what it says, in the order in which it is
// said, before it becomes text and HTML. Both are written from the same blocks,
// so neither tells more than the other.
type sheet struct {
	words    *Words
	head     Heading
	language string
	blocks   []block
	scenes   []Scene
	files    []File
	dice     []string // what it publishes of them
}

// A block is a piece of a letter that can write itself both ways.
type block interface {
	text(*textWriter)
	html(*htmlWriter)
}

// A tone is the colour of a box.
type tone int8

const (
	quiet tone = iota
	asking
	good
	bad
)

// Blocks.
type (
	// titleBlock stands on top: whose game, what letter, for whom.
	titleBlock struct{ kicker, title, sub string }
	// headingBlock starts a part of the letter, or a part of that.
	headingBlock struct {
		title string
		under bool // of another heading
	}
	paragraphBlock struct {
		words string
		small bool
	}
	boxBlock struct {
		tone tone
		rows [][2]string // label and what it says; the first is the weightiest
	}
	// eventsBlock is a numbered list with the clause behind each item.
	eventsBlock struct{ items []eventItem }
	eventItem   struct {
		words, clause string
		number        int // shown in place of its place in the list; 0: none, if any item has one
	}
	stepsBlock struct{ steps []string }
	tableBlock struct {
		caption string
		heads   []string
		right   []bool
		rows    [][]string
		none    string // what to say if there are no rows
	}
	sceneBlock struct {
		name, alt, words string
		width            int
	}
	// fileBlock is an order file to copy, with the marks by which it is found
	// again in the reply. It stands at the left edge, as it must in YAML.
	fileBlock     struct{ body string }
	verbatimBlock struct{ body string }
	changesBlock  struct{ lines []changeLine }
	faultsBlock   struct{ faults []fault }
	fault         struct {
		place, clause, why, remedy string
		line                       int
		source                     string // the line at fault, or a piece of it
		caret                      int    // where in source, from 0; -1 for nowhere
	}
	footerBlock struct{ lines []string }
)

func (w *Words) sheet(h Heading) *sheet {
	return &sheet{words: w, head: h, language: Language(h.Reader.Language)}
}

func (s *sheet) add(b block) { s.blocks = append(s.blocks, b) }

// spell names things of the game, and the GM, whom no ruleset knows.
func (s *sheet) spell(kind, id, language string) string {
	if kind == "side" && id == string(engine.GM) {
		return s.words.Say(language, phrase.Say("office.gm"), nil)
	}
	if s.head.Spell == nil {
		return id
	}
	return s.head.Spell(kind, id, language)
}

func (s *sheet) say(code string, args ...phrase.Arg) string {
	return s.phrase(phrase.Say(code, args...))
}

func (s *sheet) phrase(p phrase.Phrase) string { return s.words.Say(s.language, p, s.spell) }

// sentence is a phrase that stands alone.
func (s *sheet) sentence(p phrase.Phrase) string { return sentenceCase(s.phrase(p)) }

func (s *sheet) value(v phrase.Value) string { return s.words.Value(s.language, v, s.spell) }

// subject puts the game's id before a subject and keeps it short: mail programs
// don't fold a long one well.
func (s *sheet) subject(text string) string {
	const longest = 110
	tag := clean(s.head.Game)
	if tag == "" {
		tag = s.say("office.berthier")
	}
	return "[" + clip(tag, 40) + "] " + clip(text, longest)
}

// title heads the letter.
func (s *sheet) title(title, kind string) {
	kicker := clean(s.head.Title)
	if s.head.Game != "" && kicker != s.head.Game {
		if kicker != "" {
			kicker += " · "
		}
		kicker += clean(s.head.Game)
	}
	if kicker == "" {
		kicker = s.say("office.berthier")
	}
	var sub []string
	if kind != "" && kind != title {
		sub = append(sub, kind)
	}
	if s.head.Side != "" {
		sub = append(sub, sentenceCase(s.value(phrase.Value{Kind: "side", Text: string(s.head.Side)})))
	}
	if name := clip(clean(s.head.Reader.Name), 60); name != "" {
		sub = append(sub, name)
	}
	s.add(titleBlock{clip(kicker, 100), clip(title, 200), strings.Join(sub, " · ")})
	for _, news := range s.head.News {
		s.add(paragraphBlock{words: s.sentence(news)})
	}
}

func (s *sheet) heading(code string, args ...phrase.Arg) {
	s.add(headingBlock{title: s.say(code, args...)})
}

func (s *sheet) paragraph(code string, args ...phrase.Arg) {
	s.add(paragraphBlock{words: sentenceCase(s.say(code, args...))})
}

// box sets a few facts apart, each with its label.
func (s *sheet) box(tone tone, rows [][2]string) {
	for i := range rows {
		rows[i][1] = sentenceCase(rows[i][1])
	}
	s.add(boxBlock{tone, rows})
}

// stop names a decision: "battle turn, Ligny".
func (s *sheet) stop(d engine.Decision) []phrase.Arg {
	args := []phrase.Arg{phrase.Name("name", "stop", d.Kind)}
	if d.At != "" {
		args = append(args, phrase.Name("at", "at", d.At))
	}
	return args
}

func (s *sheet) stopOf(o *Owed) []phrase.Arg {
	return append(s.stop(o.Decision), phrase.Number("stop", o.Stop))
}

// deadline says by when and in how long.
func (s *sheet) deadline(o *Owed) string {
	if o.Deadline.IsZero() {
		return s.say("letter.no-deadline")
	}
	date := s.words.Date(s.language, o.Deadline, s.head.Reader.Zone)
	if s.head.Now.IsZero() {
		return date
	}
	return date + ", " + s.phrase(until(s.head.Now, o.Deadline))
}

// owes puts what a side owes on top of a letter.
func (s *sheet) owes(o *Owed) {
	tone, state := asking, "letter.owed.unanswered"
	switch {
	case o.Answered:
		tone, state = good, "letter.owed.answered"
	case o.Template == nil:
		state = "letter.owed.unanswered-bare"
	}
	s.box(tone, [][2]string{
		{s.say("letter.label.owed"), s.say("letter.stop", s.stopOf(o)...)},
		{s.say("letter.label.by"), s.deadline(o)},
		{s.say("letter.label.so-far"), s.say(state)},
	})
	s.calendar(o)
}

// orderFile sets the order file to fill in, how to send it back, and attaches
// it.
func (s *sheet) orderFile(o *Owed) {
	if o == nil || o.Template == nil {
		return
	}
	body := orders.Frame(o.Template.Encode())
	name := fileName(s.head.Game) + "-stop" + strconv.Itoa(o.Stop) + ".yaml"
	s.heading("letter.file.heading")
	s.paragraph("letter.file.what", phrase.Literal("file", name))
	s.add(fileBlock{body})
	s.heading("letter.answer.heading")
	s.add(stepsBlock{[]string{
		s.say("letter.answer.reply"),
		s.say("letter.answer.untouched"),
		s.say("letter.answer.again"),
	}})
	s.files = append(s.files, File{Name: name, Type: "application/yaml", Data: []byte(body)})
}

// page sets a position.
func (s *sheet) page(p *engine.Page) {
	for i := range p.Sections {
		section := &p.Sections[i]
		if !section.Heading.IsZero() {
			s.add(headingBlock{title: s.sentence(section.Heading)})
		}
		if section.Picture != nil {
			s.scene(section.Picture)
		}
		for _, line := range section.Lines {
			s.add(paragraphBlock{words: s.sentence(line)})
		}
		for j := range section.Tables {
			s.table(&section.Tables[j])
		}
	}
}

// scene sets a picture, under a name that no other of the letter has.
func (s *sheet) scene(scene *engine.Scene) {
	base := fileName(scene.Name)
	name := base
	for n := 2; s.hasScene(name); n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	alt := s.sentence(scene.Alt)
	s.scenes = append(s.scenes, Scene{name, alt, scene, Labels(s.words, s.language, s.spell, scene)})
	s.add(sceneBlock{name, alt, s.say("letter.picture", phrase.Literal("file", name+".png"), phrase.Literal("alt", alt)), scene.Width})
}

func (s *sheet) hasScene(name string) bool {
	for i := range s.scenes {
		if s.scenes[i].Name == name {
			return true
		}
	}
	return false
}

// table sets a table. Columns in which no row has anything are left out: in
// plain text there is no room for them.
func (s *sheet) table(t *engine.Table) {
	b := tableBlock{caption: s.sentence(t.Caption), none: s.say("letter.none")}
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = make([]string, len(t.Head))
		for j := range min(len(row), len(t.Head)) {
			rows[i][j] = s.value(row[j])
		}
	}
	b.rows = make([][]string, len(rows))
	for j, column := range t.Head {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[j] != "" }) && len(rows) > 0 {
			continue
		}
		b.heads = append(b.heads, s.sentence(column.Head))
		b.right = append(b.right, column.Right)
		for i := range rows {
			b.rows[i] = append(b.rows[i], rows[i][j])
		}
	}
	s.add(b)
}

// finish signs the letter and writes it out.
func (s *sheet) finish(subject string) Letter {
	var lines []string
	if s.head.Game != "" {
		args := []phrase.Arg{phrase.Literal("game", s.head.Game), phrase.Literal("system", s.head.System)}
		if s.head.Entry > 0 {
			args = append(args, phrase.Number("entry", s.head.Entry))
		}
		if s.head.Hash != "" {
			args = append(args, phrase.Literal("hash", s.head.Hash))
		}
		lines = append(lines, s.say("letter.footer.game", args...))
	}
	lines = append(lines, s.say("letter.footer.office"))
	s.add(footerBlock{lines})

	subject = s.subject(subject)
	text := newTextWriter()
	html := newHTMLWriter(s.language, subject)
	for _, b := range s.blocks {
		b.text(text)
		b.html(html)
	}
	return Letter{Subject: subject, Text: text.finish(), HTML: html.finish(), Scenes: s.scenes, Files: s.files, Foot: s.foot()}
}

// foot is what a program reads of the letter's foot.
func (s *sheet) foot() *Foot {
	if s.head.Game == "" || s.head.Hash == "" {
		return nil
	}
	return &Foot{Game: s.head.Game, Hash: s.head.Hash, Entry: s.head.Entry, Dice: s.dice}
}

// publishes notes what a phrase publishes of the dice.
func (s *sheet) publishes(say phrase.Phrase) {
	for _, a := range say.Args {
		if a.Name == "seed" || a.Name == "commitment" {
			s.dice = append(s.dice, a.Value.Text)
		}
	}
}

// fileName reduces a name to what every mail program and file system takes.
func fileName(name string) string {
	var b strings.Builder
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteRune(c)
		case c >= 'A' && c <= 'Z':
			b.WriteRune(c - 'A' + 'a')
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	if out := strings.Trim(b.String(), "-"); out != "" {
		return out
	}
	return "berthier"
}

// Report writes a report. Its subject names what the side owes, never what
// happened.
func (w *Words) Report(r Report) Letter {
	s := w.sheet(r.Heading)
	kind := s.say("letter.report.kind")
	title := s.sentence(r.Page.Title)
	if title == "" {
		title = kind
	}
	s.title(title, kind)

	side := phrase.Name("side", "side", string(r.Side))
	var subject string
	switch {
	case r.Outcome != nil:
		subject = s.say("letter.report.subject-over", side)
		s.outcome(r.Outcome)
	case r.Owed != nil:
		args := append(s.stopOf(r.Owed), side)
		if !r.Owed.Deadline.IsZero() {
			args = append(args, phrase.Literal("by", w.ShortDate(s.language, r.Owed.Deadline, r.Reader.Zone)))
		}
		subject = s.say("letter.report.subject-owed", args...)
		s.owes(r.Owed)
	case r.Waiting:
		subject = s.say("letter.report.subject-waiting", side)
		s.box(quiet, [][2]string{{s.say("letter.label.owed"), s.say("letter.owed.waiting")}})
	default:
		subject = s.say("letter.report.subject-nothing", side)
		s.box(quiet, [][2]string{{s.say("letter.label.owed"), s.say("letter.owed.nothing")}})
	}

	s.heading("letter.report.happened")
	if len(r.Happened) == 0 {
		s.paragraph("letter.report.nothing-happened")
	} else {
		events := eventsBlock{}
		for _, told := range r.Happened {
			events.items = append(events.items, eventItem{s.sentence(told.Say), clean(told.Clause), told.Number})
			s.publishes(told.Say)
		}
		s.add(events)
	}
	s.page(&r.Page)
	s.chance(&r)
	for _, say := range r.Looked {
		s.add(paragraphBlock{words: s.sentence(say)})
	}
	if r.Whole != nil {
		s.heading("letter.archive.heading")
		s.add(paragraphBlock{words: s.sentence(r.Whole.Say())})
	}
	if r.Contact != nil {
		s.heading("letter.contact.heading")
		s.paragraph("letter.contact.what")
		s.add(verbatimBlock{cleanLines(r.Contact.Encode())})
	}
	s.orderFile(r.Owed)
	letter := s.finish(subject)
	if r.Whole != nil {
		letter.Files = append(letter.Files, r.Whole.File)
	}
	return letter
}

// outcome tells how the game ended.
func (s *sheet) outcome(o *engine.Outcome) {
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
	reason := s.sentence(o.Reason)
	if o.Clause != "" {
		reason += " [" + clean(o.Clause) + "]"
	}
	s.box(tone, [][2]string{
		{s.say("letter.label.over"), sentenceCase(s.say(code, phrase.Names("winners", "side", ids)))},
		{s.say("letter.label.reason"), reason},
	})
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
	if len(a.Cautions) > 0 {
		s.heading("letter.cautions.heading")
		s.paragraph("letter.cautions.what")
		odd := eventsBlock{}
		for i, c := range a.Cautions {
			if i == mostFaults {
				break
			}
			odd.items = append(odd.items, eventItem{words: s.sentence(c.Say), clause: clean(c.Clause)})
		}
		s.add(odd)
	}
	for _, remark := range a.Remarks {
		s.add(paragraphBlock{words: s.sentence(remark)})
	}

	if a.WhatIf != nil {
		s.whatIf(a.WhatIf)
	}
	if len(a.Repairs) > 0 {
		s.heading("letter.repairs.heading")
		s.paragraph("letter.repairs.what")
		t := tableBlock{
			heads: []string{s.say("letter.repairs.line"), s.say("letter.repairs.was"), s.say("letter.repairs.read-as")},
			right: []bool{true, false, false},
		}
		for i, r := range a.Repairs {
			if i == mostFaults {
				break
			}
			t.rows = append(t.rows, []string{strconv.Itoa(r.Line), visible(r.Was), visible(r.ReadAs)})
		}
		s.add(t)
	}
	s.heading("letter.accepted.normal")
	if a.Draft || a.Waiting {
		s.paragraph("letter.accepted.normal-what")
	} else {
		s.paragraph("letter.accepted.normal-resolved")
	}
	s.add(verbatimBlock{encoded(a.Normal)})
	if a.Replaces != nil {
		s.heading("letter.accepted.changes")
		if lines := changes(encoded(a.Replaces), encoded(a.Normal)); len(lines) > 0 {
			s.paragraph("letter.accepted.changes-what")
			s.add(changesBlock{lines})
		} else {
			s.paragraph("letter.accepted.no-changes")
		}
	}
	if a.Draft || a.Waiting {
		s.heading("letter.answer.heading")
		s.add(stepsBlock{[]string{s.say("letter.accepted.again-" + which)}})
	}
	return s.finish(s.say("letter.accepted.subject-"+which, stop...))
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

// mostFaults is how many faults a letter shows. A file with more is not a file
// that a fault by fault reading helps.
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
	rows := [][2]string{{s.say("letter.label.refused"), s.say("letter.refused.nothing-counts", n)}}
	if r.Asked {
		title, subject, what = "letter.refused.command", "letter.refused.command", []phrase.Arg{n}
		if r.Command != "" {
			what = append(what, phrase.Name("command", phrase.KindKeyword, r.Command))
		}
		rows = [][2]string{{s.say("letter.refused.kind"), s.say("letter.refused.nothing-done", n)}}
	}
	s.title(s.say(title, what...), s.say("letter.refused.kind"))

	switch {
	case r.InForce != nil:
		rows = append(rows, [2]string{s.say("letter.label.in-force"), s.say("letter.refused.earlier")})
		rows = append(rows, s.set(r.Set)...)
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

	s.heading("letter.refused.faults")
	lines := strings.Split(strings.ReplaceAll(r.Source, "\r\n", "\n"), "\n")
	b := faultsBlock{}
	for i, p := range r.Problems {
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
	if more := len(r.Problems) - mostFaults; more > 0 {
		s.paragraph("letter.refused.more", phrase.Number("n", more))
	}
	if r.InForce != nil {
		s.heading("letter.refused.in-force")
		s.add(verbatimBlock{encoded(r.InForce)})
	}
	s.orderFile(r.Owed)
	return s.finish(s.say(subject, what...))
}

// Notice writes a short letter.
func (w *Words) Notice(n Notice) Letter {
	s := w.sheet(n.Heading)
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
	if n.Page != nil {
		if !n.Page.Title.IsZero() {
			s.add(headingBlock{title: s.sentence(n.Page.Title)})
		}
		s.page(n.Page)
	}
	for _, text := range n.Texts {
		s.add(verbatimBlock{cleanLines(text)})
	}
	if n.Form != "" {
		s.heading("letter.form.heading")
		s.paragraph("letter.form.what")
		s.add(fileBlock{orders.Frame(n.Form)})
	}
	s.files = append(s.files, n.Files...)
	s.orderFile(n.Owed)
	return s.finish(subject)
}

// encoded is a node as text without a line end.
func encoded(n *orders.Node) string {
	if n == nil {
		return ""
	}
	return strings.TrimRight(cleanLines(n.Encode()), "\n")
}

// visible is a piece of a file in which characters that look like others or
// like nothing are named.
func visible(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\t':
			b.WriteString("⇥")
		case c == '\n':
			b.WriteString("⏎")
		case c == '\u00a0':
			b.WriteString("⍽")
		case hidden(c) || c < ' ' || c >= 0x7f && c < 0xa0:
			fmt.Fprintf(&b, "<U+%04X>", c)
		default:
			b.WriteRune(c)
		}
	}
	return clip(clean(b.String()), 80)
}

// excerpt is a line at fault, as far as it fits a letter, and the place of a
// column in it, -1 for none.
func excerpt(line string, column int) (string, int) {
	// On a telephone some forty characters can be seen: the column is kept there.
	const widest, seen, before = 60, 40, 28
	runes := []rune(cleanLines(strings.ReplaceAll(line, "\n", " ")))
	caret := min(column-1, len(runes))
	start := 0
	if caret >= seen {
		start = caret - before
	}
	end := min(len(runes), start+widest)
	piece := string(runes[start:end])
	if end < len(runes) {
		piece = string(runes[start:end-1]) + "…"
	}
	if start > 0 {
		piece = "…" + string([]rune(piece)[1:])
	}
	if caret < 0 {
		return piece, -1
	}
	return piece, columns(string([]rune(piece)[:min(caret-start, len([]rune(piece)))]))
}

// A changeLine is a line of a comparison: taken away '-', added '+', or kept ' '.
type changeLine struct {
	sign byte
	text string
}

// changes compares two texts line by line and gives what differs, with a line
// before and after; nothing if they are equal.
func changes(before, after string) []changeLine {
	if before == after {
		return nil
	}
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	// The common start and end need no comparing, and what lies between is
	// bounded: beyond the bound all of it is shown as replaced.
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	x, y := a[start:len(a)-end], b[start:len(b)-end]
	var all []changeLine
	for _, line := range a[:start] {
		all = append(all, changeLine{' ', line})
	}
	const most = 1 << 20
	if len(x)*len(y) > most {
		for _, line := range x {
			all = append(all, changeLine{'-', line})
		}
		for _, line := range y {
			all = append(all, changeLine{'+', line})
		}
	} else {
		all = append(all, longestCommon(x, y)...)
	}
	for _, line := range a[len(a)-end:] {
		all = append(all, changeLine{' ', line})
	}
	var out []changeLine
	for i, line := range all {
		near := i > 0 && all[i-1].sign != ' ' || i+1 < len(all) && all[i+1].sign != ' '
		if line.sign != ' ' || near {
			out = append(out, line)
		}
	}
	return out
}

// longestCommon compares line by line, keeping as many lines as can be kept.
func longestCommon(x, y []string) []changeLine {
	kept := make([][]int, len(x)+1) // kept[i][j]: most lines to keep of x[i:] and y[j:]
	for i := range kept {
		kept[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				kept[i][j] = kept[i+1][j+1] + 1
			} else {
				kept[i][j] = max(kept[i+1][j], kept[i][j+1])
			}
		}
	}
	var out []changeLine
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			out = append(out, changeLine{' ', x[i]})
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && kept[i+1][j] >= kept[i][j+1]:
			out = append(out, changeLine{'-', x[i]})
			i++
		default:
			out = append(out, changeLine{'+', y[j]})
			j++
		}
	}
	return out
}
