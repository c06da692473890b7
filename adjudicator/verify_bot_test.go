package adjudicator

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/napoleon"
	"berthier/mail"
)

// botGame is a game of napoleon in which the bot plays one side.
func botGame(t *testing.T) *match {
	t.Helper()
	m := sit(t, napoleon.New(), "setup: historical", []string{"french", "allied"}, masterOfHisOwn+"silence: {bot: 1, replace: 50}\n")
	for range 40 {
		g := m.record(m.id)
		if g.Phase != game.Running || g.Stop > 9 {
			break
		}
		if s := g.Seat("french"); s.Owes != nil && s.Owes.Answer == nil {
			m.clock.move(time.Minute)
			m.write(mailboxOf("french"), fill(m.template(mailboxOf("french")), "default"), mail.Processed)
			continue
		}
		m.clock.move(5 * 24 * time.Hour)
		m.tick()
	}
	if err := m.office.Clerk().Close(context.Background(), m.id, "enough"); err != nil {
		t.Fatal(err)
	}
	return m
}

// otherBot is napoleon with another bot, in another program.
type otherBot struct{ napoleon.Ruleset }

func (o otherBot) Sensible(view engine.View, d engine.Decision, _ *rand.Rand) engine.Answer {
	return o.Default(view, d)
}

func (o otherBot) Sources() []fs.FS {
	return append(o.Ruleset.Sources(), fstest.MapFS{"bot.go": {Data: []byte("another")}})
}

// Whoever has the seed can ask the bot again. In the log of every player an answer holds if
// the bot gave it, and does not hold if it did not. If the bot has changed since then, that
// is a difference between programs and no fraud.
func TestTheBotIsAskedAgain(t *testing.T) {
	withoutRace(t)
	m := botGame(t)
	bots := func(r *log.Resolved) bool {
		return len(r.Answers) == 1 && r.Answers[0].By == log.ByBot && r.Answers[0].Orders != "orders: none\n"
	}
	for _, side := range []engine.Side{engine.GM, "french", "allied"} {
		x := m.export(m.id, side)
		if v := m.verify(x); v.Verdict() != verify.Holds {
			t.Errorf("%s: %+v", side, v)
		}
		v, err := verify.Game(x, []engine.Ruleset{otherBot{napoleon.New()}})
		if err != nil || v.Verdict() != verify.Unproven || !strings.Contains(fmt.Sprint(v.Differ), "another bot") {
			t.Errorf("%s, by a program with another bot: %v %+v", side, err, v)
		}
	}
	x := m.export(m.id, engine.GM)
	logtest.ResolvedWith(t, x, bots, func(r *log.Resolved) { r.Answers[0].Orders = "orders: none\n" })
	logtest.Rechained(t, x)
	v := m.verify(x)
	if v.Verdict() != verify.Broken || !strings.Contains(fmt.Sprint(v.Checks), "the bot has not answered that") {
		t.Errorf("an answer that the bot has not given: %+v", v)
	}
	for i := range x.Entries { // nor may it answer for who has not been silent
		if strings.Contains(x.Entries[i].Body, `"kind":"bot"`) {
			x.Entries[i].Body = strings.Replace(x.Entries[i].Body, `"seat":"allied"`, `"seat":"french"`, 1)
		}
	}
	logtest.Rechained(t, x)
	if v := m.verify(x); !strings.Contains(fmt.Sprint(v.Checks), "does not play for it") {
		t.Errorf("the bot plays for another side: %+v", v)
	}
}
