package orders

import (
	"strings"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// value reads a scalar, or a collection in brackets, that starts at a place of a
// line, in a block whose entries stand in the column of the parent.
func (p *parser) value(ln, at, parent, depth int) *Node {
	l := p.lines[ln]
	switch c := p.text[at]; c {
	case '[', '{':
		return p.bracketed(ln, at, parent, depth)
	case '"', '\'':
		n := p.node(Scalar, ln, at)
		p.ln, p.pos, p.parent, p.failed = ln, at, parent, false
		n.Text = p.quoted()
		return p.ended(n, ln, at, parent)
	case '|', '>':
		return p.textBlock(ln, at, parent)
	case '&', '*', '!', '%', '@', '`', ',', ']', '}':
		return p.reserved(ln, at, parent)
	case '?', ':':
		if at+1 == l.end || isBlank(p.text[at+1]) || c == ':' {
			return p.reserved(ln, at, parent)
		}
	}
	return p.plain(ln, at, parent)
}

// reserved refuses a value that starts with a sign which means something else
// in YAML.
func (p *parser) reserved(ln, at, parent int) *Node {
	l := p.lines[ln]
	rest := strings.TrimRight(p.text[at:l.end], " \t")
	quoted := say("order.write-quotes", phrase.Literal("text", quote(short(rest))))
	switch c := p.text[at]; {
	case c == '&':
		p.fault(ln, at, say("order.anchor"), quoted)
	case c == '*':
		p.fault(ln, at, say("order.alias"), quoted)
	case c == '!':
		p.fault(ln, at, say("order.tag"), quoted)
	case c == ']' || c == '}':
		p.fault(ln, at, say("order.bracket-stray", phrase.Literal("bracket", string(c))), say("order.delete-sign", phrase.Literal("sign", string(c))))
	case c == '?':
		p.fault(ln, at, say("order.complex-key"), phrase.Phrase{})
	default:
		p.fault(ln, at, say("order.reserved", phrase.Literal("sign", string(c))), quoted)
	}
	p.ln = p.skip(ln, parent)
	return p.node(Broken, ln, at)
}

// short cuts a text to what fits into a sentence.
func short(text string) string {
	const limit = 60
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit]) + "…"
}

// plain reads a scalar without quotes, and the lines on which it goes on.
func (p *parser) plain(ln, at, parent int) *Node {
	n := p.node(Scalar, ln, at)
	l := p.lines[ln]
	end, colon := plainEnd(p.text, at, l.end)
	if colon >= 0 {
		return p.colonInValue(ln, at, colon, parent)
	}
	n.Text = strings.TrimRight(p.text[at:end], " \t")
	p.ln = ln + 1
	if end < l.end { // a comment ends it
		n.setNull()
		return n
	}
	var more *strings.Builder
	for next := p.ln; next < len(p.lines); next++ {
		l := p.lines[next]
		first := blanks(p.text, l.start, l.end)
		if l.empty {
			continue
		}
		if l.comment || l.indent <= parent || p.isMark(next) || isDash(p.text, first, l.end) || keyColon(p.text, first, l.end) >= 0 ||
			strings.IndexByte("[{\"'|>&*!%@`#,]}?:", p.text[first]) >= 0 {
			break
		}
		if more == nil {
			more = new(strings.Builder)
			more.WriteString(n.Text)
		}
		if gap := next - p.ln; gap > 0 {
			more.WriteString(strings.Repeat("\n", gap))
		} else {
			more.WriteByte(' ')
		}
		end, _ := plainEnd(p.text, first, l.end)
		more.WriteString(strings.TrimRight(p.text[first:end], " \t"))
		at := p.node(Scalar, next, first)
		n.folded = append(n.folded, foldedLine{at.Line, at.Column})
		p.ln = next + 1
		if end < l.end {
			break
		}
	}
	if more != nil {
		n.Text = more.String()
	} else {
		n.setNull()
	}
	return n
}

func (n *Node) setNull() {
	if isNull(n.Text) {
		n.Null, n.Text = true, ""
	}
}

// plainEnd finds where a plain scalar ends on its line: before a comment, or at
// the end; colon is the place of a colon that a plain scalar can't have, or -1.
func plainEnd(text string, at, end int) (stop, colon int) {
	for i := at; i < end; i++ {
		switch text[i] {
		case '#':
			if i > at && isBlank(text[i-1]) {
				return i, -1
			}
		case ':':
			if i+1 == end || isBlank(text[i+1]) {
				return end, i
			}
		}
	}
	return end, -1
}

