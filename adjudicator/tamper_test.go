package adjudicator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/log/logtest"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// ruledGame is a game that was ruled on, rewound, ended and taken up again, and is
// over: with two seeds.
func ruledGame(t testing.TB) *testOffice {
	t.Helper()
	return begin(t, "ruled", func(t testing.TB) *testOffice { return ruledOn(fiveRounds(t)) })
}

// ruledOn plays that game in an office where three of its rounds are played.
func ruledOn(h *testOffice) *testOffice {
	h.Helper()
	_, was := h.resolutions("lot-1")
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: I saw it"), mail.Processed)
	h.rule("command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", was[0].Rolls[0].Result%6+1), "reason: r")
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: r")
	h.both()
	h.rule("command: rule", "outcome: [red]", "reason: r")
	h.rule("command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRuling)), "reason: r")
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	return h
}

// found tells whether an export, or the letters of a player held against it, show
// that something was changed.
func (h *testOffice) found(x *log.Export) bool {
	v, err := verify.Game(x, []engine.Ruleset{h.rules})
	if err != nil || !v.Sound() {
		return true
	}
	return len(VerifyLetters(x, h.mails(redAt)).Wrong) > 0
}

// One byte of any entry of the log, whatever its kind: of its body, its private part,
// its salt, its hash. Each is found in the export of the game master's and in that of
// a player's.
func TestTamperOneByteOfAnyEntry(t *testing.T) {
	withoutRace(t)
	h := ruledGame(t)
	chance := rand.New(rand.NewPCG(1, 2))
	flip := func(text string) string {
		b := []byte(text)
		i := chance.IntN(len(b))
		for was := b[i]; b[i] == was; {
			b[i] = "0123456789abcdef"[chance.IntN(16)]
		}
		return string(b)
	}
	for _, side := range []engine.Side{engine.GM, "red"} {
		x := h.export("lot-1", side)
		kinds := map[string]bool{}
		for i := range x.Entries {
			e := &x.Entries[i]
			for name, field := range map[string]*string{
				"body": &e.Body, "salt": &e.Salt, "digest": &e.Digest, "hash": &e.Hash,
				"private part": &e.Private, "private salt": &e.PrivateSalt, "private digest": &e.PrivateDigest,
			} {
				if *field == "" {
					continue
				}
				was := *field
				*field = flip(was)
				if c := verify.Chain(x); len(c.Wrong) == 0 {
					t.Errorf("%s: one byte of the %s of entry %d is another, and nothing is found", side, name, e.N)
				}
				*field = was
			}
			if read, err := log.Read(chain.Entry{Body: []byte(e.Body), Private: []byte(e.Private)}, nil); err == nil {
				kinds[read.Kind] = true
			}
		}
		if v := h.verify(x); !v.Sound() {
			t.Fatalf("the test has left the export spoilt: %+v", v)
		}
		for _, kind := range []string{log.KindSetup, log.KindTaken, log.KindDispute, log.KindRuling, log.KindRewound, log.KindResolved, log.KindOver} {
			if !kinds[kind] {
				t.Errorf("%s: no entry %s was tried", side, kind)
			}
		}
	}
}

// One character of an exported file, anywhere in it: reading it fails, or verifying
// it does, or the file says the same as before.
func TestTamperOneByteOfTheFile(t *testing.T) {
	withoutRace(t)
	h := ruledGame(t)
	var b bytes.Buffer
	if err := h.export("lot-1", engine.GM).Write(&b); err != nil {
		t.Fatal(err)
	}
	sound := b.Bytes()
	was, err := log.ReadExport(sound)
	if err != nil {
		t.Fatal(err)
	}
	// What tells of the game and is no evidence: a title, who asked, its state.
	was.Title, was.For, was.State = "", "", ""
	chance := rand.New(rand.NewPCG(3, 4))
	tries := 400
	if !fullSamples {
		tries = 60
	}
	for range tries {
		i := chance.IntN(len(sound))
		spoilt := bytes.Clone(sound)
		if spoilt[i] ^= byte(1 << chance.IntN(7)); spoilt[i] == '\r' || sound[i] == '\n' {
			continue
		}
		x, err := log.ReadExport(spoilt)
		if err != nil || h.found(x) {
			continue
		}
		x.Title, x.For, x.State = "", "", ""
		one, _ := json.Marshal(was)
		other, _ := json.Marshal(x)
		if !bytes.EqualFold(one, other) { // hexadecimal digits may be of either case
			t.Errorf("byte %d: %q became %q and nothing is found", i, sound[max(0, i-40):i+1], spoilt[max(0, i-40):i+1])
		}
	}
}

