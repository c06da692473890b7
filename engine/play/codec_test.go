package play

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"berthier/orders"
	"berthier/orders/phrase"
)

// These types are a small battle for the codec: fields that are not exported, ids from 0,
// words, sets, maps by a field, bounds below zero, types that write themselves.
type place int8

type weather int8

type heading struct{ east, north int }

func (h heading) MarshalPos(*Scribe) *orders.Node {
	return orders.Texts(strconv.Itoa(h.east), strconv.Itoa(h.north))
}

func (h *heading) UnmarshalPos(x *Scribe, n *orders.Node) {
	items := x.List(n)
	if len(items) != 2 {
		x.Refuse(n, "", phrase.Say("play.position-long", phrase.Number("most", 2)))
		return
	}
	h.east, _ = x.Int(items[0], -9, 9)
	h.north, _ = x.Int(items[1], -9, 9)
}

type troop struct {
	name  string `pos:"name"`
	at    place  `pos:"at"`
	dead  bool   `pos:"dead"`
	goes  place  `pos:"goes"`
	score int    `pos:"score,min=-5,max=5"`
}

// HasPos implements [PosHaver]: a troop that is dead goes nowhere.
func (t *troop) HasPos(key string) bool { return key != "goes" || !t.dead }

// SettlePos implements [PosSettler].
func (t *troop) SettlePos(x *Scribe, at orders.Fields) {
	if t.dead && at.Get("goes") != nil {
		x.Refuse(at.Get("goes"), "X-1.1", phrase.Say("x.goes"))
	}
}

type campaign struct {
	Board   *int          `pos:"-"`
	turn    int           `pos:"turn,required,from=1,max=turns"`
	sky     weather       `pos:"sky,always"`
	held    []bool        `pos:"held,set=place"`
	counts  [3]int        `pos:"counts,by=place,min=-9,abc,block"`
	troops  []troop       `pos:"troops,key=name,sorted"`
	wind    heading       `pos:"wind"`
	path    [4]place      `pos:"path,trim=1"`
	rivals  []troop       `pos:"rivals,flow"`
	marches []place       `pos:"marches,unique,sorted,items=1,most=3"`
	seats   []seat        `pos:"seats"`
	allies  [2][]troop    `pos:"allies,by=side,key=name"`
	line    []string      `pos:"line,long"`
	Of      map[int]place `pos:"-"`
}

type seat struct {
	At place `pos:"at,required,unique"`
}

func campaignCodec() *Codec {
	c := NewCodec()
	c.Things(place(0), Things{Kind: "place", IDs: []string{"rome", "bari", "asti"}})
	c.Things(weather(0), Things{Kind: "weather", IDs: []string{"fair", "foul"}, Words: true})
	c.List(Things{Kind: "side", IDs: []string{"north", "south"}, Words: true})
	c.Bound("turns", 7)
	return c
}

func fullCampaign() campaign {
	return campaign{
		turn: 0, sky: 0, held: []bool{true, false, true}, counts: [3]int{2, 0, -9},
		troops: []troop{{name: "a", at: 0, goes: -1, score: -5}, {name: "b", at: -1, dead: true}},
		wind:   heading{-3, 4}, path: [4]place{1, 2, 0, 0},
		rivals: []troop{{name: "c", at: 2, goes: 0}}, marches: []place{0, 2}, seats: []seat{{0}, {1}},
		allies: [2][]troop{nil, {{name: "d", at: 1, goes: -1}}},
		line:   []string{strings.Repeat("very ", 10) + "long", strings.Repeat("very ", 10) + "long too"},
	}
}

const campaignText = `turn: 1
sky: fair
held: [rome, asti]
counts:
  asti: -9
  rome: 2
troops:
  a: {at: rome, score: -5}
  b: {dead: true}
wind: [-3, 4]
path: [bari, asti]
rivals:
  - {name: c, at: asti, goes: rome}
marches: [rome, asti]
seats:
  - {at: rome}
  - {at: bari}
allies:
  south:
    d: {at: bari}
line: [very very very very very very very very very very long, very very very very very very very very very very long too]
`

