package templates

import (
	"slices"
	"testing"
)

func TestLongLinesAreBroken(t *testing.T) {
	for _, x := range []struct {
		line string
		want []string
	}{
		{"  - move: {from: Ligny, to: Gembloux, units: [P-12, P-15]}", []string{"  - move: {from: Ligny,", "      to: Gembloux,", "      units: [P-12,", "      P-15]}"}},
		{"  - card: A, B, C, D, E, F, G, H, I", []string{"  - card: A, B, C, D, E, F, G, H, I"}},            // no brackets
		{"  # - move: {from: Ligny, to: Wavre}", []string{"  # - move: {from: Ligny, to: Wavre}"}},          // a remark
		{`  - x: {a: "b, c, d, e, f, g, h, i"}`, []string{`  - x: {a: "b, c, d, e, f, g, h, i"}`}},          // within quotes
		{"  - x: [a, b], {c: d, e: fff, gg: 1}", []string{"  - x: [a, b], {c: d,", "      e: fff, gg: 1}"}}, // behind brackets that are closed
	} {
		if got := broken(x.line, 24); !slices.Equal(got, x.want) {
			t.Errorf("%q is broken into %q", x.line, got)
		}
		if got := broken(x.line, 0); len(got) != 1 {
			t.Errorf("%q is broken into %q where nothing shall be", x.line, got)
		}
	}
}
