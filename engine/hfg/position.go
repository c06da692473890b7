package hfg

import (
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// node writes everything of the game that changes.
func (g *game) node(root *orders.Node) {
	root.Set("ruleset", orders.Text("hfg")).Set("scenario", orders.Text(g.Scenario))
	play.Put(root, "options", g.menu().Node(&g.options))
	play.Put(root, "owed", play.Owed(g.owed))
	if g.prepared() {
		root.Set("setting", g.setting.codec().Write(g.setting))
	}
	root.Pairs = append(root.Pairs, g.setting.codec().Write(g).Pairs...)
}

// prepared says whether the setting isn't the scenario's: it was made by letter.
func (g *game) prepared() bool { return g.setting != &g.scenario.set }

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
var otherKeys = []string{"ruleset", "scenario", "options", "setting", "owed", "file"}

// load reads a position back, with the place of every fault.
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
	f, s, ok := library.Headed(r, root, "hfg", otherKeys, func(s *scenario, chosen map[string]string) orders.Problems {
		begins, faults := begun(s, chosen)
		if len(faults) == 0 {
			g.options = begins.options
		}
		return faults
	})
	if !ok {
		return g
	}
	g.scenario, g.setting = s, &s.set
	if n := f.Get("setting"); n != nil {
		g.setting = readSetting(r, n, s.Letters)
	}
	if len(r.Problems) > 0 {
		return g
	}
	g.setting.codec().Read(r, root, g, otherKeys...)
	g.Elements = play.Resized(g.Elements, len(g.roster)+1)
	g.Commands = play.Resized(g.Commands, len(g.commands)+1)
	if len(r.Problems) > 0 {
		return g
	}
	b := &breaches{game: g}
	b.impossible()
	for _, one := range b.All {
		r.RefuseWith(play.At(root, one.Keys...), one.Clause, one.Why, one.Remedy)
	}
	if len(r.Problems) == 0 {
		asks := g.asked()
		g.owed = play.ReadOwed(r, f.Get("owed"), g.seats(), stops, func(d engine.Decision) bool { return slices.Contains(asks, d) })
		if g.Phase == preparing && len(g.owed) > 0 {
			g.owed = asks // who is asked in the preparation is asked together: neither has answered
		}
	}
	return g
}

// readSetting reads the setting of a position, and judges it as that of a file.
func readSetting(r *orders.Reader, n *orders.Node, letters bool) *setting {
	s := &setting{}
	scenarioCodec().Read(r, n, s)
	if len(r.Problems) > 0 {
		return s
	}
	l := &loader{Loader: play.Loader{Reader: r}, s: s, root: n, letters: letters}
	l.complete()
	return s
}
