package adjudicator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"
	"testing"
	"unicode/utf8"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/mail"
)

// FuzzSetup: a set-up, as a game master sends it, makes a game, or each of its
// faults is told at a place in it; and the game that it makes is one that can be
// looked at from every side.
func FuzzSetup(f *testing.F) {
	for _, s := range []string{
		twoSides, strings.Replace(twoSides, "lot-1", "LOT-1\u202e", 1), twoSides + "proof: address\npress: through-gm\n", twoSides + "deadlines:\n  bid: {every: 2d, at: \"20:00\", grace: 1d}\nladder: [default, bot]\n",
		twoSides + "holidays: [2026-12-24 .. 2026-12-26]\nsecond-thoughts: 30m\nobservers: [{name: O, address: o@x.example}]\n", "game: &a x\nsystem: *a\n", "game: x\nsystem: lots\nseats: {}\n",
		strings.Replace(twoSides, "{rounds: 3}", "{rounds: 99999999999999999999}", 1), strings.Replace(twoSides, "Rosa", "\"R\\r\\nBcc: x\"", 1), strings.Replace(twoSides, "red@play.example", "\"a@b, c@d\"", 1),
		"partita: x\nsistema: lots\nscadenza: 3g\n",
	} {
		f.Add(s)
	}
	h := newTestOffice(f)
	stage := newStage(h)
	f.Fuzz(func(t *testing.T, text string) {
		h.TB = t
		s, problems := h.office.Clerk().ReadSetup(text, nil)
		for _, p := range problems {
			if p.Why.IsZero() || p.Line < 0 || p.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+strings.Count(text, "\u2028")+strings.Count(text, "\u2029")+
				strings.Count(text, "\u0085")+strings.Count(text, "\v")+2 {
				t.Fatalf("%+v", p)
			}
		}
		if len(problems) > 0 {
			return
		}
		if err := h.office.Clerk().NewGame(context.Background(), s); err != nil {
			return // such as one that there is
		}
		g := h.record(s.Game)
		if !intake.GameID.MatchString(g.ID) {
			t.Fatalf("a game %q", g.ID)
		}
		h.flush()
		for _, p := range h.post.sent {
			checkSent(t, p)
			if at, ok := addressIn(g, p.to); !ok {
				t.Fatalf("a letter to %q, who is none of %v", p.to, at)
			}
		}
		stage.runs = mostRuns
		stage.back(t)
	})
}

// addressIn tells whether an address belongs to somebody in a game.
func addressIn(g *game.State, address string) (all []string, ok bool) {
	all = []string{g.GM.Address}
	for _, s := range g.Seats {
		all = append(all, s.Person.Address)
	}
	for _, o := range g.Observers {
		all = append(all, o.Person.Address)
	}
	for _, a := range all {
		if a == address {
			return all, true
		}
	}
	return all, false
}

// FuzzExport: what somebody hands in as the export of a game is verified, or
// refused; it never passes for that game unless it says what the log says.
func FuzzExport(f *testing.F) {
	h := newTestOffice(f)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 1", 1))
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	var whole []byte
	entries := 0
	for _, side := range []engine.Side{engine.GM, "red"} {
		x, err := h.office.Clerk().Export("lot-1", side)
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		if err := x.Write(&b); err != nil {
			f.Fatal(err)
		}
		if f.Add(b.Bytes()); side == engine.GM {
			whole, entries = b.Bytes(), len(x.Entries)
		}
	}
	last := func(x *log.Export) string { return x.Entries[len(x.Entries)-1].Hash }
	genuine, err := log.ReadExport(whole)
	if err != nil {
		f.Fatal(err)
	}
	if v, err := verify.Game(genuine, []engine.Ruleset{h.rules}); err != nil || !v.Sound() {
		f.Fatalf("%+v, %v", v, err)
	}
	f.Add(bytes.Replace(whole, []byte("R-1"), []byte("R-2"), 1))
	f.Add([]byte("berthier-export: 1\nentries: [{n: 1, hash: x}]\n"))
	f.Add([]byte("berthier-export: 1\ngame: &a [x, x]\nseen: [*a, *a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := log.ReadExport(data)
		if err != nil {
			if x != nil {
				t.Fatal("an export with an error")
			}
			return
		}
		v, err := verify.Game(x, []engine.Ruleset{h.rules})
		if err != nil {
			return
		}
		// The log's last hash stands for all before it.
		if v.Sound() && last(x) == last(genuine) {
			if len(x.Entries) != entries {
				t.Fatalf("%d entries pass for %d", len(x.Entries), entries)
			}
			for i, e := range x.Entries {
				if e.Body != "" && e.Body != genuine.Entries[i].Body || e.Private != "" && e.Private != genuine.Entries[i].Private {
					t.Fatalf("entry %d passes as %q", e.N, e.Body)
				}
			}
		}
		if !utf8.ValidString(v.Game) {
			t.Fatalf("game %q", v.Game)
		}
	})
}

// FuzzGM sends what a game master may send with his key, in his own words: rulings,
// positions that he edits, new players, set-ups. Nothing panics, the log stays whole, and
// what goes out is sound.
func FuzzGM(f *testing.F) {
	h := newTestOffice(f)
	h.newGame(twoSides)
	s := newStage(h)
	gm, office := key(h, "lot-1", engine.GM), h.officeKey(gmAt)
	for _, text := range []string{
		"command: position\n", "command: rule\nreason: so\nset: {}\n", "command: rule\nreason: so\npreview: no\nposition: {round: 2}\n", "command: rule\nreason: \"x\\ny\"\nrewind: 1\n",
		"command: rewind\nto: 1\nreason: x\n", "command: extend\nby: 2d\n", "command: replace\nside: red\naddress: a@b.example\nname: \"A\\u202e\"\n", "command: pause\n", "command: resume\n",
		"command: close\nreason: done\n", "command: press\nto: all\ntext: hello\n", "command: public-key\nside: red\npgp-key: |\n  x\n", "command: new-key\nside: red\n", "command: remind\n",
		"command: observer\nname: O\naddress: o@x.example\n", "command: log\n", "command: rule\nreason: r\nposition: {red: {units: &a [*a]}}\n", "command: default\nside: red\n",
	} {
		f.Add(text, false)
	}
	f.Add("command: new\nsetup:\n"+strings.ReplaceAll(strings.ReplaceAll(twoSides, "lot-1", "lot-2"), "\n", "\n  "), true)
	f.Fuzz(func(t *testing.T, text string, toOffice bool) {
		h.TB = t
		s.rested()
		defer s.back(t)
		k := gm
		head := "game: lot-1\nkey: "
		if toOffice {
			head, k = "key: ", office
		}
		l := &mail.Letter{From: mail.Address{Addr: gmAt}, Date: h.clock.Now(), Digest: sha256.Sum256([]byte(text)),
			Parts: []mail.Part{{Kind: mail.Plain, Type: "text/plain", Text: head + k + "\n" + text}}}
		l.MessageID = ""
		folder, err := h.office.Take(context.Background(), l)
		if err != nil || folder == mail.Leave {
			t.Fatalf("%s, %v", folder, err)
		}
		h.flush()
		for _, p := range h.post.sent {
			checkSent(t, p)
			if p.to != gmAt && (intake.KeyAt(wordsOf(p.letter), gm, 0) >= 0 || intake.KeyAt(wordsOf(p.letter), office, 0) >= 0) {
				t.Fatalf("%s has the game master's key", p.to)
			}
		}
		for _, side := range []engine.Side{"red", "blue"} {
			if _, err := h.office.Clerk().Position("lot-1", side); err != nil {
				t.Fatal(err)
			}
		}
	})
}
