package orders

import "testing"

// Letters that are no text are told with their place in the text as it was read:
// old line breaks count, invisible signs before them don't.
func TestPlaceOfWhatIsNoText(t *testing.T) {
	for _, test := range []struct {
		file         string
		line, column int
	}{
		{"orders:\n  x: a\xff\n", 2, 7},
		{"orders:\r  x: y\r  z: a\x80\r", 3, 7},
		{"orders:\n  x: \u200by\xff\n", 2, 7},
		{"orders:\n  x: e\u0301\xff\n", 2, 7},
	} {
		_, problems := Parse(test.file, nil)
		if len(problems) == 0 || problems[0].Why.Code != "order.not-utf8" || problems[0].Line != test.line || problems[0].Column != test.column {
			t.Errorf("%q: %v, want order.not-utf8 at %d:%d", test.file, problems, test.line, test.column)
		}
	}
}
