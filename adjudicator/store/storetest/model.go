package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
)

// testModel compares a store with plain maps, also after the store was opened again.
func testModel(t *testing.T, open Opener) {
	rapid.Check(t, func(rt *rapid.T) {
		folder, err := os.MkdirTemp("", "store")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(folder)
		m := &model{open: open, folder: folder, games: map[string]string{}, answers: map[string]string{}, values: map[string]string{},
			logs: map[string][]chain.Entry{}, letters: map[uint64]store.Outgoing{}, wakes: map[string]time.Time{}, marks: map[[32]byte]string{}, joined: map[[2]string]bool{}, tags: map[string][]string{}}
		if m.s, err = open(folder, true); err != nil {
			rt.Fatal(err)
		}
		defer func() { m.s.Close() }()
		rt.Repeat(map[string]func(*rapid.T){
			"record": m.record, "answer": m.answer, "log": m.log, "nothing": m.nothing, "queue": m.queue, "letter": m.letter, "value": m.value,
			"wake": m.wake, "mark": m.mark, "join": m.join, "reopen": m.reopen, "tag": m.tag, "": m.check,
		})
	})
}

// A model is what a store should hold.
type model struct {
	open   Opener
	folder string
	s      store.Store

	games, answers, values map[string]string
	logs                   map[string][]chain.Entry
	letters                map[uint64]store.Outgoing
	wakes                  map[string]time.Time
	marks                  map[[32]byte]string
	joined                 map[[2]string]bool
	tags                   map[string][]string // of games; none: the record was committed without
}

var (
	someGame = rapid.SampledFrom([]string{"a", "ab", "a-b", "b", "lang-ny-7"})
	someText = rapid.StringN(0, 20, 60)
	someTag  = rapid.SampledFrom([]string{"a", "a 1", "a 2", "a 2 x", "b", "ß\x01"})
	someTags = rapid.Custom(func(t *rapid.T) []string {
		if rapid.Bool().Draw(t, "none") {
			return nil // not the same as no tag
		}
		return append([]string{}, rapid.SliceOfN(someTag, 0, 4).Draw(t, "tags")...)
	})
	someAddress = rapid.SampledFrom([]string{"x@a", "x@ab", "y@a"})
	someTime    = rapid.Custom(func(t *rapid.T) time.Time { return time.Unix(int64(rapid.IntRange(1, 30).Draw(t, "at")), 0).UTC() })
)

func (m *model) commit(rt *rapid.T, c store.Change) {
	if err := m.s.Commit(context.Background(), c); err != nil {
		rt.Fatal(err)
	}
}

// of is a change of a game as the model has it.
func (m *model) of(game string) store.Change {
	c := store.Change{Game: game}
	if log := m.logs[game]; len(log) > 0 {
		c.After = log[len(log)-1].Link
	}
	if record, ok := m.games[game]; ok {
		c.Was = store.VersionOf([]byte(record))
	}
	return c
}

func (m *model) record(rt *rapid.T) {
	g, v := someGame.Draw(rt, "game"), someText.Draw(rt, "text")
	c := m.of(g)
	c.Record, c.Snapshot, c.Tags = append([]byte{}, v...), []byte(v+"!"), someTags.Draw(rt, "tags")
	m.commit(rt, c)
	m.games[g], m.tags[g] = v, c.Tags
}

// tag gives a game other tags, and leaves its record as it is.
func (m *model) tag(rt *rapid.T) {
	g, tags := someGame.Draw(rt, "game"), someTags.Draw(rt, "tags")
	if _, ok := m.games[g]; !ok || tags == nil {
		return
	}
	c := m.of(g)
	c.Tags = tags
	m.commit(rt, c)
	m.tags[g] = tags
}

func (m *model) answer(rt *rapid.T) {
	g, side, v := someGame.Draw(rt, "game"), someText.Draw(rt, "side"), someText.Draw(rt, "text")
	c := m.of(g)
	if rapid.Bool().Draw(rt, "drop") {
		delete(m.answers, g+"\x00"+side)
		c.Answers = map[string][]byte{side: nil}
	} else {
		m.answers[g+"\x00"+side] = v
		c.Answers = map[string][]byte{side: append([]byte{}, v...)}
	}
	m.commit(rt, c)
}

func (m *model) log(rt *rapid.T) {
	g, n := someGame.Draw(rt, "game"), rapid.IntRange(1, 3).Draw(rt, "entries")
	c, last := m.of(g), m.of(g).After
	for range n {
		e := chain.Follow(last, chain.Salt{7}, []byte(someText.Draw(rt, "text")), nil)
		c.Entries, last = append(c.Entries, e), e.Link
	}
	m.commit(rt, c)
	m.logs[g] = append(m.logs[g], c.Entries...)
}

