package orders

import (
	"strings"
	"unicode/utf8"
)

// A searcher goes through the rows of a text and cuts out what may be an order
// file.
type searcher struct {
	rows  []row
	words *Words
	found []Found
}

func search(rows []row, words *Words) []Found {
	s := &searcher{rows: rows, words: words}
	for i := 0; i < len(rows); {
		next := i + 1
		switch rows[i].kind {
		case beginRow:
			next = s.marked(i)
		case fenceRow:
			next = s.fenced(i)
		case keyRow:
			next = s.bare(i)
		}
		i = max(next, i+1)
	}
	return s.found
}

// marked takes what stands between the marks of a template, whoever wrote it: in
// a quoted template, the sender's own lines have no marks of quoting.
func (s *searcher) marked(begin int) int {
	depth := s.rows[begin].depth
	end := -1
	for i := begin + 1; i < len(s.rows) && end < 0; i++ {
		switch s.rows[i].kind {
		case endRow:
			end = i
		case beginRow:
			i = len(s.rows)
		}
	}
	if end < 0 { // the mark behind it was deleted
		for i := begin + 1; i < len(s.rows); i++ {
			if s.rows[i].kind == keyRow {
				return s.bare(i)
			}
			if k := s.rows[i].kind; k != blankRow && k != commentRow {
				break
			}
		}
		return begin + 1
	}
	f := s.cut(begin+1, end, depth)
	f.How = Marked
	var want string
	want, f.Letter, _ = beginMark(s.rows[begin].text)
	f.Untouched = want != "" && want == sum(f.Text)
	if len(f.keys) > 0 {
		s.found = append(s.found, f)
	}
	return end + 1
}

// fenced takes what stands between two fences, if it looks like an order file.
func (s *searcher) fenced(begin int) int {
	depth := s.rows[begin].depth
	for i := begin + 1; i < len(s.rows); i++ {
		if s.rows[i].kind != fenceRow {
			continue
		}
		if inner := search(s.rows[begin+1:i], s.words); len(inner) == 1 && inner[0].How == Marked {
			inner[0].Line += begin + 1
			s.found = append(s.found, inner[0])
			return i + 1
		}
		f := s.cut(begin+1, i, depth)
		f.How = Fenced
		if f.qualifies() {
			s.found = append(s.found, f)
			return i + 1
		}
		return begin + 1
	}
	return begin + 1
}

// qualifies tells whether lines without marks are an order file: they order
// something, or name at least two things of the envelope.
func (f Found) qualifies() bool {
	return f.says() || f.keys["command"] || len(f.keys) >= 2
}

// bare takes an order file that starts at a row without any mark.
func (s *searcher) bare(begin int) int {
	begin = s.skipHeading(begin)
	depth := s.rows[begin].depth
	end, after := s.extent(begin, map[string]bool{})
	if end == begin+1 && emptyKey(s.rows[begin].text) {
		return after // a heading
	}
	for begin > 0 && s.rows[begin-1].kind == wordRow && s.rows[begin-1].depth == depth && s.near(s.rows[begin-1].text) {
		begin-- // a key with a slip in it
	}
	f := s.cut(begin, end, depth)
	if f.qualifies() {
		s.found = append(s.found, f)
	}
	return after
}

// skipHeading goes over a line like "Orders:" that introduces the file rather
// than being part of it: nothing stands behind it, the same key follows later.
func (s *searcher) skipHeading(i int) int {
	r := s.rows[i]
	if !strings.HasSuffix(strings.TrimSpace(r.text), ":") {
		return i
	}
	next := i + 1
	for next < len(s.rows) && s.rows[next].kind == blankRow {
		next++
	}
	if next == i+1 || next == len(s.rows) || s.rows[next].kind != keyRow || s.rows[next].depth != r.depth {
		return i
	}
	for j := next; j < len(s.rows) && s.rows[j].kind != breakRow; j++ {
		if s.rows[j].kind == keyRow && s.rows[j].key == r.key && s.rows[j].depth == r.depth {
			return next
		}
	}
	return i
}

