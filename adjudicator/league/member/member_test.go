package member

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/log/logtest"
	"berthier/engine"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func around(now time.Time, after chain.Link) Around {
	return Around{Now: now, After: after, By: "member", Draw: func(b []byte) error { clear(b); return nil }}
}

func day(n int) time.Time { return noon.Add(time.Duration(n) * 24 * time.Hour) }

// Whatever happens to members in whatever order: the same input gives the same turn, what it is
// given stays as it is, what is refused changes nothing, and the roll alone makes the same
// members again.
func TestTheRollMakesTheMembersAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members, last, roll := map[string]*Member{}, chain.Link{}, []chain.Entry(nil)
		addresses := rapid.SampledFrom([]string{"a@x.example", "b@x.example", "c@x.example", "d@x.example", "e@x.example"})
		for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
			id := IDOf(rapid.IntRange(1, 3).Draw(t, "member"))
			var in Input = Made{Person: log.Person{Name: "Ada", Address: addresses.Draw(t, "address")}, Unproven: rapid.Bool().Draw(t, "unproven")}
			if members[id] != nil {
				from := rapid.IntRange(-2, 400).Draw(t, "from")
				in = rapid.SampledFrom([]Input{
					Described{Name: "Eva"}, Described{}, AddressAdded{addresses.Draw(t, "added")}, AddressDropped{addresses.Draw(t, "dropped")},
					AddressFirst{addresses.Draw(t, "first")}, Proven{}, KeyChanged{}, WentAway{Cancel: true},
					WentAway{Booked: game.Absence{From: day(i + from), Until: day(i + from + rapid.IntRange(0, 40).Draw(t, "days"))}},
				}).Draw(t, "input")
			}
			was, _ := json.Marshal(members[id])
			turn, err := Step(members[id], id, around(day(i), last), in)
			again, err2 := Step(members[id], id, around(day(i), last), in)
			if now, _ := json.Marshal(members[id]); string(now) != string(was) || (err == nil) != (err2 == nil) {
				t.Fatalf("%T changes what it was given, or is not the same twice: %v, %v", in, err, err2)
			}
			if err != nil {
				var refused *game.RefusedError
				if !errors.As(err, &refused) {
					t.Fatal(err)
				}
				continue
			}
			if !turn.Member.Same(again.Member) || turn.Entry.Link != again.Entry.Link {
				t.Fatalf("%T twice gives two turns", in)
			}
			m := turn.Member
			if len(m.Addresses) == 0 || len(m.Addresses) > MostAddresses {
				t.Fatalf("addresses %v", m.Addresses)
			}
			for _, a := range m.Absences {
				if m.Away(a.Until) > MostAway {
					t.Fatalf("away for %s within the year that ends at %s", m.Away(a.Until), a.Until)
				}
			}
			members[id], last, roll = m, turn.Entry.Link, append(roll, turn.Entry)
		}
		made, err := Replay(roll)
		if err != nil || len(made) != len(members) {
			t.Fatalf("%d members, %v", len(made), err)
		}
		for id, m := range members {
			if !m.Same(made[id]) {
				t.Fatalf("%s is %+v, from the roll %+v", id, m, made[id])
			}
		}
	})
}

