package play

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Rules of standing orders and of plans are tried in their order: the first one whose
// conditions all hold, and that comes to an answer, is used. What a condition may ask is
// declared once for a ruleset, as a table of measures: how the condition is written, and
// whether it holds.

// A Condition is what a rule asks about the moment in which it is tried.
type Condition struct {
	Measure string // the key of its [Measure]
	Value   any    // what it is compared with; nil for a measure that is a word alone
}

// A Measure is something that rules may ask. V is the view in which names are looked up, B
// the board that gives the names back, X what is asked: a decision, a unit in its battle.
type Measure[V, B, X any] struct {
	Key string
	// Shape is how the value is written; nil for a measure that is a word alone.
	Shape shape.Shape
	Read  func(v V, r *orders.Reader, n *orders.Node) (value any, ok bool)
	Write func(b B, value any) *orders.Node
	Holds func(x X, value any) bool
}

// State is a measure that is a word alone: engaged.
func State[V, B, X any](key string, holds func(X) bool) Measure[V, B, X] {
	return Measure[V, B, X]{Key: key, Holds: func(x X, _ any) bool { return holds(x) }}
}

// Is is a measure that names one thing: {in: reserve}.
func Is[V, B, X any, T comparable](key string, kind NamedBy[V, B, T], holds func(X, T) bool) Measure[V, B, X] {
	return Measure[V, B, X]{Key: key, Shape: kind.Shape,
		Read: func(v V, r *orders.Reader, n *orders.Node) (any, bool) {
			value, ok := kind.Read(v, r, n)
			return value, ok
		},
		Write: func(b B, value any) *orders.Node { return orders.Text(kind.Write(b, value.(T))) },
		Holds: func(x X, value any) bool { return holds(x, value.(T)) },
	}
}

// Among is a measure that names things and holds of each of them: {type: [infantry,
// cavalry]}. Nobody is the code of the refusal of an empty list; if it is "", an empty list
// asks nothing. One thing alone is written as a list only if listed is true.
func Among[V, B, X any, T comparable](key, nobody string, listed bool, kind NamedBy[V, B, T], holds func(X, []T) bool) Measure[V, B, X] {
	return Measure[V, B, X]{Key: key, Shape: shape.Filled(kind.Shape),
		Read: func(v V, r *orders.Reader, n *orders.Node) (any, bool) {
			if nobody != "" && len(r.List(n)) == 0 {
				r.Refuse(n, "", phrase.Say(nobody))
			}
			all := kind.List(v, r, n)
			return all, len(all) > 0
		},
		Write: func(b B, value any) *orders.Node {
			list := kind.Texts(b, value.([]T))
			if !listed && len(list.Items) == 1 {
				return list.Items[0]
			}
			return list
		},
		Holds: func(x X, value any) bool { return holds(x, value.([]T)) },
	}
}

// A Comparison is a bound for a number, or for one number over another: >=3, <1/2, >2:1.
type Comparison struct {
	Sign  string // "<", "<=", ">=", ">" or "="
	N, Of int    // Of is 1 for a whole number
}

// mostCompared is the highest number of a comparison.
const mostCompared = 999

// ReadComparison reads a comparison; ratio is what stands between one number and another
// that it is over, "" if there is one number alone. A number without a sign means that it
// is equal.
func ReadComparison(text, ratio string) (Comparison, bool) {
	return readComparison(text, ratio, 0, mostCompared)
}

// ReadBounded reads a comparison with one number, which lies between two bounds and may be negative.
func ReadBounded(text string, least, most int) (Comparison, bool) {
	return readComparison(text, "", least, most)
}

func readComparison(text, ratio string, least, most int) (Comparison, bool) {
	c := Comparison{Sign: "=", Of: 1}
	text = strings.ReplaceAll(text, " ", "")
	for _, sign := range [...]string{"<=", ">=", "<", ">", "="} {
		if rest, ok := strings.CutPrefix(text, sign); ok {
			c.Sign, text = sign, rest
			break
		}
	}
	over, under, two := text, "", false
	if ratio != "" {
		over, under, two = strings.Cut(text, ratio)
	}
	n, err := strconv.Atoi(over)
	c.N = n
	if err != nil || n < least || n > most || strconv.Itoa(n) != over {
		return c, false
	}
	if !two {
		return c, true
	}
	of, err := strconv.Atoi(under)
	c.Of = of
	return c, err == nil && of > 0 && of <= most && strconv.Itoa(of) == under
}

