package adjudicator

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/league/member"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/adjudicator/timing"
	"berthier/engine"
	"berthier/mail"
)

// gm is a letter of the game master of the tests.
func (h *testOffice) gm(lines ...string) string { return command(h, "lot-1", engine.GM, lines...) }

// chainOf is the log of a game.
func (h *testOffice) chainOf(id string) (all []chain.Entry) {
	h.Helper()
	if err := h.office.read(func(tx store.Reader) (err error) { all, err = entriesOf(tx, id); return err }); err != nil {
		h.Fatal(err)
	}
	return all
}

// managed writes a game master's letter that is shown first, and what confirms it. It gives the preview.
func (h *testOffice) managed(lines ...string) *mail.Letter {
	h.Helper()
	h.write(gmAt, h.gm(lines...), mail.Processed)
	shown := h.last(gmAt)
	h.says(shown, "Nothing has changed yet")
	h.write(gmAt, "game: lot-1\nkey: "+h.gmKey("lot-1")+"\n"+h.backIn(shown), mail.Processed)
	return shown
}

// A game master has the present stop resolved before its time: he is shown who has not answered, and by the
// code of that stop alone it happens. Who had time left has not been silent: neither the ladder of silence
// nor his record counts it. The log can be verified.
func TestAGameMasterHasAStopResolvedNow(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides + "silence: {bot: 1}\n")
	h.answerAs("lot-1", "red")
	h.flush()
	h.write(gmAt, h.gm("command: process"), mail.Processed)
	shown := h.last(gmAt)
	h.says(shown, "Nothing has changed yet", "Stop 1 would be resolved now", "blue")
	h.lacks(shown, "has been read up to")
	func() { // an answer may lie in a mailbox that nobody can read
		w := &h.office.watch
		on, read := w.on, w.read
		w.on, w.read = true, h.clock.Now().Add(-11*time.Minute)
		defer func() { w.on, w.read = on, read }()
		h.write(gmAt, h.gm("command: process"), mail.Processed)
		h.says(h.last(gmAt), "has been read up to Monday 2 March")
	}()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved without a code")
	}
	code := confirmLine.FindString(wordsOf(shown))
	form := "game: lot-1\nkey: " + h.gmKey("lot-1") + "\n" + h.backIn(shown)
	h.write(gmAt, form, mail.Processed)
	if h.record("lot-1").Stop != 2 {
		t.Fatalf("not resolved: stop %d", h.record("lot-1").Stop)
	}
	h.says(h.last(blueAt), "prima che scadesse il termine")
	s := h.record("lot-1").Seat("blue")
	if s.Missed != 0 || s.Streak != 0 || s.Bot {
		t.Errorf("blue has been silent: %+v", s)
	}
	h.write(gmAt, h.gm("command: process", code), mail.Processed) // of the stop before
	h.says(h.last(gmAt), "does not fit")
	if h.record("lot-1").Stop != 2 {
		t.Error("one code has resolved two stops")
	}
	served, err := member.ServedIn("lot-1", h.chainOf("lot-1"), func(address string, _ time.Time) bool { return address == blueAt })
	if err != nil || served.Count(member.Missed) != 0 {
		t.Errorf("it stands in the record of blue: %+v, %v", served, err)
	}
	h.sound()
	h.write(gmAt, h.gm("command: pause"), mail.Processed)
	h.write(gmAt, h.gm("command: process"), mail.Rejected)
	if p, err := h.office.Clerk().Manage(context.Background(), "lot-1", Management{Kind: "process"}, "", false); err == nil {
		t.Errorf("a game that stands still: %+v", p)
	}
}

