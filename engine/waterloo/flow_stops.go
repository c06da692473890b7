package waterloo

import (
	"math/rand/v2"
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

func init() {
	stops[stopBid] = bidForm
	stops[stopArmy] = armyForm
	stops[stopRound] = roundStop{}
	stops[stopContinue] = continueForm
	stops[stopCommander] = commanderForm
	stops[stopCavalryRetreat] = cavalryForm
	stops[stopArtillery] = fireForm
	stops[stopRevealed] = fireForm
	stops[stopCommit] = commitForm
	stops[stopLoss] = lossForm
	stops[stopAttackerLoss] = attackerLossForm
	stops[stopAdvance] = advanceForm
}

// roundStop is WAT-S3: the next steps of the round.
type roundStop struct{}

type roundAnswer struct {
	s     *scenario
	steps []step
}

// Node implements [play.Reply].
func (a roundAnswer) Node() *orders.Node {
	n := orders.Items()
	for i := range a.steps {
		n.Add(a.s.stepNode(&a.steps[i]))
	}
	return n
}

// stepNode writes a step in normal form.
func (s *scenario) stepNode(st *step) *orders.Node {
	n := orders.Inline()
	if st.End {
		return n.Set("end", orders.Text("round"))
	}
	if st.Card != 0 {
		n.Set("card", orders.Text(s.card(st.Card).id))
		if st.Action != noAction {
			n.Set("action", orders.Text(stepWords[st.Action]))
			s.deedNode(n, st)
		} else {
			n.Set("move", s.movesNode(st.Moves))
			if st.OnReaction == reactionContinue {
				n.Set("on_reaction", orders.Text("continue"))
			}
		}
	}
	switch {
	case st.Attack != nil:
		n.Set("attack", s.attackNode(st.Attack))
	case st.Idle:
		n.Set("attack", orders.Text("none"))
	}
	return n
}

// movesNode writes the moves of a card.
func (s *scenario) movesNode(moves []move) *orders.Node {
	if len(moves) == 0 {
		return orders.Text("none")
	}
	list := orders.Items()
	list.Flow = true
	for i := range moves {
		m := &moves[i]
		n := orders.Inline()
		if m.Commander != 0 {
			n.Set("unit", orders.Text(s.lead(m.Commander).id))
		} else {
			n.Set("unit", orders.Text(s.def(m.Unit).id))
		}
		if m.Enter != 0 {
			for _, e := range s.entries {
				if e.at == m.Enter {
					n.Set("at", orders.Text(e.id))
					break
				}
			}
			faceNode(n, m.EnterFace)
		}
		if len(m.Path) > 0 {
			n.Set("path", s.pathNode(m.Path))
		}
		list.Add(n)
	}
	return list
}

// pathNode writes a path: squares and turns in their order.
func (s *scenario) pathNode(path []pace) *orders.Node {
	n := orders.Texts()
	for _, p := range path {
		switch {
		case p.To == 0:
			n.Add(orders.Text("face " + p.Face.String()))
		case p.Face != noFacing:
			n.Add(faceNode(orders.Inline().Set("to", orders.Text(s.squareID(p.To))), p.Face))
		default:
			n.Add(orders.Text(s.squareID(p.To)))
		}
	}
	return n
}

// mostSteps is how many steps a file may have: five cards, as many attacks, and
// the end.
const mostSteps = 40

func (s roundStop) Read(v *View, d engine.Decision, r *orders.Reader, body *orders.Node) play.Reply {
	if play.Default(r, body) {
		return s.Fallback(v, d)
	}
	a := roundAnswer{s: v.scenario}
	items := r.List(body)
	if len(items) == 0 {
		r.Refuse(body, "", phrase.Say("wat.steps-none"))
	}
	if len(items) > mostSteps {
		r.Refuse(body, "WAT-4.4", phrase.Say("wat.steps-many", number("most", mostSteps)))
		return a
	}
	// Every step is judged as if nothing came of those before but what is sure:
	// moves without reactions, attacks without a result.
	t := &View{game: v.trial(), side: v.side, own: v.own}
	over, fought := false, false
	for _, item := range items {
		switch {
		case over:
			refusal("WAT-4.20", "wat.step-after-end").Refuse(r, item)
			continue
		case fought && item.Kind == orders.Map && v.endsRound(item):
			a.steps[len(a.steps)-1].Attack.Go = true // that is what it says
			fought = false
		case fought:
			f := refusal("WAT-4.20", "wat.step-after-attack")
			f.Remedy = phrase.Say("order.write", phrase.Literal("text", "after: go"))
			f.Refuse(r, item)
			continue
		}
		before := len(r.Problems)
		st := t.readStep(r, item)
		if len(r.Problems) > before {
			continue
		}
		a.steps = append(a.steps, st)
		t.assume(&st)
		over = st.End
		fought = st.Attack != nil && !st.Attack.Go
	}
	return a
}

// endsRound tells whether a step is the end of the round and nothing else.
func (v *View) endsRound(n *orders.Node) bool {
	r := orders.NewReader(vocabulary)
	return r.Fields(n, "end").Get("end") != nil && len(r.Problems) == 0
}

// assume carries out on a trial what is sure of a step.
func (g *game) assume(st *step) {
	r := g.roundNow()
	if r == nil || st.End {
		return
	}
	if st.Card != 0 {
		g.use(st.Card)
		g.count(st.Card)
		r.Army = g.card(st.Card).army
		if g.options.bank == on {
			r.Rights++
		} else {
			r.Rights = 1
		}
		g.tryMoves(&moveFrame{Card: st.Card, Army: r.Army, MP: g.card(st.Card).mp, Moves: st.Moves})
		for _, id := range st.Deed.Rally {
			g.Units[id].Reorganised, g.Units[id].Disordered = true, false
		}
		if st.Deed.Flip != 0 {
			g.Units[st.Deed.Flip].Reorganised = true
			g.Units[st.Deed.Flip].Reduced = false
		}
		if st.Action == cavalryCharge {
			g.Units[st.Deed.Unit].Moved, g.Units[st.Deed.Unit].Disordered, g.Units[st.Deed.Unit].Attacked = true, true, true
		}
		for _, c := range st.Deed.Cards {
			g.use(c.Card)
			g.count(c.Card)
		}
	}
	if st.Idle && r.Rights > 0 {
		r.Rights--
	}
	if st.Attack != nil {
		r.Rights--
		for _, id := range st.Attack.With {
			g.Units[id].Attacked = true
		}
		for _, c := range st.Attack.Cards {
			g.use(c.Card)
			g.count(c.Card)
		}
	}
}

// readStep reads one step of the round.
func (v *View) readStep(r *orders.Reader, n *orders.Node) step {
	f := r.Fields(n, "card", "move", "enter", "action", "by", "side", "unit", "target", "cards", "advance", "rally", "flip",
		"attack", "on_reaction", "end")
	var st step
	if n.Kind != orders.Map {
		return st
	}
	if end := f.Get("end"); end != nil {
		st.End = true
		r.Word(end, "round")
		for _, p := range n.Pairs {
			if p.Value != end {
				r.Refuse(p.Key, "WAT-4.20", phrase.Say("wat.end-alone"))
			}
		}
		return st
	}
	t := v
	if card := f.Get("card"); card != nil {
		c, ok := v.nameCard(r, card)
		if !ok || v.cardFault(c).Refuse(r, card) {
			return st
		}
		st.Card = c
		t = &View{game: v.trial(), side: v.side, own: v.own}
		v.readUse(r, f, &st)
		if len(r.Problems) > 0 && st.Card != 0 && f.Get("attack") == nil {
			return st
		}
		t.assume(&st)
	} else {
		for _, key := range []string{"move", "enter", "action", "by", "side", "unit", "target", "cards", "advance", "rally", "flip", "on_reaction"} {
			if extra := f.Get(key); extra != nil {
				refusal("WAT-4.20", "wat.step-no-card", phrase.Literal("key", key)).Refuse(r, extra)
			}
		}
		if f.Get("attack") == nil {
			r.Require(f, "card")
			return st
		}
	}
	attack := f.Get("attack")
	switch {
	case attack == nil:
	case r.Is(attack, "none") && st.Card != 0:
		st.Idle = true
	case st.Card == 0 && v.rightFault().Refuse(r, attack):
	default:
		st.Attack = t.readAttack(r, attack)
	}
	return st
}

// readUse reads what a card is played for (WAT-6.1).
func (v *View) readUse(r *orders.Reader, f orders.Fields, st *step) {
	act, moves, enters := f.Get("action"), f.Get("move"), f.Get("enter")
	c := v.card(st.Card)
	switch {
	case act != nil && (moves != nil || enters != nil):
		refusal("WAT-6.1", "wat.card-one-use", v.cardArg("card", st.Card)).Refuse(r, act)
		return
	case act != nil:
		word, ok := r.Word(act, slices.DeleteFunc(slices.Clone(stepWords[:]), func(w string) bool { return w == "" })...)
		if !ok {
			return
		}
		st.Action = action(slices.Index(stepWords[:], word))
		if st.Action != c.action {
			refusal("WAT-6.1", "wat.card-no-action", v.cardArg("card", st.Card), phrase.Name("action", "action", st.Action.String())).Refuse(r, act)
			return
		}
		if reacts := f.Get("on_reaction"); reacts != nil {
			refusal("WAT-6.1", "wat.card-one-use", v.cardArg("card", st.Card)).Refuse(r, reacts)
		}
		before := len(r.Problems)
		if st.Deed = v.readDeed(r, f, st.Card, st.Action); len(r.Problems) == before {
			v.stepFault(st).Refuse(r, act)
		}
		return
	}
	for _, key := range []string{"by", "side", "unit", "target", "cards", "advance", "rally", "flip"} {
		if extra := f.Get(key); extra != nil {
			refusal("WAT-6.1", "wat.step-key", phrase.Literal("key", key)).Refuse(r, extra)
		}
	}
	if moves == nil && enters == nil {
		r.Require(f, "move")
		return
	}
	if reacts := f.Get("on_reaction"); reacts != nil {
		word, _ := r.Word(reacts, reactionWords[:]...)
		st.OnReaction = reaction(max(slices.Index(reactionWords[:], word), 0))
	}
	t := &View{game: v.trial(), side: v.side, own: v.own}
	t.use(st.Card)
	frame := &moveFrame{Card: st.Card, Army: c.army, MP: c.mp}
	st.Moves = t.readMoves(r, frame, enters, true)
	st.Moves = append(st.Moves, t.readMoves(r, frame, moves, false)...)
	if len(st.Moves) == 0 && v.options.zeroMP == no {
		at := moves
		if at == nil {
			at = enters
		}
		refusal("WAT-R48", "wat.card-unspent", v.cardArg("card", st.Card)).Refuse(r, at)
	}
}

// readMoves reads moves and carries them out on the view's own game, a trial, one
// after the other, so that each is judged where the one before left the board.
func (v *View) readMoves(r *orders.Reader, f *moveFrame, n *orders.Node, entering bool) []move {
	if n == nil || r.Is(n, "none") {
		return nil
	}
	var moves []move
	for _, item := range r.List(n) {
		before := len(r.Problems)
		m, nodes := v.readMove(r, item, entering)
		if len(r.Problems) > before {
			continue
		}
		at, why := v.tryPaces(f, &m, false)
		if why != nil {
			place := item
			if at >= 0 && at < len(nodes) {
				place = nodes[at]
			}
			why.Refuse(r, place)
			continue
		}
		moves = append(moves, m)
	}
	return moves
}

// readMove reads {unit, path}, of a reinforcement with at and face besides. It
// gives the nodes of the path too.
func (v *View) readMove(r *orders.Reader, n *orders.Node, entering bool) (m move, nodes []*orders.Node) {
	f := r.Fields(n, "unit", "path", "at", "face")
	if n.Kind != orders.Map {
		return m, nil
	}
	unit := r.Require(f, "unit")
	if unit == nil {
		return m, nil
	}
	m.Unit, m.Commander = v.namePiece(r, unit)
	at := f.Get("at")
	if entering && at == nil {
		at = r.Require(f, "at")
	}
	if at != nil {
		var choices []orders.Choice
		for _, e := range v.entries {
			choices = append(choices, orders.Choice{ID: e.id, Names: []string{v.squareID(e.at)}})
		}
		if id, ok := r.Pick(at, "entry", choices); ok {
			m.Enter = v.entries[slices.IndexFunc(v.entries, func(e entryDef) bool { return e.id == id })].at
		}
		if m.Commander != 0 {
			refusal("WAT-5.1", "wat.enter-commander").Refuse(r, at)
		}
		m.EnterFace = readFace(r, f.Get("face"))
	} else if face := f.Get("face"); face != nil {
		refusal("WAT-8.5", "wat.move-face-key").Refuse(r, face)
	}
	path := f.Get("path")
	if path == nil {
		if m.Enter == 0 {
			r.Require(f, "path")
		}
		return m, nil
	}
	m.Path, nodes = v.readPath(r, path)
	if len(m.Path) == 0 && m.Enter == 0 && path.Kind != orders.Broken {
		r.Refuse(path, "", phrase.Say("wat.path-empty"))
	}
	return m, nodes
}

// namePiece reads the name of a unit, or of a commander, of the side.
func (v *View) namePiece(r *orders.Reader, n *orders.Node) (unitID, commanderID) {
	if n.Kind == orders.Scalar {
		for i := range v.commanders {
			c := &v.commanders[i]
			if v.own[c.army] && (orders.Fold(n.Text) == orders.Fold(c.id) || orders.Fold(n.Text) == orders.Fold(c.name)) {
				return 0, commanderID(i + 1)
			}
		}
	}
	id, _ := v.nameUnit(r, n, v.ofArmies())
	return id, 0
}

// mostPaces is how long a path may be.
const mostPaces = 40

// readPath reads squares and turns: J-12, "face W", {to: I-6, face: E}.
func (v *View) readPath(r *orders.Reader, n *orders.Node) (path []pace, nodes []*orders.Node) {
	items := r.List(n)
	if len(items) > mostPaces {
		r.Refuse(n, "WAT-8.2", phrase.Say("wat.path-long", number("most", mostPaces)))
		return nil, nil
	}
	for _, item := range items {
		var p pace
		switch {
		case item.Kind == orders.Map:
			f := r.Fields(item, "to", "face")
			if f.Get("to") != nil {
				p.To = v.readSquare(r, f.Get("to"))
			}
			if f.Get("face") == nil && f.Get("to") == nil {
				r.Require(f, "to")
			}
			if p.To == 0 {
				p.Face = readTurn(r, f.Get("face"))
			} else {
				p.Face = readFace(r, f.Get("face"))
			}
		default:
			word, rest, two := strings.Cut(strings.TrimSpace(item.Text), " ")
			head, tail := *item, *item
			head.Text, tail.Text = word, strings.TrimSpace(rest)
			if item.Kind == orders.Scalar && two && r.Is(&head, "face") {
				p.Face = readTurn(r, &tail)
				if p.Face == noFacing {
					continue
				}
			} else {
				p.To = v.readSquare(r, item)
			}
		}
		if p.To == 0 && p.Face == noFacing {
			continue
		}
		path, nodes = append(path, p), append(nodes, item)
	}
	return path, nodes
}

// readTurn reads to where a unit turns in a path; to keep its facing is no turn.
func readTurn(r *orders.Reader, n *orders.Node) facing {
	if n != nil && r.Is(n, "keep") {
		r.Word(n, "n", "e", "s", "w")
		return noFacing
	}
	return readFace(r, n)
}

// readSquare reads the id of a square.
func (s *scenario) readSquare(r *orders.Reader, n *orders.Node) square {
	choices := make([]orders.Choice, len(s.squareIDs))
	for i, id := range s.squareIDs {
		choices[i].ID = id
	}
	id, ok := r.Pick(n, "square", choices)
	if !ok {
		return 0
	}
	q, _ := s.squareNamed(id)
	return q
}

func (roundStop) Template(v *View, d engine.Decision) *orders.Node { return v.roundTemplate() }

func (roundStop) Fallback(v *View, d engine.Decision) play.Reply {
	return roundAnswer{s: v.scenario, steps: []step{{End: true}}}
}

// Random plays one step or two, or ends the round.
func (roundStop) Random(v *View, d engine.Decision, chance *rand.Rand) play.Reply {
	a := roundAnswer{s: v.scenario}
	t := &View{game: v.trial(), side: v.side, own: v.own}
	for range 1 + chance.IntN(2) {
		st, ok := t.randomStep(chance)
		if !ok {
			break
		}
		a.steps = append(a.steps, st)
		t.assume(&st)
		if st.End || st.Attack != nil && !st.Attack.Go {
			break
		}
	}
	if len(a.steps) == 0 {
		a.steps = []step{{End: true}}
	}
	return a
}

// randomStep is a legal step by chance.
func (v *View) randomStep(chance *rand.Rand) (step, bool) {
	r := v.roundNow()
	if r == nil || chance.IntN(12) == 0 {
		return step{End: true}, true
	}
	if r.Rights > 0 && chance.IntN(2) == 0 {
		if a := randomAttack(v, chance); a != nil && v.attackFault(a) == nil {
			return step{Attack: a}, true
		}
	}
	var cards []cardID
	for _, c := range v.hand() {
		if v.cardFault(c) == nil {
			cards = append(cards, c)
		}
	}
	if len(cards) == 0 {
		return step{End: true}, true
	}
	st := step{Card: cards[chance.IntN(len(cards))]}
	c := v.card(st.Card)
	if c.action != noAction && c.action != commandBonus && c.action != eliteBonus && chance.IntN(2) == 0 {
		if d, ok := randomDeed(v, st.Card, chance); ok {
			st.Action, st.Deed = c.action, d
			if v.stepFault(&st) != nil {
				st.Action, st.Deed = noAction, deed{}
			}
		}
	}
	if st.Action == noAction {
		st.Moves = v.randomMoves(st.Card, chance)
		if len(st.Moves) == 0 && v.options.zeroMP == no {
			return step{}, false
		}
		st.OnReaction = reaction(chance.IntN(2))
	}
	t := &View{game: v.trial(), side: v.side, own: v.own}
	t.assume(&st)
	switch chance.IntN(4) {
	case 0:
		st.Idle = true
	case 1:
	default:
		if a := randomAttack(t, chance); a != nil && t.attackFault(a) == nil {
			st.Attack = a
		}
	}
	return st, true
}

// randomMoves spends a card on pieces drawn by chance.
func (v *View) randomMoves(card cardID, chance *rand.Rand) []move {
	g := v.trial()
	g.use(card)
	a := g.card(card).army
	return g.randomSpend(&moveFrame{Card: card, Army: a, MP: g.card(card).mp}, chance)
}

// randomRest is how a movement card that is under way may go on, by chance.
func (v *View) randomRest(chance *rand.Rand) []move {
	w, ok := saidTo[*onward](continueForm.Random(v, engine.Decision{}, chance))
	if !ok {
		return nil
	}
	t, f := v.continuing()
	f.Moves = w.moves
	if chance.IntN(2) == 0 || t.tryMoves(f) != nil {
		return w.moves
	}
	f.Unit = 0
	return append(w.moves, t.randomSpend(f, chance)...)
}

// randomSpend spends what is left of a card on pieces drawn by chance. The game is
// a trial.
func (g *game) randomSpend(f *moveFrame, chance *rand.Rand) []move {
	a := f.Army
	var pieces []move
	for i := range g.roster {
		id := unitID(i + 1)
		if g.armyOf(id) != a {
			continue
		}
		m := move{Unit: id}
		if d := g.def(id); g.Units[id].At == 0 && len(d.entries) > 0 {
			m.Enter = g.entries[d.entries[chance.IntN(len(d.entries))]].at
			m.EnterFace = facing(chance.IntN(5))
		}
		pieces = append(pieces, m)
	}
	if c := g.commanderOf(a); c != 0 {
		pieces = append(pieces, move{Commander: c})
	}
	chance.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	var moves []move
	for _, m := range pieces {
		if f.MP == 0 || len(moves) == 4 {
			break
		}
		f.Stopped = false
		if _, why := g.tryPaces(f, &m, false); why != nil {
			if m.Unit != 0 && g.Units[m.Unit].At == 0 {
				g.Units[m.Unit].Moved = false
			}
			continue
		}
		for len(m.Path) < 6 && chance.IntN(4) > 0 {
			p, ok := g.randomPace(f, &m, chance)
			if !ok {
				break
			}
			m.Path = append(m.Path, p)
		}
		if len(m.Path) > 0 || m.Enter != 0 {
			moves = append(moves, m)
		}
	}
	return moves
}

// randomPace tries a pace and does it on the trial.
func (g *game) randomPace(f *moveFrame, m *move, chance *rand.Rand) (pace, bool) {
	at := g.Commanders[max(m.Commander, 0)].At
	if m.Unit != 0 {
		at = g.Units[m.Unit].At
	}
	for range 4 {
		p := pace{}
		side := facing(1 + chance.IntN(4))
		switch {
		case m.Unit != 0 && chance.IntN(3) == 0:
			p.Face = side
		case m.Unit != 0 && !g.allRound(m.Unit):
			p.To = g.next(at, g.Units[m.Unit].Face)
		default:
			p.To = g.next(at, side)
		}
		if p.To == 0 && p.Face == noFacing {
			continue
		}
		if m.Unit != 0 && p.To != 0 && g.inChateau(m.Unit) && chance.IntN(2) == 0 {
			p.Face = facing(1 + chance.IntN(4))
		}
		cost, why := g.paceFault(f, m, p)
		if why != nil {
			continue
		}
		if to := g.stepPace(f, m, p, cost); to != 0 && m.Unit != 0 {
			g.Units[m.Unit].At = to
		}
		return p, true
	}
	return pace{}, false
}

func (roundStop) Take(p *battlefield, d engine.Decision, reply play.Reply) {
	p.roundNow().Steps = play.Clone(reply.(roundAnswer).steps) // the answer stays as it is
}

// continuing is the movement card under way in a view, on a trial of its own.
func (v *View) continuing() (*View, *moveFrame) {
	t := &View{game: v.trial(), side: v.side, own: v.own}
	return t, under[*moveFrame](t.game)
}
