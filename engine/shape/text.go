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
}

// word is a keyword in the language of the text.
func (t *teller) word(word string) string { return t.vocabulary.Spell(word, t.language) }

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

func (s list) text(t *teller) string { return "[" + s.of.text(t) + ", ...]" }

func (s pairs) text(t *teller) string { return "{" + s.key.text(t) + ": " + s.value.text(t) + ", ...}" }

func (s record) text(t *teller) string {
	var all []string
	for _, k := range s.keys {
		all = append(all, s.key(k, t)+": "+k.Value.text(t))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// key is a key, with a question mark if it may be left out.
func (s record) key(k Key, t *teller) string {
	if k.Need {
		return t.word(k.Key)
	}
	return t.word(k.Key) + "?"
}

func (s verbs) text(t *teller) string {
	var all []string
	for _, k := range s.keys {
		all = append(all, "{"+t.word(k.Key)+": "+k.Value.text(t)+"}")
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
	t := &teller{vocabulary, language, kind}
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
		for _, k := range s.keys {
			all = append(all, keyRows(s.key(k, t), k.Value, t, deep)...)
		}
		return all
	case verbs:
		var all []Row
		for _, k := range s.keys {
			all = append(all, keyRows("- "+t.word(k.Key), k.Value, t, deep)...)
		}
		return all
	case list:
		if text := s.text(t); len(text) > most {
			inner := rows(s.of, t, deep)
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