// colonInValue refuses "note: remember: attack".
func (p *parser) colonInValue(ln, at, colon, parent int) *Node {
	l := p.lines[ln]
	rest := p.text[at:l.end]
	if i := strings.Index(rest, " #"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimRight(rest, " \t")
	remedy := say("order.write-quotes", phrase.Literal("text", quote(short(rest))))
	if before := lastWord(p.text[at:colon]); p.words.Knows(before) && len(before) < len(strings.TrimSpace(p.text[at:colon])) {
		remedy = say("order.own-line", phrase.Literal("text", short(before+p.text[colon:l.end])))
	}
	p.fault(ln, colon, say("order.colon-in-value"), remedy)
	p.ln = p.skip(ln, parent)
	return p.node(Broken, ln, at)
}

func lastWord(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.LastIndexAny(text, " ,"); i >= 0 {
		return text[i+1:]
	}
	return text
}

// ended checks that nothing but a comment stands behind a quoted text or a
// bracket that started at a place of a line.
func (p *parser) ended(n *Node, ln, at, parent int) *Node {
	if p.failed {
		n.Kind = Broken
		p.resume(ln, at, parent)
		return n
	}
	l := p.lines[p.ln]
	i := blanks(p.text, p.pos, l.end)
	switch {
	case i == l.end, p.text[i] == '#' && i > p.pos:
		p.ln++
		return n
	case p.text[i] == ':' && n.Kind != Scalar:
		p.fault(p.ln, i, say("order.complex-key"), phrase.Phrase{})
	case p.text[i] == ']' || p.text[i] == '}':
		p.fault(p.ln, i, say("order.bracket-stray", phrase.Literal("bracket", p.text[i:i+1])), say("order.delete-sign", phrase.Literal("sign", p.text[i:i+1])))
		p.fix(p.ln, i, i+1, "")
	case p.text[i] == ',':
		p.fault(p.ln, i, say("order.after-value", phrase.Literal("text", short(p.text[i:l.end]))), say("order.brackets-around"))
	case n.Kind != Scalar && p.isBehind(p.ln, i):
		p.ln++
		return n
	default:
		p.fault(p.ln, i, say("order.after-value", phrase.Literal("text", short(p.text[i:l.end]))), say("order.delete-or-comment"))
	}
	p.ln = p.skip(p.ln, parent)
	n.Kind = Broken
	return n
}

// stray refuses a line that is neither key nor item.
func (p *parser) stray(ln, at int) {
	l := p.lines[ln]
	rest := strings.TrimRight(p.text[at:l.end], " \t")
	if fixed := missingSpace(rest); fixed != "" {
		p.fault(ln, at+strings.IndexByte(rest, ':'), say("order.space-after-colon"), say("order.write", phrase.Literal("text", short(fixed))))
		p.fix(ln, at, at+len(rest), fixed)
		return
	}
	if fixed := p.missingColon(rest); fixed != "" {
		p.fault(ln, at, say("order.colon-missing"), say("order.write", phrase.Literal("text", short(fixed))))
		p.fix(ln, at, at+len(rest), fixed)
		return
	}
	switch c := rest[0]; {
	case c == '-' && len(rest) > 1 && rest[1] != '-':
		p.fault(ln, at, say("order.space-after-dash"), say("order.write", phrase.Literal("text", short("- "+rest[1:]))))
	case strings.IndexByte("&*!%@`|>?", c) >= 0:
		p.ln = ln
		keep := p.ln
		p.reserved(ln, at, p.lines[ln].indent-1)
		p.ln = keep
	case c == '"' || c == '\'':
		p.fault(ln, at, say("order.stray-line"), say("order.delete-or-comment"))
	case c == '[' || c == '{':
		p.fault(ln, at, say("order.bracket-alone"), say("order.indent-under"))
	case c == ']' || c == '}':
		p.fault(ln, at, say("order.bracket-stray", phrase.Literal("bracket", string(c))), say("order.delete-sign", phrase.Literal("sign", string(c))))
	default:
		remedy := say("order.delete-or-comment")
		if word, fixed := likelyKey(rest); fixed != "" {
			remedy = say("order.colon-or-comment", phrase.Literal("key", word), phrase.Literal("text", short(fixed)))
		}
		p.fault(ln, at, say("order.stray-line"), remedy)
	}
}

// likelyKey writes "target red-7" as "target: red-7", and tells the word that may be the key; "" of a
// text that reads like a sentence. Which keys a game has the form of the file doesn't know.
func likelyKey(text string) (word, fixed string) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimLeft(rest, " =")
	if rest == "" || simpleKey(word+":") == "" || strings.ContainsAny(text, ":#") || strings.Count(rest, " ") > 1 || strings.ContainsAny(rest[len(rest)-1:], ".,;!?") {
		return "", ""
	}
	return word, word + ": " + rest
}

