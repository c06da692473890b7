package adjudicator

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/mail"
)

// Each kind of bad input gets the answer that stands beside it, or none.
func TestBadInput(t *testing.T) {
	good := func(h *testOffice) string { return fill(h.template(redAt), "{bid: R-1}") }
	for _, c := range []struct {
		name   string
		from   string // default: red
		text   func(h *testOffice) string
		folder mail.Folder
		says   []string // nil: nothing comes back
		unsaid []string
		refuse bool   // the refusal is in the log: the sender was known
		warned string // who is told that a letter with his key came from another address
	}{
		{name: "not YAML", text: func(h *testOffice) string {
			return "game: lot-1\nside: red\nstop: 1\nkey: [unclosed\norders: {bid: }}: ]\n"
		}, folder: mail.Rejected,
			says: []string{"Line"}, unsaid: []string{"stop: 1 bid", "R-2"}},
		{name: "broken below the key", text: func(h *testOffice) string { return strings.Replace(good(h), "{bid: R-1}", "{bid: R-1", 1) }, folder: mail.Rejected,
			says: []string{"is not closed", "stop: 1 bid"}, refuse: true},
		{name: "no orders at all", text: func(h *testOffice) string { return "Hello, I'll write tomorrow. Best wishes" }, folder: mail.Rejected,
			says: []string{"No order file was found", "stop: 1 bid"}},
		{name: "empty letter", text: func(h *testOffice) string { return "" }, folder: mail.Rejected, says: []string{"letter is empty", "stop: 1 bid"}},
		{name: "game that is none", text: func(h *testOffice) string { return strings.Replace(good(h), "lot-1", "lot-9", 1) }, folder: mail.Rejected,
			says: []string{"the game lot-9", "lot-1"}, refuse: true},
		{name: "game that is none, and a wrong key", text: func(h *testOffice) string {
			return strings.NewReplacer("lot-1", "lot-9", key(h, "lot-1", "red"), "AAAA-AAAA").Replace(good(h))
		}, folder: mail.Rejected, says: []string{"key"}, unsaid: []string{"lot-1", "R-1", "stop: 1"}},
		{name: "wrong key", text: func(h *testOffice) string { return strings.Replace(good(h), key(h, "lot-1", "red"), "AAAA-AAAA", 1) }, folder: mail.Rejected,
			says: []string{"key"}, unsaid: []string{"The first", "R-1", "stop: 1"}},
		{name: "the other's key", text: func(h *testOffice) string {
			return strings.Replace(good(h), key(h, "lot-1", "red"), key(h, "lot-1", "blue"), 1)
		}, folder: mail.Rejected, warned: blueAt, says: []string{"key"}, unsaid: []string{"The first", "R-1", "B-1"}},
		{name: "no key", text: func(h *testOffice) string {
			return strings.Replace(good(h), "key: "+key(h, "lot-1", "red")+"\n", "", 1)
		}, folder: mail.Rejected, says: []string{"key"}, unsaid: []string{"The first", "B-1"}},
		{name: "right key from another address", from: "stranger@x.example", text: good, folder: mail.Rejected, warned: redAt},
		{name: "right key from the other player's address", from: blueAt, text: good, folder: mail.Rejected, warned: redAt, says: []string{"chiave"}, unsaid: []string{"The first", "B-1"}},
		{name: "stranger", from: "stranger@x.example", text: func(h *testOffice) string { return "game: lot-1\ncommand: help\n" }, folder: mail.Rejected},
		{name: "wrong side", text: func(h *testOffice) string { return strings.Replace(good(h), "side: red", "side: blue", 1) }, folder: mail.Rejected,
			says: []string{"blue", "R-1"}, refuse: true},
		{name: "side by its name", text: func(h *testOffice) string { return strings.Replace(good(h), "side: red", "side: Rosso", 1) }, folder: mail.Processed,
			says: []string{"bid: R-1"}},
		{name: "stop to come", text: func(h *testOffice) string { return strings.Replace(good(h), "stop: 1 bid", "stop: 4 bid", 1) }, folder: mail.Rejected,
			says: []string{"Stop 4 has not come", "stop: 1 bid"}, refuse: true},
		{name: "no stop", text: func(h *testOffice) string { return strings.Replace(good(h), "stop: 1 bid\n", "", 1) }, folder: mail.Rejected,
			says: []string{"which stop", "stop: 1 bid"}, refuse: true},
		{name: "stop's name in another language", text: func(h *testOffice) string { return strings.Replace(good(h), "stop: 1 bid", "fermata: 1 offerta", 1) }, folder: mail.Processed,
			says: []string{"bid: R-1"}},
		{name: "only the head of a file", text: func(h *testOffice) string { return strings.Replace(good(h), "orders: {bid: R-1}\n", "", 1) }, folder: mail.Rejected,
			says: []string{"nothing under orders", "stop: 1 bid"}, refuse: true},
		{name: "another stop's name", text: func(h *testOffice) string { return strings.Replace(good(h), "stop: 1 bid", "stop: 1 discard", 1) }, folder: mail.Rejected,
			says: []string{"not the name", "stop: 1 bid"}, refuse: true},
		{name: "serial that was never sent", text: func(h *testOffice) string { return strings.Replace(good(h), "serial: 1", "serial: 7", 1) }, folder: mail.Rejected,
			says: []string{"serial number 7"}, refuse: true},
		{name: "unknown unit", text: func(h *testOffice) string { return strings.Replace(good(h), "{bid: R-1}", "{bid: R-11}", 1) }, folder: mail.Rejected,
			says: []string{"R-11", "R-1", "stop: 1 bid"}, unsaid: []string{"B-1"}, refuse: true},
		{name: "the enemy's unit", text: func(h *testOffice) string { return strings.Replace(good(h), "{bid: R-1}", "{bid: B-1}", 1) }, folder: mail.Rejected,
			says: []string{"B-1"}, refuse: true},
		{name: "orders for another decision", text: func(h *testOffice) string { return strings.Replace(good(h), "{bid: R-1}", "{discard: R-1}", 1) }, folder: mail.Rejected,
			says: []string{"discard", "stop: 1 bid"}, refuse: true},
		{name: "twelve faults", text: func(h *testOffice) string {
			return strings.NewReplacer("{bid: R-1}", "{bid: Q-0, Q-1: 1, Q-2: 1, Q-3: 1, Q-4: 1, Q-5: 1, Q-6: 1, Q-7: 1, Q-8: 1, Q-9: 1}", "side: red", "side: blue", "stop: 1 bid", "stop: 1 discard").Replace(good(h))
		}, folder: mail.Rejected, says: []string{"Q-1", "Q-9", "3 lines to mend", "blue", "discard"}, refuse: true},
		{name: "command that is none", text: func(h *testOffice) string { return command(h, "lot-1", "red", "command: conquer") }, folder: mail.Rejected,
			says: []string{"conquer"}, refuse: true},
		{name: "game master's command", text: func(h *testOffice) string { return command(h, "lot-1", "red", "command: position") }, folder: mail.Rejected,
			says: []string{"position"}, unsaid: []string{"B-1"}, refuse: true},
		{name: "player's command from the game master", from: gmAt, text: func(h *testOffice) string { return command(h, "lot-1", engine.GM, "command: resign") }, folder: mail.Rejected,
			says: []string{"resign"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twoSides)
			from := c.from
			if from == "" {
				from = redAt
			}
			for _, address := range []string{redAt, blueAt, gmAt, from} {
				h.deliver(address)
			}
			before := h.record("lot-1").Seat("red").Owes.Answer
			h.write(from, c.text(h), c.folder)
			got := h.deliver(from)
			if c.says == nil {
				if len(got) > 0 {
					t.Fatalf("an answer: %q", subjects(got))
				}
			} else {
				l := h.one(got)
				h.says(l, c.says...)
				for _, text := range c.unsaid {
					// What the player wrote himself may be shown to him.
					if strings.Contains(wordsOf(l), text) && !strings.Contains(c.text(h), text) {
						t.Errorf("the answer says %q:\n%s", text, wordsOf(l))
					}
				}
			}
			for _, address := range []string{redAt, blueAt, gmAt} {
				if address == c.warned {
					l := h.one(h.deliver(address))
					h.says(l, key(h, "lot-1", map[string]engine.Side{redAt: "red", blueAt: "blue"}[address]), "lot-1", map[string]string{redAt: "stop: 1 bid", blueAt: "domanda: 1 offerta"}[address])
					h.lacks(l, from, "Gina")
				} else if address != from {
					h.silent(address)
				}
			}
			if c.folder == mail.Rejected {
				if after := h.record("lot-1").Seat("red").Owes.Answer; after != before {
					t.Error("a bad file counts")
				}
				want := []string{log.KindSetup}
				if c.refuse {
					want = append(want, log.KindRefused)
				}
				h.wantKinds("lot-1", want...)
			}
		})
	}
}

