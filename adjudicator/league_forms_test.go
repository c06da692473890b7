package adjudicator

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/league/season"
)

// decides ends a game by its umpire's ruling: a member wins it.
func (h *testOffice) decides(id, winner string) {
	h.Helper()
	g := h.seasonNow().Game(id)
	side := h.record(id).Seats[slices.Index(g.Entries, winner)].Side
	if _, err := h.office.Clerk().Rule(context.Background(), id, fmt.Sprintf("command: rule\noutcome: %s\nreason: r\n", side), "", true); err != nil {
		h.Fatal(err)
	}
	h.tick()
}

// A division of games of three through the office: each round has everybody once, each of the three sides of a game is a
// member's, results share out what a win is worth, and the three pairs of a game are rated.
func TestADivisionOfThrees(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "eva", "fay"}
	h := aLeagueOf(t, strings.NewReplacer("size: 4", "size: 6, pairing: trio, rounds: 2", "most-at-once: 3", "most-at-once: 1").Replace(aquila),
		map[string]string{"lots.yaml": "scenario: three\noptions: {rounds: 1}\n"}, names...)
	h.enter(names...)
	h.start()
	meets, sits := map[[2]string]int{}, map[string]int{} // counted in the plan, by hand
	for _, p := range h.seasonNow().Divisions[0].Pairings {
		for side, m := range p.Seats {
			sits[fmt.Sprint(m, side)]++
			for _, o := range p.Seats {
				meets[[2]string{m, o}]++
			}
		}
	}
	most, often := 0, 0
	for pair, n := range meets {
		if pair[0] != pair[1] {
			most = max(most, n)
		}
	}
	for _, n := range sits {
		often = max(often, n)
	}
	if e := h.league().Divisions[0].Evenness; e == nil || e.MostMet != most || e.MostPower != often || e.LeastMet != 0 {
		t.Errorf("two meet at most %d times, a side is had %d times; said is %+v", most, often, e)
	}
	pages, _, err := h.office.Secretary().LeagueSite("aquila")
	if err != nil || !slices.ContainsFunc(slices.Collect(maps.Values(pages)), func(page []byte) bool {
		return strings.Contains(string(page), fmt.Sprintf("meet from 0 to %d times", most))
	}) {
		t.Errorf("no page says how evenly members meet: %v", err)
	}
	for round := range 2 {
		playing := h.league().Divisions[0].Playing
		var sit []string
		for _, id := range playing {
			g := h.seasonNow().Game(id)
			for i, s := range h.record(id).Seats {
				if m, err := h.office.Secretary().ShowMember(s.Person.Address); err != nil || m.ID != g.Entries[i] {
					t.Errorf("%s: %s sits on side %d, whose entry is %s", id, s.Person.Address, i, g.Entries[i])
				}
				sit = append(sit, g.Entries[i])
			}
		}
		slices.Sort(sit)
		if len(playing) != 2 || len(slices.Compact(sit)) != 6 {
			t.Fatalf("round %d: %v", round+1, playing)
		}
		h.decides(playing[0], h.seasonNow().Game(playing[0]).Entries[0])
		h.playOut(playing[1])
		h.tick()
	}
	v := h.league()
	points := int64(0)
	for _, r := range v.Divisions[0].Table.Rows {
		points += r.Points
		if r.Games != 2 {
			t.Errorf("%s has %d games", r.Entry, r.Games)
		}
	}
	if points != 4*24 || v.Phase != season.Settling {
		t.Errorf("%d points, %s", points, v.Phase)
	}
	h.clock.move(finalAfter)
	h.tick()
	all, _, err := h.office.Secretary().Ratings("aquila")
	if err != nil || len(all) != 1 || len(all[0].Games()) != 12 { // three pairs of each of four games
		t.Errorf("%+v, %v", all, err)
	}
}

// Two divisions whose members change places by a play-off: it begins once all else is decided, its two are told, it is
// played as the games of the upper division are, and whoever wins it plays there in the next season.
func TestAPlayoffThroughTheOffice(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora", "eva", "fay"}
	h := aLeague(t, strings.NewReplacer("divisions: [{id: first, size: 4, system: lots, template: lots.yaml}]",
		"divisions: [{id: first, size: 3, system: lots, template: lots.yaml}, {id: second, size: 3, system: lots, template: lots.yaml}]\nmoves: {up: 0, down: 0, playoff: {up: 1, down: 1}}").Replace(aquila), names...)
	h.enter(names...)
	h.start()
	for _, d := range h.seasonNow().Divisions { // who stands first in a division wins, and the second beats the third
		for range 3 {
			for _, id := range h.seasonNow().Undecided() {
				g := h.seasonNow().Game(id)
				if first := slices.IndexFunc(d.Members, func(m string) bool { return slices.Contains(g.Entries, m) }); first >= 0 {
					h.decides(id, d.Members[first])
					break
				}
			}
		}
	}
	h.tick()
	divisions := h.seasonNow().Divisions
	if len(divisions) != 3 || divisions[2].Playoff == nil {
		t.Fatalf("no play-off: %+v", divisions)
	}
	upper, lower := divisions[0].Members[2], divisions[1].Members[0]
	if got := divisions[2].Members; !slices.Equal(got, []string{upper, lower}) {
		t.Fatalf("%v play off, not %s and %s", got, upper, lower)
	}
	told := false
	for _, l := range h.deliver(names[number(lower)-1] + "@play.example") {
		told = told || strings.Contains(wordsOf(l), "play-off")
	}
	if !told {
		t.Error("the member of the lower division is not told")
	}
	id := h.seasonNow().Undecided()[0]
	h.restart()
	h.tick()
	h.decides(id, lower)
	h.clock.move(finalAfter)
	h.tick()
	h.must(h.office.Secretary().End(context.Background(), "aquila"))
	h.must(h.office.Secretary().Announce(context.Background(), "aquila"))
	h.must("", h.office.Secretary().OpenEntries(context.Background(), "aquila"))
	for _, name := range names {
		h.deliver(name + "@play.example")
	}
	h.enter(names...)
	h.start()
	if now := h.seasonNow().Divisions; !slices.Contains(now[0].Members, lower) || !slices.Contains(now[1].Members, upper) {
		t.Errorf("after the play-off %v and %v", now[0].Members, now[1].Members)
	}
}
