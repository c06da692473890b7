package orders

import (
	"strings"
	"unicode"
)

// A player's orders may stand one below the other without dashes:
//
//	orders:
//	  Beaumont - Thuin: F-01
//	  F-02 forward
//
// They are read as a list with a line for each item. What the lines mean the ruleset says.

// ordersAhead are the keys of the envelope under which such lines may stand.
var ordersAhead = []string{"orders", "ahead"}

// isLines tells whether a block, whose first line is given, is lines without dashes: at least
// two, all in one column, of which one has no key. Each of these names something by a figure,
// and one has words besides; a key has more than one word.
func (p *parser) isLines(ln, at, parent int) bool {
	first := p.lines[ln]
	if !p.body || parent < 0 || at != first.start+first.indent {
		return false
	}
	lines, bare, worded := 0, 0, false
	for next, ok := ln, true; ok && p.lines[next].indent > parent; next, ok = p.after(next + 1) {
		l := p.lines[next]
		from := l.start + l.indent
		if l.indent != first.indent || isDash(p.text, from, l.end) || strings.IndexByte("[{\"'|>&*!%@`,]}?", p.text[from]) >= 0 {
			return false
		}
		end, _ := plainEnd(p.text, from, l.end)
		text := strings.TrimSpace(p.text[from:end])
		lines++
		if colon := keyColon(p.text, from, l.end); colon >= 0 {
			if key := strings.TrimSpace(p.text[from:colon]); strings.IndexByte(key, ' ') < 0 || colon+1 >= end || strings.TrimSpace(p.text[colon+1:end]) == "" {
				return false
			}
			continue
		}
		if !strings.ContainsFunc(text, unicode.IsDigit) {
			return false
		}
		bare++
		for _, word := range strings.Fields(text) {
			worded = worded || !strings.ContainsFunc(word, unicode.IsDigit)
		}
	}
	return lines > 1 && bare > 0 && worded
}

// undashed reads lines without dashes as a list.
func (p *parser) undashed(ln, at, depth int) *Node {
	n := p.node(List, ln, at)
	col := at - p.lines[ln].start
	for {
		l := p.lines[ln]
		from := l.start + col
		if colon := keyColon(p.text, from, l.end); colon >= 0 {
			item := p.node(Map, ln, from)
			key := p.key(ln, from, colon)
			item.Pairs = []Pair{{key, p.value(ln, blanks(p.text, colon+1, l.end), col, depth+2)}}
			n.Items = append(n.Items, item)
		} else {
			n.Items = append(n.Items, p.value(ln, from, col, depth+1))
		}
		next, ok := p.after(p.ln)
		if !ok || p.lines[next].indent != col {
			return n
		}
		ln = next
	}
}
