package adjudicator

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/log"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/engine/waterloo"
	"berthier/mail"
	"berthier/orders/phrase"
	"berthier/templates"
)

const greenAt = "green@play.example"

var threeSides = strings.Replace(strings.Replace(twoSides, "options:", "scenario: three\noptions:", 1),
	"gm: {", "  green: {name: Gaia, address: green@play.example, language: en}\ngm: {", 1)

// paired is lots in which red and blue are allies.
type paired struct{ enginetest.Lots }

type pairedGame struct{ *enginetest.Game }

func (p paired) New(s engine.Setup) (engine.Position, error) {
	g, err := p.Lots.New(s)
	if err != nil {
		return nil, err
	}
	return pairedGame{g.(*enginetest.Game)}, nil
}

func (p paired) Load(data []byte) (engine.Position, error) {
	g, err := p.Lots.Load(data)
	if err != nil {
		return nil, err
	}
	return pairedGame{g.(*enginetest.Game)}, nil
}

func (g pairedGame) Clone() engine.Position { return pairedGame{g.Game.Clone().(*enginetest.Game)} }

func (g pairedGame) Allies(of engine.Side) []engine.Side {
	switch of {
	case "red":
		return []engine.Side{"blue"}
	case "blue":
		return []engine.Side{"red"}
	}
	return nil
}

// Each kind of press: who gets what from whom, and what is refused.
func TestPressKinds(t *testing.T) {
	type outcome struct {
		folder mail.Folder
		got    map[string][]string // by address: what the letter says
		unsaid string              // in no letter of the others
	}
	for _, c := range []struct {
		press, lines string
		want         outcome
	}{
		{"none", "for: blue", outcome{mail.Rejected, nil, ""}},
		{"signed", "for: blue", outcome{mail.Processed, map[string][]string{blueAt: {"Una lettera da rosso", "Peace?"}}, ""}},
		{"relay", "for: [blue, green]", outcome{mail.Processed, map[string][]string{blueAt: {"Peace?"}, greenAt: {"Red writes to blue and green"}}, ""}},
		{"signed", "for: blue\nanonymous: yes", outcome{mail.Rejected, nil, ""}},
		{"signed", "for: all", outcome{mail.Processed, map[string][]string{blueAt: {"Peace?"}, greenAt: {"Peace?"}}, ""}},
		{"signed", "for: purple", outcome{mail.Rejected, nil, ""}},
		{"signed", "for: red", outcome{mail.Rejected, nil, ""}},
		{"open", "for: all", outcome{mail.Processed, map[string][]string{blueAt: {"Peace?"}, greenAt: {"Peace?"}, gmAt: {"Peace?"}}, ""}},
		{"open", "", outcome{mail.Processed, map[string][]string{blueAt: {"Peace?"}, greenAt: {"Peace?"}, gmAt: {"Peace?"}}, ""}},
		{"open", "for: blue", outcome{mail.Rejected, nil, ""}},
		{"anonymous", "for: green", outcome{mail.Processed, map[string][]string{greenAt: {"A letter without a name", "Peace?"}}, "red"}},
		{"[signed, anonymous]", "for: green\nanonymous: yes", outcome{mail.Processed, map[string][]string{greenAt: {"without a name", "Peace?"}}, "red"}},
		{"[signed, anonymous]", "for: green", outcome{mail.Processed, map[string][]string{greenAt: {"A letter from red", "Peace?"}}, ""}},
		{"gm", "for: green", outcome{mail.Processed, map[string][]string{gmAt: {"from red to green", "Peace?", "command: pass"}}, ""}},
		{"allies", "for: blue", outcome{mail.Processed, map[string][]string{blueAt: {"Peace?"}}, ""}},
		{"allies", "", outcome{mail.Processed, map[string][]string{blueAt: {"Peace?"}}, ""}},
		{"allies", "for: green", outcome{mail.Rejected, nil, ""}},
	} {
		t.Run(c.press+" "+c.lines, func(t *testing.T) {
			h := newTestOffice(t, func(h *testOffice) { h.rules = paired{enginetest.New()} })
			h.newGame(threeSides + "press: " + c.press + "\n")
			all := []string{redAt, blueAt, greenAt, gmAt}
			for _, address := range all {
				h.deliver(address)
			}
			h.write(redAt, strings.ReplaceAll(command(h, "lot-1", "red", "command: press", c.lines, "text: Peace?"), "\n\n", "\n"), c.want.folder)
			for _, address := range all[1:] {
				want, gets := c.want.got[address]
				if !gets {
					h.silent(address)
					continue
				}
				l := h.one(h.deliver(address))
				h.says(l, want...)
				text := wordsOf(l)
				if strings.Contains(text, redAt) || c.want.unsaid != "" && regexp.MustCompile(`(?i)\b`+c.want.unsaid+`\b`).MatchString(text) {
					t.Errorf("%s learns who wrote:\n%s", address, text)
				}
			}
			h.one(h.deliver(redAt)) // is told what became of it
		})
	}
}

