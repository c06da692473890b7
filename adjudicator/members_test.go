package adjudicator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"berthier/adjudicator/deflate"
	"berthier/adjudicator/game"
	"berthier/adjudicator/leader"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// A memberStore is what a member has of the store that all share. A process that has died writes nothing, and
// one that was deposed is refused.
type memberStore struct {
	store.Store
	all  *togetherOffice
	name string
	run  int64
	died atomic.Bool
	away atomic.Bool // the database, for this member
}

var errAway = errors.New("the database is away")

func (s *memberStore) fence() error {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	switch {
	case s.away.Load():
		return errAway
	case s.died.Load():
		return errDead
	case s.all.runs[s.name] != s.run:
		return store.ErrDeposed
	}
	return nil
}

func (s *memberStore) Commit(ctx context.Context, c store.Change) error {
	if err := s.fence(); err != nil {
		return err
	}
	if s.all.onCommit != nil {
		s.all.onCommit(c)
	}
	return s.Store.Commit(ctx, c)
}

func (s *memberStore) Claim(ctx context.Context, due, until time.Time, n int, of store.LaneSet) ([]store.Outgoing, error) {
	if err := s.fence(); err != nil {
		return nil, err
	}
	letters, err := s.Store.Claim(ctx, due, until, n, of)
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	for _, l := range letters {
		s.all.claimed[l.ID] = s.name
	}
	return letters, err
}

func (s *memberStore) Release(ctx context.Context, ids ...uint64) error {
	if err := s.fence(); err != nil {
		return err
	}
	return s.Store.Release(ctx, ids...)
}

func (s *memberStore) Read(ctx context.Context, f func(store.Reader) error) error {
	if s.died.Load() {
		return errDead
	}
	return s.Store.Read(ctx, f)
}

func (s *memberStore) Ready() error { return s.fence() }

func (s *memberStore) Head(ctx context.Context, id string) (end chain.Link, record store.Version, err error) {
	err = s.Read(ctx, func(r store.Reader) error {
		end, record = r.Last(id), store.VersionOf(r.Game(id))
		return nil
	})
	return end, record, err
}

func (s *memberStore) Epoch() int64 { return s.run }

func (s *memberStore) Depose(ctx context.Context, name string, epoch int64) error {
	if err := s.fence(); err != nil {
		return err
	}
	s.all.depose(name, epoch)
	return nil
}

// depose makes whoever writes under a name begin anew. What it has claimed can be claimed at once.
func (o *togetherOffice) depose(name string, epoch int64) (run int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if epoch != 0 && epoch != o.runs[name] {
		return o.runs[name]
	}
	o.runs[name]++
	for id, by := range o.claimed {
		if by == name {
			o.store.Release(context.Background(), id)
			delete(o.claimed, id)
		}
	}
	return o.runs[name]
}

// A togetherOffice is an office of several members, with its players.
type togetherOffice struct {
	*testOffice
	boxes map[string]*sharedBox

	version string // of the program of members that begin; "": 1

	mu      sync.Mutex
	runs    map[string]int64  // of each name, the only one that may write
	claimed map[uint64]string // letters, by who claimed them last
	members map[string]*officeMember
	sent    []sentBy
	reads   map[string]int // letters taken, by who took them
	chance  *rand.Rand
	falls   bool // a member may die when it has just handed a letter over
	// onSent is told when a letter was handed over. It is set before members begin.
	onSent func(by *officeMember)
	// onCommit is told each change that a member commits. It is set before members begin.
	onCommit func(store.Change)
}

type officeMember struct {
	*Office
	name  string
	store *memberStore
	stop  context.CancelFunc
	ended chan error
	died  time.Time
}

// sentBy is a letter that was handed over.
type sentBy struct {
	by     *officeMember
	to     string
	letter *mail.Letter
	at     time.Time
}

