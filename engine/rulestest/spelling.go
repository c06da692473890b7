package rulestest

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// Spelling checks that answers are written with hyphens alone, that the former spelling, or one with
// underscores, is read, too, and that what was once written is written the same way again: games that
// began then still hash it.
func Spelling(t *testing.T, rules engine.Ruleset, games []playout.Game) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	then, words, former := rules.(engine.Reworded), rules.(engine.Shaped).Shapes().Vocabulary, 0
	for i, g := range games {
		g.Rules = rules
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			a := rules.Random(view, d, chance)
			now := a.Orders().Encode()
			if keyWith(a.Orders(), "_") {
				t.Errorf("%s is written with underscores: %s", d.Kind, now)
			}
			old := then.FormerWords(a.Orders())
			if orders.Equal(old, a.Orders()) {
				otherwise(old, words)
			}
			if keyWith(old, "_") {
				former++
			}
			doc, faults := orders.Parse(old.Encode(), nil)
			if len(faults) == 0 {
				var again engine.Answer
				if again, faults = rules.Read(view, d, doc); len(faults) == 0 && again.Orders().Encode() == now {
					return a
				}
			}
			t.Errorf("%s as it was once written does not read as itself: %v\n%s", d.Kind, faults, old.Encode())
			return a
		}
		if _, err := g.Play(); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	if former == 0 {
		t.Error("no answer has a key that was once written otherwise")
	}
}

// otherwise writes keywords among the keys of a tree with underscores: of a ruleset whose files
// never had a former spelling that is read, too.
func otherwise(n *orders.Node, words *orders.Words) {
	for _, item := range n.Items {
		otherwise(item, words)
	}
	for _, p := range n.Pairs {
		if words.Knows(p.Key.Text) {
			p.Key.Text = strings.ReplaceAll(p.Key.Text, "-", "_")
		}
		otherwise(p.Value, words)
	}
}

// keyWith tells whether a key of a tree contains a text.
func keyWith(n *orders.Node, text string) bool {
	for _, item := range n.Items {
		if keyWith(item, text) {
			return true
		}
	}
	for _, p := range n.Pairs {
		if strings.Contains(p.Key.Text, text) || keyWith(p.Value, text) {
			return true
		}
	}
	return false
}

// OptionSpelling checks that options have one spelling, with hyphens, that a set-up in
// the former spelling makes the same game, byte for byte, and that both at once are refused.
func OptionSpelling(t *testing.T, rules engine.Ruleset) {
	made := func(options map[string]string) ([]byte, error) {
		p, err := rules.New(engine.Setup{Options: options})
		if err != nil {
			return nil, err
		}
		return p.Marshal()
	}
	tried := 0
	for _, o := range rules.About().Options {
		if strings.Contains(o.Name, "_") {
			t.Errorf("the option %s is written with an underscore", o.Name)
		}
		old := strings.ReplaceAll(o.Name, "-", "_")
		if old == o.Name {
			continue
		}
		value := o.Values[len(o.Values)-1]
		now, err := made(map[string]string{o.Name: value})
		then, err2 := made(map[string]string{old: value})
		if err != nil || err2 != nil || !bytes.Equal(now, then) {
			t.Errorf("%s makes another game than %s: %v %v", old, o.Name, err, err2)
		}
		both := maps.Clone(map[string]string{o.Name: value, old: value})
		var faults orders.Problems
		if _, err := made(both); !errors.As(err, &faults) || len(faults) != 1 || faults[0].Why.Code != "play.option-twice" {
			t.Errorf("%s in two spellings: %v", o.Name, err)
		}
		tried++
	}
	if tried == 0 {
		t.Error("no option has a former spelling")
	}
}
