package hfg

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
)

// What stands in the templates of the stops before the first turn: what the deadline does, examples that
// are legal there and then, and how all of it may be written.

// A primer is what the template of such a stop tells.
type primer struct {
	// remarks stand above the examples, legend below them.
	remarks, legend []string
	// examples are answers that are worth showing: of each row the first that is legal.
	examples [][]string
	// items are items of the list under the key grows that are worth showing, where the template is the
	// default itself, since that has no room on one line.
	grows string
	items []string
}

// mostExamples is how many examples such a template shows.
const mostExamples = 6

// note makes a template of the default and a primer; legal judges an answer.
func (p *primer) note(n *orders.Node, legal func(*orders.Node) bool) {
	j := &play.Jotter{Words: vocabulary}
	for _, text := range p.remarks {
		j.Say(text)
	}
	usual := bare(n)
	if j.Wide("- "+usual) > play.Widest {
		p.stands(n, j, legal)
		return
	}
	j.Show(usual, "default")
	shown := 0
	for _, row := range p.examples {
		if shown < mostExamples && slices.ContainsFunc(row, func(text string) bool {
			return text != usual && legal(parsed(text)) && j.Show(text, "")
		}) {
			shown++
		}
	}
	lines := j.Lines()
	j = &play.Jotter{Words: vocabulary}
	for _, text := range p.legend {
		j.Say(text)
	}
	*n = orders.Node{Kind: orders.List, Spare: append(lines, j.Lines()...), Items: []*orders.Node{orders.Text("end")}}
}

// stands makes a template that shows the default as it would be written, to be changed in place, with what
// might be added.
func (p *primer) stands(n *orders.Node, j *play.Jotter, legal func(*orders.Node) bool) {
	for _, text := range p.legend {
		j.Say(text)
	}
	for _, text := range slices.Concat(p.examples...) {
		one := parsed(text)
		if one == nil || n.Get(one.Pairs[0].Key.Text) != nil {
			continue
		}
		with := *n
		with.Pairs = append(slices.Clone(n.Pairs), one.Pairs...)
		if legal(&with) && j.Wide(text) <= play.Widest {
			n.Spare = append(n.Spare, text)
		}
	}
	list := n.Get(p.grows)
	for _, text := range p.items {
		one := parsed("a: " + text)
		if list == nil || one == nil || len(list.Spare) == mostExamples {
			break
		}
		with, grown := *n, *list
		grown.Items = append(slices.Clone(list.Items), one.Pairs[0].Value)
		with.Pairs = slices.Clone(n.Pairs)
		for i := range with.Pairs {
			if with.Pairs[i].Value == list {
				with.Pairs[i].Value = &grown
			}
		}
		if legal(&with) && j.Wide("- "+text) <= play.Widest {
			list.Spare, list.Flow = append(list.Spare, "- "+text), false
		}
	}
	n.Above = j.Remarks()
}

// bare is an answer on one line: a map of one key needs no brackets.
func bare(n *orders.Node) string {
	text := n.OneLine()
	if n.Kind == orders.Map && len(n.Pairs) == 1 {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	}
	return text
}

// parsed is an answer that stands on one line; nil if it can't be read.
func parsed(text string) *orders.Node {
	n, faults := orders.ParseNode([]byte(text))
	if len(faults) > 0 || n.Kind != orders.Map || len(n.Pairs) == 0 {
		return nil
	}
	return n
}

var facingLegend = "facing: 0-359 | " + strings.Join(facings, " | ")

// listPrimer tells which preparations a side may buy, and how an army of its own is written (HFG-S1).
func listPrimer(g *game, of side) *primer {
	l := g.stock(of)
	var types, bought []string
	for _, c := range troopChoices {
		types = append(types, c.ID)
	}
	for _, w := range provisionWords[1:] {
		bought = append(bought, "{"+w+": 1}")
	}
	return &primer{
		remarks: []string{orders.Tongues("preparations: ", "preparazioni: ") + wordsOf(l.permits) + "; " + orders.Number(g.points-book().price(l.army)).Text + orders.Tongues(" points", " punti")},
		legend: []string{
			"defending | attacking: none | [" + strings.Join(bought, " | ") + "]",
			orders.Tongues("of your own: ", "tua: ") + "list: own, year: 1863, nation: a | native: yes, commands: [{id: a | name: b, kind: " + strings.Join(rankWords[1:], " | ") +
				", general: b, under: c, aggression: 1, elements: [d, e]}], elements: {d: bayonets | {minie: [elite]}}",
			"elements: " + strings.Join(types, " | "),
			"elements: " + strings.Join(gradeWords[1:], " | "),
		},
		examples: [][]string{{"year: " + strconv.Itoa(g.year)}},
	}
}

