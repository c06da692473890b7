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
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// changedRules are the rules of another program: another source, and, where cheaper is
// set, other play: everybody wins less.
type changedRules struct {
	enginetest.Lots
	source string
	twice  bool // tells everything twice
}

func (c changedRules) Sources() []fs.FS {
	return []fs.FS{fstest.MapFS{"rules.go": {Data: []byte(c.source)}}}
}

func (c changedRules) New(s engine.Setup) (engine.Position, error) {
	p, err := c.Lots.New(s)
	return changedPosition{p, c.twice}, err
}

func (c changedRules) Load(data []byte) (engine.Position, error) {
	p, err := c.Lots.Load(data)
	return changedPosition{p, c.twice}, err
}

type changedPosition struct {
	engine.Position
	twice bool
}

func (p changedPosition) Clone() engine.Position { return changedPosition{p.Position.Clone(), p.twice} }

func (p changedPosition) Advance(answers map[engine.Side]engine.Answer, dice engine.Dice) ([]engine.Event, error) {
	events, err := p.Position.Advance(answers, dice)
	if p.twice {
		events = append(events, events...)
	}
	return events, err
}

// begunGame is a house with a game of which some stops are played.
func begunGame(t *testing.T) *house {
	h := newHouse(t)
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 20", 1))
	h.both()
	h.both()
	return h
}

// A program with other rules plays a running game again from its log, once, when it
// first takes it up; if nothing comes out otherwise the game goes on, the log has it,
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

// A program whose rules would have played a running game otherwise stops it and asks
// its game master: nothing is resolved, answers are taken, resuming alone does not do,
// accepting does, and the verdict on the finished game is that it differs.
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

// The program before is back: the game that stood still can be resumed, and holds.
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

// What an office withholds of a finished game, a system that the program does not know,
// and a game without a die are never said to hold.
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
	idle := newHouse(t)
	idle.newGame(twoSides)
	if err := idle.office.Clerk().Close(context.Background(), "lot-1", "nobody came"); err != nil {
		t.Fatal(err)
	}
	if got := verdict(idle.export("lot-1", engine.GM), idle.rules); got != verify.Unproven {
		t.Errorf("a game without a die has the verdict %d", got)
	}
}
