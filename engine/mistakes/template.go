package mistakes

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/geometry"
	"berthier/engine/play"
	"berthier/orders"
)

// What stands in the templates of the stops at which most is written: a line for each formation
// that says what it can do, and examples, each of which is legal by itself.

var (
	fireLegend   = orders.Tongues("guns: targets with the known modifiers, and who may support", "pezzi: bersagli con i modificatori noti, e chi può dare supporto")
	pointsLegend = orders.Tongues("command points (CP), generated + markers: ", "punti comando (PC), generati + marcatori: ")
	bidLegend    = orders.Tongues("markers given up: who bids most acts first, and gains 2", "marcatori ceduti: chi punta di più è primo, e ne ottiene 2")
	startLegend  = orders.Tongues("where rest: default puts whom you don't name", "dove resto: predefinito mette chi non nomini")
	angleLegend  = "limbered: [29] | heading: 0-359 | n | ne | e | se | s | sw | w | nw"
	placeLegend  = "redeploy: new | back | forward | left | right 20, behind | front-of 14, beside 14 left, turn: right 90, n | ne | e | se | s | sw | w | nw"
	splitLegend  = "split: b-Foy, part: [30], as: b-Foy-2, set-in-motion: part | b-Foy"
	turnLegend   = "heading: 0-359 | n | ne | e | se | s | sw | w | nw | auto, wheel: left | right 30"
	elseLegend   = "else: hold | advance | withdraw | charge, as-far-as: aoe | level-with: red-7 | towards: haye-sainte, part: [13] | as | mm: 30"
	moveLegend   = orders.Tongues("width, segments; how far straight ahead and what ends it; charges, with turn and mm, and what headings serve; bearings",
		"ampiezza, segmenti; quanto avanti e che cosa ferma; cariche, con giro e mm, e che direzioni servono; direzioni")
)

// noteFire lists of each gun whom it may fire at, and shows the best.
func noteFire(x *draft[*salvo], n *orders.Node) {
	w, s := x.Blank().World, &play.Jotter{Words: vocabulary}
	s.Say(fireLegend)
	for _, gun := range w.guns() {
		all, best, most := []string{x.View.unitText(gun) + ":"}, volley{}, -9
		for _, target := range w.targets(gun) {
			bonus, with := sum(w.board.fireModifiers(gun, target, 0)), ""
			if help := w.helpers(gun, target); len(help) > 0 {
				with = " (support " + x.View.unitsText(help) + ")"
			}
			all = append(all, x.View.unitText(target)+" "+play.Signed(bonus)+with)
			if bonus > most {
				best, most = volley{gun: gun, target: target}, bonus
			}
		}
		if best.gun == 0 {
			continue
		}
		s.Say(append([]string{all[0] + " " + all[1]}, all[2:]...)...)
		if help := w.helpers(best.gun, best.target); len(help) > 0 {
			best.support = setOf(help)
		}
		name := x.View.def(best.gun).name
		s.Show(volleys.Write(x.View, best).OneLine(), orders.Tongues(called(name, "en"), called(name, "it")))
	}
	*n = s.Node()
}

// noteGrants tells how many markers there are to give.
func noteGrants(x *draft[*staff], n *orders.Node) {
	var all []string
	for l := leaderID(1); int(l) < len(x.View.Leaders); l++ {
		if d := x.View.lead(l); d.role == commander && slices.Contains(x.View.acting(), d.army) && x.View.inField(l) {
			all = append(all, orders.Tongues("markers of ", "marcatori di ")+d.id+": "+strconv.Itoa(x.View.Leaders[l].Markers)+
				orders.Tongues(", at most "+strconv.Itoa(assignMost)+" for each leader", ", al massimo "+strconv.Itoa(assignMost)+" a ciascuno"))
		}
	}
	n.Above = strings.Join(all, "\n")
}

