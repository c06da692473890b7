package report

import (
	"fmt"
	"slices"
	"strings"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// count is a number in a table.
func count(n int) phrase.Value { return phrase.Value{Kind: phrase.KindNumber, Num: n} }

// named is a member with his name.
func named(id string, names map[string]string) string {
	return strings.TrimSpace(names[id] + " (" + id + ")")
}

// Tables are the tables of a season, or of one of its divisions. They are made of the results in
// force alone, so they tell nothing of a game that is not over.
func (o Outside) Tables(s *season.Season, division string, names map[string]string) (templates.Letter, error) {
	n := templates.Notice{Subject: phrase.Say("league.table.subject", phrase.Literal("league", s.League))}
	for _, d := range s.Divisions {
		if division != "" && division != d.ID || len(d.Members) == 0 {
			continue
		}
		made, err := s.Table(d.ID)
		if err != nil {
			return templates.Letter{}, err
		}
		n.Tables = append(n.Tables, TableOf(d.ID, made, names))
	}
	if len(n.Tables) == 0 {
		return templates.Letter{}, game.Refuse("league.no-table")
	}
	n.Lines = append(n.Lines, phrase.Say("league.table.how", phrase.Literal("season", s.Plan.Season)))
	return o.notice(n), nil
}

// TableOf is the table of a division, with what parted each from the one above him.
func TableOf(division string, made table.Table, names map[string]string) engine.Table {
	t := engine.Table{Caption: phrase.Say("league.table.division", phrase.Literal("division", division))}
	for _, column := range []string{"place", "member", "points", "games", "won", "drew", "lost", "parted"} {
		t.Head = append(t.Head, engine.Column{Head: phrase.Say("league.table." + column), Right: column != "member" && column != "parted"})
	}
	for i, r := range made.Rows {
		place, parted := text(fmt.Sprint(r.Rank)), text("")
		if r.Rank == 0 {
			place = text("-")
		}
		if i > 0 && r.Rank > 0 && r.Parted != "" {
			parted = say("league.tie." + string(r.Parted))
		}
		t.Rows = append(t.Rows, []phrase.Value{place, text(named(r.Entry, names)), text(table.Write(r.Points)), count(r.Games), count(r.Won), count(r.Drew), count(r.Lost), parted})
	}
	return t
}

// Schedule tells a member whom he meets, for himself or in the place of somebody else, and what came of it.
func (o Outside) Schedule(s *season.Season, member string, names map[string]string) templates.Letter {
	t := engine.Table{}
	for _, column := range []string{"round", "against", "game", "state"} {
		t.Head = append(t.Head, engine.Column{Head: phrase.Say("league.schedule." + column), Right: column == "round"})
	}
	for _, d := range s.Divisions {
		for _, p := range d.Pairings {
			t.Rows = append(t.Rows, scheduled(s, &p, member, names)...)
		}
		for _, b := range d.Byes {
			if b.Member == member {
				t.Rows = append(t.Rows, []phrase.Value{count(b.Round), text(""), text(""), say("league.state.bye")})
			}
		}
	}
	n := templates.Notice{Subject: phrase.Say("league.schedule.subject", phrase.Literal("league", s.League)),
		Lines: []phrase.Phrase{phrase.Say("league.phase." + string(s.Phase))}}
	if len(t.Rows) > 0 {
		n.Tables = []engine.Table{t}
	}
	return o.notice(n)
}

// scheduled are the lines of a pairing in a member's schedule: of all its games if he is paired in it, else of those in which he
// has taken a side over, which count for the member whose side it is.
func scheduled(s *season.Season, p *season.Pairing, member string, names map[string]string) (rows [][]phrase.Value) {
	against := func(of string) string {
		var others []string
		for _, m := range p.Seats {
			if m != of {
				others = append(others, named(m, names))
			}
		}
		return strings.Join(others, ", ")
	}
	own := slices.Contains(p.Seats, member)
	if own && len(p.Games) == 0 {
		rows = append(rows, []phrase.Value{count(p.Round), text(against(member)), text(""), say("league.state.planned")})
	}
	for _, g := range p.Games {
		if own {
			rows = append(rows, []phrase.Value{count(p.Round), text(against(member)), text(g.ID), say(stateOf(s, &g, member))})
		} else if side := slices.Index(g.Players, member); side >= 0 {
			entry := g.Entries[side]
			whom := say("league.schedule.for", phrase.Literal("others", against(entry)), phrase.Literal("entry", named(entry, names)))
			rows = append(rows, []phrase.Value{count(p.Round), whom, text(g.ID), say(stateOf(s, &g, entry))})
		}
	}
	return rows
}

// stateOf is the code of how a game stands for a member: whether it is over, and how it ended.
func stateOf(s *season.Season, g *season.Game, member string) string {
	o := s.Value(g)
	if o.Kind == table.Open {
		return "league.state.playing"
	}
	if i := slices.Index(g.Entries, member); i >= 0 && i < len(o.Places) && o.Kind != table.Annulled {
		return "league.state." + string(o.Places[i])
	}
	return "league.state." + string(o.Kind)
}

// Rating tells a member how he is rated in each system, and what each game of the last period in
// which he played has changed.
func (o Outside) Rating(all []rated.Ladder, member string, side func(setUp string, n int) phrase.Value) templates.Letter {
	n := templates.Notice{Subject: phrase.Say("league.rating.subject")}
	for _, l := range all {
		r, has := l.At(member)
		if !has {
			continue
		}
		line := "league.rating.line"
		if r.Provisional() {
			line = "league.rating.provisional"
		}
		n.Lines = append(n.Lines, phrase.Say(line, phrase.Literal("system", l.System), phrase.Number("rating", int(r.R/100)), phrase.Number("more", int(2*r.RD/100)), phrase.Number("games", l.Played(member))))
		for period := l.Last; period >= 0; period-- {
			why := l.Why(period, member)
			for _, share := range why {
				n.Lines = append(n.Lines, phrase.Say("league.rating.why", phrase.Literal("game", share.Game), phrase.Literal("change", signed(share.Change)), phrase.Number("expected", int(share.Expected/10))))
			}
			if len(why) > 0 {
				break
			}
		}
	}
	for _, l := range all {
		if t := bySide(l, member, side); len(t.Rows) > 0 {
			n.Tables = append(n.Tables, t)
		}
	}
	if len(n.Lines) == 0 {
		n.Lines = []phrase.Phrase{phrase.Say("league.rating.none")}
	}
	return o.notice(n)
}

// bySide is a table of a member's score by side.
func bySide(l rated.Ladder, member string, side func(setUp string, n int) phrase.Value) engine.Table {
	t := engine.Table{Caption: phrase.Say("league.rating.sides", phrase.Literal("system", l.System)),
		Head: []engine.Column{{Head: phrase.Say("league.rating.setup")}, {Head: phrase.Say("league.rating.side")}}}
	for _, name := range []string{"won", "drew", "lost"} {
		t.Head = append(t.Head, engine.Column{Head: phrase.Say("league.table." + name), Right: true})
	}
	for _, s := range l.BySide(member) {
		t.Rows = append(t.Rows, []phrase.Value{text(strings.TrimSuffix(s.SetUp, ".yaml")), side(s.SetUp, s.Side), count(s.Won), count(s.Drew), count(s.Lost)})
	}
	return t
}

// signed writes hundredths with their sign: +12.34.
func signed(hundredths int64) string {
	sign := "+"
	if hundredths < 0 {
		sign, hundredths = "-", -hundredths
	}
	return fmt.Sprintf("%s%d.%02d", sign, hundredths/100, hundredths%100)
}
