package play

import (
	"testing"

	"berthier/orders/phrase"
)

// What a former program told is known again by its code and by every place that is not new:
// nothing else may be missing, added, changed or moved.
func TestSaysMore(t *testing.T) {
	since := func(code, place string) bool { return code == "hit" && place == "was" }
	unit, was, at := phrase.Name("unit", "unit", "F-03"), phrase.Number("was", 3), phrase.Name("at", "field", "left")
	now := phrase.Say("hit", unit, was, at)
	for name, c := range map[string]struct {
		then phrase.Phrase
		want bool
	}{
		"the same":          {now, true},
		"less":              {phrase.Say("hit", unit, at), true},
		"another sentence":  {phrase.Say("hits", unit, at), false},
		"another unit":      {phrase.Say("hit", phrase.Name("unit", "unit", "F-04"), at), false},
		"another field":     {phrase.Say("hit", unit, phrase.Name("at", "field", "right")), false},
		"another number":    {phrase.Say("hit", unit, phrase.Number("was", 2), at), false},
		"without its unit":  {phrase.Say("hit", at), false},
		"without its field": {phrase.Say("hit", unit), false},
		"more than now":     {phrase.Say("hit", unit, at, phrase.Number("n", 1)), false},
		"in another order":  {phrase.Say("hit", at, unit), false},
	} {
		if got := SaysMore(now, c.then, since); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
