package orders

import (
	"strings"
	"unicode"

	"berthier/orders/phrase"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Words are keywords with their spellings in every language of the house.
type Words struct {
	spell map[string][]string // canonical keyword to all other spellings
}

// NewWords makes a vocabulary; later maps add to earlier ones.
func NewWords(more ...map[string][]string) *Words {
	w := &Words{spell: map[string][]string{}}
	for _, m := range more {
		for key, spellings := range m {
			w.spell[key] = append(w.spell[key], spellings...)
		}
	}
	return w
}

// Key finds which of the allowed keywords a text is, in any spelling.
func (w *Words) Key(text string, allowed []string) (string, bool) {
	folded := Fold(text)
	for _, key := range allowed {
		if Fold(key) == folded {
			return key, true
		}
		for _, s := range w.spell[key] {
			if Fold(s) == folded {
				return key, true
			}
		}
	}
	return "", false
}

func (w *Words) spellings(keys []string) []string {
	all := append([]string(nil), keys...)
	for _, key := range keys {
		all = append(all, w.spell[key]...)
	}
	return all
}

// Fold reduces a name to what matters for telling it from others: letters and
// digits, lower case, without accents. "Condé", "CONDE" and "conde" are one.
func Fold(text string) string {
	ascii := true
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if !ascii {
		plain, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn))), text)
		if err == nil {
			text = plain
		}
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, text)
}

// didYouMean says which of the spellings is nearest to a text, if one is near.
func didYouMean(text string, spellings []string) phrase.Phrase {
	best, distance := "", 1+len([]rune(Fold(text)))/3
	for _, s := range spellings {
		if d := editDistance(Fold(text), Fold(s)); d < distance || (d == distance && best == "") {
			best, distance = s, d
		}
	}
	if best == "" {
		return phrase.Phrase{}
	}
	return phrase.Say("order.did-you-mean", phrase.Literal("name", best))
}

// editDistance counts the letters to change, add, drop or swap with their
// neighbour to make one word of the other.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before := make([]int, len(y)+1)
	last := make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}
