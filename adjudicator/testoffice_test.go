package adjudicator

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"berthier/adjudicator/cache"
	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/store/bolt"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/engine/systems"
	"berthier/mail"
	"berthier/orders"
	"berthier/templates"
)

// A fakeClock stands still until it is moved.
type fakeClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// A fault is an error of a mail server.
type serverFault struct {
	text      string
	temporary bool
}

func (e *serverFault) Error() string   { return e.text }
func (e *serverFault) Temporary() bool { return e.temporary }

// A postman takes letters and remembers them.
type postman struct {
	mu     sync.Mutex
	sent   []posted
	refuse func(to string) error
	look   func(l *mail.Letter, raw []byte) // at each letter as it is sent; nil: nobody does
}

type posted struct {
	to     string
	raw    []byte
	letter *mail.Letter
}

func (p *postman) Send(_ context.Context, _, to string, raw []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refuse != nil {
		if err := p.refuse(to); err != nil {
			return err
		}
	}
	letter, err := mail.Read(readable(raw), mail.Own{})
	if err != nil {
		return fmt.Errorf("the office writes what it can't read: %w", err)
	}
	if p.look != nil {
		p.look(letter, raw)
	}
	p.sent = append(p.sent, posted{to, raw, letter})
	return nil
}

// readable is a letter as the office itself would read it, whose letters are shorter: of the last one of a long game, which has
// all of the game with it, each part is cut after so many lines.
func readable(raw []byte) []byte {
	const most = 3000
	if len(raw) <= mail.MaxLetter {
		return raw
	}
	var out []byte
	n := 0
	for line := range bytes.Lines(raw) {
		if bytes.HasPrefix(line, []byte("--")) {
			n = 0
		}
		if n++; n <= most {
			out = append(out, line...)
		}
	}
	return out
}

// A testOffice is an office for tests, with its players' letters.
type testOffice struct {
	secret string // of its database, eight bytes; "": that of all offices of tests
	testing.TB
	path   string
	rules  engine.Ruleset
	opt    Options
	store  *bolt.Store
	office *Office
	clock  *fakeClock
	post   *postman
	count  int
	sync   bool           // commit to the disk
	spoilt bool           // the test damages the database
	life   *atomic.Int32  // commits until the process dies; nil: it lives
	full   *atomic.Bool   // whether its disk is full; nil: it never is
	seen   map[string]int // letters of an address that were looked at
}

const (
	redAt, blueAt, gmAt = "red@play.example", "blue@play.example", "gm@club.example"
)

// closed counts the offices of tests. At the end the database of each third is examined, with
// full samples of each.
var closed atomic.Int32

// digestOf is what a picture is drawn from, as a digest.
func digestOf(s engine.Scene, labels []string) (sum [sha256.Size]byte, err error) {
	what, err := json.Marshal(struct {
		Scene  engine.Scene
		Labels []string
	}{s, labels})
	return sha256.Sum256(what), err
}

// sketch stands for a picture where few samples are taken, for a fifth of their time would go into
// drawing: it is as different as what would be drawn.
func sketch(s *engine.Scene, labels []string) ([]byte, error) {
	scene := *s
	scene.Ground = nil // the same in every picture of a game
	sum, err := digestOf(scene, labels)
	if err != nil {
		return nil, err
	}
	picture := image.NewGray(image.Rect(0, 0, len(sum), 1))
	copy(picture.Pix, sum[:])
	var b bytes.Buffer
	err = png.Encode(&b, picture)
	return b.Bytes(), err
}

// pictures are those that offices of tests drew last: those that play the same game draw each of its
// pictures once.
var pictures = cache.New[[sha256.Size]byte, []byte](1000)

// drawOnce draws a picture where all samples are taken.
func drawOnce(s *engine.Scene, labels []string) ([]byte, error) {
	sum, err := digestOf(*s, labels)
	if err != nil {
		return nil, err
	}
	if picture, ok := pictures.Get(sum); ok {
		return picture, nil
	}
	picture, err := templates.Draw(s, labels)
	if err == nil {
		pictures.Put(sum, picture)
	}
	return picture, err
}

