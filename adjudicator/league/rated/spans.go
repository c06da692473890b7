package rated

import (
	"math"
	"time"

	"berthier/adjudicator/league/glicko"
	"berthier/adjudicator/league/season"
)

// A span is a time in which periods are of one length, and ratings move by one system. The first one begins when the
// league is made; another one when a season is announced that is rated otherwise than the one before it. So what a closed season
// counts for stays as it was.
type span struct {
	glicko.System
	from   time.Time
	until  time.Time // zero: it lasts
	first  int       // its first period
	season int       // the first that is rated in it
	length time.Duration
}

// at is the period of a moment; what comes before or after the span belongs to its first or last one.
func (s span) at(at time.Time) int {
	if !s.until.IsZero() && !at.Before(s.until) {
		at = s.until.Add(-1)
	}
	return s.first + max(int(at.Sub(s.from)/s.length), 0)
}

// last is its last period. The one in which the next span begins is as long as it has lasted until then.
func (s span) last() int {
	if s.until.IsZero() {
		return math.MaxInt
	}
	return s.at(s.until)
}

// spansOf gives the spans of a log whose seasons are rated in some ways, in their order. Nothing is rated between them.
func spansOf(l *Log, as []*season.Rating) (all []span) {
	for i, r := range as {
		open := len(all) > 0 && all[len(all)-1].until.IsZero()
		if open && all[len(all)-1].System == r.System && all[len(all)-1].length == r.Period {
			continue
		}
		at := l.seasons[i].announced
		if open {
			all[len(all)-1].until = at
		}
		if r.Period <= 0 {
			continue
		}
		next := span{System: r.System, from: at, length: r.Period, season: i}
		if i == 0 {
			next.from = l.began
		}
		if n := len(all); n > 0 {
			next.first = all[n-1].last() + 1
		}
		all = append(all, next)
	}
	return all
}

// spanOf is the span that has a period.
func spanOf(all []span, period int) span {
	for _, s := range all {
		if period <= s.last() {
			return s
		}
	}
	return all[len(all)-1]
}

// period is that of a moment: the later one where a span ends and another begins.
func (l *Log) period(at time.Time) int { return l.periodIn(at, len(l.seasons)-1) }

// periodIn is the period of a moment in a season, which knows nothing of the spans that begin after it: a clock may
// stand still.
func (l *Log) periodIn(at time.Time, season int) int {
	p := 0
	for _, s := range l.spans {
		if s.season > season || at.Before(s.from) {
			break
		}
		p = s.at(at)
	}
	return p
}

// earliest is the first period to which a moment may belong.
func (l *Log) earliest(at time.Time) int {
	p := 0
	for i, s := range l.spans {
		if i > 0 && !at.After(s.from) {
			break
		}
		p = s.at(at)
	}
	return p
}
