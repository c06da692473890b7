package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"berthier/orders"
	"berthier/orders/phrase"
)

// The notes of an order file, of which the text of a long report shows few.

// A note is some lines of an order file, from the first to the one before the last: an example,
// which begins with one #, or a remark, which begins with two. A remark that begins with
// [orders.HeadingMark] is the heading of all that stands below it, down to the next one.
type note struct {
	from, to int
	example  bool
	heading  bool
}

// An exampleRun is examples one below the other, and the remark above them, which tells what they are about.
type exampleRun struct {
	head *note
	left int // examples that stand
}

// gathered parts notes into examples, with the run in which each stands, by its first line, and lists of
// remarks that are no heading, of a run or of more, from the last to the first.
func gathered(all []note) (examples []note, runs map[int]*exampleRun, lists [][]note) {
	runs = map[int]*exampleRun{}
	for end := len(all); end > 0; {
		begin := end - 1
		if all[begin].example {
			one := &exampleRun{}
			if end < len(all) && all[end].example && all[begin].to == all[end].from {
				one = runs[all[end].from]
			}
			one.left++
			runs[all[begin].from] = one
			examples, end = append(examples, all[begin]), begin
			continue
		}
		if all[begin].heading {
			end = begin
			continue
		}
		for begin > 0 && !all[begin-1].example && !all[begin-1].heading && all[begin-1].to == all[begin].from {
			begin--
		}
		list := all[begin:end]
		if end < len(all) && all[end].example && all[end-1].to == all[end].from && len(list) < leastRemarks {
			runs[all[end].from].head = &all[end-1]
			list = list[:len(list)-1]
		}
		lists, end = append(lists, list), begin
	}
	slices.Reverse(examples)
	return examples, runs, lists
}

// notesOf finds the notes among the lines of an order file.
func notesOf(rows []string) (all []note) {
	for i, row := range rows {
		text := strings.TrimLeft(row, " ")
		if !strings.HasPrefix(text, "#") {
			continue
		}
		begins := !strings.HasPrefix(text, "##   ") || strings.HasPrefix(text, "##   >")
		if n := len(all); !begins && n > 0 && all[n-1].to == i {
			all[n-1].to++
			continue
		}
		all = append(all, note{i, i + 1, !strings.HasPrefix(text, "##"), strings.HasPrefix(text, "## "+orders.HeadingMark)})
	}
	return all
}

// beside sets a remark that explains one example alone behind it, where there is room.
func beside(body string) string {
	rows := strings.Split(body, "\n")
	kind := func(i int) string { // of a row: its marks, "" for what counts
		if i < 0 || i >= len(rows) {
			return ""
		}
		text := strings.TrimLeft(rows[i], " ")
		return text[:len(text)-len(strings.TrimLeft(text, "#"))]
	}
	for i := 1; i+1 < len(rows); i++ {
		if kind(i-1) == "##" || kind(i) != "##" || kind(i+1) != "#" || kind(i+2) == "#" || strings.Contains(strings.TrimLeft(rows[i+1], " #"), " # ") {
			continue
		}
		said := strings.ReplaceAll(strings.TrimLeft(rows[i+1], " #"), ":", "") // "then ask: I order again"
		if row := rows[i+1] + "  # " + strings.TrimPrefix(strings.TrimLeft(rows[i], " #"), said+": "); !wider(row) {
			rows = slices.Replace(rows, i, i+2, row)
		}
	}
	return strings.Join(rows, "\n")
}

// linesOf counts the lines of notes.
func linesOf(all []note) (n int) {
	for _, one := range all {
		n += one.to - one.from
	}
	return n
}

// keyOf finds the keys in an example.
var keyOf = regexp.MustCompile(`[\pL\pN-]+:`)

