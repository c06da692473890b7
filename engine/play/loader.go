package play

import (
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of every scenario file, far above any real one: a stranger's file must not make
// the program compute without end.
const (
	mostFile   = 1 << 20 // bytes
	mostLetter = 80      // letters of a name
)

// notes are keys that every item of a scenario file may have and that no rule
// reads.
var notes = []string{"prov", "src", "why", "note"}

// A Loader judges a scenario file. A ruleset's own loader embeds it.
type Loader struct{ *orders.Reader }

// ReadScenario reads a scenario file, see [ReadFile].
func ReadScenario(data []byte, read func(l Loader, root *orders.Node)) orders.Problems {
	if len(data) > mostFile {
		return orders.Problems{{Why: phrase.Say("play.scenario-size", phrase.Number("most", mostFile))}}
	}
	return ReadFile(data, "play.scenario-empty", func(r *orders.Reader, root *orders.Node) { read(Loader{r}, root) })
}

// Of refuses a file that does not name the given ruleset as its own.
func (l Loader) Of(root *orders.Node, ruleset string) bool {
	n := root.Get("ruleset")
	if n == nil {
		l.Refuse(root, "", phrase.Say("order.missing-key", phrase.Name("key", phrase.KindKeyword, "ruleset")))
		return false
	}
	return OfRuleset(l.Reader, n, ruleset)
}

// Sound tells whether a value is there and nothing is wrong with it.
func (l Loader) Sound(n *orders.Node) bool {
	return n != nil && n.Kind == orders.Scalar &&
		!slices.ContainsFunc(l.Problems, func(p orders.Problem) bool { return p.Line == n.Line && p.Column == n.Column })
}

// Name reads a short text that is printed as a name.
func (l Loader) Name(n *orders.Node) string {
	text, ok := l.Text(n)
	if ok && (strings.TrimSpace(text) == "" || len([]rune(text)) > mostLetter) {
		l.Refuse(n, "", phrase.Say("play.scenario-name", phrase.Number("most", mostLetter)))
	}
	return text
}

// A Title is a name by language, {en: ..., it: ...}, or one for all.
type Title map[string]string

// MarshalPos implements [PosMarshaler].
func (t Title) MarshalPos(*Scribe) *orders.Node {
	n := orders.Inline()
	for _, language := range languages {
		if text, ok := t[language]; ok {
			n.Set(language, orders.Text(text))
		}
	}
	return n
}

// UnmarshalPos implements [PosUnmarshaler].
func (t *Title) UnmarshalPos(x *Scribe, n *orders.Node) { *t = Loader{x.Reader}.Title(n) }

// Raw is a value that other code reads, from its node.
type Raw struct{ Node *orders.Node }

// MarshalPos implements [PosMarshaler].
func (r Raw) MarshalPos(*Scribe) *orders.Node { return r.Node }

// UnmarshalPos implements [PosUnmarshaler].
func (r *Raw) UnmarshalPos(_ *Scribe, n *orders.Node) { r.Node = n }

// languages are those in which scenario files may give names.
var languages = []string{"en", "it"}

// NewScenarioCodec is a codec for reading a scenario file, in which every map may
// have notes. It learns what the file names, so each file needs its own.
func NewScenarioCodec() *Codec {
	c := NewCodec()
	c.Notes(notes...)
	return c
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
	f := l.Fields(n, languages...)
	for _, language := range languages {
		if text := f.Get(language); text != nil {
			names[language] = l.Name(text)
		}
	}
	return names
}
