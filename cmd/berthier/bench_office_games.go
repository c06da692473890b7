package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"iter"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"berthier/adjudicator"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/mail"
)

// A benchClub is an office whose games were all made alike, and whose clock the benchmark moves.
type benchClub struct {
	path          string
	rules         engine.Ruleset
	sides         []engine.Side
	games, active int

	store  *bolt.Store
	office *adjudicator.Office
	clerk  *adjudicator.Clerk
	clock  benchClock
	read   func(ctx context.Context, began time.Time) // tells the office that its mailbox was read
	chance *rand.Rand
	wrote  int // letters

	mu    sync.Mutex
	got   map[benchSeat]bool // who got a letter since it was looked at
	mails int
}

// A benchSeat is a seat of one of the games.
type benchSeat struct{ game, side int }

// A benchClock stands still until it is moved.
type benchClock struct{ ns atomic.Int64 }

// Now implements [adjudicator.Clock].
func (c *benchClock) Now() time.Time { return time.Unix(0, c.ns.Load()).UTC() }

// benchMarks stand in the first games of both kinds for their numbers, in which alone the others differ.
var benchMarks = [2]string{"zqzqzqa", "zqzqzqb"}

// open makes an office with so many games, of which the first are to be played.
func (b officeBench) open(ctx context.Context, path string, games, active int) (*benchClub, error) {
	h := &benchClub{path: path, rules: rulesets[b.Game], games: games, active: active, got: map[benchSeat]bool{}, chance: rand.New(rand.NewPCG(b.Seed, 1))}
	h.clock.ns.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).UnixNano())
	position, err := h.rules.New(engine.Setup{})
	if err != nil {
		return nil, fmt.Errorf("set up %s: %w", b.Game, err)
	}
	h.sides = position.Sides()
	if err := bolt.Create(path, bolt.Options{}); err != nil {
		return nil, err
	}
	if err := h.begin(ctx); err != nil {
		return nil, err
	}
	begun, before := time.Now(), worked()
	for _, kind := range []benchKind{{benchMarks[0], 0, active, "deadline: 3d\nsecond-thoughts: none\n"}, {benchMarks[1], active, games, "deadline: 60d\nsecond-thoughts: 12h\n"}} {
		if kind.from == kind.to {
			continue
		}
		if err := h.make(ctx, kind, func(n int) { b.progress.count(n, games, "games made") }); err != nil {
			return nil, err
		}
	}
	b.line(fmt.Sprintf("%d games made, copies of one", games), "%.1f s, %.1f s of processor time", time.Since(begun).Seconds(), (worked() - before).Seconds())
	return h, nil
}

// begin opens the office and lets it attend to a mailbox.
func (h *benchClub) begin(ctx context.Context) (err error) {
	words, err := catalogue()
	if err != nil {
		return err
	}
	if h.store, err = bolt.Open(h.path, bolt.Options{}); err != nil {
		return err
	}
	blank, err := blankPicture()
	if err != nil {
		return err
	}
	h.office, err = adjudicator.New(h.store, words, []engine.Ruleset{h.rules}, adjudicator.Options{
		From: mail.Address{Name: "Berthier", Addr: demoOffice}, Secret: h.store.Secret(), Version: version(), Log: slog.New(slog.DiscardHandler), Clock: &h.clock,
		Quiet: -1, AnswersPerHour: 1 << 30, Draw: func(*engine.Scene, []string) ([]byte, error) { return blank, nil },
	})
	if err != nil {
		return errors.Join(err, h.store.Close())
	}
	h.clerk = h.office.Clerk()
	attending, stop := context.WithCancel(ctx)
	return h.office.Run(attending, h, adjudicator.Box{Mailbox: &benchMailbox{h, stop}})
}

// blankPicture stands for all pictures.
func blankPicture() ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1)))
	return b.Bytes(), err
}

// A benchMailbox is one in which nothing lies: the office reads it once, and knows from then on that it has one.
type benchMailbox struct {
	club *benchClub
	stop context.CancelFunc
}

// OnRead implements [adjudicator.Mailbox].
func (m *benchMailbox) OnRead(f func(ctx context.Context, began time.Time)) { m.club.read = f }

// Run implements [adjudicator.Mailbox].
func (m *benchMailbox) Run(ctx context.Context, _ func(context.Context, mail.Incoming) (mail.Folder, error)) error {
	m.club.read(ctx, time.Now())
	m.stop()
	return nil
}

// Send implements [mail.Sender]: nobody gets the letter, but it is noted whose it was.
func (h *benchClub) Send(_ context.Context, _, to string, _ []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mails++
	game, side, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(to, "p"), "@"+demoDomain), "-")
	n, err := strconv.Atoi(game)
	i, err2 := strconv.Atoi(side)
	if ok && err == nil && err2 == nil {
		h.got[benchSeat{n, i}] = true
	}
	return nil
}

// sent is how many letters were sent.
func (h *benchClub) sent() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.mails
}

// seats are the seats of all games.
func (h *benchClub) seats() iter.Seq[benchSeat] {
	return func(yield func(benchSeat) bool) {
		for game := range h.games {
			for side := range h.sides {
				if !yield(benchSeat{game, side}) {
					return
				}
			}
		}
	}
}

