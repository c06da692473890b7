package orders

import "strings"

// A scanner follows what the lines of a file are part of, well enough for text
// that may be mangled: quotes, brackets, text blocks, comments.
type scanner struct {
	quote byte // the quote that is open, 0 if none
	open  int  // brackets that are open
	entry int  // column of the last entry
	block int  // column of the entry whose text block goes on, -1 if none
}

func newScanner() *scanner { return &scanner{block: -1} }

// inText tells whether a line belongs to a text block, in which nothing is repaired.
func (s *scanner) inText(line string) bool {
	if s.block < 0 {
		return false
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if indent == len(line) || indent > s.block {
		return true
	}
	s.block = -1
	return false
}

// line moves the scanner behind a line.
func (s *scanner) line(line string) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if indent == len(line) {
		return
	}
	if indent <= s.entry && isEntry(line, indent, len(line)) {
		s.quote, s.open = 0, 0 // whatever was open was left open by mistake
	}
	if s.quote == 0 && s.open == 0 {
		s.entry = indent
		// the entry that a text block belongs to: the last dash or key
		at := indent
		for isDash(line, at, len(line)) && at+1 < len(line) {
			s.entry = at
			at = blanks(line, at+1, len(line))
		}
		if keyColon(line, at, len(line)) >= 0 {
			s.entry = at
		}
	}
	s.walk(line, nil)
	if s.quote == 0 && s.open == 0 {
		body := line
		if i := strings.Index(body, " #"); i >= 0 {
			body = body[:i]
		}
		body = strings.TrimRight(body, " \t0123456789+-")
		if strings.HasSuffix(body, "|") || strings.HasSuffix(body, ">") {
			before := strings.TrimRight(body[:len(body)-1], " \t")
			if before != body[:len(body)-1] && (strings.HasSuffix(before, ":") || strings.HasSuffix(before, "-")) {
				s.block = s.entry
			}
		}
	}
}

// walk goes through a line and tells for each piece whether it is outside quotes
// and comments.
func (s *scanner) walk(line string, piece func(from, to int, code bool)) {
	from := 0
	tell := func(to int, code bool) {
		if piece != nil && to > from {
			piece(from, to, code)
		}
		from = to
	}
	start := true // a value may start here
	for i := 0; i < len(line); i++ {
		c := line[i]
		if s.quote != 0 {
			switch {
			case c == '\\' && s.quote == '"':
				i++
			case c == s.quote && c == '\'' && i+1 < len(line) && line[i+1] == '\'':
				i++
			case c == s.quote:
				s.quote = 0
				tell(i+1, false)
				start = false
			}
			continue
		}
		switch {
		case isBlank(c):
			continue
		case c == '#' && (i == 0 || isBlank(line[i-1])):
			tell(i, true)
			tell(len(line), false)
			return
		case (c == '"' || c == '\'') && start:
			tell(i, true)
			s.quote = c
		case c == '[' || c == '{':
			if start {
				s.open++
			}
			start = true
			continue
		case c == ']' || c == '}':
			s.open = max(s.open-1, 0)
		case c == ',' && s.open > 0:
			start = true
			continue
		case c == ':' && (i+1 == len(line) || isBlank(line[i+1])):
			start = true
			continue
		case c == '-' && start && (i+1 == len(line) || isBlank(line[i+1])):
			continue
		}
		start = false
	}
	tell(len(line), s.quote == 0)
}

// code changes the pieces of the next line that are outside quotes and comments.
// It does not go on behind the line.
func (s *scanner) code(line string, change func(string) string) string {
	try := *s
	if indent := len(line) - len(strings.TrimLeft(line, " ")); indent <= s.entry && isEntry(line, indent, len(line)) {
		try.quote, try.open = 0, 0
	}
	var b strings.Builder
	try.walk(line, func(from, to int, code bool) {
		if code {
			b.WriteString(change(line[from:to]))
		} else {
			b.WriteString(line[from:to])
		}
	})
	return b.String()
}

// quoteAtEnd gives the quote that is open, or '#' in a comment, at the end of the
// next line; 0 if neither.
func (s *scanner) quoteAtEnd(line string) byte {
	try := *s
	comment := false
	try.walk(line, func(from, to int, code bool) { comment = !code && line[from] == '#' })
	if comment {
		return '#'
	}
	return try.quote
}

// valueStart finds the first place from which a value that starts with one of
// the given signs stands in the next line, outside quotes and comments, and
// whether that is in brackets; -1 if there is none.
func (s *scanner) valueStart(line string, from int, signs string) (at int, open bool) {
	if s.quote != 0 {
		return -1, false
	}
	start, brackets := true, s.open
	for i, r := range line {
		switch {
		case r == ' ' || r == '\t':
			continue
		case r == '#' && (i == 0 || isBlank(line[i-1])):
			return -1, false
		case start && i >= from && strings.ContainsRune(signs, r):
			return i, brackets > 0
		case r == '[' || r == '{' || r == '［' || r == '｛':
			brackets++
			start = true
			continue
		case r == ']' || r == '}' || r == '］' || r == '｝':
			brackets--
		case r == ',' || r == ':' || r == '：' || r == '，':
			start = true
			continue
		case r == '-' && start:
			continue
		}
		start = false
	}
	return -1, false
}
