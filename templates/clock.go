package templates

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"berthier/orders/phrase"
)

// Date writes a moment in a zone, in full: "Friday 27 November 2026, 20:00 CET
// (UTC+1)". A nil zone is UTC.
func (w *Words) Date(language string, t time.Time, zone *time.Location) string {
	return w.date("time.long", language, t, zone)
}

// DueDate writes when something is due, the year only if that is far off.
func (w *Words) DueDate(language string, now, t time.Time, zone *time.Location) string {
	if t.Sub(now).Abs() > 300*24*time.Hour {
		return w.Date(language, t, zone)
	}
	return w.date("time.due", language, t, zone)
}

// ShortDate writes a moment as it stands in a subject line: "Fri 27 Nov 20:00
// CET".
func (w *Words) ShortDate(language string, t time.Time, zone *time.Location) string {
	return w.date("time.short", language, t, zone)
}

func (w *Words) date(code, language string, t time.Time, zone *time.Location) string {
	if zone == nil {
		zone = time.UTC
	}
	t = t.In(zone)
	name, offset := zoneName(t)
	day, month := strconv.Itoa(int(t.Weekday())), strconv.Itoa(int(t.Month()))
	p := phrase.Say(code,
		phrase.Within("day", phrase.Say("time.day-"+day)),
		phrase.Within("dy", phrase.Say("time.dy-"+day)),
		phrase.Number("date", t.Day()),
		phrase.Within("month", phrase.Say("time.month-"+month)),
		phrase.Within("mth", phrase.Say("time.mth-"+month)),
		phrase.Number("year", t.Year()),
		phrase.Literal("clock", t.Format("15:04")),
		phrase.Literal("zone", name))
	if offset != name {
		p.Args = append(p.Args, phrase.Literal("offset", offset))
	}
	return w.Say(language, p, nil)
}

// zoneName gives a zone's abbreviation at a moment and its distance from UTC,
// "CET" and "UTC+1". Zones without an abbreviation have the distance alone.
func zoneName(t time.Time) (name, offset string) {
	name, seconds := t.Zone()
	offset = "UTC"
	if seconds != 0 {
		sign, minutes := '+', seconds/60
		if minutes < 0 {
			sign, minutes = '-', -minutes
		}
		offset = fmt.Sprintf("UTC%c%d", sign, minutes/60)
		if minutes%60 != 0 {
			offset += fmt.Sprintf(":%02d", minutes%60)
		}
	}
	if name == "" || strings.ContainsAny(name, "+-0123456789") {
		name = offset
	}
	return name, offset
}

// Until writes how far off a moment is, in the two largest units and rounded
// down, so that nobody is promised more time than there is: "in 2 days 3
// hours", "3 hours ago".
func (w *Words) Until(language string, now, t time.Time) string {
	return w.Say(language, until(now, t), nil)
}

func until(now, t time.Time) phrase.Phrase {
	code, left := "time.in", t.Sub(now)
	if left < 0 {
		code, left = "time.ago", -left
	}
	minutes := int(left / time.Minute)
	days, hours := minutes/(24*60), minutes/60%24
	minutes %= 60
	unit := func(place, code string, n int) phrase.Arg {
		return phrase.Within(place, phrase.Say(code, phrase.Number("n", n)))
	}
	var args []phrase.Arg
	switch {
	case days > 0:
		args = append(args, unit("a", "time.days", days))
		if hours > 0 {
			args = append(args, unit("b", "time.hours", hours))
		}
	case hours > 0:
		args = append(args, unit("a", "time.hours", hours))
		if minutes > 0 {
			args = append(args, unit("b", "time.minutes", minutes))
		}
	case minutes > 0:
		args = append(args, unit("a", "time.minutes", minutes))
	default:
		return phrase.Say("time.now")
	}
	return phrase.Say(code, args...)
}