// blind tells whether the member may have died before it could note the letter.
func (s sentBy) blind() bool { return !s.by.died.IsZero() && s.by.died.Sub(s.at) < time.Second }

// A sharedBox is a mailbox that members read.
type sharedBox struct {
	o       *togetherOffice
	mu      sync.Mutex
	letters []mail.Incoming
	come    chan struct{} // closed when a letter comes
	readers map[*officeMember]bool
	shut    atomic.Bool // nobody gets in
	counted int
}

// A viewOfBox is the mailbox as a member reads it.
type viewOfBox struct {
	*sharedBox
	by     *officeMember
	onRead func(context.Context, time.Time)
}

func (v *viewOfBox) OnRead(f func(context.Context, time.Time)) { v.onRead = f }

func (v *viewOfBox) Run(ctx context.Context, take func(context.Context, mail.Incoming) (mail.Folder, error)) error {
	v.mu.Lock()
	for other := range v.readers {
		if other.store.fence() == nil {
			v.o.Errorf("%s and %s read one mailbox", other.name, v.by.name)
		}
	}
	v.readers[v.by] = true
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		delete(v.readers, v.by)
		v.mu.Unlock()
	}()
	for ctx.Err() == nil {
		began := time.Now()
		v.mu.Lock()
		letters, come := slices.Clone(v.letters), v.come
		v.mu.Unlock()
		all := !v.shut.Load()
		for _, in := range letters {
			if !all || ctx.Err() != nil {
				break
			}
			time.Sleep(50 * time.Millisecond) // it is fetched
			if _, err := take(ctx, in); err != nil {
				all = false
				continue
			}
			v.mu.Lock()
			v.letters = slices.DeleteFunc(v.letters, func(l mail.Incoming) bool { return l.UID == in.UID })
			v.mu.Unlock()
			v.o.mu.Lock()
			v.o.reads[v.by.name]++
			v.o.mu.Unlock()
		}
		if all && ctx.Err() == nil {
			v.onRead(ctx, began)
		}
		select {
		case <-ctx.Done():
		case <-come:
		case <-time.After(20 * time.Second):
		}
	}
	return ctx.Err()
}

// put lays a letter into the mailbox.
func (b *sharedBox) put(raw string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counted++
	b.letters = append(b.letters, mail.Incoming{UID: uint32(b.counted), Raw: []byte(raw)})
	close(b.come)
	b.come = make(chan struct{})
}

