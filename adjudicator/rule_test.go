package adjudicator

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// fiveRounds is a game with two stops behind it.
func fiveRounds(t testing.TB) *testOffice {
	t.Helper()
	return begin(t, "five rounds", playFive)
}

// playFive plays the first three of five rounds.
func playFive(t testing.TB) *testOffice {
	t.Helper()
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	for range 3 {
		h.both()
	}
	h.deliver(gmAt)
	h.deliver(redAt)
	h.deliver(blueAt)
	return h
}

// both answers for every side that owes something, by its first unit.
func (h *testOffice) both() {
	h.Helper()
	g := h.record("lot-1")
	for _, s := range g.Seats {
		if s.Owes == nil || s.Owes.Answer != nil {
			continue
		}
		h.clock.move(60e9)
		t, err := h.office.Clerk().Position("lot-1", s.Side)
		if err != nil {
			h.Fatal(err)
		}
		file := fmt.Sprintf("{%s: %s}", s.Owes.Decision.Kind, t.View.(*enginetest.View).Own[0].ID)
		h.write(s.Person.Address, fill(h.template(s.Person.Address), file), mail.Processed)
	}
}

var codeIn = regexp.MustCompile(`confirm: ([0-9A-Z]{4}-[0-9A-Z]{4})`)

// ask sends a game master's letter and gives the answer.
func (h *testOffice) ask(want mail.Folder, lines ...string) *mail.Letter {
	h.Helper()
	h.deliver(gmAt)
	h.clock.move(60e9)
	h.write(gmAt, command(h, "lot-1", engine.GM, lines...), want)
	all := h.deliver(gmAt)
	if want == mail.Processed && h.Failed() {
		for _, l := range all {
			h.Log(wordsOf(l))
		}
	}
	for _, l := range all {
		if !strings.Contains(l.Subject, "over") && !strings.Contains(l.Subject, "the rules can't go on") {
			return l
		}
	}
	h.Fatalf("no answer among %q", subjects(all))
	return nil
}

// rule previews a ruling and confirms it.
func (h *testOffice) rule(lines ...string) (preview, done *mail.Letter) {
	h.Helper()
	preview = h.ask(mail.Processed, lines...)
	code := codeIn.FindStringSubmatch(wordsOf(preview))
	if code == nil {
		h.Fatalf("the preview has no code:\n%s", wordsOf(preview))
	}
	done = h.ask(mail.Processed, lines[0], "confirm: "+code[1])
	h.says(done, "It counts")
	if seen, came := h.whatItDoes(preview), h.whatItDoes(done); seen != came {
		h.Errorf("%q was previewed as\n%s\nand came to\n%s", lines, seen, came)
	}
	return preview, done
}

var (
	seedSum      = regexp.MustCompile(`[0-9a-f]{64}`)
	positionSaid = regexp.MustCompile("The position stays|What changes in the position")
)

// whatItDoes is what a letter to the game master says that a ruling does, word for word but
// for the SHA-256 of a new seed: that is drawn when the ruling counts.
func (h *testOffice) whatItDoes(l *mail.Letter) string {
	h.Helper()
	_, text, ok := strings.Cut(wordsOf(l), "Ruling: ")
	end := positionSaid.FindStringIndex(text)
	if !ok || end == nil {
		h.Fatalf("the letter does not say what the ruling does:\n%s", wordsOf(l))
	}
	return seedSum.ReplaceAllString(text[:end[0]], "")
}

func (h *testOffice) snapshot() []byte {
	h.Helper()
	p, err := h.office.Clerk().Position("lot-1", engine.GM)
	if err != nil {
		h.Fatal(err)
	}
	return p.Snapshot
}

