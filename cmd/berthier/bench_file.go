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
	if n, faults := orders.ParseNode([]byte(cmd.Write)); cmd.Write != "" && (len(faults) > 0 || n.Kind != orders.Map || len(n.Pairs) == 0) {
		return hinted{fmt.Errorf("--write %s: no keys with values", cmd.Write), "write it as in an item of an order file: {on-reaction: continue}"}
	}
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

// writing gives bots that write what --write says into each item of their orders where the rules
// take it. So they answer beforehand what an order may answer beforehand, as somebody does who
// takes over the example of a template.
func (cmd benchPaceCommand) writing(choose playout.Chooser) playout.Chooser {
	if cmd.Write == "" {
		return choose
	}
	besides, _ := orders.ParseNode([]byte(cmd.Write)) // it was read before
	return func(rules engine.Ruleset, view engine.View, d engine.Decision, chance *rand.Rand) engine.Answer {
		a := choose(rules, view, d, chance)
		list := a.Orders().Get("orders")
		if !cmd.about(d.Side) || list == nil || list.Kind != orders.List {
			return a
		}
		for i := range list.Items {
			file := a.Orders().Clone()
			item := file.Get("orders").Items[i]
			if item.Kind != orders.Map {
				continue
			}
			for _, p := range besides.Pairs {
				if item.Get(p.Key.Text) == nil {
					item.Set(p.Key.Text, p.Value.Clone())
				}
			}
			doc, faults := orders.Parse(file.Encode(), nil)
			if len(faults) > 0 {
				continue
			}
			if fuller, faults := rules.Read(view, d, doc); len(faults) == 0 {
				a = fuller
			}
		}
		return a
	}
}
