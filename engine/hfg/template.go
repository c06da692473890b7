package hfg

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/play"
	"berthier/orders"
)

// What stands in the templates of the stops of a turn: command by command what each element and each
// group can do, with how far it gets, what that costs and what ends it, so that nobody needs a ruler
// (section 6 of the digest). Each line is an order by itself.

// How much a template tells of a command, in lines: one within reach of the enemy, and another.
const (
	nearLines = 16
	farLines  = 5
	inTouch   = 2000 // paces
)

// A report tells what the elements of a seat can do.
type report struct {
	*turnWorld
	jot *play.Jotter
	// left is how many more lines the command that is told of may have.
	left int
}

// noteTurn makes the template of the stop turn: first what the deadline does, then each command, the
// nearest to the enemy first, and how all of it may be written.
func noteTurn(x *draft[*turnWorld], n *orders.Node) {
	r := &report{x.Blank().World, &play.Jotter{Words: vocabulary}, 0}
	r.jot.Say(orders.HeadingMark+readingMoves[0], readingMoves[1])
	for _, part := range x.Of("moves") {
		r.jot.Show("moves: ["+moveTexts.Write(x.View, part.Value.(order)).OneLine()+"]", "default")
	}
	lines := r.jot.Lines()
	fresh := func() *play.Jotter {
		r.jot = &play.Jotter{Words: vocabulary}
		return r.jot
	}
	for _, c := range r.inReach() {
		fresh()
		r.tells(c)
		lines = append(lines, r.jot.Lines()...)
	}
	fresh()
	for _, o := range r.besides() {
		r.jot.Show(o[0], o[1])
	}
	lines = append(lines, r.jot.Lines()...)
	fresh()
	for _, text := range moveLegend {
		r.jot.Say(text)
	}
	r.jot.Say("dice: " + strings.Join(r.diceLegend(), ", "))
	noteCases(r.jot)
	*n = orders.Node{Kind: orders.List, Spare: append(lines, r.jot.Lines()...), Items: []*orders.Node{orders.Text("end")}}
}

// readingMoves says how the lines of a template are read.
var readingMoves = [...]string{orders.Tongues("behind a move: what it costs and what stops it", "dopo una mossa: quanto costa e che cosa la ferma"), readingTotals}

// readingTotals says how two totals are read.
var readingTotals = orders.Tongues("3:2 are your total and the enemy's before the dice", "3:2 sono il tuo totale e quello nemico prima dei dadi")

// moveLegend is how moves may be written: on each line kinds of moves, and behind them the keys that may stand beside each of those.
var moveLegend = []string{
	"element: a | group: [a, b] | group: left..right of a | column: [a, b], else: {forward: 200}",
	"to: [5000, 700] | K4+150+80 | front | left | right | rear of a | behind a 100 | beside a left 0 | road r 1450, via: [J4], stop-short: 300, facing: 0-359 | n | ne | e | se | s | sw | w | nw",
	"forward | back | left | right | advance: max | 200, facing: 0-359, wheel | sidestep: left | right 10, then: [{wheel: left 10 | advance: 100}]",
	"contact: a, edge: front | left | right | rear",
	"along: max | 300, road: [r]",
	"line: left | right, deep: 1 | 2",
	"file: left | right",
	"march: {..} | ford: {..} | build: a | destroy-bridge: {element: a, bridge: b}, else: {forward: 200}",
	"element | rally: a, by: napoleon",
	"enter: iv, along: max | 300",
}

// diceLegend is how things that are done before the moves may be written: winds only for who may choose one.
func (w *turnWorld) diceLegend() []string {
	all := []string{"double: [a]", "exchange: {a: b}", "transfer: [{elements: [a], to: b}]"}
	if w.diceFault(diceOrder{verb: diceWind, wind: fromNorth}) == nil {
		all = slices.Insert(all, 0, "wind: "+strings.Join(airWords[1:], " | "))
	}
	return all
}

