package mistakes

import (
	"slices"
	"strings"

	"berthier/engine"
	"berthier/engine/play"
	"berthier/orders"
)

// A View is what one seat sees (section 7 of the digest). Nothing on the field is hidden:
// seats differ in what they are asked, and nobody sees what another is asked before it is
// answered. What others have said at the stop that is open is in no position at all.
type View struct {
	*game
	side  engine.Side
	tried *trials // what was found out of it; nil: nothing is kept
}

// view is what a seat sees, made of copies.
func (g *game) view(side engine.Side) *View {
	v := &View{game: g.trial(), side: side, tried: newTrials()}
	if !g.seesMoves(side) {
		v.Missions, v.Moves = nil, nil
		if g.interruptible() { // once nobody may interfere with it any more, what comes next isn't declared yet
			if m, ok := g.declared(); ok {
				v.Moves = []move{m}
			}
		}
	}
	v.answered = nil
	if side != engine.GM {
		for a := blue; a < armies; a++ {
			if a != seatArmy(side) {
				v.standings[a], v.policies[a], v.ruled[a] = nil, play.Policies{}, nil
			}
		}
	}
	v.owed = slices.DeleteFunc(v.owed, func(d engine.Decision) bool { return d.Side != side && side != engine.GM })
	return v
}

// interruptible says whether a manoeuvre has been declared with which somebody may interfere (EM-S9).
func (g *game) interruptible() bool {
	return g.Phase == manoeuvring && slices.ContainsFunc(g.owed, func(d engine.Decision) bool { return d.Kind == stopInterrupt })
}

// Side implements [engine.View].
func (v *View) Side() engine.Side { return v.side }

// Marshal implements [engine.View]: the form of a position, with the seat above it.
func (v *View) Marshal() ([]byte, error) {
	n := orders.Mapping().Set("side", orders.Text(string(v.side)))
	v.node(n)
	return []byte(n.Encode()), nil
}

// Spell implements [engine.View].
func (v *View) Spell(kind, id, language string) string {
	switch kind {
	case "unit":
		if u, ok := v.unitNamed(id); ok {
			if v.def(u).garrison() {
				of, _ := names.Of("garrison", "of", language)
				return of + called(v.def(u).name, language)
			}
			return v.def(u).id + " " + called(v.def(u).name, language)
		}
	case "at": // what a question is about
		if _, ok := v.unitNamed(id); ok {
			return v.Spell("unit", id, language)
		}
		return v.Spell("side", id, language)
	case "called":
		return called(id, language)
	case "on-map":
		return onMap(id, language)
	case "gender.unit": // a unit is feminine, a garrison masculine
		if u, ok := v.unitNamed(id); ok && v.def(u).garrison() {
			return "m"
		}
		return "f"
	case "article.called": // names that are said without one have none
		word, _ := names.Of("article", id, language)
		return word
	case "leader":
		if i := slices.IndexFunc(v.leaders, func(d leaderDef) bool { return d.id == id }); i >= 0 {
			return v.leaders[i].name
		}
	}
	if name, ok := names.Of(kind, id, language); ok {
		return name
	}
	return id
}

// called is a name that the scenario gives, in a language if words/names.*.yaml have it.
func called(name, language string) string {
	if words, ok := names.Of("called", name, language); ok {
		return words
	}
	return name
}

// onMap is such a name as a map has it: without what stands in brackets.
func onMap(name, language string) string {
	short, _, _ := strings.Cut(called(name, language), " (")
	return short
}

// owns says whether the view is that of an army's seat.
func (v *View) owns(a army) bool { return v.seatOf(a) == v.side }

// trial is a copy of the game on which orders are tried. It shares nothing that changes.
func (g *game) trial() *game {
	c := *g
	c.Order, c.Was, c.Placed, c.Apart = slices.Clone(g.Order), slices.Clone(g.Was), slices.Clone(g.Placed), slices.Clone(g.Apart)
	c.Units, c.Formations, c.Leaders = slices.Clone(g.Units), slices.Clone(g.Formations), slices.Clone(g.Leaders)
	for i := range c.Formations {
		c.Formations[i].Units = slices.Clone(c.Formations[i].Units)
	}
	for i := range c.Leaders {
		c.Leaders[i].Lost = slices.Clone(c.Leaders[i].Lost)
	}
	c.Entering, c.Fleeing = slices.Clone(g.Entering), slices.Clone(g.Fleeing)
	c.Joinable, c.Barred = slices.Clone(g.Joinable), slices.Clone(g.Barred)
	c.Moves, c.Rush = slices.Clone(g.Moves), play.Clone(g.Rush)
	c.Back, c.Missions, c.owed = slices.Clone(g.Back), slices.Clone(g.Missions), slices.Clone(g.owed)
	c.Combat, c.answered = play.Clone(g.Combat), slices.Clone(g.answered) // policies are never changed
	return &c
}
