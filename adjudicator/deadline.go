package adjudicator

import (
	"time"

	"berthier/adjudicator/timing"
)

// skipReminders leaves out those whose time is past already.
func (o *owes) skipReminders(r timing.Rule, now time.Time) {
	o.Reminded = 0
	for o.Reminded < len(r.Reminders) && !o.Deadline.Add(-r.Reminders[o.Reminded]).After(now) {
		o.Reminded++
	}
}

// SetDeadline sets the deadline of what a seat owes, asked for at a moment. An absence
// makes it later.
func SetDeadline(t *turn, s *seat, at time.Time) {
	o, r := s.Owes, t.game.Timing.Of(s.Owes.Decision.Kind)
	start := s.back(at)
	deadline := r.Deadline(start)
	if deadline.IsZero() {
		return
	}
	o.Deadline = s.afterAbsence(r, start, deadline)
	o.Late = o.Deadline.Add(r.Grace)
	o.skipReminders(r, at)
}

// Postpone moves a seat's deadline to a later moment. Grace follows it.
func Postpone(t *turn, s *seat, to time.Time) {
	o, r := s.Owes, t.game.Timing.Of(s.Owes.Decision.Kind)
	o.Deadline, o.Late = to, to.Add(r.Grace)
	o.Passed, o.Warned, o.Held, o.Was = false, false, "", time.Time{}
	o.Moves++
	o.skipReminders(r, t.game.clock(t.now))
}
