package report

import (
	"strings"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/engine"
	"berthier/orders/phrase"
	"berthier/templates"
)

// A Week is what a member reads once a week of a division in which he plays.
type Week struct {
	League, Division string
	Place, Before    int // in the table, now and a week ago; 0: none
	Playing          []Playing
	Results          []season.Game     // of the division, that were taken in the week
	Names            map[string]string // of its members
}

// Playing is a game of a member that is being played.
type Playing struct {
	Game     string
	Stop     int       // that he owes, as his side counts; 0: none
	Deadline time.Time // of that; zero: it has none
}

// Weekly is the letter that a member gets once a week about all his leagues. Of games that are being
// played it says what he owes himself, and nothing else.
func (o Outside) Weekly(parts []Week, moved []RatingMoved) templates.Letter {
	n := templates.Notice{Subject: phrase.Say("league.weekly.subject")}
	for _, w := range parts {
		about := []phrase.Arg{phrase.Literal("league", w.League), phrase.Literal("division", w.Division), phrase.Number("place", w.Place), phrase.Number("before", w.Before)}
		switch {
		case w.Place > 0 && w.Before > 0 && w.Place != w.Before:
			n.Lines = append(n.Lines, phrase.Say("league.weekly.moved", about...))
		case w.Place > 0:
			n.Lines = append(n.Lines, phrase.Say("league.weekly.place", about...))
		}
		for _, p := range w.Playing {
			switch {
			case p.Stop == 0:
				n.Lines = append(n.Lines, phrase.Say("league.weekly.nothing", phrase.Literal("game", p.Game)))
			case p.Deadline.IsZero():
				n.Lines = append(n.Lines, phrase.Say("league.weekly.owes", phrase.Literal("game", p.Game), phrase.Number("stop", p.Stop)))
			default:
				n.Lines = append(n.Lines, phrase.Say("league.weekly.until", phrase.Literal("game", p.Game), phrase.Number("stop", p.Stop), phrase.Within("until", game.Moment(p.Deadline))))
			}
		}
		if len(w.Results) > 0 {
			n.Tables = append(n.Tables, resultsOf(w))
		}
	}
	for _, m := range moved {
		n.Lines = append(n.Lines, phrase.Say("league.weekly.rating", phrase.Literal("system", m.System), phrase.Number("rating", int(m.Rating/100)), phrase.Number("was", int(m.Was/100)),
			phrase.Literals("games", m.Games[:min(len(m.Games), mostMovers)])))
	}
	n.Lines = append(n.Lines, phrase.Say("league.weekly.stop"))
	return o.notice(n)
}

// RatingMoved is that a rating of the member's is another one than a week ago.
type RatingMoved struct {
	System      string
	Rating, Was int64    // in hundredths of a point
	Games       []string // that moved it
}

// mostMovers is how many games that moved a rating a letter names.
const mostMovers = 8

// resultsOf is a table of the results that were taken in a week.
func resultsOf(w Week) engine.Table {
	t := engine.Table{Caption: phrase.Say("league.weekly.results", phrase.Literal("league", w.League), phrase.Literal("division", w.Division)),
		Head: []engine.Column{{Head: phrase.Say("league.weekly.game")}, {Head: phrase.Say("league.weekly.winner")}, {Head: phrase.Say("league.weekly.others")}}}
	for _, g := range w.Results {
		var first, others []string
		for i, m := range g.Entries {
			if i < len(g.Result.Places) && g.Result.Places[i] != table.Lost {
				first = append(first, named(m, w.Names))
			} else {
				others = append(others, named(m, w.Names))
			}
		}
		t.Rows = append(t.Rows, []phrase.Value{text(g.ID), text(strings.Join(first, ", ")), text(strings.Join(others, ", "))})
	}
	return t
}

// Waiting is what of a league waits for a person.
type Waiting struct {
	League string
	Phase  string   // of a season that a secretary may take further; "": none
	Asked  []string // members who want to enter
	Closed []string // games that are over without a result
	Still  []string // games that stand still, or have a seat without a player
	Alone  []string // games that nobody looks after: their umpire is silent or has a stake, and there is no other
	Claims []string // games whose final results are others by now

	Protests []string  // games about which a member has protested
	Ending   []string  // games that are near their end, and will be counted before it
	Until    time.Time // when they will
	Unruled  []string  // games in which something has waited for an umpire for a week
	Thrown   []string  // games that somebody resigned early, and on which it hangs who goes up or down
}

// Desk is the letter that a secretary gets once a week: only what waits for a person.
func (o Outside) Desk(all []Waiting) templates.Letter {
	n := templates.Notice{Subject: phrase.Say("league.desk.subject")}
	for _, w := range all {
		league := phrase.Literal("league", w.League)
		if w.Phase != "" {
			n.Lines = append(n.Lines, phrase.Say("league.desk."+w.Phase, league))
		}
		if len(w.Ending) > 0 {
			n.Lines = append(n.Lines, phrase.Say("league.desk.ending", league, phrase.Literal("until", w.Until.Format(time.DateOnly)), phrase.Literals("ids", w.Ending)))
		}
		for _, list := range []struct {
			code string
			ids  []string
		}{{"league.desk.asked", w.Asked}, {"league.desk.closed", w.Closed}, {"league.desk.still", w.Still}, {"league.desk.contested", w.Claims}, {"league.desk.alone", w.Alone}, {"league.desk.protests", w.Protests}, {"league.desk.thrown", w.Thrown}, {"league.desk.unruled", w.Unruled}} {
			if len(list.ids) > 0 {
				n.Lines = append(n.Lines, phrase.Say(list.code, league, phrase.Literals("ids", list.ids)))
			}
		}
	}
	return o.notice(n)
}
