package play

import (
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of every scenario file, far above any real one: a file from a stranger
// may not make the house compute without end.
const (
	mostFile   = 1 << 20 // bytes
	mostLetter = 80      // letters of a name
)

// notes are keys that every item of a scenario file may have and that no rule
// reads.
var notes = []string{"prov", "src", "why", "note"}

// A Loader reads a scenario file. A ruleset's own loader embeds it.
type Loader struct{ *orders.Reader }

// ReadScenario reads a scenario file, see [ReadFile].
func ReadScenario(data []byte, read func(l Loader, root *orders.Node)) orders.Problems {
	if len(data) > mostFile {
		return orders.Problems{{Why: phrase.Say("play.scenario-size", phrase.Number("most", mostFile))}}
	}
	return ReadFile(data, "play.scenario-empty", func(r *orders.Reader, root *orders.Node) { read(Loader{r}, root) })
}

// Noted reads a map that may have notes besides its keys.
func (l Loader) Noted(n *orders.Node, keys ...string) orders.Fields {
	return l.Fields(n, append(keys, notes...)...)
}

// IsNote tells whether a key of a scenario file is a note.
func IsNote(key string) bool {
	for _, note := range notes {
		if key == note {
			return true
		}
	}
	return false
}

// Name reads a short text that is printed as a name.
func (l Loader) Name(n *orders.Node) string {
	text, ok := l.Text(n)
	if ok && (strings.TrimSpace(text) == "" || len([]rune(text)) > mostLetter) {
		l.Refuse(n, "", phrase.Say("play.scenario-name", phrase.Number("most", mostLetter)))
	}
	return text
}

// Title reads a name by language, {en: ..., it: ...}, or one for all.
func (l Loader) Title(n *orders.Node) map[string]string {
	if n == nil {
		return nil
	}
	if n.Kind == orders.Scalar {
		return map[string]string{"en": l.Name(n)}
	}
	names := map[string]string{}
	f := l.Fields(n, "en", "it")
	for _, language := range []string{"en", "it"} {
		if text := f.Get(language); text != nil {
			names[language] = l.Name(text)
		}
	}
	return names
}
