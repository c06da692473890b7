package past

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders/phrase"
)

// shelf is what is committed of a game, without a store.
type shelf struct {
	entries     []chain.Entry
	checkpoints map[uint64][]byte
	pages       map[engine.Side][]Page
	broken      error
}

func (s *shelf) EntryAt(seq uint64) (chain.Entry, error) {
	for _, e := range s.entries {
		if e.Seq == seq {
			return e, s.broken
		}
	}
	return chain.Entry{}, fmt.Errorf("there is no entry %d", seq)
}

func (s *shelf) AnswerOf(engine.Side) ([]byte, error) { return nil, errors.New("there is none") }

func (s *shelf) EntriesFrom(seq uint64) ([]chain.Entry, error) {
	i := slices.IndexFunc(s.entries, func(e chain.Entry) bool { return e.Seq >= seq })
	if i < 0 {
		return nil, s.broken
	}
	return s.entries[i:], s.broken
}

func (s *shelf) CheckpointAt(seq uint64) ([]byte, error) { return s.checkpoints[seq], s.broken }

func (s *shelf) PagesOf(book engine.Side) ([]Page, error) { return s.pages[book], s.broken }
func (s *shelf) PageOf(book engine.Side, n uint64) (*Page, error) {
	if n == 0 || n > uint64(len(s.pages[book])) {
		return nil, s.broken
	}
	return &s.pages[book][n-1], s.broken
}

// A writer makes a past up: it adds entries and positions to a turn, and commits them.
type writer struct {
	*testing.T
	*game.Turn
	shelf *shelf
}

func made(t *testing.T) (*writer, *History) {
	t.Helper()
	rules := enginetest.New()
	position, err := rules.New(engine.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	g := &game.State{ID: "lot-1", Phase: game.Running, Seed: make([]byte, 32), Scheme: log.Scheme, Stop: 1}
	for _, side := range []engine.Side{"red", "blue"} {
		g.Seats = append(g.Seats, &game.Seat{Side: side, Person: log.Person{Address: string(side) + "@play.example"}})
	}
	w := &writer{T: t, shelf: &shelf{checkpoints: map[uint64][]byte{}, pages: map[engine.Side][]Page{}}}
	w.Turn = &game.Turn{
		Loaded: &game.Loaded{Game: g, Rules: rules, Position: position, Views: map[engine.Side]engine.View{}},
		Around: game.Around{Now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), Draw: func(b []byte) error { clear(b); return nil }, Past: w.shelf},
	}
	w.stop(log.Entry{Kind: log.KindSetup, By: "gm", Data: log.Made{Commitment: log.Commitment(g.Seed)}}, nil)
	return w, Of(w.Turn, w.shelf)
}

// stop adds an entry that leads to a position, with the numbers of the last events of the sides.
func (w *writer) stop(e log.Entry, events map[engine.Side]int) uint64 {
	w.Helper()
	if err := w.Log(e); err != nil {
		w.Fatal(err)
	}
	snapshot, err := w.Position.Marshal()
	if err != nil {
		w.Fatal(err)
	}
	m := log.Checkpoint{Seq: w.Last.Seq, Parent: w.Game.Head, Kind: e.Kind, Stop: w.Game.Stop, Events: events, Snapshot: snapshot}
	w.Checkpoints = append(w.Checkpoints, m)
	w.Game.Head = m.Seq
	w.Game.Stop++
	return m.Seq
}

// resolved adds a stop at which red was told so many events, and blue none.
func (w *writer) resolved(told ...string) uint64 {
	w.Helper()
	r := log.Resolved{Orders: strings.Repeat("0", 64), Answers: []log.Given{
		{Decision: engine.Decision{Side: "red", Kind: "bid"}, By: log.ByDefault, SeatStop: w.Game.Stop, Orders: "bid: R-1\n"},
		{Decision: engine.Decision{Side: "blue", Kind: "bid"}, By: "player", SeatStop: w.Game.Stop, Orders: "bid: B-1\n"},
	}}
	red := w.Game.Seat("red")
	for _, text := range told {
		r.Events = append(r.Events, engine.Event{Clause: "LOT-1", Tellings: []engine.Telling{{To: []engine.Side{"red"}, Say: phrase.Say("lot.told", phrase.Literal("what", text))}}})
		red.Events++
	}
	return w.stop(log.Entry{Kind: log.KindResolved, By: "office", Data: r}, map[engine.Side]int{"red": red.Events, "blue": 0})
}

// commit puts what the turn has into the shelf.
func (w *writer) commit() {
	w.Helper()
	w.shelf.entries = append(w.shelf.entries, w.Entries...)
	for _, m := range w.Checkpoints {
		packed, err := m.Pack()
		if err != nil {
			w.Fatal(err)
		}
		w.shelf.checkpoints[m.Seq] = packed
	}
	w.Entries, w.Checkpoints = nil, nil
}

