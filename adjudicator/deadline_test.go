package adjudicator

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
	"berthier/orders"

	"pgregory.net/rapid"
)

// Only an act of the game master moves a deadline, or the end of the grace after it, to an
// earlier time. Nothing is resolved by default before both have passed, nor within one grace
// after a game goes on that was paused.
func TestDeadlineNeverEarlier(t *testing.T) {
	if raceEnabled {
		return // left to the run without the race detector: what happens here happens one after the other
	}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom([]string{"Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia", "UTC"}).Draw(rt, "zone")
		h := newTestOffice(t, func(h *testOffice) {
			h.opt.AnswersPerHour = 10000
			h.clock.now = rapid.SampledFrom([]time.Time{
				time.Date(2026, 3, 25, 9, 0, 0, 0, time.UTC), time.Date(2026, 10, 22, 22, 0, 0, 0, time.UTC), time.Date(2026, 4, 2, 3, 0, 0, 0, time.UTC),
			}).Draw(rt, "begin")
		})
		defer h.store.Close()
		setup := strings.NewReplacer("rounds: 3", "rounds: 20", "Europe/Rome", name, "deadline: 3d",
			"deadline: {usual: 3d, least: 1d, at: \"20:00\", grace: 6h, weekdays: [mon, tue, thu, sat], discard: {usual: 1d}}\nzone: "+name).Replace(twoSides)
		h.newGame(setup)
		h.office.watch.attend()
		ctx := context.Background()
		type times struct{ deadline, late time.Time }
		told := map[engine.Side]map[int]times{"red": {}, "blue": {}}
		var goesOn time.Time
		look := func() {
			for _, s := range h.record("lot-1").Seats {
				if o := s.Owes; o != nil {
					if before := told[s.Side][o.Stop]; o.Deadline.Before(before.deadline) || o.Late.Before(before.late) {
						rt.Fatalf("%s: stop %d is due at %v and resolved at %v, was %v", s.Side, o.Stop, o.Deadline, o.Late, before)
					}
					told[s.Side][o.Stop] = times{o.Deadline, o.Late}
					if o.Late.Sub(o.Deadline) < 0 {
						rt.Fatalf("%s: the grace ends before the deadline", s.Side)
					}
				}
			}
		}
		look()
		for range rapid.IntRange(10, 40).Draw(rt, "acts") {
			before := h.record("lot-1")
			side := rapid.SampledFrom([]engine.Side{"red", "blue"}).Draw(rt, "side")
			at := map[engine.Side]string{"red": redAt, "blue": blueAt}[side]
			switch rapid.IntRange(0, 8).Draw(rt, "act") {
			case 0, 1, 2, 3:
				h.clock.move(time.Duration(rapid.IntRange(1, 40).Draw(rt, "hours")) * time.Hour)
				if rapid.IntRange(0, 5).Draw(rt, "read") > 0 {
					if err := h.office.watch.readUpTo(ctx, h.office.now()); err != nil {
						rt.Fatal(err)
					}
				}
				h.tick()
			case 4:
				h.restart()
				h.office.watch.attend()
				h.tick()
			case 5:
				from := h.clock.Now().Add(time.Duration(rapid.IntRange(0, 100).Draw(rt, "from")) * time.Hour)
				h.office.Take(ctx, h.letter(at, command(h, "lot-1", side, "command: vacation", "from: "+from.Format("2006-01-02"), "days: 2")))
			case 6:
				if o := before.Seat(side).Owes; o != nil && before.Phase == game.Running {
					h.office.Take(ctx, h.letter(at, fill(h.template(at), h.anyUnit("lot-1")(side, o), "final: no")))
				}
			case 7:
				h.office.Clerk().Pause(ctx, "lot-1", "")
			case 8:
				if h.office.Clerk().Resume(ctx, "lot-1") == nil {
					goesOn = h.clock.Now()
				}
			}
			after := h.record("lot-1")
			for _, s := range before.Seats {
				o, now := s.Owes, after.Seat(s.Side)
				if o == nil || o.Answer != nil || now.Missed == s.Missed {
					continue
				}
				if h.clock.Now().Before(told[s.Side][o.Stop].late) || h.clock.Now().Before(goesOn.Add(6*time.Hour)) {
					rt.Fatalf("%s missed stop %d at %v; it was due at %v; the game goes on since %v", s.Side, o.Stop, h.clock.Now(), told[s.Side][o.Stop], goesOn)
				}
			}
			look()
		}
	})
}