// Ids are read as the ids of things, of which the first has the number zero, and what
// was written reads back as the same value.
func TestCodecOfSealedFields(t *testing.T) {
	want := fullCampaign()
	if text := campaignCodec().Write(&want).Encode(); text != campaignText {
		t.Errorf("written as\n%s", text)
	}
	root, problems := orders.ParseNode([]byte(campaignText))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got campaign
	r := orders.NewReader(nil)
	campaignCodec().Read(r, root, &got)
	if len(r.Problems) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nhave %+v\nwant %+v", r.Problems, got, want)
	}
}

// One reading tells every fault of a file, each at its place.
func TestCodecTellsAllFaults(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"sky: fair", "1:1 order.missing-key"},
		{"turn: 0", "1:7 order.want-number"},
		{"turn: 8", "1:7 order.want-number"},
		{"turn: 1\nsky: dim", "2:6 order.unknown-word"},
		{"turn: 1\nheld: [rome, oslo, none]", "2:14 order.unknown-place, 2:20 order.unknown-place"},
		{"turn: 1\ncounts: {rome: -10, bari: -9, Bari: 1}", "2:16 order.want-number, 2:31 order.key-twice"},
		{"turn: 1\ncounts: {none: 1}", "2:10 order.unknown-place"},
		{"turn: 1\ntroops: {a: {score: 6, at: oslo}, b: 1}", "2:21 order.want-number, 2:28 order.unknown-place, 2:38 order.want-map"},
		{"turn: 1\ntroops: {a: {dead: true, goes: rome}}", "2:32 x.goes"},
		{"turn: 1\nwind: [1]", "2:7 play.position-long"},
		{"turn: 1\nwind: [1, 10]", "2:11 order.want-number"},
		{"turn: 1\npath: [rome, rome, rome, rome, rome]", "2:7 play.position-long"},
		{"turn: 1\nrivals: [~]", "2:10 order.want-map"},
		{"turn: 1\nmarches: [rome, bari, rome]", "2:23 play.twice"},
		{"turn: 1\nmarches: [oslo, oslo]", "2:11 order.unknown-place, 2:17 order.unknown-place"},
		{"turn: 1\nmarches: []", "2:10 play.position-short"},
		{"turn: 1\nmarches: [rome, bari, asti, rome]", "2:10 play.position-long"},
		{"turn: 1\nseats: [{at: rome}, {at: rome}, {}]", "2:26 play.twice, 2:33 order.missing-key"},
		{"turn: 1\nseats: [{at: none}]", "2:14 order.unknown-place"},
		{"turn: 1\nallies: {north: {a: 1}, east: {}}", "2:21 order.want-map, 2:25 order.unknown-word"},
	} {
		root, problems := orders.ParseNode([]byte(test.text + "\n"))
		if len(problems) > 0 {
			t.Fatalf("%q: %v", test.text, problems)
		}
		r := orders.NewReader(nil)
		var got campaign
		campaignCodec().Read(r, root, &got)
		r.Problems.Sort()
		var all []string
		for _, p := range r.Problems {
			all = append(all, strconv.Itoa(p.Line)+":"+strconv.Itoa(p.Column)+" "+p.Why.Code)
		}
		if have := strings.Join(all, ", "); have != test.want {
			t.Errorf("%q: %s, want %s", test.text, have, test.want)
		}
	}
}

// No field of the model can be forgotten: if one field that is not exported has a tag,
// all others must have one too, even if only to say that they have no key.
func TestCodecForgetsNoField(t *testing.T) {
	defer func() {
		if fault, _ := recover().(string); !strings.Contains(fault, "field wind of") {
			t.Errorf("panic %q", fault)
		}
	}()
	NewCodec().Write(&struct {
		turn int `pos:"turn"`
		wind int
	}{turn: 1, wind: 2})
	t.Error("was written")
}

// A tag that means nothing is a mistake in the program, and panics.
func TestCodecKnowsItsTags(t *testing.T) {
	for _, v := range []any{
		&struct {
			A int `pos:"a,most-of-all=3"`
		}{}, &struct {
			A int `pos:"a,max=many"`
		}{}, &struct {
			A []int `pos:"a,by=moon"`
		}{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T was written", v)
				}
			}()
			NewCodec().Write(v)
		}()
	}
}
