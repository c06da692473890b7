package adjudicator

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/engine"
)

// A walk answers what the interlocks ask by a look at the records of all games.
type walk []*game.State

func (h *testOffice) walk() (all walk) {
	h.Helper()
	if err := h.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Games(func(_ string, record []byte) error {
			if g, err := game.Read(record); err == nil && g.Phase == game.Running && g.Paused.IsZero() {
				all = append(all, g)
			}
			return nil
		})
	}); err != nil {
		h.Fatal(err)
	}
	return all
}

func (all walk) masters() (addresses []string) {
	for _, g := range all {
		addresses = append(addresses, g.GM.Address)
	}
	slices.Sort(addresses)
	return slices.Compact(addresses)
}

func (all walk) firstMade(at time.Time) time.Time {
	for _, g := range all {
		if g.Created.Before(at) {
			at = g.Created
		}
	}
	return at
}

func (all walk) atRisk(well time.Time, grace time.Duration) (ids []string) {
	for _, g := range all {
		if slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return game.AtRisk(g, s, well, grace) }) {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

func (all walk) tooSilent(upto time.Time) (held []string) {
	silent, heard, in := 0, 0, 0
	var games []*game.State
	for _, g := range all {
		here := 0
		for _, s := range g.Seats {
			w := s.Owes
			switch {
			case !s.Played(), s.Stands():
			case w != nil && w.Answer == nil && !w.Deadline.IsZero() && !w.Deadline.After(upto):
				if w.Deadline.After(upto.Add(-silenceSpan)) || s.Defaults(upto) {
					here++
				}
			case s.Heard.After(upto.Add(-silenceSpan)), w != nil && w.Answer != nil:
				heard++
			}
		}
		if here > 0 {
			silent, in = silent+here, in+1
			games = append(games, g)
		}
	}
	for _, g := range games {
		share := g.Silence.Percent()
		if share >= 100 || !slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return s.Defaults(upto) && s.Owes.Held == "" }) {
			continue
		}
		quiet, owing := 0, 0
		for _, s := range g.Seats {
			if s.Owes == nil || !s.Played() || s.Stands() {
				continue
			}
			owing++
			if s.Owes.Answer == nil && !s.Owes.Deadline.After(upto) {
				quiet++
			}
		}
		here := quiet >= fewestSilent && quiet*100 > share*owing
		overall := silent >= fewestOverall && in > 1 && silent*100 > share*(silent+heard)
		if here || overall {
			held = append(held, g.ID)
		}
	}
	return held
}

// compare holds what the interlocks find by tags against the walk, at a moment. It tells how many games were found.
func (h *testOffice) compare(t interface{ Fatalf(string, ...any) }, upto time.Time) (found int) {
	all, w := h.walk(), &h.office.watch
	people, err := w.gameMasters()
	if err != nil {
		t.Fatalf("%v", err)
	}
	got := map[string]bool{}
	for _, p := range people {
		got[p.Address] = true
	}
	want := map[string]bool{gmAt: true}
	for _, address := range all.masters() {
		want[address] = true
	}
	if !maps.Equal(got, want) {
		t.Fatalf("game masters %v, want %v", got, want)
	}
	if made, err := w.firstMade(upto); err != nil || !made.Equal(all.firstMade(upto)) {
		t.Fatalf("the first game was made %s, want %s, %v", made, all.firstMade(upto), err)
	}
	risky, err := w.atRisk(upto, nil)
	if want := all.atRisk(upto, h.office.opt.Grace); err != nil || !slices.Equal(risky, want) {
		t.Fatalf("%s: at risk %v, want %v, %v", upto, risky, want, err)
	}
	due, err := w.dueByDefault(upto)
	if err != nil {
		t.Fatalf("%v", err)
	}
	held, err := w.tooSilent(upto, due)
	slices.Sort(held)
	if want := all.tooSilent(upto); err != nil || !slices.Equal(held, want) {
		t.Fatalf("%s: too many are silent in %v, want %v, %v", upto, held, want, err)
	}
	return len(risky) + len(held)
}

var (
	tagBegin = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	anyHour  = rapid.Custom(func(t *rapid.T) time.Time {
		return tagBegin.Add(time.Duration(rapid.IntRange(0, 80).Draw(t, "hour")) * time.Hour)
	})
	anyMoment = rapid.Custom(func(t *rapid.T) time.Time { // among them what lies just beside an hour
		return anyHour.Draw(t, "of").Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "beside")) * time.Microsecond)
	})
	maybe = rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.IntRange(0, 3).Draw(t, "never") == 0 {
			return time.Time{}
		}
		return anyMoment.Draw(t, "moment")
	})
	seldom = rapid.Map(rapid.IntRange(0, 7), func(n int) bool { return n == 0 })
)

