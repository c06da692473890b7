package orders

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var parseSeeds = []string{
	sampleFile, mangle(sampleFile), wrapMail(sampleFile, 60), quoteMail(sampleFile, "> "), Frame("en", sampleFile),
	"game: x\nnote: two things\n  first: \"so\"\n\n  * then so\n", "orders:\n\t- at: x\n\t- \"y\n", "partita：x\nordini：［“a”，‘b’］\n",
	"orders: {a: [b, {c: d}]}\n- x\n ? y\n", "note: >\n  a\n\n   b\nstop: 12 move\n", "orders: [a, &b, *c, !d, <<: e]\n",
}

// checkProblems checks that every problem says something about a place in the
// file.
func checkProblems(t *testing.T, source string, problems Problems) {
	t.Helper()
	lines := strings.Split(source, "\n")
	for _, p := range problems {
		if p.Why.IsZero() || p.Line < 0 || p.Line > len(lines) {
			t.Fatalf("problem %+v in a file of %d lines", p, len(lines))
		}
		if p.Line > 0 && (p.Column < 1 || p.Column > utf8.RuneCountInString(lines[p.Line-1])+1) {
			t.Fatalf("problem %s outside its line %q", tell(Problems{p}), lines[p.Line-1])
		}
		if p.Line > 0 && excerpt(source, p.Line, p.Column) == "" {
			t.Fatalf("no excerpt for %s", tell(Problems{p}))
		}
	}
	if len(problems) > maxProblems {
		t.Fatalf("%d problems", len(problems))
	}
}

// Whatever comes, Parse never panics, tells faults at places of the file, and
// what it accepts means the same after writing and reading it again.
func FuzzParse(f *testing.F) {
	for _, s := range append(parseSeeds, yamlSeeds...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, problems := Parse(text, nil)
		checkProblems(t, d.Source, problems)
		again, more := Parse(d.Source, nil)
		if len(problems) == 0 && d.Source != again.Source {
			t.Fatalf("repaired twice: %+v\n%q\n%q", again.Repairs, d.Source, again.Source)
		}
		if len(problems) > 0 {
			return
		}
		if len(more) > 0 || !Equal(d.Root, again.Root) {
			t.Fatalf("what was accepted is not: %s\n%q", tell(more), d.Source)
		}
		written := d.Root.Encode()
		back, problems := Parse(written, nil)
		if len(problems) > 0 {
			t.Fatalf("%s\nof what was written:\n%s", tell(problems), written)
		}
		if len(back.Repairs) > 0 {
			t.Fatalf("repaired what was written: %+v\n%s", back.Repairs, written)
		}
		if !Equal(back.Root, d.Root) {
			t.Fatalf("wrote\n%s\nof\n%s\nwhich reads\n%s", written, dump(d.Root), dump(back.Root))
		}
		if encoded := back.Root.Encode(); encoded != restyle(back.Root, d.Root).Encode() {
			t.Fatalf("not stable:\n%s\n%s", encoded, written)
		}
		if len(written) < 60<<10 {
			agree(t, written)
		}
	})
}

// restyle gives a tree the brackets of another that is equal to it.
func restyle(like, n *Node) *Node {
	c := n.Clone()
	var walk func(a, b *Node)
	walk = func(a, b *Node) {
		b.Flow = a.Flow
		for i := range a.Pairs {
			walk(a.Pairs[i].Key, b.Pairs[i].Key)
			walk(a.Pairs[i].Value, b.Pairs[i].Value)
		}
		for i := range a.Items {
			walk(a.Items[i], b.Items[i])
		}
	}
	walk(like, c)
	return c
}

