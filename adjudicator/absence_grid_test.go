package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

// sundays is a game whose deadlines are on Sundays at 20:00 by the clock of Rome, at least so far off.
func sundays(least string) string {
	return strings.Replace(manyRounds, "deadline: 3d", "deadline: {usual: 7d, least: "+least+", at: '20:00', weekdays: [sun]}\nzone: Europe/Rome", 1)
}

// An absence makes a deadline later by what it takes away: by no more where its minutes fall on the deadline of a week, or on the
// moment at which a stop opens; and up to the next moment that the set-up allows where that is no farther off.
func TestAnAbsenceMovesADeadlineByWhatItTakesAway(t *testing.T) {
	for name, test := range map[string]struct {
		from, until string
		opens       bool // the stop, in the absence
		want        time.Time
	}{
		"two minutes":                          {"2026-03-08 19:59", "2026-03-08 20:01", false, time.Date(2026, 3, 8, 19, 2, 0, 0, time.UTC)},
		"two days":                             {"2026-03-08", "2026-03-09", false, time.Date(2026, 3, 10, 19, 0, 0, 0, time.UTC)},
		"five days":                            {"2026-03-07", "2026-03-11", false, time.Date(2026, 3, 15, 19, 0, 0, 0, time.UTC)},
		"minutes at which the next stop opens": {"2026-03-08 19:00", "2026-03-08 20:10", true, time.Date(2026, 3, 15, 20, 0, 0, 0, time.UTC)},
		"days in which the next stop opens":    {"2026-03-08", "2026-03-10", true, time.Date(2026, 3, 17, 23, 50, 0, 0, time.UTC)},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			least := "2d"
			if test.opens {
				least = "7d"
			}
			h.newGame(sundays(least))
			if test.opens { // at 19:10 by the clock of Rome
				h.clock.move(time.Date(2026, 3, 8, 17, 30, 0, 0, time.UTC).Sub(h.clock.Now()))
			}
			h.write(redAt, command(h, "lot-1", "red", "command: vacation", fmt.Sprintf("from: %s\nuntil: %s", test.from, test.until)), mail.Processed)
			if test.opens {
				h.clock.move(time.Date(2026, 3, 8, 18, 10, 0, 0, time.UTC).Sub(h.clock.Now()))
				was := stopOf(h)
				h.answerAs("lot-1", "red")
				h.answerAs("lot-1", "blue")
				for stopOf(h) == was || h.record("lot-1").Seat("red").Owes == nil {
					h.answerAs("lot-1", "blue")
				}
			}
			if got := h.record("lot-1").Seat("red").Owes.Deadline; !got.Equal(test.want) {
				t.Errorf("the deadline is %s, want %s", got, test.want)
			}
			h.write(redAt, command(h, "lot-1", "red", "command: vacation", "cancel: yes"), mail.Processed)
			if got := h.record("lot-1").Seat("red").Owes.Deadline; got.After(test.want) {
				t.Errorf("withdrawn, the deadline is %s, and was %s", got, test.want)
			}
		})
	}
}

// Absences of minutes over each deadline of a week win minutes.
func TestManyShortAbsencesWinLittle(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(sundays("2d"))
	first := h.record("lot-1").Seat("red").Owes.Deadline
	for range 10 {
		at := h.record("lot-1").Seat("red").Owes.Deadline
		h.write(redAt, command(h, "lot-1", "red", "command: vacation", fmt.Sprintf("from: %s\nuntil: %s", rome(at.Add(-time.Minute)), rome(at.Add(time.Minute)))), mail.Processed)
	}
	if got := h.record("lot-1").Seat("red").Owes.Deadline.Sub(first); got > time.Hour {
		t.Errorf("the deadline is later by %s", got)
	}
}