// resolutions are the entries of stops that led to the present position.
func (h *testOffice) resolutions(id string) (seqs []uint64, all []log.Resolved) {
	h.Helper()
	err := h.office.look(id, func(tr *transaction) error {
		trail, err := tr.past.Branch()
		for _, m := range trail {
			var r log.Resolved
			if m.Kind == log.KindResolved {
				if _, err := tr.Entry(m.Seq, &r); err != nil {
					return err
				}
				seqs, all = append(seqs, m.Seq), append(all, r)
			}
		}
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return seqs, all
}

// stronger is the part of a position that holds the units, the first of them
// stronger than it is.
func stronger(position string) string {
	_, text, _ := strings.Cut(position, "sides:\n")
	var all []string
	for _, line := range strings.SplitAfter(text, "\n") {
		if line == "" || line[0] != ' ' && line[0] != '-' {
			break
		}
		all = append(all, "    "+line)
	}
	return "  sides:\n" + regexp.MustCompile(`strength: \d`).ReplaceAllStringFunc(strings.Join(all, ""), func() func(string) string {
		first := true
		return func(was string) string {
			if first {
				first = false
				return "strength: 9"
			}
			return was
		}
	}())
}

// lastEntry is the number of the last entry of a kind.
func (h *testOffice) lastEntry(kind string) (seq uint64) {
	h.Helper()
	h.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Entries("lot-1", 1, func(e chain.Entry) error {
			if entry, err := log.Read(e, nil); err == nil && entry.Kind == kind {
				seq = e.Seq
			}
			return nil
		})
	})
	return seq
}

// firstEntry is the number of the first entry of a kind.
func (h *testOffice) firstEntry(kind string) uint64 {
	h.Helper()
	i := slices.Index(h.kinds("lot-1"), kind)
	if i < 0 {
		h.Fatalf("the log has no %q", kind)
	}
	return uint64(i + 1)
}

// One game in which a die, a unit and an accepted order are ruled on, one ruling is
// overruled and one rewind taken. It verifies, from the export and from the letters
// of each player alone.
func TestRulingsVerify(t *testing.T) {
	withoutRace(t)
	h := fiveRounds(t)
	h.ruleOnDisputedDie()
	h.ruleOnUnit()
	h.refuseTaken()

	// A rewind.
	preview, _ := h.rule("command: rewind", "stop: 2", "orders: new", "reason: a power cut")
	h.says(preview, "It goes back to stop 2, and on with new orders")
	if g := h.record("lot-1"); g.Stop != 2 {
		t.Errorf("the game is at stop %d after going back to 2", g.Stop)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	x := h.export("lot-1", engine.GM)
	h.exportsHold(x)

	// After the end the game goes back once more: with a new seed.
	seeds := len(x.Seeds)
	h.rule("command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRewound)), "reason: there was no power cut")
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	x = h.export("lot-1", engine.GM)
	if len(x.Seeds) != seeds+1 || x.Seeds[0] == x.Seeds[1] {
		t.Errorf("seeds %v", x.Seeds)
	}
	if v := h.verify(x); !v.Sound() || len(v.Differ) > 0 {
		t.Errorf("%+v", v)
	}
	if c := VerifyLetters(h.export("lot-1", "red"), h.mails(redAt)); len(c.Wrong) > 0 {
		t.Errorf("%+v", c)
	}
}

// ruleOnDisputedDie replaces a die: previewed, not confirmed once the preview is stale, then
// confirmed, which settles a dispute.
func (h *testOffice) ruleOnDisputedDie() {
	h.Helper()
	before := h.snapshot()
	_, was := h.resolutions("lot-1")
	at, roll := 0, was[0].Rolls[0]
	result := roll.Result%6 + 1

	// A die.
	preview := h.ask(mail.Processed, "command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", result), "reason: it fell off the table")
	h.says(preview, "Nothing has changed yet", "a die is replaced", fmt.Sprintf("Roll 1 of stop 1 is a %d.", result), "Resolved anew: stops 1", "Told to red")
	if !bytes.Equal(before, h.snapshot()) {
		h.Fatal("a preview changes the position")
	}
	h.silent(redAt)
	code := codeIn.FindStringSubmatch(wordsOf(preview))[1]
	h.clock.move(60e9)
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: I saw it"), mail.Processed)
	h.deliver(redAt)
	stale := h.ask(mail.Processed, "command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", result), "reason: it fell off the table", "confirm: "+code)
	h.says(stale, "no longer fits", "Nothing has changed yet")
	if !bytes.Equal(before, h.snapshot()) {
		h.Fatal("a stale code counts")
	}
	dispute := h.lastEntry(log.KindDispute)
	h.says(h.ask(mail.Processed, "command: disputes"), "I saw it", "LOT-2", "Rolls of stop 1")
	preview, _ = h.rule("command: rule", "stop: 1", "roll: 1", fmt.Sprintf("result: %d", result), fmt.Sprintf("dispute: %d", dispute), "reason: it fell off the table")
	h.says(preview, fmt.Sprintf("It settles the dispute of entry %d.", dispute))
	if _, now := h.resolutions("lot-1"); now[at].Rolls[0].Result != result || now[at].Ruled[1] != result {
		h.Errorf("the die is %+v", now[at].Rolls[0])
	}
	red := h.deliver(redAt)
	h.says(red[len(red)-1], "has made a ruling", "settles what you disputed", "is undone")
	blue := h.deliver(blueAt)
	h.lacks(blue[len(blue)-1], "contestazione")
	h.says(h.ask(mail.Processed, "command: disputes"), "No event is disputed")
}