// noteGuns names the guns that may unlimber.
func noteGuns(x *draft[*duel[[]unitID]], n *orders.Node) {
	var all []string
	for _, u := range x.View.unlimbering(x.View.acting()) {
		name := x.View.def(u).name
		all = append(all, x.View.unitText(u)+" "+orders.Tongues(called(name, "en"), called(name, "it")))
	}
	n.Above = strings.Join(all, "\n")
}

// noteOrders lists who may order how much, and shows each order that may be given first, with its
// price: of those by which a formation changes one will do.
func noteOrders(x *draft[*ordered], n *orders.Node) {
	blank, s := x.Blank(), &play.Jotter{Words: vocabulary}
	w := blank.World
	var have []string
	for l := leaderID(1); int(l) < len(w.game.Leaders); l++ {
		if !slices.Contains(w.armies, w.game.lead(l).army) || !w.game.inField(l) {
			continue
		}
		if generated, markers := w.game.points(l, &formation{}); generated+markers > 0 {
			have = append(have, w.game.lead(l).id+" "+strconv.Itoa(generated)+" + "+strconv.Itoa(markers))
		}
	}
	shown, prices := map[verb]bool{}, pricesOf{}
	for _, o := range play.Offers[order](blank, "") {
		if o.does > rallies {
			prices.add(o, w.game.price(w.game.formationNamed(o.of), o))
			if shown[o.does] {
				continue
			}
		}
		price := ""
		if o.does != joins {
			price = strconv.Itoa(w.game.price(w.game.formationNamed(o.of), o)) + orders.Tongues(" CP", " PC")
		}
		s.Show(orderTexts.Write(x.View, o).OneLine(), price)
		if !shown[o.does] && o.does != joins {
			if o.keep = true; w.fault(o) == nil {
				s.Show(orderTexts.Write(x.View, o).OneLine(), "")
			}
		}
		shown[o.does] = true
	}
	for _, one := range prices {
		s.Say(append([]string{verbWords[one.does] + " " + strconv.Itoa(one.price) + orders.Tongues(" CP: ", " PC: ") + one.ids[0]}, one.ids[1:]...)...)
	}
	s.Say(splitLegend)
	if shown[redeploys] {
		s.Say(strings.Split(placeLegend, ", ")...)
	}
	*n = s.Node()
	if len(have) > 0 {
		head := &play.Jotter{Words: vocabulary}
		head.Say(append([]string{orders.HeadingMark + pointsLegend + have[0]}, have[1:]...)...)
		n.Spare = append(head.Lines(), n.Spare...)
	}
}

// pricesOf are what orders cost of which the template shows one alone, each with the formations that may have it.
type pricesOf []priced

// A priced is one of them.
type priced struct {
	does  verb
	price int
	ids   []string
}

// add notes what an order costs; of a formation that several leaders command the first counts.
func (all *pricesOf) add(o order, price int) {
	for _, one := range *all {
		if one.does == o.does && slices.Contains(one.ids, o.of) {
			return
		}
	}
	i := slices.IndexFunc(*all, func(one priced) bool { return one.does == o.does && one.price == price })
	if i < 0 {
		i = len(*all)
		*all = append(*all, priced{does: o.does, price: price})
	}
	(*all)[i].ids = append((*all)[i].ids, o.of)
}

