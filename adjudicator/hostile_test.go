package adjudicator

import (
	"fmt"
	"io"
	"mime/quotedprintable"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/intake"
	"berthier/mail"
)

// hostileBodies are what somebody may send instead of an order file, to keep the
// office at work or to make it write at length.
func hostileBodies(head string) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, 60<<10/len(s)) }
	// Files that differ each in its note, and in nothing that can be told at a glance.
	var differ strings.Builder
	for n := range 20 {
		fmt.Fprintf(&differ, "# ===== ORDERS / ORDINI =====\nnote: %d\n%sorders:\n%s# ===== END / FINE =====\n", n, head, strings.Repeat("  - “x”：y\n", 600))
	}
	return map[string]string{
		"files that differ":   differ.String(),
		"aliases":             head + "orders:\n  a: &a [x,x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n  c: [*b,*b,*b,*b,*b,*b,*b,*b]\n",
		"merge":               head + "orders: {<<: *x, <<: *y}\n",
		"tags":                head + "orders: !!python/object/apply:os.system [x]\n",
		"depth":               head + "orders: " + fill("["),
		"depth of lines":      head + "orders:\n" + fill(" - "),
		"a million lines":     head + "orders:\n" + strings.Repeat("\n", 250_000),
		"keys":                head + fill("abc: d\n"),
		"faults":              head + "orders:\n" + fill("  - {x: y}\n"),
		"lines of no list":    head + "orders:\n" + fill("  move a\n"),
		"lines of one item":   head + "orders:\n  - a\n" + fill("    b\n"),
		"long word":           head + "orders: {bid: " + fill("x") + "}\n",
		"control characters":  head + "orders: {bid: \"" + fill("\x01\x7f\u0085") + "\"}\n",
		"directions":          head + "orders: {bid: \"" + fill("\u202e\u2066") + "\"}\n",
		"nothing to be seen":  head + "orders: {bid: \"" + fill("\u200b\u2060\ufeff") + "\"}\n",
		"accents":             head + "orders: {bid: \"" + fill("e\u0301\u0301\u0301") + "\"}\n",
		"note":                head + "orders: {bid: R-1}\ndraft: yes\nnote: |\n" + fill("  note\n"),
		"order files":         strings.Repeat(head+"orders: {bid: R-1}\n\nHello\n\n", 300),
		"order files, marked": strings.Repeat("# ===== ORDERS / ORDINI =====\n"+head+"orders: {bid: R-2}\n# ===== END / FINE =====\n", 300),
		"quoting":             fill("> > > > "+"game: lot-1\n") + head,
		"names":               head + "orders: {" + fill("\u202eR-1: x, ") + "}\n",
	}
}

// mostWork is how much processor time one letter may take, also under the race detector. That
// is many times what a letter takes, and little against a letter whose cost grows faster than
// its length.
const mostWork = 10 * time.Second

// workDone is how much processor time this process has used, whatever else the machine does;
// always zero on systems that do not tell.
var workDone = func() time.Duration { return 0 }

// Whatever a player sends, he gets one answer at most, not much longer than what people write.
// The others get none, the game goes on as it was, and no letter keeps the office busy for
// long.
func TestHostileOrders(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t)
	h.newGame(twoSides)
	s := newStage(h)
	head := "game: lot-1\nside: red\nstop: 1 bid\nkey: " + key(h, "lot-1", "red") + "\n"
	const longest = 200 << 10
	for name, body := range hostileBodies(head) {
		t.Run(name, func(t *testing.T) {
			s.rested()
			raw := rawLetter(redAt, map[string]string{"Message-ID": "<" + strings.ReplaceAll(name, " ", "-") + "@play.example>"}, body)
			before := workDone()
			h.arrive(raw)
			h.flush()
			if work := workDone() - before; work > mostWork {
				t.Errorf("a letter of %d bytes took %s of a processor", len(raw), work)
			}
			answers := 0
			for _, p := range h.post.sent {
				checkSent(t, p)
				switch {
				case p.to == redAt:
					answers++
				case p.to != gmAt || !strings.Contains(body, "note:"):
					t.Errorf("%s got %q", p.to, p.letter.Subject)
				}
				if len(p.raw) > longest {
					t.Errorf("an answer of %d bytes to %d", len(p.raw), len(body))
				}
			}
			if answers != 1 {
				t.Errorf("%d answers", answers)
			}
			if g := h.record("lot-1"); g.Stop != 1 || g.Seat("red").Owes == nil {
				t.Error("the game is not where it was")
			}
			s.runs = mostRuns
			s.back(t)
		})
	}
}

