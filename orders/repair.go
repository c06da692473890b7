package orders

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// A mender puts right what mail programs and word processors do to an order
// file, where only one reading is possible. It works line by line and never
// moves a line to another, so that a fault is told where the sender sees it.
//
// What stands in straight quotes, in a text block or in a comment is never
// touched.
type mender struct {
	lines   []string
	words   *Words
	repairs []Repair
	at      map[int]int // index of the repair of a line
}

// mend gives the repaired text. The text is clean.
func mend(text string, words *Words) (string, []Repair) {
	if !worthMending(text, words) {
		return text, nil
	}
	m := &mender{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), words: words, at: map[int]int{}}
	m.tabs()
	m.signs()
	m.wraps()
	slices.SortStableFunc(m.repairs, func(a, b Repair) int { return a.Line - b.Line })
	return strings.Join(m.lines, "\n") + "\n", m.repairs
}

// worthMending tells quickly whether there may be anything to repair at all.
func worthMending(text string, words *Words) bool {
	for at := 0; at < len(text); {
		end := at + strings.IndexByte(text[at:], '\n')
		for i := at; i < end; i++ {
			switch c := text[i]; {
			case c >= 0x80, c == '\t', c == '\\', c == '<' || c == '&' || c == '*':
				return true
			case c == '-' && i+1 < end && text[i+1] != ' ' && blanks(text, at, i) == i:
				return true
			}
		}
		if end > at && text[at] != ' ' && text[at] != '#' && !isDash(text, at, end) {
			key := simpleKey(text[at:end])
			means := words.known[Fold(key)]
			if len(means) == 0 {
				return true // prose, or the rest of a line
			}
			if slices.Contains(means, "note") {
				value := strings.TrimSpace(text[at+len(key)+1 : end])
				if value == "" || isOdd(value) || end+1 < len(text) && (text[end+1] == ' ' || text[end+1] == '\n') {
					return true
				}
			}
		}
		at = end + 1
	}
	return false
}

// record remembers that a line was read differently from what was written.
func (m *mender) record(i int, is string, code string) {
	was := m.lines[i]
	m.lines[i] = is
	if k, ok := m.at[i]; ok {
		m.repairs[k].ReadAs = strings.TrimRight(is, " ")
		return
	}
	m.at[i] = len(m.repairs)
	m.repairs = append(m.repairs, Repair{Line: i + 1, Was: strings.TrimRight(was, " "), ReadAs: strings.TrimRight(is, " "), Why: phrase.Say(code)})
}

// tabs replaces tabs in front of lines by spaces if the file has the same
// structure whatever width a tab has.
func (m *mender) tabs() {
	first, count := -1, 0
	for i, line := range m.lines {
		if t := strings.TrimLeft(line, " \t"); t != "" && t[0] != '#' && strings.IndexByte(line[:len(line)-len(t)], '\t') >= 0 {
			if first < 0 {
				first = i
			}
			count++
		}
	}
	if first < 0 {
		return
	}
	two := m.structure(2)
	for _, width := range []int{4, 8} {
		other := m.structure(width)
		for i := range two {
			if two[i] != other[i] {
				return // the parser says what is wrong
			}
		}
	}
	was := m.lines[first]
	for i, line := range m.lines {
		t := strings.TrimLeft(line, " \t")
		m.lines[i] = strings.Repeat(" ", depth(line, 2)) + t
	}
	m.at[first] = len(m.repairs)
	m.repairs = append(m.repairs, Repair{Line: first + 1, Was: strings.ReplaceAll(strings.TrimRight(was, " \t"), "\t", "⇥"),
		ReadAs: m.lines[first], Why: phrase.Say("order.repair-tabs", phrase.Number("n", count))})
}

// depth counts the columns in front of a line if a tab goes on to the next
// multiple of a width.
func depth(line string, width int) int {
	n := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += width - n%width
		default:
			return n
		}
	}
	return n
}

// structure gives, for each line, the line that it stands under and whether it
// stands in the same column as the line before under the same one.
func (m *mender) structure(width int) []int {
	type level struct{ line, depth int }
	var open []level
	out := make([]int, len(m.lines))
	for i, line := range m.lines {
		t := strings.TrimLeft(line, " \t")
		if t == "" || t[0] == '#' {
			continue
		}
		d := depth(line, width)
		for len(open) > 0 && open[len(open)-1].depth > d {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1].depth == d {
			out[i] = 2*open[len(open)-1].line + 1
			open[len(open)-1].line = i
		} else {
			if len(open) > 0 {
				out[i] = 2 * (open[len(open)-1].line + 1)
			}
			open = append(open, level{i, d})
		}
		if strings.HasPrefix(t, "- ") { // what stands behind the dash opens a block too
			inner := 2 + len(t[2:]) - len(strings.TrimLeft(t[2:], " "))
			open = append(open, level{i, d + inner})
		}
	}
	return out
}

