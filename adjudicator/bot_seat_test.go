package adjudicator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// againstTheBot is a game of lots in which a bot has blue's seat.
func againstTheBot(bot string) string {
	before, after, _ := strings.Cut(twoSides, "  blue:")
	_, after, _ = strings.Cut(after, "\n")
	return before + "  blue: {bot: " + bot + "}\n" + after
}

// A bot that has a seat answers as soon as its stop opens: it keeps nobody waiting, nobody
// writes to it, it is never silent, and the game ends and verifies as any other. The person is
// told in the first report who plays the other side.
func TestABotHasASeat(t *testing.T) {
	for _, bot := range []string{log.SensibleBot, log.RandomBot} {
		t.Run(bot, func(t *testing.T) {
			h := newTestOffice(t)
			h.newGame(againstTheBot(bot))
			h.says(h.one(h.deliver(redAt)), "The bot plays")
			begins := h.clock.Now()
			for stop := range 30 {
				g := h.record("lot-1")
				if g.Phase != game.Running {
					break
				}
				if red := g.Seat("red"); red.Owes == nil {
					t.Fatalf("after %d stops the game waits, and not for red: %+v", stop, g)
				}
				h.write(redAt, fill(h.template(redAt), "default"), mail.Processed)
			}
			g := h.record("lot-1")
			if g.Phase != game.Over || !h.clock.Now().Equal(begins) {
				t.Fatalf("the game is %s at %s; it began at %s", g.Phase, h.clock.Now(), begins)
			}
			if blue := g.Seat("blue"); blue.Missed != 0 || blue.Streak != 0 || blue.Reports != 0 {
				t.Errorf("the bot is taken for a player who is silent, or who reads: %+v", blue)
			}
			for _, p := range h.post.sent {
				if p.to != redAt && p.to != gmAt {
					t.Errorf("a letter goes to %q", p.to)
				}
			}
			h.deliver(redAt)
			for _, side := range []engine.Side{"red", engine.GM} {
				if v := h.verify(h.export("lot-1", side)); v.Verdict() != verify.Holds {
					t.Errorf("the export of %s: %+v", side, v)
				}
			}
		})
	}
}

// A game in which one person and bots play is not a game that nobody plays: it waits for its
// person like any other. When he leaves it stands still, since bots would play among
// themselves.
func TestAGameWithOnePersonIsPlayed(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(againstTheBot("sensible") + "silence: {bot: 2}\n")
	h.clock.move(100 * time.Hour)
	h.tick()
	if g := h.record("lot-1"); !g.Paused.IsZero() || g.Seat("red").Missed != 1 {
		t.Fatalf("after one silent stop: paused %s, missed %d", g.Paused, g.Seat("red").Missed)
	}
	h.write(redAt, command(h, "lot-1", "red", "command: resign"), mail.Processed)
	if g := h.record("lot-1"); g.Paused.IsZero() {
		t.Error("bots play among themselves")
	}
}

// A game master gives a seat to a bot, and takes it away again. Each act is previewed; what the
// player had sent counts at the stop that is open.
func TestASeatIsGivenToABot(t *testing.T) {
	h := newTestOffice(t)
	h.newGame(manyRounds)
	h.says(h.one(h.deliver(blueAt)), "")
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: replace", "side: blue", "bot: sensible"))
	if blue := h.record("lot-1").Seat("blue"); blue.Person.Bot != log.SensibleBot || blue.Person.Address != "" {
		t.Fatalf("blue is %+v", blue.Person)
	}
	h.silentAfter(blueAt, func() { h.write(redAt, fill(h.template(redAt), "{bid: R-1}"), mail.Processed) })
	if stop := h.record("lot-1").Stop; stop < 2 {
		t.Fatalf("the game waits at stop %d", stop)
	}
	h.write(blueAt, fmt.Sprintf("game: lot-1\nkey: %s\ncommand: status\n", key(h, "lot-1", "red")), mail.Rejected) // he is a stranger now
	h.confirm(gmAt, command(h, "lot-1", engine.GM, "command: replace", "side: blue", "name: Bea", "address: bea@play.example"))
	if blue := h.record("lot-1").Seat("blue"); blue.Person.Bot != "" || blue.Person.Address != "bea@play.example" {
		t.Fatalf("blue is %+v", blue.Person)
	}
	var all string
	for _, l := range h.deliver("bea@play.example") {
		all += wordsOf(l)
	}
	for _, want := range []string{"You take over blue", "By the bot for stop 1", "stop: 3 bid"} {
		if !strings.Contains(all, want) {
			t.Errorf("who takes the seat over is not told %q:\n%s", want, all)
		}
	}
	if err := h.office.Clerk().Close(t.Context(), "lot-1", "enough"); err != nil {
		t.Fatal(err)
	}
	if v := h.verify(h.export("lot-1", engine.GM)); v.Verdict() != verify.Holds {
		t.Errorf("the export: %+v", v)
	}
}

// An office that writes into its log that a bot answered, at a seat that no bot has, or that
// the bot answered what it would not answer, is found out.
func TestABotsSeatIsNoWayToChooseItsAnswers(t *testing.T) {
	withoutRace(t)
	m := sitWith(t, "  french: {name: Player, address: french@play.example}\n  allied: {bot: sensible}\n")
	for range 8 {
		if g := m.record(m.id); g.Phase != game.Running || g.Stop > 12 {
			break
		}
		m.write(mailboxOf("french"), fill(m.template(mailboxOf("french")), "default"), mail.Processed)
	}
	if err := m.office.Clerk().Close(t.Context(), m.id, "enough"); err != nil {
		t.Fatal(err)
	}
	if v := m.verify(m.export(m.id, engine.GM)); v.Verdict() != verify.Holds {
		t.Fatalf("the honest log: %+v", v)
	}
	for name, c := range map[string]struct {
		spoil func(made *log.Made)
		says  string
	}{
		"no bot has the seat": {func(made *log.Made) { made.Bots = nil }, "does not play for it"},
		"another bot":         {func(made *log.Made) { made.Bots["allied"] = log.RandomBot }, "the bot has not answered that"},
	} {
		x := m.export(m.id, engine.GM)
		logtest.MadeWith(t, x, c.spoil)
		logtest.Rechained(t, x)
		if v := m.verify(x); v.Verdict() != verify.Broken || !strings.Contains(fmt.Sprint(v.Checks), c.says) {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// sitWith opens an office with a game of napoleon whose seats are given.
func sitWith(t testing.TB, seats string) *match {
	t.Helper()
	h := newTestOffice(t, func(h *testOffice) { h.rules, h.opt.AnswersPerHour = napoleon.New(), 1000 })
	h.newGame("game: match-1\nsystem: napoleon\noptions: {setup: historical}\nseats:\n" + seats + masterOfHisOwn + "deadline: 3d\n")
	return &match{testOffice: h, id: "match-1"}
}
