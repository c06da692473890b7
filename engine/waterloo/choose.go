package waterloo

import (
	"iter"
	"slices"

	"berthier/engine"
	"berthier/engine/play"
)

// What may be chosen at each stop. All of it is found with the same functions
// that judge an order file, fill the templates and lead the bots: the faults of
// cards, moves, deeds, attacks and commitments, and the lists of shots, deeds,
// losses and retreats.

var _ engine.Chooser = Ruleset{}

// A draft is an answer as far as it has been chosen. It never changes: a choice
// leads to another draft.
type draft interface {
	// options gives what may be chosen next, and the draft that it leads to.
	options(yield func(engine.Choice, draft) bool)
	// reply is what the draft comes to if nothing more is chosen. It is legal.
	reply() play.Reply
}

// A draftStop is answered with several choices, one after the other.
type draftStop interface {
	// begin is the draft of which nothing has been chosen; nil if there is
	// nothing to choose.
	begin(v *View, d engine.Decision) draft
	// chosen takes a reply apart.
	chosen(v *View, d engine.Decision, reply play.Reply) []engine.Choice
}

// A pickStop is answered with one choice.
type pickStop interface {
	// ways gives every reply with its choice.
	ways(v *View, d engine.Decision, yield func(engine.Choice, play.Reply) bool)
}

// begin is the draft of a decision; nil if there is nothing to choose.
func begin(v *View, d engine.Decision) draft {
	switch s := stops[d.Kind].(type) {
	case draftStop:
		return s.begin(v, d)
	case pickStop:
		return picking{v: v, d: d, stop: s}
	}
	return nil
}

// follow makes choices one after the other; false if one of them can't be made.
func follow(dr draft, made []engine.Choice) (draft, bool) {
	for _, c := range made {
		var next draft
		for o, after := range dr.options {
			if o.Same(c) {
				next = after
				break
			}
		}
		if next == nil {
			return dr, false
		}
		dr = next
	}
	return dr, true
}

// Choices implements [engine.Chooser].
func (Ruleset) Choices(view engine.View, d engine.Decision, made []engine.Choice) []engine.Choice {
	if s, ok := stops[d.Kind].(declared); ok {
		return s.Choices(view.(*View), d, made)
	}
	dr := begin(view.(*View), d)
	if dr == nil {
		return nil
	}
	dr, ok := follow(dr, made)
	if !ok {
		return nil
	}
	var list []engine.Choice
	for c := range dr.options {
		if len(made) > 0 {
			c.Shown = "" // it opened up after others
		}
		list = append(list, c)
	}
	return list
}

// Compose implements [engine.Chooser]. What can't be chosen ends the choices.
func (r Ruleset) Compose(view engine.View, d engine.Decision, made []engine.Choice) engine.Answer {
	if s, ok := stops[d.Kind].(declared); ok {
		return play.Answer{To: d, Reply: s.Compose(view.(*View), d, made)}
	}
	dr := begin(view.(*View), d)
	if dr == nil || len(made) == 0 {
		return r.Default(view, d)
	}
	dr, _ = follow(dr, made)
	return play.Answer{To: d, Reply: dr.reply()}
}

// Chosen implements [engine.Chooser].
func (Ruleset) Chosen(view engine.View, d engine.Decision, a engine.Answer) []engine.Choice {
	v, reply := view.(*View), a.(play.Answer).Reply
	switch s := stops[d.Kind].(type) {
	case declared:
		return s.Chosen(v, d, reply)
	case draftStop:
		return s.chosen(v, d, reply)
	case pickStop:
		text := reply.Node().Encode()
		for c, way := range (picking{v: v, d: d, stop: s}).ways {
			if way.Node().Encode() == text {
				c.Shown = ""
				return []engine.Choice{c}
			}
		}
	}
	return nil
}

// picking is the draft of a stop that takes one choice.
type picking struct {
	v    *View
	d    engine.Decision
	stop pickStop
	made play.Reply
}

func (p picking) ways(yield func(engine.Choice, play.Reply) bool) { p.stop.ways(p.v, p.d, yield) }

func (p picking) options(yield func(engine.Choice, draft) bool) {
	if p.made != nil {
		return
	}
	for c, reply := range p.ways {
		next := p
		next.made = reply
		if !yield(c, next) {
			return
		}
	}
}

func (p picking) reply() play.Reply {
	if p.made == nil {
		return stops[p.d.Kind].Fallback(p.v, p.d)
	}
	return p.made
}

// faces are the facings that may be said, keeping it being the first.
var faces = [...]facing{noFacing, north, east, south, west}

// faceText adds a facing to what is chosen.
func faceText(f facing) string {
	if f == noFacing {
		return ""
	}
	return " face " + f.String()
}