// signs repairs bullets, quotes, wide letters, dashes and leftovers of markup.
func (m *mender) signs() {
	s := newScanner()
	for i := 0; i < len(m.lines); i++ {
		line := m.lines[i]
		if s.inText(line) {
			continue
		}
		// A wide sign may stand for one that is repaired in turn.
		is, noted := m.sign(i, line, s)
		for tries, before := 0, line; is != before && tries < 4; tries++ {
			before = is
			is, noted = m.sign(i, is, s)
		}
		if is != line {
			m.record(i, is, "order.repair-signs")
		}
		s.line(is)
		if noted { // the GM's note is his business, down to the next key
			for i+1 < len(m.lines) && (strings.HasPrefix(m.lines[i+1], " ") || m.lines[i+1] == "") && s.quote == 0 {
				i++
				s.inText(m.lines[i])
			}
		}
	}
}

// sign repairs a line once, and tells whether the GM's note starts there.
func (m *mender) sign(i int, line string, s *scanner) (is string, noted bool) {
	is = line
	if s.quote == 0 && s.open == 0 {
		is = m.quoteNote(i, leftovers(wideColon(bullet(is)), s))
		if m.isNote(is) {
			return is, true
		}
	}
	is = leftovers(is, s)
	lead := is[:blanks(is, 0, len(is))] // tabs that are left here are a fault
	is = lead + s.code(is, plainSigns)[len(lead):]
	return smartQuotes(is, s), false
}

// isNote tells whether a line is the GM's note, whose text may hold anything.
func (m *mender) isNote(line string) bool {
	colon := strings.IndexByte(line, ':')
	if colon < 1 || line[0] == ' ' {
		return false
	}
	_, ok := m.words.Key(line[:colon], []string{"note"})
	return ok
}

// quoteNote puts quotes around a note whose signs would mean something else: all of the note,
// down to the next key, is text and can't be anything else. It gives back the first line of
// the note and changes the other lines.
func (m *mender) quoteNote(i int, line string) string {
	if !m.isNote(line) {
		return line
	}
	colon := strings.IndexByte(line, ':')
	if colon+1 < len(line) && line[colon+1] != ' ' {
		return line
	}
	text := strings.TrimSpace(line[colon+1:])
	if text != "" && strings.IndexByte("\"'|>#", text[0]) >= 0 {
		return line
	}
	end := i + 1 // behind the last line of the note
	odd := isOdd(text)
	for j := i + 1; j < len(m.lines) && (m.lines[j] == "" || m.lines[j][0] == ' '); j++ {
		if more := strings.TrimSpace(m.lines[j]); more != "" {
			if text == "" && end == i+1 && (isDash(more, 0, len(more)) || strings.IndexByte("\"'|>#", more[0]) >= 0) {
				return line // a list of notes, or quoted already
			}
			end = j + 1
			odd = odd || isOdd(more) || isDash(more, 0, len(more)) || strings.IndexByte("\"'|>#", more[0]) >= 0
		}
	}
	if !odd || strings.Contains(strings.Join(m.lines[i+1:end], "\n")+line, " #") {
		return line
	}
	open := `"`
	if text != "" {
		line = line[:colon+1] + " " + open + inQuotes(text)
		open = ""
	}
	if end == i+1 {
		return line + `"`
	}
	for j := i + 1; j < end; j++ {
		more := strings.TrimSpace(m.lines[j])
		if more == "" {
			continue
		}
		is := "  " + open + inQuotes(more)
		open = ""
		if j == end-1 {
			is += `"`
		}
		if is != m.lines[j] {
			m.record(j, is, "order.repair-signs")
		}
	}
	return line
}

// isOdd tells whether a text without quotes would not be read as text.
func isOdd(text string) bool {
	if text == "" {
		return false
	}
	_, colon := plainEnd(text, 0, len(text))
	return colon >= 0 || strings.IndexByte(oddStarts, text[0]) >= 0
}

// inQuotes writes a text as it stands between double quotes.
func inQuotes(text string) string {
	quoted := quote(text)
	return quoted[1 : len(quoted)-1]
}

// oddStarts are signs with which a value without quotes does not start.
const oddStarts = "[{]},&*!%@`?-:"

// bullets that editors put in place of a dash.
const bullets = "*•·◦▪‣∙●○–—−‒―‐‑"

// bullet reads what stands at the start of a line for the dash of a list. A dash
// without its space gets it, unless a number follows.
func bullet(line string) string {
	body := strings.TrimLeft(line, " ")
	if body == "" {
		return line
	}
	indent := line[:len(line)-len(body)]
	r, size := utf8.DecodeRuneInString(body)
	rest := body[size:]
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == '-' && (unicode.IsLetter(next) || next == '{' || next == '[' || next == '"'):
		return indent + "- " + rest
	case r == '-' || !strings.ContainsRune(bullets, r):
		return line
	case (next == ' ' || next == '\t') && strings.TrimSpace(rest) != "":
		return indent + "- " + strings.TrimLeft(rest, " \t")
	case r != '*' && r != '·' && (unicode.IsLetter(next) || next == '{' || next == '['):
		return indent + "- " + rest
	}
	return line
}

