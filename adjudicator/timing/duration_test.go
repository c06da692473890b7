package timing

import (
	"testing"
	"time"
)

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"3d": 72 * time.Hour, "1d12h": 36 * time.Hour, "90m": 90 * time.Minute, "2 w": 14 * 24 * time.Hour, "2g": 48 * time.Hour,
		"": -1, "3": -1, "d": -1, "3y": -1, "-3d": -1, "3d-": -1, "99999999999999999999d": -1,
	} {
		d, ok := ParseDuration(text)
		if ok != (want >= 0) || ok && d != want {
			t.Errorf("%q: %v %v", text, d, ok)
		}
		if ok {
			if again, _ := ParseDuration(WriteDuration(d)); again != d {
				t.Errorf("%q is written %q", text, WriteDuration(d))
			}
		}
	}
}