func (s shot) text(g *game) string {
	return "artillery by " + g.def(s.by).id + " side " + s.side.String()
}

// commit

// commitOptions are the cards that a role may add to those it commits, each with
// all of them.
func (v *View) commitOptions(b *battleFrame, who role, before []commit) func(func(engine.Choice, []commit) bool) {
	return func(yield func(engine.Choice, []commit) bool) {
		if v.limitFault(b, who, len(before)+1) != nil {
			return
		}
		for one := range v.usesOfHand(b, who) {
			if v.commitFault(b, who, before, one) == nil && !yield(v.commitChoice(one), append(before[:len(before):len(before)], one)) {
				return
			}
		}
	}
}

// usesOfHand are the cards of the army that fights in a role with all their uses.
func (v *View) usesOfHand(b *battleFrame, who role) iter.Seq[commit] {
	return func(yield func(commit) bool) {
		own := v.fighting(b, who)
		if !v.own[own] {
			return
		}
		for _, c := range v.Decks[own].Hand {
			if c == 0 {
				continue
			}
			if !yield(commit{Card: c}) {
				return
			}
			switch v.card(c).action {
			case commandBonus:
				if !yield(commit{Card: c, As: asCommand}) {
					return
				}
			case eliteBonus:
				for _, id := range v.eliteUnits(b, who) {
					if !yield(commit{Card: c, As: asElite, Unit: id}) {
						return
					}
				}
			case artilleryFire:
				if who == b.phasing() {
					continue
				}
				for _, s := range v.shots(own) {
					if !yield(commit{Card: c, As: asArtillery, By: s.by, Side: s.side}) {
						return
					}
				}
			}
		}
	}
}

// commitChoice is a card with its use.
func (v *View) commitChoice(c commit) engine.Choice {
	what := useWords[c.As]
	switch c.As {
	case asElite:
		what += " " + v.def(c.Unit).id
	case asArtillery:
		what = shot{c.By, c.Side}.text(v.game)
	}
	id := v.card(c.Card).id
	return engine.Choice{Of: id, What: what, Shown: id}
}

func (v *View) commitsChosen(cards []commit) []engine.Choice {
	var list []engine.Choice
	for _, c := range cards {
		one := v.commitChoice(c)
		one.Shown = ""
		list = append(list, one)
	}
	return list
}

// Moves, of a card in the round and of one that a reaction has changed.

// trying is the view on a copy of its game, on which steps are tried.
func (v *View) trying() *View { return &View{game: v.trial(), side: v.side, own: v.own} }

// paces gives every pace that a piece may do next.
func (g *game) paces(f *moveFrame, m *move) func(func(pace) bool) {
	return func(yield func(pace) bool) {
		at := square(0)
		if m.Commander != 0 {
			at = g.Commanders[m.Commander].At
		} else {
			at = g.Units[m.Unit].At
		}
		for _, side := range facingsAll {
			try := []pace{{To: g.next(at, side)}}
			if try[0].To == 0 {
				try = nil
			}
			if m.Unit != 0 {
				if len(try) > 0 && g.inChateau(m.Unit) { // WAT-10.9
					for _, face := range facingsAll {
						try = append(try, pace{To: try[0].To, Face: face})
					}
				}
				try = append(try, pace{Face: side})
			}
			for _, p := range try {
				if _, why := g.paceFault(f, m, p); why == nil && !yield(p) {
					return
				}
			}
		}
	}
}

// starts gives every way in which a piece may begin a move on a card: its first
// pace, or its entry.
func (g *game) starts(f *moveFrame) func(func(move) bool) {
	return func(yield func(move) bool) {
		fresh := *f
		fresh.Stopped, fresh.Vacated = false, nil
		first := func(m move) bool {
			if g.startFault(&fresh, &m) != nil {
				return true
			}
			for p := range g.paces(&fresh, &m) {
				m.Path = []pace{p}
				if !yield(m) {
					return false
				}
			}
			return true
		}
		for i := range g.roster {
			id := unitID(i + 1)
			if g.armyOf(id) != f.Army {
				continue
			}
			if g.Units[id].At != 0 {
				if !first(move{Unit: id}) {
					return
				}
				continue
			}
			var at []square
			for _, e := range g.def(id).entries {
				if q := g.entries[e].at; !slices.Contains(at, q) {
					at = append(at, q)
				}
			}
			for _, q := range at {
				m := move{Unit: id, Enter: q}
				if g.startFault(&fresh, &m) != nil {
					continue
				}
				for _, m.EnterFace = range faces {
					if !yield(m) {
						return
					}
				}
			}
		}
		if c := g.commanderOf(f.Army); c != 0 && g.Commanders[c].At != 0 {
			first(move{Commander: c})
		}
	}
}

