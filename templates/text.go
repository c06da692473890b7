package templates

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// lineWidth is how many columns the plain text of a letter has. It leaves room
// for two levels of "> " in the 80 columns that mail programs wrap at.
const lineWidth = 72

// textWriter sets a letter as plain text.
type textWriter struct {
	out   strings.Builder
	brief bool // headings take one line, and pictures only their names: a report
	shown bool // the name of the next picture stands in the heading above it
}

func newTextWriter() *textWriter {
	t := &textWriter{}
	t.out.Grow(8 << 10)
	return t
}

func (t *textWriter) finish() string {
	t.blank()
	text := t.out.String()
	return text[:len(strings.TrimRight(text, "\n"))+1]
}

// line writes a line, never with blanks at its end: "-- " would start a
// signature.
func (t *textWriter) line(text string) {
	t.out.WriteString(strings.TrimRight(text, " "))
	t.out.WriteByte('\n')
}

func (t *textWriter) blank() { t.out.WriteByte('\n') }

func (t *textWriter) rule(sign string) { t.line(strings.Repeat(sign, lineWidth)) }

// wrapped writes words on as many lines as they need, the first behind one
// indent and the others behind another.
func (t *textWriter) wrapped(words, first, rest string) {
	for i, line := range wrap(words, lineWidth-columns(first), lineWidth-columns(rest)) {
		if i == 0 {
			t.line(first + line)
		} else {
			t.line(rest + line)
		}
	}
}

func (b titleBlock) text(t *textWriter) {
	t.rule("=")
	title, sub := strings.ToUpper(b.title), b.sub
	if whole := b.kicker + " · " + sub; t.brief && sub != "" && columns(whole) < lineWidth {
		t.wrapped(title, " ", " ")
		title, sub = whole, ""
	} else {
		t.wrapped(b.kicker, " ", " ")
	}
	t.wrapped(title, " ", " ")
	if sub != "" {
		t.wrapped(sub, " ", " ")
	}
	t.rule("=")
	t.blank()
}

func (b headingBlock) text(t *textWriter) {
	if said := t.out.String(); said != "" && !strings.HasSuffix(said, "\n\n") { // behind a picture
		t.blank()
	}
	if dashes := lineWidth - 1 - columns(b.title); t.brief && dashes > 3 {
		tail := ""
		if b.shows() {
			tail = " " + b.picture
		}
		t.line(b.title + " " + strings.Repeat("-", dashes-columns(tail)) + tail)
		t.shown = b.shows()
		return
	}
	sign := "="
	if b.under {
		sign = "-"
	}
	lines := wrap(b.title, lineWidth, lineWidth)
	longest := 3
	for _, line := range lines {
		t.line(line)
		longest = max(longest, columns(line))
	}
	t.line(strings.Repeat(sign, longest))
	t.blank()
}

// shows tells whether the line of a heading has room for the name of its picture.
func (b headingBlock) shows() bool {
	return b.picture != "" && columns(b.title)+columns(b.picture) < lineWidth-5
}

func (b drawnBlock) text(*textWriter) {}

func (b paragraphBlock) text(t *textWriter) {
	named := t.shown
	t.shown = false
	if b.file && named {
		return
	}
	t.wrapped(b.words, "", "")
	if !b.tight || !t.brief {
		t.blank()
	}
}

func (b boxBlock) text(t *textWriter) {
	label := 0
	for _, row := range b.rows {
		label = max(label, columns(row[0]))
	}
	inside := lineWidth - 4
	t.line("+" + strings.Repeat("-", lineWidth-2) + "+")
	for i, row := range b.rows {
		name := row[0]
		if i == 0 {
			name = strings.ToUpper(name)
		}
		for _, line := range wrap(row[1], inside-label-3, inside-label-3) {
			t.line("| " + pad(pad(name, label, false)+"   "+line, inside, false) + " |")
			name = ""
		}
	}
	t.line("+" + strings.Repeat("-", lineWidth-2) + "+")
	t.blank()
}

// text writes the events. In a report, a clause that is the same as that of the event before
// is not repeated.
func (b eventsBlock) text(t *textWriter) {
	numbered, digits := b.numbered()
	if b.before != "" {
		t.wrapped(b.before, "", "")
	}
	clause, first := "", true
	for i, item := range b.items {
		if item.left {
			continue
		}
		if item.opens && !first {
			t.blank()
			clause = ""
		}
		first = false
		words := item.words
		if again := t.brief && item.clause == clause; item.clause != "" && !again {
			// The clause stays whole: its blanks don't break.
			words += " [" + item.clause + "]"
		}
		clause = item.clause
		mark := pad(strconv.Itoa(i+1), digits+1, true) + ". "
		switch {
		case numbered && item.number > 0:
			mark = pad(strconv.Itoa(item.number), digits+1, true) + ". "
		case numbered:
			mark = pad("-", digits+1, true) + "  "
		}
		if item.own {
			mark = "!" + mark[1:]
		}
		t.wrapped(words, mark, strings.Repeat(" ", digits+3))
		for _, line := range item.total {
			t.wrapped(line, strings.Repeat(" ", digits+1)+"= ", strings.Repeat(" ", digits+3))
		}
	}
	t.blank()
}