func newTestOffice(t testing.TB, change ...func(*testOffice)) *testOffice {
	t.Helper()
	h := &testOffice{
		TB: t, path: filepath.Join(t.TempDir(), "games.db"), rules: enginetest.New(),
		clock: &fakeClock{now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}, post: &postman{}, seen: map[string]int{},
	}
	h.opt = Options{Quiet: -1, Repeatable: true, From: mail.Address{Name: "Berthier", Addr: "orders@club.example"}, Clock: h.clock,
		GMs: []log.Person{{Name: "Gina", Address: gmAt, Language: "en"}}}
	h.opt.Draw = drawOnce
	if !fullSamples {
		h.opt.Draw = sketch
	}
	for _, c := range change {
		c(h)
	}
	h.open()
	t.Cleanup(func() {
		if err := h.store.Check(); err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("check store: %v", err)
		}
		if closed.Add(1)%3 != 0 && !fullSamples {
			h.store.Close()
			return
		}
		if e, err := Examine(h.store, []engine.Ruleset{h.rules}); err == nil && len(e.Faults) > 0 && !h.spoilt {
			t.Errorf("the database has faults: %q", e.Faults)
		}
		h.store.Close()
	})
	return h
}

// catalogue reads the words once for all tests.
var catalogue = sync.OnceValues(func() (*templates.Words, error) {
	words := map[string]fs.FS{"lots": enginetest.New().Words()}
	for _, rules := range systems.All() {
		words[rules.About().ID] = rules.Words()
	}
	return templates.New(words)
})

// behind writes a change to the store behind the office's back.
func (h *testOffice) behind(c store.Change) {
	h.Helper()
	if c.Game != "" {
		kept, err := h.store.Load(context.Background(), c.Game)
		if err != nil {
			h.Fatal(err)
		}
		c.After, c.Was = kept.End, store.VersionOf(kept.Record)
	}
	if err := h.store.Commit(context.Background(), c); err != nil {
		h.Fatal(err)
	}
}

// openStore opens a database, and makes it first if there is none.
func openStore(path string, opt bolt.Options) (*bolt.Store, error) {
	if err := bolt.Create(path, opt); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return bolt.Open(path, opt)
}

func (h *testOffice) open() {
	h.Helper()
	st, err := openStore(h.path, bolt.Options{NoSync: !h.sync, Entropy: strings.NewReader(strings.Repeat(cmp.Or(h.secret, "secret.."), 4))})
	if err != nil {
		h.Fatal(err)
	}
	words, err := catalogue()
	if err != nil {
		h.Fatal(err)
	}
	h.store = st
	h.opt.Secret = st.Secret()
	var kept store.Store = st
	if h.full != nil {
		kept = fullStore{st, h.full}
	}
	if h.life != nil {
		kept = mortalStore{kept, h.life}
	}
	if h.office, err = New(kept, words, []engine.Ruleset{h.rules}, h.opt); err != nil {
		h.Fatal(err)
	}
	if _, measured := h.TB.(*testing.B); !raceEnabled && !measured { // the run without the detector holds it
		h.office.step, h.office.rule = twice(h), previewed(h)
	}
}

// errDead is what a process that has died makes of whatever it was about to do.
var errDead = errors.New("the process is dead")

// A mortalStore is that of a process which dies after so many commits: none of its later ones happens.
type mortalStore struct {
	store.Store
	life *atomic.Int32
}

func (s mortalStore) Commit(ctx context.Context, c store.Change) error {
	if s.life.Add(-1) < 0 {
		return errDead
	}
	return s.Store.Commit(ctx, c)
}

// A fullStore takes nothing in while its disk is full.
type fullStore struct {
	store.Store
	full *atomic.Bool
}

func (s fullStore) Commit(ctx context.Context, c store.Change) error {
	if s.full.Load() {
		return syscall.ENOSPC
	}
	return s.Store.Commit(ctx, c)
}

// restart is what a crash between two transactions and a new start look like.
func (h *testOffice) restart() {
	h.Helper()
	if err := h.store.Close(); err != nil {
		h.Fatal(err)
	}
	h.open()
}

const twoSides = `
game: lot-1
title: The first
system: lots
options: {rounds: 3}
seats:
  red: {name: Rosa, address: red@play.example, language: en, zone: Europe/Rome}
  blue: {name: Bruno, address: Blue@play.example, language: it}
gm: {name: Gina, address: gm@club.example}
deadline: 3d
reminders: [24h, 2h]
seed: "a fixed seed"
`