// moveOptions are the ways to go on with the moves of a card that have been tried
// on the game, each with all moves: the last piece goes on, or another begins.
func (g *game) moveOptions(f *moveFrame, moves []move) func(func(engine.Choice, []move) bool) {
	return func(yield func(engine.Choice, []move) bool) {
		if n := len(moves); n > 0 {
			for p := range g.paces(f, &moves[n-1]) {
				all := slices.Clone(moves)
				all[n-1].Path = append(slices.Clone(all[n-1].Path), p)
				if !yield(engine.Choice{Of: g.pieceID(&moves[n-1]), What: "then " + g.paceText(p)}, all) {
					return
				}
			}
		}
		for m := range g.starts(f) {
			if !yield(g.startChoice(&m), append(moves[:len(moves):len(moves)], m)) {
				return
			}
		}
	}
}

func (s *scenario) pieceID(m *move) string {
	if m.Commander != 0 {
		return s.lead(m.Commander).id
	}
	return s.def(m.Unit).id
}

func (s *scenario) paceText(p pace) string {
	if p.To == 0 {
		return "face " + p.Face.String()
	}
	return s.squareID(p.To) + faceText(p.Face)
}

// startChoice is how a move begins: its first pace, or its entry.
func (s *scenario) startChoice(m *move) engine.Choice {
	if m.Enter != 0 {
		return engine.Choice{Of: s.pieceID(m), What: "enter " + s.squareID(m.Enter) + faceText(m.EnterFace)}
	}
	return engine.Choice{Of: s.pieceID(m), What: "move " + s.paceText(m.Path[0])}
}

// movesChosen takes moves apart.
func (s *scenario) movesChosen(moves []move) []engine.Choice {
	var list []engine.Choice
	for i := range moves {
		m := &moves[i]
		list = append(list, s.startChoice(m))
		rest := m.Path
		if m.Enter == 0 {
			rest = rest[1:]
		}
		for _, p := range rest {
			list = append(list, engine.Choice{Of: s.pieceID(m), What: "then " + s.paceText(p)})
		}
	}
	return list
}

// continue

// continueDraft is how a move goes on: first the unit under way, or nobody, then
// others.
type continueDraft struct {
	v     *View
	a     continueAnswer
	began bool
}

func (continueStop) begin(v *View, d engine.Decision) draft {
	f := under[*moveFrame](v.game)
	if f == nil {
		return nil
	}
	c := continueDraft{v: v, a: continueAnswer{s: v.scenario, going: f.Unit != 0}}
	if c.a.going {
		c.a.moves = []move{{Unit: f.Unit}}
	}
	return c
}

func (c continueDraft) options(yield func(engine.Choice, draft) bool) {
	t, f := c.v.continuing()
	rest := c.a.moves
	if c.a.going {
		if _, why := t.tryPaces(f, &rest[0], true); why != nil {
			return
		}
		if len(rest) == 1 && (!c.began || len(rest[0].Path) > 0) {
			for p := range t.paces(f, &rest[0]) {
				next := c
				next.began = true
				next.a.moves = []move{{Unit: rest[0].Unit, Path: append(slices.Clone(rest[0].Path), p)}}
				if !yield(c.v.onwardChoice(rest[0].Unit, p), next) {
					return
				}
			}
		}
		rest = rest[1:]
	}
	if !c.began {
		next := c
		next.began = true
		yield(engine.Choice{What: "continue none"}, next)
		return
	}
	f.Unit = 0
	for i := range rest {
		if _, why := t.tryPaces(f, &rest[i], false); why != nil {
			return
		}
	}
	for choice, moves := range t.moveOptions(f, rest) {
		next := c
		next.a.moves = append(c.a.moves[:len(c.a.moves)-len(rest):len(c.a.moves)-len(rest)], moves...)
		if !yield(choice, next) {
			return
		}
	}
}

func (v *View) onwardChoice(id unitID, p pace) engine.Choice {
	return engine.Choice{Of: v.def(id).id, What: "continue " + v.paceText(p)}
}

func (c continueDraft) reply() play.Reply { return c.a }

func (continueStop) chosen(v *View, d engine.Decision, reply play.Reply) []engine.Choice {
	a := reply.(continueAnswer)
	var list []engine.Choice
	rest := a.moves
	if a.going && len(rest) > 0 {
		for _, p := range rest[0].Path {
			list = append(list, v.onwardChoice(rest[0].Unit, p))
		}
		rest = rest[1:]
	}
	if len(list) == 0 {
		list = append(list, engine.Choice{What: "continue none"})
	}
	return append(list, v.movesChosen(rest)...)
}
