package phrase_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"berthier/orders/phrase"
)

// Two phrases are equal, and have one key, if nothing in them differs, however deep it stands.
func TestEqualPhrases(t *testing.T) {
	few := rapid.SampledFrom([]string{"", "a", "b"})
	var say func(depth int) *rapid.Generator[phrase.Phrase]
	var value func(depth int) *rapid.Generator[phrase.Value]
	value = func(depth int) *rapid.Generator[phrase.Value] {
		return rapid.Custom(func(t *rapid.T) phrase.Value {
			v := phrase.Value{Kind: few.Draw(t, "kind"), Text: few.Draw(t, "text"), Num: rapid.IntRange(0, 1).Draw(t, "number")}
			if depth > 0 && rapid.Bool().Draw(t, "a list") {
				v.List = rapid.SliceOfN(value(depth-1), 1, 2).Draw(t, "list")
			}
			if depth > 0 && rapid.Bool().Draw(t, "a phrase") {
				inner := say(depth-1).Draw(t, "phrase")
				v.Say = &inner
			}
			return v
		})
	}
	say = func(depth int) *rapid.Generator[phrase.Phrase] {
		return rapid.Custom(func(t *rapid.T) phrase.Phrase {
			p := phrase.Phrase{Code: few.Draw(t, "code")}
			for range rapid.IntRange(0, 2).Draw(t, "arguments") {
				p.Args = append(p.Args, phrase.Arg{Name: few.Draw(t, "place"), Value: value(depth).Draw(t, "value")})
			}
			return p
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := say(2).Draw(t, "a"), say(2).Draw(t, "b")
		if got, want := a.Equal(b), reflect.DeepEqual(a, b); got != want {
			t.Fatalf("%v and %v: equal %v, want %v", a, b, got, want)
		}
		if got := string(a.AppendKey(nil)) == string(b.AppendKey(nil)); got != reflect.DeepEqual(a, b) {
			t.Fatalf("%v and %v: one key %v", a, b, got)
		}
		if !a.Equal(a) {
			t.Fatalf("%v is not equal to itself", a)
		}
	})
}
