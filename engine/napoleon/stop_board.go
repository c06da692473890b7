package napoleon

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
	"berthier/orders/phrase"
)

// A stance is one part of a deployment before a battle: a unit comes to a position,
// or it occupies the farm or hill of the position where it stands.
type stance struct {
	unit  unitID
	at    int // a place of boardWords
	holds piece
}

// boardWords are where a unit may begin a battle, as its player sees the board.
var boardWords = [4]string{"left", "center", "right", "reserve"}

// A boarding is the world of the stops deploy-defender and deploy-attacker.
type boarding struct {
	v     *View
	b     *battle
	own   [4]field // the places of the camp
	units []unitID
	at    []field // by unit; offBoard: not said yet
	holds []piece // by unit
}

// answer gives what has been said.
func (w *boarding) answer() battleDeployAnswer {
	a := battleDeployAnswer{s: w.v.scenario, own: w.b.ownFields(w.v.camp())}
	for _, id := range w.units {
		if w.at[id] != offBoard {
			a.places = append(a.places, deployPlace{id, w.at[id], w.holds[id]})
		}
	}
	a.sort()
	return a
}

// fault tells why a stance may not be added.
func (w *boarding) fault(one stance) *fault {
	v, u := w.v, w.v.unit(one.unit)
	if one.holds == noPiece {
		if w.at[one.unit] != offBoard {
			return refusal("NAP-6.22", "nap.named-twice", v.idArg("unit", one.unit))
		}
		return v.ofUnit(one.unit, w.b.mayStand(u, w.own[one.at]))
	}
	at := w.own[one.at]
	f := w.b.holdFault(u, at, one.holds)
	switch {
	case f != nil:
	case w.at[one.unit] != at:
		f = holdElsewhere
	case v.heldByAlly(w.b, at, one.holds):
		f = faultHeld
	case slices.ContainsFunc(w.units, func(id unitID) bool { return w.at[id] == at && w.holds[id] != noPiece }):
		return &fault{} // a file can't say this
	}
	return v.ofUnit(one.unit, f)
}

// wrong tells what is wrong with the positions as a whole: too many of them are empty, or
// their corps break the rules (NAP-6.22, NAP-6.23). It gives each fault with its position.
func (w *boarding) wrong(at []field, yield func(k int, f *fault)) {
	empty, allowed := 0, w.v.mayLeaveEmpty(w.b, w.v.camp(), at)
	for k, f := range w.own[:3] {
		here := w.v.placedOn(w.b, f, w.units, at)
		name := phrase.Name("field", "field", placeWords[k])
		if len(here) == 0 {
			if empty++; empty > allowed {
				yield(k, refusal("NAP-6.22", "nap.battle-deploy-empty", name))
			}
		}
		if fault := w.v.corpsFault(here); fault != nil {
			yield(k, refusal(fault.Clause, fault.Why.Code, name))
		}
	}
}

// stands tells whether a complete deployment is legal.
func (w *boarding) stands(at []field) bool {
	sound := true
	w.wrong(at, func(int, *fault) { sound = false })
	return sound
}

// placedOn lists who would stand on a position.
func (v *View) placedOn(b *battle, f field, units []unitID, at []field) []*unit {
	here := v.alliesOn(b, f)
	for _, id := range units {
		if at[id] == f {
			here = append(here, v.unit(id))
		}
	}
	return here
}

// usual is the algorithm of section 5.1 of the digest.
func (w *boarding) usual() battleDeployAnswer {
	c := w.v.camp()
	return w.v.deployInOrder(w.b, c, w.v.of(w.v.side, w.v.byCorps(w.b, c)))
}

// completed puts onto the board all units that have no place yet: as by default if
// that is legal; otherwise it fills the positions that are empty and leaves the rest in
// reserve. It is false if no legal deployment begins in this way.
func (w *boarding) completed(at []field) ([]field, bool) {
	v, b := w.v, w.b
	usual := slices.Clone(at)
	for _, l := range w.usual().places {
		if usual[l.unit] == offBoard {
			usual[l.unit] = l.field
		}
	}
	if w.stands(usual) {
		return usual, true
	}
	at = slices.Clone(at)
	for _, f := range w.own[:3] { // two corps in one position need a leader with them
		if v.corpsFault(v.placedOn(b, f, w.units, at)) == nil {
			continue
		}
		for _, id := range w.units {
			if u := v.unit(id); at[id] != offBoard || u.kind != leader || b.mayStand(u, f) != nil {
				continue
			}
			at[id] = f
			if v.corpsFault(v.placedOn(b, f, w.units, at)) == nil {
				break
			}
			at[id] = offBoard
		}
	}
	for _, woods := range [2]bool{true, false} { // woods come first: not every unit can stand there
		for _, f := range w.own[:3] {
			if (b.terrain[f] == wood) != woods || len(v.alliesOn(b, f)) > 0 || slices.Contains(at, f) {
				continue
			}
			for _, id := range w.units {
				if at[id] == offBoard && b.mayStand(v.unit(id), f) == nil {
					at[id] = f
					break
				}
			}
		}
	}
	for _, id := range w.units {
		if at[id] == offBoard {
			at[id] = reserve
		}
	}
	return at, w.stands(at)
}