// ruleOnUnit changes a unit, and overrules that.
func (h *testOffice) ruleOnUnit() {
	h.Helper()
	h.rule("command: rule", "reason: it was counted twice", "set:\n"+stronger(string(h.snapshot())))
	if !bytes.Contains(h.snapshot(), []byte("strength: 9")) {
		h.Error("the unit is as it was")
	}
	unit := h.lastEntry(log.KindRuling)

	// The ruling on the unit is overruled.
	preview, _ := h.rule("command: rule", fmt.Sprintf("overrule: %d", unit), "reason: it was right before")
	h.says(preview, fmt.Sprintf("It is about entry %d of the log", unit))
}

// refuseTaken refuses an accepted order: its player owes again.
func (h *testOffice) refuseTaken() {
	h.Helper()
	if bytes.Contains(h.snapshot(), []byte("strength: 9")) {
		h.Error("the overruled ruling still holds")
	}
	h.both()
	taken := h.lastEntry(log.KindTaken)
	h.rule("command: rule", fmt.Sprintf("refuse: %d", taken), "reason: sent by his brother")
	owing := 0
	for _, s := range h.record("lot-1").Seats {
		if s.Owes != nil && s.Owes.Answer == nil {
			owing++
		}
	}
	if owing != 1 {
		h.Errorf("%d sides owe after one file was refused", owing)
	}
	h.both()
}

// exportsHold finds that what each seat gets of a game is sound, names the game master to
// himself alone, and that each of his acts says whose it was.
func (h *testOffice) exportsHold(whole *log.Export) {
	h.Helper()
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		x := h.export("lot-1", side)
		if v := h.verify(x); !v.Sound() || len(v.Differ) > 0 {
			h.Errorf("%s: %+v", side, v)
		}
		for _, address := range []string{redAt, blueAt} {
			if c := VerifyLetters(x, h.mails(address)); len(c.Wrong) > 0 || c.Count < 5 {
				h.Errorf("%s, letters to %s: %+v", side, address, c)
			}
		}
		for _, e := range x.Entries {
			if side != engine.GM && strings.Contains(e.Body+e.Private, gmAt) {
				h.Errorf("%s learns who ruled from entry %d", side, e.N)
			}
		}
	}
	by := 0
	for _, e := range whole.Entries {
		if read, _ := log.Read(chain.Entry{Body: []byte(e.Body), Private: []byte(e.Private)}, nil); read.By == "gm" {
			by++
			if !strings.Contains(e.Private, gmAt) && read.Kind != log.KindSetup {
				h.Errorf("entry %d (%s) does not have who did it: %s", e.N, read.Kind, e.Private)
			}
		}
	}
	if by < 10 {
		h.Errorf("%d acts of the game master in the log", by)
	}
}