// Send implements [mail.Sender].
func (m *officeMember) Send(ctx context.Context, _, to string, raw []byte) error {
	o := m.all()
	time.Sleep(200 * time.Millisecond)
	letter, err := mail.Read(raw, mail.Own{})
	if err != nil || ctx.Err() != nil || m.store.died.Load() {
		return errors.Join(err, ctx.Err(), errDead)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sent = append(o.sent, sentBy{m, to, letter, time.Now()})
	if o.onSent != nil {
		o.onSent(m)
	}
	if o.falls && o.chance.IntN(25) == 0 {
		m.dies()
	}
	return nil
}

// dies ends a member without a word.
func (m *officeMember) dies() {
	if m.died.IsZero() {
		m.died = time.Now()
	}
	m.store.died.Store(true)
	m.stop()
}

func (m *officeMember) all() *togetherOffice { return m.store.all }

// bubble runs a test in a bubble of time, in which what packs and unpacks is made before.
func bubble(t *testing.T, f func(t *testing.T)) {
	packed, err := deflate.Bundle([]deflate.Part{{Number: 1, Data: make([]byte, 1000)}, {Number: 2, Data: make([]byte, 1000)}})
	if err == nil {
		_, err = (&deflate.Reader{}).Value(1, packed[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, f)
}

// together opens an office of several members, with games that are under way.
func together(t *testing.T, path string, seed uint64, games int, boxes ...string) *togetherOffice {
	h := newTestOffice(t, func(h *testOffice) { h.path, h.opt.Clock = path, SystemClock{} })
	o := &togetherOffice{testOffice: h, boxes: map[string]*sharedBox{}, runs: map[string]int64{}, claimed: map[uint64]string{}, members: map[string]*officeMember{},
		reads: map[string]int{}, chance: rand.New(rand.NewPCG(seed, 9))}
	for _, name := range boxes {
		o.boxes[name] = &sharedBox{o: o, come: make(chan struct{}), readers: map[*officeMember]bool{}}
	}
	for n := range games {
		h.newGame(strings.NewReplacer("lot-1", o.id(n), "red@", fmt.Sprintf("red%d@", n), "Blue@", fmt.Sprintf("blue%d@", n), "deadline: 3d", "deadline: {usual: 1h}", "[24h, 2h]", "[]", "rounds: 3", "rounds: 20").Replace(twoSides))
	}
	return o
}

func (o *togetherOffice) id(n int) string { return fmt.Sprintf("lot-%d", n+1) }

// begin starts a member.
func (o *togetherOffice) begin(name string) *officeMember {
	o.Helper()
	words, err := catalogue()
	if err != nil {
		o.Fatal(err)
	}
	m := &officeMember{name: name, store: &memberStore{Store: o.store, all: o, name: name, run: o.depose(name, 0)}, ended: make(chan error, 1)}
	opt := o.opt
	opt.Member, opt.Version, opt.Retry = name, cmp.Or(o.version, "1"), 5*time.Second
	if m.Office, err = New(m.store, words, []engine.Ruleset{o.rules}, opt); err != nil {
		o.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	m.stop = stop
	var all []Box
	for _, name := range slices.Sorted(maps.Keys(o.boxes)) {
		all = append(all, Box{name, &viewOfBox{sharedBox: o.boxes[name], by: m}})
	}
	o.members[name] = m
	go func() { m.ended <- m.Run(ctx, m, all...) }()
	return m
}

// kill kills a member, and waits until nothing of it is there any more.
func (o *togetherOffice) kill(name string) {
	m := o.members[name]
	o.mu.Lock()
	m.dies()
	o.mu.Unlock()
	<-m.ended
	m.ended <- nil
}

// revive starts members again that have ended.
func (o *togetherOffice) revive() {
	for name, m := range o.members {
		select {
		case <-m.ended:
			o.begin(name)
		default:
		}
	}
}

// draw draws one of so many numbers; members that send letters draw, too.
func (o *togetherOffice) draw(n int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.chance.IntN(n)
}

// play lets players answer for a while, each some time after he was asked.
func (o *togetherOffice) play(d time.Duration, games int, answered map[string]bool, events func()) {
	o.Helper()
	for until := time.Now().Add(d); time.Now().Before(until); time.Sleep(20 * time.Second) {
		events()
		for n := range games {
			g := o.record(o.id(n))
			for _, s := range g.Seats {
				if s.Owes == nil || s.Owes.Answer != nil {
					continue
				}
				what := fmt.Sprint(g.ID, " ", s.Side, " ", s.Owes.Stop)
				if answered[what] || o.draw(10) > 0 && time.Until(s.Owes.Deadline) > 5*time.Minute {
					continue
				}
				answered[what] = true
				o.answer(g, s)
			}
		}
	}
}

// answer lays the answer of a seat into a mailbox.
func (o *togetherOffice) answer(g *game.State, s *game.Seat) {
	o.Helper()
	kept, err := o.store.Load(context.Background(), g.ID)
	if err != nil {
		o.Fatal(err)
	}
	p, err := o.rules.Load(kept.Snapshot)
	if err != nil {
		o.Fatal(err)
	}
	own := p.View(s.Side).(*enginetest.View).Own
	o.count++
	raw := fmt.Sprintf("From: %s\r\nTo: orders@club.example\r\nSubject: x\r\nMessage-ID: <%d@x>\r\n\r\ngame: %s\r\nside: %s\r\nstop: %d %s\r\nkey: %s\r\norders: {%s: %s}\r\n",
		s.Person.Address, o.count, g.ID, s.Side, s.Owes.Stop, s.Owes.Decision.Kind, key(o.testOffice, g.ID, s.Side), s.Owes.Decision.Kind, own[len(own)/2].ID)
	names := slices.Sorted(maps.Keys(o.boxes))
	o.boxes[names[o.draw(len(names))]].put(raw)
}

// end stops all members in order, and checks what they have done.
func (o *togetherOffice) end(games int) {
	o.Helper()
	o.falls = false
	for range 10 {
		time.Sleep(20 * time.Second)
		o.revive()
	}
	time.Sleep(5 * time.Minute)
	for _, m := range o.members {
		m.stop()
		if err := <-m.ended; err != nil {
			o.Errorf("%s ended: %v", m.name, err)
		}
	}
	for name, b := range o.boxes {
		if len(b.letters) > 0 {
			o.Errorf("%d letters lie in %s", len(b.letters), name)
		}
	}
	o.store.Read(context.Background(), func(r store.Reader) error {
		if due := r.Due(time.Now(), 9); len(due) > 0 {
			o.Errorf("letters %v were not sent", due)
		}
		for n := range games {
			if err := store.Verify(r, o.id(n)); err != nil {
				o.Error(err)
			}
		}
		return nil
	})
	for n := range games {
		for _, s := range o.record(o.id(n)).Seats {
			if s.Missed > 0 {
				o.Errorf("%s of %s, who always answered in time, missed %d deadlines", s.Side, o.id(n), s.Missed)
			}
		}
	}
	o.inOrder()
}

// inOrder checks that letters went twice only where a member died before it could note the first one, and that nobody's
// letters went in another order than that in which they were written.
func (o *togetherOffice) inOrder() {
	o.Helper()
	blind, last := map[string]bool{}, map[string]time.Time{}
	for _, s := range o.sent {
		id := s.letter.MessageID
		before, twice := blind[id]
		if twice && !before {
			o.Errorf("%s got %q twice, the second time from %s (it ended %s) at %s", s.to, s.letter.Subject, s.by.name, s.by.died, s.at)
		}
		blind[id] = s.blind()
		if twice {
			continue
		}
		if s.letter.Date.Before(last[s.to]) {
			o.Errorf("%s got a letter of %s after one of %s", s.to, s.letter.Date, last[s.to])
		}
		last[s.to] = s.letter.Date
	}
}

// TestMembersWorkTogether lets three members play games through two mailboxes: letters are read by one and sent by
// another, and each does a part.
func TestMembersWorkTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		const games = 4
		o := together(t, path, 1, games, "one@club.example", "two@club.example")
		for _, name := range []string{"alpha", "beta", "gamma"} {
			o.begin(name)
		}
		o.play(time.Hour, games, map[string]bool{}, func() {})
		o.end(games)
		by := map[string]int{}
		for _, s := range o.sent {
			by[s.by.name]++
		}
		if len(by) != 3 || len(o.reads) != 2 {
			t.Errorf("letters sent by %v, read by %v", by, o.reads)
		}
		moved := 0
		for n := range games {
			if o.record(o.id(n)).Stop > 3 {
				moved++
			}
		}
		if moved < games {
			t.Errorf("%d of %d games have moved on", moved, games)
		}
		o.store.Close()
	})
}

// TestMembersDie kills members at random, and in the middle of a letter that was handed over and not noted.
func TestMembersDie(t *testing.T) {
	seeds := uint64(1)
	if fullSamples {
		seeds = 3
	}
	for seed := range seeds {
		path := filepath.Join(t.TempDir(), "games.db")
		bubble(t, func(t *testing.T) {
			const games = 4
			o := together(t, path, seed, games, "one@club.example", "two@club.example")
			names := []string{"alpha", "beta", "gamma"}
			for _, name := range names {
				o.begin(name)
			}
			o.mu.Lock()
			o.falls = true
			o.mu.Unlock()
			o.play(time.Hour, games, map[string]bool{}, func() {
				if o.draw(10) == 0 {
					o.kill(names[o.draw(3)])
				}
				if o.draw(3) == 0 {
					o.revive()
				}
			})
			o.end(games)
			blind := 0
			for _, s := range o.sent {
				if s.blind() {
					blind++
				}
			}
			if len(o.sent) < 50 || blind == 0 {
				t.Errorf("%d letters went out, %d of them in the moment of a death", len(o.sent), blind)
			}
			o.store.Close()
		})
	}
}

// TestOneMailboxShut keeps everybody out of one of two mailboxes: no deadline passes in any game, though the other
// mailbox is read, until both can be read.
func TestOneMailboxShut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 2, "one@club.example", "two@club.example")
		o.begin("alpha")
		o.begin("beta")
		time.Sleep(time.Minute)
		o.boxes["two@club.example"].shut.Store(true)
		g := o.record("lot-1")
		o.answer(g, g.Seat("red"))
		time.Sleep(80 * time.Minute)
		if s := o.record("lot-1").Seat("blue"); s.Missed > 0 {
			t.Error("a deadline passed, and a mailbox was not read")
		}
		o.boxes["two@club.example"].shut.Store(false)
		held := 6 * time.Hour
		if raceEnabled {
			held = 20 * time.Minute // what runs side by side has met; the run without the detector waits on
		}
		time.Sleep(held)
		if s := o.record("lot-1").Seat("blue"); s.Missed > 0 {
			t.Error("a deadline passed while the interlock for a mailbox holds it back")
		}
		for _, m := range o.members {
			m.stop()
			if err := <-m.ended; err != nil {
				t.Error(err)
			}
		}
		o.store.Close()
	})
}

