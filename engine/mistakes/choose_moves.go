package mistakes

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"berthier/engine/geometry"
	"berthier/engine/play"
)

// What may be chosen of manoeuvres: of an item of the stop manoeuvres, and of an action out of
// sequence.

// A stepping says where in a value of T a manoeuvre stands.
type stepping[W, T any] struct {
	pre  string // stands before each word
	at   func(*T) *step
	has  func(T) bool // whether the value has the manoeuvre
	view func(W) *game
	side func(W) []army // who acts
	may  func(W, T) bool
	of   func(*View, T) string
}

// measures of a manoeuvre as files have them.
const (
	mostSegments = 9
	mostFar      = 999 // millimetres
)

// with is a value whose manoeuvre is changed; the manoeuvre itself is copied.
func (s *stepping[W, T]) with(o T, change func(*step)) T {
	change(s.at(&o))
	return o
}

// slots are what may be said of the manoeuvre.
func (s *stepping[W, T]) slots() []slot[W, T] {
	aimed := func(o T) bool { x := s.at(&o); return x.Does != charging || x.Target != 0 || x.Prey != 0 }
	legal := func(w W, o T) bool { return s.has(o) && aimed(o) && s.may(w, o) }
	number := func(word string, low, high int, turns bearingBy, at func(*step) int, with func(*step, int)) slot[W, T] {
		return byNumber(s.pre+word, low, high, func(o T) int {
			if x := s.at(&o); s.has(o) && x.Turns == turns {
				return at(x)
			}
			return low - 1
		}, func(o T, n int) T { return s.with(o, func(x *step) { x.Turns = turns; with(x, n) }) },
			func(w W, o T) bool { return s.at(&o).Does != withdrawing && legal(w, o) }, s.of)
	}
	turn := func(word string, low, high int, turns bearingBy, at func(*step) int, with func(*step, int)) slot[W, T] {
		one := number(word, low, high, turns, at, with)
		next := one.Next
		one.Next = func(w W, o T) iter.Seq[play.Span[T]] {
			if x := s.at(&o); x.Turns != straight && !(word == "towards y" && x.Turns == byTarget && x.To == "") {
				return none[T] // it says already where it turns
			}
			return next(w, o)
		}
		return one
	}
	far := func(word string, most int, at func(*step) int, with func(*step, int)) slot[W, T] {
		return byNumber(s.pre+word, 1, most, func(o T) int { return at(s.at(&o)) }, func(o T, n int) T { return s.with(o, func(x *step) { with(x, n) }) },
			func(w W, o T) bool { return s.has(o) && s.at(&o).Does != charging && s.may(w, o) }, s.of)
	}
	mm := func(x *step, n int) { x.Far = length(n) * ringStep }
	return []slot[W, T]{
		s.targets(),
		turn("heading", 0, 359, byHeading, func(x *step) int { return x.Turn }, func(x *step, n int) { x.Turn = n }),
		turn("wheel right", 0, mostWheel, byWheel, func(x *step) int { return x.Turn }, func(x *step, n int) { x.Turn = n }),
		turn("wheel left", 1, mostWheel, byWheel, func(x *step) int { return -x.Turn }, func(x *step, n int) { x.Turn = -n }),
		s.names(),
		turn("towards x", -mostPoint, mostPoint, byTarget, pointAt(func(p place) int64 { return p.X }), func(x *step, n int) { x.To, x.Point.X = "", int64(n)*ringStep }),
		turn("towards y", -mostPoint, mostPoint, byTarget, pointAt(func(p place) int64 { return p.Y }), func(x *step, n int) { x.Point.Y = int64(n) * ringStep }),
		far("segments", mostSegments, func(x *step) int { return x.Segments }, func(x *step, n int) { x.Segments = n }),
		far("mm", mostFar, func(x *step) int { return int(x.Far / ringStep) }, mm),
		byFlag(s.pre+"as-far-as aoe", func(o *T) *bool { return &s.at(o).Area },
			func(w W, o T) bool { return s.has(o) && s.at(&o).Does != charging && s.may(w, o) }, s.of),
		s.level(),
	}
}

// mostPoint is how far off a point may lie towards which a manoeuvre goes, in millimetres.
const mostPoint = int(reach)/ringStep - 1