func (b linesBlock) text(t *textWriter) {
	for _, line := range b.lines {
		t.wrapped(line, "", "    ")
	}
	t.blank()
}

func (b sinceBlock) text(t *textWriter) {
	for _, line := range b.lines[:b.shown] {
		t.wrapped(line, "", "    ")
	}
	last := b.rest
	if b.shown < len(b.lines) {
		last = b.more
	}
	t.wrapped(last, "", "    ")
	t.blank()
}

func (b plainBlock) text(t *textWriter) {
	if len(b.lines) > 0 {
		linesBlock(b).text(t)
	}
}

func (b spareBlock) text(t *textWriter) {
	if b.left {
		t.wrapped(b.instead, "", "")
		t.blank()
		return
	}
	for _, inner := range b.blocks {
		inner.text(t)
	}
}

// text has nothing to say: the picture is attached.
func (b seenBlock) text(*textWriter) {}

// text says where it stands: what is folded away in HTML is an attachment of the text.
func (b foldBlock) text(t *textWriter) {
	if b.instead == "" {
		return
	}
	t.wrapped(b.instead, "", "")
	t.blank()
}

// numbered tells whether the items have numbers of their own, and how many digits
// the longest number has.
func (b eventsBlock) numbered() (bool, int) {
	most := 0
	for _, item := range b.items {
		most = max(most, item.number)
	}
	if most == 0 {
		return false, len(strconv.Itoa(len(b.items)))
	}
	return true, len(strconv.Itoa(most))
}

func (b stepsBlock) text(t *textWriter) {
	for i, step := range b.steps {
		first := strconv.Itoa(i+1) + ". "
		if len(b.steps) == 1 {
			first = ""
		}
		t.wrapped(step, first, strings.Repeat(" ", len(first)))
	}
	t.blank()
}

func (b tableBlock) text(t *textWriter) {
	if b.caption != "" {
		t.wrapped(b.caption, "", "")
		t.blank()
	}
	switch {
	case len(b.rows) == 0:
		t.line(b.none)
	default:
		if widths, ok := b.fit(); ok {
			b.grid(t, widths)
		} else {
			b.records(t)
		}
	}
	t.blank()
}

// between are the blanks between two columns.
const between = 2