// skewed is a clock that is wrong.
type skewed struct{ by *atomic.Int64 }

func (c skewed) Now() time.Time { return time.Now().Add(time.Duration(c.by.Load())) }

// TestAMemberWithAWrongClock puts the leader's clock an hour ahead: no deadline passes early, since the other member's
// clock has not reached it. When it is right again, they pass.
func TestAMemberWithAWrongClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 2, "one@club.example")
		var wrong atomic.Int64
		o.opt.Clock = skewed{&wrong}
		alpha := o.begin("alpha")
		time.Sleep(10 * time.Second)
		o.opt.Clock = SystemClock{}
		beta := o.begin("beta")
		time.Sleep(time.Minute)
		if !alpha.Seat.Leads() {
			t.Fatal("alpha does not lead")
		}
		wrong.Store(int64(time.Hour - time.Minute)) // within the outage it is taken for time that has passed
		time.Sleep(10 * time.Minute)
		if s := o.record("lot-1").Seat("red"); s.Missed > 0 || s.Owes.Stop != 1 {
			t.Error("a deadline passed an hour early")
		}
		ahead := slices.ContainsFunc(beta.Seat.Members(), func(m leader.Member) bool { return m.Name == "alpha" && m.Ahead > leader.MostSkew })
		if !ahead {
			t.Errorf("nobody sees that the clock is wrong: %+v", beta.Seat.Members())
		}
		for _, m := range o.members {
			m.stop()
			<-m.ended
		}
		o.store.Close()
	})
}

