package play

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

type colour int8

type frame interface{ dummy() }

type open struct {
	Who  colour
	List []int
}

func (*open) dummy() {}

type shut struct{ Why string }

func (*shut) dummy() {}

type piece struct {
	At    int
	Lost  bool
	Tints []colour
}

type board struct {
	Turn    int     `pos:"turn,max=7"`
	Pieces  []piece `pos:"pieces,by=colour"`
	Points  [3]int8 `pos:"points,by=colour,max=50"`
	Flow    []frame
	Next    *piece
	LastBid colour
	hidden  int
	Never   int `pos:"-"`
}

func codec() *Codec {
	c := NewCodec()
	c.Things(colour(0), Things{Kind: "colour", IDs: []string{"red", "blue"}, First: 1, Names: [][]string{{"Rosso"}, nil}})
	c.Union((*frame)(nil), map[string]any{"open": (*open)(nil), "shut": (*shut)(nil)})
	return c
}

func full() board {
	return board{
		Turn: 3, Pieces: []piece{{}, {At: 4, Tints: []colour{2, 1}}, {Lost: true}}, Points: [3]int8{0, 0, 9},
		Flow: []frame{&open{Who: 1, List: []int{0, 7}}, &shut{Why: "rain: no fight"}}, Next: &piece{At: 1}, LastBid: 2, hidden: 5, Never: 6,
	}
}

// What is written reads back as the same value, and is written again with the same
// bytes.
func TestCodec(t *testing.T) {
	text := codec().Write(full()).Encode()
	for _, want := range []string{"turn: 3", "last_bid: blue", "red: {at: 4, tints: [blue, red]}", "blue: {lost: true}", "- open:", "list: [0, 7]", "points: {blue: 9}"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	root, problems := orders.ParseNode([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got board
	r := orders.NewReader(nil)
	codec().Read(r, root, &got)
	if len(r.Problems) > 0 {
		t.Fatal(r.Problems)
	}
	want := full()
	want.hidden, want.Never = 0, 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("have %+v, want %+v", got, want)
	}
	if again := codec().Write(got).Encode(); again != text {
		t.Errorf("second text\n%s\nnot\n%s", again, text)
	}
	if codec().Write(board{}).Encode() != orders.Mapping().Encode() {
		t.Error("a zero value is not empty")
	}
}

// Every fault has its place, and reading goes on after a fault.
func TestCodecRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"turn: 8":                           "order.want-number",
		"turn: -1":                          "order.want-number",
		"turn: x":                           "order.want-number",
		"round: 1":                          "order.unknown-key",
		"hidden: 1":                         "order.unknown-key",
		"last_bid: green":                   "order.unknown-colour",
		"pieces: [1]":                       "play.position-map",
		"pieces: {green: {at: 1}}":          "order.unknown-colour",
		"pieces: {red: {at: 1}, Rosso: {}}": "order.key-twice",
		"pieces: {red: {at: [1]}}":          "order.want-number",
		"points: {red: 51}":                 "order.want-number",
		"flow: [{ajar: {}}]":                "order.unknown-key",
		"flow: [{open: {}, shut: {}}]":      "order.want-one-key",
		"flow: [{open: {who: x}}]":          "order.unknown-colour",
		"flow: [x]":                         "order.want-map",
		"next: [1]":                         "order.want-map",
		"next: {lost: maybe}":               "order.unknown-word",
		"next: {tints: [" + strings.Repeat("red, ", 1000) + "red]}": "play.position-long",
	} {
		root, problems := orders.ParseNode([]byte(text + "\n"))
		if len(problems) > 0 {
			t.Fatalf("%s: %v", text, problems)
		}
		var got board
		r := orders.NewReader(nil)
		codec().Read(r, root, &got)
		if len(r.Problems) != 1 || r.Problems[0].Why.Code != want || r.Problems[0].Line != 1 {
			t.Errorf("%.60s: %v, want %s in line 1", text, r.Problems, want)
		}
	}
	root, _ := orders.ParseNode([]byte("turn: 9\nlast_bid: green\nround: 2\n"))
	var got board
	r := orders.NewReader(nil)
	codec().Read(r, root, &got)
	if len(r.Problems) != 3 {
		t.Errorf("want three faults at once, have %v", r.Problems)
	}
}

// A clone shares nothing that can change with the original.
func TestClone(t *testing.T) {
	was := full()
	c := Clone(was)
	if !reflect.DeepEqual(c, was) {
		t.Fatalf("the clone is %+v", c)
	}
	c.Pieces[1].Tints[0], c.Flow[0].(*open).List[0], c.Next.At, c.Flow[1] = 1, 9, 9, nil
	if !reflect.DeepEqual(was, full()) {
		t.Errorf("changing the clone changed the original: %+v", was)
	}
}

type chosen struct {
	fog, wind Setting
	size      int
}

func menu() Menu[chosen] {
	return Menu[chosen]{
		Options: Options[chosen]{
			{Name: "fog", Clause: "X-1.1", Values: []string{"on", "off"}, Field: func(o *chosen) *Setting { return &o.fog }},
			{Name: "wind", Values: []string{"none", "west"}, Field: func(o *chosen) *Setting { return &o.wind }},
			{Name: "size", Values: []string{"10"}, Read: func(o *chosen, value string) *Fault {
				if value != "10" && value != "20" {
					return &Fault{Clause: "X-1.2", Why: phrase.Say("x.size")}
				}
				o.size = int(value[0]-'0') * 10
				return nil
			},
				Write: func(o *chosen) string { return string(rune('0'+o.size/10)) + "0" }},
		},
		Usual: map[string]string{"wind": "west"},
	}
}

