package adjudicator

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/log"
	"berthier/adjudicator/verify"
	"berthier/engine"
	"berthier/engine/enginetest"
	"berthier/mail"
)

// ruinous is lots that panics at one position, given certain answers.
type ruinous struct {
	enginetest.Lots
	at      string // the position; "": it never falls
	answers string
	fell    int
}

type ruinousPosition struct {
	engine.Position
	rules *ruinous
}

func (f *ruinous) wrap(p engine.Position, err error) (engine.Position, error) {
	if err != nil {
		return nil, err
	}
	return ruinousPosition{p, f}, nil
}

func (f *ruinous) New(s engine.Setup) (engine.Position, error) { return f.wrap(f.Lots.New(s)) }
func (f *ruinous) Load(data []byte) (engine.Position, error)   { return f.wrap(f.Lots.Load(data)) }
func (p ruinousPosition) Clone() engine.Position               { return ruinousPosition{p.Position.Clone(), p.rules} }

func (p ruinousPosition) Advance(a map[engine.Side]engine.Answer, d engine.Dice) ([]engine.Event, error) {
	here, err := p.Marshal()
	if err != nil {
		return nil, err
	}
	if string(here) == p.rules.at && (p.rules.answers == "" || p.rules.answers == answersIn(a)) {
		p.rules.fell++
		return nil, errors.New("blue hides in the mill")
	}
	return p.Position.Advance(a, d)
}

func answersIn(a map[engine.Side]engine.Answer) (all string) {
	for _, side := range []engine.Side{"red", "blue"} {
		if a[side] != nil {
			all += a[side].Orders().Encode()
		}
	}
	return all
}

// stuckGame is a game that stands still at its fourth stop, because the ruleset panics there
// with the answers of both. Before that red sent a file that was refused.
func stuckGame(t *testing.T) (*testOffice, *ruinous) {
	t.Helper()
	rules := &ruinous{Lots: enginetest.New()}
	h := newTestOffice(t, func(h *testOffice) { h.rules = rules })
	h.newGame(strings.Replace(twoSides, "rounds: 3", "rounds: 5", 1))
	asked := func() (n int) {
		for _, s := range h.record("lot-1").Seats {
			if s.Owes != nil {
				n++
			}
		}
		return n
	}
	for n := 0; n < 3 || asked() < 2; n++ {
		h.both()
	}
	rules.at = string(h.snapshot())
	h.clock.move(time.Minute)
	h.write(redAt, fill(h.template(redAt), "{bid: nobody}"), mail.Rejected)
	h.both()
	for _, address := range []string{gmAt, redAt, blueAt} {
		h.deliver(address)
	}
	h.clock.move(5 * time.Hour)
	if g := h.record("lot-1"); g.Fault == "" || g.Paused.IsZero() || rules.fell == 0 {
		t.Fatalf("the game does not stand still at stop %d", g.Stop)
	}
	return h, rules
}

// goesOnTo plays a game that stood still to its end, and checks its log and letters.
func (h *testOffice) goesOnTo(rules *ruinous) {
	h.Helper()
	g := h.record("lot-1")
	if g.Fault != "" || g.Phase == game.Running && !g.Paused.IsZero() {
		h.Fatalf("the game stands still at stop %d: %q", g.Stop, g.Fault)
	}
	for _, s := range g.Seats {
		if s.Owes != nil && s.Owes.Answer == nil && s.Owes.Deadline.Sub(h.clock.Now()) < 3*24*time.Hour-10*time.Minute {
			h.Errorf("%s has not got back the time for which the game stood still: %v left", s.Side, s.Owes.Deadline.Sub(h.clock.Now()))
		}
	}
	for _, address := range []string{redAt, blueAt} {
		all := h.deliver(address)
		told := false
		for _, l := range all {
			told = told || strings.Contains(wordsOf(l), "The game goes on.") || strings.Contains(wordsOf(l), "La partita riprende.")
			h.lacks(l, "mill")
		}
		if !told {
			h.Errorf("%s is not told that the game goes on: %q", address, subjects(all))
		}
	}
	rules.at = ""
	h.play("lot-1", h.anyUnit("lot-1"))
	h.flush()
	for _, side := range []engine.Side{engine.GM, "red", "blue"} {
		if v := h.verify(h.export("lot-1", side)); !v.Sound() || len(v.Differ) > 0 || v.Verdict() == verify.Broken {
			h.Errorf("%s: %+v", side, v)
		}
	}
	for _, address := range []string{redAt, blueAt} {
		if c := VerifyLetters(h.export("lot-1", engine.GM), h.mails(address)); len(c.Wrong) > 0 || c.Count < 3 {
			h.Errorf("letters to %s: %+v", address, c)
		}
	}
}

