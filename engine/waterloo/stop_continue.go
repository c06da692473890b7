package waterloo

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// An onward is the world of the stop continue: how a movement card goes on so far.
type onward struct {
	board  *game      // where that is done: a copy, once there is something
	frame  *moveFrame // of the board
	copied bool
	unit   unitID // that is under way; none if nobody is
	began  bool   // it has been said how that unit goes on, or that nobody does
	moves  []move // the first is that of the unit under way
}

// paceFault tells why the unit under way may not do a pace; none ends its move.
func (w *onward) paceFault(p pace) *fault {
	switch {
	case p == pace{} && !w.began:
		return nil
	case p == pace{}:
		return &fault{} // it is said already
	case w.unit == 0:
		return refusal("WAT-8.6", "wat.continue-nobody")
	case w.began && (len(w.moves) > 1 || len(w.moves[0].Path) == 0):
		return &fault{} // its move is over
	}
	_, why := w.board.paceFault(w.frame, &w.moves[0], p)
	return why
}

// change makes the board one that may be changed.
func (w *onward) change() {
	if !w.copied {
		w.board, w.copied = w.board.trial(), true
		w.frame = under[*moveFrame](w.board)
	}
}

// rest are the moves of the pieces after the unit under way.
func (w *onward) rest() []move {
	if w.unit != 0 {
		return w.moves[1:]
	}
	return w.moves
}

// sayOnward says a list of moves, of which the first is that of the unit under way.
// If it can't be done to its end nothing is said.
func sayOnward(x *saying[*onward], moves []move) bool {
	before, done := *x.World, true
	before.moves = slices.Clone(before.moves)
	if x.World.unit != 0 && len(moves) > 0 {
		for _, p := range moves[0].Path {
			done = done && x.Try("continue", p)
		}
		moves = moves[1:]
	}
	if done && len(x.Parts) == 0 {
		x.Try("continue", pace{})
	}
	for i := range moves {
		for _, s := range moves[i].strides() {
			done = done && x.Try("then", s)
		}
	}
	if !done {
		*x.World, x.Parts = before, nil
	}
	return done
}

// continueField is the field in which the move of the unit under way goes on.
var continueField = field[*onward]{
	Key: "continue", Shape: shape.OrNone(pathShape),
	Read: func(x *saying[*onward], r *orders.Reader, n *orders.Node) {
		path, nodes := []pace{{}}, []*orders.Node{n}
		switch {
		case r.Is(n, "none"):
		case x.World.unit == 0:
			x.World.paceFault(pace{To: 1}).Refuse(r, n)
			return
		default:
			since := len(r.Problems)
			if path, nodes = x.View.readPath(r, n); len(path) == 0 && len(r.Problems) == since {
				path, nodes = []pace{{}}, []*orders.Node{n}
			}
		}
		takePaces(x, r, "continue", path, nodes)
	},
	Write: func(x *saying[*onward], _ []play.Part) *orders.Node {
		if w := x.World; w.unit != 0 && len(w.moves[0].Path) > 0 {
			return x.View.pathNode(w.moves[0].Path)
		}
		return orders.Text("none")
	},
	Next: func(w *onward) iter.Seq[any] {
		return func(yield func(any) bool) {
			if w.unit != 0 {
				for p := range w.board.pacesOf(&w.moves[0]) {
					if !yield(p) {
						return
					}
				}
			}
			yield(pace{})
		}
	},
	May: func(w *onward, value any) *fault { return w.paceFault(value.(pace)) },
	Put: func(w *onward, value any) {
		w.began = true
		if p := value.(pace); p != (pace{}) {
			w.change()
			w.board.goOn(w.frame, &w.moves[0], p)
			w.moves[0].Path = append(w.moves[0].Path, p)
		}
	},
	Say: func(v *View, value any) engine.Choice {
		p := value.(pace)
		if p == (pace{}) {
			return engine.Choice{What: "continue none"}
		}
		return engine.Choice{Of: v.def(under[*moveFrame](v.game).Unit).id, What: "continue " + v.paceText(p)}
	},
}

