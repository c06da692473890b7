// Package phrase is what the program says before it is put into words.
//
// Rules, orders and the office never hold a sentence: they hold a [Phrase], a
// code and what to fill in. The templates package looks the code up in the
// reader's language. So a refusal or an event is one stable value that tests,
// logs and rulings can compare, and every word a player reads stands in one
// catalogue.
package phrase

import (
	"slices"
	"strconv"
)

// A Phrase is one sentence, or part of one, waiting to be put into words.
type Phrase struct {
	Code string `json:"say" yaml:"say"`                       // key in the catalogue, such as "nap.fire"
	Args []Arg  `json:"with,omitempty" yaml:"with,omitempty"` // of what the sentence speaks
}

// An Arg fills one place of a sentence.
type Arg struct {
	Name  string `json:"n" yaml:"n"` // the place, as the catalogue writes it: {unit}
	Value Value  `json:"v" yaml:"v"`
}

// Kinds of [Value] that need no list of names.
const (
	KindNumber  = "#"  // Num
	KindLiteral = "="  // Text as it stands: a line of a letter, a name a person typed
	KindList    = "[]" // List, joined by commas
	KindPhrase  = "~"  // Say, put into words first
)

// KindKeyword is the kind of a keyword of order files: Text is the English keyword, and
// the reader sees it in his own language.
const KindKeyword = "keyword"

// KindCommand is the kind of a command of letters: Text is the English one, and the reader sees
// it in his own language.
const KindCommand = "command"

// KindOrders is the kind of a piece of an order file, such as {show: strongest}: Text has the
// English keywords, and the reader sees each of them in his own language, as the game's
// vocabulary spells it.
const KindOrders = "orders"

// A Value is a number, a text, a list, another phrase, or the name of a thing
// ("unit" F-03, "town" ligny), which is spelled in the reader's language.
type Value struct {
	Kind string  `json:"k" yaml:"k"` // one of the kinds above, or the kind of a named thing
	Text string  `json:"t,omitempty" yaml:"t,omitempty"`
	Num  int     `json:"i,omitempty" yaml:"i,omitempty"`
	List []Value `json:"l,omitempty" yaml:"l,omitempty"`
	Say  *Phrase `json:"p,omitempty" yaml:"p,omitempty"`
}

// Say makes a phrase.
func Say(code string, args ...Arg) Phrase { return Phrase{Code: code, Args: args} }

// IsZero tells whether there is nothing to say.
func (p Phrase) IsZero() bool { return p.Code == "" }

// Equal tells whether two phrases say the same of the same.
func (p Phrase) Equal(q Phrase) bool {
	return p.Code == q.Code && slices.EqualFunc(p.Args, q.Args, func(a, b Arg) bool { return a.Name == b.Name && a.Value.Equal(b.Value) })
}

// Equal tells whether two values are the same.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind || v.Text != w.Text || v.Num != w.Num || (v.Say == nil) != (w.Say == nil) {
		return false
	}
	return (v.Say == nil || v.Say.Equal(*w.Say)) && slices.EqualFunc(v.List, w.List, Value.Equal)
}

// AppendKey appends to a text what only an equal phrase appends to it, for use as a key of maps.
func (p Phrase) AppendKey(to []byte) []byte {
	to = appendText(to, p.Code)
	to = append(strconv.AppendInt(to, int64(len(p.Args)), 10), ' ')
	for _, a := range p.Args {
		to = a.Value.AppendKey(appendText(to, a.Name))
	}
	return to
}

// AppendKey appends to a text what only an equal value appends to it.
func (v Value) AppendKey(to []byte) []byte {
	to = appendText(appendText(to, v.Kind), v.Text)
	to = append(strconv.AppendInt(to, int64(v.Num), 10), ' ')
	to = append(strconv.AppendInt(to, int64(len(v.List)), 10), ' ')
	for _, w := range v.List {
		to = w.AppendKey(to)
	}
	if v.Say != nil {
		return v.Say.AppendKey(append(to, '~'))
	}
	return append(to, '.')
}

// appendText appends a text behind its length, so that it can't be taken for another that is
// longer or shorter.
func appendText(to []byte, text string) []byte {
	to = append(strconv.AppendInt(to, int64(len(text)), 10), ' ')
	return append(to, text...)
}

// Number fills a place with a whole number.
func Number(place string, n int) Arg { return Arg{place, Value{Kind: KindNumber, Num: n}} }

// Numbers fills a place with a list of numbers, such as dice.
func Numbers(place string, ns []int) Arg {
	list := make([]Value, len(ns))
	for i, n := range ns {
		list[i] = Value{Kind: KindNumber, Num: n}
	}
	return Arg{place, Value{Kind: KindList, List: list}}
}

// Literal fills a place with a text as it stands.
func Literal(place, text string) Arg { return Arg{place, Value{Kind: KindLiteral, Text: text}} }

// Literals fills a place with a list of texts as they stand.
func Literals(place string, texts []string) Arg { return Names(place, KindLiteral, texts) }

// Name fills a place with the name of a thing: kind "unit", id "F-03".
func Name(place, kind, id string) Arg { return Arg{place, Value{Kind: kind, Text: id}} }

// Names fills a place with the names of several things of one kind.
func Names(place, kind string, ids []string) Arg {
	list := make([]Value, len(ids))
	for i, id := range ids {
		list[i] = Value{Kind: kind, Text: id}
	}
	return Arg{place, Value{Kind: KindList, List: list}}
}

// NamesOf fills a place with the names of several things of one kind, whose ids a function
// gives.
func NamesOf[T any](place, kind string, things []T, id func(T) string) Arg {
	ids := make([]string, len(things))
	for i, t := range things {
		ids[i] = id(t)
	}
	return Names(place, kind, ids)
}

// Keywords fills a place with keywords of order files, in English.
func Keywords(place string, words []string) Arg { return Names(place, KindKeyword, words) }

// Within fills a place with another phrase.
func Within(place string, p Phrase) Arg { return Arg{place, Value{Kind: KindPhrase, Say: &p}} }

// Phrases fills a place with a list of phrases.
func Phrases(place string, ps []Phrase) Arg {
	list := make([]Value, len(ps))
	for i := range ps {
		list[i] = Value{Kind: KindPhrase, Say: &ps[i]}
	}
	return Arg{place, Value{Kind: KindList, List: list}}
}
