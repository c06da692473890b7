package templates

import (
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
	brief    bool     // its text is that of a report, with short headings
	known    bool     // the reader has had letters of the game before
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
		title   string
		under   bool   // of another heading
		picture string // file of the picture or the order file below it; in the text of a report it stands on the same line
	}
	// drawnBlock is said only in HTML, where pictures take room.
	drawnBlock     struct{ words string }
	paragraphBlock struct {
		words string
		small bool
		tight bool // nothing stands between it and what follows, in the text of a report
		file  bool // it names a file; left out where the heading above it does, in the text of a report
	}
	boxBlock struct {
		tone tone
		rows [][2]string // label and what it says; the first is the weightiest
	}
	// eventsBlock is a numbered list with the clause behind each item.
	eventsBlock struct {
		items  []eventItem
		before string // says what is left to the attachment, in text
		least  int    // so many of the last are never left out
	}
	eventItem struct {
		words, clause string
		number        int      // shown in place of the item's position in the list; 0: no number, if any item has one
		opens         bool     // a part of the list begins with it
		own           bool     // a loss of the reader's
		left          bool     // to the attachment, in text
		total         []string // what the part comes to that ends with it
	}
	// linesBlock is a list of lines without marks.
	linesBlock struct{ lines []string }
	// sinceBlock lists what has changed, of which text shows the first lines.
	sinceBlock struct {
		lines      []string
		shown      int
		more, rest string
	}
	// plainBlock says in lines what a picture shows: only in text.
	plainBlock struct{ lines []string }
	// spareBlock is what the text of a letter that is too long leaves to its attachment.
	spareBlock struct {
		instead string
		blocks  []block
		left    bool
	}
	// seenBlock is what shows nothing but a picture: text leaves it out.
	seenBlock struct{ blocks []block }
	// foldBlock is what is folded away in HTML; text says where it stands instead.
	foldBlock struct {
		title, instead string
		blocks         []block
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
		brief            string // in place of the words, in the text of a report
		width            int
		parts            int // in which a phone shows it
	}
	// fileBlock is an order file to copy, with the marks by which it is found
	// again in the reply. It stands at the left edge, as it must in YAML.
	fileBlock struct {
		body  string
		short string // with fewer notes, for text; "": as it is
	}
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

// longestSubject is how many characters a subject has behind the game's name.
const longestSubject = 110

// subject puts the game's id before a subject and keeps it short: mail programs
// don't fold a long one well.
func (s *sheet) subject(text string) string {
	tag := clean(s.head.Game)
	if tag == "" {
		tag = s.say("office.berthier")
	}
	return "[" + clip(tag, 40) + "] " + clip(text, longestSubject)
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
	date := s.words.DueDate(s.language, s.head.Now, o.Deadline, s.head.Reader.Zone)
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
	case o.Waits:
		state = "letter.owed.unanswered-waits"
	case o.Template == nil:
		state = "letter.owed.unanswered-bare"
	}
	if o.Meanwhile != nil {
		s.meanwhile(tone, o)
		return
	}
	rows := [][2]string{
		{s.say("letter.label.owed"), s.say("letter.stop", s.stopOf(o)...)},
		{s.say("letter.label.by"), s.deadline(o)},
		{s.say("letter.label.so-far"), s.say(state)},
	}
	if o.Joined != nil {
		stands := "letter.joined"
		switch {
		case o.Again:
			stands = "letter.joined.again"
		case o.Idle:
			stands = "letter.joined.idle"
		}
		rows = append(rows, [2]string{s.say("letter.label.then"), s.say(stands, s.stop(*o.Joined)...)})
	}
	s.box(tone, rows)
	s.calendar(o)
}

// meanwhile tells of a stop that opens only if another side declines what it is asked.
func (s *sheet) meanwhile(t tone, o *Owed) {
	first, state := "letter.meanwhile.something", "letter.meanwhile.unanswered"
	args := []phrase.Arg{phrase.Name("side", "side", string(o.Meanwhile.Side))}
	if o.Meanwhile.Kind != "" {
		first = "letter.meanwhile.kind"
		args = append(args, phrase.Name("name", "stop", o.Meanwhile.Kind), phrase.Name("at", "at", o.Meanwhile.At))
	}
	if o.Answered {
		state = "letter.meanwhile.answered"
	}
	s.box(t, [][2]string{
		{s.say("letter.label.owed"), s.say("letter.stop", s.stopOf(o)...)},
		{s.say("letter.label.first"), s.say(first, args...)},
		{s.say("letter.label.so-far"), s.say(state)},
	})
}

