package adjudicator

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/league/season"
	"berthier/orders/phrase"
)

// A secretaryAct is something that a secretary may do in a league: by letter, at the office's machine, or both. All that an act
// needs stands here and nowhere else; letters, [Secretary.Rule] and the tests go by it.
type secretaryAct struct {
	name     string
	byLetter bool // a letter may ask for it

	step    bool // it takes the season further: whoever works at the machine need not say who he is, nor why
	silent  bool // the log keeps no reason
	umpires bool // umpires may do it as well as secretaries, since it takes two people

	// What a letter must say, told in this order if it is missing.
	members, about, setup, until bool

	// gains gives the error that who does it gains or loses by it; nil: by whose family plays in the game that it names.
	gains func(t *leagueTurn, r LeagueRuling, by string) error
	// do lets it happen; nil: it is done by letter alone.
	do func(t *leagueTurn, r LeagueRuling, by string) error
	// tell tells whom it concerns; nil: they are told with what it does, or nobody is.
	tell func(t *leagueTurn, r LeagueRuling) error
	// letter does it where a letter asks for it; nil: as at the machine.
	letter func(a *actByLetter, t *leagueTurn, by string) error
}

// secretaryActs are all of them. It is a function, since some of the acts look others up.
func secretaryActs() []secretaryAct {
	return []secretaryAct{
		{name: "announce", byLetter: true, step: true, do: func(t *leagueTurn, _ LeagueRuling, _ string) error { return t.announce() }},
		{name: "open", byLetter: true, step: true, do: func(t *leagueTurn, _ LeagueRuling, _ string) error { return t.Do(book.Opened{}) }},
		{name: "admit", byLetter: true, step: true, members: true, gains: gainsByAdmitting, do: func(t *leagueTurn, r LeagueRuling, _ string) error { return t.admit(r.Of) }},
		{name: "withdraw", byLetter: true, silent: true, members: true, do: func(t *leagueTurn, r LeagueRuling, by string) error { return takeOut(t, by, r.Of) }},
		{name: "close", byLetter: true, step: true, do: func(t *leagueTurn, _ LeagueRuling, _ string) error { return seasonDates{t}.closeList() }},
		{name: "start", byLetter: true, step: true, do: func(t *leagueTurn, _ LeagueRuling, _ string) error { return t.begin() }},
		{name: "end", byLetter: true, step: true, do: func(t *leagueTurn, _ LeagueRuling, _ string) error { return t.finish() }},
		{name: "postpone", byLetter: true, until: true, gains: gainsByDates, do: func(t *leagueTurn, r LeagueRuling, by string) error {
			return seasonDates{t}.postpone(r.Until, by, r.Reason)
		}},
		{name: "extend", byLetter: true, until: true, gains: gainsByDates, do: extend, tell: tellExtended},
		{name: "forfeit", byLetter: true, members: true, about: true, do: forfeit, tell: tellPlayers},
		{name: "cancel", byLetter: true, about: true, do: forfeit, tell: tellPlayers},
		{name: "overrule", byLetter: true, about: true, gains: gainsByReversing, do: overrule, tell: tellOverruled},
		{name: "correct", byLetter: true, umpires: true, about: true, do: correct, tell: tellCorrected},
		{name: "stand", byLetter: true, umpires: true, about: true, do: correct},
		{name: "dismiss", byLetter: true, about: true, do: func(t *leagueTurn, r LeagueRuling, by string) error { return protests{t}.dismiss(r.Game, by, r.Reason) }},
		{name: "change", byLetter: true, setup: true, do: change, letter: (*actByLetter).change},
		{name: "import", do: importGame, tell: tellPlayers},
		{name: "merge", byLetter: true, members: true, letter: (*actByLetter).merge},
		{name: "export", byLetter: true, silent: true, letter: func(*actByLetter, *leagueTurn, string) error { return nil }}, // it changes nothing
		{name: "forget", byLetter: true, members: true, letter: (*actByLetter).forget},
	}
}

// actNamed finds an act by its name; an act without a name is none.
func actNamed(name string) secretaryAct {
	for _, a := range secretaryActs() {
		if a.name == name {
			return a
		}
	}
	return secretaryAct{}
}

// actsByLetter are the names of those that letters may ask for.
func actsByLetter() (names []string) {
	for _, a := range secretaryActs() {
		if a.byLetter {
			names = append(names, a.name)
		}
	}
	return names
}