// missingSpace writes "game:ligny" as "game: ligny"; "" if that is not the fault.
func missingSpace(text string) string {
	i := strings.IndexByte(text, ':')
	if i < 1 || i+1 >= len(text) || simpleKey(text[:i+1]) == "" || text[i+1] == '/' {
		return ""
	}
	return text[:i+1] + " " + text[i+1:]
}

// missingColon writes "game ligny" as "game: ligny" if the first word is a
// keyword; "" if that is not the fault.
func (p *parser) missingColon(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	if strings.IndexByte(text, ':') >= 0 || !p.words.Knows(word) {
		return ""
	}
	switch word[len(word)-1] {
	case ',', '.', ';', '!', '?':
		return ""
	}
	rest = strings.TrimLeft(rest, " =")
	if rest != "" && strings.IndexByte("[{\"'", rest[0]) < 0 && strings.Count(rest, " ") > 2 {
		return "" // a sentence
	}
	return strings.TrimRight(word+": "+rest, " ")
}

// textBlock reads a text of several lines after "|" or ">".
func (p *parser) textBlock(ln, at, parent int) *Node {
	n := p.node(Scalar, ln, at)
	l := p.lines[ln]
	folded := p.text[at] == '>'
	keep, indent := byte(0), 0
	i := at + 1
	for ; i < l.end && !isBlank(p.text[i]); i++ {
		switch c := p.text[i]; {
		case (c == '-' || c == '+') && keep == 0:
			keep = c
		case c >= '1' && c <= '9' && indent == 0:
			indent = int(c-'0') + max(parent, 0)
		default:
			return p.reserved(ln, at, parent)
		}
	}
	if j := blanks(p.text, i, l.end); j < l.end && p.text[j] != '#' {
		return p.reserved(ln, at, parent)
	}
	var lines []string
	next := ln + 1
	for ; next < len(p.lines); next++ {
		l := p.lines[next]
		spaces := l.indent
		if l.start == len(p.text) {
			break // what follows the last line break is no line
		}
		if l.start+spaces == l.end { // nothing but spaces
			if indent == 0 || spaces <= indent {
				lines = append(lines, "")
			} else {
				lines = append(lines, p.text[l.start+indent:l.end])
			}
			continue
		}
		if spaces <= max(parent, 0) || (indent > 0 && spaces < indent) || p.isMark(next) {
			break
		}
		if indent == 0 {
			indent = spaces
			if p.text[l.start+spaces] == '\t' {
				p.fault(next, l.start, say("order.tab-indent"), say("order.use-spaces"))
			}
			for k := range lines {
				if line := p.lines[ln+1+k]; line.indent > indent {
					p.fault(ln+1+k, line.start, say("order.block-indent"), say("order.indent-by", phrase.Number("n", indent)))
				}
			}
		}
		lines = append(lines, p.text[l.start+indent:l.end])
	}
	p.ln = next
	n.Text = joinBlock(lines, folded, keep)
	return n
}

// joinBlock makes the text of a text block: its lines as they stand, or folded
// into paragraphs, with one line break at the end, none ('-') or all ('+').
func joinBlock(lines []string, folded bool, keep byte) string {
	last := len(lines)
	for last > 0 && lines[last-1] == "" {
		last--
	}
	var b strings.Builder
	breaks, deep := 0, false // line breaks due before the next line; the last line stood deeper
	for i, line := range lines[:last] {
		if line == "" {
			breaks++
			continue
		}
		deeper := isBlank(line[0])
		switch {
		case !folded || i == 0 || b.Len() == 0 && breaks == i:
		case breaks > 1 && !deep && !deeper:
			breaks-- // the first of several line breaks is the fold
		case breaks == 1 && !deep && !deeper:
			breaks = 0
			b.WriteByte(' ')
		}
		b.WriteString(strings.Repeat("\n", breaks))
		b.WriteString(line)
		breaks, deep = 1, deeper
	}
	switch {
	case keep == '+':
		b.WriteString(strings.Repeat("\n", len(lines)-last))
		if last > 0 {
			b.WriteByte('\n')
		}
	case keep != '-' && last > 0:
		b.WriteByte('\n')
	}
	return b.String()
}
