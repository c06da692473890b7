package adjudicator

import (
	"cmp"
	"maps"
	"slices"

	"berthier/adjudicator/game"
	"berthier/adjudicator/league"
	"berthier/adjudicator/league/book"
	"berthier/mail/mailbox"
	"berthier/orders"
	"berthier/orders/phrase"
)

// An amendment is another set-up for a league, in a turn of it: what of it counts at once, and what from the
// next season on.
type amendment struct {
	*leagueTurn
	in         book.Changed
	root       *orders.Node // of the whole
	now, later []string     // keys that are others
	told       []string     // addresses of secretaries and umpires, of before and of now
}

// amend reads the set-up that a secretary wants for a league: as a whole file, or by the keys that are to change. All faults
// of it are reported at once.
func amend(t *leagueTurn, r LeagueRuling, by string) (*amendment, error) {
	base := t.wanted()
	was, _ := orders.ParseNode([]byte(base.Text))
	a := &amendment{leagueTurn: t}
	if r.keys != nil {
		was.Walk(func(n *orders.Node) { n.Line, n.Column = 0, 0 }) // faults are told at the places of the letter
		a.root, r.Text, r.Files = league.With(was, r.keys), "", base.Files
	} else {
		root, problems := orders.ParseNode([]byte(r.Text))
		if root == nil {
			return nil, cmp.Or[error](orders.Problems{{Why: phrase.Say("office.setup.empty")}}, problems)
		}
		if len(problems) > 0 {
			return nil, problems
		}
		a.root = root
	}
	rd := t.reader(r.Files)
	rd.Given = true
	next, problems := rd.ReadNode(a.root)
	if len(problems) > 0 {
		return nil, problems
	}
	if next.League != t.League {
		return nil, game.Refuse("league.change.other", phrase.Literal("league", t.League), phrase.Literal("other", next.League))
	}
	if r.Text == "" {
		r.Text = a.root.Encode()
	}
	whole := book.SetUp{Title: next.Title, Text: r.Text, Files: named(next, r.Files)}
	differ := league.Differ(was, a.root, base.Files, whole.Files)
	if len(differ) == 0 {
		return nil, game.Refuse("league.change.nothing")
	}
	a.in = book.Changed{Now: whole, By: by, Reason: r.Reason}
	if !t.Bound() {
		a.now = differ
		return a, a.people(next)
	}
	if err := a.part(whole); err != nil {
		return nil, err
	}
	return a, a.people(next)
}

// named gives those of some files that the divisions of a set-up name.
func named(s *league.Setup, files map[string]string) map[string]string {
	all := maps.Clone(files)
	maps.DeleteFunc(all, func(name, _ string) bool {
		return !slices.ContainsFunc(s.Divisions, func(d league.Division) bool { return d.Template == name })
	})
	return all
}

// wanted is the set-up that was given last.
func (b *openBook) wanted() book.SetUp {
	if b.Later != nil {
		return *b.Later
	}
	return book.SetUp{Title: b.Title, Text: b.Text, Files: b.Files}
}

// part parts a set-up into what counts in the season that is being played, and the rest.
func (a *amendment) part(whole book.SetUp) error {
	inForce, _ := orders.ParseNode([]byte(a.Text))
	now := league.With(inForce, a.root, league.AtOnce...)
	a.now = league.Differ(inForce, now, nil, nil)
	a.in.Now = book.SetUp{Title: whole.Title, Text: a.Text, Files: a.Files}
	if len(a.now) > 0 {
		a.in.Now.Text = now.Encode()
	}
	read, problems := a.reader(a.Files).Read(a.in.Now.Text)
	if len(problems) > 0 { // its deadlines don't go with the games of this season, for example
		for i := range problems {
			problems[i] = orders.Problem{Why: phrase.Say("league.change.now", phrase.Within("why", problems[i].Why)), Remedy: problems[i].Remedy}
		}
		return problems
	}
	if a.later = league.Differ(now, a.root, a.Files, whole.Files); len(a.later) > 0 {
		a.in.Later = &whole
	}
	if len(a.now) > 0 && a.takesPart(a.in.By) {
		return game.Refuse("league.change.stake", phrase.Literal("who", a.in.By))
	}
	for _, m := range slices.Sorted(maps.Keys(a.Wishes)) {
		pace := a.Wishes[m].Deadlines
		if pace != "" && !slices.ContainsFunc(read.Deadlines, func(d league.Deadlines) bool { return d.Name == pace }) {
			return game.Refuse("league.change.pace", phrase.Literal("deadlines", pace), phrase.Literal("member", m))
		}
	}
	return nil
}

// people finds who leads the league, and rules in it, before and after.
func (a *amendment) people(next *league.Setup) error {
	s, err := a.setupOf(a.openBook)
	if err != nil {
		return err
	}
	for _, address := range slices.Concat(s.Secretaries, s.Umpires.Of, next.Secretaries, next.Umpires.Of) {
		if !slices.ContainsFunc(a.told, func(one string) bool { return mailbox.Same(one, address) }) {
			a.told = append(a.told, address)
		}
	}
	return nil
}

// says tells what changes, key by key. Who the secretaries and umpires are stands in their own letters.
func (a *amendment) says() (lines []phrase.Phrase) {
	for _, part := range []struct {
		code string
		keys []string
	}{{"league.change.at-once", a.now}, {"league.change.later", a.later}} {
		for _, key := range part.keys {
			args := []phrase.Arg{phrase.Within("what", phrase.Say("league.key."+key))}
			if value := league.Value(a.root, key); value != "" && key != "secretaries" && key != "umpires" {
				args = append(args, phrase.Literal("value", phrase.Clip(value, 600)))
			}
			lines = append(lines, phrase.Say(part.code, args...))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, phrase.Say("league.change.back"))
	}
	return lines
}

// make gives the league its other set-up.
func (a *amendment) make() error { return a.Do(a.in) }

// tellChange tells everybody what has changed: who has entered, and who leads the league or rules in it, before and after.
func (a *amendment) tellChange() error {
	lines := append([]phrase.Phrase{phrase.Say("league.change.told", phrase.Literal("league", a.League))}, a.says()...)
	var members []string
	if a.Bound() {
		for _, e := range a.Season.Entries {
			if !e.Withdrawn {
				members = append(members, e.Member)
			}
		}
	}
	for _, m := range members {
		if err := a.tell(m, lines...); err != nil {
			return err
		}
	}
	for _, address := range a.told {
		if who, err := a.person(address); err != nil {
			return err
		} else if slices.Contains(members, who) {
			continue
		}
		if err := a.tellAddress(address, lines...); err != nil {
			return err
		}
	}
	return nil
}

// amendedAs checks that what counts at once of a set-up is what follows from the one before it and the new one.
func amendedAs(before *book.Book, in book.Changed) bool {
	if !before.Bound() {
		return in.Later == nil
	}
	was, _ := orders.ParseNode([]byte(before.Text))
	now, _ := orders.ParseNode([]byte(in.Now.Text))
	if was == nil || now == nil || !maps.Equal(before.Files, in.Now.Files) {
		return false
	}
	for _, key := range league.Differ(was, now, nil, nil) {
		if !slices.Contains(league.AtOnce, key) {
			return false
		}
	}
	return true
}