// forged is a change that a forger makes to a sound export, after which he makes the
// hashes fit again.
func forged(t *testing.T, h *testOffice, name string, of func(*testOffice) *log.Export, spoil func(*testing.T, *log.Export)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		x := of(h)
		spoil(t, x)
		logtest.Rechained(t, x)
		if !h.found(x) {
			t.Error("nothing is found")
		}
		if c := VerifyLetters(x, h.mails(blueAt)); len(c.Wrong) == 0 {
			t.Error("the letters of the other player fit a log that was forged")
		}
	})
}

// A forgery whose hashes were all made to fit is found by the seed, by playing the game again,
// or at the latest by the letters that players have.
func TestForgedLogs(t *testing.T) {
	withoutRace(t)
	h := ruledGame(t)
	gm := func(h *testOffice) *log.Export { return h.export("lot-1", engine.GM) }
	rolls := func(r *log.Resolved) bool { return len(r.Rolls) > 0 && len(r.Ruled) == 0 }
	any := func(*log.Resolved) bool { return true }
	alone := func(h *testOffice, x *log.Export) bool { // found without letters
		v, err := verify.Game(x, []engine.Ruleset{h.rules})
		return err != nil || !v.Sound() || len(v.Differ) > 0
	}
	forged(t, h, "a die", gm, func(t *testing.T, x *log.Export) {
		logtest.ResolvedWith(t, x, rolls, func(r *log.Resolved) { r.Rolls[0].Result = r.Rolls[0].Result%6 + 1 })
	})
	forged(t, h, "a die marked as ruled on", gm, func(t *testing.T, x *log.Export) {
		logtest.ResolvedWith(t, x, rolls, func(r *log.Resolved) {
			r.Rolls[0].Result = r.Rolls[0].Result%6 + 1
			r.Ruled = map[int]int{1: r.Rolls[0].Result}
		})
	})
	forged(t, h, "orders", gm, func(t *testing.T, x *log.Export) {
		logtest.ResolvedWith(t, x, any, func(r *log.Resolved) { r.Answers[0].Orders += "# later\n" })
	})
	forged(t, h, "orders with their hash", gm, func(t *testing.T, x *log.Export) {
		logtest.ResolvedWith(t, x, rolls, func(r *log.Resolved) {
			r.Answers[0].Orders = regexp.MustCompile(`R-\d`).ReplaceAllString(r.Answers[0].Orders, "R-4")
			hash := log.HashOrders(r.Answers)
			r.Orders = fmt.Sprintf("%x", hash)
		})
	})
	forged(t, h, "what was told", gm, func(t *testing.T, x *log.Export) {
		logtest.ResolvedWith(t, x, any, func(r *log.Resolved) { r.Events = nil })
	})
	forged(t, h, "a position", gm, func(t *testing.T, x *log.Export) {
		logtest.ResolvedWith(t, x, any, func(r *log.Resolved) { r.Position = strings.Repeat("0", 64) })
	})
	forged(t, h, "the file that was taken", gm, func(t *testing.T, x *log.Export) {
		for i := range x.Entries {
			if e := &x.Entries[i]; strings.Contains(e.Body, `"kind":"taken"`) {
				e.Private = strings.Replace(e.Private, `"file":"`, `"file":"# `, 1)
				return
			}
		}
		t.Fatal("no file")
	})
	forged(t, h, "a ruling's reason", gm, func(t *testing.T, x *log.Export) {
		for i := range x.Entries {
			if e := &x.Entries[i]; strings.Contains(e.Body, `"kind":"ruling"`) {
				e.Body = strings.Replace(e.Body, `"reason":"r"`, `"reason":"they asked for it"`, 1)
				return
			}
		}
		t.Fatal("no ruling")
	})
	forged(t, h, "an entry dropped", gm, func(t *testing.T, x *log.Export) { x.Entries = slices.Delete(x.Entries, 5, 6) })
	forged(t, h, "the last but one entry dropped", gm, func(t *testing.T, x *log.Export) {
		x.Entries = slices.Delete(x.Entries, len(x.Entries)-2, len(x.Entries)-1)
	})
	forged(t, h, "entries in another order", gm, func(t *testing.T, x *log.Export) {
		x.Entries[4], x.Entries[5] = x.Entries[5], x.Entries[4]
	})
	forged(t, h, "an entry twice", gm, func(t *testing.T, x *log.Export) { x.Entries = slices.Insert(x.Entries, 5, x.Entries[4]) })
	forged(t, h, "a player's export", func(h *testOffice) *log.Export { return h.export("lot-1", "red") }, func(t *testing.T, x *log.Export) {
		logtest.ResolvedWith(t, x, any, func(r *log.Resolved) { r.Events = nil })
	})

	// The seeds, and entries without the hashes made to fit.
	for name, spoil := range map[string]func(*log.Export){
		"another seed":           func(x *log.Export) { x.Seeds[0] = strings.Repeat("00", 32) },
		"another second seed":    func(x *log.Export) { x.Seeds[1] = x.Seeds[0] },
		"a seed left out":        func(x *log.Export) { x.Seeds = x.Seeds[:1] },
		"a seed too many":        func(x *log.Export) { x.Seeds = append(x.Seeds, x.Seeds[0]) },
		"seeds in another order": func(x *log.Export) { slices.Reverse(x.Seeds) },
		"another commitment":     func(x *log.Export) { x.Commitment = strings.Repeat("00", 32) },
		"another game's name":    func(x *log.Export) { x.Game = "lot-2" },
		"an entry dropped":       func(x *log.Export) { x.Entries = slices.Delete(x.Entries, 5, 6) },
		"an entry dropped, the rest renumbered": func(x *log.Export) {
			x.Entries = slices.Delete(x.Entries, 5, 6)
			for i := range x.Entries {
				x.Entries[i].N = uint64(i + 1)
			}
		},
		"the end cut off":          func(x *log.Export) { x.Entries = x.Entries[:len(x.Entries)-3] },
		"entries in another order": func(x *log.Export) { x.Entries[4], x.Entries[5] = x.Entries[5], x.Entries[4] },
		"a seed and its commitment, hashes made to fit": func(x *log.Export) {
			old, seed := x.Commitment, bytes.Repeat([]byte{7}, 32)
			x.Seeds[0] = fmt.Sprintf("%x", seed)
			x.Commitment = log.Commitment(seed)
			x.Entries[0].Body = strings.Replace(x.Entries[0].Body, old, x.Commitment, 1)
			logtest.Rechained(t, x)
		},
	} {
		x := h.export("lot-1", engine.GM)
		spoil(x)
		if !alone(h, x) && len(VerifyLetters(x, h.mails(redAt)).Wrong) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
	}
}

