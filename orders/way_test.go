package orders

import "testing"

// A way found by a place in one tree leads to the same part of another, or as near to it
// as that goes.
func TestWaysLeadToTheSamePart(t *testing.T) {
	parse := func(text string) *Node {
		n, problems := ParseNode([]byte(text))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return n
	}
	whole := parse("turn: 3\nunits:\n  F-01: {at: Ligny, steps: 2}\n  F-02: {at: Nowhere}\nlist:\n  - {id: A}\n  - {id: B, n: 9}\nend: 1\n")
	part := parse("# mine\nlist: [{id: A}, {id: B, n: 9}]\nunits: {F-02: {at: Nowhere}, F-09: {}}\n")
	for _, c := range []struct{ line, column, wantLine, wantColumn int }{
		{4, 14, 3, 20}, // F-02's at
		{7, 16, 2, 28}, // n of B
		{3, 14, 3, 8},  // F-01 is not in the part: its map
		{8, 6, 2, 1},   // nor is end: the whole
		{1, 1, 2, 1},
	} {
		at := part.Follow(whole.WayTo(c.line, c.column))
		if at.Line != c.wantLine || at.Column != c.wantColumn {
			t.Errorf("%d:%d leads to %d:%d, want %d:%d", c.line, c.column, at.Line, at.Column, c.wantLine, c.wantColumn)
		}
	}
	if n := part.Find("F-09"); n == nil || n.Line != 3 || n.Column != 30 {
		t.Errorf("F-09 is found at %+v", n)
	}
	if part.Find("F-77") != nil || part.Find("") != nil {
		t.Error("what is not there is found")
	}
}