// inReach lists the commands that the seat leads, the nearest to an enemy first.
func (r *report) inReach() []commandID {
	far := map[commandID]int{}
	var all []commandID
	for c := commandID(1); int(c) < len(r.board.Commands); c++ {
		if r.v.leads(c) {
			far[c] = mostFar
			for _, e := range r.troops(c) {
				far[c] = min(far[c], r.off(e))
			}
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b commandID) int { return far[a] - far[b] })
	return all
}

// troops are the elements of a command on the field, the nearest to an enemy first.
func (r *report) troops(c commandID) []elementID {
	return r.byNearness(func(e elementID) bool { return r.v.owns(e) && r.board.command(e) == c })
}

// off is how far an element is from the nearest enemy whom its seat knows, in paces.
func (r *report) off(e elementID) int {
	least := mostFar
	b := r.board.body(e)
	for _, o := range r.foes() {
		x := r.board.body(o)
		least = min(least, paces(between(&b, &x)))
	}
	return least
}

// tells what a command can do.
func (r *report) tells(c commandID) {
	all := r.troops(c)
	if len(all) == 0 {
		return
	}
	r.left = farLines
	if r.off(all[0]) <= inTouch {
		r.left = nearLines
	}
	g := r.board
	head := g.lead(c).id + ": " + strconv.Itoa(g.pips(c)) + " PIP"
	if away := slices.DeleteFunc(slices.Clone(all), func(e elementID) bool { return !g.loose([]elementID{e}) }); len(away) > 0 {
		head += orders.Tongues("; far from the general, one PIP more each: ", "; lontani dal generale, un PIP in più ciascuno: ") +
			strings.ReplaceAll(g.ids(away), " ", ", ")
	}
	r.jot.Say(orders.HeadingMark + head)
	r.aims(all)
	seen := map[elementID]bool{}
	for _, e := range all {
		if seen[e] || r.left <= 0 {
			continue
		}
		crew := g.linked(e, func(o elementID) bool { return r.v.owns(o) && g.command(o) == c && g.moveFault(o, tactical) == nil })
		for _, o := range crew {
			seen[o] = true
		}
		r.crew(e, crew)
	}
}

// aims tells whom the shooters of a command may shoot at, with both totals before the dice, and shows
// the best shot.
func (r *report) aims(all []elementID) {
	shooters, best, most := r.fireWorld.aims(all)
	if len(shooters) == 0 {
		return
	}
	r.jot.Say("fire: " + strings.Join(shooters, "; "))
	if most > -noOdds {
		r.show("fire", fireTexts.Write(r.v, best), "")
	}
}

// noOdds is less than any total is below another.
const noOdds = 99

// aims lists the shots of some elements, shooter by shooter, and gives the best of them.
func (w *fireWorld) aims(all []elementID) (shooters []string, best fireOrder, most int) {
	most = -noOdds
	for _, e := range all {
		var shots []string
		for _, at := range w.board.takeable(e) {
			o := fireOrder{by: e, at: at}
			if w.fault(o) != nil {
				continue
			}
			b := &bout{Distant: true, A: fighter{Element: e}, B: w.board.shotFor(o).At}
			own, foe := w.board.before(b)
			shots = append(shots, w.v.def(at).id+" "+strconv.Itoa(own)+":"+strconv.Itoa(foe))
			if own-foe > most {
				best, most = o, own-foe
			}
		}
		if len(shots) > 0 {
			shooters = append(shooters, w.v.def(e).id+" > "+strings.Join(shots, ", "))
		}
	}
	return shooters, best, most
}

// before gives the totals of a combat before the dice.
func (g *game) before(b *bout) (own, foe int) {
	return g.seen(b, true).scored(0).before, g.seen(b, false).scored(0).before
}

// show shows one item of a key, and tells whether there was room for it.
func (r *report) show(key string, n *orders.Node, behind string) bool {
	if r.left <= 0 || !r.jot.Show(key+": ["+n.OneLine()+"]", behind) {
		return false
	}
	r.left--
	return true
}