// orderFile sets the order file to fill in and attaches it. The first letter, and the first with an
// order file, also say how to send it back.
func (s *sheet) orderFile(o *Owed, first bool) {
	if o == nil || o.Template == nil {
		return
	}
	file := s.fileOf(o, o.Template)
	body := orders.Frame(s.language, file.EncodeWithin(lineWidth))
	name := s.orderFileName(o, "")
	s.add(headingBlock{title: s.say("letter.file.heading"), picture: name})
	s.add(paragraphBlock{words: s.say("letter.file.what", phrase.Literal("file", name)), tight: true, file: true})
	s.add(s.narrow(body, func(text string) string { return orders.Frame(s.language, text) }))
	if first || o.Stop == 1 {
		s.heading("letter.answer.heading")
		s.add(stepsBlock{[]string{
			s.say("letter.answer.reply"),
			s.say("letter.answer.untouched"),
			s.say("letter.answer.again"),
		}})
	}
	s.files = append(s.files, File{Name: name, Type: "application/yaml", Data: []byte(body)})
}

// orderFileName is what the attached order file is called; letter tells two of them apart.
func (s *sheet) orderFileName(o *Owed, letter string) string {
	return fileName(s.head.Game) + "-stop" + strconv.Itoa(o.Stop) + letter + ".yaml"
}

// whereFile says above the pictures that the order file stands below them: on a phone that is several screens down.
func (s *sheet) whereFile(o *Owed, page *engine.Page) {
	if o == nil || o.Template == nil || !slices.ContainsFunc(page.Sections, func(section engine.Section) bool { return section.Picture != nil }) {
		return
	}
	s.add(drawnBlock{s.say("letter.file.where", phrase.Literal("file", s.orderFileName(o, "")))})
}

// fileOf is an order file for a decision in the reader's language.
func (s *sheet) fileOf(o *Owed, file *orders.Node) *orders.Node {
	return file.FileIn(s.language, s.head.Words, s.phrase(phrase.Say("letter.stop-name", phrase.Name("stop", "stop", o.Decision.Kind))))
}

// page sets a position.
func (s *sheet) page(p *engine.Page) {
	for i := range p.Sections {
		s.section(&p.Sections[i])
	}
}

// section sets a part of a position, all of it.
func (s *sheet) section(section *engine.Section) {
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

// scene sets a picture, under a name that no other of the letter has.
func (s *sheet) scene(scene *engine.Scene) {
	base := fileName(scene.Name)
	name := base
	for n := 2; s.hasScene(name); n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	alt := s.sentence(scene.Alt)
	s.scenes = append(s.scenes, Scene{name, alt, scene, Labels(s.words, s.language, s.spell, scene)})
	file := phrase.Literal("file", name+".png")
	if n := len(s.blocks); n > 0 {
		if head, ok := s.blocks[n-1].(headingBlock); ok {
			head.picture = name + ".png"
			s.blocks[n-1] = head
		}
	}
	s.add(sceneBlock{name: name, alt: alt, words: s.say("letter.picture", file, phrase.Literal("alt", alt)), brief: s.say("letter.picture", file), width: scene.Width, parts: PhoneParts(scene)})
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
	if !s.known {
		lines = append(lines, s.say("letter.footer.office"))
	}
	s.add(footerBlock{lines})

	subject = s.subject(subject)
	html := newHTMLWriter(s.language, subject)
	for _, b := range s.blocks {
		b.html(html)
	}
	return Letter{Subject: subject, Text: s.text(), HTML: html.finish(), Scenes: s.scenes, Files: s.files, Foot: s.foot()}
}

// text writes the letter as plain text.
func (s *sheet) text() string {
	text := newTextWriter()
	text.brief = s.brief
	for _, b := range s.blocks {
		b.text(text)
	}
	return text.finish()
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