// Text writes the comparison.
func (c Comparison) Text(ratio string) string {
	text := c.Sign + strconv.Itoa(c.N)
	if c.Of > 1 {
		text += ratio + strconv.Itoa(c.Of)
	}
	return text
}

// Holds compares a over b; b is 1 for a whole number.
func (c Comparison) Holds(a, b int) bool {
	left, right := a*c.Of, c.N*b
	switch c.Sign {
	case "<":
		return left < right
	case "<=":
		return left <= right
	case ">":
		return left > right
	case ">=":
		return left >= right
	}
	return left == right
}

// Compared is a measure that is a number, or one number over another: {strength: ">=3"}.
// Ratio is as in [ReadComparison], unclear the code of the refusal of what is no comparison.
func Compared[V, B, X any](key, ratio, unclear string, of func(X) (a, b int)) Measure[V, B, X] {
	wrong := func(text string) phrase.Phrase {
		if _, ok := ReadComparison(text, ratio); ok {
			return phrase.Phrase{}
		}
		return phrase.Say(unclear, phrase.Literal("got", text), phrase.Literal("key", key))
	}
	how := shape.Checked("measure", wrong)
	return Measure[V, B, X]{Key: key, Shape: how,
		Read: func(_ V, r *orders.Reader, n *orders.Node) (any, bool) {
			since := len(r.Problems)
			shape.Read(r, n, how, nil)
			if len(r.Problems) > since {
				return nil, false
			}
			c, ok := ReadComparison(n.Text, ratio)
			return c, ok
		},
		Write: func(_ B, value any) *orders.Node { return orders.Text(value.(Comparison).Text(ratio)) },
		Holds: func(x X, value any) bool { return value.(Comparison).Holds(of(x)) },
	}
}

// Seen is a measure of something, asked about what is seen of it: what holds for a battle
// is asked for a unit in it.
func Seen[V, B, X, Y any](m Measure[V, B, Y], from func(X) Y) Measure[V, B, X] {
	return Measure[V, B, X]{Key: m.Key, Shape: m.Shape, Read: m.Read, Write: m.Write,
		Holds: func(x X, value any) bool { return m.Holds(from(x), value) },
	}
}

// Measures are all that rules of one kind may ask, in the order in which they are told.
type Measures[V, B, X any] []Measure[V, B, X]

// of finds a measure by its key.
func (m Measures[V, B, X]) of(key string) *Measure[V, B, X] {
	for i := range m {
		if m[i].Key == key {
			return &m[i]
		}
	}
	return nil
}

// Hold tells whether all of some conditions hold; without any, they do.
func (m Measures[V, B, X]) Hold(x X, all []Condition) bool {
	for i := range all {
		if !m.of(all[i].Measure).Holds(x, all[i].Value) {
			return false
		}
	}
	return true
}

// Named gives the value of a condition; the zero value if nothing is asked of its measure.
func Named[T any](all []Condition, measure string) T {
	for _, c := range all {
		if value, ok := c.Value.(T); ok && c.Measure == measure {
			return value
		}
	}
	var none T
	return none
}

// Matching gives the rules whose conditions hold, in their order.
func Matching[V, B, X, T any](m Measures[V, B, X], x X, rules []T, when func(*T) *[]Condition) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range rules {
			if m.Hold(x, *when(&rules[i])) && !yield(&rules[i]) {
				return
			}
		}
	}
}

// FirstMatching gives the first of the rules whose conditions hold; nil if there is none.
func FirstMatching[V, B, X, T any](m Measures[V, B, X], x X, rules []T, when func(*T) *[]Condition) *T {
	for rule := range Matching(m, x, rules, when) {
		return rule
	}
	return nil
}

// keys are those of the measures that are words alone, or of those that have a value.
func (m Measures[V, B, X]) keys(alone bool) (all []string) {
	for i := range m {
		if alone == (m[i].Shape == nil) {
			all = append(all, m[i].Key)
		}
	}
	return all
}

// Shape is how conditions are written: one, or a list of them.
func (m Measures[V, B, X]) Shape() shape.Shape {
	var keys []shape.Key
	for i := range m {
		if m[i].Shape != nil {
			keys = append(keys, shape.May(m[i].Key, m[i].Shape))
		}
	}
	if alone := m.keys(true); len(alone) > 0 {
		return shape.Filled(shape.Either(shape.Words(alone...), shape.Record(keys...)))
	}
	return shape.Filled(shape.Record(keys...))
}

