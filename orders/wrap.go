package orders

import (
	"strings"
	"unicode/utf8"
)

// narrowest is the shortest line length at which a mail program wraps, less what
// quoting took off.
const narrowest = 58

// wraps puts right what the wrapping of long lines did: the rest of a comment
// gets its "#", the rest of a value is indented.
func (m *mender) wraps() {
	s := newScanner()
	comment, plain := false, false // how the line before ended
	column := 0                    // of its entry
	for i, line := range m.lines {
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		switch {
		case s.inText(line):
			comment, plain = false, false
			continue
		case body == "":
			comment, plain = false, false
			continue
		case i == 0 || s.quote != 0 || s.open > 0:
		case body[0] == '[' || body[0] == '{':
			if before := m.lines[i-1]; indent <= column && s.block < 0 && emptyKey(before) {
				m.record(i, strings.Repeat(" ", column+2)+body, "order.repair-wrap")
			}
		case indent == 0 && (comment || plain) && m.isRest(body, comment) && m.wasFull(i):
			if comment {
				m.record(i, "# "+body, "order.repair-wrap")
			} else {
				m.record(i, strings.Repeat(" ", column+2)+body, "order.repair-wrap")
			}
		}
		line = m.lines[i]
		first := s.quote == 0 && s.open == 0
		continued := plain && indent > column
		s.line(line)
		if strings.HasPrefix(strings.TrimLeft(line, " "), "#") && first {
			comment, plain = true, false
			continue
		}
		if first && !(continued && !isEntry(line, len(line)-len(strings.TrimLeft(line, " ")), len(line))) {
			column = s.entry
		}
		comment = hasComment(line, first)
		plain = !comment && s.quote == 0 && s.open == 0 && s.block < 0 && endsPlain(line)
	}
}

// emptyKey tells whether a line ends with a key whose value is still to come.
func emptyKey(line string) bool {
	return strings.HasSuffix(strings.TrimRight(line, " "), ":") && !strings.Contains(line, "#")
}

// endsPlain tells whether a line ends in the middle of a text without quotes.
func endsPlain(line string) bool {
	line = strings.TrimRight(line, " ")
	return line != "" && strings.IndexByte("\"']}:|>", line[len(line)-1]) < 0
}

func hasComment(line string, first bool) bool {
	if !first {
		return false
	}
	s := newScanner()
	found := false
	s.walk(line, func(from, to int, code bool) { found = !code && line[from] == '#' })
	return found && s.quote == 0 && s.open == 0
}

// isRest tells whether a line can be nothing but the rest of the line before: it is
// no item, no key that anybody knows or could have meant, no mark.
func (m *mender) isRest(body string, comment bool) bool {
	if isDash(body, 0, len(body)) || strings.IndexByte("#[{\"'|>", body[0]) >= 0 || body == "---" || body == "..." {
		return false
	}
	key := simpleKey(body)
	if key == "" {
		colon := keyColon(body, 0, len(body))
		return colon < 0 || comment && !m.couldBeKey(body[:colon])
	}
	return comment && !m.couldBeKey(key)
}

func (m *mender) couldBeKey(text string) bool {
	return m.words.Knows(text) || within(text, m.words.spellings(envelope), 2) != ""
}

// wasFull tells whether the line before line i was as long as a mail program's
// line: the first word of line i would not have fitted on it.
func (m *mender) wasFull(i int) bool {
	word, _, _ := strings.Cut(m.lines[i], " ")
	before := strings.TrimRight(m.lines[i-1], " ")
	return utf8.RuneCountInString(before)+1+utf8.RuneCountInString(word) > narrowest
}