// After a faulty file the orders that were in force stay so, and the refusal says it.
func TestFaultyFileHarmsNothing(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.write(redAt, fill(h.template(redAt), "{bid: R-3}"), mail.Processed)
	h.deliver(redAt)
	h.clock.move(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: R-9}"), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "R-9", "bid: R-3")
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.deliver(redAt)
	h.write(redAt, command(h, "lot-1", "red", "command: history"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "R-3 threw")
}

// Machines are not answered, and nothing that they quote counts.
func TestAutomaticMail(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	f := h.template(redAt)
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.deliver(address)
	}
	for _, why := range []string{mail.AutoSubmitted, mail.AutoVacation, mail.AutoList, mail.AutoBulk, mail.AutoOwn, mail.AutoLoop, mail.AutoNull, mail.AutoSuppress} {
		l := h.letter(redAt, "I am away.\n\n"+fill(f, "{bid: R-2}"))
		l.Automatic = why
		h.take(l, mail.Processed)
	}
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.silent(address)
	}
	h.wantKinds("lot-1", log.KindSetup)
}

// A letter as the mailbox has it: whole, too long, unreadable.
func TestHandle(t *testing.T) {
	ctx := context.Background()
	h := newTestOffice(t)
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	header := func(from string) string {
		return "From: " + from + "\r\nTo: orders@club.example\r\nSubject: orders\r\nDate: Mon, 02 Mar 2026 08:00:00 +0000\r\nMessage-ID: <" + from + "-1@x.example>\r\n"
	}
	handle := func(in mail.Incoming, want mail.Folder) {
		t.Helper()
		got, err := h.office.Handle(ctx, in)
		if err != nil || got != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
	whole := []byte(header(redAt) + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(fill(f, "{bid: R-1}"), "\n", "\r\n"))
	handle(mail.Incoming{UID: 1, Raw: whole}, mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-1")
	handle(mail.Incoming{UID: 2, Raw: whole}, mail.Processed)
	h.silent(redAt)

	// Thirty megabytes: a player is told, a stranger is not, and each only once.
	big := mail.Incoming{UID: 3, Size: 30 << 20, Header: []byte(strings.Replace(header(redAt), "-1@", "-2@", 1) + "\r\n")}
	handle(big, mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "30 MB")
	handle(big, mail.Rejected)
	h.silent(redAt)
	handle(mail.Incoming{UID: 4, Size: 30 << 20, Header: []byte(header("stranger@x.example") + "\r\n")}, mail.Rejected)
	h.silent("stranger@x.example")
	handle(mail.Incoming{UID: 5, Size: 30 << 20}, mail.Rejected)
	handle(mail.Incoming{UID: 6, Raw: []byte("no header at all\r\n")}, mail.Rejected)
	handle(mail.Incoming{UID: 7, Raw: []byte{}}, mail.Rejected)

	// A part that could not be read is named, with what to do.
	l := h.letter(redAt, "")
	l.Parts = nil
	l.LeftOut = []mail.LeftOut{{Name: "winmail.dat", Reason: mail.LeftTNEF}}
	h.take(l, mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "winmail.dat", "plain text")
}

// One address gets a limited number of answers an hour. Its orders are taken all the same.
func TestAnswerLimit(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 6 })
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	for i := range 30 {
		h.write(redAt, fill(f, fmt.Sprintf("{bid: R-%d}", i%4+1)), mail.Processed)
	}
	if n := len(h.deliver(redAt)); n != 6 {
		t.Errorf("%d answers", n)
	}
	h.wantKinds("lot-1", append([]string{log.KindSetup}, strings.Fields(strings.Repeat(log.KindTaken+" ", 30))...)...)
	h.clock.move(time.Hour)
	h.write(redAt, fill(f, "{bid: R-2}"), mail.Processed)
	h.one(h.deliver(redAt))
	// Without the key it is three at most, however many an hour has.
	for _, most := range []int{1, 2, 3, 5, 8, 20, 100} {
		h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = most })
		h.newGame(twoSides)
		h.deliver(redAt)
		for hour := range 2 {
			for range 10 {
				h.write(redAt, "game: lot-1\nkey: AAAA-AAAA\ncommand: status\n", mail.Rejected)
			}
			if n := len(h.deliver(redAt)); n != min(most, 3) {
				t.Errorf("hour %d: %d answers without the key, of %d", hour, n, most)
			}
			h.clock.move(time.Hour)
		}
	}
}

