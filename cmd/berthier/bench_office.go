package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

type benchOfficeCommand struct {
	Games   int    `default:"100000" help:"Open games of the office."`
	Few     int    `default:"1000" help:"Games of the small office that is measured beside it."`
	Active  int    `default:"2000" help:"How many of the games are played for the month; in the others nothing happens."`
	Days    int    `default:"30" help:"Days for which they are played. 0: none."`
	Letters int    `default:"1000" help:"How many letters, and how many looks at the clock, are measured in each office."`
	Game    string `default:"napoleon" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Seed    uint64 `default:"1" help:"Seed of the players' answers."`
	Out     string `help:"Folder for the databases; it must not exist yet. By default one is made, and removed at the end." type:"path"`
}

// rounds is in how many turns the two offices are measured, so that what else the machine does meets both.
const rounds = 10

// A toll is what something costs, in processor time.
type toll struct{ letter, look time.Duration }

func (cmd benchOfficeCommand) check() error {
	for _, f := range []struct {
		flag        string
		n, from, to int
	}{{"--games", cmd.Games, 1, 9_999_999}, {"--few", cmd.Few, 1, cmd.Games}, {"--active", cmd.Active, 0, cmd.Games}, {"--days", cmd.Days, 0, 365}, {"--letters", cmd.Letters, rounds, cmd.Few}} {
		if f.n < f.from || f.n > f.to {
			return hinted{fmt.Errorf("%s %d", f.flag, f.n), fmt.Sprintf("give a whole number from %d to %d", f.from, f.to)}
		}
	}
	return nil
}

// Run makes two offices, measures what a letter and a look at the clock cost in each, and plays a month in the large one.
func (cmd benchOfficeCommand) Run(ctx context.Context, c *console) (err error) {
	if err := cmd.check(); err != nil {
		return err
	}
	folder, err := demoFolder(cmd.Out)
	if err != nil {
		return err
	}
	if cmd.Out == "" {
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	}
	b := officeBench{benchOfficeCommand: cmd, out: c.out, progress: newProgress(c.err)}
	defer b.progress.wipe()
	fmt.Fprintf(c.out, "| what | figure |\n|---|---|\n")
	few, err := b.open(ctx, filepath.Join(folder, "few.db"), cmd.Few, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, few.store.Close()) }()
	many, err := b.open(ctx, filepath.Join(folder, "many.db"), cmd.Games, cmd.Active)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.store.Close()) }()
	if err := b.start(ctx, many); err != nil {
		return err
	}
	if err := b.compare(ctx, few, many); err != nil || cmd.Days == 0 {
		return err
	}
	return b.month(ctx, many)
}

// An officeBench is a run.
type officeBench struct {
	benchOfficeCommand
	out      io.Writer
	progress *progress
}

func (b officeBench) line(what, figure string, args ...any) {
	b.progress.wipe()
	fmt.Fprintf(b.out, "| %s | %s |\n", what, fmt.Sprintf(figure, args...))
}

// start closes the office and opens it again, up to the first look at the clock.
func (b officeBench) start(ctx context.Context, h *benchClub) error {
	if err := h.store.Close(); err != nil {
		return err
	}
	h.store, h.office = nil, nil
	runtime.GC()
	begun, before := time.Now(), worked()
	if err := h.begin(ctx); err != nil {
		return err
	}
	if err := h.look(ctx); err != nil {
		return err
	}
	took, cpu := time.Since(begun), worked()-before
	info, err := os.Stat(h.path)
	if err != nil {
		return err
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.line(fmt.Sprintf("start with %d open games, up to the first look at the clock", b.Games), "%.2f s, %.2f s of processor time", took.Seconds(), cpu.Seconds())
	b.line("file; memory in use besides what is mapped of it", "%.0f MB, %.1f KB a game; %.0f MB", float64(info.Size())/1e6, float64(info.Size())/1e3/float64(b.Games), float64(m.HeapAlloc)/1e6)
	return nil
}

// compare measures both offices by turns.
func (b officeBench) compare(ctx context.Context, few, many *benchClub) error {
	clubs := []*benchClub{few, many}
	letters := make([][][]byte, len(clubs))
	for i, h := range clubs {
		for n := range b.Letters {
			b.progress.count(n, b.Letters, "letters written")
			// Spread over all games; those that are to be played come first, and are left alone.
			at := h.active + n*((h.games-h.active)/b.Letters)
			letter, err := h.letter(benchSeat{at, 0}, false)
			if err != nil {
				return err
			}
			letters[i] = append(letters[i], letter)
		}
	}
	tolls := make([][]toll, len(clubs))
	share := b.Letters / rounds
	for round := range rounds {
		for k := range clubs {
			i := (k + round) % len(clubs)
			h := clubs[i]
			before := worked()
			for _, raw := range letters[i][round*share : (round+1)*share] {
				if err := h.take(ctx, raw); err != nil {
					return err
				}
			}
			between := worked()
			for range share {
				if err := h.look(ctx); err != nil {
					return err
				}
			}
			tolls[i] = append(tolls[i], toll{(between - before) / time.Duration(share), (worked() - between) / time.Duration(share)})
		}
	}
	middle := func(i int, of func(toll) time.Duration) time.Duration {
		all := make([]time.Duration, 0, rounds)
		for _, t := range tolls[i] {
			all = append(all, of(t))
		}
		slices.Sort(all)
		return (all[(rounds-1)/2] + all[rounds/2]) / 2
	}
	for _, what := range []struct {
		name string
		of   func(toll) time.Duration
	}{{"a letter taken in, judged, committed and answered", func(t toll) time.Duration { return t.letter }}, {"a look at the clock, after the mailbox was read", func(t toll) time.Duration { return t.look }}} {
		a, z := middle(0, what.of), middle(1, what.of)
		b.line(fmt.Sprintf("%s: processor time with %d and with %d games, median of %d turns", what.name, b.Few, b.Games, rounds),
			"%.3f and %.3f ms, ratio %.2f", ms(a), ms(z), float64(z)/float64(max(a, 1)))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// month plays the active games: each hour what has come is taken in, the clock is looked at, and what follows is sent to nobody.
func (b officeBench) month(ctx context.Context, h *benchClub) error {
	m := newBenchMonth(h, b.Seed)
	begun := time.Now()
	for seat := range h.seats() {
		if seat.game < h.active {
			m.told = append(m.told, seat)
		}
	}
	if err := m.plan(); err != nil {
		return err
	}
	for hour := range b.Days * 24 {
		b.progress.count(hour, b.Days*24, fmt.Sprintf("hours played, %d letters", m.taken))
		if err := m.hour(ctx); err != nil {
			return err
		}
	}
	info, err := os.Stat(h.path)
	if err != nil {
		return err
	}
	b.line(fmt.Sprintf("%d days of %d games among %d", b.Days, h.active, h.games), "%d letters taken in, %d refused, %d sent; %.0f s", m.taken, m.refused, h.sent(), time.Since(begun).Seconds())
	b.line("processor time in that: a letter taken in; a look at the clock, with the deadlines that pass; a letter written and sent to nobody, its pictures not drawn", "%.2f; %.2f; %.2f ms",
		ms(m.taking/time.Duration(max(m.taken, 1))), ms(m.looking/time.Duration(b.Days*24*looksAnHour)), ms(m.sending/time.Duration(max(h.sent(), 1))))
	b.line("file afterwards", "%.0f MB", float64(info.Size())/1e6)
	return nil
}
