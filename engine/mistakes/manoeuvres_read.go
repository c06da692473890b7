package mistakes

import (
	"slices"
	"strconv"
	"strings"

	"berthier/engine/shape"
	"berthier/orders"
	"berthier/orders/phrase"
)

// How the items of the stop manoeuvres are read and written.

// stepKeys are what a manoeuvre may say of its turn and its length.
var stepKeys = []string{"heading", "wheel", "towards", "segments", "mm", "as-far-as", "level-with"}

// turnShapes are the keys of a turn.
var turnShapes = []shape.Key{
	shape.May("heading", shape.Either(shape.Words(append([]string{"auto"}, compass...)...), shape.Number(0, 359))),
	shape.May("wheel", wheelShape),
	shape.May("towards", shape.Either(shape.Name("landmark"), placeShape)),
}

// wheelShape is right 30, or left 30.
var wheelShape = degreesShape(mostWheel, "em.wheel")

// degreesShape is a side with a number of degrees; which words name a side only the judge knows.
func degreesShape(most int, refused string) shape.Shape {
	return shape.Worded("wheel", `^\s*\S+\s+[0-9]+\s*$`, func(text string) phrase.Phrase {
		words := strings.Fields(text)
		if len(words) == 2 {
			if by, err := strconv.Atoi(words[1]); err == nil && by >= 0 && by <= most {
				return phrase.Phrase{}
			}
		}
		return phrase.Say(refused)
	})
}

// stepShape is how an advance or a withdrawal is written.
var stepShape = shape.Either(shape.Words("all"), shape.Record(append(slices.Clone(turnShapes), shape.May("segments", shape.Number(1, mostSegments)),
	shape.May("mm", farShape), shape.May("as-far-as", shape.Words("aoe")), shape.May("level-with", shape.Name("unit")))...))

// verbShapes are the keys of a manoeuvre.
var verbShapes = append([]shape.Key{shape.May("advance", stepShape), shape.May("withdraw", stepShape), shape.May("charge", shape.Name("landmark"))}, turnShapes...)

// moveTexts are items as files have them. They are read by [readMove], which knows the formations
// that items before have made.
var moveTexts = kind[move]{
	Shape: shape.Record(append([]shape.Key{
		shape.Need("formation", shape.List(shape.Name("formation"))), shape.May("part", unitSets.Shape), shape.May("as", shape.Name("formation")),
		shape.May("else", shape.Either(shape.Words("hold"), shape.Record(verbShapes...))),
	}, verbShapes...)...),
	Write: func(v *View, m move) *orders.Node {
		n, ids := orders.Inline(), strings.Fields(m.Of)
		if len(ids) == 1 {
			n.Set("formation", orders.Text(ids[0]))
		} else {
			n.Set("formation", inLine(orders.Texts(ids...)))
		}
		if m.Part != (unitSet{}) {
			n.Set("part", unitSets.Write(v, m.Part)).Set("as", orders.Text(m.As))
		}
		v.stepNode(n, &m.First)
		if m.Else.Does != 0 {
			n.Set("else", v.stepNode(orders.Inline(), &m.Else))
		}
		return n
	},
}