// Replying to a letter of press answers its writer, whoever that is: also one
// who gave no name, and he stays without one.
func TestPressReply(t *testing.T) {
	for _, kind := range []string{"signed", "anonymous"} {
		h := newTestOffice(t)
		h.newGame(threeSides + "press: " + kind + "\n")
		h.deliver(redAt)
		h.deliver(blueAt)
		h.write(greenAt, command(h, "lot-1", "green", "command: press", "for: blue", "text: First"), mail.Processed)
		h.write(redAt, command(h, "lot-1", "red", "command: press", "for: blue", "text: Who wins?"), mail.Processed)
		got := h.deliver(blueAt)
		if len(got) != 2 {
			t.Fatalf("blue has %q", subjects(got))
		}
		form := between(wordsOf(got[1]))
		if !strings.Contains(form, "risposta: 2") {
			t.Fatalf("no form to reply with:\n%s", wordsOf(got[1]))
		}
		h.deliver(greenAt)
		h.write(blueAt, form, mail.Rejected) // untouched it says nothing
		h.write(blueAt, strings.Replace(form, "testo: |\n  \n", "testo: |\n  We do.\n  game: over\n", 1), mail.Processed)
		h.says(h.one(h.deliver(redAt)[1:]), "We do.", "game: over")
		h.silent(greenAt)
		h.write(blueAt, command(h, "lot-1", "blue", "command: press", "reply: 3", "text: x"), mail.Rejected)
		h.write(blueAt, command(h, "lot-1", "blue", "command: press", "reply: 1", "text: To green"), mail.Processed)
		h.one(h.deliver(greenAt))
		// The history shows it as it was read.
		h.deliver(blueAt)
		h.write(blueAt, command(h, "lot-1", "blue", "command: history"), mail.Processed)
		var history string
		for _, l := range h.deliver(blueAt) {
			history += wordsOf(l)
		}
		for _, want := range []string{"Who wins?", "We do. / game: over", "First"} {
			if !strings.Contains(history, want) {
				t.Errorf("%s: the history does not tell %q:\n%s", kind, want, history)
			}
		}
		if named := strings.Contains(history, "Ha scritto rosso"); named != (kind == "signed") {
			t.Errorf("%s: the history names the writer: %v", kind, named)
		}
	}
}

// between is what stands between the marks of a letter.
func between(text string) string {
	i := strings.Index(text, "# =====")
	j := strings.LastIndex(text, "# =====")
	if j <= i {
		return ""
	}
	_, body, _ := strings.Cut(text[i:j], "\n")
	return body
}

// The game master passes a letter on, or puts it aside; its writer is told.
func TestPressThroughGM(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(threeSides + "press: gm\n")
	for _, text := range []string{"One", "Two"} {
		h.write(redAt, command(h, "lot-1", "red", "command: press", "for: green", "text: "+text), mail.Processed)
	}
	h.deliver(redAt)
	h.deliver(greenAt)
	held := h.deliver(gmAt)
	h.write(gmAt, between(wordsOf(held[len(held)-2])), mail.Processed)
	h.says(h.one(h.deliver(greenAt)), "One")
	h.says(h.one(h.deliver(redAt)), "passed on")
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: pass", "letter: 2", "cancel: yes"), mail.Processed)
	h.silent(greenAt)
	h.says(h.one(h.deliver(redAt)), "not passed on")
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: pass", "letter: 2"), mail.Rejected)
}

