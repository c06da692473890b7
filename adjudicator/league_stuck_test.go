package adjudicator

import (
	"context"
	"strings"
	"testing"

	"berthier/adjudicator/league/table"
	"berthier/adjudicator/store"
)

// A game whose record can't be read any more keeps its own result from its league, and nothing else: the results of the others are
// taken and become final, members and secretaries get their letters of the week, and the office does not look at it again
// at once. When the record is put right the result is taken.
func TestAGameThatCannotBeReadStopsNoLeague(t *testing.T) {
	withoutRace(t)
	h, games := begun(t, aquila)
	stuck, ends := games[0], games[1]
	h.flush()
	h.playOut(stuck)
	h.playOut(ends)
	kept, err := h.store.Load(t.Context(), stuck)
	if err != nil {
		t.Fatal(err)
	}
	h.behind(store.Change{Game: stuck, Record: []byte("{")})
	looks := func() {
		t.Helper()
		if err := h.office.Tick(context.Background()); !lasts(err) || !strings.Contains(err.Error(), "take result of "+stuck) || strings.Contains(err.Error(), "looks") {
			t.Errorf("tick: %v", err)
		}
		for n := 0; ; n++ { // what came in meanwhile of other games is taken first
			err := h.office.Tick(context.Background())
			if err == nil || !strings.Contains(err.Error(), "take result of") {
				break
			}
			if n == 3 {
				t.Fatalf("it looks again and again: %v", err)
			}
		}
	}
	result := func(id string) (of table.Kind) {
		h.must("", leagues{h.office}.look("aquila", func(b *openBook) error { of = b.Season.Game(id).Result.Kind; return nil }))
		return of
	}
	looks()
	if of := result(ends); of != table.Played || result(stuck) != table.Open {
		t.Errorf("%s is %s, and %s is %s", ends, of, stuck, result(stuck))
	}
	h.flush()
	h.clock.move(finalAfter)
	looks()
	if n := h.leagueKinds()["book.Final"]; n != 1 {
		t.Errorf("%d entries make results final", n)
	}
	h.clock.move(nextWeekly(h.clock.Now()).Sub(h.clock.Now()))
	for range 12 {
		_ = h.office.Tick(context.Background())
		h.flush()
		h.clock.move(weeklyPause)
	}
	for _, name := range four {
		h.one(weeklies(h.deliver(name + "@play.example")))
	}
	h.says(h.last(secretaryAt), stuck)
	h.behind(store.Change{Game: stuck, Record: kept.Record})
	h.clock.move(stuckAgain)
	h.tick()
	if of := result(stuck); of != table.Played {
		t.Errorf("%s is %s", stuck, of)
	}
}
