package adjudicator

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/mail"
)

// inRome is the league whose days begin and end by the clock of Rome, an hour before those of UTC in March, until the
// summer begins.
var inRome = strings.Replace(aquila, "open: anybody", "open: anybody\nzone: Europe/Rome", 1)

// at moves the clock to a moment, as UTC tells it, and has done what is due.
func (h *testOffice) at(moment string) {
	h.Helper()
	to, err := time.Parse("2006-01-02 15:04", moment)
	if err != nil {
		h.Fatal(err)
	}
	h.clock.move(to.Sub(h.clock.Now()))
	h.tick()
}

// The dates of a set-up begin things by themselves, by the league's own clock and not a minute before: entries are closed
// after their last day, play begins on the first day of the season, and once a season is closed the next one is
// announced and takes entries, to begin after the pause. The secretary is told each time; wherever the office dies, each
// happens once.
func TestDatesBeginThings(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, inRome, names...)
	h.enter(names...)
	h.at("2026-03-05 22:59")
	if v := h.league(); v.Phase != season.Entering || v.Closes.UTC().Format("2006-01-02 15:04") != "2026-03-05 23:00" || v.Starts.UTC().Format("2006-01-02 15:04") != "2026-03-09 23:00" {
		t.Fatalf("before the last day of entries is over: %+v", v)
	}
	h.at("2026-03-05 23:00")
	if v := h.league(); v.Phase != season.Dividing || v.List == "" {
		t.Fatalf("after the last day of entries: %+v", v)
	}
	h.says(h.last(secretaryAt), "the list of entries was closed by its date, with 4 members", h.league().List, "Play begins by itself on 2026-03-10")
	h.restart()
	h.at("2026-03-09 22:59")
	if v := h.league(); v.Phase != season.Dividing {
		t.Fatalf("before the first day: %s", v.Phase)
	}
	h.at("2026-03-09 23:00")
	v := h.league()
	if v.Phase != season.Running || len(v.Divisions[0].Playing) != 6 {
		t.Fatalf("on the first day: %+v", v)
	}
	h.says(h.last(secretaryAt), "season 1 has begun by its date")
	for _, id := range v.Divisions[0].Playing {
		h.playOut(id)
	}
	h.tick()
	h.clock.move(finalAfter)
	h.tick()
	table := standings(h.league())
	h.must(h.office.Secretary().End(context.Background(), "aquila"))
	closed := h.clock.Now()
	h.restart()
	h.tick()
	v = h.league()
	if v.Season != "2" || v.Phase != season.Entering || !v.Opened || v.Commitment == "" || len(v.Last) != 1 {
		t.Fatalf("after the season: %+v", v)
	}
	// Four weeks later, entries open until five days before.
	if want := closed.In(v.Starts.Location()).AddDate(0, 0, 28).Format(time.DateOnly); v.Starts.Format(time.DateOnly) != want || v.Starts.Sub(v.Closes) != 4*24*time.Hour {
		t.Errorf("entries close at %s, play begins at %s, not on %s", v.Closes, v.Starts, want)
	}
	for _, to := range []string{"ada@play.example", secretaryAt} {
		h.says(h.last(to), "season 2 is announced", "It begins on "+v.Starts.Format(time.DateOnly), v.Commitment)
	}
	h.asMember("ada@play.example", h.keyOf("ada"), "command: table\n", mail.Processed) // of the season that was
	h.says(h.last("ada@play.example"), "Season 1", "Division first")
	if v.Divisions = v.Last; standings(v) != table {
		t.Errorf("the last table: %s, was %s", standings(v), table)
	}
	h.deliver("bea@play.example")
	h.enter("ada", "bea")
	h.clock.move(v.Starts.Sub(h.clock.Now()))
	h.tick()
	if v := h.league(); v.Phase != season.Running || len(v.Divisions[0].Playing) != 1 {
		t.Errorf("the second season: %+v", v)
	}
	h.logged("aquila", "closed", 2)
	h.logged("aquila", "started", 2)
	h.logged("aquila", "announced", 2)
}

// logged expects that a league's log has so many entries of a kind.
func (h *testOffice) logged(id, kind string, want int) {
	h.Helper()
	got := 0
	h.leagueLog(id, func(in book.Input) {
		if strings.EqualFold(fmt.Sprintf("%T", in), "book."+kind) {
			got++
		}
	})
	if got != want {
		h.Errorf("%d entries of the kind %s, not %d", got, kind, want)
	}
}

