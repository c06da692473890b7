package mail

import (
	"testing"

	"berthier/mail/mailbox"
)

// Two addresses are one only if they differ in nothing but the case of ASCII letters.
func TestOnlyASCIIIsFolded(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Kiki@Play.Test", "kiki@play.test", true},
		{"\u212aiki@play.test", "kiki@play.test", false},   // Kelvin sign
		{"k\u0130ki@play.test", "kiki@play.test", false},   // dotted capital I
		{"kiki@p\u017flay.test", "kiki@pslay.test", false}, // long s
		{"kiki@play.te\u212at", "kiki@play.tekt", false},
		{"\u00c4nn@play.test", "\u00e4nn@play.test", false},
	} {
		if got := (Address{Addr: c.a}).Same(c.b); got != c.same {
			t.Errorf("%s and %s: the same %v", c.a, c.b, got)
		}
		if got := mailbox.Fold(c.a) == mailbox.Fold(c.b); got != c.same {
			t.Errorf("%s and %s: folded the same %v", c.a, c.b, got)
		}
	}
	if d := (Address{Addr: "a@play.te\u212at"}).Domain(); d == "play.tekt" || aligned(d, "play.tekt") || aligned("te\u212at.test", "tekt.test") {
		t.Errorf("a domain is folded onto another: %s", d)
	}
	if addr, ok := mailbox.Canonical("a@play.TE\u212aT"); !ok || addr != "a@play.te\u212at" {
		t.Errorf("canonical %q, %v", addr, ok)
	}
}
