package shape

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"berthier/orders"
)

// Short forms. A value that people write often has a form for one line of words, beside its
// keys: "Beaumont - Thuin: F-01..F-06" for {move: {from: Beaumont, to: Thuin, units: [...]}}.
// A ruleset declares such a form beside the keys, see [InShort]. A key with its value behind
// it, without the colon, needs no declaration: "hits P-03, P-04", "fire F-05", "then ask".

// InShort gives a record, or verbs, short forms besides. A form is a line in which
//
//	{units}       stands for the value of the key units,
//	{move.from}   for that of the key from under the key move,
//	{via/-}       for a list with hyphens, not commas, between its items,
//	[ ... ]       for what may be left out,
//
// and anything else is a keyword, which may be written in any language, or one of the signs
// : - , and ;. A form that names an unknown key is a programmer's mistake.
func InShort(s Shape, forms ...string) Shape {
	var all []form
	for _, source := range forms {
		for _, parts := range expand(source) {
			for _, p := range parts {
				if p.slot && under(s, p.path) == nil {
					panic("shape: the short form " + source + " names a key that there is not: " + strings.Join(p.path, "."))
				}
			}
			all = append(all, form{parts: parts, source: source})
		}
	}
	switch s := s.(type) {
	case record:
		s.short, s.forms = all, new(formTable)
		return s
	case verbs:
		s.short, s.forms = all, new(formTable)
		return s
	}
	panic("shape: only records and verbs have short forms")
}

// A form is a short form, one way through what may be left out.
type form struct {
	parts  []part
	source string // as it was declared; "" for one that was not
}

// A formTable holds the forms of a shape, worked out when they are first asked for: shapes are made
// once and asked for with each order file.
type formTable struct {
	once sync.Once
	all  []form
}

// of gives the forms, which nobody changes.
func (f *formTable) of(work func() []form) []form {
	if f == nil { // of a shape that was made for the moment
		return work()
	}
	f.once.Do(func() { f.all = slices.Clip(work()) })
	return f.all
}

// A part of a form is the place of a value, a sign or a keyword.
type part struct {
	slot    bool
	path    []string // of the value: keys, and items for the items of a list
	between byte     // the sign between the items of a list; 0 for commas
	sign    byte
	word    string
}

// items is the step of a path from a list to its items.
const items = "[]"

// signs are the signs of forms.
const signs = ":-,;"

// expand takes the source of a form apart: all ways through what may be left out, those that
// leave nothing out first.
func expand(source string) [][]part {
	open := strings.IndexByte(source, '[')
	if open < 0 {
		return [][]part{parted(source)}
	}
	end, deep := open, 0
	for ; ; end++ {
		switch source[end] {
		case '[':
			deep++
		case ']':
			deep--
		}
		if deep == 0 {
			break
		}
	}
	before, inside, behind := source[:open], source[open+1:end], source[end+1:]
	return append(expand(before+inside+behind), expand(before+behind)...)
}

// parted takes a form without anything that may be left out apart.
func parted(source string) []part {
	var all []part
	for {
		source = strings.TrimLeft(source, " ")
		switch {
		case source == "":
			return all
		case source[0] == '{':
			path, rest, _ := strings.Cut(source[1:], "}")
			p := part{slot: true}
			if name, sign, ok := strings.Cut(path, "/"); ok {
				path, p.between = name, sign[0]
			}
			p.path, source = strings.Split(path, "."), rest
			all = append(all, p)
		case strings.IndexByte(signs, source[0]) >= 0:
			all, source = append(all, part{sign: source[0]}), source[1:]
		default:
			end := strings.IndexAny(source, " :,;{")
			if end < 0 {
				end = len(source)
			}
			all, source = append(all, part{word: source[:end]}), source[end:]
		}
	}
}

// under finds the shape at a path; nil if there is none.
func under(s Shape, path []string) Shape {
	if len(path) == 0 {
		return s
	}
	switch s := s.(type) {
	case record:
		return underKey(s.keys, path)
	case verbs:
		return underKey(s.keys, path)
	case list:
		if path[0] == items {
			return under(s.of, path[1:])
		}
	case either:
		var all []Shape
		for _, one := range s {
			if found := under(one, path); found != nil {
				all = append(all, found)
			}
		}
		switch len(all) {
		case 0:
			return nil
		case 1:
			return all[0]
		}
		return Either(all...)
	}
	return nil
}

func underKey(keys []Key, path []string) Shape {
	for _, k := range keys {
		if k.Key == path[0] {
			return under(k.Value, path[1:])
		}
	}
	return nil
}

