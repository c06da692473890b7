package orders

import (
	"strings"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// quoted reads a text in quotes at the present place, over as many lines as it
// takes; a line break in it counts as a space.
func (p *parser) quoted() string {
	start, ln := p.pos, p.ln
	mark := p.text[start]
	if end := closingQuote(p.text, start, p.lines[ln].end); end >= 0 && strings.IndexByte(p.text[start:end], '\\') < 0 {
		p.pos = end + 1
		text := p.text[start+1 : end]
		if mark == '\'' {
			text = strings.ReplaceAll(text, "''", "'")
		}
		return text
	}
	var b []byte
	hard := 0 // bytes of b that no fold may trim: written by escapes
	i := start + 1
	for {
		l := p.lines[p.ln]
		joined := false
		for i < l.end {
			c := p.text[i]
			switch {
			case c == mark && mark == '\'' && i+1 < l.end && p.text[i+1] == '\'':
				b = append(b, '\'')
				i += 2
			case c == mark:
				p.pos = i + 1
				return string(b)
			case c == '\\' && mark == '"' && i+1 == l.end:
				joined = true
				hard = len(b)
				i++
			case c == '\\' && mark == '"':
				char, size := p.escape(i)
				if size == 0 {
					return ""
				}
				b = append(b, char...)
				hard = len(b)
				i += size
			default:
				b = append(b, c)
				i++
			}
		}
		// fold the line break
		for !joined && len(b) > hard && isBlank(b[len(b)-1]) {
			b = b[:len(b)-1]
		}
		breaks := 0
		for {
			p.ln++
			if p.ln >= len(p.lines) || p.isMark(p.ln) || (!p.lines[p.ln].empty && p.lines[p.ln].indent <= p.parent &&
				isEntry(p.text, p.lines[p.ln].start+p.lines[p.ln].indent, p.lines[p.ln].end)) {
				p.ln = ln
				p.flowFault(ln, start, say("order.quote-open", phrase.Literal("sign", string(mark))), say("order.close-with", phrase.Literal("bracket", string(mark))))
				return ""
			}
			if !p.lines[p.ln].empty {
				break
			}
			breaks++
		}
		if breaks > 0 {
			b = append(b, strings.Repeat("\n", breaks)...)
		} else if !joined {
			b = append(b, ' ')
		}
		hard = len(b)
		i = blanks(p.text, p.lines[p.ln].start, p.lines[p.ln].end)
	}
}

// escapes of a double-quoted text that stand for one character.
var escapes = map[byte]string{'n': "\n", 't': "\t", '\t': "\t", '"': `"`, '\\': `\`, '/': "/", ' ': " ", '_': "\u00a0",
	'0': "\x00", 'a': "\a", 'b': "\b", 'e': "\x1b", 'f': "\f", 'r': "\r", 'v': "\v", 'N': "\u0085", 'L': "\u2028", 'P': "\u2029"}

// escape reads the escape at a place of a double-quoted text. It gives what it
// stands for and its length, which is 0 after a fault.
func (p *parser) escape(at int) (string, int) {
	l := p.lines[p.ln]
	c := p.text[at+1]
	if s, ok := escapes[c]; ok {
		if !p.allowed(s, at) {
			return "", 0
		}
		return s, 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits > 0 && at+2+digits <= l.end {
		var r rune
		ok := true
		for _, d := range []byte(p.text[at+2 : at+2+digits]) {
			v := strings.IndexByte("0123456789abcdef", d|0x20)
			if v < 0 || r > utf8.MaxRune {
				ok = false
				break
			}
			r = r<<4 | rune(v)
		}
		if ok && utf8.ValidRune(r) {
			if !p.allowed(string(r), at) {
				return "", 0
			}
			return string(r), 2 + digits
		}
	}
	_, size := utf8.DecodeRuneInString(p.text[at+1:])
	p.flowFault(p.ln, at, say("order.bad-escape", phrase.Literal("text", p.text[at:at+1+size])), say("order.double-backslash"))
	return "", 0
}

// allowed refuses an escape for a character that no file may hold.
func (p *parser) allowed(s string, at int) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if why := refusedRune(r); why.Code != "" {
		p.flowFault(p.ln, at, why, say("order.delete-char"))
		return false
	}
	return true
}