// wideColon reads the wide colon of East Asian keyboards behind a key.
func wideColon(line string) string {
	key, rest, ok := strings.Cut(line, "：")
	if !ok || strings.ContainsAny(key, "\"'#:[{") {
		return line
	}
	if rest != "" && rest[0] != ' ' {
		rest = " " + rest
	}
	return key + ":" + rest
}

// leftovers of HTML and of word processors at the end of a line.
func leftovers(line string, s *scanner) string {
	if strings.IndexByte(line, '&') >= 0 {
		line = s.code(line, func(t string) string { return strings.ReplaceAll(t, "&nbsp;", " ") })
	}
	for len(line) <= longestLine {
		t := strings.TrimRight(line, " ")
		low := strings.ToLower(t)
		switch {
		case strings.HasSuffix(low, "<br>"):
			t = t[:len(t)-4]
		case strings.HasSuffix(low, "<br/>"):
			t = t[:len(t)-5]
		case strings.HasSuffix(low, "<br />"):
			t = t[:len(t)-6]
		case strings.HasSuffix(t, `\`) && s.quoteAtEnd(t) == 0:
			t = t[:len(t)-1]
		default:
			return line
		}
		if s.quoteAtEnd(t) != 0 {
			return line
		}
		line = t
	}
	return line
}

// longestLine is the length of the longest line that is searched for quotes and leftovers.
// No line of a letter is as long.
const longestLine = 2000

// plainSigns reads wide letters and signs for the ordinary ones, and dashes
// within a name for a hyphen. It gets pieces of a line outside quotes.
func plainSigns(text string) string {
	if plainASCII(text) {
		return strings.ReplaceAll(text, "\t", " ")
	}
	runes := []rune(strings.ReplaceAll(text, "\t", " "))
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r >= 0xff01 && r <= 0xff5e: // wide forms of ASCII
			c := r - 0xff01 + '!'
			b.WriteRune(c)
			if (c == ':' || c == ',') && i+1 < len(runes) && runes[i+1] != ' ' && !(i > 0 && digit(runes[i-1]) && digit(runes[i+1])) {
				b.WriteByte(' ')
			}
		case strings.ContainsRune("‐‑‒–—−", r) && i > 0 && i+1 < len(runes) && letterOrDigit(runes[i-1]) && letterOrDigit(runes[i+1]):
			b.WriteByte('-')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func digit(r rune) bool         { return unicode.IsDigit(r) }
func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Quotes that word processors put in place of the straight ones.
const (
	doubleQuotes = "“”„‟«»″"
	singleQuotes = "‘’‚‛′‹›"
)

// smartQuotes makes curly quotes around a whole value straight. Within a value,
// an apostrophe, they stay.
func smartQuotes(line string, s *scanner) string {
	if plainASCII(line) || len(line) > longestLine {
		return line
	}
	from := 0
	for {
		at, open := s.valueStart(line, from, doubleQuotes+singleQuotes+`"'`)
		if at < 0 {
			return line
		}
		r, size := utf8.DecodeRuneInString(line[at:])
		double := r == '"' || strings.ContainsRune(doubleQuotes, r)
		straight, family := byte('\''), singleQuotes+"'"
		if double {
			straight, family = '"', doubleQuotes+`"`
		}
		end, closeSize := quoteEnd(line, at+size, family, open)
		if end < 0 || r < 0x80 && line[end] < 0x80 {
			from = at + size
			if end >= 0 {
				from = end + closeSize
			}
			continue
		}
		inside := line[at+size : end]
		if strings.IndexByte(inside, straight) >= 0 || double && strings.IndexByte(inside, '\\') >= 0 {
			from = end + closeSize
			continue
		}
		fixed := line[:at] + string(straight) + inside + string(straight)
		line, from = fixed+line[end+closeSize:], len(fixed)
	}
}

// quoteEnd finds the quote of a family that ends a value: behind it the line, the
// key ends, or in brackets the entry.
func quoteEnd(line string, at int, family string, open bool) (end, size int) {
	for i, r := range line[at:] {
		if !strings.ContainsRune(family, r) {
			continue
		}
		behind := line[at+i+utf8.RuneLen(r):]
		rest := strings.TrimLeft(behind, " ")
		if rest == "" || rest[0] == ':' || rest[0] == '#' && rest != behind || strings.HasPrefix(rest, "：") || open && strings.IndexByte(",]}", rest[0]) >= 0 {
			return at + i, utf8.RuneLen(r)
		}
	}
	return -1, 0
}