// extent finds the row behind the last of a bare order file, and the row from
// which the search goes on.
func (s *searcher) extent(begin int, keys map[string]bool) (end, after int) {
	rows := s.rows
	depth := rows[begin].depth
	base := indentOf(rows[begin].text)
	end = begin
	scan := newScanner()
	valued := false // the last key has its value behind it
	blank := false  // the row before is blank
	i := begin
loop:
	for ; i < len(rows); i++ {
		r := rows[i]
		if r.kind == blankRow {
			blank = true
			continue
		}
		if r.depth > depth || r.kind == breakRow || r.kind == beginRow || r.kind == endRow || r.kind == fenceRow {
			break
		}
		inside := scan.open > 0 || scan.quote != 0
		own := r.depth < depth // the sender's line within what he quotes
		switch r.kind {
		case keyRow:
			if again := keys[r.key] && indentOf(r.text) <= base; again && r.key == "game" || own && (r.key == "game" || again && s.startsFile(i)) {
				break loop
			}
			if indentOf(r.text) <= base {
				keys[r.key] = true
				valued = !emptyKey(r.text)
			}
		case commentRow, indentRow:
		case itemRow:
			if valued && blank && !inside {
				break loop // "- Bob"
			}
		case wordRow:
			if (blank && !inside || own) && !s.near(r.text) {
				next := s.goesOn(i, keys)
				if next == i {
					break loop
				}
				i, blank = next-1, false
				continue
			}
		default:
			if inside && !blank || s.isRest(end, i, r.text) {
				break
			}
			if blank || own || isClosing(r.text) {
				next := s.goesOn(i, keys)
				if next == i {
					break loop
				}
				i, blank = next-1, false
				continue
			}
		}
		blank = false
		scan.row(r.text)
		end = i + 1
	}
	return end, max(i, begin+1)
}

// startsFile tells whether a file of the sender's own starts at a row: another key
// of the envelope follows at once.
func (s *searcher) startsFile(i int) bool {
	return i+1 < len(s.rows) && s.rows[i+1].kind == keyRow && s.rows[i+1].depth == s.rows[i].depth
}

// isRest tells whether a row is what the mail program wrapped off the row that
// ends at end.
func (s *searcher) isRest(end, i int, text string) bool {
	if end != i || end == 0 {
		return false
	}
	before := s.rows[end-1]
	word, _, _ := strings.Cut(text, " ")
	return utf8.RuneCountInString(before.raw)+1+utf8.RuneCountInString(word) > narrowest && before.depth >= s.rows[i].depth
}

// near tells whether a word with a colon could be a key of the envelope with a
// slip in it.
func (s *searcher) near(text string) bool {
	return nearest(simpleKey(text), s.words.spellings(envelope)) != ""
}

// goesOn finds the row at which the same file goes on behind a line that does not
// belong to it: a key that it does not have yet, before anything that ends it.
// What stands between is then told as a fault, not left out in silence.
func (s *searcher) goesOn(i int, keys map[string]bool) int {
	depth := s.rows[i].depth
	for j := i; j < len(s.rows) && j < i+12; j++ {
		r := s.rows[j]
		if r.depth != depth || r.kind == breakRow || r.kind == beginRow || r.kind == endRow || r.kind == fenceRow {
			return i
		}
		if r.kind == keyRow {
			if r.key == "game" || keys[r.key] {
				return i
			}
			return j
		}
	}
	return i
}

func indentOf(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

// cut takes rows out of the text, without the marks of quoting.
func (s *searcher) cut(begin, end, depth int) Found {
	f := Found{Line: begin + 1, Quoted: depth > 0, depth: depth, keys: map[string]bool{}}
	rows := s.rows[begin:end]
	spaced := true // a space follows every mark of quoting
	for _, r := range rows {
		if r.marks > 0 && r.kind != blankRow && !strings.HasSuffix(r.raw[:len(r.raw)-len(r.text)], " ") {
			spaced = false
		}
	}
	lines := make([]string, 0, len(rows))
	base := -1
	for _, r := range rows {
		text := r.text
		if r.marks > 0 && !spaced && strings.HasSuffix(r.raw[:len(r.raw)-len(r.text)], " ") {
			text = " " + text // the space is part of the line: nobody else has one
		}
		if r.kind == keyRow {
			if base < 0 {
				base = indentOf(text)
			}
			if indentOf(text) <= base {
				f.keys[r.key] = true
			}
		}
		lines = append(lines, text)
	}
	f.Text = strings.Join(lines, "\n") + "\n"
	return f
}