// readMove reads an item in the world that those before it leave behind.
func readMove(w *moving, r *orders.Reader, n *orders.Node) (move, bool) {
	since, m := len(r.Problems), move{}
	w.accepted = r.Accepted
	v := &View{game: w.board, side: w.v.side}
	f := r.Fields(n, "formation", "part", "as", "else", "advance", "withdraw", "charge", "heading", "wheel", "towards")
	if n.Kind != orders.Map {
		return m, false
	}
	if at := r.Require(f, "formation"); at != nil {
		var ids []string
		for _, item := range r.List(at) {
			if id, ok := (&ordered{game: w.board, armies: w.now}).named(r, item); ok {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		m.Of = strings.Join(ids, " ")
	}
	if at := f.Get("part"); at != nil {
		whole := false
		if m.Part, whole = unitSets.Read(v, r, at); !whole {
			w.board.refuseStrangers(v, r, at, w.board.formationNamed(m.Of))
		}
		if m.Of != "" {
			m.As = w.board.freeID(strings.Fields(m.Of)[0])
		}
	}
	if at := f.Get("as"); at != nil {
		m.As, _ = r.Text(at)
		if m.Part == (unitSet{}) {
			r.Refuse(at, "EM-10.1", phrase.Say("em.as-alone"))
		}
	}
	if f := w.board.formationNamed(m.Of); f != nil && m.Part == setOf(f.Units) {
		m.Part, m.As = unitSet{}, "" // all of it
	}
	m.First = readStep(v, r, n, f)
	if at := f.Get("else"); at != nil && !r.Is(at, "hold") {
		m.Else = readStep(v, r, at, r.Fields(at, "advance", "withdraw", "charge", "heading", "wheel", "towards"))
	}
	if r.Accepted && m.Of != "" && m.Else.Does != 0 && w.board.turnFault(w.board.turnOf(w.board.unitsOf(m), &m.Else)) != nil {
		m.Else = step{} // it was accepted once, and could never be made
	}
	return m, len(r.Problems) == since && m.Of != ""
}

// readStep reads a manoeuvre: one of three verbs, with what it says.
func readStep(v *View, r *orders.Reader, n *orders.Node, f orders.Fields) step {
	s, said := step{}, 0
	for does := advancing; does <= charging; does++ {
		if f.Get(mannerWords[does]) != nil {
			s.Does, said = does, said+1
		}
	}
	if said != 1 {
		r.Refuse(n, "EM-10.1", phrase.Say("em.manoeuvre-one"))
		return s
	}
	at := f.Get(mannerWords[s.Does])
	if s.Does == charging {
		readTarget(v, r, at, &s)
		readTurn(v, r, f, &s)
		return s
	}
	for _, key := range []string{"heading", "wheel", "towards"} {
		if one := f.Get(key); one != nil {
			r.Refuse(one, "EM-10.1", phrase.Say("em.turn-inside", phrase.Literal("key", key)))
		}
	}
	if r.Is(at, "all") {
		return s
	}
	inner := r.Fields(at, stepKeys...)
	readTurn(v, r, inner, &s)
	s.straightFault().Refuse(r, at)
	if one := inner.Get("segments"); one != nil {
		s.Segments, _ = r.Int(one, 1, mostSegments)
	}
	if one := inner.Get("mm"); one != nil {
		far, _ := r.Int(one, 1, mostFar)
		s.Far = length(far) * ringStep
	}
	if one := inner.Get("as-far-as"); one != nil {
		_, s.Area = r.Word(one, "aoe")
	}
	if one := inner.Get("level-with"); one != nil {
		s.Level = onField(v, r, one, readUnit(v, r, one))
	}
	return s
}

// readTarget reads whom a charge is on: a unit, or a free leader.
func readTarget(v *View, r *orders.Reader, n *orders.Node, s *step) {
	text, _ := r.Text(n)
	for i := range v.leaders {
		if d := &v.leaders[i]; orders.Fold(text) == orders.Fold(d.id) || orders.Fold(text) == orders.Fold(d.name) {
			s.Prey = leaderID(i + 1)
			return
		}
	}
	s.Target, _ = units.Read(v, r, n)
}

// readTurn reads where a manoeuvre turns: to a heading, by degrees, or towards something.
func readTurn(v *View, r *orders.Reader, f orders.Fields, s *step) {
	said := 0
	once := func(at *orders.Node) {
		if said++; said > 1 {
			r.Refuse(at, "EM-10.1", phrase.Say("em.turn-two"))
		}
	}
	if at := f.Get("heading"); at != nil && !r.Is(at, "auto") {
		s.Turns = byHeading
		s.Turn, _ = readHeading(r, at)
		once(at)
	}
	if at := f.Get("wheel"); at != nil {
		s.Turns = byWheel
		s.Turn = readWheel(r, at)
		once(at)
	}
	if at := f.Get("towards"); at != nil {
		s.Turns = byTarget
		if at.Kind == orders.List {
			s.Point, _ = readWhole(r, at)
		} else {
			s.To = v.steerNamed(r, at)
		}
		once(at)
	}
}

// readWheel reads right 30, or left 30.
func readWheel(r *orders.Reader, n *orders.Node) int { return readDegrees(r, n, mostWheel, "em.wheel") }

// readDegrees reads a side with a number of degrees, to the left a negative one.
func readDegrees(r *orders.Reader, n *orders.Node, most int, refused string) int {
	text, _ := r.Text(n)
	words := strings.Fields(text)
	if len(words) == 2 {
		by, err := strconv.Atoi(words[1])
		switch side := orders.Text(words[0]); {
		case err != nil || by < 0 || by > most:
		case r.Is(side, "right"):
			return by
		case r.Is(side, "left"):
			return -by
		}
	}
	r.Refuse(n, "EM-3.12", phrase.Say(refused))
	return 0
}

// steerNamed reads the name of a unit, a town or a bridge.
func (v *View) steerNamed(r *orders.Reader, n *orders.Node) string {
	id, _ := r.Pick(n, "target", append(v.landmarks(), v.unitChoices(func(u unitID) bool { return v.on(u) && !v.def(u).garrison() })...))
	return id
}
