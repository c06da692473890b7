package orders

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Width is the longest line that [Node.Encode] writes where it can choose. It
// leaves room for two levels of quoting before a mail program wraps the line.
const Width = 74

// Encode writes the node as YAML text, comments and all, in lines that survive
// a letter. A map or list is read back by [ParseNode] as an equal tree, and an
// order file by [Parse], as long as its texts are in composed form (NFC) and
// without signs that no file may hold. A comment that does not fit behind its line stands above
// it.
func (n *Node) Encode() string { return n.EncodeWithin(Width) }

// EncodeWithin writes what [Node.Encode] writes, in lines of another width. Of one node
// there is one normal form, which Encode gives: what is hashed is never written otherwise.
func (n *Node) EncodeWithin(width int) string {
	var b strings.Builder
	for _, line := range encodeBlock(n, Width-width) {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// encodeBlock gives the lines of a node that starts a line of its own, without
// indentation. Indent is what will be put in front. Comments above come first.
func encodeBlock(n *Node, indent int) []string {
	switch {
	case n.Kind == Map && len(n.Pairs) > 0 && !flowing(n):
		lines := comments(n.Above, indent)
		if n.Comment != "" {
			lines = append(lines, comments(n.Comment, indent)...)
		}
		for _, p := range n.Pairs {
			lines = append(lines, encodePair(p.Key, p.Value, indent)...)
		}
		return append(append(lines, comments(n.Below, indent)...), spares(n.Spare, indent)...)
	case n.Kind == List && len(n.Items) > 0 && !flowing(n):
		lines := comments(n.Above, indent)
		if n.Comment != "" {
			lines = append(lines, comments(n.Comment, indent)...)
		}
		lines = append(lines, spares(n.Spare, indent)...)
		for _, item := range n.Items {
			lines = append(lines, encodeItem(item, indent)...)
		}
		return lines
	default:
		return withComments(n.Above, n.Comment, indent, inline("", n, indent))
	}
}

// encodePair gives the lines of a key with its value.
func encodePair(key, value *Node, indent int) []string {
	if len(key.Spare) > 0 {
		bare := *key
		bare.Spare = nil
		return append(spares(key.Spare, indent), encodePair(&bare, value, indent)...)
	}
	above := joinLines(key.Above, value.Above)
	behind := joinWords(key.Comment, value.Comment)
	head := scalar(key.Text, true) + ":"
	if isInline(value) {
		return withComments(above, behind, indent, inline(head, value, indent))
	}
	lines := withComments(above, behind, indent, []string{head})
	bare := *value
	bare.Above, bare.Comment = "", ""
	for _, line := range encodeBlock(&bare, indent+2) {
		lines = append(lines, deeper(line))
	}
	return lines
}

// encodeItem gives the lines of an item of a list.
func encodeItem(item *Node, indent int) []string {
	if isInline(item) {
		lines := inline("-", item, indent)
		return withComments(item.Above, item.Comment, indent, lines)
	}
	inner := encodeBlock(item, indent+2)
	lines := make([]string, 0, len(inner))
	first := true
	for _, line := range inner {
		switch {
		case first && strings.HasPrefix(line, "#"):
			lines = append(lines, line)
		case first:
			lines = append(lines, "- "+line)
			first = false
		default:
			lines = append(lines, deeper(line))
		}
	}
	return lines
}

func deeper(line string) string {
	if line == "" {
		return ""
	}
	return "  " + line
}

// isInline tells whether a value starts behind its key or dash.
func isInline(n *Node) bool {
	return n.Kind == Scalar || n.Kind == Broken || flowing(n) || len(n.Pairs)+len(n.Items) == 0
}

// flowing tells whether a collection is written in brackets: it is meant so, and
// no comment in it would be lost.
func flowing(n *Node) bool {
	if !n.Flow || len(n.Spare) > 0 {
		return false
	}
	for _, p := range n.Pairs {
		if commented(p.Key) || commented(p.Value) {
			return false
		}
	}
	for _, item := range n.Items {
		if commented(item) {
			return false
		}
	}
	return true
}

func commented(n *Node) bool {
	if n.Above != "" || n.Comment != "" || len(n.Spare) > 0 {
		return true
	}
	for _, p := range n.Pairs {
		if commented(p.Key) || commented(p.Value) {
			return true
		}
	}
	for _, item := range n.Items {
		if commented(item) {
			return true
		}
	}
	return false
}

// inline writes a head, "key:" or "-" or nothing, with the value behind it.
func inline(head string, n *Node, indent int) []string {
	if n.Kind == Scalar && !n.Null && strings.Contains(n.Text, "\n") && head != "" {
		if lines, ok := literal(head, n.Text); ok {
			return lines
		}
	}
	if n.Long {
		return []string{strings.TrimPrefix(head+" "+strings.Join(atoms(n, false), " "), " ")}
	}
	return fill(head, atoms(n, false), indent, len(head) > 0)
}

// atoms are the pieces of a value in brackets between which a line may break.
func atoms(n *Node, inFlow bool) []string {
	switch {
	case n.Kind == Map:
		var all []string
		for i, p := range n.Pairs {
			inner := atoms(p.Value, true)
			inner[0] = scalar(p.Key.Text, true) + ": " + inner[0]
			if i < len(n.Pairs)-1 {
				inner[len(inner)-1] += ","
			}
			all = append(all, inner...)
		}
		return around("{", all, "}")
	case n.Kind == List:
		var all []string
		for i, item := range n.Items {
			inner := atoms(item, true)
			if i < len(n.Items)-1 {
				inner[len(inner)-1] += ","
			}
			all = append(all, inner...)
		}
		return around("[", all, "]")
	case n.Null:
		return []string{"null"}
	default:
		text := scalar(n.Text, inFlow)
		if text[0] == '"' && utf8.RuneCountInString(text) > Width/2 {
			return breakQuoted(text)
		}
		return []string{text}
	}
}

func around(open string, all []string, close string) []string {
	if len(all) == 0 {
		return []string{open + close}
	}
	all[0] = open + all[0]
	all[len(all)-1] += close
	return all
}

// breakQuoted takes a text in double quotes apart at its single spaces: a line
// break in quotes counts as one. A curly quotation mark at the end of a line
// could be taken for the one that closes the text.
func breakQuoted(text string) []string {
	var parts []string
	from := 0
	for i := 2; i < len(text)-2; i++ {
		if text[i] == ' ' && text[i-1] != ' ' && text[i+1] != ' ' && text[i-1] != '\\' && i-from > 1 && !endsCurly(text[:i]) {
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

func endsCurly(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(doubleQuotes, r)
}

// fill writes pieces behind a head, on as many lines as they need.
func fill(head string, pieces []string, indent int, behind bool) []string {
	var lines []string
	line := head
	for _, piece := range pieces {
		switch {
		case line == "":
			line = piece
		case indent+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(piece) > Width && !(len(lines) == 0 && line == head):
			lines = append(lines, line)
			line = "    " + piece
		default:
			line += " " + piece
		}
	}
	return append(lines, line)
}

// literal writes a text of several lines as a block, if its signs allow.
func literal(head, text string) ([]string, bool) {
	body := strings.TrimSuffix(text, "\n")
	mark := " |"
	if body == text {
		mark = " |-"
	}
	lines := []string{head + mark}
	for i, line := range strings.Split(body, "\n") {
		if line == "" && i > 0 {
			lines = append(lines, "")
			continue
		}
		if line == "" || line[0] == ' ' || line[len(line)-1] == ' ' {
			return nil, false
		}
		for _, r := range line {
			if !(r >= ' ' && r <= '~') && !(unicode.IsLetter(r) && !foldable(r)) {
				return nil, false
			}
		}
		lines = append(lines, "  "+line)
	}
	if lines[len(lines)-1] == "" {
		return nil, false
	}
	return lines, true
}

// withComments puts comments above lines, and one behind the last line if it
// fits there.
func withComments(above, behind string, indent int, lines []string) []string {
	if behind != "" {
		behind = InTongue(tongues[0], behind)
		last := lines[len(lines)-1]
		if text := tidy(behind); len(lines) == 1 && !strings.Contains(behind, "\n") &&
			indent+utf8.RuneCountInString(last)+4+utf8.RuneCountInString(text) <= Width {
			lines = []string{last + "  # " + text}
		} else {
			above = joinLines(above, behind)
		}
	}
	if above == "" {
		return lines
	}
	return append(comments(above, indent), lines...)
}

// spares writes what could stand in a file besides, each behind one # and on one line; a
// remark among it is written as any other.
func spares(texts []string, indent int) []string {
	lines := make([]string, 0, len(texts))
	for _, text := range texts {
		if remark, ok := strings.CutPrefix(text, "#"); ok {
			lines = append(lines, comments(strings.TrimPrefix(remark, " "), indent)...)
			continue
		}
		lines = append(lines, "# "+InTongue(tongues[0], text))
	}
	return lines
}

// comments writes a text as lines of comment, wrapped where they are too long. Two # tell it
// from what may be uncommented.
func comments(text string, indent int) []string {
	if text == "" {
		return nil
	}
	text = InTongue(tongues[0], text)
	var lines []string
	for _, part := range strings.Split(text, "\n") {
		part = tidy(part)
		if indent+3+utf8.RuneCountInString(part) <= Width {
			lines = append(lines, strings.TrimRight("## "+part, " "))
			continue
		}
		lead := part[:len(part)-len(strings.TrimLeft(part, " "))]
		line := "## " + lead
		for i, word := range strings.Fields(part) {
			if i > 0 && indent+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > Width {
				lines = append(lines, line)
				line = "##   " + lead + word
				continue
			}
			if i > 0 {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}

// tidy keeps a comment on its line and readable.
func tidy(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			return ' '
		}
		if refusedRune(r).Code != "" || invisible(r) {
			return -1
		}
		return r
	}, strings.TrimRight(strings.ToValidUTF8(text, "?"), " \t\r\n"))
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func joinWords(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// scalar writes a text so that it reads back as the same, without quotes if that
// can be.
func scalar(text string, inFlow bool) string {
	if isPlain(text, inFlow) {
		return text
	}
	return quote(text)
}

// isPlain tells whether a text needs no quotes. Every scalar is read as text, so
// numbers and booleans need none.
func isPlain(text string, inFlow bool) bool {
	if isNull(text) {
		return false
	}
	before := ' '
	for i, r := range text {
		ok := false
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			ok = true
		case r >= 0x80:
			ok = (unicode.IsLetter(r) || unicode.IsDigit(r) || i > 0 && unicode.Is(unicode.Mn, r)) && !foldable(r)
		case i == 0:
			ok = r == '-' && len(text) > 1 && text[1] >= '0' && text[1] <= '9'
		case r == ' ':
			ok = before != ' ' && i < len(text)-1
		case r == '-' || r == '_' || r == '.' || r == '/' || r == '\'' || r == '(' || r == ')' || r == '+' || r == '%' || r == ';' || r == '=' || r == '!':
			ok = true
		case r == '?' || r == ',':
			ok = !inFlow
		case r == ':':
			ok = !inFlow && i < len(text)-1 && text[i+1] >= '0' && text[i+1] <= '9' && before >= '0' && before <= '9'
		}
		if !ok {
			return false
		}
		before = r
	}
	return true
}

// foldable tells whether a letter is a wide or narrow form of another, which the
// reader would put right outside quotes.
func foldable(r rune) bool { return r >= 0xff00 && r <= 0xffef }

// closesOne is a curly quotation mark where a value could begin or end.
var closesOne = regexp.MustCompile(`[` + doubleQuotes + `](?: *[,:：\[\]{}]| +#)|[,:\[\]{}] *[` + doubleQuotes + `]`)

// quote writes a text in double quotes. Signs that can't be seen are escaped, and
// so are curly quotation marks that could be taken for straight ones.
func quote(text string) string {
	var b strings.Builder
	curly := closesOne.MatchString(text)
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case curly && strings.ContainsRune(doubleQuotes, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r > 0xffff && (!unicode.IsGraphic(r) || invisible(r)):
			fmt.Fprintf(&b, `\U%08x`, r)
		case !unicode.IsGraphic(r) || invisible(r) || unicode.Is(unicode.Z, r) || r == '\u2800':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