func TestPlayerCommands(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "reminders: none\n"[:0])
	h.deliver(redAt)
	h.deliver(blueAt)
	h.write(redAt, fill(h.template(redAt), "{bid: R-3}"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.deliver(redAt)
	h.deliver(blueAt)
	for _, c := range []struct {
		text string
		says []string
	}{
		{"command: status", []string{"Round", "Your units", "R-1"}},
		{"command: report", []string{"Report", "R-1", "R-3 threw"}}, // what happened, too
		{"command: help", []string{"resign", "draft: true"}},
		{"command: rules", []string{"LOT-1.1", "1. Bids", "LOT-4.1", "rounds: 3"}},
		{"command: rules\ntext: LOT-3", []string{"LOT-3", "discards"}},
		{"command: rules\ntext: LOT-9", []string{"There is no clause LOT-9"}},
		{"command: rules\nclause: LOT-3", []string{"LOT-3", "discards"}},
		{"command: rules\nclausola: [LOT-3, LOT-1]", []string{"secretly bids", "discards"}},
		{"command: history", []string{"R-3 threw", "Your answer to stop 1", "bid: R-3"}},
		{"comando: stato", []string{"Your units"}},
	} {
		h.write(redAt, command(h, "lot-1", "red", c.text), mail.Processed)
		l := h.one(h.deliver(redAt))
		h.says(l, c.says...)
		if strings.Contains(wordsOf(l), "B-1") {
			t.Errorf("%s tells of blue", c.text)
		}
	}
	// Help needs no key.
	h.write(blueAt, "command: help\n", mail.Processed)
	h.says(h.one(h.deliver(blueAt)), "Comando")
	// A command does not move the report on: what was told since the last one
	// still stands in the next.
	h.silent(redAt)
}

// A store that can't be written to loses nothing: the letter stays where it is
// and is taken in when it is offered again.
func TestStoreFails(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	l := h.letter(redAt, fill(h.template(redAt), "{bid: R-1}"))
	h.deliver(redAt)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for range 20 { // a write is handed over or not, as chance has it
		if folder, err := h.office.Take(gone, l); err == nil && folder != mail.Processed || err != nil && folder != mail.Leave {
			t.Fatalf("%s, %v", folder, err)
		}
	}
	h.store.Close()
	if folder, err := h.office.Take(context.Background(), h.letter(redAt, "game: lot-1\n")); err == nil || folder != mail.Leave {
		t.Errorf("%s, %v", folder, err)
	}
	h.open()
	h.take(l, mail.Processed)
	h.wantKinds("lot-1", log.KindSetup, log.KindTaken)
	h.one(h.deliver(redAt))
}

// The key finds the game when the file names none.
func TestKeyFindsTheGame(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.newGame(strings.Replace(twoSides, "lot-1", "lot-2", 1))
	h.deliver(redAt)
	text := "key: " + strings.ToLower(key(h, "lot-2", "red")) + "\ncommand: status\n"
	h.write(redAt, text, mail.Processed)
	h.says(h.one(h.deliver(redAt)), "lot-2")
}

func TestNoteReachesGM(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(gmAt)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}", "note: is the map right?"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "is the map right?", "Red")
}

