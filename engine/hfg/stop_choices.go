package hfg

import (
	"iter"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/hfg/campaign"
	"berthier/orders"
)

// What may be chosen at the stops of the preparation: steps that each add something to what has been
// said so far. Each is written as a file would write it, and only what the reader takes is offered.

// An offered is a value of a stop of the preparation, and the choice by which it came about.
type offered[T any] struct {
	value T
	as    engine.Choice
}

// A chooser gives what may be chosen next: of whom, what, and all that is said then. So far is what has
// been said, nil for nothing.
type chooser func(g *game, of side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node]

// next lists what a stop offers after a value.
func (s *preface[T]) next(g *game, of side, value T, done bool) iter.Seq[any] {
	return func(yield func(any) bool) {
		if s.choices == nil {
			return
		}
		var soFar *orders.Node
		if done {
			soFar = s.write(g, of, value)
		}
		for c, n := range s.choices(g, of, soFar) {
			r := orders.NewReader(vocabulary)
			if v, ok := s.read(r, g, of, n); ok && len(r.Problems) == 0 && !yield(offered[T]{v, c}) {
				return
			}
		}
	}
}

// with is a copy of a map in which a key says something else.
func with(n *orders.Node, key string, value *orders.Node) *orders.Node {
	c := orders.Mapping()
	for _, p := range n.Pairs {
		if p.Key.Text != key {
			c.Pairs = append(c.Pairs, p)
		}
	}
	return c.Set(key, value)
}

// items are those of a list under a key; a word there is none.
func items(n *orders.Node, key string) []*orders.Node {
	if at := n.Get(key); at != nil && at.Kind == orders.List {
		return slices.Clone(at.Items)
	}
	return nil
}

// chooseEdge offers both edges.
func chooseEdge(_ *game, _ side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node] {
	return func(yield func(engine.Choice, *orders.Node) bool) {
		for _, word := range []string{"north", "south"} {
			if soFar == nil && !yield(engine.Choice{Of: "edge", What: word}, orders.Inline().Set("edge", orders.Text(word))) {
				return
			}
		}
	}
}

// chooseMap offers for each force and each period of the day marches of one or two stages, and work.
func chooseMap(g *game, of side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node] {
	return func(yield func(engine.Choice, *orders.Node) bool) {
		c := g.onMap()
		if soFar == nil {
			soFar = writeMap(g, of, resting(g, of))
		}
		for _, i := range g.forcesOf(of) {
			id := g.short(g.setting.commands[i].id, of)
			day := soFar.Get(id)
			if day == nil || day.Kind != orders.Map {
				day = orders.Inline()
			}
			at := c.Stands[i].At
			for p, word := range campaign.PeriodWords {
				if n := day.Get(word); n != nil {
					if n.Kind == orders.List && len(n.Items) > 0 {
						at, _ = c.Node(n.Items[len(n.Items)-1].Text)
					}
					continue
				}
				for _, t := range g.tasksFrom(at) {
					n := writeTask(c, &t)
					if !yield(engine.Choice{Of: id, What: campaign.PeriodWords[p] + ": " + strings.Trim(n.OneLine(), "[]")}, with(soFar, id, with(day, word, n))) {
						return
					}
				}
			}
		}
	}
}

// tasksFrom are what a force may be told to do in a period that it begins at a node.
func (g *game) tasksFrom(at campaign.Node) []campaign.Task {
	c := g.onMap()
	if at == 0 {
		return nil
	}
	var all []campaign.Task
	for _, path := range c.Paths(at, 2) {
		all = append(all, campaign.Task{Path: path})
	}
	all = append(all, campaign.Task{Work: campaign.Entrench}, campaign.Task{Work: campaign.Redoubt})
	for _, w := range []campaign.Work{campaign.Demolish, campaign.Repair, campaign.Build} {
		for _, n := range c.Beside(at) {
			all = append(all, campaign.Task{Work: w, Bridge: n})
		}
	}
	return all
}

// chooseNight offers to stay, and each node to which the side may go.
func chooseNight(g *game, of side, soFar *orders.Node) iter.Seq2[engine.Choice, *orders.Node] {
	return func(yield func(engine.Choice, *orders.Node) bool) {
		if soFar != nil || !yield(engine.Choice{Of: "battle", What: "stay"}, orders.Inline().Set("battle", orders.Text("stay"))) {
			return
		}
		c := g.onMap()
		for _, n := range c.Refuges(c.Met, int(of)-1) {
			id := c.Def(n).ID
			if !yield(engine.Choice{Of: "battle", What: "avoid, towards: " + id}, orders.Inline().Set("battle", orders.Text("avoid")).Set("towards", orders.Text(id))) {
				return
			}
		}
	}
}