// Hostile letters by their MIME, from a player and from a stranger: at most one
// answer, and nothing of them counts.
func TestHostileMIME(t *testing.T) {
	h := newTestOffice(t)
	h.opt.AnswerStrangers = true
	h.restart()
	h.newGame(twoSides)
	s := newStage(h)
	good := "game: lot-1\r\nside: red\r\nstop: 1 bid\r\nkey: " + key(h, "lot-1", "red") + "\r\norders: {bid: R-1}\r\n"
	nested := ""
	for n := range 30 {
		nested += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", n, n)
	}
	for name, rest := range map[string]string{
		"nested":                 nested + "\r\n" + good,
		"parts":                  "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\n"+good+"\r\n", 100) + "--b--\r\n",
		"archive":                "Content-Type: application/zip; name=orders.yaml.zip\r\nContent-Transfer-Encoding: base64\r\n\r\nUEsDBA==\r\n",
		"fields":                 strings.Repeat("X: y\r\n", 600) + "\r\n" + good,
		"header of a megabyte":   "X: " + strings.Repeat("x", 1<<20) + "\r\n\r\n" + good,
		"thousand recipients":    "Cc: " + strings.Repeat("eve@b.test,\r\n ", 1000) + redAt + "\r\nContent-Type: application/zip\r\n\r\nx\r\n",
		"thousand references":    "References: " + strings.Repeat("<a@b.test>\r\n ", 1000) + "<c@d.test>\r\nContent-Type: application/zip\r\n\r\nx\r\n",
		"tags":                   "Content-Type: text/html\r\n\r\n" + strings.Repeat("<div>", 150_000) + good,
		"two senders":            "From: " + blueAt + "\r\n\r\n" + good,
		"too long":               "\r\n" + strings.Repeat("x\r\n", mail.MaxLetter/3+1),
		"answers lead elsewhere": "Reply-To: victim@x.example\r\nReturn-Path: <victim@x.example>\r\nDisposition-Notification-To: victim@x.example\r\nContent-Type: application/zip\r\n\r\nx\r\n",
	} {
		for _, from := range []string{redAt, "stranger@x.example"} {
			t.Run(name+" from "+from, func(t *testing.T) {
				s.rested()
				raw := []byte("From: " + from + "\r\nSubject: x\r\nDate: Mon, 02 Mar 2026 09:00:00 +0000\r\nMessage-ID: <" + strings.ReplaceAll(name, " ", "-") + "@" + from[strings.IndexByte(from, '@')+1:] + ">\r\n" + rest)
				if folder := h.arrive(raw); folder != mail.Rejected {
					t.Errorf("goes to %s", folder)
				}
				h.flush()
				if n := len(h.post.sent); n > 1 || n == 1 && h.post.sent[0].to != from {
					t.Errorf("%d letters, the first to %s", n, h.post.sent[0].to)
				}
				for _, p := range h.post.sent {
					checkSent(t, p)
				}
				if h.record("lot-1").Seat("red").Owes.Answer != nil {
					t.Error("it counts")
				}
				s.runs = mostRuns
				s.back(t)
			})
		}
	}
}

// A player who floods the others with press reaches each of them only as often in an hour as the
// office answers one address, and each letter is short.
func TestPressFlood(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 6 })
	h.newGame(twoSides)
	h.deliver(blueAt)
	for hour := range 3 {
		for i := range 200 {
			h.write(redAt, command(h, "lot-1", "red", "command: press", "text: |", "  "+strings.Repeat("word ", 150), fmt.Sprintf("  %d %d", hour, i)),
				map[bool]mail.Folder{true: mail.Processed, false: mail.Rejected}[i < 6])
		}
		got := h.deliver(blueAt)
		if len(got) != 6 {
			t.Errorf("hour %d: %d letters reached the other", hour, len(got))
		}
		h.clock.move(time.Hour)
	}
	long := command(h, "lot-1", "red", "command: press", "text: |", "  "+strings.Repeat("word ", 2*intake.LongestPress/5))
	h.write(redAt, long, mail.Rejected)
	h.silent(blueAt)
}

