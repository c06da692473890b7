package adjudicator

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/store"
)

// decadeSeasons are the seasons of the league of [BenchmarkLeagueDecade], one a year.
const decadeSeasons = 10

// BenchmarkLeagueDecade measures the ratings of a league of 10,000 members and 700 divisions after ten seasons with
// some 670,000 games, in an office of its own whose store has the league's log: its results were written there
// without games being played. Measured are: a cold start, which reads the whole log once; the ratings of all ten years
// worked out after it; once more with what one day has brought; and once more after the very first result has become
// another one, long after it was final.
func BenchmarkLeagueDecade(b *testing.B) {
	for range b.N {
		h := newTestOffice(b)
		h.spoilt = true // there are no games
		d := &decade{testOffice: h, l: leagues{h.office}, chance: rand.New(rand.NewPCG(1, 2))}
		text := strings.Replace(sizeLeague(), "games:", "ratings: {system: glicko-2, period: 30d, by-side: offset}\ngames:", 1)
		id, err := h.office.Secretary().NewLeague(context.Background(), text, lotsFiles)
		if err != nil {
			b.Fatal(err)
		}
		d.id = id
		for n := range decadeSeasons {
			d.season(n)
		}
		first := d.book().Past[0].Divisions[0].Pairings[0].Games[0]

		h.office.books.Drop(id)
		before := heap()
		d.measure("ms/cold", func(*openBook) error { return nil })
		b.ReportMetric(float64(d.book().end.Seq), "entries")
		d.measure("ms/ratings", d.rate)
		b.ReportMetric(float64(heap()-before)/(1<<20), "MB")
		d.do(book.Final{Final: season.Final{Games: d.some}})
		d.measure("ms/followed", d.rate)
		d.do(book.Contested{Contested: season.Contested{Game: first.ID, Link: season.Link{Number: 99, Hash: first.Link.Hash}, Result: outcomeFor(first.Result.Places[0] != table.Won)}},
			book.Corrected{Corrected: season.Corrected{Game: first.ID, By: "secretary@club.example"}}, book.Corrected{Corrected: season.Corrected{Game: first.ID, By: "other@club.example"}})
		d.measure("ms/corrected", d.rate)
	}
}

// A decade is a league whose log is written without games.
type decade struct {
	*testOffice
	l      leagues
	id     string
	chance *rand.Rand
	some   []string // games whose results can be final, and are not yet
}

func (d *decade) book() (b *openBook) {
	if err := d.l.look(d.id, func(open *openBook) error { b = open; return nil }); err != nil {
		d.Fatal(err)
	}
	return b
}

// measure reports the processor time of something that is done with the open league.
func (d *decade) measure(what string, f func(*openBook) error) {
	began := workDone()
	if err := d.l.look(d.id, f); err != nil {
		d.Fatal(what, err)
	}
	d.TB.(*testing.B).ReportMetric(float64((workDone() - began).Milliseconds()), what)
}

func (d *decade) rate(b *openBook) error {
	all, err := d.l.ratings(b)
	if err == nil && (len(all) != 1 || len(all[0].Members) != sizeMembers) {
		err = fmt.Errorf("%d systems", len(all))
	}
	return err
}

// do lets things happen to the league, so many in a change.
func (d *decade) do(all ...book.Input) {
	for some := range slices.Chunk(all, 2000) {
		if err := d.l.act(context.Background(), d.id, "office", "", store.Change{}, func(t *leagueTurn) error {
			for _, in := range some {
				if err := t.Do(in); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			d.Fatal(err)
		}
	}
}

// season plays a season to its end; of the last the results of one day are left to be final.
func (d *decade) season(n int) {
	d.clock.now = time.Date(2027+n, 1, 2, 9, 0, 0, 0, time.UTC)
	if err := d.l.act(context.Background(), d.id, "secretary", "", store.Change{}, func(t *leagueTurn) error { return t.announce() }); err != nil {
		d.Fatal(err)
	}
	entries := []book.Input{book.Opened{}}
	for i := range sizeMembers {
		entries = append(entries, book.Entered{Member: fmt.Sprintf("M-%04d", i+1), Start: 1500_00})
	}
	d.do(append(entries, book.Closed{})...)
	drawn, err := d.book().Draw()
	if err != nil {
		d.Fatal(err)
	}
	d.do(drawn)
	for {
		due := d.book().Due()
		if len(due) == 0 {
			break
		}
		var begun, results []book.Input
		for i, p := range due {
			begun = append(begun, book.Playing{Made: season.Made{Division: d.book().Season.Divisions[p.Division].ID, Pairing: p.Pairing, Games: []string{p.Games[0].ID}}, Umpire: "gm@club.example"})
			results = append(results, book.Resulted{Resulted: season.Resulted{Game: p.Games[0].ID, Link: season.Link{Number: 40, Hash: hex.EncodeToString(fmt.Appendf(nil, "%032d", i))}, Result: outcomeFor(d.chance.IntN(2) == 0)}})
		}
		d.do(begun...)
		d.clock.now = d.clock.now.AddDate(0, 0, 40)
		d.do(results...)
		d.clock.now = d.clock.now.AddDate(0, 0, 15)
		games, _ := d.book().Season.Ripe(d.clock.now)
		if n == decadeSeasons-1 && d.book().Season.Open() == 0 {
			games, d.some = games[200:], games[:200]
		}
		d.do(book.Final{Final: season.Final{Games: games}})
	}
	if n < decadeSeasons-1 {
		d.do(book.Settled{}, book.Ended{Seed: d.book().Seed.String()})
	}
}

// outcomeFor is a game that was won by its first side, or by the other.
func outcomeFor(first bool) season.Outcome {
	places := []table.Place{table.Won, table.Lost}
	if !first {
		slices.Reverse(places)
	}
	return season.Outcome{Kind: table.Played, Places: places}
}

// heap is what is in memory and in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