// crew shows what elements can do that stand together: contacts of each, how far they get together, along
// their road, and of who fled that he may rally.
func (r *report) crew(e elementID, crew []elementID) {
	g := r.board
	if g.Elements[e].Spirit == routed {
		r.move(order{Verb: verbRally, Of: g.def(e).id})
		return
	}
	for _, o := range crew {
		r.contacts(o)
	}
	for _, o := range r.tasks(e) {
		r.move(o)
	}
	if g.moveFault(e, tactical) == nil {
		if one := (order{Verb: verbAdvance, Of: g.ids(crew), Far: mostFar}); len(crew) == 1 || !r.move(one) {
			r.move(order{Verb: verbGo, Of: g.def(e).id, Far: mostFar})
		}
	}
	if g.onRoad(e) && g.moveFault(e, march) == nil {
		r.move(order{Verb: verbAlong, March: true, Of: g.def(e).id, Far: mostFar})
	}
}

// contacts shows whom an element may contact, with the price and both totals before the dice; of the nearest
// enemy in reach whom it may not contact it tells why.
func (r *report) contacts(e elementID) {
	g := r.board
	b := g.body(e)
	if k := g.class(e); k == artillery || k == train || k == naval || g.moveFault(e, tactical) != nil {
		return
	}
	var why string
	shown := false
	for _, o := range r.foes() {
		x := g.body(o)
		if !within(between(&b, &x), g.contactReach(e)) {
			continue
		}
		one := order{Verb: verbContact, Of: g.def(e).id, Enemy: g.def(o).id}
		p, fault := r.moveFault(&one)
		if fault != nil {
			if by := ender(fault); why == "" && by != "" && by != g.def(o).id {
				why = g.def(e).id + ": contact " + g.def(o).id + ": " + "no" + " (" + by + ")"
			}
			continue
		}
		own, foe := g.meeting(&one, p, e, o)
		shown = r.show("moves", moveTexts.Write(r.v, one), strconv.Itoa(p.price)+" p, "+pipText(g.costs(p))+", "+strconv.Itoa(own)+":"+strconv.Itoa(foe)) || shown
	}
	if !shown && why != "" && r.left > 0 {
		r.jot.Say(why)
		r.left--
	}
}

// pipText is a price.
func pipText(c cost) string { return strconv.Itoa(c.sum()) + " PIP" }

// move shows a move if it is legal: a way that goes as far as it can with how far that is, and what ends
// it. Of a group whose names have no room the element is named with which it stands.
func (r *report) move(o order) bool {
	p, fault := r.moveFault(&o)
	if fault != nil {
		return false
	}
	behind := ""
	switch {
	case o.Verb == verbRally:
		behind = pipText(r.board.rallyCosts(r.board.who(&o)[0]))
	case p != nil:
		behind = pipText(r.board.costs(p))
		if by := r.stopped(&o, p); by != "" {
			behind += orders.Tongues(", up to ", ", fino a ") + by
		}
		r.counts(&o, p)
	}
	if p != nil && o.Far > 0 && p.price < leastShown {
		return true // it stands fast, as good as
	}
	n := moveTexts.Write(r.v, o)
	if ids := strings.Fields(o.Of); n.Get("group") != nil && r.jot.Wide("moves: ["+n.OneLine()+"]  # "+behind) > play.Widest {
		n.Set("group", orders.Text("left..right of "+ids[0]))
	}
	return r.show("moves", n, behind)
}

// leastShown is the shortest way straight on that a template shows, in paces.
const leastShown = 20

// counts writes how far a way goes that goes as far as it can.
func (r *report) counts(o *order, p *plan) {
	far := *o
	if far.Far = p.price; o.Far != mostFar || p.price == 0 {
		return
	}
	if _, fault := r.board.orderFault(&far); fault == nil {
		*o = far
	}
}

