package orders

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"berthier/orders/phrase"

	"golang.org/x/text/unicode/norm"
)

// Words are keywords with their spellings in every language of the program. They
// never change once made, and may be used from many goroutines.
type Words struct {
	spell map[string][]string // canonical keyword to all other spellings
	known map[string][]string // folded spelling to the keywords that it may mean
	// senses are other spellings of keywords where they mean something else.
	senses map[string][]Sense
}

// NewWords makes a vocabulary; later maps add to earlier ones.
func NewWords(more ...map[string][]string) *Words {
	w := &Words{spell: map[string][]string{}, known: map[string][]string{}}
	learn := func(spelling, key string) {
		if f := Fold(spelling); f != "" && !slices.Contains(w.known[f], key) {
			w.known[f] = append(w.known[f], key)
		}
	}
	for _, m := range more {
		for key, spellings := range m {
			learn(key, key)
			for _, s := range spellings {
				if !slices.Contains(w.spell[key], s) {
					w.spell[key] = append(w.spell[key], s)
				}
				learn(s, key)
			}
		}
	}
	return w
}

// Key finds which of the allowed keywords a text is, in any spelling.
func (w *Words) Key(text string, allowed []string) (string, bool) {
	folded := Fold(text)
	if folded == "" {
		return "", false
	}
	means := w.known[folded]
	for _, key := range allowed {
		if slices.Contains(means, key) || Folds(key, folded) {
			return key, true
		}
	}
	return "", false
}

// Knows tells whether a text is any keyword of the vocabulary.
func (w *Words) Knows(text string) bool {
	return w != nil && len(w.known[Fold(text)]) > 0
}

// Spell is how a keyword is written in a language: the first spelling besides the
// English one, or the keyword as it is.
func (w *Words) Spell(key, language string) string {
	if all := w.spell[key]; language != "en" && len(all) > 0 {
		return all[0]
	}
	return key
}

// Keyword is [Words.Spell] of the [Common] vocabulary.
func Keyword(key, language string) string { return common.Spell(key, language) }

func (w *Words) spellings(keys []string) []string {
	all := append([]string(nil), keys...)
	for _, key := range keys {
		all = append(all, w.spell[key]...)
	}
	return all
}

// letters that no decomposition takes apart.
var plainLetters = strings.NewReplacer("ß", "ss", "ẞ", "ss", "æ", "ae", "Æ", "ae", "œ", "oe", "Œ", "oe",
	"ø", "o", "Ø", "o", "ł", "l", "Ł", "l", "đ", "d", "Đ", "d", "ð", "d", "Ð", "d", "þ", "th", "Þ", "th", "ı", "i")

// Fold reduces a name to what matters for telling it from others: letters and
// digits, lower case, without accents. "Condé", "CONDE" and "conde" are one.
func Fold(text string) string {
	folded := true // already: the common case costs nothing
	ascii := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 0x80 {
			ascii = false
			break
		}
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			folded = false
		}
	}
	if ascii && folded {
		return text
	}
	if ascii {
		out := make([]byte, 0, len(text))
		for i := 0; i < len(text); i++ {
			c := text[i]
			switch {
			case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
				out = append(out, c)
			case c >= 'A' && c <= 'Z':
				out = append(out, c+'a'-'A')
			}
		}
		return string(out)
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, norm.NFKD.String(plainLetters.Replace(text)))
}

// Folds tells whether a text folds to a name that is folded already. It says what Fold(text) ==
// folded says, without writing the folded text.
func Folds(text, folded string) bool {
	n := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= 0x80:
			return Fold(text) == folded
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case (c < 'a' || c > 'z') && (c < '0' || c > '9'):
			continue
		}
		if n == len(folded) || folded[n] != c {
			return false // what follows changes nothing of what stands before it
		}
		n++
	}
	return n == len(folded)
}

// nearest finds which of the spellings is nearest to a text, "" if none is near.
func nearest(text string, spellings []string) string {
	return within(text, spellings, 1+utf8.RuneCountInString(Fold(text))/4)
}

// within finds the nearest spelling that is no further away than a number of letters.
func within(text string, spellings []string, distance int) string {
	folded := Fold(text)
	length := utf8.RuneCountInString(folded)
	if length > 60 { // no name is as long, and comparing costs its square
		return ""
	}
	best := ""
	for _, s := range spellings {
		other := Fold(s)
		if long := len(other) - len(folded); long > 2*distance || -long > 4*distance {
			continue // bytes, not letters, so the bounds are wide
		}
		if d := editDistance(folded, other); d < distance || (d == distance && best == "") {
			best, distance = s, d
		}
	}
	if distance >= length && length > 0 && best != "" {
		return "" // not one letter in common
	}
	return best
}

// didYouMean says which of the spellings is nearest to a text, if one is near.
func didYouMean(text string, spellings []string) phrase.Phrase {
	best := nearest(text, spellings)
	if best == "" {
		return phrase.Phrase{}
	}
	return phrase.Say("order.did-you-mean", phrase.Literal("name", best))
}

// editDistance counts the letters to change, add, drop or swap with their
// neighbour to make one word of the other.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	lines := make([]int, 3*(len(y)+1))
	before, last, line := lines[:len(y)+1], lines[len(y)+1:2*(len(y)+1)], lines[2*(len(y)+1):]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		line[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			line[j] = min(last[j]+1, line[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				line[j] = min(line[j], before[j-2]+1)
			}
		}
		before, last, line = last, line, before
	}
	return last[len(y)]
}
