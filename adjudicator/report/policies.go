package report

import (
	"slices"

	"berthier/adjudicator/game"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
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
	section := engine.Section{Heading: phrase.Say("office.policies.changed"), Tables: []engine.Table{policyTable(all)}}
	for _, p := range all {
		if p.Later != "" && p.Why.Code != "" {
			section.Lines = append(section.Lines, sayWaits(p))
		}
	}
	return []engine.Section{section}
}

// firstPolicies tells what policies answer, and of which stops they ask.
func firstPolicies(all []engine.Policy) engine.Section {
	section := engine.Section{Heading: phrase.Say("office.policies.heading")}
	var answer []engine.Policy
	var asked []string
	for _, p := range all {
		switch {
		case p.Asks():
			asked = append(asked, p.Stops...)
		case !p.Idle || p.Value != "default":
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
	section.Lines = append(section.Lines, phrase.Say("office.policies.all"))
	return section
}

// policyTable has a line for each policy: the stops that it answers, what it says, and its
// key.
func policyTable(all []engine.Policy) engine.Table {
	first := phrase.Say("office.policies.stops")
	if slices.ContainsFunc(all, func(p engine.Policy) bool { return p.What.Code != "" }) {
		first = phrase.Say("office.policies.decisions")
	}
	t := engine.Table{Head: []engine.Column{{Head: first}, {Head: phrase.Say("office.policies.value")}, {Head: phrase.Say("office.policies.key")}}}
	for _, p := range all {
		of := "office.policies.of"
		if len(p.Stops) == 0 && p.What.Code == "" {
			of = "office.policies.beside"
		}
		stops, value := phrase.Say(of, sayDecides(p)), sayPolicy(p)
		t.Rows = append(t.Rows, []phrase.Value{{Kind: phrase.KindPhrase, Say: &stops}, {Kind: phrase.KindPhrase, Say: &value}, {Kind: phrase.KindKeyword, Text: p.Key}})
	}
	return t
}

// sayDecides fills the place stops with what a policy decides.
func sayDecides(p engine.Policy) phrase.Arg {
	if p.What.Code != "" {
		return phrase.Within("stops", p.What)
	}
	return phrase.Names("stops", "stop", p.About())
}

// sayPolicy says what is in force, and what comes into force later.
func sayPolicy(p engine.Policy) phrase.Phrase {
	args := []phrase.Arg{inOrders("value", p.Value)}
	if p.Later != "" {
		args = append(args, inOrders("later", p.Later))
	}
	return phrase.Say("office.policies.says", args...)
}

// inOrders fills a place with a piece of an order file.
func inOrders(place, text string) phrase.Arg { return phrase.Name(place, phrase.KindOrders, text) }

// sayWaits says that a policy counts later, and why.
func sayWaits(p engine.Policy) phrase.Phrase {
	return phrase.Say("office.policies.waits", inOrders("key", p.Key), phrase.Within("why", p.Why))
}

// counting says which of the policies that a seat has written, as its answer has them in normal
// form, do not count at once, and why.
func (w *Writer) counting(s *game.Seat, said *orders.Node) []phrase.Phrase {
	rules, ok := w.turn.Rules.(engine.Policied)
	if !ok || said == nil {
		return nil
	}
	var lines []phrase.Phrase
	for _, p := range rules.Policies(w.turn.View(s.Side)) {
		value := said // ask, for all of them
		if said.Kind == orders.Map {
			value = said.Get(p.Key)
		}
		if p.Why.Code != "" && value != nil && value.OneLine() != p.Value {
			lines = append(lines, sayWaits(p))
		}
	}
	return lines
}

// Foreseen says which policies of a seat would answer what may come of an answer that it
// does not give yet.
func (w *Writer) Foreseen(s *game.Seat, answer engine.Answer) []phrase.Phrase {
	if s.Owes == nil {
		return nil
	}
	var said []string
	for _, p := range engine.Answering(w.turn.Rules, w.turn.View(s.Side), s.Owes.Decision, answer) {
		said = append(said, p.Key+": "+p.Value)
	}
	if len(said) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("office.policies.foreseen", phrase.Names("policies", phrase.KindOrders, said))}
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

// Policies lists the policies of a seat: what each says, how often it has answered, on the
// way to the present position, as the player was told, and what may be written.
func (w *Writer) Policies(s *game.Seat) (templates.Notice, error) {
	n := templates.Notice{Heading: w.Heading(s), Subject: phrase.Say("office.policies.subject"), Owed: w.Owed(s, false)}
	var all []engine.Policy
	if rules, ok := w.turn.Rules.(engine.Policied); ok {
		all = rules.Policies(w.turn.View(s.Side))
	}
	if len(all) == 0 {
		n.Lines = append(n.Lines, phrase.Say("office.policies.none"))
		return n, nil
	}
	used, err := w.policiesUsed(s)
	if err != nil {
		return templates.Notice{}, err
	}
	n.Lines = append(n.Lines, phrase.Say("office.policies.what"))
	n.Page = &engine.Page{}
	for _, p := range all {
		n.Page.Sections = append(n.Page.Sections, engine.Section{
			Heading: phrase.Say("office.policies.one", inOrders("key", p.Key), sayDecides(p)),
			Lines: []phrase.Phrase{
				sayUsed(p, used[p.Key]),
				phrase.Say("office.policies.words", phrase.Names("words", phrase.KindOrders, p.Words)),
			},
		})
		if section := &n.Page.Sections[len(n.Page.Sections)-1]; p.Why.Code != "" {
			section.Lines = append(section.Lines, phrase.Say("office.policies.why", phrase.Within("why", p.Why)))
		}
	}
	return n, nil
}

// sayUsed says what is in force and, of a policy that answers stops, how often it has.
func sayUsed(p engine.Policy, n int) phrase.Phrase {
	args := []phrase.Arg{phrase.Within("says", sayPolicy(p))}
	if len(p.Stops) > 0 {
		args = append(args, phrase.Number("n", n), phrase.Number("answers", 1))
	}
	return phrase.Say("office.policies.in-force", args...)
}

// policiesUsed counts how often the player of a seat was told that a policy of his had
// answered, by their keys. What others were told is not looked at.
func (w *Writer) policiesUsed(s *game.Seat) (map[string]int, error) {
	branch, err := w.past.Branch()
	if err != nil {
		return nil, err
	}
	told, err := w.past.Told(s, branch, 0)
	used := map[string]int{}
	for _, one := range told {
		for _, news := range one.News {
			if news.Say.Code != engine.PolicyUsed {
				continue
			}
			for _, a := range news.Say.Args {
				if a.Name == "key" {
					used[a.Value.Text]++
				}
			}
		}
	}
	return used, err
}