// terrainPrimer tells how the ground is ordered (HFG-S2).
func terrainPrimer(g *game, of side) *primer {
	p := &primer{grows: "pieces"}
	for k := pieceKind(1); k < pieceKindsEnd; k++ {
		x := terrainPiece{Kind: k, By: of, Any: true}
		if k.area() {
			x.Size = []int{pieceDefs[k].least}
			if k != buaPiece {
				x.Size = append(x.Size, pieceDefs[k].least)
			}
		} else if k == waterwayPiece || k == riverPiece {
			x.Size = []int{pieceDefs[k].least}
		}
		text := x.write().OneLine()
		p.examples, p.items = append(p.examples, []string{"pieces: [" + text + "]"}), append(p.items, text)
	}
	limit := limitOf(g.size)
	p.remarks = []string{orders.Tongues("pieces: ", "pezzi: ") + strconv.Itoa(limit.least) + "-" + strconv.Itoa(limit.most)}
	if g.role(of) == attacker {
		p.remarks = []string{orders.Tongues("pieces: ", "pezzi: ") + "0-" + strconv.Itoa(attackerLays)}
	}
	p.legend = []string{"kind: " + strings.Join(pieceWords[1:], " | "),
		"size: [1500, 900] | outline: [[0, 0], [900, 0], ..], slope: " + strings.Join(slopeWords, " | "),
		"road: good: yes | bridges: yes; waterway: reach: 600 | upstream: [0, 3000]; river: width: 100 | upstream: first | last",
		"where: first-legal | {w: {at: [2500, 3000], facing: 90} | rest: first-legal}",
		"where: {w-e: {from: [0, 3000] | to: [6000, 3000] | bends: [[3000, 3500]]}}",
		facingLegend}
	return p
}

// placePrimer tells which piece is to be placed, and where its dice have put it (HFG-S3).
func placePrimer(g *game, _ side) *primer {
	x := &g.Prepare.Pieces[0]
	id, words := g.plot().nextID(x.Kind), ""
	for _, s := range g.Prepare.Dice {
		words += " " + s.String()
	}
	p := &primer{remarks: []string{id + ":" + words}, legend: []string{
		"place: first-legal | " + id, "at: [3000, 4000], " + facingLegend, "from: [0, 3000] | to: [6000, 3000] | bends: [[3000, 3500]]"}}
	if x.Kind == streamPiece {
		p.legend = append(p.legend, "width: 300 | upstream: first | last")
	}
	if w, ok := g.plot().first(x, g.dry()); ok {
		p.examples = append(p.examples, []string{"{place: " + id + ", " + strings.TrimPrefix(writeSiting(w).OneLine(), "{")})
	}
	var others []string
	for y := int64(1); y < 6; y++ {
		for x := int64(1); x < 12; x++ {
			at := scale.WritePoint(point{X: g.size.X * x / 12 / placeStep * placeStep, Y: g.size.Y * y / 6 / placeStep * placeStep}).OneLine()
			others = append(others, "{place: "+id+", at: "+at+"}")
		}
	}
	p.examples = append(p.examples, others)
	return p
}

// edgePrimer names the edges (HFG-S4).
func edgePrimer(*game, side) *primer {
	return &primer{examples: [][]string{{"edge: north"}}}
}

// mapPrimer tells of each force where it stands, how far it may march, and which nodes are beside it
// (HFG-S15).
func mapPrimer(g *game, of side) *primer {
	c, p := g.onMap(), &primer{}
	for _, i := range g.forcesOf(of) {
		s, rate := c.Stands[i], c.RateOf(i)
		id := g.short(g.setting.commands[i].id, of)
		text := id + ": " + c.Def(s.At).ID + ", " + strconv.Itoa(rate.Period) + " / " + strconv.Itoa(rate.Day) + ";"
		var marches, works []string
		for _, at := range c.Beside(s.At) {
			node := c.Def(at).ID
			text += " " + node
			marches = append(marches, id+": {morning: ["+node+"], avoid: yes}")
			works = append(works, id+": {morning: {demolish: "+node+"}}", id+": {morning: {build: "+node+"}}")
		}
		p.remarks = append(p.remarks, text)
		p.examples = append(p.examples, marches, works, []string{id + ": {night: entrench}"})
	}
	p.remarks = append([]string{orders.Tongues("where each stands, stages a period / a day; places beside it", "dove sta ciascuno, tappe per periodo / al giorno; luoghi vicini")}, p.remarks...)
	p.legend = []string{"morning | afternoon | night: rest | entrench | redoubt | [node, node] | {demolish | repair | build: node}, avoid: yes"}
	return p
}

