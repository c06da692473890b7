package orders

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"berthier/orders/phrase"

	"golang.org/x/text/unicode/norm"
)

// excerptWidth is how much of a long line is shown.
const excerptWidth = 64

// cleaner makes a text fit for reading: valid UTF-8 in composed form, "\n" as
// line break and as the last sign, ordinary spaces, no invisible signs. What no
// file may hold is noted as a fault and read as a question mark.
type cleaner struct {
	problems Problems // until places is called, Column is which question mark of its line it is
	spaced   []int    // lines, from 1, where odd spaces or invisible signs were
	was      string
	is       string // the first of them, with the odd signs made visible and put right
}

// clean gives the text, which is not longer than the bound. Quick if nothing is
// wrong with it.
func (c *cleaner) clean(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	if !plainASCII(text) {
		text = lineBreaks.Replace(text)
		if !utf8.ValidString(text) {
			c.invalid(text)
			text = strings.ToValidUTF8(text, "?")
		}
		text = norm.NFC.String(c.runes(text))
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// plainASCII tells whether a text holds nothing but visible ASCII, spaces, tabs
// and "\n".
func plainASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// lineBreaks of all systems and editors; a soft break in a word processor is one.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", " ", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

func (c *cleaner) invalid(text string) {
	for ln, line := range strings.Split(text, "\n") {
		for i, r := range line {
			if _, size := utf8.DecodeRuneInString(line[i:]); r == utf8.RuneError && size == 1 {
				var before cleaner
				c.problems = append(c.problems, Problem{Line: ln + 1, Column: marks(before.runes(line[:i])) + 1,
					Why: phrase.Say("order.not-utf8"), Remedy: phrase.Say("order.send-utf8")})
				return
			}
		}
	}
}

// runes puts spaces right, drops invisible signs and notes forbidden ones.
func (c *cleaner) runes(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	odd := false
	ln, start := 1, 0 // the line, and what of it is not in visible yet
	count := 0        // question marks in the line
	from := 0         // where it starts in b
	visible := ""     // the line as it was, with the odd signs made visible
	endLine := func(i int) {
		if odd {
			c.spaced = append(c.spaced, ln)
			if len(c.spaced) == 1 {
				c.was, c.is = strings.TrimSpace(visible+text[start:i]), strings.TrimSpace(b.String()[from:])
			}
		}
		odd, visible = false, ""
	}
	for i, r := range text {
		switch {
		case r == '\n':
			endLine(i)
			b.WriteByte('\n')
			ln, start, from, count = ln+1, i+1, b.Len(), 0
			continue
		case r < 0x7f && r >= ' ' || r == '\t':
			if r == '?' {
				count++
			}
			b.WriteByte(byte(r))
			continue
		case r != ' ' && unicode.Is(unicode.Zs, r), r == '\u2800':
			b.WriteByte(' ')
		case invisible(r):
		default:
			if why := refusedRune(r); why.Code != "" {
				if len(c.problems) < maxProblems {
					c.problems = append(c.problems, Problem{Line: ln, Column: count + 1,
						Why: why, Remedy: phrase.Say("order.delete-char")})
				}
				r = '?'
			}
			count += marks(string(r))
			b.WriteRune(r)
			continue
		}
		if len(c.spaced) == 0 && len(visible) < excerptWidth {
			visible += text[start:i] + "␣"
			start = i + utf8.RuneLen(r)
		}
		odd = true
	}
	endLine(len(text))
	return b.String()
}

// marks counts question marks, wide ones too. Repairs move them within their
// line, but never add or drop one, so a refused sign is found again by counting.
func marks(text string) int { return strings.Count(text, "?") + strings.Count(text, "？") }

// places gives the problems with the columns that their signs have in the text
// as it is told to the sender, after all repairs.
func (c *cleaner) places(text string) Problems {
	if len(c.problems) == 0 {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range c.problems {
		p := &c.problems[i]
		count, column := p.Column, 0
		for _, r := range lines[p.Line-1] {
			column++
			if r == '?' || r == '？' {
				if count--; count == 0 {
					break
				}
			}
		}
		p.Column = max(column, 1)
	}
	return c.problems
}

// invisible tells whether a sign shows nothing and means nothing: joiners, soft
// hyphens, marks of direction.
func invisible(r rune) bool {
	switch r {
	case '\u00ad', '\u034f', '\u061c', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2060', '\ufeff':
		return true
	}
	return r >= 0xfe00 && r <= 0xfe0f // variation selectors
}

// refusedRune says why a sign may not stand in a file, not even escaped. A text
// whose letters run another way than they are read could show one order and
// mean another.
func refusedRune(r rune) phrase.Phrase {
	switch {
	case r == '\n' || r == '\t':
		return phrase.Phrase{}
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return phrase.Say("order.bidi", phrase.Literal("sign", fmt.Sprintf("U+%04X", r)))
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && !invisible(r), r >= 0xfff9 && r <= 0xfffb, r&0xfffe == 0xfffe,
		r >= 0xfdd0 && r <= 0xfdef, unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return phrase.Say("order.control", phrase.Literal("sign", fmt.Sprintf("U+%04X", r)))
	}
	return phrase.Phrase{}
}
