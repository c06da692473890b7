package hfg

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/cases"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A field of a case's own: {year: 1809, areas: {town: [bua, 4000, 3300, 600, 600]}, lines: {brook: [stream 100,
// [0, 3000], [12000, 3000]]}} with pieces {r1: [elite muskets, 4000, 3000, 0], b1: [muskets, town]}. Whose id begins
// with an r is of red, who attacks from the south; all others are of blue. Each side has one command, reds or
// blues, unless commands says more, and one player, unless seats says who leads which commands; whoever has no
// general gets a Command Party in his corner. Nobody is asked anything in the middle of a turn.

// fieldKeys are the keys of a field.
var fieldKeys = []string{"year", "size", "areas", "lines", "bridges", "fords", "places", "commands", "seats", "forces"}

// usualYear is the year of a field that says none, cornerFar how far from the edges a general stands who isn't given.
const (
	usualYear = 1809
	cornerFar = 400
)

// A fieldStage makes the scenario file of a field.
type fieldStage struct {
	*orders.Reader
	given    orders.Fields
	elements *orders.Node
	command  map[string]string // of elements that are named in a command
	led      map[string]bool   // commands with a general
}

// stagedField turns the scenario file into that of a field, and gives what is laid over its position.
func stagedField(r *orders.Reader, field, pieces, file *orders.Node) *orders.Node {
	x := &fieldStage{Reader: r, given: r.Fields(field, fieldKeys...), elements: orders.Items(), command: map[string]string{}, led: map[string]bool{}}
	made := orders.Mapping().Set("ruleset", orders.Text("hfg")).Set("scenario", orders.Text("field"))
	made.Set("first_pair", orders.Text("12:00")).Set("pair_minutes", orders.Number(20))
	x.ground(made)
	made.Set("sides", orders.Items(
		orders.Inline().Set("id", orders.Text("red")).Set("role", orders.Text("attacker")).Set("base", orders.Text("s")),
		orders.Inline().Set("id", orders.Text("blue")).Set("role", orders.Text("defender")).Set("base", orders.Text("n"))))
	commands := x.commands()
	if x.isMap(pieces, "r1") {
		for _, pair := range pieces.Pairs {
			x.piece(pair.Key, pair.Value)
		}
	}
	x.generals(field, made.Get("size"))
	made.Set("commands", commands).Set("elements", x.elements)
	play.Put(made, "seats", x.given.Get("seats"))
	*file = *made
	policies := orders.Items()
	for _, seat := range x.players() {
		for k := policyFace; int(k) < len(policyWords); k++ {
			if k != policyReply {
				policies.Add(orders.Inline().Set("key", orders.Text(policyWords[k])).Set("seat", orders.Text(seat)).Set("do", orders.Text("default")))
			}
		}
	}
	return cases.Made(orders.Mapping().Set("policies", policies), field)
}

// players are the seats of a field: one of each side, or those that are given.
func (x *fieldStage) players() []string {
	n := x.given.Get("seats")
	if n == nil {
		return []string{"red", "blue"}
	}
	var all []string
	for _, item := range n.Items {
		if id := item.Get("id"); item.Kind == orders.Map && id != nil {
			all = append(all, id.Text)
		}
	}
	return all
}

// isMap says whether a node is a map, and refuses anything else but nothing.
func (x *fieldStage) isMap(n *orders.Node, example string) bool {
	if n != nil && n.Kind != orders.Map {
		x.Refuse(n, "", phrase.Say("order.want-map", phrase.Literals("keys", []string{example})))
	}
	return n != nil && n.Kind == orders.Map
}