func seqs(branch []log.Checkpoint) (all []uint64) {
	for _, m := range branch {
		all = append(all, m.Seq)
	}
	return all
}

// What is committed and what belongs to the turn at hand are read in the same way. A branch
// holds nothing that was undone.
func TestABranchGoesThroughWhatIsKeptAndWhatIsNot(t *testing.T) {
	w, h := made(t)
	w.resolved("one")
	w.commit()
	undone := w.resolved("two")
	w.commit()
	w.Game.Head, w.Game.Stop = 2, 2 // a game master goes back
	last := w.resolved("three")

	branch, err := h.Branch()
	if err != nil {
		t.Fatal(err)
	}
	if got := seqs(branch); !slices.Equal(got, []uint64{1, 2, last}) {
		t.Errorf("the branch goes through %v", got)
	}
	for _, m := range branch {
		if m.Snapshot != nil {
			t.Errorf("entry %d of the branch has its position", m.Seq)
		}
		whole, err := h.Checkpoint(m.Seq)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole.Snapshot) == 0 {
			t.Errorf("checkpoint %d has no position", m.Seq)
		}
		if _, err := h.Position(m.Seq); err != nil {
			t.Error(err)
		}
	}
	if other, err := h.BranchTo(undone); err != nil || !slices.Equal(seqs(other), []uint64{1, 2, undone}) {
		t.Errorf("the branch that was undone goes through %v (%v)", seqs(other), err)
	}
	n := 0
	if err := h.Each(func(e chain.Entry) error {
		if n++; e.Seq != uint64(n) {
			t.Errorf("entry %d comes as number %d", e.Seq, n)
		}
		return nil
	}); err != nil || n != 4 {
		t.Errorf("%d entries (%v), want 4", n, err)
	}
	for seq, want := range map[uint64]bool{1: true, last: true, last + 1: false} {
		if has, err := h.Has(seq); err != nil || has != want {
			t.Errorf("a position after entry %d: %v (%v)", seq, has, err)
		}
	}
	if _, err := h.Checkpoint(last + 1); err == nil || !strings.Contains(err.Error(), "lot-1") {
		t.Errorf("a checkpoint that nobody kept: %v", err)
	}
}

// Nobody reads another player's answers or what another player was told, and an exchange of
// seats does not change who wrote or was told what.
func TestAPlayerReadsWhatHeWasToldAndNothingElse(t *testing.T) {
	w, h := made(t)
	w.resolved("one", "two")
	w.commit()
	branch, err := h.Branch()
	if err != nil {
		t.Fatal(err)
	}
	told := func(side engine.Side) Told {
		t.Helper()
		all, err := h.Told(w.Game.Seat(side), branch, 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s was told by %d stops (%v)", side, len(all), err)
		}
		return all[0]
	}
	red, blue := told("red"), told("blue")
	if len(red.News) != 2 || red.News[0].Number != 1 || red.News[1].Number != 2 || len(red.Given) != 1 || red.Given[0].Decision.Side != "red" {
		t.Errorf("red was told %+v", red)
	}
	if all := red.All(); len(all) != 3 || all[0].Say.Code != "office.defaulted" {
		t.Errorf("a report to red would tell %+v", all)
	}
	if len(blue.News) != 0 || len(blue.Given) != 1 || blue.Given[0].Decision.Side != "blue" || len(blue.All()) != 0 {
		t.Errorf("blue was told %+v", blue)
	}

	if err := game.Exchange(w.Turn, []engine.Side{"red", "blue"}); err != nil {
		t.Fatal(err)
	}
	if now := told("blue"); len(now.News) != 2 || now.Given[0].Decision.Side != "red" {
		t.Errorf("after the exchange red's player reads %+v", now)
	}
	if now := told("red"); len(now.News) != 0 || now.Given[0].Decision.Side != "blue" {
		t.Errorf("after the exchange blue's player reads %+v", now)
	}
	if _, news, err := h.Event(w.Game.Seat("blue"), 2); err != nil || news.Number != 2 {
		t.Errorf("event 2 of red's player: %+v (%v)", news, err)
	}
	for _, n := range []int{-1, 0, 3} {
		if _, news, err := h.Event(w.Game.Seat("blue"), n); err != nil || news.Say.Code != "" {
			t.Errorf("event %d: %+v (%v)", n, news, err)
		}
	}
	if _, news, _ := h.Event(w.Game.Seat("red"), 1); news.Say.Code != "" {
		t.Error("blue's player has an event of red's")
	}
}