// ranked puts the first example with each verb, or with a key that none before it has, in front of
// the others; among those, ways to say a key that stands once in a file, such as plan: withdraw,
// stand before more of the same verb in a list. An example that says a bare word, such as reinforce:
// none, does not show how the verb is used: the next one does. The first example below a heading stands
// before the others, too. It gives how many are the first of something.
func ranked(rows []string, examples, headings []note) (all []note, firsts int) {
	var first, ways, others []note
	below := -1 // the heading below which the example before stood
	said, used := map[string]bool{}, map[string]bool{}
	for _, example := range examples {
		text := strings.Join(rows[example.from:example.to], " ")
		row := strings.TrimLeft(text, " #")
		verb, way, _ := strings.Cut(strings.TrimLeft(row, "-{ "), ":")
		way, _, _ = strings.Cut(strings.TrimLeft(way, " {"), ":")
		keys := keyOf.FindAllString(text, -1)
		uses := !bareWord.MatchString(row)
		above := headingOf(headings, example)
		opens := above > below
		below = above
		switch way = verb + ": " + way; {
		case opens, !said[verb], uses && !used[verb], slices.ContainsFunc(keys, func(key string) bool { return !said[key] && !named(key) }):
			first = append(first, example)
		case row[0] != '-' && !said[way]:
			ways = append(ways, example)
		default:
			others = append(others, example)
		}
		said[verb], said[way], used[verb] = true, true, used[verb] || uses
		for _, key := range keys {
			said[key] = true
		}
	}
	return slices.Concat(first, ways, others), len(first)
}

// headingsOf finds the headings among notes, and those below which no example stands.
func headingsOf(all, examples []note) (headings, empty []note) {
	headings = slices.DeleteFunc(slices.Clone(all), func(n note) bool { return !n.heading })
	below := map[int]bool{}
	for _, example := range examples {
		below[headingOf(headings, example)] = true
	}
	for i, heading := range headings {
		if !below[i] {
			empty = append(empty, heading)
		}
	}
	return headings, empty
}

// headingOf is the number of the heading below which a note stands; -1 if there is none above it.
func headingOf(headings []note, n note) int {
	at := -1
	for i, heading := range headings {
		if heading.from < n.from {
			at = i
		}
	}
	return at
}

// bareWord finds an example that says one word of the grammar, and nothing of the game.
var bareWord = regexp.MustCompile(`^-? *[^:]+: \p{Ll}[\pL-]*( *#.*)?$`)

// named tells whether a key is the name of a thing, not a word of the grammar.
func named(key string) bool {
	c, _ := utf8.DecodeRuneInString(key)
	return !unicode.IsLower(c)
}

// wider tells whether a line is longer than a letter's.
func wider(line string) bool { return columns(line) > lineWidth }

// fewNotes is how many lines of notes stand in every letter: to leave some of so few out, and say so, would
// save little.
const fewNotes = 8

// leastLeft is how many lines of notes are worth leaving out.
const leastLeft = 4

// leastRemarks is how many remarks in a row tell something without those that are left out.
const leastRemarks = 3

// fewerNotes leaves so many lines of notes out of an order file: first remarks that explain no
// example, then examples with what explains them. The first example of each verb stays, and so does
// the first one below each heading, with the heading. It gives nothing if there is nothing to leave out.
func (s *sheet) fewerNotes(body string, over int) string {
	return s.fewerNotesIn(body, over, func(text string) string { return orders.Frame(s.language, text) })
}

// narrow is a file block without the examples that a mail program would break; the attached file
// has them. Frame sets the marks.
func (s *sheet) narrow(body string, frame func(string) string) fileBlock {
	b := fileBlock{body: body}
	if slices.ContainsFunc(strings.Split(body, "\n"), wider) {
		b.short = s.fewerNotesIn(body, -1, frame)
	}
	return b
}

