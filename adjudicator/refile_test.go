package adjudicator

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
	"berthier/orders"
)

// rawLetter is a letter as the mailbox has it.
func (h *testOffice) rawLetter(from, head, body string) []byte {
	h.count++
	return fmt.Appendf(nil, "From: %s\r\nTo: orders@club.example\r\nSubject: Re: [lot-1] orders\r\nDate: %s\r\nMessage-ID: <raw-%d@%s>\r\nMIME-Version: 1.0\r\n%s\r\n%s",
		from, h.clock.Now().Format(time.RFC1123Z), h.count, "mua.example", head, strings.ReplaceAll(body, "\n", "\r\n"))
}

const plainHead = "Content-Type: text/plain; charset=utf-8\r\n"

// blob is what the store keeps under the digest of some bytes.
func (h *testOffice) blob(raw []byte) (data []byte) {
	h.store.Read(context.Background(), func(tx store.Reader) error { data = tx.Blob(letterDigest(raw)); return nil })
	return data
}

// A letter that can't be read is kept as it came. The game master files it again. It does
// not count as it is; he lets it count with what it says, at the open stop, and also when
// the stop was resolved without it long ago. The log has all of this, and verifies.
func TestALetterThatNobodyCouldReadIsFiledAgain(t *testing.T) {
	for _, late := range []bool{false, true} {
		h := longGame(t)
		raw := h.rawLetter(redAt, plainHead, "Dear all, I bid my third, R-3. Rosa\n")
		came := h.clock.Now()
		h.handle(raw, mail.Rejected)
		h.deliver(redAt)
		h.restart()
		if late {
			h.clock.move(time.Hour)
			h.write(blueAt, fill(h.template(blueAt), "{offri: B-1}"), mail.Processed)
			h.clock.move(20 * 24 * time.Hour)
			h.tick()
			if g := h.record("lot-1"); g.Stop < 2 {
				t.Fatalf("the game is at stop %d", g.Stop)
			}
			h.deliver(redAt)
		}
		h.says(h.ask(mail.Processed, "command: show"), "One letter of a player's could not be read")
		h.says(h.ask(mail.Processed, "command: refile"), "red", "Re: [lot-1] orders", came.Format("2006-01-02 15:04"))
		before := len(h.kinds("lot-1"))
		l := h.ask(mail.Processed, "command: refile", "letter: 1")
		h.says(l, "does not count as it is", "I bid my third, R-3")
		h.silent(redAt)
		kinds := h.kinds("lot-1")[before:]
		if !slices.Equal(kinds, []string{log.KindRefiled, log.KindRefused}) {
			t.Fatalf("the log has %q", kinds)
		}
		if !bytes.Equal(h.blob(raw), raw) {
			t.Error("the letter is not kept as it came")
		}
		h.says(h.ask(mail.Rejected, "command: refile", "letter: 1"), "No letter 1")
		h.says(h.ask(mail.Processed, "command: refile"), "No letter of a player's")
		entry := h.lastEntry(log.KindRefused)
		h.says(l, fmt.Sprintf("accept: %d", entry))
		h.says(h.ask(mail.Rejected, "command: rule", fmt.Sprintf("accept: %d", entry), "reason: r"), "The rules of the game refuse this file")
		h.rule("command: rule", fmt.Sprintf("accept: %d", entry), "orders: {bid: R-3}", "reason: it says so")
		if late {
			_, all := h.resolutions("lot-1")
			if got := all[0].Of("red"); !strings.Contains(got.Orders, "R-3") {
				t.Errorf("red answered %+v", got)
			}
		} else {
			h.wantForce("red", "R-3")
		}
		h.says(h.last(redAt), "Orders of yours for stop 1, as you count, count now by that ruling")
		h.play("lot-1", h.anyUnit("lot-1"))
		h.sound()
		shown := 0
		for _, e := range h.export("lot-1", "blue").Entries {
			if strings.Contains(e.Body, "I bid my third") {
				t.Errorf("blue reads the letter in entry %d", e.N)
			}
			if read, err := log.Decode([]byte(e.Body), nil); err == nil && read.Kind == log.KindRefiled {
				shown++
				if read.Letter != log.HexOf(letterDigest(raw)) || read.Seat != "red" || strings.Contains(e.Body, gmAt) {
					t.Errorf("the act shows as %s", e.Body)
				}
			}
		}
		if shown != 1 {
			t.Errorf("the act shows %d times in blue's log", shown)
		}
		for _, e := range h.export("lot-1", engine.GM).Entries {
			if read, _ := log.Decode([]byte(e.Body), nil); read.Kind == log.KindRefiled && !strings.Contains(e.Private, gmAt) {
				t.Errorf("the act does not have who did it: %s", e.Private)
			}
		}
	}
}