// TestWhatWentOutIsNotedAtTheEnd takes the database away from a member in the moment in which it has handed a letter over, until
// it gives up what it has. Before anybody else has its letters the database is back: what went out is noted, and does not go out
// again.
func TestWhatWentOutIsNotedAtTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 1, "one@club.example")
		o.onSent = func(by *officeMember) { by.store.away.Store(true) }
		alpha := o.begin("alpha")
		for !alpha.store.away.Load() {
			time.Sleep(time.Second)
		}
		o.onSent = nil
		<-alpha.Seat.Changed()
		time.Sleep(500 * time.Millisecond)
		alpha.store.away.Store(false)
		if err := <-alpha.ended; !errors.Is(err, leader.ErrLost) {
			t.Errorf("who could not say that it lives ends with %v", err)
		}
		if took := time.Since(o.sent[0].at); took > leader.DeadAfter {
			t.Errorf("it ends only after %s, when others may have its letters", took)
		}
		alpha.ended <- nil
		o.begin("beta")
		o.end(1)
		if len(o.sent) < 2 {
			t.Errorf("%d letters went out", len(o.sent))
		}
		o.store.Close()
	})
}

// TestASleeperWritesNothing lets a member fall asleep with a letter in its hands, so long that others have its shares, and
// wakes it: it sends nothing more, and writes nothing.
func TestASleeperWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 6, "one@club.example")
		o.begin("alpha")
		beta := o.begin("beta")
		time.Sleep(time.Minute)
		turn := beta.Seat.Begin()
		if turn.Games().Len() != 32 {
			t.Fatalf("beta has %d shares", turn.Games().Len())
		}
		// Its own loops end as those of a process that has lost; what follows is what one that has not noticed yet would do.
		o.depose("beta", 0)
		time.Sleep(time.Minute)
		sent := len(o.sent)
		o.newGame(strings.NewReplacer("lot-1", "lot-99").Replace(twoSides))
		if n, err := beta.box.Send(context.Background(), beta, store.AllLanes, nil); n > 0 || !errors.Is(err, store.ErrDeposed) {
			t.Errorf("who was deposed sends %d letters: %v", n, err)
		}
		if err := beta.Tick(context.Background()); !errors.Is(err, store.ErrDeposed) {
			t.Errorf("who was deposed keeps deadlines: %v", err)
		}
		if _, err := beta.Handle(context.Background(), mail.Incoming{Raw: []byte("From: " + redAt + "\r\n\r\nhello")}); !errors.Is(err, store.ErrDeposed) {
			t.Errorf("who was deposed takes letters in: %v", err)
		}
		turn.End()
		if err := <-beta.ended; !errors.Is(err, store.ErrDeposed) {
			t.Errorf("who was deposed ends with %v", err)
		}
		for _, s := range o.sent[sent:] {
			if s.by == beta {
				t.Error("who was deposed has sent a letter")
			}
		}
		o.members["alpha"].stop()
		<-o.members["alpha"].ended
		o.store.Close()
	})
}

