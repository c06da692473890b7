package phrase

import "strings"

// Clip shortens a text to at most a number of bytes, without cutting a character in two.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && text[most]&0xc0 == 0x80 {
		most--
	}
	return text[:most]
}

// OneLine is a text in one line, with one space between words.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