// formsOf are the forms of one line that is a record or one of some verbs: those that were
// declared, and each key with its value behind it. The one key of a record that must be
// written may be left out.
func formsOf(s Shape) []form {
	switch s := s.(type) {
	case record:
		return s.forms.of(s.lines)
	case verbs:
		return s.forms.of(s.lines)
	case either:
		var all []form
		for _, one := range s {
			all = append(all, formsOf(one)...)
		}
		return all
	}
	return nil
}

func (s record) lines() []form {
	sole, _ := oneField(s)
	all := slices.Clone(s.short)
	for _, k := range s.keys {
		inner := formsIn(k.Value)
		all = append(all, behind(k.Key, inner, true)...)
		if l, ok := k.Value.(list); k.Key == sole || ok && isVerbs(l.of) {
			all = append(all, behind(k.Key, inner, false)...)
		}
	}
	return all
}

func (s verbs) lines() []form {
	all := slices.Clone(s.short)
	for _, k := range s.keys {
		all = append(all, behind(k.Key, formsIn(k.Value), true)...)
	}
	return all
}

func isVerbs(s Shape) bool {
	_, ok := s.(verbs)
	return ok
}

// formsIn are the forms of the value of a key.
func formsIn(s Shape) []form {
	bare := []form{{parts: []part{{slot: true}}}}
	switch s := s.(type) {
	case record:
		return formsOf(s)
	case verbs:
		return formsOf(s)
	case list:
		if isVerbs(s.of) {
			return within(items, formsOf(s.of))
		}
	case either:
		for _, one := range s {
			if r, ok := one.(record); ok {
				bare = append(bare, formsOf(r)...)
			}
		}
	}
	return bare
}

// behind gives forms of a value their key in front: as a word of the line, or only as the
// place of what they hold.
func behind(key string, forms []form, spoken bool) []form {
	all := within(key, forms)
	for i := range all {
		if spoken {
			all[i].parts = append([]part{{word: key}}, all[i].parts...)
		}
	}
	return all
}

// within puts what forms hold under a step of a path.
func within(step string, forms []form) []form {
	all := make([]form, len(forms))
	for i, f := range forms {
		parts := slices.Clone(f.parts)
		for k := range parts {
			if parts[k].slot {
				parts[k].path = append([]string{step}, parts[k].path...)
			}
		}
		all[i] = form{parts, f.source}
	}
	return all
}

// put puts a value at a path of a tree of maps and lists of one item.
func put(root *orders.Node, path []string, value *orders.Node) {
	if path[0] == items {
		if len(path) == 1 {
			root.Items = []*orders.Node{value}
			return
		}
		if len(root.Items) == 0 {
			root.Items = []*orders.Node{branch(root, path[1:])}
		}
		put(root.Items[0], path[1:], value)
		return
	}
	for _, p := range root.Pairs {
		if p.Key.Text == path[0] {
			put(p.Value, path[1:], value)
			return
		}
	}
	if len(path) > 1 {
		inner := branch(root, path[1:])
		set(root, path[0], inner)
		put(inner, path[1:], value)
		return
	}
	set(root, path[0], value)
}

// set adds a key that stands at the place of its value.
func set(root *orders.Node, key string, value *orders.Node) {
	root.Pairs = append(root.Pairs, orders.Pair{Key: &orders.Node{Text: key, Line: value.Line, Column: value.Column}, Value: value})
}

// branch is what stands at the beginning of a path: a map, or a list.
func branch(at *orders.Node, path []string) *orders.Node {
	n := &orders.Node{Kind: orders.Map, Flow: true, Line: at.Line, Column: at.Column}
	if path[0] == items {
		n.Kind = orders.List
	}
	return n
}

// Lines writes the value of an orders key in normal form as short lines, in the words of a
// language: one for each item of a list, and for each part of a record that has a form of its
// own. What has no short form is written on one line with its keys. It gives nothing for a
// value that is a word.
func Lines(n *orders.Node, s Shape, vocabulary *orders.Words, language string) []string {
	w := writer{vocabulary, language}
	if all, ok := s.(either); ok {
		for _, one := range all {
			if lines := Lines(n, one, vocabulary, language); lines != nil {
				return lines
			}
		}
		return nil
	}
	var out []string
	switch s := s.(type) {
	case list:
		if n.Kind != orders.List {
			return nil
		}
		for _, item := range n.Items {
			text, ok := w.line(item, s.of)
			if !ok {
				text = w.long(item)
			}
			out = append(out, text)
		}
	case record:
		if n.Kind != orders.Map || len(n.Pairs) == 0 { // what says nothing has no lines
			return nil
		}
		w.apart(n, s, &out)
	}
	return out
}

// A writer writes short lines.
type writer struct {
	vocabulary *orders.Words
	language   string
}

