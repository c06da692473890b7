package shape

import (
	"slices"
	"strings"
	"unicode/utf8"

	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of what is tried to read short lines of one file: no player's file comes near them,
// and a stranger's costs no more than a moment.
const (
	mostTries   = 40_000
	mostGuesses = 300
)

// Long gives the value of an orders key with its short lines written out as records, see
// [InShort]. Only what could not be read otherwise is taken for a short line, so nothing
// that has a meaning without them changes it. A line with one reading is taken, and told as a
// repair; one with two readings is refused, and both are named; one without any stays as it
// is. Names may be nil: then every name will do.
func Long(r *orders.Reader, n *orders.Node, s Shape, vocabulary *orders.Words, names Names) *orders.Node {
	if n == nil || s == nil || n.Kind == orders.Broken {
		return n
	}
	l := &liner{told: r, vocabulary: vocabulary, names: names, known: map[string]*kindKnown{}, tries: mostTries, guesses: mostGuesses}
	repairs, problems := len(r.Repairs), len(r.Problems)
	if written := l.long(n, s); len(r.Repairs) > repairs || len(r.Problems) > problems {
		return written
	}
	return n // nothing is read otherwise that nobody is told of
}

// A liner reads short lines.
type liner struct {
	told       *orders.Reader // takes the repairs and the faults
	vocabulary *orders.Words
	names      Names
	known      map[string]*kindKnown
	tries      int // how many may still be made
	guesses    int
	mends      bool // misspelt names and words are looked for
}

// fits tells whether a value is written as a shape says, slips included that a reader takes.
func (l *liner) fits(n *orders.Node, s Shape) bool {
	r := orders.NewReader(l.vocabulary)
	r.Mends = true
	Read(r, n, s, l.names)
	return len(r.Problems) == 0
}

// long writes out the short lines of a value.
func (l *liner) long(n *orders.Node, s Shape) *orders.Node {
	if n.Kind == orders.Broken || n.Null || l.fits(n, s) {
		return n
	}
	switch s := s.(type) {
	case either:
		return l.oneOf(n, s)
	case list:
		return l.list(n, s)
	case record:
		return l.record(n, s)
	case verbs:
		if n.Kind == orders.Map && len(n.Pairs) == 1 {
			if k, ok := l.keyOf(n.Pairs[0].Key, s.keys); ok {
				return l.under(n, 0, k)
			}
		}
		if got := l.line(n, s); got != nil {
			return got
		}
	case pairs:
		for i := range n.Pairs {
			n = l.under(n, i, Key{Value: s.value})
		}
	}
	return n
}

// under writes out the value of one key of a map, in a copy of the map if anything changes.
func (l *liner) under(n *orders.Node, i int, k Key) *orders.Node {
	value := l.long(n.Pairs[i].Value, k.Value)
	if value == n.Pairs[i].Value {
		return n
	}
	c := *n
	c.Pairs = slices.Clone(n.Pairs)
	c.Pairs[i].Value = value
	return &c
}

// oneOf writes a value out by the first of several shapes by which it then can be read; if
// there is none, by the first that makes anything of it.
func (l *liner) oneOf(n *orders.Node, s either) *orders.Node {
	var best *orders.Node
	for _, one := range s {
		repairs, problems := len(l.told.Repairs), len(l.told.Problems)
		got := l.long(n, one)
		if got == n {
			continue
		}
		if best == nil {
			best = got
		}
		if l.fits(got, one) || len(l.told.Problems) > problems {
			return got
		}
		if best != got {
			l.told.Repairs = l.told.Repairs[:repairs]
		}
	}
	if best == nil {
		return n
	}
	return best
}

// list writes out the lines of a list. A map whose keys are none of its items' is as many
// lines as it has keys.
func (l *liner) list(n *orders.Node, s list) *orders.Node {
	lines := []*orders.Node{n}
	if n.Kind == orders.List {
		lines = n.Items
	} else if apart := l.apart(n, s.of); apart != nil {
		lines = apart
	}
	out := &orders.Node{Kind: orders.List, Line: n.Line, Column: n.Column}
	changed := false
	for _, item := range lines {
		got := l.long(item, s.of)
		if got == item {
			if one := l.line(item, s.of); one != nil {
				got = one
			}
		}
		changed = changed || got != item
		out.Items = append(out.Items, got)
	}
	if !changed {
		return n
	}
	return out
}

// apart takes a map apart into as many lines as it has keys, if the keys are no keys of the
// shape; nil if that is not so.
func (l *liner) apart(n *orders.Node, s Shape) []*orders.Node {
	if n.Kind != orders.Map || len(n.Pairs) < 2 {
		return nil
	}
	var all []*orders.Node
	for _, p := range n.Pairs {
		if p.Key.Kind == orders.Broken {
			continue // its fault is told already, and makes no line beside it unreadable
		}
		if _, ok := l.keyOf(p.Key, keysOf(s)); ok {
			return nil
		}
		all = append(all, &orders.Node{Kind: orders.Map, Line: p.Key.Line, Column: p.Key.Column, Pairs: []orders.Pair{p}})
	}
	return all
}

// keysOf are the keys of a record, or verbs.
func keysOf(s Shape) []Key {
	switch s := s.(type) {
	case record:
		return s.keys
	case verbs:
		return s.keys
	case either:
		var all []Key
		for _, one := range s {
			all = append(all, keysOf(one)...)
		}
		return all
	}
	return nil
}

// keyOf finds which of some keys a key is, misspelt or not.
func (l *liner) keyOf(n *orders.Node, keys []Key) (Key, bool) {
	if n.Kind == orders.Broken {
		return Key{}, true // its fault is told already
	}
	r := orders.NewReader(l.vocabulary)
	r.Mends = true
	for _, k := range keys {
		if r.Is(n, k.Key) {
			return k, true
		}
	}
	all := record{keys: keys}.names()
	if word, ok := r.Word(n, all...); ok && len(all) > 0 {
		return keys[slices.Index(all, word)], true
	}
	return Key{}, false
}

// record writes out the lines of a record. They may stand in a list, each with a part of it.
func (l *liner) record(n *orders.Node, s record) *orders.Node {
	var parts []*orders.Node
	switch n.Kind {
	case orders.Scalar:
		parts = []*orders.Node{n}
	case orders.List:
		parts = n.Items
	case orders.Map:
		for i, p := range n.Pairs {
			one := &orders.Node{Kind: orders.Map, Line: p.Key.Line, Column: p.Key.Column, Pairs: n.Pairs[i : i+1]}
			parts = append(parts, one)
		}
	}
	whole := &orders.Node{Kind: orders.Map, Line: n.Line, Column: n.Column}
	changed := false
	for _, one := range parts {
		got := one
		if k, known := l.known1(one, s.keys); known {
			got = l.under(one, 0, k)
		} else if line := l.line(one, s); line != nil {
			got = line
			if got.Kind == orders.Broken { // two readings were told: nothing more is
				return got
			}
		} else if n.Kind != orders.Map {
			return n
		}
		changed = changed || got != one || n.Kind != orders.Map
		l.merge(whole, got)
	}
	if !changed {
		return n
	}
	return whole
}

// known1 tells whether a map of one key has one of some keys.
func (l *liner) known1(n *orders.Node, keys []Key) (Key, bool) {
	if n.Kind != orders.Map || len(n.Pairs) != 1 {
		return Key{}, false
	}
	return l.keyOf(n.Pairs[0].Key, keys)
}

// merge adds the keys of a map to another: lists go on, maps are put together, and what was
// said before is said twice, which is for the reader to refuse.
func (l *liner) merge(into, more *orders.Node) {
	for _, p := range more.Pairs {
		at := slices.IndexFunc(into.Pairs, func(old orders.Pair) bool {
			_, ok := l.vocabulary.Key(p.Key.Text, []string{old.Key.Text})
			return ok || old.Key.Text == p.Key.Text
		})
		switch {
		case at < 0 || p.Key.Kind == orders.Broken:
			into.Pairs = append(into.Pairs, p)
		case into.Pairs[at].Value.Kind == orders.Map && p.Value.Kind == orders.Map:
			joined := *into.Pairs[at].Value
			joined.Pairs = slices.Clone(joined.Pairs)
			l.merge(&joined, p.Value)
			into.Pairs[at].Value = &joined
		case into.Pairs[at].Value.Kind == orders.List && p.Value.Kind == orders.List:
			joined := *into.Pairs[at].Value
			joined.Items = append(slices.Clone(joined.Items), p.Value.Items...)
			into.Pairs[at].Value = &joined
		default:
			into.Pairs = append(into.Pairs, p)
		}
	}
}

// textOf is a line as its writer wrote it; false for what is no line.
func textOf(n *orders.Node) (string, bool) {
	switch {
	case n.Kind == orders.Scalar && !n.Null:
		return n.Text, true
	case n.Kind == orders.List:
		var all []string
		for _, item := range n.Items {
			if item.Kind != orders.Scalar || item.Null {
				return "", false
			}
			all = append(all, item.Text)
		}
		return strings.Join(all, ", "), len(all) > 0
	case n.Kind == orders.Map && len(n.Pairs) == 1 && n.Pairs[0].Key.Kind == orders.Scalar && n.Pairs[0].Value.Kind != orders.Map:
		value, ok := textOf(n.Pairs[0].Value)
		return n.Pairs[0].Key.Text + ": " + value, ok
	}
	return "", false
}

// longest is how many bytes a short line has at most.
const longest = 600

// line reads a node as one short line; nil if it is none. With two readings it is refused,
// and the node is broken.
func (l *liner) line(n *orders.Node, s Shape) *orders.Node {
	text, ok := textOf(n)
	if !ok || n.Kind == orders.List || len(text) > longest || strings.TrimSpace(text) == "" {
		return nil
	}
	at := span{text: text, line: n.Line, column: n.Column}
	var found []reading
	for _, l.mends = range [2]bool{false, true} {
		found = l.readings(at, s)
		if len(found) > 0 {
			break
		}
	}
	l.mends = false
	switch len(found) {
	case 0:
		return nil
	case 1:
		l.told.Repairs = append(l.told.Repairs, orders.Repair{Line: n.Line, Kind: found[0].guessed, Was: strings.TrimSpace(text), ReadAs: shown(found[0].node), Why: phrase.Say("play.repair-line")})
		return found[0].node
	}
	l.told.RefuseWith(n, "", phrase.Say("play.line-twofold", phrase.Literal("line", strings.TrimSpace(text)), phrase.Literal("first", shown(found[0].node)), phrase.Literal("second", shown(found[1].node))),
		phrase.Say("play.line-choose"))
	return &orders.Node{Kind: orders.Broken, Line: n.Line, Column: n.Column}
}

// shown is what a line stands for, as it is written with its keys.
func shown(n *orders.Node) string {
	return strings.TrimSuffix(strings.TrimPrefix(n.OneLine(), "{"), "}")
}

// A reading is what a line may mean.
type reading struct {
	node    *orders.Node
	guessed string // the kind of a thing whose name was misspelt
	guesses int
}

// readings are the readings of a line with the fewest guesses, each once.
func (l *liner) readings(at span, s Shape) []reading {
	var all []reading
	for _, f := range formsOf(s) {
		m := &matcher{liner: l, form: f, root: s, found: func(r reading) {
			r.node.Line, r.node.Column = at.line, at.column
			if len(all) > 0 && r.guesses < all[0].guesses {
				all = all[:0]
			}
			if len(all) > 0 && r.guesses > all[0].guesses || slices.ContainsFunc(all, func(o reading) bool { return same(o.node, r.node) }) {
				return
			}
			all = append(all, r)
		}}
		m.match(0, at, nil)
	}
	return all
}

// A span is a piece of a line, and where it stands in the file.
type span struct {
	text         string
	line, column int
}

// cut is a piece of a span, without the blanks around it.
func (t span) cut(from, to int) span {
	for from < to && t.text[from] == ' ' {
		from++
	}
	for to > from && t.text[to-1] == ' ' {
		to--
	}
	return span{t.text[from:to], t.line, t.column + utf8.RuneCountInString(t.text[:from])}
}

func (t span) node() *orders.Node {
	return &orders.Node{Text: t.text, Line: t.line, Column: t.column}
}

// A matcher compares a line with a form.
type matcher struct {
	*liner
	form  form
	root  Shape
	found func(reading)
}

// A bound is a part of a form with the value that stands in its place.
type bound struct {
	path  []string
	value *orders.Node
	cost  cost
}

// A cost is how many guesses a value took, and what was guessed.
type cost struct {
	guesses int
	guessed string
}

func (c cost) and(o cost) cost {
	if c.guessed == "" {
		c.guessed = o.guessed
	}
	return cost{c.guesses + o.guesses, c.guessed}
}

// match goes on with the part of a form at the rest of a line.
func (m *matcher) match(i int, rest span, got []bound) {
	rest = rest.cut(0, len(rest.text))
	if m.tries--; m.tries < 0 {
		return
	}
	if i == len(m.form.parts) {
		if rest.text == "" {
			m.whole(got)
		}
		return
	}
	switch p := m.form.parts[i]; {
	case p.sign != 0:
		if n := signAt(rest.text, p.sign); n > 0 {
			m.match(i+1, rest.cut(n, len(rest.text)), got)
		}
	case p.word != "" && signAt(rest.text, '-') > 0: // the dash is no part of a word
	case p.word != "":
		for _, end := range ends(rest.text, 3) {
			if c, ok := m.keyword(rest.cut(0, end), p.word); ok {
				m.match(i+1, rest.cut(end, len(rest.text)), append(got, bound{cost: c}))
			}
		}
	default:
		for _, end := range m.endsOf(i, rest.text) {
			piece := rest.cut(0, end)
			if piece.text == "" || strings.HasSuffix(piece.text, " -") { // nor of a name
				continue
			}
			if value, c, ok := m.value(under(m.root, p.path), piece, p.between); ok {
				m.match(i+1, rest.cut(end, len(rest.text)), append(slices.Clip(got), bound{p.path, value, c}))
			}
		}
	}
}

// whole gives a reading of a whole line.
func (m *matcher) whole(got []bound) {
	root, all := &orders.Node{Kind: orders.Map, Flow: true}, cost{}
	for _, b := range got {
		if all = all.and(b.cost); b.value != nil {
			root.Line, root.Column = b.value.Line, b.value.Column
			put(root, b.path, b.value)
		}
	}
	m.found(reading{root, all.guessed, all.guesses})
}

// endsOf are the places at which the value of a part may end.
func (m *matcher) endsOf(i int, text string) []int {
	if i+1 == len(m.form.parts) {
		return []int{len(text)}
	}
	next := m.form.parts[i+1]
	if next.sign == 0 {
		return ends(text, len(text))
	}
	var all []int
	for at := range text {
		if signAt(text[at:], next.sign) > 0 {
			all = append(all, at)
		}
	}
	return all
}

// ends are the places behind the first so many words of a text.
func ends(text string, most int) []int {
	var all []int
	for at := 0; at < len(text) && len(all) < most; at++ {
		if text[at] == ' ' && at > 0 && text[at-1] != ' ' {
			all = append(all, at)
		}
	}
	if len(all) < most {
		all = append(all, len(text))
	}
	return all
}

// signAt gives the length of a sign at the beginning of a text; 0 if another stands there.
func signAt(text string, sign byte) int {
	if sign == '-' {
		for _, dash := range []string{"->", "=>", "-", "–", "—", "→", ">"} {
			if strings.HasPrefix(text, dash) {
				return len(dash)
			}
		}
		return 0
	}
	if text != "" && text[0] == sign {
		return 1
	}
	return 0
}

// keyword tells whether a piece is a keyword.
func (l *liner) keyword(t span, words ...string) (cost, bool) {
	if _, ok := l.vocabulary.Key(t.text, words); ok {
		return cost{}, true
	}
	if !l.mends || l.guesses <= 0 || strings.Contains(t.text, " ") {
		return cost{}, false
	}
	l.guesses--
	r := orders.NewReader(l.vocabulary)
	r.Mends = true
	_, ok := r.Word(t.node(), words...)
	return cost{guesses: 1}, ok
}

// value reads a piece of a line as a value.
func (l *liner) value(s Shape, t span, between byte) (*orders.Node, cost, bool) {
	if l.tries--; l.tries < 0 {
		return nil, cost{}, false
	}
	n := t.node()
	switch s := s.(type) {
	case words:
		word, c, ok := l.word(t, s)
		n.Text = word
		return n, c, ok
	case name:
		return l.named(s, t)
	case number:
		r := orders.NewReader(l.vocabulary)
		_, ok := r.Int(n, s.low, s.high)
		return n, cost{}, ok
	case checked:
		return n, cost{}, s.wrong(n.Text).Code == ""
	case said:
		tail, ok := s.split(reader{orders.NewReader(l.vocabulary), nil}, n)
		if !ok {
			return nil, cost{}, false
		}
		value, c, ok := l.value(s.then, span{tail.Text, t.line, t.column}, 0)
		if ok {
			n.Text = s.word + " " + value.Text
		}
		return n, c, ok
	case either:
		for _, one := range s {
			if value, c, ok := l.value(one, t, between); ok {
				return value, c, true
			}
		}
	case list:
		return l.several(s, t, between)
	case record:
		return l.declared(s.short, s, t)
	case verbs:
		return l.declared(s.short, s, t)
	case pairs:
		return l.pair(s, t)
	}
	return nil, cost{}, false
}

// word finds which of some keywords a piece is.
func (l *liner) word(t span, all words) (string, cost, bool) {
	if word, ok := l.vocabulary.Key(t.text, all); ok {
		return word, cost{}, true
	}
	if !l.mends || l.guesses <= 0 {
		return "", cost{}, false
	}
	l.guesses--
	r := orders.NewReader(l.vocabulary)
	r.Mends = true
	word, ok := r.Word(t.node(), all...)
	return word, cost{guesses: 1}, ok
}

// named finds the thing that a piece names.
func (l *liner) named(kind name, t span) (*orders.Node, cost, bool) {
	n, k := t.node(), l.knows(string(kind))
	if k.things == nil { // any name will do
		return n, cost{}, !strings.ContainsAny(t.text, " ,:;[]{}")
	}
	if id := k.ids[orders.Fold(t.text)]; id != "" {
		n.Text = id
		return n, cost{}, true
	}
	if !l.mends || l.guesses <= 0 {
		return nil, cost{}, false
	}
	l.guesses--
	r := orders.NewReader(l.vocabulary)
	r.Mends = true
	id, ok := r.Pick(n, string(kind), k.things)
	n.Text = id
	for _, guess := range r.Repairs {
		if guess.Kind != "" {
			return n, cost{1, guess.Kind}, ok
		}
	}
	return n, cost{}, ok
}

// A kindKnown is the things of a kind that files may name.
type kindKnown struct {
	things []orders.Choice
	ids    map[string]string // by folded spelling
}

// knows gives the things of a kind.
func (l *liner) knows(kind string) *kindKnown {
	if k := l.known[kind]; k != nil {
		return k
	}
	k := &kindKnown{ids: map[string]string{}}
	if l.names != nil {
		k.things = l.names(kind)
	}
	for _, c := range k.things {
		k.ids[orders.Fold(c.ID)] = c.ID
	}
	for _, c := range k.things {
		for _, spelling := range c.Names {
			if f := orders.Fold(spelling); k.ids[f] == "" {
				k.ids[f] = c.ID
			}
		}
	}
	delete(k.ids, "")
	l.known[kind] = k
	return k
}

// several reads a piece as a list.
func (l *liner) several(s list, t span, between byte) (*orders.Node, cost, bool) {
	list := &orders.Node{Kind: orders.List, Flow: true, Line: t.line, Column: t.column}
	if _, ok := l.vocabulary.Key(t.text, []string{"none"}); ok && !s.filled {
		n := t.node()
		n.Text = "none"
		return n, cost{}, true
	}
	if strings.HasPrefix(t.text, "[") && strings.HasSuffix(t.text, "]") {
		t = t.cut(1, len(t.text)-1)
	}
	found, c, ok := l.items(s.of, t, between)
	list.Items = found
	return list, c, ok && len(found) > 0
}

// items reads a piece as items of a list with a sign between them, the first of them as short
// as it can be.
func (l *liner) items(of Shape, t span, between byte) ([]*orders.Node, cost, bool) {
	for at := range t.text {
		n := 0
		switch c := t.text[at]; {
		case between != 0:
			n = signAt(t.text[at:], between)
		case c == ',' || c == ';' || c == '&' || c == '+':
			n = 1
		}
		if n == 0 {
			continue
		}
		first, c, ok := l.item(of, t.cut(0, at))
		if !ok {
			continue
		}
		if rest, more, ok := l.items(of, t.cut(at+n, len(t.text)), between); ok {
			return append(first, rest...), c.and(more), true
		}
	}
	return l.item(of, t)
}

// item reads a piece as one item of a list, or as several without any sign between them: a
// range of ids, or words.
func (l *liner) item(of Shape, t span) ([]*orders.Node, cost, bool) {
	if t.text == "" {
		return nil, cost{}, false
	}
	if one, c, ok := l.value(of, t, 0); ok {
		return []*orders.Node{one}, c, true
	}
	if l.tries < 0 {
		return nil, cost{}, false
	}
	r := orders.NewReader(l.vocabulary)
	r.Mends = true
	several := r.List(t.node()) // a range of ids, or ids with blanks between them
	if len(several) < 2 {
		several = nil
		for from, end := 0, 0; from < len(t.text); from = end {
			for end = from + 1; end < len(t.text) && t.text[end] != ' '; {
				end++
			}
			if word := t.cut(from, end); word.text != "" {
				several = append(several, word.node())
			}
		}
	}
	if len(several) < 2 {
		return nil, cost{}, false
	}
	var all []*orders.Node
	var sum cost
	for _, n := range several {
		one, c, ok := l.value(of, span{n.Text, n.Line, n.Column}, 0)
		if !ok {
			return nil, cost{}, false
		}
		all, sum = append(all, one), sum.and(c)
	}
	return all, sum, true
}

// declared reads a piece as a record within a line, by the forms that were declared for it.
func (l *liner) declared(forms []form, s Shape, t span) (*orders.Node, cost, bool) {
	var best *reading
	for _, f := range forms {
		m := &matcher{liner: l, form: f, root: s, found: func(r reading) {
			if best == nil || r.guesses < best.guesses {
				best = &r
			}
		}}
		if m.match(0, t, nil); best != nil {
			return best.node, cost{best.guesses, best.guessed}, true
		}
	}
	return nil, cost{}, false
}

// pair reads a piece as a map with one key: "Ligny: F-03, F-07".
func (l *liner) pair(s pairs, t span) (*orders.Node, cost, bool) {
	colon := strings.IndexByte(t.text, ':')
	if colon < 0 {
		return nil, cost{}, false
	}
	key, c, ok := l.value(s.key, t.cut(0, colon), 0)
	if !ok {
		return nil, cost{}, false
	}
	value, more, ok := l.value(s.value, t.cut(colon+1, len(t.text)), 0)
	if !ok {
		return nil, cost{}, false
	}
	n := &orders.Node{Kind: orders.Map, Flow: true, Line: t.line, Column: t.column, Pairs: []orders.Pair{{Key: key, Value: value}}}
	return n, c.and(more), true
}
