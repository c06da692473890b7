package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/store"
)

// pinnedLeague has two divisions of different set-ups, of which only the second is played.
var pinnedLeague = strings.Replace(aquila, "games: {most-at-once: 3}", "games: {most-at-once: 3}\nratings: {system: glicko-2, period: 30d, tau: 0.5, start: [1500, 350, 0.06], by-side: offset}", 1)

// otherwiseRated is a set-up that rates in another way in every point, and in which the division has another place and file.
func otherwiseRated() (text string, files map[string]string) {
	text = strings.Replace(pinnedLeague, "period: 30d, tau: 0.5, start: [1500, 350, 0.06]", "period: 10d, tau: 1.1, start: [1200, 200, 0.05]", 1)
	text = strings.Replace(text, "divisions: [{id: first", "divisions: [{id: upper, size: 2, system: lots, template: other.yaml}, {id: first", 1)
	return text, map[string]string{"lots.yaml": "options: {rounds: 1}\n", "other.yaml": "options: {rounds: 1}\n"}
}

// playSeason plays a season of those who have entered to its end, and ends it.
func (h *testOffice) playSeason(names []string) {
	h.Helper()
	h.enter(names...)
	h.start()
	for _, id := range h.league().Divisions[0].Playing {
		h.playOut(id)
		h.tick()
	}
	h.clock.move(finalAfter)
	h.tick()
	h.must(h.office.Secretary().End(context.Background(), "aquila"))
}

// ratedNow is what a league's ratings are, without when they were asked for.
func (h *testOffice) ratedNow() rated.Ladder {
	h.Helper()
	all, _, err := h.office.Secretary().Ratings("aquila")
	if err != nil || len(all) != 1 {
		h.Fatalf("%v, %v", all, err)
	}
	return all[0]
}

// A closed season keeps its ratings whatever the set-up becomes afterwards, also once the office has been restarted; and so do
// seasons of a log that did not say yet how they are rated, which is noted once, before the set-up changes.
func TestAnotherSetUpMovesNoRatingOfAClosedSeason(t *testing.T) {
	withoutRace(t)
	names := []string{"ada", "bea", "cara", "dora"}
	for _, old := range []bool{false, true} {
		t.Run(fmt.Sprintf("old=%v", old), func(t *testing.T) {
			h := clubOffice(t)
			s, ctx := h.office.Secretary(), context.Background()
			people, _ := s.ReadMembers(listOf(names))
			_, err := s.AddMembers(ctx, people)
			h.must("", err)
			h.must(s.NewLeague(ctx, pinnedLeague, lotsFiles))
			if old {
				h.announceOfBefore()
			} else {
				h.must(s.Announce(ctx, "aquila"))
			}
			h.must("", s.OpenEntries(ctx, "aquila"))
			for _, name := range names {
				h.deliver(name + "@play.example")
			}
			h.playSeason(names)
			was := h.ratedNow()
			text, files := otherwiseRated()
			r := LeagueRuling{Kind: "change", Text: text, Files: files, Reason: "why not"}
			_, err = s.Rule(ctx, "aquila", r, "", true)
			h.must("", err)
			h.must(s.Announce(ctx, "aquila"))
			for range 2 {
				is := h.ratedNow()
				for period := range was.Last + 1 {
					if a, b := fmt.Sprint(was.History[period]), fmt.Sprint(is.History[period]); a != b {
						t.Errorf("period %d was %s and is %s", period, a, b)
					}
				}
				if fmt.Sprint(was.Games()) != fmt.Sprint(is.Games()) {
					t.Errorf("games were %v and are %v", was.Games(), is.Games())
				}
				h.restart()
			}
			noted := 0
			h.leagueLog("aquila", func(in book.Input) {
				if _, ok := in.(book.Rated); ok {
					noted++
				}
			})
			if noted != map[bool]int{true: 1, false: 0}[old] {
				t.Errorf("it is noted %d times", noted)
			}
			h.verified("aquila")
			h.ratesOtherwise()
		})
	}
}

// announceOfBefore announces a season as it was done before its log said how it is rated.
func (h *testOffice) announceOfBefore() {
	h.Helper()
	h.must("", leagues{h.office}.act(context.Background(), "aquila", "secretary", "", store.Change{}, func(t *leagueTurn) error {
		s, err := t.setupOf(t.openBook)
		if err != nil {
			return err
		}
		plan, systems := planOf(s, 1, ratingOf(leagues{h.office}, s))
		plan.Rating = nil
		seed := lots.Seed{7}
		return t.Do(book.Announced{Plan: plan, Systems: systems, Commitment: seed.Commitment(), Seed: seed.String()})
	}))
}

// ratesOtherwise has the office find out a league whose season is not rated as its set-up said.
func (h *testOffice) ratesOtherwise() {
	h.Helper()
	b := &book.Book{}
	found := 0
	h.leagueLog("aquila", func(in book.Input) {
		switch a := in.(type) {
		case book.Announced:
			if a.Plan.Rating != nil {
				other := *a.Plan.Rating
				other.Tau++
				a.Plan.Rating = &other
				if ratedAs(leagues{h.office}, b, a) != nil {
					found++
				}
			}
		case book.Rated:
			a.Rating.Period++
			if ratedAs(leagues{h.office}, b, a) != nil {
				found++
			}
		}
		h.must("", b.Follow(in))
	})
	if found < 2 {
		h.Errorf("%d forged ways to rate were found", found)
	}
}
