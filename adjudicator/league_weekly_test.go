package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/table"
	"berthier/adjudicator/store"
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

// nextWeek gives a member's letter of the next Monday; his other letters are read away.
func (h *testOffice) nextWeek(name string) *mail.Letter {
	h.Helper()
	h.monday()
	return h.one(weeklies(h.deliver(name + "@play.example")))
}

// Who waits for a place reads each week when it is his turn. Who has taken a side over has one letter with what he owes there, too,
// his schedule has the game, and he reads what became of it.
func TestTheWeekOfASubstitute(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "eva", "fay"}
	h := aLeague(t, strings.Replace(aquila, "brisk: 2d, steady: 4d", "brisk: 90d, steady: 90d", 1), names...)
	h.enter(names...)
	h.start()
	at := func(id string) string { return names[int(id[len(id)-1]-'1')] }
	waiting, leaver := h.seasonNow().Waiting(), h.seasonNow().Divisions[0].Members[0]
	sub := at(waiting[0])
	h.monday()
	for n, id := range waiting {
		l := h.one(weeklies(h.deliver(at(id) + "@play.example")))
		h.says(l, fmt.Sprintf("you are number %d of them", n+1))
		h.lacks(l, "place 0", "You owe", "is offered to you until")
	}
	games := h.undecidedOf(leaver)
	for _, id := range games[:2] {
		h.playOut(id)
	}
	h.tick()
	h.clock.move(nextWeekly(h.clock.Now()).Sub(h.clock.Now()) - time.Hour) // the offer stands when the letters begin
	h.tick()
	h.asMember(at(leaver)+"@play.example", h.keyOf(at(leaver)), "command: withdraw\n", mail.Processed)
	h.tick()
	h.says(h.nextWeek(sub), "A side of "+games[2]+" is offered to you until")
	h.asMember(sub+"@play.example", h.keyOf(sub), "command: accept\n", mail.Processed)
	h.tick()
	h.tick()
	l := h.nextWeek(sub)
	h.says(l, "You owe stop 1 in "+games[2], "until ")
	h.lacks(l, "place 0")
	h.asMember(sub+"@play.example", h.keyOf(sub), "command: schedule\n", mail.Processed)
	l = h.last(sub + "@play.example")
	h.says(l, games[2], "in place of "+at(leaver)+" ("+leaver+")", "being played")
	h.playOut(games[2])
	h.tick()
	h.says(h.nextWeek(sub), "Results of the week in aquila, division first", games[2])
	l = h.nextWeek(sub)
	h.lacks(l, games[2], "division first")
	h.says(l, "you are number 1 of them")
	h.asMember(sub+"@play.example", h.keyOf(sub), "command: pause-entries\n", mail.Processed)
	h.says(h.nextWeek(sub), "as long as you pause")
}

// newsOfGame is what a week's letter says of a game in its table of results: each cell of its row with its column's head, | between
// them, and none that is empty; "": nothing.
func newsOfGame(l *mail.Letter, id string) string {
	var starts []int // of columns
	var head, row []string
	last := ""
	cells := func(line string) (all []string) {
		for i, at := range starts {
			end := len(line)
			if i+1 < len(starts) {
				end = min(end, starts[i+1])
			}
			all = append(all, strings.TrimSpace(line[min(at, len(line)):max(min(at, len(line)), end)]))
		}
		return all
	}
	for line := range strings.Lines(wordsOf(l)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "----") && strings.Contains(line, " "):
			starts = nil
			for i, c := range line {
				if c == '-' && (i == 0 || line[i-1] == ' ') {
					starts = append(starts, i)
				}
			}
			head = cells(last)
		case row == nil && starts != nil && strings.HasPrefix(line, id+" "):
			row = cells(line)
		case row != nil && (line == "" || line[0] != ' '):
			text := ""
			for i, c := range row[1:] {
				if c != "" {
					text += "|" + head[i+1] + ": " + c
				}
			}
			return strings.TrimPrefix(text, "|")
		case row != nil:
			for i, c := range cells(line) {
				row[i] = strings.TrimSpace(row[i] + " " + c)
			}
		}
		last = line
	}
	return ""
}

