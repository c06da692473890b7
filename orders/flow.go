package orders

import (
	"strings"

	"berthier/orders/phrase"
)

// bracketed reads a list or map in brackets, over as many lines as it takes.
func (p *parser) bracketed(ln, at, parent, depth int) *Node {
	p.ln, p.pos, p.parent, p.failed, p.opens, p.last = ln, at, parent, false, p.opens[:0], 0
	n := p.flow(depth)
	return p.ended(n, ln, at, parent)
}

// resume finds the line on which the block goes on after a fault inside quotes
// or brackets that were opened at a place of a line: behind the bracket that
// closes the outermost, or else at the next line that looks like an entry.
func (p *parser) resume(ln, at, parent int) {
	if end := p.roughEnd(ln, at, parent); end >= 0 {
		p.ln = end + 1
		return
	}
	for next := p.content(ln + 1); ; next = p.content(next + 1) {
		if next == len(p.lines) || p.isMark(next) {
			p.ln = next
			return
		}
		l := p.lines[next]
		if l.indent <= parent && p.startsEntry(next) {
			p.ln = next
			return
		}
	}
}

// startsEntry tells whether a line looks like a new entry, be it one that lacks
// the space behind its colon.
func (p *parser) startsEntry(ln int) bool {
	l := p.lines[ln]
	at := l.start + l.indent
	return isEntry(p.text, at, l.end) || missingSpace(p.text[at:l.end]) != ""
}

// roughEnd finds the line of the bracket that closes the one at a place. It pays no heed
// to quotes, and does not look behind a new item or a key in the column of the block.
func (p *parser) roughEnd(ln, at, parent int) int {
	if p.text[at] != '[' && p.text[at] != '{' {
		return -1
	}
	open := 0
	for ; ln < len(p.lines); ln++ {
		l := p.lines[ln]
		if at < l.start {
			at = l.start
			if l.indent <= parent && (isDash(p.text, at+l.indent, l.end) || l.indent == parent && isEntry(p.text, at+l.indent, l.end)) {
				return -1
			}
		}
		for ; at < l.end; at++ {
			switch p.text[at] {
			case '[', '{':
				open++
			case ']', '}':
				if open--; open == 0 {
					return ln
				}
			case '#':
				if at > l.start && isBlank(p.text[at-1]) {
					at = l.end
				}
			}
		}
	}
	return -1
}

// flowFault notes a fault inside brackets and leaves them.
func (p *parser) flowFault(ln, at int, why, remedy phrase.Phrase) {
	if !p.failed {
		p.fault(ln, at, why, remedy)
	}
	p.failed = true
}

// flowFix notes such a fault that one insertion puts right.
func (p *parser) flowFix(ln, at int, why, remedy phrase.Phrase, insert string) {
	if !p.failed {
		p.fault(ln, at, why, remedy)
		p.fix(ln, at, at, insert)
	}
	p.failed = true
}

// unclosed notes that the innermost bracket is never closed.
func (p *parser) unclosed() {
	at := p.opens[len(p.opens)-1]
	ln := p.ln
	if ln >= len(p.lines) {
		ln = len(p.lines) - 1
	}
	for p.lines[ln].start > at {
		ln--
	}
	bracket := p.text[at : at+1]
	if !p.failed {
		defer p.closes(ln, at)
	}
	p.flowFault(ln, at, say("order.bracket-open", phrase.Literal("bracket", bracket)), say("order.close-with", phrase.Literal("bracket", closing(bracket))))
}

// closes puts a bracket that was left open right at the end of its line, if no comment stands
// there.
func (p *parser) closes(ln, at int) {
	end := p.lines[ln].end
	line := strings.TrimRight(p.text[at:end], " \t,")
	if n := len(p.problems); n > 0 && p.problems[n-1].Line == ln+1 && !strings.Contains(line, "#") {
		from := at + len(line)
		shut := ""
		for i := len(p.opens) - 1; i >= 0 && p.opens[i] >= p.lines[ln].start; i-- {
			shut += closing(p.text[p.opens[i] : p.opens[i]+1])
		}
		p.fix(ln, from, end, shut)
	}
}

