package adjudicator

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/log"
	"berthier/adjudicator/report"
	"berthier/engine"
	"berthier/engine/course"
	"berthier/mail"
)

func asked(template, bid, n string) string {
	return strings.Replace(fill(template, bid), "orders:", "draft: true\nwhat-if: "+n+"\norders:", 1)
}

// A draft may be tried out: the answer tells what might follow and from what
// that was found, nothing counts, and nothing is logged.
func TestDraftIsTriedOut(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	h.deliver(gmAt)
	before := h.kinds("lot-1")
	h.write(redAt, asked(h.template(redAt), "{bid: R-1}", "100"), mail.Processed)
	first := h.one(h.deliver(redAt))
	h.says(first, "What might follow", "played out 100 times", "from nothing but what you can see", "never used", "guessed", "Of 100", "LOT-2", "The game never ended", "asked next")
	h.silent(blueAt)
	h.silent(gmAt)
	if after := h.kinds("lot-1"); len(after) != len(before) {
		t.Errorf("the log has grown: %v", after)
	}
	// The same question has the same answer, whatever the other side did.
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-3}"), mail.Processed)
	h.deliver(blueAt)
	h.clock.move(time.Minute)
	h.write(redAt, asked(h.template(redAt), "{bid: R-1}", "100"), mail.Processed)
	second := h.one(h.deliver(redAt))
	if a, b := spreadOf(t, wordsOf(first)), spreadOf(t, wordsOf(second)); a != b {
		t.Errorf("the same question has another answer:\n%s\n%s", a, b)
	}
}

// What a draft files ahead is tried out with it, and waits for nothing; a draft that says
// nothing of that is tried out with what waits already. The other player hears nothing.
func TestDraftIsTriedOutWithWhatItFilesAhead(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	h.deliver(redAt)
	h.deliver(blueAt)
	own := h.own("red")
	draft := func(lines ...string) string {
		h.clock.move(time.Minute)
		h.write(redAt, strings.Replace(fill(h.template(redAt), "{bid: none}", lines...), "orders:", "draft: true\nwhat-if: 60\norders:", 1), mail.Processed)
		return spaced(h.one(h.deliver(redAt)))
	}
	plain := draft()
	found := regexp.MustCompile(`(\d+ )Discard`).FindStringSubmatch(plain)
	if found == nil || strings.Contains(plain, "discard: it") {
		t.Fatalf("who bids nothing need not discard:\n%s", plain)
	}
	asks, fits, misfit := found[0], found[1]+"discard: it answers its stop", found[1]+"discard: its stop comes, and it does not fit"
	if text := draft("ahead: {discard: " + own[1] + "}"); strings.Contains(text, asks) || !strings.Contains(text, fits) || strings.Contains(text, "does not fit") {
		t.Errorf("what the draft files ahead is not played:\n%s", text)
	}
	if text := draft("ahead: {discard: R-77}"); !strings.Contains(text, asks) || !strings.Contains(text, misfit) {
		t.Errorf("what does not fit is not told:\n%s", text)
	}
	if h.record("lot-1").Seat("red").Ahead != nil {
		t.Error("what a draft files ahead waits")
	}
	h.clock.move(time.Minute)
	h.write(redAt, command(h, "lot-1", "red", "ahead: {discard: "+own[1]+"}"), mail.Processed)
	h.deliver(redAt)
	if text := draft(); !strings.Contains(text, fits) {
		t.Errorf("what waits is not played:\n%s", text)
	}
	if text := draft("ahead: none"); !strings.Contains(text, asks) || strings.Contains(text, fits) {
		t.Errorf("what the draft takes back is played:\n%s", text)
	}
	if a := h.record("lot-1").Seat("red").Ahead; a == nil || len(a.Used) > 0 {
		t.Errorf("trying out used what waits: %+v", a)
	}
	h.silent(blueAt)
	h.soundly()
}

