package intake

import (
	"berthier/adjudicator/game"
	"berthier/adjudicator/timing"
	"berthier/orders"
	"berthier/orders/phrase"
	"slices"
	"strings"
	"time"
)

// Bounds of absences.
const (
	mostAbsences  = 20
	absenceFuture = 366 * 24 * time.Hour
)

// Absence reads the booking of an absence, or its withdrawal: from: and until: as
// days, both included, or as days with a time, by the player's clock; days: 5 in
// place of until; cancel: yes.
func (f *File) Absence(s *game.Seat) (booked game.Absence, cancel bool, problems orders.Problems) {
	r := orders.NewReader(game.Vocabulary)
	cancel, _ = r.Bool(f.Value("cancel"))
	switch {
	case f.Game.Phase != game.Running || s.Resigned:
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.absence.not-now")))
	case f.Game.Absence == 0:
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.absence.none")))
	case cancel:
		if !slices.ContainsFunc(s.Absences, func(a game.Absence) bool { return a.Until.After(f.Now) }) {
			r.Problems = append(r.Problems, f.Fault("cancel", phrase.Say("office.absence.nothing")))
		}
	default:
		booked = f.readAbsence(r, s)
	}
	r.Problems.Sort()
	return booked, cancel, r.Problems
}

// readAbsence reads from when until when a player is away.
func (f *File) readAbsence(r *orders.Reader, s *game.Seat) game.Absence {
	a := (&About{Doc: f.Doc, Now: f.Now}).readSpan(r, timing.Zone(s.Person.Zone))
	if len(r.Problems) > 0 {
		return a
	}
	for _, b := range s.Absences {
		lo, hi := b.From, b.Until
		if lo.Before(a.From) {
			lo = a.From
		}
		if hi.After(a.Until) {
			hi = a.Until
		}
		if hi.After(lo) {
			r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.absence.twice")))
			return a
		}
	}
	at := f.Value("until")
	if at == nil {
		at = f.Value("days")
	}
	switch {
	case !a.Until.After(a.From):
		r.Refuse(at, "", phrase.Say("office.absence.order"))
	case a.Until.Sub(f.Now) > absenceFuture || len(s.Absences) >= mostAbsences:
		r.Refuse(at, "", phrase.Say("office.absence.far"))
	case a.Until.Sub(a.From) > f.Game.AbsenceLeft(s, a):
		left := f.Game.AbsenceLeft(s, a)
		cap := "office.absence.cap"
		if f.Game.League != "" {
			cap = "office.absence.cap-year"
		}
		r.Refuse(at, "", phrase.Say(cap, phrase.Literal("most", timing.WriteDuration(f.Game.Absence)), phrase.Literal("left", leftOf(left))))
	}
	return a
}

// readSpan reads from when until when somebody is away, by the clock of a place.
func (f *About) readSpan(r *orders.Reader, loc *time.Location) game.Absence {
	var a game.Absence
	from, until := f.Doc.Field("from"), f.Doc.Field("until")
	a.From = f.Now
	if from != nil {
		a.From, _ = readMoment(r, from, loc, false)
	}
	switch days := f.Doc.Field("days"); {
	case until != nil && days != nil:
		r.Refuse(days, "", phrase.Say("office.absence.how"))
	case until != nil:
		a.Until, _ = readMoment(r, until, loc, true)
	case days != nil:
		if n, ok := r.Int(days, 1, 366); ok {
			a.Until = timing.MomentOf(timing.DayOf(a.From.In(loc)).Plus(n), a.From.In(loc).Hour(), a.From.In(loc).Minute(), loc)
		}
	default:
		r.Problems = append(r.Problems, f.Fault("command", phrase.Say("office.absence.how")))
	}
	if a.From.Before(f.Now) {
		a.From = f.Now // what has been is not moved
	}
	return a
}

// leftOf is a length of time, down to whole hours.
func leftOf(d time.Duration) string {
	if d < time.Hour {
		return "0"
	}
	return timing.WriteDuration(d.Truncate(time.Hour))
}

// readMoment reads a day or a day with a time. A day alone is its beginning, or
// its end.
func readMoment(r *orders.Reader, n *orders.Node, loc *time.Location, end bool) (time.Time, bool) {
	text, ok := r.Text(n)
	if !ok {
		return time.Time{}, false
	}
	text = strings.TrimSpace(text)
	for _, form := range []string{"2006-01-02 15:04", "2006-01-02T15:04"} {
		if t, err := time.Parse(form, text); err == nil {
			return timing.MomentOf(timing.DayOf(t), t.Hour(), t.Minute(), loc), true
		}
	}
	if t, err := time.Parse("2006-01-02", text); err == nil {
		d := timing.DayOf(t)
		if end {
			d = d.Plus(1)
		}
		return timing.MomentOf(d, 0, 0, loc), true
	}
	r.Refuse(n, "", phrase.Say("office.absence.date", phrase.Literal("got", text)))
	return time.Time{}, false
}
