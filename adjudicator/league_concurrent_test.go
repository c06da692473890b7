package adjudicator

import (
	"context"
	"strings"
	"testing"

	"berthier/adjudicator/league/season"
)

// With rounds: concurrent all games of a round robin are made at once, however many a member plays, whatever
// most-at-once says. The season is played to its end like any other. With rounds: sequential nobody has more than he may.
func TestASeasonOfConcurrentRounds(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "eva", "fay"}
	for rounds, games := range map[string]int{"concurrent": 15, "sequential": 3} {
		h := aLeague(t, strings.NewReplacer("size: 4", "size: 6", "most-at-once: 3", "most-at-once: 1, rounds: "+rounds).Replace(aquila), names...)
		h.enter(names...)
		h.start()
		h.tick()
		playing := h.league().Divisions[0].Playing
		if len(playing) != games {
			t.Errorf("%s: %d games are made at once, not %d", rounds, len(playing), games)
		}
		for range 15 {
			playing := h.league().Divisions[0].Playing
			if len(playing) == 0 {
				break
			}
			for _, id := range playing {
				h.playOut(id)
			}
			h.tick()
		}
		v := h.league()
		if v.Phase != season.Settling || v.Divisions[0].Decided != 15 {
			t.Errorf("%s: the season is %s, %d games are decided", rounds, v.Phase, v.Divisions[0].Decided)
		}
		for _, row := range v.Divisions[0].Table.Rows {
			if row.Games != 5 {
				t.Errorf("%s: %s has %d games", rounds, row.Entry, row.Games)
			}
		}
		h.clock.move(finalAfter)
		h.tick()
		h.must(h.office.Secretary().End(context.Background(), "aquila"))
		h.verified("aquila")
	}
}
