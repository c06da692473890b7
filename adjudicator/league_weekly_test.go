package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/mail"
)

const secretaryAt = "secretary@club.example"

// monday moves the clock to after the letters of the next week have begun, and has all of them
// written and sent.
func (h *testOffice) monday() {
	h.Helper()
	h.clock.move(nextWeekly(h.clock.Now()).Sub(h.clock.Now()))
	h.week()
}

// week has the letters that are under way written and sent.
func (h *testOffice) week() {
	h.Helper()
	for range 12 {
		h.tick()
		h.flush()
		h.clock.move(weeklyPause)
	}
}

// weeklies are those of letters that are the week's.
func weeklies(letters []*mail.Letter) (all []*mail.Letter) {
	for _, l := range letters {
		if strings.Contains(l.Subject, "Your week in the league") {
			all = append(all, l)
		}
	}
	return all
}

// Each member has one letter a week, with his place as it was and is, what he owes and until when, and
// the results of the week; whoever plays in nothing has none. A secretary has one only if
// something waits for him.
func TestWeeklyLetters(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, strings.NewReplacer("open: anybody", "open: confirm", "brisk: 2d", "brisk: 60d").Replace(aquila), append(names, "eva")...)
	h.asMember("eva@play.example", h.keyOf("eva"), "command: enter\n", mail.Processed)
	h.monday()
	h.says(h.last(secretaryAt), "wait for a yes: M-0005")
	if got := weeklies(h.deliver("ada@play.example")); len(got) > 0 {
		t.Error("a letter about no season")
	}
	h.must("", h.office.Secretary().Admit(context.Background(), "aquila", []string{"M-0001", "M-0002", "M-0003", "M-0004"}))
	h.start()
	playing := h.league().Divisions[0].Playing
	for _, name := range names {
		h.deliver(name + "@play.example")
	}
	h.deliver(secretaryAt)
	h.monday()
	first := h.one(weeklies(h.deliver("ada@play.example")))
	h.says(first, "you stand at place", "You owe stop 1 in aquila-1-1-", "until ")
	h.lacks(first, "a week ago")
	hers := h.gameOf("ada@play.example")
	for _, s := range h.record(hers).Seats {
		if s.Person.Address == "ada@play.example" {
			if _, err := h.office.Clerk().Answer(context.Background(), hers, s.Side, fmt.Sprintf("stop: %d\norders: default\n", s.Owes.Stop)); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.deliver("ada@play.example")
	h.monday()
	h.says(h.one(weeklies(h.deliver("ada@play.example"))), "You owe nothing in "+hers)
	for _, id := range playing[:3] {
		h.playOut(id)
	}
	h.tick()
	for _, name := range names {
		h.deliver(name + "@play.example")
	}
	h.monday()
	moved := 0
	for _, name := range names {
		l := h.one(weeklies(h.deliver(name + "@play.example")))
		h.says(l, "Results of the week in aquila, division first", playing[0])
		if strings.Contains(wordsOf(l), "a week ago it was") {
			moved++
		}
	}
	if moved == 0 {
		t.Error("nobody's place has changed")
	}
	if err := h.office.Clerk().Close(context.Background(), playing[3], "r"); err != nil {
		t.Fatal(err)
	}
	h.deliver(secretaryAt)
	h.monday()
	h.says(h.last(secretaryAt), "closed without a result", playing[3])
	if got := weeklies(h.deliver("eva@play.example")); len(got) > 0 {
		t.Error("who plays in nothing has a weekly letter")
	}
}

// Weekly letters go behind all others: while something else is due to be sent none is written; and
// wherever the office dies, each member has one.
func TestWeeklyLettersGoBehindReports(t *testing.T) {
	withoutRace(t)
	var names []string
	for n := range 40 {
		names = append(names, fmt.Sprintf("m%02d", n))
	}
	h := aLeague(t, strings.Replace(aquila, "size: 4", "size: 40, form: swiss, rounds: 1", 1)+"ties: [lot]\n", names...)
	var ids []string
	for n := range names {
		ids = append(ids, fmt.Sprintf("M-%04d", n+1))
	}
	h.must("", h.office.Secretary().Admit(context.Background(), "aquila", ids))
	h.start()
	h.clock.move(nextWeekly(h.clock.Now()).Sub(h.clock.Now()))
	h.tick() // the outbox is full of reports
	h.flush()
	for _, name := range names {
		if len(weeklies(h.deliver(name+"@play.example"))) > 0 {
			t.Fatalf("%s has his week's letter before reports have gone out", name)
		}
	}
	for range 5 {
		h.clock.move(weeklyPause)
		h.tick()
		h.restart()
		h.flush()
	}
	h.week()
	for _, name := range names {
		h.one(weeklies(h.deliver(name + "@play.example")))
	}
	h.clock.move(24 * time.Hour)
	h.week()
	for _, name := range names {
		if len(weeklies(h.deliver(name+"@play.example"))) > 0 {
			t.Errorf("%s has two letters in a week", name)
		}
	}
}