// Of a dispute the game master sees the event with its clause, the reason, the rolls and
// orders of its stop, and the position before and after it, as files. He sees the same of
// any stop for which he asks.
func TestDisputesShowTheStop(t *testing.T) {
	h := longGame(t)
	before := h.snapshot()
	h.both()
	after := h.snapshot()
	h.both()
	h.deliver(redAt)
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: the die fell off the table"), mail.Processed)
	h.says(h.last(gmAt), "Red disputes an event", "the die fell off the table")
	_, all := h.resolutions("lot-1")
	for _, lines := range [][]string{{"command: disputes"}, {"command: show", "stop: 1"}} {
		l := h.ask(mail.Processed, lines...)
		h.says(l, "Rolls of stop 1", "Orders of stop 1", all[0].Rolls[0].Purpose.Args[0].Value.Text, "bid: R-1", "bid: B-1")
		if lines[0] == "command: disputes" {
			h.says(l, "red, stop 1 of the game, LOT-2", "the die fell off the table", "1. R-1 threw")
		}
		files := map[string][]byte{}
		for i := len(h.post.sent) - 1; len(files) == 0; i-- {
			if h.post.sent[i].to == gmAt {
				for _, f := range attachments(t, h.post.sent[i].raw) {
					files[f.name] = f.data
				}
			}
		}
		flat := func(b []byte) string { return strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n")) }
		for name, want := range map[string][]byte{"lot-1-stop-1-before.yaml": before, "lot-1-stop-1-after.yaml": after} {
			if flat(files[name]) != flat(want) {
				t.Errorf("%s: %s is\n%s\nwant\n%s", lines[0], name, files[name], want)
			}
		}
	}
}

// A ruling that would break an invariant is refused with the name of the invariant, and nothing
// changes.
func TestRulingsRefused(t *testing.T) {
	h := fiveRounds(t)
	before, entries := h.snapshot(), len(h.kinds("lot-1"))
	for lines, says := range map[string]string{
		"set: {round: 3}":                         "needs a reason",
		"reason: r":                               "does one thing",
		"reason: r\nroll: 1\nset: {round: 1}":     "does one thing",
		"reason: r\nset: {round: 9}":              "there is no round 9",
		"reason: r\nset: {rounds: 0}":             "there is no round",
		"reason: r\nset: {nonsense: 1}":           "nonsense",
		"reason: r\nset: {over: true, sides: []}": "sides",
		"reason: r\nstop: 1\nroll: 9\nresult: 3":  "no roll number 9",
		"reason: r\nstop: 1\nroll: 1\nresult: 7":  "it has 6 sides",
		"reason: r\nstop: 99\nroll: 1\nresult: 3": "stop 99 is not among",
		"reason: r\naccept: 1":                    "is not an order file",
		"reason: r\nrefuse: 999":                  "is not an order file",
		"reason: r\noverrule: 2":                  "is neither a ruling",
		"reason: r\ndecision: stands":             "name the dispute",
		"reason: r\ndecision: stands\ndispute: 2": "is not an open dispute",
		"reason: r\noption: {rounds: 7}":          "can't become 7",
		"reason: r\nconfirm: AAAA-AAAA\nstop: 1":  "does one thing",
		"confirm: AAAA-AAAA":                      "no preview to confirm",
		"reason: r\nset: {discard: green}":        "nobody owes an answer",
		"reason: r\nset: {round: 0}":              "there is no round 0",
	} {
		l := h.ask(mail.Rejected, "command: rule", lines)
		if !strings.Contains(strings.ToLower(wordsOf(l)), strings.ToLower(says)) {
			t.Errorf("%q is refused without %q:\n%s", lines, says, wordsOf(l))
		}
		if !strings.Contains(l.Subject, "Not done: command rule") {
			t.Errorf("a refused ruling is headed %q", l.Subject)
		}
	}
	if !bytes.Equal(before, h.snapshot()) || len(h.kinds("lot-1")) != entries {
		t.Error("a refused ruling leaves something behind")
	}
	h.write(redAt, command(h, "lot-1", "red", "command: rule", "set: {round: 3}", "reason: r"), mail.Rejected)
	h.write(blueAt, command(h, "lot-1", "blue", "comando: contesta", "evento: 99", "motivo: r"), mail.Rejected)
	if l := h.last(blueAt); !strings.Contains(l.Subject, "Non eseguito: comando contesta") {
		t.Errorf("a refused dispute is headed %q", l.Subject)
	}
	l := h.ask(mail.Rejected, "command: answer", "side: red", "stop: 99", "orders: default")
	if !strings.Contains(l.Subject, "Orders refused") {
		t.Errorf("refused orders for a player are headed %q", l.Subject)
	}
}

// A late file is accepted: the stop is resolved again with it.
func TestAcceptRefusedOrders(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	late := fill(h.template(redAt), "{bid: R-3}")
	illegal := fill(h.template(redAt), "{bid: R-9}")
	h.both()
	h.write(redAt, late, mail.Rejected)
	entry := h.lastEntry(log.KindRefused)
	h.write(redAt, illegal, mail.Rejected)
	wrong := h.lastEntry(log.KindRefused)
	h.deliver(redAt)
	l := h.ask(mail.Rejected, "command: rule", fmt.Sprintf("accept: %d", wrong), "reason: r")
	h.says(l, "The rules of the game refuse this file", "R-9")
	h.rule("command: rule", fmt.Sprintf("accept: %d", entry), "reason: the mail was slow")
	_, all := h.resolutions("lot-1")
	if i := slices.IndexFunc(all[0].Answers, func(g log.Given) bool { return g.Decision.Side == "red" }); !strings.Contains(all[0].Answers[i].Orders, "R-3") {
		t.Errorf("red answered %q", all[0].Answers[i].Orders)
	}
	ruling := h.lastEntry(log.KindRuling)
	h.rule("command: rule", fmt.Sprintf("overrule: %d", ruling), "reason: it was not")
	_, all = h.resolutions("lot-1")
	if strings.Contains(all[0].Answers[0].Orders, "R-3") {
		t.Error("the overruled file still counts")
	}
	h.rule("command: rule", fmt.Sprintf("accept: %d", wrong), "orders: {bid: R-2}", "reason: he meant this one")
	if _, all = h.resolutions("lot-1"); !strings.Contains(all[0].Answers[0].Orders, "R-2") {
		t.Errorf("red answered %q", all[0].Answers[0].Orders)
	}
	h.play("lot-1", h.anyUnit("lot-1"))
	if v := h.verify(h.export("lot-1", engine.GM)); !v.Sound() || len(v.Differ) > 0 {
		t.Errorf("%+v", v)
	}
}

// A game master decides the outcome, overrules that, and changes an option.
func TestRuleOutcomeAndOption(t *testing.T) {
	h := fiveRounds(t)
	h.rule("command: rule", "option: {rounds: 20}", "reason: both want to go on")
	if h.record("lot-1").Options["rounds"] != "20" || !bytes.Contains(h.snapshot(), []byte("rounds: 20")) {
		t.Error("the option is not changed")
	}
	h.rule("command: rule", "outcome: [red]", "reason: blue gives up")
	g := h.record("lot-1")
	if g.Phase != game.Over || g.Decided == nil || !slices.Equal(g.Decided.Winners, []engine.Side{"red"}) {
		t.Fatalf("%s %+v", g.Phase, g.Decided)
	}
	red := h.deliver(redAt)
	h.says(red[len(red)-1], "has decided the outcome", "has made a ruling")
	h.rule("command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRuling)), "reason: he does not")
	if g := h.record("lot-1"); g.Phase != game.Running || g.Decided != nil || g.Seat("red").Owes == nil && g.Seat("blue").Owes == nil {
		t.Fatalf("%s %+v", g.Phase, g.Decided)
	}
	red = h.deliver(redAt)
	h.says(red[len(red)-1], "a new one is used")
	h.rule("command: rule", "option: {rounds: 5}", "reason: as it was")
	h.play("lot-1", h.anyUnit("lot-1"))
	x := h.export("lot-1", engine.GM)
	if v := h.verify(x); !v.Sound() || len(v.Differ) > 0 || len(x.Seeds) != 2 {
		t.Errorf("%d seeds, %+v", len(x.Seeds), v)
	}
}

// A ruling, a preview that is never confirmed, and a dispute of the other side tell a side
// nothing that it may not know: positions that differ in what is hidden from it give it the
// same letters.
func TestRulingsDoNotLeak(t *testing.T) {
	letters := func(hidden string) []string {
		h := newTestOffice(t)
		h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
		h.deliver(redAt)
		h.rule("command: rule", "set: {sides: "+hidden+"}", "reason: secret")
		var all []string
		for _, l := range h.deliver(redAt) {
			all = append(all, regexp.MustCompile(`hash\s+[0-9a-f]{32}`).ReplaceAllString(wordsOf(l), ""))
		}
		return all
	}
	side := func(n int) string {
		red := "{side: red, units: [{id: R-1, strength: 4}, {id: R-2, strength: 2}, {id: R-3, strength: 5}, {id: R-4, strength: 3}], won: 0}"
		return fmt.Sprintf("[%s, {side: blue, units: [{id: B-1, strength: %d}, {id: B-2, strength: 1}], won: 0}]", red, n)
	}
	a, b := letters(side(7)), letters(side(9))
	if len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("red can tell what blue has:\n%s\n%s", a, b)
	}
	for _, text := range a {
		if strings.Contains(text, "secret") {
			t.Errorf("red reads the reason:\n%s", text)
		}
	}
}

// Going back behind an exchange of seats gives each player his old seat, with a new
// key, and what he is told and was shown is his own.
func TestRewindBehindAnExchange(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = swapping{enginetest.New()} })
	h.newGame(twoSides)
	h.write(redAt, fill(h.template(redAt), "{bid: R-2}"), mail.Processed)
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-2}"), mail.Processed)
	if h.record("lot-1").Seat("blue").Person.Address != redAt {
		t.Fatal("no exchange")
	}
	old := key(h, "lot-1", "red")
	h.deliver(redAt)
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: r")
	g := h.record("lot-1")
	if g.Seat("red").Person.Address != redAt || g.Seat("blue").Person.Address != strings.ToLower(blueAt) {
		t.Errorf("red is %s, blue %s", g.Seat("red").Person.Address, g.Seat("blue").Person.Address)
	}
	if key(h, "lot-1", "red") == old {
		t.Error("the key of the seat is the same")
	}
	rosa := h.deliver(redAt)
	last := rosa[len(rosa)-1]
	h.says(last, "your side is", "is undone", key(h, "lot-1", "red"))
	h.lacks(last, "before for blue", "after for red", "B-2")
	// Who takes Rosa's seat is shown what Rosa saw.
	if err := h.office.Clerk().Replace(t.Context(), "lot-1", "red", log.Person{Address: "new@play.example", Language: "en"}); err != nil {
		t.Fatal(err)
	}
	for _, l := range h.deliver("new@play.example") {
		h.lacks(l, "before for blue", "after for red")
	}
	h.write("new@play.example", fill(h.template("new@play.example"), "{bid: R-1}"), mail.Processed)
	h.write(blueAt, fill(h.template(strings.ToLower(blueAt)), "{bid: B-1}"), mail.Processed)
	if h.record("lot-1").Seat("blue").Person.Address != "new@play.example" {
		t.Error("the seats are not exchanged again")
	}
	if v := h.verify(h.export("lot-1", engine.GM)); !v.Sound() || len(v.Differ) > 0 {
		t.Errorf("%+v", v)
	}
}

