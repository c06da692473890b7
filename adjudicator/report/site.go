package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"berthier/adjudicator/league/rated"
	"berthier/adjudicator/league/season"
	"berthier/adjudicator/league/table"
	"berthier/orders/phrase"
	"berthier/templates"
)

// Initials are what is left of a name where its bearer has not agreed to more: "Ada Lovelace" is
// "A. L."
func Initials(name string) string {
	var all []string
	for _, word := range strings.Fields(name) {
		for _, c := range word {
			if unicode.IsLetter(c) {
				all = append(all, string(unicode.ToUpper(c))+".")
				break
			}
		}
	}
	return strings.Join(all, " ")
}

// SiteSeason is a season as everybody may see it. It is made of the results in force alone, so it
// tells nothing of a game that is not over.
func SiteSeason(s *season.Season, systems []string, names map[string]string) (templates.SiteSeason, error) {
	out := templates.SiteSeason{ID: s.Plan.Season, Phase: string(s.Phase), Commitment: s.Commitment, Seed: s.Seed}
	for _, e := range s.Entries {
		if !e.Withdrawn {
			out.Entered++
		}
	}
	if s.Phase != season.Entering {
		out.List = s.List.String()
	}
	for n := range s.Divisions {
		d := &s.Divisions[n]
		if len(d.Members) == 0 {
			continue
		}
		made, err := s.Table(d.ID)
		if err != nil {
			return out, err
		}
		one := siteTable(d, made, names)
		one.System = systems[n]
		siteRounds(&one, d, made, names)
		out.Divisions = append(out.Divisions, one)
	}
	return out, nil
}

