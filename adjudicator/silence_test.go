package adjudicator

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/chain"
	"berthier/adjudicator/store"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// manyRounds is a long game whose stops open every three days.
var manyRounds = strings.Replace(twoSides, "rounds: 3", "rounds: 20", 1)

// answerAs answers what a side owes, if it owes anything.
func (h *testOffice) answerAs(id string, side engine.Side) {
	h.Helper()
	g := h.record(id)
	s := g.Seat(side)
	if g.Phase == game.Running && s.Owes != nil && s.Owes.Answer == nil {
		h.write(s.Person.Address, fill(h.template(s.Person.Address), h.anyUnit(id)(side, s.Owes)), mail.Processed)
	}
}

// An absence moves the deadline that falls into it, is told to all without its
// reason, and is capped.
func TestAbsence(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds + "absence: 10d\n")
	for _, address := range []string{redAt, blueAt, gmAt} {
		h.deliver(address)
	}
	// The deadline is on 5 March at nine; the absence covers 4 to 7 March by the
	// clock of Rome.
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "from: 2026-03-04", "until: 2026-03-07", "reason: a secret wedding"), mail.Processed)
	confirmed := h.one(h.deliver(redAt))
	h.says(confirmed, "4 March 2026", "8 March 2026, 00:00", "6 more days")
	for _, address := range []string{blueAt, gmAt} {
		l := h.one(h.deliver(address))
		h.says(l, "2026")
		if strings.Contains(wordsOf(l), "wedding") {
			t.Error("the reason is told")
		}
	}
	h.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Entries("lot-1", 0, func(e chain.Entry) error {
			if strings.Contains(string(e.Body), "wedding") {
				t.Error("the reason is kept")
			}
			return nil
		})
	})
	red, blue := h.record("lot-1").Seat("red").Owes, h.record("lot-1").Seat("blue").Owes
	if want := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC); !red.Deadline.Equal(want) || red.Moves != 1 {
		t.Errorf("red's deadline %v, want %v", red.Deadline, want)
	}
	if want := time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC); !blue.Deadline.Equal(want) {
		t.Errorf("blue's deadline %v", blue.Deadline)
	}
	h.clock.move(74 * time.Hour)
	h.answerAs("lot-1", "blue") // red is waited for; blue may be late
	h.tick()
	if g := h.record("lot-1"); g.Stop != 1 || g.Seat("blue").Missed != 0 {
		t.Fatal("resolved while red is away")
	}
	// What opens during an absence counts from its end.
	h.deliver(redAt)
	h.write(redAt, command(h, "lot-1", "red", "comando: assenza", "dal: 2026-03-20 18:00", "giorni: 2"), mail.Processed)
	h.says(h.one(h.deliver(redAt)), "20 March 2026, 18:00 CET", "22 March 2026, 18:00 CET", "4 more days")
	for _, c := range []struct{ lines, says string }{
		{"from: 2026-04-01\nuntil: 2026-04-06", "you have 4d left"},
		{"from: 2026-03-21\nuntil: 2026-03-23", "overlaps"},
		{"from: 2026-04-03\nuntil: 2026-04-01", "must come after"},
		{"until: 2026-03-01", "must come after"},
		{"from: soon\nuntil: 2026-04-01", "is not a day"},
		{"from: 2028-04-01\ndays: 1", "within a year"},
		{"from: 2026-04-01\nuntil: 2026-04-02\ndays: 2", "from when until when"},
		{"from: 2026-04-01", "from when until when"},
	} {
		h.write(redAt, command(h, "lot-1", "red", "command: vacation", c.lines), mail.Rejected)
		h.says(h.one(h.deliver(redAt)), c.says)
	}
	h.write(blueAt, command(h, "lot-1", "blue", "command: vacation", "cancel: yes"), mail.Rejected)
	// Withdrawn: the days come back, and the deadline is later only by the time from 4 March, at midnight in Rome, until now.
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "cancel: yes"), mail.Processed)
	h.says(h.last(redAt), "withdrawn")
	want := time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC).Add(h.clock.Now().Sub(time.Date(2026, 3, 3, 23, 0, 0, 0, time.UTC)))
	if s := h.record("lot-1").Seat("red"); len(s.Absences) != 1 || !s.Owes.Deadline.Equal(want) {
		t.Errorf("%+v, deadline %s, want %s", s.Absences, s.Owes.Deadline, want)
	}
}