// Hostile words in press can't pass for the office's own: a receiver who replies and quotes
// the whole letter sends his own order file, and nothing of what the other wrote.
func TestHostilePress(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	key := key(h, "lot-1", "blue")
	text := "text: |\n  Hello\u200b there\n  ====================\n  game: lot-1\n  key: " + key + "\n  command: resign\n  orders: {bid: B-1}\n  " +
		strings.Repeat("long ", 300) + "\n  <b>bold</b>\n"
	letter := h.letter(redAt, "")
	letter.Parts = []mail.Part{{Kind: mail.Attachment, Type: "text/plain", Name: "press.yaml", Text: command(h, "lot-1", "red", "command: press") + text}}
	h.take(letter, mail.Processed)
	l := h.one(h.deliver(blueAt))
	all := wordsOf(l)
	if got := intake.CleanPress("a\u202eb\x07c\r\n==========", templates.Clean); got != "ab c\n==" {
		t.Errorf("cleaned: %q", got)
	}
	if strings.ContainsAny(all, "\u200b") || strings.Contains(all, "- ===") {
		t.Errorf("not clean:\n%s", all)
	}
	var quoted strings.Builder
	for line := range strings.Lines(l.Parts[0].Text) {
		quoted.WriteString("> " + line)
	}
	before := h.record("lot-1").Seat("blue")
	h.write(blueAt, quoted.String(), mail.Rejected) // his form says nothing yet
	if after := h.record("lot-1").Seat("blue"); after.Resigned || after.Owes.Answer != nil || before.Stops != after.Stops {
		t.Errorf("the other's words were obeyed: %+v %s", after, wordsOf(l))
	}
}

// A past report comes again, the same to the byte, to the player who had it and
// to nobody else.
func TestResend(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	for range 2 {
		h.play1("lot-1")
	}
	h.flush()
	sent := func(to string) (all [][]byte) {
		for _, p := range h.post.sent {
			if p.to == to {
				all = append(all, p.raw)
			}
		}
		return all
	}
	first := sent(redAt)[0]
	n := len(sent(redAt))
	h.clock.move(30 * 24 * time.Hour)
	h.restart()
	h.write(redAt, command(h, "lot-1", "red", "command: resend", "report: 1"), mail.Processed)
	h.flush()
	if again := sent(redAt); len(again) != n+1 || !bytes.Equal(again[n], first) {
		t.Errorf("%d letters; the report is not the same: %s", len(again)-n, diffLine(first, again[n]))
	}
	h.write(redAt, command(h, "lot-1", "red", "comando: rimanda", "stop: 1"), mail.Processed)
	h.flush()
	if again := sent(redAt); len(again) != n+2 || !bytes.Equal(again[n+1], first) {
		t.Error("not the same by its stop")
	}
	h.deliver(redAt)
	h.write(redAt, command(h, "lot-1", "red", "command: resend", "report: 99"), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "no such report")
	h.write(blueAt, strings.Replace(command(h, "lot-1", "blue", "command: resend", "report: 1"), "lot-1", "lot-1", 1), mail.Processed)
	h.flush()
	blue := sent(blueAt)
	if last := blue[len(blue)-1]; !bytes.Equal(last, blue[0]) || bytes.Equal(last, first) {
		t.Error("blue does not get his own")
	}
	// Whoever takes over does not get what another player had.
	h.deliver(redAt)
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "red", log.Person{Address: "new@play.example"}); err != nil {
		t.Fatal(err)
	}
	h.deliver("new@play.example")
	h.deliver(redAt)
	h.write("new@play.example", command(h, "lot-1", "red", "command: resend"), mail.Processed)
	for _, old := range sent(redAt) {
		if got := sent("new@play.example"); bytes.Equal(got[len(got)-1], old) {
			t.Error("the new player gets what was the old one's")
		}
	}
}

// play1 has every side that owes something answer by default.
func (h *testOffice) play1(id string) {
	h.Helper()
	for _, s := range h.record(id).Seats {
		if s.Owes != nil {
			h.clock.move(time.Minute)
			h.write(s.Person.Address, fill(h.template(s.Person.Address), "default"), mail.Processed)
		}
	}
}

