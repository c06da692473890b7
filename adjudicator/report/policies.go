package report

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// policies is what a report tells a seat of its policies: all of them in its first report,
// later only those that are not as they were when the game began. It tells nothing in a
// game that was begun without a pace.
func (w *Writer) policies(s *game.Seat) []engine.Section {
	rules, ok := w.turn.Rules.(engine.Policied)
	if !ok || len(w.turn.Game.Pace) == 0 || w.turn.Game.Phase != game.Running {
		return nil
	}
	all := rules.Policies(w.turn.View(s.Side))
	if s.Reports == 0 {
		return []engine.Section{firstPolicies(all)}
	}
	began := beganWith(w.turn, rules, s)
	all = slices.DeleteFunc(all, func(p engine.Policy) bool { return p.Later == "" && p.Value == began[p.Key] })
	if len(all) == 0 {
		return nil
	}
	return []engine.Section{{Heading: phrase.Say("office.policies.changed"), Tables: []engine.Table{policyTable(all)}}}
}

// firstPolicies tells what policies answer, and of which stops they ask.
func firstPolicies(all []engine.Policy) engine.Section {
	section := engine.Section{Heading: phrase.Say("office.policies.heading")}
	var answer []engine.Policy
	var asked []string
	for _, p := range all {
		if p.Asks() {
			asked = append(asked, p.Stops...)
		} else {
			answer = append(answer, p)
		}
	}
	if len(answer) > 0 {
		section.Tables = []engine.Table{policyTable(answer)}
	} else {
		section.Lines = append(section.Lines, phrase.Say("office.policies.nothing"))
	}
	if len(asked) > 0 {
		section.Lines = append(section.Lines, phrase.Say("office.policies.asked", phrase.Names("stops", "stop", asked)))
	}
	return section
}

// policyTable has a line for each policy: the stops that it answers, what it says, and its
// key.
func policyTable(all []engine.Policy) engine.Table {
	t := engine.Table{Head: []engine.Column{{Head: phrase.Say("office.policies.stops")}, {Head: phrase.Say("office.policies.value")}, {Head: phrase.Say("office.policies.key")}}}
	for _, p := range all {
		stops, value := phrase.Say("office.policies.of", phrase.Names("stops", "stop", p.Stops)), sayPolicy(p)
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindPhrase, Say: &stops}, {Kind: phrase.KindPhrase, Say: &value}, {Kind: phrase.KindKeyword, Text: p.Key}})
	}
	return t
}

// sayPolicy says what is in force, and what comes into force later.
func sayPolicy(p engine.Policy) phrase.Phrase {
	args := []phrase.Arg{phrase.Literal("value", p.Value)}
	if p.Later != "" {
		args = append(args, phrase.Literal("later", p.Later))
	}
	return phrase.Say("office.policies.says", args...)
}

// beganWith are the policies with which a seat began the game, by their keys, as
// [engine.Policy] writes what is in force.
func beganWith(t *game.Turn, rules engine.Policied, s *game.Seat) map[string]string {
	began := map[string]string{}
	node, problems := orders.ParseNode([]byte(t.Game.Policies[s.Side]))
	if len(problems) > 0 {
		return began // then all of them are told
	}
	given, problems := rules.ReadStanding(t.View(s.Side), &orders.Document{Policies: node})
	if len(problems) > 0 {
		return began
	}
	if said := given.Orders().Get("policies"); said != nil {
		for _, p := range said.Pairs {
			began[p.Key.Text] = p.Value.OneLine()
		}
	}
	return began
}
