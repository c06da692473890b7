package adjudicator

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"berthier/adjudicator/game"
	"berthier/adjudicator/intake"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/orders"
	"berthier/orders/phrase"
	"berthier/templates"
)

// An actByLetter is what a secretary's letter wants done in a league. It is shown first, and done when its code comes back; the
// code holds as long as nothing else has happened in the league.
type actByLetter struct {
	LeagueRuling
	Members []string `json:"members,omitempty"` // whom it is about

	confirm string
	code    string
	changes []PlaceChange   // of the tables
	lines   []phrase.Phrase // what changes beside them
	file    *templates.File // what is sent with the answer
}

// secretaryAct reads what the letter wants.
func (l leagueLetter) secretaryAct() (*actByLetter, orders.Problems) {
	a := &actByLetter{LeagueRuling: LeagueRuling{By: l.From}}
	r := orders.NewReader(game.Vocabulary)
	text := func(key string) string { return textIn(l.doc, r, key, 500) }
	if n := l.doc.Field("act"); n != nil {
		a.Kind, _ = r.Word(n, actsByLetter()...)
	} else {
		p := l.form().Fault("command", phrase.Say("league.act.which"))
		p.Remedy = phrase.Say("office.your-commands", phrase.Keywords("commands", actsByLetter()))
		r.Problems = append(r.Problems, p)
	}
	if n := l.doc.Field("members"); n != nil {
		for _, item := range r.List(n) {
			id, _ := r.Text(item)
			a.Members = append(a.Members, intake.FoldMember(id))
		}
	}
	a.Game, a.Reason, a.confirm = intake.FoldGame(text("about")), text("reason"), text("confirm")
	if said := text("until"); said != "" {
		var err error
		if a.Until, err = time.Parse(time.DateOnly, said); err != nil {
			r.Refuse(l.doc.Field("until"), "", phrase.Say("league.act.until", phrase.Literal("got", said)))
		}
	}
	if n := l.doc.Field("overrules"); n != nil && a.Kind == "overrule" {
		a.Overrules, _ = r.Word(n, reversible...)
	}
	act, back := actNamed(a.Kind), actNamed(cmp.Or(a.Overrules, a.Kind)) // what is taken back is about the same as when it was done
	if back.members && back.do != nil {
		a.Of = a.Members
	}
	if n := l.doc.Field("setup"); n != nil && a.Kind == "change" {
		if n.Kind != orders.Map {
			r.Refuse(n, "", phrase.Say("league.act.needs-setup"))
		}
		a.keys, a.Text = n, league.Line(n)
	}
	needs := func(key string, missing bool) {
		if missing {
			r.Problems = append(r.Problems, l.form().Fault("act", phrase.Say("league.act.needs-"+key)))
		}
	}
	needs("members", back.members && len(a.Members) == 0)
	needs("about", back.about && a.Game == "")
	needs("setup", act.setup && a.keys == nil)
	needs("until", act.until && (a.Kind != "extend" || a.Game == "") && a.Until.IsZero() && l.doc.Field("until") == nil) // a game gets its time by rule
	return a, r.Problems
}

// preview finds what the act would do, and changes nothing.
func (a *actByLetter) preview(ctx context.Context, l leagueLetter) (orders.Problems, error) {
	err := l.club.office.Secretary().act(ctx, l.league, func(t *leagueTurn) error {
		code, err := a.happen(t)
		if err != nil {
			return err
		}
		a.code = code
		return errOnlyShown
	})
	var refused *game.RefusedError
	var problems orders.Problems
	switch {
	case errors.Is(err, errOnlyShown):
		return l.beyond(ctx, a)
	case errors.As(err, &problems): // of the set-up that he wants
		for i, p := range problems {
			if p.Line == 0 {
				problems[i] = l.form().Fault("setup", p.Why)
				problems[i].Remedy = p.Remedy
			}
		}
		return problems, nil
	case errors.Is(err, ErrNoLeague):
		return orders.Problems{l.form().Fault("league", phrase.Say("league.none", phrase.Literal("league", l.league)))}, nil
	case errors.As(err, &refused):
		return orders.Problems{l.refused("act", refused)}, nil
	case errors.Is(err, ErrNoMember):
		return orders.Problems{l.form().Fault("members", phrase.Say("league.act.no-member"))}, nil
	}
	return nil, err
}

// happen lets the act happen in a turn, and gives the code that confirms it as the league stood before.
func (a *actByLetter) happen(t *leagueTurn) (code string, err error) {
	by, err := t.decider(a.LeagueRuling)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(a)
	if err != nil { // an act is plain data
		panic(err)
	}
	code = t.office.keys.Code("league act", t.League, by, string(t.end.Hash[:]), string(data))
	before, err := t.places(a.Game)
	if err != nil {
		return "", err
	}
	if err := a.carryOut(t, by); err != nil {
		return "", err
	}
	after, err := t.places(a.Game)
	a.changes = placeChanges(before, after)
	return code, err
}