// stopped names what ends a way that goes as far as it can; "" if it is the table of moves.
func (r *report) stopped(o *order, p *plan) string {
	all := r.board.who(o)
	if o.Far != mostFar || p.price >= r.board.farthest(all) {
		return ""
	}
	further := *o
	further.Far = p.price + 1
	if _, fault := r.board.orderFault(&further); fault != nil {
		return ender(fault)
	}
	return ""
}

// ender names what a move is refused for: an element, a piece of ground, the edge of the field; else the
// clause.
func ender(fault *play.Fault) string {
	switch fault.Why.Code {
	case "hfg.move-off-field":
		return orders.Tongues("the edge", "bordo")
	case "hfg.move-too-far":
		return orders.Tongues("bad ground", "terreno cattivo")
	}
	for _, a := range fault.Why.Args {
		if a.Name == "other" || a.Name == "area" || a.Name == "water" {
			return a.Value.Text
		}
	}
	return fault.Clause
}

// besides are moves of other kinds, one of each kind that somebody may make now, and scores that may
// be doubled.
func (r *report) besides() [][2]string {
	var all [][2]string
	for o := range r.diceNext {
		if o.verb != diceDouble {
			continue
		}
		n := writeDice(nil, []play.Part{{Key: "dice", Value: o}})
		all = append(all, [2]string{"dice: " + n.OneLine(), orders.Tongues("before any move", "prima di ogni mossa")})
	}
	ready := r.ready()
	kinds := map[string]bool{}
	for _, e := range ready[:min(len(ready), 6)] {
		for kind, o := range r.kinds(e) {
			if kinds[kind] {
				continue
			}
			if _, fault := r.moveFault(&o); fault == nil {
				kinds[kind] = true
				all = append(all, [2]string{"moves: [" + moveTexts.Write(r.v, o).OneLine() + "]"})
			}
		}
	}
	for _, e := range r.board.standing() {
		if r.v.owns(e) && r.board.noShot(e) == nil && len(r.board.targets(e)) > 0 {
			all = append(all, [2]string{"fire: [{hold: " + r.board.def(e).id + "}]", holdsFire})
			break
		}
	}
	return append(all, [2]string{"more: yes", orders.Tongues("you are asked again after these moves", "dopo queste mosse ti si chiede di nuovo")})
}

// holdsFire says what hold means.
var holdsFire = orders.Tongues("it doesn't shoot", "non tira")

// kinds gives a move of each kind for an element: to a thing, to a point, by a wheel, with what is
// done in its place.
func (r *report) kinds(e elementID) func(func(string, order) bool) {
	return func(yield func(string, order) bool) {
		g := r.board
		id, foes := g.def(e).id, r.foes()
		b := g.body(e)
		at := b.World(point{X: (b.U0 + b.U1) / 2, Y: b.V1 + 100*pace})
		all := []struct {
			kind string
			o    order
		}{
			{"to", order{Verb: verbGo, Of: id, To: inline(scale.WritePoint(wholePaces(at)))}},
			{"facing", order{Verb: verbGo, Of: id, Far: 50, Turns: true, Facing: int(b.Heading.Plus(20))}},
			{"wheel", order{Verb: verbAdvance, Of: g.ids(g.linked(e, r.v.owns)), Wheel: 10}},
			{"road", order{Verb: verbAlong, Of: id, Far: mostFar}},
		}
		if len(foes) > 0 {
			enemy, far := g.nearest(e, foes)
			short := max(paces(far)-100, 100)
			all = append(all, struct {
				kind string
				o    order
			}{"thing", order{Verb: verbGo, Of: id, To: "front of " + g.def(enemy).id, Short: short + 1, Turns: true, Facing: int(b.Heading)}}, struct {
				kind string
				o    order
			}{"else", order{Verb: verbContact, Of: id, Enemy: g.def(enemy).id, Else: &order{Verb: verbGo, Of: id, Far: 100}}})
		}
		for _, one := range all {
			if !yield(one.kind, one.o) {
				return
			}
		}
	}
}

