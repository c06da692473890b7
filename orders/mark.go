package orders

import (
	"fmt"
	"hash/crc32"
	"strings"
	"unicode"
)

// frameWords are the words of the marks around the order file of a report, in each language. The
// marks are comments, so a file that was copied with them is still a file. Behind the first,
// [Frame] writes a sum by which an untouched template is told from one that was filled in.
// The marks are read in every language, and in all at once, as they were once written.
var frameWords = map[string][2]string{"en": {"ORDERS", "END"}, "it": {"ORDINI", "FINE"}}

// BeginMark is how the mark before an order file begins, in a language.
func BeginMark(language string) string { return "# ===== " + markWords(language)[0] }

// EndMark is the mark behind an order file, in a language.
func EndMark(language string) string { return "# ===== " + markWords(language)[1] + " =====" }

// markWords are the words of the marks: those of English in a language that has none.
func markWords(language string) [2]string {
	if words, ok := frameWords[language]; ok {
		return words
	}
	return frameWords["en"]
}

// Frame puts an order file between its marks, in the language of its reader, as it stands in
// a letter and in the file that goes with it.
func Frame(language, text string) string { return FrameAs(language, "", text) }

// FrameAs is [Frame] for one of two files of a letter: [ReplyA] or [ReplyB] is the
// word that answers it.
func FrameAs(language string, letter Reply, text string) string {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	begin := BeginMark(language)
	if letter != "" {
		begin += " " + strings.ToUpper(string(letter))
	}
	return begin + " " + sum(text) + " =====\n" + text + EndMark(language) + "\n"
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

// beginMark tells whether a line is the mark before an order file, which sum stands on it,
// and which of two files it is.
func beginMark(line string) (want string, letter Reply, ok bool) {
	if !strings.Contains(line, "=====") {
		return "", "", false
	}
	rest, ok := cutMark(line, 0)
	if len(rest) == 9 && (rest[0] == 'a' || rest[0] == 'b') {
		letter, rest = Reply(rest[:1]), rest[1:]
	}
	if !ok || len(rest) != 8 && rest != "" {
		return "", "", false
	}
	return strings.ToUpper(rest), letter, true
}

func endMark(line string) bool {
	if !strings.Contains(line, "=====") {
		return false
	}
	rest, ok := cutMark(line, 1)
	return ok && rest == ""
}

// foldedWords are the words of each mark, folded: those of both languages, and those of each.
var foldedWords = func() (all [2][3]string) {
	for i := range all {
		en, it := Fold(frameWords["en"][i]), Fold(frameWords["it"][i])
		all[i] = [...]string{en + it, en, it}
	}
	return all
}()

// cutMark takes the word of a mark off a folded line: the word of a language, or those of
// both.
func cutMark(line string, which int) (rest string, ok bool) {
	folded := Fold(line)
	for _, word := range foldedWords[which] {
		if rest, ok := strings.CutPrefix(folded, word); ok {
			return rest, true
		}
	}
	return folded, false
}
