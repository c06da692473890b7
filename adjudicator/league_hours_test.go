package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/book"
)

// The games of a large round begin over the hours of a day, so many in each, whether or not the office is
// woken or starts anew in between; those of a small one begin at once, as all other tests of leagues have it.
func TestALargeRoundBeginsOverHours(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t, func(h *testOffice) { h.opt.JoinByLetter = true })
	s, ctx := h.office.Secretary(), context.Background()
	const members = 30 * 14
	var list strings.Builder
	var ids []string
	for i := range members {
		fmt.Fprintf(&list, "- {name: m%d, address: m%d@play.example}\n", i, i)
		ids = append(ids, fmt.Sprintf("M-%04d", i+1))
	}
	people, problems := s.ReadMembers(list.String())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, err := s.AddMembers(ctx, people); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(aquila, "{id: first, size: 4, system: lots, template: lots.yaml}",
		"{id: a, size: 14, copies: 15, system: lots, template: lots.yaml}, {id: b, size: 14, copies: 15, system: lots, template: lots.yaml}", 1)
	id, err := s.NewLeague(ctx, strings.Replace(text, "most-at-once: 3", "most-at-once: 1", 1), lotsFiles)
	if err != nil {
		t.Fatal(err)
	}
	h.must(s.Announce(ctx, id))
	h.must("", s.OpenEntries(ctx, id))
	h.must("", s.Admit(ctx, id, ids))
	h.must(s.CloseEntries(ctx, id))
	h.must("", s.Start(ctx, id))
	playing := func() (n int) {
		if err := (leagues{h.office}).look(id, func(b *openBook) error {
			for _, d := range b.Season.Divisions {
				for _, p := range d.Pairings {
					n += len(p.Games)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	began := h.clock.Now()
	for _, again := range []func(){h.tick, func() { h.must("", leagues{h.office}.goOn(ctx, id)) }, h.restart, h.tick} {
		again()
		if n := playing(); h.clock.Now().Truncate(time.Hour).Equal(began.Truncate(time.Hour)) && n != book.LeastAnHour {
			t.Fatalf("in the first hour %d games began, should be %d", n, book.LeastAnHour)
		}
	}
	h.clock.move(began.Truncate(time.Hour).Add(time.Hour).Sub(h.clock.Now()) - time.Second)
	h.tick()
	if n := playing(); n != book.LeastAnHour {
		t.Fatalf("a second before the next hour %d games have begun", n)
	}
	h.clock.move(time.Second)
	h.tick()
	if n := playing(); n != members/2 {
		t.Errorf("in the second hour %d games have begun, should be %d", n, members/2)
	}
}
