package setup

import (
	"maps"
	"slices"

	"berthier/adjudicator/intake"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// readPace reads at which pace the seats begin: one word for all of them, or one by seat.
// What a pace decides can't be chosen among the options too. Without the key all begin at
// the pace postal; a set-up that chooses what a pace decides among the options has none, as
// it was before there were paces.
func (rd *Reader) readPace(r *orders.Reader, f orders.Fields, s *Setup, rules engine.Ruleset) {
	n := f.Get("pace")
	if rules == nil || s.position == nil {
		return
	}
	since, sides := len(r.Problems), s.position.Sides()
	policied, ok := rules.(engine.Policied)
	if !ok || len(policied.Policies(s.position.View(sides[0]))) == 0 {
		if n == nil {
			return
		}
		r.RefuseWith(n, "", phrase.Say("office.setup.pace-none", phrase.Literal("system", s.System)), phrase.Say("office.setup.pace-leave"))
		return
	}
	decided := map[string]bool{} // options
	for _, pace := range engine.Paces {
		_, options := policied.Pace(pace)
		for name := range options {
			decided[name] = true
		}
	}
	if n == nil {
		for name := range decided {
			if _, chosen := s.Rules.Options[name]; chosen {
				return
			}
		}
		n = orders.Text(engine.Postal)
	}
	paces := rd.readPaces(r, n, s)
	for _, pace := range engine.Paces {
		_, options := policied.Pace(pace)
		some := slices.ContainsFunc(sides, func(side engine.Side) bool { return paces[side] == pace })
		all := !slices.ContainsFunc(sides, func(side engine.Side) bool { return paces[side] != pace })
		if len(options) > 0 && some && !all {
			r.RefuseWith(n, "", phrase.Say("office.setup.pace-whole", phrase.Name("pace", phrase.KindKeyword, pace)), phrase.Say("office.setup.pace-all", phrase.Name("pace", phrase.KindKeyword, pace)))
		}
	}
	if options := f.Get("options"); options != nil {
		for _, p := range options.Pairs {
			for _, name := range slices.Sorted(maps.Keys(decided)) {
				if _, chosen := s.Rules.Options[name]; chosen && r.Is(p.Key, name) {
					r.RefuseWith(p.Key, "", phrase.Say("office.setup.pace-option", phrase.Literal("option", name)), phrase.Say("office.setup.pace-either", phrase.Literal("option", name)))
				}
			}
		}
	}
	if len(r.Problems) > since {
		return
	}
	at := engine.AtPace(policied, s.Rules, paces)
	position, err := rules.New(at)
	if err != nil {
		r.Refuse(n, "", phrase.Say("office.setup.rules", phrase.Literal("error", err.Error())))
		return
	}
	s.Pace, s.Rules, s.position = paces, at, position
}

// readPaces reads the pace of each seat.
func (rd *Reader) readPaces(r *orders.Reader, n *orders.Node, s *Setup) map[engine.Side]string {
	paces := map[engine.Side]string{}
	if n.Kind != orders.Map {
		if pace, ok := r.Word(n, engine.Paces...); ok {
			for _, side := range s.position.Sides() {
				paces[side] = pace
			}
		}
		return paces
	}
	choices := intake.SideChoices(s.position, rd.Languages)
	for _, p := range n.Pairs {
		id, ok := r.Pick(p.Key, "setup-side", choices)
		pace, sound := r.Word(p.Value, engine.Paces...)
		if _, twice := paces[engine.Side(id)]; ok && twice {
			r.Refuse(p.Key, "", phrase.Say("office.setup.side-twice", phrase.Literal("side", id)))
		}
		if ok && sound {
			paces[engine.Side(id)] = pace
		}
	}
	for _, side := range s.position.Sides() {
		if _, ok := paces[side]; !ok {
			r.RefuseWith(n, "", phrase.Say("office.setup.pace-seat", phrase.Literal("side", string(side))), phrase.Say("office.setup.pace-words", phrase.Keywords("paces", engine.Paces)))
		}
	}
	return paces
}
