package templates

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How many characters of a text that a person typed, and of the name of a
// thing, stand in a sentence. Longer ones are cut, and show it.
const (
	longestLiteral = 2000
	longestName    = 120
)

// mostMarks is how many combining marks may stand on one letter.
const mostMarks = 3

// Clean is a line of a person's text as letters show it: without line ends,
// control characters, characters that hide or turn the direction of writing, and
// rows of signs that could pass for a line of the office's own.
func Clean(text string) string { return clip(clean(text), longestLiteral) }

// clean makes a text of unknown origin safe to stand in a line: white space,
// line ends and control characters become single spaces; characters that turn
// the direction of writing or hide are dropped, as are heaps of accents;
// rows of signs that could pass for a line of the office's own are cut short.
func clean(text string) string {
	if harmless(text) {
		return text
	}
	var b strings.Builder
	marks, gap := 0, false
	var last rune
	run := 0
	for _, c := range text {
		switch {
		case unicode.IsSpace(c) || unicode.IsControl(c):
			gap = true
			continue
		case hidden(c):
			continue
		case unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Me, c):
			if marks++; marks > mostMarks {
				continue
			}
		default:
			marks = 0
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
			last = ' '
		}
		gap = false
		if c == last {
			if run++; run >= longestRule && ruleSign(c) {
				continue
			}
		} else {
			last, run = c, 1
		}
		b.WriteRune(c)
	}
	return b.String()
}

// longestRule is how many equal signs in a row a person's text may have. The
// office's own lines, between which an order file is looked for, have more.
const longestRule = 3

func ruleSign(c rune) bool {
	switch c {
	case '-', '=', '_', '*', '~', '#', '>', '<', '+', '|', '`':
		return true
	}
	return c > 0x7f && (unicode.Is(unicode.Pd, c) || unicode.Is(unicode.So, c) || unicode.Is(unicode.Sm, c))
}

// harmless tells whether clean would leave a text as it is, for the common case.
func harmless(text string) bool {
	last, run := byte(' '), 0 // as if a space stood before, so that a leading one is seen
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c >= 0x7f || c == ' ' && last == ' ' {
			return false
		}
		if c == last {
			if run++; run > longestRule-1 {
				return false
			}
		} else {
			last, run = c, 1
		}
	}
	return last != ' ' || text == ""
}

// hidden tells whether a character can't be seen or turns others around: the
// format characters, but for the two joiners that some scripts need, and the
// fillers that look like nothing.
func hidden(c rune) bool {
	switch c {
	case '\u200c', '\u200d':
		return false
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u3164', '\uffa0', '\ufffe', '\uffff':
		return true
	}
	return unicode.Is(unicode.Cf, c) || c >= 0xe0000 && c <= 0xe0fff || unicode.Is(unicode.Co, c)
}

// cleanLines makes a text of several lines safe to be set as it is. Line ends
// and columns stay; everything that [clean] drops is dropped, and control
// characters show as a dot so that columns still count.
func cleanLines(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	marks := 0
	for _, c := range text {
		switch {
		case c == '\n':
			b.WriteByte('\n')
			marks = 0
			continue
		case c == '\t' || unicode.IsSpace(c) && c != '\u2028' && c != '\u2029' && c != '\u0085' && c > ' ':
			c = ' '
		case unicode.IsControl(c) || hidden(c) || c == '\u2028' || c == '\u2029':
			c = '·'
		case unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Me, c):
			if marks++; marks > mostMarks {
				continue
			}
		default:
			marks = 0
		}
		b.WriteRune(c)
	}
	return b.String()
}

// clip cuts a text to a number of characters, the last being an ellipsis then.
func clip(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most-1 {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// sentenceCase gives a text a capital first letter, behind its number if it has one ("12. "). Words that
// have a capital or sign further in, like names of units, stay as they are.
func sentenceCase(text string) string {
	if rest := strings.TrimLeft(text, "0123456789"); len(rest) < len(text) && strings.HasPrefix(rest, ". ") {
		top := len(text) - len(rest) + len(". ")
		return text[:top] + sentenceCase(text[top:])
	}
	c, size := utf8.DecodeRuneInString(text)
	if size == 0 || !unicode.IsLower(c) {
		return text
	}
	return string(unicode.ToUpper(c)) + text[size:]
}
