// Package adjudicator is the office: it keeps the games in progress. It takes
// in the players' letters, has the ruleset judge their order files, resolves a
// stop when every answer is in or its deadline has passed, and writes to each
// player what that player may know.
//
// It does not know how a rule works, nor how a letter is encoded: it reads
// [mail.Letter] and writes [mail.Draft].
//
// # What it promises
//
// Whatever one letter, deadline or act of a game master changes is committed in
// one transaction of [store.Store]: the letter is marked as taken in, the log
// grows, the snapshot moves on, the letters that follow are queued. So wherever
// the process dies, nothing is lost and nothing is done twice. At worst a letter
// is sent twice, with the same bytes and Message-ID.
//
// A letter to a seat is made from that seat's [engine.View] and from what events
// tell that seat, and from nothing else. Stops are numbered by seat, so that nobody
// sees whether the other side was asked in between.
//
// Nothing is told to an address that does not take part in a game. An address
// that does, but without the right key, gets a short answer about the form at
// most, unless its letter answers one that went there. What came of an order file
// with the right key is always told. Automatic mail is never answered and never read for orders: a vacation
// notice that quotes a report holds a complete order file.
//
// # How it works
//
// All changes of one game are made one after the other; games don't wait for
// each other. Games are read from the store when something needs them, and a
// bounded number is kept in memory.
package adjudicator

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"berthier/adjudicator/cache"
	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/leader"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/outbox"
	"berthier/adjudicator/past"
	"berthier/adjudicator/report"
	"berthier/adjudicator/ruling"
	"berthier/adjudicator/shelf"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
	"berthier/mail/mailbox"
	"berthier/templates"
)

// A Clock tells the time of day.
type Clock interface{ Now() time.Time }

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now implements [Clock].
func (SystemClock) Now() time.Time { return time.Now() }

// Options of an [Office]. Those that are zero have the default named.
type Options struct {
	// Secret is what keys and Message-IDs are made from. It is drawn once for a database,
	// and never leaves the process.
	Secret [32]byte
	From   mail.Address // the sender of letters, to whom answers go
	// Also are the addresses of further mailboxes. Each game has one of all the addresses of the office, from
	// which its letters come, and to which answers go; letters of no game come from From.
	Also   []string
	Domain string // right side of Message-IDs, of this office alone; default: "berthier." and the domain of From

	// TrustedServers are the ids under which the receiving server writes its findings
	// about senders (see [mail.Own]); LookupTXT asks the DNS for the keys
	// of DKIM signatures. Without either no game can ask for proof: dkim.
	TrustedServers []string
	FindingsBelow  bool // that server writes below its own Received; see [mail.Own]
	LookupTXT      mail.TXTLookup

	// AnswerStrangers gives one short answer a day to somebody who writes something like
	// an order file from an address that takes part in no game. Otherwise strangers get
	// no answer.
	AnswerStrangers bool

	// HelpURL is where players can read the guide and the rules; letters name it. "": they
	// name commands instead.
	HelpURL string

	// SoloGames is how many games against the bot one address may have at once, and begin within
	// a day, by letter: the address of a player of a game, or one of Club. 0: none.
	SoloGames int
	Club      []log.Person

	// JoinByLetter lets anybody become a member of the club by letter, once he has shown that he
	// reads the letters of his address.
	JoinByLetter bool

	// GMs may make games by letter, with the key that [Office.OfficeKey] gives.
	GMs []log.Person

	Clock   Clock        // default: the machine's
	Log     *slog.Logger // default: none
	Entropy io.Reader    // for seeds and salts; default: crypto/rand. A fixed one makes a demo repeatable
	// Repeatable lets set-ups fix the seed of the dice. It is for demos and tests: every
	// game of such an office says in its first report and in its log that its seed was
	// not drawn by chance.
	Repeatable bool
	Version    string // of the program, for the logs of its games
	// Program tells the program from any other among members of an office; "": Version does.
	Program string

	// Member is the name of this member of the office, whose store several use; "": it has its
	// store for itself. Members settle among themselves who leads ([Office.Run]).
	Member string

	// Outage is how long the mailbox may go unread without consequences; after
	// more, nothing is resolved by default for a grace. Default: half an hour.
	Outage time.Duration
	// Blind is the time after which the game masters are told that the mailbox can't
	// be read. Default: six hours.
	Blind time.Duration
	// Grace is that of an interlock for stops whose rule has none. Default: a day.
	Grace time.Duration

	// Shelf is the folder to which what is kept of finished games is put away, if their set-ups say
	// so; members of one office share it. "": nothing is put away.
	Shelf string

	// Draw draws the pictures of letters as PNG files. Default: [templates.Draw].
	Draw func(*engine.Scene, []string) ([]byte, error)

	Cache          int           // games kept in memory; default 128
	AnswersPerHour int           // letters that one address gets at once as answers to its own; default 20. A game master gets five times as many
	Senders        int           // letters sent side by side; default 8
	Quiet          time.Duration // order files that come so soon after an answer are answered together; default one minute, negative: none
	Retry          time.Duration // after the first failed try to send a letter, doubling up to an hour; default one minute
	GiveUp         time.Duration // how long to try to send a letter; default five days
}

