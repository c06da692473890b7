package timing

import (
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads weeks, days, hours and minutes: "3d", "1d12h", "90m". In
// Italian days may be g, weeks s and hours o.
func ParseDuration(text string) (time.Duration, bool) {
	var total time.Duration
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	if text == "" {
		return 0, false
	}
	for text != "" {
		i := 0
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(text[:i])
		if err != nil || n > 1_000_000 || i == len(text) {
			return 0, false
		}
		switch text[i] {
		case 'w', 's':
			total += time.Duration(n) * 7 * 24 * time.Hour
		case 'd', 'g':
			total += time.Duration(n) * 24 * time.Hour
		case 'h', 'o':
			total += time.Duration(n) * time.Hour
		case 'm':
			total += time.Duration(n) * time.Minute
		default:
			return 0, false
		}
		text = text[i+1:]
	}
	return total, true
}

// WriteDuration is what ParseDuration reads.
func WriteDuration(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	var b strings.Builder
	for _, unit := range []struct {
		d    time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if n := d / unit.d; n > 0 {
			b.WriteString(strconv.Itoa(int(n)) + unit.name)
			d -= n * unit.d
		}
	}
	return b.String()
}
