package adjudicator

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/log/logtest"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/engine/play"
	"berthier/mail"
	"berthier/orders/phrase"
)

// changedRules are the rules of another program: another source, and, where cheaper is
// set, other play: everybody wins less.
type changedRules struct {
	enginetest.Lots
	source string
	twice  bool   // tells everything twice
	more   string // a place that every telling fills besides
}

var _ engine.Retold = changedRules{}

// Formerly implements [engine.Retold]: what is said "since" is new, and nothing else.
func (c changedRules) Formerly(now, then phrase.Phrase) bool {
	return play.SaysMore(now, then, func(_, place string) bool { return place == "since" })
}

func (c changedRules) Sources() []fs.FS {
	return []fs.FS{fstest.MapFS{"rules.go": {Data: []byte(c.source)}}}
}

func (c changedRules) New(s engine.Setup) (engine.Position, error) {
	p, err := c.Lots.New(s)
	return changedPosition{p, c.twice, c.more}, err
}

func (c changedRules) Load(data []byte) (engine.Position, error) {
	p, err := c.Lots.Load(data)
	return changedPosition{p, c.twice, c.more}, err
}

type changedPosition struct {
	engine.Position
	twice bool
	more  string
}

func (p changedPosition) Clone() engine.Position {
	return changedPosition{p.Position.Clone(), p.twice, p.more}
}

func (p changedPosition) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	events, err := p.Position.Advance(answers, dice)
	if p.twice {
		events = append(events, events...)
	}
	for i := range events {
		for k := range events[i].Tellings {
			if say := &events[i].Tellings[k].Say; p.more != "" {
				say.Args = append(slices.Clip(say.Args), phrase.Number(p.more, 1))
			}
		}
	}
	return events, err
}

