package orders

import (
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// A Fix is the one way in which a fault can be put right: what is to stand in place of a
// piece of its line.
type Fix struct {
	Line     int // from 1
	From, To int // columns from 1; To is behind the piece
	Text     string
}

// Mended is a file with faults as it is given back to its sender: his own lines, with that
// put right which can be put right in one way only, and that left aside which can't.
type Mended struct {
	Lines []MendedLine `json:"rows"`
	Head  int          `json:"head"` // how many lines on top say whose file it is, and for what
	// Sound tells that the file as it stands is legal. If it is not, nothing is left aside.
	Sound bool `json:"sound,omitempty"`
	// Ways are the files among which the writer has to choose: each is this one with one of
	// two remedies for what would else be left aside.
	Ways []Lettered `json:"ways,omitempty"`

	left   bool            // something was left aside
	either bool            // a fault left a choice
	pick   int             // which of two remedies is taken; -1: none
	chosen []phrase.Phrase // what comes of those that were taken
}

// A MendedLine is a line of a mended file.
type MendedLine struct {
	Text   string   `json:"text"`
	Was    []string `json:"was,omitempty"`    // what stood in place of what was put right
	Out    bool     `json:"out,omitempty"`    // it is left aside
	Faults Problems `json:"faults,omitempty"` // what was wrong in it

	own int // how many of the faults were there before anything was left aside
}

// Text is the mended file; what is left aside stands in comments.
func (m *Mended) Text() string {
	var b strings.Builder
	for _, line := range m.Lines {
		b.WriteString(line.Written())
		b.WriteByte('\n')
	}
	return b.String()
}

// Written is how the line stands in the file.
func (r MendedLine) Written() string {
	if !r.Out || r.Text == "" {
		return r.Text
	}
	indent := indentOf(r.Text)
	return r.Text[:indent] + "# " + r.Text[indent:]
}

// Counts tells how many lines were put right or left aside, and how many of these were left
// aside.
func (m *Mended) Counts() (lines, out int) {
	for _, line := range m.Lines {
		if len(line.Faults) > 0 || len(line.Was) > 0 {
			lines++
			if line.Out {
				out++
			}
		}
	}
	return lines, out
}

// mostRounds is how often a file is judged to mend it: what is left aside may leave a gap.
const mostRounds = 10

// heads are the keys that say whose file it is, and for what.
var heads = []string{"game", "side", "stop", "key", "serial"}

// Mend mends a file with faults. The lines that say whose it is and for what are those of the
// head, whatever stood there. Problems are what is wrong with the file as it came; judge reads
// a text as that file and gives all that is wrong with it.
func Mend(source string, head []string, problems Problems, judge func(text string) (*Document, Problems)) *Mended {
	m := mendAs(source, head, problems, judge, -1)
	if apart := setApart(source); !m.Sound && apart != source { // of orders on one line nothing can be left aside
		_, faults := judge(apart)
		if other := mendAs(apart, head, faults, judge, -1); other.Sound {
			m, source = other, apart
		}
	}
	if m.either {
		m.Ways = ways(source, head, judge)
	}
	return m
}

// setApart writes the orders of a file that stand within brackets behind their key in lines of
// their own. It gives the file as it is if they don't, or can't be read.
func setApart(source string) string {
	doc, _ := Parse(source, nil)
	n := doc.Orders
	if n == nil || !n.Flow || n.Kind == Scalar || n.Line < 1 {
		return source
	}
	sound := true
	n.Walk(func(n *Node) { sound = sound && n.Kind != Broken })
	lines := strings.Split(source, "\n")
	line := []rune(lines[n.Line-1])
	if !sound || n.Column < 2 || n.Column > len(line) || indentOf(lines[n.Line-1]) > 0 || strings.TrimSpace(string(line[:n.Column-1])) == "" {
		return source
	}
	end := n.Line // the line behind the last bracket
	n.Walk(func(n *Node) { end = max(end, n.Line) })
	for end < len(lines) && strings.Trim(lines[end], " ]},") == "" && lines[end] != "" {
		end++
	}
	apart := []string{strings.TrimRight(string(line[:n.Column-1]), " ")}
	for _, pair := range n.Pairs {
		apart = append(apart, "  "+pair.Key.OneLine()+": "+pair.Value.OneLine())
	}
	for _, item := range n.Items {
		apart = append(apart, "  - "+item.OneLine())
	}
	return strings.Join(slices.Concat(lines[:n.Line-1], apart, lines[end:]), "\n")
}

// mendAs is [Mend] where one of two remedies is taken, or neither if pick is -1.
func mendAs(source string, head []string, problems Problems, judge func(text string) (*Document, Problems), pick int) *Mended {
	m := &Mended{Head: len(head), pick: pick}
	for _, text := range head {
		m.Lines = append(m.Lines, MendedLine{Text: text})
	}
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	for i, text := range lines {
		key := headOf(text)
		if !slices.ContainsFunc(head, func(own string) bool { return key != "" && headOf(own) == key }) || i+1 < len(lines) && indentOf(lines[i+1]) > 0 && strings.TrimSpace(lines[i+1]) != "" && lines[i+1][indentOf(lines[i+1])] != '#' {
			m.Lines = append(m.Lines, MendedLine{Text: text})
			continue
		}
		for j := range head {
			for _, p := range problems {
				if line := &m.Lines[j]; headOf(head[j]) == key && p.Line == i+1 {
					m.addFault(line, p)
					line.Was = []string{text}
				}
			}
		}
	}
	for range mostRounds {
		doc, problems := judge(m.Text())
		repaired := m.repairs(doc.Repairs)
		if len(problems) == 0 {
			if m.Sound = m.says(doc); m.Sound {
				return m
			}
			break
		}
		if !m.choose(problems) && !m.mend(problems) && !repaired {
			break
		}
	}
	for i := range m.Lines {
		line := &m.Lines[i]
		line.Out, line.Faults = false, line.Faults[:min(line.own, len(line.Faults))]
	}
	return m
}

// headOf is the key of the head that stands on a line, "" if none does.
func headOf(text string) string {
	name, _, ok := strings.Cut(text, ":")
	if !ok || indentOf(text) > 0 {
		return ""
	}
	key, _ := common.Key(name, heads)
	return key
}

// WithHead gives the mended file another head, of as many lines.
func (m *Mended) WithHead(head []string) *Mended {
	if len(head) != m.Head {
		return m
	}
	c := *m
	c.Lines = slices.Clone(m.Lines)
	for i, text := range head {
		c.Lines[i].Text = text
	}
	c.Ways = slices.Clone(m.Ways)
	for i, way := range c.Ways {
		c.Ways[i].Mended = way.Mended.WithHead(head)
	}
	return &c
}

// Blank tells whether nothing is in the file that could be mended: it has no line at fault and orders nothing.
func (m *Mended) Blank() bool {
	lines, _ := m.Counts()
	doc, problems := Parse(m.Text(), nil)
	return lines == 0 && len(problems) == 0 && !doc.Says() && doc.Command == ""
}

// says tells whether anything is left that the file orders, besides the end of a list.
func (m *Mended) says(doc *Document) bool {
	if doc.Instructs() {
		return true
	}
	n := doc.Orders
	return n != nil && !n.Null && (n.Kind != List || len(n.Items) > 1 || len(n.Items) == 1 && n.Items[0].Text != "end")
}

// repairs writes what was read otherwise than it was written as it was read, and tells whether
// anything had to be.
func (m *Mended) repairs(list []Repair) bool {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Repair) int { return b.Column - a.Column }) // from behind
	changed := false
	for _, r := range list {
		if r.Column == 0 || r.Line < 1 || r.Line > len(m.Lines) {
			continue
		}
		line := &m.Lines[r.Line-1]
		if r.Kind == "remark" {
			continue // it does no harm where it stands
		}
		text := []rune(line.Text)
		if r.Column > len(text) || !strings.HasPrefix(string(text[r.Column-1:]), r.Was) {
			continue
		}
		line.put(Fix{From: r.Column, To: r.Column + utf8.RuneCountInString(r.Was), Text: r.ReadAs})
		line.Was = append(line.Was, r.Was)
		changed = true
	}
	return changed
}