// spreadOf is the part of a letter that tells what might follow.
func spreadOf(t *testing.T, text string) string {
	t.Helper()
	_, after, ok := strings.Cut(strings.ToUpper(text), "WHAT MIGHT FOLLOW")
	part, _, ok2 := strings.Cut(after, "AS IT WAS UNDERSTOOD")
	if !ok || !ok2 {
		t.Fatalf("no such part in\n%s", text)
	}
	return part
}

// What can't be tried out is said plainly; orders that would count by mistake
// are refused.
func TestWhatIfRefused(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	template := h.template(redAt)
	for text, says := range map[string]string{
		strings.Replace(asked(template, "{bid: R-1}", "100"), "draft: true\n", "", 1): "only tries out drafts",
		asked(template, "{bid: R-1}", "501"):                                          "500",
		asked(template, "{bid: R-1}", "0"):                                            "500",
		asked(template, "{bid: R-1}", "many"):                                         "many",
	} {
		h.write(redAt, text, mail.Rejected)
		h.says(h.one(h.deliver(redAt)), says)
		h.clock.move(time.Minute)
	}
}

// A seat's drafts are tried out a limited number of times in an hour. Beyond that they are
// still judged. What one seat asks takes nothing from the other.
func TestWhatIfHasLimits(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 100 })
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	try := func(at, bid string) *mail.Letter {
		h.clock.move(time.Second)
		h.write(at, asked(h.template(at), bid, "500"), mail.Processed)
		return h.one(h.deliver(at))
	}
	for range report.MostTries / 500 {
		h.says(try(redAt, "{bid: R-1}"), "What might follow")
	}
	h.says(try(redAt, "{bid: R-1}"), "was not tried out", "2000", "bid: R-1")
	h.says(try(blueAt, "{bid: B-1}"), "Che cosa potrebbe seguire", "500 volte", "mai stato usato")
	h.clock.move(time.Hour)
	h.says(try(redAt, "{bid: R-1}"), "What might follow")
}

// bare is a ruleset that makes up no positions.
type bare struct{ engine.Ruleset }