// A game that stands still because the ruleset panicked at a stop can be put right by every
// kind of act that changes what made it panic.
func TestAGameThatStandsStillCanBePutRight(t *testing.T) {
	withoutRace(t)
	other := "{bid: R-2}"
	for _, c := range []struct {
		name  string
		lines func(h *testOffice) []string
		stop  int // that is open then
	}{
		{"back, with new orders", func(h *testOffice) []string { return []string{"command: rewind", "stop: 1", "orders: new"} }, 1},
		{"back to the stop itself, with new orders", func(h *testOffice) []string {
			return []string{"command: rewind", fmt.Sprintf("stop: %d", h.record("lot-1").Stop), "orders: new"}
		}, 0},
		{"a position", func(h *testOffice) []string {
			return []string{"command: rule", "set:\n" + stronger(string(h.snapshot()))}
		}, -1},
		{"an earlier position", func(h *testOffice) []string {
			return []string{"command: rule", "stop: 1", "set: {rounds: 6}"}
		}, -1},
		{"an option", func(h *testOffice) []string { return []string{"command: rule", "option: {rounds: 20}"} }, -1},
		{"another answer", func(h *testOffice) []string {
			return []string{"command: rule", fmt.Sprintf("accept: %d", h.lastEntry(log.KindRefused)), "orders: " + other}
		}, -1},
		{"no answer", func(h *testOffice) []string {
			return []string{"command: rule", fmt.Sprintf("refuse: %d", h.lastEntry(log.KindTaken))}
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, rules := stuckGame(t)
			was := h.record("lot-1").Stop
			if strings.HasPrefix(c.name, "no ") || strings.HasPrefix(c.name, "back") || strings.HasPrefix(c.name, "another") {
				rules.answers = h.answersInForce()
			}
			preview, _ := h.rule(reasoned(c.lines(h))...)
			h.says(preview, "The game goes on.")
			want := c.stop
			switch g := h.record("lot-1"); {
			case want == 0:
				want = was
				fallthrough
			case want > 0:
				if g.Stop != want {
					t.Errorf("the game is at stop %d, not %d", g.Stop, want)
				}
			case g.Stop <= was:
				t.Errorf("the game is still at stop %d", g.Stop)
			}
			h.goesOnTo(rules)
		})
	}
}

// A game that stands still is put right by another die at an earlier stop, if another
// position follows from it. If it does not, the preview says that the ruleset panics again.
func TestAnotherDiePutsAGameRightThatStandsStill(t *testing.T) {
	h, rules := stuckGame(t)
	_, was := h.resolutions("lot-1")
	var right []string
	again := 0
	for roll, fell := range was[0].Rolls {
		for result := 1; result <= fell.Sides; result++ {
			if result == fell.Result {
				continue
			}
			lines := []string{"command: rule", "stop: 1", fmt.Sprintf("roll: %d", roll+1), fmt.Sprintf("result: %d", result), "reason: it fell off the table"}
			preview := h.ask(mail.Processed, lines...)
			if strings.Contains(wordsOf(preview), "blue hides in the mill") {
				again++
				h.says(preview, "The rules can't go on from stop")
				h.lacks(preview, "The game goes on.")
			} else {
				h.says(preview, "The game goes on.")
				right = lines
			}
		}
	}
	if again == 0 || right == nil {
		t.Fatalf("it falls again with %d dice; %q puts it right", again, right)
	}
	h.rule(right...)
	h.goesOnTo(rules)
}

