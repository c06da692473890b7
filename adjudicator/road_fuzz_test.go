package adjudicator

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/store"
	"berthier/mail"
	"berthier/mail/mailbox"
)

// A stage is an office that is put back as it was before each input, so that each finds the
// same game, whatever came before.
type stage struct {
	*testOffice
	file []byte
	at   time.Time
	game []byte // record of the game
	runs int
}

// mostRuns is after how many letters that changed nothing but their own marks a
// stage is set up anew.
const mostRuns = 200

func newStage(h *testOffice) *stage {
	h.flush()
	h.post.sent = nil
	s := &stage{testOffice: h, at: h.clock.Now(), game: bytes.Clone(gameRecord(h))}
	if err := h.store.Close(); err != nil {
		h.Fatal(err)
	}
	var err error
	if s.file, err = os.ReadFile(h.path); err != nil {
		h.Fatal(err)
	}
	h.open()
	return s
}

func gameRecord(h *testOffice) (record []byte) {
	if err := h.store.Read(context.Background(), func(tx store.Reader) error { record = tx.Game("lot-1"); return nil }); err != nil {
		h.Fatal(err)
	}
	return record
}

// rested lets the office forget whom it has answered how often.
func (s *stage) rested() {
	fresh, err := New(s.store, s.office.words, nil, s.opt)
	if err != nil {
		s.Fatal(err)
	}
	s.office.counts = fresh.counts
}

// back sets the stage up anew if something on it has changed.
func (s *stage) back(t testing.TB) {
	s.post.sent = nil
	if s.runs++; s.runs < mostRuns && bytes.Equal(gameRecord(s.testOffice), s.game) {
		return
	}
	if err := s.store.Read(context.Background(), func(tx store.Reader) error { return store.Verify(tx, "lot-1") }); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	// A new file: to write over the old one would wait for the disk.
	if err := errors.Join(os.Remove(s.path), os.WriteFile(s.path, s.file, 0o600)); err != nil {
		t.Fatal(err)
	}
	s.runs = 0
	s.clock.move(s.at.Sub(s.clock.Now()))
	s.open()
}

// A level is how sure a game wants to be of who wrote a letter.
type level struct {
	proof string
	set   func(h *testOffice) (setup string)                        // changes the office, and gives the set-up
	sign  func(h *testOffice, raw []byte) []byte                    // makes a letter of Red's a proven one
	holds func(h *testOffice, letter *mail.Letter, key string) bool // whether a letter of Red's, who has that key, may change the game
}