// All that a game comes to count as is news, whatever made it so, and the letter says what it counts as now and how that came.
func TestNewsOfTheWeek(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, strings.NewReplacer("enter-until: 2026-03-05", "enter-until: 2026-03-05, length: 8w", "brisk: 2d, steady: 4d", "brisk: 90d, steady: 90d").Replace(aquila), names...)
	h.enter(names...)
	h.start()
	playing := h.league().Divisions[0].Playing
	s, ctx := h.office.Secretary(), context.Background()
	entries := func(id string) []string { return h.seasonNow().Game(id).Entries }
	rule := func(kind, id string, of ...string) {
		t.Helper()
		if _, err := s.Rule(ctx, "aquila", LeagueRuling{Kind: kind, Game: id, Of: of, Reason: "r"}, "", true); err != nil {
			t.Fatal(err)
		}
		h.tick()
	}
	is := func(l *mail.Letter, id string, won []string, others []string, how string) {
		t.Helper()
		var want []string
		for i, members := range [][]string{won, others} {
			var all []string
			for _, m := range members {
				all = append(all, names[int(m[len(m)-1]-'1')]+" ("+m+")")
			}
			if len(all) > 0 {
				want = append(want, []string{"Won or drawn by: ", "Others: "}[i]+strings.Join(all, ", "))
			}
		}
		if how != "" {
			want = append(want, "How: "+how)
		}
		if got, want := newsOfGame(l, id), strings.Join(want, "|"); got != want {
			t.Errorf("%q, not %q\n%s", got, want, wordsOf(l))
		}
	}
	for _, id := range playing[:2] {
		h.playOut(id)
	}
	h.tick()
	rule("forfeit", playing[2], entries(playing[2])[0])
	rule("cancel", playing[3])
	l := h.nextWeek("ada")
	e := entries(playing[2])
	is(l, playing[2], e[1:], e[:1], "by forfeit")
	is(l, playing[3], nil, entries(playing[3]), "cancelled")
	won, lost := h.seasonNow().Game(playing[0]), []string(nil)
	for i, p := range won.Result.Places {
		if p == table.Lost {
			lost = append(lost, won.Entries[i])
		}
	}
	is(l, playing[0], slices.DeleteFunc(slices.Clone(won.Entries), func(m string) bool { return slices.Contains(lost, m) }), lost, "")
	if newsOfGame(l, playing[4]) != "" {
		t.Errorf("news of a game that is being played: %s", wordsOf(l))
	}
	h.rewind(playing[0])
	if _, err := h.office.Clerk().Rule(ctx, playing[1], "command: rule\noutcome: draw\nreason: r\n", "", true); err != nil {
		t.Fatal(err)
	}
	rule("overrule", playing[2])
	l = h.nextWeek("ada")
	is(l, playing[0], nil, entries(playing[0]), "open again")
	is(l, playing[1], entries(playing[1]), nil, "decided by ruling or count, in place of another result")
	is(l, playing[2], nil, entries(playing[2]), "open again")
	if newsOfGame(l, playing[3]) != "" {
		t.Errorf("news of the week before: %s", wordsOf(l))
	}
	h.clock.move(h.seasonNow().Until.Sub(h.clock.Now()))
	h.tick()
	l = h.nextWeek("ada")
	for _, id := range []string{playing[0], playing[4], playing[5]} {
		is(l, id, entries(id), nil, "decided by ruling or count")
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

// After a clock that had jumped ten years ahead is right again, the letters of the week go out on the next Monday, to members and to secretaries,
// whether all letters of the wrong year were written meanwhile, or half of them, and whether or not the office was started anew. Those of a right
// week that were half written when the clock jumped go on at once.
func TestWeeklyLettersAfterTheClockHasJumped(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	const jump, hers = 3650 * day, "ada@play.example"
	fresh := func(h *testOffice) {
		for _, at := range []string{hers, secretaryAt} {
			h.deliver(at)
		}
	}
	begin := func() *testOffice {
		h := aLeague(t, strings.NewReplacer("open: anybody", "open: confirm", "brisk: 2d", "brisk: 60d").Replace(aquila), append(names, "eva")...)
		h.asMember("eva@play.example", h.keyOf("eva"), "command: enter\n", mail.Processed)
		h.must("", h.office.Secretary().Admit(context.Background(), "aquila", []string{"M-0001", "M-0002", "M-0003", "M-0004"}))
		h.start()
		fresh(h)
		return h
	}
	for _, dies := range []bool{false, true} {
		right := func(h *testOffice) {
			h.clock.move(-jump)
			if dies {
				h.restart()
			}
			h.tick()
			h.flush()
		}
		for _, half := range []bool{false, true} { // of the wrong year's letters: those to secretaries are not written yet
			h := begin()
			h.clock.move(jump)
			for written := false; !written; {
				h.tick()
				written = len(weeklies(h.deliver(hers))) > 0
				h.clock.move(weeklyPause)
			}
			if !half {
				h.week()
			}
			fresh(h)
			right(h)
			h.clock.move(day)
			h.week()
			for _, l := range append(h.deliver(secretaryAt), weeklies(h.deliver(hers))...) {
				if strings.Contains(l.Subject, "Your week") || strings.Contains(wordsOf(l), "wait for a yes") {
					t.Errorf("half is %v: before Monday comes %q", half, l.Subject)
				}
			}
			h.monday()
			h.one(weeklies(h.deliver(hers)))
			h.says(h.last(secretaryAt), "wait for a yes: M-0005")
			h.monday()
			h.one(weeklies(h.deliver(hers)))
		}
		h := begin()
		h.clock.move(nextWeekly(h.clock.Now()).Sub(h.clock.Now()))
		for half := false; !half; half = len(weeklies(h.deliver(hers))) > 0 {
			h.clock.move(weeklyPause)
			h.tick()
		}
		h.clock.move(jump)
		shelving{h.office}.lookOver(t.Context())
		h.must("", h.store.Commit(t.Context(), store.Change{Wake: map[string]time.Time{weeklyWake: h.clock.Now().Add(weeklyPause)}})) // since other letters waited
		right(h)
		h.week()
		h.says(h.last(secretaryAt), "wait for a yes: M-0005")
		if got := weeklies(h.deliver(hers)); len(got) > 0 {
			t.Error("she has the letter of the week twice")
		}
		h.monday()
		h.one(weeklies(h.deliver(hers)))
	}
}