// put puts a text in place of a piece of the line.
func (r *MendedLine) put(f Fix) {
	text := []rune(r.Text)
	from, to := min(f.From-1, len(text)), min(f.To-1, len(text))
	r.Text = string(text[:from]) + f.Text + string(text[to:])
}

// mend notes faults at their lines and puts them right or leaves them aside. It tells
// whether that changed the file.
func (m *Mended) mend(problems Problems) bool {
	problems = slices.Clone(problems)
	slices.SortStableFunc(problems, func(a, b Problem) int { return b.Column - a.Column })
	changed := false
	fixed := map[int]int{} // by line, the column from which on it was changed
	for _, p := range problems {
		if p.Line < 1 || p.Line > len(m.Lines) {
			continue
		}
		line := &m.Lines[p.Line-1]
		m.addFault(line, p)
		m.either = m.either || p.Either != Remedies{}
		if p.Fix == nil || p.Fix.Line != p.Line || line.Out {
			continue
		}
		if from, ok := fixed[p.Line]; ok && p.Fix.To > from {
			continue // they overlap: the next round sees what is left
		}
		fixed[p.Line] = p.Fix.From
		text := []rune(line.Text)
		line.Was = append(line.Was, strings.TrimSpace(string(text[min(p.Fix.From-1, len(text)):min(p.Fix.To-1, len(text))])))
		line.put(*p.Fix)
		changed = true
	}
	if changed {
		return true // what can't be put right is looked at when the rest is right
	}
	for _, p := range problems {
		if from, to := m.entry(p.Line - 1); to > from {
			m.left = true
			for i := from; i < to; i++ {
				changed = changed || !m.Lines[i].Out
				m.Lines[i].Out = true
			}
		}
	}
	return changed
}

