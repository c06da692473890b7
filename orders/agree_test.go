package orders

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// foreign reads a text with the YAML library, as a tree of ours.
func foreign(text string) (*Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if err == io.EOF {
			return nil, nil
		}
		return nil, err
	}
	if err := dec.Decode(new(yaml.Node)); err != io.EOF {
		return nil, fmt.Errorf("second document or worse: %v", err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root, err := fromForeign(doc.Content[0])
	if err == nil && root.Null {
		return nil, nil // nothing but marks and comments
	}
	return root, err
}

func fromForeign(y *yaml.Node) (*Node, error) {
	if y.Anchor != "" || y.Kind == yaml.AliasNode || y.Style&yaml.TaggedStyle != 0 {
		return nil, fmt.Errorf("line %d: anchor, alias or tag", y.Line)
	}
	n := &Node{Line: y.Line, Column: y.Column}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Map
		for i := 0; i < len(y.Content); i += 2 {
			key, err := fromForeign(y.Content[i])
			if err != nil {
				return nil, err
			}
			if y.Content[i].Tag == "!!merge" { // elsewhere << is a text
				return nil, fmt.Errorf("line %d: merge", y.Content[i].Line)
			}
			value, err := fromForeign(y.Content[i+1])
			if err != nil {
				return nil, err
			}
			n.Pairs = append(n.Pairs, Pair{key, value})
		}
	case yaml.SequenceNode:
		n.Kind = List
		for _, c := range y.Content {
			item, err := fromForeign(c)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
	default:
		n.Text = y.Value
		if y.Tag == "!!null" && y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			n.Null, n.Text = true, ""
		}
	}
	return n, nil
}

// samePlaces compares the lines and columns of two equal trees.
func samePlaces(a, b *Node) error {
	if !a.Null && (a.Line != b.Line || a.Column != b.Column) {
		return fmt.Errorf("%q (kind %d) at %d:%d, should be %d:%d", a.Text, a.Kind, a.Line, a.Column, b.Line, b.Column)
	}
	for i := range a.Pairs {
		if err := samePlaces(a.Pairs[i].Key, b.Pairs[i].Key); err != nil {
			return err
		}
		if err := samePlaces(a.Pairs[i].Value, b.Pairs[i].Value); err != nil {
			return err
		}
	}
	for i := range a.Items {
		if err := samePlaces(a.Items[i], b.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// questionInBrackets tells whether a text without quotes holds a question mark
// inside brackets. YAML lets it be part of a word there; the library takes it for
// the mark of a key wherever it stands.
func questionInBrackets(n *Node, lines []string, inside bool) bool {
	if n.Kind == Scalar {
		if !inside || strings.IndexByte(n.Text, '?') < 0 {
			return false
		}
		first := []rune(lines[n.Line-1])[n.Column-1]
		return first != '"' && first != '\''
	}
	inside = inside || n.Flow
	for _, p := range n.Pairs {
		if questionInBrackets(p.Key, lines, inside) || questionInBrackets(p.Value, lines, inside) {
			return true
		}
	}
	for _, item := range n.Items {
		if questionInBrackets(item, lines, inside) {
			return true
		}
	}
	return false
}

// agree checks that what we accept means the same to the YAML library.
func agree(t *testing.T, text string) {
	t.Helper()
	ours, problems := ParseNode([]byte(text))
	if len(problems) > 0 {
		return
	}
	if ours == nil {
		return // nothing but comments and marks
	}
	var c cleaner
	clean := c.clean(text)
	for _, l := range split(clean) {
		if !l.content() && strings.Contains(clean[l.start:l.end], "\t") {
			return // the library stumbles over tabs on lines without content, which are no fault
		}
	}
	if questionInBrackets(ours, strings.Split(clean, "\n"), false) {
		return
	}
	theirs, err := foreign(clean)
	if err != nil {
		t.Fatalf("we accept what the library refuses: %v\n%q", err, clean)
	}
	if !Equal(ours, theirs) {
		t.Fatalf("we read\n%s\nthe library reads\n%s\nof %q", dump(ours), dump(theirs), clean)
	}
	if err := samePlaces(ours, theirs); err != nil {
		t.Fatalf("%v\nof %q", err, clean)
	}
}

func dump(n *Node) string {
	var b strings.Builder
	var walk func(n *Node, indent string)
	walk = func(n *Node, indent string) {
		switch {
		case n == nil:
			b.WriteString("nothing\n")
		case n.Kind == Map:
			fmt.Fprintf(&b, "map %d:%d\n", n.Line, n.Column)
			for _, p := range n.Pairs {
				fmt.Fprintf(&b, "%s  %q %d:%d: ", indent, p.Key.Text, p.Key.Line, p.Key.Column)
				walk(p.Value, indent+"  ")
			}
		case n.Kind == List:
			fmt.Fprintf(&b, "list %d:%d\n", n.Line, n.Column)
			for _, item := range n.Items {
				b.WriteString(indent + "  - ")
				walk(item, indent+"  ")
			}
		case n.Kind == Broken:
			fmt.Fprintf(&b, "broken %d:%d\n", n.Line, n.Column)
		case n.Null:
			fmt.Fprintf(&b, "null\n")
		default:
			fmt.Fprintf(&b, "%q %d:%d\n", n.Text, n.Line, n.Column)
		}
	}
	walk(n, "")
	return b.String()
}

var yamlSeeds = []string{
	"a: 1\nb: 2\n", "a:\n- x\n- y\nb: z\n", "a:\n  - x: 1\n    y: 2\n  - - p\n    - q\n", "a: [x,\ny]\nb: {c: d, e: [f, {g: h}]}\n",
	"a: |\n  x\n\n   y\n  z\n\n\nb: >-\n  x\n  y\n\n  z\n   q\n  r\n", "a: \"x\\n\\u00e9 y\n  z\n\n  w\\\n  v\"\nb: 'it''s\n  so'\n",
	"# c\na: b # d\n\n# e\nc: x\n  y\n  z\n", "  a: 1\n  b:\n    c: 2\n", "a: [b: c, d]\n", "---\na: b\n...\n", "- a\n-\n  - b\n- c: d\n  e: f\n",
	"\"a b\": c\n'd': e\n", "a: ~\nb:\nc: null\nd: \"\"\n", "a: x#y\nb: http://x.y/z\nc: 12:30\nd: -5\ne: a - b\n", "a: {b: , c: ~}\n", "a:   \n   b\n   c\n",
	"a: |2\n    x\n   y\nb: >+\n  x\n\n\nc: |-\n  y\n", "é: è # ü\nß: [ö, 日本]\n", "a: [\n  x, # one\n  y  # two\n]\n", "a : b\n? c\n", "a:\tb\n", "a: b\t# c\n", "-\ta\n", "...\n", "{0:}\n", "|\n0\n", "---\n", "\t#\n", "[a ? b]\n",
}

func TestAgreesWithYAML(t *testing.T) {
	for _, s := range yamlSeeds {
		agree(t, s)
	}
	files, err := filepath.Glob("../engine/*/scenarios/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, string(data))
	}
}

func FuzzAgree(f *testing.F) {
	for _, s := range yamlSeeds {
		f.Add(s)
	}
	f.Fuzz(agree)
}
