package orders

import (
	"testing"

	"pgregory.net/rapid"
)

// A value on one line is what its lines in a file say, joined, whatever is in it.
func TestOneLine(t *testing.T) {
	word := rapid.SampledFrom([]string{"", "a", "F-03", "two words", "two  spaces", " before", "after ", "a, b", "x: y", "null", "no", "12:30", "è", "a\u00a0b", "a\u2003b", "\ttab", "first\nsecond", "\"quoted\"",
		"# no comment", "-", "- a", "{", "a text that is so long that in a file it would have to be broken, which is done at its spaces"})
	comment := rapid.SampledFrom([]string{"", "", "", "", "", "", "", "note", "two\nlines"})
	var tree func(deep int) *rapid.Generator[*Node]
	tree = func(deep int) *rapid.Generator[*Node] {
		return rapid.Custom(func(t *rapid.T) *Node {
			n := &Node{Text: word.Draw(t, "text"), Above: comment.Draw(t, "above"), Comment: comment.Draw(t, "behind"), Long: rapid.Bool().Draw(t, "long")}
			switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
			case kind == 1:
				n.Null, n.Text = true, ""
			case kind == 2:
				n.Kind = Broken
			case kind > 2 && deep > 0:
				inner := rapid.SliceOfN(tree(deep-1), 0, 4).Draw(t, "inner")
				n.Text, n.Kind, n.Below = "", List, comment.Draw(t, "below")
				if kind == 3 {
					n.Items = inner
					break
				}
				n.Kind = Map
				for i, value := range inner {
					n.Pairs = append(n.Pairs, Pair{Text(word.Draw(t, "key") + string(rune('a'+i))), value})
				}
			}
			return n
		})
	}
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		n := tree(3).Draw(t, "value")
		if !commented(n) {
			plain++
		}
		if got, want := n.OneLine(), joined(n); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
	if plain == 0 {
		t.Error("every value had comments")
	}
}
