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
	sizeMembers   = 10_000 // 600 divisions of 14, 100 of 16
	sizeDivisions = 700
	sizeGames     = 5_000 // of a round
	sizeRounds    = 3     // that run side by side
	sizeResults   = 20
)

// BenchmarkLeagueOfTenThousand measures a league of 10,000 members in 700 divisions, in an office of its
// own, without mail: the making of three rounds of 5,000 games, with the letters of their players but
// without their pictures, which are drawn when letters are sent; the taking of results while all
// 15,000 games run; the ratings after them; and the weekly letters to all members. The time of a step is its processor time, on all cores.
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
			began := workDone()
			if err := f(); err != nil {
				b.Fatal(what, err)
			}
			b.ReportMetric(float64((workDone() - began).Milliseconds()), what)
		}
		people, problems := s.ReadMembers(list.String())
		if len(problems) > 0 {
			b.Fatal(problems)
		}
		step("ms/members", func() error { _, err := s.AddMembers(ctx, people); return err })
		id, err := s.NewLeague(ctx, sizeLeague(), lotsFiles)
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
		for round := range sizeRounds {
			step(fmt.Sprintf("ms/games%d", round+1), func() error {
				made, err := steward{l}.makeSome(ctx, id, sizeGames)
				if err == nil && made != sizeGames {
					err = fmt.Errorf("%d games were made", made)
				}
				return err
			})
		}
		var playing []string
		_ = l.look(id, func(o *openBook) error {
			for _, d := range o.Season.Divisions[:sizeResults] {
				playing = append(playing, d.Pairings[0].Games[0].ID)
			}
			return nil
		})
		var took time.Duration
		for i, game := range playing {
			h.playOut(game)
			began := workDone()
			if err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error { return t.take(game) }); err != nil {
				b.Fatal(err)
			}
			if n, err := tableOf(l, id, i); err != nil || n < 14 {
				b.Fatal(n, err)
			}
			took += workDone() - began
		}
		b.ReportMetric(float64((took / sizeResults).Microseconds()), "us/result")
		step("ms/ratings", func() error {
			return l.look(id, func(o *openBook) error { _, err := l.ratings(o); return err })
		})
		step("ms/weekly", func() error { return h.weekOfAll(b) })
	}
}

// weekOfAll writes the weekly letters to all members.
func (h *testOffice) weekOfAll(b *testing.B) error {
	letters, at := 0, &weeklyCursor{Week: h.clock.Now()}
	for {
		some, done, err := leagues{h.office}.weeklyBatch(at)
		if letters += len(some); err != nil || done {
			b.ReportMetric(float64(letters), "letters")
			return err
		}
	}
}

// tableOf makes the table of a division.
func tableOf(l leagues, id string, division int) (n int, err error) {
	err = l.look(id, func(b *openBook) error {
		t, err := b.Season.Table(b.Season.Divisions[division].ID)
		n = len(t.Rows)
		return err
	})
	return n, err
}

// sizeLeague is the set-up of a league of 10,000 members.
func sizeLeague() string {
	divisions := "divisions:\n" // at most twenty copies each
	for i := range sizeDivisions / 20 {
		size := 14
		if i < 5 {
			size = 16
		}
		divisions += fmt.Sprintf("  - {id: d%d, size: %d, copies: 20, system: lots, template: lots.yaml}\n", i, size)
	}
	return strings.Replace(aquila, "divisions: [{id: first, size: 4, system: lots, template: lots.yaml}]", divisions, 1)
}