// An Office keeps the games of a store. It may be used by many goroutines.
type Office struct {
	store   store.Store
	words   *templates.Words
	systems map[string]engine.Ruleset
	names   []string // of the systems, sorted
	opt     Options
	log     *slog.Logger
	keys    intake.Keys // of all that take part, and codes
	box     *outbox.Box
	letters *report.Office // what all letters have in common
	shelf   shelf.Shelf    // for what is kept of finished games

	Seat *leader.Seat // of this member among those of the office; nil: it has its store for itself

	entropy sync.Mutex
	watch   watch
	ills    ills

	games    [256]sync.Mutex // each holds all changes of the games whose ids are mapped to it
	cache    *cache.Cache[string, *opened]
	books    *cache.Cache[string, *openBook] // of leagues
	counts   *counting                       // against loops and strangers
	bundling toBundle                        // what is kept of games
	swept    lookedOver                      // when the shelf was last looked over

	step func(*game.Turn, game.Input) error // how something happens to a game; nil: once

	rule func(*game.Turn, past.Kept, *ruling.Plan) (*ruling.Ruled, error) // how an act is carried out; nil: once

	wrongKeys atomic.Int64 // letters with keys that don't fit
	found     atomic.Bool  // what is to be forgotten is listed

	digests sync.Map // string → string: of the rulesets, by their ids

	wake chan struct{} // something may be due earlier than before
	post chan struct{} // something was queued
}