// noteMoves lists of each formation that may make a manoeuvre what it can do, and shows one for it; of
// the first one each way to say a manoeuvre.
func noteMoves(x *draft[*moving], n *orders.Node) {
	w, s := x.Blank().World, &play.Jotter{Words: vocabulary}
	ready := w.ready()
	if len(ready) > 0 {
		s.Say(moveLegend)
	}
	for _, id := range ready {
		units := w.board.formationNamed(id).Units
		s.Say(w.board.reachOf(x.View, w.tried, id, units)...)
		m := move{Of: id, First: step{Does: advancing}}
		for _, one := range w.tried.preys(w.board, units) {
			s.Show(moveTexts.Write(x.View, move{Of: id, First: step{Does: charging, Prey: one.prey}}).OneLine(), "")
		}
		if offers := w.charges(id); len(offers) > 0 {
			m.First, m.Else = step{Does: charging, Target: offers[0].target}, step{Does: advancing}
		}
		if w.can(m) {
			s.Show(moveTexts.Write(x.View, m).OneLine(), "")
		}
	}
	s.Say(strings.Split(turnLegend, ", ")...)
	s.Say(strings.Split(elseLegend, ", ")...)
	for _, m := range w.ways(ready) {
		if w.can(m) {
			s.Show(moveTexts.Write(x.View, m).OneLine(), "")
		}
	}
	*n = s.Node()
}

// reachOf says what units of a formation can do: their width and factor, how far they get straight ahead and what
// ends that, whom they may charge with which headings, and the bearings of what lies within four segments.
func (g *game) reachOf(v *View, t *trials, id string, units []unitID) []string {
	parts := []string{id + ": " + orders.Tongues("width", "ampiezza") + " " + strconv.Itoa(g.width(units)), "segments " + strconv.Itoa(g.advanceFactor(units)),
		orders.Tongues("straight", "dritto") + " " + g.straightOn(v, units)}
	for _, one := range append(slices.Clone(t.charges(g, units)), t.preys(g, units)...) {
		whom, turn := "", ""
		if one.prey != 0 {
			whom = v.lead(one.prey).id
		} else {
			whom = v.unitText(one.target)
		}
		if one.least != 0 {
			turn = " " + wheelText(one.least)
		}
		parts = append(parts, "charge "+whom+turn+" "+millimetres(one.far)+" mm (heading "+g.headings(units, one.turns)+")")
	}
	from, near := geometry.Point(g.Units[units[0]].At), bearingReach*int64(g.segment())
	word := "towards "
	for _, to := range g.steers() {
		by := &step{To: to}
		at := g.steersBy(by)
		if u := g.steerUnit(by); u != 0 && !g.enemies(units[0], u) || geometry.Dist2(from, at) > near*near {
			continue
		}
		parts = append(parts, word+v.steerNode(by).Text+" "+strconv.Itoa(int(bearing(from, at))))
		word = ""
	}
	return parts
}

// headings writes turns as the headings that they lead to: 350..20 | 33.
func (g *game) headings(units []unitID, turns []geometry.Span) string {
	var all []string
	to := func(turn int64) string {
		return strconv.Itoa(int(geometry.Heading(g.Units[units[0]].Heading).Plus(int(turn))))
	}
	for _, s := range turns {
		if s.Low == s.High {
			all = append(all, to(s.Low))
		} else {
			all = append(all, to(s.Low)+".."+to(s.High))
		}
	}
	return strings.Join(all, " | ")
}

// bearingReach is how many segments off a place is of which a template tells the bearing.
const bearingReach = 4

// millimetres are whole ones, cut.
func millimetres(um int64) string { return strconv.FormatInt(um/ringStep, 10) }

// straightOn is how far units get straight ahead, and what ends it: 69 (crop-rye).
func (g *game) straightOn(v *View, units []unitID) string {
	c, ok := g.hitched(units)
	if !ok {
		return "0 (" + orders.Tongues("limber", "traino") + ")"
	}
	s := c.prepare(&manoeuvre{Units: units, Does: advancing, Far: asFarAsItGoes})
	o := s.run()
	text := millimetres(o.far)
	if by := s.ender(v, o); by != "" {
		text += " (" + by + ")"
	}
	return text
}

// ender names what ends a manoeuvre; "" for its factor.
func (s *search) ender(v *View, o outcome) string {
	switch {
	case o.why == byArea:
		return "aoe " + v.unitText(o.by)
	case o.by != 0:
		return v.unitText(o.by)
	case o.why == byTerrain:
		return strings.Join(s.way.obstacles(o.far), " ")
	case o.why == byEdge:
		return orders.Tongues("edge", "bordo")
	case o.why == byLimit:
		return orders.Tongues("limit", "limite")
	}
	return ""
}

