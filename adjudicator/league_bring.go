package adjudicator

import (
	"context"
	"errors"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/adjudicator/setup"
	"berthier/adjudicator/store"
	"berthier/orders"
	"berthier/orders/phrase"
)

// bring notes that a player of a running game wants it to count in the season, if its players meet there. The others
// are told, and asked whether they want that, too.
func (t *leagueTurn) bring(l leagueLetter, s *league.Setup) error {
	r := orders.NewReader(game.Vocabulary)
	var id string
	if n := l.doc.Field("about"); n != nil {
		text, _ := r.Text(n)
		id = intake.FoldGame(text)
	}
	back, _ := r.Bool(l.doc.Field("cancel"))
	if id == "" {
		return game.Refuse("league.bring.which")
	}
	in := book.Brought{Game: id, Member: l.member.ID, Back: back}
	err := t.office.read(func(tx store.Reader) error {
		record := tx.Game(id)
		if record == nil {
			return game.Refuse("league.bring.plays-not", phrase.Literal("game", id))
		}
		g, err := game.Read(record)
		if err != nil {
			return err
		}
		if in.Seats, err = seatsOf(t.leagues, g); err != nil {
			return err
		}
		if !slices.ContainsFunc(g.Seats, func(x *game.Seat) bool { return l.member.Has(x.Person.Address) }) { // nobody learns more of a game than who plays in it
			return game.Refuse("league.bring.plays-not", phrase.Literal("game", id))
		}
		if len(in.Seats) != len(g.Seats) {
			return game.Refuse("league.bring.others", phrase.Literal("game", id))
		}
		if err := game.MayBeAdopted(g); err != nil {
			return err
		}
		if !slices.ContainsFunc(s.Divisions, func(d league.Division) bool { return fits(t.leagues, d, g) }) {
			return game.Refuse("league.bring.unlike", phrase.Literal("game", id))
		}
		return nil
	})
	if err == nil {
		err = t.Do(in)
	}
	if err != nil || back {
		return err
	}
	for _, m := range in.Seats {
		if m == in.Member {
			continue
		}
		other, err := t.club().get(m)
		if err != nil {
			return err
		}
		form := orders.Mapping().Set("command", orders.Text("bring")).Set("league", orders.Text(t.League)).Set("about", orders.Text(id)).Set("key", orders.Text(t.club().key(other)))
		letter := t.office.letters.Outside(other.Person(), t.office.now()).Alert(phrase.Say("league.bring.subject", phrase.Literal("league", t.League)),
			[]string{form.FormIn(other.Person().Language).Encode()}, phrase.Say("league.bring.asked", phrase.Literal("league", t.League), phrase.Literal("game", id), phrase.Literal("member", in.Member)))
		t.outgoing = append(t.outgoing, t.club().notice(other.Person(), nil, letter))
	}
	return nil
}

// seatsOf gives the members who play in a game, in the order of its sides; who is none is left out.
func seatsOf(l leagues, g *game.State) (all []string, err error) {
	for _, s := range g.Seats {
		if s.Person.Bot != "" {
			continue
		}
		m, err := l.club().at(s.Person.Address)
		if err != nil {
			return nil, err
		}
		if m != nil {
			all = append(all, m.ID)
		}
	}
	return all, nil
}

// fits tells whether a game was set up like those of a division.
func fits(l leagues, d league.Division, g *game.State) bool {
	seats := orders.Mapping()
	sides, err := l.sidesIn(d)
	if err != nil || len(sides) != len(g.Seats) {
		return false
	}
	for _, side := range sides {
		seats.Set(string(side), orders.Mapping().Set("name", orders.Text(string(side))).Set("address", orders.Text(string(side)+"@league.invalid")))
	}
	like, problems := l.office.Clerk().setReader().ReadNode(d.Game.Clone().Set("game", orders.Text("game")).Set("seats", seats).
		Set("gm", orders.Inline().Set("address", orders.Text("umpire@league.invalid"))), nil, nil)
	return len(problems) == 0 && sameRules(like, g)
}

// sameRules tells whether a set-up makes games that are played by the same rules as one that runs.
func sameRules(s *setup.Setup, g *game.State) bool {
	return s.System == g.System && s.Rules.Scenario == g.Scenario && maps.Equal(s.Rules.Options, g.Options) && len(s.Rules.Data) == 0
}

// adopt takes a game that ran before the season into it, in place of one that would be made; false: it can't be.
func (l steward) adopt(ctx context.Context, x book.Bring, s *setup.Setup, id string) (taken bool, err error) {
	err = l.office.change(ctx, x.Game, func(tr *transaction) error {
		g := tr.Game
		if g.League == id { // the office died before the league's log had it
			taken = true
			return nil
		}
		sit, err := seatsOf(l.leagues, g)
		if err != nil {
			return err
		}
		if !slices.Equal(sit, x.Seats) || !sameRules(s, g) {
			return nil
		}
		taken = true
		return tr.Do(game.Adopted{League: id, Forfeit: s.Silence.Forfeit})
	})
	var refused *game.RefusedError
	if errors.As(err, &refused) {
		return false, nil
	}
	return taken, err
}
