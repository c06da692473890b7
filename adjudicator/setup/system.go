package setup

import (
	"errors"

	"berthier/adjudicator/intake"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// readSystem reads which game it is, and sets the game up.
func (rd *Reader) readSystem(r *orders.Reader, f orders.Fields, s *Setup) engine.Ruleset {
	var choices []orders.Choice
	for _, name := range rd.Names {
		choices = append(choices, orders.Choice{ID: name})
	}
	s.System, _ = r.Pick(r.Require(f, "system"), "setup-system", choices)
	rules := rd.Systems[s.System]
	if rules == nil {
		return nil
	}
	about, sound := rules.About(), true
	if n := f.Get("scenario"); n != nil {
		var all []orders.Choice
		for _, name := range about.Scenarios {
			all = append(all, orders.Choice{ID: name})
		}
		s.Rules.Scenario, sound = r.Pick(n, "setup-scenario", all)
	}
	if n := f.Get("options"); n != nil {
		sound = intake.ReadOptions(r, n, about, s.Rules.Options) && sound
	}
	if !sound {
		return rules
	}
	position, err := rules.New(s.Rules)
	if err != nil {
		at := f.Get("options")
		if at == nil {
			at = f.Get("scenario")
		}
		if at == nil {
			at = f.Get("system")
		}
		var faults orders.Problems
		if !errors.As(err, &faults) {
			faults = orders.Problems{{Why: phrase.Say("office.setup.rules", phrase.Literal("error", err.Error()))}}
		}
		for _, p := range faults {
			if p.Line == 0 {
				p.Line, p.Column = at.Line, at.Column
			}
			r.Problems = append(r.Problems, p)
		}
		return rules
	}
	s.position = position
	return rules
}