func roadLevels(t testing.TB) map[string]level {
	der, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte("k"), ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	domain, err := mail.NewDKIMKey("play.example", "s1", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	if err != nil {
		t.Fatal(err)
	}
	lookup := func(_ context.Context, name string) ([]string, error) {
		if name == domain.Name() {
			return []string{domain.Record()}, nil
		}
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	hasKey := func(_ *testOffice, l *mail.Letter, key string) bool { return intake.KeyAt(wordsOf(l), key, 0) >= 0 }
	return map[string]level{
		game.ProofAddress: {game.ProofAddress, func(*testOffice) string { return twoSides }, nil, func(*testOffice, *mail.Letter, string) bool { return true }},
		game.ProofKey:     {game.ProofKey, func(*testOffice) string { return twoSides }, nil, hasKey},
		game.ProofDKIM: {game.ProofDKIM, func(h *testOffice) string {
			h.opt.LookupTXT, h.opt.TrustedServers = lookup, []string{"mx.club.example"}
			return twoSides
		}, func(h *testOffice, raw []byte) []byte {
			out, err := domain.Sign(raw)
			if err != nil {
				h.Fatal(err)
			}
			return out
		}, func(h *testOffice, l *mail.Letter, key string) bool {
			return hasKey(h, l, key) && l.ProveDomain(context.Background(), lookup) == nil
		}},
		game.ProofSigned: {game.ProofSigned, func(h *testOffice) string {
			red, gm := roadPen(h, "red"), roadPen(h, "gm")
			return strings.NewReplacer("gm: {name: Gina, address: gm@club.example}", "gm:\n  name: Gina\n  address: gm@club.example\n  pgp-key: |\n"+gm.public(4),
				"red: {name: Rosa, address: red@play.example, language: en, zone: Europe/Rome}",
				"red:\n    name: Rosa\n    address: red@play.example\n    language: en\n    zone: Europe/Rome\n    pgp-key: |\n"+red.public(6)).Replace(twoSides)
		}, func(h *testOffice, raw []byte) []byte {
			head, body, _ := bytes.Cut(raw, []byte("Content-Type:"))
			_, text, _ := strings.Cut(string(body), "\r\n\r\n")
			return append(head, roadPen(h, "red").mime(strings.ReplaceAll(text, "\r\n", "\n"))...)
		}, func(h *testOffice, l *mail.Letter, key string) bool {
			_, err := l.ProveSignature(roadPen(h, "red").public(0), h.clock.Now().Add(time.Hour))
			return hasKey(h, l, key) && err == nil
		}},
	}
}

// roadPen is a key that is the same in every process: a worker must know what
// another one signed.
func roadPen(h *testOffice, name string) *pen {
	h.Helper()
	file := filepath.Join("testdata", "pens", name+".asc")
	if *updateRoad {
		p := newPen(h, h, name+"@pens.example")
		var b bytes.Buffer
		w, err := armor.Encode(&b, openpgp.PrivateKeyType, nil)
		if err == nil {
			err = p.entity.SerializePrivateWithoutSigning(w, &packet.Config{})
		}
		if err = errors.Join(err, w.Close(), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, b.Bytes(), 0o644)); err != nil {
			h.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		h.Fatal(err)
	}
	ring, err := openpgp.ReadArmoredKeyRing(bytes.NewReader(data))
	if err != nil || len(ring) != 1 {
		h.Fatalf("%d keys, %v", len(ring), err)
	}
	return &pen{h, ring[0], h.clock.Now}
}

func roadStage(t testing.TB, l level) *stage {
	h := newTestOffice(t)
	h.opt.AnswerStrangers = true
	setup := l.set(h)
	h.restart()
	if l.proof != game.ProofKey {
		setup += "proof: " + l.proof + "\n"
	}
	h.newGame(setup)
	return newStage(h)
}

// FuzzRoad and the targets like it go the whole way: raw bytes, what is read of them, what
// the office does, and the letters that go out. There is one target for each level of proof.
// See [stage.road] for what must hold.
func FuzzRoad(f *testing.F)        { roads(f, game.ProofKey) }
func FuzzRoadAddress(f *testing.F) { roads(f, game.ProofAddress) }
func FuzzRoadDKIM(f *testing.F)    { roads(f, game.ProofDKIM) }
func FuzzRoadSigned(f *testing.F)  { roads(f, game.ProofSigned) }

func roads(f *testing.F, proof string) {
	l := roadLevels(f)[proof]
	s := roadStage(f, l)
	for _, raw := range roadSeeds(f, s, l) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) { s.road(t, l, raw) })
}

// roadSeeds are letters as programs write them, and such as the level wants.
func roadSeeds(t testing.TB, s *stage, l level) [][]byte {
	var all [][]byte
	for _, pattern := range []string{"../mail/testdata/road/*.eml", "../mail/testdata/read/*.eml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(raw) > 64<<10 || l.proof != game.ProofKey && i%4 != 0 {
				continue // too long to be changed much; and the other levels read them alike
			}
			all = append(all, raw)
		}
	}
	k := key(s.testOffice, "lot-1", "red")
	for _, text := range []string{
		"game: lot-1\nside: red\nstop: 1 bid\nkey: " + k + "\norders: {bid: R-1}\n",
		"game: lot-1\nside: red\nstop: 1 bid\nkey: " + k + "\ndraft: yes\norders: {bid: R-9}\nnote: |\n  to you\n",
		"game: lot-1\nkey: " + k + "\ncommand: press\nto: blue\ntext: |\n  Hello\n  ====\n",
		"game: lot-1\nkey: " + k + "\ncommand: new-key\n", "game: lot-1\nkey: " + k + "\ncommand: history\n", "game: lot-1\nkey: " + k + "\ncommand: vacation\nfrom: 2026-03-10\nto: 2026-03-12\n",
		"game: lot-1\nkey: " + k + "\ncommand: what-if\norders: {bid: R-1}\n",
	} {
		raw := s.raw(redAt, plainBody(text))
		all = append(all, raw)
		if l.sign != nil {
			all = append(all, l.sign(s.testOffice, raw))
		}
	}
	return all
}

