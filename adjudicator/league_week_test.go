package adjudicator

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"berthier/adjudicator/league/table"
)

// The log of a league is read once for all letters of a week, however many batches they take; what happens to the league
// meanwhile stands in those that are still to be written; and when all are written nothing of it is kept.
func TestAWeekReadsTheLogOnce(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	h := aLeague(t, aquila, names...)
	h.enter(names...)
	h.start()
	playing := h.league().Divisions[0].Playing
	h.playOut(playing[0])
	h.tick()
	l, now := leagues{h.office}, h.clock.Now().Add(time.Hour)
	week := func() leagueWeek {
		t.Helper()
		weeks, err := l.weeks(now)
		if err != nil || len(weeks) != 1 {
			t.Fatal(weeks, err)
		}
		return weeks[0]
	}
	first := *week().weekOfLeague
	if again := week(); again.before != first.before || !reflect.DeepEqual(again.news, first.news) || len(first.news["1"]["first"]) != 1 {
		t.Error("the log is read once more for the next letters")
	}
	h.playOut(playing[1])
	h.tick()
	second := week()
	if second.before != first.before || len(second.news["1"]["first"]) != 2 {
		t.Errorf("meanwhile: %v", second.news)
	}
	kept := fmt.Sprintf("%+v %+v", second.news, second.ratings)
	h.office.books.Drop("aquila")
	if anew := week(); fmt.Sprintf("%+v %+v", anew.news, anew.ratings) != kept || anew.before == first.before {
		t.Errorf("read anew: %v, was %s", anew.news, kept)
	}
	at := &weeklyCursor{Week: now}
	for n := range 20 {
		_, done, err := l.weeklyBatch(at)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			break
		}
		if n == 19 {
			t.Fatal("the letters have no end")
		}
	}
	if err := l.look("aquila", func(b *openBook) error {
		if b.week != nil {
			t.Error("the week is kept when its letters are written")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if h.seasonNow().Value(h.seasonNow().Game(playing[1])).Kind != table.Played {
		t.Error("the second game was not played")
	}
}