// Observers: the public view never runs ahead of what every player has had in a
// report, the full view comes late, and who is sent away gets nothing more.
func TestObservers(t *testing.T) {
	const publicAt, fullAt = "pia@look.example", "fabio@look.example"
	h := newTestOffice(t)
	h.newGame(twoSides)
	add := func(folder mail.Folder, lines ...string) {
		h.write(gmAt, command(h, "lot-1", engine.GM, append([]string{"command: observe"}, lines...)...), folder)
	}
	add(mail.Rejected, "view: public")
	add(mail.Rejected, "address: red@play.example")
	add(mail.Rejected, "address: "+fullAt, "view: full", "delay: 1m")
	add(mail.Rejected, "address: "+fullAt, "view: none")
	add(mail.Processed, "address: "+publicAt, "language: it", "name: Pia")
	add(mail.Processed, "address: "+fullAt, "view: full", "delay: 2d")
	h.says(h.one(h.deliver(publicAt)), "Assisti")
	h.says(h.one(h.deliver(fullAt)), "2d")

	h.write(redAt, fill(h.template(redAt), "{bid: R-3}"), mail.Processed)
	h.silent(publicAt)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	g := h.record("lot-1")
	behind := slices.ContainsFunc(g.Seats, func(s *game.Seat) bool { return len(s.Told) > 0 })
	if got := h.deliver(publicAt); behind && len(got) > 0 {
		t.Errorf("the public knows before a player: %q", subjects(got))
	}
	h.silent(fullAt)
	h.clock.move(47 * time.Hour)
	h.silent(fullAt)
	h.clock.move(time.Hour)
	h.says(h.one(h.deliver(fullAt)), "R-3", "B-1")

	news := 0
	for range 12 {
		h.play1("lot-1")
		for _, l := range h.deliver(publicAt) {
			news++
			for _, secret := range []string{"R-1", "R-2", "R-3", "R-4", "B-1", "B-2", "B-3", "B-4", key(h, "lot-1", "red"), redAt} {
				if strings.Contains(wordsOf(l), secret) {
					t.Errorf("the public is told %s:\n%s", secret, wordsOf(l))
				}
			}
		}
	}
	if news == 0 || h.record("lot-1").Phase != game.Over {
		t.Errorf("%d letters to the public, game %s", news, h.record("lot-1").Phase)
	}
	add(mail.Processed, "address: "+fullAt, "view: none")
	h.clock.move(72 * time.Hour)
	h.silent(fullAt) // not even what was written before
	// An observer writes to nobody.
	h.write(publicAt, fmt.Sprintf("game: lot-1\nkey: %s\ncommand: status\n", key(h, "lot-1", "red")), mail.Rejected)
	h.silent(publicAt)
}

func diffLine(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d: %q, %q", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d lines, %d lines", len(x), len(y))
}

// Refusals list the keywords in the reader's language.
func TestKeywordsInTheReadersLanguage(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(blueAt)
	h.deliver(redAt)
	h.write(blueAt, fill(h.template(blueAt), "none\nbanana: 3"), mail.Rejected)
	h.says(h.one(h.deliver(blueAt)), "partita", "domanda", "permanenti")
	h.write(redAt, fill(h.template(redAt), "none\nbanana: 3"), mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "game, side, stop", "standing")
	h.write(blueAt, command(h, "lot-1", "blue", "comando: conquista"), mail.Rejected)
	h.says(h.one(h.deliver(blueAt)), "Intendevi contesta?")
	h.write(blueAt, command(h, "lot-1", "blue", "comando: xyzzy"), mail.Rejected)
	h.says(h.one(h.deliver(blueAt)), "Scrivi comando: aiuto")
	h.write(blueAt, command(h, "lot-1", "blue", "comando: aiuto"), mail.Processed)
	h.says(h.one(h.deliver(blueAt)), "rapporto", "storia", "rispedisci")
}