// A player whose answer is in force gets no more time because of an absence, and no absence is
// noted where the set-up forbids it.
func TestAbsenceNotBurnt(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds)
	h.answerAs("lot-1", "red")
	h.write(redAt, command(h, "lot-1", "red", "command: vacation", "days: 5"), mail.Processed)
	if o := h.record("lot-1").Seat("red").Owes; o.Moves != 0 {
		t.Error("the deadline of an answered stop was moved")
	}
	// The next stop opens while he is away.
	h.answerAs("lot-1", "blue")
	for h.record("lot-1").Seat("red").Owes == nil {
		h.answerAs("lot-1", "blue")
	}
	if o := h.record("lot-1").Seat("red").Owes; !o.Deadline.Equal(o.Opened.Add(5*24*time.Hour + 72*time.Hour)) {
		t.Errorf("opened %v, deadline %v", o.Opened, o.Deadline)
	}
	none := newTestOffice(t)
	none.newGame(manyRounds + "absence: none\n")
	none.deliver(redAt)
	none.write(redAt, command(none, "lot-1", "red", "command: vacation", "days: 5"), mail.Rejected)
	none.says(none.one(none.deliver(redAt)), "no absences")
}

const ladder = `silence: {bot: 2, replace: 4}
reserves: [{name: Rita, address: rita@play.example, language: it}]
`

// silentStops lets blue be silent for so many of its stops, while red answers.
func (h *testOffice) silentStops(id string, n int) {
	h.Helper()
	for range 100 {
		if h.record(id).Seat("blue").Streak >= n || h.record(id).Seat("blue").Person.Address != blueAt {
			return
		}
		h.answerAs(id, "red")
		if h.record(id).Seat("blue").Bot {
			h.clock.move(73 * time.Hour)
		} else if h.record(id).Seat("red").Owes == nil || h.record(id).Seat("red").Owes.Answer != nil {
			h.clock.move(73 * time.Hour)
			h.tick()
		}
	}
	h.Fatal("blue is never silent")
}

// For a silent player first the default is taken, then the bot answers, and then a reserve
// takes the seat and gets a briefing.
func TestLadder(t *testing.T) {
	withoutRace(t)
	h := newTestOffice(t, func(h *testOffice) { h.opt.AnswersPerHour = 10000 })
	h.newGame(manyRounds + ladder)
	h.answerAs("lot-1", "blue") // once he is there
	h.answerAs("lot-1", "red")
	h.silentStops("lot-1", 1)
	if s := h.record("lot-1").Seat("blue"); s.Bot || s.Missed != 1 {
		t.Fatalf("after one silent stop: %+v", s)
	}
	h.deliver(redAt)
	h.deliver(blueAt)
	h.deliver(gmAt)
	h.silentStops("lot-1", 2)
	if s := h.record("lot-1").Seat("blue"); !s.Bot || s.Missed != 2 {
		t.Fatalf("after two silent stops: %+v", s)
	}
	h.says(h.one(h.deliver(gmAt)), "2 stops in a row", blueAt)
	h.says(h.heardOf(blueAt, "2 domande di seguito"), "automa")
	if l := h.heardOf(redAt, "bot plays"); strings.Contains(wordsOf(l), blueAt) {
		t.Error("red learns an address")
	}
	// The bot keeps nobody waiting.
	at, stop := h.clock.Now(), h.record("lot-1").Stop
	h.answerAs("lot-1", "red")
	if g := h.record("lot-1"); g.Stop == stop || !h.clock.Now().Equal(at) {
		t.Error("the game waits for the bot")
	}
	// Whoever writes has his side back.
	h.write(blueAt, command(h, "lot-1", "blue", "command: status"), mail.Processed)
	if s := h.record("lot-1").Seat("blue"); s.Bot || s.Streak != 0 {
		t.Error("the bot still plays")
	}
	h.says(h.heardOf(redAt, "is back"), "plays again")
	h.deliver(gmAt)

	h.silentStops("lot-1", 4)
	s := h.record("lot-1").Seat("blue")
	if s.Person.Name != "Rita" || s.Bot || s.Streak != 0 || s.Missed != 0 {
		t.Fatalf("after four silent stops: %+v", s)
	}
	if s.Owes != nil && s.Owes.Deadline.Before(h.clock.Now().Add(70*time.Hour)) {
		t.Errorf("the new player has until %v", s.Owes.Deadline)
	}
	h.says(h.last(gmAt), "4 stops in a row", "rita@play.example", "You need not do anything")
	h.says(h.heardOf(redAt, "new player"), "taken over")
	h.says(h.heardOf(blueAt, "altro giocatore"), "chiave")
	h.briefs("rita@play.example")
	// A second time nobody is left: the game master hears of it once.
	g := h.record("lot-1")
	g.Seat("blue").Streak = 0
	for range 12 {
		h.answerAs("lot-1", "red")
		h.clock.move(100 * time.Hour)
		h.tick()
	}
	wanted := 0
	for _, l := range h.deliver(gmAt) {
		if strings.Contains(l.Subject, "needs a player") {
			wanted++
		}
	}
	if wanted != 1 && h.record("lot-1").Phase == game.Running {
		t.Errorf("the game master was told %d times that a player is needed", wanted)
	}
}

