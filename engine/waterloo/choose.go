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

// moveOptions are the ways to go on with the moves of a card that have been tried
// on the game, each with all moves: the last piece goes on, or another begins.
func (g *game) moveOptions(f *moveFrame, moves []move) func(func(engine.Choice, []move) bool) {
	return func(yield func(engine.Choice, []move) bool) {
		for s := range g.stridesOn(f, moves) {
			if g.strideFault(f, moves, s) != nil {
				continue
			}
			all := slices.Clone(moves)
			if s.begins {
				all = append(all, s.move())
			}
			if s.enter == 0 {
				m := &all[len(all)-1]
				m.Path = append(slices.Clone(m.Path), s.pace)
			}
			if !yield(g.strideChoice(s), all) {
				return
			}
		}
	}
}

// movesChosen takes moves apart.
func (s *scenario) movesChosen(moves []move) []engine.Choice {
	var list []engine.Choice
	for i := range moves {
		for _, one := range moves[i].strides() {
			list = append(list, s.strideChoice(one))
		}
	}
	return list
}