// In a game made before that was refused one player may have both seats; the key
// tells which he means.
func TestBothSeatsOneAddress(t *testing.T) {
	h := newTestOffice(t)
	s, problems := h.office.Clerk().ReadSetup(twoSides, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s.Seats["blue"] = s.Seats["red"]
	if err := h.office.Clerk().NewGame(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	h.flush()
	for _, p := range h.post.sent {
		if p.to != redAt {
			continue
		}
		f := file(p.letter)
		unit := "R-1"
		if strings.Contains(f, "side: blue") {
			unit = "B-1"
		}
		h.write(redAt, fill(f, "{bid: "+unit+"}"), mail.Processed)
	}
	if h.record("lot-1").Stop != 2 {
		t.Error("the stop was not resolved")
	}
}

// FuzzTake: whatever a known address writes, the office does not panic, the log stays whole,
// and what is not understood changes nothing.
func FuzzTake(f *testing.F) {
	h := newTestOffice(f)
	h.newGame(twoSides)
	red, gm := key(h, "lot-1", "red"), key(h, "lot-1", engine.GM)
	for _, seed := range []string{
		"game: lot-1\nside: red\nstop: 1 bid\nkey: " + red + "\norders: {bid: R-1}\n",
		"game: lot-1\nkey: " + red + "\ncommand: history\n",
		"game: lot-1\nkey: " + gm + "\ncommand: extend\nby: 2d\n",
		"game: lot-1\nkey: " + gm + "\ncommand: replace\nside: red\naddress: a@b.example\n",
		"key: " + h.officeKey(gmAt) + "\ncommand: new\nsetup:\n  game: x\n  system: lots\n",
		"> game: lot-1\n> stop: 99999999999999999999\n", "{{{{[[[[", "orders:\n\t- \x00\xff",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	n := 0
	f.Fuzz(func(t *testing.T, text string, fromGM bool) {
		n++
		l := &mail.Letter{From: mail.Address{Addr: redAt}, Date: h.clock.Now(), Digest: sha256.Sum256(fmt.Appendf(nil, "%d", n)),
			Parts: []mail.Part{{Kind: mail.Plain, Type: "text/plain", Text: text}}}
		if fromGM {
			l.From.Addr = gmAt
		}
		if _, err := h.office.Take(context.Background(), l); err != nil {
			t.Fatal(err)
		}
		if n%500 != 0 {
			return
		}
		if err := h.store.Read(context.Background(), func(tx store.Reader) error { return store.Verify(tx, "lot-1") }); err != nil {
			t.Fatal(err)
		}
	})
}

// Whoever forges a player's address does not use up the answers that the player
// himself gets.
func TestForgedLettersTakeNoAnswersAway(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(redAt)
	for range 40 {
		h.write(redAt, "game: lot-1\nkey: AAAA-AAAA\ncommand: status\n", mail.Rejected)
	}
	h.deliver(redAt)
	h.write(redAt, fill(f, "{bid: R-1}"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "bid: R-1")
}

// A player can't bury the game master under his notes; the log has them all.
func TestNotesAreLimited(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 4 })
	h.newGame(twoSides)
	f := h.template(redAt)
	h.deliver(gmAt)
	for i := range 30 {
		h.write(redAt, fill(f, "{bid: R-1}", fmt.Sprintf("note: number %d", i)), mail.Processed)
	}
	if n := len(h.deliver(gmAt)); n != 4 {
		t.Errorf("%d notes reached the game master", n)
	}
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}", "note: mine"), mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "mine")
}

// A letter that is too long or too deeply nested to be read, though it was
// fetched: its sender is told.
func TestUnreadableIsAnswered(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	head := func(from, id string) string {
		return "From: " + from + "\r\nTo: orders@club.example\r\nSubject: x\r\nDate: Mon, 02 Mar 2026 08:00:00 +0000\r\nMessage-ID: <" + id + "@x.example>\r\n"
	}
	deep := "Content-Type: multipart/mixed; boundary=b0\r\n\r\n"
	for i := range 20 {
		deep += fmt.Sprintf("--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n", i, i+1)
	}
	for i, c := range []struct{ from, rest, says string }{
		{redAt, "\r\n" + strings.Repeat("orders\r\n", mail.MaxLetter/8+1), "was not read"},
		{redAt, deep, "plain text"},
		{"stranger@x.example", deep, ""},
		{"stranger@x.example", "\r\n" + strings.Repeat("orders\r\n", mail.MaxLetter/8+1), ""},
		{redAt, "Auto-Submitted: auto-replied\r\n" + deep, ""},
		{redAt, "Auto-Submitted: auto-replied\r\n\r\n" + strings.Repeat("orders\r\n", mail.MaxLetter/8+1), ""},
		{redAt, "From: " + blueAt + "\r\n\r\ncommand: help\r\n", ""}, // two senders
	} {
		raw := []byte(head(c.from, fmt.Sprint(i)) + c.rest)
		for range 2 {
			folder, err := h.office.Handle(context.Background(), mail.Incoming{UID: uint32(i), Raw: raw, Size: int64(len(raw))})
			if err != nil || folder == mail.Leave {
				t.Fatalf("%d: %s, %v", i, folder, err)
			}
		}
		if c.says == "" {
			h.silent(c.from)
			continue
		}
		h.says(h.one(h.deliver(c.from)), c.says)
	}
	h.silent(blueAt)
}
