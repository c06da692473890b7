package rulestest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// Follow holds what is promised of questions that are asked together. In games in which every
// decision is asked, wherever an answer joins the next question of its side to a stop, that
// question comes, with no die rolled and nothing shown that the side had not been told when it
// answered: its view is, byte for byte, the one from which the lines of its letter were made.
// The player who hopes that a letter tells him something hidden has it written in worlds that
// differ in all that he can't see; the player who watches for pauses has the stops of another
// joined or not in worlds that differ in all that he can't see himself. In both nothing
// changes; scramble makes the former, and resample the latter, in which the same is owed. The pairs given must all come about, and none of the others.
func Follow(t *testing.T, rules engine.Ruleset, games []playout.Game, scramble, resample playout.Scrambler, pairs, never []string) {
	met := map[string]int{}
	for i, g := range games {
		g.Rules = rules
		chance := rand.New(rand.NewPCG(uint64(i), 17))
		var expected *engine.Joined
		var after engine.Decision
		_, err := g.Play(func(m playout.Moment) error {
			if expected != nil {
				met[fmt.Sprintf("%s %s", after.Kind, expected.Decision.Kind)]++
				if err := asJoined(*expected, m); err != nil {
					return fmt.Errorf("%s %s, then %s %s: %w", after.Kind, after.At, expected.Decision.Kind, expected.Decision.At, err)
				}
				expected = nil
			}
			if len(m.Owed) != 1 {
				return nil
			}
			d := m.Owed[0]
			after = d
			view := m.Position.View(d.Side)
			if next, ok := engine.Follow(rules, view, d, m.Answers[d.Side]); ok {
				expected = &next
			}
			if m.Number%3 > 0 {
				return nil
			}
			joined := joinedText(rules, view, d)
			for _, side := range m.Position.Sides() {
				other := resample(m.Position, side, chance)
				if side == d.Side {
					other = scramble(m.Position, side, chance)
				}
				if !slices.Contains(other.Owed(), d) {
					continue // the scrambler has him asked something else
				}
				seen := joinedText(rules, other.View(d.Side), d)
				if side == d.Side && seen != joined {
					return fmt.Errorf("%s %s: a letter tells what is hidden: %q, and %q", d.Kind, d.At, joined, seen)
				}
				if side != d.Side && joinedKind(rules, other.View(d.Side), d) != joinedKind(rules, view, d) {
					return fmt.Errorf("%s %s: whether a question is joined tells %s what is hidden", d.Kind, d.At, side)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("game %d: %v", i, err)
		}
	}
	t.Logf("joined: %v", met)
	for _, pair := range pairs {
		if met[pair] == 0 {
			t.Errorf("%s was never joined", pair)
		}
	}
	for _, pair := range never {
		if met[pair] > 0 {
			t.Errorf("%s was joined", pair)
		}
	}
}

// asJoined tells what is different where a question has come that was joined to the one before.
func asJoined(expected engine.Joined, m playout.Moment) error {
	then, err := expected.View.Marshal()
	if err != nil {
		return err
	}
	seen, err := m.Position.View(expected.Decision.Side).Marshal()
	switch {
	case err != nil:
		return err
	case len(m.Rolls) > 0:
		return fmt.Errorf("%d dice were rolled", len(m.Rolls))
	case !slices.Contains(m.Owed, expected.Decision):
		return fmt.Errorf("%v is owed", m.Owed)
	case !bytes.Equal(then, seen):
		return fmt.Errorf("the side sees something else: %s", playout.Differ(then, seen))
	}
	return nil
}

// joinedKind is what is joined to the default of a stop.
func joinedKind(rules engine.Ruleset, view engine.View, d engine.Decision) string {
	next, _ := engine.Follow(rules, view, d, rules.Default(view, d))
	return next.Decision.Kind
}

// joinedText is what a letter holds of the question that is joined to the default of a stop.
func joinedText(rules engine.Ruleset, view engine.View, d engine.Decision) string {
	next, ok := engine.Follow(rules, view, d, rules.Default(view, d))
	if !ok {
		return ""
	}
	return next.Decision.Kind + " " + next.Decision.At + "\n" + rules.Template(next.View, next.Decision).Encode() + rules.Default(next.View, next.Decision).Orders().Encode()
}

// joins tells whether any stop of a ruleset may be followed by another of its side at once.
func joins(rules engine.Ruleset) bool {
	f, ok := rules.(engine.Follower)
	return ok && slices.ContainsFunc(rules.About().Stops, func(kind string) bool { return len(f.Follows(engine.Decision{Kind: kind})) > 0 })
}

// StopByStop holds that it makes no difference to a game in which letter an answer came: a
// game of bots who file what follows, and the same game in which each answer comes when its
// stop is open, have the same dice, the same events and the same position after each stop,
// byte for byte. Something must have been filed, and used; where no stop joins another, of what is filed
// for the next stop nothing is.
func StopByStop(t *testing.T, rules engine.Ruleset, games []playout.Game) {
	for _, file := range []struct {
		name string
		is   playout.Filer
	}{{"joined", playout.Joined(engine.Ruleset.Sensible, nil)}, {"ahead", playout.Ahead(engine.Ruleset.Sensible, nil)}} {
		used := 0
		for i, g := range games {
			type stop struct {
				position, happened string // the latter with the dice
				orders             map[engine.Side]string
			}
			look := func(m playout.Moment) stop {
				happened, err := json.Marshal([]any{m.Rolls, m.Events})
				if err != nil {
					t.Fatal(err)
				}
				s := stop{string(marshalled(t, m.Position)), string(happened), map[engine.Side]string{}}
				for side, a := range m.Answers {
					s.orders[side] = a.Orders().Encode()
				}
				return s
			}
			g.Rules, g.Choose, g.File = rules, engine.Ruleset.Sensible, file.is
			var ahead []stop
			if _, err := g.Play(func(m playout.Moment) error {
				used += len(m.Filed)
				ahead = append(ahead, look(m))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			n := 0
			g.File = nil
			g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, _ *rand.Rand) engine.Answer {
				if n >= len(ahead) {
					t.Fatalf("%s, game %d: stop %d came only where each answer came at its stop", file.name, i, n+1)
				}
				doc, faults := orders.Parse(ahead[n].orders[d.Side], nil)
				if len(faults) > 0 {
					t.Fatalf("%s, game %d: %v", file.name, i, faults)
				}
				a, faults := rules.Read(view, d, doc)
				if len(faults) > 0 {
					t.Fatalf("%s, game %d, stop %d of %s, %s: %s", file.name, i, n+1, d.Side, d.Kind, playout.Explain(faults))
				}
				return a
			}
			if _, err := g.Play(func(m playout.Moment) error {
				if len(m.Filed) > 0 {
					t.Error("something was filed")
				}
				one, two := ahead[n], look(m)
				n++
				if one.position != two.position || one.happened != two.happened || !maps.Equal(one.orders, two.orders) {
					return fmt.Errorf("%s: it went otherwise: %s\n%s", file.name, playout.Differ([]byte(one.position), []byte(two.position)), playout.Differ([]byte(one.happened), []byte(two.happened)))
				}
				return nil
			}); err != nil {
				t.Errorf("game %d: %v", i, err)
			}
			if n != len(ahead) {
				t.Errorf("%s, game %d: %d stops, and %d", file.name, i, len(ahead), n)
			}
		}
		if used == 0 && (file.name == "ahead" || joins(rules)) {
			t.Errorf("%s: nothing was filed, or used", file.name)
		}
		t.Logf("%s: %d answers were filed before their stop", file.name, used)
	}
}
