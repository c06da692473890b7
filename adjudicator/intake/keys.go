package intake

import (
	"crypto/subtle"
	"encoding/base32"
	"regexp"
	"strings"
)

// KeyLetters leaves out letters that are mistaken for others when read aloud: 0 and O, 1 and I.
var KeyLetters = base32.NewEncoding("ABCDEFGHJKLMNPQRSTUVWXYZ23456789").WithPadding(base32.NoPadding)

// SameKey compares a key as typed with the right one, in a time that gives nothing
// away. Text that would not be recognised as a key where keys must be hidden is not a key.
func SameKey(typed, ours string) bool {
	return !scattered(typed) && subtle.ConstantTimeCompare([]byte(foldKey(typed)), []byte(foldKey(ours))) == 1
}

// scattered tells whether more stands between the letters of a key than [HideKey]
// passes over.
func scattered(typed string) bool {
	between, begun := 0, false
	for i := 0; i < len(typed); i++ {
		c := typed[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			if begun && between > mostBetween {
				return true
			}
			between, begun = 0, true
			continue
		}
		between++
	}
	return false
}

func foldKey(key string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			return c
		}
		return -1
	}, key)
}

// HideKey replaces a key by signs, however it is written: in small letters, or
// with other signs between its halves.
func HideKey(text, key string) string {
	at := KeyAt(text, key, 0)
	if at < 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for ; at >= 0; at = KeyAt(text, key, from) {
		b.WriteString(text[from:at])
		b.WriteString("xxxx-xxxx")
		from = at + keyLength(text[at:], foldKey(key))
	}
	b.WriteString(text[from:])
	return b.String()
}

// mostBetween is how many bytes may stand between the letters of a key so that it still
// counts as a key.
const mostBetween = 12

// htmlSign is a sign as HTML writes it, such as &gt; or &#34;, in at most longestSign bytes.
var htmlSign = regexp.MustCompile(`^&(?:#[0-9]{1,5}|[a-z]{2,4});`)

const longestSign = 8

// KeyAt finds where a key stands in a text, from a place on; -1 if nowhere.
func KeyAt(text, key string, from int) int {
	folded := foldKey(key)
	if folded == "" {
		return -1
	}
	at := keyBegins(text, folded, folded[0], from)
	if first := folded[0]; first >= 'A' && first <= 'Z' {
		if small := keyBegins(text, folded, first-'A'+'a', from); at < 0 || small >= 0 && small < at {
			at = small
		}
	}
	return at
}

// keyBegins finds where a key begins with a letter, from a place on; -1 if nowhere.
func keyBegins(text, folded string, letter byte, from int) int {
	for {
		next := strings.IndexByte(text[from:], letter)
		if next < 0 {
			return -1
		}
		if from += next; keyLength(text[from:], folded) > 0 {
			return from
		}
		from++
	}
}

// keyLength is how many bytes of the beginning of a text are a key; 0 if it does
// not begin with it.
func keyLength(text, folded string) int {
	k, between := 0, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		switch {
		case c == folded[k]:
			k, between = k+1, 0
			if k == len(folded) {
				return i + 1
			}
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			return 0
		default:
			// In HTML a sign such as > is written with letters, which are none of the key's.
			if c == '&' {
				i += max(0, len(htmlSign.FindString(text[i:min(len(text), i+longestSign)]))-1)
			}
			if between++; between > mostBetween {
				return 0
			}
		}
	}
	return 0
}

var keyLine = regexp.MustCompile(`(?im)((?:^|[{,\s])["']?(?:key|chiave|schlüssel)["']?[ \t]*[:：=][ \t]*)[^\s,}]+`)

// HideKeyLines hides what stands after key: in a text that is shown to somebody who has
// not proven that the key is his.
func HideKeyLines(source string) string {
	return keyLine.ReplaceAllStringFunc(source, func(m string) string {
		head := keyLine.FindStringSubmatch(m)[1]
		return head + strings.Repeat("*", len([]rune(m[len(head):])))
	})
}