func (h *testOffice) newGame(setup string) {
	h.Helper()
	s, problems := h.office.Clerk().ReadSetup(setup, nil)
	if len(problems) > 0 {
		h.Fatalf("set-up: %v", problems)
	}
	if err := h.office.Clerk().NewGame(context.Background(), s); err != nil {
		h.Fatal(err)
	}
}

// deliver sends all that is due and gives the letters not looked at yet that an
// address got.
func (h *testOffice) deliver(address string) []*mail.Letter {
	h.Helper()
	h.flush()
	var all []*mail.Letter
	for _, p := range h.post.sent {
		if p.to == address {
			all = append(all, p.letter)
		}
	}
	fresh := all[h.seen[address]:]
	h.seen[address] = len(all)
	return fresh
}

func (h *testOffice) flush() {
	h.Helper()
	for {
		if _, err := h.office.Send(context.Background(), h.post); err != nil {
			h.Fatal(err)
		}
		done := false
		h.store.Read(context.Background(), func(tx store.Reader) error {
			done = len(tx.Due(h.office.now(), 1)) == 0
			return nil
		})
		if done {
			return
		}
	}
}

// subjects are those of letters.
func subjects(letters []*mail.Letter) []string {
	var all []string
	for _, l := range letters {
		all = append(all, l.Subject)
	}
	return all
}

// words is all that a reader of a letter sees, the pictures apart.
func wordsOf(l *mail.Letter) string {
	text := l.Subject
	for _, p := range l.Parts {
		text += "\n" + p.Name + "\n" + p.Text
	}
	return text
}

// file gives the order file attached to a letter, with English keys at the beginning of its
// lines, whatever the language of the letter: tests change it by them.
func file(l *mail.Letter) string {
	for _, p := range l.Parts {
		if p.Kind == mail.Attachment && strings.HasSuffix(p.Name, ".yaml") {
			return keysOfLines.ReplaceAllStringFunc(p.Text, func(key string) string {
				if word, ok := fileWords.Key(key, fileKeys); ok {
					return word
				}
				return key
			})
		}
	}
	return ""
}

var (
	keysOfLines = regexp.MustCompile(`(?m)^[\p{L}-]+`)
	fileWords   = orders.NewWords(orders.Common)
	fileKeys    = append([]string{"game", "side", "stop", "key", "serial"}, orders.Bodies...)
)

// one expects exactly one letter.
func (h *testOffice) one(letters []*mail.Letter) *mail.Letter {
	h.Helper()
	if len(letters) != 1 {
		h.Fatalf("%d letters, want one: %q", len(letters), subjects(letters))
	}
	return letters[0]
}

// template gives the newest order file that an address got.
func (h *testOffice) template(address string) string {
	h.Helper()
	h.flush()
	for i := len(h.post.sent) - 1; i >= 0; i-- {
		if p := h.post.sent[i]; p.to == address {
			if f := file(p.letter); f != "" && strings.Contains(f, "stop:") {
				return f
			}
		}
	}
	h.Fatalf("%s has no order file", address)
	return ""
}

var defaultLine = regexp.MustCompile(`(?m)^orders:.*(?:\n +.*)*$`)

// readyLines are what stands ready in an order file of the question that follows.
var readyLines = regexp.MustCompile(`(?m)^ahead:\n(  .*\n)+`)

// fill fills in a template, and adds further lines.
func fill(template, text string, more ...string) string {
	if strings.Contains(text, "\nahead:") || slices.ContainsFunc(more, func(line string) bool { return strings.HasPrefix(line, "ahead:") }) {
		template = readyLines.ReplaceAllLiteralString(template, "") // a file says what is ahead once
	}
	return defaultLine.ReplaceAllLiteralString(template, strings.Join(append([]string{"orders: " + text}, more...), "\n"))
}

// letter is a letter as a player writes it.
func (h *testOffice) letter(from, text string) *mail.Letter {
	h.count++
	l := &mail.Letter{
		MessageID: fmt.Sprintf("%d@%s", h.count, from), From: mail.Address{Addr: from}, Date: h.clock.Now(), Subject: "Re: orders",
		Parts: []mail.Part{{Kind: mail.Plain, Type: "text/plain", Text: text}},
	}
	l.Digest = sha256.Sum256(fmt.Appendf(nil, "%d %s %s", h.count, from, text))
	return l
}

