package rulestest

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/engine/shape"
	"berthier/orders"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A spelling compares a ruleset's shapes and its JSON Schema with its judge.
type spelling struct {
	*testing.T
	rules   engine.Ruleset
	sheet   shape.Sheet
	schemas []*jsonschema.Schema // in each language
	chance  *rand.Rand

	words     []string       // all keywords
	narrow    []string       // kinds of stops whose keys depend on the position
	good, bad map[string]int // files that the judge accepted, and that the shape refused, by the kind of stop
}

// Shapes checks that the shapes of a ruleset refuse nothing that its judge accepts, and
// that its JSON Schema does not either, however an editor takes the scalars. It does so at
// the stops of the conformance cases, with their files, with random answers and those of
// bots, with such answers written in other words, and with broken files that happen to be
// good. And whatever the judge finds wrong with how a file is written, the shape must find
// at the same place, except at the kinds of stops whose keys depend on the position.
func Shapes(t *testing.T, name string, rules engine.Ruleset, narrow ...string) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	sheet := rules.(engine.Shaped).Shapes()
	s := &spelling{T: t, rules: rules, sheet: sheet, narrow: narrow, chance: rand.New(rand.NewPCG(8, 5)), good: map[string]int{}, bad: map[string]int{}}
	for _, language := range []string{"en", "it"} {
		s.schemas = append(s.schemas, Compile(t, sheet.Schema("test", language, nil)))
	}
	for _, kind := range rules.About().Stops {
		s.words = append(s.words, shape.Keywords(sheet.Stops[kind])...)
	}
	s.words = append(append(s.words, shape.Keywords(sheet.Standing)...), orders.EnvelopeKeys()...)
	if sheet.Policies != nil {
		s.words = append(s.words, shape.Keywords(sheet.Policies)...)
	}
	looked := map[string]int{}
	HearCases(t, name, rules, func(view engine.View, d engine.Decision, file *orders.Document) {
		s.file(view, d, file.Source)
		if looked[d.Kind]++; looked[d.Kind] < 4 || looked[d.Kind]%48 == 0 {
			s.stop(view, d)
		}
	})
	for _, kind := range rules.About().Stops {
		if s.good[kind] < 20 || s.bad[kind] == 0 {
			t.Errorf("of the files for %s %d are good and %d badly written", kind, s.good[kind], s.bad[kind])
		}
	}
}