// pointAt is one of the numbers of the point towards which a manoeuvre goes; too low for any if it
// goes towards a name.
func pointAt(n func(place) int64) func(*step) int {
	return func(x *step) int {
		if x.To != "" {
			return -mostPoint - 1
		}
		return int(n(x.Point) / ringStep)
	}
}

// targets is the slot of whom a charge is on.
func (s *stepping[W, T]) targets() slot[W, T] {
	return byWord(func(w W, o T) iter.Seq[T] {
		return func(yield func(T) bool) {
			if !s.has(o) || s.at(&o).Does != charging {
				return
			}
			g, own := s.view(w), s.side(w)
			for _, e := range g.standing() {
				next := s.with(o, func(x *step) { x.Target = e })
				if g.foe(own, e) && s.may(w, next) && !yield(next) {
					return
				}
			}
			for l := leaderID(1); int(l) < len(g.Leaders); l++ {
				next := s.with(o, func(x *step) { x.Prey = l })
				if g.preyOf(own, l) && s.may(w, next) && !yield(next) {
					return
				}
			}
		}
	}, func(v *View, o T) string {
		switch x := s.at(&o); {
		case !s.has(o) || x.Does != charging:
			return ""
		case x.Prey != 0:
			return s.pre + "on " + v.lead(x.Prey).id
		default:
			return s.pre + "on " + v.unitText(x.Target)
		}
	}, s.of)
}

// foe says whether a unit is an enemy of armies.
func (g *game) foe(own []army, e unitID) bool {
	return g.on(e) && !slices.ContainsFunc(own, func(a army) bool { return a.allied(g.def(e).army) })
}

// preyOf says whether a leader is a free enemy of armies (EM-10.15).
func (g *game) preyOf(own []army, l leaderID) bool {
	return g.Leaders[l].At != (place{}) && !slices.ContainsFunc(own, func(a army) bool { return a.allied(g.lead(l).army) })
}

// names is the slot of what a manoeuvre goes towards.
func (s *stepping[W, T]) names() slot[W, T] {
	return byWord(func(w W, o T) iter.Seq[T] {
		return func(yield func(T) bool) {
			if x := s.at(&o); !s.has(o) || x.Does == withdrawing || x.Turns != straight || x.Does == charging && x.Target == 0 && x.Prey == 0 {
				return
			}
			for _, id := range s.view(w).steers() {
				if next := s.with(o, func(x *step) { x.Turns, x.To = byTarget, id }); s.may(w, next) && !yield(next) {
					return
				}
			}
		}
	}, func(v *View, o T) string {
		if x := s.at(&o); s.has(o) && x.Turns == byTarget && x.To != "" {
			return s.pre + "towards " + v.steerNode(x).Text
		}
		return ""
	}, s.of)
}

// steers lists what a manoeuvre may go towards by name: towns, bridges and units.
func (g *game) steers() []string {
	var all []string
	for i := range g.areas {
		if g.areas[i].kind == town {
			all = append(all, g.areas[i].id)
		}
	}
	for i := range g.bridges {
		all = append(all, g.bridges[i].id)
	}
	for _, u := range g.standing() {
		if !g.def(u).garrison() {
			all = append(all, g.def(u).id)
		}
	}
	return all
}

// level is the slot of the unit with which a manoeuvre ends level.
func (s *stepping[W, T]) level() slot[W, T] {
	return byWord(func(w W, o T) iter.Seq[T] {
		return func(yield func(T) bool) {
			if !s.has(o) || s.at(&o).Does == charging {
				return
			}
			for _, u := range s.view(w).standing() {
				if next := s.with(o, func(x *step) { x.Level = u }); s.may(w, next) && !yield(next) {
					return
				}
			}
		}
	}, func(v *View, o T) string {
		if x := s.at(&o); x.Level != 0 {
			return s.pre + "level-with " + v.unitText(x.Level)
		}
		return ""
	}, s.of)
}