func closing(bracket string) string {
	if bracket == "{" {
		return "}"
	}
	return "]"
}

// space goes on to the next sign inside brackets, over comments and line breaks.
// It fails where the brackets can't have been closed.
func (p *parser) space() {
	for !p.failed {
		l := p.lines[p.ln]
		i := blanks(p.text, p.pos, l.end)
		if i < l.end && (p.text[i] != '#' || (i > l.start && !isBlank(p.text[i-1]))) {
			p.pos = i
			return
		}
		if !p.nextLine() {
			p.unclosed()
			return
		}
	}
}

// nextLine goes on to the next line with content; false if that line is surely no longer
// inside the brackets.
func (p *parser) nextLine() bool {
	next, ok := p.after(p.ln + 1)
	if !ok {
		return false
	}
	l := p.lines[next]
	first := l.start + l.indent
	if l.indent <= p.parent && p.startsEntry(next) &&
		(p.text[first] == '-' || strings.IndexByte(",[{:", p.last) < 0) {
		return false
	}
	p.ln, p.pos = next, l.start
	return true
}

// flow reads what starts at the present place inside brackets.
func (p *parser) flow(depth int) *Node {
	if p.tooDeep(p.ln, p.pos, depth) {
		p.failed = true
		return p.node(Broken, p.ln, p.pos)
	}
	if p.stopped {
		p.failed = true
	}
	l := p.lines[p.ln]
	n := p.node(Scalar, p.ln, p.pos)
	switch c := p.text[p.pos]; c {
	case '[':
		n.Kind, n.Flow = List, true
		p.flowList(n, depth)
	case '{':
		n.Kind, n.Flow = Map, true
		p.flowMap(n, depth)
	case '"', '\'':
		n.Text = p.quoted()
		p.last = c
	case ',', ']', '}', ':', '#', '&', '*', '!', '|', '>', '%', '@', '`':
		p.flowReserved()
	case '?', '-':
		if p.pos+1 == l.end || strings.IndexByte(" \t,[]{}", p.text[p.pos+1]) >= 0 {
			p.flowReserved()
			break
		}
		p.flowPlain(n)
	default:
		p.flowPlain(n)
	}
	return n
}

// flowReserved refuses a sign where an entry in brackets should start.
func (p *parser) flowReserved() {
	rest := p.text[p.pos:p.lines[p.ln].end]
	if i := strings.IndexAny(rest[1:], ",]}"); i >= 0 {
		rest = rest[:i+1]
	}
	quoted := say("order.write-quotes", phrase.Literal("text", quote(short(strings.TrimSpace(rest)))))
	c := p.text[p.pos]
	sign := phrase.Literal("sign", string(c))
	switch c {
	case ',':
		p.flowFault(p.ln, p.pos, say("order.comma-twice"), say("order.delete-sign", sign))
	case ']', '}':
		open := p.text[p.opens[len(p.opens)-1]:][:1]
		p.flowFix(p.ln, p.pos, say("order.bracket-wrong", phrase.Literal("bracket", string(c)), phrase.Literal("open", open)),
			say("order.close-with", phrase.Literal("bracket", closing(open))), closing(open))
	case '&':
		p.flowFault(p.ln, p.pos, say("order.anchor"), quoted)
	case '*':
		p.flowFault(p.ln, p.pos, say("order.alias"), quoted)
	case '!':
		p.flowFault(p.ln, p.pos, say("order.tag"), quoted)
	case '-':
		p.flowFault(p.ln, p.pos, say("order.dash-in-brackets"), say("order.delete-sign", sign))
	case '?':
		p.flowFault(p.ln, p.pos, say("order.complex-key"), phrase.Phrase{})
	default:
		p.flowFault(p.ln, p.pos, say("order.reserved", sign), quoted)
	}
}

