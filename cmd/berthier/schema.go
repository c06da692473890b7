package main

import (
	"encoding/json"
	"fmt"

	"berthier/engine"
	"berthier/engine/shape"
)

type schemaCommand struct {
	System   string `arg:"" enum:"${rulesets}" help:"Game system: ${rulesets}."`
	Language string `enum:"en,it" default:"en" help:"The language whose words an editor offers: en or it. All are understood."`
	Scenario string `help:"The scenario whose names an editor offers; without it those of the first."`
}

// Run prints the JSON Schema of the order files of a game system (docs/editors.md).
func (cmd schemaCommand) Run(c *console) error {
	rules := rulesets[cmd.System]
	shaped, ok := rules.(engine.Shaped)
	if !ok {
		return fmt.Errorf("%s does not say how its order files are written", cmd.System)
	}
	names, err := namesOf(rules, cmd.Scenario)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(c.out)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	return enc.Encode(shaped.Shapes().Schema("Berthier: "+cmd.System, cmd.Language, names))
}

// namesOf gives the names that order files of a scenario may use.
func namesOf(rules engine.Ruleset, scenario string) (shape.Names, error) {
	if scenario == "" {
		scenario = rules.About().Scenarios[0]
	}
	position, err := rules.New(engine.Setup{Scenario: scenario})
	if err != nil {
		return nil, err
	}
	if namer, ok := position.View(engine.GM).(engine.Namer); ok {
		return namer.Names, nil
	}
	return nil, nil
}