// Compile makes a JSON Schema ready to judge.
func Compile(t testing.TB, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	data, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("test.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("test.json")
	if err != nil {
		t.Fatalf("%.2000s", err.Error())
	}
	return compiled
}

// stop checks the files for one decision.
func (s *spelling) stop(view engine.View, d engine.Decision) {
	files := []*orders.Node{s.rules.Template(view, d), orders.Mapping().Set("orders", orders.Text("default")),
		s.rules.Random(view, d, s.chance).Orders(), s.rules.Sensible(view, d, s.chance).Orders()}
	for _, n := range files {
		file := "stop: 7 " + d.Kind + "\n" + n.Encode()
		if !s.file(view, d, file) {
			s.Fatalf("a good file is refused\n%s", file)
		}
		respelt := n.Clone()
		s.respell(respelt)
		s.file(view, d, respelt.Encode())
		for range 2 {
			s.file(view, d, playout.Break(file, s.chance))
		}
	}
	if file := "stop: 7 " + d.Kind + "\norders: {nonsense: 1}\n"; s.file(view, d, file) {
		s.Errorf("%s: the judge accepts\n%s", d.Kind, file)
	}
}

// file compares the shapes with the judge, and tells whether a file is good.
func (s *spelling) file(view engine.View, d engine.Decision, file string) bool {
	doc, faults := orders.Parse(file, s.sheet.Vocabulary)
	if len(faults) > 0 {
		return false
	}
	_, faults = s.rules.Read(view, d, doc)
	told := s.told(d.Kind, doc, nil)
	if len(faults) > 0 {
		for _, f := range faults {
			if misspelt(f.Why.Code) && !slices.Contains(s.narrow, d.Kind) && !s.nothing(doc.Root, f) && !slices.ContainsFunc(told, func(p orders.Problem) bool { return p.Line == f.Line && p.Column == f.Column }) {
				s.Errorf("%s: the judge tells %s at %d:%d, the shape tells %v of\n%s", d.Kind, f.Why.Code, f.Line, f.Column, told, doc.Source)
			}
		}
		if len(told) > 0 {
			s.bad[d.Kind]++
			if s.schemas[0].Validate(taken(doc.Root, takes[0])) == nil && !beyond(doc.Root) {
				s.Errorf("%s: the schema accepts what the shape refuses with %v:\n%s", d.Kind, told, file)
			}
		}
		return false
	}
	s.good[d.Kind]++
	if told := s.told(d.Kind, doc, view.(engine.Namer).Names); len(told) > 0 {
		s.Errorf("%s: the names refuse what the judge accepts, with %v:\n%s", d.Kind, told, file)
	}
	if len(told) > 0 {
		s.Errorf("%s: the shape refuses with %v what the judge accepts:\n%s", d.Kind, told, file)
	}
	for i, schema := range s.schemas {
		take := takes[(s.good[d.Kind]+i)%len(takes)]
		if err := schema.Validate(taken(doc.Root, take)); err != nil {
			s.Errorf("%s: the schema refuses what the judge accepts: %.2000s\n%s", d.Kind, err.Error(), file)
		}
	}
	return true
}

// told gives the faults that the shapes find in a file.
func (s *spelling) told(kind string, doc *orders.Document, names shape.Names) orders.Problems {
	r := orders.NewReader(s.sheet.Vocabulary)
	shape.Read(r, doc.Orders, s.sheet.Stops[kind], names)
	shape.Read(r, doc.Standing, s.sheet.Standing, names)
	if s.sheet.Policies != nil {
		shape.Read(r, doc.Policies, s.sheet.Policies, names)
	}
	return r.Problems
}

// nothing tells whether a fault is at the word none: only the judge knows whether one may
// do nothing.
func (s *spelling) nothing(n *orders.Node, f orders.Problem) bool {
	if n.Kind == orders.Scalar && n.Line == f.Line && n.Column == f.Column {
		return orders.NewReader(s.sheet.Vocabulary).Is(n, "none")
	}
	for _, p := range n.Pairs {
		if s.nothing(p.Value, f) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, func(item *orders.Node) bool { return s.nothing(item, f) })
}

// misspelt tells whether a fault is one of writing, and does not depend on the position.
func misspelt(code string) bool {
	switch code {
	case "order.unknown-key", "order.unknown-word", "order.want-one-key", "order.want-text":
		return true
	}
	return false
}

// beyond tells whether a file has words that a schema does not know: words with letters
// that are not ASCII, or several words in one scalar.
func beyond(n *orders.Node) bool {
	if n.Kind == orders.Scalar && strings.ContainsFunc(n.Text, func(c rune) bool { return c > unicode.MaxASCII || c == ' ' }) {
		return true
	}
	return slices.ContainsFunc(n.Pairs, func(p orders.Pair) bool { return beyond(p.Key) || p.Key.Text != "stop" && beyond(p.Value) }) ||
		slices.ContainsFunc(n.Items, beyond)
}

// respell writes words differently: in another language, with other letters and marks;
// and lists of one item without their brackets. The result need not be good.
func (s *spelling) respell(n *orders.Node) {
	if n.Kind == orders.List && len(n.Items) == 1 && s.chance.IntN(3) == 0 {
		*n = *n.Items[0]
	}
	if n.Kind == orders.Scalar && s.sheet.Vocabulary.Knows(n.Text) && s.chance.IntN(2) == 0 {
		for _, key := range s.words {
			if orders.Fold(key) == orders.Fold(n.Text) {
				all := s.sheet.Vocabulary.Spellings(key)
				n.Text = all[s.chance.IntN(len(all))]
			}
		}
		switch s.chance.IntN(4) {
		case 0:
			n.Text = strings.ToUpper(n.Text)
		case 1:
			n.Text = strings.ReplaceAll(n.Text, "-", "_")
		case 2:
			n.Text = strings.ReplaceAll(n.Text, "_", " ")
		}
	}
	for _, p := range n.Pairs {
		s.respell(p.Key)
		s.respell(p.Value)
	}
	for _, item := range n.Items {
		s.respell(item)
	}
}

// takes are the ways in which editors take a scalar without quotes.
var takes = []func(string) any{
	func(text string) any { return text }, // in quotes
	func(text string) any { // YAML 1.2
		switch {
		case text == "true" || text == "True" || text == "TRUE":
			return true
		case text == "false" || text == "False" || text == "FALSE":
			return false
		}
		return numeric(text)
	},
	func(text string) any { // YAML 1.1
		switch strings.ToLower(text) {
		case "true", "yes", "on", "y":
			return true
		case "false", "no", "off", "n":
			return false
		}
		if minutes, seconds, ok := strings.Cut(text, ":"); ok && sexagesimal.MatchString(text) {
			m, _ := strconv.Atoi(minutes)
			s, _ := strconv.Atoi(seconds)
			return json.Number(strconv.Itoa(60*m + s))
		}
		return numeric(strings.ReplaceAll(text, "_", ""))
	},
}

var sexagesimal = regexp.MustCompile(`^[1-9][0-9]*:[0-5]?[0-9]$`)

// numeric gives a text that is a number as a number, and any other text as it is.
func numeric(text string) any {
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text[:1], "0123456789+-.") && !strings.ContainsAny(text, "xXpP") {
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
	}
	return text
}

// taken gives a file as JSON.
func taken(n *orders.Node, take func(string) any) any {
	switch {
	case n.Null:
		return nil
	case n.Kind == orders.Map:
		all := map[string]any{}
		for _, p := range n.Pairs {
			all[p.Key.Text] = taken(p.Value, take)
		}
		return all
	case n.Kind == orders.List:
		all := []any{}
		for _, item := range n.Items {
			all = append(all, taken(item, take))
		}
		return all
	}
	return take(n.Text)
}

// AsEditorsTake gives a file in each way in which the editors that players use may take
// it: its scalars in quotes, by YAML 1.2, by YAML 1.1.
func AsEditorsTake(n *orders.Node) []any {
	all := make([]any, len(takes))
	for i, take := range takes {
		all[i] = taken(n, take)
	}
	return all
}