// begunGame is an office with a game of which some stops are played.
func begunGame(t *testing.T) *testOffice {
	h := newTestOffice(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 20", 1))
	h.both()
	h.both()
	return h
}

// A program with other rules plays a running game again from its log, once, when it first
// takes the game up. If everything comes out as before, the game goes on, the log says so,
// and the game holds in the end.
func TestOtherRulesThatPlayAlikeAreNoted(t *testing.T) {
	h := begunGame(t)
	h.rules = changedRules{Lots: enginetest.New(), source: "a comment was mended"}
	h.restart()
	if slices.Contains(h.kinds("lot-1"), log.KindRules) {
		t.Fatal("the game was played again before anything happened in it")
	}
	h.both()
	h.both()
	n := 0
	for _, kind := range h.kinds("lot-1") {
		if kind == log.KindRules {
			n++
		}
	}
	if n != 1 || !h.record("lot-1").Paused.IsZero() {
		t.Errorf("%d entries of other rules; paused %v", n, h.record("lot-1").Paused)
	}
	h.play("lot-1", func(side engine.Side, o *game.Owes) string { return "default" })
	v := h.verify(h.export("lot-1", engine.GM))
	if v.Verdict() != verify.Holds || !strings.Contains(fmt.Sprint(v.Notes), "other rules") {
		t.Errorf("%+v", v)
	}
}

// A program whose rules would have played a running game differently stops it and asks its
// game master. Nothing is resolved meanwhile, and answers are taken. To resume the game is
// not enough: the game master must accept the rules. The verdict on the finished game is
// that it differs.
func TestOtherRulesThatPlayOtherwiseAskTheMaster(t *testing.T) {
	h := begunGame(t)
	h.deliver(gmAt)
	h.rules = changedRules{Lots: enginetest.New(), source: "a rule was mended", twice: true}
	h.restart()
	stop := h.record("lot-1").Stop
	h.both()
	if g := h.record("lot-1"); g.Stop != stop || g.Paused.IsZero() {
		t.Fatalf("stop %d, was %d; paused %v", g.Stop, stop, g.Paused)
	}
	h.says(h.last(gmAt), "rules: accept")
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: resume"), mail.Rejected)
	h.restart()
	if err := h.office.Clerk().Resume(context.Background(), "lot-1"); err == nil {
		t.Error("the game goes on though nobody has accepted the rules")
	}
	for _, odd := range []string{"rules: acept", "rules: [accept]", "reason: {rules: accept}"} {
		h.write(gmAt, command(h, "lot-1", engine.GM, "command: resume", odd), mail.Rejected)
		h.lacks(h.last(gmAt), "Done: resume")
	}
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: resume", "rules: accept"), mail.Processed)
	if g := h.record("lot-1"); g.Stop == stop || !g.Paused.IsZero() {
		t.Fatalf("the rules are accepted, and the game stands still at stop %d", g.Stop)
	}
	h.play("lot-1", func(side engine.Side, o *game.Owes) string { return "default" })
	v := h.verify(h.export("lot-1", engine.GM))
	if v.Verdict() != verify.Unproven || len(v.Differ) == 0 {
		t.Errorf("%+v", v)
	}
	if len(v.Differ) > stop {
		t.Errorf("stops after the rules were accepted are said to differ: %q", v.Differ)
	}
}

// A program whose tellings say more than they did plays a game on that began before it: what
// was told then is what it would tell, without what has come since. What it does not declare
// may not be left out, nor may its own tellings lack anything.
func TestTellingsThatHaveComeToSayMore(t *testing.T) {
	withoutRace(t)
	for place, paused := range map[string]bool{"since": false, "secret": true} {
		h := begunGame(t)
		h.rules = changedRules{Lots: enginetest.New(), source: "more is told", more: place}
		h.restart()
		h.both()
		if g := h.record("lot-1"); g.Paused.IsZero() == paused {
			t.Fatalf("%s: paused %v", place, g.Paused)
		}
		if paused {
			continue
		}
		h.play("lot-1", func(side engine.Side, o *game.Owes) string { return "default" })
		x := h.export("lot-1", engine.GM)
		if v := h.verify(x); v.Verdict() != verify.Holds {
			t.Errorf("%+v", v)
		}
		tellsMore := func(r *log.Resolved) bool {
			return len(r.Events) > 0 && strings.Contains(fmt.Sprint(r.Events[0]), "since")
		}
		logtest.ResolvedWith(t, x, tellsMore, func(r *log.Resolved) {
			say := &r.Events[0].Tellings[0].Say
			say.Args = say.Args[:len(say.Args)-1]
		})
		logtest.Rechained(t, x)
		if v := h.verify(x); v.Verdict() != verify.Broken {
			t.Errorf("a telling of this program lacks something, and the verdict is %v", v.Verdict())
		}
	}
}

// When the earlier program is back, the game that stood still can be resumed, and holds.
func TestTheProgramBeforeIsBack(t *testing.T) {
	h := begunGame(t)
	before := h.rules
	h.rules = changedRules{Lots: enginetest.New(), source: "a rule was mended", twice: true}
	h.restart()
	h.both()
	h.rules = before
	h.restart()
	h.write(gmAt, command(h, "lot-1", engine.GM, "command: resume"), mail.Processed)
	h.play("lot-1", func(side engine.Side, o *game.Owes) string { return "default" })
	if v := h.verify(h.export("lot-1", engine.GM)); v.Verdict() != verify.Holds {
		t.Errorf("%+v", v)
	}
}

// A game is never said to hold if the office withholds part of its log, if the program does
// not know its system, or if no die was rolled in it.
func TestWhatCantBeCheckedNeverHolds(t *testing.T) {
	h := playedGame(t)
	verdict := func(x *log.Export, systems ...engine.Ruleset) verify.Verdict {
		v, err := verify.Game(x, systems)
		if err != nil {
			t.Fatal(err)
		}
		return v.Verdict()
	}
	for i := range h.export("lot-1", "red").Entries {
		x := h.export("lot-1", "red")
		e := &x.Entries[i]
		body, _, err := e.Digests()
		if err != nil {
			t.Fatal(err)
		}
		e.Salt, e.Body, e.Digest = "", "", fmt.Sprintf("%x", body)
		if got := verdict(x, h.rules); got == verify.Holds {
			t.Errorf("entry %d is withheld, and the game holds", e.N)
		}
	}
	if got := verdict(h.export("lot-1", engine.GM)); got != verify.Unproven {
		t.Errorf("without the ruleset the verdict is %d", got)
	}
	if got := verdict(h.export("lot-1", engine.GM), changedRules{Lots: enginetest.New(), source: "other", twice: true}); got != verify.Unproven {
		t.Errorf("under other rules the verdict is %d", got)
	}
	x := h.export("lot-1", engine.GM)
	x.System = "chess"
	if got := verdict(x, h.rules); got != verify.Broken {
		t.Errorf("the file names another system, and the verdict is %d", got)
	}
	idle := newTestOffice(t)
	idle.newGame(twoSides)
	if err := idle.office.Clerk().Close(context.Background(), "lot-1", "nobody came"); err != nil {
		t.Fatal(err)
	}
	if got := verdict(idle.export("lot-1", engine.GM), idle.rules); got != verify.Unproven {
		t.Errorf("a game without a die has the verdict %d", got)
	}
}
