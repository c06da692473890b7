package adjudicator

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/lots"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/adjudicator/log/chain"
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
// 15,000 games run; and the ratings after them. The time of a step is its processor time, on all cores.
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
			began := time.Now()
			if err := l.act(ctx, id, "office", "", store.Change{}, func(t *leagueTurn) error { return t.take(game) }); err != nil {
				b.Fatal(err)
			}
			if n, err := tableOf(l, id, i); err != nil || n < 14 {
				b.Fatal(n, err)
			}
			took += time.Since(began)
		}
		b.ReportMetric(float64((took / sizeResults).Microseconds()), "us/result")
		step("ms/ratings", func() error {
			return l.look(id, func(o *openBook) error { _, err := l.ratings(o); return err })
		})
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

// How much the ten years of BenchmarkDecadeOfALeague hold: a season a year, in which everybody meets everybody
// of his division once.
const (
	decadeSeasons = 10
	decadeMonth   = 30 * 24 * time.Hour
)

// BenchmarkDecadeOfALeague measures the ratings of a league of 10,000 members over ten years, from its log in
// the store: 666,000 games in 700 divisions, whose sides are told apart. The games themselves are not
// played; the league's log is written as the office writes it. It measures the processor time of reading the
// league after a start, of its first ratings, and of its ratings after a further result.
func BenchmarkDecadeOfALeague(b *testing.B) {
	for range b.N {
		h := newTestOffice(b, func(h *testOffice) { h.opt.JoinByLetter = true })
		h.spoilt = true
		id, err := h.office.Secretary().NewLeague(context.Background(), sizeLeague(), lotsFiles)
		if err != nil {
			b.Fatal(err)
		}
		l := leagues{h.office}
		w := &decadeWriter{testOffice: h, id: id, now: h.clock.Now(), dice: rand.New(rand.NewPCG(1, 2))}
		if err := l.look(id, func(o *openBook) error { w.end, w.written = o.end, o.end; return nil }); err != nil {
			b.Fatal(err)
		}
		w.book = w.again()
		for n := range decadeSeasons {
			w.season(n + 1)
		}
		w.flush()
		h.clock.move(w.now.Sub(h.clock.Now()))
		step := func(what string) {
			b.Helper()
			began := workDone()
			if err := l.look(id, func(o *openBook) error {
				if what == "ms/read" {
					return nil
				}
				all, err := l.ratings(o)
				if err == nil && (len(all) != 1 || len(all[0].Games) < 600_000) {
					err = fmt.Errorf("%d systems are rated", len(all))
				}
				return err
			}); err != nil {
				b.Fatal(what, err)
			}
			b.ReportMetric(float64((workDone() - began).Milliseconds()), what)
		}
		w.book = nil
		step("ms/read")
		step("ms/first-ratings")
		if err := l.look(id, func(o *openBook) error { o.rates.known = false; return nil }); err != nil {
			b.Fatal(err)
		}
		step("ms/ratings")
		b.ReportMetric(float64(w.games), "games")
		b.ReportMetric(float64(w.entries), "entries")
	}
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

// A decadeWriter writes the log of a league, a season a year.
type decadeWriter struct {
	*testOffice
	id             string
	book           *book.Book
	end, written   chain.Link // of the log; of what of it is in the store
	now            time.Time
	dice           *rand.Rand
	batch          []chain.Entry
	games, entries int
}

// again makes the book from the log as it stands.
func (w *decadeWriter) again() (b *book.Book) {
	w.Helper()
	if err := w.office.read(func(tx store.Reader) error {
		entries, err := entriesOf(tx, leaguePrefix+w.id)
		if err == nil {
			b, err = book.Replay(entries)
		}
		return err
	}); err != nil {
		w.Fatal(err)
	}
	return b
}

func (w *decadeWriter) do(in book.Input) {
	w.Helper()
	e, err := w.book.Do(book.Around{Now: w.now, After: w.end, By: "office", Draw: func(b []byte) error { clear(b); return nil }}, in)
	if err != nil {
		w.Fatalf("%T: %v", in, err)
	}
	w.batch, w.end = append(w.batch, e), e.Link
	if w.entries++; len(w.batch) == 5000 {
		w.flush()
	}
}

func (w *decadeWriter) flush() {
	w.Helper()
	if err := w.store.Commit(context.Background(), store.Change{Game: leaguePrefix + w.id, After: w.written, Entries: w.batch}); err != nil {
		w.Fatal(err)
	}
	w.batch, w.written = nil, w.end
}

// season plays a whole season: in each of twelve months games begin, end, and are final.
func (w *decadeWriter) season(number int) {
	w.Helper()
	seed := lots.Seed{byte(number)}
	plan := season.Plan{League: w.id, Season: fmt.Sprint(number), MostAtOnce: 99, Final: 7 * 24 * time.Hour}
	var systems []string
	for i := range sizeDivisions {
		size := 14
		if i < 100 {
			size = 16
		}
		plan.Divisions = append(plan.Divisions, season.DivisionPlan{ID: fmt.Sprintf("d%d", i), Size: size,
			Table: table.Division{Form: table.RoundRobin, Pairing: table.Single, Points: table.Usual}})
		systems = append(systems, "lots")
	}
	w.do(book.Announced{Plan: plan, Systems: systems, Commitment: seed.Commitment(), Seed: seed.String()})
	w.do(book.Opened{})
	for i := range sizeMembers {
		w.do(book.Entered{Member: fmt.Sprintf("M-%05d", i), Start: 1500_00})
	}
	w.do(book.Closed{})
	drawn, err := w.book.Draw()
	if err != nil {
		w.Fatal(err)
	}
	w.do(drawn)
	due := w.book.Due()
	w.dice.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
	for month := range 12 {
		var over []string
		for _, p := range due[month*len(due)/12 : (month+1)*len(due)/12] {
			id := p.Games[0].ID
			w.games++
			w.do(book.Playing{Made: season.Made{Division: w.book.Season.Divisions[p.Division].ID, Pairing: p.Pairing, Games: []string{id}}, Umpire: "gm@club.example"})
			o := season.Outcome{Kind: table.Played, Places: []table.Place{table.Won, table.Lost}}
			if w.dice.IntN(2) == 0 {
				o.Places[0], o.Places[1] = table.Lost, table.Won
			}
			w.do(book.Resulted{Resulted: season.Resulted{Game: id, Link: season.Link{Number: 300, Hash: hex.EncodeToString(w.end.Hash[:])}, Result: o}})
			over = append(over, id)
		}
		w.now = w.now.Add(decadeMonth)
		for len(over) > 0 { // as many at once as end in an hour or two
			n := min(50, len(over))
			w.do(book.Final{Final: season.Final{Games: over[:n]}})
			over = over[n:]
		}
	}
	w.do(book.Settled{})
	w.do(book.Ended{Seed: seed.String()})
}
