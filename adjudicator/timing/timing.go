// Package timing says when a deadline falls: by how long a stop waits, and by clock times,
// weekdays, holidays and time zones.
package timing

import (
	"maps"
	"slices"
	"sync"
	"time"
	_ "time/tzdata" // time zones of players must not depend on the machine
)

// Timing says how long a game waits.
type Timing struct {
	Zone   string          `json:"zone,omitempty"` // of the game: IANA name; "" is UTC
	Usual  Rule            `json:"usual"`          // of every kind of stop that has no rule of its own
	Kinds  map[string]Rule `json:"kinds,omitempty"`
	Second time.Duration   `json:"second,omitempty"` // second thoughts: wait so long after the last answer
	Odd    bool            `json:"odd,omitempty"`    // only if an answer is odd, and then after that
}

// Of gives the rule for a kind of decision.
func (t Timing) Of(kind string) Rule {
	r, ok := t.Kinds[kind]
	if !ok {
		r = t.Usual
	}
	if r.Zone == "" {
		r.Zone = t.Zone
	}
	return r
}

// Waits tells whether there are stops at which no default is taken.
func (t Timing) Waits() bool {
	return t.Usual.Wait || slices.ContainsFunc(slices.Collect(maps.Values(t.Kinds)), func(r Rule) bool { return r.Wait })
}

// A Rule says how long a kind of stop waits for an answer, and when its deadline
// may fall.
type Rule struct {
	Usual time.Duration `json:"usual"` // for an answer; 0: for ever
	// Least is what a player has at least. With a clock time, weekdays or holidays the
	// deadline falls on the last moment allowed within Usual; if that leaves the player less
	// than Least, on the first moment that leaves him Least. 0: the same as Usual.
	Least     time.Duration   `json:"least,omitempty"`
	Clock     string          `json:"clock,omitempty"` // of every deadline, in Zone: "20:00"; "": any
	Zone      string          `json:"zone,omitempty"`  // IANA name; "": that of the game
	Weekdays  []time.Weekday  `json:"weekdays,omitempty"`
	Holidays  []Holidays      `json:"holidays,omitempty"`
	Grace     time.Duration   `json:"grace,omitempty"` // after the deadline, before the default is taken
	Reminders []time.Duration `json:"reminders,omitempty"`
	Early     bool            `json:"early"`          // resolve when every answer is in
	Wait      bool            `json:"wait,omitempty"` // no default is taken: the game waits for who is late
}

// Holidays are days on which no deadline falls, both ends included: as
// "2026-12-24", or every year as "12-24".
type Holidays struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// A Day of the calendar.
type Day struct {
	year  int
	month time.Month
	day   int
}

func DayOf(t time.Time) Day {
	y, m, d := t.Date()
	return Day{y, m, d}
}

// Plus is the day so many days later.
func (d Day) Plus(days int) Day {
	return DayOf(time.Date(d.year, d.month, d.day+days, 12, 0, 0, 0, time.UTC))
}

func (d Day) noon() time.Time { return time.Date(d.year, d.month, d.day, 12, 0, 0, 0, time.UTC) }

// holds tells whether a day is one of the holidays.
func (h Holidays) holds(d Day) bool {
	form := "2006-01-02"
	if len(h.From) == len("01-02") {
		form = "01-02"
	}
	text := d.noon().Format(form)
	if h.From <= h.To {
		return h.From <= text && text <= h.To
	}
	return text >= h.From || text <= h.To // over the turn of the year
}

// Bound tells whether there are moments that may not be a deadline.
func (r Rule) Bound() bool { return r.Clock != "" || len(r.Weekdays) > 0 || len(r.Holidays) > 0 }

// Allows tells whether a deadline may fall on a day.
func (r Rule) Allows(d Day) bool {
	if len(r.Weekdays) > 0 && !slices.Contains(r.Weekdays, d.noon().Weekday()) {
		return false
	}
	return !slices.ContainsFunc(r.Holidays, func(h Holidays) bool { return h.holds(d) })
}