// A letter that was changed by one character, in its hash or in what it publishes of
// the dice, no longer fits the log; nor does one of another game of the same name.
func TestTamperLetters(t *testing.T) {
	withoutRace(t)
	h := ruledGame(t)
	x := h.export("lot-1", engine.GM)
	letters := h.mails(redAt)
	if c := VerifyLetters(x, letters); len(c.Wrong) > 0 || c.Count < 8 {
		t.Fatalf("%+v", c)
	}
	hash, published := 0, 0
	for name, raw := range letters {
		for _, c := range []struct {
			of    *regexp.Regexp
			count *int
		}{{hashInLetter, &hash}, {regexp.MustCompile(`\b()([0-9a-f]{64})\b`), &published}} {
			spoilt := bytes.Clone(raw)
			at := c.of.FindIndex(spoilt)
			if at == nil {
				continue
			}
			if last := &spoilt[at[1]-1]; *last == '0' {
				*last = '1'
			} else {
				*last = '0'
			}
			if c := VerifyLetters(x, map[string][]byte{name: spoilt}); len(c.Wrong) == 0 {
				t.Errorf("%s: nothing is found", name)
			}
			*c.count++
		}
	}
	if hash < 8 || published < 3 {
		t.Errorf("%d hashes and %d seeds or commitments were tried", hash, published)
	}
	other := ruledOn(playFive(t)) // with salts of its own
	if c := VerifyLetters(other.export("lot-1", engine.GM), letters); len(c.Wrong) < 8 {
		t.Errorf("letters of another game of the same name fit: %+v", c)
	}
}

// The first letter to each player has the commitment, and no letter before the end the
// seed, or the number of an entry of the log. The last one has both.
func TestCommitmentFirstSeedLast(t *testing.T) {
	h := playedGame(t)
	g := h.record("lot-1")
	seed, promise := fmt.Sprintf("%x", g.Seed), log.Commitment(g.Seed)
	for _, address := range []string{redAt, blueAt} {
		var texts []string
		for _, p := range h.post.sent {
			if p.to == address {
				texts = append(texts, wordsOf(p.letter))
			}
		}
		for i, text := range texts {
			if has := strings.Contains(text, seed); has != (i == len(texts)-1) {
				t.Errorf("letter %d of %d to %s has the seed: %v", i+1, len(texts), address, has)
			}
			if has := entryInLetter.MatchString(text); has != (i == len(texts)-1) {
				t.Errorf("letter %d of %d to %s has the number of an entry: %v", i+1, len(texts), address, has)
			}
		}
		if !strings.Contains(texts[0], promise) {
			t.Errorf("the first letter to %s lacks the commitment:\n%s", address, texts[0])
		}
	}
}