// A roll that was tampered with, or that another program wrote, is refused and not guessed at.
func TestARollThatCannotHaveHappened(t *testing.T) {
	one, err := Step(nil, "M-0001", around(noon, chain.Link{}), Made{Person: log.Person{Address: "a@x.example"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]chain.Entry{
		"an unknown kind":       chain.Follow(one.Entry.Link, chain.Salt{}, []byte(`{"kind":"crowned","member":"M-0001"}`), []byte("{}")),
		"no JSON":               chain.Follow(one.Entry.Link, chain.Salt{}, []byte("?"), nil),
		"no private part":       chain.Follow(one.Entry.Link, chain.Salt{}, []byte(`{"kind":"key","member":"M-0001"}`), nil),
		"made twice":            chain.Follow(one.Entry.Link, chain.Salt{}, one.Entry.Body, one.Entry.Private),
		"of nobody":             chain.Follow(one.Entry.Link, chain.Salt{}, []byte(`{"kind":"key","member":"M-0002"}`), []byte("{}")),
		"what would be refused": chain.Follow(one.Entry.Link, chain.Salt{}, []byte(`{"kind":"described","member":"M-0001"}`), []byte("{}")),
	} {
		if _, err := Replay([]chain.Entry{one.Entry, e}); err == nil {
			t.Errorf("%s is replayed", name)
		}
	}
}

// Nobody is away longer than he may by booking at the turn of a year.
func TestAbsencesOverTheTurnOfAYear(t *testing.T) {
	m := &Member{ID: "M-0001", Addresses: []string{"a@x.example"}, Entries: 1}
	for _, c := range []struct {
		from, days int
		refused    string
	}{
		{290, 20, ""}, {320, 11, "club.absence-cap"}, {320, 10, ""}, {10, 1, "club.absence-cap"}, {295, 1, "office.absence.twice"},
		{-1, 5, "office.absence.order"}, {5, 0, "office.absence.order"}, {360, 20, "office.absence.far"},
	} {
		turn, err := Step(m, m.ID, around(noon, chain.Link{}), WentAway{Booked: game.Absence{From: day(c.from), Until: day(c.from + c.days)}})
		var refused *game.RefusedError
		if got := errors.As(err, &refused); got != (c.refused != "") || got && refused.Why.Code != c.refused {
			t.Errorf("%d days from %d: %v", c.days, c.from, err)
			continue
		}
		if err == nil {
			m = turn.Member
		}
	}
}

// resolved is a stop of red's, answered in a way.
func resolved(n int, by string) log.Entry {
	return log.Entry{Kind: log.KindResolved, At: day(n), Data: log.Resolved{Answers: []log.Given{
		{Decision: engine.Decision{Side: "red"}, SeatStop: n, By: by}, {Decision: engine.Decision{Side: "blue"}, SeatStop: n, By: log.ByDefault}}}}
}

// What a log says of a seat counts for who had it then: in time, in the grace, missed; what he
// lent to the bot, and what a game master answered, counts for nothing.
func TestServedIn(t *testing.T) {
	ada, eva := log.Person{Address: "a@x.example"}, log.Person{Address: "e@x.example"}
	seats := map[engine.Side]log.Person{"red": ada, "blue": {Address: "b@x.example"}}
	entries := logtest.Entries(t,
		log.Entry{Kind: log.KindSetup, At: noon, Private: map[string]any{"seats": seats}},
		resolved(1, ""), resolved(2, log.ByAhead),
		log.Entry{Kind: log.KindLate, Seat: "red", At: day(3)}, resolved(3, ""), resolved(4, ""),
		resolved(5, log.ByDefault), resolved(6, log.ByGM),
		log.Entry{Kind: log.KindBot, Seat: "red", By: "player", At: day(6)}, resolved(7, log.ByBot),
		log.Entry{Kind: log.KindReturned, Seat: "red", At: day(7)},
		log.Entry{Kind: log.KindBot, Seat: "red", By: "office", At: day(7)}, resolved(8, log.ByBot),
		log.Entry{Kind: log.KindResolved, At: day(8), Data: log.Resolved{Again: 3, Answers: []log.Given{{Decision: engine.Decision{Side: "red"}, By: log.ByDefault}}}},
		log.Entry{Kind: log.KindResigned, Seat: "red", At: day(9)},
		log.Entry{Kind: log.KindReplaced, Seat: "red", At: day(9), Private: map[string]any{"old": ada, "new": eva}},
		resolved(10, log.ByDefault),
		log.Entry{Kind: log.KindExchanged, At: day(10), Data: log.Exchange{Sides: [2]engine.Side{"red", "blue"}}},
		resolved(11, ""),
	)
	his := func(address string) func(string, time.Time) bool {
		m := &Member{Addresses: []string{address}}
		return m.Had
	}
	for address, want := range map[string]string{"a@x.example": "1i 2i 3g 4i 5m 8m r1", "e@x.example": "10m 11m r0", "b@x.example": "1m 2m 3m 4m 5m 6m 7m 8m 10m 11i r0"} {
		s, err := ServedIn("g", entries, his(address))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, stop := range s.Stops {
			got += fmt.Sprintf("%d%s ", stop.Number, map[How]string{InTime: "i", InGrace: "g", Missed: "m"}[stop.How])
		}
		if got += fmt.Sprintf("r%d", len(s.Resigned)); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// An address that a member gave up was his until then, and not afterwards.
func TestAnAddressThatWasHis(t *testing.T) {
	m := &Member{Addresses: []string{"a@x.example"}, Former: []Former{{"old@x.example", noon}}}
	if !m.Had("old@x.example", noon.Add(-time.Hour)) || m.Had("old@x.example", noon.Add(time.Hour)) || !m.Had("A@x.example", noon) {
		t.Error("an address is his at the wrong time")
	}
}

// A newcomer has 80; what is long ago weighs less; only the last 200 stops count.
func TestReliability(t *testing.T) {
	stops := func(how How, n, daysAgo int) (s Served) {
		for range n {
			s.Stops = append(s.Stops, Stop{At: day(-daysAgo), How: how})
		}
		return s
	}
	for _, c := range []struct {
		games []Served
		want  int
	}{
		{nil, 80}, {[]Served{stops(InTime, 15, 1)}, 95}, {[]Served{stops(Missed, 15, 1)}, 20}, {[]Served{stops(InGrace, 5, 1)}, 90},
		{[]Served{stops(Missed, 4, 400)}, 57}, {[]Served{stops(Missed, 300, 20), stops(InTime, 200, 1)}, 99},
	} {
		if got := Reliability(c.games, noon); got != c.want {
			t.Errorf("reliability %d, want %d", got, c.want)
		}
	}
}