// change gives the league another set-up, and has the answer say what becomes otherwise.
func (a *actByLetter) change(t *leagueTurn, by string) error {
	am, err := amend(t, a.LeagueRuling, by)
	if err != nil {
		return err
	}
	a.lines = am.says()
	return errors.Join(am.make(), am.tellChange())
}

// carryOut does what the act says.
func (a *actByLetter) carryOut(t *leagueTurn, by string) error {
	if letter := actNamed(a.Kind).letter; letter != nil {
		return letter(a, t, by)
	}
	if err := t.rule(a.LeagueRuling, by); err != nil {
		return err
	}
	if p := prolonged(t, a.LeagueRuling); p != nil {
		a.lines = []phrase.Phrase{phrase.Say("league.act.prolong", phrase.Literal("game", a.Game), phrase.Number("turn", p.Turn), phrase.Number("last", p.Last), phrase.Literal("until", p.Until.Format(time.DateOnly)))}
	}
	return t.tellRuled(a.LeagueRuling)
}

// takeOut takes members out of the season, as a secretary wants, and tells them.
func takeOut(t *leagueTurn, by string, members []string) error {
	for _, m := range members {
		if err := t.mayTakeOut(by, m); err != nil {
			return err
		}
		var act book.Input = book.TakenOut{Member: m}
		if m == by {
			act = book.Withdrew{Member: m}
		}
		if err := t.withdraw(act); err != nil {
			var refused *game.RefusedError
			if errors.As(err, &refused) && refused.Why.Code == "league.not-entered" {
				return game.Refuse("league.member-not-entered", phrase.Literal("member", m))
			}
			return err
		}
		if err := t.tell(m, phrase.Say("league.taken-out", phrase.Literal("league", t.League))); err != nil {
			return err
		}
	}
	return nil
}

// mayTakeOut gives the error that a secretary takes somebody out of a division in which he plays himself, or family of his.
func (t *leagueTurn) mayTakeOut(by, member string) error {
	if t.Season == nil || by == member {
		return nil
	}
	for _, d := range t.Season.Divisions {
		if !slices.Contains(d.Members, member) {
			continue
		}
		if slices.Contains(d.Members, by) {
			return game.Refuse("league.stake", phrase.Literal("who", by), phrase.Literal("division", d.ID))
		}
		if err := familyAmong(t, by, &d, nil); err != nil {
			return err
		}
	}
	return nil
}

// do does the act if its code confirms it, and writes the answer: what is done, or what would be.
func (a *actByLetter) do(t *leagueTurn, l leagueLetter) (templates.Letter, error) {
	w := l.outside(l.person)
	subject := phrase.Say("league.subject", phrase.Literal("league", t.League))
	what := phrase.Name("act", phrase.KindKeyword, a.Kind)
	if a.file != nil {
		return w.With(subject, *a.file, phrase.Say("league.act.exported", phrase.Literal("league", t.League))), nil
	}
	if a.confirm != "" && intake.SameKey(a.confirm, a.code) {
		code, err := a.happen(t)
		if err == nil && code != a.code {
			err = game.Refuse("league.stale")
		}
		if err != nil {
			return templates.Letter{}, err
		}
		return w.Short(subject, append([]phrase.Phrase{phrase.Say("league.act.done", what)}, a.sayChanges()...)...), nil
	}
	lines := append([]phrase.Phrase{phrase.Say("office.grave.preview"), phrase.Say("league.act.shown", what, phrase.Literals("members", a.Members), phrase.Literal("game", a.Game))}, a.sayChanges()...)
	if a.confirm != "" {
		lines = append([]phrase.Phrase{phrase.Say("league.stale")}, lines...)
	}
	lines = append(lines, phrase.Say("office.rule.confirm", phrase.Literal("code", a.code)))
	file := orders.Mapping().Set("key", orders.Text(l.club.key(l.member))).Set("command", orders.Text("secretary")).Set("league", orders.Text(t.League)).Set("act", orders.Text(a.Kind))
	if len(a.Members) > 0 {
		members := &orders.Node{Kind: orders.List, Flow: true, Long: true}
		for _, m := range a.Members {
			members.Items = append(members.Items, orders.Text(m))
		}
		file.Set("members", members)
	}
	for _, field := range [][2]string{{"overrules", a.Overrules}, {"about", a.Game}, {"reason", a.Reason}} {
		if field[1] != "" {
			file.Set(field[0], orders.Text(field[1]))
		}
	}
	if a.keys != nil {
		file.Set("setup", a.keys.Clone())
	}
	if !a.Until.IsZero() {
		file.Set("until", orders.Text(a.Until.Format(time.DateOnly)))
	}
	return w.Alert(subject, []string{file.Set("confirm", orders.Text(a.code)).Encode()}, lines...), nil
}

// sayChanges are the keys of the set-up and the places in the tables that become others.
func (a *actByLetter) sayChanges() (all []phrase.Phrase) {
	all = append(all, a.lines...)
	for _, c := range a.changes {
		all = append(all, phrase.Say("league.act.place", phrase.Literal("division", c.Division), phrase.Literal("member", c.Member), phrase.Number("was", c.Was), phrase.Number("place", c.Place)))
	}
	return all
}