// What the office itself writes into the head of a letter.
var ourFields = []string{"From", "To", "Subject", "Date", "Message-Id", "In-Reply-To", "References", "Auto-Submitted", "X-Auto-Response-Suppress",
	"X-Berthier-Loop", "X-Berthier-Entry", "Mime-Version", "Content-Type", "Content-Transfer-Encoding"}

// road brings one letter. Whatever is in it, the office does not panic, and
//   - the game changes by a letter from a player only if it is proven as the game
//     asks for; by a letter from nobody who takes part, never;
//   - who takes part and wrote something that can be read is answered, or what he
//     wrote is done;
//   - letters go to those who take part, and to the stranger who wrote, to none else;
//   - no answer is sent to a machine;
//   - a letter that goes out is sound mail with the office's own fields, one line
//     each, to one address, in UTF-8 without control characters and characters that
//     turn the direction of writing;
//   - nobody reads another's key, or another's address that he did not know.
func (s *stage) road(t *testing.T, l level, raw []byte) {
	h := s.testOffice
	h.TB = t // within a target, what fails is the input's
	keys := map[string]string{redAt: key(h, "lot-1", "red"), blueAt: key(h, "lot-1", "blue"), gmAt: key(h, "lot-1", "gm")}
	s.rested()
	defer s.back(t)
	letter, readErr := mail.Read(raw, h.office.Own())
	var unreadable *mail.UnreadableError
	if readErr != nil && !errors.As(readErr, &unreadable) {
		t.Fatal(readErr)
	}
	from := mailbox.Clean(letter.From.Addr)
	_, takesPart := keys[from]
	seen, _, err := (&arrival{office: h.office, Letter: intake.Letter{Mail: letter, Now: h.office.now(), From: from}}).known()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := h.office.Handle(context.Background(), mail.Incoming{Raw: raw, Size: int64(len(raw))})
	if err != nil || folder != mail.Processed && folder != mail.Rejected {
		t.Fatalf("folder %s, %v", folder, err)
	}
	note := ""
	if err := h.store.Read(context.Background(), func(tx store.Reader) error {
		data, _ := tx.Marked(letter.Digest)
		note = string(data)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(note, `"panic"`) {
		t.Fatal("the letter made the office fall")
	}
	changed := !bytes.Equal(gameRecord(h), s.game)
	if _, err := h.office.Send(context.Background(), h.post); err != nil {
		t.Fatal(err)
	}
	answered := 0
	for _, p := range h.post.sent {
		own, reader := keys[p.to]
		if !reader && p.to != from {
			t.Fatalf("a letter to %q", p.to)
		}
		if p.to == from {
			answered++
		}
		checkSent(t, p)
		words := wordsOf(p.letter)
		for at, k := range keys {
			if k != own && at != p.to && intake.KeyAt(words, k, 0) >= 0 {
				t.Fatalf("%s has the key of %s", p.to, at)
			}
			if intake.KeyAt(p.letter.Subject, k, 0) >= 0 {
				t.Fatalf("a key in the subject %q", p.letter.Subject)
			}
			if at != p.to && at != gmAt && p.to != gmAt && p.to != from && strings.Contains(strings.ToLower(words), at) && !bytes.Contains(bytes.ToLower(raw), []byte(at[:4])) {
				t.Fatalf("%s reads the address %s:\n%s", p.to, at, words)
			}
		}
	}
	machine := letter.Automatic != "" || letter.Bounce != nil
	if machine && answered > 0 {
		t.Fatalf("a machine was answered: %s", letter.Automatic)
	}
	// Of bounces, those of letters that the office sent count against an address.
	if changed && letter.Bounce == nil {
		switch {
		case machine:
			t.Fatalf("a machine changed the game: %s", letter.Automatic)
		case !takesPart:
			t.Fatalf("%q changed the game", from)
		case from == redAt && !l.holds(h, letter, keys[redAt]):
			t.Fatalf("a letter that is not proven by %s changed the game", l.proof)
		}
	}
	readable := readErr == nil || unreadable.Reason == mail.UnreadableDepth || unreadable.Reason == mail.UnreadableParts || unreadable.Reason == mail.UnreadableSize
	if takesPart && readable && !machine && !seen && answered == 0 && !changed && !strings.Contains(note, `"command`) && !strings.Contains(note, `"taken`) {
		t.Fatalf("neither done nor answered: %s, %s", folder, note)
	}
}

// checkSent demands that a letter that goes out is one that nobody can misread.
func checkSent(t *testing.T, p posted) {
	t.Helper()
	for line := range bytes.Lines(p.raw) {
		if len(line) > 1000 || !bytes.HasSuffix(line, []byte("\r\n")) || bytes.Count(line, []byte("\r")) != 1 {
			t.Fatalf("line %q", line)
		}
	}
	m, err := netmail.ReadMessage(bytes.NewReader(p.raw))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range m.Header {
		if !slices.Contains(ourFields, name) || len(values) != 1 {
			t.Fatalf("field %s: %q", name, values)
		}
	}
	to, err := netmail.ParseAddressList(m.Header.Get("To"))
	wire, wireErr := mailbox.Wire(p.to)
	if err != nil || wireErr != nil || len(to) != 1 || !strings.EqualFold(to[0].Address, wire) {
		t.Fatalf("goes to %s and says %q, %v", p.to, m.Header.Get("To"), err)
	}
	// Whatever is in the letter, its field and its foot name the same entry.
	if entry := m.Header.Get(mail.EntryHeader); entry != "" {
		f, err := intake.ReadFoot(entry)
		below := intake.FootOf(p.letter)
		if err != nil || below == nil || below.Game != f.Game || below.Hash != f.Hash || below.Entry != f.Entry {
			t.Fatalf("its field says %q (%v), its foot %+v", entry, err, below)
		}
	} else if below := intake.FootOf(p.letter); below != nil {
		t.Fatalf("without a field its foot says %+v", below)
	}
	texts := []string{p.letter.Subject, p.letter.From.Name}
	for _, part := range p.letter.Parts {
		texts = append(texts, part.Text, part.Name)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			t.Fatalf("not UTF-8: %q", text)
		}
		for _, c := range text {
			if unicode.IsControl(c) && c != '\n' && c != '\t' || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
				t.Fatalf("%q in a letter:\n%s", c, text)
			}
		}
	}
}