// fewerNotesIn is [sheet.fewerNotes] with other marks.
func (s *sheet) fewerNotesIn(body string, over int, frame func(string) string) string {
	rows := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	rows = rows[1 : len(rows)-1] // within the marks, which are written anew
	policies := "# " + orders.Keyword("policies", s.language) + ":"
	ofPolicies := func(n note) bool { // what stands below is understood by nobody without it
		at := n.from
		if !n.example {
			at = n.to
		}
		return at < len(rows) && strings.HasPrefix(strings.TrimLeft(rows[at], " "), policies)
	}
	all := slices.DeleteFunc(notesOf(rows), ofPolicies)
	if over >= 0 && linesOf(all) <= fewNotes && !slices.ContainsFunc(rows, wider) {
		return ""
	}
	drop := map[int]bool{}
	leave := func(n note) {
		for i := n.from; i < n.to; i++ {
			drop[i] = true
		}
	}
	over++ // for the line that says so
	examples, runs, lists := gathered(all)
	for _, list := range lists {
		i := len(list)
		for i > 0 && len(drop) < over {
			i--
			leave(list[i])
		}
		for i < len(list) && i > 0 && i < leastRemarks {
			i--
			leave(list[i])
		}
	}
	leaveExample := func(n note) {
		leave(n)
		one := runs[n.from]
		if one.left--; one.left == 0 && one.head != nil {
			leave(*one.head)
		}
	}
	examples = slices.DeleteFunc(examples, func(n note) bool { // what a mail program would break is no example
		wide := slices.ContainsFunc(rows[n.from:n.to], wider)
		if wide {
			leaveExample(n)
		}
		return wide
	})
	headings, empty := headingsOf(all, examples)
	for _, heading := range empty {
		if len(drop) < over {
			leave(heading)
		}
	}
	examples, firsts := ranked(rows, examples, headings)
	for n := len(examples); n > firsts && len(drop) < over; n-- {
		leaveExample(examples[n-1])
	}
	if len(drop) < leastLeft && !slices.ContainsFunc(rows, wider) {
		return ""
	}
	out, said := strings.Builder{}, false
	for i, row := range rows {
		switch {
		case drop[i] && !said:
			indent := row[:len(row)-len(strings.TrimLeft(row, " "))]
			fmt.Fprintf(&out, "%s## %s\n", indent, s.say("letter.file.more", phrase.Number("n", len(drop))))
			said = true
		case drop[i]:
		default:
			out.WriteString(row + "\n")
		}
	}
	return frame(out.String())
}

// named adds to an order file the names of those of its units that the text of the letter names
// nowhere: behind the first line that names the unit, or
// above the orders where that line has no room. Names are those of all units, each behind
// its id. It gives the file as it is if none is missing.
func (s *sheet) named(file, text string, names []string) string {
	var said strings.Builder // word by word, for a name may go on in the next line
	said.Grow(len(text))
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "##", "")) {
		said.WriteString(word)
		said.WriteByte(' ')
	}
	text = said.String()
	rows := strings.Split(strings.TrimSuffix(file, "\n"), "\n")
	first := map[string]int{} // the row in which an id stands first
	for i := len(rows) - 1; i >= 0; i-- {
		for _, id := range strings.FieldsFunc(rows[i], func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '/' }) {
			first[id] = i
		}
	}
	orderRow := slices.Index(rows, orders.Keyword("orders", s.language)+":")
	if orderRow < 0 {
		return file
	}
	behind := map[int][]string{}
	var above []string
	for _, name := range names {
		words := strings.Fields(name)
		row, stands := first[words[0]]
		switch {
		case !stands || len(words) < 2 || strings.Contains(text, words[0]+" "+words[1]):
		case !strings.Contains(strings.TrimLeft(rows[row], " #"), " # ") && !wider(remarked(rows[row], append(behind[row], name))):
			behind[row] = append(behind[row], name)
		default:
			above = append(above, name)
		}
	}
	if len(behind)+len(above) == 0 {
		return file
	}
	for row, names := range behind {
		rows[row] = remarked(rows[row], names)
	}
	if len(above) > 0 {
		line := wrap(strings.Join(above, ", "), lineWidth-3, lineWidth-5)
		for i := range line {
			line[i] = "##" + strings.Repeat("  ", min(i, 1)) + " " + line[i]
		}
		rows = slices.Insert(rows, orderRow, line...)
	}
	// The marks tell whether a file was changed: they are set anew.
	return orders.Frame(s.language, strings.Join(rows[1:len(rows)-1], "\n")+"\n")
}

// remarked is a line of an order file with names behind it.
func remarked(row string, names []string) string { return row + "  # " + strings.Join(names, ", ") }