// anyOwed is what a seat may owe, also what no game comes to.
func anyOwed(t *rapid.T) *game.Owes {
	if seldom.Draw(t, "nothing") {
		return nil
	}
	o := &game.Owes{Stop: 1, Decision: engine.Decision{Kind: rapid.SampledFrom([]string{"bid", "move"}).Draw(t, "kind")}, Deadline: maybe.Draw(t, "deadline"),
		Passed: seldom.Draw(t, "passed"), Waits: seldom.Draw(t, "waits"), Held: rapid.SampledFrom([]string{"", "", "", heldDown, game.HeldNoMore}).Draw(t, "held")}
	if !o.Deadline.IsZero() && !seldom.Draw(t, "no grace") {
		o.Late = o.Deadline.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "grace")) * time.Hour)
	}
	if seldom.Draw(t, "stands") {
		o.Stands = anyMoment.Draw(t, "stood")
	}
	if rapid.IntRange(0, 2).Draw(t, "answered") == 0 {
		o.Answer = &game.InForce{Sent: tagBegin}
	}
	return o
}

func anyRecord(t *rapid.T, id string) *game.State {
	g := &game.State{ID: id, System: "lots", Phase: game.Running, Created: anyHour.Draw(t, "made"),
		GM: log.Person{Name: "Gina", Address: rapid.SampledFrom([]string{"a@x", "a@x.y", "b@x"}).Draw(t, "gm")}}
	g.Silence.Share = rapid.SampledFrom([]int{0, 1, 10, 30, 50, 99, 100}).Draw(t, "share")
	if seldom.Draw(t, "over") {
		g.Phase = game.Over
	}
	if seldom.Draw(t, "paused") {
		g.Paused = tagBegin
	}
	g.Timing = timing.Timing{Kinds: map[string]timing.Rule{"move": {Grace: time.Duration(rapid.IntRange(0, 9).Draw(t, "hours")) * time.Hour}}}
	for i := range rapid.IntRange(1, 4).Draw(t, "seats") {
		g.Seats = append(g.Seats, &game.Seat{Side: engine.Side([]string{"red", "blue", "old guard", "green"}[i]), Resigned: seldom.Draw(t, "resigned"), Bot: seldom.Draw(t, "bot"),
			Heard: maybe.Draw(t, "heard"), Owes: anyOwed(t)})
	}
	return g
}

// TestInterlocksFindWhatAWalkFinds: after any changes of any games, with tags or as a program of before wrote them, the interlocks
// find by tags what a look at all records would find, at any moment.
func TestInterlocksFindWhatAWalkFinds(t *testing.T) {
	found := 0
	rapid.Check(t, func(rt *rapid.T) {
		h := newTestOffice(t, func(h *testOffice) { h.spoilt = true })
		defer h.store.Close()
		h.opt.Grace = h.office.opt.Grace
		for range rapid.IntRange(1, 12).Draw(rt, "changes") {
			id := fmt.Sprintf("g%d", rapid.IntRange(0, 5).Draw(rt, "game"))
			g := anyRecord(rt, id)
			record, err := json.Marshal(g)
			if err != nil {
				rt.Fatal(err)
			}
			c := store.Change{Game: id, Record: record, Tags: game.Tags(g), Wake: map[string]time.Time{id: g.Wake()}}
			if seldom.Draw(rt, "untagged") {
				c.Tags = nil
			}
			h.behind(c)
			if seldom.Draw(rt, "tagged later") {
				if err := (loop{h.office}).tagGames(t.Context()); err != nil {
					rt.Fatal(err)
				}
			}
		}
		for range 4 {
			found += h.compare(rt, anyMoment.Draw(rt, "upto"))
		}
		if e, err := Examine(h.store, []engine.Ruleset{h.rules}); err != nil || slices.ContainsFunc(e.Faults, func(f string) bool { return strings.Contains(f, "found by") }) {
			rt.Fatalf("%v %v", err, e.Faults)
		}
	})
	if found < 10 {
		t.Errorf("only %d games were found: the test looks at nothing", found)
	}
}