// flowPlain reads a scalar without quotes inside brackets.
func (p *parser) flowPlain(n *Node) {
	var b *strings.Builder
	for {
		l := p.lines[p.ln]
		start, i, comment := p.pos, p.pos, false
	scan:
		for ; i < l.end; i++ {
			switch c := p.text[i]; c {
			case ',', '[', ']', '{', '}':
				break scan
			case ':':
				if i+1 == l.end || strings.IndexByte(" \t,[]{}?", p.text[i+1]) >= 0 {
					break scan
				}
			case '?':
				if i+1 == l.end || isBlank(p.text[i+1]) {
					break scan
				}
			case '#':
				if i > start && isBlank(p.text[i-1]) {
					comment = true
					break scan
				}
			}
		}
		part := strings.TrimRight(p.text[start:i], " \t")
		if b != nil {
			b.WriteString(part)
		} else {
			n.Text = part
		}
		p.pos, p.last = i, 'x'
		if i < l.end || comment {
			break
		}
		// the scalar may go on on the next line
		here := p.ln
		next, ok := p.after(here + 1)
		if !ok || !p.goesOn(here, next) {
			break
		}
		if !p.nextLine() {
			p.unclosed()
			return
		}
		p.pos = blanks(p.text, p.pos, p.lines[p.ln].end)
		if b == nil {
			b = new(strings.Builder)
			b.WriteString(n.Text)
		}
		if gap := p.ln - here - 1; gap > 0 {
			b.WriteString(strings.Repeat("\n", gap))
		} else {
			b.WriteByte(' ')
		}
	}
	if b != nil {
		n.Text = b.String()
	} else {
		n.setNull()
	}
}

// goesOn tells whether a plain scalar inside brackets goes on on another line:
// no comment stands between, and that line starts with no sign.
func (p *parser) goesOn(here, next int) bool {
	for i := here + 1; i < next; i++ {
		if !p.lines[i].empty {
			return false
		}
	}
	l := p.lines[next]
	first := blanks(p.text, l.start, l.end)
	return strings.IndexByte(",[]{}:#&*!|>%@`\"'", p.text[first]) < 0
}

func (p *parser) flowList(n *Node, depth int) {
	p.open()
	for {
		p.space()
		if p.failed {
			return
		}
		if p.text[p.pos] == ']' {
			p.shut(']')
			return
		}
		ln := p.ln
		item := p.flow(depth + 1)
		if p.failed {
			return
		}
		if l := p.lines[p.ln]; p.ln == ln {
			if i := blanks(p.text, p.pos, l.end); i < l.end && p.text[i] == ':' {
				pair := p.node(Map, ln, p.pos)
				pair.Column, pair.Flow = item.Column, true
				p.pos = i
				p.flowPair(pair, item, depth+1)
				item = pair
				if p.failed {
					return
				}
			}
		}
		n.Items = append(n.Items, item)
		if !p.comma(']') {
			return
		}
	}
}