// nightPrimer names where a side may go out of the enemy's way (HFG-S16).
func nightPrimer(g *game, of side) *primer {
	c, p := g.onMap(), &primer{legend: []string{"battle: stay | avoid, towards: node"}}
	for _, to := range c.Refuges(c.Met, int(of)-1) {
		p.examples = append(p.examples, []string{"{battle: avoid, towards: " + c.Def(to).ID + "}"})
	}
	p.examples = append(p.examples, []string{"battle: stay"})
	return p
}

// deployPrimer tells where a side may draw up, and what it has bought (HFG-S5, HFG-S6).
func deployPrimer(at step) func(g *game, of side) *primer {
	return func(g *game, of side) *primer {
		p, words := &primer{}, deployWords(g.role(of), at)
		var mine []string
		for e := elementID(1); int(e) < len(g.Elements); e++ {
			if g.def(e).side == of && g.def(e).troop != spGarrison {
				mine = append(mine, g.short(g.def(e).id, of))
			}
		}
		if slices.Contains(words, "deploy") {
			p.posts(g, of, mine)
		}
		p.latecomers(g, of)
		if slices.Contains(words, "commands") {
			p.legend = append(p.legend, "commands: {a: [b, c] | d: {elements: [e]}}")
		}
		if slices.Contains(words, "deploy") {
			p.legend = append(p.legend, "deploy | concealed: line | [{element: a, at: [5000, 700]} | {line: [a, b], left: [5400, 700]} | {column: [a], road: r, head: 400} | {garrison: a, in: b} | {element: a, behind: b}]", facingLegend)
		}
		if slices.Contains(words, "works") {
			p.legend = append(p.legend, "works: [{redoubt | strong-point | naval-minefield: a, at: [6000, 3800], facing: s, holds: b | size: 250 | command: c}"+
				" | {entrenchment | barricade | elf: a, from: [6400, 3800], to: [7200, 3800], on: stream-1} | {pontoon: a, over: river-1, at: [5000, 2000]}]")
		}
		if slices.Contains(words, "delayed") {
			p.legend = append(p.legend, "delayed: [{command: a, by: road-1, edge: n | e | s | w}]")
		}
		return p
	}
}

// posts are places for the first elements of a side, alone, in line, on a road, in a town.
func (p *primer) posts(g *game, of side, mine []string) {
	z, facing := g.zoneOf(of, false), g.toEnemy(of)
	text := func(x, y int64) string {
		return scale.WritePoint(point{X: x / pace * pace, Y: y / pace * pace}).OneLine()
	}
	p.remarks = append(p.remarks, orders.Tongues("you draw up between ", "ti schieri tra ")+text(z.lo.X, z.lo.Y)+orders.Tongues(" and ", " e ")+text(z.hi.X, z.hi.Y))
	if len(mine) < 2 {
		return
	}
	var alone, lines, garrisons, columns []string
	for _, way := range []int64{4, 6, 2, 5, 3} { // eighths of the zone
		for _, deep := range []int64{6, 8, 3} {
			at := text(z.lo.X+(z.hi.X-z.lo.X)*way/8, z.lo.Y+(z.hi.Y-z.lo.Y)*deep/8)
			alone = append(alone, "deploy: [{element: "+mine[0]+", at: "+at+", facing: "+strconv.Itoa(facing)+"}]", "deploy: [{element: "+mine[0]+", at: "+at+"}]")
			lines = append(lines, "deploy: [{line: ["+mine[0]+", "+mine[1]+"], left: "+at+"}]")
		}
	}
	for i := range g.areas {
		if a := &g.areas[i]; a.square() {
			garrisons = append(garrisons, "deploy: [{garrison: "+mine[len(mine)-1]+", in: "+a.id+"}]")
		}
	}
	for i := range g.lines {
		if l := &g.lines[i]; l.kind == road {
			for _, head := range []int{800, 4500} {
				columns = append(columns, "deploy: [{column: ["+mine[0]+"], road: "+l.id+", head: "+strconv.Itoa(head)+"}]")
			}
		}
	}
	p.examples = append(p.examples, alone, lines, columns, garrisons)
}

// latecomers are commands that come on later, each by a road (HFG-6.13).
func (p *primer) latecomers(g *game, of side) {
	for c := range g.setting.commands {
		var ways []string
		for i := range g.lines {
			if d := &g.setting.commands[c]; d.side == of && g.lines[i].kind == road && d.rank != chief {
				for _, w := range edgeWords[1:] {
					ways = append(ways, "delayed: [{command: "+g.short(d.id, of)+", by: "+g.lines[i].id+", edge: "+w+"}]")
				}
			}
		}
		p.examples = append(p.examples, ways)
	}
}
