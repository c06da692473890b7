package shape

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"berthier/orders"
)

// A JSON Schema of order files, for editors. Every scalar of an order file is text, but
// an editor takes n for false, and 12 for a number: the schema allows whatever an editor
// may take a word for. Keywords may be spelt in any language that the program knows, with
// capitals or without, with hyphens or without: the schema offers the spelling of one
// language and allows all.

// A maker makes schemas.
type maker struct {
	vocabulary *orders.Words
	language   string
	names      Names
	shared     map[string]any    // by their names, for $defs
	alike      map[string]string // the names of schemas that were shared without a name of their own, by their text
}

// anyOf is a schema that allows each of several schemas.
func anyOf(all ...map[string]any) map[string]any {
	if len(all) == 1 {
		return all[0]
	}
	list := make([]any, len(all))
	for i, one := range all {
		list[i] = one
	}
	return map[string]any{"anyOf": list}
}

// define keeps a schema under a name, and gives the reference that stands for it.
func (m *maker) define(name string, make func() map[string]any) map[string]any {
	if _, ok := m.shared[name]; !ok {
		m.shared[name] = nil // under way
		m.shared[name] = make()
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}

// share keeps once a schema that may come again, under its kind and a number.
func (m *maker) share(kind string, schema map[string]any) map[string]any {
	text, err := json.Marshal(schema)
	if err != nil {
		panic("shape: " + err.Error()) // a schema is plain data
	}
	if len(text) < shareFrom {
		return schema
	}
	name, ok := m.alike[string(text)]
	if !ok {
		name = kind + "-" + strconv.Itoa(len(m.alike)+1)
		m.alike[string(text)] = name
		m.shared[name] = schema
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}

// shareFrom is the length, in bytes, from which a schema is kept only once.
const shareFrom = 120

// spelt is how a keyword is written in the language of the schema.
func (m *maker) spelt(word string) string {
	return strings.ReplaceAll(m.vocabulary.Spell(word, m.language), "_", "-")
}

// exact are spellings of a keyword, in all languages, letter by letter.
func (m *maker) exact(word string) []string {
	var all []string
	for _, s := range m.vocabulary.Spellings(word) {
		for _, one := range []string{s, strings.ReplaceAll(s, "_", "-"), strings.ReplaceAll(s, "-", "_"), strings.ReplaceAll(s, " ", "-")} {
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// pattern finds spellings whatever their case and punctuation. A spelling with letters
// that are not ASCII is found only as it is; see [foreign].
func pattern(spellings []string) string {
	var all []string
	for _, s := range spellings {
		var b strings.Builder
		for i, c := range orders.Fold(s) {
			if i > 0 {
				b.WriteString(`[\W_]*`)
			}
			if c >= 'a' && c <= 'z' {
				b.WriteString("[" + strings.ToUpper(string(c)) + string(c) + "]")
			} else {
				b.WriteRune(c)
			}
		}
		for _, one := range []string{b.String(), plain(s)} {
			if one != "" && !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return `^[\W_]*(` + strings.Join(all, "|") + `)[\W_]*$`
}

// plain gives a spelling that has accents, as it is; "" for any other.
func plain(s string) string {
	for _, c := range s {
		if c >= 0x80 {
			return s
		}
	}
	return ""
}

// foreign finds text with a letter that is not ASCII: it may stand for a word that no
// pattern finds.
const foreign = `[^\x00-\x7F]`

// truths are the words that an editor may take for true or false.
var truths = []string{"y", "n", "yes", "no", "on", "off", "true", "false"}

func (s words) schema(m *maker) map[string]any {
	var enum []any
	var spellings []string
	truth := false
	for _, word := range s {
		if one := m.spelt(word); !slices.Contains(enum, any(one)) {
			enum = append(enum, one)
		}
		for _, one := range m.exact(word) {
			spellings = append(spellings, one)
			truth = truth || slices.Contains(truths, orders.Fold(one))
		}
	}
	all := []map[string]any{{"enum": enum}, {"type": "string", "pattern": pattern(spellings)}, {"type": "string", "pattern": foreign}}
	if truth {
		all = append(all, map[string]any{"type": "boolean"})
	}
	if s.empty() {
		all = append(all, map[string]any{"type": "array", "maxItems": 0}, map[string]any{"type": "object", "maxProperties": 0})
	}
	return m.share("word", anyOf(all...))
}

func (s name) schema(m *maker) map[string]any {
	return m.define(string(s), func() map[string]any {
		text := map[string]any{"type": []any{"string", "number", "boolean"}}
		var enum []any
		if m.names != nil {
			for _, c := range m.names(string(s)) {
				enum = append(enum, c.ID)
			}
		}
		if len(enum) == 0 {
			return text
		}
		return anyOf(map[string]any{"enum": enum}, text) // names have further spellings
	})
}

func (s number) schema(*maker) map[string]any {
	return anyOf(map[string]any{"type": "integer", "minimum": s.low, "maximum": s.high},
		map[string]any{"type": "string", "pattern": "^(" + between(s.low, s.high) + ")$"}) // in quotes
}

// between is a pattern of the whole numbers from low to high.
func between(low, high int) string {
	var all []string
	if low < 0 {
		all = append(all, "-("+between(max(1, -high), -low)+")")
		low = 0
	}
	for low <= high {
		top := 9 // the last number with as many digits as low
		for top < low {
			top = 10*top + 9
		}
		top = min(top, high)
		all = append(all, asLong(strconv.Itoa(low), strconv.Itoa(top)))
		low = top + 1
	}
	return strings.Join(all, "|")
}

// asLong is a pattern of the numbers from low to high, which have as many digits.
func asLong(low, high string) string {
	n := len(low) - 1
	switch {
	case low == high:
		return low
	case n == 0:
		return "[" + low + "-" + high + "]"
	case low[0] == high[0]:
		return low[:1] + "(" + asLong(low[1:], high[1:]) + ")"
	}
	first, last := low[0], high[0]
	var all []string
	if strings.Trim(low[1:], "0") != "" {
		all, first = append(all, low[:1]+"("+asLong(low[1:], strings.Repeat("9", n))+")"), first+1
	}
	if strings.Trim(high[1:], "9") != "" {
		all, last = append(all, high[:1]+"("+asLong(strings.Repeat("0", n), high[1:])+")"), last-1
	}
	if first <= last {
		all = append(all, "["+string(first)+"-"+string(last)+"]"+strings.Repeat("[0-9]", n))
	}
	return strings.Join(all, "|")
}

func (s checked) schema(m *maker) map[string]any {
	if s.pattern == "" {
		return s.name.schema(m)
	}
	return m.define(string(s.name), func() map[string]any {
		text := map[string]any{"type": "string", "pattern": s.pattern}
		if s.bound == 0 {
			return text
		}
		return anyOf(map[string]any{"type": "number", "exclusiveMinimum": -s.bound, "exclusiveMaximum": s.bound}, text)
	})
}

func (s said) schema(m *maker) map[string]any {
	return map[string]any{"type": "string", "pattern": strings.TrimSuffix(pattern(m.exact(s.word)), `[\W_]*$`) + ` `}
}

func (s list) schema(m *maker) map[string]any {
	of := s.of.schema(m)
	items := of
	if s.ends {
		items = anyOf(of, words{"end"}.schema(m))
	}
	return m.share("list", anyOf(map[string]any{"type": "array", "items": items}, of, words{"none"}.schema(m)))
}

func (s pairs) schema(m *maker) map[string]any {
	all := map[string]any{"type": "object", "additionalProperties": s.value.schema(m)}
	if keys, ok := s.key.(words); ok {
		all["propertyNames"] = keys.schema(m)
	}
	return all
}

// A lettering is how the keys of a record are spelt.
type lettering struct {
	offered map[string]string   // in the language of the schema
	all     map[string][]string // in every language
}

// letter spells the keys of a record. A spelling that two of them could have belongs to
// the first.
func (s record) letter(m *maker) lettering {
	l := lettering{map[string]string{}, map[string][]string{}}
	claimed := map[string]string{}
	for _, k := range s.keys {
		for _, one := range m.exact(k.Key) {
			f := orders.Fold(one)
			if claimed[f] == "" {
				claimed[f] = k.Key
			}
			if claimed[f] == k.Key {
				l.all[k.Key] = append(l.all[k.Key], one)
			}
		}
		l.offered[k.Key] = m.spelt(k.Key)
		if claimed[orders.Fold(l.offered[k.Key])] != k.Key {
			l.offered[k.Key] = k.Key
		}
	}
	return l
}

// has demands that a map has one of some keys, in whatever spelling.
func (l lettering) has(keys ...string) map[string]any {
	var one []map[string]any
	none := map[string]any{foreign: false}
	for _, key := range keys {
		one = append(one, map[string]any{"required": []any{l.offered[key]}})
		none[pattern(l.all[key])] = false
	}
	return anyOf(append(one, map[string]any{"not": map[string]any{"patternProperties": none}})...)
}

// lacks demands that a map does not have a key, in any spelling that belongs to no other key.
func (l lettering) lacks(key string) map[string]any {
	return map[string]any{"patternProperties": map[string]any{pattern(l.all[key]): false}}
}

func (s record) schema(m *maker) map[string]any { return m.share("record", s.asMap(m)) }

// asMap is the schema of the map itself.
func (s record) asMap(m *maker) map[string]any {
	l := s.letter(m)
	offered, found := map[string]any{}, map[string]any{foreign: true}
	var conditions []any
	for _, k := range s.keys {
		offered[l.offered[k.Key]] = map[string]any{}
		found[pattern(l.all[k.Key])] = k.Value.schema(m)
		if k.Need {
			conditions = append(conditions, l.has(k.Key))
		}
	}
	if len(s.least) > 0 {
		conditions = append(conditions, l.has(s.least...))
	}
	for i, one := range s.least {
		for _, other := range s.least[:i] {
			if s.most {
				conditions = append(conditions, map[string]any{"anyOf": []any{l.lacks(one), l.lacks(other)}})
			}
		}
	}
	all := map[string]any{"type": "object", "properties": offered, "patternProperties": found, "additionalProperties": false}
	if len(conditions) > 0 {
		all["allOf"] = conditions
	}
	return all
}

func (s verbs) schema(m *maker) map[string]any {
	all := record{keys: s.keys}.asMap(m)
	all["minProperties"], all["maxProperties"] = 1, 1
	return m.share("verb", all)
}

func (s either) schema(m *maker) map[string]any {
	var keywords words
	var all []map[string]any
	for _, one := range s {
		if w, ok := one.(words); ok {
			keywords = append(keywords, w...)
		}
	}
	if len(keywords) > 0 {
		all = append(all, keywords.schema(m))
	}
	for _, one := range s {
		if _, ok := one.(words); !ok {
			all = append(all, one.schema(m))
		}
	}
	return m.share("one", anyOf(all...))
}
