package templates

import (
	"fmt"
	"strings"

	"berthier/orders"
)

// inTongue is an order file, or its normal form, in the reader's language.
func (s *sheet) inTongue(n *orders.Node) *orders.Node {
	if n == nil {
		return nil
	}
	return n.FileIn(s.language, s.head.Words, "")
}

// piece is a piece of an order file in the reader's language.
func (s *sheet) piece(text string) string {
	if s.head.Words == nil {
		return text
	}
	return s.head.Words.Respell(text, s.language)
}

// encoded is an order file in the reader's language as text without a line end.
func (s *sheet) encoded(n *orders.Node) string {
	if n == nil {
		return ""
	}
	return strings.TrimRight(cleanLines(s.inTongue(n).EncodeWithin(lineWidth-4)), "\n") // it is set four columns in
}

// visible is a piece of a file in which characters that look like others or
// like nothing are named.
func visible(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\t':
			b.WriteString("⇥")
		case c == '\n':
			b.WriteString("⏎")
		case c == '\u00a0':
			b.WriteString("⍽")
		case hidden(c) || c < ' ' || c >= 0x7f && c < 0xa0:
			fmt.Fprintf(&b, "<U+%04X>", c)
		default:
			b.WriteRune(c)
		}
	}
	return clip(clean(b.String()), 80)
}

// excerpt is a line at fault, as far as it fits a letter, and the place of a
// column in it, -1 for none.
func excerpt(line string, column int) (string, int) {
	// On a telephone some forty characters can be seen: the column is kept there.
	const widest, seen, before = 60, 40, 28
	runes := []rune(cleanLines(strings.ReplaceAll(line, "\n", " ")))
	caret := min(column-1, len(runes))
	start := 0
	if caret >= seen {
		start = caret - before
	}
	end := min(len(runes), start+widest)
	piece := string(runes[start:end])
	if end < len(runes) {
		piece = string(runes[start:end-1]) + "…"
	}
	if start > 0 {
		piece = "…" + string([]rune(piece)[1:])
	}
	if caret < 0 {
		return piece, -1
	}
	return piece, columns(string([]rune(piece)[:min(caret-start, len([]rune(piece)))]))
}