// moveSlots are what may be said of an item of the stop manoeuvres besides who makes it, and how.
var moveSlots = func() []slot[*moving, move] {
	of := func(_ *View, m move) string { return m.Of }
	acts := func(w *moving) []army { return w.now }
	board := func(w *moving) *game { return w.board }
	first := &stepping[*moving, move]{at: func(m *move) *step { return &m.First }, has: func(move) bool { return true }, view: board, side: acts, of: of,
		may: func(w *moving, m move) bool { return w.can(w.whole(m)) }}
	other := &stepping[*moving, move]{pre: "else ", view: board, side: acts, of: of, has: func(m move) bool { return m.Else.Does != 0 },
		at: func(m *move) *step { return &m.Else }, may: first.may}
	all := []slot[*moving, move]{
		byWord(func(w *moving, m move) iter.Seq[move] {
			return func(yield func(move) bool) {
				f := w.board.formationNamed(m.Of)
				if f == nil {
					return
				}
				for _, part := range subsets(f.Units, func(part []unitID) bool { return w.board.splitFault(f, part) == nil }) {
					next := m
					if next.Part, next.As = setOf(part), w.board.freeID(m.Of); first.may(w, next) && !yield(next) {
						return
					}
				}
			}
		}, func(v *View, m move) string {
			if m.Part == (unitSet{}) {
				return ""
			}
			return "part " + v.unitsText(m.Part.list())
		}, of),
		partName(func(m *move) *string { return &m.As }, func(m move) string { return m.Of },
			func(m move) bool { return m.Part != (unitSet{}) }, func(w *moving, id string) bool { return w.board.taken(id) }),
	}
	all = append(all, first.slots()...)
	all = append(all, byWord(func(w *moving, m move) iter.Seq[move] {
		return func(yield func(move) bool) {
			for does := advancing; does <= charging; does++ {
				if m.First.Does == charging && m.First.Target == 0 && m.First.Prey == 0 {
					return // whom it is on comes first
				}
				if m.Else = (step{Does: does}); first.may(w, m) && !yield(m) {
					return
				}
			}
		}
	}, func(_ *View, m move) string {
		if m.Else.Does == 0 {
			return ""
		}
		return "else " + mannerWords[m.Else.Does]
	}, of))
	return append(all, other.slots()...)
}()

// whole completes an item: a charge is on whom it may be, else on the nearest enemy; what can't be made
// now is left for an advance in its place.
func (w *moving) whole(m move) move {
	if w.board.formationNamed(strings.Fields(m.Of)[0]) == nil {
		return m
	}
	units := w.board.unitsOf(m)
	aim := func(s *step, offers []chargeOffer) {
		if s.Does != charging || s.Target != 0 || s.Prey != 0 {
			return
		}
		for _, one := range offers {
			if s.Target = one.target; w.tried.can(w.board, units, s) {
				return
			}
		}
		s.Target = w.board.nearestTo(units[0])
	}
	if m.First.Does == charging && m.First.Target == 0 && m.First.Prey == 0 {
		aim(&m.First, w.tried.charges(w.board, units))
		if offers := w.tried.preys(w.board, units); len(offers) > 0 && !w.tried.can(w.board, units, &m.First) {
			m.First.Target, m.First.Prey = 0, offers[0].prey // no unit can be charged
		}
	}
	aim(&m.Else, nil)
	if m.Else.Does == 0 && !w.tried.can(w.board, units, &m.First) {
		m.Else.Does = advancing
	}
	return m
}

// groups lists the formations that may act together, each group as one item names it (EM-10.9).
func (w *moving) groups() []string {
	var all []string
	for i := range w.board.Formations {
		f := &w.board.Formations[i]
		if !slices.Contains(w.now, w.board.army(f.Corps)) {
			continue
		}
		united := w.board.united(f)
		slices.SortFunc(united, func(a, b *formation) int { return strings.Compare(a.ID, b.ID) })
		if len(united) < 2 || united[0] != f {
			continue
		}
		for bits := 1; bits < 1<<len(united); bits++ {
			var names []string
			for j, one := range united {
				if bits&(1<<j) != 0 {
					names = append(names, one.ID)
				}
			}
			if len(names) > 1 {
				all = append(all, strings.Join(names, " "))
			}
		}
	}
	return all
}

