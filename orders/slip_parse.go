package orders

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"berthier/orders/phrase"
)

// Slips in the form of a letter's file that have one reading are taken by the parser and
// told. Files of the program, which are read without words, have none.

func (p *parser) repair(ln, at int, kind, was, is, code string) {
	p.repairs = append(p.repairs, Repair{Line: ln + 1, Column: p.column(ln, at), Kind: kind, Was: was, ReadAs: is, Why: phrase.Say(code)})
}

// mostRemarks is how many lines of words may stand below a file.
const mostRemarks = 20

// isRemark leaves a line aside that is words of the sender's below his file: it stands at the
// left margin, no line of the file comes after it, and it names nothing by a figure.
func (p *parser) isRemark(ln, at int) bool {
	l := p.lines[ln]
	text := strings.TrimRight(p.text[at:l.end], " \t")
	if p.words == nil || ln == 0 || at != l.start || len(p.lines)-ln > mostRemarks || !isProse(text) || hasComment(p.text[p.lines[ln-1].start:p.lines[ln-1].end], true) {
		return false
	}
	for next := ln + 1; next < len(p.lines); next++ {
		if other := p.lines[next]; other.content() && (other.indent > 0 || !isProse(p.text[other.start:other.end])) {
			return false
		}
	}
	if p.missingColon(text) != "" {
		return false
	}
	p.repair(ln, at, "remark", short(text), "# "+short(text), "order.repair-remark")
	return true
}

// isBehind leaves words aside that stand behind a value in brackets: more than one, and none
// that a file may hold.
func (p *parser) isBehind(ln, at int) bool {
	l := p.lines[ln]
	text := strings.TrimRight(p.text[at:l.end], " \t")
	words := strings.Fields(text)
	if p.words == nil || len(words) < 2 || !isProse(text) || slices.ContainsFunc(words, p.words.Knows) {
		return false
	}
	p.repair(ln, at, "remark", short(text), "# "+short(text), "order.repair-remark")
	return true
}

// isProse tells whether a text is words in which no order can hide: letters and the signs of
// sentences, and no figure.
func isProse(text string) bool {
	letters := 0
	for _, c := range text {
		switch {
		case unicode.IsLetter(c):
			letters++
		case c == ' ' || c == '\t' || strings.ContainsRune(".,;!?'()’…-–—", c):
		default:
			return false
		}
	}
	first, _ := utf8.DecodeRuneInString(text)
	return letters > 1 && (unicode.IsLetter(first) || first == '(' || first == '–' || first == '—')
}

// isOneOff tells whether a line stands one column beside the entries to which it can only
// belong: the # of an example was taken away and its blank left, or the other way round.
func (p *parser) isOneOff(ln, col int, around, value *Node) bool {
	if p.words == nil {
		return false
	}
	l := p.lines[ln]
	inside, outside := p.fits(ln, value) && l.indent-(value.Column-1) >= -1 && l.indent-(value.Column-1) <= 1, p.fits(ln, around) && l.indent-max(col, 0) == 1
	if !inside && !outside {
		return false
	}
	p.repair(ln, l.start+l.indent, "", visibleIndent(l.indent), visibleIndent(p.indentOf(ln, col, around, value)), "order.repair-indent")
	return true
}

// fits tells whether a line could be an entry of a block.
func (p *parser) fits(ln int, n *Node) bool {
	if n == nil || n.Flow || n.Line == 0 {
		return false
	}
	l := p.lines[ln]
	if isDash(p.text, l.start+l.indent, l.end) {
		return n.Kind == List
	}
	return n.Kind == Map
}

// siblings are the block to which such a line belongs, in the places in which misplaced looks
// for it.
func (p *parser) siblings(ln, col int, around, value *Node) (*Node, *Node) {
	if p.belongsAround(ln, col, around, value) {
		return around, nil
	}
	return around, value
}

// belongsAround tells whether such a line belongs to the block around: it is nearer, or it is
// a key of the envelope.
func (p *parser) belongsAround(ln, col int, around, value *Node) bool {
	l := p.lines[ln]
	switch {
	case !p.fits(ln, value):
		return true
	case !p.fits(ln, around):
		return false
	}
	_, envelope := p.words.Key(simpleKey(p.text[l.start+l.indent:l.end]), envelope)
	return envelope || l.indent-max(col, 0) < value.Column-1-l.indent
}

func (p *parser) indentOf(ln, col int, around, value *Node) int {
	if p.belongsAround(ln, col, around, value) {
		return max(col, 0)
	}
	return value.Column - 1
}

func visibleIndent(n int) string { return strings.Repeat("·", n) + "-" }

// joins adds a value that stands in a map in brackets without a key to the value before it:
// {units: F-01, F-02}. Behind is the place behind it.
func (p *parser) joins(n, value *Node, behind int) bool {
	if p.words == nil || len(n.Pairs) == 0 || value.Kind != Scalar || value.Null || behind == p.lines[p.ln].end || p.text[behind] != ',' && p.text[behind] != '}' ||
		!strings.ContainsFunc(value.Text, unicode.IsDigit) || strings.ContainsAny(value.Text, ":'\"“”„‘’«»") {
		return false
	}
	last := &n.Pairs[len(n.Pairs)-1]
	switch {
	case last.Value.Kind == Scalar && !last.Value.Null:
		first := last.Value
		list := p.node(List, first.Line-1, p.lines[first.Line-1].start)
		list.Column, list.Flow, list.Items = first.Column, true, []*Node{first}
		last.Value = list
		p.repairs = append(p.repairs, Repair{Line: first.Line, Column: first.Column, Was: first.Text + ", " + value.Text, ReadAs: "[" + first.Text + ", " + value.Text + "]", Why: phrase.Say("order.repair-list")})
	case last.Value.Kind != List || last.Value.Text != "" || len(last.Value.Items) == 0 || last.Value.Items[0].Column != last.Value.Column:
		return false // it has brackets of its own
	default:
		r := &p.repairs[len(p.repairs)-1]
		r.Was, r.ReadAs = r.Was+", "+value.Text, strings.TrimSuffix(r.ReadAs, "]")+", "+value.Text+"]"
	}
	last.Value.Items = append(last.Value.Items, value)
	return true
}