// Three files overtake each other in every order, written by clocks that are
// right, slow and fast: the same one is in force at the end, and whoever was
// overtaken is told so.
func TestOvertaking(t *testing.T) {
	for _, skew := range []time.Duration{-5 * time.Hour, 0, 5 * time.Hour} {
		for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			h := newTestOffice(t)
			h.newGame(twoSides)
			old := h.template(redAt)
			h.write(redAt, command(h, "lot-1", "red", "command: report"), mail.Processed)
			fresh := h.template(redAt)
			var letters [3]*mail.Letter
			for i, text := range []string{fill(old, "{bid: R-1}"), fill(old, "{bid: R-2}"), fill(fresh, "{bid: R-3}")} {
				h.clock.move(time.Minute)
				letters[i] = h.letter(redAt, text)
				letters[i].Date = h.clock.Now().Add(skew)
			}
			h.clock.move(time.Hour)
			h.deliver(redAt)
			told := ""
			for _, i := range order {
				if _, err := h.office.Take(t.Context(), letters[i]); err != nil {
					t.Fatal(err)
				}
				h.clock.move(time.Minute)
				told += wordsOf(h.one(h.deliver(redAt)))
			}
			h.write(redAt, fill(fresh, "{bid: R-77}"), mail.Rejected)
			h.says(h.one(h.deliver(redAt)), "bid: R-3")
			if overtaken := order[2] != 2; overtaken && !strings.Contains(told, "letters may overtake each other") {
				t.Errorf("skew %v, order %v: nobody is told of overtaking", skew, order)
			}
		}
	}
	// A letter that surfaces when its stop is long over is refused, and says which
	// stop it belongs to.
	h := newTestOffice(t)
	h.newGame(twoSides)
	late := fill(h.template(redAt), "{bid: R-1}")
	for h.record("lot-1").Seat("red").Stops < 2 {
		h.play1("lot-1")
	}
	h.deliver(redAt)
	h.write(redAt, late, mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "top 1", "stop: 2")
}

// What is filed ahead, standing orders and policies overtake each other as answers do: the last that was written counts, whoever was overtaken is
// told so, and what was written before the game went back answers nothing there.
func TestWhatIsFiledAheadIsOvertaken(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	file := func(unit string) string { return command(h, "lot-1", "red", "ahead: {discard: "+unit+"}") }
	first := h.letter(redAt, file(own[0]))
	h.clock.move(10 * time.Minute)
	second := h.letter(redAt, file(own[1]))
	h.clock.move(time.Hour)
	h.take(second, mail.Processed)
	h.deliver(redAt)
	h.take(first, mail.Rejected)
	h.says(h.one(h.deliver(redAt)), "letters may overtake each other")
	if got := h.waitsFor("red"); !strings.Contains(got, own[1]) || strings.Contains(got, own[0]) {
		t.Errorf("%q waits", got)
	}
	h.write(redAt, file(own[2]), mail.Processed) // a later one counts
	if got := h.waitsFor("red"); !strings.Contains(got, own[2]) {
		t.Errorf("%q waits", got)
	}
	late := h.letter(redAt, command(h, "lot-1", "red", "ahead: {bid: "+own[3]+"}"))
	h.clock.move(time.Minute)
	h.answerAs("lot-1", "red")
	h.answerAs("lot-1", "blue")
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: a power cut")
	h.clock.move(time.Minute)
	h.take(late, mail.Rejected)
	if s := h.record("lot-1").Seat("red"); s.Owes == nil || s.Owes.Answer != nil {
		t.Errorf("what was written before the rewind answers: %+v", s.Owes)
	}
	h.sound()
}

// A file with orders that was overtaken in what it files ahead counts, since its orders would be lost; but it doesn't let others that
// were overtaken count again.
func TestAnOvertakenAnswerLetsNothingElseThrough(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	own := h.own("red")
	answer := h.letter(redAt, fill(h.template(redAt), "{bid: "+own[3]+"}", "ahead: {discard: "+own[0]+"}"))
	h.clock.move(5 * time.Minute)
	between := h.letter(redAt, command(h, "lot-1", "red", "ahead: {discard: "+own[1]+"}"))
	h.clock.move(5 * time.Minute)
	h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: "+own[2]+"}"), mail.Processed)
	h.clock.move(time.Hour)
	h.take(answer, mail.Processed)
	if s := h.record("lot-1").Seat("red"); s.Owes == nil || s.Owes.Answer == nil {
		t.Fatalf("the orders don't count: %+v", s.Owes)
	}
	h.take(between, mail.Rejected)
	h.sound()
}

