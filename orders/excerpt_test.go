package orders

import (
	"strconv"
	"strings"
)

// excerpt shows a line of a text with a caret under one of its characters:
//
//	12 | - move: {from:Charleroi}
//	   |               ^
//
// Line and column count from 1. Of a long line the part around the column is
// shown; a column beyond the end stands behind it. A column of 0 shows no caret.
// It is empty if the text has no such line.
func excerpt(source string, line, column int) string {
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	runes := []rune(strings.TrimRight(strings.ReplaceAll(lines[line-1], "\t", " "), " \r"))
	for i, r := range runes {
		if refusedRune(r).Code != "" || invisible(r) {
			runes[i] = '?'
		}
	}
	column = min(column, len(runes)+1)
	before, after := "", ""
	if from := column - excerptWidth*3/4; from > 0 && len(runes) > excerptWidth {
		from = min(from, len(runes)-excerptWidth*3/4)
		runes, column, before = runes[from:], column-from+1, "…"
	}
	if len(runes) > excerptWidth {
		runes, after = runes[:excerptWidth], "…"
	}
	number := strconv.Itoa(line)
	var b strings.Builder
	b.WriteString(strings.TrimRight(number+" | "+before+string(runes)+after, " "))
	if column > 0 {
		b.WriteString("\n" + strings.Repeat(" ", len(number)) + " | " + strings.Repeat(" ", column-1) + "^")
	}
	b.WriteByte('\n')
	return b.String()
}