// When a deadline passes with a grace after it, the player is told until when the office waits
// for him, and a late answer still counts.
func TestGrace(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: {usual: 3d, grace: 12h}", 1))
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.clock.move(72 * time.Hour)
	h.tick()
	h.says(h.last(blueAt), "passata", "domanda: 1 offerta")
	h.silentAfter(blueAt, h.tick)
	h.clock.move(12*time.Hour - time.Second)
	h.tick()
	if g := h.record("lot-1"); g.Stop != 1 || g.Seat("blue").Missed != 0 {
		t.Fatal("resolved within the grace")
	}
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.tick()
	if g := h.record("lot-1"); g.Stop != 2 || g.Seat("blue").Missed != 0 {
		t.Errorf("a late answer: stop %d, missed %d", g.Stop, g.Seat("blue").Missed)
	}
	// Without one the default is used at the end of the grace.
	owing := h.owing("lot-1")
	h.clock.move(84*time.Hour - time.Minute)
	h.tick()
	if h.record("lot-1").Stop != 2 {
		t.Fatal("resolved within the grace")
	}
	h.clock.move(2 * time.Minute)
	h.tick()
	if g := h.record("lot-1"); g.Stop != 3 || g.Seat(owing).Missed != 1 {
		t.Errorf("stop %d", g.Stop)
	}
}

// owing gives the first side that has not answered.
func (h *testOffice) owing(id string) engine.Side {
	h.Helper()
	for _, s := range h.record(id).Seats {
		if s.Owes != nil && s.Owes.Answer == nil {
			return s.Side
		}
	}
	h.Fatal("nobody owes anything")
	return ""
}

// last is the newest letter of an address.
func (h *testOffice) last(address string) *mail.Letter {
	h.Helper()
	all := h.deliver(address)
	if len(all) == 0 {
		h.Fatalf("%s got nothing", address)
	}
	return all[len(all)-1]
}

// silentAfter checks that an address gets no letter because of what is done.
func (h *testOffice) silentAfter(address string, do func()) {
	h.Helper()
	h.deliver(address)
	do()
	h.silent(address)
}

// Each kind of stop may have a rule for its deadline; what that rule does not say is taken
// from the common one.
func TestRulesByKind(t *testing.T) {
	h := newTestOffice(t)
	s, problems := h.office.Clerk().ReadSetup(strings.Replace(twoSides, "deadline: 3d", `deadline:
  usual: 5d
  least: 2d
  at: 20.30
  weekdays: [lun, Tuesday, mer, gio, fri]
  holidays: [12-24..01-06, 2026-04-06]
  grace: 12h
  scarto: {usual: 2d, reminders: [6h], early: no}
zone: Europe/Rome
absence: 10d
silence: {bot: 2, replace: 4, share: 60}
reserves:
  - {name: Rita, address: rita@play.example}`, 1), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	bid, discard := s.Timing.Of("bid"), s.Timing.Of("discard")
	if bid.Usual != 120*time.Hour || bid.Least != 48*time.Hour || bid.Clock != "20:30" || bid.Zone != "Europe/Rome" || len(bid.Weekdays) != 5 ||
		len(bid.Holidays) != 2 || bid.Grace != 12*time.Hour || !bid.Early || len(bid.Reminders) != 2 {
		t.Errorf("%+v", bid)
	}
	if discard.Usual != 48*time.Hour || discard.Clock != "20:30" || discard.Early || !slices.Equal(discard.Reminders, []time.Duration{6 * time.Hour}) {
		t.Errorf("%+v", discard)
	}
	if s.Absence != 240*time.Hour || s.Silence != (log.Silence{Bot: 2, Replace: 4, Share: 60}) || s.Reserves[0].Zone != "Europe/Rome" || s.Seats["blue"].Zone != "Europe/Rome" {
		t.Errorf("%+v", s)
	}
	for text, want := range map[string]string{
		"deadline: {usual: 3d, at: 25:00}":                                                "office.setup.clock",
		"deadline: {usual: 3d, weekdays: [noday]}":                                        "order.unknown-word",
		"deadline: {usual: 3d, holidays: [2026-02-30]}":                                   "office.setup.holiday",
		"deadline: {usual: 3d, holidays: [2026-12-24..12-26]}":                            "office.setup.holiday",
		"deadline: {usual: 3d, holidays: [01-01..12-31]}":                                 "office.setup.no-day",
		"deadline: {usual: 3d, least: 4d}":                                                "office.setup.least",
		"deadline: {usaul: 3d}":                                                           "order.unknown-setup-stop",
		"deadline: {usual: 3d, bid: 1d, offerta: 2d}":                                     "office.setup.rule-twice",
		"deadline: 3d\nsilence: {bot: 0}":                                                 "order.want-number",
		"deadline: 3d\nreserves: [{address: x@y.example}]":                                "office.setup.reserves-when",
		"deadline: 3d\nabsence: often":                                                    "office.duration",
		"deadline: 3d\nzone: Mars":                                                        "office.setup.zone",
		"deadline: {usual: 3d, bid: {usual: none, early: no}}":                            "office.setup.never",
		"deadline: {usual: 3d, weekdays: [mon], at: \"20:00\", holidays: [01-01..12-31]}": "office.setup.no-day",
	} {
		_, problems := h.office.Clerk().ReadSetup(strings.Replace(twoSides, "deadline: 3d", text, 1), nil)
		if !slices.ContainsFunc(problems, func(p orders.Problem) bool { return p.Why.Code == want && p.Line > 0 }) {
			t.Errorf("%s: %v, want %s", text, problems, want)
		}
	}
}
