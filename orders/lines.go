package orders

import (
	"strings"
	"unicode"
)

// A line of a text: where it stands and what is in front of it.
type line struct {
	start, end int // in bytes, without the line break
	indent     int // spaces in front
	empty      bool
	comment    bool // nothing but a comment
}

func (l line) content() bool { return !l.empty && !l.comment }

// split finds the lines of a text whose line breaks are all "\n".
func split(text string) []line {
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	for at := 0; at <= len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += at
		}
		l := line{start: at, end: end}
		i := at
		for i < end && text[i] == ' ' {
			i++
		}
		l.indent = i - at
		for i < end && isBlank(text[i]) {
			i++
		}
		l.empty = i == end
		l.comment = i < end && text[i] == '#'
		lines = append(lines, l)
		at = end + 1
	}
	return lines
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// blanks gives the first place from at on that is neither a space nor a tab.
func blanks(text string, at, end int) int {
	for at < end && isBlank(text[at]) {
		at++
	}
	return at
}

// keyColon finds the colon that makes text[at:end], part of one line, a key with
// a value. It gives -1 if there is none.
func keyColon(text string, at, end int) int {
	if at >= end {
		return -1
	}
	switch c := text[at]; c {
	case '"', '\'':
		close := closingQuote(text, at, end)
		if close < 0 {
			return -1
		}
		i := blanks(text, close+1, end)
		if i < end && text[i] == ':' && (i+1 == end || isBlank(text[i+1])) {
			return i
		}
		return -1
	case '[', ']', '{', '}', ',', '&', '*', '!', '|', '>', '%', '@', '`', '#', ':':
		return -1
	case '-', '?':
		if at+1 == end || isBlank(text[at+1]) {
			return -1
		}
	}
	for i := at; i < end; i++ {
		switch text[i] {
		case ':':
			if i+1 == end || isBlank(text[i+1]) {
				return i
			}
		case '#':
			if isBlank(text[i-1]) {
				return -1
			}
		}
	}
	return -1
}

// closingQuote finds the end of a quoted text that ends on its line, or -1.
func closingQuote(text string, at, end int) int {
	quote := text[at]
	for i := at + 1; i < end; i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < end && text[i+1] == '\'':
			i++
		case text[i] == quote:
			return i
		}
	}
	return -1
}

// isDash tells whether an item of a list starts at a place.
func isDash(text string, at, end int) bool {
	return at < end && text[at] == '-' && (at+1 == end || isBlank(text[at+1]))
}

// isEntry tells whether a line, from its first character, looks like a new entry
// of the file: an item of a list, or a short key of plain words.
func isEntry(text string, at, end int) bool {
	if isDash(text, at, end) {
		return true
	}
	return simpleKey(text[at:end]) != ""
}

// simpleKey gives the key at the start of a text if it is one of plain words,
// "" otherwise: "lose_first: x" gives "lose_first".
func simpleKey(text string) string {
	letters := 0
	for i, c := range text {
		switch {
		case c == ':':
			if letters == 0 || (i+1 < len(text) && !isBlank(text[i+1])) {
				return ""
			}
			return text[:i]
		case unicode.IsLetter(c):
			letters++
		case c == ' ' || c == '-' || c == '_' || unicode.IsDigit(c):
			if i == 0 {
				return ""
			}
		default:
			return ""
		}
		if i > 40 {
			return ""
		}
	}
	return ""
}

// isMark tells whether a line is a mark between documents: "---" or "...".
func isMark(text string, l line) bool {
	if l.indent != 0 || l.end-l.start < 3 {
		return false
	}
	switch text[l.start : l.start+3] {
	case "---", "...":
		return l.start+3 == l.end || isBlank(text[l.start+3])
	}
	return false
}