// battleField is the only field of battleForm: who stands where, and who occupies
// what.
var battleField = formField[*boarding]{
	Shape: boardShape,
	Read:  readBoard,
	Write: func(x *saying[*boarding], _ []play.Part) *orders.Node { return x.World.answer().node() },
	Next:  func(w *boarding) iter.Seq[any] { return w.next },
	May:   func(w *boarding, value any) *fault { return w.fault(value.(stance)) },
	Fits: func(w *boarding, value any) bool {
		one, at := value.(stance), slices.Clone(w.at)
		if one.holds != noPiece {
			return true
		}
		at[one.unit] = w.own[one.at]
		_, ok := w.completed(at)
		return ok
	},
	Put: func(w *boarding, value any) {
		one := value.(stance)
		w.at[one.unit], w.holds[one.unit] = w.own[one.at], one.holds
	},
	Apart: func(w *boarding) []any { // first where all units stand, then what they occupy
		var all, held []any
		for _, l := range w.answer().places {
			k := slices.Index(w.own[:], l.field)
			all = append(all, stance{unit: l.unit, at: k})
			if l.holds != noPiece {
				held = append(held, stance{l.unit, k, l.holds})
			}
		}
		return append(all, held...)
	},
	Say: func(v *View, value any) engine.Choice {
		one := value.(stance)
		if one.holds != noPiece {
			return engine.Choice{Of: v.unitName(one.unit), What: one.holds.String()}
		}
		return engine.Choice{Of: v.unitName(one.unit), What: boardWords[one.at], Shown: boardWords[one.at]}
	},
}

// battleForm is the stops deploy-defender and deploy-attacker: where units begin a
// battle (NAP-6.22).
var battleForm = &form[*boarding]{
	Clause: "NAP-6.22",
	Begin: func(v *View, d engine.Decision) (*boarding, bool) {
		b := v.battleOf(d)
		if b == nil {
			return nil, false
		}
		own := b.ownFields(v.camp())
		return &boarding{v: v, b: b, own: [4]field{own[0], own[1], own[2], reserve}, units: v.ownIn(b.town, v.side),
			at: make([]field, len(v.roster)), holds: make([]piece, len(v.roster))}, true
	},
	Fields: []formField[*boarding]{battleField},
	Usual:  func(x *saying[*boarding]) { sayBoard(x, x.World.usual()) },
	Fill: func(x *saying[*boarding]) {
		w := x.World
		at, _ := w.completed(w.at)
		for _, id := range w.units {
			if w.at[id] == offBoard {
				x.Add("", stance{unit: id, at: slices.Index(w.own[:], at[id])})
			}
		}
	},
	Chance: func(x *saying[*boarding], chance *rand.Rand) { sayBoard(x, x.World.byChance(chance)) },
	Sense:  func(x *saying[*boarding], _ *rand.Rand) { sayBoard(x, x.View.senseBattle(x.World.b, x.To)) },
	Stands: true,
	Note:   noteBoard,
	Do: func(p *campaign, d engine.Decision, w *boarding) {
		b := p.battleOf(d)
		c := b.attacker
		if d.Kind == "deploy-defender" {
			c = c.enemy()
		}
		p.deployBattle(b, c, w.answer())
	},
}

// noteBoard writes above a template what lies in each position, and the corps.
func noteBoard(x *saying[*boarding], n *orders.Node) {
	v, b, c := x.View, x.World.b, x.View.camp()
	var lines []string
	for i, f := range x.World.own[:3] {
		line := placeWords[i]
		if what := b.terrain[f]; what != noPiece {
			line += ", " + what.String()
		}
		if b.stream(f) {
			line += ", " + stream.String()
		}
		if x.To.Kind == "deploy-attacker" {
			if n := v.count(b, f.opposite(), c.enemy()); n > 0 {
				line += ", enemy " + strconv.Itoa(n)
			}
		}
		lines = append(lines, line)
	}
	for _, l := range v.corpsIn(b, c) {
		lines = append(lines, l.name+": "+v.briefs(l.units))
	}
	above(n, lines)
	for i := range n.Pairs { // so that who is put elsewhere need not be struck out
		if p := &n.Pairs[i]; p.Key.Text == "reserve" && len(p.Value.Items) > 1 {
			p.Value = orders.Text("rest")
		}
	}
	n.Spare = x.World.holders(n)
}