// A game master takes a seat from its player: the player is told, his key opens nothing more even where his address
// is proof enough, and a reserve has the seat if there is one.
func TestAGameMasterVacatesASeat(t *testing.T) {
	for _, with := range []string{"proof: address\n", "silence: {replace: 3}\nreserves: [{name: Nora, address: nora@play.example}]\n"} {
		h := newTestOffice(t)
		h.newGame(twoSides + with)
		template, old := h.template(blueAt), key(h, "lot-1", "blue")
		h.flush()
		h.write(gmAt, h.gm("command: vacate"), mail.Rejected) // which?
		shown := h.managed("command: vacate", "side: blue", "reason: he asked me to")
		h.says(shown, "Bruno", "blue@play.example", "he asked me to")
		h.says(h.last(blueAt), "posto", "he asked me to")
		s := h.record("lot-1").Seat("blue")
		if strings.Contains(with, "reserves") {
			if s.Person.Address != "nora@play.example" || s.Resigned || s.Vacated {
				t.Errorf("%+v", s)
			}
			h.says(h.one(h.deliver("nora@play.example")), "blue")
		} else if !s.Resigned || !s.Vacated {
			t.Errorf("%+v", s)
		}
		before := len(h.kinds("lot-1"))
		for _, text := range []string{fill(template, h.anyUnit("lot-1")("blue", s.Owes)), "game: lot-1\ncommand: status\n", "game: lot-1\ncommand: new-key\n", "game: lot-1\ncommand: press\nfor: red\ntext: hello\n"} {
			if _, err := h.office.Take(context.Background(), h.letter(blueAt, text)); err != nil {
				t.Fatal(err)
			}
		}
		h.take(h.letter(blueAt, "Hello, why?"), mail.Rejected) // no file: the only game that waits for him is no longer his
		for _, l := range h.deliver(blueAt) {
			h.lacks(l, "Your position", "chiave per", "stop: 1", key(h, "lot-1", "blue"), "bid:")
		}
		if len(h.kinds("lot-1")) != before {
			t.Errorf("who has lost his seat does something: %q", h.kinds("lot-1")[before:])
		}
		if h.record("lot-1").Seat("blue").Vacated { // what the game master answers for the seat is nothing for him either
			h.write(gmAt, strings.Replace(fill(template, h.anyUnit("lot-1")("blue", s.Owes)), "key: "+old, "key: "+h.gmKey("lot-1"), 1), mail.Processed)
			if s := h.record("lot-1").Seat("blue"); s.Owes == nil || s.Owes.Answer == nil {
				t.Error("the game master's answer for the seat does not count")
			}
			if l := h.deliver(blueAt); len(l) > 0 {
				t.Errorf("who has lost his seat reads what was ordered for it:\n%s", wordsOf(l[0]))
			}
		}
		h.write(gmAt, h.gm("command: replace", "side: blue", "address: eve@play.example", "name: Eve"), mail.Processed)
		h.write(gmAt, "game: lot-1\nkey: "+h.gmKey("lot-1")+"\n"+h.backIn(h.last(gmAt)), mail.Processed)
		if s := h.record("lot-1").Seat("blue"); s.Person.Address != "eve@play.example" || s.Resigned || s.Vacated {
			t.Errorf("%+v", s)
		}
		h.sound()
	}
}

// A game master changes deadlines, press, silence and reserves of a running game: all faults at once, shown first,
// told to all, from the next stop on. The deadline that runs stays.
func TestAGameMasterChangesARunningGame(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twoSides)
	h.flush()
	h.write(gmAt, h.gm("command: change", "set: {deadline: 2y, press: [open, loud], silence: {bot: 0}, reserves: [{name: X}], colour: red}"), mail.Rejected)
	faults := wordsOf(h.last(gmAt))
	for _, want := range []string{"2y", "loud", "colour", "address", "silence: {bot: 0}"} {
		if !strings.Contains(strings.ToLower(faults), want) {
			t.Errorf("no fault about %s in %s", want, faults)
		}
	}
	h.write(gmAt, h.gm("command: change"), mail.Rejected)
	was := h.record("lot-1").Seat("blue").Owes.Deadline
	shown := h.managed("command: change", "set: {deadline: {usual: 2d, grace: 12h}, press: [open, anonymous], silence: {bot: 2, replace: 3}, reserves: [{name: Nora, address: nora@play.example}]}")
	h.says(shown, "2d", "12h", "Nora")
	g := h.record("lot-1")
	if g.Timing.Usual.Usual != 48*time.Hour || g.Timing.Usual.Grace != 12*time.Hour || len(g.Timing.Usual.Reminders) != 2 || !slices.Equal(g.Press, []string{"open", "anonymous"}) ||
		g.Silence != (log.Silence{Bot: 2, Replace: 3}) || len(g.Reserves) != 1 || g.Reserves[0].Address != "nora@play.example" {
		t.Fatalf("%+v %+v %+v %+v", g.Timing, g.Press, g.Silence, g.Reserves)
	}
	if now := g.Seat("blue").Owes.Deadline; !now.Equal(was) {
		t.Errorf("the deadline that runs has moved to %v", now)
	}
	told := h.last(blueAt)
	h.says(told, "2d", "12h", "automa")
	h.lacks(told, "nora@play.example", "Nora")
	for range 4 {
		h.answerAs("lot-1", "red")
		h.answerAs("lot-1", "blue")
	}
	if o := h.record("lot-1").Seat("blue").Owes; o != nil && !o.Deadline.Equal(timing.WholeMinute(o.Opened.Add(48*time.Hour))) {
		t.Errorf("opened %v, deadline %v", o.Opened, o.Deadline)
	}
	h.sound()
}

