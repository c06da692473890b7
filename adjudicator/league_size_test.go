package adjudicator

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/store"
)

// How large the league of the benchmark is: as docs/performance.md has it.
const (
	sizeMembers   = 9_800
	sizeDivisions = 700
	sizeGames     = 5_000
)

// BenchmarkLeagueOfTenThousand measures a league of 9,800 members in 700 divisions of 14, in an office
// of its own, without mail: the making of 5,000 games, with the letters of their players but without
// their pictures, which are drawn when letters are sent, and the taking of a result.
func BenchmarkLeagueOfTenThousand(b *testing.B) {
	for range b.N {
		h := newTestOffice(b, func(h *testOffice) { h.opt.JoinByLetter = true })
		h.spoilt = true
		s, ctx := h.office.Secretary(), context.Background()
		var list strings.Builder
		for i := range sizeMembers {
			fmt.Fprintf(&list, "- {name: m%d, address: m%d@play.example}\n", i, i)
		}
		step := func(what string, f func() error) {
			b.Helper()
			began := time.Now()
			if err := f(); err != nil {
				b.Fatal(what, err)
			}
			b.ReportMetric(float64(time.Since(began).Milliseconds()), what)
		}
		divisions := "divisions:\n" // at most twenty copies each
		for i := range sizeDivisions / 20 {
			divisions += fmt.Sprintf("  - {id: d%d, size: 14, copies: 20, system: lots, template: lots.yaml}\n", i)
		}
		people, problems := s.ReadMembers(list.String())
		if len(problems) > 0 {
			b.Fatal(problems)
		}
		step("ms/members", func() error { _, err := s.AddMembers(ctx, people); return err })
		id, err := s.NewLeague(ctx, strings.Replace(aquila, "divisions: [{id: first, size: 4, system: lots, template: lots.yaml}]", divisions, 1), lotsFiles)
		if err != nil {
			b.Fatal(err)
		}
		h.must(s.Announce(ctx, id))
		h.must("", s.OpenEntries(ctx, id))
		var ids []string
		for i := range sizeMembers {
			ids = append(ids, fmt.Sprintf("M-%04d", i+1))
		}
		step("ms/entries", func() error { return s.Admit(ctx, id, ids) })
		h.must(s.CloseEntries(ctx, id))
		step("ms/drawn", func() error { return s.Start(ctx, id) })
		l := leagues{h.office}
		step(fmt.Sprintf("ms/%dgames", sizeGames), func() error { _, err := steward{l}.makeSome(ctx, id, sizeGames); return err })
		var playing string
		_ = l.look(id, func(o *openBook) error {
			playing = o.Season.Divisions[0].Pairings[0].Games[0].ID
			return nil
		})
		h.playOut(playing)
		began := time.Now()
		if err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error { return t.take(playing) }); err != nil {
			b.Fatal(err)
		}
		if n, err := tableOf(l, id); err != nil || n != 14 {
			b.Fatal(n, err)
		}
		b.ReportMetric(float64(time.Since(began).Microseconds()), "us/result")
	}
}

// tableOf makes the table of the first division.
func tableOf(l leagues, id string) (n int, err error) {
	err = l.look(id, func(b *openBook) error {
		t, err := b.Season.Table(b.Season.Divisions[0].ID)
		n = len(t.Rows)
		return err
	})
	return n, err
}