// thenField is the field in which the rest of the card stands: the moves of others.
var thenField = field[*onward]{
	Key: "then", Optional: true, Shape: movesShape,
	Read: func(x *saying[*onward], r *orders.Reader, n *orders.Node) {
		if r.Is(n, "none") {
			return
		}
		for _, item := range r.List(n) {
			since := len(r.Problems)
			m, nodes := x.View.readMove(r, item, false)
			if len(r.Problems) == since {
				x.World.board.takeMove(x.World.frame, &m, item, nodes, func(at *orders.Node, s stride) bool {
					x.Judge(r, at, "then", s, true, since)
					return len(r.Problems) == since
				})
			}
		}
	},
	Write: func(x *saying[*onward], _ []play.Part) *orders.Node {
		if rest := x.World.rest(); len(rest) > 0 {
			return x.View.movesNode(rest)
		}
		return nil
	},
	Next: func(w *onward) iter.Seq[any] {
		return func(yield func(any) bool) {
			for s := range w.board.stridesOn(w.frame, w.rest()) {
				if w.began && !yield(s) {
					return
				}
			}
		}
	},
	May: func(w *onward, value any) *fault { return w.board.strideFault(w.frame, w.rest(), value.(stride)) },
	Put: func(w *onward, value any) {
		w.change()
		rest := w.rest()
		w.moves = append(w.moves[:len(w.moves)-len(rest)], w.board.stride(w.frame, rest, value.(stride))...)
	},
	Say: func(v *View, value any) engine.Choice { return v.strideChoice(value.(stride)) },
}

// continueForm is the stop continue: how a move goes on that a reaction has changed
// (WAT-S4).
var continueForm = &form[*onward]{
	Begin: func(v *View, _ engine.Decision) (*onward, bool) {
		f := under[*moveFrame](v.game)
		if f == nil {
			return nil, false
		}
		w := &onward{board: v.game, frame: f, unit: f.Unit}
		if f.Unit != 0 {
			w.moves = []move{{Unit: f.Unit}}
		}
		return w, true
	},
	Flow:   true,
	Fields: []field[*onward]{continueField, thenField},
	// To go on as was filed if that is still legal, else to end the move of the unit
	// under way; the rest of the card is then lost.
	Usual: func(x *saying[*onward]) {
		if !sayOnward(x, x.World.frame.Moves) {
			x.Try("continue", pace{})
		}
	},
	Fill: func(*saying[*onward]) {},
	Chance: func(x *saying[*onward], chance *rand.Rand) {
		if x.World.unit == 0 || chance.IntN(4) == 0 {
			return
		}
		t, f := x.View.continuing()
		m := move{Unit: f.Unit}
		for chance.IntN(3) > 0 {
			p, ok := t.randomPace(f, &m, chance)
			if !ok {
				break
			}
			x.Try("continue", p)
		}
		x.Try("continue", pace{})
	},
	Sense: senseContinue,
	Note: func(x *saying[*onward], n *orders.Node) {
		v, f := x.View, under[*moveFrame](x.View.game)
		lines := []string{v.card(f.Card).id + ": " + strconv.Itoa(f.MP) + " MP"}
		if f.Unit != 0 {
			u := v.unit(f.Unit)
			line := v.def(f.Unit).id + " " + v.squareID(u.At) + " " + u.Face.String()
			if reach := v.reachLine(f.Unit, f.MP, f.Vacated); reach != "" && !f.Stopped {
				line += ": " + reach
			}
			lines = append(lines, line)
		}
		n.Above = strings.Join(lines, "\n")
	},
	Do: func(p *battlefield, _ engine.Decision, w *onward) {
		under[*moveFrame](p.game).Moves = play.Clone(w.moves)
	},
}

// takePaces takes a path, as far as it may be gone.
func takePaces[W any](x *saying[W], r *orders.Reader, key string, path []pace, nodes []*orders.Node) {
	for i, p := range path {
		since := len(r.Problems)
		if x.Judge(r, nodes[i], key, p, true, since); len(r.Problems) > since {
			return
		}
	}
}

// takeMove gives the strides of a move to a judge, each with its place, as far as he
// lets it be made. A fault of its beginning is told at the move, one of a pace at the
// pace.
func (g *game) takeMove(f *moveFrame, m *move, item *orders.Node, nodes []*orders.Node, take func(at *orders.Node, s stride) bool) {
	strides, begins := m.strides(), g.startFault(f.fresh(), m) == nil
	skip := len(strides) - len(nodes) // an entry has no pace
	for i, s := range strides {
		at := item
		if i >= skip && (i > 0 || begins) {
			at = nodes[i-skip]
		}
		if !take(at, s) {
			return
		}
	}
}