// New opens an office on a store.
func New(st store.Store, words *templates.Words, systems []engine.Ruleset, opt Options) (*Office, error) {
	if opt.From.Addr == "" {
		return nil, errors.New("open office: it has no address")
	}
	if opt.Secret == [32]byte{} {
		return nil, errors.New("open office: it has no secret")
	}
	opt = opt.withDefaults()
	seat, st, err := seatOf(st, opt)
	if err != nil {
		return nil, fmt.Errorf("open office: %w", err)
	}
	o := &Office{
		Seat: seat, store: st, shelf: shelf.New(opt.Shelf).Of(store.NumberOf(opt.Secret[:])), words: words, systems: map[string]engine.Ruleset{}, opt: opt, log: opt.Log, keys: intake.NewKeys(opt.Secret),
		cache: cache.New[string, *opened](opt.Cache),
		books: cache.New[string, *openBook](opt.Cache),
		wake:  make(chan struct{}, 1), post: make(chan struct{}, 1),
	}
	for _, s := range systems {
		id := s.About().ID
		if _, twice := o.systems[id]; twice {
			return nil, fmt.Errorf("open office: two rulesets are called %s", id)
		}
		o.systems[id] = s
	}
	o.watch.office, o.counts = o, newCounting(o)
	o.names = slices.Sorted(maps.Keys(o.systems))
	if o.box, err = outbox.New(st, games{o}, outbox.Options{
		From: opt.From, Address: opt.addressOf, Domain: opt.Domain, Derive: o.keys.Derive, Foot: writeFoot, Now: o.now, Log: opt.Log, Guard: o.guarded,
		Draw: opt.Draw, Senders: opt.Senders, Retry: opt.Retry, GiveUp: opt.GiveUp, Lane: laneOf(seat),
	}); err != nil {
		return nil, fmt.Errorf("open office: %w", err)
	}
	o.letters = &report.Office{Words: words, Keys: o.keys, Sign: func(x *log.Export) { x.Sign(signingKey(o)) }, From: opt.From.Addr, HelpURL: opt.HelpURL, MayTry: o.counts.Tries.Allow, Logger: opt.Log,
		Calendar: func(game string, side engine.Side, stop int) string {
			return o.box.ID("stop", "calendar", game, string(side), strconv.Itoa(stop))
		}}
	if err := errors.Join(o.watch.load(), o.counts.load(), loop{o}.settleRestore(), loop{o}.tagGames(context.Background())); err != nil {
		return nil, fmt.Errorf("open office: %w", err)
	}
	return o, nil
}