// The terrain that ends a way, in words; towns and bridges have names.
var (
	groundTongues = [...]string{wood: orders.Tongues("wood", "bosco"), crops: orders.Tongues("crops", "campi"), town: ""}
	trackTongues  = [...]string{sunkenRoad: orders.Tongues("sunken road", "strada incassata"), stream: orders.Tongues("stream", "torrente")}
)

// obstacles name what terrain ends a way.
func (m *march) obstacles(far int64) []string {
	var all []string
	for _, l := range m.ends(far) {
		id := ""
		switch {
		case l.area != 0:
			id = groundTongues[m.g.area(l.area).kind]
			if id == "" {
				id = m.g.area(l.area).id
			}
		case l.line != 0:
			id = trackTongues[m.g.lines[l.line-1].kind]
		default:
			id = m.g.bridges[l.bridge-1].id
		}
		all = append(all, id)
	}
	return all
}

// ways are manoeuvres of the first formations, one for each way to say one.
func (w *moving) ways(ready []string) []move {
	var all []move
	for _, id := range ready[:min(len(ready), 2)] {
		f := w.board.formationNamed(id)
		name, level := "", unitID(0)
		if e := w.board.nearestTo(f.Units[0]); e != 0 {
			name, level = w.board.def(e).id, e
		}
		add := func(first step) { all = append(all, move{Of: id, First: first}) }
		add(step{Does: withdrawing})
		add(step{Does: advancing, Turns: byWheel, Turn: 20, Segments: 1})
		add(step{Does: advancing, Turns: byHeading, Turn: w.board.Units[f.Units[0]].Heading, Far: length(w.board.segment())})
		if name != "" {
			all = append(all, move{Of: id, First: step{Does: advancing, Turns: byTarget, To: name, Area: true}, Else: step{Does: withdrawing}})
			add(step{Does: advancing, Level: level})
		}
		for _, u := range f.Units {
			if part := []unitID{u}; len(f.Units) > 1 && w.board.splitFault(f, part) == nil {
				all = append(all, move{Of: id, Part: setOf(part), As: w.board.freeID(id), First: step{Does: advancing, Segments: 1}})
				break
			}
		}
	}
	return all
}

// noteReactions tells what has been declared, what each formation can do that may act before it and what that
// costs, and adds how a manoeuvre and a redeployment may be said.
func noteReactions(x *draft[*reacting], n *orders.Node) {
	s := &play.Jotter{Words: vocabulary}
	s.Say(x.View.declaration()...)
	for i := range x.View.Formations {
		if f := &x.View.Formations[i]; x.World.asks(f) {
			if units, price := x.View.actsFor(f); len(units) > 0 {
				parts := x.View.reachOf(x.View, x.World.tried, f.ID, units)
				s.Say(append([]string{parts[0], strconv.Itoa(price) + orders.Tongues(" CP for ", " PC per ") + x.View.unitsText(units)}, parts[1:]...)...)
			}
		}
	}
	for _, legend := range []string{turnLegend, "segments 3, mm 30, as-far-as: aoe | level-with: red-7, towards: haye-sainte | charge", placeLegend, "new | units | pay | points: keep"} {
		s.Say(strings.Split(legend, ", ")...)
	}
	n.Above = s.Remarks()
}

// The words of stops of a combat that no example may show.
const (
	huntLegend    = "side-step: left | right, heading: auto | 0-359, target: red-7"
	reliefLegend  = "unit: 41 | heading: auto | 0-359"
	outcomeLegend = "keep: low | high | 1-6, level: minus | plus"
)

// legend is a note of one remark.
func legend[W any](text string) func(*draft[W], *orders.Node) {
	return func(_ *draft[W], n *orders.Node) { n.Above = text }
}

