package geometry

import (
	"errors"
	"testing"
)

func TestLengths(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "12": 12_000, "-3.5": -3500, "0.250": 250, "-0.001": -1, "1.10000": 1100, "500000": 500_000_000} {
		got, err := ReadLength(text, 3)
		if err != nil || got != want {
			t.Errorf("%q is %d, %v, should be %d", text, got, err, want)
		}
	}
	for text, want := range map[string]error{"": ErrNotLength, ".5": ErrNotLength, "5.": ErrNotLength, "+1": ErrNotLength, "-0": ErrNotLength,
		"-0.000": ErrNotLength, "01": ErrNotLength, "1e3": ErrNotLength, "--1": ErrNotLength, "1 ": ErrNotLength, "1_0": ErrNotLength,
		"٣": ErrNotLength, "1,5": ErrNotLength, "1.0005": ErrTooFine, "500001": ErrTooLong, "99999999999999999999": ErrTooLong, "1.2.3": ErrNotLength} {
		if got, err := ReadLength(text, 3); !errors.Is(err, want) {
			t.Errorf("%q is %d, %v, should be refused: %v", text, got, err, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 5: "0.05", -5: "-0.05", 100: "1", 120: "1.2", -12345: "-123.45"} {
		same(t, "the text", WriteLength(n, 2), want)
	}
	same(t, "the text without decimals", WriteLength(-70, 0), "-70")
	many(t, 1, func(m maker) {
		n, decimals := m.number(Limit), m.IntN(5)
		if got, err := ReadLength(WriteLength(n, decimals), decimals); err != nil || got != n {
			t.Errorf("%d is written %q and read as %d, %v", n, WriteLength(n, decimals), got, err)
		}
	})
}

func FuzzLength(f *testing.F) {
	for _, text := range []string{"12.5", "-0", "0.001", "1e9", "999999999"} {
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, decimals uint8) {
		d := int(decimals % 7)
		n, err := ReadLength(text, d)
		if err != nil {
			return
		}
		again, err := ReadLength(WriteLength(n, d), d)
		if err != nil || again != n || abs(n) > Limit {
			t.Errorf("%q is read as %d, and written as %q", text, n, WriteLength(n, d))
		}
	})
}