// ground writes the year and the ground of a field.
func (x *fieldStage) ground(made *orders.Node) {
	usual := map[string]*orders.Node{"year": orders.Number(usualYear), "size": orders.Texts("12000", "6000")}
	for _, key := range []string{"year", "size"} {
		if n := x.given.Get(key); n != nil {
			usual[key] = n
		}
		made.Set(key, usual[key])
	}
	for key, read := range map[string]func(id, n *orders.Node) *orders.Node{"areas": x.area, "lines": x.line} {
		n, all := x.given.Get(key), orders.Items()
		if x.isMap(n, "town") {
			for _, pair := range n.Pairs {
				all.Add(cases.Made(read(pair.Key, pair.Value), pair.Value))
			}
		}
		made.Set(key, all)
	}
	for _, key := range []string{"bridges", "fords", "places"} {
		play.Put(made, key, x.given.Get(key))
	}
}

// whole is a map of a scenario file with its id: what a case gives in whole.
func whole(id, n *orders.Node) *orders.Node {
	one := orders.Inline().Set("id", orders.Text(id.Text))
	one.Pairs = append(one.Pairs, n.Pairs...)
	return one
}

// area reads an area: [wood, 5000, 3000, 1000, 800], its kind, its middle and its size in paces, with difficult before
// the kind of a steep hill; or a map as in a scenario file. One that is given by its size has the corners and the
// crest of a piece of that size (HFG-4.11, HFG-R19).
func (x *fieldStage) area(id, n *orders.Node) *orders.Node {
	if n.Kind == orders.Map {
		return whole(id, n)
	}
	one, items := orders.Inline().Set("id", orders.Text(id.Text)), x.List(n)
	var by [4]int
	for i := range by {
		if len(items) != len(by)+1 {
			x.RefuseWith(n, "HFG-1.12", phrase.Say("hfg.given-area"), phrase.Say("hfg.given-area-write"))
			return one
		}
		by[i], _ = x.Int(items[i+1], 1, mostWide)
	}
	word, _ := x.Text(items[0])
	kind, steep := strings.CutPrefix(word, slopeWords[difficult]+" ")
	p := terrainPiece{Kind: woodPiece, Size: []int{max(by[2], 2), max(by[3], 2)}}
	if kind == groundWords[bua] || kind == groundWords[strongPoint] || kind == groundWords[waterway] {
		p.Kind = buaPiece
	}
	w := siting{At: place{X: int64(by[0]) * pace, Y: int64(by[1]) * pace}}
	one.Set("kind", orders.Text(kind)).Set("outline", pointsNode(w.at(p.own())))
	if kind == groundWords[hill] {
		if steep {
			p.Slope = difficult
			one.Set("slope", orders.Text(slopeWords[difficult]))
		}
		crest, plateau := p.crestOf()
		one.Set("crest", pointsNode(w.at(crest))).Set("even", orders.Text("true"))
		if plateau {
			one.Set("plateau", orders.Text("true"))
		}
	}
	return one
}

// pointsNode writes points.
func pointsNode(all []point) *orders.Node {
	n := orders.Items()
	for _, p := range all {
		n.Add(scale.WritePoint(p))
	}
	return n
}

// line reads a line: [stream 100, [0, 3000], [12000, 3000]], its kind, of water with its width, and its points; good
// before the kind of a paved road; or a map as in a scenario file.
func (x *fieldStage) line(id, n *orders.Node) *orders.Node {
	if n.Kind == orders.Map {
		return whole(id, n)
	}
	one, items := orders.Inline().Set("id", orders.Text(id.Text)), x.List(n)
	if len(items) < 3 {
		x.RefuseWith(n, "HFG-1.12", phrase.Say("hfg.given-line"), phrase.Say("hfg.given-line-write"))
		return one
	}
	word, _ := x.Text(items[0])
	kind, good := strings.CutPrefix(word, "good ")
	kind, width, wet := strings.Cut(kind, " ")
	one.Set("kind", orders.Text(kind)).Set("path", orders.Items(items[1:]...))
	if good {
		one.Set("good", orders.Text("true"))
	}
	if wet {
		one.Set("width", orders.Text(width))
	}
	return one
}

