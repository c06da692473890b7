package play

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A picnic is the view of a toy game. Each of some guests brings something; no two
// bring the same, the host brings nothing, and at least so many guests must come.
type picnic struct {
	engine.View
	guests []string
	least  int
}

// A brought is what one guest brings, and how much of it.
type brought struct {
	who, what string
	many      int
}

// A table is the world of the stop.
type table struct {
	*picnic
	host string
	list []brought
}

var dishes = []string{"bread", "cheese", "wine"}

// called is a kind of names.
func called(kind string, names func(*picnic) []string) Kind[*picnic, string] {
	return Kind[*picnic, string]{
		Shape: shape.Name(kind),
		Read: func(v *picnic, r *orders.Reader, n *orders.Node) (string, bool) {
			var list []orders.Choice
			for _, name := range names(v) {
				list = append(list, orders.Choice{ID: name})
			}
			return r.Pick(n, kind, list)
		},
		Write: func(_ *picnic, name string) *orders.Node { return orders.Text(name) },
	}
}

var (
	guest = called("guest", func(v *picnic) []string { return v.guests })
	dish  = called("dish", func(*picnic) []string { return dishes })
	size  = Keywords[*picnic]([]string{"little", "much"}, []int{1, 2})
)

func wrong(code string) *Fault { return &Fault{Clause: "TOY-1", Why: phrase.Say(code)} }

// picnicForm declares the stop.
var picnicForm = &Form[*picnic, *[]string, *table]{
	Begin: func(v *picnic, _ engine.Decision) (*table, bool) { return &table{picnic: v}, len(v.guests) > 0 },
	Fields: []Field[*picnic, *table]{
		One("host", OrNone(guest, "none", "nobody"), Rule[*picnic, *table, string]{
			Next: func(w *table) iter.Seq[string] { return slices.Values(append([]string{""}, w.guests...)) },
			May: func(w *table, who string) *Fault { // who must have been chosen to bring something before
				if slices.ContainsFunc(w.list, func(b brought) bool { return b.who == who }) {
					return wrong("toy.host")
				}
				return nil
			},
			Put: func(w *table, who string) { w.host = who },
			Say: func(_ *picnic, who string) engine.Choice { return engine.Choice{Of: who, What: "host"} },
		}),
		List("bring", "none", Record(
			Need("who", guest, func(b *brought) *string { return &b.who }),
			Need("what", dish, func(b *brought) *string { return &b.what }),
			Of("much", size, func(b *brought) *int { return &b.many }),
		), Rule[*picnic, *table, brought]{
			Next: func(w *table) iter.Seq[brought] {
				return func(yield func(brought) bool) {
					for _, who := range w.guests {
						for _, what := range dishes {
							if !yield(brought{who, what, 1}) {
								return
							}
						}
					}
				}
			},
			Settle: func(_ *table, b brought) brought {
				b.many = max(b.many, 1)
				return b
			},
			May: func(w *table, b brought) *Fault {
				switch {
				case b.who != "" && b.who == w.host:
					return wrong("toy.host")
				case b.what != "" && slices.ContainsFunc(w.list, func(o brought) bool { return o.what == b.what }):
					return wrong("toy.twice")
				}
				return nil
			},
			Place: func(_ brought, f *Fault) []string {
				if f.Why.Code == "toy.host" {
					return []string{"who"}
				}
				return []string{"what"}
			},
			Partly: true,
			Many: func(_ *table, n int) *Fault {
				if n > 2 {
					return wrong("toy.many")
				}
				return nil
			},
			Put: func(w *table, b brought) { w.list = append(w.list, b) },
			Say: func(_ *picnic, b brought) engine.Choice { return engine.Choice{Of: b.who, What: "bring " + b.what} },
		}),
	},
	Lacks: func(w *table) *Fault {
		if len(w.list) < w.least {
			return wrong("toy.hungry")
		}
		return nil
	},
	Usual: func(x *Draft[*picnic, *table]) {
		x.Try("host", x.View.guests[0])
		for _, what := range dishes {
			if len(x.World.list) < x.View.least {
				x.Try("bring", brought{x.View.guests[1], what, 1})
			}
		}
	},
	Note: func(x *Draft[*picnic, *table], n *orders.Node) {
		n.Pairs[0].Key.Above = "host: " + strings.Join(x.View.guests, ", ")
	},
	Do: func(p *[]string, _ engine.Decision, w *table) { *p = append(*p, fmt.Sprintf("%s %v", w.host, w.list)) },
}

