package orders

import (
	"slices"
	"strings"

	"berthier/orders/phrase"
)

// A Remedy is one of two remedies among which the writer of a file has to choose himself,
// since one of them costs him something: the entries of the list in which the fault stands
// that would put it right.
type Remedy struct {
	Instead bool // they stand in the place of the entry with the fault; else behind it
	Entries []*Node
	What    phrase.Phrase // what comes of it
}

// Remedies are both remedies, A and B; nil: it is not offered.
type Remedies [2]*Remedy

// letters are the words that answer two files.
var letters = [2]Reply{ReplyA, ReplyB}

// taken is the remedy of a fault that is taken, nil if there is none.
func (c Remedies) taken(pick int) *Remedy {
	if pick < 0 {
		return nil
	}
	return c[pick]
}

// A Lettered is a mended file that is sent by a word of its own.
type Lettered struct {
	Letter Reply           `json:"letter"` // [ReplyA] or [ReplyB]
	What   []phrase.Phrase `json:"what"`   // what comes of it
	Mended *Mended         `json:"mended"`
}

// ways gives the mended files among which the writer of a file has to choose, each legal as it
// stands.
func ways(source string, head []string, judge func(text string) (*Document, Problems)) []Lettered {
	source = withoutNotes(source)
	_, problems := judge(source)
	var all []Lettered
	for i, letter := range letters {
		if m := mendAs(source, head, problems, judge, i); m.Sound && len(m.chosen) > 0 {
			all = append(all, Lettered{letter, m.chosen, m})
		}
	}
	if len(all) > 0 {
		return all
	}
	doc, parsed := Parse(source, nil)
	if doc.Root == nil || len(parsed) > 0 {
		return nil
	}
	for _, p := range doc.Root.Pairs { // a list on one line has no lines of its own
		p.Value.Flow = false
	}
	again := doc.Root.Encode()
	if again == source {
		return nil
	}
	return ways(again, head, judge)
}

// withoutNotes leaves the lines out of a file that are comments alone, which its writer has
// in the letter that he answered: two files need not say them twice.
func withoutNotes(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			b.WriteString(line)
		}
	}
	with, _ := Parse(source, nil)
	if bare, _ := Parse(b.String(), nil); with.Root != nil && Equal(with.Root, bare.Root) {
		return b.String()
	}
	return source // it is no comment inside a text over several lines
}

// choose writes the chosen remedies of faults into the file, from below, and tells whether
// there were any. A fault that has none of the kind that is wanted stays.
func (m *Mended) choose(problems Problems) bool {
	problems = slices.Clone(problems)
	slices.SortStableFunc(problems, func(a, b Problem) int { return b.Line - a.Line })
	last := len(m.Lines)
	for _, p := range problems {
		c := p.Either.taken(m.pick)
		if c == nil {
			continue
		}
		from, to := m.entry(p.Line - 1)
		if to <= from || to > last {
			continue
		}
		last = from
		p.Remedy = phrase.Phrase{} // it is carried out
		m.addFault(&m.Lines[p.Line-1], p)
		m.enter(c, from, to)
		if !slices.ContainsFunc(m.chosen, c.What.Equal) {
			m.chosen = slices.Insert(m.chosen, 0, c.What) // they are met from below
		}
	}
	return last < len(m.Lines)
}

// enter writes the entries of a choice behind the lines of an entry, or in their place.
func (m *Mended) enter(c *Remedy, from, to int) {
	indent := m.Lines[from].Text[:indentOf(m.Lines[from].Text)]
	var lines []MendedLine
	for text := range strings.Lines(Items(c.Entries...).Encode()) {
		lines = append(lines, MendedLine{Text: indent + strings.TrimRight(text, "\n")})
	}
	if !c.Instead {
		m.Lines = slices.Insert(m.Lines, to, lines...)
		return
	}
	for _, old := range m.Lines[from:to] {
		if text := strings.TrimSpace(old.Text); text != "" {
			lines[0].Was = append(lines[0].Was, text)
		}
		lines[0].Faults, lines[0].own = append(lines[0].Faults, old.Faults...), lines[0].own+old.own
	}
	slices.Reverse(lines[0].Was) // they are told from the last to the first
	m.Lines = slices.Replace(m.Lines, from, to, lines...)
}