// rule lets an act happen.
func (t *leagueTurn) rule(r LeagueRuling, by string) error {
	act := actNamed(r.Kind)
	if act.do == nil {
		return fmt.Errorf("a secretary can't do %q in a league", r.Kind)
	}
	gains := act.gains
	if gains == nil {
		gains = gainsByGame
	}
	if err := gains(t, r, by); err != nil {
		return err
	}
	return act.do(t, r, by)
}

// tellRuled tells those whom an act concerns.
func (t *leagueTurn) tellRuled(r LeagueRuling) error {
	if tell := actNamed(r.Kind).tell; tell != nil {
		return tell(t, r)
	}
	return nil
}

// forfeit lets members forfeit a game, or cancels it.
func forfeit(t *leagueTurn, r LeagueRuling, by string) error {
	if (r.Kind == "forfeit") != (len(r.Of) > 0) {
		return game.Refuse("league.forfeit-whom")
	}
	if err := t.Do(book.Ruled{Ruled: season.Ruled{Game: r.Game, Forfeit: r.Of, By: by, Reason: r.Reason}}); err != nil {
		return err
	}
	return t.endGame(r.Game)
}

// overrule takes back what a secretary has ruled on a game, or something else that he has done.
func overrule(t *leagueTurn, r LeagueRuling, by string) error {
	if r.Overrules != "" {
		return reverse(t, r, by)
	}
	return t.Do(book.Overruled{Overruled: season.Overruled{Game: r.Game, By: by, Reason: r.Reason}})
}

// correct settles a final result of which the game's log says something else by now.
func correct(t *leagueTurn, r LeagueRuling, by string) error {
	return t.Do(book.Corrected{Corrected: season.Corrected{Game: r.Game, Stand: r.Kind == "stand", By: by, Reason: r.Reason}})
}

// change gives the league another set-up.
func change(t *leagueTurn, r LeagueRuling, by string) error {
	a, err := amend(t, r, by)
	if err != nil {
		return err
	}
	return errors.Join(a.make(), a.tellChange())
}

// extend gives the season more time, or one game of it.
func extend(t *leagueTurn, r LeagueRuling, by string) error {
	if r.Game != "" {
		return prolong(t, r, by)
	}
	return t.Do(book.Extended{Extended: season.Extended{Until: r.Until, By: by, Reason: r.Reason}})
}

// tellExtended tells all that the season has more time, or those who play a game on that this game has.
func tellExtended(t *leagueTurn, r LeagueRuling) error {
	if r.Game == "" {
		return t.tellAll(phrase.Say("league.ruled.extend", phrase.Literal("league", t.League), phrase.Literal("until", t.Season.Until.Format(time.DateOnly))))
	}
	return tellPlayers(t, r)
}

// tellOverruled tells the members of a game that a ruling on it no longer holds; of what else is taken back they are told with that.
func tellOverruled(t *leagueTurn, r LeagueRuling) error {
	if r.Overrules != "" {
		return nil
	}
	return tellPlayers(t, r)
}

// tellCorrected tells all of a game's season, and of the present one, that a final result is another now.
func tellCorrected(t *leagueTurn, r LeagueRuling) error {
	v := t.SeasonOf(r.Game)
	if v == nil || v.Game(r.Game).Claim != nil { // the second person has not said so yet
		return nil
	}
	return tellTwoSeasons(t, v, phrase.Say("league.ruled.correct", phrase.Literal("league", t.League), phrase.Literal("game", r.Game)))
}

// tellPlayers tells the members of a game what was ruled on it.
func tellPlayers(t *leagueTurn, r LeagueRuling) error {
	named, about := phrase.Literal("league", t.League), phrase.Literal("game", r.Game)
	v := t.SeasonOf(r.Game)
	if v == nil || v.Game(r.Game).Claim != nil {
		return nil
	}
	concerned := slices.Clone(v.Game(r.Game).Entries)
	if r.Kind == "extend" { // those who play it on
		concerned = slices.Compact(slices.Sorted(slices.Values(append(concerned, v.Game(r.Game).Players...))))
	}
	for _, p := range t.Protests { // a substitute may have protested
		if p.Game == r.Game && !slices.Contains(concerned, p.Member) {
			concerned = append(concerned, p.Member)
		}
	}
	for _, m := range concerned {
		said := phrase.Say("league.ruled."+r.Kind, named, about, phrase.Literals("members", r.Of))
		if p := prolonged(t, r); p != nil {
			said = phrase.Say("league.ruled.prolong", named, about, phrase.Literal("until", p.Until.Format(time.DateOnly)))
		}
		if err := t.tell(m, said); err != nil {
			return err
		}
	}
	return nil
}