// reactionSlots are what may be said of an action out of sequence besides who acts, and how.
var reactionSlots = func() []slot[*reacting, reaction] {
	of := func(v *View, x reaction) string { return v.reactor(x) }
	does := &stepping[*reacting, reaction]{at: func(x *reaction) *step { return &x.does }, has: func(x reaction) bool { return x.does.Does != 0 }, of: of,
		view: func(w *reacting) *game { return w.view.game }, side: func(w *reacting) []army { return w.armies },
		may: func(w *reacting, x reaction) bool { return w.can(w.whole(x)) }}
	all := []slot[*reacting, reaction]{byWord(func(w *reacting, x reaction) iter.Seq[reaction] {
		return func(yield func(reaction) bool) {
			if x == (reaction{}) {
				return
			}
			f := w.view.of(x.units.list()[0])
			for _, part := range subsets(f.Units, func(part []unitID) bool { return w.view.splitFault(f, part) == nil }) {
				next := x
				if next.units = setOf(part); does.may(w, next) && !yield(next) {
					return
				}
			}
		}
	}, func(v *View, x reaction) string {
		if f := v.of(append(x.units.list(), 0)[0]); f == nil || len(x.units.list()) == len(f.Units) {
			return ""
		}
		return "part " + v.unitsText(x.units.list())
	}, of)}
	all = append(all, does.slots()...)
	all = append(all, anewSlots(func(x reaction) *redeployment { return x.anew }, func(x reaction, d *redeployment) reaction {
		x.anew = d
		return x
	}, func(w *reacting, x reaction) *refit {
		if x.anew == nil {
			return nil
		}
		return w.refit(x)
	})...)
	return append(all,
		byFlag("points keep", func(x *reaction) *bool { return &x.keep }, func(w *reacting, x reaction) bool { return does.may(w, x) }, of),
		byWord(func(w *reacting, x reaction) iter.Seq[reaction] {
			return func(yield func(reaction) bool) {
				for l := leaderID(1); int(l) < len(w.view.Leaders); l++ {
					if x.by = l; x.units != (unitSet{}) && does.may(w, x) && !yield(x) {
						return
					}
				}
			}
		}, func(v *View, x reaction) string {
			if x.by == 0 {
				return ""
			}
			return "pay " + v.lead(x.by).id
		}, of))
}()

// whole completes an action out of sequence: a charge is on whom it may be, a redeployment one segment
// back, and whoever can pays.
func (w *reacting) whole(x reaction) reaction {
	units := x.units.list()
	if len(units) == 0 || w.view.of(units[0]) == nil {
		return x
	}
	if x.by == 0 {
		x.by = w.view.payer(w.view.of(units[0]), units, x.keep)
	}
	if x.by == 0 || w.view.actorsFault(w.armies, x) != nil {
		return x
	}
	if x.anew != nil {
		x.anew = w.refitted(x)
	}
	if x.does.Does == charging && x.does.Target == 0 && x.does.Prey == 0 {
		for _, one := range w.tried.charges(w.view.game, units) {
			if x.does.Target = one.target; w.tried.can(w.view.game, units, &x.does) {
				break
			}
		}
	}
	return x
}

// refit is what a redeployment out of sequence is judged by.
func (w *reacting) refit(x reaction) *refit {
	units := x.units.list()
	if x.by == 0 {
		x.by = w.view.payer(w.view.of(units[0]), units, x.keep)
	}
	return &refit{files: w.view.game, board: w.view.aside(x), first: w.view.reactor(x),
		may: w.view.those(x.units.has),
		legal: func(d *redeployment) bool {
			x.anew = d
			return w.view.reactionFault(w.armies, x) == nil
		}}
}

// refitted completes a redeployment out of sequence: one of which nothing is said goes one segment back, or
// turns about.
func (w *reacting) refitted(x reaction) *redeployment {
	r := w.refit(x)
	if len(x.anew.spots)+len(x.anew.groups) > 0 {
		if d := r.complete(x.anew); d != nil {
			return d
		}
		return &redeployment{} // it will be refused
	}
	var last *redeployment
	for _, s := range w.view.usualShifts() {
		all := &formation{ID: r.first, Units: x.units.list()}
		if last = w.view.shift(all, s); r.legal(last) {
			break
		}
	}
	return last
}

