package templates

import (
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// givenBack is a refused file as its writer gets it back: his own lines, with what is wrong
// in comments beneath them. It is "" if there is none, or if the comments would change what
// it says, as inside a text over several lines.
func (s *sheet) givenBack(m *orders.Mended) string {
	if m == nil || m.Blank() { // there is nothing to mend: an order file to fill in is of more use
		return ""
	}
	bare, _ := orders.Parse(m.Text(), nil)
	for _, width := range []int{lineWidth, 0} {
		text := s.linesOf(m, width)
		if is, _ := orders.Parse(text, nil); orders.Equal(is.Root, bare.Root) {
			return text
		}
	}
	return ""
}

// linesOf gives the lines of a refused file with what is to be said of them. Lines that are longer than a
// width are broken; a width of 0 is none.
func (s *sheet) linesOf(m *orders.Mended, width int) string {
	var b strings.Builder
	for i, whole := range m.Lines {
		for _, line := range s.lineOf(whole, width) {
			b.WriteString(line + "\n")
		}
		end := i+1 == len(m.Lines) || !m.Lines[i+1].Out || len(m.Lines[i+1].Faults) > 0
		s.beneath(&b, whole, whole.Out && !end)
	}
	return b.String()
}

// lineOf is a line of a refused file, broken if it is longer than a width; what is left aside stands
// in comments.
func (s *sheet) lineOf(whole orders.MendedLine, width int) []string {
	if !whole.Out || whole.Text == "" {
		return broken(cleanLines(whole.Written()), width)
	}
	lines := broken(cleanLines(whole.Text), max(width-2, 0))
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		lines[i] = line[:len(line)-len(text)] + "# " + text
	}
	return lines
}

// broken breaks a line of an order file behind commas within its brackets, so that no part is
// longer than a width, if it can. A remark stays as it is, and so does everything if the width
// is 0.
func broken(line string, width int) []string {
	text := strings.TrimLeft(line, " ")
	if width == 0 || strings.HasPrefix(text, "#") {
		return []string{line}
	}
	indent := line[:len(line)-len(text)] + "    "
	var parts []string
	for depth := openBefore(line); columns(line) > width; {
		at, inside := lastComma(line, depth, width)
		if at < 0 {
			break
		}
		parts, line, depth = append(parts, line[:at]), indent+strings.TrimLeft(line[at:], " "), inside
	}
	return append(parts, line)
}

// openBefore is how many brackets were open where a line begins that closes more than it opens: it goes on
// with what the line before it began.
func openBefore(line string) int {
	depth, open := 0, 0
	for _, c := range line {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		open = max(open, -depth)
	}
	return open
}

// lastComma finds the last comma of a line that stands within brackets and no further right than a width. It gives
// the place behind the comma, and within how many brackets the comma stands; -1 if there is none. Some brackets may be
// open where the line begins.
func lastComma(line string, depth, width int) (at, inside int) {
	at = -1
	column, quote := 0, rune(0)
	for i, c := range line {
		if column++; column > width {
			break
		}
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth > 0:
			at, inside = i+1, depth
		}
	}
	return at, inside
}

// beneath writes what is to be said of a line of a file as comments below it.
func (s *sheet) beneath(b *strings.Builder, whole orders.MendedLine, more bool) {
	indent := whole.Text[:len(whole.Text)-len(strings.TrimLeft(whole.Text, " "))]
	if len(indent) > 20 {
		indent = indent[:20]
	}
	say := func(words string) {
		for i, line := range wrap(words, lineWidth-len(indent)-4, lineWidth-len(indent)-6) {
			lead := "#   "
			if i > 0 {
				lead = "#     "
			}
			b.WriteString(indent + lead + line + "\n")
		}
	}
	if len(whole.Was) > 0 {
		was := make([]string, 0, len(whole.Was))
		for _, text := range slices.Backward(whole.Was) {
			if text = strings.TrimSpace(visible(text)); text != "" {
				was = append(was, text)
			}
		}
		if len(was) > 0 {
			say(s.say("letter.mended.was", phrase.Literals("was", was)))
		}
	}
	faults := slices.Clone(whole.Faults) // noted from behind
	slices.SortStableFunc(faults, func(a, b orders.Problem) int { return a.Column - b.Column })
	for i, p := range faults {
		if i == mostFaults {
			break
		}
		words := s.sentence(p.Why)
		if p.Clause != "" {
			words += " [" + clean(p.Clause) + "]"
		}
		say("^ " + words)
		if remedy := s.sentence(p.Remedy); remedy != "" && len(whole.Was) == 0 {
			say("-> " + remedy)
		}
	}
}

// mended sets a refused file as it is given back, and how it is sent.
func (s *sheet) mended(r *Refused, text string) {
	whole := slices.DeleteFunc(slices.Clone(r.Problems), func(p orders.Problem) bool { return p.Line > 0 })
	if len(whole) > 0 {
		s.faults(whole, r.Source)
	}
	if s.ways(r) {
		return
	}
	heading := "letter.mended.heading"
	if !r.Mended.Sound {
		heading = "letter.mended.heading-not-yet"
	}
	s.heading(heading)
	_, out := r.Mended.Counts()
	if r.Mended.Sound {
		var args []phrase.Arg
		if out > 0 {
			args = append(args, phrase.Number("out", out))
		}
		s.paragraph("letter.mended.what", args...)
	} else {
		s.paragraph("letter.mended.not-yet")
	}
	body := orders.Frame(s.language, text)
	s.add(s.narrow(body, func(text string) string { return orders.Frame(s.language, text) }))
	if r.Owed == nil {
		return
	}
	s.heading("letter.answer.heading")
	first := "letter.mended.change"
	if r.Mended.Sound {
		first = "letter.mended.ok"
	}
	s.add(stepsBlock{[]string{s.say(first), s.say("letter.answer.again")}})
	s.attachFile(r.Owed, "", body)
}

// attachFile attaches an order file for what is owed; letter tells two of them apart.
func (s *sheet) attachFile(owed *Owed, letter, body string) {
	s.files = append(s.files, File{Name: s.orderFileName(owed, letter), Type: "application/yaml", Data: []byte(body)})
}

// ways sets the files among which the writer of a refused one has to choose, and tells whether
// there are any.
func (s *sheet) ways(r *Refused) bool {
	if r.Owed == nil {
		return false
	}
	type file struct{ letter, body string }
	var files []file
	var all []string
	for _, way := range r.Mended.Ways {
		text := s.givenBack(way.Mended)
		if text == "" {
			return false
		}
		letter := strings.ToUpper(string(way.Letter))
		files, all = append(files, file{letter, orders.FrameAs(s.language, way.Letter, text)}), append(all, letter)
	}
	if len(files) == 0 {
		return false
	}
	s.heading("letter.mended.heading")
	s.paragraph("letter.mended.either", phrase.Number("n", len(files)))
	for i, f := range files {
		for j, what := range r.Mended.Ways[i].What {
			if j == mostFaults {
				break
			}
			s.paragraph("letter.mended.way", phrase.Literal("letter", f.letter), phrase.Within("what", what))
		}
		s.add(s.narrow(f.body, func(text string) string { return orders.FrameAs(s.language, r.Mended.Ways[i].Letter, text) }))
		s.attachFile(r.Owed, "-"+f.letter, f.body)
	}
	s.heading("letter.answer.heading")
	s.add(stepsBlock{[]string{s.say("letter.mended.letters", phrase.Literals("letters", all)), s.say("letter.answer.again")}})
	return true
}