// commands writes the commands: one of each side, and those that are given with their elements.
func (x *fieldStage) commands() *orders.Node {
	all, n := orders.Items(), x.given.Get("commands")
	own := orders.Items()
	if x.isMap(n, "wing") {
		for _, pair := range n.Pairs {
			one := orders.Inline().Set("id", orders.Text(pair.Key.Text))
			for _, key := range pair.Value.Pairs {
				if key.Key.Text != "elements" {
					one.Pairs = append(one.Pairs, key)
					continue
				}
				for _, item := range x.List(key.Value) {
					x.command[item.Text] = pair.Key.Text
				}
			}
			own.Add(cases.Made(one, pair.Value))
		}
	}
	for _, usual := range [][2]string{{"reds", "red"}, {"blues", "blue"}} {
		if n == nil || n.Get(usual[0]) == nil {
			all.Add(orders.Inline().Set("id", orders.Text(usual[0])).Set("side", orders.Text(usual[1])).Set("rank", orders.Text(rankWords[chief])))
		}
	}
	return all.Add(own.Items...)
}

// piece reads an element: its grades and its type, and where it stands, or what it holds, or nothing if it is due.
func (x *fieldStage) piece(id, n *orders.Node) {
	items := x.List(n)
	if len(items) == 0 || len(items) == 3 || len(items) > 4 {
		x.RefuseWith(n, "HFG-1.3", phrase.Say("hfg.given-element"), phrase.Say("hfg.given-element-write"))
		return
	}
	word, _ := x.Text(items[0])
	words := strings.Fields(word)
	if len(words) == 0 {
		words = []string{""}
	}
	grades, kind := words[:len(words)-1], words[len(words)-1]
	one := orders.Inline().Set("id", orders.Text(id.Text)).Set("command", orders.Text(x.commandOf(id.Text))).Set("type", orders.Text(kind))
	if len(grades) > 0 {
		one.Set("grades", orders.Texts(grades...))
	}
	switch len(items) {
	case 2:
		one.Set("holds", items[1])
	case 4:
		at := orders.Items(items[1:3]...)
		at.Flow = true
		one.Set("at", at).Set("facing", items[3])
	}
	if i := slices.Index(troopWords(), kind); i > 0 && troops[i].class == staff || slices.Contains(grades, gradeWords[flagship]) {
		x.led[x.commandOf(id.Text)] = true
	}
	x.elements.Add(cases.Made(one, n))
}

// commandOf is the command of an element.
func (x *fieldStage) commandOf(id string) string {
	switch {
	case x.command[id] != "":
		return x.command[id]
	case strings.HasPrefix(id, "r"):
		return "reds"
	}
	return "blues"
}

// generals gives a side that has none a Command Party in its corner: red in the south-west, blue in the north-east.
func (x *fieldStage) generals(field, size *orders.Node) {
	far, ok := scale.ReadPoint(x.Reader, size)
	if !ok {
		return
	}
	corner := point{X: cornerFar * pace, Y: cornerFar * pace}
	for _, one := range []struct {
		id, command string
		at          point
	}{{"r0", "reds", corner}, {"b0", "blues", point{X: far.X - corner.X, Y: far.Y - corner.Y}}} {
		if !x.led[one.command] {
			x.elements.Add(cases.Made(orders.Inline().Set("id", orders.Text(one.id)).Set("command", orders.Text(one.command)).
				Set("type", orders.Text(troops[commandParty].word)).Set("at", scale.WritePoint(one.at)).Set("facing", orders.Number(0)), field))
		}
	}
}