// can says whether reactionFault has nothing to say.
func (w *reacting) can(x reaction) bool {
	if x == (reaction{}) {
		return true
	}
	if x.anew != nil || x.units == (unitSet{}) {
		return w.view.reactionFault(w.armies, x) == nil
	}
	return w.view.actorsFault(w.armies, x) == nil && w.tried.can(w.view.game, x.units.list(), &x.does)
}

// trials are what was found out about manoeuvres on a field on which nothing moves: whom units may
// charge, and with which turns they reach a leader, or an engagement area.
type trials struct {
	sync.Mutex
	found map[trial]any // only looked up
}

func newTrials() *trials { return &trials{found: map[trial]any{}} }

// of gives what was found out, or finds it out.
func (t *trials) of(key trial, find func() any) any {
	t.Lock()
	defer t.Unlock()
	if t.found[key] == nil {
		t.found[key] = find()
	}
	return t.found[key]
}

// trials gives what was found out of the field of a view.
func (v *View) trials() *trials {
	if v.tried == nil {
		return newTrials()
	}
	return v.tried
}

// reserved lists who may reinforce a combat (EM-11.7).
func (v *View) reserved() []reserve {
	return v.trials().of(trial{reserves: true}, func() any { return v.reserves() }).([]reserve)
}

// reached says whom a pursuit reaches (EM-11.9).
func (v *View) reached(of arm, step int) map[int][]unitID {
	return v.trials().of(trial{chase: true, of: of, step: step}, func() any { return v.game.reached(of, step) }).(map[int][]unitID)
}

// A trial is one of them; without a leader and an area it is about charges on units.
type trial struct {
	reserves bool // who may reinforce
	chase    bool // whom a pursuit reaches
	of       arm
	step     int
	units    unitSet
	prey     leaderID
	preys    bool // which leaders
	area     bool
}

// charges lists whom units may charge.
func (t *trials) charges(g *game, units []unitID) []chargeOffer {
	return t.of(trial{units: setOf(units)}, func() any { return g.chargesOf(units) }).([]chargeOffer)
}

// preys lists the free leaders whom units may charge.
func (t *trials) preys(g *game, units []unitID) []chargeOffer {
	return t.of(trial{units: setOf(units), preys: true}, func() any { return g.preysOf(units) }).([]chargeOffer)
}

// can says whether units may make a manoeuvre as it is ordered.
func (t *trials) can(g *game, units []unitID, s *step) bool {
	if g.goneFault(s) != nil || g.turnFault(g.turnOf(units, s)) != nil {
		return false
	}
	most := g.wheelMost()
	if s.Does == charging && s.Prey == 0 {
		i := slices.IndexFunc(t.charges(g, units), func(o chargeOffer) bool { return o.target == s.Target })
		if i < 0 || s.Turns == straight {
			return i >= 0
		}
		turn := int64(g.turnOf(units, s))
		return slices.ContainsFunc(t.charges(g, units)[i].turns, func(x geometry.Span) bool { return x.Low <= turn && turn <= x.High })
	}
	if s.Does != charging && !s.Area {
		return true
	}
	good := t.of(trial{units: setOf(units), prey: s.Prey, area: s.Area}, func() any {
		good := make([]bool, 2*most+1)
		for i := range good {
			by := step{Does: s.Does, Prey: s.Prey, Area: s.Area, Turns: byWheel, Turn: i - most}
			m, fault := g.resolve(units, &by)
			good[i] = fault == nil && g.wayFault(m) == nil
		}
		return good
	}).([]bool)
	if s.Does == charging && s.Turns == straight {
		return slices.Contains(good, true)
	}
	return good[g.turnOf(units, s)+most]
}

// turnOf is the turn that a manoeuvre names; 0 for none.
func (g *game) turnOf(units []unitID, s *step) int {
	switch most := g.wheelMost(); s.Turns {
	case byTarget:
		from := geometry.Point(g.Units[units[0]].At)
		return min(max(g.turnFrom(units, int(bearing(from, g.steersBy(s)))), -most), most)
	case byHeading:
		return g.turnFrom(units, s.Turn)
	case byWheel:
		return s.Turn
	}
	return 0
}