func (m *model) nothing(rt *rapid.T) {
	c := m.of(someGame.Draw(rt, "game"))
	c.Record = []byte("lost")
	c.Entries = []chain.Entry{chain.Follow(c.After, chain.Salt{}, nil, nil)}
	c.PutValue("lost", store.Value{Data: []byte("lost"), Was: store.VersionOf([]byte("another"))})
	if err := m.s.Commit(context.Background(), c); !errors.Is(err, store.ErrOutOfStep) {
		rt.Fatal(err)
	}
}

func (m *model) queue(rt *rapid.T) {
	id, err := m.s.Reserve(context.Background(), rapid.IntRange(1, 3).Draw(rt, "numbers"))
	if _, taken := m.letters[id]; err != nil || taken {
		rt.Fatalf("letter %d twice, %v", id, err)
	}
	o := store.Outgoing{ID: id, Due: someTime.Draw(rt, "due"), Body: []byte(someText.Draw(rt, "text"))}
	m.commit(rt, store.Change{Outgoing: []store.Outgoing{o}})
	m.letters[id] = o
}

func (m *model) letter(rt *rapid.T) {
	if len(m.letters) == 0 {
		m.queue(rt)
	}
	id := rapid.SampledFrom(slices.Sorted(maps.Keys(m.letters))).Draw(rt, "letter")
	o := store.Outgoing{ID: id, Was: m.letters[id].Version(), Body: []byte(someText.Draw(rt, "text"))}
	if rapid.Bool().Draw(rt, "again") {
		o.Due = someTime.Draw(rt, "at")
	}
	m.commit(rt, store.Change{Outgoing: []store.Outgoing{o}})
	m.letters[id] = o
}

func (m *model) value(rt *rapid.T) {
	name, v := "value "+someGame.Draw(rt, "name"), someText.Draw(rt, "text")
	n := store.Value{Data: append([]byte{}, v...)}
	if was, ok := m.values[name]; ok {
		n.Was = store.VersionOf([]byte(was))
	}
	m.values[name] = v
	if rapid.Bool().Draw(rt, "drop") {
		n.Data = nil
		delete(m.values, name)
	}
	m.commit(rt, store.Change{Values: map[string]store.Value{name: n}})
}

func (m *model) wake(rt *rapid.T) {
	g := someGame.Draw(rt, "game")
	if rapid.Bool().Draw(rt, "never") {
		delete(m.wakes, g)
	} else {
		m.wakes[g] = someTime.Draw(rt, "at")
	}
	m.commit(rt, store.Change{Wake: map[string]time.Time{g: m.wakes[g]}})
}

func (m *model) mark(rt *rapid.T) {
	v := someText.Draw(rt, "text")
	d := sha256.Sum256([]byte(v))
	err := m.s.Commit(context.Background(), store.Change{Mark: &store.Mark{Digest: d, Result: []byte(v)}})
	if _, taken := m.marks[d]; taken != errors.Is(err, store.ErrTaken) || !taken && err != nil {
		rt.Fatalf("marked before: %v, %v", taken, err)
	}
	m.marks[d] = v
}

func (m *model) join(rt *rapid.T) {
	a, g := someAddress.Draw(rt, "address"), someGame.Draw(rt, "game")
	c := m.of(g)
	if m.joined[[2]string{a, g}] {
		delete(m.joined, [2]string{a, g})
		c.Leave = []string{a}
	} else {
		m.joined[[2]string{a, g}] = true
		c.Join = []string{a}
	}
	m.commit(rt, c)
}

func (m *model) reopen(rt *rapid.T) {
	if err := m.s.Close(); err != nil {
		rt.Fatal(err)
	}
	var err error
	if m.s, err = m.open(m.folder, true); err != nil {
		rt.Fatal(err)
	}
}

func (m *model) check(rt *rapid.T) {
	err := m.s.Read(context.Background(), func(r store.Reader) error {
		m.checkGames(rt, r)
		m.checkTags(rt, r)
		for d, want := range m.marks {
			if result, taken := r.Marked(d); !taken || string(result) != want {
				rt.Fatalf("mark %q is %q", want, result)
			}
		}
		got := map[string]string{}
		if err := r.Values("value ", func(name string, data []byte) error { got[name] = string(data); return nil }); err != nil || !maps.Equal(got, m.values) {
			rt.Fatalf("values %q, want %q: %v", got, m.values, err)
		}
		for _, by := range []int64{0, 5, 15, 40} {
			m.checkDue(rt, r, by)
		}
		for _, a := range []string{"x@a", "x@ab", "y@a"} {
			var want []string
			for pair := range m.joined {
				if pair[0] == a {
					want = append(want, pair[1])
				}
			}
			slices.Sort(want)
			if got := r.GamesOf(a, 100); !slices.Equal(got, want) {
				rt.Fatalf("games of %s: %v, want %v", a, got, want)
			}
		}
		return nil
	})
	if err != nil {
		rt.Fatal(err)
	}
}