// If the ruleset panics again at what follows from an act, the preview says so. The act
// counts, all answers stay in force, and the game stands still until something else is done.
// Players are told neither that it goes on nor what made the ruleset panic.
func TestAnActAfterWhichTheRulesetFallsAgainSaysSo(t *testing.T) {
	h, rules := stuckGame(t)
	was := h.record("lot-1")
	preview, done := h.rule("command: rewind", fmt.Sprintf("stop: %d", was.Stop), "orders: same", "reason: r")
	for _, l := range []*mail.Letter{preview, done} {
		h.says(l, fmt.Sprintf("The rules can't go on from stop %d: blue hides in the mill.", was.Stop), "Nothing is lost")
		h.lacks(l, "The game goes on.")
	}
	g := h.record("lot-1")
	if g.Fault != was.Fault || g.Stop != was.Stop || !g.Paused.Equal(h.clock.Now()) {
		t.Errorf("the game is at stop %d, paused %v: %q", g.Stop, g.Paused, g.Fault)
	}
	for _, s := range g.Seats {
		if before := was.Seat(s.Side).Owes; (before == nil) != (s.Owes == nil) || s.Owes != nil && s.Owes.Answer == nil {
			t.Errorf("the answer of %s is lost", s.Side)
		}
	}
	for _, address := range []string{redAt, blueAt} {
		for _, l := range h.deliver(address) {
			h.lacks(l, "mill", "The game goes on.", "La partita riprende.")
		}
	}
	h.rule("command: rule", "option: {rounds: 20}", "reason: r")
	h.goesOnTo(rules)
}

// An act is refused, with the new reason, if the ruleset panics while earlier stops are done
// again. The game stays where it stood.
func TestAnActThatFallsOnTheWayIsRefused(t *testing.T) {
	h, rules := stuckGame(t)
	before := asJSON(t, h.record("lot-1")) + string(h.snapshot())
	err := h.office.look("lot-1", func(tr *transaction) error {
		branch, err := tr.past.Branch()
		if err != nil {
			return err
		}
		p, err := tr.past.Checkpoint(branch[1].Seq)
		rules.at = string(p.Snapshot)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.says(h.ask(mail.Rejected, "command: rewind", "stop: 1", "orders: same", "reason: r"), "The rules could not go on from there: blue hides in the mill")
	if after := asJSON(t, h.record("lot-1")) + string(h.snapshot()); after != before {
		t.Errorf("the game was\n%s\nand is\n%s", before, after)
	}
	h.silent(redAt)
	h.rule("command: rewind", "stop: 1", "orders: new", "reason: r")
	h.goesOnTo(rules)
}

// A game goes on standing still after a ruling that changes nothing. So does a game that
// stands still for another reason too: that its rules are no longer those of the program.
func TestWhatStandsStillForAnotherReasonStandsStill(t *testing.T) {
	h, _ := stuckGame(t)
	h.clock.move(time.Minute)
	h.write(redAt, command(h, "lot-1", "red", "command: dispute", "event: 1", "reason: I saw it"), mail.Processed)
	h.rule("command: rule", "decision: stands", fmt.Sprintf("dispute: %d", h.lastEntry(log.KindDispute)), "reason: r")
	g := h.record("lot-1")
	if g.Fault == "" || g.Paused.IsZero() {
		t.Error("it goes on although nothing has changed")
	}
	turn := &game.Turn{Loaded: &game.Loaded{Game: g}}
	g.Unlike = "other rules"
	if err := game.ForgetFault(turn); err != nil || g.Fault != "" || g.Paused.IsZero() || len(turn.Entries) > 0 {
		t.Errorf("%v: it goes on under other rules", err)
	}
}

// A game that stood still when it was decided goes on if that ruling is overruled.
func TestADecidedGameThatStoodStillGoesOnWhenItIsOverruled(t *testing.T) {
	h, rules := stuckGame(t)
	rules.answers = h.answersInForce()
	h.rule("command: rule", "outcome: red", "reason: r")
	if g := h.record("lot-1"); g.Phase != game.Over {
		t.Fatalf("the game is %s", g.Phase)
	}
	h.rule("command: rule", fmt.Sprintf("overrule: %d", h.lastEntry(log.KindRuling)), "reason: r")
	h.goesOnTo(rules)
}

// reasoned are the lines of a ruling with a reason.
func reasoned(lines []string) []string { return slices.Insert(lines, 1, "reason: the rules fall here") }

// answersInForce are the answers in force, in the form in which the rules get them.
func (h *testOffice) answersInForce() (all string) {
	h.Helper()
	err := h.office.look("lot-1", func(tr *transaction) error {
		answers := map[engine.Side]engine.Answer{}
		for _, s := range tr.Game.Seats {
			a, ok, err := tr.Answer(s)
			if err != nil {
				return err
			}
			if ok {
				answers[s.Side] = a
			}
		}
		all = answersIn(answers)
		return nil
	})
	if err != nil {
		h.Fatal(err)
	}
	return all
}