var _ Stop[*picnic, *[]string] = picnicForm

func outing(least int) *picnic { return &picnic{guests: []string{"Ann", "Bob", "Cleo"}, least: least} }

func readPicnic(t *testing.T, v *picnic, body string) (Reply, string) {
	t.Helper()
	n := orders.Text(body)
	if strings.Contains(body, "host") || strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		var faults orders.Problems
		if n, faults = orders.ParseNode([]byte(body)); len(faults) > 0 {
			t.Fatal(faults)
		}
	}
	r := orders.NewReader(nil)
	a := picnicForm.Read(v, engine.Decision{}, r, n)
	r.Problems.Sort()
	var told []string
	for _, f := range r.Problems {
		told = append(told, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Why.Code))
	}
	return a, strings.Join(told, ", ")
}

// Everything for which a file is refused is told at once, each fault at its place: also
// a fault at a key that could be read if another key could not.
func TestFormTellsAllFaults(t *testing.T) {
	for body, want := range map[string]string{
		"{host: Ann, bring: [{who: Bob, what: wine}]}":                                                     "",
		"{host: Ann, bring: {who: Bob, what: wine}}":                                                       "",
		"{host: nobody, bring: none}":                                                                      "1:1 toy.hungry",
		"{bring: [{who: Bob, what: wine}]}":                                                                "1:1 order.missing-key",
		"{host: Zoe, bring: [{who: Bob, what: soup}]}":                                                     "1:8 order.unknown-guest, 1:38 order.unknown-dish",
		"{host: Ann, bring: [{who: Ann, what: wine}]}":                                                     "1:27 toy.host",
		"{host: Ann, bring: [{who: Ann, what: soup}]}":                                                     "1:27 toy.host, 1:38 order.unknown-dish",
		"{host: Ann, bring: [{who: Zoe, what: soup}]}":                                                     "1:27 order.unknown-guest, 1:38 order.unknown-dish",
		"{host: Ann, bring: [{who: Bob}, {what: wine}]}":                                                   "1:21 order.missing-key, 1:33 order.missing-key",
		"{host: Ann, bring: [{who: Bob, what: wine}, {who: Bob, what: wine}]}":                             "1:62 toy.twice",
		"{host: Ann, bring: [{who: Bob, what: wine, much: lots}]}":                                         "1:50 order.unknown-word",
		"{host: none, bring: [{who: A, what: b}, {who: Bob, what: wine}]}":                                 "1:28 order.unknown-guest, 1:37 order.unknown-dish",
		"{host: none, guests: 3}":                                                                          "1:1 order.missing-key, 1:14 order.unknown-key",
		"[host]":                                                                                           "1:1 order.want-map",
		"{host: none, bring: [{who: Bob, what: wine}, {who: Bob, what: bread}, {who: Ann, what: cheese}]}": "1:21 toy.many",
	} {
		if _, got := readPicnic(t, outing(1), body); got != want {
			t.Errorf("%s\n%s, want\n%s", body, got, want)
		}
	}
}

// The default, the normal form and the template are written in the order of the
// fields; a value that was written in short is written in full.
func TestFormWrites(t *testing.T) {
	v, d := outing(1), engine.Decision{}
	usual := "host: Ann\nbring: [{who: Bob, what: bread, much: little}]\n"
	if got := picnicForm.Fallback(v, d).Node().Encode(); got != usual {
		t.Errorf("the default is\n%s", got)
	}
	template := picnicForm.Template(v, d).Encode()
	if want := "## host: Ann, Bob, Cleo\n" +
		"# - {host: Ann, bring: [{who: Bob, what: bread, much: little}]}\n" +
		"# - {host: none, bring: [{who: Bob, what: bread, much: little}]}\n" +
		"# - {host: Cleo, bring: [{who: Bob, what: bread, much: little}]}\n- end\n"; template != want {
		t.Errorf("the template is\n%s", template)
	}
	for _, body := range []string{template, "default"} {
		if a, faults := readPicnic(t, v, body); faults != "" || a.Node().Encode() != usual {
			t.Errorf("%q: %s", body, faults)
		}
	}
	for _, body := range []string{"[end]", "[{host: Ann}, {bring: {who: Bob, what: bread}}, end]", "{host: Ann, bring: [{who: Bob, what: bread}, end]}", "{bring: [end]}"} {
		if a, faults := readPicnic(t, v, body); faults != "" || a.Node().Encode() != usual {
			t.Errorf("%q: %s", body, faults)
		}
	}
	for _, body := range []string{"[[]]", "[end, end]", "[{host: Ann}]", "[end, {host: Ann}]", "[[end]]", "[{host: Ann}, {host: Ann}, end]", "[host, end]", "{host: [end]}"} {
		if _, faults := readPicnic(t, v, body); faults == "" {
			t.Errorf("%q is read", body)
		}
	}
	a, faults := readPicnic(t, v, "{bring: {what: wine, who: Cleo}, host: nobody}")
	if want := "host: none\nbring: [{who: Cleo, what: wine, much: little}]\n"; faults != "" || a.Node().Encode() != want {
		t.Errorf("%s is written\n%s", faults, a.Node().Encode())
	}
	if a, _ = readPicnic(t, outing(0), "{host: none, bring: []}"); a.Node().Encode() != "host: none\nbring: none\n" {
		t.Errorf("nothing is written\n%s", a.Node().Encode())
	}
}

