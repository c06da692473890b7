package mail

import (
	"bufio"
	"bytes"
	"net/textproto"
	"testing"

	"pgregory.net/rapid"
)

// A letter goes out as the library's writer of dots would write it.
func TestDotted(t *testing.T) {
	piece := rapid.SampledFrom([]string{"\r\n", "\r\n", "\r\n.", ".", "..", "\r", "\n", "\n.", "a", "line", " "})
	was := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		var raw []byte
		for _, p := range rapid.SliceOfN(piece, 0, 30).Draw(t, "pieces") {
			raw = append(raw, p...)
		}
		raw = append(raw, rapid.SampledFrom([]string{"\r\n", "\r\n", "", "\n", "\r"}).Draw(t, "end")...)
		before := bytes.Clone(raw)
		body, ok := dotted(raw)
		was[ok]++
		if !bytes.Equal(raw, before) {
			t.Fatalf("%q was altered to %q", before, raw)
		}
		if !ok {
			return
		}
		var want, got bytes.Buffer
		wants, w := bufio.NewWriter(&want), bufio.NewWriter(&got)
		dots := textproto.NewWriter(wants).DotWriter()
		_, err := dots.Write(raw)
		if err != nil || dots.Close() != nil {
			t.Fatal(err)
		}
		got.Write(body) // below the library's buffers
		if err := textproto.NewWriter(w).DotWriter().Close(); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Fatalf("%q goes out as %q, want %q", raw, got.String(), want.String())
		}
	})
	if was[true] == 0 || was[false] == 0 {
		t.Errorf("only one kind of letters: %v", was)
	}
}
