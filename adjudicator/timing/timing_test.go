package timing

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func moment(text, zoneName string) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04", text, Zone(zoneName))
	if err != nil {
		panic(err)
	}
	return t
}

// Where a rule puts a deadline, by the clock of its zone.
func TestRuleDeadline(t *testing.T) {
	const day = 24 * time.Hour
	weekdays := []time.Weekday{time.Monday, time.Wednesday, time.Friday}
	for _, c := range []struct {
		name         string
		rule         Rule
		opened, want string
	}{
		{"so many hours", Rule{Usual: 72 * time.Hour}, "2026-03-02 09:00", "2026-03-05 09:00"},
		{"clock, never less than usual", Rule{Usual: 3 * day, Clock: "20:00"}, "2026-03-02 21:00", "2026-03-06 20:00"},
		{"clock, on time", Rule{Usual: 3 * day, Clock: "20:00"}, "2026-03-02 20:00", "2026-03-05 20:00"},
		{"least lets it stay within the usual", Rule{Usual: 3 * day, Least: 2 * day, Clock: "20:00"}, "2026-03-02 21:00", "2026-03-05 20:00"},
		{"least not left", Rule{Usual: 1 * day, Least: 20 * time.Hour, Clock: "20:00"}, "2026-03-02 19:59", "2026-03-03 20:00"},
		{"least pushes it beyond the usual", Rule{Usual: 1 * day, Least: 23*time.Hour + 30*time.Minute, Clock: "20:00"}, "2026-03-02 20:31", "2026-03-04 20:00"},
		{"weekdays", Rule{Usual: 3 * day, Clock: "20:00", Weekdays: weekdays}, "2026-03-03 10:00", "2026-03-06 20:00"},
		{"weekdays, back", Rule{Usual: 3 * day, Least: day, Clock: "20:00", Weekdays: weekdays}, "2026-03-05 10:00", "2026-03-06 20:00"},
		{"weekdays without a clock", Rule{Usual: 3 * day, Weekdays: weekdays}, "2026-03-04 10:15", "2026-03-09 10:15"},
		{"holidays", Rule{Usual: 2 * day, Clock: "20:00", Holidays: []Holidays{{From: "12-24", To: "01-06"}}}, "2026-12-22 21:00", "2027-01-07 20:00"},
		{"one holiday", Rule{Usual: 2 * day, Clock: "20:00", Holidays: []Holidays{{From: "2026-04-06", To: "2026-04-06"}}}, "2026-04-04 19:00", "2026-04-07 20:00"},
		{"clocks forward", Rule{Usual: day, Clock: "20:00"}, "2026-03-28 20:00", "2026-03-30 20:00"},
		{"clocks back", Rule{Usual: day, Clock: "20:00"}, "2026-10-24 20:00", "2026-10-25 20:00"},
		{"a time that does not come", Rule{Usual: day, Clock: "02:30"}, "2026-03-27 10:00", "2026-03-29 03:30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.rule.Zone = "Europe/Rome"
			got := c.rule.Deadline(moment(c.opened, "Europe/Rome"))
			if want := moment(c.want, "Europe/Rome"); !got.Equal(want) {
				t.Errorf("%s, want %s", got.In(Zone("Europe/Rome")), want)
			}
		})
	}
	// A time that comes twice means the second.
	r := Rule{Usual: time.Hour, Clock: "02:30", Zone: "Europe/Rome"}
	if got, want := r.Deadline(time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC)), time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !(Rule{}).Deadline(time.Now()).IsZero() {
		t.Error("a rule without end has a deadline")
	}
}

// zonesDrawn are zones with clock changes of all kinds: of an hour and of half
// an hour, in both halves of the year, at midnight, none, and one that once left
// out a day.
var zonesDrawn = []string{"Europe/Rome", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata", "Africa/Cairo",
	"Pacific/Apia", "Pacific/Kiritimati", "Europe/London", "UTC", "Asia/Beirut"}

// Wherever the clocks are changed: a deadline leaves the least interval, falls
// on a day allowed and at the clock time of the rule, or later where the clock
// leaves it out, and is not later than needed.
func TestDeadlineProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(zonesDrawn).Draw(t, "zone")
		r := Rule{Zone: name, Usual: time.Duration(rapid.IntRange(60, 14*24*60).Draw(t, "usual")) * time.Minute}
		if rapid.Bool().Draw(t, "has least") {
			r.Least = time.Duration(rapid.IntRange(1, int(r.Usual/time.Minute)).Draw(t, "least")) * time.Minute
		}
		if rapid.Bool().Draw(t, "has clock") {
			r.Clock = fmt.Sprintf("%02d:%02d", rapid.IntRange(0, 23).Draw(t, "hour"), rapid.SampledFrom([]int{0, 15, 30, 59}).Draw(t, "minute"))
		}
		if rapid.Bool().Draw(t, "has weekdays") {
			for _, d := range rapid.SliceOfNDistinct(rapid.IntRange(0, 6), 1, 7, rapid.ID).Draw(t, "weekdays") {
				r.Weekdays = append(r.Weekdays, time.Weekday(d))
			}
		}
		if rapid.Bool().Draw(t, "has holidays") {
			r.Holidays = []Holidays{{From: "12-24", To: "01-06"}, {From: "03-29", To: "03-29"}}
		}
		start := time.Date(rapid.SampledFrom([]int{2011, 2026, 2027}).Draw(t, "year"), 1, 1, 0, 0, 0, 0, time.UTC)
		opened := start.Add(time.Duration(rapid.Int64Range(0, int64(366*24*time.Hour)).Draw(t, "opened")))

		got := r.Deadline(opened)
		least := r.Usual
		if r.Least > 0 && r.Bound() {
			least = r.Least
		}
		if got.Before(opened.Add(least)) {
			t.Fatalf("%v leaves less than %v after %v", got, least, opened)
		}
		if got.Truncate(time.Minute) != got {
			t.Fatalf("%v is no whole minute", got)
		}
		local := got.In(Zone(name))
		if !r.Allows(DayOf(local)) && DayOf(local.Add(-25*time.Hour)) == DayOf(local).Plus(-1) {
			t.Fatalf("%v is no day allowed", local)
		}
		if r.Clock != "" && local.Format("15:04") != r.Clock {
			// The clock left the time out: an hour before it showed less, and
			// not one of the minutes between shows the time.
			for m := range 24*60 + 1 {
				if before := local.Add(-time.Duration(m) * time.Minute); before.Format("15:04") == r.Clock && DayOf(before) == DayOf(local) {
					t.Fatalf("%v is not %s, and %v was before", local, r.Clock, before)
				}
			}
		}
		if !r.Bound() && !got.Before(opened.Add(r.Usual+time.Minute)) {
			t.Fatalf("%v is later than %v after %v", got, r.Usual, opened)
		}
	})
}
