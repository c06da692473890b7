package ruling

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/past"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/orders"
)

// A toyGame is a game of lots at which rulings are made, and what is committed of it.
type toyGame struct {
	*testing.T
	*game.Turn
	entries     []chain.Entry
	checkpoints map[uint64][]byte
	answers     map[engine.Side][]byte
	drawn       uint64
}

func (k *toyGame) EntryAt(seq uint64) (chain.Entry, error) {
	if i := slices.IndexFunc(k.entries, func(e chain.Entry) bool { return e.Seq == seq }); i >= 0 {
		return k.entries[i], nil
	}
	return chain.Entry{}, fmt.Errorf("there is no entry %d", seq)
}

func (k *toyGame) AnswerOf(side engine.Side) ([]byte, error) { return k.answers[side], nil }

func (k *toyGame) EntriesFrom(seq uint64) ([]chain.Entry, error) {
	return slices.DeleteFunc(slices.Clone(k.entries), func(e chain.Entry) bool { return e.Seq < seq }), nil
}

func (k *toyGame) CheckpointAt(seq uint64) ([]byte, error) { return k.checkpoints[seq], nil }

func (k *toyGame) PageOf(engine.Side, uint64) (*past.Page, error) { return nil, nil }

func (k *toyGame) PagesOf(engine.Side) ([]past.Page, error) {
	return nil, errors.New("nobody reads pages")
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// begun is a game of five rounds that has just begun.
func begun(t *testing.T) *toyGame { return begunBy(t, enginetest.New(), "two") }

func begunBy(t *testing.T, rules engine.Ruleset, scenario string) *toyGame {
	t.Helper()
	position, err := rules.New(engine.Setup{Scenario: scenario, Options: map[string]string{"rounds": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	g := &game.State{ID: "lot-1", System: "lots", Phase: game.Running, Created: noon, Seed: make([]byte, 32), Spelling: log.Words, Scheme: log.Scheme,
		Options: map[string]string{"rounds": "5"}, GM: log.Person{Address: "gm@club.example"},
		Timing: timing.Timing{Usual: timing.Rule{Usual: 24 * time.Hour, Grace: time.Hour, Early: true}}}
	for _, side := range position.Sides() {
		g.Seats = append(g.Seats, &game.Seat{Side: side, Person: log.Person{Address: string(side) + "@play.example"}})
	}
	k := &toyGame{T: t, checkpoints: map[uint64][]byte{}, answers: map[engine.Side][]byte{}}
	k.Turn = &game.Turn{Loaded: &game.Loaded{Game: g, Rules: rules, Position: position, Views: map[engine.Side]engine.View{}}, Around: k.around()}
	if err := k.Log(log.Entry{Kind: log.KindSetup, By: log.ByGM, Data: log.Made{Commitment: log.Commitment(g.Seed)}}); err != nil {
		t.Fatal(err)
	}
	k.does(game.Begun{})
	return k
}

// around is what a turn of the game is given; what is drawn is never the same.
func (k *toyGame) around() game.Around {
	return game.Around{Now: noon, ReadUpTo: noon, Past: k, Draw: func(b []byte) error {
		clear(b)
		k.drawn++
		binary.BigEndian.PutUint64(b, k.drawn)
		return nil
	}}
}

// does lets something happen, and commits it.
func (k *toyGame) does(in game.Input) {
	k.Helper()
	if err := k.Do(in); err != nil {
		k.Fatal(err)
	}
	k.commit()
}

// commit keeps what is new, and begins another turn.
func (k *toyGame) commit() {
	k.Helper()
	k.entries = append(k.entries, k.Entries...)
	for _, c := range k.Checkpoints {
		packed, err := c.Pack()
		if err != nil {
			k.Fatal(err)
		}
		k.checkpoints[c.Seq] = packed
	}
	for side, file := range k.Answers {
		k.answers[side] = file
	}
	k.Turn = &game.Turn{Loaded: k.Loaded, Around: k.around()}
}

// answer gives the answer of a side, at what it owes.
func (k *toyGame) answer(side engine.Side, text string) {
	k.Helper()
	s := k.Game.Seat(side)
	doc, problems := orders.Parse("orders: "+text, nil)
	if len(problems) > 0 {
		k.Fatal(problems)
	}
	answer, problems := k.Rules.Read(k.View(side), s.Owes.Decision, doc)
	if len(problems) > 0 {
		k.Fatal(problems)
	}
	k.does(game.Answered{File: game.File{Side: side, Taken: log.Taken{SeatStop: s.Owes.Stop, File: doc.Source, Final: true}}, Text: doc.Source, Sent: noon, Answer: answer})
}

// stops resolves so many stops, with the first unit of each side that is asked.
func (k *toyGame) stops(n int) {
	k.Helper()
	for range n {
		for _, s := range k.Game.Seats {
			if s.Owes != nil && s.Owes.Answer == nil {
				k.answer(s.Side, fmt.Sprintf("{%s: %s}", s.Owes.Decision.Kind, k.View(s.Side).(*enginetest.View).Own[0].ID))
			}
		}
		k.does(game.Settled{})
	}
}

// resolved is how the stop of a number was resolved last, and by which entry.
func (k *toyGame) resolved(stop int) (uint64, log.Resolved) {
	k.Helper()
	branch, err := past.Of(k.Turn, k).Branch()
	if err != nil {
		k.Fatal(err)
	}
	var r log.Resolved
	for _, c := range slices.Backward(branch) {
		if c.Kind != log.KindResolved {
			continue
		}
		if e, err := k.Entry(c.Seq, &r); err != nil {
			k.Fatal(err)
		} else if e.Stop == stop {
			return c.Seq, r
		}
		r = log.Resolved{}
	}
	k.Fatalf("stop %d was not resolved", stop)
	return 0, r
}

// before is the checkpoint at which a stop was open.
func (k *toyGame) before(stop int) uint64 {
	k.Helper()
	seq, _ := k.resolved(stop)
	c, err := past.Of(k.Turn, k).Checkpoint(seq)
	if err != nil {
		k.Fatal(err)
	}
	return c.Parent
}

// run makes changes, one after the other, in a copy of the game. The game stays as it is.
func (k *toyGame) run(changes ...Change) *run {
	k.Helper()
	r, err := k.try(changes...)
	if err != nil {
		k.Fatal(err)
	}
	return r
}

func (k *toyGame) try(changes ...Change) (*run, error) {
	k.Helper()
	before, err := json.Marshal(k.Game)
	if err != nil {
		k.Fatal(err)
	}
	r := &run{turn: k.Fork()}
	r.past = past.Of(r.turn, k)
	failed := r.all(changes)
	if after, err := json.Marshal(k.Game); err != nil || string(after) != string(before) {
		k.Errorf("%T has changed the game:\n%s\n%s", changes, before, after)
	}
	return r, failed
}

// text is a position as it is kept.
func text(t testing.TB, p engine.Position) string {
	t.Helper()
	data, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// refusal is why something is refused; "" if it is not.
func refusal(err error) string {
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return refused.Why.Code
	}
	return ""
}