// holders are the first who could occupy the farm and the hill, beside the default.
func (w *boarding) holders(n *orders.Node) []string {
	var lines []string
	for _, what := range [2]piece{farm, hill} {
		if n.Get(what.String()) != nil {
			continue
		}
		for _, id := range w.units {
			at := slices.Index(w.own[:3], w.at[id])
			if at >= 0 && w.fault(stance{id, at, what}) == nil {
				lines = append(lines, what.String()+": {"+placeWords[at]+": "+w.v.unitName(id)+"}")
				break
			}
		}
	}
	return lines
}

// sayBoard says a complete deployment that the same judges have found legal.
func sayBoard(x *saying[*boarding], a battleDeployAnswer) {
	for _, l := range a.places {
		x.World.at[l.unit], x.World.holds[l.unit] = l.field, l.holds
	}
	x.Made()
}

// next are the stances that might come next, unit by unit.
func (w *boarding) next(yield func(any) bool) {
	for _, id := range w.units {
		if w.at[id] == offBoard {
			for at := range w.own {
				if !yield(stance{unit: id, at: at}) {
					return
				}
			}
			continue
		}
		for _, what := range [2]piece{farm, hill} {
			if w.holds[id] == noPiece && w.at[id] != reserve && !yield(stance{id, slices.Index(w.own[:], w.at[id]), what}) {
				return
			}
		}
	}
}

// byChance is a deployment with units in random order and some of the reserve brought
// forward.
func (w *boarding) byChance(chance *rand.Rand) battleDeployAnswer {
	v, b := w.v, w.b
	a := v.deployInOrder(b, v.camp(), shuffled(w.units, chance))
	for i := range a.places {
		l := &a.places[i]
		if l.field != reserve || chance.IntN(2) == 0 {
			continue
		}
		f := a.own[chance.IntN(3)]
		if b.mayStand(v.unit(l.unit), f) != nil {
			continue
		}
		l.field = f
		here := v.alliesOn(b, f)
		for _, o := range a.places {
			if o.field == f {
				here = append(here, v.unit(o.unit))
			}
		}
		if v.corpsFault(here) != nil {
			l.field = reserve
		}
	}
	return a
}

// readBoard reads {left: [units], center: ..., right: ..., reserve: ..., farm: {left:
// unit}, hill: ...}. All and rest stand for the units that have no place yet.
func readBoard(x *saying[*boarding], r *orders.Reader, body *orders.Node) {
	v, w := x.View, x.World
	f := r.Fields(body, "left", "center", "right", "reserve", "farm", "hill")
	put := func(id unitID, to int, n *orders.Node) {
		x.Judge(r, n, "", stance{unit: id, at: to}, true, len(r.Problems))
		if w.at[id] == offBoard {
			w.at[id] = w.own[to] // the unit may not stand there, but it is not missing
		}
	}
	type remainder struct {
		to int
		at *orders.Node
	}
	var rest []remainder
	for to, word := range boardWords {
		for _, item := range r.List(f.Get(word)) {
			switch {
			case r.Is(item, "none"):
			case r.Is(item, "all"), r.Is(item, "rest"):
				rest = append(rest, remainder{to, item})
			default:
				if id, ok := v.pickUnit(r, item, w.units); ok {
					put(id, to, item)
				}
			}
		}
	}
	for i, one := range rest {
		if i > 0 {
			r.Refuse(one.at, "NAP-6.22", phrase.Say("nap.battle-rest-twice"))
			continue
		}
		for _, id := range w.units {
			if w.at[id] == offBoard {
				put(id, one.to, one.at)
			}
		}
	}
	if missing := slices.DeleteFunc(slices.Clone(w.units), func(id unitID) bool { return w.at[id] != offBoard }); len(missing) > 0 {
		r.RefuseWith(body, "NAP-6.22", phrase.Say("nap.battle-deploy-missing", v.unitNames("units", missing)), phrase.Say("nap.battle-deploy-remedy"))
	}
	w.wrong(w.at, func(k int, fault *fault) {
		place := f.Get(placeWords[k])
		if place == nil {
			place = body
		}
		fault.Refuse(r, place)
	})
	for _, what := range [2]piece{farm, hill} {
		held := r.Fields(f.Get(what.String()), placeWords[:]...)
		for i, word := range placeWords {
			n := held.Get(word)
			if n == nil || r.Is(n, "none") {
				continue
			}
			if id, ok := v.pickUnit(r, n, w.units); ok {
				x.Judge(r, n, "", stance{id, i, what}, true, len(r.Problems))
			}
		}
	}
}
