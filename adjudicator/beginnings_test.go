package adjudicator

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"berthier/engine"
)

// beginnings holds offices at which many tests begin, as they were left, by name.
var beginnings sync.Map // string → *place

type place struct {
	sync.Mutex
	left *leftOffice // nil: nobody has played there yet
}

// A leftOffice is an office as it was left: its database, and what else it knows.
type leftOffice struct {
	base  []byte
	rules engine.Ruleset
	opt   Options
	now   time.Time
	sent  []posted
	count int
	seen  map[string]int
}

// begin gives a test its own office, in which everything has happened that play does. Play runs
// once for all tests that give the same name; every test, the first one too, gets a copy whose
// office has just been started. The logs of these copies have the same salts: a test that wants
// two games with different salts plays the second one itself.
func begin(t testing.TB, name string, play func(t testing.TB) *testOffice) *testOffice {
	t.Helper()
	found, _ := beginnings.LoadOrStore(name, new(place))
	at := found.(*place)
	at.Lock()
	defer at.Unlock()
	if at.left == nil {
		h := play(t)
		var b bytes.Buffer
		if _, err := h.store.Backup(&b); err != nil {
			t.Fatal(err)
		}
		at.left = &leftOffice{base: b.Bytes(), rules: h.rules, opt: h.opt, now: h.clock.Now(), sent: h.post.sent, count: h.count, seen: h.seen}
	}
	was := at.left
	return newTestOffice(t, func(h *testOffice) {
		if err := os.WriteFile(h.path, was.base, 0o600); err != nil {
			t.Fatal(err)
		}
		h.clock.now, h.rules, h.opt = was.now, was.rules, was.opt
		h.opt.Clock = h.clock
		h.post.sent, h.count, h.seen = slices.Clone(was.sent), was.count, maps.Clone(was.seen)
	})
}

// TestBegunOfficesAreApart: what a test does in its copy, another does not find in its own.
func TestBegunOfficesAreApart(t *testing.T) {
	one, two := fiveRounds(t), fiveRounds(t)
	if one.path == two.path || !slices.Equal(one.kinds("lot-1"), two.kinds("lot-1")) || len(one.post.sent) != len(two.post.sent) {
		t.Fatal("two copies of an office begin otherwise")
	}
	before, letters := two.kinds("lot-1"), len(two.post.sent)
	one.both()
	one.flush()
	if slices.Equal(one.kinds("lot-1"), before) {
		t.Fatal("nothing has happened")
	}
	for _, h := range []*testOffice{two, fiveRounds(t)} {
		if !slices.Equal(h.kinds("lot-1"), before) || len(h.post.sent) != letters {
			t.Error("what happened in one copy is found in another")
		}
	}
}