// AllowsAny tells whether a deadline may fall on any day of the year after one.
func (r Rule) AllowsAny(d Day) bool {
	for n := range 366 {
		if r.Allows(d.Plus(n)) {
			return true
		}
	}
	return false
}

// clock is the clock time of the rule's deadlines; if it has none, that of the given moment.
func (r Rule) clock(t time.Time) (hour, minute int) {
	if at, err := time.Parse("15:04", r.Clock); err == nil {
		return at.Hour(), at.Minute()
	}
	return t.Hour(), t.Minute()
}

// farthest is within how many days an allowed day is looked for. A set-up whose
// rule has none within a year is refused.
const farthest = 800

// Place gives the first moment from t on that may be a deadline.
func (r Rule) Place(t time.Time) time.Time {
	t = WholeMinute(t)
	if !r.Bound() {
		return t
	}
	loc := Zone(r.Zone)
	local := t.In(loc)
	today := DayOf(local)
	if r.Clock == "" && r.Allows(today) {
		return t
	}
	hour, minute := r.clock(local)
	for n := -1; n < farthest; n++ {
		if d := today.Plus(n); r.Allows(d) {
			if m := MomentOf(d, hour, minute, loc); !m.Before(t) {
				return m
			}
		}
	}
	return t
}

// before gives the last moment up to t that may be a deadline.
func (r Rule) before(t time.Time) (time.Time, bool) {
	loc := Zone(r.Zone)
	local := t.In(loc)
	today := DayOf(local)
	if r.Clock == "" && r.Allows(today) {
		return t, true
	}
	hour, minute := r.clock(local)
	for n := 1; n > -farthest; n-- {
		if d := today.Plus(n); r.Allows(d) {
			if m := MomentOf(d, hour, minute, loc); !m.After(t) {
				return m, true
			}
		}
	}
	return time.Time{}, false
}

// Deadline is the moment by which an answer must be in that is asked for at a moment; the
// zero time means that it is waited for without end.
func (r Rule) Deadline(opened time.Time) time.Time {
	if r.Usual == 0 {
		return time.Time{}
	}
	least := r.Usual
	if r.Least > 0 {
		least = min(r.Least, r.Usual)
	}
	if r.Bound() {
		if m, ok := r.before(opened.Add(r.Usual)); ok && !m.Before(opened.Add(least)) {
			return WholeMinute(m).UTC()
		}
	} else {
		least = r.Usual
	}
	return r.Place(opened.Add(least)).UTC()
}

// MomentOf is when a clock shows a time on a day. When the clocks are set back the time comes
// twice, and the later moment is meant. When they are set forward the time may not come at
// all; then the moment is meant at which it would have come, which the clock calls a later
// time. So nobody's deadline is earlier than he reads it.
func MomentOf(d Day, hour, minute int, loc *time.Location) time.Time {
	utc := time.Date(d.year, d.month, d.day, hour, minute, 0, 0, time.UTC)
	var best time.Time
	found := false
	for _, near := range []time.Duration{-36 * time.Hour, -12 * time.Hour, 12 * time.Hour, 36 * time.Hour} {
		_, offset := utc.Add(near).In(loc).Zone()
		m := utc.Add(-time.Duration(offset) * time.Second)
		local := m.In(loc)
		fits := local.Hour() == hour && local.Minute() == minute && DayOf(local) == d
		if fits && (!found || m.After(best)) || !found && m.After(best) {
			best, found = m, found || fits
		}
	}
	return WholeMinute(best).UTC()
}

// WholeMinute is the next whole minute: a deadline is never earlier than told.
func WholeMinute(t time.Time) time.Time {
	if cut := t.Truncate(time.Minute); !cut.Equal(t) {
		return cut.Add(time.Minute)
	}
	return t
}

// zones are the time zones loaded so far.
var zones sync.Map

// Zone loads a time zone; an unknown one is UTC.
func Zone(name string) *time.Location {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location)
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	zones.Store(name, z)
	return z
}
