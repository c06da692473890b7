package intake

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
	"berthier/orders"
)

// TestWhatAFileSaysIsReadAtItsTable reads files of a player and of a game master who try what
// the game does not allow: each fault has its place, and the table stays as it is.
func TestWhatAFileSaysIsReadAtItsTable(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	position, err := enginetest.New().New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	g := &game.State{ID: "lot-1", Phase: game.Running, Absence: 5 * 24 * time.Hour, GM: log.Person{Address: "gm@club.example"}, Timing: timing.Timing{}}
	for _, side := range position.Sides() {
		g.Seats = append(g.Seats, &game.Seat{Side: side, Stops: 2, Serial: 4, Floor: 1, Person: log.Person{Address: string(side) + "@play.example", Zone: "Europe/Rome"},
			Owes: &game.Owes{Stop: 2, Decision: engine.Decision{Side: side, Kind: "lot"}}})
	}
	table := &game.Loaded{Game: g, Rules: enginetest.New(), Position: position, Views: map[engine.Side]engine.View{}}
	before, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	red := g.Seat("red")
	press := func(f *File) orders.Problems { _, p := f.Press(red); return p }
	absence := func(f *File) orders.Problems { _, _, p := f.Absence(red); return p }
	dispute := func(f *File) orders.Problems { _, _, p := f.Dispute(); return p }
	observer := func(f *File) orders.Problems { _, p := f.Observer(); return p }
	stop := func(f *File) orders.Problems { p, _ := f.checkStop(red); return p }
	for _, c := range []struct {
		name, text string
		read       func(*File) orders.Problems
		want       []string // line code
	}{
		{"press", "command: press\ntext: Peace?\n", press, nil},
		{"press to himself, under no name", "command: press\nfor: red\nanonymous: yes\ntext: Peace?\n", press, []string{"2 office.press.nobody", "3 office.press.no-anonymous"}},
		{"press that answers nothing", "command: press\nreply: 3\n", press, []string{"1 office.press.text", "2 office.press.no-letter"}},
		{"absence", "command: vacation\ndays: 4\n", absence, nil},
		{"absence beyond all", "command: vacation\ndays: 40\n", absence, []string{"2 office.absence.cap"}},
		{"absence backwards", "command: vacation\nfrom: 2026-03-09\nuntil: 2026-03-01\n", absence, []string{"3 office.absence.order"}},
		{"dispute about nothing", "command: dispute\n", dispute, []string{"1 office.dispute.no-event", "1 office.dispute.no-reason"}},
		{"a player looks on", "command: observe\naddress: blue@play.example\nview: full\n", observer, []string{"2 office.observe.plays"}},
		{"observer at once", "command: observe\naddress: eye@club.example\nview: full\ndelay: 10m\n", observer, []string{"4 office.observe.delay"}},
		{"the stop that is owed", "stop: 2\nserial: 4\norders: default\n", stop, nil},
		{"a stop of the future", "stop: 9\norders: default\n", stop, []string{"1 office.stop-ahead"}},
		{"a template of before the rewind", "stop: 2\nserial: 1\norders: default\n", stop, []string{"2 office.before-rewind"}},
		{"a template that nobody sent", "stop: 2\nserial: 7\norders: default\n", stop, []string{"2 office.serial-unknown"}},
	} {
		doc, problems := orders.Parse(c.text, nil)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", c.name, problems)
		}
		file := &File{Loaded: table, Doc: doc, Letter: &Letter{Mail: &mail.Letter{}, Now: now}, Now: now, Seat: "red", Languages: []string{"en", "it"},
			Clean: func(line string) string { return line }}
		found := c.read(file)
		found.Sort()
		var got []string
		for _, p := range found {
			got = append(got, fmt.Sprintf("%d %s", p.Line, p.Why.Code))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if after, err := json.Marshal(g); err != nil || string(after) != string(before) {
			t.Errorf("%s: reading has changed the game", c.name)
		}
	}
}