// stagedArmies lays out the ground on which the two armies of a pair are drawn up: it gives the position in which
// both write their plans, red attacking from the south, blue with preparations of every kind bought. Pieces are
// elements in addition, of the commander-in-chief's own command: {blue-pon-1: [pontoneers]}. Of a campaign it gives the
// first dawn, with the forces where the field says: {forces: {red-cavalry: bridgend}}.
func stagedArmies(r *orders.Reader, field, pieces *orders.Node, setup engine.Setup) *orders.Node {
	x := &fieldStage{Reader: r, given: r.Fields(field, fieldKeys...), command: map[string]string{}, led: map[string]bool{}, elements: orders.Items()}
	g, ok := drawnUp(setup)
	if ok && g.Prepare.Step == marching {
		x.marches(g)
	}
	if !ok || len(r.Problems) > 0 {
		return nil // the run of the case will tell what is wrong with the set-up
	}
	ground := orders.Mapping()
	x.ground(ground)
	s := g.setting.codec().Write(g.setting)
	for i := range s.Pairs {
		if key := s.Pairs[i].Key.Text; ground.Get(key) != nil && x.given.Get(key) != nil {
			s.Pairs[i].Value = ground.Get(key)
		}
	}
	for _, key := range []string{"areas", "lines", "bridges"} {
		if s.Get(key) == nil {
			play.Put(s, key, ground.Get(key))
		}
	}
	made := orders.Mapping()
	g.node(made)
	over := orders.Mapping()
	for _, pair := range made.Pairs {
		switch pair.Key.Text {
		case "ruleset", "scenario", "options":
		case "setting":
			over.Set("setting", s)
		default:
			over.Set(pair.Key.Text, pair.Value)
		}
	}
	if x.isMap(pieces, "blue-pon-1") {
		for _, pair := range pieces.Pairs {
			x.piece(pair.Key, pair.Value)
		}
		for _, one := range x.elements.Items {
			of := first
			if !strings.HasPrefix(one.Get("id").Text, "r") {
				of = second
			}
			for c := range g.commands {
				if d := &g.commands[c]; d.side == of && d.rank == chief {
					one.Get("command").Text = d.id
				}
			}
			s.Get("elements").Add(one)
			over.Get("elements").Set(one.Get("id").Text, orders.Inline().Set("fate", orders.Text(fateWords[due])))
		}
	}
	return cases.Made(over, field)
}

// marches puts the forces of a campaign where a case says.
func (x *fieldStage) marches(g *game) {
	n, c := x.given.Get("forces"), g.onMap()
	if !x.isMap(n, "red-cavalry") {
		return
	}
	var names []orders.Choice
	for i := range c.Forces {
		names = append(names, orders.Choice{ID: c.Forces[i].ID})
	}
	for _, pair := range n.Pairs {
		id, ok := x.Pick(pair.Key, "command", names)
		node := readNode(x.Reader, c, pair.Value)
		if i, found := c.Force(id); ok && found && node != 0 {
			g.Prepare.Map.Stands[i].At = node
		}
	}
	g.Prepare.Map.Look(c.Forces)
}

// drawnUp is a game of two armies whose lists are those of its pair, at the stop plan.
func drawnUp(setup engine.Setup) (*game, bool) {
	rules := New()
	p, err := rules.New(setup)
	if err != nil {
		return nil, false
	}
	dice := &engine.FixedDice{Results: []int{6, 1, 6, 2, 6, 3}} // roles are set below
	for range 2 {
		answers := map[engine.Side]engine.Answer{}
		for _, d := range p.Owed() {
			answers[d.Side] = rules.Default(p.View(d.Side), d)
		}
		if _, err := p.Advance(answers, dice); err != nil {
			return nil, false
		}
		if p.(*game).Prepare.Step != listing {
			break
		}
	}
	g := p.(*game)
	if g.Prepare.Step == marching {
		return g, true
	}
	if g.Prepare.Step != grounding {
		return nil, false
	}
	s := *g.setting
	s.sides = []sideDef{{id: s.sides[0].id, role: attacker, base: south}, {id: s.sides[1].id, role: defender, base: north}}
	s.areas, s.lines, s.bridges = nil, nil, nil
	s.complete()
	g.setting = &s
	g.Prepare.Step, g.Prepare.Feature[second] = planning, dieSides
	g.Prepare.Buys[second] = wares{Defending: []ware{{buysStrongPoint, 3}, {buysRedoubt, 3}, {buysEntrenchment, 2}, {buysBarricade, 6}, {buysConcealed, 3}, {buysMinefield, 1}}}
	g.Prepare.Buys[first] = wares{Attacking: []ware{{buysConcealed, 2}}}
	g.owed = g.asks()
	return g, true
}