// noteFire makes the template of the stop fire: whom each may shoot at with both totals before the dice, and
// the best shot of each.
func noteFire(x *draft[*fireWorld], n *orders.Node) {
	w, j := x.Blank().World, &play.Jotter{Words: vocabulary}
	shown, last := 0, elementID(0)
	for _, e := range w.board.standing() {
		if !w.v.owns(e) {
			continue
		}
		shooters, best, most := w.aims([]elementID{e})
		if len(shooters) == 0 {
			continue
		}
		j.Say(shooters...)
		if most > -noOdds && shown < mostShots {
			j.Show("fire: ["+fireTexts.Write(x.View, best).OneLine()+"]", "")
			shown++
		}
		if w.fault(fireOrder{by: e, hold: true}) == nil {
			last = e
		}
	}
	if last != 0 {
		j.Show("fire: [{hold: "+w.v.def(last).id+"}]", holdsFire)
	}
	if shown > 0 {
		j.Say(orders.HeadingMark + readingTotals)
	}
	j.Say("element | hold: a, at: b")
	if w.v.phasing() == w.v.of {
		j.Say("order: [b, rest]")
	}
	noteCases(j)
	*n = orders.Node{Kind: orders.List, Spare: j.Lines(), Items: []*orders.Node{orders.Text("end")}}
}

// mostShots is how many shots a template of the stop fire shows.
const mostShots = 8

// noteCases shows how decisions of a turn are settled beforehand (section 5.3 of the digest).
func noteCases(j *play.Jotter) {
	for _, k := range slices.Concat(combatKeys, resultKeys) {
		words := strings.Join(append(slices.Clone(policyAnswers[k]), "ask"), " | ")
		switch k {
		case policyOrder:
			words += " | [a, rest]"
		case policyRepulse:
			words += " | 300"
		case policyPursue:
			words += " | 300 | {distance: max, into: good | any}"
		}
		j.Say(policyWords[k] + ": " + words)
	}
	j.Say("fire: "+strings.Join(policyAnswers[policyFire], " | ")+" | ask | [a, b, rest]", "{prefer: ["+strings.Join(classWords[1:], " | ")+"]}", "{counter-battery: yes}")
	j.Say("[{of: a", "if: {against | by: b", "after: shot | close", "beaten: "+strings.Join(beatenWords, " | "), "leaves: "+strings.Join(leavesWords, " | "),
		"next: '>300'", "grade: "+strings.Join(gradeWords[1:], " | "), "going: "+strings.Join(goingWords, " | "), "turn: '>=8'", "exposes-flank: yes | no", "target: foot", "range: '<=800'", "odds: '<-2'}", "do: max}", "{else: min}]")
	j.Show("combat: {order: best-first}", "")
	j.Show("results: {pursue: max, press: no}", orders.Tongues("what your winners do", "che cosa fa chi vince"))
	j.Show("results: {repulse: [{if: {by: foot}, do: 300}, {else: min}]}", "")
}

// noteQuestion tells how a question may be answered.
func noteQuestion(x *draft[*resultWorld], n *orders.Node) {
	q := x.View.Fray.Asks
	k := policyOf[q.What]
	words := strings.Join(policyAnswers[k], " | ")
	switch k {
	case policyFace:
		words = "none | " + strings.ReplaceAll(x.View.ids(q.Enemies), " ", " | ")
	case policyCharge:
		words = strings.ReplaceAll(x.View.ids(q.Enemies), " ", " | ")
	case policyRout:
		words = strings.Join(append([]string{words}, q.Ways...), " | ")
	case policyRepulse:
		words += " | " + strconv.Itoa(q.Low) + "-" + strconv.Itoa(q.High)
	case policyPursue:
		words += " | " + strconv.Itoa(q.Low) + "-" + strconv.Itoa(q.High) + " | {distance: max, into: good | any}"
	}
	n.Above = policyWords[k] + ": {" + x.View.def(q.Of).id + ": " + words + "}"
}