// falling is a ruleset that panics at everything that it is to read, as long as its ill is
// set.
type falling struct {
	enginetest.Lots
	ill *bool
}

func (f falling) Read(v engine.View, d engine.Decision, doc *orders.Document) (engine.Answer, orders.Problems) {
	if *f.ill {
		panic("ill")
	}
	return f.Lots.Read(v, d, doc)
}

// A letter that an ill program could not read counts when it is filed again with a
// sound one: as its player's orders, with what he sent since then still in force.
func TestALetterThatAnIllProgramCouldNotReadCountsWhenFiledAgain(t *testing.T) {
	ill := true
	h := newTestOffice(t, func(h *testOffice) { h.rules = falling{enginetest.New(), &ill} })
	h.newGame(twoSides)
	file := fill(h.template(redAt), "{bid: R-2}")
	h.clock.move(time.Minute)
	first := h.rawLetter(redAt, plainHead, file)
	h.handle(first, mail.Rejected)
	ill = false
	h.restart()
	h.deliver(redAt)
	h.handle(first, mail.Rejected) // that it was seen stays so
	l := h.ask(mail.Processed, "command: refile", "side: red", "letter: 1")
	h.says(l, "can be read now, and counts")
	h.wantForce("red", "R-2")
	h.says(h.last(redAt), "These orders are from your letter", "could not be read when it came", "R-2")
	if a := h.record("lot-1").Seat("red").Owes.Answer; !a.GM {
		t.Errorf("it counts as %+v", a)
	}

	// An older letter never takes the place of a newer one.
	ill = true
	h.clock.move(time.Minute)
	h.handle(h.rawLetter(redAt, plainHead, fill(file, "{bid: R-4}")), mail.Rejected)
	ill = false
	h.restart()
	h.clock.move(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.says(h.ask(mail.Processed, "command: refile", "letter: 2"), "does not count as it is")
	h.wantForce("red", "R-1")
}

// A game master may not file again what is in the log, what comes from elsewhere, or what is
// no order of this game. Players may not file letters again at all, nor may a game master
// who plays.
func TestRefileRefused(t *testing.T) {
	h := longGame(t)
	file := fill(h.template(redAt), "{bid: R-2}")
	taken := h.rawLetter(redAt, plainHead, file)
	h.handle(taken, mail.Processed)
	for text, raw := range map[string][]byte{
		"is in the log already": taken,
		"does not come from":    h.rawLetter("stranger@elsewhere.example", plainHead, file),
		"asks for press":        h.rawLetter(redAt, plainHead, "command: press\ntext: hash\n"),
		"is a draft":            h.rawLetter(redAt, plainHead, strings.Replace(file, "orders:", "draft: yes\norders:", 1)),
		"lot-9":                 h.rawLetter(redAt, plainHead, strings.Replace(file, "lot-1", "lot-9", 1)),
		"does not come from ":   []byte("no letter at all"),
	} {
		before := len(h.kinds("lot-1"))
		_, err := h.office.Clerk().Refile(t.Context(), "lot-1", "red", 0, raw)
		refused, ok := err.(*game.RefusedError)
		if !ok {
			t.Errorf("%s: %v", text, err)
			continue
		}
		said := h.office.words.Say("en", refused.Why, (&enginetest.View{}).Spell)
		if !strings.Contains(said, strings.TrimSpace(text)) || len(h.kinds("lot-1")) != before {
			t.Errorf("%s: it is said %q, and the log grew by %d", text, said, len(h.kinds("lot-1"))-before)
		}
	}
	h.says(h.ask(mail.Rejected, "command: refile", "letter: 7"), "No letter 7")

	// Without the master's key nobody files anything, and a key in a letter is not shown to
	// the master, however the letter was packed.
	own := key(h, "lot-1", "red")
	packed := base64.StdEncoding.EncodeToString([]byte("my key is " + own + ", my bid is R-3\n"))
	h.handle(h.rawLetter(redAt, plainHead+"Content-Transfer-Encoding: base64\r\n", packed+"\n"), mail.Rejected)
	before := len(h.kinds("lot-1"))
	h.write(gmAt, "game: lot-1\nkey: AAAA-AAAA\ncommand: refile\nletter: 1\n", mail.Rejected)
	h.write(redAt, "game: lot-1\nkey: "+key(h, "lot-1", engine.GM)+"\ncommand: refile\nletter: 1\n", mail.Rejected)
	if len(h.kinds("lot-1")) != before {
		t.Error("a letter without the master's key files one again")
	}
	h.deliver(gmAt)
	l := h.ask(mail.Processed, "command: refile", "letter: 1")
	h.says(l, "my bid is R-3")
	h.lacks(l, own)
	if raw := h.post.sent[len(h.post.sent)-1].raw; bytes.Contains(raw, []byte(packed)) {
		t.Error("the master gets the letter as it was packed")
	}
	h.write(redAt, command(h, "lot-1", "red", "command: refile", "letter: 1"), mail.Rejected)
	h.opt.GMs = append(h.opt.GMs, log.Person{Name: "Ada", Address: "ada@club.example"}) // who looks after the game then
	h.restart()
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "blue", log.Person{Address: gmAt, Language: "en"}); err != nil {
		t.Fatal(err)
	}
	h.says(h.ask(mail.Rejected, "command: refile"), "You play in this game")
}