// TestNoGameMovesToNewerRulesBefore kills the last member with the program of before while one with newer rules waits: until it is started
// again, and as long as it lives, no game is played by the newer rules. When it has left in order, they are.
func TestNoGameMovesToNewerRulesBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	bubble(t, func(t *testing.T) {
		o := together(t, path, 1, 1, "one@club.example")
		var beta *officeMember
		moved := func(want bool) {
			t.Helper()
			time.Sleep(100 * time.Second) // longer than a dead member counts as living
			err := beta.change(context.Background(), "lot-1", func(tr *transaction) error { return tr.Do(game.Ticked{}) })
			if errors.Is(err, leader.ErrStandsBy) == want {
				t.Errorf("a game is taken up: %v", err)
			}
			if got := slices.Contains(o.kinds("lot-1"), log.KindRules); got != want {
				t.Errorf("the game is played by the newer rules: %v", got)
			}
		}
		o.begin("alpha")
		time.Sleep(10 * time.Second)
		before := o.rules
		o.rules, o.version = changedRules{source: "newer"}, "2"
		beta = o.begin("beta")
		moved(false)
		o.kill("alpha")
		moved(false)
		o.rules, o.version = before, "1"
		alpha := o.begin("alpha")
		moved(false)
		alpha.stop()
		if err := <-alpha.ended; err != nil {
			t.Error(err)
		}
		moved(true)
		beta.stop()
		<-beta.ended
		o.store.Close()
	})
}
