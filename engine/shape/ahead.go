package shape

import (
	"slices"

	"berthier/orders"
	"berthier/orders/phrase"
)

// A Policy is one key of policies: which kinds of stops it answers, and how it is written.
type Policy struct {
	Key   string
	Stops []string
	Shape Shape // nil if there is nothing but ask and default
}

// aheadWords are the answers to any stop that are words.
var aheadWords = words{"ask", "default", "standing"}

// Meaning says in which way a value that is filed ahead answers its stops.
type Meaning int

// The ways in which a value that is filed ahead answers.
const (
	MeansWord   Meaning = iota // ask, default or standing
	MeansCases                 // the first of its cases that holds
	MeansOrders                // as what stands under orders: at the stop
	MeansField                 // as the value of the one field of the stop
	MeansPolicy                // as a policy of its key that says so
)

// AheadWords lists the answers to any stop that are words.
func AheadWords() []string { return slices.Clone(aheadWords) }

// Next is the key of ahead under which stand the answers to the stops that follow at once.
const Next = "next"

// Ahead is how answers to stops that will come are written: a map from kinds of stops, and
// keys of policies, to answers or to lists of cases; or the word none. Under [Next] stands
// such a map for the stop that follows at once, or a list of them, one for each stop of a row.
func (s Sheet) Ahead() Shape {
	var all record
	for _, key := range s.AheadKeys() {
		all.keys = append(all.keys, May(key, s.filed(key)))
	}
	with := record{keys: append(slices.Clip(all.keys), May(Next, List(all)))}
	with.keys = append(with.keys, s.planned().keys...)
	return Either(Words("none"), with)
}

// Planned is how the keys of plans are written; nil if there are none.
func (s Sheet) Planned() Shape {
	if len(s.Plans) == 0 {
		return nil
	}
	return s.planned()
}

func (s Sheet) planned() (all record) {
	for _, p := range s.Plans {
		var answers record
		for _, kind := range p.Kinds {
			answers.keys = append(answers.keys, May(kind, caseAnswer{s.filed(kind)}))
		}
		all.keys = append(all.keys, May(p.Key, Map(p.Of, answers)))
	}
	return all
}

