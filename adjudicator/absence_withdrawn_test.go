package adjudicator

import (
	"fmt"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/verify"
	"berthier/mail"
)

// An absence that is booked and withdrawn, however often, and whatever of it is taken, makes a deadline later by no more than what a
// player may be away: for his seat, or as a member for all his games.
func TestAbsencesThatAreWithdrawnWinNoTime(t *testing.T) {
	const most = 14 * 24 * time.Hour
	for name, prepare := range map[string]func(h *testOffice) (book func(lines string, want mail.Folder)){
		"a seat's": func(h *testOffice) func(string, mail.Folder) {
			return func(lines string, want mail.Folder) {
				h.write(redAt, command(h, "lot-1", "red", "command: vacation", lines), want)
			}
		},
		"a member's": func(h *testOffice) func(string, mail.Folder) {
			key := h.joins(redAt, "command: join\nname: Rosa\nzone: Europe/Rome\n")
			return func(lines string, want mail.Folder) {
				h.asMember(redAt, key, "command: vacation\n"+lines+"\n", want)
				for range 3 {
					h.tick()
				}
			}
		},
	} {
		for _, taken := range []time.Duration{0, time.Hour, 3 * 24 * time.Hour} {
			t.Run(fmt.Sprintf("%s, after %s", name, taken), func(t *testing.T) {
				h := clubOffice(t)
				book := prepare(h)
				first, away := h.record("lot-1").Seat("red").Owes.Deadline, time.Duration(0)
				for range 5 {
					due := h.record("lot-1").Seat("red").Owes.Deadline
					if left := due.Sub(h.clock.Now()); left > time.Hour {
						h.clock.move(left - time.Hour)
					}
					if most-away < taken {
						break
					}
					from := due.Add(-10 * time.Minute)
					if soon := h.clock.Now().Add(time.Minute); from.Before(soon) {
						from = soon
					}
					long := (most - away).Truncate(time.Hour)
					book(fmt.Sprintf("from: %s\nuntil: %s", rome(from), rome(from.Add(long))), mail.Processed)
					if got, want := h.record("lot-1").Seat("red").Owes.Deadline, due.Add(long); got.Sub(want).Abs() > time.Minute {
						t.Fatalf("booked, the deadline is %s, want %s", got, want)
					}
					if taken > 0 {
						h.clock.move(from.Sub(h.clock.Now()) + taken)
					}
					book("cancel: yes", mail.Processed)
					away = game.Away(h.record("lot-1").Seat("red").Absences)
					if got := h.record("lot-1").Seat("red").Owes.Deadline; got.Sub(first.Add(away)).Abs() > time.Minute {
						t.Fatalf("withdrawn, the deadline is %s, and was %s; away %s", got, first, away)
					}
				}
				h.clock.move(h.record("lot-1").Seat("red").Owes.Deadline.Sub(h.clock.Now()) + time.Minute)
				h.tick()
				if err := h.office.Clerk().Close(t.Context(), "lot-1", "enough"); err != nil {
					t.Fatal(err)
				}
				if v := h.verify(h.export("lot-1", "red")); v.Verdict() == verify.Broken {
					t.Errorf("%+v", v)
				}
			})
		}
	}
}

// rome is a moment as a player in Rome writes it.
func rome(at time.Time) string {
	zone, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		panic(err)
	}
	return at.In(zone).Format("2006-01-02 15:04")
}

// What is asked while a player is away has its time from when he comes back.
func TestAskedWhileAwayAndBackEarly(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds)
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "days: 9"), mail.Processed)
	h.answerAs("lot-1", "red")
	h.answerAs("lot-1", "blue")
	for h.record("lot-1").Seat("red").Owes == nil {
		h.answerAs("lot-1", "blue")
	}
	h.clock.move(2 * 24 * time.Hour)
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "cancel: yes"), mail.Processed)
	if got := h.in(h.record("lot-1").Seat("red").Owes.Deadline); got != 3*24*time.Hour {
		t.Errorf("red has %s", got)
	}
	h.says(h.last(redAt), "is later only by the time")
}

// Where a game master has given more time, an absence that is withdrawn takes back its own part alone.
func TestWithdrawnAfterMoreTime(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds)
	first := h.record("lot-1").Seat("red").Owes.Deadline
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "from: 2026-03-04", "until: 2026-03-07"), mail.Processed)
	h.write(gmAt, h.gm("command: extend", "by: 2d"), mail.Processed)
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "cancel: yes"), mail.Processed)
	if got, want := h.record("lot-1").Seat("red").Owes.Deadline, first.Add(2*24*time.Hour); !got.Equal(want) {
		t.Errorf("the deadline is %s, want %s", got, want)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "from: 2026-03-04", "until: 2026-03-07"), mail.Processed)
	h.confirm(gmAt, h.gm("command: replace", "side: red", "name: Nora", "address: new@play.example"))
	was := h.record("lot-1").Seat("red").Owes.Deadline
	h.write("new@play.example", command(h, "lot-1", "red", "command: vacation", "from: 2026-03-20", "days: 1"), mail.Processed)
	h.write("new@play.example", command(h, "lot-1", "red", "command: vacation", "cancel: yes"), mail.Processed)
	if got := h.record("lot-1").Seat("red").Owes.Deadline; !got.Equal(was) {
		t.Errorf("the deadline is %s, and was %s before the new player withdrew an absence of his own", got, was)
	}
}