// apart writes a record by as few lines as possible.
func (w *writer) apart(n *orders.Node, s Shape, out *[]string) {
	if text, ok := w.line(n, s); ok {
		*out = append(*out, text)
		return
	}
	pieces := split(n)
	if len(pieces) < 2 {
		*out = append(*out, w.long(n))
		return
	}
	for _, one := range pieces {
		w.apart(one, s, out)
	}
}

// split takes a tree apart where it first branches.
func split(n *orders.Node) []*orders.Node {
	var all []*orders.Node
	switch {
	case n.Kind == orders.Map && len(n.Pairs) == 1:
		for _, one := range split(n.Pairs[0].Value) {
			all = append(all, &orders.Node{Kind: orders.Map, Flow: true, Pairs: []orders.Pair{{Key: n.Pairs[0].Key, Value: one}}})
		}
	case n.Kind == orders.Map:
		for _, p := range n.Pairs {
			all = append(all, &orders.Node{Kind: orders.Map, Flow: true, Pairs: []orders.Pair{p}})
		}
	case n.Kind == orders.List && len(n.Items) > 1 && !slices.ContainsFunc(n.Items, isNumber): // the numbers of a place stay together
		for _, item := range n.Items {
			all = append(all, &orders.Node{Kind: orders.List, Flow: true, Items: []*orders.Node{item}})
		}
	}
	return all
}

// isNumber tells whether a value is a number.
func isNumber(n *orders.Node) bool {
	_, err := strconv.ParseFloat(n.Text, 64)
	return n.Kind == orders.Scalar && err == nil
}

// long writes a value with its keys, on one line.
func (w *writer) long(n *orders.Node) string {
	text := n.OneLine()
	if n.Kind == orders.Map && len(n.Pairs) == 1 {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	}
	return text
}

// line writes a record, or a verb, by the shortest of its forms that says all of it.
func (w *writer) line(n *orders.Node, s Shape) (best string, found bool) {
	for _, f := range formsOf(s) {
		if text, ok := w.by(f, n, s); ok && (!found || len(text) < len(best)) {
			best, found = text, true
		}
	}
	return best, found
}

// declared writes a record within a line, by the first of the forms that were declared for it
// and say all of it.
func (w *writer) declared(forms []form, n *orders.Node, s Shape) (string, bool) {
	for _, f := range forms {
		if text, ok := w.by(f, n, s); ok && n.Kind == orders.Map {
			return text, true
		}
	}
	return "", false
}

// by writes a value by a form, if the form says all of it.
func (w *writer) by(f form, n *orders.Node, s Shape) (string, bool) {
	if !f.says(n) {
		return "", false
	}
	var b strings.Builder
	for i, p := range f.parts {
		if i > 0 && p.sign != ':' && p.sign != ',' && p.sign != ';' {
			b.WriteByte(' ')
		}
		switch {
		case p.sign != 0:
			b.WriteByte(p.sign)
		case p.word != "":
			b.WriteString(w.vocabulary.Spell(p.word, w.language))
		default:
			text, ok := w.value(reach(n, p.path), under(s, p.path), p.between)
			if !ok {
				return "", false
			}
			b.WriteString(text)
		}
	}
	return b.String(), true
}

// says tells whether the places of a form hold all of a value, and all of them are filled.
func (f form) says(n *orders.Node) bool {
	for _, p := range f.parts {
		if p.slot && reach(n, p.path) == nil {
			return false
		}
	}
	whole := &orders.Node{Kind: orders.Map}
	for _, p := range f.parts {
		if p.slot {
			put(whole, p.path, reach(n, p.path))
		}
	}
	return same(whole, n)
}

// reach finds what stands at a path.
func reach(n *orders.Node, path []string) *orders.Node {
	for _, step := range path {
		if step == items {
			if n.Kind != orders.List || len(n.Items) != 1 {
				return nil
			}
			n = n.Items[0]
		} else if n = n.Get(step); n == nil {
			return nil
		}
	}
	return n
}

// same tells whether two trees say the same, whatever the order of their keys.
func same(a, b *orders.Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Pairs) != len(b.Pairs) || len(a.Items) != len(b.Items) {
		return false
	}
	for _, p := range a.Pairs {
		if other := b.Get(p.Key.Text); other == nil || !same(p.Value, other) {
			return false
		}
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}