func (p *parser) flowMap(n *Node, depth int) {
	p.open()
	seen := map[string]int(nil)
	for {
		p.space()
		if p.failed {
			return
		}
		if p.text[p.pos] == '}' {
			p.shut('}')
			return
		}
		ln, at := p.ln, p.pos
		key := p.flow(depth + 1)
		if p.failed {
			return
		}
		if line, twice := p.twice(n, &seen, key); twice {
			p.fault(ln, at, say("order.key-twice", phrase.Literal("key", key.Text)), say("order.see-line", phrase.Number("line", line)))
		}
		if i := blanks(p.text, p.pos, p.lines[p.ln].end); p.ln != ln {
			p.flowFault(ln, at, say("order.colon-missing"), say("order.key-and-value"))
			return
		} else if i == p.lines[p.ln].end || p.text[i] != ':' {
			if p.joins(n, key, i) {
				if p.pos = i; !p.comma('}') {
					return
				}
				continue
			}
			remedy := say("order.key-and-value")
			why := say("order.colon-missing")
			if fixed := missingSpace(key.Text); fixed != "" && p.text[at] == key.Text[0] {
				why, remedy = say("order.space-after-colon"), say("order.write", phrase.Literal("text", short(fixed)))
				at += strings.IndexByte(key.Text, ':')
			} else if fixed := p.missingColon(key.Text); fixed != "" {
				remedy = say("order.write", phrase.Literal("text", short(fixed)))
			} else if _, fixed := likelyKey(key.Text); fixed != "" {
				remedy = say("order.write", phrase.Literal("text", short(fixed)))
			}
			p.flowFault(ln, at, why, remedy)
			return
		} else {
			p.pos = i
		}
		p.flowPair(n, key, depth)
		if p.failed || !p.comma('}') {
			return
		}
	}
}

// flowPair reads the value behind a colon inside brackets and adds the pair.
func (p *parser) flowPair(n, key *Node, depth int) {
	l := p.lines[p.ln]
	switch {
	case key.Kind != Scalar:
		p.flowFault(p.ln, p.pos, say("order.complex-key"), phrase.Phrase{})
		return
	case key.Text == "<<" && p.last == 'x':
		p.flowFault(p.ln, p.pos, say("order.merge"), say("order.write-out"))
		return
	case key.Null:
		p.flowFault(p.ln, p.pos, say("order.empty-key"), phrase.Phrase{})
		return
	case len(key.Text) > longestKey:
		p.flowFault(p.ln, p.pos, say("order.key-long", phrase.Number("limit", longestKey)), phrase.Phrase{})
		return
	case p.pos+1 < l.end && !isBlank(p.text[p.pos+1]):
		rest, _, _ := strings.Cut(p.text[p.pos+1:l.end], ",")
		p.flowFault(p.ln, p.pos, say("order.space-after-colon"), say("order.write", phrase.Literal("text", short(key.Text+": "+rest))))
		return
	}
	p.pos++
	p.last = ':'
	p.space()
	if p.failed {
		return
	}
	var value *Node
	if c := p.text[p.pos]; c == ',' || c == ']' || c == '}' {
		value = p.null(key)
	} else {
		value = p.flow(depth + 1)
	}
	n.Pairs = append(n.Pairs, Pair{key, value})
}

func (p *parser) open() {
	p.opens = append(p.opens, p.pos)
	p.last = p.text[p.pos]
	p.pos++
}

func (p *parser) shut(bracket byte) {
	p.opens = p.opens[:len(p.opens)-1]
	p.last = bracket
	p.pos++
}

// comma goes on behind the comma to the next entry; false if the brackets end.
func (p *parser) comma(end byte) bool {
	p.space()
	if p.failed {
		return false
	}
	switch c := p.text[p.pos]; c {
	case ',':
		p.last = ','
		p.pos++
		return true
	case end:
		p.shut(end)
		return false
	case ']', '}':
		p.flowReserved()
	case ':':
		l := p.lines[p.ln]
		before := strings.TrimRight(p.text[l.start:p.pos], " ")
		if word := strings.LastIndexByte(before, ' ') + 1; word > l.indent && strings.IndexByte(",:[{", strings.TrimRight(before[:word], " ")[len(strings.TrimRight(before[:word], " "))-1]) < 0 {
			p.flowFault(p.ln, l.start+word, say("order.comma-missing"), say("order.comma-before", phrase.Literal("text", short(p.text[l.start+word:l.end]))))
			break
		}
		p.flowFault(p.ln, p.pos, say("order.colon-in-value"), say("order.quotes-around"))
	default:
		p.flowFix(p.ln, p.pos, say("order.comma-missing"), say("order.comma-before", phrase.Literal("text", short(p.text[p.pos:p.lines[p.ln].end]))), ", ")
	}
	return false
}
