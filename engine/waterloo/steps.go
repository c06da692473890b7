package waterloo

import (
	"slices"
	"strings"

	"berthier/orders"
	"berthier/orders/phrase"
)

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
			s.actionNode(n, st)
		} else {
			n.Set("move", s.movesNode(st.Moves))
			if st.OnReaction == reactionContinue {
				n.Set("on-reaction", orders.Text("continue"))
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

// assume carries out on a copy for trying what is certain about a step.
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
		for _, id := range st.Does.Rally {
			g.Units[id].Reorganised, g.Units[id].Disordered = true, false
		}
		if st.Does.Flip != 0 {
			g.Units[st.Does.Flip].Reorganised = true
			g.Units[st.Does.Flip].Reduced = false
		}
		if st.Action == cavalryCharge {
			g.Units[st.Does.Unit].Moved, g.Units[st.Does.Unit].Disordered, g.Units[st.Does.Unit].Attacked = true, true, true
		}
		for _, c := range st.Does.Cards {
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

// readMove reads {unit, path}, for a reinforcement also at and face. It also gives the
// nodes of the path.
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
	before := len(r.Problems)
	m.Path, nodes = v.readPath(r, path)
	if len(m.Path) == 0 && m.Enter == 0 && len(r.Problems) == before && path.Kind != orders.Broken {
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

// readTurn reads the facing to which a unit turns in a path; a turn can't keep the facing.
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

// continuing is the movement card under way in a view, on a copy of the game for trying.
func (v *View) continuing() (*View, *moveFrame) {
	t := &View{game: v.trial(), side: v.side, own: v.own}
	return t, under[*moveFrame](t.game)
}
