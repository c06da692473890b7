package adjudicator

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/mail"
)

// reportTo is the Message-ID of the newest letter to an address.
func (h *testOffice) reportTo(address string) string {
	h.Helper()
	h.flush()
	for i := len(h.post.sent) - 1; i >= 0; i-- {
		if h.post.sent[i].to == address {
			return h.post.sent[i].letter.MessageID
		}
	}
	h.Fatalf("%s has no letter", address)
	return ""
}

// A letter without a usable file that has the right key, or that answers a letter of the
// office, gets an answer with the game, the deadline, what is missing, and an order file to
// fill in.
func TestLetterWithoutAFileIsAnsweredWithOne(t *testing.T) {
	for name, c := range map[string]struct {
		text   string // KEY is the player's
		thread bool   // it answers the report
		says   string
		unsure bool // it leads nowhere: nothing is said of the game
		judged bool // there is a file after all
	}{
		"words and the key":            {text: "I go to the left tomorrow. My key is KEY.\n", says: "order file was found"},
		"words that answer the report": {text: "I go to the left tomorrow.\n", thread: true, says: "order file was found"},
		"nothing at all, in answer":    {text: "", thread: true, says: "letter is empty"},
		"words alone":                  {text: "I go to the left tomorrow.\n", says: "order file was found"},
		"orders alone":                 {text: "- bid: R-1\n", says: "looks like an order"},
		"a broken file":                {text: "game: lot-1\nside: red\nkey: KEY\norders: [unclosed\n  }: ]\n", says: "#   ^ ", judged: true},
		"a broken file without game":   {text: "side: red\nkey: KEY [\norders: {bid: }}: ]\n", says: "#   ^ ", judged: true},
		"a broken file, in answer":     {text: "side: red\norders: {bid: }}: ]\n", thread: true, says: "Line"},
		"no key, in answer":            {text: "game: lot-1\nstop: 1 bid\norders: {bid: R-1}\n", thread: true, says: "has no key"},
		"no key":                       {text: "game: lot-1\nstop: 1 bid\norders: {bid: R-1}\n", says: "no key that fits", unsure: true},
		"a wrong key, in answer":       {text: "game: lot-1\nkey: AAAA-AAAA\nstop: 1 bid\norders: {bid: R-1}\n", thread: true, says: "no key that fits", unsure: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(twoSides)
			report := h.reportTo(redAt)
			for _, address := range []string{redAt, blueAt, gmAt} {
				h.deliver(address)
			}
			l := h.letter(redAt, strings.ReplaceAll(c.text, "KEY", strings.ToLower(key(h, "lot-1", "red"))))
			if c.thread {
				l.InReplyTo, l.References = "other@x.example", []string{"other2@x.example", report, "other3@x.example"}
			}
			before := h.record("lot-1")
			h.take(l, mail.Rejected)
			got := h.one(h.deliver(redAt))
			h.says(got, c.says)
			if c.unsure {
				h.lacks(got, "lot-1", "stop: 1 bid", key(h, "lot-1", "red"))
			} else {
				h.says(got, "lot-1", "5 March, ", "stop: 1 bid", "key: "+key(h, "lot-1", "red"))
				if file(got) == "" {
					t.Error("no order file goes with it")
				}
				if got.InReplyTo != l.MessageID {
					t.Error("it is no answer to the letter")
				}
			}
			if after := h.record("lot-1"); !c.judged && after.Seat("red").Heard != before.Seat("red").Heard || after.Seat("red").Owes.Answer != nil {
				t.Error("something counts")
			}
			if !c.judged {
				h.wantKinds("lot-1", log.KindSetup)
			}
			h.take(l, mail.Rejected) // the same letter again
			h.silent(redAt)
			h.silent(blueAt)
		})
	}
}

// A letter without a file from a player of several games tells which of them wait for him. If
// only one does, the letter is for that one.
func TestALetterWithoutAFileNamesTheGamesThatWait(t *testing.T) {
	for _, language := range []string{"en", "it"} {
		h := newTestOffice(t)
		setup := strings.ReplaceAll(twoSides, "language: en", "language: "+language)
		h.newGame(setup)
		h.newGame(strings.Replace(setup, "lot-1", "lot-2", 1))
		h.deliver(redAt)
		h.write(redAt, "I go to the left tomorrow.\n", mail.Rejected)
		got := h.one(h.deliver(redAt))
		h.says(got, "lot-1", "lot-2")
		h.lacks(got, key(h, "lot-1", "red"), key(h, "lot-2", "red"), "stop: 1")
		h.answerAs("lot-1", "red")
		h.deliver(redAt)
		h.write(redAt, "- bid: R-2\n", mail.Rejected)
		got = h.one(h.deliver(redAt))
		h.says(got, "lot-1", key(h, "lot-1", "red"))
	}
}

