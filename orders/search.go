package orders

import (
	"strings"
	"unicode/utf8"
)

// A searcher goes through the lines of a text and cuts out what may be an order
// file.
type searcher struct {
	lines []letterLine
	words *Words
	found []Found
}

func search(lines []letterLine, words *Words) []Found {
	s := &searcher{lines: lines, words: words}
	for i := 0; i < len(lines); {
		next := i + 1
		switch lines[i].kind {
		case beginLine:
			next = s.marked(i)
		case fenceLine:
			next = s.fenced(i)
		case keyLine:
			next = s.bare(i)
		}
		i = max(next, i+1)
	}
	return s.found
}

// marked takes what stands between the marks of a template, whoever wrote it: in
// a quoted template, the sender's own lines have no marks of quoting.
func (s *searcher) marked(begin int) int {
	depth := s.lines[begin].depth
	end := -1
	for i := begin + 1; i < len(s.lines) && end < 0; i++ {
		switch s.lines[i].kind {
		case endLine:
			end = i
		case beginLine:
			i = len(s.lines)
		}
	}
	if end < 0 { // the mark behind it was deleted
		for i := begin + 1; i < len(s.lines); i++ {
			if s.lines[i].kind == keyLine {
				return s.bare(i)
			}
			if k := s.lines[i].kind; k != blankLine && k != commentLine {
				break
			}
		}
		return begin + 1
	}
	f := s.cut(begin+1, end, depth)
	f.How = Marked
	var want string
	want, f.Letter, _ = beginMark(s.lines[begin].text)
	f.Untouched = want != "" && want == sum(f.Text)
	if len(f.keys) > 0 {
		s.found = append(s.found, f)
	}
	return end + 1
}

// fenced takes what stands between two fences, if it looks like an order file.
func (s *searcher) fenced(begin int) int {
	depth := s.lines[begin].depth
	for i := begin + 1; i < len(s.lines); i++ {
		if s.lines[i].kind != fenceLine {
			continue
		}
		if inner := search(s.lines[begin+1:i], s.words); len(inner) == 1 && inner[0].How == Marked {
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

// bare takes an order file that starts at a line without any mark.
func (s *searcher) bare(begin int) int {
	begin = s.skipHeading(begin)
	depth := s.lines[begin].depth
	end, after := s.extent(begin, map[string]bool{})
	if end == begin+1 && emptyKey(s.lines[begin].text) {
		return after // a heading
	}
	for begin > 0 && s.lines[begin-1].kind == wordLine && s.lines[begin-1].depth == depth && s.near(s.lines[begin-1].text) {
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
	r := s.lines[i]
	if !strings.HasSuffix(strings.TrimSpace(r.text), ":") {
		return i
	}
	next := i + 1
	for next < len(s.lines) && s.lines[next].kind == blankLine {
		next++
	}
	if next == i+1 || next == len(s.lines) || s.lines[next].kind != keyLine || s.lines[next].depth != r.depth {
		return i
	}
	for j := next; j < len(s.lines) && s.lines[j].kind != breakLine; j++ {
		if s.lines[j].kind == keyLine && s.lines[j].key == r.key && s.lines[j].depth == r.depth {
			return next
		}
	}
	return i
}

// extent finds the line behind the last of a bare order file, and the line from
// which the search goes on.
func (s *searcher) extent(begin int, keys map[string]bool) (end, after int) {
	lines := s.lines
	depth := lines[begin].depth
	base := indentOf(lines[begin].text)
	end = begin
	scan := newScanner()
	valued := false // the last key has its value behind it
	blank := false  // the line before is blank
	i := begin
loop:
	for ; i < len(lines); i++ {
		r := lines[i]
		if r.kind == blankLine {
			blank = true
			continue
		}
		if r.depth > depth || r.kind == breakLine || r.kind == beginLine || r.kind == endLine || r.kind == fenceLine {
			break
		}
		inside := scan.open > 0 || scan.quote != 0
		own := r.depth < depth // the sender's line within what he quotes
		switch r.kind {
		case keyLine:
			if again := keys[r.key] && indentOf(r.text) <= base; again && r.key == "game" || own && (r.key == "game" || again && s.startsFile(i)) {
				break loop
			}
			if indentOf(r.text) <= base {
				keys[r.key] = true
				valued = !emptyKey(r.text)
			}
		case commentLine, indentLine:
		case itemLine:
			if valued && blank && !inside {
				break loop // "- Bob"
			}
		case wordLine:
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
		scan.line(r.text)
		end = i + 1
	}
	return end, max(i, begin+1)
}

// startsFile tells whether a file of the sender's own starts at a line: another key
// of the envelope follows at once.
func (s *searcher) startsFile(i int) bool {
	return i+1 < len(s.lines) && s.lines[i+1].kind == keyLine && s.lines[i+1].depth == s.lines[i].depth
}

// isRest tells whether a line is what the mail program wrapped off the line that
// ends at end.
func (s *searcher) isRest(end, i int, text string) bool {
	if end != i || end == 0 {
		return false
	}
	before := s.lines[end-1]
	word, _, _ := strings.Cut(text, " ")
	return utf8.RuneCountInString(before.raw)+1+utf8.RuneCountInString(word) > narrowest && before.depth >= s.lines[i].depth
}

// near tells whether a word with a colon could be a key of the envelope with a
// slip in it.
func (s *searcher) near(text string) bool {
	return nearest(simpleKey(text), s.words.spellings(envelope)) != ""
}

// goesOn finds the line at which the same file goes on behind a line that does not
// belong to it: a key that it does not have yet, before anything that ends it.
// What stands between is then told as a fault, not left out in silence.
func (s *searcher) goesOn(i int, keys map[string]bool) int {
	depth := s.lines[i].depth
	for j := i; j < len(s.lines) && j < i+12; j++ {
		r := s.lines[j]
		if r.depth != depth || r.kind == breakLine || r.kind == beginLine || r.kind == endLine || r.kind == fenceLine {
			return i
		}
		if r.kind == keyLine {
			if r.key == "game" || keys[r.key] {
				return i
			}
			return j
		}
	}
	return i
}

func indentOf(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

// cut takes lines out of the text, without the marks of quoting.
func (s *searcher) cut(begin, end, depth int) Found {
	f := Found{Line: begin + 1, Quoted: depth > 0, depth: depth, keys: map[string]bool{}}
	own := s.lines[begin:end]
	spaced := true // a space follows every mark of quoting
	for _, r := range own {
		if r.marks > 0 && r.kind != blankLine && !strings.HasSuffix(r.raw[:len(r.raw)-len(r.text)], " ") {
			spaced = false
		}
	}
	lines := make([]string, 0, len(own))
	base := -1
	for _, r := range own {
		text := r.text
		if r.marks > 0 && !spaced && strings.HasSuffix(r.raw[:len(r.raw)-len(r.text)], " ") {
			text = " " + text // the space is part of the line: nobody else has one
		}
		if r.kind == keyLine {
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
