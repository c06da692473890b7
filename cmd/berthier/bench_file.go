package main

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"berthier/engine"
	"berthier/engine/ahead"
	"berthier/engine/playout"
	"berthier/orders"
)

// What the bots of berthier bench pace file besides the answer to a stop.

// soundFiling refuses what can't be filed.
func (cmd benchPaceCommand) soundFiling(rules engine.Ruleset) error {
	switch {
	case cmd.Ahead == "":
		return nil
	case cmd.File == "":
		return hinted{errors.New("--ahead without --file"), "say what the bots file: --file joined or --file ahead"}
	}
	n, faults := orders.ParseNode([]byte(cmd.Ahead))
	if len(faults) == 0 {
		_, faults = ahead.Read(rules, nil, n)
	}
	if len(faults) > 0 {
		return hinted{fmt.Errorf("--ahead: %w", faults), "write it as in an order file: {deploy-attacker: default}"}
	}
	return nil
}

// filer gives what files file ahead, by those seats whom the flags are about.
func (cmd benchPaceCommand) filer(choose playout.Chooser) playout.Filer {
	var besides *orders.Node
	if cmd.Ahead != "" {
		besides, _ = orders.ParseNode([]byte(cmd.Ahead)) // it was read before
	}
	var file playout.Filer
	switch cmd.File {
	case "joined":
		file = playout.Joined(choose, besides)
	case "ahead":
		file = playout.Ahead(choose, besides)
	default:
		return nil
	}
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, a engine.Answer, chance *rand.Rand) string {
		if !cmd.about(d.Side) {
			return ""
		}
		return file(rules, view, d, a, chance)
	}
}