// withDefaults gives the options with the defaults of those that are zero.
func (opt Options) withDefaults() Options {
	if opt.Domain == "" {
		opt.Domain = "berthier." + opt.From.Domain()
	}
	if opt.Clock == nil {
		opt.Clock = SystemClock{}
	}
	if opt.Draw == nil {
		opt.Draw = templates.Draw
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Entropy == nil {
		opt.Entropy = rand.Reader
	}
	opt.Cache = orDefault(opt.Cache, 128)
	opt.AnswersPerHour = orDefault(opt.AnswersPerHour, 20)
	opt.Senders = orDefault(opt.Senders, 8)
	if opt.Quiet == 0 {
		opt.Quiet = time.Minute
	}
	for _, d := range []struct {
		v         *time.Duration
		otherwise time.Duration
	}{{&opt.Outage, 30 * time.Minute}, {&opt.Blind, 6 * time.Hour}, {&opt.Grace, 24 * time.Hour}, {&opt.Retry, time.Minute}} {
		if *d.v <= 0 {
			*d.v = d.otherwise
		}
	}
	if opt.GiveUp <= 0 {
		opt.GiveUp = 5 * 24 * time.Hour
	}
	opt.GMs = slices.Clone(opt.GMs)
	for i := range opt.GMs {
		opt.GMs[i].Address = mailbox.Clean(opt.GMs[i].Address)
	}
	opt.Club = slices.Clone(opt.Club)
	for i := range opt.Club {
		opt.Club[i].Address = mailbox.Clean(opt.Club[i].Address)
	}
	return opt
}

func orDefault(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// addressOf gives the address from which the letters of a game come. It follows from the game and the addresses of the
// office alone; when one more is added, the games that get it are those that must have it, and no other game changes.
func (opt Options) addressOf(game string) string {
	best, most := opt.From.Addr, uint64(0)
	if game == "" {
		return best
	}
	for i, address := range append([]string{opt.From.Addr}, opt.Also...) {
		h := fnv.New64a()
		io.WriteString(h, mailbox.Fold(address)+"\x00"+game)
		sum := h.Sum64() * 0x9e3779b97f4a7c15 // its upper bits depend on all of them
		if sum ^= sum >> 32; i == 0 || sum > most {
			best, most = address, sum
		}
	}
	return best
}

// Systems lists the ids of the rulesets that the office knows, sorted.
func (o *Office) Systems() []string { return o.names }

// now is the present moment, in the precision that JSON keeps.
func (o *Office) now() time.Time { return o.opt.Clock.Now().UTC().Truncate(time.Microsecond) }

// draw fills a slice with random bytes.
func (o *Office) draw(b []byte) error {
	o.entropy.Lock()
	defer o.entropy.Unlock()
	if _, err := io.ReadFull(o.opt.Entropy, b); err != nil {
		return fmt.Errorf("draw random bytes: %w", err)
	}
	return nil
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// read lets f read the store as of one moment.
func (o *Office) read(f func(store.Reader) error) error { return o.store.Read(context.Background(), f) }

// anyGame tells whether there is a game.
func anyGame(tx store.Reader) bool {
	return errors.Is(tx.Games(func(string, []byte) error { return errEnough }), errEnough)
}

// hold keeps all other changes of a game out until the function that it returns is
// called.
func (o *Office) hold(game string) func() {
	h := fnv.New32a()
	io.WriteString(h, game)
	mu := &o.games[h.Sum32()%uint32(len(o.games))]
	mu.Lock()
	return mu.Unlock
}

// ErrNoGame: there is no game of that id.
var ErrNoGame = errors.New("there is no such game")

// An opened game is one that was taken up, with what the store has of it: the next change is
// made from that.
type opened struct {
	*game.Loaded
	end    chain.Link // of the log
	record store.Version
}

// open takes a game up for work. The caller holds it.
//
// If what was read of the game does not fit, the error is [game.ErrUnfit]; any other says that the store could not be read.
func (o *Office) open(id string) (*opened, error) {
	if t, ok := o.cache.Get(id); ok {
		same, err := stands(o.store, id, t.end, t.record)
		if same || err != nil {
			return t, err
		}
	}
	kept, err := o.store.Load(context.Background(), id)
	switch {
	case err != nil:
		return nil, err
	case kept.Record == nil:
		return nil, fmt.Errorf("open game %q: %w", id, ErrNoGame)
	}
	t := &opened{&game.Loaded{Last: kept.End}, kept.End, store.VersionOf(kept.Record)}
	if t.Game, err = game.Read(kept.Record); err != nil {
		return nil, fmt.Errorf("open game %s: %w", id, err)
	}
	if t.Rules = o.systems[t.Game.System]; t.Rules == nil {
		return nil, game.Unfit(fmt.Errorf("open game %s: the program has no ruleset %q", id, t.Game.System))
	}
	if t.Position, err = t.Rules.Load(kept.Snapshot); err != nil {
		return nil, game.Unfit(fmt.Errorf("open game %s: load snapshot: %w", id, err))
	}
	t.Views = map[engine.Side]engine.View{}
	o.cache.Put(id, t)
	return t, nil
}

// change takes a game up, lets do change it, and commits what it did. If do fails,
// nothing has changed.
func (o *Office) change(ctx context.Context, id string, do func(*transaction) error) error {
	release := o.hold(id)
	defer release()
	t, err := o.open(id)
	if err != nil {
		return err
	}
	if o.otherRules(t.Game) {
		if err := o.pin(ctx, t); err != nil {
			o.cache.Drop(id)
			return err
		}
	}
	tr := o.transaction(t.Loaded, o.now())
	tr.opened = t
	committed := false
	defer func() {
		if !committed {
			o.cache.Drop(id) // it may have been changed half-way
		}
	}()
	if err := do(tr); err != nil {
		committed = untouched(err) // nothing was changed either
		return err
	}
	if err := tr.commit(ctx); err != nil {
		return err
	}
	committed = true
	return nil
}

// changeAgain is [Office.change] for what can be done again if another member of the office was quicker.
func (o *Office) changeAgain(ctx context.Context, id string, do func(*transaction) error) error {
	return store.Again(ctx, func() error { return o.change(ctx, id, do) })
}

// look takes a game up for reading.
func (o *Office) look(id string, do func(*transaction) error) error {
	release := o.hold(id)
	defer release()
	t, err := o.open(id)
	if err != nil {
		return err
	}
	return do(o.transaction(t.Loaded, o.now()))
}
