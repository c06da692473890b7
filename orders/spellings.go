package orders

import "slices"

// Spellings are all ways in which a keyword is spelt, the keyword itself first. What
// differs from one of them in case, accents or punctuation alone is read as well.
func (w *Words) Spellings(key string) []string {
	return append([]string{key}, slices.DeleteFunc(slices.Clone(w.spell[key]), func(s string) bool { return s == key })...)
}

// EnvelopeKeys are the keys of an order file, in the order in which it is written.
func EnvelopeKeys() []string { return slices.Clone(envelope) }