// TestTagsOfAGameThatGoesOn: whatever players, game masters and the clock do, tags say what records say.
func TestTagsOfAGameThatGoesOn(t *testing.T) {
	h := watched(t, twoSides, strings.Replace(twoSides, "lot-1", "lot-2", 1), strings.Replace(strings.Replace(twoSides, "lot-1", "lot-3", 1), "gm@club", "other@club", 1))
	found := 0
	look := func() {
		t.Helper()
		for _, ahead := range []time.Duration{0, 24 * time.Hour, 80 * time.Hour} {
			found += h.compare(t, h.clock.Now().Add(ahead))
		}
		h.tagsFit()
	}
	look()
	h.answerTo("lot-1", "red")
	look()
	h.answerTo("lot-2", "blue")
	if err := h.office.Clerk().Pause(context.Background(), "lot-3", ""); err != nil {
		t.Fatal(err)
	}
	look()
	h.live(73 * time.Hour)
	look()
	h.blind(90 * time.Hour)
	look()
	h.live(100 * time.Hour)
	look()
	h.restart()
	look()
	if found == 0 {
		t.Error("no game was ever found")
	}
}

// tagsFit compares the tags of all games with their records.
func (h *testOffice) tagsFit() {
	h.Helper()
	e := examiner{systems: map[string]engine.Ruleset{}}
	if err := h.store.Read(context.Background(), e.tags); err != nil || len(e.Faults) > 0 {
		h.Errorf("%v %q", err, e.Faults)
	}
}

// TestDoctorComparesTags: a tag too many, and one too few, is a fault that doctor names with its game.
func TestDoctorComparesTags(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.spoilt = true })
	h.newGame(twoSides)
	h.tagsFit()
	tags := game.Tags(h.record("lot-1"))
	h.behind(store.Change{Game: "lot-1", Tags: append([]string{"silent 0"}, tags[1:]...)})
	e, err := Examine(h.store, []engine.Ruleset{h.rules})
	if err != nil || len(e.Faults) != 2 || !strings.Contains(e.Faults[0], `lot-1: it is found by "silent 0"`) || !strings.Contains(e.Faults[1], fmt.Sprintf("lot-1: it is not found by %q", tags[0])) {
		t.Errorf("%v %q", err, e.Faults)
	}
}

// TestOlderRecordsAreTagged: games of a program that knew of no tags are found before they have any, and have them after the next start; one
// that can't be read keeps no other from it.
func TestOlderRecordsAreTagged(t *testing.T) {
	h := watched(t, twoSides, strings.Replace(twoSides, "lot-1", "lot-2", 1))
	record, err := json.Marshal(h.record("lot-1"))
	if err != nil {
		t.Fatal(err)
	}
	h.spoilt = true
	h.behind(store.Change{Game: "broken", Record: []byte("{")})
	h.behind(store.Change{Game: "lot-1", Record: record})
	untagged := func() (ids []string) {
		h.store.Read(t.Context(), func(tx store.Reader) error {
			return tx.Untagged(func(id string, _ []byte) error { ids = append(ids, id); return nil })
		})
		return ids
	}
	later := h.clock.Now().Add(80 * time.Hour)
	if n := h.compare(t, later); n == 0 || !slices.Equal(untagged(), []string{"broken", "lot-1"}) {
		t.Errorf("%d found, without tags %q", n, untagged())
	}
	h.restart()
	if n := h.compare(t, later); n == 0 || !slices.Equal(untagged(), []string{"broken"}) {
		t.Errorf("after the start %d found, without tags %q", n, untagged())
	}
	h.tagsFit()
}

// BenchmarkClock looks at the clock of an office with few games and with many: alone, when games are due by default and the silent are
// counted, when the games at risk after an outage are looked for, and when all game masters are.
func BenchmarkClock(b *testing.B) {
	for _, games := range []int{10, 1000, 10_000} {
		h := crowd(b, games)
		ctx, w := b.Context(), &h.office.watch
		h.read()
		_ = h.office.Tick(ctx) // the broken game stays due
		upto := h.clock.Now()
		due := []*game.State{h.record("lot-0"), h.record("lot-1")}
		for _, g := range due { // two games of which all are silent: others are counted as far as it matters
			for _, s := range g.Seats {
				if s.Owes != nil {
					s.Owes.Deadline, s.Owes.Late = upto.Add(-time.Hour), upto.Add(-time.Hour)
				}
			}
			record, err := json.Marshal(g)
			if err != nil {
				b.Fatal(err)
			}
			h.behind(store.Change{Game: g.ID, Record: record, Tags: game.Tags(g)})
		}
		for _, ask := range []struct {
			name string
			run  func() error
		}{
			{"look", func() error { _ = h.office.Tick(ctx); return nil }},
			{"silent", func() error { _, err := w.tooSilent(upto, due); return err }},
			{"at-risk", func() error { _, err := w.atRisk(upto, nil); return err }},
			{"masters", func() error { _, err := w.gameMasters(); return err }},
			{"walk", func() error { h.walk().tooSilent(upto); return nil }},
		} {
			b.Run(fmt.Sprintf("games=%d/%s", games, ask.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := ask.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