// Signs that hide, or that turn the direction of writing, in names that a game
// master gives and in what players write, reach nobody.
func TestHostileNames(t *testing.T) {
	h := newTestOffice(t)
	evil := `"\u202eRosa\u200b\u2066\u0007 \uFEFF\r\nBcc: eve@x.example\u0301\u0301\u0301\u0301\u0301\u0301"`
	setup := strings.NewReplacer("name: Rosa", "name: "+evil, "title: The first", "title: "+evil).Replace(twoSides)
	s, problems := h.office.Clerk().ReadSetup(setup, nil)
	if len(problems) == 0 {
		if err := h.office.Clerk().NewGame(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	} else {
		h.newGame(twoSides) // refused; what players write remains
	}
	h.write(redAt, command(h, "lot-1", "red", "command: press", "text: "+evil), mail.Rejected) // control characters are faults
	f := h.template(redAt)
	h.write(redAt, fill(f, "{bid: R-1}", "note: "+evil), mail.Rejected)
	hides := "\"Good\u200b day\u2060 to\ufeff you" + strings.Repeat("\u0301", 9) + "\""
	h.write(redAt, command(h, "lot-1", "red", "command: press", "text: "+hides), mail.Processed)
	h.write(redAt, fill(f, "{bid: R-1}", "note: "+hides), mail.Processed)
	h.flush()
	for _, p := range h.post.sent {
		checkSent(t, p)
		if words := wordsOf(p.letter); strings.ContainsAny(words, "\u200b\ufeff\u202e\u2066") || strings.Contains(words, strings.Repeat("\u0301", 4)) {
			t.Errorf("to %s:\n%s", p.to, words)
		}
	}
}

// Through a whole game with press, notes, bounces, an absence, a new player and
// the end, no player is told the address of another, in no field and no part of
// any letter; nor is the game master's.
func TestAddressesStayPrivate(t *testing.T) {
	const newAt = "nora@new.example"
	h := newTestOffice(t)
	h.newGame(twoSides + "absence: 10d\n")
	h.write(redAt, command(h, "lot-1", "red", "command: press", "text: Good evening"), mail.Processed)
	h.write(blueAt, command(h, "lot-1", "blue", "command: press", "text: And to you"), mail.Processed)
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "from: 2026-03-04", "until: 2026-03-07"), mail.Processed)
	for _, c := range []string{"history", "status", "report", "rules", "help"} {
		h.write(redAt, command(h, "lot-1", "red", "command: "+c), mail.Processed)
	}
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}", "note: to the game master"), mail.Processed)
	h.confirm(gmAt, command(h, "lot-1", "gm", "command: replace", "side: blue", "address: "+newAt, "name: Nora"))
	h.clock.move(time.Hour)
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	letters := map[string]int{}
	for _, p := range h.post.sent {
		letters[p.to]++
		if p.to == gmAt {
			continue
		}
		// The bytes as they go over the wire, and all that can be read of them.
		plain, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(string(p.raw))))
		if err != nil {
			plain = nil
		}
		all := strings.ToLower(string(p.raw) + string(plain) + wordsOf(p.letter))
		for _, a := range []string{redAt, blueAt, gmAt, newAt} {
			if a != p.to && strings.Contains(all, a) {
				t.Errorf("%s is told %s by %q", p.to, a, p.letter.Subject)
			}
		}
	}
	if letters[redAt] < 10 || letters[newAt] < 3 || letters[blueAt] < 2 {
		t.Errorf("letters: %v", letters)
	}
}

// BenchmarkHostileOrders measures how long one hostile letter keeps the office busy, from
// its bytes to the answer in the outbox.
func BenchmarkHostileOrders(b *testing.B) {
	h := newTestOffice(b)
	h.newGame(twoSides)
	s := newStage(h)
	head := "game: lot-1\nside: red\nstop: 1 bid\nkey: " + key(h, "lot-1", "red") + "\n"
	n := 0
	for name, body := range hostileBodies(head) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				n++
				s.rested()
				h.arrive(rawLetter(redAt, map[string]string{"Message-ID": fmt.Sprintf("<%d@play.example>", n)}, body))
				b.StopTimer()
				s.runs = mostRuns
				s.back(b)
				b.StartTimer()
			}
		})
	}
}
