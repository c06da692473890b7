package league

import (
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league/pair"
	"berthier/adjudicator/league/table"
	"berthier/engine"
	"berthier/orders"
	"berthier/orders/phrase"
)

// division reads a division.
func (r *reader) division(n *orders.Node, s *Setup) {
	f := r.Fields(n, "id", "size", "system", "template", "form", "pairing", "rounds", "copies")
	d := Division{Form: table.RoundRobin, Pairing: table.Single, Copies: 1}
	if id, ok := r.Text(r.Require(f, "id")); ok {
		d.ID = strings.ToLower(strings.TrimSpace(id))
		switch {
		case !intake.GameID.MatchString(d.ID):
			r.Refuse(f.Get("id"), "", phrase.Say("league.id", phrase.Literal("id", id)))
		case slices.ContainsFunc(s.Divisions, func(o Division) bool { return o.ID == d.ID }):
			r.Refuse(f.Get("id"), "", phrase.Say("league.division-twice", phrase.Literal("id", d.ID)))
		}
	}
	var systems []orders.Choice
	for _, name := range r.Games.Names {
		systems = append(systems, orders.Choice{ID: name})
	}
	d.System, _ = r.Pick(r.Require(f, "system"), "setup-system", systems)
	_, d.Scored = r.Games.Systems[d.System].(engine.Scored)
	d.Template, _ = r.Text(r.Require(f, "template"))
	form, pairing := string(d.Form), string(d.Pairing)
	r.word(f.Get("form"), &form, "round-robin", "swiss", "ladder")
	r.word(f.Get("pairing"), &pairing, "single", "double", "trio")
	d.Form, d.Pairing = table.Form(form), table.Pairing(pairing)
	least := 2
	if d.Pairing == table.Trio {
		least = 3
	}
	r.number(r.Require(f, "size"), least, pair.MostMembers, &d.Size)
	r.number(f.Get("copies"), 1, 20, &d.Copies)
	r.rounds(f, &d)
	s.Divisions = append(s.Divisions, d)
}

// rounds reads how many rounds a division has, if its form leaves that open.
func (r *reader) rounds(f orders.Fields, d *Division) {
	n := f.Get("rounds")
	switch {
	case d.Pairing == table.Trio && d.Form != table.RoundRobin:
		r.Refuse(f.Get("form"), "", phrase.Say("league.trio-form"))
	case d.Form == table.Swiss || d.Pairing == table.Trio:
		most := d.Size - 1 // nobody meets anybody twice
		if d.Pairing == table.Trio {
			most = pair.MostMembers
		}
		r.number(r.Require(f, "rounds"), 1, max(1, most), &d.Rounds)
	case n != nil:
		r.Refuse(n, "", phrase.Say("league.no-rounds", phrase.Name("form", phrase.KindKeyword, string(d.Form))))
	}
}

// ties reads the rules that part entries with equal points: a preset, or a list of them.
// Each must be of use in every division.
func (r *reader) ties(n *orders.Node, s *Setup) {
	if n == nil {
		return
	}
	if n.Kind == orders.Scalar {
		if ties, known := table.Preset(strings.ToLower(strings.TrimSpace(n.Text))); known {
			s.Ties = ties
			return
		}
	}
	s.Ties = nil
	items := r.List(n)
	for i, item := range items {
		text, ok := r.Text(item)
		if !ok {
			continue
		}
		tie := table.Tie(strings.ToLower(strings.TrimSpace(text)))
		if slices.Contains(s.Ties, tie) {
			r.Refuse(item, "", phrase.Say("league.tie-twice", phrase.Literal("tie", text)))
			continue
		}
		if tie == table.Lot && i < len(items)-1 {
			r.Refuse(item, "", phrase.Say("league.tie-lot"))
		}
		for _, d := range s.Divisions {
			if d.Form == table.Ladder && slices.Contains(table.All, tie) {
				continue // its places are those of the ladder
			}
			if why := s.Table(d).Refuses(tie); why != "" {
				r.Refuse(item, "", phrase.Say("league.tie-"+string(why), phrase.Literal("tie", text), phrase.Literal("division", d.ID), phrase.Literals("ties", names(table.All))))
				break
			}
		}
		s.Ties = append(s.Ties, tie)
	}
}

// names gives words as texts.
func names[T ~string](all []T) []string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = string(one)
	}
	return texts
}

// moves reads who changes his division after a season.
func (r *reader) moves(n *orders.Node, s *Setup) {
	f := r.Fields(n, "up", "down", "playoff")
	m := &s.Moves
	r.number(f.Get("up"), 0, 20, &m.Up)
	r.number(f.Get("down"), 0, 20, &m.Down)
	playoff := r.Fields(f.Get("playoff"), "up", "down")
	r.number(playoff.Get("up"), 1, 21, &m.PlayoffUp)
	r.number(playoff.Get("down"), 1, 21, &m.PlayoffDown)
	if n == nil {
		return
	}
	for _, d := range s.Divisions {
		if d.Size > 0 && m.Up+m.Down >= d.Size {
			r.Refuse(n, "", phrase.Say("league.moves-many", phrase.Literal("division", d.ID), phrase.Number("size", d.Size)))
		}
	}
	if at := f.Get("playoff"); at != nil && (m.PlayoffUp != m.Up+1 || m.PlayoffDown != m.Down+1) {
		r.Refuse(at, "", phrase.Say("league.playoff", phrase.Number("up", m.Up+1), phrase.Number("down", m.Down+1)))
	}
}