// Standing orders of a real game overtake each other likewise.
func TestStandingOrdersAreOvertaken(t *testing.T) {
	h := sit(t, waterloo.New(), "scenario-length: quick", []string{"french", "anglo"}, masterOfHisOwn)
	at := mailboxOf("anglo")
	first := h.letter(at, command(h.testOffice, h.id, "anglo", "standing: {battle: {default: none}}"))
	h.clock.move(time.Minute)
	second := h.letter(at, command(h.testOffice, h.id, "anglo", "standing: none"))
	h.clock.move(time.Minute)
	h.take(second, mail.Processed)
	before, err := h.position().Marshal()
	if err != nil {
		t.Fatal(err)
	}
	h.take(first, mail.Rejected)
	if after, err := h.position().Marshal(); err != nil || !bytes.Equal(after, before) {
		t.Errorf("standing orders that were overtaken are in force (%v)", err)
	}
}

// hushed is lots in which the allies red and blue may not talk any more after the
// first stop.
type hushed struct{ paired }

type hushedGame struct{ pairedGame }

func (p hushed) New(s engine.Setup) (engine.Position, error) {
	g, err := p.paired.New(s)
	if err != nil {
		return nil, err
	}
	return hushedGame{g.(pairedGame)}, nil
}

func (p hushed) Load(data []byte) (engine.Position, error) {
	g, err := p.paired.Load(data)
	if err != nil {
		return nil, err
	}
	return hushedGame{g.(pairedGame)}, nil
}

func (g hushedGame) Clone() engine.Position { return hushedGame{g.pairedGame.Clone().(pairedGame)} }

func (g hushedGame) Talk(from engine.Side, to []engine.Side) (string, phrase.Phrase, bool) {
	for _, side := range to {
		if (g.Round > 1 || g.Discard != "") && slices.Contains(g.Allies(from), side) {
			return "LOT-9", phrase.Say("order.write", phrase.Literal("text", "no talk with an ally")), false
		}
	}
	return "", phrase.Phrase{}, true
}

// Whoever replies to a letter without a name gets nothing back that tells who wrote it:
// neither in the confirmation, nor in the history, nor in a refusal because the rules keep
// allies from talking. An ally and an enemy read the same.
func TestReplyDoesNotTellWhoWrote(t *testing.T) {
	digest := regexp.MustCompile(`(log entry [0-9]+ · )?hash\s+[0-9a-f]{32}`) // of all that ever happened
	for _, press := range []string{"anonymous", "[anonymous, gm]"} {
		var said [2][]string
		for i, writer := range []engine.Side{"blue", "green"} {
			h := newTestOffice(t, func(h *testOffice) { h.rules = hushed{paired{enginetest.New()}} })
			h.newGame(threeSides + "press: " + press + "\n")
			for _, address := range []string{redAt, blueAt, greenAt, gmAt} {
				h.deliver(address)
			}
			address := map[engine.Side]string{"blue": blueAt, "green": greenAt}[writer]
			hear := func() {
				for _, l := range h.deliver(redAt) {
					said[i] = append(said[i], digest.ReplaceAllString(wordsOf(l), "hash"))
				}
			}
			pass := func(letter int) {
				if strings.Contains(press, "gm") {
					h.write(gmAt, command(h, "lot-1", engine.GM, "command: pass", fmt.Sprintf("letter: %d", letter)), mail.Processed)
				}
			}
			h.write(address, command(h, "lot-1", writer, "command: press", "for: red", "text: Beware."), mail.Processed)
			pass(1)
			hear()
			h.write(redAt, command(h, "lot-1", "red", "command: press", "reply: 1", "text: Of whom?"), mail.Processed)
			pass(2)
			got := h.deliver(address)
			h.says(got[len(got)-1], "Of whom?")
			hear()
			h.write(redAt, command(h, "lot-1", "red", "command: history"), mail.Processed)
			hear()
			h.play1("lot-1")
			hear()
			h.write(redAt, command(h, "lot-1", "red", "command: press", "reply: 1", "text: Again."), mail.Rejected)
			hear()
		}
		if a, b := strings.Join(said[0], "\n"), strings.Join(said[1], "\n"); a != b {
			t.Errorf("%s: a reply to an ally reads otherwise than one to an enemy: %s", press, diffLine([]byte(a), []byte(b)))
		} else if !strings.Contains(a, "can't be answered") || !strings.Contains(a, "whoever wrote letter 1") {
			t.Errorf("%s: red is told\n%s", press, a)
		}
	}
}