// siteTable is the table of a division, with all results.
func siteTable(d *season.Division, made table.Table, names map[string]string) templates.SiteDivision {
	out := templates.SiteDivision{ID: d.ID, Ladder: d.Table.Form == table.Ladder, Each: d.Table.Form == table.RoundRobin && d.Table.Pairing != table.Trio}
	if e, ok := d.Evenness(); ok {
		out.Even = []int{e.LeastMet, e.MostMet, e.LeastPower, e.MostPower}
	}
	for _, tie := range d.Table.Ties {
		out.Ties = append(out.Ties, string(tie))
	}
	line := map[string]int{}
	for i, r := range made.Rows {
		line[r.Entry] = i
	}
	for i, r := range made.Rows {
		row := templates.SiteRow{Place: r.Rank, Member: siteMember(r.Entry, names), Points: table.Write(r.Points), Games: r.Games, Won: r.Won, Drew: r.Drew, Lost: r.Lost}
		if i > 0 && r.Rank > 0 {
			row.Parted = string(r.Parted)
		}
		for k := range out.Ties {
			value := ""
			if k < len(r.Ties) && !r.Ties[k].Silent {
				value = decimal(r.Ties[k].Amount, r.Ties[k].Of)
			}
			row.Ties = append(row.Ties, value)
		}
		for _, c := range r.Cells {
			row.Cells = append(row.Cells, siteCell(c, line))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// siteCell is a result as a cross-table shows it.
func siteCell(c table.Cell, line map[string]int) templates.SiteCell {
	cell := templates.SiteCell{Round: c.Round, Kind: string(c.Kind), Game: c.Game}
	if c.Kind.Counts() || c.Kind == table.Annulled {
		cell.Points = table.Write(c.Points)
	}
	for _, m := range c.Marks {
		cell.Marks += string(m)
	}
	for _, other := range c.Against {
		cell.Against = append(cell.Against, line[other])
	}
	return cell
}

// decimal writes a fraction with up to two digits behind the point, cut and not rounded.
func decimal(amount, of int64) string {
	if of <= 0 {
		return ""
	}
	text := fmt.Sprintf("%d.%02d", amount/of, amount%of*100/of)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// siteMember is a member with the name under which the pages have him.
func siteMember(id string, names map[string]string) templates.SiteMember {
	return templates.SiteMember{ID: id, Name: names[id]}
}

// siteRounds adds who meets whom. What a game came to is what the table says of it.
func siteRounds(out *templates.SiteDivision, d *season.Division, made table.Table, names map[string]string) {
	results := map[string]map[string]table.Cell{} // by games and members
	for _, r := range made.Rows {
		for _, c := range r.Cells {
			if results[c.Game] == nil {
				results[c.Game] = map[string]table.Cell{}
			}
			results[c.Game][r.Entry] = c
		}
	}
	rounds := map[int]*templates.SiteRound{}
	at := func(n int) *templates.SiteRound {
		if rounds[n] == nil {
			rounds[n] = &templates.SiteRound{Number: n}
		}
		return rounds[n]
	}
	for i := range d.Pairings {
		p := &d.Pairings[i]
		if len(p.Games) == 0 {
			at(p.Round).Games = append(at(p.Round).Games, templates.SiteGame{Seats: siteMembers(p.Seats, names), State: phrase.Say("league.state.planned")})
		}
		for k := range p.Games {
			g := &p.Games[k]
			at(p.Round).Games = append(at(p.Round).Games, templates.SiteGame{ID: g.ID, Seats: siteMembers(g.Entries, names), State: siteState(g.Entries, results[g.ID], names)})
		}
	}
	for _, b := range d.Byes {
		at(b.Round).Byes = append(at(b.Round).Byes, siteMember(b.Member, names))
	}
	for n := 1; n <= d.Paired; n++ {
		if rounds[n] != nil {
			out.Rounds = append(out.Rounds, *rounds[n])
		}
	}
}

func siteMembers(ids []string, names map[string]string) (all []templates.SiteMember) {
	for _, id := range ids {
		all = append(all, siteMember(id, names))
	}
	return all
}

// siteNames names members in a sentence.
func siteNames(ids []string, names map[string]string) (all []string) {
	for _, id := range ids {
		all = append(all, cmp.Or(names[id], id))
	}
	return all
}

// siteState tells what came of a game.
func siteState(members []string, cells map[string]table.Cell, names map[string]string) phrase.Phrase {
	kind, won, drew := table.Open, "", []string(nil)
	for _, m := range members {
		c, there := cells[m]
		if !there {
			continue
		}
		kind = c.Kind
		switch c.Place {
		case table.Won:
			won = m
		case table.Drew:
			drew = append(drew, m)
		}
	}
	switch {
	case kind == table.Open:
		return phrase.Say("league.state.playing")
	case kind == table.Annulled:
		return phrase.Say("site.state.annulled")
	case won != "":
		return phrase.Say("site.state.won", phrase.Literal("member", cmp.Or(names[won], won)))
	case len(drew) > 0 && len(drew) < len(members):
		return phrase.Say("site.state.shared", phrase.Literals("members", siteNames(drew, names)))
	case len(drew) > 0:
		return phrase.Say("site.state.drew")
	}
	return phrase.Say("league.state." + string(kind))
}

// SiteResult is what everybody may hear of a game in a division whose result has been taken, or that
// was opened again.
func SiteResult(division string, round int, members []string, o season.Outcome, names map[string]string) phrase.Phrase {
	where := []phrase.Arg{phrase.Literal("division", division), phrase.Number("round", round)}
	say := func(code string, more ...phrase.Arg) phrase.Phrase {
		return phrase.Say("site.news."+code, append(slices.Clone(where), more...)...)
	}
	var won string
	var drew, others []string
	for i, m := range members {
		switch {
		case i < len(o.Places) && o.Places[i] == table.Won:
			won = m
		case i < len(o.Places) && o.Places[i] == table.Drew:
			drew = append(drew, m)
		default:
			others = append(others, m)
		}
	}
	all := phrase.Literals("members", siteNames(members, names))
	switch {
	case o.Kind == table.Open:
		return say("reopened", all)
	case won != "":
		return say("won", phrase.Literal("member", cmp.Or(names[won], won)), phrase.Literals("others", siteNames(others, names)))
	case len(drew) > 0 && len(others) > 0:
		return say("shared", phrase.Literals("members", siteNames(drew, names)), phrase.Literals("others", siteNames(others, names)))
	case len(drew) > 0:
		return say("drew", all)
	}
	return say(string(o.Kind), all)
}

// SiteLadder is the ratings in a system, highest first, with their history.
func SiteLadder(l rated.Ladder, names map[string]string) templates.SiteLadder {
	out := templates.SiteLadder{System: l.System}
	for _, m := range l.Members {
		now, has := l.At(m.ID)
		if !has {
			continue
		}
		row := templates.SiteRated{Member: siteMember(m.ID, names), Provisional: now.Provisional(), Games: l.Played(m.ID), From: l.Begins(m.Period), Until: l.Begins(l.Last)}
		for period := m.Period; period <= l.Last; period++ {
			if r, has := l.History.At(period, m.ID); has {
				row.Ratings = append(row.Ratings, templates.SiteRating{Points: int(r.R / 100), More: int(2 * r.RD / 100)})
			}
		}
		out.Rows = append(out.Rows, row)
	}
	for _, s := range l.Sides {
		for _, o := range s.Offsets {
			out.Sides = append(out.Sides, templates.SiteSide{SetUp: strings.TrimSuffix(s.Name, ".yaml"), Side: o.Side, Points: int(o.Offset / 100)})
		}
	}
	slices.SortStableFunc(out.Rows, func(a, b templates.SiteRated) int {
		return cmp.Or(cmp.Compare(b.Ratings[len(b.Ratings)-1].Points, a.Ratings[len(a.Ratings)-1].Points), cmp.Compare(a.Member.ID, b.Member.ID))
	})
	return out
}
