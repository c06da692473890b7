package orders

import (
	"strings"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// bounds keep a stranger's file from costing more than an order file is worth.
type bounds struct {
	bytes, depth, nodes int
}

var (
	letterBounds = bounds{bytes: 64 << 10, depth: 12, nodes: 5000}
	ownBounds    = bounds{bytes: 4 << 20, depth: 32, nodes: 500_000}
)

// A parser reads the part of YAML that order files are written in: maps and
// lists in blocks or on a line, scalars plain, quoted or as text blocks, and
// comments. Whatever it accepts, every reader of YAML 1.2 reads the same way. Anchors,
// aliases, tags, merges and the rest are refused by name.
//
// It never stops at a fault: it notes it, leaves a [Broken] node, and goes on
// with the next entry, so that all faults of a file are found at once.
type parser struct {
	text     string
	lines    []line
	words    *Words // to recognise a keyword that lacks its colon
	bounds   bounds
	problems Problems
	repairs  []Repair
	nodes    int
	slab     []Node
	stopped  bool        // a bound is passed: nothing more is read
	body     bool        // what is read stands under orders or ahead
	tabs     bool        // tabs stand where spaces should: depths are guessed
	tabbed   map[int]int // by line, how many signs untab put in front of it

	counted struct{ start, at, column int } // the last place whose column was counted

	ln     int // block level: the next line to read
	pos    int // inside brackets and quotes: the place in text, on line ln
	parent int // inside brackets and quotes: column of the block around, from 0
	opens  []int
	last   byte // inside brackets: last sign that was no blank
	failed bool // inside brackets: a fault was noted, go back to the block
}

// parse reads a text, which must be clean: valid UTF-8 with "\n" as line break
// and no control characters. The node is nil if there is nothing but comments.
func parse(text string, words *Words, b bounds) (*Node, Problems) {
	root, _, problems := parseMending(text, words, b)
	return root, problems
}

// parseMending is parse, with what was read otherwise than it was written: nothing where no
// words are given, as in files of the program.
func parseMending(text string, words *Words, b bounds) (*Node, []Repair, Problems) {
	p := &parser{text: text, lines: split(text), words: words, bounds: b}
	root := p.document()
	return root, p.repairs, p.problems
}

// untab notes the lines that are indented with tabs and puts spaces there, so
// that what stands on them is read all the same.
func (p *parser) untab() {
	if strings.IndexByte(p.text, '\t') < 0 {
		return
	}
	var b strings.Builder
	for ln, l := range p.lines {
		first := blanks(p.text, l.start, l.end)
		for isDash(p.text, first, l.end) && first+1 < l.end {
			first = blanks(p.text, first+1, l.end)
		}
		if l.content() && strings.IndexByte(p.text[l.start:first], '\t') >= 0 {
			p.fault(ln, l.start, say("order.tab-indent"), say("order.use-spaces"))
			if p.tabbed == nil {
				p.tabbed = map[int]int{}
			}
			p.tabs, p.tabbed[ln] = true, strings.Count(p.text[l.start:first], "\t")
			b.WriteString(strings.ReplaceAll(p.text[l.start:first], "\t", "  "))
			b.WriteString(p.text[first:l.end])
		} else {
			b.WriteString(p.text[l.start:l.end])
		}
		if l.end < len(p.text) {
			b.WriteByte('\n')
		}
	}
	if p.tabs {
		p.text = b.String()
		p.lines = split(p.text)
		p.counted.column = 0
	}
}

func (p *parser) document() *Node {
	p.untab()
	ln := p.content(0)
	if ln < len(p.lines) && p.text[p.lines[ln].start] == '%' {
		p.fault(ln, p.lines[ln].start, say("order.directive"), say("order.delete-line"))
		ln = p.content(ln + 1)
	}
	if ln < len(p.lines) && p.isMark(ln) && p.text[p.lines[ln].start] == '-' {
		l := p.lines[ln]
		if at := blanks(p.text, l.start+3, l.end); at < l.end && p.text[at] != '#' {
			p.fault(ln, at, say("order.after-mark"), say("order.next-line"))
		}
		ln = p.content(ln + 1)
	}
	if ln == len(p.lines) || p.isMark(ln) {
		p.ln = ln
		p.ending()
		return nil
	}
	root := p.block(ln, p.lines[ln].start+p.lines[ln].indent, -1, 1)
	for !p.stopped {
		ln = p.content(p.ln)
		if ln == len(p.lines) || p.isMark(ln) {
			break
		}
		p.misplaced(ln, -1, root, root, ln)
	}
	p.ending()
	return root
}

// ending checks that nothing comes after the document.
func (p *parser) ending() {
	ln := p.content(p.ln)
	if p.stopped || ln == len(p.lines) {
		return
	}
	if l := p.lines[ln]; p.text[l.start] == '.' {
		if at := blanks(p.text, l.start+3, l.end); at < l.end && p.text[at] != '#' {
			p.fault(ln, at, say("order.second-document"), say("order.one-file"))
			return
		}
		if ln = p.content(ln + 1); ln == len(p.lines) {
			return
		}
	}
	p.fault(ln, p.lines[ln].start, say("order.second-document"), say("order.one-file"))
}

// content finds the first line from ln that has more than a comment.
func (p *parser) content(ln int) int {
	for ln < len(p.lines) && !p.lines[ln].content() {
		ln++
	}
	return ln
}

func (p *parser) isMark(ln int) bool { return isMark(p.text, p.lines[ln]) }

// after finds the next line with content that belongs to the document.
func (p *parser) after(ln int) (int, bool) {
	if p.stopped {
		return len(p.lines), false
	}
	ln = p.content(ln)
	return ln, ln < len(p.lines) && !p.isMark(ln)
}

// skip gives the first line after ln that does not stand deeper than a column.
func (p *parser) skip(ln, column int) int {
	for ln = p.content(ln + 1); ln < len(p.lines) && p.lines[ln].indent > column && !p.isMark(ln); {
		ln = p.content(ln + 1)
	}
	return ln
}

func say(code string, args ...phrase.Arg) phrase.Phrase { return phrase.Say(code, args...) }

func (p *parser) fault(ln, at int, why, remedy phrase.Phrase) {
	if len(p.problems) > 10*maxProblems {
		p.stopped = true
		return
	}
	p.problems = append(p.problems, Problem{Line: ln + 1, Column: p.column(ln, at), Why: why, Remedy: remedy})
}

// fix tells what is to stand in place of a piece of a line, as the one remedy of the fault
// that was just noted there.
func (p *parser) fix(ln, from, to int, text string) {
	if n := len(p.problems); n > 0 && p.problems[n-1].Line == ln+1 && p.problems[n-1].Fix == nil {
		start := p.column(ln, from)
		p.problems[n-1].Fix = &Fix{Line: ln + 1, From: start, To: start + utf8.RuneCountInString(p.text[from:to]), Text: text}
	}
}

// node makes a node that stands at a place of a line.
func (p *parser) node(kind Kind, ln, at int) *Node {
	if p.nodes++; p.nodes > p.bounds.nodes && !p.stopped {
		p.fault(ln, at, say("order.too-many", phrase.Number("limit", p.bounds.nodes)), phrase.Phrase{})
		p.stopped = true
	}
	if len(p.slab) == 0 {
		p.slab = make([]Node, min(24, 2*len(p.lines)+2))
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.Kind, n.Line, n.Column = kind, ln+1, p.column(ln, at)
	return n
}

// column counts the characters of a line up to a place, from 1. It goes on from
// the place before, or a long line would be counted anew for each of its nodes.
func (p *parser) column(ln, at int) int {
	c := &p.counted
	if start := p.lines[ln].start; c.start != start || c.at > at || c.column == 0 {
		c.start, c.at, c.column = start, start, 1
	}
	c.column += utf8.RuneCountInString(p.text[c.at:at])
	c.at = at
	return max(c.column-p.tabbed[ln], 1)
}

func (p *parser) null(at *Node) *Node {
	n := p.node(Scalar, at.Line-1, p.lines[at.Line-1].start)
	n.Null, n.Column = true, at.Column
	return n
}

// tooDeep notes once that the file nests deeper than any order does.
func (p *parser) tooDeep(ln, at, depth int) bool {
	if depth <= p.bounds.depth {
		return false
	}
	p.fault(ln, at, say("order.too-deep", phrase.Number("limit", p.bounds.depth)), phrase.Phrase{})
	return true
}

// block reads what starts at a place of a line and goes on, line by line, as
// long as the lines stand deeper than the column of the parent.
func (p *parser) block(ln, at, parent, depth int) *Node {
	l := p.lines[ln]
	if p.tooDeep(ln, at, depth) {
		p.ln = p.skip(ln, parent)
		return p.node(Broken, ln, at)
	}
	switch {
	case isDash(p.text, at, l.end):
		return p.list(ln, at, depth, false)
	case p.isLines(ln, at, parent):
		return p.undashed(ln, at, depth)
	case keyColon(p.text, at, l.end) >= 0:
		return p.mapping(ln, at, depth)
	case p.isStray(ln, at, parent):
		// a line that lacks its colon is more likely than a text in its place
		return p.mapping(ln, at, depth)
	default:
		return p.value(ln, at, parent, depth)
	}
}

// isStray tells whether a line without a colon stands where a map is, because
// its first word is a keyword or because keys follow at the same depth.
func (p *parser) isStray(ln, at, parent int) bool {
	l := p.lines[ln]
	if at != l.start+l.indent || strings.IndexByte("[{\"'|>&*!%@`,]}?", p.text[at]) >= 0 {
		return false
	}
	if parent < 0 {
		return true
	}
	next, ok := p.after(ln + 1)
	return ok && p.lines[next].indent == l.indent && l.indent > parent &&
		simpleKey(p.text[p.lines[next].start+l.indent:p.lines[next].end]) != ""
}

// mapping reads a map whose first key starts at a place of a line.
func (p *parser) mapping(ln, at, depth int) *Node {
	n := p.node(Map, ln, at)
	col := at - p.lines[ln].start
	seen := map[string]int(nil)
	value, from := n, ln // the last value and the line of its key
	for {
		colon := keyColon(p.text, at, p.lines[ln].end)
		switch {
		case isDash(p.text, at, p.lines[ln].end):
			if !p.tabs {
				p.fault(ln, at, say("order.item-among-keys"), say("order.dash-or-key"))
			}
			p.list(ln, at, depth+1, true)
		case colon < 0 && p.isRemark(ln, at):
			p.ln = ln + 1
		case colon < 0:
			p.stray(ln, at)
			n.Pairs = append(n.Pairs, Pair{p.node(Broken, ln, at), p.node(Broken, ln, at)})
			p.ln = p.skip(ln, col)
			value, from = n.Pairs[len(n.Pairs)-1].Value, ln
		default:
			key := p.key(ln, at, colon)
			if depth == 1 && p.words != nil {
				_, p.body = p.words.Key(key.Text, ordersAhead)
			}
			value, from = p.behind(ln, colon+1, col, depth, key), ln
			if first, twice := p.twice(n, &seen, key); twice {
				p.fault(ln, at, say("order.key-twice", phrase.Literal("key", key.Text)), say("order.see-line", phrase.Number("line", first)))
				break
			}
			n.Pairs = append(n.Pairs, Pair{key, value})
		}
		next, ok := p.after(p.ln)
		for ok && p.lines[next].indent > col {
			p.misplaced(next, col, n, value, from)
			next, ok = p.after(p.ln)
		}
		if !ok || p.lines[next].indent < col {
			return n
		}
		ln, at = next, p.lines[next].start+col
	}
}

// twice tells whether a key was there before, and on which line.
func (p *parser) twice(n *Node, seen *map[string]int, key *Node) (int, bool) {
	if key.Kind == Broken {
		return 0, false
	}
	if *seen == nil && len(n.Pairs) >= 12 {
		*seen = make(map[string]int, 2*len(n.Pairs))
		for _, pair := range n.Pairs {
			(*seen)[pair.Key.Text] = pair.Key.Line
		}
	}
	if *seen != nil {
		if line, ok := (*seen)[key.Text]; ok {
			return line, true
		}
		(*seen)[key.Text] = key.Line
		return 0, false
	}
	for _, pair := range n.Pairs {
		if pair.Key.Text == key.Text && pair.Key.Kind != Broken {
			return pair.Key.Line, true
		}
	}
	return 0, false
}

// longestKey is far longer than any name.
const longestKey = 200

// key reads the key that ends at a colon.
func (p *parser) key(ln, at, colon int) *Node {
	n := p.node(Scalar, ln, at)
	if c := p.text[at]; c == '"' || c == '\'' {
		p.ln, p.pos, p.parent, p.failed = ln, at, 0, false
		n.Text = p.quoted()
		if p.failed {
			n.Kind = Broken
		}
	} else {
		n.Text = strings.TrimRight(p.text[at:colon], " \t")
		switch {
		case n.Text == "<<":
			p.fault(ln, at, say("order.merge"), say("order.write-out"))
			n.Kind = Broken
		case isNull(n.Text):
			p.fault(ln, at, say("order.empty-key"), say("order.write-quotes", phrase.Literal("text", quote(n.Text)+":")))
			n.Kind = Broken
		}
	}
	if len(n.Text) > longestKey {
		p.fault(ln, at, say("order.key-long", phrase.Number("limit", longestKey)), phrase.Phrase{})
		n.Kind = Broken
	}
	return n
}

// behind reads the value of a key: what stands behind its colon, or on the next
// lines if these stand deeper.
func (p *parser) behind(ln, at, col, depth int, key *Node) *Node {
	end := p.lines[ln].end
	at = blanks(p.text, at, end)
	switch {
	case at < end && isDash(p.text, at, end):
		p.fault(ln, at, say("order.list-behind-key"), say("order.next-line"))
		p.ln = p.skip(ln, col)
		return p.node(Broken, ln, at)
	case at < end && p.text[at] != '#':
		return p.value(ln, at, col, depth+1)
	}
	next, ok := p.after(ln + 1)
	if ok {
		l := p.lines[next]
		first := l.start + l.indent
		if l.indent > col {
			return p.block(next, first, col, depth+1)
		}
		if l.indent == col && isDash(p.text, first, l.end) {
			if p.tooDeep(next, first, depth+1) {
				p.ln = p.skip(next, col)
				return p.node(Broken, next, first)
			}
			return p.list(next, first, depth+1, true)
		}
	}
	p.ln = ln + 1
	return p.null(key)
}

// list reads a list whose first dash stands at a place of a line. In a map, its
// dashes may stand in the column of the keys, so that a key ends it.
func (p *parser) list(ln, at, depth int, inMap bool) *Node {
	n := p.node(List, ln, at)
	col := at - p.lines[ln].start
	for {
		l := p.lines[ln]
		var item *Node
		first := blanks(p.text, at+1, l.end)
		if first < l.end && p.text[first] != '#' {
			item = p.block(ln, first, col, depth+1)
		} else if next, ok := p.after(ln + 1); ok && p.lines[next].indent > col {
			item = p.block(next, p.lines[next].start+p.lines[next].indent, col, depth+1)
		} else {
			p.ln = ln + 1
			dash := Node{Line: ln + 1, Column: p.column(ln, at)}
			item = p.null(&dash)
		}
		n.Items = append(n.Items, item)
		from := ln
		next, ok := p.after(p.ln)
		for ok {
			l := p.lines[next]
			first := l.start + l.indent
			if l.indent > col {
				p.misplaced(next, col, n, item, from)
			} else if l.indent == col && !isDash(p.text, first, l.end) && !inMap {
				if !p.tabs {
					p.fault(next, first, say("order.key-among-items"), say("order.dash-or-deeper"))
				}
				p.ln = p.skip(next, col)
			} else {
				break
			}
			next, ok = p.after(p.ln)
		}
		if !ok || p.lines[next].indent < col || !isDash(p.text, p.lines[next].start+col, p.lines[next].end) {
			return n
		}
		ln, at = next, p.lines[next].start+col
	}
}

// misplaced notes a line that stands deeper than the entries of the block around
// it without belonging to the entry above, reads it all the same, so that its
// own faults are found, and adds it where it was most likely meant.
func (p *parser) misplaced(ln, col int, around, value *Node, above int) {
	l := p.lines[ln]
	at := l.start + l.indent
	switch {
	case !isEntry(p.text, at, l.end) && keyColon(p.text, at, l.end) < 0:
		p.stray(ln, at)
		p.ln = p.skip(ln, col)
		return
	case p.tabs: // how deep the line stands is anybody's guess
	case p.isOneOff(ln, col, around, value):
		around, value = p.siblings(ln, col, around, value)
	case value != nil && (value.Kind == Map || value.Kind == List) && !value.Flow && value.Line > 0:
		p.fault(ln, at, say("order.indent-uneven", phrase.Number("line", value.Line)), say("order.indent-by", phrase.Number("n", value.Column-1)))
	default:
		p.fault(ln, at, say("order.indent-deep", phrase.Number("line", above+1)), say("order.indent-by", phrase.Number("n", max(col, 0))))
	}
	sub := p.block(ln, at, col, 2)
	switch {
	case sub.Kind == Map && value != nil && value.Kind == Map && !value.Flow:
		value.Pairs = append(value.Pairs, sub.Pairs...)
	case sub.Kind == List && value != nil && value.Kind == List && !value.Flow:
		value.Items = append(value.Items, sub.Items...)
	case sub.Kind == Map && around.Kind == Map:
		around.Pairs = append(around.Pairs, sub.Pairs...)
	case sub.Kind == List && around.Kind == List:
		around.Items = append(around.Items, sub.Items...)
	}
}

func isNull(text string) bool {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}
