package adjudicator

import (
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// reversible are the acts of a secretary, beside rulings on a game, that are taken back by acts of their own: by him, or by
// another secretary. A season that was postponed is postponed to another day, and who was admitted is taken out again.
var reversible = []string{"withdraw", "extend", "dismiss"}

// reverse takes something back that a secretary has done, and tells whom it concerns.
func reverse(t *leagueTurn, r LeagueRuling, by string) error {
	in := book.Reversed{What: r.Overrules, Game: r.Game, By: by, Reason: r.Reason}
	switch {
	case r.Overrules == "withdraw" && r.Game == "" && len(r.Of) > 0:
		for _, m := range r.Of {
			in.Member = m
			if err := t.Do(in); err != nil {
				return err
			}
			if err := reinstated(t, m); err != nil {
				return err
			}
		}
		return nil
	case r.Overrules == "withdraw", !slices.Contains(reversible, r.Overrules), len(r.Of) > 0, r.Overrules == "dismiss" && r.Game == "":
		return game.Refuse("league.act.needs-overrules")
	}
	var answered []book.Protest
	if t.Season != nil {
		answered = slices.DeleteFunc(slices.Clone(t.Protests), func(p book.Protest) bool { return p.Game != r.Game || !p.Dismissed })
	}
	if err := t.Do(in); err != nil {
		return err
	}
	named, about := phrase.Literal("league", t.League), phrase.Literal("game", r.Game)
	switch {
	case r.Overrules == "dismiss":
		for _, p := range t.OpenProtests() {
			if !slices.ContainsFunc(answered, func(was book.Protest) bool { return was.Game == p.Game && was.Member == p.Member }) {
				continue
			}
			if err := t.tell(p.Member, phrase.Say("league.reversed.dismiss", named, about)); err != nil {
				return err
			}
		}
		return nil
	case r.Game == "":
		return t.tellAll(phrase.Say("league.reversed.extend", named, phrase.Literal("until", t.Season.Until.Format(time.DateOnly))))
	}
	g := t.Season.Game(r.Game)
	for _, m := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(g.Entries, g.Players)))) {
		if err := t.tell(m, phrase.Say("league.reversed.prolong", named, about)); err != nil {
			return err
		}
	}
	return nil
}

// reinstated tells a member that he takes part again. Sides of his that were offered to others are his.
func reinstated(t *leagueTurn, m string) error {
	for _, v := range slices.Clone(t.Season.Vacancies) {
		g := t.Season.Game(v.Game)
		if side := slices.Index(g.Entries, v.Entry); side >= 0 && g.Players[side] == m {
			if err := t.back(season.Vacancy{Game: v.Game, Entry: v.Entry}); err != nil {
				return err
			}
		}
	}
	return t.tell(m, phrase.Say("league.reversed.withdraw", phrase.Literal("league", t.League)))
}
