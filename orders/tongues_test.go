package orders

import (
	"strings"
	"testing"
)

// A remark is written in the language that is asked for, and in English if none is; what may
// be uncommented is the same in each.
func TestRemarksInOneLanguage(t *testing.T) {
	n := Mapping().Set("fire", Text("hold"))
	n.Above = Tongues("the default", "il predefinito") + " x"
	n.Comment = Tongues("behind", "dietro")
	n.Spare = []string{"# " + Tongues("answered for you: ", "risposto per te: ") + "a; " + Tongues("b", "c"), "fire: best"}
	n.Pairs[0].Value.Comment = Tongues("hold", "tieni")
	n.Pairs[0].Key.Above = "no tongue"
	for language, words := range map[string][]string{
		"en": {"## the default x\n", "## behind\n", "## answered for you: a; b\n", "hold  # hold\n"},
		"it": {"## il predefinito x\n", "## dietro\n", "## risposto per te: a; c\n", "hold  # tieni\n"},
		"fr": {"## the default x\n"},
		"":   {"## the default x\n"},
	} {
		text := n.In(language, nil).Encode()
		for _, want := range append(words, "## no tongue\n", "# fire: best\n") {
			if !strings.Contains(text, want) {
				t.Errorf("%q: no %q in\n%s", language, want, text)
			}
		}
		if strings.ContainsAny(text, tonguesBegin+tonguesPart+tonguesEnd) {
			t.Errorf("%q: signs are left in %q", language, text)
		}
	}
	if text := n.Encode(); text != n.In("en", nil).Encode() {
		t.Errorf("of no language: %s", text)
	}
	if (*Node)(nil).In("it", nil) != nil {
		t.Error("nothing becomes something")
	}
}