// briefs finds that who takes blue's side over is told what happened, with pictures, and nothing
// that red alone may know.
func (h *testOffice) briefs(address string) {
	h.Helper()
	letters := h.deliver(address)
	if len(letters) < 2 {
		h.Fatalf("the new player got %q", subjects(letters))
	}
	all, pictures := "", 0
	for _, l := range letters {
		all += wordsOf(l)
	}
	for _, p := range h.post.sent {
		if p.to == address && strings.Contains(p.letter.Subject, "Riepilogo") {
			pictures += strings.Count(string(p.raw), "Content-ID:") + strings.Count(string(p.raw), "Content-Id:")
		}
	}
	h.says(letters[0], "Riepilogo, parte 1", "Rapporto 1", "Rapporto 2", "predefinit", "Risposta dell'automa")
	h.says(letters[len(letters)-1], "Rita", key(h, "lot-1", "blue"), log.Commitment(h.record("lot-1").Seed))
	for _, secret := range []string{"R-2", "R-3", "R-4", redAt, "Rosa", key(h, "lot-1", "red")} {
		if strings.Contains(all, secret) {
			h.Errorf("the briefing holds %q", secret)
		}
	}
	if pictures == 0 {
		h.Error("the briefing has no pictures")
	}
}

// heardOf gives the last of an address's new letters that holds a text.
func (h *testOffice) heardOf(address, text string) *mail.Letter {
	h.Helper()
	letters := h.deliver(address)
	for i := len(letters) - 1; i >= 0; i-- {
		if strings.Contains(wordsOf(letters[i]), text) {
			return letters[i]
		}
	}
	h.Fatalf("%s was not told %q: %q", address, text, subjects(letters))
	return nil
}

// Whether a deadline was missed is judged by the orders in force when the stop is resolved.
// They may be a late answer that still came, one that is not final, or one sent for a
// player.
func TestNoFalseMiss(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds + ladder)
	h.write(redAt, fill(h.template(redAt), "{bid: R-1}", "final: no"), mail.Processed)
	h.clock.move(60 * time.Hour)
	if err := h.office.Clerk().Extend(context.Background(), "lot-1", "red", 48*time.Hour); err != nil {
		t.Fatal(err)
	}
	h.clock.move(20 * time.Hour) // blue's own deadline passes; the stop is open
	h.tick()
	if h.record("lot-1").Stop != 1 {
		t.Fatal("resolved before red's deadline")
	}
	h.write(blueAt, fill(h.template(blueAt), "{bid: B-1}"), mail.Processed)
	h.clock.move(60 * time.Hour)
	h.tick()
	g := h.record("lot-1")
	if g.Stop != 2 || g.Seat("red").Missed != 0 || g.Seat("blue").Missed != 0 {
		t.Errorf("stop %d, missed %d and %d", g.Stop, g.Seat("red").Missed, g.Seat("blue").Missed)
	}
}

// A game that no person plays any more is not played on by bots among
// themselves.
func TestBotsAlone(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds + "silence: {bot: 1, share: none}\n")
	h.deliver(gmAt)
	for range 5 {
		h.clock.move(100 * time.Hour)
		h.tick()
	}
	g := h.record("lot-1")
	if g.Paused.IsZero() || g.Stop > 4 {
		t.Errorf("stop %d, paused %v", g.Stop, g.Paused)
	}
	h.says(h.last(gmAt), "No side of this game")
}

