package rulestest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"berthier/engine"
	"berthier/engine/playout"
	"berthier/orders"
)

// A Listing says how the template of one kind of stop lists what is legal.
type Listing struct {
	// Offered reads a template as a player does: it gives all that its comments list, each
	// as a text.
	Offered func(view engine.View, template *orders.Node) []string
	// Choice gives the texts that have to be listed for a choice; none if the comments
	// don't claim to list such choices.
	Choice func(engine.View, engine.Choice) []string
	// Files gives values of the orders key that the comments say may be written, each of
	// which must be accepted; nil if they say none.
	Files func(view engine.View, template *orders.Node) []string
}

// Offers checks that templates offer what is legal: at stops of games that are played half
// at random and half by bots, and at those of the conformance cases of a name, if it has
// one, what the comments list is what the ruleset's choices are. Nothing else is offered, and nothing is left out. Every kind of stop must
// have a listing, and must be seen.
func Offers(t *testing.T, name string, rules engine.Ruleset, games []playout.Game, listings map[string]Listing) {
	if Race {
		return // nothing here runs side by side, and it takes long
	}
	seen := map[string]int{}
	look := func(view engine.View, d engine.Decision) {
		listing, ok := listings[d.Kind]
		if !ok {
			return
		}
		seen[d.Kind]++
		template := rules.Template(view, d)
		var legal []string
		for _, c := range rules.(engine.Chooser).Choices(view, d, nil) {
			legal = append(legal, listing.Choice(view, c)...)
		}
		offered := listing.Offered(view, template.Get("orders"))
		if wrong := lackedBy(offered, legal); len(wrong) > 0 {
			t.Errorf("%s of %s: offered, but not legal: %q; legal: %q\n%s", d.Kind, d.Side, wrong, legal, template.Encode())
		}
		if missing := lackedBy(legal, offered); len(missing) > 0 {
			t.Errorf("%s of %s: legal, but not offered: %q; offered: %q\n%s", d.Kind, d.Side, missing, offered, template.Encode())
		}
		if listing.Files == nil {
			return
		}
		for _, file := range listing.Files(view, template.Get("orders")) {
			doc, faults := orders.Parse("orders:\n  "+strings.ReplaceAll(file, "\n", "\n  ")+"\n", nil)
			if len(faults) == 0 {
				_, faults = rules.Read(view, d, doc)
			}
			if len(faults) > 0 {
				t.Errorf("%s of %s: offered, but refused: %s: %s\n%s", d.Kind, d.Side, file, playout.Explain(faults), template.Encode())
			}
		}
	}
	for i, g := range games {
		g.Rules = rules
		counts := map[string]int{}
		g.Choose = func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
			if counts[d.Kind]++; counts[d.Kind] <= 4 || counts[d.Kind]%16 == 0 {
				look(view, d)
			}
			if chance.IntN(2) == 0 {
				return rules.Sensible(view, d, chance)
			}
			return rules.Random(view, d, chance)
		}
		if _, err := g.Play(); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	if name != "" {
		HearCases(t, name, rules, func(view engine.View, d engine.Decision, _ *orders.Document) { look(view, d) })
	}
	for _, kind := range rules.About().Stops {
		if _, ok := listings[kind]; !ok || seen[kind] == 0 {
			t.Errorf("no template of the stop %s was read", kind)
		}
	}
}

// lackedBy gives the texts of a list that another one does not have.
func lackedBy(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// Comments gives the remarks of a template, line by line in their order.
func Comments(n *orders.Node) []string {
	remarks, _ := commented(n)
	return remarks
}

// Examples gives what could stand in a template besides, line by line in its order.
func Examples(n *orders.Node) []string {
	_, examples := commented(n)
	return examples
}

func commented(n *orders.Node) (remarks, examples []string) {
	add := func(text string) {
		if text != "" {
			remarks = append(remarks, strings.Split(text, "\n")...)
		}
	}
	n.Walk(func(n *orders.Node) {
		add(n.Above)
		add(n.Comment)
		for _, line := range n.Spare {
			if remark, ok := strings.CutPrefix(line, "# "); ok {
				add(remark)
			} else {
				examples = append(examples, orders.InTongue("en", line))
			}
		}
	})
	return remarks, examples
}
