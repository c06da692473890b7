package lots

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
)

func seed(b byte) Seed {
	var s Seed
	for i := range s {
		s[i] = b
	}
	return s
}

func list(t *testing.T, entries ...string) List {
	t.Helper()
	l, err := Close("aquila", "2027-1", entries)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestDraws works the first numbers out by hand.
func TestDraws(t *testing.T) {
	s, l := seed(7), list(t, "M-1", "M-2")
	key := hmac.New(sha256.New, s[:])
	key.Write(l.digest[:])
	mac := hmac.New(sha256.New, key.Sum(nil))
	mac.Write(append(make([]byte, 8), "sides"...))
	block := mac.Sum(nil)
	d := s.For(l, "sides")
	for i := range 8 {
		v := uint32(block[4*i])<<24 | uint32(block[4*i+1])<<16 | uint32(block[4*i+2])<<8 | uint32(block[4*i+3])
		if got := d.Draw(1 << 16); got != int(v%(1<<16)) {
			t.Errorf("number %d is %d, not %d", i, got, v%(1<<16))
		}
	}
}

// TestWhatCounts: seed, list, purpose, league and season all change the lots; the order of
// entries does not.
func TestWhatCounts(t *testing.T) {
	draw := func(s Seed, l List, purpose string) string { return fmt.Sprint(s.For(l, purpose).Order(20)) }
	base := list(t, "M-1", "M-2", "M-3")
	first := draw(seed(1), base, "lot")
	if again := draw(seed(1), list(t, "M-3", "M-1", "M-2"), "lot"); again != first {
		t.Error("the order of entries counts")
	}
	otherSeason, _ := Close("aquila", "2027-2", []string{"M-1", "M-2", "M-3"})
	otherLeague, _ := Close("aquil", "a2027-1", []string{"M-1", "M-2", "M-3"})
	for what, got := range map[string]string{
		"seed": draw(seed(2), base, "lot"), "purpose": draw(seed(1), base, "sides"), "season": draw(seed(1), otherSeason, "lot"),
		"league": draw(seed(1), otherLeague, "lot"), "entries": draw(seed(1), list(t, "M-1", "M-2"), "lot"), "names": draw(seed(1), list(t, "M-1", "M-2M-3"), "lot"),
	} {
		if got == first {
			t.Errorf("another %s gives the same lots", what)
		}
	}
	if _, err := Close("l", "s", []string{"a", "b", "a"}); err == nil {
		t.Error("somebody was entered twice")
	}
}

func TestSeed(t *testing.T) {
	s := seed(9)
	if got, err := ParseSeed(s.String()); err != nil || got != s {
		t.Error(got, err)
	}
	for _, text := range []string{"", "09", s.String() + "09", "x" + s.String()[1:]} {
		if _, err := ParseSeed(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	if !s.Keeps(s.Commitment()) || s.Keeps(seed(8).Commitment()) || s.Keeps("") {
		t.Error("a commitment is not kept, or another one is")
	}
	// SHA-256 of 32 bytes of 9, as sha256sum has it.
	if sum := fmt.Sprintf("%x", sha256.Sum256(s[:])); s.Commitment() != sum {
		t.Error(s.Commitment())
	}
}

// TestEven: every order of three comes about equally often, and every number of seven.
func TestEven(t *testing.T) {
	d, orders, numbers := seed(3).For(list(t, "M-1"), "even"), map[string]int{}, make([]int, 7)
	for range 6000 {
		orders[fmt.Sprint(d.Order(3))]++
		numbers[d.Draw(7)]++
	}
	for order, n := range orders {
		if n < 850 || n > 1150 {
			t.Errorf("%s came %d times of 6,000", order, n)
		}
	}
	if len(orders) != 6 || slices.Min(numbers) < 750 || slices.Max(numbers) > 960 {
		t.Errorf("%d orders; numbers %v", len(orders), numbers)
	}
	defer func() {
		if recover() == nil {
			t.Error("a lot of nothing was drawn")
		}
	}()
	d.Draw(0)
}