// Read reads conditions: one, or a list of them: [engaged, {in: own, pos: left}].
func (m Measures[V, B, X]) Read(v V, r *orders.Reader, n *orders.Node) (all []Condition) {
	for _, item := range r.List(n) {
		if item.Kind != orders.Map {
			if word, ok := r.Word(item, m.keys(true)...); ok {
				all = append(all, Condition{Measure: word})
			}
			continue
		}
		pairs := item.Pairs
		if len(pairs) < 2 {
			all = m.add(all, v, r, item)
			continue
		}
		for _, pair := range pairs {
			all = m.add(all, v, r, &orders.Node{Kind: orders.Map, Pairs: []orders.Pair{pair}, Line: pair.Key.Line, Column: pair.Key.Column})
		}
	}
	return all
}

// add reads the condition of a map with one key.
func (m Measures[V, B, X]) add(all []Condition, v V, r *orders.Reader, n *orders.Node) []Condition {
	key, value := r.Only(n, m.keys(false)...)
	if key == "" {
		return all
	}
	if said, ok := m.of(key).Read(v, r, value); ok {
		all = append(all, Condition{key, said})
	}
	return all
}

// Write writes conditions on one line.
func (m Measures[V, B, X]) Write(b B, all []Condition) *orders.Node {
	list := orders.Texts()
	for _, c := range all {
		if one := m.of(c.Measure); one.Shape != nil {
			list.Add(orders.Inline().Set(c.Measure, one.Write(b, c.Value)))
		} else {
			list.Add(orders.Text(c.Measure))
		}
	}
	return list
}

// ReadText reads a condition that is written as one scalar: rout-risk, strength<3.
func (m Measures[V, B, X]) ReadText(v V, r *orders.Reader, n *orders.Node, unclear string) (Condition, bool) {
	text, ok := r.Text(n)
	if !ok {
		return Condition{}, false
	}
	head, tail := strings.TrimSpace(text), ""
	if i := strings.IndexAny(text, "<>="); i > 0 {
		head, tail = strings.TrimSpace(text[:i]), text[i:]
	}
	var keys []string
	for i := range m {
		keys = append(keys, m[i].Key)
	}
	key, ok := r.Word(&orders.Node{Text: head, Line: n.Line, Column: n.Column}, keys...)
	if !ok {
		return Condition{}, false
	}
	one := Condition{Measure: key}
	if m.of(key).Shape == nil {
		ok = tail == ""
	} else {
		one.Value, ok = ReadComparison(tail, "")
	}
	if !ok {
		r.Refuse(n, "", phrase.Say(unclear, phrase.Literal("got", text), phrase.Literal("key", key)))
	}
	return one, ok
}

// Text writes a condition as one scalar.
func (c Condition) Text() string {
	if c.Value == nil {
		return c.Measure
	}
	return c.Measure + c.Value.(Comparison).Text("")
}

// WhenKey holds the conditions of a rule. Always is a word for none of them; without any
// the key is left out.
func WhenKey[V, B, X, S any](key, always string, m Measures[V, B, X], at func(*S) *[]Condition) OrderKey[V, B, S] {
	return OrderKey[V, B, S]{Key: key, Shape: shape.Either(shape.Words(always), m.Shape()),
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			if !r.Is(n, always) {
				*at(s) = m.Read(v, r, n)
			}
		},
		Write: func(b B, s *S) *orders.Node {
			if len(*at(s)) == 0 {
				return nil
			}
			return m.Write(b, *at(s))
		},
	}
}

// IfKey is one measure as a key of the rule itself: {at: Ligny, left: [F-02]}. Any is a
// word for whatever there is; it is written only if always is true, and "" if there is none.
func IfKey[V, B, X, S any](m Measure[V, B, X], any string, always bool, at func(*S) *[]Condition) OrderKey[V, B, S] {
	how := m.Shape
	if any != "" {
		how = shape.Either(shape.Words(any), how)
	}
	return OrderKey[V, B, S]{Key: m.Key, Shape: how,
		Read: func(v V, r *orders.Reader, n *orders.Node, s *S) {
			if any != "" && r.Is(n, any) {
				return
			}
			if value, ok := m.Read(v, r, n); ok {
				*at(s) = append(*at(s), Condition{m.Key, value})
			}
		},
		Write: func(b B, s *S) *orders.Node {
			all := *at(s)
			if i := slices.IndexFunc(all, func(c Condition) bool { return c.Measure == m.Key }); i >= 0 {
				return m.Write(b, all[i].Value)
			}
			if always {
				return orders.Text(any)
			}
			return nil
		},
	}
}