// A game master who plays learns nothing hidden and rules on nothing; an
// administrator does it for him.
func TestGameMasterWhoPlays(t *testing.T) {
	const rosa = "gm: {name: Rosa, address: red@play.example}"
	set := strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}", rosa, 1)
	h := newTestOffice(t)
	h.newGame(set)
	h.flush()
	h.deliver(redAt)
	for _, name := range []string{"show", "position", "disputes", "rule\nset: {round: 2}\nreason: r", "rewind\nstop: 1\norders: new\nreason: r"} {
		h.write(redAt, command(h, "lot-1", engine.GM, "command: "+name), mail.Rejected)
		h.says(h.one(h.deliver(redAt)), "You play in this game")
	}
	h.write(redAt, command(h, "lot-1", engine.GM, "command: pause"), mail.Processed)
	for _, l := range h.deliver(redAt) {
		h.lacks(l, "B-1", blueAt, "blue@play.example")
	}
	admin := "game: lot-1\nkey: " + h.officeKey(gmAt) + "\n"
	h.write(gmAt, admin+"command: rule\nset: {round: 2}\nreason: r\n", mail.Processed)
	h.says(h.one(h.deliver(gmAt)), "Nothing has changed yet")
	h.write(gmAt, "game: lot-9\nkey: "+h.officeKey(gmAt)+"\ncommand: show\n", mail.Rejected)
	h.deliver(gmAt)

	h = newTestOffice(t)
	h.newGame(set + "gm-plays: open\n")
	h.says(h.deliver(blueAt)[0], "L'arbitro gioca")
	h.deliver(redAt)
	h.write(redAt, command(h, "lot-1", engine.GM, "command: position"), mail.Processed)
}

// Events keep their numbers when nothing changed for a player, and none is given
// twice.
func TestRewindKeepsNumbers(t *testing.T) {
	h := fiveRounds(t)
	before := h.record("lot-1").Seat("red").Events
	h.rule("command: rewind", "stop: 1", "orders: same", "reason: new program")
	red := h.deliver(redAt)
	h.lacks(red[len(red)-1], "is undone")
	if after := h.record("lot-1").Seat("red").Events; after != before || before == 0 {
		t.Errorf("%d events told before, %d after", before, after)
	}
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: really new")
	red = h.deliver(redAt)
	h.says(red[len(red)-1], fmt.Sprintf("as events 1 to %d is undone", before))
	h.both()
	if after := h.record("lot-1").Seat("red").Events; after <= before {
		t.Errorf("%d events told before, %d after", before, after)
	}
	h.clock.move(60e9)
	h.write(redAt, command(h, "lot-1", "red", "command: history"), mail.Processed)
	l := h.deliver(redAt)
	h.says(l[len(l)-1], "undone later")
	h.says(l[len(l)-1], fmt.Sprintf("%d. ", before+1))
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: r"), mail.Rejected)
}