func TestMenu(t *testing.T) {
	o, faults := menu().Read(map[string]string{"fog": "off", "size": "20"})
	if len(faults) > 0 || o != (chosen{1, 1, 20}) {
		t.Errorf("have %+v, %v", o, faults)
	}
	if got, want := menu().Chosen(&o), map[string]string{"fog": "off", "size": "20"}; !reflect.DeepEqual(got, want) {
		t.Errorf("chosen are %v, want %v", got, want)
	}
	plain, _ := menu().Read(nil)
	if got := menu().Chosen(&plain); len(got) != 0 {
		t.Errorf("the usual options are written: %v", got)
	}
	if got := menu().Word(&o, "fog") + menu().Word(&o, "wind") + menu().Word(&o, "rain"); got != "offwest" {
		t.Errorf("words are %s", got)
	}
	want := []engine.Option{{Name: "fog", Clause: "X-1.1", Values: []string{"on", "off"}}, {Name: "wind", Values: []string{"west", "none"}}, {Name: "size", Values: []string{"10"}}}
	if got := menu().About(); !reflect.DeepEqual(got, want) {
		t.Errorf("about: %v", got)
	}
	_, faults = menu().Read(map[string]string{"fog": "x", "size": "30", "rain": "no", "snow": "no"})
	var codes []string
	for _, f := range faults {
		codes = append(codes, f.Why.Code)
	}
	if got := strings.Join(codes, " "); got != "play.option-value x.size play.option-unknown play.option-unknown" {
		t.Errorf("faults are %s", got)
	}
}

type titled string

func (b titled) Name() string { return string(b) }

func library() *Library[titled] {
	return &Library[titled]{
		Files: fstest.MapFS{"s/one.yaml": {Data: []byte("First")}, "s/two.yaml": {Data: []byte("Second")}},
		Built: []string{"s/one.yaml", "s/two.yaml"},
		Read: func(data []byte) (titled, orders.Problems) {
			if len(data) == 0 || data[0] == '!' {
				return "", orders.Problems{{Why: phrase.Say("x.bad")}}
			}
			return titled(data), nil
		},
	}
}

func TestLibrary(t *testing.T) {
	s := library()
	for name, want := range map[string]titled{"": "First", "First": "First", "two": "Second"} {
		if got, faults := s.Of(engine.Setup{Scenario: name}); len(faults) > 0 || got != want {
			t.Errorf("%q is %q, %v", name, got, faults)
		}
	}
	for _, test := range []struct {
		setup engine.Setup
		want  string
	}{
		{engine.Setup{Scenario: "third"}, "play.scenario-unknown"},
		{engine.Setup{Data: []byte("!")}, "x.bad"},
		{engine.Setup{Data: []byte("Mine"), Scenario: "First"}, "play.scenario-other"},
	} {
		if _, faults := s.Of(test.setup); len(faults) != 1 || faults[0].Why.Code != test.want {
			t.Errorf("%+v: %v, want %s", test.setup, faults, test.want)
		}
	}
	for i := range 3 * mostOwn {
		mine := strings.Repeat("m", i+1)
		if got, faults := s.Of(engine.Setup{Data: []byte(mine), Scenario: mine}); len(faults) > 0 || string(got) != mine {
			t.Errorf("own scenario %q is %q, %v", mine, got, faults)
		}
	}
	if len(s.own) != mostOwn {
		t.Errorf("%d own scenarios are kept", len(s.own))
	}
}

func TestNames(t *testing.T) {
	n := NewNames(fstest.MapFS{
		"words/names.en.yaml": {Data: []byte("x.name.unit.a: Alpha\nx.name.unit.b: Beta\n")},
		"words/names.it.yaml": {Data: []byte("x.name.unit.a: Alfa\n")},
	}, "x")
	for _, test := range []struct{ id, language, want string }{{"a", "it", "Alfa"}, {"a", "en", "Alpha"}, {"b", "it", "Beta"}, {"a", "fr", "Alpha"}, {"c", "it", ""}} {
		if got, ok := n.Of("unit", test.id, test.language); got != test.want || ok != (test.want != "") {
			t.Errorf("%s in %s is %q, %v", test.id, test.language, got, ok)
		}
	}
	if got := InLanguage(map[string]string{"en": "Hill", "it": "Colle"}, "it", "h") + InLanguage(map[string]string{"en": "Hill"}, "it", "h") + InLanguage(nil, "it", "h"); got != "ColleHillh" {
		t.Errorf("names of data: %s", got)
	}
}

func TestCollect(t *testing.T) {
	asked := []engine.Decision{{Side: "red", Kind: "bid"}, {Side: "blue", Kind: "bid"}}
	good := map[engine.Side]engine.Answer{"red": Answer{To: asked[0]}, "blue": Answer{To: asked[1]}}
	if all, err := Collect(asked, good); err != nil || len(all) != 2 || all[1].To != asked[1] {
		t.Errorf("have %v, %v", all, err)
	}
	for _, bad := range []map[engine.Side]engine.Answer{
		{"red": Answer{To: asked[0]}},
		{"red": Answer{To: asked[0]}, "blue": Answer{To: asked[0]}},
		{"red": Answer{To: asked[0]}, "blue": Standing{}},
	} {
		if _, err := Collect(asked, bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}