func TestWhatIfOfOtherGames(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	template := h.template(redAt)
	h.rules = bare{h.rules}
	h.restart()
	h.write(redAt, asked(template, "{bid: R-1}", "10"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "this game does not offer it")
}

// A position that differs only in what a side may not see gives the same answer,
// to the byte.
func TestWhatIfHidesWhatIsHidden(t *testing.T) {
	var spreads []string
	for _, blue := range []int{1, 5} {
		h := newTestOffice(t)
		h.spoilt = true // its position is changed with no word in the log
		h.newGame(twoSides)
		h.deliver(redAt)
		err := h.office.change(t.Context(), "lot-1", func(tr *transaction) error {
			position, problems, err := course.Edited(tr.Rules, tr.Position, "sides:\n- {side: red, won: 0, units: "+units("R", 1, 2, 3, 4)+
				"}\n- {side: blue, won: 0, units: "+units("B", blue, blue)+"}\n")
			if err != nil || len(problems) > 0 {
				t.Fatal(problems, err)
			}
			tr.Place(position)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		h.write(redAt, asked(h.template(redAt), "{bid: R-1}", "50"), mail.Processed)
		spreads = append(spreads, spreadOf(t, wordsOf(h.one(h.deliver(redAt)))))
	}
	if spreads[0] != spreads[1] {
		t.Errorf("what red can't see shows:\n%s\n%s", spreads[0], spreads[1])
	}
}

func units(letter string, strengths ...int) string {
	var all []string
	for i, n := range strengths {
		all = append(all, "{id: "+letter+"-"+string(rune('1'+i))+", strength: "+string(rune('0'+n))+"}")
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// A stop of the past, or the present one, can be played on a copy: as it was, or
// with other orders and dice. The database stays as it is, to the byte.
func TestWhatIfOfAGame(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.deliver(redAt)
	h.deliver(blueAt)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-2}"), mail.Processed)
	h.deliver(redAt)
	h.deliver(blueAt)
	h.deliver(gmAt)
	var resolved log.Resolved
	if err := h.office.look("lot-1", func(tr *transaction) error {
		branch, err := tr.past.Branch()
		if err != nil {
			return err
		}
		_, err = tr.Entry(branch[1].Seq, &resolved)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	before := h.bytes()

	ask := func(q WhatIfQuestion) *WhatIf {
		t.Helper()
		w, err := h.office.Clerk().WhatIf("LOT-1", q)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	// As it was: the same answers, rolls and events.
	same := ask(WhatIfQuestion{Stop: 1})
	for _, a := range same.Answers {
		if a.From != FromRecorded {
			t.Errorf("the answer of %s is %s", a.Decision.Side, a.From)
		}
	}
	for i, r := range same.Rolls {
		if r.From != FromRecorded || r.Result != resolved.Rolls[i].Result {
			t.Errorf("roll %d is %d, %s", i+1, r.Result, r.From)
		}
	}
	if a, b := asText(t, same.Events), asText(t, resolved.Events); a != b {
		t.Errorf("other events: %s\n%s", a, b)
	}
	if len(same.Changes) == 0 || len(same.Rolls) != 2 {
		t.Errorf("changes %v, rolls %v", same.Changes, same.Rolls)
	}
	// With other dice, the first of two.
	other := ask(WhatIfQuestion{Stop: 1, Dice: []int{6, 0, 3}})
	if other.Rolls[0].Result != 6 || other.Rolls[0].From != FromGiven || other.Rolls[1].From != FromRecorded || other.Unused != 1 {
		t.Errorf("rolls %v, %d left over", other.Rolls, other.Unused)
	}
	// With other orders no recorded die counts, nor any of the game's.
	red := ask(WhatIfQuestion{Stop: 1, Orders: map[engine.Side]string{"red": "orders: {bid: R-4}\n"}, Defaults: []engine.Side{"blue"}})
	if red.Answers[0].From != FromGiven || red.Answers[1].From != FromDefault || len(red.Rolls) != 1 || red.Rolls[0].From != FromDrawn {
		t.Errorf("answers %v, rolls %v", red.Answers, red.Rolls)
	}
	// The present stop: what is in force counts, else the default.
	present := ask(WhatIfQuestion{})
	for _, a := range present.Answers {
		if a.From != FromDefault {
			t.Errorf("the answer of %s is %s", a.Decision.Side, a.From)
		}
	}
	h.namesFaultsOfWhatIf()
	if !bytes.Equal(before, h.bytes()) {
		t.Error("the database has changed")
	}
	h.silent(redAt)
	h.silent(gmAt)
}

// namesFaultsOfWhatIf asks what can't be asked.
func (h *testOffice) namesFaultsOfWhatIf() {
	h.Helper()
	for says, q := range map[string]WhatIfQuestion{
		"office.game.what-if.no-stop":  {Stop: 99},
		"office.game.what-if.not-owed": {Stop: 1, Defaults: []engine.Side{"green"}},
		"office.game.what-if.twice":    {Stop: 1, Defaults: []engine.Side{"red", "red"}},
		"office.game.what-if.die":      {Stop: 1, Dice: []int{7}},
	} {
		_, err := h.office.Clerk().WhatIf("lot-1", q)
		if err == nil || !strings.Contains(err.Error(), says) {
			h.Errorf("%s: %v", says, err)
		}
	}
	if _, err := h.office.Clerk().WhatIf("lot-1", WhatIfQuestion{Stop: 1, Orders: map[engine.Side]string{"red": "orders: {bid: R-9}\n"}}); err == nil {
		h.Error("an order that is not legal was tried out")
	}
}

// bytes is the database as a copy of it is written.
func (h *testOffice) bytes() []byte {
	h.Helper()
	var b bytes.Buffer
	if _, err := h.store.Backup(&b); err != nil {
		h.Fatal(err)
	}
	file, err := os.ReadFile(h.path)
	if err != nil {
		h.Fatal(err)
	}
	return append(b.Bytes(), file...)
}

func asText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