// Encode writes any tree, with any comments, so that it reads back equal.
func FuzzEncode(f *testing.F) {
	f.Add([]byte("\x01\x02ab: c # d\x03\x00- x\x04[1]"))
	f.Add([]byte("\x02\x02\x02 long enough to be broken over several lines, is it not? I'd say so, and more"))
	f.Add([]byte("\x05\x01\x01null\x00~\x00\x00 \x00 x\x00x \x00é\x00\u202f\x00line\ntwo\n\x00\x0a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &grower{data: data}
		n := g.node(0)
		if n.Kind == Scalar {
			return
		}
		written := n.Encode()
		back, problems := ParseNode([]byte(written))
		if len(problems) > 0 {
			t.Fatalf("%s\n%s\n%s", tell(problems), written, dump(n))
		}
		if !Equal(n, back) {
			t.Fatalf("wrote\n%s\nof\n%s\nwhich reads\n%s", written, dump(n), dump(back))
		}
		agree(t, written)
		file := Mapping().Set("game", Text("x")).Set("orders", n)
		d, _ := Parse(file.Encode(), nil)
		if len(d.Repairs) > 0 {
			t.Fatalf("repaired: %+v\n%s", d.Repairs, file.Encode())
		}
		if d.Orders.Whole() && !Equal(d.Orders, n) {
			t.Fatalf("wrote\n%s\nwhich reads\n%s", file.Encode(), dump(d.Orders))
		}
	})
}

// A grower makes trees of bytes.
type grower struct {
	data  []byte
	nodes int
}

func (g *grower) next() byte {
	if len(g.data) == 0 {
		return 0
	}
	b := g.data[0]
	g.data = g.data[1:]
	return b
}

func (g *grower) text() string {
	end := 0
	for end < len(g.data) && g.data[end] >= ' ' || end < len(g.data) && g.data[end] == '\n' {
		end++
	}
	raw := string(g.data[:end])
	g.data = g.data[end:]
	var c cleaner
	return strings.TrimSuffix(c.clean(strings.ToValidUTF8(raw, "")), "\n")
}

func (g *grower) node(depth int) *Node {
	kind := g.next()
	n := &Node{Flow: kind&8 != 0}
	g.nodes++
	if kind&16 != 0 {
		n.Comment = g.text()
	}
	if kind&32 != 0 {
		n.Above = g.text()
	}
	switch {
	case depth > 6 || kind%4 == 0 || len(g.data) == 0:
		n.Text = g.text()
		n.Null = n.Text == "" && kind&64 != 0
	case kind%4 == 1:
		n.Kind = List
		for range g.next() % 5 {
			n.Items = append(n.Items, g.node(depth+1))
		}
	default:
		n.Kind = Map
		seen := map[string]bool{}
		for range g.next() % 5 {
			key := g.text()
			if len(key) > 100 || seen[key] || len(seen) > 20 {
				continue
			}
			seen[key] = true
			n.Pairs = append(n.Pairs, Pair{Text(key), g.node(depth + 1)})
		}
	}
	return n
}

// Find never panics, and what it finds is a text whose place is in the letter.
func FuzzFind(f *testing.F) {
	for _, s := range parseSeeds {
		f.Add("Hello,\n\n"+s+"\n-- \nBob\n", "", "orders.yaml")
		f.Add("On Friday X wrote:\n"+quoteMail(Frame("it", s), "> "), "<p>", "x.txt")
		f.Add("", s, "")
		f.Add("```yaml\n"+s+"```\n", s, "a.yml")
	}
	f.Fuzz(func(t *testing.T, plain, file, name string) {
		parts := []Part{{Kind: Plain, Text: plain}, {Kind: File, Name: name, Text: file}, {Kind: HTML, Text: file}}
		found, problems := Find(parts)
		if len(problems) == 0 && (found.Text == "" || found.Line < 1) {
			t.Fatalf("found nothing and says so not: %+v", found)
		}
		for _, p := range problems {
			if p.Why.IsZero() || p.Remedy.IsZero() {
				t.Fatalf("%+v", p)
			}
		}
		d, more := Parse(found.Text, nil)
		checkProblems(t, d.Source, more)
	})
}