// Who plays in the game that he looks after resolves nothing, vacates nothing and changes nothing; nor does who
// writes in the game master's name without his key, or with a player's.
func TestForgedAndPartialManagement(t *testing.T) {
	letters := []string{"command: process", "command: vacate\nside: blue", "command: change\nset: {deadline: 1h}"}
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "gm: {name: Gina, address: gm@club.example}", "gm: {name: Rosa, address: red@play.example}", 1))
	h.flush()
	for _, text := range letters {
		h.write(redAt, "game: lot-1\nkey: "+h.gmKey("lot-1")+"\n"+text+"\n", mail.Rejected)
	}
	h = newTestOffice(t)
	h.newGame(twoSides)
	h.flush()
	before := len(h.kinds("lot-1"))
	red := h.office.keys.Seat(h.record("lot-1"), h.record("lot-1").Seat("red"))
	for _, text := range letters {
		for _, from := range []string{redAt, gmAt, foeAt} {
			for _, key := range []string{"", "key: " + red + "\n", "key: ABCD-EFGH\n", "key: " + h.gmKey("lot-1") + "\n"} {
				if from == gmAt && strings.Contains(key, h.gmKey("lot-1")) {
					continue
				}
				for _, code := range []string{"", "\nconfirm: AAAA-BBBB"} {
					if _, err := h.office.Take(context.Background(), h.letter(from, "game: lot-1\n"+key+text+code+"\n")); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	g := h.record("lot-1")
	if g.Stop != 1 || g.Seat("blue").Resigned || g.Timing.Usual.Usual != 72*time.Hour || slices.ContainsFunc(h.kinds("lot-1")[before:], func(kind string) bool { return kind != log.KindRefused }) {
		t.Errorf("something has happened: %q", h.kinds("lot-1")[before:])
	}
}

// Who could not get his report is not silent, however long ago his deadline was.
func TestProcessExcusesWhoCouldNotGetHisReport(t *testing.T) {
	h := newTestOffice(t)
	h.post.refuse = func(to string) error {
		if to == redAt {
			return &serverFault{"451 try again", true}
		}
		return nil
	}
	h.newGame(twentyRounds + "silence: {bot: 1, share: none}\n")
	h.flush()
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	for range 4 * 24 {
		h.clock.move(time.Hour)
		h.flush()
		h.tick()
	}
	if g := h.record("lot-1"); g.Stop != 1 || g.Seat("red").Owes.Stands.IsZero() {
		t.Fatalf("%+v", g.Seat("red").Owes)
	}
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: process"))
	if s := h.record("lot-1").Seat("red"); s.Streak != 0 || s.Bot || s.Missed != 0 {
		t.Errorf("missed %d, row %d, bot %v", s.Missed, s.Streak, s.Bot)
	}
}

// What a player has asked for his odd answers by night ends with him.
func TestOvernightEndsWithItsPlayer(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(twentyRounds)
	h.write(redAt, command(h, "lot-1", "red", "command: overnight"), mail.Processed)
	if !h.record("lot-1").Seat("red").Overnight {
		t.Fatal("not taken")
	}
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: replace", "side: red", "name: Nora", "address: new@play.example"))
	if s := h.record("lot-1").Seat("red"); s.Person.Address != "new@play.example" || s.Overnight {
		t.Errorf("%v, overnight %v", s.Person.Address, s.Overnight)
	}
}
