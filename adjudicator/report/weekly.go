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

// A Week is what a member reads once a week of a division in which he plays, for himself or for somebody else, or of a season
// in which he waits for a place.
type Week struct {
	League, Division string // "": he waits
	Place, Before    int    // in the table, now and a week ago; 0: none
	Playing          []Playing
	News             []News            // of the division
	Names            map[string]string // of its members
	Waits            int               // his place among those who wait, from 1; 0: he does not wait
	Rests            bool              // he takes no sides of others
	Offers           []Playing         // sides that he may take over, until a deadline
}

// News is a game that counts as something else than a week ago.
type News struct {
	Game     season.Game
	Now, Was season.Outcome
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
		switch {
		case w.Waits > 0 && w.Rests:
			n.Lines = append(n.Lines, phrase.Say("league.weekly.rests", about...))
		case w.Waits > 0:
			n.Lines = append(n.Lines, phrase.Say("league.weekly.waits", phrase.Literal("league", w.League), phrase.Number("place", w.Waits)))
		}
		for _, p := range w.Offers {
			n.Lines = append(n.Lines, phrase.Say("league.weekly.offered", phrase.Literal("game", p.Game), phrase.Within("until", game.Moment(p.Deadline))))
		}
		if len(w.News) > 0 {
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

// resultsOf is a table of what has become of games in a week.
func resultsOf(w Week) engine.Table {
	t := engine.Table{Caption: phrase.Say("league.weekly.results", phrase.Literal("league", w.League), phrase.Literal("division", w.Division))}
	for _, column := range []string{"game", "winner", "others", "how"} {
		t.Head = append(t.Head, engine.Column{Head: phrase.Say("league.weekly." + column)})
	}
	for _, n := range w.News {
		counts := n.Now.Kind != table.Annulled && n.Now.Kind != table.Cancelled
		var first, others []string
		for i, m := range n.Game.Entries {
			if counts && i < len(n.Now.Places) && n.Now.Places[i] != table.Lost {
				first = append(first, named(m, w.Names))
			} else {
				others = append(others, named(m, w.Names))
			}
		}
		t.Rows = append(t.Rows, []phrase.Value{text(n.Game.ID), text(strings.Join(first, ", ")), text(strings.Join(others, ", ")), howOf(n)})
	}
	return t
}

// howOf says how a game came to count as it does; nothing where it was played to its end, and was open before.
func howOf(n News) phrase.Value {
	elsewhere := n.Game.Foreign != nil && n.Game.Ruled == nil
	code := map[table.Kind]string{
		table.Open:          "league.weekly.open",
		table.Adjudicated:   "league.weekly.adjudicated",
		table.Forfeit:       "league.weekly.forfeit",
		table.DoubleForfeit: "league.state.double-forfeit",
		table.Cancelled:     "league.state.cancelled",
		table.Annulled:      "league.state.annulled",
	}[n.Now.Kind]
	again := n.Was.Kind != table.Open && n.Now.Kind != table.Open
	switch {
	case elsewhere && n.Now.Kind == table.Played:
		code = "league.weekly.elsewhere"
	case code == "" && again:
		return say("league.weekly.another")
	case code == "":
		return text("")
	}
	if again {
		return say("league.weekly.instead", phrase.Within("how", phrase.Say(code)))
	}
	return say(code)
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

// Waits is the letter that a secretary gets once a week: only what waits for a person.
func (o Outside) Waits(all []Waiting) templates.Letter {
	n := templates.Notice{Subject: phrase.Say("league.secretary.subject")}
	for _, w := range all {
		league := phrase.Literal("league", w.League)
		if w.Phase != "" {
			n.Lines = append(n.Lines, phrase.Say("league.secretary."+w.Phase, league))
		}
		if len(w.Ending) > 0 {
			n.Lines = append(n.Lines, phrase.Say("league.secretary.ending", league, phrase.Literal("until", w.Until.Format(time.DateOnly)), phrase.Literals("ids", w.Ending)))
		}
		for _, list := range []struct {
			code string
			ids  []string
		}{{"league.secretary.asked", w.Asked}, {"league.secretary.closed", w.Closed}, {"league.secretary.still", w.Still}, {"league.secretary.contested", w.Claims}, {"league.secretary.alone", w.Alone}, {"league.secretary.protests", w.Protests}, {"league.secretary.thrown", w.Thrown}, {"league.secretary.unruled", w.Unruled}} {
			if len(list.ids) > 0 {
				n.Lines = append(n.Lines, phrase.Say(list.code, league, phrase.Literals("ids", list.ids)))
			}
		}
	}
	return o.notice(n)
}
