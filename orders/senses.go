package orders

// A Sense is how a keyword is written in other languages where it means something else than it
// usually does: "at" before a place, and "at" before a target.
type Sense struct {
	// Spelling is one that the vocabulary reads. "": there the word is no keyword but a name,
	// which every language leaves as it is.
	Spelling string
	// Where says whether the sense holds: of what stands before the word, and of what stands behind
	// it, in English and on one line. Before a value stand the keys in which it is, behind a key its
	// value, of which no more than the beginning need be there.
	Where func(before, after string) bool
}

// InSense gives the vocabulary senses of keywords. It is for a vocabulary in the making.
func (w *Words) InSense(senses map[string][]Sense) *Words {
	w.senses = senses
	return w
}

// SpellIn is [Words.Spell] of a keyword that stands somewhere.
func (w *Words) SpellIn(key, language, before, after string) string {
	if !isEnglish(language) {
		for _, s := range w.senses[key] {
			if !s.Where(before, after) {
				continue
			}
			if s.Spelling == "" {
				return key
			}
			return s.Spelling
		}
	}
	return w.Spell(key, language)
}

// Respell writes a piece of an order file with the spellings of its keywords in a language.
func (w *Words) Respell(text, language string) string { return w.respell(text, language, "", "") }

// respell is [Words.Respell] of a text that stands somewhere itself.
func (w *Words) respell(text, language, before, after string) string {
	if len(w.senses) == 0 {
		return Respell(text, func(word string) string { return w.Spell(word, language) })
	}
	return eachWord(text, func(word string, from int) string {
		if w.senses[word] == nil {
			return w.Spell(word, language)
		}
		return w.SpellIn(word, language, before+text[:from], text[from+len(word):]+after)
	})
}

// beginning is the beginning of a node on one line: as much as tells what it is.
func beginning(n *Node) string {
	switch n.Kind {
	case Map:
		return "{"
	case List:
		return "["
	}
	return n.Text
}