// value writes what stands in the place of a form.
func (w *writer) value(n *orders.Node, s Shape, between byte) (string, bool) {
	if all, ok := s.(either); ok {
		for _, one := range all {
			if text, ok := w.value(n, one, between); ok {
				return text, true
			}
		}
		return "", false
	}
	switch s := s.(type) {
	case words:
		word, ok := w.vocabulary.Key(n.Text, s)
		if spelt := w.vocabulary.Spell(word, w.language); !strings.EqualFold(spelt, n.Text) { // a facing is a capital
			return spelt, ok && n.Kind == orders.Scalar
		}
		return n.Text, ok && n.Kind == orders.Scalar
	case said:
		head, tail, _ := strings.Cut(n.Text, " ")
		_, ok := w.vocabulary.Key(head, []string{s.word})
		value, sure := w.value(orders.Text(tail), s.then, 0)
		return w.vocabulary.Spell(s.word, w.language) + " " + value, ok && sure && n.Kind == orders.Scalar
	case name, number, checked:
		return n.Text, n.Kind == orders.Scalar && n.Text != "" && !strings.ContainsAny(n.Text, ":,;[]{}#\"")
	case list:
		return w.list(n, s, between)
	case record:
		return w.declared(s.short, n, s)
	case verbs:
		return w.declared(s.short, n, s)
	case pairs:
		if n.Kind != orders.Map || len(n.Pairs) != 1 {
			return "", false // two colons in a line would be a fault
		}
		key, ok := w.value(n.Pairs[0].Key, s.key, 0)
		value, sure := w.value(n.Pairs[0].Value, s.value, 0)
		return key + ": " + value, ok && sure
	}
	return "", false
}

func (w *writer) list(n *orders.Node, s list, between byte) (string, bool) {
	if n.Kind == orders.Scalar && n.Text == "none" || n.Kind == orders.List && len(n.Items) == 0 {
		return w.vocabulary.Spell("none", w.language), !s.filled
	}
	if n.Kind == orders.Scalar { // a list of one
		return w.value(n, s.of, 0)
	}
	if n.Kind != orders.List {
		return "", false
	}
	var all []string
	for _, item := range n.Items {
		text, ok := w.value(item, s.of, 0)
		if !ok {
			return "", false
		}
		all = append(all, text)
	}
	if len(all) > 1 && slices.ContainsFunc(all, func(text string) bool { return strings.Contains(text, ": ") }) {
		return "", false // two colons in a line would be a fault
	}
	sign := ", "
	if between != 0 {
		sign = " " + string(between) + " "
	}
	return strings.Join(all, sign), true
}

// Forms lists the short forms of the answers to a stop as the order reference shows them, in
// a language: keys in capitals stand for their values, square brackets hold what may be left
// out. Forms that are a key with its value behind it are left out: all keys have them.
func Forms(s Shape, vocabulary *orders.Words, language string) []string {
	var all []string
	for _, f := range declared(s, "") {
		text := f
		for {
			open := strings.IndexByte(text, '{')
			if open < 0 {
				break
			}
			end := open + strings.IndexByte(text[open:], '}')
			path, sign, several := strings.Cut(text[open+1:end], "/")
			key := path[strings.LastIndexByte(path, '.')+1:]
			shown := strings.ToUpper(vocabulary.Spell(key, language))
			if several {
				shown += " " + sign + " ..."
			}
			text = text[:open] + shown + text[end+1:]
		}
		text = spelt(text, vocabulary, language)
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// spelt writes the keywords of a form, which stand in small letters, in a language.
func spelt(text string, vocabulary *orders.Words, language string) string {
	var b strings.Builder
	word := func(c rune) bool { return unicode.IsLower(c) || c == '-' }
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(c rune) bool { return !word(c) })
		if end < 0 {
			end = len(text)
		}
		if end > 1 {
			b.WriteString(vocabulary.Spell(text[:end], language))
		} else {
			b.WriteString(text[:end])
		}
		if text = text[end:]; text != "" {
			stop := strings.IndexFunc(text, word)
			if stop < 0 {
				stop = len(text)
			}
			b.WriteString(text[:stop])
			text = text[stop:]
		}
	}
	return b.String()
}

// declared are the sources of the forms that were declared for a shape and what stands in it,
// with the keys in front that are said before them.
func declared(s Shape, said string) []string {
	var all []string
	add := func(more ...string) {
		for _, one := range more {
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	own := func(forms []form, keys []Key) {
		for _, f := range forms {
			add(said + f.source)
		}
		for _, k := range keys {
			before := said + k.Key + " "
			if l, ok := k.Value.(list); ok && isVerbs(l.of) {
				before = ""
			}
			add(declared(k.Value, before)...)
		}
	}
	switch s := s.(type) {
	case record:
		own(s.short, s.keys)
	case verbs:
		own(s.short, s.keys)
	case list:
		add(declared(s.of, said)...)
	case pairs:
		add(declared(s.value, said)...)
	case either:
		for _, one := range s {
			add(declared(one, said)...)
		}
	}
	return all
}
