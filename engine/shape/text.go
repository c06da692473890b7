package shape

import (
	"slices"
	"strconv"
	"strings"

	"berthier/orders"
)

// A teller describes shapes in the short notation of the order reference.
type teller struct {
	vocabulary *orders.Words
	language   string
	kind       func(kind string) string // what a thing of a kind is called
	before     string                   // the keys in which what is described stands, in English
}

// word is a keyword in the language of the text.
func (t *teller) word(word string) string {
	return t.vocabulary.SpellIn(word, t.language, t.before, "")
}

// key is a keyword with a value behind it.
func (t *teller) key(word string, value Shape) string {
	if t.language == "en" {
		return word
	}
	english := teller{vocabulary: t.vocabulary, language: "en", kind: t.kind}
	return t.vocabulary.SpellIn(word, t.language, t.before, ": "+value.text(&english))
}

// keys describes the keys of one map, each with those that stand before it.
func (t *teller) keys(all []Key, describe func(k Key)) {
	t.within("{", func() {
		for _, k := range all {
			describe(k)
			t.before += k.Key + ": , "
		}
	})
}

// value describes the value of a key.
func (t *teller) value(k Key) (text string) {
	t.within(k.Key+": ", func() { text = k.Value.text(t) })
	return text
}

// rows are the rows of a key.
func (t *teller) rows(key string, k Key, deep int) (all []Row) {
	t.within(k.Key+": ", func() { all = keyRows(key, k.Value, t, deep) })
	return all
}

// within describes something with a text before it.
func (t *teller) within(before string, describe func()) {
	outer := t.before
	t.before += before
	describe()
	t.before = outer
}

func (s words) text(t *teller) string {
	var all []string
	for _, word := range s {
		all = append(all, t.word(word))
	}
	return strings.Join(all, " | ")
}

func (s name) text(t *teller) string { return strings.ToUpper(t.kind(string(s))) }

func (s number) text(*teller) string { return strconv.Itoa(s.low) + ".." + strconv.Itoa(s.high) }

func (s said) text(t *teller) string { return t.word(s.word) + " (" + s.then.text(t) + ")" }

func (s list) text(t *teller) (text string) {
	t.within("[", func() { text = "[" + s.of.text(t) + ", ...]" })
	return text
}

func (s pairs) text(t *teller) (text string) {
	t.within("{: ", func() { text = "{" + s.key.text(t) + ": " + s.value.text(t) + ", ...}" })
	return text
}

func (s record) text(t *teller) string {
	var all []string
	t.keys(s.keys, func(k Key) { all = append(all, s.key(k, t)+": "+t.value(k)) })
	return "{" + strings.Join(all, ", ") + "}"
}

// key is a key, with a question mark if it may be left out.
func (s record) key(k Key, t *teller) string {
	if k.Need {
		return t.key(k.Key, k.Value)
	}
	return t.key(k.Key, k.Value) + "?"
}

func (s verbs) text(t *teller) string {
	var all []string
	for i := range s.keys { // each is a map of its own
		t.keys(s.keys[i:i+1], func(k Key) { all = append(all, "{"+t.key(k.Key, k.Value)+": "+t.value(k)+"}") })
	}
	return strings.Join(all, " | ")
}

// flat is what s takes, one way beside the other, and no word twice.
func (s either) flat() []Shape {
	var all []Shape
	var said words
	for _, one := range s {
		inner := []Shape{one}
		if e, ok := one.(either); ok {
			inner = e.flat()
		}
		for _, one := range inner {
			if w, ok := one.(words); ok {
				w = slices.DeleteFunc(slices.Clone(w), func(word string) bool { return slices.Contains(said, word) })
				if said = append(said, w...); len(w) == 0 {
					continue
				}
				one = w
			}
			all = append(all, one)
		}
	}
	return all
}

func (s either) text(t *teller) string {
	var all []string
	for _, one := range s.flat() {
		if l, ok := one.(list); !ok || !l.closed {
			all = append(all, one.text(t))
		}
	}
	return strings.Join(all, " | ")
}

// A Row is one key of a value with how its value is written.
type Row struct {
	Key   string // "" for what stands there without a key
	Deep  int    // how many levels the row is indented
	Value string // "" where the value follows in rows of its own
}

// Rows describes a shape key by key, in a language, without the words default and none,
// which may stand in its place; kind says what a thing of a kind is called in the language.
func Rows(s Shape, vocabulary *orders.Words, language string, kind func(kind string) string) []Row {
	t := &teller{vocabulary: vocabulary, language: language, kind: kind}
	if all, ok := s.(either); ok { // it need not be told that these may stand anywhere
		var others either
		for _, one := range all {
			if l, ok := one.(list); ok && l.closed {
				continue
			}
			if w, ok := one.(words); ok {
				if w = slices.DeleteFunc(slices.Clone(w), func(word string) bool { return word == "default" || word == "none" }); len(w) == 0 {
					continue
				}
				one = w
			}
			others = append(others, one)
		}
		if s = others; len(others) == 1 {
			s = others[0]
		}
	}
	return rows(s, t, 0)
}

// most is how many characters stand in one row, if the value can be taken apart.
const most = 60

func rows(s Shape, t *teller, deep int) []Row {
	switch s := s.(type) {
	case record:
		var all []Row
		t.keys(s.keys, func(k Key) { all = append(all, t.rows(s.key(k, t), k, deep)...) })
		return all
	case verbs:
		var all []Row
		for i := range s.keys {
			t.keys(s.keys[i:i+1], func(k Key) { all = append(all, t.rows("- "+t.key(k.Key, k.Value), k, deep)...) })
		}
		return all
	case list:
		if text := s.text(t); len(text) > most {
			var inner []Row
			t.within("[", func() { inner = rows(s.of, t, deep) })
			if _, dashes := s.of.(verbs); dashes {
				return inner
			}
			return append([]Row{{Deep: deep, Value: "[...]"}}, inner...)
		}
	case either:
		var all []Row
		var short []string
		for _, one := range s.flat() {
			if text := one.text(t); len(text) <= most {
				short = append(short, text)
			} else {
				all = append(all, rows(one, t, deep)...)
			}
		}
		if len(short) > 0 {
			all = append([]Row{{Deep: deep, Value: strings.Join(short, " | ")}}, all...)
		}
		return all
	}
	return []Row{{Deep: deep, Value: s.text(t)}}
}

// keyRows describes one key.
func keyRows(key string, value Shape, t *teller, deep int) []Row {
	if _, ok := value.(record); ok && len(value.text(t)) <= most {
		return []Row{{key, deep, value.text(t)}}
	}
	inner := rows(value, t, deep+1)
	if len(inner) == 1 && inner[0].Key == "" {
		return []Row{{key, deep, inner[0].Value}}
	}
	head := Row{Key: key, Deep: deep}
	if inner[0].Key == "" {
		head.Value, inner = inner[0].Value, inner[1:]
	}
	return append([]Row{head}, inner...)
}