func benchID(number string) string { return "bench-" + number }

func benchNumber(n int) string { return fmt.Sprintf("%0*d", len(benchMarks[0]), n) }

// A benchKind is of games with the same rules.
type benchKind struct {
	mark     string
	from, to int
	timing   string
}

// setup is that of the first game of a kind.
func (h *benchClub) setup(kind benchKind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "game: %s\nsystem: %s\ngm: {name: The game master, address: %s}\n%sseats:\n", benchID(kind.mark), h.rules.About().ID, demoGM, kind.timing)
	for i, side := range h.sides {
		fmt.Fprintf(&b, "  %s: {name: Player %s, address: p%s-%d@%s, language: %s}\n", side, kind.mark, kind.mark, i, demoDomain, []string{"en", "it"}[i%2])
	}
	return b.String()
}

// make makes games of a kind: the first as any office makes one, the others as copies of it under numbers of their own. What is
// queued for the first is dropped.
func (h *benchClub) make(ctx context.Context, kind benchKind, told func(int)) error {
	s, problems := h.clerk.ReadSetup(h.setup(kind), nil)
	if len(problems) > 0 {
		return problems
	}
	if err := h.clerk.NewGame(ctx, s); err != nil {
		return err
	}
	if err := h.drop(ctx); err != nil {
		return err
	}
	first, err := h.template(ctx, kind.mark)
	if err != nil {
		return err
	}
	next := make(chan int)
	failed := make(chan error, 1)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for n := range next {
				if err := h.store.Commit(ctx, first.copy(benchNumber(n))); err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			}
		})
	}
	for n := kind.from; n < kind.to; n++ {
		told(n)
		next <- n
	}
	close(next)
	wg.Wait()
	select {
	case err := <-failed:
		return err
	default:
	}
	return h.clerk.Close(ctx, benchID(kind.mark), "its copies are played")
}

// drop empties the outbox.
func (h *benchClub) drop(ctx context.Context) error {
	now := h.clock.Now().Add(time.Hour)
	letters, err := h.store.Claim(ctx, now, now, 1<<20, store.AllLanes)
	if err != nil {
		return err
	}
	var c store.Change
	for _, l := range letters {
		c.Outgoing = append(c.Outgoing, store.Outgoing{ID: l.ID, Was: l.Version(), Gone: true})
	}
	return h.store.Commit(ctx, c)
}

// A benchGame is what is kept of the first game of a kind.
type benchGame struct {
	mark    string
	change  store.Change
	wake    time.Time
	entries []chain.Entry
}

// template reads what is kept of the first game.
func (h *benchClub) template(ctx context.Context, mark string) (*benchGame, error) {
	id := benchID(mark)
	g := &benchGame{mark: mark}
	err := h.store.Read(ctx, func(r store.Reader) error {
		all, ok := r.(store.Everything)
		if !ok {
			return errors.New("the store can't be read in full")
		}
		c := &g.change
		c.Record, c.Snapshot = all.Game(id), all.Snapshot(id)
		c.Tags, _ = all.TagsOf(id)
		return errors.Join(
			all.Entries(id, 0, func(e chain.Entry) error { g.entries = append(g.entries, e); return nil }),
			all.Positions(id, func(seq uint64, position []byte) error {
				c.History = append(c.History, store.Position{Seq: seq, Data: bytes.Clone(position)})
				return nil
			}),
			all.AllPages(id, func(seat string, n uint64, page []byte) error {
				c.Pages = append(c.Pages, store.Page{Seat: seat, N: n, Data: bytes.Clone(page)})
				return nil
			}),
			all.Addresses(func(address, game string) error {
				if game == id {
					c.Join = append(c.Join, address)
				}
				return nil
			}),
			all.Wakes(func(game string, at time.Time) error {
				if game == id {
					g.wake = at
				}
				return nil
			}))
	})
	return g, err
}

// copy gives the change that makes a copy under another number: its log has a chain of its own, and the record the hashes of that.
func (g *benchGame) copy(number string) store.Change {
	c := g.change
	pairs := []string{g.mark, number}
	text := func(data []byte) []byte { return []byte(strings.NewReplacer(pairs...).Replace(string(data))) }
	last := chain.Link{}
	c.Entries = nil
	for _, e := range g.entries {
		copied := chain.Follow(last, e.Salt, text(e.Body), text(e.Private))
		c.Entries, last = append(c.Entries, copied), copied.Link
		pairs = append(pairs, log.ShortHash(e.Hash), log.ShortHash(copied.Hash), hex.EncodeToString(e.Hash[:]), hex.EncodeToString(copied.Hash[:]))
	}
	c.Game, c.Record = benchID(number), text(c.Record)
	c.Join, c.Tags = slices.Clone(c.Join), slices.Clone(c.Tags)
	for i := range c.Join {
		c.Join[i] = strings.ReplaceAll(c.Join[i], g.mark, number)
	}
	for i := range c.Tags {
		c.Tags[i] = strings.ReplaceAll(c.Tags[i], g.mark, number)
	}
	c.Wake = map[string]time.Time{c.Game: g.wake}
	return c
}