// A ruling may give events other numbers. Where no numbers are kept, as in old databases,
// events have none.
func TestEventsHaveTheNumbersThatAreKeptWithTheirPosition(t *testing.T) {
	w, h := made(t)
	w.resolved("one")
	w.resolved("two", "three")
	for _, c := range []struct {
		name string
		keep func(*log.Checkpoint)
		want []int
	}{
		{"as they were told", func(*log.Checkpoint) {}, []int{2, 3}},
		{"by a ruling", func(m *log.Checkpoint) { m.Numbers = map[engine.Side][]int{"red": {2, 7}} }, []int{2, 7}},
		{"numbers of another course", func(m *log.Checkpoint) { m.Numbers = map[engine.Side][]int{"red": {2}} }, []int{2, 3}},
		{"none", func(m *log.Checkpoint) { m.Events, m.Numbers = nil, nil }, []int{0, 0}},
	} {
		c.keep(&w.Checkpoints[2])
		branch, err := h.Branch()
		if err != nil {
			t.Fatal(err)
		}
		told, err := h.Told(w.Game.Seat("red"), branch, branch[2].Seq)
		if err != nil || len(told) != 1 {
			t.Fatalf("%s: told by %d stops (%v)", c.name, len(told), err)
		}
		var got []int
		for _, n := range told[0].News {
			got = append(got, n.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A disk that lies is an error with the game's name, not a shorter past.
func TestADamagedPastIsAnError(t *testing.T) {
	w, h := made(t)
	w.resolved("one")
	w.commit()
	whole := w.shelf.checkpoints[2]
	for _, damage := range []struct {
		name   string
		packed []byte
	}{{"gone", nil}, {"cut off", whole[:len(whole)/3]}, {"noise", bytes.Repeat([]byte{0x5a}, 40)}} {
		w.shelf.checkpoints[2] = damage.packed
		if _, err := h.Branch(); err == nil || !strings.Contains(err.Error(), "lot-1 after entry 2") {
			t.Errorf("%s: %v", damage.name, err)
		}
		if _, err := h.Checkpoint(2); err == nil {
			t.Errorf("%s: the checkpoint is read", damage.name)
		}
	}
	packed, err := log.Checkpoint{Seq: 2, Parent: 2, Kind: log.KindResolved}.Pack()
	if err != nil {
		t.Fatal(err)
	}
	w.shelf.checkpoints[2] = packed // it comes after itself
	if _, err := h.Branch(); err == nil {
		t.Error("a branch that never ends is read")
	}
	w.shelf.broken = errors.New("the disk is gone")
	for name, read := range map[string]func() error{
		"Each":    func() error { return h.Each(func(chain.Entry) error { return nil }) },
		"Count":   func() error { _, err := h.Count(log.KindPreview); return err },
		"EntryOf": func() error { _, err := h.EntryOf("x"); return err },
		"Refiled": func() error { _, err := h.Refiled(); return err },
		"Made":    func() error { _, err := h.Made(); return err },
		"Has":     func() error { _, err := h.Has(2); return err },
		"Pages":   func() error { _, err := h.Pages(w.Game.Seats[0]); return err },
		"Event":   func() error { _, _, err := h.Event(w.Game.Seats[0], 1); return err },
	} {
		if err := read(); !errors.Is(err, w.shelf.broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The log is asked for what letters led to, and how often something was done; entries of
// the turn at hand count.
func TestTheLogIsSearchedToItsEnd(t *testing.T) {
	w, h := made(t)
	add := func(e log.Entry) {
		t.Helper()
		if err := w.Log(e); err != nil {
			t.Fatal(err)
		}
	}
	add(log.Entry{Kind: log.KindPreview, By: "gm", Data: struct{}{}})
	add(log.Entry{Kind: log.KindRefiled, By: "gm", Letter: "aa", Seat: "red", Data: log.Refiled{}})
	w.commit()
	add(log.Entry{Kind: log.KindPreview, By: "gm", Data: struct{}{}})
	add(log.Entry{Kind: log.KindTaken, By: "gm", Letter: "aa", Seat: "red", Data: log.Taken{}})
	if n, err := h.Count(log.KindPreview); err != nil || n != 2 {
		t.Errorf("%d previews (%v)", n, err)
	}
	if seq, err := h.EntryOf("aa"); err != nil || seq != 3 {
		t.Errorf("the letter led to entry %d (%v)", seq, err)
	}
	if seq, err := h.EntryOf("bb"); err != nil || seq != 0 {
		t.Errorf("a letter that never came led to entry %d (%v)", seq, err)
	}
	if all, err := h.Refiled(); err != nil || len(all) != 1 || !all["aa"] {
		t.Errorf("filed again: %v (%v)", all, err)
	}
	if m, err := h.Made(); err != nil || m.Commitment != log.Commitment(w.Game.Seed) {
		t.Errorf("made of %+v (%v)", m, err)
	}
	last := 0
	if err := h.EachFrom(4, func(e chain.Entry) error { last++; return nil }); err != nil || last != 2 {
		t.Errorf("%d entries from the fourth on (%v)", last, err)
	}
	i, r, err := h.Resolved([]log.Checkpoint{{Seq: 1, Kind: log.KindSetup}}, func(log.Entry, *log.Resolved) bool { return true })
	if i != -1 || r != nil || err != nil {
		t.Errorf("a stop that was not resolved: %d, %v, %v", i, r, err)
	}
}