// A date at which too few have entered is dropped: the secretary is told why, the list stays open until the first day, when
// it is tried again, and after that he goes on. He may put the season off, to a day to come.
func TestADateThatCannotBeKept(t *testing.T) {
	h := aLeague(t, strings.Replace(samToo, "sam@play.example, ada@play.example", "sam@play.example", 1), "ada", "bea", "cara", "sam")
	h.enter("ada")
	h.at("2026-03-06 00:00")
	h.says(h.last("sam@play.example"), "it stays open: too few have entered", "tried again on 2026-03-10")
	h.enter("bea")
	h.secretary("sam", "act: postpone\nuntil: 2026-03-20\nreason: few\n")
	h.says(h.last("ada@play.example"), "begins on 2026-03-20 now")
	h.asMember("bea@play.example", h.keyOf("bea"), "command: withdraw\n", mail.Processed)
	h.at("2026-03-16 00:00") // the end of entries has moved as well
	h.says(h.last("sam@play.example"), "it stays open", "tried again on 2026-03-20")
	h.at("2026-03-20 00:00")
	h.says(h.last("sam@play.example"), "it stays open", "name another day")
	log := h.league().Log
	h.at("2026-04-20 00:00")
	if v := h.league(); v.Log != log || v.Phase != season.Entering || !v.Starts.IsZero() {
		t.Fatalf("a date that was dropped does something: %+v", v)
	}
	for _, wrong := range []string{"until: 2026-04-19", "until: soon", ""} {
		h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\nact: postpone\nreason: r\n"+wrong+"\n", mail.Rejected)
	}
	h.enter("cara")
	h.secretary("sam", "act: postpone\nuntil: 2026-04-23\nreason: again\n") // its end of entries has passed: they stay open
	h.at("2026-04-23 00:00")
	if v := h.league(); v.Phase != season.Running || len(v.Divisions[0].Members) != 2 {
		t.Errorf("%+v", v)
	}
	h.logged("aquila", "dropped", 3)
}

// A list that is closed is opened again only when so many have withdrawn that nothing can be played: a secretary who could open
// it at any time would choose the list over which the lots are drawn.
func TestAClosedListThatIsTooShort(t *testing.T) {
	h := aLeague(t, strings.Replace(samToo, "sam@play.example, ada@play.example", "sam@play.example", 1), "ada", "bea", "cara", "sam")
	h.enter("ada")
	h.enter("bea")
	h.secretary("sam", "act: close\n")
	first := h.league().List
	refused := func(act string) {
		t.Helper()
		h.asMember("sam@play.example", h.keyOf("sam"), "command: secretary\nleague: aquila\n"+act, mail.Rejected)
	}
	refused("act: open\n")
	h.asMember("bea@play.example", h.keyOf("bea"), "command: withdraw\n", mail.Processed)
	refused("act: start\n")
	h.secretary("sam", "act: open\n")
	if v := h.league(); v.Phase != season.Entering || v.List != "" && v.List == first {
		t.Fatalf("the list was opened: %+v", v)
	}
	h.enter("cara")
	h.secretary("sam", "act: close\n")
	h.secretary("sam", "act: start\n")
	if v := h.league(); v.Phase != season.Running || len(v.Divisions[0].Members) != 2 || v.List == first {
		t.Errorf("%+v", v)
	}
	h.logged("aquila", "opened", 2)
	h.verified("aquila")
}

// Dates that have passed when a season is announced bring nothing, and with pause: none no season is announced by itself.
func TestDatesThatHavePassed(t *testing.T) {
	withoutRace(t)
	h := aLeague(t, strings.NewReplacer("2026-03-10", "2026-02-10", "enter-until: 2026-03-05", "enter-until: 2026-02-05, pause: none").Replace(aquila), "ada", "bea")
	h.enter("ada", "bea")
	h.at("2026-03-09 00:00")
	if v := h.league(); v.Phase != season.Entering || !v.Closes.IsZero() || !v.Starts.IsZero() {
		t.Fatalf("%+v", v)
	}
	h.start()
	h.playOut(h.league().Divisions[0].Playing[0])
	h.tick()
	h.clock.move(finalAfter)
	h.tick()
	h.must(h.office.Secretary().End(context.Background(), "aquila"))
	h.tick()
	if v := h.league(); v.Season != "1" || v.Phase != season.Closed {
		t.Errorf("%+v", v)
	}
}