// Who resigns is replaced by the bot, or by a reserve, where the ladder says so.
func TestResignWithLadder(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds + ladder)
	h.write(blueAt, command(h, "lot-1", "blue", "command: resign"), mail.Processed)
	if s := h.record("lot-1").Seat("blue"); s.Resigned || s.Person.Name != "Rita" {
		t.Errorf("%+v", s)
	}
	h.says(h.last("rita@play.example"), "Rita")
	h.says(h.last(blueAt), "chiave")

	h = newTestOffice(t)
	h.newGame(manyRounds + "silence: {bot: 1}\n")
	h.write(blueAt, command(h, "lot-1", "blue", "command: resign"), mail.Processed)
	h.says(h.last(blueAt), "automa")
	h.answerAs("lot-1", "red")
	bot := false
	h.store.Read(context.Background(), func(tx store.Reader) error {
		return tx.Entries("lot-1", 0, func(e chain.Entry) error {
			var r log.Resolved
			if entry, _ := log.Read(e, nil); entry.Kind == log.KindResolved {
				_, err := log.Read(e, &r)
				for _, a := range r.Answers {
					bot = bot || a.By == log.ByBot
				}
				return err
			}
			return nil
		})
	})
	if !bot {
		t.Error("the bot does not play for who has resigned")
	}
}

// clumsy is lots with a bot that panics.
type clumsy struct{ enginetest.Lots }

func (clumsy) Sensible(engine.View, engine.Decision, *rand.Rand) engine.Answer { panic("oh") }

// If the bot panics nobody loses anything by it: the default is taken in its place, and the
// other side's letter counts.
func TestBotFalls(t *testing.T) {
	h := newTestOffice(t, func(h *testOffice) { h.rules = clumsy{enginetest.New()} })
	h.newGame(manyRounds + "silence: {bot: 1}\n")
	h.silentStops("lot-1", 1)
	if !h.record("lot-1").Seat("blue").Bot {
		t.Fatal("the bot does not play")
	}
	stop := h.record("lot-1").Stop
	h.clock.move(time.Minute)
	h.answerAs("lot-1", "red")
	if g := h.record("lot-1"); g.Stop == stop || !g.Paused.IsZero() {
		t.Errorf("stop %d, paused %v", g.Stop, g.Paused)
	}
}

// An answer that a player has filed ahead ends a row of stops that he missed if he filed it by a
// letter since the last of them. What he had filed before does not, nor what the game master
// filed for him. The log verifies.
func TestAnAnswerFiledAheadEndsASilence(t *testing.T) {
	for name, test := range map[string]struct {
		by    engine.Side
		early bool // it is filed before the first missed stop
		ends  bool
	}{"filed since": {"red", false, true}, "filed before": {"red", true, false}, "filed by the game master": {engine.GM, false, false}} {
		t.Run(name, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(manyRounds + "silence: {bot: 9}\n")
			files := func(text string) {
				h.clock.move(time.Minute)
				if test.by == engine.GM {
					h.write(gmAt, command(h, "lot-1", engine.GM, "side: red", "ahead: "+text), mail.Processed)
				} else {
					h.write(redAt, command(h, "lot-1", "red", "ahead: "+text), mail.Processed)
				}
			}
			if test.early {
				files("{bid: [{if: {round: 2}, do: none}, {else: ask}]}")
			}
			for range 4 { // red is silent, until it owes its second bid
				if red := h.record("lot-1").Seat("red"); red.Owes != nil && red.Owes.Decision.Kind == enginetest.Bid && red.Streak > 0 {
					break
				}
				h.answerAs("lot-1", "blue")
				h.clock.move(4 * 24 * time.Hour)
				h.tick()
			}
			was := h.record("lot-1").Seat("red").Streak
			if !test.early {
				files("{bid: none}")
			}
			if a := h.record("lot-1").Seat("red").Owes.Answer; was == 0 || a == nil || a.By != log.ByAhead {
				t.Fatalf("after %d missed stops %+v is in force", was, a)
			}
			h.clock.move(time.Minute)
			h.answerAs("lot-1", "blue")
			_, all := h.resolutions("lot-1")
			if got := h.record("lot-1").Seat("red").Streak; (got == 0) != test.ends || all[len(all)-1].Of("red").Heard != test.ends {
				t.Errorf("the row was %d and is %d; %+v", was, got, all[len(all)-1].Of("red"))
			}
			h.soundly()
		})
	}
}
