package mistakes

import (
	"iter"
	"math/rand/v2"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A volley is a mission as it is ordered: {gun: 23, target: red-7, support: [24]}.
type volley struct {
	gun, target unitID
	support     unitSet
}

// A salvo is the world of the stop fire: the field as it is after the missions so far.
type salvo struct {
	v        *View
	board    *game
	now      []army
	aims     [][]unitID // of each gun, worked out when it is asked for: nobody moves
	missions []volley
}

// fireForm is the stop fire (EM-S4): a list of missions in the order in which they are fired.
var fireForm = &form[*salvo]{
	Begin: func(v *View, _ engine.Decision) (*salvo, bool) {
		w := &salvo{v: v, board: v.trial(), now: v.acting(), aims: make([][]unitID, len(v.Units))}
		return w, len(w.now) > 0
	},
	Fields: []keyed[*salvo]{play.List("", "none", volleys, rule[*salvo, volley]{
		Next: func(w *salvo) iter.Seq[volley] { return w.next },
		May:  (*salvo).fault,
		Place: func(_ volley, f *play.Fault) []string {
			switch f.Clause {
			case "EM-7.3":
				return []string{"target"}
			case "EM-7.8":
				return []string{"support"}
			}
			return []string{"gun"}
		},
		Put: func(w *salvo, m volley) {
			w.missions = append(w.missions, m)
			w.board.spend(m.gun, m.support.list())
		},
		Say: func(v *View, m volley) engine.Choice {
			return engine.Choice{Of: v.unitText(m.gun), What: v.def(m.target).id}
		},
		Slots: []slot[*salvo, volley]{someOf("support", func(m *volley) *unitSet { return &m.support },
			func(w *salvo, m volley) []unitID { return w.helpers(m.gun, m.target) },
			func(v *View, m volley) string { return v.unitText(m.gun) })},
	})},
	Ends: true,
	Chance: func(x *draft[*salvo], chance *rand.Rand) {
		w := x.World
		for _, gun := range w.guns() {
			aims := w.targets(gun)
			if len(aims) == 0 || chance.IntN(3) == 0 {
				continue
			}
			m := volley{gun: gun, target: aims[chance.IntN(len(aims))]}
			help := w.helpers(m.gun, m.target)
			m.support = setOf(slices.DeleteFunc(help, func(unitID) bool { return chance.IntN(3) > 0 }))
			x.Try("", m)
		}
	},
	Sense: senseFire,
	Note:  noteFire,
	Do: func(p *battlefield, _ engine.Decision, w *salvo) {
		p.Said = true
		for _, m := range w.missions {
			p.Missions = append(p.Missions, mission{Gun: m.gun, Target: m.target, Support: m.support.list()})
		}
	},
}

// volleys are records.
var volleys = play.InShort(play.Record(
	play.Need("gun", units, func(m *volley) *unitID { return &m.gun }),
	play.Need("target", units, func(m *volley) *unitID { return &m.target }),
	play.Of("support", unitSets, func(m *volley) *unitSet { return &m.support }),
), "{gun} - {target} [support {support}]")

// guns lists the guns that may fire still.
func (w *salvo) guns() []unitID {
	return slices.DeleteFunc(w.board.standing(), func(u unitID) bool {
		return !slices.Contains(w.now, w.board.def(u).army) || !w.board.fires(u)
	})
}

// targets lists those of a gun.
func (w *salvo) targets(gun unitID) []unitID {
	if w.aims[gun] == nil {
		w.aims[gun] = append([]unitID{}, w.board.targets(gun)...)
	}
	return w.aims[gun]
}

// helpers lists who may support a mission.
func (w *salvo) helpers(gun, target unitID) []unitID {
	return slices.DeleteFunc(w.board.standing(), func(u unitID) bool {
		return w.board.def(u).arm != artillery || w.board.def(u).army != w.board.def(gun).army || !w.board.supports(u, gun, target)
	})
}

// next lists missions with nobody's support.
func (w *salvo) next(yield func(volley) bool) {
	for _, gun := range w.guns() {
		for _, target := range w.targets(gun) {
			if !yield(volley{gun: gun, target: target}) {
				return
			}
		}
	}
}

// fault says why a mission may not come next.
func (w *salvo) fault(m volley) *play.Fault {
	if !slices.Contains(w.now, w.board.def(m.gun).army) {
		return &play.Fault{Clause: "EM-7.1", Why: phrase.Say("em.fire-not-yours", w.board.unitArg("unit", m.gun))}
	}
	return w.board.fireFault(m.gun, m.target, m.support.list())
}

// A stand is the world of the stop shelled: whether the target stands.
type stand struct {
	target unitID
	stands bool
}

// The words of the stop shelled.
var standWords = []string{"back", "stand"}

// shelledForm is the stop shelled (EM-S5): {red-7: back}, or stand, or the word alone.
var shelledForm = &form[*stand]{
	Clause: "EM-7.9",
	Begin: func(v *View, _ engine.Decision) (*stand, bool) {
		return &stand{target: v.Under.Target}, v.Under.Gun != 0
	},
	Fields: []keyed[*stand]{{
		Single: true,
		Shape:  shape.Either(shape.Words(standWords...), shape.Map(shape.Name("unit"), shape.Words(standWords...))),
		Read: func(x *draft[*stand], r *orders.Reader, n *orders.Node) {
			since := len(r.Problems)
			if n.Kind == orders.Map {
				if len(n.Pairs) != 1 {
					r.Refuse(n, "EM-7.9", phrase.Say("em.shelled-one", x.View.unitArg("unit", x.World.target)))
					return
				}
				if u, ok := units.Read(x.View, r, n.Pairs[0].Key); !ok || u != x.World.target {
					if ok {
						r.Refuse(n.Pairs[0].Key, "EM-7.9", phrase.Say("em.shelled-one", x.View.unitArg("unit", x.World.target)))
					}
					return
				}
				n = n.Pairs[0].Value
			}
			word, ok := r.Word(n, standWords...)
			x.Judge(r, n, "", word == "stand", ok, since)
		},
		Write: func(x *draft[*stand], parts []play.Part) *orders.Node {
			word := standWords[0]
			if len(parts) > 0 && parts[0].Value.(bool) {
				word = standWords[1]
			}
			return orders.Inline().Set(x.View.unitText(x.World.target), orders.Text(word))
		},
		Many: func(_ *stand, n int) *play.Fault {
			if n > 1 {
				return &play.Fault{}
			}
			return nil
		},
		Next: func(*stand) iter.Seq[any] { return slices.Values([]any{false, true}) },
		Put:  func(w *stand, value any) { w.stands = value.(bool) },
		Say: func(v *View, value any) engine.Choice {
			word := standWords[0]
			if value.(bool) {
				word = standWords[1]
			}
			return engine.Choice{Of: v.unitText(v.Under.Target), What: word}
		},
	}},
	Usual: func(x *draft[*stand]) { x.Try("", false) },
	Sense: senseShelled,
	Do: func(p *battlefield, _ engine.Decision, w *stand) {
		s := p.Under
		p.Under = shelling{}
		p.shelled(s.Gun, s.Target, s.Row, w.stands)
	},
}
