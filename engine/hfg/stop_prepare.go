package hfg

import (
	"iter"
	"math/rand/v2"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
)

// The stops before the first turn (HFG-S1 to HFG-S6, HFG-S15, HFG-S16). Each answer is one value
// that is read and judged as a whole.

// A seer is a view: a game as one side sees it.
type seer interface {
	engine.View
	// seen is the game, and whose view it is; none for the game master.
	seen() (*game, side)
}

// A player is a game that is played on.
type player interface{ opening() *prologue }

// A preface declares a stop of the preparation whose answer is a T.
type preface[T any] struct {
	step  step
	shape shape.Shape
	// read reads an answer and judges it; false after a fault.
	read func(r *orders.Reader, g *game, of side, n *orders.Node) (T, bool)
	// write writes what read reads.
	write func(g *game, of side, value T) *orders.Node
	// usual is what the deadline means, chance an answer at random.
	usual  func(g *game, of side) T
	chance func(g *game, of side, chance *rand.Rand) T
	// sense is what a fair player answers; nil: what the deadline means.
	sense func(g *game, of side, chance *rand.Rand) T
	// choices is what may be chosen, step by step.
	choices chooser
	// primer is what a template tells.
	primer func(g *game, of side) *primer
	do     func(p *prologue, of side, value T)
}

// A said is the world of such a stop: what has been said.
type said[V any, T any] struct {
	v     V
	of    side
	value T
	done  bool
}

// itemsOf are the items of a list, for which the word none may stand if it has none.
func itemsOf(r *orders.Reader, n *orders.Node) []*orders.Node {
	if play.Nothing(r, n) {
		return nil
	}
	return r.List(n)
}

// formOf makes a stop of its declaration.
func formOf[V seer, P player, T any](s preface[T]) play.Stop[V, P] {
	type world = *said[V, T]
	game := func(w world) (*game, side) {
		g, _ := w.v.seen()
		return g, w.of
	}
	field := play.Field[V, world]{Single: true, Shape: s.shape,
		Read: func(x *play.Draft[V, world], r *orders.Reader, n *orders.Node) {
			g, of := game(x.World)
			if value, ok := s.read(r, g, of, n); ok {
				x.Add("", offered[T]{value: value})
			}
		},
		Write: func(x *play.Draft[V, world], parts []play.Part) *orders.Node {
			g, of := game(x.World)
			return s.write(g, of, parts[len(parts)-1].Value.(offered[T]).value) // each step says all that was said before
		},
		Put: func(w world, value any) { w.value, w.done = value.(offered[T]).value, true },
		Next: func(w world) iter.Seq[any] {
			g, of := game(w)
			return s.next(g, of, w.value, w.done)
		},
		Say: func(_ V, value any) engine.Choice {
			if c := value.(offered[T]).as; c.What != "" {
				return c
			}
			return engine.Choice{What: stepWords[s.step]}
		},
	}
	f := &play.Form[V, P, world]{
		Begin: func(v V, d engine.Decision) (world, bool) {
			g, _ := v.seen()
			of := side(0)
			for i := range g.sides {
				if g.sides[i].id == string(d.Side) {
					of = side(i + 1)
				}
			}
			return &said[V, T]{v: v, of: of}, of != noSide && g.Prepare != nil && g.Prepare.Step == s.step
		},
		Fields: []play.Field[V, world]{field},
		Stands: true, Gathers: true,
		Usual: func(x *play.Draft[V, world]) {
			if !x.World.done {
				g, of := game(x.World)
				x.Add("", offered[T]{value: s.usual(g, of)})
			}
		},
		Chance: func(x *play.Draft[V, world], chance *rand.Rand) {
			g, of := game(x.World)
			x.Add("", offered[T]{value: s.chance(g, of, chance)})
		},
		Sense: func(x *play.Draft[V, world], chance *rand.Rand) {
			g, of := game(x.World)
			if s.sense != nil {
				x.Add("", offered[T]{value: s.sense(g, of, chance)})
			} else {
				x.Add("", offered[T]{value: s.usual(g, of)})
			}
		},
		Do: func(p P, _ engine.Decision, w world) { s.do(p.opening(), w.of, w.value) },
	}
	f.Note = func(x *play.Draft[V, world], n *orders.Node) {
		g, of := game(x.World)
		s.primer(g, of).note(n, func(answer *orders.Node) bool {
			if answer == nil {
				return false
			}
			r := orders.NewReader(vocabulary)
			_, ok := s.read(r, g, of, answer)
			return ok && len(r.Problems) == 0
		})
	}
	return f
}

// prefaces are the stops of the preparation by the kind of their decision.
func prefaces[V seer, P player]() map[string]play.Stop[V, P] {
	return map[string]play.Stop[V, P]{
		stopList:    formOf[V, P](listPreface),
		stopMap:     formOf[V, P](mapPreface),
		stopNight:   formOf[V, P](nightPreface),
		stopTerrain: formOf[V, P](terrainPreface),
		stopPlace:   formOf[V, P](placePreface),
		stopEdge:    formOf[V, P](edgePreface),
		stopPlan:    formOf[V, P](deployPreface(planning)),
		stopDeploy:  formOf[V, P](deployPreface(deploying)),
	}
}