// At each level Red's plain letter does what the level says: it counts, or it is
// answered with what is missing; with the proof it counts.
func TestRoadLevels(t *testing.T) {
	for name, l := range roadLevels(t) {
		t.Run(name, func(t *testing.T) {
			s := roadStage(t, l)
			order := s.raw(redAt, plainBody("game: lot-1\nside: red\nstop: 1 bid\nkey: "+key(s.testOffice, "lot-1", "red")+"\norders: {bid: R-1}\n"))
			bare := s.raw(redAt, plainBody("game: lot-1\nside: red\nstop: 1 bid\norders: {bid: R-1}\n"))
			for _, c := range []struct {
				raw  []byte
				want mail.Folder
			}{{bare, map[bool]mail.Folder{true: mail.Processed, false: mail.Rejected}[name == game.ProofAddress]},
				{order, map[bool]mail.Folder{true: mail.Rejected, false: mail.Processed}[l.sign != nil]}} {
				s.rested()
				s.handle(c.raw, c.want)
				s.one(s.deliver(redAt))
				s.runs = mostRuns // the stage is set up anew
				s.back(t)
				s.seen = map[string]int{}
			}
			if l.sign != nil {
				s.handle(l.sign(s.testOffice, order), mail.Processed)
				s.says(s.one(s.deliver(redAt)), "bid: R-1")
			}
		})
	}
}

// BenchmarkRoad: what a letter costs the office, from its bytes to the answer.
func BenchmarkRoad(b *testing.B) {
	for _, name := range intake.Levels {
		b.Run(name, func(b *testing.B) {
			l := roadLevels(b)[name]
			s := roadStage(b, l)
			seeds := roadSeeds(b, s, l)
			n := 0
			for b.Loop() {
				raw := seeds[n%len(seeds)]
				n++
				s.rested()
				if _, err := s.office.Handle(context.Background(), mail.Incoming{Raw: raw, Size: int64(len(raw))}); err != nil {
					b.Fatal(err)
				}
				if _, err := s.office.Send(context.Background(), s.post); err != nil {
					b.Fatal(err)
				}
				s.back(b)
			}
		})
	}
}