// Whoever forges a player's address can't fill the disk, nor make anybody but the player
// himself get letters; strangers' letters and automatic ones are not kept at all. Blue
// can't tell that a letter of red's was filed again.
func TestUnreadLettersAreBounded(t *testing.T) {
	letters := func(busy bool) []string {
		h := longGame(t)
		if busy {
			for i := range 3 * mostUnread {
				h.clock.move(time.Minute)
				h.handle(h.rawLetter(redAt, plainHead, fmt.Sprintf("unreadable %d %s\n", i, strings.Repeat("x ", 1000*(i%3)))), mail.Rejected)
			}
			h.handle(h.rawLetter(redAt, plainHead, strings.Repeat("long line of nothing\n", longestUnread/20)), mail.Rejected)
			h.handle(h.rawLetter("stranger@elsewhere.example", plainHead, "hello\n"), mail.Rejected)
			h.handle(h.rawLetter(redAt, plainHead+"Auto-Submitted: auto-replied\r\n", "I am away\n"), mail.Processed)
			broken := append([]byte("From: "+redAt+"\r\nDate: Mon, 02 Mar 2026 09:00:00 +0000\r\nthis is no field\r\n\r\n"), "orders\r\n"...)
			h.handle(broken, mail.Rejected)
			h.handle(broken, mail.Rejected)
			kept := map[string]int{}
			h.store.Read(context.Background(), func(tx store.Reader) error {
				for _, address := range []string{redAt, "stranger@elsewhere.example"} {
					all, err := readUnread(tx, address)
					if err != nil {
						t.Error(err)
					}
					kept[address] = len(all)
					for _, u := range all {
						if len(u.Raw) > longestUnread || bytes.Contains(u.Raw, []byte("I am away")) {
							t.Errorf("%d bytes are kept: %.80q", len(u.Raw), u.Raw)
						}
					}
					if address == redAt && !bytes.Equal(all[len(all)-1].Raw, broken) {
						t.Error("the last one is not the letter that can't be taken apart")
					}
				}
				return nil
			})
			if kept[redAt] != mostUnread || kept["stranger@elsewhere.example"] != 0 {
				t.Errorf("kept are %v", kept)
			}
			h.says(h.ask(mail.Processed, "command: refile", "letter: "+fmt.Sprint(3*mostUnread+1)), "does not count as it is", "can't be read")
			h.says(h.ask(mail.Rejected, "command: refile", "letter: 1"), "No letter 1")
		}
		h.clock.now = begins.Add(100 * time.Hour)
		h.both()
		h.write(blueAt, command(h, "lot-1", "blue", "command: history"), mail.Processed)
		var all []string
		for _, l := range h.deliver(blueAt) {
			all = append(all, footHash.ReplaceAllString(wordsOf(l), ""))
		}
		return all
	}
	if quiet, busy := letters(false), letters(true); !slices.Equal(quiet, busy) {
		t.Errorf("blue can tell that letters of red's were filed again:\n%s\n%s", quiet, busy)
	}
}
