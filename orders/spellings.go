package orders

import "slices"

// Spellings gives all ways in which a keyword is spelt, the keyword itself first. A text
// that differs from one of them only in case, accents or punctuation is read as well.
func (w *Words) Spellings(key string) []string {
	return append([]string{key}, slices.DeleteFunc(slices.Clone(w.spell[key]), func(s string) bool { return s == key })...)
}

// EnvelopeKeys are the keys of an order file, in the order in which it is written.
func EnvelopeKeys() []string { return slices.Clone(envelope) }