func (h *testOffice) take(l *mail.Letter, want mail.Folder) {
	h.Helper()
	got, err := h.office.Take(context.Background(), l)
	if err != nil {
		h.Fatal(err)
	}
	if got != want {
		h.Errorf("the letter goes to %s, want %s", got, want)
	}
}

// write writes a letter to the office.
func (h *testOffice) write(from, text string, want mail.Folder) {
	h.Helper()
	h.take(h.letter(from, text), want)
}

func (h *testOffice) tick() {
	h.Helper()
	if err := h.office.Tick(context.Background()); err != nil {
		h.Fatal(err)
	}
}

// record gives a game's record as it is on the disk.
func (h *testOffice) record(id string) *game.State {
	h.Helper()
	var g *game.State
	err := h.store.Read(context.Background(), func(tx store.Reader) (err error) {
		g, err = game.Read(tx.Game(id))
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return g
}

// kinds are those of a game's log entries.
func (h *testOffice) kinds(id string) []string {
	h.Helper()
	var all []string
	err := h.store.Read(context.Background(), func(tx store.Reader) error {
		if err := store.Verify(tx, id); err != nil {
			return err
		}
		return tx.Entries(id, 0, func(e chain.Entry) error {
			entry, err := log.Read(e, nil)
			all = append(all, entry.Kind)
			return err
		})
	})
	if err != nil {
		h.Fatal(err)
	}
	return all
}

func (h *testOffice) wantKinds(id string, want ...string) {
	h.Helper()
	if got := h.kinds(id); !slices.Equal(got, want) {
		h.Errorf("log %q, want %q", got, want)
	}
}

// says checks that a letter holds some texts.
func (h *testOffice) says(l *mail.Letter, texts ...string) {
	h.Helper()
	all := wordsOf(l)
	for _, text := range texts {
		if !strings.Contains(all, text) {
			h.Errorf("the letter does not say %q:\n%s", text, all)
		}
	}
}

func (h *testOffice) silent(address string) {
	h.Helper()
	if l := h.deliver(address); len(l) > 0 {
		h.Errorf("%s got %q", address, subjects(l))
	}
}

func key(h *testOffice, id string, side engine.Side) string {
	h.Helper()
	k, err := h.office.Clerk().Key(id, side)
	if err != nil {
		h.Fatal(err)
	}
	return k
}

// officeKey is an administrator's key.
func (h *testOffice) officeKey(address string) string {
	h.Helper()
	k, err := h.office.OfficeKey(address)
	if err != nil {
		h.Fatal(err)
	}
	return k
}

var confirmLine = regexp.MustCompile(`(?:confirm|conferma): [A-Z2-9]{4}-[A-Z2-9]{4}`)

// confirm writes what is shown first, and sends it again with the code.
func (h *testOffice) confirm(from, text string) {
	h.Helper()
	h.write(from, text, mail.Processed)
	code := confirmLine.FindString(wordsOf(h.last(from)))
	if code == "" {
		h.Fatalf("no code for %s", text)
	}
	h.clock.move(time.Second)
	h.write(from, text+code+"\n", mail.Processed)
}

// command is a command letter.
func command(h *testOffice, id string, side engine.Side, lines ...string) string {
	return strings.Join(append([]string{"game: " + id, "key: " + key(h, id, side)}, lines...), "\n") + "\n"
}

// play answers for every side by the template until the game is at its end.
func (h *testOffice) play(id string, answer func(side engine.Side, o *game.Owes) string) {
	h.Helper()
	for range 200 {
		g := h.record(id)
		if g.Phase != game.Running {
			return
		}
		for _, s := range g.Seats {
			if s = h.record(id).Seat(s.Side); s.Owes == nil || s.Owes.Answer != nil {
				continue
			}
			h.clock.move(time.Minute)
			h.write(s.Person.Address, fill(h.template(s.Person.Address), answer(s.Side, s.Owes)), mail.Processed)
		}
	}
	h.Fatal("the game does not end")
}

// anyUnit answers with one of the units that the side has.
func (h *testOffice) anyUnit(id string) func(engine.Side, *game.Owes) string {
	return func(side engine.Side, o *game.Owes) string {
		t, err := h.office.Clerk().Position(id, side)
		if err != nil {
			h.Fatal(err)
		}
		own := t.View.(*enginetest.View).Own
		return fmt.Sprintf("{%s: %s}", o.Decision.Kind, own[len(own)/2].ID)
	}
}