// fit gives each column a width such that the table fits the letter: the
// natural one, or, if the table is then too wide, the widest column gives way, down to its
// longest word: those that are wider for their heads alone, if that is enough. It tells if the
// table is too wide even so.
func (b tableBlock) fit() ([]int, bool) {
	natural := make([]int, len(b.heads))
	least := make([]int, len(b.heads))
	cells := make([]int, len(b.heads)) // the widest, without the head
	measure := func(i int, cell string) {
		natural[i] = max(natural[i], columns(cell), 1)
		for _, word := range strings.Fields(cell) {
			least[i] = max(least[i], min(columns(word), 24))
		}
	}
	for i, head := range b.heads {
		measure(i, head)
	}
	for _, row := range b.rows {
		for i, cell := range row {
			measure(i, cell)
			cells[i] = max(cells[i], columns(cell))
		}
	}
	room := lineWidth - between*(len(natural)-1)
	total, headless := 0, 0
	for i := range natural {
		least[i] = min(max(least[i], 3), natural[i])
		cells[i] = max(cells[i], least[i])
		total, headless = total+natural[i], headless+cells[i]
	}
	if headless <= room {
		least = cells
	}
	for total > room {
		widest := -1
		for i := range natural {
			if natural[i] > least[i] && (widest < 0 || natural[i] > natural[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil, false
		}
		natural[widest]--
		total--
	}
	return natural, true
}

// grid writes columns beside each other. A blank line parts a row of several lines from
// the next row only if the table has many such rows.
func (b tableBlock) grid(t *textWriter, widths []int) {
	if slices.ContainsFunc(b.heads, func(h string) bool { return h != "" }) {
		b.row(t, widths, b.heads)
		rules := make([]string, len(widths))
		for i, w := range widths {
			rules[i] = strings.Repeat("-", w)
		}
		t.line(strings.Join(rules, strings.Repeat(" ", between)))
	}
	tall := 0
	for _, row := range b.rows {
		if b.height(widths, row) > 1 {
			tall++
		}
	}
	for i, row := range b.rows {
		if i > 0 && tall*2 > len(b.rows) {
			t.blank()
		}
		b.row(t, widths, row)
	}
}

func (b tableBlock) height(widths []int, row []string) int {
	lines := 1
	for i, cell := range row {
		if columns(cell) > widths[i] {
			lines = max(lines, len(wrap(cell, widths[i], widths[i])))
		}
	}
	return lines
}

func (b tableBlock) row(t *textWriter, widths []int, row []string) {
	cells := make([][]string, len(row))
	height := 1
	for i, cell := range row {
		cells[i] = wrap(cell, widths[i], widths[i])
		height = max(height, len(cells[i]))
	}
	for n := range height {
		var line strings.Builder
		line.Grow(2 * lineWidth) // of which many signs take two bytes
		for i := range cells {
			if i > 0 {
				line.WriteString(strings.Repeat(" ", between))
			}
			cell := ""
			if n < len(cells[i]) {
				cell = cells[i][n]
			}
			line.WriteString(pad(cell, widths[i], b.right[i]))
		}
		t.line(line.String())
	}
}

// records writes a table that is too wide row by row, with one line for each cell.
func (b tableBlock) records(t *textWriter) {
	label := 0
	for _, head := range b.heads {
		label = max(label, min(columns(head), 24))
	}
	for i, row := range b.rows {
		if i > 0 {
			t.blank()
		}
		for j, cell := range row {
			if cell != "" {
				t.wrapped(cell, pad(clip(b.heads[j], label), label, false)+"  ", strings.Repeat(" ", label+2))
			}
		}
	}
}

func (b sceneBlock) text(t *textWriter) {
	if t.brief { // what it shows follows in words
		if !t.shown {
			t.wrapped(b.brief, "", "")
		}
		t.shown = false
		return
	}
	t.wrapped(b.words, "", "")
	t.blank()
}

func (b fileBlock) text(t *textWriter) {
	body := b.body
	if b.short != "" {
		body = b.short
	}
	t.out.WriteString(body)
	t.blank()
}

func (b verbatimBlock) text(t *textWriter) {
	for line := range strings.SplitSeq(strings.TrimRight(b.body, "\n"), "\n") {
		t.line("    " + line)
	}
	t.blank()
}

func (b changesBlock) text(t *textWriter) {
	for _, line := range b.lines {
		t.line("  " + string(line.sign) + " " + line.text)
	}
	t.blank()
}

func (b faultsBlock) text(t *textWriter) {
	digits := len(strconv.Itoa(len(b.faults)))
	for i, f := range b.faults {
		number := pad(strconv.Itoa(i+1), digits+1, true) + ". "
		indent := strings.Repeat(" ", digits+3)
		place := f.place
		if f.clause != "" {
			place += " [" + f.clause + "]"
		}
		t.wrapped(place, number, indent)
		if f.source != "" {
			line := strconv.Itoa(f.line)
			t.line(indent + line + " | " + f.source)
			if f.caret >= 0 {
				t.line(indent + strings.Repeat(" ", len(line)) + " | " + strings.Repeat(" ", f.caret) + "^")
			}
		}
		t.wrapped(f.why, indent, indent)
		if f.remedy != "" {
			t.wrapped(f.remedy, indent+"-> ", indent+"   ")
		}
		t.blank()
	}
}

func (b footerBlock) text(t *textWriter) {
	t.rule("-")
	for _, line := range b.lines {
		t.wrapped(line, "", "")
	}
}

// wrap breaks words into lines, the first of one width and the others of
// another. A word longer than a line is broken. There is always one line.
func wrap(words string, first, rest int) []string {
	var lines []string
	line := make([]byte, 0, 128)
	room, used := max(first, 1), 0
	end := func() {
		lines, line = append(lines, string(line)), line[:0]
		room, used = max(rest, 1), 0
	}
	for word := range strings.FieldsSeq(words) {
		n := columns(word)
		if used > 0 && used+1+n > room {
			end()
		}
		if used > 0 {
			line = append(line, ' ')
			used++
		}
		for n > room-used {
			head := take(word, room-used)
			line = append(line, head...)
			word = word[len(head):]
			n = columns(word)
			end()
		}
		line = append(line, word...)
		used += n
	}
	if used > 0 || len(lines) == 0 {
		end()
	}
	return lines
}

// take gives as much of the start of a word as fits, at least one character.
func take(word string, room int) string {
	used := 0
	for i, c := range word {
		n := runeColumns(c)
		if i > 0 && used+n > room {
			return word[:i]
		}
		used += n
	}
	return word
}

// pad fills a text with blanks up to a width.
func pad(text string, to int, right bool) string {
	n := to - columns(text)
	switch {
	case n <= 0:
		return text
	case right:
		return strings.Repeat(" ", n) + text
	}
	return text + strings.Repeat(" ", n)
}

// columns is how wide a text is in a fixed-width face.
func columns(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			n := 0
			for _, c := range text {
				n += runeColumns(c)
			}
			return n
		}
	}
	return len(text)
}

func runeColumns(c rune) int {
	switch {
	case c < 0x300:
		return 1
	case c == '\u200c' || c == '\u200d' || unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Me, c):
		return 0
	}
	switch width.LookupRune(c).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