// AheadKeys are the kinds of stops, and the keys of policies that are none.
func (s Sheet) AheadKeys() []string {
	keys := stops(s.Stops).kinds()
	for _, p := range s.Layer {
		if !slices.Contains(keys, p.Key) {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// Answers gives the kinds of stops that a key of ahead answers.
func (s Sheet) Answers(key string) (kinds []string) {
	if _, ok := s.Stops[key]; ok {
		kinds = append(kinds, key)
	}
	for _, p := range s.Layer {
		for _, kind := range p.Stops {
			if p.Key == key && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds
}

// Means tells in which way a value answers the stops of a key, and which one field it is the
// value of, if it is that. A value with faults is taken for what it is most like.
func (s Sheet) Means(key string, n *orders.Node) (Meaning, string) {
	f := s.filed(key)
	_, meaning := f.meant(reader{orders.NewReader(s.Vocabulary), nil}, n)
	return meaning, f.field
}

// CaseAnswers tells what [Sheet.Means] tells, of what a case says is to be done.
func (s Sheet) CaseAnswers(key string, n *orders.Node) (Meaning, string) {
	f := s.filed(key)
	_, meaning := f.answer(reader{orders.NewReader(s.Vocabulary), nil}, n)
	return meaning, f.field
}

// filed is the shape of what is filed ahead for the stops of a key.
type filed struct {
	orders Shape  // of the stop; nil if the key is that of a policy alone
	alone  Shape  // of its one field; nil if it has not exactly one
	field  string // that field
	policy Shape  // of the policy; nil if there is none
	cases  *cases
}

func (s Sheet) filed(key string) filed {
	f := filed{orders: s.Stops[key]}
	f.field, f.alone = oneField(f.orders)
	for _, p := range s.Layer {
		if p.Key == key && p.Shape != nil {
			f.policy = p.Shape
		}
	}
	f.cases = &cases{s.Conditions, f}
	return f
}

// oneField is the field of an answer that has one alone, or only one that must be written.
func oneField(s Shape) (string, Shape) {
	if all, ok := s.(either); ok {
		for _, one := range all {
			if field, value := oneField(one); value != nil {
				return field, value
			}
		}
		return "", nil
	}
	all, ok := s.(record)
	if !ok {
		return "", nil
	}
	keys := all.keys
	if len(keys) > 1 {
		keys = slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return !k.Need && !slices.Contains(all.least, k.Key) })
	}
	if len(keys) != 1 {
		return "", nil
	}
	return keys[0].Key, keys[0].Value
}

// meant finds the shape by which a value is read.
func (s filed) meant(r reader, n *orders.Node) (Shape, Meaning) {
	if s.cases.takes(r, n) && (s.policy == nil || s.cases.inWords(r, n) || len(fewest(r, n, []Shape{s.policy})) > 0) {
		return *s.cases, MeansCases // a list of cases that the policy knows itself is the policy's
	}
	return s.answer(r, n)
}

// answer finds the shape by which an answer is read: the one that finds the fewest faults.
func (s filed) answer(r reader, n *orders.Node) (Shape, Meaning) {
	if n.Kind != orders.List && aheadWords.takes(r, n) { // an empty list means nothing, which is no word here
		return aheadWords, MeansWord
	}
	best, meaning, fewestYet := Shape(aheadWords), MeansWord, -1
	for _, one := range []struct {
		shape   Shape
		meaning Meaning
	}{{s.orders, MeansOrders}, {s.alone, MeansField}, {s.policy, MeansPolicy}} {
		if one.shape == nil {
			continue
		}
		faults := len(fewest(r, n, []Shape{one.shape}))
		if faults > 0 && one.meaning == MeansOrders && hasKey(r, one.shape, n) {
			faults = 1 // a key of the stop says that the whole answer is meant, whatever is wrong with it
		}
		if fewestYet < 0 || faults < fewestYet {
			best, meaning, fewestYet = one.shape, one.meaning, faults
		}
	}
	return best, meaning
}

// hasKey tells whether a map has a key of a record, or one of a list of maps.
func hasKey(r reader, s Shape, n *orders.Node) bool {
	if all, ok := s.(either); ok {
		return slices.ContainsFunc(all, func(one Shape) bool { return hasKey(r, one, n) })
	}
	if all, ok := s.(list); ok {
		return n.Kind == orders.List && slices.ContainsFunc(n.Items, func(item *orders.Node) bool { return hasKey(r, all.of, item) })
	}
	all, ok := s.(record)
	return ok && slices.ContainsFunc(all.keys, func(k Key) bool { return r.Under(n, k.Key) != nil })
}

func (s filed) read(r reader, n *orders.Node) {
	how, _ := s.meant(r, n)
	how.read(r, n)
}

func (s filed) takes(reader, *orders.Node) bool { return true }

// answers are the shapes of all answers.
func (s filed) answers() either {
	all := either{aheadWords}
	for _, one := range []Shape{s.orders, s.alone, s.policy} {
		if one != nil {
			all = append(all, one)
		}
	}
	return all
}

func (s filed) words(add func(string)) {
	s.answers().words(add)
	s.cases.words(add)
}

func (s filed) schema(m *maker) map[string]any {
	return append(slices.Clip(s.answers()), *s.cases).schema(m)
}

func (s filed) text(t *teller) string {
	return append(slices.Clip(s.answers()), *s.cases).text(t)
}

// cases are a list of cases, the last of which may be for all else.
type cases struct {
	conditions Shape
	of         filed
}

// narrows gives a key of a case that asks a condition of the same name, if the ruleset has
// such a condition.
func (s cases) narrows(key string) (Key, bool) {
	var found Key
	conditionsOf(s.conditions, func(k Key) {
		if k.Key == key && k.Value != nil {
			found = May(key, k.Value)
		}
	})
	return found, found.Value != nil
}

// conditionsOf visits all that conditions may ask; a word alone is a key without a value.
func conditionsOf(s Shape, visit func(Key)) {
	switch s := s.(type) {
	case list:
		conditionsOf(s.of, visit)
	case either:
		for _, inner := range s {
			conditionsOf(inner, visit)
		}
	case words:
		for _, word := range s {
			visit(Key{Key: word})
		}
	case record:
		for _, k := range s.keys {
			visit(k)
		}
	}
}

// Asked lists the words and keys of what conditions may ask, in their order.
func (s Sheet) Asked() (all []string) {
	conditionsOf(s.Conditions, func(k Key) { all = append(all, k.Key) })
	return all
}

// caseAnswer is the shape of what a case says is to be done.
type caseAnswer struct{ filed }

func (s caseAnswer) read(r reader, n *orders.Node) {
	how, _ := s.answer(r, n)
	how.read(r, n)
}

func (s caseAnswer) words(add func(string))         { s.answers().words(add) }
func (s caseAnswer) schema(m *maker) map[string]any { return s.answers().schema(m) }
func (s caseAnswer) text(t *teller) string          { return "..." }

// one is the shape of a case, last of the one for all else.
func (s cases) one() (one, last record) {
	for _, key := range []string{"at", "of"} {
		if k, ok := s.narrows(key); ok {
			one.keys = append(one.keys, k)
		}
	}
	if s.conditions != nil {
		one.keys = append(one.keys, May("if", s.conditions))
	}
	one.keys = append(one.keys, Need("do", caseAnswer{s.of}))
	return one, record{keys: []Key{Need("else", caseAnswer{s.of})}}
}

// isElse tells whether a case is the one for all else.
func isElse(r *orders.Reader, n *orders.Node) bool {
	return n.Kind == orders.Map && len(n.Pairs) == 1 && r.Under(n, "else") != nil
}

func (s cases) read(r reader, n *orders.Node) {
	one, last := s.one()
	items := r.List(n)
	for i, item := range items {
		switch {
		case !isElse(r.Reader, item):
			one.read(r, item)
		case i < len(items)-1:
			r.Refuse(item, "", phrase.Say("play.else-last"))
		default:
			last.read(r, item)
		}
	}
}

// takes tells whether a value is cases: a list is, if an item says what is to be done, or
// what else.
func (s cases) takes(r reader, n *orders.Node) bool {
	is := func(one *orders.Node) bool {
		return one.Kind == orders.Map && (r.Under(one, "do") != nil || isElse(r.Reader, one))
	}
	return is(n) || n.Kind == orders.List && slices.ContainsFunc(n.Items, is)
}

// inWords tells whether each case answers with a word that is an answer to any stop, or with {}, which means the default: a policy of the
// same key has nothing to add to that.
func (s cases) inWords(r reader, n *orders.Node) bool {
	items := n.Items
	if n.Kind == orders.Map {
		items = []*orders.Node{n}
	}
	return !slices.ContainsFunc(items, func(item *orders.Node) bool {
		said := r.Under(item, "do")
		if said == nil {
			said = r.Under(item, "else")
		}
		return said == nil || said.Kind == orders.List || !aheadWords.takes(r, said)
	})
}

func (s cases) words(add func(string)) {
	one, last := s.one()
	one.words(add)
	last.words(add)
}

func (s cases) schema(m *maker) map[string]any {
	one, last := s.one()
	return List(either{one, last}).schema(m)
}

func (s cases) text(t *teller) string {
	one, last := s.one()
	return "[" + one.text(t) + ", ..., " + last.text(t) + "]"
}

// Cases is a list of cases that are no answers to a stop but standing orders: {of: .., if: .., do: VALUE}, and
// {else: VALUE} as the last. Of is how whom a case is about is written.
func Cases(of, conditions, value Shape) Shape {
	one := Record(May("of", of), May("if", conditions), Need("do", value))
	return Called("cases", List(Either(one, Record(Need("else", value)))))
}

// Called is a shape that the order reference tells by the name of a kind, as it is told elsewhere.
func Called(kind string, of Shape) Shape { return called{of, kind} }

type called struct {
	Shape
	kind string
}

func (s called) text(t *teller) string { return name(s.kind).text(t) }