// What may be chosen is accepted, and what is accepted can be chosen. No choice at all
// means the default, and random answers are accepted.
func TestFormChoices(t *testing.T) {
	v, d := outing(1), engine.Decision{}
	chance := rand.New(rand.NewPCG(1, 2))
	if got := len(picnicForm.Choices(v, d, nil)); got != 4+9 {
		t.Errorf("%d choices", got)
	}
	if a, b := picnicForm.Compose(v, d, nil).Node().Encode(), picnicForm.Fallback(v, d).Node().Encode(); a != b {
		t.Errorf("nothing chosen is\n%s", a)
	}
	seen := map[string]bool{}
	for range 200 {
		a := picnicForm.Random(v, d, chance)
		text := a.Node().Encode()
		seen[text] = true
		back, faults := readPicnic(t, v, text)
		if faults != "" || back.Node().Encode() != text {
			t.Fatalf("%s\n%s", faults, text)
		}
		made := picnicForm.Chosen(v, d, back)
		for i, c := range made {
			if !engine.Offered(picnicForm.Choices(v, d, made[:i]), c) {
				t.Fatalf("%+v is not offered after %+v", c, made[:i])
			}
		}
		if again := picnicForm.Compose(v, d, made).Node().Encode(); again != text {
			t.Fatalf("%+v make\n%snot\n%s", made, again, text)
		}
		for _, c := range picnicForm.Choices(v, d, made[:1]) {
			if _, faults := readPicnic(t, v, picnicForm.Compose(v, d, append(made[:1:1], c)).Node().Encode()); faults != "" {
				t.Fatalf("%+v after %+v: %s", c, made[:1], faults)
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("%d answers by chance", len(seen))
	}
	if list := picnicForm.Choices(v, d, []engine.Choice{{Of: "Zoe", What: "host"}}); list != nil {
		t.Errorf("after what can't be chosen: %v", list)
	}
}

// Where there is nothing to answer, every file means the default, which does nothing.
// Otherwise an answer is carried out from its world, as often as one likes.
func TestFormIsCarriedOut(t *testing.T) {
	var done []string
	d := engine.Decision{}
	for _, body := range []string{"{host: Bob, bring: [{who: Ann, what: wine}]}", "default"} {
		a, _ := readPicnic(t, outing(1), body)
		picnicForm.Take(&done, d, a)
		picnicForm.Take(&done, d, a)
	}
	nobody := &picnic{}
	a, faults := readPicnic(t, nobody, "{host: Bob}")
	picnicForm.Take(&done, d, a)
	if _, ok := World[*picnic, *table](a); ok || faults != "" || a.Node().Encode() != "default\n" {
		t.Errorf("of nobody: %s %s", faults, a.Node().Encode())
	}
	for _, more := range []Reply{picnicForm.Random(nobody, d, rand.New(rand.NewPCG(1, 2))), picnicForm.Sensible(nobody, d, nil), picnicForm.Compose(nobody, d, []engine.Choice{{What: "host"}})} {
		picnicForm.Take(&done, d, more)
	}
	if picnicForm.Choices(nobody, d, nil) != nil || picnicForm.Template(nobody, d).Encode() != "default\n" {
		t.Error("nobody has choices")
	}
	want := []string{"Bob [{Ann wine 1}]", "Bob [{Ann wine 1}]", "Ann [{Bob bread 1}]", "Ann [{Bob bread 1}]"}
	if !slices.Equal(done, want) {
		t.Errorf("done is %q", done)
	}
}
