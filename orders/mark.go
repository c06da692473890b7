package orders

import (
	"fmt"
	"hash/crc32"
	"strings"
	"unicode"
)

// Marks around the order file of a report. They are comments, so a file that was
// copied with them is still a file. Behind the first, [Frame] writes a sum by
// which an untouched template is told from one that was filled in.
const (
	BeginMark = "# ===== ORDERS / ORDINI"
	EndMark   = "# ===== END / FINE ====="
)

// Frame puts an order file between its marks, as it stands in a letter and in
// the file that goes with it.
func Frame(text string) string {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return BeginMark + " " + sum(text) + " =====\n" + text + EndMark + "\n"
}

// sum is the same for a text and for what quoting, wrapping and re-spacing make
// of it, but not for a text of which a letter or a sign was changed.
func sum(text string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			return r
		case strings.ContainsRune("‐‑‒–—−", r), r == '*', r == '•', r == '·':
			return '-'
		case strings.ContainsRune("#-[]{}:,", r):
			return r
		}
		return -1
	}, text)
	return fmt.Sprintf("%08X", crc32.ChecksumIEEE([]byte(kept)))
}

// beginMark tells whether a line is the mark before an order file, and which sum
// stands on it.
func beginMark(row string) (string, bool) {
	if !strings.Contains(row, "=====") {
		return "", false
	}
	folded := Fold(row)
	rest, ok := strings.CutPrefix(folded, "ordersordini")
	if !ok || len(rest) != 8 && rest != "" {
		return "", false
	}
	return strings.ToUpper(rest), true
}

func endMark(row string) bool {
	return strings.Contains(row, "=====") && Fold(row) == "endfine"
}
