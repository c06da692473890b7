package adjudicator

import (
	"slices"
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/timing"
	"berthier/mail"
	"berthier/orders"
	"berthier/orders/phrase"
)

// Bounds of absences.
const (
	mostAbsences  = 20
	absenceFuture = 366 * 24 * time.Hour
)

// vacation books an absence, or withdraws what is booked: from: and until: as
// days, both included, or as days with a time, by the player's clock; days: 5 in
// place of until; cancel: yes.
func (v *visit) vacation(s *game.Seat) error {
	r := orders.NewReader(game.Vocabulary)
	cancel, _ := r.Bool(v.value("cancel"))
	var booked game.Absence
	switch {
	case v.Game.Phase != game.Running || s.Resigned:
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.absence.not-now")))
	case v.Game.Absence == 0:
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.absence.none")))
	case cancel:
		if !slices.ContainsFunc(s.Absences, func(a game.Absence) bool { return a.Until.After(v.Now) }) {
			r.Problems = append(r.Problems, v.fault("cancel", phrase.Say("office.absence.nothing")))
		}
	default:
		booked = v.readAbsence(r, s)
	}
	if len(r.Problems) > 0 {
		r.Problems.Sort()
		return v.refuse(s, false, r.Problems)
	}
	v.done("absence", mail.Processed)
	if err := v.Do(game.WentAway{Side: s.Side, Booked: booked, Cancel: cancel, Letter: v.intake.reference()}); err != nil {
		return err
	}
	if v.mayAnswer() {
		left := max(v.Game.Absence-game.Away(s.Absences), 0)
		v.reply(s, v.intake.Mail, "notice", phrase.Say("office.absence.subject", game.SideName(s.Side)), false,
			v.office.atHis(s.Person, game.SayAbsence("office.absence.you", s, cancel, booked)),
			phrase.Say("office.absence.left", phrase.Number("days", int(left/(24*time.Hour)))))
	}
	return v.Do(game.Settled{})
}

// readAbsence reads from when until when a player is away.
func (v *visit) readAbsence(r *orders.Reader, s *game.Seat) game.Absence {
	var a game.Absence
	loc := timing.Zone(s.Person.Zone)
	from, until := v.value("from"), v.value("until")
	a.From = v.Now
	if from != nil {
		a.From, _ = readMoment(r, from, loc, false)
	}
	switch days := v.value("days"); {
	case until != nil && days != nil:
		r.Refuse(days, "", phrase.Say("office.absence.how"))
	case until != nil:
		a.Until, _ = readMoment(r, until, loc, true)
	case days != nil:
		if n, ok := r.Int(days, 1, 366); ok {
			a.Until = timing.MomentOf(timing.DayOf(a.From.In(loc)).Plus(n), a.From.In(loc).Hour(), a.From.In(loc).Minute(), loc)
		}
	default:
		r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.absence.how")))
	}
	if len(r.Problems) > 0 {
		return a
	}
	if a.From.Before(v.Now) {
		a.From = v.Now // what has been is not moved
	}
	total := a.Until.Sub(a.From)
	for _, b := range s.Absences {
		lo, hi := b.From, b.Until
		if lo.Before(a.From) {
			lo = a.From
		}
		if hi.After(a.Until) {
			hi = a.Until
		}
		if hi.After(lo) {
			r.Problems = append(r.Problems, v.fault("command", phrase.Say("office.absence.twice")))
			return a
		}
	}
	at := until
	if at == nil {
		at = v.value("days")
	}
	switch {
	case !a.Until.After(a.From):
		r.Refuse(at, "", phrase.Say("office.absence.order"))
	case a.Until.Sub(v.Now) > absenceFuture || len(s.Absences) >= mostAbsences:
		r.Refuse(at, "", phrase.Say("office.absence.far"))
	case total+game.Away(s.Absences) > v.Game.Absence:
		left := max(v.Game.Absence-game.Away(s.Absences), 0)
		r.Refuse(at, "", phrase.Say("office.absence.cap", phrase.Literal("most", timing.WriteDuration(v.Game.Absence)), phrase.Literal("left", leftOf(left))))
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