// given are the keys of a game's set-up that the league writes itself.
var given = []string{"game", "title", "seats", "gm", "deadline", "reserves", "silence", "proof", "absence", "seed"}

// templates reads the set-ups of the divisions' games, each with each of the league's
// deadlines, so that no round fails when its games are made.
func (rd *Reader) templates(r *reader, n *orders.Node, s *Setup) {
	items := r.List(n)
	for i := range s.Divisions {
		d := &s.Divisions[i]
		if d.Template == "" || d.System == "" || i >= len(items) {
			continue
		}
		at := r.Under(items[i], "template")
		text, err := rd.File(d.Template)
		if err != nil {
			r.Refuse(at, "", phrase.Say("league.file", phrase.Literal("file", d.Template), phrase.Literal("error", err.Error())))
			continue
		}
		root, problems := orders.ParseNode([]byte(text))
		if root == nil || root.Kind != orders.Map || len(problems) > 0 {
			if len(problems) == 0 {
				problems = orders.Problems{{Why: phrase.Say("office.setup.empty")}}
			}
			r.inTemplate(at, d, "", problems)
			continue
		}
		rd.template(r, at, d, root, s)
	}
}

// inTemplate reports faults of a template at the place that names it.
func (r *reader) inTemplate(at *orders.Node, d *Division, deadlines string, problems orders.Problems) {
	for _, p := range problems {
		why := phrase.Say("league.template", phrase.Literal("file", d.Template), phrase.Number("line", p.Line), phrase.Within("why", p.Why))
		if deadlines != "" {
			why = phrase.Say("league.template-with", phrase.Literal("file", d.Template), phrase.Literal("deadlines", deadlines), phrase.Number("line", p.Line), phrase.Within("why", p.Why))
		}
		r.RefuseWith(at, "", why, p.Remedy)
	}
}

// template reads the set-up of a division's games.
func (rd *Reader) template(r *reader, at *orders.Node, d *Division, root *orders.Node, s *Setup) {
	gr := orders.NewReader(game.Vocabulary)
	for _, key := range given {
		if n := gr.Under(root, key); n != nil {
			r.inTemplate(at, d, "", orders.Problems{{Line: n.Line, Why: phrase.Say("league.given", phrase.Name("key", phrase.KindKeyword, key))}})
			return
		}
	}
	if n := gr.Under(root, "system"); n == nil {
		root = root.Clone().Set("system", orders.Text(d.System))
	} else if n.Text != d.System {
		r.inTemplate(at, d, "", orders.Problems{{Line: n.Line, Why: phrase.Say("league.other-system", phrase.Literal("system", d.System))}})
		return
	}
	seats, sides := orders.Mapping(), rd.Sides(root)
	for _, side := range sides {
		seats.Set(string(side), person(string(side)))
	}
	if want := map[bool]int{false: 2, true: 3}[d.Pairing == table.Trio]; sides != nil && len(sides) != want {
		r.Refuse(at, "", phrase.Say("league.sides", phrase.Literal("file", d.Template), phrase.Number("sides", len(sides)),
			phrase.Name("pairing", phrase.KindKeyword, string(d.Pairing)), phrase.Number("want", want)))
	}
	whole := root.Clone().Set("game", orders.Text("game")).Set("gm", person("umpire")).Set("seats", seats)
	like, problems := rd.Games.ReadNode(whole, nil, nil)
	if len(problems) > 0 {
		r.inTemplate(at, d, "", problems)
		return
	}
	d.Game, d.Rules = root, like.Rules
	for _, deadlines := range s.Deadlines {
		made, problems := rd.Games.ReadNode(whole.Clone().Set("deadline", deadlines.Rule), nil, nil)
		if len(problems) > 0 {
			r.inTemplate(deadlines.Rule, d, deadlines.Name, problems)
		} else if made.Timing.Waits() {
			r.waits(deadlines.Rule)
		}
	}
}

// waits refuses deadlines that wait for who is late, once for all divisions: games of a league have steps against silence.
// Deadlines that are in force are read even so.
func (r *reader) waits(rule *orders.Node) {
	const code = "league.late-wait"
	if r.Given && !slices.ContainsFunc(r.Problems, func(p orders.Problem) bool { return p.Line == rule.Line && p.Why.Code == code }) {
		r.Refuse(rule, "", phrase.Say(code))
	}
}

// person is somebody who stands for any member while a template is tried.
func person(name string) *orders.Node {
	return orders.Mapping().Set("name", orders.Text(name)).Set("address", orders.Text(name+"@league.invalid"))
}

// Sides gives the sides of the game that a set-up sets up, or none if it can't be.
func (rd *Reader) Sides(root *orders.Node) []engine.Side {
	r := orders.NewReader(game.Vocabulary)
	system, ok := r.Text(r.Under(root, "system"))
	rules := rd.Games.Systems[system]
	if !ok || rules == nil {
		return nil
	}
	made := engine.Setup{Options: map[string]string{}}
	if n := r.Under(root, "scenario"); n != nil {
		var all []orders.Choice
		for _, name := range rules.About().Scenarios {
			all = append(all, orders.Choice{ID: name})
		}
		made.Scenario, _ = r.Pick(n, "setup-scenario", all)
	}
	if n := r.Under(root, "options"); n != nil {
		intake.ReadOptions(r, n, rules.About(), made.Options)
	}
	if len(r.Problems) > 0 {
		return nil
	}
	position, err := rules.New(made)
	if err != nil {
		return nil
	}
	return position.Sides()
}
