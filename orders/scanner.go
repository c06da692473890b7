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

// inText tells whether a row belongs to a text block, in which nothing is repaired.
func (s *scanner) inText(row string) bool {
	if s.block < 0 {
		return false
	}
	indent := len(row) - len(strings.TrimLeft(row, " "))
	if indent == len(row) || indent > s.block {
		return true
	}
	s.block = -1
	return false
}

// row moves the scanner behind a row.
func (s *scanner) row(row string) {
	indent := len(row) - len(strings.TrimLeft(row, " "))
	if indent == len(row) {
		return
	}
	if indent <= s.entry && isEntry(row, indent, len(row)) {
		s.quote, s.open = 0, 0 // whatever was open was left open by mistake
	}
	if s.quote == 0 && s.open == 0 {
		s.entry = indent
		// the entry that a text block belongs to: the last dash or key
		at := indent
		for isDash(row, at, len(row)) && at+1 < len(row) {
			s.entry = at
			at = blanks(row, at+1, len(row))
		}
		if keyColon(row, at, len(row)) >= 0 {
			s.entry = at
		}
	}
	s.walk(row, nil)
	if s.quote == 0 && s.open == 0 {
		body := row
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

// walk goes through a row and tells for each piece whether it is outside quotes
// and comments.
func (s *scanner) walk(row string, piece func(from, to int, code bool)) {
	from := 0
	tell := func(to int, code bool) {
		if piece != nil && to > from {
			piece(from, to, code)
		}
		from = to
	}
	start := true // a value may start here
	for i := 0; i < len(row); i++ {
		c := row[i]
		if s.quote != 0 {
			switch {
			case c == '\\' && s.quote == '"':
				i++
			case c == s.quote && c == '\'' && i+1 < len(row) && row[i+1] == '\'':
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
		case c == '#' && (i == 0 || isBlank(row[i-1])):
			tell(i, true)
			tell(len(row), false)
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
		case c == ':' && (i+1 == len(row) || isBlank(row[i+1])):
			start = true
			continue
		case c == '-' && start && (i+1 == len(row) || isBlank(row[i+1])):
			continue
		}
		start = false
	}
	tell(len(row), s.quote == 0)
}

// code changes the pieces of the next row that are outside quotes and comments.
// It does not go on behind the row.
func (s *scanner) code(row string, change func(string) string) string {
	try := *s
	if indent := len(row) - len(strings.TrimLeft(row, " ")); indent <= s.entry && isEntry(row, indent, len(row)) {
		try.quote, try.open = 0, 0
	}
	var b strings.Builder
	try.walk(row, func(from, to int, code bool) {
		if code {
			b.WriteString(change(row[from:to]))
		} else {
			b.WriteString(row[from:to])
		}
	})
	return b.String()
}

// quoteAtEnd gives the quote that is open, or '#' in a comment, at the end of the
// next row; 0 if neither.
func (s *scanner) quoteAtEnd(row string) byte {
	try := *s
	comment := false
	try.walk(row, func(from, to int, code bool) { comment = !code && row[from] == '#' })
	if comment {
		return '#'
	}
	return try.quote
}

// valueStart finds the first place from which a value that starts with one of
// the given signs stands in the next row, outside quotes and comments, and
// whether that is in brackets; -1 if there is none.
func (s *scanner) valueStart(row string, from int, signs string) (at int, open bool) {
	if s.quote != 0 {
		return -1, false
	}
	start, brackets := true, s.open
	for i, r := range row {
		switch {
		case r == ' ' || r == '\t':
			continue
		case r == '#' && (i == 0 || isBlank(row[i-1])):
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