// addFault keeps a fault at its line, once.
func (m *Mended) addFault(line *MendedLine, p Problem) {
	for _, old := range line.Faults {
		if old.Why.Code == p.Why.Code && old.Column == p.Column {
			return
		}
	}
	line.Faults = append(line.Faults, p)
	if !m.left {
		line.own++
	}
}

// entry finds the lines of the item, or of the key, to which a line belongs: the outermost
// item of a list under a key of the file, or else the key under that, or a key that no file has;
// none if the line belongs to no such thing.
func (m *Mended) entry(at int) (from, to int) {
	if at < 0 || at >= len(m.Lines) {
		return 0, 0
	}
	top := at
	for top > 0 && (!m.isContent(top) || indentOf(m.Lines[top].Text) > 0 || isDash(m.Lines[top].Text, 0, len(m.Lines[top].Text))) {
		top--
	}
	if top >= m.Head && m.foreign(top) {
		for to = top + 1; to < len(m.Lines) && m.isContent(to) && indentOf(m.Lines[to].Text) > 0; {
			to++
		}
		return top, to
	}
	from = -1
	outer := -1 // the column of the outermost item
	for i := at; i > top; i-- {
		if !m.isContent(i) {
			continue
		}
		text := m.Lines[i].Text
		indent := indentOf(text)
		dash := isDash(text, indent, len(text))
		if dash && (outer < 0 || indent < outer) {
			from, outer = i, indent
		}
	}
	if from < 0 { // a key of a map
		first := top + 1
		for first < at && !m.isContent(first) {
			first++
		}
		if first > at {
			return 0, 0 // it is a key of the file
		}
		base := indentOf(m.Lines[first].Text)
		for from = at; from > top && (!m.isContent(from) || indentOf(m.Lines[from].Text) > base); {
			from--
		}
		if from <= top || base == 0 {
			return 0, 0
		}
		outer = base
	}
	to = from + 1
	for to < len(m.Lines) && (!m.isContent(to) || indentOf(m.Lines[to].Text) > outer) {
		to++
	}
	for to > from+1 && !m.isContent(to-1) {
		to--
	}
	return from, to
}

// foreign tells whether a line is a key of the file that no file has.
func (m *Mended) foreign(i int) bool {
	name, _, ok := strings.Cut(m.Lines[i].Text, ":")
	if !ok || !m.isContent(i) || indentOf(name) > 0 || isDash(name, 0, len(name)) {
		return false
	}
	_, known := common.Key(name, envelope)
	return !known
}

// isContent tells whether a line is more than a comment.
func (m *Mended) isContent(i int) bool {
	text := strings.TrimSpace(m.Lines[i].Text)
	return text != "" && text[0] != '#'
}