// If a letter names none of its writer's games, the letter that it answers tells which game it
// means. That is so for letters without a usable file, and where the address alone is proof.
func TestThreadTellsTheGame(t *testing.T) {
	h := newTestOffice(t)
	both := twoSides + "proof: address\n"
	h.newGame(both)
	first := h.reportTo(redAt)
	h.newGame(strings.Replace(both, "lot-1", "lot-2", 1))
	second := h.reportTo(redAt)
	h.deliver(redAt)
	for id, thread := range map[string]string{"lot-1": first, "lot-2": second} {
		l := h.letter(redAt, "stop: 1 bid\norders: {bid: R-3}\n")
		l.InReplyTo = thread
		h.take(l, mail.Processed)
		h.says(h.one(h.deliver(redAt)), id, "bid: R-3")
		if h.record(id).Seat("red").Owes.Answer == nil {
			t.Errorf("%s has no answer", id)
		}
		l = h.letter(redAt, "Both keys: "+key(h, "lot-1", "red")+" "+key(h, "lot-2", "red")+"\n")
		l.InReplyTo = thread
		h.take(l, mail.Rejected)
		h.says(h.one(h.deliver(redAt)), id, "key: "+key(h, id, "red"))
	}
	h.write(redAt, "stop: 1 bid\norders: {bid: R-3}\n", mail.Rejected)
	h.lacks(h.one(h.deliver(redAt)), "lot-1", "lot-2")
	big := mail.Incoming{UID: 3, Size: 30 << 20, Header: []byte("From: " + redAt + "\r\nTo: orders@club.example\r\nMessage-ID: <big@x.example>\r\nIn-Reply-To: <" + second + ">\r\n\r\n")}
	if folder, err := h.office.Handle(context.Background(), big); folder != mail.Rejected || err != nil {
		t.Error(folder, err)
	}
	h.says(h.one(h.deliver(redAt)), "lot-2", "30 MB", "stop: 1 bid")
}

// The right key from another address, in a file or in words, is told to its player at
// the address that the game knows. Who writes from there learns nothing, whatever he
// knows: he is answered as if he had no key at all.
func TestKeyFromElsewhereIsToldAtHome(t *testing.T) {
	const other = "rosa@office.example"
	for _, strangers := range []bool{false, true} {
		for name, c := range map[string]struct {
			text         func(h *testOffice) string
			thread, told bool
		}{
			"a good file":         {text: func(h *testOffice) string { return fill(h.template(redAt), "{bid: R-1}") }, told: true},
			"a command":           {text: func(h *testOffice) string { return command(h, "lot-1", "red", "command: status") }, told: true},
			"words, in answer":    {text: func(h *testOffice) string { return "My key is " + key(h, "lot-1", "red") }, thread: true, told: true},
			"no key, in answer":   {text: func(h *testOffice) string { return "game: lot-1\ncommand: status\n" }, thread: true},
			"another, in answer":  {text: func(h *testOffice) string { return "game: lot-1\nkey: AAAA-AAAA\ncommand: status\n" }, thread: true},
			"words without a key": {text: func(h *testOffice) string { return "What is my key?" }, thread: true},
		} {
			t.Run(fmt.Sprint(name, strangers), func(t *testing.T) {
				h := newTestOffice(t, func(h *testOffice) { h.opt.AnswerStrangers = strangers })
				h.newGame(twoSides)
				f, report := c.text(h), h.reportTo(redAt)
				for _, address := range []string{redAt, blueAt, gmAt} {
					h.deliver(address)
				}
				before := gameRecord(h)
				l := h.letter(other, f)
				if c.thread {
					l.InReplyTo = report
				}
				h.take(l, mail.Rejected)
				got := h.deliver(redAt)
				if c.told {
					h.says(h.one(got), "lot-1", "5 March, ", "from another address", "new-key", "key: "+key(h, "lot-1", "red"))
					h.lacks(got[0], other)
				} else if len(got) > 0 {
					t.Errorf("Red is told: %q", subjects(got))
				}
				for _, answer := range h.deliver(other) {
					h.lacks(answer, "lot-1", "Red", "red", "Rosa", "key", key(h, "lot-1", "red"), "The first")
				}
				if !bytes.Equal(before, gameRecord(h)) {
					t.Error("a stranger changed the game")
				}
				h.take(l, mail.Rejected)
				h.silent(redAt)
				h.silent(blueAt)
				h.silent(gmAt)
			})
		}
	}
}

// The game master's key is looked after in the same way.
func TestMastersKeyFromElsewhere(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(gmAt)
	h.write("stranger@x.example", command(h, "lot-1", engine.GM, "command: position"), mail.Rejected)
	h.says(h.one(h.deliver(gmAt)), "lot-1", "from another address")
	h.silent("stranger@x.example")
	h.write(gmAt, "What now? "+key(h, "lot-1", engine.GM)+"\n", mail.Rejected)
	h.says(h.one(h.deliver(gmAt)), "lot-1", "order file was found")
}

// These answers come no more often than others: without the key three an hour, and after a
// number of them the exchange ends.
func TestAnswersByLeadAreLimited(t *testing.T) {
	for name, c := range map[string]struct {
		from  string
		write func(h *testOffice, l *mail.Letter)
		hour  int
		all   int
	}{
		"in answer": {redAt, func(h *testOffice, l *mail.Letter) { l.InReplyTo = h.reportTo(redAt) }, 3, 20},
		"words and the key": {redAt, func(h *testOffice, l *mail.Letter) {
			l.Parts[0].Text = "Tomorrow. " + key(h, "lot-1", "red")
		}, 20, 42},
		"from elsewhere": {"stranger@x.example", func(h *testOffice, l *mail.Letter) {
			l.Parts[0].Text = command(h, "lot-1", "red", "command: status")
		}, 3, 20},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(strings.Replace(twoSides, "deadline: 3d", "deadline: none", 1))
			h.deliver(redAt)
			all := 0
			hours := 60
			if raceEnabled {
				hours = 5 // the run without the race detector goes on until nothing is answered
			}
			for hour := range hours {
				n := 0
				for range 25 {
					l := h.letter(c.from, "Tomorrow.\n")
					c.write(h, l)
					h.take(l, mail.Rejected)
					n += len(h.deliver(redAt))
				}
				if n > c.hour+1 { // besides, that the exchange has ended
					t.Fatalf("hour %d: %d answers", hour, n)
				}
				all += n
				h.clock.move(time.Hour)
				n = len(h.deliver(redAt))
				if all += n; hour > 40 && n > 0 {
					t.Fatalf("hour %d: still answered", hour)
				}
			}
			if all > c.all {
				t.Errorf("%d answers", all)
			}
		})
	}
}