func (m *model) checkGames(rt *rapid.T, r store.Reader) {
	n := 0
	if err := r.Games(func(g string, record []byte) error {
		n++
		if string(record) != m.games[g] || string(r.Snapshot(g)) != m.games[g]+"!" {
			rt.Fatalf("game %s is %q", g, record)
		}
		return nil
	}); err != nil || n != len(m.games) {
		rt.Fatalf("%d games, want %d: %v", n, len(m.games), err)
	}
	for key, want := range m.answers {
		g, side, _ := strings.Cut(key, "\x00")
		if got := r.Answer(g, side); string(got) != want {
			rt.Fatalf("answer %q is %q", key, got)
		}
	}
	for g, want := range m.logs {
		if err := store.Verify(r, g); err != nil {
			rt.Fatal(err)
		}
		n := 0
		err := r.Entries(g, 0, func(chain.Entry) error { n++; return nil })
		if err != nil || n != len(want) || r.Last(g) != want[len(want)-1].Link {
			rt.Fatalf("log of %s has %d entries, %v", g, n, err)
		}
	}
}

// checkDue compares what is due by a time, letters and games, in its order.
func (m *model) checkDue(rt *rapid.T, r store.Reader, by int64) {
	var letters, games []string
	for id, o := range m.letters {
		if got, ok := r.Outgoing(id); !ok || string(got.Body) != string(o.Body) || !got.Due.Equal(o.Due) {
			rt.Fatalf("letter %d is %+v", id, got)
		}
		if !o.Due.IsZero() && o.Due.Unix() <= by {
			letters = append(letters, fmt.Sprintf("%02d/%06d", o.Due.Unix(), id))
		}
	}
	slices.Sort(letters)
	var got []string
	for _, id := range r.Due(time.Unix(by, 0), 1000) {
		got = append(got, fmt.Sprintf("%02d/%06d", m.letters[id].Due.Unix(), id))
	}
	if !slices.Equal(got, letters) {
		rt.Fatalf("due by %d: %v, want %v", by, got, letters)
	}
	for g, at := range m.wakes {
		if at.Unix() <= by {
			games = append(games, fmt.Sprintf("%02d/%s", at.Unix(), g))
		}
	}
	slices.Sort(games)
	got = nil
	for _, g := range r.Waking(time.Unix(by, 0), 1000) {
		got = append(got, fmt.Sprintf("%02d/%s", m.wakes[g].Unix(), g))
	}
	if !slices.Equal(got, games) {
		rt.Fatalf("waking by %d: %v, want %v", by, got, games)
	}
}

// checkTags compares what is found by tags, and what by none, with a look at all games.
func (m *model) checkTags(rt *rapid.T, r store.Reader) {
	for _, span := range [][2]string{{"", "\U0010ffff"}, rapid.SampledFrom([][2]string{{"a", "b"}, {"a 2", "a 2 y"}, {"b", "b"}}).Draw(rt, "span")} {
		var want, first, got, gotFirst []string
		var none, gotNone []string
		for g := range m.games {
			tags := slices.Compact(slices.Sorted(slices.Values(m.tags[g])))
			if m.tags[g] == nil {
				none = append(none, g)
			}
			for _, tag := range tags {
				if tag >= span[0] && tag < span[1] {
					want = append(want, tag+"\x00"+g)
				}
			}
		}
		slices.Sort(want)
		slices.Sort(none)
		last := ""
		for _, pair := range want {
			if tag, _, _ := strings.Cut(pair, "\x00"); tag != last {
				first, last = append(first, pair), tag
			}
		}
		err := errors.Join(
			r.Tagged(span[0], span[1], func(tag, game string) error { got = append(got, tag+"\x00"+game); return nil }),
			r.Tagged(span[0], span[1], func(tag, game string) error {
				gotFirst = append(gotFirst, tag+"\x00"+game)
				return store.ErrNextTag
			}),
			r.Untagged(func(game string, record []byte) error {
				if string(record) != m.games[game] {
					rt.Fatalf("untagged %s is %q", game, record)
				}
				gotNone = append(gotNone, game)
				return nil
			}))
		if err != nil || !slices.Equal(got, want) || !slices.Equal(gotFirst, first) || !slices.Equal(gotNone, none) {
			rt.Fatalf("tags from %q before %q: %q, want %q; the first of each %q, want %q; none %q, want %q: %v", span[0], span[1], got, want, gotFirst, first, gotNone, none, err)
		}
	}
	all, ok := r.(store.Everything)
	if !ok {
		return
	}
	for g := range m.games {
		tags, tagged := all.TagsOf(g)
		if want := slices.Compact(slices.Sorted(slices.Values(m.tags[g]))); tagged != (m.tags[g] != nil) || !slices.Equal(tags, want) {
			rt.Fatalf("tags of %s: %q, %v; want %q", g, tags, tagged, m.tags[g])
		}
	}
}