// besidesHunt are pursuits with all that may be said of them.
func besidesHunt(x *draft[*duel[hunt]]) []string {
	var all []string
	show := func(h hunt) {
		if x.World.huntFault(h) == nil {
			all = append(all, huntTexts.Write(x.View, h).OneLine())
		}
	}
	for _, of := range x.View.Combat.Chase.Left {
		h := hunt{kind: of, target: 1, general: 1}
		show(h)
		h.heading = x.View.Units[x.View.pursuers(of)[0]].Heading + 1
		show(h)
		if h.heading = 0; of == cavalry {
			h.step = -1
			show(h)
			h.step = 1
			show(h)
			h.step = 0
		}
		if len(x.View.quarry(of)) > 0 {
			h.prey = x.View.pursued(&pursuit{Type: of}, x.View.reached)
			show(h)
		}
	}
	return all
}

// besidesRelief are reinforcements with all that may be said of them.
func besidesRelief(x *draft[*duel[relief]]) []string {
	var all []string
	for _, one := range x.View.reserved() {
		u := x.View.unitsIn(one.formation)[0]
		r := relief{formation: one.formation, unit: u, charge: one.target, heading: int(geometry.Heading(x.View.Units[u].Heading).Plus(one.least)) + 1}
		if x.View.reliefFault(x.View.reserved(), r) == nil {
			all = append(all, "reinforce: "+reliefTexts.Write(x.View, r).OneLine())
		}
	}
	return all
}

// besidesStaff has a leader attach himself, go and leave his unit, as far as he may.
func besidesStaff(x *draft[*staff]) []string {
	var all []string
	shown := map[deed]bool{}
	blank := x.Blank()
	for o := range blank.World.nextPosting {
		if o = postings.whole(blank.World, o); !shown[o.does] && blank.World.postingFault(o) == nil {
			shown[o.does] = true
			n := orders.Inline()
			if o.does == attaches {
				n.Set("attach", orders.Text(x.View.unitText(o.to)))
			} else {
				n.Set(deedWords[o.does], writePlace(o.at))
			}
			all = append(all, "leaders: {"+x.View.lead(o.leader).id+": "+n.OneLine()+"}")
		}
	}
	return all
}

// notePlaces lists where the deadline puts whom, and shows one formation and one leader who stand
// there.
func notePlaces(x *draft[*entrance], n *orders.Node) {
	s, g := &play.Jotter{Words: vocabulary}, x.World.filled()
	s.Say(startLegend)
	formation, leader := "", ""
	if one := x.Blank().World.whole(&drawnUp{base: "k", number: 1, heading: unsaid}); x.Blank().World.fault(one) == nil {
		formation = "formations: [" + x.View.drawnUpNode(one).OneLine() + "]"
	}
	for i := range g.Formations {
		f := &g.Formations[i]
		if !x.Blank().World.waits(f.Units[0]) {
			continue
		}
		parts := []string{f.ID + " " + strconv.Itoa(g.Units[f.Units[0]].Heading) + ":"}
		for _, u := range f.Units {
			parts = append(parts, x.View.unitText(u)+" "+writePlace(g.Units[u].At).OneLine())
		}
		s.Say(append([]string{parts[0] + " " + parts[1]}, parts[2:]...)...)
	}
	for _, l := range x.Blank().World.arriving() {
		if u := g.Leaders[l].Attached; u != 0 {
			s.Say(g.lead(l).id + ": " + x.View.unitText(u))
			leader = "leaders: {" + g.lead(l).id + ": {attach: " + x.View.unitText(u) + "}}"
		}
	}
	s.Say(angleLegend)
	n.Above = s.Remarks()
	for _, line := range []string{formation, leader} {
		if line != "" && s.Wide(line) <= play.Widest {
			n.Spare = append(n.Spare, line)
		}
	}
}