// A clock that jumps a year ahead closes no list of entries, begins no season and ends none; nor does an office that was
// down past a date before it has read the letters that came meanwhile. When the clock is right again, the dates come when
// they should.
func TestAClockThatJumps(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, strings.Replace(inRome, "brisk: 2d", "brisk: 60d", 1), names...)
	h.office.watch.attend()
	h.read()
	h.enter(names[:3]...)
	h.live(time.Hour)
	h.clock.move(365 * 24 * time.Hour)
	h.tick()
	h.read()
	for range 3 {
		h.tick()
	}
	if v := h.league(); v.Phase != season.Entering {
		t.Fatalf("the clock has jumped, and the season is %s", v.Phase)
	}
	h.live(2 * time.Hour)
	h.clock.move(-365 * 24 * time.Hour)
	h.tick()
	h.read()
	h.live(2 * time.Hour)
	// The office is down from the day before entries end until after that. What lay in the mailbox counts.
	h.clock.move(time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC).Sub(h.clock.Now()))
	h.read()
	h.live(25 * time.Hour)
	h.clock.move(16 * time.Hour)
	h.restart()
	h.office.watch.attend()
	h.tick()
	if v := h.league(); v.Phase != season.Entering {
		t.Fatalf("the office was down, and the season is %s", v.Phase)
	}
	h.enter("dora") // her letter lay there
	h.read()
	h.tick()
	if v := h.league(); v.Phase != season.Entering {
		t.Fatalf("just up again, and the season is %s", v.Phase)
	}
	h.live(25 * time.Hour)
	if v := h.league(); v.Phase != season.Dividing || len(v.Entries) != 4 {
		t.Fatalf("a day later: %+v", v)
	}
	h.live(5 * 24 * time.Hour)
	v := h.league()
	if v.Phase != season.Running || len(v.Divisions[0].Playing) != 6 {
		t.Fatalf("on the first day: %+v", v)
	}
	h.clock.move(365 * 24 * time.Hour) // past the end of the season
	h.tick()
	h.read()
	for range 3 {
		h.tick()
	}
	if v := h.league(); v.Phase != season.Running || v.Divisions[0].Decided > 0 {
		t.Errorf("the clock has jumped, and %d games are decided", v.Divisions[0].Decided)
	}
	h.clock.move(-365 * 24 * time.Hour)
	h.tick()
	h.read()
	h.live(26 * time.Hour)
	if v := h.league(); v.Phase != season.Running || v.Divisions[0].Decided > 0 {
		t.Errorf("the clock is right again, and %d games are decided", v.Divisions[0].Decided)
	}
}

// Death at any commit of what a date brings, and of the games that begin by it, brings all of it once.
func TestDeathAtADate(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara"}
	h := aLeague(t, aquila, names...)
	h.enter(names...)
	h.at("2026-03-05 12:00")
	h.deliver(secretaryAt)
	h.must("", h.store.Close())
	before, err := os.ReadFile(h.path)
	if err != nil {
		t.Fatal(err)
	}
	deaths, now := 0, time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
	for commits := range int32(40) {
		if err := os.WriteFile(h.path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		h.clock.now, h.post, h.seen = now, &postman{}, map[string]int{}
		h.life = &atomic.Int32{}
		h.life.Store(commits)
		h.open()
		died := h.office.Tick(context.Background()) != nil || h.life.Load() < 0
		h.life = nil
		h.restart()
		h.tick()
		h.tick()
		h.logged("aquila", "closed", 1)
		h.logged("aquila", "started", 1)
		h.logged("aquila", "playing", 3)
		told := h.deliver(secretaryAt)
		if v := h.league(); v.Phase != season.Running || len(v.Divisions[0].Playing) != 3 || len(told) != 2 {
			t.Fatalf("death after %d commits: %d letters to the secretary, %+v", commits, len(told), v)
		}
		for _, id := range h.league().Divisions[0].Playing {
			if h.record(id).Phase != game.Running {
				t.Errorf("%s is %s", id, h.record(id).Phase)
			}
		}
		if !died {
			break
		}
		h.must("", h.store.Close())
		deaths++
	}
	if t.Logf("it died %d times", deaths); deaths < 4 {
		t.Error("that is not often enough")
	}
}

// Who enters after the list of entries was closed waits as a substitute, whatever his rating, and no lot hangs on him.
func TestLateEntriesAreSubstitutes(t *testing.T) {
	h := aLeague(t, aquila, "ada", "bea", "cara", "dora", "eva")
	h.enter("ada", "bea", "cara")
	s := h.office.Secretary()
	list, err := s.CloseEntries(context.Background(), "aquila")
	if err != nil {
		t.Fatal(err)
	}
	late := func(name string) {
		h.asMember(name+"@play.example", h.keyOf(name), "command: enter\n", mail.Processed)
		h.says(h.last(name+"@play.example"), "you wait as a substitute")
	}
	late("dora")
	h.must("", s.Start(context.Background(), "aquila"))
	h.tick()
	late("eva")
	if v := h.league(); v.List != list || !slices.Equal(v.Waiting, []string{"M-0004", "M-0005"}) || len(v.Divisions[0].Members) != 3 {
		t.Errorf("%+v", v)
	}
}
