package mistakes

import (
	"berthier/engine/play"
	"berthier/orders"
)

// node writes everything of the game that changes.
func (g *game) node(root *orders.Node) {
	root.Set("ruleset", orders.Text("enemy-mistakes")).Set("scenario", orders.Text(g.name))
	play.Put(root, "options", g.menu().Node(&g.options))
	play.Put(root, "owed", play.Owed(g.owed))
	root.Pairs = append(root.Pairs, g.codec.Write(g).Pairs...)
	sides := g.seats()
	play.Put(root, "standing", play.BySide(sides, func(i int) *orders.Node {
		return standingKeys.Normal(g.scenario, &g.standings[seatArmy(sides[i])])
	}))
	play.Put(root, "policies", play.BySide(sides, func(i int) *orders.Node { return g.policies[seatArmy(sides[i])].Node() }))
	play.Put(root, "answered", play.LeftNode(g.answered))
}

// marshal writes a position as YAML.
func (g *game) marshal() []byte {
	root := orders.Mapping()
	g.node(root)
	if library.Carries(g.scenario) {
		root.Set("file", orders.Text(string(g.source)))
	}
	return []byte(root.Encode())
}

// otherKeys are those of a position that the codec does not read.
var otherKeys = []string{"ruleset", "scenario", "options", "owed", "standing", "policies", "answered", "file"}

// load reads a position back, with the place of every fault. What no game can be without is
// refused at its place; [breaches] says what that is.
func load(data []byte) (*game, orders.Problems) {
	var g *game
	faults := play.ReadFile(data, "play.position-empty", func(r *orders.Reader, root *orders.Node) {
		g = read(r, root)
	})
	if len(faults) > 0 {
		return nil, faults
	}
	return g, nil
}

// read reads a position.
func read(r *orders.Reader, root *orders.Node) *game {
	g := &game{}
	f, s, ok := library.Headed(r, root, "enemy-mistakes", otherKeys, func(s *scenario, chosen map[string]string) orders.Problems {
		begins, faults := begun(s, chosen)
		if len(faults) == 0 {
			g.options = begins.options
		}
		return faults
	})
	if !ok {
		return g
	}
	g.scenario = s
	s.codec.Read(r, root, g, otherKeys...)
	g.Units = play.Resized(g.Units, len(s.roster)+1)
	g.Leaders = play.Resized(g.Leaders, len(s.leaders)+1)
	if len(r.Problems) > 0 {
		return g
	}
	g.arrange()
	b := &breaches{game: g}
	b.impossible()
	for _, one := range b.All {
		r.RefuseWith(play.At(root, one.Keys...), one.Clause, one.Why, one.Remedy)
	}
	if len(r.Problems) > 0 {
		return g
	}
	play.ReadBySide(r, f.Get("policies"), g.seats(), func(i int, n *orders.Node) {
		side := g.seats()[i]
		g.enforce(seatArmy(side), declared.LoadPolicies(g.view(side), r, n))
	})
	play.ReadBySide(r, f.Get("standing"), g.seats(), func(i int, n *orders.Node) {
		side := g.seats()[i]
		with := orders.NewReader(vocabulary)
		g.standings[seatArmy(side)] = play.ReadOrders(standingKeys, g.view(side), with, n)
		r.Problems = append(r.Problems, with.Problems...)
	})
	g.owed = play.ReadOwed(r, f.Get("owed"), g.seats(), stops, g.due)
	g.answered = play.ReadLeft(r, f.Get("answered"), g.seats(), stops, g.owed, g.due)
	return g
}
