package play

import "testing"

// A comparison is read as it is written, holds where its sign says so, and is nothing else.
func TestComparisons(t *testing.T) {
	for _, c := range []struct {
		text, ratio, normal string
		a, b                int
		holds               bool
	}{
		{"3", "", "=3", 3, 1, true}, {"=3", "", "=3", 4, 1, false},
		{">= 3", "", ">=3", 3, 1, true}, {">3", "", ">3", 3, 1, false},
		{"<=0", "", "<=0", 0, 1, true}, {"<1", "", "<1", 1, 1, false},
		{"<1/2", "/", "<1/2", 1, 3, true}, {"<1/2", "/", "<1/2", 2, 4, false},
		{">2:1", ":", ">2", 5, 2, true}, {">=3:2", ":", ">=3:2", 3, 2, true},
	} {
		got, ok := ReadComparison(c.text, c.ratio)
		if !ok || got.Text(c.ratio) != c.normal || got.Holds(c.a, c.b) != c.holds {
			t.Errorf("%s reads as %s (%v); %d over %d: %v", c.text, got.Text(c.ratio), ok, c.a, c.b, got.Holds(c.a, c.b))
		}
		if again, ok := ReadComparison(c.normal, c.ratio); !ok || again != got {
			t.Errorf("%s is not read back", c.normal)
		}
	}
	for _, text := range []string{"", ">", "x", "1000", "-1", "03", "<>2", "1/2", ">1:2", "1.5"} {
		if c, ok := ReadComparison(text, ""); ok {
			t.Errorf("%q reads as %v", text, c)
		}
	}
	if c, ok := ReadComparison("1/0", "/"); ok {
		t.Errorf("1/0 reads as %v", c)
	}
}
